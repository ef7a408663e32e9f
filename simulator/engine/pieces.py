"""Pieces on the map and in the supply: cities, tokens, caravans, armies, decks of cards, teams, loans."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import state
from .choosing import (
    LOG_ARMY,
    LOG_BARBARIAN,
    LOG_CAPITAL,
    LOG_CARAVAN,
    LOG_CITY,
    LOG_CITY_LOST,
    LOG_CITY_STATE,
    LOG_DIPLOMACY,
    LOG_DISTRICT,
    LOG_NATURAL_WONDER,
    LOG_RESOURCE,
    LOG_TOKEN,
    LOG_TOKEN_FLIP,
    LOG_TOKEN_OFF,
    LOG_WONDER_MOVED,
    LOG_WONDER_REVEALED,
    log,
)
from .compile.jit import inline, jit
from .map import is_token

# --- The decks of world wonders (B2.5, B8.6)
#
# `STATE.deck` lists a deck from its top: the cards that have left it, those face up from `deck_next` on, those face down.


@inline
def face_up_end(r, g, kind):
    """Return the place in the deck behind its last face-up card; the first one is at `deck_next`."""
    return min(int(g.deck_next[kind]) + int(r.face_up_wonders), int(g.deck_size[kind]))


@jit
def bring_up(g, kind, at):
    """Move the card at a place of the deck to the first face-up place; those in between keep their order."""
    wonder = g.deck[kind, at]
    top = int(g.deck_next[kind])
    for k in range(at, top, -1):
        g.deck[kind, k] = g.deck[kind, k - 1]
    g.deck[kind, top] = wonder


@jit
def reveal_next(r, g, w, kind):
    """Take the card at `deck_next` off the deck and turn up the next, if there is one (B8.6)."""
    g.deck_next[kind] += 1
    last = int(g.deck_next[kind]) + int(r.face_up_wonders) - 1
    if last < g.deck_size[kind]:
        wonder = g.deck[kind, last]
        g.wonder_place[wonder] = state.WONDER_FACE_UP
        g.wonder_round_revealed[wonder] = g.round_number
        log(w, LOG_WONDER_REVEALED, -1, wonder, 0, 0, 0, 0)


@jit
def take_face_up(r, g, w, wonder):
    """Take a face-up card off its deck and turn up the next (B8.6)."""
    kind = int(r.wonder_type[wonder])
    for k in range(int(g.deck_next[kind]) + 1, face_up_end(r, g, kind)):
        if g.deck[kind, k] == wonder:
            bring_up(g, kind, k)
    reveal_next(r, g, w, kind)


@inline
def has_drafted(g, p, wonder):
    """Has seat `p` drafted the world wonder, by house rules, and not built it yet?"""
    return g.wonder_drafted[wonder] == p + 1 and g.wonder_place[wonder] == state.WONDER_FACE_UP


# --- Partners: at a table of four, house rules may let two seats win together


@inline
def has_partner(r):
    """Do the seats play in pairs?"""
    return r.partners != names.NO_PARTNERS


@inline
def partner_of(r, p):
    """Return the partner's seat, which differs in one bit: beside (0 and 1, 2 and 3) or opposite (0 and 2, 1 and 3)."""
    return p ^ int(r.partners)


@inline
def is_partner(r, p, q):
    """Is seat `q` (-1: nobody) the partner of seat `p`?"""
    return has_partner(r) & (q == partner_of(r, p))


# --- Losses: what waits for them is told when the card being resolved is finished (`start_effects.follow_up`)


@jit
def end_without_room(g, w, what, p, row):
    """Let the game end with an error (state.OVERFULL, OVERLISTED): there is no room for an ability of seat `p`."""
    if w.fault_n == 0:
        w.fault_n, w.fault_seat, w.fault_answer, w.fault_decision = what, p, row, g.stat_decisions


@jit
def note_loss(g, w, p, moment, s, other):
    """Note that seat `p` lost a piece on the space to seat `other` (-1: a barbarian), if an ability waits for the moment."""
    if (g.moments[p] | g.watched[p]) >> moment & 1 == 0:
        return
    n = int(g.lost_n)
    if n >= names.MAX_LOST:
        end_without_room(g, w, state.OVERFULL, p, g.listed[p, 0])
        return
    g.lost[n, 0] = p
    g.lost[n, 1] = moment
    g.lost[n, 2] = s
    g.lost[n, 3] = other
    g.lost[n, 4] = g.doing
    g.lost_n = n + 1


# --- Putting pieces on the map and taking them off, with every count that depends on them
#
# These functions only move pieces; their callers check that a move is legal.

PENDING = -2  # natural_wonder_holder: its owner (Roosevelt Corollary) has yet to choose the card (agendas.settle)
N_TYPES = names.N_TYPES
CONQUERED = 0  # LOG_CITY_STATE
SURPLUS_STAYS, SURPLUS_UNTIL_HOME, SURPLUS_TAKEN_BACK = range(3)  # r.surplus_figures
MOST_CAPTURES = 127  # `wonder_captures` is a byte


@inline
def controls(g, p, wonder):
    """Does seat `p` control the world wonder (B8.7)?"""
    s = g.wonder_space[wonder]
    if s < 0:
        return False
    cs = g.city_state[s]
    return g.owner[s] == p if cs < 0 else g.city_state_guest[cs] == p  # T12.3: of Antananarivo's cards the last to be at turn


@inline
def holder_of(r, g, p, kind):
    """Return the holder of seat `p` whose card is of the focus type `kind` (the fullest, if several), or -1."""
    fullest = -1
    for h in range(N_TYPES):
        if g.card[p, h] >= 0 and r.card_type[g.card[p, h]] == kind and (fullest < 0 or g.trade[p, h] > g.trade[p, fullest]):
            fullest = h
    return fullest


@inline
def count_capture(g, wonder):
    """Count that the world wonder changed hands, up to MOST_CAPTURES: one may go to and fro for hundreds of turns."""
    if g.wonder_captures[wonder] < MOST_CAPTURES:
        g.wonder_captures[wonder] += 1


@inline
def seats_bits(p, q):
    """Return the bits of two seats, of which each may be nobody (-1)."""
    return ((1 << (p + 1)) | (1 << (q + 1))) >> 1  # drops the bit of nobody


@jit
def set_owner(g, w, p, s, piece):
    """Give the space to seat `p` (-1 = nobody) with `piece` on it; update counts, natural wonder and world wonder."""
    old = g.owner[s]
    if old >= 0:
        g.space_count[old] -= 1
        g.coast_count[old] -= g.coastal[s]
    g.owner[s] = p
    g.piece[s] = piece
    if p >= 0:
        g.space_count[p] += 1
        g.coast_count[p] += g.coastal[s]
    g.dirty = 1
    if old == p:
        return
    n = g.natural_wonder[s]
    if n >= 0:  # B5.3, B5.3a: it belongs to the holder of the space
        g.natural_wonder_owner[n] = p
        g.natural_wonder_holder[n] = PENDING if p >= 0 and g.power[p, codes.ROOSEVELT_COROLLARY] != 0 else -1
        g.stale |= seats_bits(old, p)
        log(w, LOG_NATURAL_WONDER, p, n, s, 0, 0, 0)
    wonder = g.wonder_token[s]
    if wonder >= 0:  # B8.7
        if p >= 0:
            count_capture(g, wonder)
            g.wonders_gained |= 1 << int(wonder)
        g.stale |= seats_bits(old, p)
        log(w, LOG_WONDER_MOVED, p, wonder, s, old, 0, 0)


@inline
def has_pact(g, p, q):
    """Does seat `p` hold the Non-Aggression Pact of seat `q` (T12.4)?"""
    return q >= 0 and g.power[p, codes.NON_AGGRESSION] >> q & 1 != 0


@jit
def note_strike(g, p, q):
    """Note that seat `p` attacked or destroyed a piece of seat `q`, if `q` holds its Non-Aggression Pact (T12.4)."""
    if p != q and has_pact(g, q, p):
        g.strikes |= 1 << (int(q) * names.MAX_PLAYERS + int(p))
        g.dirty = 1


@inline
def is_guarded(g, p, s):
    """Does an army on the space (T5.14) or a pact (T12.4) guard its piece against effects of seat `p`?"""
    return g.armies[s] != 0 or has_pact(g, p, g.owner[s])


@jit
def add_city(g, p, s):
    """Append the space to the seat's list of cities."""
    g.cities[p, g.city_count[p]] = s
    g.city_count[p] += 1


@jit
def drop_city(g, p, s):
    """Remove the space from the seat's list of cities; the others keep their order."""
    k = 0
    for i in range(g.city_count[p]):
        if g.cities[p, i] != s:
            g.cities[p, k] = g.cities[p, i]
            k += 1
    g.city_count[p] = k


@jit
def found_capital(g, w, p, s):
    """Put the capital of seat `p` on the space (B14.3)."""
    g.capital[p] = s
    set_owner(g, w, p, s, names.CAPITAL)
    add_city(g, p, s)
    log(w, LOG_CAPITAL, p, s, 0, 0, 0, 0)


@jit
def collect(g, w, p, s):
    """Take the resource token of the space (B5.3); `set_owner` takes natural wonders."""
    kind = g.resource[s]
    if kind >= 0:
        g.resource[s] = -1
        g.resources[p, kind] += 1
        log(w, LOG_RESOURCE, p, kind, 1, 0, 0, 0)


@jit
def free_city_state(g, w, cs, how):
    """Put the city-state's token back on its space and turn its cards face up (B10.3, B11.3c)."""
    g.city_state_owner[cs] = -1
    g.city_state_holder[cs] = -1
    g.city_state[g.city_state_space[cs]] = cs
    g.dirty = 1
    log(w, LOG_CITY_STATE, -1, cs, how, -1, 0, 0)


@jit
def claim_city_state(r, g, w, p, cs):
    """Put the city-state's token on the card of its type of seat `p` (B10.1); a wonder there leaves its guest (T12.3)."""
    g.city_state_owner[cs] = p
    g.city_state_holder[cs] = holder_of(r, g, p, r.city_state_type[cs])
    if g.city_state_guest[cs] >= 0:
        g.stale |= 1 << int(g.city_state_guest[cs])
        g.city_state_guest[cs] = -1
    g.dirty = 1
    log(w, LOG_CITY_STATE, p, cs, CONQUERED, g.city_state_holder[cs], 0, 0)


@jit
def move_card(g, w, p, giver, c, taken):
    """Seat `p` takes the giver's diplomacy card, or gives it back."""
    g.diplomacy[giver, c] = p if taken != 0 else -1
    g.stale |= 1 << p
    g.dirty = 1
    log(w, LOG_DIPLOMACY, p, 0, giver, c, taken, 0)


@jit
def conquered_city_state(g, s):
    """Return the conquered city-state whose space this is, or -1."""
    for cs in range(names.MAX_CITY_STATES):
        if g.city_state_owner[cs] >= 0 and g.city_state_space[cs] == s:
            return cs
    return -1


@inline
def return_token(g, s):
    """Give the control token on the space back to its owner (B1.6), a district to its place beside the map (T4.2)."""
    p = g.owner[s]
    district = g.district[s] - 1
    if district < 0:
        g.tokens_left[p] += 1
    else:
        g.district[s] = 0
        g.district_space[p, district] = -1


@jit
def take_token_off(r, g, w, s, by):
    """Remove the control token from the space; it returns to its owner (B1.6). `by`: seat that removes it, -1 = barbarian."""
    p = g.owner[s]
    note_strike(g, by, p)
    if by != p:
        note_loss(g, w, p, codes.TOKEN_LOST, s, by)
    district = g.district[s]
    return_token(g, s)
    log(w, LOG_TOKEN_OFF, p, s, by, district, 0, 0)
    set_owner(g, w, -1, s, names.NO_PIECE)
    cs = conquered_city_state(g, s)
    if cs >= 0 and r.destroyed_city_frees != 0:
        free_city_state(g, w, cs, 2)


@jit
def put_token(g, w, p, s, piece):
    """Place a control token of seat `p` (it must have one left) and collect the resource token there."""
    g.tokens_left[p] -= 1
    log(w, LOG_TOKEN, p, s, piece, 0, 0, 0)
    set_owner(g, w, p, s, piece)
    collect(g, w, p, s)


@jit
def put_district(g, w, p, s, district):
    """Place a district of seat `p`, unreinforced side up; an own control token there returns to its owner (T4.3)."""
    displaced = g.owner[s] == p
    if displaced:
        return_token(g, s)
    g.district[s] = 1 + district
    g.district_space[p, district] = s
    log(w, LOG_DISTRICT, p, s, district, int(displaced), 0, 0)
    set_owner(g, w, p, s, names.TOKEN)
    collect(g, w, p, s)


@jit
def swap_token(g, w, p, s, piece):
    """Replace a rival's control token by one of seat `p` (it must have one left), never by a district (T4.4)."""
    q = g.owner[s]
    note_strike(g, p, q)
    note_loss(g, w, q, codes.TOKEN_LOST, s, p)
    district = g.district[s]
    return_token(g, s)
    log(w, LOG_TOKEN_OFF, q, s, p, district, 0, 0)
    put_token(g, w, p, s, piece)


@jit
def flip_token(g, w, s, piece):
    """Turn the control token to the other side."""
    g.piece[s] = piece
    g.dirty = 1
    log(w, LOG_TOKEN_FLIP, g.owner[s], s, piece, g.district[s], 0, 0)


@jit
def put_city(r, g, w, p, s):
    """Place an unused city of seat `p`; an own control token there returns to its owner (B8.3)."""
    displaced = g.owner[s] == p and is_token(g, s)
    district = g.district[s]
    log(w, LOG_CITY, p, s, int(displaced), district, 0, 0)
    if displaced:
        return_token(g, s)
        n = g.natural_wonder[s]
        if n >= 0 and r.city_keeps_natural_wonder == 0:
            set_owner(g, w, -1, s, names.NO_PIECE)
    g.cities_left[p] -= 1
    set_owner(g, w, p, s, names.CITY)
    n = g.natural_wonder[s]
    if n >= 0 and r.city_keeps_natural_wonder == 0:
        g.natural_wonder_owner[n] = -1
        g.natural_wonder_holder[n] = -1
        g.stale |= 1 << p
    add_city(g, p, s)


@jit
def take_city_off(g, w, s, by):
    """Remove a city (not a capital); it returns to its owner. The space is left without an owner."""
    p = g.owner[s]
    note_strike(g, by, p)
    note_loss(g, w, p, codes.CITY_LOST, s, by)
    g.cities_left[p] += 1
    g.stat_cities_lost[p] += 1
    drop_city(g, p, s)
    log(w, LOG_CITY_LOST, p, s, by, 0, 0, 0)
    set_owner(g, w, -1, s, names.NO_PIECE)


@jit
def caravan_to_card(g, p, c):
    """Return the caravan to the economy card."""
    s = g.caravan[p, c]
    if s >= 0:
        g.caravans[s] -= 1
    g.caravan[p, c] = state.ON_CARD


@jit
def caravan_comes_home(g, p, c):
    """Return the caravan to its card; in its owner's turn it does not set out again (B7.4)."""
    caravan_to_card(g, p, c)
    if p == g.current:
        g.caravan_home[c] = 1


@jit
def return_caravan(g, w, p, c):
    """Return the caravan to its card and log it."""
    s = g.caravan[p, c]
    caravan_comes_home(g, p, c)
    log(w, LOG_CARAVAN, p, c, s, state.ON_CARD, 0, 0)


@jit
def lose_caravan(g, w, p, c, by):
    """A barbarian (`by` -1) or seat `by` returns the caravan to its card."""
    note_loss(g, w, p, codes.CARAVAN_LOST, g.caravan[p, c], by)
    return_caravan(g, w, p, c)


@jit
def destroy_caravans(g, w, s):
    """Return every caravan on the space to its owner's card (B11.2, B11.5)."""
    for p in range(g.players):
        for c in range(names.MAX_CARAVANS):
            if g.caravan[p, c] == s:
                lose_caravan(g, w, p, c, -1)


@jit
def owned_caravans(g, p):
    """Return the number of caravans of seat `p` in the game."""
    owned = 0
    for c in range(names.MAX_CARAVANS):
        owned += 1 if g.caravan[p, c] != state.NOT_OWNED else 0
    return owned


@jit
def owned_armies(g, p):
    """Return the number of armies of seat `p` in the game."""
    owned = 0
    for a in range(names.MAX_ARMIES):
        owned += 1 if g.army[p, a] != state.NOT_OWNED else 0
    return owned


@jit
def gain_caravans(r, g, p, card):
    """Put the caravans of an economy card that seat `p` does not have yet onto the card (B7.1); return how many."""
    new = max(0, min(int(r.card_caravans[card]), int(r.caravans_per_player)) - owned_caravans(g, p))
    left = new
    for c in range(names.MAX_CARAVANS):
        if left > 0 and g.caravan[p, c] == state.NOT_OWNED:
            g.caravan[p, c] = state.ON_CARD
            left -= 1
    return new


@jit
def gain_armies(r, g, p, card):
    """Put the armies of a military card that seat `p` does not have yet onto the card (T5.1); return how many."""
    new = max(0, min(int(r.card_armies[card]), int(r.armies_per_player)) - owned_armies(g, p))
    left = new
    for a in range(names.MAX_ARMIES):
        if left > 0 and g.army[p, a] == state.NOT_OWNED:
            g.army[p, a] = state.ON_CARD
            left -= 1
    return new


@jit
def army_to_card(g, p, a):
    """Return the army to the military card (T5.10)."""
    s = g.army[p, a]
    if s >= 0:
        g.armies[s] -= 1
    g.army[p, a] = state.ON_CARD


@jit
def return_army(g, w, p, a):
    """Return the army to its card and log it."""
    log(w, LOG_ARMY, p, a, g.army[p, a], state.ON_CARD, 0, 0)
    army_to_card(g, p, a)


@jit
def lose_army(g, w, p, a, by):
    """A barbarian (`by` -1) or seat `by` returns the army to its card."""
    note_loss(g, w, p, codes.ARMY_LOST, g.army[p, a], by)
    return_army(g, w, p, a)


@jit
def dismiss_caravan(g, w, p, c):
    """Take the caravan out of the game, until a card brings it back."""
    log(w, LOG_CARAVAN, p, c, g.caravan[p, c], state.NOT_OWNED, 0, 0)
    caravan_to_card(g, p, c)
    g.caravan[p, c] = state.NOT_OWNED


@jit
def dismiss_army(g, w, p, a):
    """Take the army out of the game, until a card brings it back."""
    log(w, LOG_ARMY, p, a, g.army[p, a], state.NOT_OWNED, 0, 0)
    army_to_card(g, p, a)
    g.army[p, a] = state.NOT_OWNED


@jit
def figures_shown(r, g, p, kind):
    """Return the number of caravans (ECONOMY) or armies (MILITARY) on the cards of seat `p`; without such a card no limit."""
    most = -1
    for h in range(N_TYPES):
        card = g.card[p, h]
        if card >= 0 and r.card_type[card] == kind:
            most = max(most, int(r.card_caravans[card] if kind == names.ECONOMY else r.card_armies[card]))
    return most if most >= 0 else names.MAX_CARAVANS + names.MAX_ARMIES


@jit
def dismiss_surplus(r, g, w, p):
    """Take the caravans and armies of seat `p` beyond the number on its cards out of the game (T12.26).

    By one ruling they stay; by another those on the card go, and the others once they are back there; by a third those on the
    map go at once, too.
    """
    if r.surplus_figures == SURPLUS_STAYS:
        return
    caravans = owned_caravans(g, p) - figures_shown(r, g, p, names.ECONOMY)
    armies = owned_armies(g, p) - figures_shown(r, g, p, names.MILITARY)
    for on_map in range(2 if r.surplus_figures == SURPLUS_TAKEN_BACK else 1):
        for c in range(names.MAX_CARAVANS - 1, -1, -1):
            if caravans > 0 and (g.caravan[p, c] == state.ON_CARD or (on_map != 0 and g.caravan[p, c] >= 0)):
                dismiss_caravan(g, w, p, c)
                caravans -= 1
        for a in range(names.MAX_ARMIES - 1, -1, -1):
            if armies > 0 and (g.army[p, a] == state.ON_CARD or (on_map != 0 and g.army[p, a] >= 0)):
                dismiss_army(g, w, p, a)
                armies -= 1


@jit
def put_army(g, w, p, a, s, back):
    """Put the army on the space; `back` 1: it goes back there after its fight (T5.12)."""
    log(w, LOG_ARMY, p, a, g.army[p, a], s, back, 0)
    army_to_card(g, p, a)
    g.army[p, a] = s
    g.armies[s] += 1


@jit
def destroy_armies(g, w, s):
    """A barbarian returns every army on the space to its owner's card (T5.16, T5.17)."""
    for p in range(g.players):
        for a in range(names.MAX_ARMIES):
            if g.army[p, a] == s:
                lose_army(g, w, p, a, -1)


@jit
def caravan_on(g, p, s):
    """Return the first caravan of seat `p` on the space, or -1."""
    for c in range(names.MAX_CARAVANS):
        if g.caravan[p, c] == s:
            return c
    return -1


@jit
def army_on(g, p, s):
    """Return the first army of seat `p` on the space, or -1."""
    for a in range(names.MAX_ARMIES):
        if g.army[p, a] == s:
            return a
    return -1


@jit
def caravans_of(g, p, s):
    """Return the number of caravans of seat `p` on the space."""
    n = 0
    for c in range(names.MAX_CARAVANS):
        n += 1 if g.caravan[p, c] == s else 0
    return n


@jit
def armies_of(g, p, s):
    """Return the number of armies of seat `p` on the space."""
    n = 0
    for a in range(names.MAX_ARMIES):
        n += 1 if g.army[p, a] == s else 0
    return n


@inline
def rival_caravan_on(g, p, s):
    """Is a caravan of another player than `p` on the space?"""
    return g.caravans[s] > 0 and g.caravans[s] > caravans_of(g, p, s)


@inline
def rival_army_on(g, p, s):
    """Is an army of another player than `p` on the space?"""
    return g.armies[s] > 0 and g.armies[s] > armies_of(g, p, s)


@jit
def barbarian_on(g, s):
    """Return the first barbarian (by letter) on the space, or -1."""
    for b in range(names.MAX_BARBARIANS):
        if g.barbarian_space[b] == s:
            return b
    return -1


@jit
def beat_barbarian(g, w, p, s):
    """Remove the barbarian on the space; it waits off the map until barbarians appear (B11.5)."""
    b = barbarian_on(g, s)
    g.barbarian_space[b] = -1
    g.barbarians[s] -= 1
    log(w, LOG_BARBARIAN, p, b, s, -1, 2, 0)
    return b


@inline
def is_own_land(g, p, s):
    """Is the space friendly to seat `p`, or own land for districts and maturity by Open Borders?"""
    q = g.owner[s]
    return q == p or (q >= 0 and g.power[p, codes.SHARED_LAND] >> q & 1 != 0)


@inline
def matures_beside_city(r, g, p, s):
    """Does a city on the space count for the maturity of own cities? An own one by one ruling (B1.4a), one of the giver of Open
    Borders like an own one, or by another ruling like the giver's control tokens."""
    if g.owner[s] == p or r.shared_cities_mature == 0:
        return r.city_counts_for_maturity != 0 and is_own_land(g, p, s)
    return is_own_land(g, p, s)


@jit
def is_mature(r, g, p, s):
    """B1.4: is every adjacent space on the map water, or has a friendly control token, or one that counts like it?

    By house rules some may be missing (`r.maturity_gaps`).
    """
    missing = 0
    counts = (g.power[p, codes.MATURES_WITH] | 1 << p) << 1  # bits of the seats whose tokens count, after that of nobody
    for d in range(6):
        n = g.neighbour[s, d]
        if n < 0 or g.terrain[n] == names.WATER:
            continue
        if is_token(g, n):
            missing += 1 if counts >> (g.owner[n] + 1) & 1 == 0 else 0
        elif not matures_beside_city(r, g, p, n):
            missing += 1
        if missing > r.maturity_gaps:
            return False
    return True


@jit
def mature_cities(r, g, p):
    """Return the number of mature cities of seat `p`."""
    n = 0
    for i in range(g.city_count[p]):
        if is_mature(r, g, p, g.cities[p, i]):
            n += 1
    return n


@inline
def wonder_held(r, g, p, kind):
    """Return the number of world wonders of a focus type that seat `p` controls (`kind` -1: of any type)."""
    if kind >= 0:
        return int(g.wonders_held[p, kind])
    n = 0
    for t in range(N_TYPES):
        n += g.wonders_held[p, t]
    return n


@jit
def claims(g, p):
    """Return the number of victory cards that seat `p` has claimed."""
    n = 0
    for i in range(g.victory_count):
        n += 1 if g.claimed[p, i] != 0 else 0
    return n


@jit
def held_city_states(g, p):
    """Return the number of conquered city-states that seat `p` holds."""
    n = 0
    for cs in range(names.MAX_CITY_STATES):
        n += 1 if g.city_state_owner[cs] == p else 0
    return n


@jit
def held_natural_wonders(r, g, p):
    """Return the number of natural wonders that seat `p` holds."""
    n = 0
    for i in range(r.n_natural_wonders):
        n += 1 if g.natural_wonder_owner[i] == p else 0
    return n


@jit
def reinforced_tokens(g, p):
    """Return the number of reinforced control tokens of seat `p` on the map."""
    n = 0
    for s in range(g.n_spaces):
        piece = g.piece[s]
        n += 1 if g.owner[s] == p and piece == names.REINFORCED else 0
    return n


# --- City-states that are own cities of the holder of their diplomacy card in the holder's turn (Antananarivo, T12.3)
#
# For that turn the space is a city of the holder in STATE, so that every rule sees one; when the turn ends it is the city-state
# again. A world wonder there belongs to the last holder whose turn it was.

LENT, NO_LONGER_LENT = 3, 4  # LOG_CITY_STATE


@inline
def is_lent(g, s):
    """Is the city on the space a city-state, lent for this turn? No army may stay there."""
    if g.piece[s] != names.CITY:
        return False
    for cs in range(names.MAX_CITY_STATES):
        if g.city_state_lent[cs] != 0 and g.city_state_space[cs] == s:
            return True
    return False


@jit
def lend(g, w, p, cs):
    """Make the city-state an own city of seat `p`, which gains a wonder there from the last holder."""
    s = g.city_state_space[cs]
    before = g.city_state_guest[cs]
    g.city_state[s] = -1
    g.city_state_lent[cs] = 1
    g.city_state_guest[cs] = p
    g.owner[s] = p
    g.piece[s] = names.CITY
    g.space_count[p] += 1
    g.coast_count[p] += g.coastal[s]
    add_city(g, p, s)
    g.dirty = 1
    log(w, LOG_CITY_STATE, p, cs, LENT, -1, 0, 0)
    wonder = g.wonder_token[s]
    if wonder >= 0 and before != p:
        g.stale |= ((1 << (before + 1)) | (1 << (p + 1))) >> 1  # drops the bit of nobody (-1)
        log(w, LOG_WONDER_MOVED, p, wonder, s, before, 0, 0)


@jit
def end_loan(g, w, cs):
    """Make the own city a city-state again."""
    s = g.city_state_space[cs]
    p = g.owner[s]
    drop_city(g, p, s)
    g.space_count[p] -= 1
    g.coast_count[p] -= g.coastal[s]
    g.owner[s] = -1
    g.piece[s] = names.NO_PIECE
    g.city_state[s] = cs
    g.city_state_lent[cs] = 0
    g.dirty = 1
    if g.in_turn != 0:
        log(w, LOG_CITY_STATE, p, cs, NO_LONGER_LENT, -1, 0, 0)


@jit
def settle_loans(r, g, w):
    """Lend the current player its city-states that are own cities in its turn, and end all other loans."""
    p = int(g.current)
    for cs in range(r.n_city_states):
        wanted = g.in_turn != 0 and g.city_state_owner[cs] == -1 and g.power[p, codes.CITY_STATE_AS_CITY] >> cs & 1 != 0
        if wanted and g.city_state_lent[cs] == 0 and g.city_count[p] < names.MAX_CITIES:
            lend(g, w, p, cs)
        elif g.city_state_lent[cs] != 0 and not wanted:
            end_loan(g, w, cs)
