"""kill -9, anywhere and any number of times."""

import os
import random
import signal
import time

import pytest
from faults_tools import RUN, assert_consistent, contents, finished, times, wait_until

from newdawn.simulator.runs import run_folder
from newdawn.simulator.runs.run_folder import TABLES, Shard


@pytest.mark.soak
def test_parent_killed_at_random_moments(start, resume, tmp_path):
    out, dice = tmp_path / "run", random.Random(6)
    kills = 0
    while kills < 5 and len(finished(out)) < 12:  # a fast machine writes many of the 24 shards between two kills
        child, before = start(*RUN, "--out", out), len(finished(out))
        wait_until(lambda before=before, child=child: len(finished(out)) > before or not child.process.is_alive())
        time.sleep(dice.random() * 0.03)
        child.kill()
        kills += 1
    assert kills > 1
    assert len(finished(out)) < 24
    with times(out):
        said = resume(out)
    assert "continuing: " in said


@pytest.mark.soak
def test_workers_killed_again_and_again(start, undisturbed, tmp_path):
    out, dice = tmp_path / "run", random.Random(7)
    child = start(*RUN, "--backend", "processes", "--out", out)
    dice.choice(wait_until(child.workers)).kill()  # while it starts
    wait_until(lambda: finished(out) or not child.process.is_alive())
    dice.choice(wait_until(child.workers)).kill()  # while it plays
    assert child.wait() == 0
    assert child.said().count("a worker was ended from outside; its games are played again") == 2
    assert contents(out) == contents(undisturbed)


@pytest.mark.soak
def test_workers_end_with_their_killed_parent(start, resume, tmp_path):
    out = tmp_path / "run"
    child = start(*RUN, "--backend", "processes", "--out", out)
    wait_until(lambda: finished(out))
    workers = child.workers()
    assert workers
    child.kill()
    resume(out)
    wait_until(lambda: all(not worker.is_running() or worker.status() == "zombie" for worker in workers))


@pytest.mark.parametrize("moves", range(1, 6))
def test_killed_between_two_renames(tmp_path, monkeypatch, moves):
    for table in TABLES:
        (tmp_path / table).mkdir()
    pid = os.fork()
    if pid == 0:  # the child kills itself before its next rename
        left, replace = [moves + 1], type(tmp_path).replace

        def counted(source, target):
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return replace(source, target)

        monkeypatch.setattr(type(tmp_path), "replace", counted)
        run_folder.write_files(tmp_path, 0, {table: table.encode() for table in TABLES})
        os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(pid, 0)[1]) == (moves < 5)
    there = {table for table in TABLES if run_folder.shard_file(tmp_path, table, 0).exists()}
    assert len(there) == min(moves, 4)
    assert ("games" in there) == (len(there) == 4), "whatever is in games is in all tables"
    run_folder.recover(tmp_path, [Shard(0, 1, 0, 1, 0)])
    run_folder.close(tmp_path)
    assert run_folder.damage(tmp_path, 0) is None
    assert not (tmp_path / run_folder.STAGING).exists()


def test_killed_while_staging_leaves_nothing(tmp_path):
    staged = tmp_path / run_folder.STAGING / "part-000000.12345678"
    staged.mkdir(parents=True)
    (staged / "games.parquet").write_bytes(b"half of it")
    (tmp_path / "games").mkdir()
    run_folder.recover(tmp_path, [Shard(0, 1, 0, 1, 0)])
    assert not staged.exists()


@pytest.mark.soak
def test_figures_while_a_run_goes_on(start, tmp_path):
    out = tmp_path / "run"
    endless = [word if word != "2400" else "400000" for word in RUN]
    child = start(*endless, "--jobs", 1, "--out", out)
    wait_until(lambda: finished(out))
    for command in (["leaders", out], ["verify", out, "--sample", 2]):
        reader = start(*command)
        assert reader.wait() == 0, reader.said()
    assert "400,000" in reader.said()
    child.kill()
    assert_consistent(out)
