"""Compare what `newdawn bench --json` measured with two versions of the program: ratios with intervals.

    python -m newdawn.scripts.bench.compare old.json new.json
    python -m newdawn.scripts.bench.compare old/ new/          # folders with one file per run

With two or more runs a side, a run counts once, by its medians, so that intervals cover differences between runs of the same
program; take the runs in turn (old, new, old, new …), on the same machine. With one run a side there are only its repeats, and
a ratio may be due to the machine.

The ratio is that of the geometric means, its interval that of the difference of mean logarithms (Welch's t, 95%). A row
is called better or worse if its p-value passes Holm's correction over all rows with an interval, at 5%.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import click
import numpy as np
import pandas as pd
from scipy import stats

from ...analysis.stats.inference import holm
from ...simulator.errors import UserError
from ..cli.bench import BenchReport, digits, read

LEVEL = 0.95


@dataclass(frozen=True)
class SpeedRatio:
    """New over old: the estimate, its interval and p-value (NaN where a side has one value, or nothing varies)."""

    value: float
    low: float
    high: float
    p: float


def ratio(old: Sequence[float], new: Sequence[float]) -> SpeedRatio:
    """Return the ratio of the geometric means with Welch's t interval on the logarithms."""
    before, after = np.log(old), np.log(new)
    difference = after.mean() - before.mean()
    if min(len(before), len(after)) < 2:
        return SpeedRatio(math.exp(difference), math.nan, math.nan, math.nan)
    parts = [values.var(ddof=1) / len(values) for values in (before, after)]
    variance = sum(parts)
    if variance == 0:
        return SpeedRatio(math.exp(difference), math.nan, math.nan, math.nan)
    error = math.sqrt(variance)
    # Welch-Satterthwaite
    freedom = variance**2 / sum(part**2 / (len(values) - 1) for part, values in zip(parts, (before, after), strict=True))
    reach = stats.t.ppf((1 + LEVEL) / 2, freedom) * error
    p = 2 * stats.t.sf(abs(difference) / error, freedom)
    return SpeedRatio(math.exp(difference), math.exp(difference - reach), math.exp(difference + reach), float(p))


def reports(path: Path) -> list[BenchReport]:
    """Read the report of the file, or those of the folder."""
    if not path.is_dir():
        return [read(path)]
    files = sorted(path.glob("*.json"))
    if not files:
        raise UserError(f"{path}: no *.json in this folder; expected what `newdawn bench --json` printed, one file per run")
    return [read(file) for file in files]


def values(side: list[BenchReport], name: str, by_run: bool) -> list[float]:
    """Return the values of a measurement: the medians of the runs, or every repeat of one run."""
    repeats = [m.values for report in side for m in report.measurements if m.name == name]
    return [median(each) for each in repeats] if by_run else [value for each in repeats for value in each]


def compare(old: list[BenchReport], new: list[BenchReport]) -> pd.DataFrame:
    """Return a row for each measurement that both sides have."""
    by_run = min(len(old), len(new)) > 1
    units = {m.name: m for report in old for m in report.measurements}
    shared = [m for m in {m.name: m for report in new for m in report.measurements}.values() if m.name in units]
    if not shared:
        raise UserError("the two sides have no measurement in common; run `newdawn bench` with the same options")
    pairs = [(values(old, m.name, by_run), values(new, m.name, by_run)) for m in shared]
    ratios = [ratio(*pair) for pair in pairs]
    adjusted = holm([each.p for each in ratios])
    rows = []
    for m, (before, after), each, p in zip(shared, pairs, ratios, adjusted, strict=True):
        rows.append({
            "measurement": m.name, "unit": m.unit, "old": median(before), "new": median(after), "ratio": each.value,
            "ratio_low": each.low, "ratio_high": each.high, "n_old": len(before), "n_new": len(after), "p_holm": p,
            "verdict": verdict(each.value, p, m.better),
        })  # fmt: skip
    return pd.DataFrame(rows)


def verdict(value: float, p: float, better: str) -> str:
    """Return the verdict on a ratio."""
    if math.isnan(p):
        return "same" if value == 1 else "not tested"
    if p > 1 - LEVEL:
        return "no difference shown"
    return "better" if (value > 1) == (better == "more") else "worse"


def notes(old: list[BenchReport], new: list[BenchReport]) -> list[str]:
    """Return what a reader of the ratios should know."""
    lines = []
    machines = {(r.machine["cpu"], r.machine["cores"]) for r in (*old, *new)}
    if len(machines) > 1:
        lines.append(f"the runs are from different machines: {'; '.join(f'{c} ({n} cores)' for c, n in sorted(machines))}")
    if {r.program["engine"] for r in old} == {r.program["engine"] for r in new}:
        lines.append("both sides have the same engine")
    if min(len(old), len(new)) < 2:
        lines.append("one run a side: intervals cover the spread within a run only; give folders of runs taken in turns")
    elif min(len(old), len(new)) < 5:
        lines.append(f"few runs ({len(old)} and {len(new)}): the intervals are wide; five or more a side are better")
    lines.append("verdicts: Welch's t on logarithms, Holm-corrected over all tested rows at 5%")
    return lines


def for_reading(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as text."""
    return pd.DataFrame(
        {
            "measurement": frame["measurement"],
            "old": [f"{v:,.{digits(v)}f}" for v in frame["old"]],
            "new": [f"{v:,.{digits(v)}f}" for v in frame["new"]],
            "unit": frame["unit"],
            "new / old": [interval(row) for row in frame.to_dict("records")],
            "n": [f"{a} and {b}" for a, b in zip(frame["n_old"], frame["n_new"], strict=True)],
            "verdict": frame["verdict"],
        }
    )


def interval(row: dict[Any, Any]) -> str:
    """Return a ratio with its interval."""
    if math.isnan(row["ratio_low"]):
        return f"{row['ratio']:.3f}"
    return f"{row['ratio']:.3f} [{row['ratio_low']:.3f}, {row['ratio_high']:.3f}]"


PATH = click.Path(path_type=Path, exists=False)


@click.command(help=(__doc__ or "").split("\n")[0])
@click.argument("old", type=PATH)
@click.argument("new", type=PATH)
@click.option("--format", "how", type=click.Choice(["table", "csv", "json", "markdown"]), default="table", show_default=True)
def main(old: Path, new: Path, how: str) -> None:
    """Print the comparison."""
    from ...analysis.tables.rendering import render

    try:
        before, after = reports(old), reports(new)
        frame = compare(before, after)
    except UserError as error:
        click.echo(f"error: {error}", err=True)
        raise SystemExit(2) from None
    click.echo(render(for_reading(frame) if how in ("table", "markdown") else frame, how))
    for line in notes(before, after):
        click.echo(f"note: {line}", err=how != "table")


if __name__ == "__main__":
    main()
