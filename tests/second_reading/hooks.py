"""Looking over the compiled engine's shoulder: Python is called before and after chosen functions of it, in its own games.

Compiled functions find each other by their symbols when they are loaded. `install` lets a symbol stand for one of Python,
which calls the engine's; nothing is compiled anew, and the games are those of any run. It has to be called before anything that
calls the functions is loaded: in a process of its own. Without compiled code (NUMBA_DISABLE_JIT=1) names are replaced instead.
"""

from __future__ import annotations

import ctypes
import inspect
import sys
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from newdawn.simulator.engine import state
from newdawn.simulator.engine.compile import argument_types, direct_calls, jit
from newdawn.simulator.rules.record import RULES

RECORDS = {
    argument_types.RULES_TYPE: RULES,
    argument_types.STATE_TYPE: state.STATE,
    argument_types.WORK_TYPE: state.WORK,
    argument_types.BOTS_TYPE: argument_types.BOTS,
}
RECORD_NAMES = ("r", "g", "w", "bots")
RETURNED: dict[str, Any] = {"none": None, "int64": ctypes.c_int64, "int32": ctypes.c_int32, "bool": ctypes.c_bool}
# around(call, *arguments): `call()` lets the engine's function act and returns its answer; `call(numbers)` with other
# numbers than it was called with, to break something on purpose.
Around = Callable[..., Any]


class Raised:
    """What Python raised while compiled code was calling it: compiled code cannot be left by an exception."""

    error: BaseException | None = None


def install(arounds: dict[Any, Around], quiet: Callable[[], bool] = lambda: False) -> None:
    """Let each engine function be called through its `around`, which gets the records as they lie in memory.

    Compiled code calls the engine's function at once as long as `quiet()`.
    """
    if jit.JIT_OFF:
        for function, around in arounds.items():
            _replace(function, around)
        return
    if not direct_calls.ARE_USED:
        raise SystemExit("this numba's insides are not known: compare in plain Python, with NUMBA_DISABLE_JIT=1")
    for function in sorted(arounds, key=lambda function: function.number):
        _interpose(function, arounds[function], quiet)


def take_error() -> None:
    """Raise what was raised in the meantime."""
    error, Raised.error = Raised.error, None
    if error is not None:
        raise error


# --- compiled


def _interpose(function: Any, around: Around, quiet: Callable[[], bool]) -> None:
    loaded = [other.__name__ for other in jit.JITTED if other.is_ready and function in other.callees()]
    if loaded or function.inlined or function.is_ready:
        raise RuntimeError(f"{function.__name__}: too late, or built into its callers {loaded}")
    jit.ready(function)
    address = llvm.address_of_symbol(function.native)
    kinds = list(function.arguments)
    records = [RECORDS.get(kind) for kind in kinds]
    returned = RETURNED[str(function._signature.return_type)]
    c_kind = ctypes.CFUNCTYPE(returned, *(ctypes.c_int64 if record is None else ctypes.c_void_p for record in records))
    engine = c_kind(address)
    n = sum(record is not None for record in records)
    assert all(record is not None for record in records[:n])
    known: dict[Any, Any] = {}

    def at(address: int, dtype: np.dtype) -> Any:
        record = known.get((address, dtype.itemsize))
        if record is None:
            if len(known) > 64:
                known.clear()
            memory = (ctypes.c_char * dtype.itemsize).from_address(address)
            record = known[address, dtype.itemsize] = np.ndarray((1,), dtype, memory).view(np.recarray)[0]
        return record

    def called(*arguments: int) -> Any:
        if quiet():
            return engine(*arguments)
        try:
            seen = map(at, arguments[:n], records[:n])  # type: ignore[arg-type]
            return around(lambda other=None: engine(*arguments[:n], *(other or arguments[n:])), *seen, *arguments[n:])
        except BaseException as error:
            Raised.error = Raised.error or error
            return engine(*arguments) if returned else None

    callback = c_kind(called)
    _KEPT.append(callback)
    llvm.add_symbol(function.native, ctypes.cast(callback, ctypes.c_void_p).value)


_KEPT: list[Any] = []  # callbacks have to stay: compiled code has no more than their addresses


# --- plain Python


def _replace(function: Any, around: Around) -> None:
    n = sum(name in RECORD_NAMES for name in inspect.signature(function).parameters)

    def called(*arguments: Any) -> Any:
        return around(lambda other=None: function(*arguments[:n], *(other or arguments[n:])), *arguments)

    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("newdawn."):
            for name, value in list(vars(module).items()):
                if value is function:
                    setattr(module, name, called)
