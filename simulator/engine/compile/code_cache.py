"""How functions are kept between runs where the insides of numba are known (`insides`): as machine code, and little else.

numba would keep two things beside it, and load them at every start: the LLVM code, to build the function into others, which
nobody does with what is called by its symbol, and the source with the type of every name, for reading. A worker is 40 MB
smaller without them, and the cache a quarter as large.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.serialize import NumbaPickler

from .argument_types import RECORD_NAMES, RECORD_TYPES
from .code_files import CodeFile, is_keepable, overload

NO_LLVM_CODE = llvm.parse_assembly("").as_bitcode()
SIGNATURE, SYMBOLS = 3, 6  # places in what is kept of a function


def kept_function(function: Any, arguments: Any, inlined: bool) -> Any:
    """Return the file of a function."""
    return (WholeCode if inlined else MachineCode)(function, arguments)


def kept_entry(function: Any, arguments: Any) -> Any:
    """Return the file of what Python calls in place of the function."""
    return EntryCode(function, arguments)


class _Writer(NumbaPickler):
    """Writes the names of the records' types, all fields of the game, in their place."""

    def persistent_id(self, value: Any) -> str | None:
        """Return the name of a record's type, None for anything else."""
        return RECORD_NAMES.get(id(value))


class _Reader(pickle.Unpickler):
    def persistent_load(self, name: str) -> Any:
        return RECORD_TYPES[name]


class WholeCode(CodeFile):
    """Keeps a function that is built into its callers, with its LLVM code."""

    def load(self, seen: Callable[[], Any]) -> Any:
        """Return the function, ready to be called, or None if it is not kept; `seen` returns what numba sees it as."""
        kept = self._kept()
        if kept is None:
            return None
        context = cpu_target.target_context
        # numba would read all its registries here. What they know is needed to compile, and read then; to run, this is enough.
        rtsys.initialize(context)
        context.codegen()._engine._defined_symbols |= kept[SYMBOLS]
        result = CompileResult._rebuild(context, *kept)
        self.announce(seen, result)
        return result

    def compile(self, dispatcher: Any) -> Any:
        """Compile the function, keep it and return it."""
        dispatcher.compile(self.arguments)
        result = overload(dispatcher)
        if is_keepable(result):
            with io.BytesIO() as buffer:
                _Writer(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(self.reduced(result))
                self.write(buffer.getvalue())
        return result

    def _kept(self) -> Any:
        content = self.read()
        return None if content is None else _Reader(io.BytesIO(content)).load()

    def reduced(self, result: Any) -> tuple[Any, ...]:
        """Return what is kept: numba's own tuple, in place of the annotated source the symbols that the code has."""
        *first, _annotated, initialization, environments = result._reduce()
        symbols = {function.name for function in result.library._final_module.functions if not function.is_declaration}
        return *first, symbols, initialization, environments

    def announce(self, seen: Callable[[], Any], result: Any) -> None:
        """Tell numba of the function, which it will look for when it compiles or calls it."""
        cpu_target.target_context.insert_user_function(result.entry_point, result.fndesc, [result.library])
        seen().add_overload(result)


class MachineCode(WholeCode):
    """Keeps the machine code of a function that is called by its symbol."""

    def reduced(self, result: Any) -> tuple[Any, ...]:
        """Return what is kept, without the LLVM code."""
        (name, kind, (machine_code, _)), *others = super().reduced(result)
        return (name, kind, (machine_code, NO_LLVM_CODE)), *others

    def announce(self, seen: Callable[[], Any], result: Any) -> None:
        """Numba need not know of it."""

    def signature(self) -> Any:
        """Return what a kept function takes and returns; its code is not loaded."""
        kept = self._kept()
        if kept is None:
            raise LookupError(f"{self.path}: is not kept")
        return kept[SIGNATURE]


class EntryCode(MachineCode):
    """Keeps the machine code of what Python calls."""

    part = ".entry"

    def announce(self, seen: Callable[[], Any], result: Any) -> None:
        """Let Python find it."""
        seen().add_overload(result)
