"""Charts say what they show: who is named is shown by the table, on the right side; nothing is said of what is not tested."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from newdawn.analysis.report.part import Chart
from newdawn.analysis.report.shared import NAMED, headline
from newdawn.analysis.report.subjects import PARTS

SAID = headline(
    "leader", "points", ("{} wins more", "{} win more"), ("{} wins less", "{} win less"), "No leader differs detectably"
)  # fmt: skip


def table(points, p, small=False):
    names = [f"Leader {letter}" for letter in "ABCDEFGHIJKL"[: len(points)]]
    return pd.DataFrame({"leader": names, "points": points, "p_adjusted": p, "small_sample": small})


def test_who_is_named_is_shown_and_on_its_side_the_furthest_first():
    assert SAID(table([1.0, 9.0, -5.0], [0.01, 0.001, 0.02])) == "Leader B and Leader A win more; Leader C wins less"
    assert SAID(table([1.0, 9.0, -5.0], [0.2, 0.001, 0.3])) == "Leader B wins more"
    assert SAID(table([-1.0, 9.0], [0.04, 0.051])) == "Leader A wins less"


def test_nothing_shown_and_nothing_tested_are_not_the_same():
    assert SAID(table([5.0, -5.0], [0.06, 1.0])) == "No leader differs detectably"
    assert SAID(table([5.0, -5.0], [np.nan, np.nan])) == ""
    assert SAID(table([5.0, -5.0], [0.001, 0.001], small=True)) == ""
    chart = Chart("key", "Leaders", "Bars: 95%.", lambda frame, ax: None, message=SAID)
    assert chart.headed(table([5.0], [np.nan])) == ("Leaders", "Bars: 95%.")
    assert chart.headed(table([5.0], [0.01])) == ("Leader A wins more", "Leaders. Bars: 95%.")


@pytest.mark.parametrize("count", [NAMED + 1, NAMED + 2, 12])
def test_of_many_the_first_are_named_and_the_others_counted(count):
    text = SAID(table(list(range(count, 0, -1)), [0.001] * count))
    named = text.count("Leader ")
    assert named == (count if count == NAMED + 1 else NAMED)
    assert (f"{count - NAMED} more" in text) == (count > NAMED + 1)


@pytest.mark.parametrize("seed", range(5))
def test_headlines_of_the_report_name_what_their_tables_show(seed):
    """Drawn tables: whoever stands in a headline differs, in the direction that it says."""
    rng = np.random.default_rng(seed)
    charts = {part.key: part.charts[0] for part in PARTS if part.key in ("leaders", "leaders-timing", "order")}
    assert len(charts) == 3
    for key, (size, column, more, less) in {
        "leaders": ("points", "leader", "more than", "less than"),
        "leaders-timing": ("rounds_difference", "leader", "longer", "shorter"),
        "order": ("points", "order", "more than", "less than"),
    }.items():
        frame = table(list(rng.normal(0, 5, 8).round(2)), rng.choice([0.001, 0.04, 0.3, np.nan], 8))
        frame = frame.rename(columns={"points": size}).assign(order=[f"<{k}>" for k in range(8)])
        text = charts[key].message(frame)
        for side in text.split("; "):
            for row in frame.to_dict("records"):
                if str(row[column]) in side:
                    assert row["p_adjusted"] <= 0.05
                    assert (more if row[size] > 0 else less) in side
