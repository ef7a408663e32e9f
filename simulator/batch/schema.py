"""The outcome tables of a run: every column with its type, unit and meaning.

A run folder holds `manifest.json` and one folder of Parquet files for each table; ``pandas.read_parquet(run /
"seats")`` reads one whole. Names are names, not codes: text columns come as categoricals. What did not happen is null
(NaN in pandas). `game_id` is the game's number within its run; with the run's seed it identifies the game for replay.

A change of meaning, name or type of a column needs a new SCHEMA_VERSION.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from .. import limits, names

SCHEMA_VERSION = 1
VERSION_KEY = b"newdawn_schema"

TARGETS = ("barbarian", "city_state", "token", "city", "capital")
ARRIVALS = ("city_state", "city")
PHRASE = {
    "barbarian": "barbarians",
    "city_state": "city-states",
    "token": "rival control tokens",
    "city": "rival cities",
    "capital": "rival capitals",
}
SLOTS = (1, 2, 3, 4, 5)
CARD_TYPES = names.FOCUS_TYPES[:5]

ARROW_TYPES = {
    "bool": pa.bool_(),
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "category": pa.dictionary(pa.int8(), pa.string()),
}


@dataclass(frozen=True)
class Column:
    """One column: `type` is a key of ARROW_TYPES; `optional` columns may be null."""

    name: str
    type: str
    unit: str
    meaning: str
    optional: bool = False


@dataclass(frozen=True)
class Table:
    """One table: what a row is, and its columns in order."""

    name: str
    row: str
    columns: tuple[Column, ...]

    def arrow_schema(self) -> pa.Schema:
        """Return the Arrow schema the table is written with; it carries the schema version."""
        fields = [pa.field(c.name, ARROW_TYPES[c.type], nullable=c.optional) for c in self.columns]
        return pa.schema(fields, metadata={VERSION_KEY: str(SCHEMA_VERSION).encode()})

    def names(self) -> list[str]:
        """Return the column names."""
        return [column.name for column in self.columns]


def card_column(kind: str, slot: int) -> str:
    """Return the name of the column that counts resolved cards of a focus type in a slot."""
    return f"{kind}_slot{slot}"


GAME_ID = Column("game_id", "int64", "number", "number of the game within the run, from 0")
SEAT = Column("seat", "int8", "seat", "seat at the table, from 0, clockwise")

GAMES = Table(
    "games",
    "one game",
    (
        GAME_ID,
        Column("seed", "int64", "number", "seed of the run"),
        Column("players", "int8", "players", "number of players"),
        Column("rounds", "int16", "rounds", "round in which the game ended"),
        Column("turns", "int32", "turns", "turns begun"),
        Column("ending", "category", "", "'victory', also at a round limit of the rules; 'round_cap' for one left unfinished"),
        Column("winner_seats", "category", "", "seats that won, such as '2', or '0+3' for a shared win", optional=True),
        Column("n_winners", "int8", "seats", "number of winners: 0 unfinished, 2 or more for a shared win"),
        Column("first_seat", "int8", "seat", "seat of the first player"),
        Column("core_side", "category", "", "side of the core's map tiles: 'A' or 'B'"),
        Column("map_spaces", "int16", "spaces", "size of the map"),
        Column("decisions", "int32", "decisions", "choices with two or more options put to the strategies"),
        *(
            Column(f"card_{i + 1}", "category", "", "victory card in play, named by its two agendas", optional=True)
            for i in range(limits.MAX_IN_PLAY)
        ),
    ),
)

SEATS = Table(
    "seats",
    "one seat of one game",
    (
        GAME_ID,
        SEAT,
        Column("leader", "category", "", "leader"),
        Column("strategy", "category", "", "strategy that played the seat"),
        Column("order", "int8", "place", "place in the turn order: 1 = first player"),
        Column("won", "float64", "share", "share of the win: 1, 1/k for a win shared by k seats, else 0"),
        Column("agendas", "int8", "cards", "victory cards claimed"),
        Column("cities", "int8", "cities", "cities at the end, capital included"),
        Column("mature_cities", "int8", "cities", "mature cities at the end"),
        Column("tokens", "int16", "tokens", "control tokens on the map at the end, reinforced ones included"),
        Column("reinforced_tokens", "int16", "tokens", "reinforced control tokens on the map at the end"),
        Column("wonders", "int8", "wonders", "world wonders controlled at the end"),
        Column("natural_wonders", "int8", "wonders", "natural wonders held at the end"),
        Column("city_states", "int8", "city-states", "conquered city-states held at the end"),
        Column("diplomacy_cards", "int8", "cards", "diplomacy cards held at the end, of players and city-states"),
        Column("resources", "int16", "tokens", "resource tokens left at the end"),
        Column("dial", "int8", "space", "space of the technology dial at the end"),
        Column("trade_left", "int16", "tokens", "trade tokens on the focus cards at the end"),
        Column("trade_gained", "int16", "tokens", "trade tokens gained in the game"),
        Column("trade_spent", "int16", "tokens", "trade tokens spent in the game"),
        *(Column(f"attacks_{t}", "int16", "attacks", f"attacks made on {PHRASE[t]}") for t in TARGETS),
        *(Column(f"attacks_won_{t}", "int16", "attacks", f"attacks won against {PHRASE[t]}") for t in TARGETS),
        Column("defences", "int16", "attacks", "attacks suffered"),
        Column("defences_won", "int16", "attacks", "of these, attacks beaten off"),
        Column("capitals_beaten", "int16", "attacks", "attacks won against rival capitals, as agendas count them"),
        *(Column(f"arrivals_{a}", "int16", "caravans", f"caravans that arrived in {PHRASE[a]}") for a in ARRIVALS),
        Column("cities_built", "int16", "cities", "cities built in the game, without the capital"),
        Column("cities_lost", "int16", "cities", "cities lost in the game"),
        *(
            Column(card_column(kind, slot), "int16", "cards", f"{kind} cards resolved with slot number {slot}")
            for kind in CARD_TYPES
            for slot in SLOTS
        ),
    ),
)

FIGURES = {"fort": "forts that nobody controls", "caravan": "rival caravans", "army": "rival armies"}
DISTRICT_NAMES = tuple(name.lower().replace(" ", "_") for name in names.DISTRICTS)
GOVERNMENT_NAMES = tuple(name.lower() for name in names.GOVERNMENTS)

# What a seat has beside that in Terra Incognita.
EXPANSION_COLUMNS = (
    *(Column(f"attacks_{f}", "int16", "attacks", f"attacks made on {words}") for f, words in FIGURES.items()),
    *(Column(f"attacks_won_{f}", "int16", "attacks", f"attacks won against {words}") for f, words in FIGURES.items()),
    Column("armies_out", "int8", "armies", "armies on the map at the end"),
    Column("forts", "int8", "forts", "forts held at the end"),
    Column("forts_taken", "int16", "forts", "times the seat put a city on a fort"),
    Column("tiles_explored", "int16", "tiles", "tiles found by own caravans, armies and effects"),
    Column("districts", "int8", "districts", "districts on the map at the end"),
    *(Column(f"placed_{d}", "int16", "times", f"times a {d.replace('_', ' ')} was placed") for d in DISTRICT_NAMES),
    *(Column(f"used_{d}", "int16", "times", f"times the {d.replace('_', ' ')} was used to effect") for d in DISTRICT_NAMES),
    Column("government", "category", "", "government at the end", optional=True),
    *(Column(f"turns_{g}", "int16", "turns", f"own turns begun with {g.title()}") for g in GOVERNMENT_NAMES),
    Column("unique_card_round", "int16", "round", "round in which the unique card was taken, 1: at once", optional=True),
    *(
        Column(card_column("growth", slot), "int16", "cards", f"growth cards resolved with slot number {slot}")
        for slot in SLOTS
    ),
)

WONDERS = Table(
    "wonders",
    "one world wonder of the ruleset in one game",
    (
        GAME_ID,
        Column("wonder", "category", "", "world wonder"),
        Column("type", "category", "", "focus type of its deck"),
        Column("era", "category", "", "era"),
        Column("in_deck", "bool", "", "whether the wonder was in a deck of this game"),
        Column("round_revealed", "int16", "round", "round in which it was turned up (1 = from the start)", optional=True),
        Column("round_built", "int16", "round", "round in which it was built", optional=True),
        Column("builder", "int8", "seat", "seat that built it", optional=True),
        Column("owner", "int8", "seat", "seat that controlled it at the end", optional=True),
        Column("captures", "int8", "times", "times it changed hands after it was built; 127: 127 or more"),
    ),
)

AGENDAS = Table(
    "agendas",
    "one claim of a victory card by one seat",
    (
        GAME_ID,
        SEAT,
        Column("agenda", "category", "", "agenda that was satisfied"),
        Column("card", "category", "", "victory card, named by its two agendas"),
        Column("round", "int16", "round", "round of the claim"),
    ),
)

TABLES = {table.name: table for table in (GAMES, SEATS, WONDERS, AGENDAS)}
TI_TABLES = TABLES | {"seats": Table("seats", SEATS.row, SEATS.columns + EXPANSION_COLUMNS)}


def tables_in(box: str) -> dict[str, Table]:
    """Return the tables of runs with the box (names.BOXES) by name."""
    return TI_TABLES if box == names.BOXES[names.TI_BOX] else TABLES


def as_markdown() -> str:
    """Return the tables as Markdown, for the README."""
    parts = []
    for table in TABLES.values():
        parts.append(f"### `{table.name}`: a row is {table.row}\n\n| column | type | unit | meaning |\n|---|---|---|---|")
        parts += [
            f"| `{c.name}` | {c.type}{', may be null' if c.optional else ''} | {c.unit} | {c.meaning} |" for c in table.columns
        ]
        parts.append("")
    parts.append("With Terra Incognita `seats` has these columns as well:\n")
    parts.append("| column | type | unit | meaning |\n|---|---|---|---|")
    parts += [
        f"| `{c.name}` | {c.type}{', may be null' if c.optional else ''} | {c.unit} | {c.meaning} |" for c in EXPANSION_COLUMNS
    ]
    parts.append("")
    return "\n".join(parts)
