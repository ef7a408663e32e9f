"""How good a player's chances are: the tables are of its own games, and a planner has none."""

import pandas as pd
import pytest
from click.testing import CliRunner

from newdawn.scripts.checks.win_chances import ONE_IN, main


def test_losses_and_calibration_are_of_the_players_own_games(tmp_path):
    words = ["--players", "2", "--games", "30", "--seed", "5", "--out", str(tmp_path / "chances")]
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    losses = pd.read_csv(tmp_path / "chances" / "loss.csv").set_index("rounds")
    calibration = pd.read_csv(tmp_path / "chances" / "calibration.csv")
    positions = int(losses.loc["all", "n"])
    assert 30 * 10 * 2 / ONE_IN < positions < 30 * 40 * 2 / ONE_IN
    assert calibration["n"].sum() == 2 * positions
    assert losses.loc["all", "log_loss"] < losses.loc["all", "uniform"] == pytest.approx(0.693, abs=0.001)
    won = (calibration["won"] * calibration["n"]).sum()
    assert won == pytest.approx(positions)
    assert (tmp_path / "chances" / "calibration.png").stat().st_size > 1_000


@pytest.mark.parametrize(("name", "words"), [("planner", "has no network"), ("quik", "did you mean 'quick'?")])
def test_players_without_a_network_are_refused(tmp_path, name, words):
    result = CliRunner().invoke(main, ["--strategy", name, "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert words in result.output
