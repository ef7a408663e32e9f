"""Growth cards (T4): placing districts, reinforcing, and the further effects of higher levels."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions
from .armies import armies_into_cities
from .choosing import choose
from .combat import list_plain_tokens, reinforce
from .compile.jit import expansion, inline, jit
from .culture import is_wild, may_hold_token, no_slot, place_tokens, token_difficulty, token_placed
from .districts import use_district
from .map import is_fort, is_token, next_to_city_of
from .pieces import flip_token, put_district, put_token, rival_army_on
from .start_effects import follow_up
from .trade import spend, spendable
from .winning import settle

# --- placing districts


@inline
def may_hold_district(r, g, p, s):
    """May a district of seat `p` be placed on the space, terrain aside: as a control token, or on an own one (T4.3)?"""
    if g.owner[s] != p or not is_token(g, s):
        return may_hold_token(g, p, s)
    if rival_army_on(g, p, s) or is_fort(g, s):
        return False
    return g.district[s] == 0 or r.district_over_district != 0


@jit
def district_fits(r, g, p, s, slot):
    """May a district of seat `p` be placed on the space from the slot (T4.3)?"""
    if not may_hold_district(r, g, p, s):
        return False
    wild = r.wild_districts != 0 and is_wild(r, g, p, s)
    if not wild and not next_to_city_of(g, p, s):
        return False
    if wild and r.chichen_itza_ignores_difficulty != 0:
        return True
    return token_difficulty(r, g, p, s, codes.TOKEN_BY_EFFECT) <= slot


@jit
def list_district_spaces(r, g, w, p, slot):
    """List the spaces for each district that seat `p` may place (T4.3); return how many options."""
    n = 0
    for s in range(g.n_spaces):
        if not district_fits(r, g, p, s, slot):
            continue
        for d in range(names.N_DISTRICTS):
            if g.district_space[p, d] < 0:
                w.option[n] = s * 8 + d
                n += 1
    return n


@jit
def move_displaced(r, g, w, bots, p, slot, s):
    """Mysticism: the displaced control token may be laid next to the new district, on any terrain (T12.14)."""
    n = 0
    for d in range(6):
        t = int(g.neighbour[s, d])
        if t >= 0 and g.tokens_left[p] > 0 and may_hold_token(g, p, t):
            w.option[n] = t
            n += 1
    w.option[n] = decisions.PASS
    w.ask_space = s
    w.ask_source = decisions.SOURCE_GROWTH
    t = choose(r, g, w, bots, p, decisions.DISPLACED_TOKEN, n + 1)
    if t != decisions.PASS:
        put_token(g, w, p, t, names.TOKEN)
        token_placed(r, g, w, bots, p, no_slot(r), t)


@jit
def place_district(r, g, w, bots, p, slot, card):
    """Place one of the own districts, if any can be placed (T4.3); return 1 if so."""
    n = list_district_spaces(r, g, w, p, slot)
    if n == 0:
        return 0
    w.ask_source = decisions.SOURCE_GROWTH
    w.ask_slot = slot
    picked = choose(r, g, w, bots, p, decisions.PLACE_DISTRICT, n)
    s = picked // 8
    displaced = g.owner[s] == p and g.district[s] == 0
    put_district(g, w, p, s, picked % 8)
    g.stat_districts[p, picked % 8, 0] += 1
    if r.district_is_placed_token == 0:
        settle(r, g, w, bots)
    else:
        token_placed(r, g, w, bots, p, slot, s)
    if displaced and r.card_displaced_moves[card] != 0:
        move_displaced(r, g, w, bots, p, slot, s)
    return 1


# --- reinforcing


@jit
def reinforce_for_trade(r, g, w, bots, p, h):
    """T4.1: every trade token spent from the growth card reinforces an own control token anywhere."""
    left = 0
    while True:
        n = list_plain_tokens(g, w, p, codes.BESIDE_ANYTHING)
        if n == 0 or (left <= 0 and spendable(r, g, p, h, -1) <= 0):
            return
        w.option[n] = decisions.PASS
        w.ask_holder = h
        w.ask_left = left
        w.ask_cost = 1 if left <= 0 else 0
        w.ask_source = decisions.SOURCE_GROWTH
        s = choose(r, g, w, bots, p, decisions.REINFORCE, n + 1)
        if s == decisions.PASS:
            return
        if left <= 0:
            spend(r, g, w, bots, p, h, 1, -1, decisions.SOURCE_GROWTH)
            left += int(r.trade_effect[names.GROWTH])
        left -= 1
        flip_token(g, w, s, names.REINFORCED)
        settle(r, g, w, bots)


@jit
def army_beside(g, p, s):
    """Is an own army on the space or next to it?"""
    for a in range(names.MAX_ARMIES):
        t = g.army[p, a]
        if t < 0:
            continue
        if t == s:
            return True
        for d in range(6):
            if g.neighbour[t, d] == s:
                return True
    return False


@jit
def reinforce_by_armies(g, w, p):
    """Military Engineering: every own control token on or next to a space with an own army is reinforced (T12.15)."""
    for s in range(g.n_spaces):
        if g.owner[s] == p and g.piece[s] == names.TOKEN and army_beside(g, p, s):
            flip_token(g, w, s, names.REINFORCED)


# --- the card


@jit
def use_everywhere(r, g, w, bots, p, district):
    """Globalization: from seat `p` clockwise, everybody with the district uses it once, with deeds it sets off (T12.22)."""
    for k in range(g.players):
        q = (p + k) % int(g.players)
        if g.district_space[q, district] >= 0:
            use_district(r, g, w, bots, q, district)
            follow_up(r, g, w, bots)


@jit
def name_district(r, g, w, bots, p):
    """Globalization: name a type of district that lies on the map; everybody with one uses it (T12.22)."""
    n = 0
    for d in range(names.N_DISTRICTS):
        built = False
        for q in range(g.players):
            built = built or g.district_space[q, d] >= 0
        if built:
            w.option[n] = d
            n += 1
    if n > 0:
        w.ask_source = decisions.SOURCE_GROWTH
        use_everywhere(r, g, w, bots, p, choose(r, g, w, bots, p, decisions.NAME_DISTRICT, n))


@jit
def build_up(r, g, w, bots, p, h, slot):
    """Carry out the part of a growth card about districts, the rest of it also if no district was placed (T11.4)."""
    card = g.card[p, h]
    for _ in range(r.card_districts[card]):
        if place_district(r, g, w, bots, p, slot, card) == 0:
            break
    place_tokens(r, g, w, bots, p, h, slot, r.card_district_tokens[card], decisions.SOURCE_DISTRICT_TOKEN, -1)
    for _ in range(r.card_name_district[card]):
        reinforce_for_trade(r, g, w, bots, p, h)  # makes room for trade tokens of the districts
        name_district(r, g, w, bots, p)
    if r.card_armies_into_cities[card] != 0:
        armies_into_cities(r, g, w, bots, p)
    if r.card_reinforce_by_army[card] != 0:
        reinforce_by_armies(g, w, p)


@jit
def choose_part(r, g, w, bots, p, h, slot):
    """Let seat `p` choose a part of the growth card, both parts of a card that does both, or PASS."""
    card = g.card[p, h]
    n = 0
    if r.card_growth_all[card] != 0:
        w.option[n] = decisions.GROWTH_ALL
        n += 1
    else:
        w.option[n] = decisions.GROWTH_DISTRICT
        n += 1
        if r.card_growth_reinforce[card] != 0:
            w.option[n] = decisions.GROWTH_REINFORCE
            n += 1
    w.option[n] = decisions.PASS
    w.ask_slot = slot
    w.ask_holder = h
    return choose(r, g, w, bots, p, decisions.GROWTH, n + 1)


@expansion
def resolve_growth(r, g, w, bots, p, h, slot) -> None:
    """T4: place a district, reinforce up to the slot number, or both; then reinforce for trade tokens (T4.1)."""
    card = g.card[p, h]
    part = choose_part(r, g, w, bots, p, h, slot)
    if part == decisions.GROWTH_DISTRICT or part == decisions.GROWTH_ALL:
        build_up(r, g, w, bots, p, h, slot)
    if r.card_growth_reinforce[card] != 0 and (part == decisions.GROWTH_REINFORCE or part == decisions.GROWTH_ALL):
        reinforce(r, g, w, bots, p, slot, slot + g.power[p, codes.REINFORCEMENTS], codes.BESIDE_ANYTHING)
        settle(r, g, w, bots)
    reinforce_for_trade(r, g, w, bots, p, h)
