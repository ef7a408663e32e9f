"""What both boxes draw at random for their maps, and the fixed maps of both.

Everything drawn at random is drawn as a key for each thing of the printed game, smallest key first. A rule that takes
one thing out, or another number of players, then leaves the order of all the others as it was.
"""

import numpy as np

from ... import limits, names
from ..board.mapping import lay_tile
from ..core import state
from ..core.jit import jit
from ..core.rng import below, next_bits

NONE = -1
SHIFT_11 = np.uint64(11)
UNIT = 2.0**-53  # keys are numbers from 0 up to 1


@jit
def draw_keys(g, w, stream, n):
    """Give each of the things 0 … n-1 a random key."""
    for i in range(n):
        w.key[i] = float(next_bits(g, stream) >> SHIFT_11) * UNIT


@jit
def take_lowest(w, n):
    """Return the thing with the lowest key among those marked with 1 in ``w.mark`` and take it away, or -1."""
    best = NONE
    for i in range(n):
        if w.mark[i] == 1 and (best < 0 or w.key[i] < w.key[best]):
            best = i
    if best >= 0:
        w.mark[best] = 0
    return best


@jit
def mark_tiles(r, w, kind):
    """Mark the tiles of a kind that are in the box."""
    for t in range(limits.MAX_TILES):
        w.mark[t] = 1 if r.tile_in_set[t] != 0 and r.tile_kind[t] == kind else 0


@jit
def draw_first(g):
    """Name a random first player (B2.4)."""
    g.first = below(g, state.STREAM_FIRST, g.players)
    g.current = g.first


@jit
def first_to_be(r, g):
    """Return who will be the first player, before the map is laid: nothing is drawn, the set-up will find the same."""
    kept = g.rng[state.STREAM_FIRST]
    if r.box == names.BASE_BOX:
        next_bits(g, state.STREAM_FIRST)  # the base game draws the barbarians' directions first
    first = below(g, state.STREAM_FIRST, g.players)
    g.rng[state.STREAM_FIRST] = kept
    return first


@jit
def draw_directions(g):
    """Lay the token that says which direction each face of the die means for barbarians (B2.4)."""
    offset = below(g, state.STREAM_FIRST, 6)
    for face in range(1, 7):
        g.barbarian_die[face] = (offset + face - 1) % 6


@jit
def lay_fixed_tiles(r, g, w):
    """Lay the first-game map or a user's map and deal its capitals to the seats (B14.5). Leaves every tile's key in place."""
    draw_keys(g, w, state.STREAM_MAP, r.tile_keys)
    for t in range(limits.MAX_TILES):
        w.mark[t] = 0
    for i in range(r.fixed_tiles):
        if r.fixed_players[i, g.players] == 0:
            continue
        tile = int(r.fixed_tile[i]) + 1
        side = int(r.fixed_side[i])
        first = lay_tile(r, g, w, NONE, tile, side, int(r.fixed_rotation[i]), int(r.fixed_q[i]), int(r.fixed_r[i]))
        star = int(r.tile_capital[tile - 1, side])
        if star >= 0:
            w.mark[tile - 1] = 1
            w.queue[tile - 1] = first + star
    for p in range(g.players):
        t = take_lowest(w, limits.MAX_TILES)
        if t >= 0:
            g.capital[p] = w.queue[t]
