"""The compile cache notices every change of what it was compiled from."""

import ast
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from newdawn.simulator.compile_cache import ROOT, compiled_sources, source_digest


@pytest.fixture
def copy(tmp_path):
    for package in ("simulator", "strategies"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.parametrize(
    "path", ["simulator/engine/board/hexes.py", "simulator/names.py", "simulator/rules/record.py", "strategies/basic.py"]
)
def test_editing_a_callee_changes_the_digest(copy, path):
    before = source_digest(copy)
    file = copy / path
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert source_digest(copy) != before


def test_digest_depends_on_sources_only(copy):
    assert source_digest(copy) == source_digest(ROOT)
    (copy / "simulator" / "batch" / "plan.py").write_text("")
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
    from newdawn.simulator.engine.core.jit import JITTED

    sources = set(compiled_sources())
    functions = [getattr(function, "py_func", function) for function in JITTED]
    ours = [f for f in functions if f.__module__.startswith(("newdawn.simulator.", "newdawn.strategies."))]
    assert {Path(inspect.getsourcefile(f)) for f in ours} <= sources
    harmless = {ROOT / "simulator" / "compile_cache.py"}  # decides where, not what
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
    code = "import sys, newdawn.simulator.batch.run, newdawn.simulator.games.kernel; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"pandas", "scipy.linalg", "pydantic", "matplotlib"} & set(run.stdout.split())


def test_hidden_modules_can_be_imported_afterwards_and_known_ones_stay():
    from newdawn.simulator.engine.core.jit import hidden

    sys.modules.pop("this_is_no_module", None)
    with hidden("this_is_no_module"), pytest.raises(ImportError):
        import this_is_no_module  # noqa: F401
    assert "this_is_no_module" not in sys.modules
    with hidden("json"):
        import json
    assert sys.modules["json"] is json


def test_the_cache_of_functions_called_by_symbol_holds_no_llvm_code():
    from newdawn.simulator.engine.board.hexes import flood, is_empty
    from newdawn.simulator.engine.core import jit
    from newdawn.simulator.engine.core.code_cache import NO_LLVM_CODE

    if jit.JIT_OFF:
        pytest.skip("nothing is compiled")
    jit.ready(flood, is_empty)
    for dispatcher, expected in ((flood.dispatcher, True), (is_empty.dispatcher, False)):  # one is built into its callers
        kept = list(Path(dispatcher._cache.cache_path).glob(f"hexes.{dispatcher.__name__}-*.nbc"))
        assert kept
        assert all((NO_LLVM_CODE in file.read_bytes()) == expected for file in kept)


seen = []


def see(g):
    """What compiled code calls back: global, as what numba can keep has to be."""
    seen.append(int(g.players))


@pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaWarning")  # object mode is meant
def test_what_calls_back_into_python_is_not_kept():
    """A process that took it from the cache would crash: the check of strategies did, in its second run."""
    from numba import objmode

    from newdawn.simulator.engine.core import state
    from newdawn.simulator.engine.core.jit import JIT_OFF, jit

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
