"""B1: what the words of the rules mean, and the limits of pieces."""

from functools import partial

import numpy as np
import pytest
from table import AROUND, ENDS, PASS, Table, bare_state, inwards, printed_rules, rules_with, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, decisions, map, winning
from newdawn.simulator.engine.turn import begin_turn

EAST = 0  # direction (1, 0)

settled = partial(table_with, (0, 0))


# --- B1.1 difficulty


@pytest.mark.rule("B1.1")
@pytest.mark.parametrize(
    ("terrain", "difficulty"),
    [("grassland", 1), ("hills", 2), ("forest", 3), ("desert", 4), ("mountain", 5), ("water", 1)],
)
def test_difficulty_of_each_terrain(terrain, difficulty):
    t = Table(terrain={(1, 0): terrain})
    assert t.difficulty(0, (1, 0)) == difficulty


@pytest.mark.rule("B1.1")
@pytest.mark.parametrize("taken", [False, True])
def test_a_natural_wonder_has_difficulty_5_also_after_its_token_is_taken(taken):
    t = settled()
    t.natural_wonder("Crater Lake", (1, 0))
    if taken:
        t.token(1, (1, 0))
    assert t.difficulty(0, (1, 0)) == 5


@pytest.mark.rule("B1.1")
@pytest.mark.parametrize(("slot", "offered"), [(4, False), (5, True)])
def test_a_natural_wonder_takes_a_control_token_from_slot_5_only(slot, offered):
    t = settled()
    t.natural_wonder("Crater Lake", (1, 0))
    t.resolve(0, "Early Empire", slot)
    assert (t.at((1, 0)) in t.options(decisions.PLACE_TOKEN)) == offered


@pytest.mark.rule("B1.1")
def test_abilities_that_name_mountains_or_deserts_do_not_see_a_natural_wonder():
    t = Table(leaders=("Japan", "Egypt"), terrain={(3, 0): "mountain", (2, 1): "desert"})
    t.natural_wonder("Mt. Everest", (1, 2))
    assert [t.difficulty(0, s) for s in [(3, 0), (2, 1), (1, 2)]] == [3, 3, 5]


@pytest.mark.rule("B1.1")
def test_printed_city_states_lie_on_grassland_and_natural_wonders_on_no_terrain():
    r = printed_rules()
    assert set(r.tile_terrain[r.tile_city_state >= 0]) == {names.GRASSLAND}
    wonders = np.isin(r.tile_natural_wonder, range(int(r.n_natural_wonders)))
    assert set(r.tile_terrain[wonders]) == {names.NATURAL_WONDER}
    assert set(r.tile_natural_wonder[r.tile_terrain == names.NATURAL_WONDER]) == set(r.tile_natural_wonder[wonders])


# --- B1.2 friendly and rival


@pytest.mark.rule("B1.2")
def test_spaces_with_own_city_capital_or_control_token_are_friendly_and_no_others():
    t = settled()
    t.city(0, (3, 0))
    t.token(0, (-1, 0))
    t.token(1, (0, -2))
    t.caravan(0, (0, 2))
    t.script(*[(decisions.PLACE_TOKEN, s) for s in [(0, 1), (1, 0), (-2, 0)]])
    t.resolve(0, "Civil Service", slot=1)
    border = t.options(decisions.PLACE_TOKEN, nth=2)
    assert t.at((-2, 1)) in border  # beside a token
    assert t.at((2, 0)) in border  # beside a city
    assert t.at((1, -1)) in border  # beside the capital
    assert not border & t.spaces((1, -3), (0, -3), (-1, -2), (0, 3), (-1, 3))  # beside a rival token, beside a caravan


@pytest.mark.rule("B1.2")
def test_rival_pieces_are_those_of_any_other_player_but_a_caravan_makes_no_space_rival():
    t = settled(leaders=("Rome", "Egypt", "France"))
    t.token(0, (1, 0))
    t.token(1, (2, 0))
    t.city(2, (0, 2))
    t.caravan(1, (-1, 0))
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK))
    t.resolve(0, "Masonry", slot=1)
    assert t.options(decisions.ATTACK) == t.spaces((2, 0), (0, 2))


@pytest.mark.rule("B1.2")
def test_friendly_spaces_are_counted_without_caravans():
    t = settled()
    t.token(0, (1, 0), (2, 0))
    t.city(0, (0, 2))
    t.caravan(0, (-1, 0))
    t.token(1, (-2, 0))
    assert int(t.g.space_count[0]) == 4


def test_what_is_beside_a_space_is_found_on_every_side():
    for d in range(6):
        for n in (0, 5):
            g = bare_state()
            g.neighbour[3, d] = n
            for p in range(names.MAX_PLAYERS):
                g.owner[n], g.piece[n] = p, names.TOKEN
                assert [q for q in range(names.MAX_PLAYERS) if map.next_to_friendly(g, q, 3)] == [p]
                assert not any(map.next_to_city_of(g, q, 3) for q in range(names.MAX_PLAYERS))
                assert not map.next_to_any_city(g, 3)
                for piece in (names.CITY, names.CAPITAL):
                    g.piece[n] = piece
                    assert [q for q in range(names.MAX_PLAYERS) if map.next_to_city_of(g, q, 3)] == [p]
                    assert map.next_to_any_city(g, 3)
            g.owner[n], g.piece[n] = -1, 0
            assert not any(map.next_to_friendly(g, q, 3) for q in range(names.MAX_PLAYERS))
            for cs in (0, 7):
                g.city_state[n] = cs
                assert map.next_to_any_city(g, 3)


# --- B1.3 empty


def fill(t, what, space):
    """Put something on the space."""
    if what == "control token":
        t.token(0, space)
    elif what == "rival token":
        t.token(1, space)
    elif what == "city":
        t.city(1, space)
    elif what == "resource":
        t.resource("oil", space)
    elif what == "natural wonder token":
        t.natural_wonder("Crater Lake", space)
    elif what == "city-state":
        t.city_state("Seoul", space)
    elif what == "barbarian":
        t.barbarian("A", space)
    elif what == "caravan":
        t.caravan(1, space)
    elif what == "own caravan":
        t.caravan(0, space)
    elif what == "world wonder token":
        t.wonder("Petra", space)


THINGS = ["control token", "rival token", "city", "resource", "natural wonder token", "city-state", "barbarian", "caravan",
          "own caravan", "world wonder token"]  # fmt: skip


@pytest.mark.rule("B1.3")
@pytest.mark.parametrize("what", ["nothing", *THINGS])
def test_a_space_with_any_token_or_figure_is_not_empty(what):
    t = settled()
    t.token(0, (1, 0))
    fill(t, what, (2, 0))
    t.script((decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Drama and Poetry", slot=1)
    offered = t.at((1, 0)) * 256 + t.at((2, 0)) in t.options(decisions.MOVE_TOKEN)
    assert offered == (what == "nothing")


@pytest.mark.rule("B1.3")
def test_an_empty_space_holds_nothing_at_all():
    for field, values in (
        ("piece", (names.TOKEN, names.CAPITAL)), ("barbarians", (1, 2)), ("caravans", (1, 2)), ("armies", (1, 2)),
        ("resource", (0, 1, 3)), ("city_state", (0, 1, 7)), ("wonder_token", (0, 1, 23)),
    ):  # fmt: skip
        g = bare_state()
        assert map.is_empty(g, 3)
        for value in values:
            g[field][3] = value
            assert not map.is_empty(g, 3), (field, value)
            assert map.is_empty(g, 2)
    for n in (0, 7):
        g = bare_state()
        g.natural_wonder[3], g.natural_wonder_owner[n] = n, -1
        assert not map.is_empty(g, 3)
        for p in range(names.MAX_PLAYERS):
            g.natural_wonder_owner[n] = p
            assert map.is_empty(g, 3)


# --- B1.4 mature


def town(terrain=None, **kw):
    """Return a table with a city of seat 0 in the middle of the map, its capital far off."""
    t = Table(radius=4, terrain=terrain, **kw)
    t.capital(0, (4, 0))
    t.city(0, (0, 0))
    return t


@pytest.mark.rule("B1.4")
def test_a_city_surrounded_by_friendly_control_tokens_is_mature():
    t = town()
    t.token(0, *AROUND[:5])
    assert not t.mature(0, (0, 0))
    t.token(0, AROUND[5])
    assert t.mature(0, (0, 0))


@pytest.mark.rule("B1.4")
def test_reinforced_tokens_and_water_count_as_well():
    t = town(terrain={(1, 0): "water", (0, 1): "water"})
    t.token(0, *AROUND[2:], reinforced=True)
    assert t.mature(0, (0, 0))


@pytest.mark.rule("B1.4")
@pytest.mark.parametrize("what", ["nothing", "rival token", "resource", "natural wonder token", "barbarian", "own caravan"])
def test_one_space_without_friendly_token_or_water_keeps_a_city_from_maturing(what):
    t = town()
    t.token(0, *AROUND[1:])
    fill(t, what, (1, 0))
    assert not t.mature(0, (0, 0))


@pytest.mark.rule("B1.4")
def test_a_capital_matures_like_any_city():
    t = settled()
    t.token(0, *AROUND[1:])
    assert not t.mature(0, (0, 0))
    t.token(0, (1, 0))
    assert t.mature(0, (0, 0))


@pytest.mark.rule("B1.4")
def test_the_figure_a_city_at_the_edge_with_two_water_and_two_friendly_tokens_is_mature():
    t = Table(radius=3, terrain={(3, 0): "water", (2, 0): "water"})
    t.capital(0, (-3, 0))
    t.city(0, (3, -1))  # four neighbours on the map
    t.token(0, (2, -1))
    assert not t.mature(0, (3, -1))
    t.token(0, (3, -2))
    assert t.mature(0, (3, -1))


@pytest.mark.rule("B1.4")
def test_spaces_off_the_map_do_not_count():
    t = Table(spaces=[(0, 0), (1, 0), (2, 0)])
    t.city(0, (0, 0))
    assert not t.mature(0, (0, 0))
    t.token(0, (1, 0))
    assert t.mature(0, (0, 0))


@pytest.mark.rule("B1.4")
def test_tokens_friendly_to_another_player_do_not_mature_a_city():
    t = Table(spaces=[(0, 0), (1, 0)])
    t.city(0, (0, 0))
    t.token(1, (1, 0))
    assert not t.mature(0, (0, 0))


@pytest.mark.rule("B1.4")
@pytest.mark.parametrize("space", ENDS)
def test_a_city_is_not_mature_while_either_end_beside_it_is_empty(space):
    t = Table()
    q, r = inwards(space)
    t.city(0, (q, r))
    t.token(0, *[(q + dq, r + dr) for dq, dr in AROUND if (q + dq, r + dr) in t.index and (q + dq, r + dr) != space])
    assert not t.mature(0, (q, r))
    t.token(0, space)
    assert t.mature(0, (q, r))


# --- B1.5 slots


@pytest.mark.rule("B1.5")
def test_the_slots_are_numbered_1_to_5_from_the_left():
    t = Table(leaders=("Rome", "Egypt"))
    assert [t.slot_of(0, kind) for kind in t.row(0)] == [1, 2, 3, 4, 5]


@pytest.mark.rule("B1.5")
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_the_slot_is_the_power_of_a_card(slot):
    t = settled()
    t.resolve(0, "Astrology", slot)
    assert int(t.g.dial[0]) == slot


@pytest.mark.rule("B1.5")
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_the_slot_is_the_highest_difficulty_allowed(slot):
    by_difficulty = dict(zip(AROUND, ["grassland", "hills", "forest", "desert", "mountain"], strict=False))
    t = settled(terrain={**by_difficulty, AROUND[5]: "water"})
    t.resolve(0, "Early Empire", slot)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces(*AROUND[:slot])
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", slot)
    assert t.options(decisions.CARAVAN_TO) & t.spaces(*AROUND) == t.spaces(*AROUND[:slot])


# --- B1.6 limits of pieces


@pytest.mark.rule("B1.6")
def test_pieces_of_a_player_and_of_the_box():
    t = Table()
    g = t.g
    assert (int(g.tokens_left[0]), int(g.cities_left[0]), int(t.r.caravans_per_player)) == (31, 7, 3)
    assert g.supply.tolist() == [8, 8, 8, 8]
    assert int(t.r.water_tokens) == 8


@pytest.mark.rule("B1.6")
@pytest.mark.parametrize("left", [0, 1])
def test_without_an_unused_city_none_can_be_built(left):
    t = settled()
    t.g.cities_left[0] = left
    t.resolve(0, "Pottery", slot=1)
    assert bool(t.options(decisions.INDUSTRY)) == (left > 0)


@pytest.mark.rule("B1.6")
@pytest.mark.parametrize("left", [0, 1])
def test_a_resource_that_ran_out_cannot_be_taken(left):
    t = settled()
    t.g.supply[names.RESOURCES.index("oil")] = left
    t.resolve(0, "Replaceable Parts", slot=1)
    assert (names.RESOURCES.index("oil") in t.options(decisions.GAIN_RESOURCE)) == (left > 0)


@pytest.mark.rule("B1.6")
def test_trade_tokens_are_unlimited():
    t = Table(leaders=("Rome", "Egypt", "France", "Japan"))
    t.capital(0, (0, 0))
    t.g.trade[:4, :5] = 3  # 60 tokens, more than are in the box
    t.trade(0, "culture", 2)
    t.resolve(0, "Mathematics", slot=1)
    assert t.trade_on(0, "culture") == 3


@pytest.mark.rule("B1.6")
def test_destroyed_pieces_return_to_their_owner_and_can_be_used_again():
    t = Table()
    t.capital(0, (-3, 0))
    t.token(0, (1, 0))
    t.city(0, (0, 2))
    t.caravan(0, (1, 2))
    for letter, space in [("A", (0, 0)), ("B", (-1, 2)), ("C", (0, 3))]:
        t.barbarian(letter, space)
    assert (int(t.g.tokens_left[0]), int(t.g.cities_left[0])) == (30, 6)
    t.call(barbarians.raid, 0, EAST)  # onto the token
    t.call(barbarians.raid, 1, EAST)  # onto the city
    t.call(barbarians.raid, 2, 5)  # onto the caravan
    assert (int(t.g.tokens_left[0]), int(t.g.cities_left[0])) == (31, 7)
    begin_turn(t.r, t.g)
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.at((-2, 0)) in t.options(decisions.CARAVAN_TO)  # it sets out from the capital again


def without_tokens(t, p=0):
    """Every control token of the player that is not on the map is somewhere else."""
    t.g.tokens_left[p] = 0
    return t


@pytest.mark.rule("B1.6")
def test_without_control_tokens_an_own_one_may_be_taken_off_the_map_first():
    t = settled()
    t.city(0, (3, 0))
    t.token(0, (-2, 0))
    t.token(0, (-2, 1), reinforced=True)
    t.token(1, (0, 2))
    without_tokens(t)
    t.script((decisions.TAKE_OFF, (-2, 0)), (decisions.PLACE_TOKEN, (0, 1)), (decisions.TAKE_OFF, PASS))
    t.resolve(0, "Early Empire", slot=1)
    assert t.options(decisions.TAKE_OFF) == t.spaces((-2, 0), (-2, 1))  # own tokens only, no cities
    assert (t.owner((-2, 0)), t.owner((0, 1))) == (-1, 0)
    assert int(t.g.tokens_left[0]) == 0


@pytest.mark.rule("B1.6")
def test_tokens_taken_off_do_not_pay_for_each_other_without_end(tmp_path):
    """Where each token brings the trade token that pays for the next, a seat places each of its own again once at most."""
    brings = {"effect": "trade_tokens", "moment": "token_placed", "amount": 1}
    t = settled(rules=rules_with(tmp_path, everyone={"abilities": [brings]}))
    t.token(0, (1, 0))
    without_tokens(t)
    paid = (decisions.PLACE_TRADE, t.holder(0, "culture"))
    there = [(decisions.TAKE_OFF, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)), paid]
    back = [(decisions.TAKE_OFF, (0, 1)), (decisions.PLACE_TOKEN, (1, 0)), paid]
    t.script(*(there + back) * 40)
    with pytest.raises(AssertionError, match="never asked"):
        t.resolve(0, "Early Empire", slot=1)
    assert t.asked_kinds().count("place_token") == t.r.tokens_per_player


@pytest.mark.rule("B1.6")
def test_taking_an_own_token_off_may_be_declined_and_then_nothing_is_placed():
    t = settled()
    t.token(0, (-2, 0))
    without_tokens(t)
    t.script((decisions.TAKE_OFF, PASS))
    t.resolve(0, "Early Empire", slot=1)
    assert t.owner((-2, 0)) == 0
    assert t.options(decisions.PLACE_TOKEN) == set()


@pytest.mark.rule("B1.6")
def test_nothing_is_taken_off_while_a_control_token_is_left():
    t = settled()
    t.token(0, (-2, 0))
    t.g.tokens_left[0] = 1
    t.script((decisions.PLACE_TOKEN, (0, 1)), (decisions.TAKE_OFF, PASS))
    t.resolve(0, "Early Empire", slot=1)
    assert (t.owner((-2, 0)), t.owner((0, 1))) == (0, 0)
    assert t.asked_kinds() == ["place_token", "take_off"]


@pytest.mark.rule("B1.6")
def test_without_control_tokens_anywhere_none_is_placed():
    t = without_tokens(settled())
    t.resolve(0, "Early Empire", slot=1)
    assert t.asked_kinds() == []
    assert int(t.g.tokens_left[0]) == 0


@pytest.mark.rule("B1.6")
def test_the_conqueror_of_a_control_token_may_use_one_from_the_map():
    t = settled()
    t.token(0, (1, 0), (-2, 0))
    t.token(1, (2, 0))
    without_tokens(t)
    t.dice(6, 1)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)), (decisions.TAKE_OFF, (-2, 0)))
    t.resolve(0, "Masonry", slot=5)
    assert (t.owner((2, 0)), t.owner((-2, 0))) == (0, -1)
    assert int(t.g.tokens_left[1]) == 31


@pytest.mark.rule("B1.6")
@pytest.mark.parametrize("space", ENDS)
def test_a_token_is_taken_off_the_map_wherever_it_lies(space):
    t = settled()
    t.token(0, space, (0, 2))
    t.g.tokens_left[0] = 0
    t.script((decisions.TAKE_OFF, space), (decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", 1)
    assert t.options(decisions.TAKE_OFF) == t.spaces(space, (0, 2))
    assert (t.owner(space), t.owner((1, 0))) == (-1, 0)


@pytest.mark.rule("B1.6")
def test_without_a_token_in_hand_or_on_the_map_none_is_placed():
    t = settled()
    t.g.tokens_left[0] = 0
    assert not t.call(winning.have_token, 0, decisions.SOURCE_CULTURE, 0)
    assert not t.call(winning.have_token, 0, decisions.SOURCE_CULTURE, 1)
    assert int(t.g.tokens_left[0]) == 0
    t.script()
    t.resolve(0, "Early Empire", 1)
    assert t.asked_kinds().count("place_token") == 0


@pytest.mark.rule("B1.6")
def test_who_keeps_the_tokens_on_the_map_places_none():
    t = settled()
    t.token(0, (2, 0), (0, 2))
    t.g.tokens_left[0] = 0
    before = t.g.owner.tolist()
    t.script((decisions.TAKE_OFF, PASS))
    t.resolve(0, "Early Empire", 1)
    assert "place_token" not in t.asked_kinds()
    assert (t.g.owner.tolist(), int(t.g.tokens_left[0])) == (before, 0)


@pytest.mark.rule("B1.6")
@pytest.mark.rule("B5.1")
def test_nobody_takes_a_token_off_the_map_when_there_is_no_space_to_place_one():
    t = settled(spaces=[(0, 0), (1, 0)])
    t.token(0, (1, 0))
    t.g.tokens_left[0] = 0
    t.script()
    t.resolve(0, "Early Empire", 5)
    assert "take_off" not in t.asked_kinds()
    assert t.owner((1, 0)) == 0
