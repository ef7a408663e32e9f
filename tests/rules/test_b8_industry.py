"""B8: industry cards, cities and world wonders. What each wonder does is tested in test_wonders_*.py."""

from functools import partial

import pytest
from table import PASS, row_with_capital, rules_with, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.barbarians import move_barbarians

MARBLE, MERCURY, OIL, DIAMOND = range(4)
CARDS = ("Pottery", "Animal Husbandry", "Nationalism", "Urbanization")

line = partial(row_with_capital, leaders=("Aztec", "Egypt"))
board = partial(table_with, (0, 0), leaders=("Aztec", "Egypt"))


def sites(t, card="Pottery", slot=1, p=0):
    """Return the city spaces the card offers from the slot (and build none)."""
    t.script()
    t.resolve(p, card, slot)
    return {s for s in t.options(decisions.INDUSTRY) if s < decisions.WONDER_OPTION}


def wonders_offered(t, card="Pottery", slot=1, p=0):
    t.script()
    t.resolve(p, card, slot)
    return {names.WONDERS[s - decisions.WONDER_OPTION] for s in t.options(decisions.INDUSTRY) if s >= decisions.WONDER_OPTION}


def code(wonder):
    return names.WONDERS.index(wonder)


def build(wonder):
    """The script entry that chooses the wonder."""
    return (decisions.INDUSTRY, decisions.WONDER_OPTION + code(wonder))


def row_of(t, *spaces):
    return t.spaces(*((q, 0) for q in spaces))


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
    assert sites(t) == row_of(t, 2)


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
    assert sites(t, card, slot) == row_of(t, *range(2, distance + 1))


@pytest.mark.rule("B8.1")
@pytest.mark.parametrize("owner", [0, 1])
def test_the_distance_counts_from_any_friendly_space(owner):
    t = line(9)
    t.token(owner, (4, 0))
    expected = (2, 3, 4, 5, 6) if owner == 0 else (2,)
    assert sites(t) == row_of(t, *expected)


# --- cities: what the count goes through


@pytest.mark.rule("B8.2")
@pytest.mark.parametrize(
    ("terrain", "difficulty"), [("grassland", 1), ("hills", 2), ("forest", 3), ("desert", 4), ("mountain", 5)]
)
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_no_counting_through_difficulty_above_the_slot(terrain, difficulty, slot):
    t = line(4, terrain={(1, 0): terrain})
    assert sites(t, slot=slot) == (row_of(t, 2) if slot >= difficulty else set())


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
    assert sites(t, card) == (row_of(t, 2) if through else set())


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
    assert sites(t) == row_of(t, 3)
    t = line(5)
    t.city_state("Seoul", (1, 0))
    assert sites(t, "Animal Husbandry") == row_of(t, 3)


# --- cities: the space


@pytest.mark.rule("B8.3")
@pytest.mark.parametrize(
    ("terrain", "difficulty"), [("grassland", 1), ("hills", 2), ("forest", 3), ("desert", 4), ("mountain", 5)]
)
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_the_space_is_no_harder_than_the_slot(terrain, difficulty, slot):
    t = line(4, terrain={(2, 0): terrain})
    assert sites(t, slot=slot) == (row_of(t, 2) if slot >= difficulty else set())


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


# --- cities: ruins


@pytest.mark.rule("B8.3")
@pytest.mark.rule("B8.7")
@pytest.mark.parametrize(("reading", "allowed"), [("allowed", True), ("forbidden", False)])
def test_ruling_a_city_where_a_wonders_token_was_left_behind(tmp_path, reading, allowed):
    t = line(3, rules=rules_with(tmp_path, rulings={"city_on_wonder_ruin": reading}))
    t.wonder("Stonehenge", (2, 0))
    assert sites(t) == (row_of(t, 2) if allowed else set())


@pytest.mark.rule("B8.3")
@pytest.mark.rule("B8.7")
def test_as_printed_a_city_built_on_a_ruin_controls_the_wonder():
    t = line(3)
    t.wonder("Stonehenge", (2, 0))
    assert not t.controls(0, "Stonehenge")
    t.script((decisions.INDUSTRY, (2, 0)))
    t.resolve(0, "Pottery", slot=1)
    assert t.controls(0, "Stonehenge")


# --- Animal Husbandry


@pytest.mark.effect("Animal Husbandry")
def test_animal_husbandry_counts_from_own_caravans_too():
    t = line(12)
    t.caravan(0, (6, 0))
    assert sites(t, "Animal Husbandry") == row_of(t, 2, 3, 4, 5, 6, 7, 8, 9)


@pytest.mark.effect("Animal Husbandry")
def test_animal_husbandry_does_not_count_from_a_rivals_caravan():
    t = line(12)
    t.caravan(1, (6, 0))
    assert sites(t, "Animal Husbandry") == row_of(t, 2, 3)


@pytest.mark.effect("Animal Husbandry")
@pytest.mark.parametrize(("card", "distance"), [("Pottery", 2), ("Nationalism", 4), ("Urbanization", 5)])
def test_other_industry_cards_do_not_count_from_caravans(card, distance):
    t = line(14)
    t.caravan(0, (10, 0))
    assert sites(t, card) == row_of(t, *range(2, distance + 1))


@pytest.mark.effect("Animal Husbandry")
def test_the_way_from_a_caravan_has_the_usual_limits():
    t = line(12, terrain={(8, 0): "hills"})
    t.caravan(0, (6, 0))
    t.token(1, (5, 0))
    assert sites(t, "Animal Husbandry") == row_of(t, 2, 3, 6, 7)


# --- Nationalism, Urbanization


@pytest.mark.effect("Nationalism")
def test_nationalism_counts_along_water_but_ends_on_land():
    t = line(6, terrain={(1, 0): "water", (2, 0): "water", (3, 0): "water"})
    assert sites(t, "Nationalism") == row_of(t, 4)


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


# --- wonders: production


@pytest.mark.rule("B8.5")
@pytest.mark.rule("B8.6")
def test_rulebook_example_forbidden_city_with_3_and_2_and_4():
    t = board()
    t.deck("Forbidden City", "Chichen Itza", "Eiffel Tower")
    t.give_resources(0, marble=1, oil=2)
    t.script(build("Forbidden City"), (decisions.PAY, MARBLE))
    t.resolve(0, "Pottery", slot=3)
    assert t.controls(0, "Forbidden City")
    assert t.g.wonder_space[code("Forbidden City")] == t.at((0, 0))
    assert t.g.resources[0].sum() == 0
    assert t.g.supply.tolist() == [8, 8, 8, 8]
    places = [int(t.g.wonder_place[code(n)]) for n in ("Forbidden City", "Chichen Itza", "Eiffel Tower")]
    assert places == [state.WONDER_BUILT, state.WONDER_FACE_UP, state.WONDER_DECK]
    assert t.g.city_count[0] == 1  # a wonder instead of a city


@pytest.mark.rule("B8.5")
def test_one_short_of_the_cost_builds_nothing():
    t = board()
    t.deck("Forbidden City")
    t.give_resources(0, marble=1, oil=1, mercury=3, diamond=3)  # 3 + 2 + 2; the other two types are not accepted
    t.trade(0, "industry", 1)
    assert wonders_offered(t, slot=3) == set()
    t.trade(0, "industry", 2)
    assert wonders_offered(t, slot=3) == {"Forbidden City"}


@pytest.mark.rule("B8.5")
@pytest.mark.rule("B13.2")
def test_only_trade_tokens_of_the_industry_card_produce():
    t = board()
    t.deck("Stonehenge")
    for kind in ("culture", "science", "economy", "military"):
        t.trade(0, kind, 3)
    t.trade(0, "industry", 1)
    assert wonders_offered(t, slot=5) == set()
    t.trade(0, "industry", 2)
    t.script(build("Stonehenge"))
    t.resolve(0, "Pottery", slot=5)
    assert t.controls(0, "Stonehenge")
    assert t.trade_on(0, "industry") == 0
    assert t.trade_on(0, "culture") == t.trade_on(0, "science") == t.trade_on(0, "economy") == 3


@pytest.mark.rule("B8.5")
def test_the_player_chooses_what_to_pay_with_and_pays_no_more_than_needed():
    t = board()
    t.deck("Stonehenge")
    t.give_resources(0, marble=2, mercury=2, oil=1)
    t.trade(0, "industry", 3)
    t.script(build("Stonehenge"), (decisions.PAY, MERCURY), (decisions.PAY, decisions.PAY_TRADE))
    t.resolve(0, "Pottery", slot=4)
    assert t.options(decisions.PAY) == {MARBLE, MERCURY, decisions.PAY_TRADE}
    assert t.g.resources[0].tolist() == [2, 1, 1, 0]
    assert t.trade_on(0, "industry") == 2


@pytest.mark.rule("B8.5")
def test_enough_production_from_the_slot_alone_costs_nothing():
    t = board()
    t.deck("Stonehenge")
    t.give_resources(0, marble=2)
    t.trade(0, "industry", 3)
    t.script(build("Stonehenge"))
    t.resolve(0, "Nationalism", slot=5)
    assert t.controls(0, "Stonehenge")
    assert t.g.resources[0, MARBLE] == 2
    assert t.trade_on(0, "industry") == 3


@pytest.mark.rule("B8.5")
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("card", [pytest.param(c, marks=pytest.mark.effect(c)) for c in CARDS])
def test_production_is_the_slot_number_but_7_for_nationalism_in_slot_5(card, slot):
    production = 7 if card == "Nationalism" and slot == 5 else slot
    missing = 11 - production  # Ruhr Valley costs 11
    t = board()
    t.deck("Ruhr Valley")
    t.give_resources(0, oil=missing // 2)
    t.trade(0, "industry", missing % 2)
    assert wonders_offered(t, card, slot) == {"Ruhr Valley"}
    t.g.resources[0, OIL] -= 1
    t.trade(0, "industry", missing % 2 + 1)
    assert wonders_offered(t, card, slot) == set()


@pytest.mark.rule("B8.5")
@pytest.mark.rule("B4.3")
def test_a_natural_wonder_pays_as_its_resource_once_a_turn_and_is_kept():
    t = board(radius=4)
    t.natural_wonder("Pantanal", (1, 0))  # marble
    t.token(0, (1, 0))
    t.city(0, (3, 0))
    t.deck("Stonehenge", "Hanging Gardens")
    i = names.NATURAL_WONDERS.index("Pantanal")
    t.script(build("Stonehenge"), (decisions.WONDER_CITY, (0, 0)))
    t.resolve(0, "Pottery", slot=5)
    assert t.controls(0, "Stonehenge")
    assert t.g.natural_wonder_owner[i] == 0
    assert t.g.resources[0].sum() == 0
    t.trade(0, "industry", 2)  # 5 + 2 for Hanging Gardens (8): the marble of the Pantanal is used up for this turn
    assert wonders_offered(t, slot=5) == set()
    t.g.natural_wonder_used[i] = 0
    assert wonders_offered(t, slot=5) == {"Hanging Gardens"}


@pytest.mark.rule("B8.5")
@pytest.mark.parametrize("case", ["wrong resource", "a rival's", "not taken"])
def test_a_natural_wonder_does_not_pay(case):
    t = board()
    t.natural_wonder("Mt. Everest" if case == "wrong resource" else "Pantanal", (1, 0))
    if case != "not taken":
        t.token(1 if case == "a rival's" else 0, (1, 0))
    t.deck("Stonehenge")
    assert wonders_offered(t, slot=5) == set()


@pytest.mark.rule("B8.5")
def test_natural_wonder_and_resources_pay_together():
    t = board()
    t.natural_wonder("Mt. Everest", (1, 0))  # oil
    t.token(0, (1, 0))
    t.deck("Forbidden City")
    t.give_resources(0, marble=1)
    t.trade(0, "industry", 3)
    pay_nature = decisions.PAY_NATURAL_WONDER + names.NATURAL_WONDERS.index("Mt. Everest")
    t.script(build("Forbidden City"), (decisions.PAY, pay_nature), (decisions.PAY, MARBLE))
    t.resolve(0, "Pottery", slot=5)
    assert t.options(decisions.PAY) == {MARBLE, pay_nature, decisions.PAY_TRADE}
    assert t.trade_on(0, "industry") == 3


# --- wonders: decks and cities


@pytest.mark.rule("B8.5")
def test_only_the_face_up_card_of_each_deck_is_for_sale():
    t = board()
    t.deck("Stonehenge", "Hanging Gardens")
    t.deck("Petra", "Terracotta Army")
    t.give_resources(0, marble=5, oil=5)
    assert wonders_offered(t, slot=5) == {"Stonehenge", "Petra"}


@pytest.mark.rule("B8.6")
def test_the_next_card_is_for_sale_after_the_wonder_is_built():
    t = board(radius=4)
    t.city(0, (3, 0))
    t.deck("Stonehenge", "Hanging Gardens")
    t.give_resources(0, marble=5)
    t.script(build("Stonehenge"), (decisions.WONDER_CITY, (3, 0)))
    t.resolve(0, "Pottery", slot=5)
    assert wonders_offered(t, slot=5) == {"Hanging Gardens"}


@pytest.mark.rule("B8.6")
def test_a_deck_that_is_used_up_sells_nothing():
    t = board(radius=4)
    t.city(0, (3, 0))
    t.deck("Stonehenge")
    t.give_resources(0, marble=5)
    t.script(build("Stonehenge"), (decisions.WONDER_CITY, (3, 0)))
    t.resolve(0, "Pottery", slot=5)
    assert wonders_offered(t, slot=5) == set()


@pytest.mark.rule("B8.6")
def test_the_token_goes_under_a_friendly_city_without_a_wonder():
    t = board(radius=4)
    t.city(0, (3, 0))
    t.city(0, (-3, 0))
    t.city(1, (0, 3))
    t.token(0, (1, 0))
    t.wonder("Petra", (3, 0))
    t.deck("Stonehenge")
    t.give_resources(0, marble=1)
    t.script(build("Stonehenge"), (decisions.WONDER_CITY, (-3, 0)))
    t.resolve(0, "Pottery", slot=5)
    assert t.options(decisions.WONDER_CITY) == t.spaces((0, 0), (-3, 0))
    assert t.g.wonder_token[t.at((-3, 0))] == code("Stonehenge")
    assert t.controls(0, "Petra")


@pytest.mark.rule("B8.6")
def test_no_wonder_without_a_city_that_has_room():
    t = board()
    t.wonder("Petra", (0, 0))
    t.deck("Stonehenge")
    t.give_resources(0, marble=5)
    t.token(0, (1, 0))
    assert wonders_offered(t, slot=5) == set()


# --- wonders: control


@pytest.mark.rule("B8.7")
@pytest.mark.rule("B9.10")
def test_control_passes_with_the_city():
    t = board(radius=4)
    t.city(1, (2, 0))
    t.wonder("Stonehenge", (2, 0))
    t.dice(6, 1)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)))
    t.resolve(0, "Masonry", slot=5)
    assert t.owner((2, 0)) == 0
    assert t.controls(0, "Stonehenge")
    assert not t.controls(1, "Stonehenge")


@pytest.mark.rule("B8.7")
def test_a_failed_attack_leaves_the_control():
    t = board(radius=4)
    t.city(1, (2, 0))
    t.wonder("Stonehenge", (2, 0))
    t.dice(1, 6)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)))
    t.resolve(0, "Masonry", slot=1)
    assert t.controls(1, "Stonehenge")
    assert not t.controls(0, "Stonehenge")


@pytest.mark.rule("B8.7")
@pytest.mark.rule("B11.2")
def test_a_destroyed_city_leaves_the_wonder_to_whoever_claims_the_space():
    t = board(radius=4)
    t.city(1, (2, 0))
    t.wonder("Stonehenge", (2, 0))
    t.barbarian("A", (1, 0))
    t.dice(1)  # to the east
    t.call(move_barbarians)
    assert t.owner((2, 0)) == -1
    assert t.g.wonder_token[t.at((2, 0))] == code("Stonehenge")
    assert not t.controls(1, "Stonehenge")
    assert not t.controls(0, "Stonehenge")
    t.token(0, (2, 0))
    assert t.controls(0, "Stonehenge")


@pytest.mark.rule("B8.7")
@pytest.mark.parametrize("wonder", names.WONDERS)
def test_every_wonder_is_controlled_by_the_holder_of_its_space_only(wonder):
    t = board()
    t.wonder(wonder, (2, 0))
    assert not t.controls(0, wonder)
    t.token(0, (2, 0))
    assert t.controls(0, wonder)
    assert not t.controls(1, wonder)
