"""Figures of rulesets that a search plays in memory, the target of a search, and verdicts from fresh games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used

from ...simulator import names
from ...simulator.errors import UserError, with_minus, with_sign
from ...simulator.rules.ruleset_contents import printed_names
from ..stats import rates
from ..stats.inference import QUANTILE, SIGNIFICANT, around, centring, holm, of_intervals, rate_spread, two_sided
from ..stats.rates import CONFIDENCE, SMALL_SAMPLE, wilson
from ..stats.verdicts import (
    BESIDE_RULES,
    CHANGE,
    DECIDED,
    FAR,
    POWER,
    TARGET,
    Z_POWER,
    InSearch,
    Labels,
    Outcome,
    Verdict,
    chances,
    differs,
    error_that_decides,
    having,
    judged,
    quantile_for,
    round_up,
    verdict_cells,
    verdict_columns,
    verdict_of,
)
from .paired_figures import FIRST_PLAYER, ROUNDS, SPREAD, UNFINISHED, Moments, differences, margin_of, unfinished, verdicts

# --- The headline figures of games played in memory: length, turn order, agendas, wonders, leaders, and the leaders' spread
#
# A ruleset's games are an array (games, figures, 2) of numerators and denominators, as in `pairs.figures_of`, with the figures
# of FIGURES.

BEFORE_LEADERS = (
    ("game", ROUNDS),
    ("game", UNFINISHED),
    ("game", FIRST_PLAYER),
    *(("seats", f"win rate of the {place} player") for place in ("second", "third", "fourth", "fifth")),
    # Of both boxes: the rate of what is not in a game counts no cases.
    *(("agendas", f"claim rate of {name}") for name in printed_names(names.BOXES[names.TI_BOX], "agenda")),
    *(("wonders", f"build rate of {name}") for name in printed_names(names.BOXES[names.TI_BOX], "wonder")),
    # Of pairs of games, with and without the wonder given to a seat: only a search for an effect plays them (tuning.py).
    *(("effects", f"effect of {name}") for name in printed_names(names.BOXES[names.TI_BOX], "wonder")),
)
FIRST_LEADER = len(BEFORE_LEADERS)
PLACES = slice(2, 7)  # the win rates by turn order
SEAT_SPREAD = ("seats", "seat spread")


def figures_with(leaders: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return group and name of each figure of a ruleset with these leaders, by their codes."""
    return (*BEFORE_LEADERS, *(("leaders", f"win rate of {name}") for name in leaders))


FIGURES = figures_with(names.LEADERS)
GROUPS = ("game", "leaders")
MARGIN = rates.POINTS / 100  # of shares


def is_mean(figure: str) -> bool:
    """Return whether a figure is a mean instead of a share: rounds, and effects, which may be negative."""
    return figure == ROUNDS or figure.startswith("effect of ")


NEVER = "what is asked about occurs in none of"


@dataclass(frozen=True)
class WinRates:
    """The win rates of the leaders that sat at the tables, or of the places in the turn order, and their errors."""

    rate: np.ndarray  # (rates,)
    terms: np.ndarray  # (games, rates) linearised terms of the rates

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of the errors of the rates; games are the clusters, because one's win is the others' loss."""
        n = len(self.terms)
        return self.terms.T @ self.terms / (n * (n - 1))

    def variance(self) -> tuple[float, np.ndarray]:
        """Return the unbiased variance of the true rates (Cochran; `stats.inference`), and its linearised term by game."""
        centre = centring(len(self.rate))
        total = self.rate @ centre @ self.rate - np.trace(centre @ self.covariance)
        return float(total) / (len(self.rate) - 1), 2 / (len(self.rate) - 1) * self.terms @ centre @ self.rate


def leader_rates(values: np.ndarray) -> WinRates:
    """Return the leaders' win rates in games with the figures of FIGURES."""
    return _rates(values[:, FIRST_LEADER:])


def seat_rates(values: np.ndarray) -> WinRates:
    """Return the win rates by turn order in games with the figures of FIGURES."""
    return _rates(values[:, PLACES])


def _rates(values: np.ndarray) -> WinRates:
    seen = values.astype(float)
    seen = seen[:, seen[:, :, 1].sum(axis=0) > 0]
    y, m = seen[:, :, 0], seen[:, :, 1]
    rate = y.sum(axis=0) / m.sum(axis=0)
    return WinRates(rate, (y - rate * m) / m.mean(axis=0))


def mean_interval(y: np.ndarray, m: np.ndarray, confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """Return the mean of `y` over the games that count (`m` 1, else 0) with Student's interval; NaN without such a game."""
    n = int(m.sum())
    if n == 0:
        return np.nan, np.nan, np.nan
    values = y[m > 0]
    value = float(values.sum() / n)
    reach = float(scipy.stats.t.ppf(0.5 + confidence / 2, n - 1) * values.std(ddof=1) / np.sqrt(n)) if n > 1 else np.inf
    return value, value - reach, value + reach


def levels(values: np.ndarray, leaders: Sequence[str] = names.LEADERS) -> pd.DataFrame:
    """Return each figure with its 95% interval and n, under one ruleset; a leader that never sat at the table is left out."""
    rows = []
    for index, (group, figure) in enumerate(figures_with(leaders)):
        y, m = values[:, index, 0].astype(float), float(values[:, index, 1].sum())
        if m == 0:
            continue
        if is_mean(figure):
            value, low, high = mean_interval(y, values[:, index, 1])
        else:
            value = float(y.sum() / m)
            low, high = (float(end) for end in wilson(y.sum(), m))
        rows.append((group, figure, value, low, high, int(m)))
    before = sum(row[0] != "leaders" for row in rows)
    for spread, wins in ((SPREAD, leader_rates(values)), (SEAT_SPREAD, seat_rates(values))):
        rows.insert(before, (*spread, *rate_spread(wins.rate, wins.covariance), len(values)))
    return pd.DataFrame(rows, columns=["group", "figure", "value", "low", "high", "n"])


def changes(
    a: np.ndarray, b: np.ndarray, groups: Sequence[str] = GROUPS, leaders: Sequence[str] = names.LEADERS
) -> pd.DataFrame:
    """Return each figure under two rulesets and its difference b - a; row k of both is the game of the same seed.

    Columns: group, figure, a, b, difference, low, high, p, n, changed (pairs that differ). p values are not corrected.
    """
    figures = figures_with(leaders)
    moments = Moments.empty(len(figures), slice(FIRST_LEADER, len(figures)))
    moments.add(a.astype(float), b.astype(float))
    frame = differences(moments, figures=figures).rename(columns={"n_a": "n"})
    order = {figure: place for place, (_, figure) in enumerate([*figures[:FIRST_LEADER], SPREAD])}
    frame = frame.sort_values("figure", key=lambda column: column.map(order).fillna(len(order)), kind="stable")
    frame = frame[["group", "figure", "a", "b", "difference", "low", "high", "p", "n", "changed"]]
    return frame[frame["group"].isin(list(groups))].reset_index(drop=True)


SPREADS = {"leader-spread": (SPREAD[1], leader_rates), "seat-spread": (SEAT_SPREAD[1], seat_rates)}


@dataclass(frozen=True)
class Target:
    """A figure and its wanted value (None: as small as possible)."""

    text: str
    figure: str
    wanted: float | None = None
    leaders: tuple[str, ...] = names.LEADERS  # of the ruleset, by their codes
    granted: str | None = None  # the wonder whose effect is the figure: each game is also played with it given to a seat

    def cases(self, values: np.ndarray) -> int:
        """Return in how many cases of the games what the target asks about can occur: games or seats with it."""
        if self.figure in (figure for figure, _ in SPREADS.values()):
            return len(values)
        index = [figure for _, figure in figures_with(self.leaders)].index(self.figure)
        return int(values[:, index, 1].sum())

    def loss(self, values: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the loss in the games (distance from the target), and its linearised term for each game."""
        for figure, rates_of in SPREADS.values():
            if self.figure == figure:
                return rates_of(values).variance()
        index = [figure for _, figure in figures_with(self.leaders)].index(self.figure)
        y, m = values[:, index, 0].astype(float), values[:, index, 1].astype(float)
        if m.sum() == 0:
            raise UserError(f"target {self.text}: {NEVER} the {len(values):,} games; expected more games, or another target")
        value = y.sum() / m.sum()
        terms = (y - value * m) / m.mean()
        if self.wanted is None:
            return float(value), terms
        return abs(float(value) - self.wanted), np.sign(value - self.wanted) * terms


# --- Values of a rule on fresh games: does one bring a figure to its target?
#
# A value chosen by some games looks better in them than it is, so the chosen values play fresh games, by which they are
# judged: each figure with an interval, all of them together with 95% (Bonferroni), because the best-looking one is selected.
#
# Verdicts are those of `stats.verdicts`, against the target and a margin: the whole interval within the margin of the target:
# *on target*; no part of it: *off target*; else *undecided*, with the fewest and the most fresh games that would decide with a
# probability of 80%. Targets without a number (the smallest leader spread, the shortest game) have no such verdict: values
# are compared with the rules' own, game by game on the same seeds.

# The order in which these are listed, as `verdicts.TOLD`: what is open last.
TOLD = (Outcome.ON, Outcome.BETTER, Outcome.OFF, Outcome.WORSE, Outcome.RULES, Outcome.ALIKE, Outcome.OPEN)


def level(
    values: np.ndarray, figure: str, confidence: float = CONFIDENCE, leaders: Sequence[str] = names.LEADERS
) -> tuple[float, float, float, int]:
    """Return a figure in games with its interval, and its number of games."""
    if figure in (SPREAD[1], SEAT_SPREAD[1]):
        wins = leader_rates(values) if figure == SPREAD[1] else seat_rates(values)
        return (*rate_spread(wins.rate, wins.covariance, confidence), len(values))
    index = [name for _, name in figures_with(leaders)].index(figure)
    y, n = values[:, index, 0].astype(float), int(values[:, index, 1].sum())
    if n == 0:
        return np.nan, np.nan, np.nan, 0
    if is_mean(figure):
        return (*mean_interval(y, values[:, index, 1], confidence), n)
    value = float(y.sum()) / n
    low, high = wilson(y.sum(), n, confidence)
    return value, float(low), float(high), n


def levels_together(
    fresh: Sequence[np.ndarray], figure: str, leaders: Sequence[str] = names.LEADERS
) -> list[tuple[float, float, float, int]]:
    """Return a figure in several sets of games with simultaneous intervals, and the number of games of each."""
    return [level(values, figure, 1 - SIGNIFICANT / len(fresh), leaders) for values in fresh]


def near_enough(target: Target, margin: float | None) -> float:
    """Return the margin of the target: the given one, or that of its figure."""
    return margin_of(target.figure) if margin is None else margin


def confirm(fresh: Sequence[np.ndarray], target: Target, margin: float | None = None) -> pd.DataFrame:
    """Return verdicts on the fresh games of several values against the target; the first games are those of the rules.

    One row for each, in their order: `value` of the target's figure with `low` and `high` (together 95%), `loss`, `n`, and the
    columns of `verdicts.judged`: `verdict` (an `Outcome`), `certainty`, the fewest and the most fresh games that would decide
    (`games_fewest`, `games_most`; NaN if the verdict is clear, or if no value is wanted).
    """
    rows = []
    for values, (value, low, high, n) in zip(fresh, levels_together(fresh, target.figure, target.leaders), strict=True):
        alone = level(values, target.figure, leaders=target.leaders)
        rows.append({"value": value, "value_all_low": low, "value_all_high": high, "loss": target.loss(values)[0], "n": n,
                     "value_low": alone[1], "value_high": alone[2]})  # fmt: skip
    frame = pd.DataFrame(rows)
    if target.wanted is None:
        frame = pd.concat([frame, _against_rules(fresh, target)], axis=1)
    else:
        reach = near_enough(target, margin)
        frame = _outcomes(judged(frame, "value", reach, len(fresh[0]), against=target.wanted, questions=len(fresh)), TARGET)
    return frame.drop(columns=["value_low", "value_high"]).rename(columns={f"value_all_{end}": end for end in ("low", "high")})


def too_few(games: np.ndarray, target: Target, margin: float | None, fresh: int, values: int) -> str:
    """Say if this many fresh games of several values are too few for the margin, by the spread of `games`; else ''.

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
    """Return verdicts on the values against the rules' own, by the pairs of games, all of them together."""
    least, own = target.loss(fresh[0])
    quantile, rows = quantile_for(max(1, len(fresh) - 1)), []
    for values in fresh[1:]:
        loss, terms = target.loss(values)
        n = min(len(terms), len(own))
        reach = quantile * float((terms[:n] - own[:n]).std(ddof=1) / np.sqrt(n))
        rows.append({"gap": loss - least, "gap_all_low": loss - least - reach, "gap_all_high": loss - least + reach})
    columns = pd.Index(["gap", "gap_all_low", "gap_all_high"])
    frame = judged(pd.DataFrame(rows, columns=columns), "gap", 0.0, len(own), questions=max(1, len(rows)))
    frame = _outcomes(frame, BESIDE_RULES)
    rules = pd.DataFrame([verdict_cells(Outcome.RULES) | {"certainty": "untested"}])
    frame = pd.concat([rules, frame[list(rules.columns)]], ignore_index=True)
    return frame.assign(games_fewest=np.nan, games_most=np.nan)


def _outcomes(frame: pd.DataFrame, meant: Mapping[Verdict, Outcome]) -> pd.DataFrame:
    """Return a judged table with what its verdicts mean for a search."""
    return frame.assign(**verdict_columns(meant[verdict_of(row)] for row in frame.to_dict("records")))


def figure_words(value: float, figure: str, signed: bool = False) -> str:
    """Return a value of a figure in its unit: rounds, or per cent."""
    number = value if figure == ROUNDS else 100 * value
    text = with_sign(number) if signed else with_minus(f"{number:.1f}")
    return text if figure == ROUNDS else f"{text}%"


def loss_table(
    tried: Sequence[tuple[tuple[int, ...], np.ndarray]], best: int, numbers: Sequence[str], target: Target
) -> pd.DataFrame:
    """Return a row for each of the values tried, by their games: figures with intervals, and the loss less the best one's.

    The first are the rules' own values. p values of losses are corrected over all pairs of values, any of which might have come
    out best by luck.
    """
    rows, first = [], tried[best][1]
    for place, (values, figures) in enumerate(tried):
        row: dict[str, Any] = dict(zip(numbers, values, strict=True))
        n = min(len(figures), len(first))
        (loss, terms), (least, others) = (target.loss(each[:n]) for each in (figures, first))
        error, gap = float((terms - others).std(ddof=1) / np.sqrt(n)), loss - least
        p = np.nan if place == best else float(two_sided(gap, error))
        row |= {"loss": target.loss(figures)[0], **around("loss_difference", gap, error)}
        row |= {"p": p, "n": len(figures)}
        for figure in levels(figures, target.leaders).to_dict("records"):
            name = figure["figure"].replace(" ", "_")
            row |= {name: figure["value"], f"{name}_low": figure["low"], f"{name}_high": figure["high"]}
        rows.append(row | {"printed": place == 0, "first": place == best})
    frame = pd.DataFrame(rows)
    frame["p_holm"] = _over_all_pairs(frame["p"].to_numpy())
    frame = frame.assign(**verdict_columns(_in_search(row) for _, row in frame.iterrows()))
    return frame.sort_values(list(numbers), ignore_index=True)


def _over_all_pairs(p: np.ndarray) -> np.ndarray:
    """Return p values corrected by Holm over all pairs; pairs without the best value count as tests without a finding."""
    untested = np.ones(len(p) * (len(p) - 1) // 2 - int((~np.isnan(p)).sum()))
    return holm(np.concatenate([p, untested]))[: len(p)]


def _in_search(row: pd.Series) -> InSearch:
    if row["first"]:
        return InSearch.FIRST
    return InSearch.WORSE if differs(row, "p_holm") and row["loss_difference"] > 0 else InSearch.NOISE


# --- Side effects of values, and effects of steps of numbers

MATTERS, TOO_SMALL, NOT_KNOWN = "matters", "too small to matter", "undecided"
MOVED = Labels(MATTERS, NOT_KNOWN, TOO_SMALL, NOT_KNOWN, MATTERS, NOT_KNOWN, NOT_KNOWN)  # of the effect of a step of a number
MEANT = {MATTERS: FAR, TOO_SMALL: frozenset({Verdict.WITHIN}), NOT_KNOWN: frozenset(Verdict) - DECIDED}


def told(frame: pd.DataFrame, words: str) -> Any:
    """Return which steps of a number MATTER, are TOO_SMALL to, or are NOT_KNOWN to."""
    return having(frame, MEANT[words])


def side_effects(fresh: Sequence[np.ndarray], leaders: Sequence[str] = names.LEADERS) -> pd.DataFrame:
    """Return the changes by several values against the first games, those of the rules: one row per value and figure.

    The columns of `changes` with `place` (the value's index in `fresh`), intervals and p values that hold for all rows
    together, and those of `answer.judged`.
    """
    parts = [changes(fresh[0], values, leaders=leaders).assign(place=place) for place, values in enumerate(fresh[1:], 1)]
    return _judged_steps(pd.concat(parts, ignore_index=True), CHANGE, len(fresh[0]))


def _judged_steps(frame: pd.DataFrame, labels: Labels, games: float) -> pd.DataFrame:
    """Return changes with their verdicts, all together; `low` and `high` are each row's own 95% interval."""
    value, low, high, p = (frame[name].astype(float) for name in ("difference", "low", "high", "p"))
    together = of_intervals("difference", value, low, high, p, frame["changed"])
    frame = frame.assign(**together, margin=frame["figure"].map(margin_of), small_sample=frame["n"] < SMALL_SAMPLE)
    return verdicts(frame, "difference", games, labels)


def unfinished_beside(fresh: Sequence[np.ndarray]) -> pd.DataFrame:
    """Return `pairs.unfinished` of several values against the first games, those of the rules: a row for each."""
    place = [name for _, name in BEFORE_LEADERS].index(UNFINISHED)
    games = np.stack([values[:, place] for values in fresh], axis=1).astype(float)
    moments = Moments.empty(len(fresh))
    moments.add(np.repeat(games[:, :1], len(fresh), axis=1), games)
    return pd.DataFrame(unfinished(moments))


def steps_judged(frame: pd.DataFrame) -> pd.DataFrame:
    """Return steps of numbers with `verdict`, `certainty`, `significant`, `size` in margins, and `detectable`.

    `detectable` is a true difference that would have been significant in 80% of such analyses.
    """
    steps = _judged_steps(frame, MOVED, float(frame["n"].max()) if len(frame) else 0.0)
    error = (steps["high"] - steps["low"]).astype(float) / (2 * QUANTILE)
    questions = max(1, int(steps["p"].notna().sum()))
    return steps.assign(
        significant=differs(steps), detectable=(quantile_for(questions) + Z_POWER) * error,
        size=steps["difference"].astype(float).abs() / steps["margin"],
    )  # fmt: skip
