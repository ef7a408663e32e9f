"""Real processes to be killed, starved and blocked, and the tables they should leave all the same."""

from __future__ import annotations

import multiprocessing
import os
import socket
import subprocess
import sys
import time
import traceback
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import psutil
import pytest

from newdawn.simulator.runs.run_folder import TABLES

resource = pytest.importorskip("resource", reason="processes are killed, starved and forked as only Unix does")
ROOT = Path(__file__).resolve().parents[2]
RUN = ["run", "--players", "2", "--games", "2400", "--seed", "3", "--strategies", "random", "--round-cap", "3", "--jobs", "2",
       "--focus-cards", "--rounds", "--places"]  # fmt: skip
PATIENCE = 120  # seconds


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def finished(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("checksums/*.sha256"))


def wait_until(condition, patience=PATIENCE):
    deadline = time.monotonic() + patience
    while not (value := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return value


def _child(arguments, log, limits, before):
    """Run the command line in this process, which was forked for it."""
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    for limit, value in limits.items():
        resource.setrlimit(limit, (value, value))
    if before is not None:
        before()
    from newdawn.scripts.cli.main import main

    code = 1
    try:
        main(arguments)
    except SystemExit as ended:
        code = ended.code or 0
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # as a forked process, it would wait for joblib's idle workers


@dataclass
class Child:
    process: multiprocessing.process.BaseProcess
    log: Path

    def wait(self) -> int:
        self.process.join(PATIENCE)
        assert self.process.exitcode is not None, "still running"
        return self.process.exitcode

    def said(self) -> str:
        text = self.log.read_text()
        assert "Traceback" not in text, text
        return text

    def kill(self) -> None:
        self.process.kill()
        self.process.join()

    def workers(self) -> list[psutil.Process]:
        """The worker processes that joblib has started for it."""
        try:
            children = psutil.Process(self.process.pid).children(recursive=True)
            return [child for child in children if "popen_loky" in " ".join(child.cmdline())]
        except psutil.NoSuchProcess:
            return []


@pytest.fixture(scope="session")
def server():
    paths = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "faults")]
    os.environ["PYTHONPATH"] = os.pathsep.join([*paths, *filter(None, [os.environ.get("PYTHONPATH")])])
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["faults_preload"])
    return context


@pytest.fixture
def start(server, tmp_path):
    """Start the command line in a process of its own."""
    children = []

    def start(*arguments, limits=None, before=None) -> Child:
        log = tmp_path / f"log-{len(children)}"
        words = [str(word) for word in arguments]
        process = server.Process(target=_child, args=(words, str(log), limits or {}, before))
        process.start()
        children.append(Child(process, log))
        return children[-1]

    yield start
    for child in children:
        child.kill()


@pytest.fixture(scope="session")
def undisturbed(server, tmp_path_factory):
    """The folder of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed")
    process = server.Process(target=_child, args=([*RUN, "--out", str(folder / "run")], str(folder / "log"), {}, None))
    process.start()
    process.join()
    assert process.exitcode == 0, (folder / "log").read_text()
    return folder / "run"


def assert_consistent(folder: Path) -> None:
    """What pandas reads are the same games in every table."""
    games = set(pd.read_parquet(folder / "games")["game_id"])
    assert set(pd.read_parquet(folder / "seats")["game_id"]) == games
    assert set(pd.read_parquet(folder / "wonders")["game_id"]) == games


@pytest.fixture
def resume(start, undisturbed):
    """Resume the run and compare what it leaves with the undisturbed one."""

    def resume(folder: Path, *options) -> str:
        before = finished(folder)
        child = start("resume", folder, "--jobs", 2, *options)
        assert child.wait() == 0, child.said()
        assert contents(folder) == contents(undisturbed)
        assert set(before) <= set(finished(folder))
        return child.said()

    return resume


@contextmanager
def times(folder: Path):
    """Assert that the files of shards finished before are not written again."""
    before = {path: path.stat().st_mtime_ns for table in TABLES for path in (folder / table).glob("*")}
    yield
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())


def free_address():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{free.getsockname()[1]}"


class Cluster:
    """A scheduler and workers, each a process of its own, in a folder of its own, that a test may kill."""

    def __init__(self, folder, environment=None):
        self.folder = folder
        self.environment = os.environ | {"PYTHONPATH": str(ROOT)} | (environment or {})
        self.address = free_address()
        self.processes = []
        self.scheduler = self.begin("scheduler", "--host", self.address, "--no-dashboard")
        self.workers = []

    def begin(self, *arguments):
        """Start `dask scheduler` or `dask worker` with these arguments."""
        own = self.folder / f"dask-{len(self.processes)}"
        own.mkdir()
        with (own / "log").open("w") as log:
            command = [sys.executable, "-m", "dask", *map(str, arguments)]
            self.processes.append(subprocess.Popen(command, env=self.environment, cwd=own, stdout=log, stderr=log))
        return self.processes[-1]

    def with_workers(self, n):
        """Start workers until n are alive, and wait for them."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        first = len(self.processes)
        while len(self.workers) < n:
            self.workers.append(self.begin("worker", self.address, "--nthreads", 1, "--no-nanny", "--no-dashboard"))
        logs = [self.folder / f"dask-{k}" / "log" for k in range(first, len(self.processes))]
        wait_until(lambda: all("Registered to" in log.read_text() for log in logs))
        return self

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()
