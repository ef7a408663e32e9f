"""What several parts of a report have in common: columns, the height and messages of charts, chapters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from ..statistics.answer import FAR, Verdict, differs, having
from ..statistics.rates import FEW_CASES, SMALL_SAMPLE
from .part import Column, Part

Message = Callable[[pd.DataFrame], str]
BARS = "Bars: [95% all]; filled: differs."  # in the caption of a chart with intervals
MARKS = "Bars: [95% all]; filled: beyond the margin; half-filled: size unclear; square: within it."  # of a table with verdicts
TIMES = 1.5  # from here a win rate is said in fair shares

FEW = Column("small_sample", "few?", "flag", f"fewer than {SMALL_SAMPLE} cases, or {FEW_CASES} wins or losses")
HINT = Column("small_sample", "few?", "flag", "few cases: take the row as a hint")
P = Column("p_adjusted", "adjusted p", "p", "p value for all questions of the table together")
VERDICT = Column(
    "verdict", "matters?", "verdict", "what the interval says against the relevance margin, and how many games would decide"
)
LEADER, STRATEGY, WONDER = Column("leader", "leader"), Column("strategy", "strategy"), Column("wonder", "world wonder")
CARD, AGENDA, CARD_SET = Column("card", "victory card"), Column("agenda", "agenda"), Column("cards", "victory cards in play")
GAMES = Column("n", "games", "count")
DIFFERENCE = Column("points", "difference, points [95% all]", "points", "percentage points")


def tall(inches: float) -> Callable[[pd.DataFrame], float]:
    """Return how high a chart with a line a row is, so much for each."""
    return lambda frame: 1.1 + inches * len(frame)


def some_rows(frame: pd.DataFrame) -> bool:
    """Say whether a table has rows that are no small samples."""
    return not frame["small_sample"].all()


def chapter(name: str, *parts: Part) -> tuple[Part, ...]:
    """Return the parts as those of a chapter."""
    return tuple(replace(part, chapter=name) for part in parts)


# --- What a chart says. Only rows that the table shows to differ are named: no small samples, nothing undecided.


def largest(frame: pd.DataFrame, size: str) -> dict[Any, Any] | None:
    """Return the row that differs most, by more than the margin where there is one; None if none is shown to."""
    found = frame[differs(frame)]
    if "small_sample" in found:
        found = found[~found["small_sample"].astype(bool)]
    if "verdict" in found:
        found = found[having(found, FAR)]
    ordered = found.sort_values(size, key=lambda values: values.abs().round(9), ascending=False, kind="stable")
    return None if ordered.empty else dict(ordered.iloc[0])


MANY_LEADERS, ENOUGH = 12, 500  # in a pool of so many, a rate of fewer games is no headline: the largest is so by chance


def headlined(frame: pd.DataFrame, pool: int | None = None, cases: Sequence[str] = ("decided",)) -> pd.DataFrame:
    """Return the rows whose figures may be a headline: where many leaders play, those of enough games.

    `pool` is the number of leaders, that of the rows unless it is said.
    """
    counts = [name for name in cases if name in frame]
    if (len(frame) if pool is None else pool) < MANY_LEADERS or not counts:
        return frame
    return frame[(frame[counts] >= ENOUGH).all(axis=1)]


def message(size: str, text: str, more: str = "more", less: str = "less") -> Message:
    """Return what says `text` of the row that differs most: {word} is `more` or `less`, {size} how much, without a sign."""

    def said(frame: pd.DataFrame) -> str:
        row = largest(frame, size)
        if row is None:
            return ""
        words = row | {"size": f"{abs(row[size]):.1f}", "word": more if row[size] > 0 else less}
        return text.format(**{str(name): value for name, value in words.items()})

    return said


def share_message(factor: str, who: str = "{}") -> Message:
    """Return what says who wins furthest from the fair share, or that all are within the margin of it."""

    def said(frame: pd.DataFrame) -> str:
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

    return said
