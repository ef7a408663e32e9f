"""Functions are compiled when they are needed, callees first, by several processes side by side, into the cache."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from newdawn.simulator.compile_cache import ROOT
from newdawn.simulator.engine.compile import ahead, jit
from newdawn.simulator.engine.compile.ahead import CompileProgress, CompileQueue, side_by_side
from newdawn.simulator.engine.map import flood

pytestmark = pytest.mark.skipif(jit.JIT_OFF, reason="nothing is compiled")


class Function:
    """What a board needs to know of a function."""

    def __init__(self, number, *callees):
        self.number, self.before = number, callees

    def callees(self):
        return list(self.before)


def test_a_function_is_handed_out_after_its_callees():
    a = Function(0)
    b = Function(1)
    c = Function(2, a, b)
    board = CompileQueue([a, b, c])
    assert {board.take(), board.take()} == {a, b}
    board.finish(b)
    taken = []
    thread = threading.Thread(target=lambda: taken.append(board.take()))
    thread.start()
    thread.join(0.1)
    assert not taken  # c waits for a
    board.finish(a)
    thread.join()
    assert taken == [c]
    board.finish(c)
    assert board.take() is None


def test_the_longest_chain_is_begun_first_and_what_a_lost_worker_had_goes_to_another():
    single, deep = Function(0), Function(1)
    middle = Function(2, deep)
    board = CompileQueue([single, deep, middle, Function(3, middle)])
    assert board.take() is deep
    board.give_back(deep)
    assert board.take() is deep
    board.stop()
    assert board.take() is None


def test_callees_are_declared_before_and_come_first():
    from newdawn.simulator.runs.kernel import open_game, play_batch

    for function in (play_batch, open_game, flood):
        assert all(callee.number < function.number for callee in function.callees())
    names = {callee.__name__ for function in (play_batch, open_game) for callee in function.callees()}
    assert {"open_game", "start_game", "play_game", "seat_players", "read_agendas", "forget"} <= names


def test_the_address_of_a_strategy_in_code_counts_as_a_callee():
    from newdawn.strategies.planning.planner import best_candidate, choose_use

    assert choose_use in best_candidate.callees()


def test_a_users_function_waits_for_the_package_and_what_it_names():
    helper = jit.Compiled(lambda x: x, (jit.types.float64,))
    other = jit.Compiled(lambda x: x, (jit.types.float64,))
    through = jit.numba.njit(lambda x: helper(x))
    compiled = jit.Compiled(lambda x: through(x), (jit.types.float64,))
    helper.number = other.number = 0
    callees = compiled.callees()
    assert helper in callees
    assert other not in callees
    assert set(callees) - {helper} == {
        function for function in jit.JITTED if jit.is_ours(function.py_func) and not function.optional
    }


def test_progress_promises_a_time_and_says_how_many_of_all():
    stream = io.StringIO()
    progress = CompileProgress(20, 2, stream)
    promised, first = stream.getvalue().splitlines()  # before anything is compiled
    assert "for this machine (once after each update): less than half a minute on 2 processors" in promised
    assert first.endswith("0 of 20 functions ...")
    progress.reach(7)
    progress.end()
    assert "7 of 20 functions in" in stream.getvalue().splitlines()[-1]


@pytest.mark.parametrize(
    ("functions", "workers", "share", "said"),
    [
        (649, 2, 1.0, "about half a minute on 2 processors"),
        (649, 2, 0.5, "about a minute on 2 processors, busy with other work"),
        (649, 2, 0.25, "about 2 minutes on 2 processors, busy with other work"),
        (649, 1, 1.0, "about a minute on one processor"),
        (649, 8, 1.0, "less than half a minute on 8 processors"),
    ],
)
def test_the_promised_time_depends_on_functions_processors_and_other_work(functions, workers, share, said):
    assert ahead.promise(functions, workers, share) == said


@pytest.mark.parametrize(("load", "share"), [(0.0, 1.0), (2.0, 1.0), (6.0, 0.5), (None, 1.0)])
def test_other_work_takes_its_share_of_the_processors(monkeypatch, load, share):
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    if load is None:  # as on Windows
        monkeypatch.delattr(os, "getloadavg", raising=False)
    else:
        monkeypatch.setattr(os, "getloadavg", lambda: (load, 9.0, 9.0), raising=False)
    assert ahead.free_share(2) == share


SMALL = "newdawn.simulator.engine.choosing"  # a few functions that call each other
COMPILE = """
import os, sys
from newdawn.simulator.engine import choosing as rng
from newdawn.simulator.engine.compile import ahead, jit
ahead.FEW, ahead._cores = 1, lambda: 2
from newdawn.simulator.runs import kernel
functions = [f for f in jit.JITTED if f.__module__ == os.environ.get("PART", "newdawn.simulator.engine.choosing")]
if len(sys.argv) > 1:
    jit.Compiled.compile = lambda self: sys.exit("compiled here")
jit.ready(*functions)
print(all(f.is_ready for f in functions), len(functions), rng.mix(jit.np.uint64(1)))
"""


class Unkept(Function):
    """A function that the cache does not have."""

    def is_kept(self):
        return False


def test_what_workers_cannot_find_is_counted_once_when_the_caller_has_compiled_it(monkeypatch, capsys):
    functions = [Unkept(number) for number in range(20)]
    monkeypatch.setattr(ahead, "alone", lambda note: contextlib.nullcontext())
    monkeypatch.setattr(ahead, "side_by_side", lambda some, workers, done: done(len(some)))
    with ahead.ahead(functions, lambda function: function.number > 1) as compiled:  # the first two are a user's
        compiled(functions[0])
        compiled(functions[1])
    lines = capsys.readouterr().err.splitlines()
    assert lines[1].endswith(": 0 of 20 functions ...")
    assert ": 20 of 20 functions in" in lines[-1]
    progress = CompileProgress(3, 1, io.StringIO())
    progress.reach(4)  # a kept one could not be loaded
    assert (progress.done, progress.functions) == (4, 4)


GB = 1 << 30


@pytest.mark.parametrize(
    ("processors", "free", "workers"),
    [(8, None, 8), (16, 64 * GB, 8), (2, 23 * GB, 2), (8, GB, 2), (8, int(0.8 * GB), 1), (8, GB // 2, 1), (8, 0, 1)],
)
def test_so_many_workers_as_there_are_processors_and_free_memory(monkeypatch, processors, free, workers):
    monkeypatch.setattr(ahead, "_cores", lambda: processors)
    assert ahead.workers_for(free) == workers


def test_free_memory_is_that_of_the_machine_or_of_the_container(tmp_path):
    assert ahead.free_memory(tmp_path) is None
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "meminfo").write_text("MemTotal: 9000 kB\nMemAvailable:    4000 kB\n")
    assert ahead.free_memory(tmp_path) == 4_096_000
    groups = tmp_path / ahead.GROUPS
    groups.mkdir(parents=True)
    (groups / "memory.current").write_text("1000\n")
    (groups / "memory.max").write_text("max\n")
    assert ahead.free_memory(tmp_path) == 4_096_000
    (groups / "memory.max").write_text("5000\n")
    assert ahead.free_memory(tmp_path) == 4000
    (groups / "memory.stat").write_text("anon 30\ninactive_file 700\nactive_file 200\n")
    assert ahead.free_memory(tmp_path) == 4700
    (groups / "memory.max").write_text("200\n")
    assert ahead.free_memory(tmp_path) == 0


def compile_small(folder, *arguments, **environment):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    environment = clean | {"NUMBA_CACHE_DIR": str(folder)} | environment
    command = [sys.executable, "-c", COMPILE, *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """Return a folder that workers compiled into, what was said meanwhile, and what came out."""
    folder = tmp_path_factory.mktemp("cache")
    first, second = compile_small(folder, "workers only"), compile_small(folder, "workers only")
    return folder, [(process.communicate(), process.returncode) for process in (first, second)]


@pytest.mark.soak
def test_two_cold_starts_at_once_compile_once_and_both_play(warm):
    _, both = warm
    assert [code for _, code in both] == [0, 0], both
    assert len({out for (out, _), _ in both}) == 1
    said = "".join(error for (_, error), _ in both)
    assert said.count("waiting for it") <= 1


def test_what_is_kept_is_not_compiled_again_and_nothing_is_said(warm):
    folder, _ = warm
    before = {file: file.stat().st_mtime_ns for file in folder.rglob("*.code")}
    out, error = compile_small(folder, "from the cache only").communicate()
    assert out.startswith("True")
    assert error == ""
    assert {file: file.stat().st_mtime_ns for file in folder.rglob("*.code")} == before


def test_what_is_missing_is_compiled_and_nothing_else(warm):
    folder, _ = warm
    files = sorted(folder.rglob("*.code"))
    before = {file: file.stat().st_mtime_ns for file in files}
    files[0].unlink()
    out, _ = compile_small(folder).communicate()
    assert out.startswith("True")
    assert [file for file in files if file.stat().st_mtime_ns != before[file]] == files[:1]


@pytest.mark.soak
def test_without_a_folder_everything_is_compiled_here(tmp_path):
    (tmp_path / "file").write_text("")
    process = compile_small(tmp_path / "file")
    out, error = process.communicate()
    assert out.startswith("True"), error
    assert "functions in" in error


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.soak
def test_ctrl_c_ends_it_at_once_and_the_workers_too(tmp_path):
    process = compile_small(tmp_path, PART="newdawn.simulator.runs.kernel")  # all that a game needs: it takes its time
    for line in process.stderr:
        if "functions ..." in line:
            break
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode not in (0, None)
    out, _ = compile_small(tmp_path).communicate()
    assert out.startswith("True")


def test_lost_workers_leave_the_rest_to_the_caller(monkeypatch):
    dead = [sys.executable, "-c", textwrap.dedent("import sys; sys.stdin.readline()")]
    made = []

    def worker():
        pipe = subprocess.PIPE
        made.append(subprocess.Popen(dead, stdin=pipe, stdout=pipe, text=True))
        return made[-1]

    monkeypatch.setattr(ahead, "_worker", worker)
    monkeypatch.setattr(ahead, "SECONDS_TO_LOOK", 0.01)
    done = []
    side_by_side([flood], 2, done.append)
    assert set(done) <= {0}
    assert all(process.poll() is not None for process in made)
