"""Values of a rule on fresh games: does one bring a figure to its target?

Whatever was chosen by some games looks better in them than it is, so the values chosen play other games, and these are judged:
each figure with an interval, all of them together with 95% (Bonferroni), since the one that looks best is picked out.

Verdicts are read off the interval, an equivalence test at a margin that says what is near enough (D. Schuirmann, Journal of
Pharmacokinetics and Biopharmaceutics 15, 1987): the whole interval within the margin of the target: *on target*; no part of it:
*off target*; else *undecided*, and `games_needed` is how many fresh games would tell with a probability of 80%, were the figure
what it seems (`statistics.answer`). Targets without a number (the smallest leader spread, the shortest game) have no
such verdict: values are compared with the rules' own, game by game on the same seeds (Holm).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.wording import counted
from ..statistics.answer import error_that_decides
from ..statistics.inference import holm, two_sided
from ..statistics.rate_spread import rate_spread
from ..statistics.rates import CONFIDENCE, wilson
from .compare import SPREAD
from .headline import ROUNDS, SEAT_SPREAD, figures_with, is_mean, leader_rates, margin_of, mean_interval, seat_rates
from .planning import quantile_for
from .target import Target

ON, OFF, OPEN = "on target", "off target", "undecided"
RULES, BETTER, WORSE = "the rules", "better than the rules", "worse than the rules"
ALIKE = "no detectable difference from the rules"
SIGNIFICANT = 0.05


def level(
    values: np.ndarray, figure: str, confidence: float = CONFIDENCE, leaders: Sequence[str] = names.LEADERS
) -> tuple[float, float, float, int]:
    """Return a figure in games (analysis/trials/headline.py) with its interval, and how many games it is out of."""
    if figure in (SPREAD[1], SEAT_SPREAD[1]):
        rates = leader_rates(values) if figure == SPREAD[1] else seat_rates(values)
        return (*rate_spread(rates.rate, rates.covariance, confidence), len(values))
    index = [name for _, name in figures_with(leaders)].index(figure)
    y, n = values[:, index, 0].astype(float), int(values[:, index, 1].sum())
    if n == 0:
        return np.nan, np.nan, np.nan, 0
    if is_mean(figure):
        return (*mean_interval(y, values[:, index, 1], confidence), n)
    value = float(y.sum()) / n
    low, high = wilson(y.sum(), n, confidence)
    return value, float(low), float(high), n


def near_enough(target: Target, margin: float | None) -> float:
    """Return the margin of the target: the one asked for, or what matters of its figure."""
    return margin_of(target.figure) if margin is None else margin


def confirm(fresh: Sequence[np.ndarray], target: Target, margin: float | None = None) -> pd.DataFrame:
    """Judge the fresh games of several values against the target; the first are those of the rules.

    One row for each, in their order: `value` of the target's figure with `low` and `high` (together 95%), `loss`,
    `verdict`, `n`, `games_needed` (fresh games; NaN if the verdict is clear).
    """
    confidence = 1 - (1 - CONFIDENCE) / len(fresh)
    rows = []
    for values in fresh:
        value, low, high, n = level(values, target.figure, confidence, target.leaders)
        rows.append({"value": value, "low": low, "high": high, "loss": target.loss(values)[0], "n": n})
    frame = pd.DataFrame(rows)
    if target.wanted is None:
        return frame.assign(verdict=_against_rules(fresh, target), games_needed=np.nan)
    reach = near_enough(target, margin)
    inside = (frame["low"] >= target.wanted - reach) & (frame["high"] <= target.wanted + reach)
    outside = (frame["low"] > target.wanted + reach) | (frame["high"] < target.wanted - reach)
    frame["verdict"] = np.select([inside, outside], [ON, OFF], OPEN)
    quantile = quantile_for(len(fresh))
    error = (frame["high"] - frame["low"]) / (2 * quantile)
    wanted = error_that_decides(frame["value"].to_numpy(float) - target.wanted, reach, quantile)
    games = np.array([len(values) for values in fresh])
    with np.errstate(divide="ignore"):
        needed = np.ceil(games * (error / wanted) ** 2 / 100) * 100
    return frame.assign(games_needed=needed.where(frame["verdict"] == OPEN))


def _against_rules(fresh: Sequence[np.ndarray], target: Target) -> list[str]:
    """Return the verdicts of the values against the rules' own, by the pairs of games, corrected for their number."""
    least, own = target.loss(fresh[0])
    gaps, p = [], []
    for values in fresh[1:]:
        loss, terms = target.loss(values)
        n = min(len(terms), len(own))
        error = float((terms[:n] - own[:n]).std(ddof=1) / np.sqrt(n))
        gaps.append(loss - least)
        p.append(float(two_sided(loss - least, error)))
    words = [BETTER if gap < 0 else WORSE for gap in gaps]
    return [RULES, *(word if q <= SIGNIFICANT else ALIKE for word, q in zip(words, holm(p), strict=True))]


def advised(confirmed: pd.DataFrame) -> int:
    """Return the place of the value to take: the nearest to the target on fresh games, of those with the best verdict."""
    order = [ON, BETTER, OPEN, RULES, ALIKE, OFF, WORSE]
    rank = confirmed["verdict"].map(order.index)
    return int(pd.DataFrame({"rank": rank, "loss": confirmed["loss"]}).sort_values(["rank", "loss"], kind="stable").index[0])


def figure_words(value: float, figure: str, signed: bool = False) -> str:
    """Return a value of a figure in its unit: rounds, or per cent."""
    number = value if figure == ROUNDS else 100 * value
    text = f"{number:+.1f}" if signed else f"{number:.1f}"
    return text if figure == ROUNDS else f"{text}%"


def _none(values: int) -> str:
    """Return the subject of a sentence on values of which none …; of those that the search left, fresh games say nothing."""
    return f"Of {counted(values, 'value')} played on fresh games none"


def conclusion(
    words: Sequence[str], confirmed: pd.DataFrame, target: Target, margin: float | None = None, at: int | None = None
) -> str:
    """Return what fresh games say about the target; `words` name the values, `at` the one to take."""
    at = advised(confirmed) if at is None else at
    row = confirmed.iloc[at]
    figure, n = target.figure, f"n = {row['n']:,.0f}"
    interval = f"{figure_words(row['value'], figure)} [{figure_words(row['low'], figure)}, {figure_words(row['high'], figure)}]"
    if target.wanted is None:
        if row["verdict"] == BETTER:
            return f"Take {words[at]}: {figure} {interval}, less than under the rules ({n})."
        return f"{_none(len(confirmed) - 1)} does measurably better than the rules ({words[at]}): {figure} {interval} ({n})."
    unit = "rounds" if figure == ROUNDS else "points"
    reach = near_enough(target, margin) * (1 if figure == ROUNDS else 100)
    wanted = f"{figure_words(target.wanted, figure)} ± {reach:g} {unit}"
    if row["verdict"] == ON:
        return f"Take {words[at]}: {figure} {interval} reaches {wanted} ({n})."
    if row["verdict"] == OFF:
        return f"{_none(len(confirmed))} reaches {wanted}. The nearest is {words[at]} with {figure} {interval} ({n})."
    return (
        f"Undecided whether a value reaches {wanted}. The nearest is {words[at]} with {figure} {interval} ({n}). "
        f"About {row['games_needed']:,.0f} games would decide (--fresh)."
    )
