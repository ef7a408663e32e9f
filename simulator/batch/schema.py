"""The outcome tables of a run; their columns are declared in `simulator/games/columns.py`.

A run folder holds `manifest.json` and one folder of Parquet files for each table; ``pandas.read_parquet(run /
"seats")`` reads one whole. Names are names, not codes: text columns come as categoricals. What did not happen is null
(NaN in pandas). `game_id` is the game's number within its run; with the run's seed it identifies the game for replay.

A change of meaning, name or type of a column needs a new SCHEMA_VERSION.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from .. import names
from ..games import columns
from ..games.columns import Column

SCHEMA_VERSION = 1
VERSION_KEY = b"newdawn_schema"

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


GAMES = Table("games", "one game", columns.GAMES)
SEATS = Table("seats", "one seat of one game", columns.SEATS)
WONDERS = Table("wonders", "one world wonder of the ruleset in one game", columns.WONDERS)
AGENDAS = Table("agendas", "one claim of a victory card by one seat", columns.AGENDAS)
TABLES = {table.name: table for table in (GAMES, SEATS, WONDERS, AGENDAS)}
TI_TABLES = TABLES | {"seats": Table("seats", SEATS.row, columns.SEATS + columns.EXPANSION)}


def tables_in(box: str) -> dict[str, Table]:
    """Return the tables of runs with the box (names.BOXES) by name."""
    return TI_TABLES if box == names.BOXES[names.TI_BOX] else TABLES


HEADING = """# The tables of a run

A run's folder holds `manifest.json` (the whole ruleset and its digest, the plan, the seed, the versions) and four tables.
With pandas:

```python
import pandas as pd

seats = pd.read_parquet("results/first/seats")
seats.groupby("leader", observed=True)["won"].agg(["mean", "size"])
```

`newdawn replay --run DIR --game GAME_ID` replays any game of a run. `NEWDAWN_WRITE_README=1 pytest tests/test_readme.py` writes
this page.
"""


def as_markdown() -> str:
    """Return the tables of a run as a page of the documentation."""
    parts = [HEADING]
    for table in TABLES.values():
        parts += [f"## `{table.name}`: a row is {table.row}\n", *_described(table.columns), ""]
    return "\n".join(
        [*parts, "## `seats` with Terra Incognita has these columns as well\n", *_described(columns.EXPANSION), ""]
    )


def _described(declared: Sequence[Column]) -> list[str]:
    """Return the lines of a table of columns."""
    return ["| column | type | unit | meaning |\n|---|---|---|---|"] + [
        f"| `{c.name}` | {c.type}{', may be null' if c.optional else ''} | {c.unit} | {c.meaning} |" for c in declared
    ]
