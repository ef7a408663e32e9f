"""A replay's text says everything: from it alone the table is rebuilt, and equals the game's after every turn."""

import pytest
from rebuilt import Rebuilt, differences, standing

from newdawn.simulator import names
from newdawn.simulator.games.plan import plan_by
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules import load_ruleset

LINE_UPS = (("planner",), ("random", "planner"), ("opportunist", "random", "planner"), ("random",))
MOST = {"base": 4, "terra-incognita": 5}
BY_BOX = pytest.mark.parametrize("box", names.BOXES)


def check(ruleset, box, game, round_cap=60):
    """Rebuild a game by its lines; return how many turns were compared."""
    players = 2 + game % (MOST[box] - 1)
    strategies = [*LINE_UPS[game % len(LINE_UPS)], *("planner",) * MOST[box]][:players]
    plan = plan_by(ruleset.compile(), players=players, games=1000, seed=11, strategies=strategies, round_cap=round_cap)
    stepper = Game(ruleset, plan, game)
    words, g, told = stepper.words, stepper.state, Rebuilt(box, players)

    def compare(when):
        stands = standing(stepper.rules, g, lambda s: words.at.space(g, s), words.card)
        assert differences(told.standing(), stands) == [], (game, when)

    told.read([*stepper.heading(), *stepper.opening])
    compare("set-up")
    turns = 0
    for lines in stepper.turns():
        told.read(lines)
        compare(lines)
        turns += 1
    return turns


@BY_BOX
def test_the_lines_of_games_say_where_everything_is_after_every_turn(box):
    ruleset = load_ruleset(box=box)
    assert sum(check(ruleset, box, game, 30) for game in range(6)) > 150


@pytest.mark.soak
@BY_BOX
def test_the_lines_of_fifty_games_say_where_everything_is_after_every_turn(box):
    ruleset = load_ruleset(box=box)
    assert sum(check(ruleset, box, game) for game in range(100, 150)) > 3_000
