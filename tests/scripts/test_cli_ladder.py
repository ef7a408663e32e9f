"""`newdawn ladder`: what it prints and writes, wrong input, and Ctrl-C."""

import csv
import json

import pandas as pd
import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.ladder import _played_by
from newdawn.scripts.cli.main import main

TITLES = ("Ratings", "Pairs", "Mixture that no strategy beats", "How each wins", "Agendas of its wins", "How each plays")


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("ladder") / "new"
    names = "opportunist,autoplayer,random"
    result = call("ladder", "--strategies", names, "--players", 2, "--games", 120, "--jobs", 1, "--out", out)
    assert result.exit_code == 0, result.output
    assert all(f"\n{title}\n" in result.output for title in TITLES)
    assert "120 of 120 games" in result.output
    assert "games/s" in result.output
    return out


def test_files_hold_the_tables_and_where_they_come_from(folder):
    data = json.loads((folder / "ladder.json").read_text("utf-8"))
    source = data["provenance"]
    assert (source["games"], source["seed"], source["players"]) == (120, 1, 2)
    assert len(source["engine"]) == 16
    assert source["ruleset"]["name"] == "printed"
    assert source["ruleset"]["digest"]
    assert source["ruleset"]["box"] == "base"
    assert source["command"].startswith("newdawn")
    assert data["ratings"][0]["strategy"] == "opportunist"
    with (folder / "ladder.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["table", "strategy", "other", "figure", "value", "low", "high", "n"]
    assert {row["table"] for row in rows} == {"ratings", "spread", "pairs", "mixture", "ways", "agendas", "characters"}
    rating = next(row for row in rows if row["figure"] == "rating" and row["strategy"] == "opportunist")
    assert float(rating["low"]) < float(rating["value"]) < float(rating["high"])
    text = (folder / "ladder.md").read_text("utf-8")
    assert all(f"## {title}" in text for title in TITLES)
    assert source["engine"] in text
    assert "nan" not in text


def test_the_same_command_writes_the_same_tables(folder, tmp_path):
    call(
        "ladder", "--strategies", "opportunist,autoplayer,random", "--players", 2, "--games", 120, "--jobs", 2,
        "--out", tmp_path,
    )  # fmt: skip
    assert (folder / "ladder.csv").read_bytes() == (tmp_path / "ladder.csv").read_bytes()


def test_files_of_others_are_not_written_over(tmp_path):
    (tmp_path / "ladder.csv").write_text("mine")
    result = call("ladder", "--strategies", "autoplayer,random", "--players", 2, "--games", 4, "--quiet", "--out", tmp_path)
    assert result.exit_code == 2
    assert "ladder.csv: already exists" in result.output
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"ladder.csv": "mine"}


@pytest.mark.parametrize("how", ["csv", "json", "markdown"])
def test_formats(how):
    result = call("ladder", "--strategies", "autoplayer,random", "--players", 2, "--games", 20, "--quiet", "--format", how)
    assert result.exit_code == 0
    if how == "json":
        assert len(json.loads(result.stdout)["pairs"]) == 2
    else:
        assert result.output.startswith({"csv": "table,strategy", "markdown": "# Ladder"}[how])


def test_against_copies(tmp_path):
    result = call(
        "ladder", "--strategies", "autoplayer,opportunist", "--against", "random,autoplayer", "--players", 2, "--games", 20,
        "--out", tmp_path,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "60 of 60 games" in result.output
    data = json.loads((tmp_path / "against.json").read_text("utf-8"))
    pairs = [(row["strategy"], row["opponent"], row["n"]) for row in data["against"]]
    assert pairs == [("autoplayer", "random", 20), ("opportunist", "random", 20), ("opportunist", "autoplayer", 20)]
    assert data["provenance"]["against"] == ["random", "autoplayer"]
    assert "fair share is 50.0%" in (tmp_path / "against.md").read_text("utf-8")


def test_against_all():
    result = call("ladder", "--strategies", "autoplayer,random", "--against", "all", "--players", 2, "--games", 4, "--quiet")
    assert result.exit_code == 0
    assert "8 games of 2 players" in result.output


def test_too_few_games_are_said_to_be_too_few():
    result = call("ladder", "--strategies", "opportunist,random", "--players", 2, "--games", 3, "--quiet")
    assert result.exit_code == 0
    assert "No ratings: " in result.output
    assert "Not enough games" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--strategies", "random"], "needs two or more different ones"),
        (["--strategies", "random,oportunist"], "did you mean 'opportunist'"),
        (["--strategies", "random", "--against", "random"], "no opponent left"),
        (["--against", "nobody"], "unknown strategy 'nobody'"),
        (["--players", "7"], "players: 7 is not valid"),
        (["--seed", "-1"], "seed: -1 is not valid"),
        (["--games", "0"], "0 is not in the range"),
        (["--rules", "/no/such.yaml"], "/no/such.yaml"),
        (["--out", f"{__file__}/x"], "cannot be written"),
    ],
)
def test_bad_input(arguments, message):
    result = call("ladder", "--games", 4, *arguments, "--quiet")
    assert result.exit_code == 2, result.output
    assert message in result.output.strip().splitlines()[-1]
    assert "Traceback" not in result.output


def test_a_refused_ladder_shows_no_progress():
    result = call("ladder", "--games", 4, "--strategies", "random")
    assert result.exit_code == 2
    assert result.output.startswith("error: ")


@pytest.mark.parametrize(
    ("more", "word"), [([], "Stopped: 1,000 games"), (["--against", "autoplayer"], "Stopped after 1 of 2")]
)
def test_ctrl_c_reports_what_is_played(tmp_path, monkeypatch, more, word):
    played = []

    def add(self, games):
        played.append(games)
        if sum(played) >= 60:
            raise KeyboardInterrupt

    monkeypatch.setattr("newdawn.scripts.cli.progress.ProgressLine.add", add)
    strategies = "random,opportunist" if more else "random,autoplayer"
    result = call("ladder", "--strategies", strategies, "--players", 2, "--games", 1000, "--jobs", 1, "--out", tmp_path, *more)
    assert result.exit_code == 130, result.output
    assert word in result.output
    file = tmp_path / ("against.json" if more else "ladder.json")
    assert 25 <= json.loads(file.read_text("utf-8"))["provenance"]["games"] <= 60


def test_ctrl_c_before_the_first_game(monkeypatch):
    def add(self, games):
        raise KeyboardInterrupt

    monkeypatch.setattr("newdawn.scripts.cli.progress.ProgressLine.add", add)
    result = call("ladder", "--strategies", "random,autoplayer", "--players", 2, "--games", 50, "--jobs", 1)
    assert result.exit_code == 130
    assert "stopped before any game was finished" in result.output


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ([1.0, 0.0], "--strategies planner"),
        ([0.5, 0.5], "--strategy-pool planner,quick"),
        ([0.65, 0.35], f"--strategy-pool {','.join(13 * ['planner'] + 7 * ['quick'])}"),
        ([0.75, 0.25], "--strategy-pool planner,planner,planner,quick"),
    ],
)  # fmt: skip
def test_the_mixture_is_named_by_the_shortest_option_that_plays_it(shares, said):
    assert _played_by(pd.DataFrame({"strategy": ["planner", "quick"], "share_mean": shares})) == said
