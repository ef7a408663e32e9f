"""The one kind of error a user can cause, and how it is worded."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """Something the user gave is wrong. The message says what, where, what was expected and the nearest valid name.

    The command line prints it as one line and exits with code 2, without a traceback.
    """


class DamagedTable(UserError):
    """A table of a run is missing, or not as it was written. What else there is can still be told."""


def nearest(word: str, names: Iterable[str]) -> str:
    """Return ``"; did you mean 'X'?"`` for the name closest to `word`, or an empty string if none is close."""
    names = [str(name) for name in names]
    by_lower = {name.lower(): name for name in names}
    found = difflib.get_close_matches(str(word).lower(), list(by_lower), n=1, cutoff=0.5)
    return f"; did you mean '{by_lower[found[0]]}'?" if found else ""


def unknown(what: str, word: str, names: Iterable[str], where: str = "") -> UserError:
    """Return the error for a `word` that is not among the valid `names` of `what`; `where` is the file it stands in."""
    names = [str(name) for name in names]
    listing = ", ".join(names)
    place = f"{where}: " if where else ""
    return UserError(f"{place}unknown {what} '{word}': expected one of {listing}{nearest(word, names)}")
