"""Models of the data, part two: leaders, wonders, cards and their abilities; and the messages about wrong values."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError, WithJsonSchema, create_model

from .. import names
from ..errors import nearest
from . import codes, contract, unsayable
from .board_models import (
    AnyFocusType,
    Box,
    DialSpaces,
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
from .card_parts import NOTES, CardPart, parts_of
from .codes import Key

# --- Messages about values that fit no model


class Problem(Exception):
    """A wrong value: its path in the data, and what was expected."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path, self.message = path, message


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def check(path: str, kind: Any, value: Any) -> None:
    """Raise a Problem for the first part of `value` that does not fit the type `kind`."""
    if kind is Any:
        return
    try:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            kind.model_validate(value)
        else:
            _adapter(kind).validate_python(value, strict=True)
    except ValidationError as error:
        raise _problem(path, kind, value, error.errors()[0]) from None


def _problem(path: str, kind: Any, value: Any, error: Any) -> Problem:
    place = ".".join([path, *_steps_in(value, error["loc"])])
    given = error["input"]
    context = error.get("ctx", {})
    reason = error["type"]
    if reason == "extra_forbidden":
        fields = list(getattr(_part(kind, error["loc"][:-1]), "model_fields", {}))
        listing = f": expected one of {', '.join(fields)}" if fields else ""
        return Problem(place, f"unknown key{listing}{nearest(str(error['loc'][-1]), fields)}")
    if reason == "missing":
        return Problem(place, "is missing")
    if reason == "literal_error":
        options = [word.strip(" '") for word in context["expected"].replace(" or ", ", ").split(",")]
        count = codes.COUNT.get(given) if isinstance(given, str) else None
        unknown = unsayable.answer if ".abilities" in path else nearest
        hint = f"; {contract.where_counted(count)}" if count else unknown(str(given), options)
        return Problem(place, f"expected {context['expected']}, got {given!r}{hint}")
    expected = EXPECTED.get(reason, "").format(**context) or error["msg"].removeprefix("Input should be ")
    return Problem(place, f"expected {expected}, got {short(given)}")


def _part(kind: Any, steps: tuple[Any, ...]) -> Any:
    """Return the type of the field that steps into a model lead to; None beyond a list or a choice of types."""
    for step in steps:
        field = getattr(kind, "model_fields", {}).get(step)
        kind = field.annotation if field else None
    return kind


def _steps_in(value: Any, steps: tuple[Any, ...]) -> list[str]:
    """Return the steps that lead through the data: pydantic adds names of its own for unions and dictionary keys."""
    path: list[str] = []
    for step in steps:
        if isinstance(value, Mapping) and str(step) in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step] if step < len(value) else None
        elif not (isinstance(value, Mapping) and step == steps[-1]) or step == "[key]":
            continue
        path.append(str(step))
    return path


EXPECTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt}",
    "too_short": "at least {min_length} in the list",
    "too_long": "at most {max_length} in the list",
    "none_required": "nothing (null)",
}


def short(value: Any) -> str:
    """Return a value's repr, cut if it is long."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "…"


# --- The models of abilities: one for each effect, from its declaration in `rules/codes.py`

Least = Annotated[int, Field(ge=1, le=99)]


class Ability(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)
    works: Annotated[bool, Field(description="false takes it away, for experiments")] = True


def _type(key: Key) -> Any:
    """Return the type of a key's value, with its bounds."""
    if key.kind == "number":
        return Annotated[int, Field(ge=key.least, le=key.most)]
    if key.kind in ("switch", "either"):
        return bool
    if key.kind == "text":
        return Annotated[str, Field(pattern=key.pattern or None)]
    word: Any = Literal[key.words]
    if isinstance(key.words[0], int):
        word = Annotated[int, Field(ge=min(key.words), le=max(key.words))]
    if key.kind == "some":
        return Annotated[list[word], Field(min_length=key.least)]
    if key.kind == "counts":
        return Annotated[dict[word, Least], Field(min_length=1, max_length=1)]
    return word


@cache
def _field(name: str, key: Key) -> Any:
    kind = _type(key) if key.needed or key.default is not None else _type(key) | None
    about = Field(alias="if" if name == "if" else None, description=key.text)
    return Annotated[kind, about], ... if key.needed else key.default


@cache
def model_of(word: str) -> type[Ability]:
    """Return the model of an effect's abilities."""
    effect = codes.EFFECT[word]
    fields: dict[str, Any] = {"effect": (Literal[word], ...)}  # type: ignore[valid-type]
    fields |= {"if_" if name == "if" else name: _field(name, key) for name, key in effect.keys.items()}
    return create_model(word, __base__=Ability, __doc__=effect.meaning, **fields)


# --- Focus cards, unique ones included: a model for each type in each box, from the declarations of its parts


class CultureTrade(Strict):
    control_tokens: Small
    terrain_limit: Words


class GrowthTrade(Strict):
    reinforce_tokens: Small
    even_if_card_placed_a_district: Words


class BaseMilitaryTrade(Strict):
    combat: Small
    when: Words


class TradeTokenEffect(Strict):
    culture: CultureTrade
    science: dict[Literal["dial_spaces"], DialSpaces]
    economy: dict[Literal["steps_per_caravan"], Small]
    industry: dict[Literal["wonder_production"], Small]
    military_base: BaseMilitaryTrade
    growth: GrowthTrade


class MilitaryTrade(BaseMilitaryTrade):
    or_reroll_own_die: bool


class TiTradeTokenEffect(Strict):
    culture: CultureTrade
    science: dict[Literal["dial_spaces"], DialSpaces]
    economy: dict[Literal["steps_per_caravan"], Small]
    industry: dict[Literal["wonder_production"], Small]
    military_ti: MilitaryTrade
    growth: GrowthTrade


class FocusCard(Strict):
    name: str
    type: str
    level: Level
    set: Literal["base", "ti", "own"] | None = None  # a leader's unique card has none
    in_place_of: str | None = None  # own cards: key of the printed card whose place it takes
    source: Box | None = None  # in Terra Incognita: the box the card was printed in
    available: bool
    disputed: bool = False
    figures_inferred: bool = False
    confidence: Literal["low", "medium", "high"] = "high"
    gaps: Annotated[list[str], Field(default_factory=list)]
    effect: str
    abilities: dict[str, dict[str, Any]] | None = None  # hold while the card lies in the row


# --- the parts of the cards, from their declarations (`rules/card_parts.py`)


def _part_type(part: CardPart, box: str) -> Any:
    """Return the type of a card's value of a part."""
    if part.switch:
        return bool
    number = Annotated[int, Field(ge=part.least, le=part.most)]
    if part.by_slot:
        return dict[Literal["1", "2", "3", "4", "5"], number]  # type: ignore[valid-type]
    words = tuple(word for word in part.words if box == "ti" or word not in part.ti_words) or ("",)
    word: Any = Literal[words]
    several: Any = Annotated[list[word], Field(min_length=part.least)]
    if part.or_one:
        item = {"type": "string", "enum": list(words)}
        either = WithJsonSchema({"anyOf": [item, {"type": "array", "items": item, "minItems": part.least}]})
        several = Annotated[several, BeforeValidator(lambda value: [value] if isinstance(value, str) else value), either]
    return several if part.some else word if part.words else number


def _part_field(part: CardPart, box: str) -> Any:
    about: Any = Annotated[_part_type(part, box), Field(description=part.meaning or None)]
    if part.needed:
        return about, ...
    return (about | None, None) if part.words else (about, False if part.switch else 0)


def _fields(paths: Mapping[str, Any], always: Set[str]) -> dict[str, Any]:
    """Return the fields of a model with values at these paths, inner models included; `always`: groups that must be given."""
    fields: dict[str, Any] = {}
    for path, value in paths.items():
        step, _, rest = path.partition(".")
        if rest:
            fields.setdefault(step, {})[rest] = value
        else:
            fields[step] = value
    for step, value in fields.items():
        if isinstance(value, dict):
            group: Any = create_model(step, __base__=Strict, **_fields(value, set()))
            fields[step] = (group, ...) if step in always else (group | None, None)
    return fields


def _model(kind: str, box: str) -> type[FocusCard]:
    parts = [part for part in parts_of(kind, box) if part.path]
    paths = {part.path: _part_field(part, box) for part in parts}
    groups = {"", *(path.rpartition(".")[0] for path in paths)}
    paths = {note: (Words, None) for note in NOTES[kind].split() if note.rpartition(".")[0] in groups} | paths
    always = {part.path.partition(".")[0] for part in parts if part.always}
    return create_model(kind, __base__=FocusCard, **_fields(paths, always))


FOCUS_CARDS = {kind: _model(kind, "base") for kind in names.FOCUS_TYPES[: names.GROWTH]}
TI_FOCUS_CARDS = {kind: _model(kind, "ti") for kind in names.FOCUS_TYPES}


# --- Leaders, world wonders, city-states, diplomacy and victory cards, districts and governments, disputes

Row = Annotated[list[FocusType], Field(min_length=5, max_length=5)]


Abilities = dict[str, dict[str, Any]]  # each is checked against the model of its effect (`model_of`)


class GivenCard(Strict):
    """A card that a leader gives to another player, who then has its abilities."""

    name: str
    effect: str
    abilities: Abilities


class Leader(Strict):
    civ: str
    leader: str
    set: Literal["base", "ti", "own"]  # own: added by a house rule (checks.py)
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
    """Abilities that every player has."""

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
    available: bool
    disputed: bool = False
    effect: str
    abilities: Abilities


class OwnCityState(Strict):
    """A city-state on the space of the printed one whose place it takes, or on own tiles that name it."""

    name: str
    type: FocusType
    set: Literal["own"]
    copies: Annotated[int, Field(ge=0, le=names.MAX_PLAYERS)]
    in_place_of: str | None = None
    available: bool
    effect: str
    abilities: Abilities


class NaturalWonder(Strict):
    name: str
    resource: Resource
    available: bool
    set: Box
    tile: Positive
    side: Side
    abilities: Abilities | None = None


class OwnNaturalWonder(Strict):
    name: str
    resource: Resource
    set: Literal["own"]
    in_place_of: str | None = None
    available: bool
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


Claims = Annotated[int, Field(ge=0, le=names.MAX_PLAYERS)]


class Agenda(Strict):
    name: str
    available: bool
    claims_at_most: Claims
    condition: dict[str, Any]
    effect: str


class TiAgenda(Agenda):
    must_stay_true: Literal[True] | None = None


class VictoryCard(Strict):
    id: str
    set: Literal["base", "own"] = "base"
    available: bool
    always_in_play: bool
    agendas: dict[str, Agenda]


class TiVictoryCard(Strict):
    id: str
    set: Literal["base", "ti", "own"]
    fort: Literal[True] | None = None
    available: bool
    always_in_play: bool
    agendas: dict[str, TiAgenda]


Rankings = Annotated[list[Ranking], Field(max_length=names.MAX_RANKINGS)]


class VictoryRules(Strict):
    cards_in_play: Annotated[int, Field(ge=1, le=names.MAX_IN_PLAY)]
    cards_in_play_epic: Words
    cards_needed: Any  # "all in play" or a number: checked with cards_in_play (checks.py)
    claims_per_agenda: Claims
    check: Words
    tie_break: Rankings
    round_limit: Small
    at_round_limit: Rankings


class TiVictoryRules(Strict):
    fort_cards_in_play: Annotated[int, Field(ge=0, le=2)]
    random_cards_in_play: Annotated[int, Field(ge=0, le=names.MAX_IN_PLAY)]
    cards_needed: Any
    claims_per_agenda: Claims
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
    """The options of all districts; a district has those of its kind."""

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
