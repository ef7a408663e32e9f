"""From what was noted to a play that is known, with every fault named. Nothing is guessed.

A play needs two seats or more, a leader for each, and a winner. What else is noted wrongly (turn order, rounds, cards) is a
fault, too; whoever wants to go on without it loses that fact, and not the play.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from .. import limits, names
from ..wording import counted
from .noted import Fault, Noted, NotedSeat
from .spelling import Spellings, cited

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
        leaders, won = self._leaders(noted, faults), self._won(noted, faults)
        needed = len(faults)
        order, first = self._order(noted, faults)
        facts = {
            "order": order,
            "first": first,
            "claimed": self._claimed(noted, faults),
            "rounds": self._number(noted.where, "rounds", noted.rounds, faults),
            "minutes": self._number(noted.where, "minutes", noted.minutes, faults),
            "cards": self._cards(noted, faults),
        }
        if needed:
            return None, faults
        source = ", ".join(part for part in (self.file, noted.where) if part)
        people = tuple(seat.person.strip() for seat in noted.seats)
        bots = tuple(seat.strategy for seat in noted.seats)
        play = Play(source, leaders, won, people=people, strategies=bots, date=noted.date, key=noted.key, **facts)  # type: ignore[arg-type]
        return play, faults

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
        for field in ("order", "place"):
            texts = [getattr(seat, field).strip() for seat in seats]
            if not any(texts):
                continue
            if field == "order" and sorted(texts)[-2:] == ["", "1"]:  # the first player, and nothing of the others
                began.add(texts.index("1"))
                continue
            numbers = [int(text) if text.isdecimal() and len(text) < 4 else -1 for text in texts]
            if sorted(numbers) != list(range(1, len(texts) + 1)):
                said = ", ".join(cited(text)[1:-1] or "nothing" for text in texts)
                faults.append(self._fault(noted.where, field, f"{said}: expected each of 1 to {len(texts)} once, or nothing"))
                return None, None
            if field == "order":
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
        if len(cards) > limits.MAX_IN_PLAY:
            problem = f"{len(cards)} victory cards: expected at most {limits.MAX_IN_PLAY}"
            faults.append(self._fault(noted.where, "cards", problem))
            return ()
        return tuple(cards) if None not in found else ()
