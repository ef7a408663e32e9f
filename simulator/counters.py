"""What the game counts for the outcome tables: fields of its record (`engine/state.py`), columns of a run (`runs/columns.py`).

They are declared here, beside both, because who reads a run needs the columns and not the engine. Start with `FIELDS`.
"""

from __future__ import annotations

from . import names

# Name, type and shape, as NumPy takes them. A field `stat_…` with one entry a seat is copied into the seat's row.
FIELDS: tuple[tuple[str, str] | tuple[str, str, tuple[int, ...]], ...] = (
    ("stat_resolved", "i2", (names.MAX_PLAYERS, names.N_TYPES, 6)),  # cards resolved by type and slot number
    ("stat_trade_gained", "i2", (names.MAX_PLAYERS,)),
    ("stat_trade_spent", "i2", (names.MAX_PLAYERS,)),
    ("stat_attacks", "i2", (names.MAX_PLAYERS, names.N_TARGETS)),  # by target, TARGET_*
    ("stat_attacks_won", "i2", (names.MAX_PLAYERS, names.N_TARGETS)),
    ("stat_defences", "i2", (names.MAX_PLAYERS,)),  # attacks suffered
    ("stat_defences_won", "i2", (names.MAX_PLAYERS,)),
    ("stat_arrivals", "i2", (names.MAX_PLAYERS, 2)),  # caravans into city-states, into rival cities
    ("stat_cities_built", "i2", (names.MAX_PLAYERS,)),
    ("stat_cities_lost", "i2", (names.MAX_PLAYERS,)),
    ("stat_districts", "i2", (names.MAX_PLAYERS, names.N_DISTRICTS, 2)),  # placed, used
    ("stat_forts", "i2", (names.MAX_PLAYERS,)),  # cities put on forts
    ("stat_tiles", "i2", (names.MAX_PLAYERS,)),  # tiles laid by exploring
    ("stat_government", "i2", (names.MAX_PLAYERS, names.N_TYPES)),  # own turns begun with a government of the type
    ("unique_round", "i2", (names.MAX_PLAYERS,)),  # round in which the unique card was first taken, 0 = never
    ("stat_decisions", "i4"),
    ("wonder_round_revealed", "i2", (names.MAX_WONDERS,)),  # 0 = never turned up
    ("wonder_round_built", "i2", (names.MAX_WONDERS,)),  # 0 = never built
    ("wonder_builder", "i1", (names.MAX_WONDERS,)),
    ("wonder_captures", "i1", (names.MAX_WONDERS,)),  # times it changed hands after being built
)


def seat_counters() -> dict[str, tuple[str, tuple[int, ...]]]:
    """Return the counters of each seat: type, and shape without the seats, by name."""
    return {name: (kind, shape[0][1:]) for name, kind, *shape in FIELDS if name.startswith("stat_") and shape}
