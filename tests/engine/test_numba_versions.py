"""The same games with every numba and every Python: known from inside (engine/compile/direct_calls.py), or any other."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numba
import pytest

from newdawn.simulator.compile_cache import ROOT
from newdawn.simulator.engine.compile import direct_calls, jit

pytestmark = pytest.mark.skipif(jit.JIT_OFF, reason="nothing is compiled")

OTHERS = ("0.62", "0.66")  # the oldest that the program goes with, and one on the way to today's
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
GAMES = 60
PLAY = """
import hashlib, sys
import numba
from newdawn.analysis.learning import strategy_checks
from newdawn.scripts.cli.bench import make
from newdawn.simulator.runs.run import Silent, play_range
from newdawn.simulator.engine.compile import direct_calls, jit
for box in ("base", "terra-incognita"):
    for strategy in ("planner", "quick"):  # quick is a learned player
        rows = play_range(*make(3, int(sys.argv[1]), strategy, box), 0, int(sys.argv[1]), Silent())
        print(hashlib.sha256(rows.games.tobytes() + rows.seats.tobytes()).hexdigest())
jit.ready(strategy_checks._checked())  # calls back into Python
print(numba.__version__, direct_calls.ARE_USED)
"""
SMALL = """
from newdawn.simulator.engine import choosing as rng
from newdawn.simulator.engine.compile import ahead, direct_calls, jit
ahead.FEW, ahead._cores = 1, lambda: 2
functions = [f for f in jit.JITTED if f.__module__ == rng.__name__]
jit.ready(*functions)
print(direct_calls.ARE_USED, len(functions), rng.mix(jit.np.uint64(1)), [f.kept.path.name for f in functions])
"""


def python(code, *arguments, cache, paths=(), program=sys.executable, **environment):
    """Run code in a new process, with modules from the `paths` first; return the lines it prints, and what it says."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_") and key != direct_calls.TOLD}
    found = os.pathsep.join(filter(None, [*map(str, paths), os.environ.get("PYTHONPATH")]))
    environment = clean | {"XDG_CACHE_HOME": str(cache), "PYTHONPATH": found} | environment
    command = [program, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


@pytest.fixture
def new_version(tmp_path):
    """Return a folder that makes the numba of a process, and of those it starts, one that nobody has tried."""
    folder = tmp_path / "new"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text('import numba\n\nnumba.__version__ = "0.99.1"\n')
    return folder


def test_this_version_is_known():
    assert direct_calls.ARE_KNOWN


def test_a_version_whose_insides_are_not_what_they_were_is_not_known(monkeypatch):
    def changed(self, library, fndesc, env, call_helper):
        """What the next version may make of it."""

    monkeypatch.setattr("numba.core.cpu.CPUContext.create_cfunc_wrapper", changed)
    assert not direct_calls.are_known()


def test_a_version_that_lacks_something_is_not_known(monkeypatch):
    monkeypatch.delattr("numba.core.compiler.CompileResult._rebuild")
    assert direct_calls.digest() == ""
    assert not direct_calls.are_known()


def test_a_version_that_was_not_tried_is_not_known(monkeypatch):
    monkeypatch.setattr(numba, "__version__", "0.99.1")
    assert not direct_calls.are_known()


@pytest.mark.soak
def test_an_unknown_version_is_said_once_and_goes_without_what_is_private(tmp_path, new_version):
    (first,), said = python(SMALL, cache=tmp_path, paths=[new_version])
    assert first.startswith("False")
    assert said.count("is new to this program") == 1
    assert said.splitlines()[0] == (
        "numba 0.99.1 is new to this program, which plays the same games with it, but slower "
        f"(tried: {', '.join(direct_calls.TRIED)})"
    )
    (again,), said = python(SMALL, cache=tmp_path, paths=[new_version])
    assert (again, len(said.splitlines())) == (first, 1)  # from the cache
    (known,), said = python(SMALL, cache=tmp_path)
    assert known.startswith("True")
    assert known.split("[")[0].split()[1:] == first.split("[")[0].split()[1:]
    assert "new to this program" not in said
    assert not set(known.split("[")[1].split(", ")) & set(first.split("[")[1].split(", "))  # each has files of its own


@pytest.mark.soak
def test_who_asks_numba_for_bounds_checks_is_told_of_errors(tmp_path):
    (line,), said = python(SMALL, cache=tmp_path, NUMBA_BOUNDSCHECK="1")
    assert line.startswith("False")
    assert "new to this program" not in said


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Return the digests of some games in both boxes, played with the numba that is installed."""
    lines, _ = python(PLAY, GAMES, cache=tmp_path_factory.mktemp("cache"))
    assert lines[-1] == f"{numba.__version__} True"
    return lines[:-1]


@pytest.mark.versions
def test_an_unknown_version_plays_the_same_games(expected, tmp_path, new_version):
    lines, said = python(PLAY, GAMES, cache=tmp_path, paths=[new_version])
    assert lines == [*expected, "0.99.1 False"]
    assert said.count("is new to this program") == 1


@pytest.mark.versions
@pytest.mark.parametrize("version", OTHERS)
def test_other_versions_play_the_same_games(expected, version, tmp_path):
    folder = tmp_path / "packages"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--target", str(folder)]
    done = subprocess.run([*command, f"numba=={version}.*"], capture_output=True, text=True, check=False)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1]
        pytest.skip(f"numba {version} cannot be installed for Python {sys.version.split()[0]}: {reason}")
    lines, said = python(PLAY, GAMES, cache=tmp_path, paths=[folder])
    assert lines[:-1] == expected
    assert lines[-1].startswith(version)
    assert lines[-1].endswith("True")
    assert "new to this program" not in said


def program_of(minor):
    """Return a Python 3.`minor` of this machine, from the path or one of pyenv's; None if there is none."""
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    for program in (shutil.which(f"python3.{minor}"), *sorted(kept.glob(f"3.{minor}.*/bin/python"))):
        say = "import ensurepip, sys, venv; print(sys.version_info[1])"
        done = program and subprocess.run([program, "-c", say], capture_output=True, text=True, check=False)
        if done and done.stdout.strip() == str(minor):
            return program
    return None


@pytest.mark.versions
@pytest.mark.parametrize("minor", [11, 12, 13, 14])
def test_other_pythons_play_the_same_games(expected, minor, tmp_path):
    program = program_of(minor)
    if minor == sys.version_info[1] or program is None:
        pytest.skip(f"Python 3.{minor} is {'the one at hand' if program else 'not on this machine'}")
    subprocess.run([program, "-m", "venv", tmp_path / "venv"], check=True)
    program = str(tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    install = [program, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--editable", str(ROOT)]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"Python 3.{minor} cannot have what the program needs: {done.stderr.strip().splitlines()[-1]}")
    lines, _ = python(PLAY, GAMES, cache=tmp_path, program=program)
    assert lines[:-1] == expected


def test_the_oldest_version_tried_is_the_oldest_that_the_program_goes_with():
    needed = next(text for text in PROJECT["dependencies"] if text.startswith("numba"))
    assert needed == f"numba>={next(iter(direct_calls.TRIED))}"
    assert OTHERS[0] == next(iter(direct_calls.TRIED))
