"""The twelve diplomacy cards: four of players, eight of city-states, each with what it gives and what it does not."""

from functools import partial

import pytest
from table import AROUND, ENDS, FIRST_SPACE, PAIRS, PASS, Table, disc, inwards, rules_with, table_of_three, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, counts, decisions, diplomacy, industry, pieces, start_effects, turn
from newdawn.simulator.rules import codes

WIN, LOSE = (6, 1), (1, 6)
THREE = ["Rome", "Egypt", "France"]
OIL = names.RESOURCES.index("oil")

front = partial(table_with, (0, 0), leaders=THREE)


def target(t, what, space=(1, 0), p=1):
    """Put the target of an attack on the space."""
    if what == "token":
        t.token(p, space)
    elif what == "city":
        t.city(p, space)
    elif what == "capital":
        t.capital(p, space)
    elif what == "barbarian":
        t.barbarian("A", space)
    else:
        t.city_state(what, space)


GROUND = {"token": 1, "city": 2, "capital": 2, "barbarian": 1}  # on grassland; city-states have 8


def attack_bonus(t, what="token", by=0, space=(1, 0)):
    """Return what seat `by` adds to die and slot when it attacks the space with Masonry."""
    return t.attack(by, "Masonry", 1, space, LOSE, barbarian=what == "barbarian").attack - 1 - 1


def defence_bonus(t, what="token", by=0, space=(1, 0)):
    """Return what the defender adds to die and grassland when seat `by` attacks."""
    return t.attack(by, "Masonry", 1, space, LOSE, barbarian=what == "barbarian").defence - 6 - GROUND.get(what, 8)


# --- Joint War


@pytest.mark.effect("Joint War")
@pytest.mark.rule("B9.5")
@pytest.mark.parametrize("what", ["token", "city", "capital", "barbarian", "Seoul"])
def test_joint_war_adds_2_to_attacks(what):
    t = front()
    t.diplomacy(0, 2, "Joint War")
    target(t, what)
    assert attack_bonus(t, what) == 2


@pytest.mark.effect("Joint War")
@pytest.mark.rule("B9.12")
def test_joint_war_does_not_help_against_its_giver():
    t = front()
    t.diplomacy(0, 1, "Joint War")
    target(t, "token")
    assert attack_bonus(t) == 0
    assert t.g.diplomacy[1, names.JOINT_WAR] == -1


@pytest.mark.effect("Joint War")
def test_joint_war_is_of_no_use_to_its_owner():
    for holder in (None, 1, 2):
        t = front()
        if holder is not None:
            t.diplomacy(holder, 0, "Joint War")
        target(t, "token")
        assert attack_bonus(t) == 0


@pytest.mark.effect("Joint War")
def test_joint_war_does_not_help_in_defence():
    t = front()
    t.diplomacy(1, 2, "Joint War")
    target(t, "token")
    assert defence_bonus(t) == 0


@pytest.mark.effect("Joint War")
def test_joint_wars_of_two_players_add_up():
    t = front(leaders=[*THREE, "Japan"])
    t.diplomacy(0, 2, "Joint War")
    t.diplomacy(0, 3, "Joint War")
    target(t, "token")
    assert attack_bonus(t) == 4


# --- Defensive Pact


@pytest.mark.effect("Defensive Pact")
@pytest.mark.rule("B9.6")
@pytest.mark.parametrize("what", ["token", "city", "capital"])
def test_defensive_pact_adds_2_to_defence(what):
    t = front()
    t.diplomacy(1, 2, "Defensive Pact")
    target(t, what)
    assert defence_bonus(t, what) == 2


@pytest.mark.effect("Defensive Pact")
@pytest.mark.rule("B9.12")
def test_defensive_pact_does_not_help_against_its_giver_but_is_kept():
    t = front()
    t.diplomacy(1, 0, "Defensive Pact")
    target(t, "token")
    assert defence_bonus(t) == 0
    assert t.g.diplomacy[0, names.DEFENSIVE_PACT] == 1


@pytest.mark.effect("Defensive Pact")
def test_defensive_pact_is_of_no_use_to_its_owner():
    for holder in (None, 0, 2):
        t = front()
        if holder is not None:
            t.diplomacy(holder, 1, "Defensive Pact")
        target(t, "token")
        assert defence_bonus(t) == 0


@pytest.mark.effect("Defensive Pact")
def test_defensive_pact_does_not_help_in_attack_nor_barbarians_and_city_states():
    for what in ("token", "barbarian", "Seoul"):
        t = front()
        t.diplomacy(0, 2, "Defensive Pact")
        target(t, what)
        combat = t.attack(0, "Masonry", 1, (1, 0), LOSE, barbarian=what == "barbarian")
        assert (combat.attack, combat.defence) == (2, 6 + GROUND.get(what, 8))


# --- Embassy


def visit(t, *choices, space=(3, 0)):
    """Send a caravan of seat 0 to the space, three steps away."""
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, space), *choices)
    t.resolve(0, "Foreign Trade", slot=3)


@pytest.mark.effect("Embassy")
def test_embassy_in_the_givers_capital_gives_the_holder_a_resource_and_the_giver_a_trade_token():
    t = front()
    t.capital(1, (3, 0))
    t.diplomacy(0, 1, "Embassy")
    science = t.holder(1, "science")
    mine = [(decisions.PLACE_TRADE, t.holder(0, "culture"))] * 2
    visit(t, *mine, (decisions.TAKE_DIPLOMACY, PASS), (decisions.GIVE_TRADE, science), (decisions.GAIN_RESOURCE, OIL))
    assert t.options(decisions.GAIN_RESOURCE) == {0, 1, 2, 3}
    assert t.g.resources[0].tolist() == [int(k == OIL) for k in range(4)]
    assert (t.trade_on(1, "science"), t.g.trade[1].sum(), t.g.resources[1].sum()) == (1, 1, 0)


@pytest.mark.effect("Embassy")
def test_embassy_lets_the_visitor_say_which_card_of_the_giver_gets_the_token():
    t = front()
    t.capital(1, (3, 0))
    t.diplomacy(0, 1, "Embassy")
    t.wonder("Great Zimbabwe", (3, 0))  # no card of the row
    t.trade(1, "military", 3)
    visit(t, (decisions.TAKE_DIPLOMACY, PASS), (decisions.GIVE_TRADE, t.holder(1, "culture")), (decisions.GAIN_RESOURCE, OIL))
    ((seat, options),) = [(seat, options) for kind, seat, options in t.asked() if kind == decisions.GIVE_TRADE]
    assert seat == 0
    assert set(options) == {t.holder(1, kind) for kind in ("culture", "science", "economy", "industry")}
    assert (t.trade_on(1, "culture"), t.trade_on(1, "military")) == (1, 3)


@pytest.mark.effect("Embassy")
@pytest.mark.rule("B13.1")
def test_embassy_gives_the_resource_though_every_card_of_the_giver_is_full():
    t = front()
    t.capital(1, (3, 0))
    t.diplomacy(0, 1, "Embassy")
    for kind in names.FOCUS_TYPES[:5]:
        t.trade(1, kind, 3)
    visit(t, (decisions.TAKE_DIPLOMACY, PASS), (decisions.GAIN_RESOURCE, OIL))
    assert "give_trade" not in t.asked_kinds()
    assert (t.g.resources[0, OIL], t.g.trade[1].sum()) == (1, 15)


@pytest.mark.effect("Embassy")
def test_embassy_works_on_the_trip_that_takes_it():
    t = front()
    t.capital(1, (3, 0))
    visit(t, (decisions.TAKE_DIPLOMACY, names.EMBASSY), (decisions.GAIN_RESOURCE, OIL))
    assert (t.g.resources[0, OIL], t.g.trade[1].sum()) == (1, 1)


@pytest.mark.effect("Embassy")
def test_embassy_given_back_for_another_card_on_the_trip_gives_nothing():
    t = front()
    t.capital(1, (3, 0))
    t.diplomacy(0, 1, "Embassy")
    visit(t, (decisions.TAKE_DIPLOMACY, names.JOINT_WAR))
    assert t.g.diplomacy[1].tolist()[:4] == [0, -1, -1, -1]
    assert (t.g.resources[0].sum(), t.g.trade[1].sum()) == (0, 0)


@pytest.mark.effect("Embassy")
@pytest.mark.parametrize("case", ["city of the giver", "capital of another", "without the card", "held by the giver's guest"])
def test_embassy_gives_nothing_elsewhere_or_to_others(case):
    t = front()
    if case == "city of the giver":
        t.city(1, (3, 0))
    else:
        t.capital(2 if case == "capital of another" else 1, (3, 0))
    if case == "held by the giver's guest":
        t.diplomacy(2, 1, "Embassy")
    elif case != "without the card":
        t.diplomacy(0, 1, "Embassy")
    visit(t, (decisions.TAKE_DIPLOMACY, PASS))
    assert t.g.resources.sum() == 0
    assert (t.g.trade[0].sum(), t.g.trade[1].sum(), t.g.trade[2].sum()) == (2, 0, 0)


@pytest.mark.effect("Embassy")
def test_embassy_is_of_no_use_to_its_owner():
    t = front()
    t.capital(1, (3, 0))
    t.diplomacy(1, 0, "Embassy")  # seat 0's own card
    visit(t, (decisions.TAKE_DIPLOMACY, PASS))
    assert (t.g.resources.sum(), t.g.trade[1].sum()) == (0, 0)


@pytest.mark.effect("Embassy")
def test_the_resource_of_an_embassy_may_be_one_already_held():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"), radius=2)
    t.capital(1, (2, 0))
    t.diplomacy(0, 1, "Embassy")
    t.give_resources(0, marble=1, oil=1)
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)), (decisions.TAKE_DIPLOMACY, PASS))
    t.resolve(0, "Foreign Trade", 3)
    assert t.options(decisions.GAIN_RESOURCE) == set(range(len(names.RESOURCES)))


# --- Open Borders


def half_surrounded():
    """Return a table where the capital of seat 0 needs the tokens of seat 1 to be mature, and the other way round."""
    t = front()
    t.token(0, *AROUND[:4])
    t.token(1, *AROUND[4:])
    return t


@pytest.mark.effect("Open Borders")
@pytest.mark.rule("B1.4")
def test_open_borders_lets_the_givers_tokens_help_a_city_mature():
    t = half_surrounded()
    assert not t.mature(0, (0, 0))
    t.diplomacy(0, 1, "Open Borders")
    assert t.mature(0, (0, 0))
    t.g.event = 2
    t.call(turn.turn_event_dial)
    assert t.g.trade[0].sum() == 1


@pytest.mark.effect("Open Borders")
@pytest.mark.parametrize(("holder", "giver"), [(1, 0), (0, 2), (2, 1)])
def test_open_borders_helps_only_its_holder_and_with_the_givers_tokens(holder, giver):
    t = half_surrounded()
    t.diplomacy(holder, giver, "Open Borders")
    assert not t.mature(0, (0, 0))


@pytest.mark.effect("Open Borders")
@pytest.mark.rule("B1.4")
def test_open_borders_does_not_count_empty_spaces_or_cities_of_the_giver():
    t = front()
    t.token(0, *AROUND[:5])
    t.diplomacy(0, 1, "Open Borders")
    assert not t.mature(0, (0, 0))
    t.city(1, AROUND[5])
    assert not t.mature(0, (0, 0))


@pytest.mark.effect("Open Borders")
@pytest.mark.rule("B1.2")
@pytest.mark.parametrize(("owner", "offered"), [(0, True), (1, False)])
def test_open_borders_does_not_make_the_givers_spaces_friendly(owner, offered):
    t = front()
    t.token(owner, (2, 0))
    t.diplomacy(0, 1, "Open Borders")
    t.script()
    t.resolve(0, "Civil Service", slot=1)
    assert (t.at((3, 0)) in t.options(decisions.PLACE_TOKEN, 1)) == offered


@pytest.mark.effect("Open Borders")
@pytest.mark.parametrize(("p", "q"), [(0, 1), (1, 0), (2, 0)])
def test_land_is_shared_by_any_giver(p, q):
    t = Table(leaders=("Egypt", "Rome", "Aztec"))
    t.capital(p, (0, 0))
    t.capital(q, (3, 0))
    t.token(q, (1, 0))
    assert not pieces.is_own_land(t.g, p, t.at((1, 0)))
    t.diplomacy(p, q, "Open Borders")
    assert pieces.is_own_land(t.g, p, t.at((1, 0))) == bool(t.g.power[p, codes.SHARED_LAND])
    assert t.g.power[p, codes.MATURES_WITH] == 1 << q


# --- Carthage


@pytest.mark.effect("Carthage")
@pytest.mark.rule("B9.5")
def test_carthage_counts_city_states_and_own_cities_within_2_of_the_fight():
    t = front(radius=5)
    t.city_state_card(0, "Carthage")
    target(t, "token", (2, 0))  # the own capital is two spaces from it
    assert attack_bonus(t, space=(2, 0)) == 1
    t.city(0, (2, 2))
    t.city_state("Seoul", (3, -1))
    assert attack_bonus(t, space=(2, 0)) == 3


@pytest.mark.effect("Carthage")
def test_carthage_does_not_count_what_is_far_or_not_one_of_these():
    t = front(radius=5)
    t.city_state_card(0, "Carthage")
    target(t, "token", (2, 0))
    t.city(0, (5, 0))  # three spaces away
    t.city_state("Seoul", (2, -3))  # three spaces away
    t.city(1, (4, -1))  # a rival's
    t.city(2, (3, 1))  # a rival's
    t.token(0, (1, 0))  # no city
    assert attack_bonus(t, space=(2, 0)) == 1  # the capital alone


@pytest.mark.effect("Carthage")
@pytest.mark.parametrize("what", ["token", "city", "capital", "barbarian"])
def test_carthage_helps_against_every_target(what):
    t = front()
    t.city_state_card(0, "Carthage")
    target(t, what)
    assert attack_bonus(t, what) == 1


@pytest.mark.effect("Carthage")
def test_carthage_helps_against_another_city_state():
    t = front()
    t.city_state_card(0, "Carthage")
    t.city_state("Seoul", (1, 0))
    assert attack_bonus(t, "Seoul") >= 1


@pytest.mark.effect("Carthage")
@pytest.mark.rule("B9.12")
def test_carthage_does_not_help_against_carthage():
    t = front()
    t.city_state("Carthage", (1, 0))
    t.city_state_card(0, "Carthage")
    assert attack_bonus(t, "Carthage") == 0
    assert t.g.city_state_cards[names.CARTHAGE, 0] == 0


@pytest.mark.effect("Carthage")
@pytest.mark.rule("B9.6")
def test_carthage_helps_in_defence():
    t = front()
    t.city_state_card(1, "Carthage")
    target(t, "token")
    t.city(1, (2, 0))
    t.city_state("Seoul", (1, -2))
    assert defence_bonus(t) == 2


@pytest.mark.effect("Carthage")
@pytest.mark.parametrize("who", [None, 2])
def test_carthage_helps_nobody_without_the_card(who):
    t = front()
    if who is not None:
        t.city_state_card(who, "Carthage")
    target(t, "token")
    t.city(1, (2, 0))
    combat = t.attack(0, "Masonry", 1, (1, 0), LOSE)
    assert (combat.attack, combat.defence) == (2, 7)


@pytest.mark.rule("B9.5")
@pytest.mark.effect("Carthage")
@pytest.mark.parametrize("name", [names.CITY_STATES[0], names.CITY_STATES[-1]])
def test_carthage_counts_any_city_state_near_the_battle(name):
    t = table_with((0, 0))
    t.city_state_card(0, "Carthage")
    t.token(1, (3, 0))
    t.token(0, (2, 0))
    before = t.attack(0, "Masonry", 3, (3, 0), (1, 6)).attack
    t.city_state(name, (3, -1))
    assert t.attack(0, "Masonry", 3, (3, 0), (1, 6)).attack == before + 1


@pytest.mark.effect("Carthage")
@pytest.mark.parametrize("space", [s for s in disc(2) if s != (0, 0)])
def test_carthage_counts_any_space_within_its_range(space):
    t = Table()
    assert t.r.ability_within[t.r.city_state_first[names.CARTHAGE]] == 2
    t.city_state("Seoul", space)
    t.city(0, FIRST_SPACE)
    t.w.queue[:] = t.at(FIRST_SPACE)  # as an earlier count may have left it
    assert counts.settlements_near(t.r, t.g, t.w, 0, t.at((0, 0)), 2) == 1


@pytest.mark.rule("B9.5")
@pytest.mark.effect("Carthage")
@pytest.mark.parametrize("card", [False, True])
def test_carthage_counts_the_city_fought_for_itself(card):
    """Within two spaces of the fight: that is also the space of the fight."""
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.city(1, (2, 0))
    if card:
        t.city_state_card(1, "Carthage")
    combat = t.attack(0, "Masonry", 1, (2, 0), (1, 3))
    assert combat.defence == 3 + 2 * 1 + card


# --- Kabul


@pytest.mark.effect("Kabul")
@pytest.mark.rule("B9.5")
@pytest.mark.parametrize(
    ("what", "bonus"),
    [("city", 3), ("capital", 3), ("Seoul", 3), ("Carthage", 3), ("token", 0), ("barbarian", 0), ("Kabul", 0)],
)
def test_kabul_adds_3_against_cities_and_other_city_states(what, bonus):
    t = front()
    target(t, what)
    t.city_state_card(0, "Kabul")
    assert attack_bonus(t, what) == bonus
    assert t.g.city_state_cards[names.KABUL, 0] == (what != "Kabul")


@pytest.mark.effect("Kabul")
def test_kabul_does_not_help_the_defender_nor_anyone_else():
    t = front()
    target(t, "city")
    t.city_state_card(1, "Kabul")
    t.city_state_card(2, "Kabul")
    combat = t.attack(0, "Masonry", 1, (1, 0), LOSE)
    assert (combat.attack, combat.defence) == (2, 8)


# --- Kumasi, Mohenjo Daro


def offered_tokens(t, card="Early Empire", slot=1, p=0):
    t.script()
    t.resolve(p, card, slot)
    return t.options(decisions.PLACE_TOKEN)


WOODS = {(1, 0): "forest", (0, 1): "hills", (-1, 0): "desert"}


@pytest.mark.effect("Kumasi")
@pytest.mark.parametrize(("holder", "opened"), [(None, set()), (0, {(1, 0)}), (1, set())])
def test_kumasi_makes_forest_and_nothing_else_1_for_the_culture_card(holder, opened):
    t = front(terrain=WOODS)
    if holder is not None:
        t.city_state_card(holder, "Kumasi")
    assert offered_tokens(t) == t.spaces((-1, 1), (0, -1), (1, -1), *opened)


@pytest.mark.effect("Kumasi")
@pytest.mark.parametrize("with_card", [False, True])
def test_kumasi_makes_forest_1_for_a_city_and_for_its_count(with_card):
    walls = dict.fromkeys([(1, -1), (0, 1), (2, -1)], "mountain")
    t = front(radius=2, terrain={(1, 0): "forest", (2, 0): "forest", (-2, 0): "hills", **walls})
    if with_card:
        t.city_state_card(0, "Kumasi")
    t.script()
    t.resolve(0, "Pottery", slot=1)
    assert (t.at((2, 0)) in t.options(decisions.INDUSTRY)) == with_card
    # (1, 1) is reached only through the forest
    assert (t.at((1, 1)) in t.options(decisions.INDUSTRY)) == with_card
    assert t.at((-2, 0)) not in t.options(decisions.INDUSTRY)


@pytest.mark.effect("Kumasi")
@pytest.mark.parametrize("with_card", [False, True])
def test_kumasi_helps_the_tokens_around_a_new_city(with_card):
    t = front(terrain={(3, 0): "forest"})
    if with_card:
        t.city_state_card(0, "Kumasi")
    t.script((decisions.INDUSTRY, (2, 0)))
    t.resolve(0, "Urbanization", slot=1)
    assert (t.at((3, 0)) in t.options(decisions.PLACE_TOKEN)) == with_card


@pytest.mark.effect("Kumasi")
def test_kumasi_does_not_help_caravans_nor_make_forest_weaker_in_combat():
    t = front(terrain={(1, 0): "forest", (-1, 0): "forest"})
    t.city_state_card(0, "Kumasi")
    t.city_state_card(1, "Kumasi")
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.at((1, 0)) not in t.options(decisions.CARAVAN_TO)
    t.token(1, (1, 0))
    assert defence_bonus(t) == 2  # forest 3 instead of grassland 1


@pytest.mark.effect("Mohenjo Daro")
@pytest.mark.parametrize(
    ("holder", "slot", "terrain", "offered"),
    [
        (0, 1, "hills", True), (0, 1, "forest", False), (0, 3, "desert", True), (0, 4, "mountain", True),
        (0, 3, "mountain", False), (0, 5, "water", False), (None, 1, "hills", False), (1, 1, "hills", False),
    ],
)  # fmt: skip
def test_mohenjo_daro_makes_every_space_1_easier_for_control_tokens(holder, slot, terrain, offered):
    t = front(terrain={(1, 0): terrain})
    if holder is not None:
        t.city_state_card(holder, "Mohenjo Daro")
    assert (t.at((1, 0)) in offered_tokens(t, slot=slot)) == offered


@pytest.mark.effect("Mohenjo Daro")
@pytest.mark.rule("B1.1")
def test_mohenjo_daro_makes_a_natural_wonder_4():
    t = front()
    t.natural_wonder("Crater Lake", (1, 0))
    assert t.at((1, 0)) not in offered_tokens(t, slot=4)
    t.city_state_card(0, "Mohenjo Daro")
    assert t.at((1, 0)) in offered_tokens(t, slot=4)


@pytest.mark.effect("Mohenjo Daro")
@pytest.mark.parametrize("with_card", [False, True])
def test_mohenjo_daro_helps_the_tokens_of_hanging_gardens_and_of_a_new_city(with_card):
    t = front(terrain={(1, 0): "mountain", (3, 0): "hills"})
    t.wonder("Hanging Gardens", (0, 0))
    if with_card:
        t.city_state_card(0, "Mohenjo Daro")
    t.script(
        (decisions.START_EFFECT, decisions.FX_HANGING_GARDENS),
        (decisions.PLACE_TOKEN, PASS),
        (decisions.CARD, t.row(0).index("science")),
    )
    t.take_turn(0)
    assert (t.at((1, 0)) in t.options(decisions.PLACE_TOKEN)) == with_card
    t.script((decisions.INDUSTRY, (2, 0)))
    t.resolve(0, "Urbanization", slot=1)
    assert (t.at((3, 0)) in t.options(decisions.PLACE_TOKEN)) == with_card


@pytest.mark.effect("Mohenjo Daro")
def test_mohenjo_daro_does_not_help_cities_or_caravans_nor_weaken_a_defence():
    t = front(terrain={(2, 0): "hills", (0, 1): "hills"})
    t.city_state_card(0, "Mohenjo Daro")
    t.city_state_card(1, "Mohenjo Daro")
    t.script()
    t.resolve(0, "Pottery", slot=1)
    assert t.at((2, 0)) not in t.options(decisions.INDUSTRY)
    assert t.at((-2, 0)) in t.options(decisions.INDUSTRY)
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.at((0, 1)) not in t.options(decisions.CARAVAN_TO)
    assert t.at((-1, 0)) in t.options(decisions.CARAVAN_TO)
    t.token(1, (2, 0))
    assert defence_bonus(t, space=(2, 0)) == 1  # hills 2 instead of grassland 1


# --- Brussels, Buenos Aires


def price(t, wonder):
    """Return what the wonder costs seat 0: the smallest production that gets it offered."""
    t.deck(wonder)
    for production in range(1, 9):
        t.trade(0, "industry", max(0, production - 5))
        t.script()
        t.resolve(0, "Pottery", slot=min(production, 5))
        if decisions.WONDER_OPTION + names.WONDERS.index(wonder) in t.options(decisions.INDUSTRY):
            return production
    return None


@pytest.mark.effect("Brussels")
@pytest.mark.rule("B8.5")
@pytest.mark.parametrize("holder", [None, 0, 1])
def test_brussels_takes_1_off_for_each_own_mature_city(holder):
    t = front()
    t.city(0, (2, -3))
    t.city(1, (-3, 3))
    if holder is not None:
        t.city_state_card(holder, "Brussels")
    assert price(t, "Stonehenge") == 7
    t.token(1, (-3, 2), (-2, 2), (-2, 3))
    assert t.mature(1, (-3, 3))
    assert price(t, "Stonehenge") == 7  # a rival's mature city
    t.token(0, *AROUND)
    assert price(t, "Stonehenge") == (6 if holder == 0 else 7)
    t.token(0, (1, -3), (1, -2), (2, -2), (3, -3))
    assert price(t, "Stonehenge") == (5 if holder == 0 else 7)


@pytest.mark.effect("Buenos Aires")
@pytest.mark.rule("B8.5")
@pytest.mark.parametrize(
    ("holder", "built", "owner", "cost"),
    [
        (None, None, 0, 7),
        (1, None, 0, 7),
        (0, None, 0, 5),
        (0, "Colossus", 0, 5),  # an own wonder of another type
        (0, "Chichen Itza", 1, 5),  # a rival's wonder of the type
        (0, "Chichen Itza", 0, 7),  # an own wonder of the type
    ],
)
def test_buenos_aires_takes_2_off_the_first_own_wonder_of_a_type(holder, built, owner, cost):
    t = front()
    t.city(0, (-2, 0))
    t.city(1, (3, 0))
    if holder is not None:
        t.city_state_card(holder, "Buenos Aires")
    if built:
        t.wonder(built, (-2, 0) if owner == 0 else (3, 0))
    assert price(t, "Stonehenge") == cost


@pytest.mark.effect("Brussels")
@pytest.mark.effect("Buenos Aires")
def test_brussels_and_buenos_aires_add_up():
    t = front()
    t.token(0, *AROUND)
    t.city_state_card(0, "Brussels")
    t.city_state_card(0, "Buenos Aires")
    assert price(t, "Stonehenge") == 7 - 1 - 2


@pytest.mark.effect("Brussels")
@pytest.mark.rule("B8.5")
def test_a_wonder_never_costs_less_than_nothing(tmp_path):
    t = table_with((0, 0), leaders=("Egypt", "Aztec"), rules=rules_with(tmp_path))
    t.r.ability_amount[t.r.city_state_first[names.BRUSSELS]] = -20
    t.token(0, *AROUND)
    t.city_state_card(0, "Brussels")
    assert industry.wonder_cost(t.r, t.g, 0, names.WONDERS.index("Stonehenge")) == 0


# --- Seoul


def seoul(p=0):
    """Return a table where seat `p` holds Seoul's card and a barbarian stands at (2, 0)."""
    t = front()
    t.barbarian("C", (2, 0))
    t.city_state_card(p, "Seoul")
    return t


C = names.LETTERS.index("C")


@pytest.mark.effect("Seoul")
@pytest.mark.rule("B4.1")
def test_seoul_moves_a_barbarian_one_space_at_the_start_of_the_turn():
    t = seoul()
    t.script((decisions.START_EFFECT, decisions.FX_SEOUL), (decisions.SEOUL_MOVE, C * 256 + t.at((3, -1))), (decisions.CARD, 0))
    t.take_turn(0)
    around = [(3, 0), (2, 1), (1, 1), (1, 0), (2, -1), (3, -1)]
    assert t.options(decisions.SEOUL_MOVE) == {C * 256 + t.at(s) for s in around}
    assert t.g.barbarian_space[C] == t.at((3, -1))
    assert (t.g.barbarians[t.at((2, 0))], t.g.barbarians[t.at((3, -1))]) == (0, 1)
    assert t.asked_kinds().count("seoul") == 1


@pytest.mark.effect("Seoul")
@pytest.mark.rule("B1.3")
def test_seoul_moves_a_barbarian_only_onto_empty_land():
    t = front(terrain={(3, 0): "water"})
    t.barbarian("C", (2, 0))
    t.city_state_card(0, "Seoul")
    t.token(1, (2, 1))
    t.caravan(1, (1, 1))
    t.resource("oil", (1, 0))
    t.city_state("Geneva", (2, -1))
    t.script((decisions.START_EFFECT, decisions.FX_SEOUL))
    t.take_turn(0)
    assert t.options(decisions.SEOUL_MOVE) == {C * 256 + t.at((3, -1))}
    t.barbarian("D", (3, -1))
    t.script()
    t.take_turn(0)
    assert C * 256 + t.at((3, -1)) not in t.options(decisions.SEOUL_MOVE)


@pytest.mark.effect("Seoul")
def test_seoul_need_not_be_used():
    t = seoul()
    t.script((decisions.START_EFFECT, PASS), (decisions.CARD, 0))
    t.take_turn(0)
    assert t.g.barbarian_space[C] == t.at((2, 0))


@pytest.mark.effect("Seoul")
@pytest.mark.parametrize("case", ["held by a rival", "no barbarian"])
def test_seoul_is_not_offered(case):
    t = seoul(p=1) if case == "held by a rival" else front()
    if case == "no barbarian":
        t.city_state_card(0, "Seoul")
    t.script((decisions.CARD, 0))
    t.take_turn(0)
    assert "start_effect" not in t.asked_kinds()


@pytest.mark.effect("Seoul")
@pytest.mark.parametrize("letter", ["A", "C", names.LETTERS[-1]])
@pytest.mark.parametrize("space", ENDS)
def test_seoul_pushes_any_barbarian_to_either_end(letter, space):
    t = table_with((0, 0))
    t.city_state_card(0, "Seoul")
    t.barbarian(letter, inwards(space))
    t.script(
        (decisions.START_EFFECT, decisions.FX_SEOUL), (decisions.SEOUL_MOVE, names.LETTERS.index(letter) * 256 + t.at(space))
    )
    t.call(start_effects.start_of_turn, 0)
    t.require_script_done()
    assert t.barbarian_at(letter) == space
    assert sum(t.g.barbarians.tolist()) == 1


@pytest.mark.effect("Seoul")
@pytest.mark.parametrize("space", ENDS)
def test_seoul_pushes_a_barbarian_off_either_end(space):
    t = table_with((0, 0))
    t.city_state_card(0, "Seoul")
    t.barbarian("A", space)
    pushed = t.at(inwards(space))  # barbarian A is number 0
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_SEOUL), (decisions.SEOUL_MOVE, pushed))
    assert t.barbarian_at("A") == inwards(space)


def beat_barbarian_at(r, g, w, bots, s):
    pieces.beat_barbarian(g, w, 0, s)


@pytest.mark.effect("Seoul")
def test_a_barbarian_off_the_map_cannot_be_pushed_even_where_the_map_fills_the_list_of_spaces():
    t = Table(spaces=[(q, r) for q in range(-8, 8) for r in range(-8, 8)])
    assert t.g.n_spaces == names.MAX_SPACES
    t.barbarian("A", (0, 0))
    t.call(beat_barbarian_at, t.at((0, 0)))
    assert barbarians.list_pushes(t.r, t.g, t.w) == 0


# --- Geneva


def swap(giver, old, new):
    return giver * 64 + old * 8 + new


@pytest.mark.effect("Geneva")
@pytest.mark.rule("B4.1")
def test_geneva_swaps_a_card_for_another_of_the_same_player():
    t = front()
    t.city_state_card(0, "Geneva")
    t.diplomacy(0, 1, "Embassy")
    t.diplomacy(2, 1, "Open Borders")  # not with its giver
    t.script(
        (decisions.START_EFFECT, decisions.FX_GENEVA),
        (decisions.GENEVA_SWAP, swap(1, names.EMBASSY, names.JOINT_WAR)),
        (decisions.CARD, 0),
    )
    t.take_turn(0)
    # nothing from seat 2, of whom no card is held
    assert t.options(decisions.GENEVA_SWAP) == {swap(1, names.EMBASSY, new) for new in (names.JOINT_WAR, names.DEFENSIVE_PACT)}
    assert t.g.diplomacy[1, : len(names.DIPLOMACY_CARDS)].tolist() == [0, -1, -1, 2]
    assert t.asked_kinds().count("geneva") == 1


@pytest.mark.effect("Geneva")
def test_geneva_need_not_be_used():
    t = front()
    t.city_state_card(0, "Geneva")
    t.diplomacy(0, 1, "Embassy")
    t.script((decisions.START_EFFECT, PASS), (decisions.CARD, 0))
    t.take_turn(0)
    assert t.g.diplomacy[1, names.EMBASSY] == 0


@pytest.mark.effect("Geneva")
@pytest.mark.parametrize("case", ["no card of a player", "held by a rival", "a rival's turn"])
def test_geneva_is_not_offered(case):
    t = front()
    t.city_state_card(1 if case == "held by a rival" else 0, "Geneva")
    if case != "no card of a player":
        t.diplomacy(0, 1, "Embassy")
    t.script((decisions.CARD, 0))
    t.take_turn(2 if case == "a rival's turn" else 0)
    assert "start_effect" not in t.asked_kinds()


@pytest.mark.effect("Geneva")
@pytest.mark.parametrize("left", [0, 1])
def test_geneva_is_offered_for_a_single_possible_swap(left):
    t = Table(leaders=("Egypt", "Aztec", "Rome"))
    t.capital(0, (0, 0))
    t.city_state_card(0, "Geneva")
    t.g.diplomacy[1, 0] = 0
    t.g.diplomacy[1, 1 + left : 4] = 2
    t.start_of_turn()
    assert t.offers(decisions.START_EFFECT) == ([[decisions.FX_GENEVA, PASS]] if left else [])


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.effect("Geneva")
@pytest.mark.parametrize("old", range(len(names.DIPLOMACY_CARDS)))
@pytest.mark.parametrize("new", range(len(names.DIPLOMACY_CARDS)))
def test_geneva_swaps_any_card_for_any_other_of_the_same_player(p, q, old, new):
    t = table_of_three(p, q)
    t.city_state_card(p, "Geneva")
    t.g.diplomacy[q, old] = p
    swap = q * 64 + old * 8 + new
    if old == new:
        t.call(diplomacy.swap_diplomacy, p, 1)
        assert swap not in t.options(decisions.GENEVA_SWAP)
        return
    t.script((decisions.GENEVA_SWAP, swap))
    t.call(diplomacy.swap_diplomacy, p, 1)
    assert t.options(decisions.GENEVA_SWAP) == {q * 64 + old * 8 + c for c in range(4) if c != old}
    assert [int(t.g.diplomacy[q, c]) for c in (old, new)] == [-1, p]


@pytest.mark.effect("Geneva")
def test_geneva_may_be_declined():
    t = table_of_three(0, 1)
    t.city_state_card(0, "Geneva")
    t.g.diplomacy[1, 0] = 0
    t.script((decisions.GENEVA_SWAP, PASS))
    t.call(diplomacy.swap_diplomacy, 0, 1)
    t.require_script_done()
    assert t.g.diplomacy[1, :4].tolist() == [0, -1, -1, -1]
