"""The folder that plays are kept in."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from .. import file_ownership, kept_files, names
from ..errors import DamagedTable, UserError
from ..reading import json_in, parquet_of, plainly
from ..rules.ruleset_contents import box_of, digest_of
from ..runs.manifest import FILE
from ..runs.run_folder import SCHEMA_VERSION, Place

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


@dataclass(frozen=True)
class PlaysFile:
    """Plays of one number of players: their file in each table's folder, how many they are, whether programs or strategies
    played seats, and their kind (names.PLAY_KINDS)."""

    name: str
    players: int
    plays: int
    strategies: bool = False
    kind: str = names.SINGLE


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
