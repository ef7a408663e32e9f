"""T5.14-T5.17: armies guard what is under them, pieces of others keep off, and barbarians run into armies."""

import pytest
from table import PASS, table_with_the_rival_far_off, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, decisions, state
from newdawn.simulator.engine.culture import may_hold_token
from newdawn.simulator.engine.industry import may_hold_city

EAST = 1

table = table_with_the_rival_far_off


# --- T5.14


@pytest.mark.rule("T5.14")
@pytest.mark.effect("Forbidden City")
@pytest.mark.parametrize("guard", [0, 1])
def test_forbidden_city_removes_nothing_where_an_army_stands(guard):
    t = table()
    t.wonder("Forbidden City", (0, 0))
    t.token(0, (1, 0))
    t.token(1, (2, 0), (0, 1))
    t.army(guard, (2, 0))
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_FORBIDDEN_CITY), (decisions.RIVAL_TOKEN, (0, 1)))
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((0, 1))
    t.army(guard, (2, -1))
    t.g.ability_used[:] = 0
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_FORBIDDEN_CITY), (decisions.RIVAL_TOKEN, (2, 0)))
    assert t.owner((2, 0)) == -1


@pytest.mark.rule("T5.14")
@pytest.mark.effect("Eiffel Tower")
def test_eiffel_tower_names_two_tokens_without_armies():
    t = table()
    t.wonder("Eiffel Tower", (0, 0))
    t.token(1, (2, 0), (-2, 0), (0, 3))
    t.army(1, (2, 0))
    t.start_of_turn(
        (decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER), (decisions.NAME_TOKEN, (-2, 0)), (decisions.YIELD_TOKEN, (0, 3))
    )
    assert t.options(decisions.NAME_TOKEN) == t.spaces((-2, 0), (0, 3))
    assert t.owner((0, 3)) == 0
    t = table()
    t.wonder("Eiffel Tower", (0, 0))
    t.token(1, (2, 0), (-2, 0))
    t.army(1, (2, 0))
    t.start_of_turn()
    assert t.asked_kinds() == []


@pytest.mark.rule("T5.14")
def test_eiffel_towers_second_token_has_no_army_either():
    t = table()
    t.wonder("Eiffel Tower", (0, 0))
    t.token(1, (2, 0), (-2, 0), (0, 3), (0, 4))
    t.army(1, (0, 4))
    t.start_of_turn(
        (decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER),
        (decisions.NAME_TOKEN, (2, 0)),
        (decisions.NAME_TOKEN, (0, 3)),
        (decisions.YIELD_TOKEN, (0, 3)),
    )
    assert t.options(decisions.NAME_TOKEN, 1) == t.spaces((-2, 0), (0, 3))


@pytest.mark.rule("T5.14")
@pytest.mark.effect("Mass Media")
def test_mass_media_turns_a_guarded_token_over_and_replaces_none():
    t = table()
    t.token(1, (1, 0), (0, 1))
    t.token(1, (2, 0), reinforced=True)
    t.army(1, (1, 0))
    t.army(1, (2, 0), a=1)
    t.script((decisions.RIVAL_TOKEN, (2, 0)))
    t.resolve(0, "Mass Media", 1)
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((0, 1), (2, 0))
    assert (t.piece((2, 0)), t.owner((2, 0))) == ("token", 1)
    t.script((decisions.RIVAL_TOKEN, (0, 1)))
    t.resolve(0, "Mass Media", 1)
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((0, 1))
    assert t.owner((0, 1)) == 0


@pytest.mark.rule("T5.14")
@pytest.mark.rule("T12.17")
@pytest.mark.effect("Nuclear Power")
@pytest.mark.parametrize("guard", [0, 1])
def test_nuclear_power_turns_guarded_tokens_over_and_destroys_none(guard):
    t = table()
    t.token(1, (2, 0), (3, -1))
    t.token(1, (3, 0), reinforced=True)
    t.token(0, (2, -1))
    for a, space in enumerate([(2, 0), (3, 0)]):
        t.army(guard, space, a)
    t.script((decisions.STRIKE, (2, 0)))
    t.resolve(0, "Nuclear Power", 5)
    assert [t.piece(s) for s in ((2, 0), (3, 0), (3, -1), (2, -1))] == ["token", "token", "none", "none"]
    assert t.g.armies[t.at((2, 0))] == 1


@pytest.mark.rule("T5.14")
@pytest.mark.effect("Drama and Poetry")
def test_an_own_token_may_move_from_under_an_army_but_not_onto_one():
    t = table()
    t.token(0, (2, 0))
    t.army(0, (2, 0))
    t.army(0, (3, 0), a=1)
    t.script((decisions.MOVE_TOKEN, t.at((2, 0)) * 256 + t.at((2, 1))))
    t.resolve(0, "Drama and Poetry", 1)
    assert t.at((2, 0)) * 256 + t.at((3, 0)) not in t.options(decisions.MOVE_TOKEN)
    assert (t.owner((2, 0)), t.owner((2, 1))) == (-1, 0)


@pytest.mark.rule("T5.14")
def test_ones_own_city_is_built_under_the_own_army():
    t = table()
    t.token(0, (2, 0))
    t.army(0, (2, 0))
    t.script((decisions.INDUSTRY, (2, 0)))
    t.resolve(0, "Pottery", 1)
    assert (t.piece((2, 0)), t.owner((2, 0))) == ("city", 0)
    assert t.g.armies[t.at((2, 0))] == 1


# --- T5.15


@pytest.mark.rule("T5.15")
@pytest.mark.rule("T11.2")
@pytest.mark.parametrize(("seat", "allowed"), [(0, True), (1, False)])
def test_cities_are_built_with_own_armies_not_with_rival_ones(seat, allowed):
    t = table()
    t.army(seat, (2, 0))
    assert may_hold_city(t.r, t.g, 0, t.at((2, 0)), 5) == allowed
    assert may_hold_city(t.r, t.g, 1, t.at((2, 0)), 5) == (not allowed)
    t.script((decisions.INDUSTRY, PASS))
    t.resolve(0, "Pottery", 5)
    assert (t.at((2, 0)) in t.options(decisions.INDUSTRY)) == allowed


@pytest.mark.rule("T5.15")
@pytest.mark.parametrize(("seat", "allowed"), [(0, True), (1, False)])
def test_control_tokens_are_placed_with_own_armies_not_with_rival_ones(seat, allowed):
    t = table()
    t.army(seat, (1, 0))
    assert may_hold_token(t.g, 0, t.at((1, 0))) == allowed
    assert may_hold_token(t.g, 1, t.at((1, 0))) == (not allowed)
    t.script((decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", 1)
    assert (t.at((1, 0)) in t.options(decisions.PLACE_TOKEN)) == allowed


@pytest.mark.rule("T5.15")
def test_own_and_rival_armies_together_are_rival_armies_too():
    t = table()
    t.army(0, (1, 0))
    t.army(1, (1, 0))
    assert not may_hold_token(t.g, 0, t.at((1, 0)))
    assert not may_hold_city(t.r, t.g, 1, t.at((1, 0)), 5)


@pytest.mark.rule("T5.15")
@pytest.mark.parametrize("seat", [0, 1])
def test_caravans_pass_and_stop_with_anybodys_armies(seat):
    t = table(spaces=[(q, 0) for q in range(-4, 5)])
    t.army(seat, (1, 0))
    for space in ((1, 0), (3, 0)):
        t.caravan(0, (0, 0))
        t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, space))
        t.resolve(0, "Foreign Trade", 5)
        assert t.g.caravan[0, 0] == t.at(space)
        assert t.g.army[seat, 0] == t.at((1, 0))
    assert t.combats() == []


# --- T5.16


def move(t, *dice, choices=()):
    t.script(*choices)
    t.dice(*dice)
    t.call(barbarians.move_barbarians)
    t.require_script_done()


def barbarian_at(t, letter="A"):
    s = int(t.g.barbarian_space[names.LETTERS.index(letter)])
    return t.coordinates[s] if s >= 0 else None


@pytest.mark.rule("T5.16")
@pytest.mark.parametrize("under", ["city", "token", "reinforced_token", "district", "caravan", "nothing"])
def test_a_barbarian_returns_armies_goes_back_and_harms_nothing_else(under):
    t = table()
    t.barbarian("A", (1, 2))
    space = (2, 2)
    if under == "city":
        t.city(0, space)
    elif under == "district":
        t.district(0, "Campus", space)
    elif under == "caravan":
        t.caravan(1, space)
    elif under != "nothing":
        t.token(0, space, reinforced=under == "reinforced_token")
    before = (t.piece(space), t.owner(space), int(t.g.caravans[t.at(space)]), int(t.g.district[t.at(space)]))
    t.army(0, space)
    t.army(0, space, a=1)
    move(t, EAST)
    assert t.g.army[0, :2].tolist() == [state.ON_CARD, state.ON_CARD]
    assert t.g.armies[t.at(space)] == 0
    assert barbarian_at(t) == (1, 2)
    after = (t.piece(space), t.owner(space), int(t.g.caravans[t.at(space)]), int(t.g.district[t.at(space)]))
    assert after == before


@pytest.mark.rule("T5.16")
def test_without_the_army_the_barbarian_comes_through():
    t = table()
    t.barbarian("A", (1, 2))
    t.token(0, (2, 2))
    t.army(0, (2, 1))
    move(t, EAST)
    assert (barbarian_at(t), t.owner((2, 2))) == ((2, 2), -1)
    assert t.g.army[0, 0] == t.at((2, 1))


@pytest.mark.rule("T5.16")
def test_over_water_it_goes_back_to_the_last_land_and_leaves_armies_at_sea_alone():
    t = table(terrain={(1, 2): "water"})
    t.barbarian("A", (0, 2))
    t.army(0, (1, 2))
    t.army(0, (2, 2), a=1)
    move(t, EAST)
    assert barbarian_at(t) == (0, 2)
    assert t.g.army[0, :2].tolist() == [t.at((1, 2)), state.ON_CARD]


@pytest.mark.rule("T5.16")
def test_armies_of_several_players_all_return():
    t = table(leaders=("Rome", "Egypt", "Aztec"))
    t.barbarian("A", (1, 2))
    t.army(1, (2, 2))
    t.army(2, (2, 2))
    move(t, EAST)
    assert (t.g.army[1, 0], t.g.army[2, 0]) == (state.ON_CARD, state.ON_CARD)


@pytest.mark.rule("T5.16")
def test_by_the_other_reading_one_army_returns_as_its_owner_likes(tmp_path):
    t = table(ti_rules_with(tmp_path, rulings={"barbarian_vs_armies": "one_army"}))
    t.barbarian("A", (1, 2))
    t.army(1, (2, 2))
    t.army(1, (2, 2), a=1)
    move(t, EAST, choices=[(decisions.ARMY_LOST, 1)])
    assert t.asked()[0][1:] == (1, [0, 1])
    assert t.g.army[1, :2].tolist() == [t.at((2, 2)), state.ON_CARD]
    assert barbarian_at(t) == (1, 2)


@pytest.mark.rule("T5.16")
def test_the_last_army_is_among_those_that_a_barbarian_may_send_home():
    t = ti_table_with((0, 0), (3, 0))
    for a in (0, names.MAX_ARMIES - 1):
        t.army(1, (1, 0), a)
    assert barbarians.list_armies_on(t.g, t.w, 1, t.at((1, 0))) == 2
    assert t.w.option[:2].tolist() == [0, names.MAX_ARMIES - 1]


# --- T5.17


def appear(t):
    t.call(barbarians.barbarians_appear)


def beaten(t, home):
    """Let barbarian A wait off the map."""
    t.barbarian("A", home)
    t.g.barbarian_space[0] = -1
    t.g.barbarians[t.at(home)] -= 1


@pytest.mark.rule("T5.17")
def test_a_barbarian_appears_where_armies_and_caravans_stand_and_returns_them():
    t = table()
    beaten(t, (2, 2))
    t.army(0, (2, 2))
    t.army(1, (2, 2))
    t.caravan(1, (2, 2))
    appear(t)
    assert barbarian_at(t) == (2, 2)
    assert (t.g.army[0, 0], t.g.army[1, 0], t.g.caravan[1, 0]) == (state.ON_CARD, state.ON_CARD, state.ON_CARD)
    assert t.g.armies[t.at((2, 2))] == t.g.caravans[t.at((2, 2))] == 0


@pytest.mark.rule("T5.17")
@pytest.mark.parametrize("what", ["city", "token", "reinforced_token", "district", "fort city", "city-state"])
def test_city_token_and_city_state_prevent_it_and_keep_the_army(what):
    t = table()
    beaten(t, (2, 2))
    if what == "fort city":
        t.fort((2, 2))
    if what in ("city", "fort city"):
        t.city(0, (2, 2))
    elif what == "district":
        t.district(0, "Campus", (2, 2))
    elif what == "city-state":
        t.city_state("Kumasi", (2, 2))
    else:
        t.token(0, (2, 2), reinforced=what == "reinforced_token")
    t.army(0, (2, 2))
    appear(t)
    assert barbarian_at(t) is None
    assert t.g.army[0, 0] == t.at((2, 2))
