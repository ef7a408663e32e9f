"""How the words of abilities are declared: an effect, what can be said of it, a moment, a thing to count.

`ability_codes.py` has one declaration for each word. Their codes, the columns of the RULES record, the pydantic models
(`models/abilities.py`), sentences (`showing/ability_sentences.py`), docs/abilities.md and the checks come from it. Nothing here
needs pydantic: the engine imports the codes.

Sentences are templates (`showing/phrases.py`): `{amount:trade token}`, `{terrain:, on *|, anywhere}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

# Where a thing to count is known: from the cards and wonders held; at any time; around a space; on the tile of a space.
WITH_CARDS, ON_THE_SPOT, AT_A_SPACE, ON_THE_TILE = "with cards", "on the spot", "at a space", "on the tile"


@dataclass(frozen=True)
class Key:
    """What an ability may say under a key beside its effect."""

    kind: str  # number, switch, either (true, false, or not given), one or some of `words`, count, counts, text
    text: str = ""  # what it means, for docs
    words: tuple[Any, ...] = ()  # that may be given
    codes: tuple[Any, ...] = ()  # all words by their codes, or bits
    least: int = 0
    most: int = 0
    pattern: str = ""
    needed: bool = False
    default: Any = None
    absent: int = 0  # what the engine reads where an effect has no such key, or it is not given

    def may_be(self, default: Any = None) -> Key:
        """Return the key for effects that need not give it."""
        return replace(self, needed=False, default=default)


Keys = Mapping[str, Key]


@dataclass(frozen=True)
class Effect:
    """What an ability does."""

    word: str
    meaning: str  # for docs
    says: str  # a template for its sentence, without moment and conditions
    keys: Keys
    deed: bool  # done at a moment; else it holds as long as its card is held
    only: str = ""  # the file of the data that alone may have it
    adds_up: bool = False  # a number of the player that is a plain sum


@dataclass(frozen=True)
class Moment:
    """When a deed is done."""

    word: str
    says: str  # template for the beginning of a deed's sentence
    space: bool  # some space belongs to it
    only: str = ""  # the file of the data that alone may say it


@dataclass(frozen=True)
class Count:
    """What is counted for a player."""

    word: str
    says: str
    known: str


def number(least: int, most: int, text: str, *, absent: int = 0) -> Key:
    """Declare a key with a whole number."""
    return Key("number", text, least=least, most=most, needed=True, absent=absent)


def switch(text: str) -> Key:
    """Declare a key that is true or, if it is left out, false."""
    return Key("switch", text, default=False)


def either(text: str) -> Key:
    """Declare a key that is true, false, or left out for both."""
    return Key("either", text, codes=(False, True))


def one(codes: Iterable[str], text: str, *, of: Iterable[str] = (), absent: int = 0) -> Key:
    """Declare a key with one of some words, or of those of them that are listed."""
    return Key("one", text, tuple(of) or tuple(codes), tuple(codes), needed=True, absent=absent)


def some(codes: Iterable[Any], text: str, *, of: Iterable[Any] = (), least: int = 1, needed: bool = False) -> Key:
    """Declare a key with a list of at least so many words; all of them, if it may be left out."""
    return Key("some", text, tuple(of) or tuple(codes), tuple(codes), least=least, needed=needed)


def written(pattern: str, text: str) -> Key:
    """Declare a key with a text."""
    return Key("text", text, pattern=pattern, needed=True)
