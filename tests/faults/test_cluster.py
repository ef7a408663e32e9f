"""A Dask cluster, its scheduler and workers processes of their own: the same bytes, also when a worker dies."""

import os
import socket
import subprocess
import sys

import pytest
from faults_tools import ROOT, RUN, contents, finished, wait_until


class Cluster:
    """A scheduler and workers, each a process of its own that a test may kill."""

    def __init__(self, folder):
        self.folder = folder
        self.address = free_address()
        self.processes = []
        self.scheduler = self.begin("scheduler", "--host", self.address, "--no-dashboard")
        self.workers = []

    def begin(self, *arguments):
        """Start `dask scheduler` or `dask worker` with these arguments."""
        with (self.folder / f"dask-{len(self.processes)}").open("w") as log:
            command = [sys.executable, "-m", "dask", *map(str, arguments)]
            environment = os.environ | {"PYTHONPATH": str(ROOT)}
            self.processes.append(subprocess.Popen(command, env=environment, cwd=self.folder, stdout=log, stderr=log))
        return self.processes[-1]

    def with_workers(self, n):
        """Start workers until n are alive, and wait for them."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        first = len(self.processes)
        while len(self.workers) < n:
            self.workers.append(self.begin("worker", self.address, "--nthreads", 1, "--no-nanny", "--no-dashboard"))
        logs = [self.folder / f"dask-{k}" for k in range(first, len(self.processes))]
        wait_until(lambda: all("Registered to" in log.read_text() for log in logs))
        return self

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Clusters of this module: the next test goes on with what the last one left alive."""
    clusters = []

    def cluster(workers):
        if not clusters or clusters[-1].scheduler.poll() is not None:
            clusters.append(Cluster(tmp_path_factory.mktemp("dask")))
        return clusters[-1].with_workers(workers)

    yield cluster
    for each in clusters:
        each.end()


def free_address():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{free.getsockname()[1]}"


def test_same_bytes_with_a_worker_killed_in_the_middle(start, undisturbed, shared, tmp_path):
    out, cluster = tmp_path / "run", shared(workers=2)
    child = start(*RUN, "--out", out, "--cluster", cluster.address)
    wait_until(lambda: len(finished(out)) > 3 or not child.process.is_alive())
    assert len(finished(out)) < 24, child.said()
    cluster.workers[0].kill()
    assert child.wait() == 0, child.said()
    assert contents(out) == contents(undisturbed)
    assert cluster.workers[1].poll() is None


def test_scheduler_killed(start, resume, shared, tmp_path):
    out, cluster = tmp_path / "run", shared(workers=1)
    child = start(*RUN, "--out", out, "--cluster", cluster.address, before=impatient)
    wait_until(lambda: finished(out) or not child.process.is_alive())
    cluster.scheduler.kill()
    assert child.wait() == 2, child.said()
    assert f"error: --cluster: the scheduler at {cluster.address} is gone; finished games are kept" in child.said()
    resume(out)


def test_embedded_cluster(start, undisturbed, tmp_path):
    child = start(*RUN, "--out", tmp_path / "run", "--cluster", "local", "--jobs", 1)
    assert child.wait() == 0, child.said()
    assert contents(tmp_path / "run") == contents(undisturbed)


def impatient():
    from newdawn.simulator.batch import backends

    backends.SECONDS_TO_CONNECT = 0.5


def without_dask():
    sys.modules["distributed"] = None


def test_clear_messages(start, tmp_path):
    address = free_address()
    for cluster, before, message in (
        ("host:8786", None, "--cluster: 'host:8786': expected local, or the address of a scheduler"),
        (address, impatient, f"--cluster: no scheduler answers at {address}"),
        (
            "local",
            without_dask,
            "--cluster: Dask is not installed; install it with: pip install 'dask[distributed]'",
        ),
    ):
        child = start(*RUN, "--out", tmp_path / "run", "--cluster", cluster, before=before)
        assert child.wait() == 2
        assert message in child.said().splitlines()[-1]


def test_worker_that_does_not_see_the_folder_or_has_another_engine(tmp_path):
    from newdawn.simulator.batch import backends
    from newdawn.simulator.errors import UserError

    with pytest.raises(UserError, match="does not see this folder; expected one that all workers share"):
        backends.check_worker(tmp_path, "x")
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(UserError, match="another version of this program"):
        backends.check_worker(tmp_path, "x")
