"""`newdawn rules list` finds keys by the words of this game and of others, and says what the engine cannot do."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache

import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.edit import ChangeableKey, KeySearch, _table, keys, matching, phrases

BASE, BOX = names.BOXES


@cache
def listed(box: str) -> list[ChangeableKey]:
    return keys(load_ruleset(box=box))


def found(words: str, box: str = BASE) -> set[str]:
    return {key.path for key in KeySearch(words).among(listed(box))}


# What a designer would type, and a key that has to be among what is found.
SEARCHES = {
    "draft": "components.leader_deal.base.leaders_per_player",
    "leader draft": "components.leader_deal.base.choice",
    "ban": "leaders.rome.available",
    "ban phase": "components.leader_deal.base.bans_per_player",
    "pick order": "components.leader_deal.base.pick_order",
    "face-up wonders": "components.face_up_wonders",
    "market": "components.face_up_wonders",
    "handicap of a leader": "leaders.rome.start_bonus.cities",
    "catch-up": "components.start_bonus.last_in_turn_order.cities",
    "comeback": "components.start_bonus.last_in_turn_order.resources",
    "first player": "components.start_bonus.last_in_turn_order.trade_tokens",
    "going first": "components.start_bonus.last_in_turn_order.trade_tokens",
    "turn order": "components.first_player",
    "starting resources": "components.start_bonus.everyone.resources",
    "handicap": "leaders.rome.start_trade_tokens.culture",
    "gold": "components.limits.trade_tokens_per_focus_card",
    "money": "components.caravan_arrival.city_state.trade_tokens",
    "income": "dials.icon_effects.trade.trade_tokens",
    "science": "dials.tech_dial.start",
    "tech": "dials.tech_dial.level_spaces.24",
    "technology": "components.start_bonus.everyone.technology_levels",
    "research": "focus_cards.trade_token_effect.science.dial_spaces",
    "army": "components.combat.die_sides",
    "armies": "components.combat.die_sides",
    "combat": "components.combat.tie",
    "war": "focus_cards.base.masonry.attacks",
    "attack range": "focus_cards.base.masonry.attack_range",
    "defense": "components.combat.defence.capital_bonus",
    "dice": "components.combat.die_sides",
    "capital defense": "components.combat.defence.capital_bonus",
    "barbarians": "components.combat.win_effect.barbarian.trade_tokens",
    "raiders": "components.combat.win_effect.barbarian.trade_tokens",
    "victory": "victory_cards.rules.base.cards_needed",
    "winning": "victory_cards.rules.base.cards_needed",
    "victory points": "scores.points.victory_cards",
    "score": "scores.first_to",
    "goals": "victory_cards.base.civilized_money_grubber.agendas.civilized.condition.at_least",
    "wonder cost": "wonders.petra.cost",
    "cheaper wonders": "wonders.petra.cost",
    "cost of wonders": "wonders.petra.cost",
    "price of Petra": "wonders.petra.cost",
    "game length": "victory_cards.rules.base.round_limit",
    "turn limit": "victory_cards.rules.base.at_round_limit",
    "longer game": "victory_cards.rules.base.round_limit",
    "cards to win": "victory_cards.rules.base.cards_needed",
    "domination": "victory_cards.rules.base.cards_needed",
    "caravan speed": "focus_cards.base.currency.move",
    "make Scythia weaker": "leaders.scythia.abilities.combat.amount",
    "tie": "victory_cards.rules.base.tie_break",
    "trade routes": "components.per_player.base.caravans",
    "settlers": "focus_cards.base.pottery.city_range",
    "cities": "components.per_player.base.cities",
    "borders": "components.per_player.base.control_tokens",
    "map size": "components.map_setup.base.dealt_tiles_per_player",
    "terrain": "components.terrain_difficulty.hills",
    "events": "dials.event_dial_base.sections",
    "steal": "components.combat.win_effect.capital.trade_tokens_taken",
    "nerf Scythia": "leaders.scythia.abilities.combat.amount",
    "abilities": "leaders.scythia.ability_works",
    "treaties": "diplomacy.limits.per_other_player",
    "number of players": "components.wonder_decks.base.2.ancient",
}


# More of them; here keys that have most of the words will do.
MORE = {
    "wonder draft": "components.drafted_wonders",
    "victory card draft": "victory_cards.rules.base.cards_in_play",
    "sea level": "components.shared.base.water_tokens",
    "technology cost": "dials.tech_dial.level_spaces.24",
    "tech cost": "dials.tech_dial.level_spaces.3",
    "tech dial steps": "dials.tech_dial.last_space",
    "first come first served": "victory_cards.rules.base.claims_per_agenda",
    "first to claim": "victory_cards.base.civilized_money_grubber.agendas.civilized.claims_at_most",
    "victory card always in play": "victory_cards.base.warmonger_paranoid.always_in_play",
    "who is behind goes first": "components.first_player",
    "rotating start player": "components.first_player",
    "shorter map": "components.map_setup.base.core_tiles",
    "reserved wonders": "components.drafted_wonders",
    "race": "victory_cards.rules.base.cards_needed",
    "no dice": "components.combat.dice",
    "less luck": "components.combat.dice",
    "combat dice": "components.combat.die_sides",
    "city limit": "components.per_player.base.cities",
    "starting city": "components.start_bonus.everyone.cities",
    "barbarian strength": "components.combat.defence.barbarian_bonus",
    "barbarian spawn": "dials.icon_effects.barbarians_appear.at_most",
    "no barbarians": "dials.icon_effects.barbarians_move.steps",
    "barbarian event": "dials.icon_effects.barbarians_appear.at_most",
    "caravan range": "focus_cards.base.foreign_trade.move",
    "caravan movement": "focus_cards.base.foreign_trade.move",
    "military strength": "components.combat.die_sides",
    "attack bonus": "focus_cards.base.masonry.combat_bonus",
    "defender wins ties": "components.combat.tie",
    "war score": "scores.points.rival_capitals_defeated",
    "win condition": "victory_cards.rules.base.cards_needed",
    "number of agendas": "victory_cards.rules.base.cards_in_play",
    "shorter game": "victory_cards.rules.base.round_limit",
    "round limit": "victory_cards.rules.base.round_limit",
    "turn timer": "victory_cards.rules.base.round_limit",
    "runaway leader": "components.start_bonus.last_in_turn_order.cities",
    "kingmaking": "components.combat.may_be_attacked.city",
    "first player advantage": "components.start_bonus.last_in_turn_order.cities",
    "bid for turn order": "components.first_player",
    "mulligan": "components.leader_deal.base.leaders_per_player",
    "random leader": "components.leader_deal.base.leaders_per_player",
    "team game": "teams.partners",
    "peace treaty": "diplomacy.limits.per_other_player",
    "marble": "natural_wonders.cliffs_of_dover.resource",
    "oil": "natural_wonders.mt_everest.resource",
    "natural wonder bonus": "natural_wonders.cliffs_of_dover.resource",
    "suzerain": "city_states.carthage.copies",
    "smaller map": "components.map_setup.base.dealt_tiles_per_player",
    "water tiles": "components.terrain_difficulty.water",
    "mountain cost": "components.terrain_difficulty.mountain",
    "starting position": "components.map_setup.base.touch_spaces_min",
    "distance between capitals": "components.map_setup.base.must_touch_core",
    "capital capture": "components.combat.may_be_attacked.capital",
    "city capture": "components.combat.may_be_attacked.city",
    "unique ability": "leaders.rome.ability_works",
    "nuclear weapons": "rulings.nuclear_strike",
    "culture spread": "focus_cards.base.early_empire.tokens",
    "science per turn": "dials.tech_dial.last_space",
    "tie breaker": "victory_cards.rules.base.tie_break",
    "focus card upgrade": "dials.tech_dial.level_spaces.3",
}


# And more.
ASKED = {
    "wonder race": "components.face_up_wonders",
    "two wonders in one turn": "components.face_up_wonders",
    "action points": "components.per_player.base.focus_bar_slots",
    "reset to slot": "components.focus_row_reset_to",
    "cooldown": "components.focus_row_reset_to",
    "trade token cap": "components.limits.trade_tokens_per_focus_card",
    "hoarding": "components.limits.trade_tokens_per_focus_card",
    "resource scarcity": "components.shared.base.resource_tokens_per_type",
    "rerolls": "components.combat.dice",
    "siege": "components.combat.tie",
    "ranged attack": "focus_cards.base.masonry.attack_range",
    "free wonder": "components.start_bonus.everyone.wonders",
    "wonder limit": "components.wonder_decks.base.4.ancient",
    "wonder effects": "wonders.petra.abilities.combat.amount",
    "asymmetric start": "leaders.rome.start_bonus.cities",
    "deck size": "components.wonder_decks.base.4.ancient",
    "sudden death": "victory_cards.rules.base.round_limit",
    "end game trigger": "victory_cards.rules.base.round_limit",
    "agenda threshold": "victory_cards.base.civilized_money_grubber.agendas.civilized.condition.at_least",
    "victory card count": "victory_cards.rules.base.cards_in_play",
    "barbarian damage": "dials.icon_effects.barbarians_move.hits.capital.trade_tokens_lost",
    "caravan limit": "components.per_player.base.caravans",
    "trade with rivals": "components.caravan_arrival.rival_city.trade_tokens",
    "area control": "components.per_player.base.control_tokens",
    "engine building": "dials.tech_dial.level_spaces.24",
    "variable setup": "leaders.rome.start_row",
    "more players": "components.wonder_decks.base.2.ancient",
    "event frequency": "dials.event_dial_base.sections",
    "stealing resources": "components.combat.win_effect.capital.trade_tokens_taken",
    "rivers": "components.terrain_difficulty.water",
    "trade tokens per turn": "dials.icon_effects.trade.trade_tokens",
    "first turn advantage": "components.start_bonus.last_in_turn_order.cities",
    "bidding for turn order": "components.first_player",
}  # fmt: skip


@pytest.mark.parametrize("words", ASKED)
def test_what_others_would_type_finds_it(words):
    """The key is found, and no more of the list than can be read."""
    assert ASKED[words] in (keys_found := found(words))
    assert len(keys_found) <= 100


@pytest.mark.parametrize("mark", ["'", "’"])
def test_a_possessive_is_found_as_the_plain_word(mark):
    for plain, possessive in (("petra", "petra{}s"), ("Petra cost", "Petra{}s cost"), ("players tokens", "players{} tokens")):
        assert found(possessive.format(mark)) == found(plain) != set()
    key = ChangeableKey("wonders.angkor.cost", 7, "", f"Production that Sankor{mark}e takes.")
    assert KeySearch("sankor'e").among([key]) == KeySearch("sankor’e").among([key]) == [key]


@pytest.mark.parametrize("words", ["bid", "auction", "bidding for turn order", "turn order by bid", "turn order auction"])
def test_that_nobody_bids_is_said_with_the_nearest(words):
    result = CliRunner().invoke(main, ["rules", "list", *words.split()])
    assert result.exit_code == 0
    assert re.search(
        r"note: (Nothing is bid for|Nobody bids for turn order), as no strategy knows what to bid\.", result.stderr
    )
    assert "The nearest is" in result.stderr
    assert "components.first_player" in result.stdout


@pytest.mark.parametrize("words", ["downtime", "undo", "skip turn"])
def test_what_nothing_stands_for_is_said_alone(words):
    result = CliRunner().invoke(main, ["rules", "list", *words.split()])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no key stands for it" in result.stderr


@pytest.mark.parametrize("words", MORE)
def test_other_words_find_it_too(words):
    assert MORE[words] in {key.path for key in matching(load_ruleset(), words)}


def test_a_hundred_phrases_are_tried():
    assert len(SEARCHES.keys() | MORE.keys()) >= 100


@pytest.mark.parametrize("words", SEARCHES)
def test_what_designers_type_finds_what_they_mean(words):
    assert SEARCHES[words] in found(words)


@pytest.mark.parametrize(
    ("words", "path"),
    [("army", "components.per_player.ti.armies"), ("units", "focus_cards.ti.masonry.armies"),
     ("government", "governments.governments.republic.shift"), ("policies", "governments.governments.republic.shift"),
     ("exploration", "components.explore.price_steps"), ("districts", "districts.districts.encampment.options.strike.range")],
)  # fmt: skip
def test_so_it_does_in_the_box(words, path):
    assert path in found(words, BOX)


@pytest.mark.parametrize(
    "words",
    ["draft", "catch-up", "first player", "victory points", "gold", "teams", "truce", "solo", "coop", "hidden", "simultaneous"],
)
def test_what_the_engine_cannot_do_is_said_with_the_nearest(words):
    result = CliRunner().invoke(main, ["rules", "list", *words.split()])
    note = KeySearch(words).notes(BASE)[0]
    assert note in result.stderr
    assert result.exit_code == (0 if found(words) else 2)


def test_notes_that_name_a_box_are_not_said_there():
    assert "--box terra-incognita" in KeySearch("army").notes(BASE)[0]
    assert KeySearch("army").notes(BOX) == []


def test_words_that_do_not_count_are_left_out():
    assert found("the cost of Petra") == found("cost petra") == {"wonders.petra.cost"}
    assert found("of") == {key.path for key in listed(BASE) if key.has("of")}


def test_all_words_have_to_fit():
    assert found("petra gold") == set()
    assert found("wonder cost") < found("cost") | found("wonder")
    assert found("first player") < found("player")


def test_an_ability_that_no_printed_key_has_is_named():
    with pytest.raises(UserError, match=r"no key of the game matches; abilities can do it: own_function \(docs/abil"):
        matching(load_ruleset(), "compiled function")


def test_where_no_key_has_all_words_those_that_have_most_are_listed_and_the_words_counted():
    one, other = len(found("pottery")), len(found("gold"))
    result = CliRunner().invoke(main, ["rules", "list", "pottery", "gold"])
    assert result.exit_code == 0
    assert f"note: No key matches all of it (pottery: {one}, gold: {other}); these match most." in result.stderr
    assert one < other
    assert {key.path for key in matching(load_ruleset(), "pottery gold")} == found("pottery")  # the rarer word
    assert {key.path for key in matching(load_ruleset(), "petra cost teleport")} == {"wonders.petra.cost"}


def test_what_stands_for_nothing_is_answered_by_its_note_whatever_is_beside_it():
    with pytest.raises(UserError, match=r"'religion cost': There is no religion in the game"):
        matching(load_ruleset(), "religion cost")


def test_nothing_far_off_is_proposed():
    with pytest.raises(UserError, match=r"'teleport': no key matches in path or meaning; try 'cost'"):
        matching(load_ruleset(), "teleport")


# --- the table


def test_every_phrase_is_there_once_in_lower_case_and_leads_somewhere():
    words = [word for entry in _table()["phrases"] for word in entry["words"].split(", ")]
    assert sorted(words) == sorted(set(words))
    assert len(words) == len(phrases()) > 150
    for word in words:
        assert re.fullmatch(r"[a-z]+( [a-z]+){0,4}", word), word
    for entry in _table()["phrases"]:
        assert set(entry) <= {"words", "keys", "note"}
        assert entry.get("keys") or entry.get("note"), entry


def test_every_key_of_the_table_finds_something():
    every = [*listed(BASE), *listed(BOX)]
    for words, phrase in phrases().items():
        for one in phrase.keys:
            assert any(fnmatchcase(key.path, one) if "*" in one else key.has(one) for key in every), (words, one)


@pytest.mark.parametrize("note", sorted({phrase.note for phrase in phrases().values() if phrase.note}))
def test_notes_are_short_sentences(note):
    assert note.endswith((".", "--players.", "terra-incognita.")), note
    assert all(len(sentence.split()) <= 25 for sentence in re.split(r"(?<=\.) ", note))
