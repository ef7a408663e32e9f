"""Does a player outside the reference results lie in their bands? python -m newdawn.scripts.checks.left_out RUN

RUN is a run of the printed game by players of another training (`newdawn strategies train`, with another seed). 95 of every 100
of its figures should lie in the reference's prediction for another good player.
"""

from __future__ import annotations

import click
import pandas as pd

from ...analysis.stats.rates import wilson
from ...analysis.tables import reference
from ...analysis.tables.kept import render
from ...analysis.tables.pairs import PRINTED
from ...analysis.tables.read import Run, open_run
from ...analysis.tables.ways import figures_of, way_of
from ...simulator.errors import UserError


def held(run: Run) -> pd.DataFrame:
    """Return by group of figures how many lie in the band of good players, and the greatest distance from it.

    Columns: group, n, inside, share, low, high (Wilson, 95%), furthest (a figure), beyond (its distance, in its unit).
    """
    values, _ = way_of(run, PRINTED).values()
    frame = pd.DataFrame(figures_of(PRINTED), columns=["group", "figure"]).assign(value=values)
    frame = reference.with_good_players(frame, run, "figure", "")
    if "good_players" not in frame:
        raise UserError(f"{run.path}: the reference has no good players of these rules at tables of {run.players}")
    frame = frame.dropna(subset=["value", "good_players"])
    beyond = pd.concat([frame["good_players_low"] - frame["value"], frame["value"] - frame["good_players_high"]], axis=1)
    frame = frame.assign(beyond=beyond.max(axis=1).clip(lower=0))
    rows = []
    for group, part in [*frame.groupby("group", sort=False), ("all", frame)]:
        inside, worst = int((part["beyond"] == 0).sum()), part.loc[part["beyond"].idxmax()]
        low, high = wilson(inside, len(part))
        ends = {"share": inside / len(part), "low": float(low), "high": float(high)}
        furthest = worst["figure"] if worst["beyond"] else "-"
        rows.append({"group": group, "n": len(part), "inside": inside, **ends, "furthest": furthest, "beyond": worst["beyond"]})
    return pd.DataFrame(rows)


@click.command()
@click.argument("run")
def main(run: str) -> None:
    """Print how many figures of a run lie in the reference's bands of good players."""
    click.echo(render(held(open_run(run)), "table"))


if __name__ == "__main__":
    main()
