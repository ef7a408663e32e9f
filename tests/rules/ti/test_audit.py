"""The audit sees what goes wrong with districts, governments, tokens on wonders and fort cards."""

import pytest
from table import BOTS, Table, ti_rules, ti_rules_with

from newdawn.simulator import names
from newdawn.simulator.engine.board.agendas import settle
from newdawn.simulator.engine.core.decisions import CARD, PLACE_TOKEN
from newdawn.simulator.engine.core.state import WONDER_DECK
from newdawn.simulator.engine.course import invariants

FORTIFIED = next(c for c in range(ti_rules().n_victory_cards) if ti_rules().victory_must_stay[c])


def table(rules=None):
    """Return a table with one of everything the audit looks at."""
    t = Table(rules=ti_rules() if rules is None else rules, victory=(FORTIFIED,))
    t.capital(0, (0, 0))
    t.capital(1, (3, 0))
    t.district(0, "Campus", (1, 0), reinforced=True)
    t.token(0, (0, 1))
    t.fort((-2, 0))
    t.city(0, (-2, 0))
    t.deck("Stonehenge", "Hanging Gardens")
    t.g.wonder_trade[t.g.deck[names.CULTURE, 0]] = 1
    t.g.government[0], t.g.government_type[0] = t.holder(0, "growth"), names.GROWTH
    settle(t.r, t.g, t.w, BOTS)
    return t


def violation(t, kind=CARD):
    t.w.violation = 0
    invariants.observe_audit(t.r, t.g, t.w, 0, kind, 2, 0)
    return int(t.w.violation)


def move_district(t):
    t.g.district_space[0, names.CAMPUS] = t.at((0, 1))


def double_district(t):
    t.g.district[t.at((0, 1))] = 1 + names.CAMPUS
    t.g.tokens_left[0] += 1


def district_of_nobody(t):
    t.g.district[t.at((-1, 0))] = 1 + names.ENCAMPMENT


def district_under_a_city(t):
    t.g.district[t.at((-2, 0))], t.g.district_space[0, names.ENCAMPMENT] = 1 + names.ENCAMPMENT, t.at((-2, 0))


def wrong_government(t):
    t.g.government_type[0] = names.SCIENCE


def two_tokens_on_a_wonder(t):
    t.g.wonder_trade[t.g.deck[names.CULTURE, 0]] = 2


def token_on_a_hidden_wonder(t):
    assert t.g.wonder_place[t.g.deck[names.CULTURE, 1]] == WONDER_DECK
    t.g.wonder_trade[t.g.deck[names.CULTURE, 1]] = 1


def lose_the_fort(t):
    t.g.tile[t.at((-2, 0))] = 1
    t.g.terrain[t.at((-2, 0))] = names.FOREST


def rival_army_on_a_token(t):
    t.army(1, (1, 0))


def token_on_a_fort(t):
    t.fort((0, 1))


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (move_district, invariants.DISTRICT),
        (double_district, invariants.DISTRICT),
        (district_of_nobody, invariants.DISTRICT),
        (district_under_a_city, invariants.DISTRICT),
        (wrong_government, invariants.GOVERNMENT),
        (two_tokens_on_a_wonder, invariants.WONDER_TRADE),
        (token_on_a_hidden_wonder, invariants.WONDER_TRADE),
        (lose_the_fort, invariants.FORT_CLAIM),
        (rival_army_on_a_token, invariants.FORT_TOKEN),
        (token_on_a_fort, invariants.FORT_TOKEN),
    ],
)
def test_the_audit_sees(spoil, found):
    t = table()
    assert violation(t) == invariants.OK
    spoil(t)
    assert invariants.VIOLATIONS[violation(t)] == invariants.VIOLATIONS[found]


def test_an_army_that_fights_stands_on_its_target():
    t = table()
    rival_army_on_a_token(t)
    assert violation(t, PLACE_TOKEN) == invariants.OK


def test_a_token_on_a_fort_is_lawful_by_a_ruling(tmp_path):
    t = table(ti_rules_with(tmp_path, rulings={"fort_no_city_left": "control_token"}))
    token_on_a_fort(t)
    assert violation(t) == invariants.OK


def test_a_district_is_not_counted_among_the_control_tokens():
    t = table()
    t.g.district[t.at((1, 0))], t.g.district_space[0, names.CAMPUS] = 0, -1
    assert violation(t) == invariants.TOKENS
