"""The models of abilities: one for each effect, from what `rules/ability_codes.py` declares of it."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from .. import ability_codes as codes
from ..declare import Key

Least = Annotated[int, Field(ge=1, le=99)]


class Ability(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)
    works: Annotated[bool, Field(description="false takes it away, for experiments")] = True


def _type(key: Key) -> Any:
    """Return the type of what may be given under a key, with its bounds."""
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
