"""B9.9 to B9.12: what a victory in an attack changes."""

from functools import partial

import pytest
from table import PAIRS, PASS, Table, bare_state, rules_with, table_of_three, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import combat, decisions

ALL_TYPES = ["culture", "science", "economy", "industry", "military"]
WIN, LOSE = (6, 1), (1, 6)

front = partial(table_with, (0, 0))  # (1, 0) is where the enemy stands


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


@pytest.mark.rule("B9.9")
@pytest.mark.parametrize("types", [["culture"], ["science"], ["culture", "industry"]])
def test_what_may_be_looted_are_the_losers_cards_with_trade_tokens(types):
    t = front()
    t.capital(1, (2, 0))
    for kind in types:
        t.trade(1, kind, 1)
    t.attack(0, "Masonry", 5, (2, 0), (6, 1), (decisions.LOOT, PASS))
    asked = [options for kind, _, options in t.asked() if kind == decisions.LOOT]
    assert asked == [[*(t.holder(1, kind) for kind in types), PASS]]


@pytest.mark.rule("B9.9")
@pytest.mark.parametrize("letter", [names.LETTERS[0], names.LETTERS[-1]])
def test_a_barbarian_of_any_letter_is_beaten(letter):
    t = table_of_three(0, 1)
    t.barbarian(letter, (1, 0))
    t.attack(0, "Masonry", 5, (1, 0), (6, 1), barbarian=True)
    assert int(t.g.barbarian_space[names.LETTERS.index(letter)]) == -1
    assert int(t.g.barbarians[t.at((1, 0))]) == 0


@pytest.mark.rule("B1.6")
@pytest.mark.rule("B9.9")
def test_an_attacker_without_any_control_token_still_removes_the_beaten_one():
    t = table_of_three(0, 1)
    t.token(1, (1, 0))
    t.g.tokens_left[0] = 0
    left = int(t.g.tokens_left[1])
    t.attack(0, "Masonry", 5, (1, 0), (6, 1))
    assert t.owner((1, 0)) == -1
    assert t.g.tokens_left[:2].tolist() == [0, left + 1]


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


@pytest.mark.rule("B9.10")
def test_a_beaten_capital_without_a_wonder_asks_for_no_city_to_put_one():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.city(0, (-2, 0))
    t.capital(1, (2, 0))
    t.token(0, (1, 0))
    assert t.attack(0, "Flight", 5, (2, 0), (6, 1)).won
    assert "wonder_city" not in t.asked_kinds()
    assert set(t.g.wonder_token.tolist()) == {-1}


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.rule("B9.10")
@pytest.mark.parametrize("wonder", [names.WONDERS[0], names.WONDERS[-1]])
@pytest.mark.parametrize("room", [True, False])
def test_any_wonder_under_a_beaten_capital_moves_if_there_is_room(p, q, wonder, room):
    t = table_of_three(p, q)
    t.wonder(wonder, (3, 0))
    if not room:
        t.wonder("Big Ben", (0, 0))
    t.attack(p, "Flight", 5, (3, 0), (6, 1))
    assert t.controls(p, wonder) == room
    assert t.controls(q, wonder) != room
    assert int(t.g.wonder_token[t.at((3, 0))]) == (-1 if room else names.WONDERS.index(wonder))


def test_a_wonder_won_is_one_that_was_not_had_before():
    for wonder in (0, 5):
        g = bare_state()
        assert combat.wonder_to_win(g, 0, 3) == -1
        g.wonder_token[3], g.wonder_space[wonder], g.owner[3] = wonder, 3, 1
        assert (combat.wonder_to_win(g, 0, 3), combat.wonder_to_win(g, 1, 3)) == (wonder, -1)


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


@pytest.mark.rule("B9.12")
@pytest.mark.parametrize("attacker", [0, 1])
def test_the_victim_of_an_attack_keeps_the_attackers_cards(attacker):
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    victim = 1 - attacker
    t.token(attacker, (1, 1))
    t.token(victim, (2, 0))
    t.diplomacy(attacker, victim, "Embassy")
    t.diplomacy(victim, attacker, "Embassy")
    t.attack(attacker, "Masonry", 1, (2, 0), (1, 6))
    assert int(t.g.diplomacy[victim, names.EMBASSY]) == -1
    assert int(t.g.diplomacy[attacker, names.EMBASSY]) == victim


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


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.rule("B9.12")
def test_an_attack_returns_the_cards_from_every_seat(p, q):
    t = table_of_three(p, q, terrain={(1, 0): "hills"})
    t.token(q, (1, 0))
    for card in names.DIPLOMACY_CARDS:
        t.diplomacy(p, q, card)
    t.attack(p, "Masonry", 1, (1, 0), (1, 6))
    assert set(t.g.diplomacy[q].tolist()) == {-1}
