"""Exploring (T7): the stack of tiles, the legal places of an explored tile, and the changes when it is laid.

The callers (`economy.py`, `armies.py`) see to it that a figure explores once a turn and pays for it.
"""

from __future__ import annotations

from .. import names
from . import decisions, state
from .choosing import EXPLORER_CARD, LOG_EXPLORE, LOG_HOLE, choose, log
from .compile.jit import inline, jit
from .map import NO_SPACE, REACH, SHAPES, STEP_Q, STEP_R, add_space, close_holes, connect, lay_at, may_fill, rebuild_grid
from .winning import settle

# Largest coordinate of space 0 of an explored tile, so that tile, ring and the search for holes stay on the grid. Only maps of
# users come near it.
FAR_OUT = names.GRID_ORIGIN - 2 * REACH - 2
ANY_TILE = -1


# --- the stack


@jit
def take_out(g, tile):
    """Take a tile out of the stack, wherever it is, and return its number."""
    size = 0
    for k in range(g.stack_n):
        other = g.stack[k]
        g.stack[k] = 0
        if other != tile:
            g.stack[size] = other
            size += 1
    g.stack_n = size
    return tile


@inline
def take_bottom(g):
    """Take the bottom tile of the stack and return its number."""
    return take_out(g, int(g.stack[0]))


@jit
def put_on_top(g, tile):
    """Put a tile on top of the stack."""
    g.stack[g.stack_n] = tile
    g.stack_n += 1


@jit
def put_at_bottom(g, tile):
    """Put a tile under the stack."""
    for k in range(g.stack_n, 0, -1):
        g.stack[k] = g.stack[k - 1]
    g.stack[0] = tile
    g.stack_n += 1


# --- where a figure may explore, where a tile may lie


@inline
def holds_capital(g, tile):
    """Does the tile hold any player's capital?"""
    for q in range(g.players):
        if g.capital[q] >= 0 and g.tile[g.capital[q]] == tile:
            return True
    return False


@inline
def may_explore(r, g, p, s):
    """Can a figure of seat `p` explore from the space: an edge space of any capital's tile, with a tile to draw (T7.1)?"""
    return g.stack_n > 0 and g.edge[s] != 0 and holds_capital(g, g.tile[s])


@inline
def counts_as_touched(r, g, s):
    """Does the laid space count for the contacts of an explored tile (T7.2): any, or by one ruling those of tiles?"""
    return r.contacts_tiles_only == 0 or 0 < g.tile[s] <= names.MAX_TILES


@inline
def is_free(r, w, shape, q, row):
    """Does a tile with space 0 at (q, row) cover no laid space?"""
    if max(abs(q), abs(row)) > FAR_OUT:
        return False
    for i in range(names.TILE_SPACES):
        if (
            w.grid[q + int(r.offset_q[shape, i]) + names.GRID_ORIGIN, row + int(r.offset_r[shape, i]) + names.GRID_ORIGIN]
            != NO_SPACE
        ):
            return False
    return True


@inline
def touches_enough(r, g, w, shape, q, row, k):
    """Does a tile there touch enough laid spaces, and is space `k` around it the first of them that is marked?

    So a place that touches several marked spaces is listed once.
    """
    touched = 0
    for i in range(r.ring_n[shape]):
        s = w.grid[q + int(r.ring_q[shape, i]) + names.GRID_ORIGIN, row + int(r.ring_r[shape, i]) + names.GRID_ORIGIN]
        if s >= 0:
            if i < k and w.mark[s] != 0:
                return False
            touched += 1 if counts_as_touched(r, g, s) else 0
    return touched >= r.explore_touch


@jit
def list_tile_places(r, g, w):
    """List the places (PLACE_TILE values) where a tile touches a marked space and enough laid ones (T7.2); return how many.

    ``w.mark`` is 1 for the spaces of which it has to touch one, ``w.grid`` shows the map.
    """
    n = 0
    for s in range(g.n_spaces):
        if w.mark[s] == 0:
            continue
        for shape in range(SHAPES):
            for k in range(r.ring_n[shape]):
                q = int(g.axial_q[s]) - int(r.ring_q[shape, k])
                row = int(g.axial_r[s]) - int(r.ring_r[shape, k])
                if n < state.MAX_OPTIONS and is_free(r, w, shape, q, row) and touches_enough(r, g, w, shape, q, row, k):
                    w.option[n] = (shape * names.GRID + q + names.GRID_ORIGIN) * names.GRID + row + names.GRID_ORIGIN
                    n += 1
    return n


@jit
def mark_space(g, w, s):
    """Mark one space only, from which a figure explores."""
    for t in range(g.n_spaces):
        w.mark[t] = 0
    w.mark[s] = 1


@jit
def mark_edges(g, w, tile):
    """Mark the edge spaces of a tile, or of all tiles (ANY_TILE)."""
    for s in range(g.n_spaces):
        fits = g.tile[s] == tile or (tile == ANY_TILE and 0 < g.tile[s] <= names.MAX_TILES)
        w.mark[s] = 1 if fits and g.edge[s] != 0 else 0


# --- laying it


@jit
def map_has_grown(r, g, w, bots):
    """After new spaces: close holes, and compute neighbours, coasts, edges and the counts of them anew (T7.3, T7.5)."""
    close_holes(r, g, w)
    connect(g, w)
    for p in range(g.players):
        g.coast_count[p] = 0
    for s in range(g.n_spaces):
        if g.owner[s] >= 0:
            g.coast_count[g.owner[s]] += g.coastal[s]
    g.dirty = 1
    settle(r, g, w, bots)


@jit
def lay_beside_marked(r, g, w, bots, p, tile, s, explorer):
    """Let seat `p` lay the tile, either side, any rotation, so that it touches a marked space (T7.2); return 1 if it fits.

    `s` is the space explored from, -1 if a card explores; `explorer`: as in LOG_EXPLORE. The tile is in the stack until it is
    laid, and populated at once (T7.3). ``w.ask_space`` has its number.
    """
    rebuild_grid(g, w)
    n = list_tile_places(r, g, w)
    log(w, LOG_EXPLORE, p, s, tile, 1 if n > 0 else 0, explorer, 0)
    if n > 0:
        w.ask_space = tile
        place = choose(r, g, w, bots, p, decisions.PLACE_TILE, n)
        rebuild_grid(g, w)  # the strategy may have used the grid to look ahead
        lay_at(r, g, w, p, take_out(g, tile), place)
        g.stat_tiles[p] += 1
        map_has_grown(r, g, w, bots)
    w.ask_space = tile
    return 1 if n > 0 else 0


@jit
def lay_bottom_tile(r, g, w, bots, p, s, explorer):
    """Lay the bottom tile beside a marked space, or put it on top if it fits nowhere (T7.2); return 1 if it was laid."""
    tile = int(g.stack[0])
    laid = lay_beside_marked(r, g, w, bots, p, tile, s, explorer)
    if laid == 0:
        put_on_top(g, take_out(g, tile))
    return laid


@jit
def explore(r, g, w, bots, p, s, explorer):
    """Seat `p` explores from the space (T7.2): the bottom tile is laid beside it, or goes on top if it fits nowhere.

    `explorer`: as in LOG_EXPLORE. Return 1 if the tile was laid; ``w.ask_space`` has its number.
    """
    mark_space(g, w, s)
    return lay_bottom_tile(r, g, w, bots, p, s, explorer)


@jit
def explore_from_any_tile(r, g, w, bots, p):
    """Seat `p` explores from any edge space of any tile (Apadana); as `explore`."""
    if g.stack_n == 0:
        return 0
    mark_edges(g, w, ANY_TILE)
    return lay_bottom_tile(r, g, w, bots, p, -1, EXPLORER_CARD)


# --- Astronomy and Shipbuilding


@jit
def lay_one_seen(r, g, w, bots, p, seen):
    """Let seat `p` lay one of the tiles (bits of their numbers) beside its capital's tile; return its bit, 0 for none."""
    home = int(g.tile[g.capital[p]])
    rebuild_grid(g, w)
    mark_edges(g, w, home)
    if list_tile_places(r, g, w) == 0:
        return 0
    n = 0
    for tile in range(1, names.MAX_TILES + 1):
        if seen >> tile & 1 != 0:
            w.option[n] = tile
            n += 1
    w.option[n] = decisions.PASS
    w.ask_space = -1
    tile = choose(r, g, w, bots, p, decisions.EXPLORED_TILE, n + 1)
    if tile == decisions.PASS:
        return 0
    mark_edges(g, w, home)
    lay_beside_marked(r, g, w, bots, p, tile, -1, EXPLORER_CARD)
    return 1 << tile


@jit
def put_back(r, g, w, bots, p, seen):
    """Let seat `p` put the tiles (bits of their numbers) on top of or under the stack, one after the other in any order."""
    while seen != 0:
        n = 0
        for tile in range(1, names.MAX_TILES + 1):
            if seen >> tile & 1 != 0:
                w.option[n] = 2 * tile
                w.option[n + 1] = 2 * tile + 1
                n += 2
        picked = choose(r, g, w, bots, p, decisions.STACK_ORDER, n)
        tile = take_out(g, picked // 2)
        seen &= ~(1 << tile)
        if picked % 2 != 0:
            put_on_top(g, tile)
        else:
            put_at_bottom(g, tile)


@jit
def look_at_tiles(r, g, w, bots, p, looked, lays):
    """Astronomy: look at the lowest `looked` tiles, lay up to `lays` of them as if exploring from any edge space of the own
    capital's tile, at no price; the others go back."""
    seen = 0
    for k in range(min(looked, g.stack_n)):
        seen |= 1 << int(g.stack[k])
    for _ in range(lays):
        seen &= ~lay_one_seen(r, g, w, bots, p, seen)
    put_back(r, g, w, bots, p, seen)


@jit
def lay_water_token(r, g, w, bots, p, s):
    """Shipbuilding: seat `p` may lay a water token on an empty place next to the space; return 1 if one was laid."""
    if g.water_tokens <= 0 or not may_fill(r, g):
        return 0
    n = 0
    for d in range(6):
        q, row = int(g.axial_q[s]) + STEP_Q[d], int(g.axial_r[s]) + STEP_R[d]
        if g.neighbour[s, d] < 0 and max(abs(q), abs(row)) <= FAR_OUT:
            w.option[n] = (q + names.GRID_ORIGIN) * names.GRID + row + names.GRID_ORIGIN
            n += 1
    w.option[n] = decisions.PASS
    w.ask_space = s
    place = choose(r, g, w, bots, p, decisions.WATER_SPACE, n + 1)
    if place == decisions.PASS:
        return 0
    rebuild_grid(g, w)
    new = add_space(g, w, place // names.GRID - names.GRID_ORIGIN, place % names.GRID - names.GRID_ORIGIN, 0, names.WATER)
    g.water_tokens -= 1
    log(w, LOG_HOLE, p, new, 0, 0, 0, 0)
    map_has_grown(r, g, w, bots)
    return 1
