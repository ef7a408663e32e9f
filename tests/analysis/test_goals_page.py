"""The answer of `goals`: in the terminal, as JSON and CSV, as a page; and wrong input."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from said import unreadable_on
from wished import GOALS, goals_file, known_games

from newdawn.analysis.goals import seek, stages
from newdawn.analysis.goals.wishes import VERDICTS
from newdawn.analysis.report import answer_page
from newdawn.analysis.tables.kept_answers import KeptAnswer, facts_of, open_kept
from newdawn.scripts.cli.main import main
from newdawn.simulator.reading import yaml_of
from newdawn.simulator.rules import load_ruleset

REFERENCE = Path(__file__).parents[2] / "results" / "reference" / "goals" / "balanced_base_game"
ONE = "goals:\n  - {{figure: win-rate, of: Scythia, at_most: 30%}}\n"
ONE += "changes: {{at_most: 1, numbers: [{{path: {combat}, by: 1}}]}}\n"
SPOILED = "leaders: {scythia: {abilities: {combat: {amount: 6}}}}\nwonders: {petra: {cost: 10}}\n"


def call(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Return a folder with an answer, and what the command said."""
    folder = tmp_path_factory.mktemp("goals")
    (folder / "spoiled.yaml").write_text(SPOILED, "utf-8")
    goals = goals_file(folder, "others: [random]\nbudget: {{games: 60000}}\n" + GOALS)
    with pytest.MonkeyPatch.context() as patch:
        known_games(patch)
        words = (
            "goals",
            goals,
            "--rules",
            folder / "spoiled.yaml",
            "--fresh",
            6000,
            "--out",
            folder / "out",
            "--quiet",
        )
        said = call(*words)
        again = call(*words, "--json")
    assert said.exit_code == 0, said.output
    assert again.exit_code == 0, again.output
    page = call("report", folder / "out")
    assert page.exit_code == 0, page.output
    return folder / "out", said.stdout, again.stdout, page.stdout


def test_the_terminal_says_what_to_change_first(asked):
    _, said, _, _ = asked
    lines = said.splitlines()
    assert lines[2].startswith("Two changes meet all 5 wishes (6,000 fresh games at 1 table).")
    assert "- Scythia: combat bonus 6 → " in said
    assert "- Petra: cost 10 → " in said
    assert " ".join(VERDICTS.split()) in " ".join(said.split())
    assert re.search(r"^→ +2 +2 +", said, re.MULTILINE), "changes and price are whole"
    assert "Of what the model expected" in said
    assert "random" in said


def test_json_has_the_front(asked):
    _, _, said, _ = asked
    rows = json.loads(said)
    assert rows[0]["changes"] == 0
    assert {"price", "distance", "distance_low", "met", "missed", "open", "wishes", "what"} <= set(rows[0])
    assert sorted(row["price"] for row in rows) == [row["price"] for row in rows]


def test_the_page_has_every_point_with_its_house_rule(asked):
    out, _, _, said = asked
    page = (out / "report" / "report.html").read_text("utf-8")
    front = pd.read_csv(out / "front.csv")
    for point in front["point"][1:]:
        assert f'<a xlink:href="#front-{point}">' in page
        assert f'id="front-{point}"' in page
        rule = yaml_of((out / "report" / f"point-{point}.yaml").read_text("utf-8"), "rule")
        assert set(rule) <= {"leaders", "wonders"}
    assert load_ruleset([out / "report" / "change.yaml"])
    assert VERDICTS in unescape(page)
    assert "Leaders before and after, 4 players: all in their bands" in page
    assert "What to change:\n- Scythia: combat bonus 6 → " in said
    assert re.search(r"met: 5", page)
    assert unreadable_on(out / "report") == []


def test_an_answer_names_all_numbers_of_players_that_it_is_about():
    facts = facts_of({"name": "printed", "digest": "abc"}, [4, 3, 2], 7, ["planner"])
    found = KeptAnswer("goals", "Goals", facts, {})
    assert facts["players"] == "4, 3 and 2"
    assert (found.players, found.counts) == (4, [4, 3, 2])


def test_pages_of_goals_that_the_rules_meet_say_so(tmp_path, monkeypatch):
    known_games(monkeypatch)
    out = tmp_path / "out"
    said = call("goals", goals_file(tmp_path), "--fresh", 6000, "--out", out, "--quiet")
    assert "Change nothing: the rules meet all 5 wishes" in said.stdout
    page = call("report", out)
    assert page.exit_code == 0, page.output
    assert "Change nothing" in page.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--players", "3"), "No such option '--players'"),
        (("--strategies", "quick"), "No such option '--strategies'"),
        (("--box", "terra-incognita"), "box: base, but the rules are those of terra-incognita"),
    ],
)
def test_options_that_the_file_answers_are_refused(tmp_path, words, message):
    said = call("goals", goals_file(tmp_path), *words)
    assert said.exit_code == 2
    assert said.output.count("\n") == 1
    assert message in said.output


def test_ctrl_c_says_where_the_games_are(tmp_path, monkeypatch):
    known_games(monkeypatch, stop=7_000)
    (tmp_path / "spoiled.yaml").write_text(SPOILED, "utf-8")
    words = ("--rules", tmp_path / "spoiled.yaml", "--fresh", 6000, "--out", tmp_path / "out", "--quiet")
    said = call("goals", goals_file(tmp_path), *words)
    assert said.exit_code == 130
    assert "the same command continues" in said.output


@pytest.mark.soak
def test_minutes_are_turned_into_games_once(tmp_path, monkeypatch):
    known_games(monkeypatch)
    monkeypatch.setattr(seek, "PLAYING", 1e-3)
    (tmp_path / "spoiled.yaml").write_text("leaders: {scythia: {abilities: {combat: {amount: 6}}}}\n", "utf-8")
    words = (
        "goals",
        goals_file(tmp_path),
        "--rules",
        tmp_path / "spoiled.yaml",
        "--minutes",
        0.1,
        "--out",
        tmp_path / "out",
    )
    assert call(*words, "--quiet").exit_code == 0
    first = (tmp_path / "out" / "effort.json").read_text("utf-8")
    games = known_games(monkeypatch)
    assert call(*words, "--quiet").exit_code == 0
    assert games.played == 0
    assert (tmp_path / "out" / "effort.json").read_text("utf-8") == first
    assert min(json.loads(first)["effort"].values()) >= stages.FEWEST


def test_rules_new_goals_prints_a_file_and_other_kinds_need_a_name(tmp_path):
    said = call("rules", "new", "goals", "my", "game")
    assert said.exit_code == 0
    assert yaml_of(said.output, "goals")["name"] == "my game"
    said = call("rules", "new", "leader")
    assert said.exit_code == 2
    assert "NAME" in said.output


def test_the_first_screen_answers_in_wishes_with_notes_that_can_be_read():
    """The packaged answer: question, answer, what matters most, what cards then say, a picture of wishes, what next."""
    made = answer_page.build(open_kept(REFERENCE), Path("x"))
    screen = made.first
    assert screen.headline == "Twelve changes bring 96 of 129 wishes, 49 as the rules are; these six matter most"
    assert screen.asked.startswith(
        "Asked: which changes of the printed rules bring the game nearest to the goals “the balanced"
    )
    assert (len(screen.changed), len(screen.rest)) == (6, 6)
    notes = [*screen.changed, *screen.rest]
    assert not [note for note in notes if ": if, " in note]
    said = next(note for note in notes if note.startswith("Populous: "))
    assert said == "Populous: mature cities needed 5 → 2. Now: 2 or more mature cities."
    assert "Egypt: change in the cost of world wonders −1 → −4" in notes
    front = next(section for section in made.sections if section.part.key == "front")
    few = front.frame[front.frame["changes"] == 6].iloc[0]
    assert any(f"Six changes by themselves bring {few['met']} of 129 wishes" in one.text for one in screen.findings)
    picture = made.leading.svg
    assert "wishes met" in picture
    assert "distance" not in picture
    assert screen.steps[0].question.startswith("Would larger changes bring more? Nine numbers went as far as")


def test_where_nothing_helps_the_headline_says_so():
    kept = open_kept(REFERENCE)
    front = kept.tables["front"]
    nothing = front.assign(advised=front["point"] == 0)
    screen = answer_page.build(replace(kept, tables={**kept.tables, "front": nothing}), Path("x")).first
    assert screen.headline == "No change helps: the rules meet 49 of 129 wishes"
    assert screen.changed == []
