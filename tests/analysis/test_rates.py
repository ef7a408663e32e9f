"""Intervals and ranks."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from newdawn.analysis.stats import inference
from newdawn.analysis.stats.rates import clustered_rate_columns, median_of_counts, ranks, share_between, wilson
from newdawn.analysis.tables.win_rates import leader_table


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    # Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_against_published_values(wins, n, low, high):
    assert np.allclose(np.array(wilson(wins, n)), (low, high), atol=5e-5)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.floats(0, n), st.just(n))))
def test_wilson_holds_the_rate_and_stays_between_0_and_1(case):
    wins, n = case
    low, high = wilson(wins, n)
    assert 0 <= low <= wins / n + 1e-12
    assert wins / n - 1e-12 <= high <= 1


def claimants(rng, games, chance=0.95):
    """Draw games with one to three claimants, of whom one wins with this chance; return wins and claimants of each."""
    m = rng.integers(1, 4, games)
    return (rng.random(games) < chance).astype(float), m


def clustered(y, m):
    rate = y.sum() / m.sum()
    return clustered_rate_columns(y.sum(), m.sum(), ((y - rate * m) ** 2).sum(), "rate")


def test_the_interval_of_claimants_who_share_a_win_covers():
    """95% with the game as the case; as independent claims the intervals are 1.5 times too wide and cover too often."""
    rng, covered, plain, width = np.random.default_rng(1), 0, 0, []
    for _ in range(600):
        y, m = claimants(rng, 300)
        found = clustered(y, m)
        covered += found["rate_low"] <= 0.475 <= found["rate_high"]
        low, high = wilson(y.sum(), m.sum())
        plain += low <= 0.475 <= high
        width.append((high - low) / (found["rate_high"] - found["rate_low"]))
    assert 0.93 < covered / 600 < 0.97
    assert plain / 600 > 0.985
    assert np.mean(width) > 1.3


def test_a_case_a_game_is_wilsons_interval_and_few_cases_narrow_nothing():
    y = np.array([1.0] * 40 + [0.0] * 60)
    found = clustered(y, np.ones(100))
    assert (found["rate_low"], found["rate_high"]) == pytest.approx(tuple(map(float, wilson(40, 100))))
    y, m = claimants(np.random.default_rng(2), 15)
    found = clustered(y, m)
    assert (found["rate_low"], found["rate_high"]) == pytest.approx(tuple(map(float, wilson(y.sum(), m.sum()))))
    empty = clustered_rate_columns([0.0], [0], [0.0], "rate")
    assert all(np.isnan(value).all() for value in empty.values())


def test_the_share_between_two_quantiles_counts_both_ends():
    assert share_between([13, 14, 15, 16], [1, 2, 3, 4], 14, 15) == 0.5
    assert np.isnan(share_between([], [], 1, 2))


def test_wilson_without_games_is_nan():
    assert all(math.isnan(end) for end in wilson(0, 0))


def test_ranks_say_what_the_intervals_leave_open():
    assert ranks([0.5, 0.3, 0.28, 0.1], [0.6, 0.4, 0.35, 0.2]) == ["1", "2-3", "2-3", "4"]


@given(st.lists(st.integers(1, 30), min_size=1, max_size=50))
def test_median_of_counts_is_the_median(values):
    found, counts = np.unique(values, return_counts=True)
    assert median_of_counts(found, counts) == np.median(values)


@pytest.mark.parametrize(("games", "leaders"), [(60, 8), (1000, 18)])
def test_places_by_intervals_that_hold_together_are_open_among_equals(games, leaders):
    """Places by single 95% intervals shut somebody out of the first or last place more often, among many of them."""
    rng, repeats, shut = np.random.default_rng(1), 1000, {"single": 0, "together": 0}
    for wins in rng.binomial(games, 0.25, (repeats, leaders)):
        for name, confidence in (("single", 0.95), ("together", 1 - 0.05 / leaders)):
            shut[name] += set(ranks(*wilson(wins, games, confidence))) != {f"1-{leaders}"}
    assert shut["together"] / repeats < 0.05
    assert shut["single"] > 3 * shut["together"]


def test_a_score_interval_of_a_rate_with_an_error_is_wilsons():
    """Of 250 independent cases it is the interval of `wilson`, and its test leaves a share out where the interval does."""
    wins = np.array([20.0, 45.0, 62.5, 83.0, 250.0])
    rate = wins / 250
    error = np.sqrt(rate * (1 - rate) / 250)
    low, high = inference.score_ends(rate, error)(0.99)
    expected = wilson(wins[:4], 250, 0.99)
    assert np.allclose([low[:4], high[:4]], expected)
    assert (low[4], high[4]) == (1, 1)  # a rate without an error has none to test with
    p = inference.score_against_share(rate, error, 0.25)
    assert ((p[:4] <= 0.01) == ((low[:4] > 0.25) | (high[:4] < 0.25))).all()


def test_rates_by_lot_are_hardly_ever_told_from_the_share():
    """Eight leaders, 250 games each: summed over all outcomes. With the error of the estimate it is 6 of 100 tables."""
    wins = np.arange(1, 250)
    chance, rate = stats.binom.pmf(wins, 250, 0.25), wins / 250
    error = np.sqrt(rate * (1 - rate) / 250)
    found = [8 * chance[p <= 0.05 / 8].sum() for p in (
        inference.score_against_share(rate, error, 0.25), inference.two_sided(rate - 0.25, error)
    )]  # fmt: skip
    assert found[0] < 0.055
    assert found[1] > 0.058


@pytest.mark.calibration
@pytest.mark.parametrize("games", [200, 2000])
def test_intervals_of_half_wins_are_those_of_halves(games):
    """Partners win or lose together, half each: of the rates' intervals 95% hold a quarter, not all of them."""
    rng, held, wins = np.random.default_rng(3), 0, []
    for _ in range(600):
        won = 0.5 * (rng.random(games) < 0.5)
        frame = leader_table(pd.DataFrame({
            "leader": ["a"], "n": [games], "wins": [won.sum()], "squares": [(won**2).sum()], "fair": [games / 4],
            "unfinished": [0],
        }))  # fmt: skip
        held += bool((frame["win_rate_low"] <= 0.25).iloc[0] and (frame["win_rate_high"] >= 0.25).iloc[0])
        wins.append(won.sum())
    assert 0.93 < held / 600 < 0.97
    width = float((frame["win_rate_high"] - frame["win_rate_low"]).iloc[0])
    assert width == pytest.approx(2 * 1.96 * np.std(wins) / games, rel=0.1)
