"""What the leaders' unique focus cards do beyond a standard card of their type (T2.7, T12)."""

import pytest
from table import AROUND, LAST_SPACE, PASS, Table, card_codes, ti_rules, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, economy, science
from newdawn.simulator.rules.ruleset_contents import written

OIL, DIAMOND = 2, 3


def board(*leaders, rules=None, **kw):
    """Return a table: the capital of seat 0 in the middle, that of seat 1 at the edge."""
    return ti_table_with((0, 0), (kw.get("radius", 3), 0), rules=rules, leaders=leaders or ("Rome", "Egypt"), **kw)


def wonder(t, name):
    return decisions.WONDER_OPTION + written(t.r, "wonder").index(name)


def test_every_leader_has_one_and_its_type_and_level_are_printed():
    r = ti_rules()
    cards = [names.N_CARDS + leader for leader in range(len(written(r, "leader")))]
    assert [int(r.card_unique[card]) for card in cards] == list(range(18))
    levels = [int(r.card_level[card]) for card in cards]
    assert {level: levels.count(level) for level in (1, 2, 3, 4)} == {1: 5, 2: 6, 3: 6, 4: 1}


def test_a_unique_card_of_level_one_is_had_from_the_first_round_and_others_from_when_they_are_taken():
    r = ti_rules()
    for code, name in enumerate(written(r, "leader")):
        t = Table(leaders=(name, "Rome" if name != "Rome" else "Egypt"), rules=r)
        card = names.N_CARDS + code
        if r.card_level[card] == 1:
            assert t.g.unique_round[0] == 1
            continue
        assert t.g.unique_round[0] == 0
        for number, noted in ((0, 1), (1, 1), (5, 1)) if code == 0 else ((5, 5), (6, 5)):
            t.g.round_number = number
            science.replace_card(t.r, t.g, t.w, 0, t.holder(0, names.FOCUS_TYPES[r.card_type[card]]), card)
            assert t.g.unique_round[0] == noted, name


# --- science: Writing, Natural History, Astronomy


def dial(t, card, slot):
    """Let seat 0 resolve the science card from the slot and return how far the dial went."""
    before = int(t.g.dial[0])
    t.script((decisions.SCIENCE, 1))
    t.resolve(0, card, slot)
    return int(t.g.dial[0]) - before


@pytest.mark.effect("Writing")
def test_writing_goes_a_space_farther_with_any_world_wonder_and_not_for_each():
    t = board("China", "Egypt")
    assert dial(t, "Writing", 3) == 3
    t.wonder("Oracle", (3, 0))  # a rival's
    assert dial(t, "Writing", 3) == 3
    t.wonder("Petra", (0, 0))
    assert dial(t, "Writing", 3) == 4
    t.token(0, (1, 0))
    t.wonder("Colossus", (1, 0))
    assert dial(t, "Writing", 2) == 3


@pytest.mark.effect("Writing")
def test_other_science_cards_do_not_look_for_world_wonders():
    t = board("China", "Egypt")
    t.wonder("Petra", (0, 0))
    t.give_resources(0, oil=1)
    assert dial(t, "Astrology", 3) == 3


@pytest.mark.effect("Natural History")
def test_natural_history_goes_a_space_farther_for_each_type_of_resource_held():
    t = board("England", "Egypt")
    assert dial(t, "Natural History", 2) == 2
    t.give_resources(0, oil=2)
    assert dial(t, "Natural History", 2) == 3
    t.give_resources(0, marble=1)
    t.give_resources(1, diamond=3)
    assert dial(t, "Natural History", 2) == 4


@pytest.mark.effect("Natural History")
def test_natural_history_counts_natural_wonders_by_their_resource_four_types_at_most():
    t = board("England", "Egypt")
    t.give_resources(0, oil=1)
    for name, space in zip(written(t.r, "natural_wonder"), AROUND, strict=False):
        t.token(0, space)
        t.natural_wonder(name, space)
    kinds = {int(t.r.natural_wonder_resource[i]) for i in range(len(AROUND))} | {OIL}
    assert dial(t, "Natural History", 1) == 1 + len(kinds) <= 5
    t = board("England", "Egypt")
    t.natural_wonder("Pantanal", (3, 0))  # the rival's
    assert dial(t, "Natural History", 1) == 1


@pytest.mark.effect("Natural History")
def test_natural_historys_natural_wonders_count_whatever_replaceable_parts_looks_at(tmp_path):
    rules = ti_rules_with(tmp_path, rulings={"replaceable_parts_held": "resource_tokens_only"})
    t = board("England", "Egypt", rules=rules)
    t.natural_wonder("Pantanal", (0, 0))
    assert dial(t, "Natural History", 1) == 2


@pytest.mark.effect("Natural History")
def test_any_natural_wonder_counts_as_its_resource_for_the_dial():
    t = ti_table_with((0, 0), LAST_SPACE)
    card = next(c for c in range(names.N_CARDS, len(t.r.card_dial_per_resource)) if t.r.card_dial_per_resource[c])
    for i in (0, int(t.r.n_natural_wonders) - 1):
        t.g.natural_wonder_owner[:] = -2
        assert science.unique_spaces(t.r, t.g, 0, card) == 0
        t.g.natural_wonder_owner[i] = 0
        assert science.unique_spaces(t.r, t.g, 0, card) == t.r.card_dial_per_resource[card]


@pytest.mark.effect("Astronomy")
@pytest.mark.rule("T12.12")
def test_astronomy_looks_at_two_tiles_may_lay_one_by_the_capitals_tile_and_advances_the_dial():
    t = board("Poland", "Egypt")
    t.g.stack[:3], t.g.stack_n = (9, 10, 11), 3
    before = int(t.g.n_spaces)
    t.script((decisions.EXPLORED_TILE, 10), (decisions.STACK_ORDER, 2 * 9 + 1))
    t.resolve(0, "Astronomy", 3)
    assert t.options(decisions.EXPLORED_TILE) == {9, 10}
    assert t.g.n_spaces == before + 10
    assert [int(n) for n in t.g.stack[: t.g.stack_n]] == [11, 9]
    assert t.g.dial[0] == 3


@pytest.mark.effect("Astronomy")
def test_astronomys_tiles_may_both_go_back_and_other_science_cards_look_at_none():
    t = board("Poland", "Egypt")
    t.g.stack[:3], t.g.stack_n = (9, 10, 11), 3
    before = int(t.g.n_spaces)
    t.script((decisions.EXPLORED_TILE, PASS), (decisions.STACK_ORDER, 2 * 10 + 1), (decisions.STACK_ORDER, 2 * 9))
    t.resolve(0, "Astronomy", 2)
    assert t.g.n_spaces == before
    assert [int(n) for n in t.g.stack[: t.g.stack_n]] == [9, 11, 10]
    t.script((decisions.SCIENCE, 1))
    t.resolve(0, "Mathematics", 2)
    assert "explored_tile" not in t.asked_kinds()


@pytest.mark.effect("Astronomy")
def test_astronomy_without_a_stack_only_advances_the_dial():
    t = board("Poland", "Egypt")
    assert dial(t, "Astronomy", 4) == 4
    assert "stack_order" not in t.asked_kinds()


# --- culture: Humanism, State Workforce, Radio


def place(t, card, slot, *spaces):
    t.script(*((decisions.PLACE_TOKEN, space) for space in spaces))
    t.resolve(0, card, slot)


@pytest.mark.effect("Humanism")
def test_humanism_places_two_tokens_next_to_any_friendly_space():
    t = board("France", "Egypt")
    t.token(0, (1, 0))
    place(t, "Humanism", 1, (2, -1), (3, -2))
    assert t.options(decisions.PLACE_TOKEN, 0) == t.spaces(*AROUND[1:], (2, 0), (1, 1), (2, -1))
    assert t.at((3, -2)) in t.options(decisions.PLACE_TOKEN, 1)
    assert t.asked_kinds().count("place_token") == 2


@pytest.mark.effect("Humanism")
@pytest.mark.rule("B13.2")
def test_humanisms_trade_tokens_pay_for_more_next_to_friendly_spaces_within_the_slot():
    t = board("France", "Egypt", terrain={(2, 0): "hills"})
    t.token(0, (1, 0))
    t.trade(0, "culture", 1)
    place(t, "Humanism", 1, (2, -1), (1, 1), (1, 2))
    assert t.at((2, 0)) not in t.options(decisions.PLACE_TOKEN, 0)
    assert t.owner((1, 2)) == 0
    assert t.trade_on(0, "culture") == 0


@pytest.mark.effect("Humanism")
def test_humanism_then_brings_a_trade_token_for_each_mature_city_on_any_cards():
    t = board("France", "Egypt")
    t.token(0, *AROUND[:-1])
    growth = t.holder(0, "growth")
    t.script((decisions.PLACE_TOKEN, (1, -1)), (decisions.PLACE_TOKEN, PASS), (decisions.PLACE_TRADE, growth))
    t.resolve(0, "Humanism", 1)
    assert t.g.trade[0].tolist()[growth] == t.g.trade[0].sum() == 1
    t = board("France", "Egypt")
    t.token(0, *AROUND[:-1])
    place(t, "Humanism", 1, (2, 0))
    assert t.g.trade[0].sum() == 0
    t = board("France", "Egypt")
    t.token(0, *AROUND)
    place(t, "Civil Service", 1)
    assert t.g.trade[0].sum() == 0


@pytest.mark.effect("State Workforce")
def test_state_workforce_adds_a_mountain_next_to_a_friendly_space_from_slot_5():
    terrain = {(2, 0): "mountain", (1, 1): "mountain", (-2, 0): "mountain", (0, 3): "mountain"}
    t = board("Inca", "Egypt", terrain=terrain)
    t.token(0, (1, 0))
    place(t, "State Workforce", 5, (0, 1), (-1, 0), (2, 0))
    assert t.options(decisions.PLACE_TOKEN, 2) == t.spaces((2, 0), (1, 1), (-2, 0))
    assert t.owner((2, 0)) == 0


@pytest.mark.effect("State Workforce")
def test_state_workforces_mountain_needs_slot_5_and_trade_tokens_pay_for_its_others_only():
    t = board("Inca", "Egypt", terrain={(2, 0): "mountain"})
    t.token(0, (1, 0))
    place(t, "State Workforce", 4, (0, 1), (-1, 0))
    assert t.asked_kinds().count("place_token") == 2
    t = board("Rome", "Egypt", terrain={(2, 0): "mountain"})
    t.token(0, (1, 0))
    t.trade(0, "culture", 2)
    place(t, "State Workforce", 5, (0, 1), (-1, 0), PASS, (2, 0))
    assert t.trade_on(0, "culture") == 2
    assert t.asked_kinds().count("place_token") == 4


@pytest.mark.effect("State Workforce")
@pytest.mark.rule("T2.3")
def test_state_workforce_sees_the_slot_it_is_shifted_to():
    t = board("Inca", "Egypt", terrain={(2, 0): "mountain"})
    t.token(0, (1, 0))
    t.g.government[0], t.g.government_type[0] = t.holder(0, "culture"), names.CULTURE
    place(t, "State Workforce", 4, PASS, (2, 0))
    assert t.owner((2, 0)) == 0


@pytest.mark.effect("State Workforce")
@pytest.mark.effect("Inca")
def test_the_inca_follow_state_workforces_mountain():
    t = board("Inca", "Egypt", terrain={(2, 0): "mountain"})
    t.token(0, (1, 0))
    place(t, "State Workforce", 5, PASS, (2, 0), (2, -1))
    assert t.owner((2, -1)) == 0
    t = board("Rome", "Egypt", terrain={(1, 0): "mountain"})
    t.token(0, (1, -1))
    place(t, "State Workforce", 5, PASS, (1, 0))
    assert t.owner((1, 0)) == 0


def radio(t, slot=5, *more):
    t.script((decisions.PLACE_TOKEN, PASS), *more)
    t.resolve(0, "Radio", slot)


@pytest.mark.effect("Radio")
@pytest.mark.rule("T12.10")
def test_radio_takes_an_unguarded_rival_city_within_4_of_an_own_city_from_slot_5():
    t = board("America", "Egypt", radius=6)
    t.city(1, (4, 0))
    t.city(1, (0, 5))
    t.city(1, (-4, 0))
    t.army(1, (-4, 0))
    t.wonder("Oracle", (4, 0))
    radio(t)
    assert t.owner((4, 0)) == 0  # the only one: no capital, not too far, not guarded
    assert t.controls(0, "Oracle")
    assert [t.owner(space) for space in ((0, 5), (-4, 0), (6, 0))] == [1, 1, 1]


@pytest.mark.effect("Radio")
def test_radio_asks_which_city_and_takes_none_below_slot_5_or_without_a_city_left():
    t = board("America", "Egypt", radius=5)
    t.city(1, (4, -4))
    t.city(1, (-4, 0))
    radio(t, 5, (decisions.TAKE_CITY, (-4, 0)))
    assert t.options(decisions.TAKE_CITY) == t.spaces((4, -4), (-4, 0))
    assert t.owner((4, -4)) == 1
    t = board("America", "Egypt", radius=5)
    t.city(1, (4, -4))
    radio(t, 4)
    assert t.owner((4, -4)) == 1
    t.g.cities_left[0] = 0
    radio(t, 5)
    assert t.owner((4, -4)) == 1


@pytest.mark.effect("Radio")
def test_radio_places_three_tokens_first():
    t = board("America", "Egypt")
    place(t, "Radio", 1, *AROUND[:3])
    assert t.g.space_count[0] == 4
    assert t.asked_kinds().count("place_token") == 3


# --- economy: Wheel, Cartography, Banking


def travel(t, card, to, *more, slot=5, p=0):
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, to), *more)
    t.resolve(p, card, slot)


@pytest.mark.effect("Wheel")
@pytest.mark.parametrize(("where", "resources"), [("city-state", 1), ("rival city", 1), ("capital", 1), ("nowhere", 0)])
def test_the_wheel_brings_a_resource_of_choice_for_every_arrival(where, resources):
    t = board("Egypt", "Rome", radius=4)
    if where == "city-state":
        t.city_state("Seoul", (2, -2))
    elif where == "rival city":
        t.city(1, (2, -2))
    to = (4, 0) if where == "capital" else (2, -2)
    travel(t, "Wheel", to, *([(decisions.GAIN_RESOURCE, DIAMOND)] if resources else []))
    assert t.g.resources[0].tolist() == [0, 0, 0, resources]
    assert t.g.trade[0].sum() == 2 * resources  # besides what an arrival brings


@pytest.mark.effect("Wheel")
def test_caravans_of_other_cards_bring_no_resource_and_the_wheel_goes_four_steps():
    t = board("Egypt", "Rome", radius=4)
    travel(t, "Foreign Trade", (3, -3))
    assert t.at((4, -4)) not in t.options(decisions.CARAVAN_TO)
    t = board("Egypt", "Rome", radius=4)
    t.city_state("Seoul", (2, -2))
    travel(t, "Foreign Trade", (2, -2))
    assert t.g.resources[0].sum() == 0
    t = board("Egypt", "Rome", radius=5)
    travel(t, "Wheel", (4, -4))
    assert t.at((5, -5)) not in t.options(decisions.CARAVAN_TO)


@pytest.mark.effect("Wheel")
def test_the_resource_of_the_wheel_may_be_of_a_type_held():
    t = ti_table_with((0, 0), LAST_SPACE, leaders=("Egypt", "Rome"))
    t.give_resources(0, oil=1)
    t.script()
    t.call(economy.reward_arrival, 0, t.g.card[0, t.card(0, "Wheel")], t.at(LAST_SPACE), 1)
    assert t.options(decisions.GAIN_RESOURCE) == set(range(names.N_RESOURCES))


FAR = [(q, 0) for q in range(12)] + [(q, 1) for q in range(-1, 11)]


def coast(city=9, **kw):
    """Return a board of two rows: the Dutch capital at the left, a rival city so far off, the rival capital at the end."""
    t = Table(rules=kw.pop("rules", None) or ti_rules(), leaders=("Netherlands", "Egypt"), spaces=FAR, **kw)
    t.capital(0, (0, 0))
    t.capital(1, (11, 0))
    t.city(1, (city, 0))
    t.caravan(0, (city - 2, 0))
    return t


@pytest.mark.effect("Cartography")
def test_cartography_lets_a_city_be_built_within_2_of_a_rival_city_8_or_more_from_the_capital():
    t = coast(8, terrain={(6, 0): "mountain", (6, 1): "desert", (7, 1): "water"})
    travel(t, "Cartography", (8, 0), (decisions.CITY_SPACE, (6, 0)), slot=1)
    assert t.options(decisions.CITY_SPACE) == t.spaces((6, 0), (6, 1), (9, 1))
    assert t.piece((6, 0)) == "city"
    assert t.g.trade[0].sum() == 2


@pytest.mark.effect("Cartography")
@pytest.mark.rule("T11.2")
def test_cartographys_city_needs_a_legal_space_and_may_be_left():
    t = coast(8)
    t.resource("oil", (6, 0))
    travel(t, "Cartography", (8, 0))
    assert t.options(decisions.CITY_SPACE) == t.spaces((6, 1), (9, 1))
    assert t.g.city_count[0] == 1
    t = coast(8)
    t.g.cities_left[0] = 0
    travel(t, "Cartography", (8, 0))
    assert not t.options(decisions.CITY_SPACE)


@pytest.mark.effect("Cartography")
def test_cartography_builds_with_the_last_city_too():
    t = coast(8)
    t.g.cities_left[0] = 1
    travel(t, "Cartography", (8, 0), (decisions.CITY_SPACE, (6, 1)))
    assert t.piece((6, 1)) == "city"
    assert (int(t.g.cities_left[0]), int(t.g.city_count[0])) == (0, 2)


@pytest.mark.effect("Cartography")
def test_cartography_does_not_count_cities_nearer_than_8_or_city_states():
    t = coast(7)
    travel(t, "Cartography", (7, 0))
    assert not t.options(decisions.CITY_SPACE)
    t = coast(4)
    t.city_state("Seoul", (9, 0))
    t.caravan(0, (8, 0))
    travel(t, "Cartography", (9, 0))
    assert not t.options(decisions.CITY_SPACE)
    t = coast(8)
    travel(t, "Steam Power", (8, 0))
    assert not t.options(decisions.CITY_SPACE)


@pytest.mark.effect("Cartography")
def test_cartography_builds_once_a_turn():
    t = coast(8)
    t.city(1, (10, 1))
    t.caravan(0, (7, 1), c=1)
    t.script(
        (decisions.CARAVAN, 0),
        (decisions.CARAVAN_TO, (8, 0)),
        (decisions.CITY_SPACE, (6, 0)),
        (decisions.CARAVAN, 1),
        (decisions.CARAVAN_TO, (10, 1)),
    )
    t.resolve(0, "Cartography", 5)
    assert t.asked_kinds().count("city_space") == 1
    assert t.g.city_count[0] == 2
    t = coast(8)
    t.city(1, (10, 1))
    t.caravan(0, (7, 1), c=1)
    t.script(
        (decisions.CARAVAN, 0),
        (decisions.CARAVAN_TO, (8, 0)),
        (decisions.CITY_SPACE, PASS),
        (decisions.CARAVAN, 1),
        (decisions.CARAVAN_TO, (10, 1)),
    )
    t.resolve(0, "Cartography", 5)
    assert t.g.city_count[0] == 1


@pytest.mark.effect("Cartography")
@pytest.mark.rule("T4.10")
def test_cartographys_terrain_is_a_ruling(tmp_path):
    rules = ti_rules_with(tmp_path, rulings={"no_slot_terrain": "grassland_only"})
    t = coast(8, rules=rules, terrain={(6, 0): "hills"})
    travel(t, "Cartography", (8, 0))
    assert t.options(decisions.CITY_SPACE) == t.spaces((6, 1), (9, 1))


@pytest.mark.effect("Banking")
@pytest.mark.parametrize(("holder", "city", "resources"), [(1, (3, 0), 1), (2, (3, 0), 0), (None, (3, 0), 0), (1, (2, -2), 0)])
def test_banking_brings_a_resource_from_the_capital_of_who_has_ibrahim(holder, city, resources):
    t = Table(rules=ti_rules(), leaders=("Ottoman", "Egypt", "Rome"))
    for p, space in enumerate([(0, 0), (3, 0), (-3, 0)]):
        t.capital(p, space)
    t.city(1, (2, -2))
    if holder is not None:
        t.g.given_card[0] = holder
        t.refresh()
    travel(t, "Banking", city, *([(decisions.GAIN_RESOURCE, OIL)] if resources else []))
    assert t.g.resources[0].sum() == resources
    assert t.g.trade[0].sum() == 2


# --- industry: Industrialization, Construction, Craftsmanship


def offers(t, card, slot, name):
    """Is the world wonder offered to seat 0 with the card from the slot?"""
    t.script((decisions.INDUSTRY, PASS))
    t.resolve(0, card, slot)
    return wonder(t, name) in t.options(decisions.INDUSTRY)


def with_deck(t, name, cost):
    """Put the wonder face up; make it cost so much."""
    t.deck(name)
    t.g.cost_change[:] = cost - int(t.r.wonder_cost[written(t.r, "wonder").index(name)])
    return t


@pytest.mark.effect("Industrialization")
def test_industrializations_production_is_the_slot_and_one_for_each_own_district():
    for own, rival, cost, enough in ((2, 0, 5, True), (2, 0, 6, False), (0, 2, 5, False), (0, 0, 3, True), (1, 1, 5, False)):
        t = board("Japan", "Egypt")
        for k, district in enumerate(names.DISTRICTS[:own]):
            t.district(0, district, AROUND[k])
        for k, district in enumerate(names.DISTRICTS[:rival]):
            t.district(1, district, AROUND[-1 - k])
        with_deck(t, "Petra", cost)
        assert offers(t, "Industrialization", 3, "Petra") == enough
    t = board("Japan", "Egypt")
    t.district(0, "Campus", (1, 0))
    with_deck(t, "Petra", 4)
    assert not offers(t, "Pottery", 3, "Petra")


@pytest.mark.effect("Industrialization")
def test_industrialization_pays_with_its_districts_first():
    t = board("Japan", "Egypt")
    t.district(0, "Campus", (1, 0))
    with_deck(t, "Petra", 6)
    t.trade(0, "industry", 2)
    t.script((decisions.INDUSTRY, wonder(t, "Petra")))
    t.resolve(0, "Industrialization", 3)
    assert t.trade_on(0, "industry") == 0
    assert t.controls(0, "Petra")


@pytest.mark.effect("Industrialization")
def test_industrialization_builds_a_city_within_4_counted_through_water():
    t = board("Japan", "Egypt", radius=5, terrain=dict.fromkeys(AROUND, "water"))
    t.script((decisions.INDUSTRY, PASS))
    t.resolve(0, "Industrialization", 1)
    assert t.at((0, 4)) in t.options(decisions.INDUSTRY)
    assert t.at((0, 5)) not in t.options(decisions.INDUSTRY)


@pytest.mark.effect("Construction")
def test_each_resource_is_worth_three_with_construction_natural_wonders_too():
    t = board("Nubia", "Egypt")
    with_deck(t, "Petra", 4 + 3)
    pays = [k for k in range(4) if t.r.wonder_pays[written(t.r, "wonder").index("Petra"), k]]
    t.give_resources(0, **{names.RESOURCES[pays[0]]: 1})
    assert offers(t, "Construction", 4, "Petra")
    assert not offers(t, "Pottery", 4, "Petra")
    t.script((decisions.INDUSTRY, wonder(t, "Petra")))
    t.resolve(0, "Construction", 4)
    assert t.controls(0, "Petra")
    t = board("Nubia", "Egypt")
    i = next(k for k in range(t.r.n_natural_wonders) if t.r.natural_wonder_resource[k] == pays[0])
    t.natural_wonder(written(t.r, "natural_wonder")[i], (0, 0))
    with_deck(t, "Petra", 7)
    assert offers(t, "Construction", 4, "Petra")
    with_deck(t, "Petra", 8)
    assert not offers(t, "Construction", 4, "Petra")


@pytest.mark.effect("Construction")
def test_a_resource_paid_with_construction_takes_three_off_what_is_missing():
    t = board("Nubia", "Egypt")
    pays = [k for k in range(4) if t.r.wonder_pays[written(t.r, "wonder").index("Petra"), k]]
    t.give_resources(0, **{names.RESOURCES[pays[0]]: 2})
    t.trade(0, "industry", 1)
    with_deck(t, "Petra", 4 + 4)
    t.script((decisions.INDUSTRY, wonder(t, "Petra")), (decisions.PAY, pays[0]), (decisions.PAY, decisions.PAY_TRADE))
    t.resolve(0, "Construction", 4)
    assert t.g.resources[0, pays[0]] == 1
    assert t.trade_on(0, "industry") == 0


@pytest.mark.effect("Construction")
def test_construction_may_build_a_city_within_3_instead():
    t = board("Nubia", "Egypt", radius=5)
    t.script((decisions.INDUSTRY, (0, 3)))
    t.resolve(0, "Construction", 1)
    assert t.piece((0, 3)) == "city"
    assert t.at((0, 4)) not in t.options(decisions.INDUSTRY)


@pytest.mark.effect("Craftsmanship")
def test_craftsmanship_advances_the_dial_after_a_wonder_and_not_after_a_city():
    t = board("Sumeria", "Egypt")
    with_deck(t, "Petra", 3)
    t.script((decisions.INDUSTRY, wonder(t, "Petra")))
    t.resolve(0, "Craftsmanship", 3)
    assert t.controls(0, "Petra")
    assert t.g.dial[0] == 1
    t = board("Sumeria", "Egypt")
    t.script((decisions.INDUSTRY, (0, 2)))
    t.resolve(0, "Craftsmanship", 3)
    assert t.piece((0, 2)) == "city"
    assert t.g.dial[0] == 0
    t = board("Sumeria", "Egypt")
    with_deck(t, "Petra", 3)
    t.script((decisions.INDUSTRY, wonder(t, "Petra")))
    t.resolve(0, "Pottery", 3)
    assert t.g.dial[0] == 0


@pytest.mark.effect("Craftsmanship")
@pytest.mark.rule("T11.4")
@pytest.mark.parametrize(("choice", "dial"), [(1, 1), (PASS, 0)])
def test_craftsmanships_dial_goes_on_without_a_wonder_too_or_the_card_is_to_no_effect(choice, dial):
    t = board("Sumeria", "Egypt")
    t.script((decisions.INDUSTRY, PASS), (decisions.DIAL_ANYWAY, choice))
    t.resolve(0, "Craftsmanship", 3)
    assert t.g.dial[0] == dial
    t = board("Sumeria", "Egypt")
    t.script((decisions.INDUSTRY, PASS))
    t.resolve(0, "Pottery", 3)
    assert "dial_anyway" not in t.asked_kinds()


@pytest.mark.effect("Craftsmanship")
@pytest.mark.rule("B6.2")
def test_craftsmanships_step_may_reach_a_level_space():
    t = board("Sumeria", "Egypt")
    space = int(t.r.dial_level.argmax())
    t.g.dial[0] = space - 1
    t.script((decisions.INDUSTRY, PASS), (decisions.DIAL_ANYWAY, 1))
    t.resolve(0, "Craftsmanship", 1)
    assert "upgrade" in t.asked_kinds()


# --- military: Horseback Riding


@pytest.mark.effect("Horseback Riding")
def test_an_army_of_horseback_riding_goes_six_steps_and_fights_with_the_slot_alone():
    t = board("Scythia", "Egypt", radius=7)
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Horseback Riding", 2)
    assert t.at((-6, 0)) in t.options(decisions.ARMY_TO)
    assert t.at((-7, 0)) not in t.options(decisions.ARMY_TO)
    t = board("Scythia", "Egypt", terrain={(1, 0): "forest"})
    t.token(1, (1, 0))
    t.dice(6, 1)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)))
    t.resolve(0, "Horseback Riding", 4)
    assert t.combats()[-1].attack == 6 + 4
    assert (t.g.army[0] >= -1).sum() == 1


# --- what belongs to all of them


@pytest.mark.rule("T2.7")
def test_a_unique_card_is_spent_and_paid_for_like_any_of_its_type():
    t = board("China", "Egypt")
    t.trade(0, "science", 2)
    t.script((decisions.SCIENCE, 1), (decisions.SPEND_TRADE, 2))
    t.resolve(0, "Writing", 1)
    assert t.g.dial[0] == 3
    assert card_codes("terra-incognita")["Writing"] == names.N_CARDS + 8
