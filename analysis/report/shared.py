"""What several parts of a report have in common: columns, the height and the headlines of charts, chapters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pandas as pd

from ...simulator.wording import listed
from ..statistics.inference import SIGNIFICANT
from ..statistics.rates import FEW_CASES, SMALL_SAMPLE
from .part import Column, Part

NAMED = 3  # in a headline, of many
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


Words = tuple[str, str]  # of one, of several; {} stands for their names


def headline(name: str, size: str, more: Words, less: Words, nothing: str) -> Callable[[pd.DataFrame], str]:
    """Return what a chart says of a table of tests: who is above and who below, the furthest first, at most NAMED of each.

    Only what is shown and rests on no small sample is named; without any, it says `nothing`; "" where nothing is tested.
    """

    def said(frame: pd.DataFrame) -> str:
        tested = frame[frame["p_adjusted"].notna() & ~frame["small_sample"].astype(bool)]
        clear = tested[tested["p_adjusted"] <= SIGNIFICANT].sort_values(size, key=abs, ascending=False, kind="stable")
        if clear.empty:
            return nothing if len(tested) else ""
        text = "; ".join(
            words[len(rows) > 1].format(_named(list(dict.fromkeys(rows[name].astype(str)))))
            for words, rows in ((more, clear[clear[size] > 0]), (less, clear[clear[size] < 0]))
            if len(rows)
        )
        return text[:1].upper() + text[1:]

    return said


def _named(names: Sequence[str]) -> str:
    return listed(names if len(names) <= NAMED + 1 else [*names[:NAMED], f"{len(names) - NAMED} more"])


def some_rows(frame: pd.DataFrame) -> bool:
    """Say whether a table has rows that are no small samples."""
    return not frame["small_sample"].all()


def chapter(name: str, *parts: Part) -> tuple[Part, ...]:
    """Return the parts as those of a chapter."""
    return tuple(replace(part, chapter=name) for part in parts)
