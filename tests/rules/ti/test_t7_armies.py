"""T7.1, T7.4: exploring with armies."""

import pytest
from battles import ruled
from table import AWAY_TILE, HOME_TILE, PASS, STACK, Table, row_with_capital, three_tiles, ti_rules, ti_rules_with

from newdawn.simulator import names
from newdawn.simulator.engine import armies, decisions, state, turn
from newdawn.simulator.engine.choosing import LOG_EXPLORE
from newdawn.simulator.engine.pieces import settle_loans

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


@pytest.mark.rule("T7.1")
@pytest.mark.rule("T5.1")
def test_an_army_that_has_explored_and_one_that_has_not_are_both_offered_on_the_card():
    t = three_tiles()
    t.army(0, (-3, 0))
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, decisions.EXPLORE + t.at((-3, 0))))
    t.resolve(0, "Iron Working", 5)
    t.army(0, None)
    assert t.g.army[0, :2].tolist() == [state.ON_CARD, state.ON_CARD]
    t.script((decisions.ARMY, 1))
    t.resolve(0, "Iron Working", 5)
    assert t.options(decisions.ARMY) == {0, 1}


@pytest.mark.rule("T7.1")
@pytest.mark.rule("T5.1")
def test_armies_on_the_card_that_have_both_explored_are_alike():
    t = three_tiles()
    t.army(0, (-3, 0))
    t.army(0, (-3, 1), a=1)
    t.script(
        (decisions.ARMY, 0),
        (decisions.ARMY_TO, decisions.EXPLORE + t.at((-3, 0))),
        (decisions.ARMY_TO, PASS),
        (decisions.ARMY, 1),
        (decisions.ARMY_TO, decisions.EXPLORE + t.at((-3, 1))),
        (decisions.ARMY_TO, PASS),
    )
    t.resolve(0, "Iron Working", 5)
    t.army(0, None)
    t.army(0, None, a=1)
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Iron Working", 5)
    assert t.options(decisions.ARMY) == {0}


def home_tile(spaces, rules):
    """Return a table with these spaces only, all of the tile of seat 0's capital at (0, 0), and tiles to explore."""
    t = Table(rules=rules, leaders=("Rome", "Egypt"), spaces=spaces)
    t.g.tile[: t.g.n_spaces] = HOME_TILE
    t.capital(0, (0, 0))
    t.g.stack[: len(STACK)] = STACK
    t.g.stack_n = len(STACK)
    return t


@pytest.mark.rule("T7.1", "T12.2", "T12.4")
@pytest.mark.effect("Akkad", "Non-Aggression Pact")
@pytest.mark.parametrize(("card", "explores"), [("Iron Working", False), ("Mass Production", True)])
def test_an_army_explores_in_passing_only_if_it_can_then_get_away(tmp_path, card, explores):
    """Two steps to the end of the row, one to explore; two more to get off the tokens that the army may not attack."""
    rulings = {"explore_in_passing": "where_it_passes", "pact_in_passing": "may_pass"}
    t = home_tile([(q, 0) for q in range(-3, 3)], ti_rules_with(tmp_path, rulings=rulings))
    t.token(1, (1, 0), (2, 0))
    t.diplomacy(0, 1, "Non-Aggression Pact")
    t.city_state_card(0, "Akkad")
    t.army(0, (0, 0))
    t.script((decisions.ARMY, 0))
    t.resolve(0, card, 5)
    assert ((2, 0) in explorations(t)) == explores


@pytest.mark.rule("T5.5")
@pytest.mark.rule("T7.1")
def test_an_army_that_a_rival_caravan_has_joined_explores_from_its_space_and_may_stay():
    t = table()
    t.army(0, (-3, 0))
    t.caravan(1, (-3, 0))
    march(t, decisions.EXPLORE + t.at((-3, 0)), PASS)
    assert explored(t) == [t.at((-3, 0))]
    then = t.offers(decisions.ARMY_TO)[1]
    assert PASS in then
    assert t.at((-3, 0)) not in then, "only entering is an attack"
    assert t.g.army[0, 0] == t.at((-3, 0))


@pytest.mark.rule("T7.1")
@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_an_army_that_explores_from_a_city_on_loan_has_to_go_on():
    t = home_tile([(q, row) for q in range(4) for row in (0, 1)], ruled("explore_in_passing", "where_it_passes"))
    t.city_state("Antananarivo", (2, 0))
    t.city_state_card(0, "Antananarivo")
    t.g.current, t.g.in_turn = 0, 1
    settle_loans(t.r, t.g, t.w)
    t.army(0, (1, 0))
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, decisions.EXPLORE + t.at((2, 0))), (decisions.ARMY_TO, (3, 0)))
    t.resolve(0, "Masonry", 3)
    second = [options for kind, _, options in t.asked() if kind == decisions.ARMY_TO][1]
    assert t.at((3, 0)) in second
    assert not {PASS, t.at((2, 0))} & set(second), "it may neither stay nor attack there"
    assert t.g.army[0, 0] == t.at((3, 0))


def goes_on_from(t, space, left):
    """Can seat 0's army pass the space and end its move with the steps left?"""
    armies.mark_army(t.r, t.g, t.w, 0, t.g.card[0, t.holder(0, "military")], 6)
    return bool(armies.goes_on(t.r, t.g, t.w, 0, t.at(space), left))


@pytest.mark.rule("T7.1")
@pytest.mark.parametrize(("left", "goes"), [(0, False), (1, True)])
def test_an_army_passes_a_space_only_if_it_can_end_its_move_elsewhere(left, goes):
    t = row_with_capital(7, rules=ti_rules())
    assert goes_on_from(t, (3, 0), left) == goes
    t.g.terrain[t.at((3, 0))] = names.WATER
    assert not goes_on_from(t, (3, 0), left)
