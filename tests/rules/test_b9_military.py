"""B9.1 to B9.8: military cards: reinforcing, attacking, who wins."""

from functools import partial

import pytest
from table import (
    ENDS,
    LAST_SPACE,
    PAIRS,
    PASS,
    Table,
    bare_state,
    inwards,
    printed_rules,
    rome_with,
    row_with_capital,
    table_of_three,
    table_with,
    ti_rules,
    used_work,
)

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, combat, decisions, map, state
from newdawn.simulator.engine.combat import attack_bonus
from newdawn.simulator.rules import codes

CARDS = ["Masonry", "Iron Working", "Mass Production", "Flight"]
CHOOSE_ONE = ["Masonry", "Iron Working", "Flight"]
RANGE = {"Masonry": 2, "Iron Working": 3, "Mass Production": 3, "Flight": 5}
ATTACKS = {"Masonry": 2, "Iron Working": 2, "Mass Production": 2, "Flight": 3}
BONUS = {"Masonry": 0, "Iron Working": 1, "Mass Production": 2, "Flight": 3}
BONUS_BARBARIAN = {"Masonry": 0, "Iron Working": 3, "Mass Production": 2, "Flight": 3}
DIFFICULTY = {"grassland": 1, "hills": 2, "forest": 3, "desert": 4, "mountain": 5}
ALL_TYPES = ["culture", "science", "economy", "industry", "military"]
WIN, LOSE = (6, 1), (1, 6)

line = row_with_capital
front = partial(table_with, (0, 0))  # (1, 0) is where the enemy stands


def start_attack(card):
    """Return the choices that lead to the first target: Mass Production does not ask what to do."""
    return [] if card == "Mass Production" else [(decisions.MILITARY, decisions.MILITARY_ATTACK)]


def targets(t, card, slot=1):
    """Return the targets seat 0 is offered with the card: (q, r) of each piece, ("barbarian", (q, r)) of barbarians."""
    t.script(*(start_attack(card) if can_attack(t, card, slot) else []))
    t.resolve(0, card, slot)
    found = set()
    for option in t.options(decisions.ATTACK):
        found.add(
            t.coordinates[option]
            if option < decisions.BARBARIAN_OPTION
            else ("barbarian", t.coordinates[option - decisions.BARBARIAN_OPTION])
        )
    return found


def can_attack(t, card, slot):
    """Is attacking offered at all with the card?"""
    t.script()
    t.resolve(0, card, slot)
    return decisions.MILITARY_ATTACK in t.options(decisions.MILITARY)


def asked_of(t, kind):
    """Return the seats that were asked for the kind of decision, in order."""
    return [seat for k, seat, _ in t.asked() if k == kind]


# --- B9.1 reinforcing


@pytest.mark.rule("B9.1")
@pytest.mark.effect("Masonry")
@pytest.mark.effect("Iron Working")
@pytest.mark.effect("Flight")
@pytest.mark.parametrize("card", CHOOSE_ONE)
@pytest.mark.parametrize("slot", [1, 3])
def test_reinforces_as_many_own_tokens_as_the_slot_number(card, slot):
    t = front()
    own = [(1, 0), (0, 1), (-1, 1), (-1, 0)]
    t.token(0, *own)
    t.script((decisions.MILITARY, decisions.MILITARY_REINFORCE), *[(decisions.REINFORCE, s) for s in own[:slot]])
    t.resolve(0, card, slot)
    assert t.asked_kinds().count("reinforce") == slot
    assert [t.piece(s) for s in own] == ["reinforced_token"] * slot + ["token"] * (4 - slot)


@pytest.mark.rule("B9.1")
def test_only_own_unreinforced_control_tokens_can_be_reinforced():
    t = front()
    t.token(0, (1, 0), (0, 1))
    t.token(0, (-1, 0), reinforced=True)
    t.token(1, (2, 0))
    t.city(0, (0, -2))
    t.script((decisions.MILITARY, decisions.MILITARY_REINFORCE))
    t.resolve(0, "Masonry", slot=3)
    assert t.options(decisions.REINFORCE) == t.spaces((1, 0), (0, 1))


@pytest.mark.rule("B9.1")
def test_may_reinforce_fewer_tokens_than_the_slot_number():
    t = front()
    t.token(0, (1, 0), (0, 1))
    t.script((decisions.MILITARY, decisions.MILITARY_REINFORCE), (decisions.REINFORCE, (1, 0)), (decisions.REINFORCE, PASS))
    t.resolve(0, "Masonry", slot=5)
    assert (t.piece((1, 0)), t.piece((0, 1))) == ("reinforced_token", "token")


@pytest.mark.rule("B9.1")
@pytest.mark.rule("B9.2")
@pytest.mark.parametrize("card", CHOOSE_ONE)
@pytest.mark.parametrize(
    ("choice", "other"), [(decisions.MILITARY_REINFORCE, "attack"), (decisions.MILITARY_ATTACK, "reinforce")]
)
def test_reinforces_or_attacks_but_not_both(card, choice, other):
    t = front()
    t.token(0, (0, 1))
    t.token(1, (1, 0))
    t.script((decisions.MILITARY, choice))
    t.resolve(0, card, slot=3)
    assert other not in t.asked_kinds()


@pytest.mark.rule("B9.1")
@pytest.mark.effect("Mass Production")
@pytest.mark.parametrize(("attacks", "dice"), [(0, ()), (1, LOSE), (1, WIN), (2, LOSE * 2)])
def test_mass_production_reinforces_the_slot_number_minus_the_attacks_made(attacks, dice):
    t = front(terrain={(1, 0): "mountain"})
    own = [(0, 1), (-1, 1), (-1, 0), (0, -1)]
    t.token(0, *own)
    t.token(1, (1, 0))
    stop = [] if attacks == 2 else [(decisions.ATTACK, PASS)]
    attack = [(decisions.ATTACK, (1, 0))] * attacks
    if dice == WIN:  # no target is left to ask for
        stop = []
    t.dice(*dice)
    t.script(*attack, *stop, *[(decisions.REINFORCE, s) for s in own[: 3 - attacks]])
    t.resolve(0, "Mass Production", slot=3)
    assert t.asked_kinds().count("attack") == attacks + len(stop)
    assert t.asked_kinds().count("reinforce") == 3 - attacks


@pytest.mark.rule("B9.1")
@pytest.mark.effect("Mass Production")
def test_mass_production_never_reinforces_a_negative_number():
    t = front(terrain={(1, 0): "mountain"})
    t.token(0, (0, 1))
    t.token(1, (1, 0))
    t.dice(*LOSE * 2)
    t.script((decisions.ATTACK, (1, 0)), (decisions.ATTACK, (1, 0)))
    t.resolve(0, "Mass Production", slot=1)
    assert "reinforce" not in t.asked_kinds()


@pytest.mark.rule("B9.1")
@pytest.mark.parametrize("space", ENDS)
def test_a_token_is_reinforced_wherever_it_lies(space):
    t = front()
    t.token(0, space)
    t.script((decisions.MILITARY, decisions.MILITARY_REINFORCE), (decisions.REINFORCE, space))
    t.resolve(0, "Masonry", 1)
    assert t.piece(space) == "reinforced_token"


@pytest.mark.rule("B9.1")
def test_who_stops_reinforcing_is_not_asked_again():
    t = front()
    t.token(0, (1, 0), (2, 0))
    before = t.g.piece.tolist()
    t.script((decisions.MILITARY, decisions.MILITARY_REINFORCE), (decisions.REINFORCE, PASS))
    t.resolve(0, "Masonry", 3)
    assert t.asked_kinds().count("reinforce") == 1
    assert t.g.piece.tolist() == before


@pytest.mark.rule("B9.1")
@pytest.mark.parametrize("more", [0, 2])
def test_mass_production_reinforces_with_what_the_attacks_left_and_what_abilities_add(more):
    t = rome_with({"effect": "reinforcements", "amount": more})
    t.token(0, (1, 0), (0, 1), (-1, 0), (0, -1), (1, -1))
    t.script(*[(decisions.REINFORCE, space) for space in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, -1))][: 2 + more])
    t.resolve(0, "Mass Production", 2)
    assert sum(t.piece(space) == "reinforced_token" for space in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, -1))) == 2 + more


@pytest.mark.rule("B9.2")
@pytest.mark.rule("B9.1")
def test_a_military_card_offers_reinforcing_attacking_and_passing():
    t = defended(0, 1)
    t.script()
    t.resolve(0, "Masonry", 1)
    asked = [options for kind, _, options in t.asked() if kind == decisions.MILITARY]
    assert asked == [[decisions.MILITARY_REINFORCE, decisions.MILITARY_ATTACK, PASS]]


@pytest.mark.effect("Mass Production")
def test_mass_production_never_asks_which_of_both():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.token(0, (1, 0))
    t.token(1, (2, 0))
    t.script()
    t.resolve(0, "Mass Production", 3)
    assert t.asked_kinds() == ["attack", "reinforce"]


# --- B9.2 attacks: how many, how far, at what


@pytest.mark.rule("B9.2")
@pytest.mark.effect("Masonry")
@pytest.mark.effect("Iron Working")
@pytest.mark.effect("Mass Production")
@pytest.mark.effect("Flight")
@pytest.mark.parametrize("card", CARDS)
def test_number_of_attacks_and_failing_does_not_forbid_trying_again(card):
    t = line(terrain={(1, 0): "mountain"})
    t.barbarian("A", (1, 0))
    t.dice(*LOSE * ATTACKS[card])
    target = decisions.BARBARIAN_OPTION + t.at((1, 0))
    t.script(*start_attack(card), *[(decisions.ATTACK, target)] * ATTACKS[card])
    t.resolve(0, card, slot=1)
    assert t.asked_kinds().count("attack") == len(t.combats()) == ATTACKS[card]


@pytest.mark.rule("B9.2")
def test_may_make_fewer_attacks():
    t = line()
    t.barbarian("A", (1, 0))
    t.dice(*LOSE)
    t.script(
        (decisions.MILITARY, decisions.MILITARY_ATTACK),
        (decisions.ATTACK, decisions.BARBARIAN_OPTION + t.at((1, 0))),
        (decisions.ATTACK, PASS),
    )
    t.resolve(0, "Masonry", slot=1)
    assert len(t.combats()) == 1


@pytest.mark.rule("B9.2")
@pytest.mark.effect("Masonry")
@pytest.mark.effect("Iron Working")
@pytest.mark.effect("Mass Production")
@pytest.mark.effect("Flight")
@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("beyond", [0, 1])
def test_range_of_each_card(card, beyond):
    t = line()
    far = (RANGE[card] + beyond, 0)
    t.token(1, far)
    assert targets(t, card) == (set() if beyond else {far})


@pytest.mark.rule("B9.2")
def test_distance_counts_from_any_friendly_space_but_not_from_a_caravan():
    t = line()
    t.barbarian("A", (6, 0))
    t.caravan(0, (4, 0))
    assert targets(t, "Masonry") == set()
    t.token(0, (4, 0))
    assert targets(t, "Masonry") == {("barbarian", (6, 0))}


@pytest.mark.rule("B9.2")
def test_targets_are_barbarians_city_states_and_rival_cities_and_tokens():
    t = front()
    t.token(0, (0, 1))
    t.city(0, (-2, 0))
    t.barbarian("A", (1, 0))
    t.city_state("Seoul", (0, -1))
    t.token(1, (-1, 1))
    t.token(1, (1, 1), reinforced=True)
    t.city(1, (2, -2))
    t.capital(1, (-2, 2))
    t.caravan(1, (-1, 0))
    t.resource("oil", (2, 0))
    assert targets(t, "Masonry") == {("barbarian", (1, 0)), (0, -1), (-1, 1), (1, 1), (2, -2), (-2, 2)}


@pytest.mark.rule("B9.2")
def test_without_a_target_no_attack_is_offered():
    t = front()
    t.token(0, (1, 0))
    assert not can_attack(t, "Flight", slot=5)


@pytest.mark.rule("B9.2")
def test_a_barbarian_on_an_own_space_is_a_target_and_what_is_near_is_one_too():
    r = printed_rules()
    g, w = bare_state(line=7), used_work()
    g.owner[3], g.piece[3] = 1, names.CAPITAL
    card = names.MILITARY * names.N_LEVELS
    assert combat.list_targets(r, g, w, 1, card) == 0
    for s in (3, 4, 0):
        g.barbarians[:] = 0
        g.barbarians[s] = 1
        near = abs(s - 3) <= r.card_attack_range[card]
        assert combat.list_targets(r, g, w, 1, card) == int(near)
        assert not near or w.option[0] == decisions.BARBARIAN_OPTION + s


@pytest.mark.rule("B9.2")
@pytest.mark.parametrize("space", ENDS)
@pytest.mark.parametrize("what", ["token", "city", "city-state", "barbarian"])
def test_every_kind_of_target_is_found_wherever_it_stands(space, what):
    t = front()
    t.token(0, inwards(space))
    if what == "token":
        t.token(1, space)
    elif what == "city":
        t.city(1, space)
    elif what == "city-state":
        t.city_state("Carthage", space)
    else:
        t.barbarian("A", space)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK))
    t.resolve(0, "Masonry", 1)
    assert t.options(decisions.ATTACK) == {t.at(space) + (decisions.BARBARIAN_OPTION if what == "barbarian" else 0)}


@pytest.mark.rule("B9.2")
@pytest.mark.parametrize("space", ENDS)
def test_an_attack_is_counted_from_every_friendly_space(space):
    t = Table()
    t.city(0, space)
    t.token(1, (1 if space[0] > 0 else -1, 0))
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK))
    t.resolve(0, "Masonry", 1)
    assert len(t.options(decisions.ATTACK)) == 1


@pytest.mark.rule("B9.2")
@pytest.mark.parametrize("space", ENDS)
def test_a_barbarian_at_either_end_of_the_list_is_attacked_where_it_stands(space):
    t = front()
    t.token(0, inwards(space))
    t.barbarian("A", space)
    combat = t.attack(0, "Masonry", 5, space, (6, 1), barbarian=True)
    assert combat.won
    assert t.barbarian_at("A") is None


@pytest.mark.rule("B11.3")
@pytest.mark.rule("B9.2")
def test_a_barbarian_that_stays_on_the_own_capital_is_attacked_there():
    t = front()
    t.barbarian("A", (1, 0))
    t.dice(4)
    t.call(barbarians.move_barbarians)
    assert t.barbarian_at("A") == (0, 0)
    assert t.attack(0, "Masonry", 5, (0, 0), (6, 1), barbarian=True).won
    assert t.barbarian_at("A") is None
    assert t.piece((0, 0)) == "capital"


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
            if t.g.owner[s] == 0 and map.hex_distance(t.g, s, t.at((2, 1))) <= reach
        }
        found = combat.terrains_of_attack(t.r, t.g, t.w, 0, card, t.at((2, 1)))
        assert {k for k in range(names.N_TERRAINS) if found >> k & 1} == bits | near | far


def test_a_card_that_makes_no_attacks_makes_none_with_abilities_either():
    t = rome_with({"effect": "attacks", "amount": 2})
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


# --- B9.3 what blocks the count


def obstacle(t, what, space):
    """Put something on the space that may block the count."""
    if what == "rival_token":
        t.token(1, space)
    elif what == "rival_city":
        t.city(1, space)
    elif what == "barbarian":
        t.barbarian("B", space)
    elif what == "city_state":
        t.city_state("Seoul", space)
    elif what == "own_token":
        t.token(0, space)
    elif what == "caravan":
        t.caravan(1, space)


PASSES = {"Mass Production": {"water"}, "Flight": {"water", "rival_token", "rival_city", "barbarian"}}


@pytest.mark.rule("B9.3")
@pytest.mark.effect("Masonry")
@pytest.mark.effect("Iron Working")
@pytest.mark.effect("Mass Production")
@pytest.mark.effect("Flight")
@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("what", ["water", "rival_token", "rival_city", "barbarian"])
def test_the_count_is_blocked_by_water_rival_spaces_and_barbarians_unless_the_card_says_so(card, what):
    t = line(terrain={(1, 0): "water"} if what == "water" else None)
    obstacle(t, what, (1, 0))
    t.barbarian("A", (2, 0))
    found = targets(t, card)
    assert (("barbarian", (2, 0)) in found) == (what in PASSES.get(card, set()))


@pytest.mark.rule("B9.3")
@pytest.mark.parametrize("what", ["mountain", "desert", "city_state", "own_token", "caravan"])
def test_difficulty_and_other_things_do_not_block_the_count(what):
    t = line(terrain={(1, 0): what} if what in DIFFICULTY else None)
    obstacle(t, what, (1, 0))
    t.barbarian("A", (2, 0))
    assert ("barbarian", (2, 0)) in targets(t, "Masonry", slot=1)


@pytest.mark.rule("B9.3")
@pytest.mark.effect("Flight")
def test_flight_reaches_five_spaces_over_anything():
    t = line(terrain={(1, 0): "water", (4, 0): "water"})
    t.token(1, (2, 0))
    t.barbarian("A", (3, 0))
    t.city(1, (5, 0))
    assert targets(t, "Flight") == {(2, 0), ("barbarian", (3, 0)), (5, 0)}


@pytest.mark.rule("B9.3")
@pytest.mark.parametrize("taken", ["token", "city"])
@pytest.mark.parametrize(("card", "reached"), [("Masonry", False), ("Iron Working", True)])
def test_no_attack_from_a_space_taken_this_turn_but_through_it(taken, card, reached):
    t = line()  # from the capital the second target is three spaces away, from the taken space two
    t.token(1, (1, 0)) if taken == "token" else t.city(1, (1, 0))
    t.token(1, (3, 0))
    t.attack(0, card, 5, (1, 0), WIN)
    assert t.owner((1, 0)) == 0
    assert (t.at((3, 0)) in t.options(decisions.ATTACK, 1)) == reached


@pytest.mark.rule("B9.3")
def test_a_conquered_city_state_is_a_space_taken_this_turn():
    t = line()
    t.city_state("Seoul", (1, 0))
    t.token(1, (3, 0))
    t.attack(0, "Masonry", 5, (1, 0), WIN)
    assert t.owner((1, 0)) == 0
    assert t.options(decisions.ATTACK, 1) == set()


@pytest.mark.rule("B9.3")
def test_a_space_taken_last_turn_is_one_to_attack_from():
    t = line()
    t.token(1, (1, 0), (3, 0))
    t.attack(0, "Masonry", 5, (1, 0), WIN)
    t.script((decisions.CARD, t.row(0).index("military")), (decisions.MILITARY, decisions.MILITARY_ATTACK))
    t.take_turn(0)
    assert t.options(decisions.ATTACK) == t.spaces((3, 0))


@pytest.mark.rule("B9.3")
def test_a_beaten_barbarian_opens_the_way():
    t = line()
    t.barbarian("A", (1, 0))
    t.token(1, (2, 0))
    t.attack(0, "Masonry", 5, (1, 0), WIN, barbarian=True)
    assert t.options(decisions.ATTACK, 0) == {decisions.BARBARIAN_OPTION + t.at((1, 0))}
    assert t.options(decisions.ATTACK, 1) == t.spaces((2, 0))


@pytest.mark.rule("B9.3")
@pytest.mark.parametrize("wall", [None, 0, 2])
def test_the_count_of_an_attack_goes_through_no_rivals_space_whoever_the_rival_is(wall):
    t = Table(spaces=[(q, 0) for q in range(5)], leaders=("Rome", "Egypt", "Aztec"))
    t.capital(1, (0, 0))
    t.token(2, (2, 0))
    if wall is not None:
        t.token(wall, (1, 0))
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK))
    t.resolve(1, "Masonry", 1)
    assert t.options(decisions.ATTACK) == (t.spaces((2, 0)) if wall is None else t.spaces((1, 0)))


@pytest.mark.rule("B9.3")
@pytest.mark.rule("B11.3a")
def test_an_attack_sets_out_from_a_capital_on_which_a_barbarian_stayed():
    t = front(spaces=[(0, 0), (1, 0)])
    t.barbarian("A", (0, 0))
    t.token(1, (1, 0))
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK))
    t.resolve(0, "Masonry", 1)
    assert t.at((1, 0)) in t.options(decisions.ATTACK)


@pytest.mark.rule("B9.3")
def test_an_attack_does_not_set_out_from_a_space_taken_this_turn():
    t = table_with((0, 0), LAST_SPACE, spaces=[(q, 0) for q in range(7)])
    card = t.g.card[0, t.card(0, "Masonry")]
    t.token(0, (2, 0))
    t.token(1, (4, 0))
    for taken, n in ((0, 1), (1, 0)):
        t.g.taken[t.at((2, 0))] = taken
        assert combat.list_targets(t.r, t.g, t.w, 0, card) == n


# --- B9.4 dice


@pytest.mark.rule("B9.4")
@pytest.mark.parametrize("target", ["barbarian", "city_state", "rival_token", "rival_city"])
@pytest.mark.parametrize("dice", [(3, 5), (5, 3)])
def test_both_sides_roll_a_die(target, dice):
    t = front()
    obstacle(t, target, (1, 0))
    combat = t.attack(0, "Masonry", 1, (1, 0), dice, barbarian=target == "barbarian")
    assert (combat.attack_die, combat.defence_die) == dice


@pytest.mark.rule("B9.4")
@pytest.mark.rule("B9.7")
@pytest.mark.parametrize("target", ["barbarian", "city_state"])
def test_nobody_spends_trade_tokens_for_a_barbarian_or_a_city_state(target):
    t = front(leaders=["Rome", "Egypt", "France"])
    obstacle(t, target, (1, 0))
    for p in range(3):
        t.trade(p, "military", 2)
    combat = t.attack(0, "Masonry", 1, (1, 0), LOSE, (decisions.SPEND_TRADE, 2), barbarian=target == "barbarian")
    assert asked_of(t, decisions.SPEND_TRADE) == [0]
    assert combat.defence - combat.defence_die == (1 if target == "barbarian" else 8)
    assert (t.trade_on(1, "military"), t.trade_on(2, "military")) == (2, 2)


# --- B9.5 attacker


@pytest.mark.rule("B9.5")
@pytest.mark.effect("Masonry")
@pytest.mark.effect("Iron Working")
@pytest.mark.effect("Mass Production")
@pytest.mark.effect("Flight")
@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("target", ["barbarian", "city_state", "rival_token", "rival_city"])
@pytest.mark.parametrize("slot", [1, 4])
def test_attacker_counts_die_slot_and_the_bonus_of_the_card(card, target, slot):
    t = front()
    obstacle(t, target, (1, 0))
    combat = t.attack(0, card, slot, (1, 0), (2, 6), barbarian=target == "barbarian")
    bonus = BONUS_BARBARIAN if target == "barbarian" else BONUS
    assert combat.attack == 2 + slot + bonus[card]


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


def test_where_the_bonus_looks_at_the_space_attacked_from_the_best_terrain_in_reach_counts():
    t = rome_with({"effect": "combat", "amount": 3, "when": ["attack"], "terrain": ["hills"]}, terrain={(1, 1): "hills"})
    t.r = t.r.copy()
    t.r.attack_from_terrain = 1
    t.token(1, (2, 0))
    card = t.g.card[0, t.card(0, "Masonry")]
    bonus = [attack_bonus(t.r, t.g, t.w, 0, card, t.at((2, 0)), state.TARGET_TOKEN, 1)]
    t.token(0, (1, 1))
    bonus += [attack_bonus(t.r, t.g, t.w, 0, card, t.at((2, 0)), state.TARGET_TOKEN, 1)]
    assert bonus[1] - bonus[0] == 3
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)))
    t.dice(1, 1)
    t.resolve(0, "Masonry", 1)
    assert t.combats()[-1].attack == 1 + 1 + 3
    assert t.g.attack_terrains == 0


# --- B9.6 defender


def ground(t, space=(1, 0), barbarian=False):
    """Return what the defender has besides the die when seat 0 attacks the space."""
    combat = t.attack(0, "Masonry", 1, space, LOSE, barbarian=barbarian)
    return combat.defence - combat.defence_die


@pytest.mark.rule("B9.6")
@pytest.mark.parametrize(("terrain", "difficulty"), DIFFICULTY.items())
@pytest.mark.parametrize(("piece", "factor"), [("barbarian", 1), ("rival_token", 1), ("rival_city", 2)])
def test_defence_is_the_difficulty_and_for_a_city_twice_that(terrain, difficulty, piece, factor):
    t = front(terrain={(1, 0): terrain})
    obstacle(t, piece, (1, 0))
    assert ground(t, barbarian=piece == "barbarian") == factor * difficulty


@pytest.mark.rule("B9.6")
def test_a_capital_has_twice_the_difficulty():
    t = front(terrain={(1, 0): "forest"})
    t.capital(1, (1, 0))
    assert ground(t) == 6


@pytest.mark.rule("B9.6")
def test_a_city_state_has_8_whatever_lies_around():
    t = front()
    t.city_state("Seoul", (1, 0))
    t.token(1, (2, 0), (2, -1), reinforced=True)
    assert ground(t) == 8


@pytest.mark.rule("B9.6")
@pytest.mark.rule("B1.1")
def test_a_token_on_a_natural_wonder_has_5():
    t = front()
    t.token(1, (1, 0))
    t.natural_wonder("Crater Lake", (1, 0))
    assert ground(t) == 5


@pytest.mark.rule("B9.6")
def test_a_reinforced_token_counts_itself():
    t = front(terrain={(1, 0): "hills"})
    t.token(1, (1, 0), reinforced=True)
    assert ground(t) == 2 + 1


@pytest.mark.rule("B9.6")
@pytest.mark.parametrize(("piece", "base"), [("token", 2), ("reinforced", 3), ("city", 4), ("capital", 4)])
def test_each_adjacent_reinforced_token_of_the_owner_counts(piece, base):
    t = front(terrain={(1, 0): "hills"})
    if piece == "city":
        t.city(1, (1, 0))
    elif piece == "capital":
        t.capital(1, (1, 0))
    else:
        t.token(1, (1, 0), reinforced=piece == "reinforced")
    t.token(1, (2, 0), (2, -1), reinforced=True)
    assert ground(t) == base + 2


@pytest.mark.rule("B9.6")
def test_plain_far_and_foreign_tokens_do_not_help_the_defender():
    t = front(leaders=["Rome", "Egypt", "France"])
    t.token(1, (1, 0))
    t.token(1, (2, 0))  # not reinforced
    t.token(1, (3, 0), (3, -1), reinforced=True)  # two spaces away
    t.token(0, (0, 1), reinforced=True)  # the attacker's
    t.token(2, (2, -1), reinforced=True)  # somebody else's
    t.city(1, (1, 1))
    assert ground(t) == 1


@pytest.mark.rule("B9.6")
def test_reinforced_tokens_do_not_help_a_barbarian():
    t = front(terrain={(1, 0): "desert"})
    t.barbarian("A", (1, 0))
    t.token(1, (2, 0), (2, -1), reinforced=True)
    assert ground(t, barbarian=True) == 4


@pytest.mark.rule("B9.6")
@pytest.mark.parametrize("space", ENDS)
def test_a_reinforced_token_at_either_end_helps_its_neighbour(space):
    t = front()
    t.token(1, inwards(space))
    t.token(0, (1, 0), (-1, 0))
    before = t.attack(0, "Masonry", 1, inwards(space), (1, 6)).defence
    t.token(1, space, reinforced=True)
    assert t.attack(0, "Masonry", 1, inwards(space), (1, 6)).defence == before + 1


def defended(p, q, **kw):
    """Return a table where a token of seat `q` on hills faces the capital of seat `p`."""
    t = table_of_three(p, q, terrain={(1, 0): "hills"}, **kw)
    t.token(q, (1, 0))
    return t


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.rule("B9.6")
@pytest.mark.parametrize("wonder", [None, "Petra", "Alhambra", "Ruhr Valley"])
def test_the_defenders_bonuses_count_for_every_seat(p, q, wonder):
    t = defended(p, q)
    if wonder:
        t.wonder(wonder, (3, 0))
    bonus = int(t.r.ability_amount[t.r.wonder_first[names.WONDERS.index(wonder)]]) if wonder else 0
    combat = t.attack(p, "Masonry", 1, (1, 0), (1, 3))
    assert (combat.attack, combat.defence) == (1 + 1, 3 + 2 + bonus)


# --- B9.7 trade tokens


@pytest.mark.rule("B9.7")
@pytest.mark.rule("B13.2")
def test_first_the_attacker_then_the_defender_spends_trade_tokens_from_the_military_card():
    t = front()
    t.city(1, (1, 0))
    t.trade(0, "military", 3)
    t.trade(1, "military", 2)
    combat = t.attack(0, "Masonry", 1, (1, 0), LOSE, (decisions.SPEND_TRADE, 2), (decisions.SPEND_TRADE, 1))
    assert asked_of(t, decisions.SPEND_TRADE) == [0, 1]
    assert t.options(decisions.SPEND_TRADE, 0) == {0, 1, 2, 3}
    assert t.options(decisions.SPEND_TRADE, 1) == {0, 1, 2}
    assert (combat.attack, combat.defence) == (1 + 1 + 2, 6 + 2 + 1)
    assert (t.trade_on(0, "military"), t.trade_on(1, "military")) == (1, 1)


@pytest.mark.rule("B9.7")
def test_trade_tokens_on_other_cards_do_not_help_in_combat():
    t = front()
    t.token(1, (1, 0))
    for p in (0, 1):
        for kind in ALL_TYPES[:-1]:
            t.trade(p, kind, 3)
    combat = t.attack(0, "Masonry", 1, (1, 0), LOSE)
    assert asked_of(t, decisions.SPEND_TRADE) == []
    assert (combat.attack, combat.defence) == (2, 7)


@pytest.mark.rule("B9.7")
def test_trade_tokens_decide_a_combat_for_either_side():
    for theirs, won in [(0, True), (1, False)]:
        t = front()
        t.token(1, (1, 0))
        t.trade(0, "military", 1)
        t.trade(1, "military", 1)
        combat = t.attack(0, "Masonry", 1, (1, 0), (3, 3), (decisions.SPEND_TRADE, 1), (decisions.SPEND_TRADE, theirs))
        assert combat.won == won
        assert t.owner((1, 0)) == (0 if won else 1)


@pytest.mark.rule("B9.7")
@pytest.mark.effect("Oxford University")
@pytest.mark.parametrize("military_in", [None, "culture"])
def test_the_defender_spends_from_the_military_card_wherever_it_lies_if_there_is_one(military_in):
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.token(1, (1, 0))
    for kind in names.FOCUS_TYPES[:5]:
        t.trade(1, kind, 1)
    t.card_in_place_of(1, "military", "Drama and Poetry")
    if military_in:
        t.card_in_place_of(1, military_in, "Iron Working")
    combat = t.attack(0, "Masonry", 1, (1, 0), (1, 3), *([(decisions.SPEND_TRADE, 1)] if military_in else []))
    assert combat.defence == 3 + 1 + (1 if military_in else 0)
    assert int(t.g.trade[1].sum()) == (4 if military_in else 5)


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.rule("B9.7")
def test_every_seat_may_spend_trade_tokens_in_defence(p, q):
    t = defended(p, q)
    t.trade(q, "military", 2)
    combat = t.attack(p, "Masonry", 1, (1, 0), (1, 3), (decisions.SPEND_TRADE, 2))
    assert combat.defence == 3 + 2 + 2
    assert t.trade_on(q, "military") == 0
    assert [seat for kind, seat, _ in t.asked() if kind == decisions.SPEND_TRADE] == [q]


# --- B9.8 who wins


@pytest.mark.rule("B9.8")
@pytest.mark.parametrize(("dice", "won"), [((4, 4), False), ((5, 4), True), ((3, 4), False)])
def test_the_higher_total_wins_and_ties_go_to_the_defender(dice, won):
    t = front()
    t.token(1, (1, 0))
    combat = t.attack(0, "Masonry", 1, (1, 0), dice)
    assert combat.won == won
    assert t.owner((1, 0)) == (0 if won else 1)


@pytest.mark.rule("B9.8")
@pytest.mark.parametrize("target", ["barbarian", "city_state", "rival_token", "rival_city"])
def test_when_the_defender_wins_nothing_happens(target):
    t = front()
    t.token(1, (2, 0), reinforced=True)
    obstacle(t, target, (1, 0))
    before = t.owner((1, 0)), t.piece((1, 0)), int(t.g.city_state[t.at((1, 0))]), int(t.g.barbarians[t.at((1, 0))])
    t.attack(0, "Masonry", 1, (1, 0), LOSE, barbarian=target == "barbarian")
    after = t.owner((1, 0)), t.piece((1, 0)), int(t.g.city_state[t.at((1, 0))]), int(t.g.barbarians[t.at((1, 0))])
    assert before == after
    assert t.g.trade[0].sum() == 0
    assert t.piece((2, 0)) == "reinforced_token"


@pytest.mark.rule("B9.8")
def test_a_tie_is_the_defenders_or_by_a_house_rule_the_attackers():
    for ties, won in ((0, [False, False, True]), (1, [False, True, True])):
        r = printed_rules().copy()
        r.attacker_wins_ties = ties
        assert [bool(combat.wins(r, total, 7)) for total in (6, 7, 8)] == won
