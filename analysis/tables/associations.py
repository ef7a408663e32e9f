"""Win rates of seats that have a card or a place, against comparable seats without it: start with `associated`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ..stats.inference import normal_together
from ..stats.rates import (
    SMALL_SAMPLE,
    hardly_any,
    rate_columns,
)
from .decoded_games import WHOLE, CodeNames
from .read import Runs, Selection, added, sample_of

# --- Win rates of seats that have a card or a place against comparable seats without it: an association
#
# Comparable seats play the same leader with the same strategy at the same place in the turn order (at tables of one size): a
# cell. With n seats that have a thing and m that have not in a cell, of whom shares y and z win, the association is Σ w (y - z)
# / Σ w, w = n m / (n + m): the difference within cells, weighted by its precision (W. Cochran, Biometrics 10, 1954; the
# coefficient of the thing in a regression with an effect of each cell). A game is one case: with d = 1 where a seat has the
# thing, p the share of its cell that has it and e the residual, it adds Σ (d - p) e over its seats, squared and summed. It is
# no effect: who is ahead takes more.

COMPARED = ("occupied", "leader", "strategy", "order", "won", "decided")


@dataclass(frozen=True)
class Holding:
    """Things that seats may have: the column of `Games`, their names, exclusive owners, and which names are `compared`."""

    column: str
    names: Callable[[CodeNames], Sequence[str]]
    owner: Mapping[str, str] = field(default_factory=dict)
    compared: Callable[[str], bool] = lambda name: True


def associated(runs: Runs, words: CodeNames, of: Holding, family: str) -> pd.DataFrame:
    """Return for each thing how often seats won that had it, against comparable seats without it (Cochran, 1954; see above).

    Columns: name, n (seats of decided games that had it), n_without (the others; for a thing that only one leader may have,
    those of that leader), wins, win_rate and rate_without (as played), association (percentage points, with its intervals), p,
    p_adjusted, small_sample. What nearly all comparable seats have, or hardly any, is not tested.
    """
    columns = (*COMPARED, of.column)
    sample = sample_of(runs, columns, words=words)
    total = added(_cells(s, of) for s in sample)
    names = [name for name in of.names(sample.words) if of.compared(name)]
    codes = [code for code, name in enumerate(of.names(sample.words)) if of.compared(name)]
    cells = np.arange(total["n"].shape[-1])
    # Seats and wins by thing, with it or not, and cell.
    may_have = (
        np.stack([_may_have(name, of, sample.words, cells) for name in names]) if names else np.zeros((0, len(cells)), bool)
    )
    n, y = (
        np.stack([np.where(may_have, total[seats] - total[held][codes], 0.0), total[held][codes]], axis=1)
        for seats, held in (("n", "n_with"), ("y", "y_with"))
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.nan_to_num(n[:, 0] * n[:, 1] / n.sum(axis=1))
        rate = np.where(n > 0, y / n, 0.0)
        scale = weight.sum(axis=1)
        gap = (weight * (rate[:, 1] - rate[:, 0])).sum(axis=1) / scale
        share, mean = (np.nan_to_num(part / n.sum(axis=1)) for part in (n[:, 1], y.sum(axis=1)))
    square, games = np.zeros(len(names)), 0
    for s in sample_of(runs, columns, words=words):  # second pass: the residuals need the cells of all games
        square += _squares(s, of, codes, share, mean, np.nan_to_num(gap))
        games += int(np.count_nonzero(s.chosen & s.games.decided))
    with np.errstate(divide="ignore", invalid="ignore"):
        error = 100 * np.sqrt(square * games / max(games - 1, 1)) / scale
    (without, with_), (lost, won) = n.sum(axis=2).T, y.sum(axis=2).T
    few = (np.minimum(with_, without) < SMALL_SAMPLE) | hardly_any(won, with_) | hardly_any(lost, without)
    few |= ~(scale >= SMALL_SAMPLE / 2)  # hardly any comparable seats differ
    few |= np.any([hardly_any((weight * rate[:, side]).sum(axis=1), scale) for side in (0, 1)], axis=0)
    frame = pd.DataFrame({"name": names, "n": with_.astype(np.int64), "n_without": without.astype(np.int64), "wins": won})
    frame = frame.assign(**rate_columns(won, with_, "win_rate"), rate_without=lost / np.where(without > 0, without, np.nan))
    return frame.assign(**normal_together("association", 100 * gap, error, few, family=family), small_sample=few)


MOST_PLACES, MOST_LEADERS = 8, 64  # bounds in the code of a cell; the first also for players


def _may_have(name: str, of: Holding, words: CodeNames, cells: np.ndarray) -> np.ndarray:
    """Return the cells whose seats may have a thing: all, or those of its only owner."""
    if not (owner := of.owner.get(name, "")):
        return np.ones(len(cells), bool)
    return cells % MOST_LEADERS == (words.leader.index(owner) if owner in words.leader else -1)


def _seated(s: Selection) -> tuple[np.ndarray, np.ndarray]:
    """Return which seats are compared (counted ones of decided games), and the cell of each seat."""
    games = s.games
    leader, strategy, order = (column.ravel().astype(np.int64) for column in (games.leader, games.strategy, games.order))
    # The strategy leads the code: a strategy met later gets new cells at the end, which `added` pads.
    cell = ((strategy * MOST_PLACES + order) * MOST_PLACES + games.players) * MOST_LEADERS + leader
    counted = s.counting.ravel() & np.repeat(games.decided, games.players)
    return counted, np.where(counted, cell, 0)


def _had(s: Selection, of: Holding, counted: np.ndarray, cell: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return thing and seat of all that compared seats had, sorted by thing; exclusive things count for their owner only."""
    events = getattr(s.games, of.column)
    names = of.names(s.games.words)
    leaders = s.games.words.leader
    owner = np.array(
        [leaders.index(leader) if (leader := of.owner.get(name, "")) in leaders else -1 for name in names], np.int64
    )
    alone = np.array([bool(of.owner.get(name, "")) for name in names], bool)
    what, at = events.what.astype(np.int64), events.at.astype(np.int64)
    relevant = counted[at] & (~alone[what] | (cell[at] % MOST_LEADERS == owner[what]))
    order = np.argsort(what[relevant].astype(np.int8), kind="stable")
    return what[relevant][order], at[relevant][order]


def _cells(s: Selection, of: Holding) -> dict[str, np.ndarray]:
    """Return seats (`n`) and their wins (`y`) by cell, and those that had a thing (`_with`) by thing and cell."""
    counted, cell = _seated(s)
    size = (1 + int(s.games.strategy.max(initial=0))) * MOST_PLACES**2 * MOST_LEADERS
    what, at = _had(s, of, counted, cell)
    things, wins = len(of.names(s.games.words)), s.wins / WHOLE
    key = what * size + cell[at]
    return {
        "n": np.bincount(cell[counted], minlength=size).astype(float), "y": np.bincount(cell[counted], wins[counted], size),
        "n_with": np.bincount(key, minlength=things * size).reshape(things, size).astype(float),
        "y_with": np.bincount(key, wins[at], things * size).reshape(things, size),
    }  # fmt: skip


def _squares(
    s: Selection, of: Holding, codes: Sequence[int], share: np.ndarray, mean: np.ndarray, gap: np.ndarray
) -> np.ndarray:
    """Return, by thing, the sum over games of the squared contributions."""
    counted, cell = _seated(s)
    what, at = _had(s, of, counted, cell)
    edges = np.searchsorted(what, [*codes, len(of.names(s.games.words))])
    wins = s.wins / WHOLE
    cells, place = np.unique(cell, return_inverse=True)
    squares = np.zeros(len(codes))
    for row, code in enumerate(codes):
        had = at[edges[row] : np.searchsorted(what, code, "right")]
        p, m = share[row, cells], mean[row, cells]
        # A seat without the thing adds -p (w - m + g p), linear in its wins w, by cell.
        terms = (p * (m - gap[row] * p))[place] - p[place] * wins
        apart = 1 - p[place[had]]
        terms[had] = apart * (wins[had] - m[place[had]] - gap[row] * apart)
        squares[row] = ((terms * counted).reshape(-1, s.games.players).sum(axis=1) ** 2).sum()
    return squares
