"""Worked examples as the rulebook tells them, played on a small table."""

import pytest
from table import Table

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, decisions, turn

RED, BLUE = 0, 1


def forest_front():
    """Return a table where red faces blue's reinforced token in the forest, two more of them beside it."""
    t = Table(terrain={(1, 0): "forest"})
    t.capital(RED, (0, 0))
    t.token(BLUE, (1, 0), (2, 0), (2, -1), reinforced=True)
    return t


@pytest.mark.rule("B9.5")
@pytest.mark.rule("B9.6")
@pytest.mark.rule("B9.7")
@pytest.mark.effect("Iron Working")
@pytest.mark.parametrize(("spent", "total", "owner"), [(2, 10, RED), (1, 9, BLUE), (0, 8, BLUE)])
def test_attack_of_8_against_9_wins_with_two_trade_tokens(spent, total, owner):
    t = forest_front()
    t.trade(RED, "military", 2)
    combat = t.attack(RED, "Iron Working", 2, (1, 0), (5, 3), (decisions.SPEND_TRADE, spent))
    assert combat.attack - spent == 5 + 2 + 1 == 8
    assert combat.defence == 3 + 1 + 2 + 3 == 9
    assert combat.attack == total
    assert t.owner((1, 0)) == owner
    assert t.trade_on(RED, "military") == 2 - spent


@pytest.mark.rule("B9.7")
def test_blue_would_have_held_the_forest_with_a_trade_token_of_its_own():
    t = forest_front()
    t.trade(RED, "military", 2)
    t.trade(BLUE, "military", 1)
    combat = t.attack(RED, "Iron Working", 2, (1, 0), (5, 3), (decisions.SPEND_TRADE, 2), (decisions.SPEND_TRADE, 1))
    assert (combat.attack, combat.defence, combat.won) == (10, 10, False)
    assert t.piece((1, 0)) == "reinforced_token"


@pytest.mark.rule("B9.6")
@pytest.mark.parametrize(("terrain", "doubled"), [("grassland", 2), ("hills", 4), ("mountain", 10)])
def test_a_city_with_three_reinforced_neighbours_is_hard_to_take(terrain, doubled):
    t = Table(terrain={(1, 0): terrain})
    t.capital(RED, (0, 0))
    t.city(BLUE, (1, 0))
    t.token(BLUE, (2, 0), (2, -1), (1, 1), reinforced=True)
    t.token(BLUE, (0, 1))  # a neighbour that is not reinforced
    combat = t.attack(RED, "Masonry", 1, (1, 0), (1, 6))
    assert combat.defence == 6 + doubled + 3


@pytest.mark.rule("B9.1")
def test_from_slot_2_blue_reinforces_any_two_tokens():
    t = Table()
    t.capital(BLUE, (0, 0))
    own = [(1, 0), (0, 1), (-1, 1), (-1, 0)]
    t.token(BLUE, *own)
    t.script((decisions.MILITARY, decisions.MILITARY_REINFORCE), (decisions.REINFORCE, (0, 1)), (decisions.REINFORCE, (-1, 0)))
    t.resolve(BLUE, "Masonry", slot=2)
    assert [t.piece(s) for s in own] == ["token", "reinforced_token", "token", "reinforced_token"]
    assert t.asked_kinds().count("reinforce") == 2


@pytest.mark.rule("B11.1")
@pytest.mark.rule("B11.2")
def test_barbarian_d_destroys_a_city_and_f_goes_over_the_water_to_the_forest():
    t = Table(terrain={(0, -1): "water", (0, 0): "forest"})
    t.barbarian("D", (-2, 0))
    t.barbarian("F", (0, -2))
    t.city(0, (-2, 1))
    t.dice(2)  # south-east on this table
    t.call(barbarians.move_barbarians)
    d, f = names.LETTERS.index("D"), names.LETTERS.index("F")
    assert (t.owner((-2, 1)), t.piece((-2, 1))) == (-1, "none")
    assert t.g.barbarian_space[d] == t.at((-2, 1))
    assert t.g.barbarian_space[f] == t.at((0, 0))


@pytest.mark.rule("B11.1")
def test_a_barbarian_that_turns_round_at_the_edge_onto_water_goes_on_to_land():
    t = Table(terrain={(2, 0): "water"})
    t.barbarian("D", (3, 0))
    t.dice(1)  # east: off the map
    t.call(barbarians.move_barbarians)
    assert t.g.barbarian_space[names.LETTERS.index("D")] == t.at((1, 0))


@pytest.mark.rule("B1.4")
@pytest.mark.rule("B12.1")
def test_a_city_at_the_edge_with_two_water_spaces_and_two_tokens_is_mature():
    t = Table(terrain={(3, -3): "water", (2, -2): "water"})
    t.city(0, (2, -3))  # four neighbours on the map
    t.token(0, (1, -2))
    assert not t.mature(0, (2, -3))
    t.token(0, (1, -3))
    assert t.mature(0, (2, -3))
    t.g.event = 2  # the next section brings trade
    t.call(turn.turn_event_dial)
    assert t.g.trade[0].sum() == 1


@pytest.mark.rule("B1.4")
def test_a_rivals_token_keeps_a_city_at_the_edge_from_maturing():
    t = Table(terrain={(3, -3): "water", (2, -2): "water"})
    t.city(0, (2, -3))
    t.token(0, (1, -2))
    t.token(1, (1, -3))
    assert not t.mature(0, (2, -3))
