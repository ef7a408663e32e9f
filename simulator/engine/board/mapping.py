"""The map while it is built: laying tiles, legal places for a tile (B14.3), holes (B14.4), neighbours.

Where a tile may be laid depends only on its shape, and all tiles share two shapes in six rotations. The legal places
are found row by row: a row of the map is a bit set, so that one shift compares a space of the tile with a whole row.
(An explored tile has to touch a space named, so `exploring` looks at the places around that one.)
"""

from ... import limits, names
from ..core import state
from ..core.jit import inline, jit, lowest_bit
from ..core.log import LOG_HOLE, LOG_TILE, log
from .hexes import is_fort

GRASSLAND, WATER, NATURAL_WONDER = names.GRASSLAND, names.WATER, names.NATURAL_WONDER

# Directions clockwise from east (see board/hexes.py).
STEP_Q = (1, 0, -1, -1, 0, 1)
STEP_R = (0, 1, 1, 0, -1, -1)

# Kinds of tiles (`tile_kind`).
KIND_NATURAL_WONDER, KIND_CITY_STATE, KIND_CAPITAL = 1, 2, 3
SHAPES = 12  # side * 6 + rotation
NO_SPACE = -1
OUTSIDE = -2  # grid cell that the search for holes has reached from outside

# Bit of a space in its row = q + ROW_ORIGIN. A tile's spaces lie at most 3 steps from its space 0, so its ring lies within
# REACH. Bit of an anchor, where a tile's space 0 may lie = q + ANCHOR_ORIGIN: shifts then only go to the right.
REACH = 4
ROW_ORIGIN = 33
ANCHOR_ORIGIN = ROW_ORIGIN - REACH
ANCHORS = ((1 << 49) - 1) << 5  # q from -24 to 24

# What a tile has to touch besides enough laid spaces (B14.3); the last is a way out that printed tiles never need.
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
        w.grid[int(g.axial_q[s]) + limits.GRID_ORIGIN, int(g.axial_r[s]) + limits.GRID_ORIGIN] = s


@inline
def add_space(g, w, q, row, tile, terrain):
    """Append one space to the map and return its index."""
    s = int(g.n_spaces)
    g.axial_q[s] = q
    g.axial_r[s] = row
    g.tile[s] = tile
    g.terrain[s] = terrain
    w.grid[q + limits.GRID_ORIGIN, row + limits.GRID_ORIGIN] = s
    g.n_spaces = s + 1
    return s


@jit
def populate(r, g, s, tile, side, i):
    """Put the tokens of the symbols printed on space `i` of the tile onto space `s` (B2.3, B2.7)."""
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

    Tokens are put on at once: nothing happens between the last tile and B2.3, and the players see what is printed.
    """
    shape = side * 6 + rotation
    first = int(g.n_spaces)
    for i in range(limits.TILE_SPACES):
        q_i, row_i = q + int(r.offset_q[shape, i]), row + int(r.offset_r[shape, i])
        s = add_space(g, w, q_i, row_i, tile, int(r.tile_terrain[tile - 1, side, i]))
        populate(r, g, s, tile, side, i)
    log(w, LOG_TILE, seat, tile, side, rotation, q, row)
    return first


@jit
def lay_at(r, g, w, seat, tile, place):
    """Lay a tile in a place, coded as decisions.PLACE_TILE says; return the index of its space 0."""
    shape = place // (limits.GRID * limits.GRID)
    q = place // limits.GRID % limits.GRID - limits.GRID_ORIGIN
    return lay_tile(r, g, w, seat, tile, shape // 6, shape % 6, q, place % limits.GRID - limits.GRID_ORIGIN)


@inline
def star_of(r, tile, place):
    """Return which space of the tile in the place shows the star, -1 if none does."""
    return int(r.tile_capital[tile - 1, place // (6 * limits.GRID * limits.GRID)])


@jit
def has_hole(g, w):
    """Is there a hole in a map that is connected?

    For hexes of one connected piece: holes = 1 - spaces + adjacent pairs - triples of mutually adjacent spaces.
    """
    holes = 1 - int(g.n_spaces)
    for s in range(g.n_spaces):
        q = int(g.axial_q[s]) + limits.GRID_ORIGIN
        row = int(g.axial_r[s]) + limits.GRID_ORIGIN
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
    """May one more space become water: is a water token left, or none needed, and room for it and the tiles of the stack?"""
    return (g.water_tokens > 0 or r.holes_are_water != 0) and g.n_spaces + limits.TILE_SPACES * int(
        g.stack_n
    ) < limits.MAX_SPACES


@jit
def fill_holes(r, g, w):
    """Fill the spaces closed in on all sides with water (B14.4), by one ruling only as far as the water tokens go (B14.4a)."""
    q0 = q1 = int(g.axial_q[0]) + limits.GRID_ORIGIN
    r0 = r1 = int(g.axial_r[0]) + limits.GRID_ORIGIN
    for s in range(g.n_spaces):
        q0 = min(q0, int(g.axial_q[s]) + limits.GRID_ORIGIN - 1)
        q1 = max(q1, int(g.axial_q[s]) + limits.GRID_ORIGIN + 1)
        r0 = min(r0, int(g.axial_r[s]) + limits.GRID_ORIGIN - 1)
        r1 = max(r1, int(g.axial_r[s]) + limits.GRID_ORIGIN + 1)
    mark_outside(w, q0, q1, r0, r1)
    for j in range(r0, r1 + 1):
        for i in range(q0, q1 + 1):
            if w.grid[i, j] == OUTSIDE:
                w.grid[i, j] = NO_SPACE
            elif w.grid[i, j] == NO_SPACE and may_fill(r, g):
                s = add_space(g, w, i - limits.GRID_ORIGIN, j - limits.GRID_ORIGIN, 0, WATER)
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
            q = int(g.axial_q[s]) + STEP_Q[d] + limits.GRID_ORIGIN
            row = int(g.axial_r[s]) + STEP_R[d] + limits.GRID_ORIGIN
            if 0 <= w.grid[q, row] < core_spaces and g.tile[s] > 0:
                tiles |= 1 << int(g.tile[s])
    return tiles


@jit
def clear_rows(w):
    """Empty the bit sets of the rows."""
    for j in range(limits.GRID):
        w.row_laid[j] = 0
        w.row_counted[j] = 0
        w.row_goal[j] = 0


@jit
def spread_goal(w):
    """Write into the bit sets of the rows what is or touches a space to be touched."""
    for j in range(1, limits.GRID - 1):
        above, here, below = w.row_goal[j - 1], w.row_goal[j], w.row_goal[j + 1]
        w.row_beside[j] = above | above >> 1 | here << 1 | here | here >> 1 | below << 1 | below


@jit
def draw_rows(g, w, core_spaces, goal):
    """Write the laid spaces, those of them to be touched, and what touches these, into the bit sets of the rows (B14.3)."""
    clear_rows(w)
    second = tiles_at_core(g, w, core_spaces) if goal == TOUCH_SECOND else 0
    for s in range(g.n_spaces):
        row = int(g.axial_r[s]) + limits.GRID_ORIGIN
        bit = 1 << (int(g.axial_q[s]) + ROW_ORIGIN)
        w.row_laid[row] |= bit
        w.row_counted[row] |= bit
        at_goal = s < core_spaces if goal == TOUCH_CORE else (second >> int(g.tile[s])) & 1 == 1
        if goal == TOUCH_ANY or at_goal:
            w.row_goal[row] |= bit
    spread_goal(w)


@inline
def is_core(r, g, s):
    """Is it a space of a tile that shows no star? While a game of Terra Incognita is set up, these are the core (T1.6)."""
    return 0 < g.tile[s] <= limits.MAX_TILES and r.tile_kind[g.tile[s] - 1] != KIND_CAPITAL


@jit
def draw_frontier_rows(r, g, w):
    """Write the laid spaces, those of core and forts, and what touches these, into the bit sets of the rows (T1.8)."""
    clear_rows(w)
    for s in range(g.n_spaces):
        row = int(g.axial_r[s]) + limits.GRID_ORIGIN
        bit = 1 << (int(g.axial_q[s]) + ROW_ORIGIN)
        w.row_laid[row] |= bit
        if is_core(r, g, s) or is_fort(g, s):
            w.row_counted[row] |= bit
            w.row_goal[row] |= bit
    spread_goal(w)


@inline
def ring_row(r, w, shape, row, k):
    """Return, as bits, where in the row space 0 may lie for space `k` around the shape to be one that counts."""
    return w.row_counted[row + int(r.ring_r[shape, k])] >> (REACH + int(r.ring_q[shape, k]))


@inline
def anchors_in_row(r, w, shape, row):
    """Return, as bits, where in the row space 0 may lie so that the shape touches a goal and covers no laid space."""
    near = 0
    covered = 0
    for i in range(limits.TILE_SPACES):
        there = row + int(r.offset_r[shape, i])
        shift = REACH + int(r.offset_q[shape, i])
        near |= w.row_beside[there] >> shift
        covered |= w.row_laid[there] >> shift
    return near & ~covered & ANCHORS


@inline
def touching(r, w, shape, row, need):
    """Return, as bits, where in the row space 0 may lie so that the shape touches at least `need` spaces that count.

    All places of the row are counted at once: the count of a place is the number its bits in the digits make, and 8 or
    more once the last digit is set (`need` is at most 8).
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
    low = limits.GRID
    high = 0
    for j in range(limits.GRID):
        if w.row_goal[j] != 0:
            low = min(low, j)
            high = max(high, j)
    n = 0
    for shape in range(SHAPES):
        for row in range(max(low - REACH, REACH), min(high + REACH + 1, limits.GRID - REACH)):
            anchors = anchors_in_row(r, w, shape, row)
            if anchors != 0:
                anchors &= touching(r, w, shape, row, need)
            while anchors != 0 and n < state.MAX_OPTIONS:
                q = lowest_bit(anchors) - ANCHOR_ORIGIN
                w.option[n] = (shape * limits.GRID + q + limits.GRID_ORIGIN) * limits.GRID + row
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

    If no place touches the core, a tile that touches it has to be touched; the steps after that keep rules of one's
    own making playable.
    """
    core_spaces = int(r.core_tiles) * limits.TILE_SPACES
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

    It touches enough spaces of core and forts; fewer of them do where rules of one's own leave no such place.
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
    """Fill in what depends on the whole map: neighbours, coast and map edge."""
    for s in range(g.n_spaces):
        edge = 0
        coastal = 0
        for d in range(6):
            q = int(g.axial_q[s]) + STEP_Q[d] + limits.GRID_ORIGIN
            row = int(g.axial_r[s]) + STEP_R[d] + limits.GRID_ORIGIN
            n = int(w.grid[q, row])
            g.neighbour[s, d] = n
            if n < 0:
                edge = 1
            elif g.terrain[n] == WATER:
                coastal = 1
        g.edge[s] = edge
        g.coastal[s] = max(edge, coastal)
