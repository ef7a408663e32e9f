"""Figures that are wanted in bands: whether each lies in its own, how far all of them are from theirs, what games would tell.

A figure is a ratio Σy / Σm over games. It is *met* if an interval lies in its band whole that holds for all `sets` of figures
together: that every figure of a set is met needs no correction for their number (R. Berger, Technometrics 24, 1982). It is
*missed* if one lies outside whole that holds for all sets and figures together; else it is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from .answer import (
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
from .inference import QUANTILE, SIGNIFICANT
from .rates import CONFIDENCE, clustered_rate_columns

DRAWS, CORRECTION = 2_000, 1.5


@dataclass(frozen=True)
class Ratio:
    """A figure of games: numerators and denominators by game; of a mean (`mean`) the denominators are 0 or 1."""

    y: np.ndarray
    m: np.ndarray
    mean: bool = False

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float, float, int]:
        """Return the figure, the ends of its interval, and of how many cases it is: Student's, or Wilson's by games."""
        n = float(self.m.sum())
        if n == 0:
            return np.nan, -np.inf, np.inf, 0
        if self.mean:
            values = self.y[self.m > 0]
            reach = float(stats.t.ppf(0.5 + confidence / 2, n - 1)) * values.std(ddof=1) / np.sqrt(n) if n > 1 else np.inf
            return float(values.mean()), float(values.mean() - reach), float(values.mean() + reach), int(n)
        squares = ((self.y - self.y.sum() / n * self.m) ** 2).sum()
        found = clustered_rate_columns(self.y.sum(), n, squares, "x", confidence)
        return float(found["x"]), float(found["x_low"]), float(found["x_high"]), int(n)


@dataclass(frozen=True)
class Asked:
    """How many sets of figures are judged together, and how many figures each has."""

    sets: int
    figures: int

    @property
    def met(self) -> float:
        """Confidence of intervals that show figures to lie in their bands."""
        return 1 - SIGNIFICANT / self.sets

    @property
    def missed(self) -> float:
        """Confidence of intervals that show figures to lie outside."""
        return 1 - SIGNIFICANT / (self.sets * self.figures)

    def verdict(self, figure: Ratio, low: float, high: float) -> Verdict:
        """Return whether a figure lies in its band."""
        return in_band(figure.interval(self.met)[1:3], figure.interval(self.missed)[1:3], low, high)

    def certainty(self, figure: Ratio, low: float, high: float) -> str:
        """Return how sure it is that a figure lies in its band, or outside of it: whichever is shown."""
        verdict = self.verdict(figure, low, high)
        if verdict is Verdict.UNDECIDED:
            return "open"
        centre, half, *_ = _as_margin(low, high)
        confidence, questions = (self.met, self.sets) if verdict is Verdict.WITHIN else (self.missed, self.sets * self.figures)
        if not half:  # a band with one end: on which side of it
            verdict = Verdict.ABOVE if (verdict is Verdict.WITHIN) == bool(np.isfinite(low)) else Verdict.BELOW
        value, least, most = (one - centre for one in figure.interval(confidence)[:3])
        return certainty_of(adjusted_p(verdict, value, least, most, half, questions))

    def of_several(self, figures: Sequence[tuple[Ratio, float, float]]) -> tuple[Verdict, str]:
        """Return the verdict on a wish that several figures are to lie in their bands for, and how sure it is."""
        verdicts = [self.verdict(*one) for one in figures]
        sure = [self.certainty(*one) for one in figures]
        missed = [certainty for verdict, certainty in zip(verdicts, sure, strict=True) if verdict in FAR]
        if missed:
            return next(verdict for verdict in verdicts if verdict in FAR), min(missed, key=ORDER.index)
        return (Verdict.UNDECIDED, "open") if Verdict.UNDECIDED in verdicts else (Verdict.WITHIN, weakest(sure))

    def beyond(self, figure: Ratio, low: float, high: float) -> float:
        """Return how far outside its band a figure may lie, by the interval that would show it to lie within."""
        least, most = figure.interval(self.met)[1:3]
        return float(np.nan_to_num(max(low - least, most - high, 0.0), posinf=0.0))

    def games(self, figure: Ratio, low: float, high: float) -> float:
        """Return the fewest games that show with a probability of 80% that a figure lies in its band, or that it does not.

        They are those that its true value needs if it is the one, in the figure's own interval, that is told soonest.
        """
        _, least, most, _ = figure.interval()
        if not np.isfinite(most - least):
            return np.inf
        return self.games_for((least, most), (most - least) / 2 / QUANTILE, len(figure.m), low, high)

    def games_for(self, true: Sequence[float], error: float, games: float, low: float, high: float) -> float:
        """Return the same for true values between two ends, with the error that they have in so many games."""
        centre, half, inside, outside = _as_margin(low, high)
        asked = (true[0] - centre, true[1] - centre, error, games, half)
        met = games_to_decide(*asked, quantile_for(self.sets), inside)[0]
        return float(min(met, games_to_decide(*asked, quantile_for(self.sets * self.figures), outside)[0]))


def _as_margin(low: float, high: float) -> tuple[float, float, frozenset[Verdict], frozenset[Verdict]]:
    """Return a band as a value and a margin around it, and the verdicts that say that a figure lies in it, and outside."""
    if np.isfinite(high - low):
        return (low + high) / 2, (high - low) / 2, frozenset({Verdict.WITHIN}), FAR
    return (low, 0.0, HIGHER, LOWER) if np.isfinite(low) else (high, 0.0, LOWER, HIGHER)


def too_few_for(half: float, error: float, games: float, sets: int) -> float | None:
    """Return how many games a band of half a width needs to be called met in its middle with 80%; None if these do."""
    needed = float(games_to_decide(0.0, 0.0, error, games, half, quantile_for(sets), {Verdict.WITHIN})[0])
    return needed if needed > games + 1 else None


# --- How far from all bands


def without_noise(
    value: np.ndarray, draws: np.ndarray, beyond: Callable[[np.ndarray], np.ndarray]
) -> tuple[float, float, float]:
    """Return the distance of figures with its 95% interval, without what chance adds to it.

    `beyond` says of figures (…, figures) how far each wish lies beyond its band, below 0 within; the distance adds up what lies
    outside. Misses are never below 0, so near the goals chance only adds to them. How much is seen where chance is added once
    more, in `draws` of the figures around these with their errors (the parametric bootstrap; B. Efron and R. Tibshirani, An
    Introduction to the Bootstrap, 1993). Once that much is too little at the edge of a band and right elsewhere; CORRECTION
    times it errs by at most 0.16 standard errors of a figure, wherever in the band or outside it lies, where there are several;
    by 0.3 for a single one at its edge, for no distance is below 0.
    """
    found, drawn = float(np.maximum(beyond(value), 0).sum()), beyond(draws)
    added = float(np.maximum(drawn, 0).sum(axis=1).mean()) - found
    distance = max(0.0, found - CORRECTION * added)
    # The error of the wishes that may be missed, as if what lies within counted against it: that of a sum without a corner.
    maybe = (drawn > 0).mean(axis=0) > SIGNIFICANT / 2
    reach = QUANTILE * float(drawn[:, maybe].sum(axis=1).std())
    return distance, max(0.0, distance - reach), distance + reach + (CORRECTION - 1) * added


def is_more(gap: float, error: float, questions: int = 1) -> bool:
    """Say whether a difference is shown to be above 0, by the interval of one of so many."""
    reach = quantile_for(questions) * error
    return read(gap - reach, gap + reach, 0.0) in HIGHER


def ends_of(value: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Return normal estimates and the ends of their 95% intervals, (3, …)."""
    reach = QUANTILE * np.sqrt(variance)
    return np.stack([value, value - reach, value + reach])


def agree(one: Sequence[float], other: Sequence[float]) -> bool:
    """Say whether two figures with their 95% intervals may be one: whether the 95% interval of their difference holds 0.

    It is made of both intervals (R. Newcombe, Statistics in Medicine 17, 1998, method 10).
    """
    (value, low, high), (own, least, most) = one, other
    return bool(-np.hypot(high - value, own - least) <= value - own <= np.hypot(value - low, most - own))
