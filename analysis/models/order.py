"""What the place in the turn order is worth, corrected for leaders and strategies (model: `analysis.models.logit`)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ..statistics.inference import around
from ..statistics.rates import SMALL_SAMPLE, hardly_any, rate_columns
from .logit import balanced_rates, fit_logit, order_factor
from .seatings import DEFAULT_FACTORS, Runs, outcomes, present
from .strength import against_fair_share, among_players, points_together


def turn_order(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return the advantage of each place in the turn order, corrected for leaders and strategies, by player count."""
    data, parts = outcomes(runs, dict.fromkeys(("order", *factors)), cards=False), []
    for players, part in data.by_players().items():
        own = present(part)
        fit = fit_logit(own, factors)
        log_odds, covariance = fit.effects(order_factor(players))
        error = np.sqrt(np.diag(covariance))
        wins = sum(t.wins.sum(axis=0) for t in own.tables)
        frame = pd.DataFrame({"players": players, "order": np.arange(1, players + 1), "n": own.games, "wins": wins})
        frame = frame.assign(**rate_columns(frame["wins"], frame["n"], "win_rate"))
        frame = frame.join(against_fair_share(*balanced_rates(fit, own, "order")))
        odds = {name: np.exp(value) for name, value in around("odds_ratio", log_odds, error).items()}
        decided = own.finished[players]
        few = (decided < SMALL_SAMPLE) | hardly_any(wins, decided)
        frame = frame.assign(log_odds=log_odds, error=error, **odds, decided=decided, small_sample=few)
        frame["expected"] = among_players(own, "order", factors, frame["fair_share"])
        parts.append(frame)
    return points_together(pd.concat(parts, ignore_index=True), "players")
