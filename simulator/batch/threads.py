"""Threads that work one after the other on many small pieces, such as ranges of games."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def in_threads(calls: Iterable[Callable[[threading.Event], T | None]], jobs: int) -> Generator[T, None, None]:
    """Call functions in threads and yield what they return, in order, up to the first None.

    Each is given an event that asks it to end soon, and to return None. An exception in the consumer or here, Ctrl-C among
    them, sets it. Only some calls are made ahead: what waits to be consumed would fill the memory.
    """
    stop, left = threading.Event(), iter(calls)
    waiting: deque[Future[T | None]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while True:
                for call in islice(left, 2 * jobs - len(waiting)):
                    waiting.append(pool.submit(call, stop))
                if not waiting or (found := waiting.popleft().result()) is None:
                    return
                yield found
        finally:
            stop.set()
            for task in waiting:
                task.cancel()
