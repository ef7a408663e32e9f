"""Own content: leaders, world wonders, cards, city-states, natural wonders and map tiles that a house rule adds.

An entry with a key that the data do not have and a `name` (a victory card: `agendas`, a tile: `kind`) is new. It is completed
here to what the printed entries look like, so that everything after it (checks, compiling, tables, reports) treats it alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ... import limits, names
from ...errors import nearest
from ..contents import OWN, SECTIONS, focus_types, section, slug
from ..models.problem import Problem
from .checks import card_models

GROWTH_CARD = names.FOCUS_TYPES[names.GROWTH]
PRINTED_COPIES = 2  # diplomacy cards of each printed city-state
# Where own entries may stand, the key that makes one new, and the room the engine has for entries of the kind.
ROOM = {
    "leaders": ("name", limits.MAX_LEADERS),
    "wonders": ("name", limits.MAX_WONDERS),
    "diplomacy": ("name", limits.MAX_DIPLOMACY),
    "victory_cards": ("agendas", limits.MAX_VICTORY_CARDS),
    "city_states": ("name", limits.MAX_CITY_STATES),
    "natural_wonders": ("name", limits.MAX_NATURAL_WONDERS),
    "focus_cards": ("name", limits.MAX_OWN_CARDS),  # beside the printed ones
    "tiles": ("kind", limits.MAX_TILES),
}
NEEDED = {
    "leaders": ("name", "start_row"),
    "wonders": ("name", "type", "era", "cost", "resources"),
    "diplomacy": ("name", "abilities"),
    "victory_cards": ("agendas",),
    "city_states": ("name", "type"),
    "natural_wonders": ("name", "resource"),
    "focus_cards": ("name", "type", "level"),
    "tiles": ("kind", "sides"),
}
MAY_HAVE = {
    "leaders": (
        "leader", "ability_name", "effect", "abilities", "available", "ability_works", "start_trade_tokens", "start_bonus",
        "unique_card", "given_card",
    ),
    "wonders": ("effect", "abilities", "available"),
    "diplomacy": ("effect",),
    "victory_cards": ("available",),
    "city_states": ("abilities", "copies", "in_place_of", "effect"),
    "natural_wonders": ("abilities", "in_place_of", "effect"),
    "focus_cards": ("in_place_of", "abilities", "available", "effect"),  # and all that the printed ones of the type have
    "tiles": ("available",),
}  # fmt: skip
PARTED = ("diplomacy", "victory_cards", "focus_cards")  # the box's entries are in a part of the file: diplomacy.base
WITHOUT_NAME = ("victory_cards", "tiles")


def path_of(file: str, part: str) -> str:
    """Return where the entries of a kind stand in the data; `part`: contents.section."""
    return f"{file}.{part}" if file in PARTED else "tiles.tiles" if file == "tiles" else file


def file_of(path: str) -> str:
    """Return the file whose entries are at `path`; "" if that is not where entries of content stand."""
    stem = path.partition(".")[0]
    return stem if stem in ROOM and path in [path_of(stem, part) for part in SECTIONS.values()] else ""


def is_new(node: Mapping[str, Any], path: str, key: str, value: Any) -> bool:
    """Does a house rule add an entry under this key?"""
    mark = ROOM.get(file_of(path), ("",))[0]
    return bool(mark) and slug(key) not in node and isinstance(value, Mapping) and mark in value


def entry(
    data: Mapping[str, Any],
    node: Mapping[str, Any],
    path: str,
    key: str,
    given: Mapping[str, Any],
    list_abilities: Callable[..., Any],
) -> Any:
    """Return the complete entry of new content; raise a Problem that names what is missing, unknown or too much."""
    place, file = f"{path}.{key}", file_of(path)
    known: tuple[str, ...] = (*NEEDED[file], *MAY_HAVE[file])
    if file == "focus_cards":
        _check_type(place, given, data)
        fields = (field for field in card_models(data)[given["type"]].model_fields if field != "set")
        known = tuple(dict.fromkeys([*known, *fields]))
    for word in given:
        if word not in known:
            raise Problem(f"{place}.{word}", f"unknown key: expected one of {', '.join(known)}{nearest(word, known)}")
    for word in NEEDED[file]:
        if word not in given:
            raise Problem(f"{place}.{word}", "is missing")
    _check_room(node, file, place)
    new: dict[str, Any] = BUILDERS[file](place, given, data)
    if file not in WITHOUT_NAME:
        _check_name(node, path, place, given["name"])
        new["abilities"] = list_abilities(given.get("abilities", []), f"{place}.abilities")
    if "in_place_of" in given:
        _check_replaced(node, place, given)
    if isinstance(new.get("unique_card"), dict) and "abilities" in new["unique_card"]:
        listed = list_abilities(new["unique_card"]["abilities"], f"{place}.unique_card.abilities")
        new["unique_card"] = {**new["unique_card"], "abilities": listed}
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
    if file_of(path) == "focus_cards":
        words["abilities"] = list(entry["abilities"].values())
        return {word: value for word, value in words.items() if word != "set"}
    for parts in ("abilities", "agendas"):
        if parts in entry:
            words[parts] = list(entry[parts].values())
    if "abilities" in entry.get("unique_card", {}):
        words["unique_card"] = {**entry["unique_card"], "abilities": list(entry["unique_card"]["abilities"].values())}
    if "given_card" in entry:
        words["given_card"] = {**entry["given_card"], "abilities": list(entry["given_card"]["abilities"].values())}
    return {word: words[word] for word in (*NEEDED[file_of(path)], *MAY_HAVE[file_of(path)]) if words.get(word) is not None}


def _check_room(node: Mapping[str, Any], file: str, place: str) -> None:
    most = ROOM[file][1]
    if file == "focus_cards":
        most += sum(card["set"] != OWN for card in node.values())
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


def _check_type(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    """Raise a Problem unless a focus card's type and level are known."""
    types = list(card_models(data))
    for word, valid in (("type", types), ("level", range(1, names.N_LEVELS + 1))):
        if word not in given:
            raise Problem(f"{place}.{word}", "is missing")
        if given[word] not in valid:
            listed = ", ".join(map(str, valid))
            raise Problem(f"{place}.{word}", f"expected one of {listed}, got {given[word]!r}{nearest(str(given[word]), types)}")


def _check_replaced(node: Mapping[str, Any], place: str, given: Mapping[str, Any]) -> None:
    """Raise a Problem unless `in_place_of` names a printed entry that is still there, of the same type and level."""
    path, key = f"{place}.in_place_of", given["in_place_of"]
    printed = [other for other, entry in node.items() if entry.get("set") != OWN]
    if key not in printed:
        raise Problem(path, f"expected one of {', '.join(printed)}, got {key!r}{nearest(str(key), printed)}")
    taken = next((other for other, entry in node.items() if entry.get("in_place_of") == key), None)
    if taken:
        raise Problem(path, f"{taken} takes the place of {key} already")
    if "level" in node[key] and (node[key]["type"], node[key]["level"]) != (given["type"], given["level"]):
        wanted = f"{node[key]['type']} of level {node[key]['level']}"
        raise Problem(path, f"expected a printed card of type and level of its own, got {key}, {wanted}")


def take_place(data: Mapping[str, Any], path: str, key: str) -> None:
    """Let a new city-state or natural wonder lie where the printed one lies whose place it takes."""
    stem = path.partition(".")[0]
    new = data[stem].get(key, {}) if stem in ("city_states", "natural_wonders") else {}
    if not new.get("in_place_of"):
        return
    old, mark = data[stem][new["in_place_of"]]["name"], stem.removesuffix("s")
    for tile in data["tiles"]["tiles"].values():
        for feature in (one for face in tile["sides"].values() for one in face["features"]):
            if feature.get(mark) == old:
                feature[mark] = new["name"]


def _leader(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    types = focus_types(data)
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
        "start_trade_tokens": _numbers(given.get("start_trade_tokens", {}), types),
        "start_bonus": _numbers(given.get("start_bonus", {}), names.START_BONUSES),
    }


def _numbers(given: Any, words: tuple[str, ...]) -> Any:
    """Return a number for each of the words, 0 where none is given; what is no mapping as it is, for the models to refuse."""
    return {**dict.fromkeys(words, 0), **given} if isinstance(given, Mapping) else given


def _wonder(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    own = {word: given[word] for word in NEEDED["wonders"]}
    return {**own, "set": OWN, "effect": given.get("effect", ""), "available": given.get("available", True)}


def _diplomacy(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": given["name"], "set": OWN, "effect": given.get("effect", "")}


def _city_state(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    return {"copies": PRINTED_COPIES, "effect": "", **given, "set": OWN}


def _natural_wonder(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    return {"effect": "", **given, "set": OWN}


def _focus_card(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """Complete a focus card: every number it must have and does not give is that of the printed one of its type and level."""
    model = card_models(data)[given["type"]]
    like = next(
        card
        for card in data["focus_cards"][section(data)].values()
        if card["set"] != OWN and (card["type"], card["level"]) == (given["type"], given["level"])
    )
    if given["level"] == 1 and "in_place_of" not in given:
        raise Problem(f"{place}.level", "a card of level 1 is there in place of a printed one only: say in_place_of")
    needed = [word for word, field in model.model_fields.items() if field.is_required() and word in like]
    return {**{word: like[word] for word in needed}, "effect": "", "available": True, **given, "set": OWN}


def _tile(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    number = place.rsplit(".", 1)[1]
    if not number.isdigit() or not limits.PRINTED_TILES < int(number) <= limits.MAX_TILES:
        raise Problem(place, f"expected a number of its own, from {limits.PRINTED_TILES + 1} to {limits.MAX_TILES}")
    sides = given["sides"]
    if isinstance(sides, Mapping):
        sides = {
            letter: {"features": [], "disputed_spaces": [], **face} if isinstance(face, Mapping) else face
            for letter, face in sides.items()
        }
    return {"number": int(number), "set": OWN, "kind": given["kind"], "available": given.get("available", True), "sides": sides}


def _victory_card(path: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
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
            raise Problem(f"{place}.{nth}.name", f"'{name}' appears twice")
        found[slug(name)] = {"available": True, "effect": "", **agenda}
    return {"id": path.rsplit(".", 1)[1], "set": OWN, "available": given.get("available", True), "agendas": found}


BUILDERS: dict[str, Callable[[str, Mapping[str, Any], Mapping[str, Any]], dict[str, Any]]] = {
    "leaders": _leader,
    "wonders": _wonder,
    "diplomacy": _diplomacy,
    "victory_cards": _victory_card,
    "city_states": _city_state,
    "natural_wonders": _natural_wonder,
    "focus_cards": _focus_card,
    "tiles": _tile,
}
