"""Where winners and the others have their cities, seen from their capitals."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..stats.inference import (
    QUANTILE,
    normal_ends,
    together,
    two_sided,
)
from ..stats.rates import (
    SMALL_SAMPLE,
    clustered_rate_columns,
    rate_columns,
)

# --- Where winners found and conquer their cities, and where the others do, seen from the capital
#
# Winners and others sit at the same tables and compete for the same spaces, so they are compared table by table. Winners have
# more cities than the others, and so more of them on nearly every space; what is asked of a space is where a seat's cities
# stand, given how many it has. For each space the share of the winners' cities that stand there less that of the others' in
# the same game, times the mean number of cities; the error of the mean difference is that of a mean over games. Seats without
# cities, and games that nobody won, are left out. Verdicts hold for all spaces with enough games together.

REACH = 5  # spaces from the capital that are shown


def settling(spaces: pd.DataFrame, reach: int = REACH) -> pd.DataFrame:
    """Return one row per space within `reach` of the capital: how often winners and others had a city there at the end.

    `spaces` are the rows of `simulator.replay.log_in_words.settled(run.path, games)`, which replays this many games of the run.
    `winners` and `others` count the seats in whose game that space was on the map; `winner_rate` and `other_rate` are the
    shares of them with a city there at the end, capitals not counted. `difference` (a share, with its interval) is how much
    more often winners would have a city there if all had as many of them, over the `games` whose map had the space for both.
    `more_cities` (the same in every row, with its interval) is by how many cities winners have more.
    """
    distance = np.maximum.reduce([spaces["q"].abs(), spaces["r"].abs(), (spaces["q"] + spaces["r"]).abs()])
    won = spaces.groupby("game_id")["won"].transform("max") > 0
    compared = spaces[(distance <= reach) & won].assign(winner=lambda frame: frame["won"] > 0)
    counts = compared.groupby(["q", "r", "winner"])["city"].agg(["size", "sum"]).unstack("winner", fill_value=0)
    counts = counts.reindex(columns=pd.MultiIndex.from_product([["size", "sum"], [False, True]]), fill_value=0)
    frame = pd.DataFrame({"distance": 0, "winners": counts["size", True], "others": counts["size", False]})
    frame = frame.assign(**rate_columns(counts["sum", True], frame["winners"], "winner_rate"))
    squares = _squares(compared[~compared["winner"]], counts["sum", False] / counts["size", False])
    frame = frame.assign(**clustered_rate_columns(counts["sum", False], frame["others"], squares, "other_rate"))
    cities = spaces[won].groupby(["game_id", "seat"])["city"].sum().rename("cities")
    frame = frame.join(_differences(compared.join(cities, on=["game_id", "seat"]))).reset_index()
    frame = frame.assign(**_more_cities(spaces[won], cities))
    frame["distance"] = np.maximum.reduce([frame["q"].abs(), frame["r"].abs(), (frame["q"] + frame["r"]).abs()])
    ends = normal_ends(frame["difference"], frame["error"])
    tested = together("difference", frame["p"], ends, family="cities of winners")
    frame = frame.assign(**tested).drop(columns="error")
    frame["small_sample"] = ~(frame["games"] >= SMALL_SAMPLE)
    return frame.sort_values(["distance", "q", "r"], ignore_index=True)


def _squares(others: pd.DataFrame, rate: pd.Series) -> pd.Series:
    """Return Σ (y - rate · m)² over games by space: y cities among m seats of the game."""
    of_game = others.groupby(["q", "r", "game_id"])["city"].agg(["sum", "size"])
    expected = rate.reindex(of_game.reset_index("game_id").index).to_numpy() * of_game["size"]
    residual = of_game["sum"] - expected
    return (residual**2).groupby(level=["q", "r"]).sum().reindex(rate.index, fill_value=0)


def _differences(compared: pd.DataFrame) -> pd.DataFrame:
    """Return winners less others by space, given their cities, paired by game."""
    settled = compared[compared["cities"] > 0]
    usual = float(settled.drop_duplicates(["game_id", "seat"])["cities"].mean()) if len(settled) else np.nan
    settled = settled.assign(part=usual * settled["city"] / settled["cities"])
    shares = settled.groupby(["q", "r", "game_id", "winner"])["part"].mean().unstack("winner")
    shares = shares.reindex(columns=[False, True])
    gap = (shares[True] - shares[False]).dropna().groupby(level=["q", "r"]).agg(["mean", "std", "size"])
    error = gap["std"] / np.sqrt(gap["size"])
    margin = QUANTILE * error
    # The mean of a few games is not normal, and the same number in all of them has no spread.
    p = np.where(gap["size"] < SMALL_SAMPLE, np.nan, two_sided(gap["mean"], error))
    columns = {"games": gap["size"], "difference": gap["mean"], "error": error, "p": p}
    return pd.DataFrame(columns).assign(difference_low=gap["mean"] - margin, difference_high=gap["mean"] + margin)


def _more_cities(spaces: pd.DataFrame, cities: pd.Series) -> dict[str, float]:
    """Return by how many cities winners have more than the others, mean and interval over games."""
    won = (spaces.groupby(["game_id", "seat"])["won"].first() > 0).rename("winner")
    means = pd.concat([cities, won], axis=1).groupby(["game_id", "winner"])["cities"].mean().unstack("winner")
    gap = (means[True] - means[False]).dropna() if {True, False} <= set(means.columns) else pd.Series(dtype=float)
    n = len(gap)
    error = float(gap.std() / np.sqrt(n)) if n > 1 else np.nan
    middle = float(gap.mean()) if n else np.nan
    return {"more_cities": middle, "more_cities_low": middle - QUANTILE * error, "more_cities_high": middle + QUANTILE * error}
