"""B9: military cards: reinforcing, attacking, what a victory changes."""

from functools import partial

import pytest
from table import PASS, row_with_capital, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import decisions

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


# --- B9.9 what a victory brings


@pytest.mark.rule("B9.9")
def test_a_beaten_barbarian_leaves_the_map_for_a_trade_token_on_any_card():
    t = front()
    t.barbarian("C", (1, 0))
    t.trade(0, "culture", 3)
    t.attack(0, "Masonry", 5, (1, 0), WIN, (decisions.PLACE_TRADE, t.holder(0, "industry")), barbarian=True)
    assert t.g.barbarians[t.at((1, 0))] == 0
    assert t.g.barbarian_space[names.LETTERS.index("C")] == -1
    assert t.options(decisions.PLACE_TRADE) == {t.holder(0, kind) for kind in ALL_TYPES if kind != "culture"}
    assert t.trade_on(0, "industry") == 1
    assert t.g.trade[0].sum() == 3 + 1


@pytest.mark.rule("B9.9")
@pytest.mark.parametrize("reinforced", [False, True])
def test_a_beaten_token_is_replaced_by_an_unreinforced_one_of_the_attacker(reinforced):
    t = front()
    t.token(1, (1, 0), reinforced=reinforced)
    mine, theirs = t.g.tokens_left[0], t.g.tokens_left[1]
    t.attack(0, "Masonry", 5, (1, 0), WIN)
    assert (t.owner((1, 0)), t.piece((1, 0))) == (0, "token")
    assert (t.g.tokens_left[0], t.g.tokens_left[1]) == (mine - 1, theirs + 1)
    assert t.g.trade.sum() == 0


@pytest.mark.rule("B9.9")
@pytest.mark.rule("B5.3")
def test_the_natural_wonder_of_a_beaten_token_goes_to_the_attacker():
    t = front()
    t.token(1, (1, 0))
    t.natural_wonder("Crater Lake", (1, 0))
    lake = names.NATURAL_WONDERS.index("Crater Lake")
    assert t.g.natural_wonder_owner[lake] == 1
    t.attack(0, "Masonry", 5, (1, 0), WIN)
    assert t.g.natural_wonder_owner[lake] == 0


@pytest.mark.rule("B9.9")
def test_a_beaten_city_is_replaced_by_an_unused_city_of_the_attacker():
    t = front()
    t.city(1, (1, 0))
    t.trade(1, "culture", 2)
    mine, theirs = t.g.cities_left[0], t.g.cities_left[1]
    t.attack(0, "Masonry", 5, (1, 0), WIN)
    assert (t.owner((1, 0)), t.piece((1, 0))) == (0, "city")
    assert (t.g.cities_left[0], t.g.cities_left[1]) == (mine - 1, theirs + 1)
    assert t.trade_on(1, "culture") == 2  # only a capital is looted


@pytest.mark.rule("B9.9")
def test_a_beaten_capital_stays_and_gives_up_two_trade_tokens_of_the_attackers_choice():
    t = front()
    t.capital(1, (1, 0))
    t.trade(1, "culture", 2)
    t.trade(1, "science", 1)
    culture, science = t.holder(1, "culture"), t.holder(1, "science")
    place = t.holder(0, "economy")
    t.attack(
        0,
        "Masonry",
        5,
        (1, 0),
        WIN,
        (decisions.LOOT, culture),
        (decisions.PLACE_TRADE, place),
        (decisions.LOOT, science),
        (decisions.PLACE_TRADE, place),
    )
    assert (t.owner((1, 0)), t.piece((1, 0))) == (1, "capital")
    assert t.asked_kinds().count("loot") == 2
    assert t.options(decisions.LOOT) == {culture, science}
    assert (t.trade_on(1, "culture"), t.trade_on(1, "science"), t.trade_on(0, "economy")) == (1, 0, 2)


@pytest.mark.rule("B9.9")
def test_may_loot_fewer_trade_tokens_than_two():
    t = front()
    t.capital(1, (1, 0))
    t.trade(1, "culture", 2)
    t.attack(0, "Masonry", 5, (1, 0), WIN, (decisions.LOOT, t.holder(1, "culture")), (decisions.LOOT, PASS))
    assert t.trade_on(1, "culture") == 1
    assert t.g.trade[0].sum() == 1


@pytest.mark.rule("B9.9")
def test_a_capital_cannot_give_more_trade_tokens_than_there_are():
    t = front()
    t.capital(1, (1, 0))
    t.trade(1, "culture", 1)
    t.attack(0, "Masonry", 5, (1, 0), WIN, (decisions.LOOT, t.holder(1, "culture")))
    assert (t.g.trade[1].sum(), t.g.trade[0].sum()) == (0, 1)


@pytest.mark.rule("B9.9")
def test_a_defended_capital_gives_up_nothing():
    t = front()
    t.capital(1, (1, 0))
    t.trade(1, "culture", 2)
    t.attack(0, "Masonry", 1, (1, 0), LOSE)
    assert (t.g.trade[1].sum(), t.g.trade[0].sum()) == (2, 0)


# --- B9.10 world wonders


@pytest.mark.rule("B9.10")
def test_a_wonder_goes_to_the_attacker_with_the_city():
    t = front()
    t.city(1, (1, 0))
    t.wonder("Oracle", (1, 0))
    t.wonder("Petra", (0, 0))  # an own wonder elsewhere does not matter
    t.attack(0, "Iron Working", 5, (1, 0), WIN)
    assert t.controls(0, "Oracle")
    assert not t.controls(1, "Oracle")
    assert t.g.wonder_space[names.WONDERS.index("Oracle")] == t.at((1, 0))


@pytest.mark.rule("B9.10")
def test_a_wonder_goes_to_the_attacker_who_places_a_token_for_want_of_a_city():
    t = front()
    t.city(1, (1, 0))
    t.wonder("Oracle", (1, 0))
    t.g.cities_left[0] = 0
    t.attack(0, "Masonry", 5, (1, 0), WIN)
    assert t.controls(0, "Oracle")


@pytest.mark.rule("B9.10")
def test_a_wonder_of_a_beaten_capital_moves_under_an_own_city_without_one():
    t = front()
    t.capital(1, (1, 0))
    t.wonder("Oracle", (1, 0))
    t.city(0, (-2, 0))
    t.city(0, (0, -2))
    t.city(0, (-2, 2))
    t.wonder("Colossus", (0, -2))
    t.attack(0, "Masonry", 5, (1, 0), WIN, (decisions.WONDER_CITY, (-2, 0)))
    assert t.options(decisions.WONDER_CITY) == t.spaces((0, 0), (-2, 0), (-2, 2))
    assert t.controls(0, "Oracle")
    assert t.g.wonder_space[names.WONDERS.index("Oracle")] == t.at((-2, 0))
    assert t.g.wonder_token[t.at((1, 0))] == -1


@pytest.mark.rule("B9.10")
def test_a_wonder_of_a_beaten_capital_is_not_taken_without_a_city_that_has_room():
    t = front()
    t.capital(1, (1, 0))
    t.wonder("Oracle", (1, 0))
    t.wonder("Colossus", (0, 0))
    assert t.attack(0, "Masonry", 5, (1, 0), WIN).won
    assert t.controls(1, "Oracle")
    assert t.g.wonder_token[t.at((1, 0))] == names.WONDERS.index("Oracle")


@pytest.mark.rule("B9.10")
def test_a_wonder_of_a_defended_city_or_capital_stays():
    t = front()
    t.capital(1, (1, 0))
    t.wonder("Oracle", (1, 0))
    t.attack(0, "Masonry", 1, (1, 0), LOSE)
    assert t.controls(1, "Oracle")


# --- B9.11 no city left


@pytest.mark.rule("B9.11")
def test_without_an_unused_city_a_reinforced_token_takes_the_place_of_the_beaten_city():
    t = front()
    t.city(1, (1, 0))
    t.g.cities_left[0] = 0
    t.attack(0, "Masonry", 5, (1, 0), WIN)
    assert (t.owner((1, 0)), t.piece((1, 0))) == (0, "reinforced_token")


@pytest.mark.rule("B9.11")
def test_with_an_unused_city_a_city_is_placed():
    t = front()
    t.city(1, (1, 0))
    t.g.cities_left[0] = 1
    t.attack(0, "Masonry", 5, (1, 0), WIN)
    assert t.piece((1, 0)) == "city"
    assert t.g.cities_left[0] == 0


@pytest.mark.rule("B9.11")
@pytest.mark.rule("B10.1")
def test_a_reinforced_token_conquers_a_city_state_too():
    t = front()
    t.city_state("Seoul", (1, 0))
    t.g.cities_left[0] = 0
    t.attack(0, "Flight", 5, (1, 0), WIN)
    assert (t.owner((1, 0)), t.piece((1, 0))) == (0, "reinforced_token")
    assert t.g.city_state_owner[names.SEOUL] == 0
    assert t.g.city_state_holder[names.SEOUL] == t.holder(0, "science")


@pytest.mark.rule("B9.11")
def test_who_takes_such_a_city_state_later_places_a_city():
    t = front()
    t.capital(1, (3, 0))
    t.city_state("Seoul", (1, 0))
    t.g.cities_left[0] = 0
    t.attack(0, "Flight", 5, (1, 0), WIN)
    t.attack(1, "Flight", 5, (1, 0), WIN, (decisions.CITY_STATE_FATE, 0))
    assert (t.owner((1, 0)), t.piece((1, 0))) == (1, "city")
    assert t.g.city_state_owner[names.SEOUL] == 1


# --- B9.12 diplomacy cards of the victim


def befriended():
    """Return a table where seat 0 holds cards of seats 1 and 2 and of two city-states, and seat 1 one of seat 0."""
    t = front(leaders=["Rome", "Egypt", "France"])
    t.city_state("Seoul", (0, -1))
    t.city_state_card(0, "Seoul")
    t.city_state_card(0, "Geneva")
    t.diplomacy(0, 1, "Embassy")
    t.diplomacy(0, 1, "Open Borders")
    t.diplomacy(0, 2, "Embassy")
    t.diplomacy(1, 0, "Embassy")
    return t


def held(t, p):
    """Return what diplomacy cards seat `p` holds: (giver, card) and city-states."""
    cards = {(q, c) for q in range(3) for c in range(4) if t.g.diplomacy[q, c] == p}
    return cards | {name for i, name in enumerate(names.CITY_STATES) if t.g.city_state_cards[i, p]}


ALL_HELD = {(1, names.EMBASSY), (1, names.OPEN_BORDERS), (2, names.EMBASSY), "Seoul", "Geneva"}
OF_THE_VICTIM = {(1, names.EMBASSY), (1, names.OPEN_BORDERS)}


@pytest.mark.rule("B9.12")
@pytest.mark.parametrize("dice", [WIN, LOSE])
@pytest.mark.parametrize("target", ["token", "city", "capital"])
def test_an_attack_on_a_player_returns_every_card_of_that_player_even_if_it_fails(target, dice):
    t = befriended()
    if target == "token":
        t.token(1, (1, 0))
    elif target == "city":
        t.city(1, (1, 0))
    else:
        t.capital(1, (1, 0))
    t.attack(0, "Flight", 1 if dice == LOSE else 5, (1, 0), dice)
    assert held(t, 0) == ALL_HELD - OF_THE_VICTIM
    assert t.g.diplomacy[1, names.EMBASSY] == t.g.diplomacy[1, names.OPEN_BORDERS] == -1


@pytest.mark.rule("B9.12")
@pytest.mark.parametrize("dice", [WIN, LOSE])
def test_an_attack_on_a_city_state_returns_its_card_even_if_it_fails(dice):
    t = befriended()
    t.attack(0, "Flight", 1 if dice == LOSE else 5, (0, -1), dice)
    assert held(t, 0) == ALL_HELD - {"Seoul"}
    assert t.g.city_state_cards_left[names.SEOUL] == 2


@pytest.mark.rule("B9.12")
def test_an_attack_on_a_barbarian_returns_no_card():
    t = befriended()
    t.barbarian("A", (1, 0))
    t.attack(0, "Masonry", 1, (1, 0), LOSE, barbarian=True)
    assert held(t, 0) == ALL_HELD


@pytest.mark.rule("B9.12")
@pytest.mark.parametrize("dice", [WIN, LOSE])
def test_an_attack_on_a_conquered_city_state_returns_the_cards_of_its_owner(dice):
    t = befriended()
    t.conquered(1, "Kumasi", (1, 0))
    t.attack(0, "Masonry", 1 if dice == LOSE else 5, (1, 0), dice)
    assert held(t, 0) & OF_THE_VICTIM == set()


@pytest.mark.rule("B9.12")
def test_the_victim_keeps_the_cards_it_holds():
    t = befriended()
    t.token(1, (1, 0))
    t.attack(0, "Masonry", 5, (1, 0), WIN)
    assert held(t, 1) == {(0, names.EMBASSY)}


@pytest.mark.rule("B9.12")
def test_reinforcing_returns_no_card():
    t = befriended()
    t.token(0, (1, 0))
    t.script((decisions.MILITARY, decisions.MILITARY_REINFORCE), (decisions.REINFORCE, (1, 0)))
    t.resolve(0, "Masonry", slot=1)
    assert held(t, 0) == ALL_HELD
