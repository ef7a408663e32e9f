"""Which open reading moves which verdict: by weights that are known, of the reference and beside the run."""

from __future__ import annotations

import numpy as np
import pytest
from known import known_run

from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.questions import open_readings
from newdawn.analysis.tables import reference_results
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset


def row(leader, change, doubt="attack_terrain", reach=0.01):
    low, high = change - reach, change + reach
    return {"doubt": doubt, "measure": f"win rate of {leader}", "n": "2000", "change": str(change),
            "change_low": str(low), "change_high": str(high)}  # fmt: skip


@pytest.fixture
def source(tmp_path, monkeypatch):
    """Six thousand games in which Scythia is much too strong and all others are equal."""
    run = known_run(np.random.default_rng(0), 6000, np.where(np.array(names.LEADERS) == "Scythia", 0.8, 0.0))
    run.manifest = {"ruleset": {"data": load_ruleset().data}, "plan": {"strategies": ["planner"]}}
    run.path, run.box = tmp_path, "base"
    monkeypatch.setattr(reference_results, "readings", lambda box: [row("Scythia", -0.02), row("Rome", 0.0)])
    return Source(run)


def test_a_weight_that_is_large_enough_moves_a_verdict(source, monkeypatch):
    points = source.judged.set_index("leader").loc["Scythia", "points"]
    monkeypatch.setattr(reference_results, "readings", lambda box: [row("Scythia", -points / 100), row("Rome", 0.0)])
    frame = open_readings.moved(source)
    assert frame[["doubt", "leader", "verdict"]].to_numpy().tolist() == [["attack_terrain", "Scythia", "too strong"]]
    assert frame["moved"].iloc[0] != "too strong"
    said = [finding.text for finding in open_readings.findings(frame, source)]
    moved = frame["moved"].iloc[0]
    assert said[0] == f"The other reading of “attack terrain” moves the verdict on Scythia (too strong → {moved})."


def test_what_is_missing_is_named_with_its_command(source):
    said = open_readings.findings(open_readings.moved(source), source)[-1].text
    left = len(open_readings.open_doubts(source)) - 1
    assert said.startswith(
        f"{left} open readings of the rules were not weighed: `newdawn rules disputes --box base --games 2000"
    )
    assert "readings.csv" in said


def test_weights_beside_the_run_count_first(source, tmp_path):
    lines = [",".join(row("Scythia", 0.0)), ",".join(row("Scythia", 0.001).values())]
    (tmp_path / "readings.csv").write_text("\n".join(lines) + "\n", "utf-8")
    assert open_readings.moved(source).empty
    said = open_readings.findings(open_readings.moved(source), source)[0].text
    assert said == "No other reading of those that were weighed (“attack terrain”) is shown to move a verdict on a leader."


def test_a_file_beside_the_run_that_is_none_is_said_in_a_line(source, tmp_path):
    (tmp_path / "readings.csv").write_text("leader,points\nRome,3\n", "utf-8")
    with pytest.raises(UserError, match="no column 'doubt'"):
        open_readings.moved(source)
