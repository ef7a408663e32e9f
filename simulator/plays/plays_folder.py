"""The folder that plays are kept in."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from .. import file_ownership, kept_files, names
from ..errors import DamagedTable, UserError
from ..reading import json_in, parquet_of, plainly
from ..rules.ruleset_contents import box_of, digest_of
from ..runs.manifest import FILE
from ..runs.run_folder import ARROW_TYPES, SCHEMA_VERSION, VERSION_KEY, Place, part

if TYPE_CHECKING:  # whoever reads a folder of plays needs no reader of logs
    from .checking import Play
    from .log import Log

# --- The folder of plays
#
# A manifest of its own kind, and the tables that are known, one file of each for a number of players.
#
# The columns have the names and meanings of a run's tables (`simulator/runs/columns.py`); what was not noted is null.
# `strategy` is "people" for a person, and the strategy's name for a seat that one played. Tables that plays do not have
# (world wonders, claims) are not there.

KIND, WHAT, AGAIN = "plays", "the manifest of plays", "`newdawn plays import` writes it anew"
PEOPLE = "people"  # who played, in the column `strategy`
TEXT = pa.string()
CARDS = tuple(f"card_{i + 1}" for i in range(names.MAX_IN_PLAY))
GAMES = {
    "game_id": "int64", "players": "int8", "rounds": "int16", "minutes": "int16", "ending": TEXT, "winner_seats": TEXT,
    "n_winners": "int8", "first_seat": "int8", **dict.fromkeys(CARDS, TEXT), "date": TEXT, "source": TEXT,
    "kind": TEXT,
}  # fmt: skip
SEATS = {
    "game_id": "int64", "seat": "int8", "leader": TEXT, "strategy": TEXT, "player": TEXT, "order": "int8", "won": "float64",
    "agendas": "int8", "team": TEXT,
}  # fmt: skip
TABLES = {"games": GAMES, "seats": SEATS}
PART = re.compile(r"part-\d{6,}\.parquet")
OURS = re.compile(
    rf"({'|'.join(TABLES)})/part-\d{{6,}}\.parquet"
)  # what an earlier import may have left; nothing else is removed


@dataclass(frozen=True)
class PlaysFile:
    """Plays of one number of players: their file in each table's folder, how many they are, whether programs or strategies
    played seats, and their kind (names.PLAY_KINDS)."""

    name: str
    players: int
    plays: int
    strategies: bool = False
    kind: str = names.SINGLE


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


def check(out: Path) -> dict[str, Any]:
    """Return the manifest of plays that are in the folder, {} if it is new or empty; raise UserError if it is another's."""
    if is_plays(out):
        return read_manifest(out)
    killed = FILE in file_ownership.ours_in(out) and not (out / FILE).exists()  # an import, before its last file, the manifest
    if not killed:
        with kept_files.usable(out):
            file_ownership.check_folder(out, "", "plays", "one of plays")
    return {}


def is_plays(path: Place) -> bool:
    """Say whether a folder's manifest is one of plays."""
    try:
        return bool(json_in(path / FILE).get("kind") == KIND)
    except (UserError, AttributeError):
        return False


def read_manifest(path: Place) -> dict[str, Any]:
    """Return the manifest of a folder of plays; raise UserError if it is none or damaged."""
    file = path / FILE
    if not is_plays(path):
        raise UserError(f"{path}: not a folder of plays; expected one as `newdawn plays import` writes it", file=str(path))
    found = kept_files.read(file, WHAT, AGAIN, unsealed=True)
    if found.get("schema_version") != SCHEMA_VERSION:
        raise UserError(f"{file}: schema version {found.get('schema_version')}; this program reads version {SCHEMA_VERSION}")
    with plainly(file, WHAT, again=AGAIN):
        for one in [PlaysFile(**part) for part in found["parts"]]:
            if not (
                PART.fullmatch(one.name)
                and type(one.players) is type(one.plays) is int
                and type(one.strategies) is bool
                and one.kind in names.PLAY_KINDS
            ):
                raise ValueError(f"parts: {one} is not valid")
        rules, _ = found["ruleset"], dict(found["files"])
        if digest_of(rules["data"]) != rules["digest"] or box_of(rules["data"]) != rules["box"] or not rules["data"]["leaders"]:
            raise ValueError("its rules do not match their digest")
        return found


def read_part(path: Place, manifest: dict[str, Any], table: str, name: str) -> pa.Table:
    """Return one file of a table; raise DamagedTable if it is not as it was written."""
    file = path / table / name
    with plainly(file, "a table of plays", DamagedTable, AGAIN):
        content = file.read_bytes()
        if hashlib.sha256(content).hexdigest() != manifest["files"].get(f"{table}/{name}"):
            raise DamagedTable(f"{file}: has changed since it was written (its checksum differs); {AGAIN}")
        return parquet_of(pa.BufferReader(content), file, AGAIN, error=DamagedTable)


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
