"""The facts of a seat's position: prospects, wars, and the row of all facts."""

from __future__ import annotations

import numpy as np
from numba import types

from ...simulator import names
from ...simulator.engine import state
from ...simulator.engine.armies import army_steps, queue_army
from ...simulator.engine.battle import NOBODY, list_targets_on
from ...simulator.engine.combat import attack_range
from ...simulator.engine.compile.argument_types import declare_parameters
from ...simulator.engine.compile.jit import expansion, inline, jit, lowest_bit
from ...simulator.engine.counts import city_tiles, forts_held, givers, metric
from ...simulator.engine.industry import most_production, wonder_cost
from ...simulator.engine.map import flood, hex_distance, is_fort, is_token
from ...simulator.engine.pieces import holder_of, is_mature, wonder_held
from ...simulator.rules import codes
from ..planning.armies import MARCH_LAYER, lead_against, list_prey, mark_prey
from ..planning.cards import attack_lead
from ..planning.plan import army_distance, face_up, ignores, military_tokens, rough_defence, sites_nearby, win_chance
from . import facts as at
from .board_changes import is_eased, note_changes, read_distances, read_reach
from .facts import N_FACTS

# --- How far every seat and its rivals are from their victory cards

declare_parameters(__name__, facts=types.float32[:, ::1])

MOST_TURNS = 20.0  # of what cannot be done


@inline
def raise_to(facts, p, column, value):
    """Keep the higher of the fact and the value."""
    if value > facts[p, column]:
        facts[p, column] = value


@inline
def lack_of(r, g, p, what, kind, target):
    """Return what seat `p` lacks of a target of an agenda."""
    return max(0, target - int(metric(r, g, p, what, kind)))


@inline
def counts_wonders(what):
    """Does the agenda count world wonders of several types (T3.4)?"""
    return what == names.METRIC_ERA or what == names.METRIC_ERAS or what == names.METRIC_WONDER_TYPES


@jit
def ease_of(r, g, p, what, kind, lack, facts):
    """Return what decides how soon an agenda can be met, by what it counts; reads the other facts."""
    if what == names.METRIC_CITIES:
        return facts[p, at.SITES]
    if what == names.METRIC_WONDERS_OF_TYPE:
        return facts[p, at.WONDER_SHORT + kind]
    if what == names.METRIC_CAPITALS_DEFEATED:
        return facts[p, at.HOPE_CAPITAL]
    if what == names.METRIC_CITY_STATES:
        return facts[p, at.HOPE_STATE] if lack < 2 else facts[p, at.HOPE_NEXT_STATE]
    if what == names.METRIC_COAST:
        return facts[p, at.ROOM_COAST]
    if what == names.METRIC_MATURE_CITIES:
        return facts[p, at.MISSING_LEAST] if lack < 2 else facts[p, at.MISSING_SECOND]
    if what == names.METRIC_NATURAL_WONDERS:
        return facts[p, at.NATURAL_NEAR] if lack < 2 else facts[p, at.NATURAL_NEXT]
    return facts[p, at.SLOT + names.SCIENCE] + facts[p, at.TRADE + names.SCIENCE]


@jit
def turns_of(p, what, kind, lack, facts):
    """Return about how many turns what an agenda counts still takes if so much is missing.

    The rates are about the planner's, which come from self-play (profiles/planner.yaml), but half as long for a card's level.
    """
    if what == names.METRIC_CITIES or what == names.METRIC_TILES:
        sites = min(lack, 5.0 * facts[p, at.SITES])
        return 1.8 * sites + 3.9 * (lack - sites)
    if what == names.METRIC_WONDERS_OF_TYPE:
        if 4.0 * facts[p, at.WONDER_LEFT + kind] < lack:
            return MOST_TURNS
        return 3.9 + 1.5 * max(0.0, facts[p, at.WONDER_SHORT + kind]) + 7.0 * (lack - 1)
    if what == names.METRIC_CAPITALS_DEFEATED:
        return 1.0 / max(0.1, facts[p, at.HOPE_CAPITAL])
    if what == names.METRIC_CITY_STATES:
        turns = 1.0 / max(0.1, facts[p, at.HOPE_STATE])
        return turns if lack < 2 else turns + 1.0 / max(0.1, facts[p, at.HOPE_NEXT_STATE])
    if what == names.METRIC_COAST:
        return 0.9 * lack
    if what == names.METRIC_MATURE_CITIES:
        tokens = facts[p, at.MISSING_LEAST] if lack < 2 else facts[p, at.MISSING_LEAST] + facts[p, at.MISSING_SECOND]
        return 2.0 * tokens
    if what == names.METRIC_NATURAL_WONDERS:
        turns = 3.5 + 3.3 * facts[p, at.NATURAL_NEAR]
        return turns if lack < 2 else turns + 3.5 + 3.3 * facts[p, at.NATURAL_NEXT]
    if what == names.METRIC_FORTS:
        return lack * (1.5 + 1.0 / max(0.1, facts[p, at.HOPE_FORT]))
    if what == names.METRIC_BEST_ATTACK:
        return 4.5
    if what == names.METRIC_CARDS_OF_LEVEL:
        return 4.5 * lack
    if what == names.METRIC_REINFORCED:
        return 0.5 * lack
    if what == names.METRIC_RESOURCES:
        return 1.2 * lack
    if what == names.METRIC_DISTRICTS:
        return 1.6 * lack
    if counts_wonders(what):
        return 4.2 * lack
    return 2.1 * lack


@jit
def chance_soon(g, p, what, kind, lack, facts):
    """Return the chance that seat `p` gets in its next turn what an agenda counts if so much is missing.

    Odds of attacks are exact, and what a card brings without dice is a yes or no; a city is taken for certain where a site
    is in sight.
    """
    if what == names.METRIC_COAST:
        return 1.0 if lack <= min(5.0 * facts[p, at.TOKENS_NOW], 10.0 * facts[p, at.ROOM_COAST]) else 0.0
    if what == names.METRIC_DIAL:
        return 1.0 if lack <= 5.0 * facts[p, at.SLOT + names.SCIENCE] + 3.0 * facts[p, at.TRADE + names.SCIENCE] else 0.0
    if lack > 1:
        return 0.0
    if counts_wonders(what):
        return 1.0 if facts[p, at.WONDER_NOW] > 0.0 and facts[p, at.WONDER_HOMES] > 0.0 else 0.0
    if what == names.METRIC_FORTS:
        return facts[p, at.STRIKE_FORT]
    if what == names.METRIC_CITIES or what == names.METRIC_TILES:
        founded = 1.0 if g.cities_left[p] > 0 and facts[p, at.SITES] > 0.0 else 0.0
        return max(founded, max(facts[p, at.STRIKE_CITY], facts[p, at.STRIKE_STATE]))
    if what == names.METRIC_WONDERS_OF_TYPE:
        return facts[p, at.WONDER_CAN + kind] if facts[p, at.WONDER_HOMES] > 0.0 else 0.0
    if what == names.METRIC_CAPITALS_DEFEATED:
        return facts[p, at.STRIKE_CAPITAL]
    if what == names.METRIC_CITY_STATES:
        return facts[p, at.STRIKE_STATE]
    if what == names.METRIC_MATURE_CITIES:
        return 1.0 if 6.0 * facts[p, at.MISSING_LEAST] <= 5.0 * facts[p, at.TOKENS_NOW] else 0.0
    if what == names.METRIC_NATURAL_WONDERS:
        beside = facts[p, at.NATURAL_NEAR] < 0.2 and facts[p, at.SLOT + names.CULTURE] > 0.9
        return max(1.0 if beside else 0.0, facts[p, at.STRIKE_NATURAL])
    return 0.0


@jit
def read_agendas(r, g, p, facts):
    """Fill the facts of seat `p`'s victory cards, without an agenda it ignores; reads the other facts, so it comes last."""
    left = 0
    lack_sum = 0.0
    lack_most = 0.0
    turns_next = MOST_TURNS
    turns_most = 0.0
    turns_all = 0.0
    for i in range(g.victory_count):
        if g.claimed[p, i] != 0:
            continue
        left += 1
        card = int(g.victory_card[i])
        nearest = 1.0
        quickest = MOST_TURNS
        for a in range(2):
            if ignores(r, g, p, card, a):
                continue
            name = int(r.agenda_name[card, a])
            kind = int(r.agenda_kind[card, a])
            target = max(1, int(r.agenda_target[card, a]))
            lack = lack_of(r, g, p, r.agenda_metric[card, a], kind, target)
            share = lack / target
            what = int(r.agenda_metric[card, a])
            if r.agenda_metric2[card, a] != names.METRIC_NONE:
                target = max(1, int(r.agenda_target2[card, a]))
                other = lack_of(r, g, p, r.agenda_metric2[card, a], int(r.agenda_kind2[card, a]), target)
                if other / target < share or other < lack:
                    kind = int(r.agenda_kind2[card, a])
                    lack = other
                    share = other / target
                    what = int(r.agenda_metric2[card, a])
            soon = chance_soon(g, p, what, kind, lack, facts) if lack > 0 else 0.0
            if name < at.AGENDAS_KNOWN:
                facts[p, at.OPEN + name] = 1.0
                facts[p, at.LACK + name] = share
                facts[p, at.LAST_STEP + name] = 1.0 if lack == 1 else 0.0
                facts[p, at.EASE + name] = ease_of(r, g, p, what, kind, lack, facts) if lack > 0 else 0.0
                facts[p, at.SOON + name] = soon
            elif r.box == names.TI_BOX and name < at.AGENDAS_KNOWN + len(names.TI_AGENDAS):
                of_box = name - at.AGENDAS_KNOWN
                facts[p, at.BOX_OPEN + of_box] = 1.0
                facts[p, at.BOX_LACK + of_box] = share
                facts[p, at.BOX_LAST_STEP + of_box] = 1.0 if lack == 1 else 0.0
            nearest = min(nearest, share)
            if lack > 0:
                raise_to(facts, p, at.SOON_BEST, soon)
                quickest = min(quickest, turns_of(p, what, kind, lack, facts))
            else:
                quickest = 0.0
        lack_sum += nearest
        lack_most = max(lack_most, nearest)
        turns_next = min(turns_next, quickest)
        turns_most = max(turns_most, quickest)
        turns_all += quickest
    facts[p, at.CLAIMED] = (g.victory_count - left) / 5.0
    facts[p, at.LEFT] = left / 5.0
    facts[p, at.LAST_CARD] = 1.0 if left == 1 else 0.0
    facts[p, at.LAST_TWO] = 1.0 if left == 2 else 0.0
    facts[p, at.LACK_SUM] = lack_sum
    facts[p, at.LACK_MOST] = lack_most
    facts[p, at.TURNS_NEXT] = turns_next / 10.0 if left > 0 else 0.0
    facts[p, at.TURNS_MOST] = turns_most / 10.0
    facts[p, at.TURNS_ALL] = turns_all / 20.0
    facts[p, at.FINISH] = facts[p, at.SOON_BEST] if left == 1 else 0.0


@jit
def read_rivals(g, p, facts):
    """Fill how far the rivals of seat `p` are, from their own facts."""
    facts[p, at.RIVAL_AHEAD] = -1.0
    facts[p, at.RIVAL_NEAREST] = 5.0
    facts[p, at.RIVAL_TURNS] = MOST_TURNS
    fewest = 9.0
    mine = (p - g.current + g.players) % g.players
    for q in range(g.players):
        if q == p:
            continue
        first = (q - g.current + g.players) % g.players < mine
        raise_to(facts, p, at.RIVAL_AHEAD, facts[q, at.CLAIMED] - facts[p, at.CLAIMED])
        if facts[q, at.LAST_CARD] > 0:
            facts[p, at.RIVAL_LAST] += 1.0
            facts[p, at.RIVAL_LAST_SOON] += 1.0 if first else 0.0
        facts[p, at.RIVAL_TURNS] = min(facts[p, at.RIVAL_TURNS], facts[q, at.TURNS_ALL])
        raise_to(facts, p, at.RIVAL_FINISH, facts[q, at.FINISH])
        raise_to(facts, p, at.RIVAL_FINISH_FIRST, facts[q, at.FINISH] if first else 0.0)
        if facts[q, at.LEFT] == 0:
            facts[p, at.RIVAL_DONE] += 1.0
        if facts[q, at.LEFT] < fewest or (facts[q, at.LEFT] == fewest and facts[q, at.LACK_SUM] < facts[p, at.RIVAL_NEAREST]):
            fewest = facts[q, at.LEFT]
            facts[p, at.RIVAL_NEAREST] = facts[q, at.LACK_SUM]


# --- What every seat can attack in its next turn, with what odds, and so what threatens its rivals
#
# In the base game the military card attacks from the seat's land. In Terra Incognita armies do: what each of them reaches
# with the card is marked once, and every target in reach enters by its odds.

FAR = 12  # steps to what there is none of


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
        for cs in range(names.MAX_CITY_STATES):
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
    for cs in range(names.MAX_CITY_STATES):
        if g.city_state_owner[cs] == -2 or g.city_state_owner[cs] == p:
            continue
        hope = hope_of(r, g, p, h, int(g.city_state_space[cs]), int(w.kept_distance[p, names.MAX_PLAYERS + cs]))
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
    for a in range(names.MAX_ARMIES):
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


# --- The situation of every seat, the input of the value network
#
# `read_situation` fills one row a seat; `strategies.learned.facts` names the columns. Numbers of rules come from the ruleset,
# and nothing is used that a player does not see.

NEAR = 3  # spaces within which an army is near a city
LAND = (at.ROOM_EASY, at.ROOM_HARD, at.ROOM_COAST, at.ROOM_PRIZE, at.ROOM_CONTESTED, at.SITES)  # what `count_land` fills

# --- land


@jit
def read_cities(r, g, p, facts):
    """Fill the maturity of the seat's cities and its homes for world wonders."""
    mature = 0
    least = 12
    second = 12
    homes = 0
    for i in range(g.city_count[p]):
        city = int(g.cities[p, i])
        if g.wonder_token[city] < 0:
            homes += 1
        if is_mature(r, g, p, city):
            mature += 1
            continue
        missing = 0
        for d in range(6):
            t = g.neighbour[city, d]
            if t >= 0 and g.terrain[t] != names.WATER and (g.owner[t] != p or not is_token(g, t)):
                missing += 2 if g.owner[t] >= 0 or g.city_state[t] >= 0 or g.barbarians[t] != 0 else 1
        if missing < least:
            second = least
            least = missing
        elif missing < second:
            second = missing
    facts[p, at.CITIES] = g.city_count[p] / 5.0
    facts[p, at.CITIES_UNUSED] = g.cities_left[p] / 5.0
    facts[p, at.MATURE] = mature / 5.0
    facts[p, at.MISSING_LEAST] = least / 6.0
    facts[p, at.MISSING_SECOND] = second / 6.0
    facts[p, at.WONDER_HOMES] = homes / 5.0
    facts[p, at.SPACES] = g.space_count[p] / 20.0
    facts[p, at.COAST] = g.coast_count[p] / 15.0
    facts[p, at.TOKENS_UNUSED] = g.tokens_left[p] / 10.0


@jit
def count_land(r, g, w, p, facts):
    """Fill what lies around the seat's cities."""
    for s in range(g.n_spaces):
        w.mark[s] = 0
    for i in range(g.city_count[p]):
        for d in range(6):
            s = int(g.neighbour[g.cities[p, i], d])
            if s < 0 or w.mark[s] != 0 or g.terrain[s] == names.WATER or g.owner[s] == p:
                continue
            w.mark[s] = 1
            if g.owner[s] >= 0:
                facts[p, at.ROOM_CONTESTED] += 0.2
            elif g.barbarians[s] == 0 and g.city_state[s] < 0:
                if r.terrain_difficulty[g.terrain[s]] <= 2:
                    facts[p, at.ROOM_EASY] += 0.1
                else:
                    facts[p, at.ROOM_HARD] += 0.1
                if g.coastal[s] != 0:
                    facts[p, at.ROOM_COAST] += 0.1
                if g.resource[s] >= 0:
                    facts[p, at.ROOM_PRIZE] += 0.2
    facts[p, at.SITES] = sites_nearby(r, g, w, p) / 5.0


@jit
def read_land(r, g, w, p, facts):
    """Fill what lies around the seat's cities: as it was counted last, where nothing that it depends on has changed."""
    eased = is_eased(r, g, p)
    if w.kept_land_there[p] != 0 and not eased:
        for k in range(len(LAND)):
            facts[p, LAND[k]] = w.kept_land[p, k]
        return
    count_land(r, g, w, p, facts)
    w.kept_land_there[p] = 0 if eased else 1
    for k in range(len(LAND)):
        w.kept_land[p, k] = facts[p, LAND[k]]


@jit
def read_natural_wonders(r, g, p, facts):
    """Fill natural wonders held, and how near the free ones are."""
    nearest = 12
    second = 12
    for i in range(r.n_natural_wonders):
        q = int(g.natural_wonder_owner[i])
        if q == p:
            facts[p, at.NATURAL] += 0.5
        elif q == -1:
            far = 12
            for k in range(g.city_count[p]):
                far = min(far, hex_distance(g, int(g.natural_wonder_space[i]), int(g.cities[p, k])))
            if far < nearest:
                second = nearest
                nearest = far
            elif far < second:
                second = far
    facts[p, at.NATURAL_NEAR] = nearest / 6.0
    facts[p, at.NATURAL_NEXT] = second / 6.0


@jit
def read_barbarians(g, facts):
    """Fill which barbarians stand near whose pieces."""
    for b in range(names.MAX_BARBARIANS):
        s = int(g.barbarian_space[b])
        if s < 0:
            continue
        for d in range(6):
            t = g.neighbour[s, d]
            if t >= 0 and g.owner[t] >= 0:
                facts[g.owner[t], at.BARBARIANS_BESIDE] += 0.333
        for p in range(g.players):
            for i in range(g.city_count[p]):
                if hex_distance(g, s, int(g.cities[p, i])) <= 2:
                    facts[p, at.BARBARIANS_CITY] += 0.333


@jit
def read_reinforced(g, facts):
    """Count reinforced control tokens."""
    for s in range(g.n_spaces):
        if g.piece[s] == names.REINFORCED:
            facts[g.owner[s], at.REINFORCED_TOKENS] += 0.2


# --- wonders, goods, cards


@jit
def read_wonders(r, g, p, facts):
    """Fill world wonders held and how far away the next of each type is."""
    h = holder_of(r, g, p, names.INDUSTRY)
    for kind in range(names.N_TYPES):
        held = wonder_held(r, g, p, kind)
        facts[p, at.WONDERS + kind] = held
        facts[p, at.WONDERS_ALL] += held / 4.0
        facts[p, at.WONDER_LEFT + kind] = (g.deck_size[kind] - g.deck_next[kind]) / 4.0
        wonder = face_up(r, g, p, kind)
        if wonder < 0 or h < 0:
            facts[p, at.WONDER_SHORT + kind] = 2.0 if wonder < 0 else 1.5
            continue
        best = int(r.slot_number[r.slots - 1])
        short = int(wonder_cost(r, g, p, wonder)) - int(most_production(r, g, p, h, best, wonder))
        facts[p, at.WONDER_SHORT + kind] = max(-5, short) / 10.0
        now = 1
        for place in range(r.slots):
            if g.row[p, place] == h:
                now = int(r.slot_number[place])
        card = g.card[p, h]
        if short + int(r.card_production[card, best]) - int(r.card_production[card, now]) <= 0:
            facts[p, at.WONDER_CAN + kind] = 1.0
            facts[p, at.WONDER_NOW] += 0.333


@jit
def read_goods(r, g, p, facts):
    """Fill resources, city-states, diplomacy cards and caravans."""
    for kind in range(names.N_RESOURCES):
        facts[p, at.RESOURCE + kind] = g.resources[p, kind] / 2.0
    for cs in range(names.MAX_CITY_STATES):
        if g.city_state_owner[cs] == p:
            facts[p, at.CITY_STATES] += 0.5
        if g.city_state_cards[cs, p] != 0:
            facts[p, at.STATE_CARDS] += 0.25
    for giver in range(g.players):
        for card in range(min(names.MAX_DIPLOMACY, int(r.n_diplomacy))):
            holder = int(g.diplomacy[giver, card])
            if holder == p and giver != p:
                facts[p, at.RIVAL_CARDS] += 0.25
            elif giver == p and holder >= 0 and holder != p:
                facts[p, at.GIVEN_CARDS] += 0.25
    for c in range(names.MAX_CARAVANS):
        if g.caravan[p, c] >= 0:
            facts[p, at.CARAVANS_OUT] += 0.333
        elif g.caravan[p, c] == state.ON_CARD:
            facts[p, at.CARAVANS_HOME] += 0.333


@jit
def read_cards(r, g, p, facts):
    """Fill the dial, and level, slot and trade tokens of each card of the row."""
    facts[p, at.DIAL] = g.dial[p] / max(1, int(r.dial_last))
    space = int(g.dial[p])
    steps = 0
    while steps < 10:
        space = space + 1 if space < r.dial_last else int(r.dial_after_last)
        steps += 1
        if r.dial_level[space] > 0:
            break
    facts[p, at.TO_LEVEL] = steps / 5.0
    facts[p, at.NEXT_LEVEL] = r.dial_level[space] / 4.0
    for place in range(r.slots):
        h = int(g.row[p, place])
        card = int(g.card[p, h])
        if card < 0:
            continue
        kind = int(r.card_type[card])
        facts[p, at.LEVEL + kind] = int(r.card_level[card]) / 3.0
        facts[p, at.SLOT + kind] = r.slot_number[place] / 5.0
        facts[p, at.TRADE + kind] = g.trade[p, h] / 3.0
        facts[p, at.TRADE_ALL] += g.trade[p, h] / 10.0
        if kind == names.CULTURE:
            tokens = r.card_tokens[card] + r.card_border_tokens[card] + g.power[p, codes.CULTURE_TOKENS] + g.trade[p, h]
            facts[p, at.TOKENS_NOW] = tokens / 5.0


# --- the table


@inline
def read_events(r, g, p, first, now, then, facts):
    """Fill which of three icons, from the `first` on, the next section of the event dial has, and the one after."""
    for icon in range(3):
        if r.event_icons[(g.event + 1) % r.event_sections] & (1 << first + icon):
            facts[p, now + icon] = 1.0
        if r.event_icons[(g.event + 2) % r.event_sections] & (1 << first + icon):
            facts[p, then + icon] = 1.0


@jit
def read_course(r, g, p, facts):
    """Fill the course of the game as seat `p` sees it."""
    facts[p, at.ROUND] = g.round_number / 20.0
    facts[p, at.NEXT_IN + (p - g.current + g.players) % g.players] = 1.0
    facts[p, at.ORDER] = (p - g.first + g.players) % g.players / max(1, g.players - 1)
    read_events(r, g, p, 0, at.EVENT_NOW, at.EVENT_THEN, facts)
    if g.leader[p] < at.LEADERS_KNOWN:
        facts[p, at.LEADER + g.leader[p]] = 1.0


# --- what Terra Incognita adds


@inline
def is_near_city(g, p, s):
    """Is the space within NEAR spaces of a city of seat `p`?"""
    near = False
    for i in range(g.city_count[p]):
        near |= hex_distance(g, s, int(g.cities[p, i])) <= NEAR
    return near


@jit
def read_armies(g, p, facts):
    """Fill where the armies of seat `p` are, and which of its rivals' are near its cities."""
    for a in range(names.MAX_ARMIES):
        s = int(g.army[p, a])
        if s == state.ON_CARD:
            facts[p, at.ARMIES_HOME] += 0.5
        elif s >= 0:
            facts[p, at.ARMIES_OUT] += 0.5
            facts[p, at.GUARDS] += 0.5 if g.owner[s] == p else 0.0
    for q in range(g.players):
        for a in range(names.MAX_ARMIES):
            if q != p and g.army[q, a] >= 0 and is_near_city(g, p, int(g.army[q, a])):
                facts[p, at.FOES_NEAR] += 0.333


@expansion
def read_expansion(r, g, p, facts) -> None:
    """Fill districts, government, unique card, forts, tiles and armies of seat `p`, and what the dial has of the box."""
    read_events(r, g, p, 3, at.BOX_EVENT_NOW, at.BOX_EVENT_THEN, facts)
    for d in range(names.N_DISTRICTS):
        facts[p, at.DISTRICT + d] = 1.0 if g.district_space[p, d] >= 0 else 0.0
    if g.government[p] >= 0:
        facts[p, at.GOVERNMENT + g.government_type[p]] = 1.0
    facts[p, at.UNIQUE] = 1.0 if g.unique_round[p] > 0 else 0.0
    facts[p, at.FORTS] = forts_held(g, p) / 2.0
    facts[p, at.CITY_TILES] = city_tiles(r, g, p, 0) / 5.0
    facts[p, at.TILES_LEFT] = g.stack_n / 6.0
    facts[p, at.BEST_ATTACK] = g.best_attack[p] / 20.0
    facts[p, at.GIVERS] = givers(g, p) / 4.0
    read_armies(g, p, facts)


@jit
def read_situation(r, g, w, facts):
    """Fill a row of facts for each seat of the table, between two turns (``g.current`` moves next)."""
    for p in range(g.players):
        for k in range(N_FACTS):
            facts[p, k] = 0.0
    note_changes(r, g, w)
    for p in range(g.players):
        read_course(r, g, p, facts)
        read_cities(r, g, p, facts)
        read_land(r, g, w, p, facts)
        read_natural_wonders(r, g, p, facts)
        read_wonders(r, g, p, facts)
        read_goods(r, g, p, facts)
        read_cards(r, g, p, facts)
        if r.box == names.TI_BOX:
            read_expansion(r, g, p, facts)
    read_barbarians(g, facts)
    read_reinforced(g, facts)
    for p in range(g.players):
        if r.box == names.TI_BOX:
            read_campaigns(r, g, w, p, facts)
        else:
            read_war(r, g, w, p, facts)
    for p in range(g.players):
        read_agendas(r, g, p, facts)
    for p in range(g.players):
        read_rivals(g, p, facts)


def new_facts() -> np.ndarray:
    """Return room for the facts of a table, and behind them for those last scored: float32, shape (2 MAX_PLAYERS, N_FACTS)."""
    return np.zeros((2 * names.MAX_PLAYERS, N_FACTS), np.float32)
