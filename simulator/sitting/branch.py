"""The turn of a sitting in a copy: to try an answer and see where the turn leads, without touching the game."""

from __future__ import annotations

import numpy as np

from ..engine.core import state
from ..engine.core.jit import seat_strategies
from ..engine.course.play import play_step
from ..games.kernel import forget
from .question import Question
from .sitting import Sitting, Waiting, greenlet


class Branch:
    """A copy of a sitting's game, played from the beginning of the turn to its question; it goes on to the end of the turn.

    `question` is what is asked now, None when the turn is over. Everything in it may be changed, and whoever opens a branch
    plays it to its end.
    """

    def __init__(self, sitting: Sitting) -> None:
        begun, done = sitting.turn_begun
        self.rules = sitting.rules
        self.state: np.record = begun.copy().view(np.recarray)[0]
        self.work = state.new_work()
        forget(self.work)
        self.waiting = Waiting()
        self.bots = seat_strategies(self.waiting)
        self._run = greenlet.greenlet(self._play)
        self.question: Question | None = self._run.switch()
        for chosen in sitting.choices[done:]:
            self.answer(chosen)

    def answer(self, chosen: int) -> None:
        """Choose the option with this index."""
        self._run.parent = greenlet.getcurrent()
        self.question = self._run.switch(chosen)

    def _play(self) -> None:
        play_step(self.rules, self.state, self.work, self.bots)
