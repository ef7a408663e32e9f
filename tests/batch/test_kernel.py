"""What a batch of games leaves: seats, independence of games, rows that agree with each other."""

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.kernel import forget
from newdawn.simulator.runs.run import Silent, play_range
from newdawn.simulator.runs.run_plan import plan_by


@pytest.fixture(scope="module")
def rules():
    return load_ruleset().compile()


def play(rules, first, n, **changes):
    settings = {"players": 3, "games": 1000, "seed": 7, "round_cap": 8, "strategies": ["random"]} | changes
    return play_range(plan_by(rules, **settings), rules, first, n, Silent())


def test_line_up_rotates_leaders_and_strategies_together(rules):
    leaders = ["Rome", "Egypt", "Japan"]
    rows = play(rules, 0, 6, leaders=leaders, strategies=["random", "opportunist", "random"])
    library = ["opportunist", "random"]
    for row in rows.seats:
        entry = (row["seat"] + row["game_id"]) % 3
        assert names.LEADERS[row["leader"]] == leaders[entry]
        assert library[row["strategy"]] == ["random", "opportunist", "random"][entry]


def test_no_question_of_the_last_game_is_left_in_the_workspace():
    used, fresh = (state.new_work() for _ in range(2))
    asked = [name for name in used.dtype.names if name.startswith("ask_")]
    for name in asked:
        used[name] = 77
    forget(used)
    forget(fresh)
    assert [used[name] for name in asked] == [fresh[name] for name in asked]


def test_pool_draws_leaders_without_and_strategies_with_replacement(rules):
    rows = play(rules, 0, 60, strategies=None, strategy_pool=["random", "opportunist"], round_cap=1)
    leaders = rows.seats["leader"].reshape(60, 3)
    assert all(len(set(game)) == 3 for game in leaders)
    assert set(leaders.ravel()) == set(range(8))
    strategies = rows.seats["strategy"].reshape(60, 3)
    assert {tuple(sorted(game)) for game in strategies} == {(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)}


def test_other_strategies_leave_leaders_and_map_alone(rules):
    one = play(rules, 0, 10, round_cap=1)
    two = play(rules, 0, 10, round_cap=1, strategies=None, strategy_pool=["random", "opportunist"])
    assert np.array_equal(one.seats["leader"], two.seats["leader"])
    assert np.array_equal(one.games["core_side"], two.games["core_side"])
    assert np.array_equal(one.games["card"], two.games["card"])


def test_game_depends_on_its_number_only(rules):
    whole = play(rules, 0, 12)
    tail = play(rules, 7, 5)
    assert np.array_equal(whole.games[7:], tail.games)
    assert np.array_equal(whole.seats[21:], tail.seats)
    assert np.array_equal(whole.wonders[-len(tail.wonders) :], tail.wonders)


def test_rows_agree_with_each_other(rules):
    rows = play(rules, 0, 40, round_cap=200, players=2)
    won = rows.seats["won"].reshape(40, 2).sum(axis=1)
    assert np.allclose(won, rows.games["ending"] == names.VICTORY)
    for game in rows.games:
        seats = rows.seats[rows.seats["game_id"] == game["game_id"]]
        claims = rows.agendas[rows.agendas["game_id"] == game["game_id"]]
        wonders = rows.wonders[rows.wonders["game_id"] == game["game_id"]]
        assert sorted(seats["order"]) == [1, 2]
        assert seats["order"][game["first_seat"]] == 1
        assert seats["agendas"].sum() == len(claims)
        assert all(claim["card"] in game["card"] and 1 <= claim["round"] <= game["rounds"] for claim in claims)
        assert seats["wonders"].sum() == np.count_nonzero(wonders["owner"] >= 0)
        assert wonders["in_deck"].sum() == 16  # B2.5: two cards of each of the four types are removed
        built = wonders[wonders["round_built"] > 0]
        assert all(built["in_deck"] == 1)
        assert all(built["round_revealed"] <= built["round_built"])
        assert all(seats["mature_cities"] <= seats["cities"])
        winners = np.flatnonzero(game["winner"])
        assert all(seats["agendas"][w] == np.count_nonzero(game["card"] >= 0) for w in winners)
