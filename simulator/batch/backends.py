"""Where the shards are played: threads or processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import functools
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import joblib

from ..foreign import safe_start
from . import cluster as dask_cluster

# The engine holds no lock of Python, so threads share one compiled engine and its memory.
BACKENDS = {"threads": "threading", "processes": "loky"}
DEFAULT_BACKEND = "threads"
SECONDS_TO_END = 0.5


@functools.cache
def end_with(parent: int) -> None:
    """Let this worker process end when the process that started it is gone; without work, it would wait for minutes."""
    if parent == os.getpid():
        return

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS_TO_END)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def why_lost(error: BaseException) -> str:
    """Return why workers were lost, as far as can be said: joblib names their exit codes."""
    codes = re.search(r"exit codes of the workers are \{(.+?)\}", str(error))
    if codes and "SIGKILL" not in codes[1]:
        return f"with exit codes {codes[1]}"
    return f"maybe for lack of memory ({type(error).__name__})"


@dataclass(frozen=True)
class Workers:
    """An open backend: how joblib calls it, or Dask's client, and what tells that a worker was lost."""

    joblib_name: str
    jobs: int
    lost: tuple[type[BaseException], ...]
    gone: Callable[[], str | None] = lambda: None  # why there can be no other workers, if so
    client: Any = None  # of a cluster


@contextmanager
def workers(backend: str, jobs: int | None, cluster: str | None) -> Iterator[Workers]:
    """Open the backend; raise UserError if the cluster cannot be used."""
    if cluster is None:
        with safe_start():
            yield Workers(BACKENDS[backend], jobs or joblib.cpu_count(), (BrokenProcessPool,))
        return
    with safe_start(), dask_cluster.connected(cluster, jobs) as client:
        yield Workers("", 0, dask_cluster.losses(), lambda: dask_cluster.gone(client, cluster), client)
