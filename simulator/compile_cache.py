"""Where the compiled engine is kept between runs.

A function has to be compiled anew when one that it calls has changed. So the folder is named by a digest of every source
file that ends up in compiled code, and of the versions and the platform: any change means another folder and a fresh
compilation. Its files carry the same digest (engine/compile/code_files.py).

Code is compiled for any processor of the platform (`any_processor`), which makes it no slower (docs/evidence/speed.md): so a
folder serves all machines of a cluster, and the functions that a wheel brings (engine/compile/code_files.py, PACKED) all users.

`use_compile_cache` has to run before any engine function is declared; `simulator.engine` calls it first thing. A user may
choose another folder: NUMBA_CACHE_DIR.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import re
import sys
import sysconfig
import tempfile
import time
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from . import file_ownership

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "NUMBA_CACHE_DIR"
FOLDERS_KEPT = 3
CHECKED = "NEWDAWN_CHECKED"  # 1 (also set by NUMBA_BOUNDSCHECK=1): our functions check every index (engine/compile/jit.py)
# Instruction set of nearly all x86 processors since 2013 (level 3, by LLVM's name): without it games take a tenth longer.
LEVEL, LEVEL_HAS = "x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
NOT_COMPILED_IN = (FOLDER, "NUMBA_NUM_THREADS", "NUMBA_THREADING_LAYER")  # settings of numba's that do not change compiled code
HOUR, MONTH = 3600.0, 30 * 24 * 3600.0  # seconds
VERSION_FOLDER = re.compile("[0-9a-f]{16}-([0-9a-f]{16})")  # of the sources, of the machine

# What jitted code is made of: the functions, and the modules whose constants are frozen into them.
SOURCES = (
    "simulator/engine/**/*.py",
    "simulator/runs/kernel.py",
    "simulator/runs/optional_tables.py",
    "simulator/runs/columns.py",
    "simulator/rules/record.py",
    "simulator/rules/codes.py",
    "simulator/rules/card_parts.py",
    "simulator/names.py",
    "simulator/counters.py",
    "strategies/**/*.py",
    "simulator/environments/observe.py",
)
NOT_DECIDING = "simulator/environments/"  # compiled, but no game depends on it
NOT_COMPILED = frozenset({
    "simulator/engine/compile/ahead.py", "simulator/engine/compile/user_functions.py",
    "simulator/engine/compile/webassembly.py", "simulator/engine/compile/worker.py",
    "strategies/network_files.py", "strategies/profiles.py", "strategies/registry.py",
})  # fmt: skip
# These decide about games, too, and may change without a new compilation.
READ_LATER = (
    "strategies/profiles.py", "strategies/profiles/*.yaml", "strategies/learned/networks/*.npz",
    "strategies/learned/policies/*.npz",
    "simulator/engine/compile/user_functions.py", "simulator/user_modules.py",
)  # fmt: skip

# Versions of the program, by `source_digest`, that play the same games though their sources differ (modules moved, comments),
# one line a set: shown by `python -m newdawn.scripts.checks.alike` before and after. docs/running.md says what follows.
ALIKE: tuple[frozenset[str], ...] = (
    frozenset({"65b9607b4c73ae6c", "9c9a61c2e5c71787", "4f2da09f2b1b6ab5"}),
    frozenset({"0aa733a2c7a2998f", "c32d0d5b7a66ee9f"}),
    frozenset({"061ed5da60526dee", "0c03d05bf20fe6cf"}),
)


def compiled_sources(root: Path = ROOT) -> list[Path]:
    """Return the source files that enter compiled code, in a fixed order."""
    files = {path for pattern in SOURCES for path in root.glob(pattern)}
    return sorted(path for path in files if path.relative_to(root).as_posix() not in NOT_COMPILED)


def deciding_sources(root: Path = ROOT) -> list[Path]:
    """Return the files of the program that decide how games go, rules data aside, in a fixed order."""
    compiled = {path for path in compiled_sources(root) if not path.relative_to(root).as_posix().startswith(NOT_DECIDING)}
    return sorted({*compiled, *(path for pattern in READ_LATER for path in root.glob(pattern))})


def source_digest(root: Path | None = None) -> str:
    """Return the digest of `deciding_sources`, by default of this program's: the engine's version in a run's manifest."""
    return _own_sources() if root is None else _digest(deciding_sources(root), root)


@cache
def _own_sources() -> str:
    return _digest(deciding_sources(), ROOT)


def same_games(engine: Any) -> bool:
    """Say whether a version of the program, by its digest, plays the games that this one plays."""
    now = source_digest()
    return bool(engine == now) or any({engine, now} <= alike for alike in ALIKE if isinstance(engine, str))


def _digest(files: list[Path], root: Path) -> str:
    digest = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


@cache
def any_processor() -> dict[str, str]:
    """Return numba's settings for code that runs on any processor of this platform; of x86, on those of this one's level."""
    import llvmlite.binding as llvm

    has = llvm.get_host_cpu_features()
    name = LEVEL if all(has.get(feature) for feature in LEVEL_HAS) else "generic"
    return {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""}


def machine_digest() -> str:
    """Return the digest of platform, versions, numba's settings and `CHECKED`, and of the processor if code is for one only.

    Of Python and NumPy it includes the parts of the version that compiled code depends on: bytecode and extension modules, and
    the release that numba requires.
    """
    import llvmlite.binding as llvm

    python = [importlib.util.MAGIC_NUMBER.hex(), str(sysconfig.get_config_var("EXT_SUFFIX")), sys.platform, platform.machine()]
    versions = [f"{name} {metadata.version(name)}" for name in ("numba", "llvmlite")]
    numpy = ".".join(metadata.version("numpy").split(".")[:2])
    wanted = [key for key in sorted(os.environ) if key.startswith(("NUMBA_", CHECKED)) and key not in NOT_COMPILED_IN]
    settings = [f"{key}={os.environ[key]}" for key in wanted]
    for_any = any_processor().items() <= os.environ.items()
    processor = [] if for_any else [llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    return hashlib.sha256("\n".join([*python, *versions, numpy, *settings, *processor]).encode()).hexdigest()[:16]


@cache
def version() -> str:
    """Return the name of this version's folder: the digests of the sources and of the machine."""
    return f"{_digest(compiled_sources(), ROOT)}-{machine_digest()}"


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
    """Create the folder and say whether only this user can write there: others can guess its name, and code is run from it."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return False
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and status.st_mode & 0o170022 == 0o040000)


def prune(root: Path, current: Path, kept: int = FOLDERS_KEPT) -> None:
    """Remove the compiled code of old versions.

    Of this machine's folders stay the `kept` used last, the current one among them, and those used in the last hour; of other
    machines' with the same home those used in the last month. Only folders with our name and our mark are touched.
    """
    age = {
        path: time.time() - path.stat().st_mtime
        for path in root.iterdir()
        if path != current and VERSION_FOLDER.fullmatch(path.name) and file_ownership.is_our_folder(path)
    }
    here = sorted((path for path in age if path.name[-16:] == current.name[-16:]), key=lambda path: age[path])
    old = {path for path in here[max(kept - 1, 0) :] if age[path] > HOUR}
    for path in old | {path for path in age if age[path] > MONTH}:
        file_ownership.remove_folder(path)


def use_compile_cache() -> Path | None:
    """Point numba to the folder of this version and return it; None if the user chose another one or does not compile.

    Code is compiled for any processor of this platform, unless the user names one.
    """
    if not any_processor().keys() & os.environ.keys():  # else the user has named one
        os.environ.update(any_processor())
    if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0"):
        os.environ[CHECKED] = "1"  # errors that numba's checks alone raise get lost between functions of this program
    if os.environ.get(FOLDER) or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return None
    root = cache_root()
    if root is None:
        return None
    folder = root / version()
    try:
        make(folder)
    except OSError:
        return None
    with suppress(OSError):
        prune(root, folder)
    os.environ[FOLDER] = str(folder)  # for worker processes, too
    return folder


def make(folder: Path) -> None:
    """Make the folder; one with a version's name is marked, so that `prune` may remove it. May raise OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    if VERSION_FOLDER.fullmatch(folder.name) and not file_ownership.is_our_folder(folder):
        file_ownership.mark_folder(folder)


def folder() -> Path | None:
    """Return the folder that keeps compiled code, and note that it is in use; None if there is none."""
    chosen = os.environ.get(FOLDER)
    if not chosen:
        return None
    with suppress(OSError):
        os.utime(chosen)  # prune() keeps what was used last
    return Path(chosen)
