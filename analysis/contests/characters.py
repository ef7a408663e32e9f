"""How strategies play, beside how often they win: what each does in a game, against the others at its tables.

A figure is the mean over the games a strategy sat in. `difference` compares it with the mean of the other seats of the
same game, so that long games and rich maps cancel; its error treats a game as one observation (a strategy's seats in a
game are averaged first). Intervals are Student's, 95% each; `p_holm` is that of the t test, corrected for all figures of
all strategies. Below SMALL_SAMPLE games nothing is tested: the counts of a few games are far from normal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from ...simulator import names
from ...simulator.games.columns import ARRIVALS, CARD_TYPES, SLOTS, card_column
from ..statistics.inference import holm
from ..statistics.rates import CONFIDENCE, SMALL_SAMPLE

SIGNIFICANT = 0.05
ON_PLAYERS = ("token", "city", "capital")

MEASURES = (
    *(f"{kind} cards" for kind in CARD_TYPES),
    "attacks on barbarians",
    "attacks on city-states",
    "attacks on players",
    "caravans arrived",
    "diplomacy cards",
    "cities",
    "mature cities",
    "world wonders",
    "natural wonders",
    "control tokens",
    *(f"{agenda} claimed" for agenda in names.AGENDAS),
)


def measures(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return one row a seat: its game, its strategy, and every measure (a count per game)."""
    seats, agendas = frames["seats"], frames["agendas"]
    columns: dict[str, Any] = {"game_id": seats["game_id"], "strategy": seats["strategy"].astype(str)}
    for kind in CARD_TYPES:
        columns[f"{kind} cards"] = seats[[card_column(kind, slot) for slot in SLOTS]].sum(axis=1)
    columns["attacks on barbarians"] = seats["attacks_barbarian"]
    columns["attacks on city-states"] = seats["attacks_city_state"]
    columns["attacks on players"] = seats[[f"attacks_{target}" for target in ON_PLAYERS]].sum(axis=1)
    columns["caravans arrived"] = seats[[f"arrivals_{goal}" for goal in ARRIVALS]].sum(axis=1)
    for measure, column in (
        ("diplomacy cards", "diplomacy_cards"), ("cities", "cities"), ("mature cities", "mature_cities"),
        ("world wonders", "wonders"), ("natural wonders", "natural_wonders"), ("control tokens", "tokens"),
    ):  # fmt: skip
        columns[measure] = seats[column]
    claimed = pd.MultiIndex.from_frame(agendas[["game_id", "seat"]])
    here = pd.MultiIndex.from_frame(seats[["game_id", "seat"]])
    for agenda in names.AGENDAS:
        columns[f"{agenda} claimed"] = here.isin(claimed[(agendas["agenda"] == agenda).to_numpy()])
    return pd.DataFrame(columns).astype(dict.fromkeys(MEASURES, float))


def characters(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return for each strategy and measure the mean a game, and its difference from the other seats of its games."""
    seats = measures(frames)
    names = list(MEASURES)
    per_game = seats.groupby("game_id", observed=True)[names].agg("sum")
    size = seats.groupby("game_id", observed=True).size()
    parts = []
    for strategy, own in seats.groupby("strategy", observed=True):
        mine = own.groupby("game_id", observed=True)[names].sum()
        count = own.groupby("game_id", observed=True).size()
        mean = mine.div(count, axis=0)
        others = size.loc[mine.index] - count
        rest = (per_game.loc[mine.index] - mine).div(others.where(others > 0), axis=0)
        gap = mean - rest
        n = gap.notna().sum().to_numpy()
        with np.errstate(divide="ignore", invalid="ignore"):
            error = (gap.std(ddof=1) / np.sqrt(n)).to_numpy()
        parts.append(
            pd.DataFrame(
                {"strategy": strategy, "measure": names, "n": len(mine), "mean": mean.mean().to_numpy(),
                 "others": rest.mean().to_numpy(), "difference": gap.mean().to_numpy(), "error": error}
            )
        )  # fmt: skip
    frame = pd.concat(parts, ignore_index=True)
    reach = stats.t.ppf(0.5 + CONFIDENCE / 2, np.maximum(frame["n"] - 1, 1)) * frame["error"]
    frame["difference_low"], frame["difference_high"] = frame["difference"] - reach, frame["difference"] + reach
    frame["p"] = _p_values(frame)
    frame["p_holm"] = holm(frame["p"])
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE)


def _p_values(frame: pd.DataFrame) -> np.ndarray:
    """Return the p values of the t test against no difference; NaN in small samples and where all games show the same."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (frame["difference"] / frame["error"]).abs().to_numpy()
    p = 2 * stats.t.sf(t, frame["n"].to_numpy() - 1)
    return np.where((frame["error"] > 0) & (frame["n"] >= SMALL_SAMPLE), p, np.nan)


def _is_sure(entry: Mapping[Any, Any]) -> bool:
    return bool(entry["p_holm"] < SIGNIFICANT and not entry["small_sample"])


def characters_matrix(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the means as a square for reading: a row a measure, a column a strategy.

    A star marks a difference from the other seats (Holm, 5%), but not in a small sample.
    """
    rows = []
    for measure in MEASURES:
        row = {"measure": measure}
        for entry in frame[frame["measure"] == measure].to_dict("records"):
            row[entry["strategy"]] = f"{entry['mean']:.2f}{'*' if _is_sure(entry) else ''}"
        rows.append(row)
    return pd.DataFrame(rows)
