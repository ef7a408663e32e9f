"""Rules that deal several leaders to each player: what is dealt, who is played, and what stays as it was."""

from __future__ import annotations

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.engine.choosing import seed_streams
from newdawn.simulator.errors import UserError
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.simulator.runs.columns import SEAT_ROW
from newdawn.simulator.runs.kernel import seat_players
from newdawn.simulator.runs.run import Silent, play_range, run_games
from newdawn.simulator.runs.run_plan import available_leaders, make_plan

PRINTED = load_ruleset()
RANKING = list(names.LEADERS[::-1])


def dealing(count, choice="ranking", ranking=RANKING):
    deal = {"leaders_per_player": count, "choice": choice, "ranking": ranking}
    return with_overlay(PRINTED, {"components": {"leader_deal": {"base": deal}}}, "deal")


def plan_of(ruleset, **changes):
    settings = {"players": 3, "games": 1000, "seed": 3, "strategies": ["random"], "round_cap": 1} | changes
    return make_plan(available_leaders=available_leaders(ruleset.compile()), **settings)


def seated(ruleset, n, **changes):
    """Yield n games of the ruleset in which everyone has a leader, and nothing else is there."""
    r, plan = ruleset.compile(), plan_of(ruleset, box=ruleset.box, **changes)
    seating = plan.seating(written(r, "leader")).view(np.recarray)[0]
    opinions = np.stack([plan.strategy(name).weights(plan.players, ruleset.box) for name in plan.library()])
    for game in range(n):
        g, rows = state.new_state(), np.zeros(plan.players, SEAT_ROW).view(np.recarray)
        g.players = plan.players
        seed_streams(g, plan.seed, game)
        seat_players(r, g, state.new_work(), opinions, seating, rows, 0, game)
        assert np.array_equal(rows.leader, g.leader[: plan.players])
        yield g


def deals(ruleset, n, **changes):
    """Return the leaders played and those dealt in n games."""
    found = list(seated(ruleset, n, **changes))
    played, dealt = ([np.array(g[name][: g.players]) for g in found] for name in ("leader", "leader_offer"))
    return np.array(played), np.array(dealt)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everyone_plays_the_best_ranked_of_two_dealt(players):
    played, dealt = deals(dealing(2), 300, players=players)
    offered = dealt[:, :, :2]
    assert np.array_equal(played, offered.max(axis=2))  # the ranking is the other way round: the last is liked best
    assert all(len(set(game.ravel())) == 2 * players for game in offered)
    printed, _ = deals(PRINTED, 300, players=players)
    assert np.array_equal(offered[:, :, 0], printed)  # the same first offers as under the printed rules
    assert set(offered.ravel()) == set(range(8))


def test_by_lot_every_leader_is_played_as_often():
    played, dealt = deals(dealing(2, "random", []), 2000, players=2)
    second = played == dealt[:, :, 1]
    assert abs(second.mean() - 0.5) < 4 * 0.5 / np.sqrt(second.size)
    counts = np.bincount(played.ravel(), minlength=8)
    assert np.all(np.abs(counts - 500) < 4 * np.sqrt(500))


def test_leaders_without_a_rank_come_last_and_equals_stay_with_the_first():
    played, dealt = deals(dealing(2, "ranking", ["Rome"]), 300, players=2)
    rome = names.LEADERS.index("Rome")
    has_rome = (dealt[:, :, :2] == rome).any(axis=2)
    assert (played[has_rome] == rome).all()
    assert np.array_equal(played[~has_rome], dealt[:, :, 0][~has_rome])


def test_four_of_eight_leaders_can_be_dealt_to_each_of_two():
    played, dealt = deals(dealing(4), 100, players=2)
    assert all(sorted(game.ravel()) == list(range(8)) for game in dealt)
    assert np.array_equal(played, dealt.max(axis=2))


def test_a_line_up_is_not_dealt():
    played, _ = deals(dealing(2), 30, leaders=["Rome", "Egypt", "Japan"])
    plain, _ = deals(PRINTED, 30, leaders=["Rome", "Egypt", "Japan"])
    assert np.array_equal(played, plain)


def test_strategies_and_maps_stay_those_of_the_printed_rules():
    one, two = dealing(2), PRINTED
    changes = {"strategies": None, "strategy_pool": ["random", "opportunist"], "players": 2}
    rows = [play_range(plan_of(rules, **changes), rules.compile(), 0, 20, Silent()) for rules in (one, two)]
    assert np.array_equal(rows[0].seats["strategy"], rows[1].seats["strategy"])
    assert np.array_equal(rows[0].games["core_side"], rows[1].games["core_side"])
    assert not np.array_equal(rows[0].seats["leader"], rows[1].seats["leader"])


def test_a_replay_deals_as_the_run_does():
    ruleset = load_ruleset(["choose_of_two_leaders"])
    plan = plan_of(ruleset, players=4)
    rows = play_range(plan, ruleset.compile(), 0, 5, Silent())
    for game in range(5):
        assert list(Game(ruleset, plan, game).state.leader[:4]) == list(rows.seats["leader"][4 * game : 4 * game + 4])


def test_too_small_a_pool_is_refused_before_anything_is_played(tmp_path):
    ruleset = dealing(2)
    plan = plan_of(ruleset, leader_pool=names.LEADERS[:5])
    message = "the rules deal 2 leaders to each of 3 players, 6 in all; there are 5"
    with pytest.raises(UserError, match=message):
        play_range(plan, ruleset.compile(), 0, 1, Silent())
    with pytest.raises(UserError, match=message):
        run_games(plan, ruleset, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with pytest.raises(UserError, match=message):
        Game(ruleset, plan, 0)


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ({"leaders_per_player": 0}, "leaders_per_player: expected at least 1"),
        ({"leaders_per_player": 5}, "leaders_per_player: expected at most 4"),
        ({"choice": "rankin"}, "choice: expected 'random' or 'ranking', got 'rankin'; did you mean 'ranking'"),
        ({"ranking": ["Roma"]}, "ranking.0: expected one of America, .*did you mean 'Rome'"),
        ({"ranking": ["Rome", "Rome"]}, "ranking: 'Rome' is named twice"),
    ],
)
def test_a_wrong_deal_is_refused(deal, message):
    with pytest.raises(UserError, match=message):
        with_overlay(PRINTED, {"components": {"leader_deal": {"base": deal}}}, "mine.yaml")
