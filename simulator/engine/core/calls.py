"""How numba sees the functions of this program that compiled code calls by their symbols, not built into their callers."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.core.typing.templates import make_intrinsic_template

from .direct import declare

CALLED: set[str] = set()  # the symbols that the function being compiled calls


def call_by_symbol(symbol: str, names: list[str], signature: Any) -> types.Type:
    """Return the numba type of a function of this program that compiled code calls by its symbol."""

    def code(context, builder, _signature, values):  # type: ignore[no-untyped-def]
        CALLED.add(symbol)
        return builder.call(declare(context, builder.module, symbol, signature), values)

    return _called_as(symbol, names, signature, code)


def _function_in(cell: str, context: Any, builder: Any, function_type: Any) -> Any:
    """Return the function whose address is in the number in memory that the symbol `cell` is that of."""
    number = cgutils.get_or_insert_function(builder.module, function_type, cell)
    address = builder.load(builder.bitcast(number, context.get_value_type(types.int64).as_pointer()))
    return builder.inttoptr(address, function_type.as_pointer())


def call_by_cell(symbol: str, names: list[str], signature: Any) -> types.Type:
    """Return the numba type of a function of this program that may be compiled after its callers: the symbol is that of a
    number in memory that says where it is, for C."""

    def code(context, builder, _signature, values):  # type: ignore[no-untyped-def]
        takes = [context.get_value_type(kind) for kind in signature.args]
        function_type = ir.FunctionType(context.get_value_type(signature.return_type), takes)
        return builder.call(_function_in(symbol, context, builder, function_type), values)

    return _called_as(symbol, names, signature, code)


def call_checked(symbol: str, names: list[str], signature: Any, in_cell: bool = False) -> types.Type:
    """Return the numba type of a checked function that compiled code calls by its symbol, or by that of a cell: its errors
    are passed on."""

    def code(context, builder, _signature, values):  # type: ignore[no-untyped-def]
        convention = context.call_conv
        function_type = convention.get_function_type(signature.return_type, signature.args)
        if in_cell:
            function = _function_in(symbol, context, builder, function_type)
        else:
            CALLED.add(symbol)
            function = cgutils.get_or_insert_function(builder.module, function_type, symbol)
        status, result = convention.call_function(builder, function, signature.return_type, signature.args, values)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result

    return _called_as(symbol, names, signature, code)


def _called_as(symbol: str, names: list[str], signature: Any, code: Any) -> types.Type:
    """Return the numba type of a function with these parameters that is called by the `code`."""
    # numba reads the parameter names of the typing function, so it has to have the function's own.
    scope = {"typed": (signature, code)}
    exec(f"def typing(_context, {', '.join(names)}): return typed", scope)
    template = make_intrinsic_template(None, scope["typing"], symbol)
    cpu_target.typing_context.insert_function(template)
    return types.Function(template)
