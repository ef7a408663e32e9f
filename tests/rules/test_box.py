"""Terra Incognita as a box of its own: its data, its compiled rules, its house rules, and what belongs to which box."""

import json

import numpy as np
import pytest
import yaml
from click.testing import CliRunner

from newdawn.analysis.report.provenance import commands
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import codes, describe_diff, load_ruleset
from newdawn.simulator.rules.checks import validate
from newdawn.simulator.rules.content_models import Problem
from newdawn.simulator.rules.load import compiled, from_data
from newdawn.simulator.rules.printed_game import printed_data, ruling_options
from newdawn.simulator.rules.record import RULES
from newdawn.simulator.rules.ruleset_contents import entries, name_of, names_of, written
from newdawn.simulator.runs import manifest
from newdawn.simulator.runs.run import run_games
from newdawn.simulator.runs.run_plan import make_plan, player_counts

BASE, TI = names.BOXES
PRINTED = load_ruleset(box=TI)
KINDS = ("leader", "wonder", "city_state", "natural_wonder", "diplomacy")


@pytest.fixture(scope="module")
def r() -> np.record:
    return PRINTED.compile()


@pytest.fixture
def house(tmp_path):
    """Write house rules and load them in a box."""

    def load(text: str, box: str = TI):
        file = tmp_path / "house.yaml"
        file.write_text(text, "utf-8")
        return load_ruleset([file], box=box)

    return load


def refused(load, *arguments) -> str:
    with pytest.raises(UserError) as caught:
        load(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value).partition("house.yaml: ")[2]


# --- what is in the box


def test_the_data_hold_the_box_and_nothing_else():
    data = PRINTED.data
    assert data["box"] == PRINTED.box == TI
    assert [len(entries(data, kind)) for kind in KINDS] == [18, 36, 12, 12, 5]
    assert (len(data["tiles"]["tiles"]), len(data["focus_cards"]["ti"]), len(data["victory_cards"]["ti"])) == (21, 24, 12)
    assert all(data["wonders"][key]["replaces_base"] for key in ("pentagon", "machu_picchu"))
    for stem, gone in (("components", "players"), ("components", "map_setup"), ("victory_cards", "rules")):
        assert "base" not in data[stem][gone]
    assert not {"event_dial_base"} & set(data["dials"])
    assert not {"win_check", "currency_after_barbarian", "currency_removal", "machu_picchu_as_if"} & set(data["rulings"])


def test_the_base_game_is_the_default_and_does_not_say_its_box():
    assert load_ruleset().digest() == load_ruleset(box=BASE).digest()
    assert "box" not in load_ruleset().data
    assert load_ruleset().box == BASE


def test_an_unknown_box_is_refused():
    with pytest.raises(UserError, match=r"^unknown box 'terra': expected base or terra-incognita"):
        load_ruleset(box="terra")


def test_codes_of_the_base_game_stay(r):
    base = load_ruleset()
    for kind in KINDS:
        known = names_of(base.data, kind)
        assert written(r, kind)[: len(known)] == known
    assert written(r, "agenda")[:10] == list(names.AGENDAS)
    assert written(r, "leader")[8:] == list(names.TI_LEADERS)


def test_the_data_can_be_written_and_read_back():
    again = from_data(json.loads(json.dumps(PRINTED.data, sort_keys=True)))
    assert again.digest() == PRINTED.digest() != load_ruleset().digest()
    assert again.compile().tobytes() == PRINTED.compile().tobytes()


@pytest.mark.parametrize(
    ("path", "value", "fragment"),
    [
        ("components.per_player.ti.armies", 5, "components.per_player.ti.armies: expected at most 4, got 5"),
        ("components.map_setup.ti.core_tiles.2", 3, "components.map_setup.ti.core_tiles.2: expected 2 or 4, got 3"),
        ("components.shared.ti.forts", None, "components.shared.ti.forts: is missing"),
        ("components.shared.ti.fort_cards", 3, "components.shared.ti.fort_cards: expected 2"),
        ("components.shared.ti.unique_focus_cards", 17, "components.shared.ti.unique_focus_cards: expected 18"),
        ("components.explore.price_steps", "one", "components.explore.price_steps: expected a whole number"),
        ("focus_cards.ti.masonry.attacks", 2, "focus_cards.ti.masonry.attacks: unknown key"),
        ("focus_cards.ti.irrigation.district.count", 9, "focus_cards.ti.irrigation.district.count: expected at most 5"),
        ("focus_cards.ti.irrigation.type", "grow", "focus_cards.ti.irrigation.type: expected one of culture"),
        ("leaders.georgia.unique_card.combat_bonus", None, "leaders.georgia.unique_card.combat_bonus: is missing"),
        ("leaders.georgia.unique_card.armys", 2, "leaders.georgia.unique_card.armys: unknown key"),
        ("leaders.georgia.start_row", ["growth"] * 6, "leaders.georgia.start_row: expected each focus type once"),
        ("leaders.zulu.start_row", ["growth"] * 5, "leaders.zulu.start_row: expected at least 6 in the list"),
        ("districts.districts.campus.options.mountains.trade_tokens", -1, "expected at least 0, got -1"),
        ("governments.governments.republic.shift", 6, "governments.governments.republic.shift: expected at most 5"),
        ("victory_cards.ti.fortified.agendas.fortified.condition.metric", "forts", "expected 'cities_on_map_with_capital'"),
        ("victory_cards.ti.technophile_scholarly_ti.agendas.technophile.condition.level", None, "needs a level"),
        ("victory_cards.rules.ti.cards_needed", 6, "expected 'all in play' or 1 to 5, the cards in play, got 6"),
        ("victory_cards.rules.ti.fort_cards_in_play", 3, "victory_cards.rules.ti.fort_cards_in_play: expected at most 2"),
        ("victory_cards.rules.ti.random_cards_in_play", 4, "expected 1 to 5 victory cards in play"),
        ("map.mode", "first_game", "map.mode: expected 'advanced' or 'user', got 'first_game'"),
        ("wonders.taj_mahal.name", "Taj", "wonders: unknown name 'Taj'"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_with_its_path(path, value, fragment):
    data = printed_data(TI)
    *steps, last = path.split(".")
    node = data
    for step in steps:
        node = node[step]
    if value is None:
        del node[last]
    else:
        node[last] = value
    with pytest.raises(Problem) as caught:
        validate(data)
    assert fragment in str(caught.value)


# --- the compiled rules

NUMBERS = {
    "box": 1, "tokens_per_player": 34, "cities_per_player": 7, "caravans_per_player": 3, "armies_per_player": 2, "slots": 6,
    "resources_per_type": 10, "water_tokens": 16, "n_cards": 42, "n_wonders": 36, "n_city_states": 12, "n_diplomacy": 5,
    "n_natural_wonders": 12, "n_victory_cards": 12, "victory_in_play": 5, "fort_cards": 2, "claims_spared": 1,
    "deck_size_max": 7, "event_sections": 6, "event_start": 0, "core_tiles": 4, "touch_min": 4, "core_side_a_max": 3,
    "guard_bonus": 2, "reroll_allowed": 1, "fort_defence": 6, "fort_touch_core": 2, "fort_enter_slot": 3,
    "explore_price": 1, "explore_touch": 4, "wonder_token_cost": -1, "win_check_after_dial": 0,
    "campus_mountains": 1, "hub_mature_cities": 1, "hub_deserts": 1, "camp_strike": 1, "camp_strike_range": 2,
    "camp_reward": 1, "camp_reinforce": 1, "camp_reinforce_range": 2, "zone_forests": 1, "zone_city": 1,
    "zone_city_price": 3, "zone_city_range": 2, "dealt_tiles": 0, "currency_ends_move": 1, "currency_counts_as_defeat": 1,
}  # fmt: skip


@pytest.mark.parametrize("field", NUMBERS)
def test_single_numbers(r, field):
    assert int(r[field]) == NUMBERS[field]


def test_lists(r):
    assert r.slot_number.tolist() == [1, 1, 2, 3, 4, 5]
    assert r.core_tiles_for.tolist() == [0, 0, 2, 2, 4, 4]
    assert r.core_q_for[2].tolist() == [[1, -2, 0, 0], [0, 1, 0, 0]]
    assert r.core_q_for[5].tolist() == r.core_q_for[4].tolist() == load_ruleset().compile().core_q.tolist()
    assert r.deck_count[2:].tolist() == [[2, 2, 3]] * 4
    assert r.government_shift.tolist() == [2, 1, 2, 1, 2, 2]  # Republic, Democracy, Oligarchy, Communism, Autocracy, Monarchy
    assert (r.theater_tokens.tolist(), r.theater_range.tolist()) == ([1, 1], [2, 2])
    assert r.tile_in_set.tolist() == [1] * 21 + [0] * 9
    assert np.flatnonzero(r.tile_kind == 3).tolist() == [6, 8, 10, 15, 16]  # five capital tiles
    assert sorted(r.tile_natural_wonder[r.tile_natural_wonder >= 0].tolist()) == list(range(12))
    assert set(r.tile_barbarian[r.tile_barbarian >= 0].tolist()) == set(range(11))
    assert [names.RANKINGS[code] for code in r.tie_break] == [
        "most_claimed_cards", "most_world_wonders", "most_friendly_spaces",
    ]  # fmt: skip


@pytest.mark.rule("T9.1")
def test_the_dial_has_six_sections_and_none_for_trade(r):
    icons = [[word for bit, word in enumerate(names.EVENT_ICONS) if bits >> bit & 1] for bits in r.event_icons[:6]]
    assert icons == [
        ["barbarians_appear", "wonder"], ["barbarians_move"], ["districts"], ["government", "wonder"], ["barbarians_move"],
        ["districts"],
    ]  # fmt: skip


def test_three_wonders_of_each_type_and_era(r):
    found = {(int(r.wonder_type[w]), int(r.wonder_era[w])) for w in range(36)}
    assert len(found) == 12
    assert all(sum((r.wonder_type[w], r.wonder_era[w]) == key for w in range(36)) == 3 for key in found)


@pytest.mark.parametrize("leader", names_of(PRINTED.data, "leader"))
def test_every_row_begins_with_the_growth_card(r, leader):
    row = r.leader_row[written(r, "leader").index(leader)].tolist()
    assert row[0] == names.GROWTH
    assert sorted(row) == list(range(6))


AGENDAS = {
    "Civilized": ("METRIC_CITIES", 8), "Money Grubber": ("METRIC_WONDERS_OF_TYPE", 2),
    "Warmonger": ("METRIC_CAPITALS_DEFEATED", 1), "Paranoid": ("METRIC_WONDERS_OF_TYPE", 2),
    "Explorer": ("METRIC_COAST", 15), "Aesthetic": ("METRIC_WONDERS_OF_TYPE", 2),
    "Populous": ("METRIC_MATURE_CITIES", 5), "Preservationist": ("METRIC_NATURAL_WONDERS", 2),
    "Technophile": ("METRIC_CARDS_OF_LEVEL", 3), "Scholarly": ("METRIC_WONDERS_OF_TYPE", 2),
    "Defensive": ("METRIC_REINFORCED", 15), "Devastating": ("METRIC_BEST_ATTACK", 16), "Diplomatic": ("METRIC_GIVERS", 4),
    "Hoarder": ("METRIC_RESOURCES", 5), "Expansionist": ("METRIC_TILES", 6), "Prolific": ("METRIC_ERA", 2),
    "Industrious": ("METRIC_DISTRICTS", 5), "Progressive": ("METRIC_ERAS", 3), "Provincial": ("METRIC_MATURE_TILES", 4),
    "Diversified": ("METRIC_WONDER_TYPES", 3), "Fortified": ("METRIC_FORTS", 1), "Expeditionary": ("METRIC_FORTS", 2),
}  # fmt: skip


@pytest.mark.parametrize("name", AGENDAS)
def test_agendas(r, name):
    card, half = np.argwhere(r.agenda_name == written(r, "agenda").index(name))[0]
    metric, target = AGENDAS[name]
    assert (int(r.agenda_metric[card, half]), int(r.agenda_target[card, half])) == (getattr(names, metric), target)
    fort = name in ("Fortified", "Expeditionary")
    assert bool(r.victory_fort[card]) == bool(r.victory_must_stay[card]) == fort
    assert int(r.agenda_level[card, half]) == (4 if name == "Technophile" else 0)
    if fort:  # a card with one agenda
        assert r.agenda_name[card, 0] == r.agenda_name[card, 1]


PASSED = sum(1 << names.TARGETS.index(word) for word in ("barbarian", "city_state", "token", "caravan"))
PRODUCTION = {"card_production": [0, 1, 2, 3, 4, 5]}
ARMIES = {"card_armies": 2}
# What each card of the expansion says, by the fields that are not zero; the others are as in the base game.
CARDS = {
    "currency": {"card_caravans": 2, "card_move": 4, "card_enter_barbarian": 1},
    "animal_husbandry": {**PRODUCTION, "card_city_range": 3, "card_city_on_figure": 3},
    "masonry": {"card_armies": 1, "card_army_move": 3},
    "iron_working": {**ARMIES, "card_army_move": 4, "card_combat_barbarian": 2},
    "mass_production": {
        **ARMIES, "card_army_move": 5, "card_army_water": 1, "card_combat": 2, "card_combat_barbarian": 2,
        "card_redeploy": 1, "card_redeploy_times": 1,
    },
    "flight": {
        **ARMIES, "card_army_move": 6, "card_army_water": 1, "card_combat": 3, "card_combat_barbarian": 3,
        "card_pass_through": PASSED,
    },
    "irrigation": {"card_districts": 1, "card_growth_reinforce": 1},
    "engineering": {"card_districts": 1, "card_growth_reinforce": 1, "card_district_tokens": 1},
    "sanitation": {"card_districts": 1, "card_growth_reinforce": 1, "card_growth_all": 1},
    "globalization": {"card_districts": 1, "card_growth_reinforce": 1, "card_growth_all": 1, "card_name_district": 1},
}  # fmt: skip
UNIQUE = {
    "America": {"card_tokens": 3, "card_take_city": 1, "card_take_city_range": 4},
    "Aztec": {"card_districts": 1, "card_growth_reinforce": 1, "card_displaced_moves": 1},
    "Egypt": {
        "card_caravans": 1,
        "card_move": 4,
        "card_arrival_resources": 1,
        "card_arrival_where": codes.ARRIVAL_CITY_STATE | codes.ARRIVAL_RIVAL_CITY,
    },
    "France": {"card_tokens": 2, "card_tokens_by_friendly_space": 1, "card_trade_per_mature": 1},
    "Japan": {**PRODUCTION, "card_city_range": 4, "card_city_through_water": 1, "card_production_per_district": 1},
    "Rome": {"card_districts": 1, "card_growth_all": 1, "card_armies_into_cities": 1, "card_reinforce_by_army": 1},
    "Scythia": {"card_armies": 1, "card_army_move": 6},
    "Sumeria": {**PRODUCTION, "card_city_range": 2, "card_dial_after_wonder": 1},
    "China": {"card_dial_with_wonder": 1},
    "England": {"card_dial_per_resource": 1},
    "Georgia": {
        **ARMIES,
        "card_army_move": 5,
        "card_army_water": 1,
        "card_combat": 2,
        "card_combat_barbarian": 2,
        "card_reinforced_change": -1,
    },
    "Inca": {"card_tokens": 2, "card_slot5_mountain_token": 1},
    "Indonesia": {"card_caravans": 2, "card_move": 4, "card_water": 1, "card_water_token": 1},
    "Netherlands": {
        "card_caravans": 2,
        "card_move": 6,
        "card_water": 1,
        "card_arrival_where": codes.ARRIVAL_RIVAL_CITY,
        "card_arrival_city": 1,
        "card_arrival_city_distance": 8,
        "card_arrival_city_range": 2,
    },
    "Nubia": {**PRODUCTION, "card_city_range": 3, "card_resource_production": 3},
    "Ottoman": {
        "card_caravans": 2,
        "card_move": 6,
        "card_water": 1,
        "card_arrival_resources": 1,
        "card_arrival_where": codes.ARRIVAL_IBRAHIM,
    },
    "Poland": {"card_look_tiles": 2, "card_lay_tiles": 1},
    "Zulu": {**ARMIES, "card_army_move": 4, "card_second_move": 1},
}
LEVELS = {
    "America": "culture 4", "Aztec": "growth 1", "Egypt": "economy 1", "France": "culture 3", "Japan": "industry 3",
    "Rome": "growth 2", "Scythia": "military 1", "Sumeria": "industry 1", "China": "science 1", "England": "science 3",
    "Georgia": "military 3", "Inca": "culture 2", "Indonesia": "economy 2", "Netherlands": "economy 3", "Nubia": "industry 2",
    "Ottoman": "economy 3", "Poland": "science 2", "Zulu": "military 2",
}  # fmt: skip
COLUMNS = [
    name
    for name in RULES.names
    if name.startswith("card_") and name not in ("card_type", "card_level", "card_unique", "card_name", "card_first")
]


def facts(r, code):
    return {name: r[name][code].tolist() for name in COLUMNS if np.any(r[name][code])}


def code_of(key):
    card = PRINTED.data["focus_cards"]["ti"][key]
    return names.FOCUS_TYPES.index(card["type"]) * 4 + card["level"] - 1


@pytest.mark.parametrize("key", CARDS)
def test_standard_cards_of_the_expansion(r, key):
    assert facts(r, code_of(key)) == CARDS[key]


@pytest.mark.parametrize("key", sorted(set(PRINTED.data["focus_cards"]["ti"]) - set(CARDS)))
def test_other_standard_cards_are_those_of_the_base_game(r, key):
    assert PRINTED.data["focus_cards"]["ti"][key]["source"] == "base"
    assert facts(r, code_of(key)) == facts(load_ruleset().compile(), code_of(key))


@pytest.mark.parametrize("leader", UNIQUE)
def test_unique_cards(r, leader):
    code = names.N_CARDS + written(r, "leader").index(leader)
    kind, level = names.FOCUS_TYPES[r.card_type[code]], int(r.card_level[code])
    assert (f"{kind} {level}", written(r, "leader")[r.card_unique[code]]) == (LEVELS[leader], leader)
    assert facts(r, code) == UNIQUE[leader]
    assert name_of(PRINTED.compile(), "card", code) == PRINTED.data["leaders"][leader.lower()]["unique_card"]["name"]


def test_codes_without_a_card(r):
    assert (r.card_unique[: names.N_CARDS] == -1).all()
    assert (r.card_level[r.n_cards :] == 0).all()
    assert not r.card_unavailable.any()


# --- rulings


@pytest.mark.parametrize("key", [key for key, ruling in ruling_options(TI).items() if ruling.get("box")])
def test_each_ruling_of_the_expansion_switches_its_field(key):
    ruling = ruling_options(TI)[key]
    assert key not in ruling_options(BASE)
    for word, value in ruling["options"].items():
        data = printed_data(TI)
        data["rulings"][key] = word
        assert compiled(data)[0][ruling["field"]] == value


def test_every_switch_of_the_rules_is_there():
    assert {
        "setup_holes", "machu_places", "government_on_replace", "district_over_district", "district_triggers_placing",
        "move_district", "zone_city_state_token", "no_slot_terrain", "deploy_zero", "no_retreat", "capital_sweep",
        "figure_attack_returns_cards", "barbarian_vs_armies", "fort_no_city_left", "mature_beside_city", "explore_contacts",
        "capture_by_effect", "currency_stops", "epic_quest_currency", "carthage_tokens", "amundsen_needs_city",
    } <= set(ruling_options(TI))  # fmt: skip


# --- house rules


@pytest.mark.parametrize(
    ("text", "field", "place", "value"),
    [
        ("focus_cards: {irrigation: {district: {count: 2}}}", "card_districts", 20, 2),
        ("focus_cards: {masonry: {water: true}}", "card_army_water", 16, 1),
        ("focus_cards: {masonry: {second_move: {per_turn: 1}}}", "card_second_move", 16, 1),
        ("focus_cards: {trade_token_effect: {military: {or_reroll_own_die: false}}}", "reroll_allowed", (), 0),
        ("leaders: {georgia: {unique_card: {combat_bonus: 3}}}", "card_combat", names.N_CARDS + 10, 3),
        ("leaders: {georgia: {unique_card: {second_move: {per_turn: 2}}}}", "card_second_move", names.N_CARDS + 10, 2),
        ("leaders: {zulu: {unique_card: {available: false}}}", "card_unavailable", names.N_CARDS + 17, 1),
        ("leaders: {zulu: {start_trade_tokens: {growth: 2}}}", "trade_tokens_start", (17, names.GROWTH), 2),
        ("victory_cards: {rules: {cards_needed: 3}}", "claims_spared", (), 2),
        ("victory_cards: {rules: {fort_cards_in_play: 1}}", "victory_in_play", (), 4),
        ("victory_cards: {devastating: {condition: {at_least: 18}}}", "agenda_target", (5, 1), 18),
        ("components: {per_player: {armies: 3}}", "armies_per_player", (), 3),
        ("components: {map_setup: {core_tiles: {2: 4}}}", "core_tiles_for", 2, 4),
        ("components: {combat: {guard_bonus: {combat: 3}}}", "guard_bonus", (), 3),
        ("components: {explore: {price_steps: 2}}", "explore_price", (), 2),
        ("components: {fort: {enter_slot_min: 2}}", "fort_enter_slot", (), 2),
        ("components: {leader_deal: {leaders_per_player: 2}}", "leaders_dealt", (), 2),
        ("components: {leader_deal: {bans_per_player: 1}}", "leader_bans", (), 1),
        ("components: {face_up_wonders: 2}", "face_up_wonders", (), 2),
        ("dials: {event_dial: {start_section: 2}}", "event_start", (), 1),
        ("dials: {icon_effects: {wonder: {cost_change_while_there: -2}}}", "wonder_token_cost", (), -2),
        ("districts: {campus: {options: {mountains: {trade_tokens: 2}}}}", "campus_mountains", (), 2),
        ("districts: {theater_square: {options: {near_wonder: {range: 3}}}}", "theater_range", 1, 3),
        ("governments: {democracy: {shift: 2}}", "government_shift", names.SCIENCE, 2),
        ("wonders: {pentagon: {cost: 9}}", "wonder_cost", names.PENTAGON, 9),
        ("rulings: {deploy_zero: forbidden}", "deploy_zero", (), 0),
        ("box: terra-incognita\nwonders: {taj_mahal: {cost: 3}}", "wonder_cost", 25, 3),
    ],
)  # fmt: skip
def test_house_rules_address_the_part_of_the_box_without_naming_it(house, text, field, place, value):
    changed = house(text)
    assert int(changed.compile()[field][place]) == value != int(PRINTED.compile()[field][place])
    assert describe_diff(changed, PRINTED)
    assert changed.notes == ()


@pytest.mark.parametrize(
    ("box", "text", "message"),
    [
        (BASE, "focus_cards: {irrigation: {reinforce: null}}", "focus_cards.irrigation: is in the box terra-incognita only"),
        (BASE, "leaders: {zulu: {available: false}}", "leaders.zulu: is in the box terra-incognita only"),
        (BASE, "wonders: {taj_mahal: {cost: 8}}", "wonders.taj_mahal: is in the box terra-incognita only"),
        (BASE, "governments: {republic: {shift: 1}}", "governments: is in the box terra-incognita only"),
        (BASE, "components: {explore: {price_steps: 0}}", "components.explore: is in the box terra-incognita only"),
        (BASE, "components: {per_player: {armies: 0}}", "components.per_player.armies: is in the box terra-incognita only"),
        (BASE, "rulings: {deploy_zero: forbidden}", "rulings.deploy_zero: is in the box terra-incognita only"),
        (BASE, "leaders: {rome: {unique_card: {level: 1}}}", "leaders.rome.unique_card: is in the box terra-incognita only"),
        (BASE, "victory_cards: {fortified: {available: false}}", "victory_cards.fortified: is in the box terra-incognita only"),
        (BASE, "box: terra-incognita", "box: these house rules are for the box terra-incognita: add --box terra-incognita"),
        (TI, "box: base", "box: these house rules are for the box base: add --box base"),
        (TI, "box: terra", "box: expected base or terra-incognita, got 'terra'"),
        (TI, "rulings: {win_check: before_event_dial}", "rulings.win_check: is in the box base only: add --box base"),
        (TI, "map_layouts: {first_game: {side: B}}", "map_layouts.first_game: is in the box base only: add --box base"),
        (TI, "focus_cards: {base: {pottery: {city_range: 3}}}", "focus_cards.base: is in the box base only"),
        (TI, "focus_cards: {masonry: {attack_range: 3}}", "focus_cards.ti.masonry.attack_range: is in the box base only"),
        (TI, "focus_cards: {irigation: {mode: all}}", "did you mean 'irrigation'?"),
        (TI, "components: {fort: {terrain: hills}}", "components.fort.terrain: expected 'forest', got 'hills'"),
        (TI, "focus_cards: {currency: {ends_move: false}}", "cannot be changed: with these rules the engine does not read it"),
    ],
)  # fmt: skip
def test_what_is_not_in_the_box_is_one_line(house, box, text, message):
    assert message in refused(house, text, box)


OWN = """
leaders:
  atlantis:
    name: Atlantis
    start_row: [science, culture, economy, military, industry]
    abilities: [{effect: combat, amount: 1}, {ability: isibongo}]
wonders:
  crystal_palace:
    {name: Crystal Palace, type: economy, era: modern, cost: 9, resources: [oil, marble], abilities: [{ability: taj_mahal}]}
diplomacy:
  trade_pact: {name: Trade Pact, abilities: [{effect: production, amount: 1}]}
victory_cards:
  hermit:
    agendas:
      - {name: Hermit, condition: {metric: districts_on_map, at_least: 3}}
      - {name: Knight, condition: {metric: combat_total_of_a_won_attack, at_least: 12}}
"""


def test_own_content_in_the_expansion(house):
    r = house(OWN).compile()
    assert written(r, "leader")[18:] == ["Atlantis"]
    assert r.leader_row[18].tolist() == [names.GROWTH, *(names.FOCUS_TYPES.index(word) for word in (
        "science", "culture", "economy", "military", "industry"))]  # fmt: skip
    assert int(r.leader_n[18]) == 3
    assert (written(r, "wonder")[36:], written(r, "diplomacy")[5:]) == (["Crystal Palace"], ["Trade Pact"])
    assert written(r, "agenda")[22:] == ["Hermit", "Knight"]
    assert int(r.n_victory_cards) == 13
    assert int(r.n_cards) == 42  # no unique card


def test_an_own_leader_may_have_a_unique_card(house):
    card = "{name: Diving, type: economy, level: 2, caravans: 4, move: 9, terrain_limit: slot, water: true, effect: none}"
    row = "[science, culture, economy, military, industry]"
    text = f"leaders: {{atlantis: {{name: Atlantis, start_row: {row}, unique_card: {card}}}}}"
    r = house(text).compile()
    assert (int(r.card_move[names.N_CARDS + 18]), int(r.card_unique[names.N_CARDS + 18]), int(r.n_cards)) == (9, 18, 43)
    assert "leaders.atlantis.unique_card.move: is missing" in refused(house, text.replace("move: 9, ", ""))
    assert "unique_card: unknown key" in refused(house, text, BASE)


def test_an_own_leader_may_have_a_card_to_give_away(house):
    row = "[science, culture, economy, military, industry]"
    given = "{name: Envoy, abilities: [{effect: combat, amount: 1}]}"
    own = f"{{name: Atlantis, start_row: {row}, abilities: [{{ability: grand_vizier}}], given_card: {given}}}"
    text = f"leaders: {{atlantis: {own}}}"
    for box, code in ((TI, 18), (BASE, 8)):
        r = house(text, box).compile()
        rows = slice(r.given_card_first[code], r.given_card_first[code] + r.given_card_n[code])
        assert r.ability_amount[rows].tolist() == [1]
        assert name_of(r, "given_card", code) == "Envoy"
    assert "give_card is for leaders with a `given_card`" in refused(house, text.replace(f", given_card: {given}", ""))
    assert "given_card: expected a card with a name and abilities" in refused(house, text.replace("name: Envoy, ", ""))
    assert "given_card.name: expected at most 48 letters" in refused(house, text.replace("Envoy", "E" * 60))
    assert "unknown effect 'combatt'" in refused(house, text.replace("effect: combat,", "effect: combatt,"))


@pytest.mark.parametrize(
    "ability",
    ["{effect: resolve_district, amount: 1, moment: card_reset}", "{effect: district_water}",
     "{effect: combat, amount: 1, target: [army]}", "{effect: count_through, through: [army_water]}",
     "{effect: trade_tokens, amount: 1, moment: card_reset, type: [growth]}"],
)  # fmt: skip
def test_words_of_the_expansion_are_refused_in_the_base_game(house, ability):
    text = f"leaders: {{rome: {{abilities: [{ability}]}}}}"
    assert "is a word of Terra Incognita, and this is the base game" in refused(house, text, BASE)
    assert house(text).compile() is not None


def test_a_giver_who_places_has_to_gain(house):
    ability = "{effect: trade_tokens, amount: 1, moment: arrival, giver_places: true}"
    text = f"leaders: {{ottoman: {{given_card: {{abilities: [{ability}]}}}}}}"
    assert "giver_places: is for what the giver gains" in refused(house, text)


def test_the_base_game_with_leaders_and_wonders_of_the_expansion(house):
    text = """
leaders: {china: {name: China, start_row: [military, industry, economy, culture, science], abilities: [{ability: great_wall}]}}
wonders: {huey_teocalli: {name: Huey Teocalli, type: military, era: medieval, cost: 9, resources: [oil, mercury],
  abilities: [{ability: huey_teocalli}]}}
"""
    r = house(text, BASE).compile()
    assert (written(r, "leader")[8:], written(r, "wonder")[24:]) == (["China"], ["Huey Teocalli"])
    assert (int(r.leader_n[8]), int(r.wonder_n[24]), int(r.box)) == (1, 1, 0)


# --- plans and commands


@pytest.mark.parametrize(("box", "counts"), [(BASE, [2, 3, 4]), (TI, [2, 3, 4, 5])])
def test_numbers_of_players(box, counts):
    assert player_counts(load_ruleset(box=box).compile()) == counts
    for players in (1, 6):
        message = f"^players: {players} is not valid; expected a whole number from 2 to {counts[-1]}$"
        with pytest.raises(UserError, match=message):
            make_plan(players=players, games=1, seed=1, available_leaders=[], box=box)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("run --players 5", "expected a whole number from 2 to 4; 5 can play with --box terra-incognita"),
        ("run --box terra-incognita --players 6", "players: 6 is not valid; expected a whole number from 2 to 5"),
        ("run --players 2 --leaders Zulu,Rome", "leaders: 'Zulu' is in the box terra-incognita: add --box terra-incognita"),
        ("run --box terra", "'terra': expected one of base, terra-incognita; did you mean 'terra-incognita'?"),
        ("replay --box base --players 5", "players: 5 is not valid"),
        ("rules show Zulu", "'Zulu' is in the box terra-incognita: add --box terra-incognita"),
        ("rules show tile 19", "unknown tile 19 (it is in the box terra-incognita: add --box terra-incognita)"),
        ("rules where Zulu", "'Zulu' is in the box terra-incognita: add --box terra-incognita"),
        ("rules check peaceful_game", "these house rules are for the box terra-incognita: add --box terra-incognita"),
        ("rules show trade --box terra-incognita", "'trade' is in the box base: add --box base"),
    ],
)  # fmt: skip
def test_the_wrong_box_is_one_line_and_exit_code_2(arguments, message, tmp_path):
    out = ["--out", str(tmp_path / "run")] if arguments.startswith("run") else []
    found = CliRunner().invoke(main, [*arguments.split(), *out])
    assert found.exit_code == 2
    assert message in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("rules show Georgia --box terra-incognita", "slot number +1, with at least 1 city-state's diplomacy card"),
        ("rules show Siege_Tactics --box terra-incognita", "unique focus card of Georgia, military, level III"),
        ("rules show Encampment --box terra-incognita", "1 barbarian (1 trade token) or rival army within 2 destroyed"),
        ("rules show Monarchy --box terra-incognita", "the growth card it lies on acts 2 places further right"),
        ("rules show fort --box terra-incognita", "difficulty 3, entered from slot 3 on; uncontrolled it defends with 6"),
        ("rules show Fortified --box terra-incognita", "1 or more forts controlled"),
        ("rules show T9.2 --box terra-incognita", "in force: wonder token cost: -1"),
        ("rules show deploy_zero --box terra-incognita", "in force: allowed"),
        ("rules where Zulu --box terra-incognita", "Zulu: leader, code 17"),
        ("rules check peaceful_game --box terra-incognita", "fine"),
        ("rules diff peaceful_game --box terra-incognita", "victory_cards.rules.ti.fort_cards_in_play: 2 -> 0"),
    ],
)  # fmt: skip
def test_rules_of_the_box_are_told(arguments, line):
    found = CliRunner().invoke(main, arguments.split())
    assert found.exit_code == 0, found.output
    assert line in found.stdout


def test_everything_of_the_box_can_be_shown():
    from newdawn.simulator.rules.show import subjects

    r = PRINTED.compile()
    found = {subject.name: subject.describe(r) for subject in subjects(PRINTED.data)}
    printed = [card["name"] for card in PRINTED.data["focus_cards"]["ti"].values()]
    printed += [leader["unique_card"]["name"] for leader in PRINTED.data["leaders"].values()]
    printed += [name for kind in KINDS for name in names_of(PRINTED.data, kind)]
    assert set(printed) | set(names.DISTRICTS) | set(written(r, "agenda")) <= set(found)
    assert all(lines and all(lines) for lines in found.values())


def test_yaml_of_the_data_is_plain():
    assert yaml.safe_load(yaml.safe_dump(PRINTED.data)) == PRINTED.data


def test_a_run_keeps_its_box(tmp_path):
    settings = {"players": 2, "games": 1, "seed": 1, "round_cap": 2, "strategies": ["random"]}
    plan = make_plan(available_leaders=names_of(PRINTED.data, "leader"), box=TI, **settings)
    folder = tmp_path / "run"
    run_games(plan, PRINTED, folder, 1)
    kept = manifest.contents(folder)
    assert (kept.ruleset.box, kept.ruleset.digest()) == (TI, PRINTED.digest())
    assert manifest.read(folder)["ruleset"]["box"] == TI
    assert "--box terra-incognita" in commands(kept, {})[0]
    plan = make_plan(available_leaders=list(plan.leaders), box=BASE, **settings)
    with pytest.raises(UserError, match=r"holds a run of the box terra-incognita, not base; .* or --box terra-incognita$"):
        manifest.check_folder(folder, manifest.build(plan, load_ruleset()))
