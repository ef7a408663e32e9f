"""Breaks of the code for battles and for taking cities and forts that the other tests of T5, T6 and T12 let through."""

from functools import partial

import pytest
from battles import WIN, fight, front, ruled
from table import ti_table_with

from newdawn.simulator.engine import culture, decisions
from newdawn.simulator.rules.contents import written

SPACE = (1, 0)

table = partial(ti_table_with, (0, 0), (0, 5), radius=5, leaders=("Scythia", "Sumeria"))


# --- T5.9: the defence


@pytest.mark.rule("T5.9")
def test_the_first_player_spends_trade_tokens_in_defence_like_anyone():
    t = front(leaders=("Scythia", "Rome"))
    t.token(0, SPACE)
    t.trade(0, "military", 1)
    fight(t, SPACE, (1, 1), (decisions.COMBAT_SPEND, decisions.SPEND_ONE), p=1, slot=5, target="token", q=0)
    assert t.trade_on(0, "military") == 0


# --- T6.5: a fort without an unused city


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


# --- T12.10: cities taken by an effect


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
@pytest.mark.rule("B9.11")
@pytest.mark.effect("Radio")
def test_whoever_takes_a_conquered_city_of_any_city_state_gets_its_token():
    for cs, name in enumerate(written(table().r, "city_state")):
        t = table()
        t.conquered(1, name, (3, 0))
        assert t.call(culture.replace_city, 0, t.at((3, 0))) == 1
        assert (t.owner((3, 0)), int(t.g.city_state_owner[cs])) == (0, 0), name
