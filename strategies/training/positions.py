"""Games that leave positions to learn from: the facts of every seat after some of the turns, and who won."""

from __future__ import annotations

import numba
from numba import types

from ...simulator import names
from ...simulator.engine.core import state
from ...simulator.engine.core.argument_types import BOTS, declare_parameters
from ...simulator.engine.core.jit import jit
from ...simulator.engine.core.rng import mix
from ...simulator.engine.course.play import play_step
from ...simulator.games.kernel import open_game
from ...simulator.games.rows import SEAT_ROW, SEATING
from ..learned.lookahead import copy_game
from ..learned.situation import read_situation
from .study import ROOT, study

declare_parameters(
    __name__,
    studies=types.float32[:, :, ::1], study_shares=types.float32[:, ::1], study_moments=types.int32[:, ::1],
    found=types.int64[::1], seated=numba.from_dtype(BOTS)[::1],
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
    found,
    seed,
    first_game,
    n,
    players,
    round_cap,
    one_in,
    study_one_in,
):
    """Play the games first_game … + n - 1 and keep every `one_in`-th position; return how many are kept.

    `positions` gets the facts by seat, `shares` the share of the win of each seat, `moments` game, round and the seat that
    moved last. Before every `study_one_in`-th turn (0: none) it is studied (`study`) by planners that judge by the seat's
    network; `studies`, `study_shares` and `study_moments` keep what that finds, and ``found[0]`` how many. `seated` is an array
    of two: who sits where, and the planners of studies. `states` is one of two games, as for
    `simulator.games.kernel.play_batch`, and `copies` one of four.
    """
    kept = 0
    studied = 0
    for k in range(n):
        game = first_game + k
        open_game(r, w, seated[0], states, library, opinions, seating, seat_rows, 0, game, seed, players, round_cap)
        g = states[0]
        first_kept = kept
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
            if turn % one_in == 0 and kept < len(positions):
                read_situation(r, g, w, facts)
                for p in range(players):
                    for i in range(facts.shape[1]):
                        positions[kept, p, i] = facts[p, i]
                moments[kept, 0] = game
                moments[kept, 1] = g.round_number
                moments[kept, 2] = (g.current + players - 1) % players
                kept += 1
        winners = 0
        for p in range(players):
            winners += g.winner[p] if g.ending == names.VICTORY else 0
        if winners == 0:
            kept = first_kept
        for i in range(first_kept, kept):
            for p in range(players):
                shares[i, p] = g.winner[p] / winners
    found[0] = studied
    return kept
