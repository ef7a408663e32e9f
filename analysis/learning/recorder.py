"""Playing the games of a plan in memory for the positions they leave. Importing it compiles the learned players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from newdawn.simulator.engine.core.jit import seat_strategies, strategy_address
from newdawn.simulator.engine.core.state import STATE, new_work
from newdawn.simulator.games.plan import Plan
from newdawn.simulator.games.rows import SEAT_ROW
from newdawn.simulator.limits import MAX_PLAYERS
from newdawn.simulator.names import BOXES
from newdawn.strategies.learned.facts import N_FACTS
from newdawn.strategies.learned.positions import play_recorded
from newdawn.strategies.learned.situation import new_facts
from newdawn.strategies.planning import weights


class Recorder:
    """Plays the games of a plan in memory and returns positions."""

    def __init__(self, plan: Plan, r: Any, stray: Sequence[int]) -> None:
        """`stray`: for each strategy of the plan's library the percent of its turns played at random."""
        self.plan, self.r = plan, r
        strategies = [plan.strategy(name) for name in plan.library()]
        functions = [one.load() for one in strategies]
        self.library = np.array([strategy_address(function) for function in functions])
        self.opinions = np.stack([one.weights(plan.players, BOXES[r.box]) for one in strategies]).copy()
        for k, percent in enumerate(stray):
            self.opinions[k, :, weights.STRAY] = percent
        self.bots = seat_strategies(functions)

    def play(self, first: int, n: int, one_in: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Play n games from game `first`; return facts (positions, seats, facts), shares (positions, seats) and moments."""
        plan, room = self.plan, n * 60 * self.plan.players // one_in
        positions = np.zeros((room, plan.players, N_FACTS), np.float32)
        shares = np.zeros((room, plan.players), np.float32)
        moments = np.zeros((room, 3), np.int32)
        kept = play_recorded(
            self.r, new_work(), self.bots, np.zeros(2, STATE).view(np.recarray), self.library, self.opinions,
            plan.seating().view(np.recarray)[0], np.zeros(MAX_PLAYERS, SEAT_ROW).view(np.recarray), new_facts(), positions,
            shares, moments, plan.seed, first, n, plan.players, plan.round_cap, one_in,
        )  # fmt: skip
        return positions[:kept], shares[:kept], moments[:kept]


