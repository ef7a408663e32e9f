"""The rows a finished game leaves, as the compiled code writes them: codes and counts, no names.

`tables.py` turns them into the columns users see (`simulator/batch/schema.py`). Sentinel -1 means "none".
"""

from __future__ import annotations

import numpy as np

from .. import limits, names

LIBRARY_SIZE = 32  # strategies in one run, counted as often as a pool names them

GAME_ROW = np.dtype(
    [
        ("game_id", "i8"),
        ("decisions", "i4"),
        ("turns", "i4"),
        ("rounds", "i2"),
        ("map_spaces", "i2"),
        ("ending", "i1"),  # names.ENDINGS
        ("first_seat", "i1"),
        ("core_side", "i1"),
        ("winner", "i1", (limits.MAX_PLAYERS,)),
        ("card", "i1", (limits.MAX_IN_PLAY,)),  # victory cards in play, -1 = fewer in play
        ("treated_seat", "i1"),  # of a randomised experiment (engine/treatment.py)
        ("treated", "i1"),  # names.TREATED_*
    ],
    align=True,
)

SEAT_ROW = np.dtype(
    [
        ("game_id", "i8"),
        ("won", "f8"),
        ("seat", "i1"),
        ("order", "i1"),
        ("leader", "i1"),
        ("strategy", "i1"),  # place in the library
        ("agendas", "i1"),
        ("cities", "i1"),
        ("mature_cities", "i1"),
        ("wonders", "i1"),
        ("natural_wonders", "i1"),
        ("city_states", "i1"),
        ("diplomacy_cards", "i1"),
        ("dial", "i1"),
        ("tokens", "i2"),
        ("reinforced_tokens", "i2"),
        ("resources", "i2"),
        ("trade_left", "i2"),
        ("trade_gained", "i2"),
        ("trade_spent", "i2"),
        ("attacks", "i2", (5,)),  # by target, names.TARGETS
        ("attacks_won", "i2", (5,)),
        ("defences", "i2"),
        ("defences_won", "i2"),
        ("arrivals", "i2", (2,)),  # into city-states, into rival cities
        ("cities_built", "i2"),
        ("cities_lost", "i2"),
        ("capitals_beaten", "i2"),
        ("resolved", "i2", (6, 6)),  # cards resolved, by focus type and slot number
        # --- Terra Incognita
        ("figure_attacks", "i2", (3,)),  # on forts, caravans, armies
        ("figure_attacks_won", "i2", (3,)),
        ("districts", "i2", (names.N_DISTRICTS, 2)),  # placed, used
        ("districts_held", "i1"),
        ("armies_out", "i1"),  # on the map at the end
        ("forts", "i1"),  # held at the end
        ("forts_taken", "i2"),
        ("tiles_explored", "i2"),
        ("government", "i1"),  # focus type at the end, -1 = none
        ("governed", "i2", (6,)),  # own turns begun with a government of the focus type
        ("unique_round", "i2"),  # 0 = never
    ],
    align=True,
)

WONDER_ROW = np.dtype(
    [
        ("game_id", "i8"),
        ("round_revealed", "i2"),  # 0 = never
        ("round_built", "i2"),  # 0 = never
        ("wonder", "i1"),
        ("in_deck", "i1"),
        ("builder", "i1"),
        ("owner", "i1"),
        ("captures", "i1"),
    ],
    align=True,
)

AGENDA_ROW = np.dtype(
    [
        ("game_id", "i8"),
        ("round", "i2"),
        ("seat", "i1"),
        ("card", "i1"),
        ("agenda", "i1"),  # names.AGENDAS
    ],
    align=True,
)

# Who sits where: a line-up rotates over the seats, a pool is drawn from for each seat.
SEATING = np.dtype(
    [
        ("leaders_drawn", "i1"),  # 1 = `leaders` is a pool, drawn without replacement
        ("n_leaders", "i2"),
        ("leaders", "i1", (limits.MAX_LEADERS,)),
        ("strategies_drawn", "i1"),  # 1 = `strategies` is a pool, drawn with replacement
        ("n_strategies", "i2"),
        ("strategies", "i1", (LIBRARY_SIZE,)),  # places in the library
    ],
    align=True,
)
