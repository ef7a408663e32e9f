"""The first and the last of everything: space 0, seat 0, the first wonder, the last card; what is offered once or never."""

import json
from functools import cache

import pytest
from table import BOTS, PASS, Table, rules_with, table_with, ti_rules

from newdawn.simulator import names
from newdawn.simulator.engine.board import hexes, pieces
from newdawn.simulator.engine.cards import (
    combat,
    culture,
    diplomacy,
    industry,
    military,
    science,
    start_effects,
)
from newdawn.simulator.engine.core import decisions, rng, state
from newdawn.simulator.engine.core.log import LOG_CARD
from newdawn.simulator.engine.course import play, setup, turn
from newdawn.simulator.rules import ability_codes as codes
from newdawn.simulator.rules.contents import written
from newdawn.simulator.rules.loading.load import load_ruleset, with_overlay

FIRST, LAST, BESIDE_FIRST = (-3, 0), (3, 0), (-2, 0)
LEADERS = ("Egypt", "Rome", "Aztec")
SEATS = range(3)


@cache
def rules_of(text, box="base"):
    """Return rules under which Rome has the abilities (as JSON), Egypt and the Aztecs none."""
    leaders = {"rome": {"abilities": json.loads(text)}, "egypt": {"abilities": []}, "aztec": {"abilities": []}}
    return with_overlay(load_ruleset(box=box), {"leaders": leaders}, "test").compile()


def board(*given, p=0, q=1, **how):
    """Return a table where seat `p` is Rome with the abilities, its capital in the middle, that of seat `q` at (0, 3)."""
    leaders = ["Egypt", "Egypt", "Aztec"]
    leaders[p] = "Rome"
    t = Table(leaders=leaders, rules=rules_of(json.dumps(given)), **how)
    t.capital(p, (0, 0))
    t.capital(q, (0, 3))
    t.g.current = p
    return t


def start(t, p, *choices):
    t.g.current = p
    t.script(*choices)
    t.call(start_effects.start_of_turn, p)
    t.require_script_done()


# --- the first space, the first of each kind


@pytest.mark.parametrize("p", SEATS)
def test_the_first_space_is_beside_its_neighbours(p):
    t = Table(leaders=LEADERS)
    t.capital(p, FIRST)
    for q in SEATS:
        assert hexes.next_to_friendly(t.g, q, t.at(BESIDE_FIRST)) == (q == p)
        assert hexes.next_to_city_of(t.g, q, t.at(BESIDE_FIRST)) == (q == p)
    assert hexes.next_to_any_city(t.g, t.at(BESIDE_FIRST))
    assert not hexes.next_to_any_city(t.g, t.at((0, 0)))


@pytest.mark.rule("T6.1")
@pytest.mark.parametrize("space", [FIRST, LAST])
def test_the_first_and_the_last_space_may_be_a_fort(space):
    t = Table(rules=ti_rules())
    t.fort(space)
    beside = (space[0] - (1 if space[0] > 0 else -1), 0)
    assert [hexes.at_fort(t.g, t.at(s)) for s in (space, beside, (0, 0))] == [True, True, False]


@pytest.mark.rule("B1.3")
@pytest.mark.parametrize("wonder", ["Stonehenge", "Hanging Gardens", "Kremlin"])
@pytest.mark.parametrize("resource", [None, *names.RESOURCES])
def test_a_space_with_a_token_of_any_wonder_or_resource_is_not_empty(wonder, resource):
    t = Table()
    assert hexes.is_empty(t.g, t.at((1, 0)))
    if resource:
        t.resource(resource, (1, 0))
    else:
        t.wonder(wonder, (1, 0))
    assert not hexes.is_empty(t.g, t.at((1, 0)))


@pytest.mark.rule("B8.7")
@pytest.mark.parametrize("p", SEATS)
@pytest.mark.parametrize("wonder", ["Stonehenge", "Kremlin"])
@pytest.mark.parametrize("space", [FIRST, LAST])
def test_a_wonder_on_any_space_is_its_owners_and_nobodys_on_a_free_city_states(p, wonder, space):
    t = Table(leaders=LEADERS)
    t.capital(p, (0, 0))
    t.token(p, space)
    t.wonder(wonder, space)
    assert [t.controls(q, wonder) for q in SEATS] == [q == p for q in SEATS]
    pieces.take_token_off(t.r, t.g, t.w, t.at(space), -1)
    for name in ("Carthage", "Kabul"):
        t.city_state(name, space)
        assert not any(t.controls(q, wonder) for q in SEATS)


@pytest.mark.rule("B8.6")
def test_a_city_with_the_first_wonder_has_no_room_for_another():
    t = table_with((0, 0))
    t.wonder("Stonehenge", (0, 0))
    assert industry.city_without_wonder(t.r, t.g, t.w, 0) == 0
    t.city(0, (2, 0))
    assert industry.city_without_wonder(t.r, t.g, t.w, 0) == 1
    assert t.w.option[0] == t.at((2, 0))


def test_a_row_without_a_culture_card_has_no_holder_of_one():
    t = table_with((0, 0))
    t.g.card[0, names.CULTURE] = names.SCIENCE * names.N_LEVELS + 1
    assert t.holder(0, "culture") == -1
    for fuller in (names.SCIENCE, names.CULTURE):
        t.g.trade[0], t.g.trade[0, fuller] = 0, 1
        assert pieces.holder_of(t.r, t.g, 0, names.SCIENCE) == fuller


@pytest.mark.rule("B6.1")
def test_trade_tokens_are_spent_from_a_science_card_in_the_place_of_the_culture_card():
    t = table_with((0, 0))
    t.g.card[0, names.CULTURE] = names.SCIENCE * names.N_LEVELS + 1
    t.g.trade[0, names.CULTURE] = 3
    t.script((decisions.SCIENCE, 1), (decisions.SPEND_TRADE, 2))
    before = int(t.g.dial[0])
    t.call(science.resolve_science, 0, names.CULTURE, 1)
    t.require_script_done()
    assert (int(t.g.dial[0]) - before, int(t.g.trade[0, names.CULTURE])) == (3, 1)


@pytest.mark.effect("Great Library")
@pytest.mark.parametrize("kind", names.FOCUS_TYPES[:5])
def test_a_card_learnt_replaces_one_card_of_its_type(kind):
    t = table_with((0, 0), (3, 0))
    k = names.FOCUS_TYPES.index(kind)
    t.g.card[1] = -1
    t.g.card[1, k] = k * names.N_LEVELS + 2
    t.script()
    t.call(science.learn_from, 0, 1)
    assert t.asked() == [(decisions.UPGRADE, 0, [(k * names.N_LEVELS + 2) * 8 + k, PASS])]


@pytest.mark.rule("B7.5")
@pytest.mark.parametrize("card", range(4))
@pytest.mark.parametrize(("p", "q"), [(0, 1), (2, 0)])
def test_any_diplomacy_card_has_to_make_room_for_any_other(card, p, q):
    t = Table(leaders=LEADERS)
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


@pytest.mark.rule("B10.3")
@pytest.mark.parametrize(("left", "has"), [(1, 1), (0, 0)])
def test_who_frees_a_city_state_gets_its_card_if_one_is_left(left, has):
    t = table_with((0, 0))
    t.g.city_state_cards_left[:] = left
    for cs in range(t.r.n_city_states):
        diplomacy.gain_city_state_card(t.g, t.w, 0, cs)
        assert (t.g.city_state_cards[cs, 0], t.g.city_state_cards_left[cs]) == (has, 0)


def test_who_holds_every_card_of_everybody_makes_no_alliance():
    t = table_with((0, 0), (3, 0))
    t.g.diplomacy[1, : t.r.n_diplomacy] = 0
    t.script()
    t.call(diplomacy.make_alliance, 0, 2)
    assert t.asked() == []
    assert t.g.allies[0] == 0


def test_an_alliance_takes_no_more_cards_than_there_are():
    t = table_with((0, 0), (3, 0))
    t.g.diplomacy[1, 2] = 0
    t.script(*[(decisions.TAKE_DIPLOMACY, c) for c in (0, 1)])
    t.call(diplomacy.make_alliance, 0, 6)
    assert t.g.diplomacy[1, : t.r.n_diplomacy].tolist() == [0] * 4
    assert t.asked_kinds() == ["take_diplomacy", "take_diplomacy"]


@pytest.mark.effect("Open Borders")
@pytest.mark.parametrize(("p", "q"), [(0, 1), (1, 0), (2, 0)])
def test_land_is_shared_by_any_giver(p, q):
    t = Table(leaders=LEADERS)
    t.capital(p, (0, 0))
    t.capital(q, (3, 0))
    t.token(q, (1, 0))
    assert not pieces.is_own_land(t.g, p, t.at((1, 0)))
    t.diplomacy(p, q, "Open Borders")
    assert pieces.is_own_land(t.g, p, t.at((1, 0))) == bool(t.g.power[p, codes.SHARED_LAND])
    assert t.g.power[p, codes.MATURES_WITH] == 1 << q


# --- what is offered


def test_the_last_two_cards_of_the_row_may_change_places_and_no_others():
    for box, slots in (("base", 5), ("terra-incognita", 6)):
        t = Table(rules=rules_of("[]", box))
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
    t = board({"effect": "resources", "amount": 1, "resource": "oil", "moment": "start_of_turn", "once": True})
    start(t, 0, (decisions.START_EFFECT, decisions.FX_RESOURCES))
    assert (t.g.resources[0, 2], len(t.asked())) == (1, 1)


@pytest.mark.rule("B4.1")
@pytest.mark.parametrize("times", [1, 2])
def test_of_two_cards_with_the_same_ability_each_is_used_once(tmp_path, times):
    oil = {"effect": "resources", "amount": 1, "resource": "oil", "moment": "start_of_turn"}
    card = {"concord": {"name": "Concord", "abilities": [oil]}}
    t = Table(leaders=LEADERS, rules=rules_with(tmp_path, diplomacy=card))
    for p, space in enumerate([(0, 0), (3, 0), (0, 3)]):
        t.capital(p, space)
    for giver in range(1, 1 + times):
        t.diplomacy(0, giver, "Concord")
    start(t, 0, *((decisions.START_EFFECT, decisions.FX_RESOURCES + start_effects.NTH * nth) for nth in range(times)))
    assert (t.g.resources[0, 2], len(t.asked())) == (times, times)


@pytest.mark.parametrize("p", [1, 2])
def test_at_the_start_of_a_turn_no_other_player_and_no_focus_type_is_concerned(p):
    oil = {"effect": "resources", "resource": "oil", "moment": "start_of_turn"}
    for ability, gains in (
        ({**oil, "amount": 1, "if": {"reinforced_lead": 1}}, 0),
        ({**oil, "amount": 1, "per": "wonders_of_its_type"}, 0),
        ({**oil, "amount": 1, "if": {"wonders_of_its_type": 1}}, 0),
        ({**oil, "amount": 1, "unless": {"wonders_of_its_type": 1}}, 1),
    ):
        t = board(ability, p=p, q=0)
        t.token(p, (1, 0), reinforced=True)
        t.city(p, (2, 0))
        t.wonder("Stonehenge", (0, 0))  # a culture wonder: the first focus type
        t.script((decisions.START_EFFECT, decisions.FX_RESOURCES))
        t.call(start_effects.start_of_turn, p)
        assert t.g.resources[p, 2] == gains, ability


def test_what_a_deed_of_the_start_of_the_turn_sets_off_is_done_before_the_next_question():
    place = {"effect": "control_tokens", "amount": 1, "moment": "start_of_turn"}
    t = board(place, {"effect": "advance_dial", "amount": 2, "moment": "token_placed"})
    before = int(t.g.dial[0])
    start(t, 0, (decisions.START_EFFECT, decisions.FX_HANGING_GARDENS), (decisions.PLACE_TOKEN, (1, 0)))
    assert int(t.g.dial[0]) == before + 2


def test_a_token_that_follows_a_token_is_none_that_comes_off_the_map_for_it():
    t = board({"effect": "control_tokens", "amount": 1, "moment": "token_placed"})
    t.token(0, (3, 0), (1, 0))
    t.g.tokens_left[0] = 0
    t.script()
    t.call(culture.token_placed, 0, 5, t.at((1, 0)))
    t.call(start_effects.follow_up)
    assert t.asked() == []


def test_reinforced_tokens_are_placed_with_one_taken_off_the_map():
    ability = {"effect": "control_tokens", "amount": 1, "moment": "start_of_turn", "reinforced": True}
    t = board(ability)
    t.token(0, (3, 0))
    t.g.tokens_left[0] = 0
    start(
        t,
        0,
        (decisions.START_EFFECT, decisions.FX_HANGING_GARDENS),
        (decisions.TAKE_OFF, (3, 0)),
        (decisions.PLACE_TOKEN, (1, 0)),
    )
    assert (t.piece((1, 0)), t.piece((3, 0))) == ("reinforced_token", "none")


@pytest.mark.parametrize(("p", "q"), [(0, 1), (1, 0), (2, 1)])
def test_own_tokens_are_not_named_and_one_named_is_the_rivals(p, q):
    t = board({"effect": "convert_token", "amount": 1, "moment": "start_of_turn"}, p=p, q=q)
    t.token(p, (1, 0), (2, 0))
    start(t, p)
    assert t.asked() == []
    t.token(q, (2, 1))
    start(t, p, (decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER), (decisions.NAME_TOKEN, (2, 1)))
    assert t.options(decisions.NAME_TOKEN) == t.spaces((2, 1))
    assert t.owner((2, 1)) == p


@pytest.mark.parametrize("terrain", ["grassland", "hills", "forest", "desert", "mountain"])
def test_tokens_go_without_a_city_on_the_named_terrain_only(terrain):
    t = board({"effect": "tokens_without_city", "terrain": [terrain]}, terrain={(3, 0): terrain, (-3, 0): "natural_wonder"})
    t.script()
    t.resolve(0, "Early Empire", slot=5)
    free = (
        t.spaces((3, 0))
        if terrain != "grassland"
        else {s for s in range(t.g.n_spaces) if t.g.terrain[s] == 0 and t.g.owner[s] < 0}
    )
    beside_city = {int(s) for s in t.g.neighbour[t.at((0, 0))]}
    assert t.options(decisions.PLACE_TOKEN) == free | beside_city


def test_by_a_house_rule_a_trade_token_places_two(tmp_path):
    pays_two = {"trade_token_effect": {"culture": {"control_tokens": 2}}}
    t = table_with((0, 0), rules=rules_with(tmp_path, focus_cards=pays_two))
    t.trade(0, "culture", 1)
    around = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]
    free = int(t.r.card_tokens[t.g.card[0, names.CULTURE]])
    t.script(*((decisions.PLACE_TOKEN, space) for space in around))
    t.g.current = 0
    t.call(culture.resolve_culture, 0, names.CULTURE, 5)
    assert sum(t.owner(space) == 0 for space in around) == free + 2


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


# --- combat


@pytest.mark.rule("B9.12")
@pytest.mark.parametrize(("p", "q"), [(0, 1), (1, 0), (2, 1)])
def test_a_card_that_is_given_back_for_the_attack_does_not_help_in_it(tmp_path, p, q):
    card = {"concord": {"name": "Concord", "abilities": [{"effect": "combat", "amount": 5, "when": ["attack"]}]}}
    t = Table(leaders=("Egypt", "Aztec", "Egypt"), rules=rules_with(tmp_path, diplomacy=card))
    t.capital(p, (0, 0))
    t.capital(q, (3, 0))
    t.token(q, (1, 0))
    t.diplomacy(p, q, "Concord")
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (1, 0)))
    t.dice(1, 1)
    t.resolve(p, "Masonry", 1)
    assert t.combats()[-1].attack == 1 + 1


@pytest.mark.rule("B9.2")
def test_the_terrains_an_attack_can_come_from_are_those_of_friendly_spaces_within_range():
    t = table_with((0, 0), terrain={(2, 0): "hills", (1, 1): "forest", (-2, 0): "desert", (3, -3): "mountain"})
    t.capital(1, (3, 0))
    t.token(0, (2, 0), (1, 1), (-2, 0), (3, -3))
    t.token(1, (2, 1))
    card = t.g.card[0, t.card(0, "Masonry")]
    bits = {names.TERRAINS.index(terrain) for terrain in ("hills", "forest")}
    for anywhere in (0, 1):
        t.g.power[0, codes.ATTACK_ANYWHERE] = anywhere
        far = {names.TERRAINS.index(terrain) for terrain in ("grassland", "desert", "mountain")} if anywhere else set()
        reach = int(t.r.card_attack_range[card])
        near = {
            int(t.g.terrain[s])
            for s in range(t.g.n_spaces)
            if t.g.owner[s] == 0 and hexes.hex_distance(t.g, s, t.at((2, 1))) <= reach
        }
        found = military.terrains_of_attack(t.r, t.g, t.w, 0, card, t.at((2, 1)))
        assert {k for k in range(names.N_TERRAINS) if found >> k & 1} == bits | near | far


def test_where_the_bonus_looks_at_the_space_attacked_from_the_best_terrain_in_reach_counts():
    t = board({"effect": "combat", "amount": 3, "when": ["attack"], "terrain": ["hills"]}, terrain={(1, 1): "hills"})
    t.r = t.r.copy()
    t.r.attack_from_terrain = 1
    t.token(1, (2, 0))
    card = t.g.card[0, t.card(0, "Masonry")]
    bonus = [military.attack_bonus(t.r, t.g, t.w, 0, card, t.at((2, 0)), state.TARGET_TOKEN, 1)]
    t.token(0, (1, 1))
    bonus += [military.attack_bonus(t.r, t.g, t.w, 0, card, t.at((2, 0)), state.TARGET_TOKEN, 1)]
    assert bonus[1] - bonus[0] == 3
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)))
    t.dice(1, 1)
    t.resolve(0, "Masonry", 1)
    assert t.combats()[-1].attack == 1 + 1 + 3
    assert t.g.attack_terrains == 0


def likely(t, card, space):
    found = combat.likely_terrains(t.r, t.g, 0, card, t.at(space))
    return {names.TERRAINS[k] for k in range(names.N_TERRAINS) if found >> k & 1}


def test_an_attack_is_likely_from_own_spaces_in_range_and_in_the_expansion_from_any_space_beside():
    terrain = {(1, 0): "hills", (2, 0): "forest", (3, 0): "desert", (0, 1): "mountain", (1, 1): "water"}
    t = table_with((0, 0), terrain=terrain)
    t.token(0, (1, 0), (3, 0))
    card = t.g.card[0, t.card(0, "Masonry")]
    assert t.r.card_attack_range[card] == 2
    assert likely(t, card, (3, -1)) == {"hills", "desert"}
    assert likely(t, card, (2, 0)) == {"hills", "desert", "grassland"}
    t.g.power[0, codes.ATTACK_RANGE] = 1
    assert likely(t, card, (3, -1)) == {"hills", "desert", "grassland"}
    t = Table(rules=ti_rules(), terrain=terrain)
    t.capital(0, (0, 0))
    assert likely(t, card, (2, 0)) == {"hills", "desert", "water", "grassland"}
    assert likely(t, card, (0, 0)) == {"hills", "mountain", "grassland"}


@pytest.mark.rule("B9.1")
@pytest.mark.parametrize("more", [0, 2])
def test_mass_production_reinforces_with_what_the_attacks_left_and_what_abilities_add(more):
    t = board({"effect": "reinforcements", "amount": more})
    t.token(0, (1, 0), (0, 1), (-1, 0), (0, -1), (1, -1))
    t.script(*[(decisions.REINFORCE, space) for space in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, -1))][: 2 + more])
    t.resolve(0, "Mass Production", 2)
    assert sum(t.piece(space) == "reinforced_token" for space in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, -1))) == 2 + more


# --- machinery of rounds


def test_a_game_is_played_to_its_end():
    t = table_with((0, 0), (3, 0), victory=(0,))
    t.g.round_number, t.g.round_cap, t.g.ending = 0, 2, names.RUNNING
    t.script()
    play.play_game(t.r, t.g, t.w, BOTS)
    assert (t.g.ending, t.g.round_number, t.g.turn) == (names.ROUND_CAP, 2, 4)


def test_what_begins_in_a_round_waits_for_its_moment_from_the_first_turn_on():
    oil = {"effect": "resources", "amount": 1, "resource": "oil", "moment": "start_of_turn", "from_round": 3}
    t = board(oil, victory=(0,))
    t.g.first = t.g.current = 0
    for number in (2, 3, 4):
        t.g.round_number, t.g.ending = number - 1, names.RUNNING
        t.script()
        play.begin_round(t.r, t.g, t.w, BOTS)
        assert (t.g.moments[0] >> codes.START_OF_TURN & 1 != 0) == (number >= 3)


def test_the_start_bonus_comes_in_the_first_round_and_in_no_other(tmp_path):
    r = rules_with(tmp_path, components={"start_bonus": {"everyone": {"trade_tokens": 2}}})
    for number in (0, 1):
        t = table_with((0, 0), (3, 0), rules=r, victory=(0,))
        t.g.round_number, t.g.ending = number, names.RUNNING
        t.g.trade[:] = 0
        t.script()
        play.begin_round(t.r, t.g, t.w, BOTS)
        assert t.g.trade[:2].sum(axis=1).tolist() == ([2, 2] if number == 0 else [0, 0])


@pytest.mark.rule("B2.4")
def test_the_first_player_and_the_barbarians_ways_are_drawn_anew_for_each_game():
    found = set()
    for seed in range(6):
        t = Table(leaders=LEADERS)
        t.g.barbarian_die[:] = 0
        rng.seed_streams(t.g, seed, 0)
        setup.draw_directions(t.g)
        setup.draw_first(t.g)
        assert sorted(t.g.barbarian_die[1:].tolist()) == list(range(6))
        assert t.g.current == t.g.first
        found.add((int(t.g.first), int(t.g.barbarian_die[1])))
    assert len(found) > 2


@pytest.mark.rule("B2.5")
def test_the_decks_are_shuffled_whatever_was_drawn_before():
    found = []
    for seed in (1, 2):
        t = Table()
        t.w.key[:] = 0
        rng.seed_streams(t.g, seed, 0)
        setup.stack_wonders(t.r, t.g, t.w)
        found.append(t.g.deck.tolist())
    assert found[0] != found[1]


@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.parametrize("sees", [0, 1])
def test_the_extra_economy_card_acts_from_the_slot_it_is_shifted_to_whatever_the_ruling_on_as_if(sees):
    t = board({"effect": "slot_shift", "amount": 1, "type": ["economy"]})
    t.r = t.r.copy()
    t.r.machu_picchu_sees_as_if = sees
    t.wonder("Estadio do Maracana", (0, 0))
    lies_in = t.slot_of(0, "economy")
    t.script((decisions.CARD, t.row(0).index("science")), (decisions.EXTRA_ECONOMY, 1))
    t.take_turn(0)
    rows = [row for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_CARD and row[5] == turn.BY_MARACANA]
    assert [row[6] for row in rows] == [min(lies_in + 1, 5)]


def test_a_card_is_repeated_once_a_turn_even_if_two_cards_could_be():
    repeat = {"effect": "repeat_card", "amount": 1, "slots": [1, 2, 3, 4, 5]}
    t = board(repeat)
    t.wonder("Estadio do Maracana", (0, 0))
    t.refresh()
    t.script((decisions.CARD, t.row(0).index("science")), (decisions.EXTRA_ECONOMY, 1), (decisions.REPEAT_CARD, 1))
    t.take_turn(0)
    assert t.asked_kinds().count("repeat_card") == 1


# --- what a start-of-turn ability needs to be offered


def one_space(t):
    t.token(0, (2, 0))


def one_rival_token(t):
    t.token(1, (1, 0))


def one_barbarian(t):
    t.barbarian("A", (3, 0))
    t.token(1, (1, 0))


def one_diplomacy_card(t):
    t.g.diplomacy[1, : t.r.n_diplomacy] = (0, 2, 2, -1)


def one_own_token(t):
    t.token(0, (1, 0))


def one_city(t):
    t.city(1, (2, 0))


def no_space(t):
    t.token(0, (1, 0), (2, 0))


def nothing(t):
    pass


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
        r = rules_of(json.dumps([{**ability, "moment": "start_of_turn"}]))
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
    t = Table(leaders=("Rome", "Egypt"), rules=rules_of(json.dumps([explore]), "terra-incognita"))
    t.capital(0, (0, 0))
    t.g.stack[0], t.g.stack_n = 5, left
    t.script()
    t.call(start_effects.start_of_turn, 0)
    assert ("start_effect" in t.asked_kinds()) == bool(left)
