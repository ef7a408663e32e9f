"""What every seat can attack in its next turn, with what odds, and so what threatens its rivals: facts of a situation.

In the base game the military card attacks from the seat's land. In Terra Incognita armies do: what each of them reaches with
the card is marked once, and every target in reach enters by its odds.
"""

from numba import types

from ...simulator import limits, names
from ...simulator.engine.board.hexes import flood, is_fort
from ...simulator.engine.board.pieces import holder_of
from ...simulator.engine.cards.armies import army_steps, queue_army
from ...simulator.engine.cards.battle import NOBODY, list_targets_on
from ...simulator.engine.cards.military import attack_range
from ...simulator.engine.core import state
from ...simulator.engine.core.argument_types import declare_parameters
from ...simulator.engine.core.jit import expansion, inline, jit, lowest_bit
from ..planning.armies import MARCH_LAYER, lead_against, list_prey, mark_prey
from ..planning.cards import attack_lead
from ..planning.features import military_tokens, rough_defence, win_chance
from ..planning.plan import army_distance
from . import facts as at
from .board_changes import read_distances, read_reach
from .prospects import raise_to

FAR = 12  # steps to what there is none of

declare_parameters(__name__, facts=types.float32[:, ::1])


@jit
def read_strike(r, g, p, s, target, lead, more, facts):
    """Enter the chance of seat `p` to win at the space with this lead, for it and for whom it would hit.

    `more` is what its best slot would add to the lead.
    """
    chance = win_chance(r, lead) / 100.0
    later = win_chance(r, lead + more) / 100.0
    q = int(g.owner[s])
    if target == state.TARGET_CITY_STATE:
        raise_to(facts, p, at.STRIKE_STATE, chance)
        raise_to(facts, p, at.LATER_STATE, later)
        return
    if target == state.TARGET_CAPITAL:
        raise_to(facts, p, at.STRIKE_CAPITAL, chance)
        raise_to(facts, p, at.LATER_CAPITAL, later)
        raise_to(facts, q, at.RISK_CAPITAL, chance)
    elif target == state.TARGET_CITY:
        raise_to(facts, p, at.STRIKE_CITY, chance)
        facts[p, at.STRIKE_CITIES] += chance / 2.0
        facts[q, at.RISK_CITIES] += chance
        for cs in range(limits.MAX_CITY_STATES):
            if g.city_state_owner[cs] == q and g.city_state_space[cs] == s:
                facts[q, at.RISK_STATES] += chance
    if g.wonder_token[s] >= 0:
        raise_to(facts, p, at.STRIKE_WONDER, chance)
        facts[q, at.RISK_WONDERS] += chance
    if g.natural_wonder[s] >= 0:
        raise_to(facts, p, at.STRIKE_NATURAL, chance)
        facts[q, at.RISK_NATURAL] += chance


@inline
def hope_of(r, g, p, h, s, near):
    """Return the chance of seat `p` to beat what stands on the space from the best slot, less for each space out of reach.

    `near`: how far the seat's land is from it.
    """
    card = int(g.card[p, h])
    lead = int(r.slot_number[r.slots - 1]) + int(r.card_combat[card]) + int(g.trade[p, h]) - rough_defence(r, g, s)
    if g.owner[s] >= 0:
        lead -= military_tokens(r, g, int(g.owner[s]))
    far = max(0, near - (int(r.card_army_move[card]) if r.box == names.TI_BOX else int(r.card_attack_range[card])))
    return max(0.0, win_chance(r, lead) / 100.0 - far / 4.0)


@jit
def read_hope(r, g, w, p, h, facts):
    """Fill how near seat `p` is to beating a capital and to conquering city-states (`hope_of`)."""
    read_distances(g, w, p)
    for q in range(g.players):
        if q != p and g.capital[q] >= 0:
            raise_to(facts, p, at.HOPE_CAPITAL, hope_of(r, g, p, h, int(g.capital[q]), int(w.kept_distance[p, q])))
    for cs in range(limits.MAX_CITY_STATES):
        if g.city_state_owner[cs] == -2 or g.city_state_owner[cs] == p:
            continue
        hope = hope_of(r, g, p, h, int(g.city_state_space[cs]), int(w.kept_distance[p, limits.MAX_PLAYERS + cs]))
        raise_to(facts, p, at.HOPE_NEXT_STATE, min(hope, facts[p, at.HOPE_STATE]))
        raise_to(facts, p, at.HOPE_STATE, hope)


@inline
def slot_of(r, g, p, h):
    """Return the number of the slot that a holder is in."""
    slot = 1
    for place in range(r.slots):
        if g.row[p, place] == h:
            slot = int(r.slot_number[place])
    return slot


@jit
def read_war(r, g, w, p, facts):
    """Enter what the military card of seat `p` reaches from where it stands in the row, and with what odds."""
    h = holder_of(r, g, p, names.MILITARY)
    if h < 0:
        return
    card = int(g.card[p, h])
    read_hope(r, g, w, p, h, facts)
    slot = slot_of(r, g, p, h)
    reached = 0
    if r.card_attacks[card] > 0:
        limit = attack_range(r, g, p, card)
        reached = read_reach(
            g, w, p, r.card_through_water[card], r.card_through_rival[card], r.card_through_barbarian[card], limit
        )  # fmt: skip
    n = 0
    own = int(g.trade[p, h])
    for i in range(reached):
        s = int(w.kept_reach[p, i])
        q = int(g.owner[s])
        worthy = g.piece[s] >= names.CITY or g.natural_wonder[s] >= 0
        if g.city_state[s] >= 0 or (q >= 0 and q != p and worthy):
            w.enemy[n] = s
            n += 1
        elif q >= 0 and q != p:
            lead = slot + int(r.card_combat[card]) + own - rough_defence(r, g, s) - military_tokens(r, g, q)
            facts[p, at.STRIKE_TOKENS] += win_chance(r, lead) / 500.0
            facts[q, at.RISK_TOKENS] += win_chance(r, lead) / 500.0
    more = int(r.slot_number[r.slots - 1]) - slot
    for i in range(n):
        s = int(w.enemy[i])
        target = state.TARGET_TOKEN
        lead = attack_lead(r, g, w, p, card, slot, s, 0) + own
        if g.city_state[s] >= 0:
            target = state.TARGET_CITY_STATE
        else:
            lead -= military_tokens(r, g, int(g.owner[s]))
            if g.piece[s] >= names.CITY:
                target = state.TARGET_CAPITAL if g.piece[s] == names.CAPITAL else state.TARGET_CITY
        read_strike(r, g, p, s, target, lead, more, facts)


# --- armies (Terra Incognita)


@jit
def mark_reached(r, g, w, p, card, slot, n):
    """Mark (``w.prey_reached``) which of the `n` listed spaces armies of seat `p` reach with the card."""
    steps = army_steps(r, g, p, card)
    mark_prey(r, g, w, p, card, slot, n)
    for i in range(n):
        w.prey_reached[w.prey[i]] = 0
    from_card = False
    for a in range(limits.MAX_ARMIES):
        if g.army[p, a] < state.ON_CARD or (g.army[p, a] == state.ON_CARD and from_card):
            continue  # not in the game, or like another on the card
        from_card |= g.army[p, a] == state.ON_CARD
        flood(g, w, MARCH_LAYER, queue_army(r, g, w, p, a), steps)
        for i in range(n):
            s = int(w.prey[i])
            if w.dist[MARCH_LAYER, s] > 0:
                w.prey_reached[s] = 1


@inline
def lead_with_all_tokens(r, g, w, p, h, slot, s, target, holder):
    """Return how far an attack leads before the dice, all trade tokens of both sides counted; `holder`: a seat or NOBODY."""
    q = holder if holder != NOBODY else -1
    lead = lead_against(r, g, w, p, h, slot, s, target, q) + int(g.trade[p, h])
    return lead - military_tokens(r, g, q) if q >= 0 else lead


@jit
def enter_strike(r, g, p, s, target, q, lead, more, facts):
    """Enter the chance of seat `p` to beat the target of seat `q` with this lead; `more`: what its best slot would add."""
    chance = win_chance(r, lead) / 100.0
    if target == state.TARGET_BARBARIAN:
        return
    if target == state.TARGET_ARMY or target == state.TARGET_CARAVAN:
        facts[p, at.STRIKE_FIGURES] += chance / 3.0
        facts[q, at.RISK_FIGURES] += chance / 3.0
        return
    if is_fort(g, s):
        raise_to(facts, p, at.STRIKE_FORT, chance)
        if q >= 0:
            facts[q, at.RISK_FORTS] += chance
    if target == state.TARGET_TOKEN:
        facts[p, at.STRIKE_TOKENS] += chance / 5.0
        facts[q, at.RISK_TOKENS] += chance / 5.0
    if target != state.TARGET_FORT:
        read_strike(r, g, p, s, target, lead, more, facts)


@jit
def enter_strikes(r, g, w, p, h, slot, s, more, facts):
    """Enter every target on the space, which armies of seat `p` reach (`enter_strike`)."""
    targets = list_targets_on(r, g, p, s)
    while targets != 0:
        code = lowest_bit(targets)
        targets &= targets - 1
        lead = lead_with_all_tokens(r, g, w, p, h, slot, s, code // 8, code % 8)
        enter_strike(r, g, p, s, code // 8, code % 8 if code % 8 != NOBODY else -1, lead, more, facts)


@jit
def read_fort_hope(r, g, w, p, h, facts):
    """Fill how near seat `p` is to a fort that it does not hold, and how likely it takes the easiest one some day."""
    card = int(g.card[p, h])
    best_slot = int(r.slot_number[r.slots - 1])
    nearest = FAR
    for s in range(g.n_spaces):
        if not is_fort(g, s) or g.owner[s] == p:
            continue
        far = army_distance(r, g, p, s)
        nearest = min(nearest, far)
        targets = list_targets_on(r, g, p, s)
        if targets == 0:
            continue
        code = lowest_bit(targets)
        lead = lead_with_all_tokens(r, g, w, p, h, best_slot, s, code // 8, code % 8)
        hope = win_chance(r, lead) / 100.0 - max(0, far - army_steps(r, g, p, card)) / 4.0
        raise_to(facts, p, at.HOPE_FORT, hope)
    facts[p, at.FORT_NEAR] = nearest / 6.0


@expansion
def read_campaigns(r, g, w, p, facts) -> None:
    """Enter what the armies of seat `p` reach with its military card from where that stands in the row, and with what odds."""
    h = holder_of(r, g, p, names.MILITARY)
    if h < 0:
        return
    card = int(g.card[p, h])
    slot = slot_of(r, g, p, h)
    read_hope(r, g, w, p, h, facts)
    read_fort_hope(r, g, w, p, h, facts)
    n = list_prey(g, w, p)
    mark_reached(r, g, w, p, card, slot, n)
    more = int(r.slot_number[r.slots - 1]) - slot
    for i in range(n):
        s = int(w.prey[i])
        if w.prey_reached[s] != 0:
            enter_strikes(r, g, w, p, h, slot, s, more, facts)
