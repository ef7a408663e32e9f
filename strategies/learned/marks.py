"""The marks of an option, the inputs of a policy beside the facts, and filling them."""

from __future__ import annotations

from collections.abc import Sequence

from ...simulator import names
from ...simulator.engine import decisions
from ...simulator.engine.compile.jit import inline, jit
from ...simulator.engine.industry import is_wonder_option, space_of_city
from ...simulator.engine.map import hex_distance

# --- The marks' names, order and meaning
#
# As for facts (`strategies.learned.facts`), every number is of the order of one. ASKED are the choices at which a policy does
# better than the planner; at the spaces of tokens, attacks, reinforcements and caravans it does not.

NAMES: list[str] = []
MEANINGS: dict[str, str] = {}


def _mark(name: str, meaning: str) -> int:
    """Declare a mark and return its column."""
    NAMES.append(name)
    MEANINGS[name] = meaning
    return len(NAMES) - 1


def _marks(family: str, of: Sequence[object], meaning: str) -> int:
    """Declare a mark for each of several things and return the column of the first."""
    for thing in of:
        _mark(f"{family}_{str(thing).lower().replace(' ', '_')}", meaning)
    return len(NAMES) - len(of)


ASKED = (decisions.CARD, decisions.INDUSTRY, decisions.UPGRADE)
KIND = _marks("asked", [decisions.KINDS[kind] for kind in ASKED], "1: this is what is asked")
OWN = _marks("own", [decisions.KINDS[kind] for kind in ASKED], "1: the planner's choice, when this is what is asked")
GAP = _mark("gap", "how much less the planner thinks of it than of its own choice, in hundreds, at most 4")
WORTH = _mark("worth", "what the planner thinks of it, in hundreds, from -4 to 4")
PASSED = _mark("pass", "1: to pass")
TYPE = _marks("type", names.FOCUS_TYPES, "1: a card or world wonder of the type")
PLACE = _mark("slot", "slot number of the card, in fifths")
SUPPLY = _mark("trade", "trade tokens on the card, in thirds")
LEVEL = _mark("level", "level of the card or era of the world wonder, in thirds")
WONDER = _mark("wonder", "1: a world wonder")
FOUNDED = _mark("city", "1: a new city")
# --- the space of a new city
DIFFICULTY = _mark("difficulty", "difficulty of its terrain, in fifths")
COASTAL = _mark("coastal", "1: next to water or on the edge")
RESOURCE = _mark("resource", "1: a resource lies there")
NATURAL = _mark("natural", "1: a natural wonder lies there")
CITIES = _mark("cities_beside", "own cities beside it, in halves")
RIVALS = _mark("rivals_beside", "rivals' spaces beside it, in thirds")
WILD = _mark("barbarians_beside", "barbarians beside it, in halves")
FREE = _mark("free_beside", "free land beside it, in sixths")
PRIZES = _mark("prizes_beside", "resources and natural wonders on free land beside it, in halves")
HOME = _mark("home", "steps from the own capital, in eighths")
ENEMY = _mark("enemy", "steps from the nearest rival capital, in eighths")

# --- a card
GAIN = _mark("gain", "what the planner thinks the card brings at once, in hundreds, from -4 to 4")
LATER = _mark("later", "what it thinks the card would bring in the best slot, likewise")

N_MARKS = len(NAMES)


# --- Filling the marks of an option (`strategies.learned.marks`) into the memo of the workspace
#
# In all functions `m` is the place in ``w.memo`` where the marks of the option begin.

MOST = 4.0  # hundreds of what the planner thinks


@inline
def is_asked(kind):
    """Is this a decision of policies (ASKED) other than the card of the turn?"""
    return kind == decisions.INDUSTRY or kind == decisions.UPGRADE


@jit
def clear_marks(w, m):
    """Make all marks of an option zero."""
    for k in range(N_MARKS):
        w.memo[m + k] = 0.0


@inline
def in_hundreds(worth):
    """Return a worth as a mark."""
    return min(MOST, max(-MOST, worth / 100.0))


@jit
def mark_worth(w, worth, own_worth, m):
    """Fill the planner's worth of an option, and how much less it is than that of its own choice."""
    w.memo[m + GAP] = in_hundreds(own_worth - worth)
    w.memo[m + WORTH] = in_hundreds(worth)


@jit
def mark_own(w, m):
    """Mark the option as the planner's own choice."""
    for k in range(len(ASKED)):
        w.memo[m + OWN + k] = w.memo[m + KIND + k]


@jit
def mark_card(r, g, w, p, place, m):
    """Fill the marks of the card in a place of the row, without the planner's worth."""
    clear_marks(w, m)
    w.memo[m + KIND] = 1.0
    h = int(g.row[p, place])
    card = int(g.card[p, h])
    w.memo[m + TYPE + r.card_type[card]] = 1.0
    w.memo[m + PLACE] = r.slot_number[place] / 5.0
    w.memo[m + SUPPLY] = g.trade[p, h] / 3.0
    w.memo[m + LEVEL] = r.card_level[card] / 3.0


@jit
def mark_site(r, g, w, p, s, m):
    """Fill what is on the space of a new city and around it."""
    w.memo[m + DIFFICULTY] = r.terrain_difficulty[g.terrain[s]] / 5.0
    w.memo[m + COASTAL] = 1.0 if g.coastal[s] != 0 else 0.0
    w.memo[m + RESOURCE] = 1.0 if g.resource[s] >= 0 else 0.0
    w.memo[m + NATURAL] = 1.0 if g.natural_wonder[s] >= 0 else 0.0
    for d in range(6):
        t = g.neighbour[s, d]
        if t < 0:
            continue
        if g.owner[t] == p:
            w.memo[m + CITIES] += 0.5 if g.piece[t] >= names.CITY else 0.0
        elif g.owner[t] >= 0:
            w.memo[m + RIVALS] += 0.333
        elif g.barbarians[t] != 0:
            w.memo[m + WILD] += 0.5
        elif g.terrain[t] != names.WATER and g.city_state[t] < 0:
            w.memo[m + FREE] += 0.167
            w.memo[m + PRIZES] += 0.5 if g.resource[t] >= 0 or g.natural_wonder[t] >= 0 else 0.0
    enemy = 16
    for q in range(g.players):
        if g.capital[q] < 0:
            continue
        far = hex_distance(g, s, int(g.capital[q]))
        if q == p:
            w.memo[m + HOME] = far / 8.0
        else:
            enemy = min(enemy, far)
    w.memo[m + ENEMY] = enemy / 8.0


@jit
def mark_option(r, g, w, p, kind, v, m):
    """Fill the marks of an option of a step (`is_asked`), without the planner's worth."""
    clear_marks(w, m)
    for k in range(len(ASKED)):
        w.memo[m + KIND + k] = 1.0 if ASKED[k] == kind else 0.0
    if v == decisions.PASS:
        w.memo[m + PASSED] = 1.0
    elif kind == decisions.UPGRADE:
        w.memo[m + TYPE + r.card_type[v // 8]] = 1.0
        w.memo[m + LEVEL] = r.card_level[v // 8] / 3.0
    elif is_wonder_option(v):
        w.memo[m + WONDER] = 1.0
        w.memo[m + TYPE + r.wonder_type[v - decisions.WONDER_OPTION]] = 1.0
        w.memo[m + LEVEL] = r.wonder_era[v - decisions.WONDER_OPTION] / 3.0
    else:
        w.memo[m + FOUNDED] = 1.0
        mark_site(r, g, w, p, space_of_city(v), m)
