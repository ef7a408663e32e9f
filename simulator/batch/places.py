"""Where a run lies: in a folder of this machine, or at an address that fsspec knows, like s3://bucket/run.

A folder is a `pathlib.Path`. An `Address` has those of its methods that runs need. What is put at an address appears whole or
not at all; there is no renaming and no lock.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from .. import ours
from ..errors import UserError, install

SIGN = "://"
LOCAL = ("file://", "local://")
AT_ONCE = 16  # questions to an object store, each of which takes its time
DRIVERS = {"s3": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs", "abfss": "adlfs"}  # packages
EXAMPLES = "s3://bucket/run, gs://… or az://…"


T = TypeVar("T")
U = TypeVar("U")


@contextmanager
def _plainly(address: str) -> Iterator[None]:
    """Turn whatever a driver raises into an OSError that names the address."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:  # each driver has errors of its own
        said = " ".join(str(error).split()) or type(error).__name__
        kind = error.errno if isinstance(error, OSError) and error.errno else errno.EIO
        raise OSError(errno.ENOENT if isinstance(error, FileNotFoundError) else kind, said, address) from error


@dataclass(frozen=True)
class Address:
    """An object at an address, or the beginning of the names of several: what is a folder elsewhere."""

    address: str

    def __str__(self) -> str:
        return self.address

    def __truediv__(self, name: str) -> Address:
        return Address(f"{self.address}/{name}")

    @property
    def name(self) -> str:
        """What comes after the last slash."""
        return self.address.rpartition("/")[2]

    @property
    def parent(self) -> Address:
        """What comes before it."""
        return Address(self.address.rpartition("/")[0])

    def resolve(self) -> Address:
        """Return the address: it means the same everywhere."""
        return self

    def is_file(self) -> bool:
        """Say whether there is an object."""
        with _plainly(self.address):
            files, path = self._opened()
            with suppress(FileNotFoundError):
                return bool(files.info(path)["type"] == "file")
            return False

    def names(self) -> list[str]:
        """Return the names of what lies here, one step deep."""
        with _plainly(self.address):
            files, path = self._opened()
            with suppress(FileNotFoundError):
                found = [name.strip("/") for name in files.ls(path, detail=False)]
                return sorted(name.rpartition("/")[2] for name in found if name != path.strip("/"))
            return []

    def read_bytes(self) -> bytes:
        """Return the object."""
        with _plainly(self.address):
            files, path = self._opened()
            return bytes(files.cat_file(path))

    def read_text(self, encoding: str) -> str:
        """Return the object as text."""
        return self.read_bytes().decode(encoding)

    def write_bytes(self, content: bytes) -> None:
        """Put an object there, whole or not at all."""
        with _plainly(self.address):
            files, path = self._opened()
            files.pipe_file(path, content)

    def unlink(self, missing_ok: bool = False) -> None:
        """Remove the object."""
        with _plainly(self.address):
            files, path = self._opened()
            with suppress(*([FileNotFoundError] if missing_ok else [])):
                files.rm_file(path)

    def _opened(self) -> tuple[Any, str]:
        """Return the driver, which others may have written past, and the path as it wants it."""
        from fsspec.core import url_to_fs

        files, path = url_to_fs(self.address)
        files.invalidate_cache()
        return files, path


Place = Path | Address


def place(word: str | Path | Address) -> Place:
    """Return the place that a word means; raise UserError if there is no driver for such an address."""
    if not isinstance(word, str):
        return word
    start = next((start for start in LOCAL if word.startswith(start)), None)
    if start is not None:
        return Path(word.removeprefix(start))
    kind, sign, rest = word.partition(SIGN)
    if not sign:
        return Path(word)
    if not rest.strip("/"):
        raise UserError(f"{word}: not a place; expected a folder, or an address such as {EXAMPLES}")
    import fsspec

    try:
        fsspec.get_filesystem_class(kind)
    except ImportError:
        how = (
            f"install it with: {install(DRIVERS[kind])}"
            if kind in DRIVERS
            else "https://filesystem-spec.readthedocs.io lists them"
        )
        raise UserError(f"{word}: the driver for {kind}:// is not installed; {how}") from None
    except ValueError:
        raise UserError(f"{word}: no driver for {kind}://; expected a folder, or an address such as {EXAMPLES}") from None
    return Address(word.rstrip("/"))


def names(folder: Place) -> list[str]:
    """Return the names of what lies in a folder, in order; nothing if there is no such folder. May raise OSError."""
    if isinstance(folder, Address):
        return folder.names()
    with suppress(FileNotFoundError, NotADirectoryError):
        return sorted(os.listdir(folder))
    return []


def each(where: Place, function: Callable[[T], U], items: Iterable[T]) -> Iterator[U]:
    """Yield what a function that reads at a place returns for the items, in their order; at an address, several at once."""
    if isinstance(where, Address):
        threads = ThreadPoolExecutor(AT_ONCE)
        try:
            yield from threads.map(function, items)
        finally:
            threads.shutdown(cancel_futures=True)
    else:
        yield from map(function, items)


def write_whole(path: Place, content: bytes) -> None:
    """Write a file so that it is there whole or not at all. May raise OSError."""
    if isinstance(path, Address):
        path.write_bytes(content)
    else:
        ours.write_whole(path, content)
