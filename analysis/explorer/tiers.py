"""Rows of a table in groups: leaders by the verdicts on them, rows of two runs by their difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..statistics.answer import FAR, STRENGTH, Verdict, differs

Row = Mapping[str, Any]
FAIR = (
    "Groups: the verdicts of the report on these leaders, read off win rates at balanced tables (`newdawn leaders`) and their "
    "intervals for all leaders together (95%) against the fair share and the margin. The rank is every place that a leader can "
    "have by these."
)
WITHOUT = "No verdicts: the model of who wins cannot be asked of games and seats chosen so."
DIFFERENCE = (
    "Groups: a difference is detected if p, corrected over all rows, is at most 0.05; the bar is its interval (95%, all rows)."
)


def by_verdict(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return groups of leaders, those beyond the margin first: title and the numbers of the rows; empty ones are left out."""
    order = sorted(Verdict, key=lambda verdict: verdict not in FAR)
    groups = [[i for i, row in enumerate(rows) if row["verdict"] == STRENGTH.of(verdict)] for verdict in order]
    titles = [STRENGTH.of(verdict) for verdict in order]
    return _filled([f"{title[0].upper()}{title[1:]}" for title in titles], groups)


def by_difference(points: Sequence[tuple[float | None, float | None]], first: str, second: str) -> list[dict[str, Any]]:
    """Return the rows of two runs, each with its difference (second less first) and corrected p, by its direction."""
    groups: tuple[list[int], ...] = ([], [], [], [])
    for i, (difference, p) in enumerate(points):
        if difference is None:
            groups[3].append(i)
        elif not differs({"p_adjusted": p}):
            groups[1].append(i)
        else:
            groups[0 if difference > 0 else 2].append(i)
    titles = (f"Higher in {second} than in {first}", "No detectable difference", f"Lower in {second} than in {first}",
              "In only one of the two")  # fmt: skip
    return _filled(titles, groups)


def _filled(titles: Sequence[str], groups: Sequence[list[int]]) -> list[dict[str, Any]]:
    return [{"title": title, "rows": rows} for title, rows in zip(titles, groups, strict=True) if rows]
