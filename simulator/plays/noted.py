"""What a log of plays says, as it is written there: texts, empty where nothing is noted. What they mean is checked later."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .spelling import Titles


@dataclass(frozen=True)
class NotedSeat:
    """A seat of a play."""

    where: str  # the place in the file: "row 3", "play 2, player 1"
    leader: str  # the first of the texts that may say it
    won: str
    person: str = ""
    order: str = ""  # the place in the turn order, from 1
    place: str = ""  # the place at the table, clockwise
    first: str = ""  # whether it was the first player
    claimed: str = ""  # victory cards claimed
    strategy: str = ""  # which one played the seat; empty: a person
    others: tuple[str, ...] = ()  # further texts that may say the leader


@dataclass(frozen=True)
class Noted:
    """A play."""

    where: str
    seats: tuple[NotedSeat, ...] = ()
    key: str = ""  # by which the program that made the log knows the play
    date: str = ""
    rounds: str = ""
    minutes: str = ""
    cards: str = ""  # victory cards in play
    box: str = ""  # what was played, a word of names.BOXES, where the log says it
    rules: str = ""  # the digest of the rules that were played, where the log says it
    left: str = ""  # why it is no play to read: "of other games"
    faults: tuple[tuple[str, str], ...] = ()  # fields, and what is wrong with them, that only the reader can see
    comment: str = ""  # on the whole play, which may name people and their leaders


@dataclass(frozen=True)
class Fault:
    """Something in a log that is not as expected: one line."""

    file: str
    where: str
    field: str
    problem: str

    def __str__(self) -> str:
        return " ".join(": ".join(part for part in (self.file, self.where, self.field, self.problem) if part).split())


@dataclass(frozen=True)
class Source:
    """A file: its text, and what it is as JSON or XML, if it is."""

    path: Path
    text: str
    data: Any = None
    root: Any = None
    note: str = ""  # what is to be known of how it was read


@dataclass(frozen=True)
class Reader:
    """A format of logs. `fields`: what it calls leader, won, person, order, claimed, rounds, minutes, cards, date."""

    name: str
    fits: Callable[[Source], bool]
    read: Callable[[Source, Titles], Iterator[Noted]]
    fields: Mapping[str, str]


def is_anonymous(name: str) -> bool:
    """Say whether a name is what BoardGameGeek and BG Stats write for nobody known."""
    return name.strip().lower() in ("anonymous player", "anonymous")
