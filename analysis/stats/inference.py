"""Many figures at once: simultaneous intervals, adjusted p values, ranks, rare changes, the spread of true rates."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used
from scipy import special

from .rates import CONFIDENCE, SMALL_SAMPLE, as_cases, wilson

# --- Statements about many figures at once: intervals that hold together, adjusted p values, simultaneous ranks
#
# Verdicts of a table are read from its simultaneous intervals (`together`): of m questions each gets an interval of level 1 -
# 5%/m, so that all of them hold in 95% of runs (C. Bonferroni 1936; O. Dunn, JASA 56, 1961), and a figure differs from a value
# if its interval does not hold that value. The adjusted p value, m p, gives the same decision. Holm's steps (S. Holm,
# Scandinavian Journal of Statistics 6, 1979) detect a little more, but their intervals say no more than the sign of a figure
# shown to differ (O. Guilbaud, Biometrical Journal 50, 2008); `holm` serves tables without such intervals. Ranks are
# simultaneous 95% confidence sets (M. Mogstad, J. Romano, A. Shaikh and D. Wilhelm, "Inference for ranks", Review of Economic
# Studies 91, 2024): all of them hold together in 95% of runs.

SIGNIFICANT = 1 - CONFIDENCE

# A run's report has many families of questions, a table each. With 5% for each, one report in five would say something false.
# So a report has 8% in all. The leaders, for whom runs are played, keep their 5%; the other tables share the rest evenly,
# whether or not a report has all of them, so that a table does not depend on the others (alpha allocated in advance, unevenly:
# L. Moyé, Statistics in Medicine 19, 2000; weights: R. Rosenthal and D. Rubin, Psychological Bulletin 94, 1983).
REPORT_ERROR = 0.08  # largest chance of any false statement in a run's report
FAMILIES = (
    "turn order", "strategies", "leaders by strategy", "leaders with strategies", "leaders once one is mended",
    "pairs of leaders", "leaders by card", "leaders by card set", "length by card set", "agendas of winners",
    "times of winners", "agendas of leaders", "world wonders", "cities of winners", "focus cards",
    "focus cards of winners", "who leads alone", "who is ahead", "who is behind", "winners' courses",
    "places of winners", "start places", "districts", "exploring", "forts", "governments", "unique cards",
)  # fmt: skip
SHARED = math.ceil(round(len(FAMILIES) * SIGNIFICANT / (REPORT_ERROR - SIGNIFICANT), 9))


def weight_of(family: str) -> int:
    """Return as how many questions each of a family counts; families named "" have the whole 5%, as leaders and answers do."""
    if family and family not in FAMILIES:
        raise ValueError(f"family {family!r}: expected one of FAMILIES, or ''")
    return SHARED if family else 1


ALL = ("", "_all_low", "_all_high")  # ends of the names of columns: a figure and its interval for all rows together
ENDS = ("", "_low", "_high", "_all_low", "_all_high")  # and its own
DRAWS = 20_000  # of the normal distribution, for simultaneous ranks
FEW = 25  # cases (or non-cases) below which a normal approximation is not trusted alone
QUANTILE = float(special.ndtri(0.5 + CONFIDENCE / 2))


def holm(p: Any) -> np.ndarray:
    """Return Holm's corrected p values (S. Holm, 1979); NaN stays NaN and is not counted."""
    p = np.asarray(p, float)
    corrected = np.full(p.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
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

    `p` are the p values of the single questions "is it `null`?", NaN where not tested; `questions` is their number unless each
    row is one (`distinct`), `family` the report's table (`weight_of`). An interval excludes `null` exactly where `p_adjusted`
    is at most 5%: where test and interval rest on different approximations, the more conservative decides for both. Rows not
    tested have an interval of the same level, which is not part of the 95%. Bonferroni: O. Dunn, JASA 56, 1961.
    """
    p = np.array(p, float)
    number = weight_of(family) * max(1, int((~np.isnan(p)).sum()) if questions is None else questions)
    tail = SIGNIFICANT / number
    low, high = (np.array(end, float) for end in ends(1 - tail))
    tested = ~np.isnan(p) & ~np.isnan(low)
    null = np.broadcast_to(null, p.shape)
    inside = tested & (low <= null) & (null <= high)
    for row in np.flatnonzero(inside & (p <= tail)):
        p[row] = _touching(int(row), ends, tail, null[row])
    doubtful = tested & ~(number * p <= SIGNIFICANT)
    low, high = np.where(doubtful, np.minimum(low, null), low), np.where(doubtful, np.maximum(high, null), high)
    return {"p": p, "p_adjusted": np.minimum(1, number * p), f"{name}_all_low": low, f"{name}_all_high": high}


def gated(name: str, tested: dict[str, np.ndarray], whole: float, null: float = 0.0) -> dict[str, np.ndarray]:
    """Return the columns of `together` of a table whose rows are told only if the table as a whole is (`claims.gate`).

    `whole` is the adjusted p value of the whole table: no row's is smaller, and intervals of rows not shown hold `null`.
    """
    p, low, high = (tested[key].copy() for key in ("p_adjusted", f"{name}_all_low", f"{name}_all_high"))
    p = np.where(np.isnan(p), p, np.maximum(p, whole))
    held = (tested["p_adjusted"] <= SIGNIFICANT) & (p > SIGNIFICANT)
    low, high = np.where(held, np.minimum(low, null), low), np.where(held, np.maximum(high, null), high)
    return tested | {"p_adjusted": p, f"{name}_all_low": low, f"{name}_all_high": high}


def _touching(row: int, ends: Ends, tail: float, null: float) -> float:
    """Return the p value at which an end of the row's interval touches `null`, by bisection above `tail`."""
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
    """Return the ends of intervals of estimates with skewed errors: normal ones, wider on the side of the heavier tail.

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
    """Return the two-sided p values against zero that match `skewed_ends`."""
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
    """Return 95% intervals' ends at another confidence, taken as normal on either side.

    Where no pair of games `changed` they are those of a Poisson count of 0, exactly.
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
    """Return the columns of `together` of figures that have 95% intervals; `p` is derived from these where it is NaN.

    `changed`: the number of pairs of games that differ (`widened`).
    """
    value, low, high, p = (np.asarray(column, float) for column in (value, low, high, p))
    p = np.where(np.isnan(p), two_sided(value, (high - low) / (2 * QUANTILE)), p)
    return together(name, p, widened(value, low, high, changed))


def distinct(estimate: Any, p: Any, group: Any = None) -> int:
    """Return the number of different questions among the tested rows.

    Two rows of a group that mirror each other are one: the two sides of a duel, or a card's two agendas if every winner claimed
    one.
    """
    x, tested = np.asarray(estimate, float), ~np.isnan(np.asarray(p, float))
    code = np.zeros(len(x), np.intp) if group is None else pd.factorize(np.asarray(group))[0]
    size, total = np.bincount(code[tested]), np.bincount(code[tested], np.nan_to_num(x[tested]))
    mirrored = (size == 2) & (np.abs(total) < 1e-9)
    return int(size.sum() - mirrored.sum())


def simultaneous_ranks(
    estimate: np.ndarray, covariance: np.ndarray, confidence: float = CONFIDENCE, draws: int = DRAWS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the best and worst rank of each entry that the data allow, and the probability that it is first.

    The rank sets hold together with the stated confidence (Mogstad et al., 2024): all pairwise differences get intervals of a
    common studentised width (the quantile of their largest absolute value, simulated), and an entry is behind another only if
    the interval of their difference excludes 0. The last array is the share of draws from the estimates' normal distribution in
    which the entry is best.
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
    """Return the columns of `around` and `together` of normal estimates; rows with `few` cases are not tested."""
    p = np.where(few, np.nan, two_sided(estimate, error))
    return around(name, estimate, error) | together(name, p, normal_ends(estimate, error), questions, family=family)


def points_above(frame: pd.DataFrame, rate: str, share: Any) -> dict[str, Any]:
    """Return `points` with its intervals: a rate less a share, in percentage points."""
    return {f"points{end}": 100 * (frame[f"{rate}{end}"] - share) for end in ENDS}


def rate_difference(
    name: str, wins: Any, n: Any, other_wins: Any, other_n: Any, group: Any = None, family: str = ""
) -> dict[str, np.ndarray]:
    """Return columns of the difference of two rates of separate games, in percentage points: intervals, `p`, `p_adjusted`.

    The intervals are Newcombe's (`newcombe`); `p` is that of the pooled two-sample z test, or, with fewer than FEW wins (or
    losses), that of the exact test, if larger (`with_few`). `group`: see `distinct`; `family`: see `weight_of`.
    """
    wins, n, other_wins, other_n = (np.asarray(value, float) for value in (wins, n, other_wins, other_n))
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = 100 * (wins / n - other_wins / other_n)
        pooled = (wins + other_wins) / (n + other_n)
        error = 100 * np.sqrt(np.clip(pooled * (1 - pooled), 0, None) * (1 / n + 1 / other_n))
    p = with_few(two_sided(gap, error), wins, n, other_wins, other_n)
    ends = newcombe(wins, n, other_wins, other_n)
    low, high = ends(CONFIDENCE)
    own = {name: gap, f"{name}_low": low, f"{name}_high": high}
    return own | together(name, p, ends, distinct(gap, p, group), family=family)


def newcombe(wins: Any, n: Any, other_wins: Any, other_n: Any) -> Ends:
    """Return the ends of the intervals of differences of two rates, in percentage points.

    R. Newcombe, Statistics in Medicine 17, 1998, method 10: both rates' Wilson intervals combined; valid in small samples.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = wins / n, other_wins / other_n

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        (low_a, high_a), (low_b, high_b) = wilson(wins, n, confidence), wilson(other_wins, other_n, confidence)
        low, high = a - b - np.hypot(a - low_a, high_b - b), a - b + np.hypot(high_a - a, b - low_b)
        return 100 * low, 100 * high

    return ends


def against_share(name: str, wins: Any, n: Any, share: Any, least: int = 0, family: str = "") -> dict[str, np.ndarray]:
    """Return `p`, `p_adjusted` and simultaneous intervals of rates tested against a share by Wilson's interval.

    Rows with fewer than `least` cases are not tested.
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
    """Return the ends of Wilson's intervals of rates, for the number of cases that gives their standard errors.

    Normal intervals where a rate has no error, or is not between 0 and 1.
    """
    rate, error = np.asarray(rate, float), np.asarray(error, float)
    normal_of, proper = normal_ends(rate, error), (error > 0) & (rate > 0) & (rate < 1)
    n = _cases(rate, error)

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        pairs = zip(wilson(rate * n, n, confidence), normal_of(confidence), strict=True)
        low, high = (np.where(proper, score, normal) for score, normal in pairs)
        return low, high

    return ends


def score_against_share(rate: Any, error: Any, share: Any) -> np.ndarray:
    """Return the p values of rates against a share that match `score_ends`: with the error at that share."""
    rate, error, share = (np.asarray(value, float) for value in (rate, error, share))
    proper = (error > 0) & (rate > 0) & (rate < 1)
    error_at_share = np.sqrt(share * (1 - share) / _cases(rate, error))
    return two_sided(rate - share, np.where(proper, error_at_share, error))


def _cases(rate: np.ndarray, error: np.ndarray) -> np.ndarray:
    """Return the number of independent cases with which a rate has this error."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(error > 0, np.clip(rate * (1 - rate), 1e-12, None) / error**2, 1.0)


def exact_against_share(wins: Any, n: Any, share: Any) -> np.ndarray:
    """Return two-sided exact p values of rates against a share: twice the smaller binomial tail; 1 without cases.

    Shared wins count in parts, so the tails are those of the incomplete beta function (C. Clopper and E. Pearson, 1934).
    """
    wins, n, share = np.broadcast_arrays(*(np.asarray(value, float) for value in (wins, n, share)))
    return np.minimum(1, 2 * np.minimum(_at_least(wins, n - wins, share), _at_least(n - wins, wins, 1 - share)))


def exact_ends(wins: Any, n: Any) -> Ends:
    """Return the ends of exact intervals of rates, valid with any number of cases.

    C. Clopper and E. Pearson, Biometrika 26, 1934; shared wins count in parts, by the incomplete beta function.
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
    """Return the p values of a normal test of two rates, replaced by exact ones, if larger, where cases are few.

    The rarer of wins and losses is counted. If both rates are equal, each case falls to the first side with probability n / (n
    + other_n): a binomial test of the cases (J. Przyborowski and H. Wilenski, Biometrika 31, 1940), slightly conservative where
    cases are frequent. Shared wins count in parts, so the tails are those of the incomplete beta function.
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
    """Return the chance that at least `own` of own + rest cases fall to a side that each falls to with this share."""
    tail = special.betainc(np.maximum(own, 1e-9), rest + 1, np.nan_to_num(share))
    return np.asarray(np.where(own > 0, tail, 1.0))


@dataclass(frozen=True)
class Sums:
    """Counts, sums and sums of squares of one figure in several groups of games."""

    n: np.ndarray
    total: np.ndarray
    squares: np.ndarray

    @classmethod
    def by_group(cls, group: Any, groups: int, values: Any, counts: Any) -> Sums:
        """Return the sums of values that occur `counts` times, by group number."""
        values, counts = np.asarray(values, float), np.asarray(counts, float)
        weights = (counts, counts * values, counts * values**2)
        return cls(*(np.bincount(np.asarray(group), weight, groups) for weight in weights))

    def others(self) -> Sums:
        """Return for each group the sums of all other groups."""
        return Sums(*(value.sum() - value for value in (self.n, self.total, self.squares)))

    def mean_and_square(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the means and their squared standard errors."""
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self.total / self.n
            square = np.clip(self.squares / self.n - mean**2, 0, None) / (self.n - 1)
        return mean, np.where(self.n > 1, square, np.nan)

    def mean_columns(self, name: str) -> dict[str, np.ndarray]:
        """Return the columns of the mean with Student's interval."""
        mean, square = self.mean_and_square()
        reach = scipy.stats.t.ppf(0.5 + CONFIDENCE / 2, np.maximum(self.n - 1, 1)) * np.sqrt(square)
        return {name: mean, f"{name}_low": mean - reach, f"{name}_high": mean + reach}

    def difference_columns(self, name: str, least: int = 0, family: str = "") -> dict[str, np.ndarray]:
        """Return each group's mean less that of all others: difference, intervals, `p` (B. Welch, Biometrika 34, 1947).

        With fewer than `least` cases on either side nothing is tested (`p` is NaN): a few games of equal length have no spread.
        """
        other = self.others()
        (a, square_a), (b, square_b) = self.mean_and_square(), other.mean_and_square()
        with np.errstate(divide="ignore", invalid="ignore"):
            freedom = (square_a + square_b) ** 2 / (square_a**2 / (self.n - 1) + square_b**2 / (other.n - 1))
        error, freedom = np.sqrt(square_a + square_b), np.where(np.isfinite(freedom), np.maximum(freedom, 1), 1)

        def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
            reach = scipy.stats.t.isf((1 - confidence) / 2, freedom) * error
            return a - b - reach, a - b + reach

        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where((a == b) & (error == 0), 0.0, np.abs(a - b) / error)
        p = np.where(np.minimum(self.n, other.n) < least, np.nan, 2 * scipy.stats.t.sf(z, freedom))
        low, high = ends(CONFIDENCE)
        own = {name: a - b, f"{name}_low": low, f"{name}_high": high}
        return own | together(name, p, ends, distinct(a - b, p), family=family)


# --- Pairs of games that hardly ever differ: the changes that remain possible where few or no pairs changed
#
# A figure that none of 400 pairs changes has no spread to make an interval of, and yet a change that comes once in 200 pairs is
# possible. So the frequency of changed pairs is bounded by exact intervals of Poisson counts, and the size of a change by the
# differences of changed pairs. Coverage: tests/analysis/test_rare.py and test_compare.py.

RARE_FEW = 25  # pairs that differ below which normal approximations are not trusted


def sign_test(ups: float, changed: float) -> float:
    """Return the exact p value of so many pairs up among those that differ (sign test: J. Arbuthnott, 1710)."""
    return min(1.0, 2 * float(special.bdtr(min(ups, changed - ups), int(changed), 0.5)))


def rare_interval(ups: Any, downs: Any, n: Any, confidence: float = CONFIDENCE) -> tuple[np.ndarray, np.ndarray]:
    """Return the interval of a difference of rates in which few of n pairs differ.

    The exact intervals of two Poisson counts, pairs up and pairs down (F. Garwood, Biometrika 28, 1936), combined into one of
    their difference (MOVER: G. Zou and A. Donner, Statistics in Medicine 27, 2008).
    """
    tail = (1 - confidence) / 2
    least = [np.where(k > 0, special.gammaincinv(np.maximum(k, 1), tail), 0.0) for k in (ups, downs)]
    most = [special.gammaincinv(k + 1, 1 - tail) for k in (ups, downs)]
    below, above = np.hypot(ups - least[0], most[1] - downs), np.hypot(most[0] - ups, downs - least[1])
    return np.maximum((ups - downs - below) / n, -1), np.minimum((ups - downs + above) / n, 1)


def rare_reach(ups: Any, downs: Any, n: Any, size: Any, confidence: float = CONFIDENCE) -> tuple[np.ndarray, np.ndarray]:
    """Return how far below and above its estimate a difference of means may be, where few of n pairs differ.

    `size` is the root mean square difference of changed pairs. Counts: `rare_interval`.
    """
    low, high = rare_interval(ups, downs, n, confidence)
    middle = (np.asarray(ups) - downs) / n
    return size * (middle - low), size * (high - middle)


def unseen(changed: float, n: float, confidence: float = CONFIDENCE) -> float:
    """Return the share of pairs that may have changed beyond those observed, all in one direction (F. Garwood, 1936).

    The direction of the observed changes is known to within one over the root of their number.
    """
    most = float(special.gammaincinv(changed + 1, 1 - (1 - confidence) / 2))
    return (most - changed) / n / float(np.sqrt(max(changed, 1)))


# --- The standard deviation of several true rates, without what chance adds to the observed one
#
# With p the L estimated rates, V the covariance of their errors and C = I - 11'/L,
#
#     σ² = (p'Cp - tr(CV)) / (L - 1)
#
# is an unbiased estimate of the variance of the true rates (the method of moments of W. Cochran, Biometrics 10, 1954); the
# spread is its root, 0 where chance explains all.
#
# Interval. p'Cp is a weighted sum of noncentral χ²; a single one with the same mean and variance (F. Satterthwaite, Biometrics
# Bulletin 2, 1946) is c χ²(ν, λ/c), with c = tr(CVCV) / tr(CV), ν = tr(CV)² / tr(CVCV) and λ = (L - 1) σ²; the interval inverts
# its distribution in λ. It begins at 0 where equal rates are possible.
#
# Difference of two spreads. The interval combines the two (MOVER: G. Zou and A. Donner, Statistics in Medicine 27, 2008), with
# the correlation of the two estimates, so that games on the same seeds narrow it. Towards a spread that may be 0, whose error
# is not normal, the two half-widths are added instead. The p value tests the difference of the two variances, whose error
# variance is 4 p'AVAp - 2 tr(AVAV), A = diag(-C, C), for both together. Coverage of both is measured on simulated games in
# tests/analysis/test_rate_spread.py.
#
# Partial pooling. Where each rate has few games, the most extreme rate is partly so by chance: estimates shrunk towards the
# mean are better, by as much as chance explains of the spread (C. Stein 1956; B. Efron and C. Morris, JASA 70, 1975).
# `partial_pooling` averages over the unknown spread with a prior uniform in its square, so its intervals hold on average over
# the rates; with a single estimated spread they would be too narrow (C. Morris and R. Tang, Statistical Science 26, 2011).
# Where all rates are equal they hold more often.

NORMAL_FROM = 1e4  # value above which the root of a noncentral χ² is taken as normal


def centring(n: int) -> np.ndarray:
    """Return the matrix that subtracts the mean from n numbers."""
    return np.eye(n) - 1 / n


def rate_spread(rate: np.ndarray, covariance: np.ndarray, confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """Return the standard deviation of the true rates (Cochran, 1954; see above) and its interval; NaN for fewer than two."""
    df = len(rate) - 1
    if df < 1:
        return np.nan, np.nan, np.nan
    c = centring(len(rate))
    noise = c @ covariance @ c
    observed, mean, square = float(rate @ c @ rate), float(np.trace(noise)), float(np.sum(noise * noise))
    if not np.isfinite(observed + mean + square):  # the fit knows no errors: who never won, or always did
        return np.nan, np.nan, np.nan
    value = float(np.sqrt(max(observed - mean, 0) / df))
    if mean <= 0:
        return value, value, value
    scale, freedom = square / mean, mean**2 / square
    tail = (1 - confidence) / 2
    low = _noncentrality(observed / scale, freedom, 1 - tail)
    # Rates closer together than expected by chance do not lower the upper end.
    high = _noncentrality(max(observed / scale, freedom), freedom, tail)
    return value, float(np.sqrt(scale * low / df)), max(value, float(np.sqrt(scale * high / df)))


def _noncentrality(value: float, freedom: float, chance: float) -> float:
    """Return the λ for which noncentral χ² lies below `value` with this chance; 0 if there is none."""
    if not (np.isfinite(value) and np.isfinite(freedom)):
        return float("nan")
    if value <= 0 or special.chdtr(freedom, value) <= chance:
        return 0.0
    if value > NORMAL_FROM:
        return float(max(np.sqrt(value) - special.ndtri(chance), 0) ** 2 - freedom + 1)
    most = value + 10 * np.sqrt(value) + 50
    return float(
        scipy.optimize.brentq(lambda noncentrality: special.chndtr(value, freedom, noncentrality) - chance, 1e-12, most)
    )


POSSIBLE = 60  # spreads over which partial pooling averages


def partial_pooling(rate: np.ndarray, covariance: np.ndarray, middle: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return rates shrunk towards their mean and their standard errors (Efron and Morris; Morris and Tang; see above).

    `middle` is the mean of the true rates, which is known since wins add up. NaN for fewer than three rates.
    """
    size = len(rate)
    if size < 3:
        return np.full(size, np.nan), np.full(size, np.nan)
    c = centring(size)
    noise, far = c @ covariance @ c, c @ (rate - middle)
    values, vectors = np.linalg.eigh(noise + (1 + np.trace(noise)) * (np.eye(size) - c))
    values, vectors = np.maximum(values[:-1], 1e-12), vectors[:, :-1]  # without the last, that of the known mean
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
    first: np.ndarray, second: np.ndarray, covariance: np.ndarray, confidence: float = CONFIDENCE
) -> tuple[float, float, float, float, float, float]:
    """Return both spreads, the second less the first, its interval, and its p value (MOVER; formulas above).

    `covariance` is that of the errors of all rates, those of `first` first. The numbers of rates may differ.
    """
    n = len(first)
    a, low_a, high_a = rate_spread(first, covariance[:n, :n], confidence)
    b, low_b, high_b = rate_spread(second, covariance[n:, n:], confidence)
    form = np.zeros_like(covariance)
    form[:n, :n], form[n:, n:] = -centring(n) / (n - 1), centring(len(second)) / (len(second) - 1)
    rates, spread = np.concatenate([first, second]), form @ covariance
    gap = float(rates @ form @ rates - np.trace(spread))
    least = 2 * float(np.sum(spread * spread.T))
    error = np.sqrt(max(4 * float(rates @ spread @ form @ rates) - least, least, 0))
    shared = _correlation(first, second, covariance)
    below = _reach(b - low_b, high_a - a, shared, low_b > 0)
    above = _reach(high_b - b, a - low_a, shared, low_a > 0)
    return a, b, b - a, b - a - below, b - a + above, float(two_sided(gap, error))


def _reach(a: float, b: float, shared: float, clear: bool) -> float:
    """Return the half-width of a combined interval; if one of the two ends at 0, where errors are not normal, their sum."""
    return float(np.sqrt(max(a**2 + b**2 - 2 * shared * a * b, 0))) if clear else a + b


def _correlation(first: np.ndarray, second: np.ndarray, covariance: np.ndarray) -> float:
    """Return the correlation of the errors of the two spreads, to first order."""
    n = len(first)
    x, y = first - first.mean(), second - second.mean()
    own = float(x @ covariance[:n, :n] @ x) * float(y @ covariance[n:, n:] @ y)
    return float(np.clip(x @ covariance[:n, n:] @ y / np.sqrt(own), -1, 1)) if own > 0 else 0.0


# --- Pairs of games of the same seeds: how a figure changes from one game of a pair to the other
#
# `change` is the mean of the differences d over the n pairs that count, and its interval
#
#     mean ± z s / √n        (s: standard deviation of d, z: normal quantile).
#
# Where fewer than RARE_FEW pairs differ, a share's interval is that of two Poisson counts (`rare_interval`): pairs that all
# agree do not prove that none ever differs. The median has an interval from resampled pairs (percentile bootstrap, fixed seed:
# B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993), and is not tested.

RESAMPLES = 1000
UNTESTED = {"p": np.nan, "error": np.nan, "rare": False, "ups": 0.0, "downs": 0.0}


def changes_together(frame: pd.DataFrame) -> pd.DataFrame:
    """Return rows of the functions below with their own intervals and ones that hold for all tested rows together."""
    error, p = frame["error"].to_numpy(), frame["p"].to_numpy()
    change, rare, ups, downs, n = (frame[name].to_numpy() for name in ("change", "rare", "ups", "downs", "n"))

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = normal_ends(change, error)(confidence)
        below, above = rare_interval(ups, downs, n, confidence)
        return np.where(rare, below, low), np.where(rare, above, high)

    low, high = ends(CONFIDENCE)
    own = frame["change_low"].notna()  # has an interval and is not tested
    return frame.assign(
        change_low=np.where(own, frame["change_low"], low), change_high=np.where(own, frame["change_high"], high),
        small_sample=n < SMALL_SAMPLE, **together("change", p, ends),
    )  # fmt: skip


def mean_change(before: Any, after: Any, share: bool = True) -> dict[str, Any]:
    """Return the change of a mean over pairs; for a share, with exact intervals where few pairs differ."""
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
