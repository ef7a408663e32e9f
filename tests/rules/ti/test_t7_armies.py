"""T7.1, T7.4: exploring with armies."""

import pytest
from table import AWAY_TILE, HOME_TILE, three_tiles, ti_rules_with

from newdawn.simulator.engine import decisions, state, turn
from newdawn.simulator.engine.choosing import LOG_EXPLORE

table = three_tiles


def explorations(t, nth=0):
    return {t.coordinates[v - decisions.EXPLORE] for v in t.options(decisions.ARMY_TO, nth) if v >= decisions.EXPLORE}


def march(t, *spaces, card="Masonry", army=0):
    t.script((decisions.ARMY, army), *((decisions.ARMY_TO, s) for s in spaces))
    t.resolve(0, card, 5)


def explored(t):
    return [row[2] for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_EXPLORE]


@pytest.mark.rule("T7.1")
def test_an_army_explores_from_edge_spaces_of_any_players_capital_tile():
    t = table()
    t.army(0, (1, -1))
    march(t)
    capital_tiles = {s for s in t.index if t.g.tile[t.at(s)] in (HOME_TILE, AWAY_TILE) and t.g.edge[t.at(s)]}
    near = {s for s in capital_tiles if max(abs(s[0] - 1), abs(s[1] + 1), abs(s[0] + s[1])) <= 2}
    assert explorations(t) == near - {(2, 0)}  # a rival capital is stormed, not stood in


@pytest.mark.rule("T7.1")
@pytest.mark.rule("T7.4")
def test_exploring_costs_one_movement_and_the_army_goes_on():
    t = table()
    t.army(0, (-2, -1))
    before = int(t.g.n_spaces)
    march(t, decisions.EXPLORE + t.at((-3, 0)))
    assert explored(t) == [t.at((-3, 0))]
    assert t.g.n_spaces > before
    assert t.g.army[0, 0] == t.at((-3, 0))
    assert "place_tile" in t.asked_kinds()
    beside = {int(s) for s in t.g.neighbour[t.at((-3, 0))] if s >= 0}
    assert t.options(decisions.ARMY_TO, 1) <= beside  # one step is left, and no second exploring
    assert any(s >= before for s in t.options(decisions.ARMY_TO, 1))  # the new tile too


@pytest.mark.rule("T7.1")
def test_once_a_turn_each_army():
    t = table()
    t.army(0, (-3, 0))
    t.army(0, (-3, 1), a=1)
    t.script(
        (decisions.ARMY, 0),
        (decisions.ARMY_TO, decisions.EXPLORE + t.at((-3, 0))),
        (decisions.ARMY_TO, decisions.PASS),
        (decisions.ARMY, 1),
        (decisions.ARMY_TO, decisions.EXPLORE + t.at((-3, 1))),
    )
    t.resolve(0, "Iron Working", 5)
    assert explored(t) == [t.at((-3, 0)), t.at((-3, 1))]
    march(t)
    assert explorations(t) == set()
    turn.begin_turn(t.r, t.g)
    march(t)
    assert explorations(t) != set()


@pytest.mark.rule("T7.1")
def test_not_without_a_step_left_nor_with_an_empty_stack():
    t = table(stack=())
    t.army(0, (-3, 0))
    march(t)
    assert explorations(t) == set()
    t = table()
    t.army(0, (0, 0))
    march(t)
    assert all(max(abs(q), abs(r), abs(q + r)) <= 2 for q, r in explorations(t))


@pytest.mark.rule("T7.1")
@pytest.mark.parametrize("reading", ["allowed", "forbidden"])
def test_an_army_of_the_card_explores_as_if_it_stood_in_its_city(tmp_path, reading):
    t = table(rules=ti_rules_with(tmp_path, rulings={"deploy_zero": reading}))
    t.g.edge[t.at((-2, 0))] = 1  # as on a tile whose star lies on its rim
    march(t, decisions.EXPLORE + t.at((-2, 0)))
    assert explored(t) == [t.at((-2, 0))]
    assert t.g.army[0, 0] == t.at((-2, 0))


@pytest.mark.rule("T7.1")
def test_armies_on_the_card_are_not_alike_if_one_of_them_has_explored():
    t = table()
    t.g.army[0, :2] = state.ON_CARD
    t.g.army_explored[0] = 1
    t.script((decisions.ARMY, 1))
    t.resolve(0, "Iron Working", 5)
    assert t.options(decisions.ARMY) == {0, 1}


@pytest.mark.rule("T7.1")
def test_entering_to_attack_ends_the_move_and_so_the_exploring():
    t = table()
    t.army(0, (-1, -1))
    t.token(1, (-3, 0))
    t.dice(6, 1)
    march(t, t.at((-3, 0)))
    assert t.g.army[0, 0] == t.at((-3, 0))
    assert explored(t) == []
    assert (-3, 0) not in explorations(t)
