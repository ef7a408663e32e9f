"""Writing plays into the folder that keeps them. Start with `write`."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from .. import file_ownership, kept_files
from ..runs.manifest import FILE
from ..runs.run_folder import ARROW_TYPES, SCHEMA_VERSION, VERSION_KEY, part
from .checking import Play
from .log import Log
from .plays_folder import CARDS, KIND, PEOPLE, TABLES, check

OURS = re.compile(
    rf"({'|'.join(TABLES)})/part-\d{{6,}}\.parquet"
)  # what an earlier import may have left; nothing else is removed


def write(out: Path, log: Log, ruleset: Any, unread: Sequence[str]) -> dict[str, Any]:
    """Write the plays into the folder and return its manifest; raise UserError if it holds anything but plays of ours.

    `unread`: the lines on what was left out.
    """
    old = check(out)
    plays = sorted(log.plays, key=_part_of)
    counts = Counter(map(_part_of, plays))
    files: dict[str, bytes] = {}
    parts = []
    first = 0
    for index, ((players, strategies, kind), n) in enumerate(sorted(counts.items())):
        some = plays[first : first + n]
        name = f"{part(index)}.parquet"
        rows = {"games": [_game(play, first + k) for k, play in enumerate(some)],
                "seats": [row for k, play in enumerate(some) for row in _seats(play, first + k)]}  # fmt: skip
        files |= {f"{table}/{name}": _parquet(TABLES[table], rows[table]) for table in TABLES}
        parts.append({"name": name, "players": players, "plays": n, "strategies": strategies, "kind": kind})
        first += n
    manifest = {
        "program": "newdawn-balance-lab",
        "schema_version": SCHEMA_VERSION,
        "kind": KIND,
        "plays": len(plays),
        "parts": parts,
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
        "read": {name: {"format": how, "plays": n} for name, (how, n) in log.files.items()},
        "read_as": log.read_as,
        "left_alone": dict(log.left),
        "left_out": list(unread),
        "notes": log.notes,
        "reading": reading_of(log),
        "ruleset": {"name": ruleset.name, "box": ruleset.box, "digest": ruleset.digest(), "data": ruleset.data},
    }
    # What earlier imports left: the files of the old manifest, and those that a killed one had listed.
    replaced = set(filter(OURS.fullmatch, {*old.get("files", ()), *file_ownership.ours_in(out)})) | ({FILE} if old else set())
    file_ownership.write_files(out, {**files, FILE: kept_files.as_text(manifest)}, "plays", replaced=replaced)
    return manifest


def reading_of(log: Log) -> list[dict[str, Any]]:
    """Return for each file how it was read: its format and shape, and what each of its columns is."""
    return [
        {"file": one.file, "format": one.format, "shape": one.shape, "columns": [list(column) for column in one.columns]}
        for one in log.readings
    ]


def _part_of(play: Play) -> tuple[int, bool, str]:
    """Return what plays of one file have in common: the number of players, whether strategies sat there, too, and the kind."""
    return len(play.leaders), any(play.strategies), play.kind


def _game(play: Play, game_id: int) -> dict[str, Any]:
    winners = [str(seat) for seat, won in enumerate(play.won) if won]
    return {
        "game_id": game_id, "players": len(play.leaders), "rounds": play.rounds, "minutes": play.minutes, "ending": "victory",
        "winner_seats": "+".join(winners), "n_winners": len(winners), "first_seat": play.first,
        **dict(zip(CARDS, play.cards, strict=False)), "date": play.date or None, "source": play.source,
        "kind": play.kind,
    }  # fmt: skip


def _seats(play: Play, game_id: int) -> list[dict[str, Any]]:
    def of(values: Sequence[Any] | None, seat: int) -> Any:
        return values[seat] if values else None

    return [
        {
            "game_id": game_id, "seat": seat, "leader": leader, "strategy": of(play.strategies, seat) or PEOPLE,
            "player": of(play.people, seat) or None,
            "order": of(play.order, seat), "won": play.won[seat], "agendas": of(play.claimed, seat),
            "team": of(play.teams, seat) or None,
        }
        for seat, leader in enumerate(play.leaders)
    ]  # fmt: skip


def _parquet(columns: dict[str, Any], rows: list[dict[str, Any]]) -> bytes:
    kind: Callable[[Any], Any] = lambda word: ARROW_TYPES[word] if isinstance(word, str) else word  # noqa: E731
    schema = pa.schema(
        [pa.field(name, kind(word)) for name, word in columns.items()], metadata={VERSION_KEY: str(SCHEMA_VERSION).encode()}
    )
    table = pa.Table.from_arrays([pa.array([row.get(f.name) for row in rows], f.type) for f in schema], schema=schema)
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue().to_pybytes()
