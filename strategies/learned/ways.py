"""Ways of playing a turn: a card, and at its first steps another option than the planner's.

A turn cannot be copied midway. So a plan for it is tried by playing the turn anew from its card, and what it would do
otherwise than the planner stands in the seat's notes: the rank of the option to take at the first steps (0: the
planner's own choice, 1: the best of the others, …). A question of a kind that this module does not know goes to the planner.
"""

import numpy as np

from newdawn.simulator.engine.cards.cities import is_wonder_option
from newdawn.simulator.engine.core import decisions
from newdawn.simulator.engine.core.decisions import BARBARIAN_OPTION, MILITARY_ATTACK, MILITARY_REINFORCE, PASS
from newdawn.simulator.engine.core.jit import address_in_code, inline, jit, strategy
from newdawn.simulator.engine.core.rng import below_bits, mix
from newdawn.simulator.names import CAPITAL
from newdawn.strategies.planning import plan, weights
from newdawn.strategies.planning.cards import arrival_worth
from newdawn.strategies.planning.planner import NOTHING, choose_planner, other_option_worth, piece_option_worth
from newdawn.strategies.planning.restrictions import (
    ATTACKS,
    CARAVANS,
    CITIES,
    ON_CAPITALS,
    ON_PLAYERS,
    REINFORCING,
    TRADE_IN_COMBAT,
    WORLD_WONDERS,
)
from newdawn.strategies.planning.worth import upgrade_worth

STEPS = 3  # steps of a turn at which another option than the planner's can be wanted
RANK = 48  # notes of the seat: the rank wanted at each step
STEP = RANK + STEPS  # how many steps the turn has come
OPTIONS = STEP + 1  # and how many options there were at each
RANKS = 4  # a plan of the turn is a number: place of the card * WAYS + the ranks at its steps, the last step's the highest
WAYS = RANKS**STEPS
STRAY_SHIFT = np.uint64(77)
# Places in w.score; what lies before is used by the planner.
SCRATCH = 1024  # worths of options
ASIDE = 2048  # all options, while those that are forbidden are taken out
PLACES = 3072  # which of them each that is left was

assert plan.LATER < RANK
assert OPTIONS + STEPS <= plan.NEED_GIVER


@inline
def is_step(kind):
    """Is this a decision that gives a turn its direction?"""
    return (
        kind == decisions.PLACE_TOKEN
        or kind == decisions.INDUSTRY
        or kind == decisions.MILITARY
        or kind == decisions.ATTACK
        or kind == decisions.REINFORCE
        or kind == decisions.UPGRADE
        or kind == decisions.CARAVAN_TO
        or kind == decisions.WONDER_CITY
    )


@inline
def option_worth(r, g, w, p, kind, v):
    """Return what the planner thinks of an option of a step."""
    if kind == decisions.UPGRADE:
        return upgrade_worth(r, g, p, v // 8, v % 8)
    if kind == decisions.CARAVAN_TO:
        return arrival_worth(r, g, p, v) if v < decisions.EXPLORE else 0
    if kind == decisions.MILITARY:
        return other_option_worth(r, g, w, p, kind, v)
    return piece_option_worth(r, g, w, p, kind, v)


@jit
def ranked(r, g, w, p, kind, n, own, rank):
    """Return the option that comes `rank`-th in the planner's eyes after its own choice; that one if there are not so many."""
    if w.option[n - 1] == decisions.PASS:
        n -= 1
    for k in range(n):
        w.score[SCRATCH + k] = NOTHING if k == own else option_worth(r, g, w, p, kind, int(w.option[k]))
    best = own
    for _ in range(rank):
        best = own
        for k in range(n):
            if w.score[SCRATCH + k] > NOTHING and (best == own or w.score[SCRATCH + k] > w.score[SCRATCH + best]):
                best = k
        if best == own:
            return own
        w.score[SCRATCH + best] = NOTHING
    return best


@jit
def set_way(g, p, way):
    """Note what the turn shall be played like (`RANKS`)."""
    g.notes[p, STEP] = 0
    for step in range(STEPS):
        g.notes[p, RANK + step] = way % RANKS
        g.notes[p, OPTIONS + step] = 0
        way //= RANKS


@strategy
def choose_freely(r, g, w, seat, kind, n, u):
    """Play like the planner but for the steps of the own turn at which the notes ask for another option."""
    own = choose_planner(r, g, w, seat, kind, n, u)
    if g.current != seat or not is_step(kind):
        return own
    step = int(g.notes[seat, STEP])
    if step >= STEPS:
        return own
    g.notes[seat, STEP] = step + 1
    g.notes[seat, OPTIONS + step] = n - 1 if w.option[n - 1] == PASS else n
    rank = int(g.notes[seat, RANK + step])
    return own if rank == 0 else ranked(r, g, w, seat, kind, n, own, rank)


# --- restricted play


@inline
def may(g, p, kind, v, forbidden):
    """May a seat that does without these (planning/restrictions.py) take the option of this value?"""
    if kind == decisions.MILITARY:
        return not ((v == MILITARY_ATTACK and forbidden & ATTACKS) or (v == MILITARY_REINFORCE and forbidden & REINFORCING))
    if kind == decisions.ATTACK:
        if forbidden & ATTACKS:
            return v == PASS
        if v == PASS or v >= BARBARIAN_OPTION or g.owner[v] < 0:
            return True
        return not (forbidden & ON_PLAYERS or (forbidden & ON_CAPITALS and g.piece[v] == CAPITAL))
    if kind == decisions.REINFORCE:
        return v == PASS or forbidden & REINFORCING == 0
    if kind == decisions.INDUSTRY:
        return v == PASS or forbidden & (WORLD_WONDERS if is_wonder_option(v) else CITIES) == 0
    if kind == decisions.CARAVAN or kind == decisions.CARAVAN_TO:
        return v == PASS or forbidden & CARAVANS == 0
    return True


@jit
def choose_allowed(r, g, w, seat, kind, n, u, forbidden):
    """Choose among what the seat's restrictions leave, if they leave anything."""
    if kind == decisions.SPEND_TRADE and forbidden & TRADE_IN_COMBAT:
        if w.ask_source == decisions.SOURCE_ATTACK or w.ask_source == decisions.SOURCE_DEFENCE:
            return 0  # the options are 0, 1, 2 … tokens
    left = 0
    for k in range(n):
        w.score[ASIDE + k] = w.option[k]
        left += 1 if may(g, seat, kind, int(w.option[k]), forbidden) else 0
    if left == 0 or left == n:
        return choose_freely(r, g, w, seat, kind, n, u)
    left = 0
    for k in range(n):
        if may(g, seat, kind, int(w.option[k]), forbidden):
            w.option[left] = w.option[k]
            w.score[PLACES + left] = k
            left += 1
    picked = choose_freely(r, g, w, seat, kind, left, u) if left > 1 else 0
    for k in range(n):
        w.option[k] = int(w.score[ASIDE + k])
    return int(w.score[PLACES + picked])


@strategy
def choose_way(r, g, w, seat, kind, n, u):
    """Play as `choose_freely` says, but without what the seat is forbidden (weights.FORBIDDEN)."""
    forbidden = int(g.weights[seat, weights.FORBIDDEN])
    if forbidden == 0 or kind == decisions.PLACE_TILE:
        return choose_freely(r, g, w, seat, kind, n, u)
    return choose_allowed(r, g, w, seat, kind, n, u, forbidden)


way_address = address_in_code(choose_way)


@jit
def strays(g, p, u):
    """Is this one of the turns that training lets the seat play at random (weights.STRAY)?"""
    return below_bits(mix(u + STRAY_SHIFT), 100) < g.weights[p, weights.STRAY]


@jit
def random_way(n, u):
    """Return a random card (of `n` places) with random options at the first steps."""
    return below_bits(mix(u), n) * WAYS + below_bits(mix(mix(u)), WAYS)


@strategy
def choose_stray(r, g, w, seat, kind, n, u):
    """The planner, but for the turns in which it strays: what the first games to learn from are played by."""
    own = choose_way(r, g, w, seat, kind, n, u)
    if kind != decisions.CARD:
        return own
    set_way(g, seat, 0)
    if not strays(g, seat, u):
        return own
    way = random_way(n, u)
    set_way(g, seat, way % WAYS)
    return way // WAYS
