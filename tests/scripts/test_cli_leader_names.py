"""Leaders may be named in any spelling, on the command line and in files; a near miss is answered with the nearest name."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from newdawn.analysis.questions.experiment import ablate, ban
from newdawn.analysis.questions.tuning import parse_target
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError, meant
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.edit import parameters
from newdawn.simulator.runs.run_plan import plan_by
from newdawn.strategies.profiles import parse

PRINTED = load_ruleset()


def plan(**settings):
    return plan_by(PRINTED.compile(), players=2, games=2, seed=1, **settings)


def call(*words):
    return CliRunner().invoke(main, words)


def test_a_plan_takes_any_spelling():
    assert plan(leaders=("rome", " EGYPT ")).leaders == ("Rome", "Egypt")
    assert plan(leader_pool=("sCYTHIA", "rome", "aztec")).leaders == ("Scythia", "Rome", "Aztec")


def test_experiments_and_targets_take_any_spelling():
    assert [arm.leader for arm in ablate(plan(), PRINTED, ("rOME",)).arms] == ["Rome"]
    assert not ban(PRINTED, "leader", "SCYTHIA").data["leaders"]["scythia"]["available"]
    assert parse_target("win-rate:egypt =25%").figure == parse_target("win-rate:Egypt=25%").figure


def test_files_take_any_spelling(tmp_path):
    file = tmp_path / "house.yaml"
    file.write_text("leaders: {ROME: {available: false}}\ncomponents: {leader_deal: {base: {ranking: [scythia, AZTEC]}}}")
    data = load_ruleset([file]).data
    assert not data["leaders"]["rome"]["available"]
    assert data["components"]["leader_deal"]["base"]["ranking"] == ["Scythia", "Aztec"]
    assert list(parse({"like": "planner", "leaders": {"rome": {}, "EGYPT": {}}}, "mine.yaml").leaders) == ["Rome", "Egypt"]


def test_two_spellings_of_one_leader_are_one_too_many():
    with pytest.raises(UserError, match=r"mine.yaml: leaders: 'Rome' is named twice"):
        parse({"like": "planner", "leaders": {"rome": {}, "Rome": {}}}, "mine.yaml")
    with pytest.raises(UserError, match="'Rome' is named twice"):
        plan(leaders=("rome", "Rome"))


def test_patterns_of_numbers_take_any_spelling():
    assert parameters(PRINTED, ("leaders.Scythia.*",)) == parameters(PRINTED, ("leaders.scythia.*",))
    assert call("rules", "list", "leaders.Scythia.*").output == call("rules", "list", "leaders.scythia.*").output


@pytest.mark.parametrize("command", ["show", "where"])
def test_rules_are_looked_up_in_any_spelling(command):
    assert call("rules", command, "sCYTHIA").output == call("rules", command, "Scythia").output


@pytest.mark.parametrize(
    "words",
    [
        "run --players 2 --leaders Romme,Egypt",
        "run --players 2 --leader-pool Romme,Egypt",
        "compare printed epic_game --players 2 --leaders Romme,Egypt",
        "replay --players 2 --leaders Romme,Egypt",
        "experiment ablate leader-ability --leader Romme",
        "experiment ban leader Romme",
        "tune --parameter wonders.petra.cost --target win-rate:Romme=25%",
        "balance --leader Romme --to 25%",
        "strategies tune quick --leader Romme --out x.yaml",
        "rules show Romme",
    ],
)
def test_a_near_miss_is_answered_with_the_nearest_name(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call(*words.split())
    assert result.exit_code == 2
    assert "did you mean 'Rome'?" in result.output
    assert len(result.output.splitlines()) == 1


def test_spelling_is_letters_and_digits():
    assert meant("great_lighthouse", ["Great Lighthouse"]) == "Great Lighthouse"
    assert meant("Great Light", ["Great Lighthouse"]) is None
