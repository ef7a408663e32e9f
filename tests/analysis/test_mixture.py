"""The mixture that no strategy beats, on tables whose answer is known, and alpha-rank beside it."""

import numpy as np
import pandas as pd
import pytest
from scipy import special

from newdawn.analysis.tables import strategy_strength as strength

CIRCLE = 0.7 * np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])  # rock, scissors, paper
WEAK = np.array([[0, 1, 2], [-1, 0, 0.5], [-2, -0.5, 0]])


def planted(shares):
    """A table whose only unbeaten mixture has these three shares."""
    a, b, c = shares
    return np.array([[0, c, -b], [-c, 0, a], [b, -a, 0]])


@pytest.mark.parametrize(
    ("advantage", "shares"),
    [
        pytest.param(CIRCLE, [1 / 3] * 3, id="a circle"),
        pytest.param(WEAK, [1, 0, 0], id="one beats all"),
        pytest.param(WEAK[::-1, ::-1], [0, 0, 1], id="the last beats all"),
        pytest.param(np.zeros((4, 4)), [1 / 4] * 4, id="all alike"),
        pytest.param(planted([0.5, 0.3, 0.2]), [0.5, 0.3, 0.2], id="planted"),
        pytest.param(CIRCLE[np.ix_([0, 0, 1, 2], [0, 0, 1, 2])], [1 / 6, 1 / 6, 1 / 3, 1 / 3], id="a copy changes nothing"),
        pytest.param(
            CIRCLE[np.ix_([0, 0, 0, 1, 2, 2], [0, 0, 0, 1, 2, 2])],
            [1 / 9, 1 / 9, 1 / 9, 1 / 3, 1 / 6, 1 / 6],
            id="several copies",
        ),
    ],
)
def test_known_tables(advantage, shares):
    assert strength.unbeaten(advantage) == pytest.approx(shares, abs=1e-5)


def test_one_beaten_by_the_whole_circle_has_no_share():
    advantage = np.zeros((4, 4))
    advantage[:3, :3] = CIRCLE
    advantage[:3, 3], advantage[3, :3] = 0.2, -0.2
    assert strength.unbeaten(advantage) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-5)
    assert strength.alpha_rank(special.expit(advantage))[3] < 0.01


@pytest.mark.parametrize("n", [2, 5, 9, 16])
def test_nobody_has_an_advantage_over_the_mixture(n):
    rng = np.random.default_rng(n)
    for _ in range(5):
        advantage = rng.normal(size=(n, n))
        advantage -= advantage.T
        shares = strength.unbeaten(advantage)
        assert shares.min() >= 0
        assert shares.sum() == pytest.approx(1)
        assert (advantage @ shares).max() < 1e-6


def test_of_all_unbeaten_mixtures_it_is_the_most_even():
    advantage = np.zeros((4, 4))  # the first two beat the last two, and are alike
    advantage[:2, 2:], advantage[2:, :2] = 1, -1
    assert strength.unbeaten(advantage) == pytest.approx([0.5, 0.5, 0, 0], abs=1e-5)


@pytest.mark.parametrize(("advantage", "shares"), [(CIRCLE, [1 / 3] * 3), (WEAK, [1, 0, 0]), (np.zeros((3, 3)), [1 / 3] * 3)])
def test_alpha_rank_of_known_tables(advantage, shares):
    assert strength.alpha_rank(special.expit(advantage)) == pytest.approx(shares, abs=1e-3)


def test_alpha_rank_of_two_is_that_of_its_formula():
    """Two strategies take over from each other by the chances of fixation, so their shares are as these."""
    ahead = 0.004
    won = np.array([[0.5, 0.5 + ahead / 2], [0.5 - ahead / 2, 0.5]])
    u = strength.SELECTION * ahead
    up, down = ((1 - np.exp(-s)) / (1 - np.exp(-strength.POPULATION * s)) for s in (u, -u))
    assert strength.alpha_rank(won) == pytest.approx([up / (up + down), down / (up + down)])


def games_of(wins: np.ndarray, each: int) -> pd.DataFrame:
    """Games of two: of each pair `each`, of which the row wins so many."""
    rows = []
    for one in range(len(wins)):
        for other in range(one):
            for k in range(each):
                row = np.full(len(wins), np.nan)
                row[one], row[other] = (1, 0) if k < wins[one, other] else (0, 1)
                rows.append(row)
    return pd.DataFrame(rows, columns=[f"s{k}" for k in range(len(wins))])


def test_wins_of_games_become_odds_and_shares_with_intervals():
    wins = np.array([[0, 60, 40], [40, 0, 60], [60, 40, 0]])
    won = games_of(wins, 100)
    assert (strength.meetings(won.to_numpy()) - np.diag([200.0 - 100] * 3) == wins).all()
    found = strength.mixture(won)
    assert found["share"].to_numpy() == pytest.approx([1 / 3] * 3, abs=1e-5)
    assert found["n"].tolist() == [200] * 3
    assert found["against"].to_numpy() == pytest.approx([0.5] * 3, abs=1e-5)
    assert (found["share_low"] < 0.31).all()
    assert (found["share_high"] > 0.36).all()
    assert found["share_mean"].sum() == pytest.approx(1)
    surer = strength.mixture(games_of(10 * wins, 1000))
    assert (surer["share_high"] - surer["share_low"] < found["share_high"] - found["share_low"]).all()
    pd.testing.assert_frame_equal(found, strength.mixture(won))


def test_strategies_that_never_met_have_no_mixture():
    won = pd.DataFrame([[1.0, 0.0, np.nan], [np.nan, 1.0, 0.0]], columns=["a", "b", "c"])
    assert strength.mixture(won).empty
    assert list(strength.mixture(won)) == list(strength.COLUMNS)


def test_one_who_never_won_has_finite_odds():
    found = strength.mixture(games_of(np.array([[0, 30], [0, 0]]), 30))
    assert found["share"].tolist() == [1, 0]
    assert 0 < found["against"][1] < 0.05


@pytest.mark.parametrize(
    ("means", "size", "expected"),
    [
        ([0.5, 0.3, 0.2], 20, [10, 6, 4]),
        ([0.55, 0.45, 0.0], 10, [6, 4, 0]),
        ([1 / 3] * 3, 20, [7, 7, 6]),
        ([1, 0, 0], 9, [9, 0, 0]),
    ],
)
def test_a_pool_names_each_as_often_as_its_share_comes_to(means, size, expected):
    frame = pd.DataFrame({"strategy": ["a", "b", "c"], "share_mean": means})
    found = strength.pool(frame, size)
    assert [found.count(name) for name in "abc"] == expected


def test_tables_drawn_anew_are_as_large_as_the_table():
    times = strength._draws(np.random.default_rng(1), 70)
    assert times.shape == (strength.DRAWS, 70)
    assert (times.sum(axis=1) == 70).all()
    assert times.mean(axis=0) == pytest.approx(np.ones(70), abs=0.4)
