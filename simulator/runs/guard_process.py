"""The process in which functions of users play under guard (see guard.py): it checks every call and ends at the first fault.

Run as ``python -m newdawn.simulator.runs.guard_process FOLDER``. The folder holds the job, the last call in shared memory, for
the process that waits, and the fault, in words.
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
from ..engine.compile import user_functions as own_functions
from ..engine.compile.user_functions import CALL, record_at
from ..engine.winning import settle
from ..rules.record import RULES
from . import guard, run
from .guard import ANSWERING, ASKED, BEGUN, DECISION, GAME, KIND, SEAT, GuardedGames
from .run import Player, function_of_column

NOTES_AT = state.STATE.fields["notes"][1]  # type: ignore[index]
AT_A_MOMENT = -1  # in place of the kind of a decision
UNCHANGED = tuple(
    name for name in state.WORK.names or () if name not in (*state.SCRATCH, "option", "grid", "log", "asked", "asked_options")
)

# How the engine calls a function of house rules: rules, game, workspace, strategies, seat, space, amount.
CALL_DEED = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64,
    ctypes.c_int64,
)  # fmt: skip

CALL_COLUMN = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


def frozen(g: Any, w: Any, seat: int, n: int) -> list[bytes]:
    """Return what an answer must not change: the game without the seat's notes, the options, the workspace."""
    raw = bytearray(np.asarray(g).tobytes())
    start = NOTES_AT + int(seat) * state.NOTES * 4
    raw[start : start + state.NOTES * 4] = bytes(state.NOTES * 4)
    return [bytes(raw), w.option[:n].tobytes(), b"".join(np.asarray(w[name]).tobytes() for name in UNCHANGED)]


class Guarded:
    """A strategy as the engine calls it, with its answer checked."""

    call_type: Any = CALL

    def __init__(self, number: int, function: Any, place: np.ndarray, folder: Path) -> None:
        self.number, self.function, self.place, self.folder = number, function, place, folder
        self.callback = self.call_type(self.ask)
        self.address = ctypes.cast(self.callback, ctypes.c_void_p).value

    def ask(self, *arguments: int) -> int:
        """Return the strategy's answer; raises nothing, because the caller is compiled code."""
        try:
            return self.checked(*arguments)
        except BaseException as error:
            self.fault(own_functions.said(error))

    def checked(self, r_at: int, g_at: int, w_at: int, seat: int, kind: int, n: int, u: int) -> int:
        """Return the strategy's answer after a check of it and of what it changed."""
        rules, g, w = record_at(r_at, RULES), record_at(g_at, state.STATE), record_at(w_at, state.WORK)
        place = self.place
        place[SEAT], place[KIND], place[DECISION] = seat, kind, g.stat_decisions
        place[ASKED + self.number] += 1
        before = [*frozen(g, w, seat, n), rules.tobytes()]
        outer = place[ANSWERING]  # a function of house rules may ask for a decision
        place[ANSWERING], place[BEGUN] = self.number, time.monotonic_ns()
        answer = self.function(rules, g, w, seat, kind, n, np.uint64(u))
        place[ANSWERING], place[BEGUN] = outer, time.monotonic_ns()
        after = [*frozen(g, w, seat, n), rules.tobytes()]
        for part, old, new in zip(("the game", "the options", "the workspace", "the rules"), before, after, strict=True):
            if old != new:
                self.fault(f"changes {part}")
        if not 0 <= answer < n:
            self.fault(f"answers {answer}, expected 0 to {n - 1}")
        return int(answer)

    def fault(self, text: str) -> NoReturn:
        """Write the fault into the folder and end the process."""
        self.place[ANSWERING] = self.number
        (self.folder / guard.FAULT).write_text(text, "utf-8")
        os._exit(guard.FAULTY)


class GuardedDeed(Guarded):
    """A function of house rules as the engine calls it, with the game checked."""

    call_type = CALL_DEED

    def checked(self, r_at: int, g_at: int, w_at: int, bots_at: int, p: int, s: int, amount: int) -> int:  # type: ignore[override]
        """Call the function and check the rules and the game after it."""
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
    """A function of a column as the engine calls it, with the game checked."""

    call_type = CALL_COLUMN

    def checked(self, r_at: int, g_at: int, w_at: int, seat: int) -> float:  # type: ignore[override]
        """Return the function's number after a check of what it changed."""
        rules, g, w = record_at(r_at, RULES), record_at(g_at, state.STATE), record_at(w_at, state.WORK)
        place = self.place
        place[SEAT], place[KIND], place[DECISION] = seat, AT_A_MOMENT, g.stat_decisions
        place[ASKED + self.number] += 1
        before = [np.asarray(g).tobytes(), *frozen(g, w, seat, 0)[2:], rules.tobytes()]
        place[ANSWERING], place[BEGUN] = self.number, time.monotonic_ns()
        number = float(self.function(rules, g, w, seat))
        place[ANSWERING] = -1
        after = [np.asarray(g).tobytes(), *frozen(g, w, seat, 0)[2:], rules.tobytes()]
        for part, old, new in zip(("the game", "the workspace", "the rules"), before, after, strict=True):
            if old != new:
                self.fault(f"changes {part}")
        return number


def main(folder: Path) -> None:
    """Play the games of the job."""
    run.end_with(os.getppid())
    # Written by the process that started this one, into a folder that only this user can read.
    job: GuardedGames = pickle.loads((folder / guard.JOB).read_bytes())
    sys.path[:] = job.path
    place = np.memmap(folder / guard.PLACE, np.int64, "r+")
    r = np.frombuffer(bytearray(job.rules), RULES).view(np.recarray)[0]
    guard.trust(job.plan, r)
    player = Player(job.plan, r)
    guarded: list[Guarded] = []
    for number, strategy in enumerate(guard.foreign(job.plan)):
        wrapper = Guarded(number, strategy.load(), place, folder)
        guarded.append(wrapper)
        player.library[job.plan.library().index(strategy.name)] = wrapper.address
    for number, function in enumerate(own_functions.load(r)):
        wrapper = GuardedDeed(len(guarded), function, place, folder)
        guarded.append(wrapper)
        r.function_address[number] = wrapper.address
    if player.counting is not None:
        start = len(player.counting.counters) - len(job.plan.columns)
        for number, column in enumerate(job.plan.columns, start):
            wrapper = GuardedColumn(len(guarded), function_of_column(column), place, folder)
            guarded.append(wrapper)
            player.counting.counters[number] = wrapper.address or 0
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
