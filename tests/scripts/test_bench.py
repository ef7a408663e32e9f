"""`newdawn bench` measures again and again, and two of its reports are compared honestly."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from newdawn.scripts.bench import compare as bench_compare
from newdawn.scripts.cli import bench
from newdawn.scripts.cli.bench import BenchReport, Measurement, read
from newdawn.simulator.errors import UserError


def report(engine="e", cpu="c", **values):
    measurements = [Measurement(name, "s", "less" if name.startswith("less") else "more", v) for name, v in values.items()]
    return BenchReport({"cpu": cpu, "cores": 2, "python": "3", "load": 1.0}, {"engine": engine}, {"repeats": 3}, measurements)


def written(tmp_path, name="a.json", **values):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(report(**values).as_json())
    return path


def noisy(dice, middle, n, spread=0.1):
    return (middle * np.exp(spread * dice.standard_normal(n))).tolist()


def test_the_interval_holds_the_true_ratio_as_often_as_it_says():
    dice = np.random.default_rng(1)
    held = 0
    for _ in range(1000):
        found = bench_compare.ratio(noisy(dice, 100, 5, spread=0.05), noisy(dice, 80, 7, spread=0.2))
        held += found.low <= 0.8 <= found.high
    assert 930 <= held <= 970  # 95%: 950 expected, standard deviation 7


def test_without_a_difference_a_verdict_is_rare():
    dice = np.random.default_rng(2)
    false = 0
    for _ in range(200):
        old, new = ({f"m{i}": noisy(dice, 10, 4) for i in range(8)} for _ in range(2))
        frame = bench_compare.compare([report(**old)], [report(**new)])
        false += bool(set(frame["verdict"]) - {"no difference shown"})
    assert false <= 20  # 5% of 200 are 10; more than 20 has a chance below 0.2%


def test_a_difference_is_found_and_told_in_the_right_direction():
    dice = np.random.default_rng(3)
    old = [report(more=[v], less=[v]) for v in noisy(dice, 10, 6, 0.02)]
    new = [report(more=[v], less=[v]) for v in noisy(dice, 12, 6, 0.02)]
    frame = bench_compare.compare(old, new).set_index("measurement")
    assert frame["verdict"].to_dict() == {"more": "better", "less": "worse"}
    assert frame.loc["more", "ratio_low"] < 1.2 < frame.loc["more", "ratio_high"]
    assert frame.loc["more", ["n_old", "n_new"]].tolist() == [6, 6]


def test_with_several_runs_a_run_counts_once():
    runs = [report(m=[10.0, 11.0, 12.0]), report(m=[20.0, 21.0, 22.0])]
    frame = bench_compare.compare(runs, runs)
    assert (frame["n_old"][0], frame["old"][0]) == (2, 16.0)
    assert frame["ratio_high"][0] > 2  # the runs differ widely


def test_one_value_a_side_is_not_tested_and_what_never_varies_is_the_same():
    frame = bench_compare.compare([report(a=[1.0], b=[5.0, 5.0])], [report(a=[2.0], b=[5.0, 5.0])])
    assert frame["verdict"].tolist() == ["not tested", "same"]
    assert frame["ratio_low"].isna().all()


def test_reports_survive_being_written(tmp_path):
    assert read(written(tmp_path, a=[1.0, 2.0])) == report(a=[1.0, 2.0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "cannot be read as JSON"),
        ("[]", "is not a report of `newdawn bench --json`"),
        ('{"machine": {}, "speed": [], "memory": {}}', "schema_version 1 is of another version"),
        ('{"kind": "newdawn-bench", "schema_version": 99}', "schema_version 99 is of another version"),
        ('{"kind": "newdawn-bench", "schema_version": 2}', "is missing 'measurements'"),
    ],
)
def test_what_is_no_report_of_this_version_is_refused(tmp_path, text, message):
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(UserError, match=message):
        read(tmp_path / "bad.json")
    result = CliRunner().invoke(bench_compare.main, [str(tmp_path / "bad.json")] * 2)
    assert (result.exit_code, result.output.count("\n")) == (2, 1)


def test_values_that_are_none_are_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="'a' has no values"):
        read(written(tmp_path, a=[]))
    with pytest.raises(UserError, match="no measurement in common"):
        bench_compare.compare([report(a=[1.0])], [report(b=[1.0])])
    with pytest.raises(UserError, match=r"no \*.json in this folder"):
        bench_compare.reports(tmp_path / "empty")


def test_the_command_prints_ratios_and_what_to_know(tmp_path):
    for k in range(2):
        written(tmp_path / "old", f"{k}.json", more=[10.0 + k, 11.0])
        written(tmp_path / "new", f"{k}.json", more=[20.0 + k, 21.0], cpu="other")
    result = CliRunner().invoke(bench_compare.main, [str(tmp_path / "old"), str(tmp_path / "new")])
    assert result.exit_code == 0, result.output
    assert "new / old" in result.output
    assert "note: the runs are from different machines: c (2 cores); other (2 cores)" in result.output
    assert "note: few runs (2 and 2)" in result.output
    result = CliRunner().invoke(bench_compare.main, [str(tmp_path / "old"), str(tmp_path / "new"), "--format", "json"])
    assert json.loads(result.stdout)[0]["n_new"] == 2


def test_bench_measures_each_thing_as_often_as_asked(monkeypatch):
    monkeypatch.setattr(bench, "in_fresh_process", lambda function, *arguments: function(*arguments))
    monkeypatch.setattr(bench, "start", lambda cold, box: 50.0 if cold else 2.0)
    monkeypatch.setattr(bench, "whole_run", lambda games, jobs, backend, strategy, box: 100.0 * jobs)
    monkeypatch.setattr(bench, "run_memory", lambda games, jobs, strategy, box: 200.0 + jobs)
    monkeypatch.setattr(bench, "BYTES_AT_GAMES", 100)  # a shard of 100 games
    plan = bench.BenchPlan("base", [2], ["random"], 0.01, 2, memory_games=10, scaling_games=10, jobs=2, cold=True)
    report = bench.measure(plan)
    found = {m.name: m for m in report.measurements}
    once = [name for name, m in found.items() if len(m.values) == 1]
    assert all(name.startswith(("bytes a game", "cold start", "first ")) for name in once), once
    assert {len(m.values) for m in found.values()} == {1, 2}
    assert found["whole run, 2 threads over 1 worker"].values == [2.0, 2.0]
    decisions = found["decisions a second and core: random, 2 players"].values
    games = found["games a second and core: random, 2 players"].values
    assert 100 < min(decisions) / max(games) < 10_000
    assert found["bytes a game on disk: all tables"].values[0] > 50
    assert 50 < found["memory of a worker process: at most"].values[0] < 2000
    assert "warm start of `newdawn run --games 100`" in report.as_text()
    assert isinstance(bench_compare.compare([report], [report]), pd.DataFrame)


def test_memory_of_a_run_is_watched_while_it_plays():
    assert 50 < bench.run_memory(1, 1, "random", "base") < 2000


def test_a_profile_of_ones_own_is_measured_by_its_path(tmp_path, monkeypatch):
    path, seen = tmp_path / "mine.yaml", []
    path.write_text("like: planner\ndescription: mine\n", "utf-8")
    monkeypatch.setattr(bench, "measure", lambda plan: seen.append(plan) or report(more=[1.0]))
    result = CliRunner().invoke(bench.bench, ["--players", "2", "--strategies", str(path)])
    assert result.exit_code == 0, result.output
    assert bench.make(2, 1, seen[0].strategies[0])[0].library() == ["mine"]
    assert isinstance(CliRunner().invoke(bench.bench, ["--strategies", "plannr"]).exception, UserError)
