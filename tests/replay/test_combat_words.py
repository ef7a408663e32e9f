"""Combats of armies in words: who attacks what, and how the totals came about."""

import pytest
from table import ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import battle, choosing, decisions
from newdawn.simulator.replay.log_in_words import LogSentences

ENEMY = (1, 0)


def told(t, dice, *choices, slot=1, target="army", q=1):
    """Let seat 0 attack and return the lines of that."""
    words = LogSentences(t.r, t.g)
    words.sentence((choosing.LOG_TURN, 0, 1, 0, 0, 0, 0))
    words.acting_slot = slot
    t.g.current = 0
    t.script(*choices)
    t.dice(*dice)
    start = int(t.w.log_n)
    t.call(battle.fight, 0, t.card(0, "Masonry"), slot, t.at(ENEMY), names.TARGETS.index(target), q, 0)
    t.require_script_done()
    return [line.strip() for line in words.lines(t.w.log[start : t.w.log_n].tolist())]


@pytest.fixture
def t():
    return ti_table_with((0, 0))


def test_a_token_that_rolls_again_adds_nothing(t):
    t.army(1, ENEMY)
    t.trade(0, "military", 3)
    spend = [(decisions.COMBAT_SPEND, choice) for choice in (decisions.SPEND_REROLL, decisions.SPEND_ONE, decisions.PASS)]
    lines = told(t, (1, 3, 5), *spend)
    assert lines[0].startswith("attacks the army of Egypt (seat 2) at ")
    assert "Rome (seat 1) rolls the attack die again: 1, now 5" in lines
    assert "die 5 + slot 1 + trade 1 = 7 against die 3 + grassland 1 = 4: the attacker wins" in lines


def test_a_fort_that_nobody_controls_is_named_and_defends_with_its_number(t):
    t.fort(ENEMY)
    lines = told(t, (1, 2), target="fort", q=-1)
    assert lines[0].startswith("attacks the uncontrolled fort at ")
    assert "die 1 + slot 1 = 2 against die 2 + fort 6 = 8: the attack fails" in lines


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (decisions.COMBAT_SPEND, decisions.SPEND_ONE, "a trade token for +1"),
        (decisions.COMBAT_SPEND, decisions.SPEND_REROLL, "a trade token to roll again"),
        (decisions.COMBAT_SPEND, decisions.SPEND_RESOURCE + 2, "oil"),
        (decisions.COMBAT_SPEND, decisions.PASS, "pass"),
        (decisions.ARMY_TARGET, names.TARGETS.index("caravan") * 8 + 1, "the caravan of Egypt (seat 2) at M15 (grassland)"),
        (decisions.ARMY_TARGET, names.TARGETS.index("fort") * 8 + battle.NOBODY, "the uncontrolled fort at M15 (grassland)"),
        (decisions.NON_AGGRESSION, 3, "the military card for the one in slot 3"),
    ],
)
def test_what_is_decided(t, kind, value, text):
    assert LogSentences(t.r, t.g).option(0, kind, value, t.at((0, -1))) == text
