"""A second process beside the one that makes a report: it plays games again, for maps and films. Start with `beside`."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Any

import joblib

from ...simulator.late import Late
from ...simulator.runs.run_folder import Place
from ...simulator.user_modules import safe_start

Task = Callable[[], Any]
START = "fork" if sys.platform == "linux" else "spawn"  # forked, it has the modules loaded already


def settled(path: Place, games: int) -> Task:
    """Return the task: where winners and others had cities in about this many games of a run, as a table."""
    return partial(Late("analysis.report.replayed_games:cities"), path, games)


def films(path: Place) -> Task:
    """Return the task: by leader, a sentence on its typical game and the page to watch it."""
    return partial(Late("analysis.report.replayed_games:films"), path)


@contextmanager
def beside(tasks: Mapping[str, Task]) -> Iterator[Callable[[str], Any]]:
    """Yield what returns the result of a task by its name; the tasks are worked out in their order in a second process.

    With one processor, or if that process ends early (for want of memory, say), a task is worked out here when it is asked for.
    Errors of a task are raised where its result is asked for. Leaving the context ends the process.
    """
    if joblib.cpu_count() < 2 or not tasks:
        yield lambda name: tasks[name]()
        return
    context: Any = multiprocessing.get_context(START)
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(dict(tasks), sending, receiving), daemon=True)
    with safe_start(), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads: those of BLAS, which forks look after
        process.start()
    sending.close()
    results: dict[str, Future[Any]] = {name: Future() for name in tasks}
    threading.Thread(target=_receive, args=(receiving, results), daemon=True).start()

    def result(name: str) -> Any:
        try:
            return results[name].result()
        except EndedError:
            return tasks[name]()

    try:
        yield result
    finally:
        process.terminate()
        process.join()


class EndedError(Exception):
    """The second process ended without a result."""


def _work(tasks: Mapping[str, Task], sending: Any, receiving: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the first process, which ends this one
    receiving.close()  # so that the pipe breaks, and this process ends, when the first one is gone
    for name, task in tasks.items():
        value, wrong = None, None
        try:
            value = task()
        except Exception as error:
            wrong = error
        try:
            sending.send((name, value, wrong))
        except OSError:
            return


def _receive(receiving: Any, results: Mapping[str, Future[Any]]) -> None:
    """Take what the second process sends, so that it never waits for someone to ask."""
    try:
        while not all(future.done() for future in results.values()):
            name, value, error = receiving.recv()
            if error is None:
                results[name].set_result(value)
            else:
                results[name].set_exception(error)
    except (EOFError, OSError):
        for future in results.values():
            if not future.done():
                future.set_exception(EndedError())
