"""The process in which strategies of users play under guard (see guard.py): every answer is checked, errors end it.

Run as ``python -m newdawn.simulator.batch.guarded FOLDER``. The folder holds the job; where the game stands is kept in shared
memory there, so that the process that waits can tell what was asked last, whatever becomes of this one. A fault is left
in the folder, in words.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from newdawn.simulator.batch import backends, guard
from newdawn.simulator.batch.guard import ANSWERING, ASKED, BEGUN, DECISION, GAME, KIND, SEAT, Job
from newdawn.simulator.batch.run import Player
from newdawn.simulator.engine.core.state import NOTES, STATE, WORK
from newdawn.simulator.rules.record import RULES

NOTES_AT = STATE.fields["notes"][1]  # type: ignore[index]
# Of the workspace a strategy may use these; the rest belongs to the engine.
SCRATCH = ("score", "dist", "mark", "queue", "fresh")
KEPT = tuple(name for name in WORK.names or () if name not in (*SCRATCH, "option", "grid", "log", "asked", "asked_options"))

# How the engine calls a strategy: rules, game and workspace come as addresses.
CALL = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64,
    ctypes.c_uint64,
)  # fmt: skip


def frozen(g: Any, w: Any, seat: int, n: int) -> list[bytes]:
    """Return all that an answer has to leave as it is: the game but for the seat's notes, the options, the workspace."""
    raw = bytearray(np.asarray(g).tobytes())
    start = NOTES_AT + seat * NOTES * 4
    raw[start : start + NOTES * 4] = bytes(NOTES * 4)
    return [bytes(raw), w.option[:n].tobytes(), b"".join(np.asarray(w[name]).tobytes() for name in KEPT)]


def record_at(address: int, dtype: np.dtype) -> Any:
    """Return the record that lies at an address."""
    memory = (ctypes.c_char * dtype.itemsize).from_address(address)
    return np.ndarray((1,), dtype, memory).view(np.recarray)[0]


class Guarded:
    """A strategy as the engine calls it: it is asked, and its answer checked."""

    def __init__(self, number: int, function: Any, place: np.ndarray, folder: Path) -> None:
        self.number, self.function, self.place, self.folder = number, function, place, folder
        self.callback = CALL(self.ask)
        self.address = ctypes.cast(self.callback, ctypes.c_void_p).value

    def ask(self, *asked: int) -> int:
        """Return the strategy's answer. Nothing may be raised here: the caller is compiled code."""
        try:
            return self.checked(*asked)
        except BaseException as error:
            self.fault(f"raises {type(error).__name__}: {' '.join(str(error).split()) or 'without a word'}")

    def checked(self, r_at: int, g_at: int, w_at: int, seat: int, kind: int, n: int, u: int) -> int:
        """Ask the strategy, and look at what it answers and at what it leaves behind."""
        rules, g, w = record_at(r_at, RULES), record_at(g_at, STATE), record_at(w_at, WORK)
        place = self.place
        place[SEAT], place[KIND], place[DECISION] = seat, kind, g.stat_decisions
        place[ASKED + self.number] += 1
        before = [*frozen(g, w, seat, n), rules.tobytes()]
        place[ANSWERING], place[BEGUN] = self.number, time.monotonic_ns()
        answer = self.function(rules, g, w, seat, kind, n, np.uint64(u))
        place[ANSWERING] = -1
        after = [*frozen(g, w, seat, n), rules.tobytes()]
        for what, old, new in zip(("the game", "the options", "the workspace", "the rules"), before, after, strict=True):
            if old != new:
                self.fault(f"changes {what}")
        if not 0 <= answer < n:
            self.fault(f"answers {answer}, expected 0 to {n - 1}")
        return int(answer)

    def fault(self, what: str) -> NoReturn:
        """Leave what is wrong in the folder and end the process."""
        self.place[ANSWERING] = self.number
        (self.folder / guard.FAULT).write_text(what, "utf-8")
        os._exit(guard.FAULTY)


def main(folder: Path) -> None:
    """Play the games of the job."""
    backends.end_with(os.getppid())
    # Written by the process that started this one, into a folder that only this user can read.
    job: Job = pickle.loads((folder / guard.JOB).read_bytes())
    sys.path[:] = job.path
    place = np.memmap(folder / guard.PLACE, np.int64, "r+")
    r = np.frombuffer(bytearray(job.rules), RULES).view(np.recarray)[0]
    guard.trust(job.plan, r)
    player = Player(job.plan, r)
    guarded = []
    for number, strategy in enumerate(guard.foreign(job.plan)):
        one = Guarded(number, strategy.load(), place, folder)
        guarded.append(one)
        player.library[job.plan.library().index(strategy.name)] = one.address
    rows = player.rows(1)
    began = time.monotonic()
    for game in range(job.first, job.first + job.most):
        place[GAME] = game
        player.play(game, 1, rows, 0, 0)
        enough = game - job.first + 1 >= job.least and (place[ASKED : ASKED + len(guarded)] > 0).all()
        if enough or time.monotonic() - began > job.seconds:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
