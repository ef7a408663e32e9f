"""House-rule files for tests: right ones, and the same with something wrong in one place."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from newdawn.simulator import names
from newdawn.simulator.reading import yaml_of
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import _read_file, packaged_names
from newdawn.simulator.rules.overlay import Changeable, changeable
from newdawn.simulator.rules.schema import TEMPLATES, template

BASE, BOX = names.BOXES
# Ways of writing that packaged files and templates do not show.
WRITTEN = (
    "{leaders: {Rome: {start_trade_tokens: {culture: 2}, abilities: {production: {effect: production, amount: 1}}}}}",
    "{box: terra-incognita, leaders: {China: {head_start: 3, unique_card: {available: false}}}}",
    "{box: terra-incognita, victory_cards: {rules: {cards_needed: 2}}, governments: {Republic: {shift: 1}}}",
    "{box: terra-incognita, districts: {encampment: {options: {strike: {range: 3}}}}}",
    "{box: terra-incognita, components: {combat: {guard_bonus: {combat: 1}}}}",
    "{dials: {tech_dial: {level_spaces: {'2': 2, '5': 3, '9': 4}}, event_dial: {start_section: 2}}}",
    "{victory_cards: {Civilized: {condition: {at_least: 9}}, Paranoid: {condition: {metric: cities_built, at_least: 6}}}}",
    "{victory_cards: {base: {warmonger_paranoid: {agendas: {warmonger: {available: false}}}}}}",
    "{focus_cards: {base: {Iron Working: {attack_range: 4}}, pottery: {then: {tokens_up_to: 1}, wonder_production: {5: 7}}}}",
    "{focus_cards: {currency: {abilities: [{effect: resources, amount: 1, moment: card_resolved, type: [economy]}]}}}",
    "{wonders: {petra: {abilities: {combat: {amount: 3, per: null, works: true}, barbarians_barred: {works: false}}}}}",
    "{wonders: {Great Lighthouse: {resources: [oil], abilities: [{ability: petra}, {effect: attacks, amount: 1}]}}}",
    "{diplomacy: {Joint War: {abilities: {combat: {giver: only}}}, limits: {per_other_player: 2}}}",
    "{city_states: {kabul: {copies: 3, abilities: {}}}, natural_wonders: {Crater Lake: {resource: oil}}}",
    "{tiles: {5: {sides: {A: {terrain: [hills, hills, water, hills, hills, hills, hills, hills, hills, hills]}}}}}",
    "{map: {core_layout: four_tiles_block}, rulings: {win_check: before_event_dial}}",
    "{components: {leader_deal: {leaders_per_player: 2, choice: ranking, ranking: [rome, Egypt]}}}",
    "{components: {leader_deal: {bans_per_player: 1, choose_from: all_left, pick_order: reverse_turn_order}}}",
    "{components: {face_up_wonders: 3}}",
    "{leaders: {egypt: {start_bonus: {cities: 1, trade_tokens: 2}}}}",
    "{components: {per_player: {caravans: 4}, combat: {tie: attacker, may_be_attacked: {capital: false}}}}",
)


def right_files() -> list[dict[str, Any]]:
    """Return files that the loader takes: the packaged ones, the templates, and others."""
    files = [_read_file(name, "house rules") for name in packaged_names("house rules")]
    files += [yaml_of(template(kind, "Foo Bar"), kind) for kind in TEMPLATES]
    return files + [yaml_of(text, "text") for text in WRITTEN]


def nested(path: str, value: Any) -> dict[str, Any]:
    for key in reversed(path.split(".")):
        value = {key: value}
    return dict(value)


def random_changes(rng: random.Random, box: str, listed: list[Changeable]) -> dict[str, Any]:
    """Return a file with a printed value or one near to it, somewhere."""
    one = rng.choice(listed)
    value = one.value
    if isinstance(value, bool):
        value = not value
    elif isinstance(value, int):
        value += rng.choice((-30, -1, 1, 1, 2, 30, 100))
    elif isinstance(value, list) and value:
        value = rng.choice(([*value, value[0]], value[:-1], value[::-1]))
    elif isinstance(value, str):
        value = rng.choice((value, value.upper(), *one.allowed.replace(" or ", ", ").split(", ")))
    return ({"box": box} if box == BOX else {}) | nested(one.path, value)


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of everything in nested mappings and lists."""
    if isinstance(node, dict | list):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield (*path, key)
            yield from places(value, (*path, key))


WRONG_VALUES = (None, True, "", "nonsense", 0, -1, 7, 10**6, 2.5, [], [1], ["rome"], {}, {"foo": 1}, "rome", False, "oil")


def _other_value(rng: random.Random, holder: Any, key: Any) -> None:
    holder[key] = rng.choice(WRONG_VALUES)


def _remove(rng: random.Random, holder: Any, key: Any) -> None:
    del holder[key]


def _rename(rng: random.Random, holder: Any, key: Any) -> None:
    if isinstance(holder, dict):
        letter = rng.randrange(len(key))
        holder[key[:letter] + key[letter + 1 :] + rng.choice(("", "x"))] = holder.pop(key)


def _respell(rng: random.Random, holder: Any, key: Any) -> None:
    if isinstance(holder, dict):
        spelled = rng.choice((key.upper(), key.title().replace("_", " "), f" {key.replace('_', '-')}"))
        holder[spelled] = holder.pop(key)


NEW_KEYS = ("foo", "works", "effect", "amount", "name", "cost", "available", "petra", "rome", "set")


def _add(rng: random.Random, holder: Any, key: Any) -> None:
    if isinstance(holder, dict):
        holder[rng.choice(NEW_KEYS)] = rng.choice(WRONG_VALUES)
    else:
        holder.append(rng.choice((*holder, *WRONG_VALUES)))


def _nudge(rng: random.Random, holder: Any, key: Any) -> None:
    if type(holder[key]) is int:
        holder[key] += rng.choice((-100, -21, -2, -1, 1, 2, 21, 100))


def _swap(rng: random.Random, holder: Any, key: Any) -> None:
    other = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[key], holder[other] = holder[other], holder[key]


MUTATIONS: tuple[Callable[[random.Random, Any, Any], None], ...] = (
    _other_value, _remove, _rename, _respell, _add, _nudge, _swap,
)  # fmt: skip


def mutated(rng: random.Random, file: dict[str, Any]) -> dict[str, Any]:
    """Return the file with something else in one place."""
    changed: dict[str, Any] = json.loads(json.dumps(file))
    found = list(places(changed))
    *steps, key = rng.choice(found)
    holder: Any = changed
    for step in steps:
        holder = holder[step]
    rng.choice(MUTATIONS)(rng, holder, key)
    return changed


def files(number: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield so many files, most of them wrong in one place."""
    rng = random.Random(seed)
    right = right_files()
    listed = {box: changeable(load_ruleset(box=box).data) for box in names.BOXES}
    for _ in range(number):
        if rng.random() < 0.3:
            box = rng.choice(names.BOXES)
            yield random_changes(rng, box, listed[box])
        else:
            yield mutated(rng, rng.choice(right))
