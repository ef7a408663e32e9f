"""What no word says is one list: a word on it is answered with the nearest way, never with a word that means another thing."""

from __future__ import annotations

import re

import pytest

from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import codes, contract, unsayable, vocabulary
from newdawn.simulator.rules.edit import search
from newdawn.simulator.rules.load import load_ruleset, with_overlay

BASE = load_ruleset()
KEYS = {key for effect in codes.EFFECT.values() for key in effect.keys}
DECLARED = {*codes.EFFECT, *codes.MOMENT, *codes.COUNT, *names.METRIC, *KEYS}
LISTED = [word for entry in unsayable.wishes() for word in entry.words]


def refused(**ability):
    """Return the message with which an ability of a leader is refused."""
    leader = {"name": "Kush", "start_row": ["science", "culture", "economy", "military", "industry"], "abilities": [ability]}
    with pytest.raises(UserError) as error:
        with_overlay(BASE, {"leaders": {"kush": leader}}, "house.yaml")
    return str(error.value)


def test_no_word_on_the_list_can_be_said():
    assert [word for word in LISTED if word in DECLARED] == []
    assert len(set(LISTED)) == len(LISTED)


@pytest.mark.parametrize("entry", unsayable.wishes(), ids=lambda entry: entry.words[0])
def test_the_nearest_way_is_made_of_words_that_there_are(entry):
    quoted = re.findall(r"`([a-z_]+)(?:: \{?([a-z_]+))?", entry.nearest)
    keys = {*DECLARED, "scores", "teams", "dials", "components", "start_bonus", "always_in_play", "cards_needed", "ability",
            "everyone", "move_token"}  # fmt: skip
    assert {word for word, _ in quoted} <= keys
    assert all(unsayable.find(word) for word in entry.words)


@pytest.mark.parametrize("entry", unsayable.wishes(), ids=lambda entry: entry.words[0])
def test_an_unknown_effect_on_the_list_is_answered_with_its_way(entry):
    said = refused(effect=entry.words[0], amount=1)
    assert entry.nearest in said
    assert "did you mean" not in said
    assert (unsayable.FUNCTION in said) == entry.function


@pytest.mark.parametrize(
    ("ability", "meant"),
    [
        ({"effect": "combatt"}, "combat"),
        ({"effect": "tradetokens"}, "trade_tokens"),
        ({"effect": "caravan_step"}, "caravan_steps"),
        ({"effect": "combat", "amount": 1, "terain": ["hills"]}, "terrain"),
        ({"effect": "combat", "amount": 1, "if": {"citis": 2}}, "cities"),
        ({"effect": "trade_tokens", "amount": 1, "moment": "won_attack"}, "attack_won"),
        ({"effect": "trade_tokens", "amount": 1, "moment": "city_bulit"}, "city_built"),
    ],
)
def test_a_word_that_is_misspelt_is_named(ability, meant):
    assert f"did you mean '{meant}'?" in refused(**ability)


@pytest.mark.parametrize(
    ("moment", "alike"), [("city_razed", "city_built"), ("wonder_sold", "wonder_built"), ("round_begins", "end_of_round")]
)
def test_no_word_of_another_meaning_is_named(moment, alike):
    assert unsayable.misspelt(moment, [alike]) == ""
    assert "did you mean" not in refused(effect="trade_tokens", amount=1, moment=moment)


def test_the_same_answer_is_given_by_the_search_of_keys():
    with pytest.raises(UserError, match=r"nothing says this \(another turn\); the nearest: `repeat_card`"):
        search(BASE, "extra turn")


def test_the_page_has_the_list():
    page = vocabulary.page()
    assert all(f"| {entry.wish} | {entry.nearest} |" in page for entry in unsayable.wishes())


def test_an_unknown_effect_that_nobody_has_listed_names_the_page():
    assert contract.unknown_effect("frobnicate") == "unknown effect 'frobnicate'; see docs/abilities.md"
