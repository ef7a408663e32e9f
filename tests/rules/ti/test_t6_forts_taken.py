"""T6.3-T6.5: how forts are taken, and by whom without an unused city."""

import pytest
from battles import LOSE, WIN, fight, front, home, ruled, targets
from table import PASS

from newdawn.simulator import names
from newdawn.simulator.engine import decisions
from newdawn.simulator.engine.choosing import LOG_FORT

FORT = (1, 0)
READINGS = ["empty", "control_token", "nothing"]


def fort(**kw):
    t = front(**kw)
    t.fort(FORT)
    return t


def given_up(t):
    """Return the spaces of forts that are said to be uncontrolled again."""
    rows = t.w.log[: t.w.log_n].tolist()
    return [row[2] for row in rows if row[0] == LOG_FORT and row[1] == -1]


@pytest.mark.rule("T6.3")
def test_a_beaten_fort_gets_an_own_city():
    t = fort()
    left = int(t.g.cities_left[0])
    assert fight(t, FORT, WIN, slot=5).defence == 1 + 6
    assert (t.owner(FORT), t.piece(FORT), t.g.cities_left[0]) == (0, "city", left - 1)
    assert t.g.terrain[t.at(FORT)] == names.FOREST
    assert given_up(t) == []


@pytest.mark.rule("T6.3")
def test_a_fort_that_holds_out_stays_uncontrolled():
    t = fort()
    fight(t, FORT, LOSE, slot=5)
    assert (t.owner(FORT), t.piece(FORT)) == (-1, "none")


@pytest.mark.rule("T6.3")
def test_figures_on_an_uncontrolled_fort_are_targets_beside_it_and_stay_when_it_falls():
    t = fort()
    t.caravan(1, FORT)
    assert targets(t, FORT) == {("fort", None), ("caravan", 1)}
    fight(t, FORT, WIN, slot=5, target="fort")
    assert (t.owner(FORT), home(t, 1, "caravan")) == (0, 0)


@pytest.mark.rule("T6.3")
def test_an_own_army_beside_it_does_not_guard_an_uncontrolled_fort():
    t = fort()
    t.army(1, FORT)
    assert fight(t, FORT, LOSE, target="fort").defence == 6 + 6


@pytest.mark.rule("T6.3")
def test_the_city_on_a_fort_is_an_ordinary_one():
    """Twice the difficulty of forest, reinforced tokens beside it, a wonder under it, mature among own tokens."""
    t = fort()
    t.city(1, FORT)
    t.token(1, (2, 0), reinforced=True)
    t.wonder("Stonehenge", FORT)
    assert fight(t, FORT, (1, 1), slot=1).defence == 1 + 2 * 3 + 1
    t.token(1, (1, 1), (0, 1), (1, -1), (2, -1))
    t.g.piece[t.at((0, 0))] = names.TOKEN
    t.g.owner[t.at((0, 0))] = 1
    assert t.mature(1, FORT)


@pytest.mark.rule("T6.3")
@pytest.mark.rule("T6.4")
def test_a_rivals_city_on_a_fort_is_replaced_and_its_wonder_goes_along():
    t = fort()
    t.city(1, FORT)
    t.wonder("Stonehenge", FORT)
    t.army(1, FORT)
    fight(t, FORT, WIN, slot=5, target="city", q=1)
    assert (t.owner(FORT), t.piece(FORT)) == (0, "city")
    assert t.controls(0, "Stonehenge")
    assert home(t, 1, "army") == 1


@pytest.mark.rule("T6.4")
def test_a_barbarian_on_a_fort_is_attacked_first_with_the_difficulty_of_forest():
    t = fort()
    t.barbarian("A", FORT)
    assert targets(t, FORT) == {("barbarian", None)}
    assert fight(t, FORT, WIN).defence == 1 + 3
    assert targets(t, FORT) == {("fort", None)}


# --- T6.5 without an unused city


def reading(word):
    t = fort(rules=ruled("fort_no_city_left", word))
    t.g.cities_left[0] = 0
    return t


@pytest.mark.rule("T6.5")
@pytest.mark.parametrize("word", READINGS)
def test_an_uncontrolled_fort_beaten_without_an_unused_city(word):
    t = reading(word)
    left = int(t.g.tokens_left[0])
    assert fight(t, FORT, WIN, slot=5).won
    token = word == "control_token"
    assert (t.owner(FORT), t.piece(FORT)) == ((0, "reinforced_token") if token else (-1, "none"))
    assert t.g.tokens_left[0] == left - token
    assert given_up(t) == []


@pytest.mark.rule("T6.3")
@pytest.mark.parametrize("word", READINGS)
def test_the_last_unused_city_is_placed_on_a_beaten_fort(word):
    t = reading(word)
    t.g.cities_left[0] = 1
    fight(t, FORT, WIN, slot=5)
    assert (t.owner(FORT), t.piece(FORT), t.g.cities_left[0]) == (0, "city", 0)


@pytest.mark.rule("T6.3")
@pytest.mark.effect("Statue of Liberty")
def test_the_last_unused_city_turns_the_tokens_beside_a_rivals_fort():
    t = fort()
    t.wonder("Statue of Liberty", (0, 0))
    t.city(1, FORT)
    t.token(1, (2, 0))
    t.g.cities_left[0] = 1
    fight(t, FORT, WIN, slot=5, target="city", q=1)
    assert (t.owner(FORT), t.owner((2, 0))) == (0, 0)


@pytest.mark.rule("T6.5")
@pytest.mark.parametrize("word", READINGS)
def test_a_rivals_city_on_a_fort_beaten_without_an_unused_city(word):
    t = reading(word)
    t.city(1, FORT)
    t.army(1, FORT)
    left = int(t.g.cities_left[1])
    assert fight(t, FORT, WIN, slot=5, target="city", q=1).won
    after = {"empty": (-1, "none"), "control_token": (0, "reinforced_token"), "nothing": (1, "city")}[word]
    assert (t.owner(FORT), t.piece(FORT)) == after
    assert t.g.cities_left[1] - left == (word != "nothing")
    assert given_up(t) == ([] if word == "nothing" else [t.at(FORT)])
    assert home(t, 1, "army") == 1


@pytest.mark.rule("T6.5")
def test_a_token_on_a_fort_does_not_control_it_the_next_victory_may_place_a_city():
    t = reading("control_token")
    fight(t, FORT, WIN, slot=5)
    assert targets(t, FORT) == {("fort", None)}  # its owner's army, once there is a city, may take it
    assert targets(t, FORT, p=1) == {("token", 0)}
    t.g.cities_left[0] = 1
    fight(t, FORT, WIN, slot=5)
    assert (t.owner(FORT), t.piece(FORT), t.g.tokens_left[0]) == (0, "city", t.r.tokens_per_player)


@pytest.mark.rule("T6.5")
@pytest.mark.parametrize("cities", [0, 1])
def test_a_rivals_token_on_a_fort_gives_way_to_a_city_or_a_token(cities):
    t = reading("control_token")
    t.token(1, FORT, reinforced=True)
    t.g.cities_left[0] = cities
    fight(t, FORT, WIN, slot=5)
    assert (t.owner(FORT), t.piece(FORT)) == (0, "city" if cities else "reinforced_token")
    assert t.g.tokens_left[1] == t.r.tokens_per_player


@pytest.mark.rule("T6.5")
def test_a_token_of_the_first_seat_on_a_fort_gives_way_too():
    t = reading("control_token")
    t.token(0, FORT, reinforced=True)
    fight(t, FORT, WIN, p=1, slot=5)
    assert (t.owner(FORT), t.piece(FORT), t.g.tokens_left[0]) == (1, "city", t.r.tokens_per_player)


@pytest.mark.rule("T6.5")
@pytest.mark.rule("B1.6")
@pytest.mark.parametrize("gives", [True, False])
def test_without_a_token_left_one_may_be_taken_off_the_map_for_it(gives):
    t = reading("control_token")
    t.token(0, (0, 1))
    t.g.tokens_left[0] = 0
    fight(t, FORT, WIN, (decisions.TAKE_OFF, (0, 1) if gives else PASS), slot=5)
    assert (t.owner(FORT), t.owner((0, 1))) == ((0, -1) if gives else (-1, 0))


SPACE = (1, 0)


@pytest.mark.rule("T6.5")
@pytest.mark.parametrize("reinforced", [False, True])
def test_an_own_token_on_a_beaten_fort_stays_as_it_is_without_an_unused_city(reinforced):
    t = front(rules=ruled("fort_no_city_left", "control_token"))
    t.fort(SPACE)
    t.token(0, SPACE, reinforced=reinforced)
    t.g.cities_left[0] = 0
    left, piece = int(t.g.tokens_left[0]), t.piece(SPACE)
    assert fight(t, SPACE, WIN, slot=5, target="fort").won
    assert (t.owner(SPACE), t.piece(SPACE), t.g.tokens_left[0]) == (0, piece, left)
