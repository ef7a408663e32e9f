"""Caching facts of the board: what changed since they were last read, and for which seats they still hold.

Most of the time of reading facts goes into counts around a seat's land, most of which stay the same from one way of a turn to
the next. So the workspace keeps the board as last read (``w.seen_…``) and the counts of each seat (``w.kept_…``).
`note_changes` compares the boards space by space and drops the counts near a change. Nothing has to report a change: even
another game is noticed. As in chess programs (Y. Nasu: "Efficiently updatable neural-network-based evaluation functions for
computer shogi", 2018).

    land       what is free around the cities, and sites for more: spaces within NEAR steps of the seat's
    distances  from the seat's land to capitals and city-states: the seat's own spaces, and where those lie
    reach      spaces that the military card reaches from the land: spaces within NEAR steps, and what the card may cross

Facts read with and without it are the same to the bit (tests/strategies/test_board_changes.py; `python -m
newdawn.scripts.checks.cached_facts` compares every decision of many games).
"""

from ...simulator import names
from ...simulator.engine.compile.jit import inline, jit
from ...simulator.engine.map import flood, hex_distance, mark_attack, queue_friendly
from ...simulator.rules import codes

NEAR = 3  # cached counts look at most so many steps from the seat's spaces
AROUND = 1 + 3 * NEAR * (NEAR + 1)  # spaces within NEAR steps of one
NOTHING_KEPT = -1
BASE = 16  # of the number that stands for the rules


@inline
def rules_mark(r):
    """Return a number that differs between rules with other counts of the land."""
    mark = int(r.box) * 2 + (1 if r.ruin_blocks_city != 0 else 0)
    for t in range(names.N_TERRAINS):
        mark = mark * BASE + min(BASE - 1, int(r.terrain_difficulty[t]))
    return mark


@inline
def is_eased(r, g, p):
    """Does the ground count as easier to seat `p`, whose turn it is, so that it finds other sites than in others' turns?"""
    if p != g.current:
        return False
    eased = g.power[p, codes.WATERSIDE_CITIES] != 0
    for t in range(names.N_TERRAINS):
        for coastal in range(2):
            eased |= g.ground[p, codes.BUILD_CITY, coastal, t] != r.terrain_difficulty[t]
    return eased


@jit
def list_changes(g, w):
    """List in ``w.queue`` the spaces on which something lies otherwise than when last read; return how many."""
    for s in range(g.n_spaces):
        ground = (g.tile[s] != w.seen_tile[s]) | (g.terrain[s] != w.seen_terrain[s]) | (g.coastal[s] != w.seen_coastal[s])
        held = (g.owner[s] != w.seen_owner[s]) | (g.piece[s] != w.seen_piece[s]) | (g.barbarians[s] != w.seen_barbarians[s])
        lying = (g.resource[s] != w.seen_resource[s]) | (g.wonder_token[s] != w.seen_wonder_token[s])
        named = (g.city_state[s] != w.seen_city_state[s]) | (g.natural_wonder[s] != w.seen_natural_wonder[s])
        w.fresh[s] = 1 if ground | held | lying | named | (g.armies[s] != w.seen_armies[s]) else 0
    for i in range(names.MAX_NATURAL_WONDERS):
        if g.natural_wonder_owner[i] != w.seen_natural_wonder_owner[i] and g.natural_wonder_space[i] >= 0:
            w.fresh[g.natural_wonder_space[i]] = 1
    for p in range(g.players):
        for a in range(names.MAX_ARMIES):
            if g.army[p, a] != w.seen_army[p, a]:
                if g.army[p, a] >= 0:
                    w.fresh[g.army[p, a]] = 1
                if w.seen_army[p, a] >= 0:
                    w.fresh[w.seen_army[p, a]] = 1
    n = 0
    for s in range(g.n_spaces):
        w.queue[n] = s
        n += int(w.fresh[s])
    return n


@jit
def keep_board(r, g, w):
    """Store the board as it is."""
    w.seen_spaces = g.n_spaces
    w.seen_players = g.players
    w.seen_rules = rules_mark(r)
    for s in range(g.n_spaces):
        w.seen_axial_q[s] = g.axial_q[s]
        w.seen_axial_r[s] = g.axial_r[s]
    for s in range(g.n_spaces):
        w.seen_tile[s] = g.tile[s]
        w.seen_terrain[s] = g.terrain[s]
        w.seen_coastal[s] = g.coastal[s]
    for s in range(g.n_spaces):
        w.seen_owner[s] = g.owner[s]
        w.seen_piece[s] = g.piece[s]
        w.seen_barbarians[s] = g.barbarians[s]
    for s in range(g.n_spaces):
        w.seen_resource[s] = g.resource[s]
        w.seen_wonder_token[s] = g.wonder_token[s]
        w.seen_city_state[s] = g.city_state[s]
    for s in range(g.n_spaces):
        w.seen_natural_wonder[s] = g.natural_wonder[s]
        w.seen_armies[s] = g.armies[s]
    for i in range(names.MAX_NATURAL_WONDERS):
        w.seen_natural_wonder_owner[i] = g.natural_wonder_owner[i]
    for p in range(names.MAX_PLAYERS):
        for a in range(names.MAX_ARMIES):
            w.seen_army[p, a] = g.army[p, a]


@inline
def forget_seat(w, p):
    """Drop the counts of seat `p`."""
    w.kept_land_there[p] = 0
    w.kept_distances_there[p] = 0
    w.kept_reach_n[p] = NOTHING_KEPT


@jit
def is_same_map(r, g, w):
    """Is it the map that was last read, with as many spaces and players, by like rules?"""
    if g.n_spaces != w.seen_spaces or g.players != w.seen_players or w.seen_rules != rules_mark(r):
        return False
    moved = 0
    for s in range(g.n_spaces):
        moved |= int((g.axial_q[s] != w.seen_axial_q[s]) | (g.axial_r[s] != w.seen_axial_r[s]))
    return moved == 0


@jit
def list_around(g, w, s):
    """List (``w.around``) the spaces within NEAR steps of a space as the crow flies, once a map."""
    n = 0
    for t in range(g.n_spaces):
        if hex_distance(g, s, t) <= NEAR:
            w.around[s, n] = t
            n += 1
    w.around_n[s] = n


@jit
def note_changes(r, g, w):
    """Find the changes on the board since it was last read, and drop the counts of the seats near them."""
    if not is_same_map(r, g, w):
        for s in range(names.MAX_SPACES):
            w.around_n[s] = 0
        for p in range(names.MAX_PLAYERS):
            forget_seat(w, p)
        keep_board(r, g, w)
        return
    n = list_changes(g, w)
    moved = 0  # bits of the seats whose spaces are others
    near = 0  # and of those near whose spaces something changed
    for i in range(n):
        s = int(w.queue[i])
        if g.owner[s] >= 0:
            moved |= 1 << int(g.owner[s])
        if w.seen_owner[s] >= 0:
            moved |= 1 << int(w.seen_owner[s])
        if w.around_n[s] == 0:
            list_around(g, w, s)
        for k in range(w.around_n[s]):
            near |= 1 << (1 + int(g.owner[w.around[s, k]]))
    near >>= 1  # without nobody
    for p in range(g.players):
        if moved >> p & 1 != 0:
            forget_seat(w, p)
        elif near >> p & 1 != 0:
            w.kept_land_there[p] = 0
            w.kept_reach_n[p] = NOTHING_KEPT
    if n > 0:
        keep_board(r, g, w)


@jit
def read_distances(g, w, p):
    """Keep how far the land of seat `p` is from every capital and city-state on the map, as the crow flies."""
    if w.kept_distances_there[p] == 0:
        w.kept_distances_there[p] = 1
        for k in range(names.MAX_PLAYERS + names.MAX_CITY_STATES):
            w.kept_target[p, k] = NOTHING_KEPT
    own = NOTHING_KEPT
    for k in range(names.MAX_PLAYERS + names.MAX_CITY_STATES):
        s = int(g.capital[k]) if k < names.MAX_PLAYERS else int(g.city_state_space[k - names.MAX_PLAYERS])
        if s < 0 or w.kept_target[p, k] == s or (k < names.MAX_PLAYERS and k >= g.players):
            continue
        if own < 0:
            own = int(queue_friendly(g, w, p, 0))
        near = 99
        for i in range(own):
            near = min(near, hex_distance(g, s, int(w.queue[i])))
        w.kept_target[p, k] = s
        w.kept_distance[p, k] = near


@jit
def read_reach(g, w, p, through_water, through_rival, through_barbarian, limit):
    """List (``w.kept_reach``) the spaces within `limit` of the land of seat `p`, as an attack counts; return how many."""
    how = ((limit * 2 + through_water) * 2 + through_rival) * 2 + through_barbarian
    if w.kept_reach_n[p] >= 0 and w.kept_reach_how[p] == how:
        return int(w.kept_reach_n[p])
    own = queue_friendly(g, w, p, 0)
    mark_attack(g, w, p, through_water, through_rival, through_barbarian)
    n = flood(g, w, 2, own, limit)
    for i in range(n):
        w.kept_reach[p, i] = w.queue[i]
    w.kept_reach_n[p] = n
    w.kept_reach_how[p] = how if limit <= NEAR else NOTHING_KEPT  # a longer reach is counted anew every time
    return int(n)
