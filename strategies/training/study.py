"""Studies: what ways of playing a turn lead to, for the value to learn from beside who won.

Games show only the ways that somebody took. A study tries several of a turn, those that look best and some at random, plays
each on for two rounds with the same dice for all, and keeps the facts at the end of the turn with the mean chances then.
"""

import numba
import numpy as np
from numba import types

from ...simulator import names
from ...simulator.engine.core import decisions, state
from ...simulator.engine.core.argument_types import declare_parameters
from ...simulator.engine.core.jit import jit
from ...simulator.engine.core.rng import mix, seed_streams
from ...simulator.engine.course.play import begin_round
from ...simulator.engine.course.turn import open_turn
from ..learned import lookahead
from ..learned.lookahead import CANDIDATES, copy_game, imagine, key_of, look_further, play_on, play_way
from ..learned.situation import read_situation
from ..learned.value import forget_scores, read_chances
from ..learned.ways import allowed_way, choose_way, random_way
from ..planning import weights

STUDIED = 8  # ways of a turn
BEST = 6  # of these at most so many that look best; the others are played at random
THROWN = 4  # times that each is played on
ROUNDS = 2  # and for so long
CARDS, OPTIONS = 2, 2  # so many cards are tried with so many other options at a step
TRUST = 20  # weights.SIMULATED_TRUST
FURTHER = 0.5  # what the differences by `lookahead.look_further` count, where weights.SIMULATED_AHEAD asks for it
SURE = 0.999  # no chance is learned as higher, or as lower than the rest
ROOT, TRIED, PLAYED_ON = 3, 1, 2  # places of the games among the copies

declare_parameters(
    __name__,
    positions=types.float32[:, :, ::1], shares=types.float32[:, ::1], moments=types.int32[:, ::1],
    copies=numba.from_dtype(state.STATE)[::1], candidates=types.int64[::1], said=types.float64[::1],
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
    """Return what `lookahead.look_further` says of the game in ``copies[TRIED]``, at the end of the seat's turn."""
    value = read_chances(r, copies[TRIED], w, seat, facts, hidden, chances)
    copy_game(copies, PLAYED_ON, copies[TRIED])
    return look_further(r, copies[PLAYED_ON], w, bots, seat, value, facts, hidden, chances)


@jit
def mix_further(shares, seat, players, first, said):
    """Mix into the labels of the mover how what was `said` of each way differs from the mean; the others get what is left."""
    shift = 0.0
    for k in range(STUDIED):
        shift += (shares[first + k, seat] - said[k]) / STUDIED
    for k in range(STUDIED):
        own = float(shares[first + k, seat])
        mixed = min(SURE, max(1.0 - SURE, own + FURTHER * (said[k] + shift - own)))
        for p in range(players):
            if p != seat and own < 1.0:
                shares[first + k, p] *= (1.0 - mixed) / (1.0 - own)
        shares[first + k, seat] = mixed if own < 1.0 else own


@jit
def study(r, w, bots, u, copies, facts, hidden, chances, positions, shares, moments, n):
    """Study the turn that the game in ``copies[ROOT]``, which is between two turns, comes to; return how many are kept then.

    `positions`, `shares` and `moments`, but for the number of the game, are filled from place `n` on, as
    `positions.play_recorded` says: STUDIED rows for a turn, or none if there is no room or the game ends.
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
    said = np.empty(STUDIED)
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
        said[k] = further(r, w, bots, seat, copies, facts, hidden, chances)
        n += 1
    if g.weights[seat, weights.SIMULATED_AHEAD] != 0:
        mix_further(shares, seat, int(g.players), n - STUDIED, said)
    return n
