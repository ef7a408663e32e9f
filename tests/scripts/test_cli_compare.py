"""`newdawn compare` and `newdawn plan`: small real comparisons, output, messages."""

import csv
import json
import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from newdawn.analysis.tables.reference_results import leader_rates
from newdawn.scripts.cli.compare import _shown_n, as_text, both_plans
from newdawn.scripts.cli.main import main
from newdawn.scripts.cli.shared import ruleset_named
from newdawn.simulator import names

GAMES = 600


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def head_start():
    """A planted house rule on the real engine: America starts with three trade tokens on each card.

    The players are opportunists: to them the tokens are worth most, so that few games show it.
    """
    rest = ("--strategies", "opportunist", "--players", 2, "--format", "json", "--quiet")
    result = call("compare", "printed", "america_head_start", "--games", GAMES, *rest)
    assert result.exit_code == 0, result.output
    return {row["figure"]: row for row in json.loads(result.stdout)}


def test_a_planted_house_rule_is_visible(head_start):
    row = head_start["win rate of America"]
    assert row["difference"] > 0.08
    assert (row["verdict"], row["certainty"]) == ("raised", "strong")
    assert row["games_fewest"] is None
    assert row["command"] == ""
    assert row["pairs"] == GAMES
    assert row["n_a"] == row["n_b"]


def test_common_seeds_save_games(head_start):
    """Games without America are the same under both rules, so its rivals' win rates need far fewer games."""
    others = [row["pairing"] for name, row in head_start.items() if re.match("win rate of (?!America|the)", name)]
    assert len(others) == 7
    assert sorted(others)[3] > 1.5


def test_the_same_rules_on_the_same_seeds_are_the_same_games():
    result = call("compare", "printed", "printed", "--games", 40, "--players", 2, "--format", "json", "--quiet")
    assert result.stderr.startswith("note: A and B are the same rules, so nothing can change; --other-seed shows what")
    rows = json.loads(result.stdout)
    assert {row["difference"] for row in rows if row["difference"] is not None} == {0.0}
    assert not any(row["verdict"] in ("raised", "lowered") for row in rows)


def test_the_table_says_what_was_compared():
    result = call("compare", "printed", "epic_game", "--games", 30, "--players", 2, "--jobs", 1)
    assert result.exit_code == 0, result.output
    for words in ("A = printed, B = epic game", "30 games under each, on the same seeds", "precision: ", "pairing", "verdict"):
        assert words in result.output
    assert re.search(r"^rounds +\d.* 30 \(few\) ", result.output, re.MULTILINE)
    assert "games/s" in result.output


@pytest.mark.parametrize("how", ["csv", "markdown"])
def test_formats(how):
    result = call("compare", "printed", "printed", "--games", 10, "--players", 2, "--format", how, "--quiet", "--other-seed", 9)
    assert result.exit_code == 0, result.output
    if how == "csv":
        rows = list(csv.DictReader(result.output.splitlines()))
        assert {"figure", "a", "b", "difference", "low", "high", "p_adjusted", "pairing", "games_needed"} <= set(rows[0])
    else:
        assert result.stdout.startswith("| figure | A | B |")


def test_until_goes_on_to_the_bound():
    result = call(
        "compare", "printed", "weaker_scythia", "--players", 2, "--until-half-width", "0.1%", "--most-games", 60,
        "--games", 10, "--strategies", "random", "--round-cap", 5,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "60 games under each" in result.output
    assert "the most games allowed" in result.output


def test_the_result_does_not_depend_on_the_jobs():
    command = ("compare", "printed", "cheaper_wonders", "--players", 2, "--games", 600)
    command += ("--strategies", "random", "--round-cap", 6)
    outputs = [call(*command, "--format", "csv", "--quiet", "--jobs", jobs).output for jobs in (1, 2)]
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "printed", "cheeper_wonders"], "did you mean 'cheaper_wonders'"),
        (["compare", "printed", "/no/such.yaml"], "/no/such.yaml: cannot read the house rules"),
        (["compare", "printed"], "B: expected a second ruleset, or --vary"),
        (["compare", "printed", "printed", "--half-width", "wide"], "'wide': expected a share such as 0.5%"),
        (["compare", "printed", "printed", "--half-width", "150%"], "above 0% and below 100%"),
        (["compare", "printed", "printed", "--players", "7"], "players: 7 is not valid"),
        (["compare", "printed", "printed", "--until-decided", "--focus", "leader"], "unknown group .* 'leader'.*'leaders'"),
        (["compare", "printed", "printed", "--until-decided", "--games", "50"], "--games: expected --most-games, up to which"),
        (["compare", "printed", "printed", "--focus", "wonders"], "--focus: only with --until-decided or --until-half-width"),
        (["compare", "printed", "printed", "--most-games", "9"], "--most-games: only with --until-decided or --until-half"),
        (["plan", "--pairing", "0"], "pairing: expected a number above 0"),
        (["plan", "--half-width", "1%", "--find", "4%"], "--half-width and --find: expected one of the two"),
        (["plan", "--leader-pool", "3"], "a pool of 3 cannot be dealt to 4 players"),
        (
            ["plan", "--players", "5"],
            "players: 5 is not valid; expected a whole number from 2 to 4; 5 can play with --box terra",
        ),
    ],
)
def test_bad_input_ends_with_code_2_and_one_line(arguments, message):
    result = call(*arguments)
    assert result.exit_code == 2, result.output
    assert re.search(message, result.output.strip().splitlines()[-1])
    assert "Traceback" not in result.output


def test_plan_tells_the_games():
    result = call("plan", "--half-width", "0.5%")
    assert result.exit_code == 0
    slowest, rate = min(leader_rates(4).items(), key=lambda item: abs(item[1] - 0.5))
    assert f"{slowest} at {rate:.1%}" in result.output
    assert result.output.startswith("win rates expected: those of the reference games (4 players, strategies: quick)\n")
    assert f"{math.ceil(1.959964**2 * rate * (1 - rate) / 0.005**2):,}" in result.output
    rows = json.loads(call("plan", "--half-width", "0.005", "--pairing", "2", "--format", "json").stdout)
    assert rows[6]["games"] == pytest.approx(rows[5]["games"] / 2, abs=1)
    fair = json.loads(call("plan", "--rate", "25%", "--format", "json").stdout)
    assert fair[0]["games"] == 28_811  # 1.96² · ¼ · ¾ / 0.005²
    found = json.loads(call("plan", "--find", "3%", "--format", "json").stdout)
    assert [row["detectable"] for row in found] == pytest.approx([0.03] * 5)
    assert {row["verdict"] for row in found} == {"too strong", "too weak", "higher or lower"}
    assert "no number of games that can be played decides" in call("plan", "--find", "2%").output
    assert json.loads(call("plan", "--find", "2%", "--format", "json").stdout)[0]["games"] is None


def test_plan_takes_the_rates_of_a_run(tmp_path, monkeypatch):
    """Rome wins 13 of 20 games of the run, and sits in each of them."""
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[1] / "analysis")
    from synthetic import write_run

    result = call("plan", write_run(tmp_path / "run"), "--half-width", "0.02", "--format", "json")
    rows = json.loads(result.stdout)
    assert rows[0]["slowest"] == "Rome at 65.0%"
    whose = f"win rates expected: those of {tmp_path / 'run'} (2 players"
    assert call("plan", tmp_path / "run").output.startswith(whose)
    refused = call("plan", tmp_path / "run", "--players", "3")  # whose leaders win other shares
    assert refused.exit_code == 2
    assert "--players 3: the win rates of " in refused.output
    assert "are those of 2 players; expected a run of 3, or no folder" in refused.output
    assert call("plan", tmp_path / "run", "--players", "3", "--leader-pool", "8", "--rate", "30%").exit_code == 0
    assert "is of the box base; expected no --box" in call("plan", tmp_path / "run", "--box", "terra-incognita").output
    assert rows[0]["games"] == rows[1]["games"] == int(np.ceil(1.959964**2 * 0.65 * 0.35 / 0.02**2))


def test_numbers_of_games_are_marked_if_few_and_verdicts_say_what_would_decide():
    assert [_shown_n(*n) for n in ((100, 100), (99, 99), (1200, 60), (50, 0))] == ["100", "99 (few)", "1,200/60 (few)", "50/0"]
    row = {"figure": "rounds", "a": 18.0, "b": 17.0, "n_a": 400, "n_b": 400, "difference": -1.0, "half_width": 0.2}
    row |= {"difference_all_low": -1.3, "difference_all_high": -0.7}
    row |= {"pairing": 2.0, "verdict": "lowered, size unclear", "certainty": "strong", "games_fewest": 5200.0}
    told = as_text(pd.DataFrame([row | {"games_most": np.inf}]), "table")
    assert re.search(r"\] +400 +2.00 +lowered, size unclear \(at least 5,200 games\) +strong", told)


def test_two_boxes_are_compared_with_the_leaders_that_both_have():
    boxes = tuple(ruleset_named(Path(name), None, "base") for name in ("base", "terra-incognita"))
    assert [ruleset.box for ruleset in boxes] == ["base", "terra-incognita"]
    settings = {"players": 4, "leaders": None, "leader_pool": None}
    for plan in both_plans(boxes, 8, (1, 1), settings):
        assert plan.leaders == names.LEADERS
    assert len(both_plans((boxes[1], boxes[1]), 8, (1, 1), settings)[0].leaders) > len(names.LEADERS)
    for plan in both_plans(boxes, 8, (1, 1), settings | {"leader_pool": names.LEADERS[:5]}):
        assert plan.leaders == names.LEADERS[:5]
