"""A game that waits: it stops at each question, takes answers and takes them back, and can be kept in a file."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from operator import index
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from .. import keeping, limits, names, ours
from ..compile_cache import same_games, source_digest
from ..engine import decisions, state
from ..engine.compile.functions import FromPython, Table, WrongAnswer, said
from ..engine.compile.jit import Compiled, seat_strategies
from ..engine.turn import play_step
from ..errors import UserError, install
from ..errors import named as simulator_named
from ..foreign import line_of
from ..reading import json_in, plainly
from ..rules.contents import digest_of, written
from ..rules.load import from_data
from ..runs import plan
from ..runs.kernel import forget
from ..runs.plan import Plan, available_leaders, check_deal, check_number, check_seats, plan_by
from .expansion_words import named
from .picture import player_board
from .stepper import Game
from .words import SIDES, Words, count

# --- The questions of the game as sentences, one for each kind of decision (engine/decisions.py)

# What stands in braces is put in by `FACTS`, when a sentence needs it.
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
    decisions.LOSE_TRADE: "A barbarian costs you a trade token. Which card gives it up?",
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
# Options by which nothing is done, beside passing (PASS): they come last on pages, too.
NO = {
    decisions.SCIENCE: 0, decisions.EXTRA_ECONOMY: 0, decisions.REPEAT_CARD: 0, decisions.CONQUER_VISITED: 0,
    decisions.SPEND_TRADE: 0,
}  # fmt: skip
NOTHING = "do nothing"
# What doing nothing means, where that says too little.
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


def _place(words: Words, seat: int, about: Mapping[str, int]) -> str:
    return words.place(about["space"])


def _from_whom(words: Words, seat: int, about: Mapping[str, int]) -> str:
    if about["space"] >= 0:
        return f", of {words.ground(about['space'])}" if about["space"] < int(words.g.n_spaces) else ""
    return f" from {words.short(about['seat'])}" if about["seat"] >= 0 else ""


FACTS: dict[str, Callable[[Words, int, Mapping[str, int]], Any]] = {
    "space_number": lambda words, seat, about: about["space"],
    "place": _place,
    "natural_wonder": lambda words, seat, about: named(words.titles.natural_wonder, about["space"]),
    "source": lambda words, seat, about: named(decisions.SOURCES, about["source"], "an effect"),
    "left": lambda words, seat, about: about["left"],
    "steps": lambda words, seat, about: count(about["left"], "step"),
    "attacks": lambda words, seat, about: count(about["left"], "attack"),
    "production": lambda words, seat, about: about["left"],
    "rival": lambda words, seat, about: words.short(about["seat"]),
    "card": lambda words, seat, about: words.held(seat, about["holder"]),
    "from_whom": _from_whom,
    "wonder": lambda words, seat, about: named(words.titles.wonder, about["wonder"]),
    "slot": lambda words, seat, about: about["slot"],
    "attack": lambda words, seat, about: about["attack"],
    "defence": lambda words, seat, about: about["defence"],
    "army": lambda words, seat, about: about["space"] + 1,
}


class _Facts(dict[str, Any]):
    """What sentences put in, worked out when it is asked for."""

    def __init__(self, words: Words, seat: int, about: Mapping[str, int]) -> None:
        super().__init__()
        self.asked = words, seat, about

    def __missing__(self, name: str) -> Any:
        return FACTS[name](*self.asked)


def sentence(words: Words, seat: int, kind: int, about: Mapping[str, int]) -> str:
    """Return the question of a kind of decision; `about`: what else it says, by name (`Question.about`)."""
    if drafts(kind, about):
        return "Which world wonder do you draft? (Only you may build it.)"
    return SENTENCES[kind].format_map(_Facts(words, seat, about))


def is_nothing(kind: int, value: int) -> bool:
    """Does this option of a kind of decision do nothing?"""
    return value == decisions.PASS or NO.get(kind) == value


def drafts(kind: int, about: Mapping[str, int]) -> bool:
    """Is the world wonder that is chosen not built, but drafted?"""
    return kind == decisions.INDUSTRY and about["source"] == decisions.SOURCE_DRAFT


def option(words: Words, seat: int, kind: int, value: int, about: Mapping[str, int]) -> str:
    """Return an option as an answer to the question: a focus card by its name, doing nothing by what it means."""
    if is_nothing(kind, value):
        return f"{NOTHING}{DECLINED.get(kind, '')}"
    if drafts(kind, about):
        return words.wonder(value - decisions.WONDER_OPTION)
    if value != decisions.PASS and kind in (decisions.CARD, decisions.OTHER_CARD):
        return f"{words.held(seat, int(words.g.row[seat, value]))} in slot {words.slot(value)}"
    if kind in (decisions.CARAVAN, decisions.ARMY, decisions.ARMY_AGAIN, decisions.ARMY_LOST) and value != decisions.PASS:
        return _figure(words, seat, kind, value)
    told = words.option(seat, kind, value, about["space"])
    if kind in (decisions.LAY_TILE, decisions.EXPLORED_TILE) and value != decisions.PASS:
        return f"{told} ({'; '.join(f'{name}: {_printed(words, value, side)}' for side, name in enumerate(SIDES))})"
    return told


def _printed(words: Words, tile: int, side: int) -> str:
    """Return what is printed on a side of a map tile."""
    r, at = words.r, (tile - 1, side)
    grounds: Counter[str] = Counter()
    for i in range(limits.TILE_SPACES):
        natural, city_state = int(r.tile_natural_wonder[*at, i]), int(r.tile_city_state[*at, i])
        ground = named(names.TERRAINS, int(r.tile_terrain[*at, i]))
        ground = named(words.titles.natural_wonder, natural, named(words.titles.city_state, city_state, ground))
        resource = int(r.tile_resource[*at, i])
        grounds[f"{ground} with {names.RESOURCES[resource]}" if resource >= 0 else ground] += 1
    return ", ".join(ground if n == 1 else f"{n} × {ground}" for ground, n in grounds.items())


def _figure(words: Words, seat: int, kind: int, value: int) -> str:
    """Return a caravan or an army by its number and where it stands."""
    caravan = kind == decisions.CARAVAN
    space = int((words.g.caravan if caravan else words.g.army)[seat, value])
    card = names.FOCUS_TYPES[names.ECONOMY if caravan else names.MILITARY]
    where = f"from {words.place(space)}" if space >= 0 else f"from the {card} card"
    return f"number {value + 1}, {where}"


# --- What a player is asked, as Python sees it
#
# For functions of users (`bot`) and for games that wait (`sitting`).

PREFIX = "ask_"


class Question:
    """A decision of the seat `seat` among `options`; to be used until it is answered.

    `options` are numbers: simulator/engine/decisions.py says what they mean, `words` puts them in words. `bits` are 64
    random bits, the same when the same game is played again; `random` draws from them.
    """

    __slots__ = ("bits", "code", "options", "seat", "table")

    def __init__(self, table: Table, seat: int, code: int, n: int, bits: int) -> None:
        self.table, self.seat, self.code, self.bits = table, seat, code, bits
        self.options: list[int] = table.options[:n].tolist()

    def __len__(self) -> int:
        return len(self.options)

    def __repr__(self) -> str:
        return f"Question({self.told.leader(self.seat)}: {self.text} {'; '.join(self.words)})"

    @property
    def kind(self) -> str:
        """What kind of decision it is: one of `decisions.KINDS`."""
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
        """What else the question says, by name: the `ask_…` fields that decisions.py names for its kind; others are old."""
        work = self.table.work
        return {name.removeprefix(PREFIX): int(work[name]) for name in work.dtype.names if name.startswith(PREFIX)}

    @property
    def notes(self) -> np.ndarray:
        """The seat's own row of numbers, all 0 when a game begins: the only memory that it has."""
        row: np.ndarray = self.table.notes[self.seat]
        return row

    @property
    def random(self) -> Random:
        """A source of chance, new at each call: the same question draws the same numbers."""
        return Random(self.bits)

    @property
    def told(self) -> Words:
        """What names the things of the game as it stands."""
        return Words(self.rules, self.game)

    @property
    def words(self) -> list[str]:
        """The options in words."""
        told, about = self.told, self.about
        return [option(told, self.seat, self.code, value, about) for value in self.options]

    def word(self, index: int) -> str:
        """One of the options in words."""
        return option(self.told, self.seat, self.code, self.options[index], self.about)

    @property
    def text(self) -> str:
        """The question as a sentence."""
        return sentence(self.told, self.seat, self.code, self.about)

    def board(self, seat: int | None = None) -> dict[str, Any]:
        """Return what lies in front of a player, in words (replay/picture.py); of the asked one if none is named."""
        return player_board(self.told, self.seat if seat is None else seat)

    def put(self, strategy: Callable[..., int]) -> int:
        """Return the index that a compiled strategy answers with; it makes its notes as if the seat were its own."""
        table = self.table
        return int(strategy(table.rules, table.game, table.work, self.seat, self.code, len(self), np.uint64(self.bits)))


# --- Functions of users in plain Python as strategies
#
# Slow, but anything of Python's can be used in them.


class Bot(FromPython):
    """A strategy that asks a function of a user's: question -> index of an option."""

    def __init__(self, function: Callable[[Question], int]) -> None:
        super().__init__()
        self.function = function
        self.__doc__ = function.__doc__

    def answer(self, table: Table, seat: int, kind: int, n: int, u: int) -> int:
        """Return the function's answer; raise WrongAnswer if it has none, or that is no index of an option."""
        try:
            found = self.function(Question(table, seat, kind, n, u))
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            raise WrongAnswer(f"{said(error)}{line_of(error)}") from error
        try:
            chosen = index(found)
        except TypeError:
            raise WrongAnswer(f"answers {_short(found)}, expected a whole number from 0 to {n - 1}") from None
        if not 0 <= chosen < n:
            raise WrongAnswer(f"answers {_short(chosen)}, expected 0 to {n - 1}")
        return chosen


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 40 else f"{text[:37]}..."


def takes_a_question(function: Any) -> bool:
    """Say whether this is a function for `Bot`: in Python, of one parameter."""
    if isinstance(function, Compiled) or not callable(function):
        return False
    try:
        inspect.signature(function).bind(None)
    except (TypeError, ValueError):
        return False
    return True


@cache  # compiled code knows only its address
def bot(function: Callable[[Question], int]) -> Bot:
    """Return the strategy that asks the function, the same one each time."""
    return Bot(function)


# --- One game that stops at each question of some seats and goes on with an answer
#
# The engine asks strategies from the middle of compiled code. For the seats that wait, it calls back into Python
# (`functions.FromPython`), and greenlet leaves that call as it is until there is an answer. All that decides about the game
# is its plan, its number and the answers: to take one back, the game is played again up to there.

try:
    import greenlet
except ImportError:
    greenlet = None

ME = "me"


def check_greenlet() -> None:
    """Raise UserError if games cannot wait here."""
    if greenlet is None:
        raise UserError(f"a game that waits needs greenlet; install it with: {install('greenlet')}")


def seated(line_up: Sequence[str]) -> list[str | plan.Strategy]:
    """Return a line-up for a plan in which `me` stands for a seat that is answered from outside."""
    me = replace(plan.strategies().find("random"), name=ME, packaged=False)  # type: ignore[type-var]
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
        """The game as it stands (simulator/engine/state.py)."""
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
    def so_far(self) -> list[str]:
        """The log of the turn that is going on, or of the set-up; its lines join `lines` when it is over."""
        work, words = self._table.work, Words(self._table.rules, self.state)
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


# --- The turn of a sitting in a copy
#
# To try an answer and see where the turn leads, without touching the game.


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


# --- A game at the table as a file
#
# Its rules, who sits where, its seed, and every choice in order. That is all that decides.

PROGRAM, VERSION = "newdawn-balance-lab play", 3  # 1: without a digest, and without what was asked; 2: in other words
READ = (1, 2, VERSION)
WHAT = "a game that `newdawn play` keeps"
MOST_WORDS = 300  # characters of an answer in words


@dataclass
class Kept:
    """What a file of choices holds. `seats` names who answers: `me`, or a strategy."""

    ruleset: Any
    plan: Plan
    game: int
    seats: tuple[str, ...]
    choices: list[int] = field(default_factory=list)
    answered: list[tuple[str, str]] = field(default_factory=list)  # what each choice answered: kind of question, words of it
    engine: str = field(default_factory=source_digest)  # the version of the program it was begun with

    def sitting(self, seen: Callable[[Any, list[str]], None] = lambda game, lines: None) -> Sitting:
        """Open the game, with every seat answered from outside."""
        return Sitting(self.ruleset, self.plan, self.game, seen=seen)

    @property
    def own(self) -> list[int]:
        """The seats that people answer."""
        return [seat for seat, word in enumerate(self.seats) if word == ME]

    def as_dict(self) -> dict[str, Any]:
        """Return what the file says."""
        rules = {"name": self.ruleset.name, "box": self.ruleset.box, "digest": self.ruleset.digest(), "data": self.ruleset.data}
        return {"program": PROGRAM, "version": VERSION, "engine": self.engine, "seats": list(self.seats), "game": self.game,
                "plan": self.plan.as_dict(), "ruleset": rules, "choices": list(self.choices),
                "answered": [list(one) for one in self.answered]}  # fmt: skip

    def as_text(self) -> str:
        """Return the text of the file."""
        return keeping.as_text(self.as_dict(), indent=None)

    @property
    def aged(self) -> bool:
        """Was the game begun with another version of this program? Its choices count; the strategies may go on differently."""
        return not same_games(self.engine)

    def chosen(self, at: int, question: Question) -> int:
        """Return the option that the choice at this place answers the question with; raise UserError if it does not fit.

        Options are known by their words: where a later version offers more of them, the same one is taken.
        """
        index = self.choices[at]
        if at < len(self.answered):
            kind, words = self.answered[at]
            if question.kind != kind:
                raise UserError(f"choices[{at}]: answered '{kind}' ({words}), but this version asks '{question.kind}' here")
            if not (index < len(question) and question.word(index)[:MOST_WORDS] == words):
                same = [k for k, word in enumerate(question.words) if word[:MOST_WORDS] == words]
                if not same:
                    raise UserError(f"choices[{at}]: '{words}' ({kind}) is not among the options that this version offers here")
                index = same[0]
        if index >= len(question):
            raise UserError(f"choices[{at}]: {index} is not valid; expected a whole number from 0 to {len(question) - 1}")
        return index

    def note(self, question: Question, chosen: int) -> None:
        """Keep what a choice answers."""
        self.answered.append((question.kind, question.word(chosen)[:MOST_WORDS]))

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        write_text(path, self.as_text(), "--save")

    def write_new(self, path: Path) -> None:
        """Write the file if there is none of this name, whoever else looks for a name now; else raise FileExistsError."""
        with writing(path, "--save"):
            ours.write_new(path, self.as_text().encode())


def write_text(path: Path, text: str, option: str) -> None:
    """Write a file, whole or not at all; raise UserError that names the option if it cannot be written."""
    with writing(path, option):
        ours.write_whole(path, text.encode(), lasting=False)


@contextmanager
def writing(path: Path, option: str) -> Iterator[None]:
    """Make the folder of a file that is about to be written; say in a line why that, or the writing, cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        if isinstance(error, FileExistsError) and path.exists():
            raise
        raise UserError(f"{path}: the game cannot be written there: {error.strerror or error} ({option})") from None


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep other tables from the file of a game as long as it is open here; raise UserError if it is open at one."""
    with ExitStack() as stack:
        with writing(path, "--save"):
            stack.enter_context(ours.held(path, "has this game open; end it, or give this one another file (--save)", "--save"))
        yield


def new_game(ruleset: Any, seats: tuple[str, ...], seed: int, leaders: tuple[str, ...] = ()) -> Kept:
    """Set a table for seats by name; `leaders` go to the seats of people in order, the others are drawn."""
    if ME not in seats:
        raise UserError(f"--seats: no person plays; expected at least one '{ME}' among {', '.join(seats)}")
    own = [seat for seat, word in enumerate(seats) if word == ME]
    if len(leaders) > len(own):
        raise UserError(f"--leader: {len(leaders)} named for {len(own)} seats of people ('{ME}')")
    r = ruleset.compile()
    chosen = None
    if leaders:
        known = available_leaders(r)
        mine = [simulator_named("leader", word, known, "--leader") for word in leaders]
        rest = [name for name in known if name not in mine]
        Random(seed).shuffle(rest)
        by_seat = dict(zip(own, mine, strict=False))
        chosen = [by_seat.get(seat) or rest.pop() for seat in range(len(seats))]
    plan = plan_of(ruleset, seats, seed, leaders=chosen)
    check_deal(plan, r)
    return Kept(ruleset, plan, 0, seats)


# ---------------------------------------------------------------------- reading


def read(path: Path) -> Kept:
    """Read a file of choices; raise UserError that says in a line what is wrong with it."""
    return game_of(path, json_of(path))


def json_of(path: Path) -> Any:
    """Return what a file holds; raise UserError if it cannot be read, or is no JSON."""
    return json_in(path, "JSON that `newdawn play` wrote")


def is_game(said: Any) -> bool:
    """Say whether JSON is a game of `newdawn play`, sound or not."""
    return isinstance(said, dict) and said.get("program") == PROGRAM


def game_of(path: Path, said: Any) -> Kept:
    """Return the game that the JSON of a file of choices holds; raise UserError that says in a line what is wrong with it."""
    if not is_game(said):
        raise UserError(f"{path}: program: not a game of `newdawn play`; expected '{PROGRAM}'")
    if said.get("version") not in READ:
        raise UserError(f"{path}: version: {said.get('version')!r} is not valid; expected {VERSION}")
    again = "take back the change, or a copy of the file"
    with plainly(path, WHAT):
        return _game(path, keeping.opened(path, said, WHAT, again, unsealed=said["version"] == 1))


def _game(path: Path, said: dict[str, Any]) -> Kept:
    rules = _part(path, said, "ruleset", dict)
    data = _part(path, rules, "data", dict, "ruleset.")
    if digest_of(data) != rules.get("digest"):
        raise UserError(f"{path}: ruleset: its rules do not match its digest; it was edited or damaged")
    try:
        ruleset = from_data(data, str(rules.get("name", "")))
        r = ruleset.compile()
    except Exception as error:  # rules that no file of house rules could make, or those of another version
        raise UserError(f"{path}: ruleset: this version cannot play its rules ({error})") from None
    try:
        plan = Plan.from_dict(_part(path, said, "plan", dict))
        check_seats(plan, r)
        plan.seating(written(r, "leader"))
        for name in plan.library():
            plan.strategy(name).weights(plan.players, ruleset.box)
    except UserError as error:
        raise UserError(f"{path}: plan: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise UserError(f"{path}: plan: incomplete, or of another version of this program ({error})") from None
    seats = tuple(map(str, _part(path, said, "seats", list)))
    if len(seats) != plan.players or ME not in seats:
        raise UserError(f"{path}: seats: expected {plan.players} names, one of them '{ME}', got {', '.join(seats) or 'none'}")
    game = _part(path, said, "game", int)
    if not 0 <= game < plan.games:
        raise UserError(f"{path}: game: {game} is not valid; expected a whole number from 0 to {plan.games - 1}")
    choices = _part(path, said, "choices", list)
    wrong = next((k for k, choice in enumerate(choices) if type(choice) is not int or choice < 0), None)
    if wrong is not None:
        raise UserError(f"{path}: choices[{wrong}]: {choices[wrong]!r} is not valid; expected a whole number from 0")
    answered = [(str(kind), str(words)) for kind, words in said.get("answered", []) if said["version"] == VERSION]
    if len(answered) > len(choices):
        raise UserError(f"{path}: answered: expected at most {len(choices)}, as many as choices, got {len(answered)}")
    return Kept(ruleset, plan, game, seats, choices, answered, str(said.get("engine", "")))


def _part(path: Path, said: dict[str, Any], key: str, kind: type, where: str = "") -> Any:
    words = {dict: "an object", list: "a list", int: "a whole number"}
    if type(said.get(key)) is not kind:
        raise UserError(f"{path}: {where}{key}: expected {words[kind]}, got {str(said.get(key))[:40]!r}")
    return said[key]
