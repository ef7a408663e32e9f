"""Goals held against players who have adapted: who learns, which verdicts stand, and what the page says of it."""

import pytest
from click.testing import CliRunner
from said import unreadable_on
from wished import GOALS, PRINTED, goals_file, goals_of, known_games

from newdawn.analysis.goals import seek
from newdawn.analysis.goals.seek import seek as goals_seek
from newdawn.analysis.goals.stages import GoalsEffort
from newdawn.analysis.stats.verdicts import Verdict, verdict_of
from newdawn.analysis.tables.kept_answers import open_kept
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError

EFFORT = GoalsEffort(screen=300, refine=600, race=600, fresh=6_000)

MET, OPEN, HIGH, LOW = Verdict.WITHIN, Verdict.UNDECIDED, Verdict.FAR_ABOVE, Verdict.FAR_BELOW


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (MET, MET, seek.STANDS),
        (HIGH, HIGH, seek.STANDS),
        (HIGH, LOW, seek.CHANGED),
        (MET, LOW, seek.CHANGED),
        (LOW, MET, seek.CHANGED),
        (MET, OPEN, seek.UNSURE),
        (OPEN, HIGH, seek.UNSURE),
        (OPEN, OPEN, seek.UNSURE),
    ],
)
def test_a_verdict_stands_if_both_players_give_the_same_one(before, after, expected):
    assert seek.stands(before, after) == expected


def test_the_first_way_of_the_goals_that_can_learn_learns(tmp_path, monkeypatch):
    known_games(monkeypatch)
    sought = goals_seek(goals_of(tmp_path, text="ways: [planner]\nothers: [adept, thinker]\n" + GOALS), PRINTED, effort=EFFORT)
    assert seek.learner(sought).name == "adept"
    sought = goals_seek(goals_of(tmp_path, text="ways: [planner]\nothers: [random]\n" + GOALS), PRINTED, effort=EFFORT)
    assert seek.learner(sought).name == seek.USUAL
    monkeypatch.setattr(seek, "USUAL", "warrior")
    with pytest.raises(UserError, match=r"--adapt: none of planner can learn; expected one of .*quick"):
        seek.learner(sought)


@pytest.mark.soak
def test_the_page_says_which_verdicts_stand(tmp_path, monkeypatch):
    known_games(monkeypatch)
    (tmp_path / "spoiled.yaml").write_text("wonders: {petra: {cost: 10}}\n", "utf-8")
    goals = goals_file(tmp_path, "others: [random]\nbudget: {{games: 30000}}\n" + GOALS)
    out = tmp_path / "out"
    typed = ["goals", goals, "--rules", tmp_path / "spoiled.yaml", "--fresh", 6000, "--out", out, "--quiet"]
    typed += ["--adapt", "--adapt-games", 20, "--training", tmp_path / "training"]
    result = CliRunner().invoke(main, [str(word) for word in typed])
    assert result.exit_code == 0, result.output
    frame = open_kept(out).tables["adapted"]
    assert set(frame["stands"]) <= {seek.STANDS, seek.CHANGED, seek.UNSURE}
    assert (frame["way"] == "quick, trained").all()
    assert len(frame) == 5
    for row in frame.to_dict("records"):
        assert row["stands"] == seek.stands(verdict_of(row, "before_verdict"), verdict_of(row))
    assert list((tmp_path / "training").rglob("adapted_quick.yaml"))
    made = CliRunner().invoke(main, ["report", str(out)])
    assert made.exit_code == 0, made.output
    said = seek.adapted_words(frame)
    assert said in result.output
    assert said in (out / "report" / "report.md").read_text("utf-8")
    assert unreadable_on(out / "report") == []
