"""What a fit leaves over: score tests that find nothing where nothing is, whatever the mix of players, and what is planted."""

from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from known import KnownRun, draw, seated, tables
from scipy import optimize, special

from newdawn.analysis.stats.inference import skewed, skewed_ends
from newdawn.analysis.tables.leader_strength import LeaderStanding, by_cards, turn_order
from newdawn.analysis.tables.logit import fit_logit, left_over, outcomes, slopes
from newdawn.analysis.tables.matchup import interactions, matchups
from newdawn.simulator import names
from newdawn.simulator.errors import UserError

STRENGTH = np.array([0.12, -0.12, 0.35, -0.32, 0.95, -0.36, -0.16, -0.72])
PLAYS = np.array([0.0, -1.2, -2.0])  # three players, the first the best by far
POOLS = {"90/6/4": (0.9, 0.06, 0.04), "18/1/1": (0.9, 0.05, 0.05), "tied": (0.9, 0.06, 0.04)}
MAIN = np.array([0, 0, 0, 0, 0, 1, 1, 2])  # who plays each leader in nine games of ten, where leaders are tied to players


def pool_run(rng, games, pool, strength=STRENGTH, plays=PLAYS, bonus=0.0):
    """Return a run in which leaders and players add up; `bonus` is that of the last leader with the second player."""
    leaders, order, cards = seated(rng, games, 4)
    drawn = rng.choice(3, leaders.shape, p=POOLS[pool])
    if pool == "tied":
        drawn = np.where(rng.random(leaders.shape) < 0.9, MAIN[leaders], drawn)
    utility = np.asarray(strength)[leaders] + plays[drawn] + bonus * ((leaders == 7) & (drawn == 1))
    return KnownRun(tables(leaders, order, cards, draw(rng, utility), strategies=drawn, rng=rng), 4, pieces=1)


def falsely(rng, pool, games, repeats):
    """Return in how many runs an interaction is found where there is none, and how many of the rows' intervals hold 0."""
    found, held = 0, []
    for _ in range(repeats):
        frame = interactions(outcomes(pool_run(rng, games, pool), cards=False), 0.25)
        found += bool((frame["p_adjusted"] <= 0.05).any())
        sure = frame[frame["p"].notna()]
        held += ((sure["interaction_low"] <= 0) & (sure["interaction_high"] >= 0)).tolist()
    return found, held


@pytest.mark.calibration
@pytest.mark.parametrize("pool", POOLS)
def test_a_rare_player_makes_no_interaction(pool):
    """Of twelve runs of each pool none, or one by chance: what pairs with hardly a win seem to be moves no other pair."""
    found, held = falsely(np.random.default_rng(1), pool, 1500, 12)
    assert found <= 2
    assert np.mean(held) > 0.9


@pytest.mark.calibration
@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize(("games", "repeats"), [(300, 200), (1000, 200), (3000, 100)])
def test_interactions_are_as_rarely_found_as_promised_whatever_the_pool(pool, games, repeats):
    found, held = falsely(np.random.default_rng([2, games]), pool, games, repeats)
    assert found <= 0.05 * repeats + 2 * np.sqrt(0.05 * 0.95 * repeats)
    if len(held) > 400:
        assert 0.92 < np.mean(held) < 0.98


def test_a_leader_that_needs_a_rare_player_is_found_and_sized():
    """One pair's bonus of 1.2 in log odds, with a player of one game in seventeen: 24 points of a fair share."""
    frame = interactions(outcomes(pool_run(np.random.default_rng(3), 8000, "90/6/4", bonus=1.2), cards=False), 0.25)
    row = frame[(frame["leader"] == names.LEADERS[7]) & (frame["strategy"] == "calm")].iloc[0]
    true = 100 * (special.expit(special.logit(0.25) + 1.2) - 0.25)
    assert row["p_adjusted"] < 0.05
    assert row["interaction_low"] <= true <= row["interaction_high"]
    assert 10 < row["expected"] < row["decided"] / 10


def test_the_score_is_that_of_the_log_likelihood():
    """Score and information are the derivatives of the log likelihood along a column, the fitted parameters following."""
    run = pool_run(np.random.default_rng(4), 400, "18/1/1")
    data = outcomes(run, cards=False)
    fit = fit_logit(data)

    def rome_second(t, part, chance):
        return ((t.codes["leader"][part] == 5) & (t.codes["order"][part] == 1))[:, :, None].astype(float)

    left = left_over(lambda: slopes(data, fit), rome_second, fit.inverse, fit.score)
    seats = run.tables["seats"]
    chosen = ((seats["leader"] == names.LEADERS[5]) & (seats["order"] == 2)).to_numpy(float)
    design = pd.get_dummies(seats[["leader", "strategy", "order"]].astype(str)).to_numpy(float)
    won = seats["won"].to_numpy().reshape(-1, 4)

    def loss(parameters, bonus):
        utility = (design @ parameters + bonus * chosen).reshape(-1, 4)
        return float(
            (won * (special.logsumexp(utility, axis=1, keepdims=True) - utility)).sum() + 1e-6 * parameters @ parameters
        )

    def profile(bonus):
        return -optimize.minimize(loss, np.zeros(design.shape[1]), args=(bonus,), options={"gtol": 1e-6}).fun

    low, middle, high = (profile(bonus) for bonus in (-0.2, 0.0, 0.2))
    assert left.score[0] == pytest.approx((high - low) / 0.4, rel=0.05, abs=0.15)
    assert left.variance[0] == pytest.approx(-(high - 2 * middle + low) / 0.04, rel=0.05)


@pytest.mark.parametrize("skew", [-0.8, -0.2, 0.0, 0.5])
@pytest.mark.parametrize("estimate", [1.0, -1.0])
def test_skewed_intervals_end_at_zero_where_their_p_value_says(skew, estimate):
    ends, side = skewed_ends(estimate, 0.5, skew), 0 if estimate > 0 else 1
    level = optimize.brentq(lambda confidence: float(ends(confidence)[side]), 0.5, 0.99999)
    assert skewed(estimate, 0.5, skew) == pytest.approx(1 - level)


# --- Leaders by several players, few games each


def own_mix(rng, games, strength=0.0):
    """Return a run of two players, of whom each leader has a mix of its own: the strong one nine games of ten, or one."""
    leaders, order, cards = seated(rng, games, 4)
    drawn = (rng.random(leaders.shape) > np.where(np.arange(8) % 2, 0.9, 0.1)[leaders]).astype(int)
    utility = np.array([0.0, -1.5])[drawn] + strength * (leaders == 0)
    return KnownRun(tables(leaders, order, cards, draw(rng, utility), strategies=drawn, rng=rng), 4, pieces=1)


def told(rng, games, repeats):
    """Return in how many runs of equal leaders one is said to differ, and in how many a place does."""
    leaders = places = 0
    for _ in range(repeats):
        standing = LeaderStanding(own_mix(rng, games))
        leaders += bool((standing.leaders["p_adjusted"] <= 0.05).any())
        with suppress(UserError):  # now and then so few games cannot separate places from players, and nothing is said
            places += bool((turn_order(standing.outcomes)["p_adjusted"] <= 0.05).any())
    return leaders, places


@pytest.mark.calibration
@pytest.mark.parametrize("games", [60, 120, 190])
def test_the_strength_of_a_player_is_not_told_of_its_leader(games):
    """As played, 14, 29 and 37 of 40 runs named a leader, for those that the strong player played won most."""
    leaders, places = told(np.random.default_rng(games), games, 15)
    assert leaders <= 2
    assert places <= 3


@pytest.mark.calibration
@pytest.mark.parametrize("games", [15, 30, 60, 120, 190, 300])
def test_leaders_by_several_players_are_as_rarely_named_as_promised(games):
    leaders, places = told(np.random.default_rng([5, games]), games, 200)
    assert leaders <= 16  # 5% of 200 and two standard errors
    assert places <= 16


def test_a_strong_leader_is_found_in_few_games_of_several_players():
    frame = LeaderStanding(own_mix(np.random.default_rng(6), 180, strength=2.5)).leaders.set_index("leader")
    row = frame.loc[names.LEADERS[0]]
    assert row["small_sample"]
    assert row["p_adjusted"] < 0.05
    assert row["points_all_low"] > 0
    assert row["adjusted_rate"] == pytest.approx(0.25 + row["points"] / 100)


def test_where_players_cannot_be_taken_out_no_leader_is_tested():
    """Ten games are fewer than the effects of leaders, places and players: no row falls back to the games as played."""
    standing = LeaderStanding(own_mix(np.random.default_rng(7), 10))
    try:
        frame = standing.leaders
    except (UserError, AssertionError):
        return
    assert frame["p"].isna().all()
    assert any("none is tested" in note for note in standing.notes)


# --- Pairs and cards


@pytest.mark.calibration
@pytest.mark.parametrize(("pool", "games", "repeats"), [("90/6/4", 500, 150), ("90/6/4", 2000, 60), ("18/1/1", 500, 150)])
def test_pairs_and_cards_are_as_rarely_found_as_promised_whatever_the_pool(pool, games, repeats):
    rng, found, held = np.random.default_rng([8, games]), {"pairs": 0, "cards": 0}, {"pairs": [], "cards": []}
    for _ in range(repeats):
        data = outcomes(pool_run(rng, games, pool))
        for name, figure, frame in (("pairs", "remainder", matchups(data)), ("cards", "points", by_cards(data))):
            found[name] += bool((frame["p_adjusted"] <= 0.05).any())
            sure = frame[frame["p"].notna()]
            held[name] += ((sure[f"{figure}_low"] <= 0) & (sure[f"{figure}_high"] >= 0)).tolist()
    for name, number in found.items():
        assert number <= 0.05 * repeats + 2 * np.sqrt(0.05 * 0.95 * repeats)
        assert 0.93 < np.mean(held[name]) < 0.97
