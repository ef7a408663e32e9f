"""Spaces: difficulty, neighbours, and counting distances.

Directions, clockwise from east, in axial coordinates (q right, r down and right):

        4   5
      3   .   0        0 (1, 0)   1 (0, 1)   2 (-1, 1)
        2   1          3 (-1, 0)  4 (0, -1)  5 (1, -1)
"""

from ... import limits, names
from ...rules import ability_codes as codes
from ..core.jit import expansion, inline, jit

GRASSLAND, WATER = names.GRASSLAND, names.WATER
CITY, CAPITAL, TOKEN, REINFORCED = names.CITY, names.CAPITAL, names.TOKEN, names.REINFORCED

# What a count may do with a space (`w.mark`).
BLOCKED, PASSABLE, END_ONLY = 0, 1, 2
OFF_MAP = limits.MAX_SPACES  # stands for every neighbour off the map


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
    """Return the difficulty of a terrain, next to water (`coastal` 1) or not, for what seat `p` does (ability_codes.DOINGS).

    Abilities ease terrains in their owner's turn only (B1.1).
    """
    return int(g.ground[p, doing, coastal, terrain]) if g.current == p else int(r.terrain_difficulty[terrain])


@inline
def difficulty(r, g, p, s):
    """Return the terrain difficulty of space `s` for seat `p` in a fight."""
    return ground_difficulty(r, g, p, codes.FIGHT, int(g.terrain[s]), int(g.coastal[s]))


@inline
def is_fort(g, s):
    """Is the space a fort (T6.1)? Its terrain is forest."""
    return g.tile[s] >= limits.FORT_TILE


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
    """Forbid figures to enter forts (T6.2: from a low slot)."""
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
    """Count distances as `flood` does, through what ``w.fresh`` allows; END_ONLY is heeded if spaces are `marked` (1)."""
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
            for d in range(6):  # without a branch: whether a neighbour is new is a coin toss to the processor
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

    ``w.mark`` says which spaces may be entered; an END_ONLY space is reached but not passed. Return how many spaces are
    within reach; ``w.queue`` lists them, the nearest first.
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
    """Note how far the space is (-1: off the map), if it may be entered and is new, behind the `n` reached; return how many."""
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
    """Count distances from the `n` spaces in ``w.queue`` through anything, into layer 0; return how many they reach."""
    for t in range(g.n_spaces):
        w.dist[0, t] = -1
        w.fresh[t] = 1
    return spread(g, w, 0, n, limit, 0)


@jit
def flood_through_anything(g, w, layer, s, limit):
    """Count distances from one space through anything, whatever is marked; return how many spaces are within reach, listed
    in ``w.queue``."""
    for t in range(g.n_spaces):
        w.dist[layer, t] = -1
        w.fresh[t] = 1
    w.queue[0] = s
    return spread(g, w, layer, 1, limit, 0)


@jit
def queue_friendly(g, w, p, skip_taken):
    """Put the friendly spaces of `p` into ``w.queue`` (without those taken this turn, if asked); return how many."""
    n = 0
    for s in range(g.n_spaces):
        taken = g.taken[s] * skip_taken
        w.queue[n] = s
        n += 1 if g.owner[s] == p and taken == 0 else 0
    return n


@jit
def mark_attack(g, w, p, through_water, through_rival, through_barbarian):
    """Mark the spaces an attack of seat `p` may be counted through: not water, rival spaces or barbarians, unless the card
    says so; those it may still end on."""
    water = PASSABLE if through_water != 0 else BLOCKED
    for s in range(g.n_spaces):
        terrain = g.terrain[s]
        owner = g.owner[s]
        barbarians = g.barbarians[s]
        mark = PASSABLE
        if (owner >= 0 and owner != p and through_rival == 0) or (barbarians != 0 and through_barbarian == 0):
            mark = END_ONLY
        w.mark[s] = water if terrain == WATER else mark
