"""A game at the table as a file: its rules, who sits where, its seed, and every choice in order. That is all that decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from .. import keeping, ours
from ..compile_cache import same_games, source_digest
from ..errors import UserError, named
from ..games.plan import Plan, available_leaders, check_deal, check_seats
from ..reading import json_in, plainly
from ..rules.contents import digest_of, written
from ..rules.loading.load import from_data
from .question import Question
from .sitting import ME, Sitting, plan_of

PROGRAM, VERSION = "newdawn-balance-lab play", 2  # 1: without a digest, and without what was asked
READ = (1, VERSION)
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
        with writing(path, "--save"), path.open("x", encoding="utf-8") as file:
            file.write(self.as_text())


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
        mine = [named("leader", word, known, "--leader") for word in leaders]
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
        return _game(path, keeping.opened(path, said, WHAT, again, unsealed=said["version"] < VERSION))


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
    answered = [(str(kind), str(words)) for kind, words in said.get("answered", [])]
    if len(answered) > len(choices):
        raise UserError(f"{path}: answered: expected at most {len(choices)}, as many as choices, got {len(answered)}")
    return Kept(ruleset, plan, game, seats, choices, answered, str(said.get("engine", "")))


def _part(path: Path, said: dict[str, Any], key: str, kind: type, where: str = "") -> Any:
    words = {dict: "an object", list: "a list", int: "a whole number"}
    if type(said.get(key)) is not kind:
        raise UserError(f"{path}: {where}{key}: expected {words[kind]}, got {str(said.get(key))[:40]!r}")
    return said[key]
