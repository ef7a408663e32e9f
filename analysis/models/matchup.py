"""Leader against leader: who wins when one of the two does, and what of that the models of strength leave over.

The share that a model expects of a pair is taken table by table, from the chances of the two seats. What is left, wins less
expected ones, is a score test (`logit.left_over`) of an advantage that the first has over the second alone.

Two models. *Strengths* (`analysis.models.logit`) says how far a pair is from what two strengths let expect: `surplus`. That
does not make the pair special: a leader whose games vary more does better against the strong and worse against the weak than a
strength says, and all its pairs go off together. So the pairing itself is tested against a model in which each leader has a
noise of its own (`analysis.models.noise`): `remainder`, `p`, `p_adjusted`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd

from ..statistics.inference import SIGNIFICANT, around, skewed, skewed_ends, together
from ..statistics.rates import SMALL_SAMPLE, hardly_any, rate_columns
from . import logit
from .logit import LeftOver, fit_logit, left_over
from .noise import fit_noise, slopes
from .seatings import DEFAULT_FACTORS, Outcomes, Runs, Tables, outcomes, present


def matchups(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return for each pair of leaders how often the first won when one of the two won and both were at the table.

    `expected` is what the leaders' strengths say; `surplus` (percentage points) is the win rate less that, the misfit of
    the strength model. `remainder` is what is left if each leader's games may vary to a degree of their own, too; `p`
    and `p_adjusted` (for all pairs together) ask whether it is zero: whether the pairing itself matters. Where a model fits a
    pair whatever happens (three leaders who always meet), there is nothing to test, and `p` is empty; so it is where few
    wins of one of the two are to be expected.
    """
    data = present(outcomes(runs, factors, cards=False))
    fit, leaders = fit_logit(data, factors), data.levels["leader"]
    noise = fit_noise(data, fit)
    n, wins = _met(data, len(leaders))
    pairs = _Pairs(len(leaders))
    strength = left_over(lambda: logit.slopes(data, fit), pairs.besides, fit.inverse, fit.score)
    no_score = np.zeros(len(noise.parameters))  # but for the added games
    whole = left_over(lambda: slopes(data, fit, noise), pairs.besides, noise.inverse, no_score, noise.penalty)
    first, second = (np.array(seats) for seats in zip(*permutations(range(len(leaders)), 2), strict=True))
    first, second = (seats[n[first, second] > 0] for seats in (first, second))
    decided = np.where(wins[first, second] + wins[second, first] > 0, wins[first, second] + wins[second, first], np.nan)
    pair, sign = pairs.number[first, second], np.where(first < second, 1, -1)

    def points(left: LeftOver) -> tuple[np.ndarray, np.ndarray]:
        return 100 * sign * left.score[pair] / decided, 100 * np.sqrt(left.variance[pair].clip(0)) / decided

    surplus, surplus_error = points(strength)
    remainder, error = points(whole)
    names = np.array(leaders, object)
    frame = pd.DataFrame({"leader": names[first], "opponent": names[second], "n": n[first, second].astype(np.int64)})
    frame = frame.assign(decided=np.nan_to_num(decided), wins=wins[first, second])
    expected = wins[first, second] / decided - surplus / 100
    few = (frame["decided"] < SMALL_SAMPLE) | hardly_any(frame["wins"], frame["decided"])
    silent = hardly_any(expected * decided, decided) | ~whole.testable[pair]
    skew = sign * whole.skew[pair]
    p = np.where(silent, np.nan, skewed(remainder, error, skew))
    questions = int((~np.isnan(p)).sum()) // 2  # a pair stands in two rows: it is one question
    return frame.assign(
        **rate_columns(frame["wins"], frame["decided"], "win_rate"),
        expected=expected,
        **around("surplus", surplus, surplus_error),
        **around("remainder", remainder, error),
        **together("remainder", p, skewed_ends(remainder, error, skew), questions),
        small_sample=few,
    )


class _Pairs:
    """Each pair of leaders as a column for `left_over`: what the first has of a win of either less its share of it."""

    def __init__(self, leaders: int) -> None:
        self.size = leaders * (leaders - 1) // 2
        self.number = np.zeros((leaders, leaders), np.int64)
        self.number[np.triu_indices(leaders, 1)] = np.arange(self.size)
        self.number += self.number.T

    def besides(self, t: Tables, part: slice, chance: np.ndarray) -> np.ndarray:
        """Return the columns: for the seats of a pair, by whose leader comes first, the other's share of the two chances."""
        codes, row = t.codes["leader"][part], np.arange(len(chance))
        found = np.zeros((*chance.shape, self.size))
        for a, b in combinations(range(t.players), 2):
            pair, sign = self.number[codes[:, a], codes[:, b]], np.where(codes[:, a] < codes[:, b], 1, -1)
            share = chance[:, a] / (chance[:, a] + chance[:, b])
            found[row, a, pair] += sign * (1 - share)
            found[row, b, pair] -= sign * share
        return found


def _met(data: Outcomes, leaders: int) -> tuple[np.ndarray, np.ndarray]:
    """Return how many decided games each pair met in, and the wins of the first, (leaders, leaders)."""
    n, wins = np.zeros((2, leaders, leaders))
    for t in data.tables:
        for a, b in permutations(range(t.players), 2):
            place = (t.codes["leader"][:, a], t.codes["leader"][:, b])
            np.add.at(n, place, t.finished)
            np.add.at(wins, place, t.wins[:, a])
    return n, wins


def matchup_matrix(frame: pd.DataFrame, value: str = "win_rate") -> pd.DataFrame:
    """Return one column of `matchups` as a square: row against column, strongest row first."""
    square = frame.pivot(index="leader", columns="opponent", values=value)
    order = square.mean(axis=1).sort_values(ascending=False).index if value == "win_rate" else square.index
    return square.loc[order, order]


def matchup_table(frame: pd.DataFrame, value: str = "win_rate") -> pd.DataFrame:
    """Return `matchups` as a square of texts for reading: per cent or points; * a special pair, [] small samples.

    The star is that of the remainder: on the misfit of the strength model it would say what it does not mean.
    """
    frame = frame.assign(text=[_cell(row, value) for row in frame.to_dict("records")])
    order = matchup_matrix(frame).index
    square = frame.pivot(index="leader", columns="opponent", values="text").loc[order, order].fillna("-")
    return square.rename_axis(columns=None).reset_index()


def _cell(row: dict[Any, Any], value: str) -> str:
    if pd.isna(row[value]):
        return "-"
    text = f"{100 * row[value]:.1f}" if value == "win_rate" else f"{row[value]:+.1f}"
    text += "*" if row["p_adjusted"] <= SIGNIFICANT and value != "surplus" else ""
    return f"[{text}]" if row["small_sample"] else text
