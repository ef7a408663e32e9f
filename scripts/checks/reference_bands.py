"""Is a player outside the reference results in their bands? python -m newdawn.scripts.checks.reference_bands RUN

RUN is a run of the printed game by players of another training (`newdawn strategies train`, with another seed). 95 of every 100
of its figures should lie in the reference's prediction for another good player, which is of its true figure: the chance of the
run's own games comes on top.
"""

from __future__ import annotations

import click
import numpy as np
import pandas as pd

from ...analysis.questions.depends_on_players import subjects_of_run
from ...analysis.stats.rates import CONFIDENCE, wilson
from ...analysis.tables import reference_results
from ...analysis.tables.figures_by_strategy import figures_of, way_of
from ...analysis.tables.read import Run, open_run
from ...analysis.tables.rendering import render
from ...simulator.errors import UserError


def held(run: Run) -> pd.DataFrame:
    """Return, by group of figures, how many lie in the band of good players, and the greatest distance from it.

    Columns: group, n, inside, share, share_low, share_high (Wilson, 95%), furthest (a figure), beyond (its distance, in its
    unit). The band reaches as far from its middle as the prediction and the figure's own 95% interval together (root of the
    sum of squares).
    """
    subjects = subjects_of_run(run)
    values, ends = way_of(run, subjects).values()
    low, high = ends(CONFIDENCE)
    frame = pd.DataFrame(figures_of(subjects), columns=["group", "figure"]).assign(value=values, low=low, high=high)
    frame = reference_results.with_good_players(frame, run, "figure", "")
    if "good_players" not in frame:
        raise UserError(f"{run.path}: the reference has no good players of these rules at tables of {run.players}")
    frame = frame.dropna(subset=["value", "good_players"])
    distance, middle = frame["value"] - frame["good_players"], frame["good_players"]
    predicted = np.where(distance > 0, frame["good_players_high"] - middle, middle - frame["good_players_low"])
    own = np.where(distance > 0, frame["value"] - frame["low"], frame["high"] - frame["value"])
    frame = frame.assign(beyond=(distance.abs() - np.hypot(predicted, own)).clip(lower=0))
    rows = []
    for group, part in [*frame.groupby("group", sort=False), ("all", frame)]:
        inside, worst = int((part["beyond"] == 0).sum()), part.loc[part["beyond"].idxmax()]
        share_low, share_high = map(float, wilson(inside, len(part)))
        row = {
            "group": group,
            "n": len(part),
            "inside": inside,
            "share": inside / len(part),
            "share_low": share_low,
            "share_high": share_high,
        }
        furthest = worst["figure"] if worst["beyond"] else "-"
        rows.append(row | {"furthest": furthest, "beyond": worst["beyond"]})
    return pd.DataFrame(rows)


@click.command()
@click.argument("run")
def main(run: str) -> None:
    """Print how many figures of a run are in the reference's bands of good players."""
    found = held(open_run(run))
    click.echo(render(found.assign(beyond=found["beyond"].map("{:.4f}".format)), "table"))


if __name__ == "__main__":
    main()
