"""A Dask cluster, its scheduler and workers processes of their own: the same bytes, also when a worker dies."""

import os
import socket
import subprocess
import sys

import pytest
from faults_tools import ROOT, RUN, contents, finished, wait_until


@pytest.fixture
def dask(tmp_path):
    """Start `dask scheduler` or `dask worker` with these arguments."""
    processes = []
    environment = os.environ | {"PYTHONPATH": str(ROOT)}

    def begin(*arguments):
        with (tmp_path / f"dask-{len(processes)}").open("w") as log:
            command = [sys.executable, "-m", "dask", *map(str, arguments)]
            processes.append(subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=log, stderr=log))
        return processes[-1]

    yield begin
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture
def address():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{free.getsockname()[1]}"


def test_same_bytes_with_a_worker_killed_in_the_middle(start, undisturbed, dask, address, tmp_path):
    out = tmp_path / "run"
    dask("scheduler", "--host", address, "--no-dashboard")
    workers = [dask("worker", address, "--nthreads", 1, "--no-nanny", "--no-dashboard") for _ in range(2)]
    wait_until(lambda: all("Registered to" in log.read_text() for log in (tmp_path / "dask-1", tmp_path / "dask-2")))
    child = start(*RUN, "--out", out, "--cluster", address)
    wait_until(lambda: len(finished(out)) > 3 or not child.process.is_alive())
    assert len(finished(out)) < 24, child.said()
    workers[0].kill()
    assert child.wait() == 0, child.said()
    assert contents(out) == contents(undisturbed)
    assert workers[1].poll() is None


def test_scheduler_killed(start, resume, dask, address, tmp_path):
    out = tmp_path / "run"
    scheduler = dask("scheduler", "--host", address, "--no-dashboard")
    dask("worker", address, "--nthreads", 1, "--no-nanny", "--no-dashboard")
    wait_until(lambda: "Registered to" in (tmp_path / "dask-1").read_text())
    child = start(*RUN, "--out", out, "--cluster", address, before=impatient)
    wait_until(lambda: finished(out) or not child.process.is_alive())
    scheduler.kill()
    assert child.wait() == 2, child.said()
    assert f"error: --cluster: the scheduler at {address} is gone; finished games are kept" in child.said()
    resume(out)


def test_embedded_cluster(start, undisturbed, tmp_path):
    child = start(*RUN, "--out", tmp_path / "run", "--cluster", "local")
    assert child.wait() == 0, child.said()
    assert contents(tmp_path / "run") == contents(undisturbed)


def impatient():
    from simulator.batch import backends

    backends.SECONDS_TO_CONNECT = 0.5


def without_dask():
    sys.modules["distributed"] = None


def test_clear_messages(start, address, tmp_path):
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
    from simulator.batch import backends
    from simulator.errors import UserError

    with pytest.raises(UserError, match="does not see this folder; expected one that all workers share"):
        backends.check_worker(tmp_path, "x")
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(UserError, match="another version of this program"):
        backends.check_worker(tmp_path, "x")
