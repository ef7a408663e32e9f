"""An answer: a figure, what it is compared with, and the verdict that its intervals allow.

All that the lab says about a figure is read from the columns that `judged` adds to its table: verdict, certainty, and the games
that would decide it. Nothing else judges. A verdict is two columns (`verdict_columns`): its words in `verdict`, which people
read, and its name in `verdict_key`, by which everything is decided: two verdicts may have the same words, and several kinds of
figures the same words for different verdicts, so words are never read back.

A verdict is read from the interval that holds for all rows of the table together (`inference.together`), so the chance of any
false verdict in a table is at most 5%. Given the value compared with and a relevance margin, an interval lies (`Verdict`)
wholly beyond the margin, wholly within it (the equivalence test of two one-sided tests; D. Schuirmann, Journal of
Pharmacokinetics and Biopharmaceutics 15, 1987), only on one side of the value, or none of these. `Labels` names the verdicts
for a kind of figure.

The certainty is that of the verdict itself: of "too strong", that the figure lies beyond the margin.

`chances` is the probability of each verdict for a true value and a standard error. All planning of games (`error_that_decides`,
`games_to_decide`) uses it, so plans agree with the verdicts that pages will give.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil, isnan
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used
from scipy import special

from .inference import SIGNIFICANT, weight_of

POWER = 0.8  # probability of a decision that plans promise
Z_POWER = float(special.ndtri(POWER))
STRONG = 0.001  # adjusted p value below which evidence is strong
MOST_GAMES = 10_000_000  # more than one machine can play


class Verdict(Enum):
    """What an interval says of a figure, from the top of the scale to its bottom."""

    FAR_ABOVE = "far above"  # the whole interval lies more than the margin above
    ABOVE = "above"  # it lies above; whether by more than the margin is open
    WITHIN = "within"  # it lies within the margin
    UNDECIDED = "undecided"
    BELOW = "below"
    FAR_BELOW = "far below"
    NOT_COMPARED = "not compared"  # too few games, or confounded with something else


COMPARED = tuple(Verdict)[:-1]
DECIDED = frozenset({Verdict.FAR_ABOVE, Verdict.WITHIN, Verdict.FAR_BELOW})
FAR = frozenset({Verdict.FAR_ABOVE, Verdict.FAR_BELOW})
HIGHER, LOWER = frozenset({Verdict.FAR_ABOVE, Verdict.ABOVE}), frozenset({Verdict.FAR_BELOW, Verdict.BELOW})
DIFFERENT = HIGHER | LOWER
# The order in which verdicts are listed: what is shown to differ, the clearest first; then what is alike; then what is open.
TOLD = (
    Verdict.FAR_ABOVE, Verdict.FAR_BELOW, Verdict.ABOVE, Verdict.BELOW, Verdict.WITHIN, Verdict.UNDECIDED, Verdict.NOT_COMPARED,
)  # fmt: skip
TONES = {
    Verdict.FAR_ABOVE: "up", Verdict.ABOVE: "higher", Verdict.WITHIN: "even", Verdict.UNDECIDED: "open",
    Verdict.BELOW: "lower", Verdict.FAR_BELOW: "down", Verdict.NOT_COMPARED: "open",
}  # fmt: skip


@dataclass(frozen=True)
class Labels:
    """The names of the verdicts for one kind of figure."""

    far_above: str
    above: str
    within: str
    below: str
    far_below: str
    undecided: str = "undecided"
    not_compared: str = "not compared"

    def of(self, verdict: Verdict) -> str:
        """Return the name of a verdict."""
        return str(getattr(self, verdict.name.lower()))


# Against a fair share; and a difference between two rulesets, players or treatments.
STRENGTH = Labels("too strong", "above, size unclear", "balanced", "below, size unclear", "too weak")
CHANGE = Labels("raised", "raised, size unclear", "unchanged", "lowered, size unclear", "lowered")
# Whether a figure depends on who plays, and the strength of a player: neither has a fair share.
DEPENDS = Labels(
    "depends on who plays", "depends on who plays, size unclear", "alike within the margin",
    "depends on who plays, size unclear", "depends on who plays",
)  # fmt: skip
RATING = Labels("stronger", "stronger, size unclear", "average", "weaker, size unclear", "weaker")
# Whether a figure lies in its wanted band; whether people's leaders win as often as a strategy's.
WISH = Labels("missed", "missed", "met", "missed", "missed")
PEOPLE = Labels(
    "people differ", "people differ", "people do not differ", "people differ", "people differ", "no detectable difference"
)  # fmt: skip
# Whether a card is used, against a share below which it is dead; and whether seats with something win more.
USE = Labels("in use", "in use", "at the line", "dead card", "dead card")
AHEAD = Labels(
    "more wins", "more wins, size unclear", "no difference within the margin", "fewer wins, size unclear", "fewer wins"
)  # fmt: skip


class Outcome(Enum):
    """What fresh games say of a value that a search found, against a target or the rules as they are; the best first."""

    ON = "on target"
    BETTER = "better than the rules"
    OPEN = "undecided"
    RULES = "the rules"
    ALIKE = "no detectable difference from the rules"
    OFF = "off target"
    WORSE = "worse than the rules"


# Of a figure against its wanted value, and of a loss against that of the rules.
TARGET = {
    Verdict.FAR_ABOVE: Outcome.OFF, Verdict.ABOVE: Outcome.OPEN, Verdict.WITHIN: Outcome.ON, Verdict.UNDECIDED: Outcome.OPEN,
    Verdict.BELOW: Outcome.OPEN, Verdict.FAR_BELOW: Outcome.OFF, Verdict.NOT_COMPARED: Outcome.OPEN,
}  # fmt: skip
BESIDE_RULES = dict.fromkeys(Verdict, Outcome.ALIKE) | {
    Verdict.FAR_ABOVE: Outcome.WORSE, Verdict.ABOVE: Outcome.WORSE, Verdict.FAR_BELOW: Outcome.BETTER,
    Verdict.BELOW: Outcome.BETTER,
}  # fmt: skip


class Nearness(Enum):
    """How well a strategy predicts people's plays, beside the one that does so best."""

    NEAREST = "nearest"
    FURTHER = "further than the nearest"
    OPEN = "cannot be distinguished from the nearest"


class InSearch(Enum):
    """Where a value came out in a search, which depends on luck; only fresh games say whether a value is good."""

    FIRST = "first in the search"
    SECOND = "second in the search"
    NOISE = "within noise of the first"
    WORSE = "worse"


KEY = "_key"
JUDGEMENT = ("verdict", f"verdict{KEY}", "certainty")  # columns
KEYS = frozenset(verdict.name for scale in (Verdict, Outcome, Nearness, InSearch) for verdict in scale)


def verdict_columns(verdicts: Iterable[Enum], labels: Labels | None = None, name: str = "verdict") -> dict[str, list[str]]:
    """Return the two columns of verdicts: their words, those of `labels` for a `Verdict`, and their names (`name`_key)."""
    given = list(verdicts)
    words = [str(each.value) if labels is None else labels.of(Verdict(each)) for each in given]
    return {name: words, f"{name}{KEY}": [each.name for each in given]}


def verdict_cells(verdict: Enum, labels: Labels | None = None, name: str = "verdict") -> dict[str, str]:
    """Return `verdict_columns` of one row."""
    return {column: cells[0] for column, cells in verdict_columns([verdict], labels, name).items()}


def verdict_of(row: Any, name: str = "verdict") -> Verdict:
    """Return the verdict of a row."""
    return Verdict[row[f"{name}{KEY}"]]


def outcome_of(row: Any) -> Outcome:
    """Return what fresh games say of a row of a search."""
    return Outcome[row[f"verdict{KEY}"]]


def having(frame: pd.DataFrame, wanted: Collection[Enum], name: str = "verdict") -> Any:
    """Return which rows of a table have one of these verdicts."""
    return frame[f"{name}{KEY}"].isin({verdict.name for verdict in wanted})


def as_verdict(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the table with another of its verdicts and certainties (`name`_verdict, `name`_certainty) as those of its rows."""
    return frame.assign(**{column: frame[f"{name}_{column}"] for column in JUDGEMENT})


def by_words(frame: pd.DataFrame, name: str = "verdict") -> list[tuple[str, Verdict, pd.DataFrame]]:
    """Return the words of a table's verdicts in the order in which verdicts are listed, each with its first verdict and rows.

    Verdicts of the same words, of either side say, are together.
    """
    groups = {str(words): rows for words, rows in frame.groupby(name, sort=False)}
    first = {words: min((Verdict[key] for key in rows[f"{name}{KEY}"]), key=TOLD.index) for words, rows in groups.items()}
    return [(words, first[words], groups[words]) for words in sorted(groups, key=lambda words: TOLD.index(first[words]))]


def read(low: float, high: float, margin: float, against: float = 0.0) -> Verdict:
    """Return what an interval says against a value and a margin around it; NaN ends: not compared."""
    low, high = low - against, high - against
    if isnan(low) or isnan(high):
        return Verdict.NOT_COMPARED
    if low > margin:
        return Verdict.FAR_ABOVE
    if high < -margin:
        return Verdict.FAR_BELOW
    if -margin <= low and high <= margin:
        return Verdict.WITHIN
    return Verdict.ABOVE if low > 0 else Verdict.BELOW if high < 0 else Verdict.UNDECIDED


def in_band(inner: Sequence[float], outer: Sequence[float], low: float, high: float) -> Verdict:
    """Return whether a figure lies in a band, by the interval that can show it inside and the one that can show it outside."""
    if low <= inner[0] and inner[1] <= high:
        return Verdict.WITHIN
    return Verdict.FAR_ABOVE if outer[0] > high else Verdict.FAR_BELOW if outer[1] < low else Verdict.UNDECIDED


def quantile_for(questions: int) -> float:
    """Return the normal quantile of intervals that hold together for this many questions (Bonferroni)."""
    return float(-special.ndtri(SIGNIFICANT / 2 / questions))


# --- Certainty of a verdict


def adjusted_p(verdict: Verdict, value: float, low: float, high: float, margin: float, questions: int) -> float:
    """Return the smallest familywise error rate at which the verdict is given; NaN without a finding.

    `value` is less what it is compared with; `low` and `high` are the ends of its interval, simultaneous for `questions`
    (Bonferroni). The interval is taken as normal on either side with the width it has there, so p is 5% where an end touches.
    """
    below, above = value - low, high - value  # q standard errors each
    if verdict in HIGHER:
        clear, reach = value - (margin if verdict is Verdict.FAR_ABOVE else 0), below
    elif verdict in LOWER:
        clear, reach = -value - (margin if verdict is Verdict.FAR_BELOW else 0), above
    elif verdict is Verdict.WITHIN:
        clear, reach = min((margin - value, above), (margin + value, below), key=lambda side: side[0] / max(side[1], 1e-300))
    else:
        return float("nan")
    if reach <= 0:
        return 0.0
    return min(1.0, 2 * questions * float(special.ndtr(-quantile_for(questions) * clear / reach)))


def certainty_of(p: float, small_sample: bool = False) -> str:
    """Return the certainty of a finding with this adjusted p value: a key of `pages.report_parts.CERTAINTIES`."""
    if small_sample:
        return "few"
    return "strong" if p < STRONG else "shown" if p <= SIGNIFICANT else "open"


ORDER = ("strong", "shown", "few", "open", "untested")  # the most certain first


def weakest(certainties: Iterable[str]) -> str:
    """Return the certainty of a sentence on several figures: that of the least certain."""
    return max(certainties, key=ORDER.index)


def p_words(p: float) -> str:
    """Return a p value as text, rounded to what matters."""
    return "–" if np.isnan(p) else "<0.001" if p < STRONG else f"{p:.3f}"


# --- Rows of a table: which differ from what they are compared with, and how certain that is


def significant(p: float) -> bool:
    """Return whether an adjusted p value shows what it tests; NaN does not."""
    return bool(p <= SIGNIFICANT)


def differs(frame: Any, p: str = "p_adjusted") -> Any:
    """Return which rows are shown to differ from what they are compared with: their intervals [95% all] exclude it.

    For a single row, whether it is; False without a p value. `p` names the column of adjusted p values.
    """
    values = frame[p]
    return False if values is None else values <= SIGNIFICANT


def lies_above(rows: Any, name: str, value: Any, kind: str = "") -> Any:
    """Return of which rows (or whether of one row) the whole interval of a figure lies above a value.

    `kind` is "" for each row's own interval, "_all" for the one that holds for all rows together.
    """
    return rows[f"{name}{kind}_low"] > value


def lies_below(rows: Any, name: str, value: Any, kind: str = "") -> Any:
    """Return of which rows (or whether of one row) the whole interval of a figure lies below a value."""
    return rows[f"{name}{kind}_high"] < value


def could_reach(row: Any, name: str, size: float) -> bool:
    """Return whether a row's interval leaves possible that a figure is so large, of either sign."""
    return max(abs(float(row[f"{name}_{end}"])) for end in ("low", "high")) >= size


def sure_to_lie(row: Any, clear: bool) -> str:
    """Return the certainty that a row lies where its own 95% interval does (`clear`), of few cases a hint."""
    return "few" if row["small_sample"] else "shown" if clear else "open"


def sure_to_differ(row: Any) -> str:
    """Return the certainty that a row differs from what it is compared with, by any amount."""
    return certainty_of(row["p_adjusted"], bool(row.get("small_sample", False)))


def weakest_difference(frame: pd.DataFrame) -> str:
    """Return the certainty of a sentence that says of each of these rows that it differs."""
    return weakest(sure_to_differ(row) for row in frame.to_dict("records"))


def far(frame: pd.DataFrame, name: str = "points") -> pd.DataFrame:
    """Return the rows that lie beyond the margin, the largest first."""
    return frame[having(frame, FAR)].sort_values(name, key=abs, ascending=False, kind="stable")


# --- How many games


def chances(effect: Any, error: Any, margin: Any, quantile: Any) -> dict[Verdict, np.ndarray]:
    """Return the probability of each verdict for a true effect, with normal intervals of this many standard errors."""
    effects, errors, margins = np.broadcast_arrays(np.asarray(effect, float), error, margin)
    return dict(zip(COMPARED, _chances(effects, errors, margins, quantile), strict=True))


def _chances(effect: np.ndarray, error: np.ndarray, margin: np.ndarray, quantile: Any) -> np.ndarray:
    """Return `chances` in the order of COMPARED, for arrays of one shape: the search for an error asks often."""
    reach = quantile * error
    inner = np.maximum(margin - reach, 0)  # estimates at most this far from 0 are within
    outer = np.maximum(reach, inner)
    bounds = np.array([margin + reach, outer, inner, -inner, -outer, -margin - reach])
    with np.errstate(divide="ignore", invalid="ignore"):
        above = (effect - bounds) / error
    above[np.isnan(above)] = 0.0  # no error, and the effect at the bound
    above = special.ndtr(above)
    far_above, far_below = above[0], 1 - above[5]
    within = np.where(margin >= reach, above[3] - above[2], 0.0)
    higher, lower = above[1] - far_above, 1 - above[4] - far_below
    undecided = np.clip(1 - (far_above + higher + within + lower + far_below), 0, 1)
    return np.array([far_above, higher, within, undecided, lower, far_below])


def error_that_decides(
    effect: Any, margin: Any, quantile: float, wanted: Collection[Verdict] = DECIDED, power: float = POWER
) -> np.ndarray:
    """Return the largest standard error with which one of the wanted verdicts has a probability of `power`.

    0 where no error is small enough: an effect at the margin is never decided.
    """
    effect, margin = np.broadcast_arrays(np.asarray(effect, float), np.asarray(margin, float))
    size = np.maximum(np.abs(effect) + margin, 1e-12)
    least, most = size * 1e-7, size * 10.0
    rows = [at for at, verdict in enumerate(COMPARED) if verdict in wanted]

    def decides(error: np.ndarray) -> np.ndarray:
        return np.asarray(_chances(effect, error, margin, quantile)[rows].sum(axis=0) >= power)

    possible = decides(least)
    for _ in range(60):
        error = np.sqrt(least * most)
        enough = decides(error)
        least, most = np.where(enough, error, least), np.where(enough, most, error)
    return np.where(possible, least, 0.0)


def cases_to_differ(rate: float, share: float, questions: int, power: float = POWER) -> int:
    """Return how many cases it takes until a rate's exact interval, one of this many, excludes a share with this power.

    The interval is that of C. Clopper and E. Pearson (`inference.exact_ends`).
    """
    error = float(error_that_decides(abs(rate - share), 0.0, quantile_for(questions), power=power))
    n = max(2, int(0.5 * max(rate * (1 - rate), share * (1 - share)) / error**2))
    while chance_to_differ(n, rate, share, questions) < power:
        n += max(1, n // 100)
    return n


def chance_to_differ(n: float, rate: float, share: float, questions: int) -> float:
    """Return the probability that the exact interval of a rate of n cases, one of this many together, excludes a share."""
    tail = SIGNIFICANT / 2 / questions
    if rate > share:  # the interval excludes the share from a critical number of wins upwards
        return float(scipy.stats.binom.sf(scipy.stats.binom.isf(tail, n, share), n, rate))
    return float(scipy.stats.binom.cdf(scipy.stats.binom.ppf(tail, n, share) - 1, n, rate))


def detectable(n: float, share: float, error: float, questions: int) -> float:
    """Return how far from a share, on either side, a rate of n cases is shown to differ with POWER, else NaN.

    By exact intervals, of this many together (`chance_to_differ`); `error` is the standard error of the share itself.
    """
    distances = []
    for side, end in ((1, 1.0), (-1, 0.0)):
        if chance_to_differ(n, end - side * 1e-9, share, questions) < POWER:
            continue
        near, far = share, end
        for _ in range(30):
            middle = (near + far) / 2
            near, far = (near, middle) if chance_to_differ(n, middle, share, questions) >= POWER else (middle, far)
        distance = float(np.hypot(far - share, (quantile_for(questions) + Z_POWER) * error))
        distances += [distance] if 0 <= share + side * distance <= 1 else []
    return max(distances, default=np.nan)


def games_to_decide(
    low: Any, high: Any, error: Any, games: Any, margin: Any, quantile: float, wanted: Collection[Verdict] = DECIDED
) -> tuple[np.ndarray, np.ndarray]:
    """Return the fewest and the most games in all that decide with a probability of POWER.

    `low` and `high` are the ends of the effect's own 95% interval, `error` its standard error with `games`. The fewest suffice
    if the true effect is the value in the interval that is decided soonest, the most if it is the one decided last: infinite if
    the margin lies in the interval.
    """
    low, high, error = (np.asarray(value, float) for value in (low, high, error))
    margin = np.broadcast_to(np.asarray(margin, float), low.shape)
    inside = [np.clip(bound, low, high) for bound in (np.zeros_like(low), margin, -margin)]
    errors = error_that_decides(np.stack([low, high, *inside]), margin, quantile, wanted)
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = games * (error / errors) ** 2
    # At the margin itself the bisection ends at its smallest error.
    needed = np.where((errors <= 0) | (needed > 1e12), np.inf, np.ceil(needed))
    return np.maximum(needed.min(axis=0), games + 1), np.maximum(needed.max(axis=0), games + 1)


def games_for_all(
    effects: np.ndarray, error: np.ndarray, games: float, margin: float, quantile: float, wanted: Collection[Verdict] = DECIDED
) -> float:
    """Return the number of games in which all of these effects, if independent, get one of the wanted verdicts with POWER.

    `error` are their standard errors in this many `games`; infinite where no playable number suffices.
    """

    def decides(number: float) -> bool:
        probability = chances(effects, error * np.sqrt(games / number), margin, quantile)
        return bool(np.prod(sum(probability[verdict] for verdict in wanted)) >= POWER)

    least, most = 1.0, 1e12
    if not decides(most):
        return np.inf
    while most > 1.0001 * least:
        middle = float(np.sqrt(least * most))
        least, most = (least, middle) if decides(middle) else (middle, most)
    return float(np.ceil(most))


def games_words(fewest: float, most: float, unit: str = "games") -> str:
    """Return the games that would decide, rounded up to two digits: 'at least 12,000 games', '4,000 to 9,000 games'."""
    if fewest > MOST_GAMES:
        return f"no number of {unit} that can be played decides"
    few = round_up(fewest)  # down, it could be no more than was played
    if most > MOST_GAMES:
        return f"at least {few:,} {unit}"
    many = round_up(most)
    return f"about {many:,} {unit}" if few >= many else f"{few:,} to {many:,} {unit}"


def likely_decided(frame: pd.DataFrame, name: str, margin: float, times: float) -> float:
    """Return the expected number of a judged table's open rows that `times` as many games decide."""
    return float(np.nansum(chances_decided(frame, name, margin, times)[frame["games_fewest"].notna().to_numpy()]))


def chances_decided(frame: pd.DataFrame, name: str, margin: float, times: float) -> np.ndarray:
    """Return for each row of a judged table the probability that `times` as many games decide it.

    The predictive probability (D. Spiegelhalter, L. Freedman and P. Blackburn, Controlled Clinical Trials 7, 1986): the
    estimate from all games is normal around the present one, with variance error² (1 - 1 / times).
    """
    value, low, high = (frame[f"{name}{end}"].to_numpy(float) for end in ("", "_all_low", "_all_high"))
    if frame.empty or times <= 1:
        return np.zeros(len(frame))
    reach = (high - low) / 2
    moves = reach / quantile_for(questions_of(frame)) * np.sqrt(1 - 1 / times)
    probability = chances(value, moves, margin, reach / np.sqrt(times) / np.maximum(moves, 1e-300))
    return np.asarray(sum(probability[verdict] for verdict in DECIDED))


def round_up(games: float) -> int:
    """Return a number of games rounded up to two digits."""
    unit = 10 ** max(0, len(f"{games:.0f}") - 2)
    return ceil(games / unit) * unit


# --- Tables


def questions_of(frame: pd.DataFrame, family: str = "") -> int:
    """Return the number of questions for which the table's intervals hold together (`inference.together`)."""
    weight = weight_of(family)
    if "p" not in frame:
        return weight * max(1, len(frame))
    informative = (frame["p"] > 0) & (frame["p_adjusted"] < 1)
    ratios = (frame["p_adjusted"] / frame["p"])[informative]
    return max(1, round(float(ratios.max())) if informative.any() else weight * int(frame["p"].notna().sum()))


def judged(
    frame: pd.DataFrame, name: str, margin: Any, games: Any, labels: Labels = STRENGTH, against: float = 0.0,
    questions: int | None = None, family: str = "",
) -> pd.DataFrame:  # fmt: skip
    """Return the table with `verdict`, `verdict_key`, `certainty`, `games_fewest` and `games_most`.

    `name` is the figure, in the unit of `margin` (a number, or one a row), with its own interval (`_low`, `_high`; optional)
    and the one that holds with its `family` (`_all_low`, `_all_high`; `inference.weight_of`); `games` those played in all (a
    number, or one a row).
    Small samples, and rows without a p value where the table has that column, are not compared. `games_fewest` and `games_most`
    are NaN where the margin is decided, and where nothing is compared.
    """
    number = questions_of(frame, family) if questions is None else questions
    quantile, size = quantile_for(number), len(frame)
    margins = np.broadcast_to(np.asarray(margin, float), size)
    value, low, high = (frame[f"{name}{end}"].to_numpy(float) - against for end in ("", "_all_low", "_all_high"))
    small = frame["small_sample"].to_numpy(bool) if "small_sample" in frame else np.zeros(size, bool)
    tested = ~(small | np.isnan(low)) & (frame["p"].notna().to_numpy() if "p" in frame else True)
    verdicts = [read(a, b, m) if ok else Verdict.NOT_COMPARED for a, b, m, ok in zip(low, high, margins, tested, strict=True)]
    rows = zip(verdicts, value, low, high, margins, strict=True)
    p = np.array([adjusted_p(*row, number) for row in rows])
    # At most as certain as the difference itself, which the table may test more conservatively.
    if "p_adjusted" in frame:
        p = np.where([verdict in DIFFERENT for verdict in verdicts], np.fmax(p, frame["p_adjusted"].to_numpy(float)), p)
    certainty = ["untested" if v is Verdict.NOT_COMPARED else certainty_of(each) for v, each in zip(verdicts, p, strict=True)]
    kind = "" if f"{name}_low" in frame else "_all"
    least, largest = (frame[f"{name}{kind}_{end}"].to_numpy(float) - against for end in ("low", "high"))
    fewest, most = games_to_decide(least, largest, (high - low) / 2 / quantile, games, margins, quantile)
    undecided = np.array([verdict not in DECIDED and verdict is not Verdict.NOT_COMPARED for verdict in verdicts], bool)
    return frame.assign(
        **verdict_columns(verdicts, labels), certainty=certainty,
        games_fewest=np.where(undecided, fewest, np.nan), games_most=np.where(undecided, most, np.nan),
    )  # fmt: skip


def still_needed(frame: pd.DataFrame) -> tuple[float, float] | None:
    """Return the fewest and the most games in all that decide every open row of `judged`; None if none is open."""
    undecided = frame[frame["games_fewest"].notna()]
    return None if undecided.empty else (float(undecided["games_fewest"].max()), float(undecided["games_most"].max()))


def playable(games: float) -> int | None:
    """Return a number of games rounded up to two digits; None if no machine can play this many."""
    return None if not games <= MOST_GAMES else round_up(games)


def for_reading(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `judged` with the games needed in its verdicts, without the columns that only programs read.

    Columns on games that nobody won are left out, too, where every game was won.
    """
    verdicts = [verdict_words(row) for row in frame.to_dict("records")]
    unread = [
        "games_fewest",
        "games_most",
        "margin",
        "command",
        *(name for name in frame.columns if name.endswith(f"verdict{KEY}")),
    ]
    if "unfinished_a" in frame and not frame[["unfinished_a", "unfinished_b"]].to_numpy().any():
        unread += [name for name in frame.columns if name.startswith("unfinished")]
    return frame.assign(verdict=verdicts).drop(columns=unread, errors="ignore")


def verdict_words(row: Any) -> str:
    """Return the verdict of a row of `judged`, with the games that would decide it."""
    fewest = row.get("games_fewest", np.nan)
    return str(row["verdict"]) if pd.isna(fewest) else f"{row['verdict']} ({games_words(fewest, row['games_most'])})"
