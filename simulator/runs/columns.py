"""The columns of the outcome tables, and the rows of a finished game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .. import names
from ..counters import seat_counters

# --- The columns of the outcome tables
#
# These declarations make the rows that the compiled code fills (below), the Parquet tables and their description in the docs
# (`simulator/runs/run_folder.py`), and the explorer's columns of seats.
#
# A column is read from the field of the row with its name, or from a place in another field. Fields named `stat_…` are the
# counters of the game (`simulator/counters.py`), which the kernel copies into the row of their seat.


@dataclass(frozen=True)
class TableColumn:
    """One column: its name, type (a key of `folder.ARROW_TYPES`), unit and meaning; `optional` ones may be null."""

    name: str
    type: str
    unit: str
    meaning: str
    optional: bool = False
    field: str = ""  # of the row; "": the one of the same name
    at: tuple[int, ...] = ()  # the place in that field
    null: int = -1  # the value that means null, in an optional column
    words: str | tuple[str, ...] = ()  # of a category: its names by code, or a key of the run's names (`folder`)
    derived: bool = False  # not in the row: computed when the table is written (`folder`)
    shown: bool = False  # by the explorer, of what seats have at the end


CARD_TYPES = names.FOCUS_TYPES[:5]
SLOTS = (1, 2, 3, 4, 5)
POINTS = "points"
ARRIVALS = ("city_state", "city")
DISTRICT_NAMES = tuple(name.lower().replace(" ", "_") for name in names.DISTRICTS)
GOVERNMENT_NAMES = tuple(name.lower() for name in names.GOVERNMENTS)
PHRASE = {
    "barbarian": "barbarians",
    "city_state": "city-states",
    "token": "rival control tokens",
    "city": "rival cities",
    "capital": "rival capitals",
    "fort": "forts that nobody controls",
    "caravan": "rival caravans",
    "army": "rival armies",
}


def card_column(kind: str, slot: int) -> str:
    """Return the name of the column that counts resolved cards of a focus type in a slot."""
    return f"{kind}_slot{slot}"


def _fights(targets: tuple[str, ...]) -> tuple[TableColumn, ...]:
    """Return the attacks on each of the targets, made and won."""
    kinds = (("attacks", "attacks made on"), ("attacks_won", "attacks won against"))
    return tuple(
        TableColumn(
            f"{name}_{target}", "int16", "attacks", f"{phrase} {PHRASE[target]}",
            field=f"stat_{name}", at=(names.TARGETS.index(target),),
        )
        for name, phrase in kinds
        for target in targets
    )  # fmt: skip


def _resolved(kinds: tuple[str, ...]) -> tuple[TableColumn, ...]:
    """Return the cards resolved of each focus type in each slot."""
    return tuple(
        TableColumn(
            card_column(kind, slot), "int16", "cards", f"{kind} cards resolved with slot number {slot}",
            field="stat_resolved", at=(names.FOCUS_TYPES.index(kind), slot),
        )
        for kind in kinds
        for slot in SLOTS
    )  # fmt: skip


GAME_ID = TableColumn("game_id", "int64", "number", "number of the game within the run, from 0")
SEAT = TableColumn("seat", "int8", "seat", "seat at the table, from 0, clockwise")

GAMES = (
    GAME_ID,
    TableColumn("seed", "int64", "number", "seed of the run", derived=True),
    TableColumn("players", "int8", "players", "number of players", derived=True),
    TableColumn("rounds", "int16", "rounds", "round in which the game ended"),
    TableColumn("turns", "int32", "turns", "turns begun"),
    TableColumn(
        "ending", "category", "", "'victory', also at a round limit of the rules; 'round_cap' for one left unfinished",
        words=names.ENDINGS,
    ),
    TableColumn(
        "winner_seats", "category", "", "seats that won, such as '2', or '0+3' for a shared win", optional=True, derived=True,
    ),
    TableColumn("n_winners", "int8", "seats", "number of winners: 0 unfinished, 2 or more for a shared win", derived=True),
    TableColumn("first_seat", "int8", "seat", "seat of the first player"),
    TableColumn("core_side", "category", "", "side of the core's map tiles: 'A' or 'B'", words=("A", "B")),
    TableColumn("map_spaces", "int16", "spaces", "size of the map"),
    TableColumn("decisions", "int32", "decisions", "choices with two or more options put to the strategies"),
    *(
        TableColumn(
            f"card_{i + 1}", "category", "", "victory card in play, named by its two agendas", optional=True,
            field="card", at=(i,), words="card",
        )
        for i in range(names.MAX_IN_PLAY)
    ),
)  # fmt: skip

SEATS = (
    GAME_ID,
    SEAT,
    TableColumn("leader", "category", "", "leader", words="leader"),
    TableColumn("strategy", "category", "", "strategy that played the seat", words="strategy"),
    TableColumn("order", "int8", "place", "place in the turn order: 1 = first player"),
    TableColumn("won", "float64", "share", "share of the win: 1, 1/k for a win shared by k seats, else 0"),
    TableColumn("agendas", "int8", "cards", "victory cards claimed"),
    TableColumn(
        POINTS,
        "int32",
        "points",
        "own victory points at the end by a house rule on `scores`, else 0",
        shown=True,
    ),
    TableColumn("cities", "int8", "cities", "cities at the end, capital included", shown=True),
    TableColumn("mature_cities", "int8", "cities", "mature cities at the end", shown=True),
    TableColumn("tokens", "int16", "tokens", "control tokens on the map at the end, reinforced ones included", shown=True),
    TableColumn("reinforced_tokens", "int16", "tokens", "reinforced control tokens on the map at the end"),
    TableColumn("wonders", "int8", "wonders", "world wonders controlled at the end", shown=True),
    TableColumn("natural_wonders", "int8", "wonders", "natural wonders held at the end", shown=True),
    TableColumn("city_states", "int8", "city-states", "conquered city-states held at the end", shown=True),
    TableColumn("diplomacy_cards", "int8", "cards", "diplomacy cards held at the end, of players and city-states", shown=True),
    TableColumn("resources", "int16", "tokens", "resource tokens left at the end"),
    TableColumn("dial", "int8", "space", "space of the technology dial at the end", shown=True),
    TableColumn("trade_left", "int16", "tokens", "trade tokens on the focus cards at the end"),
    TableColumn("trade_gained", "int16", "tokens", "trade tokens gained in the game", field="stat_trade_gained", shown=True),
    TableColumn("trade_spent", "int16", "tokens", "trade tokens spent in the game", field="stat_trade_spent"),
    *_fights(names.TARGETS[:5]),
    TableColumn("defences", "int16", "attacks", "attacks suffered", field="stat_defences"),
    TableColumn("defences_won", "int16", "attacks", "of these, attacks beaten off", field="stat_defences_won"),
    TableColumn("capitals_beaten", "int16", "attacks", "attacks won against rival capitals, as agendas count them", shown=True),
    *(
        TableColumn(
            f"arrivals_{a}", "int16", "caravans", f"caravans that arrived in {PHRASE[a]}", field="stat_arrivals", at=(i,)
        )
        for i, a in enumerate(ARRIVALS)
    ),
    TableColumn("cities_built", "int16", "cities", "cities built in the game, without the capital", field="stat_cities_built"),
    TableColumn("cities_lost", "int16", "cities", "cities lost in the game", field="stat_cities_lost", shown=True),
    *_resolved(CARD_TYPES),
)

# More columns of SEATS in Terra Incognita.
EXPANSION = (
    *_fights(names.TARGETS[5:]),
    TableColumn("armies_out", "int8", "armies", "armies on the map at the end", shown=True),
    TableColumn("forts", "int8", "forts", "forts held at the end", shown=True),
    TableColumn("forts_taken", "int16", "forts", "times the seat put a city on a fort", field="stat_forts"),
    TableColumn("tiles_explored", "int16", "tiles", "tiles found by own caravans, armies and effects", field="stat_tiles"),
    TableColumn("districts", "int8", "districts", "districts on the map at the end", shown=True),
    *(
        TableColumn(
            f"{verb}_{district}",
            "int16",
            "times",
            f"times {article} {district.replace('_', ' ')} was {done}",
            field="stat_districts",
            at=(i, what),
        )
        for what, (verb, article, done) in enumerate((("placed", "a", "placed"), ("used", "the", "used to effect")))
        for i, district in enumerate(DISTRICT_NAMES)
    ),
    TableColumn("government", "category", "", "government at the end", optional=True, words=names.GOVERNMENTS),
    *(
        TableColumn(f"turns_{g}", "int16", "turns", f"own turns begun with {g.title()}", field="stat_government", at=(i,))
        for i, g in enumerate(GOVERNMENT_NAMES)
    ),
    TableColumn(
        "unique_card_round", "int16", "round", "round in which the unique card was taken, 1: at once", optional=True, null=0
    ),
    *_resolved((names.FOCUS_TYPES[names.GROWTH],)),
)

WONDERS = (
    GAME_ID,
    TableColumn("wonder", "category", "", "world wonder", words="wonder"),
    TableColumn("type", "category", "", "focus type of its deck", derived=True),
    TableColumn("era", "category", "", "era", derived=True),
    TableColumn("in_deck", "bool", "", "whether the wonder was in a deck of this game"),
    TableColumn(
        "round_revealed", "int16", "round", "round in which it was turned up (1 = from the start)", optional=True, null=0
    ),
    TableColumn("round_built", "int16", "round", "round in which it was built", optional=True, null=0),
    TableColumn("builder", "int8", "seat", "seat that built it", optional=True),
    TableColumn("owner", "int8", "seat", "seat that controlled it at the end", optional=True),
    TableColumn("captures", "int8", "times", "times it changed hands after it was built; 127: 127 or more"),
)

AGENDAS = (
    GAME_ID,
    SEAT,
    TableColumn("agenda", "category", "", "agenda that was satisfied", words="agenda"),
    TableColumn("card", "category", "", "victory card, named by its two agendas", words="card"),
    TableColumn("round", "int16", "round", "round of the claim"),
)

# Optional tables (`runs/optional_tables.py`).

FOCUS_CARDS = (
    GAME_ID,
    SEAT,
    TableColumn("card", "category", "", "focus card", derived=True),
    TableColumn("taken", "int16", "round", "round in which it was first taken; null: there from the start",
                optional=True, null=0),
    TableColumn("replaced", "int16", "round", "round in which another card took its place; null: in the row at the end",
                optional=True, null=0),
    *(TableColumn(f"slot_{slot}", "int16", "times", f"times resolved with slot number {slot}", field="resolved", at=(slot,))
      for slot in SLOTS),
)  # fmt: skip

ROUNDS = (
    GAME_ID,
    TableColumn("round", "int16", "round", "round, after the turns of all seats and before the event dial turns"),
    SEAT,
    TableColumn("cities", "int8", "cities", "cities, capital included"),
    TableColumn("spaces", "int16", "spaces", "friendly spaces"),
    TableColumn("dial", "int8", "space", "space of the technology dial"),
    TableColumn("wonders", "int8", "wonders", "world wonders controlled"),
    TableColumn("trade", "int16", "tokens", "trade tokens on the focus cards"),
    TableColumn("agendas", "int8", "cards", "victory cards claimed"),
    TableColumn("combats_won", "int16", "combats", "attacks won or beaten off so far"),
    TableColumn("chance", "float64", "share", "the seat's chance to win by its own value network; null: it has none",
                optional=True, derived=True),
)  # fmt: skip

PLACES = (
    GAME_ID,
    SEAT,
    TableColumn("place", "category", "", "held at the end: natural wonder or city-state, tile (more of its spaces than any "
                "other seat), resource (one of the spaces with it); or 'start on tile 5', of the capital", derived=True),
)  # fmt: skip

FOCUS_CARDS_TABLE, ROUNDS_TABLE, PLACES_TABLE = OPTIONAL = ("focus_cards", "rounds", "places")
START, TILE = "start on tile {}", "tile {}"  # places


# --- The rows of a finished game, as the compiled code writes them: codes and counts, no names
#
# They follow from the columns above, a seat's row also from the counters of the game's record; `simulator/runs/run_folder.py`
# turns them into the columns users see. -1 means "none", for rounds 0 means "never".

LIBRARY_SIZE = 32  # strategies of a run, each as often as a pool names it
KINDS = {"bool": "i1", "category": "i1", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "float64": "f8"}

_COUNTED = seat_counters()
COUNTERS = tuple(name for name, (_, shape) in _COUNTED.items() if not shape)
COUNTER_ARRAYS = tuple(name for name, (_, shape) in _COUNTED.items() if shape)


def _row(declared: Iterable[TableColumn], *more: tuple[str, str, tuple[int, ...]]) -> np.dtype:
    """Return the dtype of a table's rows: fields of the columns that are not derived, then `more`."""
    fields: dict[str, tuple[str, tuple[int, ...]]] = {name: (kind, shape) for name, kind, shape in more}
    for column in declared:
        name = column.field or column.name
        if not column.derived and name not in _COUNTED:
            before = fields[name][1] if name in fields else column.at
            shape = tuple(max(size, place + 1) for size, place in zip(before, column.at, strict=True))
            fields[name] = (KINDS[column.type], shape)
    widest = sorted(fields.items(), key=lambda field: -np.dtype(field[1][0]).itemsize)
    return np.dtype([(name, *field) for name, field in widest], align=True)


GAME_ROW = _row(
    GAMES,
    ("winner", "i1", (names.MAX_PLAYERS,)),
    ("treated_seat", "i1", ()),  # of a randomised experiment (engine/treatment.py)
    ("treated", "i1", ()),  # names.TREATED_*
)
SEAT_ROW = _row((*SEATS, *EXPANSION), *((name, *field) for name, field in _COUNTED.items()))
WONDER_ROW, AGENDA_ROW = _row(WONDERS), _row(AGENDAS)
FOCUS_CARD_ROW, ROUND_ROW, PLACE_ROW = _row(FOCUS_CARDS, ("code", "i1", ())), _row(ROUNDS), _row(PLACES, ("code", "i2", ()))

# Who sits where: a line-up rotates over the seats, a pool is drawn from for each seat.
SEATING = np.dtype(
    [
        ("leaders_drawn", "i1"),  # 1 = `leaders` is a pool, drawn without replacement
        ("n_leaders", "i2"),
        ("leaders", "i1", (names.MAX_LEADERS,)),
        ("strategies_drawn", "i1"),  # 1 = `strategies` is a pool, drawn with replacement
        ("n_strategies", "i2"),
        ("strategies", "i1", (LIBRARY_SIZE,)),  # places in the library
    ],
    align=True,
)
