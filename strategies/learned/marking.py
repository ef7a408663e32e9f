"""Filling the marks of an option (`strategies.learned.marks`) into the memo of the workspace.

In all functions `m` is the place in ``w.memo`` where the marks of the option begin.
"""

from ...simulator import names
from ...simulator.engine.board.hexes import hex_distance
from ...simulator.engine.cards.cities import is_wonder_option, space_of_city
from ...simulator.engine.core import decisions
from ...simulator.engine.core.jit import inline, jit
from . import marks as at

MOST = 4.0  # hundreds of what the planner thinks


@inline
def is_asked(kind):
    """Is this a decision that policies take (`marks.ASKED`), but for the card of the turn?"""
    return kind == decisions.INDUSTRY or kind == decisions.UPGRADE


@jit
def clear_marks(w, m):
    """Make all marks of an option zero."""
    for k in range(at.N_MARKS):
        w.memo[m + k] = 0.0


@inline
def in_hundreds(worth):
    """Return a worth as a mark."""
    return min(MOST, max(-MOST, worth / 100.0))


@jit
def mark_worth(w, worth, own_worth, m):
    """Fill what the planner thinks of an option, and how much less than of its own choice."""
    w.memo[m + at.GAP] = in_hundreds(own_worth - worth)
    w.memo[m + at.WORTH] = in_hundreds(worth)


@jit
def mark_own(w, m):
    """Mark the option as the planner's own choice."""
    for k in range(len(at.ASKED)):
        w.memo[m + at.OWN + k] = w.memo[m + at.KIND + k]


@jit
def mark_card(r, g, w, p, place, m):
    """Fill the marks of the card in a place of the row, but for what the planner thinks of it."""
    clear_marks(w, m)
    w.memo[m + at.KIND] = 1.0
    h = int(g.row[p, place])
    card = int(g.card[p, h])
    w.memo[m + at.TYPE + r.card_type[card]] = 1.0
    w.memo[m + at.PLACE] = r.slot_number[place] / 5.0
    w.memo[m + at.SUPPLY] = g.trade[p, h] / 3.0
    w.memo[m + at.LEVEL] = r.card_level[card] / 3.0


@jit
def mark_site(r, g, w, p, s, m):
    """Fill what is on the space of a new city and around it."""
    w.memo[m + at.DIFFICULTY] = r.terrain_difficulty[g.terrain[s]] / 5.0
    w.memo[m + at.COASTAL] = 1.0 if g.coastal[s] != 0 else 0.0
    w.memo[m + at.RESOURCE] = 1.0 if g.resource[s] >= 0 else 0.0
    w.memo[m + at.NATURAL] = 1.0 if g.natural_wonder[s] >= 0 else 0.0
    for d in range(6):
        t = g.neighbour[s, d]
        if t < 0:
            continue
        if g.owner[t] == p:
            w.memo[m + at.CITIES] += 0.5 if g.piece[t] >= names.CITY else 0.0
        elif g.owner[t] >= 0:
            w.memo[m + at.RIVALS] += 0.333
        elif g.barbarians[t] != 0:
            w.memo[m + at.WILD] += 0.5
        elif g.terrain[t] != names.WATER and g.city_state[t] < 0:
            w.memo[m + at.FREE] += 0.167
            w.memo[m + at.PRIZES] += 0.5 if g.resource[t] >= 0 or g.natural_wonder[t] >= 0 else 0.0
    enemy = 16
    for q in range(g.players):
        if g.capital[q] < 0:
            continue
        far = hex_distance(g, s, int(g.capital[q]))
        if q == p:
            w.memo[m + at.HOME] = far / 8.0
        else:
            enemy = min(enemy, far)
    w.memo[m + at.ENEMY] = enemy / 8.0


@jit
def mark_option(r, g, w, p, kind, v, m):
    """Fill the marks of an option of a step (`is_asked`), but for what the planner thinks of it."""
    clear_marks(w, m)
    for k in range(len(at.ASKED)):
        w.memo[m + at.KIND + k] = 1.0 if at.ASKED[k] == kind else 0.0
    if v == decisions.PASS:
        w.memo[m + at.PASSED] = 1.0
    elif kind == decisions.UPGRADE:
        w.memo[m + at.TYPE + r.card_type[v // 8]] = 1.0
        w.memo[m + at.LEVEL] = r.card_level[v // 8] / 3.0
    elif is_wonder_option(v):
        w.memo[m + at.WONDER] = 1.0
        w.memo[m + at.TYPE + r.wonder_type[v - decisions.WONDER_OPTION]] = 1.0
        w.memo[m + at.LEVEL] = r.wonder_era[v - decisions.WONDER_OPTION] / 3.0
    else:
        w.memo[m + at.FOUNDED] = 1.0
        mark_site(r, g, w, p, space_of_city(v), m)
