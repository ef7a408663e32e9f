"""Abilities as rows of the RULES record, by what their words are declared to be (`rules/ability_codes.py`).

A leader, world wonder, city-state or diplomacy card has a list of abilities. Each has an `effect` and what belongs to it: an
amount, conditions, for a deed the moment. ``docs/abilities.md`` is written from the declarations (`showing/vocabulary.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from ... import limits
from ...sources import SOURCES
from .. import ability_codes as codes
from ..contents import section
from ..declare import Key
from ..record import Draft


def fields_of(effect: str) -> list[str]:
    """Return the keys that an ability of the effect may have, as they are written."""
    return ["effect", "works", *codes.EFFECT[effect].keys] if effect in codes.EFFECT else ["effect"]


def words_of(ability: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words an ability is written in, keys aside."""
    for value in ability.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | Mapping):
            yield from (word for word in value if isinstance(word, str))


# --- abilities as rows of the RULES record


def write_row(r: Draft, row: int, ability: Mapping[str, Any], source: str, *, own: bool) -> None:
    """Write an ability into row `row` of the RULES record.

    `source`: name of what has it, for the turn log; `own`: it is not an ability that the printed game has there.
    """
    given = {**model_defaults(ability["effect"]), **ability}
    r.ability_effect[row] = codes.EFFECTS.index(given["effect"])
    for name, key in codes.KEYS.items():
        if key.kind != "text":
            r[f"ability_{name}"][row] = written(key, given.get(name))
        if key.kind == "counts":
            r[f"ability_{name}_least"][row] = next(iter((given.get(name) or {}).values()), 0)
    r.ability_function[row] = function_number(r, f"{given['function']}#{given['digest']}") if "function" in given else -1
    r.ability_own[row] = own
    r.ability_source[row] = SOURCES.index(source if source in SOURCES and not own else "ability")


def written(key: Key, value: Any) -> int:
    """Return what the engine reads for the value of a key: a number, the code of a word, or bits of words."""
    if key.kind == "either":
        return 3 if value is None else 1 << value
    if key.kind == "some":
        return sum(1 << key.codes.index(word) for word in value or key.codes)
    if not value:
        return 0 if value in (0, False) else key.absent
    if key.kind in ("one", "count"):
        return key.codes.index(value)
    return key.codes.index(next(iter(value))) if key.kind == "counts" else int(value)


def function_number(r: Draft, text: str) -> int:
    """Return the number of a user's function in the RULES record, entered there now if it is new."""
    written = np.frombuffer(text.encode().ljust(limits.MAX_FUNCTION_TEXT, b"\0"), np.uint8)
    known = int(r.n_functions)
    for number in range(known):
        if np.array_equal(r.function_text[number], written):
            return number
    r.function_text[known] = written
    r.n_functions = known + 1
    return known


@cache
def model_defaults(effect: str) -> dict[str, Any]:
    """Return the values of the keys that an ability of the effect need not give; they must not be changed."""
    return {"works": True} | {name: key.default for name, key in codes.EFFECT[effect].keys.items() if key.default is not None}


def keyed_abilities(abilities: Any) -> Any:
    """Turn a list of abilities into a mapping by effect (`combat`, a second one `combat_2`), so that each has a path."""
    if not isinstance(abilities, list) or not all(isinstance(one, Mapping) for one in abilities):
        return abilities
    found: dict[str, Any] = {}
    for one in abilities:
        word = str(one.get("effect", one.get("ability", "ability")))
        key, nth = word, 1
        while key in found:
            nth += 1
            key = f"{word}_{nth}"
        found[key] = dict(one)
    return found


def ability_holders(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield path and entry of everything in the data that has abilities."""
    for stem in ("leaders", "wonders", "city_states", "natural_wonders"):
        yield from ((f"{stem}.{key}", entry) for key, entry in data[stem].items() if "abilities" in entry)
    for key, leader in data["leaders"].items():
        for card in ("given_card", "unique_card"):
            if "abilities" in (leader.get(card) or {}):
                yield f"leaders.{key}.{card}", leader[card]
    yield "everyone", data["everyone"]
    box = section(data)
    for stem in ("diplomacy", "focus_cards"):
        yield from ((f"{stem}.{box}.{key}", card) for key, card in data[stem][box].items() if "abilities" in card)
