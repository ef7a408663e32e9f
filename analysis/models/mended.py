"""What the others would win if one leader won its fair share: wins are zero-sum, so one strong leader makes others look weak.

In the model of who wins (`logit`) the leader's log odds are set so that it wins the fair share at balanced tables, all else as
it is. Errors are those of the delta method: how far its log odds must move depends on the estimates, too. What a change of the
rules that mends the leader does beside that is not in it; `newdawn balance` plays it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pandas as pd

from ..statistics.inference import normal_ends, score_against_share, score_ends, together
from ..statistics.rates import CONFIDENCE, SMALL_SAMPLE, hardly_any
from .logit import Fit, balanced, fit_logit
from .seatings import DEFAULT_FACTORS, Outcomes, decided, observed, present

MOST_STEPS = 50
NEAR = 1e-10  # of the fair share


def once_mended(data: Outcomes, leader: str, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return all other leaders as they would stand if `leader` won its fair share, the strongest first.

    `mended` names the leader, `decided` counts games that somebody won. `rate_now` and `points_now` are win rate at balanced
    tables and distance from the fair share as it is, `adjusted_rate` and `points` those with the leader mended, with intervals,
    `p` and `p_adjusted` (is it the fair share?). Nothing is tested of leaders with few games, or hardly a win or a loss.
    """
    data = present(data)
    fit, names = fit_logit(data, factors), data.levels["leader"]
    at = names.index(leader)
    now, _, fair = balanced(fit, data, "leader")
    moved = _with_fair_share(fit, data, at, fair)
    rate, jacobian, _ = balanced(moved, data, "leader")
    step = jacobian @ _alone(fit, at)
    # The leader's rate stays: what the estimates move it by, its own log odds take back.
    slopes = jacobian - np.outer(step, jacobian[at] / step[at])
    error = np.sqrt(np.einsum("kp,pq,kq->k", slopes, fit.covariance, slopes).clip(0))
    others = np.arange(len(names)) != at
    rate, error, games = rate[others], error[others], decided(data, "leader")
    few = np.asarray((games < SMALL_SAMPLE) | hardly_any(observed(data, "leader")["wins"], games))[others]
    points, ends = 100 * (rate - fair), score_ends(rate, error)
    (low, high), p = normal_ends(points, 100 * error)(CONFIDENCE), score_against_share(rate, error, fair)
    frame = pd.DataFrame({"leader": np.array(names)[others], "mended": leader, "decided": games[others]})
    frame = frame.assign(small_sample=few, fair_share=fair, rate_now=now[others], points_now=100 * (now[others] - fair))
    frame = frame.assign(points=points, points_low=low, points_high=high)

    def in_points(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = ends(confidence)
        return 100 * (low - fair), 100 * (high - fair)

    p = np.where(few, np.nan, p)
    frame = frame.assign(**together("points", p, in_points))
    for end in ("", "_low", "_high", "_all_low", "_all_high"):
        frame[f"adjusted_rate{end}"] = fair + frame[f"points{end}"] / 100
    return frame.sort_values("points", ascending=False, ignore_index=True)


def _alone(fit: Fit, at: int) -> np.ndarray:
    """Return by how much the parameters change if the log odds of one leader rise by 1 against all others."""
    place = fit.places["leader"]
    found = np.zeros(len(fit.parameters))
    size = place.stop - place.start
    found[place] = (np.arange(size) == at) - 1 / (size + 1)
    return found


def _with_fair_share(fit: Fit, data: Outcomes, at: int, fair: float) -> Fit:
    """Return the fit with the log odds of one leader such that it wins the fair share at balanced tables (Newton)."""
    direction = _alone(fit, at)
    for _ in range(MOST_STEPS):
        rate, jacobian, _ = balanced(fit, data, "leader")
        gap = fair - rate[at]
        if abs(gap) < NEAR:
            break
        fit = replace(fit, parameters=fit.parameters + np.clip(gap / float(jacobian[at] @ direction), -1, 1) * direction)
    return fit
