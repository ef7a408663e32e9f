"""City-states that are own cities of whoever holds their diplomacy card, in the holder's turn (Antananarivo, T12.3).

For that turn the space is written as a city of the holder, so that every rule sees one; the token stays where it is and comes
into its own again when the turn ends. A world wonder there belongs to the last holder whose turn it was.
"""

from ... import limits, names
from ...rules import ability_codes as codes
from ..core.jit import inline, jit
from ..core.log import LOG_CITY_STATE, LOG_WONDER_MOVED, log
from .pieces import add_city, drop_city

LENT, NO_LONGER_LENT = 3, 4  # LOG_CITY_STATE


@inline
def is_lent(g, s):
    """Is the city on the space a city-state that is an own city for this turn only? No army may stay there."""
    if g.piece[s] != names.CITY:
        return False
    for cs in range(limits.MAX_CITY_STATES):
        if g.city_state_lent[cs] != 0 and g.city_state_space[cs] == s:
            return True
    return False


@jit
def lend(g, w, p, cs):
    """Make the city-state an own city of seat `p`; a wonder there comes to it from the holder before."""
    s = g.city_state_space[cs]
    before = g.city_state_guest[cs]
    g.city_state[s] = -1
    g.city_state_lent[cs] = 1
    g.city_state_guest[cs] = p
    g.owner[s] = p
    g.piece[s] = names.CITY
    g.space_count[p] += 1
    g.coast_count[p] += g.coastal[s]
    add_city(g, p, s)
    g.dirty = 1
    log(w, LOG_CITY_STATE, p, cs, LENT, -1, 0, 0)
    wonder = g.wonder_token[s]
    if wonder >= 0 and before != p:
        g.stale |= ((1 << (before + 1)) | (1 << (p + 1))) >> 1  # bit of nobody (-1) falls off
        log(w, LOG_WONDER_MOVED, p, wonder, s, before, 0, 0)


@jit
def end_loan(g, w, cs):
    """Make the own city a city-state again."""
    s = g.city_state_space[cs]
    p = g.owner[s]
    drop_city(g, p, s)
    g.space_count[p] -= 1
    g.coast_count[p] -= g.coastal[s]
    g.owner[s] = -1
    g.piece[s] = names.NO_PIECE
    g.city_state[s] = cs
    g.city_state_lent[cs] = 0
    g.dirty = 1
    if g.in_turn != 0:
        log(w, LOG_CITY_STATE, p, cs, NO_LONGER_LENT, -1, 0, 0)


@jit
def settle_loans(r, g, w):
    """In a turn: every city-state that the player at turn has for an own city is one, and no other."""
    p = int(g.current)
    for cs in range(r.n_city_states):
        wanted = g.in_turn != 0 and g.city_state_owner[cs] == -1 and g.power[p, codes.CITY_STATE_AS_CITY] >> cs & 1 != 0
        if wanted and g.city_state_lent[cs] == 0 and g.city_count[p] < limits.MAX_CITIES:
            lend(g, w, p, cs)
        elif g.city_state_lent[cs] != 0 and not wanted:
            end_loan(g, w, cs)
