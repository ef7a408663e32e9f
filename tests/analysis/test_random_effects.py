"""One figure over several players: mean, spread, the next player, and who deviates."""

import numpy as np
import pandas as pd
import pytest

from newdawn.analysis.stats.random_effects import over_players, player_deviations, spread_of

# D. Rubin, "Estimation in parallel randomized experiments", Journal of Educational Statistics 6, 1981.
SCHOOLS = np.array([28.0, 8, -3, 7, -1, 1, 18, 12])
ERRORS = np.array([15.0, 10, 16, 11, 9, 11, 10, 18])


def figures(value, error, name="win rate of Rome"):
    players = [f"player {k}" for k in range(len(value))]
    return pd.DataFrame({"figure": name, "player": players, "n": 2000, "value": value, "error": error})


def test_eight_schools_are_one_population_without_a_spread():
    """Q of the eight schools is 4.6 of 7 degrees of freedom: no spread, and a mean of 7.7."""
    row = over_players(figures(SCHOOLS, ERRORS)).iloc[0]
    assert row["value"] == pytest.approx(7.69, abs=0.05)
    assert row["spread"] == 0
    assert row["p_spread"] == pytest.approx(0.71, abs=0.02)
    assert row["players"] == 8
    assert row["n"] == 16_000
    assert row["deviate"] == ""


def test_the_spread_makes_q_what_it_is_on_the_average():
    value, error = np.array([0.0, 5.0, -4.0, 7.0, 1.0]), np.array([1.0, 1.0, 1.5, 1.0, 4.0])
    spread = spread_of(value, error)
    weight = 1 / (error**2 + spread**2)
    assert weight @ (value - weight @ value / weight.sum()) ** 2 == pytest.approx(4)
    row = over_players(figures(value, error)).iloc[0]
    assert row["spread_low"] < row["spread"] < row["spread_high"]
    assert row["next_low"] < row["value_low"] < row["value"] < row["value_high"] < row["next_high"]


def test_a_player_with_few_games_neither_decides_nor_is_named():
    """Three agree with 2,000 games each; the fourth, with 60, is far off by chance: the mean stays where the three are."""
    row = over_players(figures([25.0, 25.3, 24.8, 33.0], [1.0, 1.0, 1.0, 6.0])).iloc[0]
    assert row["value"] == pytest.approx(25.1, abs=0.5)
    assert row["deviate"] == ""


def test_who_deviates_is_named():
    table = pd.concat([figures([25.0, 25.3, 24.8, 33.0], [1.0] * 4), figures([5.0, 5.2, 4.9, 5.1], [1.0] * 4, "length")])
    frame = over_players(table).set_index("figure")
    assert frame["deviate"].to_dict() == {"win rate of Rome": "player 3", "length": ""}
    rows = player_deviations(table)
    named = rows[rows["p_adjusted"] <= 0.05]
    assert named["player"].tolist() == ["player 3"]
    row = named.iloc[0]
    assert row["difference"] == pytest.approx(row["value"] - row["others"])
    assert row["difference_all_low"] > 0
    assert rows["p_adjusted"].dropna().to_numpy() == pytest.approx(np.minimum(1, 8 * rows["p"].to_numpy()))


def test_one_player_and_two_say_what_they_can():
    one = over_players(figures([25.0], [1.0])).iloc[0]
    assert one["value_high"] == pytest.approx(26.96, abs=0.01)
    assert np.isnan([one["spread"], one["next_low"]]).all()
    two = over_players(figures([25.0, 35.0], [1.0, 1.0])).iloc[0]
    assert np.isnan(two["next_low"])
    assert two["value_low"] < 0 < two["value"]  # Student's quantile with one degree of freedom: 12.7
    assert player_deviations(figures([25.0, 35.0], [1.0, 1.0]))["p_adjusted"].nunique() == 1


@pytest.mark.calibration
@pytest.mark.parametrize("error", [(1, 1, 1, 1), (1, 1, 1, 3), (1, 1, 1, 1, 1, 3)])
@pytest.mark.parametrize("spread", [0.0, 1.0, 3.0])
def test_intervals_over_players_hold(error, spread):
    """The mean of all such players, the next one, and the spread; nobody is named where all are alike."""
    rng, error, held, named = np.random.default_rng([9, int(spread)]), np.array(error, float), np.zeros(3), 0
    for _ in range(400):
        value = rng.normal(rng.normal(0, spread, len(error)), error)
        row, new = over_players(figures(value, error)).iloc[0], rng.normal(0, spread)
        held += [
            row["value_low"] <= 0 <= row["value_high"], row["next_low"] <= new <= row["next_high"],
            row["spread_low"] <= spread <= row["spread_high"],
        ]  # fmt: skip
        named += row["deviate"] != ""
    assert 0.92 < held[0] / 400 < 0.98
    assert held[1] / 400 > 0.90
    assert held[2] / 400 > 0.92
    if spread == 0:
        assert named <= 28  # 5% and 2.5 standard errors
