"""Two players who take the same cities from each other: they come to an end (weights.SIEGES, value.SATED)."""

import numpy as np
import pytest

from newdawn.analysis.learning.strategy_checks import new_game
from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.engine.compile.jit import JIT_OFF, seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import play_step
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import Player
from newdawn.simulator.runs.run_plan import plan_by
from newdawn.strategies.learned.value import SATED, pieces_liked
from newdawn.strategies.planning import weights
from newdawn.strategies.planning.plan import make_plan
from newdawn.strategies.planning.planner import choose_planner
from newdawn.strategies.planning.worth import target_worth
from newdawn.strategies.registry import find

RULES = load_ruleset().compile()
SEED, ENDLESS = 4711, (262, 793, 1021, 1192, 1340)  # games of two planners that went on for 200 rounds


def at_war():
    """A game of two planners, some rounds on, the seat at turn, and the space of a rival's capital."""
    g, w = new_game(1, 2, [find("planner").weights(2)] * 2, 100), state.new_work()
    bots = seat_strategies(choose_planner)
    start_game(RULES, g, w, bots)
    for _ in range(16):
        play_step(RULES, g, w, bots)
    p = int(g.current)
    make_plan(RULES, g, w, p)
    return g, p, int(g.capital[1 - p])


def test_a_city_is_worth_less_to_who_has_won_many_and_nothing_in_the_end():
    g, p, s = at_war()
    g.diplomacy[1 - p] = -1
    limit = int(g.weights[p, weights.SIEGES])
    worths = []
    for won in (0, limit, limit + 10, limit + 20, limit + 99):
        g.stat_attacks_won[p, state.TARGET_CITY], g.stat_attacks_won[p, state.TARGET_CAPITAL] = won - won // 2, won // 2
        worths.append(int(target_worth(RULES, g, p, s)))
    assert worths[0] == worths[1] > 0
    assert worths[2] == worths[0] // 2
    assert worths[3:] == [0, 0]
    token = next(t for t in range(g.n_spaces) if g.owner[t] == 1 - p and g.piece[t] == names.TOKEN)
    assert target_worth(RULES, g, p, token) > 0


def test_a_taste_for_war_is_sated():
    g, p, _ = at_war()
    g.stat_attacks_won[p] = 0
    for won in (3, SATED, SATED + 50):
        g.stat_attacks_won[p, state.TARGET_CITY] = won
        assert pieces_liked(RULES, g, p, weights.WAR) == min(SATED, won)


@pytest.mark.skipif(JIT_OFF, reason="hundreds of rounds")
def test_games_of_two_that_never_ended_end():
    plan = plan_by(RULES, players=2, games=2000, seed=SEED, strategies=["planner"])
    player = Player(plan, RULES)
    rows = player.rows(1)
    rounds = []
    for game in ENDLESS:
        player.play(game, 1, rows, 0, 0)
        rounds.append(int(rows.games["rounds"][0]))
    assert max(rounds) < 200, rounds
    assert np.mean(rounds) < 100
