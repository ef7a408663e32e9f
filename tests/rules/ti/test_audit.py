"""The audit sees what goes wrong with districts, governments, tokens on wonders and fort cards."""

import numpy as np
import pytest
from frontier_games import started
from table import BOTS, ti_rules, ti_rules_with

from newdawn.simulator import names
from newdawn.simulator.engine import audit, decisions, pieces, state
from newdawn.simulator.engine.map import is_fort
from newdawn.simulator.engine.winning import settle

R = ti_rules()


def beside_capital(g, nth=0):
    """Return a land space beside the capital of seat 0."""
    around = [int(s) for s in g.neighbour[g.capital[0]] if s >= 0 and g.terrain[s] != names.WATER and g.city_state[s] < 0]
    return around[nth]


def fort(g):
    return next(s for s in range(g.n_spaces) if is_fort(g, s))


@pytest.fixture
def game():
    """A game just begun, with one of everything that is looked at."""
    g, w = np.frombuffer(np.asarray(started(3, 0).g).tobytes(), state.STATE).copy().view(np.recarray)[0], state.new_work()
    g.round_number = 1
    pieces.put_district(g, w, 0, beside_capital(g), names.CAMPUS)
    pieces.put_token(g, w, 0, beside_capital(g, 1), names.TOKEN)
    pieces.put_city(R, g, w, 0, fort(g))
    g.wonder_trade[face_up(g)] = 1
    g.government[0], g.government_type[0] = pieces.holder_of(R, g, 0, names.GROWTH), names.GROWTH
    settle(R, g, w, BOTS)
    return g


def face_up(g):
    return g.deck[names.CULTURE, 0]


def violation(g, r=R):
    w = state.new_work()
    audit.observe_audit(r, g, w, 0, decisions.CARD, 2, 0)
    return audit.VIOLATIONS[w.violation]


def move_district(g):
    g.district_space[0, names.CAMPUS] = beside_capital(g, 1)


def double_district(g):
    g.district[beside_capital(g, 1)] = 1 + names.CAMPUS
    g.tokens_left[0] += 1


def district_of_nobody(g):
    empty = int(np.flatnonzero(g.piece[: g.n_spaces] == 0)[0])
    g.district[empty] = 1 + names.ENCAMPMENT


def district_under_a_city(g):
    g.district[fort(g)], g.district_space[0, names.ENCAMPMENT] = 1 + names.ENCAMPMENT, fort(g)


def wrong_government(g):
    g.government_type[0] = names.SCIENCE


def two_tokens_on_a_wonder(g):
    g.wonder_trade[face_up(g)] = 2


def token_on_a_hidden_wonder(g):
    hidden = g.deck[names.CULTURE, 1]
    assert g.wonder_place[hidden] == state.WONDER_DECK
    g.wonder_trade[hidden] = 1


def claim_what_is_not_held(g):
    assert R.victory_must_stay[g.victory_card[1]]
    g.claimed[1, 1] = 1
    g.tokens_left[1] -= 1


def token_on_a_fort(g):
    pieces.take_city_off(g, state.new_work(), fort(g), -1)
    g.claimed[0, 0] = 0
    g.tokens_left[0] += 1
    pieces.put_token(g, state.new_work(), 0, fort(g), names.TOKEN)
    g.dirty = 0


def count_a_district_as_token(g):
    g.tokens_left[0] -= 1


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (move_district, audit.DISTRICT),
        (double_district, audit.DISTRICT),
        (district_of_nobody, audit.DISTRICT),
        (district_under_a_city, audit.DISTRICT),
        (wrong_government, audit.GOVERNMENT),
        (two_tokens_on_a_wonder, audit.WONDER_TRADE),
        (token_on_a_hidden_wonder, audit.WONDER_TRADE),
        (claim_what_is_not_held, audit.FORT_CLAIM),
        (token_on_a_fort, audit.FORT_TOKEN),
        (count_a_district_as_token, audit.TOKENS),
    ],
)
def test_the_audit_sees(game, spoil, found):
    assert violation(game) == audit.VIOLATIONS[audit.OK]
    spoil(game)
    assert violation(game) == audit.VIOLATIONS[found]


def test_a_token_on_a_fort_is_lawful_by_a_ruling(game, tmp_path):
    token_on_a_fort(game)
    rules = ti_rules_with(tmp_path, rulings={"fort_no_city_left": "control_token"})
    assert violation(game, rules) == audit.VIOLATIONS[audit.OK]
