"""What the rules data must look like: one pydantic model for each kind of entry.

The base game is typed strictly. Entries of the expansion (``set: ti``) are checked as far as their common fields go;
the engine does not read them yet. Abilities have models of their own (`simulator/rules/loading/abilities.py`).
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
Through = list[Literal["water", "rival_space", "barbarian"]]
PlayerCount = Literal["2", "3", "4"]
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


class PlayerBoxes(Strict):
    base: PlayerPieces
    with_ti: dict[str, Any]


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


class Boxes(Strict):
    base: BoxPieces
    ti_adds: dict[str, Any]
    ti_fifth_player: dict[str, Any]
    ti_removes: dict[str, Any]
    with_ti: dict[str, Any]


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
    ti_guard_bonus: dict[str, Any]
    win_effect: WinEffect
    attacker_loses: dict[str, str]


class EraCounts(Strict):
    ancient: Small
    medieval: Small
    modern: Small


class WonderDecks(Strict):
    base: dict[PlayerCount, EraCounts]
    ti_all_player_counts: EraCounts
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
    ti: dict[str, Any]


class Players(Strict):
    base: list[Annotated[int, Field(ge=2, le=4)]]
    with_ti: list[int]


class LeaderDeal(Strict):
    leaders_per_player: Annotated[int, Field(ge=1, le=limits.MAX_DEALT)]
    choice: Literal["random", "ranking"]
    ranking: list[str]


class LeaderDeals(Strict):
    base: LeaderDeal


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
    per_player: PlayerBoxes
    shared: Boxes
    limits: Limits
    terrain_difficulty: TerrainDifficulty
    fort: dict[str, Any]
    production: Production
    caravan_arrival: CaravanArrival
    combat: Combat
    mature_city: str
    token_placing: dict[str, Any]
    city_placing: dict[str, Any]
    wonder_decks: WonderDecks
    map_setup: MapSetups
    explore: dict[str, Any]
    leader_deal: LeaderDeals
    start_bonus: StartBonuses
    barbarian_direction: dict[str, Any]
    focus_row_reset: str
    start_figures: dict[str, list[str]]


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


class Hits(Strict):
    caravan: str
    unreinforced_token: str
    city: str
    reinforced_token: str
    capital: CapitalRaid
    army: str


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


class IconEffects(Strict):
    barbarians_appear: dict[str, Any]
    barbarians_move: BarbariansMove
    trade: TradeIcon
    districts: dict[str, Any]
    government: dict[str, Any]
    wonder: dict[str, Any]


class Dials(Strict):
    tech_dial: TechDial
    event_dial_base: EventDial
    event_dial_ti: EventDial
    icon_effects: IconEffects


# --- focus_cards.yaml


class TradeTokenEffect(Strict):
    culture: dict[Literal["control_tokens", "terrain_limit"], Small | str]
    science: dict[Literal["dial_spaces"], Small]
    economy: dict[Literal["steps_per_caravan"], Small]
    industry: dict[Literal["wonder_production"], Small]
    military_base: dict[Literal["combat", "when"], Small | str]
    military_ti: dict[str, Any]
    growth: dict[Literal["reinforce_tokens", "even_if_card_placed_a_district"], Small | bool]


class FocusCard(Strict):
    name: str
    type: str
    level: Level
    set: Literal["base"]
    available: bool
    replaced_in_ti: bool
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
    ends_move: None = None
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


class TiCard(Loose):
    name: str
    type: AnyFocusType
    level: Level
    set: Literal["ti"]
    source: Box
    effect: str


# --- leaders, wonders, city-states, diplomacy


class UniqueCard(Loose):
    name: str
    type: AnyFocusType
    level: Level
    effect: str


Row = Annotated[list[FocusType], Field(min_length=5, max_length=5)]


Abilities = dict[str, dict[str, Any]]  # each is checked against the model of its effect (rules/abilities.py)


class Leader(Strict):
    civ: str
    leader: str
    set: Box
    ability_name: str
    effect: str
    start_row: Row
    start_row_ti: Annotated[list[AnyFocusType], Field(min_length=6, max_length=6)]
    unique_card: UniqueCard
    extra_card: dict[str, str] | None = None
    figures_inferred: bool = False
    disputed: bool = False
    gaps: Annotated[list[str], Field(default_factory=list)]


class TiLeader(Leader):
    ability: dict[str, Any]


class BaseLeader(Leader):
    abilities: Abilities
    available: bool
    ability_works: bool
    start_trade_tokens: dict[FocusType, Small]


class OwnLeader(Strict):
    """A leader that a house rule adds (rules/own.py)."""

    civ: str
    leader: str
    set: Literal["own"]
    ability_name: str
    effect: str
    start_row: Row
    abilities: Abilities
    available: bool
    ability_works: bool
    start_trade_tokens: dict[FocusType, Small]


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
    replaced_in_ti: bool = False
    replaces_base: bool = False


class TiWonder(Wonder):
    rule: dict[str, Any]


class BaseWonder(Wonder):
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


class TiCityState(CityState):
    diplomacy: dict[str, Any]


class BaseCityState(CityState):
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
    replaced_in_ti: bool = False
    effect: str


class TiDiplomacy(Loose):
    name: str
    source: Box
    when: str
    effect: str


# --- victory cards


class Condition(Strict):
    metric: Metric
    at_least: Positive
    type: FocusType | None = None
    event: bool = False


class AnyOf(Strict):
    any_of: Annotated[list[Condition], Field(min_length=2, max_length=2)]


class Agenda(Strict):
    name: str
    available: bool
    condition: dict[str, Any]
    effect: str


class VictoryCard(Strict):
    id: str
    set: Literal["base", "own"] = "base"
    available: bool
    removed_in_ti: bool = False
    agendas: dict[str, Agenda]


class TiVictoryCard(Loose):
    id: str
    source: Box
    agendas: dict[str, Any]


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


class VictoryRuleSets(Strict):
    base: VictoryRules
    ti: dict[str, Any]


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


class MapLayouts(Strict):
    first_game: FirstGame
    core: dict[Literal["two_tiles", "four_tiles_column", "four_tiles_block"], CoreLayout]


class UserMap(Strict):
    name: str
    description: str = ""
    players: Annotated[list[Annotated[int, Field(ge=2, le=limits.MAX_PLAYERS)]], Field(min_length=1)]
    tiles: Annotated[list[UserTile], Field(min_length=1, max_length=limits.MAX_LAYOUT_TILES)]


class MapSettings(Strict):
    mode: Literal["advanced", "first_game", "user"]
    core_layout: Literal["four_tiles_column", "four_tiles_block"]
    user_map: UserMap | None


# --- small files


class Government(Strict):
    name: str
    focus_type: AnyFocusType
    shift: Annotated[int, Field(ge=0, le=5)]
    disputed: bool = False


class District(Strict):
    name: str
    focus_type: AnyFocusType
    pick: Literal["one", "one_or_both"]
    options: list[dict[str, Any]]
    effect: str


class Disputes(Loose):
    counts: dict[str, int]
    tile_reliability: dict[str, Any]
    general: list[dict[str, Any]]
    tile_spaces: list[dict[str, Any]]
