"""Leader against leader: who wins when one of the two does, and whether the pairing itself matters."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd

from newdawn.analysis.models.logit import chances, designs, fit_logit
from newdawn.analysis.models.seatings import DEFAULT_FACTORS, Runs, outcomes, present
from newdawn.analysis.statistics.inference import around, holm, two_sided
from newdawn.analysis.statistics.rates import SMALL_SAMPLE, hardly_any, rate_columns


def matchups(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return for each pair of leaders how often the first won when one of the two won and both were at the table.

    `expected` is what the model without special pairings says; `surplus` (percentage points) is what is left, with an
    interval that ignores the small error of `expected` and so is a little too wide. `p_holm` asks whether the pairing
    matters beyond the two leaders' strengths, corrected over all pairs.
    """
    data = present(outcomes(runs, factors))
    fit = fit_logit(data, factors)
    leaders = data.levels["leader"]
    n, wins, expected, spread = (np.zeros((len(leaders), len(leaders))) for _ in range(4))
    for t, part, design in designs(data, fit):
        chance = chances(design @ fit.parameters)
        codes, finished = t.codes["leader"][part], t.finished[part]
        for a, b in permutations(range(t.players), 2):
            place = (codes[:, a], codes[:, b])
            share = chance[:, a] / (chance[:, a] + chance[:, b])
            won, lost = t.wins[part][:, a], t.wins[part][:, b]
            aa, bb, ab = (t.products[part][:, i, j] for i, j in ((a, a), (b, b), (a, b)))
            np.add.at(n, place, finished)
            np.add.at(wins, place, won)
            np.add.at(expected, place, share * (won + lost))
            # A game adds (1 - share) if the first won, -share if the second did: squared and summed.
            np.add.at(spread, place, (1 - share) ** 2 * aa + share**2 * bb - 2 * share * (1 - share) * ab)
    rows = []
    for i, j in permutations(range(len(leaders)), 2):
        decided = wins[i, j] + wins[j, i]
        if n[i, j]:
            rows.append((leaders[i], leaders[j], n[i, j], decided, wins[i, j], expected[i, j], spread[i, j]))
    names = ["leader", "opponent", "n", "decided", "wins", "expected", "spread"]
    frame = pd.DataFrame(rows, columns=names).astype({"n": np.int64})
    decided = frame["decided"].where(frame["decided"] > 0)
    surplus = (100 * (frame["wins"] - frame["expected"]) / decided).to_numpy()
    error = (100 * np.sqrt(frame["spread"]) / decided).to_numpy()
    p = two_sided(surplus, error)
    frame = frame.assign(**rate_columns(frame["wins"], frame["decided"], "win_rate"), expected=frame["expected"] / decided)
    frame = frame.assign(**around("surplus", surplus, error), p=p)
    # A pair stands in two rows, with one and the same p value: it is one question.
    once = (frame["leader"] < frame["opponent"]).to_numpy()
    corrected = dict(zip(_pairs(frame[once]), holm(p[once]), strict=True))
    frame["p_holm"] = [corrected[pair] for pair in _pairs(frame)]
    frame["small_sample"] = (frame["decided"] < SMALL_SAMPLE) | hardly_any(frame["wins"], frame["decided"])
    return frame.drop(columns="spread")


def _pairs(frame: pd.DataFrame) -> list[tuple[str, ...]]:
    return [tuple(sorted(pair)) for pair in zip(frame["leader"], frame["opponent"], strict=True)]


def matchup_matrix(frame: pd.DataFrame, value: str = "win_rate") -> pd.DataFrame:
    """Return one column of `matchups` as a square: row against column, strongest row first."""
    square = frame.pivot(index="leader", columns="opponent", values=value)
    order = square.mean(axis=1).sort_values(ascending=False).index if value == "win_rate" else square.index
    return square.loc[order, order]


def matchup_table(frame: pd.DataFrame, value: str = "win_rate") -> pd.DataFrame:
    """Return `matchups` as a square of texts for reading: per cent or points; * significant, [] small samples."""
    frame = frame.assign(text=[_cell(row, value) for row in frame.to_dict("records")])
    order = matchup_matrix(frame).index
    square = frame.pivot(index="leader", columns="opponent", values="text").loc[order, order].fillna("-")
    return square.rename_axis(columns=None).reset_index()


def _cell(row: dict[Any, Any], value: str) -> str:
    if pd.isna(row[value]):
        return "-"
    text = f"{100 * row[value]:.1f}" if value == "win_rate" else f"{row[value]:+.1f}"
    text += "*" if row["p_holm"] < 0.05 else ""
    return f"[{text}]" if row["small_sample"] else text
