"""Random own content under all invariants: a small version of `python -m newdawn.scripts.checks.random_content`."""

import pytest

from newdawn.scripts.checks.random_content import box_of_set, own_content, play_content, random_content
from newdawn.simulator import names
from newdawn.simulator.rules import codes
from newdawn.simulator.rules.load import load_ruleset, with_overlay
from newdawn.simulator.rules.ruleset_contents import ability_holders, words_of

# Not drawn: one a ruleset; with a card to give; of city-states; of diplomacy cards; with a file beside the rules.
NOT_DRAWN = {"trade_bank", "give_card", "city_state_as_city", "shared_land", "non_aggression", "own_function"}


@pytest.mark.parametrize("number", range(16))
def test_random_content_of_both_boxes_keeps_every_invariant(number):
    assert play_content(number, round_cap=12) == ""


@pytest.mark.parametrize("box", names.BOXES)
def test_every_effect_of_the_box_is_drawn(box):
    printed = load_ruleset(box=box)
    drawn = {
        ability["effect"]
        for number in range(100)
        for _, entry in ability_holders(with_overlay(printed, own_content(box, number), "draw").data)
        for ability in entry["abilities"].values()
        if entry.get("set") == "own"
    }
    of_the_expansion = {
        effect for effect in codes.EFFECTS if any(word in codes.TI_WORDS for word in words_of({"effect": effect}))
    }
    assert set(codes.EFFECTS) - NOT_DRAWN - (of_the_expansion if box == names.BOXES[0] else set()) <= drawn


def test_a_set_is_the_same_again():
    assert random_content(7) == random_content(7)
    printed = load_ruleset(box=box_of_set(7))
    assert with_overlay(printed, random_content(7), "set").digest() != printed.digest()
