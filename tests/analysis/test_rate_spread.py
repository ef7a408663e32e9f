"""The spread of rates without chance: right on average, intervals that cover, also where all rates are equal."""

import numpy as np
import pytest
from known import chances, draw, known_run, seated, tables

from newdawn.analysis.stats.inference import centring, partial_pooling, rate_spread, spread_difference
from newdawn.analysis.tables.leader_strength import leader_spread
from newdawn.analysis.tables.logit import line_ups
from newdawn.analysis.tables.paired_figures import LEADER_FIGURES, SPREAD, Moments, differences, game_figures
from newdawn.simulator import names

UNEQUAL = np.array([0.379, 0.29, 0.248, 0.239, 0.226, 0.216, 0.205, 0.195])
EQUAL = np.full(8, 0.25)
NEARLY = 0.25 + (UNEQUAL - UNEQUAL.mean()) / 8


def errors(games, shared):
    """Return the covariance of the rates of eight leaders under two rulesets, correlated by `shared`."""
    one = 0.1875 / (games / 2) * (0.6 * 8 / 7 * centring(8) + 0.4 * np.eye(8))
    return np.block([[one, shared * one], [shared * one, one]])


def test_clear_rates_are_as_far_apart_as_they_look():
    value, low, high = rate_spread(UNEQUAL, 1e-9 * np.eye(8))
    assert value == pytest.approx(UNEQUAL.std(ddof=1), rel=1e-4)
    assert low < value < high < 1.01 * low
    assert rate_spread(UNEQUAL, np.zeros((8, 8))) == pytest.approx([UNEQUAL.std(ddof=1)] * 3)
    assert np.isnan(rate_spread(EQUAL[:1], np.eye(1))).all()


def test_equal_rates_have_no_spread():
    rng, covariance = np.random.default_rng(0), errors(1000, 0)[:8, :8]
    found = [rate_spread(rng.multivariate_normal(EQUAL, covariance), covariance) for _ in range(400)]
    assert 0.4 < np.mean([value == 0 for value, _, _ in found]) < 0.75
    assert np.mean([low == 0 for _, low, _ in found]) > 0.955  # one-sided 97.5%


@pytest.mark.parametrize("shared", [0.0, 0.7])
@pytest.mark.parametrize(("one", "two"), [(UNEQUAL, UNEQUAL), (EQUAL, UNEQUAL), (NEARLY, NEARLY), (EQUAL, EQUAL)])
def test_intervals_cover_and_tests_keep_their_level(one, two, shared):
    rng, covariance, repeats = np.random.default_rng(1), errors(5000, shared), 250
    true = one.std(ddof=1), two.std(ddof=1)
    drawn = rng.multivariate_normal(np.concatenate([one, two]), covariance, repeats)
    single, double, false = 0, 0, 0
    for rates in drawn:
        _, low, high = rate_spread(rates[:8], covariance[:8, :8])
        single += low <= true[0] <= high
        *_, low, high, p = spread_difference(rates[:8], rates[8:], covariance)
        double += low <= true[1] - true[0] <= high
        false += p < 0.05
    # 95% less three standard errors of 250 repeats; where equal rates are possible the intervals are wider than need be.
    assert single / repeats > 0.908
    assert double / repeats > 0.908
    assert (false / repeats < 0.092) == (one is two)


def compared(rng, n, one, two, paired=True):
    """Compare n drawn games by leaders' log odds under two rulesets; paired games keep half of their luck."""
    leaders, order, cards = seated(rng, n, 4)
    a = draw(rng, one[leaders])
    b = np.where(rng.random((n, 1)) < (0.5 if paired else 0), a, draw(rng, two[leaders]))
    moments = Moments.empty(leaders=LEADER_FIGURES)
    moments.add(*(game_figures(tables(leaders, order, cards, won, rng=rng), 0, n) for won in (a, b)))
    return differences(moments, 0.01)


def test_the_comparison_has_the_spread_as_a_headline_figure():
    rng = np.random.default_rng(2)
    strong = np.where(np.array(names.LEADERS) == "Japan", 0.6, 0.0)
    frame = compared(rng, 4000, strong, 0 * strong, paired=False)
    assert frame["group"].tolist()[:4] == ["game"] * 4
    row = frame.set_index("figure").loc[SPREAD[1]]
    seats = line_ups(8, 4, True)
    rates = np.array([chances(strong[seats])[seats == leader].mean() for leader in range(8)])
    assert row["a"] == pytest.approx(rates.std(ddof=1), abs=0.008)
    assert row["difference"] < 0
    assert row["p_adjusted"] <= 0.05
    assert row["low"] < -rates.std(ddof=1) < row["high"]
    assert row["n_a"] == row["pairs"] == 4000


def test_pairs_narrow_the_difference_and_equal_games_have_none():
    rng = np.random.default_rng(3)
    strong = np.where(np.array(names.LEADERS) == "Japan", 0.6, 0.0)
    row = compared(rng, 4000, strong, strong).set_index("figure").loc[SPREAD[1]]
    assert 1.4 < row["pairing"] < 2.8  # half of the luck is shared
    assert row["p_adjusted"] > 0.05
    leaders, order, cards = seated(rng, 500, 4)
    values = game_figures(tables(leaders, order, cards, draw(rng, strong[leaders]), rng=rng), 0, 500)
    moments = Moments.empty(leaders=LEADER_FIGURES)
    moments.add(values, values)
    row = differences(moments).set_index("figure").loc[SPREAD[1]]
    assert (row["difference"], row["p"], row["few"]) == (0, 1, True)
    assert row["low"] <= 0 <= row["high"]


def test_two_leaders_always_at_the_table_have_a_spread():
    rng, n = np.random.default_rng(4), 2000
    leaders, order, cards = np.tile([0, 1], (n, 1)), np.tile([0, 1], (n, 1)), np.zeros((n, 3), int)
    won = draw(rng, np.array([0.4, 0.0])[leaders])
    moments = Moments.empty(leaders=LEADER_FIGURES)
    moments.add(*(game_figures(tables(leaders, order, cards, won, rng=rng), 0, n) for _ in range(2)))
    row = differences(moments).set_index("figure").loc[SPREAD[1]]
    gap = won.mean(axis=0)[0] - won.mean(axis=0)[1]
    assert row["a"] == pytest.approx(gap / np.sqrt(2), abs=0.001)


@pytest.mark.calibration
def test_false_findings_stay_rare():
    """The same rules on other seeds, 200 times: the spread alone, uncorrected, is significant in at most 5%."""
    rng, false = np.random.default_rng(5), 0
    for _ in range(200):
        frame = compared(rng, 300, np.zeros(8), np.zeros(8), paired=False).set_index("figure")
        false += frame.loc[SPREAD[1], "p"] < 0.05
    assert false <= 10


@pytest.mark.calibration
def test_one_run_has_a_spread_too():
    strength = np.array([-0.3, 0.2, 0.0, -0.1, 0.1, 0.0, 0.4, -0.3])
    seats = line_ups(8, 4, True)
    rates = 100 * np.array([chances(strength[seats])[seats == leader].mean() for leader in range(8)])
    rng, covered = np.random.default_rng(6), 0
    for _ in range(60):
        row = leader_spread(known_run(rng, 1500, strength, pieces=1)).iloc[0]
        covered += row["spread_low"] <= rates.std(ddof=1) <= row["spread_high"]
    assert covered >= 52  # 95% less three standard errors
    frame = leader_spread([known_run(rng, 300, strength), known_run(rng, 300, strength, players=2)], by="players")
    assert frame["players"].tolist() == [2, 4]


def test_partial_pooling_is_nearer_to_the_truth_and_covers_on_the_average():
    """Rates of eighteen leaders, 70 games each: drawn to the fair share they are off by less, and 95% of intervals hold."""
    rng, off, held = np.random.default_rng(11), np.zeros(2), []
    for _ in range(120):
        true = 0.25 + 0.04 * (lambda x: x - x.mean())(rng.normal(size=18))
        noise = np.diag(true * (1 - true) / 70)
        rate = rng.multivariate_normal(true, noise)
        rate += 0.25 - rate.mean()
        pooled, error = partial_pooling(rate, centring(18) @ noise @ centring(18), 0.25)
        off += [((one - true) ** 2).mean() for one in (rate, pooled)]
        held += (np.abs(pooled - true) <= 1.96 * error).tolist()
    assert off[1] < 0.6 * off[0]
    assert 0.93 < np.mean(held) < 0.97


def test_partial_pooling_leaves_rates_of_many_games_alone():
    rate = np.array([0.30, 0.25, 0.20, 0.28, 0.22])
    pooled, error = partial_pooling(rate, centring(5) * 0.001**2, 0.25)
    assert pooled == pytest.approx(rate, abs=1e-4)
    assert error == pytest.approx(np.full(5, 0.001 * np.sqrt(0.8)), rel=0.02)
    assert np.isnan(partial_pooling(rate[:2], np.eye(2), 0.25)).all()
