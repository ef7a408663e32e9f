"""The packaged data of a box: read from the YAML files once, and with a path for each value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

from ... import names
from ...errors import UserError, nearest
from ...reading import yaml_of
from ..contents import focus_types, points_of, section, slug
from .abilities import ability_holders, keyed_abilities
from .boxes import of_box

# One file each in simulator/data; the stem is the key in an overlay.
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
    """Return the definitions of rulings.yaml that a box has: rule number, options, default and text by key."""
    return {key: ruling for key, ruling in _files()["rulings"].items() if ruling.get("box", box) == box}


def printed_data(box: str = names.BOXES[0]) -> dict[str, Any]:
    """Return a copy of the printed data of a box; raise UserError for an unknown box."""
    if box not in names.BOXES:
        raise UserError(f"unknown box '{box}': expected {' or '.join(names.BOXES)}{nearest(box, names.BOXES)}")
    copied: dict[str, Any] = json.loads(_as_text(box))
    return copied


def keyed(files: Mapping[str, Any]) -> dict[str, Any]:
    """Turn the lists of named entries into dictionaries by slug, so that each value has a path of its own."""
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
    """Add what only house rules change, so that it has a place and a printed value."""
    for leader in data["leaders"].values():
        leader.update(available=True, ability_works=True)
        leader["start_trade_tokens"] = dict.fromkeys(focus_types(data), 0)
        leader["start_bonus"] = dict.fromkeys(names.START_BONUSES, 0)
        if "unique_card" in leader:
            leader["unique_card"]["available"] = True
            leader["head_start"] = 0
    for wonder in data["wonders"].values():
        wonder["available"] = True
    for card in data["focus_cards"][section(data)].values():
        card["available"] = True
    for card in data["victory_cards"][section(data)].values():
        card["available"] = True
        for agenda in card["agendas"].values():
            agenda["available"] = True
    data["scores"]["points"] = dict.fromkeys(points_of(data), 0)
