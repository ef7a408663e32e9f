"""Breaks of the code for water tokens and for the set-up of the map that the other tests of T1, T7 and T12 let through."""

import pytest
from frontier_games import CAPITALS, RANDOM, around, blank, cell_of, option_of, started
from table import PASS, STACK, three_tiles, ti_rules

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, exploring, map, setup, state

# --- T12.11 Shipbuilding


@pytest.mark.rule("T12.11")
@pytest.mark.effect("Shipbuilding")
def test_a_water_token_goes_on_an_empty_place_only():
    t = three_tiles(STACK)
    zero, beside = t.coordinates[0], t.coordinates[1]
    t.script((decisions.WATER_SPACE, PASS))
    t.call(exploring.lay_water_token, 0, t.at(beside))
    assert zero in around(beside), "a space of the map lies beside it too"
    assert {cell_of(option) for option in t.options(decisions.WATER_SPACE)} == set(around(beside)) - set(t.coordinates)


# --- T1.6: the core


@pytest.mark.rule("T1.6")
def test_the_core_lies_on_side_a_or_side_b():
    sides = set()
    for number in range(8):
        game = started(2, number)
        sides.add(int(game.g.core_side))
        assert {side for _, side, *_ in game.core()} == {int(game.g.core_side)}
    assert sides == {0, 1}


# --- T1.7: forts


def small_map(core, capital_spaces):
    """Return a map of core spaces and spaces of a capital tile, as a map of one's own may be before the forts are laid."""
    g, w = blank(2), state.new_work()
    setup.clear_spaces(g)
    map.clear_grid(w)
    for cell in core:
        map.add_space(g, w, *cell, 1, names.GRASSLAND)
    for cell in capital_spaces:
        map.add_space(g, w, *cell, CAPITALS[0], names.GRASSLAND)
    return g, w


@pytest.mark.rule("T1.7")
def test_spaces_of_a_capital_tile_beside_a_place_do_not_keep_a_fort_away():
    g, w = small_map([(0, 0), (1, 0)], [(0, 2), (-1, 2)])
    n = setup.list_fort_places(ti_rules(), g, w)
    assert {cell_of(option) for option in w.option[:n].tolist()} == {(0, 1), (1, -1)}


@pytest.mark.rule("T1.7")
def test_a_fort_is_laid_on_the_only_place_there_is():
    g, w = small_map([(0, 0), (1, 0)], [(1, -1)])
    r = ti_rules()
    assert setup.list_fort_places(r, g, w) == 1
    assert w.option[0] == option_of((0, 1))
    setup.lay_fort(r, g, w, RANDOM, 0)
    assert g.n_spaces == 4
    assert (int(g.axial_q[3]), int(g.axial_r[3]), int(g.terrain[3])) == (0, 1, names.FOREST)
