"""The mixture of strategies that none of them beats, from who wins more often where both sit at the table.

Balduzzi, Tuyls, Perolat and Graepel ("Re-evaluating evaluation", NeurIPS 2018) rate players by the logarithm of the odds of
each against each, an antisymmetric table, as a game of its own: its Nash equilibrium of the highest entropy is a mixture of
players that no player has an edge over. A copy of a player, or one that is beaten by the others, changes nothing of it, and
players that beat each other in a circle share it. `alpha_rank` (Omidshafiei and others, Scientific Reports 9, 2019) is the
share of time that a population spends with each player, which a better one takes over again and again.

The odds of a pair are the wins of one to those of the other, in games with both at the table, whoever else sat there.
Intervals are percentiles of the mixtures of tables made of games drawn anew (the bootstrap; games are drawn whole). SciPy's
linear programs find who can have a share at all, and its sequential quadratic programming how even the shares can be.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import linalg, optimize, special

from ..statistics.rates import CONFIDENCE

UNSURE = 0.5  # wins added to each side of a pair, so that the odds of one who never won are finite (J. Haldane 1956)
COLUMNS = ("strategy", "n", "share", "share_low", "share_high", "share_mean", "alpha_rank", "against")
POOL = 20  # places of a pool that plays like the mixture
DRAWS = 200  # tables for the intervals
EDGE = 1e-9  # of the log odds that counts as none
SURE = 1e-7  # shares that differ by less are the same
SELECTION, POPULATION = 100.0, 50  # of alpha-rank: how much a better player is preferred; how many there are


def advantages(wins: np.ndarray) -> np.ndarray:
    """Return the log odds of each against each, antisymmetric, from `wins` of the row in games with the column."""
    sure = np.asarray(wins, float) + UNSURE
    return np.log(sure) - np.log(sure.T)


def unbeaten(advantage: np.ndarray) -> np.ndarray:
    """Return the shares of the mixture of the highest entropy that none has an advantage over, of an antisymmetric table."""
    advantage = np.asarray(advantage, float)
    n = len(advantage)
    if (best := (advantage > EDGE).sum(axis=1) == n - 1).any():
        return best.astype(float)  # it beats each of the others
    limits = {"A_ub": advantage, "b_ub": np.full(n, EDGE), "A_eq": np.ones((1, n)), "b_eq": [1.0]}
    most = np.array([optimize.linprog(-one, **limits).x for one in np.eye(n)])  # each with as large a share as it can have
    start = np.where(most.mean(axis=0) > SURE, most.mean(axis=0), 0)
    if np.ptp(most, axis=0).max() < SURE:
        return start / start.sum()
    inside = start > 0
    among = advantage[:, inside]
    found = optimize.minimize(
        lambda shares: float(-special.entr(shares).sum()), start[inside], jac=lambda shares: np.log(shares) + 1,
        bounds=[(SURE, 1.0)] * int(inside.sum()), method="SLSQP", options={"ftol": 1e-12, "maxiter": 500},
        constraints=({"type": "eq", "fun": lambda shares: shares.sum() - 1, "jac": lambda shares: np.ones(len(shares))},
                     {"type": "ineq", "fun": lambda shares: EDGE - among @ shares, "jac": lambda shares: -among}),
    )  # fmt: skip
    shares = np.zeros(n)
    shares[inside] = found.x
    return shares / shares.sum()


def alpha_rank(won: np.ndarray) -> np.ndarray:
    """Return the share of time of each in a population, from `won`: the share of the row's wins of those of row and column."""
    won = np.asarray(won, float)
    n = len(won)
    ahead = SELECTION * (won.T - won)  # of the column, where everybody else plays the row
    with np.errstate(over="ignore", invalid="ignore"):
        taken_over = np.where(
            ahead == 0, 1 / POPULATION, special.exprel(-ahead) / special.exprel(-POPULATION * ahead) / POPULATION
        )
    steps = np.nan_to_num(taken_over) / max(1, n - 1)
    np.fill_diagonal(steps, 0)
    np.fill_diagonal(steps, 1 - steps.sum(axis=1))
    stays = np.abs(linalg.null_space(steps.T - np.eye(n), rcond=EDGE)[:, 0])
    return stays / stays.sum()


def meetings(won: np.ndarray, times: np.ndarray | None = None) -> np.ndarray:
    """Return the wins of each in games with each other; `won`: shares by game and strategy, NaN where it did not sit.

    `times`: how often each game counts [once].
    """
    there = ~np.isnan(won)
    shares = np.nan_to_num(won) if times is None else np.nan_to_num(won) * times[:, None]
    return shares.T @ there.astype(float)


def mixture(won: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """Return one row a strategy of `won` (`ladder.by_game`): its share of the mixture that none beats.

    Columns: strategy, n (games it sat in), share with 95% interval, share_mean (over the tables drawn anew), alpha_rank,
    against (its part of the wins where it meets the mixture; at most a half). No rows if two of them never met.
    """
    games = won.to_numpy(float)
    there = (~np.isnan(games)).astype(float)
    if won.shape[1] < 2 or (there.T @ there == 0).any():
        return pd.DataFrame(columns=COLUMNS)
    wins = meetings(games)
    advantage = advantages(wins)
    shares = unbeaten(advantage)
    rng = np.random.default_rng(seed)
    drawn = [unbeaten(advantages(meetings(games, times))) for times in _draws(rng, len(games))]
    low, high = np.percentile(drawn, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)], axis=0)
    values = (
        won.columns, there.sum(axis=0).astype(np.int64), shares, low, high, np.mean(drawn, axis=0),
        alpha_rank(special.expit(advantage)), special.expit(advantage @ shares),
    )  # fmt: skip
    return pd.DataFrame(dict(zip(COLUMNS, values, strict=True)))


def _draws(rng: np.random.Generator, games: int) -> np.ndarray:
    """Return how often each game counts in each of the tables drawn anew."""
    return rng.multinomial(games, np.full(games, 1 / games), DRAWS).astype(float)


def pool(frame: pd.DataFrame, size: int) -> Sequence[str]:
    """Return the strategies of `mixture` as a pool of so many places, each named as often as its mean share comes to.

    The mean over the tables drawn anew: chance decides which of two equals takes all of a single table. Places go by the
    largest remainders (A. Hamilton 1792).
    """
    exact = size * frame["share_mean"].to_numpy(float)
    places = np.floor(exact).astype(int)
    for k in np.argsort(places - exact, kind="stable")[: size - places.sum()]:
        places[k] += 1
    return [name for name, n in zip(frame["strategy"], places, strict=True) for _ in range(n)]
