"""What a value of a model may be, in words, read off the model that checks it: no list promises what would be refused."""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from ...wording import listed

Meta = tuple[Any, ...]  # what a model says of a value beside its type: bounds, a description


def inside(kind: Any, step: str, meta: Meta) -> tuple[Any, Meta]:
    """Return the type of what `step` names in a value of the type, with what is said of it."""
    for one, said in alternatives(kind, meta):
        if isinstance(one, type) and issubclass(one, BaseModel):
            for name, field in one.model_fields.items():
                if step == (field.alias or name):
                    return field.annotation, (field, *field.metadata)
        elif get_origin(one) is dict:
            return get_args(one)[1], said
    return Any, ()


def alternatives(kind: Any, meta: Meta) -> Iterator[tuple[Any, Meta]]:
    """Yield the types that a value may be of, without nothing (None), each with what is said of it."""
    if get_origin(kind) is Annotated:
        yield from alternatives(kind.__origin__, (*meta, *kind.__metadata__))
    elif get_origin(kind) in (Union, UnionType):
        for part in get_args(kind):
            if part is not NoneType:
                yield from alternatives(part, meta)
    else:
        yield kind, meta


def allowed(kind: Any, meta: Meta) -> str:
    """Return what a value of the type may be, '' if there is no choice."""
    return " or ".join(filter(None, (_one(part, said) for part, said in alternatives(kind, meta))))


def _one(kind: Any, meta: Meta) -> str:
    if kind is bool:
        return "true or false"
    if kind is int:
        low, high = _bounds(meta)
        return f"{low} to {high}" if high is not None else f"at least {low}"
    if get_origin(kind) is Literal:
        return listed(get_args(kind), "or") if len(get_args(kind)) > 1 else ""
    if get_origin(kind) is list:
        return _list(get_args(kind)[0], meta)
    return ""


def _list(kind: Any, meta: Meta) -> str:
    part, said = next(alternatives(kind, ()))
    if isinstance(part, type) and issubclass(part, BaseModel):
        of = "{" + ", ".join(field.alias or name for name, field in part.model_fields.items()) + "}"
    else:
        of = allowed(part, said) or (listed(get_args(part), "or") if get_origin(part) is Literal else "names")
    least, most = (_limit(meta, name) for name in ("min_length", "max_length"))
    number = f"{least} " if least is not None and least == most else f"at most {most} " if most else ""
    return f"list of {number}{of}" if of == "names" or not number else f"list of {number}out of {of}"


def _bounds(meta: Meta) -> tuple[int, int | None]:
    low, high, below = (_limit(meta, name) for name in ("ge", "le", "lt"))
    return low or 0, below - 1 if high is None and below is not None else high


def _limit(meta: Meta, name: str) -> int | None:
    """Return a bound that a model gives, None if it gives none."""
    for part in meta:
        for each in (part, *getattr(part, "metadata", ())):
            if getattr(each, name, None) is not None:
                return int(getattr(each, name))
    return None


def described(kind: Any, meta: Meta) -> str:
    """Return what a model says of a value, outside or inside of `… | None`."""
    said = (part for _, parts_of in alternatives(kind, meta) for part in parts_of)
    return next((str(part.description) for part in said if getattr(part, "description", None)), "")
