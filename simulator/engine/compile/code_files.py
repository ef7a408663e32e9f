"""Files of compiled code: what is read back is run, so it is what was written, for this function, or nothing at all.

Before the code stands a digest of it and of what it belongs to: the function, what it takes, the version of everything it was
compiled from and for. A file that is cut short, changed, another function's or another user's counts as not there. The function
is compiled anew, then, and its file replaced.

A wheel made for a platform brings such files along (`PACKED`; docs/contributing/releasing.md). They are looked for first and
only read; a function whose file is not there, or not for exactly this, is compiled as if there were none.

What is kept of a function where numba's insides are known is said in `code_cache`; elsewhere it is what numba itself would keep
(`NumbasFiles`).
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba

from ... import compile_cache, file_ownership
from . import direct_calls
from .argument_types import RECORD_NAMES

FOLDER = compile_cache.folder()
PACKED = Path(__file__).with_name("packed")
KEEPS = FOLDER is not None or PACKED.is_dir()  # or reads, at least
DIGEST = hashlib.sha256().digest_size
PLAIN = (bool, int, float, str, type(None))
_told: set[str] = set()  # reasons why nothing could be kept


def seal(owner: bytes, content: bytes) -> bytes:
    """Return the content behind the digest of it and of what it belongs to."""
    return hashlib.sha256(b"%d %b%b" % (len(owner), owner, content)).digest() + content


def unseal(owner: bytes, file: bytes) -> bytes | None:
    """Return the content of a file, None if it is not what `seal` made for this owner."""
    content = file[DIGEST:]
    return content if file == seal(owner, content) else None


@cache
def _source_digest(file: str) -> str:
    """Return the digest of the file that a function is written in."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:  # typed in by hand
        return ""


def is_keepable(result: Any) -> bool:
    """Say whether a compiled function can be kept.

    It cannot if it leaves compiled code, since a process that loads it crashes, nor if somebody had numba compile something,
    and so for this very processor, before this program was imported.
    """
    wanted, used = vars(numba.config)["CPU_FEATURES"], result.library.codegen.magic_tuple()[-1]
    return not result.lifted and not result.library.has_dynamic_globals and wanted in (None, used)


def overload(dispatcher: Any) -> Any:
    """Return the function that numba has compiled."""
    return next(iter(dispatcher.overloads.values()))


class CodeFile:
    """The file of one function in the folder of the compile cache; `part` tells two files of one function apart."""

    part = ""

    def __init__(self, function: Any, arguments: Any) -> None:
        self.arguments = arguments
        code = function.__code__
        around = [cell.cell_contents for cell in function.__closure__ or ()]
        self.is_keepable = all(isinstance(value, PLAIN) for value in around)
        place = f"{function.__module__}.{function.__qualname__}-{code.co_firstlineno}{self.part}"
        taken = [RECORD_NAMES.get(id(kind)) or repr(kind) for kind in getattr(arguments, "args", arguments)]
        how = [place, compile_cache.version(), str(direct_calls.ARE_USED), *taken, repr(around)]
        written = [_source_digest(code.co_filename), code.co_code.hex(), *code.co_names]
        self.owner = "\n".join(how + written).encode()
        short = hashlib.sha256("\n".join(how).encode()).hexdigest()[:12]
        name = f"{place.replace('<', '').replace('>', '')[-150:]}.{short}.code"
        self.packed, self.path = PACKED / name, (FOLDER or PACKED) / name

    def read(self) -> bytes | None:
        """Return what is kept of the function, None if nothing is, or if there is any doubt about it."""
        for path in (self.packed, self.path):
            with suppress(OSError), path.open("rb") as file:
                if path == self.packed or self._is_mine(file):
                    content = unseal(self.owner, file.read())
                    if content is not None:
                        return content
        return None

    def _is_mine(self, file: Any) -> bool:
        """Does the file belong to this user, or to whom the folder belongs?"""
        if not hasattr(os, "getuid"):
            return True
        return os.fstat(file.fileno()).st_uid in (os.getuid(), self.path.parent.stat().st_uid)

    def write(self, content: bytes) -> None:
        """Keep this of the function. Where nothing can be written it is compiled in every process, which is said once."""
        if not self.is_keepable or FOLDER is None:
            return
        try:
            compile_cache.make(self.path.parent)
            file_ownership.write_whole(self.path, seal(self.owner, content), lasting=False)
        except OSError as error:
            self.tell(error)

    def tell(self, error: OSError) -> None:
        """Say why nothing can be kept, once."""
        reason = error.strerror or str(error)
        if reason not in _told:
            _told.add(reason)
            line = f"{self.path.parent}: compiled code cannot be kept there, every command compiles it anew"
            with suppress(OSError):  # a disk may be full for what is said, too
                print(f"{line}: {reason}", file=sys.stderr)

    def remove(self) -> None:
        """Keep nothing of the function."""
        with suppress(OSError):
            if FOLDER is not None:
                self.path.unlink(missing_ok=True)


class NumbasFiles(CodeFile):
    """Keeps the files that numba would keep of a function. It writes and reads them in a folder of this process's own."""

    def load(self, seen: Callable[[], Any]) -> Any:
        """Return the function, ready to be called, or None if it is not kept; `seen` returns what numba sees it as."""
        content = self.read()
        if content is None:
            return None
        dispatcher = seen()
        try:
            with self._folder_of(dispatcher) as folder:
                zipfile.ZipFile(io.BytesIO(content)).extractall(folder)
                dispatcher.compile(self.arguments)
                if not dispatcher.stats.cache_hits:  # its source was touched: numba has compiled it again
                    self.write(_packed(folder))
        except OSError:
            return None
        return overload(dispatcher)

    def compile(self, dispatcher: Any) -> Any:
        """Compile the function, keep it and return it."""
        try:
            with self._folder_of(dispatcher) as folder:
                dispatcher.compile(self.arguments)
                if is_keepable(overload(dispatcher)):
                    self.write(_packed(folder))
        except OSError as error:
            self.tell(error)
            dispatcher.compile(self.arguments)  # unless it is there, and only could not be kept
        return overload(dispatcher)

    @contextmanager
    def _folder_of(self, dispatcher: Any) -> Iterator[Path]:
        """Let numba keep the function in a new folder meanwhile."""
        before = vars(numba.config)["CACHE_DIR"]
        with tempfile.TemporaryDirectory() as folder:
            numba.config.CACHE_DIR = folder  # type: ignore[attr-defined]
            try:
                dispatcher.enable_caching()
                yield Path(folder)
            finally:
                numba.config.CACHE_DIR = before  # type: ignore[attr-defined]


def _packed(folder: Path) -> bytes:
    """Return the files in the folder as one."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted(folder.rglob("*.nb?")):
            archive.write(path, path.relative_to(folder).as_posix())
    return buffer.getvalue()


class NumbasEntryFiles(NumbasFiles):
    """Keeps the files of what Python calls."""

    part = ".entry"


def kept_function(function: Any, arguments: Any, inlined: bool) -> Any:
    """Return the file of a function."""
    return NumbasFiles(function, arguments)


def kept_entry(function: Any, arguments: Any) -> Any:
    """Return the file of what Python calls in place of the function."""
    return NumbasEntryFiles(function, arguments)
