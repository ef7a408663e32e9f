"""B10: city-states conquered, taken over and set free."""

from functools import partial

import pytest
from table import BOTS, PAIRS, PASS, Table, printed_rules, table_of_three, table_with, ti_rules

from newdawn.simulator import names
from newdawn.simulator.engine import combat, decisions, diplomacy, trade

WIN, LOSE = (6, 1), (1, 6)
TAKE, FREE = 0, 1
CARTHAGE, SEOUL = names.CARTHAGE, names.SEOUL

front = partial(table_with, (0, 0))


def occupied(p=1, name="Seoul", **kw):
    """Return a table where seat `p` has conquered the city-state at (1, 0)."""
    t = front(**kw)
    t.conquered(p, name, (1, 0))
    return t


def holders(t, cs):
    """Return the seats that hold a diplomacy card of the city-state."""
    return {p for p in range(t.g.players) if t.g.city_state_cards[cs, p]}


# --- B10.1 conquered


@pytest.mark.rule("B10.1")
@pytest.mark.rule("B9.9")
@pytest.mark.parametrize(("name", "kind"), [("Seoul", "science"), ("Carthage", "military"), ("Kumasi", "culture")])
def test_the_token_goes_on_the_card_of_its_type_and_an_own_city_on_the_space(name, kind):
    t = front()
    t.city_state(name, (1, 0))
    cs, cities = names.CITY_STATES.index(name), t.g.cities_left[0]
    t.attack(0, "Flight", 5, (1, 0), WIN)
    assert (t.owner((1, 0)), t.piece((1, 0))) == (0, "city")
    assert t.g.cities_left[0] == cities - 1
    assert (t.g.city_state_owner[cs], t.g.city_state_holder[cs]) == (0, t.holder(0, kind))
    assert t.g.city_state[t.at((1, 0))] == -1
    assert t.g.trade.sum() == 0  # the token is no ordinary trade token


@pytest.mark.rule("B10.1")
def test_a_city_state_that_holds_out_stays_as_it_is():
    t = front(leaders=["Rome", "Egypt", "France"])
    t.city_state("Seoul", (1, 0))
    t.city_state_card(1, "Seoul")
    t.attack(0, "Masonry", 1, (1, 0), LOSE)
    assert t.g.city_state_owner[SEOUL] == -1
    assert t.g.city_state[t.at((1, 0))] == SEOUL
    assert t.owner((1, 0)) == -1
    assert holders(t, SEOUL) == {1}


@pytest.mark.rule("B10.1")
def test_everybody_gives_back_the_cards_of_a_conquered_city_state():
    t = front(leaders=["Rome", "Egypt", "France"])
    t.city_state("Seoul", (1, 0))
    t.city_state("Kumasi", (-2, 0))
    t.city_state_card(1, "Seoul")
    t.city_state_card(2, "Seoul")
    t.city_state_card(1, "Kumasi")
    t.attack(0, "Flight", 5, (1, 0), WIN)
    assert holders(t, SEOUL) == set()
    assert t.g.city_state_cards_left[SEOUL] == 2
    assert holders(t, names.KUMASI) == {1}


@pytest.mark.rule("B10.1")
@pytest.mark.rule("B7.6")
@pytest.mark.parametrize("conquered", [False, True])
def test_a_caravan_gets_no_card_of_a_conquered_city_state(conquered):
    t = front()
    if conquered:
        t.conquered(1, "Seoul", (2, 0))
    else:
        t.city_state("Seoul", (2, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)), (decisions.TAKE_DIPLOMACY, 0))
    t.resolve(0, "Foreign Trade", slot=3)
    assert holders(t, SEOUL) == (set() if conquered else {0})
    assert t.g.diplomacy[1, 0] == (0 if conquered else -1)  # instead a card of the player who owns the city


# --- B10.2 its token as a trade token


@pytest.mark.rule("B10.2")
def test_the_token_is_spent_as_a_trade_token_of_its_card_and_stays():
    t = front()
    t.conquered(0, "Carthage", (-2, 0))
    t.token(1, (1, 0))
    combat = t.attack(0, "Masonry", 2, (1, 0), LOSE, (decisions.SPEND_TRADE, 1))
    assert t.options(decisions.SPEND_TRADE) == {0, 1}
    assert combat.attack == 1 + 2 + 1
    assert (t.g.city_state_owner[CARTHAGE], t.g.city_state_holder[CARTHAGE]) == (0, t.holder(0, "military"))
    assert t.trade_on(0, "military") == 0


@pytest.mark.rule("B10.2")
def test_the_token_is_spent_once_a_turn():
    t = front()
    t.conquered(0, "Carthage", (-2, 0))
    t.token(1, (1, 0))
    t.dice(*LOSE, *LOSE)
    at = t.at((1, 0))
    t.script(
        (decisions.MILITARY, decisions.MILITARY_ATTACK),
        (decisions.ATTACK, at),
        (decisions.SPEND_TRADE, 1),
        (decisions.ATTACK, at),
    )
    t.resolve(0, "Masonry", slot=1)
    assert len(t.combats()) == 2
    assert t.asked_kinds().count("spend_trade") == 1
    assert [c.attack for c in t.combats()] == [1 + 1 + 1, 1 + 1]


@pytest.mark.rule("B10.2")
def test_a_token_not_spent_in_the_first_attack_serves_in_the_second():
    t = front()
    t.conquered(0, "Carthage", (-2, 0))
    t.token(1, (1, 0))
    t.dice(*LOSE, *LOSE)
    at = t.at((1, 0))
    t.script(
        (decisions.MILITARY, decisions.MILITARY_ATTACK),
        (decisions.ATTACK, at),
        (decisions.SPEND_TRADE, 0),
        (decisions.ATTACK, at),
        (decisions.SPEND_TRADE, 1),
    )
    t.resolve(0, "Masonry", slot=1)
    assert [c.attack for c in t.combats()] == [1 + 1, 1 + 1 + 1]


@pytest.mark.rule("B10.2")
def test_the_token_serves_again_the_next_turn():
    t = front()
    t.conquered(0, "Carthage", (-2, 0))
    t.token(1, (1, 0))
    t.attack(0, "Masonry", 1, (1, 0), LOSE, (decisions.SPEND_TRADE, 1))
    place, at = t.row(0).index("military"), t.at((1, 0))
    t.script(
        (decisions.CARD, place),
        (decisions.MILITARY, decisions.MILITARY_ATTACK),
        (decisions.ATTACK, at),
        (decisions.SPEND_TRADE, 1),
    )
    t.take_turn(0)
    assert len(t.combats()) == 2


@pytest.mark.rule("B10.2")
def test_the_token_serves_in_defence_too():
    t = front()
    t.conquered(1, "Carthage", (-3, 3))
    t.token(1, (1, 0))
    combat = t.attack(0, "Masonry", 1, (1, 0), LOSE, (decisions.SPEND_TRADE, 1))
    assert combat.defence == 6 + 1 + 1


@pytest.mark.rule("B10.2")
@pytest.mark.rule("B13.1")
def test_the_token_lies_beside_the_limit_of_three():
    t = front()
    t.conquered(0, "Carthage", (-2, 0))
    t.token(1, (1, 0))
    t.trade(0, "military", 3)
    combat = t.attack(0, "Masonry", 1, (1, 0), LOSE, (decisions.SPEND_TRADE, 4))
    assert t.options(decisions.SPEND_TRADE) == {0, 1, 2, 3, 4}
    assert combat.attack == 1 + 1 + 4
    assert t.trade_on(0, "military") == 0


@pytest.mark.rule("B10.2")
@pytest.mark.rule("B13.1")
@pytest.mark.parametrize(("before", "offered"), [(2, True), (3, False)])
def test_the_token_takes_no_room_for_trade_tokens(before, offered):
    t = front()
    t.conquered(0, "Carthage", (-2, 0))
    t.trade(0, "military", before)
    t.barbarian("A", (1, 0))
    t.attack(
        0, "Flight", 5, (1, 0), WIN, (decisions.SPEND_TRADE, 0), (decisions.PLACE_TRADE, t.holder(0, "culture")), barbarian=True
    )
    assert (t.holder(0, "military") in t.options(decisions.PLACE_TRADE)) == offered


@pytest.mark.rule("B10.2")
@pytest.mark.parametrize(("name", "owner", "asked"), [("Kumasi", 0, True), ("Carthage", 0, False), ("Kumasi", 1, False)])
def test_the_token_serves_only_its_own_card_and_its_owner(name, owner, asked):
    t = front()
    t.conquered(owner, name, (-2, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)), *[(decisions.PLACE_TOKEN, (1, -1))] * asked)
    t.resolve(0, "Early Empire", slot=1)
    assert t.asked_kinds().count("place_token") == 2 + asked
    assert t.g.trade.sum() == 0


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


# --- B10.3 a rival's conquered city-state


@pytest.mark.rule("B10.3")
def test_a_rivals_city_state_is_taken_token_and_city_change_hands():
    t = occupied()
    mine, theirs = t.g.cities_left[0], t.g.cities_left[1]
    t.attack(0, "Flight", 5, (1, 0), WIN, (decisions.CITY_STATE_FATE, TAKE))
    assert t.options(decisions.CITY_STATE_FATE) == {TAKE, FREE}
    assert (t.owner((1, 0)), t.piece((1, 0))) == (0, "city")
    assert (t.g.cities_left[0], t.g.cities_left[1]) == (mine - 1, theirs + 1)
    assert (t.g.city_state_owner[SEOUL], t.g.city_state_holder[SEOUL]) == (0, t.holder(0, "science"))
    assert t.g.city_state[t.at((1, 0))] == -1
    assert holders(t, SEOUL) == set()


@pytest.mark.rule("B10.3")
def test_a_rivals_city_state_is_freed_and_its_token_returns():
    t = occupied()
    mine, theirs = t.g.cities_left[0], t.g.cities_left[1]
    t.attack(0, "Flight", 5, (1, 0), WIN, (decisions.CITY_STATE_FATE, FREE))
    assert (t.owner((1, 0)), t.piece((1, 0))) == (-1, "none")
    assert t.g.city_state[t.at((1, 0))] == SEOUL
    assert (t.g.city_state_owner[SEOUL], t.g.city_state_holder[SEOUL]) == (-1, -1)
    assert (t.g.cities_left[0], t.g.cities_left[1]) == (mine, theirs + 1)


@pytest.mark.rule("B10.3")
def test_the_liberator_takes_one_of_the_cards_and_the_other_is_face_up():
    t = occupied()
    t.attack(0, "Flight", 5, (1, 0), WIN, (decisions.CITY_STATE_FATE, FREE))
    assert holders(t, SEOUL) == {0}
    assert t.g.city_state_cards_left[SEOUL] == 1


@pytest.mark.rule("B10.3")
def test_a_freed_city_state_is_visited_by_caravans_as_one():
    t = occupied()
    t.attack(0, "Flight", 5, (1, 0), WIN, (decisions.CITY_STATE_FATE, FREE))
    t.capital(1, (3, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (1, 0)), (decisions.TAKE_DIPLOMACY, 0))
    t.resolve(1, "Foreign Trade", slot=3)
    assert 1 in holders(t, SEOUL)
    assert t.trade_on(1, "science") == 2


@pytest.mark.rule("B10.3")
def test_a_defended_city_state_keeps_its_conqueror():
    t = occupied()
    t.attack(0, "Masonry", 1, (1, 0), LOSE)
    assert "city_state_fate" not in t.asked_kinds()
    assert (t.g.city_state_owner[SEOUL], t.owner((1, 0))) == (1, 1)


@pytest.mark.rule("B10.3")
def test_an_ordinary_city_cannot_be_freed():
    t = front()
    t.conquered(1, "Seoul", (-2, 0))
    t.city(1, (1, 0))
    t.attack(0, "Flight", 5, (1, 0), WIN)
    assert "city_state_fate" not in t.asked_kinds()
    assert t.g.city_state_owner[SEOUL] == 1


@pytest.mark.rule("B10.3")
@pytest.mark.rule("B9.6")
def test_a_conquered_city_state_defends_like_a_city_on_grassland():
    t = occupied()
    combat = t.attack(0, "Masonry", 1, (1, 0), LOSE)
    assert combat.defence == 6 + 2


@pytest.mark.rule("B10.3")
@pytest.mark.parametrize(("left", "has"), [(1, 1), (0, 0)])
def test_who_frees_a_city_state_gets_its_card_if_one_is_left(left, has):
    t = table_with((0, 0))
    t.g.city_state_cards_left[:] = left
    for cs in range(t.r.n_city_states):
        diplomacy.gain_city_state_card(t.g, t.w, 0, cs)
        assert (t.g.city_state_cards[cs, 0], t.g.city_state_cards_left[cs]) == (has, 0)


@pytest.mark.rule("B10.3")
@pytest.mark.parametrize("name", [names.CITY_STATES[0], names.CITY_STATES[-1]])
def test_the_city_of_a_conqueror_elsewhere_is_an_ordinary_city(name):
    t = table_of_three(0, 1)
    t.conquered(1, name, (-2, 0))
    t.city(1, (1, 0))
    t.attack(0, "Flight", 5, (1, 0), (6, 1))
    assert "city_state_fate" not in t.asked_kinds()
    assert t.owner((1, 0)) == 0
    assert int(t.g.city_state_owner[names.CITY_STATES.index(name)]) == 1


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.rule("B10.3")
@pytest.mark.parametrize("name", [names.CITY_STATES[0], names.CITY_STATES[-1]])
@pytest.mark.parametrize("fate", [0, 1])
def test_a_conquered_city_state_is_taken_or_freed_whoever_holds_it(p, q, name, fate):
    t = table_of_three(p, q)
    cs = names.CITY_STATES.index(name)
    t.conquered(q, name, (1, 0))
    t.attack(p, "Flight", 5, (1, 0), (6, 1), (decisions.CITY_STATE_FATE, fate))
    asked = [(seat, options) for kind, seat, options in t.asked() if kind == decisions.CITY_STATE_FATE]
    assert asked == [(p, [0, 1])]
    assert int(t.g.city_state_owner[cs]) == (p if fate == 0 else -1)
    assert int(t.g.city_state_cards[cs, p]) == fate


@pytest.mark.rule("B10.3")
@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.parametrize("fate", [0, 1])
def test_a_conquered_city_state_held_by_a_token_can_be_taken_or_freed_and_the_token_returns(p, q, fate):
    t = Table(leaders=("Egypt", "Aztec", "Egypt"))
    t.capital(p, (0, 0))
    t.city_state("Seoul", (1, 0))
    seoul = names.CITY_STATES.index("Seoul")
    t.g.city_state[t.at((1, 0))] = -1
    t.g.city_state_owner[seoul], t.g.city_state_holder[seoul] = q, t.holder(q, "science")
    t.token(q, (1, 0), reinforced=True)  # the conqueror had no unused city
    left = int(t.g.tokens_left[q])
    assert t.attack(p, "Flight", 5, (1, 0), (6, 1), (decisions.CITY_STATE_FATE, fate)).won
    assert t.options(decisions.CITY_STATE_FATE) == {0, 1}
    assert int(t.g.tokens_left[q]) == left + 1
    assert int(t.g.city_state_owner[seoul]) == (p if fate == 0 else -1)
    assert t.owner((1, 0)) == (p if fate == 0 else -1)


@pytest.mark.rule("B10.3")
def test_taking_or_freeing_are_the_choices_whatever_was_asked_before():
    t = Table(leaders=("Egypt", "Aztec", "Egypt"))
    t.capital(0, (0, 0))
    t.conquered(1, "Seoul", (1, 0))
    t.w.option[:8] = 7  # as an earlier question may have left it
    t.script((decisions.CITY_STATE_FATE, 0))
    t.call(combat.beat_conquered_city_state, 0, t.at((1, 0)), names.CITY_STATES.index("Seoul"))
    t.require_script_done()
    assert t.owner((1, 0)) == 0


@pytest.mark.rule("B7.6")
@pytest.mark.rule("B10.1")
@pytest.mark.parametrize("guarded", [False, True])
def test_a_city_state_with_a_barbarian_on_it_cannot_be_attacked(guarded):
    t = front()
    t.city_state("Seoul", (1, 0))
    if guarded:
        t.barbarian("A", (1, 0))
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, PASS))
    t.resolve(0, "Masonry", slot=1)
    assert (t.at((1, 0)) in t.options(decisions.ATTACK)) == (not guarded)
