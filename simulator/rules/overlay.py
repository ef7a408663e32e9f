"""House rules: what they can change in the printed game, and the merge that changes it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field

from .. import names, user_modules
from ..errors import listed, meant, nearest
from . import checks, codes
from .board_models import Meta, allowed, inside
from .card_parts import parts_of
from .checks import parts
from .compile import ALL_IN_PLAY, compile_rules
from .content_models import Condition, Pair, Problem, TiCondition, TiPair, model_of
from .printed_game import leaves, packaged, printed_data, ruling_options
from .ruleset_contents import SECTIONS, ability_holders, box_of, fields_of, keyed_abilities, names_of, section, slug

# --- What house rules can change: every value that the engine reads and whose model leaves a choice
#
# Limits that depend on other values (no more victory cards in play than there are) are checked when house rules are read.

FROZEN = ("tiles.geometry.",)  # the values depend on each other
CardsNeeded = Literal["all in play"] | Annotated[int, Field(ge=1, le=names.MAX_IN_PLAY)]
PAIRS = (".condition.any_of", ".condition.all_of")


@dataclass(frozen=True)
class Changeable:
    """A value that house rules can change."""

    path: str
    value: Any
    kind: Any  # its type
    meta: Meta
    allowed: str  # its legal values, in words
    about: str = ""  # the meaning of the ability that it belongs to


def changeable(data: Mapping[str, Any]) -> list[Changeable]:
    """Return every value that can be changed, in the order of the data."""
    box = box_of(data)
    read = compile_rules(data, ruling_options(box), packaged(box))[1]
    models = sorted(_models(data), key=lambda part: -len(part[0]))  # the innermost first
    listed_values = []
    for path, value in [*((path, value) for path, value in leaves(data) if path in read), *_defaults(data)]:
        if not path.startswith(FROZEN):
            kind, meta, words, about = _type(data, path, models)
            if words:
                listed_values.append(Changeable(path, value, kind, meta, words, about))
    return listed_values


@cache
def open_paths(box: str) -> frozenset[str]:
    """Return the paths of the values that can be changed in the printed game of a box, and the paths above them."""
    steps = [entry.path.split(".") for entry in changeable(packaged(box))]
    return frozenset(".".join(path[:length]) for path in steps for length in range(1, len(path) + 1))


def _defaults(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield switches that the data need not write out: abilities work, and tiles are in the game."""
    for path, entry in ability_holders(data):
        yield from ((f"{path}.abilities.{key}.works", True) for key, held in entry["abilities"].items() if "works" not in held)
    for number, tile in data["tiles"]["tiles"].items():
        if "available" not in tile:
            yield f"tiles.tiles.{number}.available", True


def _models(data: Mapping[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """Yield path, model and meaning of each part of the data; only abilities have a meaning."""
    for path, kind, _ in parts(data):
        yield path, kind, ""
    for path, entry in ability_holders(data):
        for key, ability in entry["abilities"].items():
            effect = ability["effect"]
            yield f"{path}.abilities.{key}", model_of(effect), codes.EFFECT[effect].meaning.removesuffix(".")
    box = section(data)
    for key, card in data["victory_cards"][box].items():
        for agenda in card["agendas"]:
            yield f"victory_cards.{box}.{key}.agendas.{agenda}.condition", TiCondition if box == "ti" else Condition, ""


def _type(data: Mapping[str, Any], path: str, models: list[tuple[str, Any, str]]) -> tuple[Any, Meta, str, str]:
    """Return type and meta of the value at a path, its legal values in words ('' for no choice), and its ability's meaning."""
    stem, _, rest = path.partition(".")
    if stem == "rulings":
        options = tuple(ruling_options(box_of(data))[rest]["options"])
        return Literal[options], (), listed(options, "or"), ""
    if path.endswith(".cards_needed"):
        return CardsNeeded, (), f"'{ALL_IN_PLAY}' or 1 to the cards in play", ""
    if path.endswith(PAIRS):
        pair = TiPair if section(data) == "ti" else Pair
        return pair.model_fields[path.rpartition(".")[2]].annotation, (), "two conditions, given together", ""
    place, kind, about = next(part for part in models if path.startswith(f"{part[0]}."))
    meta: Meta = ()
    for step in path.removeprefix(f"{place}.").split("."):
        kind, meta = inside(kind, step, meta)
    return kind, meta, allowed(kind, meta), about


# --- House rules: an overlay file laid over the printed data
#
# An overlay is YAML: ``name``, ``description``, ``box`` if it is for one box only, and, by the name of a data file, the
# values to change: ``wonders: {petra: {cost: 8}}``. Apart from own content it changes values of the printed data. Entries of
# lists are addressed by their name in lower case with underscores; the part of the box played need not be named
# (``focus_cards: {pottery: …}``).

HEADER = ("name", "description", "box")
CLOSED = ("disputes",)  # notes about the sources, not rules

# Files whose entries may be addressed without naming this part of them; the same goes for the box's part of any file.
INNER = {"tiles": "tiles", "governments": "governments", "districts": "districts"}
# Replaced as a whole: a house rule changes their keys, too.
WHOLE = ("dials.tech_dial.level_spaces",)


def apply_overlay(data: dict[str, Any], overlay: Any) -> list[str]:
    """Change `data` as the overlay says and return the paths of the changed values."""
    if not isinstance(overlay, Mapping):
        raise Problem("(top level)", "expected a mapping with name, description and the values to change")
    changed: list[str] = []
    stems = [stem for stem in data if stem not in CLOSED]
    for stem, change in overlay.items():
        if stem in HEADER:
            if not isinstance(change, str):
                raise Problem(stem, f"expected a text, got {change!r}")
            if stem == "box":
                _check_box(data, change)
            continue
        if stem not in stems:
            valid = [*HEADER, *open_keys(data, "", stems)]
            if stem not in CLOSED:
                _elsewhere(data, stem, stem)
            raise Problem(stem, f"unknown key: expected one of {', '.join(valid)}{nearest(stem, valid)}")
        _merge(data, data[stem], change, stem, changed)
    _spell_leaders(data)
    return changed


def _check_box(data: Mapping[str, Any], box: str) -> None:
    """Raise a Problem if the house rules are for another box than the data."""
    if box not in names.BOXES:
        raise Problem("box", f"expected {' or '.join(names.BOXES)}, got {box!r}{nearest(box, names.BOXES)}")
    if box != box_of(data):
        raise Problem("box", f"these house rules are for the box {box}: add --box {box}")


def _spell_leaders(data: Mapping[str, Any]) -> None:
    """Spell the leaders of a ranking as the data do: house rules may use any spelling."""
    deal = data["components"]["leader_deal"][section(data)]
    if isinstance(deal["ranking"], list):
        leaders = names_of(data, "leader")
        deal["ranking"] = [meant(str(name), leaders) or name for name in deal["ranking"]]


def _merge(data: Mapping[str, Any], node: dict[str, Any], change: Any, path: str, changed: list[str]) -> None:
    if not isinstance(change, Mapping):
        examples = ", ".join(open_keys(data, path, node)[:3])
        raise Problem(path, f"expected a mapping with keys such as {examples}, got {change!r}")
    for key, value in change.items():
        inner = _inner(data, node, path)
        if inner and checks.is_new(node[inner], f"{path}.{inner}", key, value) and key not in node:
            _add_own(data, node[inner], f"{path}.{inner}", key, value, changed)
            continue
        if checks.is_new(node, path, key, value):
            _add_own(data, node, path, key, value, changed)
            continue
        if key == "abilities" and isinstance(value, list):
            _replace(node, key, listed_abilities(data, value, f"{path}.{key}"), f"{path}.{key}", changed, is_new=True)
            continue
        added = path.endswith(".abilities") and key not in node and isinstance(value, Mapping)
        if added and {"effect", "ability"} & set(value):
            for new, ability in listed_abilities(data, [value], f"{path}.{key}").items():
                name = key if "effect" in value else f"{key}_{new}"
                _replace(node, name, ability, f"{path}.{name}", changed, is_new=True)
            continue
        holder, name, place = _address(data, node, key, path)
        old = holder.get(name)
        optional = name in _optional_keys(data, place.rsplit(".", 1)[0])
        if value is None and optional:
            changed += [place] if holder.pop(name, None) is not None else []
        elif isinstance(old, dict) and not (place in WHOLE or _whole_condition(place, value)):
            _merge(data, old, value, place, changed)
        else:
            _replace(holder, name, value, place, changed, is_new=name not in holder)


def _add_own(
    data: Mapping[str, Any], node: dict[str, Any], path: str, key: str, value: Mapping[str, Any], changed: list[str]
) -> None:
    """Add an own leader, wonder, card, city-state, natural wonder or tile."""

    def abilities(given: Any, place: str) -> dict[str, Any]:
        return listed_abilities(data, list(given.values()) if isinstance(given, Mapping) else given, place)

    node[key] = checks.entry(data, node, path, key, value, abilities)
    checks.take_place(data, path, key)
    changed.append(f"{path}.{key}")


def _replace(holder: dict[str, Any], name: str, value: Any, place: str, changed: list[str], *, is_new: bool) -> None:
    old = holder.get(name)
    if not is_new and old is not None and isinstance(old, Mapping) != isinstance(value, Mapping):
        raise Problem(place, f"expected {_kind(old)}, got {value!r}")
    holder[name] = value
    changed += [leaf for leaf, _ in leaves(value, place)] or [place]


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    kinds = ((int, "a whole number"), (str, "a text"), (list, "a list"), (Mapping, "a mapping"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "a value")


def _whole_condition(place: str, value: Any) -> bool:
    """Say whether an agenda gets a new condition, rather than another number in its own."""
    return place.endswith(".condition") and isinstance(value, Mapping) and bool({"metric", "any_of", "all_of"} & set(value))


def _address(data: Mapping[str, Any], node: dict[str, Any], key: str, path: str) -> tuple[dict[str, Any], str, str]:
    """Return the dictionary that holds `key`, the key there, and its full path."""
    for holder, place in [(node, path), *_inside(data, node, path)]:
        for name in (key, slug(key), f"{slug(key)}_{section(data)}"):
            if name in holder or (holder is node and name in _optional_keys(data, path)):
                return holder, name, f"{place}.{name}"
    _elsewhere(data, f"{path}.{key}", key)
    if path.endswith(".abilities") and key in codes.EFFECT:
        raise Problem(f"{path}.{key}", f"does not exist; expected a new ability with its effect: {{effect: {key}, …}}")
    valid = open_keys(data, path, node)
    for holder, place in _inside(data, node, path):
        valid += [name for name in open_keys(data, place, holder) if name not in valid]
    raise Problem(f"{path}.{key}", f"unknown key: expected one of {', '.join(valid)}{nearest(key, valid)}")


def open_keys(data: Mapping[str, Any], path: str, keys: Iterable[str]) -> list[str]:
    """Return the keys at a path that house rules can change or add; in own content, all of them."""
    steps, paths = path.split("."), open_paths(box_of(data))
    ability = steps[-2:-1] == ["abilities"]
    added = [key for key in _optional_keys(data, path) if not (ability and key == "effect")]
    own_content = bool(path) and path not in paths

    def is_open(key: str) -> bool:
        place = f"{path}.{key}".removeprefix(".")
        return own_content or place in paths or describes(place)

    return list(dict.fromkeys([*filter(is_open, keys), *added]))


def _inner(data: Mapping[str, Any], node: Mapping[str, Any], path: str) -> str | None:
    """Return the key of the part whose entries may be addressed without naming it."""
    own_part = section(data)
    return own_part if isinstance(node.get(own_part), dict) else INNER.get(path)


def _elsewhere(data: Mapping[str, Any], path: str, key: str) -> None:
    """Raise a Problem if the other box has the key."""
    for box in names.BOXES:
        if box == box_of(data):
            continue
        other = printed_data(box)
        steps = [step for step in path.split(".")[:-1] if step not in SECTIONS.values()]
        node: Any = other
        for step in steps:
            holders = [node, *(holder for holder, _ in _inside(other, node, ""))] if isinstance(node, dict) else []
            node = next((holder[step] for holder in holders if step in holder), None)
        if isinstance(node, dict) and (slug(key) in node or slug(key) in node.get(SECTIONS[box], {})):
            raise Problem(path, f"is in the box {box} only: add --box {box}")


def _inside(data: Mapping[str, Any], node: dict[str, Any], path: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the mappings, with their paths, whose entries may be addressed without naming them."""
    inner = _inner(data, node, path)
    if inner is None:
        return
    yield node[inner], f"{path}.{inner}"
    if path == "victory_cards":
        for key, card in node[inner].items():
            yield card["agendas"], f"{path}.{inner}.{key}.agendas"


def _optional_keys(data: Mapping[str, Any], path: str) -> Iterable[str]:
    """Return the keys that a house rule may add at `path`."""
    steps = path.split(".")
    if steps[-2:-1] == ["abilities"]:
        ability = _at(data, steps)
        return fields_of(str(ability.get("effect"))) if isinstance(ability, Mapping) else ()
    if steps[:2] == ["tiles", "tiles"] and len(steps) == 3:
        return ("available",)
    if steps[:1] == ["natural_wonders"] and len(steps) == 2:
        return ("abilities",)
    if steps[:1] == ["leaders"] and steps[2:3] == ["unique_card"]:
        steps = ["focus_cards", *steps[2:]]  # a card like others
        printed = _at(data, path.split(".")[:3])
    elif steps[:2] == ["focus_cards", section(data)]:
        printed = _at(data, steps[:3])
        steps = steps[1:]
    else:
        return ()
    if not isinstance(printed, Mapping):
        return ()
    paths = [part.path.split(".") for part in parts_of(printed.get("type", ""), section(data)) if part.path]
    if len(steps) == 2:
        return dict.fromkeys([*(path[0] for path in paths), "abilities"])
    return [path[1] for path in paths if path[:-1] == steps[2:]]


def _at(data: Any, steps: list[str]) -> Any:
    for key in steps:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data


def listed_abilities(data: Mapping[str, Any], abilities: list[Any], path: str) -> dict[str, Any]:
    """Return a list of abilities by their keys; ``ability: petra`` stands for those of a printed card or leader."""
    complete: list[Any] = []
    if not isinstance(abilities, list):
        raise Problem(path, f"expected a list of abilities, got {abilities!r}")
    for given in abilities:
        if not isinstance(given, Mapping):
            raise Problem(path, f"expected abilities such as {{effect: combat, amount: 1}}, got {given!r}")
        if "ability" not in given:
            complete.append(with_digest(given, path))
            continue
        if len(given) > 1:
            other = next(key for key in given if key != "ability")
            raise Problem(f"{path}.{other}", "unknown key beside `ability`, which takes a printed ability as it is")
        by_name: dict[str, Mapping[str, Any]] = {}  # those of the data win over those printed in other boxes
        for box in names.BOXES:
            by_name |= named_abilities(printed_data(box)) if box != box_of(data) else {}
        by_name |= named_abilities(data)
        word = slug(str(given["ability"]))
        if word not in by_name:
            raise Problem(f"{path}.ability", f"unknown ability {given['ability']!r}{nearest(word, by_name)}")
        complete += json.loads(json.dumps(list(by_name[word].values())))
    return dict(keyed_abilities(complete))


def with_digest(ability: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    """Return the ability; one that calls a user's function with the digest of the function's file."""
    place = ability.get("function")
    if ability.get("effect") != "own_function" or not isinstance(place, str):
        return ability
    module = place.partition(":")[0]
    digest = user_modules.digest_of(module)
    if not digest:
        raise Problem(f"{path}.own_function.function", f"there is no module '{module}' here; expected module:name")
    return {**ability, "digest": digest}


def named_abilities(data: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the abilities of everything that has some, by its key; a leader's also by the name of its power."""
    by_name = {}
    for path, entry in ability_holders(data):
        by_name[path.rsplit(".", 1)[-1]] = entry["abilities"]
        if entry.get("ability_name"):
            by_name[slug(entry["ability_name"])] = entry["abilities"]
    return by_name


def describes(path: str) -> bool:
    """Say whether the value at a path is a line for people to read, an `effect` that is not the word of an ability."""
    steps = path.split(".")
    return steps[-1] == "effect" and steps[-3:-2] != ["abilities"]


def describe_diff(ruleset: Any, printed: Any) -> list[str]:
    """Return one line ``path: old -> new`` for each value in which two rulesets differ."""
    new, old = dict(leaves(ruleset.data)), dict(leaves(printed.data))
    paths = [*old, *(path for path in new if path not in old)]
    return [
        f"{path}: {_shown(old, path)} -> {_shown(new, path)}{' (only a description)' if describes(path) else ''}"
        for path in paths
        if old.get(path) != new.get(path) or (path in old) != (path in new)
    ]


def _shown(values: Mapping[str, Any], path: str) -> str:
    if path not in values:
        return "(none)"
    value = values[path]
    return value if isinstance(value, str) else json.dumps(value)
