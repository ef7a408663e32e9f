"""Modules of users, by name or as a file (path/to/bot.py), for this process and those that it starts.

They are looked for where the command is given, identified by a digest of their file, and imported when they are to play. A
file there with the name of a module of Python's or of a package never takes its place.
"""

from __future__ import annotations

import hashlib
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from .errors import UserError, nearest, printable

FILE = ".py"
SAFE = "PYTHONSAFEPATH"  # set, Python does not look into the working folder first
TOLD = "NEWDAWN_TOLD_OF_PROGRAMS"


def see_working_folder() -> None:
    """Find a user's module where the command is given, after all that is installed."""
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))


def environment() -> dict[str, str]:
    """Return the environment of a Python process that finds the modules that this one finds, in the same order."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), SAFE: "1"}


@contextmanager
def safe_start() -> Iterator[None]:
    """Keep Python processes that other libraries start meanwhile from looking into the working folder first."""
    before = os.environ.get(SAFE)
    os.environ[SAFE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE]
        else:
            os.environ[SAFE] = before


def parts(place: str) -> tuple[str, str]:
    """Return the module and the function that `module:function` or `path/to/bot.py:function` names."""
    module, _, function = place.rpartition(":") if ":" in place else (place, "", "")
    return module, function


def file_of(module: str) -> Path | None:
    """Return the file of a user's module, None if there is none."""
    if module.endswith(FILE):
        return Path(module) if Path(module).is_file() else None
    see_working_folder()
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        spec = None
    return Path(spec.origin) if spec is not None and spec.origin is not None and Path(spec.origin).is_file() else None


def digest_of(module: str) -> str:
    """Return the digest of the file of a user's module; "" if there is none."""
    path = file_of(module)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path else ""


def in_a_line(error: Exception) -> str:
    """Return the kind of an error and the first two lines of its message: numba's are long."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join([f"{type(error).__name__}:", *lines[:2]])


def imported(what: str, place: str) -> Any:
    """Return the function at `place` (module:name), its module imported now; errors begin with `what`."""
    module_name, attribute = parts(place)
    see_working_folder()
    try:
        module = _of_file(module_name) if module_name.endswith(FILE) else import_module(module_name)
    except Exception as error:  # whatever a user's module does when it is imported
        raise UserError(f"{what}: {module_name} cannot be imported: {in_a_line(error)}") from None
    function = getattr(module, attribute, None)
    if function is None:
        beside = Path(f"{module_name}{FILE}")
        if beside.is_file() and not beside.samefile(getattr(module, "__file__", None) or sys.executable):
            raise UserError(f"{what}: {module_name} is an installed module; for the file here write {beside}:{attribute}")
        raise UserError(f"{what}: {module_name} has no {attribute}{nearest(attribute, vars(module))}")
    return function


def _of_file(name: str) -> Any:
    """Return the module in a file, imported once for each content of it; it finds modules that lie beside it."""
    path = Path(name).resolve()
    unique = f"{path.stem}_{digest_of(name)}"  # an installed module may have its name
    if unique not in sys.modules:
        spec = spec_from_file_location(unique, path)
        assert spec is not None
        assert spec.loader is not None
        if str(path.parent) not in sys.path:
            sys.path.append(str(path.parent))
        module = sys.modules[unique] = module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[unique]
            raise
    return sys.modules[unique]


def tell(file: Any, functions: Iterable[str]) -> None:
    """Print, once a command, that a file names a program, if some of its functions are not of this package."""
    named = [place for place in functions if not place.startswith("newdawn.")]
    if named and not os.environ.get(TOLD):
        os.environ[TOLD] = "1"  # for the processes that this one starts, too
        print(f"note: {program(str(file), named[0])}", file=sys.stderr)


def program(file: str, place: str) -> str:
    """Return the warning that a file (without its name: the rules) calls a function of somebody's."""
    where = f"{file} names" if file else "these rules name"
    return printable(f"{where} {place}: a program, which may do on this machine what you may; use it if you trust who wrote it")


def line_of(error: BaseException) -> str:
    """Return where in a user's file an error was raised, as " (mybot.py, line 7)"; "" if it was in none."""
    others = {Path(__file__).parent.parent, Path(traceback.__file__).parent}
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_file() and others.isdisjoint(path.parents) and "site-packages" not in path.parts:
            return f" ({path.name}, line {frame.lineno})"
    return ""
