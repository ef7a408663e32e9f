"""How functions are kept between runs where the insides of numba are not known: as the files that numba itself would keep.

numba writes and reads them in a folder of this process's own. What lies in the compile cache is one file a function
(`code_files`) with numba's in it, so that nothing is loaded without a look at its digest.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba

from .code_files import CodeFile, is_keepable, overload


def kept_function(function: Any, arguments: Any, inlined: bool) -> Any:
    """Return the file of a function."""
    return NumbasFiles(function, arguments)


def kept_entry(function: Any, arguments: Any) -> Any:
    """Return the file of what Python calls in place of the function."""
    return NumbasEntryFiles(function, arguments)


class NumbasFiles(CodeFile):
    """Keeps the files that numba would keep of a function."""

    def load(self, dispatcher: Any) -> Any:
        """Return the function, ready to be called, or None if it is not kept."""
        content = self.read()
        if content is None:
            return None
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
