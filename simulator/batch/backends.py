"""Where the shards are played: threads or processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import functools
import logging
import os
import platform
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib

from ..compile_cache import source_digest
from ..errors import UserError
from . import manifest

# The engine holds no lock of Python, so threads share one compiled engine and its memory.
BACKENDS = {"threads": "threading", "processes": "loky"}
DEFAULT_BACKEND = "threads"
LOCAL = "local"  # a cluster of this machine's own, for trying it
SECONDS_TO_CONNECT = 10
SECONDS_TO_END = 0.5
LOGGERS = ("distributed", "distributed.client", "tornado.application", "asyncio", "concurrent.futures")
INSTALL = "pip install 'dask[distributed]'"


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


@dataclass(frozen=True)
class Workers:
    """An open backend: how joblib calls it, and what tells that a worker was lost."""

    joblib_name: str | None  # None: the backend that joblib is configured for
    jobs: int
    lost: tuple[type[BaseException], ...]
    gone: Callable[[], str | None] = lambda: None  # why there can be no other workers, if so


@contextmanager
def workers(backend: str, jobs: int | None, cluster: str | None) -> Iterator[Workers]:
    """Open the backend; raise UserError if the cluster cannot be used."""
    if cluster is None:
        yield Workers(BACKENDS[backend], jobs or joblib.cpu_count(), (BrokenProcessPool,))
        return
    with _cluster(cluster, jobs) as opened:
        yield opened


def check_address(cluster: str) -> None:
    """Raise UserError if `cluster` is not what --cluster expects, or its extra is not installed."""
    if cluster != LOCAL and "://" not in cluster:
        raise UserError(f"--cluster: '{cluster}': expected {LOCAL}, or the address of a scheduler like tcp://host:8786")
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise UserError(f"--cluster: Dask is not installed; install it with: {INSTALL}") from None


@contextmanager
def _cluster(address: str, jobs: int | None) -> Iterator[Workers]:
    """Connect to a scheduler, or start one with workers on this machine."""
    check_address(address)
    from distributed import Client, KilledWorker, LocalCluster
    from distributed.comm import CommClosedError

    with ExitStack() as stack:
        if address == LOCAL:
            target: Any = stack.enter_context(
                LocalCluster(
                    n_workers=jobs or joblib.cpu_count(),
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
            )
        else:
            target = address
        for name in LOGGERS:  # what they report ends up in a line of ours
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            client = stack.enter_context(Client(target, timeout=SECONDS_TO_CONNECT, set_as_default=False))
        except (OSError, ValueError, CommClosedError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise UserError(f"--cluster: no scheduler answers at {address}: {reason}") from None
        if not client.ncores():
            raise UserError(f"--cluster: {address} has no workers; start some with: dask worker {address}")
        stack.enter_context(joblib.parallel_config(_dask_backend(client)))
        gone = f"--cluster: the scheduler at {address} is gone"
        yield Workers(
            None, -1, (KilledWorker, CancelledError, CommClosedError), lambda: None if client.status == "running" else gone
        )


def _dask_backend(client: Any) -> Any:
    """Return joblib's backend for the client; joblib alone would leave a cluster of one worker idle and play here."""
    from joblib._dask import DaskDistributedBackend

    class Backend(DaskDistributedBackend):
        def effective_n_jobs(self, n_jobs: int) -> int:
            return max(2, super().effective_n_jobs(n_jobs))

    return Backend(client=client, wait_for_workers_timeout=SECONDS_TO_CONNECT)


@functools.cache
def check_worker(out: Path, engine: str) -> None:
    """Raise UserError if this worker of a cluster does not see the run folder, or has another version of the engine."""
    worker = f"worker {platform.node()}"
    if not (out / manifest.FILE).is_file():
        raise UserError(f"{out}: {worker} does not see this folder; expected one that all workers share (--out)")
    if source_digest() != engine:
        raise UserError(
            f"{worker} has another version of this program (engine {source_digest()}, this is {engine}); "
            "install the same version on every worker"
        )
