"""Games side by side in one thread, each of which stops at the questions of some seats and goes on with an answer.

As in `sitting`, the engine calls back into Python, and greenlet leaves that call as it is until there is an answer; but there
is no log, nothing is taken back, and a question is three numbers: the workspace has the rest.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import greenlet
import numpy as np

from .. import names
from ..engine import state
from ..engine.compile import functions as own_functions
from ..engine.compile.functions import FromPython
from ..engine.compile.jit import needed_for, ready, seat_strategies, strategy_address
from ..engine.turn import play_game
from ..rules.contents import written
from ..runs import guard
from ..runs.columns import SEAT_ROW
from ..runs.kernel import open_game
from ..runs.plan import Plan, check_deal

LEFT = -1  # the answer of a game that is left as it is: the engine notes that it is none
Asked = tuple[int, int, int]  # seat, kind, number of options
OVER: Asked = (-1, -1, 0)


def addresses(records: np.ndarray) -> np.ndarray:
    """Return where the records of an array lie."""
    first: int = records.ctypes.data
    return first + records.itemsize * np.arange(len(records), dtype=np.int64)


class _Waiting(FromPython):
    """What the engine asks for the seats of one game that wait: it hands the question to whoever goes on with the game."""

    def __init__(self) -> None:
        super().__init__()
        self.left = False

    def _called(self, r_at: int, g_at: int, w_at: int, seat: int, kind: int, n: int, u: int) -> int:
        if self.left:
            return LEFT
        try:
            found: int = greenlet.getcurrent().parent.switch((seat, kind, n))
        except greenlet.GreenletExit:
            self.left = True
            return LEFT
        return found

    def __call__(self, r: Any, g: Any, w: Any, seat: int, kind: int, n: int, u: int) -> int:
        return self._called(0, 0, 0, seat, kind, n, u)


class Tables:
    """Games of a plan at `n` tables. The strategies `waiting` (all of the plan's, if none are named) wait for answers.

    `states[i][0]` is the game at table i and `works[i]` its workspace; `rows[i]` says who sits where. One thread has to see the
    whole of it.
    """

    def __init__(self, ruleset: Any, plan: Plan, n: int, waiting: Container[str] | None = None) -> None:
        self.rules, self.plan, self.n = ruleset.compile(), plan, n
        check_deal(plan, self.rules)
        library = plan.library()
        strategies = [plan.strategy(name) for name in library]
        functions = [strategy.load() for strategy in strategies]
        guard.vet(plan, self.rules)
        own_functions.load(self.rules)
        ready(open_game, play_game, *functions, *needed_for(self.rules))
        self.opinions = np.stack([strategy.weights(plan.players, names.BOXES[self.rules.box]) for strategy in strategies])
        self.seating = plan.seating(written(self.rules, "leader")).view(np.recarray)[0]
        self.waits = [waiting is None or name in waiting for name in library]
        self.addresses = [strategy_address(function) for function in functions]
        self.bots = [seat_strategies(functions[0]) for _ in range(n)]
        self.states = np.zeros((n, 2), state.STATE).view(np.recarray)
        self.bytes = self.states.view(np.ndarray).view(np.uint8).reshape(n, 2, -1)[:, 0]  # of the games, to copy them
        self.works = np.zeros(n, state.WORK).view(np.recarray)
        self.rows = np.zeros((n, plan.players), SEAT_ROW).view(np.recarray)
        self._waiting: list[_Waiting] = [_Waiting() for _ in range(n)]
        self._run: list[Any] = [None] * n

    def begin(self, i: int, game: int, seed: int | None = None) -> Asked:
        """Play game number `game` of a seed, of the plan's if none is given, to its first question; return that, or OVER."""
        self.leave(i)
        self._run[i] = greenlet.greenlet(self._play)
        found: Asked = self._run[i].switch(i, game, self.plan.seed if seed is None else seed)
        return found

    def answer(self, i: int, option: int) -> Asked:
        """Choose the option of table i with this index; return the next question, or OVER."""
        found: Asked = self._run[i].switch(option)
        return found

    def answer_all(self, options: list[int]) -> list[Asked]:
        """Answer at every table; return all next questions."""
        return [run.switch(option) for run, option in zip(self._run, options, strict=True)]

    def leave(self, i: int) -> None:
        """Leave the game at table i where it is: it does not go on."""
        run = self._run[i]
        if run is not None and not run.dead:
            run.parent = greenlet.getcurrent()
            run.throw()  # compiled code plays the turn to its end

    def close(self) -> None:
        """Leave all games."""
        for i in range(self.n):
            self.leave(i)

    def game(self, i: int) -> Any:
        """Return the game at table i (simulator/engine/state.py)."""
        return self.states[i, 0]

    def records(self, i: int) -> tuple[Any, Any, Any]:
        """Return rules, game and workspace of table i."""
        return self.rules, self.states[i, 0], self.works[i]

    def shares(self, i: int) -> list[float]:
        """Return each seat's share of the win of the game at table i; 0 as long as it goes on, and if it is unfinished."""
        g = self.states[i, 0]
        winners = [int(won) for won in g.winner[: self.plan.players]] if g.ending == names.VICTORY else [0] * self.plan.players
        return [won / max(sum(winners), 1) for won in winners]

    def _library(self, i: int) -> np.ndarray:
        address = strategy_address(self._waiting[i])
        return np.array([address if waits else other for waits, other in zip(self.waits, self.addresses, strict=True)])

    def _play(self, i: int, game: int, seed: int) -> Asked:
        waiting, w, bots, states = self._waiting[i], self.works[i], self.bots[i], self.states[i]
        waiting.left = False
        players, cap = self.plan.players, self.plan.round_cap
        library = self._library(i)
        open_game(
            self.rules, w, bots, states, library, self.opinions, self.seating, self.rows[i], 0, game, seed, players, cap
        )  # fmt: skip
        play_game(self.rules, states[0], w, bots)
        if w.fault_n and not waiting.left:
            strategies = [self.plan.library()[row.strategy] for row in self.rows[i]]
            raise guard.illegal_answer(w, strategies, game)
        return OVER
