"""A replay's text says everything: from it alone the table is rebuilt, and equals the game's after every turn."""

import re

import pytest
from click.testing import CliRunner
from rebuilt import ANY_TYPE, STEPS, Rebuilt, axial, differences, reader_of, space_at, standing, type_of

from newdawn.scripts.checks import referee
from newdawn.scripts.checks.random_readings import drawn
from newdawn.scripts.checks.referee import Judged, judge
from newdawn.simulator import names
from newdawn.simulator.replay.space_names import space_name
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.printed_game import ruling_options
from newdawn.simulator.runs.run_plan import plan_by

BY_BOX = pytest.mark.parametrize("box", names.BOXES)


def check(ruleset, game, round_cap=60):
    """Rebuild a game by its lines; return how many turns were compared."""
    found = judge(ruleset, game, round_cap)
    assert found.fault == ""
    return found.turns


@BY_BOX
def test_the_lines_of_games_say_where_everything_is_after_every_turn(box):
    ruleset = load_ruleset(box=box)
    assert sum(check(ruleset, game, 30) for game in range(6)) > 150


def test_so_do_those_of_games_with_drafts_and_another_first_player():
    ruleset = load_ruleset(["wonder_draft", "last_goes_first"])
    assert sum(check(ruleset, game, 20) for game in range(3)) > 60


def is_noticed(box, players, turns, at, instead=None):
    """Say whether a line, by turn and number, that is left out or says something else is noticed by the end of its turn."""
    told = Rebuilt(load_ruleset(box=box).data, players)
    try:
        for number, (lines, _) in enumerate(turns[: at[0] + 1]):
            said = [instead if (number, k) == at else text for k, text in enumerate(lines)]
            told.read([text for text in said if text is not None])
        return differences(told.standing(), turns[at[0]][1]) != []
    except (AssertionError, KeyError, AttributeError, StopIteration):
        return True


@pytest.fixture(scope="module", params=names.BOXES)
def played(request):
    """Return a box, and the lines of each turn of a game with what stands after it."""
    ruleset = load_ruleset(box=request.param)
    plan = plan_by(ruleset.compile(), players=3, games=1000, seed=12, strategies=("planner",), round_cap=12)
    game = Game(ruleset, plan, 0)

    def stands():
        return standing(game.rules, game.state, lambda s: space_name(game.state, s), game.words.card)

    return request.param, [([*game.heading(), *game.opening], stands()), *((lines, stands()) for lines in game.turns())]


def test_a_line_left_out_is_noticed(played):
    """The first line of each kind by which something moves."""
    box, turns = played
    first = {}
    for number, (lines, _) in enumerate(turns):
        for k, text in enumerate(lines):
            if not text.endswith("from slot 1 (far left)"):  # a reset by which nothing moves
                first.setdefault(reader_of(text.strip()), (number, k))
    moving = {
        method: at for method, at in first.items() if method not in (Rebuilt.nothing, Rebuilt.turn, Rebuilt.event, Rebuilt.uses)
    }
    assert len(moving) > 15
    assert [method.__name__ for method, at in moving.items() if not is_noticed(box, 3, turns, at)] == []


LIES = {
    "a card lies elsewhere": (Rebuilt.plays, r"from slot (\d)", lambda n: f"from slot {n % 5 + 1}"),
    "what is attacked stands elsewhere": (Rebuilt.attacks, r" at [A-Z]+(\d+)", lambda n: f" at A{n}"),
    "another slot": (Rebuilt.combat, r"slot (\d)", lambda n: f"slot {n + 1}"),
    "another total": (Rebuilt.combat, r"= (\d+) against", lambda n: f"= {n + 1} against"),
    "a die of seven": (Rebuilt.combat, r"against die (\d)", lambda n: "against die 7"),
    "the other wins": (Rebuilt.combat, r"()the attacker wins", lambda n: "the attack fails"),
    "another dial": (Rebuilt.turns_dial, r"from (\d+)", lambda n: f"from {n + 1}"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_line_that_says_what_is_not_so_is_noticed(played, lie):
    box, turns = played
    method, pattern, other = LIES[lie]
    at, text = next(
        ((number, k), text.strip())
        for number, (lines, _) in enumerate(turns)
        for k, text in enumerate(lines)
        if reader_of(text.strip()) is method and re.search(pattern, text)
    )
    changed = re.sub(pattern, lambda found: other(int(found[1] or 0)), text, count=1)
    assert changed != text
    assert not is_noticed(box, 3, turns, at, text)
    assert is_noticed(box, 3, turns, at, changed)


def test_an_effect_that_was_used_has_to_have_done_something(played):
    box, turns = played
    told = Rebuilt(load_ruleset(box=box).data, 3)
    told.read(turns[0][0])
    lines = [text for text in turns[1][0] if reader_of(text.strip()) in (Rebuilt.turn, Rebuilt.plays)]
    told.read([lines[0], "  at the start of the turn: uses Seoul"])
    with pytest.raises(AssertionError, match="Seoul"):
        told.read_line(lines[1].strip())


def test_only_the_owner_of_a_wonder_takes_a_card_of_another_type(played):
    box, turns = played
    told = Rebuilt(load_ruleset(box=box).data, 3)
    told.read(turns[0][0])
    told.current = 0
    old = told.rows[0][0].name
    another = "Flight (military IV)" if type_of(old) != "military" else "Capitalism (economy III)"
    with pytest.raises(AssertionError, match=f"another type without {ANY_TYPE}"):
        told.read_line(f"replaces {old} with {another}")
    space = next(space for space, place in told.map.items() if place.piece == "capital" and place.owner == 0)
    told.wonders[ANY_TYPE] = space
    told.read_line(f"replaces {old} with {another}")
    assert told.rows[0][0].name == another
    assert told.unlawful() == []


def test_what_breaks_a_rule_is_named(played):
    box, turns = played
    told = Rebuilt(load_ruleset(box=box).data, 3)
    told.read(turns[0][0])
    assert told.unlawful() == []
    capital = next(space for space, place in told.map.items() if place.piece == "capital")
    q, r = axial(capital)
    beside = next(space_at(q + dq, r + dr) for dq, dr in STEPS if space_at(q + dq, r + dr) in told.map)
    told.map[beside].owner, told.map[beside].piece, told.map[beside].terrain = 0, "city", "water"
    told.rows[0][0].trade = 4
    told.rows[1][0].name = told.rows[1][1].name
    told.tokens_to_place[2] = -1
    found = " | ".join(told.unlawful())
    assert "two cards of a type in the row of seat 2" in found
    assert "4 trade tokens (B13.1)" in found
    assert f"cities side by side at {beside} (B8.4)" in found
    assert f"a city on water at {beside} (B5.2)" in found
    assert "more control tokens than there are: seat 3 (B1.6)" in found


@pytest.mark.parametrize("switches", [0, 6])
def test_the_referee_is_a_command(switches):
    done = CliRunner().invoke(referee.main, ["--games", "2", "--round-cap", "8", "--switches", str(switches)])
    assert done.exit_code == 0, done.output
    assert [line.split(":")[0] for line in done.output.splitlines()] == list(names.BOXES)
    assert done.output.count("no faults") == 2


def test_the_command_says_which_line_is_wrong(monkeypatch):
    wrong = "game 0, turn 7: 'x' cannot be"
    monkeypatch.setattr(referee, "judge", lambda ruleset, game, cap: Judged(7, 1, "" if game else wrong))
    done = CliRunner().invoke(referee.main, ["--games", "2", "--box", "base"])
    assert done.exit_code == 1
    assert done.output.splitlines()[1] == f"  {wrong}"
    assert "14 turns, 2 combats" in done.output
    assert "1 fault\n" in done.output


def test_readings_are_drawn_again_the_same_and_are_of_the_box():
    for box in names.BOXES:
        known = ruling_options(box)
        first, again, other = (drawn(box, seed, 5).data["rulings"] for seed in (3, 3, 4))
        assert first == again != other
        assert sum(first[key] != known[key]["default"] for key in first) == 5


@pytest.mark.soak
@BY_BOX
def test_the_lines_of_fifty_games_say_where_everything_is_after_every_turn(box):
    """`python -m newdawn.scripts.checks.referee` goes on with as many games as wanted."""
    ruleset = load_ruleset(box=box)
    assert sum(check(ruleset, game) for game in range(100, 150)) > 3_000


@pytest.mark.soak
@BY_BOX
def test_so_do_those_of_games_by_other_readings(box):
    assert sum(check(drawn(box, game, 6), game) for game in range(200, 220)) > 1_000
