"""B4: a turn."""

from functools import partial

import pytest
from table import BOTS, PASS, Table, bare_state, printed_rules, table_with, ti_rules, used_work

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, turn, winning

ROME = ["science", "economy", "military", "culture", "industry"]
CRATER_LAKE = names.NATURAL_WONDERS.index("Crater Lake")  # mercury
ORACLE = names.WONDERS.index("Oracle")  # paid with mercury
KREMLIN = names.WONDERS.index("Kremlin")  # paid with mercury

rome = partial(table_with, (0, 0), (3, 0))


def with_start_effects():
    """Seat 0 (Rome) has two wonders and two city-state cards that work at the start of a turn."""
    t = rome()
    t.city(0, (-3, 0))
    t.wonder("Oracle", (0, 0))
    t.wonder("Forbidden City", (-3, 0))
    t.token(1, (0, 1))
    t.city_state_card(0, "Seoul")
    t.barbarian("A", (0, 3))
    t.city_state_card(0, "Geneva")
    t.diplomacy(0, 1, "Embassy")
    return t


# --- B4.1


@pytest.mark.rule("B4.1")
def test_effects_of_wonders_and_city_state_cards_come_before_the_card():
    t = with_start_effects()
    t.script((decisions.START_EFFECT, decisions.FX_FORBIDDEN_CITY), (decisions.RIVAL_TOKEN, (0, 1)), (decisions.CARD, 0))
    t.take_turn(0)
    assert t.options(decisions.START_EFFECT) == {
        decisions.FX_ORACLE,
        decisions.FX_FORBIDDEN_CITY,
        decisions.FX_SEOUL,
        decisions.FX_GENEVA,
    }
    assert t.asked_kinds().index("card") > t.asked_kinds().index("rival_token")
    assert t.owner((0, 1)) == -1


ORDERS = [
    [decisions.FX_ORACLE, decisions.FX_FORBIDDEN_CITY, decisions.FX_SEOUL, decisions.FX_GENEVA],
    [decisions.FX_GENEVA, decisions.FX_SEOUL, decisions.FX_FORBIDDEN_CITY, decisions.FX_ORACLE],
    [decisions.FX_SEOUL, decisions.FX_ORACLE, decisions.FX_GENEVA, decisions.FX_FORBIDDEN_CITY],
]


@pytest.mark.rule("B4.1")
@pytest.mark.parametrize("order", ORDERS)
def test_they_come_in_any_order_each_once(order):
    t = with_start_effects()
    swapped = 1 * 64 + names.DIPLOMACY_CARDS.index("Embassy") * 8 + names.DIPLOMACY_CARDS.index("Joint War")
    pushed = t.at((0, 2))  # barbarian A is number 0
    inner = {
        decisions.FX_ORACLE: (decisions.SWAP_CARDS, 0 * 8 + 1),
        decisions.FX_FORBIDDEN_CITY: (decisions.RIVAL_TOKEN, (0, 1)),
        decisions.FX_SEOUL: (decisions.SEOUL_MOVE, pushed),
        decisions.FX_GENEVA: (decisions.GENEVA_SWAP, swapped),
    }
    steps = [step for effect in order for step in ((decisions.START_EFFECT, effect), inner[effect])]
    t.script(*steps, (decisions.CARD, 4))
    t.take_turn(0)
    assert t.options(decisions.START_EFFECT, nth=3) == {order[3]}
    assert t.asked_kinds().count("start_effect") == 4


@pytest.mark.rule("B4.1")
def test_they_may_be_declined():
    t = with_start_effects()
    t.script((decisions.START_EFFECT, PASS), (decisions.CARD, 0))
    t.take_turn(0)
    assert t.owner((0, 1)) == 1


@pytest.mark.rule("B4.1")
def test_effects_of_a_rival_are_not_used_in_the_own_turn():
    t = with_start_effects()
    t.token(0, (2, 0))
    t.take_turn(1)
    assert "start_effect" not in t.asked_kinds()


@pytest.mark.rule("B4.1")
def test_the_card_acts_from_the_slot_it_has_after_the_start_effects():
    t = rome()
    t.wonder("Oracle", (0, 0))
    t.script((decisions.START_EFFECT, decisions.FX_ORACLE), (decisions.SWAP_CARDS, 0 * 8 + 1), (decisions.CARD, 1))
    t.take_turn(0)
    assert int(t.g.dial[0]) == 2  # Astrology, swapped from slot 1 to slot 2


# --- B4.2


@pytest.mark.rule("B4.2")
def test_any_card_of_the_row_may_be_chosen_but_not_none():
    t = rome()
    t.take_turn(0)
    kind, seat, options = t.asked()[0]
    assert (kind, seat, options) == (decisions.CARD, 0, [0, 1, 2, 3, 4])


@pytest.mark.rule("B4.2")
@pytest.mark.parametrize("place", range(5))
def test_a_reset_card_goes_to_slot_1_and_the_cards_left_of_it_move_right(place):
    t = rome()
    assert t.row(0) == ROME
    t.script((decisions.CARD, place))
    t.take_turn(0)
    assert t.row(0) == [ROME[place], *ROME[:place], *ROME[place + 1 :]]
    assert [t.slot_of(0, kind) for kind in t.row(0)] == [1, 2, 3, 4, 5]


@pytest.mark.rule("B4.2")
@pytest.mark.parametrize("turns_before", range(5))
def test_a_card_acts_with_the_number_of_its_slot(turns_before):
    t = rome()
    for _ in range(turns_before):  # each reset of the last card moves science one slot right
        t.script((decisions.CARD, 4))
        t.take_turn(0)
    assert t.slot_of(0, "science") == turns_before + 1
    t.script((decisions.CARD, turns_before))
    t.take_turn(0)
    assert int(t.g.dial[0]) == turns_before + 1


@pytest.mark.rule("B4.2")
def test_a_card_takes_its_trade_tokens_along():
    t = rome()
    t.trade(0, "industry", 2)
    t.trade(0, "science", 1)
    t.script((decisions.CARD, 4))
    t.take_turn(0)
    assert t.row(0)[:2] == ["industry", "science"]
    assert (t.trade_on(0, "industry"), t.trade_on(0, "science")) == (2, 1)


@pytest.mark.rule("B4.2")
def test_a_card_without_effect_is_reset_all_the_same():
    t = rome()
    t.script((decisions.CARD, 3), (decisions.PLACE_TOKEN, PASS))
    t.take_turn(0)
    assert t.row(0) == ["culture", "science", "economy", "military", "industry"]
    assert int(t.g.tokens_left[0]) == 31


@pytest.mark.rule("B4.2")
def test_only_the_row_of_the_player_moves():
    t = rome()
    before = t.row(1)
    t.script((decisions.CARD, 4))
    t.take_turn(0)
    assert t.row(1) == before


@pytest.mark.rule("B4.2")
@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("to", [0, 2, 4])
def test_the_card_that_was_resolved_goes_to_its_place_and_the_others_keep_their_order(place, to):
    r = printed_rules().copy()
    r.reset_place = to
    g, w = bare_state(), used_work()
    w.log_on = 0
    g.row[1, :5] = (3, 1, 4, 0, 2)
    h = int(g.row[1, place])
    others = [k for k in (3, 1, 4, 0, 2) if k != h]
    turn.reset_card(r, g, w, 1, h)
    assert g.row[1, :5].tolist() == [*others[:to], h, *others[to:]]
    assert turn.place_of(r, g, 1, h) == to


# --- B4.3


@pytest.mark.rule("B4.3")
def test_trade_tokens_on_the_card_may_be_spent_while_it_is_resolved():
    t = rome()
    t.trade(0, "science", 2)
    t.script((decisions.SPEND_TRADE, 1))
    t.resolve(0, "Astrology", slot=1)
    assert t.options(decisions.SPEND_TRADE) == {0, 1, 2}
    assert t.trade_on(0, "science") == 1
    assert int(t.g.dial[0]) == 2


@pytest.mark.rule("B4.3")
def test_trade_tokens_on_other_cards_may_not_be_spent():
    t = rome()
    t.trade(0, "culture", 3)
    t.trade(1, "science", 3)
    t.resolve(0, "Astrology", slot=1)
    assert t.options(decisions.SPEND_TRADE) == set()
    assert int(t.g.dial[0]) == 1


def wonder_builder():
    """Seat 0 can build the Oracle (8) and then the Kremlin (11) only with the natural wonder's token each time."""
    t = rome()
    t.city(0, (-3, 0))
    t.natural_wonder("Crater Lake", (0, 1))
    t.token(0, (0, 1))
    t.deck("Oracle", "Kremlin")
    t.give_resources(0, mercury=4)
    return t


def build_oracle(t):
    t.script(
        (decisions.INDUSTRY, decisions.WONDER_OPTION + ORACLE), (decisions.PAY, decisions.PAY_NATURAL_WONDER + CRATER_LAKE)
    )
    t.resolve(0, "Pottery", slot=5)
    assert t.controls(0, "Oracle")
    assert t.g.resources[0].tolist() == [0, 3, 0, 0]


@pytest.mark.rule("B4.3")
def test_a_natural_wonder_is_kept_but_works_once_a_turn():
    t = wonder_builder()
    build_oracle(t)
    assert int(t.g.natural_wonder_owner[CRATER_LAKE]) == 0
    t.script()
    t.resolve(0, "Pottery", slot=5)  # a second time in the same turn: 5 + 3 resources make 11
    assert decisions.WONDER_OPTION + KREMLIN in t.options(decisions.INDUSTRY)
    t.give_resources(0, mercury=-1)
    t.script()
    t.resolve(0, "Pottery", slot=5)
    assert decisions.WONDER_OPTION + KREMLIN not in t.options(decisions.INDUSTRY)


@pytest.mark.rule("B4.3")
def test_in_the_next_turn_the_natural_wonder_works_again():
    t = wonder_builder()
    build_oracle(t)
    t.give_resources(0, mercury=-1)  # 5 + 2 resources + the natural wonder make 11
    t.script((decisions.START_EFFECT, PASS), (decisions.CARD, 4), (decisions.INDUSTRY, decisions.WONDER_OPTION + KREMLIN))
    t.take_turn(0)
    assert t.controls(0, "Kremlin")


# --- B4.4


@pytest.mark.rule("B4.4")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_players_who_choose_at_once_choose_clockwise_from_the_player_whose_turn_it_is(first):
    spaces = [(0, 0), (2, 0), (4, 0)]  # three islands: every capital is mature
    t = Table(leaders=("Rome", "Egypt", "France"), spaces=spaces)
    for p, space in enumerate(spaces):
        t.capital(p, space)
    t.g.first = t.g.current = first
    t.g.event = 2
    turn.begin_round(t.r, t.g, t.w, BOTS)
    assert [seat for kind, seat, _ in t.asked() if kind == decisions.PLACE_TRADE] == [(first + k) % 3 for k in range(3)]


def settle(r, g, w, bots):
    g.dirty = 1
    winning.settle(r, g, w, bots)


@pytest.mark.rule("B4.4")
@pytest.mark.parametrize("current", [0, 1, 2])
def test_agendas_satisfied_at_once_are_claimed_in_that_order(current):
    t = Table(leaders=("Rome", "Egypt", "France"), victory=(4,))
    for p in range(3):
        t.token(p, (p, 0), (p, -1))
        t.g.tokens_left[p] = 0
        t.g.dial_reached[p] = 24
    t.g.current = current
    t.call(settle)
    assert [seat for kind, seat, _ in t.asked() if kind == decisions.TAKE_OFF] == [(current + k) % 3 for k in range(3)]


# --- what is counted by turn


def test_what_counts_per_turn_is_forgotten_to_the_last():
    fields = (
        "natural_wonder_used", "city_state_used", "used_this_turn", "caravan_home", "army_explored", "army_lost",
        "caravan_explored", "attacks_won_this_turn", "cards_replaced",
    )  # fmt: skip
    g = bare_state(line=7)
    for field in (*fields, "taken", "arrived"):
        g[field] = 1
    g.ability_used[:] = 1
    r = ti_rules()
    turn.begin_turn(r, g)
    for field in fields:
        assert not g[field].any() if g[field].shape else g[field] == 0, field
    assert not g.taken[:7].any()
    assert not g.arrived[:7].any()
    assert not g.ability_used[: r.n_abilities].any()


def test_every_turn_counts_once():
    t = table_with((0, 0), (3, 0))
    t.g.current = 0
    turn.open_turn(t.r, t.g, t.w, BOTS)
    assert int(t.g.turn) == 1
