"""The map: spaces as numbers and their neighbours, and laying tiles on it."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import state
from .choosing import LOG_HOLE, LOG_TILE, log
from .compile.jit import expansion, inline, jit, lowest_bit

# --- Spaces: difficulty, neighbours, and counting distances
#
# Directions, clockwise from east, in axial coordinates (q right, r down and right):
#
#         4   5
#       3   .   0        0 (1, 0)   1 (0, 1)   2 (-1, 1)
#         2   1          3 (-1, 0)  4 (0, -1)  5 (1, -1)

GRASSLAND, WATER = names.GRASSLAND, names.WATER
CITY, CAPITAL, TOKEN, REINFORCED = names.CITY, names.CAPITAL, names.TOKEN, names.REINFORCED

# Spaces for a count of distances (`w.mark`): not entered, passed, entered but not passed.
BLOCKED, PASSABLE, END_ONLY = 0, 1, 2
OFF_MAP = names.MAX_SPACES  # stands for every neighbour off the map


@inline
def distance_to(g, s, q, row):
    """Return the number of steps from a space to the axial coordinates as the crow flies."""
    dq = int(g.axial_q[s]) - q
    dr = int(g.axial_r[s]) - row
    return max(abs(dq), abs(dr), abs(dq + dr))


@inline
def hex_distance(g, a, b):
    """Return the number of steps between two spaces as the crow flies."""
    return distance_to(g, a, int(g.axial_q[b]), int(g.axial_r[b]))


@inline
def ground_difficulty(r, g, p, doing, terrain, coastal):
    """Return the difficulty of a terrain, next to water (`coastal` 1) or not, for seat `p` and a purpose (codes.DOINGS).

    Abilities change difficulties in their owner's turn only (B1.1).
    """
    return int(g.ground[p, doing, coastal, terrain]) if g.current == p else int(r.terrain_difficulty[terrain])


@inline
def difficulty(r, g, p, s):
    """Return the terrain difficulty of space `s` for seat `p` in a fight."""
    return ground_difficulty(r, g, p, codes.FIGHT, int(g.terrain[s]), int(g.coastal[s]))


@inline
def is_fort(g, s):
    """Is the space a fort (T6.1)? Its terrain is forest."""
    return g.tile[s] >= names.FORT_TILE


@inline
def is_free_fort(g, s):
    """Is the space a fort that nobody controls (T6.4)?"""
    return is_fort(g, s) and g.piece[s] < CITY


@inline
def is_token(g, s):
    """Does a control token lie on the space?"""
    return g.piece[s] == TOKEN or g.piece[s] == REINFORCED


@inline
def is_city(g, s):
    """Does a city (capital included) stand on the space?"""
    return g.piece[s] == CITY or g.piece[s] == CAPITAL


@inline
def is_empty(g, s):
    """B1.3: no token and no figure of any kind."""
    if g.piece[s] != 0 or g.barbarians[s] != 0 or g.caravans[s] != 0 or g.armies[s] != 0:
        return False
    if g.resource[s] >= 0 or g.city_state[s] >= 0 or g.wonder_token[s] >= 0:
        return False
    n = g.natural_wonder[s]
    return n < 0 or g.natural_wonder_owner[n] >= 0


@inline
def next_to_city_of(g, p, s):
    """Is the space adjacent to a city of seat `p`?"""
    for d in range(6):
        n = g.neighbour[s, d]
        if n >= 0 and g.owner[n] == p and g.piece[n] >= CITY:
            return True
    return False


@inline
def next_to_friendly(g, p, s):
    """Is the space adjacent to a friendly space of seat `p`?"""
    for d in range(6):
        n = g.neighbour[s, d]
        if n >= 0 and g.owner[n] == p:
            return True
    return False


@inline
def next_to_any_city(g, s):
    """Is the space adjacent to a city or a city-state of anyone (B8.4)?"""
    for d in range(6):
        n = g.neighbour[s, d]
        if n >= 0 and (g.piece[n] >= CITY or g.city_state[n] >= 0):
            return True
    return False


@expansion
def close_forts(g, w) -> None:
    """Mark forts as BLOCKED: figures do not enter them from a low slot (T6.2)."""
    for s in range(g.n_spaces):
        if is_fort(g, s):
            w.mark[s] = BLOCKED


@expansion
def at_fort(g, s) -> bool:
    """Is the space a fort, or next to one? No city is built there (T6.1)."""
    if is_fort(g, s):
        return True
    for d in range(6):
        n = g.neighbour[s, d]
        if n >= 0 and is_fort(g, n):
            return True
    return False


@inline
def spread(g, w, layer, n, limit, marked):
    """Count distances as `flood` does, through spaces with ``w.fresh`` 1; END_ONLY is heeded if spaces are `marked` (1)."""
    w.fresh[OFF_MAP] = 0
    for i in range(n):
        w.fresh[w.queue[i]] = 0
    head = 0
    tail = n
    far = 0
    while head < tail:
        ring_end = tail
        while head < ring_end:
            s = w.queue[head]
            head += 1
            w.dist[layer, s] = far
            if far >= limit or (marked != 0 and far > 0 and w.mark[s] == END_ONLY):
                continue
            for d in range(6):  # without a branch, which the processor could not predict
                t = g.neighbour[s, d]
                t = t if t >= 0 else OFF_MAP
                w.queue[tail] = t
                tail += int(w.fresh[t])
                w.fresh[t] = 0
        far += 1
    return tail


@jit
def flood(g, w, layer, n, limit):
    """Count distances from the `n` spaces in ``w.queue`` into ``w.dist[layer]`` (-1 = out of reach), up to `limit`.

    ``w.mark`` says which spaces may be entered; an END_ONLY space is reached but not passed. Return the number of spaces within
    reach; ``w.queue`` lists them, the nearest first.
    """
    for s in range(g.n_spaces):
        w.dist[layer, s] = -1
        w.fresh[s] = 1 if w.mark[s] != BLOCKED else 0
    return spread(g, w, layer, n, limit, 1)


@inline
def is_edge_water(g, s):
    """Is the space water at the map's edge?"""
    return g.terrain[s] == WATER and g.edge[s] != 0


@inline
def reach_at(g, w, layer, t, far, n):
    """Append the space (-1: off the map) to the `n` reached, if it may be entered and is new; return their number."""
    if t < 0 or w.mark[t] == BLOCKED or w.dist[layer, t] >= 0:
        return n
    w.dist[layer, t] = far
    w.queue[n] = t
    return n + 1


@jit
def flood_over_edge(g, w, layer, n, limit):
    """Count distances as `flood` does, but with all water spaces at the map's edge side by side (Indonesia)."""
    for s in range(g.n_spaces):
        w.dist[layer, s] = -1
    for i in range(n):
        w.dist[layer, w.queue[i]] = 0
    head = 0
    linked = False
    while head < n:
        s = w.queue[head]
        head += 1
        far = int(w.dist[layer, s])
        if far >= limit or (far > 0 and w.mark[s] == END_ONLY):
            continue
        for d in range(6):
            n = reach_at(g, w, layer, int(g.neighbour[s, d]), far + 1, n)
        if is_edge_water(g, s) and not linked:
            linked = True
            for t in range(g.n_spaces):
                if is_edge_water(g, t):
                    n = reach_at(g, w, layer, t, far + 1, n)
    return n


@jit
def flood_from(g, w, n, limit):
    """Count distances from the `n` spaces in ``w.queue`` through anything, into layer 0; return the number within reach."""
    for t in range(g.n_spaces):
        w.dist[0, t] = -1
        w.fresh[t] = 1
    return spread(g, w, 0, n, limit, 0)


@jit
def flood_through_anything(g, w, layer, s, limit):
    """Count distances from one space through anything; return the number of spaces within reach, listed in ``w.queue``."""
    for t in range(g.n_spaces):
        w.dist[layer, t] = -1
        w.fresh[t] = 1
    w.queue[0] = s
    return spread(g, w, layer, 1, limit, 0)


@jit
def queue_friendly(g, w, p, skip_taken):
    """Put the friendly spaces of `p` into ``w.queue`` (`skip_taken` 1: but those taken this turn); return how many."""
    n = 0
    for s in range(g.n_spaces):
        taken = g.taken[s] * skip_taken
        w.queue[n] = s
        n += 1 if g.owner[s] == p and taken == 0 else 0
    return n


@jit
def mark_attack(g, w, p, through_water, through_rival, through_barbarian):
    """Mark the spaces that an attack's distance may be counted through: not water, and rival spaces and barbarians END_ONLY,
    unless the card says so."""
    water = PASSABLE if through_water != 0 else BLOCKED
    for s in range(g.n_spaces):
        terrain = g.terrain[s]
        owner = g.owner[s]
        barbarians = g.barbarians[s]
        mark = PASSABLE
        if (owner >= 0 and owner != p and through_rival == 0) or (barbarians != 0 and through_barbarian == 0):
            mark = END_ONLY
        w.mark[s] = water if terrain == WATER else mark


# --- Building the map: laying tiles, legal places for a tile (B14.3), holes (B14.4), neighbours
#
# The legal places of a tile depend only on its shape, and all tiles share two shapes in six rotations. They are found row by
# row: a row of the map is a bit set, so that one shift compares a space of the tile with a whole row. (An explored tile has to
# touch a given space, so `exploring` checks the places around that.)

NATURAL_WONDER = names.NATURAL_WONDER

# By direction.
STEP_Q = (1, 0, -1, -1, 0, 1)
STEP_R = (0, 1, 1, 0, -1, -1)

# Kinds of tiles (`tile_kind`).
KIND_NATURAL_WONDER, KIND_CITY_STATE, KIND_CAPITAL = 1, 2, 3
SHAPES = 12  # side * 6 + rotation
NO_SPACE = -1
OUTSIDE = -2  # grid cell that the search for holes has reached from outside

# Bit of a space in its row = q + ROW_ORIGIN. A tile's spaces lie at most 3 steps from its space 0, so its ring lies within
# REACH. Bit of an anchor, a place for a tile's space 0 = q + ANCHOR_ORIGIN: so all shifts go to the right.
REACH = 4
ROW_ORIGIN = 33
ANCHOR_ORIGIN = ROW_ORIGIN - REACH
ANCHORS = ((1 << 49) - 1) << 5  # q from -24 to 24

# What a tile has to touch besides enough laid spaces (B14.3): the core, a tile at the core, or anything (maps of users only).
TOUCH_CORE, TOUCH_SECOND, TOUCH_ANY = range(3)


@jit
def clear_grid(w):
    """Empty the look-up grid."""
    w.grid[:] = NO_SPACE


@jit
def rebuild_grid(g, w):
    """Make the look-up grid show the spaces of the game `g`."""
    clear_grid(w)
    for s in range(g.n_spaces):
        w.grid[int(g.axial_q[s]) + names.GRID_ORIGIN, int(g.axial_r[s]) + names.GRID_ORIGIN] = s


@inline
def add_space(g, w, q, row, tile, terrain):
    """Append one space to the map and return its index."""
    s = int(g.n_spaces)
    g.axial_q[s] = q
    g.axial_r[s] = row
    g.tile[s] = tile
    g.terrain[s] = terrain
    w.grid[q + names.GRID_ORIGIN, row + names.GRID_ORIGIN] = s
    g.n_spaces = s + 1
    return s


@jit
def populate(r, g, s, tile, side, i):
    """Put the tokens of the symbols on space `i` of the tile onto space `s` (B2.3, B2.7)."""
    kind = int(r.tile_resource[tile - 1, side, i])
    if kind >= 0 and g.supply[kind] > 0:
        g.resource[s] = kind
        g.supply[kind] -= 1
    wonder = int(r.tile_natural_wonder[tile - 1, side, i])
    if wonder >= 0:
        g.terrain[s] = NATURAL_WONDER
        g.natural_wonder[s] = wonder
        g.natural_wonder_owner[wonder] = -1
        g.natural_wonder_space[wonder] = s
    city_state = int(r.tile_city_state[tile - 1, side, i])
    if city_state >= 0:
        g.terrain[s] = GRASSLAND
        g.city_state[s] = city_state
        g.city_state_owner[city_state] = -1
        g.city_state_space[city_state] = s
        g.city_state_cards_left[city_state] = r.city_state_copies[city_state]
    letter = int(r.tile_barbarian[tile - 1, side, i])
    if letter >= 0:
        g.barbarians[s] = 1
        g.barbarian_space[letter] = s
        g.barbarian_home[letter] = s


@jit
def lay_tile(r, g, w, seat, tile, side, rotation, q, row):
    """Lay a tile with its space 0 at (q, row) and return the index of that space; `seat` -1 = laid by nobody.

    Its tokens are put on at once: nothing happens between the last tile and B2.3, and the players see the symbols.
    """
    shape = side * 6 + rotation
    first = int(g.n_spaces)
    for i in range(names.TILE_SPACES):
        q_i, row_i = q + int(r.offset_q[shape, i]), row + int(r.offset_r[shape, i])
        s = add_space(g, w, q_i, row_i, tile, int(r.tile_terrain[tile - 1, side, i]))
        populate(r, g, s, tile, side, i)
    log(w, LOG_TILE, seat, tile, side, rotation, q, row)
    return first


@jit
def lay_at(r, g, w, seat, tile, place):
    """Lay a tile in a place (an option of decisions.PLACE_TILE); return the index of its space 0."""
    shape = place // (names.GRID * names.GRID)
    q = place // names.GRID % names.GRID - names.GRID_ORIGIN
    return lay_tile(r, g, w, seat, tile, shape // 6, shape % 6, q, place % names.GRID - names.GRID_ORIGIN)


@inline
def star_of(r, tile, place):
    """Return the number of the tile's space with the star, -1 if there is none; `place`: an option of PLACE_TILE."""
    return int(r.tile_capital[tile - 1, place // (6 * names.GRID * names.GRID)])


@jit
def has_hole(g, w):
    """Is there a hole in the map, which is connected?

    By Euler's formula: holes = 1 - spaces + adjacent pairs - triples of mutually adjacent spaces.
    """
    holes = 1 - int(g.n_spaces)
    for s in range(g.n_spaces):
        q = int(g.axial_q[s]) + names.GRID_ORIGIN
        row = int(g.axial_r[s]) + names.GRID_ORIGIN
        east = 1 if w.grid[q + 1, row] >= 0 else 0
        southeast = 1 if w.grid[q, row + 1] >= 0 else 0
        southwest = 1 if w.grid[q - 1, row + 1] >= 0 else 0
        holes += east + southeast + southwest - southeast * (east + southwest)
    return holes > 0


@inline
def next_to_outside(w, i, j):
    """Has the search from outside reached a neighbour of the grid cell?"""
    reached = False
    for d in range(6):
        if w.grid[i + STEP_Q[d], j + STEP_R[d]] == OUTSIDE:
            reached = True
    return reached


@jit
def mark_outside(w, q0, q1, r0, r1):
    """Mark the empty grid cells of the box that are connected with its border, by sweeps to and fro."""
    for i in range(q0, q1 + 1):
        w.grid[i, r0] = OUTSIDE
        w.grid[i, r1] = OUTSIDE
    for j in range(r0, r1 + 1):
        w.grid[q0, j] = OUTSIDE
        w.grid[q1, j] = OUTSIDE
    changed = True
    backwards = False
    while changed:
        changed = False
        for a in range(q0 + 1, q1):
            i = q0 + q1 - a if backwards else a
            for b in range(r0 + 1, r1):
                j = r0 + r1 - b if backwards else b
                if w.grid[i, j] == NO_SPACE and next_to_outside(w, i, j):
                    w.grid[i, j] = OUTSIDE
                    changed = True
        backwards = not backwards


@inline
def may_fill(r, g):
    """May one more space become water: with a water token, or none needed, and with room left for the tiles of the stack?"""
    return (g.water_tokens > 0 or r.holes_are_water != 0) and g.n_spaces + names.TILE_SPACES * int(g.stack_n) < names.MAX_SPACES


@jit
def fill_holes(r, g, w):
    """Fill the holes with water (B14.4), by one ruling only while there are water tokens (B14.4a)."""
    q0 = q1 = int(g.axial_q[0]) + names.GRID_ORIGIN
    r0 = r1 = int(g.axial_r[0]) + names.GRID_ORIGIN
    for s in range(g.n_spaces):
        q0 = min(q0, int(g.axial_q[s]) + names.GRID_ORIGIN - 1)
        q1 = max(q1, int(g.axial_q[s]) + names.GRID_ORIGIN + 1)
        r0 = min(r0, int(g.axial_r[s]) + names.GRID_ORIGIN - 1)
        r1 = max(r1, int(g.axial_r[s]) + names.GRID_ORIGIN + 1)
    mark_outside(w, q0, q1, r0, r1)
    for j in range(r0, r1 + 1):
        for i in range(q0, q1 + 1):
            if w.grid[i, j] == OUTSIDE:
                w.grid[i, j] = NO_SPACE
            elif w.grid[i, j] == NO_SPACE and may_fill(r, g):
                s = add_space(g, w, i - names.GRID_ORIGIN, j - names.GRID_ORIGIN, 0, WATER)
                g.water_tokens = max(0, g.water_tokens - 1)
                log(w, LOG_HOLE, -1, s, 0, 0, 0, 0)


@jit
def close_holes(r, g, w):
    """Fill the holes of a connected map with water, if it has any (B14.4)."""
    if may_fill(r, g) and has_hole(g, w):
        fill_holes(r, g, w)


@jit
def tiles_at_core(g, w, core_spaces):
    """Return the set of tiles (bit = tile number) that lie next to the core."""
    tiles = 0
    for s in range(core_spaces, g.n_spaces):
        for d in range(6):
            q = int(g.axial_q[s]) + STEP_Q[d] + names.GRID_ORIGIN
            row = int(g.axial_r[s]) + STEP_R[d] + names.GRID_ORIGIN
            if 0 <= w.grid[q, row] < core_spaces and g.tile[s] > 0:
                tiles |= 1 << int(g.tile[s])
    return tiles


@jit
def clear_rows(w):
    """Empty the bit sets of the rows."""
    for j in range(names.GRID):
        w.row_laid[j] = 0
        w.row_counted[j] = 0
        w.row_goal[j] = 0


@jit
def spread_goal(w):
    """Write the goal spaces and their neighbours into the bit sets of the rows."""
    for j in range(1, names.GRID - 1):
        above, here, below = w.row_goal[j - 1], w.row_goal[j], w.row_goal[j + 1]
        w.row_beside[j] = above | above >> 1 | here << 1 | here | here >> 1 | below << 1 | below


@jit
def draw_rows(g, w, core_spaces, goal):
    """Write the laid spaces, the goal spaces to be touched and their neighbours into the bit sets of the rows (B14.3)."""
    clear_rows(w)
    second = tiles_at_core(g, w, core_spaces) if goal == TOUCH_SECOND else 0
    for s in range(g.n_spaces):
        row = int(g.axial_r[s]) + names.GRID_ORIGIN
        bit = 1 << (int(g.axial_q[s]) + ROW_ORIGIN)
        w.row_laid[row] |= bit
        w.row_counted[row] |= bit
        at_goal = s < core_spaces if goal == TOUCH_CORE else (second >> int(g.tile[s])) & 1 == 1
        if goal == TOUCH_ANY or at_goal:
            w.row_goal[row] |= bit
    spread_goal(w)


@inline
def is_core(r, g, s):
    """Is it a space of a tile without a star? While a game of Terra Incognita is set up, these are the core (T1.6)."""
    return 0 < g.tile[s] <= names.MAX_TILES and r.tile_kind[g.tile[s] - 1] != KIND_CAPITAL


@jit
def draw_frontier_rows(r, g, w):
    """Write the laid spaces, those of core and forts, and the neighbours of these into the bit sets of the rows (T1.8)."""
    clear_rows(w)
    for s in range(g.n_spaces):
        row = int(g.axial_r[s]) + names.GRID_ORIGIN
        bit = 1 << (int(g.axial_q[s]) + ROW_ORIGIN)
        w.row_laid[row] |= bit
        if is_core(r, g, s) or is_fort(g, s):
            w.row_counted[row] |= bit
            w.row_goal[row] |= bit
    spread_goal(w)


@inline
def ring_row(r, w, shape, row, k):
    """Return the anchors in the row, as bits, with which space `k` around the shape is one that counts."""
    return w.row_counted[row + int(r.ring_r[shape, k])] >> (REACH + int(r.ring_q[shape, k]))


@inline
def anchors_in_row(r, w, shape, row):
    """Return the anchors in the row, as bits, with which the shape touches a goal and covers no laid space."""
    near = 0
    covered = 0
    for i in range(names.TILE_SPACES):
        other = row + int(r.offset_r[shape, i])
        shift = REACH + int(r.offset_q[shape, i])
        near |= w.row_beside[other] >> shift
        covered |= w.row_laid[other] >> shift
    return near & ~covered & ANCHORS


@inline
def touching(r, w, shape, row, need):
    """Return the anchors in the row, as bits, with which the shape touches at least `need` spaces that count.

    The touched spaces of all anchors are counted at once, in binary: a bit of `ones`, `twos`, `fours` and `eights` for each
    anchor, where `eights` stands for 8 or more (`need` is at most 8).
    """
    ones = twos = fours = eights = 0
    for k in range(r.ring_n[shape]):
        carry = ring_row(r, w, shape, row, k)
        ones, carry = ones ^ carry, ones & carry
        twos, carry = twos ^ carry, twos & carry
        fours, carry = fours ^ carry, fours & carry
        eights |= carry
    more = 0
    equal = -1
    for digit, value in ((eights, 8), (fours, 4), (twos, 2), (ones, 1)):
        if need & value != 0:
            equal &= digit
        else:
            more |= equal & digit
            equal &= ~digit
    return more | equal


@jit
def search_rows(r, w, need):
    """Write the places where a tile touches the goal and `need` spaces that count into ``w.option``; return how many."""
    low = names.GRID
    high = 0
    for j in range(names.GRID):
        if w.row_goal[j] != 0:
            low = min(low, j)
            high = max(high, j)
    n = 0
    for shape in range(SHAPES):
        for row in range(max(low - REACH, REACH), min(high + REACH + 1, names.GRID - REACH)):
            anchors = anchors_in_row(r, w, shape, row)
            if anchors != 0:
                anchors &= touching(r, w, shape, row, need)
            while anchors != 0 and n < state.MAX_OPTIONS:
                q = lowest_bit(anchors) - ANCHOR_ORIGIN
                w.option[n] = (shape * names.GRID + q + names.GRID_ORIGIN) * names.GRID + row
                n += 1
                anchors &= anchors - 1
    return n


@jit
def list_places(r, g, w, core_spaces, goal, need):
    """Write the places where a tile touches the goal and `need` laid spaces into ``w.option``; return how many."""
    draw_rows(g, w, core_spaces, goal)
    return search_rows(r, w, need)


@jit
def legal_places(r, g, w):
    """Write all legal places for a tile (PLACE_TILE values) into ``w.option``; return how many (B14.3).

    If no place touches the core, a tile next to the core has to be touched; further steps keep maps and house rules playable
    that leave no such place.
    """
    core_spaces = int(r.core_tiles) * names.TILE_SPACES
    need = int(r.touch_min)
    n = 0
    for goal in range(TOUCH_CORE if r.touch_core != 0 else TOUCH_ANY, TOUCH_ANY + 1):
        if n == 0:
            n = list_places(r, g, w, core_spaces, goal, need)
    while n == 0 and need > 1:
        need -= 1
        n = list_places(r, g, w, core_spaces, TOUCH_ANY, need)
    return n


@jit
def capital_places(r, g, w):
    """Write all legal places for a capital tile into ``w.option``; return how many (T1.8).

    It touches enough spaces of core and forts; fewer are enough if house rules leave no such place.
    """
    draw_frontier_rows(r, g, w)
    need = int(r.touch_min)
    n = search_rows(r, w, need)
    while n == 0 and need > 1:
        need -= 1
        n = search_rows(r, w, need)
    return n


@jit
def connect(g, w):
    """Compute neighbours, coast and map edge of every space."""
    for s in range(g.n_spaces):
        edge = 0
        coastal = 0
        for d in range(6):
            q = int(g.axial_q[s]) + STEP_Q[d] + names.GRID_ORIGIN
            row = int(g.axial_r[s]) + STEP_R[d] + names.GRID_ORIGIN
            n = int(w.grid[q, row])
            g.neighbour[s, d] = n
            if n < 0:
                edge = 1
            elif g.terrain[n] == WATER:
                coastal = 1
        g.edge[s] = edge
        g.coastal[s] = max(edge, coastal)
