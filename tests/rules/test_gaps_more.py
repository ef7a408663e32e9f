"""More that breaking the engine on purpose showed to be untested: rulings, house rules, laying the map, city-states."""

import json
from functools import cache
from itertools import pairwise

import pytest
from table import BOTS, PASS, Table, printed_rules, table_with, ti_rules, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import (
    agendas,
    barbarians,
    choosing,
    combat,
    counts,
    culture,
    decisions,
    industry,
    map,
    pieces,
    science,
    setup,
    start_effects,
    trade,
)
from newdawn.simulator.rules.contents import written
from newdawn.simulator.rules.load import load_ruleset, with_overlay

LEADERS = ("Egypt", "Rome", "Aztec")
SEATS = range(3)
FIRST, LAST = (-3, 0), (3, 0)


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


# --- wonders that come to a player


@cache
def rules_of_gifts():
    """Return rules under which Stonehenge and the Kremlin bring oil when built or captured."""
    gift = {"oil": {"effect": "resources", "amount": 1, "resource": "oil", "moment": "built_or_captured"}}
    overlay = {"wonders": {key: {"abilities": gift} for key in ("stonehenge", "kremlin")}}
    return with_overlay(load_ruleset(), overlay, "test").compile()


def gifts(p, q, ruling):
    t = Table(leaders=LEADERS, rules=rules_of_gifts().copy())
    t.r.effects_capture = ruling
    t.capital(p, (0, 0))
    t.capital(q, (0, 3))
    t.g.wonders_gained = 0
    return t


@pytest.mark.rule("T11.3")
@pytest.mark.parametrize(("p", "q"), [(0, 1), (2, 0), (1, 2)])
@pytest.mark.parametrize("wonder", ["Stonehenge", "Kremlin"])
@pytest.mark.parametrize("ruling", [0, 1])
def test_a_wonder_taken_by_an_effect_acts_by_one_ruling_only(p, q, wonder, ruling):
    t = gifts(p, q, ruling)
    t.token(q, (2, 0))
    t.wonder(wonder, (2, 0))
    t.call(lambda r, g, w, bots: culture.turn_over(r, g, w, p, t.at((2, 0))))
    t.call(start_effects.follow_up)
    assert t.g.resources[:, 2].sum() == t.g.resources[p, 2] == ruling


@pytest.mark.rule("T11.3")
@pytest.mark.parametrize(("p", "q"), [(0, 1), (2, 0)])
@pytest.mark.parametrize("wonder", ["Stonehenge", "Kremlin"])
@pytest.mark.parametrize("ruling", [0, 1])
@pytest.mark.parametrize("target", ["token", "city", "capital"])
def test_a_wonder_won_by_an_attack_acts_once_by_either_ruling(p, q, wonder, ruling, target):
    t = gifts(p, q, ruling)
    there = (0, 3) if target == "capital" else (0, 2)
    if target == "token":
        t.token(q, there)
    elif target == "city":
        t.city(q, there)
    t.wonder(wonder, there)
    t.token(p, (1, 1))
    t.g.wonders_gained = 0
    t.attack(p, "Masonry", 5, there, (6, 1))
    assert t.combats()[-1].won
    assert t.controls(p, wonder)
    assert t.g.resources[:, 2].sum() == t.g.resources[p, 2] == 1


@pytest.mark.rule("B8.6")
@pytest.mark.parametrize("wonder", ["Stonehenge", "Kremlin"])
def test_a_wonder_built_acts_once(wonder):
    t = gifts(0, 1, 1)
    t.deck(wonder)
    i = written(t.r, "wonder").index(wonder)
    t.g.resources[0] = 9
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + i))
    t.g.resources[0, 2] = 0
    t.resolve(0, "Urbanization", 5)
    assert t.controls(0, wonder)
    assert t.g.resources[0, 2] == 1


# --- cities beside water (Auckland)


@pytest.mark.parametrize(("slot", "easy"), [(1, False), (2, True), (3, True)])
def test_land_beside_water_is_easy_from_its_slot_on_and_in_the_own_turn(slot, easy):
    t = board({"effect": "waterside_cities", "amount": 2}, terrain={(2, 0): "mountain", (2, -1): "water", (-2, 0): "mountain"})
    s, dry = t.at((2, 0)), t.at((-2, 0))
    for current in (0, 1):
        t.g.current = current
        assert bool(industry.eased_by_water(t.r, t.g, 0, s, slot)) == (easy and current == 0)
        assert bool(industry.may_hold_city(t.r, t.g, 0, s, slot)) == (easy and current == 0)
        assert not industry.eased_by_water(t.r, t.g, 0, dry, slot)
        assert not industry.eased_by_water(t.r, t.g, 0, t.at((2, -1)), slot)
        assert not industry.eased_by_water(t.r, t.g, 1, s, slot)


@pytest.mark.parametrize("amount", [0, 2])
@pytest.mark.parametrize("held", [None, "own", "rival", "barbarian", "barbarian on own"])
def test_a_citys_distance_is_counted_through_land_beside_water_that_nobody_else_holds(amount, held):
    row = [(q, 0) for q in range(4)]
    t = Table(
        rules=rules_of(json.dumps([{"effect": "waterside_cities", "amount": amount}])), leaders=("Rome", "Egypt"),
        spaces=[*row, (1, -1)], terrain={(1, 0): "mountain", (1, -1): "water"},
    )  # fmt: skip
    t.capital(0, (0, 0))
    t.g.current = 0
    if held in ("own", "barbarian on own"):
        t.token(0, (1, 0))
    if held == "rival":
        t.token(1, (1, 0))
    if held in ("barbarian", "barbarian on own"):
        t.barbarian("A", (1, 0))
    industry.mark_city(t.r, t.g, t.w, 0, t.g.card[0, t.holder(0, "industry")], 2)
    assert bool(t.w.mark[t.at((1, 0))]) == (held in (None, "own"))


# --- city-states, barbarians, diplomacy


@pytest.mark.rule("B11.3c")
@pytest.mark.parametrize("name", ["Carthage", "Kabul"])
def test_a_city_that_barbarians_destroy_frees_the_city_state_whichever_it_is(name):
    t = table_with((0, 0), (3, 0))
    t.conquered(0, name, (2, 0))
    t.call(lambda r, g, w, bots: barbarians.destroy_city(r, g, w, t.at((2, 0))))
    cs = t.city_state_code(name)
    assert (t.g.city_state_owner[cs], t.g.city_state[t.at((2, 0))]) == (-1, cs)


@pytest.mark.rule("T12.4")
@pytest.mark.parametrize("piece", ["token", "city"])
def test_what_barbarians_destroy_is_no_strike_of_a_player(piece):
    t = ti_table_with((0, 0), LAST)
    t.diplomacy(1, 0, "Non-Aggression Pact")
    getattr(t, piece)(1, (2, 0))
    t.barbarian("A", (1, 0))
    t.g.strikes = 0
    barbarians.raid(t.r, t.g, t.w, BOTS, 0, 0)
    assert t.owner((2, 0)) == -1
    assert t.g.strikes == 0


@pytest.mark.effect("Drama and Poetry")
@pytest.mark.parametrize("name", ["Carthage", "Kabul"])
def test_a_token_that_holds_any_city_state_does_not_step_off(name):
    t = table_with((0, 0), LAST)
    t.g.cities_left[0] = 0
    t.token(0, (2, 0))
    t.city_state(name, (2, 0))
    cs = t.city_state_code(name)
    t.g.city_state[t.at((2, 0))], t.g.city_state_owner[cs] = -1, 0
    t.script()
    t.call(culture.move_token, 0)
    assert t.options(decisions.MOVE_TOKEN) == set()


@pytest.mark.rule("B10.2")
def test_a_defender_without_a_military_card_spends_nothing():
    for box, rules in (("base", printed_rules()), ("terra-incognita", ti_rules())):
        t = Table(rules=rules)
        t.capital(0, (0, 0))
        t.capital(1, (3, 0))
        t.token(1, (1, 0))
        t.conquered(1, "Kabul", (2, -2))
        t.g.card[1, names.MILITARY] = names.SCIENCE * names.N_LEVELS + 1
        t.g.city_state_holder[t.city_state_code("Kabul")] = -1
        t.g.trade[1] = 3
        t.script()
        assert trade.ask_spend(t.r, t.g, t.w, BOTS, 1, -1, decisions.SOURCE_DEFENCE) == 0
        assert t.asked() == [], box


@pytest.mark.parametrize("kind", range(4))
def test_a_resource_of_any_type_is_spent_as_a_trade_token(kind):
    t = board({"effect": "resources_as_trade"})
    t.g.resources[0, kind], t.g.supply[kind] = 1, 2
    t.trade(0, "science", 0)
    before = int(t.g.dial[0])
    t.script((decisions.SCIENCE, 1), (decisions.SPEND_TRADE, 1))
    t.resolve(0, "Astrology", 1)
    assert (int(t.g.dial[0]) - before, t.g.resources[0, kind], t.g.supply[kind]) == (2, 0, 3)


# --- claims


@pytest.mark.rule("T3.3")
@pytest.mark.parametrize("p", SEATS)
def test_a_token_on_a_fort_card_comes_back_whoevers_it_is(p):
    r = ti_rules()
    t = Table(leaders=LEADERS, rules=r)
    card = next(c for c in range(r.n_victory_cards) if r.victory_must_stay[c])
    other = next(c for c in range(r.n_victory_cards) if not r.victory_must_stay[c])
    t.g.victory_card[:2], t.g.victory_count = (other, card), 2
    t.g.claimed[p, :2] = 1
    left = int(t.g.tokens_left[p])
    agendas.return_lost_claims(r, t.g, t.w)
    assert t.g.claimed[p, :2].tolist() == [1, 0]
    assert t.g.tokens_left[p] == left + 1


@pytest.mark.effect("America")
def test_only_the_natural_wonder_that_waits_is_put_on_a_card():
    t = table_with((0, 0), LAST, leaders=("America", "Egypt"))
    for k, space in enumerate(((1, 0), (2, 0))):
        t.natural_wonder(written(t.r, "natural_wonder")[k], space)
        t.script()
        pieces.put_token(t.g, t.w, 0, t.at(space), names.TOKEN)
        agendas.settle(t.r, t.g, t.w, BOTS)
        assert t.asked_kinds() == ["natural_wonder_card"]


@pytest.mark.rule("B3.2")
@pytest.mark.parametrize("box", names.BOXES)
def test_printed_agendas_count_nothing_beyond_what_their_box_prints(box):
    r = load_ruleset(box=box).compile()
    for card in range(r.n_victory_cards):
        for a in range(2):
            assert not counts.counts_beyond(r, card, a)
    for word in (names.METRIC_TRADE, names.METRIC_TERRAIN, names.METRIC_CLAIMS):
        assert counts.counted_beyond(r.box, word)
        changed = r.copy()
        changed.agenda_metric2[0, 1] = word
        assert counts.counts_beyond(changed, 0, 1)
        assert not counts.counts_beyond(changed, 0, 0)


# --- laying the map


def test_the_tile_that_is_laid_leaves_the_hand_and_the_others_stay():
    for chosen in (5, 1, 7):
        t = Table(leaders=LEADERS)
        t.g.tile_hand[1] = (5, 0, 1, 7)
        t.script((decisions.LAY_TILE, chosen))
        assert t.call(setup.choose_tile, 1) == chosen
        assert t.options(decisions.LAY_TILE) == {5, 1, 7}
        left = [tile for tile in (5, 1, 7) if tile != chosen]
        assert t.g.tile_hand[1].tolist() == [*left, 0, 0]


@pytest.mark.rule("B14.3")
def test_the_players_lay_their_tiles_clockwise_and_the_first_player_begins():
    t = Table(leaders=LEADERS)
    choosing.seed_streams(t.g, 3, 0)
    kept = t.g.rng.tolist()
    first = setup.first_to_be(t.r, t.g)
    assert t.g.rng.tolist() == kept
    t.script()
    setup.start_game(t.r, t.g, t.w, BOTS)
    seats = [seat for kind, seat, _ in t.asked() if kind == decisions.PLACE_TILE]
    assert len(seats) == 9
    assert all(after == (before + 1) % 3 for before, after in pairwise(seats))
    g = t.g
    assert g.current == g.first == first > 0
    assert sorted(g.barbarian_die[1:].tolist()) == list(range(6))
    for p in SEATS:
        assert g.piece[g.capital[p]] == names.CAPITAL
        assert g.owner[g.capital[p]] == p


@pytest.mark.rule("B14.3")
@pytest.mark.parametrize("p", [0, 2])
def test_who_lays_a_tile_is_at_turn_and_has_its_capital_where_the_star_is(p):
    t = Table(leaders=LEADERS)
    choosing.seed_streams(t.g, 3, 0)
    setup.clear_spaces(t.g)
    map.clear_grid(t.w)
    t.g.n_spaces = 0
    setup.deal_and_lay_core(t.r, t.g, t.w)
    capital, plain = (int(tile) for tile in t.g.tile_hand[p, :2])
    for tile in (plain, capital):
        t.g.current = 1
        t.script((decisions.LAY_TILE, tile))
        setup.lay_from_hand(t.r, t.g, t.w, BOTS, p)
        assert t.g.current == p
        assert (t.g.capital[p] >= 0) == (tile == capital)


@pytest.mark.rule("B2.5")
def test_wonders_out_of_the_box_are_in_no_deck():
    t = Table()
    t.r = t.r.copy()
    out = [0, 7, 23]
    t.r.wonder_available[out] = 0
    setup.stack_wonders(t.r, t.g, t.w)
    assert not set(out) & set(t.g.deck.ravel().tolist())


# --- cards of Terra Incognita that cities and wonders have to do with


@pytest.mark.effect("Amundsen-Scott Research Station")
@pytest.mark.parametrize("tokens", [0, 1])
def test_a_wonder_with_a_city_of_its_own_needs_a_site_at_the_edge_the_last_space_included(tokens):
    t = Table(rules=ti_rules().copy(), spaces=[(q, 0) for q in range(4)])
    t.capital(0, (0, 0))
    wonder = next(i for i in range(t.r.n_wonders) if industry.tokens_of_founding(t.r, t.g, i) >= 0)
    row = int(t.r.wonder_first[wonder])
    t.r.ability_amount[row] = tokens
    assert industry.tokens_of_founding(t.r, t.g, wonder) == tokens
    t.token(0, (1, 0), (2, 0))
    t.g.edge[:3] = 0
    t.g.cities_left[0] = 1
    assert industry.has_home(t.r, t.g, 0, wonder, 0) == (not t.r.amundsen_needs_city)
    t.g.edge[:] = 0
    assert not industry.has_home(t.r, t.g, 0, wonder, 1)
    other = 0
    assert [bool(industry.has_home(t.r, t.g, 0, other, room)) for room in (0, 1)] == [False, True]


@pytest.mark.effect("Natural History")
def test_any_natural_wonder_counts_as_its_resource_for_the_dial():
    t = ti_table_with((0, 0), LAST)
    card = next(c for c in range(names.N_CARDS, len(t.r.card_dial_per_resource)) if t.r.card_dial_per_resource[c])
    for i in (0, int(t.r.n_natural_wonders) - 1):
        t.g.natural_wonder_owner[:] = -2
        assert science.unique_spaces(t.r, t.g, 0, card) == 0
        t.g.natural_wonder_owner[i] = 0
        assert science.unique_spaces(t.r, t.g, 0, card) == t.r.card_dial_per_resource[card]


# --- distances of attacks


@pytest.mark.rule("B9.3")
def test_an_attack_does_not_set_out_from_a_space_taken_this_turn():
    t = table_with((0, 0), LAST, spaces=[(q, 0) for q in range(7)])
    card = t.g.card[0, t.card(0, "Masonry")]
    t.token(0, (2, 0))
    t.token(1, (4, 0))
    for taken, n in ((0, 1), (1, 0)):
        t.g.taken[t.at((2, 0))] = taken
        assert combat.list_targets(t.r, t.g, t.w, 0, card) == n


def test_a_card_that_makes_no_attacks_makes_none_with_abilities_either():
    t = board({"effect": "attacks", "amount": 2})
    t.token(1, (1, 0))
    t.r = t.r.copy()
    for name in ("Masonry", "Mass Production"):
        h = t.card(0, name)
        t.r.card_attacks[t.g.card[0, h]] = 0
        assert combat.number_of_attacks(t.r, t.g, 0, t.g.card[0, h]) == 0
        t.token(0, *([(2, 0), (0, 1), (-1, 0)] if name == "Mass Production" else []))
        t.script()
        t.call(combat.resolve_military, 0, h, 1)
        assert "attack" not in t.asked_kinds()
        assert decisions.MILITARY_ATTACK not in t.options(decisions.MILITARY) or name != "Masonry"
        assert t.asked_kinds().count("reinforce") <= 1


# --- what is asked first


@pytest.mark.rule("B3.2")
@pytest.mark.effect("America")
def test_a_natural_wonder_spent_in_an_attack_is_put_on_a_card_before_the_capital_is_looted():
    t = table_with((0, 0), (0, 2), leaders=("America", "Egypt"))
    t.token(0, (2, 0))
    t.natural_wonder("Cliffs of Dover", (2, 0))
    t.g.natural_wonder_holder[0] = t.holder(0, "military")
    t.trade(0, "military", 0)
    t.g.trade[1, :5] = 1
    t.g.dirty = t.g.stale = 0
    t.attack(0, "Masonry", 5, (0, 2), (6, 1), (decisions.SPEND_TRADE, 1))
    asked = t.asked_kinds()
    assert t.combats()[-1].won
    assert asked.index("natural_wonder_card") < asked.index("loot")


def test_a_token_that_two_effects_may_follow_is_followed_by_the_second_where_the_first_is_declined():
    follows = [{"effect": effect, "terrain": ["hills"]} for effect in ("chain_tokens", "following_token")]
    t = board(*follows, terrain={(2, 0): "hills", (3, 0): "hills"})
    t.token(0, (2, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.PLACE_TOKEN, (3, -1)))
    t.call(culture.token_placed, 0, 5, t.at((2, 0)))
    t.require_script_done()
    assert t.options(decisions.PLACE_TOKEN, 0) == t.spaces((3, 0))
    assert t.options(decisions.PLACE_TOKEN, 1) >= t.spaces((3, 0), (3, -1), (1, 0))
