"""T10: a head start for chosen players, and no game for one. The peaceful game is in test_t1_setup.py and its house rule."""

import pytest
from frontier_games import start
from table import ti_rules_with

from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.runs.run_plan import make_plan

ZULU, ROME = len(names.LEADERS) + names.TI_LEADERS.index("Zulu"), names.ROME


def row_of_trade(game, seat):
    return [int(game.g.trade[seat, holder]) for holder in game.g.row[seat]]


@pytest.mark.rule("T10.2")
def test_chosen_players_begin_with_a_trade_token_on_each_of_their_six_cards(tmp_path):
    tokens = dict.fromkeys(names.FOCUS_TYPES, 1)
    r = ti_rules_with(tmp_path, leaders={"zulu": {"start_trade_tokens": tokens}})
    game = start(r, 2, leaders=[ZULU, ROME])
    assert row_of_trade(game, 0) == [1] * 6
    assert row_of_trade(game, 1) == [0] * 6


@pytest.mark.rule("T10.2")
def test_seven_tokens_are_spread_from_the_far_left(tmp_path):
    """The Zulu row begins with growth, which gets the seventh."""
    r = ti_rules_with(tmp_path, leaders={"zulu": {"start_trade_tokens": {**dict.fromkeys(names.FOCUS_TYPES, 1), "growth": 2}}})
    assert row_of_trade(start(r, 2, leaders=[ZULU, ROME]), 0) == [2, 1, 1, 1, 1, 1]


@pytest.mark.rule("T10.3")
def test_there_is_no_game_for_one():
    with pytest.raises(UserError, match="players: 1 is not valid"):
        make_plan(players=1, games=1, seed=1, available_leaders=["Zulu"], box="terra-incognita")
