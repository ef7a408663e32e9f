"""The commands that ask what something is worth: what they print, what they keep, what they refuse."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main

PETRA = ["tune", "--parameter", "wonders.petra.cost", "--target", "leader-spread"]
DECIDED = ["--players", "2", "--strategies", "planner", "--jobs", "2"]  # games that somebody wins
SMALL = ["--players", "2", "--strategies", "random", "--round-cap", "6", "--jobs", "2"]


@pytest.fixture
def newdawn(tmp_path, monkeypatch):
    """Run the command in a folder of its own and return its result."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        return CliRunner().invoke(main, list(arguments))

    return run


def test_grant_prints_effects_and_keeps_the_games(newdawn, tmp_path):
    result = newdawn("experiment", "grant", "--wonder", "petra,Big Ben", "--games", "12", *DECIDED)
    assert result.exit_code == 0, result.output
    said = "12 games, each played as it is and again with each treatment that was possible in it, given at the beginning of "
    assert f"{said}round 1 (24 pairs)" in result.output
    assert "per production" in result.output
    assert "intervals hold for all rows (95%)" in result.output
    folder = next((tmp_path / "results").iterdir())
    assert folder.name == "experiment-grant-round1-petra-big_ben-2p-seed1"
    kept = pd.read_csv(folder / "effects.csv")
    assert set(kept["arm"]) == {"Petra", "Big Ben"}
    assert len(pd.read_parquet(folder / "effects.parquet")) == 2
    assert json.loads((folder / "experiment.json").read_text())["ruleset"]["name"] == "printed"
    again = newdawn("experiment", "grant", "--wonder", "petra,Big Ben", "--games", "12", *DECIDED, "--quiet", "--format", "csv")
    assert again.exit_code == 0
    frame = pd.read_csv(io.StringIO(again.stdout))
    assert set(kept.columns) <= set(frame.columns)
    assert (frame["n"] == 12).all()


def test_both_spellings_ask_the_same(newdawn):
    rest = ["leader-ability", "--leader", "Rome", "--games", "10", *SMALL, "--format", "json", "--quiet"]
    one, two = (newdawn("experiment", word, *rest) for word in ("ablate", "--ablate"))
    assert one.exit_code == two.exit_code == 0
    assert json.loads(one.stdout) == json.loads(two.stdout)
    assert json.loads(one.stdout)[0]["arm"] == "Rome"


def test_what_an_ability_is_worth_reads_forwards(newdawn):
    """'On' and 'off' are columns, the worth is on less off, and the heading counts what was played."""
    asked = ["ablate", "leader-ability", "--leader", "Rome,Egypt", "--games", "30", *DECIDED, "--quiet"]
    shown = newdawn("experiment", *asked)
    assert shown.exit_code == 0, shown.output
    assert "with every treatment" not in shown.output
    kept = json.loads(newdawn("experiment", *asked, "--format", "json").stdout)
    pairs = sum(row["n"] for row in kept)
    games = shown.output.split(" games that met a leader in question")[0].split()[-1]
    assert int(games) < 30
    assert int(games) <= pairs
    assert f"({pairs} pairs)" in shown.output
    header = next(line for line in shown.output.splitlines() if line.startswith("leader"))
    assert header.split()[:6] == ["leader", "ability", "off", "ability", "on", "worth"]
    for row in kept:
        assert row["effect"] == pytest.approx(row["with"] - row["without"])


def test_a_clear_worth_is_a_sentence_that_agrees_with_its_row():
    """Its interval is the one that holds for all rows: beside the single one, -0.04 to -0.02, the verdict would not fit."""
    from newdawn.scripts.cli.experiment import _worth

    effect = {"effect": -0.031, "effect_low": -0.04, "effect_high": -0.022, "effect_all_low": -0.05, "effect_all_high": -0.012}
    row = {"arm": "Rome", **effect, "with": 0.2, "without": 0.231, "n": 1500}
    said = "is worth −3.1 points [−5.0, −1.2] of the leader's chance to win: 20.0% with it, 23.1% without (n = 1,500 pairs)"
    assert _worth(row, "leader") == f"Rome's ability {said}"
    assert _worth(row | {"arm": "State Workforce (Rome)"}, "unique card") == f"State Workforce (Rome) {said}"


def test_gifts_and_bans(newdawn):
    result = newdawn("experiment", "give", "trade-token", "--amount", "1,3", "--games", "8", *SMALL, "--by", "leader")
    assert result.exit_code == 0, result.output
    assert "3 trade-tokens" in result.output
    result = newdawn("experiment", "ban", "wonder", "petra", "--games", "8", *SMALL, "--quiet")
    assert result.exit_code == 0, result.output
    assert "B = without Petra" in result.output
    assert "build rate of Petra" in result.output


def test_tune_and_sensitivity(newdawn, tmp_path):
    search = ["--parameter", "wonders.petra.cost", "--range", "6:8", "--target", "game-length=5", "--games", "20"]
    result = newdawn("tune", *search, *SMALL, "--quiet")
    assert result.exit_code == 0, result.output
    assert "7 (rules)" in result.output
    assert "first in the search" in result.output
    assert "On 60 fresh games each" in result.output
    assert "5.0 ± 1 round" in result.output
    table = newdawn("tune", *search, *SMALL, "--quiet", "--format", "json", "--margin", "0.1")
    fresh = [row for row in json.loads(table.stdout) if row["fresh_n"]]
    assert {row["on_target"] for row in fresh} <= {"on target", "off target", "undecided"}
    assert 2 <= len(fresh) <= 3
    result = newdawn("sensitivity", "--parameters", "wonders.petra.cost", "--games", "10", *SMALL)
    assert result.exit_code == 0, result.output
    assert "2 of 2 changes, each 10 games" in result.output
    assert "7 → 8" in result.output
    assert len(list((tmp_path / "results").glob("sensitivity-*/sensitivity.jsonl"))) == 1
    again = ["--parameters", "wonders.petra.cost", "--games", "10", "--format", "csv", "--quiet"]
    table = newdawn("sensitivity", *again, *DECIDED, "--seed", "2")
    assert len(pd.read_csv(io.StringIO(table.stdout))) == 8


def test_balance_says_what_to_change(newdawn, tmp_path):
    asked = ["--target", "game-length=3", "--parameters", "victory_cards.rules.base.cards_in_play", "--screen", "10"]
    small = ["--games", "10", "--fresh", "12", "--levers", "1", *SMALL, "--out", "kept"]
    result = newdawn("balance", *asked, *small)
    if result.exit_code == 2:  # six rounds of random play may all end at the cap
        assert "is shown to bring it nearer" in result.output
        return
    assert result.exit_code == 0, result.output
    assert "under the rules: rounds " in result.output
    advises = "As a house rule" in result.output  # or twelve games show no change that helps
    assert advises != ("change nothing" in result.output)
    again = newdawn("balance", *asked, *small, "--format", "json", "--quiet")
    rows = json.loads(again.stdout)
    assert all({"lever", "was", "value", "verdict", "low", "high", "side", "rounds"} <= set(row) for row in rows)
    assert bool(rows) == advises


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["experiment", "grnt"], "unknown experiment 'grnt'.*did you mean 'grant'"),
        (["experiment", "grant", "--wonder", "Petr"], "unknown wonder 'Petr'"),
        (["experiment", "grant", "--out", __file__], "^error: .*: is a file; expected a folder"),
        (["experiment", "grant", "--round", "0"], "round: 0 is not valid"),
        (["experiment", "give", "trade-token", "--amount", "x"], "--amount: 'x': expected whole numbers"),
        (["experiment", "ablate", "leader"], "unknown thing to switch off 'leader'.*did you mean 'leader-ability'"),
        (["experiment", "ban", "card", "Curency"], "unknown card 'Curency'.*did you mean 'Currency'"),
        (["tune", "--parameter", "wonders.petr.cost", "--target", "leader-spread"], "did you mean 'petra'"),
        (["tune", "--parameter", "wonders.petra.cost", "--target", "spread"], "unknown target 'spread'"),
        (["balance", "--leader", "Scythia"], "expected a leader and a win rate"),
        (["balance", "--leader", "Scitia", "--to", "25%"], "unknown leader 'Scitia'.*did you mean 'Scythia'"),
        (["balance", "--leader", "Scythia", "--to", "250%"], "expected a share between"),
        (["balance", "--leader", "Scythia", "--to", "25%", "--out", __file__], "is a file; expected a folder"),
        (["balance", "--target", "game-length=18", "--parameters", "wonder.*"], "no number of the ruleset matches"),
        ([*PETRA, "--margin", "2%"], "target leader-spread has no value to be near"),
        ([*PETRA, "--range", "8:4"], "a smaller number before"),
        ([*PETRA, "--range", "4:8", "--range", "1:2"], "--range: 2 given for 1 parameters"),
        ([*PETRA, "--parameter", "wonders.petra.cost"], "a number is given twice"),
        (["sensitivity", "--parameters", "wonder.*"], "no number of the ruleset matches"),
        ([*PETRA, "--target", "win-rate:Rome=25%", "--leader-pool", "Egypt,Japan,France,Aztec"], "^error.*leader never plays"),
        (["sensitivity", "--focus", "wonders"], "unknown group of figures 'wonders'"),
        (["run", "--rules", "choose_of_two_leaders", "--leader-pool", "Rome,Egypt,Japan,France"], "the rules deal 2 leaders"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(newdawn, arguments, message):
    import re

    result = newdawn(*arguments)
    assert result.exit_code == 2
    assert re.search(message, result.output), result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("gift", "arms"),
    [(["--fort"], {"fort"}), (["--government", "Monarchy,Democracy"], {"Monarchy", "Democracy"}), (["--district", "all"], 5)],
)
def test_gifts_of_the_box(newdawn, gift, arms):
    """One row a gift, each with its pairs; how many a box has is said by its data."""
    result = newdawn("experiment", "grant", "--box", "terra-incognita", *gift, "--games", "4", *SMALL, "--json")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    found = {row["arm"] for row in rows}
    assert found == arms if isinstance(arms, set) else len(found) == arms


def test_gifts_of_two_kinds_are_asked_one_after_the_other(newdawn):
    result = newdawn("experiment", "grant", "--box", "terra-incognita", "--fort", "--government", "all", "--games", "4", *SMALL)
    assert result.exit_code == 2
    assert result.output.splitlines()[-1].startswith("error: --fort: expected one kind of gift")


def test_each_ability_of_a_leader_has_a_row(newdawn):
    asked = ["experiment", "ablate", "leader-ability", "--rules", "three_leaders", "--leader", "Carthago", "--each"]
    result = newdawn(*asked, "--games", "12", *SMALL, "--json")
    assert result.exit_code == 0, result.output
    assert len(json.loads(result.stdout)) == 4  # the leader's whole ability and its three parts


def test_sensitivity_prints_so_many_changes_and_keeps_all(newdawn, tmp_path):
    numbers = "wonders.petra.*,wonders.oracle.cost"
    result = newdawn("sensitivity", "--parameters", numbers, "--games", "8", *SMALL, "--quiet", "--top", "1")
    assert result.exit_code == 0, result.output
    assert sum(line.startswith("wonders.") for line in result.output.splitlines()) == 1
    folder = next((tmp_path / "results").iterdir())
    assert len(pd.read_csv(next(folder.glob("*.csv")))) > 4
