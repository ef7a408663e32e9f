"""T11.3, T12.10: Cristo Redentor and Radio take rival cities, Statue of Liberty the tokens beside them; capturing wonders."""

from functools import partial

import pytest
from battles import LOSE, WIN, fight
from table import BOTS, FIRST_SPACE, LAST_SPACE, PASS, Table, ti_rules, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import abilities, counts, culture, decisions, pieces, start_effects, turn
from newdawn.simulator.engine.choosing import LOG_CITY_TAKEN
from newdawn.simulator.rules import codes
from newdawn.simulator.rules.ruleset_contents import written

THREE = ("Scythia", "Sumeria", "France")

table = partial(ti_table_with, (0, 0), (0, 5), (0, -5), radius=5, leaders=THREE)


def take(t, *choices, p=0, start=(0, 0), reach=3, may_pass=0) -> int:
    """Let seat `p` take a rival city by an effect counted from the space, or from its cities (None)."""
    t.g.current = p
    t.script(*choices)
    done = t.call(culture.take_rival_city, p, decisions.SOURCE_RADIO, -1 if start is None else t.at(start), reach, may_pass)
    t.require_script_done()
    return int(done)


def build(t, name, *choices, p=0) -> None:
    """Let seat `p` build the wonder with its industry card from slot 5."""
    t.deck(name)
    t.give_resources(p, marble=6, mercury=6)
    t.g.current = p
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + written(t.r, "wonder").index(name)), *choices)
    h = t.holder(p, "industry")
    turn.resolve_card(t.r, t.g, t.w, BOTS, p, h, abilities.place_of_slot(t.r, 5), turn.CHOSEN)
    t.require_script_done()


# --- T12.10: which cities, and what becomes of them


@pytest.mark.rule("T12.10")
@pytest.mark.effect("Cristo Redentor")
@pytest.mark.parametrize("space", [(-5, 0), (5, 0)])
def test_a_city_on_the_first_or_last_space_of_the_list_is_taken(space):
    t = table()
    assert t.at(space) in (0, t.g.n_spaces - 1)
    t.city(1, space)
    assert take(t, reach=5) == 1  # there is no other: nothing is asked
    assert t.owner(space) == 0


@pytest.mark.rule("T12.10")
@pytest.mark.parametrize("space", [FIRST_SPACE, LAST_SPACE])
def test_a_city_is_taken_near_a_space_at_either_end_of_the_list_and_no_city_state_with_it(space):
    t = ti_table_with((0, -3), (0, 3))
    beside = (space[0] + (2 if space == FIRST_SPACE else -2), 0)
    t.city(1, beside)
    assert culture.list_cities_to_take(t.g, t.w, 0, t.at(space), 1) == 0
    assert culture.list_cities_to_take(t.g, t.w, 0, t.at(space), 2) == 1
    assert culture.list_cities_to_take(t.g, t.w, 0, -1, 1) == 0
    t.script()
    assert t.call(culture.take_rival_city, 0, decisions.SOURCE_RADIO, t.at(space), 2, 0) == 1
    assert t.owner(beside) == 0
    assert pieces.held_city_states(t.g, 0) == 0
    assert counts.metric(t.r, t.g, 0, names.METRIC_CITY_STATES, -1) == 0


@pytest.mark.rule("T12.10")
@pytest.mark.effect("Cristo Redentor")
def test_cities_within_reach_through_anything_but_no_capitals():
    t = table(terrain={(1, 0): "water", (2, 0): "mountain"})
    t.city(1, (3, 0))
    t.city(2, (0, 3))
    t.city(1, (-4, 0))
    t.token(1, (0, -1))
    assert take(t, (decisions.TAKE_CITY, (3, 0))) == 1
    assert t.options(decisions.TAKE_CITY) == t.spaces((3, 0), (0, 3))
    assert (t.owner((3, 0)), t.piece((3, 0))) == (0, "city")
    t = table()
    assert take(t, reach=5) == 0  # only capitals are that near
    assert t.piece((0, 5)) == "capital"


@pytest.mark.rule("T12.10")
@pytest.mark.effect("Cristo Redentor")
@pytest.mark.parametrize("whose", [0, 1, 2])
def test_an_army_of_anyone_guards_the_city_a_caravan_does_not(whose):
    t = table()
    t.city(1, (3, 0))
    t.army(whose, (3, 0))
    assert take(t) == 0
    t.army(whose, None)
    t.caravan(whose, (3, 0))
    assert take(t) == 1
    assert int(t.g.caravans[t.at((3, 0))]) == 1  # caravans stay


@pytest.mark.rule("T12.10")
@pytest.mark.effect("Cristo Redentor")
def test_the_rivals_city_returns_and_an_own_unused_one_stands_there():
    t = table()
    t.city(1, (3, 0))
    own, other = int(t.g.cities_left[0]), int(t.g.cities_left[1])
    assert take(t) == 1
    assert (int(t.g.cities_left[0]), int(t.g.cities_left[1])) == (own - 1, other + 1)
    assert t.at((3, 0)) in t.g.cities[0, : t.g.city_count[0]]
    assert t.at((3, 0)) not in t.g.cities[1, : t.g.city_count[1]]
    rows = t.w.log[: t.w.log_n].tolist()
    assert [row[1:4] for row in rows if row[0] == LOG_CITY_TAKEN] == [[0, t.at((3, 0)), 1]]


@pytest.mark.rule("T12.10")
@pytest.mark.effect("Cristo Redentor")
def test_without_an_unused_city_nothing_happens():
    t = table()
    t.city(1, (3, 0))
    t.g.cities_left[0] = 0
    assert take(t) == 0
    assert t.owner((3, 0)) == 1


@pytest.mark.rule("T12.10")
@pytest.mark.effect("Cristo Redentor")
def test_a_wonder_and_a_conquered_city_state_come_along():
    t = table()
    t.conquered(1, "Geneva", (3, 0))
    t.wonder("Oracle", (3, 0))
    assert t.controls(1, "Oracle")
    assert take(t) == 1
    assert t.controls(0, "Oracle")
    geneva = t.city_state_code("Geneva")
    assert int(t.g.city_state_owner[geneva]) == 0
    assert int(t.g.city_state_holder[geneva]) == t.holder(0, "science")
    assert int(t.g.city_state[t.at((3, 0))]) == -1  # taken, not freed


@pytest.mark.rule("T12.10")
@pytest.mark.effect("Radio")
def test_distances_may_count_from_every_own_city():
    t = table()
    t.city(0, (4, 0))
    t.city(1, (4, -4))
    t.city(1, (-4, 0))
    t.city(2, (-3, -2))
    assert take(t, (decisions.TAKE_CITY, PASS), start=None, reach=4, may_pass=1) == 0
    assert t.options(decisions.TAKE_CITY) == t.spaces((4, -4), (-4, 0))


@pytest.mark.rule("T11.5")
@pytest.mark.effect("Cristo Redentor")
def test_without_a_may_one_of_the_cities_has_to_be_taken():
    t = table()
    t.city(1, (3, 0))
    t.city(2, (0, 3))
    take(t, (decisions.TAKE_CITY, (0, 3)))
    asked = next(options for kind, _, options in t.asked() if kind == decisions.TAKE_CITY)
    assert PASS not in asked


@pytest.mark.rule("T12.4", "T12.10")
def test_no_city_of_a_player_whose_pact_is_held_is_taken_by_an_effect():
    t = table()
    t.city(1, (3, 0))
    t.diplomacy(0, 1, "Non-Aggression Pact")
    assert take(t) == 0


# --- Cristo Redentor: built or captured (T11.3)


@pytest.mark.rule("T11.3", "T12.10")
@pytest.mark.effect("Cristo Redentor")
def test_cristo_redentor_takes_a_city_within_three_of_itself_when_it_is_built():
    t = table()
    t.city(1, (3, 0))
    t.city(2, (-4, 0))  # four away
    build(t, "Cristo Redentor")
    assert t.owner((3, 0)) == 0
    assert t.owner((-4, 0)) == 2


@pytest.mark.effect("Cristo Redentor")
def test_a_cristo_redentor_of_house_rules_takes_as_many_cities_as_it_says():
    rules = ti_rules().copy()
    rules.ability_amount[rules.ability_effect == codes.TAKE_CITY] = 2
    t = table(rules=rules)
    t.city(1, (3, 0))
    t.city(2, (-3, 0))
    build(t, "Cristo Redentor", (decisions.TAKE_CITY, (3, 0)))
    assert (t.owner((3, 0)), t.owner((-3, 0))) == (0, 0)


@pytest.mark.rule("T11.3")
@pytest.mark.effect("Cristo Redentor")
@pytest.mark.parametrize(("dice", "owner"), [(WIN, 0), (LOSE, 2)])
def test_cristo_redentor_takes_a_city_when_it_is_captured_in_a_won_attack(dice, owner):
    t = table()
    t.city(1, (3, 0))
    t.city(2, (5, -2))
    t.wonder("Cristo Redentor", (3, 0))
    fight(t, (3, 0), dice, target="city", q=1)
    assert t.owner((5, -2)) == owner  # two from the wonder, five from the attacker's capital
    assert t.controls(0, "Cristo Redentor") is (owner == 0)


@pytest.mark.rule("T11.3", "B9.10")
@pytest.mark.effect("Cristo Redentor")
def test_a_wonder_taken_from_a_beaten_capital_is_captured_and_counts_from_where_it_lies():
    t = table()
    t.city(2, (2, 0))
    t.city(2, (0, 3))
    t.wonder("Cristo Redentor", (0, 5))
    t.g.trade[1] = 0
    fight(t, (0, 5), WIN, (decisions.TAKE_CITY, (2, 0)), target="capital", q=1, slot=5)
    assert t.options(decisions.TAKE_CITY) == t.spaces((2, 0), (0, 3))  # both within three of the attacker's capital
    assert t.controls(0, "Cristo Redentor")


@pytest.mark.rule("T11.3")
def test_beating_another_piece_beside_the_wonder_captures_nothing():
    t = table()
    t.city(1, (3, 0))
    t.city(2, (5, -2))
    t.army(1, (3, 0))
    t.wonder("Cristo Redentor", (3, 0))
    fight(t, (3, 0), WIN, target="army", q=1)
    assert t.controls(1, "Cristo Redentor")
    assert t.owner((5, -2)) == 2


@pytest.mark.rule("T11.3")
@pytest.mark.parametrize("reading", ["attack_only", "effects_too"])
@pytest.mark.parametrize("how", ["taken city", "lost wonder"])
def test_whether_a_wonder_taken_by_an_effect_is_captured_is_a_switch(tmp_path, reading, how):
    t = table(rules=ti_rules_with(tmp_path, rulings={"capture_by_effect": reading}))
    t.city(2, (5, -2))
    if how == "taken city":
        t.city(1, (3, 0))
        t.wonder("Cristo Redentor", (3, 0))
        take(t)
    else:
        t.city(0, (2, 0))
        t.wonder("Cristo Redentor", (3, 0))  # lies in ruins there (B8.7)
        t.g.current = 0
        t.script((decisions.PLACE_TOKEN, (3, 0)), (decisions.PLACE_TOKEN, PASS))
        t.resolve(0, "Early Empire", 5)
    t.call(start_effects.follow_up)
    assert t.controls(0, "Cristo Redentor")
    assert t.owner((5, -2)) == (0 if reading == "effects_too" else 2)


# --- Statue of Liberty


def liberty(**kw) -> Table:
    """Return a table on which seat 0 has the Statue of Liberty, with a city of seat 1 at (3, 0) and tokens around it."""
    t = table(**kw)
    t.wonder("Statue of Liberty", (0, 0))
    t.city(1, (3, 0))
    t.token(1, (4, 0), reinforced=True)
    t.token(2, (3, 1))
    t.token(0, (2, 0), reinforced=True)
    t.token(1, (5, 0))  # two away
    return t


@pytest.mark.effect("Statue of Liberty")
def test_statue_of_liberty_rival_tokens_beside_a_city_beaten_become_own_plain_ones():
    t = liberty()
    fight(t, (3, 0), WIN, target="city", q=1, slot=5)
    assert (t.owner((4, 0)), t.piece((4, 0))) == (0, "token")
    assert (t.owner((3, 1)), t.piece((3, 1))) == (0, "token")  # also of a third player
    assert t.piece((2, 0)) == "reinforced_token"  # the own one is left alone
    assert t.owner((5, 0)) == 1
    assert t.owner((3, 0)) == 0


@pytest.mark.effect("Statue of Liberty")
@pytest.mark.parametrize("case", ["lost attack", "token beaten", "capital", "another player"])
def test_statue_of_liberty_is_for_rival_cities_that_its_owner_replaces(case):
    t = liberty()
    if case == "lost attack":
        fight(t, (3, 0), LOSE, target="city", q=1)
    elif case == "token beaten":
        fight(t, (3, 1), WIN, target="token", q=2)
    elif case == "capital":
        t.token(1, (1, 4))
        t.g.trade[1] = 0
        fight(t, (0, 5), WIN, target="capital", q=1, slot=5)
        assert t.owner((1, 4)) == 1
    else:
        fight(t, (3, 0), WIN, p=2, target="city", q=1, slot=5)
    assert (t.owner((4, 0)), t.piece((4, 0))) == (1, "reinforced_token")


@pytest.mark.rule("T12.10")
@pytest.mark.effect("Statue of Liberty")
def test_statue_of_liberty_acts_before_a_city_is_taken_by_an_effect():
    t = liberty()
    take(t)
    assert t.owner((4, 0)) == t.owner((3, 1)) == t.owner((3, 0)) == 0


@pytest.mark.effect("Statue of Liberty")
@pytest.mark.parametrize("beside", [0, 1])
def test_statue_of_liberty_takes_no_more_tokens_than_lie_beside_the_city(beside):
    t = table()
    t.wonder("Statue of Liberty", (0, 0))
    t.city(1, (3, 0))
    t.token(0, (-3, 0), reinforced=True)
    t.token(1, *[(4, 0)] * beside)
    t.w.option[:] = t.at((-3, 0))  # what an earlier decision left there
    before = int(t.g.tokens_left[0])
    t.call(culture.take_tokens_beside, 0, t.at((3, 0)))
    assert int(t.g.tokens_left[0]) == before - beside
    assert (t.piece((-3, 0)), t.piece((3, 0)), t.owner((3, 0))) == ("reinforced_token", "city", 1)


@pytest.mark.rule("T5.14", "T12.10")
@pytest.mark.effect("Statue of Liberty")
@pytest.mark.parametrize("whose", [0, 1, 2])
def test_statue_of_liberty_leaves_tokens_under_armies_and_of_givers_of_pacts(whose):
    t = liberty()
    t.army(whose, (4, 0))
    t.diplomacy(0, 2, "Non-Aggression Pact")
    take(t)
    assert (t.owner((4, 0)), t.piece((4, 0))) == (1, "reinforced_token")
    assert t.owner((3, 1)) == 2
    assert t.owner((3, 0)) == 0


@pytest.mark.rule("T4.4")
@pytest.mark.effect("Statue of Liberty")
def test_a_rivals_district_becomes_an_ordinary_token():
    t = liberty()
    t.district(1, "Campus", (3, -1))
    take(t)
    assert (t.owner((3, -1)), t.piece((3, -1)), t.district_on((3, -1))) == (0, "token", None)
    assert int(t.g.district_space[1, names.CAMPUS]) == -1


@pytest.mark.rule("B1.6", "T11.5")
@pytest.mark.effect("Statue of Liberty")
def test_statue_of_liberty_with_too_few_tokens_its_owner_chooses_which_are_replaced():
    t = liberty()
    t.g.tokens_left[0] = 1
    take(t, (decisions.RIVAL_TOKEN, (3, 1)), (decisions.TAKE_OFF, PASS))
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((4, 0), (3, 1))
    assert (t.owner((3, 1)), t.owner((4, 0))) == (0, 1)
    t = liberty()
    t.g.tokens_left[0] = 0
    take(t, (decisions.TAKE_OFF, (2, 0)), (decisions.RIVAL_TOKEN, (4, 0)), (decisions.TAKE_OFF, PASS))
    assert (t.owner((2, 0)), t.owner((4, 0)), t.owner((3, 1))) == (-1, 0, 2)


@pytest.mark.rule("B10.3")
@pytest.mark.effect("Statue of Liberty")
@pytest.mark.parametrize(("fate", "owner"), [(0, 0), (1, 1)])
def test_statue_of_liberty_a_conquered_city_state_taken_is_a_city_replaced_one_freed_is_not(fate, owner):
    t = table()
    t.wonder("Statue of Liberty", (0, 0))
    t.conquered(1, "Geneva", (3, 0))
    t.token(1, (4, 0))
    fight(t, (3, 0), WIN, (decisions.CITY_STATE_FATE, fate), target="city", q=1, slot=5)
    assert t.owner((4, 0)) == owner


@pytest.mark.rule("T6.3")
@pytest.mark.effect("Statue of Liberty")
@pytest.mark.parametrize(("left", "owner"), [(3, 0), (0, 1)])
def test_statue_of_liberty_acts_where_the_city_on_a_fort_is_replaced(left, owner):
    t = table()
    t.wonder("Statue of Liberty", (0, 0))
    t.fort((3, 0))
    t.city(1, (3, 0))
    t.token(1, (4, -1))
    t.g.cities_left[0] = left
    fight(t, (3, 0), WIN, target="city", q=1, slot=5)
    assert t.owner((4, -1)) == owner  # T6.5: without a city left nothing replaces the rival's


# --- T12.25: a city is replaced only by a city


def beat_city(t):
    fight(t, (3, 0), WIN, target="city", q=1, slot=5)


def beat_city_of_a_city_state(t):
    fight(t, (3, 0), WIN, (decisions.CITY_STATE_FATE, 0), target="city", q=1, slot=5)


def build_cristo_redentor(t):
    build(t, "Cristo Redentor")


def resolve_radio(t):
    t.g.current = 0
    t.script((decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Radio", 5)


# How a rival city comes to be replaced, what stands there then without an unused city, and whether the rival's city is gone.
CALLERS = {
    "conquered": (beat_city, (0, "reinforced_token")),
    "conquered city-state": (beat_city_of_a_city_state, (0, "reinforced_token")),
    "conquered fort": (beat_city, (-1, "none")),
    "Cristo Redentor": (build_cristo_redentor, (1, "city")),
    "Radio": (resolve_radio, (1, "city")),
}


@pytest.mark.rule("T12.25")
@pytest.mark.effect("Statue of Liberty")
@pytest.mark.parametrize("left", [0, 1])
@pytest.mark.parametrize("how", CALLERS)
def test_statue_of_liberty_acts_where_a_city_is_put_down_and_nowhere_else(how, left):
    t = table(leaders=("America", "Sumeria", "France"))
    t.wonder("Statue of Liberty", (0, 0))
    t.city(0, (2, -2))
    if how == "conquered fort":
        t.fort((3, 0))
    if how == "conquered city-state":
        t.conquered(1, "Geneva", (3, 0))
    else:
        t.city(1, (3, 0))
    t.token(1, (4, 0), reinforced=True)
    t.token(2, (2, 1))
    t.g.cities_left[0] = left
    before = int(t.g.tokens_left[0])
    deed, without = CALLERS[how]
    deed(t)
    assert (t.owner((3, 0)), t.piece((3, 0))) == ((0, "city") if left else without)
    assert (t.owner((4, 0)), t.piece((4, 0))) == ((0, "token") if left else (1, "reinforced_token"))
    assert t.owner((2, 1)) == (0 if left else 2)
    laid = 2 if left else int(without == (0, "reinforced_token"))
    assert int(t.g.tokens_left[0]) == before - laid
    assert int(t.g.cities_left[0]) == 0
    if how == "conquered city-state":  # what else the conquest brings comes all the same
        assert int(t.g.city_state_owner[t.city_state_code("Geneva")]) == 0


@pytest.mark.rule("T12.10")
@pytest.mark.rule("B1.6")
@pytest.mark.effect("Statue of Liberty")
def test_statue_of_liberty_asks_for_no_token_when_the_last_one_has_just_been_laid():
    t = table()
    t.wonder("Statue of Liberty", (0, 0))
    t.city(1, (3, 0))
    t.token(1, (4, 0), (3, 1))
    t.token(0, (-3, 0))
    t.g.tokens_left[0] = 2
    t.script()
    t.call(culture.take_tokens_beside, 0, t.at((3, 0)))
    assert t.owner((4, 0)) == t.owner((3, 1)) == 0
    assert t.g.tokens_left[0] == 0
    assert t.asked_kinds() == []


@pytest.mark.rule("T12.10")
@pytest.mark.effect("Radio")
@pytest.mark.parametrize(("option", "passes"), [(None, False), ("must", False), ("may", True)])
def test_radios_city_may_be_declined_alone_by_a_ruling(tmp_path, option, passes):
    rulings = {} if option is None else {"radio_city": option}
    t = table(leaders=("America", "Sumeria", "France"), rules=ti_rules_with(tmp_path, rulings=rulings))
    t.city(1, (3, 0))
    t.g.current = 0
    t.script((decisions.PLACE_TOKEN, PASS), *[(decisions.TAKE_CITY, PASS)] * passes)
    t.resolve(0, "Radio", 5)
    assert t.owner((3, 0)) == (1 if passes else 0)


@pytest.mark.rule("T12.10")
@pytest.mark.rule("B9.11")
@pytest.mark.effect("Radio")
def test_whoever_takes_a_conquered_city_of_any_city_state_gets_its_token():
    for cs, name in enumerate(written(table().r, "city_state")):
        t = table()
        t.conquered(1, name, (3, 0))
        assert t.call(culture.replace_city, 0, t.at((3, 0))) == 1
        assert (t.owner((3, 0)), int(t.g.city_state_owner[cs])) == (0, 0), name
