"""B5: culture cards."""

import pytest
from table import PASS, Table

from simulator.engine.decisions import PLACE_TOKEN


@pytest.mark.rule("B5.1")
@pytest.mark.effect("Early Empire")
def test_two_tokens_next_to_any_friendly_city():
    t = Table(radius=3)
    t.capital(0, (0, 0))
    t.script((PLACE_TOKEN, (1, 0)), (PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", slot=1)
    assert t.options(PLACE_TOKEN) == t.spaces((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    assert t.piece((1, 0)) == t.piece((0, 1)) == "token"
    assert t.asked_kinds() == ["place_token", "place_token"]


@pytest.mark.rule("B5.1")
def test_a_trade_token_adds_a_control_token():
    t = Table(radius=3)
    t.capital(0, (0, 0))
    t.trade(0, "culture", 2)
    t.script((PLACE_TOKEN, (1, 0)), (PLACE_TOKEN, (0, 1)), (PLACE_TOKEN, (-1, 1)), (PLACE_TOKEN, PASS))
    t.resolve(0, "Early Empire", slot=1)
    assert t.trade_on(0, "culture") == 1
