"""Whether two runs rank leaders alike."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used

from ..stats.inference import (
    rate_spread,
)
from ..stats.rates import (
    SMALL_SAMPLE,
)
from .read import Run
from .win_rates import leaders

# --- Do two sets of games agree on the leaders? Rank correlation of their win rates
#
# The ranks of estimated rates agree less than those of the true ones, because chance shuffles them. So the interval is not that
# of the estimates: pairs of true rates are drawn from their distribution given the games (normal around the means of all
# leaders, with the spreads of `rate_spread` and the covariance of the two estimates; empirical Bayes: B. Efron and C. Morris,
# JASA 70, 1975), and the interval holds the middle 95% of the rank correlations of these draws.

DRAWS = 4000
PRIORS = 100  # draws of the covariance, which few leaders estimate only roughly
LEAST_SPREAD = 1e-3
MOST_CORRELATED = 0.99
SEED = 1


def agreement(runs: Mapping[str, Run]) -> pd.DataFrame:
    """Return Spearman's rank correlation of the leaders' win rates for each pair of the named runs, with its 95% interval."""
    tables = {name: leaders(run).set_index("leader") for name, run in runs.items()}
    rows = []
    for pair in combinations(tables, 2):
        both = tables[pair[0]].index.intersection(tables[pair[1]].index)
        a, b = (tables[name].loc[both] for name in pair)
        rank, low, high = rank_agreement(a["win_rate"], a["n"], b["win_rate"], b["n"])
        n = int(min(a["n"].min(), b["n"].min())) if len(both) else 0
        rows.append(
            {
                "one": pair[0], "other": pair[1], "leaders": len(both), "rank_correlation": rank, "rank_correlation_low": low,
                "rank_correlation_high": high, "n": n, "small_sample": n < SMALL_SAMPLE,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def rank_agreement(rate: Any, n: Any, other: Any, other_n: Any) -> tuple[float, float, float]:
    """Return Spearman's rank correlation of two lists of win rates and its 95% interval (empirical Bayes, see above).

    NaN for fewer than two leaders, which have no ranks, and for equal rates.
    """
    if len(rate) < 2:
        return np.nan, np.nan, np.nan
    draws = _draws(np.column_stack([rate, other]).astype(float), np.column_stack([n, other_n]).astype(float))
    places = draws.argsort(axis=1).argsort(axis=1) - (draws.shape[1] - 1) / 2
    correlations = places.prod(axis=2).sum(axis=1) / (places[:, :, 0] ** 2).sum(axis=1)
    low, high = np.quantile(correlations, [0.025, 0.975])
    ranked = np.ptp(rate) > 0 and np.ptp(other) > 0
    return float(scipy.stats.spearmanr(rate, other).statistic) if ranked else np.nan, float(low), float(high)


def _draws(rates: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return draws of the true rates: draws x leaders x 2. `rates` and `n`: leaders x 2."""
    # The error is that of one win and one loss more each (A. Agresti and B. Coull, American Statistician 52, 1998): a leader
    # who won none of five games may still win.
    likely = (rates * n + 1) / (n + 2)
    noise = likely * (1 - likely) / n
    spread = [max(rate_spread(rates[:, k], np.diag(noise[:, k]))[0], LEAST_SPREAD) for k in (0, 1)]
    rng = np.random.default_rng(SEED)
    total = rates.var(axis=0, ddof=1)
    covariance = np.cov(rates.T)[0, 1]
    error = np.sqrt((total.prod() + covariance**2) / (len(rates) - 1))
    most = MOST_CORRELATED * spread[0] * spread[1]
    middle = rates.mean(axis=0)
    draws = np.empty((PRIORS, DRAWS // PRIORS, *rates.shape))
    for part, shared in zip(draws, np.clip(rng.normal(covariance, error, PRIORS), -most, most), strict=True):
        prior = np.array([[spread[0] ** 2, shared], [shared, spread[1] ** 2]])
        for k, (rate, variance) in enumerate(zip(rates, noise, strict=True)):
            gain = prior @ np.linalg.inv(prior + np.diag(variance))
            part[:, k] = rng.multivariate_normal(middle + gain @ (rate - middle), prior - gain @ prior, len(part))
    return draws.reshape(-1, *rates.shape)
