"""Barbarians: appearing and moving (B11)."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions, state
from .choosing import LOG_BARBARIAN, LOG_BARBARIAN_DIE, below, choose, log, roll_die
from .compile.jit import expansion, jit
from .map import is_city, is_empty, is_token
from .pieces import (
    conquered_city_state,
    destroy_armies,
    destroy_caravans,
    flip_token,
    free_city_state,
    lose_army,
    take_city_off,
    take_token_off,
)
from .trade import give_up_trade
from .winning import settle

# Which of several barbarians on a space moves on (`r.crowd_moves`): the first player's choice, by die, or the last.
CROWD_ANY, CROWD_BY_DIE, CROWD_LAST = range(3)
TRIES = 200  # dice after which a barbarian between others stays where it is


@jit
def land_that_way(g, s, direction):
    """Return the first land space from `s` in the direction, over water (B11.1), or -1 off the map."""
    t = g.neighbour[s, direction]
    while t >= 0 and g.terrain[t] == names.WATER:
        t = g.neighbour[t, direction]
    return int(t)


@jit
def barred(r, g, s):
    """Petra: is the space a city or reinforced token of a player who keeps barbarians out?"""
    p = g.owner[s]
    return p >= 0 and (is_city(g, s) or g.piece[s] == names.REINFORCED) and g.power[p, codes.BARBARIANS_BARRED] != 0


@jit
def destination(r, g, s, direction):
    """Return the space a barbarian on `s` moves to; `s` itself if it cannot move."""
    back = (direction + 3) % 6
    t = land_that_way(g, s, direction)
    turned = t < 0
    if turned:  # off the map: the opposite way
        if g.neighbour[s, direction] >= 0 and r.barbarian_turns_at_edge != 0:
            return s  # over water: the first land on the way back from the edge is its own space (B11.1a)
        t = land_that_way(g, s, back)
    if t >= 0 and barred(r, g, t):
        t = land_that_way(g, s, back) if not turned and r.barred_barbarian_turns_back != 0 else -1
        if t >= 0 and barred(r, g, t):
            t = -1
    return s if t < 0 else t


@jit
def raid_capital(r, g, w, bots, p):
    """The owner of the capital gives up trade tokens of own choice (B11.2)."""
    give_up_trade(r, g, w, bots, p, r.capital_raid, decisions.SOURCE_BARBARIAN)


@jit
def place_barbarian(g, w, b, s, what):
    """Move the barbarian to the space; `what`: as in LOG_BARBARIAN."""
    old = g.barbarian_space[b]
    if old >= 0:
        g.barbarians[old] -= 1
    g.barbarian_space[b] = s
    g.barbarians[s] += 1
    log(w, LOG_BARBARIAN, -1, b, old, s, what, 0)


@jit
def destroy_city(r, g, w, s):
    """A barbarian destroys the city; a conquered city-state there is set free (B11.3c)."""
    cs = conquered_city_state(g, s)
    take_city_off(g, w, s, -1)
    if cs >= 0 and r.destroyed_city_frees != 0:
        free_city_state(g, w, cs, 2)


@jit
def list_armies_on(g, w, p, s):
    """List the armies of seat `p` on the space; return how many."""
    n = 0
    for a in range(names.MAX_ARMIES):
        if g.army[p, a] == s:
            w.option[n] = a
            n += 1
    return n


@expansion
def meet_armies(r, g, w, bots, s) -> None:
    """A barbarian that moves onto armies returns them to their cards, by a ruling only one of its owner's choice (T5.16)."""
    if r.barbarian_hits_one_army == 0:
        destroy_armies(g, w, s)
        return
    for k in range(g.players):
        p = (int(g.first) + k) % g.players
        n = list_armies_on(g, w, p, s)
        if n > 0:
            w.ask_space = s
            lose_army(g, w, p, choose(r, g, w, bots, p, decisions.ARMY_LOST, n), -1)
            return


@jit
def raid(r, g, w, bots, b, direction):
    """Move barbarian `b` one step and resolve what it meets (B11.1, B11.2); armies throw it back (T5.16)."""
    start = g.barbarian_space[b]
    s = destination(r, g, start, direction)
    ahead = land_that_way(g, start, direction)
    how = 0 if s == ahead else 5 if ahead >= 0 else 6
    if s == start:
        log(w, LOG_BARBARIAN, -1, b, start, start, how, 0)
        return
    place_barbarian(g, w, b, s, how)
    if g.armies[s] != 0:
        meet_armies(r, g, w, bots, s)
        place_barbarian(g, w, b, start, 3)
        return
    destroy_caravans(g, w, s)
    if g.piece[s] == names.REINFORCED:
        flip_token(g, w, s, names.TOKEN)
        place_barbarian(g, w, b, start, 3)
    elif is_token(g, s):
        take_token_off(r, g, w, s, -1)
    elif g.piece[s] == names.CAPITAL:
        raid_capital(r, g, w, bots, g.owner[s])
        if r.barbarian_stays_at_capital == 0:
            place_barbarian(g, w, b, start, 3)
    elif is_city(g, s):
        destroy_city(r, g, w, s)
    settle(r, g, w, bots)


@jit
def roll_direction(r, g, w):
    """Roll the die that gives the direction (B2.4)."""
    face = roll_die(g, state.STREAM_DICE)
    direction = int(g.barbarian_die[face])
    log(w, LOG_BARBARIAN_DIE, -1, face, direction, 0, 0, 0)
    return direction


@jit
def list_crowd(r, g, w):
    """List the barbarians that share their space with another, in moving order; return how many."""
    n = 0
    for i in range(names.MAX_BARBARIANS):
        b = i if r.barbarian_letter_order != 0 else names.MAX_BARBARIANS - 1 - i
        s = g.barbarian_space[b]
        if s >= 0 and g.barbarians[s] > 1:
            w.option[n] = b
            n += 1
    return n


@jit
def one_of_crowd(r, g, w, bots, n):
    """Return which of the `n` listed barbarians moves on: the first player's choice, unless the ruling says otherwise."""
    if r.crowd_moves == CROWD_BY_DIE:
        return w.option[below(g, state.STREAM_DICE, n)]
    if r.crowd_moves == CROWD_LAST:
        return w.option[n - 1]
    return choose(r, g, w, bots, int(g.first), decisions.MOVE_ON, n)


@jit
def move_barbarians(r, g, w, bots):
    """B11.1-B11.4: all move in the direction of one die, in letter order; then die after die moves one of a crowd on."""
    direction = roll_direction(r, g, w)
    for _ in range(r.barbarian_steps):  # one, in the printed game
        for i in range(names.MAX_BARBARIANS):
            b = i if r.barbarian_letter_order != 0 else names.MAX_BARBARIANS - 1 - i
            if g.barbarian_space[b] >= 0:
                raid(r, g, w, bots, b, direction)
    for _ in range(TRIES):
        n = list_crowd(r, g, w)
        if n == 0:
            return
        direction = roll_direction(r, g, w)
        raid(r, g, w, bots, one_of_crowd(r, g, w, bots, n), direction)


@jit
def barbarians_appear(r, g, w, bots):
    """B11.5, T5.17: each beaten barbarian returns to the space of its letter if no city and no token is there."""
    back = 0
    for b in range(names.MAX_BARBARIANS):
        s = g.barbarian_home[b]
        if g.barbarian_space[b] != -1 or g.barbarians[s] != 0 or back >= r.barbarians_back:
            continue
        if g.piece[s] != 0 or g.city_state[s] >= 0 or g.wonder_token[s] >= 0:
            continue
        destroy_caravans(g, w, s)
        destroy_armies(g, w, s)
        place_barbarian(g, w, b, s, 1)
        back += 1
    settle(r, g, w, bots)


# --- Seoul


@jit
def list_pushes(r, g, w):
    """List the pushes that Seoul's card allows: a barbarian to an adjacent empty land space."""
    n = 0
    for b in range(names.MAX_BARBARIANS):
        s = g.barbarian_space[b]
        if s < 0:
            continue
        for d in range(6):
            t = int(g.neighbour[s, d])
            if t >= 0 and g.terrain[t] != names.WATER and is_empty(g, t):
                w.option[n] = b * 256 + t
                n += 1
    return n


@jit
def push_barbarians(r, g, w, bots, p, pushes):
    """Seoul: push a barbarian."""
    for _ in range(pushes):
        n = list_pushes(r, g, w)
        w.option[n] = decisions.PASS
        picked = choose(r, g, w, bots, p, decisions.SEOUL_MOVE, n + 1)
        if picked == decisions.PASS:
            return
        place_barbarian(g, w, picked // 256, picked % 256, 4)
