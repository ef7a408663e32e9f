"""Sharing shards out to the workers of a Dask cluster.

Each shard goes to one worker, by name, so that the shards of a worker that is gone or silent can go to others. A worker that
wakes up later finds them played, or writes the same bytes.
"""

from __future__ import annotations

import functools
import logging
import platform
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from typing import Any

import joblib

from ..compile_cache import source_digest
from ..errors import UserError, install
from . import manifest
from .run_folder import Place, Shard

LOCAL = "local"  # a cluster on this machine, to try it
SECONDS_TO_CONNECT = 10
SECONDS_TO_LOOK = 1.0  # between two checks of the workers
SECONDS_SILENT = 30.0  # a worker without a sign for so long is silent
LOSSES = 3  # so many workers in a row, with no shard finished, end the run
NAMED = 5  # shards named in a line
LOGGERS = ("distributed", "distributed.client", "tornado.application", "asyncio", "concurrent.futures")


class Lost(Exception):
    """Too many workers were lost, or none are left."""


def check_address(cluster: str) -> None:
    """Raise UserError if `cluster` is not what --cluster expects, or its extra is not installed."""
    if cluster != LOCAL and "://" not in cluster:
        raise UserError(f"--cluster: '{cluster}': expected {LOCAL}, or the address of a scheduler such as tcp://host:8786")
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise UserError(f"--cluster: Dask is not installed; install it with: {install('dask[distributed]')}") from None


@contextmanager
def connected(address: str, jobs: int | None) -> Iterator[Any]:
    """Connect to a scheduler, or start one with workers on this machine; yield Dask's client."""
    check_address(address)
    from distributed import Client, LocalCluster
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
        for name in LOGGERS:  # UserError says it in a line
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            client = stack.enter_context(Client(target, timeout=SECONDS_TO_CONNECT, set_as_default=False))
        except (OSError, ValueError, CommClosedError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise UserError(f"--cluster: no scheduler answers at {address}: {reason}") from None
        if not client.ncores():
            raise UserError(f"--cluster: {address} has no workers; start some with: dask worker {address}")
        yield client


def losses() -> tuple[type[BaseException], ...]:
    """Return the errors of lost workers, or of a lost scheduler."""
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    return (Lost, KilledWorker, CancelledError, CommClosedError)


def gone(client: Any, address: str) -> str | None:
    """Return why the cluster cannot go on, None if it can."""
    if client.status != "running":
        return f"--cluster: the scheduler at {address} is gone"
    return None if client.ncores() else f"--cluster: {address} has no workers left"


class Sharing:
    """Shards that workers hold, and those that wait for one."""

    def __init__(self, client: Any, play: Callable[[Shard], int], shards: Sequence[Shard], note: Callable[[str], None]) -> None:
        self.client, self.play, self.note = client, play, note
        self.waiting = deque(shards)
        self.held: dict[Any, tuple[str, Shard]] = {}  # by Dask's future: the worker, and its shard
        self.signs: dict[str, tuple[float, float]] = {}  # by worker: its last sign, and when that was first seen
        self.silent: set[str] = set()
        self.losses = 0
        self.looked = -SECONDS_TO_LOOK
        self.threads: dict[str, int] = {}  # by worker that is not silent
        self.manned = time.monotonic()  # when there was a worker last

    def games(self) -> Iterator[int]:
        """Yield the games of each shard when it is written. Raises what a worker raises, or Lost."""
        while self.waiting or self.held:
            self._look()
            self._hand_out()
            for future in self._ended():
                _, shard = self.held.pop(future)
                if future.status != "finished":
                    future.result()  # raises what the worker raised
                # Its result is not fetched: it lies with the worker, which may be silent by now.
                yield shard.n
                self.losses = 0

    def _ended(self) -> set[Any]:
        """Wait a little and return the futures that have ended."""
        from distributed import TimeoutError as NothingYet
        from distributed import wait

        if not self.held:
            time.sleep(SECONDS_TO_LOOK)
            return set()
        try:
            with self.client.as_current():
                ended: set[Any] = wait(list(self.held), SECONDS_TO_LOOK, "FIRST_COMPLETED").done
        except NothingYet:
            return set()
        return ended

    def _hand_out(self) -> None:
        """Give every worker a shard for each of its threads, and one more each if there are enough for all."""
        self._fill(1)
        if len(self.waiting) > sum(self.threads.values()):
            self._fill(2)

    def _fill(self, each: int) -> None:
        """Let every worker hold so many shards for each of its threads."""
        holds = Counter(worker for worker, _ in self.held.values())
        for worker, threads in self.threads.items():
            for _ in range(min(each * threads - holds[worker], len(self.waiting))):
                shard = self.waiting.popleft()
                future = self.client.submit(self.play, shard, workers=[worker], pure=False)
                self.held[future] = worker, shard

    def _look(self) -> None:
        """Check the workers from time to time: take back the shards of those that are gone or silent."""
        now = time.monotonic()
        if now - self.looked < SECONDS_TO_LOOK:
            return
        self.looked = now
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        for worker, facts in workers.items():
            if self.signs.get(worker, (None,))[0] != facts["last_seen"]:
                self.signs[worker] = facts["last_seen"], now
        silent = {worker for worker in workers if now - self.signs[worker][1] > SECONDS_SILENT}
        gone = {worker for worker, _ in self.held.values()} - workers.keys()
        if workers:
            self.manned = now
        elif now - self.manned > SECONDS_SILENT:
            raise Lost
        self.threads = {worker: facts["nthreads"] for worker, facts in workers.items() if worker not in silent}
        for worker in sorted(gone):
            self._lose(worker)
        if self.threads:
            for worker in sorted(silent):
                self._take_back(worker, f"has given no sign for {SECONDS_SILENT:g} s")
        elif silent - self.silent:
            held = _named([shard for _, shard in self.held.values()])
            silent_names = ", ".join(sorted(silent))
            self.note(f"no worker has given a sign for {SECONDS_SILENT:g} s; waiting for {silent_names} with {held}")
        self.silent = silent

    def _lose(self, worker: str) -> None:
        """Count a worker that is gone; raise Lost if they are too many."""
        self._take_back(worker, "was ended from outside")
        self.losses += 1
        if self.losses == LOSSES:
            raise Lost

    def _take_back(self, worker: str, why: str) -> None:
        """Let the shards of a worker wait for another one."""
        shards = {future: shard for future, (holder, shard) in self.held.items() if holder == worker}
        if shards:
            self.note(f"worker {worker} {why}; handed to others: {_named(list(shards.values()))}")
        for future in shards:  # Dask drops a future that nothing refers to
            del self.held[future]
        self.waiting.extendleft(shards.values())


def _named(shards: Sequence[Shard]) -> str:
    """Return the names of the shards, of many only the first."""
    more = f" and {len(shards) - NAMED} more" if len(shards) > NAMED else ""
    return f"{', '.join(shard.name for shard in shards[:NAMED])}{more}"


@functools.cache
def check_worker(out: Place, engine: str) -> None:
    """Raise UserError if this worker of a cluster does not see the run, or has another version of the engine."""
    worker = f"worker {platform.node()}"
    try:
        visible = (out / manifest.FILE).is_file()
    except (OSError, ImportError) as error:
        raise UserError(f"{out}: {worker} cannot read there: {error}") from None
    if not visible:
        raise UserError(
            f"{out}: {worker} cannot see this folder; expected one that all workers share, or an address such as "
            "s3://bucket/run (--out)"
        )
    if source_digest() != engine:
        raise UserError(
            f"{worker} has another version of this program (engine {source_digest()}, this is {engine}); "
            "install the same version on every worker"
        )
