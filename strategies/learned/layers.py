"""A layer of a network for compiled code: all its sums at a time, in the processor's registers.

Written as a loop, they would be read from memory and written back for every unit that is added. The order of additions is
that of the loop, one unit after the other, and a product is rounded before it is added: games are the same on every processor.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...simulator.engine.core.jit import JIT_OFF


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


WIDTH = 32  # sums of a layer
pass_on = plain_pass_on if JIT_OFF else _compiled_pass_on
