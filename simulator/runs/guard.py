"""Functions of users play their first games under guard, in a process of their own, before they play freely.

There every answer of a strategy must be the index of an option and leave game, options, workspace and rules unchanged; a
function of a column must change none of these; a function of house rules must leave the rules unchanged and the game
within its invariants. Errors, crashes and endless loops end that process only. A fault is one line: function, game, seat,
decision. Later games are played at full speed: the engine itself notices illegal answers and errors, and the games of an
error are played again under guard to find its place.

Strategies of this program are not guarded: tests check them.
"""

from __future__ import annotations

import hashlib
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import file_ownership
from ..errors import FIRST_SEAT, UserError
from ..names import MAX_LISTED, MAX_TO_DO
from ..rules.record import RULES
from ..user_modules import environment
from .run_plan import SeatedStrategy

if TYPE_CHECKING:
    from .run_plan import Plan


LEAST_GAMES, MOST_GAMES = 4, 64  # at least, and more until every function of the user's was called
SECONDS = 10.0  # after so long no further game is begun
DECISION_SECONDS = 10.0  # a longer answer counts as an endless loop

# Files in the folder that both processes share.
JOB, PLACE, FAULT = "job", "place", "fault"
FAULTY = 3  # exit code after a fault
CRASH_OF_WINDOWS = 0xC0000000  # and above, where Windows ends a process
# Numbers in PLACE: the strategy that is answering (-1: none) and since when (monotonic, ns), game, seat, decision, kind;
# then how often each function was called.
ANSWERING, BEGUN, GAME, SEAT, DECISION, KIND, ASKED = range(7)


@dataclass(frozen=True)
class GuardedGames:
    """Games `first` … of a plan: at least `least`, at most `most`, none begun after `seconds`."""

    plan: Plan
    rules: bytes
    first: int
    least: int
    most: int
    seconds: float
    path: list[str]


def foreign(plan: Plan) -> list[SeatedStrategy]:
    """Return the strategies of the plan whose function is a user's."""
    return [strategy for strategy in plan.own if strategy.source]


def is_guarded(plan: Plan, r: np.record) -> bool:
    """Say whether functions of users take part: strategies, functions of house rules or of columns."""
    return bool(foreign(plan)) or int(r.n_functions) > 0 or bool(plan.columns)


_vetted: set[Any] = set()
_vetting = threading.Lock()


def _key(plan: Plan, r: np.record) -> tuple[Any, ...]:
    # Without weights, of which tuning tries thousands, and addresses of functions, which differ between processes.
    functions = (
        *((strategy.function, strategy.source) for strategy in foreign(plan)),
        *((column.function, column.source) for column in plan.columns),
    )
    rules = bytearray(np.asarray(r).tobytes())
    field, start = RULES.fields["function_address"][:2]  # type: ignore[index]
    rules[start : start + field.itemsize] = bytes(field.itemsize)
    return (functions, plan.players, hashlib.sha256(rules).digest())


def trust(plan: Plan, r: np.record) -> None:
    """Let the functions of the plan play in this process; another one has vetted them."""
    if is_guarded(plan, r):
        _vetted.add(_key(plan, r))


def vet(plan: Plan, r: np.record) -> None:
    """Let the functions of users play the first games of the plan under guard; raise UserError for the first fault.

    Once a process for each set of functions, number of players and rules.
    """
    from ..engine.compile.jit import JIT_OFF

    if JIT_OFF or not is_guarded(plan, r):  # plain Python shows where an error is
        return
    with _vetting:
        key = _key(plan, r)
        if key not in _vetted:
            raise_first(guarded_fault(plan, r))
            _vetted.add(key)
    sys.unraisablehook = _note_error
    _late.error = None  # from games before these


def raise_first(fault: str | None) -> None:
    """Raise UserError if there is a fault."""
    if fault is not None:
        raise UserError(fault)


def guarded_fault(
    plan: Plan, r: np.record, first: int = 0, least: int = LEAST_GAMES, most: int = MOST_GAMES, seconds: float = SECONDS
) -> str | None:
    """Play games under guard, from number `first`; return the first fault as a line, None if there is none."""
    rules = np.asarray(r).tobytes()
    job = GuardedGames(replace(plan, games=max(plan.games, first + most)), rules, first, least, most, seconds, sys.path)
    with file_ownership.TemporaryFolder("newdawn-guard-") as name:
        folder = Path(name)
        (folder / JOB).write_bytes(pickle.dumps(job))
        names = _names(plan, r)
        place = np.memmap(folder / PLACE, np.int64, "w+", shape=(ASKED + len(names),))
        place[ANSWERING] = -1
        with (folder / "stderr").open("wb") as stderr:
            process = _start(folder, stderr)
            try:
                slow = _wait(process, place)
            finally:
                process.kill()
                process.wait()
        return _verdict(names, process.returncode, folder, place, slow)


def _start(folder: Path, stderr: Any) -> subprocess.Popen[bytes]:
    """Start the guarded process, out of reach of Ctrl-C: this process ends it."""
    return subprocess.Popen(
        [sys.executable, "-m", "newdawn.simulator.runs.guard_process", str(folder)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr, env=environment(),
        start_new_session=True, creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # POSIX; Windows
    )  # fmt: skip


def _wait(process: subprocess.Popen[bytes], place: np.ndarray) -> bool:
    """Wait for the process to end; return True if a decision took too long instead."""
    while process.poll() is None:
        if place[ANSWERING] >= 0 and time.monotonic_ns() - int(place[BEGUN]) > DECISION_SECONDS * 1e9:
            return True
        time.sleep(0.01)
    return False


def _verdict(names: list[str], code: int, folder: Path, place: np.ndarray, slow: bool) -> str | None:
    """Return the fault of the guarded process in a line, None if it had none."""
    if slow:
        fault = f"gives no answer for {DECISION_SECONDS:g} seconds, an endless loop?"
    elif code == FAULTY:
        fault = (folder / FAULT).read_text("utf-8")
    elif code < 0:
        fault = f"crashes ({signal.Signals(-code).name})"
    elif code >= CRASH_OF_WINDOWS:
        fault = f"crashes (0x{code:X})"
    elif code:
        errors = (folder / "stderr").read_text("utf-8", "replace").strip().splitlines()
        return f"{', '.join(names)}: cannot be played under guard: {errors[-1] if errors else f'exit code {code}'}"
    else:
        return None
    if place[ANSWERING] < 0:
        return f"{', '.join(names)}: game {place[GAME]}: the engine {fault}, after decision {place[DECISION]}"
    name = names[int(place[ANSWERING])]
    return fault_line(name, int(place[GAME]), int(place[SEAT]), int(place[DECISION]), int(place[KIND]), fault)


def _names(plan: Plan, r: np.record) -> list[str]:
    """Return the names of the users' functions: strategies, functions of house rules, of columns."""
    from ..engine.compile.user_functions import places

    deeds = (f"own function {place}" for place, _ in places(r))
    columns = (f"column {column.name}" for column in plan.columns)
    return [*(f"strategy {strategy.name}" for strategy in foreign(plan)), *deeds, *columns]


def fault_line(name: str, game: int, seat: int, decision: int, kind: int, fault: str) -> str:
    """Return a fault in a line; `kind` of the decision, -1 after it; `fault`: what is wrong."""
    from ..engine import decisions

    where = f"decision {decision} ({decisions.KINDS[kind]})" if kind >= 0 else f"after decision {decision}"
    return f"{name}: game {game}, seat {seat + 1}, {where}: {fault}"


# --- faults in games that are played freely


def illegal_answer(w: np.record, names: Sequence[str], game: int) -> BaseException:
    """Return the error for the illegal answer that the engine noted; `names` are the strategies of the seats.

    An interruption of a strategy in Python is returned as it is.
    """
    from ..engine.compile.user_functions import WrongAnswer, taken_error
    from ..engine.state import OVERFULL, OVERLISTED

    error = taken_error()
    if error is not None and not isinstance(error, WrongAnswer):
        return error
    if w.fault_n == OVERFULL:
        return UserError(
            f"game {game}: more than {MAX_TO_DO} deeds of abilities wait at once; the last is of seat "
            f"{int(w.fault_seat) + FIRST_SEAT}, row {int(w.fault_answer)} of the rules' abilities: "
            "let them act less often (`once: true`)"
        )
    if w.fault_n == OVERLISTED:
        return UserError(
            f"game {game}: seat {int(w.fault_seat) + FIRST_SEAT} has more than {MAX_LISTED} abilities that wait for a moment "
            f"or ask for the situation; there is no room for row {int(w.fault_answer)} of the rules' abilities: "
            "give everyone, its leader or its cards fewer"
        )
    what = str(error or f"answers {w.fault_answer}, expected 0 to {w.fault_n - 1}")
    seat = int(w.fault_seat)
    return UserError(fault_line(f"strategy {names[seat]}", game, seat, int(w.fault_decision), int(w.fault_kind), what))


_late = threading.local()
_python_hook = sys.unraisablehook


def _note_error(unraisable: Any) -> None:
    """Note an error that a strategy raised within numba's compiled code, where Python can only print it, thousands of times.

    Such an error names numba; others go to Python's own hook.
    """
    if isinstance(unraisable.object, str) and "numba" in unraisable.object:
        _late.error = unraisable.exc_value
    else:
        _python_hook(unraisable)


def check_late(plan: Plan, r: np.record, first: int, n: int) -> None:
    """Raise UserError if a user's function raised an error in this thread, in games first … first + n - 1."""
    error, _late.error = getattr(_late, "error", None), None
    if error is None:
        return
    fault = guarded_fault(plan, r, first, n, n, seconds=float("inf"))
    what = f"raises {type(error).__name__}: {' '.join(str(error).split())}"
    raise UserError(fault or f"{', '.join(_names(plan, r))}: one of them {what} in games {first} to {first + n - 1}")
