"""Own content: leaders, world wonders, diplomacy cards and victory cards that a house rule adds.

An entry with a key that the data do not have and a `name` (for a victory card: `agendas`) is new. It is completed here to
what the printed entries look like, so that everything after it (checks, compiling, tables, reports) treats it alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from newdawn.simulator import limits
from newdawn.simulator.errors import nearest
from newdawn.simulator.names import FOCUS_TYPES, GROWTH
from newdawn.simulator.rules.contents import OWN, SECTIONS, focus_types, slug
from newdawn.simulator.rules.loading.checks import Problem

GROWTH_CARD = FOCUS_TYPES[GROWTH]
# Where own entries may stand, the key that makes one new, and the room the engine has for entries of the kind.
ROOM = {
    "leaders": ("name", limits.MAX_LEADERS),
    "wonders": ("name", limits.MAX_WONDERS),
    "diplomacy": ("name", limits.MAX_DIPLOMACY),
    "victory_cards": ("agendas", limits.MAX_VICTORY_CARDS),
}
NEEDED = {
    "leaders": ("name", "start_row"),
    "wonders": ("name", "type", "era", "cost", "resources"),
    "diplomacy": ("name", "abilities"),
    "victory_cards": ("agendas",),
}
MAY_HAVE = {
    "leaders": (
        "leader", "ability_name", "effect", "abilities", "available", "ability_works", "start_trade_tokens", "unique_card",
        "given_card",
    ),
    "wonders": ("effect", "abilities", "available"),
    "diplomacy": ("effect",),
    "victory_cards": ("available",),
}  # fmt: skip
PARTED = ("diplomacy", "victory_cards")  # the box's entries are in a part of the file: diplomacy.base


def file_of(path: str) -> str:
    """Return the file whose entries are at `path`; "" if that is not where entries of content stand."""
    stem, _, part = path.partition(".")
    return stem if stem in ROOM and (part in SECTIONS.values() if stem in PARTED else not part) else ""


def is_new(node: Mapping[str, Any], path: str, key: str, value: Any) -> bool:
    """Does a house rule add an entry under this key?"""
    mark = ROOM.get(file_of(path), ("",))[0]
    return bool(mark) and key not in node and isinstance(value, Mapping) and mark in value


def entry(
    data: Mapping[str, Any], node: Mapping[str, Any], path: str, key: str, given: Mapping[str, Any],
    list_abilities: Callable[..., Any],
) -> Any:
    """Return the complete entry of new content; raise a Problem that names what is missing, unknown or too much."""
    place, file = f"{path}.{key}", file_of(path)
    known = (*NEEDED[file], *MAY_HAVE[file])
    for word in given:
        if word not in known:
            raise Problem(f"{place}.{word}", f"unknown key: expected one of {', '.join(known)}{nearest(word, known)}")
    for word in NEEDED[file]:
        if word not in given:
            raise Problem(f"{place}.{word}", "is missing")
    _check_room(node, file, place)
    new: dict[str, Any] = BUILDERS[file](place, given, focus_types(data))
    if file != "victory_cards":
        _check_name(node, path, place, given["name"])
        new["abilities"] = list_abilities(given.get("abilities", []), f"{place}.abilities")
    if given.get("given_card") is not None:
        new["given_card"] = _given_card(f"{place}.given_card", given["given_card"], list_abilities)
    return new


def _given_card(place: str, card: Any, list_abilities: Callable[..., Any]) -> dict[str, Any]:
    """Return the complete card that an own leader may give to another player."""
    if not isinstance(card, Mapping) or not {"name", "abilities"} <= set(card) <= {"name", "abilities", "effect"}:
        raise Problem(place, f"expected a card with a name and abilities, got {card!r}")
    _check_title(place, card["name"])
    return {
        "name": card["name"],
        "effect": card.get("effect", ""),
        "abilities": list_abilities(card["abilities"], f"{place}.abilities"),
    }


def as_given(path: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a complete entry of new content as a house rule writes it: what `entry` made of it, taken back."""
    words = {**entry, "name": entry.get("civ", entry.get("name"))}
    for parts in ("abilities", "agendas"):
        if parts in entry:
            words[parts] = list(entry[parts].values())
    if "given_card" in entry:
        words["given_card"] = {**entry["given_card"], "abilities": list(entry["given_card"]["abilities"].values())}
    return {word: words[word] for word in (*NEEDED[file_of(path)], *MAY_HAVE[file_of(path)]) if words.get(word) is not None}


def _check_room(node: Mapping[str, Any], file: str, place: str) -> None:
    most = ROOM[file][1]
    if len(node) >= most:
        raise Problem(place, f"there is room for {most} {file.replace('_', ' ')}, printed ones included")


def _check_title(place: str, name: Any) -> None:
    if not isinstance(name, str) or not slug(name):
        raise Problem(f"{place}.name", f"expected a text, got {name!r}")
    if len(name.encode()) > limits.MAX_NAME:
        raise Problem(f"{place}.name", f"expected at most {limits.MAX_NAME} letters, got {len(name)}")


def _check_name(node: Mapping[str, Any], path: str, place: str, name: Any) -> None:
    _check_title(place, name)
    if "/" in name or "," in name:
        raise Problem(f"{place}.name", f"expected a name without commas and slashes, got {name!r}")
    word = "civ" if path == "leaders" else "name"
    for key, other in node.items():
        if slug(str(other[word])) == slug(name):
            raise Problem(f"{place}.name", f"'{name}' is the name of {path}.{key}, too")
    if place != f"{path}.{slug(name)}":
        raise Problem(f"{place}.name", f"expected the key {slug(name)} for the name '{name}'")


def _leader(place: str, given: Mapping[str, Any], types: Sequence[str]) -> dict[str, Any]:
    tokens = given.get("start_trade_tokens", {})
    row = given["start_row"]
    if isinstance(row, list) and len(row) == len(types) - 1 and GROWTH_CARD in types and GROWTH_CARD not in row:
        row = [GROWTH_CARD, *row]  # a row of the base game: in the expansion the growth card lies to the left of it
    card = given.get("unique_card")
    return {
        "civ": given["name"],
        "leader": given.get("leader", given["name"]),
        "set": OWN,
        "ability_name": given.get("ability_name", given["name"]),
        "effect": given.get("effect", ""),
        "start_row": row,
        "available": given.get("available", True),
        "ability_works": given.get("ability_works", True),
        **({"unique_card": {"available": True, **card} if isinstance(card, Mapping) else card} if card is not None else {}),
        "start_trade_tokens": {**dict.fromkeys(types, 0), **tokens} if isinstance(tokens, Mapping) else tokens,
    }


def _wonder(place: str, given: Mapping[str, Any], types: Sequence[str]) -> dict[str, Any]:
    own = {word: given[word] for word in NEEDED["wonders"]}
    return {**own, "set": OWN, "effect": given.get("effect", ""), "available": given.get("available", True)}


def _diplomacy(place: str, given: Mapping[str, Any], types: Sequence[str]) -> dict[str, Any]:
    return {"name": given["name"], "set": OWN, "effect": given.get("effect", "")}


def _victory_card(path: str, given: Mapping[str, Any], types: Sequence[str]) -> dict[str, Any]:
    place = f"{path}.agendas"
    agendas = given["agendas"]
    listed = list(agendas.values()) if isinstance(agendas, Mapping) else agendas
    if not isinstance(listed, list) or len(listed) != 2 or not all(isinstance(agenda, Mapping) for agenda in listed):
        raise Problem(place, "expected a list of two agendas, each with a name and a condition")
    found = {}
    for nth, agenda in enumerate(listed):
        for word in ("name", "condition"):
            if word not in agenda:
                raise Problem(f"{place}.{nth}.{word}", "is missing")
        name = agenda["name"]
        if not isinstance(name, str) or not slug(name) or "/" in name or len(name.encode()) > limits.MAX_NAME:
            raise Problem(f"{place}.{nth}.name", f"expected a text of at most {limits.MAX_NAME} letters without slashes")
        if slug(name) in found:
            raise Problem(f"{place}.{nth}.name", f"'{name}' is there twice")
        found[slug(name)] = {"available": True, "effect": "", **agenda}
    return {"id": path.rsplit(".", 1)[1], "set": OWN, "available": given.get("available", True), "agendas": found}


BUILDERS: dict[str, Callable[[str, Mapping[str, Any], Sequence[str]], dict[str, Any]]] = {
    "leaders": _leader,
    "wonders": _wonder,
    "diplomacy": _diplomacy,
    "victory_cards": _victory_card,
}
