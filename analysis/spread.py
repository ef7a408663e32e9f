"""How far apart the leaders are: the spread of their true win rates, without what chance adds.

Observed win rates differ even where the true ones are equal. With p̂ the rates of L leaders, V the covariance of their
errors and C = I - 11'/L,

    σ² = (Σ (p̂ - mean)² - tr(CV)) / (L - 1)

is an unbiased estimate of the variance of the true rates (the method of moments of W. Cochran, Biometrics 10, 1954); the
spread is its root, 0 where chance explains all. V comes from the linearised terms of each *game* (rates are ratios Σy / Σm),
so it knows that one leader's win is another's loss.

The interval inverts the distribution of Σ (p̂ - mean)² / v, v = tr(CV) / (L - 1): a noncentral χ² with L - 1 degrees of freedom
(exact if the errors have equal variances and normal distribution). It begins at 0 where equal leaders are possible.

The difference of two spreads from games on the same seeds: its p value is that of σ²_b - σ²_a, whose error again comes from
the linearised terms of each pair of games, so what the pairs have in common cancels. The interval is that of σ²_b - σ²_a,
divided by σ_a + σ_b, and no wider than its root: |σ_b - σ_a| ≤ √|σ²_b - σ²_a|.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats

from analysis.rates import CONFIDENCE
from simulator.names import LEADERS

Z = float(stats.norm.ppf(0.5 + CONFIDENCE / 2))


@dataclass(frozen=True)
class Spread:
    """The standard deviation of the leaders' true win rates (a share) with its 95% interval; NaN below two leaders."""

    value: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class SpreadChange:
    """The spreads under two rulesets and their difference, b - a, with its 95% interval and p value."""

    a: float
    b: float
    difference: float
    low: float
    high: float
    p: float


def leader_shares(seats: pd.DataFrame, leaders: tuple[str, ...] = LEADERS) -> np.ndarray:
    """Return (games, leaders, 2) from a `seats` table: share of the win, and whether the leader was at the table."""
    game = np.unique(seats["game_id"].to_numpy(), return_inverse=True)[1]
    code = pd.Categorical(seats["leader"], categories=list(leaders)).codes
    shares = np.zeros((int(game.max(initial=-1)) + 1, len(leaders), 2))
    shares[game, code, 0] = seats["won"]
    shares[game, code, 1] = 1
    return shares


def leader_spread(seats: pd.DataFrame) -> Spread:
    """Return the spread of the leaders' win rates from the columns game_id, leader and won of a `seats` table."""
    return spread(leader_shares(seats))


def spread(shares: np.ndarray) -> Spread:
    """Return the spread of the leaders from (games, leaders, 2), as `leader_shares` returns it."""
    part = variance(shares)
    if part is None:
        return Spread(np.nan, np.nan, np.nan, len(shares))
    low, high = _interval(part.variance, part.noise, part.leaders)
    return Spread(float(np.sqrt(max(part.variance, 0))), low, high, len(shares))


def spread_change(a: np.ndarray, b: np.ndarray) -> SpreadChange:
    """Return the change of the spread between two rulesets; row k of both is the game of the same seed."""
    one, two = variance(a), variance(b)
    if one is None or two is None:
        return SpreadChange(*[np.nan] * 6)
    before, after = (float(np.sqrt(max(part.variance, 0))) for part in (one, two))
    error = float((two.terms - one.terms).std(ddof=1) / np.sqrt(len(a)))
    gap = two.variance - one.variance
    low, high = (_as_difference(gap + sign * Z * error, before + after) for sign in (-1, 1))
    p = 2 * float(stats.norm.sf(abs(gap) / error)) if error > 0 else 1.0
    difference = after - before
    return SpreadChange(before, after, difference, min(low, difference), max(high, difference), p)


@dataclass(frozen=True)
class Variance:
    """The variance of the true win rates, and what its error is made of."""

    variance: float  # may come out below 0
    noise: float  # what chance adds to the observed variance
    terms: np.ndarray  # (games,) linearised terms of the observed variance
    leaders: int


def variance(shares: np.ndarray) -> Variance | None:
    """Return the variance of the true win rates from (games, leaders, 2); None below two leaders or two games."""
    n, seated = len(shares), shares[:, :, 1].sum(axis=0) > 0
    leaders = int(seated.sum())
    if leaders < 2 or n < 2:
        return None
    y, m = shares[:, seated, 0], shares[:, seated, 1]
    rate = y.sum(axis=0) / m.sum(axis=0)
    terms = (y - rate * m) / m.mean(axis=0)
    covariance = terms.T @ terms / (n * (n - 1))
    away = rate - rate.mean()
    noise = float((np.trace(covariance) - covariance.sum() / leaders) / (leaders - 1))
    observed = float(away @ away) / (leaders - 1)
    return Variance(observed - noise, noise, 2 / (leaders - 1) * terms @ away, leaders)


def _interval(variance: float, noise: float, leaders: int) -> tuple[float, float]:
    """Return the ends of the interval of the spread."""
    df, tail = leaders - 1, (1 - CONFIDENCE) / 2
    if noise <= 0:
        value = float(np.sqrt(max(variance, 0)))
        return value, value
    found = df * (variance + noise) / noise
    scale = np.sqrt(noise / df)
    # Rates that are closer together than chance makes them tell nothing about the upper end.
    return scale * np.sqrt(_noncentrality(found, df, 1 - tail)), scale * np.sqrt(_noncentrality(max(found, df), df, tail))


def _noncentrality(found: float, df: int, chance: float) -> float:
    """Return the λ for which a noncentral χ² lies below `found` with this chance; 0 if there is none."""

    def excess(noncentrality: Any) -> float:
        return float(stats.ncx2.cdf(found, df, noncentrality)) - chance

    if stats.chi2.cdf(found, df) <= chance:
        return 0.0
    most = found + 10 * np.sqrt(found) + 50
    return float(optimize.brentq(excess, 1e-12, most))


def _as_difference(gap: float, total: float) -> float:
    """Turn a difference of variances into one of standard deviations whose sum is `total`."""
    bound = float(np.sqrt(abs(gap)))
    return float(np.sign(gap)) * (min(abs(gap) / total, bound) if total > 0 else bound)
