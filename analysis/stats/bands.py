"""Figures in bands: those wanted in one, and one figure over several players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy  # loads its parts when they are first used
from scipy import special

from .inference import QUANTILE, SIGNIFICANT
from .rates import CONFIDENCE, clustered_rate_columns
from .verdicts import (
    FAR,
    HIGHER,
    LOWER,
    ORDER,
    Verdict,
    adjusted_p,
    certainty_of,
    games_to_decide,
    in_band,
    quantile_for,
    read,
    weakest,
)

# --- One figure over players: its mean, how much players differ, and what to expect of another player
#
# Every player has an estimate and its standard error, from its own games. The players are taken as a sample of those that could
# play: estimate_i ~ N(mean, tau² + error_i²) (random effects), so one with few games neither decides for all nor vetoes them.
#
# tau² is estimated by restricted maximum likelihood (as a root of its score: W. Viechtbauer, Journal of Educational and
# Behavioral Statistics 30, 2005). The estimate of R. DerSimonian and N. Laird (Controlled Clinical Trials 7, 1986) is too small
# where players differ much, that of R. Paule and J. Mandel (Journal of Research of the NBS 87, 1982) is as good (A. Veroniki et
# al., Research Synthesis Methods 7, 2016; D. Langan et al., 10, 2019). The mean has the interval of J. Hartung and G. Knapp
# (Statistics in Medicine 20, 2001), because one with a normal quantile is too narrow for a handful of players; its variance is
# no smaller than the normal one where players differ (C. Röver, G. Knapp and T. Friede, BMC Medical Research Methodology 15,
# 2015). Where tau is estimated to be 0 the wider of their interval and the normal one is taken (D. Jackson, M. Law, G. Rücker
# and G. Schwarzer, Statistics in Medicine 36, 2017): players that agree by chance would have one of no width. Another player's
# true figure has a prediction interval over the uncertain tau (the confidence distribution by Cochran's Q: K. Nagashima, H.
# Noma and T. Furukawa, Statistical Methods in Medical Research 28, 2019), which with four players is half as wide as that of J.
# Higgins, S. Thompson and D. Spiegelhalter (JRSS A 172, 2009) with an upper limit for tau, with the same coverage. A player
# deviates if it lies outside of what the others predict for it (the deleted residual, with `questions` together); whether
# players differ at all is tau's to say. Coverage: docs/evidence/statistics.md.

LEVELS = 200  # values of tau over which predictions average
TAILS = (SIGNIFICANT / 2, 1 - SIGNIFICANT / 2)


@dataclass(frozen=True)
class Band:
    """A figure over players: the mean with its interval, tau, the prediction for another player, and who deviates."""

    estimate: float
    low: float
    high: float
    all_low: float  # ends of the interval that holds for all figures together
    all_high: float
    tau: float
    prediction_low: float
    prediction_high: float
    deviates: tuple[str, ...] = ()


def over_players(estimates: Any, errors: Any, names: Sequence[str], questions: int = 1) -> Band:
    """Return the figure over two or more players (REML, Hartung and Knapp); `questions`: figures judged together."""
    y, error = np.asarray(estimates, float), np.maximum(np.asarray(errors, float), 1e-12)
    tau2 = _tau2(y, error)
    mean, se, spread = _mean(y, error, tau2)
    tails = (SIGNIFICANT / 2, SIGNIFICANT / 2 / max(1, questions))
    own, together = (
        se * max(-float(special.ndtri(tail)), float(scipy.stats.t.isf(tail, len(y) - 1)) * spread) for tail in tails
    )
    deviates = tuple(name for k, name in enumerate(names) if _deviates(y, error, k, questions * len(y)))
    ends = (mean - own, mean + own, mean - together, mean + together)
    return Band(mean, *ends, float(np.sqrt(tau2)), *_prediction(y, error), deviates)


def _mean(y: np.ndarray, error: np.ndarray, tau2: float) -> tuple[float, float, float]:
    """Return the weighted mean, its normal standard error, and the ratio of Hartung and Knapp's error to it."""
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
    return float(scipy.optimize.brentq(score, 0.0, most))


def _prediction(y: np.ndarray, error: np.ndarray) -> tuple[float, float]:
    """Return the ends of the prediction interval of another player's true figure."""
    wanted = scipy.stats.chi2.isf((np.arange(LEVELS) + 0.5) / LEVELS, len(y) - 1)  # equally likely values of Q
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
    ends = [scipy.optimize.brentq(lambda x, p=p: beyond(x) - p, mean.min() - far, mean.max() + far) for p in TAILS]
    return float(ends[0]), float(ends[1])


def _deviates(y: np.ndarray, error: np.ndarray, k: int, questions: int) -> bool:
    """Return whether a player lies outside of what the others predict for it."""
    others, errors = np.delete(y, k), np.delete(error, k)
    if len(others) < 2:
        return False
    tau2 = _tau2(others, errors)
    mean, se, spread = _mean(others, errors, tau2)
    variance = tau2 + (se * max(1.0, spread)) ** 2 + error[k] ** 2
    reach = float(scipy.stats.t.isf(SIGNIFICANT / 2 / questions, len(others) - 1)) * np.sqrt(variance)
    return bool(abs(y[k] - mean) > reach)


# --- Figures that are wanted in bands: whether each lies in its own, how far all are from theirs, what games would decide
#
# A figure is a ratio Σy / Σm over games. It is *met* if an interval that holds for all `sets` of figures together lies in its
# band: that every figure of a set is met needs no correction for their number (R. Berger, Technometrics 24, 1982). It is
# *missed* if an interval that holds for all sets and figures together lies outside the band; else it is open.

DRAWS, CORRECTION = 2_000, 1.5


@dataclass(frozen=True)
class Ratio:
    """A figure of games: numerators and denominators by game; for a mean (`mean`) the denominators are 0 or 1."""

    y: np.ndarray
    m: np.ndarray
    mean: bool = False

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float, float, int]:
        """Return the figure, the ends of its interval (Student's, or Wilson's clustered by game), and its number of cases."""
        n = float(self.m.sum())
        if n == 0:
            return np.nan, -np.inf, np.inf, 0
        if self.mean:
            values = self.y[self.m > 0]
            reach = float(scipy.stats.t.ppf(0.5 + confidence / 2, n - 1)) * values.std(ddof=1) / np.sqrt(n) if n > 1 else np.inf
            return float(values.mean()), float(values.mean() - reach), float(values.mean() + reach), int(n)
        squares = ((self.y - self.y.sum() / n * self.m) ** 2).sum()
        columns = clustered_rate_columns(self.y.sum(), n, squares, "x", confidence)
        return float(columns["x"]), float(columns["x_low"]), float(columns["x_high"]), int(n)


@dataclass(frozen=True)
class Asked:
    """The number of sets of figures judged together, and of figures in each."""

    sets: int
    figures: int

    @property
    def met(self) -> float:
        """Confidence of the intervals that show figures inside their bands."""
        return 1 - SIGNIFICANT / self.sets

    @property
    def missed(self) -> float:
        """Confidence of the intervals that show figures outside."""
        return 1 - SIGNIFICANT / (self.sets * self.figures)

    def verdict(self, figure: Ratio, low: float, high: float) -> Verdict:
        """Return whether a figure lies in its band."""
        return in_band(figure.interval(self.met)[1:3], figure.interval(self.missed)[1:3], low, high)

    def certainty(self, figure: Ratio, low: float, high: float) -> str:
        """Return the certainty that a figure lies in its band, or outside it, whichever is shown."""
        verdict = self.verdict(figure, low, high)
        if verdict is Verdict.UNDECIDED:
            return "open"
        centre, half, *_ = _as_margin(low, high)
        confidence, questions = (self.met, self.sets) if verdict is Verdict.WITHIN else (self.missed, self.sets * self.figures)
        if not half:  # a band with one end: on which side of it
            verdict = Verdict.ABOVE if (verdict is Verdict.WITHIN) == bool(np.isfinite(low)) else Verdict.BELOW
        value, least, most = (end - centre for end in figure.interval(confidence)[:3])
        return certainty_of(adjusted_p(verdict, value, least, most, half, questions))

    def of_several(self, figures: Sequence[tuple[Ratio, float, float]]) -> tuple[Verdict, str]:
        """Return the verdict and certainty of a wish for which several figures must lie in their bands."""
        verdicts = [self.verdict(*figure) for figure in figures]
        certainties = [self.certainty(*figure) for figure in figures]
        missed = [certainty for verdict, certainty in zip(verdicts, certainties, strict=True) if verdict in FAR]
        if missed:
            return next(verdict for verdict in verdicts if verdict in FAR), min(missed, key=ORDER.index)
        return (Verdict.UNDECIDED, "open") if Verdict.UNDECIDED in verdicts else (Verdict.WITHIN, weakest(certainties))

    def beyond(self, figure: Ratio, low: float, high: float) -> float:
        """Return how far outside its band a figure may lie, by the interval that can show it inside."""
        least, most = figure.interval(self.met)[1:3]
        return float(np.nan_to_num(max(low - least, most - high, 0.0), posinf=0.0))

    def games(self, figure: Ratio, low: float, high: float) -> float:
        """Return the fewest games that show with a probability of 80% that a figure lies in its band, or outside it.

        These suffice if the true value is the one in the figure's own interval that is decided soonest.
        """
        _, least, most, _ = figure.interval()
        if not np.isfinite(most - least):
            return np.inf
        return self.games_for((least, most), (most - least) / 2 / QUANTILE, len(figure.m), low, high)

    def games_for(self, ends: Sequence[float], error: float, games: float, low: float, high: float) -> float:
        """Return the same for true values between two ends, with their standard error in this many games."""
        centre, half, inside, outside = _as_margin(low, high)
        effect = (ends[0] - centre, ends[1] - centre, error, games, half)
        met = games_to_decide(*effect, quantile_for(self.sets), inside)[0]
        return float(min(met, games_to_decide(*effect, quantile_for(self.sets * self.figures), outside)[0]))


def _as_margin(low: float, high: float) -> tuple[float, float, frozenset[Verdict], frozenset[Verdict]]:
    """Return a band as a value and a margin around it, with the verdicts that mean inside and outside."""
    if np.isfinite(high - low):
        return (low + high) / 2, (high - low) / 2, frozenset({Verdict.WITHIN}), FAR
    return (low, 0.0, HIGHER, LOWER) if np.isfinite(low) else (high, 0.0, LOWER, HIGHER)


def too_few_for(half: float, error: float, games: float, sets: int) -> float | None:
    """Return the games needed to call the middle of a band of this half-width met with 80%; None if these suffice."""
    needed = float(games_to_decide(0.0, 0.0, error, games, half, quantile_for(sets), {Verdict.WITHIN})[0])
    return needed if needed > games + 1 else None


# --- Distance from all bands


def without_noise(
    value: np.ndarray, draws: np.ndarray, beyond: Callable[[np.ndarray], np.ndarray]
) -> tuple[float, float, float]:
    """Return the distance of figures from their bands with its 95% interval, without what chance adds to it.

    `beyond` returns for figures (…, figures) how far each wish lies beyond its band, below 0 within; the distance is the sum of
    what lies outside. Misses are never below 0, so near the goals chance only adds to them. How much it adds is estimated by
    adding chance once more, in `draws` of the figures around these with their errors (the parametric bootstrap; B. Efron and R.
    Tibshirani, An Introduction to the Bootstrap, 1993). Subtracting that once is too little at the edge of a band and right
    elsewhere; subtracting it CORRECTION times errs by at most 0.16 standard errors of a figure where there are several, and by
    0.3 for a single one at its edge, because no distance is below 0.
    """
    observed, drawn = float(np.maximum(beyond(value), 0).sum()), beyond(draws)
    added = float(np.maximum(drawn, 0).sum(axis=1).mean()) - observed
    distance = max(0.0, observed - CORRECTION * added)
    # The error of the wishes that may be missed, taken as linear: values within their bands count as negative.
    missable = (drawn > 0).mean(axis=0) > SIGNIFICANT / 2
    reach = QUANTILE * float(drawn[:, missable].sum(axis=1).std())
    return distance, max(0.0, distance - reach), distance + reach + (CORRECTION - 1) * added


def is_more(gap: float, error: float, questions: int = 1) -> bool:
    """Return whether a difference is shown to be above 0, by the interval of one of this many."""
    reach = quantile_for(questions) * error
    return read(gap - reach, gap + reach, 0.0) in HIGHER


def ends_of(value: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Return normal estimates and the ends of their 95% intervals, (3, …)."""
    reach = QUANTILE * np.sqrt(variance)
    return np.stack([value, value - reach, value + reach])


def agree(a: Sequence[float], b: Sequence[float]) -> bool:
    """Return whether the 95% interval of the difference of two figures, made of both their 95% intervals, holds 0.

    R. Newcombe, Statistics in Medicine 17, 1998, method 10.
    """
    (value, low, high), (other, least, most) = a, b
    return bool(-np.hypot(high - value, other - least) <= value - other <= np.hypot(value - low, most - other))
