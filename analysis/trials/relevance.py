"""Does it matter? Figures against a relevance margin: balanced within it, outside it, or undecided.

With many games every difference is significant and few of them matter. So a figure is *balanced* if it is shown to lie within
± the margin, the equivalence test of two one-sided tests (D. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics
15, 1987), *outside* if it is shown to lie beyond, and else *undecided*. All are read off the interval that holds for all rows
of the table together (`inference.together`): balanced if the whole of it lies within the margin, outside if all of it lies
beyond. So any false verdict in a table, of either kind, has a chance of at most 5%.

`games_to_decide` is how many games in all it takes at least to decide with a probability of 80%: were the figure, of all values
in its interval of 95%, the one that is decided soonest. Were it what it seems, the number would be noise: near the margin it is
infinite, and of a figure there it comes out as anything from thousands to millions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from ..statistics.answer import POWER, Z_POWER, quantile_for
from ..statistics.margins import against_margin
from ..tables.render import at_least

BALANCED, OUTSIDE, UNDECIDED, UNTESTED = "balanced", "outside", "undecided", "not tested"
NEVER = 1e12  # games that nobody plays


def judged(frame: pd.DataFrame, name: str, margin: float, games: int) -> pd.DataFrame:
    """Return the frame with the columns `verdict` and `games_to_decide` (NaN where it is decided, or not tested).

    `name` is the figure, in the unit of the margin, with its intervals; `games` the games played in all. Small samples
    are not judged.
    """
    low, high = (frame[f"{name}_all_{end}"].to_numpy(float) for end in ("low", "high"))
    tested = ~(frame["small_sample"].to_numpy(bool) | np.isnan(low))
    if "p" in frame:
        tested &= frame["p"].notna().to_numpy()
    within, beyond = against_margin(low, high, margin)
    verdict = np.where(tested, np.select([within, beyond], [BALANCED, OUTSIDE], UNDECIDED), UNTESTED)
    quantile = quantile_for(_questions(frame))
    error = (high - low) / (2 * quantile)
    wanted = np.array([_soonest(*ends, margin, quantile) for ends in _alone(frame, name)])
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.minimum(np.ceil(games * (error / wanted) ** 2), NEVER)
    return frame.assign(verdict=verdict, games_to_decide=np.where(verdict == UNDECIDED, np.maximum(needed, games + 1), np.nan))


def _alone(frame: pd.DataFrame, name: str) -> list[tuple[float, float]]:
    """Return the ends of the rows' intervals of 95% each, or where there are none, those that hold together."""
    which = "" if f"{name}_low" in frame else "_all"
    low, high = (frame[f"{name}{which}_{end}"].astype(float) for end in ("low", "high"))
    return list(zip(low, high, strict=True))


def _soonest(low: float, high: float, margin: float, quantile: float) -> float:
    """Return the largest standard error that decides with a probability of POWER about some figure of an interval."""
    return max(error_that_decides(figure, margin, quantile) for figure in (low, high, min(max(0.0, low), high)))


def _questions(frame: pd.DataFrame) -> int:
    """Return for how many questions together the intervals of the frame hold."""
    if "p" not in frame:
        return len(frame)
    sure = (frame["p"] > 0) & (frame["p_adjusted"] < 1)
    asked = (frame["p_adjusted"] / frame["p"])[sure]
    return max(1, round(float(asked.max())) if sure.any() else int(frame["p"].notna().sum()))


def error_that_decides(figure: float, margin: float, quantile: float) -> float:
    """Return the standard error with which a figure of this size is judged with a probability of POWER; 0: never."""
    gap = abs(figure) - margin
    if not gap < 0:
        return gap / (quantile + Z_POWER)
    # Within, both ends of the interval have to stay inside: the root lies between these bounds.
    near, far = margin - abs(figure), margin + abs(figure)
    least, most = near / (quantile + 4), near / quantile
    for _ in range(50):
        error = (least + most) / 2
        chance = special.ndtr(near / error - quantile) + special.ndtr(far / error - quantile) - 1
        least, most = (error, most) if chance > POWER else (least, error)
    return least


def verdict_words(row: Any) -> str:
    """Return the verdict of a row, with the games that it takes at least to decide."""
    return f"{row['verdict']} ({at_least(row['games_to_decide'])})" if row["verdict"] == UNDECIDED else str(row["verdict"])
