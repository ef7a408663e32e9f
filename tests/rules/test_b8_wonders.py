"""B8.5 to B8.7: building world wonders, and who controls them. What each wonder does is tested in test_wonders_*.py."""

from functools import partial

import pytest
from table import bare_state, printed_rules, table_of_three, table_with, used_work

from newdawn.simulator import names
from newdawn.simulator.engine import abilities, decisions, industry, pieces, state
from newdawn.simulator.engine.barbarians import move_barbarians

MARBLE, MERCURY, OIL, DIAMOND = range(4)
CARDS = ("Pottery", "Animal Husbandry", "Nationalism", "Urbanization")

board = partial(table_with, (0, 0), leaders=("Aztec", "Egypt"))


def wonders_offered(t, card="Pottery", slot=1, p=0):
    t.script()
    t.resolve(p, card, slot)
    return {names.WONDERS[s - decisions.WONDER_OPTION] for s in t.options(decisions.INDUSTRY) if s >= decisions.WONDER_OPTION}


def code(wonder):
    return names.WONDERS.index(wonder)


def build(wonder):
    """The script entry that chooses the wonder."""
    return (decisions.INDUSTRY, decisions.WONDER_OPTION + code(wonder))


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


@pytest.mark.rule("B4.3")
@pytest.mark.rule("B8.5")
@pytest.mark.parametrize("name", names.NATURAL_WONDERS)
def test_every_natural_wonder_pays_once_a_turn_for_a_wonder_that_takes_its_resource(name):
    i = names.NATURAL_WONDERS.index(name)
    t = table_of_three(0, 1)
    kind = int(t.r.natural_wonder_resource[i])
    for wonder in range(int(t.r.n_wonders)):
        t.g.natural_wonder_owner[i], t.g.natural_wonder_used[i] = 0, 0
        base = int(industry.most_production(t.r, t.g, 0, t.holder(0, "industry"), 1, wonder))
        t.g.natural_wonder_used[i] = 1
        used = int(industry.most_production(t.r, t.g, 0, t.holder(0, "industry"), 1, wonder))
        t.g.natural_wonder_owner[i], t.g.natural_wonder_used[i] = 1, 0
        rivals = int(industry.most_production(t.r, t.g, 0, t.holder(0, "industry"), 1, wonder))
        accepted = bool(t.r.wonder_pays[wonder, kind])
        assert (base, used, rivals) == (1 + 2 * accepted, 1, 1)


@pytest.mark.rule("B8.5")
@pytest.mark.parametrize("kind", range(4))
@pytest.mark.parametrize("wonder", ["Stonehenge", "Kremlin", "Petra", "Colossus"])
def test_a_resource_of_any_type_the_card_accepts_pays(kind, wonder):
    t = table_of_three(0, 1)
    i = names.WONDERS.index(wonder)
    t.deck(wonder)
    accepted = bool(t.r.wonder_pays[i, kind])
    t.give_resources(0, **{names.RESOURCES[kind]: 5})
    t.script(*([(decisions.INDUSTRY, decisions.WONDER_OPTION + i)] if accepted else []))
    t.resolve(0, "Pottery", 5)
    cost = int(industry.wonder_cost(t.r, t.g, 0, i))
    assert t.controls(0, wonder) == accepted
    assert int(t.g.resources[0, kind]) == (5 - -(-(cost - 5) // 2) if accepted else 5)


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


@pytest.mark.rule("B8.6")
def test_a_city_has_room_for_one_wonder():
    g, w = bare_state(), used_work()
    g.cities[1, :3], g.city_count[1] = (0, 4, 9), 3
    for wonder in (0, 5):
        g.wonder_token[4] = wonder
        assert industry.city_without_wonder(printed_rules(), g, w, 1) == 2
        assert w.option[:2].tolist() == [0, 9]


@pytest.mark.rule("B8.6")
@pytest.mark.parametrize("held", ["Stonehenge", "Hanging Gardens"])
def test_a_city_with_a_wonder_has_no_room_for_another_whichever_it_is(held):
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.wonder(held, (0, 0))
    t.deck("Colossus")
    t.give_resources(0, diamond=3, oil=3)
    t.resolve(0, "Urbanization", 5)
    assert [v for options in t.offers(decisions.INDUSTRY) for v in options if v >= decisions.WONDER_OPTION] == []
    t.city(0, (2, 0))
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + names.WONDERS.index("Colossus")))
    t.resolve(0, "Urbanization", 5)
    assert t.controls(0, "Colossus")


def test_where_a_wonder_is_put_everybodys_numbers_are_written_anew():
    for wonder, s in ((0, 0), (5, 7)):
        g = bare_state()
        industry.put_wonder(g, wonder, s)
        assert (g.wonder_token[s], g.wonder_space[wonder], g.stale, g.dirty) == (wonder, s, abilities.ALL_SEATS, 1)


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


@pytest.mark.rule("B8.7")
def test_a_wonder_under_an_own_token_does_not_change_hands_when_the_token_becomes_a_city():
    for keeps in (0, 1):
        t = table_with((0, 0))
        t.r = t.r.copy()
        t.r.city_keeps_natural_wonder = keeps
        t.token(0, (2, 0))
        t.wonder("Petra", (2, 0))
        t.g.wonders_gained = 0
        pieces.put_city(t.r, t.g, t.w, 0, t.at((2, 0)))
        assert t.g.wonders_gained == 0
        assert t.controls(0, "Petra")
