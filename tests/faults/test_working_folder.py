"""A user's files called like modules of Python's (`random.py`, `signal.py`) harm nothing where commands are given."""

import ast
import os
import subprocess
import sys
import time
from importlib.util import find_spec

import pytest

from newdawn.analysis.explorer.server import Films
from newdawn.simulator import user_modules
from newdawn.simulator.compile_cache import ROOT
from newdawn.simulator.errors import UserError
from newdawn.simulator.runs.run import why_lost
from newdawn.simulator.runs.run_folder import place

RUN = ["run", "--players", "2", "--games", "600", "--seed", "3", "--strategies", "random", "--round-cap", "3", "--jobs", "2"]
BOT = '''import random
from newdawn.strategies import strategy


@strategy
def choose_first(r, g, w, seat, kind, n, u):
    """Take the first."""
    return 0
'''
SCRIPT = "from newdawn.scripts.cli.start import main\n\nif __name__ == '__main__':\n    main()\n"
COMPILE = """
from newdawn.scripts.cli.start import main
from newdawn.simulator.engine import choosing as rng
from newdawn.simulator.engine.compile import ahead, jit
ahead.FEW, ahead._cores = 1, lambda: 2
asked = []
finish = ahead.CompileQueue.finish
ahead.CompileQueue.finish = lambda self, function: (asked.append(function), finish(self, function))
functions = [f for f in jit.JITTED if f.__module__ == rng.__name__]
jit.ready(*functions)
print(len(functions) == len(asked) > 3)
"""


# Where processes are started, and why those need no environment of their own.
STARTED = {"subprocess.run", "subprocess.Popen", "joblib.Parallel", "ProcessPoolExecutor", "LocalCluster"}
SAFE_ALL_THE_SAME = {
    ("simulator/runs/run.py", "joblib.Parallel"): "inside `safe_start`, see the tests of runs below",
    ("simulator/runs/cluster.py", "LocalCluster"): "inside `safe_start`, see the tests of runs below",
    ("scripts/cli/bench.py", "ProcessPoolExecutor"): "inside `safe_start`",
    ("analysis/report/export.py", "subprocess.run"): "a browser, no Python",
}


def starts(text):
    """Yield what of a source starts processes as they come: without an environment, and not as threads."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)) in STARTED:
            given = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
            if "env" not in given and given.get("backend") != "'threading'":
                yield name


def test_every_process_starts_safe():
    tops = ("simulator", "strategies", "analysis", "scripts/cli")
    sources = [path for top in tops for path in (ROOT / top).rglob("*.py")]
    found = {(path.relative_to(ROOT).as_posix(), name) for path in sources for name in starts(path.read_text("utf-8"))}
    assert found == set(SAFE_ALL_THE_SAME)
    assert list(starts("subprocess.run([sys.executable]); joblib.Parallel(2)")) == ["subprocess.run", "joblib.Parallel"]
    assert not list(starts("subprocess.run(x, env=y); joblib.Parallel(2, backend='threading')"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a file for every module of Python's, which may not be imported."""
    folder = tmp_path_factory.mktemp("theirs")
    names = [name for name in sys.stdlib_module_names if name != "__main__" and find_spec(name)]
    assert {"random", "signal", "pickle"} < set(names)
    for name in names:
        (folder / f"{name}.py").write_text(f"raise RuntimeError('imported: {name}')\n")
    (folder / "bots.py").write_text(BOT)
    (folder / "calendar.py").write_text(BOT)
    return folder


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """Return a script such as the installed `newdawn`."""
    script = tmp_path_factory.mktemp("bin") / "newdawn"
    script.write_text(SCRIPT)
    return script


def call(folder, *words, **environment):
    """Run Python in the folder; return what it prints."""
    environment = os.environ | {"PYTHONPATH": str(ROOT.parent)} | environment
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "imported:" not in done.stderr
    return done.stdout


LONG = [pytest.param(more, marks=pytest.mark.soak) for more in (("--backend", "processes"), ("--cluster", "local"))]


@pytest.mark.parametrize("more", [(), *LONG], ids=lambda more: " ".join(more))
def test_a_run_is_played(folder, script, tmp_path, more):
    """Workers get the path of who starts them: that of `python -m` begins with the folder, that of a script does not."""
    if "--cluster" in more:
        pytest.importorskip("distributed")
    for number, how in enumerate([("-m", "newdawn.scripts.cli.start"), (script,)][: 1 if more else 2]):
        out = tmp_path / str(number)
        assert str(out) in call(folder, *how, *RUN, *more, "--out", out)


@pytest.mark.soak
def test_a_strategy_there_plays_under_guard(folder, script, tmp_path):
    seats = ("--strategies", "bots:choose_first,calendar.py:choose_first")
    for number, how in enumerate([("-m", "newdawn.scripts.cli.start"), (script,)]):
        out = tmp_path / str(number)
        assert str(out) in call(folder, *how, *RUN[:5], *RUN[5:7], *seats, *RUN[9:], "--out", out)


def test_a_strategy_called_like_a_module_of_pythons_is_named_by_its_file(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(UserError, match=r"calendar is an installed module; for the file here write calendar\.py:choose_first"):
        user_modules.imported("strategy", "calendar:choose_first")


def test_the_engine_is_compiled_by_workers(folder, tmp_path):
    assert call(folder, "-c", COMPILE, XDG_CACHE_HOME=str(tmp_path), NUMBA_CACHE_DIR="").strip() == "True"


def test_a_film_is_made(folder, monkeypatch):
    monkeypatch.chdir(folder)
    code = "import random, pathlib, sys; pathlib.Path(sys.argv[1]).write_text('film')"
    films = Films(lambda run, game, file: [sys.executable, "-c", code, str(file)])
    try:
        films.order(place(folder), 1)
        while films.state(place(folder), 1)["state"] in ("waiting", "working"):
            time.sleep(0.02)
        assert films.page(place(folder), 1) == b"film"
    finally:
        films.close()


def test_the_environment_is_as_it_was_after_a_safe_start(monkeypatch):
    for before in (None, "x"):
        monkeypatch.delenv(user_modules.SAFE, raising=False)
        if before:
            monkeypatch.setenv(user_modules.SAFE, before)
        with user_modules.safe_start():
            assert os.environ[user_modules.SAFE] == "1"
        assert os.environ.get(user_modules.SAFE) == before


def test_workers_that_end_by_themselves_do_not_lack_memory():
    ends = "The exit codes of the workers are {{{}}}"
    assert why_lost(RuntimeError(ends.format("EXIT(1), EXIT(1)"))) == "with exit codes EXIT(1), EXIT(1)"
    assert why_lost(RuntimeError(ends.format("SIGKILL(-9)"))) == "maybe for lack of memory (RuntimeError)"
    assert why_lost(RuntimeError()) == "maybe for lack of memory (RuntimeError)"
