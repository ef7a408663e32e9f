"""What matters to a designer: the relevance margins, unless an option says otherwise, and how an interval lies to one."""

from __future__ import annotations

from typing import Any

import numpy as np

POINTS = 2.0  # percentage points: leaders, seats, cards, and all other shares
ROUNDS = 1.0  # the length of a game
RATING = 18.0  # of a rating: what two points of the win rate are at tables of four, 400 log10 of the odds ratio
DEEDS = 0.5  # what players do: so many cities founded, wonders built … in a game, by all seats together


def against_margin(low: Any, high: Any, margin: Any) -> tuple[np.ndarray, np.ndarray]:
    """Say of intervals whether the whole of each lies within ± the margin, and whether all of it lies beyond."""
    low, high = np.asarray(low, float), np.asarray(high, float)
    return (low >= -margin) & (high <= margin), (low > margin) | (high < -margin)
