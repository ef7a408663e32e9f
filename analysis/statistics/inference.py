"""Statements about many figures at once: normal intervals, corrected p values, simultaneous ranks.

p values are corrected with Holm's method (S. Holm, Scandinavian Journal of Statistics 6, 1979): the chance of any false
finding in a table is at most 5%. Ranks are simultaneous 95% confidence sets (M. Mogstad, J. Romano, A. Shaikh and
D. Wilhelm, "Inference for ranks", Review of Economic Studies 91, 2024): all of them hold together in 95% of runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special, stats

from newdawn.analysis.statistics.rates import CONFIDENCE, wilson

DRAWS = 20_000  # of the normal distribution, for simultaneous statements
FEW = 25  # cases (or non-cases) below which a normal approximation is not trusted alone
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


def rate_difference(name: str, wins: Any, n: Any, other_wins: Any, other_n: Any) -> dict[str, np.ndarray]:
    """Return columns of the difference of two rates of separate games, in percentage points, its interval, and `p`.

    The interval is Newcombe's (R. Newcombe, Statistics in Medicine 17, 1998, method 10: both rates' Wilson intervals
    combined), good for small samples; `p` is that of the pooled two-sample z test, or where there are fewer than FEW wins
    (or losses), that of the exact test, if larger (`with_few`).
    """
    wins, n, other_wins, other_n = (np.asarray(value, float) for value in (wins, n, other_wins, other_n))
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = wins / n, other_wins / other_n
        pooled = (wins + other_wins) / (n + other_n)
        error = np.sqrt(np.clip(pooled * (1 - pooled), 0, None) * (1 / n + 1 / other_n))
    (low_a, high_a), (low_b, high_b) = wilson(wins, n), wilson(other_wins, other_n)
    low, high = a - b - np.hypot(a - low_a, high_b - b), a - b + np.hypot(high_a - a, b - low_b)
    p = with_few(two_sided(a - b, error), wins, n, other_wins, other_n)
    return {name: 100 * (a - b), f"{name}_low": 100 * low, f"{name}_high": 100 * high, "p": p}


def with_few(p: Any, wins: Any, n: Any, other_wins: Any, other_n: Any) -> np.ndarray:
    """Return the p values of a normal test of two rates, replaced by the exact ones, if larger, where cases are few.

    The rarer of wins and losses is counted. If it is as frequent on both sides, each case falls to the first with the
    chance n / (n + other_n): a binomial test of the cases (J. Przyborowski and H. Wilenski, Biometrika 31, 1940), a little
    too careful where cases are frequent. Shared wins count in parts, so the tails are those of the incomplete beta function.
    """
    wins, n, other_wins, other_n = (np.asarray(value, float) for value in (wins, n, other_wins, other_n))
    often = wins + other_wins > (n + other_n) / 2
    own, rest = np.where(often, n - wins, wins), np.where(often, other_n - other_wins, other_wins)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = n / (n + other_n)
        few = (np.minimum(own, (own + rest) * share) < FEW) & (n > 0) & (other_n > 0)
    exact = np.minimum(1, 2 * np.minimum(_at_least(own, rest, share), _at_least(rest, own, 1 - share)))
    return np.where(few, np.maximum(p, exact), p)


def _at_least(own: np.ndarray, rest: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return the chance that of own + rest cases, of which each falls to one side with this share, `own` or more do."""
    tail = special.betainc(np.maximum(own, 1e-9), rest + 1, np.nan_to_num(share))
    return np.asarray(np.where(own > 0, tail, 1.0))


@dataclass(frozen=True)
class Sums:
    """Numbers, sums and sums of squares of one figure in several groups of games."""

    n: np.ndarray
    total: np.ndarray
    squares: np.ndarray

    @classmethod
    def by_group(cls, group: Any, groups: int, values: Any, counts: Any) -> Sums:
        """Add up values that occur `counts` times, by group number."""
        values, counts = np.asarray(values, float), np.asarray(counts, float)
        weights = (counts, counts * values, counts * values**2)
        return cls(*(np.bincount(np.asarray(group), weight, groups) for weight in weights))

    def others(self) -> Sums:
        """Return for each group the sums of all other groups."""
        return Sums(*(value.sum() - value for value in (self.n, self.total, self.squares)))

    def mean_and_square(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the means and the squares of their standard errors."""
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self.total / self.n
            square = np.clip(self.squares / self.n - mean**2, 0, None) / (self.n - 1)
        return mean, np.where(self.n > 1, square, np.nan)

    def mean_columns(self, name: str) -> dict[str, np.ndarray]:
        """Return the columns of the mean with Student's interval."""
        mean, square = self.mean_and_square()
        reach = stats.t.ppf(0.5 + CONFIDENCE / 2, np.maximum(self.n - 1, 1)) * np.sqrt(square)
        return {name: mean, f"{name}_low": mean - reach, f"{name}_high": mean + reach}

    def difference_columns(self, name: str, least: int = 0) -> dict[str, np.ndarray]:
        """Return each group's mean less that of all others: difference, interval and `p` (B. Welch, Biometrika 34, 1947).

        Below `least` cases on either side nothing is tested (`p` is NaN): a few games of one length have no spread at all.
        """
        other = self.others()
        (a, one), (b, two) = self.mean_and_square(), other.mean_and_square()
        with np.errstate(divide="ignore", invalid="ignore"):
            freedom = (one + two) ** 2 / (one**2 / (self.n - 1) + two**2 / (other.n - 1))
        error, freedom = np.sqrt(one + two), np.where(np.isfinite(freedom), np.maximum(freedom, 1), 1)
        reach = stats.t.ppf(0.5 + CONFIDENCE / 2, freedom) * error
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where((a == b) & (error == 0), 0.0, np.abs(a - b) / error)
        p = np.where(np.minimum(self.n, other.n) < least, np.nan, 2 * stats.t.sf(z, freedom))
        return {name: a - b, f"{name}_low": a - b - reach, f"{name}_high": a - b + reach, "p": p}
