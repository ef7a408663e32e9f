"""What of the data house rules can change: every value that the engine reads and of which the models leave a choice.

Limits that depend on other values (no more victory cards in play than there are) are checked when house rules are laid over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field

from ... import limits
from ...wording import listed
from .. import ability_codes as codes
from ..contents import box_of, section
from ..models.abilities import model_of
from ..models.choices import Meta, allowed, inside
from ..models.content import Condition, Pair, TiCondition, TiPair
from ..node import leaves
from .abilities import ability_holders
from .checks import parts
from .compile import ALL_IN_PLAY, compile_rules
from .packaged import packaged, ruling_options

FROZEN = ("tiles.geometry.",)  # read by the engine, and held to each other by the checks
CardsNeeded = Literal["all in play"] | Annotated[int, Field(ge=1, le=limits.MAX_IN_PLAY)]
PAIRS = (".condition.any_of", ".condition.all_of")


@dataclass(frozen=True)
class Changeable:
    """A value that house rules can change."""

    path: str
    value: Any
    kind: Any  # its type
    meta: Meta  # what the model says of it beside the type
    allowed: str  # what it may be, in words
    about: str = ""  # what is said of the ability that it belongs to


def changeable(data: Mapping[str, Any]) -> list[Changeable]:
    """Return every value that can be changed, in the order of the data."""
    box = box_of(data)
    read = compile_rules(data, ruling_options(box), packaged(box))[1]
    models = sorted(_models(data), key=lambda part: -len(part[0]))  # the innermost first
    found = []
    for path, value in [*((path, value) for path, value in leaves(data) if path in read), *_defaults(data)]:
        if not path.startswith(FROZEN):
            kind, meta, words, about = _type(data, path, models)
            if words:
                found.append(Changeable(path, value, kind, meta, words, about))
    return found


@cache
def open_paths(box: str) -> frozenset[str]:
    """Return the paths of what can be changed in the printed game of a box, and of all that such values are in."""
    steps = [one.path.split(".") for one in changeable(packaged(box))]
    return frozenset(".".join(path[:length]) for path in steps for length in range(1, len(path) + 1))


def _defaults(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield switches that the data need not write out: abilities work, and tiles are in the game."""
    for path, entry in ability_holders(data):
        yield from ((f"{path}.abilities.{key}.works", True) for key, one in entry["abilities"].items() if "works" not in one)
    for number, tile in data["tiles"]["tiles"].items():
        if "available" not in tile:
            yield f"tiles.tiles.{number}.available", True


def _models(data: Mapping[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """Yield path and model of each part of the data, and what is said of it as a whole."""
    for path, kind, _ in parts(data):
        yield path, kind, ""
    for path, entry in ability_holders(data):
        for key, ability in entry["abilities"].items():
            effect = ability["effect"]
            yield f"{path}.abilities.{key}", model_of(effect), codes.EFFECT[effect].meaning.removesuffix(".")
    box = section(data)
    for key, card in data["victory_cards"][box].items():
        for agenda in card["agendas"]:
            yield f"victory_cards.{box}.{key}.agendas.{agenda}.condition", TiCondition if box == "ti" else Condition, ""


def _type(data: Mapping[str, Any], path: str, models: list[tuple[str, Any, str]]) -> tuple[Any, Meta, str, str]:
    """Return type and meta of the value at a path, what it may be in words ('' if there is no choice), and what it is about."""
    stem, _, rest = path.partition(".")
    if stem == "rulings":
        options = tuple(ruling_options(box_of(data))[rest]["options"])
        return Literal[options], (), listed(options, "or"), ""
    if path.endswith(".cards_needed"):
        return CardsNeeded, (), f"'{ALL_IN_PLAY}' or 1 to the cards in play", ""
    if path.endswith(PAIRS):
        pair = TiPair if section(data) == "ti" else Pair
        return pair.model_fields[path.rpartition(".")[2]].annotation, (), "two conditions, given together", ""
    place, kind, about = next(part for part in models if path.startswith(f"{part[0]}."))
    meta: Meta = ()
    for step in path.removeprefix(f"{place}.").split("."):
        kind, meta = inside(kind, step, meta)
    return kind, meta, allowed(kind, meta), about
