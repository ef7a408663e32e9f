"""Columns of users: compiled functions that say a number of a seat, ``count(r, g, w, seat) -> number``, called by address."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .argument_types import RULES_TYPE, STATE_TYPE, WORK_TYPE
from .jit import JIT_OFF, PLAIN_STRATEGIES, _declared

SIGNATURE = types.float64(RULES_TYPE, STATE_TYPE, WORK_TYPE, types.int64)


def column(function: Any) -> Any:
    """Compile a function that says a number of a seat at the end of a round; what it says is a column of the table `rounds`."""
    return _declared(function, SIGNATURE, addressed=True)


@intrinsic
def _call_address(_context, address, r, g, w, seat):  # type: ignore[no-untyped-def]
    def code(context, builder, _signature, values):  # type: ignore[no-untyped-def]
        kinds = [context.get_value_type(kind) for kind in SIGNATURE.args]
        pointer = builder.inttoptr(values[0], cgutils.voidptr_t)
        function = ir.FunctionType(context.get_value_type(types.float64), kinds).as_pointer()
        return builder.call(builder.bitcast(pointer, function), values[1:])

    return types.float64(types.int64, *SIGNATURE.args), code


def _call_plain(address, r, g, w, seat):  # type: ignore[no-untyped-def]
    return float(PLAIN_STRATEGIES[address](r, g, w, seat))


call_column = _call_plain if JIT_OFF else _call_address
