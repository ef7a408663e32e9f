"""Answers that commands keep, and their pages: what changes, by how much, how sure, for whom."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from newdawn.analysis.pages.cells import points
from newdawn.analysis.report import answer_page
from newdawn.analysis.report.page import html
from newdawn.analysis.stats.verdicts import CHANGE, RATING, Verdict, verdict_cells, verdict_columns
from newdawn.analysis.tables.kept_answers import KeptAnswer, keep, open_kept
from newdawn.scripts.cli import shared
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError, with_sign
from newdawn.simulator.kept_files import FINDINGS

SMALL = ["--players", "2", "--strategies", "random", "--round-cap", "6", "--jobs", "1", "--quiet"]
ASKED = {
    "compare": ["compare", "printed", "cheaper_wonders", "--games", "12", *SMALL],
    "compare variants": ["compare", "printed", "cheaper_wonders", "weaker_scythia", "--games", "12", *SMALL],
    "compare --players": ["compare", "printed", "cheaper_wonders", "--games", "12", *SMALL, "--players", "2,3"],
    "experiment --players": ["experiment", "grant", "--wonder", "petra", "--games", "12", *SMALL, "--players", "2,3"],
    "run --players": ["run", "--games", "12", *SMALL, "--players", "2,3"],
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


HYPHEN = re.compile(r"(?<![\w.,/`-])-\d")  # where a minus sign belongs


def newdawn(*arguments, columns=None):
    return CliRunner(env={"COLUMNS": columns and str(columns)}).invoke(main, [str(word) for word in arguments])


def beyond_a_screen(printed):
    """Return the lines that a terminal of 25 lines and 80 columns does not show."""
    lines = printed.splitlines()
    return lines[25:] + [line for line in lines if len(line) > 80]


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
    assert "All of this holds for games played by " in page
    for text in (asked.output, (tmp_path / "answer" / "report" / "report.md").read_text("utf-8")):
        assert not HYPHEN.search(text), HYPHEN.search(text)
    by = {"ban": "experiment ban", "against": "ladder"}.get(command, command)
    for reader in ("leaders", "verify"):  # who takes it for a run is told what it is, and who reads it
        taken = newdawn(reader, tmp_path / "answer")
        assert (taken.exit_code, taken.output.count("\n")) == (2, 1)
        assert f"answer: holds an answer of `newdawn {by}`, not games of `newdawn run`" in taken.output
        assert f"; `newdawn report {tmp_path / 'answer'}` makes its page" in taken.output
    again = newdawn(*ASKED[command], "--out", tmp_path / "answer", columns=80)
    assert again.exit_code == 0, again.output  # what is ours is written anew
    assert beyond_a_screen(again.stdout) == []


OF_LEARNED = ["--games", "4", "--players", "2", "--jobs", "1", "--quiet"]
WHO_PLAYS = ASKED | {
    "restrict": ["restrict", "--player", "planner", "--without", "attacks", *OF_LEARNED],
    "beside": ["restrict", "--player", "planner", "--without", "attacks", "--rules", "no_barbarians", "--beside", "printed",
               *OF_LEARNED],
    "coalition": ["coalition", "--leaders", "Rome", *OF_LEARNED],
    "ways": ["ways", "--strategies", "random,autoplayer", *OF_LEARNED],
    "compare --ways": ["compare", "printed", "cheaper_wonders", "--ways", "random,autoplayer", *OF_LEARNED],
}  # fmt: skip
OTHERS = {"balance": "opportunist", "restrict": "planner", "beside": "planner", "coalition": "quick"}  # who played not `random`


@pytest.mark.parametrize("command", sorted(WHO_PLAYS.keys() - {"ladder", "against"}))  # whose rows are the players
def test_an_answer_says_who_played(command, tmp_path, monkeypatch):
    """In its first lines: a finding holds for these players."""
    monkeypatch.chdir(tmp_path)
    asked = CliRunner().invoke(main, [str(word) for word in WHO_PLAYS[command]])
    assert asked.exit_code == 0, asked.output
    assert OTHERS.get(command, "random") in " ".join(asked.stdout.splitlines()[:8])


def test_a_question_names_its_command_and_its_tables():
    """A command that names them as well keeps an answer that the question's page does not find, once they differ."""
    named = r"^(?:[A-Z_]+, )*[A-Z_]*(?:COMMAND|TABLES?)\b.* = "
    files = Path(shared.__file__).parent.glob("*.py")
    assert [file.name for file in files if re.search(named, file.read_text("utf-8"), re.M)] == []


def test_the_name_of_a_kept_table_is_written_once():
    """Where it is declared; whoever keeps or reads the table says the declared name."""
    read, kept = r'tables(?:\.get\(|\[)"\w|"\w+" in (?:\w+\.)?tables\b', r'check_answer\(\w+, \[?"|plans?(?:\[1\])?, \{"'
    written = re.compile(f"{read}|{kept}")
    top = Path(shared.__file__).parents[2]
    files = [file for folder in ("analysis/questions", "analysis/goals", "analysis/report", "scripts/cli")
             for file in sorted((top / folder).glob("*.py"))]  # fmt: skip
    assert [(file.name, found[0]) for file in files if (found := written.search(file.read_text("utf-8")))] == []


def test_kept_tables_are_whole(tmp_path):
    assert newdawn(*ASKED["compare"], "--out", tmp_path).exit_code == 0
    described = json.loads((tmp_path / FINDINGS).read_text())
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
    assert "differences.csv: already exists and was not written by newdawn" in asked.output
    assert (tmp_path / "differences.csv").read_text() == "mine"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "cannot be read as what newdawn keeps of an answer"),
        ('{"version": 7}', "kept by another version of newdawn"),
        ('{"version": 2}', "kept by another version of newdawn (2); expected 3; the command that found it, given again"),
        ('{"version": 3}', "which cannot be checked"),
    ],
)
def test_a_damaged_answer_is_said_in_one_line(tmp_path, content, message):
    (tmp_path / FINDINGS).write_text(content)
    made = newdawn("report", tmp_path)
    assert made.exit_code == 2
    assert message in made.output
    assert made.output.count("\n") == 1


@pytest.mark.parametrize("content", ["{", "[]", '{"command": ["x"]}', "{}"])
def test_a_damaged_answer_is_no_run_either(tmp_path, content):
    (tmp_path / FINDINGS).write_text(content)
    taken = newdawn("leaders", tmp_path)
    assert (taken.exit_code, taken.output.count("\n")) == (2, 1)


def test_an_answer_of_another_kind(tmp_path):
    keep(tmp_path, KeptAnswer("poll", "A poll", {}, {}))
    with pytest.raises(UserError, match="an answer of 'poll'; expected one of compare"):
        answer_page.build(open_kept(tmp_path), tmp_path)


def test_tables_of_another_version_are_said_in_one_line(tmp_path):
    """Ratings were once judged by Holm, without intervals that hold together."""
    ratings = pd.DataFrame({"strategy": ["planner"], "n": [9], "rating": [1.0], "p_holm": [0.1]})
    with pytest.raises(UserError, match=r"no column 'verdict', so another version .*: ask again with `newdawn ladder`"):
        answer_page.build(KeptAnswer("ladder", "x", {}, {"ratings": ratings}), tmp_path)


def differences(**columns):
    frame = pd.DataFrame(
        {
            "group": ["leaders", "leaders", "game"], "figure": ["win rate of Rome", "win rate of Egypt", "rounds"],
            "a": [0.2, 0.3, 17.0], "b": [0.3, 0.29, 16.0], "difference": [0.1, -0.01, -1.0],
            "difference_all_low": [0.05, -0.04, -1.4], "difference_all_high": [0.15, 0.02, -0.6],
            "p_adjusted": [1e-5, 1.0, 0.001], "n_a": [900, 900, 1000], "n_b": [900, 900, 1000], "n": [900, 900, 1000],
            "margin": [0.02, 0.02, 1.0], **verdict_columns([Verdict.FAR_ABOVE, Verdict.UNDECIDED, Verdict.BELOW], CHANGE),
            "certainty": ["strong", "open", "shown"], "games_fewest": [np.nan, 5200, 2000],
            "games_most": [np.nan, np.inf, np.inf], "small_sample": False,
        }
    )  # fmt: skip
    return frame.assign(**columns)


def test_sentences_agree_with_their_rows():
    kept = KeptAnswer("compare", "B against A", {"strategies": "planner"}, {"differences": differences()})
    made = answer_page.build(kept, Path("x"))
    said = [finding.text for finding in made.first.findings]
    assert said == [
        "The figure of the game changed: the rounds, 17.0 → 16.0, −1.0 [−1.4, −0.6] rounds (n = 1,000).",
        "1 of 2 leaders' win rates changed: the win rate of Rome, 20.0% → 30.0%, +10.0 [+5.0, +15.0] points (n = 900).",
    ]
    assert made.first.headline == "Changed: games last 16 rounds instead of 17; 1 of 2 leaders win more or less"
    # By verdict and size, what does not change folded away; what was printed in a terminal stays there.
    assert [section.part.key for section in made.sections] == ["differences-game", "differences-leaders"]
    leaders = made.sections[1]
    assert [(row[0].text, folded) for row, folded in zip(leaders.rows, leaders.folded, strict=True)] == [
        ("win rate of Rome", False), ("win rate of Egypt", True),
    ]  # fmt: skip
    assert "games under each, on the same seeds" not in html(made)
    assert [(one.words, one.names) for one in made.first.verdicts] == [("raised", ["Rome"]), ("undecided", ["Egypt"])]
    assert [finding.certainty for finding in made.first.findings] == ["shown", "strong"]
    needed = {"games_fewest": [9000, 11_000, 2000], "games_most": np.inf}
    nothing = differences(**verdict_cells(Verdict.UNDECIDED, CHANGE), certainty="open", difference=0.0, **needed)
    kept = KeptAnswer("compare", "B against A", {"strategies": "planner"}, {"differences": nothing}, box="base",
                line="newdawn compare printed mine.yaml --games 1000 --out kept")  # fmt: skip
    made = answer_page.build(kept, Path("x"))
    assert [finding.certainty for finding in made.first.findings] == ["open", "open"]
    assert made.first.findings[0].text.startswith("None of the two leaders' win rates changed measurably; with 1,000 games")
    assert made.first.findings[0].text.endswith(
        "changes up to 4–15 points could be missed. At least 11,000 games would decide all of them."
    )
    step, *_ = made.first.steps
    assert step.question == "Would more games decide what is open about the leaders? At least 11,000 games would."
    assert step.command == "newdawn compare printed mine.yaml --out kept --games 11000"


def test_a_comparison_on_other_seeds_does_not_say_that_they_are_the_same(tmp_path):
    for name, more in (("same", []), ("other", ["--other-seed", "2"])):
        asked = newdawn(*ASKED["compare"], *more, "--out", tmp_path / name)
        assert asked.exit_code == 0, asked.output
        assert newdawn("report", tmp_path / name).exit_code == 0
    same, other = ((tmp_path / name / "report" / "report.md").read_text("utf-8") for name in ("same", "other"))
    assert "the same seeds" in same
    assert "same seeds" not in other
    assert "were played on other seeds" in other
    assert other.count("What B changes against A, on other seeds.") == same.count(
        "What B changes against A, on the same seeds."
    )


def test_a_strategy_that_never_won_has_no_rating_on_the_page():
    ratings = pd.DataFrame(
        {
            "strategy": ["planner", "quick", "random"], "n": [400, 400, 400], "rating": [20.0, -20.0, np.nan],
            "rating_all_low": [5.0, -35.0, np.nan], "rating_all_high": [35.0, -5.0, np.nan], "p_adjusted": [0.01, 0.01, np.nan],
            "win_rate": [0.5, 0.4, 0.0], "win_rate_low": [0.4, 0.3, 0.0], "win_rate_high": [0.6, 0.5, 0.01],
            "rank_best": [1, 2, np.nan], "rank_worst": [1, 2, np.nan], "small_sample": [False, False, True],
            **verdict_columns([Verdict.ABOVE, Verdict.BELOW, Verdict.NOT_COMPARED], RATING),
            "certainty": ["shown", "shown", "untested"], "games_fewest": np.nan, "games_most": np.nan,
        }
    )  # fmt: skip
    said = [
        one.text for one in answer_page.build(KeptAnswer("ladder", "x", {}, {"ratings": ratings}), Path("x")).first.findings
    ]
    assert not any("nan" in text for text in said)
    assert said[-1] == "random never won and has no rating (n = 400)."


def test_what_came_first_in_a_search_is_not_called_the_best(tmp_path):
    """Fresh games say what is good: what they call worse than the rules had been 'best'."""
    asked = newdawn(*ASKED["tune"], "--out", tmp_path)
    assert asked.exit_code == 0, asked.output
    kept = open_kept(tmp_path)
    roles = set(kept.tables["confirmed"]["role"])
    assert roles <= {"rules", "first in the search", "second in the search", "rules and first in the search",
                     "rules and second in the search"}  # fmt: skip
    assert newdawn("report", tmp_path).exit_code == 0
    assert "best" not in (tmp_path / "report" / "report.md").read_text("utf-8").replace(
        "that fell behind early, more for the best", ""
    )


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [(0.04, 1, "0.0"), (-0.04, 1, "0.0"), (0.0, 2, "0.00"), (-0.0, 2, "0.00"), (-0.06, 1, "−0.1"), (12.34, 1, "+12.3")],
)
def test_a_change_rounded_to_nothing_has_no_sign(value, digits, said):
    assert with_sign(value, digits) == said
    if digits == 1:
        assert points(value) == said  # pages write the same
