"""Networks in use, for compiled code: an array of records that it reaches by a symbol.

Nothing of the array is so frozen into code kept on disk, and it can be filled while games are played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...simulator.engine.core.argument_types import record_type
from ...simulator.engine.core.jit import JIT_OFF


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
            # As a function, which is never called: symbols of those may lie anywhere in memory.
            start = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, []), symbol)
            offset = builder.mul(values[0], ir.Constant(word, store.itemsize))
            address = builder.add(builder.ptrtoint(start, word), offset)
            return builder.inttoptr(address, context.get_value_type(signature.return_type))

        return kind(types.int64), code

    llvm.add_symbol(symbol, store.ctypes.data)
    return kind, compiled
