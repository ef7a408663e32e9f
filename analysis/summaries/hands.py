"""Leaders by strategy: who is strong only if played in one way?

In a run that mixes strategies, a leader's wins when played by one of them are compared with those of all other leaders when
played by the same one, so that the strategy's own strength does not count. Both rates are ratios over the same games, so their
difference gets the error of its linearised terms, game by game (the delta method): what one leader wins, another
at the table does not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..statistics.inference import around, normal_ends, together, two_sided
from ..statistics.rates import SMALL_SAMPLE, hardly_any, rate_columns
from ..tables.cases import Runs, Selection, asked
from ..tables.columns import WHOLE


def leaders_by_strategy(runs: Runs) -> pd.DataFrame:
    """Return for each strategy and leader how often the leader won, against the others that it played.

    `n` counts seats of games that somebody won. `points` is the win rate less `others_rate` (percentage points). Leaders that
    are always played by one strategy, and strategies that played one leader only, are left out. With fewer than 10 wins or
    losses nothing is tested.
    """
    sample = asked(runs, ("there", "strategy", "leader", "won", "decided"))
    parts = [_sums(s) for s in sample]
    games = sum(one for one, _, _ in parts)
    words = {"strategy": sample.words.strategy, "leader": sample.words.leader}
    own = pd.concat([frame for _, frame, _ in parts]).groupby(["strategy", "leader"]).sum()
    whole = pd.concat([frame for _, _, frame in parts]).groupby("strategy").sum()
    frame = own.reset_index()
    totals = whole.loc[frame["strategy"]].reset_index(drop=True)
    kept = ((totals["m"] > frame["m"]) & (frame.groupby("leader")["m"].transform("sum") > frame["m"])).to_numpy()
    frame, totals = frame[kept].reset_index(drop=True), totals[kept].reset_index(drop=True)
    found = pd.DataFrame({name: np.array(words[name], object)[frame[name].to_numpy(int)] for name in words})
    found = found.assign(n=frame["m"].astype(np.int64), wins=frame["y"], **rate_columns(frame["y"], frame["m"], "win_rate"))
    others = (totals["y"] - frame["y"]) / (totals["m"] - frame["m"])
    points, error = 100 * (found["win_rate"] - others), 100 * _errors(frame, totals, games)
    found["small_sample"] = (found["n"] < SMALL_SAMPLE) | hardly_any(found["wins"], found["n"])
    p = np.where(found["small_sample"], np.nan, two_sided(points, error))
    found = found.assign(others_rate=others, **around("points", points.to_numpy(), error.to_numpy()))
    found = found.assign(**together("points", p, normal_ends(points, error)))
    return found.sort_values(["strategy", "points"], ascending=[True, False], ignore_index=True)


def _sums(s: Selection) -> tuple[int, pd.DataFrame, pd.DataFrame]:
    """Return the decided games, the sums of their counted seats by strategy and leader, and by strategy alone."""
    kept, games = s.games.decided[s.game], len(s.games)
    game = s.game[kept]
    strategy, leader = (s.of_seats(column)[kept].astype(np.int64) for column in (s.games.strategy, s.games.leader))
    won, size = s.wins[s.seats][kept] / WHOLE, len(s.games.words.strategy)
    at = game * size + strategy
    wins, played = np.bincount(at, won, games * size), np.bincount(at, minlength=games * size).astype(float)
    y, m = won, np.ones(len(won))
    rest_y, rest_m = wins[at] - y, played[at] - m
    values = {"y": y, "m": m, "yy": y * y, "yY": y * rest_y, "yM": y * rest_m, "Y": rest_y, "M": rest_m}
    values |= {"YY": rest_y**2, "YM": rest_y * rest_m, "MM": rest_m**2}
    # What the strategy's seats contribute in these games in all: the other games are left of the strategy's sums.
    values |= {"in_yy": wins[at] ** 2, "in_ym": wins[at] * played[at], "in_mm": played[at] ** 2}
    own = pd.DataFrame({"strategy": strategy, "leader": leader, **values}).groupby(["strategy", "leader"]).sum()
    every = pd.DataFrame({"strategy": np.tile(np.arange(size), games), "y": wins, "m": played})
    every = every.assign(yy=wins**2, ym=wins * played, mm=played**2).groupby("strategy").sum()
    return int(np.count_nonzero(s.chosen & s.games.decided)), own.reset_index(), every.reset_index()


def _errors(frame: pd.DataFrame, totals: pd.DataFrame, games: int) -> Any:
    """Return the standard errors of the rates less the others' rates.

    A game adds (y - r m) / Σm - (Y - R M) / ΣM; squared, summed over the games with the leader played so (all
    products), and over those without it (the others' seats alone).
    """
    n, other = frame["m"], totals["m"] - frame["m"]
    r, q = frame["y"] / n, (totals["y"] - frame["y"]) / other
    own = frame["yy"] - 2 * r * frame["y"] + r**2 * n
    cross = frame["yY"] - q * frame["yM"] - r * frame["Y"] + r * q * frame["M"]
    rest = frame["YY"] - 2 * q * frame["YM"] + q**2 * frame["MM"]
    absent = totals["yy"] - frame["in_yy"] - 2 * q * (totals["ym"] - frame["in_ym"]) + q**2 * (totals["mm"] - frame["in_mm"])
    square = own / n**2 - 2 * cross / (n * other) + (rest + absent) / other**2
    return np.sqrt(np.maximum(square, 0) * games / (games - 1))
