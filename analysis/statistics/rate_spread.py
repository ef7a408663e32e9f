"""How far apart several true rates are: their standard deviation, without what chance adds to the observed one.

With p the L estimated rates, V the covariance of their errors and C = I - 11'/L,

    σ² = (p'Cp - tr(CV)) / (L - 1)

is an unbiased estimate of the variance of the true rates (the method of moments of W. Cochran, Biometrics 10, 1954); the
spread is its root, 0 where chance explains all.

Interval. p'Cp is a weighted sum of noncentral χ²; the sum with the same mean and variance of one kind (F. Satterthwaite,
Biometrics Bulletin 2, 1946) is c χ²(ν, λ/c), with c = tr(CVCV) / tr(CV), ν = tr(CV)² / tr(CVCV) and λ = (L - 1) σ²; the
interval inverts its distribution in λ. It begins at 0 where equal rates are possible.

Difference of two spreads. The interval combines the two (MOVER: G. Zou and A. Donner, Statistics in Medicine 27, 2008),
with the correlation of the two estimates, so that games on the same seeds narrow it. Towards a spread that may be 0, whose
error is not normal, the two reaches are added instead. The p value is that of the difference
of the two variances, whose error is V's: 4 p'AVAp - 2 tr(AVAV), A = diag(-C, C), for both together. Both are measured on
drawn games in tests/analysis/test_rate_spread.py.

Partial pooling. Where each rate has few games, the rate furthest off is so by chance, too: better guesses lie nearer to the
mean, by as much as chance explains of the spread (C. Stein 1956; B. Efron and C. Morris, JASA 70, 1975). `partial_pooling`
takes the spread for unknown, with a prior that is uniform in its square, so its intervals hold on the average over the rates
where those with an estimated spread would be too narrow (C. Morris and R. Tang, Statistical Science 26, 2011). Where all
rates are equal they hold more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize, special

from .inference import two_sided
from .rates import CONFIDENCE

NORMAL_FROM = 1e4  # noncentral χ² above this: its root is normal


def centring(n: int) -> np.ndarray:
    """Return the matrix that takes the mean off n numbers."""
    return np.eye(n) - 1 / n


def rate_spread(rate: np.ndarray, covariance: np.ndarray, confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """Return the spread of the true rates and its interval; NaN for fewer than two rates."""
    df = len(rate) - 1
    if df < 1:
        return np.nan, np.nan, np.nan
    c = centring(len(rate))
    noise = c @ covariance @ c
    found, mean, square = float(rate @ c @ rate), float(np.trace(noise)), float(np.sum(noise * noise))
    value = float(np.sqrt(max(found - mean, 0) / df))
    if mean <= 0:
        return value, value, value
    scale, freedom = square / mean, mean**2 / square
    tail = (1 - confidence) / 2
    low = _noncentrality(found / scale, freedom, 1 - tail)
    # Rates closer together than chance would have them say nothing more about the upper end.
    high = _noncentrality(max(found / scale, freedom), freedom, tail)
    return value, float(np.sqrt(scale * low / df)), max(value, float(np.sqrt(scale * high / df)))


def _noncentrality(found: float, freedom: float, chance: float) -> float:
    """Return the λ for which noncentral χ² lies below `found` with this chance; 0 if there is none."""
    if special.chdtr(freedom, found) <= chance:
        return 0.0
    if found > NORMAL_FROM:
        return float(max(np.sqrt(found) - special.ndtri(chance), 0) ** 2 - freedom + 1)
    most = found + 10 * np.sqrt(found) + 50
    return float(optimize.brentq(lambda value: special.chndtr(found, freedom, value) - chance, 1e-12, most))


POSSIBLE = 60  # spreads over which partial pooling averages


def partial_pooling(rate: np.ndarray, covariance: np.ndarray, middle: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return rates drawn to their mean as far as chance explains their distances, and their standard errors.

    `middle` is the mean of the true rates, which is known: wins add up. NaN for fewer than three rates.
    """
    size = len(rate)
    if size < 3:
        return np.full(size, np.nan), np.full(size, np.nan)
    c = centring(size)
    noise, far = c @ covariance @ c, c @ (rate - middle)
    values, vectors = np.linalg.eigh(noise + (1 + np.trace(noise)) * (np.eye(size) - c))
    values, vectors = np.maximum(values[:-1], 1e-12), vectors[:, :-1]  # but the last, the mean's, which is known
    own = vectors.T @ far
    most = 3 * float(np.sqrt(far @ far / (size - 1))) + 3 * float(np.sqrt(np.trace(noise) / (size - 1)))
    spread = np.linspace(0, most, POSSIBLE + 1)[1:, None]
    total = spread**2 + values
    likely = np.log(spread[:, 0]) - (np.log(total) + own**2 / total).sum(axis=1) / 2
    weight = np.exp(likely - likely.max())
    weight /= weight.sum()
    part = spread**2 / total
    means = (part * own) @ vectors.T  # (spreads, rates)
    square = (part * values) @ (vectors.T**2)
    mean = weight @ means
    return middle + mean, np.sqrt(weight @ (square + (means - mean) ** 2))


def spread_difference(
    one: np.ndarray, two: np.ndarray, covariance: np.ndarray, confidence: float = CONFIDENCE
) -> tuple[float, float, float, float, float, float]:
    """Return both spreads, the second less the first, its interval, and its p value.

    `covariance` is that of the errors of all rates, those of `one` first. The two may have different numbers of rates.
    """
    n = len(one)
    a, low_a, high_a = rate_spread(one, covariance[:n, :n], confidence)
    b, low_b, high_b = rate_spread(two, covariance[n:, n:], confidence)
    form = np.zeros_like(covariance)
    form[:n, :n], form[n:, n:] = -centring(n) / (n - 1), centring(len(two)) / (len(two) - 1)
    rates, spread = np.concatenate([one, two]), form @ covariance
    gap = float(rates @ form @ rates - np.trace(spread))
    least = 2 * float(np.sum(spread * spread.T))
    error = np.sqrt(max(4 * float(rates @ spread @ form @ rates) - least, least, 0))
    shared = _correlation(one, two, covariance)
    below = _reach(b - low_b, high_a - a, shared, low_b > 0)
    above = _reach(high_b - b, a - low_a, shared, low_a > 0)
    return a, b, b - a, b - a - below, b - a + above, float(two_sided(gap, error))


def _reach(one: float, two: float, shared: float, clear: bool) -> float:
    """Combine the reaches of two intervals; if one of them ends at 0, where errors are far from normal, add them up."""
    return float(np.sqrt(max(one**2 + two**2 - 2 * shared * one * two, 0))) if clear else one + two


def _correlation(one: np.ndarray, two: np.ndarray, covariance: np.ndarray) -> float:
    """Return the correlation of the two spreads' errors, to first order."""
    n = len(one)
    x, y = one - one.mean(), two - two.mean()
    own = float(x @ covariance[:n, :n] @ x) * float(y @ covariance[n:, n:] @ y)
    return float(np.clip(x @ covariance[:n, n:] @ y / np.sqrt(own), -1, 1)) if own > 0 else 0.0
