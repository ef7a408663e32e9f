"""Where few pairs of games differ, or none: intervals are what a change unseen may come to, not ± 0.00."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from newdawn.analysis.stats import inference
from newdawn.analysis.stats.inference import changes_together, mean_change, widened
from newdawn.analysis.tables.paired_figures import SPREAD, Moments, differences
from newdawn.analysis.tables.targets import FIGURES, FIRST_LEADER, changes

CHANCES = np.arange(1, 9) / 36  # of the leaders to win


def pairs(rng, n, share, shift=1.0):
    """Return the figures of n games under two rulesets; a `share` of them goes on otherwise, and longer by `shift` rounds."""
    a = np.ones((n, len(FIGURES), 2))
    a[:, 0, 0] = rng.normal(17, 3, n).round()
    winner = rng.choice(8, n, p=CHANCES)
    a[:, FIRST_LEADER:, 0] = winner[:, None] == np.arange(8)
    b, moved = a.copy(), rng.random(n) < share
    b[moved, 0, 0] = (rng.normal(17, 3, moved.sum()) + shift).round()
    b[moved, FIRST_LEADER:, 0] = rng.choice(8, moved.sum(), p=CHANCES)[:, None] == np.arange(8)
    return a, b


def test_games_that_nothing_moved_leave_room_for_what_comes_once_in_a_hundred():
    """No pair of 400 differs: fewer than 3.69 of 400 do, and a changed game differs by some 3 √2 rounds."""
    a, b = pairs(np.random.default_rng(1), 400, 0.0)
    found = changes(a, b).set_index("figure")
    rounds = found.loc["rounds"]
    spread = np.sqrt(2) * a[:, 0, 0].std(ddof=1)
    assert (rounds["difference"], rounds["p"], rounds["changed"]) == (0, 1, 0)
    assert (rounds["low"], rounds["high"]) == pytest.approx((-3.69 / 400 * spread, 3.69 / 400 * spread), rel=0.01)
    leaders = found.loc[SPREAD[1]]
    most = 3.69 / 400 * np.sqrt(2 / 7)  # all of these wins gone from one leader to another
    assert (leaders["low"], leaders["high"]) == pytest.approx((-most, most), rel=0.01)


@pytest.mark.calibration
@pytest.mark.parametrize("share", [0.0005, 0.003, 0.01, 0.03])
def test_intervals_of_rare_changes_hold_the_change(share):
    """The mean length changes by `share` times the shift; of 300 samples at most 5% (and chance) miss it."""
    rng, missed = np.random.default_rng(2), 0
    for _ in range(300):
        a, b = pairs(rng, 400, share, shift=2.0)
        moments = Moments.empty(1)
        moments.add(a[:, :1], b[:, :1])
        row = differences(moments, figures=[("game", "rounds")]).iloc[0]
        missed += not row["low"] <= 2.0 * share <= row["high"]
    assert missed <= 25  # 5% of 300, and 2.6 standard errors


@pytest.mark.parametrize("share", [0.002, 0.02])
@pytest.mark.soak
def test_the_interval_of_the_spread_holds_where_few_winners_change(share):
    """Leaders are as strong under both rulesets: the spread does not change."""
    rng, missed = np.random.default_rng(3), 0
    for _ in range(200):
        a, b = pairs(rng, 400, share)
        row = changes(a, b).set_index("figure").loc[SPREAD[1]]
        missed += not row["low"] <= 0 <= row["high"]
    assert missed <= 18


def test_an_interval_of_nothing_is_widened_as_a_count_of_none():
    low, high = (end[0] for end in inference.rare_interval(np.zeros(1), np.zeros(1), 400))
    ends = widened([0.0], [low], [high], [0])(0.999)
    exactly = inference.rare_interval(np.zeros(1), np.zeros(1), 400, 0.999)
    assert np.ravel(ends) == pytest.approx(np.ravel(exactly))
    assert widened([0.0], [low], [high])(0.999)[1][0] == pytest.approx(high * stats.norm.isf(0.0005) / stats.norm.isf(0.025))


def test_many_changes_have_the_normal_interval():
    rng = np.random.default_rng(4)
    a, b = pairs(rng, 400, 0.5)
    moments = Moments.empty(len(FIGURES), slice(FIRST_LEADER, len(FIGURES)))
    moments.add(a, b)
    row = differences(moments, figures=FIGURES).set_index("figure").loc["rounds"]
    gap = (b - a)[:, 0, 0]
    assert row["high"] - row["difference"] == pytest.approx(1.96 * gap.std(ddof=1) / 20, rel=1e-3)


@pytest.mark.calibration
@pytest.mark.parametrize("changed", [4, 12, 30])
def test_the_mean_of_pairs_of_which_few_differ_is_rarely_said_to_differ(changed):
    """So many of 400 pairs differ, by chance up or down: at most 5% of samples differ, not 12.5% as by a normal test."""
    rng, said, missed = np.random.default_rng(8), 0, 0
    for _ in range(400):
        pairs = np.zeros(400)
        pairs[: rng.binomial(400, changed / 400)] = 1
        pairs *= rng.choice([-1, 1], 400)
        row = changes_together(pd.DataFrame([mean_change(pairs < 0, pairs > 0)])).iloc[0]
        said, missed = said + (row["p"] <= 0.05), missed + (not row["change_low"] <= 0 <= row["change_high"])
    assert said <= 28  # 5% and 2.5 standard errors
    assert missed <= 28


def test_what_everybody_does_under_both_rulesets_is_not_known_to_the_second_digit():
    """An agenda claimed in every game of both, with other cards in play: no ±0.00, but what games of other seeds leave open."""
    rng = np.random.default_rng(9)
    a, b = np.zeros((2, 300, 1, 2))
    for side in (a, b):
        side[rng.random(300) < 0.5] = 1
    moments = Moments.empty(1)
    moments.add(a, b)
    row = differences(moments, figures=[("agendas", "claim rate of Civilized")]).iloc[0]
    n = a[:, 0, 1].sum()
    assert row["changed"] > inference.RARE_FEW
    assert (row["difference"], row["p"]) == (0, 1)
    assert row["high"] == pytest.approx(3.84 / (n + 3.84), rel=0.1)
    assert row["low"] < -0.02
    assert row["difference_all_low"] < 0 < row["difference_all_high"]


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_the_same_rate_at_an_end_is_not_known_exactly(rate):
    """All or none of 60 cases on either side: rates of other games need not be alike."""
    rng = np.random.default_rng(1)
    there = rng.random((2, 400, 1)) < 0.15  # the wonder is in other games' decks
    moments = Moments.empty(1)
    moments.add(*(np.stack([rate * one, one], axis=2).astype(float) for one in there))
    (row,) = differences(moments, figures=[("wonders", "build rate of Petra")]).to_dict("records")
    assert row["difference"] == 0
    assert row["low"] < -0.02 < 0.02 < row["high"]
    assert row["difference_all_low"] < 0 < row["difference_all_high"]
