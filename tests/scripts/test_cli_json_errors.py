"""With --json an error is JSON, too: one object on standard output, and the line for people stays on standard error."""

from __future__ import annotations

import errno
import json
import shlex

import click
import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main
from newdawn.scripts.cli.shared import wants_json
from newdawn.simulator.errors import facts

NO_RUN = {"file": "nowhere", "expected": "a file manifest.json in it, as `newdawn run` writes it"}
NO_LEADER = {"nearest": "Rome"}
# One thing that can be wrong with each command that has --json, and what the object says besides the error.
WRONG = {
    "run": ("--leaders Romee,Egypt --players 2", NO_LEADER),
    "resume": ("nowhere", NO_RUN),
    "extend": ("nowhere --games 20", NO_RUN),
    "verify": ("nowhere", NO_RUN),
    "merge": ("nowhere other --out merged", {}),
    "leaders": ("nowhere", NO_RUN),
    "strengths": ("nowhere", NO_RUN),
    "matchups": ("nowhere", NO_RUN),
    "wonders": ("nowhere", NO_RUN),
    "victory": ("nowhere", NO_RUN),
    "game": ("nowhere", NO_RUN),
    "cards": ("nowhere", NO_RUN),
    "rounds": ("nowhere", NO_RUN),
    "places": ("nowhere", NO_RUN),
    "report": ("nowhere", {}),
    "compare": ("printed weaker_scythi", {"nearest": "weaker_scythia"}),
    "adapt": ("printed weaker_scythi", {"nearest": "weaker_scythia"}),
    "goals": ("nowhere.yaml", {"file": "nowhere.yaml"}),
    "experiment move": ("3 --with 12", {"expected": "a map of yours (--map FILE)"}),
    "plan": ("--half-width wide", {"field": "--half-width", "expected": "a share such as 0.5% or 0.005"}),
    "experiment ablate": ("leader-ability --leader romm", NO_LEADER),
    "experiment ban": ("leader romm", NO_LEADER),
    "experiment give": ("resourc", {"nearest": "resource"}),
    "experiment grant": ("--wonder Petrra", {"nearest": "Petra"}),
    "tune": ("--parameter wonders.petra.cost --target win-rate:romm=25%", NO_LEADER),
    "sensitivity": ("--parameters wonders.petra.cst", {"nearest": "cost"}),
    "balance": ("--leader romm --to 25%", NO_LEADER),
    "strategies": ("shw planner", {"nearest": "show"}),
    "strategies show": ("planer", {"nearest": "planner"}),
    "strategies weights": ("planer", {"nearest": "planner"}),
    "restrict": ("--games 0", {"field": "--games"}),
    "coalition": ("--leaders romm", NO_LEADER),
    "fair": ("--players Ann,Ben --leaders romm", NO_LEADER),
    "ladder": ("--strategies planer,quick", {"nearest": "planner"}),
    "ways": ("nowhere other", {}),
    "plays import": ("nowhere.csv", {"file": "nowhere.csv"}),
    "plays kinds": ("nowhere", {"file": "nowhere", "expected": "one as `newdawn plays import` writes it"}),
    "plays compare": ("nowhere --with other", {"file": "nowhere", "expected": "one as `newdawn plays import` writes it"}),
    "rules check": ("house.yaml", {"file": "house.yaml", "field": "wonders.petra.cst", "nearest": "cost"}),
    "rules coverage": ("--tests nowhere", {}),
    "rules diff": ("house.yaml", {"file": "house.yaml", "field": "wonders.petra.cst", "nearest": "cost"}),
    "rules disputes": ("--only win_chek", {"nearest": "win_check"}),
    "rules list": ("qqqq", {}),
    "rules show": ("Petr", {"nearest": "Petra"}),
    "rules where": ("Petr", {"nearest": "Petra"}),
    "bench": ("--players 9", {}),
}


def with_json(command, path=()):
    """Return the words of every command that has --json."""
    found = [" ".join(path)] if any("--json" in param.opts for param in command.params) else []
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found += with_json(command.get_command(context, name), (*path, name))
    return found


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.yaml").write_text("wonders: {petra: {cst: 5}}")


def call(*words):
    return CliRunner().invoke(main, words)


def test_every_command_with_json_is_tried():
    assert set(WRONG) == set(with_json(main))


@pytest.mark.parametrize("command", WRONG)
@pytest.mark.usefixtures("here")
def test_wrong_input_is_an_object_on_standard_output(command):
    words, wanted = WRONG[command]
    arguments = [*command.split(), *shlex.split(words)]
    plain, result = call(*arguments), call(*arguments, "--json")
    assert result.exit_code == plain.exit_code == 2, result.output
    found = json.loads(result.stdout)
    assert result.stderr == plain.stderr == f"error: {found['error']}\n"
    assert {key: found.get(key) for key in wanted} == wanted
    assert plain.stdout == ""


@pytest.mark.parametrize("command", WRONG)
def test_an_unknown_option_is_an_object_too(command):
    result = call(*command.split(), "--json", "--ruels")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["field"] == "--ruels"


def test_an_unknown_command_is_an_object_with_the_nearest():
    assert json.loads(call("leadrs", "nowhere", "--json").stdout)["nearest"] == "leaders"
    assert json.loads(call("rules", "shw", "Petra", "--json").stdout)["nearest"] == "show"


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("leaders x --json", True),
        ("leaders x --format json", True),
        ("leaders x --format=json", True),
        ("leaders x --format csv", False),
        ("rules list json", False),
        ("rules list -- --json", False),
    ],
)
def test_json_is_wanted_where_it_is_asked_for(words, wanted):
    assert wants_json(words.split()) is wanted


def test_the_facts_of_an_error_are_those_of_its_sentence():
    assert facts("x: unknown leader 'a': expected one of Rome, Egypt; did you mean 'Rome'?") == {
        "error": "x: unknown leader 'a': expected one of Rome, Egypt; did you mean 'Rome'?",
        "expected": ["Rome", "Egypt"],
        "nearest": "Rome",
    }
    assert facts("h.yaml: a.b: expected at least 1, got 0", "h.yaml", "a.b") == {
        "error": "h.yaml: a.b: expected at least 1, got 0", "file": "h.yaml", "field": "a.b", "expected": "at least 1",
    }  # fmt: skip
    assert facts("the output cannot be written") == {"error": "the output cannot be written"}


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("can't start new thread"), OSError(errno.ENOMEM, "Cannot allocate memory")]
)
def test_too_little_memory_is_said_in_a_line(monkeypatch, error):
    def broken(**_):
        raise error

    monkeypatch.setattr("newdawn.scripts.cli.run.verify.callback", broken)
    result = CliRunner().invoke(main, ["verify", "somewhere"])
    assert result.exit_code == 2
    assert result.output.startswith("error: there is too little memory, or room for threads; fewer workers (--jobs 1)")
    assert result.output.count("\n") == 1
