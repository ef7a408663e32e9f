"""How engine functions are compiled.

Every engine and strategy function takes its parameters by fixed names and types:

    r     the compiled rules (RULES record), read only
    g     the game (STATE record)
    w     the workspace (WORK record)
    bots  a tuple of MAX_PLAYERS strategies, one a seat
    u     64 random bits (uint64)

and any other parameter is a 64-bit integer (or, named in `FLOATS`, a float). One signature a function, compiled when its module is imported and
kept on disk: a call with another integer width converts instead of compiling the function again.

Set NUMBA_DISABLE_JIT=1 to run the same code as plain Python.
"""

from __future__ import annotations

import inspect
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
    compiled = numba.njit(signature, cache=True, nogil=True, error_model="numpy")(function)
    JITTED.append(compiled)
    return compiled


def strategy(function: F) -> F:
    """Compile a strategy: ``choose(r, g, w, seat, kind, n, u) -> index of the chosen option``."""
    compiled = numba.njit(STRATEGY_TYPE.signature, cache=True, nogil=True, error_model="numpy")(function)
    JITTED.append(compiled)
    return compiled
