"""Pairs of games of the same seeds: what a change makes of a figure, from one game of a pair to the other.

`change` is the mean of the differences d over the n pairs that count, and its interval

    mean ± z s / √n        (s: standard deviation of d, z: normal quantile)

which is as wide as the games really differ. Where fewer than RARE_FEW pairs differ, a share's interval is that of two Poisson
counts (`rare_interval`): pairs that all agree do not prove that none ever differs. The median has an interval from resampled
pairs (bootstrap, percentiles, fixed seed), and is tested against nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .inference import RARE_FEW, normal_ends, rare_interval, sign_test, together, two_sided
from .rates import CONFIDENCE, SMALL_SAMPLE, wilson

RESAMPLES = 1000
UNTESTED = {"p": np.nan, "error": np.nan, "rare": False, "ups": 0.0, "downs": 0.0}


def changes_together(frame: pd.DataFrame) -> pd.DataFrame:
    """Return rows of the functions below with intervals of their own and some that hold for all tested ones together."""
    error, p = frame["error"].to_numpy(), frame["p"].to_numpy()
    change, rare, ups, downs, n = (frame[name].to_numpy() for name in ("change", "rare", "ups", "downs", "n"))

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = normal_ends(change, error)(confidence)
        below, above = rare_interval(ups, downs, n, confidence)
        return np.where(rare, below, low), np.where(rare, above, high)

    low, high = ends(CONFIDENCE)
    own = frame["change_low"].notna()  # measured, and tested against nothing
    return frame.assign(
        change_low=np.where(own, frame["change_low"], low), change_high=np.where(own, frame["change_high"], high),
        small_sample=n < SMALL_SAMPLE, **together("change", p, ends),
    )  # fmt: skip


def mean_change(before: Any, after: Any, share: bool = True) -> dict[str, Any]:
    """Return the change of a mean over pairs; of a share there are exact intervals where few pairs differ."""
    before, difference = np.asarray(before, float), np.asarray(after, float) - np.asarray(before, float)
    n, change, changed = len(difference), difference.mean(), int((difference != 0).sum())
    error = difference.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    p, ups = float(two_sided(change, error)), int((difference > 0).sum())
    rare = n > 1 and changed < RARE_FEW
    return {
        "n": n, "chosen": before.mean(), "change": change, "change_low": np.nan, "change_high": np.nan,
        "p": max(p, sign_test(ups, changed)) if rare and changed else p, "error": error, "rare": rare and share,
        "ups": float(ups), "downs": float(changed - ups),
    }  # fmt: skip


def median_change(before: np.ndarray, after: np.ndarray) -> dict[str, Any]:
    """Return the change of a median over pairs, with a bootstrap interval."""
    rng = np.random.default_rng(0)
    n, tail = len(before), (1 - CONFIDENCE) / 2
    changes = np.empty(RESAMPLES)
    for index in range(RESAMPLES):
        drawn = rng.integers(0, n, n)
        changes[index] = np.median(after[drawn]) - np.median(before[drawn])
    low, high = np.quantile(changes, [tail, 1 - tail])
    change = np.median(after) - np.median(before)
    return {"n": n, "chosen": np.median(before), "change": change, "change_low": low, "change_high": high, **UNTESTED}


def share_changed(differ: np.ndarray) -> dict[str, Any]:
    """Return the share of the pairs that differ."""
    low, high = wilson(differ.sum(), len(differ))
    ends = {"change_low": float(low), "change_high": float(high)}
    return {"n": len(differ), "chosen": np.nan, "change": differ.mean(), **ends, **UNTESTED}
