"""When agendas are claimed."""

from __future__ import annotations

from functools import partial

import pandas as pd

from ..statistics.rates import SMALL_SAMPLE, quantile_of_counts
from ..tables.cases import Runs, added, asked
from .counts import quantiles

QUANTILES = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}


def claim_rounds(runs: Runs) -> pd.DataFrame:
    """Return for each agenda how often it was claimed and in which rounds: quantiles of its claims, earliest first."""
    sample = asked(runs, ("there", "claims"))
    counts = added({"claims": s.games.claims.counts(s.counting.ravel(), len(s.games.words.agenda))} for s in sample)["claims"]
    frame = pd.DataFrame({"agenda": sample.words.agenda, "claims": counts.sum(axis=1)})
    for name, share in QUANTILES.items():
        frame[name] = quantiles(counts, partial(quantile_of_counts, share=share))
    frame["small_sample"] = frame["claims"] < SMALL_SAMPLE
    return frame.sort_values(["median", "agenda"], ignore_index=True)
