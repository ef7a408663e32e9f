"""Plans: who sits where, and what is refused."""

from itertools import pairwise

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run_plan import MOST_GAMES, make_plan, player_counts
from newdawn.strategies.planning import weights
from newdawn.strategies.registry import find


def plan(**changes):
    settings = {"players": 4, "games": 100, "seed": 1, "available_leaders": names.LEADERS}
    return make_plan(**(settings | changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": 5}, "players: 5 is not valid; expected a whole number from 2 to 4"),
        ({"players": 1}, "players: 1"),
        ({"player_counts": [2, 3]}, "players: the map is not for 4; expected 2 or 3"),
        ({"games": 0}, "games: 0"),
        ({"seed": -1}, "seed: -1"),
        ({"round_cap": 0}, "round cap: 0"),
        ({"leaders": ["Romans", "Egypt", "Japan", "France"]}, "unknown leader 'Romans'.*did you mean 'Rome'"),
        ({"leaders": ["Rome", "Egypt"]}, "leaders: 2 named for 4 players; expected one a player"),
        ({"leaders": ["Rome", "rome", "Egypt", "Japan"]}, "leaders: 'Rome' is named twice"),
        ({"leader_pool": ["Rome", "Egypt"]}, "leader pool: 2 leaders cannot be dealt to 4 players"),
        ({"leaders": names.LEADERS[:4], "leader_pool": names.LEADERS}, "not both"),
        ({"strategies": ["randm"]}, "unknown strategy 'randm'.*did you mean 'random'"),
        ({"strategies": ["random"] * 3}, "strategies: 3 named for 4 players; expected one for all or one a player"),
        ({"strategies": ["random"], "strategy_pool": ["random"]}, "not both"),
        ({"strategy_pool": ["random"] * 33}, "at most 32"),
    ],
)
def test_bad_plan_is_refused_in_one_line(changes, message):
    with pytest.raises(UserError, match=message) as error:
        plan(**changes)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("games", [1, 99, 100, 101, 6400, 6401, 100_000, 1_000_000])
def test_shards_cover_every_game_once(games):
    shards = plan(games=games).shards()
    assert shards[0][0] == 0
    assert sum(n for _, n in shards) == games
    assert all(a + n == b for (a, n), (b, _) in pairwise(shards))


@pytest.mark.parametrize("games", [1, 40_000_000, 50_000_000, 999_999_999, MOST_GAMES])
def test_a_run_has_fewer_than_20_000_files(games):
    """Four tables and the checksums of each shard; up to 40 million games shards are as they have always been."""
    a_plan = plan(games=games)
    shards = -(-games // a_plan.shard_games())
    assert 5 * shards < 20_000
    assert a_plan.shard_games() <= 10_000 or games > 39_000_000
    assert a_plan.shard_games() <= 251_000


def test_leader_without_a_place_in_the_ruleset_is_unknown():
    with pytest.raises(UserError, match="unknown leader 'Rome'"):
        plan(available_leaders=names.LEADERS[:4], leader_pool=["Rome", "Egypt", "Aztec", "France"])


def test_map_tells_for_how_many_players_it_is():
    r = load_ruleset().compile()
    assert player_counts(r) == [2, 3, 4]
    r.map_mode, r.fixed_tiles = 1, 2
    r.fixed_players[:] = 0
    r.fixed_players[1, 3] = 1
    assert player_counts(r) == [3]


def test_one_strategy_sits_on_every_seat():
    seating = plan(strategies=["random"]).seating()[0]
    assert seating["n_strategies"] == 4
    assert list(seating["strategies"][:4]) == [0, 0, 0, 0]
    assert np.all(seating["leaders"][: len(names.LEADERS)] == np.arange(len(names.LEADERS)))


@pytest.mark.parametrize("box", names.BOXES)
@pytest.mark.parametrize("name", ["quick", "adept", "thinker", "master"])
def test_learned_players_play_both_boxes_with_any_number_of_players(name, box):
    assert plan(strategies=[name], box=box).strategies == (name,)
    for players in range(2, names.MOST_PLAYERS[box] + 1):
        seen = find(name).weights(players, box)
        assert (seen[:, weights.NETWORK] > 0).all()
        assert (seen[:, weights.POLICY] > 0).all() == (name in ("quick", "adept"))


def test_a_network_of_one_box_does_not_play_the_other(tmp_path):
    (tmp_path / "mine.yaml").write_text("like: learner\nnetwork: base\n")
    mine = str(tmp_path / "mine.yaml")
    assert plan(strategies=[mine]).strategies == ("mine",)
    with pytest.raises(UserError, match="strategy mine: its value network does not know terra-incognita; expected one"):
        plan(strategies=[mine], box="terra-incognita")


def test_a_number_of_players_that_no_packaged_network_knows_is_refused_in_a_line():
    with pytest.raises(UserError, match="no learned player of the package knows base with 5 players; expected planner, or"):
        find("adept").weights(5, "base")


def test_search_plays_both_boxes():
    assert plan(strategies=["search"], box="terra-incognita").strategies == ("search",)
