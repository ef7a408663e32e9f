"""Breaks of the code for armies that the other tests of T5, T7 and T12 let through."""

import pytest
from battles import ruled
from table import HOME_TILE, PASS, STACK, Table, table_with_the_rival_far_off, three_tiles, ti_rules, ti_rules_with

from newdawn.simulator import limits
from newdawn.simulator.engine import armies, decisions, state
from newdawn.simulator.engine.pieces import settle_loans
from newdawn.simulator.rules.contents import written

WIN, LOSE = (6, 1), (1, 6)

table = table_with_the_rival_far_off


def offered(t, nth=0):
    """Return the spaces that the nth question where to go offers."""
    return {t.coordinates[s] for s in t.options(decisions.ARMY_TO, nth) if s < decisions.EXPLORE}


def explorations(t, nth=0):
    """Return the spaces from which the nth question where to go lets the army explore."""
    return {t.coordinates[s - decisions.EXPLORE] for s in t.options(decisions.ARMY_TO, nth) if s >= decisions.EXPLORE}


# --- T5: how far, and what stops it


@pytest.mark.rule("T5.4")
def test_every_city_state_stops_an_army():
    for name in written(ti_rules(), "city_state"):
        t = Table(rules=ti_rules(), leaders=("Rome", "Egypt"), spaces=[(q, 0) for q in range(5)])
        t.capital(0, (0, 0))
        t.army(0, (0, 0))
        t.city_state(name, (1, 0))
        t.script((decisions.ARMY, 0))
        t.resolve(0, "Masonry", 5)
        assert offered(t) == {(1, 0)}, name


@pytest.mark.rule("T5.2")
def test_a_house_rule_lets_armies_go_farther(tmp_path):
    roads = {"roads": {"effect": "attack_range", "amount": 2}}
    t = table(rules=ti_rules_with(tmp_path, leaders={"rome": {"abilities": roads}}), radius=6, leaders=("Rome", "Egypt"))
    t.army(0, (0, 0))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 5)
    assert {q for q, r in offered(t) if r == 0 and q > 0} == {1, 2, 3, 4, 5}


# --- B9.5: the terrain attacked from, by one reading


def bonus_from(here, beside, rival_beside=False):
    """Return what Scythia's army, at (0, 0), adds by slot 1 to its attack on (1, 0); (0, 1) lies beside both."""
    t = Table(
        rules=ruled("attack_terrain", "attacked_from"), leaders=("Scythia", "Rome"),
        spaces=[(-1, 0), (0, 0), (1, 0), (0, 1)], terrain={(0, 0): here, (0, 1): beside},
    )  # fmt: skip
    t.capital(0, (-1, 0))
    t.token(1, (1, 0), *([(0, 1)] if rival_beside else []))
    t.army(0, (0, 0))
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)))
    t.resolve(0, "Mass Production", 1)
    return t.combats()[0].attack - 6 - 1


@pytest.mark.rule("B9.5")
@pytest.mark.rule("T5.7")
@pytest.mark.effect("Scythia")
def test_an_army_attacks_from_the_hills_it_stands_on_though_it_could_not_enter_them():
    assert bonus_from(here="hills", beside="water") - bonus_from(here="desert", beside="water") == 3


@pytest.mark.rule("B9.5")
@pytest.mark.rule("T5.4")
@pytest.mark.effect("Scythia")
def test_an_army_does_not_attack_from_a_space_beside_that_a_rival_holds():
    alone = bonus_from(here="desert", beside="water")
    assert bonus_from(here="desert", beside="grassland") - alone == 3
    assert bonus_from(here="desert", beside="grassland", rival_beside=True) == alone


# --- T7.1: exploring


@pytest.mark.rule("T7.1")
@pytest.mark.rule("T5.1")
def test_an_army_that_has_explored_and_one_that_has_not_are_both_offered_on_the_card():
    t = three_tiles()
    t.army(0, (-3, 0))
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, decisions.EXPLORE + t.at((-3, 0))))
    t.resolve(0, "Iron Working", 5)
    t.army(0, None)
    assert t.g.army[0, :2].tolist() == [state.ON_CARD, state.ON_CARD]
    t.script((decisions.ARMY, 1))
    t.resolve(0, "Iron Working", 5)
    assert t.options(decisions.ARMY) == {0, 1}


@pytest.mark.rule("T7.1")
@pytest.mark.rule("T5.1")
def test_armies_on_the_card_that_have_both_explored_are_alike():
    t = three_tiles()
    t.army(0, (-3, 0))
    t.army(0, (-3, 1), a=1)
    t.script(
        (decisions.ARMY, 0),
        (decisions.ARMY_TO, decisions.EXPLORE + t.at((-3, 0))),
        (decisions.ARMY_TO, PASS),
        (decisions.ARMY, 1),
        (decisions.ARMY_TO, decisions.EXPLORE + t.at((-3, 1))),
        (decisions.ARMY_TO, PASS),
    )
    t.resolve(0, "Iron Working", 5)
    t.army(0, None)
    t.army(0, None, a=1)
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Iron Working", 5)
    assert t.options(decisions.ARMY) == {0}


def home_tile(spaces, rules):
    """Return a table with these spaces only, all of the tile of seat 0's capital at (0, 0), and tiles to explore."""
    t = Table(rules=rules, leaders=("Rome", "Egypt"), spaces=spaces)
    t.g.tile[: t.g.n_spaces] = HOME_TILE
    t.capital(0, (0, 0))
    t.g.stack[: len(STACK)] = STACK
    t.g.stack_n = len(STACK)
    return t


@pytest.mark.rule("T7.1", "T12.2", "T12.4")
@pytest.mark.effect("Akkad", "Non-Aggression Pact")
@pytest.mark.parametrize(("card", "explores"), [("Iron Working", False), ("Mass Production", True)])
def test_an_army_explores_in_passing_only_if_it_can_then_get_away(tmp_path, card, explores):
    """Two steps to the end of the row, one to explore; two more to get off the tokens that the army may not attack."""
    rulings = {"explore_in_passing": "where_it_passes", "pact_in_passing": "may_pass"}
    t = home_tile([(q, 0) for q in range(-3, 3)], ti_rules_with(tmp_path, rulings=rulings))
    t.token(1, (1, 0), (2, 0))
    t.diplomacy(0, 1, "Non-Aggression Pact")
    t.city_state_card(0, "Akkad")
    t.army(0, (0, 0))
    t.script((decisions.ARMY, 0))
    t.resolve(0, card, 5)
    assert ((2, 0) in explorations(t)) == explores


@pytest.mark.rule("T7.1")
@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_an_army_that_explores_from_a_city_on_loan_has_to_go_on():
    t = home_tile([(q, row) for q in range(4) for row in (0, 1)], ruled("explore_in_passing", "where_it_passes"))
    t.city_state("Antananarivo", (2, 0))
    t.city_state_card(0, "Antananarivo")
    t.g.current, t.g.in_turn = 0, 1
    settle_loans(t.r, t.g, t.w)
    t.army(0, (1, 0))
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, decisions.EXPLORE + t.at((2, 0))), (decisions.ARMY_TO, (3, 0)))
    t.resolve(0, "Masonry", 3)
    second = [options for kind, _, options in t.asked() if kind == decisions.ARMY_TO][1]
    assert t.at((3, 0)) in second
    assert not {PASS, t.at((2, 0))} & set(second), "it may neither stay nor attack there"
    assert t.g.army[0, 0] == t.at((3, 0))


# --- T12.9 Mass Production


@pytest.mark.rule("T12.9")
@pytest.mark.rule("T5.10")
@pytest.mark.effect("Mass Production")
def test_an_army_that_has_set_out_again_moves_when_the_card_is_resolved_once_more():
    t = table()
    t.army(0, (3, 0))
    t.token(1, (4, 0))
    t.dice(*LOSE)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (4, 0)), (decisions.ARMY_AGAIN, 0), (decisions.ARMY_TO, (0, 1)))
    t.resolve(0, "Mass Production", 1)
    assert t.g.army[0, 0] == t.at((0, 1))
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (0, 2)))
    t.resolve(0, "Mass Production", 1)
    assert t.g.army[0, 0] == t.at((0, 2))


# --- T5.12: the way of an army


@pytest.mark.rule("T5.12")
def test_the_way_of_an_army_is_followed_back_from_all_six_sides():
    t = table()
    t.army(0, (1, 1))
    h = t.card(0, "Masonry")
    armies.count_army(t.r, t.g, t.w, 0, 0, t.g.card[0, h], 5, 1)
    for space in ((2, 1), (1, 2), (0, 2), (0, 1), (1, 0), (2, 0)):
        assert armies.step_before(t.g, t.w, t.at(space)) == t.at((1, 1)), space


# --- T12.15 Military Engineering


@pytest.mark.rule("T12.15")
@pytest.mark.effect("Military Engineering")
def test_every_army_on_the_card_may_be_put_into_a_city():
    t = table()
    for a in range(limits.MAX_ARMIES):
        t.army(0, None, a=a)
    t.script(*[(decisions.ARMY_CITY, (0, 0))] * limits.MAX_ARMIES)
    t.call(armies.armies_into_cities, 0)
    t.require_script_done()
    assert t.g.army[0].tolist() == [t.at((0, 0))] * limits.MAX_ARMIES
