"""Studies: what ways of playing a turn lead to, for the value to learn from beside who won.

Games show only the ways that somebody took. A study tries several of a turn, most of them at random, plays each on with other
dice until just before the seat's next turn, and keeps the facts at the end of the turn with the mean chances a round later.
"""

import numpy as np
from numba import types

from newdawn.simulator.engine.core import decisions
from newdawn.simulator.engine.core.jit import PARAMETERS, jit
from newdawn.simulator.engine.core.rng import mix, seed_streams
from newdawn.simulator.engine.course.play import begin_round
from newdawn.simulator.engine.course.turn import open_turn
from newdawn.simulator.names import RUNNING
from newdawn.strategies.learned.lookahead import copy_game, imagine, key_of, play_on, play_way
from newdawn.strategies.learned.situation import read_situation
from newdawn.strategies.learned.value import forget_scores
from newdawn.strategies.learned.ways import WAYS, choose_way, random_way

STUDIED = 6  # ways of a turn
THROWN = 2  # times that each is played on
ROOT, TRIED, PLAYED_ON = 3, 1, 2  # places of the games among the copies

PARAMETERS.update(positions=types.float32[:, :, ::1], shares=types.float32[:, ::1], moments=types.int32[:, ::1])


@jit
def study(r, w, bots, u, copies, facts, hidden, chances, positions, shares, moments, n):
    """Study the turn that the game in ``copies[ROOT]``, which is between two turns, comes to; return how many are kept then.

    `positions`, `shares` and `moments`, but for the number of the game, are filled from place `n` on, as
    `positions.play_recorded` says.
    """
    g = copies[ROOT]
    forget_scores(facts, hidden)
    if g.current == g.first:
        begin_round(r, g, w, bots)
        if g.ending != RUNNING:
            return n
    seat = open_turn(r, g, w, bots)
    own = choose_way(r, g, w, seat, decisions.CARD, r.slots, u)  # makes the plan of the turn, too
    for k in range(min(STUDIED, len(positions) - n)):
        key = key_of(u, k)
        imagine(r, g, seat, key, copies)
        copy_game(copies, TRIED, copies[0])
        game = copies[TRIED]
        way = own * WAYS if k == 0 else random_way(int(r.slots), mix(u + np.uint64(k)))
        play_way(r, game, w, bots, seat, way)
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
            play_on(r, copies[PLAYED_ON], w, bots, seat, int(game.players) - 1, facts, hidden, chances)
            for p in range(game.players):
                shares[n, p] += chances[p] / THROWN
        n += 1
    return n
