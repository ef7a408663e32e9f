"""Rows of a table in groups: leaders by what is known of them against the fair share, rows of two runs by their difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..statistics.inference import SIGNIFICANT

Row = Mapping[str, Any]
FAIR = (
    "Tiers: a leader is above or below the fair share if its interval for all leaders together (95%, thin) leaves it out; "
    "the others cannot be distinguished from it. The rank is every place that a leader can have by these intervals."
)
DIFFERENCE = (
    "Groups: a difference is detected if p, corrected over all rows, is at most 0.05; the bar is its interval (95%, all rows)."
)


def against_fair(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return tiers of leaders: title and the numbers of the rows, in their order; empty ones are left out."""
    above = [i for i, row in enumerate(rows) if row["difference_all_low"] > 0]
    below = [i for i, row in enumerate(rows) if row["difference_all_high"] < 0]
    rest = [i for i in range(len(rows)) if i not in above and i not in below]
    titles = ("Above the fair share", "Cannot be distinguished from the fair share", "Below the fair share")
    return _filled(titles, (above, rest, below))


def by_difference(points: Sequence[tuple[float | None, float | None]], first: str, second: str) -> list[dict[str, Any]]:
    """Return the rows of two runs, each with its difference (second less first) and corrected p, by its direction."""
    groups: tuple[list[int], ...] = ([], [], [], [])
    for i, (difference, p) in enumerate(points):
        if difference is None:
            groups[3].append(i)
        elif p is None or p > SIGNIFICANT:
            groups[1].append(i)
        else:
            groups[0 if difference > 0 else 2].append(i)
    titles = (f"Higher in {second} than in {first}", "No detectable difference", f"Lower in {second} than in {first}",
              "In only one of the two")  # fmt: skip
    return _filled(titles, groups)


def _filled(titles: Sequence[str], groups: Sequence[list[int]]) -> list[dict[str, Any]]:
    return [{"title": title, "rows": rows} for title, rows in zip(titles, groups, strict=True) if rows]
