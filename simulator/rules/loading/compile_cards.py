"""Fill the columns of focus cards in the RULES record: standard cards of both boxes, and unique cards of leaders."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ... import names
from .. import ability_codes as codes
from ..record import Draft
from .node import Node

TYPE = {word: code for code, word in enumerate(names.FOCUS_TYPES)}
# What an army passes, as bits by target (names.TARGETS).
PASSED = {
    "unreinforced_control_token" if target == "token" else target: 1 << names.TARGETS.index(target)
    for target in ("token", "caravan", "barbarian", "city_state")
}
FIGURES = {"caravan": 1, "army": 2}
PORTS = {
    "city_state": codes.ARRIVAL_CITY_STATE,
    "rival_city": codes.ARRIVAL_RIVAL_CITY,
    "capital of the Ibrahim holder": codes.ARRIVAL_IBRAHIM,
}


def focus_cards(r: Draft, cards: Node, codes: Mapping[str, int]) -> None:
    """Fill in the standard cards, and own ones, by their `codes` (contents.card_codes)."""
    r.card_unique[:] = -1
    for key, code in codes.items():
        _card(r, cards[key], code, -1)


def unique_card(r: Draft, card: Node, leader: int) -> None:
    """Fill in a leader's unique card: code = N_CARDS + the leader's code."""
    _card(r, card, names.N_CARDS + leader, leader)


def _card(r: Draft, card: Node, code: int, leader: int) -> None:
    """Enter a focus card: its type, its level, whose unique card it is (-1: a standard card), and what it does."""
    kind = card.value["type"]
    r.card_type[code], r.card_level[code], r.card_unique[code] = TYPE[kind], card.value["level"], leader
    r.n_cards = max(int(r.n_cards), code + 1)
    r.card_unavailable[code] = not card["available"]
    FILL[kind](r, card, code)


def _culture_card(r: Draft, card: Node, code: int) -> None:
    then, last = card.optional("then"), card.optional("from_slot_5")
    r.card_tokens[code] = card["tokens"]
    r.card_tokens_by_friendly_space[code] = card["next_to"] == "friendly_space"
    r.card_move_token[code] = then.get("move_own_tokens", 0)
    r.card_border_tokens[code] = then.get("tokens", 0)
    r.card_weaken[code] = then.get("rival_tokens", 0)
    r.card_weaken_range[code] = then.get("range", 0)
    r.card_trade_per_mature[code] = then.get("trade_tokens", 0)
    r.card_slot5_mountain_token[code] = last.get("tokens", 0)
    r.card_take_city[code] = last.get("take_rival_city", 0)
    r.card_take_city_range[code] = last.get("range", 0)


def _science_card(r: Draft, card: Node, code: int) -> None:
    first, extra = card.optional("first"), card.optional("extra_dial")
    r.card_trade_first[code] = first.get("trade_tokens", 0)
    r.card_resource_first[code] = first.get("resources", 0)
    r.card_strike_slot[code] = first.get("only_from_slot", 0)
    r.card_strike_radius[code] = first.get("radius", 0)
    r.card_look_tiles[code] = first.get("look_at_tiles", 0)
    r.card_lay_tiles[code] = first.get("place_up_to", 0)
    spaces = extra.get("spaces", 0)
    per_resource = extra.get("per") is not None
    extra.get("condition")
    r.card_dial_per_resource[code] = spaces if per_resource else 0
    r.card_dial_with_wonder[code] = 0 if per_resource else spaces


def _economy_card(r: Draft, card: Node, code: int) -> None:
    r.card_caravans[code] = card["caravans"]
    r.card_move[code] = card["move"]
    r.card_water[code] = card["water"]
    r.card_enter_barbarian[code] = card.get("may_enter_barbarian", False)
    r.card_swap_resources[code] = card.optional("then").get("swap_resources", 0)
    r.card_resolve_other[code] = card.optional("after_reset").get("resolve_other_card_as_slot", 0)
    r.card_water_token[code] = card.optional("before_explore").get("place_water_token", 0)
    arrival = card.optional("on_arrival")
    r.card_arrival_resources[code] = arrival.get("resources", 0)
    ports = arrival.get("at", [])
    r.card_arrival_where[code] = sum(PORTS[port] for port in ([ports] if isinstance(ports, str) else ports))
    r.card_arrival_city[code] = arrival.get("build_city", 0)
    r.card_arrival_city_distance[code] = arrival.get("min_distance_from_own_capital", 0)
    r.card_arrival_city_range[code] = arrival.get("range", 0)


def _industry_card(r: Draft, card: Node, code: int) -> None:
    for slot, production in card["wonder_production"].items():
        r.card_production[code, int(slot)] = production
    r.card_city_range[code] = card["city_range"]
    r.card_city_from_caravan[code] = "friendly_caravan" in card["city_range_from"]
    r.card_city_through_water[code] = card["count_through_water"]
    r.card_city_tokens[code] = card.optional("then").get("tokens_up_to", 0)
    r.card_production_per_district[code] = card.optional("extra_production").get("amount", 0)
    r.card_resource_production[code] = card.get("production_per_resource", 0)
    r.card_dial_after_wonder[code] = card.optional("then_dial").get("spaces", 0)
    r.card_city_on_figure[code] = sum(FIGURES[word] for word in card.optional("city_on_figure").get("figures", []))


def _military_card(r: Draft, card: Node, code: int) -> None:
    r.card_combat[code] = card["combat_bonus"]
    r.card_combat_barbarian[code] = card["combat_bonus_vs_barbarian"]
    if "armies" in card.value:
        _army_card(r, card, code)
        return
    both = card["mode"] == "attack_then_reinforce"
    r.card_reinforce[code] = not both
    r.card_attack_and_reinforce[code] = both
    r.card_attacks[code] = card["attacks"]
    r.card_attack_range[code] = card["attack_range"]
    through = card["count_through"]
    r.card_through_water[code] = "water" in through
    r.card_through_rival[code] = "rival_space" in through
    r.card_through_barbarian[code] = "barbarian" in through


def _army_card(r: Draft, card: Node, code: int) -> None:
    r.card_armies[code] = card["armies"]
    r.card_army_move[code] = card["move"]
    r.card_army_water[code] = card["water"]
    r.card_redeploy[code] = card.optional("redeploy_defeated").get("armies", 0)
    r.card_pass_through[code] = sum(PASSED[word] for word in card.get("pass_through", []))
    r.card_second_move[code] = card.optional("second_move").get("per_turn", 0)
    r.card_reinforced_change[code] = card.get("own_turn_reinforced_bonus_change", 0)


def _growth_card(r: Draft, card: Node, code: int) -> None:
    then = card.optional("then")
    r.card_districts[code] = card["district"]["count"]
    r.card_growth_all[code] = card["mode"] == "all"
    r.card_growth_reinforce[code] = card.get("reinforce") is not None
    r.card_displaced_moves[code] = card.optional("with_district").get("displaced_token_moves", 0)
    r.card_district_tokens[code] = then.get("tokens", 0)
    r.card_name_district[code] = then.get("name_district_type", 0)
    r.card_armies_into_cities[code] = then.get("armies_from_card") is not None
    r.card_reinforce_by_army[code] = then.get("reinforce") is not None


FILL: dict[str, Callable[[Draft, Node, int], None]] = {
    "culture": _culture_card,
    "science": _science_card,
    "economy": _economy_card,
    "industry": _industry_card,
    "military": _military_card,
    "growth": _growth_card,
}
