"""The spread of the leaders: unbiased, intervals that cover, and nothing found where nothing is."""

from itertools import permutations

import numpy as np
import pytest
from known import chances, draw, known_run, seated

from analysis.spread import leader_shares, leader_spread, spread, spread_change, variance

SLOPE = np.linspace(-1.5, 1.5, 8)
LINE_UPS = np.array(list(permutations(range(8), 4)))


def truth(utility):
    chance = chances(utility[LINE_UPS])
    return float(np.array([chance[leader == LINE_UPS].mean() for leader in range(8)]).std(ddof=1))


def shares(rng, utility, n, seats=None):
    leaders = (seats or seated(rng, n, 4))[0]
    won = draw(rng, utility[leaders])
    values = np.zeros((n, 8, 2))
    game = np.repeat(np.arange(n), 4)
    values[game, leaders.ravel(), 0] = won.ravel()
    values[game, leaders.ravel(), 1] = 1
    return values


@pytest.mark.parametrize("scale", [0.0, 0.1, 0.4])
def test_the_interval_covers_and_the_variance_is_unbiased(scale):
    rng, true = np.random.default_rng(1), truth(scale * SLOPE)
    found = [(spread(values), variance(values)) for values in (shares(rng, scale * SLOPE, 600) for _ in range(250))]
    covered = np.mean([one.low <= true <= one.high for one, _ in found])
    assert covered > 0.925
    estimates = np.array([part.variance for _, part in found])
    assert abs(estimates.mean() - true**2) < 4 * estimates.std() / np.sqrt(250)
    assert all(one.low <= one.value <= one.high for one, _ in found)


def test_the_observed_spread_alone_would_be_too_large():
    """Equal leaders: the plain standard deviation of the rates is far from 0, the interval begins at 0."""
    rng, plain, zero = np.random.default_rng(2), [], 0
    for _ in range(100):
        values = shares(rng, np.zeros(8), 600)
        plain.append((values[:, :, 0].sum(axis=0) / values[:, :, 1].sum(axis=0)).std(ddof=1))
        zero += spread(values).low == 0
    assert np.mean(plain) > 0.02
    assert zero > 92


@pytest.mark.parametrize(("before", "after"), [(0.0, 0.0), (0.2, 0.2), (0.15, 0.4)])
def test_changes_are_found_and_not_invented(before, after):
    rng, gap = np.random.default_rng(3), truth(after * SLOPE) - truth(before * SLOPE)
    covered = significant = 0
    for _ in range(150):
        seats = seated(rng, 800, 4)
        found = spread_change(shares(rng, before * SLOPE, 800, seats), shares(rng, after * SLOPE, 800, seats))
        covered += found.low <= gap <= found.high
        significant += found.p < 0.05
        assert found.low <= found.difference <= found.high
    assert covered / 150 > 0.91
    assert significant / 150 < 0.085 if gap == 0 else significant / 150 > 0.9


def test_the_same_games_do_not_differ():
    values = shares(np.random.default_rng(4), 0.3 * SLOPE, 300)
    found = spread_change(values, values)
    assert (found.difference, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_tables_give_the_same_figure():
    run = known_run(np.random.default_rng(5), 500, 0.3 * SLOPE)
    seats = run.tables["seats"]
    values = leader_shares(seats)
    assert values.shape == (500, 8, 2)
    assert values[:, :, 1].sum() == 2000
    assert values[:, :, 0].sum() == seats["won"].sum()
    assert leader_spread(seats) == spread(values)
    assert leader_spread(seats).games == 500


def test_too_few_leaders_or_games_have_no_spread():
    values = np.zeros((10, 8, 2))
    values[:, 0] = 1
    assert np.isnan(spread(values).value)
    assert np.isnan(spread_change(values, values).p)
    assert np.isnan(spread(shares(np.random.default_rng(6), SLOPE, 1)).value)
