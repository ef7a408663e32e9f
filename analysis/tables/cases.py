"""What is counted: games, and the seats in them that count, one selection after the other.

`asked` makes a sample of runs: all of their games, read shard by shard, so that memory does not grow with them. The explorer
makes one of games in memory under a filter. Functions of `analysis.summaries` take either, so both are counted the same way:
a function from a selection to sums, arrays by the codes of names or by rounds, which `added` adds up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np
import pandas as pd

from .columns import WHOLE, Games, Words, wanted
from .read import Run

T = TypeVar("T", pd.DataFrame, np.ndarray)
OUTCOMES = 2 * (WHOLE + 1)  # of a seat: its share of the win, and whether anyone won
ROWS_AT_ONCE = 1 << 18  # rows of partial counts that are kept before they are counted together


@dataclass(frozen=True)
class Selection:
    """Games, (n,), and the seats that count in them, (n, p)."""

    games: Games
    chosen: np.ndarray
    counting: np.ndarray

    @cached_property
    def all_seats(self) -> bool:
        """Say whether every seat of the chosen games counts."""
        return bool(np.count_nonzero(self.counting) == self.games.players * np.count_nonzero(self.chosen))

    @cached_property
    def seats(self) -> np.ndarray:
        """Return the counted seats: game * players + seat."""
        return np.flatnonzero(self.counting).astype(np.int32)

    @cached_property
    def game(self) -> np.ndarray:
        """Return the game of each counted seat."""
        return self.seats // np.int32(self.games.players)

    @cached_property
    def wins(self) -> np.ndarray:
        """Return the counted shares of the win, in sixtieths, 0 where a seat does not count: one after the other."""
        return (self.games.won * self.counting).ravel()

    def of_seats(self, column: np.ndarray) -> np.ndarray:
        """Return the values of a column by game and seat at the counted seats."""
        return column.ravel()[self.seats]

    def tally(self, key: np.ndarray, shape: tuple[int, ...], kept: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Return sums of the counted seats (of those kept) by a key, a place in the shape.

        `n`, `wins` and their `squares`, `fair` and `unfinished`.
        """
        size = int(np.prod(shape))
        code = key.astype(np.int16 if size * OUTCOMES < 2**15 else np.int64) * OUTCOMES + self.of_seats(self.games.outcome)
        count = np.bincount(code if kept is None else code[kept], minlength=size * OUTCOMES).reshape(*shape, OUTCOMES)
        n = count.sum(axis=-1)
        share = np.arange(OUTCOMES) // 2 / WHOLE
        found = {"n": n, "wins": count @ share, "squares": count @ share**2}
        return found | {"fair": n / self.games.players, "unfinished": count[..., 1::2].sum(axis=-1)}


class Everything(Selection):
    """All games, and every seat that has a row."""

    def __init__(self, games: Games) -> None:
        object.__setattr__(self, "games", games)

    @cached_property
    def chosen(self) -> np.ndarray:  # type: ignore[override]
        """Return that every game is chosen."""
        return np.ones(len(self.games), bool)

    @cached_property
    def counting(self) -> np.ndarray:  # type: ignore[override]
        """Return the seats that have a row."""
        return self.games.there


@dataclass(frozen=True)
class Sample:
    """Selections, and the names that all of them share: all are known once the last selection has been counted."""

    words: Words
    selections: Iterable[Selection]

    def __iter__(self) -> Iterator[Selection]:
        return iter(self.selections)


Runs = Run | Sequence[Run] | Sample  # several are pooled


def as_runs(runs: Runs) -> list[Run]:
    """Return one run or several as a list."""
    if isinstance(runs, Sample):
        raise TypeError("a sample of games has no folders; expected runs")
    return list(runs) if isinstance(runs, Sequence) else [runs]


def asked(runs: Runs, columns: Iterable[str], numbers: Iterable[str] = (), words: Words | None = None) -> Sample:
    """Return all games of the runs, shard by shard, with these columns of Games; a sample is what it is."""
    if isinstance(runs, Sample):
        return runs
    names, tables = words or Words(), wanted(columns, numbers)
    return Sample(
        names, (Everything(Games(piece, run.players, names)) for run in as_runs(runs) for piece in run.pieces(tables))
    )


def added(parts: Iterable[Mapping[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Add arrays up by name. What one of them lacks at the end of an axis, for a name or a round that came later, is 0."""
    total: dict[str, np.ndarray] = {}
    for part in parts:
        for name, values in part.items():
            total[name] = _plus(total[name], values) if name in total else values
    return total


def _plus(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    if one.shape == other.shape:
        return one + other
    shape = tuple(np.maximum(one.shape, other.shape))
    total = np.zeros(shape, np.result_type(one, other))
    for values in (one, other):
        total[tuple(slice(size) for size in values.shape)] += values
    return total


def counted_together(parts: Iterable[pd.DataFrame], keys: Sequence[str]) -> pd.DataFrame:
    """Add up the rows of tables with equal keys, in the order of these; no more is kept than the different ones, and a few."""
    return folded(parts, lambda tables: pd.concat(tables).groupby(list(keys), as_index=False, sort=True).sum())


class Fold(Generic[T]):
    """Parts that are put together, a bounded number of rows at a time."""

    def __init__(self, together: Callable[[list[T]], T], spare: int | None = None) -> None:
        self._together: Callable[[list[T]], T] = together
        self._spare = ROWS_AT_ONCE if spare is None else spare
        self._kept: list[T] = []
        self._rows = 0

    def add(self, part: T) -> None:
        """Add a part."""
        self._kept.append(part)
        self._rows += len(part)
        if self._rows > 1.2 * len(self._kept[0]) + self._spare:
            self._kept = [self._together(self._kept)]
            self._rows = len(self._kept[0])

    def whole(self) -> T:
        """Return all parts put together."""
        return self._together(self._kept)


def folded(parts: Iterable[T], together: Callable[[list[T]], T]) -> T:
    """Return all parts put together, a bounded number of rows at a time."""
    fold = Fold(together)
    for part in parts:
        fold.add(part)
    return fold.whole()


def by_name(names: Sequence[str], key: str, sums: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return sums by the code of a name as a table, names in alphabetical order."""
    frame = pd.DataFrame({key: np.array(names, object), **{name: values[: len(names)] for name, values in sums.items()}})
    return frame.sort_values(key, ignore_index=True)
