"""Networks in use, for compiled code: an array of records that it reaches by a symbol.

Nothing of the array is so frozen into code kept on disk, and it can be filled while games are played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from newdawn.simulator.engine.core.argument_types import record_type
from newdawn.simulator.engine.core.jit import JIT_OFF

_kept: list[Any] = []  # functions whose addresses compiled code knows


def stored(symbol: str, store: np.ndarray, dtype: np.dtype) -> tuple[types.Type, Callable[..., Any]]:
    """Return the numba type of the records of a store, and a function that returns one by its place, counted row by row."""
    kind = record_type(dtype)

    def plain(which):  # type: ignore[no-untyped-def]
        return store.reshape(-1)[which]

    if JIT_OFF:
        return kind, plain

    @intrinsic
    def compiled(_context, which):  # type: ignore[no-untyped-def]
        def code(context, builder, signature, values):  # type: ignore[no-untyped-def]
            word = ir.IntType(64)
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, []), symbol)
            offset = builder.mul(values[0], ir.Constant(word, store.itemsize))
            address = builder.add(builder.call(function, []), offset)
            return builder.inttoptr(address, context.get_value_type(signature.return_type))

        return kind(types.int64), code

    address = store.ctypes.data
    _kept.append(numba.cfunc(types.int64())(lambda: address))
    llvm.add_symbol(symbol, _kept[-1].address)
    return kind, compiled
