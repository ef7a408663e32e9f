"""Every option list of random games is what the twin expects: nothing legal is missing, nothing illegal is offered."""

from __future__ import annotations

from collections import Counter

import pytest
from audit import OTHER, make_observer, watch, watch_strewn, with_switches
from boards import printed_rules

from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.rules import load_ruleset
from newdawn.strategies.archetypes import choose_random

# The observer leaves compiled code at the decisions it looks at: as meant.
pytestmark = pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaWarning")

BASE_KINDS = decisions.KINDS[: decisions.KINDS.index("place_fort")]  # the others are asked in the expansion only

FULL_GAMES = 20
SAMPLED_GAMES = 1100
SAMPLE = 100  # one decision in so many

# Asked while the map is laid: tests/engine/test_map.py compares those lists.
ELSEWHERE = {"lay_tile", "place_tile"}


@pytest.fixture(scope="module")
def bots():
    return seat_strategies(choose_random, make_observer())


def audit(bots, games, rate, r=None, rulings=None):
    """Watch games; return how often each thing was compared. Nothing may differ."""
    r = printed_rules() if r is None else r
    counts: Counter[str] = Counter()
    w = state.new_work()
    for game in games:
        seen = watch(r, w, bots, game, 2 + game % 3, rate, rulings=rulings)
        counts += seen.counts
        assert seen.differences == [], game
    return counts


@pytest.mark.parametrize(
    ("games", "least", "fights"), [(10, 4_500, 25), pytest.param(FULL_GAMES, 10_000, 50, marks=pytest.mark.soak)]
)
def test_every_decision_of_many_games(bots, games, least, fights):
    counts = audit(bots, range(games), 1)
    assert sum(counts[kind] for kind in decisions.KINDS) > least
    assert len([kind for kind in decisions.KINDS if counts[kind]]) > 25
    assert counts["combat"] > fights
    assert not any(counts[kind] for kind in ELSEWHERE)


@pytest.mark.soak
def test_a_sample_of_the_decisions_of_eleven_hundred_games(bots):
    counts = audit(bots, range(FULL_GAMES, FULL_GAMES + SAMPLED_GAMES), SAMPLE)
    assert sum(counts[kind] for kind in decisions.KINDS) > 5_000


@pytest.mark.soak
def test_every_decision_after_boards_strewn_with_pieces(bots):
    counts: Counter[str] = Counter()
    w = state.new_work()
    for game in range(100):
        seen = watch_strewn(printed_rules(), w, bots, game, 2 + game % 3)
        counts += seen.counts
        assert seen.differences == [], game
    rare = {"city_state_fate", "return_diplomacy", "potala"}
    assert [kind for kind in BASE_KINDS if counts[kind] == 0 and kind not in ELSEWHERE | rare] == []


@pytest.mark.soak
def test_every_decision_under_the_other_rulings(bots, tmp_path):
    path = tmp_path / "other.yaml"
    path.write_text("rulings:\n" + "".join(f"  {key}: {word}\n" for key, word in OTHER.items()), "utf-8")
    audit(bots, range(5000, 5012), 1, load_ruleset([path]).compile(), OTHER)


@pytest.mark.soak
@pytest.mark.parametrize("draw", range(3))
def test_every_decision_of_games_with_random_switches(bots, draw):
    """`python -m newdawn.scripts.checks.twin --switches 5` goes on with as many games as wanted."""
    r, rulings = with_switches(draw, 5)
    counts = audit(bots, range(6_000 + 10 * draw, 6_010 + 10 * draw), 1, r, rulings)
    assert sum(counts[kind] for kind in decisions.KINDS) > 3_000


def test_the_audit_notices_a_wrong_engine(bots):
    """Numbers changed in the compiled rules have to be seen: the twin reads the printed data itself."""
    wrong = {
        "card_move": lambda r: r.card_move.__setitem__(8, 4),
        "card_attacks": lambda r: r.card_attacks.__setitem__(16, 3),
        "card_city_range": lambda r: r.card_city_range.__setitem__(12, 3),
        "dial_after_last": lambda r: setattr(r, "dial_after_last", 14),
        "dial_level": lambda r: r.dial_level.__setitem__(6, 0),
        "city_state_defence": lambda r: setattr(r, "city_state_defence", 9),
        "max_trade": lambda r: setattr(r, "max_trade", 4),
    }
    for name, change in wrong.items():
        r = load_ruleset().compile()
        change(r)
        w = state.new_work()
        assert any(watch(r, w, bots, game, 4, 1).differences for game in range(12)), name
