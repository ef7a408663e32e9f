"""What of the packaged data belongs to a box: the base game, or Terra Incognita with the base game's pieces.

The YAML files hold both boxes. Entries say their box in `set`, what the expansion replaces says so, too; where only a part of a
file differs, it has a key `base` and a key `ti`, or keys that end so. The data of a ruleset hold one box and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import names
from ..contents import SECTIONS

# Left out of the base game's data.
ONLY_TI = {
    "": ("governments", "districts"),
    "components": ("fort", "explore"),
    "components.combat": ("guard_bonus",),
    "components.combat.may_be_attacked": ("free_fort", "caravan", "army"),
}
ONLY_BASE = {"map_layouts": ("first_game",)}
# Files whose parts are by box; everywhere else a key that ends on the name of a section is one of its own.
PARTED = ("components", "dials", "focus_cards", "diplomacy", "victory_cards")
ENTRIES = ("leaders", "wonders", "city_states", "natural_wonders", "tiles")
REPLACED = ("replaced_in_ti", "removed_in_ti")


def of_box(files: Mapping[str, Any], rulings: Mapping[str, Any], box: str) -> dict[str, Any]:
    """Return what of the files' contents, and of the rulings, belongs to the box."""
    expansion = box == names.BOXES[names.TI_BOX]
    other = SECTIONS[names.BOXES[not expansion]]
    found = _without(dict(files), "", ONLY_BASE if expansion else ONLY_TI)
    for stem in PARTED:
        found[stem] = _without_section(found[stem], other)
    for stem in ENTRIES:
        found[stem] = {**found[stem], stem: [_entry(one, expansion) for one in found[stem][stem] if _is_in(one, expansion)]}
    numbers = {tile["number"] for tile in found["tiles"]["tiles"]}
    found["disputes"] = {
        **found["disputes"],
        "general": [one for one in found["disputes"]["general"] if one.get("box", box) == box],
        "tile_spaces": [one for one in found["disputes"]["tile_spaces"] if one["tile"] in numbers],
    }
    found["rulings"] = {key: one["default"] for key, one in rulings.items() if one.get("box", box) == box}
    return {"box": box, **found} if expansion else found


def _without(data: dict[str, Any], path: str, left_out: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """Return the data without the keys that are not in the box."""
    kept: dict[str, Any] = {}
    for key, value in data.items():
        if key not in left_out.get(path, ()):
            place = f"{path}.{key}" if path else key
            kept[key] = _without(value, place, left_out) if isinstance(value, dict) else value
    return kept


def _without_section(data: Any, section: str) -> Any:
    """Return the data without the parts of the other box (in the base game also without the marks of what is replaced)."""
    if isinstance(data, list):
        return [_without_section(value, section) for value in data]
    if not isinstance(data, dict):
        return data
    kept = {key: value for key, value in data.items() if key != section and not key.endswith(f"_{section}")}
    return {key: _without_section(value, section) for key, value in kept.items()}


def _is_in(entry: Mapping[str, Any], expansion: bool) -> bool:
    """Is the entry in the box?"""
    if expansion:
        return not any(entry.get(key) for key in REPLACED)
    return entry["set"] == "base"


def _entry(entry: Mapping[str, Any], expansion: bool) -> dict[str, Any]:
    """Return an entry as it is in the box: `…_ti` is what it has there in the expansion, and unique cards are only there."""
    kept = {key: value for key, value in entry.items() if key not in REPLACED and not key.endswith("_ti")}
    if expansion:
        return kept | {key.removesuffix("_ti"): value for key, value in entry.items() if key.endswith("_ti")}
    kept.pop("unique_card", None)
    return kept
