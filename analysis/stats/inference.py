"""Many figures at once: simultaneous intervals, adjusted p values, ranks, rare changes, the spread of true rates."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, special, stats

from .rates import CONFIDENCE, SMALL_SAMPLE, as_cases, wilson

# --- Statements about many figures at once
#
# Intervals that hold together, adjusted p values, simultaneous ranks.
#
# Verdicts of a table are read off its simultaneous intervals (`together`): of m questions each gets an interval of level 1 -
# 5%/m, so that all of them hold in 95% of runs (C. Bonferroni 1936; O. Dunn, JASA 56, 1961), and a figure differs from what
# it is compared with if its interval does not hold that value. The adjusted p value, m p, says the same. Holm's steps (S.
# Holm, Scandinavian Journal of Statistics 6, 1979) find a little more, but no interval belongs to them that says more of a
# figure found than its sign (O. Guilbaud, Biometrical Journal 50, 2008); `holm` serves tables without such intervals. Ranks
# are simultaneous 95% confidence sets (M. Mogstad, J. Romano, A. Shaikh and D. Wilhelm, "Inference for ranks", Review of
# Economic Studies 91, 2024): all of them hold together in 95% of runs.

SIGNIFICANT = 1 - CONFIDENCE

# A run's report asks many families of questions, a table each, and with 5% for each of them any says something false in one
# report of five. So a report has 8% in all. The leaders, for whom runs are played, keep their 5%; the other tables share the
# rest evenly, whether a report has all of them or not, so that a table says the same by itself (alpha allocated in advance,
# unevenly: L. Moyé, Statistics in Medicine 19, 2000; weights: R. Rosenthal and D. Rubin, Psychological Bulletin 94, 1983).
REPORT_ERROR = 0.08  # the chance that anything in a run's report is said falsely, at most
FAMILIES = (
    "turn order", "strategies", "leaders by strategy", "leaders with strategies", "leaders once one is mended",
    "pairs of leaders", "leaders by card", "leaders by card set", "length by card set", "agendas of winners",
    "times of winners", "agendas of leaders", "world wonders", "cities of winners", "focus cards", "focus cards of winners",
    "who is ahead", "who is behind", "winners' courses", "places of winners", "start places", "districts", "exploring",
    "forts", "governments", "unique cards",
)  # fmt: skip
SHARED = math.ceil(len(FAMILIES) * SIGNIFICANT / (REPORT_ERROR - SIGNIFICANT))


def weight_of(family: str) -> int:
    """Return as of how many questions each of a family counts; "" is one that has the whole 5%, as leaders and answers have."""
    if family and family not in FAMILIES:
        raise ValueError(f"family {family!r}: expected one of FAMILIES, or ''")
    return SHARED if family else 1


ALL = ("", "_all_low", "_all_high")  # ends of the names of columns: a figure and its interval for all rows together
ENDS = ("", "_low", "_high", "_all_low", "_all_high")  # and its own
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
    return np.asarray(2 * special.ndtr(-z))  # ten times as fast as the same number by scipy.stats


Ends = Callable[[float], tuple[np.ndarray, np.ndarray]]  # the ends of a table's intervals, by their confidence


def together(
    name: str, p: Any, ends: Ends, questions: float | None = None, null: Any = 0.0, family: str = ""
) -> dict[str, np.ndarray]:
    """Return the columns `p`, `p_adjusted`, `<name>_all_low` and `<name>_all_high`: intervals that hold for all rows together.

    `p` are the p values of the single questions "is it `null`?", NaN where nothing is tested; `questions` is their number
    unless each row is one (`distinct`), `family` the table of a report they are (`weight_of`). An interval leaves `null`
    out exactly where `p_adjusted` is at most 5%: where test and interval rest on different approximations, the more careful of
    the two decides for both. Rows that are not tested have an interval of the same level, but no share in the promise.
    """
    p = np.array(p, float)
    number = weight_of(family) * max(1, int((~np.isnan(p)).sum()) if questions is None else questions)
    tail = SIGNIFICANT / number
    low, high = (np.array(end, float) for end in ends(1 - tail))
    tested = ~np.isnan(p) & ~np.isnan(low)
    null = np.broadcast_to(null, p.shape)
    held = tested & (low <= null) & (null <= high)
    for row in np.flatnonzero(held & (p <= tail)):
        p[row] = _touching(int(row), ends, tail, null[row])
    doubtful = tested & ~(number * p <= SIGNIFICANT)
    low, high = np.where(doubtful, np.minimum(low, null), low), np.where(doubtful, np.maximum(high, null), high)
    return {"p": p, "p_adjusted": np.minimum(1, number * p), f"{name}_all_low": low, f"{name}_all_high": high}


def _touching(row: int, ends: Ends, tail: float, null: float) -> float:
    """Return the p value of a row's interval: the tail, above this one, with which an end of it lies at `null`."""
    below, above = tail, 1.0
    for _ in range(40):
        middle = (below + above) / 2
        low, high = (end[row] for end in ends(1 - middle))
        below, above = (middle, above) if low <= null <= high else (below, middle)
    return above


def normal_ends(estimate: Any, error: Any) -> Ends:
    """Return the ends of normal intervals."""
    estimate, error = np.asarray(estimate, float), np.asarray(error, float)

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        reach = -float(special.ndtri((1 - confidence) / 2)) * error
        return estimate - reach, estimate + reach

    return ends


def skewed_ends(estimate: Any, error: Any, skew: Any) -> Ends:
    """Return the ends of intervals of estimates whose errors have a skewness: normal ones, wider where the tail is heavier.

    The heavier tail is that of the gamma distribution of the same mean, variance and skewness (Pearson's type III).
    """
    estimate, error, skew = (np.asarray(value, float) for value in (estimate, error, skew))
    shape = _shape(skew)

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        tail = (1 - confidence) / 2
        usual = -float(special.ndtri(tail))
        heavier = np.maximum(usual, (special.gammainccinv(shape, tail) - shape) / np.sqrt(shape))
        below, above = np.where(skew > 0, heavier, usual), np.where(skew < 0, heavier, usual)
        return estimate - below * error, estimate + above * error

    return ends


def skewed(estimate: Any, error: Any, skew: Any) -> np.ndarray:
    """Return the two-sided p values against zero that belong to `skewed_ends`."""
    estimate, error, skew = (np.asarray(value, float) for value in (estimate, error, skew))
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where((estimate == 0) & (error == 0), 0.0, np.abs(estimate) / error)
    shape = _shape(skew)
    heavier = np.where(estimate * skew > 0, special.gammaincc(shape, shape + np.sqrt(shape) * z), 0)
    return np.asarray(2 * np.maximum(special.ndtr(-z), np.minimum(heavier, 0.5)))


def _shape(skew: np.ndarray) -> np.ndarray:
    """Return the shape of the gamma distribution with a skewness."""
    return np.asarray(4 / np.maximum(np.abs(skew), 1e-2) ** 2)


def widened(estimate: Any, low: Any, high: Any, changed: Any = 1) -> Ends:
    """Return the ends of 95% intervals as they would be with another confidence, were they normal on either side.

    Where none of the pairs of games `changed` they are those of a Poisson count of none, exactly.
    """
    estimate, low, high = (np.asarray(value, float) for value in (estimate, low, high))
    none = np.asarray(changed) == 0

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        tail = (1 - confidence) / 2
        normal = -float(special.ndtri(tail)) / QUANTILE
        times = np.where(none, np.log(tail) / np.log(SIGNIFICANT / 2), normal)
        return estimate - times * (estimate - low), estimate + times * (high - estimate)

    return ends


def of_intervals(name: str, value: Any, low: Any, high: Any, p: Any, changed: Any = 1) -> dict[str, np.ndarray]:
    """Return the columns of `together` of figures that have 95% intervals; `p` follows from these where it is NaN.

    `changed`: the pairs of games that do (`widened`).
    """
    value, low, high, p = (np.asarray(one, float) for one in (value, low, high, p))
    p = np.where(np.isnan(p), two_sided(value, (high - low) / (2 * QUANTILE)), p)
    return together(name, p, widened(value, low, high, changed))


def distinct(estimate: Any, p: Any, group: Any = None) -> int:
    """Return the number of different questions among the rows that are tested.

    Two rows of a group that mirror each other are one: the two sides of a duel, the two agendas of a card that every
    winner has claimed by one of them.
    """
    x, tested = np.asarray(estimate, float), ~np.isnan(np.asarray(p, float))
    code = np.zeros(len(x), np.intp) if group is None else pd.factorize(np.asarray(group))[0]
    size, total = np.bincount(code[tested]), np.bincount(code[tested], np.nan_to_num(x[tested]))
    mirrored = (size == 2) & (np.abs(total) < 1e-9)
    return int(size.sum() - mirrored.sum())


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


def around(name: str, estimate: Any, error: Any) -> dict[str, np.ndarray]:
    """Return the columns `name`, `name_low` and `name_high`: a normal estimate with its 95% interval."""
    reach = QUANTILE * error
    return {name: estimate, f"{name}_low": estimate - reach, f"{name}_high": estimate + reach}


def normal_together(
    name: str, estimate: Any, error: Any, few: Any = False, questions: float | None = None, family: str = ""
) -> dict[str, np.ndarray]:
    """Return the columns of `around` and `together` of normal estimates; where cases are `few` nothing is tested."""
    p = np.where(few, np.nan, two_sided(estimate, error))
    return around(name, estimate, error) | together(name, p, normal_ends(estimate, error), questions, family=family)


def points_above(frame: pd.DataFrame, rate: str, share: Any) -> dict[str, Any]:
    """Return `points` with intervals: those of a rate less a share, in percentage points."""
    return {f"points{end}": 100 * (frame[f"{rate}{end}"] - share) for end in ENDS}


def rate_difference(
    name: str, wins: Any, n: Any, other_wins: Any, other_n: Any, group: Any = None, family: str = ""
) -> dict[str, np.ndarray]:
    """Return columns of the difference of two rates of separate games, in percentage points: intervals, `p`, `p_adjusted`.

    The intervals are Newcombe's (`newcombe`); `p` is that of the pooled two-sample z test, or where there are fewer than FEW
    wins (or losses), that of the exact test, if larger (`with_few`). `group`: see `distinct`; `family`: see `weight_of`.
    """
    wins, n, other_wins, other_n = (np.asarray(value, float) for value in (wins, n, other_wins, other_n))
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = 100 * (wins / n - other_wins / other_n)
        pooled = (wins + other_wins) / (n + other_n)
        error = 100 * np.sqrt(np.clip(pooled * (1 - pooled), 0, None) * (1 / n + 1 / other_n))
    p = with_few(two_sided(gap, error), wins, n, other_wins, other_n)
    ends = newcombe(wins, n, other_wins, other_n)
    low, high = ends(CONFIDENCE)
    found = {name: gap, f"{name}_low": low, f"{name}_high": high}
    return found | together(name, p, ends, distinct(gap, p, group), family=family)


def newcombe(wins: Any, n: Any, other_wins: Any, other_n: Any) -> Ends:
    """Return the ends of the intervals of differences of two rates, in percentage points.

    R. Newcombe, Statistics in Medicine 17, 1998, method 10: both rates' Wilson intervals combined; good for small samples.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = wins / n, other_wins / other_n

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        (low_a, high_a), (low_b, high_b) = wilson(wins, n, confidence), wilson(other_wins, other_n, confidence)
        low, high = a - b - np.hypot(a - low_a, high_b - b), a - b + np.hypot(high_a - a, b - low_b)
        return 100 * low, 100 * high

    return ends


def against_share(name: str, wins: Any, n: Any, share: Any, least: int = 0, family: str = "") -> dict[str, np.ndarray]:
    """Return `p`, `p_adjusted` and the simultaneous intervals of rates tested against a share: Wilson's interval as a test.

    Below `least` cases nothing is tested.
    """
    wins, n, share = np.broadcast_arrays(*(np.asarray(value, float) for value in (wins, n, share)))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = two_sided(wins / n - share, np.sqrt(share * (1 - share) / n))
    p = np.where(n >= max(least, 1), p, np.nan)
    questions = distinct(wins / np.maximum(n, 1) - share, p)
    return together(name, p, lambda confidence: wilson(wins, n, confidence), questions, share, family)


def surplus(name: str, wins: Any, n: Any, squares: Any, share: float) -> dict[str, np.ndarray]:
    """Return the columns of rates less a share, in percentage points, with simultaneous intervals, `p` and `p_adjusted`.

    `squares`: as in `rates.clustered_rate_columns`.
    """
    tested = against_share(name, *as_cases(wins, n, squares), share)
    tested |= {end: 100 * (tested[end] - share) for end in (f"{name}_all_low", f"{name}_all_high")}
    return {name: 100 * (np.asarray(wins, float) / np.asarray(n, float) - share), **tested}


def score_ends(rate: Any, error: Any) -> Ends:
    """Return the ends of Wilson's intervals of rates by their standard errors, as if of so many cases as these come from.

    Normal ones where a rate has no error, or is not between 0 and 1.
    """
    rate, error = np.asarray(rate, float), np.asarray(error, float)
    usual, sure = normal_ends(rate, error), (error > 0) & (rate > 0) & (rate < 1)
    n = _cases(rate, error)

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        pairs = zip(wilson(rate * n, n, confidence), usual(confidence), strict=True)
        low, high = (np.where(sure, score, normal) for score, normal in pairs)
        return low, high

    return ends


def score_against_share(rate: Any, error: Any, share: Any) -> np.ndarray:
    """Return the p values of rates against a share that belong to `score_ends`: by the error at that share."""
    rate, error, share = (np.asarray(value, float) for value in (rate, error, share))
    sure = (error > 0) & (rate > 0) & (rate < 1)
    there = np.sqrt(share * (1 - share) / _cases(rate, error))
    return two_sided(rate - share, np.where(sure, there, error))


def _cases(rate: np.ndarray, error: np.ndarray) -> np.ndarray:
    """Return of how many independent cases a rate would have this error."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(error > 0, np.clip(rate * (1 - rate), 1e-12, None) / error**2, 1.0)


def exact_against_share(wins: Any, n: Any, share: Any) -> np.ndarray:
    """Return two-sided exact p values of rates against a share: twice the smaller binomial tail; 1 where there are no cases.

    Shared wins count in parts, so the tails are those of the incomplete beta function.
    """
    wins, n, share = np.broadcast_arrays(*(np.asarray(value, float) for value in (wins, n, share)))
    return np.minimum(1, 2 * np.minimum(_at_least(wins, n - wins, share), _at_least(n - wins, wins, 1 - share)))


def exact_ends(wins: Any, n: Any) -> Ends:
    """Return the ends of exact intervals of rates, which hold with any number of cases.

    C. Clopper and E. Pearson, Biometrika 26, 1934; with shared wins in parts by the incomplete beta function.
    """
    wins, n = np.asarray(wins, float), np.asarray(n, float)
    lost = n - wins

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        tail = (1 - confidence) / 2
        low = np.where(wins > 0, special.betaincinv(np.maximum(wins, 1e-9), lost + 1, tail), 0.0)
        high = np.where(lost > 0, special.betaincinv(wins + 1, np.maximum(lost, 1e-9), 1 - tail), 1.0)
        return low, high

    return ends


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

    def difference_columns(self, name: str, least: int = 0, family: str = "") -> dict[str, np.ndarray]:
        """Return each group's mean less that of all others: difference, intervals, `p` (B. Welch, Biometrika 34, 1947).

        Below `least` cases on either side nothing is tested (`p` is NaN): a few games of one length have no spread at all.
        """
        other = self.others()
        (a, one), (b, two) = self.mean_and_square(), other.mean_and_square()
        with np.errstate(divide="ignore", invalid="ignore"):
            freedom = (one + two) ** 2 / (one**2 / (self.n - 1) + two**2 / (other.n - 1))
        error, freedom = np.sqrt(one + two), np.where(np.isfinite(freedom), np.maximum(freedom, 1), 1)

        def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
            reach = stats.t.isf((1 - confidence) / 2, freedom) * error
            return a - b - reach, a - b + reach

        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where((a == b) & (error == 0), 0.0, np.abs(a - b) / error)
        p = np.where(np.minimum(self.n, other.n) < least, np.nan, 2 * stats.t.sf(z, freedom))
        low, high = ends(CONFIDENCE)
        found = {name: a - b, f"{name}_low": low, f"{name}_high": high}
        return found | together(name, p, ends, distinct(a - b, p), family=family)


# --- Pairs of games that hardly ever differ
#
# What a change can still be, where the pairs that changed are few or none.
#
# A figure that no pair of 400 changes has no spread to make an interval of, and yet a change may be there that comes once in
# 200 pairs. So how often pairs change is bounded by exact intervals of Poisson counts, and what they come to by how far
# changed pairs are apart. Coverage: tests/analysis/test_rare.py and test_compare.py.

RARE_FEW = 25  # pairs that differ, below which normal approximations are not trusted


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


# --- How far apart several true rates are
#
# Their standard deviation, without what chance adds to the observed one.
#
# With p the L estimated rates, V the covariance of their errors and C = I - 11'/L,
#
#     σ² = (p'Cp - tr(CV)) / (L - 1)
#
# is an unbiased estimate of the variance of the true rates (the method of moments of W. Cochran, Biometrics 10, 1954); the
# spread is its root, 0 where chance explains all.
#
# Interval. p'Cp is a weighted sum of noncentral χ²; the sum with the same mean and variance of one kind (F. Satterthwaite,
# Biometrics Bulletin 2, 1946) is c χ²(ν, λ/c), with c = tr(CVCV) / tr(CV), ν = tr(CV)² / tr(CVCV) and λ = (L - 1) σ²; the
# interval inverts its distribution in λ. It begins at 0 where equal rates are possible.
#
# Difference of two spreads. The interval combines the two (MOVER: G. Zou and A. Donner, Statistics in Medicine 27, 2008),
# with the correlation of the two estimates, so that games on the same seeds narrow it. Towards a spread that may be 0, whose
# error is not normal, the two reaches are added instead. The p value is that of the difference of the two variances, whose
# error is V's: 4 p'AVAp - 2 tr(AVAV), A = diag(-C, C), for both together. Both are measured on drawn games in
# tests/analysis/test_rate_spread.py.
#
# Partial pooling. Where each rate has few games, the rate furthest off is so by chance, too: better guesses lie nearer to the
# mean, by as much as chance explains of the spread (C. Stein 1956; B. Efron and C. Morris, JASA 70, 1975). `partial_pooling`
# takes the spread for unknown, with a prior that is uniform in its square, so its intervals hold on the average over the
# rates where those with an estimated spread would be too narrow (C. Morris and R. Tang, Statistical Science 26, 2011). Where
# all rates are equal they hold more.

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


# --- Pairs of games of the same seeds
#
# What a change makes of a figure, from one game of a pair to the other.
#
# `change` is the mean of the differences d over the n pairs that count, and its interval
#
#     mean ± z s / √n        (s: standard deviation of d, z: normal quantile)
#
# which is as wide as the games really differ. Where fewer than RARE_FEW pairs differ, a share's interval is that of two
# Poisson counts (`rare_interval`): pairs that all agree do not prove that none ever differs. The median has an interval from
# resampled pairs (bootstrap, percentiles, fixed seed), and is tested against nothing.

RESAMPLES = 1000
UNTESTED = {"p": np.nan, "error": np.nan, "rare": False, "ups": 0.0, "downs": 0.0}


def changes_together(frame: pd.DataFrame) -> pd.DataFrame:
    """Return rows of the functions below with intervals of their own and some that hold for all tested ones together."""
    error, p = frame["error"].to_numpy(), frame["p"].to_numpy()
    change, rare, ups, downs, n = (frame[name].to_numpy() for name in ("change", "rare", "ups", "downs", "n"))

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = normal_ends(change, error)(confidence)
        below, above = rare_interval(ups, downs, n, confidence)
        return np.where(rare, below, low), np.where(rare, above, high)

    low, high = ends(CONFIDENCE)
    own = frame["change_low"].notna()  # measured, and tested against nothing
    return frame.assign(
        change_low=np.where(own, frame["change_low"], low), change_high=np.where(own, frame["change_high"], high),
        small_sample=n < SMALL_SAMPLE, **together("change", p, ends),
    )  # fmt: skip


def mean_change(before: Any, after: Any, share: bool = True) -> dict[str, Any]:
    """Return the change of a mean over pairs; of a share there are exact intervals where few pairs differ."""
    before, difference = np.asarray(before, float), np.asarray(after, float) - np.asarray(before, float)
    n, change, changed = len(difference), difference.mean(), int((difference != 0).sum())
    error = difference.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    p, ups = float(two_sided(change, error)), int((difference > 0).sum())
    rare = n > 1 and changed < RARE_FEW
    return {
        "n": n, "chosen": before.mean(), "change": change, "change_low": np.nan, "change_high": np.nan,
        "p": max(p, sign_test(ups, changed)) if rare and changed else p, "error": error, "rare": rare and share,
        "ups": float(ups), "downs": float(changed - ups),
    }  # fmt: skip


def median_change(before: np.ndarray, after: np.ndarray) -> dict[str, Any]:
    """Return the change of a median over pairs, with a bootstrap interval."""
    rng = np.random.default_rng(0)
    n, tail = len(before), (1 - CONFIDENCE) / 2
    changes = np.empty(RESAMPLES)
    for index in range(RESAMPLES):
        drawn = rng.integers(0, n, n)
        changes[index] = np.median(after[drawn]) - np.median(before[drawn])
    low, high = np.quantile(changes, [tail, 1 - tail])
    change = np.median(after) - np.median(before)
    return {"n": n, "chosen": np.median(before), "change": change, "change_low": low, "change_high": high, **UNTESTED}


def share_changed(differ: np.ndarray) -> dict[str, Any]:
    """Return the share of the pairs that differ."""
    low, high = wilson(differ.sum(), len(differ))
    ends = {"change_low": float(low), "change_high": float(high)}
    return {"n": len(differ), "chosen": np.nan, "change": differ.mean(), **ends, **UNTESTED}
