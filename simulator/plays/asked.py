"""What a log leaves open: questions, each with the option that answers it, and the answers.

Start at `Answers`. On a terminal `newdawn plays import` asks, elsewhere it names the option. The answers are kept beside the
plays, so that the next import need not ask again.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any

from .. import kept_files
from ..errors import UserError, nearest, unknown
from ..names import DATE_ORDERS, SHARED_WINS
from ..reading import plainly
from .headings import ROLES
from .spelling import folded

COLUMNS, DATES, SHARED, PROGRAMS, PERSONS, SHEET = (
    "--columns", "--dates", "--shared-wins", "--programs", "--persons", "--sheet"
)  # fmt: skip
TURNED = "turned"  # of columns: rows and columns are swapped
FILE = "answers.json"


@dataclass(frozen=True)
class Question:
    """Something that a log leaves open. `choices`: values of the option with what each says, the likeliest first."""

    file: str
    about: str  # what is not certain, a sentence
    option: str
    choices: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str, str], ...] = ()  # further answers: another option, its value, what it says

    @property
    def ways(self) -> list[tuple[str, str, str]]:
        """Return all answers: option, value, what it says."""
        return [*((self.option, value, meaning) for value, meaning in self.choices), *self.others]

    def __str__(self) -> str:
        ways = "; ".join(f"{option} {_quoted(value)}: {meaning}" for option, value, meaning in self.ways)
        return f"{self.file}: {self.about} ({ways})"


@dataclass(frozen=True)
class ColumnRole:
    """What a column is: a role, and for `won` the value that says it (a rank, "highest", "lowest")."""

    role: str
    how: str = ""


@dataclass
class Answers:
    """Answers to questions, as the options give them."""

    columns: list[tuple[str, str]] = field(default_factory=list)  # role, heading (with ":how")
    dates: str = ""
    shared: str = ""
    programs: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()
    sheet: str = ""
    before: frozenset[tuple[str, str]] = frozenset()  # of `columns`, from an import before: may be of other files
    used: set[tuple[str, str]] = field(default_factory=set)

    @property
    def turned(self) -> bool:
        """Say whether rows and columns are swapped."""
        return (TURNED, "") in self.columns

    def of(self, heading: str, headings: Sequence[str]) -> list[ColumnRole]:
        """Return what a column was said to be."""
        found = []
        for role, text in self.columns:
            whole, _, how = (text, "", "") if folded(text) in map(folded, headings) else text.rpartition(":")
            if role != TURNED and folded(whole) == folded(heading):
                found.append(ColumnRole(role, how.strip()))
                self.used.add((role, text))
        return found

    def checked(self, headings: Iterable[str]) -> None:
        """Raise UserError for the answer on a column that no file has."""
        headings = list(dict.fromkeys(headings))
        for role, text in self.columns:
            if role != TURNED and (role, text) not in self.used | self.before:
                there = f"; expected one of {', '.join(headings)}" if headings else ""
                raise UserError(f"{COLUMNS}: no column '{text}'{there}{nearest(text, headings)}", field=COLUMNS)

    def with_choice(self, option: str, value: str) -> Answers:
        """Return the answers with another one."""
        if option == COLUMNS:
            return replace(self, columns=[*columns_of([value]), *self.columns])
        if option == PROGRAMS:
            return replace(self, programs=(*self.programs, value))
        if option == PERSONS:
            return replace(self, persons=(*self.persons, value))
        if option == DATES:
            return replace(self, dates=value)
        return replace(self, sheet=value) if option == SHEET else replace(self, shared=value)

    def over(self, old: Answers) -> Answers:
        """Return these answers, and where they say nothing those of an import before."""
        said = {folded(text) for _, text in self.columns}
        kept = [one for one in old.columns if folded(one[1]) not in said]
        return Answers(
            [*self.columns, *kept], self.dates or old.dates, self.shared or old.shared, self.programs or old.programs,
            self.persons or old.persons, self.sheet or old.sheet, frozenset(kept),
        )  # fmt: skip

    def __bool__(self) -> bool:
        return any((self.columns, self.dates, self.shared, self.programs, self.persons, self.sheet))


def columns_of(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Return the roles and headings of texts like "won=rank:1,person=Player"; raise UserError for what is none.

    A heading with a comma stands in quotation marks.
    """
    found = []
    for text in texts:
        for part in next(csv.reader(StringIO(text), skipinitialspace=True), []):
            role, sign, heading = (one.strip() for one in part.partition("="))
            if folded(role) == TURNED and not sign:
                found.append((TURNED, ""))
                continue
            name = next((one for one in ROLES if folded(one) == folded(role)), "")
            if sign and not name:
                raise unknown(f"{COLUMNS}: column", role, ROLES)
            if not sign or not heading:
                raise UserError(
                    f"{COLUMNS}: '{part}': expected what a column is and its heading, such as won=Place:1 or ignore=Banned",
                    field=COLUMNS,
                )
            found.append((name, heading))
    return found


def line_of(questions: Iterable[Question]) -> str:
    """Return the options that answer the questions by their likeliest choices."""
    by_option: dict[str, list[str]] = {}
    for question in questions:
        values = by_option.setdefault(question.option, [])
        value = question.choices[0][0]
        if value not in values:
            values.append(value)
    return " ".join(f"{option} {_quoted(','.join(values))}" for option, values in by_option.items())


def _quoted(text: str) -> str:
    """Return a word of a command line that every shell reads as it is."""
    return text if all(char.isalnum() or char in "=,:._-" for char in text) else f'"{text}"'


def entry_of(role: str, heading: str, how: str = "") -> str:
    """Return the value of --columns that says what a column is."""
    text = f"{role}={heading}{f':{how}' if how else ''}"
    return f"'{text}'" if "," in text else text


def write(out: Path, answers: Answers) -> None:
    """Keep the answers beside the plays; none need no file."""
    if answers:
        facts: dict[str, Any] = {
            "columns": [list(one) for one in answers.columns], "dates": answers.dates, "shared_wins": answers.shared,
            "programs": list(answers.programs), "persons": list(answers.persons), "sheet": answers.sheet,
        }  # fmt: skip
        kept_files.write(out / FILE, facts)


def read(out: Path) -> Answers:
    """Return the answers kept beside plays, none if there are none; raise UserError for a damaged file."""
    if not (out / FILE).is_file():
        return Answers()
    file, what = out / FILE, "answers on logs of plays"
    again = "remove it, and `newdawn plays import` asks again"
    data = kept_files.read(file, what, again)
    with plainly(file, what, again=again):
        answers = Answers(
            [(str(role), str(heading)) for role, heading in data["columns"]], str(data["dates"]), str(data["shared_wins"]),
            tuple(map(str, data["programs"])), tuple(map(str, data["persons"])), str(data["sheet"]),
        )  # fmt: skip
        if answers.dates not in ("", *DATE_ORDERS) or answers.shared not in ("", *SHARED_WINS):
            raise ValueError("dates, shared_wins: not valid")
        return answers
