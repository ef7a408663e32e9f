"""What a ruleset contains, by code and name, and the abilities of its cards as rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from .. import names
from ..names import SOURCES
from . import codes
from .codes import Key
from .record import Draft

# --- What a ruleset contains, by the engine's codes
#
# Printed entries have fixed codes (`simulator/names.py`; in Terra Incognita the base game's, then the expansion's), so that a
# game with own content draws the same keys for them; own entries follow in the order of their keys, because a digest does not
# see the order of a mapping.

OWN = "own"  # the `set` of content that a house rule adds
FIRST_OWN_CARD = names.N_CARDS + names.MAX_LEADERS  # code of the first focus card that is added to the printed ones

# By kind: its file in the data, the key of the name, and the printed names by their codes: the base game's, then the
# expansion's.
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
    """Return the box that the data are for; data of the base game have no `box`."""
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
    """Say whether the rules have partners; data of older versions of this program may lack `teams`."""
    return bool(data.get("teams", {}).get("partners", names.PARTNERS[0]) != names.PARTNERS[0])


def has_points(data: Mapping[str, Any]) -> bool:
    """Say whether the rules give victory points; data of older versions of this program may lack `scores`."""
    return any(data.get("scores", {}).get("points", {}).values())


def has_claim_limits(data: Mapping[str, Any]) -> bool:
    """Say whether some agenda can be claimed by a limited number of players; data of older versions may lack the limits."""
    part = data.get("victory_cards", {})
    agendas = (agenda for card in part.get(section(data), {}).values() for agenda in card["agendas"].values())
    return bool(
        part.get("rules", {}).get(section(data), {}).get("claims_per_agenda")
        or any(agenda.get("claims_at_most") for agenda in agendas)
    )


def points_of(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys of `scores.points` in the box: what victory points can be given for."""
    expansion = box_of(data) == names.BOXES[names.TI_BOX]
    return tuple(word for word in names.POINTS if expansion or word not in names.TI_POINTS)


def printed_names(box: str, kind: str) -> tuple[str, ...]:
    """Return the printed names of a kind (or "agenda") in a box, by their codes."""
    base, added = (names.AGENDAS, names.TI_AGENDAS) if kind == "agenda" else PRINTED[kind][2:]
    return base if box == names.BOXES[names.BASE_BOX] else (*base, *added)


def entries(data: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return the entries of a kind by key, in the order of their codes."""
    printed = printed_names(box_of(data), kind)
    listed = data[PRINTED[kind][0]]
    if kind == "diplomacy":
        listed = listed[section(data)]
    own = sorted(key for key, entry in listed.items() if entry.get("set") == OWN)
    return {key: listed[key] for key in [*(slug(name) for name in printed), *own]}


def names_of(data: Mapping[str, Any], kind: str) -> list[str]:
    """Return the names of a kind by their codes."""
    return [str(entry[PRINTED[kind][1]]) for entry in entries(data, kind).values()]


def replaced(entries: Mapping[str, Any]) -> set[str]:
    """Return the keys of the printed entries whose place own ones take (`in_place_of`)."""
    return {entry["in_place_of"] for entry in entries.values() if entry.get("in_place_of")}


def card_codes(data: Mapping[str, Any]) -> dict[str, int]:
    """Return the codes of the standard and own focus cards, by key.

    An own card that takes a printed one's place has its code; one in addition has a code after all unique cards.
    """
    cards = data["focus_cards"][section(data)]
    taken = replaced(cards)
    added = sorted(key for key, card in cards.items() if card.get("set") == OWN and not card.get("in_place_of"))
    codes = {key: FIRST_OWN_CARD + place for place, key in enumerate(added)}
    for key, card in cards.items():
        if key not in taken and key not in codes:
            codes[key] = names.FOCUS_TYPES.index(card["type"]) * names.N_LEVELS + card["level"] - 1
    return codes


def parts_of(condition: Mapping[str, Any]) -> list[Any]:
    """Return the conditions in an agenda's condition: itself, or the two of a pair."""
    return list(condition.get("any_of") or condition.get("all_of") or [condition])


def agenda_names(data: Mapping[str, Any]) -> list[str]:
    """Return the names of the agendas by their codes: the printed ones, then own ones by name."""
    cards = data["victory_cards"][section(data)].values()
    listed = {agenda["name"] for card in cards for agenda in card["agendas"].values()}
    printed = printed_names(box_of(data), "agenda")
    return [*printed, *sorted(listed - set(printed))]


def field_of(kind: str) -> str:
    """Return the field of the RULES record that holds the names of a kind."""
    return "agenda_title" if kind == "agenda" else f"{kind}_name"


def write_names(r: Draft, kind: str, texts: Sequence[str]) -> None:
    """Write the names of a kind (or of the agendas) into the RULES record, by their codes."""
    for code, name in enumerate(texts):
        write_name(r, kind, code, name)


def write_name(r: Draft, kind: str, code: int, name: str) -> None:
    """Write one name of a kind, or of the card a leader gives away (`given_card`), by its code."""
    text = name.encode()
    r[field_of(kind)][code, : len(text)] = np.frombuffer(text, np.uint8)


def name_of(r: np.record, kind: str, code: int) -> str:
    """Return one name from the compiled record, "" if there is none."""
    return bytes(r[field_of(kind)][code]).rstrip(b"\0").decode()


def written(r: np.record | Draft, kind: str) -> list[str]:
    """Return the names of a kind (or "agenda") by their codes, from the compiled record."""
    texts = [bytes(row).rstrip(b"\0").decode() for row in r[field_of(kind)]]
    return [text for text in texts if text]


# --- Abilities as rows of the RULES record, by the declarations of their words (`rules/codes.py`)
#
# Leaders, world wonders, city-states, diplomacy cards and others have a list of abilities, each with an `effect` and its keys:
# an amount, conditions, of a deed the moment.


def fields_of(effect: str) -> list[str]:
    """Return the keys that an ability of the effect may have."""
    return ["effect", "works", *codes.EFFECT[effect].keys] if effect in codes.EFFECT else ["effect"]


def words_of(ability: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words in the values of an ability."""
    for value in ability.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | Mapping):
            yield from (word for word in value if isinstance(word, str))


def write_row(r: Draft, row: int, ability: Mapping[str, Any], source: str, *, own: bool) -> None:
    """Write an ability into row `row` of the RULES record.

    `source`: its card's name, for the turn log; `own`: the printed card does not have it.
    """
    given = {**model_defaults(ability["effect"]), **ability}
    r.ability_effect[row] = codes.EFFECTS.index(given["effect"])
    for name, key in codes.KEYS.items():
        if key.kind != "text":
            r[f"ability_{name}"][row] = column_value(key, given.get(name))
        if key.kind == "counts":
            r[f"ability_{name}_least"][row] = next(iter((given.get(name) or {}).values()), 0)
    r.ability_function[row] = function_number(r, f"{given['function']}#{given['digest']}") if "function" in given else -1
    r.ability_own[row] = own
    r.ability_source[row] = SOURCES.index(source if source in SOURCES and not own else "ability")


def column_value(key: Key, value: Any) -> int:
    """Return a key's value for the engine: a number, the code of a word, or bits of words."""
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
    """Return the number of a user's function (module:name#digest) in the RULES record, entered if it is new."""
    row = np.frombuffer(text.encode().ljust(names.MAX_FUNCTION_TEXT, b"\0"), np.uint8)
    for number in range(int(r.n_functions)):
        if np.array_equal(r.function_text[number], row):
            return number
    r.function_text[r.n_functions] = row
    r.n_functions += 1
    return int(r.n_functions) - 1


@cache
def model_defaults(effect: str) -> dict[str, Any]:
    """Return the default values of an effect's keys; the mapping must not be changed."""
    return {"works": True} | {name: key.default for name, key in codes.EFFECT[effect].keys.items() if key.default is not None}


def keyed_abilities(abilities: Any) -> Any:
    """Turn a list of abilities into a mapping by effect (`combat`, a second one `combat_2`), so that each has a path."""
    if not isinstance(abilities, list) or not all(isinstance(ability, Mapping) for ability in abilities):
        return abilities
    by_key: dict[str, Any] = {}
    for ability in abilities:
        word = str(ability.get("effect", ability.get("ability", "ability")))
        key, nth = word, 1
        while key in by_key:
            nth += 1
            key = f"{word}_{nth}"
        by_key[key] = dict(ability)
    return by_key


def ability_holders(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield path and entry of everything with abilities in the data."""
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
