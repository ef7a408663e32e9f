"""Planted plays: every interval covers, agreement is seldom rejected where it is true, and what is there is found."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from planted import LEADERS, ORDER, STRENGTH, planted, run_of, way_of
from scipy import stats
from scipy.stats import norm

from newdawn.analysis.questions.plays import compared, without_absent
from newdawn.analysis.stats.inference import exact_ends
from newdawn.analysis.stats.verdicts import DIFFERENT, detectable, games_for_all, quantile_for
from newdawn.analysis.tables import real_plays
from newdawn.analysis.tables.logit import chances
from newdawn.analysis.tables.real_plays import (
    EQUAL,
    StrategyRuns,
    agreement,
    forecast_of,
    leaders_beside,
    scored,
)

OTHER = STRENGTH[::-1] * 1.2


@cache
def way(strategy="quick"):
    return way_of(1, STRENGTH, "quick") if strategy == "quick" else way_of(2, OTHER, "warrior")


def rates_at_balanced_tables(strength, players=4):
    tables = np.array(list(combinations(range(len(strength)), players)))
    wins = np.bincount(tables.ravel(), chances(np.asarray(strength)[tables]).ravel(), len(strength))
    return wins / np.bincount(tables.ravel(), minlength=len(strength))


def held(low, true, high):
    low, high, true = (np.asarray(value, float) for value in (low, high, true))
    there = ~np.isnan(low)
    return ((low <= true + 1e-12) & (true <= high + 1e-12))[there].mean()


def sampled(repeats, n, ask, seed=1, **more):
    """Return the means of what is asked of planted plays."""
    found = [ask(planted(np.random.default_rng([seed, n, k]), n, **more)) for k in range(repeats)]
    return np.mean(found, axis=0)


def rate_and_difference(case):
    """Return whether rate and difference are held, alone and together, and whether agreement is rejected."""
    plays = without_absent(case.plays)
    test = agreement(forecast_of(way(), plays), plays, draws=400)
    frame = leaders_beside(plays, [test])
    n = plays.counts(np.ones_like(plays.won))
    true = plays.counts(case.chance) / n
    together = held(frame["points_all_low"], 0, frame["points_all_high"]) == 1
    alone = held(frame["points_low"], 100 * (true - frame["expected_rate"]), frame["points_high"])
    return held(frame["win_rate_low"], true, frame["win_rate_high"]), alone, together, test.p <= 0.05


@pytest.mark.soak
def test_intervals_hold_and_agreement_is_seldom_rejected_where_it_is_true():
    rate, alone, together, rejected = sampled(60, 80, rate_and_difference)
    assert 0.93 < rate < 0.98
    assert 0.93 < alone < 0.98
    assert together >= 0.93
    assert rejected <= 0.08


@pytest.mark.calibration
@pytest.mark.parametrize("n", [40, 80, 300])
@pytest.mark.parametrize("more", [{}, {"ordered": False}, {"sizes": (3,)}])
def test_coverage_of_rates_and_error_of_the_test(n, more):
    rate, alone, together, rejected = sampled(600, n, rate_and_difference, **more)
    assert 0.93 <= rate <= 0.97
    assert 0.93 <= alone <= 0.97
    chance = norm.isf(0.05 / 9) * np.sqrt(0.05 * 0.95 / 600)  # nine such samples are drawn here
    assert together >= 0.95 - chance
    assert rejected <= 0.05 + chance


# --- People who play better, and take the same leader


def with_people(seed):
    rng = np.random.default_rng(seed)
    return planted(rng, 120, known=True, skill=rng.normal(0, 0.8, 6), favourite=True)


def rejected_with_people(repeats, known=True):
    found = []
    for seed in range(repeats):
        plays = with_people(seed).plays
        if not known:
            plays = type(plays)(plays.leaders, (), plays.leader, np.full_like(plays.person, -1), plays.order, plays.won)
        found.append(agreement(forecast_of(way(), plays), plays, draws=400).p <= 0.05)
    return np.mean(found)


def test_skill_is_not_taken_for_a_leader_s_strength():
    assert rejected_with_people(30) <= 0.1
    assert rejected_with_people(30, known=False) >= 0.3  # so it would be, were people not known


@pytest.mark.calibration
def test_skill_is_not_taken_for_a_leader_s_strength_in_many_plays():
    assert rejected_with_people(400) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)


# --- What is there is found


def found_at_the_detectable_difference(repeats, n, leader, sign):
    """Return how often agreement is rejected if one leader is off, this way, by what is said to be found with 80%."""
    many = planted(np.random.default_rng(0), 3_000).plays
    utility, mine = forecast_of(way(), many).utility, many.leader == leader
    steps = np.linspace(0, 5, 80)
    points = [100 * abs((chances(utility + sign * x * mine) - chances(utility))[mine].mean()) for x in steps]
    rejected = []
    for seed in range(repeats):
        own = planted(np.random.default_rng([5, seed]), n).plays
        off = agreement(forecast_of(way(), own), own, draws=400).detectable[leader]
        strength = STRENGTH + sign * np.interp(off, points, steps) * (np.arange(len(LEADERS)) == leader)
        plays = planted(np.random.default_rng([6, seed]), n, strength).plays
        rejected.append(agreement(forecast_of(way(), plays), plays, draws=400).p <= 0.05)
    return np.mean(rejected)


@pytest.mark.soak
def test_a_difference_that_is_said_to_be_seen_is_found_more_often_than_not():
    assert 0.6 < found_at_the_detectable_difference(25, 150, leader=7, sign=1) <= 1


@pytest.mark.calibration
@pytest.mark.parametrize("n", [80, 300])
def test_power_is_what_is_said(n):
    found = [found_at_the_detectable_difference(150, n, leader, sign) for leader in (0, 4, 7) for sign in (1, -1)]
    assert 0.75 <= np.mean(found) <= 0.9
    assert min(found) > 0.65


def test_the_nearest_way_is_told_with_enough_plays_and_left_open_with_few():
    case = planted(np.random.default_rng(3), 900).plays
    frame = scored([forecast_of(way("warrior"), case), forecast_of(way(), case)], case).set_index("way")
    assert frame.index[0] == "quick"
    assert frame.loc["quick", "verdict"] == "nearest"
    assert frame.loc[["warrior", EQUAL], "verdict_key"].tolist() == ["FURTHER"] * 2
    few = planted(np.random.default_rng(4), 30).plays
    frame = scored([forecast_of(way("warrior"), few), forecast_of(way(), few)], few)
    assert "nearest" not in set(frame["verdict"])
    assert frame["plays_fewest"].max() > 30
    # What is planned is the verdict of the table, all that is open together: with the quantile of the three pairs.
    rows, told = frame[frame["plays_fewest"].notna()], 1.0
    assert rows["plays_fewest"].nunique() == 1
    for row in rows.to_dict("records"):
        error = (row["behind_high"] - row["behind_low"]) / 2 / stats.t.isf(0.05 / 3 / 2, 29)
        own = stats.t.isf(0.025, 29) * error
        told *= norm.cdf((row["behind"] + own) / (error * np.sqrt(30 / row["plays_fewest"])) - 2.394)
        assert np.isinf(row["plays_most"]) == (abs(row["behind"]) <= own)  # equal is among what these plays allow
    assert told == pytest.approx(0.8, abs=0.02) or rows["plays_fewest"].iloc[0] == 31


@pytest.mark.calibration
@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_planned_plays_tell_the_nearest_as_often_as_promised(number):
    """Scores that are normal, of so many strategies and of equal chances: with one candidate and with several."""
    rng, gaps, told = np.random.default_rng(11), np.array([0.1] * number), 0
    pairs = (number + 1) * number // 2
    n = int(games_for_all(gaps, np.ones(number), 1, 0.0, quantile_for(pairs), DIFFERENT))
    for _ in range(400):
        best, others = rng.normal(0, 0.7, n), rng.normal(0, 0.714, (number, n))  # differences with a deviation of 1
        behind = best + others + gaps[:, None]
        error = behind.std(axis=1, ddof=1) / np.sqrt(n)
        told += (behind.mean(axis=1) > stats.t.isf(0.05 / pairs / 2, n - 1) * error).all()
    assert 0.77 <= told / 400 <= 0.87


@pytest.mark.calibration
@pytest.mark.parametrize("n", [80, 300])
def test_the_detectable_difference_of_a_leader_is_that_of_its_verdict(n):
    rng, share, questions, found = np.random.default_rng(12), 0.27, 16, 0
    off = detectable(n, share, 0.01, questions)
    for _ in range(500):
        wins, expected = rng.binomial(n, share + off), rng.normal(share, 0.01)
        low, _ = (wins / n - end for end in exact_ends(wins, n)(1 - 0.05 / questions))
        reach = norm.isf(0.05 / questions / 2) * 0.01
        found += wins / n - expected - np.hypot(low, reach) > 0
    assert 0.75 <= found / 500 <= 0.88


def nearness(case):
    """Return whether the interval of the difference of two ways' scores, for all three pairs together, holds the true one."""
    plays = case.plays
    one, other = forecast_of(way(), plays), forecast_of(way("warrior"), plays)
    frame = scored([one, other], plays).set_index("way")
    best, last = (one, other) if frame.index[frame.index != EQUAL][0] == "quick" else (other, one)
    gap = np.log(np.where(plays.occupied, chances(best.utility), 1)) - np.log(
        np.where(plays.occupied, chances(last.utility), 1)
    )
    row = frame.loc[last.way.name]
    return row["behind_low"] <= (case.chance * gap).sum(axis=1).mean() <= row["behind_high"]


@pytest.mark.calibration
def test_intervals_of_nearness_hold():
    assert sampled(600, 80, nearness) >= 0.95  # for all pairs together, so each of them more often


# --- Plays and simulation together


def estimated(seed, n, deviation, ways=("quick",), repeats=1):
    """Return how often estimates hold the truth where people's leaders deviate so, their width, and the weight of plays."""
    rng = np.random.default_rng([9, seed])
    sd = rng.choice(real_plays.DEVIATIONS, p=real_plays.prior(real_plays.DEVIATIONS)) if deviation is None else deviation
    strength = STRENGTH + rng.normal(0, sd, len(LEADERS))
    plays = planted(rng, n, strength).plays
    found = real_plays.pooled([forecast_of(way(name), plays) for name in ways], plays, 4, draws=500)
    true = rates_at_balanced_tables(strength)
    return held(found.low, true, found.high), (found.high - found.low).mean(), found.weight.mean(), found.ways.get("quick")


def test_estimates_hold_the_truth_and_weigh_what_plays_say():
    few = np.mean([estimated(seed, 80, None) for seed in range(40)], axis=0)
    many = np.mean([estimated(seed, 600, None) for seed in range(10)], axis=0)
    assert 0.90 < few[0] < 0.99
    assert many[1] < few[1] / 1.5  # narrower
    assert many[2] > few[2]  # and more of it from plays
    alike, apart = (np.mean([estimated(seed, 400, sd)[2] for seed in range(5)]) for sd in (0.0, 0.8))
    assert alike < 0.5 < apart  # the weight is learned: plays that are like the simulation leave it its own


def test_the_way_that_foretells_best_is_the_base():
    found = [estimated(seed, 300, 0.0, ("quick", "warrior"))[3] for seed in range(3)]
    assert min(found) > 0.9


@pytest.mark.calibration
@pytest.mark.parametrize("n", [40, 80, 300])
def test_coverage_of_estimates(n):
    """Deviations as the method supposes them; where there are none it cannot know that, and holds the truth more often."""
    assert 0.93 <= np.mean([estimated(seed, n, None)[0] for seed in range(500)]) <= 0.97
    assert np.mean([estimated(seed, n, 0.0)[0] for seed in range(200)]) >= 0.95
    assert np.mean([estimated(seed, n, 0.4)[0] for seed in range(200)]) >= 0.90


def test_a_leader_that_no_game_of_the_usual_size_knows_has_no_estimate():
    rng = np.random.default_rng(5)
    some, all_ = run_of(rng, 4, games=2_000), run_of(rng, 3, games=2_000)
    some.seats = some.seats[some.seats.groupby("game_id")["leader"].transform(lambda one: ~one.eq(LEADERS[0]).any())]
    case = planted(rng, 200, sizes=(3, 4)).plays
    limited = StrategyRuns("quick", [some, all_])
    plays = case.where(limited.knows(case))
    assert len(plays) < 200
    found = compared(plays, [forecast_of(limited, plays)], [], [])
    assert found.sizes[3] > found.sizes[4]
    rates = real_plays.pooled([forecast_of(limited, plays)], plays, 4, draws=300).rate
    assert np.isnan(rates[0])
    assert np.nansum(rates) == pytest.approx(7 / 4)


def test_all_tables_of_a_comparison():
    case = planted(np.random.default_rng(8), 90, known=True).plays
    found = compared(case, [forecast_of(way(), case), forecast_of(way("warrior"), case)], [], [])
    assert found.sizes == {2: 30, 3: 30, 4: 30}
    leaders = found.tables["leaders"]
    assert len(leaders) == 2 * len(LEADERS)
    fair = (leaders["fair_share"] * leaders["n"]).sum() / 2
    assert fair == pytest.approx(90)  # each play is one win to share
    assert (leaders["wins"].sum()) == pytest.approx(2 * 90)
    assert (leaders["expected_rate"] * leaders["n"]).sum() == pytest.approx(2 * 90)
    assert found.people == 6
    assert ORDER.sum() == pytest.approx(0)
