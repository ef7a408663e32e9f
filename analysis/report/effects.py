"""The file of a randomised experiment on world wonders, as the report reads it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from analysis.inference import QUANTILE, holm, two_sided
from simulator.errors import UserError, nearest, unknown
from simulator.names import WONDERS

# What the report needs: the names of these columns in the file. Effects are shares (0.01 = one percentage point).
NEEDED = {"wonder": "wonder", "effect": "effect", "low": "low", "high": "high", "n": "n", "cost": "cost"}


def read_effects(path: Path) -> pd.DataFrame:
    """Return the effects, largest first, with corrected p values and percentage points per production.

    Raises UserError naming the file and the column that is missing or holds no numbers.
    """
    try:
        found = pd.read_csv(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise UserError(f"{path}: cannot be read as a CSV file of effects: {reason}") from None
    for name in NEEDED.values():
        if name not in found.columns:
            listing = ", ".join(NEEDED.values())
            near = nearest(name, found.columns)
            raise UserError(f"{path}: no column '{name}'; expected {listing}{near}")
    frame = pd.DataFrame({key: found[name] for key, name in NEEDED.items()})
    for name in ("effect", "low", "high", "n", "cost"):
        numbers = pd.to_numeric(frame[name], errors="coerce")
        if numbers.isna().any():
            row = int(np.flatnonzero(numbers.isna())[0])
            raise UserError(f"{path}: line {row + 2}, {NEEDED[name]}: expected a number, got {frame[name].iloc[row]!r}")
        frame[name] = numbers
    for word in frame["wonder"]:
        if word not in WONDERS:
            raise unknown(f"world wonder in {path}", str(word), WONDERS)
    p = two_sided(frame["effect"], (frame["high"] - frame["low"]) / (2 * QUANTILE))
    frame = frame.assign(p=p, p_holm=holm(p), points=100 * frame["effect"])
    frame = frame.assign(points_low=100 * frame["low"], points_high=100 * frame["high"])
    frame["points_per_cost"] = frame["points"] / frame["cost"]
    return frame.sort_values(["effect", "wonder"], ascending=[False, True], ignore_index=True)
