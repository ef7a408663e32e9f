"""A Dask cluster, its scheduler and workers processes of their own: the same bytes, also when a worker dies."""

import re
import signal
import sys
import time

import pytest
from faults_tools import RUN, Cluster, contents, finished, free_address, wait_until


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


@pytest.mark.soak
def test_same_bytes_with_a_worker_killed_in_the_middle(start, undisturbed, shared, tmp_path):
    out, cluster = tmp_path / "run", shared(workers=2)
    child = start(*RUN, "--out", out, "--cluster", cluster.address)
    wait_until(lambda: len(finished(out)) > 3 or not child.process.is_alive())
    assert len(finished(out)) < 24, child.said()
    cluster.workers[0].kill()
    assert child.wait() == 0, child.said()
    assert contents(out) == contents(undisturbed)
    assert cluster.workers[1].poll() is None


@pytest.mark.soak
def test_scheduler_killed(start, resume, shared, tmp_path):
    out, cluster = tmp_path / "run", shared(workers=1)
    child = start(*RUN, "--out", out, "--cluster", cluster.address, before=impatient)
    wait_until(lambda: finished(out) or not child.process.is_alive())
    cluster.scheduler.kill()
    assert child.wait() == 2, child.said()
    assert f"error: --cluster: the scheduler at {cluster.address} is gone; finished games are kept" in child.said()
    resume(out)


@pytest.mark.soak
def test_embedded_cluster(start, undisturbed, tmp_path):
    child = start(*RUN, "--out", tmp_path / "run", "--cluster", "local", "--jobs", 1)
    assert child.wait() == 0, child.said()
    assert contents(tmp_path / "run") == contents(undisturbed)


def impatient():
    from newdawn.simulator.batch import cluster

    cluster.SECONDS_TO_CONNECT = 0.5


def attentive():
    from newdawn.simulator.batch import cluster

    cluster.SECONDS_SILENT = 4.0


@pytest.mark.soak
def test_a_worker_that_stands_still_loses_its_shards_to_the_others(start, undisturbed, shared, tmp_path):
    out, cluster = tmp_path / "run", shared(workers=2)
    child = start(*RUN, "--out", out, "--cluster", cluster.address, before=attentive)
    wait_until(lambda: finished(out) or not child.process.is_alive())
    still = cluster.workers[0]
    still.send_signal(signal.SIGSTOP)
    try:
        assert len(finished(out)) < 24, child.said()
        assert child.wait() == 0, child.said()
    finally:
        still.send_signal(signal.SIGCONT)
    assert re.search(r"note: worker tcp://\S+ has given no sign for 4 s; handed to others: part-0", child.said())
    assert contents(out) == contents(undisturbed)
    time.sleep(2)  # it wakes up with a shard in its hands
    assert contents(out) == contents(undisturbed)
    assert not (out / ".unfinished").exists()


@pytest.mark.soak
def test_all_workers_stand_still_and_one_goes_on(start, undisturbed, shared, tmp_path):
    out, cluster = tmp_path / "run", shared(workers=1)
    for worker in cluster.workers[1:]:
        worker.kill()
        worker.wait()
    still = cluster.workers[0]
    child = start(*RUN, "--out", out, "--cluster", cluster.address, before=attentive)
    wait_until(lambda: finished(out) or not child.process.is_alive())
    still.send_signal(signal.SIGSTOP)
    try:
        assert len(finished(out)) < 24, child.said()
        wait_until(lambda: re.search(r"no worker has given a sign for 4 s; waiting for tcp://\S+ with part-0", child.said()))
    finally:
        still.send_signal(signal.SIGCONT)
    assert child.wait() == 0, child.said()
    assert contents(out) == contents(undisturbed)


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
            f"--cluster: Dask is not installed; install it with: {sys.executable} -m pip install 'dask[distributed]'",
        ),
    ):
        child = start(*RUN, "--out", tmp_path / "run", "--cluster", cluster, before=before)
        assert child.wait() == 2
        assert message in child.said().splitlines()[-1]


def test_worker_that_does_not_see_the_folder_or_has_another_engine(tmp_path):
    from newdawn.simulator.batch import cluster
    from newdawn.simulator.errors import UserError

    with pytest.raises(UserError, match="cannot see this folder; expected one that all workers share"):
        cluster.check_worker(tmp_path, "x")
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(UserError, match="another version of this program"):
        cluster.check_worker(tmp_path, "x")
