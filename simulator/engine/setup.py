"""Setting up a game: leaders, decks and the map, tile by tile (B2)."""

from __future__ import annotations

import numpy as np

from .. import names
from . import decisions, state
from .abilities import refresh_seat
from .choosing import LOG_FORT, LOG_TRADE, LOG_WONDER_REVEALED, below, choose, clear_question, log, next_bits, roll_die
from .compile.jit import expansion, inline, jit
from .exploring import put_on_top, take_bottom
from .map import (
    KIND_CAPITAL,
    KIND_CITY_STATE,
    KIND_NATURAL_WONDER,
    NO_SPACE,
    STEP_Q,
    STEP_R,
    add_space,
    capital_places,
    clear_grid,
    close_holes,
    connect,
    fill_holes,
    is_core,
    is_fort,
    lay_at,
    lay_tile,
    legal_places,
    star_of,
)
from .pieces import face_up_end, found_capital, gain_armies

# --- Random draws, and the fixed maps of both boxes
#
# Tiles and cards are drawn by random keys, one for each of the printed game, the smallest first. So a rule that takes one out,
# or another number of players, leaves the order of the others as it was.

NONE = -1
SHIFT_11 = np.uint64(11)
UNIT = 2.0**-53  # keys are numbers from 0 up to 1


@jit
def draw_keys(g, w, stream, n):
    """Draw random keys for 0 … n-1."""
    for i in range(n):
        w.key[i] = float(next_bits(g, stream) >> SHIFT_11) * UNIT


@jit
def take_lowest(w, n):
    """Return the index with the lowest key among those marked 1 in ``w.mark`` and unmark it; -1 if there is none."""
    best = NONE
    for i in range(n):
        if w.mark[i] == 1 and (best < 0 or w.key[i] < w.key[best]):
            best = i
    if best >= 0:
        w.mark[best] = 0
    return best


@jit
def mark_tiles(r, w, kind):
    """Mark the tiles of a kind that are in the box."""
    for t in range(names.MAX_TILES):
        w.mark[t] = 1 if r.tile_in_set[t] != 0 and r.tile_kind[t] == kind else 0


@jit
def draw_first(g):
    """Draw the first player (B2.4)."""
    g.first = below(g, state.STREAM_FIRST, g.players)
    g.current = g.first


@jit
def first_to_be(r, g):
    """Return the first player that `draw_first` will draw; the random streams stay as they are."""
    stream = g.rng[state.STREAM_FIRST]
    if r.box == names.BASE_BOX:
        next_bits(g, state.STREAM_FIRST)  # the base game draws the barbarians' directions first
    first = below(g, state.STREAM_FIRST, g.players)
    g.rng[state.STREAM_FIRST] = stream
    return first


@jit
def draw_directions(g):
    """Draw the directions of barbarians for the faces of the die (B2.4)."""
    offset = below(g, state.STREAM_FIRST, 6)
    for face in range(1, 7):
        g.barbarian_die[face] = (offset + face - 1) % 6


@jit
def lay_fixed_tiles(r, g, w):
    """Lay the first-game map or a user's map and deal its capitals to the seats (B14.5). The tiles' keys stay drawn."""
    draw_keys(g, w, state.STREAM_MAP, r.tile_keys)
    for t in range(names.MAX_TILES):
        w.mark[t] = 0
    for i in range(r.fixed_tiles):
        if r.fixed_players[i, g.players] == 0:
            continue
        tile = int(r.fixed_tile[i]) + 1
        side = int(r.fixed_side[i])
        first = lay_tile(r, g, w, NONE, tile, side, int(r.fixed_rotation[i]), int(r.fixed_q[i]), int(r.fixed_r[i]))
        star = int(r.tile_capital[tile - 1, side])
        if star >= 0:
            w.mark[tile - 1] = 1
            w.queue[tile - 1] = first + star
    for p in range(g.players):
        t = take_lowest(w, names.MAX_TILES)
        if t >= 0:
            g.capital[p] = w.queue[t]


# --- Building the map of Terra Incognita (T1.5 to T1.9): capital tiles, first player, stack, core, forts, capitals


@jit
def deal_capital_tiles(r, g, w):
    """Deal each player a random capital tile; the others leave the game (T1.5)."""
    draw_keys(g, w, state.STREAM_MAP, r.tile_keys)
    mark_tiles(r, w, KIND_CAPITAL)
    for p in range(g.players):
        g.tile_hand[p, 0] = 1 + take_lowest(w, names.MAX_TILES)


@jit
def shuffle_stack(r, g, w):
    """Stack the tiles without a star that are not laid yet by their keys, the lowest at the bottom (T1.5)."""
    for t in range(names.MAX_TILES):
        w.mark[t] = 1 if r.tile_in_set[t] != 0 and r.tile_kind[t] != KIND_CAPITAL else 0
    for s in range(g.n_spaces):
        if is_core(r, g, s):
            w.mark[g.tile[s] - 1] = 0
    tile = 1 + take_lowest(w, names.MAX_TILES)
    while tile > 0:
        put_on_top(g, tile)
        tile = 1 + take_lowest(w, names.MAX_TILES)


@jit
def lay_core_from_stack(r, g, w):
    """Lay tiles from the bottom of the stack in their order, all on the side of the die's roll (T1.6)."""
    n = int(g.players)
    side = 0 if roll_die(g, state.STREAM_MAP) <= r.core_side_a_max else 1
    g.core_side = side
    for k in range(min(r.core_tiles_for[n], g.stack_n)):
        q, row = int(r.core_q_for[n, side, k]), int(r.core_r_for[n, side, k])
        lay_tile(r, g, w, NONE, take_bottom(g), side, int(r.core_rotation_for[n, side, k]), q, row)
    close_holes(r, g, w)


@jit
def close_setup_holes(r, g, w):
    """T1.9: holes become water, by one ruling."""
    if r.setup_holes_filled != 0:
        close_holes(r, g, w)


# --- forts


@jit
def fort_fits(r, g, w, i, j):
    """May a fort lie on the free grid cell: does it touch enough core spaces, no fort and no city-state (T1.7)?"""
    core = 0
    for d in range(6):
        s = w.grid[i + STEP_Q[d], j + STEP_R[d]]
        if s >= 0:
            if is_fort(g, s) or g.city_state[s] >= 0:
                return False
            core += 1 if is_core(r, g, s) else 0
    return core >= r.fort_touch_core


@jit
def list_fort_places(r, g, w):
    """List the places where a fort may lie (PLACE_FORT values); return how many."""
    q0 = q1 = int(g.axial_q[0]) + names.GRID_ORIGIN
    r0 = r1 = int(g.axial_r[0]) + names.GRID_ORIGIN
    for s in range(g.n_spaces):
        q0, q1 = min(q0, int(g.axial_q[s]) + names.GRID_ORIGIN), max(q1, int(g.axial_q[s]) + names.GRID_ORIGIN)
        r0, r1 = min(r0, int(g.axial_r[s]) + names.GRID_ORIGIN), max(r1, int(g.axial_r[s]) + names.GRID_ORIGIN)
    n = 0
    for i in range(q0 - 1, q1 + 2):
        for j in range(r0 - 1, r1 + 2):
            if w.grid[i, j] == NO_SPACE and fort_fits(r, g, w, i, j):
                w.option[n] = i * names.GRID + j
                n += 1
    return n


@jit
def put_fort(g, w, p, q, row):
    """Lay the fort of seat `p` (T6.1): a new space of forest."""
    s = add_space(g, w, q, row, names.FORT_TILE + p, names.FOREST)
    log(w, LOG_FORT, p, s, 0, 0, 0, 0)


@jit
def lay_fort(r, g, w, bots, p):
    """Let seat `p` lay its fort (T1.7). Without a legal place, possible on maps of users only, the fort leaves the game."""
    g.current = p
    n = list_fort_places(r, g, w)
    if n > 0:
        w.ask_space = NONE
        place = choose(r, g, w, bots, p, decisions.PLACE_FORT, n)
        put_fort(g, w, p, place // names.GRID - names.GRID_ORIGIN, place % names.GRID - names.GRID_ORIGIN)
        close_setup_holes(r, g, w)


@jit
def lay_forts(r, g, w, bots):
    """From the first player clockwise every seat lays its fort (T1.7)."""
    for k in range(g.players):
        lay_fort(r, g, w, bots, (int(g.first) + k) % int(g.players))


# --- capitals


@jit
def lay_capital_tile(r, g, w, bots, p):
    """Let seat `p` lay its capital tile, either side, any rotation, touching core and forts; the star is its capital (T1.8)."""
    g.current = p
    tile = int(g.tile_hand[p, 0])
    g.tile_hand[p, 0] = 0
    n = capital_places(r, g, w)
    w.ask_space = tile
    place = choose(r, g, w, bots, p, decisions.PLACE_TILE, n)
    g.capital[p] = lay_at(r, g, w, p, tile, place) + star_of(r, tile, place)
    close_setup_holes(r, g, w)


@jit
def lay_given_map(r, g, w, bots):
    """Lay a user's map: its tiles, its stack, its forts; those it does not give are drawn and laid as in any game (B14.5)."""
    lay_fixed_tiles(r, g, w)
    draw_first(g)
    if r.fixed_stack_n < 0:
        shuffle_stack(r, g, w)
    for k in range(r.fixed_stack_n):
        put_on_top(g, int(r.fixed_stack[k]))
    if r.fixed_forts > 0:
        for k in range(g.players):
            put_fort(g, w, (int(g.first) + k) % int(g.players), int(r.fixed_fort_q[k]), int(r.fixed_fort_r[k]))
        close_setup_holes(r, g, w)
    else:
        close_setup_holes(r, g, w)
        lay_forts(r, g, w, bots)


@expansion
def build_frontier(r, g, w, bots) -> None:
    """Build the map: the steps T1.5 to T1.9 in their order, which is also that of the random draws."""
    if r.map_mode != 0:
        lay_given_map(r, g, w, bots)
        return
    deal_capital_tiles(r, g, w)
    draw_first(g)
    shuffle_stack(r, g, w)
    lay_core_from_stack(r, g, w)
    lay_forts(r, g, w, bots)
    for k in range(g.players):
        lay_capital_tile(r, g, w, bots, (int(g.first) + k) % int(g.players))
    w.ask_space = NONE


# --- Setting up a game (B2) and building the map of the base game with the players (B14)

NOT_IN_GAME = -2
N_ERAS = len(names.ERAS)
HAND = 4  # room for tiles in a hand


# --- before the map


@jit
def clear_spaces(g):
    """Empty all spaces."""
    g.neighbour[:] = NO_SPACE
    g.owner[:] = NONE
    g.resource[:] = NONE
    g.natural_wonder[:] = NONE
    g.city_state[:] = NONE
    g.wonder_token[:] = NONE


@jit
def clear_things(r, g):
    """Take barbarians, natural wonders, city-states and cards out of the game; all resource tokens are in the supply."""
    for i in range(names.MAX_BARBARIANS):
        g.barbarian_space[i] = NOT_IN_GAME
        g.barbarian_home[i] = NONE
    for i in range(names.MAX_NATURAL_WONDERS):
        g.natural_wonder_owner[i] = NOT_IN_GAME
        g.natural_wonder_space[i] = NO_SPACE
        g.natural_wonder_holder[i] = NONE
    for i in range(names.MAX_CITY_STATES):
        g.city_state_owner[i] = NOT_IN_GAME
        g.city_state_space[i] = NO_SPACE
        g.city_state_holder[i] = NONE
        g.city_state_guest[i] = NONE
    for i in range(names.MAX_WONDERS):
        g.wonder_space[i] = NO_SPACE
        g.wonder_builder[i] = NONE
    for t in range(names.N_TYPES):
        for k in range(names.DECK_SIZE):
            g.deck[t, k] = NONE
    for k in range(names.MAX_IN_PLAY):
        g.victory_card[k] = NONE
    for k in range(names.N_RESOURCES):
        g.supply[k] = r.resources_per_type
    g.water_tokens = r.water_tokens


@jit
def clear_seats(g):
    """Take everything from all seats."""
    for p in range(names.MAX_PLAYERS):
        if p >= g.players:
            g.leader[p] = NONE
        for k in range(names.MAX_SLOTS):
            g.row[p, k] = NONE
        for h in range(names.N_TYPES):
            g.card[p, h] = NONE
        for k in range(names.MAX_CITIES):
            g.cities[p, k] = NO_SPACE
        for k in range(names.MAX_CARAVANS):
            g.caravan[p, k] = state.NOT_OWNED
        for k in range(names.MAX_ARMIES):
            g.army[p, k] = state.NOT_OWNED
        for k in range(names.N_DISTRICTS):
            g.district_space[p, k] = NO_SPACE
        for k in range(names.MAX_DIPLOMACY):
            g.diplomacy[p, k] = NONE
        g.given_card[p] = NONE
        g.capital[p] = NO_SPACE
        g.government[p] = NONE


@inline
def first_card(r, leader, kind):
    """Return the first card of the focus type for a leader: its unique one, if that is of level I (T1.4)."""
    unique = names.N_CARDS + leader
    if r.card_level[unique] == 1 and r.card_type[unique] == kind and r.card_unavailable[unique] == 0:
        return unique
    return kind * names.N_LEVELS


@jit
def seat_player(r, g, p):
    """Give a player pieces, dial, row and figures (B2.1, B2.2, T1.4).

    A card's holder has the code of the focus type that it starts with.
    """
    leader = int(g.leader[p])
    g.tokens_left[p] = r.tokens_per_player
    g.cities_left[p] = r.cities_per_player
    g.dial[p] = r.dial_start
    g.dial_reached[p] = r.dial_start
    for place in range(r.slots):
        kind = int(r.leader_row[leader, place])
        g.row[p, place] = kind
        g.card[p, kind] = first_card(r, leader, kind)
        if r.card_unique[g.card[p, kind]] >= 0:
            g.unique_round[p] = 1
        g.trade[p, kind] = min(r.trade_tokens_start[leader, kind], r.max_trade)
    for c in range(min(r.card_caravans[g.card[p, names.ECONOMY]], r.caravans_per_player)):
        g.caravan[p, c] = state.ON_CARD
    gain_armies(r, g, p, int(g.card[p, names.MILITARY]))
    refresh_seat(r, g, p)


@jit
def log_start_tokens(g, w, p):
    """Log the trade tokens that house rules put on the cards of seat `p` before the game begins."""
    for h in range(names.N_TYPES):
        if g.card[p, h] >= 0 and g.trade[p, h] > 0:
            log(w, LOG_TRADE, p, h, g.trade[p, h], decisions.SOURCE_START, 0, 0)


# --- the map


@jit
def draw_tiles(r, w, kind, n):
    """Draw tiles of a kind and return them as a set (bit = tile number - 1)."""
    mark_tiles(r, w, kind)
    drawn = 0
    for _ in range(n):
        t = take_lowest(w, names.MAX_TILES)
        if t >= 0:
            drawn |= 1 << t
    return drawn


@jit
def lay_core(r, g, w, core):
    """Lay the tiles of the set in the order of their keys, all on the side of the die's roll (B14.2)."""
    side = 0 if roll_die(g, state.STREAM_MAP) <= r.core_side_a_max else 1
    g.core_side = side
    for t in range(names.MAX_TILES):
        w.mark[t] = (core >> t) & 1
    for k in range(r.core_tiles):
        tile = 1 + take_lowest(w, names.MAX_TILES)
        if tile > 0:
            q, row, rotation = int(r.core_q[side, k]), int(r.core_r[side, k]), int(r.core_rotation[side, k])
            lay_tile(r, g, w, NONE, tile, side, rotation, q, row)
    close_holes(r, g, w)


@jit
def deal_tiles(r, g, w, core):
    """Deal from the tiles that are neither in the core nor show a capital (B14.2)."""
    for t in range(names.MAX_TILES):
        in_box = r.tile_in_set[t] != 0 and r.tile_kind[t] != KIND_CAPITAL
        w.mark[t] = 1 if in_box and (core >> t) & 1 == 0 else 0
    for k in range(1, min(1 + r.dealt_tiles, HAND)):
        for p in range(g.players):
            g.tile_hand[p, k] = 1 + take_lowest(w, names.MAX_TILES)


@jit
def deal_and_lay_core(r, g, w):
    """Deal the capital tiles, draw and lay the core, deal from the rest (B14.2)."""
    draw_keys(g, w, state.STREAM_MAP, r.tile_keys)
    mark_tiles(r, w, KIND_CAPITAL)
    for p in range(g.players):
        g.tile_hand[p, 0] = 1 + take_lowest(w, names.MAX_TILES)
    core = draw_tiles(r, w, KIND_NATURAL_WONDER, int(r.core_natural_wonders))
    core |= draw_tiles(r, w, KIND_CITY_STATE, int(r.core_city_states))
    # The keys of tiles not drawn for the core are no longer uniform, so the deal needs new ones.
    draw_keys(g, w, state.STREAM_MAP, r.tile_keys)
    lay_core(r, g, w, core)
    deal_tiles(r, g, w, core)


@jit
def choose_tile(r, g, w, bots, p):
    """Let the player choose a tile of the hand, take it out of the hand and return its number."""
    n = 0
    for k in range(HAND):
        if g.tile_hand[p, k] > 0:
            w.option[n] = g.tile_hand[p, k]
            n += 1
    w.ask_space = NONE
    w.ask_left = n
    tile = choose(r, g, w, bots, p, decisions.LAY_TILE, n)
    size = 0
    for k in range(HAND):
        other = int(g.tile_hand[p, k])
        g.tile_hand[p, k] = 0
        if other > 0 and other != tile:
            g.tile_hand[p, size] = other
            size += 1
    return tile


@jit
def lay_from_hand(r, g, w, bots, p):
    """Let a player lay a tile of the hand, either side, in any legal place (B14.3)."""
    g.current = p
    tile = choose_tile(r, g, w, bots, p)
    n = legal_places(r, g, w)
    w.ask_space = tile
    place = choose(r, g, w, bots, p, decisions.PLACE_TILE, n)
    first = lay_at(r, g, w, p, tile, place)
    star = star_of(r, tile, place)
    if star >= 0:
        g.capital[p] = first + star
    close_holes(r, g, w)


@jit
def build_map(r, g, w, bots):
    """Let the players build the map, one tile a turn, until every hand is empty (B14.3)."""
    deal_and_lay_core(r, g, w)
    p = below(g, state.STREAM_MAP, g.players)
    for _ in range(HAND):
        for _seat in range(g.players):
            if g.tile_hand[p, 0] > 0:
                lay_from_hand(r, g, w, bots, p)
            p = (p + 1) % int(g.players)
    w.ask_space = NONE


# --- after the map


@jit
def stack_era(r, g, w, kind, era):
    """Put wonders of one type and era under the type's deck, as many as for the number of players (B2.5)."""
    for i in range(r.n_wonders):
        fits = r.wonder_available[i] != 0 and r.wonder_type[i] == kind and r.wonder_era[i] == era
        w.mark[i] = 1 if fits else 0
    for _ in range(r.deck_count[g.players, era]):
        wonder = take_lowest(w, int(r.n_wonders))
        n = int(g.deck_size[kind])
        if wonder >= 0 and n < names.DECK_SIZE:
            g.deck[kind, n] = wonder
            g.deck_size[kind] = n + 1
            g.wonder_place[wonder] = state.WONDER_DECK


@jit
def stack_wonders(r, g, w):
    """Build the decks of wonders and turn up their first cards (B2.5)."""
    draw_keys(g, w, state.STREAM_WONDERS, int(r.n_wonders))
    for kind in range(names.N_TYPES):
        for era in range(N_ERAS):
            stack_era(r, g, w, kind, era)
        for k in range(face_up_end(r, g, kind)):
            g.wonder_place[g.deck[kind, k]] = state.WONDER_FACE_UP
            g.wonder_round_revealed[g.deck[kind, k]] = 1
            log(w, LOG_WONDER_REVEALED, -1, g.deck[kind, k], 0, 0, 0, 0)


@jit
def draw_victory_cards(r, g, w):
    """Put the fort cards in play, those that house rules have in every game, and draw the others (B2.6, T1.12)."""
    n = int(r.n_victory_cards)
    draw_keys(g, w, state.STREAM_VICTORY, n)
    g.victory_count = 0
    for i in range(n):
        w.mark[i] = 1 - r.victory_fort[i]
        if r.victory_fort[i] != 0 and g.victory_count < r.fort_cards:
            g.victory_card[g.victory_count] = i
            g.victory_count += 1
    for i in range(n):
        if r.victory_always[i] != 0 and g.victory_count < r.victory_in_play:
            w.mark[i] = 0
            g.victory_card[g.victory_count] = i
            g.victory_count += 1
    while g.victory_count < r.victory_in_play:
        card = take_lowest(w, n)
        if card < 0:
            break
        g.victory_card[g.victory_count] = card
        g.victory_count += 1


@jit
def start_game(r, g, w, bots):
    """Set up the game (B2, T1), the players building its map (B14).

    `g` is all zero but for the random streams, `players`, their `leader` and `round_cap`.
    """
    clear_question(w)
    clear_spaces(g)
    clear_things(r, g)
    clear_seats(g)
    g.ending = names.RUNNING
    for p in range(g.players):
        seat_player(r, g, p)
        log_start_tokens(g, w, p)
    clear_grid(w)
    if r.box == names.TI_BOX:
        build_frontier(r, g, w, bots)
    elif r.map_mode == 0:
        build_map(r, g, w, bots)
    else:
        lay_fixed_tiles(r, g, w)
        fill_holes(r, g, w)
    connect(g, w)
    for p in range(g.players):
        if g.capital[p] >= 0:
            found_capital(g, w, p, int(g.capital[p]))
    draw_directions(g)
    if r.box != names.TI_BOX:
        draw_first(g)
    g.current = g.opened = g.first
    g.event = r.event_start
    stack_wonders(r, g, w)
    draw_victory_cards(r, g, w)
    g.dirty = 1
