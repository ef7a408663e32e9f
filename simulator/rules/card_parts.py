"""The parts of focus cards, each declared once: its path in the data, its legal values, its columns, its sentence.

A part is read from a card's data (`then.tokens`) into columns of the RULES record (`card_border_tokens`), which the engine
resolves. The models (`content_models.py`), the columns (`record.py`), the code that fills them (`compile.py`), the list of what
house rules may change and the sentences come from the declarations. Nothing here needs pydantic: the engine imports it.

Sentences are templates (`sentences.py`) that may name columns of cards without their `card_`, parts by their last word,
fields of the RULES record, and `trade`: what a trade token adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .. import names
from . import codes

BOTH, BASE, TI = ("base", "ti"), ("base",), ("ti",)


@dataclass(frozen=True)
class CardPart:
    """A number, switch or choice of words of the cards of a type; without a path, only a sentence about them."""

    kind: str  # focus type
    path: str
    column: str = ""  # of a number, a switch, or bits of words
    meaning: str = ""  # for `newdawn rules list`
    says: str = ""
    box: tuple[str, ...] = BOTH
    least: int = 0  # the least number, or the fewest words of a list
    most: int = 99
    needed: bool = False  # a card must have it; inside a group of keys: each card with the group must
    always: bool = False  # a card must have its group
    words: tuple[str, ...] = ()  # the legal words
    some: bool = False  # a list of words, else one word
    or_one: bool = False  # a list of words, or one word
    ti_words: tuple[str, ...] = ()  # of the words, those of Terra Incognita
    switch: bool = False
    by_slot: bool = False  # a number for each slot
    flags: Mapping[str, str] = field(default_factory=dict)  # by word, the column that is 1 if the word is given
    bits: Mapping[str, int] = field(default_factory=dict)  # the words' bits in the column
    texts: Mapping[str, str] = field(default_factory=dict)  # words in sentences
    instead: tuple[str, str] = ("", "")  # another path and column: a value at that path makes the number go there

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns of the RULES record that the part fills."""
        return tuple(column for column in (self.column, self.instead[1], *self.flags.values()) if column)


PARTS: list[CardPart] = []  # in the order of a card's sentences
# Keys of the data that are for people to read; no code reads them.
NOTES = {
    "culture": "terrain_limit then.distance then.target then.optional then.next_to then.terrain_limit then.counted_from "
    "then.if_unreinforced then.if_reinforced then.per then.on from_slot_5.terrain from_slot_5.next_to from_slot_5.counted_from "
    "from_slot_5.not_capital from_slot_5.no_army_there",
    "science": "dial first.on first.choice first.unreinforced first.reinforced first.owners first.on_army_space first.stack "
    "first.as_explore_from first.rest",
    "economy": "terrain_limit barbarian_removed barbarian_trade_token ends_move switch then.optional after_reset.reset_it "
    "after_reset.per_turn before_explore.where before_explore.per_resolution before_explore.optional on_arrival.choice "
    "on_arrival.per_turn on_arrival.optional",
    "industry": "mode city_terrain_limit then.condition then.next_to then.terrain_limit extra_production.per then_dial.after "
    "city_on_figure.range city_on_figure.terrain_limit city_on_figure.legal_space city_on_figure.figure_returns_to_card",
    "military": "reinforce combat terrain_limit not_through districts_as_tokens "
    "redeploy_defeated.from redeploy_defeated.may_attack second_move.after second_move.price",
    "growth": "district.next_to district.terrain_limit district.may_replace with_district.to with_district.optional "
    "then.next_to then.terrain_limit then.resolved_by",
}


def _part(kind: str, path: str, column: str = "", meaning: str = "", says: str = "", **more: Any) -> None:
    """Declare a part of the cards of a type."""
    PARTS.append(CardPart(kind, path, column, meaning, says, **more))


def _sentence(kind: str, says: str, box: tuple[str, ...] = BOTH) -> None:
    """Declare a sentence about all cards of a type."""
    PARTS.append(CardPart(kind, "", says=says, box=box))


def _bit(target: str) -> int:
    return 1 << names.TARGETS.index(target)


# One declaration to two or three lines; formatted, each would be ten.
# fmt: off
# --- culture

_sentence("culture",
    "place up to {tokens:control token}, and {trade} more for each trade token spent, next to friendly "
    "{tokens_by_friendly_space:spaces|cities}, difficulty at most the slot number (B5.1, B5.2)")
_part("culture", "tokens", "tokens", "Control tokens that the culture card places.", needed=True)
_part("culture", "next_to", meaning="Next to what the culture card places its control tokens.", needed=True,
    words=("friendly_city", "friendly_space"), ti_words=("friendly_space",),
    flags={"friendly_space": "tokens_by_friendly_space"})  # Humanism
_part("culture", "then.move_own_tokens", "move_token",
    "Own control tokens that may move to an adjacent empty land space afterwards.",
    "then {move_token:own control token} may move to an adjacent empty land space")
_part("culture", "then.tokens", "border_tokens", "Control tokens placed afterwards next to any friendly spaces.",
    "then place up to {border_tokens:control token} next to any friendly spaces")
_part("culture", "then.rival_tokens", "weaken", "Rival control tokens that are turned over or replaced afterwards.",
    "then {weaken:rival control token} within {weaken_range} of a friendly space, counted "
    "{mass_media_through_anything:through anything|as for an attack}: an unreinforced one is replaced by an own one, a "
    "reinforced one is turned over")
_part("culture", "then.range", "weaken_range", "How far from a friendly space the rival control tokens may lie.")
_part("culture", "then.trade_tokens", "trade_per_mature", "Trade tokens gained afterwards for each own mature city.",
    "then {trade_per_mature:trade token} for each own mature city, on any own cards", box=TI)  # Humanism
_part("culture", "from_slot_5.tokens", "slot5_mountain_token", "Control tokens placed on mountains from slot 5.",
    "from slot 5 {slot5_mountain_token:control token} more on mountains next to friendly spaces", box=TI)  # State Workforce
_part("culture", "from_slot_5.take_rival_city", "take_city", "Rival cities taken from slot 5.",
    "from slot 5 {take_city:rival city} within {take_city_range} of a friendly city, no capital and without an army, "
    "replaced by an unused own one (T12.10)", box=TI, most=1)  # Radio
_part("culture", "from_slot_5.range", "take_city_range", "How far a friendly city may be from the city taken.", box=TI)

# --- science

_part("science", "first.trade_tokens", "trade_first", "Trade tokens gained before the dial is turned.",
    "first {trade_first:trade token} on any own cards")
_part("science", "first.resources", "resource_first", "Resources gained before the dial is turned.",
    "first {resource_first:resource} of a type not held (held: {natural_wonder_counts_as_held:resource tokens and natural "
    "wonders|resource tokens only})")
_part("science", "first.only_from_slot", "strike_slot", "Slot from which alone the strike is made.",
    "first, from slot {strike_slot} only, a strike on a space and all within {strike_radius} of it: control tokens are "
    "destroyed, reinforced ones turned over ({strike_spares_own:own tokens are spared|own tokens, too})", least=1, most=5)
_part("science", "first.radius", "strike_radius", "How far around its space the strike reaches.")
_part("science", "first.look_at_tiles", "look_tiles", "Tiles of the stack looked at before the dial is turned.",
    "first look at {look_tiles:tile} from the bottom of the stack and lay up to {lay_tiles}, from an edge space of the own "
    "capital's tile (T12.12)", box=TI)  # Astronomy
_part("science", "first.place_up_to", "lay_tiles", "How many of the tiles looked at may be laid.", box=TI, most=1)
_sentence("science", "advance the dial by the slot number, {trade} more for each trade token spent (B6.1)")
_part("science", "extra_dial.spaces", "dial_with_wonder", "Spaces that the dial is turned further.",
    "{dial_with_wonder:{dial_with_wonder:space} more with a world wonder|}{dial_per_resource:{dial_per_resource:space} more "
    "for each type of resource held, natural wonders count|}", box=TI, most=20, needed=True,
    instead=("extra_dial.per", "dial_per_resource"))  # Writing; Natural History
_part("science", "extra_dial.condition", words=("controls a world wonder",), box=TI)
_part("science", "extra_dial.per", words=("resource type held, natural wonders count",), box=TI)

# --- economy

_sentence("economy",
    "{caravans:caravan}, up to {move:step} each, {trade} more for each trade token spent; difficulty at most the slot "
    "number; {water:water allowed|no water} (B7.2, B7.3)")
_part("economy", "caravans", "caravans", "Caravans that the economy card moves.", needed=True, most=names.MAX_CARAVANS)
_part("economy", "move", "move", "Steps of each figure that the card moves.", needed=True)
_part("economy", "water", "water", "Whether its figures may enter water.", needed=True, switch=True)
_part("economy", "may_enter_barbarian", "enter_barbarian", "Whether a caravan may enter a barbarian's space and remove it.",
    "a caravan may enter a barbarian's space and removes it without a trade token; {currency_ends_move:its move ends "
    "there|it may use the rest of its steps}; it {currency_counts_as_defeat:counts as a defeat|does not count as a defeat}",
    switch=True)
_part("economy", "then.swap_resources", "swap_resources", "Held resources that may be swapped afterwards.",
    "then {swap_resources:held resource} may be swapped for any other", needed=True)
_part("economy", "after_reset.resolve_other_card_as_slot", "resolve_other",
    "Slot as from which another card may be resolved after the reset.",
    "after the reset another card may be resolved as from slot {resolve_other}, without a reset", needed=True, least=1, most=5)
_part("economy", "before_explore.place_water_token", "water_token", "Water tokens that may be placed before exploring.",
    "up to {water_token:water token} laid beside a caravan before it explores (T12.11)", box=TI, needed=True)  # Shipbuilding
_part("economy", "on_arrival.resources", "arrival_resources", "Resources for a caravan that arrives there.",
    "{arrival_resources:resource} for reaching {at:*}", box=TI)
_part("economy", "on_arrival.at", "arrival_where", "Where a caravan has to arrive for the card's gain.", box=TI, needed=True,
    words=("city_state", "rival_city", "capital of the Ibrahim holder"), some=True, or_one=True, least=1,
    bits={"city_state": codes.ARRIVAL_CITY_STATE, "rival_city": codes.ARRIVAL_RIVAL_CITY,
          "capital of the Ibrahim holder": codes.ARRIVAL_IBRAHIM},
    texts={"city_state": "a city-state", "rival_city": "a rival city",
           "capital of the Ibrahim holder": "the capital of Ibrahim's holder"})
_part("economy", "on_arrival.build_city", "arrival_city", "Cities that may be built when a caravan arrives there.",
    "reaching a rival city {arrival_city_distance} or more from the own capital: a city on a legal space within "
    "{arrival_city_range} of it, once a turn", box=TI, most=1)  # Cartography
_part("economy", "on_arrival.min_distance_from_own_capital", "arrival_city_distance",
    "Least distance of that place from the own capital.", box=TI)
_part("economy", "on_arrival.range", "arrival_city_range", "How far from that place the city may be built.", box=TI)

# --- industry

_sentence("industry",
    "wonder: production {wonder_production} in slots {slots}, {resource_production:*|{production_resource}} more for each "
    "fitting resource, {production_trade_token} for each trade token spent (B8.5)")
_part("industry", "wonder_production", "production", "Production towards a wonder from this slot.", needed=True, by_slot=True)
_sentence("industry",
    "or city: within {city_range} of {city_from_caravan:a friendly space or caravan|a friendly space}, difficulty at most "
    "the slot number; {city_through_water:water does not stop the count|not counted through water} (B8.1 to B8.4)")
_part("industry", "city_range", "city_range", "How far from friendly spaces a city may be built.", needed=True)
_part("industry", "city_range_from", meaning="From what the distance of a new city is counted.", needed=True,
    words=("friendly_space", "friendly_caravan"), some=True, flags={"friendly_caravan": "city_from_caravan"})
_part("industry", "count_through_water", "city_through_water", "Whether the distance of a new city is counted through water.",
    needed=True, switch=True)
_part("industry", "then.tokens_up_to", "city_tokens", "Control tokens placed next to the new city.",
    "then up to {city_tokens:control token} next to the new city", needed=True)
_part("industry", "extra_production.amount", "production_per_district", "Production that the card adds.",
    "{production_per_district} more production for each own district on the map", box=TI, needed=True)  # Industrialization
_part("industry", "production_per_resource", "resource_production",
    "Production that each fitting resource adds with this card.", box=TI)  # Construction; 0 = as on other cards
_part("industry", "then_dial.spaces", "dial_after_wonder", "Spaces that the technology dial is turned afterwards.",
    "after the wonder option {dial_after_wonder:space} of the dial", box=TI, most=20, needed=True)  # Craftsmanship
_part("industry", "city_on_figure.figures", "city_on_figure", "Figures in whose space a city may be built.",
    "or city on a legal space with an own {figures:*}, which goes back to its card (T12.16)", box=TI, needed=True,
    words=("caravan", "army"), some=True, least=1, bits={"caravan": 1, "army": 2})  # Animal Husbandry

# --- military

_part("military", "mode", meaning="Whether the card does one of its parts or all of them.",
    says="{reinforce:reinforce up to slot-number control tokens (B9.1), or attack:|attack, then reinforce up to the slot "
    "number less the attacks made:}", box=BASE, needed=True, words=("choose_one", "attack_then_reinforce"),
    flags={"choose_one": "reinforce", "attack_then_reinforce": "attack_and_reinforce"})
_part("military", "attacks", "attacks", "Attacks that the military card allows.",
    "up to {attacks:attack} within {attack_range} of a friendly space (B9.2)", box=BASE, needed=True)
_part("military", "attack_range", "attack_range", "How far from a friendly space an attack reaches.", box=BASE, needed=True)
_part("military", "count_through", meaning="Through what the distance of an attack is counted.", box=BASE, needed=True,
    words=("water", "rival_space", "barbarian"), some=True,
    flags={"water": "through_water", "rival_space": "through_rival", "barbarian": "through_barbarian"},
    texts={"rival_space": "rival spaces", "barbarian": "barbarians"})
_sentence("military", "the distance may be counted through: {count_through:&|none} (B9.3)", BASE)
_sentence("military",
    "{armies:army}, up to {army_move:step} each; difficulty at most the slot number; {army_water:water allowed|no water} "
    "(T5.1, T5.2)", TI)
_part("military", "armies", "armies", "Armies that the military card moves.", box=TI, needed=True, most=names.MAX_ARMIES)
_part("military", "move", "army_move", "Steps of each figure that the card moves.", box=TI, needed=True)
_part("military", "water", "army_water", "Whether its figures may enter water.", box=TI, needed=True, switch=True)
# Flight: what does not stop an army, bits by names.TARGETS
_part("military", "pass_through", "pass_through", "Through what its armies may pass.",
    "spaces with these alone do not stop them: {pass_through:&}, tokens unreinforced (T12.2)", box=TI,
    words=("unreinforced_control_token", "caravan", "barbarian", "city_state"), some=True,
    bits={"barbarian": _bit("barbarian"), "city_state": _bit("city_state"), "unreinforced_control_token": _bit("token"),
          "caravan": _bit("caravan")},
    texts={"unreinforced_control_token": "token", "city_state": "city-state"})
_part("military", "combat_bonus", "combat", "What the card adds in an attack.", needed=True, least=-20, most=20)
_part("military", "combat_bonus_vs_barbarian", "combat_barbarian", "What the card adds in an attack on a barbarian.",
    needed=True, least=-20, most=20)
_COMBAT = "combat: the slot number {combat:+d}, against barbarians {combat_barbarian:+d}; {trade} more"
_sentence("military", _COMBAT + " for each trade token spent (B9.5, B9.7)", BASE)
_sentence("military", _COMBAT + "{reroll_allowed:, or another roll of the own die,|} for each trade token spent (T5.7, T5.9)",
    TI)
# Mass Production
_part("military", "redeploy_defeated.armies", "redeploy", "Beaten armies that may set out again at a time.",
    "{redeploy:beaten army} may set out again, {redeploy_times:time} a turn (T12.9)", box=TI, needed=True)
_part("military", "redeploy_defeated.per_turn", "redeploy_times", "How often in a turn beaten armies may set out again.",
    box=TI, needed=True)
_part("military", "second_move.per_turn", "second_move", "Armies that may move a second time in a turn.",
    "once a turn an army that beat a control token may leave the space without a token and move again (T12.8)", box=TI,
    needed=True)  # Scorched Earth
# Siege Tactics
_part("military", "own_turn_reinforced_bonus_change", "reinforced_change",
    "What changes in a rival's bonus for reinforced control tokens in the own turn.",
    "in the own turn each reinforced token counts {reinforced_change:+d} in defence (T12.7)", box=TI, least=-20, most=20)

# --- growth

_sentence("growth", "{districts:district} next to friendly cities, difficulty at most the slot number (T4.3)", TI)
_part("growth", "district.count", "districts", "Districts that the growth card places.", box=TI, needed=True, always=True,
    most=5)
_part("growth", "with_district.displaced_token_moves", "displaced_moves",
    "Whether a control token moves on that the district takes the place of.",
    "the control token it takes the place of may be put beside it (T12.14)", box=TI, needed=True, most=1)  # Mysticism
_part("growth", "then.tokens", "district_tokens", "Control tokens placed afterwards next to own districts.",
    "then {district_tokens:control token} next to own districts", box=TI)  # Engineering
_part("growth", "then.name_district_type", "name_district", "Whether a type of district is named whose districts are resolved.",
    "then a type of district is named, which everyone who has it resolves (T12.22)", box=TI, most=1)  # Globalization
# Military Engineering
_part("growth", "then.armies_from_card", says="then armies on the card may enter own cities (T12.15)", box=TI,
    words=("each may enter an own city space",), flags={"each may enter an own city space": "armies_into_cities"})
_part("growth", "then.reinforce", says="and all own tokens in or next to a space with an own army are reinforced", box=TI,
    words=("all own tokens in or next to a space with an own army",),
    flags={"all own tokens in or next to a space with an own army": "reinforce_by_army"})
_part("growth", "reinforce", says="{growth_all:then|or} reinforce up to slot-number control tokens", box=TI, words=("slot",),
    flags={"slot": "growth_reinforce"})
_part("growth", "mode", meaning="Whether the card does one of its parts or all of them.", box=TI, needed=True,
    words=("choose_one", "all"), flags={"all": "growth_all"})
_sentence("growth", "{trade:token} reinforced for each trade token spent (T4.1)", TI)
# fmt: on


def parts_of(kind: str, box: str) -> list[CardPart]:
    """Return the parts that cards of a type have in a box ("base", "ti"), sentences about all of them included."""
    return [part for part in PARTS if part.kind == kind and box in part.box]


# The columns of the RULES record, without their `card_`, with the number of values for a card.
COLUMNS = {column: 6 if part.by_slot else 1 for part in PARTS for column in part.columns}
