"""How the compiled functions of this program call each other: directly, and knowing what a callee leaves alone.

A function compiled by numba returns a status, which says whether it raised an error, and writes its result into memory of its
caller's. Functions of this program raise nothing. So each is built into one that takes and returns numbers as C does
(`callable_from_c`), and that is what the others call.

They also promise LLVM something about the records they take (`promise`), and what LLVM then finds out about a function (that
it only reads the game, say) is kept with it (`found_out`) and told to whoever calls it (`declare`): numbers of the game that
were read before the call need not be read again after it.

All of this happens only with a numba whose insides are known (`insides`).
"""

from __future__ import annotations

import platform
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from . import insides
from .argument_types import RULES_TYPE

# What LLVM may find out about a function, and about a record it takes, that is of use to a caller.
OF_FUNCTIONS = r"memory\([^)]*\)|\b(?:nofree|norecurse|nosync|nounwind|willreturn)\b"
OF_RECORDS = r"\b(?:readnone|readonly|writeonly)\b"
HIDDEN_MEMORY = ", inaccessiblemem: readwrite"
NOTHING = ""
PAGE, LINE, NO_OPERATION = 4096, 64, 1 if platform.machine().lower() in {"x86_64", "amd64"} else 4  # bytes

_ours = False  # is a function of this program being compiled?
_direct = False  # to be called directly?


@contextmanager
def as_ours(ours: bool, checked: bool = False) -> Iterator[None]:
    """Compile functions of `ours` meanwhile: no index is below zero, no two records are the same, and, unless they are
    `checked`, no error is raised."""
    global _ours, _direct
    _ours, _direct = ours, ours and not checked
    try:
        yield
    finally:
        _ours = _direct = False


# --- what is told to LLVM


def _tell(attributes: Any, text: str) -> None:
    """Add attributes, of which llvmlite's own list lacks some that LLVM knows."""
    for attribute in text.split(";") if text else ():
        set.add(attributes, attribute)


def promise(arguments: Any, kinds: Any) -> None:
    """Promise that no other argument leads into a record, that nobody keeps its address, or writes into the rules."""
    for argument, kind in zip(arguments, kinds, strict=True):
        if isinstance(kind, types.Record):
            _tell(argument.attributes, "noalias;captures(none)" + (";readonly" if kind is RULES_TYPE else ""))


def declare(context: Any, module: Any, symbol: str, signature: Any, found: str = NOTHING) -> Any:
    """Return, in the module, the function of the symbol that is called as C would call it; `found`: see `found_out`."""
    takes = [context.get_value_type(kind) for kind in signature.args]
    function_type = ir.FunctionType(context.get_value_type(signature.return_type), takes)
    function = cgutils.get_or_insert_function(module, function_type, symbol)
    promise(function.args, signature.args)
    if found:
        of_function, *of_arguments = found.split("|")
        _tell(function.attributes, of_function)
        for argument, of_argument in zip(function.args, of_arguments, strict=True):
            _tell(argument.attributes, of_argument)
    return function


def _of_use(attributes: Any, wanted: str) -> str:
    """Return those of LLVM's attributes that a caller can use. (It takes the seams of what is built in for hidden memory.)"""
    text = " ".join(bytes(attribute).decode() for attribute in attributes)
    return ";".join(re.findall(wanted, text.replace(HIDDEN_MEMORY, "")))


def found_out(library: Any, description: Any) -> str:
    """Return what LLVM has found out about a function and each of its arguments, as `declare` tells it.

    NOTHING if it is not called directly: a user's, or one that is built into each of its callers.
    """
    functions = {function.name: function for function in library._final_module.functions if not function.is_declaration}
    outer = functions.get(description.llvm_cfunc_wrapper_name)
    if outer is None or description.llvm_func_name in functions:
        return NOTHING
    of_function = _of_use(list(outer.attributes)[:1], OF_FUNCTIONS)  # behind the first are those of result and arguments
    return "|".join([of_function, *(_of_use(each.attributes, OF_RECORDS) for each in outer.arguments)])


# --- what numba does otherwise for functions of this program


def _index(context, builder, index_type, index, size):  # type: ignore[no-untyped-def]
    """Return the place of an index, as numba does; one of this program's own functions as it is."""
    if _ours and index_type.signed:
        return context.cast(builder, index, index_type, types.intp)
    return _index_from_either_end(context, builder, index_type, index, size)


def _decorate(self, function, names, kinds, noalias=False):  # type: ignore[no-untyped-def]
    """Name the arguments of a function, as numba does; one of this program's own promises what it can.

    (Not one that takes arrays, which LLVM sees as several arguments each.)
    """
    _decorate_function(self, function, names, kinds, noalias)
    arguments = self.get_arguments(function)
    if _ours and len(arguments) == len(kinds):
        promise(arguments, kinds)


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
    _tell(function.attributes, f'"patchable-function-prefix"="{lines * LINE // NO_OPERATION}"')


if insides.ARE_USED:
    from numba.core.callconv import CPUCallConv
    from numba.core.cpu import CPUContext
    from numba.np import arrayobj

    _index_from_either_end = arrayobj.fix_integer_index
    _decorate_function = CPUCallConv.decorate_function
    _guarded_wrapper = CPUContext.create_cfunc_wrapper
    arrayobj.fix_integer_index = _index
    CPUCallConv.decorate_function = _decorate  # type: ignore[method-assign]
    CPUContext.create_cfunc_wrapper = callable_from_c  # type: ignore[method-assign]
