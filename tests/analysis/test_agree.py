"""Rank correlation of win rates: known truth, coverage, and what chance does to it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from newdawn.analysis.tables.ranks_of_runs import rank_agreement


def test_the_same_rates_agree_and_turned_ones_disagree():
    rate = np.linspace(0.15, 0.35, 8)
    n = np.full(8, 50_000)
    assert rank_agreement(rate, n, rate, n)[0] == 1
    assert rank_agreement(rate, n, rate, n)[1] > 0.9
    assert rank_agreement(rate, n, rate[::-1], n)[2] < -0.9


def test_few_games_leave_it_open():
    rate = np.linspace(0.22, 0.28, 8)
    n = np.full(8, 50)
    _, low, high = rank_agreement(rate, n, rate, n)
    assert low < 0.2
    assert high - low > 0.6


@pytest.mark.calibration
def test_the_interval_covers_the_agreement_of_the_true_rates(monkeypatch):
    monkeypatch.setattr("newdawn.analysis.tables.ranks_of_runs.DRAWS", 400)
    monkeypatch.setattr("newdawn.analysis.tables.ranks_of_runs.PRIORS", 40)
    rng = np.random.default_rng(7)
    covered = 0
    repeats = 60
    for _ in range(repeats):
        shared = rng.normal(0, 0.04, 8)
        true = [0.25 + shared + rng.normal(0, 0.02, 8) for _ in range(2)]
        sizes = [np.full(8, 4000), np.full(8, 400)]
        rates = [rng.binomial(k, p) / k for p, k in zip(true, sizes, strict=True)]
        truth = stats.spearmanr(*true).statistic
        _, low, high = rank_agreement(rates[0], sizes[0], rates[1], sizes[1])
        covered += low <= truth <= high
    assert covered >= 0.93 * repeats


def test_a_handful_of_games_proves_no_order():
    """Nobody knows the order of two leaders after three games each, even if one of them won all of its games."""
    rate, n = np.array([0.0, 1.0]), np.array([3, 3])
    found, low, high = rank_agreement(rate, n, rate, n)
    assert found == pytest.approx(1)
    assert (low, high) == (-1, 1)


def test_without_ranks_there_is_no_correlation():
    assert np.isnan(rank_agreement([0.5], [10], [0.4], [10])).all()
    assert np.isnan(rank_agreement([], [], [], [])).all()
    found, low, high = rank_agreement([0.25] * 8, [50] * 8, [0.25] * 8, [50] * 8)
    assert np.isnan(found)
    assert low < 0 < high
