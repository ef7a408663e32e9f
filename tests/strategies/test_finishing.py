"""Players that finish: every card is tried where one victory card is lacking."""

import numpy as np
import pytest

from newdawn.analysis.learning.strategy_checks import new_game
from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import open_turn, play_step
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies.learned.lookahead import lacks_one, list_cards, new_search
from newdawn.strategies.planning import weights
from newdawn.strategies.planning.planner import choose_planner
from newdawn.strategies.registry import find

RULES = load_ruleset().compile()
WORK = state.new_work()
KEY = np.uint64(2**40 + 23)


def opened(game: int, turns: int, lacking: int) -> tuple[np.record, int]:
    """A game with the weights of `quick`, at the choice of a card, by a seat that lacks so many victory cards."""
    g = new_game(game, 4, [find("quick").weights(4)] * 4, 100)
    bots = seat_strategies(choose_planner)
    start_game(RULES, g, WORK, bots)
    for _ in range(turns):
        play_step(RULES, g, WORK, bots)
    while g.current == g.first:
        play_step(RULES, g, WORK, bots)
    seat = int(open_turn(RULES, g, WORK, bots))
    g.claimed[seat] = 0
    g.claimed[seat, : g.victory_count - lacking] = 1
    choose_planner(RULES, g, WORK, seat, decisions.CARD, int(RULES.slots), KEY)  # makes the plan of the turn
    return g, seat


@pytest.mark.parametrize(("lacking", "last", "all_cards"), [(1, 1, True), (2, 1, False), (1, 0, False)])
def test_every_card_is_tried_where_one_victory_card_is_lacking(lacking, last, all_cards):
    listed = []
    for game in range(6):
        g, seat = opened(game, 24, lacking)
        assert bool(lacks_one(RULES, g, seat)) == (lacking == 1)
        g.weights[seat, weights.SIMULATED_LAST] = last
        listed.append(int(list_cards(RULES, g, WORK, seat, 5, 2, new_search())))
    assert (min(listed) == 5) == all_cards
    assert max(listed) == 5 if all_cards else max(listed) <= 2
