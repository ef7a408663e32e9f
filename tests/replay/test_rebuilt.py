"""A replay's text says everything: from it alone the table is rebuilt, and equals the game's after every turn."""

import pytest
from rebuilt import Rebuilt, differences, reader_of, standing

from newdawn.simulator import names
from newdawn.simulator.replay.spaces import space_name
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.plan import plan_by

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
        stands = standing(stepper.rules, g, lambda s: space_name(g, s), words.card)
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


def test_so_do_those_of_games_with_drafts_and_another_first_player():
    ruleset = load_ruleset(["wonder_draft", "last_goes_first"])
    assert sum(check(ruleset, "base", game, 20) for game in range(3)) > 60


def is_noticed(box, players, turns, left_out):
    """Say whether a line, by turn and number, is missed by the end of its turn: what is told cannot be or does not stand."""
    told = Rebuilt(box, players)
    try:
        for number, (lines, _) in enumerate(turns[: left_out[0] + 1]):
            told.read([text for k, text in enumerate(lines) if (number, k) != left_out])
        return differences(told.standing(), turns[left_out[0]][1]) != []
    except (AssertionError, KeyError, AttributeError, StopIteration):
        return True


@BY_BOX
def test_a_line_left_out_is_noticed(box):
    """The first line of each kind by which something moves."""
    ruleset = load_ruleset(box=box)
    plan = plan_by(ruleset.compile(), players=3, games=1000, seed=12, strategies=("planner",), round_cap=12)
    game = Game(ruleset, plan, 0)

    def stands():
        return standing(game.rules, game.state, lambda s: space_name(game.state, s), game.words.card)

    turns = [([*game.heading(), *game.opening], stands()), *((lines, stands()) for lines in game.turns())]
    first = {}
    for number, (lines, _) in enumerate(turns):
        for k, text in enumerate(lines):
            if not text.endswith("from slot 1 (far left)"):  # a reset by which nothing moves
                first.setdefault(reader_of(text.strip()), (number, k))
    moving = {method: at for method, at in first.items() if method not in (Rebuilt.nothing, Rebuilt.turn, Rebuilt.event)}
    assert len(moving) > 15
    assert [method.__name__ for method, at in moving.items() if not is_noticed(box, 3, turns, at)] == []


@pytest.mark.soak
@BY_BOX
def test_the_lines_of_fifty_games_say_where_everything_is_after_every_turn(box):
    ruleset = load_ruleset(box=box)
    assert sum(check(ruleset, box, game) for game in range(100, 150)) > 3_000
