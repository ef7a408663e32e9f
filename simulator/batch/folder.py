"""Shards in a run folder: which games each holds, and how it appears whole or not at all.

A shard is four files, one in each table's folder, and a checksum file. They are written and forced to disk in a
staging folder first, the checksum file last: with it, the staged shard is complete. Then they are moved into place,
one rename each, `games` last of the tables and the checksum file last of all. A process killed between two renames
leaves the rest in the staging folder, and `recover` finishes the moves. So a game that is in `games` is in all tables.

At an address, where nothing can be moved, the files are put in the same order, each whole; `recover` drops what is left of a
shard that was not finished. Everywhere, the staging folder is there until all shards are.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from . import places
from .places import Place
from .schema import TABLES
from .tables import label_of

MOST_SHARDS = 10_000_000  # a run has 4,000 at most, runs that were merged have more
STAGING = ".unfinished"
OPEN = "run"  # an object in it, at an address
STAGED = re.compile(r"part-(\d{6,})\.[0-9a-f]{8}")  # name of a staged shard
PART = re.compile(r"part-(\d{6,})\.(parquet|sha256)")  # name of a file of a finished shard
CHECKSUMS = "checksums"
# `games` last: whoever reads the folders with pandas takes the games in `games` as the finished ones.
MOVE_ORDER = tuple(sorted(TABLES, key=lambda table: table == "games"))


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


def present(out: Place) -> dict[int, set[str]]:
    """Return for each shard of which there is anything the tables that are there, and CHECKSUMS. May raise OSError."""
    found: dict[int, set[str]] = {}
    for kind in (CHECKSUMS, *reversed(MOVE_ORDER)):  # against the order in which they appear: the run may be going on
        ending = "sha256" if kind == CHECKSUMS else "parquet"
        for name in filter(None, map(PART.fullmatch, places.names(out / kind))):
            if name[2] == ending:
                found.setdefault(int(name[1]), set()).add(kind)
    return found


def finished(out: Place) -> set[int]:
    """Return the numbers of the shards that are there with all their files. May raise OSError."""
    return {index for index, kinds in present(out).items() if len(kinds) == len(MOVE_ORDER) + 1}


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
    checksums = "".join(f"{hashlib.sha256(files[table]).hexdigest()}  {table}/{part(index)}.parquet\n" for table in TABLES)
    if isinstance(out, Path):
        _stage(out, index, files, checksums.encode(), shared)
        return
    for table in MOVE_ORDER:
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
        for table in TABLES:
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
    moves = [(staged / f"{table}.parquet", out / table / f"{part(index)}.parquet") for table in MOVE_ORDER]
    for source, target in [*moves, (staged / "sha256", out / CHECKSUMS / f"{part(index)}.sha256")]:
        # It may be gone: moved before a kill, or just now by a worker that has outlived its killed parent.
        with suppress(FileNotFoundError):
            source.replace(target)
    with suppress(OSError):
        staged.rmdir()


def _remove_staged(staged: Path) -> None:
    """Remove a staged shard: the files that `write_files` writes, and the folder if nothing else is in it."""
    for name in (*(f"{table}.parquet" for table in TABLES), "sha256.part", "sha256"):
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


def recover(out: Place, shards: Iterable[Shard]) -> None:
    """Tidy up what killed processes left: finish complete staged shards, drop all else that is not whole.

    A shard that has lost a file is dropped, so that the tables agree with each other again; it will be played anew.
    """
    if isinstance(out, Path):
        for index, staged in _staged(out):
            if (staged / "sha256").is_file():
                _move(out, index, staged)
            else:
                _remove_staged(staged)
    there = present(out)
    for index in sorted(there.keys() & {shard.index for shard in shards}):
        if len(there[index]) < len(MOVE_ORDER) + 1:
            drop(out, index)


def drop(out: Place, index: int) -> None:
    """Remove what there is of a shard, `games` first."""
    for path in (checksum_file(out, index), *(shard_file(out, table, index) for table in reversed(MOVE_ORDER))):
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


def damage(out: Place, index: int, label: str | None = None) -> str | None:
    """Compare a shard with its checksums, and with the label its tables must have if the run has any.

    Return None if it is as it was written, or what is wrong and where.
    """
    try:
        wanted = _checksums(checksum_file(out, index))
        known = [(shard_file(out, table, index), wanted[f"{table}/{part(index)}.parquet"]) for table in TABLES]
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
        digest = _checksums(path).get(f"{table}/{name}")
    except FileNotFoundError:  # it is the last file of a shard to appear, and written by this program only
        digest = None
    except (OSError, ValueError):
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
    for table in TABLES:
        yield from (out / table / name for name in places.names(out / table) if name not in known)


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
