"""Fixed maps: the first game's, and map files of users. Checks that tiles fit together.

A map file is YAML: ``name``, ``description``, ``players`` (for which numbers of players it is) and ``tiles``, a list of
``{tile: 7, side: A, q: 0, r: 0, rotation: 2}``: the tile's number and side, where its space 0 lies, and how many
clockwise turns of 60 degrees it makes (B14.5). A map of Terra Incognita holds the tiles that lie when the game begins, and may
have two lists more: ``forts``, a place ``{q: 4, r: -1}`` for each player, the first ones with fewer players (without the list
the players lay them by T1.7), and ``stack``, the tile numbers of the stack from the bottom up, which may be empty (without the
list all tiles left that show no star are shuffled).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from ... import limits, names
from ..contents import box_of, section
from ..models.boards import TiUserMap, UserMap
from ..models.problem import Problem, check
from .compile_map import SIDES, rotations

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
    """Raise a Problem if a user's map cannot be played: unknown or doubled tiles, overlaps, gaps, too few capitals."""
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
    room = limits.MAX_SPACES - len(laid) - len(forts) - limits.TILE_SPACES * len(stack)
    if len(holes) > room:
        raise Problem("map.tiles", f"the tiles close in {len(holes)} spaces, which become water: expected at most {room}")
    if expansion:
        _check_forts(user_map, data, forts, holes_in(laid))


def _check_numbers(tiles: Sequence[Mapping[str, Any]], data: Mapping[str, Any]) -> None:
    known = [tile["number"] for tile in data["tiles"]["tiles"].values()]
    first: dict[int, int] = {}
    for index, entry in enumerate(tiles):
        number = entry["tile"]
        if number not in known:
            raise Problem(
                f"map.tiles.{index}.tile", f"unknown tile {number}: expected a number from {min(known)} to {max(known)}"
            )
        if number in first:
            raise Problem(f"map.tiles.{index}.tile", f"tile {number} is already used by entry {first[number]}")
        first[number] = index


def check_layout(path: str, tiles: Sequence[Mapping[str, Any]], geometry: Mapping[str, Any]) -> None:
    """Raise a Problem if laid tiles overlap or do not hang together."""
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
    """Return the free spaces that laid ones close in on all sides: they become water (B14.4a)."""
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
    """Return the tiles of the stack: those the map gives, or all that are left; raise a Problem for a wrong one."""
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
    """Raise a Problem if a fort lies where T1.7 allows none, or if the forts of all players have no room."""
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
    """Return the spaces of tiles without a capital and of those with one, by their tile, and the city-states' spaces."""
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
    """Return what is wrong with a fort's place, "" if nothing is."""
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
    """Return how many forts find a place if they are laid as badly as can be, counted up to `most`.

    One of the forts lies on or beside any place that is left free for good: trying these finds the worst case.
    """
    if not places or most == 0:
        return 0
    blocked = min(places)
    return 1 + min(
        fewest_forts({place for place in places if place != fort and place not in around(fort)}, most - 1)
        for fort in (blocked, *around(blocked))
        if fort in places
    )


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


def map_name(user_map: Mapping[str, Any], source: Path | str) -> str:
    """Return the map's name, or its file's."""
    return str(user_map.get("name") or Path(source).stem)
