"""Who sat where and who won: equal tables of one or more runs, counted together.

Models of who wins need no more than the different tables and how often each occurred, so a million games take them the
time of a few thousand rows. Runs are read shard by shard. Where many leaders play there are many different tables, a million
with 18 at five seats: what is kept of each is small, and only some of them are worked on at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd

from ..statistics.rates import clustered_rate_columns
from ..tables.cases import Fold, Sample, Selection, as_runs, asked
from ..tables.columns import WHOLE, Words
from ..tables.read import Run

FACTORS = ("leader", "order", "strategy", "seat")
DEFAULT_FACTORS = ("leader", "order", "strategy")
BUCKETS = 128  # parts of the rows that are counted together one after the other
PART = 50_000  # rows at least whose tables are made together


@dataclass(frozen=True)
class Tables:
    """Different tables of games with one number of players, seats in turn order."""

    players: int
    codes: dict[str, np.ndarray]  # factor: (tables, players) codes of its levels
    games: np.ndarray  # (tables,) games of this table
    finished: np.ndarray  # (tables,) of these, games that someone won
    wins: np.ndarray  # (tables, players) sums of the shares of the wins
    products: np.ndarray  # (tables, players, players) sums of the products of two seats' shares


@dataclass
class Part:
    """Some tables as rows, one for each table and outcome with the games that ended so; `tables` makes all else of them."""

    rows: np.ndarray
    players: int
    tables: Callable[[np.ndarray, int], Tables]

    def where(self, keep: Callable[[np.ndarray], np.ndarray]) -> Part:
        """Return the tables of the rows that `keep` marks, counted together whatever the cards in play."""
        kept = self.rows[keep(self.rows)]
        names = [name for name in kept.dtype.names or () if name != "cards"]
        rows = np.zeros(len(kept), [(name, kept.dtype[name]) for name in names])
        for name in names:
            rows[name] = kept[name]
        return replace(self, rows=_counted([rows]))


class Parts(Sequence[Tables]):
    """Tables in parts, each made when it is looked at: together they would take ten times the memory of their rows."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        self._last: tuple[int, Tables] | None = None

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, place: int) -> Tables:  # type: ignore[override]
        if self._last is None or self._last[0] != place:
            part = self.parts[place]
            self._last = place, part.tables(part.rows, part.players)
        return self._last[1]


def each(tables: Sequence[Tables], change: Callable[[Tables], Tables]) -> Sequence[Tables]:
    """Return the tables with a change."""
    if not isinstance(tables, Parts):
        return [change(t) for t in tables]
    return Parts([replace(part, tables=partial(_changed, part.tables, change)) for part in tables.parts])


def _changed(make: Callable[..., Tables], change: Callable[[Tables], Tables], *rows: Any) -> Tables:
    return change(make(*rows))


@dataclass(frozen=True, eq=False)
class Outcomes:
    """All that the models need of one or more runs: the levels of each factor, and the tables, in parts of one player count.

    Two of them are equal only if they are the same object: fits are kept by it.
    """

    levels: dict[str, list[str]]
    tables: Sequence[Tables]
    cards: list[str] = field(default_factory=list)
    teams: bool = False  # a house rule lets partners win together

    @cached_property
    def games(self) -> int:
        """Number of games."""
        return int(sum(t.games.sum() for t in self.tables))

    @cached_property
    def finished(self) -> dict[int, float]:
        """Games that somebody won by number of players."""
        found: dict[int, float] = {}
        for t in self.tables:
            found[t.players] = found.get(t.players, 0.0) + float(t.finished.sum())
        return found

    def where_card(self, card: int, in_play: bool) -> Outcomes:
        """Return the tables that had the victory card in play, or had it not."""
        assert isinstance(self.tables, Parts)
        kept = [part.where(lambda rows: (rows["cards"] >> card & 1 == 1) == in_play) for part in self.tables.parts]
        return replace(self, tables=Parts([part for part in kept if len(part.rows)]))

    def by_players(self) -> dict[int, Outcomes]:
        """Return the tables by number of players."""
        return {players: self.with_players(players) for players in self.finished}

    def with_players(self, players: int) -> Outcomes:
        """Return the tables with so many players."""
        if list(self.finished) == [players]:
            return self
        if isinstance(self.tables, Parts):
            return replace(self, tables=Parts([part for part in self.tables.parts if part.players == players]))
        return replace(self, tables=[t for t in self.tables if t.players == players])


Runs = Run | Sequence[Run] | Sample | Outcomes


def outcomes(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS, cards: bool = True) -> Outcomes:
    """Read the runs, shard by shard, and count equal tables together; with `cards`, `where_card` can split the games.

    Every function here also takes what this one returns: several questions then read the runs once.
    """
    if isinstance(runs, Outcomes):
        return runs
    names = [factor for factor in factors if factor != "order"]
    columns = ["there", "order", "won", *(["cards"] if cards else []), *(name for name in names if name != "seat")]
    words, found = Words(), dict[int, list[np.ndarray]]()
    if isinstance(runs, Sample):
        words = runs.words
        for players in sorted({s.games.players for s in runs}):
            chosen = (_rows(s, names, cards)[s.chosen] for s in runs if s.games.players == players and s.chosen.any())
            found[players] = list(_different(chosen))
        found = {players: rows for players, rows in found.items() if sum(map(len, rows))}
    else:
        for players in sorted({run.players for run in as_runs(runs)}):
            sample = asked([run for run in as_runs(runs) if run.players == players], columns, words=words)
            found[players] = list(_different(_rows(s, names, cards) for s in sample))
    seats = [str(seat) for seat in range(max(found))]
    levels = {name: seats if name == "seat" else getattr(words, name) for name in names}
    # Levels in alphabetical order, whatever the order of the shards.
    order = {name: np.argsort(np.argsort(known)).astype(np.int8) for name, known in levels.items()}
    parts = [Part(rows, players, partial(_tables, order)) for players, whole in found.items() for rows in whole]
    teams = not isinstance(runs, Sample) and any(getattr(run, "has_teams", False) for run in as_runs(runs))
    found_levels = {name: sorted(known) for name, known in levels.items()}
    whole = Outcomes(found_levels, Parts(parts), words.card, teams)
    return present(whole) if isinstance(runs, Sample) else whole  # its names are those of other runs, too


def _rows(s: Selection, names: list[str], cards: bool) -> np.ndarray:
    """Return one row a game, in few bytes: the codes of its table, the cards in play, the shares of the win, 1."""
    games, n, p = s.games, len(s.games), s.games.players
    turn = np.argsort(games.order, axis=1)

    def in_turn_order(values: np.ndarray) -> np.ndarray:
        return np.take_along_axis(values, turn, axis=1)

    width = np.min_scalar_type(-int(games.cards.max(initial=0)) - 1) if cards else None
    kept = [("codes", "i1", (len(names) * p,)), *([("cards", width)] if cards else []), ("shares", "i1", (p,)), ("games", "u4")]
    rows = np.zeros(n, kept)
    for i, name in enumerate(names):
        rows["codes"][:, i * p : (i + 1) * p] = turn if name == "seat" else in_turn_order(getattr(games, name))
    if cards:
        rows["cards"] = games.cards
    rows["shares"], rows["games"] = in_turn_order(games.won), 1
    return rows


def _different(parts: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """Count equal rows together; yield them in parts, all rows of a table in the same one."""
    buckets = [Fold(_counted, PART // BUCKETS) for _ in range(BUCKETS)]
    for rows in parts:
        rows = _counted([rows])
        codes = rows["codes"].astype(np.uint32)
        factors = np.random.default_rng(0).integers(1, 1 << 32, codes.shape[1], np.uint32) | 1
        bucket = (codes * factors).sum(axis=1, dtype=np.uint32) // np.uint32((1 << 32) // BUCKETS)
        order = np.argsort(bucket, kind="stable")
        ends = np.searchsorted(bucket[order], np.arange(1, BUCKETS))
        for fold, some in zip(buckets, np.split(rows[order], ends), strict=True):
            fold.add(some)
    small: list[np.ndarray] = []
    while buckets:
        small.append(buckets.pop().whole())
        if sum(map(len, small)) >= PART or not buckets:
            yield np.concatenate(small)
            small = []


def _counted(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Add up the games of rows that are equal in all else, in the order of their codes first."""
    rows = np.concatenate(parts)
    key = np.zeros(len(rows), np.int64)
    cards = [rows["cards"]] if "cards" in (rows.dtype.names or ()) else []
    for column in (*rows["codes"].T, *cards, *rows["shares"].T):
        size = int(column.max(initial=0)) + 1
        if int(key.max(initial=0)) >= 2**62 // size:  # close ranks before the number overflows
            key = np.unique(key, return_inverse=True)[1]
        key = key * size + column
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    found = rows[first]
    found["games"] = np.bincount(inverse, rows["games"], len(first))
    return found


def _tables(order: Mapping[str, np.ndarray], rows: np.ndarray, players: int) -> Tables:
    """Return the tables of rows, whose codes become those in this order of the levels."""
    new = np.r_[True, (rows["codes"][1:] != rows["codes"][:-1]).any(axis=1)][: len(rows)]
    first = np.flatnonzero(new)
    codes = {
        name: known[rows["codes"][first, i * players : (i + 1) * players]] for i, (name, known) in enumerate(order.items())
    }
    codes["order"] = np.broadcast_to(np.arange(players), (len(first), players))
    games, share = rows["games"].astype(float), rows["shares"] / WHOLE
    won = games[:, None] * share

    def summed(values: np.ndarray) -> np.ndarray:
        return np.add.reduceat(values, first) if len(first) else values

    products = np.zeros((len(first), players, players))
    for seat in range(players):
        products[:, seat, seat] = summed(won[:, seat] * share[:, seat])
    shared = np.flatnonzero((share > 0).sum(axis=1) > 1)  # few are
    table = np.cumsum(new)[shared] - 1
    one, other = np.nonzero(~np.eye(players, dtype=bool))
    np.add.at(products, (table[:, None], one, other), won[shared][:, one] * share[shared][:, other])
    wins = np.stack([summed(won[:, seat]) for seat in range(players)], axis=1)
    return Tables(players, codes, summed(games), summed(games * share.any(axis=1)), wins, products)


def observed(data: Outcomes, factor: str) -> pd.DataFrame:
    """Return games and wins of each level as they were."""
    n, wins = np.zeros(len(data.levels[factor])), np.zeros(len(data.levels[factor]))
    for t in data.tables:
        codes = t.codes[factor].ravel()
        n += np.bincount(codes, np.repeat(t.games, t.players), len(n))
        wins += np.bincount(codes, t.wins.ravel(), len(n))
    return pd.DataFrame({factor: data.levels[factor], "n": n.astype(np.int64), "wins": wins})


def observed_rates(data: Outcomes, factor: str) -> dict[str, np.ndarray]:
    """Return the columns `win_rate` of each level as it was; a game with several seats of a level is one case."""
    frame = observed(data, factor)
    n, wins = frame["n"].to_numpy(float), frame["wins"].to_numpy()
    rate = np.divide(wins, n, out=np.zeros(len(n)), where=n > 0)
    squares = np.zeros(len(n))
    for t in data.tables:
        for level in range(len(n)):
            mine = (t.codes[factor] == level).astype(float)  # (tables, players)
            y, m = np.einsum("ts,ts->t", mine, t.wins), mine.sum(axis=1)
            yy = np.einsum("ts,tsu,tu->t", mine, t.products, mine)
            squares[level] += (yy - 2 * rate[level] * y * m + rate[level] ** 2 * m**2 * t.games).sum()
    return clustered_rate_columns(wins, n, squares, "win_rate")


def decided(data: Outcomes, factor: str) -> np.ndarray:
    """Return for each level the games that somebody won: those that the model is fitted to."""
    n = np.zeros(len(data.levels[factor]))
    for t in data.tables:
        n += np.bincount(t.codes[factor].ravel(), np.repeat(t.finished, t.players), len(n))
    return n


def present(data: Outcomes) -> Outcomes:
    """Drop the levels that do not occur in these tables; return the same object if all do."""
    seen = {factor: np.zeros(len(known), bool) for factor, known in data.levels.items()}
    for t in data.tables:
        for factor, there in seen.items():
            there[t.codes[factor]] = True
    if all(there.all() for there in seen.values()):
        return data
    lookup = {factor: (np.cumsum(there) - 1).astype(np.int16) for factor, there in seen.items()}
    levels = {factor: [known[i] for i in np.flatnonzero(seen[factor])] for factor, known in data.levels.items()}
    return replace(data, levels=levels, tables=each(data.tables, partial(_recoded, lookup)))


def _recoded(lookup: Mapping[str, np.ndarray], t: Tables) -> Tables:
    return replace(t, codes={factor: lookup[factor][code] if factor in lookup else code for factor, code in t.codes.items()})
