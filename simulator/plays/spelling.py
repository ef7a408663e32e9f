"""Names in any spelling near enough: leaders, victory cards, and the game by its number or one of its titles."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from .. import names
from ..errors import nearest
from ..reading import yaml_of
from ..rules.ruleset_contents import entries, names_of, section


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

    def is_ours(self, title: str) -> bool:
        """Say whether a title is that of the game."""
        word = folded(title)
        return self._is_wanted([word], "") if self.wanted.strip() else _is_ours([word], "")

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
        """Return the name that a word means, or None; what is read by likeness is remembered in `seen`."""
        name = self.meant(word)
        if name is not None and folded(word) not in self.others:
            self.seen[word.strip()] = name
        return name

    def meant(self, word: str) -> str | None:
        """Return the name that a word means, or None."""
        if folded(word) in self.others:
            return self.others[folded(word)]
        return self._of_parts(word) or self._near(folded(word))

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
