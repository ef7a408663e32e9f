"""Search: looks at nothing hidden, changes nothing, repeats itself, and wins more than what it is built on."""

from __future__ import annotations

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.engine.choosing import seed_streams
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies.planning import plan, weights
from newdawn.strategies.planning.planner import best_candidate, choose_planner, prospects, shuffle_hidden
from newdawn.strategies.registry import find

RULES = load_ruleset().compile()
WORK = state.new_work()
OPINIONS = find("opportunist").weights(4)[0]
KEY = np.uint64(12345)


@pytest.fixture
def board():
    """A game of four before its first turn, whose first player has planned and has 24 simulations a turn."""
    g = state.new_state()
    seed_streams(g, 5, 0)
    g.players, g.round_cap = 4, 200
    for p in range(4):
        g.leader[p] = p
        g.weights[p] = OPINIONS
        g.weights[p, weights.SIMULATIONS] = 24
        g.weights[p, weights.SIMULATED_ROUNDS] = 1
    start_game(RULES, g, WORK, seat_strategies(choose_planner))
    g.current = g.first
    g.round_number = 1
    plan.make_plan(RULES, g, WORK, int(g.current))
    return g


def search(g):
    return best_candidate(RULES, g, WORK, int(g.current), int(RULES.slots), KEY)


def hidden(g, kind):
    return list(g.deck[kind, g.deck_next[kind] + 1 : g.deck_size[kind]])


def test_the_choice_is_the_same_every_time_and_leaves_the_game_alone(board):
    first = search(board)
    before = board.tobytes()
    assert 0 <= first < RULES.slots * 2
    assert search(board) == first
    assert board.tobytes() == before


def test_hidden_world_wonders_do_not_matter(board):
    choice = search(board)
    swapped = 0
    for kind in range(names.N_TYPES):
        for k in range(board.deck_next[kind] + 1, board.deck_size[kind] - 1):
            one, other = (int(x) for x in board.deck[kind, k : k + 2])
            if RULES.wonder_era[one] == RULES.wonder_era[other]:
                board.deck[kind, k], board.deck[kind, k + 1] = other, one
                swapped += 1
    assert swapped > 3
    assert search(board) == choice


def test_hidden_wonders_are_shuffled_within_their_type_and_era(board):
    eras = [[int(RULES.wonder_era[x]) for x in hidden(board, kind)] for kind in range(names.N_TYPES)]
    places = sorted(board.wonder_place)
    seen = set()
    for key in range(40):
        g = board.copy()
        seed_streams(g, key, 0)
        shuffle_hidden(RULES, g)
        for kind in range(names.N_TYPES):
            cards = hidden(g, kind)
            assert [int(RULES.wonder_era[x]) for x in cards] == eras[kind]
            assert all(RULES.wonder_type[x] == kind and g.wonder_place[x] == state.WONDER_DECK for x in cards)
            assert len(set(cards)) == len(cards)
            assert g.deck[kind, 0] == board.deck[kind, 0]
        assert sorted(g.wonder_place) == places
        seen.add(tuple(int(x) for kind in range(names.N_TYPES) for x in hidden(g, kind)))
    assert len(seen) > 20


def test_prospects_rise_with_a_victory_card_claimed(board):
    p = int(board.current)
    before = prospects(RULES, board, WORK, p)
    assert 0 < before < 1000
    board.claimed[p, 0] = 1
    assert prospects(RULES, board, WORK, p) > before
