"""How engine functions are compiled.

Every engine and strategy function takes its parameters by fixed names and types:

    r     the compiled rules (RULES record), read only
    g     the game (STATE record)
    w     the workspace (WORK record)
    bots  the strategies of the seats (BOTS record, made by `seat_strategies`)
    u     64 random bits (uint64)

and any other parameter is a 64-bit integer (or, named in `FLOATS`, a float). One signature a function, compiled when its
module is imported and kept on disk.

`@jit` compiles a function on its own: other compiled code calls it by its symbol. numba would otherwise build every
callee again into every caller, which made the compile time of the engine five times as long. `@inline` is for the few
small functions on hot paths that should melt into their callers, as numba does by default.

Set NUMBA_DISABLE_JIT=1 to run the same code as plain Python.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.typing.templates import make_intrinsic_template
from numba.extending import intrinsic, typeof_impl

from newdawn.simulator.engine.core.state import STATE, WORK
from newdawn.simulator.limits import MAX_PLAYERS
from newdawn.simulator.rules.record import RULES

F = TypeVar("F", bound=Callable[..., Any])
JIT_OFF = bool(vars(numba.config)["DISABLE_JIT"])

# A strategy is passed by the address of its compiled code (its number in `PLAIN_STRATEGIES` when JIT is off).
BOTS = np.dtype([("address", "i8", (MAX_PLAYERS,)), ("observer", "i8")], align=True)


@contextmanager
def hidden(module: str) -> Iterator[None]:
    """Let nobody import the module meanwhile, unless somebody has before."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[module]


# numba looks for linear algebra, which no engine function uses: SciPy would cost 14 MB and a quarter of a second.
with hidden("scipy.linalg"):
    import numba.np.arraymath


def record_type(dtype: np.dtype) -> types.Type:
    """Return the numba type of one record of the dtype."""
    return numba.typeof(np.zeros(1, dtype).view(np.recarray)[0])


RULES_TYPE = record_type(RULES)
STATE_TYPE = record_type(STATE)
WORK_TYPE = record_type(WORK)
BOTS_TYPE = record_type(BOTS)
STRATEGY_SIGNATURE = types.int64(RULES_TYPE, STATE_TYPE, WORK_TYPE, types.int64, types.int64, types.int64, types.uint64)

PARAMETERS: dict[str, types.Type] = {
    "r": RULES_TYPE, "g": STATE_TYPE, "w": WORK_TYPE, "bots": BOTS_TYPE, "u": types.uint64,
    "candidates": types.int64[::1], "alive": types.int64[::1], "gain": types.float64[::1],
}  # fmt: skip
FLOATS = frozenset({"x", "value", "weight"})
OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}

JITTED: list[Any] = []
NO_LLVM_CODE = llvm.parse_assembly("").as_bitcode()


def parameter_type(name: str) -> types.Type:
    """Return the numba type of an engine parameter by its name (see the module docstring)."""
    if name in PARAMETERS:
        return PARAMETERS[name]
    return types.float64 if name in FLOATS else types.int64


def signature_of(function: Callable[..., Any]) -> tuple[types.Type, ...]:
    """Return the argument types that the parameter names of an engine function imply."""
    return tuple(parameter_type(name) for name in inspect.signature(function).parameters)


def _call_by_symbol(symbol: str, names: list[str], signature: Any) -> types.Type:
    """Return the numba type of a function that compiled code calls by its symbol, by numba's own calling convention.

    Its status is not looked at: engine functions raise nothing.
    """

    def code(context, builder, _signature, values):  # type: ignore[no-untyped-def]
        convention = context.call_conv
        llvm_type = convention.get_function_type(signature.return_type, signature.args)
        function = cgutils.get_or_insert_function(builder.module, llvm_type, symbol)
        _status, result = convention.call_function(builder, function, signature.return_type, signature.args, values)
        return result

    # numba reads the parameter names of the typing function, so it has to have the function's own.
    scope = {"typed": (signature, code)}
    exec(f"def typing(_context, {', '.join(names)}): return typed", scope)
    template = make_intrinsic_template(None, scope["typing"], symbol)
    cpu_target.typing_context.insert_function(template)
    return types.Function(template)


class MachineCode(CompileResultCacheImpl):
    """Keeps the machine code of a function only.

    numba would keep two things beside it, and load them at every start: the LLVM code, to build the function into others,
    which nobody does with what is called by its symbol, and the source with the type of every name, for reading. A worker
    is 40 MB smaller without them, and the cache a quarter as large.
    """

    def reduce(self, result: CompileResult) -> tuple[Any, ...]:
        """Return what is kept: numba's own tuple without the LLVM code and the annotated source."""
        library, description, environment, signature, objectmode, lifted, _annotated, *others = super().reduce(result)
        name, kind, (machine_code, _) = library
        slim = (name, kind, (machine_code, NO_LLVM_CODE))
        return slim, description, environment, signature, objectmode, lifted, "", *others

    def rebuild(self, target: Any, kept: tuple[Any, ...]) -> CompileResult:
        """Return the function as numba wants it; its symbols, else read off the LLVM code, are told here."""
        description = kept[1]
        target.codegen()._engine._defined_symbols |= {
            description.llvm_func_name, description.llvm_cpython_wrapper_name, description.llvm_cfunc_wrapper_name,
        }  # fmt: skip
        result: CompileResult = super().rebuild(target, kept)
        return result


class MachineCodeCache(FunctionCache):
    """numba's cache on disk, of machine code."""

    _impl_class = MachineCode


class Compiled:
    """A compiled function that other compiled code calls by its symbol, and Python calls like any function."""

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        self.dispatcher = numba.njit(**OPTIONS | {"cache": False})(function)
        self.dispatcher._cache = MachineCodeCache(function)
        self.dispatcher.compile(signature)
        self.dispatcher.disable_compile()
        self.py_func = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        result = next(iter(self.dispatcher.overloads.values()))
        library, names = result.library, result.fndesc
        self.address = library.get_pointer_to_function(names.llvm_cfunc_wrapper_name)
        self.symbol = f"newdawn.{function.__module__}.{function.__qualname__}"
        llvm.add_symbol(self.symbol, self.address)
        native = f"{self.symbol}.native"  # without the wrapper that C would call it by
        llvm.add_symbol(native, library.get_pointer_to_function(names.llvm_func_name))
        self.numba_type = _call_by_symbol(native, list(inspect.signature(function).parameters), result.signature)

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)


@typeof_impl.register(Compiled)
def _type_of_compiled(value: Compiled, _context: Any) -> types.Type:
    return value.numba_type


def jit(function: F) -> F:
    """Compile an engine function, with the signature its parameter names imply, into code of its own."""
    if JIT_OFF:
        return function
    compiled = Compiled(function, signature_of(function))
    JITTED.append(compiled)
    return compiled  # type: ignore[return-value]


def inline(function: F) -> F:
    """Compile a small engine function that is built into each of its callers."""
    compiled = numba.njit(signature_of(function), **OPTIONS)(function)
    JITTED.append(compiled)
    return compiled  # type: ignore[return-value]


def strategy(function: F) -> F:
    """Compile a strategy: ``choose(r, g, w, seat, kind, n, u) -> index of the chosen option``."""
    if JIT_OFF:
        return function
    compiled = Compiled(function, STRATEGY_SIGNATURE)
    JITTED.append(compiled)
    return compiled  # type: ignore[return-value]


def address_in_code(function: Any) -> Any:
    """Return a function for compiled code that returns the address of a compiled strategy (see `strategy_address`).

    The address differs from process to process, so compiled code, which is kept on disk, must not contain it as a number.
    """
    if JIT_OFF:
        number = strategy_address(function)
        return lambda: number
    symbol = function.symbol

    @intrinsic
    def address(_context):  # type: ignore[no-untyped-def]
        def code(context, builder, signature, values):  # type: ignore[no-untyped-def]
            llvm_type = ir.FunctionType(
                context.get_value_type(types.int64), [context.get_value_type(kind) for kind in STRATEGY_SIGNATURE.args]
            )
            pointer = cgutils.get_or_insert_function(builder.module, llvm_type, symbol)
            return builder.ptrtoint(pointer, context.get_value_type(types.int64))

        return types.int64(), code

    return address


def _lowest_bit(bits):  # type: ignore[no-untyped-def]
    """Return the place of the lowest bit that is set (at least one must be)."""
    return (int(bits) & -int(bits)).bit_length() - 1


@intrinsic
def _lowest_bit_compiled(_context, bits):  # type: ignore[no-untyped-def]
    def code(_target, builder, _signature, values):  # type: ignore[no-untyped-def]
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


lowest_bit = _lowest_bit if JIT_OFF else _lowest_bit_compiled


# --- calling a strategy by its address

PLAIN_STRATEGIES: list[Callable[..., int]] = []


def strategy_address(choose: Any) -> int:
    """Return the number that stands for a strategy in a BOTS record."""
    if isinstance(choose, Compiled):
        return int(choose.address)
    if not JIT_OFF:
        raise TypeError(f"{choose!r} is not a compiled strategy: decorate it with simulator.engine.core.jit.strategy")
    if choose not in PLAIN_STRATEGIES:
        PLAIN_STRATEGIES.append(choose)
    return PLAIN_STRATEGIES.index(choose)


def seat_strategies(choose: Any | Sequence[Any], observer: Any = None) -> np.record:
    """Return the BOTS record for one strategy on all seats, or for one strategy a seat (the last fills the rest).

    `observer`, if given, is called like a strategy before every decision (with `WORK.observed` set) and its answer is
    ignored.
    """
    each = list(choose) if isinstance(choose, (list, tuple)) else [choose]
    bots = np.zeros(1, BOTS).view(np.recarray)[0]
    for seat in range(MAX_PLAYERS):
        bots.address[seat] = strategy_address(each[min(seat, len(each) - 1)])
    bots.observer = strategy_address(observer) if observer is not None else -1
    return bots


@intrinsic
def _call_address(_context, address, r, g, w, seat, kind, n, u):  # type: ignore[no-untyped-def]
    arguments = STRATEGY_SIGNATURE.args

    def code(context, builder, signature, values):  # type: ignore[no-untyped-def]
        llvm_type = ir.FunctionType(
            context.get_value_type(types.int64), [context.get_value_type(kind) for kind in arguments]
        )
        pointer = builder.inttoptr(values[0], cgutils.voidptr_t)
        return builder.call(builder.bitcast(pointer, llvm_type.as_pointer()), values[1:])

    return types.int64(types.int64, *arguments), code


def _call_plain(address, r, g, w, seat, kind, n, u):  # type: ignore[no-untyped-def]
    return PLAIN_STRATEGIES[address](r, g, w, seat, kind, n, u)


call_strategy = _call_plain if JIT_OFF else _call_address
