"""Leader against leader: who wins when one of the two does, and what of that the models of strength leave over.

The share that a model expects of a pair is taken table by table, from the chances of the two seats. What is left, wins less
expected ones, is the misfit of that model. Its error is that of the games' terms with the error of the estimates, which are
fitted to the same games and so follow the wins a part of the way (the influence function of the fit: F. Hampel, JASA 69, 1974;
without that part errors are 1.4 times too large).

Two models. *Strengths* (`analysis.models.logit`) says how far a pair is from what two strengths let expect: `surplus`. That
does not make the pair special: a leader whose games vary more does better against the strong and worse against the weak than a
strength says, and all its pairs go off together. So the pairing itself is tested against a model in which each leader has a
noise of its own (`analysis.models.noise`): `remainder`, `p`, `p_adjusted`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd

from ..statistics.inference import SIGNIFICANT, around, normal_ends, together, two_sided
from ..statistics.rates import SMALL_SAMPLE, hardly_any, rate_columns
from .logit import Fit, chances, designs, fit_logit
from .noise import fit_noise, slopes
from .seatings import DEFAULT_FACTORS, Outcomes, Runs, Tables, outcomes, present

NOTHING_LEFT = 0.01  # of the variance: a model that fits a pair as well as this leaves nothing of it to test

# Tables in parts, with chances (tables, seats) and the derivatives of their logarithms (tables, seats, parameters).
Parts = Callable[[], Iterator[tuple[Tables, slice, np.ndarray, np.ndarray]]]


def matchups(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return for each pair of leaders how often the first won when one of the two won and both were at the table.

    `expected` is what the leaders' strengths say; `surplus` (percentage points) is the win rate less that, the misfit of
    the strength model. `remainder` is what is left if each leader's games may vary to a degree of their own, too; `p`
    and `p_adjusted` (for all pairs together) ask whether it is zero: whether the pairing itself matters. Where a model fits a
    pair whatever happens (three leaders who always meet), there is nothing to test, and `p` is empty.
    """
    data = present(outcomes(runs, factors, cards=False))
    fit, leaders = fit_logit(data, factors), data.levels["leader"]
    noise = fit_noise(data, fit)
    n, wins = _met(data, len(leaders))
    strength = _misfit(lambda: _strength_slopes(data, fit), fit.inverse, len(leaders), fit.finished)
    whole = _misfit(lambda: slopes(data, fit, noise), noise.inverse, len(leaders), fit.finished)
    rows = []
    for i, j in permutations(range(len(leaders)), 2):
        if n[i, j]:
            found = [left[:, i, j] for left in (strength, whole)]
            rows.append((leaders[i], leaders[j], n[i, j], wins[i, j] + wins[j, i], wins[i, j], *found[0], *found[1]))
    left = ["surplus", "surplus_error", "tested", "remainder", "remainder_error", "testable"]
    frame = pd.DataFrame(rows, columns=["leader", "opponent", "n", "decided", "wins", *left]).astype({"n": np.int64})
    decided = frame["decided"].where(frame["decided"] > 0)
    share = {name: (100 * frame[name] / decided).to_numpy() for name in left}
    p = np.where(frame["testable"] > 0, two_sided(share["remainder"], share["remainder_error"]), np.nan)
    pairs = int((~np.isnan(p)).sum()) // 2  # a pair stands in two rows: it is one question
    few = (frame["decided"] < SMALL_SAMPLE) | hardly_any(frame["wins"], frame["decided"])
    return frame.drop(columns=left).assign(
        **rate_columns(frame["wins"], frame["decided"], "win_rate"),
        expected=(frame["wins"] - frame["surplus"]) / decided,
        **around("surplus", share["surplus"], share["surplus_error"]),
        **around("remainder", share["remainder"], share["remainder_error"]),
        **together("remainder", p, normal_ends(share["remainder"], share["remainder_error"]), pairs),
        small_sample=few,
    )


def _met(data: Outcomes, leaders: int) -> tuple[np.ndarray, np.ndarray]:
    """Return how many decided games each pair met in, and the wins of the first, (leaders, leaders)."""
    n, wins = np.zeros((2, leaders, leaders))
    for t in data.tables:
        for a, b in permutations(range(t.players), 2):
            place = (t.codes["leader"][:, a], t.codes["leader"][:, b])
            np.add.at(n, place, t.finished)
            np.add.at(wins, place, t.wins[:, a])
    return n, wins


def _strength_slopes(data: Outcomes, fit: Fit) -> Iterator[tuple[Tables, slice, np.ndarray, np.ndarray]]:
    for t, part, design in designs(data, fit):
        chance = chances(design @ fit.parameters)
        yield t, part, chance, design - np.einsum("ts,tsk->tk", chance, design)[:, None, :]


def _misfit(parts: Parts, inverse: np.ndarray, leaders: int, games: int) -> np.ndarray:
    """Return for each pair wins less those expected, their standard error, and whether the model leaves anything to test.

    The result is (3, leaders, leaders). The term of a game is linear in the shares of its win, so tables need no more than
    the sums of their shares and of the products of two.
    """
    number = np.zeros((leaders, leaders), np.int64)
    pairs = np.triu_indices(leaders, 1)
    number[pairs] = np.arange(len(pairs[0]))
    size = len(pairs[0])
    left, slope = np.zeros(size), np.zeros((size, len(inverse)))
    for t, part, chance, log_slope in parts():
        for a, b, pair, sign, share in _met_pairs(t, part, chance, number):
            won = t.wins[part][:, a] + t.wins[part][:, b]
            np.add.at(left, pair, sign * (t.wins[part][:, a] - share * won))
            np.add.at(slope, pair, -(sign * share * (1 - share) * won)[:, None] * (log_slope[:, a] - log_slope[:, b]))
    follow = inverse @ slope.T  # (parameters, pairs): how the estimates' error moves the expected wins
    spread, alone = np.zeros((2, size))
    for t, part, chance, log_slope in parts():
        own = np.zeros((*chance.shape, size))
        row = np.arange(len(chance))
        for a, b, pair, sign, share in _met_pairs(t, part, chance, number):
            own[row, a, pair] += sign * (1 - share)
            own[row, b, pair] -= sign * share
        for terms, total in ((own + log_slope @ follow, spread), (own, alone)):
            total += np.einsum("tsp,tsp->p", terms, t.products[part] @ terms)
    free = games - len(inverse)
    error = np.sqrt(spread * (games / free if free > 0 else np.nan))
    found = np.zeros((3, leaders, leaders))
    for one, two, k in zip(*pairs, range(size), strict=True):
        found[:, one, two] = left[k], error[k], spread[k] > NOTHING_LEFT * alone[k]
        found[:, two, one] = -left[k], error[k], spread[k] > NOTHING_LEFT * alone[k]
    return found


def _met_pairs(
    t: Tables, part: slice, chance: np.ndarray, number: np.ndarray
) -> Iterator[tuple[int, int, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield two seats, and for each table the pair of leaders in them, 1 (or -1: the pair's second comes first), a's share."""
    codes = t.codes["leader"][part]
    for a, b in combinations(range(t.players), 2):
        first, second = codes[:, a], codes[:, b]
        sign = np.where(first < second, 1, -1)
        pair = number[np.minimum(first, second), np.maximum(first, second)]
        yield a, b, pair, sign, chance[:, a] / (chance[:, a] + chance[:, b])


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
