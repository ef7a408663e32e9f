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
from ..statistics.answer import DIFFERENT, Words, games_to_decide, quantile_for, read
from ..statistics.inference import SIGNIFICANT
from .choice import log_scores
from .seated import Seated
from .ways import Foretold

EQUAL = "equal chances"
NEAREST, FURTHER, OPEN = "nearest", "further than the nearest", "cannot be distinguished from the nearest"
BESIDE = Words(FURTHER, FURTHER, OPEN, OPEN, OPEN, OPEN, OPEN)  # of how far a way is behind the best


def scored(forecasts: Sequence[Foretold], plays: Seated) -> pd.DataFrame:
    """Return one row a way, the best first, and one for equal chances.

    Columns: way, plays, score, chance_of_winner, and `behind` (the best way's score less this one's, a play) with its interval
    for all pairs together; `verdict`, and the fewest and the most plays that would distinguish the two by it with a probability
    of 80% (`plays_fewest`, `plays_most`; NaN where they are distinguished).
    """
    flat = np.where(plays.there, 0.0, -np.inf)
    names = [*(one.way.name for one in forecasts), EQUAL]
    scores = np.array([log_scores(chances(u), plays.won) for u in (*(one.utility for one in forecasts), flat)])
    mean, pairs = scores.mean(axis=1), len(names) * (len(names) - 1) // 2
    best = int(np.argmax(mean[:-1]))
    n = len(plays)
    gap = scores[best] - scores
    error = gap.std(axis=1, ddof=1) / np.sqrt(n) if n > 1 else np.full(len(names), np.nan)
    student = stats.t(max(n - 1, 1))
    quantile, own = float(student.isf(SIGNIFICANT / pairs / 2)), float(student.isf(SIGNIFICANT / 2)) * error
    behind, reach = gap.mean(axis=1), quantile * error
    frame = pd.DataFrame(
        {
            "way": names, "plays": n, "score": mean, "chance_of_winner": np.exp(mean), "behind": behind,
            "behind_low": behind - reach, "behind_high": behind + reach,
        }
    )  # fmt: skip
    verdicts = [read(low, high, 0.0) for low, high in zip(behind - reach, behind + reach, strict=True)]
    frame["verdict"] = [BESIDE.of(one) for one in verdicts]
    # With many more plays Student's quantile is the normal one.
    fewest, most = games_to_decide(behind - own, behind + own, error, n, 0.0, quantile_for(pairs), DIFFERENT)
    open_ones = (frame["verdict"] == OPEN).to_numpy()
    frame["plays_fewest"], frame["plays_most"] = (np.where(open_ones, one, np.nan) for one in (fewest, most))
    frame.loc[best, ["behind_low", "behind_high", "plays_fewest", "plays_most"]] = np.nan
    others = frame["way"].ne(EQUAL) & (frame.index != best)
    sure = (frame.loc[others, "verdict"] == FURTHER).all() and frame.loc[len(names) - 1, "verdict"] == FURTHER
    frame.loc[best, "verdict"] = NEAREST if sure else OPEN
    return frame.sort_values("score", ascending=False, kind="stable", ignore_index=True)
