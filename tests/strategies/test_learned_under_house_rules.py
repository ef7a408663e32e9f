"""What learned players see of agendas that no printed card has: nothing under a printed agenda's name, but how far they are."""

import numpy as np
import pytest

from newdawn.analysis.learning.strategy_checks import new_game
from newdawn.simulator.engine import state
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import play_step
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies.learned import facts as at
from newdawn.strategies.learned.situation import new_facts, read_situation
from newdawn.strategies.planning.planner import choose_planner
from newdawn.strategies.registry import find

NAMED = (at.OPEN, at.LACK, at.LAST_STEP, at.EASE, at.SOON)


@pytest.fixture(scope="module")
def seen():
    """A game with an own victory card, what its seats see, and its rules."""
    r, w = load_ruleset(["seafarer"]).compile(), state.new_work()
    own = [c for c in range(r.n_victory_cards) if r.agenda_name[c, 0] >= at.AGENDAS_KNOWN]
    for game in range(40):
        g = new_game(game, 3, [find("planner").weights(3)] * 3, 100)
        bots = seat_strategies(choose_planner)
        start_game(r, g, w, bots)
        if set(own) & set(g.victory_card[: g.victory_count].tolist()):
            break
    for _ in range(9):
        play_step(r, g, w, bots)
    found = new_facts()
    read_situation(r, g, w, found)
    return r, g, found[: g.players]


def test_own_agendas_shift_no_fact_of_a_printed_one(seen):
    r, g, found = seen
    cards = g.victory_card[: g.victory_count]
    printed = {int(name) for card in cards for name in r.agenda_name[card] if name < at.AGENDAS_KNOWN}
    for p in range(g.players):
        assert set(np.flatnonzero(found[p, at.OPEN : at.OPEN + at.AGENDAS_KNOWN])) == printed
        others = [name for name in range(at.AGENDAS_KNOWN) if name not in printed]
        assert not any(found[p, family + name] for family in NAMED for name in others)


def test_own_agendas_count_among_the_cards_still_to_claim(seen):
    _, g, found = seen
    assert found[:, at.LEFT] == pytest.approx(g.victory_count / 5)
    assert (found[:, at.LACK_SUM] > 0).all()
    assert np.isfinite(found).all()
