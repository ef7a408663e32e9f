"""Effects found by experiments, for the pages of world wonders and leaders."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError
from ..report.effects import FILE, WONDER, kind_of, read_effects, table_in
from ..statistics.inference import of_intervals
from ..statistics.rates import SMALL_SAMPLE

PRINTED = (*names.LEADERS, *names.TI_LEADERS)
COLUMNS = ("arm", "effect", "effect_low", "effect_high", "n", "p")


def effects_of(paths: Iterable[Path]) -> dict[str, pd.DataFrame]:
    """Return the effects of experiments by what they are about, "wonder" and "leader"; raise UserError for others.

    A path is the folder of `newdawn experiment grant` or `ablate`, or a CSV file of effects of wonders.
    """
    found: dict[str, pd.DataFrame] = {}
    for path in paths:
        kind = _kind(path)
        if kind in found:
            raise UserError(f"{path}: effects of {kind}s are given twice; expected one experiment of each kind")
        found[kind] = _leader_effects(path / FILE) if kind == "leader" else read_effects(path)
    return found


def _kind(path: Path) -> str:
    """Return what an experiment is about; raise UserError if no page of the explorer shows it."""
    kind = kind_of(path)
    if kind not in (WONDER, "leader"):
        raise UserError(f"{path}: an experiment on a {kind}; expected one on wonders (grant) or leaders (ablate)")
    return kind


def _leader_effects(path: Path) -> pd.DataFrame:
    """Return what it does to leaders' chances that their ability is switched off."""
    found = table_in(path)
    missing = [name for name in COLUMNS if name not in found.columns]
    if missing:
        raise UserError(f"{path}: no column '{missing[0]}'; expected {', '.join(COLUMNS)}")
    numbers = found[list(COLUMNS[1:])].apply(pd.to_numeric, errors="coerce")
    frame = numbers.assign(leader=found["arm"].astype(str))[numbers["n"] > 0]
    for name in frame["leader"]:
        if name not in PRINTED:
            raise UserError(f"{path}: '{name}' is no leader; expected {', '.join(PRINTED)}")
    ends = {f"points{end}": 100 * frame[f"effect{end}"] for end in ("", "_low", "_high")}
    found = frame.assign(**ends, **of_intervals("points", ends["points"], ends["points_low"], ends["points_high"], frame["p"]))
    return found.assign(small_sample=frame["n"] < SMALL_SAMPLE).reset_index(drop=True)
