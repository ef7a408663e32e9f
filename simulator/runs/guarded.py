"""The process in which functions of users play under guard (see guard.py): what they do is checked, errors end it.

Run as ``python -m newdawn.simulator.runs.guarded FOLDER``. The folder holds the job; where the game stands is kept in shared
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

from ..engine import state
from ..engine.agendas import settle
from ..engine.compile import functions as own_functions
from ..engine.compile.functions import CALL, record_at
from ..rules.record import RULES
from . import guard, run
from .guard import ANSWERING, ASKED, BEGUN, DECISION, GAME, KIND, SEAT, Job
from .run import Player

NOTES_AT = state.STATE.fields["notes"][1]  # type: ignore[index]
AT_A_MOMENT = -1  # in the place of the kind of a question
KEPT = tuple(
    name for name in state.WORK.names or () if name not in (*state.SCRATCH, "option", "grid", "log", "asked", "asked_options")
)

# How the engine calls what the rules name: rules, game, workspace and strategies, seat, space, amount.
CALL_DEED = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64,
    ctypes.c_int64,
)  # fmt: skip

CALL_COLUMN = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


def frozen(g: Any, w: Any, seat: int, n: int) -> list[bytes]:
    """Return all that an answer has to leave as it is: the game but for the seat's notes, the options, the workspace."""
    raw = bytearray(np.asarray(g).tobytes())
    start = NOTES_AT + seat * state.NOTES * 4
    raw[start : start + state.NOTES * 4] = bytes(state.NOTES * 4)
    return [bytes(raw), w.option[:n].tobytes(), b"".join(np.asarray(w[name]).tobytes() for name in KEPT)]


class Guarded:
    """A strategy as the engine calls it: it is asked, and its answer checked."""

    call_type: Any = CALL

    def __init__(self, number: int, function: Any, place: np.ndarray, folder: Path) -> None:
        self.number, self.function, self.place, self.folder = number, function, place, folder
        self.callback = self.call_type(self.ask)
        self.address = ctypes.cast(self.callback, ctypes.c_void_p).value

    def ask(self, *asked: int) -> int:
        """Return the strategy's answer. Nothing may be raised here: the caller is compiled code."""
        try:
            return self.checked(*asked)
        except BaseException as error:
            self.fault(own_functions.said(error))

    def checked(self, r_at: int, g_at: int, w_at: int, seat: int, kind: int, n: int, u: int) -> int:
        """Ask the strategy, and look at what it answers and at what it leaves behind."""
        rules, g, w = record_at(r_at, RULES), record_at(g_at, state.STATE), record_at(w_at, state.WORK)
        place = self.place
        place[SEAT], place[KIND], place[DECISION] = seat, kind, g.stat_decisions
        place[ASKED + self.number] += 1
        before = [*frozen(g, w, seat, n), rules.tobytes()]
        outer = place[ANSWERING]  # what the rules call may ask for a decision
        place[ANSWERING], place[BEGUN] = self.number, time.monotonic_ns()
        answer = self.function(rules, g, w, seat, kind, n, np.uint64(u))
        place[ANSWERING], place[BEGUN] = outer, time.monotonic_ns()
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


class GuardedDeed(Guarded):
    """What the rules call at a moment, as the engine calls it: it is called, and the game checked."""

    call_type = CALL_DEED

    def checked(self, r_at: int, g_at: int, w_at: int, bots_at: int, p: int, s: int, amount: int) -> int:  # type: ignore[override]
        """Call the function, and look at the rules and the game that it leaves behind."""
        from ..engine import audit
        from ..engine.compile.argument_types import BOTS

        rules, g, w, bots = (
            record_at(r_at, RULES),
            record_at(g_at, state.STATE),
            record_at(w_at, state.WORK),
            record_at(bots_at, BOTS),
        )
        place, before = self.place, rules.tobytes()
        place[SEAT], place[KIND], place[DECISION] = p, AT_A_MOMENT, g.stat_decisions
        place[ASKED + self.number] += 1
        place[ANSWERING], place[BEGUN] = self.number, time.monotonic_ns()
        self.function(rules, g, w, bots, p, s, amount)
        place[ANSWERING] = -1
        place[SEAT], place[KIND], place[DECISION] = p, AT_A_MOMENT, g.stat_decisions
        if before != rules.tobytes():
            self.fault("changes the rules")
        g.stale = (1 << int(g.players)) - 1
        settle(rules, g, w, bots)
        audit.audit(rules, g, w)
        if w.violation != 0:
            self.fault(f"leaves a game that cannot be: {audit.VIOLATIONS[w.violation]}")
        return 0


class GuardedColumn(Guarded):
    """What fills a column, as the engine calls it: it is asked, and the game looked at."""

    call_type = CALL_COLUMN

    def checked(self, r_at: int, g_at: int, w_at: int, seat: int) -> float:  # type: ignore[override]
        """Call the function, and look at what it says and at what it leaves behind."""
        rules, g, w = record_at(r_at, RULES), record_at(g_at, state.STATE), record_at(w_at, state.WORK)
        place = self.place
        place[SEAT], place[KIND], place[DECISION] = seat, AT_A_MOMENT, g.stat_decisions
        place[ASKED + self.number] += 1
        before = [np.asarray(g).tobytes(), *frozen(g, w, seat, 0)[2:], rules.tobytes()]
        place[ANSWERING], place[BEGUN] = self.number, time.monotonic_ns()
        said = float(self.function(rules, g, w, seat))
        place[ANSWERING] = -1
        after = [np.asarray(g).tobytes(), *frozen(g, w, seat, 0)[2:], rules.tobytes()]
        for what, old, new in zip(("the game", "the workspace", "the rules"), before, after, strict=True):
            if old != new:
                self.fault(f"changes {what}")
        return said


def main(folder: Path) -> None:
    """Play the games of the job."""
    run.end_with(os.getppid())
    # Written by the process that started this one, into a folder that only this user can read.
    job: Job = pickle.loads((folder / guard.JOB).read_bytes())
    sys.path[:] = job.path
    place = np.memmap(folder / guard.PLACE, np.int64, "r+")
    r = np.frombuffer(bytearray(job.rules), RULES).view(np.recarray)[0]
    guard.trust(job.plan, r)
    player = Player(job.plan, r)
    guarded: list[Guarded] = []
    for number, strategy in enumerate(guard.foreign(job.plan)):
        one = Guarded(number, strategy.load(), place, folder)
        guarded.append(one)
        player.library[job.plan.library().index(strategy.name)] = one.address
    for number, function in enumerate(own_functions.load(r)):
        one = GuardedDeed(len(guarded), function, place, folder)
        guarded.append(one)
        r.function_address[number] = one.address
    if player.counting is not None:
        start = len(player.counting.counters) - len(job.plan.columns)
        for number, column in enumerate(job.plan.columns, start):
            one = GuardedColumn(len(guarded), column.load(), place, folder)
            guarded.append(one)
            player.counting.counters[number] = one.address or 0
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
