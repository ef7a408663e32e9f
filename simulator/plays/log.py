"""All plays of several files, read: what each file says, what is asked, and which plays are one game.

Start at `read_log`.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..errors import UserError, counted
from ..names import BY_TEAMS, DAY_FIRST, IN_PARTS, LEFT_OUT, MONTH_FIRST
from ..reading import plainly
from ..rules import Ruleset
from . import formats, page_log, played, sheets
from .asked import DATES, PERSONS, PROGRAMS, SHARED, Answers, Question
from .checking import Checker, Fault, Noted, Play, Reading, kind_of
from .opening import opened
from .spelling import Titles, folded, leaders, victory_cards
from .values import date_orders, dates_of, has_order

# --- All plays of several files
#
# Which reader each needs, what is known, what is at fault, what was left alone.

# The first that fits reads; a CSV file is what nothing else is.
READERS = (played.PLAYED, page_log.LOG, formats.BGS, formats.NEMESTATS, formats.BGA, formats.BGG, sheets.SHEET)
ENDINGS = (".bgsplay", ".csv", ".json", ".tsv", ".txt", ".xlsx", ".xml")  # of files that are read where a folder is given
SAME = "in the files twice"
csv.field_size_limit(1 << 20)


@dataclass
class Log:
    """What files of plays say.

    `left`: plays left alone, by why; `others`: the titles of other games; `read_as`: spellings taken for a name; `notes`: what
    else is to be known; `same`: plays that are in an earlier file, too (their places), by that file.
    """

    plays: list[Play] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    read_as: dict[str, str] = field(default_factory=dict)
    files: dict[str, tuple[str, int]] = field(default_factory=dict)  # file: its format, plays taken from it
    notes: list[str] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    same: list[tuple[str, str]] = field(default_factory=list)

    @property
    def questions(self) -> list[Question]:
        """What is not certain; as long as there is something, the plays are not all there."""
        return list(dict.fromkeys(question for reading in self.readings for question in reading.questions))


def read_log(
    files: Iterable[Path], data: Mapping[str, Any], box: str, game: str = "", answers: Answers | None = None,
    keep_both: bool = False,
) -> Log:  # fmt: skip
    """Read files, and the files of folders, with the names of a ruleset; `game` is a title or BoardGameGeek's number of one.

    `answers`: to what is not certain; `keep_both`: equal games of two files are two games. What is no log of plays is a fault
    beside other files; raise UserError if it is the only one, and for an answer on a column that no file has.
    """
    log, known, rules = Log(), (leaders(data), victory_cards(data)), Ruleset("", dict(data)).digest()
    paths, titles, answers = _files(files), Titles(game), answers or Answers()
    keys: set[str] = set()
    games = GamesRead(keep_both)
    for path in paths:
        reading = Reading(str(path), titles, known[0], answers)
        try:
            with plainly(path, "a log of plays"):
                source = opened(path, reading)
                log.readings.append(reading)
                if source is None:
                    continue
                reader = next((reader for reader in READERS if reader.fits(source)), None)
                if reader is None:
                    raise UserError(
                        f"{path}: no plays in a known format; expected the export of BG Stats (JSON), plays as BoardGameGeek "
                        "or NemeStats give them, a game of `newdawn play`, or a table as `newdawn plays new FILE` begins it",
                        file=str(path),
                    )
                reading.format = reader.name
                checker = Checker(str(path), reader.fields, box, rules, *known)
                noted = [_with_programs(one, reading) for one in reader.read(source, reading)]
                plays = list(_known(log, _dated(noted, reading), checker, reading, keys))
        except UserError as error:
            if len(paths) == 1:
                raise
            log.faults.append(Fault(str(path), "", "", str(error).removeprefix(f"{path}: ")))
            continue
        new = games.new(plays, str(path), log)
        log.plays += new
        log.files[str(path)] = (reader.name, len(new))
        log.notes += [f"{path}: {note}" for note in (source.note, *reading.notes) if note]
    answers.checked(heading for reading in log.readings for heading in reading.headings)
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


def _known(log: Log, noted: Iterable[Noted], checker: Checker, reading: Reading, keys: set[str]) -> Iterator[Play]:
    """Yield the plays of a file that can be known; add to the log what is at fault, and why others are left alone."""
    for one in noted:
        why = _why_left(one, checker)
        key = f"{reading.format}: {one.key}" if one.key else ""
        if why or key in keys - {""}:
            log.left[why or SAME] += 1
            continue
        keys.add(key)
        play, faults = checker.check(one)
        log.faults += faults
        if play is not None:
            sorted_out = _of_kind(play, log, reading)
            if sorted_out is not None:
                yield sorted_out


def _why_left(noted: Noted, checker: Checker) -> str:
    if not noted.left and noted.box and noted.box != checker.box:
        return f"of the other box (--box {noted.box})"
    if not noted.left and noted.rules and noted.rules != checker.rules:
        return "by other rules than those of this import (--rules)"
    if not noted.left and any(seat.strategy and not seat.leader.strip() and not any(seat.others) for seat in noted.seats):
        return "with a program at the table that has no leader"
    return noted.left


# --- Dates


def _dated(noted: list[Noted], reading: Reading) -> list[Noted]:
    """Return the plays with their days as YYYY-MM-DD; what is none stays as it is, for the checker to say so."""
    texts = [one.date for one in noted if one.date and not one.left]
    open_texts = [text for text in texts if has_order(text)]
    orders = date_orders(texts)
    order = reading.answers.dates or (next(iter(orders)) if len(orders) == 1 else "")
    if open_texts and not order:
        day = dates_of(open_texts[0])
        reading.ask(
            f"'{open_texts[0]}' may be two days", DATES, *((one, f"it is {day[one]}") for one in (DAY_FIRST, MONTH_FIRST))
        )
    elif open_texts:
        reading.notes.append(f"dates are read {order}: '{open_texts[0]}' as {dates_of(open_texts[0])[order]}")
    return [replace(one, date=dates_of(one.date).get(order or DAY_FIRST, one.date)) for one in noted]


# --- Programs at the table, teams, and wins that all share
#
# A seat that a program played is known by its player's name. Plays of teams, and those that all won together, are kinds
# of their own, which are not counted among the others.

PROGRAM_WORDS = {"automa", "automaton", "automated", "bot", "robot", "computer", "cpu", "dummy"}
MAYBE_PROGRAMS = {"ai", "ki", "ia"}  # are first names, too


def _with_programs(noted: Noted, reading: Reading) -> Noted:
    """Return the play with the seats marked that programs played."""
    answers = reading.answers
    programs, persons = (set(map(folded, names)) for names in (answers.programs, answers.persons))
    seats = []
    for seat in noted.seats:
        words = {folded("".join(char for char in word if not char.isdigit())) for word in seat.person.split()}
        name = folded(seat.person)
        if name in programs or (words & PROGRAM_WORDS and name not in persons):
            seat = replace(seat, strategy=seat.strategy or seat.person.strip(), person="")
        elif words & MAYBE_PROGRAMS and len(words - {""}) == 1 and name not in persons:
            program = ((seat.person, "a program; plays with it are counted apart"),)
            question = Question(
                reading.file, f"is '{seat.person}' a program?", PROGRAMS, program, ((PERSONS, seat.person, "a person"),)
            )
            reading.questions += [] if question in reading.questions else [question]
        seats.append(seat)
    return replace(noted, seats=tuple(seats))


def _of_kind(play: Play, log: Log, reading: Reading) -> Play | None:
    """Return the play with its kind; None for one that is left out, or asked about."""
    kinds = kind_of(play)
    if len(kinds) == 1:
        return replace(play, kind=kinds[0])
    single, other = kinds
    said = reading.answers.shared
    if said == LEFT_OUT:
        log.left["won by several (--shared-wins leave)"] += 1
        return None
    if not said and not any(question.option == SHARED for question in reading.questions):
        winners = sum(won > 0 for won in play.won)
        what = "all" if winners == len(play.won) else f"{winners} of {len(play.won)}"
        reading.ask(
            f"{play.source.removeprefix(f'{reading.file}, ')}: {what} won", SHARED,
            (BY_TEAMS, "as a team; such plays are counted apart"), (IN_PARTS, "as a tie, which counts in parts"),
            (LEFT_OUT, "leave such plays out"),
        )  # fmt: skip
    return replace(play, kind=single if said == IN_PARTS else other)


# --- One game in several files
#
# The key of a game is its day, and by seat leader, person and result. Equal keys in one file are two games. A game that an
# export knows by a number of its own, and of which it does not say the day, has no such key.


@dataclass
class GamesRead:
    """The games of the files read so far: how many of each key, and where the first was."""

    keep_both: bool
    number: Counter[Any] = field(default_factory=Counter)
    where: dict[Any, str] = field(default_factory=dict)
    without_people: dict[Any, str] = field(default_factory=dict)

    def new(self, plays: list[Play], file: str, log: Log) -> list[Play]:
        """Return the plays of a file that are in none before; the others are noted as the same."""
        mine: Counter[Any] = Counter()
        new = []
        alike = 0
        for play in plays:
            key = key_of(play)
            mine[key] += 1
            if key is not None and mine[key] <= self.number[key]:
                log.same.append((play.source, self.where[key]))
                if not self.keep_both:
                    log.left[SAME] += 1
                    continue
            elif key is not None and play.date and self.without_people.get(_less(key), file) != file:
                alike += 1
            new.append(play)
        for key, n in mine.items():
            if key is not None:
                self.number[key] = max(self.number[key], n)
                self.where.setdefault(key, file)
                self.without_people.setdefault(_less(key), file)
        if alike:
            log.notes.append(
                f"{file}: {counted(alike, 'play')} may be in an earlier file, too: day, leaders and result are the same, the "
                "people are named otherwise; give one of the files only, or name people alike"
            )
        return new


def key_of(play: Play) -> Any:
    """Return what two notes of one game have in common, None if a game cannot be known by it."""
    if play.key and not play.date:
        return None
    people = play.people or ("",) * len(play.leaders)
    return play.date, tuple(sorted(zip(play.leaders, map(folded, people), play.won, strict=True)))


def _less(key: Any) -> Any:
    return key[0], tuple((leader, won) for leader, _, won in key[1])
