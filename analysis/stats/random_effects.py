"""One figure over several good players: its mean, how far players differ, and what another such player would find.

Each player's games estimate the figure as that player plays: with an error by its number of games, and with a difference from
other players that no number of games removes. Random effects (R. DerSimonian and N. Laird, Controlled Clinical Trials 7,
1986) take both into account: a player counts by the inverse of its squared error plus the squared spread of the players, so
one with few games says little, and does not decide for all.

The spread is that of Paule and Mandel (Journal of Research of the NBS 87, 1982), which makes Cochran's Q what it is on the
average, k - 1; its interval inverts the distribution of Q (W. Viechtbauer, Statistics in Medicine 26, 2007). The mean has the
interval of Hartung and Knapp (Statistics in Medicine 20, 2001), which is right for a handful of players where the normal one is
too narrow; the prediction interval is that of J. Higgins, S. Thompson and D. Spiegelhalter (JRSS A 172, 2009), with the upper
end of a one-sided 75% interval of the spread: with the estimate, which is often 0 by chance, it held 85% where players differ
as much as their errors. Two players say next to nothing of a third: it is then without an interval.

Who deviates is asked of each player against the mean of the others as these are, so no spread enters it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats

from .inference import SIGNIFICANT, normal_ends, together, two_sided
from .rates import CONFIDENCE

FIGURE = ["figure", "player", "n", "value", "error"]  # columns of what is asked
SEPARATED = ", "
LARGER = 0.25  # chance that the spread is larger than the one of the prediction


def over_players(figures: pd.DataFrame, questions: int | None = None) -> pd.DataFrame:
    """Return the mean of each figure over the players, one row a figure, in the order of the table.

    `figures` has a row a figure and player: `figure`, `player`, `n` (games), `value` and its standard `error`, in any unit.
    `spread` is the standard deviation of the players' true values, `p_spread` asks whether it is 0; another player of this
    kind lies in `next_low` to `next_high` with 95%. `deviate` names the players that differ from the others
    (`player_deviations`). The intervals `_all_` hold for all figures together, or for so many `questions`.
    """
    deviate = player_deviations(figures, questions)
    deviate = deviate[deviate["p_adjusted"] <= SIGNIFICANT]
    groups = list(figures.groupby("figure", sort=False))
    rows = [_over(part, 1 - SIGNIFICANT / (questions or len(groups))) for _, part in groups]
    frame = pd.DataFrame(rows)
    frame.insert(0, "figure", [figure for figure, _ in groups])
    names = deviate.groupby("figure")["player"].agg(SEPARATED.join).to_dict()
    return frame.assign(deviate=[names.get(figure, "") for figure in frame["figure"]])


def player_deviations(figures: pd.DataFrame, asked: int | None = None) -> pd.DataFrame:
    """Return for each figure and player by how much its value is above the mean of the others, as these played.

    `others` is that mean, by the weights of random effects. The correction is over all figures and players; the two sides of
    a pair of players are one question. `asked`: the figures are some of so many.
    """
    parts = []
    for _, part in figures[FIGURE].groupby("figure", sort=False):
        value, error = part["value"].to_numpy(float), part["error"].to_numpy(float)
        mean, spread = np.full((2, len(part)), np.nan)
        for i in range(len(part) if len(part) > 1 else 0):
            rest = np.arange(len(part)) != i
            weights = _weights(error[rest], spread_of(value[rest], error[rest]))
            mean[i], spread[i] = weights @ value[rest], np.sqrt(error[i] ** 2 + weights**2 @ error[rest] ** 2)
        parts.append(part.assign(others=mean, difference=value - mean, difference_error=spread))
    frame = pd.concat(parts, ignore_index=True)
    gap, error = frame["difference"].to_numpy(), frame.pop("difference_error").to_numpy()
    p, ends = two_sided(gap, error), normal_ends(gap, error)
    low, high = ends(CONFIDENCE)
    sizes = frame.groupby("figure")["player"].transform("size")
    questions = int((sizes > 2).sum() + (sizes == 2).sum() // 2)
    questions = questions if asked is None else questions * asked // frame["figure"].nunique()
    found = {"difference_low": low, "difference_high": high} | together("difference", p, ends, max(1, questions))
    return frame.drop(columns="error").assign(**found)


def spread_of(value: np.ndarray, error: np.ndarray, q: float | None = None) -> float:
    """Return the standard deviation of true values with which Cochran's Q is `q` (its mean, if not given); 0 if none is."""
    target = len(value) - 1 if q is None else q
    if len(value) < 2 or _q(value, error, 0.0) <= target:
        return 0.0
    most = float(np.ptp(value) + error.max())
    while _q(value, error, most) > target:
        most *= 2
    return float(optimize.brentq(lambda spread: _q(value, error, spread) - target, 0.0, most))


def _q(value: np.ndarray, error: np.ndarray, spread: float) -> float:
    """Return Cochran's Q: the squared distances of the values from their mean over their variances."""
    weight = 1 / np.maximum(error**2 + spread**2, 1e-300)
    return float(weight @ (value - weight @ value / weight.sum()) ** 2)


def _weights(error: np.ndarray, spread: float) -> np.ndarray:
    weight = 1 / np.maximum(error**2 + spread**2, 1e-300)
    return np.asarray(weight / weight.sum())


def _over(part: pd.DataFrame, together_level: float) -> dict[str, Any]:
    """Return the row of `over_players` for one figure."""
    value, error, k = part["value"].to_numpy(float), part["error"].to_numpy(float), len(part)
    spread, tail = spread_of(value, error), SIGNIFICANT / 2
    weights = _weights(error, spread)
    mean = float(weights @ value)
    row: dict[str, Any] = {"players": k, "n": int(part["n"].sum()), "value": mean}
    # Hartung and Knapp: the distances of the values as they are seen, with Student's quantile; one player has no others.
    own = float(np.sqrt(weights @ (value - mean) ** 2 / (k - 1))) if k > 1 else float(error[0])
    for name, level in (("value", CONFIDENCE), ("value_all", together_level)):
        reach = own * float(stats.t.isf((1 - level) / 2, k - 1) if k > 1 else stats.norm.isf((1 - level) / 2))
        row |= {f"{name}_low": mean - reach, f"{name}_high": mean + reach}
    if k == 1:
        return row | dict.fromkeys(("spread", "spread_low", "spread_high", "p_spread", "next", "next_low", "next_high"), np.nan)
    ends = (spread_of(value, error, float(stats.chi2.isf(chance, k - 1))) for chance in (tail, 1 - tail))
    row |= dict(zip(("spread", "spread_low", "spread_high"), (spread, *ends), strict=True))
    wide = spread_of(value, error, float(stats.chi2.ppf(LARGER, k - 1)))
    further = float(stats.t.isf(tail, k - 2) * np.hypot(wide, own)) if k > 2 else np.nan
    same = float(stats.chi2.sf(_q(value, error, 0.0), k - 1))
    return row | {"p_spread": same, "next": mean, "next_low": mean - further, "next_high": mean + further}
