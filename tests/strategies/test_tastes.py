"""Tastes of learned players: what is counted, that it is added to a way of the turn, and that styles play by it."""

import numpy as np
import pytest

from newdawn.analysis.learning.strategy_checks import new_game
from newdawn.analysis.questions.ladder import meet, play, played, table_plan
from newdawn.analysis.tables.strategy_strength import measures
from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import open_turn, play_step
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies.learned.candidate_turns import WAYS
from newdawn.strategies.learned.lookahead import imagine, key_of, new_search, try_way
from newdawn.strategies.learned.value import taste_of
from newdawn.strategies.planning import weights
from newdawn.strategies.planning.planner import choose_planner
from newdawn.strategies.registry import STYLES, find

RULES = load_ruleset().compile()
WORK = state.new_work()
KEY = np.uint64(2**41 + 5)
LIKES = {
    "conqueror": "attacks on players", "architect": "world wonders", "settler": "cities",
    "inventor": "science cards", "trader": "caravans arrived",
}  # fmt: skip


def opened(turns: int = 24) -> tuple[np.record, int]:
    """A game of four planners, of whom all have the package's network, at the choice of a card."""
    g = new_game(3, 4, [find("quick").weights(4)] * 4, 100)
    bots = seat_strategies(choose_planner)
    start_game(RULES, g, WORK, bots)
    for _ in range(turns):
        play_step(RULES, g, WORK, bots)
    while g.current == g.first:
        play_step(RULES, g, WORK, bots)
    seat = int(open_turn(RULES, g, WORK, bots))
    choose_planner(RULES, g, WORK, seat, decisions.CARD, int(RULES.slots), KEY)  # makes the plan of the turn
    return g, seat


def liked(g: np.record, p: int, taste: int) -> float:
    """What seat `p` has of a taste of a tenth of a chance a piece, in pieces."""
    g.weights[p, weights.TASTE : weights.TASTE + weights.N_TASTES] = 0
    g.weights[p, weights.TASTE + taste] = 100
    return round(float(taste_of(RULES, g, p)) * 10, 6)


def test_each_taste_counts_its_own_pieces():
    g, p = opened()
    g.stat_attacks_won[p] = (64, 32, 1, 2, 4, 8, 0, 16)  # barbarians and city-states are no war
    g.wonders_held[p] = 0
    g.wonders_held[p, :5] = (1, 0, 2, 0, 1)
    g.stat_arrivals[p] = (3, 2)
    g.city_state_cards[:, p] = 0
    g.city_state_cards[:2, p] = 1
    g.diplomacy[:] = -1
    other = (p + 1) % 4
    g.diplomacy[other, 0] = p
    g.diplomacy[p, 1] = p  # an own card is no card of others
    g.dial_reached[p] = 7
    levels = sum(int(RULES.card_level[g.card[p, g.row[p, place]]]) for place in range(int(RULES.slots)))
    assert liked(g, p, weights.WAR) == 1 + 2 + 4 + 8 + 16
    assert liked(g, p, weights.WONDERS) == 4
    assert liked(g, p, weights.CITIES) == g.city_count[p] >= 1
    assert liked(g, p, weights.TECHNOLOGY) == 7 + levels > 11
    assert liked(g, p, weights.TRADE) == 3 + 2 + 2 + 1
    g.weights[p, weights.TASTE + weights.WONDERS] = -50
    assert taste_of(RULES, g, p) == pytest.approx(0.1 * 8 - 0.05 * 4)


def test_a_way_of_the_turn_is_worth_what_it_adds_by_the_tastes():
    g, p = opened()
    added = []
    for place in range(int(RULES.slots)):
        found = []
        for taste in (0, 500):
            g.weights[p, weights.TASTE + weights.TECHNOLOGY] = taste
            search = new_search()
            imagine(RULES, g, p, key_of(KEY, 0), search.imagined)
            found.append(try_way(RULES, WORK, p, place * WAYS, 0, search))
        after = search.tried.dial_reached[p] - search.imagined.dial_reached[p]
        science = RULES.card_type[g.card[p, g.row[p, place]]] == names.SCIENCE
        added.append(found[1] - found[0])
        assert added[-1] >= 0.5 * after - 1e-9
        assert after > 0 if science else after >= 0
    assert max(added) >= 0.5
    assert min(added) == pytest.approx(0.0)


@pytest.mark.soak
@pytest.mark.parametrize("style", sorted(LIKES))
def test_a_style_does_more_of_what_it_likes_than_quick_at_the_same_table(style):
    plan = table_plan(RULES, [find(style), find("quick")] * 2, 500, 4712)
    found = measures(played(plan, RULES, play(plan, RULES, 1)).frames).groupby("strategy")[LIKES[style]].mean()
    assert found[style] > 1.1 * found["quick"]


@pytest.mark.soak
@pytest.mark.parametrize("style", sorted(LIKES))
def test_a_style_wins_more_than_45_of_100_games_against_three_planners(style):
    won = meet(RULES, find(style), find("planner"), players=4, games=1_200, seed=932_099)
    assert won.mean() > 0.45


def test_the_styles_are_these_five():
    assert set(STYLES) == set(LIKES)
    for name in STYLES:
        given = find(name).weights(4)[0, weights.TASTE : weights.TASTE + weights.N_TASTES]
        assert (given > 0).sum() == 1
    assert not find("quick").weights(4)[:, weights.TASTE : weights.TASTE + weights.N_TASTES].any()
