"""Words that messages and tables share: numbers with their nouns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def counted(n: float, noun: str, plural: str = "") -> str:
    """Return '1 game', '1,200 games'; `plural`: of nouns that take more than an s."""
    return f"{n:,.0f} {noun if n == 1 else plural or noun + 's'}"


def listed(items: Iterable[Any], last: str = "and") -> str:
    """Return 'A', 'A and B' or 'A, B and C'; 'none' for no items. `last`: the word before the last item."""
    texts = [str(item) for item in items]
    return f" {last} ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts) or "none"


def half(value: float) -> str:
    """Return a median of whole numbers, which may lie between two: '16', '16.5'."""
    return f"{value:,.1f}".removesuffix(".0")
