"""What a ruleset contains, by code and name, and the abilities of its cards as rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from .. import limits, names
from ..sources import SOURCES
from . import codes
from .codes import Key
from .record import Draft

# --- What a ruleset contains, by the engine's codes
#
# The printed leaders, wonders … first, own ones after them.
#
# Printed entries have fixed codes (`simulator/names.py`; in Terra Incognita the base game's, then the expansion's), so that a
# game with own content draws the same keys for them; own entries follow in the order of their keys, because a digest does not
# see the order of a mapping.

OWN = "own"  # the `set` of what a house rule has added
FIRST_OWN_CARD = names.N_CARDS + limits.MAX_LEADERS  # code of the first focus card that is added to the printed ones

# Kind: where it is in the data, the key of the name, and the printed names in the order of their codes: the base game's, and
# what the expansion adds.
PRINTED: dict[str, tuple[str, str, tuple[str, ...], tuple[str, ...]]] = {
    "leader": ("leaders", "civ", names.LEADERS, names.TI_LEADERS),
    "wonder": ("wonders", "name", names.WONDERS, names.TI_WONDERS),
    "city_state": ("city_states", "name", names.CITY_STATES, names.TI_CITY_STATES),
    "natural_wonder": ("natural_wonders", "name", names.NATURAL_WONDERS, names.TI_NATURAL_WONDERS),
    "diplomacy": ("diplomacy", "name", names.DIPLOMACY_CARDS, names.TI_DIPLOMACY_CARDS),
}
# The key of a box's own part where the boxes differ: `focus_cards.ti`.
SECTIONS = dict(zip(names.BOXES, ("base", "ti"), strict=True))


@lru_cache(maxsize=1_000)
def slug(name: str) -> str:
    """Return the key of a name in the data: lower case, underscores for all but letters and digits."""
    words = "".join(char if char.isalnum() else " " for char in name.lower()).split()
    return "_".join(words)


def box_of(data: Mapping[str, Any]) -> str:
    """Return the box that the data are for; those of the base game do not say it."""
    return str(data.get("box", names.BOXES[names.BASE_BOX]))


def digest_of(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the data in canonical JSON."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def section(data: Mapping[str, Any]) -> str:
    """Return the key of the box's own part of the data: "base" or "ti"."""
    return SECTIONS[box_of(data)]


def focus_types(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the focus types of the box: growth comes with the expansion."""
    return names.FOCUS_TYPES if box_of(data) == names.BOXES[names.TI_BOX] else names.FOCUS_TYPES[: names.GROWTH]


def has_teams(data: Mapping[str, Any]) -> bool:
    """Say whether the rules let partners win together; those of older versions of this program do not say it."""
    return bool(data.get("teams", {}).get("partners", names.PARTNERS[0]) != names.PARTNERS[0])


def has_points(data: Mapping[str, Any]) -> bool:
    """Say whether the rules give victory points; those of older versions of this program do not say it."""
    return any(data.get("scores", {}).get("points", {}).values())


def has_claim_limits(data: Mapping[str, Any]) -> bool:
    """Say whether agendas are for the first who claim them only; rules of older versions of this program do not say it."""
    part = data.get("victory_cards", {})
    agendas = (agenda for card in part.get(section(data), {}).values() for agenda in card["agendas"].values())
    return bool(
        part.get("rules", {}).get(section(data), {}).get("claims_per_agenda")
        or any(one.get("claims_at_most") for one in agendas)
    )


def points_of(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what of the box victory points can be given for, in the words of `scores.points`."""
    expansion = box_of(data) == names.BOXES[names.TI_BOX]
    return tuple(word for word in names.POINTS if expansion or word not in names.TI_POINTS)


def printed_names(box: str, kind: str) -> tuple[str, ...]:
    """Return the printed names of a kind (or "agenda") in a box, by their codes."""
    base, added = (names.AGENDAS, names.TI_AGENDAS) if kind == "agenda" else PRINTED[kind][2:]
    return base if box == names.BOXES[names.BASE_BOX] else (*base, *added)


def entries(data: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return the entries of a kind that the engine knows, by key, in the order of their codes."""
    printed = printed_names(box_of(data), kind)
    found = data[PRINTED[kind][0]]
    if kind == "diplomacy":
        found = found[section(data)]
    own = sorted(key for key, entry in found.items() if entry.get("set") == OWN)
    return {key: found[key] for key in [*(slug(name) for name in printed), *own]}


def names_of(data: Mapping[str, Any], kind: str) -> list[str]:
    """Return the names of a kind by their codes."""
    return [str(entry[PRINTED[kind][1]]) for entry in entries(data, kind).values()]


def replaced(entries: Mapping[str, Any]) -> set[str]:
    """Return the keys of the printed entries whose place own ones have taken (`in_place_of`)."""
    return {entry["in_place_of"] for entry in entries.values() if entry.get("in_place_of")}


def card_codes(data: Mapping[str, Any]) -> dict[str, int]:
    """Return the code of each standard focus card that is in the game, by key: by type and level; then those added.

    An own card that takes a printed one's place has its code; one that is there in addition has one after all unique cards.
    """
    cards = data["focus_cards"][section(data)]
    gone = replaced(cards)
    added = sorted(key for key, card in cards.items() if card.get("set") == OWN and not card.get("in_place_of"))
    codes = {key: FIRST_OWN_CARD + place for place, key in enumerate(added)}
    for key, card in cards.items():
        if key not in gone and key not in codes:
            codes[key] = names.FOCUS_TYPES.index(card["type"]) * names.N_LEVELS + card["level"] - 1
    return codes


def parts_of(condition: Mapping[str, Any]) -> list[Any]:
    """Return the conditions that an agenda's condition is made of: itself, or the two of a pair."""
    return list(condition.get("any_of") or condition.get("all_of") or [condition])


def agenda_names(data: Mapping[str, Any]) -> list[str]:
    """Return the names of the agendas by their codes: the printed ones, then own ones by name."""
    cards = data["victory_cards"][section(data)].values()
    every = {agenda["name"] for card in cards for agenda in card["agendas"].values()}
    printed = printed_names(box_of(data), "agenda")
    return [*printed, *sorted(every - set(printed))]


def _field(kind: str) -> str:
    return "agenda_title" if kind == "agenda" else f"{kind}_name"


def write_names(r: Draft, kind: str, found: Sequence[str]) -> None:
    """Write the names of a kind (or of the agendas) into the RULES record, by their codes."""
    for code, name in enumerate(found):
        write_name(r, kind, code, name)


def write_name(r: Draft, kind: str, code: int, name: str) -> None:
    """Write one name of a kind, or of the card a leader gives away (`given_card`), by its code."""
    text = name.encode()
    r[_field(kind)][code, : len(text)] = np.frombuffer(text, np.uint8)


def name_of(r: np.record, kind: str, code: int) -> str:
    """Return one name as the compiled record holds it, an empty text where there is none."""
    return bytes(r[_field(kind)][code]).rstrip(b"\0").decode()


def written(r: np.record | Draft, kind: str) -> list[str]:
    """Return the names of a kind (or "agenda") by their codes, as the compiled record holds them."""
    texts = [bytes(row).rstrip(b"\0").decode() for row in r[_field(kind)]]
    return [text for text in texts if text]


# --- Abilities as rows of the RULES record, by what their words are declared to be (`rules/codes.py`)
#
# A leader, world wonder, city-state or diplomacy card has a list of abilities. Each has an `effect` and what belongs to it:
# an amount, conditions, for a deed the moment. ``docs/abilities.md`` is written from the declarations
# (`vocabulary.py`).


def fields_of(effect: str) -> list[str]:
    """Return the keys that an ability of the effect may have, as they are written."""
    return ["effect", "works", *codes.EFFECT[effect].keys] if effect in codes.EFFECT else ["effect"]


def words_of(ability: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words an ability is written in, keys aside."""
    for value in ability.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | Mapping):
            yield from (word for word in value if isinstance(word, str))


# --- abilities as rows of the RULES record


def write_row(r: Draft, row: int, ability: Mapping[str, Any], source: str, *, own: bool) -> None:
    """Write an ability into row `row` of the RULES record.

    `source`: name of what has it, for the turn log; `own`: it is not an ability that the printed game has there.
    """
    given = {**model_defaults(ability["effect"]), **ability}
    r.ability_effect[row] = codes.EFFECTS.index(given["effect"])
    for name, key in codes.KEYS.items():
        if key.kind != "text":
            r[f"ability_{name}"][row] = written_abilities(key, given.get(name))
        if key.kind == "counts":
            r[f"ability_{name}_least"][row] = next(iter((given.get(name) or {}).values()), 0)
    r.ability_function[row] = function_number(r, f"{given['function']}#{given['digest']}") if "function" in given else -1
    r.ability_own[row] = own
    r.ability_source[row] = SOURCES.index(source if source in SOURCES and not own else "ability")


def written_abilities(key: Key, value: Any) -> int:
    """Return what the engine reads for the value of a key: a number, the code of a word, or bits of words."""
    if key.kind == "either":
        return 3 if value is None else 1 << value
    if key.kind == "some":
        return sum(1 << key.codes.index(word) for word in value or key.codes)
    if not value:
        return 0 if value in (0, False) else key.absent
    if key.kind in ("one", "count"):
        return key.codes.index(value)
    return key.codes.index(next(iter(value))) if key.kind == "counts" else int(value)


def function_number(r: Draft, text: str) -> int:
    """Return the number of a user's function in the RULES record, entered there now if it is new."""
    written = np.frombuffer(text.encode().ljust(limits.MAX_FUNCTION_TEXT, b"\0"), np.uint8)
    known = int(r.n_functions)
    for number in range(known):
        if np.array_equal(r.function_text[number], written):
            return number
    r.function_text[known] = written
    r.n_functions = known + 1
    return known


@cache
def model_defaults(effect: str) -> dict[str, Any]:
    """Return the values of the keys that an ability of the effect need not give; they must not be changed."""
    return {"works": True} | {name: key.default for name, key in codes.EFFECT[effect].keys.items() if key.default is not None}


def keyed_abilities(abilities: Any) -> Any:
    """Turn a list of abilities into a mapping by effect (`combat`, a second one `combat_2`), so that each has a path."""
    if not isinstance(abilities, list) or not all(isinstance(one, Mapping) for one in abilities):
        return abilities
    found: dict[str, Any] = {}
    for one in abilities:
        word = str(one.get("effect", one.get("ability", "ability")))
        key, nth = word, 1
        while key in found:
            nth += 1
            key = f"{word}_{nth}"
        found[key] = dict(one)
    return found


def ability_holders(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield path and entry of everything in the data that has abilities."""
    for stem in ("leaders", "wonders", "city_states", "natural_wonders"):
        yield from ((f"{stem}.{key}", entry) for key, entry in data[stem].items() if "abilities" in entry)
    for key, leader in data["leaders"].items():
        for card in ("given_card", "unique_card"):
            if "abilities" in (leader.get(card) or {}):
                yield f"leaders.{key}.{card}", leader[card]
    yield "everyone", data["everyone"]
    box = section(data)
    for stem in ("diplomacy", "focus_cards"):
        yield from ((f"{stem}.{box}.{key}", card) for key, card in data[stem][box].items() if "abilities" in card)
