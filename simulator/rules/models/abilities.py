"""The words of abilities: those that several effects share, and the effects that hold as long as their card is held."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ... import names

Change = Annotated[int, Field(ge=-20, le=20, description="what is added (below 0: taken off)")]
Amount = Annotated[int, Field(ge=0, le=20, description="how many")]
Difficulty = Annotated[int, Field(ge=0, le=9, description="the difficulty they have at most")]
Slot = Annotated[int, Field(ge=1, le=5)]
Slots = Annotated[list[Slot], Field(min_length=1, description="slot numbers of the cards; all if not given")]
Level = Annotated[int, Field(ge=1, le=names.N_LEVELS)]
Terrain = Literal["grassland", "hills", "forest", "desert", "mountain", "natural_wonder"]
Terrains = Annotated[list[Terrain], Field(min_length=1, description="terrains of the space; all if not given")]
Target = Literal["barbarian", "city_state", "token", "city", "capital", "fort", "caravan", "army"]
Targets = Annotated[list[Target], Field(min_length=1, description="what is attacked, or visited; all if not given")]
Side = Literal["attack", "defend"]
Sides = Annotated[list[Side], Field(min_length=1, description="in attack, in defence; both if not given")]
Coastal = Annotated[bool, Field(description="true: only next to water or at the map's edge; false: only elsewhere")]
Doings = Annotated[
    list[Literal["fight", "move_caravan", "build_city", "culture_or_industry_card", "token_by_effect", "move_army"]],
    Field(min_length=1, description="for what the difficulty is asked; everything if not given"),
]
CardType = Literal["culture", "science", "economy", "industry", "military", "growth"]
CardTypes = Annotated[list[CardType], Field(min_length=1, description="focus types; all if not given")]
WonderTypes = Annotated[
    list[Literal["culture", "science", "economy", "industry", "military"]],
    Field(min_length=1, description="types of the wonders; all if not given"),
]
Era = Literal["ancient", "medieval", "modern"]
Eras = Annotated[list[Era], Field(min_length=1, description="their eras; all if not given")]
Resource = Literal["marble", "mercury", "oil", "diamond"]
HeldCount = Literal["own_wonders", "newest_era", "wonders_of_its_type", "city_state_card_of_its_type"]
Count = Literal[
    "own_wonders", "newest_era", "wonders_of_its_type", "city_state_card_of_its_type", "cities", "mature_cities",
    "conquered_city_states", "natural_wonders", "coastal_spaces", "rival_capitals_defeated", "reinforced_tokens",
    "reinforced_lead", "attacks_won_this_turn", "resource_types", "victory_cards", "cards_replaced_this_turn", "own_districts",
    "other_has_given_card",
]  # fmt: skip
SpaceCount = Literal[
    "own_wonders", "newest_era", "wonders_of_its_type", "city_state_card_of_its_type", "cities", "mature_cities",
    "conquered_city_states", "natural_wonders", "coastal_spaces", "rival_capitals_defeated", "reinforced_tokens",
    "reinforced_lead", "attacks_won_this_turn", "resource_types", "victory_cards", "cards_replaced_this_turn", "own_districts",
    "other_has_given_card", "own_caravan_beside", "settlement_near", "water_beside",
]  # fmt: skip
TileCount = Literal[
    "own_wonders", "newest_era", "wonders_of_its_type", "city_state_card_of_its_type", "cities", "mature_cities",
    "conquered_city_states", "natural_wonders", "coastal_spaces", "rival_capitals_defeated", "reinforced_tokens",
    "reinforced_lead", "attacks_won_this_turn", "resource_types", "victory_cards", "cards_replaced_this_turn", "own_districts",
    "other_has_given_card", "other_cities_on_tile",
]  # fmt: skip
Moment = Literal[
    "built", "start_of_turn", "card_resolved", "card_reset", "attack_won", "defence_won", "barbarian_defeated",
    "city_built", "wonder_built", "arrival", "token_placed", "trade_icon", "built_or_captured", "end_of_turn", "first_turn",
    "attack_lost", "dial_turned", "end_of_round",
]  # fmt: skip
Least = Annotated[int, Field(ge=1, le=99)]
PER = "the amount counts once for each of these"
IF = "only while the player has at least so many: `{cities: 3}`"
UNLESS = "not once the player has so many"


class Ability(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)
    works: Annotated[bool, Field(description="false takes it away, for experiments")] = True


class Held(Ability):
    """Conditions of an effect that asks only for what the player holds."""

    per: Annotated[HeldCount | None, Field(description=PER)] = None
    if_: Annotated[dict[HeldCount, Least] | None, Field(alias="if", min_length=1, max_length=1, description=IF)] = None
    unless: Annotated[dict[HeldCount, Least] | None, Field(min_length=1, max_length=1, description=UNLESS)] = None


class Conditions(Ability):
    """Conditions that may ask for anything."""

    if_: Annotated[dict[Count, Least] | None, Field(alias="if", min_length=1, max_length=1, description=IF)] = None
    unless: Annotated[dict[Count, Least] | None, Field(min_length=1, max_length=1, description=UNLESS)] = None


class OnTheSpot(Conditions):
    """An effect whose amount may count once for each of anything."""

    per: Annotated[Count | None, Field(description=PER)] = None


Giver = Annotated[
    Literal["only", "never"],
    Field(description="diplomacy cards: only or never where the giver is the other side"),
]


# --- effects that hold as long as their card is held


class Combat(Conditions):
    """A bonus to the player's total in combat (B9.5, B9.6)."""

    effect: Literal["combat"]
    amount: Change
    when: Sides | None = None
    terrain: Terrains | None = None
    target: Targets | None = None
    per: Annotated[SpaceCount | None, Field(description=PER)] = None
    within: Annotated[int, Field(ge=0, le=9, description="distance for `settlement_near`")] = 0
    giver: Giver | None = None


class ReinforcedWorth(Held):
    """Each of the player's reinforced tokens that counts in defence gives so much more (B9.6)."""

    effect: Literal["reinforced_worth"]
    amount: Change


class WonderCost(OnTheSpot):
    """Changes the cost of the world wonders that the player builds (B8.5)."""

    effect: Literal["wonder_cost"]
    amount: Change
    type: WonderTypes | None = None
    era: Eras | None = None


class Production(Held):
    """More production for world wonders, whatever the slot (B8.5)."""

    effect: Literal["production"]
    amount: Change


class DifficultyAtMost(Held):
    """In the player's turn, terrains are no harder than this (B1.1)."""

    effect: Literal["difficulty"]
    amount: Difficulty
    terrain: Terrains | None = None
    coastal: Coastal | None = None
    doing: Doings | None = None


class DifficultyChange(Held):
    """In the player's turn, terrains are harder or easier by this, after every `difficulty` (B1.1)."""

    effect: Literal["difficulty_change"]
    amount: Change
    terrain: Terrains | None = None
    coastal: Coastal | None = None
    doing: Doings | None = None


class CultureTokens(Held):
    """More control tokens of every culture card (B5.1)."""

    effect: Literal["culture_tokens"]
    amount: Amount


class DialSpaces(Held):
    """More spaces of the dial with every science card (B6.1)."""

    effect: Literal["dial_spaces"]
    amount: Amount


class CaravanSteps(Held):
    """More steps for each caravan of an economy card (B7.2)."""

    effect: Literal["caravan_steps"]
    amount: Amount


class SharedCaravanSteps(Held):
    """More steps for all caravans of an economy card together (Colossus)."""

    effect: Literal["shared_caravan_steps"]
    amount: Amount


class CityRange(Held):
    """Cities may be built farther away (B8.1)."""

    effect: Literal["city_range"]
    amount: Amount


class AttackRange(Held):
    """Targets may be farther away (B9.2); in Terra Incognita armies move farther (T5.2)."""

    effect: Literal["attack_range"]
    amount: Amount


class Attacks(Held):
    """More attacks with a military card (B9.2)."""

    effect: Literal["attacks"]
    amount: Amount


class Reinforcements(Held):
    """More tokens turned when a military card reinforces (B9.1)."""

    effect: Literal["reinforcements"]
    amount: Amount


class AttackAnywhere(Ability):
    """Targets at any distance; in Terra Incognita armies move any distance (Pentagon)."""

    effect: Literal["attack_anywhere"]


class CountThrough(Ability):
    """Distances may be counted through what stops others (B7.3, B8.2, B9.3, T5.2)."""

    effect: Literal["count_through"]
    through: Annotated[
        list[
            Literal[
                "attack_water",
                "attack_rivals",
                "attack_barbarians",
                "city_water",
                "caravan_water",
                "caravan_barbarians",
                "army_water",
                "army_tokens",
            ]
        ],
        Field(min_length=1, description="by attacks, cities, caravans or armies, through what"),
    ]


class CaravansFromAnyCity(Ability):
    """Caravans on the card set out from any own city (Rome)."""

    effect: Literal["caravans_from_any_city"]


class MaturesWith(Ability):
    """Other players' control tokens count for the maturity of own cities (Sydney Opera House, Open Borders)."""

    effect: Literal["matures_with"]
    whose: Annotated[Literal["rivals", "giver"], Field(description="all rivals', or those of who gave the diplomacy card")]


class TokensWithoutCity(Ability):
    """Control tokens may be placed on empty spaces of these terrains without a city beside them (Chichen Itza)."""

    effect: Literal["tokens_without_city"]
    terrain: Terrains


class ChainTokens(Ability):
    """A control token placed on these terrains may be followed by others beside it there, again and again (Stonehenge)."""

    effect: Literal["chain_tokens"]
    terrain: Terrains


class EdgeCities(Ability):
    """For a city, empty spaces at the map's edge are only so far away (Great Lighthouse)."""

    effect: Literal["edge_cities"]
    amount: Annotated[int, Field(ge=1, le=20, description="their distance")]


class ActsAsSlot(Ability):
    """Cards in these slots are resolved as from another slot (Machu Picchu)."""

    effect: Literal["acts_as_slot"]
    amount: Annotated[Slot, Field(description="the slot number they act with")]
    slots: Slots | None = None
    type: CardTypes | None = None


class SlotShift(Held):
    """Cards act with a slot number higher by this, after every `acts_as_slot`; no more than the row's last."""

    effect: Literal["slot_shift"]
    amount: Change
    slots: Slots | None = None
    type: CardTypes | None = None


class TradeBank(Ability):
    """Holds trade tokens; at the start of the turn they may be put on own cards (Great Zimbabwe). One ability of a ruleset."""

    effect: Literal["trade_bank"]
    amount: Amount


class ExtraCard(Ability):
    """With a card of another type, the card of this type may be resolved and reset as well (Estadio do Maracana)."""

    effect: Literal["extra_card"]
    card: Annotated[CardType, Field(description="type of the card that may be resolved, too")]


class RepeatCard(Ability):
    """A card in these slots may be resolved once more, once a turn (Venetian Arsenal)."""

    effect: Literal["repeat_card"]
    amount: Annotated[Slot, Field(description="the slot number it has the second time")]
    slots: Slots | None = None


class AnyTypeUpgrade(Ability):
    """A card gained for a card of these types may be of any type (Oxford University)."""

    effect: Literal["any_type_upgrade"]
    type: CardTypes | None = None


class DiplomacyLimit(Ability):
    """So many diplomacy cards of each player may be held (Potala Palace)."""

    effect: Literal["diplomacy_limit"]
    amount: Amount


class BarbariansBarred(Ability):
    """Barbarians do not enter own cities and own reinforced tokens (Petra)."""

    effect: Literal["barbarians_barred"]


class RooseveltCorollary(Ability):
    """Natural wonder tokens lie on focus cards and pay there as trade token or resource (America)."""

    effect: Literal["roosevelt_corollary"]


class WatersideCities(Ability):
    """For cities, land next to water is no harder than this, also where their distance is counted (Auckland)."""

    effect: Literal["waterside_cities"]
    amount: Difficulty


class SharedLand(Ability):
    """Another player's cities and control tokens count as the player's own for district effects and maturity (Open Borders)."""

    effect: Literal["shared_land"]
    whose: Annotated[Literal["giver"], Field(description="of who gave the diplomacy card")]


class NonAggression(Ability):
    """Neither attacks nor destroys or replaces another player's pieces. If that player strikes at a piece of the holder, the
    card may be given back: then the military card and another one of the row change places (Non-Aggression Pact)."""

    effect: Literal["non_aggression"]
    whose: Annotated[Literal["giver"], Field(description="of who gave the diplomacy card")]


class ResourcesAsTrade(Ability):
    """Resource tokens may be spent as trade tokens of the card that the player is resolving (Palenque)."""

    effect: Literal["resources_as_trade"]


class CombatPerResource(Ability):
    """In combat, resource tokens may be spent for so much each (Jebel Barkal)."""

    effect: Literal["combat_per_resource"]
    amount: Amount


class CityStateAsCity(Ability):
    """In the player's turn, the city-state is an own city in which no army may stay (Antananarivo)."""

    effect: Literal["city_state_as_city"]


class ConquersVisited(Ability):
    """A city-state at which a caravan has arrived may be conquered (Orszaghaz)."""

    effect: Literal["conquers_visited"]


class LearnsFromVisited(Ability):
    """Where a caravan has arrived in a rival city, a card may be replaced by one of its type with the level of a card of that
    type in the rival's row (Great Library)."""

    effect: Literal["learns_from_visited"]


class TokensOfTakenCities(Ability):
    """Before the player replaces a rival city, rival control tokens next to it are replaced, too (Statue of Liberty)."""

    effect: Literal["tokens_of_taken_cities"]


class FoundsCity(Ability):
    """The world wonder is built with a new city for it, on a legal space at the map's edge (Amundsen-Scott)."""

    effect: Literal["founds_city"]
    amount: Annotated[int, Field(ge=0, le=6, description="control tokens placed next to the city")]


class FollowingToken(Ability):
    """A control token placed on these terrains may be followed by one beside it, on any land (Inca)."""

    effect: Literal["following_token"]
    terrain: Terrains


class EdgeWaterLinked(Ability):
    """For caravans, all water spaces at the map's edge lie side by side (Indonesia)."""

    effect: Literal["edge_water_linked"]


class DistrictWater(Ability):
    """For the effects of own districts, water next to any of them is friendly and of every terrain (Netherlands)."""

    effect: Literal["district_water"]
