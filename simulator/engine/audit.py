"""Invariants of the state that hold at every decision, and the violations that the audit finds."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions, state
from .abilities import refresh_seat
from .compile.jit import expansion, inline, jit, strategy
from .counts import agenda_met, counts_beyond, is_taken
from .exploring import holds_capital
from .map import KIND_CAPITAL, STEP_Q, STEP_R, is_city, is_fort, is_free_fort, is_token
from .pieces import conquered_city_state, face_up_end, is_lent, owned_armies, owned_caravans, rival_army_on
from .winning import could_have_token

# --- The violations, by code

VIOLATIONS = (
    "none",
    "control tokens are not conserved",
    "cities are not conserved, or the list of cities is wrong",
    "count of friendly spaces is wrong",
    "count of coastal spaces is wrong",
    "a piece has no owner or an owner no piece",
    "something stands on water",
    "a city stands next to a city or city-state",
    "resource tokens are not conserved",
    "a barbarian is not where its space says",
    "two barbarians share a space, or one stands on a piece it should have destroyed",
    "a caravan is not where its space says",
    "a card holds more trade tokens than allowed, or fewer than none",
    "the row is not a permutation of its cards",
    "a focus card is in a row twice",
    "a wonder's token and its place disagree",
    "two wonders lie under one city",
    "the wonder decks and the places of their cards disagree",
    "a natural wonder does not belong to whoever holds its space",
    "a city-state is free and conquered at once",
    "city-state diplomacy cards are not conserved",
    "a player holds an own diplomacy card, or too many of one rival",
    "an agenda is satisfied but not claimed",
    "the technology dial is off its spaces",
    "a resource or city-state token lies under a piece",
    "the numbers of a player's abilities are not those of what the player holds",
    "a district is not where its owner has it, or lies on no control token",
    "a government token lies on no card, or on one of another type",
    "a wonder that is not face up bears trade tokens, or one bears too many",
    "a fort card's token stays though its condition has failed",
    "a control token lies on a fort",
    "the tiles laid and those of the stack are not the tiles of the game",
    "a fort lies where none may, or something lies on it or beside it that may not",
    "the neighbours, the edge or the coast of a space are wrong",
    "a city or control token lies under a rival army",
    "an army is not where its space says, or a player has too many",
    "an army stays with a rival army, a free city-state or an uncontrolled fort",
    "a leader's card is given to nobody who may have it, or a player is its own ally",
)
(
    OK, TOKENS, CITIES, SPACES, COAST, OWNERS, ON_WATER, CITY_NEXT_TO_CITY, RESOURCES, BARBARIAN_SPACE, BARBARIAN_STAND,
    CARAVAN_SPACE, TRADE, ROW, CARD_TWICE, WONDER_TOKEN, WONDER_TWICE, DECKS, NATURAL_WONDER, CITY_STATE, CITY_STATE_CARDS,
    DIPLOMACY, AGENDA, DIAL, COVERED, NUMBERS, DISTRICT, GOVERNMENT, WONDER_TRADE, FORT_CLAIM, FORT_TOKEN,
    TILES, FORT, GROUND, UNDER_ARMY, ARMY_SPACE, ARMY_STAYS, LEADER_CARD,
) = range(len(VIOLATIONS))  # fmt: skip


@jit
def report(w, code, where):
    """Note the violation in ``w.violation`` and ``w.violation_at``, if it is the first."""
    if w.violation == OK:
        w.violation = code
        w.violation_at = where


# --- The audit of the expansion's map: tiles, forts, neighbours, edges


@jit
def printed_settlement(g, s):
    """Is the space a capital's, city-state's or fort's? Tiles may bring such spaces next to each other (T6.6)."""
    return (
        g.piece[s] == names.CAPITAL or g.city_state[s] >= 0 or conquered_city_state(g, s) >= 0 or is_fort(g, s) or is_lent(g, s)
    )


@jit
def belongs(r, g, tile):
    """Is the tile on the map or in the stack of this game (T1.5)? A user's map lists its own."""
    if r.map_mode != 0:
        for i in range(r.fixed_tiles):
            if r.fixed_tile[i] + 1 == tile and r.fixed_players[i, g.players] != 0:
                return True
        if r.fixed_stack_n >= 0:
            for k in range(r.fixed_stack_n):
                if r.fixed_stack[k] == tile:
                    return True
            return False
    if r.tile_kind[tile - 1] == KIND_CAPITAL:
        return r.map_mode == 0 and holds_capital(g, tile)
    return r.tile_in_set[tile - 1] != 0


@jit
def audit_fort(g, w, s):
    """A fort is forest with nothing printed on it; no fort and no built city lies next to it (T1.7, T6.1)."""
    if g.terrain[s] != names.FOREST or g.resource[s] >= 0 or g.natural_wonder[s] >= 0 or g.city_state[s] >= 0:
        report(w, FORT, s)
    for d in range(6):
        n = g.neighbour[s, d]
        if n >= 0 and (is_fort(g, n) or (g.piece[n] == names.CITY and not printed_settlement(g, n))):
            report(w, FORT, s)


@jit
def audit_ground(g, w, s):
    """The neighbours of a space lie next to it, and its edge and coast are right."""
    edge = 0
    coastal = 0
    for d in range(6):
        n = g.neighbour[s, d]
        if n < 0:
            edge = 1
        elif g.terrain[n] == names.WATER:
            coastal = 1
        if n >= 0 and (g.axial_q[n] - g.axial_q[s] != STEP_Q[d] or g.axial_r[n] - g.axial_r[s] != STEP_R[d]):
            report(w, GROUND, s)
        if n >= 0 and g.neighbour[n, (d + 3) % 6] != s:
            report(w, GROUND, s)
    if g.edge[s] != edge or g.coastal[s] != max(edge, coastal):
        report(w, GROUND, s)


@expansion
def audit_map(r, g, w) -> None:
    """Terra Incognita: every tile is laid whole or in the stack, once; forts and ground are right."""
    laid = 0
    forts = 0
    run = 0  # spaces of the tile so far: a tile's spaces follow each other
    for s in range(g.n_spaces):
        tile = int(g.tile[s])
        run = run + 1 if s > 0 and g.tile[s - 1] == tile else 1
        if tile >= names.FORT_TILE:
            audit_fort(g, w, s)
            if forts >> tile & 1 != 0 or tile - names.FORT_TILE >= g.players:
                report(w, FORT, s)
            forts |= 1 << tile
        elif tile > 0:
            whole = run <= names.TILE_SPACES and (run > 1 or laid >> tile & 1 == 0)
            last = s + 1 == g.n_spaces or g.tile[s + 1] != tile
            if not whole or (last and run != names.TILE_SPACES):
                report(w, TILES, s)
            laid |= 1 << tile
        audit_ground(g, w, s)
    for k in range(g.stack_n):
        bit = 1 << int(g.stack[k])
        if laid & bit != 0:
            report(w, TILES, g.stack[k])
        laid |= bit
    for tile in range(1, names.MAX_TILES + 1):
        if (laid >> tile & 1 != 0) != belongs(r, g, tile):
            report(w, TILES, tile)
    if g.water_tokens < 0 or g.n_spaces > names.MAX_SPACES:
        report(w, TILES, -1)


# --- Checks of the whole state, run by `observe_audit` before every decision (tests, `scripts/checks/soak.py`)

HASH = (1 << 31) - 1
FORT_HOLDS_TOKEN = 1  # RULES.fort_no_city


@jit
def audit_pieces(r, g, w, p):
    """Tokens, cities and counts of seat `p`."""
    tokens = int(g.tokens_left[p])
    cities = 0
    lent = 0
    spaces = 0
    coast = 0
    for s in range(g.n_spaces):
        if g.owner[s] == p:
            spaces += 1
            coast += g.coastal[s]
            tokens += 1 if is_token(g, s) and g.district[s] == 0 else 0
            cities += 1 if is_city(g, s) else 0
            lent += 1 if is_lent(g, s) else 0
    for i in range(g.victory_count):
        tokens += 1 if g.claimed[p, i] != 0 else 0
    if tokens != r.tokens_per_player or g.tokens_left[p] < 0:
        report(w, TOKENS, p)
    if cities != g.city_count[p] or cities - lent + g.cities_left[p] != r.cities_per_player + 1 or g.cities_left[p] < 0:
        report(w, CITIES, p)
    for i in range(g.city_count[p]):
        if g.owner[g.cities[p, i]] != p or not is_city(g, g.cities[p, i]):
            report(w, CITIES, p)
    if g.piece[g.capital[p]] != names.CAPITAL or g.owner[g.capital[p]] != p:
        report(w, CITIES, p)
    if spaces != g.space_count[p]:
        report(w, SPACES, p)
    if coast != g.coast_count[p]:
        report(w, COAST, p)


@jit
def audit_spaces(g, w):
    """Pieces and tokens on every space."""
    for s in range(g.n_spaces):
        if (g.owner[s] >= 0) != (g.piece[s] != 0):
            report(w, OWNERS, s)
        if g.terrain[s] == names.WATER and (g.piece[s] != 0 or g.barbarians[s] != 0 or g.resource[s] >= 0):
            report(w, ON_WATER, s)
        if g.piece[s] != 0 and (g.resource[s] >= 0 or g.city_state[s] >= 0):
            report(w, COVERED, s)
        if is_city(g, s) and not printed_settlement(g, s):
            for d in range(6):
                n = g.neighbour[s, d]
                if n >= 0 and g.piece[n] >= names.CITY and not printed_settlement(g, n):
                    report(w, CITY_NEXT_TO_CITY, s)
        if g.barbarians[s] < 0 or g.caravans[s] < 0:
            report(w, BARBARIAN_STAND, s)


@jit
def audit_owned(r, g, w, p):
    """B7.1, T5.1: seat `p` has the caravans and armies that the cards of its row show."""
    caravans = owned_caravans(g, p)
    armies = owned_armies(g, p)
    for h in range(names.N_TYPES):
        card = g.card[p, h]
        if card >= 0 and caravans < min(r.card_caravans[card], r.caravans_per_player):
            report(w, CARAVAN_SPACE, p)
        if card >= 0 and armies < min(r.card_armies[card], r.armies_per_player):
            report(w, ARMY_SPACE, p)


@inline
def in_city(g, s):
    """Is the space a city's that a barbarian on it should have destroyed (B11.2)?"""
    return g.piece[s] == names.CITY and not is_lent(g, s)


@jit
def audit_figures(r, g, w):
    """Barbarians and caravans. Two barbarians may share a space while they move, and one stands in a city with an army until it
    is thrown back (T5.16), so that is no violation here."""
    for b in range(names.MAX_BARBARIANS):
        s = g.barbarian_space[b]
        if s >= 0 and g.barbarians[s] <= 0:
            report(w, BARBARIAN_SPACE, b)
        if s >= 0 and (g.terrain[s] == names.WATER or (in_city(g, s) and g.armies[s] == 0)):
            report(w, BARBARIAN_STAND, s)
    standing = 0
    for s in range(g.n_spaces):
        standing += g.barbarians[s]
    for b in range(names.MAX_BARBARIANS):
        standing -= 1 if g.barbarian_space[b] >= 0 else 0
    if standing != 0:
        report(w, BARBARIAN_SPACE, -1)
    on_map = 0
    for p in range(g.players):
        for c in range(names.MAX_CARAVANS):
            s = g.caravan[p, c]
            if s < state.NOT_OWNED or (c >= r.caravans_per_player and s != state.NOT_OWNED):
                report(w, CARAVAN_SPACE, p)
            if s >= 0:
                on_map += 1
                if g.caravans[s] <= 0:
                    report(w, CARAVAN_SPACE, s)
    for s in range(g.n_spaces):
        on_map -= g.caravans[s]
    if on_map != 0:
        report(w, CARAVAN_SPACE, -1)


@jit
def bank_size(r):
    """Return the most trade tokens that a bank holds (Great Zimbabwe)."""
    size = 0
    for row in range(r.n_abilities):
        if r.ability_effect[row] == codes.TRADE_BANK:
            size += int(r.ability_amount[row])
    return size


@jit
def audit_row(r, g, w, p):
    """Row, cards and trade tokens of seat `p`."""
    seen = 0
    for place in range(r.slots):
        seen |= 1 << g.row[p, place]
    for h in range(names.N_TYPES):
        if (g.card[p, h] >= 0) != (seen >> h & 1 != 0) or g.card[p, h] >= r.n_cards:
            report(w, ROW, p)
        for other in range(h):
            if g.card[p, h] >= 0 and g.card[p, h] == g.card[p, other]:
                report(w, CARD_TWICE, p)
        if g.trade[p, h] < 0 or g.trade[p, h] > r.max_trade:
            report(w, TRADE, p)
    if g.wonder_bank < 0 or g.wonder_bank > bank_size(r):
        report(w, TRADE, -1)
    if g.dial[p] < 0 or g.dial[p] > r.dial_last or g.dial_reached[p] < g.dial[p]:
        report(w, DIAL, p)


@jit
def audit_wonders(r, g, w):
    """World wonders: tokens, places, decks."""
    for i in range(r.n_wonders):
        s = g.wonder_space[i]
        if (s >= 0) != (g.wonder_place[i] == state.WONDER_BUILT) or (s >= 0 and g.wonder_token[s] != i):
            report(w, WONDER_TOKEN, i)
        for other in range(i):
            if s >= 0 and g.wonder_space[other] == s:
                report(w, WONDER_TWICE, i)
    for kind in range(names.N_TYPES):
        for k in range(g.deck_size[kind]):
            place = g.wonder_place[g.deck[kind, k]]
            if k < g.deck_next[kind]:
                good = place == state.WONDER_BUILT or place == state.WONDER_BOX or g.wonder_drafted[g.deck[kind, k]] != 0
            elif k < face_up_end(r, g, kind):
                good = place == state.WONDER_FACE_UP
            else:
                good = place == state.WONDER_DECK
            if not good:
                report(w, DECKS, g.deck[kind, k])


@jit
def audit_supply(r, g, w):
    """Resources, natural wonders, city-states."""
    for kind in range(names.N_RESOURCES):
        total = int(g.supply[kind])
        for p in range(g.players):
            total += g.resources[p, kind]
            if g.resources[p, kind] < 0:
                report(w, RESOURCES, p)
        for s in range(g.n_spaces):
            total += 1 if g.resource[s] == kind else 0
        if total != r.resources_per_type or g.supply[kind] < 0:
            report(w, RESOURCES, kind)
    for i in range(r.n_natural_wonders):
        if g.natural_wonder_owner[i] >= -1 and r.city_keeps_natural_wonder != 0:
            if g.natural_wonder_owner[i] != g.owner[g.natural_wonder_space[i]]:
                report(w, NATURAL_WONDER, i)
    for cs in range(r.n_city_states):
        owner = g.city_state_owner[cs]
        if owner < -1:
            continue
        free = g.city_state[g.city_state_space[cs]] == cs or g.city_state_lent[cs] != 0
        if free != (owner == -1) and r.destroyed_city_frees != 0:
            report(w, CITY_STATE, cs)
        cards = int(g.city_state_cards_left[cs])
        for p in range(g.players):
            cards += g.city_state_cards[cs, p]
        if cards != r.city_state_copies[cs]:
            report(w, CITY_STATE_CARDS, cs)


@jit
def audit_victory(r, g, w, p):
    """Diplomacy cards and agendas of seat `p`; an agenda is claimed the moment it is satisfied (B3.2), with a token (B1.6)."""
    for c in range(r.n_diplomacy):
        if g.diplomacy[p, c] == p or g.diplomacy[p, c] >= g.players:
            report(w, DIPLOMACY, p)
    if g.given_card[p] == p or g.given_card[p] >= g.players or g.allies[p] >> p & 1 != 0:
        report(w, LEADER_CARD, p)
    if g.dirty == 0:
        has_token = could_have_token(g, p)
        for i in range(g.victory_count):
            card = g.victory_card[i]
            for a in range(2):
                claims = has_token and g.claimed[p, i] == 0 and not counts_beyond(r, card, a)
                if claims and agenda_met(r, g, p, card, a) and not is_taken(r, g, i, a):
                    report(w, AGENDA, p)
            must_stay = g.claimed[p, i] != 0 and r.victory_must_stay[card] != 0
            if must_stay and not agenda_met(r, g, p, card, int(g.claimed[p, i]) - 1):
                report(w, FORT_CLAIM, p)


@jit
def sum_of_numbers(g, p):
    """Return a hash of everything that `abilities.refresh_seat` computes."""
    total = int(g.newest_era[p]) + 31 * int(g.moments[p]) + 977 * int(g.listed_n[p])
    for i in range(codes.N_POWERS):
        total = (total * 31 + int(g.power[p, i])) % HASH
    for side in range(2):
        for target in range(names.N_TARGETS):
            for terrain in range(names.N_TERRAINS):
                total = (total * 31 + int(g.combat[p, side, target, terrain])) % HASH
    for kind in range(names.N_TYPES):
        total = (total * 31 + int(g.wonders_held[p, kind])) % HASH
        for era in range(names.N_ERAS):
            total = (total * 31 + int(g.cost_change[p, kind, era])) % HASH
        for place in range(names.MAX_SLOTS):
            total = (total * 31 + int(g.acting_place[p, kind, place])) % HASH
    for doing in range(codes.N_DOINGS):
        for coastal in range(2):
            for terrain in range(names.N_TERRAINS):
                total = (total * 31 + int(g.ground[p, doing, coastal, terrain])) % HASH
    for k in range(g.listed_n[p]):
        total = (total * 31 + int(g.listed[p, k]) * 64 + int(g.listed_giver[p, k])) % HASH
    return total


@jit
def audit_numbers(r, g, w, p):
    """The numbers of seat `p` fit its leader, wonders and cards: computing them anew changes nothing."""
    before = sum_of_numbers(g, p)
    refresh_seat(r, g, p)
    if sum_of_numbers(g, p) != before:
        report(w, NUMBERS, p)


@jit
def audit_districts(g, w):
    """T4.2: a district is a control token on the space its owner has it on; each lies on one space at most."""
    for s in range(g.n_spaces):
        district = int(g.district[s]) - 1
        if district >= 0 and (not is_token(g, s) or g.district_space[g.owner[s], district] != s):
            report(w, DISTRICT, s)
    for p in range(g.players):
        for district in range(names.N_DISTRICTS):
            s = g.district_space[p, district]
            if s >= 0 and (g.owner[s] != p or g.district[s] != 1 + district):
                report(w, DISTRICT, s)


@jit
def audit_cards(r, g, w):
    """T8.1: a government token lies on a card of its type. T9.2: at most one trade token, on face-up wonders only."""
    for p in range(g.players):
        h = g.government[p]
        if h >= 0 and (g.card[p, h] < 0 or r.card_type[g.card[p, h]] != g.government_type[p]):
            report(w, GOVERNMENT, p)
    for i in range(r.n_wonders):
        tokens = g.wonder_trade[i]
        if tokens < 0 or tokens > 1 or (tokens != 0 and g.wonder_place[i] != state.WONDER_FACE_UP):
            report(w, WONDER_TRADE, i)


@jit
def audit_armies(r, g, w):
    """T5.1: every army is on its card, on one space that counts it, or not yet in the game."""
    on_map = 0
    for p in range(g.players):
        for a in range(names.MAX_ARMIES):
            s = g.army[p, a]
            if s < state.NOT_OWNED or (a >= r.armies_per_player and s != state.NOT_OWNED):
                report(w, ARMY_SPACE, p)
            if s >= 0:
                on_map += 1
                if g.armies[s] <= 0:
                    report(w, ARMY_SPACE, s)
    for s in range(g.n_spaces):
        on_map -= g.armies[s]
        if g.armies[s] < 0:
            report(w, ARMY_SPACE, s)
    if on_map != 0:
        report(w, ARMY_SPACE, -1)


@jit
def watch_armies(g, w):
    """Note the space of every army that stands with a piece of its player's; it stays noted while the army stands there."""
    for p in range(g.players):
        for a in range(names.MAX_ARMIES):
            s = g.army[p, a]
            if s >= 0 and g.owner[s] == p and not is_lent(g, s):
                w.held_ground[p, a] = s
            elif w.held_ground[p, a] != s:
                w.held_ground[p, a] = state.ON_CARD


@jit
def was_left_there(g, w, s):
    """Is the space a city-state's, where every rival army was left when its player's control token was taken off?"""
    for p in range(g.players):
        for a in range(names.MAX_ARMIES):
            if p != g.owner[s] and g.army[p, a] == s and w.held_ground[p, a] != s:
                return False
    for cs in range(names.MAX_CITY_STATES):
        if g.city_state_space[cs] == s:
            return True
    return False


@jit
def audit_at_rest(r, g, w):
    """T5.12, T5.15, T6.1: armies are on no space of a rival's piece between turns; in a fight an army is on its target's.
    T5.16: no barbarian is left in a city with armies.

    A control token taken off a conquered city-state (B1.6), or moved from it by a ruling, frees it, and may leave its player's
    army there: only entering counts (T5.5). That army stays, too, if another seat conquers the city-state then (T5.11).
    """
    for b in range(names.MAX_BARBARIANS):
        s = g.barbarian_space[b]
        if s >= 0 and in_city(g, s):
            report(w, BARBARIAN_STAND, s)
    for s in range(g.n_spaces):
        if is_token(g, s) and is_fort(g, s) and r.fort_no_city != FORT_HOLDS_TOKEN:
            report(w, FORT_TOKEN, s)
        if g.owner[s] >= 0 and rival_army_on(g, int(g.owner[s]), s) and not was_left_there(g, w, s):
            report(w, UNDER_ARMY, s)
    for p in range(g.players):
        for a in range(names.MAX_ARMIES):
            s = g.army[p, a]
            entered = s >= 0 and g.city_state[s] >= 0 and w.held_ground[p, a] != s
            if s >= 0 and (rival_army_on(g, p, s) or entered or is_free_fort(g, s)):
                report(w, ARMY_STAYS, s)


@jit
def audit(r, g, w):
    """Check everything, once the map is built; fast enough for millions of decisions, too slow for a normal run."""
    if g.round_number == 0:
        return
    audit_spaces(g, w)
    if r.box == names.TI_BOX:
        audit_map(r, g, w)
    audit_figures(r, g, w)
    audit_wonders(r, g, w)
    audit_supply(r, g, w)
    for p in range(g.players):
        audit_pieces(r, g, w, p)
        audit_row(r, g, w, p)
        audit_owned(r, g, w, p)
        audit_victory(r, g, w, p)
        if g.stale == 0:
            audit_numbers(r, g, w, p)
    if r.box == names.TI_BOX:
        audit_districts(g, w)
        audit_cards(r, g, w)
        audit_armies(r, g, w)


@strategy
def observe_audit(r, g, w, seat, kind, n, u):
    """Observer (`seat_strategies`): audit the state before every decision, and count the decision (``w.times_asked``)."""
    w.times_asked[kind, 1 if seat == g.current else 0] += 1
    audit(r, g, w)
    if r.box == names.TI_BOX:
        watch_armies(g, w)
        if kind == decisions.CARD:
            audit_at_rest(r, g, w)
    return 0
