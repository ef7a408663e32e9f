"""What compiled functions of this program promise LLVM about the records they take (engine/core/jit.py), and that it is so."""

import ast
from collections import Counter

import numba
import pytest
from numba import types

from newdawn.simulator.compile_cache import compiled_sources
from newdawn.simulator.engine.core.jit import JIT_OFF, PARAMETERS, as_ours, signature_of


def space_count(r, g, w, p):
    """Count something of both records, so that the compiler needs to know whether they overlap."""
    n = 0
    for s in range(g.n_spaces):
        w.mark[s] = 1
        n += r.slots if g.owner[s] == p else 0
    return n


def arguments_of(function, ours):
    """Return how LLVM declares the first of the function's arguments that are records."""
    with as_ours(ours):
        compiled = numba.njit(function)
        compiled.compile(signature_of(function))
    code = next(iter(compiled.inspect_llvm().values()))
    line = next(line for line in code.splitlines() if line.startswith("define") and "%arg.r" in line and "arg.p" in line)
    return {name: next(part for part in line.split(",") if part.endswith(f"%arg.{name}")) for name in "rgw"}


@pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")
def test_records_are_promised_not_to_overlap_and_the_rules_to_stay():
    declared = arguments_of(space_count, ours=True)
    assert all("noalias" in declared[name] and "captures(none)" in declared[name] for name in "rgw")
    assert "readonly" in declared["r"]


@pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")
def test_functions_of_users_promise_nothing():
    assert not any("noalias" in text for text in arguments_of(space_count, ours=False).values())


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


def test_no_function_takes_two_records_of_a_kind():
    records = [kind for kind in PARAMETERS.values() if isinstance(kind, types.Record)]
    assert all(times == 1 for times in Counter(records).values())
