"""Where cities stand, seen from the capitals: turned as it should be, and from the games the run holds."""

import numpy as np
import pandas as pd
import pytest

from newdawn.analysis.tables.city_spaces import settling
from newdawn.simulator import names
from newdawn.simulator.replay.log_in_words import settled, sixths_to_east, turned
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import run_games
from newdawn.simulator.runs.run_plan import Plan

DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # clockwise from the east


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_turning_brings_a_direction_to_the_east(direction):
    q, r = np.array([direction[0]]), np.array([direction[1]])
    for way in (1, 5):
        q1, r1 = turned(way * q, way * r, sixths_to_east(*direction))
        assert (q1[0], r1[0]) == (way, 0)


def test_turning_keeps_distances():
    rng = np.random.default_rng(1)
    q, r = rng.integers(-6, 7, (2, 50))
    for sixths in range(6):
        a, b = turned(q, r, sixths)
        assert np.array_equal(q**2 + q * r + r**2, a**2 + a * b + b**2)
    assert all(np.array_equal(one, two) for one, two in zip(turned(q, r, 6), (q, r), strict=True))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    plan = Plan(3, 100, 7, 40, tuple(names.LEADERS), True, ("random",), False)
    folder = tmp_path_factory.mktemp("settled") / "run"
    run_games(plan, load_ruleset(), folder, 1)
    return folder, plan


def test_cities_are_those_of_the_replayed_game(run):
    folder, plan = run
    frame = settled(folder, 5)
    assert frame["game_id"].nunique() == 5
    assert not ((frame["q"] == 0) & (frame["r"] == 0)).any()
    game_id = int(frame["game_id"].iloc[0])
    game = Game(load_ruleset(), plan, game_id)
    for _ in game.turns():
        pass
    for seat in range(3):
        seen = frame[(frame["game_id"] == game_id) & (frame["seat"] == seat)]
        assert len(seen) == game.state.n_spaces - 1
        assert seen["city"].sum() == game.state.city_count[seat] - 1
    # The middle of the map lies to the east of every capital, within half a step of 60 degrees.
    east = frame.groupby(["game_id", "seat"])[["q", "r"]].mean()
    angle = np.arctan2(east["r"] * np.sqrt(3) / 2, east["q"] + east["r"] / 2)
    assert (np.abs(angle) <= np.pi / 6 + 1e-9).all()


def test_no_games_no_rows(run):
    assert len(settled(run[0], 0)) == 0


SPACES = ((1, 0), (0, 2), (2, 0), (0, 3))


def made_up(games, winner_rate, other_rate, seed=0, cities=(2, 2)):
    """Return the spaces of games of three: so many of the winner's and the others' cities stand on four spaces, the first with
    known chances, the rest anywhere."""
    rng = np.random.default_rng(seed)
    rows = []
    for game in range(games):
        for seat in range(3):
            won = float(seat == game % 3)
            on_first = rng.random() < (winner_rate if won else other_rate)
            others = rng.permutation(3)[: cities[0 if won else 1] - on_first] + 1
            rows += [(game, seat, won, *at, on_first if k == 0 else k in others) for k, at in enumerate(SPACES)]
    return pd.DataFrame(rows, columns=["game_id", "seat", "won", "q", "r", "city"])


def test_a_space_that_winners_settle_is_found():
    frame = settling(made_up(600, 0.5, 0.3)).set_index(["q", "r"])
    row = frame.loc[1, 0]
    assert (row["winners"], row["others"], row["games"]) == (600, 1200, 600)
    assert row["difference_low"] < 0.2 < row["difference_high"]
    assert row["p_adjusted"] < 0.001
    assert (row["winner_rate"], frame.loc[(1, 0), "distance"]) == (pytest.approx(0.5, abs=0.06), 1)
    assert (frame["more_cities"] == 0).all()


def test_a_space_that_nobody_settles_is_alike():
    spaces = made_up(600, 0.5, 0.3)
    never = settling(pd.concat([spaces, spaces[(spaces["q"] == 2)].assign(q=3, city=False)])).set_index(["q", "r"]).loc[3, 0]
    assert (never["winner_rate"], never["difference"], never["p_adjusted"]) == (0, 0, 1)


def test_winners_with_more_cities_are_not_said_to_settle_elsewhere():
    """71 of 75 spaces had "more often winners": they simply have more cities."""
    frame = settling(made_up(800, 0.5, 0.25, cities=(2, 1)))
    assert (frame["winner_rate"] > frame["other_rate"]).all()
    assert frame["p_adjusted"].min() > 0.05
    assert (frame["more_cities_low"] <= 1).all()
    assert (frame["more_cities"] == 1).all()


@pytest.mark.calibration
def test_equal_rates_are_seldom_told_apart():
    found = [settling(made_up(150, 0.3, 0.3, seed))["p_adjusted"].min() < 0.05 for seed in range(60)]
    assert sum(found) <= 8


def test_few_games_and_games_that_nobody_won_are_not_tested():
    frame = settling(made_up(50, 0.5, 0.3))
    assert frame["small_sample"].all()
    assert frame["p_adjusted"].isna().all()
    nobody = made_up(50, 0.5, 0.3).assign(won=0.0)
    assert len(settling(nobody)) == 0
