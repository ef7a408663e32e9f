"""Shards in a run folder: which games each holds, and how it appears whole or not at all.

A shard is four files, one in each table's folder, and a checksum file. They are written and forced to disk in a
staging folder first, the checksum file last: with it, the staged shard is complete. Then they are moved into place,
one rename each, `games` last of the tables and the checksum file last of all. A process killed between two renames
leaves the rest in the staging folder, and `recover` finishes the moves. So a game that is in `games` is in all tables.
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

from .schema import TABLES

STAGING = ".unfinished"
STAGED = re.compile(r"part-(\d{6,})\.[0-9a-f]{8}")  # name of a staged shard
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


def shard_file(out: Path, table: str, index: int) -> Path:
    """Return the file of a shard of a table."""
    return out / table / f"{part(index)}.parquet"


def checksum_file(out: Path, index: int) -> Path:
    """Return the file with the checksums of a shard; `sha256sum -c` reads it in the run folder."""
    return out / CHECKSUMS / f"{part(index)}.sha256"


def shard_done(out: Path, index: int) -> bool:
    """Say whether the shard is there with all its files."""
    return checksum_file(out, index).is_file() and all(shard_file(out, table, index).is_file() for table in TABLES)


def write_files(out: Path, index: int, files: Mapping[str, bytes]) -> None:
    """Write the files of a shard, one for each table; other processes see all of them or none. May raise OSError."""
    staged = out / STAGING / f"{part(index)}.{secrets.token_hex(4)}"
    staged.mkdir(parents=True)
    try:
        lines = []
        for table in TABLES:
            _write(staged / f"{table}.parquet", files[table])
            lines.append(f"{hashlib.sha256(files[table]).hexdigest()}  {table}/{part(index)}.parquet\n")
        _write(staged / "sha256.part", "".join(lines).encode())
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
    moves = [(staged / f"{table}.parquet", shard_file(out, table, index)) for table in MOVE_ORDER]
    for source, target in [*moves, (staged / "sha256", checksum_file(out, index))]:
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


def recover(out: Path, shards: Iterable[Shard]) -> None:
    """Tidy up what killed processes left: finish complete staged shards, drop all else that is not whole.

    A shard that has lost a file is dropped, so that the tables agree with each other again; it will be played anew.
    """
    for index, staged in _staged(out):
        if (staged / "sha256").is_file():
            _move(out, index, staged)
        else:
            _remove_staged(staged)
    for shard in shards:
        if not shard_done(out, shard.index):
            drop(out, shard.index)


def drop(out: Path, index: int) -> None:
    """Remove what there is of a shard, `games` first."""
    for path in (checksum_file(out, index), *(shard_file(out, table, index) for table in reversed(MOVE_ORDER))):
        path.unlink(missing_ok=True)


def close(out: Path) -> None:
    """Remove the staging folder when all shards are finished, with what lost workers of a cluster may have left.

    Files of others stay, and the folder with them.
    """
    for _, staged in _staged(out):
        _remove_staged(staged)
    with suppress(OSError):
        (out / STAGING).rmdir()


def damage(out: Path, index: int) -> str | None:
    """Compare a shard with its checksums; return None if it is as it was written, or what is wrong and where."""
    try:
        wanted = _checksums(checksum_file(out, index))
        known = [(shard_file(out, table, index), wanted[f"{table}/{part(index)}.parquet"]) for table in TABLES]
    except (OSError, ValueError, KeyError):
        return f"{checksum_file(out, index)}: no readable checksums"
    return next(filter(None, (_file_damage(path, digest) for path, digest in known)), None)


def table_damage(out: Path, table: str, name: str) -> str | None:
    """Compare one table of a shard, ``part-….parquet``, with its checksum; None if all is well or none is there yet."""
    path = (out / CHECKSUMS / name).with_suffix(".sha256")
    try:
        digest = _checksums(path).get(f"{table}/{name}")
    except FileNotFoundError:  # it is the last file of a shard to appear, and written by this program only
        return None
    except (OSError, ValueError):
        return f"{path}: no readable checksums"
    return _file_damage(out / table / name, digest) if digest else None


def _checksums(path: Path) -> dict[str, str]:
    """Return the digests in a checksum file by the names of the files. May raise OSError and ValueError."""
    lines = path.read_text(encoding="ascii").splitlines()
    return {name: digest for digest, name in (line.split("  ") for line in lines)}


def _file_damage(path: Path, digest: str) -> str | None:
    """Return what is wrong with a file that has to have this digest, or None."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"{path}: cannot be read: {error.strerror or error}"
    return None if found == digest else f"{path}: is not as it was written (its checksum differs)"


def strangers(out: Path, shards: Iterable[Shard]) -> Iterator[Path]:
    """Yield files in the tables' folders that belong to no shard of the run; pandas would read them along."""
    for table in TABLES:
        known = {f"{shard.name}.parquet" for shard in shards}
        yield from (path for path in sorted((out / table).glob("*")) if path.name not in known)


def segments_of(manifest: Mapping[str, Any]) -> list[Segment]:
    """Return the segments of a manifest. May raise KeyError or TypeError."""
    return [Segment(**segment) for segment in manifest["segments"]]
