"""How engine functions are compiled.

Every engine and strategy function takes its parameters by fixed names and types:

    r     the compiled rules (RULES record), read only
    g     the game (STATE record)
    w     the workspace (WORK record)
    bots  the strategies of the seats (BOTS record, made by `seat_strategies`)
    u     64 random bits (uint64)

and any other parameter is a 64-bit integer (or, named in `FLOATS`, a float), unless its module says otherwise
(`declare_parameters`). A name has one type in the whole program. One signature a function, compiled when somebody first needs
it (`ready`), with all it calls, and kept on disk. What is not kept yet is compiled by several
processes side by side (`ahead`).

`@jit` compiles a function on its own: other compiled code calls it by its symbol. numba would otherwise build every
callee again into every caller, which made the compile time of the engine five times as long. `@inline` is for the few
small functions on hot paths that should melt into their callers, as numba does by default.

Functions of a user's are compiled with checks: what is read or written beyond the end of an array, or divided by zero, is
an error there, and errors pass from function to function. (Those of this program raise nothing, and are not checked.)

No index of this program's is below zero, not even one whose value is thrown away (tests/batch/test_plain_python.py): its
functions are compiled without the question whether to count from the end of an array, a tenth of their time.

Set NUMBA_DISABLE_JIT=1 to run the same code as plain Python, NEWDAWN_CHECKED=1 to compile this program's functions with the
checks of users' (scripts/checks/limits.py): an index below zero is an error in them, too.
"""

from __future__ import annotations

import ctypes
import inspect
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic, typeof_impl

from ... import compile_cache, names
from . import direct_calls
from .argument_types import BOTS, BOTS_TYPE, RULES_TYPE, STATE_TYPE, WORK_TYPE, mean_the_same, parameter_type
from .code_files import FOLDER, KEEPS, overload

F = TypeVar("F", bound=Callable[..., Any])
JIT_OFF = bool(vars(numba.config)["DISABLE_JIT"])
ALL_CHECKED = os.environ.get(compile_cache.CHECKED, "0") not in ("", "0")


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
with hidden("scipy.linalg"), suppress(ImportError):
    import numba.np.arraymath


if direct_calls.ARE_USED:
    from .code_cache import kept_entry, kept_function
else:
    from .code_files import kept_entry, kept_function

STRATEGY_SIGNATURE = types.int64(RULES_TYPE, STATE_TYPE, WORK_TYPE, types.int64, types.int64, types.int64, types.uint64)

# rules, game, workspace, strategies; the seat, the space it is about or -1, the ability's amount
DEED_ARGUMENTS = (RULES_TYPE, STATE_TYPE, WORK_TYPE, BOTS_TYPE, types.int64, types.int64, types.int64)

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
CHECKED = OPTIONS | {"error_model": "python", "boundscheck": True}

EXPANSION, BEYOND = "expansion", "beyond"  # who asks for an optional function
JITTED: list[Compiled] = []
AWAITED: set[Compiled] = set()  # optional functions that are not ready yet
RETURNED = {int: types.int64, bool: types.boolean, type(None): types.none}  # by annotation
LOCK = threading.RLock()
OUR_SOURCES = frozenset(compile_cache.compiled_sources())
NOWHERE = ctypes.cast(ctypes.pythonapi.Py_FatalError, ctypes.c_void_p).value  # of what is never run in this process


def signature_of(function: Callable[..., Any]) -> tuple[types.Type, ...]:
    """Return the argument types that the parameter names of an engine function imply.

    Raises TypeError if a name means something else in another module of this program.
    """
    module, names = function.__module__, inspect.signature(function).parameters
    if is_ours(function):
        mean_the_same(module, names)
    return tuple(parameter_type(module, name) for name in names)


class Compiled:
    """An engine function: compiled, or loaded, when it is first needed (`ready`); Python calls it like any function.

    Unless it is `inlined`, other compiled code calls it by its symbol, one of this program directly (`direct_calls`).
    Only what Python does call gets the wrapper that reads Python's arguments: a quarter of the time to compile a function, and
    few are called. What is `optional` is made ready only where somebody asks for it: callers
    find it, then, through a cell of memory, and need not wait for it. `optional` says who asks: games with the expansion, or
    also those whose agendas count what none of the box does.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        arguments: Any,
        inlined: bool = False,
        addressed: bool = False,
        optional: str = "",
    ) -> None:
        self.py_func = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__
        self.arguments = arguments
        self.inlined = inlined
        self.addressed = addressed
        self.optional = optional
        self.takes_rules = next(iter(inspect.signature(function).parameters), "") == "r"
        self.symbol = f"newdawn.{function.__module__}.{function.__qualname__}"
        self.is_ready = False
        self.number = len(JITTED)
        self._dispatcher: Any = None
        self._entry: Any = None
        self._numba_type: types.Type | None = None
        self._signature: Any = None
        self._address = 0
        if optional:
            AWAITED.add(self)
            self.cell = ctypes.c_int64(NOWHERE or 0)
            llvm.add_symbol(f"{self.symbol}.cell", ctypes.addressof(self.cell))
            self._signature = RETURNED[get_type_hints(function)["return"]](*arguments)

    @property
    def dispatcher(self) -> Any:
        """numba's view of the function."""
        if self._dispatcher is None:
            options = options_of(self.py_func) | {"no_cfunc_wrapper": not self.is_for_c, "no_cpython_wrapper": True}
            self._dispatcher = numba.njit(**options)(self.py_func)
        return self._dispatcher

    @cached_property
    def kept(self) -> Any:
        """The function on disk."""
        return kept_function(self.py_func, self.arguments, self.inlined)

    @property
    def is_direct(self) -> bool:
        """Is it called directly (engine/compile/direct_calls.py)?"""
        return direct_calls.ARE_USED and is_ours(self.py_func) and not self.inlined and not ALL_CHECKED

    @property
    def is_for_c(self) -> bool:
        """Is there a function that can be called from C?"""
        return self.addressed or self.is_direct or bool(self.optional)

    @property
    def address(self) -> int:
        """Where the code of a strategy lies, for C."""
        if not self.addressed:
            raise TypeError(f"{self.__name__} is no strategy or deed: decorate it with @strategy or @deed")
        ready(self)
        return self._address

    @property
    def native(self) -> str:
        """The symbol that compiled code calls, without the wrapper that C would call it by."""
        return f"{self.symbol}.native"

    @property
    def numba_type(self) -> types.Type:
        """How numba sees the function when it compiles a caller."""
        if not self.optional:
            ready(self)
        if self._numba_type is None and self.inlined:
            self._numba_type = types.Dispatcher(self.dispatcher)
        elif self._numba_type is None:
            parameters = list(inspect.signature(self.py_func).parameters)
            if self.optional and ALL_CHECKED:
                self._numba_type = direct_calls.call_checked(f"{self.symbol}.cell", parameters, self._signature, in_cell=True)
            elif self.optional:
                self._numba_type = direct_calls.call_by_cell(f"{self.symbol}.cell", parameters, self._signature)
            elif self.is_direct:
                self._numba_type = direct_calls.call_by_symbol(self.native, parameters, self._signature)
            else:
                self._numba_type = direct_calls.call_checked(self.native, parameters, self._signature)
        return self._numba_type

    def files(self) -> list[Any]:
        """Return the files of the function and, if Python has called it here, of what Python calls."""
        return [self.kept, *([kept_entry(self.py_func, self.arguments)] if self._entry else [])]

    def callees(self) -> list[Compiled]:
        """Return the engine functions that have to be there before this one: all were declared before it.

        They are found by the names that a function uses. A function of a user's may come to those of the package in other
        ways (through a tuple, say), so it waits for all of them.
        """
        named = [callee for callee in _named_in(self.py_func) if not callee.optional]
        callees = [callee for callee in named if callee.number < self.number]
        if not is_ours(self.py_func):
            callees += [callee for callee in JITTED[: self.number] if is_ours(callee.py_func) and not callee.optional]
        return callees

    def is_kept(self) -> bool:
        """Is the function in the cache?"""
        return KEEPS and self.kept.read() is not None

    def load(self) -> bool:
        """Take the function from the cache; return False if it is not there. What it calls has to be ready."""
        result = self.kept.load(lambda: self.dispatcher) if KEEPS else None
        if result is None:
            return False
        self._finish(result)
        return True

    def compile(self) -> None:
        """Compile the function and keep it; what it calls has to be ready."""
        if self.arguments is STRATEGY_SIGNATURE and not is_ours(self.py_func):
            _check_answer(self.py_func)
        direct_calls.CALLED.clear()
        with direct_calls.as_ours(is_ours(self.py_func), ALL_CHECKED):
            result = _compiled(self.dispatcher, self.arguments, self.kept if KEEPS else None)
        unseen = direct_calls.CALLED - {callee.native for callee in self.callees()}
        if unseen:  # it could not be loaded from the cache: nobody would load these before
            if KEEPS:
                self.kept.remove()
            raise TypeError(f"{self.__name__} calls {', '.join(sorted(unseen))} by no name of its module")
        self._finish(result)

    def pretend(self) -> None:
        """Let callers be compiled, but never run, in this process: the function, which the cache has, is not loaded."""
        if self.inlined or not direct_calls.ARE_USED:
            self.load()
            return
        if self.addressed:
            llvm.add_symbol(self.symbol, NOWHERE)
        llvm.add_symbol(self.native, NOWHERE)
        self._signature = self.kept.signature()
        self.is_ready = True

    def _finish(self, result: Any) -> None:
        """Tell others where the code is."""
        library, names = result.library, result.fndesc
        called = names.llvm_cfunc_wrapper_name if self.is_direct else names.llvm_func_name
        if self.addressed:
            self._address = library.get_pointer_to_function(names.llvm_cfunc_wrapper_name)
            llvm.add_symbol(self.symbol, self._address)
        if not self.inlined:
            llvm.add_symbol(self.native, library.get_pointer_to_function(called))
        if self.optional:
            if result.signature.return_type != self._signature.return_type:
                raise TypeError(f"{self.__name__} returns {result.signature.return_type}, not what it is annotated with")
            found = names.llvm_func_name if ALL_CHECKED else names.llvm_cfunc_wrapper_name  # C's own drops errors
            self.cell.value = library.get_pointer_to_function(found)
        if self._dispatcher is not None and self._dispatcher.signatures:  # numba knows of it
            self._dispatcher.disable_compile()
        self._signature = result.signature
        self.is_ready = True
        AWAITED.discard(self)

    def _open(self) -> Any:
        """Return what Python calls: a function that calls this one."""
        with LOCK:
            ready(self)
            names = ", ".join(inspect.signature(self.py_func).parameters)
            scope: dict[str, Any] = {"function": self, "__name__": self.__module__}
            text = f"def entry({names}): return function({names})"
            exec(compile(text, self.py_func.__code__.co_filename, "exec"), scope)  # numba keeps what comes from a file
            options = options_of(self.py_func) | {"no_cfunc_wrapper": True}
            entry = numba.njit(**options)(scope["entry"])
            kept = kept_entry(self.py_func, self.arguments) if KEEPS else None
            if kept is None or kept.load(lambda: entry) is None:
                _compiled(entry, self.arguments, kept)
            entry.disable_compile()
            return entry

    def __call__(self, *arguments: Any) -> Any:
        if self._entry is None:
            self._entry = self._open()
        if AWAITED and self.takes_rules and (arguments[0].box == names.TI_BOX or asks_beyond(arguments[0])):
            ready(*needed_for(arguments[0]))
        return self._entry(*arguments)


def _compiled(dispatcher: Any, arguments: Any, kept: Any) -> Any:
    """Compile what numba sees as the dispatcher, keep it where something is kept, and return it."""
    if kept is not None:
        return kept.compile(dispatcher)
    dispatcher.compile(arguments)
    return overload(dispatcher)


@cache
def _is_our_source(name: str) -> bool:
    """Is the file one of this package's, through whatever links it was reached?"""
    return Path(name).resolve() in OUR_SOURCES


def is_ours(function: Callable[..., Any]) -> bool:
    """Is the function one of this package, not a user's?"""
    return _is_our_source(function.__code__.co_filename)


def options_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return numba's options for an engine function."""
    return OPTIONS if is_ours(function) and not ALL_CHECKED else CHECKED


def _code_names(code: Any) -> set[str]:
    inner = (part for part in code.co_consts if inspect.iscode(part))
    return set(code.co_names).union(*map(_code_names, inner))


def _values_named(function: Callable[..., Any]) -> list[Any]:
    """Return what the names in the code of a function stand for, in modules too, and what it has from around it."""
    names, around = sorted(_code_names(function.__code__)), inspect.getclosurevars(function).nonlocals
    scope: dict[str, Any] = {**function.__globals__, **around}
    values = [scope[name] for name in {*names, *around} if name in scope]
    return values + [vars(value)[name] for value in values if inspect.ismodule(value) for name in names if name in vars(value)]


def _named_in(function: Callable[..., Any]) -> list[Compiled]:
    """Return the engine functions that a function names, itself or through functions of numba's."""
    found: list[Compiled] = []
    seen, left = set(), [function]
    while left:
        plain = left.pop()
        if plain in seen:
            continue
        seen.add(plain)
        for value in _values_named(plain):
            value = getattr(value, "address_of", value)
            if isinstance(value, Compiled):
                found.append(value)
            elif isinstance(value, Dispatcher):
                left.append(value.py_func)
    return found


def in_order(functions: Iterable[Compiled]) -> list[Compiled]:
    """Return what has to be made ready for the functions, themselves among it, callees before their callers."""
    found: set[Compiled] = set()
    left = [function for function in functions if not function.is_ready]
    while left:
        function = left.pop()
        if function not in found:
            found.add(function)
            left += [callee for callee in function.callees() if not callee.is_ready]
    return sorted(found, key=lambda function: function.number)


def ready(*functions: Any) -> None:
    """Load the functions and all they call from the cache, or compile what is not there yet.

    What is built into its callers is needed only where one of those is to be compiled.
    """
    with LOCK:
        wanted = {function for function in functions if isinstance(function, Compiled)}
        order = in_order(wanted)
        if order:
            direct_calls.tell()
        for function in order:
            if (function in wanted or not function.inlined) and not function.load():
                _compile([function for function in order if not function.is_ready])
                return


def _compile(order: list[Compiled]) -> None:
    """Compile the functions that the cache does not have, side by side where that pays, and make all of them ready."""
    from .ahead import ahead  # nobody needs it as long as everything is kept

    with ahead(order, lambda function: FOLDER is not None and is_ours(function.py_func)) as compiled:
        for function in order:
            if not function.load():
                function.compile()
                compiled(function)


@typeof_impl.register(Compiled)
def _type_of_compiled(value: Compiled, _context: Any) -> types.Type:
    return value.numba_type


def _declared(function: Any, arguments: Any, **how: Any) -> Any:
    if JIT_OFF:
        return function
    compiled = Compiled(function, arguments, **how)
    JITTED.append(compiled)
    return compiled


def jit(function: F) -> F:
    """Compile an engine function, with the signature its parameter names imply, into code of its own."""
    return _declared(function, signature_of(function))


def expansion(function: F) -> F:
    """Compile an engine function that only games with the expansion come to: the base game is played without its code.

    Its return annotation (int, bool or None) says what it returns, since callers are compiled without it. It is made ready
    when a function is called with the rules of such a game; `needed_for` tells them before, to be compiled side by side.
    """
    return _declared(function, signature_of(function), optional=EXPANSION)


def beyond(function: F) -> F:
    """Compile like an `expansion` function one that games come to as well that count what no printed agenda of the box does."""
    return _declared(function, signature_of(function), optional=BEYOND)


def asks_beyond(rules: Any) -> bool:
    """Say whether agendas or victory points of the compiled rules count what no printed agenda of the box does."""
    return bool(rules.agendas_beyond != 0 or rules.scored != 0)


def needed_for(rules: Any) -> list[Compiled]:
    """Return what games by the compiled rules need beside what callers name: see `expansion` and `beyond`."""
    needed = (EXPANSION, BEYOND) if rules.box == names.TI_BOX else (BEYOND,) if asks_beyond(rules) else ()
    return sorted((function for function in AWAITED if function.optional in needed), key=lambda function: function.number)


def inline(function: F) -> F:
    """Compile a small engine function that is built into each of its callers."""
    return _declared(function, signature_of(function), inlined=True)


def strategy(function: F) -> F:
    """Compile a strategy: ``choose(r, g, w, seat, kind, n, u) -> index of the chosen option``."""
    return _declared(function, STRATEGY_SIGNATURE, addressed=True)


def deed(function: F) -> F:
    """Compile a function of a user's that a ruleset calls at a moment: ``act(r, g, w, bots, p, s, amount)``."""
    return _declared(function, DEED_ARGUMENTS, addressed=True)


def _check_answer(function: Callable[..., Any]) -> None:
    """Raise TypeError if a user's strategy does not return a whole number: numba would cut a fraction off without a word."""
    free = numba.njit(**CHECKED)(function)  # of any return type
    free.compile(STRATEGY_SIGNATURE.args)
    answer = next(iter(free.overloads.values())).signature.return_type
    if not isinstance(answer, (types.Integer, types.Boolean)):
        raise TypeError(f"{function.__name__} answers with {answer}, expected a whole number, the index of an option")


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

    address.address_of = function  # type: ignore[attr-defined]  # whoever names it needs the strategy
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


def record_from(kind: types.Type, dtype: np.dtype) -> Any:
    """Return a function for compiled code that takes the record at an address: numba takes 10 to 60 µs to see what a record or
    an array of them is that Python hands over, and a number goes through at once."""

    def plain(address):  # type: ignore[no-untyped-def]
        memory = (ctypes.c_char * dtype.itemsize).from_address(int(address))
        return np.ndarray((1,), dtype, memory).view(np.recarray)[0]

    @intrinsic
    def found(_context, address):  # type: ignore[no-untyped-def]
        def code(context, builder, _signature, values):  # type: ignore[no-untyped-def]
            return builder.inttoptr(values[0], context.get_value_type(kind))

        return kind(types.int64), code

    return plain if JIT_OFF else found


# --- calling a strategy by its address

PLAIN_STRATEGIES: list[Callable[..., int]] = []


def strategy_address(choose: Any) -> int:
    """Return the number that stands for a strategy in a BOTS record."""
    if not JIT_OFF:
        if not hasattr(type(choose), "address"):  # Compiled, or Python behind an address (functions.FromPython)
            raise TypeError(f"{choose!r} is not a compiled strategy: decorate it with newdawn.strategies.strategy")
        return int(choose.address)
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
    for seat in range(names.MAX_PLAYERS):
        bots.address[seat] = strategy_address(each[min(seat, len(each) - 1)])
    bots.observer = strategy_address(observer) if observer is not None else -1
    return bots


@intrinsic
def _call_address(_context, address, r, g, w, seat, kind, n, u):  # type: ignore[no-untyped-def]
    arguments = STRATEGY_SIGNATURE.args

    def code(context, builder, signature, values):  # type: ignore[no-untyped-def]
        llvm_type = ir.FunctionType(context.get_value_type(types.int64), [context.get_value_type(kind) for kind in arguments])
        pointer = builder.inttoptr(values[0], cgutils.voidptr_t)
        return builder.call(builder.bitcast(pointer, llvm_type.as_pointer()), values[1:])

    return types.int64(types.int64, *arguments), code


def _call_plain(address, r, g, w, seat, kind, n, u):  # type: ignore[no-untyped-def]
    return PLAIN_STRATEGIES[address](r, g, w, seat, kind, n, u)


call_strategy = _call_plain if JIT_OFF else _call_address


@intrinsic
def _call_deed_address(_context, address, r, g, w, bots, p, s, amount):  # type: ignore[no-untyped-def]
    def code(context, builder, signature, values):  # type: ignore[no-untyped-def]
        kinds = [context.get_value_type(kind) for kind in DEED_ARGUMENTS]
        llvm_type = ir.FunctionType(context.get_value_type(types.int64), kinds)
        pointer = builder.inttoptr(values[0], cgutils.voidptr_t)
        builder.call(builder.bitcast(pointer, llvm_type.as_pointer()), values[1:])
        return context.get_constant(types.int64, 0)

    return types.int64(types.int64, *DEED_ARGUMENTS), code


def _call_deed_plain(address, r, g, w, bots, p, s, amount):  # type: ignore[no-untyped-def]
    PLAIN_STRATEGIES[address](r, g, w, bots, p, s, amount)


call_deed = _call_deed_plain if JIT_OFF else _call_deed_address


# --- Columns of users
#
# Compiled functions that say a number of a seat, ``count(r, g, w, seat) -> number``, called by address.

COLUMN_SIGNATURE = types.float64(RULES_TYPE, STATE_TYPE, WORK_TYPE, types.int64)


def column(function: Any) -> Any:
    """Compile a function that says a number of a seat at the end of a round; what it says is a column of the table `rounds`."""
    return _declared(function, COLUMN_SIGNATURE, addressed=True)


@intrinsic
def _call_column(_context, address, r, g, w, seat):  # type: ignore[no-untyped-def]
    def code(context, builder, _signature, values):  # type: ignore[no-untyped-def]
        kinds = [context.get_value_type(kind) for kind in COLUMN_SIGNATURE.args]
        pointer = builder.inttoptr(values[0], cgutils.voidptr_t)
        function = ir.FunctionType(context.get_value_type(types.float64), kinds).as_pointer()
        return builder.call(builder.bitcast(pointer, function), values[1:])

    return types.float64(types.int64, *COLUMN_SIGNATURE.args), code


def _call_plain_column(address, r, g, w, seat):  # type: ignore[no-untyped-def]
    return float(PLAIN_STRATEGIES[address](r, g, w, seat))


call_column = _call_plain_column if JIT_OFF else _call_column
