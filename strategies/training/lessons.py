"""Lessons: what each option of a turn's choices leads to, for the policy to learn from (`strategies.learned.policy`).

Before some turns of a game every card is tried, all with the same dice, several times, and played on for two rounds by
planners; the value network judges where that leads. With every card the steps follow that a policy decides: the other options
at the first, then those at the next on top of the best at the first … What the network says at the end of the turn counts
as well: it knows less of what rivals will do, but is less a matter of luck.
"""

import numba
import numpy as np
from numba import types

from ...simulator import names
from ...simulator.engine.core import decisions, state
from ...simulator.engine.core.argument_types import BOTS, declare_parameters
from ...simulator.engine.core.jit import jit
from ...simulator.engine.core.rng import mix
from ...simulator.engine.course.play import begin_round, play_step
from ...simulator.engine.course.turn import open_turn
from ...simulator.games.kernel import open_game
from ...simulator.games.rows import SEAT_ROW, SEATING
from ..learned.lookahead import copy_game, imagine, key_of, play_on, play_way
from ..learned.marks import N_MARKS
from ..learned.policies import COMPARED
from ..learned.policy import mark_cards, marks_of, read_turn
from ..learned.value import forget_scores
from ..learned.ways import MARKED, MARKED_OPTIONS, RANKS, STEPS, WAYS, choose_way
from ..planning import weights
from .study import ROOT, ROUNDS, TRIED, further

THROWN = 4  # times that a way is played
NEAR = 0.4  # what the end of the turn counts, the rest what it leads to
CHOICES = 9  # of a turn at most: the card, and steps

declare_parameters(
    __name__,
    situations=types.float32[:, ::1], marks=types.float32[:, :, :, ::1], worths=types.float32[:, :, ::1],
    numbers=types.int64[::1], seated=numba.from_dtype(BOTS)[::1],
    copies=numba.from_dtype(state.STATE)[::1], states=numba.from_dtype(state.STATE)[::1], library=types.int64[::1],
    opinions=types.int32[:, :, ::1], seating=numba.from_dtype(SEATING), seat_rows=numba.from_dtype(SEAT_ROW)[::1],
    facts=types.float32[:, ::1], hidden=types.float32[:, ::1], chances=types.float64[::1],
)  # fmt: skip


@jit
def keep_marks(w, n, lesson, choice, marks, worths):
    """Keep the marks of `n` options in the memo as those of a choice."""
    for k in range(COMPARED):
        worths[lesson, choice, k] = np.nan
    for k in range(n):
        for i in range(N_MARKS):
            marks[lesson, choice, k, i] = w.memo[marks_of(k) + i]


@jit
def worth_of_way(r, w, bots, seat, u, candidate, copies, facts, hidden, chances):
    """Return what a way of playing the turn leads to (NEAR), as a mean over THROWN throws of all dice."""
    value = 0.0
    g = copies[ROOT]
    for throw in range(THROWN):
        imagine(r, g, seat, key_of(u, throw), copies)
        copy_game(copies, TRIED, copies[0])
        game = copies[TRIED]
        play_way(r, game, w, bots, seat, candidate)
        value += NEAR * further(r, w, bots, seat, copies, facts, hidden, chances)
        value += (1.0 - NEAR) * play_on(r, game, w, bots, seat, ROUNDS * int(game.players) - 1, facts, hidden, chances)
    return value / THROWN


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
    value = float(worths[lesson, 0, card])
    rank = 1
    for step in range(STEPS):
        options = mark_way(r, w, bots, seat, u, best, step, copies)
        if options > 1 and choice < CHOICES:
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

    Return the number of the next lesson: the same if there is no room or the game ends.
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
    g.weights[seat, weights.POLICY] = 0
    choose_way(r, g, w, seat, decisions.CARD, r.slots, u)  # makes the plan of the turn
    read_turn(r, g, w, seat, facts, situations[lesson])
    for choice in range(CHOICES):
        keep_marks(w, 0, lesson, choice, marks, worths)
    cards = int(r.slots)
    for k in range(cards):
        w.option[k] = k
    mark_cards(r, g, w, seat, cards)
    keep_marks(w, cards, lesson, 0, marks, worths)
    for k in range(cards):
        worths[lesson, 0, k] = worth_of_way(r, w, bots, seat, u, k * WAYS, copies, facts, hidden, chances)
    choice = 1
    for card in range(cards):
        choice = follow(r, w, bots, seat, u, card, lesson, choice, copies, facts, hidden, chances, marks, worths)
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

    ``numbers`` gets the number of each lesson's game. The other arguments are those of `positions.play_recorded`.
    """
    lesson = 0
    for k in range(n):
        game = first_game + k
        open_game(r, w, seated[0], states, library, opinions, seating, seat_rows, 0, game, seed, players, round_cap)
        g = states[0]
        turn = game % one_in
        while True:
            turn += 1
            if turn % one_in == 0:
                copy_game(copies, ROOT, g)
                u = mix(g.rng[0] + g.rng[1])
                before = lesson
                lesson = learn_turn(r, w, seated[1], u, copies, facts, hidden, chances, situations, marks, worths, lesson)
                if lesson > before:
                    numbers[before] = game
            if play_step(r, g, w, seated[0]) == 0:
                break
    return lesson
