"""The game as a whole, on games whose every answer is known."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from known import KnownRun, known_run, tables
from scipy import stats

from newdawn.analysis.pages.plots import plot_rounds
from newdawn.analysis.tables.game import length, median_interval, reasons, rounds, shortages
from newdawn.simulator.errors import UserError

matplotlib.use("Agg")
MANIFEST = {"ruleset": {"data": {"components": {"per_player": {"base": {"cities": 7, "capital": 1, "control_tokens": 31}}}}}}


@pytest.fixture(scope="module")
def run():
    """Ten two-player games of 11 to 20 rounds; seat 0 (America) wins 7, seat 1 (Rome) 2, one is unfinished."""
    leaders = np.tile([0, 5], (10, 1))
    order = np.tile([0, 1], (10, 1))
    cards = np.tile([0, 1, 3], (10, 1))
    won = np.zeros((10, 2))
    won[:7, 0] = won[7:9, 1] = 1
    found = tables(leaders, order, cards, won, rounds=np.arange(11, 21))
    claims = [(game, 0, name) for game in range(7) for name in ("Civilized", "Warmonger", "Populous")]
    claims += [(game, 1, name) for game in (7, 8) for name in ("Money Grubber", "Warmonger", "Populous")]
    claims += [(0, 1, "Warmonger"), (9, 0, "Warmonger")]  # claims of losers and of unfinished games are no reasons
    found["agendas"] = pd.DataFrame(claims, columns=["game_id", "seat", "agenda"]).assign(round=9)
    found["seats"]["cities"] = np.where(found["seats"].index < 5, 8, 3)
    found["seats"]["tokens"] = np.where(found["seats"].index < 2, 31, 30)
    wonders = found["wonders"]
    wonders["in_deck"] = wonders["wonder"].isin(["Petra", "Oracle"])
    wonders["round_built"] = np.where((wonders["wonder"] == "Petra") & (wonders["game_id"] < 4), 5.0, np.nan)
    return KnownRun(found, 2, manifest=MANIFEST)


def test_rounds_are_counted(run):
    frame = rounds(run)
    assert frame["rounds"].tolist() == list(range(11, 21))
    assert frame["victories"].tolist() == [1] * 9 + [0]
    assert frame["unfinished"].tolist() == [0] * 9 + [1]
    assert frame["share_so_far"].iloc[-1] == pytest.approx(1)


def test_length_has_quantiles_and_the_unfinished_share(run):
    row = length(run).iloc[0]
    assert (row["n"], row["mean"], row["median"], row["p5"], row["p95"]) == (10, 15.5, 15.5, 11, 20)
    assert row["median_low"] < 15 < row["median_high"]
    assert row["unfinished_rate"] == 0.1
    assert row["unfinished_rate_low"] < 0.1 < row["unfinished_rate_high"]


@pytest.mark.calibration
def test_the_interval_of_the_median_covers():
    rng, covered = np.random.default_rng(0), 0
    for _ in range(300):
        games = pd.DataFrame({"game_id": range(200), "rounds": rng.poisson(20.0, 200), "ending": "victory"})
        row = length(KnownRun({"games": games}, 4, pieces=1)).iloc[0]
        covered += row["median_low"] <= 20 <= row["median_high"]
    assert covered / 300 > 0.94


@pytest.mark.parametrize("n", [6, 10, 11, 25, 100])
@pytest.mark.calibration
def test_the_interval_of_the_median_covers_with_few_games(n):
    """Values without ties, for which no interval of order statistics has more than it must."""
    rng, repeats, covered = np.random.default_rng(n), 4000, 0
    for values in np.sort(rng.random((repeats, n)), axis=1):
        low, high = median_interval(values, np.ones(n, np.int64))
        covered += low <= 0.5 <= high
    assert 0.943 < covered / repeats < 0.99


def test_the_interval_of_the_mean_is_students_and_one_game_has_none():
    def row(values):
        games = pd.DataFrame({"game_id": range(len(values)), "rounds": values, "ending": "victory"})
        return length(KnownRun({"games": games}, 4, pieces=1)).iloc[0]

    ends = row([10, 12, 17])[["mean_low", "mean_high"]].astype(float)
    assert ends.tolist() == pytest.approx(list(stats.ttest_1samp([10, 12, 17], 0).confidence_interval()))
    assert row([10])[["mean_low", "mean_high", "median_low", "median_high"]].isna().all()
    assert row([10, 12, 13, 14, 20])[["median_low", "median_high"]].isna().all()  # 5 values hold it in 93.75%
    assert row([10, 12, 13, 14, 20, 30])[["median_low", "median_high"]].tolist() == [10, 30]


def test_reasons_are_the_winners_agendas(run):
    frame = reasons(run).set_index("agendas")
    first, second = "Civilized + Populous + Warmonger", "Money Grubber + Populous + Warmonger"
    assert list(frame.index) == [first, second]
    assert frame["wins"].tolist() == [7, 2]
    assert frame["share"].tolist() == pytest.approx([7 / 9, 2 / 9])
    assert frame.loc[first, "median_round"] == 14
    assert set(frame["n"]) == {9}
    by_leader = reasons(run, by="leader").set_index(["leader", "agendas"])
    assert by_leader["share"].tolist() == [1, 1]
    assert set(by_leader.index.get_level_values("leader")) == {"America", "Rome"}


def test_shared_wins_count_in_parts():
    run = known_run(np.random.default_rng(1), 400, np.zeros(8), shared=0.5)
    frame = reasons(run)
    assert frame["wins"].sum() == pytest.approx(400)
    assert frame["share"].sum() == pytest.approx(1)
    assert frame.groupby("cards")["share_where_possible"].sum().to_numpy() == pytest.approx(1)


def test_shortages_compare_with_the_ruleset(run):
    frame = shortages(run).set_index("component")
    assert frame.loc["city pieces of a player", ["n", "used_up"]].tolist() == [20, 5]
    assert frame.loc["control tokens of a player", ["n", "used_up"]].tolist() == [20, 2]
    assert frame.loc["deck of military wonders", ["n", "used_up"]].tolist() == [10, 4]  # Petra's block here
    assert frame.loc["deck of science wonders", ["n", "used_up"]].tolist() == [10, 0]
    assert "deck of culture wonders" not in frame.index


def test_by_players(run):
    three = known_run(np.random.default_rng(2), 50, np.zeros(8), players=3)
    frame = length([run, three], by="players")
    assert frame[["players", "n"]].to_numpy().tolist() == [[2, 10], [3, 50]]
    assert length([run, three])["n"].tolist() == [60]
    assert set(reasons([run, three], by="players")["players"]) == {2, 3}
    for function in (length, reasons):
        with pytest.raises(UserError, match="expected"):
            function(run, by="seat")


def test_the_picture_is_labelled(run):
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    plot_rounds(rounds(run), ax)
    assert "rounds" in ax.get_xlabel()
    assert "%" in ax.get_ylabel()
    assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(100)
