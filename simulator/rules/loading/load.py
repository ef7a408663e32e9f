"""Load the rules data: the packaged YAML, house-rule overlays over it, a map file into it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from ... import foreign, names
from ...errors import UserError, nearest
from ...reading import text_of, yaml_of
from ..contents import OWN, SECTIONS, box_of, digest_of, has_teams, section, slug
from ..models.problem import Problem, short
from ..node import leaves
from .checks import validate
from .compile import compile_rules, victory_card_ids
from .maps import check_map, check_printed_layouts, map_name
from .overlay import WHOLE, apply_overlay, describes, open_keys
from .packaged import packaged, printed_data, ruling_options

PRINTED = "printed"
EXAMPLES = {
    "house rules": "a mapping of what to change, such as `wonders: {petra: {cost: 5}}`; `newdawn rules list` names all of it",
    "map": "a mapping with the tiles, such as `tiles: [{tile: 4, side: A, q: 3, r: -4, rotation: 5}]`",
}
MOST_PROBLEMS = 50  # that are looked for in files
TRAIN = "`newdawn compare … --adapt` trains players for these rules"


@dataclass(frozen=True)
class Ruleset:
    """The rules of a game: printed, or with house rules laid over them."""

    name: str
    data: dict[str, Any]
    descriptions: tuple[str, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())  # what house rules say in vain, and what they make impossible
    changed: tuple[str, ...] = field(default=(), compare=False)  # paths of the values that house rules name

    @property
    def box(self) -> str:
        """The box it is for, one of names.BOXES."""
        return box_of(self.data)

    def digest(self) -> str:
        """Return the digest of the data: equal exactly for equal rules."""
        return digest_of(self.data)

    def compile(self) -> np.record:
        """Return a fresh RULES record for the engine."""
        return compiled(self.data)[0]

    def victory_card_ids(self) -> list[str]:
        """Return the ids of the victory cards by their engine codes."""
        return victory_card_ids(self.data)


def not_aimed_at(data: Mapping[str, Any]) -> list[str]:
    """Say what of the ways to win by these rules the strategies do not play for; rules of older versions have no such ways."""
    found = []
    if any(data.get("scores", {}).get("points", {}).values()):
        found.append(f"scores: the strategies play for victory cards, not for points; {TRAIN}")
    if has_teams(data):
        found.append(f"teams: the strategies play for their own victory cards and help no partner; {TRAIN}")
    return found


def compiled(data: Mapping[str, Any]) -> tuple[np.record, set[str]]:
    """Return the RULES record of `data` and the paths of the values it was made from."""
    box = box_of(data)
    return compile_rules(data, ruling_options(box), packaged(box))


@dataclass(frozen=True)
class Written:
    """House rules that were read from a file."""

    file: str
    content: Mapping[str, Any]

    def __str__(self) -> str:
        return self.file


def load_ruleset(
    overlays: Sequence[Path | str | Written] = (), map_file: Path | str | None = None, box: str = names.BOXES[0]
) -> Ruleset:
    """Return the printed rules of a box, changed by the `overlays` in their order and played on the map of `map_file`."""
    data = printed_data(box)
    sources: dict[str, str] = {}  # which file changed a value
    titles: list[str] = []
    descriptions: list[str] = []
    for file in overlays:
        overlay = file.content if isinstance(file, Written) else _read_file(file, "house rules")
        for path in _blaming(str(file), apply_overlay, data, overlay):
            sources[path] = str(file)
        titles.append(str(overlay.get("name") or Path(str(file)).stem))
        descriptions.append(str(overlay.get("description", "")))
    if map_file is not None:
        user_map = _read_file(map_file, "map")
        _blaming(str(map_file), check_map, user_map, data)
        data["map"].update(mode="user", user_map=user_map)
        titles.append(f"map {map_name(user_map, map_file)}")
    ruleset = Ruleset(" + ".join(titles) or PRINTED, data, tuple(text for text in descriptions if text))
    _check(ruleset.data, sources)
    notes = (*(_idle(data, sources) if overlays else ()), *_too_few(data), *_vain_deal(data), *not_aimed_at(data))
    programs = tuple(foreign.program("", place) for place in own_functions(data)[:1])
    return replace(ruleset, notes=(*notes, *programs), changed=tuple(sources))


def own_functions(data: Any) -> list[str]:
    """Return the functions of users that the rules call (`own_function`)."""
    if isinstance(data, Mapping):
        own = [str(data["function"])] if data.get("effect") == "own_function" and "function" in data else []
        return own + [place for inside in data.values() for place in own_functions(inside)]
    return [place for inside in data for place in own_functions(inside)] if isinstance(data, list) else []


def problems(files: Sequence[Path | str], box: str) -> list[UserError]:
    """Return all that is wrong with files of house rules, [] if they are fine.

    What was found is taken out, and the rest is looked at again: each is wrong if those before it were not there.
    """
    found: list[UserError] = []
    left: list[Written] = []
    for file in files:
        try:
            left.append(Written(str(file), json.loads(json.dumps(_read_file(file, "house rules")))))
        except UserError as error:
            found.append(error)
    gone: set[str] = set()
    while len(found) < MOST_PROBLEMS:
        try:
            load_ruleset(left, box=box).compile()
            break
        except UserError as error:
            one = next((one for one in left if one.file == error.file), None)
            place = _place(one.content, error.field, box) if one else []
            is_told = any(path == error.field or path.startswith(f"{error.field}.") for path in gone)  # "is missing"
            found += [] if is_told else [error]
            if one is None or not place:
                break
            gone.add(error.field)
            node: Any = one.content
            for key in place[: max(1, len(place) - is_told) - 1]:
                node = node[key]
            del node[place[max(1, len(place) - is_told) - 1]]
    return found


def _place(content: Any, path: str, box: str) -> list[str]:
    """Return the keys that lead to a path, as far as the file has it; it need not name parts that belong to the box."""
    keys: list[str] = []
    for step in path.split("."):
        words = {} if not isinstance(content, Mapping) else {slug(str(key)): key for key in content}
        key = words.get(step, words.get(step.removesuffix(f"_{SECTIONS[box]}")))
        if key is not None:
            keys.append(key)
            content = content[key]
    return keys


def _idle(data: Mapping[str, Any], changed: Iterable[str]) -> list[str]:
    """Say which of the values that house rules name change nothing in the game."""
    printed, found = dict(leaves(printed_data(box_of(data)))), dict(leaves(data))
    differs = {path for path in {**printed, **found} if printed.get(path) != found.get(path)}
    parts = {_part(path) for path in differs} - {""}
    notes = []
    for path in changed:
        if describes(path):
            notes.append(f"{path}: is only a description; it changes nothing in the game")
        elif path in printed and path not in differs and not path.startswith(WHOLE) and _part(path) not in parts:
            notes.append(f"{path}: has its printed value; it changes nothing")
    if not any(not describes(path) for path in differs):
        notes.append("these house rules change nothing")
    return notes


def _part(path: str) -> str:
    """Return the ability or condition that a value belongs to, "" if to none: it is written as a whole, printed values too."""
    whole = re.match(r".*\.(abilities\.\w+|condition)(?=\.)", path)
    return whole[0] if whole else ""


def _too_few(data: Mapping[str, Any]) -> list[str]:
    """Say for which numbers of players there are too few leaders."""
    leaders = sum(leader.get("available", False) for leader in data["leaders"].values())
    deal = data["components"]["leader_deal"][section(data)]
    each = deal["leaders_per_player"] + deal["bans_per_player"]
    counts = [players for players in sorted(data["components"]["players"][section(data)]) if players * each > leaders]
    if not counts:
        return []
    listed = " or ".join(str(players) for players in counts)
    return [f"leaders: {leaders} are available, {each} for each player: not enough for {listed} players"]


def _vain_deal(data: Mapping[str, Any]) -> list[str]:
    """Say which words on choosing leaders change nothing beside the others."""
    deal, place = data["components"]["leader_deal"][section(data)], f"components.leader_deal.{section(data)}"
    dealt, by_lot = deal["choose_from"] == "dealt", deal["choice"] == "random"
    notes = []
    if by_lot and not dealt:
        notes.append(f"{place}.choose_from: with choice: random it changes nothing; leaders are dealt by lot either way")
    if deal["pick_order"] != "turn_order" and (dealt or by_lot):
        why = "players choose from leaders of their own" if dealt else "they choose by lot"
        notes.append(f"{place}.pick_order: changes nothing, for {why}")
    if deal["ranking"] and by_lot and not deal["bans_per_player"]:
        notes.append(f"{place}.ranking: changes nothing with choice: random, which is by lot")
    if not by_lot and dealt and deal["leaders_per_player"] == 1:
        notes.append(f"{place}.choice: changes nothing, for one leader is dealt to each player, who has no choice")
    return notes


def with_overlay(ruleset: Ruleset, overlay: Mapping[str, Any], name: str) -> Ruleset:
    """Return the ruleset with values changed as an overlay file would; `name` is to blame in errors, and added to its name."""
    data: dict[str, Any] = json.loads(json.dumps(ruleset.data))
    changed = _blaming(name, apply_overlay, data, overlay)
    _check(data, dict.fromkeys(changed, name))
    title = name if ruleset.name == PRINTED else f"{ruleset.name} + {name}"
    return Ruleset(title, data, ruleset.descriptions)


def from_data(data: Mapping[str, Any], name: str = PRINTED) -> Ruleset:
    """Return the ruleset of data that were written to a file earlier (a run's manifest), checked again."""
    ruleset = Ruleset(name, json.loads(json.dumps(data)))
    _check(ruleset.data, {})
    return ruleset


def _read_file(file: Path | str, what: str) -> Any:
    hint = nearest(str(file), packaged_names(what)) if Path(file).name == str(file) else ""
    content = yaml_of(text_of(_packaged_file(file, what) or Path(file), what, str(file), hint), str(file))
    if not isinstance(content, dict):
        given = "an empty file" if content is None else short(content)
        raise UserError(f"{file}: expected {EXAMPLES[what]}; got {given}", file=str(file))
    return content


# Folders of the package whose files may be named without a path.
PACKAGED = {"house rules": "house_rules", "map": "maps"}


def packaged_names(what: str) -> list[str]:
    """Return the names of the packaged 'house rules' or of the packaged files for a 'map'."""
    folder = resources.files("newdawn.simulator") / "data" / PACKAGED[what]
    return sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml"))


def _packaged_file(file: Path | str, what: str) -> Any:
    """Return the packaged file that `file` names (``cheaper_wonders``), None where `file` is a path."""
    if Path(file).name != str(file) or Path(file).exists() or str(file) not in packaged_names(what):
        return None
    return resources.files("newdawn.simulator") / "data" / PACKAGED[what] / f"{file}.yaml"


def _blaming(source: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call `function`; a Problem it finds becomes the user's, with the file's name."""
    try:
        return function(*arguments)
    except Problem as problem:
        raise UserError(f"{source}: {problem}", file=source, field=problem.path) from None


def _check(data: dict[str, Any], sources: Mapping[str, str]) -> None:
    """Check the data as a whole, and that every changed value is one the engine reads."""
    try:
        validate(data)
        _check_rulings(data["rulings"], box_of(data))
        check_printed_layouts(data)
        if (data["map"]["mode"] == "user") != (data["map"]["user_map"] is not None):
            raise Problem("map.mode", "'user' is set by giving a map file")
        read = compiled(data)[1]
        for path in sources:
            if path not in read and not describes(path) and _exists(data, path) and not _is_own(data, path):
                raise Problem(path, f"cannot be changed: with these rules the engine does not read it{_instead(data, path)}")
    except Problem as problem:
        culprit = _culprit(problem.path, sources)
        raise UserError(f"{culprit}: {problem}", file=culprit, field=problem.path) from None


def _instead(data: Mapping[str, Any], path: str) -> str:
    """Return what can be changed beside the value at a path, as the end of a sentence."""
    parent, _, word = path.rpartition(".")
    node: Any = data
    for key in parent.split("."):
        node = node[key]
    valid = [key for key in open_keys(data, parent, node) if key != word]
    return f"; expected one of {', '.join(valid)}" if valid else ""


def _check_rulings(chosen: Mapping[str, Any], box: str) -> None:
    for key, ruling in ruling_options(box).items():
        options, word = ruling["options"], chosen.get(key, "nothing")
        if word not in options:
            raise Problem(f"rulings.{key}", f"expected one of {', '.join(options)}, got {word!r}{nearest(str(word), options)}")


def _exists(data: Any, path: str) -> bool:
    for key in path.split("."):
        if not isinstance(data, Mapping) or key not in data:
            return False
        data = data[key]
    return True


def _is_own(data: Any, path: str) -> bool:
    """Is this the path of an entry that a house rule added?"""
    for key in path.split("."):
        data = data[key]
    return isinstance(data, Mapping) and data.get("set") == OWN


def _culprit(path: str, sources: Mapping[str, str]) -> str:
    """Return the file to blame for a wrong value at `path`: the overlay that changed it, or else the packaged file."""
    for changed in reversed(list(sources)):
        if changed == path or path.startswith(f"{changed}.") or changed.startswith(f"{path}."):
            return sources[changed]
    last = list(sources.values())[-1:]
    return last[0] if last else f"simulator/data/{path.split('.')[0]}.yaml"
