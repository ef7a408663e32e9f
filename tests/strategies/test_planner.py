"""The planner, with the opportunist's weights: sensible estimates, every agenda, better than random.

What every strategy must do is asked in test_every_strategy.py.
"""

from __future__ import annotations

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.engine.choosing import seed_streams
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.industry import may_hold_city
from newdawn.simulator.engine.map import hex_distance
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import play_game
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies.archetypes import choose_random
from newdawn.strategies.planning import plan, weights
from newdawn.strategies.planning.plan import missing_tokens, rough_defence, win_chance
from newdawn.strategies.planning.planner import choose_planner
from newdawn.strategies.planning.worth import city_worth, token_worth
from newdawn.strategies.registry import find

RULES = load_ruleset().compile()
WORK = state.new_work()
SEED = 20
OPINIONS = find("opportunist").weights(4)[0]


def new_game(game: int, players: int, round_cap: int = 60) -> np.record:
    g = state.new_state()
    seed_streams(g, SEED, game)
    g.players = players
    g.round_cap = round_cap
    for p in range(players):
        g.leader[p] = (game + p) % len(names.LEADERS)
        g.weights[p] = OPINIONS
    return g


def play(game: int, bots: np.record, players: int = 4, round_cap: int = 60) -> np.record:
    g = new_game(game, players, round_cap)
    start_game(RULES, g, WORK, bots)
    play_game(RULES, g, WORK, bots)
    return g


def fresh_board(game: int = 1, players: int = 4) -> np.record:
    """A game set up, before its first turn."""
    g = new_game(game, players)
    start_game(RULES, g, WORK, seat_strategies(choose_planner))
    return g


# --- features and estimates


def test_win_chance_counts_the_36_throws_of_two_dice():
    for lead in range(-8, 9):
        won = sum(a + lead > d for a in range(1, 7) for d in range(1, 7))
        assert win_chance(RULES, lead) == won * 100 // 36


def test_distance_agrees_with_neighbours():
    g = fresh_board()
    for s in range(g.n_spaces):
        assert hex_distance(g, s, s) == 0
        for t in g.neighbour[s]:
            if t >= 0:
                assert hex_distance(g, s, int(t)) == 1


def test_missing_tokens_fall_as_tokens_are_placed():
    g = fresh_board()
    city = int(g.capital[0])
    land = [int(t) for t in g.neighbour[city] if t >= 0 and g.terrain[t] != names.WATER]
    for t in land:
        g.barbarians[t] = 0
        g.city_state[t] = -1
    assert missing_tokens(RULES, g, 0, city) == len(land)
    for left, t in enumerate(land, start=1):
        g.owner[t] = 0
        g.piece[t] = names.TOKEN
        assert missing_tokens(RULES, g, 0, city) == len(land) - left


def test_a_capital_is_harder_to_take_on_a_mountain():
    g = fresh_board()
    s = int(g.capital[1])
    g.terrain[s] = names.GRASSLAND
    plain = rough_defence(RULES, g, s)
    g.terrain[s] = names.MOUNTAIN
    assert rough_defence(RULES, g, s) - plain == 2 * (5 - 1)


def turns(g: np.record, metric: int, target: int, kind: int = 0) -> int:
    return plan.metric_turns(RULES, g, WORK, 0, metric, kind, target)


def test_estimates_fall_with_progress_and_end_at_zero():
    g = fresh_board()
    before = turns(g, names.METRIC_DIAL, 24)
    g.dial_reached[0] = 12
    assert turns(g, names.METRIC_DIAL, 24) == before // 2
    g.dial_reached[0] = 24
    assert turns(g, names.METRIC_DIAL, 24) == 0
    before = turns(g, names.METRIC_COAST, 15)
    g.coast_count[0] += 5
    assert before - turns(g, names.METRIC_COAST, 15) == 5 * OPINIONS[weights.COAST_TURNS]


def test_an_empty_wonder_deck_is_no_way_to_win():
    g = fresh_board()
    assert turns(g, names.METRIC_WONDERS_OF_TYPE, 2, names.CULTURE) < OPINIONS[weights.WONDERS_SOLD_OUT]
    g.deck_next[names.CULTURE] = g.deck_size[names.CULTURE] - 1
    assert turns(g, names.METRIC_WONDERS_OF_TYPE, 2, names.CULTURE) == OPINIONS[weights.WONDERS_SOLD_OUT]


def test_resources_bring_wonders_nearer():
    g = fresh_board()
    before = turns(g, names.METRIC_WONDERS_OF_TYPE, 1, names.ECONOMY)
    g.resources[0, :] = 3
    assert turns(g, names.METRIC_WONDERS_OF_TYPE, 1, names.ECONOMY) < before


def test_the_plan_takes_the_quicker_agenda_and_drops_a_claimed_card():
    g = fresh_board()
    card = next(k for k in range(RULES.n_victory_cards) if names.METRIC_DIAL in RULES.agenda_metric[k])
    side = list(RULES.agenda_metric[card]).index(names.METRIC_DIAL)
    g.victory_count = 1
    g.victory_card[0] = card
    g.dial_reached[0] = 23
    plan.make_plan(RULES, g, WORK, 0)
    assert g.notes[0, plan.CHOSEN] == side + 1
    assert g.notes[0, plan.NEED_DIAL] >= OPINIONS[weights.DIAL_TURNS]
    g.claimed[0, 0] = side + 1
    plan.make_plan(RULES, g, WORK, 0)
    assert g.notes[0, plan.CHOSEN] == 0
    assert g.notes[0, plan.NEED_DIAL] == 0


def test_worths_follow_the_needs_of_the_plan():
    g = fresh_board()
    plan.make_plan(RULES, g, WORK, 0)
    coast = next(s for s in range(g.n_spaces) if g.coastal[s] and g.terrain[s] != names.WATER and g.owner[s] < 0)
    g.notes[0, plan.NEED_COAST] = 0
    token = token_worth(RULES, g, 0, coast)
    g.notes[0, plan.NEED_COAST] = 100
    assert token_worth(RULES, g, 0, coast) == token + 100
    city = city_worth(RULES, g, 0, coast)
    g.notes[0, plan.NEED_CITY] += 50
    assert city_worth(RULES, g, 0, coast) == city + 50


# --- how well it plays


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_of_four_opportunists_end_by_victory(players):
    bots = seat_strategies(choose_planner)
    ended = [play(game, bots, players).ending for game in range(60)]
    assert ended.count(names.VICTORY) >= 57


def test_spaces_too_difficult_for_every_slot_are_no_way_to_win():
    """A house rule can bar natural wonders: nobody can hold them then, nor have a mature city beside them."""
    barred = RULES.copy()
    barred.terrain_difficulty[names.NATURAL_WONDER] = 6
    g = fresh_board()
    assert plan.natural_wonder_turns(RULES, g, 0, 2) < weights.OUT_OF_THE_QUESTION
    assert plan.natural_wonder_turns(barred, g, 0, 2) >= weights.OUT_OF_THE_QUESTION
    g.notes[0, plan.BASE_PERCENT] = 100
    beside = [s for s in range(g.n_spaces) for t in g.neighbour[s] if t >= 0 and g.terrain[t] == names.NATURAL_WONDER]
    for s in beside:
        assert missing_tokens(barred, g, 0, s) - missing_tokens(RULES, g, 0, s) >= OPINIONS[weights.MATURE_BLOCKED] - 1 > 0
        assert city_worth(barred, g, 0, s) <= city_worth(RULES, g, 0, s)
    assert any(city_worth(barred, g, 0, s) < city_worth(RULES, g, 0, s) for s in beside)
    ended = 0
    for game in range(60):
        g = new_game(game, 4)
        g.weights[:4] = find("planner").weights(4)[0]
        start_game(barred, g, WORK, seat_strategies(choose_planner))
        play_game(barred, g, WORK, seat_strategies(choose_planner))
        ended += g.ending == names.VICTORY
    assert ended >= 54  # 45 if the planner goes for them all the same


def test_it_beats_random_play():
    won = 0.0
    for game in range(60):
        seats = [choose_planner if seat == game % 4 else choose_random for seat in range(names.MAX_PLAYERS)]
        g = play(game, seat_strategies(seats))
        won += g.ending == names.VICTORY and g.winner[game % 4] / sum(g.winner[:4])
    assert won >= 57


def test_winners_use_every_agenda():
    used = set()
    bots = seat_strategies(choose_planner)
    for game in range(600):
        g = play(game, bots)
        for p in range(4):
            for i in range(g.victory_count):
                if g.ending == names.VICTORY and g.winner[p] and g.claimed[p, i]:
                    used.add(names.AGENDAS[RULES.agenda_name[g.victory_card[i], g.claimed[p, i] - 1]])
    assert used == set(names.AGENDAS)


def sites_in_plain_python(g, p):
    """Spaces beside a space beside the land of a seat, in the order in which they are met; one beside a site is none."""
    beside = lambda s: [int(t) for t in g.neighbour[s] if t >= 0]  # noqa: E731
    met, looked_around, n = set(), set(), 0
    for s in np.flatnonzero(g.owner[: g.n_spaces] == p):
        for t in beside(s):
            if t in looked_around:
                continue
            looked_around.add(t)
            for site in beside(t):
                if site not in met:
                    met.add(site)
                    if may_hold_city(RULES, g, p, site, names.N_LEVELS):
                        n += 1
                        met.update(beside(site))
    return n


def test_sites_are_counted_as_in_plain_python():
    counts = set()
    for game in range(40):
        g = play(game, seat_strategies(choose_planner), round_cap=1 + game % 14)
        for p in range(int(g.players)):
            counts.add(found := plan.sites_nearby(RULES, g, WORK, p))
            assert found == sites_in_plain_python(g, p)
    assert len(counts) > 5
