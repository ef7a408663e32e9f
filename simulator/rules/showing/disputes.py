"""The doubts about the rules: every ruling and every place where the sources differ, and how to play the other reading.

The other reading is kept as house rules (an overlay), so it can be written to a file, read by a person, and measured
(`analysis/trials/readings.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import UserError, nearest
from ..contents import box_of
from ..loading.load import Ruleset, from_data
from ..loading.overlay import apply_overlay
from ..loading.packaged import ruling_options
from ..models.problem import Problem
from ..node import leaves

KINDS = ("ruling", "dispute", "tile space")
PLAY = {
    "changes": "yes",
    "same": "no, only words differ",
    "impossible": "no, the other reading cannot be meant",
}


@dataclass(frozen=True)
class Doubt:
    """One question with a chosen reading and another one."""

    kind: str  # one of KINDS
    name: str
    about: str
    chosen: str
    other: str
    play: str  # a key of PLAY
    overlay: dict[str, Any] | None = None  # house rules that play the other reading
    why: str = ""  # of the choice
    note: str = ""  # about the switch, or why there is none
    ruling: str = ""  # the ruling that asks the same

    @property
    def switch(self) -> str:
        """Return the switch or data value that expresses the other reading, in words."""
        if self.ruling:
            return f"rulings.{self.ruling}, see there"
        if self.overlay is None:
            return f"none: {self.note}" if self.play == "changes" else (self.note or "none needed")
        text = ", ".join(f"{path}: {json.dumps(value).replace(chr(34), '')}" for path, value in leaves(self.overlay))
        return f"{text} ({self.note})" if self.note else text


def doubts(ruleset: Ruleset) -> list[Doubt]:
    """Return all doubts; what is chosen is read from the ruleset."""
    notes = ruleset.data["disputes"]
    spaces = list(_tile_spaces(ruleset.data))
    return [*_rulings(ruleset), *(_dispute(entry) for entry in notes["general"]), *spaces, _all_terrains(ruleset.data)]


def doubts_about(ruleset: Ruleset, name: str) -> list[Doubt]:
    """Return the doubts that speak of the name (a leader, a wonder, a rule …) and change play."""

    def speaks(doubt: Doubt) -> bool:
        itself = doubt.kind == "ruling" and doubt.name == name
        return not itself and _names(doubt.about if doubt.kind == "ruling" else doubt.name, name)

    return [doubt for doubt in doubts(ruleset) if doubt.play == "changes" and speaks(doubt)]


def _names(text: str, name: str) -> bool:
    """Say whether the text names the thing as a whole word; a tile 1 is not spoken of by 12B, nor a B8 by B8.3."""
    name = re.sub(r"^tile ", "", name)
    side = "[AB]?" if name.isdigit() else ""
    return re.search(rf"(?<![\w.]){re.escape(name)}{side}(?![\w.]\w|\w)", text) is not None


def find_doubt(ruleset: Ruleset, name: str) -> Doubt:
    """Return the doubt of that name; raise UserError with the nearest name if there is none."""
    known = {doubt.name.lower(): doubt for doubt in doubts(ruleset)}
    if name.strip().lower() not in known:
        hint = nearest(name, [doubt.name for doubt in known.values()])
        raise UserError(f"unknown ruling or dispute '{name}': see `newdawn rules disputes` for the names{hint}")
    return known[name.strip().lower()]


def other_ruleset(ruleset: Ruleset, doubt: Doubt) -> Ruleset:
    """Return the rules with the other reading of the doubt."""
    if doubt.overlay is None:
        raise UserError(f"'{doubt.name}' cannot be played the other way: {doubt.switch}")
    data = json.loads(json.dumps(ruleset.data))
    try:
        apply_overlay(data, doubt.overlay)
    except Problem as problem:
        raise UserError(f"'{doubt.name}' cannot be played the other way with these rules: {problem}") from None
    return from_data(data, f"{ruleset.name}, other reading of {doubt.name}")


def _rulings(ruleset: Ruleset) -> Iterator[Doubt]:
    chosen = ruleset.data["rulings"]
    for key, ruling in ruling_options(box_of(ruleset.data)).items():
        others = [option for option in ruling["options"] if option != chosen[key]]
        for option in others:
            name = key if len(others) == 1 else f"{key}: {option}"
            yield Doubt(
                "ruling", name, f"{ruling['rule']}: {ruling['text']}", chosen[key], option, "changes",
                {"rulings": {key: option}},
            )  # fmt: skip


def _dispute(entry: Mapping[str, Any]) -> Doubt:
    readings = "; ".join(f"{source}: {value}" for source, value in entry["readings"].items())
    note = str(entry.get("other_note") or entry.get("no_switch") or "")
    return Doubt(
        "dispute", entry["what"], f"sources - {readings}", str(entry["chosen"]), _others(entry), entry["play"],
        entry.get("other"), entry["why"], note, entry.get("ruling", ""),
    )  # fmt: skip


def _others(entry: Mapping[str, Any]) -> str:
    """Return the readings that were not chosen."""
    values = dict.fromkeys(str(value) for value in entry["readings"].values())
    return " or ".join(value for value in values if value != str(entry["chosen"])) or str(entry["why"])


def _tile_spaces(data: Mapping[str, Any]) -> Iterator[Doubt]:
    for entry in data["disputes"]["tile_spaces"]:
        tile = data["tiles"]["tiles"][str(entry["tile"])]
        name = f"{entry['tile']}{entry['side']} space {entry['space']}"
        readings = "; ".join(f"{source}: {value}" for source, value in entry["readings"].items())
        play, overlay, note = "changes", None, ""
        other = next(value for value in entry["readings"].values() if value != entry["chosen"])
        if entry["what"] == "terrain":
            terrain = list(tile["sides"][entry["side"]]["terrain"])
            terrain[entry["space"]] = other
            overlay = _face(entry, "terrain", terrain)
        elif other.startswith("natural_wonder"):
            note = "the token lies on the tile's other side; which token belongs to which side is fixed"
        elif other.startswith("barbarian") and not other.endswith(entry["chosen"][-1]):
            none = "none" in entry["readings"].values()
            other = "none" if none else other
            note = "" if none else "the letter belongs to another tile"
        if other == "none" and play == "changes":
            features = [f for f in tile["sides"][entry["side"]]["features"] if f["space"] != entry["space"]]
            overlay = _face(entry, "features", features)
        yield Doubt(
            "tile space", name, f"{entry['what']}; sources - {readings}", str(entry["chosen"]), str(other), play,
            overlay, str(entry["basis"]), note,
        )  # fmt: skip


def _all_terrains(data: Mapping[str, Any]) -> Doubt:
    """Return the doubt about all disputed terrains at once: one alone changes few games."""
    overlay: dict[str, Any] = {"tiles": {}}
    number = 0
    for entry in data["disputes"]["tile_spaces"]:
        tile = data["tiles"]["tiles"][str(entry["tile"])]
        if entry["what"] != "terrain":
            continue
        sides = overlay["tiles"].setdefault(str(entry["tile"]), {"sides": {}})["sides"]
        face = sides.setdefault(entry["side"], {"terrain": list(tile["sides"][entry["side"]]["terrain"])})
        face["terrain"][entry["space"]] = next(v for v in entry["readings"].values() if v != entry["chosen"])
        number += 1
    about = f"the {number} disputed terrains of tiles, all read the other way at once"
    return Doubt("tile space", "all terrains", about, "as listed", "the other reading of each", "changes", overlay)


def _face(entry: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """Return the overlay that changes one side of a tile."""
    return {"tiles": {str(entry["tile"]): {"sides": {entry["side"]: {key: value}}}}}
