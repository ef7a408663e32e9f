"""Whose files these are: what this program wrote, and may write over or remove; a lock while it does; the order it does it in.

Read `opened` and `write_files` first: every command writes its folder by one of them.
"""

from __future__ import annotations

import errno
import os
import platform
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from .errors import UserError, as_named

# --- A lock that keeps two runs out of one folder, and two programs from one file that they rewrite
#
# The operating system releases it when the process ends, however it ends: there are no stale locks to clear. The text in the
# file only says who holds it.

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


# --- Which files this program wrote, and may therefore write over or remove
#
# All others stay as they are.
#
# A folder that is removed as a whole has a name that only we give and holds our mark. Files that go into a folder of the
# user's choice are listed in a mark there; no other file is written over.

MARK = ".newdawn"
FOLDER_MARK = "This folder was made by newdawn, which removes it when it is no longer of use.\n"
UNFINISHED = re.compile(r"\.(.+)\.[0-9a-f]{8}\.unfinished")  # a file that is being written
FILES_MARK = "# Files written into this folder by newdawn, which may write over them.\n"


def mark_folder(folder: Path) -> None:
    """Mark an empty folder as one that we made and may remove. May raise OSError."""
    if next(folder.iterdir(), None) is None:
        write_whole(folder / MARK, FOLDER_MARK.encode())


def is_our_folder(folder: Path) -> bool:
    """Say whether we marked the folder as ours: a real one, not a link to somebody's."""
    return folder.is_dir() and not folder.is_symlink() and _read(folder / MARK) == FOLDER_MARK


def remove_folder(folder: Path) -> None:
    """Remove a folder if it is marked as ours; what cannot be removed stays."""
    if is_our_folder(folder):
        shutil.rmtree(folder, ignore_errors=True)


class TemporaryFolder(tempfile.TemporaryDirectory[str]):
    """A folder among the temporary files, removed by its `cleanup` or when the process ends.

    Those of a process that was killed are removed by the next one that asks for a folder of this prefix.
    """

    def __init__(self, prefix: str) -> None:
        for path in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
            with suppress(OSError, UserError):  # somebody works in it
                if is_our_folder(path):
                    with hold(path):
                        pass
                    remove_folder(path)
        super().__init__(prefix=prefix, ignore_cleanup_errors=True)
        self.lock = ExitStack()
        with suppress(OSError):
            self.lock.enter_context(hold(Path(self.name)))
            write_whole(Path(self.name) / MARK, FOLDER_MARK.encode())

    def cleanup(self) -> None:
        """Remove the folder."""
        self.lock.close()
        super().cleanup()


def _read(path: Path) -> str:
    try:
        return "" if path.is_symlink() else path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def write_whole(path: Path, content: bytes, lasting: bool = True) -> None:
    """Write a file so that it is there whole or not at all, whatever ends the process. May raise OSError.

    A file that is not `lasting` may be lost or cut short if the machine itself stops.
    """
    with _beside(path, content, lasting) as unfinished:
        unfinished.replace(path)


def write_new(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all; raise FileExistsError if there is one. May raise OSError."""
    with _beside(path, content, lasting=True) as unfinished:
        try:
            os.link(unfinished, path)  # unlike a rename never over a file
        except FileExistsError:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        except OSError:  # a file system without links
            with path.open("xb") as file:
                file.write(content)


@contextmanager
def _beside(path: Path, content: bytes, lasting: bool) -> Iterator[Path]:
    """Write the content into an unfinished file beside the path, yield that file's path, and remove the file afterwards."""
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}.unfinished")
    with unfinished.open("xb") as file:  # raises FileExistsError for somebody's file
        try:
            file.write(content)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    try:
        yield unfinished
    finally:
        unfinished.unlink(missing_ok=True)


def sweep(folder: Path, name: str = "") -> None:
    """Remove what killed writers left unfinished in a folder, of the file `name` or of all; the caller holds the lock."""
    for path in folder.glob(".*.unfinished"):
        written = UNFINISHED.fullmatch(path.name)
        if written and name in ("", written[1]) and path.is_file() and not path.is_symlink():
            path.unlink(missing_ok=True)


@contextmanager
def held(place: Path, busy: str = WRITING, option: str = "--out") -> Iterator[None]:
    """Hold the lock of a folder, or of a file, and remove unfinished files of killed writers. Raises as `hold` does."""
    with hold(place, busy, option):
        sweep(place) if place.is_dir() else sweep(place.parent, place.name)
        yield


def check_free(place: Path, busy: str = WRITING) -> None:
    """Raise Busy if another process holds the lock of a folder or a file. May raise OSError."""
    if lock_of(place).exists():
        try:
            with hold(place, busy):
                pass
        except Busy:
            raise
        except UserError:  # somebody's file of that name
            pass


def check_over(path: Path, begins: bytes, what: str, option: str) -> None:
    """Raise UserError if writing would go over a file that does not begin as `what` does. May raise OSError."""
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as file:
            if file.read(len(begins)) != begins:
                raise UserError(f"{option}: '{path}' already exists and is not {what}; choose another name", field=option)


def write_alone(path: Path, content: bytes, over: bool = True) -> None:
    """Write a file of a user's choice, whole or not at all and by one process at a time. May raise OSError.

    Not `over` a file: raises FileExistsError then.
    """
    with held(path, "is writing this file; wait for it, or choose another one"):
        (write_whole if over else write_new)(path, content)


# --- Folders that commands write
#
# All are written in the same order, so that a command killed at any moment can be given again:
#
#   lock         the folder is made and locked (`opened`), and what killed writers left unfinished is removed;
#   description  a file says what the folder is for: a manifest, the settings of a training, the header of a search; or, where a
#                command writes all its files at the end (`write_files`), their list;
#   data         file by file, each whole or growing by whole records;
#   seal         the last file, or the end of a run's staging folder, says that it is finished. Then the lock goes.
#
# So a folder without a description holds nothing but what we leave before it (`is_bare`), or it is somebody's.


def is_bare(path: Path) -> bool:
    """Say whether a folder holds only what killed commands leave before they describe it; empty folders are nobody's.

    May raise OSError.
    """
    if path.is_dir() and not path.is_symlink():
        return all(map(is_bare, path.iterdir()))
    if UNFINISHED.fullmatch(path.name):
        return path.is_file() and not path.is_symlink()
    if path.name.startswith(".") and path.name.endswith(FILE):
        return path.is_file() and TEXT.fullmatch(_read(path).strip()) is not None
    return path.name == MARK and _read(path).startswith(FILES_MARK)


def check_folder(out: Path, description: str, things: str, expected: str, option: str = "--out") -> None:
    """Raise UserError unless the folder has its description, or is new or bare; Busy if somebody writes there.

    `description`: the file's name; "" where none is gone on with. `things` and `expected` are words of the refusals: "a folder
    for the tables", "or one of the same run". May raise OSError.
    """
    if not out.exists():
        return
    if not out.is_dir():
        raise UserError(f"{out}: is a file; expected a folder for the {things} ({option})", field=option)
    if (out / description).is_file() or is_bare(out):
        return
    check_free(out)
    if not (out / description).is_file():  # a moment ago
        raise UserError(f"{out}: holds other files; expected a new or empty folder, or {expected} ({option})", field=option)


@contextmanager
def opened(out: Path, description: str, things: str, expected: str, option: str = "--out") -> Iterator[None]:
    """Hold a folder of ours, made if there is none; its description is the first file to be written into it.

    Raises as `check_folder` does, and Busy while another process holds it.
    """
    check_folder(out, description, things, expected, option)
    out.mkdir(parents=True, exist_ok=True)
    with held(out, option=option):
        check_folder(out, description, things, expected, option)
        yield


def ours_in(out: Path) -> set[str]:
    """Return the names of the files in the folder that we wrote."""
    text = _read(out / MARK)
    return set(text.splitlines()[1:]) if text.startswith(FILES_MARK) else set()


def check_files(out: Path, names: Iterable[str], what: str, option: str = "--out") -> None:
    """Raise UserError if these files cannot be written into `out`, or would be written over one that is not ours."""
    names = list(names)
    if out.exists() and not out.is_dir():
        raise UserError(f"{out}: is a file; expected a folder for the {what} ({option})")
    existing = next(path for path in (out, *out.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
        if _theirs(out, names):
            check_free(out)
    except OSError as error:
        raise UserError(f"{out}: the {what} cannot be written there: {error.strerror or error} ({option})") from None
    for path in _theirs(out, names):  # now, if somebody wrote there a moment ago
        raise UserError(
            f"{path}: already exists and was not written by newdawn; choose another folder for the {what} ({option})"
        )


def _theirs(out: Path, names: Iterable[str]) -> list[Path]:
    """Return the files of these names, and of our list's, that are there and not ours."""
    listed = ours_in(out)
    theirs = [name for name in names if name not in listed]
    if not _read(out / MARK).startswith(FILES_MARK):
        theirs.append(MARK)
    return [out / name for name in theirs if os.path.lexists(out / name)]


def write_files(
    out: Path, files: Mapping[str, str | bytes], what: str, option: str = "--out", replaced: Iterable[str] = ()
) -> None:
    """Write the files into the folder, each whole or not at all, in their order, and list them in its mark as ours.

    `replaced`: files of an earlier content, ours without a list, too; those that are not written anew are removed in the end.

    Raises UserError, before anything is written, if one would be written over a file that is not ours, or cannot be written.
    """
    earlier = set(replaced)
    check_files(out, files.keys() - earlier, what, option)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with held(out, option=option):
            # Listed first: a file that is there but not listed would be taken for somebody's.
            listed = ours_in(out) | earlier | files.keys()
            _list(out, listed)
            for folder in {(out / name).parent for name in listed} - {out}:
                sweep(folder)
            for name, content in files.items():
                (out / name).parent.mkdir(parents=True, exist_ok=True)
                write_whole(out / name, content if isinstance(content, bytes) else as_named(content).encode("utf-8", "replace"))
            if gone := earlier - files.keys():
                for name in gone:
                    (out / name).unlink(missing_ok=True)
                _list(out, listed - gone)
    except OSError as error:
        raise UserError(f"{out}: the {what} cannot be written there: {error.strerror or error} ({option})") from None


def _list(out: Path, names: Iterable[str]) -> None:
    """List files of ours in the mark of their folder. May raise OSError."""
    write_whole(out / MARK, (FILES_MARK + "".join(f"{name}\n" for name in sorted(names))).encode())
