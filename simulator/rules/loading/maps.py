"""Fixed maps: the first game's, and map files of users. Checks that tiles fit together.

A map file is YAML: ``name``, ``description``, ``players`` (for which numbers of players it is) and ``tiles``, a list of
``{tile: 7, side: A, q: 0, r: 0, rotation: 2}``: the tile's number and side, where its space 0 lies, and how many
clockwise turns of 60 degrees it makes (B14.5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from newdawn.simulator.limits import MAX_SPACES
from newdawn.simulator.rules.contents import section
from newdawn.simulator.rules.loading.checks import Problem, check
from newdawn.simulator.rules.loading.compile import SIDES, rotations
from newdawn.simulator.rules.loading.models import UserMap

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
Space = tuple[int, int]


def spaces_of(entry: Mapping[str, Any], geometry: Mapping[str, Any]) -> list[Space]:
    """Return the axial places of a laid tile's ten spaces, by space number."""
    offsets = rotations(geometry["side_a" if entry["side"] == SIDES[0] else "side_b"])[entry["rotation"]]
    return [(entry["q"] + q, entry["r"] + r) for q, r in offsets]


def check_map(user_map: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    """Raise a Problem if a user's map cannot be played: unknown or doubled tiles, overlaps, gaps, too few capitals."""
    check("map", UserMap, user_map)
    most = max(data["components"]["players"][section(data)])
    for players in user_map["players"]:
        if players > most:
            raise Problem("map.players", f"expected numbers of players up to {most}, got {players}")
    tiles = user_map["tiles"]
    _check_numbers(tiles, data)
    check_layout("map.tiles", tiles, data["tiles"]["geometry"])
    _check_holes("map.tiles", tiles, data["tiles"]["geometry"])
    _check_capitals("map.tiles", tiles, max(user_map["players"]), data)


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
        q, r = open_spaces.pop()
        for dq, dr in STEPS:
            place = (q + dq, r + dr)
            if place in owner and place not in seen:
                seen.add(place)
                open_spaces.append(place)
    return {owner[place] for place in seen}


def _check_holes(path: str, tiles: Sequence[Mapping[str, Any]], geometry: Mapping[str, Any]) -> None:
    """Raise a Problem if the spaces that the tiles close in, which become water (B14.4a), are more than a map can hold."""
    laid = {space for entry in tiles for space in spaces_of(entry, geometry)}
    columns, rows = [q for q, _ in laid], [r for _, r in laid]
    box = {(q, r) for q in range(min(columns) - 1, max(columns) + 2) for r in range(min(rows) - 1, max(rows) + 2)}
    outside, open_spaces = set(), [(min(columns) - 1, min(rows) - 1)]
    while open_spaces:
        q, r = open_spaces.pop()
        if (q, r) in box and (q, r) not in laid and (q, r) not in outside:
            outside.add((q, r))
            open_spaces += [(q + dq, r + dr) for dq, dr in STEPS]
    holes = len(box - laid - outside)
    if len(laid) + holes > MAX_SPACES:
        raise Problem(
            path, f"the tiles close in {holes} spaces, which become water: expected at most {MAX_SPACES - len(laid)}"
        )


def _check_capitals(path: str, tiles: Sequence[Mapping[str, Any]], players: int, data: Mapping[str, Any]) -> None:
    capitals = [entry["tile"] for entry in tiles if data["tiles"]["tiles"][str(entry["tile"])]["kind"] == "capital"]
    if len(capitals) < players:
        raise Problem(path, f"expected a capital tile for each of {players} players, got {len(capitals)}")


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
