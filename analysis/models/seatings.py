"""Who sat where and who won: equal tables of one or more runs, counted together.

Models of who wins need no more than the different tables and how often each occurred, so a million games take them the
time of a few thousand rows. Runs are read shard by shard.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ..statistics.rates import clustered_rate_columns
from ..tables.cases import Selection, as_runs, asked, folded
from ..tables.columns import WHOLE, Words
from ..tables.read import Run

FACTORS = ("leader", "order", "strategy", "seat")
DEFAULT_FACTORS = ("leader", "order", "strategy")


@dataclass(frozen=True)
class Tables:
    """The different tables of the games with one number of players, seats in turn order."""

    players: int
    codes: dict[str, np.ndarray]  # factor: (tables, players) codes of its levels
    cards: np.ndarray  # (tables,) victory cards in play, one bit each
    games: np.ndarray  # (tables,) games of this table
    finished: np.ndarray  # (tables,) of these, games that someone won
    wins: np.ndarray  # (tables, players) sums of the shares of the wins
    products: np.ndarray  # (tables, players, players) sums of the products of two seats' shares

    def where(self, keep: np.ndarray) -> Tables:
        """Return the tables that `keep` marks."""
        codes = {factor: code[keep] for factor, code in self.codes.items()}
        rest = (getattr(self, name)[keep] for name in ("cards", "games", "finished", "wins", "products"))
        return Tables(self.players, codes, *rest)

    def without_cards(self) -> Tables:
        """Return the tables counted together whatever the cards in play."""
        factors = [factor for factor in self.codes if factor != "order"]  # seats are in turn order
        keys = np.concatenate([self.codes[factor] for factor in factors], axis=1)
        _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        codes = {factor: code[first] for factor, code in self.codes.items()}

        def summed(values: np.ndarray) -> np.ndarray:
            total = np.zeros((len(first), *values.shape[1:]))
            np.add.at(total, group.ravel(), values)
            return total

        rest = (summed(getattr(self, name)) for name in ("games", "finished", "wins", "products"))
        return Tables(self.players, codes, np.zeros(len(first), np.int64), *rest)


@dataclass(frozen=True, eq=False)
class Outcomes:
    """All that the models need of one or more runs: the levels of each factor, and the tables by player count.

    Two of them are equal only if they are the same object: fits are kept by it.
    """

    levels: dict[str, list[str]]
    cards: list[str]
    tables: list[Tables]
    teams: bool = False  # a house rule lets partners win together

    def where_card(self, card: int, in_play: bool) -> Outcomes:
        """Return the tables that had the victory card in play, or had it not."""
        kept = [t.where((t.cards >> card & 1 == 1) == in_play) for t in self.tables]
        return replace(self, tables=[t for t in kept if len(t.games)])

    def without_cards(self) -> Outcomes:
        """Return the outcomes with tables counted together that differ in nothing but the victory cards in play."""
        return replace(self, cards=[], tables=[t.without_cards() for t in self.tables])

    def with_players(self, players: int) -> Outcomes:
        """Return the tables with so many players."""
        if all(t.players == players for t in self.tables):
            return self
        return replace(self, tables=[t for t in self.tables if t.players == players])


Runs = Run | Sequence[Run] | Outcomes


def outcomes(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS, cards: bool = True) -> Outcomes:
    """Read the runs, shard by shard, and count equal tables together, with `cards` only those with the same cards in play.

    Every function here also takes what this one returns: several questions then read the runs once.
    """
    if isinstance(runs, Outcomes):
        return runs
    names = [factor for factor in factors if factor != "order"]
    columns = ["there", "order", "won", *(["cards"] if cards else []), *(name for name in names if name != "seat")]
    words, found = Words(), {}
    for players in sorted({run.players for run in as_runs(runs)}):
        sample = asked([run for run in as_runs(runs) if run.players == players], columns, words=words)
        found[players] = folded((_count([_rows(s, names, cards)]) for s in sample), _count)
    seats = [str(seat) for seat in range(max(found))]
    levels = {name: seats if name == "seat" else getattr(words, name) for name in names}
    # Levels in alphabetical order, whatever the order of the shards.
    order = {name: np.argsort(np.argsort(known)) for name, known in levels.items()}
    tables = [_tables(whole, players, names, order) for players, whole in found.items()]
    teams = any(getattr(run, "has_teams", False) for run in as_runs(runs))
    return Outcomes({name: sorted(known) for name, known in levels.items()}, words.card, tables, teams)


def _rows(s: Selection, names: list[str], cards: bool) -> np.ndarray:
    """Return one row a game: the codes of its table, the cards in play; 1, finished, shares, products of two seats' shares."""
    games, n, p = s.games, len(s.games), s.games.players
    turn = np.argsort(games.order, axis=1)

    def in_turn_order(values: np.ndarray) -> np.ndarray:
        return np.take_along_axis(values, turn, axis=1)

    won, (one, other) = in_turn_order(games.won) / WHOLE, np.triu_indices(p)
    sums = np.column_stack([np.ones(n), won.any(axis=1), won, won[:, one] * won[:, other]])
    # In few bytes: where many leaders play, there are many different tables.
    rows = np.zeros(n, [("codes", "i1", (len(names) * p,)), ("cards", "i8"), ("sums", "f8", sums.shape[1:])])
    for i, name in enumerate(names):
        rows["codes"][:, i * p : (i + 1) * p] = turn if name == "seat" else in_turn_order(getattr(games, name))
    rows["cards"] = games.cards if cards else 0
    rows["sums"] = sums
    return rows


def _count(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Add up the sums of rows with equal codes and cards."""
    rows = np.concatenate(parts)
    key = np.zeros(len(rows), np.int64)
    for column in (*rows["codes"].T, rows["cards"]):
        size = int(column.max()) + 1
        if int(key.max()) >= 2**62 // size:  # close ranks before the number overflows
            key = np.unique(key, return_inverse=True)[1]
        key = key * size + column
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    found = rows[first]
    for i, column in enumerate(rows["sums"].T):
        found["sums"][:, i] = np.bincount(inverse, column, len(first))
    return found


def _tables(whole: np.ndarray, players: int, columns: list[str], order: Mapping[str, np.ndarray]) -> Tables:
    codes = {}
    for i, name in enumerate(columns):
        codes[name] = order[name].astype(np.int8)[whole["codes"][:, i * players : (i + 1) * players]]
    codes["order"] = np.broadcast_to(np.arange(players), (len(whole), players))
    games, finished, wins = whole["sums"][:, 0], whole["sums"][:, 1], whole["sums"][:, 2 : 2 + players]
    products, (one, other) = np.zeros((len(whole), players, players)), np.triu_indices(players)
    products[:, one, other] = products[:, other, one] = whole["sums"][:, 2 + players :]
    return Tables(players, codes, whole["cards"], games, finished, wins, products)


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
    levels, tables = dict(data.levels), list(data.tables)
    for factor in data.levels:
        seen = np.unique(np.concatenate([t.codes[factor].ravel() for t in tables])) if tables else np.array([], int)
        if len(seen) == len(levels[factor]):
            continue
        lookup = np.full(len(data.levels[factor]), -1)
        lookup[seen] = np.arange(len(seen))
        levels[factor] = [data.levels[factor][i] for i in seen]
        for i, t in enumerate(tables):
            codes = {**t.codes, factor: lookup[t.codes[factor]]}
            tables[i] = Tables(t.players, codes, t.cards, t.games, t.finished, t.wins, t.products)
    return data if levels == data.levels else replace(data, levels=levels, tables=tables)
