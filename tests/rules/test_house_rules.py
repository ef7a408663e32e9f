"""House rules: overlays change what they name, and a wrong one is refused in one line that says where and why."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import describe_diff, load_ruleset


@pytest.fixture
def overlay(tmp_path):
    def write(text: str, name: str = "house.yaml") -> Path:
        file = tmp_path / name
        file.write_text(text, "utf-8")
        return file

    return write


def refused(file: Path) -> str:
    with pytest.raises(UserError) as caught:
        load_ruleset([file])
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(file))
    return message.removeprefix(f"{file}")


def row(kind: str, code: int) -> int:
    """Return the row of the first ability of a leader, wonder, city_state or diplomacy card."""
    return int(load_ruleset().compile()[f"{kind}_first"][code])


CHANGES = [
    ("wonders: {petra: {cost: 8}}", "wonder_cost", (names.PETRA,), 8, "wonders.petra.cost: 7 -> 8"),
    ("wonders: {Great Zimbabwe: {abilities: {trade_bank: {amount: 6}}}}", "ability_amount",
     (row("wonder", names.GREAT_ZIMBABWE),), 6, "wonders.great_zimbabwe.abilities.trade_bank.amount: 4 -> 6"),
    ("wonders: {pentagon: {available: false}}", "wonder_available", (names.PENTAGON,), 0,
     "wonders.pentagon.available: true -> false"),
    ("wonders: {pentagon: {abilities: {attack_anywhere: {works: false}}}}", "wonder_n", (names.PENTAGON,), 1,
     "wonders.pentagon.abilities.attack_anywhere.works: (none) -> false"),
    ("wonders: {petra: {resources: [marble]}}", "wonder_pays", (names.PETRA, 0), 1,
     'wonders.petra.resources: ["oil", "diamond"] -> ["marble"]'),
    ("leaders: {egypt: {available: false}}", "leader_available", (names.EGYPT,), 0,
     "leaders.egypt.available: true -> false"),
    ("leaders: {rome: {ability_works: false}}", "leader_ability", (names.ROME,), 0,
     "leaders.rome.ability_works: true -> false"),
    ("leaders: {egypt: {abilities: {wonder_cost: {amount: -2}}}}", "ability_amount", (row("leader", names.EGYPT),), -2,
     "leaders.egypt.abilities.wonder_cost.amount: -1 -> -2"),
    ("leaders: {rome: {start_trade_tokens: {industry: 2}}}", "trade_tokens_start", (names.ROME, names.INDUSTRY), 2,
     "leaders.rome.start_trade_tokens.industry: 0 -> 2"),
    ("components: {limits: {trade_tokens_per_focus_card: 4}}", "max_trade", (), 4,
     "components.limits.trade_tokens_per_focus_card: 3 -> 4"),
    ("components: {combat: {win_effect: {capital: {trade_tokens_taken: 1}}}}", "capital_loot", (), 1,
     "components.combat.win_effect.capital.trade_tokens_taken: 2 -> 1"),
    ("rulings: {maracana_order: before}", "maracana_before", (), 1, "rulings.maracana_order: after -> before"),
    ("victory_cards: {rules: {base: {cards_in_play: 4}}}", "victory_in_play", (), 4,
     "victory_cards.rules.base.cards_in_play: 3 -> 4"),
    ("victory_cards: {explorer: {condition: {at_least: 12}}}", "agenda_target", (2, 0), 12,
     "victory_cards.base.explorer_aesthetic.agendas.explorer.condition.at_least: 15 -> 12"),
    ("victory_cards: {civilized_money_grubber: {available: false}}", "n_victory_cards", (), 4,
     "victory_cards.base.civilized_money_grubber.available: true -> false"),
    ("focus_cards: {pottery: {wonder_production: {5: 6}}}", "card_production", (names.INDUSTRY * 4, 5), 6,
     "focus_cards.base.pottery.wonder_production.5: 5 -> 6"),
    ("focus_cards: {base: {flight: {count_through: []}}}", "card_through_rival", (names.MILITARY * 4 + 3,), 0,
     'focus_cards.base.flight.count_through: ["water", "rival_space", "barbarian"] -> []'),
    ("focus_cards: {early_empire: {then: {tokens: 1}}}", "card_border_tokens", (0,), 1,
     "focus_cards.base.early_empire.then.tokens: (none) -> 1"),
    ("city_states: {carthage: {abilities: {combat: {within: 3}}}}", "ability_within",
     (row("city_state", names.CARTHAGE),), 3, "city_states.carthage.abilities.combat.within: 2 -> 3"),
    ("diplomacy: {joint_war: {abilities: {combat: {amount: 1}}}}", "ability_amount",
     (row("diplomacy", names.JOINT_WAR),), 1, "diplomacy.base.joint_war.abilities.combat.amount: 2 -> 1"),
    ("tiles: {8: {sides: {A: {features: []}}}}", "tile_resource", (7, 0, 3), -1,
     "tiles.tiles.8.sides.A.features: "
     '[{"space": 3, "resource": "mercury"}, {"space": 7, "resource": "diamond"}] -> []'),
    ("dials: {icon_effects: {trade: {trade_tokens: 2}}}", "event_trade_per_city", (), 2,
     "dials.icon_effects.trade.trade_tokens: 1 -> 2"),
    ("map: {core_layout: four_tiles_block}", "core_q", (0, 0), 0,
     "map.core_layout: four_tiles_column -> four_tiles_block"),
    ("map: {mode: first_game}", "fixed_tiles", (), 16, "map.mode: advanced -> first_game"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "field", "index", "value", "line"), CHANGES)
def test_an_overlay_changes_the_record_and_shows_in_the_diff(overlay, text, field, index, value, line):
    printed = load_ruleset()
    changed = load_ruleset([overlay(f"name: a change\n{text}\n")])
    assert np.asarray(changed.compile()[field])[index] == value
    assert describe_diff(changed, printed) == [line]
    assert changed.digest() != printed.digest()
    assert (changed.name, printed.name) == ("a change", "printed")


def test_only_the_named_fields_of_the_record_change(overlay):
    old = load_ruleset().compile()
    new = load_ruleset([overlay("wonders: {petra: {cost: 8}}")]).compile()
    assert [name for name in old.dtype.names if np.any(old[name] != new[name])] == ["wonder_cost"]


def test_later_overlays_win_and_names_are_joined(overlay):
    first = overlay("name: cheap\nwonders: {petra: {cost: 5}, oracle: {cost: 5}}", "a.yaml")
    second = overlay("wonders: {petra: {cost: 6}}", "b.yaml")
    ruleset = load_ruleset([first, second])
    assert ruleset.name == "cheap + b"
    assert describe_diff(ruleset, load_ruleset()) == ["wonders.petra.cost: 7 -> 6", "wonders.oracle.cost: 8 -> 5"]


def test_a_printed_game_is_not_touched_by_an_overlay_loaded_before(overlay):
    before = load_ruleset().digest()
    load_ruleset([overlay("wonders: {petra: {cost: 5}}")])
    assert load_ruleset().digest() == before


def test_the_level_spaces_of_the_dial_are_replaced_as_a_whole(overlay):
    r = load_ruleset([overlay("dials: {tech_dial: {level_spaces: {4: 2, 12: 3, 24: 4}}}")]).compile()
    assert {space: int(level) for space, level in enumerate(r.dial_level) if level} == {4: 2, 12: 3, 24: 4}


def test_a_part_of_a_card_can_be_taken_away(overlay):
    r = load_ruleset([overlay("focus_cards: {urbanization: {then: null}}")]).compile()
    assert not r.card_city_tokens.any()


def test_a_removed_victory_card_closes_the_gap_in_the_codes(overlay):
    ruleset = load_ruleset([overlay("victory_cards: {warmonger_paranoid: {available: false}}")])
    assert ruleset.victory_card_ids() == [
        "civilized_money_grubber", "explorer_aesthetic", "populous_preservationist", "technophile_scholarly_base",
    ]  # fmt: skip
    assert ruleset.compile().agenda_name[:5].tolist() == [[0, 1], [4, 5], [6, 7], [8, 9], [-1, -1]]


def test_another_condition_replaces_the_printed_one(overlay):
    text = "victory_cards: {warmonger: {condition: {metric: conquered_city_states_held, at_least: 2}}}"
    r = load_ruleset([overlay(text)]).compile()
    assert (r.agenda_metric[1, 0], r.agenda_target[1, 0]) == (names.METRIC_CITY_STATES, 2)
    assert not r.agenda_metric2.any()


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("wonder: {petra: {cost: 8}}", ": wonder: unknown key: expected one of name, description"),
        ("wonder: {petra: {cost: 8}}", "did you mean 'wonders'?"),
        ("wonders: {petr: {cost: 8}}", "; did you mean 'petra'?"),
        ("wonders: {petra: {costs: 8}}", ": wonders.petra.costs: unknown key: expected one of type, era, cost"),
        ("wonders: {petra: {costs: 8}}", "did you mean 'cost'?"),
        ("wonders: {petra: {cost: eight}}", ": wonders.petra.cost: expected a whole number, got 'eight'"),
        ("wonders: {petra: {cost: 7.5}}", ": wonders.petra.cost: expected a whole number, got 7.5"),
        ("wonders: {petra: {cost: true}}", ": wonders.petra.cost: expected a whole number, got True"),
        ("wonders: {petra: {cost: 1000}}", ": wonders.petra.cost: expected at most 99, got 1000"),
        ("wonders: {petra: 8}", ": wonders.petra: expected a mapping with keys such as type, era, cost, got 8"),
        ("wonders: {petra: {cost: {new: 8}}}", ": wonders.petra.cost: expected a whole number, got {'new': 8}"),
        ("wonders: {petra: {available: 'no'}}", ": wonders.petra.available: expected true or false, got 'no'"),
        ("wonders: {petra: {resources: [gold]}}",
         ": wonders.petra.resources.0: expected 'marble', 'mercury', 'oil' or 'diam"),
        ("wonders: {petra: {resources: []}}", ": wonders.petra.resources: expected at least 1 in the list, got []"),
        ("wonders: {stonehenge: {abilities: {chain_tokens: {terrain: [hils]}}}}",
         ": wonders.stonehenge.abilities.chain_tokens.terrain.0: expected 'grassland', 'hills'"),
        ("wonders: {stonehenge: {abilities: {chain_tokens: {terrain: hills}}}}",
         ": wonders.stonehenge.abilities.chain_tokens.terrain: expected a list, got 'hills'"),
        ("wonders: {petra: {timing: passive}}", ": wonders.petra.timing: cannot be changed"),
        ("wonders: {colosseum: {cost: 8}}", ": wonders.colosseum: is in the box terra-incognita only"),
        ("leaders: {egipt: {available: false}}",
         ": leaders.egipt: unknown key: expected one of america, aztec, "),
        ("leaders: {egypt: {start_trade_tokens: {growth: 1}}}",
         ": leaders.egypt.start_trade_tokens.growth: is in the box terra-incognita only"),
        ("leaders: {egypt: {start_row: [science, science, economy, industry, military]}}",
         "expected each focus type once"),
        ("rulings: {maracana_order: befor}",
         ": rulings.maracana_order: expected one of after, before, got 'befor'; did you"),
        ("rulings: {maracana_orde: before}",
         "; did you mean 'maracana_order'?"),
        ("map: {core_layout: column}",
         ": map.core_layout: expected 'four_tiles_column' or 'four_tiles_block', got 'column'"),
        ("map: {mode: user}", ": map.mode: 'user' is set by giving a map file"),
        ("victory_cards: {rules: {base: {cards_in_play: 6}}}", ".cards_in_play: expected at most 5, got 6"),
        ("victory_cards: {explorer_aesthetic: {available: false}, rules: {base: {cards_in_play: 5}}}",
         "expected at most 4"),
        ("components: {limits: {natural_wonder_uses_per_turn: 2}}", ".natural_wonder_uses_per_turn: expected 1, got 2"),
        ("components: {shared: {base: {leaders: 9}}}", ": components.shared.base.leaders: expected 8"),
        ("dials: {tech_dial: {level_spaces: {30: 2}}}",
         ": dials.tech_dial.level_spaces.30: expected a space from 1 to 24"),
        ("dials: {tech_dial: {level_spaces: {12: 5}}}", ": dials.tech_dial.level_spaces.12: expected at most 4, got 5"),
        ("focus_cards: {trade_token_effect: {science: {dial_spaces: 99}}}",
         ": focus_cards.trade_token_effect.science.dial_spaces: expected at most 20, got 99"),
        ("focus_cards: {pottery: {level: 2}}", "a second industry card of level 2"),
        ("focus_cards: {pottery: {first: {trade_tokens: 1}}}", ": focus_cards.base.pottery.first: unknown key"),
        ("disputes: {general: {}}", ": disputes: unknown key"),
        ("name: [a]", ": name: expected a text, got ['a']"),
        ("- wonders", ": expected a mapping"),
        ("wonders: {petra: {cost: 8}", ", line 2, column 1: not valid YAML"),
    ],
)  # fmt: skip
def test_a_wrong_overlay_is_refused(overlay, text, fragment):
    assert fragment in refused(overlay(text))


def test_the_overlay_that_is_wrong_is_named(overlay):
    good = overlay("wonders: {oracle: {cost: 5}}", "good.yaml")
    bad = overlay("wonders: {petra: {cost: -1}}", "bad.yaml")
    for files in ([good, bad], [bad, good]):
        with pytest.raises(UserError, match=r"bad.yaml: wonders.petra.cost: expected at least 1"):
            load_ruleset(files)


def test_a_missing_overlay_is_named(tmp_path):
    assert refused(tmp_path / "none.yaml") == ": cannot read the house rules: No such file or directory"


def test_a_key_that_is_there_twice_is_refused_with_its_line(overlay):
    file = overlay("wonders:\n  petra: {cost: 5}\n  petra: {cost: 6}\n")
    assert refused(file) == ", line 3, column 3: not valid YAML: 'petra' appears twice"
    assert "'1' appears twice" in refused(overlay("1: a\n'1': b\n"))  # keys are read as texts


def test_yaml_merges_may_repeat_a_key_of_what_they_merge(overlay):
    file = overlay("wonders:\n  petra: &cheap {cost: 5}\n  pyramids: {<<: *cheap, cost: 6}\n")
    data = load_ruleset([file]).data["wonders"]
    assert (data["petra"]["cost"], data["pyramids"]["cost"]) == (5, 6)


def test_an_alias_inside_what_it_stands_for_is_refused(overlay):
    assert "expected no alias" in refused(overlay("wonders: &all\n  petra: *all\n"))
