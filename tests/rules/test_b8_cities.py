"""B8.1 to B8.4: industry cards and cities."""

from functools import partial

import pytest
from table import ENDS, PASS, Table, inwards, row_with_capital, rules_with, table_of_three, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, pieces
from newdawn.simulator.rules.ruleset_contents import written

CARDS = ("Pottery", "Animal Husbandry", "Nationalism", "Urbanization")

line = partial(row_with_capital, leaders=("Aztec", "Egypt"))
board = partial(table_with, (0, 0), leaders=("Aztec", "Egypt"))


def sites(t, card="Pottery", slot=1, p=0):
    """Return the city spaces the card offers from the slot (and build none)."""
    t.script()
    t.resolve(p, card, slot)
    return {s for s in t.options(decisions.INDUSTRY) if s < decisions.WONDER_OPTION}


def sites_from_the_last_slot(t, p=0):
    """Return the (q, r) of the city spaces that Pottery offers from slot 5."""
    return {t.coordinates[s] for s in sites(t, slot=5, p=p)}


def code(wonder):
    return names.WONDERS.index(wonder)


def build(wonder):
    """The script entry that chooses the wonder."""
    return (decisions.INDUSTRY, decisions.WONDER_OPTION + code(wonder))


# --- cities: the rulebook's figure


@pytest.mark.rule("B8.1")
@pytest.mark.rule("B8.2")
@pytest.mark.rule("B8.3")
@pytest.mark.rule("B8.4")
@pytest.mark.effect("Pottery")
def test_legal_city_spaces_for_pottery_from_slot_2():
    terrain = {(1, 0): "forest", (0, 1): "hills", (-1, 1): "water", (0, -2): "mountain"}
    t = board(terrain=terrain)
    t.token(1, (-1, 0))
    t.barbarian("A", (1, -1))
    t.city_state("Seoul", (0, 3))
    t.caravan(1, (1, 1))
    # Of the ring at distance 2: (2, 0) lies behind the forest, (2, -1) behind forest and barbarian, (2, -2) behind the
    # barbarian, (-2, 2) behind the water, (-2, 0) and (-2, 1) behind water and rival, (0, -2) is a mountain,
    # (0, 2) lies next to Seoul.
    assert sites(t, "Pottery", slot=2) == t.spaces((1, 1), (-1, 2), (-1, -1), (1, -2))


@pytest.mark.rule("B8.1")
def test_a_city_takes_an_unused_piece():
    t = line(4)
    t.script((decisions.INDUSTRY, (2, 0)))
    t.resolve(0, "Pottery", slot=1)
    assert (t.piece((2, 0)), t.owner((2, 0))) == ("city", 0)
    assert t.g.cities_left[0] == t.r.cities_per_player - 1
    assert t.g.cities[0, : t.g.city_count[0]].tolist() == [t.at((0, 0)), t.at((2, 0))]
    assert t.asked_kinds() == ["industry"]  # one city and no more


@pytest.mark.rule("B8.1")
@pytest.mark.rule("B1.6")
def test_no_city_without_an_unused_piece():
    t = line(4)
    t.g.cities_left[0] = 0
    assert sites(t) == set()
    t.g.cities_left[0] = 1
    assert sites(t) == t.row_spaces(2)


@pytest.mark.rule("B8.1")
def test_the_city_may_be_declined():
    t = line(4)
    t.script((decisions.INDUSTRY, PASS))
    t.resolve(0, "Pottery", slot=1)
    assert t.g.city_count[0] == 1


@pytest.mark.rule("B8.1")
@pytest.mark.parametrize(
    ("card", "distance"),
    [
        pytest.param("Pottery", 2, marks=pytest.mark.effect("Pottery")),
        pytest.param("Animal Husbandry", 3, marks=pytest.mark.effect("Animal Husbandry")),
        pytest.param("Nationalism", 4, marks=pytest.mark.effect("Nationalism")),
        pytest.param("Urbanization", 5, marks=pytest.mark.effect("Urbanization")),
    ],
)
@pytest.mark.parametrize("slot", [1, 4])
def test_the_distance_is_the_cards_not_the_slots(card, distance, slot):
    t = line(9)
    assert sites(t, card, slot) == t.row_spaces(*range(2, distance + 1))


@pytest.mark.rule("B8.1")
@pytest.mark.parametrize("owner", [0, 1])
def test_the_distance_counts_from_any_friendly_space(owner):
    t = line(9)
    t.token(owner, (4, 0))
    expected = (2, 3, 4, 5, 6) if owner == 0 else (2,)
    assert sites(t) == t.row_spaces(*expected)


@pytest.mark.rule("B8.1")
@pytest.mark.parametrize("space", ENDS)
def test_a_city_may_be_built_at_either_end(space):
    t = Table(leaders=("Egypt", "Aztec"))
    t.token(0, inwards(space))
    t.script((decisions.INDUSTRY, space))
    t.resolve(0, "Pottery", 1)
    assert t.piece(space) == "city"


@pytest.mark.rule("B1.6")
@pytest.mark.rule("B8.1")
def test_without_an_unused_city_only_wonders_are_offered():
    t = table_with((0, 0), leaders=("Aztec", "Egypt"))
    t.g.cities_left[0] = 0
    t.deck("Stonehenge")
    t.give_resources(0, marble=4, diamond=4, oil=4, mercury=4)
    t.script()
    t.resolve(0, "Pottery", 1)
    asked = [options for kind, _, options in t.asked() if kind == decisions.INDUSTRY]
    assert asked == [[decisions.WONDER_OPTION + names.WONDERS.index("Stonehenge"), PASS]]


# --- cities: what the count goes through


@pytest.mark.rule("B8.2")
@pytest.mark.parametrize(
    ("terrain", "difficulty"), [("grassland", 1), ("hills", 2), ("forest", 3), ("desert", 4), ("mountain", 5)]
)
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_no_counting_through_difficulty_above_the_slot(terrain, difficulty, slot):
    t = line(4, terrain={(1, 0): terrain})
    assert sites(t, slot=slot) == (t.row_spaces(2) if slot >= difficulty else set())


@pytest.mark.rule("B8.2")
@pytest.mark.parametrize(
    ("card", "through"),
    [
        pytest.param("Pottery", False, marks=pytest.mark.effect("Pottery")),
        pytest.param("Animal Husbandry", False, marks=pytest.mark.effect("Animal Husbandry")),
        pytest.param("Nationalism", True, marks=pytest.mark.effect("Nationalism")),
        pytest.param("Urbanization", True, marks=pytest.mark.effect("Urbanization")),
    ],
)
def test_only_the_better_cards_count_through_water(card, through):
    t = line(3, terrain={(1, 0): "water"})
    assert sites(t, card) == (t.row_spaces(2) if through else set())


@pytest.mark.rule("B8.2")
@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("obstacle", ["rival token", "rival city", "barbarian"])
def test_no_counting_through_rivals_or_barbarians(card, obstacle):
    t = line(3)
    if obstacle == "barbarian":
        t.barbarian("A", (1, 0))
    elif obstacle == "rival token":
        t.token(1, (1, 0))
    else:
        t.city(1, (1, 0))
    assert sites(t, card, slot=5) == set()


@pytest.mark.rule("B8.2")
def test_counting_through_city_states_resources_and_caravans():
    t = line(5)
    t.token(0, (1, 0))
    t.resource("oil", (2, 0))
    t.caravan(1, (2, 0))
    assert sites(t) == t.row_spaces(3)
    t = line(5)
    t.city_state("Seoul", (1, 0))
    assert sites(t, "Animal Husbandry") == t.row_spaces(3)


@pytest.mark.rule("B8.2")
def test_a_city_is_counted_from_a_space_taken_this_turn_too():
    t = table_with((0, 0), spaces=[(q, 0) for q in range(8)])
    t.token(0, (6, 0))
    t.g.taken[t.at((6, 0))] = 1  # only an attack does not set out from there
    t.script()
    t.resolve(0, "Pottery", 5)
    assert t.at((7, 0)) in t.options(decisions.INDUSTRY)


@pytest.mark.rule("B8.2")
@pytest.mark.parametrize("p", [0, 1, 2])
def test_the_distance_of_a_city_does_not_lead_through_a_space_of_any_rival(p):
    for rival in range(3):
        t = Table(spaces=[(q, 0) for q in range(-2, 3)], leaders=["Rome", "Egypt", "Japan"])
        t.capital(p, (0, 0))
        t.token(rival, (1, 0))
        assert sites_from_the_last_slot(t, p) == ({(2, 0), (-2, 0)} if rival == p else {(-2, 0)})


# --- cities: the space


@pytest.mark.rule("B8.3")
@pytest.mark.parametrize(
    ("terrain", "difficulty"), [("grassland", 1), ("hills", 2), ("forest", 3), ("desert", 4), ("mountain", 5)]
)
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_the_space_is_no_harder_than_the_slot(terrain, difficulty, slot):
    t = line(4, terrain={(2, 0): terrain})
    assert sites(t, slot=slot) == (t.row_spaces(2) if slot >= difficulty else set())


@pytest.mark.rule("B8.3")
@pytest.mark.parametrize("card", CARDS)
def test_no_city_on_water(card):
    t = line(3, terrain={(2, 0): "water"})
    assert sites(t, card, slot=5) == set()


@pytest.mark.rule("B8.3")
@pytest.mark.parametrize("thing", ["resource", "natural wonder", "barbarian", "rival token", "city-state"])
def test_no_city_on_a_space_that_holds_something(thing):
    t = line(3)
    if thing == "resource":
        t.resource("oil", (2, 0))
    elif thing == "natural wonder":
        t.natural_wonder("Pantanal", (2, 0))
    elif thing == "barbarian":
        t.barbarian("A", (2, 0))
    elif thing == "rival token":
        t.token(1, (2, 0))
    else:
        t.city_state("Seoul", (2, 0))
    assert sites(t, slot=5) == set()


@pytest.mark.rule("B8.3")
@pytest.mark.parametrize("name", [*names.CITY_STATES, *names.NATURAL_WONDERS])
def test_no_city_on_any_city_state_or_unclaimed_natural_wonder(name):
    t = table_with((0, 0))
    assert {(2, 0), (-2, 0)} <= sites_from_the_last_slot(t)
    put = t.city_state if name in names.CITY_STATES else t.natural_wonder
    put(name, (2, 0))
    t.script()
    found = sites_from_the_last_slot(t)
    assert (2, 0) not in found
    assert (-2, 0) in found


@pytest.mark.rule("B8.3")
@pytest.mark.parametrize("kind", names.RESOURCES)
def test_a_city_is_built_on_no_resource_of_any_type(kind):
    t = table_of_three(0, 1)
    t.token(0, (-1, 0))
    t.resource(kind, (-2, 0))
    t.script()
    t.resolve(0, "Pottery", 1)
    assert t.at((-2, 0)) not in t.options(decisions.INDUSTRY)
    assert t.at((-2, 1)) in t.options(decisions.INDUSTRY)


@pytest.mark.rule("B8.3")
def test_caravans_of_anyone_stay_where_a_city_is_built():
    t = line(3)
    t.caravan(0, (2, 0))
    t.caravan(1, (2, 0))
    t.script((decisions.INDUSTRY, (2, 0)))
    t.resolve(0, "Pottery", slot=1)
    assert t.piece((2, 0)) == "city"
    assert t.g.caravan[0, 0] == t.g.caravan[1, 0] == t.at((2, 0))
    assert t.g.caravans[t.at((2, 0))] == 2


@pytest.mark.rule("B8.3")
@pytest.mark.parametrize("reinforced", [False, True])
def test_an_own_control_token_returns_to_its_owner(reinforced):
    t = line(3)
    t.token(0, (2, 0), reinforced=reinforced)
    left = int(t.g.tokens_left[0])
    t.script((decisions.INDUSTRY, (2, 0)))
    t.resolve(0, "Pottery", slot=1)
    assert t.piece((2, 0)) == "city"
    assert t.g.tokens_left[0] == left + 1
    assert t.g.space_count[0] == 2


@pytest.mark.rule("B8.3")
@pytest.mark.parametrize("name", ["Cliffs of Dover", "Pantanal"])
@pytest.mark.parametrize("keeps", [0, 1])
def test_a_city_on_an_own_token_keeps_its_natural_wonder_or_not_by_the_ruling(name, keeps):
    t = table_with((0, 0), (3, 0))
    t.r = t.r.copy()
    t.r.city_keeps_natural_wonder = keeps
    t.token(0, (2, 0))
    t.natural_wonder(name, (2, 0))
    t.g.stale = 0
    pieces.put_city(t.r, t.g, t.w, 0, t.at((2, 0)))
    i = written(t.r, "natural_wonder").index(name)
    assert (t.g.natural_wonder_owner[i], t.g.natural_wonder_holder[i]) == (0 if keeps else -1, -1)
    assert (t.g.stale & 1 != 0) == (not keeps)
    assert t.g.tokens_left[0] == t.r.tokens_per_player


@pytest.mark.rule("B8.4")
@pytest.mark.parametrize("neighbour", ["own city", "rival city", "rival capital", "city-state", "conquered"])
def test_no_city_next_to_a_city_or_city_state(neighbour):
    t = line(4)
    if neighbour == "own city":
        t.city(0, (3, 0))
    elif neighbour == "rival city":
        t.city(1, (3, 0))
    elif neighbour == "rival capital":
        t.capital(1, (3, 0))
    elif neighbour == "city-state":
        t.city_state("Seoul", (3, 0))
    else:
        t.conquered(1, "Seoul", (3, 0))
    assert sites(t) == set()


@pytest.mark.rule("B8.4")
@pytest.mark.parametrize("owner", [0, 1])
def test_control_tokens_next_door_do_not_forbid_a_city(owner):
    t = line(4)
    t.token(owner, (3, 0))
    assert t.at((2, 0)) in sites(t)


@pytest.mark.rule("B8.4")
@pytest.mark.parametrize("name", names.CITY_STATES)
def test_no_city_is_built_beside_any_city_state(name):
    t = table_of_three(0, 1)
    t.token(0, (-1, 0), (-1, 1))
    t.city_state(name, (-3, 0))
    t.script()
    t.resolve(0, "Pottery", 1)
    assert t.options(decisions.INDUSTRY) & t.spaces((-2, 0), (-3, 1), (-2, 2)) == t.spaces((-2, 2))


# --- cities: ruins


@pytest.mark.rule("B8.3")
@pytest.mark.rule("B8.7")
@pytest.mark.parametrize(("reading", "allowed"), [("allowed", True), ("forbidden", False)])
def test_ruling_a_city_where_a_wonders_token_was_left_behind(tmp_path, reading, allowed):
    t = line(3, rules=rules_with(tmp_path, rulings={"city_on_wonder_ruin": reading}))
    t.wonder("Stonehenge", (2, 0))
    assert sites(t) == (t.row_spaces(2) if allowed else set())


@pytest.mark.rule("B8.3")
@pytest.mark.rule("B8.7")
def test_as_printed_a_city_built_on_a_ruin_controls_the_wonder():
    t = line(3)
    t.wonder("Stonehenge", (2, 0))
    assert not t.controls(0, "Stonehenge")
    t.script((decisions.INDUSTRY, (2, 0)))
    t.resolve(0, "Pottery", slot=1)
    assert t.controls(0, "Stonehenge")


@pytest.mark.rule("B8.3")
@pytest.mark.parametrize("p", [0, 1])
def test_a_forbidden_ruin_is_one_that_nobody_holds(tmp_path, p):
    t = Table(rules=rules_with(tmp_path, rulings={"city_on_wonder_ruin": "forbidden"}))
    t.capital(p, (0, 0))
    t.token(p, (2, 0))
    t.wonder("Stonehenge", (2, 0))
    t.wonder("Oracle", (-2, 0))
    found = sites_from_the_last_slot(t, p)
    assert {(2, 0), (0, 2)} <= found
    assert (-2, 0) not in found


# --- Animal Husbandry


@pytest.mark.effect("Animal Husbandry")
def test_animal_husbandry_counts_from_own_caravans_too():
    t = line(12)
    t.caravan(0, (6, 0))
    assert sites(t, "Animal Husbandry") == t.row_spaces(2, 3, 4, 5, 6, 7, 8, 9)


@pytest.mark.effect("Animal Husbandry")
def test_animal_husbandry_does_not_count_from_a_rivals_caravan():
    t = line(12)
    t.caravan(1, (6, 0))
    assert sites(t, "Animal Husbandry") == t.row_spaces(2, 3)


@pytest.mark.effect("Animal Husbandry")
@pytest.mark.parametrize(("card", "distance"), [("Pottery", 2), ("Nationalism", 4), ("Urbanization", 5)])
def test_other_industry_cards_do_not_count_from_caravans(card, distance):
    t = line(14)
    t.caravan(0, (10, 0))
    assert sites(t, card) == t.row_spaces(*range(2, distance + 1))


@pytest.mark.effect("Animal Husbandry")
def test_the_way_from_a_caravan_has_the_usual_limits():
    t = line(12, terrain={(8, 0): "hills"})
    t.caravan(0, (6, 0))
    t.token(1, (5, 0))
    assert sites(t, "Animal Husbandry") == t.row_spaces(2, 3, 6, 7)


@pytest.mark.rule("B8.1")
@pytest.mark.effect("Animal Husbandry")
def test_two_caravans_on_one_space_count_like_one():
    spaces = [(q, 0) for q in range(12)]
    found = []
    for caravans in ([9], [9, 9], [9, 9, 9]):
        t = Table(spaces=spaces, leaders=("Aztec", "Egypt"))
        t.capital(0, (0, 0))
        for c, q in enumerate(caravans):
            t.caravan(0, (q, 0), c)
        t.script()
        t.resolve(0, "Animal Husbandry", 1)
        found.append(t.options(decisions.INDUSTRY))
    assert found[0] == found[1] == found[2]
    assert found[0] & {8, 10}


# --- Nationalism, Urbanization


@pytest.mark.effect("Nationalism")
def test_nationalism_counts_along_water_but_ends_on_land():
    t = line(6, terrain={(1, 0): "water", (2, 0): "water", (3, 0): "water"})
    assert sites(t, "Nationalism") == t.row_spaces(4)


@pytest.mark.effect("Urbanization")
@pytest.mark.rule("B5.2")
def test_urbanization_places_up_to_two_tokens_around_the_new_city():
    t = board(radius=4, terrain={(2, 1): "hills", (3, 0): "water"})
    t.script((decisions.INDUSTRY, (2, 0)), (decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (3, -1)))
    t.resolve(0, "Urbanization", slot=1)
    # Of the six spaces around the city the hills are too hard and the water is no place.
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((1, 0), (1, 1), (2, -1), (3, -1))
    assert t.asked_kinds() == ["industry", "place_token", "place_token"]
    assert t.piece((1, 0)) == t.piece((3, -1)) == "token"


@pytest.mark.effect("Urbanization")
def test_urbanizations_tokens_are_optional_and_cost_no_trade_tokens():
    t = board(radius=4)
    t.trade(0, "industry", 3)
    t.trade(0, "culture", 3)
    t.script((decisions.INDUSTRY, (2, 0)), (decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Urbanization", slot=1)
    assert t.g.space_count[0] == 3
    assert t.trade_on(0, "industry") == t.trade_on(0, "culture") == 3


@pytest.mark.effect("Urbanization")
@pytest.mark.rule("B3.2")
def test_a_new_city_claims_its_agenda_before_urbanizations_tokens_are_placed():
    t = board(radius=4, victory=(names.AGENDAS.index("Civilized") // 2,))
    t.g.city_count[0] = 7
    t.g.tokens_left[0] = 1  # it goes on the victory card: none is left for a space
    t.script((decisions.INDUSTRY, (2, 0)))
    t.resolve(0, "Urbanization", slot=1)
    assert t.g.claimed[0, 0] == 1
    assert t.asked_kinds() == ["industry"]


@pytest.mark.effect("Urbanization")
@pytest.mark.parametrize("card", ["Pottery", "Animal Husbandry", "Nationalism"])
def test_other_industry_cards_place_no_tokens(card):
    t = board(radius=4)
    t.script((decisions.INDUSTRY, (2, 0)))
    t.resolve(0, card, slot=1)
    assert t.asked_kinds() == ["industry"]


@pytest.mark.effect("Urbanization")
def test_urbanization_places_no_tokens_after_a_wonder_or_nothing():
    t = board()
    t.deck("Stonehenge")
    t.give_resources(0, marble=1)
    t.script(build("Stonehenge"))
    t.resolve(0, "Urbanization", slot=5)
    assert t.controls(0, "Stonehenge")
    assert t.asked_kinds() == ["industry"]
    t.script((decisions.INDUSTRY, PASS))
    t.resolve(0, "Urbanization", slot=5)
    assert t.asked_kinds() == ["industry"]


@pytest.mark.effect("Urbanization")
@pytest.mark.effect("Chichen Itza")
@pytest.mark.parametrize("controlled", [False, True])
def test_the_tokens_of_urbanization_go_around_the_new_city_and_with_chichen_itza_on_forests(controlled):
    t = Table(leaders=("Egypt", "Aztec", "Egypt"), terrain={(-3, 3): "forest", (0, -3): "forest"})
    t.capital(0, (0, 0))
    if controlled:
        t.wonder("Chichen Itza", (0, 0))
    t.script((decisions.INDUSTRY, (2, 0)), (decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Urbanization", 3)
    around = t.spaces((3, 0), (2, 1), (1, 1), (1, 0), (2, -1), (3, -1))
    assert t.options(decisions.PLACE_TOKEN) == around | (t.spaces((-3, 3), (0, -3)) if controlled else set())
