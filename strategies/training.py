"""What learned players are trained on: positions, studies of turns, lessons."""

from __future__ import annotations

import numba
import numpy as np
from numba import types

from ..simulator import names
from ..simulator.engine import decisions, state
from ..simulator.engine.choosing import below_bits, mix, seed_streams
from ..simulator.engine.compile.argument_types import BOTS, declare_parameters
from ..simulator.engine.compile.jit import inline, jit
from ..simulator.engine.turn import begin_round, open_turn, play_step
from ..simulator.runs.columns import SEAT_ROW, SEATING
from ..simulator.runs.kernel import open_game
from .learned import lookahead
from .learned.lookahead import CANDIDATES, copy_game, imagine, key_of, look_further, play_on, play_way
from .learned.policy import COMPARED, N_MARKS, mark_cards, marks_of, read_turn, see_turn
from .learned.situation import read_situation
from .learned.value import forget_scores, read_chances
from .learned.ways import MARKED, MARKED_OPTIONS, RANKS, STEPS, WAYS, allowed_way, choose_way, random_way
from .planning import weights

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
ROOT, TRIED, PLAYED_ON = 3, 1, 2  # places of the games among the copies

declare_parameters(
    __name__,
    positions=types.float32[:, :, ::1], shares=types.float32[:, ::1], moments=types.int32[:, ::1],
    copies=numba.from_dtype(state.STATE)[::1], candidates=types.int64[::1], further_values=types.float64[::1],
    facts=types.float32[:, ::1], hidden=types.float32[:, ::1], chances=types.float64[::1],
)  # fmt: skip


@jit
def list_ways(r, w, bots, u, seat, copies, facts, hidden, chances, candidates):
    """List the STUDIED ways of the turn in ``copies[ROOT]``, the best first."""
    g = copies[ROOT]
    g.weights[seat, weights.SIMULATED_CARDS] = r.slots
    g.weights[seat, weights.SIMULATED_STEPS] = CARDS
    g.weights[seat, weights.SIMULATED_OPTIONS] = OPTIONS
    g.weights[seat, weights.SIMULATED_THROWS] = 1
    g.weights[seat, weights.SIMULATED_TRUST] = TRUST
    g.weights[seat, weights.SIMULATED_MARGIN] = 0
    value_of = np.empty(CANDIDATES)
    against = np.empty(CANDIDATES)
    cards = lookahead.list_cards(r, g, w, seat, int(r.slots), int(r.slots), candidates, against)
    n = lookahead.scan(r, g, w, bots, seat, cards, u, candidates, value_of, against, copies, facts, hidden, chances)
    for k in range(lookahead.keep_best(candidates, value_of, against, n, BEST), STUDIED):
        candidates[k] = allowed_way(r, g, w, seat, int(r.slots), random_way(int(r.slots), mix(u + np.uint64(k))))


@jit
def further(r, w, bots, seat, copies, facts, hidden, chances):
    """Return `lookahead.look_further` of the game in ``copies[TRIED]``, at the end of the seat's turn."""
    value = read_chances(r, copies[TRIED], w, seat, facts, hidden, chances)
    copy_game(copies, PLAYED_ON, copies[TRIED])
    return look_further(r, copies[PLAYED_ON], w, bots, seat, value, facts, hidden, chances)


@jit
def mix_further(shares, seat, players, first, further_values):
    """Mix the differences between the ways' `further_values` into the mover's labels; the other seats share the rest."""
    shift = 0.0
    for k in range(STUDIED):
        shift += (shares[first + k, seat] - further_values[k]) / STUDIED
    for k in range(STUDIED):
        own = float(shares[first + k, seat])
        mixed = min(SURE, max(1.0 - SURE, own + FURTHER * (further_values[k] + shift - own)))
        for p in range(players):
            if p != seat and own < 1.0:
                shares[first + k, p] *= (1.0 - mixed) / (1.0 - own)
        shares[first + k, seat] = mixed if own < 1.0 else own


@jit
def study(r, w, bots, u, copies, facts, hidden, chances, positions, shares, moments, n):
    """Study the next turn of the game in ``copies[ROOT]``, which is between two turns; return the new number of rows.

    `positions`, `shares` and `moments` (without the number of the game) are filled from row `n` on as in `play_recorded`:
    STUDIED rows for a turn, none without room or if the game ends.
    """
    g = copies[ROOT]
    if len(positions) - n < STUDIED:
        return n
    forget_scores(facts, hidden)
    if g.current == g.first:
        begin_round(r, g, w, bots)
        if g.ending != names.RUNNING:
            return n
    seat = open_turn(r, g, w, bots)
    choose_way(r, g, w, seat, decisions.CARD, r.slots, u)  # makes the plan of the turn
    candidates = np.empty(CANDIDATES, np.int64)
    further_values = np.empty(STUDIED)
    list_ways(r, w, bots, u, seat, copies, facts, hidden, chances, candidates)
    key = key_of(u, 0)
    for k in range(STUDIED):
        imagine(r, g, seat, key, copies)
        copy_game(copies, TRIED, copies[0])
        game = copies[TRIED]
        play_way(r, game, w, bots, seat, candidates[k])
        read_situation(r, game, w, facts)
        for p in range(game.players):
            shares[n, p] = 0.0
            for i in range(facts.shape[1]):
                positions[n, p, i] = facts[p, i]
        moments[n, 1] = game.round_number
        moments[n, 2] = seat
        for throw in range(THROWN):
            copy_game(copies, PLAYED_ON, game)
            seed_streams(copies[PLAYED_ON], key, throw + 1)
            turns = ROUNDS * int(game.players) - 1
            play_on(r, copies[PLAYED_ON], w, bots, seat, turns, facts, hidden, chances)
            for p in range(game.players):
                shares[n, p] += chances[p] / THROWN
        further_values[k] = further(r, w, bots, seat, copies, facts, hidden, chances)
        n += 1
    if g.weights[seat, weights.SIMULATED_AHEAD] != 0:
        mix_further(shares, seat, int(g.players), n - STUDIED, further_values)
    return n


# --- Games that leave positions to learn from: the facts of every seat after some of the turns, and who won

declare_parameters(
    __name__,
    studies=types.float32[:, :, ::1], study_shares=types.float32[:, ::1], study_moments=types.int32[:, ::1],
    n_studies=types.int64[::1], seated=numba.from_dtype(BOTS)[::1],
    positions=types.float32[:, :, ::1], shares=types.float32[:, ::1], moments=types.int32[:, ::1],
    copies=numba.from_dtype(state.STATE)[::1], states=numba.from_dtype(state.STATE)[::1], library=types.int64[::1],
    opinions=types.int32[:, :, ::1], seating=numba.from_dtype(SEATING), seat_rows=numba.from_dtype(SEAT_ROW)[::1],
    facts=types.float32[:, ::1], hidden=types.float32[:, ::1], chances=types.float64[::1],
)  # fmt: skip


@jit
def play_recorded(
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
    positions,
    shares,
    moments,
    studies,
    study_shares,
    study_moments,
    n_studies,
    seed,
    first_game,
    n,
    players,
    round_cap,
    one_in,
    study_one_in,
):
    """Play the games first_game … + n - 1 and record every `one_in`-th position; return how many are recorded.

    `positions` gets the facts by seat, `shares` the share of the win of each seat, `moments` game, round and the seat that
    moved last. Every `study_one_in`-th turn (0: none) is studied first (`study`) by planners that judge by the seat's network;
    `studies`, `study_shares` and `study_moments` get the results, and ``n_studies[0]`` their number. `seated` is an array
    of two: who sits where, and the planners of studies. `states` is one of two games, as for
    `simulator.runs.kernel.play_batch`, and `copies` one of four.
    """
    recorded = 0
    studied = 0
    for k in range(n):
        game = first_game + k
        open_game(r, w, seated[0], states, library, opinions, seating, seat_rows, 0, game, seed, players, round_cap)
        g = states[0]
        first_recorded = recorded
        turn = game % one_in
        while True:
            turn += 1
            if study_one_in > 0 and turn % study_one_in == 0:
                copy_game(copies, ROOT, g)
                u = mix(g.rng[0] + g.rng[1])
                first_studied = studied
                studied = study(
                    r, w, seated[1], u, copies, facts, hidden, chances, studies, study_shares, study_moments, studied
                )
                for i in range(first_studied, studied):
                    study_moments[i, 0] = game
            if play_step(r, g, w, seated[0]) == 0:
                break
            if turn % one_in == 0 and recorded < len(positions):
                read_situation(r, g, w, facts)
                for p in range(players):
                    for i in range(facts.shape[1]):
                        positions[recorded, p, i] = facts[p, i]
                moments[recorded, 0] = game
                moments[recorded, 1] = g.round_number
                moments[recorded, 2] = (g.current + players - 1) % players
                recorded += 1
        winners = 0
        for p in range(players):
            winners += g.winner[p] if g.ending == names.VICTORY else 0
        if winners == 0:
            recorded = first_recorded
        for i in range(first_recorded, recorded):
            for p in range(players):
                shares[i, p] = g.winner[p] / winners
    n_studies[0] = studied
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
CHOICES = 9  # of a turn at most: the card, and steps
OPINIONS = len(weights.NAMES)
LATE = 12  # from this round on twice as many turns are lessons: a weak turn costs most there

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
def keep_marks(w, n, lesson, choice, marks, worths):
    """Record the marks of `n` options in the memo as those of a choice."""
    for k in range(COMPARED):
        worths[lesson, choice, k] = np.nan
    for k in range(n):
        for i in range(N_MARKS):
            marks[lesson, choice, k, i] = w.memo[marks_of(k) + i]


@jit
def worth_of_throw(r, w, bots, seat, u, candidate, throw, copies, facts, hidden, chances):
    """Return the value that a way of the turn leads to (NEAR) by the dice of one throw; `chances` gets those of all seats."""
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
    """Return the mean value that a way of the turn leads to over LESSONS_THROWN throws."""
    value = 0.0
    for throw in range(LESSONS_THROWN):
        value += worth_of_throw(r, w, bots, seat, u, candidate, throw, copies, facts, hidden, chances)
    return value / LESSONS_THROWN


@jit
def try_card(r, w, bots, seat, u, card, first, last, totals, tries, copies, facts, hidden, chances):
    """Try a card with the throws `first` … `last` - 1."""
    for throw in range(first, last):
        totals[card] += worth_of_throw(r, w, bots, seat, u, card * WAYS, throw, copies, facts, hidden, chances)
    tries[card] = last


@jit
def best_left(totals, tries, n):
    """Return the best of the first `n` cards among those tried FIRST times only; -1: none is left."""
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
    """Record the choices at the steps of the turn with a card from place `choice` on; return the next free place."""
    best = card * WAYS
    value = -1.0  # computed where there is a choice
    rank = 1
    for step in range(STEPS):
        options = mark_way(r, w, bots, seat, u, best, step, copies)
        if options > 1 and choice < CHOICES:
            if value < 0.0:
                value = worth_of_way(r, w, bots, seat, u, best, copies, facts, hidden, chances)
                options = mark_way(r, w, bots, seat, u, best, step, copies)
            keep_marks(w, options, lesson, choice, marks, worths)
            worths[lesson, choice, 0] = value
            start = best
            for other in range(1, options):
                candidate = start + other * rank
                other_value = worth_of_way(r, w, bots, seat, u, candidate, copies, facts, hidden, chances)
                worths[lesson, choice, other] = other_value
                if other_value > value:
                    value = other_value
                    best = candidate
            choice += 1
        rank *= RANKS
    return choice


@jit
def learn_turn(r, w, bots, u, copies, facts, hidden, chances, situations, marks, worths, lesson):
    """Make a lesson of the next turn of the game in ``copies[ROOT]``, which is between two turns.

    Return the number of the next lesson, the same without room or if the game ends. Cards are judged with the steps of the
    seat's policy, if any, and steps against the planner's.
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
    totals = np.zeros(names.MAX_SLOTS)
    tries = np.zeros(names.MAX_SLOTS, np.int64)
    w.memo_seat = -1
    if g.weights[seat, weights.POLICY] != 0:
        see_turn(r, g, w, seat)
    for k in range(cards):
        try_card(r, w, bots, seat, u, k, 0, FIRST, totals, tries, copies, facts, hidden, chances)
    followed = np.zeros(names.MAX_SLOTS, np.int64)
    for _ in range(LESSONS_BEST):
        k = best_left(totals, tries, cards)
        if k >= 0:
            try_card(r, w, bots, seat, u, k, FIRST, LESSONS_THROWN, totals, tries, copies, facts, hidden, chances)
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
    those of `play_recorded`.
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
