"""What a ruleset contains, by the engine's codes: the printed leaders, wonders … first, own ones after them.

Printed entries have fixed codes (`simulator/names.py`), so that a game with own content draws the same keys for them; own
entries follow in the order of their keys, because a digest does not see the order of a mapping.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from newdawn.simulator import names

OWN = "own"  # the `set` of what a house rule has added

# Kind: where it is in the data, the printed names in the order of their codes, the key of the name.
PRINTED: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "leader": (("leaders",), names.LEADERS, "civ"),
    "wonder": (("wonders",), names.WONDERS, "name"),
    "city_state": (("city_states",), names.CITY_STATES, "name"),
    "natural_wonder": (("natural_wonders",), names.NATURAL_WONDERS, "name"),
    "diplomacy": (("diplomacy", "base"), names.DIPLOMACY_CARDS, "name"),
}


def slug(name: str) -> str:
    """Return the key of a name in the data: lower case, underscores for all but letters and digits."""
    words = "".join(char if char.isalnum() else " " for char in name.lower()).split()
    return "_".join(words)


def entries(data: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return the entries of a kind that the engine knows, by key, in the order of their codes."""
    steps, printed, _ = PRINTED[kind]
    found: Any = data
    for step in steps:
        found = found[step]
    own = sorted(key for key, entry in found.items() if entry.get("set") == OWN)
    return {key: found[key] for key in [*(slug(name) for name in printed), *own]}


def names_of(data: Mapping[str, Any], kind: str) -> list[str]:
    """Return the names of a kind by their codes."""
    return [str(entry[PRINTED[kind][2]]) for entry in entries(data, kind).values()]


def agenda_names(data: Mapping[str, Any]) -> list[str]:
    """Return the names of the agendas by their codes: the printed ones, then own ones by name."""
    cards = data["victory_cards"]["base"].values()
    every = {agenda["name"] for card in cards for agenda in card["agendas"].values()}
    return [*names.AGENDAS, *sorted(every - set(names.AGENDAS))]


def _field(kind: str) -> str:
    return "agenda_title" if kind == "agenda" else f"{kind}_name"


def write_names(r: np.record, kind: str, found: Sequence[str]) -> None:
    """Write the names of a kind (or of the agendas) into the RULES record, by their codes."""
    for code, name in enumerate(found):
        text = name.encode()
        r[_field(kind)][code, : len(text)] = np.frombuffer(text, np.uint8)


def written(r: np.record, kind: str) -> list[str]:
    """Return the names of a kind (or "agenda") by their codes, as the compiled record holds them."""
    texts = [bytes(row).rstrip(b"\0").decode() for row in r[_field(kind)]]
    return [text for text in texts if text]
