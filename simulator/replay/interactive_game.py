"""A game that stops at each question, takes answers and takes them back, and can be saved in a file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from operator import index
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from .. import file_ownership, kept_files, names
from ..compile_cache import same_games, source_digest
from ..engine import decisions, state
from ..engine.compile.jit import Compiled, seat_strategies
from ..engine.compile.user_functions import FromPython, GameRecords, WrongAnswer, said
from ..engine.turn import play_step
from ..errors import UserError, install
from ..errors import named as simulator_named
from ..reading import json_in, plainly
from ..rules.load import from_data
from ..rules.ruleset_contents import digest_of, written
from ..runs import run_plan
from ..runs.kernel import forget
from ..runs.run_plan import Plan, available_leaders, check_deal, check_number, check_seats, plan_by
from ..user_modules import line_of
from .expansion_words import named
from .log_in_words import SIDES, LogSentences, count
from .player_boards import player_board
from .stepper import Game

# --- The questions of the game as sentences, one for each kind of decision (engine/decisions.py)

# `FACTS` fills what stands in braces.
SENTENCES = {
    decisions.LAY_TILE: "Which of your map tiles do you lay?",
    decisions.PLACE_TILE: "Where does tile {space_number} go, with which side and turned how?",
    decisions.START_EFFECT: "What do you use at the start of your turn?",
    decisions.CARD: "Which focus card do you resolve?",
    decisions.PLACE_TOKEN: "Where do you place a control token? ({source}; {left} left)",
    decisions.TAKE_OFF: "You have no control token left. Which one do you take off the map to use it again?",
    decisions.MOVE_TOKEN: "Which control token do you move, and where?",
    decisions.RIVAL_TOKEN: "Which rival control token do you weaken or remove? ({source})",
    decisions.STRIKE: "Which space is the middle of your strike?",
    decisions.NAME_TOKEN: "Which rival control tokens do you name for the Eiffel Tower?",
    decisions.YIELD_TOKEN: "{rival} uses the Eiffel Tower: which of your two control tokens do you give up?",
    decisions.SPEND_TRADE: "How many trade tokens do you spend from {card}? ({source})",
    decisions.UPGRADE: "Which new focus card do you take, in place of which?",
    decisions.GAIN_RESOURCE: "Which resource do you take?",
    decisions.SWAP_RESOURCE: "Which resource do you give for which?",
    decisions.PLACE_TRADE: "Which focus card gets the trade token? ({source})",
    decisions.NATURAL_WONDER_CARD: "Which focus card gets the token of {natural_wonder}?",
    decisions.CARAVAN: "Which caravan do you move next?",
    decisions.CARAVAN_TO: "Where does your caravan go? ({steps} left)",
    decisions.TAKE_DIPLOMACY: "Which diplomacy card do you take{from_whom}?",
    decisions.RETURN_DIPLOMACY: "Which diplomacy card do you give back to {rival}, to take another?",
    decisions.INDUSTRY: "What do you build: a city or a world wonder?",
    decisions.PAY: "What do you pay with for {wonder}? ({production} missing)",
    decisions.WONDER_CITY: "Which city gets {wonder}?",
    decisions.MILITARY: "What does your military card do: reinforce or attack?",
    decisions.REINFORCE: "Which control token do you reinforce? ({left} left)",
    decisions.ATTACK: "What do you attack? ({attacks} left)",
    decisions.CITY_STATE_FATE: "You have beaten {place}. Do you take it or free it?",
    decisions.LOOT: "From which card of {rival} do you take a trade token?",
    decisions.LOSE_TRADE: "You lose a trade token. Which card gives it up? ({source})",
    decisions.SWAP_CARDS: "Which two cards of your focus row change places? ({source})",
    decisions.GENEVA_SWAP: "Which diplomacy card do you swap for which?",
    decisions.SEOUL_MOVE: "Which barbarian do you move, and where?",
    decisions.OTHER_CARD: "Which second card do you resolve, as if from slot {slot}?",
    decisions.EXTRA_ECONOMY: "Do you resolve your economy card, too, from slot {slot}?",
    decisions.REPEAT_CARD: "Do you resolve the card once more?",
    decisions.POTALA: "Which diplomacy card do you take? (Potala Palace; {left} left)",
    decisions.SPEND_TOKEN: "Which token do you spend next?",
    decisions.GIVE_TRADE: "The Embassy gives {rival} a trade token. Which of its cards gets it?",
    decisions.SCIENCE: "Do you carry out your science card?",
    decisions.MOVE_ON: "Several barbarians share a space. Which one moves on?",
    decisions.PLACE_FORT: "Where does your fort lie?",
    decisions.ARMY: "Which army do you move next?",
    decisions.ARMY_TO: "Where does your army go? ({steps} left)",
    decisions.COMBAT_SPEND: "The combat stands at {attack} against {defence}. What do you spend?",
    decisions.ARMY_TARGET: "Which piece on {place} do you attack?",
    decisions.ARMY_AGAIN: "Which army sets out once more? ({source})",
    decisions.GROWTH: "What does your growth card do?",
    decisions.PLACE_DISTRICT: "Which district do you place, and where?",
    decisions.DISTRICT: "Which district do you resolve next?",
    decisions.DISTRICT_EFFECT: "What does your district on {place} do?",
    decisions.DISTRICT_SPACE: "Where do you use your district on {place}?",
    decisions.CITY_SPACE: "Where do you place a city? ({source})",
    decisions.GOVERNMENT: "Which focus card gets your government?",
    decisions.TAKE_CITY: "Which rival city do you replace by an own one? ({source})",
    decisions.DISPLACED_TOKEN: "Where does the control token go that the district displaced?",
    decisions.NAME_DISTRICT: "Which type of district does everybody resolve?",
    decisions.ARMY_CITY: "Into which of your cities do you put army {army}?",
    decisions.EXPLORED_TILE: "Which of the map tiles that you looked at do you lay?",
    decisions.STACK_ORDER: "Which tile goes back to the stack, and where?",
    decisions.WATER_SPACE: "Where do you lay the water token?",
    decisions.GIVE_IBRAHIM: "Who gets Ibrahim?",
    decisions.ALLY: "Whom do you choose for an ally?",
    decisions.CONQUER_VISITED: "You have visited {place}. Do you conquer it?",
    decisions.NON_AGGRESSION: "{rival} struck you despite your pact. Which card changes places with the military card?",
    decisions.ARMY_LOST: "A barbarian drives one of your armies back to its card. Which one?",
    decisions.DIAL_ANYWAY: "You built no world wonder. Does your technology dial advance all the same?",
}
# Options that do nothing, beside PASS; pages list them last.
NO = {
    decisions.SCIENCE: 0, decisions.EXTRA_ECONOMY: 0, decisions.REPEAT_CARD: 0, decisions.CONQUER_VISITED: 0,
    decisions.SPEND_TRADE: 0,
}  # fmt: skip
NOTHING = "do nothing"
# What doing nothing means, added to NOTHING.
DECLINED = {
    decisions.START_EFFECT: " more: on to the focus card",
    decisions.PLACE_TOKEN: " more: place no more tokens",
    decisions.NAME_TOKEN: ": name none",
    decisions.UPGRADE: ": keep the cards as they are",
    decisions.SWAP_RESOURCE: ": keep the resources",
    decisions.CARAVAN: " more: move no more caravans",
    decisions.CARAVAN_TO: ": stay here",
    decisions.REINFORCE: " more: reinforce no more",
    decisions.ATTACK: " more: attack nobody",
    decisions.LOOT: ": take none",
    decisions.ARMY: " more: move no more armies",
    decisions.ARMY_TO: ": stay here",
    decisions.COMBAT_SPEND: " more: spend nothing more",
    decisions.SPEND_TRADE: ": spend none",
}


def _from_whom(log: LogSentences, seat: int, about: Mapping[str, int]) -> str:
    if about["space"] >= 0:
        return f", of {log.ground(about['space'])}" if about["space"] < int(log.g.n_spaces) else ""
    return f" from {log.short(about['seat'])}" if about["seat"] >= 0 else ""


FACTS: dict[str, Callable[[LogSentences, int, Mapping[str, int]], Any]] = {
    "space_number": lambda log, seat, about: about["space"],
    "place": lambda log, seat, about: log.place(about["space"]),
    "natural_wonder": lambda log, seat, about: named(log.titles.natural_wonder, about["space"]),
    "source": lambda log, seat, about: named(decisions.SOURCES, about["source"], "an effect"),
    "left": lambda log, seat, about: about["left"],
    "steps": lambda log, seat, about: count(about["left"], "step"),
    "attacks": lambda log, seat, about: count(about["left"], "attack"),
    "production": lambda log, seat, about: about["left"],
    "rival": lambda log, seat, about: log.short(about["seat"]),
    "card": lambda log, seat, about: log.held(seat, about["holder"]),
    "from_whom": _from_whom,
    "wonder": lambda log, seat, about: named(log.titles.wonder, about["wonder"]),
    "slot": lambda log, seat, about: about["slot"],
    "attack": lambda log, seat, about: about["attack"],
    "defence": lambda log, seat, about: about["defence"],
    "army": lambda log, seat, about: about["space"] + 1,
}


class _Facts:
    """FACTS of a question by name, each worked out when a sentence needs it."""

    def __init__(self, log: LogSentences, seat: int, about: Mapping[str, int]) -> None:
        self.log, self.seat, self.about = log, seat, about

    def __getitem__(self, name: str) -> Any:
        return FACTS[name](self.log, self.seat, self.about)


def sentence(log: LogSentences, seat: int, kind: int, about: Mapping[str, int]) -> str:
    """Return the question of a kind of decision; `about`: its details by name (`Question.about`)."""
    if drafts(kind, about):
        return "Which world wonder do you draft? (Only you may build it.)"
    return SENTENCES[kind].format_map(_Facts(log, seat, about))


def is_nothing(kind: int, value: int) -> bool:
    """Say whether this option of a kind of decision does nothing."""
    return value == decisions.PASS or NO.get(kind) == value


def drafts(kind: int, about: Mapping[str, int]) -> bool:
    """Say whether the chosen world wonder is drafted, not built."""
    return kind == decisions.INDUSTRY and about["source"] == decisions.SOURCE_DRAFT


def option(log: LogSentences, seat: int, kind: int, value: int, about: Mapping[str, int]) -> str:
    """Return an option in words: a focus card by its name, doing nothing by its meaning."""
    if is_nothing(kind, value):
        return f"{NOTHING}{DECLINED.get(kind, '')}"
    if drafts(kind, about):
        return log.wonder(value - decisions.WONDER_OPTION)
    if value != decisions.PASS and kind in (decisions.CARD, decisions.OTHER_CARD):
        return f"{log.held(seat, int(log.g.row[seat, value]))} in slot {log.slot(value)}"
    if kind in (decisions.CARAVAN, decisions.ARMY, decisions.ARMY_AGAIN, decisions.ARMY_LOST) and value != decisions.PASS:
        return _figure(log, seat, kind, value)
    answer = log.option(seat, kind, value, about["space"])
    if kind in (decisions.LAY_TILE, decisions.EXPLORED_TILE) and value != decisions.PASS:
        return f"{answer} ({'; '.join(f'{name}: {_printed(log, value, side)}' for side, name in enumerate(SIDES))})"
    return answer


def _printed(log: LogSentences, tile: int, side: int) -> str:
    """Return what is printed on a side of a map tile."""
    r, t, grounds = log.r, tile - 1, []
    for i in range(names.TILE_SPACES):
        natural, city_state = int(r.tile_natural_wonder[t, side, i]), int(r.tile_city_state[t, side, i])
        ground = named(names.TERRAINS, int(r.tile_terrain[t, side, i]))
        ground = named(log.titles.natural_wonder, natural, named(log.titles.city_state, city_state, ground))
        resource = int(r.tile_resource[t, side, i])
        grounds.append(f"{ground} with {names.RESOURCES[resource]}" if resource >= 0 else ground)
    counts = {ground: grounds.count(ground) for ground in grounds}
    return ", ".join(ground if n == 1 else f"{n} × {ground}" for ground, n in counts.items())


def _figure(log: LogSentences, seat: int, kind: int, value: int) -> str:
    """Return a caravan or an army by its number and where it stands."""
    caravan = kind == decisions.CARAVAN
    space = int((log.g.caravan if caravan else log.g.army)[seat, value])
    card = names.FOCUS_TYPES[names.ECONOMY if caravan else names.MILITARY]
    where = f"from {log.place(space)}" if space >= 0 else f"from the {card} card"
    return f"number {value + 1}, {where}"


# --- A decision as Python sees it, for functions of users (`Bot`) and for games that wait (`Sitting`)

PREFIX = "ask_"


class Question:
    """A decision of the seat `seat` among `options`; valid until it is answered.

    `options` are numbers: simulator/engine/decisions.py says what they mean, `words` puts them in words. `bits` are 64
    random bits, the same when the same game is played again; `random` draws from them.
    """

    __slots__ = ("bits", "code", "options", "seat", "table")

    def __init__(self, table: GameRecords, seat: int, code: int, n: int, bits: int) -> None:
        self.table, self.seat, self.code, self.bits = table, seat, code, bits
        self.options: list[int] = table.options[:n].tolist()

    def __len__(self) -> int:
        return len(self.options)

    def __repr__(self) -> str:
        return f"Question({self.wording.leader(self.seat)}: {self.text} {'; '.join(self.words)})"

    @property
    def kind(self) -> str:
        """The kind of decision: one of `decisions.KINDS`."""
        return decisions.KINDS[self.code]

    @property
    def rules(self) -> Any:
        """The rules (simulator/rules/record.py)."""
        return self.table.rules

    @property
    def game(self) -> Any:
        """The game as it stands (simulator/engine/state.py). A function of a user's cannot write to it."""
        return self.table.game

    @property
    def about(self) -> dict[str, int]:
        """The details of the question by name: `ask_…` fields. Those that decisions.py does not name for its kind are stale."""
        work = self.table.work
        return {name.removeprefix(PREFIX): int(work[name]) for name in work.dtype.names if name.startswith(PREFIX)}

    @property
    def notes(self) -> np.ndarray:
        """The seat's own row of numbers, all 0 when a game begins: its only memory."""
        row: np.ndarray = self.table.notes[self.seat]
        return row

    @property
    def random(self) -> Random:
        """A source of chance, new at each call: the same question draws the same numbers."""
        return Random(self.bits)

    @property
    def wording(self) -> LogSentences:
        """The names of everything in the game as it stands."""
        return LogSentences(self.rules, self.game)

    @property
    def words(self) -> list[str]:
        """The options in words."""
        wording, about = self.wording, self.about
        return [option(wording, self.seat, self.code, value, about) for value in self.options]

    def word(self, index: int) -> str:
        """One of the options in words."""
        return option(self.wording, self.seat, self.code, self.options[index], self.about)

    @property
    def text(self) -> str:
        """The question as a sentence."""
        return sentence(self.wording, self.seat, self.code, self.about)

    def board(self, seat: int | None = None) -> dict[str, Any]:
        """Return the board of a player, in words (replay/player_boards.py); without `seat`, of the player who decides."""
        return player_board(self.wording, self.seat if seat is None else seat)

    def put(self, strategy: Callable[..., int]) -> int:
        """Return the index that a compiled strategy answers; it writes the seat's notes."""
        table = self.table
        return int(strategy(table.rules, table.game, table.work, self.seat, self.code, len(self), np.uint64(self.bits)))


# --- Functions of users in plain Python as strategies: slow, but free to use any of Python


class Bot(FromPython):
    """A strategy that calls a user's function: question -> index of an option."""

    def __init__(self, function: Callable[[Question], int]) -> None:
        super().__init__()
        self.function = function
        self.__doc__ = function.__doc__

    def answer(self, table: GameRecords, seat: int, kind: int, n: int, u: int) -> int:
        """Return the function's answer; raise WrongAnswer if it raises an error or answers no index of an option."""
        try:
            answer = self.function(Question(table, seat, kind, n, u))
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            raise WrongAnswer(f"{said(error)}{line_of(error)}") from error
        try:
            chosen = index(answer)
        except TypeError:
            raise WrongAnswer(f"answers {_short(answer)}, expected a whole number from 0 to {n - 1}") from None
        if not 0 <= chosen < n:
            raise WrongAnswer(f"answers {_short(chosen)}, expected 0 to {n - 1}")
        return chosen


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 40 else f"{text[:37]}..."


def takes_a_question(function: Any) -> bool:
    """Say whether this is a function for `Bot`: in Python, with one parameter."""
    if isinstance(function, Compiled) or not callable(function):
        return False
    try:
        inspect.signature(function).bind(None)
    except (TypeError, ValueError):
        return False
    return True


@cache  # compiled code knows only its address
def bot(function: Callable[[Question], int]) -> Bot:
    """Return the strategy that calls the function, the same object each time."""
    return Bot(function)


# --- One game that stops at each question of some seats and goes on with an answer
#
# The engine asks strategies from within compiled code. For seats that wait, it calls back into Python
# (`functions.FromPython`), and greenlet suspends that call until there is an answer. Plan, number and answers determine the
# game: to take an answer back, the game is played again up to there.

try:
    import greenlet
except ImportError:
    greenlet = None

ME = "me"


def check_greenlet() -> None:
    """Raise UserError if greenlet, which games that wait need, is not installed."""
    if greenlet is None:
        raise UserError(f"a game that waits needs greenlet; install it with: {install('greenlet')}")


def seated(line_up: Sequence[str]) -> list[str | run_plan.SeatedStrategy]:
    """Return a line-up for a plan; `me` becomes a strategy that stands for a seat answered from outside."""
    me = replace(run_plan.strategies().find("random"), name=ME, packaged=False)  # type: ignore[type-var]
    return [me if word == ME else word for word in line_up]


class Waiting(FromPython):
    """A strategy that hands the question to the greenlet that runs the game, and waits for the answer."""

    def answer(self, table: GameRecords, seat: int, kind: int, n: int, u: int) -> int:
        return int(greenlet.getcurrent().parent.switch(Question(table, seat, kind, n, u)))


class Seated(Game):
    """A game in which the seats `asked` wait for answers."""

    def __init__(self, ruleset: Any, plan: Plan, game: int, asked: frozenset[int], waiting: Waiting) -> None:
        self.asked, self.waiting = asked, waiting
        super().__init__(ruleset, plan, game)

    def function_of(self, seat: int, instead: Callable[[Any], Any]) -> Any:
        """Return the function that answers for a seat."""
        return self.waiting if seat in self.asked else super().function_of(seat, instead)


def plan_of(ruleset: Any, seats: Sequence[str], seed: int, game: int = 0, leaders: Sequence[str] | None = None) -> Plan:
    """Return a plan whose game `game` has these seats by name: `me`, or a strategy."""
    turned = [seats[(place - game) % len(seats)] for place in range(len(seats))]  # line-ups rotate from game to game
    named = leaders and [leaders[(place - game) % len(seats)] for place in range(len(leaders))]
    return plan_by(ruleset.compile(), players=len(seats), games=game + 1, seed=seed, leaders=named, strategies=seated(turned))


class Sitting:
    """Game `game` of a plan, in which the seats `asked` (all, if none are named) are answered from outside.

    `question` is the open question, None when the game is over; `choices` are the answers so far, `lines` the log of all
    finished turns. `turn_begun` is the game when the turn began, and the number of answers by then. All calls must
    come from one thread.
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

        `seen` is called with the game and the lines of its log after the set-up and after each turn, also when the game is
        played again to take answers back.
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
        """Open a game for seats by name: a strategy, or `me` for a seat answered from outside."""
        plan = plan_of(ruleset, seats, seed, game, leaders)
        return cls(ruleset, plan, game, [seat for seat, word in enumerate(seats) if word == ME])

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.question is None

    @property
    def state(self) -> np.record:
        """The game as it stands (simulator/engine/state.py)."""
        game: np.record = self._table.state
        return game

    @property
    def laid(self) -> bool:
        """Is the map laid, and the game under way?"""
        return hasattr(self._table, "opening")

    @property
    def table(self) -> Game:
        """The game, with the names of everything in it once the map is laid."""
        return self._table

    @property
    def rules(self) -> Any:
        """The compiled rules."""
        return self._table.rules

    @property
    def so_far(self) -> list[str]:
        """The log of the unfinished turn or set-up; its lines join `lines` when it is over."""
        work, log = self._table.work, LogSentences(self._table.rules, self.state)
        if self.laid:
            log.current, log.part = self._table.words.current, self._table.words.part
        return log.lines(work.log[: int(work.log_n)].tolist())

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
        n = len(self.choices) - answers
        replayed = list(zip(self.choices[:n], self._noted[:n], strict=True))
        self._begin()
        for chosen, noted in replayed:
            assert self.question is not None, "the same answers come to the same questions"
            self.question.notes[:] = noted
            self.answer(chosen)

    def close(self) -> None:
        """End the game where it stands; it cannot go on, but answers can be taken back."""
        if self._run is not None and not self._run.dead:
            self._run.parent = greenlet.getcurrent()
            self._run.throw()  # compiled code plays the turn to its end, then it is raised
        self.question: Question | None = None

    def _begin(self) -> None:
        self.close()
        self.choices: list[int] = []
        self._noted: list[np.ndarray] = []  # the seat's notes at each answer: `Question.put` lets strategies write them
        self.lines: list[str] = []
        self._table: Seated = Seated.__new__(Seated)  # questions come while it is set up
        self._run = greenlet.greenlet(self._play)
        self._go_on()

    def _go_on(self, *answer: int) -> None:
        self._run.parent = greenlet.getcurrent()
        self.question = self._run.switch(*answer)

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
        """Note the game at the start of the next turn and report the lines."""
        self.turn_begun = self._table.states.copy(), len(self.choices)
        self.seen(self._table, lines)


# --- The turn of a sitting in a copy, to try answers without touching the game


class Branch:
    """A copy of a sitting's game, played from the beginning of the turn to its question; it goes on to the end of the turn.

    `question` is the open question, None when the turn is over. Everything in a branch may be changed; play it to its end.
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


# --- A game at the table as a file: rules, seats, seed, and every choice in order, which determine the game

PROGRAM, VERSION = "newdawn-balance-lab play", 3  # 1: no digest, no questions; 2: other words
READ = (1, 2, VERSION)
WHAT = "a game that `newdawn play` keeps"
MOST_WORDS = 300  # characters of an answer in words


@dataclass
class SavedGame:
    """What a file of choices holds. `seats` names who answers: `me`, or a strategy."""

    ruleset: Any
    plan: Plan
    game: int
    seats: tuple[str, ...]
    choices: list[int] = field(default_factory=list)
    answered: list[tuple[str, str]] = field(default_factory=list)  # of each choice: kind of question, option in words
    engine: str = field(default_factory=source_digest)  # digest of the engine it was begun with

    def sitting(self, seen: Callable[[Any, list[str]], None] = lambda game, lines: None) -> Sitting:
        """Open the game, with every seat answered from outside."""
        return Sitting(self.ruleset, self.plan, self.game, seen=seen)

    @property
    def own(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, word in enumerate(self.seats) if word == ME]

    def as_dict(self) -> dict[str, Any]:
        """Return what the file says."""
        rules = {"name": self.ruleset.name, "box": self.ruleset.box, "digest": self.ruleset.digest(), "data": self.ruleset.data}
        return {"program": PROGRAM, "version": VERSION, "engine": self.engine, "seats": list(self.seats), "game": self.game,
                "plan": self.plan.as_dict(), "ruleset": rules, "choices": list(self.choices),
                "answered": [list(pair) for pair in self.answered]}  # fmt: skip

    def as_text(self) -> str:
        """Return the text of the file."""
        return kept_files.as_text(self.as_dict(), indent=None)

    @property
    def aged(self) -> bool:
        """Was the game begun with another version of this program? Its choices count, but strategies may go on differently."""
        return not same_games(self.engine)

    def chosen(self, at: int, question: Question) -> int:
        """Return the index of the option chosen at place `at`; raise UserError if the question does not offer it.

        Options are matched by their words, because another version may offer others beside them.
        """
        index = self.choices[at]
        if at < len(self.answered):
            kind, text = self.answered[at]
            if question.kind != kind:
                raise UserError(f"choices[{at}]: answered '{kind}' ({text}), but this version asks '{question.kind}' here")
            if not (index < len(question) and question.word(index)[:MOST_WORDS] == text):
                matches = [k for k, word in enumerate(question.words) if word[:MOST_WORDS] == text]
                if not matches:
                    raise UserError(f"choices[{at}]: '{text}' ({kind}) is not among the options that this version offers here")
                index = matches[0]
        if index >= len(question):
            raise UserError(f"choices[{at}]: {index} is not valid; expected a whole number from 0 to {len(question) - 1}")
        return index

    def note(self, question: Question, chosen: int) -> None:
        """Note what a choice answers."""
        self.answered.append((question.kind, question.word(chosen)[:MOST_WORDS]))

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        write_text(path, self.as_text(), "--save")

    def write_new(self, path: Path) -> None:
        """Write the file; raise FileExistsError if the name is taken, even if another process takes it just now."""
        with writing(path, "--save"):
            file_ownership.write_new(path, self.as_text().encode())


def write_text(path: Path, text: str, option: str) -> None:
    """Write a file, whole or not at all; raise UserError that names the option if it cannot be written."""
    with writing(path, option):
        file_ownership.write_whole(path, text.encode(), lasting=False)


@contextmanager
def writing(path: Path, option: str) -> Iterator[None]:
    """Make the folder of a file about to be written; raise UserError with a line if that, or the writing, fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        if isinstance(error, FileExistsError) and path.exists():
            raise
        raise UserError(f"{path}: the game cannot be written there: {error.strerror or error} ({option})") from None


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Lock the file of a game while it is open here; raise UserError if another process has it open."""
    with ExitStack() as stack:
        with writing(path, "--save"):
            stack.enter_context(
                file_ownership.held(path, "has this game open; end it, or give this one another file (--save)", "--save")
            )
        yield


def new_game(ruleset: Any, seats: tuple[str, ...], seed: int, leaders: tuple[str, ...] = ()) -> SavedGame:
    """Set a table for seats by name; `leaders` go to the seats of people in order, the others are drawn."""
    if ME not in seats:
        raise UserError(f"--seats: no person plays; expected at least one '{ME}' among {', '.join(seats)}")
    own = [seat for seat, word in enumerate(seats) if word == ME]
    if len(leaders) > len(own):
        raise UserError(f"--leader: {len(leaders)} named for {len(own)} seats of people ('{ME}')")
    r = ruleset.compile()
    chosen = None
    if leaders:
        available = available_leaders(r)
        mine = [simulator_named("leader", word, available, "--leader") for word in leaders]
        rest = [name for name in available if name not in mine]
        Random(seed).shuffle(rest)
        by_seat = dict(zip(own, mine, strict=False))
        chosen = [by_seat.get(seat) or rest.pop() for seat in range(len(seats))]
    plan = plan_of(ruleset, seats, seed, leaders=chosen)
    check_deal(plan, r)
    return SavedGame(ruleset, plan, 0, seats)


def read(path: Path) -> SavedGame:
    """Read a file of choices; raise UserError that says what is wrong with it."""
    return game_of(path, json_of(path))


def json_of(path: Path) -> Any:
    """Return the JSON of a file; raise UserError if it cannot be read."""
    return json_in(path, "JSON that `newdawn play` wrote")


def is_game(data: Any) -> bool:
    """Say whether JSON is a game of `newdawn play`, sound or not."""
    return isinstance(data, dict) and data.get("program") == PROGRAM


def game_of(path: Path, data: Any) -> SavedGame:
    """Return the game in the JSON of a file of choices; raise UserError that says what is wrong with it."""
    if not is_game(data):
        raise UserError(f"{path}: program: not a game of `newdawn play`; expected '{PROGRAM}'")
    if data.get("version") not in READ:
        raise UserError(f"{path}: version: {data.get('version')!r} is not valid; expected {VERSION}")
    again = "take back the change, or a copy of the file"
    with plainly(path, WHAT):
        return unsealed_game(path, kept_files.opened(path, data, WHAT, again, unsealed=data["version"] == 1))


def unsealed_game(path: Path, saved: dict[str, Any]) -> SavedGame:
    """Return the game that the content of a file says; raise UserError that says what is wrong with it."""
    rules = _part(path, saved, "ruleset", dict)
    rules_data = _part(path, rules, "data", dict, "ruleset.")
    if digest_of(rules_data) != rules.get("digest"):
        raise UserError(f"{path}: ruleset: its rules do not match its digest; it was edited or damaged")
    try:
        ruleset = from_data(rules_data, str(rules.get("name", "")))
        r = ruleset.compile()
    except Exception as error:  # rules that no file of house rules could make, or those of another version
        raise UserError(f"{path}: ruleset: this version cannot play its rules ({error})") from None
    try:
        plan = Plan.from_dict(_part(path, saved, "plan", dict))
        check_seats(plan, r)
        plan.seating(written(r, "leader"))
        for name in plan.library():
            plan.strategy(name).weights(plan.players, ruleset.box)
    except UserError as error:
        raise UserError(f"{path}: plan: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise UserError(f"{path}: plan: incomplete, or of another version of this program ({error})") from None
    seats = tuple(map(str, _part(path, saved, "seats", list)))
    if len(seats) != plan.players or ME not in seats:
        raise UserError(f"{path}: seats: expected {plan.players} names, one of them '{ME}', got {', '.join(seats) or 'none'}")
    game = _part(path, saved, "game", int)
    if not 0 <= game < plan.games:
        raise UserError(f"{path}: game: {game} is not valid; expected a whole number from 0 to {plan.games - 1}")
    choices = _part(path, saved, "choices", list)
    wrong = next((k for k, choice in enumerate(choices) if type(choice) is not int or choice < 0), None)
    if wrong is not None:
        raise UserError(f"{path}: choices[{wrong}]: {choices[wrong]!r} is not valid; expected a whole number from 0")
    answered = [(str(kind), str(text)) for kind, text in saved.get("answered", []) if saved["version"] == VERSION]
    if len(answered) > len(choices):
        raise UserError(f"{path}: answered: expected at most {len(choices)}, as many as choices, got {len(answered)}")
    return SavedGame(ruleset, plan, game, seats, choices, answered, str(saved.get("engine", "")))


def _part(path: Path, saved: dict[str, Any], key: str, kind: type, where: str = "") -> Any:
    expected = {dict: "an object", list: "a list", int: "a whole number"}
    if type(saved.get(key)) is not kind:
        raise UserError(f"{path}: {where}{key}: expected {expected[kind]}, got {str(saved.get(key))[:40]!r}")
    return saved[key]
