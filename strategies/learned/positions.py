"""Games that leave positions to learn from: the facts of every seat after some of the turns, and who won."""

from __future__ import annotations

from numba import types

from newdawn.simulator.engine.core.jit import PARAMETERS, jit
from newdawn.simulator.engine.core.rng import seed_streams
from newdawn.simulator.engine.course.play import play_step
from newdawn.simulator.engine.course.setup import start_game
from newdawn.simulator.games.kernel import forget, seat_players
from newdawn.simulator.names import VICTORY
from newdawn.strategies.learned.situation import read_situation

PARAMETERS.update(
    positions=types.float32[:, :, ::1], shares=types.float32[:, ::1], moments=types.int32[:, ::1]
)


@jit
def play_recorded(
    r, w, bots, states, library, opinions, seating, seat_rows, facts, positions, shares, moments, seed, first_game, n, players,
    round_cap, one_in,
):
    """Play the games first_game … + n - 1 and keep every `one_in`-th position; return how many are kept.

    `positions` gets the facts by seat, `shares` the share of the win of each seat, `moments` game, round and the seat that
    moved last. `states` is an array of two games, as for `simulator.games.kernel.play_batch`.
    """
    kept = 0
    for k in range(n):
        game = first_game + k
        states[0] = states[1]
        g = states[0]
        forget(w)
        seed_streams(g, seed, game)
        g.players = players
        g.round_cap = round_cap
        seat_players(r, g, opinions, seating, seat_rows, 0, game)
        for seat in range(players):
            bots.address[seat] = library[seat_rows[seat].strategy]
        start_game(r, g, w, bots)
        first_kept = kept
        turn = game % one_in
        while play_step(r, g, w, bots) != 0:
            turn += 1
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
            winners += g.winner[p] if g.ending == VICTORY else 0
        if winners == 0:
            kept = first_kept
        for i in range(first_kept, kept):
            for p in range(players):
                shares[i, p] = g.winner[p] / winners
    return kept
