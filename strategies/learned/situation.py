"""The situation of every seat as numbers that anybody can read: what the value network sees.

`read_situation` fills one row a seat; `strategies.learned.facts` names the columns, and `war` and `prospects` fill a part of
them. Every rule's number comes from the ruleset, and nothing is used that a player does not see.
"""

import numpy as np
from numba import types

from ...simulator import limits, names
from ...simulator.engine.board.hexes import hex_distance, is_token
from ...simulator.engine.board.metrics import city_tiles, forts_held, givers
from ...simulator.engine.board.pieces import holder_of, is_mature, wonder_held
from ...simulator.engine.cards.industry import most_production, wonder_cost
from ...simulator.engine.core import state
from ...simulator.engine.core.argument_types import declare_parameters
from ...simulator.engine.core.jit import expansion, inline, jit
from ...simulator.rules import ability_codes as codes
from ..planning.plan import face_up, sites_nearby
from . import facts as at
from .board_changes import is_eased, note_changes
from .facts import N_FACTS
from .prospects import read_agendas, read_rivals
from .war import read_campaigns, read_war

NEAR = 3  # spaces within which an army is near a city
LAND = (at.ROOM_EASY, at.ROOM_HARD, at.ROOM_COAST, at.ROOM_PRIZE, at.ROOM_CONTESTED, at.SITES)  # what `count_land` fills

declare_parameters(__name__, facts=types.float32[:, ::1])

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
    for b in range(limits.MAX_BARBARIANS):
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
    for cs in range(limits.MAX_CITY_STATES):
        if g.city_state_owner[cs] == p:
            facts[p, at.CITY_STATES] += 0.5
        if g.city_state_cards[cs, p] != 0:
            facts[p, at.STATE_CARDS] += 0.25
    for giver in range(g.players):
        for card in range(min(limits.MAX_DIPLOMACY, int(r.n_diplomacy))):
            holder = int(g.diplomacy[giver, card])
            if holder == p and giver != p:
                facts[p, at.RIVAL_CARDS] += 0.25
            elif giver == p and holder >= 0 and holder != p:
                facts[p, at.GIVEN_CARDS] += 0.25
    for c in range(limits.MAX_CARAVANS):
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
    for a in range(limits.MAX_ARMIES):
        s = int(g.army[p, a])
        if s == state.ON_CARD:
            facts[p, at.ARMIES_HOME] += 0.5
        elif s >= 0:
            facts[p, at.ARMIES_OUT] += 0.5
            facts[p, at.GUARDS] += 0.5 if g.owner[s] == p else 0.0
    for q in range(g.players):
        for a in range(limits.MAX_ARMIES):
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
    return np.zeros((2 * limits.MAX_PLAYERS, N_FACTS), np.float32)
