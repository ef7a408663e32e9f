"""B7: what single economy cards do beside moving caravans."""

import pytest
from caravans import caravan_at, line, move
from table import PASS, Table, card_codes, disc, rules_with, table_of_three

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, economy, science, state
from newdawn.simulator.engine.barbarians import barbarians_appear

MARBLE, MERCURY, OIL, DIAMOND = range(len(names.RESOURCES))


# --- Currency


def currency_board(rules=None, leader="Egypt"):
    t = Table(spaces=[(q, 0) for q in range(8)], leaders=(leader, "Aztec"), rules=rules)
    t.capital(0, (0, 0))
    t.barbarian("C", (2, 0))
    t.caravan(0, (1, 0))
    return t


@pytest.mark.rule("B7.3")
@pytest.mark.effect("Currency")
def test_currency_removes_a_barbarian_without_reward_and_goes_on():
    t = currency_board()
    t.script(*move((2, 0), (4, 0)))
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.CARAVAN_TO, nth=0) == t.row_spaces(0, 2)  # it cannot rush past the barbarian
    assert t.options(decisions.CARAVAN_TO, nth=1) == t.row_spaces(0, 1, 3, 4, 5)  # three of four steps are left
    assert t.g.barbarian_space[2] == -1
    assert t.g.barbarians[t.at((2, 0))] == 0
    assert caravan_at(t, 0) == (4, 0)
    assert t.g.trade[0].sum() == 0
    assert t.g.resources[0].sum() == 0


@pytest.mark.effect("Currency")
def test_the_barbarian_removed_by_currency_appears_again():
    t = currency_board()
    t.script(*move((2, 0), (4, 0)))
    t.resolve(0, "Currency", slot=1)
    t.call(barbarians_appear)
    assert t.g.barbarian_space[2] == t.at((2, 0))


@pytest.mark.effect("Currency")
def test_ruling_currency_ends_the_move_on_the_barbarians_space(tmp_path):
    t = currency_board(rules_with(tmp_path, rulings={"currency_after_barbarian": "move_ends"}))
    t.script(*move((2, 0)))
    t.resolve(0, "Currency", slot=1)
    assert t.asked_kinds() == ["caravan", "caravan_to", "caravan"]
    assert caravan_at(t, 0) == (2, 0)
    assert t.g.barbarian_space[2] == -1


@pytest.mark.rule("B7.6")
@pytest.mark.effect("Currency")
@pytest.mark.parametrize("box", names.BOXES)
@pytest.mark.parametrize("ends", ["move_ends", "caravan_moves_on"])
@pytest.mark.parametrize(("reading", "arrives"), [(None, True), ("enters", True), ("kept_out", False)])
def test_ruling_currency_at_a_city_state_with_a_barbarian_on_it(tmp_path, box, ends, reading, arrives):
    """It cannot stay there, so it arrives whatever the ruling on the end of its move."""
    stops = {names.BOXES[0]: "currency_after_barbarian"}.get(box, "currency_stops")
    rules = rules_with(tmp_path, box, rulings={stops: ends} | ({"currency_at_city_state": reading} if reading else {}))
    t = currency_board(rules)
    t.city_state("Carthage", (2, 0))
    t.script(*(move((2, 0)) if arrives else move((0, 0))), *[(decisions.TAKE_DIPLOMACY, 0)] * arrives)
    t.resolve(0, "Currency", slot=1)
    assert (t.at((2, 0)) in t.options(decisions.CARAVAN_TO, nth=0)) == arrives
    assert not t.options(decisions.CARAVAN_TO, nth=0) & t.row_spaces(3, 4, 5)  # nobody goes past it
    assert (t.g.barbarian_space[2] == -1) == arrives
    assert t.g.trade[0].sum() == 2 * arrives
    assert caravan_at(t, 0) == (state.ON_CARD if arrives else (0, 0))


@pytest.mark.rule("B7.6")
@pytest.mark.effect("Currency")
@pytest.mark.parametrize("reading", ["enters", "kept_out"])
def test_a_barbarian_that_is_on_no_city_state_is_no_matter_of_that_ruling(tmp_path, reading):
    t = currency_board(rules_with(tmp_path, rulings={"currency_at_city_state": reading}))
    t.script(*move((2, 0), (4, 0)))
    t.resolve(0, "Currency", slot=1)
    assert t.g.barbarian_space[2] == -1


@pytest.mark.rule("B7.1")
@pytest.mark.parametrize("box", names.BOXES)
@pytest.mark.parametrize(("option", "moves", "left"), [("stay", 2, 3), ("until_home", 1, 1), ("taken_back", 1, 1)])
def test_caravans_beyond_the_number_of_a_card_with_one(tmp_path, box, option, moves, left):
    """T12.26: what stays moves like the others."""
    rules = rules_with(tmp_path, box, rulings={"surplus_figures": option})
    t = Table(spaces=[(q, 0) for q in range(8)], leaders=("Egypt", "Aztec"), rules=rules)
    t.capital(0, (0, 0))
    codes = card_codes(box)
    h = t.holder(0, "economy")
    t.g.card[0, h] = codes["Capitalism"]
    t.g.caravan[0, :3] = state.ON_CARD
    t.caravan(0, (3, 0))
    science.replace_card(t.r, t.g, t.w, 0, h, codes["Foreign Trade"])
    assert sum(int(c) != state.NOT_OWNED for c in t.g.caravan[0, :3]) == left
    assert economy.list_caravans(t.g, t.w, 0, 0) == moves


@pytest.mark.effect("Currency")
def test_without_a_barbarian_a_caravan_of_currency_stops_where_it_goes():
    t = currency_board()
    t.script(*move((0, 0)))
    t.resolve(0, "Currency", slot=1)
    assert t.asked_kinds().count("caravan_to") == 1


@pytest.mark.effect("Currency")
@pytest.mark.effect("Sumeria")
@pytest.mark.parametrize(("reading", "resources"), [("no_defeat", 0), ("counts_as_defeat", 1)])
def test_ruling_does_sumeria_gain_from_a_barbarian_removed_by_currency(tmp_path, reading, resources):
    t = currency_board(rules_with(tmp_path, rulings={"currency_removal": reading}), leader="Sumeria")
    t.script(*move((2, 0)), *([(decisions.GAIN_RESOURCE, OIL)] if resources else []))
    t.resolve(0, "Currency", slot=1)
    assert t.g.resources[0, OIL] == t.g.resources[0].sum() == resources
    assert t.g.trade[0].sum() == 0


@pytest.mark.effect("Currency")
def test_ruling_a_removal_that_counts_as_defeat_pays_sumeria_only(tmp_path):
    t = currency_board(rules_with(tmp_path, rulings={"currency_removal": "counts_as_defeat"}))
    t.script(*move((2, 0)))
    t.resolve(0, "Currency", slot=1)
    assert t.g.resources[0].sum() == 0


@pytest.mark.effect("Currency")
def test_currency_keeps_the_difficulty_limit_on_a_barbarians_space():
    t = Table(spaces=[(q, 0) for q in range(4)], leaders=("Egypt", "Aztec"), terrain={(2, 0): "hills"})
    t.capital(0, (0, 0))
    t.barbarian("A", (2, 0))
    t.script(*move((1, 0)))
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.CARAVAN_TO) == t.row_spaces(1)


# --- Steam Power


@pytest.mark.effect("Steam Power")
def test_steam_power_swaps_one_held_resource_for_any_other():
    t = line(4)
    t.give_resources(0, oil=2)
    t.script((decisions.CARAVAN, PASS), (decisions.SWAP_RESOURCE, OIL * 8 + DIAMOND))
    t.resolve(0, "Steam Power", slot=1)
    assert t.options(decisions.SWAP_RESOURCE) == {OIL * 8 + MARBLE, OIL * 8 + MERCURY, OIL * 8 + DIAMOND}
    assert t.g.resources[0].tolist() == [0, 0, 1, 1]
    assert t.g.supply.tolist() == [8, 8, 7, 7]
    assert t.asked_kinds().count("swap_resource") == 1


@pytest.mark.effect("Steam Power")
def test_steam_powers_swap_may_be_declined():
    t = line(4)
    t.give_resources(0, oil=1)
    t.script((decisions.CARAVAN, PASS), (decisions.SWAP_RESOURCE, PASS))
    t.resolve(0, "Steam Power", slot=1)
    assert t.g.resources[0, OIL] == 1


@pytest.mark.effect("Steam Power")
def test_steam_powers_swap_needs_a_held_resource_and_one_in_the_supply():
    t = line(4)
    t.give_resources(1, diamond=8)
    t.script((decisions.CARAVAN, PASS))
    t.resolve(0, "Steam Power", slot=1)
    assert "swap_resource" not in t.asked_kinds()
    t.give_resources(0, oil=1)
    t.script((decisions.CARAVAN, PASS), (decisions.SWAP_RESOURCE, OIL * 8 + MARBLE))
    t.resolve(0, "Steam Power", slot=1)
    assert t.options(decisions.SWAP_RESOURCE) == {OIL * 8 + MARBLE, OIL * 8 + MERCURY}


@pytest.mark.effect("Steam Power")
@pytest.mark.parametrize("card", ["Foreign Trade", "Currency", "Capitalism"])
def test_other_economy_cards_swap_no_resource(card):
    t = line(4)
    t.give_resources(0, oil=1)
    t.script((decisions.CARAVAN, PASS))
    t.resolve(0, card, slot=1)
    assert "swap_resource" not in t.asked_kinds()


@pytest.mark.effect("Steam Power")
def test_caravans_stay_on_water_and_sail_on():
    t = line(9, terrain={(1, 0): "water", (2, 0): "water"})
    t.script(*move((2, 0)))
    t.resolve(0, "Steam Power", slot=1)
    assert caravan_at(t, 0) == (2, 0)
    t.script(*move((8, 0)))
    t.resolve(0, "Steam Power", slot=1)
    assert caravan_at(t, 0) == (8, 0)


@pytest.mark.rule("B1.6")
@pytest.mark.effect("Steam Power")
@pytest.mark.parametrize(("give", "take"), [(a, b) for a in range(4) for b in range(4) if a != b])
def test_steam_power_swaps_any_resource_for_any_other(give, take):
    t = table_of_three(0, 1)
    t.give_resources(0, **{names.RESOURCES[give]: 1})
    supply = t.g.supply.copy()
    t.script((decisions.CARAVAN, PASS), (decisions.SWAP_RESOURCE, give * 8 + take))
    t.resolve(0, "Steam Power", 1)
    assert t.options(decisions.SWAP_RESOURCE) == {give * 8 + other for other in range(4) if other != give}
    assert t.g.resources[0].tolist() == [int(k == take) for k in range(4)]
    assert (t.g.supply - supply).tolist() == [(k == give) - (k == take) for k in range(4)]


@pytest.mark.rule("B1.6")
@pytest.mark.effect("Steam Power")
@pytest.mark.parametrize("left", [0, 1])
def test_steam_power_takes_the_last_token_of_the_supply_but_no_more(left):
    t = table_of_three(0, 1)
    t.give_resources(0, marble=1)
    t.g.supply[1:] = 0
    t.g.supply[3] = left
    t.script((decisions.CARAVAN, PASS), *([(decisions.SWAP_RESOURCE, 3)] if left else []))
    t.resolve(0, "Steam Power", 1)
    assert t.g.resources[0].tolist() == ([0, 0, 0, 1] if left else [1, 0, 0, 0])


# --- Capitalism


def capitalism_turn(card, *choices):
    """Seat 0 plays the economy card from slot 2; its row is science, economy, industry, military, culture."""
    t = Table(spaces=disc(2), leaders=("Egypt", "Aztec"))
    t.capital(0, (0, 0))
    t.card(0, card)
    assert t.row(0) == ["science", "economy", "industry", "military", "culture"]
    t.script((decisions.CARD, 1), (decisions.CARAVAN, PASS), *choices)
    t.take_turn(0)
    return t


AFTER_RESET = ["economy", "science", "industry", "military", "culture"]


@pytest.mark.rule("B4.2")
@pytest.mark.effect("Capitalism")
def test_capitalism_lets_a_second_card_work_from_slot_1_and_stay():
    t = capitalism_turn("Capitalism", (decisions.OTHER_CARD, 1))
    assert t.options(decisions.OTHER_CARD) == {1, 2, 3, 4}  # after the reset the economy card itself lies in place 0
    assert t.g.dial[0] == 1
    assert t.row(0) == AFTER_RESET
    assert t.asked_kinds().count("other_card") == 1


@pytest.mark.effect("Capitalism")
def test_capitalisms_second_card_works_from_slot_1_wherever_it_lies():
    t = Table(radius=2, leaders=("Egypt", "Aztec"), terrain={(1, 0): "hills"})
    t.capital(0, (0, 0))
    t.card(0, "Capitalism")
    t.script((decisions.CARD, 1), (decisions.CARAVAN, PASS), (decisions.OTHER_CARD, 4))
    t.take_turn(0)
    assert t.at((0, 1)) in t.options(decisions.PLACE_TOKEN)
    assert t.at((1, 0)) not in t.options(decisions.PLACE_TOKEN)  # culture in slot 5 would reach the hills
    assert t.row(0) == AFTER_RESET


@pytest.mark.effect("Capitalism")
def test_capitalisms_second_card_may_be_declined():
    t = capitalism_turn("Capitalism", (decisions.OTHER_CARD, PASS))
    assert t.g.dial[0] == 0
    assert t.row(0) == AFTER_RESET


@pytest.mark.effect("Capitalism")
def test_a_second_card_by_capitalism_may_spend_its_own_trade_tokens():
    t = Table(radius=2, leaders=("Egypt", "Aztec"))
    t.capital(0, (0, 0))
    t.card(0, "Capitalism")
    t.trade(0, "science", 1)
    t.script((decisions.CARD, 1), (decisions.CARAVAN, PASS), (decisions.OTHER_CARD, 1), (decisions.SPEND_TRADE, 1))
    t.take_turn(0)
    assert t.g.dial[0] == 2
    assert t.trade_on(0, "science") == 0


@pytest.mark.effect("Capitalism")
@pytest.mark.parametrize("card", ["Foreign Trade", "Currency", "Steam Power"])
def test_other_economy_cards_bring_no_second_card(card):
    t = capitalism_turn(card)
    assert "other_card" not in t.asked_kinds()
    assert t.row(0) == AFTER_RESET


@pytest.mark.effect("Capitalism")
def test_another_card_than_capitalism_brings_no_second_card():
    t = Table(radius=2, leaders=("Egypt", "Aztec"))
    t.capital(0, (0, 0))
    t.card(0, "Capitalism")
    t.script((decisions.CARD, 0))
    t.take_turn(0)
    assert t.asked_kinds() == ["card", "science"]
