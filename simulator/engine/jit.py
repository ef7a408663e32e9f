"""How engine functions are compiled.

Every engine and strategy function takes its parameters by fixed names and types:

    r     the compiled rules (RULES record), read only
    g     the game (STATE record)
    w     the workspace (WORK record)
    bots  a tuple of MAX_PLAYERS strategies, one a seat
    u     64 random bits (uint64)

and any other parameter is a 64-bit integer (or, named in `FLOATS`, a float). One signature a function, compiled or loaded from disk when it
is first needed: a call with another integer width converts instead of compiling the function again. What is kept of a
function on disk holds the functions it calls, too, so a warm start loads the few entry points and nothing below them.

Set NUMBA_DISABLE_JIT=1 to run the same code as plain Python.
"""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from simulator.engine.state import STATE, WORK
from simulator.limits import MAX_PLAYERS
from simulator.rules.record import RULES

F = TypeVar("F", bound=Callable[..., Any])

# Strategies are passed as first-class functions, which numba still calls experimental.
warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)


def _record_type(dtype: np.dtype) -> types.Type:
    return numba.typeof(np.zeros(1, dtype).view(np.recarray)[0])


RULES_TYPE = _record_type(RULES)
STATE_TYPE = _record_type(STATE)
WORK_TYPE = _record_type(WORK)
STRATEGY_TYPE = types.FunctionType(
    types.int64(RULES_TYPE, STATE_TYPE, WORK_TYPE, types.int64, types.int64, types.int64, types.uint64)
)
BOTS_TYPE = types.UniTuple(STRATEGY_TYPE, MAX_PLAYERS)

PARAMETERS = {"r": RULES_TYPE, "g": STATE_TYPE, "w": WORK_TYPE, "bots": BOTS_TYPE, "u": types.uint64}
FLOATS = frozenset({"x", "value", "weight"})

JITTED: list[Any] = []


def parameter_type(name: str) -> types.Type:
    """Return the numba type of an engine parameter by its name (see the module docstring)."""
    if name in PARAMETERS:
        return PARAMETERS[name]
    return types.float64 if name in FLOATS else types.int64


def jit(function: F) -> F:
    """Compile an engine function with the fixed signature its parameter names imply."""
    names = inspect.signature(function).parameters
    signature = tuple(parameter_type(name) for name in names)
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    if not numba.config.DISABLE_JIT:
        _compile_when_needed(compiled, signature)
    JITTED.append(compiled)
    return compiled


def _on_disk(dispatcher: Any) -> bool:
    """Say whether the disk seems to hold the compiled function (if it is out of date, numba will find out)."""
    return os.path.exists(dispatcher._cache._cache_file._index_path)


def _compile_when_needed(dispatcher: Any, signature: tuple[types.Type, ...]) -> None:
    """Let the dispatcher compile itself for the one signature, whatever the types of its first call."""
    compile_for = dispatcher.compile
    before = len(JITTED)

    def compile_once(_: Any) -> Any:
        if signature in dispatcher.overloads:
            return dispatcher.overloads[signature].entry_point
        if not _on_disk(dispatcher):
            # In order of definition, callees first: compiling them on demand would nest the compiler in itself.
            for earlier in JITTED[:before]:
                if not earlier.overloads and not _on_disk(earlier):
                    earlier.compile(None)
        entry_point = compile_for(signature)
        dispatcher.disable_compile()
        return entry_point

    dispatcher.compile = compile_once


def strategy(function: F) -> F:
    """Compile a strategy: ``choose(r, g, w, seat, kind, n, u) -> index of the chosen option``."""
    compiled = numba.njit(STRATEGY_TYPE.signature, cache=True, nogil=True, error_model="numpy")(function)
    JITTED.append(compiled)
    return compiled
