"""Does a leader's strength depend on the strategy that plays it, beyond how strong leader and strategy are by themselves?

Each pair of a leader and a strategy is asked by itself, by the score test (`logit.left_over`) at the model in which leader,
strategy and place in the turn order add up: did the leader win more often with this strategy than these let expect? What a
pair is worth is on the scale of log odds, where equal gains of a strong strategy do not look larger for a strong leader, as
they do in percentage points.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import special

from ..statistics.inference import distinct, skewed, skewed_ends, together
from ..statistics.rates import CONFIDENCE, SMALL_SAMPLE, hardly_any
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
    fit = fit_logit(data, DEFAULT_FACTORS)

    def codes(t: Tables) -> np.ndarray:
        return np.asarray(t.codes["leader"].astype(np.int64) * len(strategies) + t.codes["strategy"])

    def pairs(t: Tables, part: slice, chance: np.ndarray) -> np.ndarray:
        return (codes(t)[part][:, :, None] == np.arange(number)).astype(float)

    left = left_over(lambda: slopes(data, fit), pairs, fit.inverse, fit.score)
    decided, wins, expected = np.zeros((3, number))
    for t, part, chance, _ in slopes(data, fit):
        n = np.broadcast_to(t.finished[part][:, None], chance.shape)
        for total, weight in ((decided, n), (wins, t.wins[part]), (expected, n * chance)):
            total += np.bincount(codes(t)[part].ravel(), weight.ravel(), number)
    names = [(leader, strategy) for leader in data.levels["leader"] for strategy in strategies]
    frame = pd.DataFrame(names, columns=["leader", "strategy"]).assign(decided=decided, expected=expected, wins=wins)
    few = (decided < SMALL_SAMPLE) | hardly_any(expected, decided)
    estimate, error = left.log_odds()
    p = np.where(few | ~left.testable, np.nan, skewed(estimate, error, left.skew))
    beyond = skewed_ends(estimate, error, left.skew)

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = beyond(confidence)
        return in_points(low, fair), in_points(high, fair)

    low, high = ends(CONFIDENCE)
    found = {"interaction": in_points(estimate, fair), "interaction_low": low, "interaction_high": high}
    questions = distinct(np.nan_to_num(estimate).round(9), p, frame["leader"])
    frame = frame.assign(**found, **together("interaction", p, ends, questions), small_sample=few | ~left.testable)
    return frame[decided > 0].drop(columns="wins").reset_index(drop=True)


def in_points(log_odds: np.ndarray, fair: float) -> np.ndarray:
    """Return what log odds make of the fair share, in percentage points."""
    return np.asarray(100 * (special.expit(special.logit(fair) + log_odds) - fair))
