"""The files of randomised experiments, as the report reads them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from ...simulator import keeping, names
from ...simulator.errors import UserError, nearest, unknown
from ...simulator.reading import content_of, csv_of, plainly
from ..statistics.inference import of_intervals
from ..statistics.rates import SMALL_SAMPLE

PRINTED = (*names.WONDERS, *names.TI_WONDERS)
FILE = "effects.csv"  # in the folder of `newdawn experiment`
EXPERIMENT, EFFECTS = "experiment.json", "effects.json"  # what was done, in the same folder, and the digest of the effects
WONDER = "wonder"
# What the report needs, and what the column may be called. Effects are shares: 0.01 is one percentage point.
NEEDED = {
    "wonder": ("wonder", "arm"), "effect": ("effect",), "low": ("low", "effect_low"), "high": ("high", "effect_high"),
    "n": ("n",), "cost": ("cost",),
}  # fmt: skip
OPTIONAL = "p"  # of the experiment's own test; otherwise it follows from the interval


def kind_of(path: Path) -> str:
    """Return what an experiment is about: the kind in its folder, or wonders for a file of effects."""
    if not (path / EXPERIMENT).is_file():
        return WONDER
    with plainly(path / EXPERIMENT, "an experiment"):
        return str(keeping.read(path / EXPERIMENT, "an experiment", unsealed=True)["experiment"]["kind"])


GIVEN = ("arm", "without", "with", "effect", "effect_low", "effect_high", "effect_all_low", "effect_all_high", "p",
         "p_adjusted", "n", "small_sample")  # fmt: skip


def read_gifts(paths: Iterable[Path]) -> pd.DataFrame:
    """Return what experiments found that are not about world wonders: `kind`, `what`, `points` with intervals, `p`, `n`.

    Intervals and p values hold for all rows of an experiment. What could never be given is left out. Raises UserError naming
    file and column if one is no table of effects.
    """
    parts = []
    for path in paths:
        found = table_in(path / FILE)
        missing = [name for name in GIVEN if name not in found]
        if missing:
            raise UserError(f"{path / FILE}: no column '{missing[0]}'; expected what `newdawn experiment` writes")
        parts.append(found[list(GIVEN)][found["n"] > 0].assign(kind=kind_of(path)).sort_values("effect", ascending=False))
    frame = pd.concat(parts, ignore_index=True).rename(columns={"arm": "what"})
    ends = {f"points{end}": 100 * frame[f"effect{end}"] for end in ("", "_low", "_high", "_all_low", "_all_high")}
    return frame.assign(**ends, small_sample=frame["small_sample"].astype(bool))


def read_effects(path: Path) -> pd.DataFrame:
    """Return the effects in a file (or in the folder of an experiment), largest first, with corrected p values.

    Wonders that could never be given are left out. Raises UserError naming the file and the column that is missing or
    holds no numbers.
    """
    path = path / FILE if path.is_dir() else path
    found = table_in(path)
    frame = pd.DataFrame({key: found[_named(path, key, list(found.columns))] for key in NEEDED})
    frame[OPTIONAL] = found.get(OPTIONAL, pd.Series(np.nan, found.index))
    given = pd.to_numeric(frame["n"], errors="coerce") != 0
    frame = frame[given].astype({"wonder": str})
    for name in ("effect", "low", "high", "n", "cost"):
        numbers = pd.to_numeric(frame[name], errors="coerce")
        if numbers.isna().any():
            line = int(numbers.index[numbers.isna()][0])
            raise UserError(f"{path}: line {line + 2}, {name}: expected a number, got {frame.loc[line, name]!r}")
        frame[name] = numbers
    for word in frame["wonder"]:
        if word not in PRINTED:
            raise unknown(f"world wonder in {path}", word, PRINTED)
    _check(path, frame)
    p = pd.to_numeric(frame[OPTIONAL], errors="coerce")
    points, low, high = (100 * frame[name] for name in ("effect", "low", "high"))
    frame = frame.assign(points=points, points_low=low, points_high=high, **of_intervals("points", points, low, high, p))
    frame = frame.assign(**{f"effect_all_{end}": frame[f"points_all_{end}"] / 100 for end in ("low", "high")})
    frame = frame.rename(columns={"low": "effect_low", "high": "effect_high"})
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    frame["points_per_cost"] = frame["points"] / frame["cost"].where(frame["cost"] > 0)
    return frame.sort_values(["effect", "wonder"], ascending=[False, True], ignore_index=True)


def _check(path: Path, frame: pd.DataFrame) -> None:
    """Raise UserError if an effect is no share (11 for 11 points), lies outside its interval, or is there twice."""
    twice = frame["wonder"].duplicated()
    for line, row in zip(frame.index, frame.to_dict("records"), strict=True):
        where = f"{path}: line {line + 2}, {row['wonder']}"
        if not -1 <= row["effect"] <= 1:
            raise UserError(f"{where}: effect: expected a share from -1 to 1 (0.01 is one point), got {row['effect']:g}")
        if not row["low"] <= row["effect"] <= row["high"]:
            raise UserError(f"{where}: expected low <= effect <= high, got {row['low']:g}, {row['effect']:g}, {row['high']:g}")
        if twice[line]:
            raise UserError(f"{where}: is there twice")


def table_in(path: Path) -> pd.DataFrame:
    """Return the table in a file of effects; raise UserError if it is none, or not what an experiment wrote there."""
    what, again = "a CSV file of effects", "the experiment's command, given again, writes it"
    content = content_of(path, expected=what)
    if path.name == FILE and (beside := path.with_name(EFFECTS)).is_file():
        with plainly(beside, what):
            keeping.check_digest(path, keeping.digest_of(content), keeping.read(beside, what, again)["files"][FILE], again)
    if not content.strip():
        raise UserError(f"{path}: cannot be read as {what}: it is empty")
    found: pd.DataFrame = csv_of(content, path, what)
    return found


def _named(path: Path, key: str, columns: list[str]) -> str:
    """Return the name of the column in the file."""
    for name in NEEDED[key]:
        if name in columns:
            return name
    raise UserError(f"{path}: no column '{key}'; expected {', '.join(NEEDED)}{nearest(key, columns)}")
