"""The conditional logit finds what was put into the games, and its intervals cover it as often as they say."""

import time
from itertools import permutations, product

import matplotlib
import numpy as np
import pandas as pd
import pytest
from known import KnownRun, category, chances, draw, known_run, seated, tables
from scipy import stats
from scipy.integrate import quad

from newdawn.analysis.pages.plots import plot_matchups, plot_strengths
from newdawn.analysis.stats.inference import exact_against_share, exact_ends, holm, simultaneous_ranks, two_sided, weight_of
from newdawn.analysis.tables import matchup
from newdawn.analysis.tables.decoded_games import CARDS
from newdawn.analysis.tables.leader_strength import by_cards, factor_tests, leader_spread, strengths, turn_order
from newdawn.analysis.tables.logit import Outcomes, TableOutcomes, fit_logit, line_ups, outcomes
from newdawn.analysis.tables.matchup import chances_and_slopes, fit_noise, matchup_matrix, matchup_table, matchups
from newdawn.simulator import names
from newdawn.simulator.errors import UserError

matplotlib.use("Agg")
STRENGTH = np.array([-0.3, 0.2, 0.0, -0.1, 0.1, 0.0, 0.4, -0.3])
ORDER = np.array([0.15, 0.05, -0.05, -0.15])


@pytest.fixture(scope="module")
def run():
    return known_run(np.random.default_rng(1), 20_000, STRENGTH, order_effect=ORDER, unfinished=0.01)


def true_rates(strength, order_effect=ORDER):
    """Return each leader's win rate at balanced tables, by going through all line-ups."""
    seats = line_ups(len(strength), 4, True)
    chance = chances(strength[seats] + order_effect)
    return np.array([chance[seats == leader].mean() for leader in range(len(strength))])


def test_strengths_are_found(run):
    frame = strengths(run).set_index("leader").loc[list(names.LEADERS)]
    error = frame["error"].to_numpy()
    assert np.all(np.abs(frame["log_odds"] - STRENGTH) < 3.5 * error)
    assert np.all(error < 0.025)
    assert np.allclose(frame["odds_ratio"], np.exp(frame["log_odds"]))
    reach = frame["adjusted_rate_high"] - frame["adjusted_rate"]
    assert np.all(np.abs(frame["adjusted_rate"] - true_rates(STRENGTH)) < 1.8 * reach)
    assert frame["adjusted_rate"].mean() == pytest.approx(0.25, abs=1e-3)
    assert frame.loc["Scythia", ["rank", "rank_best", "rank_worst"]].tolist() == [1, 1, 1]
    assert frame.loc["Scythia", "chance_first"] == 1
    assert set(frame["unfinished"]) == {int((run.tables["games"]["ending"] != "victory").sum())}


def test_turn_order_is_found_and_the_seat_is_silent(run):
    frame = turn_order(run)
    assert np.all(np.abs(frame["log_odds"] - ORDER) < 3.5 * frame["error"])
    assert frame["points"].is_monotonic_decreasing
    tests = factor_tests(run).set_index("factor")
    assert tests.loc["leader", "p_holm"] < 1e-10
    assert tests.loc["order of 4", "p_holm"] < 1e-10
    assert tests.loc["seat", "p_holm"] > 0.01


@pytest.mark.parametrize("function", [strengths, turn_order])
def test_what_is_tested_is_what_is_printed(function):
    """One is strong: those above the average on the log scale are below the fair share, and that is what is tested."""
    strength, order = np.array([3.5, 0.7, 0.7, 0.7, -0.3, -0.3, -0.3, -0.3]), np.array([1.6, 0.5, -0.3, -0.3])
    frame = function(known_run(np.random.default_rng(20), 1500, strength, order_effect=order))
    error = (frame["points_high"] - frame["points_low"]) / (2 * 1.959964)
    rate, share = frame["adjusted_rate"], frame["fair_share"]
    there = error * np.sqrt(share * (1 - share) / (rate * (1 - rate)))  # the error at the fair share: a score test
    assert np.allclose(frame["p"], two_sided(frame["points"], there))
    assert (np.sign(frame["points"]) != np.sign(frame["log_odds"])).any()
    out = (frame["points_all_low"] > 0) | (frame["points_all_high"] < 0)
    assert (out == (frame["p_adjusted"] <= 0.05)).all()
    fair = frame["fair_share"]
    assert (out == ((frame["adjusted_rate_all_low"] > fair) | (frame["adjusted_rate_all_high"] < fair))).all()


def test_pieces_and_their_categories_do_not_matter(run):
    shuffled = {name: table.sample(frac=1, random_state=1) for name, table in run.tables.items()}
    words = list(reversed(names.LEADERS))
    shuffled["seats"] = shuffled["seats"].assign(leader=lambda frame: frame["leader"].cat.reorder_categories(words))
    other = strengths(KnownRun(shuffled, 4, pieces=7))
    pd.testing.assert_frame_equal(strengths(run), other)


def test_tables_once_read_serve_every_question(run):
    data = outcomes(run)
    pd.testing.assert_frame_equal(strengths(data), strengths(run))
    pd.testing.assert_frame_equal(matchups(data), matchups(run))
    pd.testing.assert_frame_equal(by_cards(data), by_cards(run))


def test_two_seats_are_the_bradley_terry_model():
    """With two leaders the estimate is the log odds of the wins."""
    run = known_run(np.random.default_rng(2), 900, STRENGTH, players=2)
    seats = run.tables["seats"]
    both = seats[seats["leader"].isin(["Rome", "Egypt"])].groupby("game_id").filter(lambda game: len(game) == 2)
    games = run.tables["games"][run.tables["games"]["game_id"].isin(both["game_id"])]
    duel = KnownRun({"seats": both, "games": games}, 2, pieces=1)
    duel.edges = [0, 900]
    frame = strengths(duel, factors=("leader",)).set_index("leader")
    wins = both.groupby("leader", observed=True)["won"].sum()
    # One added game is shared by both.
    expected = np.log((wins["Rome"] + 0.5) / (wins["Egypt"] + 0.5))
    assert 2 * frame.loc["Rome", "log_odds"] == pytest.approx(expected)
    assert len(frame) == 2


@pytest.mark.calibration
def test_intervals_cover_at_the_stated_rate():
    """95% intervals of log odds and of rates, and simultaneous rank sets, with a shared win now and then."""
    rng, repeats = np.random.default_rng(3), 120
    truth = STRENGTH - STRENGTH.mean()
    rates = true_rates(STRENGTH, np.zeros(4))
    covered, covered_rate, ranks_hold = 0, 0, 0
    order = stats.rankdata(-truth, method="min"), stats.rankdata(-truth, method="max")
    for _ in range(repeats):
        frame = strengths(known_run(rng, 700, STRENGTH, pieces=1)).set_index("leader").loc[list(names.LEADERS)]
        covered += int((np.abs(frame["log_odds"] - truth) <= 1.96 * frame["error"]).sum())
        covered_rate += int(((frame["adjusted_rate_low"] <= rates) & (rates <= frame["adjusted_rate_high"])).sum())
        ranks_hold += bool(np.all((frame["rank_best"] <= order[0]) & (order[1] <= frame["rank_worst"])))
    n = repeats * len(names.LEADERS)
    assert 0.93 < covered / n < 0.97
    assert 0.93 < covered_rate / n < 0.97
    assert ranks_hold / repeats > 0.93


def test_shared_wins_count_in_parts():
    """Half a win each pulls two leaders together; the games are not lost."""
    rng = np.random.default_rng(4)
    leaders, order, cards = seated(rng, 4000, 4)
    won = draw(rng, STRENGTH[leaders], shared=1.0)
    fit = fit_logit(outcomes(KnownRun(tables(leaders, order, cards, won), 4)))
    assert fit.finished == 4000
    log_odds, _ = fit.effects("leader")
    assert np.abs(log_odds).max() < 0.5 * np.abs(STRENGTH).max() + 0.3
    assert log_odds[list(names.LEADERS).index("Scythia")] > 0


def test_the_cluster_is_the_game():
    """Sandwich errors of single winners agree with the model's own; halved wins vary less, and the errors say so."""
    rng = np.random.default_rng(5)
    leaders, order, cards = seated(rng, 6000, 4)
    errors = []
    for shared in (0.0, 1.0):
        won = draw(rng, np.zeros(8)[leaders], shared)
        fit = fit_logit(outcomes(KnownRun(tables(leaders, order, cards, won), 4)), ("leader",))
        errors.append(np.sqrt(np.diag(fit.effects("leader")[1])).mean())
    assert errors[1] < 0.8 * errors[0]


def test_a_planted_leader_of_three_points_is_found():
    """+3 points: found, asked of all leaders together, in nearly every run of 10,000 games, and sized within its interval."""
    bonus = 0.1538  # 28.0% against 25%
    planted = np.where(np.array(names.LEADERS) == "Japan", bonus, 0.0)
    truth = 100 * (true_rates(planted, np.zeros(4)) - 0.25)
    japan = list(names.LEADERS).index("Japan")
    assert truth[japan] == pytest.approx(3, abs=0.1)
    rng, found, covered = np.random.default_rng(6), 0, 0
    for _ in range(20):
        frame = strengths(known_run(rng, 10_000, planted, pieces=1)).set_index("leader")
        found += frame.loc["Japan", "p_adjusted"] < 0.05 and frame.loc["Japan", "rank_best"] == 1
        covered += frame.loc["Japan", "points_low"] <= truth[japan] <= frame.loc["Japan", "points_high"]
    assert found >= 18
    assert covered >= 17


@pytest.mark.calibration
def test_equal_leaders_are_rarely_told_apart():
    rng, false = np.random.default_rng(7), 0
    for _ in range(200):
        log_odds, covariance = fit_logit(outcomes(known_run(rng, 400, np.zeros(8), pieces=1))).effects("leader")
        false += bool((holm(two_sided(log_odds, np.sqrt(np.diag(covariance)))) < 0.05).any())
    assert false / 200 <= 0.08  # 5% and two standard errors


@pytest.mark.calibration
@pytest.mark.parametrize(("games", "repeats"), [(15, 150), (30, 150), (100, 100)])
def test_few_games_tell_nobody_apart_who_wins_by_lot(games, repeats):
    """5% of runs may name a leader that is above or below the fair share; exact tests name fewer. Places hold all eight."""
    rng, named, places = np.random.default_rng(games), 0, 0
    for _ in range(repeats):
        frame = strengths(known_run(rng, games, np.zeros(8), pieces=1))
        assert frame["small_sample"].all()
        named += bool((frame["p_adjusted"] <= 0.05).any())
        places += bool((frame["rank_best"] > 1).any())
    assert named / repeats <= 0.05
    assert places / repeats <= 0.05


@pytest.mark.calibration
def test_intervals_of_eighteen_leaders_hold_together():
    """Of 2,000 games, some 440 a leader: all eighteen intervals hold in 93 to 97% of 500 runs, and three errors."""
    rng, every, held = np.random.default_rng(18), (*names.LEADERS, *names.TI_LEADERS), 0
    for _ in range(500):
        leaders = np.argsort(rng.random((2_000, len(every))), axis=1)[:, :4]
        order = (np.arange(4)[None, :] - rng.integers(0, 4, 2_000)[:, None]) % 4
        won = draw(rng, np.zeros(leaders.shape))
        frames = tables(leaders % 8, order, np.zeros((2_000, 0), int), won, rng=rng)
        frames["seats"]["leader"] = category(leaders.ravel(), every)
        frame = strengths(KnownRun(frames, 4, pieces=1))
        assert len(frame) == len(every)
        held += bool(((frame["points_all_low"] <= 0) & (frame["points_all_high"] >= 0)).all())
    assert 0.93 - 3 * 0.011 < held / 500 < 0.97 + 3 * 0.008


def test_no_win_of_seven_says_little():
    """Of seven games 0.75⁷ = 13% would go without a win by chance alone; of 200 with 190 wins nothing would."""
    p = exact_against_share([0, 190, 3.5, 0], [7, 200, 14, 0], 0.25)
    assert p[0] == pytest.approx(2 * 0.75**7)
    assert p[1] < 1e-12
    assert p[2] == 1
    assert p[3] == 1
    low, high = exact_ends([0, 7, 3], [7, 7, 10])(0.95)
    assert low == pytest.approx([0, 0.025 ** (1 / 7), stats.beta.ppf(0.025, 3, 8)])
    assert high == pytest.approx([1 - 0.025 ** (1 / 7), 1, stats.beta.ppf(0.975, 4, 7)])


def test_strategies_are_taken_out():
    """A leader whose seats are played better is not stronger."""
    rng = np.random.default_rng(8)
    leaders, order, cards = seated(rng, 20_000, 4)
    bold = rng.random(leaders.shape) < np.where(leaders == 0, 0.8, 0.4)
    won = draw(rng, 0.8 * bold)
    run = KnownRun(tables(leaders, order, cards, won, strategies=bold.astype(int)), 4)
    frame = strengths(run).set_index("leader")
    assert frame.loc["America", "win_rate_low"] > 0.27
    assert abs(frame.loc["America", "points"]) < 1.5
    by_strategy = strengths(run, factor="strategy").set_index("strategy")
    assert by_strategy.loc["calm", "log_odds"] == pytest.approx(0.4, abs=0.05)


def test_factors_that_always_come_together_are_refused():
    rng = np.random.default_rng(9)
    leaders = np.tile([0, 1], (300, 1))
    run = KnownRun(tables(leaders, leaders, np.zeros((300, 3), int), draw(rng, 0.0 * leaders), strategies=leaders), 2)
    with pytest.raises(UserError, match="the effects of leader and"):
        strengths(run)


def test_a_leader_who_never_won_has_finite_figures():
    rng = np.random.default_rng(10)
    strength = np.zeros(8)
    strength[3] = -50
    frame = strengths(known_run(rng, 500, strength)).set_index("leader")
    row = frame.loc["France"]
    assert row["wins"] == 0
    assert np.isfinite(row[["log_odds", "error", "adjusted_rate"]].astype(float)).all()
    assert row["rank_best"] == row["rank_worst"] == 8


@pytest.mark.parametrize("strength", [-4.5, 4.5])
def test_hardly_a_win_and_hardly_a_loss_are_flagged(strength):
    """A leader who nearly always wins, or loses, has games enough and yet a rough interval: it is marked, others are not."""
    planted = np.where(np.array(names.LEADERS) == "Japan", strength, 0.0)
    run = known_run(np.random.default_rng(12), 600, planted, players=2, unfinished=0.1)
    frame = strengths(run).set_index("leader")
    assert (frame["n"] >= 100).all()
    assert frame.index[frame["small_sample"]].tolist() == ["Japan"]
    assert leader_spread(run)["small_sample"].all()
    cards = by_cards(run)
    japan = cards["leader"] == "Japan"
    assert cards.loc[japan, "small_sample"].all()
    assert cards.loc[cards["small_sample"], ["p", "p_adjusted"]].isna().all(axis=None)
    pairs = matchups(known_run(np.random.default_rng(14), 6000, planted, players=2))
    assert (pairs["decided"] >= 100).all()
    assert (pairs["small_sample"] == ((pairs["leader"] == "Japan") | (pairs["opponent"] == "Japan"))).all()


def test_places_that_hardly_win_are_flagged():
    run = known_run(np.random.default_rng(13), 1500, np.zeros(8), order_effect=np.array([0.0, 0.0, 0.0, -6.0]))
    assert turn_order(run)["small_sample"].tolist() == [False, False, False, True]
    assert not leader_spread(run)["small_sample"].any()


def test_games_that_do_not_vary_are_not_tested():
    """Two leaders who share every win: nothing to tell them apart by, and no error to do it with."""
    leaders = np.where(np.arange(200)[:, None] % 2, [[1, 0]], [[0, 1]])
    order = np.tile([0, 1], (200, 1))
    run = KnownRun(tables(leaders, order, np.zeros((200, 3), int), np.full((200, 2), 0.5)), 2)
    assert factor_tests(run, ("leader", "order"))[["chi2", "p", "p_holm"]].isna().all(axis=None)
    assert strengths(run)["points"].tolist() == pytest.approx([0, 0], abs=1e-9)


def test_too_few_games():
    with pytest.raises(UserError, match="too few"):
        strengths(known_run(np.random.default_rng(0), 6, STRENGTH, pieces=1))


def test_player_counts_have_models_of_their_own(run):
    three = known_run(np.random.default_rng(11), 3000, STRENGTH, players=3)
    both = strengths([run, three], by="players")
    assert both.groupby("players").size().to_dict() == {3: 8, 4: 8}
    assert set(both[both["players"] == 3]["fair_share"]) == {1 / 3}
    pooled = strengths([run, three]).set_index("leader")
    alone = strengths(run).set_index("leader")
    assert np.all(pooled["error"] < alone.loc[pooled.index, "error"])
    assert pooled["fair_share"].iloc[0] == pytest.approx((19_800 / 4 + 3000 / 3) / 22_800, abs=1e-3)
    with pytest.raises(UserError, match="expected players"):
        strengths(run, by="seat")


def test_matchups_find_a_pairing_beyond_strength():
    """Rome beats Egypt more often than their strengths say, at tables where both sit."""
    rng = np.random.default_rng(12)
    leaders, order, cards = seated(rng, 30_000, 4)
    rome, egypt = list(names.LEADERS).index("Rome"), list(names.LEADERS).index("Egypt")
    met = (leaders == rome).any(axis=1) & (leaders == egypt).any(axis=1)
    utility = STRENGTH[leaders] + 0.5 * ((leaders == rome) & met[:, None])
    frame = matchups(KnownRun(tables(leaders, order, cards, draw(rng, utility)), 4))
    found = frame[frame["p_adjusted"] <= 0.05]
    assert {("Rome", "Egypt"), ("Egypt", "Rome")} <= set(zip(found["leader"], found["opponent"], strict=True))
    square = {value: matchup_table(frame, value).set_index("leader").loc["Rome", "Egypt"] for value in ("win_rate", "surplus")}
    assert [text.endswith("*") for text in square.values()] == [True, False]  # a misfit of strengths has no star
    row = frame.set_index(["leader", "opponent"]).loc[("Rome", "Egypt")]
    assert row["surplus"] > 4
    assert row["remainder"] > 4
    assert row["remainder_all_low"] > 0
    assert ((frame["remainder_all_low"] > 0) | (frame["remainder_all_high"] < 0)).equals(frame["p_adjusted"] <= 0.05)
    questions = 28 * weight_of("pairs of leaders")  # a pair stands in two rows: one question
    alone = (questions * frame["p"]).clip(upper=1)
    assert frame["p_adjusted"].equals(np.maximum(alone, frame["whole_p"]).where(alone.notna()))  # only if the whole table is
    assert frame["whole_p"].nunique() == frame["whole_chi2"].nunique() == 1
    assert row["win_rate"] - row["expected"] == pytest.approx(row["surplus"] / 100)
    assert row["n"] == pytest.approx(30_000 * 4 * 3 / 8 / 7, rel=0.05)


def test_without_pairings_the_matchups_are_those_of_the_strengths(run):
    frame = matchups(run)
    assert frame["p_adjusted"].min() > 0.05
    square = matchup_matrix(frame)
    assert square.index[0] == "Scythia"
    values = square.to_numpy()
    assert np.allclose((values + values.T)[~np.eye(8, dtype=bool)], 1)


def test_the_errors_of_matchups_are_those_of_repeats():
    """Nothing is special: squares of surplus and remainder over their errors are 1 in the mean (0.5 without the fit's own)."""
    rng, squares = np.random.default_rng(21), {"surplus": [], "remainder": []}
    for _ in range(6):
        frame = matchups(known_run(rng, 600, STRENGTH, pieces=1))
        once = frame[frame["leader"] < frame["opponent"]]
        for name, found in squares.items():
            found.append((once[name] / ((once[f"{name}_high"] - once[name]) / 1.96)) ** 2)
    means = {name: float(np.mean(found)) for name, found in squares.items()}
    assert all(0.7 < mean < 1.35 for mean in means.values()), means


@pytest.fixture(scope="module")
def unequal():
    """Half a million games without pair effects whose leaders have noises of their own, at their expected counts."""
    seats = np.array(list(permutations(range(8), 4)))
    log_noise = np.log([0.7, 1.0, 1.3, 1.0, 0.8, 1.2, 1.0, 1.6])
    chance = chances_and_slopes(STRENGTH[seats], log_noise, seats)[0]
    chance /= chance.sum(axis=1, keepdims=True)
    games = np.full(len(seats), 500_000 / len(seats))
    wins = games[:, None] * chance
    codes = {"leader": seats, "order": np.broadcast_to(np.arange(4), seats.shape)}
    table = TableOutcomes(4, codes, games, games, wins, wins[:, :, None] * np.eye(4))
    return Outcomes({"leader": list(names.LEADERS)}, [table]), log_noise - log_noise.mean()


def test_leaders_of_unequal_noise_make_no_special_pairs(unequal):
    """The strengths misfit many pairs, and the null that has such noise explains them all."""
    frame = matchups(unequal[0], ("leader",))
    once = frame[frame["leader"] < frame["opponent"]]
    assert ((once["surplus_low"] > 0) | (once["surplus_high"] < 0)).sum() >= 7
    assert np.abs(once["remainder"]).max() < 0.1
    assert once["p"].min() > 0.5


def test_the_noise_of_each_leader_is_found(unequal):
    data, log_noise = unequal
    found = fit_noise(data, fit_logit(data, ("leader",))).log_noise
    assert found == pytest.approx(log_noise, abs=0.05)
    assert found.sum() == pytest.approx(0)


LEADERS = np.arange(200).reshape(50, 4)  # none sits at two tables


def test_the_noise_of_few_games_is_that_of_the_highest_likelihood():
    """Where games say little of the noises, scoring alone would stop far from there."""
    rng = np.random.default_rng(29)
    seats = np.array(list(permutations(range(8), 4)))
    codes = {"leader": seats, "order": np.broadcast_to(np.arange(4), seats.shape)}
    won = np.eye(4)[rng.integers(0, 4, len(seats))]
    games = np.ones(len(seats))
    data = Outcomes({"leader": list(names.LEADERS)}, [TableOutcomes(4, codes, games, games, won, won[:, :, None] * np.eye(4))])
    fit = fit_logit(data, ("leader",))
    found = fit_noise(data, fit)
    size = len(fit.parameters)
    penalty = np.zeros((len(found.parameters),) * 2)
    penalty[size:, size:] = found.basis.T @ found.basis / matchup.PRIOR**2
    _, gradient, information = matchup._derivatives(data, fit, found, size / fit.finished, penalty)
    assert np.abs(np.linalg.cholesky(np.linalg.inv(information)).T @ gradient).max() < 2 * matchup.CLOSE


def test_equal_noise_is_the_conditional_logit():
    utility = np.random.default_rng(24).normal(0, 0.7, (50, 4))
    assert chances_and_slopes(utility, np.zeros(200), LEADERS)[0] == pytest.approx(chances(utility), abs=3e-5)


def test_slopes_of_unequal_noise():
    utility = np.random.default_rng(24).normal(0, 0.7, (50, 4))
    spread = np.random.default_rng(25).normal(0, 0.3, (50, 4))
    _, by_utility, by_noise = chances_and_slopes(utility, spread.ravel(), LEADERS)
    for seat in range(4):
        step = 1e-5 * np.eye(4)[seat]
        sides = [[chances_and_slopes(utility + a * step, (spread + b * step).ravel(), LEADERS)[0] for a, b in both]
                 for both in (((1, 0), (-1, 0)), ((0, 1), (0, -1)))]  # fmt: skip
        assert (sides[0][0] - sides[0][1]) / 2e-5 == pytest.approx(by_utility[:, :, seat], abs=1e-6)
        assert (sides[1][0] - sides[1][1]) / 2e-5 == pytest.approx(by_noise[:, :, seat], abs=1e-6)


def test_chances_of_unequal_noise_are_those_of_the_integral():
    rng = np.random.default_rng(27)
    utility, spread = rng.normal(0, 0.5, (50, 4)), rng.normal(0, 0.3, (50, 4))
    found = chances_and_slopes(utility, spread.ravel(), LEADERS)[0]
    for table, seat in product(range(50), range(4)):
        u, sigma = utility[table], np.exp(spread[table])

        def integrand(q, u=u, sigma=sigma, seat=seat):
            ahead = (u[seat] - np.delete(u, seat) - sigma[seat] * np.log(-np.log(q))) / np.delete(sigma, seat)
            return np.exp(-np.exp(-ahead).sum())

        assert found[table, seat] == pytest.approx(quad(integrand, 0, 1)[0], abs=3e-4)


def test_three_leaders_who_always_meet_leave_nothing_to_test():
    """Their strengths fit every pair, whatever happens: there is no remainder, and no verdict on it."""
    rng = np.random.default_rng(26)
    leaders = np.argsort(rng.random((4000, 3)), axis=1)
    won = draw(rng, 0.5 * (leaders == 0))
    cards = np.tile(np.arange(3), (4000, 1))
    frame = matchups(KnownRun(tables(leaders, np.tile(np.arange(3), (4000, 1)), cards, won), 3), ("leader",))
    assert len(frame) == 6
    assert frame["p"].isna().all()
    assert np.abs(frame["surplus"]).max() < 0.1


def test_by_cards_finds_a_leader_who_needs_a_card():
    rng = np.random.default_rng(13)
    leaders, order, cards = seated(rng, 20_000, 4)
    in_play = (cards == 1).any(axis=1)
    utility = STRENGTH[leaders] + 0.4 * ((leaders == 5) & in_play[:, None])
    frame = by_cards(KnownRun(tables(leaders, order, cards, draw(rng, utility)), 4))
    assert len(frame) == 5 * 8
    best = frame.loc[frame["p_adjusted"].idxmin()]
    assert (best["card"], best["leader"]) == ("Warmonger / Paranoid", "Rome")
    assert 5 < best["points"] < 12
    one_card = KnownRun(tables(leaders, order, np.zeros((20_000, 1), int), draw(rng, utility)), 4)
    with pytest.raises(UserError, match="same victory cards"):
        by_cards(one_card)


@pytest.mark.parametrize("many", [5, 12, 20, 40])
def test_games_are_told_apart_by_any_number_of_cards(many):
    rng = np.random.default_rng(28)
    leaders, order, _ = seated(rng, 300, 4)
    cards, words = np.argsort(rng.random((300, many)), axis=1)[:, :3], [f"Card {i}" for i in range(many)]
    found = tables(leaders, order, cards % 5, draw(rng, STRENGTH[leaders]))
    for code, name in zip(cards.T, CARDS, strict=False):
        found["games"][name] = category(code, words)
    data = outcomes(KnownRun(found, 4))
    assert sorted(data.cards) == sorted(words)
    for code, card in enumerate(data.cards):
        n = (cards == words.index(card)).any(axis=1).sum()
        assert (data.where_card(code, True).games, data.where_card(code, False).games) == (n, 300 - n)


def test_holm_is_holm():
    assert holm([0.01, 0.04, 0.03, np.nan, 0.5]).tolist() == pytest.approx([0.04, 0.09, 0.09, np.nan, 0.5], nan_ok=True)


def test_ranks_of_clear_and_equal_entries():
    best, worst, first = simultaneous_ranks(np.array([3.0, 0.0, 0.0, -3.0]), 0.01 * np.eye(4))
    assert best.tolist() == [1, 2, 2, 4]
    assert worst.tolist() == [1, 3, 3, 4]
    assert first.tolist() == [1, 0, 0, 0]


def test_a_million_games_fit_in_seconds():
    """The fit sees different tables only; here all 1,680 seatings, as often as a million games would bring them."""
    run = known_run(np.random.default_rng(14), 60_000, STRENGTH, pieces=1)
    data = outcomes(run)
    times = 1_000_000 / 60_000
    scaled = [type(t)(t.players, t.codes, *(times * x for x in (t.games, t.finished, t.wins, t.products))) for t in data.tables]
    start = time.perf_counter()
    fit = fit_logit(type(data)(data.levels, scaled))
    assert time.perf_counter() - start < 5
    assert fit.finished == pytest.approx(1_000_000, abs=1)
    errors = [np.sqrt(np.diag(f.effects("leader")[1])) for f in (fit_logit(data), fit)]
    assert np.allclose(errors[0] / errors[1], np.sqrt(times), rtol=0.01)


def test_pictures_are_labelled(run):
    from matplotlib.figure import Figure

    axes = Figure().subplots(1, 2)
    plot_strengths(strengths(run), axes[0])
    plot_matchups(matchups(run), axes[1])
    assert "win rate" in axes[0].get_xlabel()
    assert axes[0].get_yticklabels()[0].get_text() == "Scythia"
    assert axes[1].get_xlabel() == "opponent"
