"""Fill the columns of focus cards in the RULES record: standard cards of both boxes, and unique cards of leaders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import names
from ..card_parts import Part, parts_of
from ..contents import SECTIONS
from ..node import Node
from ..record import Draft


def focus_cards(r: Draft, cards: Node, codes: Mapping[str, int]) -> None:
    """Fill in the standard cards, and own ones, by their `codes` (contents.card_codes)."""
    r.card_unique[:] = -1
    for key, code in codes.items():
        _card(r, cards[key], code, -1)


def unique_card(r: Draft, card: Node, leader: int) -> None:
    """Fill in a leader's unique card: code = N_CARDS + the leader's code."""
    _card(r, card, names.N_CARDS + leader, leader)


def _card(r: Draft, card: Node, code: int, leader: int) -> None:
    """Enter a focus card: its type, its level, whose unique card it is (-1: a standard card), and what it does."""
    kind = card.value["type"]
    r.card_type[code], r.card_level[code] = names.FOCUS_TYPES.index(kind), card.value["level"]
    r.card_unique[code] = leader
    r.n_cards = max(int(r.n_cards), code + 1)
    r.card_unavailable[code] = not card["available"]
    for part in parts_of(kind, SECTIONS[names.BOXES[r.box]]):
        if part.path:
            _fill(r, part, card, code)


def _fill(r: Draft, part: Part, card: Node, code: int) -> None:
    """Write what a card says of a part into its columns."""
    value = _at(card, part.path)
    column = part.instead[1] if part.instead[0] and _at(card, part.instead[0]) else part.column
    words = [value] if isinstance(value, str) else value
    if part.by_slot:
        for slot, number in value.items():
            r[f"card_{column}"][code, int(slot)] = number
    elif column:
        r[f"card_{column}"][code] = sum(part.bits[word] for word in words or ()) if part.bits else value or 0
    for word, flag in part.flags.items():
        r[f"card_{flag}"][code] = word in (words or ())


def _at(card: Node, path: str) -> Any:
    """Return what stands at a path of a card's data, None if nothing does."""
    *groups, last = path.split(".")
    for group in groups:
        card = card.optional(group)
    return card.get(last)
