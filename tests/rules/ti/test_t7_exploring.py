"""T7: exploring with caravans, the stack, where a tile may lie, what it brings; Shipbuilding, Astronomy, Apadana (T12)."""

import pytest
from battles import changed
from frontier_games import TILES, around, cell_of, holes, option_of, placed, tile_places
from table import (
    AWAY_TILE,
    BOTS,
    HOME_TILE,
    LAST_SPACE,
    PASS,
    STACK,
    WILD_TILE,
    Table,
    bare_state,
    row_with_capital,
    three_tiles,
    ti_rules,
    ti_rules_with,
    ti_table_with,
)

from newdawn.simulator import names
from newdawn.simulator.engine import culture, decisions, exploring, map, pieces, turn
from newdawn.simulator.engine.choosing import EXPLORER_CARAVAN, LOG_EXPLORE, LOG_TILE
from newdawn.simulator.engine.compile.jit import seat_strategies, strategy
from newdawn.simulator.engine.economy import caravan_goes_on, mark_caravan, may_stand
from newdawn.simulator.rules.ruleset_contents import written

table = three_tiles


def cells(t):
    return {(int(t.g.axial_q[s]), int(t.g.axial_r[s])): s for s in range(t.g.n_spaces)}


def explore_at(t, space):
    return decisions.EXPLORE + t.at(space)


def explorations(t, nth=0):
    """Return the cells from which the nth question lets a caravan explore."""
    spaces = {s: cell for cell, s in cells(t).items()}
    return {
        spaces[option - decisions.EXPLORE] for option in t.options(decisions.CARAVAN_TO, nth) if option >= decisions.EXPLORE
    }


def destinations(t, nth=0):
    spaces = {s: cell for cell, s in cells(t).items()}
    return {spaces[option] for option in t.options(decisions.CARAVAN_TO, nth) if option < decisions.EXPLORE}


def economy(t, card, *choices, c=0):
    """Let seat 0 resolve the economy card from slot 5, moving caravan `c` first."""
    t.script((decisions.CARAVAN, c), *choices)
    t.resolve(0, card, 5)


def edge(t, tile):
    return {cell for cell, s in cells(t).items() if t.g.tile[s] == tile and t.g.edge[s]}


def explored(t):
    """Return (space explored from, tile, whether it fits) of each time."""
    return [tuple(row[2:5]) for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_EXPLORE]


def new_cells(t):
    """Return the cells of the tiles laid, by tile."""
    found = {}
    for cell, s in cells(t).items():
        if t.g.tile[s] not in (HOME_TILE, AWAY_TILE, WILD_TILE, 0):
            found.setdefault(int(t.g.tile[s]), set()).add(cell)
    return found


# --- T7.1: who explores, where, how often


@pytest.mark.rule("T7.1")
def test_a_caravan_explores_from_edge_spaces_of_any_players_capital_tile():
    t = table()
    t.caravan(0, (-2, 1))
    economy(t, "Steam Power")
    capital_tiles = edge(t, HOME_TILE) | edge(t, AWAY_TILE)
    assert explorations(t) == capital_tiles - {(2, 0)}, "not from a tile without a capital, nor inside"
    assert edge(t, WILD_TILE)
    assert (2, 0) not in edge(t, AWAY_TILE)


@pytest.mark.rule("T7.1")
def test_it_costs_one_movement_with_what_it_takes_to_get_there():
    t = table()
    t.caravan(0, (-1, 0))
    economy(t, "Foreign Trade")
    near = {cell for cell in edge(t, HOME_TILE) if distance(cell, (-1, 0)) <= 2}
    assert near
    assert explorations(t) == near, "three steps: two to get there and one to explore"


def distance(a, b):
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


@pytest.mark.rule("T7.1")
def test_before_its_first_step_too_and_from_the_card_as_if_in_the_capital():
    t = table()
    t.caravan(0, (-3, 0))
    economy(t, "Foreign Trade")
    assert (-3, 0) in explorations(t)
    t = table()
    pieces.drop_city(t.g, 0, t.at((-2, 0)))
    pieces.set_owner(t.g, t.w, -1, t.at((-2, 0)), 0)
    t.capital(0, (-3, 0))
    economy(t, "Foreign Trade", (decisions.CARAVAN_TO, explore_at(t, (-3, 0))), (decisions.CARAVAN_TO, PASS))
    assert explored(t) == [(t.at((-3, 0)), STACK[0], 1)]
    assert t.g.caravan[0, 0] == t.at((-3, 0)), "it has set out, and stands in the capital"
    assert t.g.arrived[t.at((-3, 0))] == 1


@pytest.mark.rule("T7.1")
def test_once_a_turn_each_figure():
    t = table()
    t.caravan(0, (-3, 0))
    t.caravan(0, (-3, 1), c=1)
    economy(
        t, "Steam Power", (decisions.CARAVAN_TO, explore_at(t, (-3, 0))), (decisions.CARAVAN_TO, PASS),
        (decisions.CARAVAN, 1), (decisions.CARAVAN_TO, explore_at(t, (-3, 3))), (decisions.CARAVAN_TO, PASS),
    )  # fmt: skip
    assert explorations(t, 0)
    assert not explorations(t, 1), "the first caravan has explored"
    assert explorations(t, 2), "the second has not"
    assert not explorations(t, 3)
    assert [tile for _, tile, _ in explored(t)] == STACK[:2]
    assert t.g.caravan_explored[:2].tolist() == [1, 1]
    turn.begin_turn(t.r, t.g)
    assert not t.g.caravan_explored.any(), "in the next turn it may again"


@pytest.mark.rule("B7.2", "T7.4")
def test_trade_tokens_may_be_spent_when_a_tile_was_found_in_mid_move():
    t = table()
    t.caravan(0, (-3, 0))
    t.trade(0, "economy", 3)
    t.script((decisions.SPEND_TRADE, 0), (decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (-1, 0)))
    t.resolve(0, "Foreign Trade", 5)
    assert t.asked_kinds().count("spend_trade") == 1, "nothing has come to light: the way was known"
    t.caravan(0, (-3, 0))
    t.script(
        (decisions.SPEND_TRADE, 0),
        (decisions.CARAVAN, 0),
        (decisions.CARAVAN_TO, explore_at(t, (-3, 2))),
        (decisions.SPEND_TRADE, 2),
        (decisions.CARAVAN_TO, (-2, 1)),
    )
    t.resolve(0, "Foreign Trade", 5)
    assert far(t, 1) == 2, "three steps, all gone, and two that were bought"
    assert t.trade_on(0, "economy") == 1


@pytest.mark.rule("B7.2", "T7.4")
def test_without_steps_left_a_token_takes_the_caravan_on():
    t = table()
    t.caravan(0, (-3, 0))
    t.trade(0, "economy", 1)
    t.script(
        (decisions.SPEND_TRADE, 0),
        (decisions.CARAVAN, 0),
        (decisions.CARAVAN_TO, explore_at(t, (-3, 2))),
        (decisions.SPEND_TRADE, 0),
    )
    t.resolve(0, "Foreign Trade", 5)
    assert t.asked_kinds().count("caravan_to") == 1
    assert t.trade_on(0, "economy") == 1


@pytest.mark.rule("B7.2", "T7.4")
def test_what_is_spent_in_mid_move_serves_the_caravans_that_follow():
    t = table()
    t.caravan(0, (-3, 0))
    t.caravan(0, (-1, 0), c=1)
    t.trade(0, "economy", 2)
    t.script(
        (decisions.SPEND_TRADE, 0),
        (decisions.CARAVAN, 0),
        (decisions.CARAVAN_TO, explore_at(t, (-3, 0))),
        (decisions.SPEND_TRADE, 2),
        (decisions.CARAVAN_TO, PASS),
        (decisions.CARAVAN, 1),
    )
    t.resolve(0, "Foreign Trade", 5)
    assert far(t, 2, (-1, 0)) == 3 + 2


def far(t, nth, start=(-3, 2)):
    """Return how far the farthest space is that the nth question offers a caravan on the space."""
    return max(distance(cell, start) for cell in destinations(t, nth))


@pytest.mark.rule("T7.4", "T5.2")
def test_tokens_lengthen_no_armys_move_so_none_are_asked_for_when_it_has_explored():
    t = table()
    t.army(0, (-3, 0))
    t.trade(0, "military", 3)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, explore_at(t, (-3, 0))))
    t.resolve(0, "Masonry", 5)
    assert "spend_trade" not in t.asked_kinds()


@pytest.mark.rule("T7.1", "B7.4")
def test_a_caravan_that_explored_and_came_home_does_not_set_out_again():
    t = table()
    t.city_state("Kumasi", (-3, 1))
    t.caravan(0, (-3, 0))
    economy(t, "Foreign Trade", (decisions.CARAVAN_TO, explore_at(t, (-3, 0))), (decisions.CARAVAN_TO, (-3, 1)))
    t.script()
    t.resolve(0, "Foreign Trade", 5)
    assert "caravan" not in t.asked_kinds()


@pytest.mark.rule("T7.1")
def test_not_with_an_empty_stack():
    t = table(stack=[])
    t.caravan(0, (-3, 0))
    economy(t, "Foreign Trade")
    assert destinations(t)
    assert not explorations(t)


@pytest.mark.rule("T7.1")
def test_not_where_arriving_would_end_the_move():
    t = table()
    t.city_state("Kumasi", (-3, 1))
    t.city(1, (-3, 3))
    t.barbarian("A", (-2, -1))
    t.caravan(0, (-3, 2))
    economy(t, "Foreign Trade")
    assert {(-3, 1), (-3, 3)} <= destinations(t)
    assert (-3, 2) in explorations(t)
    assert not {(-3, 1), (-3, 3), (-2, -1)} & explorations(t)


@pytest.mark.rule("T7.1")
def test_not_in_an_own_city_another_caravan_has_come_to():
    t = table()
    t.city(0, (-3, 3))
    t.caravan(0, (-3, 2))
    t.g.arrived[t.at((-3, 3))] = 1
    economy(t, "Foreign Trade")
    assert (-3, 3) not in explorations(t)


@pytest.mark.rule("T7.1")
def test_the_base_game_knows_no_exploring():
    t = Table(radius=3)
    t.capital(0, (-3, 0))
    t.g.stack[0], t.g.stack_n = 5, 1
    t.caravan(0, (-3, 1))
    economy(t, "Foreign Trade")
    assert all(option < decisions.EXPLORE for option in t.options(decisions.CARAVAN_TO))


def goes_on_from(t, space, left):
    """Can seat 0's caravan pass the space and end its move with the steps left?"""
    mark_caravan(t.r, t.g, t.w, 0, t.g.card[0, t.holder(0, "economy")], 6)
    return bool(caravan_goes_on(t.r, t.g, t.w, 0, t.at(space), left))


@pytest.mark.rule("T7.1")
@pytest.mark.parametrize(("left", "goes"), [(0, False), (1, False), (2, True), (3, True)])
def test_a_caravan_passes_a_city_where_one_has_arrived_if_it_gets_to_a_space_where_it_may_stop(left, goes):
    t = row_with_capital(7, rules=ti_rules())
    for space in ((2, 0), (3, 0)):
        t.city(0, space)
        t.g.arrived[t.at(space)] = 1
    t.g.terrain[t.at((1, 0))] = names.WATER
    assert goes_on_from(t, (2, 0), left) == goes
    t.g.arrived[t.at((2, 0))] = 0
    assert goes_on_from(t, (2, 0), 0)
    t.g.terrain[t.at((2, 0))] = names.WATER
    assert not goes_on_from(t, (2, 0), 3)


@pytest.mark.parametrize("name", ["Carthage", "Palenque"])
def test_no_caravan_stands_on_any_city_state_amid_its_move(name):
    t = ti_table_with((0, 0), LAST_SPACE)
    assert may_stand(t.r, t.g, 0, 0, t.at((1, 0)))
    t.city_state(name, (1, 0))
    assert not may_stand(t.r, t.g, 0, 0, t.at((1, 0)))


# --- T7.2: where the tile may lie


def explore(t, space, option=None):
    """Let seat 0 explore from the space; lay the tile as the option says, or in the last place offered."""
    t.script(*([(decisions.PLACE_TILE, option)] if option is not None else []))
    return t.call(exploring.explore, 0, t.at(space), EXPLORER_CARAVAN)


@pytest.mark.rule("T7.2")
def test_a_tile_may_lie_on_either_side_and_in_any_rotation_touching_four_spaces_and_the_explorers():
    shapes = set()
    for space in sorted(edge(table(), HOME_TILE) | edge(table(), AWAY_TILE)):
        t = table()
        taken = set(cells(t))
        assert explore(t, space) == 1
        options = t.asked()[0][2]
        assert set(options) == tile_places(taken, taken, {space})
        assert len(options) == len(set(options))
        shapes |= {placed(option)[0] for option in options}
    assert shapes == set(range(12))


@pytest.mark.rule("T7.2")
def test_it_is_the_bottom_tile_of_the_stack():
    t = table()
    explore(t, (-3, 1))
    assert t.w.ask_space == STACK[0]
    assert set(new_cells(t)) == {STACK[0]}
    assert t.g.stack[:3].tolist() == [*STACK[1:], 0]
    assert t.g.stack_n == 2
    row = next(row for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_TILE)
    assert row[1:3] == [0, STACK[0]]


@pytest.mark.rule("T7.2")
@pytest.mark.parametrize("pick", [0, 7, -1])
def test_the_tile_lies_in_the_place_chosen(pick):
    t = table()
    option = sorted(tile_places(set(cells(t)), set(cells(t)), {(3, -3)}))[pick]
    assert explore(t, (3, -3), option) == 1
    shape, expected = placed(option)
    assert new_cells(t)[STACK[0]] == set(expected)
    face = TILES[STACK[0]]["sides"]["AB"[shape // 6]]
    printed = {feature["space"] for feature in face["features"] if "natural_wonder" in feature or "city_state" in feature}
    for i, cell in enumerate(expected):
        if i not in printed:
            assert names.TERRAINS[t.g.terrain[cells(t)[cell]]] == face["terrain"][i]


@pytest.mark.rule("T7.2")
def test_a_tile_that_fits_nowhere_goes_on_top_and_the_figure_has_explored():
    line = [(q, 0) for q in range(-4, 3)]
    t = Table(spaces=[*line, (2, 1), (3, 0)], rules=ti_rules())
    t.g.tile[:] = HOME_TILE
    t.capital(0, (-3, 0))
    t.g.stack[:3], t.g.stack_n = STACK, 3
    # A ring of two spaces around the left end leaves it an edge no tile fits into.
    for cell in [(-4, -1), (-3, -1), (-5, 2), (-4, 1), (-5, 1), (-6, 1), (-6, 0), (-5, -1)]:
        add(t, cell)
    assert not tile_places(set(cells(t)), set(cells(t)), {(-4, 0)})
    t.caravan(0, (-4, 0))
    before = t.g.n_spaces
    economy(t, "Foreign Trade", (decisions.CARAVAN_TO, explore_at(t, (-4, 0))), (decisions.CARAVAN_TO, t.at((-2, 0))))
    assert explored(t) == [(t.at((-4, 0)), STACK[0], 0)]
    assert t.g.stack[:3].tolist() == [*STACK[1:], STACK[0]], "on top of the stack, the others as they were"
    assert t.g.n_spaces == before
    assert t.g.caravan_explored[0] == 1
    assert distance((-2, 0), (-4, 0)) == 2
    assert max(distance(cell, (-4, 0)) for cell in destinations(t, 1)) == 2, "the movement is spent"


def add(t, cell, tile=HOME_TILE):
    """Lay one more grassland space."""
    map.rebuild_grid(t.g, t.w)
    t.index[cell] = map.add_space(t.g, t.w, *cell, tile, names.GRASSLAND)
    map.connect(t.g, t.w)


@pytest.mark.rule("T7.2")
@pytest.mark.parametrize(("ruling", "tiles_only"), [("any_laid_space", False), ("tile_spaces", True)])
def test_forts_and_water_count_as_touched_or_by_the_other_ruling_do_not(tmp_path, ruling, tiles_only):
    t = table(rules=ti_rules_with(tmp_path, rulings={"explore_contacts": ruling}))
    t.fort((-3, 1))
    t.fort((-3, 2), seat=1)
    t.g.tile[t.at((-2, -1))] = 0  # a water token
    laid = set(cells(t))
    counted = {cell for cell in laid if 0 < t.g.tile[t.at(cell)] <= 21} if tiles_only else laid
    assert len(counted) == len(laid) - (3 if tiles_only else 0)
    explore(t, (-3, 0))
    expected = tile_places(laid, counted, {(-3, 0)})
    assert set(t.asked()[0][2] if t.asked() else []) == expected
    assert expected != tile_places(laid, laid, {(-3, 0)}) or not tiles_only


@pytest.mark.rule("T7.2")
def test_the_lowest_tile_of_the_stack_is_taken_and_the_others_keep_their_order():
    g = bare_state()
    g.stack[:3], g.stack_n = (5, 7, 9), 3
    for tile, left in ((5, [7, 9]), (7, [9]), (9, [])):
        assert exploring.take_bottom(g) == tile
        assert g.stack[: g.stack_n].tolist() == left


@pytest.mark.rule("T7.2")
@pytest.mark.parametrize("tiles", [(1, 0, 0, 0), (1, 1, 0, 0), (1, names.MAX_TILES, names.FORT_TILE, 0)])
@pytest.mark.parametrize("only", [0, 1])
def test_by_one_reading_only_spaces_of_tiles_count_as_touched(tiles, only):
    line = [(0, 0), (1, 0), (2, 0), (3, 0)]
    t = Table(rules=changed(contacts_tiles_only=only, explore_touch=2), spaces=line)
    t.g.tile[:4] = tiles
    exploring.mark_space(t.g, t.w, t.at((0, 0)))
    map.rebuild_grid(t.g, t.w)
    n = exploring.list_tile_places(t.r, t.g, t.w)
    counted = {space for space, tile in zip(line, tiles, strict=True) if 0 < tile <= names.MAX_TILES} if only else set(line)
    expected = tile_places(set(line), counted, {(0, 0)}, need=2)
    assert (expected == set()) == (only == 1 and tiles[1] == 0)
    assert set(t.w.option[:n].tolist()) == expected


# --- T7.3: populating, holes


@pytest.mark.rule("T7.3")
@pytest.mark.parametrize("tile", [18, 20, 21, 15, 5])
@pytest.mark.parametrize("side", [0, 1])
def test_the_new_tile_is_populated(tile, side):
    t = table(stack=[tile])
    option = next(o for o in sorted(tile_places(set(cells(t)), set(cells(t)), {(-3, 1)})) if placed(o)[0] // 6 == side)
    before = t.g.supply.copy()
    assert explore(t, (-3, 1), option) == 1
    spaces = [cells(t)[cell] for cell in placed(option)[1]]
    features = TILES[tile]["sides"]["AB"[side]]["features"]
    for feature in features:
        s = spaces[feature["space"]]
        for kind, name in feature.items():
            if kind == "resource":
                assert names.RESOURCES[t.g.resource[s]] == name
            elif kind == "barbarian":
                b = names.LETTERS.index(name)
                assert (t.g.barbarian_space[b], t.g.barbarian_home[b], t.g.barbarians[s]) == (s, s, 1)
            elif kind == "natural_wonder":
                code = written(t.r, "natural_wonder").index(name)
                assert (t.g.natural_wonder[s], t.g.natural_wonder_owner[code]) == (code, -1)
                assert t.g.terrain[s] == names.NATURAL_WONDER
            elif kind == "city_state":
                code = written(t.r, "city_state").index(name)
                assert (t.g.city_state[s], t.g.city_state_owner[code], t.g.city_state_cards_left[code]) == (code, -1, 2)
                assert t.g.terrain[s] == names.GRASSLAND
    taken = [names.RESOURCES.index(f["resource"]) for f in features if "resource" in f]
    assert [int(before[k] - t.g.supply[k]) for k in range(4)] == [taken.count(k) for k in range(4)]


@pytest.mark.rule("T7.3")
def test_a_resource_without_a_token_left_stays_bare():
    t = table(stack=[5])
    t.g.supply[:] = 0
    explore(t, (-3, 1))
    assert (t.g.resource[: t.g.n_spaces] == -1).all()
    assert not t.g.supply.any()


@pytest.mark.rule("T7.3")
def test_places_the_tile_closes_in_become_water():
    t = table()
    for option in sorted(tile_places(set(cells(t)), set(cells(t)), {(0, -3), (-3, 0), (3, 0)})):
        closed = holes(set(cells(t)) | set(placed(option)[1]))
        if closed:
            break
    start = next(cell for cell in [(0, -3), (-3, 0), (3, 0)] if cell in {b for c in placed(option)[1] for b in around(c)})
    assert explore(t, start, option) == 1
    assert {cell for cell, s in cells(t).items() if t.g.tile[s] == 0} == closed
    assert all(t.g.terrain[cells(t)[cell]] == names.WATER for cell in closed)
    assert t.g.water_tokens == 16 - len(closed)
    assert not holes(set(cells(t)))


# --- T7.4, T7.5: going on, what changes


@pytest.mark.rule("T7.4")
def test_the_caravan_may_go_on_onto_the_new_tile():
    t = table(stack=[8])
    t.caravan(0, (-3, 0))
    economy(t, "Foreign Trade", (decisions.CARAVAN_TO, explore_at(t, (-3, 0))))
    laid = new_cells(t)[8]
    assert destinations(t, 1) & laid
    assert max(distance(cell, (-3, 0)) for cell in destinations(t, 1)) <= 2, "two of three steps are left"
    assert t.g.caravan[0, 0] == t.at((-3, 0)), "it need not"


@pytest.mark.rule("T7.5")
def test_who_finds_a_tile_gets_nothing_for_it():
    t = table(stack=[18])
    before = t.g.resources.copy(), t.g.trade.copy(), t.g.natural_wonder_owner.copy()
    explore(t, (-3, 1))
    code = next(int(n) for n in t.g.natural_wonder if n >= 0)
    assert (t.g.resources == before[0]).all()
    assert (t.g.trade == before[1]).all()
    assert t.g.natural_wonder_owner[code] == -1
    assert (t.g.owner[37 : t.g.n_spaces] == -1).all()


@pytest.mark.rule("T7.5")
def test_edges_and_coasts_change_at_once():
    t = table()
    t.token(0, (-3, 0), (-3, 1), (-3, 2))
    t.token(1, (3, 0))
    assert t.g.coast_count[0] == 3
    explore(t, (-3, 1))
    spaces = cells(t)
    for cell, s in spaces.items():
        near = [spaces.get(beside, -1) for beside in around(cell)]
        assert t.g.neighbour[s].tolist() == near
        assert t.g.edge[s] == (-1 in near)
        assert t.g.coastal[s] == (-1 in near or any(n >= 0 and t.g.terrain[n] == names.WATER for n in near))
    for p in (0, 1):
        held = [s for s in spaces.values() if t.g.owner[s] == p]
        assert t.g.coast_count[p] == sum(int(t.g.coastal[s]) for s in held)
    assert t.g.edge[t.at((-3, 1))] == 0


@pytest.mark.rule("T7.5")
def test_an_agenda_that_counts_coasts_is_claimed_the_moment_a_tile_brings_water(tmp_path):
    r = ti_rules_with(tmp_path, victory_cards={"explorer_aesthetic": {"agendas": {"explorer": {"condition": {"at_least": 2}}}}})
    agendas = written(r, "agenda")
    card = next(i for i in range(r.n_victory_cards) if agendas[r.agenda_name[i, 0]] == "Explorer")
    t = table(stack=[1], rules=r, victory=[card])
    t.token(0, (-2, 1), (-1, 1))
    t.g.dirty = 1
    t.call(lambda r, g, w, bots: None)
    assert t.g.coast_count[0] == 0
    assert not t.g.claimed[0, 0]
    t.g.coast_count[0] = 0
    t.g.terrain[t.at((-2, 2))] = names.WATER  # as if the tile had brought it
    explore(t, (-3, 1))
    assert t.g.coast_count[0] >= 2
    assert t.g.claimed[0, 0] == 1


def test_when_the_map_has_grown_everybodys_coast_is_counted_anew():
    t = Table(leaders=("Rome", "Egypt", "Aztec", "France", "Sumeria"), rules=ti_rules(), radius=4)
    for p, space in enumerate([(0, 0), (4, 0), (-4, 0), (0, 4), (0, -4)]):
        t.capital(p, space)
    t.token(4, (1, -4), (1, -1))
    t.g.coast_count[:] = 9
    map.rebuild_grid(t.g, t.w)
    t.call(exploring.map_has_grown)
    assert t.g.coast_count.tolist() == [0, 1, 1, 1, 2]


# --- Shipbuilding


def indonesia():
    return table(leaders=("Indonesia", "Egypt"))


@pytest.mark.rule("T12.11")
@pytest.mark.effect("Shipbuilding")
def test_shipbuilding_lays_one_water_token_beside_the_caravan_before_the_tile_is_drawn():
    t = indonesia()
    t.caravan(0, (-3, 0))
    empty = {cell for cell in around((-3, 0)) if cell not in t.index}
    economy(t, "Shipbuilding", (decisions.CARAVAN_TO, explore_at(t, (-3, 0))), (decisions.WATER_SPACE, option_of(min(empty))))
    assert {cell_of(option) for option in t.options(decisions.WATER_SPACE)} == empty
    s = cells(t)[min(empty)]
    assert (t.g.terrain[s], t.g.tile[s]) == (names.WATER, 0)
    asked = [kind for kind, _, _ in t.asked()]
    assert asked.index(decisions.WATER_SPACE) < asked.index(decisions.PLACE_TILE)
    offered = next(options for kind, _, options in t.asked() if kind == decisions.PLACE_TILE)
    taken = set(t.index) | {min(empty)}
    assert set(offered) == tile_places(taken, taken, {(-3, 0)}), "it is a laid space from then on"
    assert t.g.water_tokens <= 15


@pytest.mark.rule("T12.11")
def test_one_water_token_a_resolution_and_it_may_be_declined():
    t = indonesia()
    t.caravan(0, (-3, 0))
    t.caravan(0, (3, 0), c=1)
    first = min(cell for cell in around((-3, 0)) if cell not in t.index)
    economy(
        t,
        "Shipbuilding",
        (decisions.CARAVAN_TO, explore_at(t, (-3, 0))),
        (decisions.WATER_SPACE, option_of(first)),
        (decisions.CARAVAN_TO, PASS),
        (decisions.CARAVAN, 1),
        (decisions.CARAVAN_TO, explore_at(t, (3, 0))),
    )
    assert t.asked_kinds().count("water_space") == 1
    assert len(explored(t)) == 2
    t = indonesia()
    t.caravan(0, (-3, 0))
    t.caravan(0, (3, 0), c=1)
    economy(
        t,
        "Shipbuilding",
        (decisions.CARAVAN_TO, explore_at(t, (-3, 0))),
        (decisions.WATER_SPACE, PASS),
        (decisions.CARAVAN_TO, PASS),
        (decisions.CARAVAN, 1),
        (decisions.CARAVAN_TO, explore_at(t, (3, 0))),
    )
    assert t.asked_kinds().count("water_space") == 2, "declined, it is still to be had"
    t = indonesia()
    t.g.water_laid = 1
    t.caravan(0, (-3, 0))
    economy(t, "Shipbuilding", (decisions.CARAVAN_TO, explore_at(t, (-3, 0))), (decisions.CARAVAN_TO, PASS))
    assert t.asked_kinds().count("water_space") == 1, "the next resolution has one of its own"


@pytest.mark.rule("T12.11")
def test_without_water_tokens_or_with_another_card_there_is_none():
    t = indonesia()
    t.g.water_tokens = 0
    t.caravan(0, (-3, 0))
    economy(t, "Shipbuilding", (decisions.CARAVAN_TO, explore_at(t, (-3, 0))))
    assert "water_space" not in t.asked_kinds()
    t = indonesia()
    t.caravan(0, (-3, 0))
    economy(t, "Foreign Trade", (decisions.CARAVAN_TO, explore_at(t, (-3, 0))))
    assert "water_space" not in t.asked_kinds()


def test_shipbuilding_offers_the_empty_places_on_all_six_sides_and_counts_what_is_laid():
    t = Table(rules=ti_rules(), spaces=[(0, 0), (9, 9)])
    t.capital(0, (0, 0))
    t.capital(1, (9, 9))
    t.g.water_tokens = 2
    t.script((decisions.WATER_SPACE, PASS))
    assert t.call(exploring.lay_water_token, 0, t.at((0, 0))) == 0
    grid = {
        (q + names.GRID_ORIGIN) * names.GRID + r + names.GRID_ORIGIN
        for q, r in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    }
    assert t.options(decisions.WATER_SPACE) == grid
    t.script((decisions.WATER_SPACE, max(grid)))
    assert t.call(exploring.lay_water_token, 0, t.at((0, 0))) == 1
    assert (t.g.n_spaces, t.g.water_tokens) == (3, 1)


@pytest.mark.rule("T12.11")
@pytest.mark.effect("Shipbuilding")
def test_a_water_token_goes_on_an_empty_place_only():
    t = three_tiles(STACK)
    zero, beside = t.coordinates[0], t.coordinates[1]
    t.script((decisions.WATER_SPACE, PASS))
    t.call(exploring.lay_water_token, 0, t.at(beside))
    assert zero in around(beside), "a space of the map lies beside it too"
    assert {cell_of(option) for option in t.options(decisions.WATER_SPACE)} == set(around(beside)) - set(t.coordinates)


# --- Astronomy and Apadana


@pytest.mark.rule("T12.12")
def test_astronomy_lays_one_of_two_tiles_seen_beside_the_own_capitals_tile():
    t = table()
    taken = set(cells(t))
    t.script((decisions.EXPLORED_TILE, STACK[1]))
    t.call(exploring.look_at_tiles, 0, 2, 1)
    assert t.options(decisions.EXPLORED_TILE) == set(STACK[:2]), "the two lowest"
    offered = next(options for kind, _, options in t.asked() if kind == decisions.PLACE_TILE)
    assert set(offered) == tile_places(taken, taken, edge(table(), HOME_TILE)), "any edge space of the own capital's tile"
    assert len(offered) == len(set(offered))
    assert set(new_cells(t)) == {STACK[1]}
    assert t.options(decisions.STACK_ORDER) == {2 * STACK[0], 2 * STACK[0] + 1}
    assert explored(t) == [(-1, STACK[1], 1)]


def test_tiles_up_to_the_last_number_are_put_back():
    t = table(stack=[1, names.MAX_TILES - 1, names.MAX_TILES])
    t.script((decisions.STACK_ORDER, 2 * names.MAX_TILES + 1), (decisions.STACK_ORDER, 2 * (names.MAX_TILES - 1)))
    t.call(exploring.put_back, 0, 1 << names.MAX_TILES | 1 << (names.MAX_TILES - 1))
    t.require_script_done()
    assert t.g.stack[:3].tolist() == [names.MAX_TILES - 1, 1, names.MAX_TILES]


@pytest.mark.rule("T12.12")
@pytest.mark.parametrize(
    ("order", "stack"),
    [
        ([(13, 0), (12, 0)], [12, 13, 5]), ([(12, 0), (13, 0)], [13, 12, 5]), ([(13, 1), (12, 1)], [5, 13, 12]),
        ([(12, 1), (13, 1)], [5, 12, 13]), ([(13, 0), (12, 1)], [13, 5, 12]), ([(13, 1), (12, 0)], [12, 5, 13]),
    ],
)  # fmt: skip
def test_the_tiles_not_laid_go_back_on_top_or_to_the_bottom_in_any_order(order, stack):
    t = table()
    before = t.g.n_spaces
    t.script((decisions.EXPLORED_TILE, PASS), *[(decisions.STACK_ORDER, 2 * tile + top) for tile, top in order])
    t.call(exploring.look_at_tiles, 0, 2, 1)
    assert t.script_done()
    assert t.g.stack[:3].tolist() == stack
    assert t.g.n_spaces == before


@pytest.mark.rule("T12.12")
def test_astronomy_looks_at_what_the_stack_has():
    t = table(stack=[5])
    t.script((decisions.EXPLORED_TILE, PASS), (decisions.STACK_ORDER, 10))
    t.call(exploring.look_at_tiles, 0, 2, 1)
    assert t.options(decisions.EXPLORED_TILE) == {5}
    assert t.g.stack[:2].tolist() == [5, 0]
    t = table(stack=[])
    t.script()
    t.call(exploring.look_at_tiles, 0, 2, 1)
    assert not t.asked()


@pytest.mark.rule("T12.12")
def test_apadana_explores_from_any_edge_space_of_any_tile():
    t = table()
    taken = set(cells(t))
    t.script()
    assert t.call(exploring.explore_from_any_tile, 0) == 1
    offered = next(options for kind, _, options in t.asked() if kind == decisions.PLACE_TILE)
    assert set(offered) == tile_places(taken, taken, taken)
    assert len(offered) == len(set(offered))
    assert t.w.ask_space == STACK[0]
    assert t.g.stack_n == 2
    t = table(stack=[])
    assert t.call(exploring.explore_from_any_tile, 0) == 0


@pytest.mark.rule("T12.12")
def test_tiles_of_all_numbers_can_be_seen():
    for stack in ([1, 21], [21, 1]):
        t = table(stack=stack)
        t.script((decisions.EXPLORED_TILE, stack[1]))
        t.call(exploring.look_at_tiles, 0, 2, 1)
        assert t.options(decisions.EXPLORED_TILE) == {1, 21}
        assert t.g.stack[:2].tolist() == [stack[0], 0]
        assert t.options(decisions.STACK_ORDER) == {2 * stack[0], 2 * stack[0] + 1}


@pytest.mark.rule("T12.12")
def test_astronomy_lays_nothing_where_no_tile_fits_beside_the_capitals_tile():
    t = table()
    for s in range(t.g.n_spaces):
        if t.g.tile[s] == HOME_TILE and s != t.g.capital[0]:
            t.g.tile[s] = WILD_TILE
    t.script()
    t.call(exploring.look_at_tiles, 0, 2, 1)
    assert not t.options(decisions.EXPLORED_TILE), "the capital lies inside, its tile has no edge space"
    assert t.options(decisions.STACK_ORDER) == {26, 27, 24, 25}


@pytest.mark.rule("T12.12")
def test_a_water_token_at_the_edge_of_the_map_is_no_edge_of_a_tile():
    t = ti_table_with((0, 0), LAST_SPACE)
    t.g.tile[t.at((0, 3))] = 0  # of no tile: a water token lies there
    exploring.mark_edges(t.g, t.w, exploring.ANY_TILE)
    assert (t.g.edge[t.at((0, 3))], t.w.mark[t.at((0, 3))]) == (1, 0)


@pytest.mark.rule("T12.12")
def test_tokens_after_exploring_go_on_every_space_of_the_new_tile_the_last_included():
    t = ti_table_with((0, 0), (0, 3))
    new = [(2, 0), (3, 0), (2, 1)]
    for space in new:
        t.g.tile[t.at(space)] = 9
    n = culture.list_token_spaces(t.r, t.g, t.w, 0, -1, 9, decisions.SOURCE_APADANA, 9)
    assert set(t.w.option[:n].tolist()) == t.spaces(*new)


def test_the_last_tile_there_can_be_is_among_those_that_astronomy_sees():
    t = row_with_capital(7, rules=changed(explore_touch=1))
    t.g.tile[: t.g.n_spaces] = HOME_TILE
    t.g.stack[:3], t.g.stack_n = (STACK[0], names.MAX_TILES, STACK[1]), 3
    t.script()
    exploring.lay_one_seen(t.r, t.g, t.w, BOTS, 0, 1 << STACK[0] | 1 << names.MAX_TILES)
    assert t.options(decisions.EXPLORED_TILE) == {STACK[0], names.MAX_TILES}


def test_the_edge_of_any_tile_is_no_fort():
    t = ti_table_with((0, 0), LAST_SPACE)
    t.fort((0, 3))
    exploring.mark_edges(t.g, t.w, exploring.ANY_TILE)
    edge = {s for s in range(t.g.n_spaces) if t.g.edge[s]}
    marked = {s for s in range(t.g.n_spaces) if t.w.mark[s]}
    assert marked == edge - t.spaces((0, 3))


@pytest.mark.rule("T12.11")
def test_a_water_token_changes_coasts_at_once():
    t = table()
    t.token(0, (-3, 0), (-2, 1))
    for cell in [(-4, 0), (-4, 1), (-3, -1)]:
        add(t, cell)
    t.script((decisions.WATER_SPACE, option_of((-4, -1))))
    assert t.call(exploring.lay_water_token, 0, t.at((-3, -1))) == 1
    s = cells(t)[-4, -1]
    assert (t.g.terrain[s], t.g.tile[s]) == (names.WATER, 0)
    assert t.g.neighbour[t.at((-3, -1)), 3] == s
    assert t.g.coast_count[0] == sum(int(t.g.coastal[t.at(cell)]) for cell in ((-3, 0), (-2, 1), (-2, 0)))
    assert t.g.water_tokens == 15
    t.script((decisions.WATER_SPACE, PASS))
    assert t.call(exploring.lay_water_token, 0, t.at((-3, -1))) == 0


@pytest.mark.rule("T12.11")
def test_a_water_token_that_closes_a_place_in_makes_it_water_too():
    t = table()
    for cell in [(-4, 0), (-5, 1), (-5, 2)]:
        add(t, cell)
    t.script((decisions.WATER_SPACE, option_of((-4, 2))))
    assert t.call(exploring.lay_water_token, 0, t.at((-3, 1))) == 1
    water = {cell for cell, s in cells(t).items() if t.g.terrain[s] == names.WATER}
    assert water == {(-4, 2), (-4, 1)}
    assert t.g.water_tokens == 14


# --- what holds for every tile laid


@strategy
def choose_untidy(r, g, w, seat, kind, n, u):
    """Take the first option and leave the workspace in disorder, as one that looks ahead may."""
    for s in range(g.n_spaces):
        w.mark[s] = 1
    for i in range(60, 70):
        for j in range(60, 70):
            w.grid[i, j] = -1
    return 0


def test_a_strategy_may_use_the_workspace_while_it_chooses():
    untidy = seat_strategies(choose_untidy)
    t = table()
    exploring.look_at_tiles(t.r, t.g, t.w, untidy, 0, 2, 1)
    (laid,) = new_cells(t).values()
    assert not laid & set(t.index)
    assert any(near in edge(table(), HOME_TILE) for cell in laid for near in around(cell))
    for cell, s in cells(t).items():
        assert t.g.neighbour[s].tolist() == [cells(t).get(near, -1) for near in around(cell)]


@pytest.mark.parametrize(("out", "fits"), [(0, True), (1, False)])
def test_a_tile_lies_as_far_out_as_the_grid_allows(out, fits):
    """Space 0 of the only place on the right of a wall lies on the limit, or one beyond it."""
    limit = exploring.FAR_OUT
    for q in (limit, -limit):
        t = table()
        map.rebuild_grid(t.g, t.w)
        sign = 1 if q > 0 else -1
        assert bool(exploring.is_free(t.r, t.w, 0, q + sign * out, 0)) == fits
        assert bool(exploring.is_free(t.r, t.w, 0, 0, q + sign * out)) == fits


def test_the_map_stays_on_its_grid():
    far = [(q + 50, r) for q in range(8) for r in range(-3, 4)]
    t = Table(spaces=far, rules=ti_rules())
    t.g.tile[: t.g.n_spaces] = HOME_TILE
    t.capital(0, (57, 0))
    t.g.stack[:1], t.g.stack_n = 5, 1
    laid = explore(t, (57, 1))
    assert laid == 0
    assert t.g.stack[0] == 5
