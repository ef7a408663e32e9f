"""One game played again, stopped after every step, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from .. import names
from ..engine import state
from ..engine.choosing import seed_streams
from ..engine.compile import user_functions as own_functions
from ..engine.compile.jit import seat_strategies
from ..engine.pieces import partner_of
from ..engine.setup import start_game
from ..engine.turn import play_step
from ..engine.winning import has_enough, score, team_score, won_by
from ..errors import FIRST_SEAT, UserError, counted, listed
from ..rules.record import RULES
from ..rules.ruleset_contents import written
from ..rules.sentences import winning
from ..runs import guard
from ..runs.columns import SEAT_ROW
from ..runs.kernel import forget, seat_players
from ..runs.run_plan import Plan, check_deal
from .log_in_words import LogSentences

# --- Records whose fields are read often: a picture of a game reads a million of them, and NumPy's own looks each up by name


class QuickRecord(np.record):  # type: ignore[misc]
    """A record that reads its fields in a fifth to a sixtieth of the time of NumPy's, and is the same to compiled functions."""

    __getattribute__ = np.void.__getattribute__
    __getitem__ = np.void.__getitem__  # type: ignore[assignment]
    data = property(attrgetter("memory"))  # what compiled functions ask for; NumPy's describes every field at each call


@cache
def _quick(fields: np.dtype) -> type[QuickRecord]:
    numbers = {name: property(itemgetter(name)) for name in fields.names or () if not fields[name].shape}
    return type(QuickRecord.__name__, (QuickRecord,), numbers)


def quick_record(row: np.ndarray) -> Any:
    """Return the record in an array of one row: a view, whose arrays are looked up once and then show what they hold."""
    fields = row.dtype
    record = row.view(np.dtype((_quick(fields), fields)))[0]
    vars(record).update(
        {name: row[name][0] for name in fields.names or () if fields[name].shape}, memory=row.view(np.uint8).data
    )
    return record


# --- Playing one game of a plan turn by turn, with its log: the same game as in a run of the plan


class Game:
    """One game that stops between turns. `state` is the game, `words` turns the rows of its log into lines."""

    def __init__(
        self, ruleset: Any, plan: Plan, game: int, choices: bool = False, instead: Callable[[Any], Any] = lambda bot: bot
    ) -> None:
        """Set up game number `game` of the plan; the lines of the set-up are in `opening`.

        `instead` may replace a strategy's function by another that chooses the same.
        """
        if not 0 <= game < plan.games:
            raise UserError(f"game: {game} is not in the plan; expected a whole number from 0 to {plan.games - 1}")
        self.rules = quick_record(np.frombuffer(bytearray(ruleset.compile().tobytes()), RULES))
        check_deal(plan, self.rules)
        self.plan, self.game = plan, game
        self.states = np.zeros(1, state.STATE)
        self.state = quick_record(self.states)
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
        self.words = LogSentences(self.rules, g, choices=choices)
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
        """Return the function that answers for a seat."""
        return instead(self.plan.strategy(self.strategies[seat]).load())

    def drain(self) -> list[str]:
        """Return the lines of the log since the last call."""
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
        """Return the heading of the log: seed, number, seats, victory cards."""
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


# --- How a game ended, in a sentence or two


def headline(game: Game) -> str:
    """Return who won, in which round and by which agendas; of an unfinished game, who has claimed most victory cards."""
    g, seats = game.state, range(game.plan.players)
    if g.ending == names.VICTORY:
        winners = [seat for seat in seats if g.winner[seat]]
        return " ".join([_won(game, winners), *_decided(game, winners)])
    if g.ending == names.ROUND_CAP:
        stopped = f"Nobody won: the game was stopped at the round cap of {game.plan.round_cap}."
    else:
        stopped = f"The game goes on after round {int(g.round_number)}, where this replay ends."
    if game.rules.scored:
        points = [f"{_player(game, seat)} {number}" for seat, number in enumerate(game.scores())]
        return f"{stopped} Victory points: {listed(points)}."
    most = max(len(claimed(game, seat)) for seat in seats)
    if not most:
        return f"{stopped} Nobody has claimed a victory card."
    leading = [seat for seat in seats if len(claimed(game, seat)) == most]
    having = "has" if len(leading) == 1 else "have"
    return f"{stopped} {listed([_player(game, seat) for seat in leading])} {having} {most} of {needed(game)} victory cards."


def claimed(game: Game, seat: int) -> list[tuple[int, str]]:
    """Return the round and the agenda of each victory card that a seat has claimed, in the order of the rounds."""
    g = game.state
    places = [place for place in range(int(g.victory_count)) if g.claimed[seat, place]]
    return sorted(
        (int(g.claimed_round[seat, place]), game.words.agenda(int(g.victory_card[place]), int(g.claimed[seat, place]) - 1))
        for place in places
    )


def needed(game: Game) -> int:
    """Return how many victory cards win."""
    return int(game.state.victory_count - game.rules.claims_spared)


def _won(game: Game, winners: list[int]) -> str:
    number = int(game.state.round_number)
    by_points = won_by(game.rules, game.state) == names.WON_BY_POINTS
    achievement = {seat: counted(game.scores()[seat], "point") if by_points else _agendas(game, seat) for seat in winners}
    if len(winners) > 1:
        shared = listed([f"{_player(game, seat)} with {achievement[seat]}" for seat in winners])
        partners = bool(game.rules.partners) and len(winners) == 2 and partner_of(game.rules, winners[0]) == winners[1]
        return f"{'Partners won' if partners else 'A shared win'} in round {number}: {shared}."
    return f"{_player(game, winners[0])} won in round {number} with {achievement[winners[0]]}."


def _decided(game: Game, winners: list[int]) -> list[str]:
    """Return what decided between several candidates: points, the ranking at the round limit, or the tie-break."""
    how = won_by(game.rules, game.state)
    others = [seat for seat in range(game.plan.players) if seat not in winners]
    if how == names.WON_BY_POINTS:
        return _behind(game, winners, others)
    if how != names.WON_BY_CARDS:
        return [f"Nobody had the {needed(game)} victory cards: the ranking at the round limit decided."]
    beaten = [seat for seat in others if has_enough(game.rules, game.state, seat)]
    if not beaten:
        return []
    return [f"{listed([_player(game, seat) for seat in beaten])} had enough victory cards, too: the tie-break decided."]


def _behind(game: Game, winners: list[int], others: list[int]) -> list[str]:
    """Return the points of those who did not win, and whether a tie-break decided."""
    if not others:
        return []
    points = listed([f"{_player(game, seat)} {game.scores()[seat]}" for seat in others])
    best, next_best = (max(int(team_score(game.rules, game.state, seat)) for seat in part) for part in (winners, others))
    return [f"The others: {points}.", *(["The tie-break decided."] if best == next_best else [])]


def _agendas(game: Game, seat: int) -> str:
    claims = claimed(game, seat)
    if not claims:
        return "no victory card"
    agendas = listed([f"{agenda} (round {number})" for number, agenda in claims])
    return f"{counted(len(claims), 'victory card')}: {agendas}"


def _player(game: Game, seat: int) -> str:
    return f"{game.words.short(seat)} (seat {seat + FIRST_SEAT}, {game.strategies[seat]})"
