"""The packaged data are complete and consistent, and every field of the RULES record has its printed number."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest
import yaml

from newdawn.simulator import names
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.checks import validate
from newdawn.simulator.rules.content_models import Problem
from newdawn.simulator.rules.load import compiled, from_data
from newdawn.simulator.rules.printed_game import leaves, printed_data, ruling_options
from newdawn.simulator.rules.record import RULES, Draft
from newdawn.simulator.rules.ruleset_contents import slug
from newdawn.simulator.rules.show import statements

RULING_FIELDS = [ruling["field"] for ruling in ruling_options().values()]
CARD = {
    key: names.FOCUS_TYPES.index(card["type"]) * 4 + card["level"] - 1
    for key, card in printed_data()["focus_cards"]["base"].items()
}
WONDER = {slug(name): code for code, name in enumerate(names.WONDERS)}


@pytest.fixture(scope="module")
def r() -> np.record:
    return load_ruleset().compile()


def broken(path: str, value: object) -> str:
    """Return what the checks say of the printed data with one value changed (None: taken away)."""
    data = printed_data()
    *steps, last = path.split(".")
    node = data
    for step in steps:
        node = node[int(step) if isinstance(node, list) else step]
    if value is None:
        del node[last]
    else:
        node[int(last) if isinstance(node, list) else last] = value
    with pytest.raises(Problem) as caught:
        validate(data)
    return str(caught.value)


def test_the_printed_data_are_valid():
    validate(printed_data())


@pytest.mark.parametrize(
    ("path", "value", "fragment"),
    [
        ("wonders.petra.cost", "seven", "wonders.petra.cost: expected a whole number, got 'seven'"),
        ("wonders.petra.cost", 0, "wonders.petra.cost: expected at least 1, got 0"),
        ("wonders.petra.type", "millitary",
         "wonders.petra.type: expected 'culture', 'science', 'economy' or 'military'"),
        ("wonders.petra.colour", "red", "wonders.petra.colour: unknown key"),
        ("wonders.petra.cost", None, "wonders.petra.cost: is missing"),
        ("wonders.petra.abilities.combat.amont", 2,
         "wonders.petra.abilities.combat.amont: unknown key: combat has works"),
        ("wonders.petra.abilities.combat.amount", None, "wonders.petra.abilities.combat.amount: is missing"),
        ("wonders.petra.abilities.combat.effect", "combt", "unknown effect 'combt'; did you mean 'combat'?"),
        ("wonders.petra.name", "Petraa", "wonders: unknown name 'Petraa'; did you mean 'Petra'?"),
        ("leaders.egypt.start_row", ["science"] * 5, "leaders.egypt.start_row: expected each focus type once"),
        ("leaders.rome.abilities.caravans_from_any_city.amount", -1,
         "leaders.rome.abilities.caravans_from_any_city.amount: unknown key"),
        ("city_states.seoul.tile", 6, "city_states.seoul: is not on tile 6B"),
        ("natural_wonders.pantanal.side", "A", "natural_wonders.pantanal: is not on tile 13A"),
        ("natural_wonders.pantanal.resource", "gold", "natural_wonders.pantanal.resource: expected 'marble'"),
        ("focus_cards.base.pottery.level",
         2, "focus_cards.base.animal_husbandry.level: a second industry card of level 2"),
        ("tiles.tiles.3.sides.A.terrain",
         ["hills"] * 9, "tiles.tiles.3.sides.A.terrain: expected at least 10 in the list"),
        ("tiles.tiles.3.sides.A.terrain.4", "lava", "tiles.tiles.3.sides.A.terrain.4: expected 'grassland'"),
        ("tiles.tiles.3.sides.A.features.1.barbarian", "D", "barbarian D already belongs to tile 3"),
        ("tiles.tiles.3.sides.A.features.0.space", 0, "space 0: a resource cannot lie on water"),
        ("tiles.tiles.7.sides.A.features", [], "tiles.tiles.7.sides.A: expected one capital"),
        ("tiles.geometry.side_b.3", [0, 2], "tiles.geometry.side_b: expected the mirror image"),
        ("tiles.geometry.neighbours.2", [0, 1], "tiles.geometry.neighbours.2: does not fit side_a"),
        ("components.shared.base.wonder_cards", 25, "components.shared.base.wonder_cards: expected 24"),
        ("components.shared.base.barbarians", 8, "components.shared.base.barbarians: expected 9"),
        ("dials.tech_dial.after_last", 30, "dials.tech_dial.after_last: expected at most 24"),
        ("dials.event_dial_base.sections.1.icons", ["wonder"], "icon 'wonder' needs the expansion"),
        ("victory_cards.base.warmonger_paranoid.agendas.paranoid.condition.type", None, "needs a focus type"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_with_its_path(path, value, fragment):
    assert fragment in broken(path, value)


def test_every_field_is_filled_or_zero_on_purpose(r):
    """A field that is zero throughout holds a printed zero, or a switch that is off."""
    zero = {name for name in RULES.names if not np.asarray(r[name]).any()}
    expansion = load_ruleset(box="terra-incognita").compile()
    of_the_expansion = {name for name in RULES.names if np.asarray(expansion[name]).any() and not np.asarray(r[name]).any()}
    of_the_expansion -= {"claims_spared", "ability_next_to", "currency_ends_move", "currency_counts_as_defeat"}
    of_the_expansion |= {ruling["field"] for ruling in ruling_options("terra-incognita").values()} - set(RULING_FIELDS)
    switched_off = {ruling["field"] for ruling in ruling_options().values() if ruling["options"][ruling["default"]] == 0}
    assert zero - of_the_expansion - switched_off == {
        "card_unavailable", "leader_choice", "leader_rank", "leader_bans", "leader_source", "pick_order",  # one leader is dealt
        "trade_tokens_start", "dial_start", "event_start", "map_mode", "fixed_tiles", "fixed_side", "fixed_q",
        "fixed_r",
        "ability_new_type", "ability_once", "ability_next_to", "ability_own", "ability_worth", "ability_by",  # of own abilities
        "card_n", "natural_wonder_n", "agenda_both", "agendas_beyond", "n_functions", "function_text", "function_address",
        "fixed_forts", "fixed_fort_q", "fixed_fort_r", "fixed_stack",  # maps of users for the expansion
        "fixed_rotation", "fixed_players", "spare", "barbarian_bonus", "maturity_gaps", "reset_place",
        "everyone_n", "timed_abilities", "ability_from_round", "ability_until_round",
        "attacker_wins_ties", "target_bonus", "start_bonus", "claims_spared", "round_limit",  # house rules
        "scored", "points", "points_round", "points_to_win", "partners", "claims_together",
        "drafted_wonders", "first_player", "victory_always", "agenda_room",
    }  # fmt: skip


NUMBERS = {
    "tokens_per_player": 31, "cities_per_player": 7, "caravans_per_player": 3, "max_trade": 3, "resources_per_type": 8,
    "water_tokens": 8, "slots": 5, "box": 0, "n_cards": 20, "city_state_difficulty": 1, "die_sides": 6, "city_state_defence": 8,
    "dice": 1, "attacker_wins_ties": 0, "claims_spared": 0, "round_limit": 0,
    "city_defence_factor": 2, "reinforced_bonus": 1, "barbarian_reward": 1, "capital_loot": 2, "capital_raid": 2,
    "barbarian_bonus": 0, "barbarian_steps": 1, "barbarians_back": 11, "maturity_gaps": 0, "reset_place": 0,
    "timed_abilities": 0, "scored": 0, "points_round": 0, "points_to_win": 0, "printed_victory": 1, "partners": 0,
    "claims_together": 0,
    "production_resource": 2, "production_trade_token": 1, "arrival_city_state_trade": 2, "arrival_city_trade": 2,
    "arrival_diplomacy": 1, "caravans_per_target": 1, "event_trade_per_city": 1, "wonders_per_city": 1,
    "dial_start": 0, "dial_last": 24, "dial_after_last": 15, "event_sections": 5, "event_start": 0,
    "leaders_dealt": 1, "leader_choice": 0, "leader_bans": 0, "leader_source": 0, "pick_order": 0, "face_up_wonders": 1,
    "drafted_wonders": 0, "first_player": 0,
    "tile_keys": 21, "agendas_beyond": 0, "n_functions": 0,
    "n_wonders": 24, "deck_size_max": 6, "n_city_states": 8, "n_diplomacy": 4, "diplomacy_limit": 1,
    "n_natural_wonders": 8, "n_victory_cards": 5, "n_abilities": 48,
    "victory_in_play": 3, "map_mode": 0, "core_tiles": 4, "core_natural_wonders": 2, "core_city_states": 2,
    "core_side_a_max": 3, "dealt_tiles": 2, "touch_min": 4, "touch_core": 1, "fixed_tiles": 0,
    "win_check_after_dial": 1, "tie_is_shared": 1, "city_keeps_natural_wonder": 1, "barbarian_stays_at_capital": 1,
    "barbarian_letter_order": 1, "destroyed_city_frees": 1, "barred_barbarian_turns_back": 1, "maracana_before": 0,
    "currency_ends_move": 0, "currency_counts_as_defeat": 0, "mass_media_through_anything": 1, "strike_spares_own": 0,
    "chichen_itza_ignores_difficulty": 0, "ruin_blocks_city": 0, "natural_wonder_counts_as_held": 0,
    "city_counts_for_maturity": 0, "barbarian_turns_at_edge": 1, "holes_are_water": 1, "carthage_counts_space": 1,
    "machu_picchu_sees_as_if": 1, "conqueror_may_keep_tokens": 1, "liberator_takes_wonder": 0, "conqueror_moves": 0,
    "crowd_moves": 0, "attack_from_terrain": 0, "wild_any_effect": 1,
    "spender_chooses": 1, "currency_kept_out": 0, "spare": 0, "fixed_forts": 0, "fixed_stack_n": -1,
}  # fmt: skip


def test_single_numbers(r):
    assert {name: int(r[name]) for name in NUMBERS} == NUMBERS
    scalars = {name for name in RULES.names if RULES[name].shape == ()}
    assert scalars >= set(NUMBERS)
    assert not any(r[name] for name in scalars - set(NUMBERS))  # those of the expansion: tests/rules/test_box.py


def test_lists_of_the_components(r):
    assert r.slot_number.tolist() == [1, 2, 3, 4, 5, 0]
    assert r.terrain_difficulty.tolist() == [1, 2, 3, 4, 5, 1, 5, 3]
    assert r.trade_effect.tolist() == [1] * 6
    assert r.deck_count[2:5].tolist() == [[1, 1, 2], [1, 2, 2], [2, 2, 2]]
    assert {space: int(level) for space, level in enumerate(r.dial_level) if level} == {
        3: 2,
        6: 2,
        10: 3,
        14: 3,
        19: 4,
        24: 4,
    }
    assert r.event_icons[:5].tolist() == [
        names.ICON_BARBARIANS_APPEAR, 0, names.ICON_BARBARIANS_MOVE, names.ICON_TRADE, names.ICON_BARBARIANS_MOVE,
    ]  # fmt: skip


# What each card says, by the fields that are not zero.
CARDS = {
    "early_empire": {"card_tokens": 2},
    "drama_and_poetry": {"card_tokens": 2, "card_move_token": 1},
    "civil_service": {"card_tokens": 2, "card_border_tokens": 1},
    "mass_media": {"card_tokens": 3, "card_weaken": 1, "card_weaken_range": 2},
    "astrology": {},
    "mathematics": {"card_trade_first": 1},
    "replaceable_parts": {"card_resource_first": 1},
    "nuclear_power": {"card_strike_slot": 5, "card_strike_radius": 1},
    "foreign_trade": {"card_caravans": 1, "card_move": 3},
    "currency": {"card_caravans": 2, "card_move": 4, "card_enter_barbarian": 1},
    "steam_power": {"card_caravans": 2, "card_move": 6, "card_water": 1, "card_swap_resources": 1},
    "capitalism": {"card_caravans": 3, "card_move": 6, "card_water": 1, "card_resolve_other": 1},
    "pottery": {"card_production": [0, 1, 2, 3, 4, 5], "card_city_range": 2},
    "animal_husbandry": {"card_production": [0, 1, 2, 3, 4, 5], "card_city_range": 3, "card_city_from_caravan": 1},
    "nationalism": {"card_production": [0, 1, 2, 3, 4, 7], "card_city_range": 4, "card_city_through_water": 1},
    "urbanization": {
        "card_production": [0, 1, 2, 3, 4, 5], "card_city_range": 5, "card_city_through_water": 1,
        "card_city_tokens": 2,
    },
    "masonry": {"card_reinforce": 1, "card_attacks": 2, "card_attack_range": 2},
    "iron_working": {
        "card_reinforce": 1, "card_attacks": 2, "card_attack_range": 3, "card_combat": 1, "card_combat_barbarian": 3,
    },
    "mass_production": {
        "card_attack_and_reinforce": 1, "card_attacks": 2, "card_attack_range": 3, "card_combat": 2,
        "card_combat_barbarian": 2, "card_through_water": 1,
    },
    "flight": {
        "card_reinforce": 1, "card_attacks": 3, "card_attack_range": 5, "card_combat": 3, "card_combat_barbarian": 3,
        "card_through_water": 1, "card_through_rival": 1, "card_through_barbarian": 1,
    },
}  # fmt: skip


@pytest.mark.parametrize("key", CARDS)
def test_focus_card(r, key):
    codes = ("card_type", "card_level", "card_unique", "card_name", "card_first")
    fields = [name for name in RULES.names if name.startswith("card_") and name not in codes]
    found = {name: r[name][CARD[key]].tolist() for name in fields if np.any(r[name][CARD[key]])}
    assert found == CARDS[key]


def test_leaders(r):
    rows = {name: [names.FOCUS_TYPES[code] for code in r.leader_row[i, :5]] for i, name in enumerate(names.LEADERS)}
    assert rows["America"] == ["military", "science", "industry", "culture", "economy"]
    assert rows["Sumeria"] == ["economy", "culture", "science", "military", "industry"]
    assert all(sorted(row) == sorted(names.FOCUS_TYPES[:5]) for row in rows.values())
    assert r.leader_available.tolist() == r.leader_ability.tolist() == [1] * 8 + [0] * 24


COSTS = [7, 8, 9, 10, 10, 12, 7, 8, 10, 9, 10, 10, 7, 8, 10, 10, 11, 12, 8, 9, 9, 10, 10, 11]


def test_wonders(r):
    assert r.wonder_cost[:24].tolist() == COSTS
    assert r.wonder_type[:24].tolist() == [names.CULTURE] * 6 + [names.ECONOMY] * 6 + [names.MILITARY] * 6 + [names.SCIENCE] * 6
    assert r.wonder_era[:24].tolist() == [0, 0, 1, 1, 2, 2] * 4
    assert r.wonder_pays[:24].sum(axis=1).tolist() == [2] * 24
    assert np.flatnonzero(r.wonder_pays[names.PETRA]).tolist() == [2, 3]  # oil and diamond
    assert r.wonder_available[:24].all()
    assert not r.wonder_available[24:].any()


def test_city_states_and_natural_wonders(r):
    kinds = [names.FOCUS_TYPES[code] for code in r.city_state_type[:8]]
    assert kinds == ["military", "culture", "industry", "science", "science", "culture", "industry", "military"]
    assert r.city_state_copies[:8].tolist() == [2] * 8
    resources = [names.RESOURCES[code] for code in r.natural_wonder_resource[:8]]
    assert resources == ["marble", "diamond", "mercury", "oil", "mercury", "diamond", "oil", "marble"]


def test_agendas(r):
    assert r.agenda_name[:5].ravel().tolist() == list(range(10))
    assert r.agenda_target[:5].ravel().tolist() == [8, 2, 1, 2, 15, 2, 5, 2, 24, 2]
    assert r.agenda_metric[:5, 0].tolist() == [
        names.METRIC_CITIES, names.METRIC_CAPITALS_DEFEATED, names.METRIC_COAST, names.METRIC_MATURE_CITIES,
        names.METRIC_DIAL,
    ]  # fmt: skip
    assert r.agenda_metric[:5, 1].tolist() == [2, 2, 2, names.METRIC_NATURAL_WONDERS, 2]
    assert r.agenda_type[:5].ravel().tolist() == [
        -1, names.ECONOMY, -1, names.MILITARY, -1, names.CULTURE, -1, -1, -1, names.SCIENCE,
    ]  # fmt: skip
    assert np.argwhere(r.agenda_metric2).tolist() == [[1, 0]]
    assert (r.agenda_metric2[1, 0], r.agenda_target2[1, 0]) == (names.METRIC_CITY_STATES, 2)


def test_tiles(r):
    assert r.tile_in_set.tolist() == [1] * 16 + [0] * 14
    kinds = {kind: [i + 1 for i in range(16) if r.tile_kind[i] == kind] for kind in range(4)}
    assert kinds == {0: [3, 5, 8, 10], 1: [1, 2, 4, 13], 2: [6, 12, 14, 15], 3: [7, 9, 11, 16]}
    assert [names.TERRAINS[code] for code in r.tile_terrain[2, 1]] == [
        "desert", "desert", "hills", "desert", "hills", "desert", "grassland", "forest", "forest", "desert",
    ]  # fmt: skip
    assert sorted(r.tile_natural_wonder[r.tile_natural_wonder >= 0].tolist()) == list(range(8))
    assert sorted(r.tile_city_state[r.tile_city_state >= 0].tolist()) == list(range(8))
    assert r.tile_city_state[11, 1, 5] == names.SEOUL
    assert r.tile_natural_wonder[1, 1, 1] == names.NATURAL_WONDERS.index("Crater Lake")
    assert r.tile_resource[0, 0, 8] == names.RESOURCES.index("marble")
    assert set(r.tile_barbarian[r.tile_barbarian >= 0].tolist()) == set(range(9))
    assert r.tile_barbarian[14, 0, 7] == names.LETTERS.index("I")
    assert r.tile_capital[[6, 8, 10, 15]].tolist() == [[0, 0]] * 4
    assert (np.delete(r.tile_capital, [6, 8, 10, 15], axis=0) == -1).all()


def test_rotations_turn_clockwise_and_side_b_is_the_mirror(r):
    a = list(zip(r.offset_q[0].tolist(), r.offset_r[0].tolist(), strict=True))
    assert a == [(0, 0), (0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (1, -2), (0, -2), (1, -3)]
    assert (r.offset_q[6] == -r.offset_q[0] - r.offset_r[0]).all()
    for orientation in (0, 1, 2, 3, 4, 6, 7, 8, 9, 10):
        assert (r.offset_q[orientation + 1] == -r.offset_r[orientation]).all()
        assert (r.offset_r[orientation + 1] == r.offset_q[orientation] + r.offset_r[orientation]).all()


def test_core_layouts(r):
    assert r.core_q.tolist() == [[3, 0, 0, -3], [1, 2, -1, 0]]
    assert r.core_r.tolist() == [[-4, -2, 1, 3], [-4, -2, 1, 3]]
    assert r.core_rotation.tolist() == [[5, 2, 5, 2], [1, 4, 1, 4]]


def test_the_digest_depends_on_the_rules_alone():
    ruleset = load_ruleset()
    again = from_data(json.loads(json.dumps(ruleset.data, sort_keys=True)), "read back")
    assert ruleset.digest() == load_ruleset().digest() == again.digest()
    changed = copy.deepcopy(ruleset.data)
    changed["wonders"]["petra"]["cost"] = 8
    assert from_data(changed).digest() != ruleset.digest()
    assert again.compile().tobytes() == ruleset.compile().tobytes()


THREE_WAYS = ("crowd_moves", "fort_no_city", "surplus_figures")
OF_BOTH_BOXES = [number for number, one in statements().items() if one.text.startswith("In both boxes")]


def test_rulings_cover_the_switches_of_the_record():
    fields = RULES.names[RULES.names.index("win_check_after_dial") : -1]
    every = [*ruling_options().values(), *ruling_options("terra-incognita").values()]
    assert tuple(dict.fromkeys(ruling["field"] for ruling in every)) == fields
    for ruling in every:
        assert sorted(ruling["options"].values()) == list(range(3 if ruling["field"] in THREE_WAYS else 2))
        assert ruling["default"] in ruling["options"]
        assert ruling["rule"].startswith("T") == (ruling.get("box") == "terra-incognita" or ruling["rule"] in OF_BOTH_BOXES)
        assert ruling["text"].endswith(".")


@pytest.mark.parametrize("key", ruling_options())
def test_each_ruling_switches_its_field(key):
    ruling = ruling_options()[key]
    for word, value in ruling["options"].items():
        data = printed_data()
        data["rulings"][key] = word
        assert compiled(data)[0][ruling["field"]] == value


def test_nothing_of_the_expansion_is_in_the_data_of_the_base_game():
    data = printed_data()
    assert (len(data["wonders"]), len(data["leaders"]), len(data["tiles"]["tiles"])) == (24, 8, 16)
    paths = [path for path, _ in leaves(data) if not path.startswith("disputes")]
    assert not [path for path in paths if "ti" in path.split(".") or path.endswith("_ti") or "unique_card" in path]
    assert not {"box", "governments", "districts"} & set(data)


def test_the_data_are_plain():
    data = load_ruleset().data
    assert json.loads(json.dumps(data)) == data
    assert yaml.safe_load(yaml.safe_dump(data)) == data


def test_a_draft_becomes_the_record_it_says():
    draft = Draft()
    draft.box = 1
    draft.slot_number = draft.deck_count[2, 1] = 3
    draft.slot_number[1] = 2
    record = draft.record()
    assert (record.box, record.deck_count[2, 1], int(record.deck_count.sum())) == (1, 3, 3)
    assert record.slot_number.tolist() == [3, 2, *[3] * (len(record.slot_number) - 2)]
    assert bytes(Draft().record()) == bytes(np.zeros((), RULES))


@pytest.mark.parametrize("field", ["no_such_field", "boxes"])
def test_a_draft_has_no_other_fields_than_the_record(field):
    with pytest.raises(AttributeError, match=field):
        setattr(Draft(), field, 1)
    with pytest.raises(AttributeError, match=field):
        getattr(Draft(), field)


def test_a_draft_refuses_a_number_that_its_field_does_not_hold():
    draft = Draft()
    draft.box = 200
    with pytest.raises(OverflowError):
        draft.record()
