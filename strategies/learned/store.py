"""Networks in use, for compiled code: an array of records that it reaches by a symbol, and the sums of a layer, in registers.

Nothing of the array is so frozen into code kept on disk, and it can be filled while games are played.

Written as a loop, the sums of a layer would be read from memory and written back for every unit that is added. The order of
additions is that of the loop, one unit after the other, and a product is rounded before it is added: games are the same on
every processor.
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

WIDTH = 32  # sums of a layer


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


# --- a layer


def plain_pass_on(units, weights, bias, sums):  # type: ignore[no-untyped-def]
    """Write ``sums = bias + max(0, units) @ weights`` for float32 units (n), weights (n, WIDTH), bias and sums (WIDTH)."""
    total = bias.copy()
    for j in range(len(weights)):
        total += np.maximum(np.float32(0.0), units[j]) * weights[j]
    sums[: len(total)] = total


def _start(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return where the numbers of an array begin."""
    return context.make_array(kind)(context, builder, value).data


@intrinsic
def _compiled_pass_on(_context, units, weights, bias, sums):  # type: ignore[no-untyped-def]
    def code(context, builder, signature, values):  # type: ignore[no-untyped-def]
        shape = context.make_array(signature.args[1])(context, builder, values[1]).shape
        n = builder.extract_value(shape, 0)
        unit, weight, first, last = (
            _start(context, builder, kind, value) for kind, value in zip(signature.args, values, strict=True)
        )
        many = ir.VectorType(ir.FloatType(), WIDTH)
        zero, none = ir.Constant(ir.FloatType(), 0.0), ir.Constant(many, ir.Undefined)
        total = cgutils.alloca_once(builder, many)
        builder.store(_load(builder, first, many), total)
        with cgutils.for_range(builder, n) as loop:
            x = builder.load(builder.gep(unit, [loop.index]))
            x = builder.select(builder.fcmp_ordered(">", x, zero), x, zero)
            row = _load(builder, builder.gep(weight, [builder.mul(loop.index, ir.Constant(loop.index.type, WIDTH))]), many)
            same = builder.insert_element(none, x, ir.Constant(ir.IntType(32), 0))
            same = builder.shuffle_vector(same, none, ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH))
            builder.store(builder.fadd(builder.load(total), builder.fmul(same, row)), total)
        store = builder.store(builder.load(total), builder.bitcast(last, many.as_pointer()))
        store.align = 4
        return context.get_dummy_value()

    return types.void(units, weights, bias, sums), code


def _load(builder: Any, start: Any, many: Any) -> Any:
    """Return the numbers from an address on."""
    found = builder.load(builder.bitcast(start, many.as_pointer()))
    found.align = 4
    return found


pass_on = plain_pass_on if JIT_OFF else _compiled_pass_on
