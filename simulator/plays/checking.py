"""From what was noted, in any spelling near enough, to a play that is known, with every fault named. Nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .. import names
from ..errors import counted
from .asked import Answers, Question
from .spelling import Spellings, Titles, cited
from .values import dates_of, minutes_of, pair_of

# --- What a log of plays says, as it is written there
#
# Texts, empty where nothing is noted. What they mean is checked later.


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
    strategy: str = ""  # which one played the seat, or which program; empty: a person
    team: str = ""
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
    teams: bool = False  # whether the log says that teams played


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
class LogFile:
    """A file: its text, or the rows of its sheet, and what it is as JSON or XML, if it is."""

    path: Path
    text: str = ""
    data: Any = None
    root: Any = None
    rows: list[tuple[int, list[str]]] | None = None
    note: str = ""  # what is to be known of how it was read


@dataclass
class Reading:
    """How one file is read: the names to read it by, and what was found, to be shown before anything is kept.

    `columns`: headings with what they were read as; `questions`: what is not certain.
    """

    file: str
    games: Titles
    leaders: Spellings
    answers: Answers = field(default_factory=Answers)
    format: str = ""
    shape: str = ""
    headings: list[str] = field(default_factory=list)
    columns: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def ask(self, about: str, option: str, *choices: tuple[str, str]) -> None:
        """Note something that is not certain, with the values of the option that answers it."""
        self.questions.append(Question(self.file, about, option, choices))

    def is_leader(self, text: str) -> bool:
        """Say whether a text means a leader."""
        return self.leaders.meant(text) is not None


@dataclass(frozen=True)
class Reader:
    """A format of logs. `fields`: what it calls leader, won, person, order, claimed, rounds, minutes, cards, date."""

    name: str
    fits: Callable[[LogFile], bool]
    read: Callable[[LogFile, Reading], Iterator[Noted]]
    fields: Mapping[str, str]


# --- From what was noted to a play that is known, with every fault named
#
# Nothing is guessed.
#
# A play needs two seats or more, a leader for each, and a winner. What else is noted wrongly (turn order, rounds, cards) is a
# fault, too; whoever wants to go on without it loses that fact, and not the play.

YES = (
    "yes", "y", "true", "1", "1.0", "x", "win", "won", "winner", "ja", "j", "gewonnen", "sieg", "oui", "o", "gagné", "victoire",
    "si", "sí", "✓", "wahr", "vrai",
)  # fmt: skip
NO = (
    "no", "n", "false", "0", "0.0", "", "-", "loss", "lost", "nein", "verloren", "non", "perdu", "défaite", "falsch", "faux",
)  # fmt: skip
SPLIT = re.compile(r"[,;\n\uFF0F\uFF0C\uFF1B\u3001|•·+]")  # between victory cards; a card's own name has a slash
SAID = re.compile(r"[,;.\n\uFF0F\uFF0C\uFF1B\u3001|•·]|\s[/&+]\s")  # between what a comment says of one person and the next
MOST = 32_000  # rounds or minutes: what a column holds


@dataclass(frozen=True)
class Play:
    """A play that is known. What was not noted is None, or empty; seats stand as they were noted."""

    source: str  # file and place
    leaders: tuple[str, ...]
    won: tuple[float, ...]  # shares of the win
    order: tuple[int, ...] | None = None  # places in the turn order, from 1
    first: int | None = None  # the seat that began
    people: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()  # by seat, "" for a person
    claimed: tuple[int, ...] | None = None
    rounds: int | None = None
    minutes: int | None = None
    cards: tuple[str, ...] = ()
    date: str = ""
    key: str = ""
    teams: tuple[str, ...] = ()  # by seat, if teams played
    kind: str = names.SINGLE


def kind_of(play: Play) -> tuple[str, ...]:
    """Return the kinds that a play may be of: one, if it is certain; else as each plays for itself, and else."""
    if play.teams:
        return (names.TEAMS,)
    winners = sum(won > 0 for won in play.won)
    losers = len(play.won) - winners
    if winners < 2 or (winners, losers) == (2, 1):  # no even teams, and not all
        return (names.SINGLE,)
    return names.SINGLE, names.TEAMS if losers else names.TOGETHER


@dataclass
class Checker:
    """Checks the plays of one file against the names of a ruleset."""

    file: str
    fields: Mapping[str, str]
    box: str
    rules: str  # their digest
    leaders: Spellings
    cards: Spellings

    def check(self, noted: Noted) -> tuple[Play | None, list[Fault]]:
        """Return the play, if it can be known, and what was noted wrongly."""
        faults = [self._fault(noted.where, field, problem) for field, problem in noted.faults]
        if faults:
            return None, faults
        noted = replace(noted, seats=tuple(map(self._apart, noted.seats)))
        leaders, won = self._leaders(noted, faults), self._won(noted, faults)
        needed = len(faults)
        order, first = self._order(noted, faults)
        facts = {
            "order": order,
            "first": first,
            "claimed": self._claimed(noted, faults),
            "rounds": self._number(noted.where, "rounds", noted.rounds, faults),
            "minutes": self._minutes(noted, faults),
            "cards": self._cards(noted, faults),
        }
        teams = self._teams(noted, won, faults)
        if noted.date and not dates_of(noted.date):
            faults.append(
                self._fault(noted.where, "date", f"{cited(noted.date)}: expected a day such as 2026-11-20, or nothing")
            )
            noted = replace(noted, date="")
        if needed:
            return None, faults
        source = ", ".join(part for part in (self.file, noted.where) if part)
        people = tuple(seat.person.strip() for seat in noted.seats)
        bots = tuple(seat.strategy for seat in noted.seats)
        play = Play(source, leaders, won, people=people, strategies=bots, date=noted.date, key=noted.key, teams=teams, **facts)  # type: ignore[arg-type]
        return play, faults

    def _apart(self, seat: NotedSeat) -> NotedSeat:
        """Return the seat with person and leader apart, if one text says both ("Ann (Rome)") and no other the leader."""
        if any(text.strip() for text in (seat.leader, *seat.others)):
            return seat
        pair = pair_of(seat.person, lambda text: self.leaders.meant(text) is not None)
        return replace(seat, person=pair[0], leader=pair[1]) if pair else seat

    def _teams(self, noted: Noted, won: tuple[float, ...], faults: list[Fault]) -> tuple[str, ...]:
        """Return the teams of the seats; () if each played for itself."""
        teams = tuple(seat.team.strip() for seat in noted.seats)
        are_leaders = [self.leaders.meant(team) is not None for team in teams if team]
        shared = len(set(teams)) < len(teams) and all(teams)
        if not (noted.teams or (shared and not any(are_leaders))):
            return ()
        if not all(teams) or len(set(teams)) < 2:
            faults.append(
                self._fault(noted.where, "team", "teams played, and not every seat has one; expected a team for each seat")
            )
            return ()
        by_team: dict[str, set[bool]] = {}
        for team, one in zip(teams, won, strict=True):
            by_team.setdefault(team, set()).add(one > 0)
        split = next((team for team, results in by_team.items() if len(results) > 1), None)
        if split is not None:
            faults.append(
                self._fault(noted.where, "team", f"{cited(split)}: some of it won and some did not; expected one result")
            )
        return teams

    def _minutes(self, noted: Noted, faults: list[Fault]) -> int | None:
        if not noted.minutes.strip():
            return None
        minutes = minutes_of(noted.minutes)
        if minutes is not None and 1 <= minutes <= MOST:
            return minutes
        said = f"{cited(noted.minutes)}: expected minutes, such as 105, 1:45 or 2h, or nothing"
        faults.append(self._fault(noted.where, "minutes", said))
        return None

    def _fault(self, where: str, field: str, problem: str) -> Fault:
        return Fault(self.file, where, self.fields.get(field, field), problem)

    def _leaders(self, noted: Noted, faults: list[Fault]) -> tuple[str, ...]:
        most = names.MOST_PLAYERS[self.box]
        expected = f"expected 2 to {most} in the box {self.box}"
        if not 2 <= len(noted.seats) <= most:
            faults.append(self._fault(noted.where, "", f"{counted(len(noted.seats), 'seat')}: {expected}"))
        found: list[str] = []
        for seat in noted.seats:
            name = self._leader(seat, noted.comment)
            if name is None:
                said = next((text for text in (seat.leader, *seat.others) if text.strip()), "")
                problem = self.leaders.expected(said) if said else "is empty: expected the leader of the seat"
                faults.append(self._fault(seat.where, "leader", problem))
            elif name in found:
                faults.append(self._fault(seat.where, "leader", f"'{name}' appears twice; expected each leader once"))
            found.append(name or "")
        return tuple(found)

    def _leader(self, seat: NotedSeat, comment: str) -> str | None:
        """Return the leader that the first text which means one says, or the comment on the play says of the person."""
        for text in (seat.leader, *seat.others):
            if text.strip() and (name := self.leaders.find(text)) is not None:
                return name
        person = seat.person.strip()
        if seat.leader.strip() or not person:
            return None
        parts = [part for part in SAID.split(comment) if re.search(rf"\b{re.escape(person)}\b", part, re.IGNORECASE)]
        found = {self.leaders.find(re.sub(rf"\b{re.escape(person)}\b", " ", part, flags=re.IGNORECASE)) for part in parts} - {
            None
        }
        return found.pop() if len(found) == 1 else None

    def _won(self, noted: Noted, faults: list[Fault]) -> tuple[float, ...]:
        won = []
        for seat in noted.seats:
            word = seat.won.strip().lower()
            if word not in YES + NO:
                faults.append(self._fault(seat.where, "won", f"{cited(seat.won)}: expected yes or no"))
            won.append(word in YES)
        if noted.seats and not any(won) and all(seat.won.strip().lower() in NO for seat in noted.seats):
            faults.append(self._fault(noted.where, "won", "no seat won: expected one winner, or several that share the win"))
        winners = max(1, sum(won))
        return tuple(one / winners for one in won)

    def _order(self, noted: Noted, faults: list[Fault]) -> tuple[tuple[int, ...] | None, int | None]:
        """Return the turn order and the seat that began: as noted, or from the places at the table and who was first."""
        seats = noted.seats
        began = {k for k, seat in enumerate(seats) if seat.first}
        for told in ("order", "place"):
            texts = [getattr(seat, told).strip() for seat in seats]
            if not any(texts):
                continue
            if told == "order" and sorted(texts)[-2:] == ["", "1"]:  # the first player, and nothing of the others
                began.add(texts.index("1"))
                continue
            numbers = [int(text) if text.isdecimal() and len(text) < 4 else -1 for text in texts]
            if sorted(numbers) != list(range(1, len(texts) + 1)):
                said = ", ".join(cited(text)[1:-1] or "nothing" for text in texts)
                faults.append(self._fault(noted.where, told, f"{said}: expected each of 1 to {len(texts)} once, or nothing"))
                return None, None
            if told == "order":
                if began - {numbers.index(1)}:
                    problem = f"player {min(began - {numbers.index(1)}) + 1} began; expected player {numbers.index(1) + 1}"
                    faults.append(self._fault(noted.where, "first", f"{problem}, the first in the turn order"))
                    return None, None
                return tuple(numbers), numbers.index(1)
            if len(began) == 1:
                first = next(iter(began))
                return tuple((number - numbers[first]) % len(numbers) + 1 for number in numbers), first
        if len(began) != 1:
            return None, None
        first = next(iter(began))
        return ((2, 1) if first else (1, 2)) if len(seats) == 2 else None, first

    def _claimed(self, noted: Noted, faults: list[Fault]) -> tuple[int, ...] | None:
        numbers = [self._number(seat.where, "claimed", seat.claimed, faults, least=0, most=127) for seat in noted.seats]
        known = [number for number in numbers if number is not None]
        return tuple(known) if known and len(known) == len(numbers) else None

    def _parted(self, word: str) -> list[str]:
        """Return a card, or several that are written with slashes between them as the two agendas of one card are."""
        parts = [part.strip() for part in word.split("/") if part.strip()]
        return [word] if len(parts) < 2 or self.cards.find(word) is not None else parts

    def _number(self, where: str, field: str, text: str, faults: list[Fault], least: int = 1, most: int = MOST) -> int | None:
        if not text.strip():
            return None
        if text.strip().isdecimal() and len(text) < 10 and least <= int(text) <= most:
            return int(text)
        faults.append(self._fault(where, field, f"{cited(text)}: expected a whole number from {least} to {most:,}, or nothing"))
        return None

    def _cards(self, noted: Noted, faults: list[Fault]) -> tuple[str, ...]:
        """Return the victory cards in play; none if one is not known, for a part of them would say another thing."""
        words = [part for word in SPLIT.split(noted.cards) if word.strip() for part in self._parted(word.strip())]
        found = [self.cards.find(word) for word in words]
        between = "".join(dict.fromkeys(char for char in SPLIT.findall(noted.cards) if char not in ";,\n"))
        for word, card in zip(words, found, strict=True):
            if card is None:
                split = f" (taken apart at {between})" if between else ""
                faults.append(self._fault(noted.where, "cards", self.cards.expected(word) + split))
        cards = dict.fromkeys(card for card in found if card is not None)
        if len(cards) > names.MAX_IN_PLAY:
            problem = f"{len(cards)} victory cards: expected at most {names.MAX_IN_PLAY}"
            faults.append(self._fault(noted.where, "cards", problem))
            return ()
        return tuple(cards) if None not in found else ()
