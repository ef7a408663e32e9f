"""Disks that are full or refuse, damaged files, two runs in one folder, clocks that go back, memory that runs out."""

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from faults_tools import RUN, contents, finished, resource, times, wait_until

from newdawn.simulator.runs.run_folder import part, shard_file


@contextmanager
def mounted(path, options):
    """Mount a disk in memory, where this user may; yield whether it is there."""
    path.mkdir()
    there = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path], capture_output=True).returncode == 0
    try:
        yield there
    finally:
        if there:
            subprocess.run(["umount", "--lazy", path], check=True)


def half_done(undisturbed, out):
    """Copy the run without its later shards."""
    late = shutil.ignore_patterns(*(f"{part(index)}.*" for index in range(8, 24)))
    shutil.copytree(undisturbed, out, ignore=late)


@pytest.mark.parametrize("cause", ["disk", "limit"])
@pytest.mark.soak
def test_full_disk(start, undisturbed, resume, tmp_path, cause):
    with mounted(tmp_path / "disk", "size=700k") as there:
        out = tmp_path / "disk" / "run"
        half_done(undisturbed, out)
        # Where no disk can be mounted, a limit for the size of files does; the largest files are those of seats.
        full = cause == "disk" and there
        size = min(shard_file(undisturbed, "seats", k).stat().st_size for k in range(8, 23))
        child = start(*RUN, "--out", out, limits={} if full else {resource.RLIMIT_FSIZE: size - 1})
        assert child.wait() == 2
        reason = "No space left on device" if full else "File too large"
        assert f"error: {out}: cannot write the tables: {reason}; finished games are kept" in child.said()
        assert len(finished(out)) >= 8
        shutil.copytree(out, tmp_path / "larger")
    with times(tmp_path / "larger"):
        resume(tmp_path / "larger")


def damaged(undisturbed, tmp_path):
    out = tmp_path / "run"
    shutil.copytree(undisturbed, out)
    flipped, short = shard_file(out, "seats", 3), shard_file(out, "games", 7)
    content = bytearray(flipped.read_bytes())
    content[len(content) // 2] ^= 1
    flipped.write_bytes(content)
    short.write_bytes(short.read_bytes()[:-100])
    shard_file(out, "wonders", 9).unlink()
    return out, flipped, short


def test_damaged_shards_are_found_and_played_again(start, undisturbed, resume, tmp_path):
    out, flipped, short = damaged(undisturbed, tmp_path)
    check = start("verify", out)
    assert check.wait() == 1
    assert check.said().count("wrong: ") == 3
    assert "2,100 of 2,400 games in 21 shards as they were written; 20 were replayed" in check.said()
    reader = start("leaders", out)
    assert reader.wait() == 2
    lost = shard_file(out, "wonders", 9)  # a shard that has lost a table is told before anything is read
    assert f"error: {lost}: is missing" in reader.said()
    said = resume(out)
    assert f"note: {flipped}: has changed since it was written (its checksum differs); its 100 games played again" in said
    assert f"note: {short}: has changed since it was written" in said
    check = start("verify", out)
    assert check.wait() == 0


def test_damaged_manifest_is_refused(start, undisturbed, tmp_path):
    out = tmp_path / "run"
    shutil.copytree(undisturbed, out)
    whole = (out / "manifest.json").read_text()
    for text, message in (
        (whole[:1000], "cannot be read as a manifest of `newdawn run`"),
        (whole.replace('"seed": 3', '"sed": 3'), "damaged, or of an older version: plan.seed: expected a whole number"),
        (whole.replace('"cost": 7', '"cost": 6'), "its rules do not match its digest"),
    ):
        assert text != whole
        (out / "manifest.json").write_text(text)
        for command in ("resume", "leaders"):
            child = start(command, out)
            assert child.wait() == 2
            assert message in child.said()
    (out / "manifest.json").write_text(whole)
    assert contents(out) == contents(undisturbed)


def test_read_only_folder(start, tmp_path):
    with mounted(tmp_path / "closed", "ro") as there:
        if not there:
            (tmp_path / "closed").chmod(0o555)
        # Root without the right to mount can write everywhere but in the system's own folders.
        parent = Path("/proc") if os.geteuid() == 0 and not there else tmp_path / "closed"
        child = start(*RUN, "--out", parent / "run")
        assert child.wait() == 2
        assert f"error: {parent / 'run'}: cannot be written to: " in child.said()
        assert child.said().count("\n") == 1
        assert not (parent / "run").exists()


def test_table_folder_that_is_a_file(start, undisturbed, tmp_path):
    out = tmp_path / "run"
    out.mkdir()
    shutil.copy(undisturbed / "manifest.json", out)
    (out / "seats").write_text("")
    for command in ("resume", "verify"):
        child = start(command, out)
        assert child.wait() == (2 if command == "resume" else 1)
        assert "cannot be written to: File exists" in child.said() or "seats: does not belong to the run" in child.said()


@pytest.mark.soak
def test_two_runs_into_one_folder(start, resume, tmp_path):
    out = tmp_path / "run"
    first = start(*RUN, "--out", out)
    wait_until(lambda: finished(out))
    psutil.Process(first.process.pid).suspend()
    second = start(*RUN, "--out", out)
    assert second.wait() == 2
    assert second.said().count("\n") == 1
    assert f"error: {out}: process {first.process.pid} on " in second.said()
    first.kill()  # its lock goes with it, though its file stays
    assert (out / ".lock").exists()
    with times(out):
        resume(out)


@pytest.mark.soak
def test_clock_that_goes_back(start, undisturbed, resume, tmp_path):
    out = tmp_path / "run"
    child = start(*RUN, "--out", out, before=clock_goes_back)
    wait_until(lambda: finished(out))
    child.kill()
    for path in out.rglob("*"):
        os.utime(path, (4e9, 4e9))  # written in the year 2096
    with times(out):
        resume(out)


def clock_goes_back():
    import time

    now = [2e9]

    def earlier():
        now[0] -= 3600
        return now[0]

    time.time = earlier
    time.time_ns = lambda: int(earlier() * 1e9)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits a process that runs")
@pytest.mark.soak
def test_worker_out_of_memory(start, undisturbed, resume, tmp_path):
    out = tmp_path / "run"
    child = start(*RUN, "--backend", "processes", "--out", out)
    wait_until(lambda: finished(out))
    for worker in child.workers():
        now = worker.memory_info().vms
        resource.prlimit(worker.pid, resource.RLIMIT_AS, (now, now))
    # A worker that cannot even say so ends, and the run goes on with a new one.
    if child.wait() == 0:
        assert "a worker was ended from outside" in child.said()
        assert contents(out) == contents(undisturbed)
        return
    assert child.wait() == 2
    assert "a worker ran out of memory; finished games are kept" in child.said()
    with times(out):
        resume(out)
