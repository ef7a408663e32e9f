"""Words that messages and tables share: numbers with their nouns."""

from __future__ import annotations


def counted(n: float, one: str, many: str = "") -> str:
    """Return '1 game', '1,200 games'; `many` is the plural where it is not `one` with an s."""
    return f"{n:,.0f} {one if n == 1 else many or one + 's'}"
