"""The templates that sentences about rules are declared in: `{key:…}` stands for what is given under the key.

    {amount}  {amount:+d}            the number
    {amount:trade token}             1 trade token, 2 trade tokens
    {terrain:, on *|, anywhere}      if some are given, with `*` for them (`a, b or c`; `&`: `a, b and c`) | else for all
    {reinforced:, reinforced side up}  if it is true | else
    {limit:at most *|any|none}       if a number is given | if it is not | if it is 0

What stands in a phrase may have places of its own: `{limit:up to {limit:token}}`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...wording import listed


def plural(number: int, word: str) -> str:
    """Return number and word, with an s where there is not just one."""
    return f"{number} {word}" if number == 1 else f"{number} {word[:-1] + 'ies' if word.endswith('y') else word + 's'}"


def _case(phrases: str, case: int) -> str:
    """Return the phrase for a case, '' where there is none for it."""
    return phrases.split("|")[case] if phrases.count("|") >= case else ""


class Number(int):
    """A number in a sentence; `absent`: the value that stands for none."""

    absent: int

    def __new__(cls, value: int, absent: int = 0) -> Number:
        """Return the number."""
        made = super().__new__(cls, value)
        made.absent = absent
        return made

    def __format__(self, phrases: str) -> str:
        if "|" not in phrases and "*" not in phrases:
            return int.__format__(self, phrases) if phrases[:1] in ("", "+") else plural(int(self), phrases)
        case = 2 if self == 0 and phrases.count("|") > 1 else int(self == self.absent)
        return _case(phrases, case).replace("*", str(int(self)))


class Switch:
    """What is true, or false, or either if it is None."""

    def __init__(self, value: bool | None) -> None:
        self.value = value

    def __format__(self, phrases: str) -> str:
        return "" if self.value is None else _case(phrases, int(not self.value))


class Chosen:
    """Words of a list; none chosen stands for all of them."""

    def __init__(self, words: Sequence[str], every: Sequence[str] = ()) -> None:
        self.words, self.every = words, every

    def __format__(self, phrases: str) -> str:
        phrase = _case(phrases or "*", int(not self.words))
        words = self.words or self.every
        return phrase.replace("*", listed(words, "or")).replace("&", listed(words))
