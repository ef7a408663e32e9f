"""Functions of a user's that house rules call at moments, and the moments that come with them."""

from __future__ import annotations

import itertools
import json
import sys
from types import SimpleNamespace

import pytest
from table import Table

from newdawn.simulator.engine import science, turn
from newdawn.simulator.engine.compile import jit, user_functions
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.load import from_data, load_ruleset, with_overlay
from newdawn.simulator.runs import guard
from newdawn.simulator.runs.run import Player, Silent, play_range
from newdawn.simulator.runs.run_plan import plan_by

PRINTED = load_ruleset()
NUMBERS = itertools.count()
HEAD = """from newdawn.simulator.engine.trade import gain_resource_of, gain_trade
from newdawn.strategies import deed


@deed
def act(r, g, w, bots, p, s, amount):
"""
GIVES_OIL = "    for _ in range(amount):\n        gain_resource_of(g, w, p, 2)\n"


@pytest.fixture
def house(tmp_path, monkeypatch):
    """Return a maker of rules under which Rome has a function of the text at the moment; the module has a name of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(body=GIVES_OIL, moment="end_of_round", head=HEAD, **words):
        module = f"own_deeds_{next(NUMBERS)}"
        (tmp_path / f"{module}.py").write_text(head + body, "utf-8")
        ability = {"effect": "own_function", "function": f"{module}:act", "moment": moment, **words}
        return with_overlay(PRINTED, {"leaders": {"rome": {"abilities": [ability]}, "egypt": {"abilities": []}}}, "house")

    return make


def table(ruleset, **settings):
    r = ruleset.compile()
    user_functions.load(r)
    t = Table(radius=4, rules=r, **settings)
    t.capital(0, (0, 0))
    t.capital(1, (4, 0))
    return t


def words_table(moment):
    """Return a table on which Rome gains a trade token for its science card at the moment."""
    ability = {"effect": "trade_tokens", "amount": 1, "card": "science", "moment": moment}
    overlay = {"leaders": {"rome": {"abilities": [ability]}, "egypt": {"abilities": []}}}
    t = Table(radius=4, rules=with_overlay(PRINTED, overlay, "test").compile())
    t.capital(0, (0, 0))
    t.capital(1, (4, 0))
    return t


# --- the moments


def test_the_dial_is_turned_by_its_owner_and_only_if_it_moves():
    t = words_table("dial_turned")
    for seat, steps, tokens in ((0, 3, 1), (1, 3, 1), (0, 0, 1), (0, 1, 2)):
        t.call(science.advance_dial, seat, steps)
        assert t.trade_on(0, "science") == tokens


def test_the_round_ends_once_for_everybody():
    t = words_table("end_of_round")
    t.call(turn.end_round)
    assert [t.trade_on(p, "science") for p in range(2)] == [1, 0]


def test_no_round_ends_before_the_first():
    t = words_table("end_of_round")
    t.g.round_number = 0
    t.call(turn.begin_round)
    assert t.trade_on(0, "science") == 0
    t.call(turn.begin_round)
    assert t.trade_on(0, "science") == 1


@pytest.mark.parametrize(("dice", "tokens"), [((1, 6), 1), ((6, 1), 0)])
def test_an_attack_lost_is_the_attackers_moment(dice, tokens):
    t = words_table("attack_lost")
    t.barbarian("A", (1, 0))
    t.attack(0, "Masonry", 1, (1, 0), dice, barbarian=True)
    assert t.trade_on(0, "science") == tokens


# --- functions


def test_a_function_is_called_for_its_owner_with_its_amount(house):
    t = table(house(amount=3))
    t.call(turn.end_round)
    assert t.g.resources[:2, 2].tolist() == [3, 0]


def test_a_function_has_the_conditions_of_other_deeds(house):
    t = table(house(**{"if": {"cities": 2}}))
    t.call(turn.end_round)
    assert t.g.resources[0, 2] == 0
    t.city(0, (-2, 0))
    t.call(turn.end_round)
    assert t.g.resources[0, 2] == 1


def test_the_digest_of_the_file_is_part_of_the_rules(house, tmp_path):
    ruleset = house()
    again = from_data(json.loads(json.dumps(ruleset.data)))
    assert user_functions.load(again.compile())
    assert again.digest() == ruleset.digest()
    place = user_functions.places(ruleset.compile())[0][0]
    file = tmp_path / f"{place.partition(':')[0]}.py"
    file.write_text(file.read_text() + "\n# changed\n")
    with pytest.raises(UserError, match="has changed since its house rules were read"):
        user_functions.load(again.compile())


def test_a_function_is_said_in_words(house):
    from newdawn.simulator.rules.show import show

    assert any(":act with 2" in line and "end of the round" in line for line in show(house(amount=2), "Rome"))


def plan_of(ruleset, games=6):
    r = ruleset.compile()
    return plan_by(r, players=3, games=games, seed=3, strategies=["random"], leaders=["Rome", "Egypt", "Japan"], round_cap=6), r


@pytest.mark.skipif(jit.JIT_OFF, reason="plain Python is slow")
@pytest.mark.soak
def test_games_with_a_function_are_the_same_again_and_others_than_without(house):
    plan, r = plan_of(house())
    one, other = (play_range(plan, rules, 0, 6, Silent()) for rules in (r, house().compile()))
    assert one.seats.tobytes() == other.seats.tobytes()
    without = play_range(plan, with_overlay(PRINTED, {"leaders": {"rome": {"abilities": []}}}, "no").compile(), 0, 6, Silent())
    assert one.seats["resources"].sum() > without.seats["resources"].sum()


# --- faults


@pytest.mark.skipif(jit.JIT_OFF, reason="plain Python says itself where an error is")
@pytest.mark.soak
def test_an_error_of_somebody_elses_is_not_taken_for_a_functions(house, monkeypatch):
    monkeypatch.setattr(guard, "_python_hook", [].append)
    plan, r = plan_of(house())
    player = Player(plan, r)
    for compiled, raised in (("pyarrow.lib.of_an_iterator", False), ("<numba.core.cpu.CPUContext object at 0x7f>", True)):
        sys.unraisablehook(SimpleNamespace(object=compiled, exc_value=StopIteration()))
        if raised:
            Player(plan, r)  # what comes before the games is none of theirs
        player.play(0, 2, player.rows(2), 0, 0)


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("    r.wonder_cost[0] = 0\n", "changes the rules"),
        ("    g.trade[p, 0] = 100\n", "leaves a game that cannot be"),
        ("    g.owner[g.n_spaces + 1_000_000] = p\n", "raises IndexError"),
        pytest.param("    while amount > 0:\n        pass\n", "gives no answer for", marks=pytest.mark.soak),
    ],
)
@pytest.mark.skipif(jit.JIT_OFF, reason="plain Python says itself where an error is")
def test_a_fault_is_one_line_with_function_game_and_seat(house, monkeypatch, body, fault):
    monkeypatch.setattr(guard, "DECISION_SECONDS", 2.0)
    plan, r = plan_of(house(body))
    with pytest.raises(UserError) as caught:
        Player(plan, r)
    message = str(caught.value)
    assert fault in message
    assert "own function own_deeds_" in message
    assert "game 0, seat" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("words", "fragment"),
    [
        ({"function": "nowhere:act"}, "own_function.function: there is no module 'nowhere' here; expected module:name"),
        ({"function": "act"}, "own_function.function"),
        ({"amount": "much"}, "own_function.amount: expected a whole number"),
        ({"moment": "end_of_rond"}, "did you mean 'end_of_round'?"),
        ({"worht": 2}, "did you mean 'worth'?"),
    ],
)
def test_what_is_wrong_is_one_line(house, words, fragment):
    with pytest.raises(UserError) as caught:
        house(**words)
    assert fragment in str(caught.value)


def test_what_is_no_function_is_one_line(house):
    with pytest.raises(UserError, match="has no act"):
        user_functions.load(house("    pass\n", head=HEAD.replace("def act", "def acts")).compile())
    with pytest.raises(UserError, match="cannot be imported"):
        user_functions.load(house("    (\n").compile())


@pytest.mark.skipif(jit.JIT_OFF, reason="nothing is compiled")
def test_what_is_not_compiled_is_one_line(house):
    with pytest.raises(UserError, match="decorate its function with @deed"):
        user_functions.load(house(head=HEAD.replace("@deed\n", "")).compile())
    with pytest.raises(UserError, match="cannot be compiled"):
        user_functions.load(house("    return g.no_such_thing\n").compile())


def test_games_without_functions_have_none():
    assert user_functions.load(PRINTED.compile()) == []
