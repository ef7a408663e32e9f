"""How the compiled functions of this program call each other where numba is known from inside: directly."""

from __future__ import annotations

import hashlib
import inspect
import os
import platform
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.core.typing.templates import make_intrinsic_template

# --- Which versions of numba this program knows from inside, and whether this one is such
#
# Compiled functions call each other in a way of their own (`direct`), and only their machine code is kept (`code_cache`).
# That rests on functions inside numba, which other versions may change. So it is done only where the version was tried and
# the source of those functions is what it was then. Elsewhere everything is left to numba: the same games, slower, and said
# in a line.

RELIED_ON = (
    "numba.np.arrayobj fix_integer_index",  # replaced
    "numba.core.cpu CPUContext.create_cfunc_wrapper",  # replaced
    "numba.core.types Record.__repr__",  # replaced
    "numba.core.callconv CPUCallConv.call_function",
    "numba.core.callconv CPUCallConv.get_function_type",
    "numba.core.callconv CPUCallConv.get_arguments",
    "numba.core.cpu CPUContext.get_executable",
    "numba.core.compiler CompileResult._reduce",
    "numba.core.compiler CompileResult._rebuild",
    "numba.core.codegen CPUCodeLibrary.serialize_using_object_code",
    "numba.core.codegen CPUCodeLibrary._unserialize",
    "numba.core.codegen JitEngine",
)
TRIED, DIGEST = ("0.62", "0.63", "0.64", "0.65", "0.66", "0.67", "0.68"), "8338c8fce4faf478"  # the same source in all
TOLD = "NEWDAWN_TOLD_OF_NUMBA"  # in the environment of the processes that this one starts: they need not say it again


def digest(places: Iterable[str] = RELIED_ON) -> str:
    """Return the digest of the source of places in numba; "" if something of it is not there."""
    found = hashlib.sha256()
    try:
        for place in places:
            module, _, path = place.partition(" ")
            part = import_module(module)
            for name in path.split("."):
                part = getattr(part, name)
            found.update(inspect.getsource(part).encode())
    except (ImportError, AttributeError, OSError, TypeError):
        return ""
    return found.hexdigest()[:16]


def are_known() -> bool:
    """Was this version of numba tried, and are its insides what they were then?"""
    return ".".join(numba.__version__.split(".")[:2]) in TRIED and digest() == DIGEST


numba.config.reload_config()  # type: ignore[attr-defined]  # a user may have imported numba before the processor was named
ARE_KNOWN = are_known()
# Who asks numba for bounds checks wants to hear of errors, which functions that call each other directly cannot tell of.
ARE_USED = ARE_KNOWN and not vars(numba.config)["BOUNDSCHECK"]


def tell() -> None:
    """Say once, for this process and those it starts, that the insides are not known."""
    if not ARE_KNOWN and TOLD not in os.environ:
        os.environ[TOLD] = "1"
        line = f"numba {numba.__version__} is new to this program, which plays the same games with it, but slower"
        print(f"{line} (tried: {', '.join(TRIED)})", file=sys.stderr)


# --- How the compiled functions of this program call each other
#
# Directly.
#
# A function compiled by numba returns a status, which says whether it raised an error, and writes its result into memory of
# its caller's. Functions of this program raise nothing. So each is built into one that takes and returns numbers as C does
# (`callable_from_c`), and that is what the others call. Neither do they count from the end of an array: the question is left
# out.
#
# All of this happens only with a numba whose insides are known (`insides`). docs/evidence/speed.md says what it buys.

PAGE, LINE, NO_OPERATION = 4096, 64, 1 if platform.machine().lower() in {"x86_64", "amd64"} else 4  # bytes

CALLED: set[str] = set()  # the symbols that the function being compiled calls
_ours = False  # is a function of this program being compiled?
_direct = False  # to be called directly?


@contextmanager
def as_ours(ours: bool, checked: bool = False) -> Iterator[None]:
    """Compile functions of `ours` meanwhile: no index is below zero and, unless they are `checked`, no error is raised."""
    global _ours, _direct
    _ours, _direct = ours, ours and not checked
    try:
        yield
    finally:
        _ours = _direct = False


def declare(context: Any, module: Any, symbol: str, signature: Any) -> Any:
    """Return, in the module, the function of the symbol that is called as C would call it."""
    takes = [context.get_value_type(kind) for kind in signature.args]
    function_type = ir.FunctionType(context.get_value_type(signature.return_type), takes)
    return cgutils.get_or_insert_function(module, function_type, symbol)


# --- how numba sees the functions that compiled code calls by their symbols, not built into their callers


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


# --- what numba does otherwise for functions of this program


def _index(context, builder, index_type, index, size):  # type: ignore[no-untyped-def]
    """Return the place of an index, as numba does; one of this program's own functions as it is."""
    if _ours and index_type.signed:
        return context.cast(builder, index, index_type, types.intp)
    return _index_from_either_end(context, builder, index_type, index, size)


def callable_from_c(self, library, description, environment, helper):  # type: ignore[no-untyped-def]
    """Make the function that C can call: of this program's own one that numba's is built into, without a look at errors."""
    if not _direct:
        _guarded_wrapper(self, library, description, environment, helper)
        return
    if description.modname.startswith("numba."):  # what numba compiles beside, int() say, is built into callers only
        return
    returned, taken, symbol = description.restype, description.argtypes, description.llvm_func_name
    module = self.create_module("direct")
    inner = ir.Function(module, self.call_conv.get_function_type(returned, taken), symbol)
    outer = declare(self, module, description.llvm_cfunc_wrapper_name, returned(*taken))
    _move_off_the_page(outer)
    builder = ir.IRBuilder(outer.append_basic_block("entry"))
    _, result = self.call_conv.call_function(builder, inner, returned, taken, outer.args, attrs=("alwaysinline",))
    builder.ret(result)
    library.add_ir_module(module)
    library._final_module.get_function(symbol).linkage = "internal"


def _move_off_the_page(function: ir.Function) -> None:
    """Let the code of a function, the only one of its module, begin somewhere in its page of memory, behind no-operations.

    LLVM begins a page for each module. Processors keep code near at hand by its place in the page, and but for this all
    functions would push each other out of the same few places.
    """
    lines = zlib.crc32(function.name.encode()) % (PAGE // LINE)
    set.add(function.attributes, f'"patchable-function-prefix"="{lines * LINE // NO_OPERATION}"')  # llvmlite knows it not


if ARE_USED:
    from numba.core.cpu import CPUContext
    from numba.np import arrayobj

    _index_from_either_end = arrayobj.fix_integer_index
    _guarded_wrapper = CPUContext.create_cfunc_wrapper
    arrayobj.fix_integer_index = _index
    CPUContext.create_cfunc_wrapper = callable_from_c  # type: ignore[method-assign]
