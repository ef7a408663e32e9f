"""Building the map (B14) and what is known about it afterwards."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from printed_files import printed_file
from started_games import (
    BOTS,
    LAYOUTS,
    OBSERVED,
    SHAPES,
    TILES,
    around,
    blank_game,
    cells,
    compile_rules,
    data_geometry,
    laid_tiles,
    log_rows,
    naive_holes,
    naive_places,
    placed,
    start,
    started_map,
)
from table import BOTS as SCRIPTED
from table import Table, rules_with

from newdawn.simulator import names
from newdawn.simulator.engine import choosing, decisions, map, setup, state
from newdawn.simulator.engine.choosing import LOG_CAPITAL, LOG_HOLE
from newdawn.simulator.engine.map import KIND_CAPITAL

CORE_SPACES = 40


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    return compile_rules(tmp_path_factory.mktemp("rules"))


@pytest.fixture(scope="module", params=LAYOUTS)
def layout_rules(request, tmp_path_factory):
    r = compile_rules(tmp_path_factory.mktemp("rules"), {"map": {"core_layout": request.param}})
    return request.param, r


def lay_single(r, cell_list, water_tokens=8):
    """Return a map made of single spaces."""
    g, w = blank_game(), state.new_work()
    setup.clear_spaces(g)
    setup.clear_things(r, g)
    map.clear_grid(w)
    g.water_tokens = water_tokens
    for q, row in cell_list:
        map.add_space(g, w, q, row, 1, 0)
    return g, w


# --- tiles


@pytest.mark.rule("B14.1")
def test_tile_has_ten_spaces_in_twelve_shapes(rules):
    shapes = set()
    for code, expected in enumerate(SHAPES):
        compiled = list(zip(rules.offset_q[code].tolist(), rules.offset_r[code].tolist(), strict=True))
        assert compiled == expected
        assert len(set(compiled)) == names.TILE_SPACES
        shapes.add(frozenset(compiled))
    assert len(shapes) == 12, "no two of side and rotation give the same shape, so no option is offered twice"


@pytest.mark.rule("B14.1")
def test_neighbours_on_a_tile_are_the_same_on_both_sides():
    printed = {int(space): set(near) for space, near in data_geometry()["neighbours"].items()}
    for offsets in SHAPES:
        index = {cell: i for i, cell in enumerate(offsets)}
        near = {i: {index[cell] for cell in around(offsets[i]) if cell in index} for i in range(names.TILE_SPACES)}
        if offsets in SHAPES[:6]:
            assert near == printed
        assert sorted(len(each) for each in near.values()) == sorted(len(each) for each in printed.values())


def test_tiles_are_small_enough_for_the_row_search(rules):
    assert max(abs(rules.offset_q).max(), abs(rules.offset_r).max()) < map.REACH


# --- core


@pytest.mark.rule("B14.2")
def test_core_is_laid_as_in_the_layout(layout_rules):
    name, r = layout_rules
    layouts = printed_file("map_layouts")["core"][name]
    sides = set()
    for number in range(20):
        g, w = started_map(r, number=number)
        core = laid_tiles(w)
        assert len(core) == 4
        kinds = sorted(TILES[tile]["kind"] for _, tile, *_ in core)
        assert kinds == ["city_state", "city_state", "natural_wonder", "natural_wonder"]
        assert {side for _, _, side, *_ in core} == {int(g.core_side)}
        expected = [(e["rotation"], e["q"], e["r"]) for e in layouts["AB"[g.core_side]]]
        assert [entry[3:] for entry in core] == expected
        assert all(seat == -1 for seat, *_ in core)
        assert g.n_spaces == CORE_SPACES == len(cells(g))
        assert not naive_holes(g)
        sides.add(int(g.core_side))
    assert sides == {0, 1}


@pytest.mark.rule("B14.2")
def test_core_side_follows_the_die(rules):
    sides = [int(started_map(rules, seed=3, number=n)[0].core_side) for n in range(400)]
    assert 150 < sum(sides) < 250, "die 1-3 is side A: half of the games"


@pytest.mark.rule("B14.2")
def test_core_tiles_are_shuffled_together(rules):
    first = [laid_tiles(started_map(rules, seed=4, number=n)[1])[0][1] for n in range(400)]
    counts = np.bincount(first, minlength=17)
    mixed = [t for t in TILES if TILES[t]["kind"] in ("natural_wonder", "city_state") and t <= 16]
    assert len(mixed) == 8
    assert all(20 < counts[t] < 90 for t in mixed), "each of the eight lies first in one of eight games"


@pytest.mark.rule("B14.2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_is_dealt_a_capital_tile_and_two_others(rules, players):
    for number in range(10):
        g, w = started_map(rules, players, number=number)
        hands = g.tile_hand[:players]
        core = {tile for _, tile, *_ in laid_tiles(w)}
        assert [TILES[t]["kind"] for t in hands[:, 0]] == ["capital"] * players
        others = hands[:, 1:3].flatten().tolist()
        assert all(TILES[t]["kind"] != "capital" for t in others)
        assert len({*hands[:, :3].flatten().tolist()}) == 3 * players
        assert not core & set(others)
        assert not g.tile_hand[players:].any()
        assert not hands[:, 3].any()


@pytest.mark.rule("B14.2")
def test_deal_is_even(rules):
    counts = np.zeros(17, int)
    for number in range(300):
        g, _ = started_map(rules, 2, seed=5, number=number)
        for tile in g.tile_hand[:2, :3].flatten():
            counts[tile] += 1
    capitals = [t for t in range(1, 17) if TILES[t]["kind"] == "capital"]
    plain = [t for t in range(1, 17) if TILES[t]["kind"] == "plain"]
    assert all(110 < counts[t] < 190 for t in capitals), "two of four capital tiles"
    assert all(110 < counts[t] < 190 for t in plain), "four of eight tiles"


@pytest.mark.rule("B14.2")
def test_every_natural_wonder_tile_the_first_of_the_box_included_can_come_into_the_core():
    t = Table()
    kind = map.KIND_NATURAL_WONDER
    every = {i for i in range(names.MAX_TILES) if t.r.tile_in_set[i] != 0 and t.r.tile_kind[i] == kind}
    assert 0 in every
    choosing.seed_streams(t.g, 1, 0)
    setup.draw_keys(t.g, t.w, state.STREAM_MAP, t.r.tile_keys)
    assert setup.draw_tiles(t.r, t.w, kind, len(every)) == sum(1 << i for i in every)


LEADERS = ("Rome", "Egypt", "Aztec", "France")


@pytest.mark.rule("B14.2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_is_dealt_two_tiles_beside_the_capital_tile_and_no_third(players):
    t = Table(leaders=LEADERS[:players])
    choosing.seed_streams(t.g, 1, 0)
    map.clear_grid(t.w)
    setup.clear_spaces(t.g)
    setup.deal_and_lay_core(t.r, t.g, t.w)
    hands = t.g.tile_hand[:players].tolist()
    assert [len([tile for tile in hand if tile > 0]) for hand in hands] == [3] * players
    kinds = [[int(t.r.tile_kind[tile - 1]) == map.KIND_CAPITAL for tile in hand[:3]] for hand in hands]
    assert kinds == [[True, False, False]] * players


@pytest.mark.rule("B14.2")
def test_dealt_tiles_are_neither_in_the_core_nor_capital_tiles():
    t = Table(leaders=LEADERS)
    free = [i for i in range(names.MAX_TILES) if t.r.tile_in_set[i] and t.r.tile_kind[i] != KIND_CAPITAL]
    core = sum(1 << i for i in free[:4])
    choosing.seed_streams(t.g, 1, 0)
    setup.draw_keys(t.g, t.w, state.STREAM_MAP, t.r.tile_keys)
    setup.deal_tiles(t.r, t.g, t.w, core)
    dealt = t.g.tile_hand[:4, 1 : 1 + int(t.r.dealt_tiles)].ravel().tolist()
    assert len(dealt) == 8
    assert {tile - 1 for tile in dealt} <= set(free[4:])


def test_tiles_up_to_the_last_number_are_dealt():
    t = Table()
    r = t.r.copy()
    r.tile_in_set[names.MAX_TILES - 1], r.tile_kind[names.MAX_TILES - 1] = 1, 3
    setup.mark_tiles(r, t.w, 3)
    assert t.w.mark[names.MAX_TILES - 1] == 1


# --- laying


@pytest.mark.rule("B14.3")
def test_legal_places_are_those_of_the_naive_reading(layout_rules):
    _, r = layout_rules
    random = np.random.default_rng(7)
    compared = fallbacks = 0
    for number in range(4):
        g, w = started_map(r, number=number)
        for tile in g.tile_hand[:4, :3].T.flatten().tolist():
            n = map.legal_places(r, g, w)
            options = w.option[:n].tolist()
            expected, fallback = naive_places(g, CORE_SPACES)
            assert len(set(options)) == n, "no place is offered twice"
            assert set(options) == set(expected)
            compared += 1
            fallbacks += fallback
            code, covered = placed(int(random.choice(options)))
            side, rotation = divmod(code, 6)
            map.lay_tile(r, g, w, 0, tile, side, rotation, *covered[0])
            map.close_holes(r, g, w)
    assert compared == 48
    assert fallbacks > 0, "some maps close the core in, so that the second ring was compared too"


@pytest.mark.rule("B14.3")
def test_places_that_touch_any_number_of_spaces(rules):
    """A house rule may ask for another number: the spaces touched are counted in binary, for a whole row at once."""
    random = np.random.default_rng(3)
    offered = dict.fromkeys(range(1, 9), 0)
    g, w = started_map(rules)
    for tile in g.tile_hand[:4, :3].T.flatten().tolist():
        for need in offered:
            n = map.list_places(rules, g, w, CORE_SPACES, map.TOUCH_CORE, need)
            expected, fallback = naive_places(g, CORE_SPACES, need)
            assert set(w.option[:n].tolist()) == set([] if fallback else expected)
            offered[need] += n
        n = map.legal_places(rules, g, w)
        code, covered = placed(int(random.choice(w.option[:n])))
        map.lay_tile(rules, g, w, 0, tile, *divmod(code, 6), *covered[0])
    assert all(offered.values()), "places of every kind were compared"


@pytest.mark.rule("B14.3")
def test_a_tile_must_touch_four_spaces(rules):
    """The rulebook's picture: a tile that touches fewer than four spaces is laid wrongly, one with four rightly."""
    g, w = started_map(rules)
    spaces = cells(g)
    n = map.legal_places(rules, g, w)
    offered = set(w.option[:n].tolist())
    touched = {}
    for need in (1, 4):
        for option in naive_places(g, CORE_SPACES, need)[0]:
            _, covered = placed(option)
            touched[option] = len({c for own in covered for c in around(own) if c in spaces})
    assert {option for option, count in touched.items() if count >= 4} == offered
    assert 3 in touched.values()
    assert min(touched[option] for option in offered) == 4


@pytest.mark.rule("B14.3")
def test_a_closed_core_lets_tiles_touch_its_neighbours(rules):
    seen = 0
    for number in range(12):
        g, w = start(rules, number=number)
        before = [entry for entry in laid_tiles(w) if entry[0] >= 0]
        core = {cell for cell, s in cells(g).items() if s < CORE_SPACES}
        near_core = {}
        for k, (_, _, side, rotation, q, row) in enumerate(before):
            covered = {(q + dq, row + dr) for dq, dr in SHAPES[side * 6 + rotation]}
            near = {cell for own in covered for cell in around(own)}
            near_core[k] = covered if near & core else set()
            if not near_core[k]:
                assert any(near & near_core[j] for j in range(k)), "it touches a tile that touches the core"
                seen += 1
    assert seen > 0


@pytest.mark.rule("B14.3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_players_lay_clockwise_three_tiles_each(rules, players):
    starts = set()
    for number in range(20):
        _, w = start(rules, players, number=number)
        seats = [entry[0] for entry in laid_tiles(w) if entry[0] >= 0]
        assert seats == [(seats[0] + k) % players for k in range(3 * players)]
        starts.add(seats[0])
    assert starts == set(range(players))


@pytest.mark.rule("B14.3")
def test_hand_and_both_sides_are_offered(rules):
    g, w = started_map(rules)
    hand = set(g.tile_hand[0, :3].tolist())
    setup.lay_from_hand(rules, g, w, OBSERVED, 0)
    (kind_1, _, n_1, _), (kind_2, _, n_2, first) = w.asked[: w.asked_n].tolist()
    assert (kind_1, kind_2) == (decisions.LAY_TILE, decisions.PLACE_TILE)
    assert set(w.asked_options[:n_1].tolist()) == hand
    places = w.asked_options[first : first + n_2].tolist()
    _, tile, side, rotation, q, row = laid_tiles(w)[-1]
    assert set(g.tile_hand[0].tolist()) == (hand - {tile}) | {0}
    assert {placed(option)[0] for option in places} == set(range(12)), "both sides, every rotation"
    covered = [(q + dq, row + dr) for dq, dr in SHAPES[side * 6 + rotation]]
    assert (side * 6 + rotation, covered) in [placed(option) for option in places]
    assert covered == list(cells(g))[CORE_SPACES : CORE_SPACES + names.TILE_SPACES]
    assert set(g.tile[CORE_SPACES : CORE_SPACES + names.TILE_SPACES].tolist()) == {tile}


@pytest.mark.rule("B14.3")
def test_capital_stands_on_the_star_as_soon_as_its_tile_lies(rules):
    g, w = started_map(rules)
    capital_tile = int(g.tile_hand[0, 0])
    for _ in range(3):
        lies = capital_tile not in g.tile_hand[0].tolist()
        assert (g.capital[0] >= 0) == lies
        setup.lay_from_hand(rules, g, w, BOTS, 0)
    space = int(g.capital[0])
    assert g.tile[space] == capital_tile
    _, _, _, _, q, row = next(entry for entry in laid_tiles(w) if entry[1] == capital_tile)
    assert cells(g)[q, row] == space, "the star is printed on space 0"


@pytest.mark.rule("B14.3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_ends_with_the_capital_on_an_own_capital_tile(rules, players):
    for number in range(10):
        g, w = start(rules, players, number=number)
        owners = {entry[1]: entry[0] for entry in laid_tiles(w)}
        for p in range(players):
            s = int(g.capital[p])
            assert TILES[g.tile[s]]["kind"] == "capital"
            assert owners[g.tile[s]] == p
            assert (g.owner[s], g.piece[s]) == (p, names.CAPITAL)
            assert (g.city_count[p], g.cities[p, 0], g.space_count[p]) == (1, s, 1)
            assert g.coast_count[p] == g.coastal[s]
        logged = {int(row[1]): int(row[2]) for row in log_rows(w, LOG_CAPITAL)}
        assert logged == {p: int(g.capital[p]) for p in range(players)}
        assert not g.tile_hand.any()


@pytest.mark.rule("B14.3")
def test_the_players_lay_their_tiles_clockwise_and_the_first_player_begins():
    t = Table(leaders=("Egypt", "Rome", "Aztec"))
    choosing.seed_streams(t.g, 3, 0)
    kept = t.g.rng.tolist()
    first = setup.first_to_be(t.r, t.g)
    assert t.g.rng.tolist() == kept
    t.script()
    setup.start_game(t.r, t.g, t.w, SCRIPTED)
    seats = [seat for kind, seat, _ in t.asked() if kind == decisions.PLACE_TILE]
    assert len(seats) == 9
    assert all(after == (before + 1) % 3 for before, after in pairwise(seats))
    g = t.g
    assert g.current == g.first == first > 0
    assert sorted(g.barbarian_die[1:].tolist()) == list(range(6))
    for p in range(3):
        assert g.piece[g.capital[p]] == names.CAPITAL
        assert g.owner[g.capital[p]] == p


@pytest.mark.rule("B14.3")
@pytest.mark.parametrize("p", [0, 2])
def test_who_lays_a_tile_is_at_turn_and_has_its_capital_where_the_star_is(p):
    t = Table(leaders=("Egypt", "Rome", "Aztec"))
    choosing.seed_streams(t.g, 3, 0)
    setup.clear_spaces(t.g)
    map.clear_grid(t.w)
    t.g.n_spaces = 0
    setup.deal_and_lay_core(t.r, t.g, t.w)
    capital, plain = (int(tile) for tile in t.g.tile_hand[p, :2])
    for tile in (plain, capital):
        t.g.current = 1
        t.script((decisions.LAY_TILE, tile))
        setup.lay_from_hand(t.r, t.g, t.w, SCRIPTED, p)
        assert t.g.current == p
        assert (t.g.capital[p] >= 0) == (tile == capital)


def test_the_tile_that_is_laid_leaves_the_hand_and_the_others_stay():
    for chosen in (5, 1, 7):
        t = Table(leaders=("Egypt", "Rome", "Aztec"))
        t.g.tile_hand[1] = (5, 0, 1, 7)
        t.script((decisions.LAY_TILE, chosen))
        assert t.call(setup.choose_tile, 1) == chosen
        assert t.options(decisions.LAY_TILE) == {5, 1, 7}
        left = [tile for tile in (5, 1, 7) if tile != chosen]
        assert t.g.tile_hand[1].tolist() == [*left, 0, 0]


def test_options_fit(layout_rules):
    _, r = layout_rules
    most = 0
    for number in range(40):
        g, w = started_map(r, number=number)
        for _ in range(3):
            for p in range(4):
                setup.lay_from_hand(r, g, w, OBSERVED, p)
        asked = w.asked[: w.asked_n]
        most = max(most, int(asked[asked[:, 0] == decisions.PLACE_TILE, 2].max()))
    assert most < state.MAX_OPTIONS // 8


# --- holes


@pytest.mark.rule("B14.4")
def test_a_closed_in_space_becomes_water(rules):
    ring = around((0, 0))
    g, w = lay_single(rules, ring[:5])
    assert not map.has_hole(g, w)
    map.close_holes(rules, g, w)
    assert g.n_spaces == 5
    map.add_space(g, w, *ring[5], 1, 0)
    assert map.has_hole(g, w)
    w.log_on = 1
    map.close_holes(rules, g, w)
    assert (g.n_spaces, g.axial_q[6], g.axial_r[6], g.terrain[6], g.tile[6]) == (7, 0, 0, names.WATER, 0)
    assert g.water_tokens == 7
    assert log_rows(w, LOG_HOLE)[:, 2].tolist() == [6]


@pytest.mark.rule("B14.4")
def test_holes_of_random_shapes(rules):
    random = np.random.default_rng(3)
    found = 0
    for _ in range(60):
        spaces = [(0, 0)]
        while len(spaces) < 60:
            cell = around(spaces[random.integers(len(spaces))])[random.integers(6)]
            if cell not in spaces:
                spaces.append(cell)
        g, w = lay_single(rules, spaces, water_tokens=100)
        holes = naive_holes(g)
        assert map.has_hole(g, w) == bool(holes)
        map.close_holes(rules, g, w)
        assert set(list(cells(g))[60:]) == holes
        assert not naive_holes(g)
        assert (w.grid >= -1).all(), "the search leaves no marks"
        found += len(holes) > 0
    assert found > 10


@pytest.mark.rule("B14.4a")
@pytest.mark.rule("B1.6")
@pytest.mark.parametrize(("option", "spaces"), [(None, 14), ("water", 14), ("open", 13)])
def test_a_hole_for_which_no_water_token_is_left_is_water_all_the_same_or_stays_open(tmp_path, option, spaces):
    r = rules_with(tmp_path, rulings={"hole_without_water_token": option} if option else {})
    g, w = lay_single(r, around((0, 0)) + [(5 + q, row) for q, row in around((0, 0))], water_tokens=1)
    map.fill_holes(r, g, w)
    assert (g.n_spaces, g.water_tokens) == (spaces, 0)
    map.close_holes(r, g, w)
    assert g.n_spaces == spaces
    assert (g.terrain[12:spaces] == names.WATER).all()
    assert len(naive_holes(g)) == 14 - spaces


@pytest.mark.rule("B14.4a")
def test_holes_beyond_the_room_for_spaces_stay_open(rules):
    """No map that players lay comes near it, and a user's map is refused for it."""
    block = [(q, row) for q in range(-60, -11) for row in range(5)][: names.MAX_SPACES - 13]
    g, w = lay_single(rules, [*block, *around((20, 20)), *around((30, 20))])
    map.fill_holes(rules, g, w)
    assert g.n_spaces == names.MAX_SPACES
    assert len(naive_holes(g)) == 1


@pytest.mark.rule("B14.4")
def test_no_hole_is_left_on_a_map_that_players_laid(layout_rules):
    _, r = layout_rules
    filled = 0
    for number in range(30):
        g, w = start(r, number=number)
        water = sum(int(t) == 0 for t in g.tile[: g.n_spaces])
        assert water == len(log_rows(w, LOG_HOLE))
        assert g.water_tokens == max(0, r.water_tokens - water)
        assert not naive_holes(g)
        filled += water
    assert filled > 0


# --- the finished map


@pytest.mark.parametrize("players", [2, 3, 4])
def test_spaces_neighbours_coast_and_edge(layout_rules, players):
    _, r = layout_rules
    for number in range(8):
        g, w = start(r, players, number=number)
        spaces = cells(g)
        assert len(spaces) == g.n_spaces, "no two spaces overlap"
        assert g.n_spaces == CORE_SPACES + 30 * players + r.water_tokens - g.water_tokens
        for cell, s in spaces.items():
            near = [spaces.get(c, -1) for c in around(cell)]
            assert g.neighbour[s].tolist() == near
            for d, n in enumerate(near):
                assert n < 0 or g.neighbour[n, (d + 3) % 6] == s
            assert g.edge[s] == (-1 in near)
            assert g.coastal[s] == (-1 in near or any(n >= 0 and g.terrain[n] == names.WATER for n in near))
        assert (g.neighbour[g.n_spaces :] == -1).all()
        grid = w.grid.copy()
        map.rebuild_grid(g, w)
        assert (grid == w.grid).all()


@pytest.mark.rule("B14.5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_first_game_map(tmp_path, players):
    r = compile_rules(tmp_path, {"map": {"mode": "first_game"}})
    layout = printed_file("map_layouts")["first_game"]
    expected = [t for t in layout["tiles"] if t["tile"] in layout["players"][players]]
    seatings = set()
    for number in range(10):
        g, w = start(r, players, number=number)
        laid = laid_tiles(w)
        assert [(tile, side, rotation, q, row) for _, tile, side, rotation, q, row in laid] == [
            (t["tile"], 0, t["rotation"], t["q"], t["r"]) for t in expected
        ]
        assert len(cells(g)) == g.n_spaces >= 10 * len(expected)
        capitals = g.capital[:players].tolist()
        assert len(set(capitals)) == players
        for p, s in enumerate(capitals):
            assert (g.owner[s], g.piece[s]) == (p, names.CAPITAL)
            assert TILES[g.tile[s]]["kind"] == "capital"
        assert (g.capital[players:] == -1).all()
        seatings.add(tuple(capitals))
    assert len(seatings) > 1, "which capital is whose is drawn"


@pytest.mark.rule("B14.5")
def test_map_listed_tile_by_tile():
    """A user's map: tile, side, place and rotation, for the player counts it names; holes are filled."""
    r = compile_rules(None)
    capitals = [t for t in range(1, 17) if TILES[t]["kind"] == "capital"]
    entries = [(capitals[0], 1, 0, 0, 4), (capitals[1], 0, 4, 0, 2), (3, 1, 40, -40, 0)]
    r.map_mode = 1
    r.fixed_tiles = len(entries)
    for i, (tile, side, q, row, rotation) in enumerate(entries):
        r.fixed_tile[i], r.fixed_side[i], r.fixed_rotation[i] = tile - 1, side, rotation
        r.fixed_q[i], r.fixed_r[i] = q, row
        r.fixed_players[i, 2] = 1
    g, w = start(r, 2)
    assert [entry[1:] for entry in laid_tiles(w)] == [(t, s, k, q, row) for t, s, q, row, k in entries]
    assert {int(g.tile[s]) for s in g.capital[:2]} == set(capitals[:2])
    assert g.n_spaces == 30
