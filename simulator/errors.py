"""The one kind of error a user can cause, and how messages are worded."""

from __future__ import annotations

import difflib
import re
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

# --- Words that messages and tables share
#
# Numbers with their nouns.


def counted(n: float, noun: str, plural: str = "") -> str:
    """Return '1 game', '1,200 games'; `plural`: of nouns that take more than an s."""
    return f"{n:,.0f} {noun if n == 1 else plural or noun + 's'}"


def listed(items: Iterable[Any], last: str = "and") -> str:
    """Return 'A', 'A and B' or 'A, B and C'; 'none' for no items. `last`: the word before the last item."""
    texts = [str(item) for item in items]
    return f" {last} ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts) or "none"


FIRST_SEAT = 1  # what people call the seat that the program and its tables call 0


def with_minus(number: str) -> str:
    """Return the text of a number as people read it: with a minus sign, where programs write a hyphen."""
    return number.replace("-", "−")


def with_sign(value: float, digits: int = 1) -> str:
    """Return a change with its sign, so rounded; none of a change that is rounded to nothing: '+1.2', '−0.3', '0.0'."""
    text = f"{value:+.{digits}f}"
    return text.lstrip("+-") if float(text) == 0 else with_minus(text)


def half(value: float) -> str:
    """Return a median of whole numbers, which may lie between two: '16', '16.5'."""
    return f"{value:,.1f}".removesuffix(".0")


# --- The one kind of error a user can cause, and how it is worded

# Every message ends alike: "…: expected one of A, B; did you mean 'B'?"
EXPECTED = re.compile(r"\bexpected (one of )?(.+?)(?=; | \(the |, got |$)")
NEAREST = re.compile(r"; did you mean '(.+?)'\?")
# Line ends, control characters, signs that change the direction of writing, halves of surrogate pairs.
UNPRINTED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
ENDLESS = re.compile(r"\S{500,}")  # no path is so long
QUOTED = re.compile(r"(?<!\w)'([^']{300,})'(?!\w)")  # nor a name
BEGIN, END = 1_000, 400  # characters of a long message that are shown: what is wrong, and what to do about it


def printable(text: str) -> str:
    """Return a text as one line whose control characters are escaped: it may quote somebody's file. Long values are cut."""
    text = as_named(ENDLESS.sub(lambda match: f"{match[0][:80]}…", text))
    text = QUOTED.sub(lambda match: f"'{match[1][:80]}…'", text)
    text = text if len(text) <= BEGIN + END else f"{text[:BEGIN]} … {text[-END:]}"
    return UNPRINTED.sub(lambda match: " " if match[0] in "\n\r\t" else ascii(match[0])[1:-1], text)


def as_named(text: str) -> str:
    """Return a text with the letters of file names that the locale of this process cannot read, if they are UTF-8."""
    try:
        return text.encode("utf-8", "surrogateescape").decode()
    except UnicodeError:
        return text


class UserError(Exception):
    """Something the user gave is wrong. The message says what, where, what was expected and the nearest valid name.

    The command line prints it as one line and exits with code 2, without a traceback.
    """

    def __init__(self, message: str, *, file: str = "", field: str = "") -> None:
        """`file` and `field` (a path in it, or an option): what the message is about, where that is known."""
        super().__init__(printable(message))
        self.file, self.field = file, field


class DamagedTable(UserError):
    """A table of a run is missing, or not as it was written; the run's other tables can still be read."""


def facts(message: str, file: str = "", field: str = "") -> dict[str, Any]:
    """Return what an error says, for programs: `error`, and file, field, expected and nearest where they are known."""
    expected, close = EXPECTED.search(message), NEAREST.search(message)
    parts: dict[str, Any] = {"error": message, "file": file, "field": field}
    if expected:
        parts["expected"] = expected[2].split(", ") if expected[1] else expected[2]
    if close:
        parts["nearest"] = close[1]
    return {key: value for key, value in parts.items() if value}


def install(*packages: str) -> str:
    """Return the command that installs packages for the Python of this process; these extras are on no index."""
    return shlex.join([sys.executable, "-m", "pip", "install", *packages])


def nearest(word: str, names: Iterable[str], cutoff: float = 0.5) -> str:
    """Return ``"; did you mean 'X'?"`` for the name closest to `word`, or an empty string if none is close."""
    names = [str(name) for name in names]
    by_lower = {name.lower(): name for name in names}
    close = difflib.get_close_matches(str(word).lower(), list(by_lower), n=1, cutoff=cutoff)
    return f"; did you mean '{by_lower[close[0]]}'?" if close else ""


def nearest_file(path: Path, endings: Iterable[str]) -> str:
    """Return `nearest` for a missing file, among the files beside it with these endings."""
    if path.exists() or not path.parent.is_dir():
        return ""
    return nearest(path.name, [other.name for other in path.parent.iterdir() if other.suffix.lower() in endings])


def named(what: str, word: str, names: Iterable[str], where: str = "") -> str:
    """Return the name that a word means, whatever its capitals, blanks and signs; raise the error `unknown` if it is none."""
    names = [str(name) for name in names]
    name = meant(word, names)
    if name is None:
        raise unknown(what, word, names, where)
    return name


def meant(word: str, names: Iterable[str]) -> str | None:
    """Return the name that a word means, whatever its capitals, blanks and signs, or None."""
    return next((name for name in names if _letters(name) == _letters(word)), None)


def _letters(word: str) -> str:
    return "".join(letter for letter in word.lower() if letter.isalnum())


def unknown(what: str, word: str, names: Iterable[str], where: str = "") -> UserError:
    """Return the error for a `word` that is not among the valid `names` of `what`; `where`: the file or option it stands in."""
    names = [str(name) for name in names]
    prefix = f"{where}: " if where else ""
    about = {"field" if where.startswith("--") else "file": where}
    return UserError(f"{prefix}unknown {what} '{word}': expected one of {', '.join(names)}{nearest(word, names)}", **about)
