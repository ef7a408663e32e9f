"""From what was noted, in any spelling near enough, to a play that is known, with every fault named. Nothing is guessed."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from .. import names
from ..errors import counted, nearest
from ..reading import yaml_of
from ..rules.ruleset_contents import entries, names_of, section

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
class LogFile:
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
    fits: Callable[[LogFile], bool]
    read: Callable[[LogFile, Titles], Iterator[Noted]]
    fields: Mapping[str, str]


def is_anonymous(name: str) -> bool:
    """Say whether a name is what BoardGameGeek and BG Stats write for nobody known."""
    return name.strip().lower() in ("anonymous player", "anonymous")


# --- Leaders and victory cards in any spelling near enough, and the game by its number or one of its titles
#
# A word means a name if their letters are the same, whatever capitals, accents and signs; if it is another word for it
# (`simulator/data/spellings.yaml`, a leader's ruler, one agenda of a victory card); if all words of several in it that mean
# anything mean the same ("Trajan - Rome"); or if its letters are nearly those of one name, and clearly less those of all
# others. What was read in one of the last two ways is told, and nothing else is taken for a name.

NEAR, AHEAD = 0.8, 0.1  # likeness of letters (difflib), and how much more like the name than the next one
SHORTEST = 4  # letters of a word that may be a misspelling
LONGEST = 60  # letters of a word that a message cites
BETWEEN = re.compile(r"[^\w\s'.]+|\b(?:of|de|von|der|des|the)\b")  # what stands between a ruler and a civilization


def cited(word: str) -> str:
    """Return a word of a log as a message cites it: what is longer than a name is cut."""
    return f"'{word}'" if len(word) <= LONGEST else f"'{word[:LONGEST]}…'"


def folded(word: str) -> str:
    """Return the letters and digits of a word, lower, without accents."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in plain if char.isalnum())


@dataclass
class Titles:
    """Which games of a log are this one: of the wanted title or number, or of its own. `others`: titles of the rest."""

    wanted: str = ""
    others: Counter[str] = field(default_factory=Counter)  # title: plays

    def box(self, *titles: str, number: str = "", more: Iterable[str] = ()) -> str | None:
        """Return the box that was played, "" if the log may mean either, None for another game.

        `number` is BoardGameGeek's, `more` are the titles of expansions that were on the table.
        """
        words = [folded(title) for title in titles]
        if not (self._is_wanted(words, number) if self.wanted.strip() else _is_ours(words, number)):
            self.others[" / ".join(dict.fromkeys(title for title in titles if title)) or f"number {number}"] += 1
            return None
        expansion = folded(_written()["game"]["expansion"])
        return names.BOXES[names.TI_BOX] if any(expansion in word for word in (*words, *map(folded, more))) else ""

    def _is_wanted(self, words: Iterable[str], number: str) -> bool:
        word = folded(self.wanted)
        return number == self.wanted.strip() or (bool(word) and any(word in one for one in words))


def _is_ours(words: Iterable[str], number: str) -> bool:
    """Say whether the game with this number, or with these titles, is ours."""
    game = _written()["game"]
    if number == game["number"]:
        return True
    whole, titles, stems = _titles()
    return any(
        word in whole or (any(stem in word for stem in stems) and any(title in word for title in titles)) for word in words
    )


@cache
def _titles() -> tuple[set[str], list[str], list[str]]:
    """Return whole titles; parts of titles, and what stands beside them."""
    game = _written()["game"]
    titles, articles, stems = (list(map(folded, game[key].split(", "))) for key in ("titles", "articles", "civilization"))
    whole = {article + title for title in titles for article in ("", *articles)}
    return whole, [*titles, folded(game["expansion"])], stems


@dataclass
class Spellings:
    """The names of a kind, and what else is written for them; `seen`: what was none of these and read as one of them."""

    kind: str
    names: tuple[str, ...]
    others: Mapping[str, str]  # folded word: name
    seen: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, kind: str, names: Iterable[str], others: Iterable[tuple[str, str]]) -> Spellings:
        """Return the spellings of these names; another word that several names share means none of them."""
        names = tuple(names)
        by_word: dict[str, set[str]] = {}
        for word, name in others:
            by_word.setdefault(folded(word), set()).add(name)
        known = {word: next(iter(some)) for word, some in by_word.items() if len(some) == 1 and word}
        return cls(kind, names, known | {folded(name): name for name in names})

    def find(self, word: str) -> str | None:
        """Return the name that a word means, or None."""
        if folded(word) in self.others:
            return self.others[folded(word)]
        name = self._of_parts(word) or self._near(folded(word))
        if name is not None:
            self.seen[word.strip()] = name
        return name

    def _of_parts(self, word: str) -> str | None:
        """Return the one name that parts of a text mean, such as a ruler and a civilization."""
        parts = [part for part in BETWEEN.split(word.casefold()) if part.strip()]
        words = [*parts, *(one for part in parts for one in part.split())]
        found = {self.others[folded(part)] for part in words if folded(part) in self.others}
        return found.pop() if len(found) == 1 else None

    def _near(self, letters: str) -> str | None:
        """Return the one name whose letters are nearly these."""
        if len(letters) < SHORTEST:
            return None
        likeness: dict[str, float] = {}
        for word, name in self.others.items():
            ratio = difflib.SequenceMatcher(None, letters, word).ratio()
            likeness[name] = max(likeness.get(name, 0.0), ratio)
        best, *rest = sorted(likeness, key=lambda name: -likeness[name])
        clear = not rest or likeness[best] - likeness[rest[0]] >= AHEAD
        return best if likeness[best] >= NEAR and clear else None

    def expected(self, word: str) -> str:
        """Return what is said of a word that means no name."""
        return f"unknown {self.kind} {cited(word)}: expected one of {', '.join(self.names)}{nearest(word, self.names)}"


@cache
def _written() -> dict[str, Any]:
    text = (resources.files("newdawn.simulator") / "data" / "spellings.yaml").read_text("utf-8")
    return dict(yaml_of(text, "spellings.yaml"))


def leaders(data: Mapping[str, Any]) -> Spellings:
    """Return the leaders of a ruleset: by civilization, by ruler, by a ruler's last name."""
    others = [(word, name) for name, words in _written()["leaders"].items() for word in words.split(", ")]
    for entry in entries(data, "leader").values():
        ruler = str(entry.get("leader") or "")
        others += [(word, str(entry["civ"])) for word in (ruler, *ruler.split()) if len(word) >= SHORTEST]
    here = set(names_of(data, "leader"))
    return Spellings.of("leader", names_of(data, "leader"), [(word, name) for word, name in others if name in here])


def victory_cards(data: Mapping[str, Any]) -> Spellings:
    """Return the victory cards of a ruleset: by both of their agendas, or by one."""
    cards, others = [], []
    for card in data["victory_cards"][section(data)].values():
        agendas = list(dict.fromkeys(agenda["name"] for agenda in card["agendas"].values()))
        cards.append(" / ".join(agendas))
        others += [(agenda, cards[-1]) for agenda in agendas]
    return Spellings.of("victory card", cards, others)


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
