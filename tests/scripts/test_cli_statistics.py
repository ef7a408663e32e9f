"""`newdawn strengths`, `matchups`, `game` and the groupings of the summaries: formats, words, messages."""

import csv
import json
import re

import pytest
from click.testing import CliRunner

from newdawn.analysis.stats.verdicts import FAR, STRENGTH, read
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import with_sign


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("statistics") / "run"
    options = ("--players", 2, "--games", 300, "--strategies", "opportunist", "--jobs", 1, "--quiet", "--out", out)
    result = call("run", *options)
    assert result.exit_code == 0, result.output
    return out


@pytest.fixture(scope="module")
def unwon(tmp_path_factory):
    """Games that nearly nobody won."""
    out = tmp_path_factory.mktemp("unwon") / "run"
    options = ("--players", 2, "--games", 20, "--strategies", "random", "--round-cap", 12, "--jobs", 1, "--quiet", "--out", out)
    assert call("run", *options).exit_code == 0
    return out


@pytest.mark.parametrize("value", ["win_rate", "surplus", "remainder"])
def test_matchups_show_the_value_asked_for(folder, value):
    rows = json.loads(call("matchups", folder, "--json").stdout)
    shown = call("matchups", folder, "--value", value, "--wide").output.splitlines()
    table = {line.split()[0]: line for line in shown if line.split()[:1] and line.split()[0] in {row["leader"] for row in rows}}
    assert len(table) == 8
    for row in rows:
        known = row[value]
        if known is not None:
            shown_as = f"{100 * known:.1f}" if value == "win_rate" else with_sign(known)  # surpluses are points already
            assert shown_as in table[row["leader"]], row


@pytest.mark.parametrize("command", ["leaders", "strengths", "matchups", "wonders", "victory", "game"])
def test_tables_of_a_run_say_who_played(folder, command):
    assert "2 players, strategies: opportunist" in call(command, folder).output.splitlines()[1]


def test_runs_that_are_compared_say_who_played_each(folder, unwon):
    lines = call("leaders", folder, unwon, "--by", "agreement").output.splitlines()
    assert [line.rpartition(": ")[2] for line in lines[:2]] == ["opportunist", "random"]


def test_people_count_seats_from_1_and_files_from_0(folder):
    rows = json.loads(call("leaders", folder, "--by", "seat", "--json").stdout)
    assert {row["seat"] for row in rows} == {0, 1}
    lines = call("leaders", folder, "--by", "seat").output.splitlines()[4:]
    shown = [line.split() for line in lines if line.split()[:1] in (["0"], ["1"], ["2"])]
    assert [(int(line[0]) - 1, line[1]) for line in shown] == [(row["seat"], row["leader"]) for row in rows]


@pytest.mark.parametrize(
    "arguments",
    [["leaders"], ["leaders", "--by", "seat"], ["strengths", "--wide"], ["victory", "--by", "combination-leaders"], ["game"]],
    ids=" ".join,
)
def test_people_read_a_minus_sign_and_programs_a_hyphen(folder, arguments):
    for how in ("table", "markdown"):
        text = call(*arguments, folder, "--format", how).output
        assert "−" in text
        assert not re.search(r"(?<![\w.,-])-\d", text)
    if arguments != ["game"]:
        for how in ("csv", "json"):
            text = call(*arguments, folder, "--format", how).stdout
            assert "−" not in text
            assert re.search(r"[:,\n] ?-\d", text)


@pytest.mark.parametrize(
    ("arguments", "columns"),
    [
        (["leaders", "--by", "agendas"], {"leader", "agenda", "use_rate", "p_adjusted"}),
        (["leaders", "--by", "timing"], {"leader", "rounds_mean", "claim_1"}),
        (["strengths"], {"leader", "adjusted_rate", "rank_best", "p_adjusted"}),
        (["strengths", "--by", "players"], {"players", "leader", "points"}),
        (["matchups"], {"leader", "opponent", "surplus"}),
        (["wonders", "--by", "leader"], {"wonder", "leader", "build_rate"}),
        (["victory", "--by", "leader"], {"agenda", "leader", "agenda_share"}),
        (["victory", "--by", "combination"], {"cards", "rounds_mean"}),
        (["victory", "--by", "combination-leaders"], {"cards", "leader", "win_rate"}),
        (["game", "--part", "predictability"], {"round", "auc", "skill"}),
        (["game", "--part", "comebacks"], {"behind", "comeback_rate"}),
    ],
)
def test_statistics_hold_the_same_rows_in_all_formats(folder, arguments, columns):
    rows = json.loads(call(*arguments, folder, "--format", "json").stdout)
    lines = list(csv.DictReader(call(*arguments, folder, "--format", "csv").output.splitlines()))
    assert len(rows) == len(lines) > 0
    assert columns <= set(rows[0])
    assert list(rows[0]) == list(lines[0])
    for how in ("table", "markdown"):
        assert call(*arguments, folder, "--format", how).exit_code == 0


def test_the_game_as_a_whole(folder):
    text = call("game", folder).output
    for words in ("Length of the games", "What the winners had claimed", "Lead changes", "behind", "What has run out"):
        assert words in text
    parts = json.loads(call("game", folder, "--format", "json").stdout)
    assert {"length", "rounds", "seats", "lead", "comebacks", "predictability", "shortages"} <= set(parts)
    assert "## Length" in call("game", folder, "--format", "markdown").output
    refused = call("game", folder, "--format", "csv")
    assert refused.exit_code == 2
    assert "expected one part, --part length, " in refused.output


def test_strengths_name_the_spread_and_what_cannot_be_compared(folder):
    assert "leader spread: " in call("strengths", folder).output
    refused = call("strengths", folder, "--factor", "strategy")
    assert refused.exit_code == 2
    assert refused.output.strip() == "error: strategy: only 'opportunist' played, so there is nothing to compare"
    square = call("matchups", folder).output
    assert "Scythia" in square.splitlines()[4]
    assert call("matchups", folder, "--long").output.count("\n") > square.count("\n")


def test_games_that_nobody_won_are_told_about(unwon):
    text = call("game", unwon).output
    assert "not available: 0 games with a winner: too few" in text
    assert "too few" in json.loads(call("game", unwon, "--format", "json").stdout)["seats"]["not known"]
    for arguments in (["strengths"], ["matchups"], ["game", "--part", "seats"]):
        refused = call(*arguments, unwon)
        assert refused.exit_code == 2
        assert refused.output.startswith("error: 0 games with a winner: too few")
    for arguments in (["leaders", "--by", "agendas"], ["leaders", "--by", "timing"], ["victory", "--by", "leader"]):
        assert call(*arguments, unwon).exit_code == 0


def test_verdicts_follow_the_margin(folder):
    """With a margin of half of all wins every leader is balanced; with hardly any, those told apart lie outside."""
    for command, name in ((["leaders"], "points"), (["strengths"], "points"), (["game", "--part", "seats"], "points")):
        wide = json.loads(call(*command, folder, "--margin", "60%", "--format", "json").stdout)
        assert {row["verdict"] for row in wide if not row["small_sample"]} <= {"balanced"}
        assert {row["verdict"] for row in wide if row["small_sample"]} <= {"not compared"}
        narrow = json.loads(call(*command, folder, "--margin", "0.001%", "--format", "json").stdout)
        for row in (row for row in narrow if not row["small_sample"]):
            verdict = read(row[f"{name}_all_low"], row[f"{name}_all_high"], 0.001)
            assert row["verdict"] == STRENGTH.of(verdict)
            assert (row["games_fewest"] is None) == (verdict in FAR)
    assert not narrow[0]["small_sample"]  # places in the turn order have games enough
    rows = json.loads(call("victory", "--by", "combination", folder, "--margin-rounds", "99", "--format", "json").stdout)
    assert {row["verdict"] for row in rows} <= {"unchanged", "not compared"}
    assert "verdict" in call("leaders", folder).output
    refused = call("leaders", folder, "--margin", "wide")
    assert refused.exit_code == 2
    assert "'wide': expected a share such as 0.5%" in refused.output
