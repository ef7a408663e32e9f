"""What all environments have in common: games side by side that wait for answers, spaces, seats, a game in words and as a
picture.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

import greenlet
import gymnasium
import numpy as np

from .. import names
from ..engine import state
from ..engine.compile import user_functions as own_functions
from ..engine.compile.jit import needed_for, ready, seat_strategies, strategy_address
from ..engine.compile.user_functions import FromPython, GameRecords
from ..engine.state import STATE
from ..engine.turn import play_game
from ..errors import UserError, counted
from ..replay.board import pixels
from ..replay.interactive_game import ME, Question, seated
from ..replay.log_in_words import LogSentences
from ..replay.player_boards import board_scene, player_board
from ..rules import Ruleset, load_ruleset
from ..rules.ruleset_contents import written
from ..runs import guard
from ..runs.columns import SEAT_ROW
from ..runs.kernel import open_game
from ..runs.run_plan import MAX_SEED, ROUND_CAP, Plan, check_deal, check_number, plan_by
from .observe import ACTIONS, ARRAYS, MASK, OBSERVATION, action_of, observe_as, option_of

# --- Games side by side in one thread, each of which stops at the questions of some seats and goes on with an answer
#
# As in `sitting`, the engine calls back into Python, and greenlet leaves that call as it is until there is an answer; but
# there is no log, nothing is taken back, and a question is three numbers: the workspace has the rest.

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


# --- What all environments have in common
#
# Spaces, seats, and a game in words and as a picture.

# --- What all environments have in common
#
# Name and version, the plan of their games, spaces, observations.

# Raised when the printed rules, what is observed or what an action means change the games that agents see; what belongs to a
# version is noted in VERSIONS (`python -m newdawn.simulator.environments.versions` tells the digests of today).
VERSION = 2

_PARTS = [(array.name, array.shape, array.dtype, OBSERVATION.fields[array.name][1]) for array in ARRAYS]  # type: ignore[index]


def name_of(ruleset: Ruleset) -> str:
    """Return the name of the environment, with its version; under house rules with the beginning of their digest."""
    box = "" if ruleset.box == names.BOXES[0] else "_" + ruleset.box.replace("-", "_")
    own = "" if ruleset.digest() == load_ruleset(box=ruleset.box).digest() else f"_{ruleset.digest()[:8]}"
    return f"newdawn{box}{own}_v{VERSION}"


class Setting:
    """Which games an environment plays: by which rules, who sits where."""

    def __init__(
        self,
        box: str = names.BOXES[0],
        seats: Sequence[str] = (ME, ME),
        rules: Sequence[Path | str] = (),
        leaders: Sequence[str] | None = None,
        round_cap: int = ROUND_CAP,
    ) -> None:
        """`seats`: the line-up, `me` for a seat that agents play; it moves on by one seat from game to game."""
        if box not in names.BOXES:
            raise UserError(f"box: '{box}' is not known; expected {' or '.join(names.BOXES)}")
        if ME not in seats:
            raise UserError(f"seats: {', '.join(seats)}; expected '{ME}' at least once, for whom the environment asks")
        self.seats, self.leaders, self.round_cap = tuple(seats), leaders, round_cap
        self.ruleset = load_ruleset(rules, box=box)
        self.name = name_of(self.ruleset)

    def plan(self, seed: int = 0) -> Plan:
        """Return the plan of the games."""
        settings = {"leaders": self.leaders, "strategies": seated(self.seats), "round_cap": self.round_cap}
        return plan_by(self.ruleset.compile(), players=len(self.seats), games=1, seed=seed, **settings)

    def tables(self, n: int, seed: int = 0) -> Tables:
        """Return tables for games of the setting."""
        return Tables(self.ruleset, self.plan(seed), n, {ME})


class GameCounter:
    """Which game comes next: game 0 of a seed that is given, else the next one of the last seed."""

    def __init__(self) -> None:
        self.seed, self.game = -1, -1

    def next(self, seed: int | None) -> tuple[int, int]:
        """Return seed and number of the next game; without any seed so far it is a random one."""
        if seed is not None:
            check_number("seed", seed, 0, MAX_SEED)
        if seed is not None or self.seed < 0:
            self.seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed)
            self.game = -1
        self.game += 1
        return self.seed, self.game

    @property
    def info(self) -> dict[str, int]:
        """Which game it is, as `newdawn run` and `newdawn replay` count."""
        return {"seed": self.seed, "game": self.game}


def action_space() -> gymnasium.spaces.Discrete:
    """Return a space of actions (observe.py)."""
    return gymnasium.spaces.Discrete(ACTIONS)


def observation_space() -> gymnasium.spaces.Dict:
    """Return a space of observations: `observation`, the arrays by name (observe.py), and `action_mask`."""
    spaces: dict[str, gymnasium.spaces.Space[Any]] = {
        array.name: gymnasium.spaces.Box(array.low, array.high, array.shape, array.dtype.type) for array in ARRAYS
    }
    mask = gymnasium.spaces.Box(0, 1, spaces.pop(MASK).shape, np.int8)
    return gymnasium.spaces.Dict({"observation": gymnasium.spaces.Dict(spaces), MASK: mask})


def look(r: Any, g: Any, w: Any, seat: int, asked: Asked) -> dict[str, Any]:
    """Return what a seat knows of a game that asks `asked`: rules, game and workspace are those of the engine."""
    memory, copy = np.zeros(1, OBSERVATION), np.frombuffer(bytearray(g.tobytes()), STATE)
    work = addresses(w.option[None])  # its first field
    observe_as(r, addresses(copy), work, addresses(memory), np.array([asked], np.int64), seat)
    found: dict[str, Any] = {name: np.ndarray(shape, dtype, memory, at) for name, shape, dtype, at in _PARTS}
    mask = found.pop(MASK)
    return {"observation": found, MASK: mask}


def seen_by(question: Question) -> dict[str, Any]:
    """Return what an environment shows to the one who is asked: for a function of a user's that plays by a trained policy."""
    table = question.table
    return look(table.rules, table.game, table.work, question.seat, (question.seat, question.code, len(question)))


def option_for(question: Question, action: int) -> int:
    """Return the index of the option that an action is, below zero if it is none."""
    return int(option_of(question.table.work, question.code, len(question), int(action)))


# --- A game of an environment in words and as a picture, as the one who is asked sees it

METADATA: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 2}
SHOWN = 40  # options of a question in words


def rendered(tables: Tables, i: int, asked: Asked, mode: str | None) -> str | np.ndarray | None:
    """Return the game at table i in the render mode: a text, a picture, or nothing where the text was printed."""
    if mode == "rgb_array":
        return pixels(board_scene(tables.rules, tables.game(i)))
    if mode == "human":
        print(in_words(tables, i, asked))
        return None
    return in_words(tables, i, asked)


def in_words(tables: Tables, i: int, asked: Asked) -> str:
    """Return the game at table i in words: every seat, then the question with the action that each option is."""
    words = LogSentences(tables.rules, tables.game(i))
    seats = [_seat(player_board(words, seat)) for seat in range(tables.plan.players)]
    return "\n".join([f"Round {int(words.g.round_number)}", *seats, *_question(tables, i, asked)])


def _seat(board: dict[str, Any]) -> str:
    row = ", ".join(f"{card['acts']} {card['name']}" + f" ({card['tokens']})" * bool(card["tokens"]) for card in board["row"])
    cities = counted(len(board["has"]["cities"]), "city", "cities")
    claimed = f"{board['claimed']} of {board['needed']} victory cards"
    return f"{board['seat']} {board['leader']}: {claimed}, dial {board['dial']['at']}, {cities}; {row}"


def _question(tables: Tables, i: int, asked: Asked) -> list[str]:
    seat, kind, n = asked
    if not n:
        return ["The game is over"]
    work = tables.works[i]
    question = Question(GameRecords(tables.rules, tables.game(i), work), seat, kind, n, 0)
    lines = [f"  action {action_of(work, kind, k)}: {words}" for k, words in enumerate(question.words[:SHOWN])]
    return [question.text, *lines, *[f"  and {n - SHOWN} more"] * (n > SHOWN)]
