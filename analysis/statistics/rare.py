"""Pairs of games that hardly ever differ: what a change can still be, where the pairs that changed are few or none.

A figure that no pair of 400 changes has no spread to make an interval of, and yet a change may be there that comes once in
200 pairs. So how often pairs change is bounded by exact intervals of Poisson counts, and what they come to by how far changed
pairs are apart. Coverage: tests/analysis/test_rare.py and test_compare.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from .inference import Ends, normal_ends, two_sided
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


def mean_of_pairs(differences: Sequence[np.ndarray], most: float) -> tuple[np.ndarray, Ends, np.ndarray]:
    """Return the means of the differences of pairs of games, the ends of their intervals, and p values against zero.

    Normal where FEW pairs differ, or more; else exact (`rare_reach`, and the sign test where it is more careful), with changed
    pairs as far apart as those that are seen, or as differences can be (`most`) where none is.
    """
    n, ups, downs = (np.array([k(one) for one in differences], float) for k in (len, _above, lambda one: _above(-one)))
    means = np.array([one.mean() for one in differences])
    error = np.array([one.std(ddof=1) / np.sqrt(len(one)) for one in differences])
    changed = ups + downs
    squares = np.array([(one**2).sum() for one in differences])
    size = np.where(changed > 0, np.sqrt(squares / np.maximum(changed, 1)), most)
    usual, rare = normal_ends(means, error), changed < FEW

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        (low, high), (below, above) = usual(confidence), rare_reach(ups, downs, n, size, confidence)
        return np.where(rare, np.fmin(low, means - below), low), np.where(rare, np.fmax(high, means + above), high)

    exact = [sign_test(up, k) if 0 < k < FEW else 0.0 for up, k in zip(ups, changed, strict=True)]
    return means, ends, np.maximum(two_sided(means, error), exact)


def _above(values: np.ndarray) -> int:
    return int((values > 0).sum())


def unseen(changed: float, n: float, confidence: float = CONFIDENCE) -> float:
    """Return what share of pairs may be changed beyond those that are seen to be, all of it in one direction.

    Directions of the changes that are seen are known to one over the root of their number.
    """
    most = float(special.gammaincinv(changed + 1, 1 - (1 - confidence) / 2))
    return (most - changed) / n / float(np.sqrt(max(changed, 1)))
