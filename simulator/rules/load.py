"""Reading rulesets: maps, packaged and own house rules, manifests. Start with `load_ruleset`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from .. import names, user_modules
from ..errors import UserError, nearest
from ..reading import text_of, yaml_of
from .board_models import TiUserMap, UserMap
from .checks import validate
from .compile import SIDES, compile_rules, rotations, victory_card_ids
from .content_models import Problem, check, short
from .overlay import WHOLE, apply_overlay, describes, open_keys
from .printed_game import leaves, packaged, printed_data, ruling_options
from .record import copied
from .ruleset_contents import (
    OWN,
    SECTIONS,
    box_of,
    digest_of,
    has_claim_limits,
    has_points,
    has_teams,
    keyed_abilities,
    section,
    slug,
)

# --- Fixed maps: the first game's, and map files of users
#
# A map file is YAML: ``name``, ``description``, ``players`` (the numbers of players it is for) and ``tiles``, a list of
# ``{tile: 7, side: A, q: 0, r: 0, rotation: 2}``: the tile's number and side, the place of its space 0, and its clockwise
# turns of 60 degrees (B14.5). A map of Terra Incognita has the tiles that lie when the game begins, and may have two lists
# more: ``forts``, a place ``{q: 4, r: -1}`` for each player, the first ones with fewer players (without the list the players
# lay them by T1.7), and ``stack``, the tile numbers of the stack from the bottom up, which may be empty (without the list all
# other tiles without a star are shuffled).

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
Space = tuple[int, int]


def around(space: Space) -> list[Space]:
    """Return the six spaces next to a space."""
    return [(space[0] + dq, space[1] + dr) for dq, dr in STEPS]


def spaces_of(entry: Mapping[str, Any], geometry: Mapping[str, Any]) -> list[Space]:
    """Return the axial places of a laid tile's ten spaces, by space number."""
    offsets = rotations(geometry["side_a" if entry["side"] == SIDES[0] else "side_b"])[entry["rotation"]]
    return [(entry["q"] + q, entry["r"] + r) for q, r in offsets]


def check_map(user_map: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    """Raise a Problem if a user's map cannot be played: wrong tiles, overlaps, gaps, too few capitals, wrong forts or stack."""
    expansion = box_of(data) == names.BOXES[names.TI_BOX]
    for key in ("forts", "stack"):
        if key in user_map and not expansion:
            raise Problem(f"map.{key}", f"is for maps of {names.BOXES[names.TI_BOX]} (--box {names.BOXES[names.TI_BOX]})")
    check("map", TiUserMap if expansion else UserMap, user_map)
    most = max(data["components"]["players"][section(data)])
    for players in user_map["players"]:
        if players > most:
            raise Problem("map.players", f"expected numbers of players up to {most}, got {players}")
    tiles = user_map["tiles"]
    _check_numbers(tiles, data)
    check_layout("map.tiles", tiles, data["tiles"]["geometry"])
    _check_capitals("map.tiles", tiles, max(user_map["players"]), data)
    stack = _checked_stack(user_map, data) if expansion else []
    forts = [(fort["q"], fort["r"]) for fort in user_map.get("forts", [])]
    laid = {space for entry in tiles for space in spaces_of(entry, data["tiles"]["geometry"])}
    holes = holes_in({*laid, *forts})
    room = names.MAX_SPACES - len(laid) - len(forts) - names.TILE_SPACES * len(stack)
    if len(holes) > room:
        raise Problem("map.tiles", f"the tiles close in {len(holes)} spaces, which become water: expected at most {room}")
    if expansion:
        _check_forts(user_map, data, forts, holes_in(laid))


def _check_numbers(tiles: Sequence[Mapping[str, Any]], data: Mapping[str, Any]) -> None:
    numbers = [tile["number"] for tile in data["tiles"]["tiles"].values()]
    first: dict[int, int] = {}
    for index, entry in enumerate(tiles):
        number = entry["tile"]
        if number not in numbers:
            raise Problem(
                f"map.tiles.{index}.tile", f"unknown tile {number}: expected a number from {min(numbers)} to {max(numbers)}"
            )
        if number in first:
            raise Problem(f"map.tiles.{index}.tile", f"tile {number} is already used by entry {first[number]}")
        first[number] = index


def check_layout(path: str, tiles: Sequence[Mapping[str, Any]], geometry: Mapping[str, Any]) -> None:
    """Raise a Problem if laid tiles overlap or are not connected."""
    owner: dict[Space, int] = {}
    for index, entry in enumerate(tiles):
        for q, r in spaces_of(entry, geometry):
            if (q, r) in owner:
                other = tiles[owner[q, r]]["tile"]
                raise Problem(f"{path}.{index}", f"tile {entry['tile']} lies on tile {other} at space q {q}, r {r}")
            owner[q, r] = index
    reached = _reached(owner)
    for index, entry in enumerate(tiles):
        if index not in reached:
            raise Problem(f"{path}.{index}", f"tile {entry['tile']} is not connected with tile {tiles[0]['tile']}")


def _reached(owner: Mapping[Space, int]) -> set[int]:
    """Return the entries connected with the first one."""
    start = next(iter(owner))
    seen, open_spaces = {start}, [start]
    while open_spaces:
        for place in around(open_spaces.pop()):
            if place in owner and place not in seen:
                seen.add(place)
                open_spaces.append(place)
    return {owner[place] for place in seen}


def holes_in(laid: Collection[Space]) -> set[Space]:
    """Return the free spaces that laid ones surround: they become water (B14.4a)."""
    columns, rows = [q for q, _ in laid], [r for _, r in laid]
    box = {(q, r) for q in range(min(columns) - 1, max(columns) + 2) for r in range(min(rows) - 1, max(rows) + 2)}
    outside, open_spaces = set(), [(min(columns) - 1, min(rows) - 1)]
    while open_spaces:
        space = open_spaces.pop()
        if space in box and space not in laid and space not in outside:
            outside.add(space)
            open_spaces += around(space)
    return box - set(laid) - outside


def _check_capitals(path: str, tiles: Sequence[Mapping[str, Any]], players: int, data: Mapping[str, Any]) -> None:
    capitals = [entry["tile"] for entry in tiles if data["tiles"]["tiles"][str(entry["tile"])]["kind"] == "capital"]
    if len(capitals) < players:
        raise Problem(path, f"expected a capital tile for each of {players} players, got {len(capitals)}")


# --- Terra Incognita: stack and forts


def _checked_stack(user_map: Mapping[str, Any], data: Mapping[str, Any]) -> list[int]:
    """Return the tiles of the stack: the map's, or else all others without a capital; raise a Problem for a wrong one."""
    tiles = data["tiles"]["tiles"]
    capitals = [tile["number"] for tile in tiles.values() if tile["kind"] == "capital"]
    laid = [entry["tile"] for entry in user_map["tiles"]]
    if user_map.get("stack") is None:
        return [tile["number"] for tile in tiles.values() if tile["number"] not in {*capitals, *laid}]
    stack: list[int] = user_map["stack"]
    for index, number in enumerate(stack):
        path = f"map.stack.{index}"
        if str(number) not in tiles:
            raise Problem(path, f"unknown tile {number}: expected a number from 1 to {len(tiles)}")
        if number in capitals:
            raise Problem(path, f"tile {number} shows a capital: there are none in the stack (T1.5)")
        if number in laid:
            raise Problem(path, f"tile {number} lies on the map: it is entry {laid.index(number)} of map.tiles")
        if number in stack[:index]:
            raise Problem(path, f"tile {number} is already in the stack, as entry {stack.index(number)}")
    return stack


def _check_forts(
    user_map: Mapping[str, Any], data: Mapping[str, Any], forts: Sequence[Space], holes: Collection[Space]
) -> None:
    """Raise a Problem if a fort lies where T1.7 allows none, or if there is no room for the forts of all players."""
    players = max(user_map["players"])
    core, others, city_states = _fort_ground(user_map["tiles"], data)
    need = data["components"]["fort"]["touches_core_spaces_min"]
    if not forts:
        room = fewest_forts(fort_places(core, {*others, *holes}, city_states, need), players)
        if room < players:
            raise Problem(
                "map.tiles",
                f"expected room for {players} forts in any case, got {room}: a fort touches {need} spaces of tiles without a"
                " capital, no other fort and no city-state (T1.7); map.forts can give their places",
            )
        return
    if len(forts) < players:
        raise Problem("map.forts", f"expected a fort for each of {players} players, got {len(forts)}")
    for index, fort in enumerate(forts):
        fault = _fort_fault(fort, forts[:index], core, others, city_states, need)
        if fault:
            raise Problem(f"map.forts.{index}", f"the fort at q {fort[0]}, r {fort[1]} {fault} (T1.7)")


def _fort_ground(
    tiles: Sequence[Mapping[str, Any]], data: Mapping[str, Any]
) -> tuple[dict[Space, int], dict[Space, int], dict[Space, str]]:
    """Return the tile of each space of tiles without a capital, the same of those with one, and the city-state of its space."""
    core: dict[Space, int] = {}
    others: dict[Space, int] = {}
    city_states: dict[Space, str] = {}
    for entry in tiles:
        tile = data["tiles"]["tiles"][str(entry["tile"])]
        spaces = spaces_of(entry, data["tiles"]["geometry"])
        (others if tile["kind"] == "capital" else core).update(dict.fromkeys(spaces, entry["tile"]))
        for feature in tile["sides"][entry["side"]]["features"]:
            if feature.get("city_state"):
                city_states[spaces[feature["space"]]] = feature["city_state"]
    return core, others, city_states


def _fort_fault(
    fort: Space, before: Sequence[Space], core: Mapping[Space, int], others: Mapping[Space, int],
    city_states: Mapping[Space, str], need: int,
) -> str:  # fmt: skip
    """Return what is wrong with a fort's place; "" if it is legal."""
    tile = core.get(fort, others.get(fort))
    if tile is not None:
        return f"lies on tile {tile}"
    if fort in before:
        return f"lies on the fort of entry {before.index(fort)}"
    for near in around(fort):
        if near in before:
            return f"touches the fort of entry {before.index(near)}"
        if near in city_states:
            return f"touches the city-state {city_states[near]}"
    touched = sum(near in core for near in around(fort))
    return "" if touched >= need else f"touches {touched} spaces of tiles without a capital, expected at least {need}"


def fort_places(core: Collection[Space], taken: Collection[Space], city_states: Collection[Space], need: int) -> set[Space]:
    """Return the places where a first fort may lie (T1.7)."""
    beside = {near for space in core for near in around(space)} - set(core) - set(taken)
    return {
        place
        for place in beside
        if sum(near in core for near in around(place)) >= need and not any(near in city_states for near in around(place))
    }


def fewest_forts(places: Collection[Space], most: int) -> int:
    """Return the number of forts that find a place in the worst order of laying them, counted up to `most`.

    In the end every place has a fort on it or beside it: trying the forts on and beside one place finds the worst case.
    """
    if not places or most == 0:
        return 0
    blocked = min(places)
    return 1 + min(
        fewest_forts({place for place in places if place != fort and place not in around(fort)}, most - 1)
        for fort in (blocked, *around(blocked))
        if fort in places
    )


LAID = ("tiles", "map")  # sections that say where tiles lie; a change elsewhere leaves checked layouts as they are


def check_printed_layouts(data: Mapping[str, Any]) -> None:
    """Check the first game's map for each number of players, and both sides of each core layout."""
    geometry = data["tiles"]["geometry"]
    layouts = data["map_layouts"]
    if "first_game" in layouts:
        _check_first_game(layouts["first_game"], data)
    for key, layout in layouts["core"].items():
        for side in SIDES:
            tiles = [{**entry, "tile": entry["draw"], "side": side} for entry in layout[side]]
            check_layout(f"map_layouts.core.{key}.{side}", tiles, geometry)
    for key, wanted in ((data["map"]["core_layout"], 4), ("two_tiles", 2)):
        if any(len(layouts["core"][key][side]) != wanted for side in SIDES):
            raise Problem(f"map_layouts.core.{key}", f"expected {wanted} tiles on each side")


def _check_first_game(game: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    laid = {entry["tile"]: {**entry, "side": game["side"]} for entry in game["tiles"]}
    for players, numbers in game["players"].items():
        path = f"map_layouts.first_game.players.{players}"
        for number in numbers:
            if number not in laid:
                raise Problem(path, f"tile {number} has no place in map_layouts.first_game.tiles")
        tiles = [laid[number] for number in numbers]
        check_layout(path, tiles, data["tiles"]["geometry"])
        _check_capitals(path, tiles, int(players), data)


# --- Load the rules data: the packaged YAML, with house rules laid over it and a user's map

PRINTED = "printed"
EXAMPLES = {
    "house rules": "a mapping of what to change, such as `wonders: {petra: {cost: 5}}`; `newdawn rules list` names all of it",
    "map": "a mapping with the tiles, such as `tiles: [{tile: 4, side: A, q: 3, r: -4, rotation: 5}]`",
}
MOST_PROBLEMS = 50  # reported of files
TRAIN = "`newdawn adapt` trains players for these rules"


@dataclass(frozen=True)
class Ruleset:
    """The rules of a game: printed, or with house rules laid over them."""

    name: str
    data: dict[str, Any]
    descriptions: tuple[str, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())  # on house rules without effect, too few leaders, and what strategies ignore
    changed: tuple[str, ...] = field(default=(), compare=False)  # paths of the values that house rules name
    record: np.record | None = field(default=None, repr=False, compare=False)  # compiled, once it was asked for

    @property
    def box(self) -> str:
        """The box it is for, one of names.BOXES."""
        return box_of(self.data)

    def digest(self) -> str:
        """Return the digest of the data."""
        return digest_of(self.data)

    def compile(self) -> np.record:
        """Return a fresh RULES record for the engine."""
        if self.record is None:
            object.__setattr__(self, "record", compiled(self.data)[0])
        assert self.record is not None
        return copied(self.record)

    def victory_card_ids(self) -> list[str]:
        """Return the ids of the victory cards by their engine codes."""
        return victory_card_ids(self.data)


def not_aimed_at(data: Mapping[str, Any]) -> list[str]:
    """Return a note for each way to win that these rules have and the strategies do not play for."""
    notes = []
    if has_points(data):
        notes.append(f"scores: the strategies play for victory cards, not for points; {TRAIN}")
    if has_teams(data):
        notes.append(f"teams: the strategies play for their own victory cards and help no partner; {TRAIN}")
    return notes


def why_unfinished(data: Mapping[str, Any]) -> str:
    """Return what in these rules can leave nobody able to win, and a remedy, in words; '' if nothing can."""
    if not data or not has_claim_limits(data):
        return ""
    return (
        "agendas for the first who claim them can leave nobody able to win: let fewer victory cards win "
        f"(victory_cards.rules.{section(data)}.cards_needed)"
    )


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
    sources: dict[str, str] = {}  # the file that changed a value, by path
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
        titles.append(f"map {user_map.get('name') or Path(map_file).stem}")
    ruleset = Ruleset(" + ".join(titles) or PRINTED, data, tuple(text for text in descriptions if text))
    _check(ruleset.data, sources)
    notes = (*(_idle(data, sources) if overlays else ()), *_too_few(data), *_idle_deal(data), *not_aimed_at(data))
    programs = tuple(user_modules.program("", place) for place in own_functions(data)[:1])
    return replace(ruleset, notes=(*notes, *programs), changed=tuple(sources))


def own_functions(data: Any) -> list[str]:
    """Return the functions of users that the rules call (`own_function`)."""
    if isinstance(data, Mapping):
        own = [str(data["function"])] if data.get("effect") == "own_function" and "function" in data else []
        return own + [place for inside in data.values() for place in own_functions(inside)]
    return [place for inside in data for place in own_functions(inside)] if isinstance(data, list) else []


def problems(files: Sequence[Path | str], box: str) -> list[UserError]:
    """Return all errors in files of house rules, [] if there are none.

    Each wrong value is removed and the rest checked again, so a later error assumes the values before it away.
    """
    errors: list[UserError] = []
    overlays: list[Written] = []
    for file in files:
        try:
            overlays.append(Written(str(file), json.loads(json.dumps(_read_file(file, "house rules")))))
        except UserError as error:
            errors.append(error)
    removed: set[str] = set()
    numbers: dict[str, list[str]] = {}  # keys of the abilities in each list, as the file has it
    while len(errors) < MOST_PROBLEMS:
        try:
            load_ruleset(overlays, box=box).compile()
            break
        except UserError as error:
            overlay = next((overlay for overlay in overlays if overlay.file == error.file), None)
            place = _keys_to(overlay.content, error.field, box) if overlay else []
            field = _in_file(overlay.content, place, error.field, numbers) if overlay else error.field
            follows = any(path == field or path.startswith(f"{field}.") for path in removed)  # "is missing"
            errors += [] if follows else [_renamed(error, field)]
            if overlay is None or not place or error.field == "box":  # of another box nothing else fits
                break
            removed.add(field)
            outer = follows and _leads_to(place, error.field)
            _take_out(overlay.content, place[: max(1, len(place) - outer)], numbers)
    return errors


Keys = list[str | int]


def _take_out(content: Any, place: Keys, numbers: Mapping[str, list[str]]) -> None:
    """Remove the value at a place in a file."""
    for key in place[:-1]:
        content = content[key]
    del content[place[-1]]
    if isinstance(place[-1], int):
        del numbers[_text_of(place[:-1])][place[-1]]


def _leads_to(place: Keys, path: str) -> bool:
    """Say whether the keys lead to the value at a path, and not only to what it is missing in."""
    steps = path.split(".")
    return steps[-2:-1] == ["abilities"] if isinstance(place[-1], int) else slug(str(place[-1])) == slug(steps[-1])


def _in_file(content: Any, place: Keys, path: str, numbers: dict[str, list[str]]) -> str:
    """Return a path with the keys that abilities have in the file, before any was taken out; `numbers` keeps them by list."""
    steps = path.split(".")
    for depth, key in enumerate(place):
        if isinstance(key, int):
            now = list(keyed_abilities(content))
            first = numbers.setdefault(_text_of(place[:depth]), list(now))
            steps = [first[key] if step == now[key] else step for step in steps]
        content = content[key]
    return ".".join(steps)


def _text_of(place: Keys) -> str:
    return ".".join(map(str, place))


def _renamed(error: UserError, field: str) -> UserError:
    """Return the error with another path of its value."""
    if field == error.field:
        return error
    return UserError(str(error).replace(error.field, field, 1), file=error.file, field=field)


def _keys_to(content: Any, path: str, box: str) -> Keys:
    """Return the keys in a file that lead to a path, as far as it has them; it need not name the box's part."""
    keys: Keys = []
    for step in path.split("."):
        if isinstance(content, list):
            abilities = keyed_abilities(content)
            key: str | int | None = list(abilities).index(step) if isinstance(abilities, dict) and step in abilities else None
        else:
            words = {slug(str(key)): key for key in content} if isinstance(content, Mapping) else {}
            key = words.get(step, words.get(step.removesuffix(f"_{SECTIONS[box]}")))
        if key is not None:
            keys.append(key)
            content = content[key]
    return keys


def _idle(data: Mapping[str, Any], changed: Iterable[str]) -> list[str]:
    """Return a note for each value that house rules name and that changes nothing in the game."""
    printed, values = dict(leaves(printed_data(box_of(data)))), dict(leaves(data))
    differs = {path for path in {**printed, **values} if printed.get(path) != values.get(path)}
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
    """Return the ability or condition that a value belongs to, written as a whole with its printed values; "" for others."""
    whole = re.match(r".*\.(abilities\.\w+|condition)(?=\.)", path)
    return whole[0] if whole else ""


def _too_few(data: Mapping[str, Any]) -> list[str]:
    """Return a note on the numbers of players for which there are too few leaders."""
    leaders = sum(leader.get("available", False) for leader in data["leaders"].values())
    deal = data["components"]["leader_deal"][section(data)]
    each = deal["leaders_per_player"] + deal["bans_per_player"]
    counts = [players for players in sorted(data["components"]["players"][section(data)]) if players * each > leaders]
    if not counts:
        return []
    listed = " or ".join(str(players) for players in counts)
    return [f"leaders: {leaders} are available, {each} for each player: not enough for {listed} players"]


def _idle_deal(data: Mapping[str, Any]) -> list[str]:
    """Return a note for each key of the leader deal that has no effect beside the others."""
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
    """Return the ruleset changed as by an overlay file; `name` is added to the ruleset's, and begins errors."""
    data: dict[str, Any] = json.loads(json.dumps(ruleset.data))
    changed = _blaming(name, apply_overlay, data, overlay)
    record, _ = _check(data, dict.fromkeys(changed, name))
    title = name if ruleset.name == PRINTED else f"{ruleset.name} + {name}"
    return Ruleset(title, data, ruleset.descriptions, record=record)


def compiled_with(ruleset: Ruleset, overlay: Mapping[str, Any], name: str) -> tuple[np.record, set[str]]:
    """Return `compiled` of the ruleset that `with_overlay` returns, in half the time."""
    data: dict[str, Any] = json.loads(json.dumps(ruleset.data))
    changed = _blaming(name, apply_overlay, data, overlay)
    return _check(data, dict.fromkeys(changed, name))


def from_data(data: Mapping[str, Any], name: str = PRINTED) -> Ruleset:
    """Return the ruleset of data from a file (a run's manifest), checked again."""
    ruleset = Ruleset(name, json.loads(json.dumps(data)))
    _check(ruleset.data, {})
    return ruleset


def house_rule(file: Path | str) -> dict[str, Any]:
    """Return the content of a file of house rules, or of a packaged example by name."""
    content: dict[str, Any] = _read_file(file, "house rules")
    return content


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
    """Return what `function` does; a Problem becomes a UserError that names the file."""
    try:
        return function(*arguments)
    except Problem as problem:
        raise UserError(f"{source}: {problem}", file=source, field=problem.path) from None


def _check(data: dict[str, Any], sources: Mapping[str, str]) -> tuple[np.record, set[str]]:
    """Check the data as a whole, and that the engine reads every changed value; return `compiled` of them."""
    try:
        validate(data)
        _check_rulings(data["rulings"], box_of(data))
        if not sources or any(path.startswith(LAID) for path in sources):
            check_printed_layouts(data)
        if (data["map"]["mode"] == "user") != (data["map"]["user_map"] is not None):
            raise Problem("map.mode", "'user' is set by giving a map file")
        record, read = compiled(data)
        for path in sources:
            if path not in read and not describes(path) and _exists(data, path) and not _is_own(data, path):
                raise Problem(path, f"cannot be changed: with these rules the engine does not read it{_instead(data, path)}")
    except Problem as problem:
        culprit = _culprit(problem.path, sources)
        raise UserError(f"{culprit}: {problem}", file=culprit, field=problem.path) from None
    return record, read


def _instead(data: Mapping[str, Any], path: str) -> str:
    """Return the keys beside a path that can be changed, as the end of a sentence."""
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
    """Say whether a house rule added the entry at a path."""
    for key in path.split("."):
        data = data[key]
    return isinstance(data, Mapping) and data.get("set") == OWN


def _culprit(path: str, sources: Mapping[str, str]) -> str:
    """Return the file with the wrong value at `path`: the overlay that changed it, or else the packaged file."""
    for changed in reversed(list(sources)):
        if changed == path or path.startswith(f"{changed}.") or changed.startswith(f"{path}."):
            return sources[changed]
    last = list(sources.values())[-1:]
    return last[0] if last else f"simulator/data/{path.split('.')[0]}.yaml"
