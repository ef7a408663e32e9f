"""A game in the browser that people play: what cards do, where options lie, the thinker's advice, the view, the server."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import numpy as np

from ...simulator import names
from ...simulator.engine import decisions, state
from ...simulator.engine.choosing import mix
from ...simulator.engine.map import lay_at, rebuild_grid
from ...simulator.engine.setup import clear_seats, clear_spaces, clear_things
from ...simulator.engine.turn import slot_in_place
from ...simulator.errors import UserError
from ...simulator.replay import film
from ...simulator.replay.board import (
    HALF_HEIGHT,
    MARGIN,
    SEAT_FILL,
    SEAT_INK,
    Board,
    draw_ground,
    draw_pieces,
    draw_tile_edges,
    hexagon,
)
from ...simulator.replay.film import BOARD_SCRIPT, BOARD_STYLE, UNIT, Camera, Frame, drawn, glance, legend, page, resource
from ...simulator.replay.interactive_game import Branch, Question, SavedGame, Sitting, drafts, is_nothing
from ...simulator.replay.log_in_words import LogSentences
from ...simulator.replay.player_boards import drafted, player_board
from ...simulator.replay.stepper import Game, claimed, headline, needed
from ...simulator.rules import load_ruleset, sentences
from ...simulator.rules.printed_game import printed_data
from ...simulator.rules.ruleset_contents import name_of, section
from ...simulator.runs import run_plan
from ...strategies.explained_choices import explained
from ...strategies.learned.candidate_turns import choose_way
from ...strategies.learned.lookahead import read_shares
from ...strategies.learned.value import forget_scores, new_evaluation, read_chances
from ...strategies.planning.planner import prepare
from .server import LocalHandler, LocalServer, page_of

# --- What cards do, in words


def on_cards(r: Any, printed: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the text of each focus card by name: the printed one in short (`printed_cards`), or of a changed card what it
    does now."""
    texts = {}
    for code in range(int(r.n_cards)):
        if r.card_level[code] > 0:
            name, now = name_of(r, "card", code), sentences.card_text(r, code)
            texts[name] = printed[name][0] if name in printed and printed[name][1] == now else now
    return texts


@cache
def printed_cards(box: str) -> dict[str, tuple[str, str]]:
    """Return, by name, the short text of each printed focus card, and what it does in words."""
    r, effects = load_ruleset(box=box).compile(), {card["name"]: card["effect"] for card in _focus_cards(printed_data(box))}
    codes = [code for code in range(int(r.n_cards)) if r.card_level[code] > 0]
    known = {name_of(r, "card", code): sentences.card_text(r, code) for code in codes}
    return {name: (effects[name], text) for name, text in known.items() if name in effects}


def _focus_cards(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the data of all focus cards, unique ones included."""
    yield from data["focus_cards"][section(data)].values()
    for leader in data["leaders"].values():
        if leader.get("unique_card"):
            yield leader["unique_card"]


def does(question: Question, value: int, cards: Mapping[str, str]) -> str:
    """Return what the card, world wonder or district of an option does, or ""; `cards`: texts of focus cards (`on_cards`)."""
    if value == decisions.PASS:
        return ""
    if question.code == decisions.UPGRADE:
        return cards[name_of(question.rules, "card", value // 8)]
    tell = OPTIONS.get(question.code)
    return "" if tell is None else tell(question, value)


def _of_row(question: Question, place: int) -> str:
    """Return what the card in a place of the seat's focus row does there; a second card acts from the slot of the question."""
    r, g, seat = question.rules, question.game, question.seat
    slot = int(slot_in_place(r, g, seat, place)) if question.code == decisions.CARD else question.about["slot"]
    return sentences.card_text(r, int(g.card[seat, g.row[seat, place]]), slot)


def _wonder(question: Question, value: int) -> str:
    if not (drafts(question.code, question.about) or decisions.WONDER_OPTION <= value < decisions.CITY_ON_CARAVAN):
        return ""
    return plain("; ".join(sentences.wonder(question.rules, value - decisions.WONDER_OPTION)[2:]))


def _diplomacy(question: Question, value: int) -> str:
    r, space = question.rules, question.about["space"]
    if space < 0 or question.code == decisions.RETURN_DIPLOMACY:
        return plain("; ".join(sentences.sentences(r, "diplomacy", value)))
    states = [cs for cs in range(int(r.n_city_states)) if question.game.city_state_space[cs] == space]
    return plain("; ".join(text for cs in states for text in sentences.sentences(r, "city_state", cs)))


def _district(question: Question, value: int) -> str:
    return plain("; ".join(sentences.district(question.rules, value % 8)[1:]))


def plain(text: str) -> str:
    """Return a sentence of `rules show` without rule numbers."""
    return sentences.RULE_NUMBERS.sub("", text)


OPTIONS: dict[int, Callable[[Question, int], str]] = {
    decisions.CARD: _of_row,
    decisions.OTHER_CARD: _of_row,
    decisions.INDUSTRY: _wonder,
    decisions.TAKE_DIPLOMACY: _diplomacy,
    decisions.RETURN_DIPLOMACY: _diplomacy,
    decisions.PLACE_DISTRICT: _district,
    decisions.NAME_DISTRICT: _district,
}


# --- Where an option lies on the table, so that it can be clicked
#
# Places are texts: `space/12`, `spot/3/-4` (axial coordinates, where a tile or token would lie), `card/0/2` (seat, place in
# its focus row), `wonder/7`.

SPOT = "spot"
SPACES = frozenset({
    decisions.PLACE_TOKEN, decisions.TAKE_OFF, decisions.RIVAL_TOKEN, decisions.STRIKE, decisions.NAME_TOKEN,
    decisions.YIELD_TOKEN, decisions.WONDER_CITY, decisions.REINFORCE, decisions.CITY_SPACE, decisions.TAKE_CITY,
    decisions.DISPLACED_TOKEN, decisions.DISTRICT, decisions.ARMY_CITY,
})  # fmt: skip
FIGURES = frozenset({decisions.CARAVAN, decisions.ARMY, decisions.ARMY_AGAIN, decisions.ARMY_LOST})
OWN_CARDS = frozenset({decisions.PLACE_TRADE, decisions.LOSE_TRADE, decisions.NATURAL_WONDER_CARD, decisions.GOVERNMENT})
RIVAL_CARDS = frozenset({decisions.LOOT, decisions.GIVE_TRADE})
ROW = frozenset({decisions.CARD, decisions.OTHER_CARD, decisions.NON_AGGRESSION})
SPOTS = frozenset({decisions.PLACE_FORT, decisions.WATER_SPACE})


def space(number: int) -> str:
    """Return the place of a space."""
    return f"space/{number}"


def card(question: Question, seat: int, holder: int) -> list[str]:
    """Return the place of the focus card of a type (`holder`) in a seat's row; nothing if it is not there."""
    row = [int(held) for held in question.game.row[seat]]
    return [f"card/{seat}/{row.index(holder)}"] if holder in row else []


def spot(value: int) -> str:
    """Return the place of a free space of the grid."""
    q, r = divmod(value % (names.GRID * names.GRID), names.GRID)
    return f"{SPOT}/{q - names.GRID_ORIGIN}/{r - names.GRID_ORIGIN}"


def _tile(question: Question, value: int) -> list[str]:
    """Return the places of all spaces of a map tile, laid as the option says."""
    r, shape_ = question.rules, value // names.GRID**2
    q, row = (number - names.GRID_ORIGIN for number in divmod(value % names.GRID**2, names.GRID))
    return [f"{SPOT}/{q + r.offset_q[shape_, i]}/{row + r.offset_r[shape_, i]}" for i in range(names.TILE_SPACES)]


def _figure(question: Question, value: int) -> list[str]:
    caravan = question.code == decisions.CARAVAN
    where = int((question.game.caravan if caravan else question.game.army)[question.seat, value])
    if where >= 0:
        return [space(where)]
    return card(question, question.seat, names.ECONOMY if caravan else names.MILITARY)


def _industry(question: Question, value: int) -> list[str]:
    if value >= decisions.CITY_ON_CARAVAN:
        return [space(value % 1000)]
    return [f"wonder/{value - decisions.WONDER_OPTION}"] if value >= decisions.WONDER_OPTION else [space(value)]


def _district_space(question: Question, value: int) -> list[str]:
    if value >= decisions.ARMY_OPTION:
        return [space((value - decisions.ARMY_OPTION) % 256)]
    return [space(value % decisions.BARBARIAN_OPTION)]


OTHERS: dict[int, Callable[[Question, int], list[str]]] = {
    decisions.PLACE_TILE: _tile,
    decisions.MOVE_TOKEN: lambda question, value: [space(value // 256), space(value % 256)],
    decisions.CARAVAN_TO: lambda question, value: [space(value % decisions.EXPLORE)],
    decisions.ARMY_TO: lambda question, value: [space(value % decisions.EXPLORE)],
    decisions.INDUSTRY: _industry,
    decisions.ATTACK: lambda question, value: [space(value % decisions.BARBARIAN_OPTION)],
    decisions.SEOUL_MOVE: lambda question, value: [
        space(int(question.game.barbarian_space[value // 256])), space(value % 256)
    ],
    decisions.SWAP_CARDS: lambda question, value: [f"card/{question.seat}/{place}" for place in divmod(value, 8)],
    decisions.UPGRADE: lambda question, value: card(question, question.seat, value % 8),
    decisions.PLACE_DISTRICT: lambda question, value: [space(value // 8)],
    decisions.DISTRICT_SPACE: _district_space,
}  # fmt: skip


def places(question: Question, value: int) -> list[str]:
    """Return the places of an option; none for one that can only be chosen from the list."""
    kind = question.code
    if value == decisions.PASS:
        return []
    if kind in SPACES:
        return [space(value)]
    if kind in SPOTS:
        return [spot(value)]
    if kind in ROW:
        return [f"card/{question.seat}/{value}"]
    if kind in FIGURES:
        return _figure(question, value)
    if kind in OWN_CARDS:
        return card(question, question.seat, value)
    if kind in RIVAL_CARDS:
        return card(question, question.about["seat"], value)
    return OTHERS[kind](question, value) if kind in OTHERS else []


def axial(place: str) -> tuple[int, int]:
    """Return the coordinates of a place beside the map."""
    _, q, row = place.split("/")
    return int(q), int(row)


# --- Pictures of map tiles that are not on the map yet

SIDES = 2
SHAPES = 6  # ways a side can be turned
MIDDLE = (names.GRID_ORIGIN * names.GRID) + names.GRID_ORIGIN  # the place (0, 0)


def number_of(kind: int, value: int) -> int:
    """Return the number of an option's tile, 0 if it has none."""
    if value == decisions.PASS or kind not in (decisions.LAY_TILE, decisions.EXPLORED_TILE, decisions.STACK_ORDER):
        return 0
    return value // 2 if kind == decisions.STACK_ORDER else value


def sides(question: Question, value: int) -> list[dict[str, Any]]:
    """Return both sides of the tile of an option as SVG with its view box; nothing for another option."""
    tile = number_of(question.code, value)
    return [_alone(question, tile, side * SHAPES * names.GRID**2 + MIDDLE) for side in range(SIDES)] if tile else []


def _alone(question: Question, tile: int, place: int) -> dict[str, Any]:
    board = Board(question.rules, _laid(question, _empty(question), tile, place), UNIT)
    left, top = board.corner
    return {"box": [round(left), round(top), round(board.map_width + 2 * MARGIN), round(board.map_height + 2 * MARGIN)],
            "svg": _spaces(board, 0)}  # fmt: skip


def shape(kind: int, value: int) -> list[int]:
    """Return side and rotation of the tile that an option lays; nothing for other options."""
    return list(divmod(value // names.GRID**2, SHAPES)) if kind == decisions.PLACE_TILE else []


def lying(question: Question, index: int) -> str:
    """Return the tile as an option would lay it, as SVG on the map; "" if the question is about something else."""
    if question.code != decisions.PLACE_TILE:
        return ""
    laid = _laid(question, question.game, question.about["space"], question.options[index])
    return _spaces(Board(question.rules, laid, UNIT), int(question.game.n_spaces))


def _empty(question: Question) -> Any:
    """Return a game for this many players with nothing on the table."""
    game = np.zeros(1, state.STATE).view(np.recarray)[0]
    game.players = question.game.players
    clear_spaces(game)
    clear_things(question.rules, game)
    clear_seats(game)
    return game


def _laid(question: Question, before: Any, tile: int, place: int) -> Any:
    """Return a copy of a game with one more tile on the map."""
    game, work = np.array([before], state.STATE).view(np.recarray)[0], state.new_work()
    rebuild_grid(game, work)
    lay_at(question.rules, game, work, question.seat, tile, place)
    return game


def _spaces(board: Board, first: int) -> str:
    """Return the map's spaces from number `first` upwards, drawn."""
    return "".join(drawn(draw, board, s) for draw in (draw_ground, draw_pieces) for s in range(first, board.n))


# --- The thinker on a game at the table: what it would do, the chances to win, and what a choice costs
#
# A choice is worth the chance to win at the end of the turn, by the thinker's value network, if the rest of the turn is
# played as in the thinker's rollouts: a mean over several throws of the dice and orders of what is hidden, the same for all
# options. So it knows no more than a player.

THINKER = "thinker"
THROWS = 8  # of the dice, for a mean
MOST_OPTIONS = 64  # with more options a hint has only the chance of its own choice


@dataclass
class Hint:
    """What the thinker would do now (`picked`), and chances to win, from 0 to 1; `chances` by option."""

    picked: int
    before: float | None = None  # at the beginning of the turn
    chances: dict[int, float] = field(default_factory=dict)


@dataclass
class Cost:
    """The chance to win after a choice, and after what the thinker would have done (`best`)."""

    at: int  # number of the choice in the game
    seat: int
    round: int
    question: str
    done: str
    better: str
    chance: float
    best: float

    @property
    def lost(self) -> float:
        """The chance to win that the choice cost."""
        return max(0.0, self.best - self.chance)


class Thinker:
    """The thinker as a spectator of games with this many players."""

    def __init__(self, players_: int, box: str) -> None:
        strategy = run_plan.strategies().find(THINKER)
        self.choose = strategy.load()
        self.weights = strategy.weights(players_, box)
        self.evaluation = new_evaluation()
        self.plan: tuple[int, int, np.ndarray] | None = None  # turn, seat and notes, while the seat plays as the thinker would

    def chances(self, r: Any, g: Any, w: Any) -> list[float]:
        """Return every seat's chance to win, between two turns; `g` must be a copy."""
        if g.ending != names.RUNNING:
            read_shares(g, self.evaluation)
        else:
            for seat in range(int(g.players)):
                g.weights[seat] = self.weights[g.leader[seat]]
            forget_scores(self.evaluation)
            read_chances(r, g, w, 0, self.evaluation)
        return [float(chance) for chance in self.evaluation.chances[: int(g.players)]]

    def hint(self, sitting: Sitting) -> Hint:
        """Return what the thinker would do at the question of a sitting, and the chances of the options."""
        question = sitting.question
        assert question is not None
        if not sitting.laid:  # there is no turn to try in a copy
            return Hint(question.put(choose_way))
        picked, notes = self.look(sitting)
        before = self.chances(sitting.rules, sitting.turn_begun[0].copy().view(np.recarray)[0], state.new_work())
        options = range(len(question)) if len(question) <= MOST_OPTIONS else [picked]
        chances = {k: self._value(sitting, k, notes if k == picked else None) for k in options}
        return Hint(picked, before[question.seat], chances)

    def cost(self, sitting: Sitting, chosen: int) -> Cost | None:
        """Return what it costs to choose an option at the question of a sitting; None before the map is laid."""
        question = sitting.question
        if question is None or not sitting.laid:
            return None
        picked, notes = self.look(sitting)
        best = self._value(sitting, picked, notes)
        chance = best if chosen == picked else self._value(sitting, chosen)
        self.plan = (int(sitting.state.turn), question.seat, notes) if chosen == picked else None
        done, better = question.words[chosen], question.words[picked]
        at, number = len(sitting.choices), int(sitting.state.round_number)
        return Cost(at, question.seat, number, question.text, done, better, chance, best)

    def look(self, sitting: Sitting) -> tuple[int, np.ndarray]:
        """Return the thinker's answer and its notes."""
        branch = Branch(sitting)
        question, g = branch.question, branch.state
        assert question is not None
        seat = question.seat
        g.weights[seat] = self.weights[g.leader[seat]]
        if self.plan is not None and self.plan[:2] == (int(g.turn), seat):
            g.notes[seat] = self.plan[2]
        picked = question.put(self.choose)
        notes = g.notes[seat].copy()
        self.finish(branch, picked)
        return picked, notes

    def _value(self, sitting: Sitting, chosen: int, notes: np.ndarray | None = None) -> float:
        """Return the chance to win at the end of the turn after an answer, as a mean over dice."""
        return float(np.mean([self._throw(sitting, chosen, notes, k) for k in range(THROWS)]))

    def _throw(self, sitting: Sitting, chosen: int, notes: np.ndarray | None, k: int) -> float:
        branch = Branch(sitting)
        question = branch.question
        assert question is not None
        seat, g = question.seat, branch.state
        g.weights[seat] = self.weights[g.leader[seat]]
        prepare(branch.rules, g, seat, np.int64(mix(np.uint64(question.bits) + np.uint64(k)) >> np.uint64(1)))
        if notes is not None:
            g.notes[seat] = notes
        self.finish(branch, chosen)
        return self.chances(branch.rules, g, branch.work)[seat]

    def finish(self, branch: Branch, chosen: int) -> None:
        """Answer the question of a branch, and play its turn to the end."""
        branch.answer(chosen)
        while branch.question is not None:
            question: Question = branch.question
            branch.answer(question.put(choose_way))


def worst(costs: Sequence[Cost], seat: int, most: int = 3, least: float = 0.005) -> list[Cost]:
    """Return the choices of a seat that cost most, the most expensive first, each at least `least`."""
    dear = sorted((cost for cost in costs if cost.seat == seat and cost.lost >= least), key=lambda cost: -cost.lost)
    return dear[:most]


# --- A game at the table: people answer for some seats, strategies for the others, and choices can be taken back
#
# The chances of all seats after each turn, and the costs of people's choices, are worked out as the game goes on.
#
# A game that waits must be played in one thread, so a `PlayTable` has a thread of its own, to which all others give tasks.

T = TypeVar("T")


class PeoplesGame:
    """The game of a `SavedGame`, played on to the next question to people. `who` has the seat of each choice."""

    def __init__(self, kept: SavedGame) -> None:
        self.kept = kept
        self.who: list[int] = []
        self.bots: dict[int, Callable[..., int]] = {}
        self.thinker = Thinker(kept.plan.players, kept.ruleset.box)
        self.curve: dict[int, tuple[int, list[float]]] = {}  # by turn: the round, and the chances to win after it
        self.costs: dict[int, Cost] = {}  # by the number of the choice
        self.sitting = kept.sitting(self._seen)
        self.cards = on_cards(self.sitting.rules, printed_cards(kept.ruleset.box))
        self._play_again(replace(kept, choices=list(kept.choices), answered=list(kept.answered)))
        self.go_on()

    @property
    def stamp(self) -> int:
        """A number that identifies the choices so far, and so the question."""
        return zlib.crc32(repr(self.kept.choices).encode()) >> 3  # nine digits at most

    @property
    def question(self) -> Question | None:
        """The question to a person now; None when the game is over."""
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
        self.curve = {turn: chances for turn, chances in self.curve.items() if turn <= int(self.sitting.state.turn)}
        self.costs = {at: cost for at, cost in self.costs.items() if at < mine[-1]}

    def reckon(self) -> list[Cost]:
        """Return the costs of all choices of people; those of a saved game are worked out now."""
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
        """Record the chances after a turn."""
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
        """Return the answer of the seat's strategy."""
        seat = question.seat
        if seat not in self.bots:
            self.bots[seat] = self.kept.plan.strategy(self.kept.seats[seat]).load()
        return question.put(self.bots[seat])

    def _play_again(self, kept: SavedGame) -> None:
        """Play the choices of a saved game. Strategies are asked again for their notes; the saved choices count."""
        self.kept.choices, self.kept.answered = self.sitting.choices, []
        for k in range(len(kept.choices)):
            question = self.question
            if question is None:
                raise UserError(f"choices[{k}]: the game is over after {k}; expected no more")
            chosen = kept.chosen(k, question)
            if question.seat not in self.kept.own:
                self._put(question)
            self._answer(chosen)


class PlayTable:
    """A game with a thread of its own. `path`: the file to which it is saved after every choice, if any."""

    def __init__(self, kept: SavedGame, path: Path | None = None) -> None:
        self.path = path
        self.deeds: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        Thread(target=self._work, name="table", daemon=True).start()  # Ctrl-C does not wait for it
        self.played: PeoplesGame = self.do(lambda: PeoplesGame(kept))
        self.keep()

    def do(self, deed: Callable[[], T]) -> T:
        """Run a task in the thread of the game, after those before it; return its result."""
        done: Future[T] = Future()
        self.deeds.put((deed, done))
        return done.result()

    def _work(self) -> None:
        while (task := self.deeds.get()) is not None:
            deed, done = task
            try:
                done.set_result(deed())
            except BaseException as error:
                done.set_exception(error)

    def answer(self, stamp: int, chosen: int) -> None:
        """Answer the question of this stamp; raise UserError if the game is at another one by now."""
        self.do(lambda: self._answer(stamp, chosen))

    def undo(self, stamp: int) -> None:
        """Go back to the last choice of a person."""
        self.do(lambda: self._undo(stamp))

    def about(self, stamp: int, tell: Callable[[PeoplesGame], T]) -> T:
        """Return `tell(played)` at the question of this stamp."""
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

    def _about(self, stamp: int, tell: Callable[[PeoplesGame], T]) -> T:
        self._check(stamp)
        return tell(self.played)

    def _answer(self, stamp: int, chosen: int) -> None:
        self._check(stamp)
        try:
            self.played.answer(chosen)
        finally:
            self.keep()  # also if a strategy fails at its turn, for the choice before it was made

    def _undo(self, stamp: int) -> None:
        self._check(stamp)
        self.played.undo()
        self.keep()


# --- A game at the table as a page to watch (simulator/replay/film.py), finished or not


def watched(kept: SavedGame) -> str:
    """Play the choices of a game again and return the page: set-up, turns, and the unfinished turn."""
    frames: list[Frame] = []
    cameras: list[Camera] = []

    def seen(game: Game, lines: list[str]) -> None:
        if not cameras:
            cameras.append(Camera(game))
        frames.append(cameras[0].frame(lines))

    sitting = kept.sitting(seen)
    bots = {seat: explained(kept.plan.strategy(name).load()) for seat, name in enumerate(kept.seats) if seat not in kept.own}
    for chosen in kept.choices:
        question = sitting.question
        assert question is not None, "the choices are those of this game"
        if question.seat in bots:
            question.put(bots[question.seat])  # so that the log has its reasons
        sitting.answer(chosen)
    if not cameras:
        raise UserError("replay: the map is not laid yet; there is nothing to watch")
    lines = sitting.so_far
    if not sitting.over and lines:
        sitting.table.rows = sitting.table.work.log[: int(sitting.table.work.log_n)].tolist()
        frames.append(cameras[0].frame(lines))
    frames[-1].lines.append((0, sitting.closing))
    made = page(sitting.table, frames)
    sitting.close()
    return made


# --- The view of the page, as JSON: the map, the players' boards, what happened, the question and its options

TURN, EVENT = "Turn ", "Event dial "  # beginnings of parts of the log


def view(played: PeoplesGame) -> dict[str, Any]:
    """Return all that the page shows now."""
    sitting, question = played.sitting, played.question
    words = LogSentences(sitting.rules, sitting.state)
    board = Board(words.r, words.g, film.UNIT)
    options = [] if question is None else _options(question, played.cards)
    players = range(int(words.g.players)) if sitting.laid else range(0)
    return {
        "choice": len(played.who),
        "stamp": played.stamp,
        "over": sitting.over,
        "when": sitting.table.when() if sitting.laid else "Set-up: laying the map",
        "seat": -1 if question is None else question.seat,
        "question": "" if question is None else question.text,
        "kind": "" if question is None else question.kind,
        "options": options,
        "undo": any(seat in played.kept.own for seat in played.who),
        "headline": headline(sitting.table) if sitting.over else "",
        "leaders": [words.short(seat) for seat in range(int(words.g.players))],
        "map": _map(board, options),
        "boards": [player_board(words, seat) for seat in players],
        "wonders": _wonders(words),
        "turns": turns_of([*sitting.lines, *sitting.so_far]),
    }


def _options(question: Question, cards: dict[str, str]) -> list[dict[str, Any]]:
    """Return the options with their words, what they do, and where they lie."""
    kind = question.code
    return [
        {"words": words, "does": does(question, value, cards), "nothing": is_nothing(kind, value),
         "places": places(question, value), "sides": sides(question, value), "shape": shape(kind, value)}
        for value, words in zip(question.options, question.words, strict=True)
    ]  # fmt: skip


def _map(board: Board, options: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the map as SVG, space by space, with the places beside it that options name."""
    draws = {"ground": draw_ground, "edges": draw_tile_edges, "pieces": draw_pieces}
    marked = sorted({place for option in options for place in option["places"]})
    spots = {place: board.centre_of(*axial(place)) for place in marked if place.startswith(SPOT)}
    size = HALF_HEIGHT * board.unit
    left, top = board.corner[0], board.corner[1]
    right, bottom = left + board.map_width + 2 * MARGIN, top + board.map_height + 2 * MARGIN
    if spots:
        room = 1.5 * size
        left, right = min(left, *(x - room for x, _ in spots.values())), max(right, *(x + room for x, _ in spots.values()))
        top, bottom = min(top, *(y - room for _, y in spots.values())), max(bottom, *(y + room for _, y in spots.values()))
    return {
        "box": [round(number, 1) for number in (left, top, right - left, bottom - top)],
        "spaces": [{name: film.drawn(draw, board, s) for name, draw in draws.items()} for s in range(board.n)],
        "corners": [_points(board.hexagon(s, 0.94)) for s in range(board.n)],
        "spots": {place: _points(hexagon(centre, 0.9 * size)) for place, centre in spots.items()},
    }


def _points(corners: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def _wonders(words: LogSentences) -> list[dict[str, Any]]:
    """Return the world wonders that can be built."""
    return [{"place": f"wonder/{k}", "name": words.wonder(k) + drafted(words, k)}
            for k in range(len(words.titles.wonder)) if words.g.wonder_place[k] == state.WONDER_FACE_UP]  # fmt: skip


def turns_of(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Return the log in parts (set-up, turns, between rounds), each with title, summary (`glance`) and lines with depth."""
    parts: list[dict[str, Any]] = [{"title": "Set-up", "lines": []}]
    for line in lines:
        text = line.strip()
        if text.startswith(TURN):
            parts.append({"title": text, "lines": []})
            continue
        if text.startswith(EVENT):
            parts.append({"title": "Between the rounds", "lines": []})
        parts[-1]["lines"].append([(len(line) - len(text)) // len(film.INDENT), text])
    return [part | {"glance": glance(text for _, text in part["lines"])} for part in parts]


def table_of(played: PeoplesGame) -> dict[str, Any]:
    """Return what a game's table shows from beginning to end."""
    kept = played.kept
    return about_table(f"Seed {kept.plan.seed}", kept.seats, kept.own, played.cards, played.sitting.rules)


# --- Tile, hint and end


def tile(played: PeoplesGame, stamp: int, index: int) -> dict[str, Any]:
    """Return a map tile as an option would lay it, as SVG; "" if the stamp is not that of the question."""
    question = played.question
    current = question is not None and stamp == played.stamp and index < len(question)
    return {"svg": lying(question, index) if current and question is not None else ""}


def hint(played: PeoplesGame) -> dict[str, Any]:
    """Return what the thinker would do, and its chances to win."""
    advice, question = played.hint(), played.question
    assert question is not None
    return {"picked": advice.picked, "words": question.words[advice.picked], "before": advice.before,
            "chances": {str(k): chance for k, chance in advice.chances.items()}}  # fmt: skip


def end(played: PeoplesGame) -> dict[str, Any]:
    """Return the end of a game: claims, the chances after each turn, and the choices that cost most."""
    if not played.sitting.over:
        raise UserError("end: the game is not over")
    game, costs = played.sitting.table, played.reckon()
    return {
        "seats": seats_at_end(game),
        "curve": [{"turn": turn, "round": n, "chances": chances} for turn, (n, chances) in sorted(played.curve.items())],
        "costs": [{"seat": seat, "choices": [vars(cost) | {"lost": cost.lost} for cost in worst(costs, seat)],
                   "n": sum(cost.seat == seat for cost in costs)} for seat in played.kept.own],
    }  # fmt: skip


def seats_at_end(game: Game) -> list[dict[str, Any]]:
    """Return how each seat ended: whether it won, and the victory cards that it has claimed."""
    return [
        {"leader": game.words.short(seat), "won": bool(game.state.winner[seat]), "needed": needed(game),
         "claims": [{"round": number, "agenda": agenda} for number, agenda in claimed(game, seat)]}
        for seat in range(game.plan.players)
    ]  # fmt: skip


# --- The server, on this machine only: the page, its view, and people's choices
#
# Addresses name the stamp of the question and the index of the answer.


class TableHandler(LocalHandler):
    """Answers one connection."""

    server: TableServer

    def get(self, path: str, parts: list[str], query: str) -> bool:
        """Send the page, what its table shows throughout, the game as it stands, its end, as a file, or its replay."""
        table = self.server.table
        if path == "/":
            return self.send_page(served=True)
        if path == "/api/table":
            return self.send_json(200, table.do(lambda: table_of(table.played)))
        if path == "/api/view":
            return self._view()
        if path == "/api/file":
            return self.send_json(200, json.loads(table.do(table.played.kept.as_text)))
        if path == "/api/end":
            return self.send_json(200, table.do(lambda: end(table.played)))
        if path == "/replay":
            return self.send_film(table.do(lambda: watched(table.played.kept)).encode())
        return False

    def post(self, parts: list[str]) -> bool:
        """Carry out `answer/<stamp of the question>/<index>`, `undo/<stamp>`, `hint/<stamp>`, `tile/<stamp>/<index>`."""
        table = self.server.table
        if parts[:2] == ["api", "answer"] and len(parts) == 4:
            table.answer(number(parts[2]), number(parts[3]))
            return self._view()
        if parts[:2] == ["api", "undo"] and len(parts) == 3:
            table.undo(number(parts[2]))
            return self._view()
        if parts[:2] == ["api", "tile"] and len(parts) == 4:
            return self.send_json(200, table.do(lambda: tile(table.played, number(parts[2]), number(parts[3]))))
        if parts[:2] == ["api", "hint"] and len(parts) == 3:
            return self.send_json(200, table.about(number(parts[2]), hint))
        return False

    def _view(self) -> bool:
        table = self.server.table
        return self.send_json(200, table.do(lambda: view(table.played)))


def number(text: str) -> int:
    """Return a number of an address."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise UserError(f"'{text[:40]}' is not valid; expected a whole number from 0")
    return int(text)


class TableServer(LocalServer):
    """The server of a table."""

    def __init__(self, table: PlayTable, port: int = 0) -> None:
        self.table = table
        super().__init__(page_template(), TableHandler, port)


def page_template() -> Any:
    """Return the template of the page, with what is the same for all tables."""
    template = page_of("newdawn.analysis.explorer", "play.html.j2", script="play.js", style="play.css")
    own = {"board_style": resource(BOARD_STYLE), "board_script": resource(BOARD_SCRIPT), "seat_style": seat_style()}
    template.globals.update(own)
    return template


def seat_style() -> str:
    """Return the rules of style for the colours of the seats."""
    return "".join(
        f".seat{seat + 1} {{ background: {fill}; color: {ink}; }}\n#seat{seat} {{ border-left-color: {fill}; }}\n"
        for seat, (fill, ink) in enumerate(zip(SEAT_FILL, SEAT_INK, strict=True))
    )


def about_table(title: str, seats: Sequence[str], own: Sequence[int], cards: Mapping[str, str], r: Any) -> dict[str, Any]:
    """Return what the page shows of a table that stays the same through the game."""
    signs, size = legend(r)
    return {"title": title, "seats": list(seats), "own": list(own), "fills": list(SEAT_FILL), "cards": cards, "unit": UNIT,
            "legend": signs, "legend_size": list(size)}  # fmt: skip
