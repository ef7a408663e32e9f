"""Maps of users for Terra Incognita (B14.5): tiles that lie, forts, a stack in a given order; and what can be wrong."""

import copy

import pytest
import yaml
from frontier_games import CAPITALS, OTHERS, around, holes, placed, start, tile_places

from newdawn.simulator import names
from newdawn.simulator.engine import choosing, decisions
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load as rules_load
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.printed_game import printed_data

BOX = "terra-incognita"
# The core of two tiles on side A, two capital tiles beside it.
GOOD = {
    "name": "small",
    "players": [2],
    "tiles": [
        {"tile": 8, "side": "A", "q": 1, "r": -1, "rotation": 5},
        {"tile": 10, "side": "A", "q": -2, "r": 1, "rotation": 2},
        {"tile": 7, "side": "A", "q": -3, "r": -1, "rotation": 5},
        {"tile": 16, "side": "B", "q": 4, "r": 0, "rotation": 4},
    ],
}


def with_(**values):
    return {**copy.deepcopy(GOOD), **values}


@pytest.fixture
def load(tmp_path):
    def load(content, box=BOX):
        file = tmp_path / "map.yaml"
        file.write_text(yaml.safe_dump(content), "utf-8")
        return load_ruleset(map_file=file, box=box)

    return load


def laid(content):
    geometry = printed_data()["tiles"]["geometry"]
    return {space for entry in content["tiles"] for space in rules_load.spaces_of(entry, geometry)}


def fort_cells(game):
    g = game.g
    return [game.cell(s) for s in range(g.n_spaces) if g.tile[s] >= names.FORT_TILE]


@pytest.fixture
def places():
    """The places where forts may lie beside the tiles of the map."""
    data = printed_data(BOX)
    core, others, city_states = rules_load._fort_ground(GOOD["tiles"], data)
    return sorted(rules_load.fort_places(core, {*others, *holes({*core, *others})}, city_states, 2))


def apart(places, n):
    """Return `n` of the places no two of which touch."""
    chosen = []
    for place in places:
        if len(chosen) < n and not any(near in chosen for near in around(place)):
            chosen.append(place)
    assert len(chosen) == n
    return chosen


def as_forts(cells):
    return [{"q": q, "r": r} for q, r in cells]


@pytest.mark.rule("B14.5")
def test_the_tiles_lie_and_the_rest_is_shuffled_and_forts_are_laid_by_the_players(load):
    r = load(GOOD).compile()
    games = [start(r, 2, number) for number in range(4)]
    for game in games:
        g = game.g
        tiles = {entry["tile"] for entry in GOOD["tiles"]}
        assert {int(t) for t in g.tile[: g.n_spaces]} - {0} - {names.FORT_TILE, names.FORT_TILE + 1} == tiles
        assert sorted(g.stack[: g.stack_n].tolist()) == sorted(set(OTHERS) - tiles)
        assert sorted(g.tile[g.capital[:2]].tolist()) == [7, 16]
        assert decisions.PLACE_TILE not in game.asked, "the capital tiles lie already"
        assert len(game.asked[decisions.PLACE_FORT]) == 2
        assert len(fort_cells(game)) == 2
        core, others, _ = rules_load._fort_ground(GOOD["tiles"], printed_data(BOX))
        for fort in fort_cells(game):
            assert sum(near in core for near in around(fort)) >= 2, "spaces of capital tiles do not count"
            assert fort not in others
    assert len({tuple(game.g.stack.tolist()) for game in games}) > 1
    assert len({tuple(game.g.capital.tolist()) for game in games}) > 1


@pytest.mark.rule("B14.5")
def test_forts_and_stack_lie_as_the_map_says(load, places):
    forts = apart(places, 2)
    game = start(load(with_(forts=as_forts(forts), stack=[21, 3, 19])).compile(), 2, 1)
    g = game.g
    assert fort_cells(game) == forts
    assert [row[0] for row in game.of(choosing.LOG_FORT)] == [int(g.first), 1 - int(g.first)]
    assert decisions.PLACE_FORT not in game.asked
    assert g.stack[:4].tolist() == [21, 3, 19, 0]
    assert g.stack_n == 3
    assert start(load(with_(stack=[])).compile(), 2).g.stack_n == 0, "an empty stack: nothing is left to explore"


def with_a_hole():
    """Return a map whose tiles close in a place, and the closed places."""
    taken = laid(GOOD)
    for option in sorted(tile_places(taken, taken, taken)):
        closed = holes(taken | cells_of(option))
        if closed:
            return with_(tiles=[*GOOD["tiles"], as_tile(5, option)]), closed
    raise AssertionError


@pytest.mark.rule("B14.4")
@pytest.mark.parametrize("given", [False, True])
def test_holes_of_the_map_become_water(load, given):
    content, closed = with_a_hole()
    core, others, city_states = rules_load._fort_ground(content["tiles"], printed_data(BOX))
    free = sorted(rules_load.fort_places(core, {*others, *holes({*core, *others})}, city_states, 2))
    game = start(load({**content, "forts": as_forts(apart(free, 2))} if given else content).compile(), 2)
    water = {game.cell(s) for s in range(game.g.n_spaces) if game.g.tile[s] == 0}
    assert closed <= water
    assert not holes(set(game.spaces()))
    assert not closed & set(fort_cells(game))


@pytest.mark.rule("B14.5")
def test_with_fewer_players_the_first_forts_lie(load, places):
    extra = {"tile": 9, "side": "A", "q": -1, "r": 4, "rotation": 5}
    content = with_(players=[2, 3], tiles=[*GOOD["tiles"], extra])
    assert not set(rules_load.spaces_of(extra, printed_data()["tiles"]["geometry"])) & laid(GOOD)
    core, others, city_states = rules_load._fort_ground(content["tiles"], printed_data(BOX))
    forts = apart(sorted(rules_load.fort_places(core, {*others, *holes({*core, *others})}, city_states, 2)), 3)
    r = load({**content, "forts": as_forts(forts)}).compile()
    assert fort_cells(start(r, 2)) == forts[:2]
    assert fort_cells(start(r, 3)) == forts


@pytest.mark.parametrize(
    ("changes", "fragment"),
    [
        ({"stack": [22]}, "map.stack.0: unknown tile 22: expected a number from 1 to 21"),
        ({"stack": [3, 9]}, "map.stack.1: tile 9 shows a capital: there are none in the stack (T1.5)"),
        ({"stack": [8]}, "map.stack.0: tile 8 lies on the map: it is entry 0 of map.tiles"),
        ({"stack": [3, 4, 3]}, "map.stack.2: tile 3 is already in the stack, as entry 0"),
        ({"stack": ["x"]}, "map.stack.0: expected a whole number, got 'x'"),
        ({"forts": [{"q": 1, "r": -1}]}, "map.forts: expected a fort for each of 2 players, got 1"),
        ({"forts": [{"q": 1}]}, "map.forts.0.r: is missing"),
        ({"forts": [{"q": 0, "r": 0}] * 6}, "map.forts: expected at most 5 in the list"),
        ({"forts": [{"q": 1, "r": -1}, {"q": 9, "r": 9}]}, "map.forts.0: the fort at q 1, r -1 lies on tile 8 (T1.7)"),
        ({"forts": [{"q": 9, "r": 9}, {"q": 9, "r": 8}]},
         "map.forts.0: the fort at q 9, r 9 touches 0 spaces of tiles without a capital, expected at least 2 (T1.7)"),
        ({"players": [6]}, "map.players.0: expected at most 5, got 6"),
        ({"players": [2, 3]}, "map.tiles: expected a capital tile for each of 3 players, got 2"),
        ({"forst": []}, "unknown key: expected one of name, description, players, tiles, forts, stack; did you mean 'forts'?"),
    ],
)  # fmt: skip
def test_a_wrong_map_is_refused_in_one_line(load, tmp_path, changes, fragment):
    with pytest.raises(UserError) as caught:
        load(with_(**changes))
    assert fragment in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "map.yaml"))
    assert "\n" not in str(caught.value)


def test_forts_side_by_side_or_twice_in_a_place_are_refused(load, places):
    one, beside = next((one, other) for one in places for other in places if other in around(one))
    with pytest.raises(UserError, match=r"map.forts.1: the fort at q .* touches the fort of entry 0 \(T1.7\)"):
        load(with_(forts=as_forts([one, beside])))
    with pytest.raises(UserError, match=r"map.forts.1: the fort at q .* lies on the fort of entry 0 \(T1.7\)"):
        load(with_(forts=as_forts([one, one])))


def test_a_fort_beside_a_city_state_is_refused(load):
    for number, name in ((6, "Carthage"), (14, "Geneva"), (20, "Auckland")):
        tiles = [{**GOOD["tiles"][0], "tile": number}, *GOOD["tiles"][1:]]
        core, others, city_states = rules_load._fort_ground(tiles, printed_data(BOX))
        assert list(city_states.values()) == [name]
        near = [cell for space in city_states for cell in around(space) if cell not in {*core, *others}]
        if near:
            break
    with pytest.raises(UserError, match=rf"map.forts.0: the fort at q .* touches the city-state {name} \(T1.7\)"):
        load(with_(tiles=tiles, forts=as_forts([near[0], (-4, 2)])))


def test_a_map_that_cannot_hold_the_forts_of_its_players_is_refused(load):
    """Five capital tiles around one tile without a capital leave hardly a place that touches two of its spaces."""
    tiles = [{"tile": 8, "side": "A", "q": 0, "r": 0, "rotation": 0}]
    taken = laid({"tiles": tiles})
    for number in CAPITALS:
        option = min(
            tile_places(taken, taken, taken),
            key=lambda o: (len(free_beside(laid({"tiles": tiles[:1]}), taken | cells_of(o))), o),
        )
        entry = as_tile(number, option)
        tiles.append(entry)
        taken |= laid({"tiles": [entry]})
    with pytest.raises(UserError) as caught:
        load({"name": "full", "players": [2, 5], "tiles": tiles})
    message = str(caught.value)
    assert "map.tiles: expected room for 5 forts in any case, got" in message
    assert "map.forts can give their places" in message
    assert "\n" not in message


def free_beside(core, taken):
    return {near for space in core for near in around(space)} - taken


def cells_of(option):
    return set(placed(option)[1])


def as_tile(number, option):
    shape, cells = placed(option)
    return {"tile": number, "side": "AB"[shape // 6], "q": cells[0][0], "r": cells[0][1], "rotation": shape % 6}


@pytest.mark.parametrize("key", ["forts", "stack"])
def test_maps_of_the_base_game_have_neither_forts_nor_a_stack(load, key):
    tiles = [{**entry, "tile": {8: 4, 10: 12}.get(entry["tile"], entry["tile"])} for entry in GOOD["tiles"]]
    with pytest.raises(UserError, match=rf"map.{key}: is for maps of terra-incognita \(--box terra-incognita\)"):
        load({**GOOD, "tiles": tiles, key: []}, box="base")


def test_a_tile_of_the_expansion_lies_on_maps_of_its_box_only(load):
    tiles = [{**GOOD["tiles"][0], "tile": 18}, *GOOD["tiles"][1:]]
    assert load(with_(tiles=tiles)).compile().fixed_tile[0] == 17
    with pytest.raises(UserError, match=r"map.tiles.0.tile: unknown tile 18: expected a number from 1 to 16"):
        load(with_(tiles=tiles), box="base")


@pytest.mark.rule("T1.7")
@pytest.mark.parametrize(("layout", "players"), [("two_tiles", 3), ("four_tiles_column", 5), ("four_tiles_block", 5)])
def test_however_badly_forts_are_laid_every_printed_core_has_room_for_all(layout, players):
    """The worst case over tiles and ways to lay them; only where city-states are printed makes a difference."""
    import random

    data = printed_data(BOX)
    pick = random.Random(1)
    for side in "AB":
        entries = data["map_layouts"]["core"][layout][side]
        with_city_state = [t for t in OTHERS if data["tiles"]["tiles"][str(t)]["kind"] == "city_state"]
        for _ in range(25):
            tiles = pick.sample(with_city_state, len(entries))
            lying = [{**entry, "tile": tile, "side": side} for entry, tile in zip(entries, tiles, strict=True)]
            core, _, city_states = rules_load._fort_ground(lying, data)
            assert rules_load.fewest_forts(rules_load.fort_places(core, (), city_states, 2), players) == players


def test_the_worst_case_is_found():
    row = {(q, 0) for q in range(3)}
    assert rules_load.fewest_forts(row, 5) == 1, "in the middle a fort blocks both others"
    assert rules_load.fewest_forts({(0, 0), (2, 0), (4, 0)}, 5) == 3
    assert rules_load.fewest_forts({(0, 0), (2, 0), (4, 0)}, 2) == 2
    assert rules_load.fewest_forts(set(), 5) == 0
