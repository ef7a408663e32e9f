"""Values of a rule on fresh games: does one bring a figure to its target?

Whatever was chosen by some games looks better in them than it is, so the values chosen play other games, and these are judged:
each figure with an interval, all of them together with 95% (Bonferroni), since the one that looks best is picked out.

Verdicts are those of `statistics.answer`, against the target and a margin that says what is near enough: the whole interval
within the margin of the target: *on target*; no part of it: *off target*; else *undecided*, with the fewest and the most fresh
games that would decide with a probability of 80%. Targets without a number (the smallest leader spread, the shortest game) have
no such verdict: values are compared with the rules' own, game by game on the same seeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.wording import counted
from ..statistics.answer import (
    MOST_GAMES,
    POWER,
    Verdict,
    Words,
    chances,
    error_that_decides,
    games_words,
    judged,
    quantile_for,
    round_up,
)
from ..statistics.inference import QUANTILE
from ..statistics.rate_spread import rate_spread
from ..statistics.rates import CONFIDENCE, wilson
from .compare import SPREAD
from .headline import ROUNDS, SEAT_SPREAD, figures_with, is_mean, leader_rates, margin_of, mean_interval, seat_rates
from .target import Target

ON, OFF, OPEN = "on target", "off target", "undecided"
RULES, BETTER, WORSE = "the rules", "better than the rules", "worse than the rules"
ALIKE = "no detectable difference from the rules"
TARGET = Words(OFF, OPEN, ON, OPEN, OFF, OPEN)  # of a figure against the value that it should have
BESIDE = Words(WORSE, ALIKE, ALIKE, ALIKE, BETTER, ALIKE)  # of a loss against that of the rules


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

    One row for each, in their order: `value` of the target's figure with `low` and `high` (together 95%), `loss`, `n`, and
    what `answer.judged` says: `verdict`, `certainty`, and the fewest and the most fresh games that would decide
    (`games_fewest`, `games_most`; NaN if the verdict is clear, or if no value is wanted).
    """
    together = 1 - (1 - CONFIDENCE) / len(fresh)
    rows = []
    for values in fresh:
        (value, low, high, n), alone = (level(values, target.figure, one, target.leaders) for one in (together, CONFIDENCE))
        rows.append({"value": value, "value_all_low": low, "value_all_high": high, "loss": target.loss(values)[0], "n": n,
                     "value_low": alone[1], "value_high": alone[2]})  # fmt: skip
    frame = pd.DataFrame(rows)
    if target.wanted is None:
        frame = pd.concat([frame, _against_rules(fresh, target)], axis=1)
    else:
        reach = near_enough(target, margin)
        frame = judged(frame, "value", reach, len(fresh[0]), TARGET, target.wanted, questions=len(fresh))
    return frame.drop(columns=["value_low", "value_high"]).rename(columns={f"value_all_{end}": end for end in ("low", "high")})


def too_few(games: np.ndarray, target: Target, margin: float | None, fresh: int, values: int) -> str:
    """Return that so many fresh games of several values are too few for the margin, by the spread of some games; '' if enough.

    They are enough if a value exactly on target is called so with a probability of 80%.
    """
    if target.wanted is None:
        return ""
    _, low, high, _ = level(games, target.figure, leaders=target.leaders)
    reach, quantile = near_enough(target, margin), quantile_for(values)
    error = (high - low) / 2 / QUANTILE * np.sqrt(len(games) / fresh)
    if not np.isfinite(error) or float(chances(0.0, error, reach, quantile)[Verdict.WITHIN]) >= POWER:
        return ""
    needed = fresh * (error / float(error_that_decides(0.0, reach, quantile, {Verdict.WITHIN}))) ** 2
    each = figure_words(quantile * error, target.figure).removesuffix("%")
    unit = "rounds" if target.figure == ROUNDS else "points"
    return (
        f"the margin of {figure_words(reach, target.figure).removesuffix('%')} {unit} is narrower than {fresh:,} fresh games "
        f"resolve (±{each} {unit}): a value on target may stay undecided; expected --fresh {round_up(needed)} or a wider margin"
    )


def _against_rules(fresh: Sequence[np.ndarray], target: Target) -> pd.DataFrame:
    """Return what is said of the values beside the rules' own, by the pairs of games, all of them together."""
    least, own = target.loss(fresh[0])
    quantile, rows = quantile_for(max(1, len(fresh) - 1)), []
    for values in fresh[1:]:
        loss, terms = target.loss(values)
        n = min(len(terms), len(own))
        reach = quantile * float((terms[:n] - own[:n]).std(ddof=1) / np.sqrt(n))
        rows.append({"gap": loss - least, "gap_all_low": loss - least - reach, "gap_all_high": loss - least + reach})
    columns = pd.Index(["gap", "gap_all_low", "gap_all_high"])
    found = judged(pd.DataFrame(rows, columns=columns), "gap", 0.0, len(own), BESIDE, questions=max(1, len(rows)))
    rules = pd.DataFrame([{"verdict": RULES, "certainty": "untested"}])
    found = pd.concat([rules, found[["verdict", "certainty"]]], ignore_index=True)
    return found.assign(games_fewest=np.nan, games_most=np.nan)


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
        f"{deciding(row)}"
    )


def deciding(row: Any) -> str:
    """Return how many fresh games would decide an open verdict, as a sentence."""
    words = games_words(row["games_fewest"], row["games_most"])
    return f"{words[0].upper()}{words[1:]}{' would decide (--fresh)' if row['games_fewest'] <= MOST_GAMES else ''}."
