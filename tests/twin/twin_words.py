"""Abilities read from the rules data by the twin itself: who has which, when they count, and for how much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

ERAS = ("ancient", "medieval", "modern")
RIVAL_TARGETS = ("token", "city", "capital")


def having(b: Any, seat: int, effect: str) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield the seat's abilities of the effect, each with who gave the diplomacy card (a seat, a city-state, or None)."""
    for ability, giver in b.abilities(seat):
        if ability["effect"] == effect and ability.get("works", True):
            yield ability, giver


def times(b: Any, seat: int, what: str | None, s: Any = None, other: Any = None, kind: Any = None, within: int = 0) -> int:
    """Count what an ability's `per`, `if` or `unless` names; nothing named counts once."""
    wonders = [b.content["wonder"][w] for w in b.wonders(seat)]
    rival = other if isinstance(other, int) else None
    return {
        None: lambda: 1,
        "own_wonders": lambda: len(wonders),
        "newest_era": lambda: max((ERAS.index(w["era"]) + 1 for w in wonders), default=0),
        "wonders_of_its_type": lambda: sum(w["type"] == kind for w in wonders),
        "mature_cities": lambda: len(b.mature(seat)),
        "cities": lambda: len(b.cities(seat)),
        "reinforced_tokens": lambda: len(b.reinforced(seat)),
        "reinforced_lead": lambda: len(b.reinforced(seat)) - len(b.reinforced(rival)) if rival is not None else 0,
        "natural_wonders": lambda: len(b.natural_wonders(seat)),
        "attacks_won_this_turn": lambda: b.g["attacks_won_this_turn"],
        "own_caravan_beside": lambda: sum(c in b.near[s] for c in b.caravans[seat]),
        "settlement_near": lambda: settlements(b, seat, s, within),
        "water_beside": lambda: sum(b.terrain[x] == "water" for x in b.near[s]),
        "other_has_given_card": lambda: rival is not None and b.g["given_card"][seat] == rival,
    }[what]()


def settlements(b: Any, seat: int, s: int, within: int) -> int:
    """Count city-state tokens and own cities near the space; a ruling says if one on the space itself counts (Carthage)."""
    near = set(b.within({s}, within))
    if b.rulings["carthage_defended_space"] == "does_not_count":
        near.discard(s)
    return sum(x in b.free_city_state or (b.is_city(x) and b.owner[x] == seat) for x in near)


def amount(b: Any, seat: int, ability: dict[str, Any], s: Any = None, other: Any = None, kind: Any = None) -> int:
    """Return what the ability brings now; `other`: seat or city-state on the other side, `kind`: type of the wonder."""
    for what, least in ability.get("if", {}).items():
        if times(b, seat, what, s, other, kind) < least:
            return 0
    for what, least in ability.get("unless", {}).items():
        if times(b, seat, what, s, other, kind) >= least:
            return 0
    return int(ability.get("amount", 1)) * times(b, seat, ability.get("per"), s, other, kind, ability.get("within", 0))


def total(b: Any, seat: int, effect: str) -> int:
    """Add up an effect that is a plain number."""
    return sum(amount(b, seat, ability) for ability, _ in having(b, seat, effect))


def has(b: Any, seat: int, effect: str) -> bool:
    return any(True for _ in having(b, seat, effect))


def allows(ability: dict[str, Any], key: str, word: Any) -> bool:
    """Does the ability's list of words, if it has one, contain the word?"""
    return key not in ability or word in ability[key]


def difficulty(b: Any, seat: int, s: int, value: int, doing: str) -> int:
    """Ease the printed difficulty of the space in the seat's own turn."""
    if b.turn_of != seat:
        return value

    def fits(ability: dict[str, Any]) -> bool:
        coast = ability.get("coastal") in (None, b.at_coast_or_edge(s))
        return coast and allows(ability, "terrain", b.terrain[s]) and allows(ability, "doing", doing)

    for ability, _ in having(b, seat, "difficulty"):
        if fits(ability):
            value = min(value, amount(b, seat, ability))
    return value + sum(amount(b, seat, ability) for ability, _ in having(b, seat, "difficulty_change") if fits(ability))


def combat(b: Any, seat: int, side: str, s: int, target: str, other: Any) -> int:
    """Add up the seat's bonuses on its side of a combat over the space against `other` (a seat, a city-state, or None)."""
    bonus = 0
    for ability, giver in having(b, seat, "combat"):
        fits = allows(ability, "when", side) and allows(ability, "terrain", b.terrain[s]) and allows(ability, "target", target)
        against_giver = giver is not None and giver == other
        if fits and {"never": not against_giver, "only": against_giver, None: True}[ability.get("giver")]:
            bonus += amount(b, seat, ability, s, other)
    return bonus


def wonder_cost(b: Any, seat: int, card: dict[str, Any]) -> int:
    """Return what changes of the cost of a world wonder add up to."""
    return sum(
        amount(b, seat, ability, kind=card["type"])
        for ability, _ in having(b, seat, "wonder_cost")
        if allows(ability, "type", card["type"]) and allows(ability, "era", card["era"])
    )
