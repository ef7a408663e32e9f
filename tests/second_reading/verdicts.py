"""What the program takes of abilities drawn by lot, and what a reading of the page takes (`sense`): begin with `unlike`.

`BREAKS` are the contract of the words broken on purpose, each so that the program takes or refuses something else.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent))

import draw
from content import BASE, EXPANSION, Ability
from sense import nonsense

from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import checks, codes, contract
from newdawn.simulator.rules.content_models import Problem
from newdawn.simulator.rules.load import load_ruleset, with_overlay
from newdawn.simulator.rules.ruleset_contents import ability_holders

KINDS = ("leader", "wonder", "diplomacy", "city_state", "natural_wonder", "card", "everyone")
PROBE = {
    "leader": lambda one: {"leaders": {"probe": {"name": "Probe", "start_row": list(draw.ROW), "abilities": [one]}}},
    "wonder": lambda one: {
        "wonders": {"probe": {"name": "Probe", "type": "culture", "era": "ancient", "cost": 5, "resources": ["oil", "marble"],
                              "abilities": [one]}}
    },
    "diplomacy": lambda one: {"diplomacy": {"probe": {"name": "Probe", "abilities": [one]}}},
    "city_state": lambda one: {
        "city_states": {"probe": {"name": "Probe", "type": "culture", "in_place_of": "seoul", "abilities": [one]}}
    },
    "natural_wonder": lambda one: {
        "natural_wonders": {"probe": {"name": "Probe", "resource": "oil", "in_place_of": "pantanal", "abilities": [one]}}
    },
    "card": lambda one: {"focus_cards": {"probe": {"name": "Probe", "type": "culture", "level": 2, "abilities": [one]}}},
    "everyone": lambda one: {"everyone": {"abilities": [one]}},
}  # fmt: skip


PRINTED = {box: load_ruleset(box=box) for box in (BASE, EXPANSION)}
MOST = {("convert_token", "amount"): 2, ("convert_token", "limit"): 2}  # numbers that the page gives no room beyond


@cache
def _bare(box: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the rules of the box without any ability, and an entry of each kind in them."""
    data = json.loads(json.dumps(PRINTED[box].data))
    for _, entry in ability_holders(data):
        entry["abilities"] = {}
    part = "ti" if box == EXPANSION else "base"
    stems = {"leader": data["leaders"], "wonder": data["wonders"], "diplomacy": data["diplomacy"][part],
             "city_state": data["city_states"], "natural_wonder": data["natural_wonders"]}  # fmt: skip
    places = {kind: next(iter(entries.values())) for kind, entries in stems.items()}
    card = next(iter(data["focus_cards"][part].values()))
    return data, places | {"card": card, "everyone": data["everyone"]}


def quick_refusal(box: str, kind: str, ability: Ability) -> str:
    """Return what the check of abilities alone has against one, "" for nothing: a hundred times as fast as `refusal`."""
    data, places = _bare(box)
    places[kind]["abilities"] = {ability["effect"]: ability}
    try:
        checks.check_abilities(data)
    except Problem as error:
        return str(error)
    finally:
        places[kind]["abilities"] = {}
    return ""


def refusal(box: str, kind: str, ability: Ability) -> str:
    """Return what the program has against an ability, "" for nothing."""
    try:
        with_overlay(PRINTED[box], PROBE[kind](ability), "draw")
    except UserError as error:
        return str(error)
    return ""


def unlike(box: str, number: int, abilities: int, whole: bool = False) -> tuple[int, list[str]]:
    """Return how many of the abilities drawn are sense, and where program and reading take something else.

    `whole`: by all that is done with a file of house rules.
    """
    dice = Random(f"{box} {number}")
    sense, found = 0, []
    for _ in range(abilities):
        kind = dice.choice(KINDS)
        ability = _drawn(dice)
        against, said = nonsense(ability, kind, box), (refusal if whole else quick_refusal)(box, kind, ability)
        sense += not against
        if bool(against) != bool(said):
            found.append(f"{kind}: {ability}: the reading {against or 'takes it'}, the program {said or 'takes it'}")
    return sense, found


def _drawn(dice: Random) -> Ability:
    """Draw an ability, its rounds in any order, and counts of more than there can be."""
    ability, _ = draw.any_ability(dice)
    for (effect, key), most in MOST.items():
        if ability["effect"] == effect and key in ability:
            ability[key] = min(ability[key], most)
    if ability["effect"] == "wonder_cost" and "growth" in ability.get("type", ()):
        del ability["type"]  # there are no wonders of growth
    if dice.random() < 0.1:
        ability["until_round"] = dice.randint(1, 9)
    for key in ("if", "unless"):
        if key in ability and dice.random() < 0.2:
            ability[key] = {what: least + 3 for what, least in ability[key].items()}
    return ability


# --- broken on purpose


def _knows(moment: str, *facts: str, without: tuple[str, ...] = ()) -> Any:
    """Let the contract say that a moment knows more, or less."""
    there = codes.MOMENT[moment]
    return patch.dict(codes.MOMENT, {moment: replace(there, knows=(there.knows | set(facts)) - set(without))})


BREAKS = {
    "the end of a turn knows a terrain": lambda: _knows("end_of_turn", codes.FACT_TERRAIN),
    "a city that is built has no terrain": lambda: _knows("city_built", without=(codes.FACT_TERRAIN,)),
    "players defend barbarians": lambda: patch.dict(
        codes.MOMENT, {"defence_won": replace(codes.MOMENT["defence_won"], targets=codes.MOMENT["attack_won"].targets)}
    ),
    "every moment has another player": lambda: patch.dict(
        codes.COUNT, {"reinforced_lead": replace(codes.COUNT["reinforced_lead"], needs="")}
    ),
    "rounds may go backwards": lambda: patch.object(contract, "_of_rounds", lambda ability: iter(())),
    "everyone has a giver": lambda: patch.object(contract, "GIVEN", ("diplomacy", "city_states", "everyone", "leaders")),
    "there are four eras": lambda: patch.dict(codes.COUNT, {"newest_era": replace(codes.COUNT["newest_era"], most=9)}),
}


def noticed(box: str, number: int, abilities: int) -> dict[str, int]:
    """Return how often program and reading take something else under each break, and with nothing broken."""
    found = {"nothing": len(unlike(box, number, abilities)[1])}
    for name, broken in BREAKS.items():
        with broken():
            found[name] = len(unlike(box, number, abilities)[1])
    return found
