"""Statements about many figures at once: normal intervals, corrected p values, simultaneous ranks.

p values are corrected with Holm's method (S. Holm, Scandinavian Journal of Statistics 6, 1979): the chance of any false
finding in a table is at most 5%. Ranks are simultaneous 95% confidence sets (M. Mogstad, J. Romano, A. Shaikh and
D. Wilhelm, "Inference for ranks", Review of Economic Studies 91, 2024): all of them hold together in 95% of runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from analysis.rates import CONFIDENCE

DRAWS = 20_000  # of the normal distribution, for simultaneous statements
QUANTILE = float(stats.norm.ppf(0.5 + CONFIDENCE / 2))


def holm(p: Any) -> np.ndarray:
    """Return Holm's corrected p values; NaN stays NaN and is not counted."""
    p = np.asarray(p, float)
    corrected = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    factors = len(order) - np.arange(len(order))
    corrected[order] = np.minimum(1, np.maximum.accumulate(p[order] * factors))
    return corrected


def two_sided(estimate: Any, error: Any) -> np.ndarray:
    """Return two-sided p values of normal estimates against zero; 1 where both are zero."""
    estimate, error = np.asarray(estimate, float), np.asarray(error, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where((estimate == 0) & (error == 0), 0.0, np.abs(estimate) / error)
    return np.asarray(2 * stats.norm.sf(z))


def simultaneous_ranks(
    estimate: np.ndarray, covariance: np.ndarray, confidence: float = CONFIDENCE, draws: int = DRAWS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the best and worst rank of each entry that the data allow, and how often it is first.

    The rank sets hold together with the stated confidence: all pairwise differences get intervals of a common
    studentised width (the quantile of their largest absolute value, found by simulation), and an entry is behind
    another one only if the interval of their difference says so. The last column is the share of draws from the
    estimates' normal distribution in which the entry is the best.
    """
    n = len(estimate)
    rng = np.random.default_rng(0)
    noise = rng.multivariate_normal(np.zeros(n), covariance, draws, method="eigh")
    first, second = np.triu_indices(n, 1)
    variance = np.diag(covariance)
    error = np.sqrt(np.maximum(variance[first] + variance[second] - 2 * covariance[first, second], 1e-300))
    largest = (np.abs(noise[:, first] - noise[:, second]) / error).max(axis=1)
    reach = np.quantile(largest, confidence) * error
    gap = estimate[first] - estimate[second]
    ahead, behind = gap > reach, gap < -reach
    best = 1 + np.bincount(second[ahead], minlength=n) + np.bincount(first[behind], minlength=n)
    worst = n - np.bincount(first[ahead], minlength=n) - np.bincount(second[behind], minlength=n)
    chance = np.bincount(np.argmax(estimate + noise, axis=1), minlength=n) / draws
    return best, worst, chance


def around(name: str, estimate: np.ndarray, error: np.ndarray) -> dict[str, np.ndarray]:
    """Return the columns `name`, `name_low` and `name_high`: a normal estimate with its 95% interval."""
    reach = QUANTILE * error
    return {name: estimate, f"{name}_low": estimate - reach, f"{name}_high": estimate + reach}
