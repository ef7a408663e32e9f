"""A value that fits no model, as one line that says where it is and what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from ...errors import nearest
from .. import ability_codes as codes


class Problem(Exception):
    """A value that does not fit: where it is, and what is wrong with it."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path, self.message = path, message


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def check(path: str, kind: Any, value: Any) -> None:
    """Raise a Problem for the first thing in `value` that does not fit the type `kind`."""
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
    place = ".".join([path, *_known_steps(value, error["loc"])])
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
        hint = _asked_elsewhere(given) or nearest(str(given), options)
        return Problem(place, f"expected {context['expected']}, got {given!r}{hint}")
    expected = EXPECTED.get(reason, "").format(**context) or error["msg"].removeprefix("Input should be ")
    return Problem(place, f"expected {expected}, got {short(given)}")


def _asked_elsewhere(word: Any) -> str:
    """Say which abilities may ask for a count that this one may not; '' for any other word."""
    count = codes.COUNT.get(word) if isinstance(word, str) else None
    known = count is not None and count.known == codes.ON_THE_SPOT
    return "; only deeds, combat and wonder_cost may ask for it" if known else ""


def _part(kind: Any, steps: tuple[Any, ...]) -> Any:
    """Return the type of what lies at some steps into a model; None where they lead through a list or a choice of types."""
    for step in steps:
        field = getattr(kind, "model_fields", {}).get(step)
        kind = field.annotation if field else None
    return kind


def _known_steps(value: Any, steps: tuple[Any, ...]) -> list[str]:
    """Keep the steps that lead through the data: pydantic adds names of its own for unions and dictionary keys."""
    kept: list[str] = []
    for step in steps:
        if isinstance(value, Mapping) and str(step) in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step] if step < len(value) else None
        elif not (isinstance(value, Mapping) and step == steps[-1]) or step == "[key]":
            continue
        kept.append(str(step))
    return kept


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
    """Return a value as it is written, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "…"
