"""Coalitions: rivals whose aim is that a leader does not win, what is left of it, and what is said of that."""

import numpy as np
import pytest
from click.testing import CliRunner
from said import unreadable_on

from newdawn.analysis.contests import coalitions as lab
from newdawn.analysis.tables.kept import open_kept
from newdawn.scripts.cli.main import main
from newdawn.simulator import limits
from newdawn.simulator.engine.core import state
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.loading.load import load_ruleset
from newdawn.strategies.learned.lookahead import worth_of
from newdawn.strategies.planning import weights

RULES = load_ruleset().compile()
CHANCES = np.array([0.1, 0.4, 0.3, 0.2, 0.0])


def worth(seat: int, against: int, share: int = lab.WHOLE) -> float:
    """What CHANCES are worth to a seat at a table of the leaders 5, 6, 7, 0."""
    g = np.zeros(1, state.STATE).view(np.recarray)[0]
    g.players, g.leader[:4] = 4, (5, 6, 7, 0)
    g.weights[seat, weights.AGAINST], g.weights[seat, weights.AGAINST_SHARE] = against, share
    return float(worth_of(g, seat, CHANCES))


@pytest.mark.parametrize(
    ("seat", "against", "share", "expected"),
    [
        (0, 0, 1000, 0.1),  # for itself
        (0, 8, 1000, 1 - 0.3),  # against leader 7, in seat 2
        (0, 8, 250, 0.75 * 0.1 + 0.25 * 0.7),
        (3, 1, 1000, 0.2),  # leader 0 is its own
        (0, 3, 1000, 0.1),  # leader 2 is not there
        (0, -1, 1000, 1 - 0.4),  # whoever leads
        (1, -1, 1000, 1 - 0.3),  # of the others
        (0, 1, 1000, 1 - 0.2),
    ],
)
def test_a_position_is_worth_that_the_rival_does_not_win(seat, against, share, expected):
    assert worth(seat, against, share) == pytest.approx(expected)
    assert len(CHANCES) == limits.MAX_PLAYERS


def won(alone: float, against: float, n: int = 4_000) -> lab.Won:
    rng = np.random.default_rng(3)
    return lab.Won((rng.random(n) < alone).astype(float), (rng.random(n) < against).astype(float))


def test_verdicts_are_read_off_the_intervals_of_all_leaders():
    frame = lab.table(
        {"A": won(0.5, 0.35), "B": won(0.4, 0.25, 40_000), "C": won(0.2, 0.1), "D": won(0.3, 0.27), "E": won(0.5, 0.5, 40)}, 4
    )
    assert frame["verdict"].tolist() == [lab.AHEAD, lab.HELD, lab.BELOW, lab.OPEN, lab.OPEN]
    just = lab.table({"A": won(0.3, 0.228, 8_000)}, 4).iloc[0]
    assert just["ahead_all_high"] > -2 > just["ahead_all_low"]
    assert just["verdict"] == lab.HELD  # whether it falls below, nobody asks
    assert frame["small_sample"].tolist() == [False] * 4 + [True]
    for row in frame.to_dict("records"):
        assert row["points"] == pytest.approx(100 * (row["against_rate"] - row["share"]))
        assert row["ahead"] == pytest.approx(100 * (row["against_rate"] - 0.25))
        assert row["ahead_all_low"] < 100 * (row["against_rate_low"] - 0.25)  # five leaders together
        assert (row["verdict"] == lab.AHEAD) == (row["ahead_all_low"] > 2)
        said = lab.sentence(row)
        assert said.startswith(lab.VERDICTS[row["verdict"]].format(leader=row["leader"]))
        assert f"it wins {row['against_rate']:.1%} [" in said
        assert f"{row['share']:.1%} when nobody does (n = {row['n']:,})" in said


def test_leaders_at_their_share_get_no_false_verdict():
    """Winners by lot, eight leaders: hardly a table has one beyond the margin."""
    rng = np.random.default_rng(8)
    false = 0
    for _ in range(100):
        made = {str(k): lab.Won(*(rng.random((2, 400)) < 0.25).astype(float)) for k in range(8)}
        false += bool(lab.table(made, 4)["verdict"].isin((lab.AHEAD, lab.BELOW)).any())
    assert false <= 5


def test_the_pairs_are_played_on_the_same_seeds_and_a_coalition_costs_the_leader():
    one = lab.player("quick")
    found = lab.play(RULES, "Scythia", one, players=3, games=60, seed=4, jobs=2)
    assert found.alone.shape == found.against.shape == (60,)
    assert found.against.mean() < found.alone.mean()
    nobody = lab.play(RULES, "Scythia", one, players=3, games=6, seed=4, share=0)
    assert (nobody.alone == nobody.against).all()
    assert (nobody.alone == found.alone[:6]).all()


def test_who_cannot_look_ahead_plays_against_nobody():
    with pytest.raises(UserError, match="planner: cannot play against a leader; expected a learned player"):
        lab.player("planner")


def test_the_command_keeps_an_answer_with_a_page(tmp_path):
    words = [
        "coalition",
        "--leaders",
        "scythia,Rome",
        "--games",
        "4",
        "--jobs",
        "1",
        "--quiet",
        "--out",
        str(tmp_path / "kept"),
    ]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    frame = open_kept(tmp_path / "kept").tables["coalitions"]
    assert frame["leader"].tolist() == ["Scythia", "Rome"]
    made = CliRunner().invoke(main, ["report", str(tmp_path / "kept"), "--no-page"])
    assert made.exit_code == 0, made.output
    text = (tmp_path / "kept" / "report" / "report.md").read_text("utf-8")
    for row in frame.to_dict("records"):
        assert lab.sentence(row) in text
    assert unreadable_on(tmp_path / "kept" / "report") == []
    result = CliRunner().invoke(main, ["coalition", "--leaders", "Sythia"])
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert "did you mean 'Scythia'?" in result.output
