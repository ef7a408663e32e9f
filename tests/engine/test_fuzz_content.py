"""Random own content under all invariants: a small version of `python -m newdawn.scripts.checks.content`."""

import random

import pytest

from newdawn.scripts.checks.content import play_content, random_ability, random_content
from newdawn.simulator.rules.loading.abilities import MODELS
from newdawn.simulator.rules.loading.load import load_ruleset, with_overlay


@pytest.mark.parametrize("number", range(12))
def test_random_leaders_and_wonders_keep_every_invariant(number):
    assert play_content(number, round_cap=12) == ""


def test_every_effect_is_drawn():
    dice = random.Random(1)
    drawn = {random_ability(dice, wonder=True)["effect"] for _ in range(2000)}
    assert drawn == set(MODELS) - {"trade_bank"}


def test_a_set_is_the_same_again():
    assert random_content(7) == random_content(7)
    assert with_overlay(load_ruleset(), random_content(7), "set").digest() != load_ruleset().digest()
