"""Games that a command plays in memory, kept in the folder of its answer until that is written: a stopped command continues.

`kept_games` opens the folder around a command; what is then played by `played` is read from there or added to it.
"""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .. import file_ownership
from ..compile_cache import source_digest
from ..kept_files import AGAIN, Journal, digest_of, usable, writing
from ..reading import plainly
from .run import Observer, in_threads
from .run_plan import Plan

FILE = "played.games"
BUSY = "is playing games there; wait for it, or choose another folder"
SECONDS = 1.0  # between two records: what a kill loses at most, beside the pieces that are being played

Arrays = list[np.ndarray]


@dataclass(frozen=True)
class Piece:
    """A range of games of a plan under compiled rules: what it is known by, and how its arrays are played (None: stopped).

    `what` is everything else that the arrays depend on: line-ups, columns.
    """

    plan: Plan
    r: Any
    first: int
    n: int
    play: Callable[[threading.Event], Arrays | None]
    what: str = ""

    @property
    def key(self) -> str:
        """Return the digest of all that decides about the piece."""
        plan = {name: value for name, value in self.plan.as_dict().items() if name != "games"}
        return digest_of({"plan": plan, "rules": digest_of(self.r.tobytes()), "games": [self.first, self.n], "what": self.what})


class Pieces:
    """The pieces kept in a file."""

    def __init__(self, path: Path, ruleset: Any) -> None:
        about = {"kept": "games of an answer", "ruleset": {"name": ruleset.name, "digest": ruleset.digest()}}
        self.journal = Journal(path, about | {"engine": source_digest()}, "games")
        self.kept: dict[str, bytes] = {}
        self.fresh: dict[str, bytes] = {}
        self.written = time.monotonic()
        self.whole = True  # nothing was stopped
        with plainly(path, "games of this program", again=AGAIN):
            for record, content in self.journal.read():
                at = 0
                for key, size in record["pieces"]:
                    self.kept[key] = content[at : at + size]
                    at += size

    def add(self, key: str, arrays: Arrays) -> None:
        """Keep a piece, on the disk within a second of play."""
        file = io.BytesIO()
        np.savez_compressed(file, *arrays)
        self.fresh[key] = file.getvalue()
        if time.monotonic() - self.written >= SECONDS:
            self.write()

    def arrays(self, key: str) -> Arrays:
        """Return the arrays of a piece that is kept."""
        with plainly(self.journal.path, "games of this program", again=AGAIN), np.load(io.BytesIO(self.kept[key])) as file:
            return [file[name] for name in file.files]

    def write(self) -> None:
        """Write what is not on the disk yet."""
        if self.fresh:
            with writing(self.journal.path.parent, "games"):
                record = {"pieces": [[key, len(content)] for key, content in self.fresh.items()]}
                self.journal.append(record, b"".join(self.fresh.values()))
            self.fresh = {}
        self.written = time.monotonic()


_open: list[Pieces] = []  # of the command that runs


@contextmanager
def kept_games(out: Path | None, ruleset: Any) -> Iterator[None]:
    """Keep what is played meanwhile in the folder of an answer; remove it if all was played and the body ends well.

    Without a folder nothing is kept.

    Raises UserError if the folder holds games of other rules or of another version, or another process plays there.
    """
    if out is None:
        yield
        return
    with ExitStack() as stack:
        with usable(out):
            if not out.exists():
                out.mkdir(parents=True)
                stack.callback(_remove_empty, out)
            stack.enter_context(file_ownership.held(out / FILE, BUSY))
        store = Pieces(out / FILE, ruleset)
        _open.append(store)
        try:
            yield
        except BaseException:
            store.write()
            raise
        else:
            if not store.whole:
                store.write()
            else:
                (out / FILE).unlink(missing_ok=True)
        finally:
            _open.pop()


def _remove_empty(folder: Path) -> None:
    if not any(folder.iterdir()):
        folder.rmdir()


def played(pieces: Iterable[Piece], jobs: int, observer: Observer) -> Generator[Arrays, None, None]:
    """Play pieces in threads and yield their arrays in order; those that are kept are read instead."""
    if not _open:
        with closing(in_threads((piece.play for piece in pieces), jobs)) as results:
            yield from results
        return
    store, wanted = _open[-1], [(piece.key, piece) for piece in pieces]
    missing = [piece.play for key, piece in wanted if key not in store.kept]
    whole, store.whole = store.whole, False  # until the last piece is there
    with closing(in_threads(missing, jobs)) as results:
        for key, piece in wanted:
            if key in store.kept:
                observer.add(piece.n)
                yield store.arrays(key)
                continue
            arrays = next(results, None)
            if arrays is None:
                return
            store.add(key, arrays)
            yield arrays
    store.whole = whole
