"""Counting for the optional tables of a run: focus cards, rounds, and places.

Focus cards are counted from the turn log, which is on meanwhile; rounds and places from the game at the end of a round and of
the game. `play_counted` is `kernel.play_batch` with these counts.
"""

from __future__ import annotations

import numba
from numba import types

from .. import names
from ..engine.choosing import LOG_CARD, LOG_ROUND, LOG_UPGRADE
from ..engine.compile.argument_types import declare_parameters
from ..engine.compile.jit import call_column, jit
from ..engine.pieces import wonder_held
from ..engine.turn import play_step
from .columns import FOCUS_CARD_ROW, PLACE_ROW, ROUND_ROW
from .kernel import PARAMETERS, open_game, read_agendas, read_outcome, read_wonders

# Columns of `tally`, for each card of each seat: the rounds in which it was first taken and last replaced, whether it lies in
# the row, and from RESOLVED on how often it was resolved, by slot number.
TAKEN, REPLACED, IN_ROW, RESOLVED = range(4)
NUMBERS = 6  # slot numbers, 0 included
TALLY = (names.MAX_PLAYERS, names.MAX_CARDS, RESOLVED + NUMBERS)
USED = AGENDAS, CARDS, ROUNDS, PLACES = range(4)  # places in `filled`: the rows of each table that a call has filled

declare_parameters(
    __name__,
    **PARAMETERS,
    tally=types.int16[:, :, ::1],
    card_rows=numba.from_dtype(FOCUS_CARD_ROW)[::1],
    round_rows=numba.from_dtype(ROUND_ROW)[::1],
    place_rows=numba.from_dtype(PLACE_ROW)[::1],
    spoken=types.float64[:, ::1],
    counters=types.int64[::1],
    filled=types.int64[::1],
)


@jit
def begin_cards(g, tally):
    """Note the cards that lie in the rows at the start."""
    tally[:, :, :] = 0
    for p in range(g.players):
        for h in range(names.N_TYPES):
            if g.card[p, h] >= 0:
                tally[p, g.card[p, h], IN_ROW] = 1


@jit
def read_log(w, tally, number):
    """Count the focus cards in the log of a step that begins in round `number`, and empty the log."""
    for k in range(w.log_n):
        p = int(w.log[k, 1])
        if w.log[k, 0] == LOG_ROUND:
            number = int(w.log[k, 2])
        elif w.log[k, 0] == LOG_CARD:
            tally[p, w.log[k, 4], RESOLVED + w.log[k, 3]] += 1
        elif w.log[k, 0] == LOG_UPGRADE:
            old, new = int(w.log[k, 3]), int(w.log[k, 4])
            tally[p, old, IN_ROW] = 0
            tally[p, old, REPLACED] = max(1, number)
            if tally[p, new, TAKEN] == 0 and tally[p, new, REPLACED] == 0:  # not a card of the start that comes back
                tally[p, new, TAKEN] = max(1, number)
            tally[p, new, IN_ROW] = 1
    w.log_n = 0


@jit
def read_cards(r, g, tally, card_rows, row, game):
    """Fill a row for every focus card that a seat had in its row; return the row after the last."""
    for p in range(g.players):
        for card in range(r.n_cards):
            if tally[p, card, IN_ROW] != 0 or tally[p, card, REPLACED] != 0:
                card_rows[row].game_id = game
                card_rows[row].seat = p
                card_rows[row].code = card
                card_rows[row].taken = tally[p, card, TAKEN]
                card_rows[row].replaced = 0 if tally[p, card, IN_ROW] != 0 else tally[p, card, REPLACED]
                for slot in range(NUMBERS):
                    card_rows[row].resolved[slot] = tally[p, card, RESOLVED + slot]
                row += 1
    return row


@jit
def read_round(r, g, w, round_rows, spoken, counters, row, game):
    """Fill a row for every seat at the end of a round; return the row after the last."""
    for p in range(g.players):
        trade = 0
        for h in range(names.N_TYPES):
            trade += g.trade[p, h]
        claimed = 0
        for place in range(g.victory_count):
            claimed += 1 if g.claimed[p, place] != 0 else 0
        won = int(g.stat_defences_won[p])
        for target in range(names.N_TARGETS):
            won += g.stat_attacks_won[p, target]
        round_rows[row].game_id = game
        round_rows[row].round = g.round_number
        round_rows[row].seat = p
        round_rows[row].cities = g.city_count[p]
        round_rows[row].spaces = g.space_count[p]
        round_rows[row].dial = g.dial[p]
        round_rows[row].wonders = wonder_held(r, g, p, -1)
        round_rows[row].trade = trade
        round_rows[row].agendas = claimed
        round_rows[row].combats_won = won
        for k in range(len(counters)):
            spoken[row, k] = call_column(counters[k], r, g, w, p)
        row += 1
    return row


@jit
def add_place(place_rows, row, game, seat, code):
    """Fill the row of a place that a seat has; return the row after it."""
    place_rows[row].game_id = game
    place_rows[row].seat = seat
    place_rows[row].code = code
    return row + 1


@jit
def side_up(r, g, first):
    """Return the side up of the tile whose spaces begin at `first`, by terrain that only that side has."""
    tile = int(g.tile[first]) - 1
    for i in range(names.TILE_SPACES):
        a, b = r.tile_terrain[tile, 0, i], r.tile_terrain[tile, 1, i]
        if a != b and (g.terrain[first + i] == a or g.terrain[first + i] == b):
            return 0 if g.terrain[first + i] == a else 1
    return 0


@jit
def read_ground(r, g, place_rows, row, game, code):
    """Fill a row for every tile of which a seat has most spaces alone, and for every resource printed on a space it has.

    Return the row after the last. Codes: tiles from `code` on, then resources.
    """
    printed = 0  # bits: seat, resource
    first = 0
    while first < g.n_spaces:
        tile = int(g.tile[first])
        if tile < 1 or tile > names.MAX_TILES:  # of water, or a fort
            first += 1
        else:
            side = side_up(r, g, first)
            spaces = 0  # four bits a seat
            for i in range(names.TILE_SPACES):
                if g.owner[first + i] >= 0:
                    kind = int(r.tile_resource[tile - 1, side, i])
                    spaces += 1 << (4 * int(g.owner[first + i]))
                    printed |= 1 << (int(g.owner[first + i]) * names.N_RESOURCES + kind) if kind >= 0 else 0
            most = holder = 0
            for p in range(g.players):
                mine = spaces >> (4 * p) & 15
                holder = p if mine > most else -1 if mine == most else holder
                most = max(most, mine)
            if most > 0 and holder >= 0:
                row = add_place(place_rows, row, game, holder, code + tile - 1)
            first += names.TILE_SPACES
    for p in range(g.players):
        for kind in range(names.N_RESOURCES):
            if printed >> (p * names.N_RESOURCES + kind) & 1 == 1:
                row = add_place(place_rows, row, game, p, code + names.MAX_TILES + kind)
    return row


@jit
def read_places(r, g, place_rows, row, game):
    """Fill a row for every place that a seat holds, and for the tile it began on; return the row after the last.

    Codes: natural wonders, city-states, tiles begun on, tiles held, resources.
    """
    for i in range(r.n_natural_wonders):
        if g.natural_wonder_owner[i] >= 0:
            row = add_place(place_rows, row, game, g.natural_wonder_owner[i], i)
    for i in range(r.n_city_states):
        if g.city_state_owner[i] >= 0:
            row = add_place(place_rows, row, game, g.city_state_owner[i], r.n_natural_wonders + i)
    tiles = int(r.n_natural_wonders) + int(r.n_city_states)
    for p in range(g.players):
        row = add_place(place_rows, row, game, p, tiles + g.tile[g.capital[p]] - 1)
    return read_ground(r, g, place_rows, row, game, tiles + names.MAX_TILES)


@jit
def play_counted(
    r,
    w,
    bots,
    states,
    library,
    opinions,
    seating,
    game_rows,
    seat_rows,
    wonder_rows,
    agenda_rows,
    card_rows,
    round_rows,
    place_rows,
    spoken,
    counters,
    tally,
    filled,
    seed,
    first_game,
    n,
    players,
    round_cap,
):
    """Play the games like `play_batch`, and count; return for how many there was room, or -1 less the place of a fault.

    Tables without room (`card_rows`, `round_rows`, `place_rows`) are not filled. `counters` are the addresses of the functions
    of the columns of `spoken`, beside `round_rows`. `filled` gets the numbers of rows.
    """
    filled[:] = 0
    wonder_row = 0
    for k in range(n):
        if filled[ROUNDS] + players * round_cap > len(round_rows) > 0:
            return k
        game = first_game + k
        row = k * players
        w.log_on = 0
        open_game(r, w, bots, states, library, opinions, seating, seat_rows, row, game, seed, players, round_cap)
        g = states[0]
        w.log_n = 0
        w.log_on = 1 if len(card_rows) > 0 else 0
        begin_cards(g, tally)
        number = 0
        while w.fault_n == 0 and play_step(r, g, w, bots) != 0:
            read_log(w, tally, number)
            number = int(g.round_number)
            if g.current == g.first and w.fault_n == 0 and len(round_rows) > 0:
                filled[ROUNDS] = read_round(r, g, w, round_rows, spoken, counters, filled[ROUNDS], game)
        read_log(w, tally, number)
        w.log_on = 0
        if w.fault_n != 0:
            return -1 - k
        read_outcome(r, g, game_rows, seat_rows, k, row, game)
        wonder_row = read_wonders(r, g, wonder_rows, wonder_row, game)
        filled[AGENDAS] = read_agendas(r, g, agenda_rows, filled[AGENDAS], game)
        if len(card_rows) > 0:
            filled[CARDS] = read_cards(r, g, tally, card_rows, filled[CARDS], game)
        if len(place_rows) > 0:
            filled[PLACES] = read_places(r, g, place_rows, filled[PLACES], game)
    return n
