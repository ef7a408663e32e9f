"""Messages and captions of charts: only rows shown to differ are named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from ..stats.claims import extreme_first
from ..stats.rates import ENOUGH, MANY_LEADERS
from ..stats.verdicts import FAR, Verdict, differs, having
from .report_parts import Message

# --- Shared by parts: columns, heights and messages of charts, chapters

BARS = "Bars: [95% all]; filled: differs."  # in the caption of a chart with intervals
MARKS = "Bars: [95% all]; filled: beyond the margin; half-filled: size unclear; square: within it."  # of a table with verdicts
TIMES = 1.5  # from here a message gives a win rate in fair shares


def tall(inches: float) -> Callable[[pd.DataFrame], float]:
    """Return the height of a chart with one line per row, each this many inches high."""
    return lambda frame: 1.1 + inches * len(frame)


def some_rows(frame: pd.DataFrame) -> bool:
    """Return whether a table has rows that are not small samples."""
    return not frame["small_sample"].all()


# --- Messages of charts: they name only rows that are shown to differ, no small samples, nothing undecided


def largest(frame: pd.DataFrame, size: str) -> dict[Any, Any] | None:
    """Return the row shown to differ most (`claims.extreme_first`), beyond the margin if there are verdicts; else None."""
    shown = frame[differs(frame)]
    if "small_sample" in shown:
        shown = shown[~shown["small_sample"].astype(bool)]
    if "verdict" in shown:
        shown = shown[having(shown, FAR)]
    ordered = extreme_first(shown, size)
    return None if ordered.empty else dict(ordered.iloc[0])


def headlined(frame: pd.DataFrame, pool: int | None = None, cases: Sequence[str] = ("decided",)) -> pd.DataFrame:
    """Return the rows whose figures may be a headline: if many leaders play, those of enough games.

    `pool` is the number of leaders (default: of rows).
    """
    counts = [name for name in cases if name in frame]
    if (len(frame) if pool is None else pool) < MANY_LEADERS or not counts:
        return frame
    return frame[(frame[counts] >= ENOUGH).all(axis=1)]


def message(size: str, text: str, more: str = "more", less: str = "less") -> Message:
    """Return a message on the row that differs most: in `text` {word} is `more` or `less`, {size} the size without a sign."""

    def write(frame: pd.DataFrame) -> str:
        row = largest(frame, size)
        if row is None:
            return ""
        values = row | {"size": f"{abs(row[size]):.1f}", "word": more if row[size] > 0 else less}
        return text.format(**{str(name): value for name, value in values.items()})

    return write


def share_message(factor: str, who: str = "{}") -> Message:
    """Return a message on who wins furthest from the fair share, or that all are within the margin of it."""

    def write(frame: pd.DataFrame) -> str:
        row = largest(headlined(frame), "points")
        if having(frame, {Verdict.WITHIN}).all():
            return f"All {len(frame)} are within the margin of the fair share"
        if row is None:
            return ""
        times = row["adjusted_rate"] / row["fair_share"]
        if times >= TIMES:
            return f"{who.format(row[factor])} wins {times:.1f} times its fair share"
        word = "more" if times > 1 else "less"
        return f"{who.format(row[factor])} wins {abs(row['points']):.1f} points {word} than its fair share"

    return write
