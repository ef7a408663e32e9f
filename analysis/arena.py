"""Tables at which strategies meet: the win share of one among others, and all against all.

Games are played in memory by the same kernel as runs are, in threads, and depend on the ruleset, the line-up and the
seed alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import joblib
import numpy as np

from simulator.batch.plan import Plan, available_leaders, make_plan
from simulator.batch.run import Observer, Rows, Silent, play_range
from strategies.registry import Strategy

PIECE = 100  # games a thread plays at a time


@dataclass(frozen=True)
class Share:
    """The mean win share of a strategy over n games at its tables, and its standard error.

    The share of a game is 1 for a sole winner, 1/k for one of k, 0 else; every game counts as one observation.
    """

    share: float
    error: float
    n: int

    def interval(self, z: float = 1.96) -> tuple[float, float]:
        """Return the normal interval of the mean, cut to 0 … 1 (95% by default)."""
        return max(0.0, self.share - z * self.error), min(1.0, self.share + z * self.error)


def table_plan(r: np.record, seats: Sequence[Strategy], games: int, seed: int) -> Plan:
    """Return the plan of a table: one strategy a player; they rotate, so each sits everywhere equally often."""
    return make_plan(
        players=len(seats), games=games, seed=seed, available_leaders=available_leaders(r), strategies=list(seats)
    )  # fmt: skip


def play(plan: Plan, r: np.record, jobs: int, observer: Observer | None = None) -> Rows:
    """Play a plan in threads and return its rows, in the order of the games."""
    watcher = observer or Silent()
    starts = range(0, plan.games, PIECE)
    pieces = joblib.Parallel(n_jobs=jobs, backend="threading")(
        joblib.delayed(play_range)(plan, r, first, min(PIECE, plan.games - first), watcher) for first in starts
    )
    return joined(pieces)


def joined(pieces: Sequence[Rows]) -> Rows:
    """Put the rows of ranges of games one after the other."""
    return Rows(*(np.concatenate([getattr(piece, name) for piece in pieces]) for name in Rows.__dataclass_fields__))


def shares(rows: Rows, plan: Plan, name: str) -> np.ndarray:
    """Return the share of each win, one number a seat of the strategy, in the order of the games."""
    seats = rows.seats
    return seats["won"][seats["strategy"] == plan.library().index(name)]


def share(won: np.ndarray) -> Share:
    """Return the mean of the shares of one strategy at one seat a game."""
    return Share(float(won.mean()), float(won.std(ddof=1) / np.sqrt(len(won))), len(won))


def meet(
    r: np.record, one: Strategy, others: Strategy, *, players: int, games: int, seed: int, jobs: int = 1
) -> np.ndarray:
    """Return the win share of `one` in each game against copies of another strategy."""
    plan = table_plan(r, [one, *[others] * (players - 1)], games, seed)
    return shares(play(plan, r, jobs), plan, one.name)
