"""Abilities in words and numbers, from the rows of the compiled RULES record: `newdawn rules show`, templates, reports."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...wording import counted
from .. import ability_codes as codes
from .phrases import Chosen, Number, Switch

SAID = codes.SIDES | codes.DOINGS | codes.THROUGH | codes.WHOSE | codes.BESIDE | codes.GIVERS | {"city_state": "city-state"}

LEADS = {"claims": ("victory card",), "cities": ("city", "cities"), "spaces": ("friendly space",)}  # one may be behind by


class Row:
    """An ability of the record: what stands under its keys, as templates say it (`phrases.py`)."""

    def __init__(self, r: np.record, row: int) -> None:
        self.r, self.row = r, row
        self.effect = codes.EFFECT[codes.EFFECTS[self.number("effect")]]

    def number(self, column: str) -> int:
        """Return what the record has in a column."""
        return int(self.r[f"ability_{column}"][self.row])

    def __getitem__(self, name: str) -> Any:
        if name == "function":  # of a user's: module:name
            return bytes(self.r.function_text[self.number("function")]).decode().partition("#")[0]
        if name == "combat_space":  # whose terrain counts, by the ruling of that name
            return "space attacked from, or defended," if self.r.attack_from_terrain else "defending space"
        key, value = codes.KEYS[name], self.number(name)
        if key.kind == "number":
            return Number(value, key.absent)
        if key.kind == "switch":
            return Switch(bool(value))
        if key.kind == "either":
            return Switch({1: False, 2: True}.get(value))
        if key.kind == "one":
            text = SAID.get(key.codes[value], key.codes[value]) if value >= 0 else ""
            return Chosen([text] if text else [])
        texts = [SAID.get(word, str(word)) for word in key.codes]
        chosen = [text for bit, text in enumerate(texts) if value >> bit & 1]
        return Chosen(chosen if len(chosen) < len(texts) else [], texts)

    def counted(self, column: str) -> str:
        """Return what is counted, '' for nothing."""
        return codes.COUNT[codes.COUNTS[self.number(column)]].says.format_map(self)

    def conditions(self) -> str:
        """Return what the amount counts for, and on what conditions, as the end of a sentence."""
        text = ""
        if what := self.counted("per"):
            text += f" for each {what}"
        if what := self.counted("if"):
            text += self.lead("if") or f", with at least {self.number('if_least')} × {what}"
        if what := self.counted("unless"):
            least = self.number("unless_least")
            there = f", unless there is {what}" if least == 1 else f", with fewer than {least} × {what}"
            text += self.lead("unless") or there
        return f"{text}{self['giver']}{self.rounds()}"

    def lead(self, column: str) -> str:
        """Return a condition about being behind or ahead of the rival with most, '' for any other."""
        what, _, side = codes.COUNTS[self.number(column)].rpartition("_")
        if side not in ("behind", "ahead"):
            return ""
        return f", {column} {side} by {counted(self.number(f'{column}_least'), *LEADS[what])} or more"

    def rounds(self) -> str:
        """Return in which rounds the ability acts, as the end of a sentence; '' if in all."""
        first, last = self.number("from_round"), self.number("until_round")
        if first and last:
            return f", in rounds {first} to {last}" if first < last else f", in round {first}"
        return f", from round {first} on" if first else f", until round {last}" if last else ""

    def moment(self) -> str:
        """Return when a deed is done, as the beginning of a sentence."""
        says = codes.MOMENT[codes.MOMENTS[self.number("moment")]].says.format_map(self)
        return f"{says}{' (once a turn)' if self.number('once') else ''}: "

    def sentence(self) -> str:
        """Return the ability in words."""
        return (self.moment() if self.effect.deed else "") + self.effect.says.format_map(self) + self.conditions()


def sentence(r: np.record, row: int) -> str:
    """Return an ability in words."""
    return Row(r, row).sentence()


def sentences(r: np.record, kind: str, code: int) -> list[str]:
    """Return the abilities of a leader, wonder, city_state or diplomacy card (`kind`) in words."""
    first = int(r[f"{kind}_first"][code])
    return [sentence(r, row) for row in range(first, first + int(r[f"{kind}_n"][code]))]
