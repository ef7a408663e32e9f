"""From the kernel's rows to Parquet files: codes become names, -1 and 0 for "never" become null.

The bytes of a file depend on its rows only: no time, no path, no order of events enters it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .. import names
from ..errors import DamagedTable, UserError
from ..games.columns import Column
from ..reading import parquet_of, plainly
from ..rules.contents import written
from .places import Place
from .schema import SCHEMA_VERSION, VERSION_KEY, tables_in

COMPRESSION_LEVEL = 12

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


def _table(
    name: str, rows: np.ndarray, words: Mapping[str, Sequence[str]], derived: Columns | None = None, box: str = names.BOXES[0]
) -> pa.Table:
    """Return a table as its columns are declared: from the rows, the names of the run, and what is derived from the rows."""
    table = tables_in(box)[name]
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
