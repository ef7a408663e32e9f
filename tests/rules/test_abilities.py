"""Every word of the vocabulary from both sides: what it does with its conditions, and nothing without them.

The printed leaders, wonders and cards have tests of their own; here Rome (seat 0) is given abilities, Egypt (seat 1) none.
"""

from __future__ import annotations

import json
from functools import cache

import pytest
from table import BOTS, PASS, Table, bare_state, printed_rules, rome_with, rules_of_rome, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import (
    abilities,
    barbarians,
    combat,
    counts,
    culture,
    decisions,
    diplomacy,
    economy,
    industry,
    map,
    start_effects,
    turn,
)
from newdawn.simulator.engine.combat import attack_bonus, defence_bonus, ground_defence
from newdawn.simulator.engine.industry import list_city_spaces
from newdawn.simulator.rules import codes
from newdawn.simulator.rules.load import load_ruleset, with_overlay

PRINTED = load_ruleset()


@cache
def rules_of(abilities: str):
    """Return the rules under which Rome has the abilities (as JSON), and Egypt none."""
    overlay = {"leaders": {"rome": {"abilities": json.loads(abilities)}, "egypt": {"abilities": []}}}
    return with_overlay(PRINTED, overlay, "test").compile()


@pytest.fixture
def board():
    """Return a maker of tables on which Rome has the abilities given, and Egypt none."""

    def make(*given, radius=4, terrain=None, **settings):
        t = Table(radius=radius, terrain=terrain, rules=rules_of(json.dumps(given)), **settings)
        t.capital(0, (0, 0))
        t.capital(1, (radius, 0))
        return t

    return make


def both(board, ability, measure, **settings):
    """Return what `measure` says of the board with the ability, and without it."""
    return measure(board(ability, **settings)), measure(board(**settings))


# --- combat


def defence(t):
    t.token(0, (1, 0))
    return defence_bonus(t.r, t.g, t.w, 0, t.at((1, 0)), 1)


def attack(t, card=16, space=(4, 0), target=4, seat=1):
    return attack_bonus(t.r, t.g, t.w, 0, card, t.at(space), target, seat)


@pytest.mark.parametrize(("when", "gain"), [(["defend"], (2, 0)), (["attack"], (0, 2)), (None, (2, 2))])
def test_combat_counts_on_the_sides_named(board, when, gain):
    ability = {"effect": "combat", "amount": 2} | ({"when": when} if when else {})
    assert (defence(board(ability)), attack(board(ability)) - attack(board())) == gain
    assert (defence(board()), attack(board()) - attack(board())) == (0, 0)


def test_combat_counts_on_its_terrain_and_target_only(board):
    hills = {(1, 0): "hills", (2, 0): "forest"}
    t = board({"effect": "combat", "amount": 3, "terrain": ["hills"], "target": ["token", "barbarian"]}, terrain=hills)
    plain = attack(t)
    assert attack(t, space=(1, 0), target=2) == plain + 3
    assert attack(t, space=(1, 0), target=0, seat=-1) == plain + 3
    assert attack(t, space=(1, 0), target=3) == plain
    assert attack(t, space=(2, 0), target=2) == plain


def test_combat_may_count_water_beside_the_fight(board):
    ability = {"effect": "combat", "amount": 2, "when": ["defend"], "per": "water_beside"}
    assert both(board, ability, defence, terrain={(2, 0): "water", (2, -1): "water"}) == (4, 0)
    assert defence(board(ability)) == 0


@pytest.mark.parametrize(
    ("count", "prepare"),
    [
        ("cities", lambda t: t.city(0, (-2, 0))),
        ("own_wonders", lambda t: t.wonder("Oracle", (0, 0))),
        ("reinforced_tokens", lambda t: t.token(0, (0, 1), reinforced=True)),
        ("reinforced_lead", lambda t: t.token(0, (0, 1), reinforced=True)),
        ("coastal_spaces", lambda t: t.token(0, (-4, 0))),
        ("resource_types", lambda t: t.give_resources(0, oil=2)),
        ("natural_wonders", lambda t: t.natural_wonder("Pantanal", (0, 0))),
        ("conquered_city_states", lambda t: t.conquered(0, "Seoul", (-2, 0))),
        ("rival_capitals_defeated", lambda t: setattr(t.g, "capitals_beaten", 1)),
        ("attacks_won_this_turn", lambda t: setattr(t.g, "attacks_won_this_turn", 1)),
        ("own_caravan_beside", lambda t: t.caravan(0, (3, 0))),
        ("settlement_near", lambda t: t.city_state("Seoul", (3, 0))),
    ],
)
def test_per_counts_one_more_when_there_is_one_more(board, count, prepare):
    near = {"within": 1} if count == "settlement_near" else {}
    ability = {"effect": "combat", "amount": 5, "when": ["attack"], "per": count, **near}
    t = board(ability)
    before = attack(t)
    prepare(t)
    assert attack(t) == before + 5


def test_who_is_behind_in_reinforced_tokens_leads_by_none(board):
    t = board({"effect": "combat", "amount": 5, "when": ["attack"], "per": "reinforced_lead"})
    before = attack(t)
    t.token(1, (3, 0), (3, 1), reinforced=True)
    assert attack(t) == before


def test_per_mature_cities_and_victory_cards(board):
    mature, claimed = ({"effect": "combat", "amount": k, "per": per} for k, per in ((1, "mature_cities"), (3, "victory_cards")))
    t = board(mature, claimed)
    before = attack(t)
    t.token(0, (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    assert attack(t) == before + 1
    t.g.victory_count = 1
    t.g.claimed[0, 0] = 1
    assert attack(t) == before + 4


def test_if_and_unless_are_thresholds(board):
    def with_two_cities(ability):
        t = board(ability)
        t.city(0, (-2, 0))
        return t

    enough, too_many = ({"effect": "combat", "amount": 2, word: {"cities": 2}} for word in ("if", "unless"))
    assert defence(board({"effect": "combat", "amount": 2, "if": {"cities": 1}})) == 2
    assert (defence(board(enough)), defence(with_two_cities(enough))) == (0, 2)
    assert (defence(board(too_many)), defence(with_two_cities(too_many))) == (2, 0)


def test_what_is_held_is_looked_at_anew_when_it_changes_hands(board):
    t = board({"effect": "combat", "amount": 2, "per": "own_wonders"}, {"effect": "combat", "amount": 1, "per": "newest_era"})
    plain = attack(board())
    t.wonder("Oracle", (0, 0))
    assert attack(t) == plain + 2 + 1
    t.city(0, (-2, 0))
    t.wonder("Oxford University", (-2, 0))
    assert attack(t) == plain + 4 + 3


def test_reinforced_worth_counts_own_reinforced_tokens_in_defence(board):
    def worth(t):
        t.token(0, (1, 0), (2, 0), reinforced=True)
        return ground_defence(t.r, t.g, 1, t.at((1, 0)), 2)

    assert both(board, {"effect": "reinforced_worth", "amount": 1}, worth) == (1 + 2 * 2, 1 + 2)


def test_reinforced_worth_is_of_no_use_to_others(board):
    t = board({"effect": "reinforced_worth", "amount": 3})
    t.token(1, (3, 0), reinforced=True)
    assert ground_defence(t.r, t.g, 0, t.at((3, 0)), 2) == 1 + 1


# --- wonders, terrain, cards


@pytest.mark.parametrize(
    ("conditions", "wonder", "change"),
    [
        ({}, "Petra", -2),
        ({"type": ["military"]}, "Petra", -2),
        ({"type": ["military"]}, "Oracle", 0),
        ({"era": ["ancient"]}, "Petra", -2),
        ({"era": ["modern"]}, "Petra", 0),
        ({"per": "cities"}, "Petra", -2),
        ({"if": {"cities": 2}}, "Petra", 0),
        ({"per": "wonders_of_its_type"}, "Petra", 0),
    ],
)
def test_wonder_cost_changes_what_its_conditions_name(board, conditions, wonder, change):
    code = names.WONDERS.index(wonder)
    with_it, without = both(
        board, {"effect": "wonder_cost", "amount": -2, **conditions}, lambda t: industry.wonder_cost(t.r, t.g, 0, code)
    )
    assert with_it - without == change


def test_production_adds_to_every_slot(board):
    def most(t):
        return industry.most_production(t.r, t.g, 0, t.holder(0, "industry"), 2, 0)

    assert both(board, {"effect": "production", "amount": 3}, most) == (5, 2)


def ground(t, doing, terrain, coastal=0):
    return map.ground_difficulty(t.r, t.g, 0, doing, terrain, coastal)


def test_difficulty_holds_for_what_is_done_where_and_only_in_the_own_turn(board):
    t = board({"effect": "difficulty", "amount": 2, "terrain": ["mountain"], "coastal": True, "doing": ["move_caravan"]})
    assert ground(t, codes.MOVE_CARAVAN, names.MOUNTAIN, 1) == 2
    assert ground(t, codes.MOVE_CARAVAN, names.MOUNTAIN, 0) == 5
    assert ground(t, codes.BUILD_CITY, names.MOUNTAIN, 1) == 5
    assert ground(t, codes.MOVE_CARAVAN, names.FOREST, 1) == 3
    t.g.current = 1
    assert ground(t, codes.MOVE_CARAVAN, names.MOUNTAIN, 1) == 5


def test_difficulty_never_makes_a_terrain_harder(board):
    t = board({"effect": "difficulty", "amount": 3})
    assert (ground(t, codes.FIGHT, names.GRASSLAND), ground(t, codes.FIGHT, names.MOUNTAIN)) == (1, 3)


def test_difficulty_change_comes_after_difficulty(board):
    t = board({"effect": "difficulty_change", "amount": 1}, {"effect": "difficulty", "amount": 2, "terrain": ["mountain"]})
    assert (ground(t, codes.FIGHT, names.MOUNTAIN), ground(t, codes.FIGHT, names.FOREST)) == (3, 4)


def test_culture_tokens_are_more_tokens(board):
    def tokens(t):
        t.script(*((decisions.PLACE_TOKEN, space) for space in ((1, 0), (0, 1), (-1, 1))))
        t.g.current = 0
        turn.resolve_card(t.r, t.g, t.w, BOTS, 0, t.card(0, "Early Empire"), 0, turn.CHOSEN)
        return 31 - t.g.tokens_left[0]

    assert both(board, {"effect": "culture_tokens", "amount": 1}, tokens) == (3, 2)


def test_dial_spaces_are_more_spaces(board):
    def dial(t):
        t.resolve(0, "Astrology", slot=1)
        return t.g.dial[0]

    assert both(board, {"effect": "dial_spaces", "amount": 2}, dial) == (3, 1)


@pytest.mark.parametrize("kind", range(4))
def test_a_resource_of_any_type_is_spent_as_a_trade_token(kind):
    t = rome_with({"effect": "resources_as_trade"})
    t.g.resources[0, kind], t.g.supply[kind] = 1, 2
    t.trade(0, "science", 0)
    before = int(t.g.dial[0])
    t.script((decisions.SCIENCE, 1), (decisions.SPEND_TRADE, 1))
    t.resolve(0, "Astrology", 1)
    assert (int(t.g.dial[0]) - before, t.g.resources[0, kind], t.g.supply[kind]) == (2, 0, 3)


def reach(t, card=8, slot=5):
    steps = t.r.card_move[card] + t.g.power[0, codes.CARAVAN_STEPS]
    n = economy.list_destinations(t.r, t.g, t.w, 0, 0, card, slot, steps)
    return max(int(t.w.dist[0, s]) for s in t.w.option[:n])


def test_caravan_steps_are_for_each_caravan(board):
    def asked(t):
        t.script((17, 0))
        t.resolve(0, "Foreign Trade", slot=5)
        return max(abs(q) for q, row in t.coordinates if t.at((q, row)) in t.options(18) and row == 0)

    assert both(board, {"effect": "caravan_steps", "amount": 1}, asked, radius=6) == (4, 3)


def test_shared_caravan_steps_are_for_all_caravans_together(board):
    def reached(t):
        t.script((17, 0), (18, (3, 0)), (17, 1))
        t.resolve(0, "Currency", slot=5)  # two caravans, four steps each
        return [max(q for q, row in t.coordinates if row == 0 and t.at((q, row)) in t.options(18, nth=n)) for n in (0, 1)]

    free = {"radius": 8}
    assert both(board, {"effect": "shared_caravan_steps", "amount": 2}, reached, **free) == ([6, 6], [4, 4])


def test_city_range_reaches_farther(board):
    def far(t):
        n = list_city_spaces(t.r, t.g, t.w, 0, t.g.card[0, t.holder(0, "industry")], 5)
        return t.at((-4, 0)) in set(t.w.option[:n].tolist()), t.at((-3, 0)) in set(t.w.option[:n].tolist())

    assert both(board, {"effect": "city_range", "amount": 1}, far) == ((False, True), (False, False))


def test_attack_range_reaches_farther(board):
    def listed(t):
        t.barbarian("A", (-3, 0))
        n = combat.list_targets(t.r, t.g, t.w, 0, t.g.card[0, t.holder(0, "military")])
        return n

    assert both(board, {"effect": "attack_range", "amount": 1}, listed) == (1, 0)


def test_attacks_are_more_attacks(board):
    def made(t):
        t.barbarian("A", (1, 0))
        t.barbarian("B", (0, 1))
        t.barbarian("C", (-1, 1))
        t.script(
            (decisions.MILITARY, decisions.MILITARY_ATTACK),
            *((decisions.ATTACK, decisions.BARBARIAN_OPTION + t.at(s)) for s in ((1, 0), (0, 1), (-1, 1))),
        )
        t.g.current = 0
        turn.resolve_card(t.r, t.g, t.w, BOTS, 0, t.card(0, "Masonry"), 4, turn.CHOSEN)
        return len(t.combats())

    assert both(board, {"effect": "attacks", "amount": 1}, made) == (3, 2)


def test_reinforcements_are_more_tokens_turned(board):
    def turned(t):
        t.token(0, (1, 0), (0, 1), (-1, 1))
        t.script(
            (decisions.MILITARY, decisions.MILITARY_REINFORCE),
            (decisions.REINFORCE, (1, 0)),
            (decisions.REINFORCE, (0, 1)),
            (decisions.REINFORCE, (-1, 1)),
        )
        t.g.current = 0
        turn.resolve_card(t.r, t.g, t.w, BOTS, 0, t.card(0, "Masonry"), 0, turn.CHOSEN)
        return sum(t.piece(space) == "reinforced_token" for space in ((1, 0), (0, 1), (-1, 1)))

    assert both(board, {"effect": "reinforcements", "amount": 1}, turned) == (2, 1)


WALL = [(-1, 0), (-1, 1), (0, 1), (0, -1), (1, -1), (1, 0)]


@pytest.mark.parametrize("through", ["attack_water", "attack_rivals", "attack_barbarians"])
def test_attacks_may_be_counted_through_what_stops_others(board, through):
    def listed(t):
        if through == "attack_rivals":
            t.token(1, *WALL)
        if through == "attack_barbarians":
            for letter, space in zip("BCDEFG", WALL, strict=True):
                t.barbarian(letter, space)
        t.barbarian("A", (-2, 0))
        n = combat.list_targets(t.r, t.g, t.w, 0, t.g.card[0, t.holder(0, "military")])
        return decisions.BARBARIAN_OPTION + t.at((-2, 0)) in set(t.w.option[:n].tolist())

    terrain = dict.fromkeys(WALL, "water") if through == "attack_water" else None
    assert both(board, {"effect": "count_through", "through": [through]}, listed, terrain=terrain) == (True, False)


def test_cities_may_be_counted_through_water(board):
    def listed(t):
        n = list_city_spaces(t.r, t.g, t.w, 0, t.g.card[0, t.holder(0, "industry")], 5)
        return t.at((-2, 0)) in set(t.w.option[:n].tolist())

    ability = {"effect": "count_through", "through": ["city_water"]}
    assert both(board, ability, listed, terrain=dict.fromkeys(WALL, "water")) == (True, False)


@pytest.mark.parametrize(("slot", "easy"), [(1, False), (2, True), (3, True)])
def test_land_beside_water_is_easy_from_its_slot_on_and_in_the_own_turn(slot, easy):
    t = rome_with(
        {"effect": "waterside_cities", "amount": 2}, terrain={(2, 0): "mountain", (2, -1): "water", (-2, 0): "mountain"}
    )
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
        rules=rules_of_rome(json.dumps([{"effect": "waterside_cities", "amount": amount}])), leaders=("Rome", "Egypt"),
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


@pytest.mark.parametrize("through", ["caravan_water", "caravan_barbarians"])
def test_caravans_may_enter_what_stops_others(board, through):
    def reached(t):
        if through == "caravan_barbarians":
            t.barbarian("A", (1, 0))
        n = economy.list_destinations(t.r, t.g, t.w, 0, 0, 8, 5, 3)
        return t.at((1, 0)) in set(t.w.option[:n].tolist())

    terrain = {(1, 0): "water"} if through == "caravan_water" else None
    assert both(board, {"effect": "count_through", "through": [through]}, reached, terrain=terrain) == (True, False)


def slot_of(t, p, kind, slot):
    """Return the slot number a card of the type acts with that lies in the slot."""
    return turn.acting_slot(t.r, t.g, p, t.holder(p, names.FOCUS_TYPES[kind]), slot - 1)


def test_slot_shift_comes_after_acts_as_slot_and_stays_in_the_row(board):
    t = board(
        {"effect": "slot_shift", "amount": 2, "type": ["culture"]},
        {"effect": "acts_as_slot", "amount": 3, "slots": [1], "type": ["culture", "science"]},
    )
    assert [slot_of(t, 0, names.CULTURE, slot) for slot in range(1, 6)] == [5, 4, 5, 5, 5]
    assert [slot_of(t, 0, names.SCIENCE, slot) for slot in range(1, 6)] == [3, 2, 3, 4, 5]
    assert [slot_of(t, 1, names.CULTURE, slot) for slot in range(1, 6)] == [1, 2, 3, 4, 5]


def test_slot_shift_may_need_a_city_states_card_of_the_type(board):
    t = board({"effect": "slot_shift", "amount": 1, "if": {"city_state_card_of_its_type": 1}})
    assert slot_of(t, 0, names.SCIENCE, 2) == 2
    t.city_state_card(0, "Seoul")
    assert (slot_of(t, 0, names.SCIENCE, 2), slot_of(t, 0, names.CULTURE, 2)) == (3, 2)


def test_slot_shift_may_count_wonders_of_the_type(board):
    t = board({"effect": "slot_shift", "amount": 1, "per": "wonders_of_its_type"})
    t.wonder("Oracle", (0, 0))
    assert (slot_of(t, 0, names.SCIENCE, 2), slot_of(t, 0, names.CULTURE, 2)) == (3, 2)


@pytest.mark.parametrize("kind", ["culture", "military"])
def test_extra_card_may_be_of_any_type(board, kind):
    def offered(t):
        t.script((3, t.row(0).index("science")))
        t.take_turn(0)
        return [t.w.ask_holder, len(t.options(decisions.EXTRA_ECONOMY))]

    assert offered(board({"effect": "extra_card", "card": kind}))[1] == 2
    assert offered(board())[1] == 0


def test_repeat_card_works_in_its_slots_once_a_turn(board):
    t = board({"effect": "repeat_card", "amount": 2, "slots": [1]})
    t.script((3, 0), (decisions.REPEAT_CARD, 1))
    t.take_turn(0)
    assert t.asked_kinds().count("repeat_card") == 1
    t.script((3, 2))
    t.take_turn(0)
    assert "repeat_card" not in t.asked_kinds()


def test_any_type_upgrade_is_for_the_types_named(board):
    from newdawn.simulator.engine import science

    def new_types(t):
        n = science.list_upgrades(t.r, t.g, t.w, 0, 0, 2, 0)
        return {
            (names.FOCUS_TYPES[t.g.card[0, v % 8] // names.N_LEVELS], names.FOCUS_TYPES[v // 8 // names.N_LEVELS])
            for v in t.w.option[:n].tolist()
        }

    t = board({"effect": "any_type_upgrade", "type": ["culture"]})
    assert {new for old, new in new_types(t) if old == "culture"} == set(names.FOCUS_TYPES[:5])
    assert {new for old, new in new_types(t) if old == "economy"} == {"economy"}


def test_chain_tokens_and_tokens_without_city_take_any_terrains(board):
    t = board({"effect": "chain_tokens", "terrain": ["forest"]}, {"effect": "tokens_without_city", "terrain": ["desert"]})
    assert t.g.power[0, codes.CHAIN_TOKENS] == 1 << names.FOREST
    assert t.g.power[0, codes.TOKENS_WITHOUT_CITY] == 1 << 3
    assert not t.g.power[1].any()


@pytest.mark.parametrize("terrain", ["grassland", "hills", "forest", "desert", "mountain"])
def test_tokens_go_without_a_city_on_the_named_terrain_only(terrain):
    t = rome_with({"effect": "tokens_without_city", "terrain": [terrain]}, terrain={(3, 0): terrain, (-3, 0): "natural_wonder"})
    t.script()
    t.resolve(0, "Early Empire", slot=5)
    free = (
        t.spaces((3, 0))
        if terrain != "grassland"
        else {s for s in range(t.g.n_spaces) if t.g.terrain[s] == 0 and t.g.owner[s] < 0}
    )
    beside_city = {int(s) for s in t.g.neighbour[t.at((0, 0))]}
    assert t.options(decisions.PLACE_TOKEN) == free | beside_city


def test_barbarians_barred_and_edge_cities_and_diplomacy_limit(board):
    limits = ({"effect": "edge_cities", "amount": 1}, {"effect": "diplomacy_limit", "amount": 3})
    t = board({"effect": "barbarians_barred"}, *limits)
    assert barbarians.barred(t.r, t.g, t.at((0, 0)))
    assert not barbarians.barred(t.r, t.g, t.at((4, 0)))
    assert (t.g.power[0, codes.EDGE_CITIES], t.g.power[0, codes.DIPLOMACY_LIMIT]) == (1, 3)


# --- moments


def gained(t, act):
    """Return how many trade tokens seat 0 gained by an act."""
    before = int(t.g.stat_trade_gained[0])
    act(t)
    return int(t.g.stat_trade_gained[0]) - before


def token(moment, **conditions):
    return {"effect": "trade_tokens", "amount": 1, "moment": moment, "card": "culture"} | conditions


def build_city(t):
    t.script((decisions.INDUSTRY, (-2, 0)))
    t.resolve(0, "Pottery", slot=5)


def win(t, barbarian=True):
    if barbarian:
        t.barbarian("A", (1, 0))
    else:
        t.token(1, (1, 0))
    t.trade(0, "culture", 0)
    t.attack(0, "Masonry", 5, (1, 0), (6, 1), barbarian=barbarian)
    assert t.combats()[-1].won


@pytest.mark.parametrize(
    ("ability", "act", "gains"),
    [
        (token("city_built"), build_city, 1),
        (token("city_built", terrain=["grassland"]), build_city, 1),
        (token("city_built", terrain=["hills"]), build_city, 0),
        (token("attack_won"), win, 2),
        (token("attack_won", target=["barbarian"]), win, 2),
        (token("attack_won", target=["city", "capital"]), win, 1),
        (token("attack_won", target=["token"]), lambda t: win(t, barbarian=False), 1),
        (token("barbarian_defeated"), win, 2),
        (token("barbarian_defeated"), lambda t: win(t, barbarian=False), 0),
        (token("card_resolved"), lambda t: t.resolve(0, "Astrology", slot=1), 1),
        (token("card_resolved", type=["science"]), lambda t: t.resolve(0, "Astrology", slot=1), 1),
        (token("card_resolved", type=["military"]), lambda t: t.resolve(0, "Astrology", slot=1), 0),
        (token("city_built"), lambda t: t.resolve(1, "Astrology", slot=1), 0),
    ],
)
def test_moments_of_the_own_turn(board, ability, act, gains):
    assert gained(board(ability), act) == gains


def test_card_reset_comes_after_the_card(board):
    def whole_turn(t):
        t.script((3, t.row(0).index("science")))
        t.take_turn(0)

    assert gained(board(token("card_reset", type=["science"])), whole_turn) == 1
    assert gained(board(token("card_reset", type=["culture"])), whole_turn) == 0


def test_defence_won_is_the_defenders_moment(board):
    def beaten_off(t):
        t.token(0, (1, 0), reinforced=True)
        t.token(1, (2, 0))
        t.attack(1, "Masonry", 1, (1, 0), (1, 6))

    assert gained(board(token("defence_won")), beaten_off) == 1
    assert gained(board(token("attack_won")), beaten_off) == 0


def test_wonder_built_is_any_own_wonder(board):
    def build(t):
        t.deck("Oracle")
        t.give_resources(0, mercury=4)
        t.script((decisions.INDUSTRY, 1000 + names.WONDERS.index("Oracle")))
        t.resolve(0, "Pottery", slot=5)

    assert gained(board(token("wonder_built")), build) == 1
    assert gained(board(token("wonder_built", type=["science"])), build) == 1
    assert gained(board(token("wonder_built", type=["culture"])), build) == 0


@pytest.mark.parametrize(
    ("target", "goal", "gains"),
    [
        (None, "city_state", 1),
        (["city_state"], "city_state", 1),
        (["city"], "city_state", 0),
        (["city"], "city", 1),
        (["capital"], "city", 0),
    ],
)
def test_arrival_looks_at_where_the_caravan_arrives(board, target, goal, gains):
    def arrive(t):
        if goal == "city_state":
            t.city_state("Seoul", (2, 0))
        else:
            t.city(1, (2, 0))
        before = t.trade_on(0, "military")
        t.script((17, 0), (18, (2, 0)))
        t.resolve(0, "Foreign Trade", slot=3)
        return t.trade_on(0, "military") - before

    ability = token("arrival", card="military") | ({"target": target} if target else {})
    others = arrive(board())
    assert arrive(board(ability)) - others == gains


@pytest.mark.parametrize(("terrain", "gains"), [(None, 1), (["forest"], 1), (["hills"], 0)])
def test_token_placed_looks_at_the_terrain(board, terrain, gains):
    def place(t):
        t.script((decisions.PLACE_TOKEN, (1, 0)))
        t.resolve(0, "Early Empire", slot=5)

    ability = token("token_placed") | ({"terrain": terrain} if terrain else {})
    assert gained(board(ability, terrain={(1, 0): "forest"}), place) == gains


def test_trade_icon_comes_with_the_event(board):
    def event(t):
        turn.pay_mature_cities(t.r, t.g, t.w, BOTS)

    assert gained(board(token("trade_icon")), event) == 1
    assert gained(board(), event) == 0


def test_once_a_turn_is_once_until_the_next_turn(board):
    t = board(token("card_resolved", once=True))
    assert gained(t, lambda t: t.resolve(0, "Astrology", slot=1)) == 1
    assert gained(t, lambda t: t.resolve(0, "Astrology", slot=1)) == 0
    turn.begin_turn(t.r, t.g)
    assert gained(t, lambda t: t.resolve(0, "Astrology", slot=1)) == 1


def test_a_moment_may_have_conditions(board):
    ability = token("card_resolved", **{"if": {"cities": 2}})
    assert gained(board(ability), lambda t: t.resolve(0, "Astrology", slot=1)) == 0
    t = board(ability)
    t.city(0, (-2, 0))
    assert gained(t, lambda t: t.resolve(0, "Astrology", slot=1)) == 1


def test_an_ability_acts_in_its_rounds():
    r = printed_rules().copy()
    for number in range(6):
        g = bare_state()
        g.round_number = number
        for begin, end in ((0, 0), (3, 0), (0, 3), (1, 1), (2, 4)):
            r.ability_from_round[0], r.ability_until_round[0] = begin, end
            now = max(1, number)
            assert bool(counts.in_its_time(r, g, 0)) == (now >= begin and (end == 0 or now <= end)), (number, begin, end)


# --- deeds


def start(t, *choices):
    t.g.current = 0
    t.script(*choices)
    turn.begin_turn(t.r, t.g)
    start_effects.start_of_turn(t.r, t.g, t.w, BOTS, 0)


def deed(effect, moment="start_of_turn", **settings):
    return {"effect": effect, "moment": moment, **settings}


FX = {name: code for code, name in enumerate(decisions.START_EFFECTS)}


def test_resources_of_a_kind_or_of_choice_as_long_as_the_supply_lasts(board):
    t = board(deed("resources", amount=2, resource="oil"))
    start(t, (decisions.START_EFFECT, FX["resources"]))
    assert t.g.resources[0].tolist() == [0, 0, 2, 0]
    t.g.supply[2] = 0
    start(t, (decisions.START_EFFECT, FX["resources"]))
    assert t.g.resources[0].tolist() == [0, 0, 2, 0]
    t = board(deed("resources", amount=1, new_type=True))
    t.give_resources(0, marble=1, mercury=1, oil=1)
    start(t, (decisions.START_EFFECT, FX["resources"]))
    assert t.g.resources[0].tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("next_to", "limit", "places"),
    [("friendly_city", 5, {(1, 0), (0, 1)}), ("friendly_city", 1, {(1, 0)}), ("friendly_space", 5, {(1, 0), (0, 1), (3, -3)})],
)
def test_control_tokens_go_beside_what_is_named(board, next_to, limit, places):
    terrain = {(0, 1): "mountain"}
    t = board(deed("control_tokens", amount=1, limit=limit, next_to=next_to), terrain=terrain)
    t.token(0, (2, -3))
    start(t, (decisions.START_EFFECT, FX["Hanging Gardens"]))
    offered = t.options(decisions.PLACE_TOKEN)
    for space in ((1, 0), (0, 1), (3, -3)):
        assert (t.at(space) in offered) == (space in places), space


def test_control_tokens_beside_the_space_of_the_moment_come_once_for_each_token_of_others(board):
    """What an ability has set off does not set it off again: the token on the second mountain is its own."""
    ability = deed("control_tokens", "token_placed", amount=1, limit=5, next_to="that_space", terrain=["mountain"])
    t = board(ability, terrain={(1, 0): "mountain", (2, 0): "mountain"})
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, PASS),
        (decisions.PLACE_TOKEN, (2, 0)),
    )
    t.resolve(0, "Early Empire", slot=5)
    assert [t.owner(space) for space in ((1, 0), (2, 0), (3, 0))] == [0, 0, -1]
    assert t.asked_kinds().count("place_token") == 3


@pytest.mark.parametrize("next_to", ["friendly_city", "friendly_space"])
def test_what_eases_the_ground_for_cards_does_not_ease_it_for_tokens_of_abilities(board, next_to):
    """Kumasi's forest is grassland for culture and industry cards, not for what an ability places."""
    t = board(deed("control_tokens", amount=1, limit=1, next_to=next_to), terrain={(1, 0): "forest"})
    t.city_state_card(0, "Kumasi")
    start(t, (decisions.START_EFFECT, FX["Hanging Gardens"]))
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def test_reinforce_turns_tokens(board):
    t = board(deed("reinforce", amount=1))
    t.token(0, (1, 0), (0, 1))
    start(t, (decisions.START_EFFECT, FX["reinforce"]), (decisions.REINFORCE, (1, 0)))
    assert (t.piece((1, 0)), t.piece((0, 1))) == ("reinforced_token", "token")


def test_advance_dial_pays_levels(board):
    t = board(deed("advance_dial", amount=3))
    start(t, (decisions.START_EFFECT, FX["advance dial"]))
    assert t.g.dial[0] == 3


def test_swap_cards_any_or_neighbours(board):
    for adjacent, options in ((True, 4), (False, 10)):
        t = board(deed("swap_cards", adjacent=adjacent))
        start(t, (decisions.START_EFFECT, FX["Oracle"]))
        assert len(t.options(decisions.SWAP_CARDS)) == options


def test_a_second_deed_of_the_kind_is_a_second_option(board):
    t = board(deed("swap_cards", adjacent=True), deed("swap_cards"))
    start(t, (decisions.START_EFFECT, FX["Oracle"] + start_effects.NTH))
    assert t.options(decisions.START_EFFECT) == {FX["Oracle"], FX["Oracle"] + start_effects.NTH}
    assert len(t.options(decisions.SWAP_CARDS)) == 10
    assert t.options(decisions.START_EFFECT, nth=1) == {FX["Oracle"]}  # each once


def test_upgrade_and_raise_and_take_are_deeds_of_any_moment(board):
    upgrade, rise = deed("upgrade_cards", amount=1, from_level=1, limit=3), deed("raise_cards", amount=1, limit=2)
    t = board(upgrade, rise, deed("take_diplomacy", amount=1))
    start(t, (decisions.START_EFFECT, FX["upgrade cards"]), (12, (names.SCIENCE * 4 + 2) * 8 + names.SCIENCE))
    assert t.g.card[0, names.SCIENCE] == names.SCIENCE * 4 + 2
    assert t.options(decisions.START_EFFECT) == {FX["upgrade cards"], FX["raise cards"], FX["take diplomacy"]}


def test_rival_tokens_barbarians_and_diplomacy(board):
    t = board(deed("remove_rival_tokens", amount=1), deed("push_barbarian", amount=1), deed("convert_token", amount=1))
    start(t)
    assert t.asked_kinds() == []
    t.token(1, (1, 0))
    t.barbarian("A", (-3, 0))
    start(t)
    assert t.options(decisions.START_EFFECT) == {FX["Forbidden City"], FX["Seoul"], FX["Eiffel Tower"]}


def test_deeds_of_other_moments_wait_for_the_end_of_the_card(board):
    t = board(deed("advance_dial", "city_built", amount=2), token("city_built"))
    t.script((decisions.INDUSTRY, (-2, 0)))
    t.g.current = 0
    industry.resolve_industry(t.r, t.g, t.w, BOTS, 0, t.card(0, "Pottery"), 5)
    assert (t.g.dial[0], t.g.to_do_n) == (0, 1)
    start_effects.follow_up(t.r, t.g, t.w, BOTS)
    assert (t.g.dial[0], t.g.to_do_n) == (2, 0)


# --- words that came with the expansion's leaders


def test_a_following_token_comes_after_one_on_its_terrain_only(board):
    t = board({"effect": "following_token", "terrain": ["hills"]}, terrain={(1, 0): "hills"})
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (2, 0)), (decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", 2)
    assert t.options(decisions.PLACE_TOKEN, 1) == t.spaces((2, 0), (2, -1), (1, 1), (0, 1), (1, -1))
    assert t.asked_kinds().count("place_token") == 3


def test_a_token_that_two_effects_may_follow_is_followed_by_the_second_where_the_first_is_declined():
    follows = [{"effect": effect, "terrain": ["hills"]} for effect in ("chain_tokens", "following_token")]
    t = rome_with(*follows, terrain={(2, 0): "hills", (3, 0): "hills"})
    t.token(0, (2, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.PLACE_TOKEN, (3, -1)))
    t.call(culture.token_placed, 0, 5, t.at((2, 0)))
    t.require_script_done()
    assert t.options(decisions.PLACE_TOKEN, 0) == t.spaces((3, 0))
    assert t.options(decisions.PLACE_TOKEN, 1) >= t.spaces((3, 0), (3, -1), (1, 0))


def test_tokens_may_be_placed_reinforced_and_a_condition_may_ask_for_the_tile(board):
    ability = {"effect": "control_tokens", "amount": 1, "moment": "city_built", "next_to": "that_space", "reinforced": True,
               "unless": {"other_cities_on_tile": 2}}  # fmt: skip
    for cities, piece in ((1, "reinforced_token"), (2, "none")):
        t = board(ability)
        t.g.tile[t.at((4, 0))] = 2  # the rival capital lies elsewhere
        if cities > 1:
            t.city(1, (-2, 0))
        more = [(decisions.PLACE_TOKEN, (3, -3))] if cities == 1 else []
        t.script((decisions.INDUSTRY, (2, -2)), *more)
        t.resolve(0, "Pottery", 2)
        assert t.piece((3, -3)) == piece


def test_what_comes_in_the_first_turn_comes_once(board):
    t = board({"effect": "resources", "amount": 1, "resource": "oil", "moment": "first_turn"})
    for round_number in (1, 2):
        t.g.round_number = round_number
        t.script()
        t.take_turn(0)
        assert t.g.resources[0, 2] == 1


def test_an_alliance_takes_cards_and_lifts_the_limit(board):
    t = board({"effect": "alliance", "amount": 2, "moment": "first_turn"})
    t.script((decisions.TAKE_DIPLOMACY, 1), (decisions.TAKE_DIPLOMACY, 3))
    t.take_turn(0)
    assert t.g.diplomacy[1].tolist()[:4] == [-1, 0, -1, 0]
    assert (diplomacy.card_limit(t.r, t.g, 0, 1), diplomacy.card_limit(t.r, t.g, 1, 0)) == (4, 1)


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


def test_edge_waters_are_linked_for_caravans_that_may_sail(board):
    linked = {"effect": "edge_water_linked"}
    reached = []
    for abilities_given in ([linked], []):
        t = board(*abilities_given, terrain={(-4, 0): "water", (0, 4): "water"})
        t.caravan(0, (-4, 0))
        t.script((decisions.CARAVAN, 0))
        t.resolve(0, "Steam Power", 1)
        reached.append(economy.list_destinations(t.r, t.g, t.w, 0, 0, t.g.card[0, t.holder(0, "economy")], 1, 1))
        assert (t.w.dist[0, t.at((0, 4))] == 1) == bool(abilities_given)
    assert reached[0] == reached[1] + 1


# --- the numbers of a player


def test_works_false_takes_an_ability_away(board):
    assert defence(board({"effect": "combat", "amount": 2, "works": False})) == 0


def test_numbers_are_written_when_a_card_changes_hands_and_not_before(board):
    t = board()
    t.g.wonder_space[names.WONDERS.index("Alhambra")] = t.at((0, 0))
    assert defence(t) == 2  # the table refreshes after each piece
    t.g.wonder_space[names.WONDERS.index("Alhambra")] = -1
    t.g.stale = 1 << 1
    abilities.refresh(t.r, t.g)
    assert t.g.combat[0].any()
    t.g.stale = 1 << 0
    abilities.refresh(t.r, t.g)
    assert not t.g.combat[0].any()


def test_a_moment_nobody_waits_for_costs_nothing(board):
    t = board()
    assert t.g.moments[0] == 0
    abilities.happen(t.r, t.g, t.w, BOTS, 0, codes.CITY_BUILT, 3, -1, 0, -1)
    assert t.g.to_do_n == 0


assert names.ECONOMY != names.INDUSTRY
