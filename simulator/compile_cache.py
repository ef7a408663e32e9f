"""Where the compiled engine is kept between runs.

numba stores compiled functions on disk but looks only at the file a function is written in: after a change in a
function it calls, it would go on using the old code without a word. So the folder it stores into is named by a digest
of every source file that ends up in compiled code, and of the versions and the processor it was compiled for: any
change means another folder and a fresh compilation.

`use_compile_cache` has to run before any engine function is declared; `simulator.engine` calls it first thing. A user
who sets NUMBA_CACHE_DIR takes the responsibility over.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
import tempfile
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from . import ours

ROOT = Path(__file__).resolve().parent.parent
FOLDERS_KEPT = 3
CHECKED = "NEWDAWN_CHECKED"  # set to 1: functions of this program are compiled with checks, too (engine/core/jit.py)
VERSION_FOLDER = re.compile("[0-9a-f]{16}-[0-9a-f]{16}")

# What jitted code is made of: the functions, and the modules whose constants are frozen into them.
SOURCES = (
    "simulator/engine/**/*.py",
    "simulator/games/kernel.py",
    "simulator/games/columns.py",
    "simulator/games/rows.py",
    "simulator/rules/record.py",
    "simulator/rules/ability_codes.py",
    "simulator/rules/card_parts.py",
    "simulator/rules/declare.py",
    "simulator/declared.py",
    "simulator/sources.py",
    "simulator/limits.py",
    "simulator/names.py",
    "strategies/**/*.py",
)
NOT_COMPILED = frozenset({
    "simulator/engine/core/ahead.py", "simulator/engine/core/worker.py", "strategies/registry.py", "strategies/profiles.py",
    "strategies/traits.py", "strategies/network_files.py", "simulator/engine/core/functions.py",
})  # fmt: skip
# What decides about games besides, and may change without a new compilation.
READ_LATER = (
    "strategies/profiles.py", "strategies/profiles/*.yaml", "strategies/learned/networks/*.npz",
    "strategies/learned/policies/*.npz",
    "simulator/engine/core/functions.py", "simulator/foreign.py",
)  # fmt: skip


def compiled_sources(root: Path = ROOT) -> list[Path]:
    """Return the source files that enter compiled code, in a fixed order."""
    found = {path for pattern in SOURCES for path in root.glob(pattern)}
    return sorted(path for path in found if path.relative_to(root).as_posix() not in NOT_COMPILED)


def deciding_sources(root: Path = ROOT) -> list[Path]:
    """Return all files of the program that decide about games beside the rules, in a fixed order."""
    return sorted({*compiled_sources(root), *(path for pattern in READ_LATER for path in root.glob(pattern))})


def source_digest(root: Path = ROOT) -> str:
    """Return the digest of all sources that decide about games: the version of the engine in a run's manifest."""
    return _digest(deciding_sources(root), root)


def _digest(files: list[Path], root: Path) -> str:
    digest = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def machine_digest() -> str:
    """Return the digest of what else compiled code depends on: versions, processor, settings of numba's and `CHECKED`."""
    import llvmlite.binding as llvm

    versions = [f"{name} {metadata.version(name)}" for name in ("numba", "numpy", "llvmlite")]
    settings = [f"{key}={value}" for key, value in sorted(os.environ.items()) if key.startswith(("NUMBA_", CHECKED))]
    facts = [platform.python_version(), *versions, llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    return hashlib.sha256("\n".join(facts + settings).encode()).hexdigest()[:16]


def user_cache_folder() -> Path:
    """Return the folder for caches of this user on this platform; it need not exist."""
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"])
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"])
    return Path.home() / ".cache"


def _writable(folder: Path) -> bool:
    """Create the folder and say whether files can be written into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_root() -> Path | None:
    """Return a writable folder of our own for the compiled code of all versions; None if there is none.

    It lies with the user's caches or, for a user without a home, with the temporary files.
    """
    try:
        preferred = user_cache_folder() / "newdawn"
        if preferred.is_absolute() and _writable(preferred):
            return preferred
    except RuntimeError:  # a user without a home folder
        pass
    spare = Path(tempfile.gettempdir()) / f"newdawn-cache-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    return spare if _private(spare) and _writable(spare) else None


def _private(folder: Path) -> bool:
    """Create the folder and say whether only this user can write there: its name can be guessed, and code is run from it."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return False
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and status.st_mode & 0o170022 == 0o040000)


def prune(root: Path, current: Path, kept: int = FOLDERS_KEPT) -> None:
    """Remove the compiled code of old versions: all but the `kept` folders used last, the current one among them.

    Only what has a name of ours and holds our mark is counted and removed.
    """
    folders = [
        path for path in root.iterdir() if path != current and VERSION_FOLDER.fullmatch(path.name) and ours.is_our_folder(path)
    ]
    folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in folders[max(kept - 1, 0) :]:
        ours.remove_folder(path)


def use_compile_cache() -> Path | None:
    """Point numba to the folder of this version.

    Returns the folder, or None where the user has chosen another one or switched compilation off.
    """
    if os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return None
    root = cache_root()
    if root is None:
        return None
    folder = root / f"{_digest(compiled_sources(), ROOT)}-{machine_digest()}"
    if not _writable(folder):
        return None
    with suppress(OSError):
        ours.mark_folder(folder)
    os.utime(folder)  # prune() keeps what was used last
    prune(root, folder)
    # The variable is for worker processes, the attribute for a numba that was imported before us.
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    import numba

    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    return folder


def keeps() -> bool:
    """Say whether there is a folder to keep compiled code in."""
    folder = os.environ.get("NUMBA_CACHE_DIR")
    return folder is not None and _writable(Path(folder))
