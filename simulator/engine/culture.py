"""The culture card (B5), and effects that place, move or replace control tokens and cities."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions, state
from .abilities import happen
from .choosing import LOG_CITY_TAKEN, choose, log
from .compile.jit import expansion, inline, jit
from .map import (
    PASSABLE,
    flood,
    flood_from,
    ground_difficulty,
    is_city,
    is_empty,
    is_fort,
    is_token,
    mark_attack,
    next_to_city_of,
    next_to_friendly,
    queue_friendly,
)
from .pieces import (
    claim_city_state,
    conquered_city_state,
    flip_token,
    is_guarded,
    is_own_land,
    mature_cities,
    put_city,
    put_district,
    put_token,
    rival_army_on,
    swap_token,
    take_city_off,
    take_token_off,
)
from .trade import gain_trade, spend, spendable
from .winning import have_token, settle

# --- Control tokens

ANY_TERRAIN = -1  # as bits
CHAINED, FOLLOWED = 256, 512  # bits above a space: a token of Stonehenge, of Inca may follow the one placed there


@inline
def placed_by(h, source):
    """Return what places the control token: a culture or industry card (on holder `h`), or another effect."""
    by_card = source == decisions.SOURCE_CULTURE or source == decisions.SOURCE_BORDER or source == decisions.SOURCE_NEW_CITY
    return codes.TOKEN_BY_CARD if by_card and h >= 0 else codes.TOKEN_BY_EFFECT


@inline
def token_difficulty(r, g, p, s, doing):
    """Return the difficulty of the space for placing a control token by what `placed_by` says."""
    return ground_difficulty(r, g, p, doing, int(g.terrain[s]), int(g.coastal[s]))


@inline
def may_hold_token(g, p, s):
    """B5.2 without the difficulty: may a control token of seat `p` be placed on the space (T5.15, T6.1: no army, no fort)?"""
    free = g.terrain[s] != names.WATER and g.owner[s] < 0 and g.barbarians[s] == 0 and g.city_state[s] < 0
    return free and not is_fort(g, s) and (g.armies[s] == 0 or not rival_army_on(g, p, s))


@inline
def is_wild(r, g, p, s):
    """Chichen Itza: may seat `p` place a control token on this space without a city beside it?"""
    return (g.power[p, codes.TOKENS_WITHOUT_CITY] >> g.terrain[s]) & 1 != 0 and is_empty(g, s)


@inline
def is_marked(source):
    """Does the effect place control tokens only on spaces that `mark_beside` marks: by a new city, district, Theater Square?"""
    return (
        source == decisions.SOURCE_NEW_CITY or source == decisions.SOURCE_DISTRICT_TOKEN or source == decisions.SOURCE_THEATER
    )


@inline
def opens_wild(r, source):
    """Chichen Itza: may the effect place control tokens on its terrains? By one ruling only effects that need a city beside."""
    elsewhere = (
        is_marked(source)
        or source == decisions.SOURCE_BORDER
        or source == decisions.SOURCE_APADANA
        or source == decisions.SOURCE_MOUNTAIN
    )
    return r.wild_any_effect != 0 or not elsewhere


@inline
def token_fits(r, g, p, h, s, slot, source, anchor):
    """May seat `p` place a control token on the space by this effect?

    `h`: holder of the card that places it, -1 for another effect; `anchor`: the space Stonehenge or a new city spreads from;
    for Apadana the number of the new tile.
    """
    if not may_hold_token(g, p, s):
        return False
    if source == decisions.SOURCE_STONEHENGE:
        return (g.power[p, codes.CHAIN_TOKENS] >> g.terrain[s]) & 1 != 0
    if source == decisions.SOURCE_APADANA and (g.tile[s] != anchor or not is_empty(g, s)):
        return False
    if source == decisions.SOURCE_MOUNTAIN:
        return g.terrain[s] == names.MOUNTAIN and next_to_friendly(g, p, s)
    wild = opens_wild(r, source) and is_wild(r, g, p, s)
    too_hard = token_difficulty(r, g, p, s, placed_by(h, source)) > slot
    if too_hard and not (wild and r.chichen_itza_ignores_difficulty != 0):
        return False
    if wild or is_marked(source) or source == decisions.SOURCE_APADANA:
        return True
    if source == decisions.SOURCE_BORDER:
        return next_to_friendly(g, p, s)
    return next_to_city_of(g, p, s)


@jit
def mark_around(g, w, s):
    """Mark the spaces next to the space."""
    for d in range(6):
        if g.neighbour[s, d] >= 0:
            w.mark[g.neighbour[s, d]] = 1


@expansion
def mark_near_theater(r, g, w, p, anchor) -> None:
    """Mark the spaces near Theater Square on `anchor`, or (-1) near an own city with a world wonder (T4.10, Open Borders)."""
    n = 1
    w.queue[0] = anchor
    if anchor < 0:
        n = 0
        for s in range(g.n_spaces):
            if g.wonder_token[s] >= 0 and is_city(g, s) and is_own_land(g, p, s):
                w.queue[n] = s
                n += 1
    flood_from(g, w, n, int(r.theater_range[0 if anchor >= 0 else 1]))
    for s in range(g.n_spaces):
        w.mark[s] = 1 if w.dist[0, s] >= 0 else 0


@jit
def mark_beside(r, g, w, p, source, anchor):
    """Mark the spaces on which the effect may place control tokens of seat `p`, by their neighbours; `token_fits` decides."""
    if source == decisions.SOURCE_THEATER:
        mark_near_theater(r, g, w, p, anchor)
        return
    for s in range(g.n_spaces):
        w.mark[s] = 1 if source == decisions.SOURCE_BORDER or source == decisions.SOURCE_MOUNTAIN else 0
    if source == decisions.SOURCE_NEW_CITY:
        mark_around(g, w, anchor)
    elif source == decisions.SOURCE_APADANA:
        for s in range(g.n_spaces):
            w.mark[s] = 1 if g.tile[s] == anchor else 0
    elif source == decisions.SOURCE_DISTRICT_TOKEN:
        for d in range(names.N_DISTRICTS):
            if g.district_space[p, d] >= 0:
                mark_around(g, w, g.district_space[p, d])
    elif source != decisions.SOURCE_BORDER and source != decisions.SOURCE_MOUNTAIN:
        for i in range(g.city_count[p]):
            mark_around(g, w, g.cities[p, i])


@jit
def list_token_spaces(r, g, w, p, h, slot, source, anchor):
    """List the spaces where seat `p` may place a control token by this effect; return how many."""
    n = 0
    if source == decisions.SOURCE_STONEHENGE or (
        source == decisions.SOURCE_NEW_CITY and g.power[p, codes.TOKENS_WITHOUT_CITY] == 0
    ):
        for d in range(6):
            s = g.neighbour[anchor, d]
            if s >= 0 and token_fits(r, g, p, h, s, slot, source, anchor):
                w.option[n] = s
                n += 1
        return n
    mark_beside(r, g, w, p, source, anchor)
    wild = g.power[p, codes.TOKENS_WITHOUT_CITY] != 0 and opens_wild(r, source)
    for s in range(g.n_spaces):
        if (w.mark[s] == 0 and not (wild and is_wild(r, g, p, s))) or g.owner[s] >= 0:
            continue
        if token_fits(r, g, p, h, s, slot, source, anchor):
            w.option[n] = s
            n += 1
    return n


@jit
def keep_terrains(g, w, n, terrains):
    """Keep of the `n` listed spaces those of the terrains (bits); return how many."""
    kept = 0
    for k in range(n):
        if terrains >> g.terrain[w.option[k]] & 1 != 0:
            w.option[kept] = w.option[k]
            kept += 1
    return kept


@jit
def offer_token(r, g, w, bots, p, h, slot, source, anchor, left, cost, terrains):
    """Let seat `p` place one control token by this effect on the terrains; return its space, PASS if it cannot or will not."""
    n = keep_terrains(g, w, list_token_spaces(r, g, w, p, h, slot, source, anchor), terrains)
    if n == 0:
        return decisions.PASS
    if g.tokens_left[p] <= 0:
        # Stonehenge ends with the last unused token: taking tokens off to place them again could be endless.
        if source == decisions.SOURCE_STONEHENGE or not have_token(r, g, w, bots, p, source, 1):
            return decisions.PASS
        settle(r, g, w, bots)
        if cost > 0 and spendable(r, g, p, h, -1) <= 0:  # America's token left with the one taken off
            return decisions.PASS
        n = keep_terrains(g, w, list_token_spaces(r, g, w, p, h, slot, source, anchor), terrains)
    if source != decisions.SOURCE_DISTRICT_TOKEN and source != decisions.SOURCE_APADANA:  # these are not optional (T11.5)
        w.option[n] = decisions.PASS
        n += 1
    w.ask_source = source
    w.ask_slot = slot
    w.ask_space = anchor
    w.ask_left = left
    w.ask_cost = cost
    s = choose(r, g, w, bots, p, decisions.PLACE_TOKEN, n)
    if s != decisions.PASS:
        put_token(g, w, p, s, names.TOKEN)
    return s


@inline
def no_slot(r):
    """Return the highest difficulty of a space for an effect that names no slot (T4.10)."""
    return int(r.terrain_difficulty[names.GRASSLAND]) if r.no_slot_grassland != 0 else codes.NO_LIMIT


@inline
def with_followers(g, p, s):
    """Return the space, plus CHAINED and FOLLOWED if a token placed there may be followed by Stonehenge's, by Inca's."""
    chained = int(g.power[p, codes.CHAIN_TOKENS] >> g.terrain[s] & 1)
    followed = int(g.power[p, codes.FOLLOWING_TOKEN] >> g.terrain[s] & 1)
    return int(s) + chained * CHAINED + followed * FOLLOWED


@jit
def spread_tokens(r, g, w, bots, p, slot, start):
    """Place the tokens that may follow the one placed on `start`, and each of those in turn.

    Stonehenge: after a token on hills, tokens on neighbouring hills; Inca: after one on a mountain, one on any land beside it.
    """
    depth = 0
    w.chain[0] = with_followers(g, p, start)
    while depth >= 0:
        here = int(w.chain[depth])
        s = decisions.PASS
        if here & CHAINED != 0:
            s = offer_token(r, g, w, bots, p, -1, slot, decisions.SOURCE_STONEHENGE, here % CHAINED, 1, 0, ANY_TERRAIN)
            if s == decisions.PASS:
                w.chain[depth] = here - CHAINED
                continue
        elif here & FOLLOWED != 0 and g.tokens_left[p] > 0:  # with tokens taken off the map this could be endless
            w.chain[depth] = here - FOLLOWED
            s = offer_token(r, g, w, bots, p, -1, no_slot(r), decisions.SOURCE_NEW_CITY, here % CHAINED, 1, 0, ANY_TERRAIN)
        if s == decisions.PASS:
            depth -= 1
        else:
            settle(r, g, w, bots)
            happen(r, g, w, bots, p, codes.TOKEN_PLACED, state.TARGET_TOKEN, -1, s, -1)
            depth += 1
            w.chain[depth] = with_followers(g, p, s)


@jit
def token_placed(r, g, w, bots, p, slot, s):
    """After a control token is placed on the space: agendas, abilities that wait for it, tokens that may follow."""
    settle(r, g, w, bots)
    happen(r, g, w, bots, p, codes.TOKEN_PLACED, state.TARGET_TOKEN, -1, s, -1)
    if with_followers(g, p, s) != s:
        spread_tokens(r, g, w, bots, p, slot, s)


@inline
def pays_tokens(r, g, p, h, source):
    """Do trade tokens of the culture card pay for more of these control tokens (B5.1)?"""
    return source == decisions.SOURCE_CULTURE or (
        source == decisions.SOURCE_BORDER and h >= 0 and r.card_tokens_by_friendly_space[g.card[p, h]] != 0
    )


@jit
def place_tokens(r, g, w, bots, p, h, slot, free, source, anchor):
    """Seat `p` places up to `free` control tokens, and more for trade tokens of the culture card (B5.1)."""
    left, again = free, 0
    while True:
        if g.tokens_left[p] <= 0:
            # Where placing a token brings trade tokens, those taken off the map could pay for each other without end.
            if again >= r.tokens_per_player:
                return
            again += 1
        cost = 0
        if left <= 0:
            if not pays_tokens(r, g, p, h, source) or spendable(r, g, p, h, -1) <= 0:
                return
            cost = 1
        w.ask_holder = h
        s = offer_token(r, g, w, bots, p, h, slot, source, anchor, left, cost, ANY_TERRAIN)
        if s == decisions.PASS:
            return
        if cost > 0:
            spend(r, g, w, bots, p, h, cost, -1, source)
            left += r.trade_effect[names.CULTURE]
        left -= 1
        token_placed(r, g, w, bots, p, slot, s)


@jit
def place_by_ability(r, g, w, bots, p, slot, amount, source, anchor, terrains, piece):
    """Seat `p` places up to `amount` control tokens on these terrains (bits), their `piece` side up (England: reinforced)."""
    for k in range(amount):
        if piece == names.TOKEN:
            w.ask_holder = -1
        s = offer_token(r, g, w, bots, p, -1, slot, source, anchor, amount - k, 0, terrains)
        if s == decisions.PASS:
            return
        if piece != names.TOKEN:
            flip_token(g, w, s, piece)
        token_placed(r, g, w, bots, p, slot, s)


@jit
def turn_over(r, g, w, p, s):
    """Replace a rival's control token by an unreinforced one of seat `p`; a conquered city-state goes with it."""
    cs = conquered_city_state(g, s)
    swap_token(g, w, p, s, names.TOKEN)
    if cs >= 0:
        claim_city_state(r, g, w, p, cs)


@jit
def move_token(r, g, w, bots, p):
    """Drama and Poetry: one own control token may step to an adjacent empty land space.

    One that holds a conquered city-state in place of a city (B9.11) stays there, unless the ruling has it step off and free it.
    """
    n = 0
    for s in range(g.n_spaces):
        if g.owner[s] != p or not is_token(g, s) or (g.district[s] != 0 and r.district_moves == 0):
            continue
        if r.conqueror_moves == 0 and conquered_city_state(g, s) >= 0:
            continue
        for d in range(6):
            t = int(g.neighbour[s, d])
            if t >= 0 and g.terrain[t] != names.WATER and is_empty(g, t) and not is_fort(g, t):
                w.option[n] = s * 256 + t
                n += 1
    w.option[n] = decisions.PASS
    w.ask_source = decisions.SOURCE_DRAMA
    picked = choose(r, g, w, bots, p, decisions.MOVE_TOKEN, n + 1)
    if picked == decisions.PASS:
        return
    piece = g.piece[picked // 256]
    district = int(g.district[picked // 256]) - 1
    take_token_off(r, g, w, picked // 256, p)
    if district < 0:
        put_token(g, w, p, picked % 256, piece)
    else:
        put_district(g, w, p, picked % 256, district)
        if piece == names.REINFORCED:
            flip_token(g, w, picked % 256, piece)
    settle(r, g, w, bots)


@jit
def weaken_token(r, g, w, bots, p, reach):
    """Mass Media: a rival token within reach of a friendly space is replaced, or turned if it is reinforced."""
    if r.mass_media_through_anything != 0:
        for s in range(g.n_spaces):
            w.mark[s] = PASSABLE
    else:
        mark_attack(g, w, p, 0, 0, 0)
    flood(g, w, 0, queue_friendly(g, w, p, 0), reach)
    n = 0
    for s in range(g.n_spaces):
        rival = g.owner[s] >= 0 and g.owner[s] != p and is_token(g, s)
        if rival and w.dist[0, s] > 0 and (g.piece[s] == names.REINFORCED or not is_guarded(g, p, s)):
            w.option[n] = s
            n += 1
    w.option[n] = decisions.PASS
    w.ask_source = decisions.SOURCE_MASS_MEDIA
    s = choose(r, g, w, bots, p, decisions.RIVAL_TOKEN, n + 1)
    if s == decisions.PASS:
        return
    if g.piece[s] == names.REINFORCED:
        flip_token(g, w, s, names.TOKEN)
    elif have_token(r, g, w, bots, p, decisions.SOURCE_MASS_MEDIA, 1):
        turn_over(r, g, w, p, s)
    settle(r, g, w, bots)


@jit
def resolve_culture(r, g, w, bots, p, h, slot):
    """B5: place control tokens, then carry out what the card adds."""
    card = g.card[p, h]
    source = decisions.SOURCE_BORDER if r.card_tokens_by_friendly_space[card] != 0 else decisions.SOURCE_CULTURE
    place_tokens(r, g, w, bots, p, h, slot, r.card_tokens[card] + g.power[p, codes.CULTURE_TOKENS], source, -1)
    if r.card_border_tokens[card] > 0:
        place_tokens(r, g, w, bots, p, h, slot, r.card_border_tokens[card], decisions.SOURCE_BORDER, -1)
    for _ in range(r.card_move_token[card]):
        move_token(r, g, w, bots, p)
    for _ in range(r.card_weaken[card]):
        weaken_token(r, g, w, bots, p, r.card_weaken_range[card])


# --- Replacing rival cities (Cristo Redentor, Radio), and what unique culture cards do last

LAST_SLOT = 5  # "the fifth slot" of the cards
FROM_OWN_CITIES = -1

# --- Statue of Liberty


@jit
def list_tokens_beside(g, w, p, s):
    """List the rival control tokens next to the space that seat `p` may replace."""
    n = 0
    for d in range(6):
        t = int(g.neighbour[s, d])
        if t >= 0 and g.owner[t] >= 0 and g.owner[t] != p and is_token(g, t) and not is_guarded(g, p, t):
            w.option[n] = t
            n += 1
    return n


@jit
def take_tokens_beside(r, g, w, bots, p, s):
    """Statue of Liberty, before seat `p` replaces the rival city on the space: own unreinforced control tokens replace the
    rival ones next to it; seat `p` chooses which if it has too few."""
    if g.power[p, codes.TOKENS_OF_TAKEN_CITIES] == 0:
        return
    n = list_tokens_beside(g, w, p, s)
    while n > 0 and have_token(r, g, w, bots, p, decisions.SOURCE_LIBERTY, 1):
        n = list_tokens_beside(g, w, p, s)
        t = w.option[0]
        if n > g.tokens_left[p]:
            w.ask_source = decisions.SOURCE_LIBERTY
            w.ask_space = s
            t = choose(r, g, w, bots, p, decisions.RIVAL_TOKEN, n)
        turn_over(r, g, w, p, t)
        n -= 1
    settle(r, g, w, bots)


# --- Cristo Redentor, Radio


@jit
def list_cities_to_take(g, w, p, start, reach):
    """List the rival cities, no capitals, without an army within `reach` of the space `start`, or (-1) of own cities."""
    for s in range(g.n_spaces):
        w.mark[s] = PASSABLE
    n = 1
    w.queue[0] = start
    if start < 0:
        n = int(g.city_count[p])
        for i in range(n):
            w.queue[i] = g.cities[p, i]
    flood(g, w, 0, n, reach)
    n = 0
    for s in range(g.n_spaces):
        if g.piece[s] == names.CITY and g.owner[s] != p and w.dist[0, s] >= 0 and not is_guarded(g, p, s):
            w.option[n] = s
            n += 1
    return n


@jit
def replace_city(r, g, w, bots, p, s):
    """Replace the rival city on the space by an unused one of seat `p`; return 1, or 0 if it has none: the space is empty then.

    Statue of Liberty acts before, if a city is put down (T12.25). A wonder under the city comes along, and so does a conquered
    city-state's token.
    """
    replaces = int(g.cities_left[p] > 0)
    if replaces != 0:
        take_tokens_beside(r, g, w, bots, p, s)
    cs = conquered_city_state(g, s)
    take_city_off(g, w, s, p)
    if cs >= 0:
        claim_city_state(r, g, w, p, cs)
    if replaces != 0:
        put_city(r, g, w, p, s)
    return replaces


@jit
def take_rival_city(r, g, w, bots, p, source, start, reach, may_pass):
    """T12.10: seat `p` replaces a rival city within `reach` of the space `start`, or (-1) of own cities, if it has an unused
    city; it must, unless `may_pass`. Return 1 if it did."""
    if g.cities_left[p] <= 0:
        return 0
    n = list_cities_to_take(g, w, p, start, reach)
    if n == 0:
        return 0
    if may_pass != 0:
        w.option[n] = decisions.PASS
        n += 1
    w.ask_source = source
    w.ask_space = start
    s = choose(r, g, w, bots, p, decisions.TAKE_CITY, n)
    if s == decisions.PASS:
        return 0
    log(w, LOG_CITY_TAKEN, p, s, g.owner[s], source, 0, 0)
    replace_city(r, g, w, bots, p, s)
    settle(r, g, w, bots)
    return 1


@jit
def take_cities(r, g, w, bots, p, row, amount, s):
    """Let an ability of seat `p` take rival cities, counted from the space `s` or (-1) from own cities (Cristo Redentor)."""
    for _ in range(amount):
        if take_rival_city(r, g, w, bots, p, int(r.ability_source[row]), s, int(r.ability_within[row]), 0) == 0:
            return


# --- unique culture cards


@expansion
def finish_unique_culture(r, g, w, bots, p, h, slot) -> None:
    """From slot 5 a token on a mountain next to a friendly space (State Workforce) or a rival city (Radio); a trade token for
    each own mature city (Humanism)."""
    card = g.card[p, h]
    if slot >= LAST_SLOT:
        place_tokens(r, g, w, bots, p, h, slot, r.card_slot5_mountain_token[card], decisions.SOURCE_MOUNTAIN, -1)
        for _ in range(r.card_take_city[card]):
            take_rival_city(
                r, g, w, bots, p, decisions.SOURCE_RADIO, FROM_OWN_CITIES, r.card_take_city_range[card], r.radio_may_pass
            )
    gain_trade(r, g, w, bots, p, -1, r.card_trade_per_mature[card] * mature_cities(r, g, p), decisions.SOURCE_UNIQUE)
