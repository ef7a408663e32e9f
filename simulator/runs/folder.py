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

from .. import names, ours
from ..errors import DamagedTable, UserError, install
from ..reading import parquet_of, plainly
from ..rules.contents import written
from . import columns
from .columns import Column

# --- Where a run lies
#
# In a folder of this machine, or at an address that fsspec knows, like s3://bucket/run.
#
# A folder is a `pathlib.Path`. An `Address` has those of its methods that runs need. What is put at an address appears whole
# or not at all; there is no renaming and no lock.

SIGN = "://"
LOCAL = ("file://", "local://")
AT_ONCE = 16  # questions to an object store, each of which takes its time
DRIVERS = {"s3": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs", "abfss": "adlfs"}  # packages
EXAMPLES = "s3://bucket/run, gs://… or az://…"


T = TypeVar("T")
U = TypeVar("U")


@contextmanager
def _plainly(address: str) -> Iterator[None]:
    """Turn whatever a driver raises into an OSError that names the address."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:  # each driver has errors of its own
        said = " ".join(str(error).split()) or type(error).__name__
        kind = error.errno if isinstance(error, OSError) and error.errno else errno.EIO
        raise OSError(errno.ENOENT if isinstance(error, FileNotFoundError) else kind, said, address) from error


@dataclass(frozen=True)
class Address:
    """An object at an address, or the beginning of the names of several: what is a folder elsewhere."""

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
        """Return the names of what lies here, one step deep."""
        with _plainly(self.address):
            files, path = self._opened()
            with suppress(FileNotFoundError):
                found = [name.strip("/") for name in files.ls(path, detail=False)]
                return sorted(name.rpartition("/")[2] for name in found if name != path.strip("/"))
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
        """Return the driver, which others may have written past, and the path as it wants it."""
        from fsspec.core import url_to_fs

        files, path = url_to_fs(self.address)
        files.invalidate_cache()
        return files, path


Place = Path | Address


def place(word: str | Path | Address) -> Place:
    """Return the place that a word means; raise UserError if there is no driver for such an address."""
    if not isinstance(word, str):
        return word
    start = next((start for start in LOCAL if word.startswith(start)), None)
    if start is not None:
        return Path(word.removeprefix(start))
    kind, sign, rest = word.partition(SIGN)
    if not sign:
        return Path(word)
    if not rest.strip("/"):
        raise UserError(f"{word}: not a place; expected a folder, or an address such as {EXAMPLES}")
    import fsspec

    try:
        fsspec.get_filesystem_class(kind)
    except ImportError:
        how = (
            f"install it with: {install(DRIVERS[kind])}"
            if kind in DRIVERS
            else "https://filesystem-spec.readthedocs.io lists them"
        )
        raise UserError(f"{word}: the driver for {kind}:// is not installed; {how}") from None
    except ValueError:
        raise UserError(f"{word}: no driver for {kind}://; expected a folder, or an address such as {EXAMPLES}") from None
    return Address(word.rstrip("/"))


def names_in(folder: Place) -> list[str]:
    """Return the names of what lies in a folder, in order; nothing if there is no such folder. May raise OSError."""
    if isinstance(folder, Address):
        return folder.names()
    with suppress(FileNotFoundError, NotADirectoryError):
        return sorted(os.listdir(folder))
    return []


def each(where: Place, function: Callable[[T], U], items: Iterable[T]) -> Iterator[U]:
    """Yield what a function that reads at a place returns for the items, in their order; at an address, several at once."""
    if isinstance(where, Address):
        threads = ThreadPoolExecutor(AT_ONCE)
        try:
            yield from threads.map(function, items)
        finally:
            threads.shutdown(cancel_futures=True)
    else:
        yield from map(function, items)


def write_whole(path: Place, content: bytes) -> None:
    """Write a file so that it is there whole or not at all. May raise OSError."""
    if isinstance(path, Address):
        path.write_bytes(content)
    else:
        ours.write_whole(path, content)


# --- The outcome tables of a run
#
# Their columns are declared in `simulator/runs/columns.py`.
#
# A run folder holds `manifest.json` and one folder of Parquet files for each table; ``pandas.read_parquet(run / "seats")``
# reads one whole. Names are names, not codes: text columns come as categoricals. What did not happen is null (NaN in pandas).
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
FOCUS_CARDS = Table(columns.FOCUS_CARDS_TABLE, "one focus card that a seat of one game had in its row", columns.FOCUS_CARDS)
ROUNDS = Table(columns.ROUNDS_TABLE, "one seat at the end of one round of a game", columns.ROUNDS)
PLACES = Table(columns.PLACES_TABLE, "one place that a seat of one game had at the end, or began on", columns.PLACES)
OPTIONAL = {table.name: table for table in (FOCUS_CARDS, ROUNDS, PLACES)}  # that a run has if it is asked for them
assert tuple(OPTIONAL) == columns.OPTIONAL
OPTIONS = dict(zip(OPTIONAL, ("--focus-cards", "--rounds", "--places"), strict=True))  # of `newdawn run`, that ask for them


def tables_in(box: str, optional: Iterable[str] = (), own: Iterable[str] = ()) -> dict[str, Table]:
    """Return the tables of runs with the box (names.BOXES) by name; `optional` ones as well, with the user's `own` columns."""
    more = {name: OPTIONAL[name] for name in optional}
    if columns.ROUNDS_TABLE in more:
        more[columns.ROUNDS_TABLE] = replace(ROUNDS, columns=(*columns.ROUNDS, *map(own_column, own)))
    return (TI_TABLES if box == names.BOXES[names.TI_BOX] else TABLES) | more


def own_column(name: str) -> Column:
    """Return the column of `rounds` that a user's function fills."""
    return Column(name, "float64", "", "what the user's function said; null: not a number", optional=True, derived=True)


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


def _described(declared: Sequence[Column]) -> list[str]:
    """Return the lines of a table of columns."""
    return ["| column | type | unit | meaning |\n|---|---|---|---|"] + [
        f"| `{c.name}` | {c.type}{', may be null' if c.optional else ''} | {c.unit} | {c.meaning} |" for c in declared
    ]


# --- From the kernel's rows to Parquet files
#
# Codes become names, -1 and 0 for "never" become null.
#
# The bytes of a file depend on its rows only: no time, no path, no order of events enters it.

COMPRESSION_LEVEL = 12
CHANCE_DIGITS = 3  # of a chance to win

LABEL_KEY = b"newdawn_run"  # in a file: which games of which run it holds (manifest.Contents.label)

Columns = dict[str, Any]  # column name: Arrow or NumPy array


def victory_card_names(r: np.record) -> list[str]:
    """Return the names of the victory cards by code: the agendas each shows, two of them or (fort cards) one."""
    titles = written(r, "agenda")
    shown = [dict.fromkeys(titles[code] for code in r.agenda_name[card]) for card in range(r.n_victory_cards)]
    return [" / ".join(agendas) for agendas in shown]


def _arrow(values: np.ndarray, null: np.ndarray | None = None) -> pa.Array:
    """Return a column of numbers or truth values, without those that `null` marks.

    Made from the bytes themselves: `pyarrow.array` would load pandas, 45 MB of it, into every worker.
    """
    values = np.ascontiguousarray(values)
    valid = None if null is None or not null.any() else pa.py_buffer(np.packbits(~null, bitorder="little"))
    if values.dtype == bool:
        return pa.Array.from_buffers(pa.bool_(), len(values), [valid, pa.py_buffer(np.packbits(values, bitorder="little"))])
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [valid, pa.py_buffer(values)])


def _texts(words: Sequence[str]) -> pa.Array:
    """Return a column of texts."""
    texts = [word.encode() for word in words]
    ends = np.cumsum([0, *(len(text) for text in texts)]).astype(np.int32)
    return pa.Array.from_buffers(pa.string(), len(texts), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))])


def _named(codes: np.ndarray, words: Sequence[str]) -> pa.Array:
    """Return a dictionary column; negative codes become null."""
    codes = np.asarray(codes, np.int8)
    return pa.DictionaryArray.from_arrays(_arrow(np.maximum(codes, 0), codes < 0), _texts(words))


def _winner_seats(winner: np.ndarray) -> pa.Array:
    """Return the winners' seats as text, such as '0+3'."""
    bits = (winner.astype(np.int64) << np.arange(winner.shape[1])).sum(axis=1)
    found = np.unique(bits)
    words = ["+".join(str(seat) for seat in range(winner.shape[1]) if value >> seat & 1) for value in found if value]
    place = np.searchsorted(found[found > 0], bits)
    return _named(np.where(bits > 0, place, -1), words)


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
    known = [card for card in range(r.n_cards) if r.card_level[card] > 0]
    place = np.zeros(int(r.n_cards), np.int8)
    place[known] = np.arange(len(known))
    titles = [bytes(r.card_name[card]).rstrip(b"\0").decode() for card in known]
    return _table(columns.FOCUS_CARDS_TABLE, rows, {}, {"card": _named(place[rows["code"]], titles)})


def places_table(rows: np.ndarray, r: np.record) -> pa.Table:
    """Return the `places` table of one shard."""
    titles = [*written(r, "natural_wonder"), *written(r, "city_state")]
    titles += [name.format(tile + 1) for name in (columns.START, columns.TILE) for tile in range(len(r.tile_in_set))]
    titles += names.RESOURCES
    return _table(columns.PLACES_TABLE, rows, {}, {"place": _named(rows["code"], titles)})


def rounds_table(rows: np.ndarray, chances: np.ndarray | None, own: Mapping[str, np.ndarray]) -> pa.Table:
    """Return the `rounds` table of one shard: chances to win, -1 for none, if any seat may have one, and the user's columns."""
    chance = np.full(len(rows), -1.0) if chances is None else np.round(chances, CHANCE_DIGITS)
    derived: Columns = {"chance": _arrow(np.maximum(chance, 0.0), chance < 0)}
    derived |= {name: _arrow(np.where(np.isfinite(said), said, 0.0), ~np.isfinite(said)) for name, said in own.items()}
    return _table(columns.ROUNDS_TABLE, rows, {}, derived, own=tuple(own))


def _table(
    name: str, rows: np.ndarray, words: Mapping[str, Sequence[str]], derived: Columns | None = None, box: str = names.BOXES[0],
    own: Sequence[str] = (),
) -> pa.Table:  # fmt: skip
    """Return a table as its columns are declared: from the rows, the names of the run, and what is derived from the rows."""
    table = tables_in(box, columns.OPTIONAL, own)[name]
    schema = table.arrow_schema()
    found = [derived[c.name] if derived and c.derived else _from_rows(rows, c, words) for c in table.columns]
    arrays = [_column(values, field.type) for values, field in zip(found, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def _from_rows(rows: np.ndarray, column: Column, words: Mapping[str, Sequence[str]]) -> pa.Array | np.ndarray:
    """Return a column of the rows: codes become names, and what stands for none becomes null."""
    place: Any = (..., *column.at)
    values = rows[column.field or column.name][place]
    if column.type == "category":
        return _named(values, words[column.words] if isinstance(column.words, str) else column.words)
    return _arrow(values, values == column.null) if column.optional else values


def _column(values: pa.Array | np.ndarray, kind: pa.DataType) -> pa.Array:
    return values if isinstance(values, pa.Array) else _arrow(values.astype(kind.to_pandas_dtype(), copy=False))


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
    except OSError as error:  # the sink is memory: what zstd calls an I/O error is a lack of that
        raise MemoryError(str(error)) from None
    return sink.getvalue().to_pybytes()


def label_of(source: Any) -> str | None:
    """Return the label of a table's file; None if it has none, or cannot be read as Parquet."""
    try:
        found = (pq.read_metadata(source).metadata or {}).get(LABEL_KEY)
        return None if found is None else found.decode(errors="replace")
    except Exception:  # Arrow has errors of its own, and others
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


# --- Shards in a run folder
#
# Which games each holds, and how it appears whole or not at all.
#
# A shard is a file in each table's folder and a checksum file. They are written and forced to disk in a staging
# folder first, the checksum file last: with it, the staged shard is complete. Then they are moved into place, one rename
# each, `games` last of the tables and the checksum file last of all. A process killed between two renames leaves the rest in
# the staging folder, and `recover` finishes the moves. So a game that is in `games` is in all tables.
#
# At an address, where nothing can be moved, the files are put in the same order, each whole; `recover` drops what is left of
# a shard that was not finished. Everywhere, the staging folder is there until all shards are.

MOST_SHARDS = 10_000_000  # a run has 4,000 at most, runs that were merged have more
STAGING = ".unfinished"
OPEN = "run"  # an object in it, at an address
STAGED = re.compile(r"part-(\d{6,})\.[0-9a-f]{8}")  # name of a staged shard
PART = re.compile(r"part-(\d{6,})\.(parquet|sha256)")  # name of a file of a finished shard
CHECKSUMS = "checksums"


def move_order(tables: Iterable[str]) -> tuple[str, ...]:
    """Return tables in the order in which their files appear: `games` last, for whoever reads with pandas takes what is there
    as the finished ones."""
    return tuple(sorted(tables, key=lambda table: table == "games"))


EVERY = tuple(TABLES | OPTIONAL)  # table that a run may have


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
    """Return the shards of the segments. Ids count through; in a run of one seed they are the numbers of the games."""
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
    """Return for each shard of which there is anything the tables that are there, and CHECKSUMS. May raise OSError."""
    found: dict[int, set[str]] = {}
    for kind in (CHECKSUMS, *reversed(move_order(tables))):  # against the order in which they appear: the run may be going on
        ending = "sha256" if kind == CHECKSUMS else "parquet"
        for name in filter(None, map(PART.fullmatch, names_in(out / kind))):
            if name[2] == ending:
                found.setdefault(int(name[1]), set()).add(kind)
    return found


def finished(out: Place, tables: Collection[str] = TABLES) -> set[int]:
    """Return the numbers of the shards that are there with all their files. May raise OSError."""
    return {index for index, kinds in present(out, tables).items() if len(kinds) == len(tables) + 1}


def begin(out: Place) -> None:
    """Make the staging folder: it tells that the run is not finished. May raise OSError."""
    if isinstance(out, Path):
        (out / STAGING).mkdir(exist_ok=True)
    else:
        (out / STAGING / OPEN).write_bytes(b"")


def is_open(out: Place) -> bool:
    """Say whether the run is going on, or was stopped. May raise OSError."""
    return (out / STAGING).is_dir() if isinstance(out, Path) else (out / STAGING / OPEN).is_file()


def write_files(out: Place, index: int, files: Mapping[str, bytes], shared: bool = False) -> None:
    """Write the files of a shard, one for each table; other processes see all of them or none. May raise OSError.

    Of a run that is `shared` out to other machines nothing is written once it is finished.
    """
    checksums = "".join(f"{hashlib.sha256(files[table]).hexdigest()}  {table}/{part(index)}.parquet\n" for table in files)
    if isinstance(out, Path):
        _stage(out, index, files, checksums.encode(), shared)
        return
    for table in move_order(files):
        shard_file(out, table, index).write_bytes(files[table])
    checksum_file(out, index).write_bytes(checksums.encode())


def _stage(out: Path, index: int, files: Mapping[str, bytes], checksums: bytes, shared: bool) -> None:
    """Write the files of a shard into the staging folder, and move them into place; not if it is `shared` and gone."""
    staged = out / STAGING / f"{part(index)}.{secrets.token_hex(4)}"
    try:
        staged.mkdir(parents=not shared)
    except FileNotFoundError:  # others have finished the run while this worker stood still
        return
    try:
        for table in files:
            _write(staged / f"{table}.parquet", files[table])
        _write(staged / "sha256.part", checksums)
        (staged / "sha256.part").replace(staged / "sha256")
    except OSError:
        _remove_staged(staged)  # a full disk needs the room
        raise
    _move(out, index, staged)


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _move(out: Path, index: int, staged: Path) -> None:
    """Move a complete staged shard into place, or what is left of it there."""
    (out / CHECKSUMS).mkdir(exist_ok=True)
    every = [(staged / f"{table}.parquet", out / table / f"{part(index)}.parquet") for table in move_order(EVERY)]
    moves = [(source, target) for source, target in every if source.exists()]  # a run may have asked for few of them
    for source, target in [*moves, (staged / "sha256", out / CHECKSUMS / f"{part(index)}.sha256")]:
        # It may be gone: moved before a kill, or just now by a worker that has outlived its killed parent.
        with suppress(FileNotFoundError):
            source.replace(target)
    with suppress(OSError):
        staged.rmdir()


def _remove_staged(staged: Path) -> None:
    """Remove a staged shard: the files that `write_files` writes, and the folder if nothing else is in it."""
    for name in (*(f"{table}.parquet" for table in EVERY), "sha256.part", "sha256"):
        with suppress(OSError):
            (staged / name).unlink()
    with suppress(OSError):
        staged.rmdir()


def _staged(out: Path) -> Iterator[tuple[int, Path]]:
    """Yield number and folder of each staged shard; what has no name of ours, or is a link, is not ours."""
    for path in sorted((out / STAGING).glob("part-*")):
        name = STAGED.fullmatch(path.name)
        if name and path.is_dir() and not path.is_symlink():
            yield int(name[1]), path


def recover(out: Place, shards: Iterable[Shard], tables: Collection[str] = TABLES) -> None:
    """Tidy up what killed processes left: finish complete staged shards, drop all else that is not whole.

    A shard that has lost a file is dropped, so that the tables agree with each other again; it will be played anew.
    """
    if isinstance(out, Path):
        for index, staged in _staged(out):
            if (staged / "sha256").is_file():
                _move(out, index, staged)
            else:
                _remove_staged(staged)
    there = present(out, tables)
    for index in sorted(there.keys() & {shard.index for shard in shards}):
        if len(there[index]) < len(tables) + 1:
            drop(out, index)


def drop(out: Place, index: int) -> None:
    """Remove what there is of a shard, `games` first."""
    for path in (checksum_file(out, index), *(shard_file(out, table, index) for table in reversed(move_order(EVERY)))):
        path.unlink(missing_ok=True)


def close(out: Place) -> None:
    """Remove the staging folder when all shards are finished, with what lost workers of a cluster may have left.

    Files of others stay, and the folder with them.
    """
    if not isinstance(out, Path):
        (out / STAGING / OPEN).unlink(missing_ok=True)
        return
    for _, staged in _staged(out):
        _remove_staged(staged)
    with suppress(OSError):
        (out / STAGING).rmdir()


class Damaged(Exception):
    """A file of a run is not what it should be; says which, and why."""


def damage(out: Place, index: int, label: str | None = None, tables: Iterable[str] = TABLES) -> str | None:
    """Compare a shard with its checksums, and with the label its tables must have if the run has any.

    Return None if it is as it was written, or what is wrong and where.
    """
    try:
        wanted = _checksums(checksum_file(out, index))
        known = [(shard_file(out, table, index), wanted[f"{table}/{part(index)}.parquet"]) for table in tables]
    except (OSError, ValueError, KeyError):
        return f"{checksum_file(out, index)}: no readable checksums"
    try:
        for path, digest in known:
            _checked(path, digest, label)
    except Damaged as error:
        return str(error)
    return None


def table_content(out: Place, table: str, name: str, label: str | None) -> bytes:
    """Return one table of a shard, ``part-….parquet``; raise Damaged if it has not its checksum and its label."""
    path = out / CHECKSUMS / f"{name.removesuffix('.parquet')}.sha256"
    try:
        digest = _checksums(path)[f"{table}/{name}"]
    except FileNotFoundError:  # it is the last file of a shard to appear, and written by this program only
        digest = None
    except (OSError, ValueError, KeyError):
        raise Damaged(f"{path}: no readable checksums") from None
    return _checked(out / table / name, digest, label)


def _checked(path: Place, digest: str | None, label: str | None) -> bytes:
    """Return the content of a file; raise Damaged if it has not this digest and this label, as far as they are known."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Damaged(f"{path}: cannot be read: {error.strerror or error}") from None
    if digest is not None and hashlib.sha256(content).hexdigest() != digest:
        raise Damaged(f"{path}: has changed since it was written (its checksum differs)")
    if label is not None and (found := label_of(pa.BufferReader(content))) != label:
        raise Damaged(f"{path}: holds games that do not belong there (label {found or 'none'}, expected {label})")
    return content


def _checksums(path: Place) -> dict[str, str]:
    """Return the digests in a checksum file by the names of the files. May raise OSError and ValueError."""
    lines = path.read_text(encoding="ascii").splitlines()
    return {name: digest for digest, name in (line.split("  ") for line in lines)}


def strangers(out: Place, shards: Iterable[Shard]) -> Iterator[Place]:
    """Yield files in the tables' folders that belong to no shard of the run; pandas would read them along."""
    known = {f"{shard.name}.parquet" for shard in shards}
    for table in EVERY:
        yield from (out / table / name for name in names_in(out / table) if name not in known)


def segments_of(manifest: Mapping[str, Any]) -> list[Segment]:
    """Return the segments of a manifest. May raise KeyError, TypeError or ValueError."""
    found = [Segment(**segment) for segment in manifest["segments"]]
    for segment in found:
        numbers = asdict(segment)
        if any(type(number) is not int or number < 0 for number in numbers.values()) or not segment.shard_games:
            raise ValueError(f"segments: {numbers} is not valid; expected whole numbers from 0, and a shard of at least 1 game")
    if sum(-(-segment.games // segment.shard_games) for segment in found) > MOST_SHARDS:
        raise ValueError(f"segments: more than {MOST_SHARDS:,} shards")
    return found
