"""Where the planner lays tiles: its capital where there is room, every other tile where its spaces serve the capital."""

from ...simulator import limits, names
from ...simulator.engine.board.exploring import counts_as_touched, is_free
from ...simulator.engine.board.hexes import distance_to, is_fort
from ...simulator.engine.board.mapping import SHAPES
from ...simulator.engine.core.jit import inline, jit
from ...simulator.engine.core.rng import below_bits
from . import weights

NOTHING = -(1 << 30)


@jit
def tile_space_worth(r, g, p, tile, side, i):
    """Worth of having space `i` of a tile near: prizes and room, no barbarians."""
    worth = g.weights[p, weights.TILE_LAND]
    if r.tile_terrain[tile - 1, side, i] == names.WATER:
        worth = 0
    if r.tile_resource[tile - 1, side, i] >= 0:
        worth += g.weights[p, weights.TILE_RESOURCE]
    if r.tile_natural_wonder[tile - 1, side, i] >= 0:
        worth += g.weights[p, weights.TILE_NATURAL_WONDER]
    if r.tile_city_state[tile - 1, side, i] >= 0:
        worth += g.weights[p, weights.TILE_CITY_STATE]
    if r.tile_barbarian[tile - 1, side, i] >= 0:
        worth += g.weights[p, weights.TILE_BARBARIAN]
    return worth


@jit
def room_worth(r, g, p, q, row):
    """Worth of the laid spaces around a capital at (q, row): land, prizes, and no rival capital or barbarian near."""
    worth = 0
    far_off = int(g.weights[p, weights.ROOM_FAR])
    near_by = int(g.weights[p, weights.ROOM_NEAR])
    for s in range(g.n_spaces):
        far = distance_to(g, s, q, row)
        if far > far_off:
            continue
        here = 0 if g.terrain[s] == names.WATER else g.weights[p, weights.TILE_LAND]
        if g.resource[s] >= 0:
            here += g.weights[p, weights.TILE_RESOURCE]
        if g.natural_wonder[s] >= 0:
            here += g.weights[p, weights.TILE_NATURAL_WONDER]
        if g.city_state[s] >= 0:
            here += g.weights[p, weights.TILE_CITY_STATE]
        if g.barbarians[s] != 0:
            here += g.weights[p, weights.TILE_BARBARIAN]
        if is_fort(g, s):
            here += g.weights[p, weights.TILE_FORT]
        worth += here if far > near_by else 2 * here
    for rival in range(g.players):
        if g.capital[rival] >= 0:
            far = distance_to(g, int(g.capital[rival]), q, row)
            if far <= far_off:
                worth += g.weights[p, weights.TILE_RIVAL] * (1 if far > near_by else 2)
    return worth


@jit
def tile_place_worth(r, g, w, p, tile, place):
    """Worth of laying the tile in a place (coded as decisions.PLACE_TILE says); its spaces' worth is in ``w.tile_worth``."""
    row = place % limits.GRID - limits.GRID_ORIGIN
    q = place // limits.GRID % limits.GRID - limits.GRID_ORIGIN
    shape = place // (limits.GRID * limits.GRID)
    side = shape // 6
    if r.tile_capital[tile - 1, side] >= 0:
        star = int(r.tile_capital[tile - 1, side])
        return room_worth(r, g, p, q + int(r.offset_q[shape, star]), row + int(r.offset_r[shape, star]))
    worth = 0
    capital = int(g.capital[p])
    for i in range(limits.TILE_SPACES):
        far = distance_to(g, capital, q + int(r.offset_q[shape, i]), row + int(r.offset_r[shape, i]))
        worth += max(0, int(g.weights[p, weights.TILE_REACH]) - far) * int(w.tile_worth[side, i])
    return worth


@jit
def choose_tile_place(r, g, w, p, n, u):
    """Look at an even sample of the places and return the index of the best."""
    tile = int(w.ask_space)
    for side in range(2):
        for i in range(limits.TILE_SPACES):
            w.tile_worth[side, i] = tile_space_worth(r, g, p, tile, side, i)
    step = max(1, n // weights.TILE_SAMPLE)
    k = below_bits(u, step)
    best = k
    best_worth = NOTHING
    while k < n:
        worth = tile_place_worth(r, g, w, p, tile, int(w.option[k]))
        if worth > best_worth:
            best = k
            best_worth = worth
        k += step
    return best


@inline
def touched_by(r, g, w, shape, q, row):
    """Return how many laid spaces a tile with space 0 at (q, row) would touch (T7.2)."""
    touched = 0
    for i in range(r.ring_n[shape]):
        s = w.grid[q + int(r.ring_q[shape, i]) + limits.GRID_ORIGIN, row + int(r.ring_r[shape, i]) + limits.GRID_ORIGIN]
        touched += 1 if s >= 0 and counts_as_touched(r, g, s) else 0
    return touched


@jit
def tile_fits_beside(r, g, w, s):
    """Would a tile fit beside the space, explored from there? That hangs on the place alone: all tiles have one shape.

    ``w.grid`` shows the map.
    """
    for shape in range(SHAPES):
        for k in range(r.ring_n[shape]):
            q = int(g.axial_q[s]) - int(r.ring_q[shape, k])
            row = int(g.axial_r[s]) - int(r.ring_r[shape, k])
            if is_free(r, w, shape, q, row) and touched_by(r, g, w, shape, q, row) >= r.explore_touch:
                return True
    return False


@jit
def tile_worth(r, g, p, tile):
    """Worth of the spaces of a tile, with the better of its sides up."""
    best = 0
    for side in range(2):
        worth = 0
        for i in range(limits.TILE_SPACES):
            worth += tile_space_worth(r, g, p, tile, side, i)
        best = max(best, worth)
    return best
