"""T6.1, T5.15: what may not be placed or built on forts, beside them, and under rival armies."""

from functools import partial

import pytest
from table import FIRST_SPACE, LAST_SPACE, Table, ti_rules, ti_table_with

from newdawn.simulator.engine import culture, decisions, map
from newdawn.simulator.engine.industry import may_hold_city

table = partial(ti_table_with, (0, 0), (3, 0))


def districts_offered(t, slot=5):
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT))
    t.resolve(0, "Irrigation", slot)
    return {option // 8 for option in t.options(decisions.PLACE_DISTRICT)}


@pytest.mark.rule("T6.1")
def test_neither_token_nor_district_comes_on_a_fort():
    t = table()
    t.fort((1, 0))
    assert t.at((1, 0)) not in districts_offered(t)
    t = table()
    t.fort((1, 0))
    t.script((decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", 5)
    assert t.at((1, 0)) not in t.options(decisions.PLACE_TOKEN)
    assert t.at((0, -1)) in t.options(decisions.PLACE_TOKEN)


@pytest.mark.rule("T6.1")
@pytest.mark.effect("Drama and Poetry")
def test_no_token_moves_onto_a_fort():
    t = table()
    t.token(0, (0, 1))
    t.fort((1, 1))
    t.resolve(0, "Drama and Poetry", 1)
    moves = t.options(decisions.MOVE_TOKEN)
    assert t.at((0, 1)) * 256 + t.at((1, 1)) not in moves
    assert t.at((0, 1)) * 256 + t.at((0, 2)) in moves


@pytest.mark.rule("T6.1")
@pytest.mark.rule("T11.2")
@pytest.mark.effect("Industrial Zone")
def test_no_city_is_built_on_a_fort_or_beside_it():
    t = table(radius=4)
    t.token(0, (-1, 0), (-2, 0))
    legal = (-2, 0)
    assert may_hold_city(t.r, t.g, 0, t.at(legal), 9)
    t.fort((-3, 0))
    assert not may_hold_city(t.r, t.g, 0, t.at(legal), 9)
    assert not may_hold_city(t.r, t.g, 0, t.at((-3, 0)), 9)
    assert may_hold_city(t.r, t.g, 0, t.at((-2, 2)), 9)


@pytest.mark.rule("T6.1")
def test_a_fort_with_a_city_keeps_other_cities_away_too():
    t = table(radius=4)
    t.fort((-3, 0))
    t.city(0, (-3, 0))
    assert not may_hold_city(t.r, t.g, 0, t.at((-2, 0)), 9)


@pytest.mark.rule("T6.1")
def test_the_industry_card_builds_no_city_beside_a_fort():
    t = table(radius=4)
    t.fort((-3, 0))
    t.script()
    t.resolve(0, "Nationalism", 5)
    assert not t.options(decisions.INDUSTRY) & t.spaces((-3, 0), (-2, 0), (-2, -1), (-3, 1), (-4, 0), (-4, 1), (-3, -1))
    assert t.at((-2, 2)) in t.options(decisions.INDUSTRY)


@pytest.mark.rule("T6.1")
@pytest.mark.parametrize("space", [FIRST_SPACE, LAST_SPACE])
def test_the_first_and_the_last_space_may_be_a_fort(space):
    t = Table(rules=ti_rules())
    t.fort(space)
    beside = (space[0] - (1 if space[0] > 0 else -1), 0)
    assert [map.at_fort(t.g, t.at(s)) for s in (space, beside, (0, 0))] == [True, True, False]


@pytest.mark.rule("T5.15")
@pytest.mark.parametrize("army", [0, 1])
@pytest.mark.parametrize("own_token", [True, False])
def test_a_rival_army_keeps_districts_out_an_own_one_does_not(army, own_token):
    t = table()
    if own_token:
        t.token(0, (1, 0))
    t.army(army, (1, 0))
    assert (t.at((1, 0)) in districts_offered(t)) == (army == 0)


@pytest.mark.rule("T5.15")
@pytest.mark.effect("Mysticism")
@pytest.mark.effect("Theater Square")
def test_a_rival_army_keeps_other_tokens_of_growth_cards_and_districts_out():
    t = table()
    t.army(1, (1, 0))
    t.fort((0, 1))
    assert not culture.may_hold_token(t.g, 0, t.at((1, 0)))
    assert not culture.may_hold_token(t.g, 0, t.at((0, 1)))
    assert culture.may_hold_token(t.g, 1, t.at((1, 0)))
