"""The exponential of compiled code, and that compiled code takes nothing from a library that differs between systems."""

import struct

import numba
import numpy as np
import pytest

from newdawn.simulator.engine import choosing
from newdawn.simulator.engine.compile import direct_calls, jit
from newdawn.simulator.engine.compile.code_files import KEEPS

LAST_FINITE = 0x7F7FFFFF
PLAIN_MEMORY = {"memset", "memcpy", "memmove"}  # what these do is the same everywhere


def exps(x):
    if jit.JIT_OFF:
        with np.errstate(over="ignore"):
            return np.array([choosing.exp(one) for one in x], np.float32)
    own = choosing.exp.dispatcher

    @numba.njit
    def each(x, out):
        for k in range(len(x)):
            out[k] = own(x[k])

    out = np.empty(len(x), np.float32)
    each(x, out)
    return out


def ulps(one, other):
    return np.abs(one.view(np.int32).astype(np.int64) - other.view(np.int32).astype(np.int64))


def test_it_is_within_one_unit_in_the_last_place_over_the_whole_range():
    step = 200_003 if jit.JIT_OFF else 199
    bits = np.arange(0, LAST_FINITE, step, dtype=np.uint32)
    x = np.concatenate(
        [bits.view(np.float32), -bits.view(np.float32), np.linspace(-104, 89, 2_000_000 // step * 200, dtype=np.float32)]
    )
    with np.errstate(over="ignore", under="ignore"):
        true = np.exp(x.astype(np.float64)).astype(np.float32)
    found = ulps(exps(x), true)
    assert found.max() <= 1
    assert (found > 0).mean() < 1e-3


def test_it_is_one_at_zero_and_rises():
    x = np.linspace(-100, 88, 20_000 if jit.JIT_OFF else 2_000_000).astype(np.float32)
    assert exps(np.zeros(1, np.float32))[0] == 1
    assert (np.diff(exps(x)) >= 0).all()


def undefined(code):
    """Return the names that an object file of Linux (ELF) takes from elsewhere."""
    sections, (size, n) = struct.unpack_from("<Q", code, 0x28)[0], struct.unpack_from("<HH", code, 0x3A)
    table = [struct.unpack_from("<IIQQQQIIQQ", code, sections + k * size) for k in range(n)]
    found = set()
    for section in table:
        if section[1] != 2:  # no table of symbols
            continue
        texts = table[section[6]][4]
        for k in range(section[5] // 24):
            name, _, _, defined_in, _, _ = struct.unpack_from("<IBBHQQ", code, section[4] + k * 24)
            if name and not defined_in:
                found.add(code[texts + name : code.index(b"\0", texts + name)].decode())
    return found


def test_compiled_code_takes_no_mathematics_from_a_library():
    if jit.JIT_OFF or not KEEPS or not direct_calls.ARE_USED:
        pytest.skip("nothing is kept to be looked at")
    from newdawn.strategies.learned.lookahead import choose_learned
    from newdawn.strategies.planning.planner import choose_search

    jit.ready(choose_learned, choose_search)
    looked_at = 0
    for function in jit.JITTED:
        if function.inlined or not function.is_ready or not jit.is_ours(function.py_func):
            continue
        code = function.kept._kept()[0][2][0]
        if code[:4] != b"\x7fELF":
            pytest.skip("not an object file of Linux")
        looked_at += 1
        taken = {name for name in undefined(code) if not name.startswith(("newdawn.", "NRT_", "numba"))}
        assert taken <= PLAIN_MEMORY, (function.symbol, taken)
    assert looked_at > 300
