"""The policy: what it sees, its twin in NumPy, which option it takes, and the lessons it learns from."""

from __future__ import annotations

import numpy as np
import pytest

from newdawn.analysis.learning.strategy_checks import new_game
from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.compile import jit
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import begin_round, open_turn, play_step
from newdawn.simulator.rules.load import load_ruleset
from newdawn.simulator.runs.kernel import forget
from newdawn.strategies import network_files, training_data
from newdawn.strategies.learned import policy as policies
from newdawn.strategies.learned.candidate_turns import WAYS, choose_way
from newdawn.strategies.learned.facts import N_FACTS
from newdawn.strategies.learned.lookahead import best_way
from newdawn.strategies.learned.policy import mark_cards, marks_of, rate_cards, read_turn, see_turn
from newdawn.strategies.learned.situation import new_facts, read_situation
from newdawn.strategies.planning import plan, weights
from newdawn.strategies.planning.cards import choose_card
from newdawn.strategies.planning.plan import make_plan
from newdawn.strategies.planning.planner import choose_planner
from newdawn.strategies.registry import find

RULES = load_ruleset().compile()
SLOTS = int(RULES.slots)
KEY = np.uint64(2**41 + 5)
SEEN = np.empty(names.MAX_SLOTS)


def between_turns(game: int = 3, players: int = 4, turns: int = 30, name: str = "quick") -> tuple[np.record, np.record]:
    """A game between two turns, after so many of planners, and its workspace; all seats have the weights of a strategy."""
    g, w = new_game(game, players, [find(name).weights(players)] * players, 100), state.new_work()
    bots = seat_strategies(choose_planner)
    start_game(RULES, g, w, bots)
    for _ in range(turns):
        play_step(RULES, g, w, bots)
    return g, w


def at_the_card(game: int = 3, players: int = 4, turns: int = 30) -> tuple[np.record, np.record, int]:
    """The same where a seat chooses its card, its plan made."""
    g, w = between_turns(game, players, turns)
    bots = seat_strategies(choose_planner)
    if g.current == g.first:
        begin_round(RULES, g, w, bots)
    seat = open_turn(RULES, g, w, bots)
    make_plan(RULES, g, w, seat)
    for k in range(SLOTS):
        w.option[k] = k
    return g, w, seat


def read(g: np.record, w: np.record, seat: int) -> np.ndarray:
    found = np.zeros(policies.N_SITUATION, np.float32)
    read_turn(RULES, g, w, seat, new_facts(), found)
    return found


def marks_in(w: np.record, n: int) -> np.ndarray:
    return np.stack([w.memo[marks_of(k) : marks_of(k) + policies.N_MARKS] for k in range(n)])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_situation_is_the_own_facts_the_mean_of_the_rivals_and_what_the_plan_needs(players):
    g, w, seat = at_the_card(players=players)
    found = read(g, w, seat)
    facts = new_facts()
    read_situation(RULES, g, w, facts)
    rivals = [p for p in range(players) if p != seat]
    assert (found[:N_FACTS] == facts[seat]).all()
    assert found[N_FACTS : 2 * N_FACTS] == pytest.approx(facts[rivals].mean(axis=0), abs=1e-5)
    needs = [*range(plan.NEED_CITY, plan.NEED_WONDER + 6), *range(plan.TYPE_WORTH, plan.TYPE_WORTH + 6)]
    assert found[2 * N_FACTS :] == pytest.approx(g.notes[seat, needs] / 100)


def test_cards_are_marked_with_what_they_are_and_what_the_planner_thinks_of_them():
    g, w, seat = at_the_card()
    mark_cards(RULES, g, w, seat, SLOTS)
    found = marks_in(w, SLOTS)
    own = choose_card(RULES, g, w, seat, SLOTS)
    assert len(set(policies.NAMES)) == len(policies.NAMES) == len(policies.MEANINGS) == policies.N_MARKS
    assert found[:, policies.OWN].tolist() == [float(k == own) for k in range(SLOTS)]
    assert (found[:, policies.KIND] == 1).all()
    assert found[own, policies.GAP] == 0
    assert (found[:, policies.GAP] >= 0).all()
    for k in range(SLOTS):
        h = g.row[seat, k]
        card = g.card[seat, h]
        assert found[k, policies.TYPE + RULES.card_type[card]] == 1
        assert found[k, policies.TYPE : policies.TYPE + 6].sum() == 1
        assert found[k, policies.PLACE] == pytest.approx(RULES.slot_number[k] / 5)
        assert found[k, policies.SUPPLY] == pytest.approx(g.trade[seat, h] / 3)
        assert found[k, policies.LEVEL] == pytest.approx(RULES.card_level[card] / 3)


def test_steps_are_marked_as_city_world_wonder_upgrade_or_nothing():
    g, w, seat = at_the_card()
    m = marks_of(2)

    def marked(kind: int, v: int) -> dict[str, float]:
        policies.mark_option(RULES, g, w, seat, kind, v, m)
        return {
            name: float(value) for name, value in zip(policies.NAMES, w.memo[m : m + policies.N_MARKS], strict=True) if value
        }

    assert marked(decisions.INDUSTRY, decisions.PASS) == {"asked_industry": 1, "pass": 1}
    wonder = marked(decisions.INDUSTRY, decisions.WONDER_OPTION + 3)
    assert wonder.pop("level", 0) == pytest.approx(RULES.wonder_era[3] / 3)
    assert wonder == {"asked_industry": 1, "wonder": 1, policies.NAMES[policies.TYPE + RULES.wonder_type[3]]: 1}
    upgrade = marked(decisions.UPGRADE, 5 * 8 + names.SCIENCE)
    assert upgrade.pop("level") == pytest.approx(RULES.card_level[5] / 3)
    assert upgrade == {"asked_upgrade": 1, policies.NAMES[policies.TYPE + RULES.card_type[5]]: 1}
    home = int(g.capital[seat])
    space = next(int(s) for s in g.neighbour[home] if s >= 0)
    city = marked(decisions.INDUSTRY, space)
    assert city["city"] == 1
    assert city["home"] == pytest.approx(1 / 8)
    assert city["cities_beside"] >= 0.5
    assert ("coastal" in city) == bool(g.coastal[space])


def test_compiled_scores_are_those_of_the_twin_in_numpy():
    for game in range(4):
        g, w, seat = at_the_card(game, turns=10 + 12 * game)
        rated = np.zeros(SLOTS)
        see_turn(RULES, g, w, seat)
        rate_cards(RULES, g, w, seat, SLOTS, rated)
        net = policies.STORE[int(g.weights[seat, weights.POLICY]), 4]
        assert rated == pytest.approx(policies.scores(net, read(g, w, seat), marks_in(w, SLOTS)), abs=2e-4)
        assert rated.std() > 0


def test_the_quick_player_takes_the_card_that_its_policy_prefers_where_it_tries_only_one():
    g, w, seat = at_the_card()
    rated = np.zeros(SLOTS)
    see_turn(RULES, g, w, seat)
    rate_cards(RULES, g, w, seat, SLOTS, rated)
    g.weights[seat, weights.SIMULATED_CARDS] = 1
    assert best_way(RULES, g, w, seat, SLOTS, KEY, SEEN) == int(rated.argmax()) * WAYS


def tried(g: np.record, w: np.record, seat: int) -> tuple[int, int]:
    """Which way is best, and how many cards were tried in a copy for it."""
    best = int(best_way(RULES, g, w, seat, SLOTS, KEY, SEEN))
    return best, int((SEEN[:SLOTS] > 0).sum())


def test_cards_are_tried_only_where_the_policy_is_not_sure_and_not_before_a_round():
    counts = set()
    for game in range(8):
        g, w, seat = at_the_card(game)
        rated = np.zeros(names.MAX_SLOTS)
        see_turn(RULES, g, w, seat)
        rate_cards(RULES, g, w, seat, SLOTS, rated)
        first = int(rated.argmax()) * WAYS
        g.weights[seat, [weights.SIMULATED_CARDS, weights.SIMULATED_STEPS]] = 3, 0
        assert tried(g, w, seat)[1] == 3
        gaps = np.sort(rated[:SLOTS].max() - rated[:SLOTS]) / policies.SCALE
        g.weights[seat, weights.SIMULATED_SURE] = 20
        wanted = min(3, int((gaps <= 0.02).sum()))
        assert tried(g, w, seat)[1] == (wanted if wanted > 1 else 0)
        counts.add(wanted)
        if wanted == 1:
            assert tried(g, w, seat)[0] == first
        g.weights[seat, weights.SIMULATED_SURE] = 0
        g.weights[seat, weights.SIMULATED_FROM] = g.round_number + 1
        assert tried(g, w, seat) == (first, 0)
        g.weights[seat, weights.SIMULATED_FROM] = g.round_number
        assert tried(g, w, seat)[1] == 3
    assert len(counts) > 1


def wishing(part: str, mark: int) -> np.record:
    """A policy that wants nothing but one mark."""
    net = policies.new_policy()
    net[part][mark] = 1.0
    return net


def building(mark: int) -> tuple[int, int]:
    """How many world wonders and cities are built in some rounds of seats whose policy wants nothing but that mark."""
    network_files.put("wishing", 4, wishing("direct", mark), network_files.POLICY)
    wonders = cities = 0
    for game in range(8):
        g, w = between_turns(game, turns=32)
        before = int((g.wonder_token >= 0).sum()), int(g.city_count.sum())
        g.weights[:, weights.POLICY] = network_files.place("wishing")
        for _ in range(12):
            play_step(RULES, g, w, seat_strategies(choose_way))
        wonders += int((g.wonder_token >= 0).sum()) - before[0]
        cities += int(g.city_count.sum()) - before[1]
    return wonders, cities


def test_steps_follow_the_policy():
    for_wonders, for_cities = building(policies.WONDER), building(policies.FOUNDED)
    assert for_wonders[0] > for_cities[0]
    assert for_wonders[1] < for_cities[1]


def test_the_memo_of_a_turn_is_nobodys_in_the_next_game():
    g, w, seat = at_the_card()
    see_turn(RULES, g, w, seat)
    assert (w.memo_seat, w.memo_turn) == (seat, g.turn)
    forget(w)
    assert w.memo_seat == -1


# --- lessons


def learned(game: int, turns: int, policy: bool = True) -> tuple[bool, np.ndarray, np.ndarray, np.ndarray]:
    """The lesson of the turn a game has come to: whether there is one, its situation, marks and worths."""
    g, w = between_turns(game, turns=turns)
    g.weights[:, weights.POLICY] *= policy
    room, lesson = training_data.new_training(), np.zeros(1, training_data.LESSON)[0]
    room["begun"] = g
    found = training_data.learn_turn(RULES, w, room, KEY, lesson)
    return found, lesson["situation"], lesson["marks"], lesson["worths"]


def test_a_lesson_says_what_every_card_and_every_step_leads_to():
    kinds = set()
    for game in range(6):
        found, situation, marks, worths = learned(game, 20 + 7 * game)
        assert found == 1
        assert situation.any()
        there = ~np.isnan(worths)
        assert there[0].tolist() == [k < SLOTS for k in range(policies.COMPARED)]
        assert (worths[there] > 0).all()
        assert (worths[there] < 1).all()
        for choice in range(training_data.CHOICES):
            n = int(there[choice].sum())
            if n == 0:
                continue
            assert n > 1
            asked = marks[choice, :n, policies.KIND : policies.KIND + len(policies.ASKED)]
            assert (asked == asked[0]).all()
            assert asked[0].sum() == 1
            kinds.add(policies.ASKED[int(asked[0].argmax())])
            assert (
                marks[choice, :n, policies.OWN : policies.OWN + len(policies.ASKED)].sum() == 1
            )  # one of them is the planner's own
            assert (marks[choice, n:] == 0).all()
    assert kinds == set(policies.ASKED)


def test_a_lesson_is_a_function_of_the_game():
    one, other = learned(2, 33), learned(2, 33)
    for a, b in zip(one[1:], other[1:], strict=True):
        assert a.tobytes() == b.tobytes()


def test_no_seat_plays_on_like_the_same_planner():
    g, _ = between_turns(2, turns=20)
    before = g.weights.copy()
    training_data.vary(g, np.uint64(5))
    opinions = np.array(
        [training_data.is_opinion(k) if jit.JIT_OFF else training_data.is_opinion.py_func(k) for k in range(names.WEIGHTS)]
    )
    assert (g.weights[:, weights.POLICY] == 0).all()
    others = np.flatnonzero(~opinions)
    others = others[others != weights.POLICY]
    assert (g.weights[:, others] == before[:, others]).all()
    large = opinions & (np.abs(before[0]) >= 100)
    ratio = g.weights[: g.players, large] / before[: g.players, large]
    assert 0.58 <= ratio.min() < 0.7
    assert 1.3 < ratio.max() <= 1.41
    assert (ratio[0] != ratio[1]).mean() > 0.9
    again = before.copy()
    g.weights[:] = again
    training_data.vary(g, np.uint64(6))
    assert (g.weights[0, large] != again[0, large] * ratio[0]).mean() > 0.9


def test_steps_of_a_card_begin_with_what_the_card_was_worth():
    _, _, marks, worths = learned(1, 27, policy=False)  # with a policy cards are judged with its steps
    steps = [k for k in range(1, training_data.CHOICES) if not np.isnan(worths[k, 0])]
    assert steps
    cards = [float(v) for v in worths[0] if not np.isnan(v)]
    best = [float(np.nanmax(worths[k])) for k in steps]
    assert float(worths[steps[0], 0]) == pytest.approx(min(cards, key=lambda v: abs(v - worths[steps[0], 0])), abs=1e-5)
    for k in steps:
        assert min(abs(float(worths[k, 0]) - v) for v in [*cards, *best]) < 1e-5
    assert marks[steps[0]].any()
