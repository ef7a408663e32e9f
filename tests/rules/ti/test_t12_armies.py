"""T12 as far as armies go: what lets them pass (T12.2), go again (T12.8, T12.9), and cities with them (T12.15, T12.16)."""

import pytest
from table import PASS, Table, card_codes, disc, table_with_the_rival_far_off, ti_rules, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import armies, decisions, industry, state, turn
from newdawn.simulator.engine.armies import armies_into_cities
from newdawn.simulator.engine.industry import space_of_city
from newdawn.simulator.engine.pieces import settle_loans

WIN, LOSE = (6, 1), (1, 6)
GUARD = (decisions.ARMY_TARGET, state.TARGET_ARMY * 8 + 1)  # of seat 1
CORRIDOR = [(q, 0) for q in range(-4, 9)]


def line(leaders=("Rome", "Egypt"), rules=None, **kw):
    """Return a row of spaces with the capital of seat 0 at (0, 0) and that of seat 1 at its left end."""
    t = Table(rules=ti_rules() if rules is None else rules, leaders=leaders, spaces=CORRIDOR, **kw)
    t.capital(0, (0, 0))
    t.capital(1, (-4, 0))
    t.army(0, (0, 0))
    return t


table = table_with_the_rival_far_off


def reach(t, card, slot=5):
    """Return how far east of the capital the first army can go on the row."""
    t.script((decisions.ARMY, 0))
    t.resolve(0, card, slot)
    return {t.coordinates[s][0] for s in t.options(decisions.ARMY_TO) if t.coordinates[s][0] > 0}


def where(t, p=0, a=0):
    s = int(t.g.army[p, a])
    return t.coordinates[s] if s >= 0 else None


# --- T12.2 Flight


PASSED = ["token", "district", "caravan", "barbarian", "city-state"]
NOT_PASSED = ["reinforced token", "reinforced district", "city", "army", "fort"]


def put(t, what, space):
    if what == "caravan":
        t.caravan(1, space)
    elif what == "barbarian":
        t.barbarian("A", space)
    elif what == "city-state":
        t.city_state("Kumasi", space)
    elif what == "city":
        t.city(1, space)
    elif what == "army":
        t.army(1, space)
    elif what == "fort":
        t.fort(space)
    elif what.endswith("district"):
        t.district(1, "Campus", space, reinforced=what.startswith("reinforced"))
    else:
        t.token(1, space, reinforced=what.startswith("reinforced"))


@pytest.mark.rule("T12.2")
@pytest.mark.effect("Flight")
@pytest.mark.parametrize("what", PASSED + NOT_PASSED)
def test_flight_passes_weak_pieces_barbarians_and_city_states_only(what):
    t = line()
    put(t, what, (2, 0))
    assert reach(t, "Flight") == ({1, 2, 3, 4, 5, 6} if what in PASSED else {1, 2})


@pytest.mark.rule("T12.2")
@pytest.mark.effect("Flight")
def test_other_cards_pass_nothing_of_it():
    for what in PASSED:
        t = line()
        put(t, what, (2, 0))
        assert reach(t, "Mass Production") == {1, 2}


@pytest.mark.rule("T12.2")
@pytest.mark.effect("Flight")
def test_flight_passes_several_weak_things_at_once_but_nothing_with_a_strong_one():
    t = line()
    for what in ("token", "caravan", "barbarian"):
        put(t, what, (2, 0))
    assert reach(t, "Flight") == {1, 2, 3, 4, 5, 6}
    t.army(1, (2, 0))
    assert reach(t, "Flight") == {1, 2}


@pytest.mark.rule("T12.2")
@pytest.mark.effect("Flight")
def test_flight_ending_there_attacks():
    t = line()
    t.token(1, (2, 0))
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (2, 0)))
    t.resolve(0, "Flight", 5)
    assert len(t.combats()) == 1
    assert where(t) == (2, 0)


@pytest.mark.rule("T12.2")
@pytest.mark.rule("T5.12")
@pytest.mark.effect("Flight")
def test_an_army_that_flew_goes_back_to_the_last_space_where_it_could_stay():
    t = line()
    for q in (2, 3):
        t.token(1, (q, 0))
    t.city(1, (4, 0))
    t.army(1, (4, 0))
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (4, 0)), GUARD)
    t.resolve(0, "Flight", 5)
    assert where(t, 1) is None
    assert where(t) == (1, 0)


# --- T12.2 Akkad


@pytest.mark.rule("T12.2")
@pytest.mark.effect("Akkad")
@pytest.mark.parametrize("what", ["token", "reinforced token", "district", "reinforced district"])
def test_akkad_lets_armies_through_rival_tokens_and_districts(what):
    t = line()
    put(t, what, (2, 0))
    assert reach(t, "Masonry") == {1, 2}
    t.city_state_card(0, "Akkad")
    assert reach(t, "Masonry") == {1, 2, 3}
    t.city_state_card(1, "Akkad")
    t.g.city_state_cards[t.city_state_code("Akkad"), 0] = 0
    t.refresh()
    assert reach(t, "Masonry") == {1, 2}


@pytest.mark.rule("T12.2")
@pytest.mark.effect("Akkad")
@pytest.mark.parametrize("other", ["caravan", "barbarian", "army"])
def test_akkad_passes_no_token_beside_another_target(other):
    t = line()
    t.city_state_card(0, "Akkad")
    t.token(1, (2, 0))
    put(t, other, (2, 0))
    assert reach(t, "Masonry") == {1, 2}


@pytest.mark.rule("T12.2")
@pytest.mark.effect("Akkad")
@pytest.mark.parametrize("what", ["caravan", "barbarian", "city-state", "city", "army", "fort"])
def test_akkad_passes_nothing_but_tokens(what):
    t = line()
    t.city_state_card(0, "Akkad")
    put(t, what, (2, 0))
    assert reach(t, "Masonry") == {1, 2}


@pytest.mark.rule("T12.2")
@pytest.mark.effect("Akkad")
def test_ending_on_the_token_still_means_an_attack():
    t = line()
    t.city_state_card(0, "Akkad")
    t.token(1, (2, 0))
    t.dice(*LOSE)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (2, 0)))
    t.resolve(0, "Masonry", 5)
    assert len(t.combats()) == 1


@pytest.mark.rule("T12.2")
@pytest.mark.rule("T5.12")
@pytest.mark.effect("Akkad")
def test_the_way_back_leads_over_the_tokens_passed():
    t = line()
    t.city_state_card(0, "Akkad")
    t.token(1, (1, 0))
    t.city(1, (2, 0))
    t.army(1, (2, 0))
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (2, 0)), GUARD)
    t.resolve(0, "Masonry", 5)
    assert where(t) == (0, 0)


@pytest.mark.rule("T5.12")
@pytest.mark.effect("Akkad")
@pytest.mark.parametrize(("first", "back"), [([], (0, 0)), ([(decisions.ARMY_TO, (1, -1))], (1, -1))])
def test_a_way_without_a_space_to_stay_on_is_taken_unless_the_player_goes_another(first, back):
    t = table()
    t.city_state_card(0, "Akkad")
    t.army(0, (0, 0))
    t.token(1, (1, 0))
    t.army(1, (2, -1))
    t.army(1, (2, -1), a=1)
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), *first, (decisions.ARMY_TO, (2, -1)))
    t.resolve(0, "Masonry", 5)
    assert t.g.armies[t.at((2, -1))] == 1
    assert where(t) == back


@pytest.mark.rule("T5.12")
@pytest.mark.effect("Akkad")
def test_also_when_it_is_the_longer_way():
    t = table()
    t.city_state_card(0, "Akkad")
    t.army(0, (0, 0))
    t.token(1, (0, 1), (1, 1))
    t.army(1, (2, 0))
    t.army(1, (2, 0), a=1)
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (2, 0)))
    t.resolve(0, "Masonry", 5)
    assert where(t) == (0, 0)  # three steps over tokens, not two by (1, 0)


# --- T12.2 Pentagon


@pytest.mark.rule("T12.2")
@pytest.mark.effect("Pentagon")
def test_pentagon_lifts_the_distance_only():
    t = line()
    assert reach(t, "Masonry") == {1, 2, 3}
    t.wonder("Pentagon", (0, 0))
    assert reach(t, "Masonry") == set(range(1, 9))
    t.token(1, (5, 0))
    assert reach(t, "Masonry") == set(range(1, 6))
    t = line(terrain={(3, 0): "mountain", (6, 0): "water"})
    t.wonder("Pentagon", (0, 0))
    assert reach(t, "Masonry", 4) == {1, 2}
    assert reach(t, "Masonry", 5) == {1, 2, 3, 4, 5}
    t = line()
    t.wonder("Pentagon", (-4, 0))
    assert reach(t, "Masonry") == {1, 2, 3}


# --- T12.3 Antananarivo


def on_loan(mature=True):
    """Return a table where seat 0 has Antananarivo, at (3, 0), for an own city in its turn."""
    t = table(radius=6)
    t.city_state("Antananarivo", (3, 0))
    t.city_state_card(0, "Antananarivo")
    if mature:
        t.token(0, (4, 0), (3, 1), (2, 1), (2, 0), (3, -1), (4, -1))
    t.g.current, t.g.in_turn = 0, 1
    settle_loans(t.r, t.g, t.w)
    return t


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_armies_pass_a_city_on_loan_and_never_stay_there():
    t = on_loan(mature=False)
    t.army(0, (2, 0))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 5)
    reached = {t.coordinates[s] for s in t.options(decisions.ARMY_TO)}
    assert (3, 0) not in reached
    assert (5, 0) in reached  # three steps, through it
    assert t.combats() == []


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
@pytest.mark.parametrize("mature", [True, False])
def test_armies_of_the_card_start_there_if_it_is_mature(mature):
    t = on_loan(mature)
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 5)
    reached = {t.coordinates[s] for s in t.options(decisions.ARMY_TO)}
    assert ((6, 0) in reached) == mature
    assert (3, 0) not in reached


@pytest.mark.rule("T12.3")
@pytest.mark.rule("T5.12")
@pytest.mark.effect("Antananarivo")
def test_no_army_goes_back_to_a_city_on_loan():
    t = on_loan()
    t.city(1, (5, 0))
    t.army(1, (5, 0))
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (4, 0)), (decisions.ARMY_TO, (5, 0)), GUARD)
    t.dice(*WIN)
    t.resolve(0, "Masonry", 5)
    assert where(t) == (4, 0)
    t = on_loan()
    t.army(1, (4, 0))
    t.army(1, (4, 0), a=1)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (4, 0)))
    t.dice(*WIN)
    t.resolve(0, "Masonry", 5)
    assert where(t, 1, 1) == (4, 0)
    assert where(t) is None


# --- T12.8 Scorched Earth


def burning(leader="Zulu"):
    """Return a table with an army beside a rival token at (1, 0), and more of the rival's farther on."""
    t = table(leaders=(leader, "Egypt"))
    t.army(0, (0, 0))
    t.token(1, (1, 0), (4, -1))
    return t


@pytest.mark.rule("T12.8")
@pytest.mark.effect("Scorched Earth")
@pytest.mark.parametrize("what", ["token", "reinforced token", "district"])
def test_scorched_earth_burns_a_beaten_token_and_moves_on_with_the_full_distance(what):
    t = table(leaders=("Zulu", "Egypt"))
    t.army(0, (-2, 0))
    put(t, what, (1, 0))
    t.caravan(1, (1, 0))
    left = int(t.g.tokens_left[0])
    t.dice(*WIN)
    t.script(
        (decisions.ARMY, 0),
        (decisions.ARMY_TO, (1, 0)),
        (decisions.ARMY_TARGET, state.TARGET_TOKEN * 8 + 1),
        (decisions.ARMY_AGAIN, 0),
    )
    t.resolve(0, "Scorched Earth", 5)
    assert t.owner((1, 0)) == -1
    assert t.g.tokens_left[0] == left
    assert t.g.caravan[1, 0] == state.ON_CARD
    assert {t.coordinates[s] for s in t.options(decisions.ARMY_TO, 1)} >= {(4, 0), (2, 2), (1, -4)}


@pytest.mark.rule("T12.8")
@pytest.mark.effect("Scorched Earth")
def test_the_second_move_may_attack_and_is_the_last_of_the_turn():
    t = burning()
    t.dice(6, 1, 6, 1)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)), (decisions.ARMY_AGAIN, 0), (decisions.ARMY_TO, (4, -1)))
    t.resolve(0, "Scorched Earth", 5)
    assert len(t.combats()) == 2
    assert where(t) == (4, -1)
    assert t.asked_kinds().count("army_again") == 1  # once a turn
    assert (t.owner((1, 0)), t.owner((4, -1))) == (-1, 0)


@pytest.mark.rule("T12.8")
@pytest.mark.effect("Scorched Earth")
def test_it_may_be_declined_and_then_the_token_is_replaced():
    t = burning()
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)), (decisions.ARMY_AGAIN, PASS))
    t.resolve(0, "Scorched Earth", 5)
    assert t.owner((1, 0)) == 0
    assert where(t) == (1, 0)
    assert [len(options) for kind, _, options in t.asked() if kind == decisions.ARMY_AGAIN] == [2]


@pytest.mark.rule("T12.8")
@pytest.mark.effect("Scorched Earth")
def test_a_second_move_that_loses_sends_the_army_home():
    t = burning()
    t.dice(6, 1, 1, 6)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)), (decisions.ARMY_AGAIN, 0), (decisions.ARMY_TO, (4, -1)))
    t.resolve(0, "Scorched Earth", 5)
    assert [c.won for c in t.combats()] == [True, False]
    assert where(t) is None


@pytest.mark.rule("T12.8", "T5.10")
@pytest.mark.effect("Scorched Earth")
def test_an_army_sent_home_stays_there_even_where_the_map_fills_the_list_of_spaces():
    t = Table(rules=ti_rules(), leaders=("Zulu", "Egypt"), spaces=[(q, r) for q in range(-8, 8) for r in range(-8, 8)])
    assert t.g.n_spaces == names.MAX_SPACES
    t.capital(0, (0, 0))
    t.capital(1, (-4, 0))
    t.army(0, (0, 0))
    t.token(1, (1, 0), (3, 0), (7, 7))  # the last on the last space of the list
    t.dice(6, 1, 1, 6)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)), (decisions.ARMY_AGAIN, 0), (decisions.ARMY_TO, (3, 0)))
    t.resolve(0, "Scorched Earth", 5)
    assert [c.won for c in t.combats()] == [True, False]
    assert where(t) is None


@pytest.mark.rule("T12.8")
@pytest.mark.rule("T5.12")
@pytest.mark.effect("Scorched Earth")
def test_the_second_move_has_its_own_way_back():
    t = burning()
    t.city(1, (2, 0))
    t.army(1, (2, 0))
    t.dice(6, 1, 6, 1)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)), (decisions.ARMY_AGAIN, 0), (decisions.ARMY_TO, (2, 0)), GUARD)
    t.resolve(0, "Scorched Earth", 5)
    assert where(t) == (1, 0)


@pytest.mark.rule("T12.8")
@pytest.mark.effect("Scorched Earth")
@pytest.mark.parametrize("what", ["city", "army", "caravan", "barbarian", "city-state", "fort"])
def test_no_other_target_is_burnt(what):
    t = table(leaders=("Zulu", "Egypt"))
    t.army(0, (0, 0))
    put(t, what, (1, 0))
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)))
    t.resolve(0, "Scorched Earth", 5)
    assert t.combats()[-1].won
    assert "army_again" not in t.asked_kinds()


@pytest.mark.rule("T12.8")
@pytest.mark.effect("Scorched Earth")
def test_nobody_burns_with_another_card():
    t = burning("Rome")
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)))
    t.resolve(0, "Iron Working", 5)
    assert t.owner((1, 0)) == 0
    assert "army_again" not in t.asked_kinds()


@pytest.mark.rule("T5.4", "T5.6", "T12.3")
@pytest.mark.effect("Antananarivo")
@pytest.mark.parametrize("dice", [WIN, LOSE])
def test_the_holder_may_attack_a_barbarian_on_the_city_on_loan_and_does_not_stay(dice):
    t = on_loan(mature=False)
    t.barbarian("A", (3, 0))
    t.army(0, (1, 0))
    t.dice(*dice)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (3, 0)))
    t.resolve(0, "Masonry", 5)
    assert (5, 0) not in {t.coordinates[s] for s in t.options(decisions.ARMY_TO)}, "three steps, but not past the barbarian"
    won = dice == WIN
    assert [c.won for c in t.combats()] == [won]
    assert int(t.g.barbarians[t.at((3, 0))]) == (0 if won else 1)
    assert where(t) == ((2, 0) if won else None)
    assert t.owner((3, 0)) == 0, "it is no target, but still a city on loan"


@pytest.mark.rule("T5.4", "T12.3")
@pytest.mark.effect("Antananarivo")
def test_an_army_of_the_card_does_not_step_out_beside_the_barbarian():
    t = on_loan()
    t.barbarian("A", (3, 0))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 5)
    assert t.at((3, 0)) not in t.options(decisions.ARMY_TO)


# --- T12.9 Mass Production


def losing(**kw):
    t = table(**kw)
    t.army(0, (3, 0))
    t.token(1, (4, 0), (0, 4))
    return t


@pytest.mark.rule("T12.9")
@pytest.mark.effect("Mass Production")
def test_with_mass_production_a_beaten_army_sets_out_again_from_the_card():
    t = losing()
    t.dice(1, 6, 6, 1)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (4, 0)), (decisions.ARMY_AGAIN, 0), (decisions.ARMY_TO, (0, 4)))
    t.resolve(0, "Mass Production", 1)
    assert [c.won for c in t.combats()] == [False, True]
    assert where(t) == (0, 4)
    at_home = {t.coordinates[s] for s in t.options(decisions.ARMY_TO, 1)}
    assert at_home >= {(0, 0), (0, 4), (4, 0), (-2, 0), (0, -4)}  # five steps from the capital


@pytest.mark.rule("T12.9")
@pytest.mark.effect("Mass Production")
def test_only_one_army_and_once():
    t = losing()
    t.army(0, (0, 3), a=1)
    t.dice(1, 6, 1, 6, 1, 6)
    t.script(
        (decisions.ARMY, 0),
        (decisions.ARMY_TO, (4, 0)),
        (decisions.ARMY_AGAIN, 0),
        (decisions.ARMY_TO, (4, 0)),
        (decisions.ARMY, 1),
        (decisions.ARMY_TO, (0, 4)),
    )
    t.resolve(0, "Mass Production", 1)
    assert len(t.combats()) == 3
    assert t.asked_kinds().count("army_again") == 1
    assert t.g.army[0, :2].tolist() == [state.ON_CARD, state.ON_CARD]


@pytest.mark.rule("T12.9")
@pytest.mark.effect("Mass Production")
def test_it_may_wait_for_the_other_army():
    t = losing()
    t.army(0, (0, 3), a=1)
    t.dice(1, 6, 1, 6, 6, 1)
    t.script(
        (decisions.ARMY, 0),
        (decisions.ARMY_TO, (4, 0)),
        (decisions.ARMY_AGAIN, PASS),
        (decisions.ARMY, 1),
        (decisions.ARMY_TO, (0, 4)),
        (decisions.ARMY_AGAIN, 1),
        (decisions.ARMY_TO, (4, 0)),
    )
    t.resolve(0, "Mass Production", 1)
    assert t.options(decisions.ARMY_AGAIN, 1) == {0, 1}
    assert where(t, a=1) == (4, 0)
    assert where(t) is None


@pytest.mark.rule("T12.9")
@pytest.mark.effect("Mass Production")
def test_an_army_that_won_or_another_card_gets_no_second_chance():
    t = losing()
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (4, 0)))
    t.resolve(0, "Mass Production", 1)
    assert "army_again" not in t.asked_kinds()
    t = losing()
    t.dice(*LOSE)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (4, 0)))
    t.resolve(0, "Iron Working", 1)
    assert "army_again" not in t.asked_kinds()


@pytest.mark.rule("T12.9")
@pytest.mark.effect("Mass Production", "Venetian Arsenal")
def test_once_a_turn_although_venetian_arsenal_resolves_the_card_twice():
    t = losing(terrain={(4, 0): "mountain"})
    t.wonder("Venetian Arsenal", (0, 0))
    t.army(0, (0, 3), a=1)
    t.card(0, "Mass Production")
    kinds = ("growth", "culture", "science", "economy", "industry", "military")
    t.g.row[0, :6] = [t.holder(0, kind) for kind in kinds]
    t.dice(1, 6, 1, 6, 1, 6)
    t.script(
        (decisions.CARD, 5),
        (decisions.ARMY, 0),
        (decisions.ARMY_TO, (4, 0)),
        (decisions.ARMY_AGAIN, 0),
        (decisions.ARMY_TO, (4, 0)),
        (decisions.ARMY, PASS),
        (decisions.REPEAT_CARD, 1),
        (decisions.ARMY, 1),
        (decisions.ARMY_TO, (0, 4)),
    )
    t.take_turn(0)
    assert len(t.combats()) == 3
    assert t.asked_kinds().count("army_again") == 1
    turn.begin_turn(t.r, t.g)
    t.army(0, (0, 3))
    t.dice(*LOSE)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (0, 4)), (decisions.ARMY_AGAIN, 0))
    t.resolve(0, "Mass Production", 1)


@pytest.mark.rule("T12.9")
@pytest.mark.effect("Mass Production", "Venetian Arsenal")
def test_what_is_left_of_it_serves_when_the_card_is_resolved_again():
    t = losing()
    t.g.current = 0
    t.dice(*LOSE)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (4, 0)), (decisions.ARMY_AGAIN, PASS))
    t.resolve(0, "Mass Production", 1)
    t.script((decisions.ARMY_AGAIN, 0))
    t.resolve(0, "Mass Production", 1)


@pytest.mark.rule("T12.9")
@pytest.mark.parametrize(("figures", "again"), [({"armies": 2}, 2), ({"per_turn": 2}, 2), ({"armies": 0}, 0)])
def test_house_rules_say_how_many_set_out_again_in_a_turn(tmp_path, figures, again):
    rules = ti_rules_with(tmp_path, focus_cards={"mass_production": {"redeploy_defeated": figures}})
    t = table(rules=rules)
    t.army(0, (3, 0))
    t.token(1, (4, 0))
    t.dice(1, 6, 1, 6, 1, 6)
    t.script(
        (decisions.ARMY, 0), (decisions.ARMY_TO, (4, 0)), *[(decisions.ARMY_AGAIN, 0), (decisions.ARMY_TO, (4, 0))] * again
    )
    t.resolve(0, "Mass Production", 1)
    assert len(t.combats()) == 1 + again


@pytest.mark.rule("T12.9")
@pytest.mark.rule("T5.10")
@pytest.mark.effect("Mass Production")
def test_an_army_that_has_set_out_again_moves_when_the_card_is_resolved_once_more():
    t = table()
    t.army(0, (3, 0))
    t.token(1, (4, 0))
    t.dice(*LOSE)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (4, 0)), (decisions.ARMY_AGAIN, 0), (decisions.ARMY_TO, (0, 1)))
    t.resolve(0, "Mass Production", 1)
    assert t.g.army[0, 0] == t.at((0, 1))
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (0, 2)))
    t.resolve(0, "Mass Production", 1)
    assert t.g.army[0, 0] == t.at((0, 2))


# --- T12.15 Military Engineering


@pytest.mark.rule("T12.15")
@pytest.mark.effect("Military Engineering")
def test_armies_of_the_card_may_be_put_into_any_own_city():
    t = table()
    t.city(0, (0, 3))
    t.city(1, (3, 0))
    t.army(0, None)
    t.army(0, None, a=1)
    t.script((decisions.ARMY_CITY, (0, 3)), (decisions.ARMY_CITY, (0, 0)))
    t.call(armies_into_cities, 0)
    t.require_script_done()
    assert not t.mature(0, (0, 3))
    assert t.options(decisions.ARMY_CITY) == t.spaces((0, 0), (0, 3))
    assert (where(t), where(t, a=1)) == ((0, 3), (0, 0))


@pytest.mark.rule("T12.15")
@pytest.mark.effect("Military Engineering")
def test_the_card_puts_its_armies_before_it_reinforces():
    t = table(leaders=("Rome", "Egypt"))
    t.city(0, (0, 3))
    t.token(0, (0, 4), (3, -3))
    t.army(0, None)
    t.script((decisions.GROWTH, decisions.GROWTH_ALL), (decisions.ARMY_CITY, (0, 3)))
    t.resolve(0, "Military Engineering", 5)
    assert where(t) == (0, 3)
    assert [t.piece(s) for s in ((0, 4), (3, -3))] == ["reinforced_token", "token"]


@pytest.mark.rule("T12.15")
@pytest.mark.effect("Military Engineering")
def test_armies_on_the_map_stay_and_nobody_has_to():
    t = table()
    t.army(0, (2, 0))
    t.army(0, None, a=1)
    t.script((decisions.ARMY_CITY, PASS))
    t.call(armies_into_cities, 0)
    assert (where(t), where(t, a=1)) == ((2, 0), None)
    assert t.asked_kinds() == ["army_city"]


@pytest.mark.rule("T12.15")
@pytest.mark.effect("Military Engineering")
def test_every_army_on_the_card_may_be_put_into_a_city():
    t = table()
    for a in range(names.MAX_ARMIES):
        t.army(0, None, a=a)
    t.script(*[(decisions.ARMY_CITY, (0, 0))] * names.MAX_ARMIES)
    t.call(armies.armies_into_cities, 0)
    t.require_script_done()
    assert t.g.army[0].tolist() == [t.at((0, 0))] * names.MAX_ARMIES


@pytest.mark.rule("T12.15")
def test_who_puts_no_army_into_a_city_is_not_asked_for_the_next():
    t = ti_table_with((0, 0), (0, 3))
    t.g.army[0, :2] = state.ON_CARD
    t.script((decisions.ARMY_CITY, PASS))
    t.call(armies.armies_into_cities, 0)
    assert t.asked_kinds() == ["army_city"]
    assert t.g.army[0, :2].tolist() == [state.ON_CARD] * 2
    assert t.g.armies.sum() == 0


@pytest.mark.rule("T12.15")
def test_an_army_on_the_map_is_not_put_into_a_city():
    t = ti_table_with((0, 0), (0, 3))
    t.army(0, (2, 0), 0)
    t.g.army[0, 1] = state.ON_CARD
    t.script((decisions.ARMY_CITY, (0, 0)))
    t.call(armies.armies_into_cities, 0)
    assert t.asked_kinds() == ["army_city"]
    assert t.g.army[0, :2].tolist() == [t.at((2, 0)), t.at((0, 0))]


# --- T12.16 Animal Husbandry


@pytest.mark.rule("T12.16")
@pytest.mark.effect("Animal Husbandry")
def test_a_city_right_on_an_own_figure_however_far_on_any_terrain():
    t = table(radius=6, terrain={(6, 0): "mountain", (0, 6): "desert"})
    t.caravan(0, (6, 0))
    t.army(0, (0, 6))
    t.caravan(1, (0, 4))
    t.army(1, (4, 0))
    t.script((decisions.INDUSTRY, decisions.CITY_ON_CARAVAN + t.at((6, 0))))
    t.resolve(0, "Animal Husbandry", 1)
    assert {v for v in t.options(decisions.INDUSTRY) if v >= decisions.WONDER_OPTION} == {
        decisions.CITY_ON_CARAVAN + t.at((6, 0)),
        decisions.CITY_ON_ARMY + t.at((0, 6)),
    }
    assert (t.piece((6, 0)), t.owner((6, 0))) == ("city", 0)
    assert t.g.caravan[0, 0] == state.ON_CARD
    assert where(t) == (0, 6)
    t.script((decisions.INDUSTRY, decisions.CITY_ON_ARMY + t.at((0, 6))))
    t.resolve(0, "Animal Husbandry", 1)
    assert t.piece((0, 6)) == "city"
    assert where(t) is None


@pytest.mark.rule("T12.16")
@pytest.mark.effect("Animal Husbandry")
@pytest.mark.parametrize("figure", ["caravan", "army"])
@pytest.mark.parametrize("space", [disc(3)[0], disc(3)[-1]])
def test_a_city_on_an_own_figure_stands_on_the_figures_space_wherever_in_the_list_it_is(figure, space):
    t = ti_table_with((0, 0))
    getattr(t, figure)(0, space)
    option = t.at(space) + (decisions.CITY_ON_ARMY if figure == "army" else decisions.CITY_ON_CARAVAN)
    t.script((decisions.INDUSTRY, option))
    t.resolve(0, "Animal Husbandry", 1)
    assert space_of_city(option) == t.at(space)
    assert t.piece(space) == "city"


@pytest.mark.rule("T12.16")
@pytest.mark.effect("Animal Husbandry")
def test_one_figure_returns_not_all():
    t = table()
    for a in range(2):
        t.army(0, (3, 0), a)
        t.caravan(0, (3, 0), a)
    t.caravan(1, (3, 0))
    t.script((decisions.INDUSTRY, decisions.CITY_ON_ARMY + t.at((3, 0))))
    t.resolve(0, "Animal Husbandry", 1)
    assert (where(t), where(t, a=1)) == (None, (3, 0))
    assert t.g.caravans[t.at((3, 0))] == 3


@pytest.mark.rule("T12.16")
@pytest.mark.rule("T11.2")
@pytest.mark.effect("Animal Husbandry")
def test_only_on_a_legal_space():
    t = table(terrain={(3, 0): "water"})
    t.city(1, (0, -3))
    t.army(1, (0, 2))
    t.token(1, (2, -3))
    t.resource("oil", (3, 1))
    t.fort((1, 3))
    t.natural_wonder("Crater Lake", (-3, 3))
    t.barbarian("A", (0, 4))
    t.city_state("Kumasi", (-1, -2))
    illegal = [(1, 0), (3, 0), (0, -2), (0, 2), (2, -3), (3, 1), (-3, 3), (0, 4)]
    for space in illegal:
        t.caravan(0, space)
        t.script((decisions.INDUSTRY, PASS))
        t.resolve(0, "Animal Husbandry", 5)
        assert decisions.CITY_ON_CARAVAN + t.at(space) not in t.options(decisions.INDUSTRY), space
    t.caravan(0, (2, 1))
    t.script((decisions.INDUSTRY, PASS))
    t.resolve(0, "Animal Husbandry", 5)
    assert decisions.CITY_ON_CARAVAN + t.at((2, 1)) in t.options(decisions.INDUSTRY)


@pytest.mark.rule("T12.16", "B7.4")
@pytest.mark.effect("Animal Husbandry")
def test_a_caravan_that_a_city_has_replaced_does_not_set_out_in_the_same_turn():
    t = table()
    t.caravan(0, (3, 0))
    t.script((decisions.INDUSTRY, decisions.CITY_ON_CARAVAN + t.at((3, 0))))
    t.resolve(0, "Animal Husbandry", 1)
    t.script()
    t.resolve(0, "Foreign Trade", 1)
    assert "caravan" not in t.asked_kinds()
    turn.begin_turn(t.r, t.g)
    t.resolve(0, "Foreign Trade", 1)
    assert "caravan" in t.asked_kinds()


@pytest.mark.rule("T12.16")
@pytest.mark.effect("Animal Husbandry")
def test_with_another_card_or_without_a_city_left_there_is_none():
    t = table()
    t.caravan(0, (3, 0))
    t.script((decisions.INDUSTRY, PASS))
    t.resolve(0, "Nationalism", 5)
    assert decisions.CITY_ON_CARAVAN + t.at((3, 0)) not in t.options(decisions.INDUSTRY)
    t.g.cities_left[0] = 0
    t.script()
    t.resolve(0, "Animal Husbandry", 1)
    assert t.options(decisions.INDUSTRY) == set()


@pytest.mark.effect("Animal Husbandry")
def test_a_city_is_offered_on_every_own_figure():
    t = ti_table_with((0, 0), (0, -3))
    card = card_codes("terra-incognita")["Animal Husbandry"]
    both = int(t.r.card_city_on_figure[card]) == industry.ON_CARAVAN | industry.ON_ARMY
    t.caravan(0, (2, 0), 0)
    t.caravan(0, (-2, 0), 1)
    t.army(0, (0, 2), 0)
    n = industry.list_cities_on_figures(t.r, t.g, t.w, 0, card, 0)
    expected = {decisions.CITY_ON_CARAVAN + s for s in t.spaces((2, 0), (-2, 0))}
    if both:
        expected |= {decisions.CITY_ON_ARMY + t.at((0, 2))}
    assert t.r.card_city_on_figure[card] & industry.ON_CARAVAN
    assert set(t.w.option[:n].tolist()) == expected


# --- T12.1 Currency


@pytest.mark.rule("T12.1")
@pytest.mark.effect("Currency")
@pytest.mark.parametrize(("reading", "goes_on"), [(None, False), ("move_ends", False), ("caravan_moves_on", True)])
def test_currencys_caravan_stops_where_it_removes_a_barbarian(tmp_path, reading, goes_on):
    rules = ti_rules() if reading is None else ti_rules_with(tmp_path, rulings={"currency_stops": reading})
    t = table(rules=rules)
    t.barbarian("A", (1, 0))
    t.caravan(0, (0, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (1, 0)))
    t.resolve(0, "Currency", 5)
    assert t.g.barbarian_space[0] == -1
    assert t.g.trade[0].sum() == 0
    assert (t.asked_kinds().count("caravan_to") == 2) == goes_on


@pytest.mark.rule("T12.1")
@pytest.mark.effect("Sumeria")
@pytest.mark.parametrize(("reading", "resources"), [(None, 1), ("counts", 1), ("does_not_count", 0)])
def test_sumerias_resource_for_currency(tmp_path, reading, resources):
    rules = ti_rules() if reading is None else ti_rules_with(tmp_path, rulings={"epic_quest_currency": reading})
    t = table(leaders=("Sumeria", "Egypt"), rules=rules)
    t.barbarian("A", (1, 0))
    t.caravan(0, (0, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (1, 0)))
    t.resolve(0, "Currency", 5)
    assert t.g.resources[0].sum() == resources


@pytest.mark.rule("T12.1")
@pytest.mark.effect("Sumeria")
def test_an_army_that_beats_a_barbarian_brings_sumeria_a_resource_and_a_trade_token():
    t = table(leaders=("Sumeria", "Egypt"))
    t.barbarian("A", (1, 0))
    t.army(0, (0, 0))
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)))
    t.resolve(0, "Masonry", 5)
    assert t.g.resources[0].sum() == 1
    assert t.g.trade[0].sum() == 1
