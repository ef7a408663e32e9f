"""A game at the table as it is played: people answer for some seats, strategies for the others, and choices can be taken back.

What the thinker makes of it is kept as it goes: the chances of all seats after each turn, and what choices of people cost.

One thread has to see the whole of a game that waits, so a `Table` has one of its own, and everybody else asks it to do things.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import numpy as np

from ...simulator.engine.core import state
from ...simulator.errors import UserError
from ...simulator.replay.stepper import Game
from ...simulator.sitting.kept import Kept
from ...simulator.sitting.question import Question
from .reckoning import Cost, Hint, Thinker

T = TypeVar("T")


class Played:
    """The game of a `Kept`, played on to the next question to people. `who` has the seat of each choice."""

    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        self.who: list[int] = []
        self.bots: dict[int, Callable[..., int]] = {}
        self.thinker = Thinker(kept.plan.players, kept.ruleset.box)
        self.curve: dict[int, tuple[int, list[float]]] = {}  # by turn: the round, and the chances to win after it
        self.costs: dict[int, Cost] = {}  # by the number of the choice
        self.sitting = kept.sitting(self._seen)
        self._play_again(replace(kept, choices=list(kept.choices), answered=list(kept.answered)))
        self.go_on()

    @property
    def stamp(self) -> int:
        """A number that stands for all choices so far, and so for the question: after others it is another one."""
        return zlib.crc32(repr(self.kept.choices).encode()) >> 3  # nine digits at most

    @property
    def question(self) -> Question | None:
        """What a person is asked now; None when the game is over."""
        return self.sitting.question

    def answer(self, chosen: int) -> None:
        """Answer the question, and play on to the next one to a person."""
        if self.question is None:
            raise UserError("answer: the game is over; expected none")
        if 0 <= chosen < len(self.question):
            self._note(self.thinker.cost(self.sitting, chosen))
        self._answer(chosen)
        self.go_on()

    def hint(self) -> Hint:
        """Return what the thinker would do."""
        if self.question is None:
            raise UserError("hint: the game is over")
        return self.thinker.hint(self.sitting)

    def undo(self) -> None:
        """Go back to the last choice of a person."""
        mine = [k for k, seat in enumerate(self.who) if seat in self.kept.own]
        if not mine:
            raise UserError("undo: there is no choice of yours to take back")
        self.sitting.undo(len(self.who) - mine[-1])
        del self.who[mine[-1] :], self.kept.answered[mine[-1] :]
        self.kept.choices = self.sitting.choices
        self.thinker.plan = None
        self.curve = {turn: told for turn, told in self.curve.items() if turn <= int(self.sitting.state.turn)}
        self.costs = {at: cost for at, cost in self.costs.items() if at < mine[-1]}

    def reckon(self) -> list[Cost]:
        """Return what each choice of a person has cost; those of a game that was kept in a file are worked out now."""
        missing = {k for k, seat in enumerate(self.who) if seat in self.kept.own} - set(self.costs)
        again = self.kept.sitting()
        for k, chosen in enumerate(self.kept.choices if missing else ()):
            if k in missing:
                self._note(self.thinker.cost(again, chosen))
            again.answer(chosen)
        return [self.costs[at] for at in sorted(self.costs)]

    def _note(self, cost: Cost | None) -> None:
        if cost is not None:
            self.costs[cost.at] = cost

    def _seen(self, game: Game, lines: list[str]) -> None:
        """Keep the chances after a turn."""
        after = game.states.copy().view(np.recarray)[0]
        self.curve[int(after.turn)] = int(after.round_number), self.thinker.chances(game.rules, after, state.new_work())

    def go_on(self) -> None:
        """Let the strategies answer until a person is asked."""
        while self.question is not None and self.question.seat not in self.kept.own:
            self._answer(self._put(self.question))

    def _answer(self, chosen: int) -> None:
        assert self.question is not None
        seat = self.question.seat
        if 0 <= chosen < len(self.question):
            self.kept.note(self.question, chosen)
        self.sitting.answer(chosen)
        self.who.append(seat)
        self.kept.choices = self.sitting.choices

    def _put(self, question: Question) -> int:
        """Return the answer of the strategy of the seat that is asked."""
        seat = question.seat
        if seat not in self.bots:
            self.bots[seat] = self.kept.plan.strategy(self.kept.seats[seat]).load()
        return question.put(self.bots[seat])

    def _play_again(self, kept: Kept) -> None:
        """Play choices that were kept. Strategies are asked again for what they note; what was chosen then counts."""
        self.kept.choices, self.kept.answered = self.sitting.choices, []
        for k in range(len(kept.choices)):
            question = self.question
            if question is None:
                raise UserError(f"choices[{k}]: the game is over after {k}; expected no more")
            chosen = kept.chosen(k, question)
            if question.seat not in self.kept.own:
                self._put(question)
            self._answer(chosen)


class Table:
    """A game with a thread of its own. `path`: the file in which it is kept after every choice; None: it is not."""

    def __init__(self, kept: Kept, path: Path | None = None) -> None:
        self.path = path
        self.deeds: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        Thread(target=self._work, name="table", daemon=True).start()  # Ctrl-C does not wait for it
        self.played: Played = self.do(lambda: Played(kept))
        self.keep()

    def do(self, deed: Callable[[], T]) -> T:
        """Have something done in the thread of the game, after what it does already."""
        done: Future[T] = Future()
        self.deeds.put((deed, done))
        return done.result()

    def _work(self) -> None:
        while (asked := self.deeds.get()) is not None:
            deed, done = asked
            try:
                done.set_result(deed())
            except BaseException as error:
                done.set_exception(error)

    def answer(self, stamp: int, chosen: int) -> None:
        """Answer the question of this stamp: a page that shows another one, which was taken back or answered, is told so."""
        self.do(lambda: self._answer(stamp, chosen))

    def undo(self, stamp: int) -> None:
        """Go back to the last choice of a person."""
        self.do(lambda: self._undo(stamp))

    def about(self, stamp: int, tell: Callable[[Played], T]) -> T:
        """Return what is told of the question of this stamp."""
        return self.do(lambda: self._about(stamp, tell))

    def keep(self) -> None:
        """Write the file of the game."""
        if self.path is not None:
            self.played.kept.write(self.path)

    def close(self) -> None:
        """Leave the game where it is."""
        self.do(self.played.sitting.close)
        self.deeds.put(None)

    def _check(self, stamp: int) -> None:
        if stamp != self.played.stamp:
            raise UserError("the game has gone on, or choices were taken back, since this page was shown; reload it")

    def _about(self, stamp: int, tell: Callable[[Played], T]) -> T:
        self._check(stamp)
        return tell(self.played)

    def _answer(self, stamp: int, chosen: int) -> None:
        self._check(stamp)
        try:
            self.played.answer(chosen)
        finally:
            self.keep()  # also where a strategy fails at its turn: the choice before it was made

    def _undo(self, stamp: int) -> None:
        self._check(stamp)
        self.played.undo()
        self.keep()
