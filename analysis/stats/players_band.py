"""One figure over players: what it is on average, how far players differ, and what another player would make of it.

Every player has an estimate and its standard error, by its own games. The players are taken as drawn from those that could
play: estimate_i ~ N(mean, tau² + error_i²) (random effects), so one with few games neither decides for all nor vetoes them.

tau² is estimated by restricted maximum likelihood (as a root of its score: W. Viechtbauer, Journal of Educational and
Behavioral Statistics 30, 2005). The estimate of R. DerSimonian and N. Laird (Controlled Clinical Trials 7, 1986) is too small
where players differ much, that of R. Paule and J. Mandel (Journal of Research of the NBS 87, 1982) is as good (A. Veroniki et
al., Research Synthesis Methods 7, 2016; D. Langan et al., 10, 2019). The mean has the interval of J. Hartung and G. Knapp
(Statistics in Medicine 20, 2001), for with a normal quantile it would be too narrow for a handful of players; their variance
is no smaller than the normal one where players differ (C. Röver, G. Knapp and T. Friede, BMC Medical Research Methodology 15,
2015). Where tau is estimated to be 0 the wider of their interval and the normal one is taken (D. Jackson, M. Law, G. Rücker and
G. Schwarzer, Statistics in Medicine 36, 2017): players that agree by chance would have one of no width. Another player's
true figure has a prediction interval over what tau may be (the confidence distribution by Cochran's Q: K. Nagashima, H. Noma
and T. Furukawa, Statistical Methods in Medical Research 28, 2019), which with four players is half as wide as that of J.
Higgins, S. Thompson and D. Spiegelhalter (JRSS A 172, 2009) with an upper limit for tau, and holds as often. A player deviates
if it lies outside of what the others predict for it (the deleted residual, with `questions` together): not if players differ,
which tau says. docs/evidence/statistics.md has how often all this holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, special, stats

from .inference import SIGNIFICANT

LEVELS = 200  # values that tau may have
TAILS = (SIGNIFICANT / 2, 1 - SIGNIFICANT / 2)


@dataclass(frozen=True)
class Band:
    """A figure over players: the mean with its interval, tau, what another player would have, and who deviates."""

    estimate: float
    low: float
    high: float
    all_low: float  # of the interval that holds for so many figures together
    all_high: float
    tau: float
    prediction_low: float
    prediction_high: float
    deviates: tuple[str, ...] = ()


def over_players(estimates: Any, errors: Any, names: Sequence[str], questions: int = 1) -> Band:
    """Return the figure over players, of two or more; `questions` is the number of figures asked together."""
    y, error = np.asarray(estimates, float), np.maximum(np.asarray(errors, float), 1e-12)
    tau2 = _tau2(y, error)
    mean, se, spread = _mean(y, error, tau2)
    tails = (SIGNIFICANT / 2, SIGNIFICANT / 2 / max(1, questions))
    own, together = (se * max(-float(special.ndtri(tail)), float(stats.t.isf(tail, len(y) - 1)) * spread) for tail in tails)
    deviates = tuple(name for k, name in enumerate(names) if _deviates(y, error, k, questions * len(y)))
    ends = (mean - own, mean + own, mean - together, mean + together)
    return Band(mean, *ends, float(np.sqrt(tau2)), *_prediction(y, error), deviates)


def _mean(y: np.ndarray, error: np.ndarray, tau2: float) -> tuple[float, float, float]:
    """Return the weighted mean, its normal standard error, and how many times that is the one by Hartung and Knapp."""
    weight = 1 / (tau2 + error**2)
    mean = float(weight @ y / weight.sum())
    scale = weight @ (y - mean) ** 2 / (len(y) - 1) if len(y) > 1 else 1.0
    return mean, float(np.sqrt(1 / weight.sum())), float(np.sqrt(max(1.0, scale) if tau2 > 0 else scale))


def _tau2(y: np.ndarray, error: np.ndarray) -> float:
    """Return the variance between players by restricted maximum likelihood."""

    def score(tau2: float) -> float:
        weight = 1 / (tau2 + error**2)
        residual = y - weight @ y / weight.sum()
        return float(weight**2 @ residual**2 - weight.sum() + (weight**2).sum() / weight.sum())

    if len(y) < 2 or score(0.0) <= 0:
        return 0.0
    most = float(np.var(y, ddof=1) + np.max(error) ** 2)
    while score(most) > 0:
        most *= 2
    return float(optimize.brentq(score, 0.0, most))


def _prediction(y: np.ndarray, error: np.ndarray) -> tuple[float, float]:
    """Return the ends of the interval of another player's true figure."""
    wanted = stats.chi2.isf((np.arange(LEVELS) + 0.5) / LEVELS, len(y) - 1)  # values of Q, by how likely each is
    low, high = np.zeros(LEVELS), np.full(LEVELS, 1e3 * (np.var(y, ddof=1) + np.max(error) ** 2))
    for _ in range(60):
        tau2 = (low + high) / 2
        weight = 1 / (tau2[:, None] + error**2)
        mean = (weight * y).sum(axis=1) / weight.sum(axis=1)
        above = (weight * (y - mean[:, None]) ** 2).sum(axis=1) > wanted
        low, high = np.where(above, tau2, low), np.where(above, high, tau2)
    spread = np.sqrt(tau2 + 1 / weight.sum(axis=1))

    def beyond(x: float) -> float:
        return float(special.ndtr((x - mean) / spread).mean())

    far = 20 * float(spread.max())
    ends = [optimize.brentq(lambda x, p=p: beyond(x) - p, mean.min() - far, mean.max() + far) for p in TAILS]
    return float(ends[0]), float(ends[1])


def _deviates(y: np.ndarray, error: np.ndarray, k: int, questions: int) -> bool:
    """Say whether a player lies outside of what the others predict for it."""
    rest, own = np.delete(y, k), np.delete(error, k)
    if len(rest) < 2:
        return False
    tau2 = _tau2(rest, own)
    mean, se, spread = _mean(rest, own, tau2)
    variance = tau2 + (se * max(1.0, spread)) ** 2 + error[k] ** 2
    reach = float(stats.t.isf(SIGNIFICANT / 2 / questions, len(rest) - 1)) * np.sqrt(variance)
    return bool(abs(y[k] - mean) > reach)
