"""How compiled functions call each other (engine/compile/direct_calls.py)."""

import ast
import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import llvmlite.binding as llvm
import pytest
from numba import types

from newdawn.simulator.compile_cache import CHECKED, compiled_sources
from newdawn.simulator.engine import combat, pieces
from newdawn.simulator.engine.compile import argument_types
from newdawn.simulator.engine.compile.argument_types import declare_parameters
from newdawn.simulator.engine.compile.jit import JIT_OFF, Compiled, is_ours, jit, ready, signature_of

compiled_only = pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")


def space_count(r, g, w, p):
    """Count something."""
    n = 0
    for s in range(g.n_spaces):
        w.mark[s] = 1
        n += r.slots if g.owner[s] == p else 0
    return n


@compiled_only
def test_functions_of_users_are_not_called_directly():
    users = jit(space_count)
    ready(users)
    assert not users.is_direct
    assert pieces.is_mature.is_direct


@compiled_only
def test_functions_begin_all_over_their_pages_of_memory():
    """Else the processor's nearest memory has room for few of them: it goes by the place in the page."""
    functions = [function for function in vars(pieces).values() if isinstance(function, Compiled) and function.is_direct]
    ready(*functions)
    lines = {llvm.address_of_symbol(function.native) % 4096 // 64 for function in functions}
    assert len(lines) > len(functions) // 2 > 10


def test_functions_of_this_program_are_known_through_links(tmp_path):
    """Taken for a user's, they would be compiled with checks and be called in another way."""
    source = Path(pieces.__file__).resolve()
    (tmp_path / "link").symlink_to(source.parent)
    code = space_count.__code__.replace(co_filename=str(tmp_path / "link" / source.name))
    assert is_ours(FunctionType(code, {}))
    assert not is_ours(space_count)


def written_into(target):
    """Return the name that a target of an assignment begins with, '' if it is itself a name."""
    inner = target
    while isinstance(inner, (ast.Attribute, ast.Subscript)):
        inner = inner.value
    return inner.id if isinstance(inner, ast.Name) and inner is not target else ""


def test_no_compiled_function_writes_into_the_rules():
    found = []
    for path in compiled_sources():
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef) and function.decorator_list:
                for node in ast.walk(function):
                    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
                    found += [f"{path.name}:{node.lineno}" for target in targets if target and written_into(target) == "r"]
    assert found == []


def of_module(function, module, source=""):
    """Return the function as if it stood in this module, written in the file `source`."""
    code = function.__code__.replace(co_filename=str(source or function.__code__.co_filename))
    return FunctionType(code, {"__name__": module}, function.__name__)


def length_against(w, against):
    """Take a parameter that is a number in the engine."""
    return len(against)


@pytest.fixture
def as_floats():
    module = "newdawn.strategies.made_up"
    declare_parameters(module, against=types.float64[::1])
    yield module
    del argument_types._declared[module]


@pytest.mark.parametrize("decorate", [jit, signature_of])
def test_a_name_that_means_something_else_in_another_module_is_an_error_when_it_is_imported(as_floats, decorate):
    with pytest.raises(TypeError) as error:
        decorate(of_module(length_against, as_floats, Path(combat.__file__).resolve()))
    assert str(error.value) == (
        f"{as_floats}: parameter against is array(float64, 1d, C), in newdawn.simulator.engine.combat it is int64; "
        "expected one type everywhere"
    )


def test_a_users_module_has_its_own_meanings(as_floats):
    assert signature_of(of_module(length_against, as_floats))[1] == types.float64[::1]
    assert signature_of(of_module(length_against, "my_strategy"))[1] == types.int64


def test_what_a_name_means_does_not_hang_on_what_is_imported():
    ours = of_module(length_against, "newdawn.strategies.other", Path(combat.__file__).resolve())
    assert signature_of(ours)[1] == types.int64


# --- with all checks (scripts/checks/limits.py)

BEYOND_THE_SEATS = """
from newdawn.simulator.engine import pieces
from newdawn.simulator.engine.state import new_state

g = new_state()
assert pieces.army_on(g, 0, 0) == 0
for seat in (99, -1):
    try:
        pieces.army_on(g, seat, 0)
    except IndexError:
        print("noticed")
"""
IN_THE_EXPANSION = """
from newdawn.simulator.engine import map as hexes
from newdawn.simulator.engine.state import new_state

try:
    hexes.at_fort(new_state(), 30_000)
except IndexError:
    print("noticed")
"""


@compiled_only
@pytest.mark.parametrize(
    ("setting", "code", "times"),
    [
        (CHECKED, BEYOND_THE_SEATS, 2), (CHECKED, IN_THE_EXPANSION, 1), ("NUMBA_BOUNDSCHECK", IN_THE_EXPANSION, 1),
        ("NUMBA_BOUNDSCHECK", BEYOND_THE_SEATS, 1),  # numba counts an index below zero from the end
    ],
)  # fmt: skip
def test_functions_of_this_program_can_be_compiled_with_checks_too(tmp_path, setting, code, times):
    environment = {**os.environ, setting: "1", "XDG_CACHE_HOME": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["noticed"] * times
