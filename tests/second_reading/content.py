"""Which abilities a game's leaders, wonders, cards and tokens have: the printed data, with a house rule on top, as YAML.

Begin with `Content`. Nothing of the program's own reading of rules is used: what house rules may say of abilities is read
again, from docs/abilities.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "simulator" / "data"
BASE, EXPANSION = "base", "terra-incognita"
OF_KEY = {
    "leaders": "leader",
    "wonders": "wonder",
    "city_states": "city_state",
    "natural_wonders": "natural_wonder",
    "diplomacy": "diplomacy",
    "focus_cards": "card",
}

Ability = dict[str, Any]


@cache
def printed(stem: str) -> Any:
    """Return one file of the printed game."""
    return yaml.load((DATA / f"{stem}.yaml").read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


@cache
def order_of_effects() -> dict[str, int]:
    """Return the place of each effect on the page of abilities: abilities of one card act in that order."""
    page = (ROOT / "docs" / "abilities.md").read_text("utf-8")
    return {effect: place for place, effect in enumerate(re.findall(r"^### `(\w+)`$", page, re.M))}


def key_of(name: str) -> str:
    """Return the key of an entry: its name in small letters."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")


def named_of(key: str, entry: dict[str, Any]) -> str:
    return str(entry.get("civ") or entry.get("name") or key)


def keyed(abilities: list[Ability]) -> dict[str, Ability]:
    """Return abilities by their keys: the effect, a second one of it `combat_2`."""
    found: dict[str, Ability] = {}
    for ability in abilities:
        key, n = ability["effect"], 2
        while key in found:
            key, n = f"{ability['effect']}_{n}", n + 1
        found[key] = ability
    return found


class Content:
    """The abilities of a game: `entries[kind][name]` has the entry of a leader, wonder, card …; `everyone` is everybody's."""

    def __init__(self, box: str, rules: dict[str, Any] | None = None) -> None:
        self.box = box
        self._found: dict[tuple[str, str], list[tuple[str, Ability]]] = {}
        self.entries: dict[str, dict[str, dict[str, Any]]] = {kind: {} for kind in OF_KEY.values()}
        self._print()
        rules = rules or {}
        for key, kind in OF_KEY.items():
            for name, entry in (rules.get(key) or {}).items():
                self._change(kind, str(name), entry)
        self.everyone = self._abilities({}, (rules.get("everyone") or {}).get("abilities", []))
        self.timed = any("_round" in str(ability) for ability in self.all())
        self.rulings = {key: str(value) for key, value in (rules.get("rulings") or {}).items()}

    # --- the printed game

    def _print(self) -> None:
        def there(entry: dict[str, Any]) -> bool:
            return self.box == EXPANSION or entry.get("set", "base") == "base"

        for kind, stem in (("leader", "leaders"), ("wonder", "wonders"), ("city_state", "city_states")):
            for entry in filter(there, printed(stem)[stem]):  # a second entry of a name is the expansion's
                self.entries[kind][named_of("", entry)] = self._resolved(entry)
        for entry in filter(there, printed("natural_wonders")["natural_wonders"]):
            self.entries["natural_wonder"][entry["name"]] = self._resolved(entry)
        part = "ti" if self.box == EXPANSION else "base"
        for entry in printed("diplomacy")[part]:
            self.entries["diplomacy"][entry["name"]] = self._resolved(entry)
        for entry in printed("focus_cards")[part]:
            self.entries["card"][entry["name"]] = self._resolved(entry)
        if self.box == EXPANSION:
            for leader in list(self.entries["leader"].values()):
                self._unique(leader)

    def _unique(self, leader: dict[str, Any]) -> None:
        card = leader.get("unique_card")
        if card:
            self.entries["card"][card["name"]] = self._resolved(card)

    def _resolved(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Return the entry with its abilities by their keys."""
        found = dict(entry)
        other = entry.get("abilities_ti") if self.box == EXPANSION else None
        found["abilities"] = self._abilities({}, other or entry.get("abilities", []))
        if "given_card" in entry:
            found["given_card"] = dict(entry["given_card"])
            found["given_card"]["abilities"] = self._abilities({}, entry["given_card"].get("abilities", []))
        return found

    # --- house rules

    def _change(self, kind: str, key: str, change: dict[str, Any]) -> None:
        name = next((name for name in self.entries[kind] if key_of(name) == key or name == key), None)
        before = self.entries[kind].get(name, {}) if name else {}
        entry = {**before, **{word: value for word, value in change.items() if word not in ("abilities", "given_card")}}
        entry["abilities"] = self._abilities(before.get("abilities", {}), change.get("abilities", {}))
        if "given_card" in change:
            old = before.get("given_card", {})
            entry["given_card"] = {**old, **change["given_card"]}
            entry["given_card"]["abilities"] = self._abilities(
                old.get("abilities", {}), change["given_card"].get("abilities", {})
            )
        self.entries[kind][name or named_of(key, change)] = entry
        if kind == "leader" and self.box == EXPANSION:
            self._unique(entry)

    def _abilities(self, before: dict[str, Ability], change: Any) -> dict[str, Ability]:
        """A list is a whole new list; keys change numbers, take away (`works: false`) or add."""
        if isinstance(change, list):
            return keyed([ability for one in change for ability in self._named(one)])
        found = {key: dict(ability) for key, ability in before.items()}
        for key, part in (change or {}).items():
            if key in found or "effect" in part:
                found[key] = {**found.get(key, {}), **part}
            else:
                found[key] = {**part, "effect": key}
        return found

    def _named(self, ability: Ability) -> list[Ability]:
        """`ability: NAME` stands for all abilities of a printed leader (or the name of its power), wonder or card."""
        if "ability" not in ability:
            return [ability]
        for kind in ("leader", "wonder", "city_state", "diplomacy"):
            for name, entry in self.entries[kind].items():
                if key_of(ability["ability"]) in {key_of(name), key_of(entry.get("ability_name", name))}:
                    return list(entry["abilities"].values())
        raise LookupError(ability["ability"])

    # --- what is asked

    def all(self) -> Iterator[Ability]:
        """Yield every ability there is."""
        yield from self.everyone.values()
        for entries in self.entries.values():
            for entry in entries.values():
                yield from entry["abilities"].values()
                yield from entry.get("given_card", {}).get("abilities", {}).values()

    def of(self, kind: str, name: str) -> list[tuple[str, Ability]]:
        """Return the abilities that an entry has, in the order in which they act, with their keys."""
        if (kind, name) not in self._found:
            self._found[kind, name] = self._of(kind, name)
        return self._found[kind, name]

    def _of(self, kind: str, name: str) -> list[tuple[str, Ability]]:
        if kind == "everyone":
            abilities = self.everyone
        elif kind == "given_card":
            abilities = self.entries["leader"][name].get("given_card", {}).get("abilities", {})
        else:
            abilities = self.entries[kind].get(name, {}).get("abilities", {})
        places = order_of_effects()
        working = [(key, ability) for key, ability in abilities.items() if ability.get("works", True)]
        return sorted(working, key=lambda item: (places[item[1]["effect"]], item[0]))
