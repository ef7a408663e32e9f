"""Random games with every invariant checked before every decision, and proof that the audit sees violations."""

from __future__ import annotations

import numpy as np
import pytest

from newdawn.scripts.checks.soak import soak
from newdawn.simulator import names
from newdawn.simulator.engine import audit, state
from newdawn.simulator.engine.choosing import seed_streams
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import play_step
from newdawn.simulator.rules import load_ruleset
from newdawn.strategies.archetypes import choose_random

GAMES = 300
R = load_ruleset().compile()


def test_random_games_break_no_invariant():
    result = soak(games=GAMES, seed=77)
    assert result.games == GAMES
    assert result.violation == 0, audit.VIOLATIONS[result.violation]
    assert result.decisions > 100 * GAMES


def test_games_of_strategies_break_no_invariant():
    result = soak(games=12, seed=78, round_cap=30, strategies=("planner", "random"))
    assert (result.games, result.violation) == (12, 0)
    assert result.decisions != soak(games=12, seed=78, round_cap=30).decisions


@pytest.fixture(scope="module")
def midgame():
    """A random game after 60 turns."""
    from newdawn.simulator.engine.compile.jit import seat_strategies

    g, w = state.new_state(), state.new_work()
    g.players, g.round_cap = 4, 200
    g.leader[:4] = range(4)
    seed_streams(g, 5, 3)
    bots = seat_strategies(choose_random)
    start_game(R, g, w, bots)
    for _ in range(60):
        play_step(R, g, w, bots)
    return np.asarray(g).tobytes()


def spoiled(midgame, spoil):
    """Return the violation the audit reports after `spoil` has changed the game."""
    g, w = np.frombuffer(midgame, state.STATE).copy().view(np.recarray)[0], state.new_work()
    spoil(g)
    g.dirty = 0
    audit.audit(R, g, w)
    return int(w.violation)


def lose_a_token(g):
    g.tokens_left[0] -= 1


def forget_an_ability(g):
    g.power[2] += 1


def lose_a_city(g):
    g.cities_left[1] += 1


def miscount_spaces(g):
    g.space_count[2] += 1


def miscount_coast(g):
    g.coast_count[2] += 1


def own_nothing(g):
    s = int(np.flatnonzero(g.piece[: g.n_spaces] == 0)[0])
    g.owner[s] = 0


def lose_a_resource(g):
    g.supply[0] -= 1


def misplace_a_barbarian(g):
    g.barbarians[int(np.flatnonzero(g.barbarians[: g.n_spaces] == 0)[0])] += 1


def lose_a_caravan(g):
    g.caravans[0] += 1


def overfill_a_card(g):
    g.trade[0, 0] = R.max_trade + 1


def tear_the_row(g):
    g.row[0, 0] = g.row[0, 1]


def double_a_card(g):
    g.card[0, 0] = g.card[0, 1]


def lose_a_wonder_token(g):
    built = np.flatnonzero(g.wonder_space >= 0)
    g.wonder_space[:] = -1 if len(built) else g.wonder_space
    if not len(built):
        g.wonder_place[0] = 3


def turn_the_dial_too_far(g):
    g.dial[0] = R.dial_last + 1


def give_the_leaders_card_to_oneself(g):
    g.given_card[2] = 2


def be_ones_own_ally(g):
    g.allies[1] = 1 << 1


def hold_an_own_card(g):
    g.diplomacy[1, 0] = 1


def print_a_city_state_card(g):
    cs = int(np.flatnonzero(g.city_state_owner[: len(names.CITY_STATES)] >= -1)[0])
    g.city_state_cards_left[cs] += 1


def steal_a_natural_wonder(g):
    i = int(np.flatnonzero(g.natural_wonder_owner[: len(names.NATURAL_WONDERS)] >= -1)[0])
    g.natural_wonder_owner[i] = 3 if g.natural_wonder_owner[i] != 3 else 2


@pytest.mark.parametrize(
    ("spoil", "violation"),
    [
        (lose_a_token, audit.TOKENS),
        (lose_a_city, audit.CITIES),
        (miscount_spaces, audit.SPACES),
        (miscount_coast, audit.COAST),
        (own_nothing, audit.OWNERS),
        (lose_a_resource, audit.RESOURCES),
        (misplace_a_barbarian, audit.BARBARIAN_SPACE),
        (lose_a_caravan, audit.CARAVAN_SPACE),
        (overfill_a_card, audit.TRADE),
        (tear_the_row, audit.ROW),
        (double_a_card, audit.CARD_TWICE),
        (lose_a_wonder_token, audit.WONDER_TOKEN),
        (turn_the_dial_too_far, audit.DIAL),
        (hold_an_own_card, audit.DIPLOMACY),
        (give_the_leaders_card_to_oneself, audit.LEADER_CARD),
        (be_ones_own_ally, audit.LEADER_CARD),
        (print_a_city_state_card, audit.CITY_STATE_CARDS),
        (steal_a_natural_wonder, audit.NATURAL_WONDER),
        (forget_an_ability, audit.NUMBERS),
    ],
)
def test_the_audit_sees(midgame, spoil, violation):
    assert spoiled(midgame, lambda g: None) == audit.OK
    assert spoiled(midgame, spoil) == violation


def test_the_audit_sees_an_agenda_nobody_claimed(midgame):
    def spoil(g):
        technophile = next(c for c in range(R.n_victory_cards) if R.agenda_metric[c, 0] == names.METRIC_DIAL)
        place = next((i for i in range(g.victory_count) if g.claimed[0, i] == 0), 0)
        g.victory_card[place] = technophile
        g.tokens_left[0] += 1 if g.claimed[0, place] else 0
        g.claimed[0, place] = 0
        g.dial_reached[0] = R.dial_last

    assert spoiled(midgame, spoil) == audit.AGENDA
