"""Round by round: who is ahead, who comes back, when games are decided, on games whose answers are known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from known import KnownRun, chances

from newdawn.analysis.questions import round_by_round
from newdawn.analysis.tables.round_figures import MEASURES, ahead, behind, decided, favourites, settled, trajectories
from newdawn.simulator.errors import UserError


def run_of(values, won, rounds, pieces=2, measure="cities", **more):
    """Return a run: values (games, seats, rounds) of a measure, all others 0, shares of the win (games, seats), length."""
    n, players, wide = values.shape
    rounds = np.broadcast_to(rounds, n)
    ids = np.repeat(np.arange(n), players)
    games = pd.DataFrame(
        {"game_id": np.arange(n), "rounds": rounds, "ending": np.where(won.sum(axis=1) > 0, "victory", "round_cap")}
    )
    seats = pd.DataFrame({"game_id": ids, "seat": np.tile(np.arange(players), n), "won": won.ravel()})
    game, number, seat = (
        part.ravel() for part in np.meshgrid(np.arange(n), np.arange(wide), np.arange(players), indexing="ij")
    )
    rows = pd.DataFrame({"game_id": game, "round": number + 1, "seat": seat} | dict.fromkeys(MEASURES, 0) | {"chance": np.nan})
    rows[measure] = values[game, seat, number]
    for name, other in more.items():
        rows[name] = other[game, seat, number]
    rows = rows[number < rounds[game]].reset_index(drop=True)
    manifest = {"plan": {"tables": ["rounds"], "columns": [{"name": name} for name in more if name not in MEASURES]}}
    return KnownRun({"games": games, "seats": seats, "rounds": rows}, players, pieces, manifest)


@pytest.fixture(scope="module")
def three_games():
    """Two seats, three rounds. 0: seat 0 is ahead, and wins. 1: seat 1 is two behind, and wins. 2: level. 3: unfinished."""
    values = np.array([[[2, 3, 4], [1, 1, 1]], [[3, 3, 3], [1, 2, 4]], [[2, 2, 2], [2, 2, 2]], [[9, 9, 9], [1, 1, 1]]])
    return run_of(values, np.array([[1, 0], [0, 1], [0.5, 0.5], [0, 0]]), 3)


def at(frame, **wanted):
    for name, value in wanted.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1
    return frame.iloc[0]


def test_trajectories_are_means_of_winners_and_others(three_games):
    row = at(trajectories(three_games), measure="cities", round=1)
    assert (row["n"], row["winners"], row["others"]) == (3, pytest.approx(5 / 3), pytest.approx(2))
    assert row["lead"] == pytest.approx(-1 / 3)
    assert at(trajectories(three_games), measure="cities", round=3)["lead"] == pytest.approx((3 + 1 + 0) / 3)


def test_partners_who_win_together_are_not_among_the_others():
    values = np.tile(np.array([4.0, 1.0, 2.0, 3.0])[None, :, None], (200, 1, 3))
    run = run_of(values, np.tile([0.5, 0, 0.5, 0], (200, 1)), 3)
    row = at(trajectories(run, ["cities"]), round=1)
    assert (row["winners"], row["others"], row["lead"]) == (3, 2, 1)


def test_who_is_alone_ahead_is_counted(three_games):
    row = at(ahead(three_games), measure="cities", round=1)
    assert (row["n"], row["leading"], row["wins"], row["fair_share"]) == (3, 2, 1, 0.5)
    assert 3 not in set(ahead(three_games)["round"])  # the last round decides itself


def test_deficits_are_counted(three_games):
    frame = behind(three_games, ["cities"])
    row = at(frame, round=1, behind=2)
    assert (row["n"], row["wins"], row["behind_most"]) == (1, 1, 2)
    assert (at(frame, round=1, behind=0)["n"], at(frame, round=1, behind=0)["wins"]) == (4, 2)
    assert at(frame, round=2, behind=1)["wins"] == 1


def test_columns_of_a_user_are_measures(three_games):
    values, own = np.ones((200, 2, 4)), np.zeros((200, 2, 4))
    own[:, 0] = 1
    won = np.tile([1.0, 0.0], (200, 1))
    run = run_of(values, won, 4, mine=own)
    assert at(ahead(run), measure="mine", round=2)["win_rate"] == 1
    assert at(ahead(run), measure="cities", round=2)["leading"] == 0
    with pytest.raises(UserError, match="city"):
        ahead(run, ["city"])


def test_a_game_that_is_decided_early_is_said_to_be():
    """Half of the games: the winner is ahead from round 3 on; the others: who wins is drawn after the last round but one."""
    rng, n = np.random.default_rng(0), 2000
    winner = rng.integers(0, 3, n)
    values = rng.normal(0, 0.01, (n, 3, 8))
    early = np.arange(n) < n // 2
    for number in range(8):
        who = np.where(early & (number >= 2), winner, rng.integers(0, 3, n))
        values[np.arange(n), who, number] += 5
    won = np.zeros((n, 3))
    won[np.arange(n), winner] = 1
    order = rng.permutation(n)
    run = run_of(values[order], won[order], 8)
    frame = favourites(run).set_index("round")
    assert frame.loc[2, "favourite_rate"] == pytest.approx(1 / 3, abs=0.05)
    assert frame.loc[4, "favourite_rate"] == pytest.approx(2 / 3, abs=0.05)
    assert frame.loc[2, "settled_rate"] == pytest.approx(1 / 2 * 1 / 3, abs=0.04)
    assert frame.loc[3, "settled_rate"] == pytest.approx(0.5, abs=0.05)
    row = settled(run).iloc[0]
    assert row["settled_round_p25"] == 3
    assert row["last_round_rate"] == pytest.approx(1 / 2 * 2 / 3, abs=0.05)


def test_forecasts_know_nothing_of_their_own_game():
    """Values that say nothing: the favourite wins its fair share, and skill is not above 0."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(3000, 4, 5))
    won = np.eye(4)[rng.integers(0, 4, 3000)]
    frame = favourites(run_of(values, won, 5))
    assert frame["favourite_rate"].mean() == pytest.approx(0.25, abs=0.02)
    assert (frame["skill_low"] < 0).all()


def drawn(rng, n, worth, players=4):
    """Return games in which being ahead in cities after round 1 is worth so much in log odds a city."""
    values = np.repeat(rng.poisson(1.5, (n, players, 1)), 2, axis=2).astype(float)
    utility = worth * values[:, :, 0]
    winner = np.argmax(utility + rng.gumbel(size=utility.shape), axis=1)
    return values, np.eye(players)[winner], chances(utility)


@pytest.mark.calibration
def test_intervals_cover_what_is_known():
    """The win rates of who is alone ahead, and of who is two behind, against the chances of the model over many games."""
    rng = np.random.default_rng(2)
    values, _, chance = drawn(rng, 400_000, 0.4)
    top = values[:, :, 0] == values[:, :, 0].max(axis=1, keepdims=True)
    alone = top & (top.sum(axis=1, keepdims=True) == 1)
    two = values[:, :, 0] == values[:, :, 0].max(axis=1, keepdims=True) - 2
    truth = {"ahead": chance[alone].mean(), "behind": chance[two].mean()}
    gap = ((chance * values[:, :, 0]).sum(axis=1) - ((1 - chance) / 3 * values[:, :, 0]).sum(axis=1)).mean()
    covered, trials = dict.fromkeys(("ahead", "behind", "lead"), 0), 400
    for _ in range(trials):
        values, won, _ = drawn(rng, 500, 0.4)
        run = run_of(values, won, 2, pieces=1)
        row = at(ahead(run, ["cities"]), round=1)
        covered["ahead"] += row["win_rate_low"] <= truth["ahead"] <= row["win_rate_high"]
        row = at(behind(run, ["cities"]), round=1, behind=2)
        covered["behind"] += row["win_rate_low"] <= truth["behind"] <= row["win_rate_high"]
        row = at(trajectories(run, ["cities"]), round=1)
        covered["lead"] += row["lead_low"] <= gap <= row["lead_high"]
    for name, count in covered.items():
        assert 0.93 <= count / trials <= 0.97, name


def shown_from(rng, n, rounds=6, players=3):
    """Return games in which a token shows the winner from a round on, one of 2 to 6; before, it lies with anybody."""
    winner, first = rng.integers(0, players, n), rng.integers(2, rounds + 1, n)
    values = np.zeros((n, players, rounds))
    for number in range(1, rounds + 1):
        who = np.where(number >= first, winner, rng.integers(0, players, n))
        values[np.arange(n), who, number - 1] = 1
    return run_of(values, np.eye(players)[winner], rounds, pieces=1)


@pytest.mark.calibration
def test_intervals_of_when_games_are_decided_cover():
    """The favourite has the token. At the end of round 3 it lies with the winner in 2/5 of the games for good, and in a third
    of the others by chance; from then on to the end in 2/5, and in the others if it lies there by chance each time."""
    rng, trials = np.random.default_rng(9), 300
    by_chance = [sum((1 / 3) ** (first - at) for first in range(at + 1, 7)) / 5 for at in range(1, 7)]
    truth = {"favourite": 2 / 5 + 3 / 5 / 3, "settled": 2 / 5 + by_chance[2], "last": 1 / 5 * 2 / 3}
    covered, held = dict.fromkeys(truth, 0), 0
    for _ in range(trials):
        frame, row = decided(shown_from(rng, 400), ["cities"])
        at_three, row = at(frame, round=3), row.iloc[0]
        covered["favourite"] += at_three["favourite_rate_low"] <= truth["favourite"] <= at_three["favourite_rate_high"]
        covered["settled"] += at_three["settled_rate_low"] <= truth["settled"] <= at_three["settled_rate_high"]
        covered["last"] += row["last_round_rate_low"] <= truth["last"] <= row["last_round_rate_high"]
        assert row["settled_round_low"] <= row["settled_round"] <= row["settled_round_high"]
        held += row["settled_round_low"] <= 4 <= row["settled_round_high"]  # 49.6% are decided by round 3
    for name, count in covered.items():
        assert 0.92 <= count / trials <= 0.98, (name, count)
    assert held / trials >= 0.93


@pytest.mark.calibration
def test_nothing_is_found_where_being_ahead_is_worth_nothing():
    rng, found, trials = np.random.default_rng(3), 0, 300
    for _ in range(trials):
        values, won, _ = drawn(rng, 400, 0.0)
        frame = round_by_round.ahead(run_of(values, won, 2, pieces=1))
        found += bool((frame["p_adjusted"] <= 0.05).any())
    assert found / trials <= 0.07


# --- what is said


def test_sentences_agree_with_their_rows():
    rng = np.random.default_rng(4)
    values, won, _ = drawn(rng, 6000, 0.6)
    run = run_of(values, won, 2)
    frame = round_by_round.ahead(run, measures=["cities"])
    row = at(frame, round=1)
    assert row["verdict"] == "more wins"
    said = round_by_round.ahead_findings(frame)[0].text
    assert f"{100 * row['win_rate']:.1f}% [{100 * row['win_rate_all_low']:.1f}, {100 * row['win_rate_all_high']:.1f}]" in said
    assert said.startswith("Association, not effect. Who is alone ahead in cities at the end of round 1 wins")
    back = round_by_round.behind(run, measures=["cities"])
    row = at(back, round=1, behind=2)
    assert round_by_round.behind_findings(back)[0].text == round_by_round.comeback(row)
    assert f"{100 * row['win_rate']:.1f}%" in round_by_round.comeback(row)
    decided = round_by_round.decided_findings(favourites(run), settled(run).iloc[0])
    assert decided[0].text.startswith("The later winner is the favourite to the end from round ")


def test_few_games_say_so():
    values, won, _ = drawn(np.random.default_rng(5), 40, 0.5)
    run = run_of(values, won, 2)
    assert round_by_round.ahead_findings(round_by_round.ahead(run))[0].certainty == "untested"
    assert round_by_round.behind_findings(round_by_round.behind(run))[0].certainty == "untested"
