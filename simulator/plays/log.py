"""All plays of several files, read."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..errors import UserError
from ..reading import OBEYED, content_of, json_of, plainly, xml_of
from ..rules import Ruleset
from . import formats, page_log, played, sheets
from .checking import Checker, Fault, LogFile, Noted, Play, Titles, leaders, victory_cards

# --- All plays of several files
#
# Which reader each needs, what is known, what is at fault, what was left alone.

# The first that fits reads; a CSV file is what nothing else is.
READERS = (played.PLAYED, page_log.LOG, formats.BGS, formats.BGG, sheets.SHEET)
ENDINGS = (".csv", ".json", ".tsv", ".txt", ".xml")  # of files that are read where a folder is given
LARGEST = 1 << 28  # bytes: nobody has so many plays
WINDOWS_TEXT = re.compile(r"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]*")
csv.field_size_limit(1 << 20)


@dataclass
class Log:
    """What files of plays say.

    `left`: plays left alone, by why; `others`: the titles of other games; `read_as`: spellings taken for a name; `notes`: what
    else is to be known.
    """

    plays: list[Play] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    read_as: dict[str, str] = field(default_factory=dict)
    files: dict[str, tuple[str, int]] = field(default_factory=dict)  # file: its format, plays taken from it
    notes: list[str] = field(default_factory=list)


def read_log(files: Iterable[Path], data: Mapping[str, Any], box: str, game: str = "") -> Log:
    """Read files, and the files of folders, with the names of a ruleset; `game` is a title or BoardGameGeek's number of one.

    What is no log of plays is a fault beside other files; raise UserError if it is the only one.
    """
    log, known, rules = Log(), (leaders(data), victory_cards(data)), Ruleset("", dict(data)).digest()
    paths, titles = _files(files), Titles(game)
    keys: set[str] = set()
    for path in paths:
        try:
            before = len(log.plays)
            with plainly(path, "a log of plays"):
                source = _open(path)
                reader = next(reader for reader in READERS if reader.fits(source))
                checker = Checker(str(path), reader.fields, box, rules, *known)
                for noted in reader.read(source, titles):
                    _take(log, noted, checker, keys)
        except UserError as error:
            if len(paths) == 1:
                raise
            log.faults.append(Fault(str(path), "", "", str(error).removeprefix(f"{path}: ")))
            continue
        log.files[str(path)] = (reader.name, len(log.plays) - before)
        log.notes += [f"{path}: {source.note}"] if source.note else []
    log.others = titles.others
    _forget_doubles(log)
    for spellings in known:
        log.read_as |= spellings.seen
    return log


def _forget_doubles(log: Log) -> None:
    """Let a name that sits twice at one table ("Guest") be nobody's; a note says so."""
    twice = {name for play in log.plays for name, n in Counter(play.people).items() if name and n > 1}
    if twice:
        log.plays = [replace(play, people=tuple("" if one in twice else one for one in play.people)) for play in log.plays]
        log.notes.append(f"nobody is known by a name that sits twice at one table: {', '.join(sorted(twice))}")


def _files(paths: Iterable[Path]) -> list[Path]:
    """Return the files, with those of a folder in its place; raise UserError for a folder without any."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(file for file in path.iterdir() if file.suffix.lower() in ENDINGS) if path.is_dir() else [path]
        if not inside:
            raise UserError(f"{path}: holds no logs of plays; expected files that end in {', '.join(ENDINGS)}", file=str(path))
        found += inside
    return found


def _take(log: Log, noted: Noted, checker: Checker, keys: set[str]) -> None:
    """Add a play to the log, or its faults, or why it is left alone."""
    why = _why_left(noted, checker)
    if why:
        log.left[why] += 1
        return
    if noted.key and noted.key in keys:
        log.left["in the files twice"] += 1
        return
    keys.add(noted.key)
    play, faults = checker.check(noted)
    log.faults += faults
    if play is not None:
        log.plays.append(play)


def _why_left(noted: Noted, checker: Checker) -> str:
    if not noted.left and noted.box and noted.box != checker.box:
        return f"of the other box (--box {noted.box})"
    if not noted.left and noted.rules and noted.rules != checker.rules:
        return "by other rules than those of this import (--rules)"
    return noted.left


def _open(path: Path) -> LogFile:
    """Read a file; raise UserError if it is none of text."""
    content = content_of(path, LARGEST, "a log of plays")
    with plainly(path, "CSV, JSON or XML; in Excel, save it as 'CSV UTF-8'"):
        text, note = _decoded(content)
    start = text.lstrip()[:1]
    source = LogFile(path, text, note=note)
    if start in ("{", "["):
        source = LogFile(path, text, data=json_of(text, path))
    elif start == "<":
        source = LogFile(path, text, root=xml_of(formats.joined(text), path))
    elif found := OBEYED.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise UserError(
            f"{path}: row {line}: holds the character {found[0]!a}; expected text: CSV, JSON or XML", file=str(path)
        )
    if not any(reader.fits(source) for reader in READERS):
        raise UserError(
            f"{path}: no plays in a known format; expected the export of BG Stats (JSON), plays as BoardGameGeek gives them "
            "(XML or JSON), a game that `newdawn play` kept, or CSV as `newdawn plays new FILE` begins it", file=str(path),
        )  # fmt: skip
    return source


def _decoded(content: bytes) -> tuple[str, str]:
    """Return the text of a file, and what is to be known of it: a CSV file may be in the letters of Excel's for Windows."""
    try:
        return content.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
        if text.lstrip()[:1] in ("{", "[", "<") or not WINDOWS_TEXT.fullmatch(text):
            raise
    return text, "read as Windows-1252, as Excel saves CSV; if letters are wrong, save it as 'CSV UTF-8'"
