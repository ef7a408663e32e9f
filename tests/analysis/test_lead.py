"""Who leads, and what it tells: hand-made games with known answers, drawn games with known chances."""

import numpy as np
import pandas as pd
import pytest
from known import KnownRun, known_run

from newdawn.analysis.tables.game import comebacks, lead, predictability
from newdawn.simulator.errors import UserError


def run_of(claims, rounds, won, pieces=1):
    """Make a run from (game, seat, round) of each claim, the games' rounds and the shares of the win (games, seats)."""
    n, players = won.shape
    games = pd.DataFrame({"game_id": np.arange(n), "rounds": rounds})
    ids = np.repeat(np.arange(n), players)
    seats = pd.DataFrame({"game_id": ids, "seat": np.tile(np.arange(players), n), "won": won.ravel()})
    agendas = pd.DataFrame(claims, columns=["game_id", "seat", "round"]).astype(np.int64).assign(agenda="Civilized")
    return KnownRun({"games": games, "seats": seats, "agendas": agendas}, players, pieces)


@pytest.fixture(scope="module")
def four_games():
    """Two seats. 0: steady; 1: from two behind, in the last round; 2: shared after ties only; 3: unfinished."""
    claims = [(0, 0, 1), (0, 1, 2), (0, 0, 3), (0, 0, 5)]
    claims += [(1, 0, 1), (1, 0, 2), (1, 1, 4), (1, 1, 5), (1, 1, 6)]
    claims += [(2, seat, number) for seat in (0, 1) for number in (1, 2, 3)]
    claims += [(3, 1, 2)]
    won = np.array([[1, 0], [0, 1], [0.5, 0.5], [0, 0]])
    return run_of(claims, [5, 6, 3, 9], won)


def test_lead_changes_are_counted(four_games):
    row = lead(four_games).iloc[0]
    assert (row["n"], row["victories"]) == (4, 3)
    assert row["changes"] == pytest.approx(1 / 4)  # in game 1, when the game ends
    assert row["steady_rate"] == 3 / 4
    # Game 0: level again in round 2, ahead from round 3 on. Games 1 and 2: in their last rounds.
    assert (row["lead_round_p25"], row["lead_round"], row["lead_round_p75"]) == (1, 3, 6)
    assert row["last_round_rate"] == pytest.approx(1 / 3)


def test_comebacks_are_counted(four_games):
    frame = comebacks(four_games)
    assert frame["behind"].tolist() == [1, 2]
    assert frame["n"].tolist() == [3, 3]
    assert frame["wins"].tolist() == [1, 1]


def test_the_leader_of_each_round_is_counted(four_games):
    frame = predictability(four_games).set_index("round")
    assert frame["n"].tolist() == [4, 4, 3, 3, 2, 1, 1, 1]
    assert frame["leading"].tolist() == [2, 2, 3, 3, 1, 1, 1, 1]
    assert frame["leader_wins"].tolist() == [1, 0, 1, 1, 0, 0, 0, 0]
    assert frame.loc[1, "leader_win_rate"] == 0.5
    # Round 1: game 0 right, game 1 wrong, game 2 level.
    assert frame.loc[1, "auc"] == pytest.approx(0.5)
    assert frame["fair_share"].tolist() == [0.5] * 8
    assert frame["small_sample"].all()
    assert np.isnan(frame.loc[6, "auc"])


def test_games_without_claims_and_bad_groupings():
    run = run_of([], [5, 7], np.zeros((2, 3)))
    frame = predictability(run)
    assert frame["leading"].tolist() == [0] * 6
    assert frame["auc"].isna().all()
    assert lead(run)["victories"].tolist() == [0]
    assert comebacks(run)["n"].tolist() == [0, 0]
    with pytest.raises(UserError, match="expected players"):
        lead(run, by="seat")


def race(rng, n, players=3, chance=0.25, most=30):
    """Draw games in which every seat claims with the same chance each round, until one has three."""
    made = np.cumsum(rng.random((n, most, players)) < chance, axis=1)
    first = np.argmax((made >= 3).any(axis=2), axis=1)
    done = made[np.arange(n), first] >= 3
    won = done / np.maximum(done.sum(axis=1, keepdims=True), 1)
    before = np.diff(made, axis=1, prepend=0) * (np.arange(most)[None, :] <= first[:, None])[:, :, None]
    game, number, seat = np.nonzero(before)
    return run_of(np.column_stack([game, seat, number + 1]), first + 1, won)


@pytest.fixture(scope="module")
def truth():
    return predictability(race(np.random.default_rng(0), 60_000)).set_index("round")


def test_no_claims_foretell_nothing_and_many_foretell_much(truth):
    assert truth["auc"].iloc[:5].is_monotonic_increasing
    assert truth["skill"].iloc[:5].is_monotonic_increasing
    # After round 1: exactly one of three seats has claimed. It then wins more often than the others.
    assert truth.loc[1, "leading_rate"] == pytest.approx(3 * 0.25 * 0.75**2, abs=0.01)
    assert 1 / 3 < truth.loc[1, "leader_win_rate"] < truth.loc[5, "leader_win_rate"] < 1


@pytest.mark.calibration
def test_intervals_cover_at_the_stated_rate(truth):
    """The leader's win rate and the AUC after rounds 2 and 4, the forecast's skill where standings are well known."""
    rng, repeats = np.random.default_rng(1), 150
    covered = dict.fromkeys(["leading_rate", "leader_win_rate", "auc", "skill"], 0)
    for _ in range(repeats):
        frame = predictability(race(rng, 400)).set_index("round")
        for number in (2, 4):
            row = frame.loc[number]
            for name in covered:
                covered[name] += row[f"{name}_low"] <= truth.loc[number, name] <= row[f"{name}_high"]
    rates = {name: count / (2 * repeats) for name, count in covered.items()}
    assert all(0.92 < rates[name] < 0.985 for name in ("leading_rate", "leader_win_rate", "auc")), rates
    assert 0.92 < rates["skill"] < 0.985, rates


@pytest.mark.calibration
def test_skill_is_that_of_the_true_chances_however_few_the_games(truth):
    """Unbiased: the mean over runs of 60 games is the figure of 60,000 (the forecast from half of the games lost 0.03)."""
    rng = np.random.default_rng(6)
    found = [predictability(race(rng, 60)).set_index("round").loc[3, "skill"] for _ in range(150)]
    error = np.std(found, ddof=1) / np.sqrt(150)
    assert abs(np.mean(found) - truth.loc[3, "skill"]) < 3 * error
    assert error < 0.01


@pytest.mark.calibration
def test_the_interval_of_lead_changes_covers():
    rng, covered = np.random.default_rng(2), 0
    true = lead(race(rng, 40_000))["changes"].iloc[0]
    for _ in range(150):
        row = lead(race(rng, 200)).iloc[0]
        covered += row["changes_low"] <= true <= row["changes_high"]
    assert 0.91 < covered / 150 < 0.985


def test_claims_that_tell_nothing_have_no_skill():
    """The winner is drawn by lot; claims of winners come at the end."""
    rng = np.random.default_rng(3)
    run = known_run(rng, 4000, np.zeros(8))
    run.tables["games"]["rounds"] = 12
    seats, rounds = rng.integers(0, 4, (2, 6000)), rng.integers(1, 9, 6000)
    claims = {"game_id": rng.integers(0, 4000, 6000), "seat": seats[0], "round": rounds, "agenda": "Civilized"}
    run.tables["agendas"] = pd.DataFrame(claims)
    frame = predictability(run).set_index("round")
    assert frame.loc[8, "auc_low"] < 0.5 < frame.loc[8, "auc_high"]
    assert frame.loc[8, "skill_low"] < 0 < frame.loc[8, "skill_high"] < 0.02
    assert frame.loc[8, "leader_win_rate_low"] < 0.25 < frame.loc[8, "leader_win_rate_high"]


def test_player_counts_are_pooled_or_kept_apart():
    rng = np.random.default_rng(4)
    runs = [race(rng, 400, players=2), race(rng, 300, players=4)]
    pooled, apart = predictability(runs), predictability(runs, by="players")
    assert pooled["n"].iloc[0] == 700
    assert apart.groupby("players")["n"].first().tolist() == [400, 300]
    assert pooled["fair_share"].iloc[0] == pytest.approx((400 / 2 + 300 / 4) / 700)
    assert comebacks(runs)["n"].iloc[0] == 700


def test_pieces_do_not_matter():
    whole = race(np.random.default_rng(5), 500)
    shuffled = {name: table.sample(frac=1, random_state=1) for name, table in whole.tables.items()}
    for function in (predictability, lead, comebacks):
        pd.testing.assert_frame_equal(function(whole), function(KnownRun(shuffled, 3, pieces=4)))


def test_games_of_one_round_foretell_nothing():
    run = run_of([(0, 0, 1), (1, 1, 1)], [1, 1], np.eye(2))
    with pytest.raises(UserError, match="every game ended in its first round"):
        predictability(run)
    assert lead(run)["last_round_rate"].tolist() == [1.0]
    assert comebacks(run)["wins"].tolist() == [0, 0]


def test_one_game_has_figures_and_no_interval_of_a_mean():
    run = run_of([(0, 0, 1), (0, 1, 2), (0, 1, 3)], [5], np.eye(2)[:1])
    row = lead(run).iloc[0]
    assert (row["n"], row["changes"], row["small_sample"]) == (1, 1, True)
    assert np.isnan(row["changes_low"])
