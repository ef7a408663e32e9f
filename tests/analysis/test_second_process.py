"""A second process beside a report: its results, its errors, its end; and the verdict, which comes before everything else."""

import multiprocessing
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from newdawn.analysis.report import second_process
from newdawn.analysis.report.second_process import beside
from newdawn.simulator.errors import UserError


def process_of(name):
    return name, os.getpid()


def refuse():
    raise UserError("cannot be played again")


def end(here):
    if os.getpid() != here:
        os._exit(9)  # as if memory was short
    return "worked out here"


def test_tasks_are_worked_out_in_a_second_process_and_their_errors_are_raised_here(monkeypatch):
    monkeypatch.setattr(second_process.joblib, "cpu_count", lambda: 2)
    with beside(
        {"a": partial(process_of, "a"), "no": refuse, "large": partial(bytes, 1 << 22), "b": partial(process_of, "b")}
    ) as result:
        name, other = result("b")  # in any order, though the one before it fills any pipe
        assert (name, result("a")) == ("b", ("a", other))
        assert other != os.getpid()
        with pytest.raises(UserError, match="cannot be played again"):
            result("no")
        assert len(result("large")) == 1 << 22


def test_what_a_process_that_ends_owes_is_worked_out_here(monkeypatch):
    monkeypatch.setattr(second_process.joblib, "cpu_count", lambda: 2)
    with beside({"end": partial(end, os.getpid())}) as result:
        assert result("end") == "worked out here"


def test_with_one_processor_nothing_is_started_and_leaving_ends_what_was(monkeypatch):
    monkeypatch.setattr(second_process.joblib, "cpu_count", lambda: 1)
    with beside({"a": partial(process_of, "a")}) as result:
        assert result("a") == ("a", os.getpid())
        assert not multiprocessing.active_children()
    monkeypatch.setattr(second_process.joblib, "cpu_count", lambda: 2)
    start = time.monotonic()
    with beside({"sleep": partial(time.sleep, 60)}):
        assert len(multiprocessing.active_children()) == 1
    assert not multiprocessing.active_children()
    assert time.monotonic() - start < 30


KILLED = """
import os, time
from functools import partial
from newdawn.analysis.report import second_process
second_process.joblib.cpu_count = lambda: 2
with second_process.beside({"pid": os.getpid, "large": partial(bytes, 1 << 24)}) as result:
    print(result("pid"), flush=True)
    os._exit(9)
"""


@pytest.mark.skipif(second_process.START != "fork", reason="without fork the task is pickled from a module")
def test_it_ends_when_the_first_process_is_killed():
    child = int(subprocess.run([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, check=False, timeout=60).stdout)
    end = time.monotonic() + 30
    while time.monotonic() < end and Path(f"/proc/{child}/stat").exists() and state(child) != "Z":
        time.sleep(0.1)
    assert not Path(f"/proc/{child}/stat").exists() or state(child) == "Z"


def state(pid):
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
