"""numba's cache on disk, with less in it: what engine functions are kept in between runs."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import NumbaPickler

from .argument_types import RECORD_TYPES
from .direct import NOTHING, found_out

RECORD_NAMES = {id(record): name for name, record in RECORD_TYPES.items()}  # numba has one object a type
NO_LLVM_CODE = llvm.parse_assembly("").as_bitcode()
DESCRIPTION, SIGNATURE, FOUND = 1, 3, 6  # places in what is kept of a function; FOUND: what LLVM has found out (direct.py)


class MachineCode(CompileResultCacheImpl):
    """Keeps the machine code of a function only.

    numba would keep two things beside it, and load them at every start: the LLVM code, to build the function into others,
    which nobody does with what is called by its symbol, and the source with the type of every name, for reading. A worker
    is 40 MB smaller without them, and the cache a quarter as large.
    """

    def check_cachable(self, result: Any) -> bool:
        """Say whether the function can be kept: not if it leaves compiled code, since a process that loads it crashes."""
        return not result.lifted and bool(super().check_cachable(result))

    def reduce(self, result: Any) -> tuple[Any, ...]:
        """Return what is kept: numba's own tuple without the LLVM code; `found_out` in place of the annotated source."""
        library, description, environment, signature, objectmode, lifted, _annotated, *others = super().reduce(result)
        found = found_out(result.library, result.fndesc)
        name, kind, (machine_code, _) = library
        slim = (name, kind, (machine_code, NO_LLVM_CODE))
        return slim, description, environment, signature, objectmode, lifted, found, *others

    def rebuild(self, target: Any, kept: tuple[Any, ...]) -> CompileResult:
        """Return the function as numba wants it; its symbols, else read off the LLVM code, are told here."""
        target.codegen()._engine._defined_symbols |= self.symbols(kept)
        result: CompileResult = super().rebuild(target, kept)
        return result

    def symbols(self, kept: Any) -> set[str]:
        """Return the symbols that the machine code may have: what C calls; numba's function, unless it is built in there."""
        description = kept[DESCRIPTION]
        built_in = kept[FOUND] != NOTHING
        return {description.llvm_cfunc_wrapper_name} | (set() if built_in else {description.llvm_func_name})


class EntryCode(MachineCode):
    """Keeps the machine code of what Python calls, in files of its own."""

    def get_filename_base(self, name: str, flags: str) -> str:
        """Return what the names of the files begin with."""
        return f"entry.{super().get_filename_base(name, flags)}"

    def symbols(self, kept: Any) -> set[str]:
        """Return the symbols of the function and of the wrapper that reads Python's arguments."""
        description = kept[DESCRIPTION]
        return {description.llvm_func_name, description.llvm_cpython_wrapper_name}


class _Writer(NumbaPickler):
    """Writes the names of the records' types in their place."""

    def persistent_id(self, value: Any) -> str | None:
        """Return the name of a record's type, None for anything else."""
        return RECORD_NAMES.get(id(value))


class _Reader(pickle.Unpickler):
    def persistent_load(self, name: str) -> Any:
        return RECORD_TYPES[name]


class CacheFile(IndexDataCacheFile):
    """numba's files of a function: the types of the records, all fields of the game, are not written into each of them."""

    def _dump(self, value: Any) -> bytes:
        with io.BytesIO() as buffer:
            _Writer(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
            return buffer.getvalue()

    def _load_index(self) -> dict[Any, str]:
        try:
            with Path(self._index_path).open("rb") as file:
                if pickle.load(file) != self._version:
                    return {}
                stamp, names = _Reader(file).load()
        except FileNotFoundError:
            return {}
        return names if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        with Path(self._data_path(name)).open("rb") as file:
            return _Reader(file).load()


class CodeCache(FunctionCache):
    """numba's cache on disk."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = CacheFile(self.cache_path, self._impl.filename_base, stamp)

    def load_overload(self, arguments: Any, context: Any) -> Any:
        """Return the function for arguments of these types, ready to be called, or None.

        numba would read all its registries here, and look for news of them with each function. What they know is needed to
        compile, and read then; to run, the memory of arrays is enough.
        """
        rtsys.initialize(context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(arguments, context)

    def names_file(self, arguments: Any, context: Any) -> bool:
        """Does the cache have the function? Cheaper than to load it."""
        name = self._cache_file._load_index().get(self._index_key(arguments, context.codegen()))
        return name is not None and (Path(self.cache_path) / name).is_file()


class MachineCodeCache(CodeCache):
    """numba's cache on disk, of machine code."""

    _impl_class = MachineCode  # type: ignore[assignment]

    def kept_facts(self, arguments: Any, context: Any) -> tuple[Any, str]:
        """Return what a kept function takes and returns, and what LLVM has found out; its code is not loaded."""
        kept = self._cache_file.load(self._index_key(arguments, context.codegen()))
        return kept[SIGNATURE], kept[FOUND]


class EntryCache(CodeCache):
    """numba's cache on disk, of what Python calls."""

    _impl_class = EntryCode  # type: ignore[assignment]
