"""What the rules data must look like: one pydantic model for each kind of entry.

Where the boxes differ, the expansion's model (`Ti…`) extends that of the base game. Abilities have models of their own
(`simulator/rules/loading/abilities.py`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from newdawn.simulator import limits, names

Small = Annotated[int, Field(ge=0, le=99)]
Positive = Annotated[int, Field(ge=1, le=99)]
Change = Annotated[int, Field(ge=-20, le=20)]
Slot = Annotated[int, Field(ge=1, le=5)]
Level = Annotated[int, Field(ge=1, le=names.N_LEVELS)]
Axial = Annotated[int, Field(ge=-50, le=50)]
Rotation = Annotated[int, Field(ge=0, le=5)]
Side = Literal["A", "B"]
Box = Literal["base", "ti"]
Land = Literal["grassland", "hills", "forest", "desert", "mountain"]
Terrain = Literal["grassland", "hills", "forest", "desert", "mountain", "water", "natural_wonder"]
Resource = Literal["marble", "mercury", "oil", "diamond"]
FocusType = Literal["culture", "science", "economy", "industry", "military"]
AnyFocusType = Literal["culture", "science", "economy", "industry", "military", "growth"]
WonderType = Literal["culture", "science", "economy", "military"]
Era = Literal["ancient", "medieval", "modern"]
Letter = Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"]
Icon = Literal["barbarians_appear", "barbarians_move", "trade", "districts", "government", "wonder", "none"]
Metric = Literal[
    "cities_on_map_with_capital", "wonders_of_type", "rival_capitals_defeated", "conquered_city_states_held",
    "controlled_spaces_next_to_water_or_map_edge", "mature_cities", "natural_wonders_held", "tech_dial_space_reached",
]  # fmt: skip
TiMetric = Literal[
    "cities_on_map_with_capital", "wonders_of_type", "rival_capitals_defeated", "conquered_city_states_held",
    "controlled_spaces_next_to_water_or_map_edge", "mature_cities", "natural_wonders_held", "tech_dial_space_reached",
    "focus_cards_of_level_in_row", "reinforced_control_tokens", "combat_total_of_a_won_attack",
    "diplomacy_cards_from_different_players_or_city_states", "resource_and_natural_wonder_tokens", "tiles_with_own_city",
    "wonders_of_one_era", "districts_on_map", "eras_with_a_wonder", "tiles_with_own_mature_city", "wonder_types_held",
    "forts_held",
]  # fmt: skip
Through = list[Literal["water", "rival_space", "barbarian"]]
PlayerCount = Literal["2", "3", "4"]
TiPlayerCount = Literal["2", "3", "4", "5"]
Words = Any  # describes what the engine does; no house rule can change it


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class Loose(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, defer_build=True)


# --- components.yaml


class PlayerPieces(Strict):
    control_tokens: Positive
    cities: Annotated[int, Field(ge=1, le=limits.MAX_CITY_PIECES)]
    capital: Literal[1]
    caravans: Annotated[int, Field(ge=0, le=limits.MAX_CARAVANS)]
    focus_cards: Literal[20]
    diplomacy_cards: Literal[4]
    tech_dial: Literal[1]
    focus_bar_slots: Annotated[list[Slot], Field(min_length=5, max_length=5)]


class TiPlayerPieces(PlayerPieces):
    armies: Annotated[int, Field(ge=0, le=limits.MAX_ARMIES)]
    districts: Literal[5]
    government_tokens: Literal[6]
    forts: Literal[1]
    focus_cards: Literal[24]  # type: ignore[assignment]
    diplomacy_cards: Literal[5]  # type: ignore[assignment]
    focus_bar_slots: Annotated[list[Slot], Field(min_length=6, max_length=6)]


class PlayerBox(Strict):
    base: PlayerPieces


class TiPlayerBox(Strict):
    ti: TiPlayerPieces


class BoxPieces(Strict):
    map_tiles: int
    leaders: int
    water_tokens: Small
    resource_tokens_per_type: Small
    barbarians: int
    trade_tokens_in_box: int
    wonder_cards: int
    wonder_tokens: int
    city_state_tokens_two_sided: int
    city_states: int
    city_state_diplomacy_cards: int
    natural_wonder_tokens_two_sided: int
    natural_wonders: int
    victory_cards: int
    dice: int
    barbarian_direction_token: int
    event_dial: int


class TiBoxPieces(BoxPieces):
    unique_focus_cards: int
    fort_cards: int
    forts: int


class Boxes(Strict):
    base: BoxPieces


class TiBoxes(Strict):
    ti: TiBoxPieces


class Limits(Strict):
    trade_tokens_supply: Literal["unlimited"]
    all_other_pieces: str
    trade_tokens_per_focus_card: Small
    city_state_token_counts_for_that_limit: bool
    city_state_token_on_card: str
    wonders_per_city: Literal[1]
    caravans_into_one_place_per_turn: Positive
    natural_wonder_uses_per_turn: Literal[1]
    no_city_piece_left: str
    no_control_token_left: str


class TerrainDifficulty(Strict):
    grassland: Small
    hills: Small
    forest: Small
    desert: Small
    mountain: Small
    water: Small
    natural_wonder: Small
    city_state: Literal[1]  # a city-state lies on grassland (B1.1)
    fort: Small


class Production(Strict):
    resource: Small
    trade_token: Small
    resource_must_match_wonder: bool


class Arrival(Strict):
    trade_tokens: Small
    on: str


class CaravanArrival(Strict):
    city_state: Arrival
    rival_city: Arrival
    diplomacy_card: Small


class Defence(Strict):
    city_state: Small
    free_fort: Small
    city_difficulty_factor: Small
    city_bonus: Small
    capital_bonus: Small
    reinforced_token: Small


class MayBeAttacked(Strict):
    barbarian: bool
    city_state: bool
    control_token: bool
    city: bool
    capital: bool


class TiMayBeAttacked(MayBeAttacked):
    free_fort: bool
    caravan: bool
    army: bool


class BarbarianBeaten(Strict):
    trade_tokens: Small
    on: str


class CapitalBeaten(Strict):
    trade_tokens_taken: Small
    captured: Literal[False]


class WinEffect(Strict):
    barbarian: BarbarianBeaten
    control_token: str
    district: str
    city: str
    capital: CapitalBeaten
    city_state: str
    army_or_caravan: str


class Combat(Strict):
    die_sides: Annotated[int, Field(ge=1, le=limits.MAX_DIE_SIDES)]
    dice: Annotated[int, Field(ge=1, le=limits.MAX_DICE)]
    tie: Literal["defender", "attacker"]
    may_be_attacked: MayBeAttacked
    defence: Defence
    win_effect: WinEffect
    attacker_loses: dict[Box, str]


class GuardBonus(Strict):
    combat: Change
    condition: str
    target: str


class TiCombat(Combat):
    may_be_attacked: TiMayBeAttacked
    guard_bonus: GuardBonus


class EraCounts(Strict):
    ancient: Small
    medieval: Small
    modern: Small


class WonderDecks(Strict):
    base: dict[PlayerCount, EraCounts]
    note: str


class TiWonderDecks(Strict):
    ti: dict[TiPlayerCount, EraCounts]
    note: str


class CoreMix(Strict):
    natural_wonder: Small
    city_state: Small


class MapSetup(Strict):
    core_tiles: Literal[4]
    core_mix: CoreMix
    core_side_a_up_to: Small
    capital_tiles_per_player: Literal[1]
    dealt_tiles_per_player: Annotated[int, Field(ge=0, le=3)]
    touch_spaces_min: Annotated[int, Field(ge=1, le=8)]
    must_touch_core: bool
    holes: Literal["water tokens"]


class MapSetups(Strict):
    base: MapSetup


class TiMapSetup(Strict):
    core_tiles: dict[TiPlayerCount, Literal[2, 4]]
    core_mix: str
    core_side_a_up_to: Small
    capital_tiles_per_player: Literal[1]
    forts_per_player: Literal[1]
    first_player_before_map: Literal[True]
    touch_spaces_min: Annotated[int, Field(ge=1, le=8)]
    touched: list[Literal["core", "fort"]]
    other_capital_tiles_count: Literal[False]
    populate_after: Literal["capitals"]
    holes: Literal["water tokens"]
    rest: str


class TiMapSetups(Strict):
    ti: TiMapSetup


class Players(Strict):
    base: list[Annotated[int, Field(ge=2, le=4)]]


class TiPlayers(Strict):
    ti: list[Annotated[int, Field(ge=2, le=limits.MAX_PLAYERS)]]


class Fort(Strict):
    set: Literal["ti"]
    terrain: Literal["forest"]
    no_city_next_to_it: Literal[True]
    no_control_tokens_on_it: Literal[True]
    touches_core_spaces_min: Annotated[int, Field(ge=1, le=6)]
    not_next_to: list[Literal["fort", "city_state"]]
    enter_slot_min: Slot
    caravan_may_stop: Literal[True]
    won_by: str
    after_capture: str


class Explore(Strict):
    set: Literal["ti"]
    who: list[Literal["caravan", "army"]]
    where: str
    any_players_capital_tile: Literal[True]
    price_steps: Small
    tile_touches_spaces_min: Annotated[int, Field(ge=1, le=8)]
    must_touch: str
    sides: Literal["either"]
    no_fit: str
    per_figure_per_turn: Literal[1]
    failed_try_counts: Literal[True]


class LeaderDeal(Strict):
    leaders_per_player: Annotated[int, Field(ge=1, le=limits.MAX_DEALT)]
    choice: Literal["random", "ranking"]
    ranking: list[str]


class LeaderDeals(Strict):
    base: LeaderDeal


class TiLeaderDeals(Strict):
    ti: LeaderDeal


Bonus = Annotated[int, Field(ge=0, le=limits.MAX_START_BONUS)]


class StartBonus(Strict):
    cities: Bonus
    control_tokens: Bonus
    wonders: Bonus
    technology_levels: Bonus
    trade_tokens: Bonus
    resources: Bonus


class StartBonuses(Strict):
    everyone: StartBonus
    last_in_turn_order: StartBonus


class Components(Strict):
    players: Players
    per_player: PlayerBox
    shared: Boxes
    limits: Limits
    terrain_difficulty: TerrainDifficulty
    production: Production
    caravan_arrival: CaravanArrival
    combat: Combat
    mature_city: str
    token_placing: dict[str, Any]
    city_placing: dict[str, Any]
    wonder_decks: WonderDecks
    map_setup: MapSetups
    leader_deal: LeaderDeals
    start_bonus: StartBonuses
    barbarian_direction: dict[str, Any]
    focus_row_reset: str
    start_figures: dict[Box, list[str]]


class TiComponents(Components):
    players: TiPlayers  # type: ignore[assignment]
    per_player: TiPlayerBox  # type: ignore[assignment]
    shared: TiBoxes  # type: ignore[assignment]
    combat: TiCombat
    fort: Fort
    explore: Explore
    wonder_decks: TiWonderDecks  # type: ignore[assignment]
    map_setup: TiMapSetups  # type: ignore[assignment]
    leader_deal: TiLeaderDeals  # type: ignore[assignment]


# --- dials.yaml


class TechDial(Strict):
    start: Small
    last_space: Annotated[int, Field(ge=1, lt=limits.MAX_DIAL)]
    level_spaces: dict[str, Level]
    after_last: Small
    gain_rule: str


class Section(Strict):
    section: Positive
    icons: Annotated[list[Icon], Field(min_length=1)]


class EventDial(Strict):
    start_section: Positive
    start_is_resolved: bool
    turns: str
    sections: Annotated[list[Section], Field(min_length=1, max_length=limits.MAX_SECTIONS)]
    order_note: str = ""


class CapitalRaid(Strict):
    trade_tokens_lost: Small


class ArmiesHit(Strict):
    fate: str
    barbarian: str
    protects: list[str]


class Hits(Strict):
    caravan: str
    unreinforced_token: str
    city: str
    reinforced_token: str
    capital: CapitalRaid
    army: ArmiesHit


class BarbariansMove(Strict):
    die: str
    steps: Literal[1]
    water: str
    map_edge: str
    hits: Hits
    two_on_one_space: str


class TradeIcon(Strict):
    trade_tokens: Small
    per: str
    on: str


class WonderIcon(Strict):
    trade_token_on: str
    cost_change_while_there: Change
    second_token: str
    not_at_setup: Literal[True]


class IconEffects(Strict):
    barbarians_appear: dict[str, Any]
    barbarians_move: BarbariansMove
    trade: TradeIcon
    districts: dict[str, Any]
    government: dict[str, Any]
    wonder: WonderIcon


class Dials(Strict):
    tech_dial: TechDial
    event_dial_base: EventDial
    icon_effects: IconEffects


class TiDials(Strict):
    tech_dial: TechDial
    event_dial_ti: EventDial
    icon_effects: IconEffects


# --- focus_cards.yaml


class TradeTokenEffect(Strict):
    culture: dict[Literal["control_tokens", "terrain_limit"], Small | str]
    science: dict[Literal["dial_spaces"], Small]
    economy: dict[Literal["steps_per_caravan"], Small]
    industry: dict[Literal["wonder_production"], Small]
    military_base: dict[Literal["combat", "when"], Small | str]
    growth: dict[Literal["reinforce_tokens", "even_if_card_placed_a_district"], Small | bool]


class MilitaryTrade(Strict):
    combat: Small
    or_reroll_own_die: bool
    when: str


class TiTradeTokenEffect(Strict):
    culture: dict[Literal["control_tokens", "terrain_limit"], Small | str]
    science: dict[Literal["dial_spaces"], Small]
    economy: dict[Literal["steps_per_caravan"], Small]
    industry: dict[Literal["wonder_production"], Small]
    military_ti: MilitaryTrade
    growth: dict[Literal["reinforce_tokens", "even_if_card_placed_a_district"], Small | bool]


class FocusCard(Strict):
    name: str
    type: str
    level: Level
    set: Box | None = None  # a leader's unique card has none
    source: Box | None = None  # in Terra Incognita: the box the card was printed in
    available: bool
    disputed: bool = False
    confidence: Literal["low", "medium", "high"] = "high"
    gaps: Annotated[list[str], Field(default_factory=list)]
    effect: str


class CultureThen(Strict):
    move_own_tokens: Small = 0
    distance: Literal[1] = 1
    target: Words = None
    optional: bool = True
    tokens: Small = 0
    next_to: Literal["friendly_space"] = "friendly_space"
    terrain_limit: Literal["slot"] = "slot"
    rival_tokens: Small = 0
    range: Small = 0
    counted_from: Literal["friendly_space"] = "friendly_space"
    if_unreinforced: Words = None
    if_reinforced: Words = None


class CultureCard(FocusCard):
    tokens: Small
    next_to: Literal["friendly_city"]
    terrain_limit: Literal["slot"]
    then: CultureThen | None = None


class ScienceFirst(Strict):
    trade_tokens: Small = 0
    on: Words = None
    resources: Small = 0
    choice: Words = None
    only_from_slot: Slot | None = None
    radius: Small = 0
    unreinforced: Words = None
    reinforced: Words = None


class ScienceCard(FocusCard):
    first: ScienceFirst | None = None
    dial: Literal["slot"]


class EconomyThen(Strict):
    swap_resources: Small
    optional: bool


class AfterReset(Strict):
    resolve_other_card_as_slot: Slot
    reset_it: bool
    per_turn: Literal[1]


class EconomyCard(FocusCard):
    caravans: Annotated[int, Field(ge=0, le=limits.MAX_CARAVANS)]
    move: Small
    terrain_limit: Literal["slot"]
    water: bool
    may_enter_barbarian: bool = False
    barbarian_removed: bool = False
    barbarian_trade_token: Literal[0] = 0
    ends_move: bool | None = None
    switch: str | None = None  # the ruling that says otherwise
    then: EconomyThen | None = None
    after_reset: AfterReset | None = None


class IndustryThen(Strict):
    condition: Literal["city built"]
    tokens_up_to: Small
    next_to: Literal["new_city"]
    terrain_limit: Literal["slot"]


class IndustryCard(FocusCard):
    mode: Literal["choose_one"]
    wonder_production: dict[Literal["1", "2", "3", "4", "5"], Small]
    city_range: Small
    city_range_from: list[Literal["friendly_space", "friendly_caravan"]]
    city_terrain_limit: Literal["slot"]
    count_through_water: bool
    then: IndustryThen | None = None


class MilitaryCard(FocusCard):
    mode: Literal["choose_one", "attack_then_reinforce"]
    reinforce: Literal["slot", "slot minus attacks made"]
    attacks: Small
    attack_range: Small
    combat: Literal["slot"]
    combat_bonus: Change
    combat_bonus_vs_barbarian: Change
    count_through: Through


FOCUS_CARDS: dict[str, type[FocusCard]] = {
    "culture": CultureCard,
    "science": ScienceCard,
    "economy": EconomyCard,
    "industry": IndustryCard,
    "military": MilitaryCard,
}


# --- focus cards of Terra Incognita, unique cards included


class TiCultureThen(CultureThen):
    trade_tokens: Small = 0
    per: Literal["own mature city"] = "own mature city"
    on: Words = None


class FromSlot5(Strict):
    tokens: Small = 0
    terrain: Literal["mountain"] = "mountain"
    next_to: Literal["friendly_space"] = "friendly_space"
    take_rival_city: Annotated[int, Field(ge=0, le=1)] = 0
    range: Small = 0
    counted_from: Literal["friendly_city"] = "friendly_city"
    not_capital: Literal[True] = True
    no_army_there: Literal[True] = True


class TiCultureCard(CultureCard):
    next_to: Literal["friendly_city", "friendly_space"]  # type: ignore[assignment]
    then: TiCultureThen | None = None
    from_slot_5: FromSlot5 | None = None


class TiScienceFirst(ScienceFirst):
    owners: Words = None
    on_army_space: Words = None
    look_at_tiles: Small = 0
    stack: Literal["bottom"] = "bottom"
    place_up_to: Annotated[int, Field(ge=0, le=1)] = 0
    as_explore_from: Words = None
    rest: Words = None


class ExtraDial(Strict):
    spaces: Small
    condition: Literal["controls a world wonder"] | None = None
    per: Literal["resource type held, natural wonders count"] | None = None


class TiScienceCard(ScienceCard):
    first: TiScienceFirst | None = None
    extra_dial: ExtraDial | None = None


class BeforeExplore(Strict):
    place_water_token: Small
    where: Words = None
    per_resolution: Words = 1
    optional: Words = True


Port = Literal["city_state", "rival_city"]


class OnArrival(Strict):
    at: Annotated[list[Port], Field(min_length=1)] | Literal["rival_city", "capital of the Ibrahim holder"]
    resources: Small = 0
    choice: Words = None
    min_distance_from_own_capital: Small = 0
    build_city: Annotated[int, Field(ge=0, le=1)] = 0
    range: Small = 0
    per_turn: Literal[1] = 1
    optional: bool = False


class TiEconomyCard(EconomyCard):
    before_explore: BeforeExplore | None = None
    on_arrival: OnArrival | None = None


class ExtraProduction(Strict):
    amount: Small
    per: Words = None


class ThenDial(Strict):
    spaces: Small
    after: Words = None


class CityOnFigure(Strict):
    figures: Annotated[list[Literal["caravan", "army"]], Field(min_length=1)]
    range: Words = 0
    terrain_limit: Words = None
    legal_space: Words = True
    figure_returns_to_card: Words = True


class TiIndustryCard(IndustryCard):
    extra_production: ExtraProduction | None = None
    production_per_resource: Small | None = None
    then_dial: ThenDial | None = None
    city_on_figure: CityOnFigure | None = None


class Redeploy(Strict):
    armies: Small
    per_turn: Words = 1
    from_: Annotated[Words, Field(alias="from")] = None
    may_attack: Words = True


class SecondMove(Strict):
    per_turn: Small
    after: Words = None
    price: Words = None


class ArmyCard(FocusCard):
    """A military card of Terra Incognita."""

    armies: Annotated[int, Field(ge=0, le=limits.MAX_ARMIES)]
    move: Small
    terrain_limit: Literal["slot"]
    water: bool
    combat: Literal["slot"]
    combat_bonus: Change
    combat_bonus_vs_barbarian: Change
    redeploy_defeated: Redeploy | None = None
    pass_through: list[Literal["unreinforced_control_token", "caravan", "barbarian", "city_state"]] = []
    not_through: list[Literal["reinforced_control_token", "rival_city", "rival_army", "free_fort"]] | None = None
    districts_as_tokens: Literal[True] | None = None
    own_turn_reinforced_bonus_change: Change = 0
    second_move: SecondMove | None = None


class DistrictPlacing(Strict):
    count: Annotated[int, Field(ge=0, le=5)]
    next_to: Words = None
    terrain_limit: Words = None
    may_replace: Words = None


class WithDistrict(Strict):
    displaced_token_moves: Annotated[int, Field(ge=0, le=1)]
    to: Words = None
    optional: Words = True


class GrowthThen(Strict):
    tokens: Small = 0
    next_to: Literal["friendly_district"] = "friendly_district"
    terrain_limit: Literal["slot"] = "slot"
    name_district_type: Annotated[int, Field(ge=0, le=1)] = 0
    resolved_by: Words = None
    armies_from_card: Literal["each may enter an own city space"] | None = None
    reinforce: Literal["all own tokens in or next to a space with an own army"] | None = None


class GrowthCard(FocusCard):
    mode: Literal["choose_one", "all"]
    district: DistrictPlacing
    with_district: WithDistrict | None = None
    then: GrowthThen | None = None
    reinforce: Literal["slot"] | None = None


TI_FOCUS_CARDS: dict[str, type[FocusCard]] = {
    "culture": TiCultureCard,
    "science": TiScienceCard,
    "economy": TiEconomyCard,
    "industry": TiIndustryCard,
    "military": ArmyCard,
    "growth": GrowthCard,
}


# --- leaders, wonders, city-states, diplomacy


Row = Annotated[list[FocusType], Field(min_length=5, max_length=5)]


Abilities = dict[str, dict[str, Any]]  # each is checked against the model of its effect (rules/abilities.py)


class GivenCard(Strict):
    """A card that a leader gives to another player, who then has its abilities."""

    name: str
    effect: str
    abilities: Abilities


class Leader(Strict):
    civ: str
    leader: str
    set: Literal["base", "ti", "own"]  # own: added by a house rule (rules/own.py)
    ability_name: str
    effect: str
    start_row: Row
    abilities: Abilities
    given_card: GivenCard | None = None
    available: bool
    ability_works: bool
    start_trade_tokens: dict[FocusType, Small]
    figures_inferred: bool = False
    disputed: bool = False
    gaps: Annotated[list[str], Field(default_factory=list)]


class TiLeader(Leader):
    start_row: Annotated[list[AnyFocusType], Field(min_length=6, max_length=6)]  # type: ignore[assignment]
    start_trade_tokens: dict[AnyFocusType, Small]  # type: ignore[assignment]
    head_start: Annotated[int, Field(ge=0, le=18)] = 0  # trade tokens, spread evenly from the far left (T10.2)
    unique_card: dict[str, Any] | None = None  # as a focus card of its type
    ability: dict[str, Any] | None = None  # what no ability says


class Wonder(Strict):
    name: str
    type: WonderType
    era: Era
    cost: Positive
    resources: Annotated[list[Resource], Field(min_length=1)]
    set: Box
    timing: Literal[
        "start_of_turn", "end_of_turn", "on_build", "on_build_or_capture", "on_place_control", "on_resolve",
        "on_caravan_arrival", "on_city_capture", "on_upgrade", "combat", "passive",
    ]  # fmt: skip
    effect: str
    disputed: bool = False
    replaces_base: bool = False
    abilities: Abilities
    available: bool


class OwnWonder(Strict):
    name: str
    type: WonderType
    era: Era
    cost: Positive
    resources: Annotated[list[Resource], Field(min_length=1)]
    set: Literal["own"]
    effect: str
    abilities: Abilities
    available: bool


class CityState(Strict):
    name: str
    type: FocusType
    set: Box
    icon_frame: Literal["circle", "diamond", "star"]
    tile: Positive
    side: Side
    copies: Small
    disputed: bool = False
    effect: str
    abilities: Abilities


class NaturalWonder(Strict):
    name: str
    resource: Resource
    set: Box
    tile: Positive
    side: Side


class DiplomacyLimits(Strict):
    per_other_player: Positive
    per_city_state: Literal[1]


class DiplomacyCard(Strict):
    name: str
    set: Literal["base", "own"] = "base"
    abilities: Abilities
    effect: str


class TiDiplomacyCard(DiplomacyCard):
    set: Literal["base", "ti", "own"]  # type: ignore[assignment]


# --- victory cards


class Condition(Strict):
    metric: Metric
    at_least: Positive
    type: FocusType | None = None
    event: bool = False


class TiCondition(Condition):
    metric: TiMetric  # type: ignore[assignment]
    level: Level | None = None


class TiAnyOf(Strict):
    any_of: Annotated[list[TiCondition], Field(min_length=2, max_length=2)]


class AnyOf(Strict):
    any_of: Annotated[list[Condition], Field(min_length=2, max_length=2)]


class Agenda(Strict):
    name: str
    available: bool
    condition: dict[str, Any]
    effect: str


class TiAgenda(Agenda):
    must_stay_true: Literal[True] | None = None


class VictoryCard(Strict):
    id: str
    set: Literal["base", "own"] = "base"
    available: bool
    agendas: dict[str, Agenda]


class TiVictoryCard(Strict):
    id: str
    set: Literal["base", "ti", "own"]
    fort: Literal[True] | None = None
    available: bool
    agendas: dict[str, TiAgenda]


Rankings = Annotated[
    list[Literal["most_claimed_cards", "most_world_wonders", "most_friendly_spaces"]], Field(max_length=limits.MAX_RANKINGS)
]


class VictoryRules(Strict):
    cards_in_play: Annotated[int, Field(ge=1, le=limits.MAX_IN_PLAY)]
    cards_in_play_epic: Words
    cards_needed: Any  # "all in play" or a number: checked with cards_in_play (checks.py)
    check: str
    tie_break: Rankings
    round_limit: Small
    at_round_limit: Rankings


class TiVictoryRules(Strict):
    fort_cards_in_play: Annotated[int, Field(ge=0, le=2)]
    random_cards_in_play: Annotated[int, Field(ge=0, le=limits.MAX_IN_PLAY)]
    cards_needed: Any
    check: Literal["end of round before the event dial", "start of the first player turn"]
    tie_break: Rankings
    round_limit: Small
    at_round_limit: Rankings


class VictoryRuleSets(Strict):
    base: VictoryRules


class TiVictoryRuleSets(Strict):
    ti: TiVictoryRules


# --- tiles and maps


class Feature(Strict):
    space: Annotated[int, Field(ge=0, lt=limits.TILE_SPACES)]
    resource: Resource | None = None
    natural_wonder: str | None = None
    city_state: str | None = None
    barbarian: Letter | None = None
    capital: Literal[True] | None = None


class Face(Strict):
    terrain: Annotated[list[Terrain], Field(min_length=limits.TILE_SPACES, max_length=limits.TILE_SPACES)]
    features: list[Feature]
    disputed_spaces: Annotated[list[dict[str, Any]], Field(default_factory=list)]


class Tile(Strict):
    number: Annotated[int, Field(ge=1, le=limits.MAX_TILES)]
    set: Box
    kind: Literal["plain", "natural_wonder", "city_state", "capital"]
    sides: dict[Side, Face]


Offset = Annotated[list[int], Field(min_length=2, max_length=2)]
Offsets = Annotated[list[Offset], Field(min_length=limits.TILE_SPACES, max_length=limits.TILE_SPACES)]


class Geometry(Strict):
    hex: Literal["pointy_top"]
    spaces: Literal[10]
    axial: dict[str, str]
    pixel: str
    side_a: Offsets
    side_b: Offsets
    mirror: str
    neighbours: dict[str, list[int]]
    printed_number_corner: str
    capital_space: Literal[0]
    drawing_side_a: str
    drawing_side_b: str


class PlacedTile(Strict):
    tile: Positive
    q: Axial
    r: Axial
    rotation: Rotation


class UserTile(PlacedTile):
    side: Side


class FirstGame(Strict):
    side: Side
    confidence: str
    players: dict[PlayerCount, list[int]]
    tiles: list[PlacedTile]


class CoreTile(Strict):
    draw: Annotated[int, Field(ge=1, le=4)]
    q: Axial
    r: Axial
    rotation: Rotation


class CoreLayout(Strict):
    confidence: str
    A: list[CoreTile]
    B: list[CoreTile]


class TiMapLayouts(Strict):
    core: dict[Literal["two_tiles", "four_tiles_column", "four_tiles_block"], CoreLayout]


class MapLayouts(TiMapLayouts):
    first_game: FirstGame


class UserMap(Strict):
    name: str
    description: str = ""
    players: Annotated[list[Annotated[int, Field(ge=2, le=limits.MAX_PLAYERS)]], Field(min_length=1)]
    tiles: Annotated[list[UserTile], Field(min_length=1, max_length=limits.MAX_LAYOUT_TILES)]


class UserFort(Strict):
    q: Axial
    r: Axial


class TiUserMap(UserMap):
    forts: Annotated[list[UserFort], Field(max_length=limits.MAX_PLAYERS)] = []
    stack: list[Positive] | None = None


class MapSettings(Strict):
    mode: Literal["advanced", "first_game", "user"]
    core_layout: Literal["four_tiles_column", "four_tiles_block"]
    user_map: UserMap | None


class TiMapSettings(MapSettings):
    mode: Literal["advanced", "user"]  # type: ignore[assignment]
    user_map: TiUserMap | None


# --- small files


class Government(Strict):
    name: str
    focus_type: AnyFocusType
    shift: Annotated[int, Field(ge=0, le=5)]
    disputed: bool = False


class DistrictTrade(Strict):
    trade_tokens: Small
    on: Words
    per: str


class Strike(Strict):
    destroy: Annotated[int, Field(ge=0, le=1)]
    target: list[Literal["barbarian", "rival_army"]]
    range: Small
    barbarian_trade_token: Small
    on: Words


class ReinforceNear(Strict):
    reinforce: Small
    range: Small


class BoughtCity(Strict):
    price_trade_tokens: Small
    price_from: Literal["industry"]
    build_city: Annotated[int, Field(ge=0, le=1)]
    range: Small
    counted_from: Literal["friendly_space"]
    legal_space: Literal[True]
    terrain_limit: None


class TokensNear(Strict):
    control_tokens: Small
    range: Small
    counted_from: Literal["this district", "own city with a wonder"]
    terrain_limit: None
    friendly_city_needed: Literal[False]


class DistrictOptions(Strict):
    """A district has those of its kind (checks.py)."""

    mountains: DistrictTrade | None = None
    mature_cities: DistrictTrade | None = None
    deserts: DistrictTrade | None = None
    strike: Strike | None = None
    reinforce: ReinforceNear | None = None
    forests: DistrictTrade | None = None
    city: BoughtCity | None = None
    near_itself: TokensNear | None = None
    near_wonder: TokensNear | None = None


class District(Strict):
    name: str
    focus_type: FocusType
    pick: Literal["one", "one_or_both"]
    options: DistrictOptions
    effect: str


class Disputes(Loose):
    tile_reliability: dict[str, Any]
    general: list[dict[str, Any]]
    tile_spaces: list[dict[str, Any]]
