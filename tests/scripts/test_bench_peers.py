"""The side-by-side comparison, with a stand-in for the other simulator, which the tests do without."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

from newdawn.scripts.bench import peers as bench_peers


class FakeGame:
    """Ends after ten plies; every other one has an alternative."""

    def __init__(self, players):
        assert len(players) == 4
        self.plies = 0
        self.state = SimpleNamespace(playable_actions=["roll"])

    def winning_color(self):
        return "red" if self.plies == 10 else None

    def play_tick(self):
        self.plies += 1
        self.state.playable_actions = ["roll", "end"] if self.plies % 2 else ["roll"]
        np.sort(np.random.default_rng(0).random(20_000))


@pytest.fixture
def fake(monkeypatch):
    package = SimpleNamespace(Color=range(4), RandomPlayer=lambda color: color, Game=FakeGame, __version__="1")
    monkeypatch.setattr(bench_peers, "catanatron", lambda: package)
    monkeypatch.setattr(bench_peers, "their_version", lambda: "1.0")
    return package


def test_both_are_played_in_turns_and_the_ratio_is_that_of_the_rounds(fake):
    found = bench_peers.measure(rounds=3, seconds=0.01, seed=1)
    assert len(found["ours"]) == len(found["theirs"]) == 3
    assert found["their_share_with_a_choice"] == 0.5
    ratios = np.array(found["ours"]) / np.array(found["theirs"])
    assert found["ratio_least"] == pytest.approx(ratios.min())
    assert found["ratio_low"] <= found["ratio"] <= found["ratio_high"]
    assert found["ratio"] == pytest.approx(np.exp(np.log(ratios).mean()))
    assert "ratio, ours over theirs" in bench_peers.as_text(found)


def test_the_interval_of_a_paired_ratio_holds_the_truth_as_often_as_it_says():
    dice = np.random.default_rng(5)
    held = 0
    for _ in range(1000):
        _, low, high = bench_peers.paired((25 * np.exp(0.2 * dice.standard_normal(8))).tolist())
        held += low <= 25 <= high
    assert 930 <= held <= 970  # 95%: 950 expected, standard deviation 7


def test_without_catanatron_one_line_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "catanatron", None)
    result = CliRunner().invoke(bench_peers.main, [])
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert "error: catanatron is not installed; to compare with it: pip install" in result.output
