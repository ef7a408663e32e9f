"""What learned players are trained on: positions, studies of turns, lessons."""

from __future__ import annotations

import numba
import numpy as np
from numba import types

from ..simulator import names
from ..simulator.engine import decisions, state
from ..simulator.engine.choosing import below_bits, mix, seed_streams
from ..simulator.engine.compile.argument_types import BOTS, declare_parameters, record_type
from ..simulator.engine.compile.jit import inline, jit
from ..simulator.engine.turn import begin_round, open_turn, play_step
from ..simulator.runs.columns import LIBRARY_SIZE, SEAT_ROW, SEATING
from ..simulator.runs.kernel import open_game
from .learned import lookahead
from .learned.candidate_turns import MARKED, MARKED_OPTIONS, RANKS, STEPS, WAYS, allowed_way, choose_way, random_way
from .learned.facts import N_FACTS
from .learned.lookahead import SEARCH, SEARCH_TYPE, copy_game, imagine, key_of, look_further, play_on, play_way
from .learned.policy import COMPARED, N_MARKS, N_SITUATION, mark_cards, marks_of, read_turn, see_turn
from .learned.situation import read_situation
from .learned.value import forget_scores, read_chances
from .planning import weights

# --- What games of a training are played with, and what is recorded of them

CHOICES = 9  # of a turn at most: the card, and steps

TRAINING = np.dtype(
    [
        # games (`runs.kernel.play_batch`)
        ("states", state.STATE, (2,)),
        ("bots", BOTS),
        ("library", "i8", (LIBRARY_SIZE,)),
        ("opinions", "i4", (LIBRARY_SIZE, names.MAX_LEADERS, names.WEIGHTS)),
        ("seating", SEATING),
        ("seat_rows", SEAT_ROW, (names.MAX_PLAYERS,)),
        ("seed", "i8"),
        ("players", "i8"),
        ("round_cap", "i8"),
        ("game", "i8"),  # number of the game that is played
        # turns that are studied, or lessons
        ("begun", state.STATE),  # the game before the turn
        ("played_on", state.STATE),  # and behind the end of the turn
        ("search", SEARCH),
        ("studied", "i8"),  # places of studies that are filled
    ],
    align=True,
)
POSITION = np.dtype(
    [
        ("facts", "f4", (names.MAX_PLAYERS, N_FACTS)),  # by seat
        ("shares", "f4", (names.MAX_PLAYERS,)),  # of the win, by seat
        ("moment", "i4", (3,)),  # game, round, and the seat that moved last
    ],
    align=True,
)
LESSON = np.dtype(
    [
        ("situation", "f4", (N_SITUATION,)),  # before the turn
        ("marks", "f4", (CHOICES, COMPARED, N_MARKS)),  # by choice and option
        ("worths", "f4", (CHOICES, COMPARED)),  # the chance to win that each option led to, NaN where there is none
        ("moment", "i8", (3,)),  # game, round and seat
    ],
    align=True,
)

declare_parameters(
    __name__, training=record_type(TRAINING), search=SEARCH_TYPE, lesson=record_type(LESSON),
    positions=numba.from_dtype(POSITION)[::1], studies=numba.from_dtype(POSITION)[::1], lessons=numba.from_dtype(LESSON)[::1],
    further_values=types.float64[::1], totals=types.float64[::1], tries=types.int64[::1],
)  # fmt: skip


def new_training() -> np.record:
    """Return room for the games of a training."""
    training = np.zeros(1, TRAINING).view(np.recarray)[0]
    training["search"] = lookahead.new_search()
    return training


@jit
def open_training(r, w, training, game):
    """Set a game of the training up in its first state."""
    open_game(
        r, w, training.bots, training.states[:], training.library[:], training.opinions[:], training.seating,
        training.seat_rows[:], 0, game, training.seed, training.players, training.round_cap,
    )  # fmt: skip
    training.game = game


@jit
def record(r, g, w, training, positions, k):
    """Record a position, without shares of the win, in the `k`-th place."""
    position = positions[k]
    read_situation(r, g, w, position.facts[:])
    position.shares[:] = 0.0
    position.moment[0] = training.game
    position.moment[1] = g.round_number
    position.moment[2] = (g.current + g.players - 1) % int(g.players)


# --- Studies: several ways of playing a turn, for the value network to learn from beside who won
#
# Games show only the ways that were played. A study tries several ways of a turn, the best by the network and some at random,
# plays each on for two rounds with the same dice for all, and records the facts at the end of the turn with the mean chances.

STUDIED = 8  # ways of a turn
BEST = 6  # of these the best by the network at most; the others are random
THROWN = 4  # times each is played on
ROUNDS = 2  # of play each time
CARDS, OPTIONS = 2, 2  # cards, and other options at a step, that are tried
TRUST = 20  # weights.SIMULATED_TRUST
FURTHER = 0.5  # weight of the differences by `lookahead.look_further`, with weights.SIMULATED_AHEAD
SURE = 0.999  # highest chance of a label; the lowest is 1 - SURE


@jit
def list_ways(r, g, w, u, seat, search):
    """List STUDIED ways of the turn as the candidates, the best first."""
    g.weights[seat, weights.SIMULATED_CARDS] = r.slots
    g.weights[seat, weights.SIMULATED_STEPS] = CARDS
    g.weights[seat, weights.SIMULATED_OPTIONS] = OPTIONS
    g.weights[seat, weights.SIMULATED_THROWS] = 1
    g.weights[seat, weights.SIMULATED_TRUST] = TRUST
    g.weights[seat, weights.SIMULATED_MARGIN] = 0
    cards = lookahead.list_cards(r, g, w, seat, int(r.slots), int(r.slots), search)
    n = lookahead.scan(r, g, w, seat, cards, u, search)
    for k in range(lookahead.keep_best(search, n, BEST), STUDIED):
        way = random_way(int(r.slots), mix(u + np.uint64(k)))
        search.candidates[k] = allowed_way(r, g, w, seat, int(r.slots), way)


@jit
def further(r, w, seat, training):
    """Return `lookahead.look_further` of the game that was tried, at the end of the seat's turn."""
    search, g = training.search, training.played_on
    value = read_chances(r, search.tried, w, seat, search.evaluation)
    copy_game(g, search.tried)
    return look_further(r, g, w, search.bots, seat, value, search.evaluation)


@jit
def mix_further(studies, seat, players, first, further_values):
    """Mix the differences between the ways' `further_values` into the mover's labels; the other seats share the rest."""
    shift = 0.0
    for k in range(STUDIED):
        shift += (studies[first + k].shares[seat] - further_values[k]) / STUDIED
    for k in range(STUDIED):
        shares = studies[first + k].shares
        own = float(shares[seat])
        mixed = min(SURE, max(1.0 - SURE, own + FURTHER * (further_values[k] + shift - own)))
        for p in range(players):
            if p != seat and own < 1.0:
                shares[p] *= (1.0 - mixed) / (1.0 - own)
        shares[seat] = mixed if own < 1.0 else own


@jit
def study(r, w, training, u, studies):
    """Study the next turn of the game that is `begun`, which is between two turns.

    Fills the next STUDIED places of `studies`; none without room or if the game ends.
    """
    g, search, n = training.begun, training.search, training.studied
    if len(studies) - n < STUDIED:
        return
    forget_scores(search.evaluation)
    if g.current == g.first:
        begin_round(r, g, w, search.bots)
        if g.ending != names.RUNNING:
            return
    seat = open_turn(r, g, w, search.bots)
    choose_way(r, g, w, seat, decisions.CARD, r.slots, u)  # makes the plan of the turn
    further_values = np.empty(STUDIED)
    list_ways(r, g, w, u, seat, search)
    key = key_of(u, 0)
    for k in range(STUDIED):
        imagine(r, g, seat, key, search.tried)
        play_way(r, search.tried, w, search.bots, seat, search.candidates[k])
        record(r, search.tried, w, training, studies, n + k)
        for throw in range(THROWN):
            copy_game(training.played_on, search.tried)
            seed_streams(training.played_on, key, throw + 1)
            turns = ROUNDS * int(g.players) - 1
            play_on(r, training.played_on, w, search.bots, seat, turns, search.evaluation)
            for p in range(g.players):
                studies[n + k].shares[p] += search.evaluation.chances[p] / THROWN
        further_values[k] = further(r, w, seat, training)
    if g.weights[seat, weights.SIMULATED_AHEAD] != 0:
        mix_further(studies, seat, int(g.players), n, further_values)
    training.studied = n + STUDIED


# --- Games that leave positions to learn from: the facts of every seat after some of the turns, and who won


@jit
def play_recorded(r, w, training, positions, studies, first_game, n, one_in, study_one_in):
    """Play the games first_game … + n - 1 and record every `one_in`-th position; return how many are recorded.

    Every `study_one_in`-th turn (0: none) is studied first (`study`), by planners that judge by the seat's network.
    """
    recorded = 0
    training.studied = 0
    for k in range(n):
        open_training(r, w, training, first_game + k)
        g = training.states[0]
        first_recorded = recorded
        turn = training.game % one_in
        while True:
            turn += 1
            if study_one_in > 0 and turn % study_one_in == 0:
                copy_game(training.begun, g)
                study(r, w, training, mix(g.rng[0] + g.rng[1]), studies)
            if play_step(r, g, w, training.bots) == 0:
                break
            if turn % one_in == 0 and recorded < len(positions):
                record(r, g, w, training, positions, recorded)
                recorded += 1
        winners = 0
        for p in range(g.players):
            winners += g.winner[p] if g.ending == names.VICTORY else 0
        if winners == 0:
            recorded = first_recorded
        for i in range(first_recorded, recorded):
            for p in range(g.players):
                positions[i].shares[p] = g.winner[p] / winners
    return recorded


# --- Lessons: what each option of a turn's choices leads to, for the policy to learn from (`strategies.learned.policy`)
#
# Before some turns every card is tried, all with the same dice, and played on through the rivals' turns and the own next one;
# the value network judges the position there. The best cards are tried more often, and with these the steps that a policy
# decides: the other options at the first step, then those at the next with the best at the first, and so on. Each throw gives
# every seat the planner's weights up to VARIED percent off, so that the policy does not learn an answer to one planner's
# habits. The value at the end of the turn counts a little (NEAR): it is less informed, but has no noise.

FIRST, LESSONS_THROWN = 2, 6  # times that every card is tried, and the best in all
LESSONS_BEST = 3  # cards
FOLLOWED = 2  # of these also with their steps
NEAR = 0.25  # weight of the value at the end of the turn; the rest is that after playing on
VARIED = 40  # percent
OPINIONS = len(weights.NAMES)
LATE = 12  # from this round on twice as many turns are lessons: a weak turn costs most there


@inline
def is_opinion(k):
    """Is the k-th weight one of the planner's, not a budget or taste of a player that looks ahead?"""
    return k < weights.SIMULATIONS or weights.TI_AGENDA <= k < OPINIONS


@jit
def vary(g, u):
    """Make all seats planners without a policy, with weights up to VARIED percent off by the bits `u`."""
    for p in range(g.players):
        g.weights[p, weights.POLICY] = 0
        for k in range(OPINIONS):
            if is_opinion(k):
                percent = 100 - VARIED + below_bits(mix(u + np.uint64(names.WEIGHTS * p + k)), 2 * VARIED + 1)
                g.weights[p, k] = int(g.weights[p, k]) * percent // 100


@jit
def keep_marks(w, n, choice, lesson):
    """Record the marks of `n` options in the memo as those of a choice."""
    for k in range(COMPARED):
        lesson.worths[choice, k] = np.nan
    for k in range(n):
        for i in range(N_MARKS):
            lesson.marks[choice, k, i] = w.memo[marks_of(k) + i]


@jit
def add_throws(r, w, training, seat, u, candidate, first, last, value):
    """Return `value` plus the values that a way of the turn leads to by the dice of the throws `first` … `last` - 1."""
    search = training.search
    g = search.tried
    for throw in range(first, last):
        key = key_of(u, throw)
        imagine(r, training.begun, seat, key, g)
        play_way(r, g, w, search.bots, seat, candidate)
        near = read_chances(r, g, w, seat, search.evaluation)
        vary(g, np.uint64(key))
        far = play_on(r, g, w, search.bots, seat, int(g.players), search.evaluation)
        value += NEAR * near + (1.0 - NEAR) * far
    return value


@jit
def worth_of_way(r, w, training, seat, u, candidate):
    """Return the mean value that a way of the turn leads to."""
    return add_throws(r, w, training, seat, u, candidate, 0, LESSONS_THROWN, 0.0) / LESSONS_THROWN


@jit
def best_left(totals, tries, n):
    """Return the best of the first `n` cards among those tried FIRST times only; -1: none is left."""
    best = -1
    for k in range(n):
        if tries[k] == FIRST and (best < 0 or totals[k] > totals[best]):
            best = k
    return best


@jit
def mark_way(r, w, training, seat, u, candidate, step):
    """Fill the memo with the marks of the options at a step of the turn played in a way; return how many there are."""
    g = training.search.tried
    imagine(r, training.begun, seat, key_of(u, 0), g)
    g.notes[seat, MARKED] = step + 1
    g.notes[seat, MARKED_OPTIONS] = 0
    play_way(r, g, w, training.search.bots, seat, candidate)
    return int(g.notes[seat, MARKED_OPTIONS])


@jit
def follow(r, w, training, seat, u, card, choice, lesson):
    """Record the choices at the steps of the turn with a card from place `choice` on; return the next free place."""
    best = card * WAYS
    value = -1.0  # computed where there is a choice
    rank = 1
    for step in range(STEPS):
        options = mark_way(r, w, training, seat, u, best, step)
        if options > 1 and choice < CHOICES:
            if value < 0.0:
                value = worth_of_way(r, w, training, seat, u, best)
                options = mark_way(r, w, training, seat, u, best, step)
            keep_marks(w, options, choice, lesson)
            lesson.worths[choice, 0] = value
            start = best
            for other in range(1, options):
                candidate = start + other * rank
                other_value = worth_of_way(r, w, training, seat, u, candidate)
                lesson.worths[choice, other] = other_value
                if other_value > value:
                    value = other_value
                    best = candidate
            choice += 1
        rank *= RANKS
    return choice


@jit
def learn_turn(r, w, training, u, lesson):
    """Make a lesson of the next turn of the game that is `begun`, which is between two turns; return whether the game went on.

    Cards are judged with the steps of the seat's policy, if any, and steps against the planner's.
    """
    g, search = training.begun, training.search
    forget_scores(search.evaluation)
    if g.current == g.first:
        begin_round(r, g, w, search.bots)
        if g.ending != names.RUNNING:
            return False
    seat = open_turn(r, g, w, search.bots)
    choose_way(r, g, w, seat, decisions.CARD, r.slots, u)  # makes the plan of the turn
    lesson.moment[0] = training.game
    lesson.moment[1] = g.round_number
    lesson.moment[2] = seat
    read_turn(r, g, w, seat, search.evaluation.facts[:], lesson.situation[:])
    for choice in range(CHOICES):
        keep_marks(w, 0, choice, lesson)
    cards = int(r.slots)
    for k in range(cards):
        w.option[k] = k
    mark_cards(r, g, w, seat, cards)
    keep_marks(w, cards, 0, lesson)
    totals = np.zeros(names.MAX_SLOTS)
    tries = np.full(names.MAX_SLOTS, FIRST)
    w.memo_seat = -1
    if g.weights[seat, weights.POLICY] != 0:
        see_turn(r, g, w, seat)
    for k in range(cards):
        totals[k] = add_throws(r, w, training, seat, u, k * WAYS, 0, FIRST, 0.0)
    followed = np.zeros(names.MAX_SLOTS, np.int64)
    for _ in range(LESSONS_BEST):
        k = best_left(totals, tries, cards)
        if k >= 0:
            totals[k] = add_throws(r, w, training, seat, u, k * WAYS, FIRST, LESSONS_THROWN, totals[k])
            tries[k] = LESSONS_THROWN
    for k in range(cards):
        lesson.worths[0, k] = totals[k] / tries[k]
    g.weights[seat, weights.POLICY] = 0
    choice = 1
    for _ in range(FOLLOWED):
        card = -1
        for k in range(cards):
            if followed[k] == 0 and (card < 0 or lesson.worths[0, k] > lesson.worths[0, card]):
                card = k
        if card >= 0:
            followed[card] = 1
            choice = follow(r, w, training, seat, u, card, choice, lesson)
    w.memo_seat = -1
    return True


@jit
def play_lessons(r, w, training, lessons, first_game, n, one_in):
    """Play the games first_game … + n - 1 and make a lesson of every `one_in`-th turn; return how many lessons there are.

    From round LATE on there are twice as many.
    """
    taught = 0
    for k in range(n):
        open_training(r, w, training, first_game + k)
        g = training.states[0]
        turn = training.game % one_in
        while True:
            turn += 1
            often = one_in // 2 if g.round_number >= LATE else one_in
            if turn % max(1, often) == 0 and taught < len(lessons):
                copy_game(training.begun, g)
                if learn_turn(r, w, training, mix(g.rng[0] + g.rng[1]), lessons[taught]):
                    taught += 1
            if play_step(r, g, w, training.bots) == 0:
                break
    return taught
