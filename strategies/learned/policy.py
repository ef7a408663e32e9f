"""Policies: what an option looks like to a network, the networks that weigh options, and how a seat asks one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import types

from ...simulator import names
from ...simulator.engine import decisions
from ...simulator.engine.compile.argument_types import declare_parameters
from ...simulator.engine.compile.jit import inline, jit
from ...simulator.engine.industry import is_wonder_option, space_of_city
from ...simulator.engine.map import hex_distance
from ..planning import plan, weights
from ..planning.cards import card_gain, score_of_gain
from .facts import N_FACTS, NEXT_IN
from .situation import read_situation
from .value import PLACES, stored

# --- The marks of an option, the inputs of a policy beside the facts, and filling them

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


# --- Policies: networks that score options, and how a seat uses one

# --- Policy networks as data
#
# Two hidden layers of rectified units score an option by the situation (the facts of the seat, the mean of its rivals' facts,
# the needs of its plan) and by the option's marks. The first layer is a sum of both, so that the situation's part is computed
# once a turn.

UNITS = 64  # of the first layer
DEEPER = 32  # and of the second
COMPARED = 6  # options of a choice at most
SCALE = 20.0  # scores for a chance to win of one: a score of one is a chance of 5%
N_NEEDS = 7 + 2 * names.N_TYPES  # what the plan adds to the facts (`policy.read_turn`): needs, those by type, worths by type
N_SITUATION = 2 * N_FACTS + N_NEEDS  # own facts, rivals' facts, needs

POLICY = np.dtype(
    [
        ("situation", "f4", (N_SITUATION, UNITS)),  # from the situation to the first layer
        ("marks", "f4", (N_MARKS, UNITS)),  # from the option to the first layer
        ("first_bias", "f4", (UNITS,)),
        ("second", "f4", (UNITS, DEEPER)),
        ("second_bias", "f4", (DEEPER,)),
        ("third", "f4", (DEEPER,)),  # from the second layer to the score
        ("direct", "f4", (N_MARKS,)),  # from the option to the score
    ],
    align=True,
)
PARTS = ("situation", "marks", "first_bias", "second", "second_bias", "third", "direct")
STORE = np.zeros((PLACES, names.MAX_PLAYERS + 1), POLICY).view(np.recarray)


def new_policy() -> np.record:
    """Return a policy of zeros."""
    return np.zeros(1, POLICY).view(np.recarray)[0]


def scores(net: np.record, situations: np.ndarray, marks: np.ndarray) -> np.ndarray:
    """Return the scores of options by the policy, in plain NumPy: situations (…, N_SITUATION), marks (…, options, N_MARKS)."""
    units = (situations @ net.situation + net.first_bias)[..., None, :] + marks @ net.marks
    deeper = np.maximum(0.0, np.maximum(0.0, units) @ net.second + net.second_bias)
    return deeper @ net.third + marks @ net.direct


# --- The policy: scores of the cards of a turn, and of the options at its steps (`marks.ASKED`)
#
# The turn is not played in copies: the situation before it is read once, and every option is scored by it and by its own marks.
# A score says how much more the option leads to a win than the others of the same choice.

# Places in the memo (w.memo).
HERE = UNITS  # behind the first layer of the situation: room for the first layer of an option,
AGAIN = HERE + UNITS  # and for the second layer
MARKS = AGAIN + DEEPER  # marks of the options of the choice at hand

POLICY_TYPE, policy_at = stored("newdawn.policies", STORE, POLICY)
declare_parameters(
    __name__, policy=POLICY_TYPE, situation=types.float32[::1], rated=types.float64[::1], facts=types.float32[:, ::1]
)

assert MARKS + COMPARED * N_MARKS <= names.MEMO


@inline
def marks_of(k):
    """Return where in the memo the marks of the k-th option lie."""
    return MARKS + k * N_MARKS


@jit
def sum_up_turn(g, p, facts, situation):
    """Fill the situation of seat `p`: its facts, the mean of its rivals', and what its plan needs."""
    rivals = np.float32(1.0) / np.float32(max(1, g.players - 1))
    for k in range(N_FACTS):
        total = np.float32(0.0)
        for q in range(g.players):
            if q != p:
                total += facts[q, k]
        situation[k] = facts[p, k]
        situation[N_FACTS + k] = total * rivals
    for k in range(N_NEEDS):
        note = plan.NEED_CITY + k if k < N_NEEDS - names.N_TYPES else plan.TYPE_WORTH + k - (N_NEEDS - names.N_TYPES)
        situation[2 * N_FACTS + k] = np.float32(g.notes[p, note]) / np.float32(100.0)


@jit
def read_turn(r, g, w, p, facts, situation):
    """Fill the situation before the turn of seat `p` (`sum_up_turn`)."""
    read_situation(r, g, w, facts)
    sum_up_turn(g, p, facts, situation)


@inline
def put_next(g, p, situation):
    """Set the facts of who moves next in the situation to seat `p`."""
    for k in range(names.MAX_PLAYERS):
        situation[NEXT_IN + k] = np.float32(1.0 if k == 0 else 0.0)
        situation[N_FACTS + NEXT_IN + k] = np.float32(1.0 / (g.players - 1) if 0 < k < g.players else 0.0)


@inline
def next_given(situation, k):
    """Return the first number of a situation, from the `k`-th on, that is not 0."""
    while k < N_SITUATION and situation[k] == np.float32(0.0):
        k += 1
    return k


@jit
def study_turn(w, policy, situation):
    """Compute the situation's part of the first layer, from two numbers at a time: memory access takes the time."""
    for j in range(UNITS):
        w.memo[j] = policy.first_bias[j]
    k = next_given(situation, 0)
    while k < N_SITUATION:
        other = next_given(situation, k + 1)
        x = situation[k]
        if other == N_SITUATION:
            for j in range(UNITS):
                w.memo[j] += x * policy.situation[k, j]
            return
        y = situation[other]
        for j in range(UNITS):
            w.memo[j] = w.memo[j] + x * policy.situation[k, j] + y * policy.situation[other, j]
        k = next_given(situation, other + 1)


@inline
def active(w, j):
    """Return what unit `j` of the first layer of an option passes on."""
    return max(np.float32(0.0), w.memo[HERE + j])


@inline
def read_second_layer(w, policy):
    """Fill the second layer of an option from four units at a time, active or not: LLVM makes vectors of that."""
    for i in range(DEEPER):
        w.memo[AGAIN + i] = policy.second_bias[i]
    for j in range(0, UNITS, 4):
        a, b, c, d = active(w, j), active(w, j + 1), active(w, j + 2), active(w, j + 3)
        for i in range(DEEPER):
            total = w.memo[AGAIN + i] + a * policy.second[j, i] + b * policy.second[j + 1, i]
            w.memo[AGAIN + i] = total + c * policy.second[j + 2, i] + d * policy.second[j + 3, i]


@jit
def option_score(w, policy, m):
    """Return the score of the option whose marks lie at place `m` of the memo, in the situation last studied."""
    for j in range(UNITS):
        w.memo[HERE + j] = w.memo[j]
    total = np.float32(0.0)
    for k in range(N_MARKS):
        x = w.memo[m + k]
        if x != np.float32(0.0):
            total += x * policy.direct[k]
            for j in range(UNITS):
                w.memo[HERE + j] += x * policy.marks[k, j]
    read_second_layer(w, policy)
    for i in range(DEEPER):
        if w.memo[AGAIN + i] > np.float32(0.0):
            total += w.memo[AGAIN + i] * policy.third[i]
    return float(total)


@jit
def seats_policy(g, p):
    """Return the place of the policy of a seat in the store."""
    return int(g.weights[p, weights.POLICY]) * (names.MAX_PLAYERS + 1) + int(g.players)


@jit
def see_turn(r, g, w, p):
    """Study the situation before the turn of seat `p` once."""
    if w.memo_seat == p and w.memo_turn == g.turn:
        return
    facts = np.empty((2 * names.MAX_PLAYERS, N_FACTS), np.float32)
    situation = np.empty(N_SITUATION, np.float32)
    read_turn(r, g, w, p, facts, situation)
    study_turn(w, policy_at(seats_policy(g, p)), situation)
    w.memo_seat = p
    w.memo_turn = g.turn


@jit
def foresee_turn(g, w, p, facts, situation):
    """Study the next turn of seat `p`, which has just moved, by the facts after its move."""
    sum_up_turn(g, p, facts, situation)
    put_next(g, p, situation)
    study_turn(w, policy_at(seats_policy(g, p)), situation)
    w.memo_seat = p
    w.memo_turn = g.turn


@jit
def mark_cards(r, g, w, p, n):
    """Fill the marks of the cards that can be chosen."""
    best = 0
    for k in range(n):
        place = int(w.option[k])
        gain = int(card_gain(r, g, w, p, place))
        mark_card(r, g, w, p, place, marks_of(k))
        w.memo[marks_of(k) + GAIN] = in_hundreds(float(gain))
        w.memo[marks_of(k) + LATER] = in_hundreds(float(g.notes[p, plan.LATER]))
        w.card_score[k] = score_of_gain(r, g, p, place, gain)
        best = k if w.card_score[k] > w.card_score[best] else best
    for k in range(n):
        mark_worth(w, float(w.card_score[k]), float(w.card_score[best]), marks_of(k))
    mark_own(w, marks_of(best))


@jit
def preferred(w, policy, n):
    """Return which of the `n` options in the memo has the highest score."""
    best = 0
    highest = option_score(w, policy, marks_of(0))
    for k in range(1, n):
        value = option_score(w, policy, marks_of(k))
        if value > highest:
            best = k
            highest = value
    return best


@jit
def rate_cards(r, g, w, p, n, rated):
    """Fill the scores of the first `n` cards of the row by the policy of the seat, in the turn last studied."""
    for k in range(n):
        w.option[k] = k
    mark_cards(r, g, w, p, n)
    for k in range(n):
        rated[k] = option_score(w, policy_at(seats_policy(g, p)), marks_of(k))
