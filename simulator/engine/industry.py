"""The industry card: cities and world wonders (B8)."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions, state
from .abilities import ACTS, ALL_SEATS, act, cost_on_the_spot, happen, held_back, is_forbidden, may_count_through, note_moment
from .choosing import LOG_NATURAL_WONDER_USED, LOG_WONDER, choose, log
from .compile.jit import expansion, inline, jit, lowest_bit
from .counts import counted_amount, districts_on_map, in_its_time, water_beside
from .culture import no_slot, place_tokens, take_cities
from .diplomacy import take_diplomacy
from .exploring import explore_from_any_tile
from .map import BLOCKED, PASSABLE, at_fort, flood, ground_difficulty, is_token, next_to_any_city, queue_friendly
from .pieces import (
    PENDING,
    army_on,
    caravan_on,
    controls,
    face_up_end,
    has_drafted,
    put_city,
    return_army,
    return_caravan,
    rival_army_on,
    take_face_up,
)
from .science import advance_dial, raise_cards, upgrade_cards
from .trade import pay_resource, spend, spendable
from .winning import settle

# --- Cities of industry cards (B8.1 to B8.4)

ANY_DIFFICULTY = 99
ON_CARAVAN, ON_ARMY = 1, 2  # bits of `card_city_on_figure`


@inline
def is_wonder_option(v):
    """Does the option of an industry card build a world wonder, and no city?"""
    return decisions.WONDER_OPTION <= v < decisions.CITY_ON_CARAVAN


@inline
def space_of_city(v):
    """Return the space of an option of an industry card that builds a city, with an own figure there or not."""
    return v - (
        decisions.CITY_ON_ARMY
        if v >= decisions.CITY_ON_ARMY
        else decisions.CITY_ON_CARAVAN
        if v >= decisions.CITY_ON_CARAVAN
        else 0
    )


@inline
def city_difficulty(r, g, p, terrain, coastal):
    """Return the difficulty of a terrain, next to water or not, for building a city with an industry card."""
    return ground_difficulty(r, g, p, codes.BUILD_CITY, terrain, coastal)


@jit
def eased_by_water(r, g, p, s, slot):
    """Auckland: is the space next to water, and therefore easy enough for a city of seat `p`?"""
    eased = int(g.power[p, codes.WATERSIDE_CITIES])  # 1 + the difficulty of such spaces; 0: no such ability
    return eased > 0 and eased - 1 <= slot and g.current == p and g.terrain[s] != names.WATER and water_beside(g, s) > 0


@inline
def may_build_city(g, p):
    """Has seat `p` an unused city, and may it build one?"""
    return g.cities_left[p] > 0 and not is_forbidden(g, p, codes.FORBIDDEN_CITIES)


@inline
def may_hold_city(r, g, p, s, slot):
    """B8.3, B8.4, T11.2: may seat `p` build a city on the space, distance aside?"""
    if g.terrain[s] == names.WATER or (g.armies[s] != 0 and rival_army_on(g, p, s)):
        return False
    if g.barbarians[s] != 0 or g.resource[s] >= 0 or g.city_state[s] >= 0:
        return False
    if g.owner[s] >= 0:
        if g.owner[s] != p or not is_token(g, s):
            return False
    else:
        n = g.natural_wonder[s]
        if n >= 0 and g.natural_wonder_owner[n] < 0:
            return False
    if g.wonder_token[s] >= 0 and g.owner[s] < 0 and r.ruin_blocks_city != 0:
        return False
    easy = city_difficulty(r, g, p, int(g.terrain[s]), int(g.coastal[s])) <= slot
    if not (easy or eased_by_water(r, g, p, s, slot)) or next_to_any_city(g, s):
        return False
    return r.box != names.TI_BOX or not at_fort(g, s)


@jit
def mark_waterside(r, g, w, p, slot):
    """Auckland: the distance of a city may be counted through land next to water, too."""
    for s in range(g.n_spaces):
        held = g.barbarians[s] != 0 or (g.owner[s] >= 0 and g.owner[s] != p)
        if not held and eased_by_water(r, g, p, s, slot):
            w.mark[s] = PASSABLE


@jit
def mark_city(r, g, w, p, card, slot):
    """Mark the spaces the distance of a city may be counted through (B8.2)."""
    passable = 0  # bits by next to water, terrain: a look-up that the compiler vectorises
    through_water = r.card_city_through_water[card] != 0 or may_count_through(g, p, codes.THROUGH_CITY_WATER)
    for coastal in range(2):
        for t in range(names.N_TERRAINS):
            through = city_difficulty(r, g, p, t, coastal) <= slot if t != names.WATER else through_water
            passable |= int(through) << (coastal * names.N_TERRAINS + t)
    for s in range(g.n_spaces):
        terrain = int(g.terrain[s])
        owner = g.owner[s]
        barbarians = g.barbarians[s]
        mark = (passable >> (int(g.coastal[s]) * names.N_TERRAINS + terrain)) & 1
        held = (barbarians != 0) | ((owner >= 0) & (owner != p))
        w.mark[s] = BLOCKED if held & (terrain != names.WATER) else mark
    if g.power[p, codes.WATERSIDE_CITIES] != 0:
        mark_waterside(r, g, w, p, slot)


@jit
def queued(w, n, s):
    """Is the space among the first `n` of the queue?"""
    for i in range(n):
        if w.queue[i] == s:
            return True
    return False


@inline
def city_range(r, g, p, card):
    """Return the greatest distance from a friendly space of a city that seat `p` builds with this card."""
    return int(r.card_city_range[card]) + int(g.power[p, codes.CITY_RANGE])


@jit
def count_city_distance(r, g, w, p, card, slot):
    """Count every space's distance from a friendly space (or caravan, if the card says so) into ``w.dist[0]``."""
    mark_city(r, g, w, p, card, slot)
    n = queue_friendly(g, w, p, 0)
    if r.card_city_from_caravan[card] != 0:
        for c in range(names.MAX_CARAVANS):
            s = g.caravan[p, c]
            if s >= 0 and g.owner[s] != p and not queued(w, n, s):
                w.queue[n] = s
                n += 1
    flood(g, w, 0, n, city_range(r, g, p, card))


@jit
def list_city_spaces(r, g, w, p, card, slot):
    """List the spaces where seat `p` may build a city with this card; return how many."""
    if not may_build_city(g, p):
        return 0
    count_city_distance(r, g, w, p, card, slot)
    lighthouse = 0 < g.power[p, codes.EDGE_CITIES] <= city_range(r, g, p, card)  # Great Lighthouse
    n = 0
    for s in range(g.n_spaces):
        near = w.dist[0, s] >= 0
        if not near and lighthouse and g.edge[s] != 0 and g.owner[s] < 0 and g.caravans[s] == 0 and g.armies[s] == 0:
            near = g.wonder_token[s] < 0
        if near and may_hold_city(r, g, p, s, slot):
            w.option[n] = s
            n += 1
    return n


@expansion
def list_cities_on_figures(r, g, w, p, card, n) -> int:
    """Animal Husbandry: append the spaces of own figures where a city is legal, at any distance, of any terrain (T12.16)."""
    if not may_build_city(g, p):
        return n
    for s in range(g.n_spaces):
        if (g.caravans[s] == 0 and g.armies[s] == 0) or not may_hold_city(r, g, p, s, ANY_DIFFICULTY):
            continue
        if r.card_city_on_figure[card] & ON_CARAVAN != 0 and caravan_on(g, p, s) >= 0:
            w.option[n] = decisions.CITY_ON_CARAVAN + s
            n += 1
        if r.card_city_on_figure[card] & ON_ARMY != 0 and army_on(g, p, s) >= 0:
            w.option[n] = decisions.CITY_ON_ARMY + s
            n += 1
    return n


@jit
def found_city(r, g, w, bots, p, h, slot, tokens, s):
    """Place the city and up to `tokens` control tokens around it, and let abilities act."""
    put_city(r, g, w, p, s)
    g.stat_cities_built[p] += 1
    settle(r, g, w, bots)
    place_tokens(r, g, w, bots, p, h, slot, tokens, decisions.SOURCE_NEW_CITY, s)
    happen(r, g, w, bots, p, codes.CITY_BUILT, state.TARGET_CITY, -1, s, -1)


@jit
def build_city(r, g, w, bots, p, h, slot, s):
    """B8.1: place the city; Urbanization adds control tokens around it."""
    found_city(r, g, w, bots, p, h, slot, r.card_city_tokens[g.card[p, h]], s)


@expansion
def build_city_on_figure(r, g, w, bots, p, h, slot, picked) -> None:
    """Animal Husbandry: one own figure on the space returns to its card and a city is built there (T12.16)."""
    if picked >= decisions.CITY_ON_ARMY:
        s = picked - decisions.CITY_ON_ARMY
        return_army(g, w, p, army_on(g, p, s))
    else:
        s = picked - decisions.CITY_ON_CARAVAN
        return_caravan(g, w, p, caravan_on(g, p, s))
    build_city(r, g, w, bots, p, h, slot, s)


# --- World wonders (B8.5 to B8.7), and the industry card


@jit
def wonder_cost(r, g, p, wonder):
    """Return the cost of the wonder for seat `p` (B8.5)."""
    kind, era = int(r.wonder_type[wonder]), int(r.wonder_era[wonder])
    cost = int(r.wonder_cost[wonder]) + int(g.cost_change[p, kind, era])
    cost += int(r.wonder_token_cost) * int(g.wonder_trade[wonder])  # T9.2
    if g.moments[p] >> codes.ASKS_COST & 1 != 0:
        cost += cost_on_the_spot(r, g, p, kind, era)
    return max(cost, 0)


@inline
def natural_wonder_usable(g, p, i):
    """May seat `p` use the natural wonder's token as a resource now (once a turn, B4.3)?"""
    return g.natural_wonder_owner[i] == p and g.natural_wonder_used[i] == 0


@inline
def card_production(r, g, p, h, slot):
    """Return the production of the industry card from the slot, with that of abilities and own districts (Japan)."""
    card = g.card[p, h]
    production = int(r.card_production[card, slot]) + int(g.power[p, codes.PRODUCTION])
    per_district = int(r.card_production_per_district[card])
    return production + per_district * districts_on_map(g, p) if per_district != 0 else production


@inline
def resource_production(r, g, p, h):
    """Return the production of a resource with the industry card (Construction: more than other cards)."""
    own = int(r.card_resource_production[g.card[p, h]])
    return own if own != 0 else int(r.production_resource)


@jit
def most_production(r, g, p, h, slot, wonder):
    """Return the most production that seat `p` can reach for the wonder (B8.5)."""
    total = card_production(r, g, p, h, slot) + spendable(r, g, p, h, wonder) * r.production_trade_token
    for kind in range(names.N_RESOURCES):
        if r.wonder_pays[wonder, kind] != 0:
            total += g.resources[p, kind] * resource_production(r, g, p, h)
    for i in range(r.n_natural_wonders):
        if natural_wonder_usable(g, p, i) and r.wonder_pays[wonder, r.natural_wonder_resource[i]] != 0:
            total += resource_production(r, g, p, h)
    return total


@jit
def city_without_wonder(r, g, w, p):
    """List the cities of seat `p` that have room for a wonder's token (B8.6); return how many."""
    n = 0
    for i in range(g.city_count[p]):
        if g.wonder_token[g.cities[p, i]] < 0:
            w.option[n] = g.cities[p, i]
            n += 1
    return n


@jit
def use_natural_wonder(g, w, i):
    """Use a natural wonder's token as its resource, once a turn; Roosevelt Corollary then places it anew."""
    g.natural_wonder_used[i] = 1
    log(w, LOG_NATURAL_WONDER_USED, g.natural_wonder_owner[i], i, 0, 0, 0, 0)
    if g.power[g.natural_wonder_owner[i], codes.ROOSEVELT_COROLLARY] != 0:
        g.natural_wonder_holder[i] = PENDING
        g.dirty = 1


@jit
def pay(r, g, w, bots, p, h, slot, wonder):
    """B8.5: spend resources and trade tokens, one at a time, until the production reaches the cost."""
    missing = wonder_cost(r, g, p, wonder) - card_production(r, g, p, h, slot)
    while missing > 0:
        n = 0
        for kind in range(names.N_RESOURCES):
            if r.wonder_pays[wonder, kind] != 0 and g.resources[p, kind] > 0:
                w.option[n] = kind
                n += 1
        for i in range(r.n_natural_wonders):
            if natural_wonder_usable(g, p, i) and r.wonder_pays[wonder, r.natural_wonder_resource[i]] != 0:
                w.option[n] = decisions.PAY_NATURAL_WONDER + i
                n += 1
        if spendable(r, g, p, h, wonder) > 0:
            w.option[n] = decisions.PAY_TRADE
            n += 1
        w.ask_wonder = wonder
        w.ask_left = missing
        w.ask_holder = h
        picked = choose(r, g, w, bots, p, decisions.PAY, n)
        if picked == decisions.PAY_TRADE:
            spend(r, g, w, bots, p, h, 1, wonder, decisions.SOURCE_WONDER)
            missing -= r.production_trade_token
            continue
        missing -= resource_production(r, g, p, h)
        if picked < decisions.PAY_NATURAL_WONDER:
            pay_resource(g, w, p, picked)
        else:
            use_natural_wonder(g, w, picked - decisions.PAY_NATURAL_WONDER)


@jit
def put_wonder(g, wonder, s):
    """Put the wonder's token on the space."""
    g.wonder_token[s] = wonder
    g.wonder_space[wonder] = s
    g.stale = ALL_SEATS
    g.dirty = 1


@jit
def place_wonder(r, g, w, bots, p, wonder):
    """Put the wonder's token under a city without one (B8.6); return 1 if there is such a city."""
    n = city_without_wonder(r, g, w, p)
    if n == 0:
        return 0
    w.ask_wonder = wonder
    put_wonder(g, wonder, choose(r, g, w, bots, p, decisions.WONDER_CITY, n))
    return 1


@jit
def enter_wonder(g, w, p, wonder):
    """Note that seat `p` has built the wonder, whose token lies on its space."""
    g.wonder_place[wonder] = state.WONDER_BUILT
    g.wonder_trade[wonder] = 0
    g.wonder_builder[wonder] = p
    g.wonder_round_built[wonder] = g.round_number
    log(w, LOG_WONDER, p, wonder, g.wonder_space[wonder], 0, 0, 0)


@jit
def explore_anywhere(r, g, w, bots, p, row, amount):
    """Apadana: explore from any edge space of any tile, then place control tokens on empty spaces of the new tile (T12.12)."""
    for _ in range(amount):
        if explore_from_any_tile(r, g, w, bots, p) == 0:
            return
        place_tokens(r, g, w, bots, p, -1, no_slot(r), int(r.ability_limit[row]), decisions.SOURCE_APADANA, int(w.ask_space))


@jit
def wonder_acts(r, g, w, bots, p, wonder, built):
    """Let the wonder's abilities act for seat `p` that come at once when it is built (`built` 1) or captured (0)."""
    kind, s = int(r.wonder_type[wonder]), int(g.wonder_space[wonder])
    for row in range(r.wonder_first[wonder], r.wonder_first[wonder] + r.wonder_n[wonder]):
        moment = int(r.ability_moment[row])
        if moment != codes.BUILT_OR_CAPTURED and (moment != codes.BUILT or built == 0):
            continue
        if not in_its_time(r, g, row):
            continue
        why = held_back(r, g, w, p, row, codes.NO_GIVER, moment, 0, kind, s, -1)
        amount = int(counted_amount(r, g, w, p, row, kind, -1, s)) if why == ACTS else 0
        note_moment(w, p, row, s, why, amount)
        if why != ACTS:
            continue
        effect = r.ability_effect[row]
        if effect == codes.UPGRADE_CARDS:
            upgrade_cards(r, g, w, bots, p, row, amount)
        elif effect == codes.RAISE_CARDS:
            raise_cards(r, g, w, bots, p, row, amount)
        elif effect == codes.TAKE_DIPLOMACY:
            take_diplomacy(r, g, w, bots, p, amount)
        elif effect == codes.TAKE_CITY:
            take_cities(r, g, w, bots, p, row, amount, s)
        elif effect == codes.EXPLORE:
            explore_anywhere(r, g, w, bots, p, row, amount)
        else:
            act(r, g, w, bots, p, row, codes.NO_GIVER, s, amount, -1)


@jit
def wonder_is_captured(r, g, w, bots, p, wonder):
    """Let the abilities act of a wonder that seat `p` has captured by a won attack (T11.3)."""
    g.wonders_gained &= ~(1 << int(wonder))
    wonder_acts(r, g, w, bots, p, wonder, 0)


@jit
def wonders_are_gained(r, g, w, bots):
    """Let the abilities act of wonders that players gained otherwise, if the ruling counts that as captured (T11.3)."""
    while g.wonders_gained != 0:
        wonder = lowest_bit(int(g.wonders_gained))
        g.wonders_gained &= ~(1 << wonder)
        for p in range(g.players):
            if r.effects_capture != 0 and controls(g, p, wonder):
                wonder_acts(r, g, w, bots, p, wonder, 0)


@jit
def wonder_is_built(r, g, w, bots, p, wonder):
    """After a wonder is built: agendas, then its abilities that come at once, then those that wait for a wonder."""
    settle(r, g, w, bots)
    wonder_acts(r, g, w, bots, p, wonder, 1)
    happen(r, g, w, bots, p, codes.WONDER_BUILT, 0, int(r.wonder_type[wonder]), int(g.wonder_space[wonder]), -1)


@inline
def is_edge_site(r, g, p, s):
    """Is the space a legal one at the map's edge for a wonder's new city (T12.13)?"""
    return g.edge[s] != 0 and g.wonder_token[s] < 0 and may_hold_city(r, g, p, s, no_slot(r))


@jit
def tokens_of_founding(r, g, wonder):
    """Return the number of control tokens around the city that the wonder is built with (Amundsen-Scott), -1: no such city."""
    for row in range(r.wonder_first[wonder], r.wonder_first[wonder] + r.wonder_n[wonder]):
        if r.ability_effect[row] == codes.FOUNDS_CITY and in_its_time(r, g, row):
            return int(r.ability_amount[row])
    return -1


@jit
def has_home(r, g, p, wonder, room):
    """Has seat `p` a city for the wonder: one without a wonder (`room`), or the new one it is built with (B8.6, T12.13)?"""
    if tokens_of_founding(r, g, wonder) < 0:
        return room != 0
    if not may_build_city(g, p) or (r.amundsen_needs_city != 0 and room == 0):
        return False
    for s in range(g.n_spaces):
        if is_edge_site(r, g, p, s):
            return True
    return False


@jit
def build_on_edge(r, g, w, bots, p, h, wonder):
    """Amundsen-Scott: build a city for the wonder at the map's edge, with control tokens around it (T12.13)."""
    n = 0
    for s in range(g.n_spaces):
        if is_edge_site(r, g, p, s):
            w.option[n] = s
            n += 1
    w.ask_source = decisions.SOURCE_AMUNDSEN
    w.ask_wonder = wonder
    s = choose(r, g, w, bots, p, decisions.CITY_SPACE, n)
    found_city(r, g, w, bots, p, h, no_slot(r), tokens_of_founding(r, g, wonder), s)
    put_wonder(g, wonder, s)
    enter_wonder(g, w, p, wonder)


@jit
def build_wonder(r, g, w, bots, p, h, slot, wonder):
    """B8.5, B8.6: pay, place the token, turn up the next card, and let abilities act."""
    pay(r, g, w, bots, p, h, slot, wonder)
    if tokens_of_founding(r, g, wonder) >= 0:
        build_on_edge(r, g, w, bots, p, h, wonder)
    else:
        place_wonder(r, g, w, bots, p, wonder)
        enter_wonder(g, w, p, wonder)
    if g.wonder_drafted[wonder] == 0:
        take_face_up(r, g, w, wonder)
    wonder_is_built(r, g, w, bots, p, wonder)


@inline
def can_build(r, g, p, h, slot, wonder, room):
    """Can seat `p` pay for the world wonder from the slot, and give it a city?"""
    if is_forbidden(g, p, codes.FORBIDDEN_WONDERS):
        return False
    return has_home(r, g, p, wonder, room) and most_production(r, g, p, h, slot, wonder) >= wonder_cost(r, g, p, wonder)


@expansion
def dial_anyway(r, g, w, bots, p) -> bool:
    """Craftsmanship: may the dial advance although no wonder was built (T11.4)? Else the card has no effect."""
    w.option[0] = 1
    w.option[1] = decisions.PASS
    return choose(r, g, w, bots, p, decisions.DIAL_ANYWAY, 2) == 1


@jit
def resolve_industry(r, g, w, bots, p, h, slot):
    """B8: build one city or one world wonder, or nothing."""
    card = g.card[p, h]
    n = list_city_spaces(r, g, w, p, card, slot)
    if r.card_city_on_figure[card] != 0:
        n = list_cities_on_figures(r, g, w, p, card, n)
    room = 0
    for i in range(g.city_count[p]):
        room |= int(g.wonder_token[g.cities[p, i]] < 0)
    for kind in range(names.N_TYPES):
        for k in range(g.deck_next[kind], face_up_end(r, g, kind)):
            wonder = g.deck[kind, k]
            if can_build(r, g, p, h, slot, wonder, room):
                w.option[n] = decisions.WONDER_OPTION + int(wonder)
                n += 1
    if r.drafted_wonders != 0:
        for wonder in range(r.n_wonders):
            if has_drafted(g, p, wonder) and can_build(r, g, p, h, slot, wonder, room):
                w.option[n] = decisions.WONDER_OPTION + int(wonder)
                n += 1
    w.option[n] = decisions.PASS
    w.ask_slot = slot
    w.ask_holder = h
    picked = choose(r, g, w, bots, p, decisions.INDUSTRY, n + 1)
    if picked == decisions.PASS:
        if r.card_dial_after_wonder[card] > 0 and dial_anyway(r, g, w, bots, p):
            advance_dial(r, g, w, bots, p, r.card_dial_after_wonder[card])
        return
    if picked >= decisions.CITY_ON_CARAVAN:
        build_city_on_figure(r, g, w, bots, p, h, slot, picked)
    elif picked >= decisions.WONDER_OPTION:
        build_wonder(r, g, w, bots, p, h, slot, picked - decisions.WONDER_OPTION)
        if r.card_dial_after_wonder[card] > 0:
            advance_dial(r, g, w, bots, p, r.card_dial_after_wonder[card])
    else:
        build_city(r, g, w, bots, p, h, slot, picked)
