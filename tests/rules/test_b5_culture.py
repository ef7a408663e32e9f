"""B5: culture cards."""

from functools import partial

import pytest
from table import PASS, Table, rules_with, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, decisions

AROUND = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
LAKE = "Crater Lake"

settled = partial(table_with, (0, 0))


def holder_of_wonder(t, name=LAKE):
    """Return the seat that holds the natural wonder, -1 while its token lies on its space."""
    return int(t.g.natural_wonder_owner[names.NATURAL_WONDERS.index(name)])


def step_of(t, start, end):
    return t.at(start) * 256 + t.at(end)


# --- B5.1


@pytest.mark.rule("B5.1")
@pytest.mark.effect("Early Empire")
def test_two_tokens_next_to_any_friendly_city():
    t = Table(radius=3)
    t.capital(0, (0, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", slot=1)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    assert t.piece((1, 0)) == t.piece((0, 1)) == "token"
    assert t.asked_kinds() == ["place_token", "place_token"]


@pytest.mark.rule("B5.1")
def test_a_trade_token_adds_a_control_token():
    t = Table(radius=3)
    t.capital(0, (0, 0))
    t.trade(0, "culture", 2)
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (0, 1)),
        (decisions.PLACE_TOKEN, (-1, 1)),
        (decisions.PLACE_TOKEN, PASS),
    )
    t.resolve(0, "Early Empire", slot=1)
    assert t.trade_on(0, "culture") == 1


@pytest.mark.rule("B5.1")
def test_trade_tokens_are_only_spent_for_tokens_beyond_those_of_the_card():
    t = settled()
    t.trade(0, "culture", 2)
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)), (decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Early Empire", slot=1)
    assert t.trade_on(0, "culture") == 2


@pytest.mark.rule("B5.1")
def test_tokens_go_next_to_different_cities_and_not_next_to_control_tokens_or_rival_cities():
    t = Table(spaces=[(q, 0) for q in range(12)])
    t.capital(0, (0, 0))
    t.city(0, (4, 0))
    t.token(0, (7, 0))
    t.city(1, (10, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (5, 0)))
    t.resolve(0, "Early Empire", slot=1)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((1, 0), (3, 0), (5, 0))
    assert t.owner((1, 0)) == t.owner((5, 0)) == 0


@pytest.mark.rule("B5.1")
@pytest.mark.parametrize("placed", [0, 1])
def test_fewer_tokens_may_be_placed(placed):
    t = settled()
    t.script(*[(decisions.PLACE_TOKEN, (1, 0))] * placed, (decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Early Empire", slot=5)
    assert int(t.g.tokens_left[0]) == 31 - placed


# --- B5.2


@pytest.mark.rule("B5.2")
def test_never_on_water():
    t = settled(terrain={(1, 0): "water"})
    t.resolve(0, "Early Empire", slot=5)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces(*AROUND[1:])


@pytest.mark.rule("B5.2")
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_not_on_difficulty_above_the_slot(slot):
    by_difficulty = dict(zip(AROUND, ["grassland", "hills", "forest", "desert", "mountain"], strict=False))
    t = settled(terrain={**by_difficulty, AROUND[5]: "water"})
    t.resolve(0, "Early Empire", slot)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces(*AROUND[:slot])


@pytest.mark.rule("B5.2")
def test_spent_trade_tokens_do_not_raise_the_difficulty_allowed():
    t = settled(terrain=dict.fromkeys(AROUND[2:], "hills"))
    t.trade(0, "culture", 3)
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", slot=1)
    assert t.trade_on(0, "culture") == 3
    assert t.asked_kinds() == ["place_token", "place_token"]


@pytest.mark.rule("B5.2")
def test_not_where_a_barbarian_city_city_state_or_control_token_is():
    t = settled()
    t.barbarian("A", (1, 0))
    t.city(1, (0, 1))
    t.city_state("Seoul", (-1, 1))
    t.token(0, (-1, 0))
    t.token(1, (0, -1), reinforced=True)
    t.resolve(0, "Early Empire", slot=5)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((1, -1))


@pytest.mark.rule("B5.2")
@pytest.mark.parametrize("whose", [0, 1])
def test_a_caravan_there_does_not_matter(whose):
    t = settled()
    t.caravan(whose, (1, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", slot=1)
    assert t.owner((1, 0)) == 0
    assert int(t.g.caravan[whose, 0]) == t.at((1, 0))


# --- B5.3


@pytest.mark.rule("B5.3")
def test_a_resource_token_goes_to_the_player():
    t = settled()
    t.resource("oil", (1, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", slot=1)
    assert int(t.g.resources[0, names.RESOURCES.index("oil")]) == 1
    assert int(t.g.resource[t.at((1, 0))]) == -1
    assert int(t.g.supply[names.RESOURCES.index("oil")]) == 7


@pytest.mark.rule("B5.3")
def test_a_natural_wonder_token_goes_to_the_player():
    t = settled()
    t.natural_wonder(LAKE, (1, 0))
    assert holder_of_wonder(t) == -1
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", slot=5)
    assert holder_of_wonder(t) == 0


def lake_of(p, reinforced=False, **kw):
    """Return a table where seat `p` holds Crater Lake at (2, 0) with a control token; seat 0's capital is in the middle."""
    t = settled(**kw)
    t.capital(1, (3, -3))
    t.natural_wonder(LAKE, (2, 0))
    t.token(p, (2, 0), reinforced=reinforced)
    assert holder_of_wonder(t) == p
    return t


@pytest.mark.rule("B5.3")
@pytest.mark.parametrize(("reinforced", "holder"), [(False, -1), (True, 1)])
def test_an_effect_that_removes_the_token_returns_the_natural_wonder_to_its_space(reinforced, holder):
    t = lake_of(1, reinforced)
    t.script((decisions.STRIKE, (2, 0)))
    t.resolve(0, "Nuclear Power", slot=5)
    assert holder_of_wonder(t) == holder


@pytest.mark.rule("B5.3")
@pytest.mark.parametrize(("reinforced", "holder"), [(False, -1), (True, 1)])
def test_a_barbarian_that_destroys_the_token_returns_the_natural_wonder_to_its_space(reinforced, holder):
    t = lake_of(1, reinforced)
    t.barbarian("A", (1, 0))
    t.call(barbarians.raid, 0, 0)
    assert holder_of_wonder(t) == holder


@pytest.mark.rule("B5.3")
def test_an_attacker_that_takes_the_space_takes_the_natural_wonder():
    t = lake_of(1)
    t.dice(6, 1)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)))
    t.resolve(0, "Masonry", slot=5)
    assert (t.owner((2, 0)), holder_of_wonder(t)) == (0, 0)


@pytest.mark.rule("B5.3")
def test_a_beaten_attacker_does_not():
    t = lake_of(1)
    t.dice(1, 6)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)))
    t.resolve(0, "Masonry", slot=1)
    assert holder_of_wonder(t) == 1


@pytest.mark.rule("B5.3")
def test_a_returned_natural_wonder_can_be_taken_again():
    t = settled()
    t.natural_wonder(LAKE, (1, 0))
    t.token(0, (1, 0))
    t.script((decisions.STRIKE, (1, 0)))
    t.resolve(0, "Nuclear Power", slot=5)
    assert holder_of_wonder(t) == -1
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", slot=5)
    assert holder_of_wonder(t) == 0


# --- B5.3a


def city_on_lake(rules=None):
    """Seat 0 builds a city over its own control token on Crater Lake."""
    t = lake_of(0, rules=rules)
    t.script((decisions.INDUSTRY, (2, 0)))
    t.resolve(0, "Pottery", slot=5)
    assert t.piece((2, 0)) == "city"
    return t


@pytest.mark.rule("B5.3a")
def test_a_city_over_the_own_token_keeps_the_natural_wonder():
    assert holder_of_wonder(city_on_lake()) == 0


@pytest.mark.rule("B5.3a")
def test_with_the_other_ruling_it_returns_to_its_space(tmp_path):
    assert holder_of_wonder(city_on_lake(rules_with(tmp_path, rulings={"city_on_natural_wonder": "gives_it_back"}))) == -1


@pytest.mark.rule("B5.3a")
def test_it_returns_when_the_city_is_destroyed():
    t = city_on_lake()
    t.barbarian("A", (1, 0))
    t.call(barbarians.raid, 0, 0)
    assert t.owner((2, 0)) == -1
    assert holder_of_wonder(t) == -1


@pytest.mark.rule("B5.3a")
def test_it_goes_with_a_conquered_city():
    t = city_on_lake()
    t.token(1, (3, 0))
    t.dice(6, 1)
    t.trade(1, "military", 3)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)), (decisions.SPEND_TRADE, 3))
    t.resolve(1, "Flight", slot=5)  # 6 + 5 + 3 + 3 against 1 + 2 * 5
    assert (t.owner((2, 0)), t.piece((2, 0))) == (1, "city")
    assert holder_of_wonder(t) == 1


# --- the cards


@pytest.mark.effect("Early Empire")
def test_early_empire_places_two_tokens_and_no_third():
    t = settled()
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", slot=5)
    assert int(t.g.tokens_left[0]) == 29


@pytest.mark.effect("Drama and Poetry")
def test_drama_and_poetry_moves_one_own_token_to_an_adjacent_empty_land_space_of_any_difficulty():
    t = settled(terrain={(2, 1): "water", (3, 0): "mountain", (3, -1): "hills"})
    t.token(0, (2, 0), reinforced=True)
    t.token(1, (-2, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.MOVE_TOKEN, step_of(t, (2, 0), (3, 0))))
    t.resolve(0, "Drama and Poetry", slot=1)
    targets = [(1, 0), (1, 1), (3, 0), (3, -1), (2, -1)]  # not onto the water, no rival token
    assert t.options(decisions.MOVE_TOKEN) == {step_of(t, (2, 0), s) for s in targets}
    assert (t.owner((2, 0)), t.owner((3, 0))) == (-1, 0)
    assert int(t.g.tokens_left[0]) == 30


@pytest.mark.effect("Drama and Poetry")
def test_drama_and_poetry_places_two_tokens_first_and_may_move_one_of_them():
    t = settled()
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)), (decisions.MOVE_TOKEN, step_of(t, (1, 0), (2, 0)))
    )
    t.resolve(0, "Drama and Poetry", slot=1)
    assert t.asked_kinds() == ["place_token", "place_token", "move_token"]
    assert (t.owner((1, 0)), t.owner((2, 0)), t.owner((0, 1))) == (-1, 0, 0)


@pytest.mark.effect("Drama and Poetry")
def test_the_move_of_drama_and_poetry_is_optional():
    t = settled()
    t.token(0, (2, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.MOVE_TOKEN, PASS))
    t.resolve(0, "Drama and Poetry", slot=1)
    assert t.owner((2, 0)) == 0


@pytest.mark.effect("Drama and Poetry")
@pytest.mark.rule("B5.3")
def test_a_token_that_moves_off_a_natural_wonder_leaves_it():
    t = lake_of(0)
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.MOVE_TOKEN, step_of(t, (2, 0), (2, 1))))
    t.resolve(0, "Drama and Poetry", slot=1)
    assert holder_of_wonder(t) == -1


@pytest.mark.effect("Civil Service")
def test_civil_service_adds_one_token_next_to_any_friendly_space():
    t = settled(terrain={(3, 0): "mountain"})
    t.token(0, (2, 0))
    t.token(1, (-2, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)), (decisions.PLACE_TOKEN, (3, -1)))
    t.resolve(0, "Civil Service", slot=4)
    assert t.options(decisions.PLACE_TOKEN, nth=0) == t.spaces(*AROUND)
    border = t.options(decisions.PLACE_TOKEN, nth=2)
    assert t.spaces((3, -1), (2, 1), (0, 2), (-1, 0)) <= border  # beside tokens, beside the capital
    assert not border & t.spaces((3, 0), (-3, 0), (1, -2))  # too difficult, beside a rival token only, beside nothing
    assert t.owner((3, -1)) == 0
    assert int(t.g.tokens_left[0]) == 27


@pytest.mark.effect("Civil Service")
def test_civil_service_adds_exactly_one_even_if_the_first_two_are_declined():
    t = settled()
    t.token(0, (2, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.PLACE_TOKEN, (3, 0)))
    t.resolve(0, "Civil Service", slot=1)
    assert t.asked_kinds() == ["place_token", "place_token"]


@pytest.mark.effect("Mass Media")
def test_mass_media_places_three_tokens_and_then_turns_a_rival_token_into_an_own_one():
    t = settled()
    t.token(1, (0, 2))
    t.script(*[(decisions.PLACE_TOKEN, s) for s in AROUND[:3]], (decisions.RIVAL_TOKEN, (0, 2)))
    t.resolve(0, "Mass Media", slot=1)
    assert t.asked_kinds() == ["place_token"] * 3 + ["rival_token"]
    assert (t.owner((0, 2)), t.piece((0, 2))) == (0, "token")
    assert (int(t.g.tokens_left[0]), int(t.g.tokens_left[1])) == (27, 31)


@pytest.mark.effect("Mass Media")
def test_mass_media_only_turns_a_reinforced_token_over():
    t = settled()
    t.token(1, (0, 2), reinforced=True)
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (0, 2)))
    t.resolve(0, "Mass Media", slot=1)
    assert (t.owner((0, 2)), t.piece((0, 2))) == (1, "token")
    assert int(t.g.tokens_left[0]) == 31


@pytest.mark.effect("Mass Media")
def test_mass_media_reaches_rival_tokens_within_2_of_a_friendly_space_and_no_cities():
    t = settled()
    t.token(0, (-1, 0))
    t.token(1, (2, 0), (3, 0), (-3, 0), (-3, 2))
    t.city(1, (0, 2))
    t.script((decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Mass Media", slot=1)
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((2, 0), (-3, 0), (-3, 2))
    assert t.owner((2, 0)) == 1  # declined


@pytest.mark.effect("Mass Media")
def test_the_tokens_just_placed_extend_the_reach_of_mass_media():
    t = settled()
    t.token(1, (3, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (3, 0)))
    t.resolve(0, "Mass Media", slot=1)
    assert t.owner((3, 0)) == 0


@pytest.mark.effect("Mass Media")
@pytest.mark.rule("B5.3")
def test_a_natural_wonder_goes_to_who_replaces_the_token():
    t = lake_of(1)
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (2, 0)))
    t.resolve(0, "Mass Media", slot=1)
    assert holder_of_wonder(t) == 0


def behind(what, rules=None):
    """A rival token two spaces away, with something between."""
    terrain = {(1, 0): "water"} if what == "water" else {}
    t = Table(spaces=[(0, 0), (1, 0), (2, 0)], terrain=terrain, leaders=("Rome", "Egypt", "France"), rules=rules)
    t.capital(0, (0, 0))
    t.token(1, (2, 0))
    if what == "rival space":
        t.city(2, (1, 0))
    elif what == "barbarian":
        t.barbarian("A", (1, 0))
    t.resolve(0, "Mass Media", slot=1)
    return t.spaces((2, 0)) == t.options(decisions.RIVAL_TOKEN)


BETWEEN = ["nothing", "water", "rival space", "barbarian"]


@pytest.mark.effect("Mass Media")
@pytest.mark.parametrize("what", BETWEEN)
def test_the_distance_of_mass_media_goes_through_anything(what):
    assert behind(what)


@pytest.mark.effect("Mass Media")
@pytest.mark.parametrize("what", BETWEEN)
def test_with_the_other_ruling_it_is_counted_like_an_attack(what, tmp_path):
    assert behind(what, rules_with(tmp_path, rulings={"mass_media_range": "like_an_attack"})) == (what == "nothing")
