"""Abilities as rows of the RULES record, by the models of their words (`rules/models/abilities.py`, `deeds.py`).

A leader, world wonder, city-state or diplomacy card has a list of abilities. Each has an `effect` and what belongs to it: an
amount, conditions, for a deed the moment. ``docs/abilities.md`` is written from the models (`rules/showing/vocabulary.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from ... import limits, names
from .. import ability_codes as codes
from ..contents import section
from ..models import abilities as held
from ..models import deeds
from ..models.abilities import Ability
from ..record import Draft

MODELS: dict[str, type[Ability]] = {
    model.model_fields["effect"].annotation.__args__[0]: model  # type: ignore[union-attr]
    for model in (
        held.Combat, held.ReinforcedWorth, held.WonderCost, held.Production, held.DifficultyAtMost, held.DifficultyChange,
        held.CultureTokens, held.DialSpaces, held.CaravanSteps, held.SharedCaravanSteps, held.CityRange, held.AttackRange,
        held.Attacks, held.Reinforcements, held.AttackAnywhere, held.CountThrough, held.CaravansFromAnyCity,
        held.MaturesWith, held.TokensWithoutCity, held.ChainTokens, held.EdgeCities, held.ActsAsSlot, held.SlotShift,
        held.TradeBank, held.ExtraCard, held.RepeatCard, held.AnyTypeUpgrade, held.DiplomacyLimit, held.BarbariansBarred,
        held.RooseveltCorollary, held.DistrictWater, held.WatersideCities, held.SharedLand, held.NonAggression,
        held.ResourcesAsTrade, held.CombatPerResource, held.CityStateAsCity, held.ConquersVisited, held.LearnsFromVisited,
        held.TokensOfTakenCities, held.FoundsCity, held.FollowingToken, held.EdgeWaterLinked, deeds.TradeTokens,
        deeds.Resources, deeds.ControlTokens, deeds.Reinforce, deeds.AdvanceDial, deeds.SwapCards, deeds.RemoveRivalTokens,
        deeds.ConvertToken, deeds.PushBarbarian, deeds.SwapDiplomacy, deeds.UpgradeCards, deeds.RaiseCards,
        deeds.TakeDiplomacy, deeds.ResolveDistrict, deeds.TakeCity, deeds.Explore, deeds.GiveCard,
        deeds.Alliance, deeds.OwnFunction,
    )
}  # fmt: skip


def fields_of(effect: str) -> list[str]:
    """Return the keys that an ability of the effect may have, as they are written."""
    model = MODELS.get(effect)
    if model is None:
        return ["effect"]
    return ["effect", *(field.alias or name for name, field in model.model_fields.items() if name != "effect")]


def words_of(ability: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words an ability is written in, keys aside."""
    for value in ability.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | Mapping):
            yield from (word for word in value if isinstance(word, str))


# --- abilities as rows of the RULES record

SLOT_WORDS = tuple(range(6))
# Keys whose words are bits of a mask, keys whose word is a code, and keys that are numbers or switches.
MASKS: dict[str, tuple[Any, ...]] = {
    "when": codes.SIDES, "terrain": names.TERRAINS, "target": names.TARGETS, "doing": codes.DOINGS, "type": names.FOCUS_TYPES,
    "era": names.ERAS, "slots": SLOT_WORDS, "through": codes.THROUGH, "among": names.FOCUS_TYPES,
}  # fmt: skip
CODES: dict[str, tuple[str, ...]] = {
    "effect": codes.EFFECTS, "moment": codes.MOMENTS, "per": codes.COUNTS, "giver": codes.GIVERS, "card": names.FOCUS_TYPES,
    "resource": names.RESOURCES, "whose": codes.WHOSE, "next_to": codes.BESIDE,
}  # fmt: skip
NUMBERS = (
    "amount", "limit", "within", "from_level", "adjacent", "new_type", "for_giver", "giver_places", "reinforced", "once",
    "worth",
)  # fmt: skip
# What a key means that is not given, where that is not 0 or the whole mask.
DEFAULTS = {"amount": 1, "card": -1, "resource": -1, "limit": codes.NO_LIMIT}


def write_row(r: Draft, row: int, ability: Mapping[str, Any], source: str, *, own: bool) -> None:
    """Write an ability into row `row` of the RULES record.

    `source`: name of what has it, for the turn log; `own`: it is not an ability that the printed game has there.
    """
    given = {**model_defaults(ability["effect"]), **ability}
    for key, every in MASKS.items():
        chosen = given.get(key)
        bits = sum(1 << every.index(word) for word in chosen) if chosen else (1 << len(every)) - 1
        r[f"ability_{key}"][row] = bits
    for key, words in CODES.items():
        r[f"ability_{key}"][row] = words.index(given[key]) if given.get(key) else DEFAULTS.get(key, 0)
    for key in NUMBERS:
        r[f"ability_{key}"][row] = given.get(key, DEFAULTS.get(key, 0))
    r.ability_coastal[row] = {None: 3, True: 2, False: 1}[given.get("coastal")]
    for key in ("if", "unless"):
        condition = given.get(key) or {}
        for count, least in condition.items():
            r[f"ability_{key}"][row] = codes.COUNTS.index(count)
            r[f"ability_{key}_least"][row] = least
    r.ability_function[row] = function_number(r, f"{given['function']}#{given['digest']}") if "function" in given else -1
    r.ability_own[row] = own
    r.ability_source[row] = names.SOURCES.index(source if source in names.SOURCES and not own else "ability")


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
    fields = {field.alias or name: field for name, field in MODELS[effect].model_fields.items()}
    return {key: field.default for key, field in fields.items() if not field.is_required() and field.default is not None}


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
    box = section(data)
    for stem in ("diplomacy", "focus_cards"):
        yield from ((f"{stem}.{box}.{key}", card) for key, card in data[stem][box].items() if "abilities" in card)
