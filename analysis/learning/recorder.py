"""Playing the games of a plan in memory for the positions they leave. Importing it compiles the learned players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...simulator import limits, names
from ...simulator.engine.core import state
from ...simulator.engine.core.jit import BOTS, seat_strategies, strategy_address
from ...simulator.games.plan import Plan
from ...simulator.games.rows import SEAT_ROW
from ...simulator.rules.contents import written
from ...strategies.learned.facts import N_FACTS
from ...strategies.learned.marks import N_MARKS
from ...strategies.learned.policies import COMPARED, N_SITUATION
from ...strategies.learned.situation import new_facts
from ...strategies.learned.value import new_hidden
from ...strategies.learned.ways import choose_way
from ...strategies.planning import weights
from ...strategies.training.lessons import CHOICES, play_lessons
from ...strategies.training.positions import play_recorded
from ...strategies.training.study import STUDIED
from .distil import TURN_PARTS as PARTS
from .distil import Turns
from .games import Games

ROUNDS = 40  # of a game, on an average, that there is room for


def _room(n: int, players: int) -> Games:
    """Return room for so many positions."""
    facts, shares = np.zeros((n, players, N_FACTS), np.float32), np.zeros((n, players), np.float32)
    return Games(facts, shares, np.zeros((n, 3), np.int32))


class Recorder:
    """Plays the games of a plan in memory and returns positions."""

    def __init__(self, plan: Plan, r: Any, stray: Sequence[int], network: int, ahead: int = 0) -> None:
        """`stray`: for each strategy of the plan's library the percent of its turns played at random.

        `network`: place of the network that studies judge by (`networks.STORE`); `ahead`: weights.SIMULATED_AHEAD of all.
        """
        self.plan, self.r = plan, r
        strategies = [plan.strategy(name) for name in plan.library()]
        functions = [one.load() for one in strategies]
        self.library = np.array([strategy_address(function) for function in functions])
        self.opinions = np.stack([one.weights(plan.players, names.BOXES[r.box]) for one in strategies]).copy()
        self.opinions[:, :, weights.NETWORK] = network
        self.opinions[:, :, weights.SIMULATED_AHEAD] = ahead
        for k, percent in enumerate(stray):
            self.opinions[k, :, weights.STRAY] = percent
        self.seated = np.zeros(2, BOTS).view(np.recarray)
        self.seated[0] = seat_strategies(functions)
        self.seated[1] = seat_strategies(choose_way)

    def _seated(self, play: Callable[..., int]) -> Callable[..., int]:
        """Return the function with what games are played with: rules, players, memory for games and what networks read."""
        return partial(
            play,
            self.r,
            state.new_work(),
            self.seated,
            np.zeros(4, state.STATE).view(np.recarray),
            np.zeros(2, state.STATE).view(np.recarray),
            self.library,
            self.opinions,
            self.plan.seating(written(self.r, "leader")).view(np.recarray)[0],
            np.zeros(limits.MAX_PLAYERS, SEAT_ROW).view(np.recarray),
            new_facts(),
            new_hidden(),
            np.zeros(limits.MAX_PLAYERS),
        )

    def play(self, first: int, n: int, one_in: int, study_one_in: int) -> tuple[Games, Games]:
        """Play n games from game `first`; return every so many-th position of theirs, and what studies found (0: none)."""
        plan, turns = self.plan, n * ROUNDS * self.plan.players
        positions = _room(turns // one_in, plan.players)
        studies = _room(turns * STUDIED // study_one_in if study_one_in else 0, plan.players)
        found = np.zeros(1, np.int64)
        kept = self._seated(play_recorded)(
            positions.facts,
            positions.shares,
            positions.moments,
            studies.facts,
            studies.shares,
            studies.moments,
            found,
            plan.seed,
            first,
            n,
            plan.players,
            plan.round_cap,
            one_in,
            study_one_in,
        )
        studies = studies.only(np.arange(int(found[0])))
        decided = studies.shares.sum(axis=1) > 0.99  # at the round cap nobody wins
        return positions.only(np.arange(kept)), studies.only(decided)

    def teach(self, first: int, n: int, one_in: int) -> Turns:
        """Play n games from game `first` and return lessons of every so many-th of their turns (late in the game, of more)."""
        plan, turns = self.plan, 2 * n * ROUNDS * self.plan.players // one_in
        marks = np.zeros((turns, CHOICES, COMPARED, N_MARKS), np.float32)
        kept = Turns(
            np.zeros((turns, N_SITUATION), np.float32),
            marks,
            np.zeros(marks.shape[:3], np.float32),
            np.zeros((turns, 3), np.int64),
        )
        found = self._seated(play_lessons)(
            kept.situations,
            kept.marks,
            kept.worths,
            kept.moments,
            plan.seed,
            first,
            n,
            plan.players,
            plan.round_cap,
            one_in,
        )
        return Turns(*(getattr(kept, part)[:found] for part in PARTS))
