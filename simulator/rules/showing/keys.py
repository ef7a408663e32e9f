"""Every key of the rules that house rules can change, with its value, what it may be, and a sentence: `newdawn rules list`.

The keys are the values that the engine reads; what each may be is read off the models that check it, so the list cannot promise
what would be refused. Limits that hang on other values (no more victory cards in play than there are) are checked when house
rules are laid over, and not in the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import yaml
from pydantic import BaseModel

from ... import names
from ...errors import UserError, nearest
from ...wording import counted
from .. import ability_codes as codes
from ..contents import section
from ..loading.abilities import ability_holders
from ..loading.checks import parts
from ..loading.compile import ALL_IN_PLAY
from ..loading.load import Ruleset, compiled, load_ruleset
from ..loading.overlay import leaves
from ..loading.packaged import read_yaml, ruling_options
from ..models.abilities import model_of
from ..models.content import Condition, TiCondition

Meta = tuple[Any, ...]  # what a model says of a value beside its type: bounds, a description
UNIQUE_CARD = re.compile(r"leaders\.\w+\.unique_card\.")
LONGEST = 60  # characters of a value shown; JSON has the whole
FROZEN = ("tiles.geometry.",)  # read by the engine, and held to each other by the checks


@dataclass(frozen=True)
class Key:
    """A key that house rules can change."""

    path: str
    value: Any
    allowed: str  # what it may be, in words
    text: str

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {"key": self.path, "value": self.value, "allowed": self.allowed, "text": self.text}


def keys(ruleset: Ruleset) -> list[Key]:
    """Return every key that can be changed, in the order of the data."""
    data = ruleset.data
    read = compiled(data)[1]
    rulings = ruling_options(ruleset.box)
    models = sorted(_models(data), key=lambda part: -len(part[0]))  # the innermost first
    found = []
    for path, value in [*((path, value) for path, value in leaves(data) if path in read), *_defaults(data)]:
        stem, _, rest = path.partition(".")
        if stem == "rulings":
            found.append(Key(path, value, _listed(rulings[rest]["options"]), str(rulings[rest]["text"])))
        elif not path.startswith(FROZEN):
            allowed, text = _meaning(data, path, models)
            if allowed:
                found.append(Key(path, value, allowed, text))
    return found


def matching(ruleset: Ruleset, words: str) -> list[Key]:
    """Return the keys that have every word, or its beginning, in path or sentence (whose path fits the pattern, if it has a *).

    No words: all of them. Raises UserError, with the nearest word or the box that has such keys, if there is none.
    """
    listed = keys(ruleset)
    found = _matching(listed, words)
    if found:
        return found
    for box in names.BOXES:
        if box != ruleset.box and _matching(keys(load_ruleset(box=box)), words):
            raise UserError(f"'{words}': no key of the box {ruleset.box} has it; the box {box} has: add --box {box}")
    if "." in words:
        known = {key.path for key in listed}
    else:
        known = {word for key in listed for step in key.path.split(".") for word in (step, *step.split("_"))}
    close = nearest(words, sorted(known)) or "; try 'cost', 'trade tokens' or 'wonders.*.cost'"
    raise UserError(f"'{words}': no key that can be changed has it in its path or sentence{close}")


def _matching(listed: list[Key], words: str) -> list[Key]:
    if "*" in words:
        return [key for key in listed if fnmatchcase(key.path, words)]
    asked = [re.compile(rf"\b{re.escape(word)}") for word in words.lower().split()]  # a word, or the beginning of one

    def has(key: Key) -> bool:
        text = f"{key.path} {key.path.replace('_', ' ')} {key.text}".lower()
        return all(word.search(text) for word in asked)

    return [key for key in listed if has(key)]


def _defaults(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield switches that the data need not write out: abilities work, and tiles are in the game."""
    for path, entry in ability_holders(data):
        yield from ((f"{path}.abilities.{key}.works", True) for key, one in entry["abilities"].items() if "works" not in one)
    for number, tile in data["tiles"]["tiles"].items():
        if "available" not in tile:
            yield f"tiles.tiles.{number}.available", True


def lines(found: list[Key]) -> list[str]:
    """Return the keys as text, those that one sentence describes together."""
    groups: dict[tuple[str, str], list[Key]] = {}
    for key in found:
        groups.setdefault((key.text, key.allowed), []).append(key)
    text = []
    for (said, allowed), group in groups.items():
        text.append(f"{said} ({allowed})")
        text += [f"    {key.path} = {_shown(key.value)}" for key in group]
    return [*text, f"{counted(len(found), 'key')} that house rules can change"]


def _shown(value: Any) -> str:
    """Return a value as it is written in YAML, cut where it is long."""
    text = yaml.safe_dump(value, default_flow_style=True, width=10_000, sort_keys=False).removesuffix("...\n").strip()
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


# --- what a value may be


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


def _meaning(data: Mapping[str, Any], path: str, models: list[tuple[str, Any, str]]) -> tuple[str, str]:
    """Return what the value at a path may be ('' if there is no choice), and the sentence about it."""
    if path.endswith(".cards_needed"):
        return f"'{ALL_IN_PLAY}' or 1 to the cards in play", sentence(path)
    if path.endswith((".condition.any_of", ".condition.all_of")):
        return "two conditions, given together", sentence(path)
    place, kind, whole = next(part for part in models if path.startswith(f"{part[0]}."))
    meta: Meta = ()
    for step in path.removeprefix(f"{place}.").split("."):
        kind, meta = _inside(kind, step, meta)
    allowed = _allowed(kind, meta)
    said = _described(kind, meta)
    if whole and allowed:
        return allowed, f"{whole}: {said}."
    return allowed, (said or sentence(path)) if allowed else ""


def _inside(kind: Any, step: str, meta: Meta) -> tuple[Any, Meta]:
    """Return the type of what `step` names in a value of the type, with what is said of it."""
    for one, said in _alternatives(kind, meta):
        if isinstance(one, type) and issubclass(one, BaseModel):
            for name, field in one.model_fields.items():
                if step == (field.alias or name):
                    return field.annotation, (field, *field.metadata)
        elif get_origin(one) is dict:
            return get_args(one)[1], said
    return Any, ()


def _alternatives(kind: Any, meta: Meta) -> Iterator[tuple[Any, Meta]]:
    """Yield the types that a value may be of, without nothing (None), each with what is said of it."""
    if get_origin(kind) is Annotated:
        yield from _alternatives(kind.__origin__, (*meta, *kind.__metadata__))
    elif get_origin(kind) in (Union, UnionType):
        for part in get_args(kind):
            if part is not NoneType:
                yield from _alternatives(part, meta)
    else:
        yield kind, meta


def _allowed(kind: Any, meta: Meta) -> str:
    """Return what a value of the type may be, '' if there is no choice."""
    return " or ".join(filter(None, (_one(part, said) for part, said in _alternatives(kind, meta))))


def _one(kind: Any, meta: Meta) -> str:
    if kind is bool:
        return "true or false"
    if kind is int:
        low, high = _bounds(meta)
        return f"{low} to {high}" if high is not None else f"at least {low}"
    if get_origin(kind) is Literal:
        return _listed(get_args(kind)) if len(get_args(kind)) > 1 else ""
    if get_origin(kind) is list:
        return _list(get_args(kind)[0], meta)
    return ""


def _list(kind: Any, meta: Meta) -> str:
    part, said = next(_alternatives(kind, ()))
    if isinstance(part, type) and issubclass(part, BaseModel):
        of = "{" + ", ".join(field.alias or name for name, field in part.model_fields.items()) + "}"
    else:
        of = _allowed(part, said) or (_listed(get_args(part)) if get_origin(part) is Literal else "names")
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


def _described(kind: Any, meta: Meta) -> str:
    """Return what a model says of a value, outside or inside of `… | None`."""
    said = (part for _, parts_of in _alternatives(kind, meta) for part in parts_of)
    return next((str(part.description) for part in said if getattr(part, "description", None)), "")


def _listed(words: Any) -> str:
    *some, last = map(str, words)
    return f"{', '.join(some)} or {last}" if some else last


# --- sentences


@cache
def _sentences() -> dict[str, str]:
    text = (resources.files("newdawn.simulator") / "data" / "keys.yaml").read_text("utf-8")
    return dict(read_yaml(text, "keys.yaml"))


def sentence(path: str) -> str:
    """Return the sentence of keys.yaml about a path, '' if it has none."""
    place = UNIQUE_CARD.sub("focus_cards.ti.unique.", path)
    return next((text for pattern, text in _sentences().items() if fnmatchcase(place, pattern)), "")
