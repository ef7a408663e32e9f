"""One game that stops at each question of some seats and goes on with an answer.

The engine asks strategies from the middle of compiled code. For the seats that wait, it calls back into Python
(`functions.FromPython`), and greenlet leaves that call as it is until there is an answer. All that decides about the game is
its plan, its number and the answers: to take one back, the game is played again up to there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import index
from typing import Any

import numpy as np

from ..engine.core.functions import FromPython, Table
from ..errors import UserError, install
from ..games import players
from ..games.plan import Plan, check_number, plan_by
from ..replay.stepper import Game
from ..replay.words import Coordinates, Words
from .question import Question

try:
    import greenlet
except ImportError:
    greenlet = None

ME = "me"


def check_greenlet() -> None:
    """Raise UserError if games cannot wait here."""
    if greenlet is None:
        raise UserError(f"a game that waits needs greenlet; install it with: {install('greenlet')}")


def seated(line_up: Sequence[str]) -> list[str | players.Strategy]:
    """Return a line-up for a plan in which `me` stands for a seat that is answered from outside."""
    me = replace(players.strategies().find("random"), name=ME, packaged=False)  # type: ignore[type-var]
    return [me if word == ME else word for word in line_up]


class Waiting(FromPython):
    """A seat's strategy that hands the question to whoever goes on with the game, and waits for the answer."""

    def answer(self, table: Table, seat: int, kind: int, n: int, u: int) -> int:
        return int(greenlet.getcurrent().parent.switch(Question(table, seat, kind, n, u)))


class Seated(Game):
    """A game of which some seats wait for answers."""

    def __init__(self, ruleset: Any, plan: Plan, game: int, asked: frozenset[int], waiting: Waiting) -> None:
        self.asked, self.waiting = asked, waiting
        super().__init__(ruleset, plan, game)

    def function_of(self, seat: int, instead: Callable[[Any], Any]) -> Any:
        """Return what answers for a seat."""
        return self.waiting if seat in self.asked else super().function_of(seat, instead)


def plan_of(ruleset: Any, seats: Sequence[str], seed: int, game: int = 0, leaders: Sequence[str] | None = None) -> Plan:
    """Return a plan whose game `game` has these seats by name: `me`, or a strategy."""
    turned = [seats[(place - game) % len(seats)] for place in range(len(seats))]  # line-ups rotate from game to game
    named = leaders and [leaders[(place - game) % len(seats)] for place in range(len(leaders))]
    return plan_by(ruleset.compile(), players=len(seats), games=game + 1, seed=seed, leaders=named, strategies=seated(turned))


class Sitting:
    """Game `game` of a plan, in which the seats `asked` (all, if none are named) are answered from outside.

    `question` is what is asked now, None when the game is over; `choices` are the answers so far, `lines` the log of all
    finished turns. `turn_begun` is the game as it was when the turn began, and how many answers there were by then. One thread
    has to see the whole of it.
    """

    def __init__(
        self,
        ruleset: Any,
        plan: Plan,
        game: int = 0,
        asked: Iterable[int] | None = None,
        seen: Callable[[Game, list[str]], None] = lambda game, lines: None,
    ) -> None:
        """Set up the game and play it to the first question.

        `seen` is called with the game and the lines of what happened after the set-up and after each turn, also when answers
        that are taken back play the game again.
        """
        check_greenlet()
        self.ruleset, self.plan, self.game = ruleset, plan, game
        self.asked = frozenset(range(plan.players) if asked is None else asked)
        if not self.asked <= set(range(plan.players)):
            raise UserError(f"asked: {sorted(self.asked)} is not valid; expected seats from 0 to {plan.players - 1}")
        self.seen = seen
        self._waiting = Waiting()
        self._run: Any = None
        self._begin()

    @classmethod
    def of(cls, ruleset: Any, seats: Sequence[str], seed: int, game: int = 0, leaders: Sequence[str] | None = None) -> Sitting:
        """Open a game for seats by name: `me` for one that is answered from outside, or a strategy."""
        plan = plan_of(ruleset, seats, seed, game, leaders)
        return cls(ruleset, plan, game, [seat for seat, word in enumerate(seats) if word == ME])

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.question is None

    @property
    def state(self) -> np.record:
        """The game as it stands (simulator/engine/core/state.py)."""
        found: np.record = self._table.state
        return found

    @property
    def laid(self) -> bool:
        """Is the map laid, and the game under way?"""
        return hasattr(self._table, "opening")

    @property
    def table(self) -> Game:
        """The game with the names of its things, once the map is laid."""
        return self._table

    @property
    def rules(self) -> Any:
        """The compiled rules."""
        return self._table.rules

    @property
    def coordinates(self) -> Coordinates | None:
        """The names of the spaces, as the log has them; None before the map is laid."""
        return self._table.words.at if self.laid else None

    @property
    def so_far(self) -> list[str]:
        """The log of the turn that is going on, or of the set-up; its lines join `lines` when it is over."""
        work, words = self._table.work, Words(self._table.rules, self.state)
        words.at = self.coordinates or words.at
        if self.laid:
            words.current, words.part = self._table.words.current, self._table.words.part
        return words.lines(work.log[: int(work.log_n)].tolist())

    @property
    def closing(self) -> str:
        """How the game ended, in words."""
        return self._table.closing()

    def answer(self, chosen: int) -> Question | None:
        """Choose the option with this index; return the next question, None if the game is over."""
        if self.question is None:
            raise UserError("answer: the game is over; expected none")
        check_number("answer", index(chosen), 0, len(self.question) - 1)
        self.choices.append(index(chosen))
        self._noted.append(self.question.notes.copy())
        self._go_on(index(chosen))
        return self.question

    def undo(self, answers: int = 1) -> None:
        """Take the last answers back."""
        check_number("answers to take back", answers, 0, len(self.choices))
        left = len(self.choices) - answers
        kept = list(zip(self.choices[:left], self._noted[:left], strict=True))
        self._begin()
        for chosen, noted in kept:
            assert self.question is not None, "the same answers come to the same questions"
            self.question.notes[:] = noted
            self.answer(chosen)

    def close(self) -> None:
        """Leave the game where it is; it cannot go on, but answers can be taken back."""
        if self._run is not None and not self._run.dead:
            self._run.parent = greenlet.getcurrent()
            self._run.throw()  # compiled code plays the turn to its end, then it is raised
        self.question: Question | None = None

    def _begin(self) -> None:
        self.close()
        self.choices: list[int] = []
        self._noted: list[np.ndarray] = []  # what strategies that were put the questions have noted by then
        self.lines: list[str] = []
        self._table: Seated = Seated.__new__(Seated)  # questions come while it is set up
        self._run = greenlet.greenlet(self._play)
        self._go_on()

    def _go_on(self, *answer: int) -> None:
        self._run.parent = greenlet.getcurrent()
        self.question = self._run.switch(*answer)
        if self.question is not None:
            self.question.coordinates = self.coordinates

    def _play(self) -> None:
        table = self._table
        table.__init__(self.ruleset, self.plan, self.game, self.asked, self._waiting)  # type: ignore[misc]
        self.lines += [*table.heading(), *table.opening]
        self._turned(table.opening)
        for lines in table.turns():
            self.lines += lines
            self._turned(lines)
        self.lines.append(table.closing())

    def _turned(self, lines: list[str]) -> None:
        """Keep how the next turn begins."""
        self.turn_begun = self._table.states.copy(), len(self.choices)
        self.seen(self._table, lines)
