"""Playing one game of a plan turn by turn, with its log: the same game as in a run of the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import names
from ..batch import guard
from ..engine.core import functions as own_functions
from ..engine.core import state
from ..engine.core.jit import seat_strategies
from ..engine.core.rng import seed_streams
from ..engine.course.play import play_step
from ..engine.course.setup import start_game
from ..engine.course.winning import score, won_by
from ..errors import UserError
from ..games.kernel import forget, seat_players
from ..games.plan import Plan, check_deal
from ..games.rows import SEAT_ROW
from ..rules.contents import written
from ..rules.showing.describe import winning
from ..wording import counted
from .words import FIRST_SEAT, Words


class Game:
    """One game that stands still between turns. `state` is the game, `words` names its spaces and tells its rows."""

    def __init__(
        self, ruleset: Any, plan: Plan, game: int, choices: bool = False, instead: Callable[[Any], Any] = lambda bot: bot
    ) -> None:
        """Set up game number `game` of the plan; the lines of the set-up are in `opening`.

        `instead` may put another function, which must choose alike, in the place of a strategy's own.
        """
        if not 0 <= game < plan.games:
            raise UserError(f"game: {game} is not in the plan; expected a whole number from 0 to {plan.games - 1}")
        self.rules = ruleset.compile()
        check_deal(plan, self.rules)
        self.plan, self.game = plan, game
        self.states = np.zeros(1, state.STATE)
        self.state = self.states.view(np.recarray)[0]
        self.work = state.new_work()
        self.work.log_on = 1
        g = self.state
        forget(self.work)
        seed_streams(g, plan.seed, game)
        g.players = plan.players
        g.round_cap = plan.round_cap
        self.strategies = self._seat()
        functions = [self.function_of(seat, instead) for seat in range(plan.players)]
        guard.vet(plan, self.rules)
        own_functions.load(self.rules)
        self.bots = seat_strategies(functions)
        start_game(self.rules, g, self.work, self.bots)
        self.words = Words(self.rules, g, choices=choices)
        self.opening = self.drain()

    def _seat(self) -> tuple[str, ...]:
        """Give the seats their leaders, as the run does, and return the names of their strategies."""
        rows = np.zeros(self.plan.players, SEAT_ROW).view(np.recarray)
        library = self.plan.library()
        opinions = np.stack(
            [self.plan.strategy(name).weights(self.plan.players, names.BOXES[self.rules.box]) for name in library]
        )
        seating = self.plan.seating(written(self.rules, "leader")).view(np.recarray)[0]
        seat_players(self.rules, self.state, self.work, opinions, seating, rows, 0, self.game)
        return tuple(library[row["strategy"]] for row in rows)

    def function_of(self, seat: int, instead: Callable[[Any], Any]) -> Any:
        """Return what answers for a seat."""
        return instead(self.plan.strategy(self.strategies[seat]).load())

    def drain(self) -> list[str]:
        """Return the lines of what has happened since the last call."""
        n = int(self.work.log_n)
        self.rows: list[list[int]] = self.work.log[:n].tolist()  # of the log, behind the lines
        lines = self.words.lines(self.rows)
        if n >= state.MAX_LOG:
            lines.append("      (this turn was longer than the log; the rest is left out)")
        self.work.log_n = 0
        return lines

    def turns(self) -> Iterator[list[str]]:
        """Play turn after turn to the end of the game; yield the lines of each."""
        going = 1
        while going:
            going = play_step(self.rules, self.state, self.work, self.bots)
            if self.work.fault_n:
                raise guard.illegal_answer(self.work, self.strategies, self.game)
            lines = self.drain()
            if lines:
                yield lines

    def heading(self) -> list[str]:
        """Return what the game is: seed, number, who sits where, victory cards."""
        g, words = self.state, self.words
        seats = [
            f"  seat {seat + FIRST_SEAT}: {words.short(seat)}, played by {self.strategies[seat]}"
            for seat in range(self.plan.players)
        ]
        cards = [f"  {k + 1}. {words.victory_card(int(g.victory_card[k]))}" for k in range(int(g.victory_count))]
        first = words.leader(int(g.first))
        needed = int(g.victory_count - self.rules.claims_spared)
        claim = "Victory cards:" if needed == g.victory_count else f"Victory cards, {needed} of which win:"
        title = f"Seed {self.plan.seed}, game {self.game}: {self.plan.players} players, {first} begins"
        return [title, *seats, claim, *cards, *winning(self.rules), "Set-up:"]

    def closing(self) -> str:
        """Return how the game ended."""
        g = self.state
        if g.ending == names.VICTORY:
            winners = [self.words.leader(seat) for seat in range(self.plan.players) if g.winner[seat]]
            scores = ", ".join(f"{self.words.leader(seat)} {points}" for seat, points in enumerate(self.scores()))
            ways = {names.WON_BY_CARDS: "", names.WON_BY_POINTS: f", by victory points: {scores}"}
            how = ways.get(won_by(self.rules, g), ", by the ranking at the round limit")
            after = counted(int(g.turn), "turn")
            return f"Victory of {' and '.join(winners)} in round {int(g.round_number)} after {after}{how}"
        if g.ending == names.ROUND_CAP:
            return f"Unfinished: stopped at the round cap of {self.plan.round_cap} after {counted(int(g.turn), 'turn')}"
        assert g.ending == names.RUNNING
        return f"The game is {names.ENDINGS[g.ending]}, round {int(g.round_number)}, after {counted(int(g.turn), 'turn')}"

    def scores(self) -> list[int]:
        """Return the victory points of the seats, where house rules give any."""
        return [int(score(self.rules, self.state, seat)) for seat in range(self.plan.players)] if self.rules.scored else []

    def when(self) -> str:
        """Return where the game stands."""
        g = self.state
        return "Set-up" if g.turn == 0 else f"Round {int(g.round_number)}, after turn {int(g.turn)}"

    def title(self) -> str:
        """Return the title of a board drawn now."""
        return f"{self.when()} – seed {self.plan.seed}, game {self.game}"


def play_logged(ruleset: Any, plan: Plan, game: int, choices: bool = False) -> list[str]:
    """Play a game of the plan and return its whole log, the same lines every time."""
    stepper = Game(ruleset, plan, game, choices)
    lines = [*stepper.heading(), *stepper.opening]
    for turn in stepper.turns():
        lines += turn
    return [*lines, stepper.closing()]
