"""Lessons: what each option of a turn's choices leads to, for the policy to learn from (`strategies.learned.policy`).

Before some turns of a game every card is tried, all with the same dice, and played on through the rivals' turns and the own
next one; the value network judges where that leads. The best cards are tried more often. With these the steps follow that a
policy decides: the other options at the first, then those at the next on top of the best at the first … Nobody plays on twice
like the same player: each throw gives every seat the planner's weights up to VARIED percent off, so that what is learned is no
answer to one planner's habits. What the network says at the end of the turn counts a little as well: it knows less of what
rivals will do, but is no matter of luck.
"""

import numba
import numpy as np
from numba import types

from ...simulator import limits, names
from ...simulator.engine.core import decisions, state
from ...simulator.engine.core.argument_types import BOTS, declare_parameters
from ...simulator.engine.core.jit import inline, jit
from ...simulator.engine.core.rng import below_bits, mix
from ...simulator.engine.course.play import begin_round, play_step
from ...simulator.engine.course.turn import open_turn
from ...simulator.games.kernel import open_game
from ...simulator.games.rows import SEAT_ROW, SEATING
from ..learned.lookahead import copy_game, imagine, key_of, play_on, play_way
from ..learned.marks import N_MARKS
from ..learned.policies import COMPARED
from ..learned.policy import mark_cards, marks_of, read_turn, see_turn
from ..learned.value import forget_scores, read_chances
from ..learned.ways import MARKED, MARKED_OPTIONS, RANKS, STEPS, WAYS, choose_way
from ..planning import weights
from .study import ROOT, TRIED

FIRST, THROWN = 2, 6  # times that every card is tried, and in all the BEST
BEST = 3  # cards
FOLLOWED = 2  # of these the steps are followed, too
NEAR = 0.25  # what the end of the turn counts, the rest what it leads to
VARIED = 40  # percent
CHOICES = 9  # of a turn at most: the card, and steps
OPINIONS = len(weights.NAMES)
LATE = 12  # from this round on twice as many turns are lessons: there a weak turn costs most

declare_parameters(
    __name__,
    situations=types.float32[:, ::1], marks=types.float32[:, :, :, ::1], worths=types.float32[:, :, ::1],
    numbers=types.int64[:, ::1],
    seated=numba.from_dtype(BOTS)[::1], totals=types.float64[::1], tries=types.int64[::1],
    copies=numba.from_dtype(state.STATE)[::1], states=numba.from_dtype(state.STATE)[::1], library=types.int64[::1],
    opinions=types.int32[:, :, ::1], seating=numba.from_dtype(SEATING), seat_rows=numba.from_dtype(SEAT_ROW)[::1],
    facts=types.float32[:, ::1], hidden=types.float32[:, ::1], chances=types.float64[::1],
)  # fmt: skip


@inline
def is_opinion(k):
    """Is the k-th weight one of the planner's, and no budget or taste of a player that looks ahead?"""
    return k < weights.SIMULATIONS or weights.TI_AGENDA <= k < OPINIONS


@jit
def vary(g, u):
    """Let all seats play on like planners without a policy, whose weights are up to VARIED percent off, by the bits `u`."""
    for p in range(g.players):
        g.weights[p, weights.POLICY] = 0
        for k in range(OPINIONS):
            if is_opinion(k):
                percent = 100 - VARIED + below_bits(mix(u + np.uint64(limits.WEIGHTS * p + k)), 2 * VARIED + 1)
                g.weights[p, k] = int(g.weights[p, k]) * percent // 100


@jit
def keep_marks(w, n, lesson, choice, marks, worths):
    """Keep the marks of `n` options in the memo as those of a choice."""
    for k in range(COMPARED):
        worths[lesson, choice, k] = np.nan
    for k in range(n):
        for i in range(N_MARKS):
            marks[lesson, choice, k, i] = w.memo[marks_of(k) + i]


@jit
def worth_of_throw(r, w, bots, seat, u, candidate, throw, copies, facts, hidden, chances):
    """Return what a way of playing the turn leads to (NEAR) by the dice of one throw; `chances`: of all seats then."""
    key = key_of(u, throw)
    imagine(r, copies[ROOT], seat, key, copies)
    copy_game(copies, TRIED, copies[0])
    game = copies[TRIED]
    play_way(r, game, w, bots, seat, candidate)
    near = read_chances(r, game, w, seat, facts, hidden, chances)
    vary(game, np.uint64(key))
    return NEAR * near + (1.0 - NEAR) * play_on(r, game, w, bots, seat, int(game.players), facts, hidden, chances)


@jit
def worth_of_way(r, w, bots, seat, u, candidate, copies, facts, hidden, chances):
    """Return what a way of playing the turn leads to, as a mean over THROWN throws of all dice."""
    value = 0.0
    for throw in range(THROWN):
        value += worth_of_throw(r, w, bots, seat, u, candidate, throw, copies, facts, hidden, chances)
    return value / THROWN


@jit
def try_card(r, w, bots, seat, u, card, first, last, totals, tries, copies, facts, hidden, chances):
    """Try a card by the throws from `first` to before `last`."""
    for throw in range(first, last):
        totals[card] += worth_of_throw(r, w, bots, seat, u, card * WAYS, throw, copies, facts, hidden, chances)
    tries[card] = last


@jit
def best_left(totals, tries, n):
    """Return which of the first `n` cards, of those tried FIRST times, is best by its mean; -1: none is left."""
    best = -1
    for k in range(n):
        if tries[k] == FIRST and (best < 0 or totals[k] > totals[best]):
            best = k
    return best


@jit
def mark_way(r, w, bots, seat, u, candidate, step, copies):
    """Fill the memo with the marks of the options at a step of the turn played in a way; return how many there are."""
    imagine(r, copies[ROOT], seat, key_of(u, 0), copies)
    copies[0].notes[seat, MARKED] = step + 1
    copies[0].notes[seat, MARKED_OPTIONS] = 0
    play_way(r, copies[0], w, bots, seat, candidate)
    return int(copies[0].notes[seat, MARKED_OPTIONS])


@jit
def follow(r, w, bots, seat, u, card, lesson, choice, copies, facts, hidden, chances, marks, worths):
    """Follow the steps of the turn with a card; `choice`: the first place for what is chosen. Return the next free one."""
    best = card * WAYS
    value = -1.0  # is worked out where there is a choice
    rank = 1
    for step in range(STEPS):
        options = mark_way(r, w, bots, seat, u, best, step, copies)
        if options > 1 and choice < CHOICES:
            if value < 0.0:
                value = worth_of_way(r, w, bots, seat, u, best, copies, facts, hidden, chances)
                options = mark_way(r, w, bots, seat, u, best, step, copies)
            keep_marks(w, options, lesson, choice, marks, worths)
            worths[lesson, choice, 0] = value
            from_here = best
            for other in range(1, options):
                candidate = from_here + other * rank
                found = worth_of_way(r, w, bots, seat, u, candidate, copies, facts, hidden, chances)
                worths[lesson, choice, other] = found
                if found > value:
                    value = found
                    best = candidate
            choice += 1
        rank *= RANKS
    return choice


@jit
def learn_turn(r, w, bots, u, copies, facts, hidden, chances, situations, marks, worths, lesson):
    """Make a lesson of the turn that the game in ``copies[ROOT]``, which is between two turns, comes to.

    Return the number of the next lesson: the same if there is no room or the game ends. Cards are judged with the steps that
    the seat's policy takes, if it has one, and steps against the planner's.
    """
    g = copies[ROOT]
    if lesson == len(situations):
        return lesson
    forget_scores(facts, hidden)
    if g.current == g.first:
        begin_round(r, g, w, bots)
        if g.ending != names.RUNNING:
            return lesson
    seat = open_turn(r, g, w, bots)
    choose_way(r, g, w, seat, decisions.CARD, r.slots, u)  # makes the plan of the turn
    read_turn(r, g, w, seat, facts, situations[lesson])
    for choice in range(CHOICES):
        keep_marks(w, 0, lesson, choice, marks, worths)
    cards = int(r.slots)
    for k in range(cards):
        w.option[k] = k
    mark_cards(r, g, w, seat, cards)
    keep_marks(w, cards, lesson, 0, marks, worths)
    totals = np.zeros(limits.MAX_SLOTS)
    tries = np.zeros(limits.MAX_SLOTS, np.int64)
    w.memo_seat = -1
    if g.weights[seat, weights.POLICY] != 0:
        see_turn(r, g, w, seat)
    for k in range(cards):
        try_card(r, w, bots, seat, u, k, 0, FIRST, totals, tries, copies, facts, hidden, chances)
    followed = np.zeros(limits.MAX_SLOTS, np.int64)
    for _ in range(BEST):
        k = best_left(totals, tries, cards)
        if k >= 0:
            try_card(r, w, bots, seat, u, k, FIRST, THROWN, totals, tries, copies, facts, hidden, chances)
    for k in range(cards):
        worths[lesson, 0, k] = totals[k] / tries[k]
    g.weights[seat, weights.POLICY] = 0
    choice = 1
    for _ in range(FOLLOWED):
        card = -1
        for k in range(cards):
            if followed[k] == 0 and (card < 0 or worths[lesson, 0, k] > worths[lesson, 0, card]):
                card = k
        if card >= 0:
            followed[card] = 1
            choice = follow(r, w, bots, seat, u, card, lesson, choice, copies, facts, hidden, chances, marks, worths)
    w.memo_seat = -1
    return lesson + 1


@jit
def play_lessons(
    r,
    w,
    seated,
    copies,
    states,
    library,
    opinions,
    seating,
    seat_rows,
    facts,
    hidden,
    chances,
    situations,
    marks,
    worths,
    numbers,
    seed,
    first_game,
    n,
    players,
    round_cap,
    one_in,
):
    """Play the games first_game … + n - 1 and make a lesson of every `one_in`-th turn; return how many lessons there are.

    From round LATE on there are twice as many. ``numbers`` gets game, round and seat of each lesson. The other arguments are
    those of `positions.play_recorded`.
    """
    lesson = 0
    for k in range(n):
        game = first_game + k
        open_game(r, w, seated[0], states, library, opinions, seating, seat_rows, 0, game, seed, players, round_cap)
        g = states[0]
        turn = game % one_in
        while True:
            turn += 1
            often = one_in // 2 if g.round_number >= LATE else one_in
            if turn % max(1, often) == 0:
                copy_game(copies, ROOT, g)
                u = mix(g.rng[0] + g.rng[1])
                before = lesson
                lesson = learn_turn(r, w, seated[1], u, copies, facts, hidden, chances, situations, marks, worths, lesson)
                if lesson > before:
                    numbers[before, 0] = game
                    numbers[before, 1] = copies[ROOT].round_number
                    numbers[before, 2] = copies[ROOT].current
            if play_step(r, g, w, seated[0]) == 0:
                break
    return lesson
