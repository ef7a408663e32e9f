"""One figure over several players: mean, spread, the next player, and who deviates."""

import numpy as np
import pytest

from newdawn.analysis.stats.bands import over_players

# D. Rubin, "Estimation in parallel randomized experiments", Journal of Educational Statistics 6, 1981.
SCHOOLS = np.array([28.0, 8, -3, 7, -1, 1, 18, 12])
ERRORS = np.array([15.0, 10, 16, 11, 9, 11, 10, 18])


def band(value, error, questions=1):
    return over_players(value, error, [f"player {k}" for k in range(len(value))], questions)


def test_eight_schools_are_one_population_without_a_spread():
    """Q of the eight schools is 4.6 of 7 degrees of freedom: no spread, a mean of 7.7, and its normal interval at least."""
    found = band(SCHOOLS, ERRORS)
    assert found.estimate == pytest.approx(7.69, abs=0.05)
    assert found.tau == 0
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * 4.07, rel=0.01)  # Hartung and Knapp: 2.3646 * 3.30
    assert found.deviates == ()
    assert found.prediction_low < found.low
    assert found.high < found.prediction_high


def test_the_spread_is_the_most_likely_one_with_the_mean_taken_out():
    """Equal errors: the variance of the values less that of the errors."""
    value = np.array([0.0, 5.0, -4.0, 7.0, 1.0])
    found = band(value, np.ones(5))
    assert found.tau**2 == pytest.approx(value.var(ddof=1) - 1)
    assert found.estimate == pytest.approx(value.mean())
    assert found.all_low == found.low
    assert band(value, np.ones(5), questions=9).all_low < found.low


def test_players_that_agree_have_their_own_errors_and_no_quantile_of_a_few():
    """Three that agree by chance: no spread, and the normal interval; three as far apart as their errors: Student's."""
    alike, apart = band([25.0, 25.1, 24.9], [1.0] * 3), band([25.0, 26.0, 24.0], [1.0] * 3)
    assert (alike.high - alike.low) / 2 == pytest.approx(1.96 / 3**0.5, rel=0.001)
    assert (apart.high - apart.low) / 2 == pytest.approx(4.303 / 3**0.5, rel=0.001)


def test_a_player_with_few_games_neither_decides_nor_is_named():
    """Three agree with 2,000 games each; the fourth, with 60, is far off by chance: the mean stays where the three are."""
    found = band([25.0, 25.3, 24.8, 33.0], [1.0, 1.0, 1.0, 6.0])
    assert found.estimate == pytest.approx(25.1, abs=0.5)
    assert found.deviates == ()


def test_who_deviates_from_what_the_others_predict_is_named_and_no_other():
    value = [25.0, 25.3, 24.8, 25.1, 24.9, 45.0]
    assert band(value, [1.0] * 6).deviates == ("player 5",)
    assert band([25.0, 30.0, 20.0, 35.0, 15.0, 40.0], [0.1] * 6).deviates == ()  # players differ: no one deviates


def test_two_players_say_next_to_nothing():
    found = band([25.0, 35.0], [1.0, 1.0])
    assert found.low < 0 < found.estimate  # Student's quantile with one degree of freedom: 12.7
    assert found.prediction_low < found.low
    assert found.deviates == ()


@pytest.mark.calibration
@pytest.mark.parametrize("error", [(1, 1, 1, 1), (1, 1, 1, 3), (1, 1, 1, 1, 1, 3)])
@pytest.mark.parametrize("spread", [0.0, 1.0, 3.0])
def test_intervals_over_players_hold(error, spread):
    """The mean of all such players and the next one; nobody is named where all are alike."""
    rng, error, held, named = np.random.default_rng([9, int(spread)]), np.array(error, float), np.zeros(2), 0
    for _ in range(400):
        found, new = band(rng.normal(rng.normal(0, spread, len(error)), error), error), rng.normal(0, spread)
        held += [found.low <= 0 <= found.high, found.prediction_low <= new <= found.prediction_high]
        named += found.deviates != ()
    assert held[0] / 400 > 0.93
    assert held[1] / 400 > 0.92
    assert named <= 28  # 5% and 2.5 standard errors
