"""B7: caravans: how far they go, what stops them, where they arrive."""

import pytest
from caravans import board, caravan_at, line, move
from table import (
    ENDS,
    LAST_SPACE,
    PASS,
    Table,
    card_codes,
    disc,
    inwards,
    printed_rules,
    rules_with,
    table_of_three,
    ti_rules,
    ti_table_with,
)

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, diplomacy, pieces, state, turn

TAKE_IT = 0


# --- the rulebook's example


def seoul_board():
    """Capital, a mountain between it and Seoul, and a way around through a grassland and a forest."""
    spaces = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)]
    terrain = {(1, 0): "mountain", (1, 1): "forest"}
    t = Table(spaces=spaces, terrain=terrain, leaders=("Egypt", "Aztec"))
    t.capital(0, (0, 0))
    t.city_state("Seoul", (2, 0))
    return t


@pytest.mark.rule("B7.2")
@pytest.mark.rule("B7.3")
@pytest.mark.rule("B7.5")
@pytest.mark.effect("Foreign Trade")
def test_rulebook_example_caravan_to_seoul():
    t = seoul_board()
    t.script(*move((2, 0)), (decisions.TAKE_DIPLOMACY, TAKE_IT))
    t.resolve(0, "Foreign Trade", slot=3)
    assert t.options(decisions.CARAVAN_TO) == t.spaces((0, 1), (1, 1), (2, 0))
    assert caravan_at(t, 0) == state.ON_CARD
    assert t.trade_on(0, "science") == 2
    assert t.g.trade[0].sum() == 2
    assert t.g.city_state_cards[names.SEOUL, 0] == 1
    assert t.g.city_state_cards_left[names.SEOUL] == 1
    assert t.owner((2, 0)) == -1


@pytest.mark.rule("B7.3")
def test_slot_2_is_too_low_for_the_forest_of_the_example():
    t = seoul_board()
    t.script(*move((0, 1)))
    t.resolve(0, "Foreign Trade", slot=2)
    assert t.options(decisions.CARAVAN_TO) == t.spaces((0, 1))
    assert t.g.trade[0].sum() == 0


@pytest.mark.rule("B7.3")
def test_slot_5_opens_the_mountain_of_the_example():
    t = seoul_board()
    t.script(*move((1, 0)))
    t.resolve(0, "Foreign Trade", slot=5)
    assert t.at((1, 0)) in t.options(decisions.CARAVAN_TO)


# --- caravans and distance


def caravans_owned(t, p):
    return sum(int(c) != state.NOT_OWNED for c in t.g.caravan[p])


@pytest.mark.rule("B7.1")
@pytest.mark.effect("Currency")
@pytest.mark.parametrize(("slot", "level", "owned"), [(3, "Currency", 2), (2, None, 1)])
def test_a_better_card_brings_its_new_caravan_onto_it(slot, level, owned):
    t = board()
    t.caravan(0, (1, 0))
    t.script(*([(decisions.UPGRADE, card_codes()[level] * 8 + t.holder(0, "economy"))] if level else []))
    t.resolve(0, "Astrology", slot=slot)
    assert caravans_owned(t, 0) == owned
    assert caravan_at(t, 0, c=0) == (1, 0)
    assert caravan_at(t, 0, c=1) == (state.ON_CARD if level else state.NOT_OWNED)


@pytest.mark.rule("B7.1")
@pytest.mark.parametrize(
    ("card", "caravans", "distance"),
    [
        pytest.param("Foreign Trade", 1, 3, marks=pytest.mark.effect("Foreign Trade")),
        pytest.param("Currency", 2, 4, marks=pytest.mark.effect("Currency")),
        pytest.param("Steam Power", 2, 6, marks=pytest.mark.effect("Steam Power")),
        pytest.param("Capitalism", 3, 6, marks=pytest.mark.effect("Capitalism")),
    ],
)
def test_each_caravan_of_the_card_moves_once_up_to_its_distance(card, caravans, distance):
    t = line(12)
    t.script(*[choice for c in range(caravans) for choice in move((c + 1, 0), c=c)])
    t.resolve(0, card, slot=1)
    for c in range(caravans):
        assert t.options(decisions.CARAVAN_TO, nth=c) == t.row_spaces(*range(1, distance + 1))
        assert caravan_at(t, 0, c=c) == (c + 1, 0)
    assert t.asked_kinds() == ["caravan", "caravan_to"] * caravans


@pytest.mark.rule("B7.2")
def test_the_player_need_not_move_a_caravan():
    t = line(6)
    t.script((decisions.CARAVAN, PASS))
    t.resolve(0, "Foreign Trade", slot=1)
    assert caravan_at(t, 0) == state.ON_CARD


@pytest.mark.rule("B7.2")
@pytest.mark.rule("B13.2")
@pytest.mark.parametrize("spent", [0, 1, 2])
def test_each_trade_token_spent_gives_every_caravan_one_more_space(spent):
    t = line(12)
    t.trade(0, "economy", 2)
    t.trade(0, "science", 3)
    t.script(
        (decisions.SPEND_TRADE, spent), *move((1, 0)), *([(decisions.SPEND_TRADE, 0)] if spent < 2 else []), *move((2, 0), c=1)
    )
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.SPEND_TRADE) == {0, 1, 2}
    assert (
        t.options(decisions.CARAVAN_TO, nth=0) == t.options(decisions.CARAVAN_TO, nth=1) == t.row_spaces(*range(1, 5 + spent))
    )
    assert t.trade_on(0, "economy") == 2 - spent
    assert t.trade_on(0, "science") == 3


@pytest.mark.rule("B7.2")
def test_tokens_that_the_first_caravan_brings_serve_the_second():
    t = line(12)
    t.city(1, (2, 0))
    home = [(decisions.PLACE_TRADE, names.ECONOMY), (decisions.PLACE_TRADE, names.ECONOMY), (decisions.TAKE_DIPLOMACY, PASS)]
    t.script(*move((2, 0)), *home, (decisions.SPEND_TRADE, 1), *move((5, 0), c=1))
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.SPEND_TRADE) == {0, 1, 2}
    assert t.options(decisions.CARAVAN_TO, nth=1) == t.row_spaces(1, 3, 4, 5)
    assert t.trade_on(0, "economy") == 1
    assert t.asked_kinds()[-1] == "caravan_to"  # once the last caravan is done nothing is asked any more


@pytest.mark.rule("B7.2")
def test_tokens_spent_later_do_not_serve_a_caravan_that_is_done():
    t = line(12)
    t.trade(0, "economy", 2)
    t.script((decisions.SPEND_TRADE, 0), *move((4, 0)), (decisions.SPEND_TRADE, 2), *move((6, 0), c=1))
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.CARAVAN_TO, nth=0) == t.row_spaces(*range(1, 5))
    assert t.options(decisions.CARAVAN_TO, nth=1) == t.row_spaces(*range(1, 7))
    assert (caravan_at(t, 0, 0), caravan_at(t, 0, 1)) == ((4, 0), (6, 0))


@pytest.mark.rule("B7.2")
def test_what_was_spent_for_the_first_caravan_counts_for_the_second_on_top():
    t = line(12)
    t.trade(0, "economy", 2)
    t.script((decisions.SPEND_TRADE, 1), *move((5, 0)), (decisions.SPEND_TRADE, 1), *move((6, 0), c=1))
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.CARAVAN_TO, nth=0) == t.row_spaces(*range(1, 6))
    assert t.options(decisions.CARAVAN_TO, nth=1) == t.row_spaces(*range(1, 7))
    assert t.trade_on(0, "economy") == 0


def second_city(surround):
    """Capital in the west, a second city in the east with own tokens on the given neighbours."""
    t = Table(radius=4, leaders=("Egypt", "Aztec"))
    t.capital(0, (-3, 0))
    t.city(0, (2, 0))
    t.token(0, *surround)
    return t


AROUND = [(3, 0), (2, 1), (1, 1), (1, 0), (2, -1), (3, -1)]


@pytest.mark.rule("B7.2")
@pytest.mark.rule("B1.4")
@pytest.mark.parametrize("mature", [True, False])
def test_a_caravan_leaves_the_card_from_the_capital_or_a_mature_city_only(mature):
    t = second_city(AROUND if mature else AROUND[1:])
    t.script(*move((-2, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    options = t.options(decisions.CARAVAN_TO)
    assert t.at((-2, 0)) in options
    assert (t.at((4, 0)) in options) == mature


@pytest.mark.rule("B7.2")
def test_a_caravan_does_not_start_from_a_rivals_mature_city():
    t = Table(radius=4, leaders=("Egypt", "Aztec"))
    t.capital(0, (-3, 0))
    t.city(1, (2, 0))
    t.token(1, *AROUND)
    t.script(*move((-2, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.at((4, 0)) not in t.options(decisions.CARAVAN_TO)


@pytest.mark.rule("B7.3")
def test_a_caravan_that_has_not_arrived_stays_and_goes_on_from_there():
    t = line(12)
    t.script(*move((3, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert caravan_at(t, 0) == (3, 0)
    assert t.g.caravans[t.at((3, 0))] == 1
    t.script(*move((6, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.options(decisions.CARAVAN_TO) == t.row_spaces(0, 1, 2, 4, 5, 6)
    assert caravan_at(t, 0) == (6, 0)
    assert t.g.caravans[t.at((3, 0))] == 0


@pytest.mark.rule("B1.2")
def test_a_caravan_makes_no_space_friendly():
    t = line(6)
    t.script(*move((3, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.owner((3, 0)) == -1
    assert t.g.space_count[0] == 1


# --- what stops a caravan


@pytest.mark.rule("B7.3")
@pytest.mark.parametrize(
    ("terrain", "difficulty"), [("grassland", 1), ("hills", 2), ("forest", 3), ("desert", 4), ("mountain", 5)]
)
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_no_difficulty_above_the_slot(terrain, difficulty, slot):
    t = line(4, terrain={(2, 0): terrain})
    t.script(*move((1, 0)))
    t.resolve(0, "Foreign Trade", slot=slot)
    assert t.options(decisions.CARAVAN_TO) == (t.row_spaces(1, 2, 3) if slot >= difficulty else t.row_spaces(1))


@pytest.mark.rule("B7.3")
@pytest.mark.parametrize(
    ("card", "sails"),
    [
        pytest.param("Foreign Trade", False, marks=pytest.mark.effect("Foreign Trade")),
        pytest.param("Currency", False, marks=pytest.mark.effect("Currency")),
        pytest.param("Steam Power", True, marks=pytest.mark.effect("Steam Power")),
        pytest.param("Capitalism", True, marks=pytest.mark.effect("Capitalism")),
    ],
)
def test_only_the_better_cards_enter_water(card, sails):
    t = line(4, terrain={(2, 0): "water"})
    t.script(*move((1, 0)))
    t.resolve(0, card, slot=1)
    assert t.options(decisions.CARAVAN_TO) == (t.row_spaces(1, 2, 3) if sails else t.row_spaces(1))


@pytest.mark.rule("B7.3")
@pytest.mark.parametrize("card", ["Foreign Trade", "Steam Power", "Capitalism"])
def test_no_card_but_currency_enters_a_barbarians_space(card):
    t = line(4)
    t.barbarian("A", (2, 0))
    t.script(*move((1, 0)))
    t.resolve(0, card, slot=5)
    assert t.options(decisions.CARAVAN_TO) == t.row_spaces(1)
    assert t.g.barbarian_space[0] == t.at((2, 0))


@pytest.mark.rule("B7.3")
@pytest.mark.parametrize("place", ["city-state", "rival city"])
def test_passing_through_a_city_state_or_rival_city(place):
    t = line(5)
    if place == "city-state":
        t.city_state("Carthage", (2, 0))
    else:
        t.city(1, (2, 0))
    t.script(*move((3, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.options(decisions.CARAVAN_TO) == t.row_spaces(1, 2, 3)
    assert caravan_at(t, 0) == (3, 0)
    assert t.g.trade[0].sum() == 0


@pytest.mark.rule("B7.3")
def test_rival_tokens_and_caravans_do_not_stop_a_caravan():
    t = line(5)
    t.token(1, (1, 0))
    t.caravan(1, (2, 0))
    t.script(*move((2, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.options(decisions.CARAVAN_TO) == t.row_spaces(1, 2, 3)
    assert t.g.caravans[t.at((2, 0))] == 2
    assert t.g.trade[0].sum() == 0


@pytest.mark.rule("B7.3")
@pytest.mark.parametrize("space", ENDS)
def test_a_caravan_may_go_to_either_end(space):
    t = Table(leaders=("Egypt", "Aztec"))
    t.capital(0, inwards(space))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, space))
    t.resolve(0, "Foreign Trade", 1)
    assert int(t.g.caravan[0, 0]) == t.at(space)


ISLAND = [(0, 0), (1, 0)]


@pytest.mark.rule("B7.3")
def test_a_count_that_has_run_out_of_spaces_ends_there():
    """On an island of two spaces every step is counted long before the caravan's are used up."""
    water = [s for s in disc(3) if s not in ISLAND and max(abs(s[0]), abs(s[1]), abs(s[0] + s[1])) < 3]
    t = board(terrain=dict.fromkeys(water, "water"))
    t.w.queue[:] = 0  # whatever an earlier count has left there
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (1, 0)))
    t.resolve(0, "Foreign Trade", 1)
    assert t.options(decisions.CARAVAN_TO) == t.spaces((1, 0))


@pytest.mark.rule("B7.3")
def test_a_caravan_chosen_and_not_moved_stays_where_it_is():
    t = board()
    t.caravan(0, (2, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, PASS))
    t.resolve(0, "Foreign Trade", 1)
    assert int(t.g.caravan[0, 0]) == t.at((2, 0))
    assert int(t.g.caravans[t.at((2, 0))]) == 1


@pytest.mark.rule("B7.3")
def test_a_caravan_that_can_go_nowhere_stays_on_its_card():
    t = Table(radius=1, terrain=dict.fromkeys([(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)], "water"))
    t.capital(0, (0, 0))
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", 1)
    assert "caravan_to" not in t.asked_kinds()
    assert t.asked_kinds().count("caravan") == 1
    assert t.g.caravans.sum() == 0


# --- one a turn into the same place


@pytest.mark.rule("B7.4")
def test_the_second_caravan_may_not_go_to_the_same_city_state():
    t = board()
    t.city_state("Carthage", (2, 0))
    t.city_state("Seoul", (-2, 0))
    t.script(*move((2, 0)), (decisions.TAKE_DIPLOMACY, PASS), *move((-2, 0), c=1))
    t.resolve(0, "Currency", slot=1)
    assert t.at((2, 0)) in t.options(decisions.CARAVAN_TO, nth=0)
    assert t.at((2, 0)) not in t.options(decisions.CARAVAN_TO, nth=1)
    assert t.trade_on(0, "military") == t.trade_on(0, "science") == 2


@pytest.mark.rule("B7.4")
def test_the_second_caravan_may_not_go_to_the_same_rival_city_but_may_pass_through():
    t = line(6)
    t.city(1, (2, 0))
    t.script(
        *move((2, 0)),
        (decisions.PLACE_TRADE, names.SCIENCE),
        (decisions.PLACE_TRADE, names.SCIENCE),
        (decisions.TAKE_DIPLOMACY, PASS),
        *move((3, 0), c=1),
    )
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.CARAVAN_TO, nth=1) == t.row_spaces(1, 3, 4)


@pytest.mark.rule("B7.4")
def test_the_second_caravan_may_not_end_in_the_same_own_city_but_may_pass_through():
    t = line(6)
    t.city(0, (2, 0))
    t.script(*move((2, 0)), *move((3, 0), c=1))
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.CARAVAN_TO, nth=0) == t.row_spaces(1, 2, 3, 4)
    assert t.options(decisions.CARAVAN_TO, nth=1) == t.row_spaces(1, 3, 4)
    t.script((decisions.CARD, t.row(0).index("economy")), *move((2, 0), c=1))  # next turn it may
    t.take_turn(0)


@pytest.mark.rule("B7.4")
def test_a_house_rule_lets_two_caravans_end_in_one_own_city_but_not_three(tmp_path):
    t = line(8, rules=rules_with(tmp_path))
    t.r.caravans_per_target = 2
    t.city(0, (2, 0))
    t.script(*move((2, 0)), *move((2, 0), c=1), *move((3, 0), c=2))
    t.resolve(0, "Capitalism", slot=1)
    assert t.at((2, 0)) in t.options(decisions.CARAVAN_TO, nth=1)
    assert t.at((2, 0)) not in t.options(decisions.CARAVAN_TO, nth=2)


@pytest.mark.rule("B7.2")
def test_caravans_on_the_card_are_alike_and_those_that_have_moved_are_done():
    t = line(8)
    t.card(0, "Capitalism")
    t.caravan(0, (3, 0))
    t.script(*move((4, 0)), *move((5, 0), c=1), *move((6, 0), c=2))
    t.resolve(0, "Capitalism", slot=1)
    assert [options for kind, _, options in t.asked() if kind == decisions.CARAVAN] == [[0, 1, PASS], [1, PASS], [2, PASS]]


@pytest.mark.rule("B7.2")
def test_a_caravan_that_sets_out_from_the_card_is_missing_nowhere():
    t = line()
    t.script(*move((3, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert [s for s in range(names.MAX_SPACES) if t.g.caravans[s] != 0] == [t.at((3, 0))]


@pytest.mark.rule("B7.2")
def test_caravans_that_wait_on_the_card_are_offered_as_one():
    t = table_of_three(0, 1)
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (0, 1)), (decisions.CARAVAN, 1))
    t.resolve(0, "Currency", 1)
    asked = [options for kind, _, options in t.asked() if kind == decisions.CARAVAN]
    assert asked == [[0, PASS], [1, PASS]]


@pytest.mark.rule("B7.4")
def test_an_own_city_that_a_caravan_only_leaves_stays_open():
    t = line(6)
    t.city(0, (2, 0))
    t.card(0, "Currency")
    t.caravan(0, (2, 0))
    t.script(*move((3, 0)), *move((2, 0), c=1))
    t.resolve(0, "Currency", slot=1)


@pytest.mark.rule("B7.4")
@pytest.mark.effect("Currency")
@pytest.mark.parametrize("stays", [False, True])
def test_an_own_city_counts_only_where_the_move_ends(stays):
    t = line(6)
    t.card(0, "Currency")
    t.caravan(0, (1, 0))
    t.caravan(0, (3, 0), c=1)
    t.barbarian("A", (0, 0))
    t.script(*move((0, 0), PASS if stays else (1, 0)), (decisions.CARAVAN, 1))
    t.resolve(0, "Currency", slot=1)
    assert (t.at((0, 0)) in t.options(decisions.CARAVAN_TO, nth=2)) == (not stays)


@pytest.mark.rule("B7.4")
@pytest.mark.effect("Currency")
def test_a_caravan_that_comes_back_to_the_own_city_it_left_ends_there():
    t = line(6)
    t.city(0, (2, 0))
    t.card(0, "Currency")
    t.caravan(0, (2, 0))
    t.barbarian("A", (3, 0))
    t.script(*move((3, 0), (2, 0)), (decisions.CARAVAN, 1))
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.CARAVAN_TO, nth=2) == t.row_spaces(1, 3, 4)


@pytest.mark.rule("B7.4")
def test_any_number_of_caravans_may_end_on_an_open_space():
    t = line(6)
    t.script(*move((2, 0)), *move((2, 0), c=1))
    t.resolve(0, "Currency", slot=1)


def test_a_caravan_that_stays_in_an_own_city_has_not_arrived_there():
    t = ti_table_with((0, 0), LAST_SPACE)
    t.city(0, (2, 0))
    for c, where in ((0, (2, 0)), (1, (1, 0))):
        t.caravan(0, where, c)
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, PASS), (decisions.CARAVAN, 1), (decisions.CARAVAN_TO, (2, 0)))
    t.resolve(0, "Foreign Trade", 3)
    assert t.g.caravan[0, 1] == t.at((2, 0))


@pytest.mark.rule("B7.4")
def test_next_turn_the_same_city_state_is_open_again():
    t = line(4)
    t.city_state("Carthage", (2, 0))
    economy = t.row(0).index("economy")
    for _ in range(2):
        t.script((decisions.CARD, economy), *move((2, 0)), (decisions.TAKE_DIPLOMACY, PASS))
        t.take_turn(0)
        economy = 0
        t.trade(0, "military", 0)


@pytest.mark.rule("B7.4")
def test_in_one_turn_only_one_caravan_goes_to_the_same_city_and_again_the_next_turn():
    t = Table(leaders=("Egypt", "Aztec"))
    t.capital(0, (0, 0))
    t.capital(1, (2, 0))
    t.card(0, "Currency")
    place = t.row(0).index("economy")
    t.script((decisions.CARD, place), (decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)), (decisions.CARAVAN, 1))
    t.take_turn(0)
    assert int(t.g.stat_arrivals[0, 1]) == 1
    assert t.at((2, 0)) in t.options(decisions.CARAVAN_TO, 0)
    assert t.at((2, 0)) not in t.options(decisions.CARAVAN_TO, 1)
    t.script((decisions.CARD, t.row(0).index("economy")), (decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)))
    t.take_turn(0)
    assert int(t.g.stat_arrivals[0, 1]) == 2


@pytest.mark.rule("B7.4")
def test_a_caravan_back_on_the_card_moves_no_more_this_turn():
    t = board()
    t.city_state("Carthage", (2, 0))
    t.city_state("Seoul", (-2, 0))
    t.script(*move((2, 0)), (decisions.TAKE_DIPLOMACY, PASS))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.asked_kinds() == ["caravan", "caravan_to", "take_diplomacy"]
    assert caravan_at(t, 0) == state.ON_CARD


# --- arriving


@pytest.mark.rule("B7.5")
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Carthage", "military"),
        ("Kumasi", "culture"),
        ("Brussels", "industry"),
        ("Seoul", "science"),
        ("Geneva", "science"),
        ("Mohenjo Daro", "culture"),
        ("Buenos Aires", "industry"),
        ("Kabul", "military"),
    ],
)
def test_a_city_state_pays_on_the_card_of_its_type(name, kind):
    t = line(4)
    t.city_state(name, (2, 0))
    t.script(*move((2, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.trade_on(0, kind) == 2
    assert t.g.trade[0].sum() == 2
    assert t.g.city_state_cards[:, 0].sum() == 0  # the card may be left


@pytest.mark.rule("B7.5")
def test_no_second_copy_of_a_city_states_card():
    t = line(4)
    t.city_state("Carthage", (2, 0))
    t.city_state_card(0, "Carthage")
    t.script(*move((2, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert "take_diplomacy" not in t.asked_kinds()
    assert t.g.city_state_cards_left[names.CARTHAGE] == 1
    assert t.trade_on(0, "military") == 2


@pytest.mark.rule("B7.5")
def test_no_card_of_a_city_state_whose_copies_are_gone():
    t = Table(spaces=[(q, 0) for q in range(4)], leaders=("Egypt", "Aztec", "Rome"))
    t.capital(0, (0, 0))
    t.city_state("Carthage", (2, 0))
    t.city_state_card(1, "Carthage")
    t.city_state_card(2, "Carthage")
    t.script(*move((2, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert "take_diplomacy" not in t.asked_kinds()
    assert t.g.city_state_cards[names.CARTHAGE, 0] == 0


@pytest.mark.rule("B7.5")
def test_a_rival_city_pays_on_any_cards_and_offers_the_rivals_cards():
    t = line(4)
    t.city(1, (2, 0))
    t.script(
        *move((2, 0)),
        (decisions.PLACE_TRADE, names.SCIENCE),
        (decisions.PLACE_TRADE, names.ECONOMY),
        (decisions.TAKE_DIPLOMACY, names.DEFENSIVE_PACT),
    )
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.trade_on(0, "science") == t.trade_on(0, "economy") == 1
    assert t.options(decisions.TAKE_DIPLOMACY) == {names.JOINT_WAR, names.DEFENSIVE_PACT, names.EMBASSY, names.OPEN_BORDERS}
    assert t.g.diplomacy[1].tolist()[:4] == [-1, 0, -1, -1]
    assert caravan_at(t, 0) == state.ON_CARD
    assert t.g.trade[1].sum() == 0


@pytest.mark.rule("B7.5")
def test_only_cards_the_rival_still_has_and_the_held_one_goes_back_first():
    t = Table(spaces=[(q, 0) for q in range(4)], leaders=("Egypt", "Aztec", "Rome"))
    t.capital(0, (0, 0))
    t.city(1, (2, 0))
    t.diplomacy(0, 1, "Joint War")
    t.diplomacy(2, 1, "Embassy")
    t.diplomacy(0, 2, "Joint War")
    t.script(
        *move((2, 0)),
        (decisions.PLACE_TRADE, names.SCIENCE),
        (decisions.PLACE_TRADE, names.SCIENCE),
        (decisions.TAKE_DIPLOMACY, names.OPEN_BORDERS),
    )
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.options(decisions.TAKE_DIPLOMACY) == {names.DEFENSIVE_PACT, names.OPEN_BORDERS}
    assert t.g.diplomacy[1].tolist()[:4] == [-1, -1, 2, 0]
    assert t.g.diplomacy[2, names.JOINT_WAR] == 0  # another rival's card stays


@pytest.mark.rule("B7.5")
def test_a_player_who_takes_no_card_keeps_the_held_one():
    t = line(4)
    t.city(1, (2, 0))
    t.diplomacy(0, 1, "Joint War")
    t.script(
        *move((2, 0)),
        (decisions.PLACE_TRADE, names.SCIENCE),
        (decisions.PLACE_TRADE, names.SCIENCE),
        (decisions.TAKE_DIPLOMACY, PASS),
    )
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.g.diplomacy[1, names.JOINT_WAR] == 0
    assert decisions.RETURN_DIPLOMACY not in [kind for kind, _, _ in t.asked()]


@pytest.mark.rule("B7.5")
def test_an_own_city_is_no_destination_that_pays():
    t = line(5)
    t.city(0, (2, 0))
    t.script(*move((2, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert caravan_at(t, 0) == (2, 0)
    assert t.g.trade[0].sum() == 0


@pytest.mark.rule("B7.5")
def test_a_visit_offers_each_card_the_rival_still_has_and_none():
    t = board()
    t.capital(1, (2, 0))
    t.g.diplomacy[1, 2] = 0
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)))
    t.resolve(0, "Foreign Trade", 1)
    assert t.offers(decisions.TAKE_DIPLOMACY) == [[0, 1, 3, PASS]]


@pytest.mark.rule("B7.5")
@pytest.mark.parametrize("card", range(4))
@pytest.mark.parametrize(("p", "q"), [(0, 1), (2, 0)])
def test_any_diplomacy_card_has_to_make_room_for_any_other(card, p, q):
    t = Table(leaders=("Egypt", "Rome", "Aztec"))
    for seat, space in ((p, (0, 0)), (q, (3, 0))):
        t.capital(seat, space)
    assert diplomacy.held_from(t.r, t.g, p, q) == 0
    pieces.move_card(t.g, t.w, p, q, card, 1)
    assert diplomacy.held_from(t.r, t.g, p, q) == 1
    other = (card + 1) % 4
    t.script((decisions.TAKE_DIPLOMACY, other))
    t.call(diplomacy.take_player_card, p, q)
    t.require_script_done()
    assert [c for c in range(4) if t.g.diplomacy[q, c] == p] == [other]
    pieces.move_card(t.g, t.w, p, q, card, 1)  # more than the limit by an effect: the player chooses which to give back
    t.script((decisions.RETURN_DIPLOMACY, card), (decisions.RETURN_DIPLOMACY, other))
    t.call(diplomacy.make_room, p, q)
    assert t.options(decisions.RETURN_DIPLOMACY) == {card, other}
    assert diplomacy.held_from(t.r, t.g, p, q) == 0


# --- conquered city-states, barbarians on city-states


@pytest.mark.rule("B7.6")
def test_a_conquered_city_state_counts_as_its_owners_city():
    t = line(4)
    t.conquered(1, "Carthage", (2, 0))
    t.script(
        *move((2, 0)),
        (decisions.PLACE_TRADE, names.SCIENCE),
        (decisions.PLACE_TRADE, names.ECONOMY),
        (decisions.TAKE_DIPLOMACY, names.JOINT_WAR),
    )
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.trade_on(0, "science") == t.trade_on(0, "economy") == 1
    assert t.trade_on(0, "military") == 0
    assert t.g.diplomacy[1, names.JOINT_WAR] == 0
    assert t.g.city_state_cards[names.CARTHAGE, 0] == 0


@pytest.mark.rule("B7.6")
def test_an_own_conquered_city_state_is_an_own_city():
    t = line(4)
    t.conquered(0, "Carthage", (2, 0))
    t.script(*move((2, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert caravan_at(t, 0) == (2, 0)
    assert t.g.trade[0].sum() == 0


@pytest.mark.rule("B7.6")
@pytest.mark.parametrize("barbarian", [True, False])
def test_a_city_state_with_a_barbarian_on_it_cannot_be_entered(barbarian):
    t = line(4)
    t.city_state("Carthage", (2, 0))
    if barbarian:
        t.barbarian("A", (2, 0))
    t.script(*move((1, 0)))
    t.resolve(0, "Foreign Trade", slot=5)
    assert t.options(decisions.CARAVAN_TO) == (t.row_spaces(1) if barbarian else t.row_spaces(1, 2, 3))


# --- B7.4: economy resolved twice in a turn

HOME = [*move((2, 0)), (decisions.TAKE_DIPLOMACY, PASS)]


def traders(*wonders, box_rules=None, cards=("science", "industry", "military", "culture", "economy")):
    """Seat 0 with one caravan on its card and one on the map, two steps from Seoul on both sides, and some wonders."""
    t = Table(radius=4, leaders=("Egypt", "Aztec"), rules=box_rules)
    t.capital(0, (0, 0))
    t.capital(1, (-4, 0))
    t.city_state("Seoul", (2, 0))
    t.city_state("Geneva", (0, 2))
    t.card(0, "Steam Power")
    for place, wonder in enumerate(wonders):
        t.city(0, (-2, 2 * place))
        t.wonder(wonder, (-2, 2 * place))
    t.caravan(0, None)
    t.caravan(0, (0, 4), c=1)
    t.g.caravan[0, 2] = state.NOT_OWNED
    first = int(t.r.slots) - len(cards)
    t.g.row[0, first : first + len(cards)] = [t.holder(0, kind) for kind in cards]
    if first:
        t.g.row[0, 0] = t.holder(0, "growth")
    return t


@pytest.fixture(params=["base", "terra-incognita"])
def either_box(request):
    """Return the printed rules of each box."""
    return (printed_rules if request.param == "base" else ti_rules)()


@pytest.mark.rule("B7.4")
@pytest.mark.effect("Venetian Arsenal")
def test_a_caravan_that_came_home_does_not_set_out_again_when_venetian_arsenal_repeats_the_card(either_box):
    t = traders("Venetian Arsenal", box_rules=either_box)
    t.script(
        (decisions.CARD, len(t.row(0)) - 1),
        *HOME,
        (decisions.CARAVAN, 1),
        (decisions.CARAVAN_TO, (0, 3)),
        (decisions.REPEAT_CARD, 1),
    )
    t.take_turn(0)
    assert t.options(decisions.CARAVAN, 2) == {1}, "the other one has moved on the map and may go on"
    assert caravan_at(t, 0) == state.ON_CARD


@pytest.mark.rule("B7.4")
@pytest.mark.effect("Venetian Arsenal")
def test_without_a_caravan_that_may_move_the_repeated_card_asks_for_none(either_box):
    t = traders("Venetian Arsenal", box_rules=either_box)
    t.g.caravan[0, 1] = state.NOT_OWNED
    t.trade(0, "economy", 2)
    t.script((decisions.CARD, len(t.row(0)) - 1), (decisions.SPEND_TRADE, 0), *HOME, (decisions.REPEAT_CARD, 1))
    t.take_turn(0)
    assert t.asked_kinds().count("caravan") == 1
    assert t.trade_on(0, "economy") == 2


@pytest.mark.rule("B7.4")
@pytest.mark.effect("Estadio do Maracana", "Venetian Arsenal")
def test_nor_when_maracana_resolves_economy_and_venetian_arsenal_repeats_it(either_box):
    t = traders("Estadio do Maracana", "Venetian Arsenal", box_rules=either_box)
    t.script(
        (decisions.CARD, t.row(0).index("science")),
        (decisions.EXTRA_ECONOMY, 1),
        *HOME,
        (decisions.CARAVAN, PASS),
        (decisions.REPEAT_CARD, 1),
    )
    t.take_turn(0)
    assert t.options(decisions.CARAVAN, 2) == {1}


@pytest.mark.rule("B7.4")
@pytest.mark.effect("Venetian Arsenal")
def test_in_its_next_turn_the_caravan_sets_out_again(either_box):
    t = traders("Venetian Arsenal", box_rules=either_box)
    t.script((decisions.CARD, len(t.row(0)) - 1), *HOME, (decisions.REPEAT_CARD, 0))
    t.take_turn(0)
    t.script((decisions.CARD, 0))
    t.take_turn(0)
    assert t.options(decisions.CARAVAN) == {0, 1}


@pytest.mark.rule("B7.4")
def test_a_rivals_caravan_of_the_same_number_is_not_kept_at_home(either_box):
    t = traders(box_rules=either_box)
    t.script(*HOME)
    t.resolve(0, "Steam Power", slot=1)
    t.g.caravan[1, 0] = state.ON_CARD
    turn.begin_turn(t.r, t.g)
    t.script()
    t.resolve(1, "Foreign Trade", slot=1)
    assert "caravan" in t.asked_kinds()


@pytest.mark.rule("B7.4")
@pytest.mark.effect("Capitalism")
def test_capitalism_in_another_card_of_economy_brings_no_caravan_out_again():
    """Oxford University can make a second economy card, which Capitalism then resolves."""
    t = traders(cards=("economy", "culture", "science", "industry", "military"))
    t.card(0, "Capitalism")
    t.g.card[0, t.holder(0, "culture")] = card_codes()["Foreign Trade"]
    t.script((decisions.CARD, 0), *HOME, (decisions.CARAVAN, PASS), (decisions.OTHER_CARD, 1))
    t.take_turn(0)
    assert t.options(decisions.CARAVAN, 2) == {1, 2}, "not the one that came home"


@pytest.mark.rule("B7.2")
@pytest.mark.effect("Currency")
def test_trade_tokens_may_be_spent_where_a_caravan_has_removed_a_barbarian_and_may_go_on():
    t = line(9)
    t.barbarian("A", (2, 0))
    t.trade(0, "economy", 2)
    t.script((decisions.SPEND_TRADE, 0), (decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)), (decisions.SPEND_TRADE, 2))
    t.resolve(0, "Currency", slot=1)
    first, second = t.options(decisions.CARAVAN_TO, 0), t.options(decisions.CARAVAN_TO, 1)
    assert max(t.coordinates[s][0] for s in first) == 2, "the barbarian is in the way"
    assert max(t.coordinates[s][0] for s in second) == int(t.r.card_move[card_codes()["Currency"]]) + 2
