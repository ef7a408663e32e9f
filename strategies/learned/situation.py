"""The situation of every seat as numbers that anybody can read: what the value network sees.

`read_situation` fills one row a seat; `strategies.learned.facts` names the columns. Every rule's number comes from the
ruleset, and nothing is used that a player does not see.
"""

import numpy as np

from newdawn.simulator import names
from newdawn.simulator.engine.board.hexes import flood, hex_distance, is_token, mark_attack, queue_friendly
from newdawn.simulator.engine.board.pieces import holder_of, is_mature, wonder_held
from newdawn.simulator.engine.cards.industry import most_production, wonder_cost
from newdawn.simulator.engine.cards.military import attack_range
from newdawn.simulator.engine.core.jit import inline, jit
from newdawn.simulator.engine.core.state import ON_CARD, TARGET_CAPITAL, TARGET_CITY, TARGET_CITY_STATE, TARGET_TOKEN
from newdawn.simulator.limits import MAX_BARBARIANS, MAX_CARAVANS, MAX_CITY_STATES, MAX_DIPLOMACY, MAX_PLAYERS
from newdawn.simulator.names import CITY, CULTURE, INDUSTRY, MILITARY, N_RESOURCES, N_TYPES, REINFORCED, WATER
from newdawn.simulator.rules.ability_codes import CULTURE_TOKENS
from newdawn.strategies.learned import facts as at
from newdawn.strategies.learned.facts import N_FACTS
from newdawn.strategies.learned.prospects import raise_to, read_agendas, read_rivals
from newdawn.strategies.planning.cards import attack_lead
from newdawn.strategies.planning.features import face_up, military_tokens, rough_defence, win_chance
from newdawn.strategies.planning.plan import sites_nearby

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
            if t >= 0 and g.terrain[t] != WATER and (g.owner[t] != p or not is_token(g, t)):
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
def read_land(r, g, w, p, facts):
    """Fill what lies around the seat's cities."""
    for s in range(g.n_spaces):
        w.mark[s] = 0
    for i in range(g.city_count[p]):
        for d in range(6):
            s = int(g.neighbour[g.cities[p, i], d])
            if s < 0 or w.mark[s] != 0 or g.terrain[s] == WATER or g.owner[s] == p:
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
    for b in range(MAX_BARBARIANS):
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
        if g.piece[s] == REINFORCED:
            facts[g.owner[s], at.REINFORCED_TOKENS] += 0.2


# --- wonders, goods, cards


@jit
def read_wonders(r, g, p, facts):
    """Fill world wonders held and how far away the next of each type is."""
    h = holder_of(r, g, p, INDUSTRY)
    for kind in range(N_TYPES):
        held = wonder_held(r, g, p, kind)
        facts[p, at.WONDERS + kind] = held
        facts[p, at.WONDERS_ALL] += held / 4.0
        facts[p, at.WONDER_LEFT + kind] = (g.deck_size[kind] - g.deck_next[kind]) / 4.0
        wonder = face_up(g, kind)
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
    for kind in range(N_RESOURCES):
        facts[p, at.RESOURCE + kind] = g.resources[p, kind] / 2.0
    for cs in range(MAX_CITY_STATES):
        if g.city_state_owner[cs] == p:
            facts[p, at.CITY_STATES] += 0.5
        if g.city_state_cards[cs, p] != 0:
            facts[p, at.STATE_CARDS] += 0.25
    for giver in range(g.players):
        for card in range(min(MAX_DIPLOMACY, int(r.n_diplomacy))):
            holder = int(g.diplomacy[giver, card])
            if holder == p and giver != p:
                facts[p, at.RIVAL_CARDS] += 0.25
            elif giver == p and holder >= 0 and holder != p:
                facts[p, at.GIVEN_CARDS] += 0.25
    for c in range(MAX_CARAVANS):
        if g.caravan[p, c] >= 0:
            facts[p, at.CARAVANS_OUT] += 0.333
        elif g.caravan[p, c] == ON_CARD:
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
        if kind == CULTURE:
            tokens = r.card_tokens[card] + r.card_border_tokens[card] + g.power[p, CULTURE_TOKENS] + g.trade[p, h]
            facts[p, at.TOKENS_NOW] = tokens / 5.0


# --- war


@jit
def read_strike(r, g, p, s, target, lead, more, facts):
    """Enter the chance of seat `p` to win at the space with this lead, for it and for whom it would hit.

    `more` is what its best slot would add to the lead.
    """
    chance = win_chance(r, lead) / 100.0
    later = win_chance(r, lead + more) / 100.0
    q = int(g.owner[s])
    if target == TARGET_CITY_STATE:
        raise_to(facts, p, at.STRIKE_STATE, chance)
        raise_to(facts, p, at.LATER_STATE, later)
        return
    if target == TARGET_CAPITAL:
        raise_to(facts, p, at.STRIKE_CAPITAL, chance)
        raise_to(facts, p, at.LATER_CAPITAL, later)
        raise_to(facts, q, at.RISK_CAPITAL, chance)
    elif target == TARGET_CITY:
        raise_to(facts, p, at.STRIKE_CITY, chance)
        facts[p, at.STRIKE_CITIES] += chance / 2.0
        facts[q, at.RISK_CITIES] += chance
        for cs in range(MAX_CITY_STATES):
            if g.city_state_owner[cs] == q and g.city_state_space[cs] == s:
                facts[q, at.RISK_STATES] += chance
    if g.wonder_token[s] >= 0:
        raise_to(facts, p, at.STRIKE_WONDER, chance)
        facts[q, at.RISK_WONDERS] += chance
    if g.natural_wonder[s] >= 0:
        raise_to(facts, p, at.STRIKE_NATURAL, chance)
        facts[q, at.RISK_NATURAL] += chance


@inline
def hope_of(r, g, w, p, h, s, spaces):
    """Return the chance of seat `p` to beat what stands on the space from the best slot, less for each space out of reach.

    The first `spaces` entries of ``w.queue`` are the seat's friendly spaces.
    """
    card = int(g.card[p, h])
    lead = int(r.slot_number[r.slots - 1]) + int(r.card_combat[card]) + int(g.trade[p, h]) - rough_defence(r, g, s)
    if g.owner[s] >= 0:
        lead -= military_tokens(r, g, int(g.owner[s]))
    near = 99
    for i in range(spaces):
        near = min(near, hex_distance(g, s, int(w.queue[i])))
    far = max(0, near - int(r.card_attack_range[card]))
    return max(0.0, win_chance(r, lead) / 100.0 - far / 4.0)


@jit
def read_hope(r, g, w, p, h, spaces, facts):
    """Fill how near seat `p` is to beating a capital and to conquering city-states (`hope_of`)."""
    for q in range(g.players):
        if q != p and g.capital[q] >= 0:
            raise_to(facts, p, at.HOPE_CAPITAL, hope_of(r, g, w, p, h, int(g.capital[q]), spaces))
    for cs in range(MAX_CITY_STATES):
        if g.city_state_owner[cs] == -2 or g.city_state_owner[cs] == p:
            continue
        hope = hope_of(r, g, w, p, h, int(g.city_state_space[cs]), spaces)
        raise_to(facts, p, at.HOPE_NEXT_STATE, min(hope, facts[p, at.HOPE_STATE]))
        raise_to(facts, p, at.HOPE_STATE, hope)


@jit
def read_war(r, g, w, p, facts):
    """Enter what the military card of seat `p` reaches from where it stands in the row, and with what odds."""
    h = holder_of(r, g, p, MILITARY)
    if h < 0:
        return
    card = int(g.card[p, h])
    spaces = queue_friendly(g, w, p, 0)
    read_hope(r, g, w, p, h, spaces, facts)
    slot = 1
    for place in range(r.slots):
        if g.row[p, place] == h:
            slot = int(r.slot_number[place])
    mark_attack(g, w, p, r.card_through_water[card], r.card_through_rival[card], r.card_through_barbarian[card])
    reached = flood(g, w, 2, spaces, attack_range(r, g, p, card)) if r.card_attacks[card] > 0 else 0
    n = 0
    own = int(g.trade[p, h])
    for i in range(reached):
        s = int(w.queue[i])
        q = int(g.owner[s])
        worthy = g.piece[s] >= CITY or g.natural_wonder[s] >= 0
        if g.city_state[s] >= 0 or (q >= 0 and q != p and worthy):
            w.dist[3, n] = s
            n += 1
        elif q >= 0 and q != p:
            lead = slot + int(r.card_combat[card]) + own - rough_defence(r, g, s) - military_tokens(r, g, q)
            facts[p, at.STRIKE_TOKENS] += win_chance(r, lead) / 500.0
            facts[q, at.RISK_TOKENS] += win_chance(r, lead) / 500.0
    more = int(r.slot_number[r.slots - 1]) - slot
    for i in range(n):
        s = int(w.dist[3, i])
        target = TARGET_TOKEN
        lead = attack_lead(r, g, w, p, card, slot, s, 0) + own
        if g.city_state[s] >= 0:
            target = TARGET_CITY_STATE
        else:
            lead -= military_tokens(r, g, int(g.owner[s]))
            if g.piece[s] >= CITY:
                target = TARGET_CAPITAL if g.piece[s] == names.CAPITAL else TARGET_CITY
        read_strike(r, g, p, s, target, lead, more, facts)


# --- the table


@jit
def read_course(r, g, p, facts):
    """Fill the course of the game as seat `p` sees it."""
    facts[p, at.ROUND] = g.round_number / 20.0
    facts[p, at.NEXT_IN + (p - g.current + g.players) % g.players] = 1.0
    facts[p, at.ORDER] = (p - g.first + g.players) % g.players / max(1, g.players - 1)
    for icon in range(3):
        if r.event_icons[(g.event + 1) % r.event_sections] & (1 << icon):
            facts[p, at.EVENT_NOW + icon] = 1.0
        if r.event_icons[(g.event + 2) % r.event_sections] & (1 << icon):
            facts[p, at.EVENT_THEN + icon] = 1.0
    if g.leader[p] < at.LEADERS_KNOWN:
        facts[p, at.LEADER + g.leader[p]] = 1.0


@jit
def read_situation(r, g, w, facts):
    """Fill a row of facts for each seat of the table, between two turns (``g.current`` moves next)."""
    for p in range(g.players):
        for k in range(N_FACTS):
            facts[p, k] = 0.0
    for p in range(g.players):
        read_course(r, g, p, facts)
        read_cities(r, g, p, facts)
        read_land(r, g, w, p, facts)
        read_natural_wonders(r, g, p, facts)
        read_wonders(r, g, p, facts)
        read_goods(r, g, p, facts)
        read_cards(r, g, p, facts)
    read_barbarians(g, facts)
    read_reinforced(g, facts)
    for p in range(g.players):
        read_war(r, g, w, p, facts)
    for p in range(g.players):
        read_agendas(r, g, p, facts)
    for p in range(g.players):
        read_rivals(g, p, facts)


def new_facts() -> np.ndarray:
    """Return room for the facts of a table, and behind them for those last scored: float32, shape (2 MAX_PLAYERS, N_FACTS)."""
    return np.zeros((2 * MAX_PLAYERS, N_FACTS), np.float32)
