"""JSON Schemas of models as pydantic makes them, made plain: nothing by reference, without titles and defaults, and shared."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import Annotated, Any

from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from .choices import Meta

Schema = dict[str, Any]
LONG = 160  # characters of what is worth a definition of its own


def of_type(kind: Any, meta: Meta) -> Schema:
    """Return the schema of a value of a type, with the bounds that its model gives."""
    bounds = tuple(one for one in meta if not isinstance(one, FieldInfo | str))
    return _of(Annotated[(kind, *bounds)] if bounds else kind)


@cache
def _of(kind: Any) -> Schema:
    return _plain(TypeAdapter(kind).json_schema())


@cache
def of_model(model: Any) -> Schema:
    """Return the schema of a model; it must not be changed."""
    return _plain(model.model_json_schema())


def _plain(made: Schema) -> Schema:
    """Return what pydantic made, with what it refers to in its place."""
    inside = made.get("$defs", {})

    def plain(it: Schema) -> Schema:
        if "$ref" in it:
            return plain(inside[it["$ref"].rpartition("/")[2]])
        return _mapped({key: value for key, value in it.items() if key not in ("title", "default", "$defs")}, plain)

    return plain(made)


def _mapped(it: Schema, change: Callable[[Schema], Schema], property_: Callable[[str, Schema], Schema] | None = None) -> Schema:
    """Return a schema whose parts are changed; `property_` changes those that are values of properties, by their names."""

    def value_of(key: str, value: Any) -> Any:
        if key in ("properties", "patternProperties"):
            return {name: property_(name, one) if property_ else change(one) for name, one in value.items()}
        if isinstance(value, list):
            return [change(one) if isinstance(one, dict) else one for one in value]
        return change(value) if isinstance(value, dict) else value

    return {key: value_of(key, value) for key, value in it.items()}


def or_null(it: Schema) -> Schema:
    """Return the schema of a value that may be left open."""
    return {"anyOf": [it, {"type": "null"}]}


def not_null(it: Schema) -> Schema:
    """Return what `or_null` was given."""
    return next((one for one in it.get("anyOf", ()) if one.get("type") != "null"), it)


def without(it: Schema, words: Iterable[str]) -> Schema:
    """Return a schema without some of the words that may be given."""
    found = _mapped(it, lambda one: without(one, words))
    return found | ({"enum": [word for word in it["enum"] if word not in words]} if "enum" in it else {})


def any_spelling(key: str) -> str:
    """Return a pattern of all names that have this key: its letters in any case, with any signs between its words."""
    letters = (f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in key)
    return rf"^[\W_]*{''.join('[^a-zA-Z0-9]+' if letter == '_' else letter for letter in letters)}[\W_]*$"


def share(definitions: dict[str, Schema]) -> None:
    """Let what stands in many places be said once: long values of properties become definitions."""
    found: Counter[str] = Counter()
    shared: dict[str, str] = {}

    def count(it: Schema) -> Schema:
        return _mapped(it, count, lambda _, one: (found.update([_text(one)]), count(one))[1])

    def refer(it: Schema) -> Schema:
        return _mapped(it, refer, pointed)

    def pointed(name: str, it: Schema) -> Schema:
        text = _text(it)
        if found[text] < 2 or len(text) < LONG:
            return refer(it)
        return {"$ref": f"#/definitions/{shared.setdefault(text, f'{name}_{len(shared) + 1}')}"}

    for it in definitions.values():
        count(it)
    for name in list(definitions):
        definitions[name] = refer(definitions[name])
    left = list(shared)
    while left:
        before = len(shared)
        for text in left:
            definitions[shared[text]] = refer(json.loads(text))
        left = list(shared)[before:]


def _text(it: Schema) -> str:
    return json.dumps(it, sort_keys=True)
