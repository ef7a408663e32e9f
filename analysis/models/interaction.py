"""Does a leader's strength depend on the strategy that plays it, beyond how strong leader and strategy are by themselves?

Each pair of a leader and a strategy has log odds of its own in a conditional logit (`logit`), beside the place in the turn
order. What main effects of leader and strategy, all pairs alike, leave of these (least squares) is the interaction. It is
tested on the scale of log odds, where equal gains of a strong strategy do not look larger for a strong leader, as they do in
percentage points.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import special

from ..statistics.inference import Ends, distinct, together, two_sided
from ..statistics.rates import CONFIDENCE, SMALL_SAMPLE, hardly_any
from .logit import Fit, fit_logit
from .seatings import Outcomes, Tables, decided, each, observed, present

HAND = "hand"  # a leader played by a strategy


def interactions(data: Outcomes, fair: float) -> pd.DataFrame:
    """Return the interaction of each leader with each strategy: a row for each pair that played.

    `interaction` is in percentage points, what it makes of the `fair` share; its intervals are those of the log odds. Nothing
    is tested where a pair has hardly a win or hardly a loss, or where main effects alone fit any outcome.
    """
    data = present(data)
    pairs = present(_with_hands(data))
    frame = observed(pairs, HAND).assign(decided=decided(pairs, HAND))
    frame[["leader", "strategy"]] = [hand.split("\t") for hand in frame[HAND]]
    fit = fit_logit(pairs, (HAND, "order"))
    estimate, error = _beyond_main_effects(frame, fit)
    few = (frame["decided"] < SMALL_SAMPLE) | hardly_any(frame["wins"], frame["decided"])
    p = np.where(few | (error < 1e-9), np.nan, two_sided(estimate, error))
    ends = _in_points(estimate, error, fair)
    low, high = ends(CONFIDENCE)
    points = _points(estimate, fair)
    questions = distinct(estimate.round(9), p, frame["leader"])
    found = {"interaction": points, "interaction_low": low, "interaction_high": high}
    frame = frame.assign(**found, **together("interaction", p, ends, questions), small_sample=few)
    return frame.drop(columns=[HAND, "n", "wins"])


def _with_hands(data: Outcomes) -> Outcomes:
    """Return the outcomes with a factor more, whose levels are pairs of a leader and a strategy."""
    leaders, strategies = data.levels["leader"], data.levels["strategy"]

    def seated(t: Tables) -> Tables:
        return replace(t, codes={**t.codes, HAND: t.codes["leader"].astype(np.int64) * len(strategies) + t.codes["strategy"]})

    names = [f"{leader}\t{strategy}" for leader in leaders for strategy in strategies]
    return replace(data, levels={**data.levels, HAND: names}, tables=each(data.tables, seated))


def _beyond_main_effects(frame: pd.DataFrame, fit: Fit) -> tuple[np.ndarray, np.ndarray]:
    """Return what main effects of leader and strategy leave of the pairs' log odds, with standard errors."""
    log_odds, covariance = fit.effects(HAND)
    main = pd.get_dummies(frame[["leader", "strategy"]]).to_numpy(float)
    beyond = np.eye(len(frame)) - main @ np.linalg.pinv(main)
    return beyond @ log_odds, np.sqrt(np.diag(beyond @ covariance @ beyond.T).clip(0))


def _points(log_odds: np.ndarray, fair: float) -> np.ndarray:
    """Return what log odds make of the fair share, in percentage points."""
    return np.asarray(100 * (special.expit(special.logit(fair) + log_odds) - fair))


def _in_points(estimate: np.ndarray, error: np.ndarray, fair: float) -> Ends:
    """Return the ends of normal intervals of log odds, in percentage points."""

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        reach = -float(special.ndtri((1 - confidence) / 2)) * error
        return _points(estimate - reach, fair), _points(estimate + reach, fair)

    return ends
