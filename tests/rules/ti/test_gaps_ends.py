"""Breaks of the code of Terra Incognita that other tests let through: the ends of lists, what is not offered, what is left."""

import json
from functools import cache

import pytest
from battles import LOSE, WIN, fight
from table import BOTS, PASS, Table, state_that_rolls, ti_rules, ti_table_with

from newdawn.simulator import limits, names
from newdawn.simulator.engine import (
    armies,
    counts,
    culture,
    decisions,
    districts,
    economy,
    exploring,
    growth,
    map,
    pieces,
    science,
    setup,
    start_effects,
    state,
    turn,
)
from newdawn.simulator.rules.contents import written
from newdawn.simulator.rules.load import load_ruleset, with_overlay

FIRST, LAST = (-3, 0), (3, 0)
LAST_ARMY = limits.MAX_ARMIES - 1


@cache
def rules_of(text):
    """Return rules under which Rome has the abilities (as JSON) and Egypt none."""
    leaders = {"rome": {"abilities": json.loads(text)}, "egypt": {"abilities": []}}
    return with_overlay(load_ruleset(box="terra-incognita"), {"leaders": leaders}, "test").compile()


def board(*given, p=0, **how):
    """Return a table where seat `p` is Rome with the abilities, its capital in the middle, and the other one at (0, 3)."""
    leaders = ("Rome", "Egypt") if p == 0 else ("Egypt", "Rome")
    t = Table(leaders=leaders, rules=rules_of(json.dumps(given)), **how)
    t.capital(p, (0, 0))
    t.capital(1 - p, (0, 3))
    t.g.current = p
    return t


# --- the last army, space 0


@pytest.mark.parametrize("space", [FIRST, LAST])
def test_the_last_army_that_a_player_may_have_is_one_like_the_first(space):
    t = ti_table_with((0, 0), (0, 3))
    for a in (0, LAST_ARMY):
        t.army(1, space, a)
        s = t.at(space)
        assert (pieces.army_on(t.g, 1, s), pieces.armies_of(t.g, 1, s), t.g.armies[s]) == (a, 1, 1)
        assert pieces.rival_army_on(t.g, 0, s)
        assert not pieces.rival_army_on(t.g, 1, s)
        assert growth.army_beside(t.g, 1, s)
        pieces.return_armies(t.g, t.w, s, -1)
        assert (t.g.army[1, a], t.g.armies[s], pieces.army_on(t.g, 1, s)) == (state.ON_CARD, 0, -1)
        assert not growth.army_beside(t.g, 1, s)
        t.g.army[1, a] = state.NOT_OWNED


def test_armies_are_sent_home_but_those_that_are_spared():
    t = ti_table_with((0, 0), (0, 3))
    for spared, left in ((-1, []), (0, [0]), (1, [1])):
        for p in range(2):
            t.army(p, FIRST, p)
        pieces.return_armies(t.g, t.w, t.at(FIRST), spared)
        assert [p for p in range(2) if t.g.army[p, p] == t.at(FIRST)] == left
        for p in left:
            t.army(p, None, p)


@pytest.mark.rule("T12.15")
def test_who_puts_no_army_into_a_city_is_not_asked_for_the_next():
    t = ti_table_with((0, 0), (0, 3))
    t.g.army[0, :2] = state.ON_CARD
    t.script((decisions.ARMY_CITY, PASS))
    t.call(armies.armies_into_cities, 0)
    assert t.asked_kinds() == ["army_city"]
    assert t.g.army[0, :2].tolist() == [state.ON_CARD] * 2
    assert t.g.armies.sum() == 0


@pytest.mark.parametrize("target", ["city_state", "token", "city", "fort", "caravan", "army", "barbarian"])
def test_an_army_does_not_enter_what_its_player_may_not_attack(target):
    for spares in ([], [target]):
        t = board(
            *([{"effect": "spares", "target": spares}] if spares else []), spaces=[(q, 0) for q in range(-1, 4)] + [(0, 3)]
        )
        there = (2, 0)
        if target == "city_state":
            t.city_state("Seoul", there)
        elif target == "token":
            t.token(1, there)
        elif target == "city":
            t.city(1, there)
        elif target == "fort":
            t.fort(there)
        elif target == "caravan":
            t.caravan(1, there)
        elif target == "army":
            t.army(1, there)
        else:
            t.barbarian("A", there)
        t.army(0, (0, 0))
        t.refresh()
        t.script((decisions.ARMY, 0))
        t.resolve(0, "Masonry", 5)
        offered = {t.coordinates[s] for s in t.options(decisions.ARMY_TO) if s < decisions.EXPLORE}
        assert (there in offered) == (not spares), (target, spares)


# --- battle


@pytest.mark.rule("B9.6")
def test_nobody_helps_against_an_attack_on_what_is_nobodys():
    rules = with_overlay(
        load_ruleset(box="terra-incognita"),
        {"leaders": {"rome": {"abilities": [{"effect": "combat", "amount": 9, "when": ["defend"]}]}}}, "test",
    ).compile()  # fmt: skip
    t = Table(leaders=("Egypt", "Aztec", "Egypt", "Aztec", "Rome"), rules=rules, radius=4)
    for p, space in enumerate([(0, 0), (4, 0), (-4, 0), (0, 4), (0, -4)]):
        t.capital(p, space)
    t.city_state("Seoul", (1, 0))
    t.army(0, (1, 0))
    found = fight(t, (1, 0), LOSE, target="city_state")
    assert found.defence == 6 + int(t.r.city_state_defence)


def test_a_won_attack_on_an_army_claims_at_once_the_card_that_asks_for_its_total():
    r = ti_rules()
    cards = [
        card for card in range(r.n_victory_cards) for a in range(2) if r.agenda_metric[card, a] == names.METRIC_BEST_ATTACK
    ]
    t = ti_table_with((0, 0), (0, 3), victory=(cards[0],))
    a = next(k for k in range(2) if r.agenda_metric[cards[0], k] == names.METRIC_BEST_ATTACK)
    t.army(0, (1, 0))
    t.army(1, (1, 0), 0)
    t.g.best_attack[0] = 0
    t.trade(0, "military", 3)
    target = int(r.agenda_target[cards[0], a])
    slot = target - WIN[0] - 3
    found = fight(t, (1, 0), WIN, *[(decisions.COMBAT_SPEND, decisions.SPEND_ONE)] * 3, target="army", q=1, slot=slot)
    assert found.won
    assert found.attack == target
    assert t.g.claimed[0, 0] != 0
    assert t.g.best_attack[0] == found.attack
    assert t.g.attack_terrains == 0


# --- districts


@pytest.mark.rule("T4.7", "T12.1")
def test_an_encampment_that_beats_a_barbarian_sends_no_army_home():
    t = Table(leaders=("Rome", "Egypt", "Aztec", "France", "Sumeria"), rules=ti_rules(), radius=4)
    for p, space in enumerate([(0, 0), (4, 0), (-4, 0), (0, 4), (0, -4)]):
        t.capital(p, space)
    t.district(0, "Encampment", (1, 0))
    t.barbarian("A", (2, 0))
    before = t.g.army.tolist()
    t.script((decisions.DISTRICT_EFFECT, 0))
    t.call(districts.use_district, 0, names.ENCAMPMENT)
    assert t.g.barbarians.sum() == 0
    assert t.g.army.tolist() == before


@pytest.mark.rule("T4.7")
@pytest.mark.parametrize("strikes", [1, 3])
def test_an_encampment_strikes_as_long_as_there_is_a_foe(strikes):
    t = ti_table_with((0, 0), (0, 3))
    t.r = t.r.copy()
    t.r.camp_strike = strikes
    t.district(0, "Encampment", (1, 0))
    t.barbarian("A", (2, 0))
    t.script((decisions.DISTRICT_EFFECT, 0))
    t.call(districts.use_district, 0, names.ENCAMPMENT)
    assert "district_space" not in t.asked_kinds()  # one foe: nothing to choose
    assert t.g.barbarians.sum() == 0


def zone():
    """Return a table where seat 0's Industrial Zone may build a city on one space only: (2, 0)."""
    spaces = [(0, 0), (1, 0), (2, 0), (0, 3)]
    t = Table(rules=ti_rules(), spaces=spaces)
    t.capital(0, (0, 0))
    t.capital(1, (0, 3))
    t.district(0, "Industrial Zone", (1, 0))
    return t


@pytest.mark.rule("T4.9")
def test_a_zones_city_is_built_on_the_only_space_there_is_and_brings_no_token():
    t = zone()
    t.trade(0, "industry", 3)
    t.script((decisions.DISTRICT_EFFECT, 1))
    t.call(districts.use_district, 0, names.INDUSTRIAL_ZONE)
    t.require_script_done()
    assert t.piece((2, 0)) == "city"
    assert t.asked_kinds() == ["district_effect"]


@pytest.mark.rule("T4.9")
def test_without_an_industry_card_no_zones_city_is_paid_by_another_card():
    t = zone()
    t.g.trade[0] = 3
    assert districts.may_buy_city(t.r, t.g, t.w, 0)
    t.g.card[0, names.INDUSTRY] = names.GROWTH * names.N_LEVELS
    assert not districts.may_buy_city(t.r, t.g, t.w, 0)


@pytest.mark.rule("T4.10")
@pytest.mark.parametrize("space", [FIRST, (0, 1)])
@pytest.mark.parametrize("tokens", [0, 1])
def test_a_theater_square_wherever_it_lies_places_near_itself_or_near_a_wonders_city(space, tokens):
    t = ti_table_with((0, -3), LAST)
    t.r = t.r.copy()
    t.r.theater_range[:] = (1, 2)
    t.r.theater_tokens[:] = tokens
    t.district(0, "Theater Square", space)
    t.wonder("Petra", (0, -3))
    s = t.at(space)
    near = {int(n) for n in t.g.neighbour[s] if n >= 0}
    for option, expected in ((0, near), (1, None)):
        assert districts.may_place_by_theater(t.r, t.g, t.w, 0, s, option) == (tokens > 0)
        anchor = s if option == 0 else -1
        n = culture.list_token_spaces(t.r, t.g, t.w, 0, 9, decisions.SOURCE_THEATER, anchor)
        found = set(t.w.option[:n].tolist())
        if expected is None:
            assert found == {k for k in range(t.g.n_spaces) if t.g.owner[k] < 0 and distance(t, k, (0, -3)) <= 2}
        else:
            assert found == expected


def distance(t, s, space):
    q, r = t.coordinates[s]
    dq, dr = q - space[0], r - space[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def test_districts_are_used_one_after_the_other_until_none_is_left():
    use = {"effect": "resolve_district", "amount": 3, "moment": "end_of_turn"}
    t = board(use)
    turn.close_turn(t.r, t.g, t.w, BOTS, 0)
    assert t.asked() == []
    t.district(0, "Encampment", (1, 0))
    t.token(0, (2, 0))
    t.script((decisions.DISTRICT_EFFECT, 1))
    turn.close_turn(t.r, t.g, t.w, BOTS, 0)
    assert t.asked_kinds().count("district") == 0
    assert t.piece((2, 0)) == "reinforced_token"
    assert districts.choose_district(t.r, t.g, t.w, BOTS, 0, 1 << names.ENCAMPMENT) == -1


def test_using_a_district_at_the_start_of_a_turn_is_offered_to_who_has_one():
    t = board({"effect": "resolve_district", "amount": 1, "moment": "start_of_turn"})
    t.script()
    t.call(start_effects.start_of_turn, 0)
    assert t.asked() == []
    t.district(0, "Encampment", (1, 0))
    t.script()
    t.call(start_effects.start_of_turn, 0)
    assert t.options(decisions.START_EFFECT) == {decisions.FX_RESOLVE_DISTRICT}


@pytest.mark.rule("T12.22")
def test_where_no_district_lies_none_is_named():
    t = ti_table_with((0, 0), LAST)
    t.script()
    t.call(growth.name_district, 0)
    assert t.asked() == []
    t.district(1, "Encampment", (2, 0))
    t.token(1, (1, 0))
    t.script((decisions.DISTRICT_EFFECT, 1), (decisions.DISTRICT_SPACE, (1, 0)))
    t.call(growth.name_district, 0)
    assert t.piece((1, 0)) == "reinforced_token"


@pytest.mark.rule("T4.1")
@pytest.mark.parametrize("more", [0, 2])
def test_a_growth_card_reinforces_as_many_tokens_as_its_slot_and_what_abilities_add(more):
    t = board({"effect": "reinforcements", "amount": more})
    around = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    t.token(0, *around)
    t.g.trade[0] = 0
    t.script((decisions.GROWTH, decisions.GROWTH_REINFORCE), *[(decisions.REINFORCE, space) for space in around[: 2 + more]])
    t.resolve(0, "Irrigation", 2)
    assert sum(t.piece(space) == "reinforced_token" for space in around) == 2 + more
    assert t.asked_kinds().count("reinforce") == 2 + more


# --- cities taken, city-states


@pytest.mark.rule("T12.10")
@pytest.mark.parametrize("space", [FIRST, LAST])
def test_a_city_is_taken_near_a_space_at_either_end_of_the_list_and_no_city_state_with_it(space):
    t = ti_table_with((0, -3), (0, 3))
    beside = (space[0] + (2 if space == FIRST else -2), 0)
    t.city(1, beside)
    assert culture.list_cities_to_take(t.g, t.w, 0, t.at(space), 1) == 0
    assert culture.list_cities_to_take(t.g, t.w, 0, t.at(space), 2) == 1
    assert culture.list_cities_to_take(t.g, t.w, 0, -1, 1) == 0
    t.script()
    assert t.call(culture.take_rival_city, 0, decisions.SOURCE_RADIO, t.at(space), 2, 0) == 1
    assert t.owner(beside) == 0
    assert pieces.held_city_states(t.g, 0) == 0
    assert counts.metric(t.r, t.g, 0, names.METRIC_CITY_STATES, -1) == 0


# --- exploring


def test_shipbuilding_offers_the_empty_places_on_all_six_sides_and_counts_what_is_laid():
    t = Table(rules=ti_rules(), spaces=[(0, 0), (9, 9)])
    t.capital(0, (0, 0))
    t.capital(1, (9, 9))
    t.g.water_tokens = 2
    t.script((decisions.WATER_SPACE, PASS))
    assert t.call(exploring.lay_water_token, 0, t.at((0, 0))) == 0
    grid = {
        (q + limits.GRID_ORIGIN) * limits.GRID + r + limits.GRID_ORIGIN
        for q, r in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    }
    assert t.options(decisions.WATER_SPACE) == grid
    t.script((decisions.WATER_SPACE, max(grid)))
    assert t.call(exploring.lay_water_token, 0, t.at((0, 0))) == 1
    assert (t.g.n_spaces, t.g.water_tokens) == (3, 1)


def test_the_edge_of_any_tile_is_no_fort():
    t = ti_table_with((0, 0), LAST)
    t.fort((0, 3))
    exploring.mark_edges(t.g, t.w, exploring.ANY_TILE)
    edge = {s for s in range(t.g.n_spaces) if t.g.edge[s]}
    marked = {s for s in range(t.g.n_spaces) if t.w.mark[s]}
    assert marked == edge - t.spaces((0, 3))


@pytest.mark.rule("T12.12")
def test_a_water_token_at_the_edge_of_the_map_is_no_edge_of_a_tile():
    t = ti_table_with((0, 0), LAST)
    t.g.tile[t.at((0, 3))] = 0  # of no tile: a water token lies there
    exploring.mark_edges(t.g, t.w, exploring.ANY_TILE)
    assert (t.g.edge[t.at((0, 3))], t.w.mark[t.at((0, 3))]) == (1, 0)


@pytest.mark.rule("T7.2")
def test_by_one_reading_only_spaces_of_tiles_count_as_touched():
    for only, places in ((0, True), (1, False)):
        t = Table(rules=ti_rules(), spaces=[(0, 0), (1, 0), (2, 0), (3, 0)])
        t.r = t.r.copy()
        t.r.contacts_tiles_only, t.r.explore_touch = only, 2
        t.g.tile[:4] = (1, 0, 0, 0)
        exploring.mark_space(t.g, t.w, t.at((0, 0)))
        map.rebuild_grid(t.g, t.w)
        assert (exploring.list_tile_places(t.r, t.g, t.w) > 0) == places
        t.g.tile[:4] = (1, 1, 0, 0)
        assert exploring.list_tile_places(t.r, t.g, t.w) > 0


@pytest.mark.rule("T12.12")
def test_tokens_after_exploring_go_on_every_space_of_the_new_tile_the_last_included():
    t = ti_table_with((0, 0), (0, 3))
    new = [(2, 0), (3, 0), (2, 1)]
    for space in new:
        t.g.tile[t.at(space)] = 9
    n = culture.list_token_spaces(t.r, t.g, t.w, 0, 9, decisions.SOURCE_APADANA, 9)
    assert set(t.w.option[:n].tolist()) == t.spaces(*new)


@pytest.mark.parametrize("name", ["Carthage", "Palenque"])
def test_no_caravan_stands_on_any_city_state_amid_its_move(name):
    t = ti_table_with((0, 0), LAST)
    assert economy.may_stand(t.r, t.g, 0, 0, t.at((1, 0)))
    t.city_state(name, (1, 0))
    assert not economy.may_stand(t.r, t.g, 0, 0, t.at((1, 0)))


def test_a_caravan_that_stays_in_an_own_city_has_not_arrived_there():
    t = ti_table_with((0, 0), LAST)
    t.city(0, (2, 0))
    for c, where in ((0, (2, 0)), (1, (1, 0))):
        t.caravan(0, where, c)
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, PASS), (decisions.CARAVAN, 1), (decisions.CARAVAN_TO, (2, 0)))
    t.resolve(0, "Foreign Trade", 3)
    assert t.g.caravan[0, 1] == t.at((2, 0))


@pytest.mark.effect("Wheel")
def test_the_resource_of_the_wheel_may_be_of_a_type_held():
    t = ti_table_with((0, 0), LAST, leaders=("Egypt", "Rome"))
    t.give_resources(0, oil=1)
    t.script()
    t.call(economy.reward_arrival, 0, t.g.card[0, t.card(0, "Wheel")], t.at(LAST), 1)
    assert t.options(decisions.GAIN_RESOURCE) == set(range(names.N_RESOURCES))


@pytest.mark.effect("Orszaghaz")
@pytest.mark.parametrize("name", ["Carthage", "Palenque"])
def test_any_city_state_just_visited_may_be_conquered(name):
    t = ti_table_with((0, 0), LAST)
    t.wonder("Orszaghaz", (0, 0))
    t.city_state(name, (2, 0))
    t.script((decisions.CONQUER_VISITED, 1))
    t.call(economy.arrive_at_city_state, 0, 0, t.at((2, 0)), t.city_state_code(name))
    assert t.owner((2, 0)) == 0


# --- setting up


def test_at_the_start_nobody_has_a_district_on_the_map():
    g = state.new_state()
    g.players = 2
    setup.clear_seats(g)
    assert (g.district_space == -1).all()
    assert [counts.districts_on_map(g, p) for p in range(2)] == [0, 0]


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


@pytest.mark.rule("T1.6")
@pytest.mark.parametrize("face", range(1, 7))
def test_the_die_tells_the_side_of_the_core(face):
    t = Table(rules=ti_rules())
    t.g.rng[state.STREAM_MAP] = state_that_rolls((face,), 1, 6)
    t.g.stack_n = t.g.n_spaces = 0
    map.clear_grid(t.w)
    setup.lay_core_from_stack(t.r, t.g, t.w)
    assert t.g.core_side == int(face > t.r.core_side_a_max)


@pytest.mark.rule("T1.12")
def test_the_victory_cards_in_play_differ_and_the_fort_cards_are_among_them():
    for seed in range(4):
        t = Table(rules=ti_rules())
        t.g.rng[state.STREAM_VICTORY] += seed
        setup.draw_victory_cards(t.r, t.g, t.w)
        cards = t.g.victory_card[: t.g.victory_count].tolist()
        assert len(set(cards)) == len(cards) == t.r.victory_in_play
        assert sum(int(t.r.victory_fort[card]) for card in cards) == t.r.fort_cards
