"""Coalitions: rivals whose aim is that a leader does not win, what is left of it, and what is said of that."""

import numpy as np
import pytest
from click.testing import CliRunner
from said import unreadable, unreadable_on

from newdawn.analysis.questions import coalition as lab
from newdawn.analysis.stats.verdicts import for_reading, verdict_of
from newdawn.analysis.tables.kept_answers import open_kept
from newdawn.scripts.cli.main import main
from newdawn.simulator.engine import state
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies.learned.lookahead import worth_of
from newdawn.strategies.learned.value import new_evaluation
from newdawn.strategies.planning import weights

RULES = load_ruleset().compile()
SEEN = new_evaluation()
SEEN.chances[:] = 0.1, 0.4, 0.3, 0.2, 0.0


def worth(seat: int, against: int, share: int = lab.WHOLE) -> float:
    """What the chances SEEN are worth to a seat at a table of the leaders 5, 6, 7, 0."""
    g = np.zeros(1, state.STATE).view(np.recarray)[0]
    g.players, g.leader[:4] = 4, (5, 6, 7, 0)
    g.weights[seat, weights.AGAINST], g.weights[seat, weights.AGAINST_SHARE] = against, share
    return float(worth_of(g, seat, SEEN))


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


def won(alone: float, against: float, n: int = 4_000) -> lab.CoalitionWins:
    rng = np.random.default_rng(3)
    return lab.CoalitionWins((rng.random(n) < alone).astype(float), (rng.random(n) < against).astype(float))


def test_verdicts_are_read_off_the_intervals_of_all_leaders():
    frame = lab.table(
        {"A": won(0.5, 0.35), "B": won(0.4, 0.25, 40_000), "C": won(0.2, 0.1), "D": won(0.3, 0.27), "E": won(0.5, 0.5, 40)}, 4
    )
    told = ["too strong", "balanced", "too weak", "above, size unclear", "not compared"]
    assert frame["verdict"].tolist() == told
    assert frame["effect"].tolist() == ["lowered", "lowered", "lowered", "lowered, size unclear", "not compared"]
    assert frame["small_sample"].tolist() == [False] * 4 + [True]
    for row in frame.to_dict("records"):
        assert row["points"] == pytest.approx(100 * (row["against_rate"] - row["share"]))
        assert row["ahead"] == pytest.approx(100 * (row["against_rate"] - 0.25))
        assert row["ahead_all_low"] < 100 * (row["against_rate_low"] - 0.25)  # five leaders together
        assert (row["verdict"] == "too strong") == (row["ahead_all_low"] > 2 and not row["small_sample"])
        said, does = lab.sentence(row), lab.effect(row)
        assert said.startswith(lab.STANDS[verdict_of(row)].format(leader=row["leader"]))
        assert f"it wins {row['against_rate']:.1%} [" in said
        assert said.endswith(f"(n = {row['n']:,}).")
        assert f"{row['share']:.1%}" in does
        assert ("[" in does) == (row["effect"] != "not compared")
        assert "can hold" not in said + does
        assert unreadable([said, does]) == []


def test_a_coalition_that_changes_nothing_holds_nobody():
    """Who wins its share anyway is not held to it: where no win changes, that is what is said."""
    same = won(0.25, 0.25, 40_000).alone
    (row,) = lab.table({"Aztec": lab.CoalitionWins(same, same)}, 4).to_dict("records")
    assert row["verdict"] == "balanced"
    assert row["effect"] == "unchanged"
    assert lab.sentence(row).startswith("Aztec stays within the margin of its share when all play against it: it wins ")
    assert lab.effect(row).startswith("That is no more than the margin away from the ")


def test_games_that_nobody_won_do_not_count():
    half = np.where(np.arange(400) % 2, np.nan, 1.0)
    (row,) = lab.table({"Aztec": lab.CoalitionWins(half, half)}, 4).to_dict("records")
    assert (row["n"], row["share"], row["against_rate"]) == (200, 1, 1)


def test_the_table_has_columns_on_unfinished_games_only_if_there_are_any():
    done = np.arange(400) % 2.0
    for cut, shown in ((done, False), (np.where(np.arange(400) < 9, np.nan, done), True)):
        frame = for_reading(lab.table({"Aztec": lab.CoalitionWins(done, cut)}, 4))
        assert any(name.startswith("unfinished") for name in frame) == shown


@pytest.mark.calibration
def test_leaders_at_their_share_get_no_false_verdict():
    """Winners by lot, eight leaders: hardly a table has one beyond the margin."""
    rng = np.random.default_rng(8)
    false = 0
    for _ in range(100):
        made = {str(k): lab.CoalitionWins(*(rng.random((2, 400)) < 0.25).astype(float)) for k in range(8)}
        false += bool(lab.table(made, 4)["verdict"].isin(("too strong", "too weak")).any())
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
