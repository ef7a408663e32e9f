"""Words that messages and tables share: numbers with their nouns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def counted(n: float, one: str, many: str = "") -> str:
    """Return '1 game', '1,200 games'; `many` is the plural where it is not `one` with an s."""
    return f"{n:,.0f} {one if n == 1 else many or one + 's'}"


def listed(words: Iterable[Any], last: str = "and") -> str:
    """Return 'A', 'A and B' or 'A, B and C'; 'none' of nothing. `last`: the word before the last one."""
    texts = [str(word) for word in words]
    return f" {last} ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts) or "none"


def half(value: float) -> str:
    """Return a median of whole numbers, which may lie between two: '16', '16.5'."""
    return f"{value:,.1f}".removesuffix(".0")
