"""Building the map of Terra Incognita (T1.5 to T1.9): capital tiles, first player, stack, core, forts, capitals."""

from ... import limits, names
from ..board.exploring import put_on_top, take_bottom
from ..board.hexes import is_fort
from ..board.mapping import (
    KIND_CAPITAL,
    NO_SPACE,
    STEP_Q,
    STEP_R,
    add_space,
    capital_places,
    close_holes,
    is_core,
    lay_at,
    lay_tile,
    star_of,
)
from ..core import decisions, state
from ..core.decide import choose
from ..core.jit import expansion, jit
from ..core.log import LOG_FORT, log
from ..core.rng import roll_die
from .draws import NONE, draw_first, draw_keys, lay_fixed_tiles, mark_tiles, take_lowest


@jit
def deal_capital_tiles(r, g, w):
    """Deal each player a random capital tile; the others leave the game (T1.5)."""
    draw_keys(g, w, state.STREAM_MAP, r.tile_keys)
    mark_tiles(r, w, KIND_CAPITAL)
    for p in range(g.players):
        g.tile_hand[p, 0] = 1 + take_lowest(w, limits.MAX_TILES)


@jit
def shuffle_stack(r, g, w):
    """Stack the tiles without a star that do not lie yet, by the keys drawn, the lowest at the bottom (T1.5)."""
    for t in range(limits.MAX_TILES):
        w.mark[t] = 1 if r.tile_in_set[t] != 0 and r.tile_kind[t] != KIND_CAPITAL else 0
    for s in range(g.n_spaces):
        if is_core(r, g, s):
            w.mark[g.tile[s] - 1] = 0
    tile = 1 + take_lowest(w, limits.MAX_TILES)
    while tile > 0:
        put_on_top(g, tile)
        tile = 1 + take_lowest(w, limits.MAX_TILES)


@jit
def lay_core_from_stack(r, g, w):
    """Lay tiles from the bottom of the stack in their order, all on the side the die tells (T1.6)."""
    n = int(g.players)
    side = 0 if roll_die(g, state.STREAM_MAP) <= r.core_side_a_max else 1
    g.core_side = side
    for k in range(min(r.core_tiles_for[n], g.stack_n)):
        q, row = int(r.core_q_for[n, side, k]), int(r.core_r_for[n, side, k])
        lay_tile(r, g, w, NONE, take_bottom(g), side, int(r.core_rotation_for[n, side, k]), q, row)
    close_holes(r, g, w)


@jit
def close_setup_holes(r, g, w):
    """T1.9: a place closed in on all sides becomes water, by one ruling."""
    if r.setup_holes_filled != 0:
        close_holes(r, g, w)


# --- forts


@jit
def fort_fits(r, g, w, i, j):
    """May a fort lie on the free grid cell: does it touch enough core spaces, no fort and no city-state (T1.7)?"""
    core = 0
    for d in range(6):
        s = w.grid[i + STEP_Q[d], j + STEP_R[d]]
        if s >= 0:
            if is_fort(g, s) or g.city_state[s] >= 0:
                return False
            core += 1 if is_core(r, g, s) else 0
    return core >= r.fort_touch_core


@jit
def list_fort_places(r, g, w):
    """List the places where a fort may lie (PLACE_FORT values); return how many."""
    q0 = q1 = int(g.axial_q[0]) + limits.GRID_ORIGIN
    r0 = r1 = int(g.axial_r[0]) + limits.GRID_ORIGIN
    for s in range(g.n_spaces):
        q0, q1 = min(q0, int(g.axial_q[s]) + limits.GRID_ORIGIN), max(q1, int(g.axial_q[s]) + limits.GRID_ORIGIN)
        r0, r1 = min(r0, int(g.axial_r[s]) + limits.GRID_ORIGIN), max(r1, int(g.axial_r[s]) + limits.GRID_ORIGIN)
    n = 0
    for i in range(q0 - 1, q1 + 2):
        for j in range(r0 - 1, r1 + 2):
            if w.grid[i, j] == NO_SPACE and fort_fits(r, g, w, i, j):
                w.option[n] = i * limits.GRID + j
                n += 1
    return n


@jit
def put_fort(g, w, p, q, row):
    """Lay the fort of seat `p` (T6.1): a space of its own, forest."""
    s = add_space(g, w, q, row, limits.FORT_TILE + p, names.FOREST)
    log(w, LOG_FORT, p, s, 0, 0, 0, 0)


@jit
def lay_fort(r, g, w, bots, p):
    """Let seat `p` lay its fort (T1.7). Without a place, as only maps of one's own can be, the fort leaves the game."""
    g.current = p
    n = list_fort_places(r, g, w)
    if n > 0:
        w.ask_space = NONE
        place = choose(r, g, w, bots, p, decisions.PLACE_FORT, n)
        put_fort(g, w, p, place // limits.GRID - limits.GRID_ORIGIN, place % limits.GRID - limits.GRID_ORIGIN)
        close_setup_holes(r, g, w)


@jit
def lay_forts(r, g, w, bots):
    """From the first player clockwise everybody lays the own fort (T1.7)."""
    for k in range(g.players):
        lay_fort(r, g, w, bots, (int(g.first) + k) % int(g.players))


# --- capitals


@jit
def lay_capital_tile(r, g, w, bots, p):
    """Let seat `p` lay its capital tile, either side, any rotation, touching core and forts; the star is its capital (T1.8)."""
    g.current = p
    tile = int(g.tile_hand[p, 0])
    g.tile_hand[p, 0] = 0
    n = capital_places(r, g, w)
    w.ask_space = tile
    place = choose(r, g, w, bots, p, decisions.PLACE_TILE, n)
    g.capital[p] = lay_at(r, g, w, p, tile, place) + star_of(r, tile, place)
    close_setup_holes(r, g, w)


@jit
def lay_given_map(r, g, w, bots):
    """Lay a user's map: its tiles, its stack, its forts; what it does not say is drawn and laid as in any game (B14.5)."""
    lay_fixed_tiles(r, g, w)
    draw_first(g)
    if r.fixed_stack_n < 0:
        shuffle_stack(r, g, w)
    for k in range(r.fixed_stack_n):
        put_on_top(g, int(r.fixed_stack[k]))
    if r.fixed_forts > 0:
        for k in range(g.players):
            put_fort(g, w, (int(g.first) + k) % int(g.players), int(r.fixed_fort_q[k]), int(r.fixed_fort_r[k]))
        close_setup_holes(r, g, w)
    else:
        close_setup_holes(r, g, w)
        lay_forts(r, g, w, bots)


@expansion
def build_frontier(r, g, w, bots) -> None:
    """Build the map: the steps T1.5 to T1.9 in their order, which is that of the random draws."""
    if r.map_mode != 0:
        lay_given_map(r, g, w, bots)
        return
    deal_capital_tiles(r, g, w)
    draw_first(g)
    shuffle_stack(r, g, w)
    lay_core_from_stack(r, g, w)
    lay_forts(r, g, w, bots)
    for k in range(g.players):
        lay_capital_tile(r, g, w, bots, (int(g.first) + k) % int(g.players))
    w.ask_space = NONE
