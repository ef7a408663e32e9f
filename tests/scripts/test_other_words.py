"""Small things that a user reads: one is, many are; what is wrong with arguments before a library that is missing."""

import pandas as pd
import pytest
from click.testing import CliRunner

from newdawn.analysis.questions.sensitivity import counts
from newdawn.analysis.stats.verdicts import Verdict, verdict_columns
from newdawn.analysis.tables.targets import MOVED
from newdawn.scripts.cli.main import main
from newdawn.simulator.replay import interactive_game


@pytest.mark.parametrize(
    ("n", "matter", "small", "unknown"),
    [(1, "1 of 3 differences matters", "1 is too small to matter", "1 is undecided"),
     (2, "2 of 6 differences matter,", "2 are too small to matter", "2 are undecided")],
)  # fmt: skip
def test_one_is_and_many_are(n, matter, small, unknown):
    said = counts(pd.DataFrame(verdict_columns([Verdict.FAR_BELOW, Verdict.WITHIN, Verdict.UNDECIDED] * n, MOVED)))
    assert matter in said
    assert small in said
    assert unknown in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seats", "me,nobody"], "unknown strategy 'nobody'"),
        (["--leader", "Nobody"], "unknown leader 'Nobody'"),
        (["--seats", "quick,quick"], "no person plays"),
        (["--continue", "nowhere.json"], "nowhere.json"),
        (["--html", "x.html"], "needs a saved game"),
        (["--rules", "nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_wrong_arguments_of_play_are_told_before_a_missing_library_is(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(interactive_game, "greenlet", None)
    result = CliRunner().invoke(main, ["play", "--no-open", *arguments])
    assert result.exit_code == 2
    assert said in result.output
    assert "greenlet" not in result.output


def test_a_page_to_watch_makes_no_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["replay", "--seed", "1", "--html", "nowhere/game.html"])
    assert (result.exit_code, "there is no folder 'nowhere'" in result.output) == (2, True)
    assert list(tmp_path.iterdir()) == []
