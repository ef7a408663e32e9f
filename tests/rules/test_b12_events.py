"""B12: the sections of the event dial and what their icons do."""

import pytest
from table import AROUND, Table

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, turn
from newdawn.simulator.engine.choosing import LOG_BARBARIAN_DIE, LOG_EVENT

TRADE_SECTION = 4


def turn_dial(t, to=None):
    """Turn the event dial by one section (or onto the section numbered `to`); return the number of the section."""
    if to is not None:
        t.g.event = (to - 2) % t.r.event_sections
    t.call(turn.turn_event_dial)
    return int(t.g.event) + 1


def rows(t, code):
    return [row for row in t.w.log[: t.w.log_n].tolist() if row[0] == code]


def with_mature_capital(p=0, **kw):
    """Return a table where the capital of seat `p` in the middle is mature."""
    t = Table(**kw)
    t.capital(p, (0, 0))
    t.token(p, *AROUND)
    return t


@pytest.mark.rule("B12.1")
@pytest.mark.rule("B3.1")
def test_the_sections_come_in_order_and_begin_again():
    t = Table()
    assert t.g.event == 0
    assert [turn_dial(t) for _ in range(6)] == [2, 3, 4, 5, 1, 2]
    assert len(rows(t, LOG_EVENT)) == 6


@pytest.mark.rule("B12.1")
@pytest.mark.effect("barbarians_appear")
@pytest.mark.effect("barbarians_move")
@pytest.mark.effect("trade")
@pytest.mark.parametrize(
    ("section", "appears", "moves", "trades"), [(1, 1, 0, 0), (2, 0, 0, 0), (3, 0, 1, 0), (4, 0, 0, 1), (5, 0, 1, 0)]
)
def test_each_section_has_its_event(section, appears, moves, trades):
    t = with_mature_capital()
    t.barbarian("A", (3, 0))
    t.barbarian("B", (-3, 0))
    t.g.barbarian_space[1], t.g.barbarians[t.at((-3, 0))] = -1, 0
    assert turn_dial(t, section) == section
    assert (t.g.barbarian_space[1] >= 0) == bool(appears)
    assert len(rows(t, LOG_BARBARIAN_DIE)) == moves
    assert (t.g.barbarian_space[0] != t.at((3, 0))) == bool(moves)
    assert t.g.trade.sum() == trades


@pytest.mark.rule("B12.1")
def test_a_barbarian_that_appears_does_not_move_in_the_same_section():
    t = Table()
    t.barbarian("A", (0, 0))
    t.g.barbarian_space[0], t.g.barbarians[t.at((0, 0))] = -1, 0
    turn_dial(t, 1)
    assert t.g.barbarian_space[0] == t.at((0, 0))


@pytest.mark.rule("B12.1")
def test_trade_brings_one_token_for_each_mature_city_of_each_player_on_any_card():
    t = with_mature_capital()
    t.city(0, (2, -3))
    t.token(0, (1, -3), (1, -2), (2, -2), (3, -3))  # the second mature city, at the edge
    t.city(0, (-3, 3))  # not mature
    t.capital(1, (3, 0))
    t.token(1, (2, 0), (2, 1), (3, -1))
    kinds = [(0, "culture"), (0, "military"), (1, "science")]
    t.script(*[(decisions.PLACE_TRADE, t.holder(p, kind)) for p, kind in kinds])
    turn_dial(t, TRADE_SECTION)
    t.require_script_done()
    assert [seat for kind, seat, _ in t.asked() if kind == decisions.PLACE_TRADE] == [0, 0, 1]
    assert t.options(decisions.PLACE_TRADE) == {t.holder(0, kind) for kind in names.FOCUS_TYPES[:5]}
    assert t.g.trade.sum() == 3
    assert [t.trade_on(p, kind) for p, kind in kinds] == [1, 1, 1]


@pytest.mark.rule("B12.1")
def test_trade_brings_nothing_without_a_mature_city():
    t = Table()
    t.capital(0, (0, 0))
    t.token(0, *AROUND[1:])
    turn_dial(t, TRADE_SECTION)
    assert t.g.trade.sum() == 0


@pytest.mark.rule("B12.1")
@pytest.mark.rule("B13.1")
def test_trade_that_finds_no_room_is_lost():
    t = with_mature_capital()
    for kind in names.FOCUS_TYPES[:5]:
        t.trade(0, kind, 3)
    turn_dial(t, TRADE_SECTION)
    assert t.g.trade[0].max() == 3


@pytest.mark.rule("B12.1")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_trade_icon_pays_every_seat_clockwise_from_the_first_player(first):
    t = Table(radius=4, leaders=("Egypt", "Aztec", "Egypt"))
    for p, middle in enumerate([(-3, 0), (3, 0), (0, 3)]):
        t.city(p, middle)
        for q, r in [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]:
            space = (middle[0] + q, middle[1] + r)
            if space in t.index:
                t.token(p, space)
    t.g.first = first
    t.script()
    t.call(turn.pay_mature_cities)
    assert [int(t.g.trade[p].sum()) for p in range(3)] == [1, 1, 1]
    order = [seat for kind, seat, _ in t.asked() if kind == decisions.PLACE_TRADE]
    assert order == [first, (first + 1) % 3, (first + 2) % 3]
