"""Patch notes: what changes between two rulesets, in the game's words."""

import re
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import pairwise

import pytest

from newdawn.analysis.questions.possible_changes import levers
from newdawn.simulator import names
from newdawn.simulator.rules import codes, load_ruleset, patch_words
from newdawn.simulator.rules.edit import find, keys
from newdawn.simulator.rules.load import packaged_names, with_overlay
from newdawn.simulator.rules.show import Note, moved, named, patch_notes, place, shortened

HAVE_NAMES = ("leaders.", "wonders.", "city_states.", "focus_cards.base", "focus_cards.ti", "districts.districts")


def patch_words_of(found):
    """Return the phrase for a path, '' where there is none."""
    tables = (patch_words.EACH if found.endswith(".*") else {}, patch_words.WORDS)
    return next((said for table in tables for pattern, said in table.items() if fnmatchcase(found, pattern)), "")


def notes(overlay, box=names.BOXES[0]):
    printed = load_ruleset(box=box)
    return [str(note) for note in patch_notes(with_overlay(printed, overlay, "test").data, printed.data)]


def test_a_value_is_called_by_what_it_is_of():
    assert notes({"wonders": {"petra": {"cost": 5}}}) == ["Petra: cost 7 → 5"]
    assert notes({"leaders": {"scythia": {"abilities": {"combat": {"amount": 1}}}}}) == ["Scythia: combat bonus 3 → 1"]
    assert notes({"leaders": {"rome": {"start_trade_tokens": {"culture": 2}}}}) == [
        "Rome: trade tokens on the culture card 0 → 2"
    ]
    assert notes({"victory_cards": {"rules": {"base": {"cards_in_play": 4}}}}) == ["Victory cards in play 3 → 4"]
    assert notes({"components": {"combat": {"may_be_attacked": {"capital": False}}}}) == ["Capitals may be attacked (yes → no)"]
    assert notes({"wonders": {"petra": {"available": False}}}) == ["Petra: in the game (yes → no)"]
    assert notes({"leaders": {"egypt": {"start_bonus": {"cities": 1}}}}) == ["Egypt: cities at the start 0 → 1"]


def test_an_effect_is_called_as_its_declaration_says(monkeypatch):
    monkeypatch.setitem(codes.EFFECT, "combat", replace(codes.EFFECT["combat"], noun="strength"))
    assert notes({"leaders": {"scythia": {"abilities": {"combat": {"amount": 1}}}}}) == ["Scythia: strength 3 → 1"]


@pytest.mark.parametrize("box", names.BOXES)
def test_drafts_and_face_up_wonders_are_told_in_the_games_words(box):
    deal = {"bans_per_player": 1, "choose_from": "all_left", "pick_order": "reverse_turn_order", "choice": "ranking"}
    assert notes({"components": {"leader_deal": {**deal, "ranking": ["Rome"]}, "face_up_wonders": 2}}, box) == [
        "Face-up world wonders of each deck 1 → 2",
        "Leaders that each player bans 0 → 1",
        "Leaders to choose from (dealt → all left)",
        "Order in which leaders are chosen (turn order → reverse turn order)",
        "How leaders are chosen (random → ranking)",
        "Ranking of leaders (none → Rome)",
    ]


def test_values_beside_each_other_that_change_alike_are_one_note():
    same = dict.fromkeys(("culture", "science", "economy", "industry", "military"), 3)
    assert notes({"leaders": {"america": {"start_trade_tokens": same}}}) == ["America: trade tokens on each card 0 → 3"]
    apart = notes({"leaders": {"america": {"start_trade_tokens": same | {"science": 1}}}})
    assert len(apart) == 5
    assert "America: trade tokens on the science card 0 → 1" in apart
    most = notes({"leaders": {"america": {"start_trade_tokens": dict.fromkeys(list(same)[:4], 3)}}})
    assert len(most) == 4
    bonus = dict.fromkeys(load_ruleset().data["components"]["start_bonus"]["everyone"], 1)
    assert notes({"components": {"start_bonus": {"last_in_turn_order": bonus}}}) == [
        "Each part of the last player's start bonus 0 → 1"
    ]
    assert notes({"leaders": {"egypt": {"start_bonus": bonus}}}) == ["Egypt: each part of the start bonus 0 → 1"]


def test_levels_of_the_dial_are_told_as_levels_and_moved_as_spaces():
    printed, longer = load_ruleset(), load_ruleset(["longer_dial"])
    told = [str(note) for note in patch_notes(longer.data, printed.data)]
    assert "Level on space 3 of the technology dial 2 → –" in told
    assert str(moved(printed.data, "dials.tech_dial.level_spaces.3", 3, 4)) == "Level space 3 of the technology dial 3 → 4"


def test_the_same_rules_have_no_notes_and_new_things_one_each():
    printed = load_ruleset()
    assert patch_notes(printed.data, printed.data) == []
    own = load_ruleset(["three_leaders"])
    assert [str(note) for note in patch_notes(own.data, printed.data)] == [
        f"{name}: new" for name in ("Atlantis", "Carthago", "Phoenicia")
    ]
    assert [note.new for note in patch_notes(printed.data, own.data)] == ["removed"] * 3


@pytest.mark.parametrize("name", [name for name in packaged_names("house rules") if name not in ("peaceful_game", "kush")])
def test_every_packaged_house_rule_is_told_by_its_paths(name):
    """Each note has a path that the rules have, a text without keys of the data, and values that differ."""
    ruleset, printed = load_ruleset([name]), load_ruleset()
    found = patch_notes(ruleset.data, printed.data)
    assert found
    for note in found:
        assert "_" not in note.what
        assert note.what[0].isupper()
        node = ruleset.data if note.new != "removed" else printed.data
        for step in note.path.removesuffix(".*").split("."):
            node = node.get(step, {})
        assert note.old != note.new or note.old == "(a list)"


@pytest.mark.parametrize("box", names.BOXES)
def test_every_number_reads_as_english_and_no_two_alike(box):
    """What each number, and each block of them, is called: a phrase of its own, no path and no key, a card's by its name."""
    ruleset = load_ruleset(box=box)
    called = {}
    for lever in levers(ruleset):
        note = moved(ruleset.data, lever.name, lever.value, lever.value - 1 if lever.value else 1)
        assert patch_words_of(place(ruleset.data, lever.name)), f"{lever.name}: no words in patch_words.py"
        words = re.findall(r"[\w.-]+", note.what)
        assert "_" not in str(note), lever.name
        assert not {"base", "ti", "abilities", "if", "unless", "amount"} & set(words), note
        assert not any(first == second for first, second in pairwise(words)), note
        assert not [word for word in words if re.search(r"\w\.\w", word)], note
        assert called.setdefault(note.what, lever.name) == lever.name, f"{note}: also {called[note.what]}"
        if lever.name.startswith(HAVE_NAMES):
            assert ": " in note.what, note
        assert note.what[0].isupper()
        assert not note.what.endswith((",", " of", " for", " the")), note


@pytest.mark.parametrize("box", names.BOXES)
def test_every_key_has_words_without_underscores(box):
    ruleset = load_ruleset(box=box)
    for key in keys(ruleset):
        assert "_" not in named(ruleset.data, key.path), key.path


def test_a_second_ability_of_one_effect_is_told_apart_by_its_moment():
    data = load_ruleset(box=names.BOXES[1]).data
    assert named(data, "leaders.ottoman.given_card.abilities.trade_tokens.amount") == (
        "Ibrahim: trade tokens for each caravan that arrives at a city or capital"
    )
    assert named(data, "leaders.ottoman.given_card.abilities.trade_tokens_2.amount") == (
        "Ibrahim: trade tokens for the giver for each caravan that arrives at a city or capital"
    )


@pytest.mark.parametrize(
    ("path", "old", "new", "said"),
    [
        ("leaders.aztec.abilities.swap_cards.if.attacks_won_this_turn", 1, 3,
         "Aztec: attacks won this turn needed for the swaps of cards 1 → 3"),
        ("focus_cards.base.currency.move", 4, 5, "Currency: steps of each caravan 4 → 5"),
        ("victory_cards.base.civilized_money_grubber.agendas.civilized.condition.at_least", 8, 7,
         "Civilized: cities needed 8 → 7"),
        ("victory_cards.base.civilized_money_grubber.agendas.money_grubber.condition.at_least", 2, 1,
         "Money Grubber: economy wonders needed 2 → 1"),
        ("victory_cards.base.civilized_money_grubber.agendas.civilized.claims_at_most", 0, 1,
         "Civilized: players who can claim it (everyone → 1)"),
        ("components.combat.defence.city_state", 8, 9, "Defence of a city-state 8 → 9"),
        ("components.combat.may_be_attacked.*", 1, 0, "Everything may be attacked (yes → no)"),
        ("victory_cards.rules.base.round_limit", 0, 20, "Round after which the game ends (none → 20)"),
    ],
)  # fmt: skip
def test_numbers_are_told_as_a_player_says_them(path, old, new, said):
    assert str(moved(load_ruleset().data, path, old, new)) == said


def test_a_parameter_is_told_as_it_is_moved():
    data = load_ruleset().data
    assert str(moved(data, "wonders.petra.cost", 7, 4)) == "Petra: cost 7 → 4"
    assert str(moved(data, "leaders.rome.start_trade_tokens.*", 0, 2)) == "Rome: trade tokens on each card 0 → 2"
    assert str(moved(data, "components.combat.may_be_attacked.city", 1, 0)) == "Cities may be attacked (yes → no)"
    assert find(load_ruleset(), "components.combat.may_be_attacked.city").value == 1


def test_long_lists_of_notes_are_cut():
    lines = shortened([Note(f"{k}", "1", "2", "x") for k in range(9)], 4)
    assert lines == ["0 1 → 2", "1 1 → 2", "2 1 → 2", "3 1 → 2", "5 more"]
    assert shortened(["a", "b"], 2) == ["a", "b"]


@pytest.mark.parametrize("box", names.BOXES)
def test_a_new_ability_is_one_sentence_and_so_is_one_taken_away(box):
    help_behind = {"effect": "trade_tokens", "amount": 1, "moment": "start_of_turn", "if": {"claims_behind": 1}}
    spares = {"effect": "spares", "target": ["city", "capital"], "until_round": 4}
    assert notes({"everyone": {"abilities": [help_behind, spares]}}, box) == [
        "Every player: at the start of the turn: 1 trade token on any own cards, if behind by 1 victory card or more",
        "Every player: no attacks on city or capital, until round 4",
    ]
    extra = {"effect": "wonder_cost", "amount": 1, "unless": {"cities_ahead": 2}}
    printed = load_ruleset(box=box)
    ruleset = with_overlay(printed, {"leaders": {"scythia": {"abilities": {"extra": extra}}}}, "test")
    (note,) = patch_notes(ruleset.data, printed.data)
    assert str(note) == "Scythia: cost of world wonders: +1, unless ahead by 2 cities or more"
    assert note.path == "leaders.scythia.abilities.extra"
    (gone,) = patch_notes(printed.data, ruleset.data)
    assert str(gone) == "Scythia: no longer: cost of world wonders: +1, unless ahead by 2 cities or more"


@pytest.mark.parametrize(
    ("overlay", "said"),
    [
        ({"leaders": {"scythia": {"abilities": {"combat": {"until_round": 6}}}}}, "Scythia: combat bonus until round – → 6"),
        ({"components": {"mature_city_gaps": 1}}, "Spaces beside a mature city that may be without a token 0 → 1"),
        ({"components": {"focus_row_reset_to": 2}}, "Place of the row that a resolved card returns to 1 → 2"),
        ({"dials": {"icon_effects": {"barbarians_move": {"steps": 2}}}}, "Spaces that barbarians move 1 → 2"),
        ({"dials": {"icon_effects": {"barbarians_appear": {"at_most": 1}}}}, "Barbarians that return at a time 11 → 1"),
        (
            {"victory_cards": {"rules": {"base": {"tie_break": ["most_cities", "last_in_turn_order"]}}}},
            "Ties are broken by (most world wonders, most friendly spaces → most cities, last in turn order)",
        ),
    ],
)
def test_what_tables_invent_is_told_in_the_games_words(overlay, said):
    assert notes(overlay) == [said]
