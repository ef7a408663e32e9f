"""House rules at their limits: sets are drawn again the same, what is accepted is played, and every fault is told."""

import sys
from types import SimpleNamespace

import pytest

from newdawn.scripts.checks import limits
from newdawn.simulator import names

TINY_SUPPLY = {"components": {"per_player": {"base": {"control_tokens": 1}}}}
LONG_MOVES = {"focus_cards": {"trade_token_effect": {"science": {"dial_spaces": 20}}}}


@pytest.mark.soak
def test_a_set_is_the_same_again_and_accepted():
    sets = [limits.drawn_overlay(1, number) for number in range(12)]
    assert [limits.drawn_overlay(1, number) for number in range(12)] == sets
    assert {box for box, _ in sets} == set(names.BOXES)
    assert all(limits.accepted(box, overlay) for box, overlay in sets)
    assert sum(overlay != {} for _, overlay in sets) >= 10


@pytest.mark.parametrize("box", names.BOXES)
def test_numbers_reach_their_limits(box):
    assert limits.limit(box, "wonders.petra.cost", limits.HIGHEST) == 99
    assert limits.limit(box, "wonders.petra.cost", limits.LOWEST) == 1
    parts = list(limits.card_parts(limits.printed(box).data))
    assert set(parts) <= set(limits.places(box))
    assert any(part.endswith(".then.tokens") for part in parts)


@pytest.mark.parametrize("overlay", [TINY_SUPPLY, LONG_MOVES])
@pytest.mark.parametrize("number", range(4))
def test_a_game_by_house_rules_at_their_limits_holds(overlay, number):
    assert limits.play(names.BOXES[0], overlay, 1, number) == limits.HELD


def test_an_error_inside_a_strategy_is_told():
    def trial():
        sys.unraisablehook(SimpleNamespace(exc_value=IndexError("index 64 is out of bounds")))
        return limits.HELD

    with pytest.raises(RuntimeError, match=r"in a strategy: IndexError.*index 64"):
        limits.with_errors(trial)
    assert limits.with_errors(lambda: limits.HELD) == limits.HELD
