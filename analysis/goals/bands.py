"""How far games are from their goals: what each wish asks of which columns of the tables, and the distance added up.

A column is a ratio Σy / Σm of one figure at one table. A wish's miss is how far its column lies outside the band, in units of
what matters (two points, one round, half a deed a game); of several strategies the worst counts. The distance is the sum
of all misses times their weights: 0 where every figure lies in its band. The median lies in a band if at most half of the
games are shorter, and at most half are longer: two columns that are shares, of which the worse counts.

Errors come from the linearised terms of the games (the delta method): t = (y - v m) / mean m, one a game. Games of the same
seed under two rulesets are pairs, so what they have in common cancels; games of different tables are independent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .figures import KINDS, Figure, Kind
from .games import Table
from .wishes import Goals, Wish

HALF = 0.5  # of the games
BLOCK = 2  # games


@dataclass(frozen=True)
class Column:
    """A figure at a table: its place among those of the table; of rounds the share of games above or below a number."""

    table: Table
    place: int
    kind: Kind
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
        """Say whether it is a mean over games, and no share of cases."""
        return self.kind.mean and self.above is None and self.below is None

    @property
    def unit(self) -> str:
        """Return the unit of its values: games with more or fewer rounds are a share."""
        return self.kind.unit if self.above is None and self.below is None else "share"

    @property
    def link(self) -> str:
        """Return the scale on which changes add up: log odds of shares, logarithms of lengths."""
        if self.kind.unit == "rounds" and self.is_mean:
            return "log"
        return "plain" if self.kind.unit == "number" or self.kind.word == "effect" else "logit"


@dataclass(frozen=True)
class Entry:
    """What a wish asks of a column."""

    wish: int
    column: int
    low: float
    high: float


class Bands:
    """The wishes of goals as columns of tables with bands."""

    def __init__(self, goals: Goals, figures: Sequence[Figure], ways: Sequence[str] | None = None) -> None:
        self.wishes, self.figures = goals.wishes, tuple(figures)
        self.columns: list[Column] = []
        self.entries: list[Entry] = []
        for place, wish in enumerate(goals.wishes):
            for way in ways or goals.ways:
                self.entries += [Entry(place, self._column(column), low, high) for column, low, high in self._asked(wish, way)]
        self.tables = list(dict.fromkeys(column.table for column in self.columns))

    def _asked(self, wish: Wish, way: str) -> list[tuple[Column, float, float]]:
        """Return the columns that a wish asks about at the tables of a strategy, with their bands."""
        infinite = float("inf")
        table, kind = Table(wish.players, way), wish.kind
        if kind.word == "effect":
            return [(Column(Table(wish.players, way, wish.figure.subject[0]), 0, kind), wish.low, wish.high)]
        rounds = self.figures.index(Figure(KINDS["game-length"]))
        if kind.word == "longer-than":
            return [(Column(table, rounds, kind, above=wish.rounds), wish.low, wish.high)]
        if kind.word == "median-length":
            found = []
            if wish.low > 0:
                found.append((Column(table, rounds, kind, below=wish.low), -infinite, HALF))
            if wish.high < infinite:
                found.append((Column(table, rounds, kind, above=wish.high), -infinite, HALF))
            return found
        return [(Column(table, self.figures.index(wish.figure), kind), wish.low, wish.high)]

    def _column(self, column: Column) -> int:
        if column not in self.columns:
            self.columns.append(column)
        return self.columns.index(column)

    @cached_property
    def _arrays(self) -> tuple[np.ndarray, ...]:
        """Return the entries as arrays: column, low, high, and units of what matters to one of the wish's distance."""
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
        """Return the ends of the bands drawn in by so much of each column, at most to a tenth of their width."""
        column, low, high, _ = self._arrays
        width = np.where(np.isfinite(high - low), high - low, np.inf)
        reach = np.minimum(inset[column], 0.45 * width)
        return low + reach, high - reach

    def misses(self, values: np.ndarray, ends: tuple[np.ndarray, np.ndarray] | None = None) -> np.ndarray:
        """Return how far each wish is missed, (…, wishes), by values of the columns, (…, columns)."""
        return np.maximum(self.beyond(values, ends), 0)

    def beyond(self, values: np.ndarray, ends: tuple[np.ndarray, np.ndarray] | None = None) -> np.ndarray:
        """Return how far each wish lies beyond the nearer end of its band, (…, wishes): below 0 within."""
        column, low, high, scale = self._arrays
        low, high = ends or (low, high)
        found = np.asarray(values)[..., column]
        out = np.maximum(low - found, found - high) * scale
        return np.asarray(np.maximum.reduceat(np.where(np.isnan(out), 0.0, out), self._starts, axis=-1))

    def distance(self, values: np.ndarray, ends: tuple[np.ndarray, np.ndarray] | None = None) -> np.ndarray:
        """Return the distance from the goals."""
        return np.asarray(self.misses(values, ends).sum(axis=-1))

    def slope(self, values: np.ndarray) -> np.ndarray:
        """Return how the distance changes with each column, at values (columns,)."""
        column, low, high, scale = self._arrays
        found = values[column]
        sign = np.where(found < low, -1.0, np.where(found > high, 1.0, 0.0))
        out = np.nan_to_num(np.maximum(np.maximum(low - found, found - high), 0) * scale)
        slope = np.zeros(len(self.columns))
        for start, end in zip(self._starts, [*self._starts[1:], len(column)], strict=True):
            worst = start + int(np.argmax(out[start:end]))
            slope[column[worst]] += sign[worst] * scale[worst]
        return slope

    def of_table(self, table: Table) -> np.ndarray:
        """Return the places of the columns of a table."""
        return np.flatnonzero([column.table == table for column in self.columns])


def reach_of(column: Column, value: float) -> float:
    """Return what matters of a column on its scale: of shares in the middle, of lengths at a value."""
    margin = margin_of(column)
    if column.link == "logit":
        return margin / HALF**2
    return margin / max(value, 1.0) if column.link == "log" else margin


def margin_of(column: Column) -> float:
    """Return what matters of a column: shares made of rounds are shares."""
    return KINDS["longer-than"].margin if column.above is not None or column.below is not None else column.kind.margin


# --- Columns of games


@dataclass(frozen=True)
class Read:
    """Columns of one table in n games: their ratios, their linearised terms (n, columns), and how many cases there are."""

    value: np.ndarray
    terms: np.ndarray
    cases: np.ndarray

    @property
    def error(self) -> np.ndarray:
        """Return the standard errors of the ratios."""
        return np.asarray(self.terms.std(axis=0, ddof=1) / np.sqrt(len(self.terms)))


def read_columns(columns: Sequence[Column], values: np.ndarray) -> Read:
    """Return the columns of one table in its games."""
    pairs = [column.read(values) for column in columns]
    y, m = (np.stack([pair[side] for pair in pairs], axis=1) for side in (0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        value = y.sum(axis=0) / m.sum(axis=0)
        terms = np.nan_to_num((y - value * m) / m.mean(axis=0))
    return Read(value, terms, m.sum(axis=0))


def linked(columns: Sequence[Column], value: np.ndarray, cases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return values on the scales on which changes add up, and the scales' slopes there.

    Shares are drawn in by half a case, so that one that was never seen has log odds, too.
    """
    link = np.array([column.link for column in columns])
    share = (np.nan_to_num(value, nan=0.5) * cases + 0.5) / (cases + 1)
    plain = np.nan_to_num(value)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.where(link == "logit", np.log(share / (1 - share)), np.where(link == "log", np.log(plain), plain))
        slope = np.where(link == "logit", 1 / (share * (1 - share)), np.where(link == "log", 1 / plain, 1.0))
    return scaled, slope


def least_error(columns: Sequence[Column], part: Read) -> np.ndarray:
    """Return the standard errors of ratios: of shares at least what half a case more or less makes.

    A share that was never seen in n cases is no 0 for sure.
    """
    share = (np.nan_to_num(part.value, nan=0.5) * part.cases + 0.5) / (part.cases + 1)
    least = np.sqrt(np.maximum(share * (1 - share), 0) / (part.cases + 1))
    return np.where([column.link == "logit" for column in columns], np.maximum(part.error, least), part.error)


def unlinked(columns: Sequence[Column], scaled: np.ndarray) -> np.ndarray:
    """Return values from the scales on which changes add up."""
    link = np.array([column.link for column in columns])
    bounded = np.clip(scaled, -50, 50)
    return np.where(link == "logit", 1 / (1 + np.exp(-bounded)), np.where(link == "log", np.exp(bounded), scaled))


@dataclass(frozen=True)
class Moved:
    """What a change moves of columns, on their scales: the values, their variances, and their errors by blocks of games.

    Errors of several changes on the same seeds go together: their covariance is the product of the blocks.
    """

    value: np.ndarray
    variance: np.ndarray
    blocks: np.ndarray  # (blocks, columns)


def moved(columns: Sequence[Column], base: np.ndarray, changed: np.ndarray) -> Moved:
    """Return what a change moves of the columns of a table, from pairs of games.

    A column that no pair changes may still change unseen, in one case out of all: its error is at least that.
    """
    n = len(base)
    before, after = read_columns(columns, base), read_columns(columns, changed)
    (own, slope), (new, steep) = (linked(columns, part.value, part.cases) for part in (before, after))
    terms = (steep * after.terms - slope * before.terms) / n
    least = steep * np.where(after.cases > 0, 1 / np.maximum(after.cases, 1), 1)
    least = np.where([column.link == "log" for column in columns], 1 / n, least)
    blocks = np.add.reduceat(terms, range(0, n, BLOCK), axis=0).astype(np.float32)
    return Moved(new - own, np.maximum(terms.std(axis=0, ddof=1) * np.sqrt(n), least) ** 2, blocks)


def distance_of(bands: Bands, games: Mapping[Table, np.ndarray]) -> tuple[float, dict[Table, np.ndarray], np.ndarray]:
    """Return the distance in games by table, its term for each game of each table, and the values of the columns."""
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


def nearer(one: Mapping[Table, np.ndarray], other: Mapping[Table, np.ndarray]) -> float:
    """Return the standard error of the difference of two distances, by their terms, game by game on the same seeds."""
    variance = 0.0
    for table, terms in one.items():
        n = min(len(terms), len(other[table]))
        variance += float((terms[:n] - other[table][:n]).var(ddof=1)) / n
    return float(np.sqrt(variance))
