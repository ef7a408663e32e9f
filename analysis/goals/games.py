"""Games of the search: the possible changes, the games played under them, the bands they are compared with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...simulator import file_ownership
from ...simulator.errors import UserError, nearest
from ...simulator.kept_files import usable
from ...simulator.rules.edit import LEVEL_SPACES, NOTHING_LEFT, Parameter, change, empties, merged, overlay_of, same_play
from ...simulator.rules.load import Ruleset, with_overlay
from ...simulator.rules.show import moved as rules_moved
from ...simulator.rules.show import named, patch_notes
from ...simulator.runs.columns import FOCUS_CARDS_TABLE
from ...simulator.runs.run import Observer, Silent
from ...simulator.runs.run_plan import Plan, plan_by
from ..questions.balance import Alike, RulesetGames
from ..questions.budget import timed
from ..questions.possible_changes import FileLever, Lever, Playable, WordLever, concerned, levers, value_words, words_of
from .wishes import KINDS, Figure, FigureKind, Goals, NumberEntry, Wish, WordsEntry, asked_of, effect_of

# --- Games of many rulesets at several tables, kept on disk as they are played
#
# A table is a number of players and a strategy; for the effect of a wonder it plays pairs of games. Each table's games are in a
# folder of their own (`RulesetGames` of questions/balance.py), so a stopped search continues where it was.


@dataclass(frozen=True)
class GoalsTable:
    """A number of players and a strategy; `granted` is the wonder whose effect is measured, if any.

    For the win rate of a better player, `way` has one seat and the player `against` all others.
    """

    players: int
    way: str
    granted: str = ""
    against: str = ""

    @property
    def who(self) -> str:
        """Return who plays, as text."""
        return f"{self.way} against {self.against}" if self.against else self.way

    @property
    def folder(self) -> str:
        """Return the name of the folder of its games."""
        way = Path(self.way).parent.name if self.way.endswith(".yaml") and not self.against else self.who  # of a trained player
        words = "-".join(word for word in (f"{self.players}p", way, self.granted) if word)
        return re.sub(r"[^A-Za-z0-9]+", "-", words).strip("-").lower()


def plan_of(ruleset: Ruleset, table: GoalsTable, seed: int) -> Plan:
    """Return the plan of a table's games; raise UserError if the rules do not allow it."""
    strategies = [table.way, *[table.against] * (table.players - 1)] if table.against else [table.way]
    return plan_by(ruleset.compile(), players=table.players, games=1, seed=seed, strategies=strategies)


def differing(rules: Mapping[str, Any], other: Mapping[str, Any]) -> list[Figure] | None:
    """Return the figures of the leaders and wonders by which rules differ (`concerned`); None if they differ elsewhere."""
    found = concerned(rules, other)
    return None if found is None else [Figure(KINDS[word], (name,)) for word, name in found]


class Spent(Exception):
    """The games that the search may play are used up."""


class GoalsTables:
    """Plays and keeps the games of all tables; each figure of a table is a column of its arrays."""

    def __init__(
        self, ruleset: Ruleset, figures: Sequence[Figure], seed: int, out: Path | None = None, jobs: int = 1,
        observer: Observer | None = None,
    ) -> None:  # fmt: skip
        self.ruleset, self.figures, self.seed, self.out, self.jobs = ruleset, tuple(figures), seed, out, jobs
        self.observer = observer or Silent()
        self.games_of: dict[GoalsTable, RulesetGames] = {}
        self.places: dict[tuple[int, int], tuple[Ruleset, Ruleset, list[int] | None]] = {}
        self.stack = ExitStack()
        self.played, self.limit = 0, float("inf")

    def charge(self, games: int) -> None:
        """Count games before they are played; raise Spent if they exceed the limit."""
        if self.played + games > self.limit:
            raise Spent
        self.played += games

    @contextmanager
    def open(self) -> Iterator[GoalsTables]:
        """Hold the folder, and those of the games in it."""
        with ExitStack() as self.stack:
            if self.out is not None:
                with usable(self.out):
                    self.out.mkdir(parents=True, exist_ok=True)
                    self.stack.enter_context(file_ownership.held(self.out))
            yield self
        self.games_of.clear()

    def _games(self, table: GoalsTable) -> RulesetGames:
        if table not in self.games_of:
            read = effect_of(table.granted) if table.granted else asked_of(self.figures)
            out = None if self.out is None else self.out / "games" / table.folder
            counts = any(figure.kind.word == "take-rate" for figure in self.figures) and not (table.granted or table.against)
            plan = replace(plan_of(self.ruleset, table, self.seed), tables=(FOCUS_CARDS_TABLE,) if counts else ())
            games = RulesetGames(out, plan, self.ruleset, self.jobs, self.observer, read)
            if out is not None:
                out.parent.mkdir(parents=True, exist_ok=True)
            games.charge = self.charge
            self.games_of[table] = self.stack.enter_context(games.open())
        return self.games_of[table]

    def begun(self, tables: Sequence[GoalsTable]) -> bool:
        """Return whether fresh games of the rules are already kept: a search continues."""
        return any(self._games(table).ready(self.ruleset, fresh=True) for table in tables)

    def speed(self, tables: Sequence[GoalsTable]) -> float:
        """Return how many games a second are played here, at all tables, by the first ones, which are kept."""
        games = [self._games(table) for table in tables]
        for each in games:
            each.observer = Silent()
        try:
            return timed(lambda n: [each.search(self.ruleset, n) for each in games], self.jobs, len(games))
        finally:
            for each in games:
                each.observer = self.observer

    @contextmanager
    def stage(self, title: str, wanted: Sequence[tuple[GoalsTable, Ruleset, int]], fresh: bool = False) -> Iterator[None]:
        """Tell the observer the title of the next stage, its number of games, and how many of these exist already."""
        ready = sum(min(n, self._games(table).ready(ruleset, fresh)) for table, ruleset, n in wanted)
        self.observer.note(title)
        self.observer.begin(sum(n for *_, n in wanted), ready)
        try:
            yield
        finally:
            self.observer.end()

    def play(
        self, table: GoalsTable, ruleset: Ruleset, n: int, fresh: bool = False, like: Ruleset | None = None
    ) -> np.ndarray:  # fmt: skip
        """Return (games, figures, 2) of the first n games of a table under a ruleset; fresh ones have other seeds.

        Games without the leaders and wonders by which the ruleset differs from `like` (by default the tables' rules) are those
        of `like`, and are not played again.
        """
        games, like = self._games(table), like or self.ruleset
        play = games.fresh if fresh else games.search
        ready = games.ready(ruleset, fresh) >= n and self.limit == float("inf")  # a budget counts what a first search played
        if ready or (places := self._places(table, ruleset, like)) is None:
            return play(ruleset, n)
        rules = self.play(table, like, n, fresh)
        return play(ruleset, n, Alike(rules, self._may_differ(rules, places)))

    def share(self, table: GoalsTable, ruleset: Ruleset, n: int, like: Ruleset | None = None) -> float:
        """Return the share of a table's first n games in which a ruleset may differ from `like`."""
        places = self._places(table, ruleset, like or self.ruleset)
        return 1.0 if places is None else float(self._may_differ(self.play(table, self.ruleset, n), places).mean())

    def _places(self, table: GoalsTable, ruleset: Ruleset, like: Ruleset) -> list[int] | None:
        """Return the figures that occur only in games where the ruleset may differ from `like`; None: it may in all games."""
        if table.granted or ruleset is self.ruleset:
            return None
        key = id(like), id(ruleset)
        if key not in self.places:
            own = differing(like.data, ruleset.data)
            places = None if own is None else [place for place, figure in enumerate(self.figures) if figure in own]
            self.places[key] = like, ruleset, places
        return self.places[key][-1]

    def _may_differ(self, games: np.ndarray, places: Sequence[int]) -> np.ndarray:
        """Return which games any of these figures may occur in: win rates occur in decided games only."""
        unfinished = self.figures.index(Figure(KINDS["unfinished"]))
        return np.asarray((games[:, places, 1] > 0).any(axis=1) | (games[:, unfinished, 0] > 0))


# --- The distance of games from their goals
#
# A column is a ratio Σy / Σm of one figure at one table. A wish's miss is how far its column lies outside the band, in margins
# (two points, one round, half a deed a game); of several strategies the worst counts. The distance is the sum of all misses
# times their weights: 0 where every figure lies in its band. The median lies in a band if at most half of the games are
# shorter, and at most half are longer: two columns that are shares, of which the worse counts.
#
# Errors come from the linearised terms of the games (the delta method): t = (y - v m) / mean m, one a game. Games of the same
# seed under two rulesets are pairs, so what they have in common cancels; games of different tables are independent.

HALF = 0.5  # of the games
BLOCK = 2  # games whose errors are added up


@dataclass(frozen=True)
class FigureColumn:
    """A figure at a table: its index among the table's figures; for rounds, the share of games above or below a number."""

    table: GoalsTable
    place: int
    kind: FigureKind
    above: float | None = None
    below: float | None = None

    def read(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return numerators and denominators by game."""
        y, m = values[:, self.place, 0].astype(float), values[:, self.place, 1].astype(float)
        if self.above is not None:
            return (y > self.above).astype(float), m
        return ((y < self.below).astype(float), m) if self.below is not None else (y, m)

    @property
    def is_mean(self) -> bool:
        """Return whether it is a mean over games, not a share of cases."""
        return self.kind.mean and self.above is None and self.below is None

    @property
    def unit(self) -> str:
        """Return the unit of its values: games with more or fewer rounds are a share."""
        return self.kind.unit if self.above is None and self.below is None else "share"

    @property
    def link(self) -> str:
        """Return the scale on which changes are taken as additive: log odds of shares, logarithms of lengths."""
        if self.kind.unit == "rounds" and self.is_mean:
            return "log"
        return "plain" if self.kind.unit == "number" or self.kind.word == "effect" else "logit"


@dataclass(frozen=True)
class WishedColumn:
    """A column that a wish concerns, and its band."""

    wish: int
    column: int
    low: float
    high: float


class Bands:
    """The wishes of goals as columns of tables with bands."""

    def __init__(self, goals: Goals, figures: Sequence[Figure], ways: Sequence[str] | None = None) -> None:
        self.wishes, self.figures = goals.wishes, tuple(figures)
        self.columns: list[FigureColumn] = []
        self.entries: list[WishedColumn] = []
        for place, wish in enumerate(goals.wishes):
            for way in [""] if wish.seated else ways or goals.ways:
                self.entries += [
                    WishedColumn(place, self._column(column), low, high) for column, low, high in self._columns_of(wish, way)
                ]
        self.tables = list(dict.fromkeys(column.table for column in self.columns))

    def _columns_of(self, wish: Wish, way: str) -> list[tuple[FigureColumn, float, float]]:
        """Return the columns that a wish concerns at the tables of a strategy, with their bands."""
        infinite = float("inf")
        kind = wish.kind
        table = (
            GoalsTable(wish.players, wish.seated[0], against=wish.seated[1]) if wish.seated else GoalsTable(wish.players, way)
        )
        if kind.word == "effect":
            return [(FigureColumn(GoalsTable(wish.players, way, wish.figure.subject[0]), 0, kind), wish.low, wish.high)]
        rounds = self.figures.index(Figure(KINDS["game-length"]))
        if kind.word == "longer-than":
            return [(FigureColumn(table, rounds, kind, above=wish.rounds), wish.low, wish.high)]
        if kind.word == "median-length":
            halves = []
            if wish.low > 0:
                halves.append((FigureColumn(table, rounds, kind, below=wish.low), -infinite, HALF))
            if wish.high < infinite:
                halves.append((FigureColumn(table, rounds, kind, above=wish.high), -infinite, HALF))
            return halves
        return [(FigureColumn(table, self.figures.index(wish.figure), kind), wish.low, wish.high)]

    def _column(self, column: FigureColumn) -> int:
        if column not in self.columns:
            self.columns.append(column)
        return self.columns.index(column)

    @cached_property
    def _arrays(self) -> tuple[np.ndarray, ...]:
        """Return the entries as arrays: column, low, high, and weight per margin."""
        column = np.array([entry.column for entry in self.entries])
        low, high = (np.array([getattr(entry, end) for entry in self.entries]) for end in ("low", "high"))
        wishes = [self.wishes[entry.wish] for entry in self.entries]
        scale = [
            wish.weight / (margin_of(self.columns[entry.column])) for entry, wish in zip(self.entries, wishes, strict=True)
        ]
        return column, low, high, np.array(scale)

    @cached_property
    def _starts(self) -> np.ndarray:
        """Return the first entry of each wish."""
        wish = np.array([entry.wish for entry in self.entries])
        return np.flatnonzero(np.r_[True, wish[1:] != wish[:-1]])

    def narrowed(self, inset: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the ends of the bands narrowed by an inset of each column, at most to a tenth of their width."""
        column, low, high, _ = self._arrays
        width = np.where(np.isfinite(high - low), high - low, np.inf)
        reach = np.minimum(inset[column], 0.45 * width)
        return low + reach, high - reach

    def misses(self, values: np.ndarray, ends: tuple[np.ndarray, np.ndarray] | None = None) -> np.ndarray:
        """Return how far each wish is missed, (…, wishes), by values of the columns, (…, columns)."""
        return np.maximum(self.beyond(values, ends), 0)

    def beyond(self, values: np.ndarray, ends: tuple[np.ndarray, np.ndarray] | None = None) -> np.ndarray:
        """Return how far each wish lies beyond the nearer end of its band, (…, wishes), negative inside it."""
        column, low, high, scale = self._arrays
        low, high = ends or (low, high)
        value = np.asarray(values)[..., column]
        out = np.maximum(low - value, value - high) * scale
        return np.asarray(np.maximum.reduceat(np.where(np.isnan(out), 0.0, out), self._starts, axis=-1))

    def distance(self, values: np.ndarray, ends: tuple[np.ndarray, np.ndarray] | None = None) -> np.ndarray:
        """Return the distance from the goals."""
        return np.asarray(self.misses(values, ends).sum(axis=-1))

    def slope(self, values: np.ndarray) -> np.ndarray:
        """Return the derivative of the distance by each column, at values (columns,)."""
        column, low, high, scale = self._arrays
        value = values[column]
        sign = np.where(value < low, -1.0, np.where(value > high, 1.0, 0.0))
        out = np.nan_to_num(np.maximum(np.maximum(low - value, value - high), 0) * scale)
        slope = np.zeros(len(self.columns))
        for start, end in zip(self._starts, [*self._starts[1:], len(column)], strict=True):
            worst = start + int(np.argmax(out[start:end]))
            slope[column[worst]] += sign[worst] * scale[worst]
        return slope

    def of_table(self, table: GoalsTable) -> np.ndarray:
        """Return the indices of the columns of a table."""
        return np.flatnonzero([column.table == table for column in self.columns])


def reach_of(column: FigureColumn, value: float) -> float:
    """Return the margin of a column on its link's scale: of shares at one half, of lengths at a value."""
    margin = margin_of(column)
    if column.link == "logit":
        return margin / HALF**2
    return margin / max(value, 1.0) if column.link == "log" else margin


def margin_of(column: FigureColumn) -> float:
    """Return the margin of a column; columns made of rounds are shares."""
    return KINDS["longer-than"].margin if column.above is not None or column.below is not None else column.kind.margin


# --- Columns of games


@dataclass(frozen=True)
class ReadColumns:
    """Columns of one table in n games: ratios, linearised terms (n, columns), and numbers of cases."""

    value: np.ndarray
    terms: np.ndarray
    cases: np.ndarray

    @property
    def error(self) -> np.ndarray:
        """Return the standard errors of the ratios."""
        return np.asarray(self.terms.std(axis=0, ddof=1) / np.sqrt(len(self.terms)))


def read_columns(columns: Sequence[FigureColumn], values: np.ndarray) -> ReadColumns:
    """Return the columns of one table in its games."""
    pairs = [column.read(values) for column in columns]
    y, m = (np.stack([pair[side] for pair in pairs], axis=1) for side in (0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        value = y.sum(axis=0) / m.sum(axis=0)
        terms = np.nan_to_num((y - value * m) / m.mean(axis=0))
    return ReadColumns(value, terms, m.sum(axis=0))


def linked(columns: Sequence[FigureColumn], value: np.ndarray, cases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return values on their links' scales, and the slopes there.

    Shares are shrunk by half a case, so that a share of 0 has finite log odds (J. Haldane, Annals of Human Genetics 20, 1956).
    """
    link = np.array([column.link for column in columns])
    share = (np.nan_to_num(value, nan=0.5) * cases + 0.5) / (cases + 1)
    plain = np.nan_to_num(value)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.where(link == "logit", np.log(share / (1 - share)), np.where(link == "log", np.log(plain), plain))
        slope = np.where(link == "logit", 1 / (share * (1 - share)), np.where(link == "log", 1 / plain, 1.0))
    return scaled, slope


def least_error(columns: Sequence[FigureColumn], part: ReadColumns) -> np.ndarray:
    """Return the standard errors of ratios; of shares at least that of the share with half a case added.

    A share of 0 in n cases is not known to be 0.
    """
    share = (np.nan_to_num(part.value, nan=0.5) * part.cases + 0.5) / (part.cases + 1)
    least = np.sqrt(np.maximum(share * (1 - share), 0) / (part.cases + 1))
    return np.where([column.link == "logit" for column in columns], np.maximum(part.error, least), part.error)


def unlinked(columns: Sequence[FigureColumn], scaled: np.ndarray) -> np.ndarray:
    """Return values from their links' scales."""
    link = np.array([column.link for column in columns])
    bounded = np.clip(scaled, -50, 50)
    return np.where(link == "logit", 1 / (1 + np.exp(-bounded)), np.where(link == "log", np.exp(bounded), scaled))


@dataclass(frozen=True)
class Moved:
    """The changes of columns on their scales: values, variances, and errors by blocks of games.

    Errors of several changes on the same seeds are correlated: their covariance is the product of the blocks.
    """

    value: np.ndarray
    variance: np.ndarray
    blocks: np.ndarray  # (blocks, columns)


def moved(columns: Sequence[FigureColumn], base: np.ndarray, changed: np.ndarray) -> Moved:
    """Return the change of the columns of a table, from pairs of games.

    A column that changes in no pair may still change unseen, in one case out of all: its error is at least that.
    """
    n = len(base)
    before, after = read_columns(columns, base), read_columns(columns, changed)
    (own, slope), (new, steep) = (linked(columns, part.value, part.cases) for part in (before, after))
    terms = (steep * after.terms - slope * before.terms) / n
    least = steep * np.where(after.cases > 0, 1 / np.maximum(after.cases, 1), 1)
    least = np.where([column.link == "log" for column in columns], 1 / n, least)
    blocks = np.add.reduceat(terms, range(0, n, BLOCK), axis=0).astype(np.float32)
    return Moved(new - own, np.maximum(terms.std(axis=0, ddof=1) * np.sqrt(n), least) ** 2, blocks)


def distance_of(bands: Bands, games: Mapping[GoalsTable, np.ndarray]) -> tuple[float, dict[GoalsTable, np.ndarray], np.ndarray]:
    """Return the distance in games by table, its terms for each game of each table, and the values of the columns."""
    values = np.zeros(len(bands.columns))
    parts = {}
    for table in bands.tables:
        at = bands.of_table(table)
        parts[table] = read_columns([bands.columns[i] for i in at], games[table])
        values[at] = parts[table].value
    slope = bands.slope(values)
    return (
        float(bands.distance(values)),
        {table: part.terms @ slope[bands.of_table(table)] for table, part in parts.items()},
        values,
    )


def nearer(a: Mapping[GoalsTable, np.ndarray], b: Mapping[GoalsTable, np.ndarray]) -> float:
    """Return the standard error of the difference of two distances, from their terms game by game on the same seeds."""
    variance = 0.0
    for table, terms in a.items():
        n = min(len(terms), len(b[table]))
        variance += float((terms[:n] - b[table][:n]).var(ddof=1)) / n
    return float(np.sqrt(variance))


# --- What may be changed: numbers of the rules with their legal values, other values of lists, orders and switches, with their
# prices, whole files of house rules, and rulesets with several changes. Each other value of a list is a lever of its own, from
# 0 to 1, and so is a file; two that change the same value exclude each other.

Point = tuple[tuple[int, int], ...]  # changes: (lever, value), by lever
NOTHING: Point = ()
AnyLever = Lever | WordLever | FileLever


@dataclass(frozen=True)
class Choice:
    """A lever, its possible other values in order, and the price of changing it."""

    lever: AnyLever
    values: tuple[int, ...]
    price: float

    @property
    def reach(self) -> int:
        """Return the largest distance of its values from its own."""
        return max(abs(value - self.lever.value) for value in self.values)

    def at_end(self, value: int) -> bool:
        """Return whether a value is the first or the last of its range."""
        return value in (self.values[0], self.values[-1])

    def screened(self) -> list[int]:
        """Return the values that are screened: the lowest below its own and the highest above."""
        below = [value for value in self.values if value < self.lever.value]
        above = [value for value in self.values if value > self.lever.value]
        return [*below[:1], *above[-1:]]

    def between(self, most: int) -> list[int]:
        """Return at most this many evenly spaced values, the screened ones excluded."""
        inner = [value for value in self.values if value not in self.screened()]
        return [inner[round(at)] for at in np.linspace(0, len(inner) - 1, min(most, len(inner)))]


class Space:
    """The changes that goals allow, over a ruleset."""

    def __init__(self, ruleset: Ruleset, choices: Sequence[Choice], at_most: int, playable: Playable | None = None) -> None:
        self.ruleset, self.choices, self.at_most = ruleset, tuple(choices), at_most
        self.playable = playable or Playable(())
        self.rulesets: dict[Point, Ruleset | None] = {NOTHING: ruleset}

    @classmethod
    def of(cls, ruleset: Ruleset, goals: Goals, playable: Playable | None = None) -> Space:
        """Return the changes that goals allow; raise UserError naming the entry that allows none.

        Changes that cannot be played at the tables of `playable` are left out.
        """
        choices: dict[str, Choice] = {}
        playable = playable or Playable(())
        counts, entries = goals.players, []
        for at, entry in enumerate(goals.numbers):
            try:
                entries.append((at, entry, levers(ruleset, (entry.path,), not goals.empty_abilities)))
            except UserError as error:
                where = f"{goals.file}: changes.numbers.{at}.path"
                raise UserError(f"{where}: {str(error).removeprefix('--parameters: ')}", file=goals.file) from None
        # A pattern that matches nothing is named before values are tried, which takes seconds.
        known: dict[str, AnyLever] = {lever.name: lever for *_, matching in entries for lever in matching}
        files = _file_levers(ruleset, goals)
        known |= {lever.name: lever for _, _, fit in _word_levers(ruleset, goals) for lever in fit}
        _left_alone(known | {lever.name: lever for lever, _ in files}, goals)
        for at, entry, matching in entries:
            new = [choice for lever in matching if (choice := _choice(ruleset, lever, entry, counts, playable)) is not None]
            if not new:
                where = f"{goals.file}: changes.numbers.{at}.path"
                none = f"none of the {len(matching)} numbers like {entry.path} has another legal value in its range"
                raise UserError(
                    f"{where}: {none}; expected a wider one (by, from, to)", file=goals.file, field=f"changes.numbers.{at}"
                )
            # A later entry overrides price and range of the same numbers.
            choices |= {choice.lever.name: choice for choice in new}
        choices |= _word_choices(ruleset, goals, playable)
        choices |= _file_choices(ruleset, goals, playable, files)
        alone = _left_alone({name: choice.lever for name, choice in choices.items()}, goals)
        choices = {name: choice for name, choice in choices.items() if name not in alone}
        if not choices:
            raise UserError(
                f"{goals.file}: changes: nothing is left to change; expected fewer patterns under leave", file=goals.file
            )
        return cls(ruleset, list(choices.values()), goals.at_most, playable)

    def __len__(self) -> int:
        return len(self.choices)

    @cached_property
    def options(self) -> list[tuple[int, int]]:
        """Return every single change; values of one number are adjacent."""
        return [(at, value) for at, choice in enumerate(self.choices) for value in choice.values]

    @cached_property
    def paths(self) -> list[frozenset[str]]:
        """Return what each lever changes."""
        return [choice.lever.paths for choice in self.choices]

    @property
    def noun(self) -> str:
        """Return what its levers are called: numbers, or changes if there are others, too."""
        return "number" if all(isinstance(choice.lever, Lever) for choice in self.choices) else "change"

    def point(self, changes: Sequence[tuple[int, int]]) -> Point:
        """Return changes as a point; of several changes of one number the first counts."""
        chosen: list[tuple[int, int]] = []
        for lever, value in changes:
            if all(self.paths[lever].isdisjoint(self.paths[other]) for other, _ in chosen):
                chosen.append((lever, value))
        return tuple(sorted(chosen))

    def price(self, point: Point) -> float:
        """Return the price of the changes."""
        return sum(self.choices[lever].price for lever, _ in point)

    def scaled(self, points: Sequence[Point]) -> np.ndarray:
        """Return how far each point moves each lever, (points, levers), in ranges of the lever."""
        shares = np.zeros((len(points), len(self.choices)))
        for row, point in enumerate(points):
            for lever, value in point:
                choice = self.choices[lever]
                shares[row, lever] = (value - choice.lever.value) / choice.reach
        return shares

    def ruleset_of(self, point: Point) -> Ruleset | None:
        """Return the rules with the changes; None if they are not legal together."""
        if point not in self.rulesets:
            other = changed(self.ruleset, *self._values(point))
            legal = other is not None and self.playable.allows(self.label(point), other)
            self.rulesets[point] = other if legal else None
        return self.rulesets[point]

    def leave_out(self, point: Point, reason: object) -> None:
        """Leave a point out, because its games end with an error."""
        self.rulesets[point] = None
        self.playable.leave_out(self.label(point), reason)

    def label(self, point: Point) -> str:
        """Return the changes as paths with their values."""
        pairs = self._pairs(point)
        return ", ".join(
            f"{lever.name} = {value}" if isinstance(lever := choice.lever, Lever) else lever.name for choice, value in pairs
        )

    def overlay(self, point: Point) -> dict[str, Any]:
        """Return the changes as the content of a house rule."""
        numbers, words, files = self._values(point)
        return merged([*(file.content for file in files), overlay_of(self.ruleset, numbers, words)])

    def _values(self, point: Point) -> tuple[dict[Parameter, int], dict[str, Any], list[FileLever]]:
        """Return the values of numbers that a point moves, of lists, orders and switches by path, and its files."""
        pairs = [(self.choices[lever].lever, value) for lever, value in point]
        numbers = {number: value for lever, value in pairs for number in lever.parameters}
        words = {lever.entry.path: lever.to for lever, _ in pairs if isinstance(lever, WordLever)}
        return numbers, words, [lever for lever, _ in pairs if isinstance(lever, FileLever)]

    def notes(self, point: Point) -> list[str]:
        """Return the changes as patch notes, in the game's words."""
        return [self._note(choice.lever, value) for choice, value in self._pairs(point)]

    def _note(self, lever: AnyLever, value: int) -> str:
        if not isinstance(lever, Lever):
            words = {lever.entry.path: lever.to} if isinstance(lever, WordLever) else {}
            other = changed(self.ruleset, {}, words, [lever] if isinstance(lever, FileLever) else ())
            notes = [] if other is None else [str(note) for note in patch_notes(other.data, self.ruleset.data)]
            text = "; ".join(notes) or lever.name
            return f"{lever.name} ({text})" if isinstance(lever, FileLever) and notes else text
        nothing = NOTHING_LEFT if empties(lever.name, lever.value, value) else ""
        return f"{rules_moved(self.ruleset.data, lever.name, lever.value, value)}{nothing}"

    def at_ends(self, point: Point) -> list[str]:
        """Return the numbers of a point that are at an end of their range, in the game's words."""
        return [
            named(self.ruleset.data, choice.lever.name)
            for choice, value in self._pairs(point)
            if isinstance(choice.lever, Lever) and choice.at_end(value)
        ]

    def _pairs(self, point: Point) -> list[tuple[Choice, int]]:
        return [(self.choices[lever], value) for lever, value in point]


def changed(
    ruleset: Ruleset, values: Mapping[Parameter, int], words: Mapping[str, Any] | None = None, files: Sequence[FileLever] = ()
) -> Ruleset | None:
    """Return the rules with other values, checked once for all of them, and with files; None if they are not legal."""
    words = words or {}
    try:
        for file in files:
            ruleset = with_overlay(ruleset, file.content, file.name)
        if files and not values and not words:
            return ruleset
        if any(number.path.startswith(LEVEL_SPACES) for number in values):  # named by their values: changed one by one
            ruleset, values = change(ruleset, values), {}
            if not words:
                return ruleset
        pairs = {**{number.path: value for number, value in values.items()}, **words}
        name = ", ".join(f"{path} = {value_words(value)}" for path, value in pairs.items())
        return with_overlay(ruleset, overlay_of(ruleset, values, words), name)
    except UserError:
        return None


def _word_levers(ruleset: Ruleset, goals: Goals) -> Iterator[tuple[int, WordsEntry, list[WordLever]]]:
    """Yield the entries of lists, orders and switches with their place and levers; raise UserError for one that fits none."""
    words = words_of(ruleset, not goals.empty_abilities) if goals.words else []
    for at, entry in enumerate(goals.words):
        fit = [each for each in words if fnmatchcase(each.path, entry.path.lower())]
        if not fit:
            place = f"changes.words.{at}.path"
            near = nearest(entry.path, [each.path for each in words])
            none = f"no list, order or switch that may change is like {entry.path}{near}"
            raise UserError(f"{goals.file}: {place}: {none}", file=goals.file, field=place)
        yield at, entry, [WordLever(each, other) for each in fit for other in each.others]


def _word_choices(ruleset: Ruleset, goals: Goals, playable: Playable) -> dict[str, Choice]:
    """Return the other values of lists, orders and switches that are legal, playable, and no rules as before."""
    found = {}
    for _, entry, fit in _word_levers(ruleset, goals):
        for lever in fit:
            other = changed(ruleset, {}, {lever.entry.path: lever.to})
            if other is None or not playable.allows(lever.name, other):
                continue
            if any(not same_play(ruleset, other, count) for count in goals.players):
                found[lever.name] = Choice(lever, (1,), entry.price)
    return found


def _file_levers(ruleset: Ruleset, goals: Goals) -> list[tuple[FileLever, float]]:
    """Return the files of house rules with their prices; raise UserError naming the entry whose file cannot be taken."""
    found = []
    for at, entry in enumerate(goals.files):
        place, beside = f"changes.files.{at}.path", Path(goals.file).parent / entry.path
        try:
            lever = FileLever.of(ruleset, str(beside) if beside.is_file() else entry.path)
        except UserError as error:
            raise UserError(f"{goals.file}: {place}: {error}", file=goals.file, field=place) from None
        found.append((lever, entry.price))
    return found


def _file_choices(
    ruleset: Ruleset, goals: Goals, playable: Playable, files: Sequence[tuple[FileLever, float]]
) -> dict[str, Choice]:
    """Return the files that are playable; raise UserError for one that changes nothing at any of the tables."""
    found = {}
    for at, (lever, price) in enumerate(files):
        other = changed(ruleset, {}, {}, [lever])
        if other is None or all(same_play(ruleset, other, count) for count in goals.players):
            place = f"changes.files.{at}.path"
            text = f"{lever.name} changes nothing at this table; expected house rules that do"
            raise UserError(f"{goals.file}: {place}: {text}", file=goals.file, field=place)
        if playable.allows(lever.name, other):
            found[lever.name] = Choice(lever, (1,), price)
    return found


def _left_alone(levers: Mapping[str, AnyLever], goals: Goals) -> set[str]:
    """Return the names of levers that goals leave alone; raise UserError for a pattern that matches none."""
    names: set[str] = set()
    for at, pattern in enumerate(goals.leave):
        matching = [name for name, lever in levers.items() if _fits(lever, pattern)]
        if not matching:
            path = f"changes.leave.{at}"
            near = nearest(pattern, [path for lever in levers.values() for path in lever.paths])
            raise UserError(
                f"{goals.file}: {path}: nothing that may change is like {pattern}{near}", file=goals.file, field=path
            )
        names.update(matching)
    return names


def _fits(lever: AnyLever, pattern: str) -> bool:
    return any(fnmatchcase(path.lower(), pattern.lower()) for path in lever.paths)


def _choice(ruleset: Ruleset, lever: Lever, entry: NumberEntry, players: Sequence[int], playable: Playable) -> Choice | None:
    """Return the legal values of a lever in the range of an entry; None if there are none.

    Values are tried away from the number's own; none is tried beyond the first illegal one.
    """
    reach = entry.by or lever.reach
    values: list[int] = []
    for side in (-1, 1):
        for far in range(entry.step, reach + 1, entry.step):
            value = lever.value + side * far
            if (entry.lowest is not None and value < entry.lowest) or (entry.highest is not None and value > entry.highest):
                break
            other = changed(ruleset, dict.fromkeys(lever.parameters, value)) if lever.allows(value) else None
            if other is None or not playable.allows(f"{lever.name} = {value}", other):
                break
            if far > entry.step or any(not same_play(ruleset, other, count) for count in players):
                values.append(value)
            else:
                break
    return Choice(lever, tuple(sorted(values)), entry.price) if values else None
