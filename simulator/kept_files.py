"""Files that are kept outside run folders: games of searches, trainings, answers, imported plays, games at the table.

A file is written whole, or grows by whole records (`Journal`). It carries a digest of itself, the rules and the version of the
program; the writer holds the lock of the folder. A file that does not match its digest is refused in one line that says how to
make it anew. docs/running.md says which files of other versions are read.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from . import file_ownership, reading
from .compile_cache import same_games
from .errors import UserError, as_named
from .file_ownership import write_whole

DIGEST = "digest"
NOT_COMPARED = ("program", "versions", "host")  # in a description only for its readers
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # raised when no description was read
AGAIN = "remove it: the same command plays its games again"
MOST = 1 << 30  # bytes of one record of a journal

# Files that mark the folder of an answer (analysis/tables/kept_answers.py): of most commands; of an experiment; of a ladder,
# of one strategy against copies of another.
FINDINGS, EXPERIMENT, MIXED, COPIES = "findings.json", "experiment.json", "ladder", "against"
LADDERS = tuple(f"{stem}.json" for stem in (MIXED, COPIES))
ASKED_BY = {"ban": "experiment ban", "move": "experiment move", COPIES: "ladder"}  # commands of answers with names of their own


def digest_of(content: Any) -> str:
    """Return the SHA-256 of bytes, or of data as canonical JSON."""
    if not isinstance(content, bytes):
        content = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(content).hexdigest()


def asked_by(command: str) -> str:
    """Return what one types for an answer's command: 'experiment ban' for 'ban'."""
    return ASKED_BY.get(command, command)


def answer_in(folder: Path) -> str:
    """Return the command whose answer a folder holds, such as 'experiment'; '' if it holds none."""
    if (folder / FINDINGS).is_file():
        with suppress(UserError, *UNREADABLE):
            return asked_by(str(reading.json_in(folder / FINDINGS, "an answer")["command"]))
    if (folder / EXPERIMENT).is_file():
        return "experiment"
    return "ladder" if any((folder / name).is_file() for name in LADDERS) else ""


# ---------------------------------------------------------------------- files that are written whole


def as_text(content: Mapping[str, Any], indent: int | None = 1) -> str:
    """Return the text of a kept file: the content as JSON, with its digest."""
    data = json.loads(as_named(json.dumps(content, ensure_ascii=False)))  # as it will be read
    return json.dumps(data | {DIGEST: digest_of(data)}, indent=indent, ensure_ascii=False) + "\n"


def write(path: Path, content: Mapping[str, Any]) -> None:
    """Write a kept file, whole or not at all. May raise OSError."""
    write_whole(path, as_text(content).encode())


def read(path: Any, what: str, again: str = AGAIN, unsealed: bool = False) -> dict[str, Any]:
    """Return what a kept file holds; raise UserError if that is no JSON, or not what was written.

    `unsealed`: also read files of versions that wrote no digest.
    """
    return opened(path, reading.json_in(path, what, again), what, again, unsealed)


def opened(path: Any, data: Any, what: str, again: str = AGAIN, unsealed: bool = False) -> dict[str, Any]:
    """Return the JSON `data` of a kept file without its digest; raise UserError if it does not match that."""
    if not isinstance(data, dict):
        raise UserError(f"{path}: not {what}; {again}", file=str(path))
    content = dict(data)
    digest = content.pop(DIGEST, None)
    if digest is None and unsealed:
        return content
    if digest is None:
        raise UserError(f"{path}: holds {what} of an earlier version of this program, which cannot be checked; {again}")
    check_digest(path, digest_of(content), digest, again)
    return content


def check_digest(path: Any, digest: str, written: Any, again: str = AGAIN) -> None:
    """Raise UserError if a file's digest is not the one that was written with it."""
    if digest != written:
        raise UserError(f"{path}: has changed since it was written (its digest differs); {again}", file=str(path))


# ---------------------------------------------------------------------- folders of one question


@contextmanager
def held(out: Path, file: str, things: str) -> Iterator[Path]:
    """Hold a folder for `things`, new or with the file in it, and yield the file's path; raise UserError for another folder."""
    with ExitStack() as stack:
        with usable(out):
            stack.enter_context(file_ownership.opened(out, file, things, "that of the same question"))
        yield out / file


def describe(path: Path, wanted: Mapping[str, Any], things: str) -> None:
    """Write the description of a folder; raise UserError if it has one already and that differs."""
    with usable(path.parent):
        if not path.is_file():
            write(path, wanted)
            return
    what = f"the description of a folder of {things}"
    check_same(path, read(path, what, "choose another --out", unsealed=True), wanted, things)


def check_same(path: Path, old: Mapping[str, Any], wanted: Mapping[str, Any], things: str) -> None:
    """Raise UserError if the things described are not those wanted: of other rules, another version or another question."""
    try:
        if old["ruleset"]["digest"] != wanted["ruleset"]["digest"]:
            raise UserError(f"{path}: holds {things} of other rules ('{old['ruleset']['name']}'); choose another --out")
        if not same_games(old["engine"]):
            raise UserError(f"{path}: holds {things} of another version of this program; choose another --out")
        for key, value in wanted.items():
            if key in NOT_COMPARED or key == "engine" or old[key] == value:
                continue
            entries = value if isinstance(value, Mapping) else {}
            other = next((entry for entry in entries if old[key].get(entry) != entries[entry]), key)
            raise UserError(f"{path}: holds other {things}: their '{other}' is not what is asked for; choose another --out")
    except UNREADABLE:
        raise UserError(f"{path}: not the description of a folder of {things}; choose another --out") from None


@contextmanager
def usable(out: Path) -> Iterator[None]:
    """Turn an error of the disk's into one line about the folder."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{out}: cannot be used: {error.strerror or error} (--out)") from None


@contextmanager
def writing(out: Path, things: str) -> Iterator[None]:
    """Turn an error of the disk's into one line that says what is kept."""
    try:
        yield
    except OSError as error:
        raise UserError(
            f"{out}: cannot write: {error.strerror}; finished {things} are kept, the same command continues"
        ) from None


# ---------------------------------------------------------------------- files that grow


class Journal:
    """A file that grows by records, the first of which describes it (`header`).

    A record is a line of JSON, followed by as many bytes as its `bytes` says. Its digest includes that of the record before it,
    so that none can be changed, moved or left out. An unfinished record at the end is removed. The caller holds the lock.
    """

    BEGINS = b'{"digest": "'

    def __init__(self, path: Path, header: Mapping[str, Any], things: str) -> None:
        self.path, self.header, self.things = path, json.loads(json.dumps(header)), things
        self.last = ""  # digest of the last record; "" before the first

    def read(self) -> list[tuple[dict[str, Any], bytes]]:
        """Return the records behind the header; raise UserError if the file is of other things, or not as it was written."""
        self.last = ""
        records: list[tuple[dict[str, Any], bytes]] = []
        if not self.path.is_file():
            return records
        with usable(self.path.parent), self.path.open("r+b") as file:
            whole = 0
            while (record := self._next(file)) is not None:
                records.append(record)
                whole = file.tell()
            file.seek(0)
            if not whole and (begin := file.read(len(self.BEGINS))) and not self.BEGINS.startswith(begin):
                raise self._strange()
            file.truncate(whole)
        if records:
            check_same(self.path, records[0][0], self.header, self.things)
        return records[1:]

    def _next(self, file: Any) -> tuple[dict[str, Any], bytes] | None:
        """Return the next record; None at the end of the file, or where it is cut off."""
        line = file.readline()
        if not line.endswith(b"\n"):
            return None
        first = not self.last
        try:
            record = reading.clean(json.loads(line))
            digest, size = record.pop(DIGEST), record.get("bytes", 0)
        except Exception:  # the line may hold anything
            raise self._strange() if first else self._changed() from None
        if type(size) is not int or not 0 <= size <= MOST:
            raise self._changed()
        content = file.read(size + 1) if size else b""
        if size and len(content) <= size:
            return None
        if not content.endswith(b"\n") and size:
            raise self._changed()
        self.last = self._sealed(record, content[:size])
        if self.last != digest:
            raise self._changed()
        return record, content[:size]

    def _sealed(self, record: Mapping[str, Any], content: bytes) -> str:
        return digest_of(f"{self.last} {digest_of(record)} ".encode() + content)

    def _changed(self) -> UserError:
        return UserError(f"{self.path}: has changed since it was written (its digest differs); {AGAIN}", file=str(self.path))

    def _strange(self) -> UserError:
        return UserError(
            f"{self.path}: not {self.things} that this version keeps; choose another folder (--out)", file=str(self.path)
        )

    def append(self, record: Mapping[str, Any], content: bytes = b"") -> None:
        """Add a record, on the disk at once; a new file gets its header first. May raise OSError."""
        parts = []
        sized = {**record, "bytes": len(content)} if content else dict(record)
        for data, attached in [*([] if self.last else [(self.header, b"")]), (sized, content)]:
            self.last = self._sealed(json.loads(json.dumps(data)), attached)
            line = json.dumps({DIGEST: self.last, **data}, ensure_ascii=False)
            parts.append(line.encode() + b"\n" + (attached + b"\n" if attached else b""))
        with self.path.open("ab") as file:
            file.write(b"".join(parts))
            file.flush()
            os.fsync(file.fileno())
