"""Leaders, world wonders, city-states, diplomacy and victory cards, districts and governments, disputes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from ... import limits
from .words import (
    AnyFocusType,
    Box,
    Era,
    FocusType,
    Level,
    Loose,
    Metric,
    Partners,
    Point,
    Positive,
    Ranking,
    Resource,
    Side,
    Small,
    StartBonus,
    Strict,
    TeamWins,
    Terrain,
    TiMetric,
    TiPoint,
    WonderType,
    Words,
)

Row = Annotated[list[FocusType], Field(min_length=5, max_length=5)]


Abilities = dict[str, dict[str, Any]]  # each is checked against the model of its effect (models/abilities.py)


class GivenCard(Strict):
    """A card that a leader gives to another player, who then has its abilities."""

    name: str
    effect: str
    abilities: Abilities


class Leader(Strict):
    civ: str
    leader: str
    set: Literal["base", "ti", "own"]  # own: added by a house rule (loading/own.py)
    ability_name: str
    effect: str
    start_row: Row
    abilities: Abilities
    given_card: GivenCard | None = None
    available: bool
    ability_works: bool
    start_trade_tokens: dict[FocusType, Small]
    start_bonus: StartBonus
    disputed: bool = False


class TiLeader(Leader):
    start_row: Annotated[list[AnyFocusType], Field(min_length=6, max_length=6)]  # type: ignore[assignment]
    start_trade_tokens: dict[AnyFocusType, Small]  # type: ignore[assignment]
    head_start: Annotated[int, Field(ge=0, le=18)] = 0  # trade tokens, spread evenly from the far left (T10.2)
    unique_card: dict[str, Any] | None = None  # as a focus card of its type


class Everyone(Strict):
    """What every player can do besides what its leader does."""

    abilities: Abilities


class Wonder(Strict):
    name: str
    type: WonderType
    era: Era
    cost: Positive
    resources: Annotated[list[Resource], Field(min_length=1)]
    set: Box
    timing: Words
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
    icon_frame: Words
    tile: Positive
    side: Side
    copies: Small
    disputed: bool = False
    effect: str
    abilities: Abilities


class OwnCityState(Strict):
    """Lies where the printed one did whose place it takes, or on own tiles that name it."""

    name: str
    type: FocusType
    set: Literal["own"]
    copies: Annotated[int, Field(ge=0, le=limits.MAX_PLAYERS)]
    in_place_of: str | None = None
    effect: str
    abilities: Abilities


class NaturalWonder(Strict):
    name: str
    resource: Resource
    set: Box
    tile: Positive
    side: Side
    abilities: Abilities | None = None


class OwnNaturalWonder(Strict):
    name: str
    resource: Resource
    set: Literal["own"]
    in_place_of: str | None = None
    effect: str
    abilities: Abilities


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
    level: Level | None = None
    terrain: Terrain | None = None
    event: Words = False


class TiCondition(Condition):
    metric: TiMetric


class Pair(Strict):
    """Two conditions, of which one or both have to hold."""

    any_of: Annotated[list[Condition] | None, Field(min_length=2, max_length=2)] = None
    all_of: Annotated[list[Condition] | None, Field(min_length=2, max_length=2)] = None


class TiPair(Pair):
    any_of: Annotated[list[TiCondition] | None, Field(min_length=2, max_length=2)] = None  # type: ignore[assignment]
    all_of: Annotated[list[TiCondition] | None, Field(min_length=2, max_length=2)] = None  # type: ignore[assignment]


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


Rankings = Annotated[list[Ranking], Field(max_length=limits.MAX_RANKINGS)]


class VictoryRules(Strict):
    cards_in_play: Annotated[int, Field(ge=1, le=limits.MAX_IN_PLAY)]
    cards_in_play_epic: Words
    cards_needed: Any  # "all in play" or a number: checked with cards_in_play (checks.py)
    check: Words
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


class Scores(Strict):
    """Victory points, and when they win."""

    after_round: Small
    first_to: Annotated[int, Field(ge=0, le=999)]
    printed_victory: bool
    points: dict[Point, Small]


class TiScores(Scores):
    points: dict[TiPoint, Small]  # type: ignore[assignment]


class Teams(Strict):
    partners: Partners
    victory: TeamWins


# --- small files


class Government(Strict):
    name: str
    focus_type: AnyFocusType
    shift: Annotated[int, Field(ge=0, le=5)]
    disputed: bool = False


class DistrictTrade(Strict):
    trade_tokens: Small
    on: Words
    per: Words


class Strike(Strict):
    destroy: Annotated[int, Field(ge=0, le=1)]
    target: Words
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
    counted_from: Words
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
    focus_type: Words
    pick: Words
    options: DistrictOptions
    effect: str


class Disputes(Loose):
    tile_reliability: dict[str, Any]
    general: list[dict[str, Any]]
    tile_spaces: list[dict[str, Any]]
