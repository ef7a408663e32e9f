"""Rates with intervals, and the margins that matter to a designer."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

# --- What matters to a designer: the relevance margins, unless an option says otherwise

POINTS = 2.0  # percentage points, of leaders, seats, cards and all other shares
PRECISION = 0.01  # half-width wanted of a figure that is compared: a share, of the rounds a share of their mean
ROUNDS = 1.0  # the length of a game
RATING = 18.0  # rating points: 400 log10 of the odds ratio, as two points of the win rate are at tables of four
DEEDS = 0.5  # cities founded, wonders built … in a game by all seats together


# --- Rates with intervals
#
# Intervals are Wilson's score intervals (E. B. Wilson, "Probable inference, the law of succession, and statistical
# inference", JASA 22, 1927; recommended by Brown, Cai and DasGupta, "Interval estimation for a binomial proportion",
# Statistical Science 16, 2001): with z the normal quantile, p = wins / n,
#
#     (p + z²/2n ± z √(p(1 - p)/n + z²/4n²)) / (1 + z²/n)
#
# A win shared by k seats counts 1/k for each of them, so `wins` need not be whole. Such fractions vary less than whole wins
# and losses of the same mean, by √3 for the halves of partners at a fair share of a quarter; given their squares, intervals
# are those of as many cases as vary like them (`as_cases`).

CONFIDENCE = 0.95
SMALL_SAMPLE = 100  # below this n a rate is flagged
CLUSTERED = 25  # wins, or losses, below which a design effect is not trusted to narrow an interval
MANY_LEADERS, ENOUGH = 12, 500  # with this many leaders, a rate of fewer games is not a headline: the largest is so by chance
FEW_CASES = 10  # wins, or losses, below which the normal intervals of a model are not trusted


def wilson(wins: Any, n: Any, confidence: float = CONFIDENCE) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower and upper ends of Wilson's interval (E. B. Wilson, 1927); NaN where n is 0."""
    wins, n = np.broadcast_arrays(np.asarray(wins, float), np.asarray(n, float))
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = wins / n
        middle = p + z * z / (2 * n)
        spread = z * np.sqrt(np.clip(p * (1 - p), 0, None) / n + z * z / (4 * n * n))
        scale = 1 + z * z / n
        low, high = (middle - spread) / scale, (middle + spread) / scale
    # Rounding must not leave an end beside 0 or 1.
    low, high = np.clip(low, 0, 1), np.clip(high, 0, 1)
    return np.where(wins <= 0, np.where(n > 0, 0.0, np.nan), low), np.where(wins >= n, np.where(n > 0, 1.0, np.nan), high)


def with_ends(wins: float, n: float) -> tuple[float, float, float]:
    """Return a rate and the ends of its Wilson interval."""
    low, high = wilson(wins, n)
    return wins / n, float(low), float(high)


def rate_columns(wins: Any, n: Any, name: str) -> dict[str, Any]:
    """Return the columns `name`, `name_low` and `name_high`."""
    low, high = wilson(wins, n)
    return {name: np.asarray(wins, float) / np.where(n > 0, n, np.nan), f"{name}_low": low, f"{name}_high": high}


def clustered_rate_columns(wins: Any, n: Any, squares: Any, name: str, confidence: float = CONFIDENCE) -> dict[str, Any]:
    """Return the columns of a rate whose cases come in games: several claims of one game share its win.

    `squares` is Σ (y - rate · m)² over the games, with y wins among m cases of a game. Its ratio to that of independent cases,
    n rate (1 - rate), is the design effect (L. Kish, Survey Sampling, 1965); the interval is Wilson's for n over it (E. Korn
    and B. Graubard, Survey Methodology 24, 1998). With fewer than CLUSTERED wins, or losses, the design effect is poorly
    estimated, and the interval is no narrower than that of independent cases.
    """
    wins, n, squares = (np.asarray(value, float) for value in (wins, n, squares))
    low, high = wilson(*as_cases(wins, n, squares), confidence)
    return {name: wins / np.where(n > 0, n, np.nan), f"{name}_low": low, f"{name}_high": high}


def as_cases(wins: Any, n: Any, squares: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the wins and number of independent cases with the same variance; `squares` as in `clustered_rate_columns`."""
    wins, n, squares = (np.asarray(value, float) for value in (wins, n, squares))
    with np.errstate(divide="ignore", invalid="ignore"):
        alone = wins * (n - wins) / n
        effect = np.where(alone > 0, squares / alone, 1.0)
    few = np.minimum(wins, n - wins) < CLUSTERED
    effect = np.where(few, np.maximum(effect, 1.0), np.maximum(effect, 1e-9))
    return wins / effect, n / effect


@dataclass(frozen=True)
class WinShare:
    """The mean share of the win over n games, and its standard error.

    The share of a game is 1 for a sole winner, 1/k for one of k, 0 else; every game counts as one observation.
    """

    share: float
    error: float
    n: int

    def interval(self) -> tuple[float, float]:
        """Return Wilson's 95% interval of as many cases as vary so; it has a width even if all games were lost."""
        squares = self.error**2 * self.n * (self.n - 1) if self.n > 1 else self.share * (1 - self.share)
        low, high = wilson(*as_cases(self.share * self.n, self.n, squares))
        return float(low), float(high)


def share_between(values: Any, counts: Any, low: float, high: float) -> float:
    """Return the share of `values`, which occur `counts` times, from `low` to `high`, both included."""
    values, counts = np.asarray(values, float), np.asarray(counts, float)
    return float(counts[(values >= low) & (values <= high)].sum() / counts.sum()) if counts.sum() else float("nan")


def hardly_any(wins: Any, n: Any) -> Any:
    """Return where there are fewer than FEW_CASES wins, or losses, in n games that someone won.

    A level that hardly ever wins (or loses) is nearly separated: the estimate of a logit diverges, with an error far too small
    (A. Albert and J. Anderson, Biometrika 71, 1984).
    """
    return np.minimum(wins, n - wins) < FEW_CASES


def places(low: Any, high: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the best and the worst place of each entry that the intervals do not exclude.

    An entry is behind another only if its whole interval lies below the other's.
    """
    low, high = np.asarray(low, float), np.asarray(high, float)
    return 1 + (low[None, :] > high[:, None]).sum(axis=1), len(low) - (high[None, :] < low[:, None]).sum(axis=1)


def ranks(low: Any, high: Any) -> list[str]:
    """Return the places each entry may take in words, such as '1-3' (`places`)."""
    return in_words(*places(low, high))


def in_words(best: Any, worst: Any) -> list[str]:
    """Return the places from the best to the worst in words, such as '1-3'."""
    return [f"{a}" if a == b else f"{a}-{b}" for a, b in zip(best, worst, strict=True)]


def median_of_counts(values: Any, counts: Any) -> float:
    """Return the median of `values` that occur `counts` times; NaN if none does."""
    order = np.argsort(np.asarray(values))
    values, counts = np.asarray(values, float)[order], np.asarray(counts)[order]
    total = counts.sum()
    if total == 0:
        return float("nan")
    reached = np.cumsum(counts)
    lower = values[np.searchsorted(reached, (total + 1) // 2)]
    upper = values[np.searchsorted(reached, total // 2 + 1)]
    return float(lower + upper) / 2


def quantile_of_counts(values: Any, counts: Any, share: float) -> float:
    """Return the smallest of `values`, which occur `counts` times, that at least this share do not exceed; NaN if none.

    The median may lie halfway between two values.
    """
    if share == 0.5:
        return median_of_counts(values, counts)
    order = np.argsort(np.asarray(values))
    values, reached = np.asarray(values, float)[order], np.cumsum(np.asarray(counts)[order])
    if not len(reached) or reached[-1] == 0:
        return float("nan")
    return float(values[np.searchsorted(reached, max(1, np.ceil(share * reached[-1])))])
