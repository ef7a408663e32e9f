"""Words about losses, thefts, tributes, bans and the giver's doing: what each does, and what it does not do."""

from __future__ import annotations

import json
from functools import cache

import pytest
from table import BOTS, PASS, Table, rome_with

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, culture, decisions, economy, industry, pieces, science, start_effects, turn
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import codes
from newdawn.simulator.rules.load import load_ruleset, with_overlay

OIL = {"effect": "resources", "amount": 1, "resource": "oil"}
STEAL = {"effect": "steal_trade_tokens", "amount": 1}
OIL_KIND = names.RESOURCES.index("oil")


@cache
def _rules(box, overlay):
    return with_overlay(load_ruleset(box=box), json.loads(overlay), "house.yaml").compile()


def rules(box="base", **overlay):
    return _rules(box, json.dumps(overlay))


def oil(t):
    """Return the oil of seats 0 and 1."""
    return [int(t.g.resources[p, OIL_KIND]) for p in range(2)]


def treaty(*abilities):
    """Return a table at which Rome (seat 0) holds the card Treaty, with these abilities, of Egypt (seat 1)."""
    card = {"treaty": {"name": "Treaty", "abilities": abilities}}
    t = Table(
        leaders=("Rome", "Egypt"), rules=rules(diplomacy=card, leaders={"rome": {"abilities": []}, "egypt": {"abilities": []}})
    )
    t.capital(0, (0, 0))
    t.capital(1, (3, 0))
    t.diplomacy(0, 1, "Treaty")
    return t


# --- losses


def test_a_token_that_a_rival_takes_is_lost_to_that_rival():
    t = rome_with({**OIL, "moment": "token_lost", "per": "reinforced_lead"})
    t.token(0, (0, 1), (0, 2), reinforced=True)
    t.token(1, (2, 0), reinforced=True)
    t.token(0, (1, 0))
    pieces.swap_token(t.g, t.w, 1, t.at((1, 0)), names.TOKEN)
    assert oil(t) == [0, 0]  # not before the end of the card
    t.call(start_effects.follow_up)
    assert oil(t) == [1, 0]
    t.call(start_effects.follow_up)
    assert oil(t) == [1, 0]  # once


@pytest.mark.parametrize(("by", "lost"), [(1, 1), (-1, 1), (0, 0)])
def test_a_token_is_lost_to_others_and_barbarians_never_to_its_owner(by, lost):
    t = rome_with({**OIL, "moment": "token_lost"})
    t.token(0, (1, 0))
    pieces.take_token_off(t.r, t.g, t.w, t.at((1, 0)), by)
    t.call(start_effects.follow_up)
    assert oil(t) == [lost, 0]


def test_a_token_that_makes_room_for_a_city_is_not_lost():
    t = rome_with({**OIL, "moment": "token_lost"}, {**OIL, "moment": "city_lost"})
    t.token(0, (-2, 0))
    t.call(industry.build_city, 0, t.holder(0, "industry"), 1, t.at((-2, 0)))
    t.call(start_effects.follow_up)
    assert oil(t) == [0, 0]


def test_each_city_destroyed_or_taken_is_lost_on_its_terrain():
    t = rome_with({**OIL, "moment": "city_lost", "terrain": ["hills"]}, terrain={(-2, 0): "hills"})
    for space in ((-2, 0), (0, -2)):
        t.city(0, space)
        pieces.take_city_off(t.g, t.w, t.at(space), -1)
    t.call(start_effects.follow_up)
    assert oil(t) == [1, 0]


def test_what_a_barbarian_destroys_is_lost_when_the_dial_has_been_turned():
    t = rome_with(*({**OIL, "moment": moment} for moment in ("token_lost", "caravan_lost")))
    t.token(0, (1, 0))
    t.caravan(0, (1, 0))
    t.barbarian("A", (2, 0))
    direction = next(d for d in range(6) if t.g.neighbour[t.at((2, 0)), d] == t.at((1, 0)))
    t.call(barbarians.raid, 0, direction)
    assert (t.owner((1, 0)), t.g.lost_n) == (-1, 2)
    t.call(start_effects.follow_up)
    assert oil(t) == [2, 0]


def test_a_capital_that_is_raided_is_not_lost():
    t = rome_with({**OIL, "moment": "city_lost"})
    t.barbarian("A", (1, 0))
    direction = next(d for d in range(6) if t.g.neighbour[t.at((1, 0)), d] == t.at((0, 0)))
    t.call(barbarians.raid, 0, direction)
    t.call(start_effects.follow_up)
    assert oil(t) == [0, 0]


@pytest.mark.parametrize(("by", "figure"), [("barbarian", "army"), ("rival", "army"), ("own", "army")])
def test_an_army_is_lost_to_others_not_by_its_own_attack(by, figure):
    r = rules("terra-incognita", leaders={"rome": {"abilities": [{**OIL, "moment": "army_lost"}]}})
    t = Table(leaders=("Rome", "Egypt"), rules=r)
    t.capital(0, (0, 0))
    t.army(0, (1, 0))
    if by == "barbarian":
        pieces.destroy_armies(t.g, t.w, t.at((1, 0)))
    elif by == "rival":
        pieces.lose_army(t.g, t.w, 0, 0, 1)
    else:
        pieces.return_army(t.g, t.w, 0, 0)
    t.call(start_effects.follow_up)
    assert oil(t)[0] == (by != "own")


def test_what_two_players_take_from_each_other_for_losses_comes_to_an_end():
    """Each loss lets its owner remove a token of the other: once for each cause."""
    removes = {"effect": "remove_rival_tokens", "amount": 1, "moment": "token_lost"}
    t = Table(leaders=("Rome", "Egypt"), rules=rules(everyone={"abilities": [removes]}, leaders={"rome": {"abilities": []}}))
    t.capital(0, (0, 0))
    t.capital(1, (3, 0))
    t.token(0, (1, 0), (1, -1), (0, 1), (-1, 1))
    t.token(1, (2, 0), (2, -1), (3, -1), (2, 1))
    t.script(*[(decisions.RIVAL_TOKEN, space) for space in [(1, 0), (2, 0)]])
    pieces.take_token_off(t.r, t.g, t.w, t.at((2, 1)), 0)
    t.call(start_effects.follow_up)
    assert (t.g.lost_n, t.g.to_do_n, t.w.fault_n) == (0, 0, 0)
    assert t.asked_kinds() == ["rival_token", "rival_token"]


# --- thefts and tributes


def test_trade_tokens_are_stolen_from_the_cards_of_a_beaten_rival():
    t = rome_with({"effect": "steal_trade_tokens", "amount": 2, "moment": "attack_won", "target": ["token"]})
    t.token(0, (1, 0))
    t.token(1, (2, 0))
    for kind, amount in (("science", 1), ("industry", 3)):
        t.trade(1, kind, amount)
    took = [(decisions.LOOT, t.holder(1, "industry")), (decisions.PLACE_TRADE, t.holder(0, "culture"))] * 2
    t.attack(0, "Masonry", 1, (2, 0), (6, 1), *took)
    assert (t.trade_on(1, "industry"), t.trade_on(1, "science"), t.trade_on(0, "culture")) == (1, 1, 2)


def test_no_more_is_stolen_than_there_is_and_nobody_must():
    for amount, answer, left in ((1, PASS, 1), (1, None, 0), (0, None, 0)):
        t = rome_with({"effect": "steal_trade_tokens", "amount": 5, "moment": "attack_won"})
        t.token(0, (1, 0))
        t.token(1, (2, 0))
        t.trade(1, "science", amount)
        h = t.holder(1, "science") if answer is None else answer
        more = [(decisions.PLACE_TRADE, t.holder(0, "culture"))] if answer is None else []
        t.attack(0, "Masonry", 1, (2, 0), (6, 1), *([(decisions.LOOT, h), *more] if amount else []))
        assert (t.trade_on(1, "science"), t.trade_on(0, "culture")) == (left, amount - left)


def test_nothing_is_stolen_from_barbarians():
    t = rome_with({"effect": "steal_trade_tokens", "amount": 2, "moment": "attack_won"})
    t.trade(1, "science", 2)
    t.barbarian("A", (1, 0))
    t.attack(0, "Masonry", 1, (1, 0), (6, 1), (decisions.PLACE_TRADE, t.holder(0, "culture")), barbarian=True)
    assert t.trade_on(1, "science") == 2
    assert not t.g.ability_used.any()  # and a theft of once a turn is not used up


def test_who_loses_a_token_may_be_paid_for_it_by_who_took_it():
    t = rome_with({**STEAL, "moment": "token_lost"})
    t.token(0, (1, 0))
    t.trade(1, "science", 2)
    pieces.swap_token(t.g, t.w, 1, t.at((1, 0)), names.TOKEN)
    t.script((decisions.LOOT, t.holder(1, "science")), (decisions.PLACE_TRADE, t.holder(0, "industry")))
    t.call(start_effects.follow_up)
    t.require_script_done()
    assert (t.trade_on(1, "science"), t.trade_on(0, "industry")) == (1, 1)


@pytest.mark.parametrize(("held", "left"), [(3, 1), (1, 0), (0, 0)])
def test_a_tribute_is_paid_as_far_as_it_goes(held, left):
    t = rome_with({"effect": "pay_trade_tokens", "amount": 2, "moment": "trade_icon", "unless": {"cities": 2}})
    t.trade(0, "science", held)
    t.trade(1, "science", 2)
    t.call(turn.pay_mature_cities)
    assert (t.trade_on(0, "science"), t.trade_on(1, "science")) == (left, 2)


@pytest.mark.parametrize(
    ("ability", "message"),
    [
        ({**STEAL, "moment": "end_of_turn"}, "needs another player, and end_of_turn knows none"),
        ({**STEAL, "moment": "attack_won", "target": ["fort", "barbarian"]}, "fort or barbarian"),
        ({"effect": "pay_trade_tokens", "amount": 1, "moment": "start_of_turn"}, "would leave pay_trade_tokens"),
        ({**OIL, "moment": "army_lost"}, "'army_lost' is a word of Terra Incognita"),
        ({**OIL, "moment": "end_of_turn", "by": "giver"}, "only diplomacy cards of players have such a giver"),
        ({"effect": "forbids", "what": ["attacks"]}, "attacks"),
        ({"effect": "trade_tokens", "amount": -1, "moment": "end_of_turn"}, "at least 0, got -1"),
    ],
)  # fmt: skip
def test_what_comes_to_nothing_is_refused_with_the_way_that_works(ability, message):
    with pytest.raises(UserError, match=message):
        rules(leaders={"rome": {"abilities": [ability]}})


# --- bans


def industry_options(t, slot=5):
    t.script()
    t.resolve(0, "Pottery", slot)
    options = t.offers(decisions.INDUSTRY)
    return options[0] if options else []


@pytest.mark.parametrize(
    ("what", "cities", "wonders"),
    [(["cities"], False, True), (["wonders"], True, False), (["caravans"], True, True), ([], True, True)],
)
def test_a_ban_takes_cities_or_wonders_from_the_industry_card(what, cities, wonders):
    t = rome_with(*([{"effect": "forbids", "what": what}] if what else []))
    t.deck("Oracle")
    t.give_resources(0, mercury=5)
    options = [value for value in industry_options(t) if value != PASS]
    assert any(industry.is_wonder_option(value) for value in options) == wonders
    assert any(not industry.is_wonder_option(value) for value in options) == cities


@pytest.mark.parametrize(("round_number", "moves"), [(2, 0), (3, 1)])
def test_caravans_that_may_not_move_are_not_offered_until_the_ban_ends(round_number, moves):
    t = rome_with({"effect": "forbids", "what": ["caravans"], "until_round": 2})
    t.g.round_number = round_number
    t.refresh()
    t.caravan(0, (1, 0))
    assert economy.list_caravans(t.g, t.w, 0, 0) >= moves
    assert (economy.list_caravans(t.g, t.w, 0, 0) > 0) == bool(moves)


def test_a_ban_with_a_condition_holds_while_that_does():
    t = rome_with({"effect": "forbids", "what": ["cities"], "unless": {"own_wonders": 1}})
    assert not industry.may_build_city(t.g, 0)
    t.wonder("Oracle", (0, 0))
    assert industry.may_build_city(t.g, 0)
    assert industry.may_build_city(t.g, 1)


def test_cities_may_be_conquered_under_a_ban():
    t = rome_with({"effect": "forbids", "what": ["cities"]})
    t.token(0, (1, 0))
    t.city(1, (2, 0))
    assert t.attack(0, "Masonry", 5, (2, 0), (6, 1)).won
    assert (t.owner((2, 0)), t.piece((2, 0))) == (0, "city")


# --- control tokens on some terrains only


@pytest.mark.parametrize("reinforced", [False, True])
def test_control_tokens_go_on_the_terrains_named_and_on_no_others(reinforced):
    terrain = {(1, 0): "mountain", (0, 1): "desert", (-1, 1): "hills"}
    ability = {"effect": "control_tokens", "amount": 2, "moment": "end_of_turn", "on_terrain": ["mountain", "desert"]}
    t = rome_with(ability | ({"reinforced": True} if reinforced else {}), terrain=terrain)
    t.call(start_effects.happen, 0, codes.END_OF_TURN, 0, -1, -1, -1)
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.call(start_effects.follow_up)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((1, 0), (0, 1))
    assert t.options(decisions.PLACE_TOKEN, 1) == t.spaces((0, 1))
    assert t.piece((1, 0)) == ("reinforced_token" if reinforced else "token")


def test_tokens_for_which_there_is_no_such_terrain_are_not_offered_at_the_start_of_the_turn():
    ability = {"effect": "control_tokens", "amount": 1, "moment": "start_of_turn", "on_terrain": ["mountain"]}
    for terrain, offered in (({}, 0), ({(1, 0): "mountain"}, 1)):
        t = rome_with(ability, terrain=terrain)
        t.script()
        t.call(start_effects.start_of_turn, 0)
        assert t.asked_kinds().count("start_effect") == offered


def test_a_token_that_follows_another_is_not_held_to_its_terrain():
    t = rome_with(
        {"effect": "control_tokens", "amount": 1, "moment": "end_of_turn", "on_terrain": ["hills"]},
        {"effect": "following_token", "terrain": ["hills"]},
        terrain={(1, 0): "hills"},
    )
    t.call(start_effects.happen, 0, codes.END_OF_TURN, 0, -1, -1, -1)
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (2, -1)))
    t.call(start_effects.follow_up)
    t.require_script_done()


# --- what the giver of a card does


def test_what_the_giver_does_sets_off_the_ability_of_who_holds_its_card():
    t = treaty({**OIL, "moment": "dial_turned", "by": "giver"})
    for seat, gained in ((0, 0), (1, 1)):  # the own dial is not the giver's
        t.call(science.advance_dial, seat, 1)
        assert oil(t) == [gained, 0]


def test_an_ability_without_that_key_waits_for_the_holders_own_moment():
    t = treaty({**OIL, "moment": "dial_turned"})
    for seat, gained in ((1, 0), (0, 1)):
        t.call(science.advance_dial, seat, 1)
        assert oil(t) == [gained, 0]


def test_a_card_given_back_waits_for_nothing():
    t = treaty({**OIL, "moment": "dial_turned", "by": "giver"})
    pieces.move_card(t.g, t.w, 0, 1, t.r.n_diplomacy - 1, 0)
    t.refresh()
    t.call(science.advance_dial, 1, 1)
    assert oil(t) == [0, 0]


def test_counts_are_those_of_the_holder_and_the_deed_is_done_by_it():
    t = treaty({"effect": "control_tokens", "amount": 1, "moment": "token_placed", "by": "giver", "per": "cities"})
    t.city(0, (-2, 0))
    t.token(1, (2, 0))
    t.call(culture.token_placed, 1, 5, t.at((2, 0)))
    assert t.g.to_do[0, :4].tolist() == [0, t.g.listed[0, 0], t.at((2, 0)), 2]
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)))
    t.call(start_effects.follow_up)
    assert [t.owner(space) for space in ((1, 0), (0, 1))] == [0, 0]


def test_what_the_giver_loses_is_told_to_the_holder():
    t = treaty({**OIL, "moment": "city_lost", "by": "giver"})
    for seat, gained in ((0, 0), (1, 1)):
        t.city(seat, (0, -2))
        pieces.take_city_off(t.g, t.w, t.at((0, -2)), 1 - seat)
        t.call(start_effects.follow_up)
        assert oil(t) == [gained, 0]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"moment": "start_of_turn"}, "by: at start_of_turn a player uses own abilities only"),
        ({"moment": "arrival", "giver": "only"}, "giver: says nothing beside `by: giver`"),
        ({"moment": "end_of_turn", "per": "attacks_won_this_turn"}, "attacks_won_this_turn is 0 at the giver's moments"),
    ],
)
def test_what_cannot_be_asked_of_the_givers_moments_is_refused(more, message):
    with pytest.raises(UserError, match=message):
        rules(diplomacy={"treaty": {"name": "Treaty", "abilities": [{**OIL, "by": "giver", **more}]}})


# --- counts


def test_numbers_may_grow_with_the_rivals_whose_cards_are_held():
    t = rome_with({"effect": "culture_tokens", "amount": 1, "per": "rival_card_givers"})
    assert t.g.power[0, codes.CULTURE_TOKENS] == 0
    t.diplomacy(0, 1, "Embassy")
    t.city_state_card(0, "Seoul")
    t.refresh()
    assert t.g.power[0, codes.CULTURE_TOKENS] == 1


assert BOTS is not None
