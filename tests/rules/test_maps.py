"""Fixed maps (B14.5): the first game's, and map files with everything that can be wrong in them."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import yaml

from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import spaces_of
from newdawn.simulator.rules.printed_game import printed_data

GOOD = {
    "name": "small",
    "players": [2],
    "tiles": [
        {"tile": 7, "side": "A", "q": 0, "r": 0, "rotation": 0},
        {"tile": 3, "side": "B", "q": 3, "r": -2, "rotation": 0},
        {"tile": 9, "side": "A", "q": 6, "r": -3, "rotation": 0},
    ],
}


@pytest.fixture
def load(tmp_path):
    def load(content: object):
        file = tmp_path / "map.yaml"
        file.write_text(content if isinstance(content, str) else yaml.safe_dump(content), "utf-8")
        return load_ruleset(map_file=file)

    return load


def changed(index: int | None = None, **values: object) -> dict:
    content = copy.deepcopy(GOOD)
    (content if index is None else content["tiles"][index]).update(values)
    return content


def test_a_user_map_fills_the_fixed_map(load):
    ruleset = load(GOOD)
    r = ruleset.compile()
    assert ruleset.name == "map small"
    assert (r.map_mode, r.fixed_tiles) == (1, 3)
    assert r.fixed_tile[:4].tolist() == [6, 2, 8, -1]
    assert r.fixed_side[:3].tolist() == [0, 1, 0]
    assert (r.fixed_q[:3].tolist(), r.fixed_r[:3].tolist()) == ([0, 3, 6], [0, -2, -3])
    assert np.argwhere(r.fixed_players).tolist() == [[0, 2], [1, 2], [2, 2]]
    assert ruleset.digest() != load_ruleset().digest()


@pytest.mark.parametrize(
    ("content", "fragment"),
    [
        (changed(1, tile=25), "map.tiles.1.tile: unknown tile 25: expected a number from 1 to 16"),
        (changed(1, tile=17), "map.tiles.1.tile: unknown tile 17"),
        (changed(2, tile=7), "map.tiles.2.tile: tile 7 is already used by entry 0"),
        (changed(1, q=1), "map.tiles.1: tile 3 lies on tile 7 at space q 1, r -2"),
        (changed(2, q=12), "map.tiles.2: tile 9 is not connected with tile 7"),
        (changed(2, tile=8), "map.tiles: expected a capital tile for each of 2 players, got 1"),
        (changed(1, side="C"), "map.tiles.1.side: expected 'A' or 'B', got 'C'"),
        (changed(1, rotation=6), "map.tiles.1.rotation: expected at most 5, got 6"),
        (changed(1, q="left"), "map.tiles.1.q: expected a whole number, got 'left'"),
        (changed(1, colour="red"), "map.tiles.1.colour: unknown key"),
        (changed(players=[2, 5]), "map.players: expected numbers of players up to 4, got 5"),
        (changed(players=[1]), "map.players.0: expected at least 2, got 1"),
        (changed(players=[]), "map.players: expected at least 1 in the list"),
        (changed(tiles=[]), "map.tiles: expected at least 1 in the list"),
        (changed(titles="x"),
         "map.titles: unknown key: expected one of name, description, players, tiles; did you mean 'tiles'?"),
        ({"name": "x", "players": [2]}, "map.tiles: is missing"),
        ("tiles: [", "not valid YAML"),
        ("just text", "expected a mapping"),
    ],
)  # fmt: skip
def test_a_wrong_map_is_refused(load, tmp_path, content, fragment):
    with pytest.raises(UserError) as caught:
        load(content)
    assert fragment in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "map.yaml"))
    assert "\n" not in str(caught.value)


# All sixteen tiles in a ring: what they close in is more than a map can hold.
RING = [
    (1, "A", 8, 1, 0), (2, "A", 6, 4, 4), (3, "B", 1, 8, 1), (4, "B", -2, 9, 4), (5, "B", -7, 9, 2), (6, "B", -9, 8, 5),
    (7, "A", -10, 4, 2), (8, "B", -9, 1, 0), (9, "A", -6, -4, 4), (10, "B", -2, -7, 4), (11, "B", 1, -9, 1),
    (12, "B", 5, -9, 1), (13, "A", 5, -12, 2), (14, "A", 10, -11, 5), (15, "B", 9, -8, 2), (16, "A", 9, -4, 2),
]  # fmt: skip


def test_a_map_that_closes_in_too_many_spaces_is_refused(load):
    tiles = [dict(zip(("tile", "side", "q", "r", "rotation"), entry, strict=True)) for entry in RING]
    message = "map.tiles: the tiles close in [0-9]+ spaces, which become water: expected at most 96"
    with pytest.raises(UserError, match=message):
        load({"name": "ring", "players": [2], "tiles": tiles})
    assert load({"name": "open ring", "players": [2], "tiles": tiles[:-1]}).compile().fixed_tiles == 15


def test_a_missing_map_is_named(tmp_path):
    with pytest.raises(UserError, match=r"none.yaml: cannot read the map: No such file"):
        load_ruleset(map_file=tmp_path / "none.yaml")


def test_the_example_map_covers_itself_when_turned_by_half():
    ruleset = load_ruleset(map_file="mirror_two")
    tiles, geometry = ruleset.data["map"]["user_map"]["tiles"], ruleset.data["tiles"]["geometry"]
    spaces = {space for entry in tiles for space in spaces_of(entry, geometry)}
    q_sum = min(q for q, _ in spaces) + max(q for q, _ in spaces)
    r_sum = min(r for _, r in spaces) + max(r for _, r in spaces)
    assert len(spaces) == 100
    assert {(q_sum - q, r_sum - r) for q, r in spaces} == spaces


@pytest.mark.parametrize(("players", "tiles"), [(2, 11), (3, 14), (4, 16)])
def test_the_first_game_has_a_map_for_each_number_of_players(tmp_path, players, tiles):
    file = tmp_path / "first.yaml"
    file.write_text("map: {mode: first_game}", "utf-8")
    r = load_ruleset([file]).compile()
    on_map = [int(r.fixed_tile[i]) + 1 for i in range(r.fixed_tiles) if r.fixed_players[i, players]]
    assert len(on_map) == tiles
    assert on_map == printed_data()["map_layouts"]["first_game"]["players"][str(players)]
    assert sum(r.tile_kind[number - 1] == 3 for number in on_map) == players


def test_a_printed_layout_that_overlaps_is_refused(tmp_path):
    file = tmp_path / "layout.yaml"
    tile = "{draw: %d, q: 0, r: %d, rotation: 0}"
    entries = ", ".join(tile % (draw, 2 * draw) for draw in range(1, 5))
    file.write_text(f"map_layouts: {{core: {{four_tiles_column: {{A: [{entries}]}}}}}}", "utf-8")
    with pytest.raises(UserError, match=r"map_layouts.core.four_tiles_column.A.1: tile 2 lies on tile 1 at space"):
        load_ruleset([file])
