"""The model of who wins a table: outcomes counted by seating, and the conditional logit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import permutations, product
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted
from ..stats.rates import clustered_rate_columns
from .decoded_games import WHOLE, CodeNames
from .read import Fold, Run, Sample, Selection, as_runs, sample_of

# --- Who sat where and who won: equal tables of one or more runs, counted together
#
# Models of who wins need only the different tables and how often each occurred, so a million games take the time of a few
# thousand rows. Runs are read shard by shard. Many leaders make many different tables (a million with 18 leaders at five
# seats), so each is stored in few bytes and only some are expanded at a time.

FACTORS = ("leader", "order", "strategy", "seat")
DEFAULT_FACTORS = ("leader", "order", "strategy")
BUCKETS = 128  # parts of the rows that are counted together one after the other
PART = 50_000  # the fewest rows whose tables are made together


@dataclass(frozen=True)
class TableOutcomes:
    """Different tables of games with one number of players, seats in turn order."""

    players: int
    codes: dict[str, np.ndarray]  # factor: (tables, players) codes of its levels
    games: np.ndarray  # (tables,) games of this table
    finished: np.ndarray  # (tables,) of these, games that someone won
    wins: np.ndarray  # (tables, players) sums of the shares of the wins
    products: np.ndarray  # (tables, players, players) sums of the products of two seats' shares


@dataclass
class OutcomeRows:
    """Some tables as rows, one for each table and outcome with the number of such games; `tables` expands them."""

    rows: np.ndarray
    players: int
    tables: Callable[[np.ndarray, int], TableOutcomes]

    def where(self, keep: Callable[[np.ndarray], np.ndarray]) -> OutcomeRows:
        """Return the part with the rows that `keep` marks only, equal rows counted together whatever the cards in play."""
        marked = self.rows[keep(self.rows)]
        names = [name for name in marked.dtype.names or () if name != "cards"]
        rows = np.zeros(len(marked), [(name, marked.dtype[name]) for name in names])
        for name in names:
            rows[name] = marked[name]
        return replace(self, rows=_counted([rows]))


class Parts(Sequence[TableOutcomes]):
    """Tables in parts, each expanded when it is accessed: all together would take ten times the memory of their rows."""

    def __init__(self, parts: Sequence[OutcomeRows]) -> None:
        self.parts = parts
        self._last: tuple[int, TableOutcomes] | None = None

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, place: int) -> TableOutcomes:  # type: ignore[override]
        if self._last is None or self._last[0] != place:
            part = self.parts[place]
            self._last = place, part.tables(part.rows, part.players)
        return self._last[1]


def each(tables: Sequence[TableOutcomes], change: Callable[[TableOutcomes], TableOutcomes]) -> Sequence[TableOutcomes]:
    """Return the tables, each changed by `change`."""
    if not isinstance(tables, Parts):
        return [change(t) for t in tables]
    return Parts([replace(part, tables=partial(_changed, part.tables, change)) for part in tables.parts])


def _changed(make: Callable[..., TableOutcomes], change: Callable[[TableOutcomes], TableOutcomes], *rows: Any) -> TableOutcomes:
    return change(make(*rows))


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What the models need of one or more runs: the levels of each factor, and the tables in parts of one player count.

    Two of them are equal only if they are the same object: fits are cached by it.
    """

    levels: dict[str, list[str]]
    tables: Sequence[TableOutcomes]
    cards: list[str] = field(default_factory=list)
    teams: bool = False  # a house rule lets partners win together

    @cached_property
    def games(self) -> int:
        """Number of games."""
        return int(sum(t.games.sum() for t in self.tables))

    @cached_property
    def finished(self) -> dict[int, float]:
        """Games that someone won by number of players."""
        games: dict[int, float] = {}
        for t in self.tables:
            games[t.players] = games.get(t.players, 0.0) + float(t.finished.sum())
        return games

    def where_card(self, card: int, in_play: bool) -> Outcomes:
        """Return the tables with the victory card in play, or those without it."""
        assert isinstance(self.tables, Parts)
        parts = [part.where(lambda rows: (rows["cards"] >> card & 1 == 1) == in_play) for part in self.tables.parts]
        return replace(self, tables=Parts([part for part in parts if len(part.rows)]))

    def by_players(self) -> dict[int, Outcomes]:
        """Return the tables by number of players."""
        return {players: self.with_players(players) for players in self.finished}

    def with_players(self, players: int) -> Outcomes:
        """Return the tables with this many players."""
        if list(self.finished) == [players]:
            return self
        if isinstance(self.tables, Parts):
            return replace(self, tables=Parts([part for part in self.tables.parts if part.players == players]))
        return replace(self, tables=[t for t in self.tables if t.players == players])


Runs = Run | Sequence[Run] | Sample | Outcomes


def outcomes(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS, cards: bool = True) -> Outcomes:
    """Read the runs, shard by shard, and count equal tables together; with `cards`, `where_card` can split the games.

    All functions here accept the result in place of runs, so that several questions read the runs once.
    """
    if isinstance(runs, Outcomes):
        return runs
    names = [factor for factor in factors if factor != "order"]
    columns = ["occupied", "order", "won", *(["cards"] if cards else []), *(name for name in names if name != "seat")]
    words, rows_of = CodeNames(), dict[int, list[np.ndarray]]()
    if isinstance(runs, Sample):
        words = runs.words
        for players in sorted({s.games.players for s in runs}):
            chosen = (_rows(s, names, cards)[s.chosen] for s in runs if s.games.players == players and s.chosen.any())
            rows_of[players] = list(_different(chosen))
        rows_of = {players: rows for players, rows in rows_of.items() if sum(map(len, rows))}
    else:
        for players in sorted({run.players for run in as_runs(runs)}):
            sample = sample_of([run for run in as_runs(runs) if run.players == players], columns, words=words)
            rows_of[players] = list(_different(_rows(s, names, cards) for s in sample))
    seats = [str(seat) for seat in range(max(rows_of))]
    levels = {name: seats if name == "seat" else getattr(words, name) for name in names}
    # Levels in alphabetical order, whatever the order of the shards.
    order = {name: np.argsort(np.argsort(labels)).astype(np.int8) for name, labels in levels.items()}
    parts = [OutcomeRows(rows, players, partial(_tables, order)) for players, chunks in rows_of.items() for rows in chunks]
    teams = not isinstance(runs, Sample) and any(getattr(run, "has_teams", False) for run in as_runs(runs))
    data = Outcomes({name: sorted(labels) for name, labels in levels.items()}, Parts(parts), words.card, teams)
    return present(data) if isinstance(runs, Sample) else data  # a sample has the names of other runs, too


def _rows(s: Selection, names: list[str], cards: bool) -> np.ndarray:
    """Return one row per game, in few bytes: codes of its table, cards in play, shares of the win, and 1 for the game."""
    games, n, p = s.games, len(s.games), s.games.players
    turn = np.argsort(games.order, axis=1)

    def in_turn_order(values: np.ndarray) -> np.ndarray:
        return np.take_along_axis(values, turn, axis=1)

    width = np.min_scalar_type(-int(games.cards.max(initial=0)) - 1) if cards else None
    fields = [
        ("codes", "i1", (len(names) * p,)),
        *([("cards", width)] if cards else []),
        ("shares", "i1", (p,)),
        ("games", "u4"),
    ]
    rows = np.zeros(n, fields)
    for i, name in enumerate(names):
        rows["codes"][:, i * p : (i + 1) * p] = turn if name == "seat" else in_turn_order(getattr(games, name))
    if cards:
        rows["cards"] = games.cards
    rows["shares"], rows["games"] = in_turn_order(games.won), 1
    return rows


def _different(parts: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """Yield the different rows with their numbers of games, in parts; all rows of a table are in the same part."""
    buckets = [Fold(_counted, PART // BUCKETS) for _ in range(BUCKETS)]
    for rows in parts:
        rows = _counted([rows])
        codes = rows["codes"].astype(np.uint32)
        factors = np.random.default_rng(0).integers(1, 1 << 32, codes.shape[1], np.uint32) | 1
        bucket = (codes * factors).sum(axis=1, dtype=np.uint32) // np.uint32((1 << 32) // BUCKETS)
        order = np.argsort(bucket, kind="stable")
        ends = np.searchsorted(bucket[order], np.arange(1, BUCKETS))
        for fold, chunk in zip(buckets, np.split(rows[order], ends), strict=True):
            fold.add(chunk)
    small: list[np.ndarray] = []
    while buckets:
        small.append(buckets.pop().whole())
        if sum(map(len, small)) >= PART or not buckets:
            yield np.concatenate(small)
            small = []


def _counted(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Return the different rows, sorted by their codes, with the sums of their games."""
    rows = np.concatenate(parts)
    key = np.zeros(len(rows), np.int64)
    cards = [rows["cards"]] if "cards" in (rows.dtype.names or ()) else []
    for column in (*rows["codes"].T, *cards, *rows["shares"].T):
        size = int(column.max(initial=0)) + 1
        if int(key.max(initial=0)) >= 2**62 // size:  # renumber before the key overflows
            key = np.unique(key, return_inverse=True)[1]
        key = key * size + column
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    distinct = rows[first]
    distinct["games"] = np.bincount(inverse, rows["games"], len(first))
    return distinct


def _tables(order: Mapping[str, np.ndarray], rows: np.ndarray, players: int) -> TableOutcomes:
    """Return the tables of rows, their codes replaced by those in this order of the levels."""
    new = np.r_[True, (rows["codes"][1:] != rows["codes"][:-1]).any(axis=1)][: len(rows)]
    first = np.flatnonzero(new)
    codes = {
        name: recode[rows["codes"][first, i * players : (i + 1) * players]] for i, (name, recode) in enumerate(order.items())
    }
    codes["order"] = np.broadcast_to(np.arange(players), (len(first), players))
    games, share = rows["games"].astype(float), rows["shares"] / WHOLE
    won = games[:, None] * share

    def summed(values: np.ndarray) -> np.ndarray:
        return np.add.reduceat(values, first) if len(first) else values

    products = np.zeros((len(first), players, players))
    for seat in range(players):
        products[:, seat, seat] = summed(won[:, seat] * share[:, seat])
    shared = np.flatnonzero((share > 0).sum(axis=1) > 1)  # wins are rarely shared
    table = np.cumsum(new)[shared] - 1
    a, b = np.nonzero(~np.eye(players, dtype=bool))
    np.add.at(products, (table[:, None], a, b), won[shared][:, a] * share[shared][:, b])
    wins = np.stack([summed(won[:, seat]) for seat in range(players)], axis=1)
    return TableOutcomes(players, codes, summed(games), summed(games * share.any(axis=1)), wins, products)


def observed(data: Outcomes, factor: str) -> pd.DataFrame:
    """Return the observed games and wins of each level."""
    n, wins = np.zeros(len(data.levels[factor])), np.zeros(len(data.levels[factor]))
    for t in data.tables:
        codes = t.codes[factor].ravel()
        n += np.bincount(codes, np.repeat(t.games, t.players), len(n))
        wins += np.bincount(codes, t.wins.ravel(), len(n))
    return pd.DataFrame({factor: data.levels[factor], "n": n.astype(np.int64), "wins": wins})


def observed_rates(data: Outcomes, factor: str) -> dict[str, np.ndarray]:
    """Return the columns `win_rate` of each level as observed; a game with several seats of a level is one case."""
    frame = observed(data, factor)
    n, wins = frame["n"].to_numpy(float), frame["wins"].to_numpy()
    rate = np.divide(wins, n, out=np.zeros(len(n)), where=n > 0)
    squares = np.zeros(len(n))
    for t in data.tables:
        for level in range(len(n)):
            of_level = (t.codes[factor] == level).astype(float)  # (tables, players)
            y, m = np.einsum("ts,ts->t", of_level, t.wins), of_level.sum(axis=1)
            yy = np.einsum("ts,tsu,tu->t", of_level, t.products, of_level)
            squares[level] += (yy - 2 * rate[level] * y * m + rate[level] ** 2 * m**2 * t.games).sum()
    return clustered_rate_columns(wins, n, squares, "win_rate")


def decided(data: Outcomes, factor: str) -> np.ndarray:
    """Return for each level the number of games that someone won, which the model is fitted to."""
    n = np.zeros(len(data.levels[factor]))
    for t in data.tables:
        n += np.bincount(t.codes[factor].ravel(), np.repeat(t.finished, t.players), len(n))
    return n


def present(data: Outcomes) -> Outcomes:
    """Return the outcomes without levels that do not occur in these tables; the same object if all occur."""
    occurs = {factor: np.zeros(len(labels), bool) for factor, labels in data.levels.items()}
    for t in data.tables:
        for factor, mask in occurs.items():
            mask[t.codes[factor]] = True
    if all(mask.all() for mask in occurs.values()):
        return data
    lookup = {factor: (np.cumsum(mask) - 1).astype(np.int16) for factor, mask in occurs.items()}
    levels = {factor: [labels[i] for i in np.flatnonzero(occurs[factor])] for factor, labels in data.levels.items()}
    return replace(data, levels=levels, tables=each(data.tables, partial(_recoded, lookup)))


def _recoded(lookup: Mapping[str, np.ndarray], t: TableOutcomes) -> TableOutcomes:
    return replace(t, codes={factor: lookup[factor][code] if factor in lookup else code for factor, code in t.codes.items()})


# --- A conditional logit of who wins a table
#
# Model. At a table with seats s the chance that seat s wins is exp(u_s) / Σ exp(u_t), where u is the sum of the effects of the
# seat's leader, place in the turn order and strategy (D. McFadden, "Conditional logit analysis of qualitative choice behavior",
# 1974; for two seats it is the Bradley-Terry model). Opponents enter through the denominator: a win at a strong table counts
# for more. Effects of a factor sum to zero, so an odds ratio compares with the average level. A win shared by k seats has
# weight 1/k for each; games that nobody won carry no information on who wins and are left out (and counted).
#
# Uncertainty. Standard errors are sandwich errors (P. Huber, 1967; H. White, 1980) with the game as the cluster. To keep the
# figures of a leader who never won finite, one pseudo-game per parameter is added, shared equally by all seats and spread over
# the tables as they occurred (C. Clogg et al., JASA 86, 1991); its weight vanishes with many games.
#
# Lack of fit. Whether the games say more than a fit (a leader gains by a strategy, a pairing, a card in play) is tested by
# Rao's score test at the fit (`left_over`): wins less expected wins, summed over the seats of a column, with what the fitted
# parameters can absorb projected out (C. Rao, Proceedings of the Cambridge Philosophical Society 44, 1948; efficient scores: J.
# Neyman, 1959). No effect of the column is fitted, so rows with hardly a win neither diverge nor move other rows.

CHUNK = 4_000  # tables whose design matrix is in memory at a time
MOST_LINE_UPS = 50_000  # line-ups over which win rates are averaged
MOST_STEPS = 50


class Inseparable(UserError):
    """Effects that always come together in these games."""


@dataclass(frozen=True)
class Fit:
    """A fitted conditional logit: estimates by factor, and the covariance of all parameters."""

    factors: dict[str, list[str]]  # factor: its levels; 'order' of each player count is a factor of its own
    bases: dict[str, np.ndarray]  # factor: (levels, parameters of the factor), levels sum to zero
    places: dict[str, slice]  # factor: its parameters
    parameters: np.ndarray
    covariance: np.ndarray
    games: int
    finished: int
    log_likelihood: float
    inverse: np.ndarray  # inverse of the games' information
    score: np.ndarray  # gradient of the log likelihood of the games, pseudo-games left out

    def effects(self, factor: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the log odds of each level against the factor's average, and their covariance matrix."""
        basis, place = self.bases[factor], self.places[factor]
        return basis @ self.parameters[place], basis @ self.covariance[place, place] @ basis.T


def order_factor(players: int) -> str:
    """Return the name of the factor for the turn order at tables of this many players."""
    return f"order of {players}"


def factor_key(factor: str, players: int) -> str:
    return order_factor(players) if factor == "order" else factor


def _layout(data: Outcomes, factors: Iterable[str]) -> dict[str, list[str]]:
    """Return the levels of each factor that has at least two in these tables."""
    levels: dict[str, list[str]] = {}
    for factor in factors:
        if factor == "order":
            levels |= {order_factor(players): [str(i + 1) for i in range(players)] for players in data.finished}
        elif len(data.levels[factor]) > 1:
            levels[factor] = data.levels[factor]
    return levels


def designs(data: Outcomes, fit: Fit) -> Iterator[tuple[TableOutcomes, slice, np.ndarray]]:
    """Yield the tables in chunks, with their design matrices (tables, players, parameters)."""
    size = len(fit.parameters)
    for t in data.tables:
        for start in range(0, len(t.games), CHUNK):
            part = slice(start, start + CHUNK)
            design = np.zeros((len(t.games[part]), t.players, size))
            for factor in t.codes:
                key = factor_key(factor, t.players)
                if key in fit.bases:
                    design[:, :, fit.places[key]] = fit.bases[key][t.codes[factor][part]]
            yield t, part, design


def chances(utility: np.ndarray) -> np.ndarray:
    """Return each seat's chance to win, (tables, seats), from the seats' sums of effects (softmax)."""
    weights = np.exp(utility - utility.max(axis=1, keepdims=True))
    chance: np.ndarray = weights / weights.sum(axis=1, keepdims=True)
    return chance


def fisher_information(design: np.ndarray, chance: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return the information of a conditional logit, Σ n X'(diag(p) - pp')X over the tables (McFadden, 1974)."""
    size = design.shape[2]
    flat = design.reshape(-1, size)
    mean = np.einsum("ts,tsk->tk", chance, design)
    information: np.ndarray = flat.T @ (flat * (n[:, None] * chance).reshape(-1, 1)) - mean.T @ (mean * n[:, None])
    return information


def _derivatives(data: Outcomes, fit: Fit, shared: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Return log likelihood, gradient and information; `shared` is the weight of the pseudo-games per game."""
    value, size = 0.0, len(fit.parameters)
    gradient, information = np.zeros(size), np.zeros((size, size))
    for t, part, design in designs(data, fit):
        n = t.finished[part] * (1 + shared)
        wins = t.wins[part] + (t.finished[part] * shared / t.players)[:, None]
        chance = chances(design @ fit.parameters)
        value += float((wins * np.log(np.maximum(chance, 1e-300))).sum())
        gradient += np.einsum("ts,tsk->k", wins - n[:, None] * chance, design)
        information += fisher_information(design, chance, n)
    return value, gradient, information


_FITS: WeakKeyDictionary[Outcomes, dict[tuple[str, ...], Fit]] = WeakKeyDictionary()


def fit_logit(data: Outcomes, factors: Iterable[str] = DEFAULT_FACTORS) -> Fit:
    """Return the model's fit; raise UserError if the tables cannot separate the factors, or partners win together.

    Fitted by Newton's method, once for all questions about the same outcomes.
    """
    if data.teams:
        raise UserError("partners win together in these games, and the model of who wins knows single winners only")
    fits, key = _FITS.setdefault(data, {}), tuple(factors)
    if key not in fits:
        fits[key] = _fit_logit(data, key)
    return fits[key]


def _fit_logit(data: Outcomes, factors: tuple[str, ...]) -> Fit:
    levels = _layout(data, factors)
    bases = {key: np.vstack([np.eye(len(names) - 1), -np.ones(len(names) - 1)]) for key, names in levels.items()}
    ends = np.cumsum([0, *(basis.shape[1] for basis in bases.values())])
    places = {key: slice(ends[i], ends[i + 1]) for i, key in enumerate(bases)}
    size = int(ends[-1])
    games, finished = data.games, sum(data.finished.values())
    if finished <= size:
        won = counted(finished, "game")
        raise UserError(f"{won} with a winner: too few to estimate {counted(size, 'effect')}; play more games")
    nothing, none = np.zeros(size), np.zeros((size, size))
    fit = Fit(levels, bases, places, nothing, none, games, int(finished), 0.0, none, nothing)
    shared = size / finished
    value, gradient, information = _derivatives(data, fit, shared)
    _check_separable(information, fit)
    for _ in range(MOST_STEPS):
        step = np.linalg.solve(information, gradient)
        while True:
            trial = replace(fit, parameters=fit.parameters + step)
            new = _derivatives(data, trial, shared)
            if new[0] >= value - 1e-9 * abs(value) or np.abs(step).max(initial=0) < 1e-8:
                break
            step = step / 2
        fit, (value, gradient, information) = trial, new
        if np.abs(step).max(initial=0) < 1e-8:
            break
    inverse = np.linalg.inv(information)
    meat, score = _meat(data, fit)
    covariance = inverse @ meat @ inverse * (finished / (finished - size))
    return replace(fit, covariance=covariance, log_likelihood=value, inverse=inverse * (1 + shared), score=score)


def _meat(data: Outcomes, fit: Fit) -> tuple[np.ndarray, np.ndarray]:
    """Return the sum over games of the outer products of their scores, one cluster a game, and the sum of the scores."""
    size = len(fit.parameters)
    total, score = np.zeros((size, size)), np.zeros(size)
    for t, part, design in designs(data, fit):
        chance, n, wins = chances(design @ fit.parameters), t.finished[part], t.wins[part]
        cross = wins[:, :, None] * chance[:, None, :]
        spread = t.products[part] - cross - cross.transpose(0, 2, 1)
        spread += n[:, None, None] * chance[:, :, None] * chance[:, None, :]
        total += design.reshape(-1, size).T @ (spread @ design).reshape(-1, size)
        score += np.einsum("ts,tsk->k", wins - n[:, None] * chance, design)
    return total, score


def _check_separable(information: np.ndarray, fit: Fit) -> None:
    """Raise Inseparable if some combination of effects changes no game's chances."""
    if not len(information):
        return
    values, vectors = np.linalg.eigh(information)
    if values[0] > 1e-8 * values[-1]:
        return
    size = {key: float(np.abs(vectors[place, 0]).max()) for key, place in fit.places.items()}
    mixed = [key for key, value in size.items() if value > 0.05]
    raise Inseparable(
        f"the effects of {' and '.join(mixed)} cannot be distinguished, because they always occur together; "
        f"leave one of them out, or play games that mix them (--leader-pool, --strategy-pool)"
    )


# --- Score tests of columns that a fit does not have

# Tables in parts, with chances (tables, seats) and the derivatives of their logarithms (tables, seats, parameters).
Slopes = Iterator[tuple[TableOutcomes, slice, np.ndarray, np.ndarray]]
# From tables and the seats' chances to the tested columns, (tables, seats, columns): 1 at a leader's seats, for example.
Besides = Callable[[TableOutcomes, slice, np.ndarray], np.ndarray]
NOTHING_LEFT = 0.01  # share of a column's information below which the fit has absorbed the column
LEAST_INFORMATION = 5.0  # variance of a score, in wins, below which it is not tested


@dataclass(frozen=True)
class LeftOver:
    """Efficient scores of columns that a fit does not have, each added by itself.

    `score` is the column's wins less those expected, `information` the covariance of the scores if no column matters, `skew`
    their skewness then, `alone` their variances if the fit were known exactly.
    """

    score: np.ndarray
    information: np.ndarray
    skew: np.ndarray
    alone: np.ndarray

    @property
    def variance(self) -> np.ndarray:
        """Return the variance of each score."""
        return np.diag(self.information)

    @property
    def testable(self) -> np.ndarray:
        """Return for each column whether the fit leaves enough information to test it."""
        return self.variance > np.maximum(NOTHING_LEFT * self.alone, LEAST_INFORMATION)

    def log_odds(self) -> tuple[np.ndarray, np.ndarray]:
        """Return each column's effect by one scoring step from the fit, and its standard error; NaN if absorbed by the fit."""
        variance = np.where(self.variance > np.maximum(NOTHING_LEFT * self.alone, 1e-9), self.variance, np.nan)
        return self.score / variance, 1 / np.sqrt(variance)


def slopes(data: Outcomes, fit: Fit) -> Slopes:
    """Yield the tables in chunks, with chances and the derivatives of their logarithms by the parameters."""
    for t, part, design in designs(data, fit):
        chance = chances(design @ fit.parameters)
        yield t, part, chance, design - np.einsum("ts,tsk->tk", chance, design)[:, None, :]


def left_over(
    parts: Callable[[], Slopes], besides: Besides, inverse: np.ndarray, score: np.ndarray, penalty: np.ndarray | None = None
) -> LeftOver:
    """Return the efficient scores of the columns `besides` at a fit.

    `parts` are the fit's tables (at least those with these columns); `inverse` and `score` belong to all of them: the inverse
    of their information (including the `penalty`, that of a prior) and the gradient at the fit. Shares of the win within a game
    count as one multinomial draw. See "Lack of fit" above for sources.
    """
    total = [np.zeros(1)] * 3
    for t, part, chance, slope in parts():
        column = _centred(besides(t, part, chance), chance)
        weighted = column * (t.finished[part][:, None] * chance)[:, :, None]
        flat, own = weighted.reshape(-1, column.shape[2]), np.einsum("ts,tsk->k", t.wins[part], column)
        sums = (own, flat.T @ column.reshape(-1, column.shape[2]), flat.T @ slope.reshape(-1, slope.shape[2]))
        total = [a + b for a, b in zip(total, sums, strict=True)]
    own, information, shared = total
    follow = shared @ inverse
    projected = information - follow @ shared.T
    if penalty is not None:
        projected = projected - follow @ penalty @ follow.T
    third = np.zeros(len(own))
    for t, part, chance, slope in parts():
        column = _centred(besides(t, part, chance), chance) - slope @ follow.T
        third += np.einsum("ts,tsk->k", t.finished[part][:, None] * chance, column**3)
    skew = third / np.maximum(np.diag(projected), 1e-9) ** 1.5
    return LeftOver(own - follow @ score, projected, skew, np.diag(information))


def _centred(column: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Return columns less their mean over the seats of a table, weighted by the chances."""
    return column - np.einsum("ts,tsk->tk", chance, column)[:, None, :]


def expected_shares(data: Outcomes, factor: str, fit: Fit) -> np.ndarray:
    """Return the share of its decided games each level wins by a fit, with or without the factor; NaN without games."""
    won, n = np.zeros((2, max(data.finished) if factor == "order" else len(data.levels[factor])))
    for t, part, design in designs(data, fit):
        seats, code = t.finished[part, None] * np.ones(t.players), t.codes[factor][part].ravel()
        won += np.bincount(code, (seats * chances(design @ fit.parameters)).ravel(), len(won))
        n += np.bincount(code, seats.ravel(), len(n))
    return np.divide(won, n, out=np.full(len(n), np.nan), where=n > 0)


# --- Chances over balanced tables


def line_ups(levels: int, players: int, distinct: bool) -> np.ndarray:
    """Return all line-ups of codes, or a fixed random sample if there are more than MOST_LINE_UPS."""
    count = float(np.prod([levels - i if distinct else levels for i in range(players)], dtype=float))
    if count <= MOST_LINE_UPS:
        return np.array(list(permutations(range(levels), players) if distinct else product(range(levels), repeat=players)))
    rng = np.random.default_rng(0)
    if distinct:
        return np.argsort(rng.random((MOST_LINE_UPS, levels)), axis=1)[:, :players]
    return rng.integers(0, levels, (MOST_LINE_UPS, players))


def _balanced(fit: Fit, factor: str, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return each level's chance to win at balanced tables of this many players, and its derivatives.

    Balanced: every line-up of different leaders (of strategies: every line-up) equally often in every turn order, all other
    effects at their average.
    """
    key, order = factor_key(factor, players), order_factor(players)
    levels = len(fit.factors[key])
    every = np.arange(players)[None, :] if factor == "order" else line_ups(levels, players, factor == "leader")
    mean, jacobian = np.zeros(levels), np.zeros((levels, len(fit.parameters)))
    for start in range(0, len(every), CHUNK):
        seats = every[start : start + CHUNK]
        design = np.zeros((*seats.shape, len(fit.parameters)))
        if order in fit.bases:
            design[:, :, fit.places[order]] = fit.bases[order]
        if factor != "order":
            design[:, :, fit.places[key]] = fit.bases[key][seats]
        chance = chances(design @ fit.parameters)
        slope = chance[:, :, None] * (design - np.einsum("ts,tsk->tk", chance, design)[:, None, :])
        mean += np.bincount(seats.ravel(), chance.ravel(), levels)
        flat = slope.reshape(-1, slope.shape[2])
        jacobian += np.stack([np.bincount(seats.ravel(), column, levels) for column in flat.T], axis=1)
    seated = np.bincount(every.ravel(), minlength=levels)
    return mean / seated, jacobian / seated[:, None]


def balanced_rates(fit: Fit, data: Outcomes, factor: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Return each level's win rate at balanced tables, their covariance and the fair share.

    Several player counts are weighted by their games.
    """
    rate, jacobian, fair = balanced(fit, data, factor)
    return rate, jacobian @ fit.covariance @ jacobian.T, fair


def balanced(fit: Fit, data: Outcomes, factor: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Return each level's win rate at balanced tables, its derivatives by the parameters and the fair share."""
    weights = np.array(list(data.finished.values()))
    weights /= weights.sum()
    parts = [_balanced(fit, factor, players) for players in data.finished]
    rate = sum(w * mean for w, (mean, _) in zip(weights, parts, strict=True))
    jacobian = sum(w * slope for w, (_, slope) in zip(weights, parts, strict=True))
    fair = float(sum(w / players for w, players in zip(weights, data.finished, strict=True)))
    return np.asarray(rate), np.asarray(jacobian), fair
