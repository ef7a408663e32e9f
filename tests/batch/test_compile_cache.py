"""The compile cache notices every change of what it was compiled from."""

import ast
import errno
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import FunctionType, SimpleNamespace

import pytest

from newdawn.simulator.compile_cache import ROOT, compiled_sources, source_digest
from newdawn.simulator.engine.compile import code_files, direct_calls


@pytest.fixture
def copy(tmp_path):
    for package in ("simulator", "strategies"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.parametrize(
    "path", ["simulator/engine/map.py", "simulator/names.py", "simulator/rules/record.py", "strategies/archetypes.py"]
)
def test_editing_a_callee_changes_the_digest(copy, path):
    before = source_digest(copy)
    file = copy / path
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert source_digest(copy) != before


def test_digest_depends_on_sources_only(copy):
    assert source_digest(copy) == source_digest(ROOT)
    (copy / "simulator" / "runs" / "plan.py").write_text("")
    assert source_digest(copy) == source_digest(ROOT)


def imported_files(path):
    """Return the files of our packages that a module imports at its top level."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = path.relative_to(ROOT).parents[node.level - 1]
            module = ".".join([*folder.parts, *([node.module] if node.module else [])])
            names |= {module} | {f"{module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    files = {ROOT / (name.removeprefix("newdawn.").replace(".", "/") + ".py") for name in names}
    return {file for file in files if file.is_file()}


def test_every_compiled_function_and_what_it_imports_is_in_the_digest():
    import newdawn.strategies.planning.planner  # noqa: F401
    from newdawn.simulator.engine.compile.jit import JITTED

    sources = set(compiled_sources())
    functions = [getattr(function, "py_func", function) for function in JITTED]
    ours = [f for f in functions if f.__module__.startswith(("newdawn.simulator.", "newdawn.strategies."))]
    assert {Path(inspect.getsourcefile(f)) for f in ours} <= sources
    harmless = {ROOT / "simulator" / name for name in ("compile_cache.py", "file_ownership.py")}  # decide where, not what
    for path in sources:
        if path.suffix == ".py":
            assert imported_files(path) - harmless <= sources, path


def use(tmp_path, **environment):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    code = "from newdawn.simulator.compile_cache import use_compile_cache as use; print(use())"
    command = [sys.executable, "-c", code]
    environment = clean | {"XDG_CACHE_HOME": str(tmp_path)} | environment
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)


def test_users_choice_is_kept_and_nothing_is_said(tmp_path):
    cold = use(tmp_path)
    assert Path(cold.stdout.strip()).parent == tmp_path / "newdawn"
    assert cold.stderr == ""
    assert use(tmp_path, NUMBA_CACHE_DIR=str(tmp_path)).stdout.strip() == "None"


def test_unwritable_cache_folder_falls_back(tmp_path):
    (tmp_path / "file").write_text("")
    result = use(tmp_path / "file", TMPDIR=str(tmp_path))
    assert Path(result.stdout.strip()).is_relative_to(tmp_path)


def test_workers_do_without_what_only_reports_need():
    code = "import sys, newdawn.simulator.runs.run, newdawn.simulator.runs.kernel; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"pandas", "scipy.linalg", "pydantic", "matplotlib"} & set(run.stdout.split())


def test_the_screen_after_a_run_does_without_what_only_charts_need():
    code = "import sys, newdawn.analysis.pages.report_parts, newdawn.scripts.cli.run_tables; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "matplotlib" not in run.stdout.split()


def test_hidden_modules_can_be_imported_afterwards_and_known_ones_stay():
    from newdawn.simulator.engine.compile.jit import hidden

    sys.modules.pop("this_is_no_module", None)
    with hidden("this_is_no_module"), pytest.raises(ImportError):
        import this_is_no_module  # noqa: F401
    assert "this_is_no_module" not in sys.modules
    with hidden("json"):
        import json
    assert sys.modules["json"] is json


def test_the_cache_of_functions_called_by_symbol_holds_no_llvm_code():
    from newdawn.simulator.engine.compile import jit
    from newdawn.simulator.engine.compile.code_cache import NO_LLVM_CODE
    from newdawn.simulator.engine.map import flood, is_empty

    if jit.JIT_OFF:
        pytest.skip("nothing is compiled")
    jit.ready(flood, is_empty)
    assert NO_LLVM_CODE in flood.kept.read()
    assert NO_LLVM_CODE not in is_empty.kept.read()  # it is built into its callers


# --- the files


def one(r, g, p):
    """Stand for a function that is kept."""
    return p


def two(r, g, p):
    """Stand for another one."""
    return -p


OTHER = (int, float)  # what another function takes


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Return the files of two functions, both kept in a folder."""
    monkeypatch.setattr(code_files, "FOLDER", tmp_path / "cache")
    files = [code_files.CodeFile(function, (int,)) for function in (one, two)]
    for file in files:
        file.write(file.path.name.encode() * 100)
    return files


def test_what_is_written_is_read(kept):
    assert [file.read() for file in kept] == [file.path.name.encode() * 100 for file in kept]


def flip(path, bit):
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)


DAMAGES = {
    "the first bit": lambda path, other: flip(path, 0),
    "the last bit": lambda path, other: flip(path, 8 * path.stat().st_size - 1),
    "a bit of the digest": lambda path, other: flip(path, 100),
    "one byte missing": lambda path, other: os.truncate(path, path.stat().st_size - 1),
    "cut within the digest": lambda path, other: os.truncate(path, 20),
    "nothing left": lambda path, other: path.write_bytes(b""),
    "something behind it": lambda path, other: path.write_bytes(path.read_bytes() + b"x"),
    "another function's": lambda path, other: path.write_bytes(other.read_bytes()),
    "a link to another function's": lambda path, other: (path.unlink(), path.symlink_to(other)),
    "a folder": lambda path, other: (path.unlink(), path.mkdir()),
    "nothing there": lambda path, other: path.unlink(),
    "no folder there": lambda path, other: shutil.rmtree(path.parent),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_not_read_and_is_replaced(kept, damage):
    file, other = kept
    DAMAGES[damage](file.path, other.path)
    assert file.read() is None
    if damage != "a folder":  # nothing of a user's is removed
        file.write(b"compiled anew")
        assert file.read() == b"compiled anew"


def test_every_bit_counts(kept):
    file, _ = kept
    file.write(b"code")
    for bit in range(8 * file.path.stat().st_size):
        flip(file.path, bit)
        assert file.read() is None
        flip(file.path, bit)
    assert file.read() == b"code"


def test_a_file_belongs_to_what_the_function_takes_and_to_a_version(kept, monkeypatch):
    content = kept[0].path.read_bytes()

    def takes_over(file):
        file.path.write_bytes(content)
        return file.read() is not None

    assert takes_over(code_files.CodeFile(one, (int,)))
    assert not takes_over(code_files.CodeFile(one, OTHER))
    for name, value in (("compile_cache.version", lambda: "another"), ("direct_calls.ARE_USED", not direct_calls.ARE_USED)):
        with monkeypatch.context() as patch:
            patch.setattr(f"newdawn.simulator.engine.compile.code_files.{name}", value)
            assert not takes_over(code_files.CodeFile(one, (int,)))


def test_a_function_of_a_users_is_compiled_anew_when_its_file_has_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(code_files, "FOLDER", tmp_path / "cache")
    source = tmp_path / "mine.py"
    mine = FunctionType(one.__code__.replace(co_filename=str(source)), {"__name__": "mine"})
    source.write_text("LIMIT = 1\n")
    code_files.CodeFile(mine, (int,)).write(b"code")
    assert code_files.CodeFile(mine, (int,)).read() == b"code"
    source.write_text("LIMIT = 2\n")
    code_files._source_digest.cache_clear()  # as in a new process
    assert code_files.CodeFile(mine, (int,)).read() is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="a matter of POSIX")
def test_another_users_file_is_not_read(kept, monkeypatch):
    file, _ = kept
    owner = file.path.stat().st_uid
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    assert file.read() is not None  # the folder is the same user's: one who made it for all
    folder = SimpleNamespace(st_uid=owner + 1)
    monkeypatch.setattr(type(file.path), "stat", lambda *_, **__: folder)
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    assert file.read() is None


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_where_nothing_can_be_written_that_is_said_once_and_the_old_file_stays(kept, error, monkeypatch, capsys):
    def fail(*_, **__):
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(code_files, "_told", set())
    monkeypatch.setattr(Path, "replace", fail)
    for file in kept:
        before = file.read()
        file.write(b"new")
        assert file.read() == before
    folder = kept[0].path.parent
    assert capsys.readouterr().err == (
        f"{folder}: compiled code cannot be kept there, every command compiles it anew: {os.strerror(error)}\n"
    )
    assert not list(folder.glob("*.unfinished"))


PLAYS = """
from newdawn.simulator.engine import choosing as rng
from newdawn.simulator.engine.compile import ahead, jit
ahead.FEW = 10**9
compiled = []
compile_one = jit.Compiled.compile
jit.Compiled.compile = lambda self: (compiled.append(self.__name__), compile_one(self))
functions = [f for f in jit.JITTED if f.__module__ == rng.__name__]
jit.ready(*functions)
print(rng.mix(jit.np.uint64(1)), *sorted(f.kept.path.name for f in functions if f.__name__ in compiled))
"""


@pytest.mark.soak
def test_damaged_functions_and_no_others_are_compiled_anew(tmp_path):
    """More damage is done by `newdawn.scripts.checks.damaged_cache`, by the hundred."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}

    def play():
        command, environment = [sys.executable, "-c", PLAYS], clean | {"NUMBA_CACHE_DIR": str(tmp_path)}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        said, *compiled = done.stdout.split()
        return said, compiled

    first, everything = play()
    if not everything:
        pytest.skip("nothing is compiled")
    assert play() == (first, [])
    damaged = everything[:4]
    flip(tmp_path / damaged[0], 4000)
    (tmp_path / damaged[1]).write_bytes(b"")
    (tmp_path / damaged[2]).write_bytes((tmp_path / everything[4]).read_bytes())
    os.truncate(tmp_path / damaged[3], 1000)
    assert play() == (first, damaged)
    assert play() == (first, [])


seen = []


def see(g):
    """What compiled code calls back: global, as what numba can keep has to be."""
    seen.append(int(g.players))


@pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaWarning")  # object mode is meant
def test_what_calls_back_into_python_is_not_kept():
    """A process that took it from the cache would crash: the check of strategies did, in its second run."""
    from numba import objmode

    from newdawn.simulator.engine import state
    from newdawn.simulator.engine.compile.jit import JIT_OFF, jit

    if JIT_OFF:
        pytest.skip("nothing is compiled")

    @jit
    def look_outside(g):
        with objmode():
            see(g)
        return g.players

    @jit
    def look(g):
        return g.players

    g = state.new_state()
    g.players = 3
    assert look_outside(g) == look(g) == 3
    assert seen == [3]
    assert look.is_kept()
    assert not look_outside.is_kept()
