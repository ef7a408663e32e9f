"""Facts that go on from the last reading: the same to the bit as facts read anew, whatever happened in between."""

import numpy as np
import pytest

from newdawn.analysis.learning.strategy_checks import new_game
from newdawn.scripts.checks.cached_facts import Readings, differences
from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.engine.compile.jit import JIT_OFF, seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import play_step
from newdawn.simulator.rules import load_ruleset
from newdawn.strategies.learned import board_changes
from newdawn.strategies.learned.situation import new_facts, read_situation
from newdawn.strategies.planning.planner import choose_planner
from newdawn.strategies.registry import find

RULES = load_ruleset().compile()
BOTS = seat_strategies(choose_planner)
GAMES = 1 if JIT_OFF else 12


def between_turns(game, turns):
    """A game of planners, so many turns on."""
    g, w = new_game(game, 4, [find("quick").weights(4)] * 4, 100), state.new_work()
    start_game(RULES, g, w, BOTS)
    for _ in range(turns):
        play_step(RULES, g, w, BOTS)
    return g


@pytest.mark.soak
@pytest.mark.parametrize(("box", "players"), [("base", 4), ("base", 2), ("terra-incognita", 4)])
def test_no_reading_of_many_games_differs(box, players):
    readings = Readings()
    assert list(differences(readings, box, "planner", players, GAMES, 7040 + players)) == []
    assert readings.made > 100 * GAMES


def test_another_game_in_between_is_seen():
    readings = Readings()
    games = [between_turns(game, turns) for game, turns in ((1, 20), (2, 31), (1, 33))]
    for k in (0, 1, 0, 2, 1, 2, 0):
        assert readings.differing(RULES, games[k]) == []


def test_what_is_far_from_every_change_is_kept_and_what_is_near_is_not():
    g = between_turns(3, 24)
    w, facts = state.new_work(), new_facts()
    read_situation(RULES, g, w, facts)
    assert w.kept_land_there[: g.players].all()
    own = [s for s in range(g.n_spaces) if g.owner[s] == 0]
    beside = {int(t) for s in own for t in g.neighbour[s] if t >= 0}
    free = sorted(t for t in beside if g.owner[t] < 0 and g.terrain[t] != names.WATER)
    g.barbarians[free[0]] += 1
    board_changes.note_changes(RULES, g, w)
    distant = [
        p for p in range(g.players)
        if min(distance(g, free[0], s) for s in range(g.n_spaces) if g.owner[s] == p) > board_changes.NEAR
    ]  # fmt: skip
    assert [p for p in range(g.players) if w.kept_land_there[p]] == distant
    assert 0 not in distant
    assert w.kept_distances_there[: g.players].all()  # nobody's land is another
    g.owner[free[0]] = 0
    board_changes.note_changes(RULES, g, w)
    assert not w.kept_distances_there[0]


def distance(g, a, b):
    q, r = int(g.axial_q[a]) - int(g.axial_q[b]), int(g.axial_r[a]) - int(g.axial_r[b])
    return max(abs(q), abs(r), abs(q + r))


def test_the_spaces_around_fit_their_list():
    assert state.WORK["around"].shape[1] == board_changes.AROUND
    assert state.WORK["kept_distance"].shape == (names.MAX_PLAYERS, names.MAX_PLAYERS + names.MAX_CITY_STATES)
    assert np.dtype(state.WORK["around"].base) == np.int16
