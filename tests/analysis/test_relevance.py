"""Verdicts against a margin, and the games that decide: checked on figures drawn with a known truth."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from newdawn.analysis.statistics.inference import against_share, distinct, normal_ends, rate_difference, together, two_sided
from newdawn.analysis.tables.render import at_least
from newdawn.analysis.trials.relevance import error_that_decides, judged, verdict_words


def judged_figures(estimate, error, margin=2.0, games=1000, small=False, questions=None):
    estimate, error = np.broadcast_arrays(np.asarray(estimate, float), error)
    p = two_sided(estimate, error)
    frame = pd.DataFrame({"points": estimate, "small_sample": small})
    ends = normal_ends(estimate, error)
    frame = frame.assign(**dict(zip(("points_low", "points_high"), ends(0.95), strict=True)))
    return judged(frame.assign(**together("points", p, ends, questions)), "points", margin, games)


def test_the_three_verdicts():
    frame = judged_figures([0.0, 5.0, -5.0, 1.9, 0.5], 0.3)
    assert frame["verdict"].tolist() == ["balanced", "outside", "outside", "undecided", "balanced"]
    assert frame["games_to_decide"].notna().tolist() == [False, False, False, True, False]
    assert judged_figures([1.9, 9.0], 0.3, small=True)["verdict"].tolist() == ["not tested"] * 2
    assert verdict_words({"verdict": "undecided", "games_to_decide": 12345.0}) == "undecided (at least 12,000 games)"
    assert [at_least(x) for x in (7, 1200, 1e11)] == ["at least 7 games", "at least 1,200 games", "more than 1,000,000 games"]


@pytest.mark.parametrize("estimate", [0.0, 0.9, -1.2, 2.8, -3.5])
def test_so_many_games_decide_with_the_promised_chance_what_is_decided_soonest(estimate):
    """Eight figures together, drawn with the error that so many games have, at the value of the interval that is best."""
    needed = judged_figures([estimate] + [10.0] * 7, 1.0)["games_to_decide"].iloc[0]
    error = np.sqrt(1000 / needed)
    ends = np.clip([0.0, -9.0, 9.0], estimate - 1.96, estimate + 1.96)
    chances = []
    for truth in ends:
        drawn = truth + error * np.random.default_rng(1).normal(size=2000)
        verdicts = judged_figures(drawn, error, questions=8)["verdict"]
        chances.append((verdicts == ("balanced" if abs(truth) < 2 else "outside")).mean())
    assert 0.77 < max(chances) < 0.83


@pytest.mark.parametrize("truth", [0.0, 1.0, 1.9, 3.5, 6.0])
def test_at_least_so_many_games_is_right_in_95_of_100_pilots(truth):
    """What is needed were the truth known; of a figure near the margin it was said to be thousands to millions."""
    drawn = truth + np.random.default_rng(4).normal(size=4000)
    said = judged_figures(drawn, 1.0, questions=8).query("verdict == 'undecided'")["games_to_decide"]
    quantile = stats.norm.isf(0.025 / 8)
    needed = 1000 / error_that_decides(truth, 2.0, quantile) ** 2
    assert (said > max(np.ceil(needed), 1001)).sum() / len(drawn) < 0.055


def test_wrong_verdicts_are_rare_at_the_margin():
    """Eight leaders exactly at the margin: any verdict on any of them, in either direction, in at most 5% of tables."""
    truth = np.tile([2.0, -2.0], (1000, 4))
    drawn = truth + 0.2 * np.random.default_rng(2).normal(size=truth.shape)
    verdicts = judged_figures(drawn.ravel(), 0.2, questions=8)["verdict"].to_numpy().reshape(truth.shape)
    assert (verdicts != "undecided").any(axis=1).mean() < 0.065


def test_two_sides_of_one_question_count_once():
    assert distinct([1.0, -1.0], [0.1, 0.1]) == 1
    assert distinct([1.0, -2.0], [0.1, 0.1]) == 2
    assert distinct([1.0, -1.0, 3.0, -3.0, 5.0], [0.1, 0.1, 0.1, np.nan, 0.1], list("aabbc")) == 3
    found = rate_difference("points", [30, 70], [100, 100], [50, 50], [100, 100], ["x", "x"])
    assert found["p_adjusted"].tolist() == found["p"].tolist()


def test_the_more_careful_of_test_and_interval_decides_for_both():
    """Newcombe's interval and the exact test of few cases disagree near 5%: p and interval say the same in the end."""
    rng = np.random.default_rng(3)
    n, other = rng.integers(20, 400, 3000), rng.integers(20, 4000, 3000)
    wins, other_wins = rng.binomial(n, 0.05), rng.binomial(other, 0.02)
    found = rate_difference("points", wins, n, other_wins, other)
    alone = [rate_difference("points", *([x[i]] for x in (wins, n, other_wins, other))) for i in range(300)]
    for one in (found, {name: np.concatenate([a[name] for a in alone]) for name in found}):
        out = (one["points_all_low"] > 0) | (one["points_all_high"] < 0)
        assert (out == (one["p_adjusted"] <= 0.05)).all()
    assert 0 < sum(float(a["p"][0]) <= 0.05 for a in alone) < 300


def test_a_rate_is_tested_against_a_share_by_its_own_interval():
    found = against_share("rate", [30, 50, 5], [100, 100, 10], 0.3, least=20)
    assert np.isnan(found["p"][2])
    assert found["p"][0] == 1
    assert found["p_adjusted"][1] == pytest.approx(2 * found["p"][1])
    z = float(stats.norm.isf(0.0125))
    low = (0.5 + z**2 / 200 - z * np.sqrt(0.25 / 100 + z**2 / 4e4)) / (1 + z**2 / 100)
    assert found["rate_all_low"][1] == pytest.approx(low)
