"""Answers that commands keep, and their pages: what changes, by how much, how sure, for whom."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from newdawn.analysis.report import comparisons
from newdawn.analysis.tables.kept import FILE, Kept, keep, open_kept
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError

SMALL = ["--players", "2", "--strategies", "random", "--round-cap", "6", "--jobs", "1", "--quiet"]
ASKED = {
    "compare": ["compare", "printed", "cheaper_wonders", "--games", "12", *SMALL],
    "ban": ["experiment", "ban", "wonder", "petra", "--games", "12", *SMALL],
    "experiment": ["experiment", "grant", "--wonder", "petra,Big Ben", "--games", "12", *SMALL],
    "tune": ["tune", "--parameter", "wonders.petra.cost", "--target", "game-length=5", "--range", "6:7", "--games", "8",
             "--fresh", "8", *SMALL],
    "balance": ["balance", "--target", "game-length=9", "--parameters", "victory_cards.rules.base.cards_in_play",
                "--levers", "1", "--screen", "20", "--games", "20", "--fresh", "20", "--players", "2",
                "--strategies", "opportunist", "--jobs", "1", "--quiet"],
    "sensitivity": ["sensitivity", "--parameters", "wonders.petra.*", "--games", "8", *SMALL],
    "ladder": ["ladder", "--strategies", "random,autoplayer", "--players", "2", "--games", "30", "--jobs", "1", "--quiet"],
    "against": ["ladder", "--strategies", "autoplayer", "--against", "random", "--players", "2", "--games", "12", "--jobs", "1",
                "--quiet"],
}  # fmt: skip


def newdawn(*arguments):
    return CliRunner().invoke(main, [str(word) for word in arguments])


@pytest.mark.parametrize("command", ASKED)
def test_an_answer_has_a_page(command, tmp_path):
    asked = newdawn(*ASKED[command], "--out", tmp_path / "answer")
    assert asked.exit_code == 0, asked.output
    kept = open_kept(tmp_path / "answer")
    assert kept.command == command
    made = newdawn("report", tmp_path / "answer")
    assert made.exit_code == 0, made.output
    page = (tmp_path / "answer" / "report" / "report.html").read_text("utf-8")
    assert '<span class="badge">Base game</span>' in page
    assert "All of this holds for games between players of the strategies" in page
    assert (tmp_path / "answer" / "report" / "report.md").is_file()
    again = newdawn(*ASKED[command], "--out", tmp_path / "answer")
    assert again.exit_code == 0, again.output  # what is ours is written anew


def test_kept_tables_are_whole(tmp_path):
    assert newdawn(*ASKED["compare"], "--out", tmp_path).exit_code == 0
    described = json.loads((tmp_path / FILE).read_text())
    assert described["tables"] == ["differences"]
    assert described["facts"]["compared"] == "12 games under each"
    frame = pd.read_csv(tmp_path / "differences.csv")
    assert {"figure", "a", "b", "difference_all_low", "p_adjusted", "n_a", "verdict"} <= set(frame.columns)
    assert len(json.loads((tmp_path / "differences.json").read_text())) == len(frame)


def test_nobody_elses_file_is_lost_and_nothing_is_played_first(tmp_path):
    (tmp_path / "differences.csv").write_text("mine")
    asked = newdawn(*ASKED["compare"], "--out", tmp_path)
    assert asked.exit_code == 2
    assert asked.output.count("\n") == 1
    assert "differences.csv: is there already, and not written by newdawn" in asked.output
    assert (tmp_path / "differences.csv").read_text() == "mine"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "cannot be read as what newdawn keeps of an answer"),
        ('{"version": 7}', "kept by another version of newdawn"),
        ('{"version": 1}', "cannot be read as what newdawn keeps"),
    ],
)
def test_a_damaged_answer_is_said_in_one_line(tmp_path, content, message):
    (tmp_path / FILE).write_text(content)
    made = newdawn("report", tmp_path)
    assert made.exit_code == 2
    assert message in made.output
    assert made.output.count("\n") == 1


def test_an_answer_of_another_kind(tmp_path):
    keep(tmp_path, Kept("poll", "A poll", {}, {}))
    with pytest.raises(UserError, match="an answer of 'poll'; expected one of compare"):
        comparisons.build(open_kept(tmp_path), tmp_path)


def test_tables_of_another_version_are_said_in_one_line(tmp_path):
    """Ratings were once judged by Holm, without intervals that hold together."""
    ratings = pd.DataFrame({"strategy": ["planner"], "n": [9], "rating": [1.0], "p_holm": [0.1]})
    with pytest.raises(UserError, match=r"no column 'p_adjusted', so another version .*: ask again with `newdawn ladder`"):
        comparisons.build(Kept("ladder", "x", {}, {"ratings": ratings}), tmp_path)


def differences(**columns):
    frame = pd.DataFrame(
        {
            "group": ["leaders", "leaders", "game"], "figure": ["win rate of Rome", "win rate of Egypt", "rounds"],
            "a": [0.2, 0.3, 17.0], "b": [0.3, 0.29, 16.0], "difference": [0.1, -0.01, -1.0],
            "difference_all_low": [0.05, -0.04, -1.4], "difference_all_high": [0.15, 0.02, -0.6],
            "p_adjusted": [1e-5, 1.0, 0.001], "n_a": [900, 900, 1000], "n_b": [900, 900, 1000], "verdict": ["B", "", "A"],
        }
    )  # fmt: skip
    return frame.assign(**columns)


def test_sentences_agree_with_their_rows():
    kept = Kept("compare", "B against A", {"strategies": "planner"}, {"differences": differences()})
    made = comparisons.build(kept, Path("x"))
    said = [finding.text for finding in made.first.findings]
    assert (
        said
        == [
            "rounds: 17.0 → 16.0, −1.0 [−1.4, −0.6] rounds (n = 1,000).",
            "win rate of Rome: 20.0% → 30.0%, +10.0 [+5.0, +15.0] points (n = 900).",
        ][:: 1 if made.first.findings[0].text.startswith("rounds") else -1]
    )
    assert [(one.words, one.names) for one in made.first.verdicts] == [("wins more", ["Rome"]), ("not told", ["Egypt"])]
    nothing = differences(p_adjusted=np.nan, difference=np.nan)
    kept = Kept("compare", "B against A", {}, {"differences": nothing.assign(difference=[0.0, 0.0, 0.0], p_adjusted=1.0)})
    made = comparisons.build(kept, Path("x"))
    assert [finding.certainty for finding in made.first.findings] == ["open"]
