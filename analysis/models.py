"""How strong are the leaders, once seat, opponents and strategies are taken out? A conditional logit of who won.

Model. At a table with seats s the chance that seat s wins is exp(u_s) / Σ exp(u_t), where u is the sum of the seat's
leader, place in the turn order and strategy (D. McFadden, "Conditional logit analysis of qualitative choice behavior",
1974; for two seats it is the Bradley-Terry model). The opponents enter through the denominator: a win at a strong table
counts for more. Effects of a factor sum to zero, so an odds ratio compares with the average level. A win shared by k
seats has weight 1/k for each; games that nobody won say nothing about who wins and are left out (and counted).

Uncertainty. Standard errors are those of the sandwich (P. Huber, 1967; H. White, 1980) with the game as the cluster.
So that a leader who never won has finite figures, one game a parameter is added that all seats share equally, spread
over the tables as they occurred (C. Clogg et al., JASA 86, 1991); the data drown it out.

Many questions. p values are corrected with Holm's method (Scandinavian Journal of Statistics 6, 1979): the chance of
any false finding in a table is at most 5%. Ranks are simultaneous 95% confidence sets (M. Mogstad, J. Romano, A. Shaikh
and D. Wilhelm, "Inference for ranks", Review of Economic Studies 91, 2024): all of them hold together in 95% of runs.
Intervals of single figures are 95% each.

Equal tables are counted together first, so a million games fit in the time of a few thousand rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from analysis.rates import CONFIDENCE, SMALL_SAMPLE, rate_columns
from analysis.read import Run
from analysis.summaries import CARDS
from simulator.errors import UserError

FACTORS = ("leader", "order", "strategy", "seat")
DEFAULT_FACTORS = ("leader", "order", "strategy")
CHUNK = 50_000  # tables whose design matrix is in memory at a time
MOST_LINE_UPS = 50_000  # line-ups over which win rates are averaged
DRAWS = 20_000  # of the normal distribution, for simultaneous statements
MOST_STEPS = 50


# --- Counting equal tables


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


@dataclass(frozen=True)
class Outcomes:
    """All that the models need of one or more runs: the levels of each factor, and the tables by player count."""

    levels: dict[str, list[str]]
    cards: list[str]
    tables: list[Tables]

    def where_card(self, card: int, in_play: bool) -> Outcomes:
        """Return the tables that had the victory card in play, or had it not."""
        kept = [t.where((t.cards >> card & 1 == 1) == in_play) for t in self.tables]
        return Outcomes(self.levels, self.cards, [t for t in kept if len(t.games)])

    def with_players(self, players: int) -> Outcomes:
        """Return the tables with so many players."""
        return Outcomes(self.levels, self.cards, [t for t in self.tables if t.players == players])


Runs = Run | Sequence[Run] | Outcomes


def outcomes(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS) -> Outcomes:
    """Read the runs, shard by shard, and count equal tables together.

    Every function here also takes what this one returns: several questions then read the runs once.
    """
    if isinstance(runs, Outcomes):
        return runs
    runs = [runs] if isinstance(runs, Run) or not isinstance(runs, Sequence) else list(runs)
    columns = [factor for factor in factors if factor != "order"]
    wanted = {"seats": ["game_id", "order", "won", *columns], "games": ["game_id", *CARDS]}
    words: dict[str, list[str]] = {name: [] for name in [*columns, "card"]}
    parts: dict[int, list[np.ndarray]] = {}
    for run in runs:
        for piece in run.pieces(wanted):
            rows = _rows(piece, run.players, columns, words)
            parts.setdefault(run.players, []).append(_count(rows, len(columns) * run.players))
    # Levels in alphabetical order, whatever the order of the shards.
    order = {name: np.argsort(np.argsort(found)) for name, found in words.items() if name != "card"}
    tables = []
    for players, arrays in sorted(parts.items()):
        whole = _count(np.concatenate(arrays), len(columns) * players)
        tables.append(_tables(whole, players, columns, order))
    levels = {name: sorted(found) for name, found in words.items() if name != "card"}
    return Outcomes(levels, words["card"], tables)


def _codes(column: pd.Series, known: list[str]) -> np.ndarray:
    """Return the codes of a column's values in `known`, which grows by new values; -1 for null."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        values, local = list(column.cat.categories), column.cat.codes.to_numpy()
    else:
        local, uniques = pd.factorize(column)
        values = list(uniques)
    for i in np.unique(local[local >= 0]):
        if str(values[i]) not in known:
            known.append(str(values[i]))
    lookup = np.array([known.index(str(value)) if str(value) in known else -1 for value in values] + [-1])
    return lookup[local]


def _rows(
    piece: Mapping[str, pd.DataFrame], players: int, columns: list[str], words: dict[str, list[str]]
) -> np.ndarray:
    """Return one row a game: the codes of its table, the cards in play, 1, finished, shares, products of shares."""
    seats, games = piece["seats"], piece["games"]
    ids = seats["game_id"].to_numpy()
    if np.any(ids[1:] < ids[:-1]):
        seats = seats.iloc[np.argsort(ids, kind="stable")]
        ids = seats["game_id"].to_numpy()
    if not np.array_equal(games["game_id"].to_numpy(), ids[::players]):
        games = games.set_index("game_id").loc[ids[::players]]
    turn = np.argsort(seats["order"].to_numpy().reshape(-1, players), axis=1)

    def in_turn_order(values: np.ndarray) -> np.ndarray:
        return np.take_along_axis(values.reshape(-1, players), turn, axis=1)

    won = in_turn_order(seats["won"].to_numpy(float))
    keys = [in_turn_order(_codes(seats[name], words[name])) for name in columns]
    bits = np.zeros(len(won), np.int64)
    for card in CARDS:
        code = _codes(games[card], words["card"])
        bits |= np.where(code >= 0, 1 << np.maximum(code, 0), 0)
    one, finished = np.ones(len(won)), (won.sum(axis=1) > 0).astype(float)
    products = (won[:, :, None] * won[:, None, :]).reshape(len(won), -1)
    return np.column_stack([*keys, bits, one, finished, won, products])


def _count(rows: np.ndarray, n_codes: int) -> np.ndarray:
    """Add up the rows that are equal in their first columns: codes and cards."""
    codes = rows[:, : n_codes + 1].astype(np.int64)
    key, sizes = np.zeros(len(rows), np.int64), codes.max(axis=0) + 1
    for column, size in zip(codes.T, sizes, strict=True):
        if int(key.max()) >= 2**62 // int(size):  # close ranks before the number overflows
            key = np.unique(key, return_inverse=True)[1]
        key = key * size + column
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    sums = [np.bincount(inverse, column, len(first)) for column in rows[:, n_codes + 1 :].T]
    return np.column_stack([rows[first, : n_codes + 1], *sums])


def _tables(whole: np.ndarray, players: int, columns: list[str], order: Mapping[str, np.ndarray]) -> Tables:
    codes = {}
    for i, name in enumerate(columns):
        codes[name] = order[name][whole[:, i * players : (i + 1) * players].astype(int)]
    codes["order"] = np.broadcast_to(np.arange(players), (len(whole), players))
    bits, games, finished = whole[:, len(columns) * players :].T[:3]
    rest = whole[:, len(columns) * players + 3 :]
    products = rest[:, players:].reshape(-1, players, players)
    return Tables(players, codes, bits.astype(np.int64), games, finished, rest[:, :players], products)


# --- The fit


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

    def effects(self, factor: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the log odds of each level against the factor's average, and their covariance matrix."""
        basis, place = self.bases[factor], self.places[factor]
        return basis @ self.parameters[place], basis @ self.covariance[place, place] @ basis.T


def _order_factor(players: int) -> str:
    return f"order of {players}"


def _key(factor: str, players: int) -> str:
    return _order_factor(players) if factor == "order" else factor


def _layout(data: Outcomes, factors: Iterable[str]) -> dict[str, list[str]]:
    """Return the factors that have two levels or more in these tables, and all levels of each."""
    found: dict[str, list[str]] = {}
    for factor in factors:
        if factor == "order":
            found |= {_order_factor(t.players): [str(i + 1) for i in range(t.players)] for t in data.tables}
        elif len(data.levels[factor]) > 1:
            found[factor] = data.levels[factor]
    return found


def _designs(data: Outcomes, fit: Fit) -> Iterator[tuple[Tables, slice, np.ndarray]]:
    """Yield the tables in chunks, with their design matrices (tables, players, parameters)."""
    size = len(fit.parameters)
    for t in data.tables:
        for start in range(0, len(t.games), CHUNK):
            part = slice(start, start + CHUNK)
            design = np.zeros((len(t.games[part]), t.players, size))
            for factor in t.codes:
                key = _key(factor, t.players)
                if key in fit.bases:
                    design[:, :, fit.places[key]] = fit.bases[key][t.codes[factor][part]]
            yield t, part, design


def _chances(utility: np.ndarray) -> np.ndarray:
    raised = np.exp(utility - utility.max(axis=1, keepdims=True))
    chances: np.ndarray = raised / raised.sum(axis=1, keepdims=True)
    return chances


def _information(design: np.ndarray, chance: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return Σ n X'(diag(p) - pp')X over the tables."""
    size = design.shape[2]
    flat = design.reshape(-1, size)
    mean = np.einsum("ts,tsk->tk", chance, design)
    information: np.ndarray = flat.T @ (flat * (n[:, None] * chance).reshape(-1, 1)) - mean.T @ (mean * n[:, None])
    return information


def _derivatives(data: Outcomes, fit: Fit, shared: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Return log likelihood, gradient and information; `shared` is the added weight, as a part of the games."""
    value, size = 0.0, len(fit.parameters)
    gradient, information = np.zeros(size), np.zeros((size, size))
    for t, part, design in _designs(data, fit):
        n = t.finished[part] * (1 + shared)
        wins = t.wins[part] + (t.finished[part] * shared / t.players)[:, None]
        chance = _chances(design @ fit.parameters)
        value += float((wins * np.log(np.maximum(chance, 1e-300))).sum())
        gradient += np.einsum("ts,tsk->k", wins - n[:, None] * chance, design)
        information += _information(design, chance, n)
    return value, gradient, information


def fit_logit(data: Outcomes, factors: Iterable[str] = DEFAULT_FACTORS) -> Fit:
    """Fit the model by Newton's method; raise UserError if the tables cannot tell the factors apart."""
    levels = _layout(data, factors)
    bases = {key: np.vstack([np.eye(len(names) - 1), -np.ones(len(names) - 1)]) for key, names in levels.items()}
    ends = np.cumsum([0, *(basis.shape[1] for basis in bases.values())])
    places = {key: slice(ends[i], ends[i + 1]) for i, key in enumerate(bases)}
    size = int(ends[-1])
    games = int(sum(t.games.sum() for t in data.tables))
    finished = float(sum(t.finished.sum() for t in data.tables))
    if finished <= size:
        raise UserError(f"{finished:.0f} games with a winner are too few to estimate {size} effects; play more games")
    fit = Fit(levels, bases, places, np.zeros(size), np.zeros((size, size)), games, int(finished), 0.0)
    shared = size / finished
    value, gradient, information = _derivatives(data, fit, shared)
    _check_separable(information, fit)
    for _ in range(MOST_STEPS):
        step = np.linalg.solve(information, gradient)
        while True:
            trial = _moved(fit, fit.parameters + step)
            new = _derivatives(data, trial, shared)
            if new[0] >= value - 1e-9 * abs(value) or np.abs(step).max(initial=0) < 1e-8:
                break
            step = step / 2
        fit, (value, gradient, information) = trial, new
        if np.abs(step).max(initial=0) < 1e-8:
            break
    inverse = np.linalg.inv(information)
    covariance = inverse @ _meat(data, fit) @ inverse * (finished / (finished - size))
    return Fit(levels, bases, places, fit.parameters, covariance, games, int(finished), value)


def _moved(fit: Fit, parameters: np.ndarray) -> Fit:
    return Fit(fit.factors, fit.bases, fit.places, parameters, fit.covariance, fit.games, fit.finished, 0.0)


def _meat(data: Outcomes, fit: Fit) -> np.ndarray:
    """Return the sum over games of the outer products of their scores: a game is one cluster."""
    size = len(fit.parameters)
    total = np.zeros((size, size))
    for t, part, design in _designs(data, fit):
        chance, n, wins = _chances(design @ fit.parameters), t.finished[part], t.wins[part]
        cross = wins[:, :, None] * chance[:, None, :]
        spread = t.products[part] - cross - cross.transpose(0, 2, 1)
        spread += n[:, None, None] * chance[:, :, None] * chance[:, None, :]
        total += np.einsum("tsk,tsl->kl", design, spread @ design)
    return total


def _check_separable(information: np.ndarray, fit: Fit) -> None:
    """Raise UserError if some combination of effects leaves every game's chances as they are."""
    if not len(information):
        return
    values, vectors = np.linalg.eigh(information)
    if values[0] > 1e-8 * values[-1]:
        return
    size = {key: float(np.abs(vectors[place, 0]).max()) for key, place in fit.places.items()}
    mixed = [key for key, value in size.items() if value > 0.05]
    raise UserError(
        f"the games cannot tell the effects of {' and '.join(mixed)} apart: they always come together; "
        f"leave one of them out, or play games that mix them (--leader-pool, --strategy-pool)"
    )


# --- Chances over balanced tables


def _line_ups(levels: int, players: int, distinct: bool) -> np.ndarray:
    """Return all line-ups of codes, or a fixed random sample if they are too many."""
    count = float(np.prod([levels - i if distinct else levels for i in range(players)], dtype=float))
    if count <= MOST_LINE_UPS:
        found = permutations(range(levels), players) if distinct else product(range(levels), repeat=players)
        return np.array(list(found))
    rng = np.random.default_rng(0)
    if distinct:
        return np.argsort(rng.random((MOST_LINE_UPS, levels)), axis=1)[:, :players]
    return rng.integers(0, levels, (MOST_LINE_UPS, players))


def _balanced(fit: Fit, factor: str, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return each level's chance to win at balanced tables of so many players, and its derivatives.

    Balanced: every line-up of different leaders (of strategies: every line-up) equally often in every turn order, all
    other effects at their average.
    """
    key, order = _key(factor, players), _order_factor(players)
    levels = len(fit.factors[key])
    line_ups = np.arange(players)[None, :] if factor == "order" else _line_ups(levels, players, factor == "leader")
    design = np.zeros((*line_ups.shape, len(fit.parameters)))
    if order in fit.bases:
        design[:, :, fit.places[order]] = fit.bases[order]
    if factor != "order":
        design[:, :, fit.places[key]] = fit.bases[key][line_ups]
    chance = _chances(design @ fit.parameters)
    slope = chance[:, :, None] * (design - np.einsum("ts,tsk->tk", chance, design)[:, None, :])
    seated = np.bincount(line_ups.ravel(), minlength=levels)
    mean = np.bincount(line_ups.ravel(), chance.ravel(), levels) / seated
    jacobian = np.stack(
        [np.bincount(line_ups.ravel(), column, levels) for column in slope.reshape(-1, slope.shape[2]).T], axis=1
    )
    return mean, jacobian / seated[:, None]


def balanced_rates(fit: Fit, data: Outcomes, factor: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Return each level's win rate at balanced tables, their covariance and the fair share.

    With several player counts, each has the weight of its games.
    """
    weights = np.array([t.finished.sum() for t in data.tables], float)
    weights /= weights.sum()
    parts = [_balanced(fit, factor, t.players) for t in data.tables]
    rate = sum(w * mean for w, (mean, _) in zip(weights, parts, strict=True))
    jacobian = sum(w * slope for w, (_, slope) in zip(weights, parts, strict=True))
    fair = float(sum(w / t.players for w, t in zip(weights, data.tables, strict=True)))
    return np.asarray(rate), np.asarray(jacobian @ fit.covariance @ jacobian.T), fair


# --- Many statements at once


def holm(p: Any) -> np.ndarray:
    """Return Holm's corrected p values; NaN stays NaN and is not counted."""
    p = np.asarray(p, float)
    corrected = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    factors = len(order) - np.arange(len(order))
    corrected[order] = np.minimum(1, np.maximum.accumulate(p[order] * factors))
    return corrected


def two_sided(estimate: Any, error: Any) -> np.ndarray:
    """Return two-sided p values of normal estimates against zero; 1 where both are zero."""
    estimate, error = np.asarray(estimate, float), np.asarray(error, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where((estimate == 0) & (error == 0), 0.0, np.abs(estimate) / error)
    return np.asarray(2 * stats.norm.sf(z))


def simultaneous_ranks(
    estimate: np.ndarray, covariance: np.ndarray, confidence: float = CONFIDENCE, draws: int = DRAWS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the best and worst rank of each entry that the data allow, and how often it is first.

    The rank sets hold together with the stated confidence: all pairwise differences get intervals of a common
    studentised width (the quantile of their largest absolute value, found by simulation), and an entry is behind
    another one only if the interval of their difference says so. The last column is the share of draws from the
    estimates' normal distribution in which the entry is the best.
    """
    n = len(estimate)
    rng = np.random.default_rng(0)
    noise = rng.multivariate_normal(np.zeros(n), covariance, draws, method="eigh")
    first, second = np.triu_indices(n, 1)
    variance = np.diag(covariance)
    error = np.sqrt(np.maximum(variance[first] + variance[second] - 2 * covariance[first, second], 1e-300))
    largest = (np.abs(noise[:, first] - noise[:, second]) / error).max(axis=1)
    reach = np.quantile(largest, confidence) * error
    gap = estimate[first] - estimate[second]
    ahead, behind = gap > reach, gap < -reach
    best = 1 + np.bincount(second[ahead], minlength=n) + np.bincount(first[behind], minlength=n)
    worst = n - np.bincount(first[ahead], minlength=n) - np.bincount(second[behind], minlength=n)
    chance = np.bincount(np.argmax(estimate + noise, axis=1), minlength=n) / draws
    return best, worst, chance


def _quantile() -> float:
    return float(stats.norm.ppf(0.5 + CONFIDENCE / 2))


def _around(name: str, estimate: np.ndarray, error: np.ndarray) -> dict[str, np.ndarray]:
    reach = _quantile() * error
    return {name: estimate, f"{name}_low": estimate - reach, f"{name}_high": estimate + reach}


# --- Answers


def _observed(data: Outcomes, factor: str) -> pd.DataFrame:
    """Return games and wins of each level as they were."""
    n, wins = np.zeros(len(data.levels[factor])), np.zeros(len(data.levels[factor]))
    for t in data.tables:
        codes = t.codes[factor].ravel()
        n += np.bincount(codes, np.repeat(t.games, t.players), len(n))
        wins += np.bincount(codes, t.wins.ravel(), len(n))
    return pd.DataFrame({factor: data.levels[factor], "n": n.astype(np.int64), "wins": wins})


def _present(data: Outcomes) -> Outcomes:
    """Drop the levels that do not occur in these tables."""
    levels, tables = dict(data.levels), list(data.tables)
    for factor in data.levels:
        seen = np.unique(np.concatenate([t.codes[factor].ravel() for t in tables])) if tables else np.array([], int)
        lookup = np.full(len(data.levels[factor]), -1)
        lookup[seen] = np.arange(len(seen))
        levels[factor] = [data.levels[factor][i] for i in seen]
        for i, t in enumerate(tables):
            codes = {**t.codes, factor: lookup[t.codes[factor]]}
            tables[i] = Tables(t.players, codes, t.cards, t.games, t.finished, t.wins, t.products)
    return Outcomes(levels, data.cards, tables)


def _strengths(data: Outcomes, factors: Iterable[str], factor: str = "leader") -> pd.DataFrame:
    data = _present(data)
    frame = _observed(data, factor)
    if len(data.levels[factor]) < 2:
        raise UserError(f"{factor}: only '{data.levels[factor][0]}' played; nothing to compare")
    fit = fit_logit(data, factors)
    log_odds, covariance = fit.effects(factor)
    error = np.sqrt(np.diag(covariance))
    rate, rate_covariance, fair = balanced_rates(fit, data, factor)
    best, worst, first = simultaneous_ranks(log_odds, covariance)
    frame = frame.assign(**rate_columns(frame["wins"], frame["n"], "win_rate"))
    frame = frame.assign(**_around("adjusted_rate", rate, np.sqrt(np.diag(rate_covariance))), fair_share=fair)
    for end in ("", "_low", "_high"):
        frame[f"points{end}"] = 100 * (frame[f"adjusted_rate{end}"] - fair)
    odds = _around("odds_ratio", log_odds, error)
    frame = frame.assign(log_odds=log_odds, error=error, **{name: np.exp(value) for name, value in odds.items()})
    p = two_sided(log_odds, error)
    frame = frame.assign(p=p, p_holm=holm(p), rank_best=best, rank_worst=worst, chance_first=first)
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    frame["unfinished"] = fit.games - fit.finished
    frame = frame.sort_values("log_odds", ascending=False, ignore_index=True)
    frame.insert(1, "rank", np.arange(1, len(frame) + 1))
    return frame


def strengths(
    runs: Runs, by: str | None = None, factors: Iterable[str] = DEFAULT_FACTORS, factor: str = "leader"
) -> pd.DataFrame:
    """Return the leaders by strength, corrected for turn order, opponents and strategies.

    `adjusted_rate` is the share of the decided games the leader would win if every line-up of leaders played equally
    often in every turn order; `points` is that less the fair share, in percentage points; `odds_ratio` compares the odds
    with those of the average leader. `rank_best` to `rank_worst` are the ranks that remain possible (simultaneously
    for all leaders), `p_holm` the corrected p value of "as strong as the average". `unfinished` counts the games of the
    whole table that nobody won. With `by="players"` each player count has a model of its own. `factor` may be 'strategy'.
    """
    factors = tuple(factors)
    data = outcomes(runs, dict.fromkeys((*factors, factor)))
    if by is None:
        return _strengths(data, factors, factor)
    if by != "players":
        raise UserError(f"strengths by '{by}': expected players")
    parts = []
    for t in data.tables:
        part = _strengths(data.with_players(t.players), factors, factor)
        part.insert(0, "players", t.players)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def turn_order(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return the advantage of each place in the turn order, corrected for leaders and strategies, by player count."""
    data, parts = outcomes(runs, dict.fromkeys(("order", *factors))), []
    for t in data.tables:
        own = _present(data.with_players(t.players))
        fit = fit_logit(own, factors)
        log_odds, covariance = fit.effects(_order_factor(t.players))
        rate, rate_covariance, fair = balanced_rates(fit, own, "order")
        error = np.sqrt(np.diag(covariance))
        n, wins = np.full(t.players, t.games.sum()).astype(np.int64), t.wins.sum(axis=0)
        frame = pd.DataFrame({"players": t.players, "order": np.arange(1, t.players + 1), "n": n, "wins": wins})
        frame = frame.assign(**rate_columns(frame["wins"], frame["n"], "win_rate"))
        frame = frame.assign(**_around("adjusted_rate", rate, np.sqrt(np.diag(rate_covariance))), fair_share=fair)
        for end in ("", "_low", "_high"):
            frame[f"points{end}"] = 100 * (frame[f"adjusted_rate{end}"] - fair)
        odds = {name: np.exp(value) for name, value in _around("odds_ratio", log_odds, error).items()}
        parts.append(frame.assign(log_odds=log_odds, error=error, **odds, p=two_sided(log_odds, error)))
    whole = pd.concat(parts, ignore_index=True)
    whole["p_holm"] = holm(whole["p"])
    return whole


def factor_tests(runs: Runs, factors: Iterable[str] = FACTORS) -> pd.DataFrame:
    """Return for each factor the Wald test that all its levels are equally strong.

    'seat' is the place at the table, which the rules do not know: a check on the simulator, expected to be silent.
    """
    data = _present(outcomes(runs, factors))
    fit = fit_logit(data, factors)
    rows = []
    for key, place in fit.places.items():
        estimate, covariance = fit.parameters[place], fit.covariance[place, place]
        chi2 = float(estimate @ np.linalg.solve(covariance, estimate))
        df = len(estimate)
        rows.append({"factor": key, "levels": df + 1, "chi2": chi2, "df": df, "p": float(stats.chi2.sf(chi2, df))})
    return pd.DataFrame(rows).assign(p_holm=lambda frame: holm(frame["p"]))


def by_cards(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return for each victory card and leader the adjusted win rate with the card in play and without it.

    `difference` (in percentage points) and its interval compare the two sets of games, which share none;
    `p_holm` is corrected over all cards and leaders. Cards that are always or never in play are left out.
    """
    data, parts = _present(outcomes(runs, factors)), []
    for code, card in enumerate(data.cards):
        sides = [data.where_card(code, True), data.where_card(code, False)]
        if not all(side.tables for side in sides):
            continue
        rates = []
        for side in sides:
            side = _present(side)
            rate, covariance, _ = balanced_rates(fit_logit(side, factors), side, "leader")
            n = _observed(side, "leader")["n"].to_numpy()
            rates.append(pd.DataFrame({"rate": rate, "error": np.sqrt(np.diag(covariance)), "n": n}, side.levels["leader"]))
        with_card, without = rates
        gap = 100 * (with_card["rate"] - without["rate"])
        error = 100 * np.sqrt(with_card["error"] ** 2 + without["error"] ** 2)
        columns: dict[str, Any] = {"card": card, "leader": gap.index, "n_with": with_card["n"], "n_without": without["n"]}
        columns |= {"rate_with": with_card["rate"], "rate_without": without["rate"]}
        columns |= _around("difference", np.asarray(gap), np.asarray(error)) | {"p": two_sided(gap, error)}
        parts.append(pd.DataFrame(columns).reset_index(drop=True))
    if not parts:
        raise UserError("every game had the same victory cards in play; nothing to compare")
    whole = pd.concat(parts, ignore_index=True)
    return whole.assign(p_holm=holm(whole["p"])).sort_values(["card", "leader"], ignore_index=True)


def matchups(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return for each pair of leaders how often the first won when one of the two won and both were at the table.

    `expected` is what the model without special pairings says; `surplus` (percentage points) is what is left, with an
    interval that ignores the small error of `expected` and so is a little too wide. `p_holm` asks whether the pairing
    matters beyond the two leaders' strengths, corrected over all pairs.
    """
    data = _present(outcomes(runs, factors))
    fit = fit_logit(data, factors)
    leaders = data.levels["leader"]
    n, wins, expected, spread = (np.zeros((len(leaders), len(leaders))) for _ in range(4))
    for t, part, design in _designs(data, fit):
        chance = _chances(design @ fit.parameters)
        codes, finished = t.codes["leader"][part], t.finished[part]
        for a, b in permutations(range(t.players), 2):
            place = (codes[:, a], codes[:, b])
            share = chance[:, a] / (chance[:, a] + chance[:, b])
            won, lost = t.wins[part][:, a], t.wins[part][:, b]
            aa, bb, ab = (t.products[part][:, i, j] for i, j in ((a, a), (b, b), (a, b)))
            np.add.at(n, place, finished)
            np.add.at(wins, place, won)
            np.add.at(expected, place, share * (won + lost))
            # A game adds (1 - share) if the first won, -share if the second did: squared and summed.
            np.add.at(spread, place, (1 - share) ** 2 * aa + share**2 * bb - 2 * share * (1 - share) * ab)
    rows = []
    for i, j in permutations(range(len(leaders)), 2):
        decided = wins[i, j] + wins[j, i]
        if n[i, j]:
            rows.append((leaders[i], leaders[j], n[i, j], decided, wins[i, j], expected[i, j], spread[i, j]))
    names = ["leader", "opponent", "n", "decided", "wins", "expected", "spread"]
    frame = pd.DataFrame(rows, columns=names).astype({"n": np.int64})
    decided = frame["decided"].where(frame["decided"] > 0)
    surplus = (100 * (frame["wins"] - frame["expected"]) / decided).to_numpy()
    error = (100 * np.sqrt(frame["spread"]) / decided).to_numpy()
    p = two_sided(surplus, error)
    frame = frame.assign(**rate_columns(frame["wins"], frame["decided"], "win_rate"), expected=frame["expected"] / decided)
    frame = frame.assign(**_around("surplus", surplus, error), p=p)
    # A pair stands in two rows, with one and the same p value: it is one question.
    once = (frame["leader"] < frame["opponent"]).to_numpy()
    corrected = dict(zip(_pairs(frame[once]), holm(p[once]), strict=True))
    frame["p_holm"] = [corrected[pair] for pair in _pairs(frame)]
    frame["small_sample"] = frame["decided"] < SMALL_SAMPLE
    return frame.drop(columns="spread")


def _pairs(frame: pd.DataFrame) -> list[tuple[str, ...]]:
    return [tuple(sorted(pair)) for pair in zip(frame["leader"], frame["opponent"], strict=True)]


def matchup_matrix(frame: pd.DataFrame, value: str = "win_rate") -> pd.DataFrame:
    """Return one column of `matchups` as a square: row against column, strongest row first."""
    square = frame.pivot(index="leader", columns="opponent", values=value)
    order = square.mean(axis=1).sort_values(ascending=False).index if value == "win_rate" else square.index
    return square.loc[order, order]


# --- Pictures


def plot_strengths(frame: pd.DataFrame, ax: Any) -> None:
    """Draw a forest plot of `strengths`: adjusted win rates with their intervals, the fair share as a line."""
    y = np.arange(len(frame))[::-1]
    rate = 100 * frame["adjusted_rate"]
    reach = [rate - 100 * frame["adjusted_rate_low"], 100 * frame["adjusted_rate_high"] - rate]
    ax.axvline(100 * frame["fair_share"].iloc[0], color="0.5", linewidth=1, linestyle="--", label="fair share")
    ax.errorbar(rate, y, xerr=reach, fmt="o", color="#0072B2", capsize=3)
    ax.set_yticks(y, frame[frame.columns[list(frame.columns).index("rank") - 1]])
    ax.set_xlabel("win rate at balanced tables, % of decided games (95% interval)")
    ax.legend(frameon=False)


def plot_matchups(frame: pd.DataFrame, ax: Any) -> None:
    """Draw `matchups` as a heat map: how often the row's leader beats the column's."""
    square = 100 * matchup_matrix(frame)
    reach = float(np.nanmax(np.abs(square.to_numpy() - 50)))
    image = ax.imshow(square, cmap="PuOr", vmin=50 - reach, vmax=50 + reach)
    ax.set_xticks(range(len(square)), square.columns, rotation=45, ha="right")
    ax.set_yticks(range(len(square)), square.index)
    for (i, j), value in np.ndenumerate(square.to_numpy()):
        if not np.isnan(value):
            ax.text(j, i, f"{value:.0f}", ha="center", va="center", color="white" if abs(value - 50) > 0.7 * reach else "black")
    ax.set_xlabel("opponent")
    ax.figure.colorbar(image, ax=ax, label="wins of the row, % of games one of the two won")


__all__ = [
    "balanced_rates", "by_cards", "factor_tests", "fit_logit", "holm", "matchup_matrix", "matchups", "outcomes",
    "plot_matchups", "plot_strengths", "simultaneous_ranks", "strengths", "turn_order",
]  # fmt: skip
