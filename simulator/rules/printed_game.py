"""The printed game: the packaged YAML files as a tree of paths, for either box."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

from .. import names
from ..errors import UserError, nearest
from ..reading import yaml_of
from .ruleset_contents import SECTIONS, ability_holders, focus_types, keyed_abilities, points_of, section, slug

# --- The data as a tree of paths, which notes what was read: the loader refuses changes of what the engine does not use


class Node:
    """A dictionary of the data that notes the paths of the values read, in `seen`."""

    def __init__(self, value: Mapping[str, Any], path: str, seen: set[str]) -> None:
        self.value, self.path, self.seen = value, path, seen

    def __getitem__(self, key: str) -> Any:
        return self._wrap(key, self.value[key])

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self.value else default

    def optional(self, key: str) -> Node:
        """Return the dictionary under `key`, an empty one if there is none."""
        return self[key] if self.value.get(key) is not None else Node({}, self._join(key), self.seen)

    def items(self) -> Iterator[tuple[str, Any]]:
        return ((key, self[key]) for key in self.value)

    def read_all(self) -> None:
        """Note that all values were read."""
        for _, value in self.items():
            if isinstance(value, Node):
                value.read_all()

    def _join(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _wrap(self, key: str, value: Any) -> Any:
        path = self._join(key)
        if isinstance(value, Mapping):
            return Node(value, path, self.seen)
        self.seen.add(path)
        return value


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield path and value of each leaf of nested dictionaries."""
    if not isinstance(value, Mapping):
        yield path, value
        return
    for key, item in value.items():
        yield from leaves(item, f"{path}.{key}" if path else key)


# --- The part of the packaged data that belongs to a box: the base game, or Terra Incognita with the base game's pieces
#
# The YAML files hold both boxes. Entries have their box in `set`, and a mark if the expansion replaces them; where only a part
# of a file differs, it has a key `base` and a key `ti`, or keys that end so. The data of a ruleset hold one box only.

# Left out of the base game's data.
ONLY_TI = {
    "": ("governments", "districts"),
    "components": ("fort", "explore"),
    "components.combat": ("guard_bonus",),
    "components.combat.may_be_attacked": ("free_fort", "caravan", "army"),
}
ONLY_BASE = {"map_layouts": ("first_game",)}
# Files with parts by box; in other files an ending `_base` or `_ti` of a key has no meaning.
PARTED = ("components", "dials", "focus_cards", "diplomacy", "victory_cards")
ENTRIES = ("leaders", "wonders", "city_states", "natural_wonders", "tiles")
REPLACED = ("replaced_in_ti", "removed_in_ti")


def of_box(files: Mapping[str, Any], rulings: Mapping[str, Any], box: str) -> dict[str, Any]:
    """Return the part of the files' contents, and of the rulings, that belongs to the box."""
    expansion = box == names.BOXES[names.TI_BOX]
    other = SECTIONS[names.BOXES[not expansion]]
    data = _without(dict(files), "", ONLY_BASE if expansion else ONLY_TI)
    for stem in PARTED:
        data[stem] = _without_section(data[stem], other)
    for stem in ENTRIES:
        data[stem] = {**data[stem], stem: [_entry(item, expansion) for item in data[stem][stem] if _is_in(item, expansion)]}
    numbers = {tile["number"] for tile in data["tiles"]["tiles"]}
    data["disputes"] = {
        **data["disputes"],
        "general": [dispute for dispute in data["disputes"]["general"] if dispute.get("box", box) == box],
        "tile_spaces": [dispute for dispute in data["disputes"]["tile_spaces"] if dispute["tile"] in numbers],
    }
    data["rulings"] = {key: ruling["default"] for key, ruling in rulings.items() if ruling.get("box", box) == box}
    return {"box": box, **data} if expansion else data


def _without(data: dict[str, Any], path: str, removed: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """Return the data without the keys that are `removed` at their paths."""
    rest: dict[str, Any] = {}
    for key, value in data.items():
        if key not in removed.get(path, ()):
            place = f"{path}.{key}" if path else key
            rest[key] = _without(value, place, removed) if isinstance(value, dict) else value
    return rest


def _without_section(data: Any, section: str) -> Any:
    """Return the data without the parts of the other box; in the base game this removes the marks of replaced entries, too."""
    if isinstance(data, list):
        return [_without_section(value, section) for value in data]
    if not isinstance(data, dict):
        return data
    rest = {key: value for key, value in data.items() if key != section and not key.endswith(f"_{section}")}
    return {key: _without_section(value, section) for key, value in rest.items()}


def _is_in(entry: Mapping[str, Any], expansion: bool) -> bool:
    """Say whether the entry is in the box."""
    if expansion:
        return not any(entry.get(key) for key in REPLACED)
    return entry["set"] == "base"


def _entry(entry: Mapping[str, Any], expansion: bool) -> dict[str, Any]:
    """Return an entry for the box: in the expansion its values `…_ti` count, in the base game leaders have no unique card."""
    values = {key: value for key, value in entry.items() if key not in REPLACED and not key.endswith("_ti")}
    if expansion:
        return values | {key.removesuffix("_ti"): value for key, value in entry.items() if key.endswith("_ti")}
    values.pop("unique_card", None)
    return values


# --- The packaged data of a box, read from the YAML files once, with a path for each value

# Each a file of simulator/data, and a key in an overlay.
STEMS = (
    "components", "dials", "diplomacy", "focus_cards", "leaders", "wonders", "city_states", "natural_wonders", "everyone",
    "victory_cards", "scores", "teams", "tiles", "map_layouts", "map", "governments", "districts", "disputes",
)  # fmt: skip


@lru_cache(maxsize=1)
def _files() -> dict[str, Any]:
    folder = resources.files("newdawn.simulator") / "data"
    return {stem: yaml_of((folder / f"{stem}.yaml").read_text("utf-8"), f"{stem}.yaml") for stem in (*STEMS, "rulings")}


@lru_cache(maxsize=len(names.BOXES))
def packaged(box: str) -> dict[str, Any]:
    """Return the data of a box, which must not be changed; `printed_data` gives a copy."""
    files = dict(_files())
    return keyed(of_box(files, files.pop("rulings"), box))


@lru_cache(maxsize=len(names.BOXES))
def _as_text(box: str) -> str:
    return json.dumps(packaged(box))


def ruling_options(box: str = names.BOXES[0]) -> dict[str, Any]:
    """Return the rulings of a box by key: rule number, options, default and text."""
    return {key: ruling for key, ruling in _files()["rulings"].items() if ruling.get("box", box) == box}


def printed_data(box: str = names.BOXES[0]) -> dict[str, Any]:
    """Return a copy of the printed data of a box; raise UserError for an unknown box."""
    if box not in names.BOXES:
        raise UserError(f"unknown box '{box}': expected {' or '.join(names.BOXES)}{nearest(box, names.BOXES)}")
    copied: dict[str, Any] = json.loads(_as_text(box))
    return copied


def keyed(files: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data with lists of named entries as dictionaries by slug, so that each value has a path."""
    data: dict[str, Any] = json.loads(json.dumps(files))
    for stem, name in (("leaders", "civ"), ("wonders", "name"), ("city_states", "name"), ("natural_wonders", "name")):
        data[stem] = _by_slug(data[stem][stem], name)
    for stem in ("governments", "districts"):
        if stem in data:
            data[stem][stem] = _by_slug(data[stem][stem], "name")
    box = section(data)
    for stem in ("focus_cards", "diplomacy"):
        data[stem][box] = _by_slug(data[stem][box], "name")
    data["tiles"]["tiles"] = _by_slug(data["tiles"]["tiles"], "number")
    cards = data["victory_cards"][box]
    data["victory_cards"][box] = {card["id"]: {**card, "agendas": _by_slug(card["agendas"], "name")} for card in cards}
    for _, entry in ability_holders(data):
        entry["abilities"] = keyed_abilities(entry["abilities"])  # type: ignore[index]
    _add_switches(data)
    return data


def _by_slug(entries: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return {slug(str(entry[name])): entry for entry in entries}


def _add_switches(data: dict[str, Any]) -> None:
    """Add the values that only house rules change, so that each has a path and a printed value."""
    for leader in data["leaders"].values():
        leader.update(available=True, ability_works=True)
        leader["start_trade_tokens"] = dict.fromkeys(focus_types(data), 0)
        leader["start_bonus"] = dict.fromkeys(names.START_BONUSES, 0)
        if "unique_card" in leader:
            leader["unique_card"]["available"] = True
            leader["head_start"] = 0
    for stem in ("wonders", "city_states", "natural_wonders"):
        for entry in data[stem].values():
            entry["available"] = True
    for card in data["focus_cards"][section(data)].values():
        card["available"] = True
    for card in data["victory_cards"][section(data)].values():
        card.update(available=True, always_in_play=False)
        for agenda in card["agendas"].values():
            agenda.update(available=True, claims_at_most=0)
    data["scores"]["points"] = dict.fromkeys(points_of(data), 0)
