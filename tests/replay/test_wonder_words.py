"""What wonders, city-states and pacts of the expansion do, in words."""

import pytest
from table import ti_table_with

from newdawn.simulator.engine import choosing, culture, decisions, pieces
from newdawn.simulator.replay.log_in_words import LogSentences


@pytest.fixture
def t():
    return ti_table_with((0, 0), (-3, 0))


def lines(t, start) -> list[str]:
    """Return what the rows from `start` on say in the turn of seat 0."""
    words = LogSentences(t.r, t.g)
    words.sentence((choosing.LOG_TURN, 0, 1, 0, 0, 0, 0))
    return [line.strip() for line in words.lines(t.w.log[start : t.w.log_n].tolist())]


def test_a_city_state_that_is_an_own_city_for_the_turn(t):
    t.city_state("Antananarivo", (2, 0))
    t.city_state_card(0, "Antananarivo")
    t.g.current, t.g.in_turn = 0, 1
    start = int(t.w.log_n)
    pieces.settle_loans(t.r, t.g, t.w)
    assert lines(t, start) == ["uses Antananarivo as its own city this turn"]


def test_a_city_replaced_by_an_effect(t):
    t.city(1, (2, 0))
    start = int(t.w.log_n)
    t.g.current = 0
    t.call(culture.take_rival_city, 0, decisions.SOURCE_CRISTO, t.at((0, 0)), 3, 0)
    assert lines(t, start)[0] == "replaces the city of Egypt on O16 (grassland) with one of its own"


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (decisions.SPEND_TOKEN, decisions.RESOURCE_TOKEN + 2, "oil"),
        (decisions.SPEND_TOKEN, decisions.PLAIN_TOKEN, "a trade token"),
        (decisions.TAKE_CITY, 0, "M13 (grassland)"),
        (decisions.CITY_SPACE, 0, "M13 (grassland)"),
        (decisions.CONQUER_VISITED, 1, "yes"),
        (decisions.CONQUER_VISITED, 0, "no"),
    ],
)
def test_what_is_decided(t, kind, value, text):
    value = t.at((0, -3)) if kind in (decisions.TAKE_CITY, decisions.CITY_SPACE) else value
    assert LogSentences(t.r, t.g).option(0, kind, value, t.at((0, 0))) == text
