"""Pairs of games that hardly ever differ: what a change can still be, where the pairs that changed are few or none.

A figure that no pair of 400 changes has no spread to make an interval of, and yet a change may be there that comes once in
200 pairs. So how often pairs change is bounded by exact intervals of Poisson counts, and what they come to by how far changed
pairs are apart. Coverage: tests/analysis/test_rare.py and test_compare.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from .rates import CONFIDENCE

FEW = 25  # pairs that differ, below which normal approximations are not trusted


def sign_test(ups: float, changed: float) -> float:
    """Return the exact p value of so many pairs up among those that differ."""
    return min(1.0, 2 * float(special.bdtr(min(ups, changed - ups), int(changed), 0.5)))


def rare_interval(ups: Any, downs: Any, n: Any, confidence: float = CONFIDENCE) -> tuple[np.ndarray, np.ndarray]:
    """Return the interval of a difference of rates in which few of n pairs differ.

    The exact intervals of two Poisson counts, pairs up and pairs down (F. Garwood, Biometrika 28, 1936), are combined as
    those of a difference (G. Zou and A. Donner, Statistics in Medicine 27, 2008).
    """
    tail = (1 - confidence) / 2
    least = [np.where(k > 0, special.gammaincinv(np.maximum(k, 1), tail), 0.0) for k in (ups, downs)]
    most = [special.gammaincinv(k + 1, 1 - tail) for k in (ups, downs)]
    below, above = np.hypot(ups - least[0], most[1] - downs), np.hypot(most[0] - ups, downs - least[1])
    return np.maximum((ups - downs - below) / n, -1), np.minimum((ups - downs + above) / n, 1)


def rare_reach(ups: Any, downs: Any, n: Any, size: Any, confidence: float = CONFIDENCE) -> tuple[np.ndarray, np.ndarray]:
    """Return how far below and above its estimate a difference of means may be, where few of n pairs differ.

    `size` is by how much changed pairs differ (root mean square).
    """
    low, high = rare_interval(ups, downs, n, confidence)
    middle = (np.asarray(ups) - downs) / n
    return size * (middle - low), size * (high - middle)


def unseen(changed: float, n: float, confidence: float = CONFIDENCE) -> float:
    """Return what share of pairs may be changed beyond those that are seen to be, all of it in one direction.

    Directions of the changes that are seen are known to one over the root of their number.
    """
    most = float(special.gammaincinv(changed + 1, 1 - (1 - confidence) / 2))
    return (most - changed) / n / float(np.sqrt(max(changed, 1)))
