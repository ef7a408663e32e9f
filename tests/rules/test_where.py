"""Whatever has an effect of its own is found in the program: `newdawn rules where NAME`."""

import pytest

from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import codes
from newdawn.simulator.rules.coverage import constant, coverage, find, find_tests, line_of, places, root, where, words


@pytest.mark.parametrize("word", list(words()), ids=lambda word: word.name)
def test_every_word_is_found_in_names_data_and_engine(word):
    assert line_of(word.data, word.name) > 0
    assert word.kind == "focus card" or line_of("simulator/names.py", word.name) > 0
    for place in [*places(word, "simulator/engine"), *places(word, "strategies")]:
        assert f"def {place.function}(" in (root() / place.file).read_text("utf-8").splitlines()[place.line - 1]
    assert places(word, "simulator/engine")


def test_every_word_has_a_test():
    claimed = {entry.name for entry in coverage(find_tests()).entries if entry.tests}
    assert {word.name for word in words()} <= claimed


@pytest.mark.parametrize("group", [names.LEADERS, names.WONDERS, names.CITY_STATES, names.DIPLOMACY_CARDS, names.DISTRICTS])
def test_every_printed_name_of_the_base_game_has_its_constant(group):
    assert [getattr(names, constant(name, code)) for code, name in enumerate(group)] == list(range(len(group)))


def test_a_name_without_a_constant_has_none():
    assert constant("Kilwa Kisiwani", 28) == constant("Petra", 3) == ""


@pytest.mark.parametrize("group", [codes.EFFECTS, codes.MOMENTS])
def test_the_constant_of_an_effect_or_moment_is_its_word(group):
    assert [getattr(codes, word.upper()) for word in group] == list(range(len(group)))


def test_what_is_said_of_a_wonder():
    shown = "\n".join(where("oxford university"))
    assert "Oxford University: wonder, code 22, names.OXFORD_UNIVERSITY" in shown
    assert "simulator/data/wonders.yaml:" in shown
    assert "simulator/engine/science.py:" in shown
    assert "tests/rules/" in shown


def test_an_unknown_word_names_the_nearest():
    with pytest.raises(UserError, match="did you mean 'Petra'"):
        find("Petrra")


@pytest.mark.parametrize("name", [*names.DISTRICTS, *names.GOVERNMENTS])
def test_districts_and_governments_are_found(name):
    shown = "\n".join(where(name.lower(), "terra-incognita"))
    assert shown.startswith(f"{name}: {'district' if name in names.DISTRICTS else 'government'}, ")
    assert "simulator/names.py:" in shown
    assert "simulator/engine/" in shown
    assert "tests/rules/" in shown or name in names.GOVERNMENTS  # governments do nothing of their own: T8 has their tests


@pytest.mark.parametrize(
    ("number", "function", "test"),
    [("B9.10", "combat.py", "rules/test_b9_victories.py"), ("T5.12", "fall_back", "rules/ti/test_t12_armies.py")],
)
def test_a_rule_is_found_by_its_number_whatever_the_box(number, function, test):
    shown = "\n".join(where(number))
    assert shown.startswith(f"{number}: rule, ")
    assert function in shown
    assert test in shown


def test_an_unknown_rule_names_the_nearest():
    with pytest.raises(UserError, match=r"unknown rule 'B9.99'.*did you mean 'B9.9'"):
        where("B9.99")
