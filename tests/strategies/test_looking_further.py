"""Ways of a turn of Terra Incognita, and the leaf that looks one own turn further."""

from collections.abc import Iterator

import numpy as np
import pytest

from newdawn.analysis.learning.strategy_checks import new_game
from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import open_turn, play_step, take_turn
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies.learned import facts as at
from newdawn.strategies.learned.candidate_turns import RANKS, STEPS, WAYS, choose_way, set_way
from newdawn.strategies.learned.lookahead import best_way, imagine, key_of, look_further, play_own_turn, play_way
from newdawn.strategies.learned.policy import N_SITUATION, UNITS, put_next, read_turn, sum_up_turn
from newdawn.strategies.learned.situation import new_facts, read_situation
from newdawn.strategies.learned.value import new_evaluation, read_chances
from newdawn.strategies.planning import weights
from newdawn.strategies.planning.planner import choose_planner
from newdawn.strategies.registry import LEARNER, find
from newdawn.strategies.training_data import POSITION, STUDIED, SURE, mix_further

BOX = names.BOXES[names.TI_BOX]
RULES = {box: load_ruleset(box=box).compile() for box in names.BOXES}
WORK = state.new_work()
KEY = np.uint64(2**40 + 17)


def opened(box: str, game: int, turns: int) -> np.record:
    """A game of four planners, whose network is the package's, at the choice of a card after so many turns."""
    r = RULES[box]
    g = new_game(game, 4, [LEARNER.weights(4, box)] * 4, 100)
    bots = seat_strategies(choose_planner)
    start_game(r, g, WORK, bots)
    for _ in range(turns):
        play_step(r, g, WORK, bots)
    while g.current == g.first:  # a round's beginning is no part of the turn
        play_step(r, g, WORK, bots)
    seat = open_turn(r, g, WORK, bots)
    choose_planner(r, g, WORK, seat, decisions.CARD, int(r.slots), KEY)  # makes the plan of the turn
    return g


def led(g: np.record, box: str, candidate: int) -> np.record:
    """Where a way of the turn leads, with imagined dice."""
    copy = state.new_state()
    imagine(RULES[box], g, int(g.current), key_of(KEY, 0), copy)
    play_way(RULES[box], copy, WORK, seat_strategies(choose_way), int(g.current), candidate)
    return copy


def cards(g: np.record, kind: int) -> Iterator[int]:
    """Places of the seat's cards of a focus type."""
    p = int(g.current)
    return (k for k in range(5) if RULES[BOX].card_type[g.card[p, g.row[p, k]]] == kind)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (names.GROWTH, ("district_space",)),
        (names.MILITARY, ("army",)),
        (names.ECONOMY, ("diplomacy", "city_state_cards")),
    ],
)
def test_where_armies_go_what_is_placed_and_whose_cards_are_taken_can_be_otherwise(kind, fields):
    """Ways of a card differ in what the steps of Terra Incognita decide, not only in what both boxes ask."""
    others = 0
    for game in range(12):
        g = opened(BOX, game, 30)
        for place in cards(g, kind):
            own = led(g, BOX, place * WAYS)
            for step in range(STEPS):
                other = led(g, BOX, place * WAYS + RANKS**step)
                others += any((own[field] != other[field]).any() for field in fields)
    assert others >= 3


def test_the_next_turn_is_the_seats_own_and_nobody_elses():
    g = opened(names.BOXES[0], 3, 24)
    p, r = int(g.current), RULES[names.BOXES[0]]
    after = led(g, names.BOXES[0], 4 * WAYS)
    first = after.copy()
    play_own_turn(r, after, WORK, seat_strategies(choose_way), p, new_facts())
    assert after.turn == first.turn + 1
    assert after.round_number == first.round_number
    assert after.current == first.current == (p + 1) % 4
    assert (after.row[p] != first.row[p]).any()
    for q in range(4):
        assert q == p or (after.row[q] == first.row[q]).all()


@pytest.mark.parametrize("box", names.BOXES)
@pytest.mark.parametrize("ahead", [0, 500, 1000])
def test_a_way_is_worth_what_its_end_and_the_own_next_turn_are(box, ahead):
    """`best_way` takes the card that is best by a twin of the leaf, made of whole turns."""
    r, bots = RULES[box], seat_strategies(choose_way)
    differ = 0
    for game in range(6):
        g = opened(box, game, 24)
        p = int(g.current)
        g.weights[p, weights.SIMULATED_AHEAD] = ahead
        g.weights[p, weights.SIMULATED_CARDS] = r.slots
        for weight in (weights.SIMULATED_TRUST, weights.SIMULATED_STEPS, weights.SIMULATED_WAYS):
            g.weights[p, weight] = 0
        g.weights[p, weights.SIMULATED_THROWS] = 1
        worth, near = [], []
        for place in range(r.slots):
            one = led(g, box, place * WAYS)
            near.append(read_chances(r, one, WORK, p, new_evaluation()))
            leaf = look_further(r, one.copy(), WORK, bots, p, near[-1], new_evaluation())
            set_way(one, p, 0)
            one.current = p
            take_turn(r, one, WORK, bots)
            one.current = (p + 1) % 4
            far = read_chances(r, one, WORK, p, new_evaluation())
            worth.append((1 - ahead / 1000) * near[-1] + ahead / 1000 * far)
            assert leaf == pytest.approx(worth[-1], abs=1e-6)
        way = best_way(r, g, WORK, p, int(r.slots), KEY, np.empty(names.MAX_SLOTS))
        assert worth[way // WAYS] == pytest.approx(max(worth), abs=1e-5)
        differ += int(np.argmax(worth)) != int(np.argmax(near))
    assert (differ > 0) == (ahead > 0)


def test_a_foreseen_turn_is_the_next_but_for_who_moves_before_the_seat():
    """The facts of the end of a turn, told as those before the own next, are nearly the facts that would be read then."""
    r = RULES[names.BOXES[0]]
    nearly = {at.RIVAL_LAST_SOON, at.RIVAL_FINISH_FIRST}
    exact = [k for k in range(at.N_FACTS) if k not in nearly]
    for game in range(4):
        g = led(opened(names.BOXES[0], game, 24), names.BOXES[0], 4 * WAYS)
        g.ground[:] = r.terrain_difficulty  # abilities ease terrains in the own turn only
        p = (int(g.current) - 1) % 4
        facts, told, read = new_facts(), np.zeros(N_SITUATION, np.float32), np.zeros(N_SITUATION, np.float32)
        read_situation(r, g, WORK, facts)
        sum_up_turn(g, p, facts, told)
        put_next(g, p, told)
        g.current = p
        read_turn(r, g, WORK, p, new_facts(), read)
        for first in (0, at.N_FACTS):
            assert told[first:][exact] == pytest.approx(read[first:][exact], abs=1e-6)
        assert (told[2 * at.N_FACTS :] == read[2 * at.N_FACTS :]).all()


def test_the_policy_picks_the_next_card_and_keeps_what_it_thought_of_this_turn():
    r, box, bots = RULES[names.BOXES[0]], names.BOXES[0], seat_strategies(choose_way)
    cards = {False: [], True: []}
    for game in range(10):
        g = opened(box, game, 24)
        p = int(g.current)
        end = led(g, box, 4 * WAYS)
        for policy, found in cards.items():
            one, evaluation = end.copy(), new_evaluation()
            one.weights[p] = (find("quick") if policy else LEARNER).weights(4, box)[g.leader[p]]
            read_situation(r, one, WORK, evaluation.facts)
            WORK.memo[:], WORK.memo_seat, WORK.memo_turn = 7, p, g.turn
            look_further(r, one, WORK, bots, p, 0.5, evaluation)
            assert (WORK.memo[:UNITS] == 7).all()
            assert (WORK.memo_seat, WORK.memo_turn) == (p, g.turn)
            one = end.copy()
            one.weights[p] = (find("quick") if policy else LEARNER).weights(4, box)[g.leader[p]]
            play_own_turn(r, one, WORK, bots, p, evaluation.facts)
            found.append(int(one.row[p, 0]))
    assert cards[False] != cards[True]


def test_labels_of_a_study_take_the_differences_by_the_next_turn_and_stay_chances():
    rng = np.random.default_rng(5)
    studies = np.zeros(STUDIED + 2, POSITION)
    shares = studies["shares"][:, :4]
    shares[:] = rng.dirichlet(np.ones(4), STUDIED + 2)
    before, said = shares.copy(), rng.random(STUDIED) * 0.1
    mix_further(studies, 2, 4, 1, said)
    assert (shares[[0, -1]] == before[[0, -1]]).all()
    assert shares.sum(axis=1) == pytest.approx(np.ones(STUDIED + 2), abs=1e-5)
    assert shares[1:-1, 2].mean() == pytest.approx(before[1:-1, 2].mean(), abs=1e-5)
    more = shares[1:-1, 2] - before[1:-1, 2] / 2
    assert more - more.mean() == pytest.approx((said - said.mean()) / 2, abs=1e-6)
    studies["shares"][:, :4] = 0.2, 0.2, 0.3, 0.3
    mix_further(studies, 0, 4, 0, np.linspace(-9, 9, STUDIED))
    assert (shares[0, 0], shares[STUDIED - 1, 0]) == (pytest.approx(1 - SURE), pytest.approx(SURE))
