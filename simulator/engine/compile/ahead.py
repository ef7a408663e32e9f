"""Compiling many engine functions at once, by several processes side by side.

This process hands out the functions, callees before their callers; workers compile them into the cache, which the functions
are then loaded from. A worker (`worker`) needs to know of a callee what it takes and returns, not its code, so it loads hardly
any. What workers do not get done, for whatever reason, the caller compiles by itself.
"""

from __future__ import annotations

import heapq
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from ... import file_ownership, user_modules
from ...errors import UserError

WORKER = f"{__package__}.worker"
FEW = 12  # so many functions are compiled before a worker has begun
MOST_WORKERS = 8  # more wait for each other: callees come first
# Bytes. A worker took 313 MB at most, 287 MB of them its own, and the process that waits for them 225 MB (numba 0.68, Linux).
WORKER_MEMORY, OWN_MEMORY = 350 << 20, 250 << 20
GROUPS = "sys/fs/cgroup"
# Of containers: files with the most memory there may be and with what is used, and what of that is read files, which make room.
LIMITS = (
    ("memory.max", "memory.current", "memory.stat", r"^inactive_file (\d+)"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat", r"^total_inactive_file (\d+)"),
)
DONE = "done"  # a worker's answer
SECONDS_TO_LOOK = 0.1
TTY_SECONDS = 0.2  # between two refreshes on a terminal
LINE_SECONDS = 10.0  # between two lines in a log file
WORDS = "compiling the engine for this machine (once after each update)"
START_SECONDS = 3.0  # until the workers have loaded what they need
# Of a processor, for a function in the mean: a cold `newdawn run` of 649 functions took 52 s of one (AMD EPYC, November 2026).
FUNCTION_SECONDS = 0.08
BUSY = 0.8  # a smaller share of the processors than that is said


def free_share(workers: int) -> float:
    """Return which share of their processors so many processes will get beside what the machine does anyway."""
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):  # Windows has none
        return 1.0
    return min(1.0, (os.cpu_count() or 1) / (workers + load))


def free_memory(system: Path = Path("/")) -> int | None:
    """Return how many bytes of memory are free on this machine, or in this container; None if the system does not say."""
    free: list[int] = []
    with suppress(OSError, ValueError, IndexError):
        available = re.search(r"MemAvailable:\s*(\d+) kB", (system / "proc/meminfo").read_text())
        free += [int(available[1]) << 10] if available else []
    for most, used, parts, of_files in LIMITS:
        with suppress(OSError, ValueError):  # "max": no limit
            free.append(int((system / GROUPS / most).read_text()) - int((system / GROUPS / used).read_text()))
            makes_room = re.search(of_files, (system / GROUPS / parts).read_text(), re.MULTILINE)
            free[-1] += int(makes_room[1]) if makes_room else 0
    return max(0, min(free)) if free else None


def workers_for(free: int | None) -> int:
    """Return how many processes compile side by side: one a processor, as far as free memory goes."""
    fit = MOST_WORKERS if free is None else (free - OWN_MEMORY) // WORKER_MEMORY
    return max(1, min(_cores(), MOST_WORKERS, fit))


def promise(functions: int, workers: int, share: float) -> str:
    """Return in words how long so many processes take to compile the functions, each with a share of a processor."""
    seconds = START_SECONDS + functions * FUNCTION_SECONDS / (workers * share)
    steps = ((20, "less than half a minute"), (45, "about half a minute"), (90, "about a minute"))
    long = next((words for end, words in steps if seconds < end), f"about {seconds / 60:.0f} minutes")
    processors = f"{workers} processors" if workers > 1 else "one processor"
    return f"{long} on {processors}{', busy with other work' if share < BUSY else ''}"


class CompileProgress:
    """Says on stderr how long it will take, then how many functions of all are compiled.

    That is one line renewed on a terminal, sparse lines elsewhere.
    """

    def __init__(self, functions: int, workers: int, stream: TextIO | None = None) -> None:
        self.functions, self.done = functions, 0
        self.stream = stream or sys.stderr
        self.tty = self.stream.isatty()
        self.started = self.shown = time.monotonic()
        self.stream.write(f"{WORDS}: {promise(functions, workers, free_share(workers))}\n")
        self._show(" ...")

    def reach(self, done: int) -> None:
        """So many are compiled."""
        self.done, self.functions = done, max(self.functions, done)  # a file that is there may turn out to be damaged
        now = time.monotonic()
        if now - self.shown >= (TTY_SECONDS if self.tty else LINE_SECONDS):
            self.shown = now
            self._show()

    def note(self, text: str) -> None:
        """Write a line of its own."""
        self.stream.write(f"{chr(10) if self.tty else ''}{text}\n")
        self.stream.flush()

    def end(self) -> None:
        """Show the last state and end the line."""
        self._show(f" in {time.monotonic() - self.started:.0f} s")
        if self.tty:
            self.stream.write("\n")
            self.stream.flush()

    def _show(self, more: str = "") -> None:
        text = f"compiling the engine: {self.done} of {self.functions} functions{more}"
        self.stream.write("\r" + text.ljust(100) if self.tty else text + "\n")
        self.stream.flush()


class CompileQueue:
    """What is still to be compiled, and what can be by now; shared by the threads that wait for a worker each."""

    def __init__(self, functions: Sequence[Any]) -> None:
        chosen = set(functions)
        self.callees = {function: chosen.intersection(function.callees()) for function in functions}
        self.callers: dict[Any, list[Any]] = {function: [] for function in functions}
        for function, callees in self.callees.items():
            for callee in callees:
                self.callers[callee].append(function)
        self.chain: dict[Any, int] = {}  # how many callers wait on each other behind a function: the longest first
        for function in reversed(functions):
            self.chain[function] = 1 + max((self.chain[caller] for caller in self.callers[function]), default=0)
        self.condition = threading.Condition()
        self.left = len(functions)
        self.stopped = False
        self.free: list[tuple[int, int, Any]] = []
        for function in functions:
            self._offer(function)

    def _offer(self, function: Any) -> None:
        if not self.callees[function]:
            heapq.heappush(self.free, (-self.chain[function], function.number, function))

    def take(self) -> Any:
        """Wait for a function that can be compiled and return it; None if there is nothing more to do."""
        with self.condition:
            self.condition.wait_for(lambda: self.free or self.left == 0 or self.stopped)
            return heapq.heappop(self.free)[2] if self.free and not self.stopped else None

    def finish(self, function: Any) -> None:
        """The function is compiled: its callers can be."""
        with self.condition:
            self.left -= 1
            for caller in self.callers[function]:
                self.callees[caller].discard(function)
                self._offer(caller)
            self.condition.notify_all()

    def give_back(self, function: Any) -> None:
        """The worker that had the function is gone: another one may take it."""
        with self.condition:
            self._offer(function)
            self.condition.notify_all()

    def stop(self) -> None:
        """Hand out nothing more."""
        with self.condition:
            self.stopped = True
            self.condition.notify_all()


def _attend(worker: subprocess.Popen[str], board: CompileQueue) -> None:
    """Give one function after the other to a worker. Runs in a thread."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    while (function := board.take()) is not None:
        try:
            worker.stdin.write(f"{function.__module__} {function.__name__}\n")
            worker.stdin.flush()
            answer = worker.stdout.readline().strip()
        except (OSError, ValueError):
            answer = ""
        if answer == DONE:
            board.finish(function)
        elif answer:  # the caller will see why
            board.stop()
        else:
            board.give_back(function)
            return


def _worker() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", WORKER],
        env=user_modules.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,  # with its forks a group of its own, to be ended together
    )


def _end(worker: subprocess.Popen[str]) -> None:
    """End a worker and its forks."""
    worker.kill()
    if sys.platform != "win32":
        with suppress(OSError):
            os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def side_by_side(functions: Sequence[Any], workers: int, done: Callable[[int], None]) -> None:
    """Let so many processes compile the functions (callees first) into the cache; call `done` with how many are.

    Returns when all are compiled, when one cannot be, or when no worker is left.
    """
    board = CompileQueue(functions)
    processes: list[subprocess.Popen[str]] = []
    try:
        for _ in range(workers):
            processes.append(_worker())
        threads = [threading.Thread(target=_attend, args=(process, board), daemon=True) for process in processes]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            with board.condition:
                board.condition.wait(SECONDS_TO_LOOK)
            done(len(functions) - board.left)
    except OSError:  # no process can be started
        pass
    finally:
        board.stop()
        for process in processes:
            _end(process)
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None
                with suppress(OSError):
                    pipe.close()


def _cores() -> int:
    import joblib

    return int(joblib.cpu_count())


@contextmanager
def alone(note: Callable[[str], None]) -> Iterator[None]:
    """Wait until no other process compiles into the cache."""
    folder, told = Path(os.environ["NUMBA_CACHE_DIR"]), False
    with ExitStack() as stack:
        while True:
            try:
                stack.enter_context(file_ownership.hold(folder))
                break
            except file_ownership.Busy:
                if not told:
                    note("another process is compiling the engine: waiting for it")
                told = True
                time.sleep(SECONDS_TO_LOOK)
            except (OSError, UserError):  # no lock can be had; both will compile the same: slower, not wrong
                break
        yield


@contextmanager
def ahead(functions: Sequence[Any], shared: Callable[[Any], bool]) -> Iterator[Callable[[Any], None]]:
    """Compile the functions (callees first) that the cache does not have side by side, and say so.

    `shared` says of a function whether workers can find it and put it into the cache. Yields whom to tell about what the
    caller compiles by itself: all that is left.
    """
    missing = [function for function in functions if not function.is_kept()]
    if len(missing) < FEW:
        yield lambda _: None
        return
    workers = workers_for(free_memory())
    progress = CompileProgress(len(missing), workers)
    try:
        if any(map(shared, missing)):
            with alone(progress.note):
                left = [function for function in missing if not function.is_kept()]
                some = [function for function in left if shared(function)]
                before = len(missing) - len(left)  # by another process
                progress.reach(before)
                side_by_side(some, min(workers, len(some)), lambda done: progress.reach(before + done))
        yield lambda _: progress.reach(progress.done + 1)
        progress.reach(max(progress.done, len(missing)))
    finally:
        progress.end()
