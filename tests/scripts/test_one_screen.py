"""On a terminal every command that answers prints one screen, with --all all of it; a program reads all in any case."""

import json

import pytest
from test_cli_answers import beyond_a_screen, newdawn

PLAYED = ["--players", "2", "--strategies", "random,autoplayer", "--jobs", "1", "--quiet"]
READ = [
    ["rounds"], ["rounds", "--part", "behind"], ["rounds", "--part", "course"], ["cards"], ["cards", "--part", "wins"],
    ["places"], ["places", "--part", "held"], ["leaders"], ["leaders", "--by", "agendas"], ["leaders", "--by", "timing"],
    ["wonders"], ["wonders", "--by", "leader"], ["victory"], ["victory", "--by", "combination"], ["strengths"],
    ["strengths", "--by", "cards"], ["matchups"], ["matchups", "--long"], ["game"],
]  # fmt: skip
ASKED = [
    ["ways", "--strategies", "random,autoplayer", "--games", "30", "--players", "2", "--jobs", "1", "--quiet"],
    ["restrict", "--player", "planner", "--without", "attacks", "--games", "4", "--players", "2", "--jobs", "1", "--quiet"],
    ["coalition", "--leaders", "Rome", "--games", "4", "--players", "2", "--jobs", "1", "--quiet"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("screens") / "run"
    made = newdawn("run", "--games", "40", *PLAYED, "--rounds", "--focus-cards", "--places", "--out", out)
    assert made.exit_code == 0, made.output
    return out


@pytest.mark.parametrize("command", READ, ids=" ".join)
def test_what_is_read_of_a_run_is_one_screen_and_with_all_no_figure_is_missing(folder, command):
    short, whole = (newdawn(*command, folder, *more, columns=80) for more in ([], ["--all"]))
    assert short.exit_code == whole.exit_code == 0, short.output
    assert beyond_a_screen(short.stdout) == []
    assert ("--all" in short.stdout) >= (len(whole.stdout.splitlines()) > 25)
    piped = newdawn(*command, folder)
    assert "--all" not in piped.stdout


def test_the_end_of_a_run_is_one_screen_that_begins_with_the_verdict(folder, tmp_path):
    played = newdawn("run", "--games", "40", *PLAYED[:-1], "--out", tmp_path / "run", columns=80)
    assert beyond_a_screen(played.stdout) == []
    first = played.stdout.split("\n")[0]
    assert first.startswith(("Undecided: ", "Not balanced: ", "Balanced: ", "No verdict: "))


@pytest.mark.parametrize("command", ASKED, ids=lambda words: words[0])
def test_an_answer_is_one_screen(command):
    asked = newdawn(*command, columns=80)
    assert asked.exit_code == 0, asked.output
    assert beyond_a_screen(asked.stdout) == []


def test_a_comparison_says_what_was_changed_and_then_how_much_is_open(tmp_path):
    rules = tmp_path / "petra.yaml"
    rules.write_text("wonders: {petra: {cost: 3}}\n", "utf-8")
    asked = newdawn("compare", "printed", rules, "--games", "40", *PLAYED, columns=80)
    assert beyond_a_screen(asked.stdout) == []
    text = " ".join(asked.stdout.split())
    assert "B against A: Petra: cost 7 → 3." in text
    changed, figures = text.partition("B against A")[0], text.partition(" figures ")[0].rpartition("Of ")[2]
    assert changed.rstrip().endswith(".")
    assert int(figures) > 20
    assert " are open. 40 games under each, on the same seeds; random, autoplayer played." in text


def test_for_a_program_nothing_is_left_out(folder):
    rows = json.loads(newdawn("rounds", folder, "--json", columns=80).stdout)
    lines = newdawn("rounds", folder, "--format", "csv", columns=80).stdout.splitlines()
    assert len(lines) == len(rows) + 1 > 100
