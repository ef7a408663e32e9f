"""Ways of playing a turn: a card, and at its first steps another option than the planner's.

A turn cannot be copied midway. So a way is tried by playing the turn again from its card, and the seat's notes hold the rank of
the option to take at each of the first steps (0: the planner's own choice, 1: the best of the others, …). All other questions
go to the planner.
"""

import numpy as np

from ...simulator import names
from ...simulator.engine import decisions, state
from ...simulator.engine.armies import stopped_by
from ...simulator.engine.battle import list_targets_on
from ...simulator.engine.choosing import below_bits, mix
from ...simulator.engine.compile.jit import address_in_code, expansion, inline, jit, lowest_bit, strategy
from ...simulator.engine.industry import is_wonder_option
from ...simulator.engine.map import is_fort
from ..planning import plan, restrictions, weights
from ..planning.armies import army_target_worth, rate_army_spaces
from ..planning.cards import arrival_worth, card_gain
from ..planning.expansion import option_worth as expansion_option_worth
from ..planning.expansion import rate_districts
from ..planning.planner import NOTHING, choose_planner, other_option_worth, piece_option_worth
from ..planning.worth import upgrade_worth
from .policy import is_asked, mark_option, mark_own, mark_worth, marks_of, policy_at, preferred, seats_policy, see_turn

STEPS = 3  # steps of a turn at which another option than the planner's can be taken
RANK = plan.WAYS_NOTED  # notes of the seat: the rank to take at each step
STEP = RANK + STEPS  # steps the turn has come
OPTIONS = STEP + 1  # options at each step
RANKS = 4  # a plan of the turn is a number: place of the card * WAYS + the ranks at its steps, the last step's the highest
WAYS = RANKS**STEPS
MARKED = OPTIONS + STEPS  # one more than the step of which the options are to be marked, for lessons; 0: none
MARKED_OPTIONS = MARKED + 1  # and how many they were
STRAY_SHIFT = np.uint64(77)

assert plan.LATER < RANK
assert MARKED_OPTIONS < plan.NEED_GIVER


@inline
def is_step_in_both(kind):
    """Is this a decision of either box that gives a turn its direction?"""
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
def is_step_in_expansion(kind):
    """Is this such a decision of Terra Incognita?

    Not so governments, Ibrahim, tiles, effects of districts and taking a rival's city, where other options gain nothing, nor
    combat spending, where a way found with imagined dice does harm.
    """
    return (
        kind == decisions.ARMY
        or kind == decisions.ARMY_TO
        or kind == decisions.ARMY_TARGET
        or kind == decisions.ARMY_AGAIN
        or kind == decisions.GROWTH
        or kind == decisions.PLACE_DISTRICT
        or kind == decisions.CITY_SPACE
        or kind == decisions.TAKE_DIPLOMACY
    )


@inline
def is_step(r, kind):
    """Is this a decision that gives a turn its direction?"""
    return is_step_in_both(kind) or (r.box == names.TI_BOX and is_step_in_expansion(kind))


@expansion
def rate_in_expansion(r, g, w, p, kind, n, own) -> None:
    """Fill the planner's worths of the options of a step of Terra Incognita (``w.option_worth``)."""
    if kind == decisions.ARMY_TO:
        rate_army_spaces(r, g, w, p, n)
    elif kind == decisions.PLACE_DISTRICT:
        rate_districts(r, g, w, p, n)
    elif kind == decisions.ARMY_TARGET:
        for k in range(n):
            w.option_worth[k] = army_target_worth(r, g, w, p, int(w.option[k]))
    else:
        for k in range(n):
            w.option_worth[k] = expansion_option_worth(r, g, w, p, kind, int(w.option[k]))
    w.option_worth[own] = NOTHING


@inline
def option_worth(r, g, w, p, kind, v):
    """Return the planner's worth of an option of a step."""
    if kind == decisions.UPGRADE:
        return upgrade_worth(r, g, p, v // 8, v % 8)
    if kind == decisions.CARAVAN_TO:
        return arrival_worth(r, g, p, v) if v < decisions.EXPLORE else 0
    if kind == decisions.MILITARY or kind == decisions.TAKE_DIPLOMACY:
        return other_option_worth(r, g, w, p, kind, v)
    return piece_option_worth(r, g, w, p, kind, v)


@jit
def rank_options(r, g, w, p, kind, n, own, ranks):
    """List in ``w.ranked`` the planner's own choice and the best of the others by its worths, at most `ranks` in all.

    ``w.ranked_worth`` gets the worths of the others. Return how many are listed.
    """
    w.ranked[0] = own
    if w.option[n - 1] == decisions.PASS:
        n -= 1
    if decisions.OF_EXPANSION[kind] and r.box == names.TI_BOX:
        rate_in_expansion(r, g, w, p, kind, n, own)
    else:
        for k in range(n):
            w.option_worth[k] = NOTHING if k == own else option_worth(r, g, w, p, kind, int(w.option[k]))
    for rank in range(1, ranks):
        best = -1
        for k in range(n):
            if w.option_worth[k] > NOTHING and (best < 0 or w.option_worth[k] > w.option_worth[best]):
                best = k
        if best < 0:
            return rank
        w.ranked[rank] = best
        w.ranked_worth[rank] = w.option_worth[best]
        w.option_worth[best] = NOTHING
    return ranks


@jit
def ranked(r, g, w, p, kind, n, own, rank):
    """Return the `rank`-th option by the planner's worths after its own choice; its own choice if there are fewer."""
    listed = rank_options(r, g, w, p, kind, n, own, rank + 1)
    return int(w.ranked[rank]) if listed > rank else own


@jit
def mark_step(r, g, w, p, kind, n, own):
    """Fill the marks of the planner's own choice and of the next best ones at a step; return how many (``w.ranked``)."""
    listed = rank_options(r, g, w, p, kind, n, own, RANKS)
    v = int(w.option[own])
    w.ranked_worth[0] = 0 if v == decisions.PASS else option_worth(r, g, w, p, kind, v)
    for k in range(listed):
        mark_option(r, g, w, p, kind, int(w.option[w.ranked[k]]), marks_of(k))
        mark_worth(w, float(w.ranked_worth[k]), float(w.ranked_worth[0]), marks_of(k))
    mark_own(w, marks_of(0))
    return listed


@jit
def prefer_step(r, g, w, p, kind, n, own):
    """Return the option that the policy of the seat prefers at a step."""
    see_turn(r, g, w, p)
    listed = mark_step(r, g, w, p, kind, n, own)
    return int(w.ranked[preferred(w, policy_at(seats_policy(g, p)), listed)])


@jit
def set_way(g, p, way):
    """Note the way in which to play the turn (`RANKS`)."""
    g.notes[p, STEP] = 0
    for step in range(STEPS):
        g.notes[p, RANK + step] = way % RANKS
        g.notes[p, OPTIONS + step] = 0
        way //= RANKS


@strategy
def choose_freely(r, g, w, seat, kind, n, u):
    """Play like the planner except at the steps of the own turn whose notes hold another rank."""
    own = choose_planner(r, g, w, seat, kind, n, u)
    if g.current != seat or not is_step(r, kind):
        return own
    policy = g.weights[seat, weights.POLICY] != 0 and n > 1 and is_asked(kind)
    step = int(g.notes[seat, STEP])
    if step >= STEPS:
        return prefer_step(r, g, w, seat, kind, n, own) if policy else own
    g.notes[seat, STEP] = step + 1
    g.notes[seat, OPTIONS + step] = n - 1 if w.option[n - 1] == decisions.PASS else n
    if g.notes[seat, MARKED] == step + 1 and is_asked(kind):
        g.notes[seat, MARKED_OPTIONS] = mark_step(r, g, w, seat, kind, n, own)
    rank = int(g.notes[seat, RANK + step])
    if rank == 0:
        return prefer_step(r, g, w, seat, kind, n, own) if policy else own
    return ranked(r, g, w, seat, kind, n, own, rank)


# --- restricted play


@inline
def may_beat(g, s, target, forbidden):
    """May an army of a seat with these restrictions attack such a target on the space?"""
    if forbidden & restrictions.ATTACKS or (forbidden & restrictions.FORTS and is_fort(g, s)):
        return False
    if target == state.TARGET_CAPITAL:
        return not forbidden & (restrictions.ON_PLAYERS | restrictions.ON_CAPITALS)
    return not (forbidden & restrictions.ON_PLAYERS and (target == state.TARGET_TOKEN or target == state.TARGET_CITY))


@jit
def may_storm(r, g, p, s, forbidden):
    """Is there anything on the space that an army of seat `p` may attack (`may_beat`)?"""
    targets = list_targets_on(r, g, p, s)
    while targets != 0:
        if may_beat(g, s, lowest_bit(targets) // 8, forbidden):
            return True
        targets &= targets - 1
    return False


@expansion
def may_in_expansion(r, g, w, p, kind, v, forbidden) -> bool:
    """May the seat take the option by the restrictions of Terra Incognita?"""
    if kind == decisions.ARMY_TO and v < decisions.EXPLORE:
        return stopped_by(r, g, p, v) == 0 or may_storm(r, g, p, v, forbidden)
    if kind == decisions.ARMY_TO or kind == decisions.CARAVAN_TO:
        return v < decisions.EXPLORE or forbidden & restrictions.EXPLORING == 0
    if kind == decisions.ARMY_TARGET:
        return may_beat(g, int(w.ask_space), v // 8, forbidden)
    if kind == decisions.COMBAT_SPEND:
        return v >= decisions.SPEND_RESOURCE or forbidden & restrictions.TRADE_IN_COMBAT == 0
    if kind == decisions.GROWTH:
        return forbidden & (restrictions.REINFORCING if v == decisions.GROWTH_REINFORCE else restrictions.DISTRICTS) == 0
    if kind == decisions.CITY_SPACE:
        return forbidden & restrictions.CITIES == 0
    return True


@inline
def may(r, g, w, p, kind, v, forbidden):
    """May a seat with these restrictions (planning/restrictions.py) take the option of this value?"""
    if r.box == names.TI_BOX and v != decisions.PASS and not may_in_expansion(r, g, w, p, kind, v, forbidden):
        return False
    if kind == decisions.MILITARY:
        return not (
            (v == decisions.MILITARY_ATTACK and forbidden & restrictions.ATTACKS)
            or (v == decisions.MILITARY_REINFORCE and forbidden & restrictions.REINFORCING)
        )
    if kind == decisions.ATTACK:
        if forbidden & restrictions.ATTACKS:
            return v == decisions.PASS
        if v == decisions.PASS or v >= decisions.BARBARIAN_OPTION or g.owner[v] < 0:
            return True
        return not (
            forbidden & restrictions.ON_PLAYERS or (forbidden & restrictions.ON_CAPITALS and g.piece[v] == names.CAPITAL)
        )
    if kind == decisions.REINFORCE:
        return v == decisions.PASS or forbidden & restrictions.REINFORCING == 0
    if kind == decisions.INDUSTRY:
        return (
            v == decisions.PASS or forbidden & (restrictions.WORLD_WONDERS if is_wonder_option(v) else restrictions.CITIES) == 0
        )
    if kind == decisions.CARAVAN or kind == decisions.CARAVAN_TO:
        return v == decisions.PASS or forbidden & restrictions.CARAVANS == 0
    return True


@jit
def most_at_once(r, g, w, p, n):
    """Return the place of the card, of the first `n` of the row, that brings most at once."""
    best = 0
    most = NOTHING
    for place in range(n):
        gain = card_gain(r, g, w, p, place)
        if gain > most:
            best = place
            most = gain
    return best


@jit
def only_card(r, g, w, p, n):
    """Return the place of the only card that the restrictions of seat `p` let it resolve in its turn, -1 if any of the `n`."""
    forbidden = int(g.weights[p, weights.FORBIDDEN])
    if forbidden & restrictions.EARLY_CARDS:
        return n - 1
    return most_at_once(r, g, w, p, n) if forbidden & (restrictions.WAITING | restrictions.LOOKING_AHEAD) else -1


@jit
def allowed_way(r, g, w, p, n, way):
    """Return the way of playing the turn, with the card that the seat has to resolve if its restrictions leave only one."""
    only = only_card(r, g, w, p, n)
    return way if only < 0 else only * WAYS + way % WAYS


@jit
def choose_allowed(r, g, w, seat, kind, n, u, forbidden):
    """Choose among the options that the seat's restrictions allow, if any."""
    if kind == decisions.CARD:
        own = choose_freely(r, g, w, seat, kind, n, u)  # makes the plan of the turn
        return allowed_way(r, g, w, seat, n, own * WAYS) // WAYS
    if kind == decisions.SPEND_TRADE and forbidden & restrictions.TRADE_IN_COMBAT:
        if w.ask_source == decisions.SOURCE_ATTACK or w.ask_source == decisions.SOURCE_DEFENCE:
            return 0  # the options are 0, 1, 2 … tokens
    left = 0
    for k in range(n):
        w.option_kept[k] = w.option[k]
        left += 1 if may(r, g, w, seat, kind, int(w.option[k]), forbidden) else 0
    if left == 0 or left == n:
        return choose_freely(r, g, w, seat, kind, n, u)
    left = 0
    for k in range(n):
        if may(r, g, w, seat, kind, int(w.option[k]), forbidden):
            w.option[left] = w.option[k]
            w.option_place[left] = k
            left += 1
    picked = choose_freely(r, g, w, seat, kind, left, u) if left > 1 else 0
    for k in range(n):
        w.option[k] = w.option_kept[k]
    return int(w.option_place[picked])


@strategy
def choose_way(r, g, w, seat, kind, n, u):
    """Play like `choose_freely`, but within the seat's restrictions (weights.FORBIDDEN)."""
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
    """The planner, except for the turns in which it strays: plays the first games of a training."""
    own = choose_way(r, g, w, seat, kind, n, u)
    if kind != decisions.CARD:
        return own
    set_way(g, seat, 0)
    if not strays(g, seat, u):
        return own
    way = allowed_way(r, g, w, seat, n, random_way(n, u))
    set_way(g, seat, way % WAYS)
    return way // WAYS
