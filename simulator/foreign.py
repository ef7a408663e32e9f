"""Modules of users: found where the command is given, known by a digest of their file, imported when they are to play."""

from __future__ import annotations

import hashlib
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .errors import UserError, nearest


def see_working_folder() -> None:
    """A user's module lies where the command is given, as for `python -m`."""
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))


def digest_of(module: str) -> str:
    """Return the digest of the file of a user's module; "" if there is none."""
    see_working_folder()
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None or not Path(spec.origin).is_file():
        return ""
    return hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()[:16]


def in_a_line(error: Exception) -> str:
    """Return the kind of an error and the first two lines it says: numba's are long."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join([f"{type(error).__name__}:", *lines[:2]])


def imported(what: str, place: str) -> Any:
    """Return the function at `place` (module:name), its module imported now; `what` is to blame in errors."""
    module_name, _, attribute = place.partition(":")
    see_working_folder()
    try:
        module = import_module(module_name)
    except Exception as error:  # whatever a user's module does when it is imported
        raise UserError(f"{what}: {module_name} cannot be imported: {in_a_line(error)}") from None
    function = getattr(module, attribute, None)
    if function is None:
        raise UserError(f"{what}: {module_name} has no {attribute}{nearest(attribute, vars(module))}")
    return function
