"""What a player may do at the start of its turn: what is offered, how often, and what it sets off."""

import json

import pytest
from table import BOTS, Table, bare_state, rome_with, rules_of_rome, rules_with

from newdawn.simulator import names
from newdawn.simulator.engine import abilities, decisions, start_effects, turn
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import codes


def test_an_ability_of_the_start_of_the_turn_is_used_as_often_as_it_is_listed():
    g = bare_state()
    g.listed[1, :4], g.listed_n[1] = (7, 3, 7, 7), 4
    g.listed_giver[1, :4] = (0, codes.NO_GIVER, 2, codes.CITY_STATE_GIVER + 3)  # the card of three givers
    bit = abilities.use_bit
    for used, left in (
        (0, [0, 1, 2, 3]),
        (bit(1, 0), [1, 2, 3]),
        (bit(1, 0) | bit(1, 2), [1, 3]),
        (bit(1, 19), [0, 1, 2]),
        (bit(0, 0), [0, 1, 2, 3]),
    ):
        g.ability_used[7] = used
        assert [k for k in range(4) if not start_effects.is_used(g, 1, k)] == left


def test_the_last_two_cards_of_the_row_may_change_places_and_no_others():
    for box, slots in (("base", 5), ("terra-incognita", 6)):
        t = Table(rules=rules_of_rome("[]", box))
        t.capital(0, (0, 0))
        row = t.row(0)
        for a in range(slots - 1):
            t.script((decisions.SWAP_CARDS, a * 8 + a + 1))
            t.call(start_effects.swap_cards, 0, 1, 63, decisions.SOURCE_ORACLE)
            t.require_script_done()
            row[a], row[a + 1] = row[a + 1], row[a]
            assert t.row(0) == row
        assert t.options(decisions.SWAP_CARDS) == {k * 8 + k + 1 for k in range(slots - 1)}


@pytest.mark.rule("B4.1")
def test_an_ability_that_is_used_once_a_turn_is_offered_and_then_no_more():
    t = rome_with({"effect": "resources", "amount": 1, "resource": "oil", "moment": "start_of_turn", "once": True})
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_RESOURCES))
    assert (t.g.resources[0, 2], len(t.asked())) == (1, 1)


@pytest.mark.rule("B4.1")
@pytest.mark.parametrize("times", [1, 2])
def test_of_two_cards_with_the_same_ability_each_is_used_once(tmp_path, times):
    oil = {"effect": "resources", "amount": 1, "resource": "oil", "moment": "start_of_turn"}
    card = {"concord": {"name": "Concord", "abilities": [oil]}}
    t = Table(leaders=("Egypt", "Rome", "Aztec"), rules=rules_with(tmp_path, diplomacy=card))
    for p, space in enumerate([(0, 0), (3, 0), (0, 3)]):
        t.capital(p, space)
    for giver in range(1, 1 + times):
        t.diplomacy(0, giver, "Concord")
    t.start_of_turn(*((decisions.START_EFFECT, decisions.FX_RESOURCES + start_effects.NTH * nth) for nth in range(times)))
    assert (t.g.resources[0, 2], len(t.asked())) == (times, times)


@pytest.mark.parametrize("p", [1, 2])
def test_at_the_start_of_a_turn_no_other_player_and_no_focus_type_is_concerned(p):
    oil = {"effect": "resources", "resource": "oil", "moment": "start_of_turn"}
    for asked in (
        {"if": {"reinforced_lead": 1}},
        {"per": "wonders_of_its_type"},
        {"if": {"wonders_of_its_type": 1}},
        {"unless": {"wonders_of_its_type": 1}},
        {"if": {"attacks_won_this_turn": 1}},
    ):
        with pytest.raises(UserError, match=r"start_of_turn knows no .*; it is for .*deeds at "):
            rome_with({**oil, "amount": 1, **asked}, p=p, q=0)


def test_what_a_deed_of_the_start_of_the_turn_sets_off_is_done_before_the_next_question():
    place = {"effect": "control_tokens", "amount": 1, "moment": "start_of_turn"}
    t = rome_with(place, {"effect": "advance_dial", "amount": 2, "moment": "token_placed"})
    before = int(t.g.dial[0])
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_HANGING_GARDENS), (decisions.PLACE_TOKEN, (1, 0)))
    assert int(t.g.dial[0]) == before + 2


def test_reinforced_tokens_are_placed_with_one_taken_off_the_map():
    ability = {"effect": "control_tokens", "amount": 1, "moment": "start_of_turn", "reinforced": True}
    t = rome_with(ability)
    t.token(0, (3, 0))
    t.g.tokens_left[0] = 0
    t.start_of_turn(
        (decisions.START_EFFECT, decisions.FX_HANGING_GARDENS), (decisions.TAKE_OFF, (3, 0)), (decisions.PLACE_TOKEN, (1, 0))
    )
    assert (t.piece((1, 0)), t.piece((3, 0))) == ("reinforced_token", "none")


@pytest.mark.parametrize(("p", "q"), [(0, 1), (1, 0), (2, 1)])
def test_own_tokens_are_not_named_and_one_named_is_the_rivals(p, q):
    t = rome_with({"effect": "convert_token", "amount": 1, "moment": "start_of_turn"}, p=p, q=q)
    t.token(p, (1, 0), (2, 0))
    t.start_of_turn(p=p)
    assert t.asked() == []
    t.token(q, (2, 1))
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER), (decisions.NAME_TOKEN, (2, 1)), p=p)
    assert t.options(decisions.NAME_TOKEN) == t.spaces((2, 1))
    assert t.owner((2, 1)) == p


def test_what_begins_in_a_round_waits_for_its_moment_from_the_first_turn_on():
    oil = {"effect": "resources", "amount": 1, "resource": "oil", "moment": "start_of_turn", "from_round": 3}
    t = rome_with(oil, victory=(0,))
    t.g.first = t.g.current = 0
    for number in (2, 3, 4):
        t.g.round_number, t.g.ending = number - 1, names.RUNNING
        t.script()
        turn.begin_round(t.r, t.g, t.w, BOTS)
        assert (t.g.moments[0] >> codes.START_OF_TURN & 1 != 0) == (number >= 3)


# --- what a deed needs to be offered


def one_space(t):
    t.token(0, (2, 0))


def one_rival_token(t):
    t.token(1, (1, 0))


def one_own_token(t):
    t.token(0, (1, 0))


def one_diplomacy_card(t):
    t.g.diplomacy[1, : t.r.n_diplomacy] = (0, 2, 2, -1)


def one_city(t):
    t.city(1, (2, 0))


def one_barbarian(t):
    t.barbarian("A", (3, 0))
    t.token(1, (1, 0))


def nothing(t):
    pass


def no_space(t):
    t.token(0, (1, 0), (2, 0))


NEEDS = [
    ({"effect": "control_tokens", "amount": 1}, one_space, no_space),
    ({"effect": "remove_rival_tokens", "amount": 1}, one_rival_token, nothing),
    ({"effect": "convert_token", "amount": 1}, one_rival_token, nothing),
    ({"effect": "push_barbarian", "amount": 1}, one_barbarian, nothing),
    ({"effect": "swap_diplomacy", "amount": 1}, one_diplomacy_card, nothing),
    ({"effect": "reinforce", "amount": 1, "next_to": "friendly_city"}, one_own_token, nothing),
    ({"effect": "take_city", "amount": 1, "within": 2}, one_city, nothing),
]


@pytest.mark.rule("B4.1")
@pytest.mark.parametrize(("ability", "enough", "too_little"), NEEDS, ids=[ability["effect"] for ability, _, _ in NEEDS])
def test_a_deed_is_offered_where_there_is_one_thing_to_do_and_not_where_there_is_none(ability, enough, too_little):
    for prepare, offered in ((enough, True), (too_little, False)):
        r = rules_of_rome(json.dumps([{**ability, "moment": "start_of_turn"}]))
        t = Table(leaders=("Rome", "Egypt", "Aztec"), rules=r, spaces=[(q, 0) for q in range(4)] + [(0, 9)])
        t.capital(0, (0, 0))
        t.capital(1, (0, 9))
        prepare(t)
        t.refresh()
        t.script()
        t.call(start_effects.start_of_turn, 0)
        assert ("start_effect" in t.asked_kinds()) == offered
    if ability["effect"] == "take_city":
        t = Table(leaders=("Rome", "Egypt", "Aztec"), rules=r, spaces=[(q, 0) for q in range(4)] + [(0, 9)])
        t.capital(0, (0, 0))
        one_city(t)
        t.g.cities_left[0] = 0
        t.refresh()
        t.script()
        t.call(start_effects.start_of_turn, 0)
        assert t.asked() == []


@pytest.mark.rule("B4.1")
@pytest.mark.parametrize("left", [0, 1])
def test_exploring_is_offered_as_long_as_a_tile_is_left(left):
    explore = {"effect": "explore", "amount": 1, "moment": "start_of_turn"}
    t = Table(leaders=("Rome", "Egypt"), rules=rules_of_rome(json.dumps([explore]), "terra-incognita"))
    t.capital(0, (0, 0))
    t.g.stack[0], t.g.stack_n = 5, left
    t.script()
    t.call(start_effects.start_of_turn, 0)
    assert ("start_effect" in t.asked_kinds()) == bool(left)
