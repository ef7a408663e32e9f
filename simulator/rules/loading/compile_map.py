"""Fill the columns of tiles, geometry and map in the RULES record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import limits, names
from ..contents import written
from ..node import Node
from ..record import Draft

LAND = {word: code for code, word in enumerate(names.TERRAINS)}
RESOURCE = {word: code for code, word in enumerate(names.RESOURCES)}
TILE_KINDS = ("plain", "natural_wonder", "city_state", "capital")
SIDES = ("A", "B")
MAP_MODES = {"advanced": 0, "first_game": 1, "user": 1}


def fill_tiles(r: Draft, tiles: Node) -> None:
    r.tile_keys = limits.PRINTED_TILES
    for field in (r.tile_resource, r.tile_natural_wonder, r.tile_city_state, r.tile_barbarian, r.tile_capital):
        field[:] = -1
    for number, tile in tiles["tiles"].items():
        if r.box == names.BASE_BOX and tile.value["set"] == "ti":
            continue  # data that an older version wrote
        index = int(number) - 1
        r.tile_in_set[index] = tile.get("available", True)
        r.tile_keys = max(int(r.tile_keys), index + 1)
        r.tile_kind[index] = TILE_KINDS.index(tile["kind"])
        for side, letter in enumerate(SIDES):
            face = tile["sides"][letter]
            r.tile_terrain[index, side] = [LAND[word] for word in face["terrain"]]
            for feature in face["features"]:
                _feature(r, index, side, feature)
    geometry = tiles["geometry"]
    for side, key in enumerate(("side_a", "side_b")):
        for rotation, spaces in enumerate(rotations(geometry[key])):
            shape = side * 6 + rotation
            r.offset_q[shape] = [q for q, _ in spaces]
            r.offset_r[shape] = [row for _, row in spaces]
            ring = spaces_around(spaces)
            r.ring_n[shape] = len(ring)
            r.ring_q[shape, : len(ring)] = [q for q, _ in ring]
            r.ring_r[shape, : len(ring)] = [row for _, row in ring]


def _feature(r: Draft, index: int, side: int, feature: Mapping[str, Any]) -> None:
    space = feature["space"]
    if "resource" in feature:
        r.tile_resource[index, side, space] = RESOURCE[feature["resource"]]
    if "natural_wonder" in feature:
        r.tile_natural_wonder[index, side, space] = written(r, "natural_wonder").index(feature["natural_wonder"])
    if "city_state" in feature:
        r.tile_city_state[index, side, space] = written(r, "city_state").index(feature["city_state"])
    if "barbarian" in feature:
        r.tile_barbarian[index, side, space] = names.LETTERS.index(feature["barbarian"])
    if "capital" in feature:
        r.tile_capital[index, side] = space


def rotations(spaces: list[list[int]]) -> list[list[tuple[int, int]]]:
    """Return the spaces' offsets after 0 to 5 clockwise turns of 60 degrees."""
    turned = [[(q, row) for q, row in spaces]]
    for _ in range(5):
        turned.append([(-row, q + row) for q, row in turned[-1]])
    return turned


def spaces_around(spaces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spaces next to a group of spaces, sorted."""
    steps = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    return sorted({(q + dq, row + dr) for q, row in spaces for dq, dr in steps} - set(spaces))


def fill_map(r: Draft, root: Node, box: str) -> None:
    setup = root["components"]["map_setup"][box]
    settings = root["map"]
    layouts = root["map_layouts"]["core"]
    if box == "base":
        r.core_natural_wonders = setup["core_mix"]["natural_wonder"]
        r.core_city_states = setup["core_mix"]["city_state"]
        r.dealt_tiles = setup["dealt_tiles_per_player"]
        r.touch_core = setup["must_touch_core"]
    r.core_side_a_max = setup["core_side_a_up_to"]
    r.touch_min = setup["touch_spaces_min"]
    for players in root.value["components"]["players"][box]:
        tiles = setup["core_tiles"] if box == "base" else setup["core_tiles"][str(players)]
        r.core_tiles_for[players] = tiles
        layout = layouts[settings["core_layout"] if tiles == r.core_q.shape[1] else "two_tiles"]
        for side, letter in enumerate(SIDES):
            for draw, entry in enumerate(layout[letter]):
                r.core_q_for[players, side, draw] = entry["q"]
                r.core_r_for[players, side, draw] = entry["r"]
                r.core_rotation_for[players, side, draw] = entry["rotation"]
    most = max(root.value["components"]["players"][box])
    r.core_tiles = r.core_tiles_for[most]
    r.core_q, r.core_r, r.core_rotation = r.core_q_for[most], r.core_r_for[most], r.core_rotation_for[most]
    r.map_mode = MAP_MODES[settings["mode"]]
    r.fixed_tile[:] = r.fixed_stack_n = -1
    if settings["mode"] == "first_game":
        _first_game(r, root["map_layouts"]["first_game"])
    elif settings["mode"] == "user":
        user = settings["user_map"]
        _fixed(r, user["tiles"], dict.fromkeys(user["players"]))
        _fixed_frontier(r, user.get("forts") or [], user.get("stack"))


def _fixed_frontier(r: Draft, forts: list[dict[str, int]], stack: list[int] | None) -> None:
    """Fill in the forts and the stack that a user's map of the expansion gives."""
    r.fixed_forts = len(forts)
    r.fixed_fort_q[: len(forts)] = [fort["q"] for fort in forts]
    r.fixed_fort_r[: len(forts)] = [fort["r"] for fort in forts]
    if stack is not None:
        r.fixed_stack_n = len(stack)
        r.fixed_stack[: len(stack)] = stack


def _first_game(r: Draft, layout: Node) -> None:
    tiles = [{**entry, "side": layout["side"]} for entry in layout["tiles"]]
    _fixed(r, tiles, {int(players): numbers for players, numbers in layout["players"].items()})


def _fixed(r: Draft, tiles: list[dict[str, Any]], players: dict[int, list[int] | None]) -> None:
    """Fill the fixed map; `players` tells which tiles lie on it for a number of players (None: all)."""
    r.fixed_tiles = len(tiles)
    for index, entry in enumerate(tiles):
        r.fixed_tile[index] = entry["tile"] - 1
        r.fixed_side[index] = SIDES.index(entry["side"])
        r.fixed_q[index] = entry["q"]
        r.fixed_r[index] = entry["r"]
        r.fixed_rotation[index] = entry["rotation"]
        for count, numbers in players.items():
            r.fixed_players[index, count] = numbers is None or entry["tile"] in numbers
