"""A file of goals: the figures that it may name, wishes with bands, a template."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ...simulator import names
from ...simulator.errors import UserError, named, unknown
from ...simulator.reading import text_of, yaml_of
from ...simulator.rules.content_models import Problem, check, short
from ...simulator.rules.load import Ruleset
from ...simulator.rules.ruleset_contents import agenda_names, focus_types, names_of
from ...simulator.runs.columns import FOCUS_CARDS_TABLE
from ...simulator.runs.run import Observer, Rows, tables_of
from ...simulator.runs.run_plan import Plan
from ...strategies.registry import find, packaged
from ..questions.balance import OtherFigures
from ..questions.experiment import grant
from ..questions.possible_changes import fitting
from ..questions.tuning import play_effect, play_figures, play_some
from ..stats import rates
from ..stats.verdicts import FAR, WISH, Verdict, having
from ..tables.decoded_games import WHOLE, CodeNames, Games
from ..tables.expansion import CARD_ROUND, GOVERNED, PLACED
from ..tables.focus_card_use import takeable, takers
from ..tables.game import NOBODY, standings, stories
from ..tables.paired_figures import figures_of as compared
from ..tables.paired_figures import subjects_of
from ..tables.read import Everything

# --- The figures that goals may name
#
# A figure has a numerator and a denominator in each game, and is the ratio Σy / Σm over games. Both come from the columns of
# the tables and the stories of the games, as in the summaries. Figures of a number of rounds (games of more than this many, the
# median) are made from the rounds of each game (`games.Bands`).

POINTS = rates.POINTS / 100
PLACES = ("first", "second", "third", "fourth", "fifth")
ROUNDS = "rounds"
Pair = tuple[str, str]


@dataclass(frozen=True)
class FigureKind:
    """A word of the goals file: the subject of its figures, how these are called, and their margin."""

    word: str
    of: str  # "leader", "wonder" …; "": of the game
    title: str
    margin: float = POINTS
    unit: str = "share"  # or "rounds", "number"
    mean: bool = False  # a mean over games instead of a share of cases
    expansion: bool = False


KINDS = {
    kind.word: kind
    for kind in (
        FigureKind("win-rate", "leader", "win rate of {}"),
        FigureKind("seat-win-rate", "place", "win rate of the {} player"),
        FigureKind("matchup", "pair", "wins of {} against {}"),
        FigureKind("claim-rate", "agenda", "claim rate of {}"),
        FigureKind("build-rate", "wonder", "build rate of {}"),
        FigureKind("effect", "wonder", "effect of {}", mean=True),
        FigureKind("card-use", "focus type", "use of {} cards"),
        FigureKind("take-rate", "focus card", "take rate of {}"),
        FigureKind("skill", "strategies", "wins of {} against {}"),
        FigureKind("unique-card-rate", "leader", "use of the unique card of {}", expansion=True),
        FigureKind("government-rate", "government", "use of {}", expansion=True),
        FigureKind("district-rate", "district", "use of the {}", expansion=True),
        FigureKind("game-length", "", ROUNDS, rates.ROUNDS, "rounds", True),
        FigureKind("median-length", "", "median length", rates.ROUNDS, "rounds"),
        FigureKind("longer-than", "", "games of more than {} rounds"),
        FigureKind("unfinished", "", "unfinished games"),
        FigureKind("capitals-beaten", "", "capitals beaten a game", rates.DEEDS, "number", True),
        FigureKind("lead-changes", "", "lead changes a game", rates.DEEDS, "number", True),
        FigureKind("comebacks", "", "games won from behind"),
        FigureKind("lead-for-good", "", "share of the game before the winner's last lead", mean=True),
    )
}
MADE_OF_ROUNDS = ("median-length", "longer-than")
OF_SOME = ("matchup", "take-rate", "skill")  # read only for subjects that goals name
PAIRS = {"pair": "leader", "strategies": "strategy"}  # figures of one against another


@dataclass(frozen=True)
class Figure:
    """A figure of the games: its kind and its subject."""

    kind: FigureKind
    subject: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Return its title."""
        return self.kind.title.format(*self.subject)


def subjects(ruleset: Ruleset, kind: FigureKind, players: int) -> list[str]:
    """Return the possible subjects of a kind of figure under the rules, at tables of this many players."""
    data = ruleset.data
    by_subject = {
        "leader": lambda: names_of(data, "leader"),
        "pair": lambda: names_of(data, "leader"),
        "strategies": packaged,
        "wonder": lambda: names_of(data, "wonder"),
        "agenda": lambda: agenda_names(data),
        "place": lambda: list(PLACES[:players]),
        "focus type": lambda: list(focus_types(data)),
        "focus card": lambda: [name for name, _ in takeable(ruleset.compile())],
        "government": lambda: list(GOVERNED.values()),
        "district": lambda: list(PLACED.values()),
    }
    return by_subject[kind.of]() if kind.of else []


def catalogue(ruleset: Ruleset, named: Sequence[Figure] = ()) -> tuple[Figure, ...]:
    """Return the figures that are read from every game of the ruleset, and those that goals have named."""
    most = names.MOST_PLAYERS[ruleset.box]
    ti = ruleset.box == names.BOXES[names.TI_BOX]
    kinds = [
        kind for kind in KINDS.values() if kind.word not in ("effect", *MADE_OF_ROUNDS, *OF_SOME) and (ti or not kind.expansion)
    ]
    of_subjects = [Figure(kind, (name,)) for kind in kinds for name in subjects(ruleset, kind, most)]
    return (*(Figure(kind) for kind in kinds if not kind.of), *of_subjects, *named)


def asked_of(figures: Sequence[Figure]) -> OtherFigures:
    """Return what plays games and reads these figures from them."""
    titles = tuple(figure.title for figure in figures)
    reads = partial(read, figures=figures)
    return OtherFigures(titles, partial(play_figures, read=reads), partial(play_some, read=reads))


def effect_of(wonder: str) -> OtherFigures:
    """Return what plays pairs of games, with and without the wonder given to a seat, for its effect."""
    return OtherFigures((KINDS["effect"].title.format(wonder),), partial(_play_effect, wonder=wonder))


def _play_effect(plan: Plan, ruleset: Ruleset, first: int, n: int, jobs: int, observer: Observer, wonder: str) -> np.ndarray:
    return play_effect(grant(plan, ruleset, [wonder]), first, n, jobs, observer)[:, None, :]


# --- Reading figures off games


def read(plan: Plan, r: np.record, rows: Rows, figures: Sequence[Figure]) -> np.ndarray:
    """Return numerators and denominators, (games, figures, 2), from the rows of some games, in the order of the games."""
    frames = {name: part.to_pandas() for name, part in tables_of(plan, r, rows).items()}
    games = Games(frames, plan.players, CodeNames())
    all_subjects = subjects_of(r)
    values = np.zeros((len(games), len(figures), 2), np.float32)
    columns = compared(games, all_subjects).transpose(1, 0, 2)
    by_title = {title: column for (_, title), column in zip(all_subjects.figures, columns, strict=True)}
    for title, (y, m) in _others(games, figures, takeable(r) if FOCUS_CARDS_TABLE in plan.tables else ()):
        by_title[title] = np.stack([np.broadcast_to(y, len(games)), np.broadcast_to(m, len(games))], axis=1)
    for place, figure in enumerate(figures):
        values[:, place] = by_title.get(figure.title, 0)
    order = np.argsort(games.game_id)
    return values[order]


def _others(games: Games, figures: Sequence[Figure], cards: Sequence[Pair]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield title, and numerators and denominators by game, of the figures that comparisons do not have."""
    yield from _courses(games)
    for place, name in enumerate(PLACES[: games.players], 1):
        yield KINDS["seat-win-rate"].title.format(name), ((games.won * (games.order == place)).sum(axis=1) / WHOLE, 1)
    yield from _cards(games)
    for name, took, might in takers(games, cards) if cards else ():
        yield KINDS["take-rate"].title.format(name), (took, might)
    for figure in figures:
        if figure.kind.word == "matchup":
            yield figure.title, _pair(games, figure.subject)
        elif figure.kind.word == "skill":
            yield figure.title, _better(games, figure.subject)
    if any(figure.kind.expansion for figure in figures):
        for columns, title in ((PLACED, KINDS["district-rate"].title), (GOVERNED, KINDS["government-rate"].title)):
            for column, name in columns.items():
                yield title.format(name), ((games.number(column) > 0).sum(axis=1), games.players)
        taken = games.number(CARD_ROUND) > 0
        for code, name in enumerate(games.words.leader):
            own = games.leader == code
            yield KINDS["unique-card-rate"].title.format(name), ((own & taken).sum(axis=1), own.sum(axis=1))


def _courses(games: Games) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield figures of the course of each game: lead changes, comebacks, when the winner took the lead for good."""
    leads = stories(*standings(Everything(games)))
    won = (leads["behind"] != NOBODY).to_numpy()
    yield KINDS["lead-changes"].title, (leads["changes"].to_numpy(), 1)
    yield KINDS["comebacks"].title, (won & (leads["behind"] > 0).to_numpy(), won)
    yield KINDS["lead-for-good"].title, (np.where(won, leads["lead_round"] / leads["rounds"], 0), won)
    yield KINDS["capitals-beaten"].title, (games.number("capitals_beaten").sum(axis=1), 1)


def _cards(games: Games) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield for each focus type the share of its cards in all that were resolved."""
    kinds = [kind for kind in names.FOCUS_TYPES if f"{kind}_slot1" in games.piece["seats"]]
    used = {kind: sum(games.number(f"{kind}_slot{slot}").sum(axis=1) for slot in range(1, 6)) for kind in kinds}
    every = sum(used.values())
    for kind, uses in used.items():
        yield KINDS["card-use"].title.format(kind), (uses, every)


def _pair(games: Games, pair: Sequence[str]) -> tuple[Any, Any]:
    """Return the wins of the first of two leaders, and the wins of both, in games with both at the table."""
    own, other = (games.leader == games.words.leader.index(name) if name in games.words.leader else None for name in pair)
    if own is None or other is None:
        return 0, 0
    met = own.any(axis=1) & other.any(axis=1)
    wins = [(games.won * seats).sum(axis=1) / WHOLE * met for seats in (own, other)]
    return wins[0], wins[0] + wins[1]


def _better(games: Games, players: Sequence[str]) -> tuple[Any, Any]:
    """Return the wins of the first of two strategies in decided games with both at the table."""
    strategy, names = games.strategy, games.words.strategy  # the column first: making it fills the names
    codes = [names.index(name) if (name := find(word).name) in names else -1 for word in players]
    own, other = (strategy == code for code in codes)
    met = own.any(axis=1) & other.any(axis=1) & games.decided
    return (games.won * own).sum(axis=1) / WHOLE * met, met


# --- The goals file: which figures are wanted in which bands, by whose play, and what may be changed for that
#
# Any error in a file is one line that names the file, the place in it, what was expected and the nearest valid name.

Number = Annotated[float, Field(allow_inf_nan=False)]
Amount = Number | str  # 0.25, or "25%"
DEFAULT_CHANGES = ("leaders.*", "wonders.*")
MOST_CHANGES = 12
MET, MISSED, OPEN = WISH.within, WISH.far_above, WISH.undecided  # verdicts of wishes in words
MEANT = {MISSED: FAR, OPEN: frozenset({Verdict.UNDECIDED}), MET: frozenset({Verdict.WITHIN})}  # the worst first
VERDICTS = (
    f"A figure is {MET} if it lies in its band, {MISSED} if it lies outside, {OPEN} if neither is known. Verdicts hold for "
    "many rows together, so they ask for more than a row's own 95% interval, which is the one shown."
)


def told(frame: Any, words: str) -> Any:
    """Return which rows of a table of wishes are MET, MISSED or OPEN."""
    return having(frame, MEANT[words])


class StrictEntry(BaseModel):
    """An entry that refuses unknown keys."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


class GoalEntry(StrictEntry):
    """A figure and its band."""

    figure: str
    of: str | list[str] | None = None
    against: str | None = None
    players: int | list[int] | None = None
    rounds: int | None = Field(default=None, ge=1, le=500)
    between: list[Amount] | None = Field(default=None, min_length=2, max_length=2)
    at_least: Amount | None = None
    at_most: Amount | None = None
    wanted: dict[str, dict[str, Amount]] | None = None
    within: Amount | None = None
    weight: Number = Field(default=1.0, gt=0, le=1000)


class NumberEntry(StrictEntry):
    """Numbers of the rules that may be changed: which, how far, and at which price."""

    path: str
    price: Number = Field(default=1.0, gt=0, le=1000)
    by: int | None = Field(default=None, ge=1, le=1000)
    step: int = Field(default=1, ge=1, le=1000)
    lowest: int | None = Field(default=None, alias="from")
    highest: int | None = Field(default=None, alias="to")


class WordsEntry(StrictEntry):
    """Lists, orders and switches of the rules that may be changed, and at which price."""

    path: str
    price: Number = Field(default=1.0, gt=0, le=1000)


class FileChange(StrictEntry):
    """A file of house rules that may be taken as a whole, and at which price."""

    path: str
    price: Number = Field(default=1.0, gt=0, le=1000)


class ChangesEntry(StrictEntry):
    """How many changes there may be, and of what."""

    at_most: int = Field(default=6, ge=1, le=MOST_CHANGES)
    numbers: list[Any] = Field(default_factory=list)
    words: list[Any] = Field(default_factory=list)  # lists, orders and switches
    files: list[Any] = Field(default_factory=list)  # of house rules, each taken as a whole
    leave: list[str] = Field(default_factory=list)
    empty_abilities: bool = False  # numbers may be moved until an ability has no effect


class BudgetEntry(StrictEntry):
    """How long the search may take."""

    minutes: Number | None = Field(default=None, gt=0)
    games: int | None = Field(default=None, ge=1000)


class FileEntry(StrictEntry):
    """The whole file; goals and numbers are checked one by one."""

    name: str = "goals"
    box: str = names.BOXES[0]
    players: int | list[int] = 4
    ways: list[str] = Field(default_factory=lambda: ["planner"], min_length=1, max_length=6)
    others: list[str] = Field(default_factory=list, max_length=6)
    goals: list[Any] = Field(min_length=1, max_length=200)
    changes: Any = None
    budget: Any = None


@dataclass(frozen=True)
class Wish:
    """One figure at tables of this many players, and its wanted band; `goal` is its entry in the file."""

    goal: int
    figure: Figure
    players: int
    low: float = float("-inf")
    high: float = float("inf")
    weight: float = 1.0
    rounds: int = 0  # of `longer-than`

    @property
    def kind(self) -> FigureKind:
        """Return the kind of its figure."""
        return self.figure.kind

    @property
    def title(self) -> str:
        """Return the title of its figure."""
        return self.kind.title.format(self.rounds) if self.rounds else self.figure.title

    @property
    def band(self) -> str:
        """Return the band in words."""
        low, high = (words(end, self.kind) for end in (self.low, self.high))
        if self.low == float("-inf"):
            return f"at most {high}"
        return f"at least {low}" if self.high == float("inf") else f"{low} to {high}"

    @property
    def seated(self) -> tuple[str, ...]:
        """Return the better player and the one on all other seats, if the figure itself determines who plays."""
        return self.figure.subject if self.kind.word == "skill" else ()


@dataclass(frozen=True)
class Goals:
    """The wishes, the strategies that play, and what may be changed."""

    file: str
    name: str
    box: str
    wishes: tuple[Wish, ...]
    ways: tuple[str, ...]
    others: tuple[str, ...] = ()
    numbers: tuple[NumberEntry, ...] = ()
    leave: tuple[str, ...] = ()
    at_most: int = 6
    minutes: float | None = None
    games: int | None = None
    text: str = field(default="", compare=False)
    empty_abilities: bool = False
    words: tuple[WordsEntry, ...] = ()
    files: tuple[FileChange, ...] = ()

    @property
    def players(self) -> list[int]:
        """Return the numbers of players of its wishes, the largest first."""
        return sorted({wish.players for wish in self.wishes}, reverse=True)

    @property
    def of_ways(self) -> Goals:
        """Return the goals without the wishes that seat players of their own: those whose games the `ways` play."""
        return replace(self, wishes=tuple(wish for wish in self.wishes if not wish.seated))


def words(value: float, kind: FigureKind, digits: int = 1) -> str:
    """Return a value of a kind of figure in its unit, as text."""
    return f"{100 * value:.{digits}f}%" if kind.unit == "share" else f"{value:.{digits}f}"


def titles(wishes: Sequence[Wish]) -> list[str]:
    """Return the titles of wishes, with the number of players where these differ."""
    several = len({wish.players for wish in wishes}) > 1
    return [f"{wish.title} ({wish.players} players)" if several else wish.title for wish in wishes]


def with_interval(row: Any, ends: tuple[str, str, str] = ("value", "low", "high")) -> str:
    """Return a figure of a row of the answer's tables with its interval, in its unit."""
    value, low, high = (value_words(row[name], row["unit"]) for name in ends)
    return f"{value} [{low}, {high}]"


def value_words(value: float, unit: str) -> str:
    """Return a value in a unit of the figures, shares in per cent."""
    return f"{100 * value if unit == 'share' else value:.1f}" if value == value else "–"


def read_file(path: Path | str) -> tuple[Mapping[str, Any], str]:
    """Return the content of a goals file, with only the checks that need no rules, and its text."""
    text = text_of(Path(path), "goals", str(path))
    content = yaml_of(text, str(path))
    if not isinstance(content, dict):
        raise UserError(f"{path}: expected a mapping with goals; `newdawn rules new goals` prints one", file=str(path))
    return content, text


def box_of(path: Path | str) -> str:
    """Return the box that a goals file is for."""
    content, _ = read_file(path)
    return _whole(str(path), content).box


def _whole(file: str, content: Mapping[str, Any]) -> FileEntry:
    whole: FileEntry = _checked(file, "", FileEntry, content)
    if whole.box not in names.BOXES:
        raise _blamed(file, "box", str(unknown("box", whole.box, names.BOXES)))
    return whole


def read_goals(path: Path | str, ruleset: Ruleset) -> Goals:
    """Return the goals of a file for a ruleset; raise UserError that names the file and the place in it."""
    file = str(path)
    content, text = read_file(path)
    whole = _whole(file, content)
    if whole.box != ruleset.box:
        raise _blamed(file, "box", f"{whole.box}, but the rules are those of {ruleset.box}; expected the same (--box)")
    default = _counts(file, "players", whole.players, ruleset.box)
    wishes = [wish for at, entry in enumerate(whole.goals) for wish in _wishes(file, at, entry, ruleset, default)]
    changes: ChangesEntry = _checked(file, "changes", ChangesEntry, whole.changes or {})
    numbers = [_checked(file, f"changes.numbers.{at}", NumberEntry, entry) for at, entry in enumerate(changes.numbers)]
    for at, number in enumerate(numbers):
        if None not in (number.lowest, number.highest) and number.lowest >= number.highest:
            ends = f"from {number.lowest} to {number.highest}"
            raise _blamed(
                file, f"changes.numbers.{at}", f"{ends} is an empty range; expected a smaller number before a larger one"
            )
    budget: BudgetEntry = _checked(file, "budget", BudgetEntry, whole.budget or {})
    if budget.minutes is not None and budget.games is not None:
        raise _blamed(file, "budget", "minutes and games; expected one of the two")
    leaders = len(subjects(ruleset, KINDS["win-rate"], default[0]))
    words = [_checked(file, f"changes.words.{at}", WordsEntry, entry) for at, entry in enumerate(changes.words)]
    files = [_checked(file, f"changes.files.{at}", FileChange, entry) for at, entry in enumerate(changes.files)]
    if not numbers and not words and not files:
        numbers, words = ([kind(path=path) for path in DEFAULT_CHANGES] for kind in (NumberEntry, WordsEntry))
    return Goals(
        file, whole.name, whole.box, _agreeing(file, wishes, leaders), tuple(dict.fromkeys(whole.ways)),
        tuple(dict.fromkeys(whole.others)), tuple(numbers), tuple(changes.leave), changes.at_most, budget.minutes, budget.games,
        text, changes.empty_abilities, tuple(words), tuple(files),
    )  # fmt: skip


def fair_shares(
    ruleset: Ruleset, leaders: Sequence[str], players: int, ways: Sequence[str], margin: float, globs: Sequence[str],
    empty_abilities: bool = False,
) -> Goals:  # fmt: skip
    """Return the goals of a game in which each leader wins its fair share: wins are zero-sum, so all of them together."""
    fair, kind = 1 / players, KINDS["win-rate"]
    wishes = tuple(Wish(0, Figure(kind, (name,)), players, fair - margin, fair + margin) for name in leaders)
    numbers, words = fitting(ruleset, globs, not empty_abilities)
    return Goals(
        "--leaders all", f"every leader at its fair share of {100 * fair:.0f}% ± {100 * margin:g} points", ruleset.box, wishes,
        tuple(ways), numbers=tuple(NumberEntry(path=glob) for glob in numbers), empty_abilities=empty_abilities,
        words=tuple(WordsEntry(path=glob) for glob in words),
    )  # fmt: skip


def _blamed(file: str, place: str, message: str) -> UserError:
    where = f"{file}: {place}" if place else file
    return UserError(f"{where}: {message}", file=file, field=place)


def _checked(file: str, place: str, model: Any, value: Any) -> Any:
    """Return the model of a value; raise UserError for the first thing that does not fit."""
    try:
        if not isinstance(value, Mapping):
            raise Problem(place, f"expected a mapping, got {short(value)}")
        check(place, model, value)
    except Problem as problem:
        raise _blamed(file, problem.path.lstrip("."), problem.message) from None
    return model.model_validate(value)


def _counts(file: str, place: str, given: int | Sequence[int], box: str) -> list[int]:
    """Return the numbers of players of an entry; raise UserError for one that the box does not have."""
    most = names.MOST_PLAYERS[box]
    counts = [given] if isinstance(given, int) else list(given)
    for count in counts:
        if not 2 <= count <= most:
            raise _blamed(file, place, f"{count}: expected 2 to {most} players")
    if not counts:
        raise _blamed(file, place, f"is empty; expected numbers of players from 2 to {most}")
    return list(dict.fromkeys(counts))


def _wishes(file: str, at: int, value: Any, ruleset: Ruleset, default: Sequence[int]) -> list[Wish]:
    """Return the wishes of an entry of the goals: one for each figure and number of players."""
    place = f"goals.{at}"
    entry: GoalEntry = _checked(file, place, GoalEntry, value)
    ti = ruleset.box == names.BOXES[names.TI_BOX]
    kinds = [kind.word for kind in KINDS.values() if ti or not kind.expansion]
    if entry.figure not in kinds:
        raise _blamed(file, f"{place}.figure", str(unknown("figure", entry.figure, kinds)))
    kind = KINDS[entry.figure]
    _fits(file, place, entry, kind)
    counts = default if entry.players is None else _counts(file, f"{place}.players", entry.players, ruleset.box)
    if entry.wanted is not None:
        return _table(file, place, at, entry, ruleset, counts)
    low, high = _band(file, place, entry, kind)
    wishes = []
    for count in counts:
        for subject in _subjects(file, place, entry, kind, ruleset, count):
            wishes.append(Wish(at, Figure(kind, subject), count, low, high, entry.weight, entry.rounds or 0))
    return wishes


def _fits(file: str, place: str, entry: GoalEntry, kind: FigureKind) -> None:
    """Raise UserError for keys that the kind of figure does not use, or lacks."""
    needs = {
        "of": (entry.of is not None, kind.of != ""),
        "against": (entry.against is not None, kind.of in PAIRS),
        "wanted": (entry.wanted is not None, kind.of == "pair"),
        "within": (entry.within is not None, entry.wanted is not None),
        "rounds": (entry.rounds is not None, kind.word == "longer-than"),
    }
    for key, (given, useful) in needs.items():
        if given and not useful:
            raise _blamed(file, f"{place}.{key}", f"{kind.word} does not use it; expected nothing here")
    if kind.word == "longer-than" and entry.rounds is None:
        raise _blamed(file, f"{place}.rounds", "is missing: games of more than how many rounds?")
    if kind.of in PAIRS and entry.wanted is None and (not isinstance(entry.of, str) or entry.against is None):
        table = ", or a table `wanted`" if kind.of == "pair" else ""
        raise _blamed(file, place, f"expected `of` and `against`, a {PAIRS[kind.of]} each{table}")


def _subjects(
    file: str, place: str, entry: GoalEntry, kind: FigureKind, ruleset: Ruleset, players: int
) -> list[tuple[str, ...]]:
    """Return the subjects of the figure: those named, or all."""
    possible = subjects(ruleset, kind, players)
    if kind.of in PAIRS:
        pair = (
            _named(file, f"{place}.of", kind, str(entry.of), possible),
            _named(file, f"{place}.against", kind, str(entry.against), possible),
        )
        return [_two(file, place, pair, "leaders" if kind.of == "pair" else kind.of)]
    if not kind.of:
        return [()]
    given = possible if entry.of in (None, "each") else [entry.of] if isinstance(entry.of, str) else list(entry.of or [])
    if not given:
        raise _blamed(file, f"{place}.of", f"is empty; expected names of the {kind.of}s, or each")
    return [(_named(file, f"{place}.of", kind, name, possible),) for name in given]


def _two(file: str, place: str, pair: Pair, kind: str = "leaders") -> Pair:
    if pair[0] == pair[1]:
        raise _blamed(file, place, f"{pair[0]} against {pair[1]}; expected two {kind}")
    return pair


def _named(file: str, place: str, kind: FigureKind, name: str, possible: Sequence[str]) -> str:
    try:
        if kind.of == "strategies":  # a strategy from a file keeps the name it was given
            return full if (full := find(name).name) in possible else name
        return named(PAIRS.get(kind.of, kind.of), name, possible)
    except UserError as error:
        raise _blamed(file, place, str(error)) from None


def _table(file: str, place: str, at: int, entry: GoalEntry, ruleset: Ruleset, counts: Sequence[int]) -> list[Wish]:
    """Return the wishes of a table of leaders against leaders."""
    kind = KINDS[entry.figure]
    reach = 0.05 if entry.within is None else _amount(file, f"{place}.within", entry.within, kind)
    wishes = []
    for own, others in (entry.wanted or {}).items():
        for other, value in others.items():
            where = f"{place}.wanted.{own}.{other}"
            possible = subjects(ruleset, kind, counts[0])
            pair = _two(file, where, (_named(file, where, kind, own, possible), _named(file, where, kind, other, possible)))
            share = _amount(file, where, value, kind)
            wishes += [Wish(at, Figure(kind, pair), count, share - reach, share + reach, entry.weight) for count in counts]
    if not wishes:
        raise _blamed(file, f"{place}.wanted", "is empty; expected a leader, its opponents and the share wanted of each")
    return wishes


def _band(file: str, place: str, entry: GoalEntry, kind: FigureKind) -> tuple[float, float]:
    """Return the ends of the band."""
    if entry.between is not None and (entry.at_least, entry.at_most) != (None, None):
        raise _blamed(file, f"{place}.between", "and at_least or at_most; expected only one of them")
    given: list[Any] = [entry.at_least, entry.at_most] if entry.between is None else list(entry.between)
    if given == [None, None]:
        raise _blamed(file, place, "has no band; expected between: [low, high], at_least or at_most")
    keys = ("between.0", "between.1") if entry.between else ("at_least", "at_most")
    ends = [float("-inf"), float("inf")]
    for side, (key, value) in enumerate(zip(keys, given, strict=True)):
        if value is not None:
            ends[side] = _amount(file, f"{place}.{key}", value, kind)
    if ends[0] >= ends[1]:
        band = f"{words(ends[0], kind)} to {words(ends[1], kind)}"
        raise _blamed(file, place, f"{band} is not a band; expected the smaller value first")
    return ends[0], ends[1]


def _amount(file: str, place: str, value: float | str, kind: FigureKind) -> float:
    """Return a value in the unit of a figure."""
    example = {"share": "a share such as 25%", "rounds": "a number of rounds such as 16", "number": "a number such as 1.5"}
    expected = example[kind.unit]
    text = str(value).strip()
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise _blamed(file, place, f"expected {expected}, got {short(value)}") from None
    least = -1.0 if kind.word == "effect" else 0.0
    most = 1.0 if kind.unit == "share" else float("inf")
    if not least <= number <= most or number == float("inf") or (kind.unit != "share" and text.endswith("%")):
        raise _blamed(file, place, f"expected {expected}, got {short(value)}")
    return number


def _agreeing(file: str, wishes: Sequence[Wish], leaders: int) -> tuple[Wish, ...]:
    """Return the wishes; raise UserError if two of them want one figure in disjoint bands, or if they cannot all be met."""
    first_of: dict[tuple[Figure, int, int], Wish] = {}
    for wish in wishes:
        key = (wish.figure, wish.players, wish.rounds)
        other = first_of.setdefault(key, wish)
        if max(wish.low, other.low) > min(wish.high, other.high):
            raise _blamed(
                file, f"goals.{wish.goal}", f"wants {wish.title} {wish.band}, and goals.{other.goal} {other.band}; "
                "expected bands that meet"
            )  # fmt: skip
    for wish in wishes:
        reverse = first_of.get((Figure(wish.kind, wish.figure.subject[::-1]), wish.players, 0))
        whole = wish.kind.word == "matchup" or (wish.kind.word == "skill" and wish.players == 2)
        if whole and reverse and (wish.low + reverse.low > 1 + 1e-9 or wish.high + reverse.high < 1 - 1e-9):
            raise _blamed(
                file, f"goals.{wish.goal}", f"wants {wish.title} {wish.band}, and goals.{reverse.goal} {reverse.title} "
                f"{reverse.band}; expected shares that may add up to 100%"
            )  # fmt: skip
    _check_wins(file, wishes, leaders)
    _check_rounds(file, wishes)
    return tuple(wishes)


def _check_wins(file: str, wishes: Sequence[Wish], leaders: int) -> None:
    """Raise UserError if the wanted win rates of seats or leaders add up to more than all games."""
    for players in {wish.players for wish in wishes}:
        for word, of, number in (("win-rate", "leader", leaders), ("seat-win-rate", "seat", players)):
            own = [wish for wish in wishes if wish.kind.word == word and wish.players == players]
            low = {wish.figure: max([0.0, *(other.low for other in own if other.figure == wish.figure)]) for wish in own}
            least = sum(low.values()) / number if len(low) == number else 0.0
            if least > 1 / players + 1e-9:
                most = f"{100 / players:.1f}%"
                raise _blamed(
                    file, f"goals.{own[0].goal}", f"every {of} is to win at least {100 * least:.1f}%, but of {players} players "
                    f"one wins, {most} each; expected a band that holds {most}"
                )  # fmt: skip


def _check_rounds(file: str, wishes: Sequence[Wish]) -> None:
    """Raise UserError if wanted shares of games longer than given rounds (at the median, half) contradict each other."""
    ends: list[tuple[Wish, float, float, float]] = []  # rounds, and the least and largest wanted share of longer games
    for wish in wishes:
        if wish.kind.word == "longer-than":
            ends.append((wish, float(wish.rounds), max(wish.low, 0.0), min(wish.high, 1.0)))
        elif wish.kind.word == "median-length":
            ends += [(wish, wish.high, 0.0, 0.5)] if wish.high < float("inf") else []
            ends += [(wish, wish.low - 1, 0.5, 1.0)] if wish.low > 0 else []
    for a, rounds, _, most in ends:
        for b, later, least, _ in ends:
            if a.players == b.players and later >= rounds and least > most:
                raise _blamed(
                    file, f"goals.{b.goal}", f"wants {b.title} {b.band}, and goals.{a.goal} {a.title} "
                    f"{a.band}; expected bands that meet"
                )  # fmt: skip


def named_in(goals: Goals) -> list[Figure]:
    """Return the figures that are read from games only because goals name them."""
    return list(dict.fromkeys(wish.figure for wish in goals.wishes if wish.kind.word in OF_SOME))


def effects_of(goals: Goals) -> list[tuple[str, int]]:
    """Return the wonders whose effects goals name, with the numbers of players."""
    return list(dict.fromkeys((wish.figure.subject[0], wish.players) for wish in goals.wishes if wish.kind.word == "effect"))


# --- A commented goals file: `newdawn rules new goals`

KIND = "goals"
GOALS = """# Goals for a whole game: what is wanted, by whose play, and what may be changed for that.
# newdawn goals THIS_FILE
name: {name}
# box: terra-incognita
players: 4                     # or several: [4, 3, 2]; a goal may name its own
ways: [planner]                # who plays; of several, [planner, quick, warrior], the worst counts
others: [quick]                # played in the end only: does the answer hold for them, too?

goals:
  # A figure, its band, and how much it matters (weight: 1). Shares may be written 25% or 0.25.
  - {{figure: win-rate, between: [20%, 30%]}}                      # of each leader; of: Scythia, or of: [Scythia, Egypt]
  - {{figure: seat-win-rate, between: [22%, 28%]}}                 # of each place in the turn order
  - {{figure: median-length, between: [14, 18]}}                   # rounds
  - {{figure: longer-than, rounds: 24, at_most: 10%}}              # share of the games
  - {{figure: claim-rate, between: [10%, 90%]}}                    # of each agenda, of the games that it is in
  # - {{figure: build-rate, at_least: 5%}}                         # of each world wonder, of the games with it in a deck
  # - {{figure: effect, of: Petra, between: [1%, 5%]}}             # what it is worth to a seat; plays pairs of games
  # - {{figure: matchup, wanted: {{Scythia: {{Egypt: 50%}}}}, within: 5%}}
  # - {{figure: card-use, of: military, at_least: 12%}}            # of all focus cards resolved
  # - {{figure: take-rate, at_least: 10%}}                        # no dead focus card: of the seats that might take it
  # - {{figure: skill, of: quick, against: planner, between: [35%, 45%]}}   # wins of one quick among planners
  # - {{figure: game-length, between: [14, 18]}}                   # mean
  # - {{figure: capitals-beaten, at_most: 0.5}}                    # a game
  # - {{figure: lead-changes, at_least: 1}}                        # a game
  # - {{figure: comebacks, at_least: 20%}}                         # winners that had been behind
  # - {{figure: lead-for-good, at_least: 60%}}                     # of the game is over when its winner leads to the end
  # - {{figure: unfinished, at_most: 1%}}
  # Terra Incognita: unique-card-rate, government-rate, district-rate

changes:
  at_most: 4                   # changes at once
  numbers:                     # without numbers, words and files: all that is on leaders' and wonders' cards
    - {{path: 'leaders.*'}}
    - {{path: 'wonders.*.cost', by: 4}}                            # at most 4 up or down
    # - {{path: 'victory_cards.rules.base.cards_in_play', from: 2, to: 4, price: 5}}   # a rule of the rulebook is dear
  words:                       # lists, orders and switches, each with its other values
    - {{path: 'leaders.*.abilities.*'}}
    # - {{path: 'leaders.*.start_row', price: 2}}                    # the order of the focus row
  # files: [{{path: cheaper_wonders, price: 3}}]                     # house rules, each taken as a whole or not at all
  # leave: ['leaders.rome.*']
  # empty_abilities: true      # numbers of abilities may go down to 0
# budget: {{minutes: 60}}        # or games: 500000
"""
