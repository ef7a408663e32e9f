"""When agendas are claimed."""

from __future__ import annotations

import pandas as pd

from ..statistics.rates import SMALL_SAMPLE, quantile_of_counts
from ..tables.read import Runs, listed

QUANTILES = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}


def claim_rounds(runs: Runs) -> pd.DataFrame:
    """Return for each agenda how often it was claimed and in which rounds: quantiles of its claims, earliest first."""
    pieces = [piece["agendas"] for run in listed(runs) for piece in run.pieces({"agendas": ["agenda", "round"]})]
    counts = pd.concat([piece.groupby(["agenda", "round"], observed=True, as_index=False).size() for piece in pieces])
    rows = [
        {"agenda": str(agenda), "claims": int(group["size"].sum())}
        | {name: quantile_of_counts(group["round"], group["size"], q) for name, q in QUANTILES.items()}
        for agenda, group in counts.groupby("agenda", observed=True)
    ]
    frame = pd.DataFrame(rows, columns=["agenda", "claims", *QUANTILES])
    frame["small_sample"] = frame["claims"] < SMALL_SAMPLE
    return frame.sort_values(["median", "agenda"], ignore_index=True)
