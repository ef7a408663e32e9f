"""Tables at which strategies meet: the win share of one among others, and all against all.

Games are played in memory by the same kernel as runs are, in threads, and depend on the ruleset, the line-up, the seed
and their own number alone.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.rules.contents import written
from ...simulator.runs.plan import Plan, plan_by
from ...simulator.runs.run import Observer, Player, Rows, Silent, in_threads, play_range, tables_of
from ...strategies.registry import Strategy
from ..stats.rates import Share

PIECE = 25  # games a thread plays at a time: what is lost of each at Ctrl-C


@dataclass(frozen=True)
class Played:
    """Games played in memory, as the tables of a run; `analysis.tables.logit` takes it like a run."""

    players: int
    frames: dict[str, pd.DataFrame]

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.frames["games"])

    def pieces(self, wanted: Mapping[str, Sequence[str]]) -> Iterator[dict[str, pd.DataFrame]]:
        """Yield the wanted columns of the wanted tables, all at once."""
        yield {table: self.frames[table][list(columns)] for table, columns in wanted.items()}


# --- one line-up


def table_plan(r: np.record, seats: Sequence[Strategy], games: int, seed: int) -> Plan:
    """Return the plan of a table: one strategy a player; they rotate, so each sits everywhere equally often."""
    return plan_by(r, players=len(seats), games=games, seed=seed, strategies=list(seats))


def play(plan: Plan, r: np.record, jobs: int, observer: Observer | None = None) -> Rows:
    """Play a plan in threads and return its rows, in the order of the games."""
    return joined(list(table_pieces(plan, r, jobs, observer)))


def table_pieces(plan: Plan, r: np.record, jobs: int, observer: Observer | None = None) -> Iterator[Rows]:
    """Play a plan in threads and yield the rows of one range of games after the other."""
    watcher = observer or Silent()
    return in_threads((partial(play_range, plan, r, first, n, watcher) for first, n in ranges(plan.games)), jobs)


def shares(rows: Rows, plan: Plan, name: str) -> np.ndarray:
    """Return the share of each win, one number a seat of the strategy, in the order of the games."""
    seats = rows.seats
    return seats["won"][seats["strategy"] == plan.library().index(name)]


def _shares_or(nobody: float, rows: Rows, plan: Plan, name: str) -> np.ndarray:
    """Return the share of each win of a strategy at one seat a game; `nobody` where nobody won."""
    decided = rows.games["ending"] == names.ENDINGS.index("victory")
    return np.where(decided, shares(rows, plan, name), nobody)


def share(won: np.ndarray) -> Share:
    """Return the mean of the shares of one strategy at one seat a game."""
    error = float(won.std(ddof=1) / np.sqrt(len(won))) if len(won) > 1 else np.nan
    return Share(float(won.mean()), error, len(won))


def meet(
    r: np.record, one: Strategy, others: Strategy, *, players: int, games: int, seed: int, jobs: int = 1, nobody: float = 0.0
) -> np.ndarray:
    """Return the win share of `one` in each game against copies of another strategy; `nobody` where nobody won."""
    plan = table_plan(r, [one, *[others] * (players - 1)], games, seed)
    return _shares_or(nobody, play(plan, r, jobs), plan, one.name)


def meet_as(
    r: np.record, leader: str, one: Strategy, others: Strategy, *, players: int, games: int, seed: int, jobs: int = 1
) -> np.ndarray:
    """Return the win share of `one`, who always plays the leader, in each game against copies of another strategy.

    NaN where nobody won.
    """
    plan = table_plan(r, [one, *[others] * (players - 1)], games, seed)
    return _shares_or(np.nan, joined(list(seated_pieces(plan, r, "leaders", deals(r, leader, plan), jobs))), plan, one.name)


def deals(r: np.record, leader: str, plan: Plan) -> np.ndarray:
    """Return the leaders of each game by their codes, shape (games, players): one always the same, for the first strategy.

    The others are drawn anew whenever everybody has sat everywhere.
    """
    names = written(r, "leader")
    others = [names.index(name) for name in plan.leaders if name != leader]
    rng = np.random.default_rng([plan.seed, names.index(leader)])
    blocks = -(-plan.games // plan.players)
    drawn = [[names.index(leader), *rng.choice(others, plan.players - 1, replace=False)] for _ in range(blocks)]
    return np.repeat(drawn, plan.players, axis=0)[: plan.games]


# --- line-ups that change from game to game


def mixed_plan(r: np.record, strategies: Sequence[Strategy], players: int, games: int, seed: int) -> Plan:
    """Return the plan of games among these strategies; who sits at which table is said by `line_ups`."""
    return plan_by(r, players=players, games=games, seed=seed, strategy_pool=list(strategies))


def line_ups(strategies: int, players: int, games: int, seed: int) -> np.ndarray:
    """Return who plays game 0, 1, … : codes of strategies, shape (games, players).

    A table is drawn without replacement, and plays as many games in a row as it has players: the kernel rotates its
    line-up, so that everybody sits everywhere once. All tables there are come in a random order, each once, before any
    of them comes again; the order inside a line-up is random, too. Game k is the same whatever the number of games.
    With fewer strategies than players each strategy is there as often as needed.
    """
    copies = -(-players // strategies)
    tables = np.unique(list(combinations(np.repeat(np.arange(strategies), copies).tolist(), players)), axis=0)
    blocks = -(-games // players)
    drawn = []
    for cycle in range(-(-blocks // len(tables))):
        rng = np.random.default_rng([seed, cycle])
        drawn.append(rng.permuted(tables[rng.permutation(len(tables))], axis=1))
    return np.repeat(np.concatenate(drawn), players, axis=0)[:games]


def seated_pieces(
    plan: Plan, r: np.record, what: str, seated: np.ndarray, jobs: int, observer: Observer | None = None
) -> Iterator[Rows]:
    """Play the games of `seated` in threads; yield their rows in order.

    `seated`: a line-up a game, shape (games, players), of `what`: "strategies" (codes of ``plan.library()``, see `line_ups`)
    or "leaders" (codes of the ruleset).
    """
    watcher = observer or Silent()

    return in_threads(
        (partial(_play_seated, plan, r, what, seated[first : first + n], first, watcher) for first, n in ranges(len(seated))),
        jobs,
    )


def _play_seated(
    plan: Plan, r: np.record, what: str, seated: np.ndarray, first: int, observer: Observer, stop: threading.Event
) -> Rows | None:
    """Play one game for each line-up, from game `first` on; None if `stop` was set before the end."""
    player = Player(plan, r)
    player.seating[f"{what}_drawn"] = 0
    player.seating[f"n_{what}"] = plan.players
    rows = player.rows(len(seated))
    agendas = 0
    for k, codes in enumerate(seated):
        if stop.is_set():
            return None
        player.seating[what][: plan.players] = codes
        agendas = player.play(first + k, 1, rows, k, agendas)
        observer.add(1)
    return Rows(rows.games, rows.seats, rows.wonders, rows.agendas[:agendas])


# --- pieces and rows


def ranges(games: int) -> Iterator[tuple[int, int]]:
    """Yield the first game and the number of games of each piece."""
    return ((first, min(PIECE, games - first)) for first in range(0, games, PIECE))


def until_stopped(pieces: Iterator[Rows]) -> tuple[list[Rows], bool]:
    """Collect pieces until the end or Ctrl-C; return them and whether they were stopped."""
    found: list[Rows] = []
    try:
        for piece in pieces:
            found.append(piece)
    except KeyboardInterrupt:
        return found, True
    return found, False


def joined(pieces: Sequence[Rows]) -> Rows:
    """Put the rows of ranges of games one after the other."""
    return Rows(*(np.concatenate([getattr(piece, name) for piece in pieces]) for name in Rows.__dataclass_fields__))


def played(plan: Plan, r: np.record, rows: Rows) -> Played:
    """Return the rows as tables."""
    return Played(plan.players, {name: table.to_pandas() for name, table in tables_of(plan, r, rows).items()})
