"""What goes with having something: seats that have a card or a place against seats alike that have it not. An association.

Seats are alike that play the same leader with the same strategy at the same place in the turn order (at tables of one size).
With n seats that have a thing and m that have not in such a cell, of whom shares y and z win, the association is
Σ w (y - z) / Σ w, w = n m / (n + m): the difference of those who are alike, weighted by how well they can be compared (W.
Cochran, Biometrics 10, 1954; the coefficient of the thing in a regression with an effect of each cell). A game is one case:
with d = 1 where a seat has the thing, p the share of its cell that has it and e the residual, it adds Σ (d - p) e over its
seats, squared and summed. It is no effect: who is ahead takes more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ..stats.inference import normal_together
from ..stats.rates import SMALL_SAMPLE, hardly_any, rate_columns
from .columns import WHOLE, Words
from .read import Runs, Selection, added, asked

COMPARED = ("there", "leader", "strategy", "order", "won", "decided")


@dataclass(frozen=True)
class Holding:
    """What seats may have: the column of `Games` that says who has what, their names, and who alone may have one."""

    column: str
    names: Callable[[Words], Sequence[str]]
    owner: Mapping[str, str] = field(default_factory=dict)


def associated(runs: Runs, words: Words, of: Holding, family: str) -> pd.DataFrame:
    """Return for each thing how often seats won that had it, against seats alike that had it not.

    Columns: name, n (seats of decided games that had it), n_without (the others; of what one leader has alone, those of it),
    wins, win_rate and rate_without (as played), association (percentage points, with its intervals), p, p_adjusted,
    small_sample. What nearly all seats have, or hardly any, is not tested.
    """
    columns = (*COMPARED, of.column)
    sample = asked(runs, columns, words=words)
    cells = added(_cells(s, of) for s in sample)
    names = list(of.names(sample.words))
    n, y = (cells[name][: len(names)] for name in ("n", "y"))  # thing, with it or not, cell
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.nan_to_num(n[:, 0] * n[:, 1] / n.sum(axis=1))
        rate = np.where(n > 0, y / n, 0.0)
        scale = weight.sum(axis=1)
        gap = (weight * (rate[:, 1] - rate[:, 0])).sum(axis=1) / scale
    square, games = np.zeros(len(names)), 0
    for s in asked(runs, columns, words=words):  # once more: the residuals need the cells of all games
        part = _squares(s, of, n, y, gap)
        square[: len(part)] += part
        games += int(np.count_nonzero(s.chosen & s.games.decided))
    with np.errstate(divide="ignore", invalid="ignore"):
        error = 100 * np.sqrt(square * games / max(games - 1, 1)) / scale
    (without, with_), (lost, won) = n.sum(axis=2).T, y.sum(axis=2).T
    few = (np.minimum(with_, without) < SMALL_SAMPLE) | hardly_any(won, with_) | hardly_any(lost, without) | ~(scale > 0)
    frame = pd.DataFrame({"name": names, "n": with_.astype(np.int64), "n_without": without.astype(np.int64), "wins": won})
    frame = frame.assign(**rate_columns(won, with_, "win_rate"), rate_without=lost / np.where(without > 0, without, np.nan))
    return frame.assign(**normal_together("association", 100 * gap, error, few, family=family), small_sample=few)


MOST_PLACES, MOST_LEADERS = 8, 64  # in a turn order, and players at a table


def _known(s: Selection, of: Holding) -> Sequence[str]:
    """Return the names of the things that are known once these games are read."""
    getattr(s.games, of.column)
    return of.names(s.games.words)


def _asked_of(s: Selection, of: Holding) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield for each thing its code, and of the seats that are asked: which they are, whether they have it, their cell."""
    games, events = s.games, getattr(s.games, of.column)
    asked_seats = s.seats[games.decided[s.game]]
    leader = games.leader.ravel()[asked_seats].astype(np.int64)
    strategy, order = (column.ravel()[asked_seats].astype(np.int64) for column in (games.strategy, games.order))
    # Strategies first: cells of one that is met later come behind, and `added` fills up.
    cell = ((strategy * MOST_PLACES + order) * MOST_PLACES + games.players) * MOST_LEADERS + leader
    has = np.zeros(games.leader.size, bool)
    for code, name in enumerate(_known(s, of)):
        has[:] = False
        has[events.at[events.what == code]] = True
        whose = of.owner.get(name, "")
        mine = np.ones(len(asked_seats), bool)
        if whose:
            mine = leader == games.words.leader.index(whose) if whose in games.words.leader else ~mine
        yield code, asked_seats[mine], has[asked_seats][mine], cell[mine]


def _cells(s: Selection, of: Holding) -> dict[str, np.ndarray]:
    """Return seats and wins by thing, with it or not, and cell of seats that are alike."""
    size = (1 + int(s.games.strategy.max(initial=0))) * MOST_PLACES**2 * MOST_LEADERS
    found = np.zeros((2, len(_known(s, of)), 2, size))
    for code, seats, has, cell in _asked_of(s, of):
        key = has * size + cell
        found[0, code] = np.bincount(key, minlength=2 * size).reshape(2, size)
        found[1, code] = np.bincount(key, s.wins[seats] / WHOLE, 2 * size).reshape(2, size)
    return {"n": found[0], "y": found[1]}


def _squares(s: Selection, of: Holding, n: np.ndarray, y: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """Return by thing the sum over games of the squares of what each adds."""
    found = np.zeros(len(_known(s, of)))
    for code, seats, has, cell in _asked_of(s, of):
        both = n[code].sum(axis=0)[cell]
        share, mean = n[code, 1][cell] / both, y[code].sum(axis=0)[cell] / both
        apart = has - share
        terms = apart * (s.wins[seats] / WHOLE - mean - gap[code] * apart)
        found[code] = (np.bincount(seats // s.games.players, terms) ** 2).sum()
    return np.nan_to_num(found)
