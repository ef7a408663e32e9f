"""A lock that keeps two runs out of one folder, and two programs from one file that they rewrite.

The operating system releases it when the process ends, however it ends: there are no stale locks to clear. The text in the
file only says who holds it.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import UserError

FILE = ".lock"
WRITING = "is writing into this folder; wait for it, or choose another folder"
TEXT = re.compile(r"(process \d+ on .*)?", re.DOTALL)  # what our lock file holds; nothing for a moment


class Busy(UserError):
    """Another process holds the lock."""


def _try_lock(descriptor: int) -> bool:
    """Lock the open file and return True, or False if another process has it."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, 1 << 20, os.SEEK_SET)  # beyond the text, which others must be able to read
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A network file system without locks. Two runs of the same plan write the same bytes, so go on without.
        return True
    return True


def _same_file(descriptor: int, path: Path) -> bool:
    """Say whether the path still is the open file, which its last holder may have removed."""
    with suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), path.stat())
    return False


def lock_of(place: Path) -> Path:
    """Return the path of the lock of a folder or a file."""
    return place / FILE if place.is_dir() else place.with_name(f".{place.name}{FILE}")


@contextmanager
def hold(place: Path, busy: str = WRITING, option: str = "--out") -> Iterator[None]:
    """Hold the lock of a folder or a file; raise Busy if another process has it, OSError if there can be none.

    `busy` says what the other process does, and what to do about it. A file of that name that is not ours is a UserError.
    """
    path = lock_of(place)
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
        locked = _try_lock(descriptor)
        text = os.read(descriptor, 200).decode(errors="replace").strip()
        is_ours = TEXT.fullmatch(text) is not None
        if not locked:
            os.close(descriptor)
            raise Busy(f"{place}: {text if text and is_ours else 'another process'} {busy}")
        if not is_ours:
            os.close(descriptor)
            raise UserError(
                f"{path}: is not a lock of this program, or damaged; remove it if nothing uses it, or choose another folder "
                f"({option})"
            )
        if _same_file(descriptor, path):
            break
        os.close(descriptor)
    try:
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)  # behind the text of a killed holder, which was read
        os.write(descriptor, f"process {os.getpid()} on {platform.node() or 'this machine'}".encode())
        yield
    finally:
        if sys.platform != "win32":  # there, an open file cannot be removed
            path.unlink(missing_ok=True)
        os.close(descriptor)
