"""Does a leader's strength depend on the strategy that plays it, beyond how strong leader and strategy are by themselves?

Each pair of a leader and a strategy is asked by itself, by the score test (`logit.left_over`) at the model in which leader,
strategy and place in the turn order add up: did the leader win more often with this strategy than these let expect? What a pair is
worth is on the scale of log odds, where equal gains of a strong strategy do not look larger for a strong leader, as they do in
percentage points.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import special

from ..statistics.inference import Ends, distinct, together, two_sided
from ..statistics.rates import CONFIDENCE, SMALL_SAMPLE, few_expected
from .logit import fit_logit, left_over, slopes
from .seatings import DEFAULT_FACTORS, Outcomes, Tables, present


def interactions(data: Outcomes, fair: float) -> pd.DataFrame:
    """Return the interaction of each leader with each strategy: a row for each pair that played.

    `interaction` is in percentage points, what the pair's log odds beyond leader and strategy make of the `fair` share.
    `expected` are the wins that leader, strategy and place let expect in the `decided` games. Nothing is tested where they
    are few (of wins, or of losses), or where main effects fit any outcome.
    """
    data = present(data)
    strategies, number = data.levels["strategy"], len(data.levels["leader"]) * len(data.levels["strategy"])
    fit, sums = fit_logit(data, DEFAULT_FACTORS), np.zeros((3, number))

    def pairs(t: Tables, part: slice, chance: np.ndarray) -> np.ndarray:
        pair = t.codes["leader"][part].astype(np.int64) * len(strategies) + t.codes["strategy"][part]
        n = np.broadcast_to(t.finished[part][:, None], pair.shape)
        for total, weight in zip(sums, (n, t.wins[part], n * chance), strict=True):
            total += np.bincount(pair.ravel(), weight.ravel(), number)
        return (pair[:, :, None] == np.arange(number)).astype(float)

    left = left_over(slopes(data, fit), pairs, fit.inverse, fit.score)
    estimate, error = left.log_odds()
    names = [(leader, strategy) for leader in data.levels["leader"] for strategy in strategies]
    frame = pd.DataFrame(names, columns=["leader", "strategy"]).assign(decided=sums[0], wins=sums[1], expected=sums[2])
    there = sums[0] > 0
    frame, estimate, error = frame[there].reset_index(drop=True), estimate[there], error[there]
    few = (frame["decided"] < SMALL_SAMPLE) | few_expected(frame["expected"], frame["decided"])
    p = np.where(few, np.nan, two_sided(estimate, error))
    ends = points_ends(estimate, error, fair)
    low, high = ends(CONFIDENCE)
    found = {"interaction": in_points(estimate, fair), "interaction_low": low, "interaction_high": high}
    questions = distinct(np.nan_to_num(estimate).round(9), p, frame["leader"])
    return frame.assign(**found, **together("interaction", p, ends, questions), small_sample=few)


def in_points(log_odds: np.ndarray, fair: float) -> np.ndarray:
    """Return what log odds make of the fair share, in percentage points."""
    return np.asarray(100 * (special.expit(special.logit(fair) + log_odds) - fair))


def points_ends(estimate: np.ndarray, error: np.ndarray, fair: float) -> Ends:
    """Return the ends of normal intervals of log odds, in percentage points."""

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        reach = -float(special.ndtri((1 - confidence) / 2)) * error
        return in_points(estimate - reach, fair), in_points(estimate + reach, fair)

    return ends
