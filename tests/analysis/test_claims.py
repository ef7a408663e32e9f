"""Who uses which agenda, what combinations of cards change, how leaders win: planted facts are found, nothing else is."""

import numpy as np
import pandas as pd
import pytest
from known import VICTORY_CARDS, KnownRun, category, chances, draw, known_run, seated, tables

from newdawn.analysis.stats.inference import Sums, holm, rate_difference, with_few
from newdawn.analysis.tables.victory_cards import agenda_users, card_set_leaders, card_sets, winning_agendas, winning_times
from newdawn.analysis.tables.win_rates import leaders_by_strategy, wonder_builders, wonders
from newdawn.simulator import names
from newdawn.simulator.errors import UserError

ROME = names.LEADERS.index("Rome")
CARD, AGENDA = VICTORY_CARDS[1], names.AGENDAS[3]  # Rome's favourite
TABLES = (agenda_users, card_sets, card_set_leaders, winning_agendas, winning_times)


@pytest.fixture(scope="module")
def planted():
    """Rome claims its card by its favourite agenda only, wins 4 rounds sooner, and wins more when cards 0, 1, 2 are in play."""
    rng, n = np.random.default_rng(0), 12_000
    leaders, order, cards = seated(rng, n, 4)
    together = (np.sort(cards, axis=1) == [0, 1, 2]).all(axis=1)
    won = draw(rng, 0.9 * ((leaders == ROME) & together[:, None]))
    roman = (leaders[won > 0] == ROME)[:n]
    rounds = rng.poisson(15, n) + 5 + 3 * together - 4 * roman
    found = tables(leaders, order, cards, won, rounds=rounds, rng=rng)
    claims = found["agendas"].merge(found["seats"][["game_id", "seat", "leader"]], on=["game_id", "seat"])
    mine = (claims["leader"] == "Rome") & (claims["card"] == CARD)
    found["agendas"]["agenda"] = category(np.where(mine, 3, found["agendas"]["agenda"].cat.codes), names.AGENDAS)
    return KnownRun(found, 4)


def test_the_user_of_an_agenda_is_found(planted):
    frame = agenda_users(planted)
    best = frame.sort_values("points").iloc[-1]
    assert (best["leader"], best["agenda"], best["agenda_share"]) == ("Rome", AGENDA, 1.0)
    assert best["p_adjusted"] < 1e-6
    others = frame[(frame["agenda"] == AGENDA) & (frame["leader"] != "Rome")]
    assert others["agenda_share"].between(0.2, 0.4).all()
    rome = frame[(frame["agenda"] == AGENDA) & (frame["leader"] == "Rome")].iloc[0]
    seats = planted.tables["seats"].merge(planted.tables["games"], on="game_id")
    dealt = seats[(seats["leader"] == "Rome") & (seats[["card_1", "card_2", "card_3"]] == CARD).any(axis=1)]
    assert rome["n"] == len(dealt)
    assert rome["claims"] == (dealt["won"] > 0).sum()


def test_the_combination_of_cards_that_matters_is_found(planted):
    frame = card_sets(planted)
    assert len(frame) == 10
    assert frame["n"].sum() == 12_000
    first = frame.iloc[0]
    assert first["cards"] == " | ".join(sorted(VICTORY_CARDS[:3]))
    assert first["rounds_difference_low"] < 2.7 < first["rounds_difference_high"] + 0.3
    leaders = card_set_leaders(planted).sort_values("p_adjusted").iloc[0]
    assert (leaders["leader"], leaders["cards"]) == ("Rome", first["cards"])
    truth = 100 * (chances(np.array([[0.9, 0, 0, 0]]))[0, 0] - 0.25)
    assert leaders["points_low"] < truth < leaders["points_high"]


@pytest.mark.parametrize("function", [card_set_leaders, leaders_by_strategy])
def test_games_that_nobody_won_are_no_cases(function):
    """The same games without those that were stopped say the same: how many are is no difference of leaders."""
    rng = np.random.default_rng(11)
    leaders, order, cards = seated(rng, 2000, 4)
    utility = 0.5 * (leaders == ROME)
    won, strategies = draw(rng, utility, unfinished=0.3), rng.integers(0, 2, leaders.shape)
    there = won.sum(axis=1) > 0
    assert 1200 < there.sum() < 1600
    whole, some = (
        function(KnownRun(tables(leaders[kept], order[kept], cards[kept], won[kept], strategies=strategies[kept]), 4))
        for kept in (np.full(2000, True), there)
    )
    pd.testing.assert_frame_equal(whole, some, check_categorical=False)


def test_how_a_leader_wins_is_found(planted):
    times = winning_times(planted).iloc[0]
    assert times["leader"] == "Rome"
    assert times["rounds_difference_high"] < -3
    assert times["claim_1"] == times["claim_3"] == 9
    agendas = winning_agendas(planted).sort_values("points").iloc[-1]
    assert (agendas["leader"], agendas["agenda"], agendas["use_rate"]) == ("Rome", AGENDA, 1)
    assert agendas["others_rate"] == pytest.approx(0.3, abs=0.03)


@pytest.mark.calibration
def test_where_there_is_nothing_intervals_cover_it_and_tests_are_silent():
    rng, inside, false, rows, any_false = np.random.default_rng(1), {}, {}, {}, 0
    for _ in range(40):
        run = known_run(rng, 800, np.zeros(8), shared=0.1, unfinished=0.02, pieces=1)
        for function in TABLES:
            frame, name = function(run), function.__name__
            value = "points" if "points" in frame else "rounds_difference"
            frame = frame[frame["winners" if name == "winning_times" else "n"] >= 30]
            inside[name] = inside.get(name, 0) + ((frame[f"{value}_low"] <= 0) & (frame[f"{value}_high"] >= 0)).sum()
            false[name] = false.get(name, 0) + (frame["p"] < 0.05).sum()
            rows[name] = rows.get(name, 0) + len(frame)
            any_false += bool((frame["p_adjusted"] < 0.05).any())
    for name, n in rows.items():
        assert 0.925 < inside[name] / n < 0.985, name
        assert false[name] / n < 0.075, name
    assert any_false <= 18  # of 200 tables: 5% and two and a half standard errors


@pytest.mark.calibration
@pytest.mark.parametrize("games", [12, 40, 150])
def test_where_there_is_nothing_few_games_find_nothing(games):
    """Few games, and agendas claimed once in a while: rare cases are no normal numbers, and equal ones have no spread."""
    rng, found, repeats = np.random.default_rng(7), dict.fromkeys([function.__name__ for function in TABLES], 0), 30
    for _ in range(repeats):
        run = known_run(rng, games, np.zeros(8), pieces=1)
        run.tables["agendas"] = run.tables["agendas"].sample(frac=0.15, random_state=int(rng.integers(1 << 30)))
        for function in TABLES:
            found[function.__name__] += bool((function(run)["p_adjusted"] < 0.05).any())
    for name, count in found.items():
        assert count <= 4, (name, count)  # of 30: 5% and two standard errors


def test_few_games_are_flagged_and_pieces_do_not_matter():
    run = known_run(np.random.default_rng(2), 60, np.zeros(8))
    shuffled = {name: table.sample(frac=1, random_state=1) for name, table in run.tables.items()}
    for function in TABLES:
        frame = function(run)
        assert frame["small_sample"].all()
        keys = list(frame.columns[:2])
        one, two = (found.sort_values(keys, ignore_index=True) for found in (frame, function(KnownRun(shuffled, 4, pieces=4))))
        pd.testing.assert_frame_equal(one, two)


# --- World wonders: association


def wonder_run(rng, n, ahead):
    """Petra is built by the seat that is ahead, or by any; winning depends on being ahead, never on Petra."""
    leaders, order, cards = seated(rng, n, 4)
    lead = rng.integers(0, 4, n)
    utility = 1.2 * (np.arange(4)[None, :] == lead[:, None])
    found = tables(leaders, order, cards, draw(rng, utility), rng=rng)
    frame = found["wonders"].assign(era="ancient", in_deck=True, round_revealed=1.0, captures=0)
    petra = frame["wonder"] == "Petra"
    builder = lead if ahead else rng.integers(0, 4, n)
    found["wonders"] = frame.assign(
        round_built=np.where(petra, 5.0, np.nan), builder=np.where(petra, np.repeat(builder, len(names.WONDERS)), np.nan)
    )
    return KnownRun(found, 4)


def test_a_wonder_that_those_ahead_build_shows_association_without_effect():
    rng = np.random.default_rng(3)
    ahead = wonders(wonder_run(rng, 4000, ahead=True)).set_index("wonder").loc["Petra"]
    drawn = wonders(wonder_run(rng, 4000, ahead=False)).set_index("wonder").loc["Petra"]
    assert ahead["built"] == drawn["built"] == 4000
    assert ahead["builder_win_rate"] == pytest.approx(chances(np.array([[1.2, 0, 0, 0]]))[0, 0], abs=0.03)
    assert ahead["builder_win_rate_low"] > ahead["fair_share"] + 0.15
    # The same wonder given to a seat drawn by lot: what it does, which is nothing.
    assert drawn["builder_win_rate_low"] < drawn["fair_share"] < drawn["builder_win_rate_high"]


def test_builders_are_counted_by_leader():
    run = wonder_run(np.random.default_rng(4), 1000, ahead=True)
    frame = wonder_builders(run)
    petra = frame[frame["wonder"] == "Petra"]
    assert petra["built"].sum() == 1000
    seats = run.tables["seats"]
    assert petra.set_index("leader")["n"].to_dict() == seats["leader"].value_counts().to_dict()
    pd.testing.assert_frame_equal(wonders(run, by="leader"), frame)
    with pytest.raises(UserError, match="unknown grouping 'leaders'"):
        wonders(run, by="leaders")


# --- Differences


def test_newcombe_against_published_values():
    """R. Newcombe, Statistics in Medicine 17 (1998), table II, method 10: 56/70 less 48/80, 9/10 less 3/10, 10/10 less 0/20."""
    found = rate_difference("d", [56, 9, 10], [70, 10, 10], [48, 3, 0], [80, 10, 20])
    assert found["d"].tolist() == pytest.approx([20, 60, 100])
    assert found["d_low"].tolist() == pytest.approx([5.24, 17.05, 67.91], abs=0.01)
    assert found["d_high"].tolist() == pytest.approx([33.39, 80.90, 100.0], abs=0.01)


@pytest.mark.parametrize(("n", "rate"), [(3, 0.25), (120, 0.02), (120, 0.97), (1000, 0.005), (400, 0.25)])
@pytest.mark.calibration
def test_many_differences_of_equal_rates_rarely_have_a_false_finding(n, rate):
    """80 rates against all the others: near 0 and 1 the z test alone finds something in one table of six."""
    rng, rows, repeats, false, inside = np.random.default_rng(8), 80, 1000, 0, 0
    for wins in rng.binomial(n, rate, (repeats, rows)):
        found = rate_difference("d", wins, np.full(rows, n), wins.sum() - wins, np.full(rows, (rows - 1) * n))
        false += bool((holm(found["p"]) < 0.05).any())
        inside += int(((found["d_low"] <= 0) & (found["d_high"] >= 0)).sum())
    assert false / repeats < 0.07
    assert 0.94 < inside / (repeats * rows) < 0.99


def test_few_cases_are_tested_exactly():
    """The binomial test of the cases: 7 of 8 at one of two equal sides; two or more of three at one that has a quarter."""
    assert with_few(0.0, 7, 500, 1, 500) == pytest.approx(2 * 9 / 256)
    assert with_few(0.0, 498, 500, 1499, 1500) == pytest.approx(2 * 10 / 64)  # losses are counted
    assert with_few(0.0, 0, 500, 4, 500) == pytest.approx(2 / 16)
    assert with_few(0.5, 7, 500, 1, 500) == 0.5
    assert with_few(0.001, 200, 500, 190, 500) == 0.001
    assert with_few(0.0, 2.5, 10, 0.5, 10) < with_few(0.0, 2, 10, 1, 10)
    assert with_few(np.nan, 0, 0, 4, 10) != with_few(np.nan, 0, 0, 4, 10)  # nothing to test: NaN


def test_nothing_is_tested_on_a_few_lengths():
    """Two games of the same length are no evidence, though they have no spread."""
    values, group = np.r_[8.0, 8.0, np.random.default_rng(9).poisson(20, 500)], np.repeat([0, 1], [2, 500])
    sums = Sums.by_group(group, 2, values, np.ones(502))
    assert (sums.difference_columns("d")["p"] < 1e-9).all()
    assert np.isnan(sums.difference_columns("d", least=100)["p"]).all()


def test_welch_is_scipys():
    from scipy import stats

    rng = np.random.default_rng(5)
    values, group = rng.normal(size=40), np.repeat([0, 1], [12, 28])
    found = Sums.by_group(group, 2, values, np.ones(40)).difference_columns("d")
    test = stats.ttest_ind(values[:12], values[12:], equal_var=False)
    assert found["p"][0] == pytest.approx(test.pvalue)
    ends = test.confidence_interval()
    assert (found["d_low"][0], found["d_high"][0]) == pytest.approx((ends.low, ends.high))
