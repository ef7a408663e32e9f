"""Random own content under all invariants: a small version of `python -m newdawn.scripts.checks.content`."""

import random

import pytest

from newdawn.scripts.checks.content import NOT_DRAWN, play_content, random_ability, random_content
from newdawn.simulator.rules.ability_codes import TI_WORDS
from newdawn.simulator.rules.loading.abilities import MODELS, words_of
from newdawn.simulator.rules.loading.load import load_ruleset, with_overlay


@pytest.mark.parametrize("number", range(12))
def test_random_leaders_and_wonders_keep_every_invariant(number):
    assert play_content(number, round_cap=12) == ""


def test_every_effect_is_drawn():
    dice = random.Random(1)
    drawn = {random_ability(dice, wonder=True)["effect"] for _ in range(2000)}
    of_the_expansion = {effect for effect in MODELS if any(word in TI_WORDS for word in words_of({"effect": effect}))}
    assert drawn == set(MODELS) - set(NOT_DRAWN) - of_the_expansion


def test_a_set_is_the_same_again():
    assert random_content(7) == random_content(7)
    assert with_overlay(load_ruleset(), random_content(7), "set").digest() != load_ruleset().digest()
