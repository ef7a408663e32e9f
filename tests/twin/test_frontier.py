"""Terra Incognita: the twin and the engine agree on what armies, caravans, districts and tiles may do, and on every fight."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from audit import make_observer
from compare import Comparison
from frontier_audit import expansion, watch, watch_strewn
from frontier_boards import SEED, strewn
from frontier_fights import compare_fights

from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.strategies.archetypes import choose_random

# The observer leaves compiled code at the decisions it looks at: as meant.
pytestmark = pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaWarning")

COMPARED = {
    "army", "army_to", "army steps", "army stands", "army steps left", "combat_spend", "attack value",
    "defence die", "defence value", "who won", "place_district", "district_effect", "district_space", "city_space",
    "place_token", "reinforce", "government", "caravan_to", "place_tile", "acting slot",
}  # fmt: skip


@pytest.fixture(scope="module")
def bots():
    return seat_strategies(choose_random, make_observer())


def test_every_decision_of_some_games_and_of_boards_strewn_with_pieces(bots):
    counts: Counter[str] = Counter()
    w = state.new_work()
    for game in range(6):
        seen = watch(expansion(), w, bots, game, 2 + game % 4, rounds=10)
        counts += seen.counts
        assert seen.differences == [], game
    for game in range(20):
        seen = watch_strewn(expansion(), w, bots, game, 2 + game % 4)
        counts += seen.counts
        assert seen.differences == [], game
    assert {what for what in COMPARED if counts[what] == 0} == set()


def fights(r, boards):
    """Compare fights on strewn boards until something differs."""
    out, w, bots = Comparison(), state.new_work(), seat_strategies(choose_random)
    for game in boards:
        g = strewn(expansion(), w, game, 2 + game % 4, bots)
        compare_fights(r, g, w, bots, np.random.default_rng([SEED, game]), out)
        if out.differences:
            break
    return out


def test_fights_of_armies_end_as_the_rules_say():
    out = fights(expansion(), range(14))
    assert out.differences == []
    assert out.counts["who won"] > 150
    assert min(out.counts[what] for what in ("army stays", "beaten army", "army goes back")) > 5


GROWTH_1 = names.GROWTH * names.N_LEVELS
MILITARY_4 = names.MILITARY * names.N_LEVELS + 3

WRONG_FIGHTS = {
    "guard_bonus": lambda r: setattr(r, "guard_bonus", 1),
    "fort_defence": lambda r: setattr(r, "fort_defence", 7),
    "city_state_defence": lambda r: setattr(r, "city_state_defence", 9),
    "card_combat": lambda r: r.card_combat.__setitem__(MILITARY_4, 4),
}
WRONG_DECISIONS = {
    "card_army_move": lambda r: r.card_army_move.__setitem__(slice(None), 2),
    "fort_enter_slot": lambda r: setattr(r, "fort_enter_slot", 4),
    "deploy_zero": lambda r: setattr(r, "deploy_zero", 0),
    "explore_touch": lambda r: setattr(r, "explore_touch", 3),
    "camp_strike_range": lambda r: setattr(r, "camp_strike_range", 1),
    "government_shift": lambda r: r.government_shift.__setitem__(slice(None), 0),
    "district_over_district": lambda r: setattr(r, "district_over_district", 1),
}


@pytest.mark.parametrize("name", WRONG_FIGHTS)
def test_the_comparison_notices_a_wrong_fight(name):
    """Numbers changed in the compiled rules have to be seen: the twin reads the printed data itself."""
    r = expansion().copy()
    WRONG_FIGHTS[name](r)
    assert fights(r, range(24)).differences


@pytest.mark.parametrize("name", WRONG_DECISIONS)
def test_the_audit_notices_a_wrong_engine(bots, name):
    r = expansion().copy()
    WRONG_DECISIONS[name](r)
    w = state.new_work()
    assert any(watch_strewn(r, w, bots, game, 2 + game % 4).differences for game in range(60))
