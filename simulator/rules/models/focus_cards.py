"""Focus cards: a model for each type in each box, from the declarations of its parts; unique cards have the same."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, create_model

from ... import names
from ..card_parts import NOTES, Part, parts_of
from .words import Box, DialSpaces, Level, Small, Strict, Words


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
    in_place_of: str | None = None  # own cards: key of the printed one that is not in the game
    source: Box | None = None  # in Terra Incognita: the box the card was printed in
    available: bool
    disputed: bool = False
    figures_inferred: bool = False
    confidence: Literal["low", "medium", "high"] = "high"
    gaps: Annotated[list[str], Field(default_factory=list)]
    effect: str
    abilities: dict[str, dict[str, Any]] | None = None  # hold while the card lies in the row


# --- the parts of the cards, from their declarations (`rules/card_parts.py`)


def _type(part: Part, box: str) -> Any:
    """Return the type of what a card says of a part."""
    if part.switch:
        return bool
    number = Annotated[int, Field(ge=part.least, le=part.most)]
    if part.by_slot:
        return dict[Literal["1", "2", "3", "4", "5"], number]  # type: ignore[valid-type]
    words = tuple(word for word in part.words if box == "ti" or word not in part.ti_words) or ("",)
    word: Any = Literal[words]
    several: Any = Annotated[list[word], Field(min_length=part.least)]
    if part.or_one:
        one = {"type": "string", "enum": list(words)}
        either = WithJsonSchema({"anyOf": [one, {"type": "array", "items": one, "minItems": part.least}]})
        several = Annotated[several, BeforeValidator(lambda value: [value] if isinstance(value, str) else value), either]
    return several if part.some else word if part.words else number


def _field(part: Part, box: str) -> Any:
    about: Any = Annotated[_type(part, box), Field(description=part.meaning or None)]
    if part.needed:
        return about, ...
    return (about | None, None) if part.words else (about, False if part.switch else 0)


def _fields(paths: Mapping[str, Any], always: Set[str]) -> dict[str, Any]:
    """Return the fields of a model by the first steps of the paths of its values; `always`: groups that must be there."""
    found: dict[str, Any] = {}
    for path, value in paths.items():
        step, _, rest = path.partition(".")
        if rest:
            found.setdefault(step, {})[rest] = value
        else:
            found[step] = value
    for step, value in found.items():
        if isinstance(value, dict):
            group: Any = create_model(step, __base__=Strict, **_fields(value, set()))
            found[step] = (group, ...) if step in always else (group | None, None)
    return found


def _model(kind: str, box: str) -> type[FocusCard]:
    parts = [part for part in parts_of(kind, box) if part.path]
    paths = {part.path: _field(part, box) for part in parts}
    groups = {"", *(path.rpartition(".")[0] for path in paths)}
    paths = {note: (Words, None) for note in NOTES[kind].split() if note.rpartition(".")[0] in groups} | paths
    always = {part.path.partition(".")[0] for part in parts if part.always}
    return create_model(kind, __base__=FocusCard, **_fields(paths, always))


FOCUS_CARDS = {kind: _model(kind, "base") for kind in names.FOCUS_TYPES[: names.GROWTH]}
TI_FOCUS_CARDS = {kind: _model(kind, "ti") for kind in names.FOCUS_TYPES}
