"""Models of the data, part one: words and choices, dials, boards, maps, tiles and pieces."""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field

from .. import names
from ..errors import listed

# --- Types that several models share

Small = Annotated[int, Field(ge=0, le=99)]
Positive = Annotated[int, Field(ge=1, le=99)]
DialSpaces = Annotated[int, Field(ge=0, le=20)]  # that one thing adds to a move of the dial
Change = Annotated[int, Field(ge=-20, le=20)]
Slot = Annotated[int, Field(ge=1, le=5)]
Level = Annotated[int, Field(ge=1, le=names.N_LEVELS)]
Axial = Annotated[int, Field(ge=-50, le=50)]
Rotation = Annotated[int, Field(ge=0, le=5)]
Side = Literal["A", "B"]
Box = Literal["base", "ti"]
Terrain = Literal["grassland", "hills", "forest", "desert", "mountain", "water", "natural_wonder"]
Resource = Literal["marble", "mercury", "oil", "diamond"]
FocusType = Literal["culture", "science", "economy", "industry", "military"]
AnyFocusType = Literal["culture", "science", "economy", "industry", "military", "growth"]
WonderType = Literal["culture", "science", "economy", "military"]
Era = Literal["ancient", "medieval", "modern"]
Letter = Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"]
Icon = Literal["barbarians_appear", "barbarians_move", "trade", "districts", "government", "wonder", "none"]
if TYPE_CHECKING:
    Metric: TypeAlias = str
    TiMetric: TypeAlias = str
    Ranking: TypeAlias = str
    Point: TypeAlias = str
    TiPoint: TypeAlias = str
    Partners: TypeAlias = str
    TeamWins: TypeAlias = str
else:
    TiMetric = Literal[names.METRICS[1:]]
    Ranking = Literal[names.RANKINGS[1:]]
    TiPoint = Literal[tuple(names.POINTS)]
    Point = Literal[tuple(word for word in names.POINTS if word not in names.TI_POINTS)]
    Partners = Literal[names.PARTNERS]
    TeamWins = Literal[names.TEAM_WINS]
    Metric = Literal[tuple(word for word in names.METRICS[1:] if not names.METRIC[word].ti)]
Through = list[Literal["water", "rival_space", "barbarian"]]
PlayerCount = Literal["2", "3", "4"]
TiPlayerCount = Literal["2", "3", "4", "5"]
DESCRIBES = "describes what the engine does; no house rule can change it"
Words = Annotated[Any, DESCRIBES]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class Loose(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, defer_build=True)


Bonus = Annotated[int, Field(ge=0, le=names.MAX_START_BONUS)]


class StartBonus(Strict):
    """What a player gets before the first turn."""

    cities: Bonus
    control_tokens: Bonus
    wonders: Bonus
    technology_levels: Bonus
    trade_tokens: Bonus
    resources: Bonus


# --- The legal values of a model's fields, in words, read off the model that checks them

Meta = tuple[Any, ...]  # of a value, beside its type: bounds, a description


def inside(kind: Any, step: str, meta: Meta) -> tuple[Any, Meta]:
    """Return type and meta of the field or entry `step` in a value of the type."""
    for part, part_meta in alternatives(kind, meta):
        if isinstance(part, type) and issubclass(part, BaseModel):
            for name, field in part.model_fields.items():
                if step == (field.alias or name):
                    return field.annotation, (field, *field.metadata)
        elif get_origin(part) is dict:
            return get_args(part)[1], part_meta
    return Any, ()


def alternatives(kind: Any, meta: Meta) -> Iterator[tuple[Any, Meta]]:
    """Yield the types of a union but None, each with its meta."""
    if get_origin(kind) is Annotated:
        yield from alternatives(kind.__origin__, (*meta, *kind.__metadata__))
    elif get_origin(kind) in (Union, UnionType):
        for part in get_args(kind):
            if part is not NoneType:
                yield from alternatives(part, meta)
    else:
        yield kind, meta


def allowed(kind: Any, meta: Meta) -> str:
    """Return the legal values of the type in words, '' if there is no choice."""
    return " or ".join(filter(None, (_allowed(part, part_meta) for part, part_meta in alternatives(kind, meta))))


def _allowed(kind: Any, meta: Meta) -> str:
    if kind is bool:
        return "true or false"
    if kind is int:
        low, high = bounds(meta)
        return f"{low} to {high}" if high is not None else f"at least {low}"
    if get_origin(kind) is Literal:
        return listed(get_args(kind), "or") if len(get_args(kind)) > 1 else ""
    if get_origin(kind) is list:
        return _allowed_list(get_args(kind)[0], meta)
    return ""


def _allowed_list(kind: Any, meta: Meta) -> str:
    part, part_meta = next(alternatives(kind, ()))
    if isinstance(part, type) and issubclass(part, BaseModel):
        of = "{" + ", ".join(field.alias or name for name, field in part.model_fields.items()) + "}"
    else:
        of = allowed(part, part_meta) or (listed(get_args(part), "or") if get_origin(part) is Literal else "names")
    least, most = (_bound(meta, name) for name in ("min_length", "max_length"))
    number = f"{least} " if least is not None and least == most else f"at most {most} " if most else ""
    return f"list of {number}{of}" if of == "names" or not number else f"list of {number}out of {of}"


def bounds(meta: Meta) -> tuple[int, int | None]:
    low, high, below = (_bound(meta, name) for name in ("ge", "le", "lt"))
    return low or 0, below - 1 if high is None and below is not None else high


def _bound(meta: Meta, name: str) -> int | None:
    """Return a bound by its name in pydantic, None if the model has none."""
    for part in meta:
        for each in (part, *getattr(part, "metadata", ())):
            if getattr(each, name, None) is not None:
                return int(getattr(each, name))
    return None


def described(kind: Any, meta: Meta) -> str:
    """Return the description of a value in its model, outside or inside of `… | None`."""
    metas = (item for _, part_meta in alternatives(kind, meta) for item in part_meta)
    return next((str(item.description) for item in metas if getattr(item, "description", None)), "")


# --- Tiles, printed layouts, and maps of users


class Feature(Strict):
    space: Annotated[int, Field(ge=0, lt=names.TILE_SPACES)]
    resource: Resource | None = None
    natural_wonder: str | None = None
    city_state: str | None = None
    barbarian: Letter | None = None
    capital: Literal[True] | None = None


class Face(Strict):
    terrain: Annotated[list[Terrain], Field(min_length=names.TILE_SPACES, max_length=names.TILE_SPACES)]
    features: list[Feature]
    disputed_spaces: Annotated[list[dict[str, Any]], Field(default_factory=list)]


class Tile(Strict):
    number: Annotated[int, Field(ge=1, le=names.MAX_TILES)]
    set: Literal["base", "ti", "own"]
    kind: Literal["plain", "natural_wonder", "city_state", "capital"]
    available: bool = True
    sides: dict[Side, Face]


Offset = Annotated[list[int], Field(min_length=2, max_length=2)]
Offsets = Annotated[list[Offset], Field(min_length=names.TILE_SPACES, max_length=names.TILE_SPACES)]


class Geometry(Strict):
    hex: Literal["pointy_top"]
    spaces: Literal[10]
    axial: Words
    pixel: Words
    side_a: Offsets
    side_b: Offsets
    mirror: Words
    neighbours: dict[str, list[int]]
    printed_number_corner: Words
    capital_space: Literal[0]
    drawing_side_a: Words
    drawing_side_b: Words


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
    players: Annotated[list[Annotated[int, Field(ge=2, le=names.MAX_PLAYERS)]], Field(min_length=1)]
    tiles: Annotated[list[UserTile], Field(min_length=1, max_length=names.MAX_LAYOUT_TILES)]


class UserFort(Strict):
    q: Axial
    r: Axial


class TiUserMap(UserMap):
    forts: Annotated[list[UserFort], Field(max_length=names.MAX_PLAYERS, default_factory=list)]
    stack: list[Positive] | None = None


class MapSettings(Strict):
    mode: Literal["advanced", "first_game", "user"]
    core_layout: Literal["four_tiles_column", "four_tiles_block"]
    user_map: UserMap | None


class TiMapSettings(MapSettings):
    mode: Literal["advanced", "user"]  # type: ignore[assignment]
    user_map: TiUserMap | None


# --- components.yaml


class PlayerPieces(Strict):
    control_tokens: Positive
    cities: Annotated[int, Field(ge=1, le=names.MAX_CITY_PIECES)]
    capital: Literal[1]
    caravans: Annotated[int, Field(ge=0, le=names.MAX_CARAVANS)]
    focus_cards: Literal[20]
    diplomacy_cards: Literal[4]
    tech_dial: Literal[1]
    focus_bar_slots: Annotated[list[Slot], Field(min_length=5, max_length=5)]


class TiPlayerPieces(PlayerPieces):
    armies: Annotated[int, Field(ge=0, le=names.MAX_ARMIES)]
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
    trade_tokens_in_box: Words
    wonder_cards: int
    wonder_tokens: int
    city_state_tokens_two_sided: Words
    city_states: int
    city_state_diplomacy_cards: Words
    natural_wonder_tokens_two_sided: Words
    natural_wonders: int
    victory_cards: int
    dice: Words
    barbarian_direction_token: Words
    event_dial: Words


class TiBoxPieces(BoxPieces):
    unique_focus_cards: int
    fort_cards: int
    forts: Words


class Boxes(Strict):
    base: BoxPieces


class TiBoxes(Strict):
    ti: TiBoxPieces


class Limits(Strict):
    trade_tokens_supply: Words
    all_other_pieces: Words
    trade_tokens_per_focus_card: Small
    city_state_token_counts_for_that_limit: Words
    city_state_token_on_card: Words
    wonders_per_city: Literal[1]
    caravans_into_one_place_per_turn: Positive
    natural_wonder_uses_per_turn: Literal[1]
    no_city_piece_left: Words
    no_control_token_left: Words


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
    trade_token: Words
    resource_must_match_wonder: Words


class Arrival(Strict):
    trade_tokens: Small
    on: Words


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
    barbarian_bonus: Change


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
    on: Words


class CapitalBeaten(Strict):
    trade_tokens_taken: Small
    captured: Literal[False]


class WinEffect(Strict):
    barbarian: BarbarianBeaten
    control_token: Words
    district: Words
    city: Words
    capital: CapitalBeaten
    city_state: Words
    army_or_caravan: Words


class Combat(Strict):
    die_sides: Annotated[int, Field(ge=1, le=names.MAX_DIE_SIDES)]
    dice: Annotated[int, Field(ge=1, le=names.MAX_DICE)]
    tie: Literal["defender", "attacker"]
    may_be_attacked: MayBeAttacked
    defence: Defence
    win_effect: WinEffect
    attacker_loses: Words


class GuardBonus(Strict):
    combat: Change
    condition: Words
    target: Words


class TiCombat(Combat):
    may_be_attacked: TiMayBeAttacked
    guard_bonus: GuardBonus


class EraCounts(Strict):
    ancient: Small
    medieval: Small
    modern: Small


class WonderDecks(Strict):
    base: dict[PlayerCount, EraCounts]
    note: Words


class TiWonderDecks(Strict):
    ti: dict[TiPlayerCount, EraCounts]
    note: Words


class CoreMix(Strict):
    natural_wonder: Small
    city_state: Small


class MapSetup(Strict):
    core_tiles: Literal[2, 4]
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
    core_mix: Words
    core_side_a_up_to: Small
    capital_tiles_per_player: Literal[1]
    forts_per_player: Literal[1]
    first_player_before_map: Literal[True]
    touch_spaces_min: Annotated[int, Field(ge=1, le=8)]
    touched: Words
    other_capital_tiles_count: Literal[False]
    populate_after: Literal["capitals"]
    holes: Literal["water tokens"]
    rest: Words


class TiMapSetups(Strict):
    ti: TiMapSetup


class Players(Strict):
    base: list[Annotated[int, Field(ge=2, le=4)]]


class TiPlayers(Strict):
    ti: list[Annotated[int, Field(ge=2, le=names.MAX_PLAYERS)]]


class Fort(Strict):
    set: Literal["ti"]
    terrain: Literal["forest"]
    no_city_next_to_it: Literal[True]
    no_control_tokens_on_it: Literal[True]
    touches_core_spaces_min: Annotated[int, Field(ge=1, le=6)]
    not_next_to: Words
    enter_slot_min: Slot
    caravan_may_stop: Literal[True]
    won_by: Words
    after_capture: Words


class Explore(Strict):
    set: Literal["ti"]
    who: Words
    where: Words
    any_players_capital_tile: Literal[True]
    price_steps: Small
    tile_touches_spaces_min: Annotated[int, Field(ge=1, le=8)]
    must_touch: Words
    sides: Literal["either"]
    no_fit: Words
    per_figure_per_turn: Literal[1]
    failed_try_counts: Literal[True]


class LeaderDeal(Strict):
    leaders_per_player: Annotated[int, Field(ge=1, le=names.MAX_DEALT)]
    bans_per_player: Annotated[int, Field(ge=0, le=names.MAX_BANS)]
    choose_from: Literal["dealt", "all_left"]
    pick_order: Literal["turn_order", "reverse_turn_order"]
    choice: Literal["random", "ranking"]
    ranking: list[str]


class LeaderDeals(Strict):
    base: LeaderDeal


class TiLeaderDeals(Strict):
    ti: LeaderDeal


class StartBonuses(Strict):
    everyone: StartBonus
    last_in_turn_order: StartBonus
    first_in_turn_order: StartBonus
    second_in_turn_order: StartBonus
    third_in_turn_order: StartBonus
    fourth_in_turn_order: StartBonus
    fifth_in_turn_order: StartBonus


class Components(Strict):
    players: Players
    per_player: PlayerBox
    shared: Boxes
    limits: Limits
    terrain_difficulty: TerrainDifficulty
    production: Production
    caravan_arrival: CaravanArrival
    combat: Combat
    mature_city: Words
    mature_city_gaps: Annotated[int, Field(ge=0, le=6)]
    token_placing: Words
    city_placing: Words
    wonder_decks: WonderDecks
    face_up_wonders: Annotated[int, Field(ge=1, le=names.DECK_SIZE)]
    drafted_wonders: Annotated[int, Field(ge=0, le=names.DECK_SIZE)]
    first_player: Literal["stays", "next_clockwise", "furthest_behind"]
    map_setup: MapSetups
    leader_deal: LeaderDeals
    start_bonus: StartBonuses
    barbarian_direction: Words
    focus_row_reset_to: Annotated[int, Field(ge=1, le=5)]
    focus_row_reset: Words
    start_figures: Words


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
    last_space: Annotated[int, Field(ge=1, lt=names.MAX_DIAL)]
    level_spaces: dict[str, Level]
    after_last: Small
    gain_rule: Words


class Section(Strict):
    section: Positive
    icons: Annotated[list[Icon], Field(min_length=1)]


class EventDial(Strict):
    start_section: Positive
    start_is_resolved: Words
    turns: Words
    sections: Annotated[list[Section], Field(min_length=1, max_length=names.MAX_SECTIONS)]
    order_note: Words = ""


class CapitalRaid(Strict):
    trade_tokens_lost: Small


class ArmiesHit(Strict):
    fate: Words
    barbarian: Words
    protects: Words


class Hits(Strict):
    caravan: Words
    unreinforced_token: Words
    city: Words
    reinforced_token: Words
    capital: CapitalRaid
    army: ArmiesHit


class BarbariansAppear(Strict):
    at_most: Annotated[int, Field(ge=0, le=names.MAX_BARBARIANS)]
    who: Words
    to: Words
    only_if: Words
    destroys: Words
    otherwise: Words


class BarbariansMove(Strict):
    die: Words
    steps: Annotated[int, Field(ge=0, le=4)]
    water: Words
    map_edge: Words
    hits: Hits
    two_on_one_space: Words


class TradeIcon(Strict):
    trade_tokens: Small
    per: Words
    on: Words


class WonderIcon(Strict):
    trade_token_on: Words
    cost_change_while_there: Change
    second_token: Words
    not_at_setup: Literal[True]


class IconEffects(Strict):
    barbarians_appear: BarbariansAppear
    barbarians_move: BarbariansMove
    trade: TradeIcon
    districts: Words
    government: Words
    wonder: WonderIcon


class Dials(Strict):
    tech_dial: TechDial
    event_dial_base: EventDial
    icon_effects: IconEffects


class TiDials(Strict):
    tech_dial: TechDial
    event_dial_ti: EventDial
    icon_effects: IconEffects
