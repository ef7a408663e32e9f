"""Which strategy is nearest to people: which one predicts the winners of their plays best.

Each way gives every play's winner a chance; the mean of its logarithm is the way's score, higher for better (I. Good, 1952),
and e to it the chance given on the (geometric) average. Ways are compared play by play (Q. Vuong, Econometrica 57, 1989): the
mean difference of two scores has Student's interval, for all pairs together (Bonferroni). `equal` stands for no knowledge at
all: every seat the same chance.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from ..models.logit import chances
from ..statistics.inference import QUANTILE, SIGNIFICANT
from .choice import log_scores
from .seated import Seated
from .ways import Foretold

EQUAL = "equal chances"
NEAREST, FURTHER, OPEN = "nearest", "further than the nearest", "cannot be distinguished from the nearest"


def scored(forecasts: Sequence[Foretold], plays: Seated) -> pd.DataFrame:
    """Return one row a way, the best first, and one for equal chances.

    Columns: way, plays, score, chance_of_winner, and `behind` (the best way's score less this one's, a play) with its interval
    for all pairs together; `verdict`, and `plays_to_tell`: about how many plays would distinguish the two with 80%, if the
    difference is the one found.
    """
    flat = np.where(plays.there, 0.0, -np.inf)
    names = [*(one.way.name for one in forecasts), EQUAL]
    scores = np.array([log_scores(chances(u), plays.won) for u in (*(one.utility for one in forecasts), flat)])
    mean, pairs = scores.mean(axis=1), len(names) * (len(names) - 1) // 2
    best = int(np.argmax(mean[:-1]))
    n = len(plays)
    gap = scores[best] - scores
    error = gap.std(axis=1, ddof=1) / np.sqrt(n) if n > 1 else np.full(len(names), np.nan)
    reach = float(stats.t.isf(SIGNIFICANT / pairs / 2, max(n - 1, 1))) * error
    behind = gap.mean(axis=1)
    frame = pd.DataFrame(
        {
            "way": names, "plays": n, "score": mean, "chance_of_winner": np.exp(mean), "behind": behind,
            "behind_low": behind - reach, "behind_high": behind + reach,
        }
    )  # fmt: skip
    told_apart = (QUANTILE + float(stats.norm.ppf(0.8))) * error * np.sqrt(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        frame["plays_to_tell"] = np.ceil((told_apart / behind) ** 2)
    frame["verdict"] = np.where(frame["behind_low"] > 0, FURTHER, OPEN)
    frame.loc[best, ["behind_low", "behind_high", "plays_to_tell"]] = np.nan
    others = frame["way"].ne(EQUAL) & (frame.index != best)
    sure = (frame.loc[others, "verdict"] == FURTHER).all() and frame.loc[len(names) - 1, "verdict"] == FURTHER
    frame.loc[best, "verdict"] = NEAREST if sure else OPEN
    return frame.sort_values("score", ascending=False, kind="stable", ignore_index=True)
