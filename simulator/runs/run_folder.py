"""A run on disk: places (folders and object stores), the schema of the tables, shards, checksums."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .. import file_ownership, names
from ..errors import DamagedTable, UserError, install
from ..reading import parquet_of, plainly
from ..rules.ruleset_contents import written
from . import columns
from .columns import TableColumn

# --- Where a run lies: in a folder of this machine, or at an address that fsspec knows, like s3://bucket/run
#
# A folder is a `pathlib.Path`. An `Address` has the methods of it that runs need. An object at an address appears whole or
# not at all; it cannot be renamed or locked.

SIGN = "://"
LOCAL = ("file://", "local://")
AT_ONCE = 16  # requests to an object store, each of which is slow
DRIVERS = {"s3": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs", "abfss": "adlfs"}  # packages
EXAMPLES = "s3://bucket/run, gs://… or az://…"


T = TypeVar("T")
U = TypeVar("U")


@contextmanager
def _plainly(address: str) -> Iterator[None]:
    """Turn any error of a driver into an OSError that names the address."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:  # each driver has errors of its own
        message = " ".join(str(error).split()) or type(error).__name__
        kind = error.errno if isinstance(error, OSError) and error.errno else errno.EIO
        raise OSError(errno.ENOENT if isinstance(error, FileNotFoundError) else kind, message, address) from error


@dataclass(frozen=True)
class Address:
    """An object at an address, or a common prefix of several: a folder."""

    address: str

    def __str__(self) -> str:
        return self.address

    def __truediv__(self, name: str) -> Address:
        return Address(f"{self.address}/{name}")

    @property
    def name(self) -> str:
        """What comes after the last slash."""
        return self.address.rpartition("/")[2]

    @property
    def parent(self) -> Address:
        """What comes before it."""
        return Address(self.address.rpartition("/")[0])

    def resolve(self) -> Address:
        """Return the address: it means the same everywhere."""
        return self

    def is_file(self) -> bool:
        """Say whether there is an object."""
        with _plainly(self.address):
            files, path = self._opened()
            with suppress(FileNotFoundError):
                return bool(files.info(path)["type"] == "file")
            return False

    def names(self) -> list[str]:
        """Return the names of the objects and folders directly below."""
        with _plainly(self.address):
            files, path = self._opened()
            with suppress(FileNotFoundError):
                paths = [name.strip("/") for name in files.ls(path, detail=False)]
                return sorted(name.rpartition("/")[2] for name in paths if name != path.strip("/"))
            return []

    def read_bytes(self) -> bytes:
        """Return the object."""
        with _plainly(self.address):
            files, path = self._opened()
            return bytes(files.cat_file(path))

    def read_text(self, encoding: str) -> str:
        """Return the object as text."""
        return self.read_bytes().decode(encoding)

    def write_bytes(self, content: bytes) -> None:
        """Put an object there, whole or not at all."""
        with _plainly(self.address):
            files, path = self._opened()
            files.pipe_file(path, content)

    def unlink(self, missing_ok: bool = False) -> None:
        """Remove the object."""
        with _plainly(self.address):
            files, path = self._opened()
            with suppress(*([FileNotFoundError] if missing_ok else [])):
                files.rm_file(path)

    def _opened(self) -> tuple[Any, str]:
        """Return the driver, with an empty cache because others write there, and the path in its form."""
        from fsspec.core import url_to_fs

        files, path = url_to_fs(self.address)
        files.invalidate_cache()
        return files, path


Place = Path | Address


def place(text: str | Path | Address) -> Place:
    """Return the folder or address that a text means; raise UserError if there is no driver for it."""
    if not isinstance(text, str):
        return text
    start = next((start for start in LOCAL if text.startswith(start)), None)
    if start is not None:
        return Path(text.removeprefix(start))
    kind, sign, rest = text.partition(SIGN)
    if not sign:
        return Path(text)
    if not rest.strip("/"):
        raise UserError(f"{text}: not a place; expected a folder, or an address such as {EXAMPLES}")
    import fsspec

    try:
        fsspec.get_filesystem_class(kind)
    except ImportError:
        hint = (
            f"install it with: {install(DRIVERS[kind])}"
            if kind in DRIVERS
            else "https://filesystem-spec.readthedocs.io lists them"
        )
        raise UserError(f"{text}: the driver for {kind}:// is not installed; {hint}") from None
    except ValueError:
        raise UserError(f"{text}: no driver for {kind}://; expected a folder, or an address such as {EXAMPLES}") from None
    return Address(text.rstrip("/"))


def names_in(folder: Place) -> list[str]:
    """Return the sorted names in a folder; none if there is no such folder. May raise OSError."""
    if isinstance(folder, Address):
        return folder.names()
    with suppress(FileNotFoundError, NotADirectoryError):
        return sorted(os.listdir(folder))
    return []


def each(where: Place, function: Callable[[T], U], items: Iterable[T]) -> Iterator[U]:
    """Yield the function's results for the items, in order; where it reads at an address, in several threads."""
    if isinstance(where, Address):
        threads = ThreadPoolExecutor(AT_ONCE)
        try:
            yield from threads.map(function, items)
        finally:
            threads.shutdown(cancel_futures=True)
    else:
        yield from map(function, items)


def write_whole(path: Place, content: bytes) -> None:
    """Write a file, whole or not at all. May raise OSError."""
    if isinstance(path, Address):
        path.write_bytes(content)
    else:
        file_ownership.write_whole(path, content)


# --- The outcome tables of a run; `simulator/runs/columns.py` declares their columns
#
# A run folder holds `manifest.json` and one folder of Parquet files for each table; ``pandas.read_parquet(run / "seats")``
# reads one whole. Names are names, not codes: text columns come as categoricals. Null (NaN in pandas) is what did not happen.
# `game_id` is the game's number within its run; with the run's seed it identifies the game for replay.
#
# A change of meaning, name or type of a column needs a new SCHEMA_VERSION.

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
class TableSchema:
    """One table: what a row is, and its columns in order."""

    name: str
    row: str
    columns: tuple[TableColumn, ...]

    def arrow_schema(self) -> pa.Schema:
        """Return the Arrow schema the table is written with; it carries the schema version."""
        fields = [pa.field(c.name, ARROW_TYPES[c.type], nullable=c.optional) for c in self.columns]
        return pa.schema(fields, metadata={VERSION_KEY: str(SCHEMA_VERSION).encode()})

    def names(self) -> list[str]:
        """Return the column names."""
        return [column.name for column in self.columns]


GAMES = TableSchema("games", "one game", columns.GAMES)
SEATS = TableSchema("seats", "one seat of one game", columns.SEATS)
WONDERS = TableSchema("wonders", "one world wonder of the ruleset in one game", columns.WONDERS)
AGENDAS = TableSchema("agendas", "one claim of a victory card by one seat", columns.AGENDAS)
TABLES = {table.name: table for table in (GAMES, SEATS, WONDERS, AGENDAS)}
TI_TABLES = TABLES | {"seats": TableSchema("seats", SEATS.row, columns.SEATS + columns.EXPANSION)}
FOCUS_CARDS = TableSchema(
    columns.FOCUS_CARDS_TABLE, "one focus card that a seat of one game had in its row", columns.FOCUS_CARDS
)
ROUNDS = TableSchema(columns.ROUNDS_TABLE, "one seat at the end of one round of a game", columns.ROUNDS)
PLACES = TableSchema(columns.PLACES_TABLE, "one place that a seat of one game had at the end, or began on", columns.PLACES)
OPTIONAL = {table.name: table for table in (FOCUS_CARDS, ROUNDS, PLACES)}  # only in runs that ask for them
assert tuple(OPTIONAL) == columns.OPTIONAL
OPTIONS = dict(zip(OPTIONAL, ("--focus-cards", "--rounds", "--places"), strict=True))  # of `newdawn run`


def tables_in(box: str, optional: Iterable[str] = (), own: Iterable[str] = ()) -> dict[str, TableSchema]:
    """Return the tables of runs of a box by name, the `optional` ones too, `rounds` with the user's `own` columns."""
    extra = {name: OPTIONAL[name] for name in optional}
    if columns.ROUNDS_TABLE in extra:
        extra[columns.ROUNDS_TABLE] = replace(ROUNDS, columns=(*columns.ROUNDS, *map(own_column, own)))
    return (TI_TABLES if box == names.BOXES[names.TI_BOX] else TABLES) | extra


def own_column(name: str) -> TableColumn:
    """Return the column of `rounds` that a user's function fills."""
    return TableColumn(name, "float64", "", "what the user's function said; null: not a number", optional=True, derived=True)


HEADING = """# The tables of a run

A run's folder holds `manifest.json` (the whole ruleset and its digest, the plan, the seed, the versions) and four tables; three
more if it is asked for them. With pandas:

```python
import pandas as pd

seats = pd.read_parquet("results/first/seats")
seats.groupby("leader", observed=True)["won"].agg(["mean", "size"])
```

`newdawn replay --run DIR --game GAME_ID` replays any game of a run. `NEWDAWN_WRITE_README=1 pytest tests/test_readme.py` writes
this page.
"""

OWN_COLUMNS = """`rounds` has a column for each `--column FILE.py:FUNCTION`, the number that it says of the seat:

```python
from newdawn.strategies import column


@column
def tokens_left(r, g, w, seat):
    return g.tokens_left[seat]
```
"""


def as_markdown() -> str:
    """Return the tables of a run as a page of the documentation."""
    parts = [HEADING]
    for table in TABLES.values():
        parts += [f"## `{table.name}`: a row is {table.row}\n", *_described(table.columns), ""]
    parts += ["## `seats` with Terra Incognita has these columns as well\n", *_described(columns.EXPANSION), ""]
    for table in OPTIONAL.values():
        parts += [
            f"## `{table.name}` (`newdawn run {OPTIONS[table.name]}`): a row is {table.row}\n",
            *_described(table.columns),
            "",
        ]
    return "\n".join([*parts, OWN_COLUMNS])


def _described(declared: Sequence[TableColumn]) -> list[str]:
    """Return the lines of a table of columns."""
    return ["| column | type | unit | meaning |\n|---|---|---|---|"] + [
        f"| `{c.name}` | {c.type}{', may be null' if c.optional else ''} | {c.unit} | {c.meaning} |" for c in declared
    ]


# --- From the kernel's rows to Parquet files
#
# Codes become names, -1 and 0 for "never" become null. The bytes of a file depend on its rows only, not on time or path.

COMPRESSION_LEVEL = 12
CHANCE_DIGITS = 3  # of a chance to win

LABEL_KEY = b"newdawn_run"  # in a file: which games of which run it holds (manifest.Contents.label)

Columns = dict[str, Any]  # column name: Arrow or NumPy array


def victory_card_names(r: np.record) -> list[str]:
    """Return the names of the victory cards by code: their two agendas, or the one of a fort card."""
    titles = written(r, "agenda")
    agendas_of_cards = [dict.fromkeys(titles[code] for code in r.agenda_name[card]) for card in range(r.n_victory_cards)]
    return [" / ".join(agendas) for agendas in agendas_of_cards]


def _arrow(values: np.ndarray, null: np.ndarray | None = None) -> pa.Array:
    """Return a column of numbers or truth values, without those that `null` marks.

    Made from buffers: `pyarrow.array` would load pandas, 45 MB, into every worker.
    """
    values = np.ascontiguousarray(values)
    valid = None if null is None or not null.any() else pa.py_buffer(np.packbits(~null, bitorder="little"))
    if values.dtype == bool:
        return pa.Array.from_buffers(pa.bool_(), len(values), [valid, pa.py_buffer(np.packbits(values, bitorder="little"))])
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [valid, pa.py_buffer(values)])


def _named(codes: np.ndarray, titles: Sequence[str]) -> pa.Array:
    """Return a column of names by code; negative codes become null."""
    codes = np.asarray(codes, np.int8)
    texts = [title.encode() for title in titles]
    ends = np.cumsum([0, *(len(text) for text in texts)]).astype(np.int32)
    values = pa.Array.from_buffers(pa.string(), len(texts), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))])
    return pa.DictionaryArray.from_arrays(_arrow(np.maximum(codes, 0), codes < 0), values)


def _winner_seats(winner: np.ndarray) -> pa.Array:
    """Return the winners' seats as text, such as '0+3'."""
    bits = (winner.astype(np.int64) << np.arange(winner.shape[1])).sum(axis=1)
    different = np.unique(bits)
    labels = ["+".join(str(seat) for seat in range(winner.shape[1]) if value >> seat & 1) for value in different if value]
    place = np.searchsorted(different[different > 0], bits)
    return _named(np.where(bits > 0, place, -1), labels)


def games_table(rows: np.ndarray, seed: int, players: int, r: np.record) -> pa.Table:
    """Return the `games` table of one shard."""
    derived: Columns = {
        "seed": np.full(len(rows), seed, np.int64),
        "players": np.full(len(rows), players, np.int8),
        "winner_seats": _winner_seats(rows["winner"]),
        "n_winners": rows["winner"].sum(axis=1).astype(np.int8),
    }
    return _table("games", rows, {"card": victory_card_names(r)}, derived)


def seats_table(rows: np.ndarray, strategies: Sequence[str], r: np.record) -> pa.Table:
    """Return the `seats` table of one shard; `strategies` are the names of the library."""
    return _table("seats", rows, {"leader": written(r, "leader"), "strategy": strategies}, box=names.BOXES[r.box])


def wonders_table(rows: np.ndarray, r: np.record) -> pa.Table:
    """Return the `wonders` table of one shard."""
    derived: Columns = {
        "type": _named(r.wonder_type[rows["wonder"]], names.FOCUS_TYPES),
        "era": _named(r.wonder_era[rows["wonder"]], names.ERAS),
    }
    return _table("wonders", rows, {"wonder": written(r, "wonder")}, derived)


def agendas_table(rows: np.ndarray, r: np.record) -> pa.Table:
    """Return the `agendas` table of one shard."""
    return _table("agendas", rows, {"agenda": written(r, "agenda"), "card": victory_card_names(r)})


def focus_cards_table(rows: np.ndarray, r: np.record) -> pa.Table:
    """Return the `focus_cards` table of one shard."""
    cards = [card for card in range(r.n_cards) if r.card_level[card] > 0]
    place = np.zeros(int(r.n_cards), np.int8)
    place[cards] = np.arange(len(cards))
    titles = [bytes(r.card_name[card]).rstrip(b"\0").decode() for card in cards]
    return _table(columns.FOCUS_CARDS_TABLE, rows, {}, {"card": _named(place[rows["code"]], titles)})


def places_table(rows: np.ndarray, r: np.record) -> pa.Table:
    """Return the `places` table of one shard."""
    titles = [*written(r, "natural_wonder"), *written(r, "city_state")]
    titles += [name.format(tile + 1) for name in (columns.START, columns.TILE) for tile in range(len(r.tile_in_set))]
    titles += names.RESOURCES
    return _table(columns.PLACES_TABLE, rows, {}, {"place": _named(rows["code"], titles)})


def rounds_table(rows: np.ndarray, chances: np.ndarray | None, own: Mapping[str, np.ndarray]) -> pa.Table:
    """Return the `rounds` table of one shard, with chances to win (-1: none; None: of no seat) and the user's columns."""
    chance = np.full(len(rows), -1.0) if chances is None else np.round(chances, CHANCE_DIGITS)
    derived: Columns = {"chance": _arrow(np.maximum(chance, 0.0), chance < 0)}
    derived |= {name: _arrow(np.where(np.isfinite(values), values, 0.0), ~np.isfinite(values)) for name, values in own.items()}
    return _table(columns.ROUNDS_TABLE, rows, {}, derived, own=tuple(own))


def _table(
    name: str, rows: np.ndarray, titles: Mapping[str, Sequence[str]], derived: Columns | None = None, box: str = names.BOXES[0],
    own: Sequence[str] = (),
) -> pa.Table:  # fmt: skip
    """Return a table with its declared columns: from the rows, with names by code, or among the `derived` ones."""
    table = tables_in(box, columns.OPTIONAL, own)[name]
    schema = table.arrow_schema()
    columns_of_rows = [derived[c.name] if derived and c.derived else _from_rows(rows, c, titles) for c in table.columns]
    arrays = [
        values if isinstance(values, pa.Array) else _arrow(values.astype(field.type.to_pandas_dtype(), copy=False))
        for values, field in zip(columns_of_rows, schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _from_rows(rows: np.ndarray, column: TableColumn, titles: Mapping[str, Sequence[str]]) -> pa.Array | np.ndarray:
    """Return a column of the rows, with names for codes and null for `column.null`."""
    place: Any = (..., *column.at)
    values = rows[column.field or column.name][place]
    if column.type == "category":
        return _named(values, titles[column.words] if isinstance(column.words, str) else column.words)
    return _arrow(values, values == column.null) if column.optional else values


def parquet_bytes(table: pa.Table, label: str | None = None) -> bytes:
    """Return the content of the table's Parquet file, which carries the label of its shard."""
    if label is not None:
        table = table.replace_schema_metadata(table.schema.metadata | {LABEL_KEY: label.encode()})
    sink = pa.BufferOutputStream()
    try:
        pq.write_table(
            table,
            sink,
            compression="zstd",
            compression_level=COMPRESSION_LEVEL,
            use_dictionary=[name for name in table.column_names if name != "game_id"],
            column_encoding={"game_id": "DELTA_BINARY_PACKED"},
            write_statistics=["game_id"],
            row_group_size=1 << 20,
            data_page_size=1 << 22,
        )
    except OSError as error:  # the sink is in memory: zstd reports a lack of memory as an I/O error
        raise MemoryError(str(error)) from None
    return sink.getvalue().to_pybytes()


def label_of(source: Any) -> str | None:
    """Return the label of a table's file; None if it has none, or cannot be read as Parquet."""
    try:
        label = (pq.read_metadata(source).metadata or {}).get(LABEL_KEY)
        return None if label is None else label.decode(errors="replace")
    except Exception:  # Arrow raises many kinds
        return None


def read_table(path: Place, columns: Sequence[str] | None = None) -> pa.Table:
    """Return one file of a table, or the named columns of it; raise UserError if it cannot be read or has another schema."""
    again = f"`newdawn resume {path.parent.parent}` plays damaged games again"
    with plainly(path, "Parquet", DamagedTable, again):
        source = path if isinstance(path, Path) else pa.BufferReader(path.read_bytes())
        table = parquet_of(source, path, again, columns, DamagedTable)
        version = (table.schema.metadata or {}).get(VERSION_KEY, b"none").decode(errors="replace")
        if version != str(SCHEMA_VERSION):
            raise UserError(f"{path}: table of schema version {version}; this program reads version {SCHEMA_VERSION}")
        return table


# --- Shards in a run folder: the games of each, and how it appears whole or not at all
#
# A shard is a file in each table's folder and a checksum file. They are written and forced to disk in a staging
# folder first, the checksum file last: with it, the staged shard is complete. Then they are moved into place, one rename
# each, `games` last of the tables and the checksum file last of all. A process killed between two renames leaves the rest in
# the staging folder, and `recover` finishes the moves. So a game that is in `games` is in all tables.
#
# At an address, where nothing can be moved, the files are put in the same order, each whole; `recover` drops unfinished
# shards. The staging folder exists until all shards are finished.

MOST_SHARDS = 10_000_000  # a run has 4,000 at most, runs that were merged have more
STAGING = ".unfinished"
OPEN = "run"  # an object in it, at an address
STAGED = re.compile(r"part-(\d{6,})\.[0-9a-f]{8}")  # name of a staged shard
PART = re.compile(r"part-(\d{6,})\.(parquet|sha256)")  # name of a file of a finished shard
CHECKSUMS = "checksums"


def move_order(tables: Iterable[str]) -> tuple[str, ...]:
    """Return tables in the order in which their files appear: `games` last, because pandas takes its games as finished."""
    return tuple(sorted(tables, key=lambda table: table == "games"))


EVERY = tuple(TABLES | OPTIONAL)  # tables that a run may have


@dataclass(frozen=True)
class Segment:
    """A range of games of one seed that is cut into shards of one size. A run has one, until extended or merged."""

    seed: int
    first: int
    games: int
    shard_games: int

    @property
    def end(self) -> int:
        """Number of the game after the last."""
        return self.first + self.games

    def as_dict(self) -> dict[str, int]:
        """Return the segment for the manifest."""
        return asdict(self)


@dataclass(frozen=True)
class Shard:
    """Games `game` … `game + n - 1` of a seed; in the tables they have the ids `first_id` … `first_id + n - 1`."""

    index: int
    seed: int
    game: int
    n: int
    first_id: int

    @property
    def name(self) -> str:
        """Name of its files without ending."""
        return part(self.index)


def part(index: int) -> str:
    """Return the name, without ending, of the files of a shard."""
    return f"part-{index:06d}"


def cut(segments: Iterable[Segment]) -> list[Shard]:
    """Return the shards of the segments. Ids are consecutive; in a run of one seed they are the numbers of the games."""
    shards: list[Shard] = []
    first_id = 0
    for segment in segments:
        for at in range(0, segment.games, segment.shard_games):
            n = min(segment.shard_games, segment.games - at)
            shards.append(Shard(len(shards), segment.seed, segment.first + at, n, first_id))
            first_id += n
    return shards


def shard_file(out: Place, table: str, index: int) -> Place:
    """Return the file of a shard of a table."""
    return out / table / f"{part(index)}.parquet"


def checksum_file(out: Place, index: int) -> Place:
    """Return the file with the checksums of a shard; `sha256sum -c` reads it in the run folder."""
    return out / CHECKSUMS / f"{part(index)}.sha256"


def present(out: Place, tables: Iterable[str] = TABLES) -> dict[int, set[str]]:
    """Return the tables of each shard that have a file, and CHECKSUMS, by its number. May raise OSError."""
    kinds_of: dict[int, set[str]] = {}
    for kind in (CHECKSUMS, *reversed(move_order(tables))):  # in reverse order of appearance: the run may be under way
        ending = "sha256" if kind == CHECKSUMS else "parquet"
        for name in filter(None, map(PART.fullmatch, names_in(out / kind))):
            if name[2] == ending:
                kinds_of.setdefault(int(name[1]), set()).add(kind)
    return kinds_of


def finished(out: Place, tables: Collection[str] = TABLES) -> set[int]:
    """Return the numbers of the shards that have all their files. May raise OSError."""
    return {index for index, kinds in present(out, tables).items() if len(kinds) == len(tables) + 1}


def begin(out: Place) -> None:
    """Make the staging folder, the sign of an unfinished run. May raise OSError."""
    if isinstance(out, Path):
        (out / STAGING).mkdir(exist_ok=True)
    else:
        (out / STAGING / OPEN).write_bytes(b"")


def is_open(out: Place) -> bool:
    """Say whether the run is unfinished. May raise OSError."""
    return (out / STAGING).is_dir() if isinstance(out, Path) else (out / STAGING / OPEN).is_file()


def write_files(out: Place, index: int, files: Mapping[str, bytes], shared: bool = False) -> None:
    """Write the files of a shard, one for each table; other processes see all of them or none. May raise OSError.

    `shared`: with other machines; then nothing is written once the run is finished.
    """
    checksums = "".join(f"{hashlib.sha256(files[table]).hexdigest()}  {table}/{part(index)}.parquet\n" for table in files)
    if isinstance(out, Path):
        staged = out / STAGING / f"{part(index)}.{secrets.token_hex(4)}"
        try:
            staged.mkdir(parents=not shared)
        except FileNotFoundError:  # other machines have finished the run meanwhile
            return
        try:
            for table in files:
                _write(staged / f"{table}.parquet", files[table])
            _write(staged / "sha256.part", checksums.encode())
            (staged / "sha256.part").replace(staged / "sha256")
        except OSError:
            _remove_staged(staged)  # a full disk needs the room
            raise
        _move(out, index, staged)
        return
    for table in move_order(files):
        shard_file(out, table, index).write_bytes(files[table])
    checksum_file(out, index).write_bytes(checksums.encode())


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _move(out: Path, index: int, staged: Path) -> None:
    """Move a complete staged shard, or the rest of it, into place."""
    (out / CHECKSUMS).mkdir(exist_ok=True)
    every = [(staged / f"{table}.parquet", out / table / f"{part(index)}.parquet") for table in move_order(EVERY)]
    moves = [(source, target) for source, target in every if source.exists()]  # most runs have few of them
    for source, target in [*moves, (staged / "sha256", out / CHECKSUMS / f"{part(index)}.sha256")]:
        # Another process may have moved it: before a kill, or just now as a worker that outlives its killed parent.
        with suppress(FileNotFoundError):
            source.replace(target)
    with suppress(OSError):
        staged.rmdir()


def _remove_staged(staged: Path) -> None:
    """Remove the files of a staged shard, and its folder if that holds no others."""
    for name in (*(f"{table}.parquet" for table in EVERY), "sha256.part", "sha256"):
        with suppress(OSError):
            (staged / name).unlink()
    with suppress(OSError):
        staged.rmdir()


def _staged(out: Path) -> Iterator[tuple[int, Path]]:
    """Yield number and folder of each staged shard; links and other names are not this program's."""
    for path in sorted((out / STAGING).glob("part-*")):
        name = STAGED.fullmatch(path.name)
        if name and path.is_dir() and not path.is_symlink():
            yield int(name[1]), path


def recover(out: Place, shards: Iterable[Shard], tables: Collection[str] = TABLES) -> None:
    """Finish complete staged shards of killed processes, and drop incomplete ones.

    A shard that lacks a file is dropped, so that the tables agree; it will be played again.
    """
    if isinstance(out, Path):
        for index, staged in _staged(out):
            if (staged / "sha256").is_file():
                _move(out, index, staged)
            else:
                _remove_staged(staged)
    kinds_of = present(out, tables)
    for index in sorted(kinds_of.keys() & {shard.index for shard in shards}):
        if len(kinds_of[index]) < len(tables) + 1:
            drop(out, index)


def drop(out: Place, index: int) -> None:
    """Remove the files of a shard, `games` first."""
    for path in (checksum_file(out, index), *(shard_file(out, table, index) for table in reversed(move_order(EVERY)))):
        path.unlink(missing_ok=True)


def close(out: Place) -> None:
    """Remove the staging folder of a finished run, with shards that lost workers of a cluster left there.

    Files of other programs stay, and the folder with them.
    """
    if not isinstance(out, Path):
        (out / STAGING / OPEN).unlink(missing_ok=True)
        return
    for _, staged in _staged(out):
        _remove_staged(staged)
    with suppress(OSError):
        (out / STAGING).rmdir()


class Damaged(Exception):
    """A file of a run is damaged or foreign; the text says which, and how."""


def damage(out: Place, index: int, label: str | None = None, tables: Iterable[str] = TABLES) -> str | None:
    """Return what is wrong with a shard and where, by its checksums and its label if the run has any; None if it is whole."""
    try:
        checksums = _checksums(checksum_file(out, index))
        digests = [(shard_file(out, table, index), checksums[f"{table}/{part(index)}.parquet"]) for table in tables]
    except (OSError, ValueError, KeyError):
        return f"{checksum_file(out, index)}: no readable checksums"
    try:
        for path, digest in digests:
            _checked(path, digest, label)
    except Damaged as error:
        return str(error)
    return None


def table_content(out: Place, table: str, name: str, label: str | None) -> bytes:
    """Return one table of a shard, ``part-….parquet``; raise Damaged if its checksum or label differs."""
    path = out / CHECKSUMS / f"{name.removesuffix('.parquet')}.sha256"
    try:
        digest = _checksums(path)[f"{table}/{name}"]
    except FileNotFoundError:  # the last file of a shard to appear
        digest = None
    except (OSError, ValueError, KeyError):
        raise Damaged(f"{path}: no readable checksums") from None
    return _checked(out / table / name, digest, label)


def _checked(path: Place, digest: str | None, label: str | None) -> bytes:
    """Return the content of a file; raise Damaged if its digest or label differs from this one (None: unknown)."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Damaged(f"{path}: cannot be read: {error.strerror or error}") from None
    if digest is not None and hashlib.sha256(content).hexdigest() != digest:
        raise Damaged(f"{path}: has changed since it was written (its checksum differs)")
    if label is not None and (label_there := label_of(pa.BufferReader(content))) != label:
        raise Damaged(f"{path}: holds games that do not belong there (label {label_there or 'none'}, expected {label})")
    if (table := _table_in(content)) not in (path.parent.name, None):
        raise Damaged(f"{path}: holds the table {table}; expected {path.parent.name}")
    return content


def _table_in(content: bytes) -> str | None:
    """Return which table has the columns of a file, or nearly: other versions may have others; None if it is no Parquet."""
    try:
        there = set(pq.read_schema(pa.BufferReader(content)).names)
    except (pa.ArrowException, OSError, ValueError):
        return None
    declared = {name: schema.names() for name, schema in (TABLES | OPTIONAL).items()}
    return min(declared, key=lambda name: len(there.symmetric_difference(declared[name])))


def _checksums(path: Place) -> dict[str, str]:
    """Return the digests in a checksum file by the names of the files. May raise OSError and ValueError."""
    lines = path.read_text(encoding="ascii").splitlines()
    return {name: digest for digest, name in (line.split("  ") for line in lines)}


def strangers(out: Place, shards: Iterable[Shard]) -> Iterator[Place]:
    """Yield files in the tables' folders, or in place of one, that belong to no shard of the run; pandas reads them too."""
    own = {f"{shard.name}.parquet" for shard in shards}
    for table in EVERY:
        if (out / table).is_file():
            yield out / table
        yield from (out / table / name for name in names_in(out / table) if name not in own)


def segments_of(manifest: Mapping[str, Any]) -> list[Segment]:
    """Return the segments of a manifest. May raise KeyError, TypeError or ValueError."""
    segments = [Segment(**segment) for segment in manifest["segments"]]
    for segment in segments:
        numbers = asdict(segment)
        if any(type(number) is not int or number < 0 for number in numbers.values()) or not segment.shard_games:
            raise ValueError(f"segments: {numbers} is not valid; expected whole numbers from 0, and a shard of at least 1 game")
    if sum(-(-segment.games // segment.shard_games) for segment in segments) > MOST_SHARDS:
        raise ValueError(f"segments: more than {MOST_SHARDS:,} shards")
    return segments
