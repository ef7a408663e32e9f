"""The check of the search for goals: what it spoils can be undone."""

import pytest

from newdawn.analysis.goals.games import Space
from newdawn.analysis.goals.wishes import KINDS, Figure, Goals, NumberEntry, Wish
from newdawn.scripts.checks.goals.planted import ends
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.edit import change

PRINTED = load_ruleset()
TERRACOTTA = "wonders.terracotta_army.cost"


def choice_of(rules, path):
    """Return what the search may do with a number."""
    wish = Wish(0, Figure(KINDS["median-length"]), 2, 14, 18)
    goals = Goals("test", "test", rules.box, (wish,), ("planner",), numbers=(NumberEntry(path=path),))
    (choice,) = Space.of(rules, goals).choices
    return choice


@pytest.mark.parametrize("path", [TERRACOTTA, "wonders.kremlin.cost", "leaders.scythia.abilities.combat.amount"])
def test_the_printed_value_is_among_those_that_the_search_tries_from_a_spoiled_one(path):
    choice = choice_of(PRINTED, path)
    for value in ends(choice):
        spoiled = change(PRINTED, dict.fromkeys(choice.lever.parameters, value))
        assert choice.lever.value in choice_of(spoiled, path).values, value


def test_a_number_is_spoiled_as_far_as_it_can_come_back():
    choice = choice_of(PRINTED, TERRACOTTA)
    assert (choice.lever.value, choice.values[0], ends(choice)) == (8, 4, [5, 12])
