"""T6.2: caravans and armies enter forts from slot 3 on; for caravans a controlled fort is a city."""

import pytest
from table import Table, ti_rules, ti_rules_with

from newdawn.simulator.engine import decisions, state


def line(rules=None, terrain=None):
    """Return a row of spaces with a fort at (1, 0), caravan and army of seat 0 west of it."""
    t = Table(rules=ti_rules() if rules is None else rules, spaces=[(q, 0) for q in range(-4, 6)], terrain=terrain)
    t.capital(0, (0, 0))
    t.capital(1, (-4, 0))
    t.fort((1, 0))
    t.caravan(0, (0, 0))
    t.army(0, (0, 0))
    return t


def caravan_options(t, slot):
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", slot)
    return t.options(decisions.CARAVAN_TO)


def army_options(t, slot):
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", slot)
    return t.options(decisions.ARMY_TO)


@pytest.mark.rule("T6.2")
@pytest.mark.rule("T6.1")
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_figures_enter_forts_from_slot_3_on(slot):
    assert (line().at((1, 0)) in caravan_options(line(), slot)) == (slot >= 3)
    assert (line().at((1, 0)) in army_options(line(), slot)) == (slot >= 3)


@pytest.mark.rule("T6.2")
@pytest.mark.parametrize("slot", [3, 4, 5])
def test_a_house_rule_may_ask_for_another_slot(tmp_path, slot):
    rules = ti_rules_with(tmp_path, components={"fort": {"enter_slot_min": 4}})
    assert (line().at((1, 0)) in caravan_options(line(rules), slot)) == (slot >= 4)
    assert (line().at((1, 0)) in army_options(line(rules), slot)) == (slot >= 4)


@pytest.mark.rule("T6.2")
def test_caravans_pass_and_stop_on_an_uncontrolled_fort_without_effect():
    for space in ((1, 0), (3, 0)):
        t = line()
        t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, space))
        t.resolve(0, "Foreign Trade", 3)
        assert t.g.caravan[0, 0] == t.at(space)
        assert t.g.trade[0].sum() == 0
        assert t.g.owner[t.at((1, 0))] == -1


@pytest.mark.rule("T6.2")
def test_a_rivals_fort_is_a_city_to_caravans():
    t = line()
    t.city(1, (1, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (1, 0)))
    t.resolve(0, "Foreign Trade", 3)
    assert t.g.caravan[0, 0] == state.ON_CARD
    assert t.g.trade[0].sum() == 2
    assert t.g.stat_arrivals[0].tolist() == [0, 1]


@pytest.mark.rule("T6.2")
def test_an_own_fort_is_an_own_city_to_caravans_and_armies():
    t = line()
    t.city(0, (1, 0))
    assert t.at((1, 0)) in caravan_options(t, 3)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)))
    t.resolve(0, "Masonry", 3)
    assert t.combats() == []
    assert t.g.army[0, 0] == t.at((1, 0))
