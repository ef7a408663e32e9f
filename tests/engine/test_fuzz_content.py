"""Random own content under all invariants: a small version of `python -m newdawn.scripts.checks.random_content`."""

import random

import pytest

from newdawn.scripts.checks.random_content import NOT_DRAWN, box_of_set, play_content, random_ability, random_content
from newdawn.simulator import names
from newdawn.simulator.rules import codes
from newdawn.simulator.rules.load import load_ruleset, with_overlay
from newdawn.simulator.rules.ruleset_contents import words_of


@pytest.mark.parametrize("number", range(16))
def test_random_content_of_both_boxes_keeps_every_invariant(number):
    assert play_content(number, round_cap=12) == ""


@pytest.mark.parametrize("box", names.BOXES)
def test_every_effect_of_the_box_is_drawn(box):
    dice = random.Random(1)
    drawn = {random_ability(dice, wonder=True, box=box)["effect"] for _ in range(2000)}
    of_the_expansion = {
        effect for effect in codes.EFFECTS if any(word in codes.TI_WORDS for word in words_of({"effect": effect}))
    }
    assert drawn == set(codes.EFFECTS) - set(NOT_DRAWN) - (of_the_expansion if box == names.BOXES[0] else set())


def test_a_set_is_the_same_again():
    assert random_content(7) == random_content(7)
    printed = load_ruleset(box=box_of_set(7))
    assert with_overlay(printed, random_content(7), "set").digest() != printed.digest()
