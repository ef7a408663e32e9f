"""Looking for keys of the rules by words: those of their paths and sentences, and synonyms from other games (synonyms.yaml)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any

from ...reading import yaml_of
from .. import ability_codes as codes

LONGEST = 3  # words of a phrase


@dataclass(frozen=True)
class Key:
    """A key that house rules can change."""

    path: str
    value: Any
    allowed: str  # what it may be, in words
    text: str

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {"key": self.path, "value": self.value, "allowed": self.allowed, "text": self.text}

    def has(self, words: str) -> bool:
        """Say whether words, or the beginnings of them, stand in path or sentence one after the other."""
        text = f"{self.path} {self.path.replace('_', ' ')} {self.text}".lower()
        return re.search(rf"\b{re.escape(words)}", text) is not None


@dataclass(frozen=True)
class Phrase:
    """A word or phrase that people look for, and where what it means is found."""

    keys: Sequence[str] = field(default=())  # words of keys, or patterns for their paths
    note: str = ""  # what the engine cannot do

    def means(self, key: Key) -> bool:
        """Say whether the key is one of those that the phrase stands for."""
        return any(fnmatchcase(key.path, word) if "*" in word else key.has(word) for word in self.keys)


@cache
def _table() -> dict[str, Any]:
    text = (resources.files("newdawn.simulator") / "data" / "synonyms.yaml").read_text("utf-8")
    return dict(yaml_of(text, "synonyms.yaml"))


@cache
def phrases() -> dict[str, Phrase]:
    """Return the phrases with synonyms, in lower case and singular."""
    found: dict[str, Phrase] = {}
    for entry in _table()["phrases"]:
        phrase = Phrase(entry.get("keys", ()), entry.get("note", ""))
        found |= dict.fromkeys(entry["words"].split(", "), phrase)
    return found


class Search:
    """The words somebody looks for: a pattern of paths (with a *), or words that a key must all have."""

    def __init__(self, words: str) -> None:
        self.pattern = words.lower() if "*" in words else ""
        self.terms = [] if self.pattern else _terms(words)  # each as it is written, and as the table of phrases has it

    def among(self, listed: Sequence[Key]) -> list[Key]:
        """Return the keys that fit."""
        if self.pattern:
            return [key for key in listed if fnmatchcase(key.path.lower(), self.pattern)]
        return [key for key in listed if all(_fits(term, key) for term in self.terms)]

    def each(self, listed: Sequence[Key]) -> dict[str, int]:
        """Return how many keys each of several words finds alone."""
        found = {written: sum(_fits((written, phrase), key) for key in listed) for written, phrase in self.terms}
        return found if len(found) > 1 else {}

    def best(self, listed: Sequence[Key]) -> list[Key]:
        """Return the keys that fit most of several words, and of as many words the rarest."""
        sets = [[_fits(term, key) for key in listed] for term in self.terms]
        weights = [1 + 1 / (1 + sum(fits)) for fits in sets]
        scores = [sum(weight for weight, fits in zip(weights, sets, strict=True) if fits[k]) for k in range(len(listed))]
        most = max(scores, default=0.0)
        return [key for key, score in zip(listed, scores, strict=True) if score == most] if most and len(sets) > 1 else []

    def notes(self, box: str) -> list[str]:
        """Return what is to be said to the phrases: what the engine cannot do in a box, what comes nearest, which box can."""
        said = (phrases()[phrase].note for _, phrase in self.terms if phrase in phrases())
        return [note for note in dict.fromkeys(said) if note and f"--box {box}" not in note]

    @property
    def is_answered(self) -> bool:
        """Say whether a phrase stands for nothing that can be changed: its note is the answer."""
        return any(phrase in phrases() and not phrases()[phrase].keys for _, phrase in self.terms)

    def abilities(self) -> list[str]:
        """Return the effects of abilities whose word or meaning has all that is looked for."""
        about = {word: Key(word, None, "", effect.meaning) for word, effect in codes.EFFECT.items()}
        return [word for word, key in about.items() if self.terms and all(key.has(written) for written, _ in self.terms)]


def _fits(term: tuple[str, str], key: Key) -> bool:
    return any(key.has(words) for words in term) or (term[1] in phrases() and phrases()[term[1]].means(key))


def _terms(words: str) -> list[tuple[str, str]]:
    """Return the phrases of the table that the words hold, the longest first, and every other word by itself."""
    left = re.sub(r"[-\s]+", " ", words.lower()).split()
    terms = []
    while left:
        lengths = range(min(LONGEST, len(left)), 0, -1)
        length, between = next(
            ((n, space) for n in lengths for space in (" ", "") if _singular(space.join(left[:n])) in phrases()), (1, " ")
        )
        terms.append((" ".join(left[:length]), _singular(between.join(left[:length]))))
        left = left[length:]
    counting = [term for term in terms if term[0] not in _table()["ignored"].split()]
    return counting or terms


def _singular(words: str) -> str:
    """Return a phrase as the table has it, in the singular; a word that it does not have without its last s."""
    for end, other in (("", ""), ("ies", "y"), ("s", "")):
        if words.endswith(end) and words.removesuffix(end) + other in phrases():
            return words.removesuffix(end) + other
    return words.removesuffix("s") if len(words) > LONGEST else words
