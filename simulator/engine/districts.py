"""The effects of the five districts (T4.5 to T4.10), when the dial shows them or an ability uses one."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions
from .choosing import LOG_DISTRICT_USED, LOG_TRADE, choose, log
from .combat import beat_a_barbarian
from .compile.jit import expansion, inline, jit
from .culture import list_token_spaces, no_slot, place_tokens
from .industry import found_city, may_build_city, may_hold_city
from .map import flood_from, flood_through_anything, queue_friendly
from .pieces import armies_of, army_on, flip_token, has_pact, holder_of, is_own_land, lose_army, mature_cities, note_strike
from .trade import city_state_spends, gain_trade, spend_token
from .winning import settle

FIRST, SECOND = 0, 1  # the options of a district, in the order of the rulebook


# --- friendly spaces around a district


@jit
def is_polder(g, p, s):
    """Netherlands: is the space water next to an own district, which is friendly and of every terrain for district effects?"""
    if g.power[p, codes.DISTRICT_WATER] == 0 or g.terrain[s] != names.WATER:
        return False
    for d in range(6):
        n = g.neighbour[s, d]
        if n >= 0 and g.owner[n] == p and g.district[n] != 0:
            return True
    return False


@inline
def has_terrain(g, s, terrain):
    """Has the space the terrain? A natural wonder counts as a mountain, with or without its token (T4.6)."""
    return g.terrain[s] == terrain or (terrain == names.MOUNTAIN and g.terrain[s] == names.NATURAL_WONDER)


@jit
def spaces_around(g, p, s, terrain):
    """Return the number of friendly spaces of the terrain around the district on the space, its own included (T4.5)."""
    n = 1 if has_terrain(g, s, terrain) else 0
    polders = g.power[p, codes.DISTRICT_WATER] != 0
    for d in range(6):
        t = int(g.neighbour[s, d])
        if t >= 0 and ((is_own_land(g, p, t) and has_terrain(g, t, terrain)) or (polders and is_polder(g, p, t))):
            n += 1
    return n


# --- Encampment


@jit
def list_foes(r, g, w, p, s):
    """List the barbarians and rival armies within reach of the Encampment on the space; return how many."""
    flood_through_anything(g, w, 0, s, int(r.camp_strike_range))
    n = 0
    for t in range(g.n_spaces):
        if w.dist[0, t] < 0:
            continue
        if g.barbarians[t] != 0:
            w.option[n] = decisions.BARBARIAN_OPTION + t
            n += 1
        for q in range(g.players):
            if g.armies[t] > 0 and q != p and armies_of(g, q, t) > 0 and not has_pact(g, p, q):
                w.option[n] = decisions.ARMY_OPTION + q * 256 + t
                n += 1
    return n


@jit
def strike_foe(r, g, w, bots, p, s):
    """Encampment: a barbarian is defeated (T12.1) or a rival army goes home, without a fight."""
    foe = choose(r, g, w, bots, p, decisions.DISTRICT_SPACE, list_foes(r, g, w, p, s))
    if foe < decisions.ARMY_OPTION:
        beat_a_barbarian(r, g, w, bots, p, foe - decisions.BARBARIAN_OPTION)
        return
    q = (foe - decisions.ARMY_OPTION) // 256
    note_strike(g, p, q)
    lose_army(g, w, q, army_on(g, q, (foe - decisions.ARMY_OPTION) % 256), p)


@jit
def list_plain_tokens(r, g, w, p, s):
    """List the unreinforced own control tokens within reach of the Encampment on the space, by one ruling those of the giver of
    Open Borders too; return how many."""
    flood_through_anything(g, w, 0, s, int(r.camp_reinforce_range))
    n = 0
    for t in range(g.n_spaces):
        friendly = g.owner[t] == p or (r.shared_tokens_reinforced != 0 and is_own_land(g, p, t))
        if w.dist[0, t] >= 0 and friendly and g.piece[t] == names.TOKEN:
            w.option[n] = t
            n += 1
    return n


# --- Industrial Zone


@jit
def list_zone_cities(r, g, w, p):
    """List the legal spaces for a city within reach of any friendly space, through anything (T4.9, T11.2)."""
    if r.zone_city == 0 or not may_build_city(g, p):
        return 0
    n = queue_friendly(g, w, p, 0)
    for s in range(g.n_spaces):
        if is_polder(g, p, s) or (g.owner[s] != p and is_own_land(g, p, s)):
            w.queue[n] = s
            n += 1
    flood_from(g, w, n, int(r.zone_city_range))
    n = 0
    for s in range(g.n_spaces):
        if w.dist[0, s] >= 0 and may_hold_city(r, g, p, s, no_slot(r)):
            w.option[n] = s
            n += 1
    return n


@jit
def list_first_payments(r, g, w, p, h):
    """List the tokens of the card that may pay the first of the Industrial Zone's trade tokens; return how many kinds."""
    price = int(r.zone_city_price)
    n = 0
    for cs in range(r.n_city_states):
        if r.zone_takes_city_state != 0 and g.trade[p, h] >= price - 1 and city_state_spends(g, p, h, cs):
            w.option[n] = decisions.KEPT_CITY_STATE + cs
            n += 1
    if g.trade[p, h] >= price:
        w.option[n] = decisions.PLAIN_TOKEN
        n += 1
    return n


@jit
def pay_zone(r, g, w, bots, p, h):
    """Discard the price of the Industrial Zone's city from the industry card."""
    price = int(r.zone_city_price)
    w.ask_holder = h
    w.ask_source = decisions.SOURCE_DISTRICT
    if price > 0:
        token = choose(r, g, w, bots, p, decisions.SPEND_TOKEN, list_first_payments(r, g, w, p, h))
        spend_token(g, w, p, h, token)
        g.trade[p, h] -= price - 1
        g.stat_trade_spent[p] += price
        log(w, LOG_TRADE, p, h, -price, decisions.SOURCE_DISTRICT, int(token != decisions.PLAIN_TOKEN), 0)


@jit
def buy_city(r, g, w, bots, p):
    """Industrial Zone: build a city for trade tokens of the industry card."""
    pay_zone(r, g, w, bots, p, holder_of(r, g, p, names.INDUSTRY))
    n = list_zone_cities(r, g, w, p)
    w.ask_source = decisions.SOURCE_DISTRICT
    found_city(r, g, w, bots, p, -1, 0, 0, choose(r, g, w, bots, p, decisions.CITY_SPACE, n))


@jit
def may_buy_city(r, g, w, p):
    """Can seat `p` pay the Industrial Zone's city, and is there a space for it?"""
    h = holder_of(r, g, p, names.INDUSTRY)
    return h >= 0 and list_first_payments(r, g, w, p, h) > 0 and list_zone_cities(r, g, w, p) > 0


# --- Theater Square


@jit
def theater_token(r, g, w, bots, p, s, option):
    """Theater Square: a control token near itself, or near an own city with a world wonder; any terrain (T4.10)."""
    anchor = s if option == FIRST else -1
    place_tokens(r, g, w, bots, p, -1, no_slot(r), int(r.theater_tokens[option]), decisions.SOURCE_THEATER, anchor)


@jit
def may_place_by_theater(r, g, w, p, s, option):
    """Is there a space for Theater Square's control token?"""
    anchor = s if option == FIRST else -1
    return r.theater_tokens[option] > 0 and list_token_spaces(r, g, w, p, -1, no_slot(r), decisions.SOURCE_THEATER, anchor) > 0


# --- one district after the other


@jit
def trade_tokens_of(r, g, p, district, s, option):
    """Return the trade tokens that seat `p` gains by the option of the district on the space."""
    if district == names.CAMPUS and option == FIRST:
        return int(r.campus_mountains) * spaces_around(g, p, s, names.MOUNTAIN)
    if district == names.COMMERCIAL_HUB and option == FIRST:
        return int(r.hub_mature_cities) * mature_cities(r, g, p)
    if district == names.COMMERCIAL_HUB:
        return int(r.hub_deserts) * spaces_around(g, p, s, names.DESERT)
    if district == names.INDUSTRIAL_ZONE and option == FIRST:
        return int(r.zone_forests) * spaces_around(g, p, s, names.FOREST)
    return 0


@inline
def trade_card_of(district, option):
    """Return the focus type whose card gets the district's trade tokens, -1 for any card."""
    if district == names.CAMPUS:
        return names.SCIENCE
    if district == names.INDUSTRIAL_ZONE:
        return names.INDUSTRY
    return names.ECONOMY if option == SECOND else -1


@jit
def has_effect(r, g, w, p, district, s, option):
    """Would the option of the district on the space change anything?"""
    if district == names.ENCAMPMENT and option == FIRST:
        return r.camp_strike > 0 and list_foes(r, g, w, p, s) > 0
    if district == names.ENCAMPMENT:
        return r.camp_reinforce > 0 and list_plain_tokens(r, g, w, p, s) > 0
    if district == names.INDUSTRIAL_ZONE and option == SECOND:
        return may_buy_city(r, g, w, p)
    if trade_tokens_of(r, g, p, district, s, option) > 0:
        return True
    if district == names.CAMPUS or district == names.COMMERCIAL_HUB or district == names.INDUSTRIAL_ZONE:
        return False
    return may_place_by_theater(r, g, w, p, s, option)


@jit
def use_option(r, g, w, bots, p, district, s, option):
    """Carry out an option of the district on the space."""
    w.ask_space = s
    if district == names.ENCAMPMENT and option == FIRST:
        for _ in range(r.camp_strike):
            if list_foes(r, g, w, p, s) > 0:
                strike_foe(r, g, w, bots, p, s)
    elif district == names.ENCAMPMENT:
        for _ in range(r.camp_reinforce):
            n = list_plain_tokens(r, g, w, p, s)
            if n > 0:
                flip_token(g, w, choose(r, g, w, bots, p, decisions.DISTRICT_SPACE, n), names.REINFORCED)
    elif district == names.INDUSTRIAL_ZONE and option == SECOND:
        buy_city(r, g, w, bots, p)
    elif district == names.CAMPUS or district == names.COMMERCIAL_HUB or district == names.INDUSTRIAL_ZONE:
        amount = trade_tokens_of(r, g, p, district, s, option)
        gain_trade(r, g, w, bots, p, trade_card_of(district, option), amount, decisions.SOURCE_DISTRICT)
    else:
        theater_token(r, g, w, bots, p, s, option)
    settle(r, g, w, bots)


@jit
def use_district(r, g, w, bots, p, district):
    """Let seat `p` use its district: one of its options, Encampment both in any order, or none (T4.5)."""
    s = int(g.district_space[p, district])
    used = 0
    for _ in range(2 if district == names.ENCAMPMENT else 1):
        first = used & 1 == 0 and has_effect(r, g, w, p, district, s, FIRST)
        second = used & 2 == 0 and has_effect(r, g, w, p, district, s, SECOND)
        n = 0
        if first:
            w.option[n] = FIRST
            n += 1
        if second:
            w.option[n] = SECOND
            n += 1
        w.option[n] = decisions.PASS
        w.ask_space = s
        w.ask_source = decisions.SOURCE_DISTRICT
        option = choose(r, g, w, bots, p, decisions.DISTRICT_EFFECT, n + 1)
        if option == decisions.PASS:
            if used == 0:
                log(w, LOG_DISTRICT_USED, p, s, district, decisions.PASS, 0, 0)
            return
        log(w, LOG_DISTRICT_USED, p, s, district, option, 0, 0)
        g.stat_districts[p, district, 1] += 1 if used == 0 else 0
        used |= 1 << option
        use_option(r, g, w, bots, p, district, s, option)


@jit
def choose_district(r, g, w, bots, p, done):
    """Let seat `p` choose one of its districts that are not among the bits of `done`; return its type, or -1."""
    n = 0
    for d in range(names.N_DISTRICTS):
        if done >> d & 1 == 0 and g.district_space[p, d] >= 0:
            w.option[n] = g.district_space[p, d]
            n += 1
    if n == 0:
        return -1
    w.ask_source = decisions.SOURCE_DISTRICT
    return int(g.district[choose(r, g, w, bots, p, decisions.DISTRICT, n)]) - 1


@expansion
def use_any_district(r, g, w, bots, p, done) -> int:
    """Seat `p` uses one of its districts not in the bits of `done`; return the bits with that one, or -1 if none is left."""
    district = choose_district(r, g, w, bots, p, done)
    if district < 0:
        return -1
    use_district(r, g, w, bots, p, district)
    return done | 1 << district
