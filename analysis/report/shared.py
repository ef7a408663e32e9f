"""What several parts of a report have in common: columns, the height of charts, chapters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from ..statistics.rates import FEW_CASES, SMALL_SAMPLE
from .part import Column, Part

FEW = Column("small_sample", "few?", "flag", f"fewer than {SMALL_SAMPLE} cases, or {FEW_CASES} wins or losses")
P = Column("p_adjusted", "adjusted p", "p", "p value for all questions of the table together")
VERDICT = Column("verdict", "matters?", "verdict", "balanced within the relevance margin, outside it, or undecided")
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
