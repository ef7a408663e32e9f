"""Words that are declared one a line: the line gives the word its code and says what it means, and all lists come from that.

The code of a word is its place among those declared before it. Codes stand in logs, tables and manifests: new words go to the
end of their list, and no word is ever taken out from between others.
"""

from __future__ import annotations

from typing import TypeVar

Thing = TypeVar("Thing")


def enter(table: dict[str, Thing], word: str, declared: Thing) -> int:
    """Enter what is declared of a word and return its code."""
    if word in table:
        raise ValueError(f"'{word}' is declared twice")
    table[word] = declared
    return len(table) - 1


class Words(dict[str, str]):
    """Words in the order of their codes, each with what a sentence says for it."""

    def add(self, word: str, text: str | None = None) -> int:
        """Declare a word and return its code."""
        return enter(self, word, word if text is None else text)
