"""The headline figures of games played in memory: rounds, unfinished games, first player, leaders, and their spread.

For questions that play many rulesets on the same seeds (sensitivity.py, tuning.py). A ruleset's games are an
array (games, figures, 2) of numerators and denominators, as in `analysis.trials.compare`, with the figures of FIGURES.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
import pandas as pd
from scipy import stats

from ...simulator import names
from ...simulator.batch.run import Observer, Player, Rows, play_listed, tables_of
from ...simulator.rules.contents import printed_names, written
from ..statistics import margins
from ..statistics.rate_spread import centring, rate_spread
from ..statistics.rates import CONFIDENCE, wilson
from .compare import SPREAD, Moments, differences, game_figures, subjects_of
from .compare import margin_of as margin_of

ROUNDS = "rounds"
BEFORE_LEADERS = (
    ("game", ROUNDS),
    ("game", "unfinished games"),
    ("game", "win rate of the first player"),
    *(("seats", f"win rate of the {place} player") for place in ("second", "third", "fourth", "fifth")),
    # Of both boxes: what is not in a game is in none of the cases that its rate counts.
    *(("agendas", f"claim rate of {name}") for name in printed_names(names.BOXES[names.TI_BOX], "agenda")),
    *(("wonders", f"build rate of {name}") for name in printed_names(names.BOXES[names.TI_BOX], "wonder")),
    # Of pairs of games, with and without the wonder given to a seat: only a search for an effect plays them (tuning.py).
    *(("effects", f"effect of {name}") for name in printed_names(names.BOXES[names.TI_BOX], "wonder")),
)
FIRST_LEADER = len(BEFORE_LEADERS)
PLACES = slice(2, 7)  # the win rates by turn order
SEAT_SPREAD = ("seats", "seat spread")


def figures_with(leaders: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return group and name of each figure of a ruleset with these leaders, by their codes."""
    return (*BEFORE_LEADERS, *(("leaders", f"win rate of {name}") for name in leaders))


FIGURES = figures_with(names.LEADERS)
GROUPS = ("game", "leaders")
MARGIN = margins.POINTS / 100  # of shares: a change of so much matters to a designer
CHUNK, MOST = 100, 500  # games that a worker plays at a time: few for many workers, many because each piece has its price
Read = Callable[[Any, np.record, Rows], np.ndarray]  # (plan, rules, rows of some games) -> (games, figures, 2)


def is_mean(figure: str) -> bool:
    """Say whether a figure is a mean of numbers, and no share: rounds, and effects, which may be below 0."""
    return figure == ROUNDS or figure.startswith("effect of ")


def figures_of(plan: Any, r: np.record, rows: Rows) -> np.ndarray:
    """Return (games, figures, 2) of the rows of some games, as the comparison reads them off the tables."""
    frames = {name: part.to_pandas() for name, part in tables_of(plan, r, rows).items()}
    subjects = subjects_of(r)
    found = game_figures(frames, int(rows.games["game_id"][0]), len(rows.games), subjects)
    place = {figure: index for index, figure in enumerate(figures_with(subjects.leaders))}
    values = np.zeros((len(rows.games), len(place), 2), np.float32)
    known = [index for index, figure in enumerate(subjects.figures) if figure in place]
    values[:, [place[subjects.figures[index]] for index in known]] = found[:, known]
    seats = frames["seats"]
    at = (seats["game_id"].to_numpy() - int(rows.games["game_id"][0]), PLACES.start + seats["order"].to_numpy() - 1)
    values[(*at, 0)], values[(*at, 1)] = seats["won"], 1
    return values


def play_figures(
    plan: Any, ruleset: Any, first: int, n: int, jobs: int, observer: Observer, read: Read = figures_of
) -> np.ndarray:
    """Play games first … first + n - 1 of the plan under the ruleset; return their figures, as `read` finds them, in order."""
    return play_some(plan, ruleset, np.arange(first, first + n), jobs, observer, read)


def play_some(plan: Any, ruleset: Any, games: np.ndarray, jobs: int, observer: Observer, read: Read = figures_of) -> np.ndarray:
    """Play the games of these numbers, which ascend; return their figures in this order."""
    r = ruleset.compile()
    leaders = len(written(r, "leader"))
    Player(plan, r)  # imports the engine here, once, and checks that the plan fits the rules
    stop = threading.Event()

    def played(part: np.ndarray) -> np.ndarray | None:
        rows = play_listed(plan, r, part, observer, stop)
        return None if rows is None else read(plan, r, rows)

    size = min(MOST, max(CHUNK, -(-len(games) // jobs)))
    pieces = [games[start : start + size] for start in range(0, len(games), size)]
    parallel = joblib.Parallel(max(1, min(jobs, len(pieces))), backend="threading")
    try:
        parts: list[np.ndarray] = parallel(joblib.delayed(played)(piece) for piece in pieces)
    finally:
        stop.set()  # after Ctrl-C: the threads end within one chunk
    return np.concatenate(parts) if parts else np.zeros((0, FIRST_LEADER + leaders, 2), np.float32)


@dataclass(frozen=True)
class WinRates:
    """The win rates of the leaders that sat at the tables, or of the places in the turn order, and their errors."""

    rate: np.ndarray  # (rates,)
    terms: np.ndarray  # (games, rates) linearised terms of the rates

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of the errors of the rates; games are the clusters, so one's win is the others' loss."""
        n = len(self.terms)
        return self.terms.T @ self.terms / (n * (n - 1))

    def variance(self) -> tuple[float, np.ndarray]:
        """Return the variance of the true rates, without bias (statistics/rate_spread.py), and its term for each game."""
        centre = centring(len(self.rate))
        found = self.rate @ centre @ self.rate - np.trace(centre @ self.covariance)
        return float(found) / (len(self.rate) - 1), 2 / (len(self.rate) - 1) * self.terms @ centre @ self.rate


def leader_rates(values: np.ndarray) -> WinRates:
    """Return the leaders' win rates in games as `figures_of` returns them."""
    return _rates(values[:, FIRST_LEADER:])


def seat_rates(values: np.ndarray) -> WinRates:
    """Return the win rates by turn order in games as `figures_of` returns them."""
    return _rates(values[:, PLACES])


def _rates(values: np.ndarray) -> WinRates:
    found = values.astype(float)
    found = found[:, found[:, :, 1].sum(axis=0) > 0]
    y, m = found[:, :, 0], found[:, :, 1]
    rate = y.sum(axis=0) / m.sum(axis=0)
    return WinRates(rate, (y - rate * m) / m.mean(axis=0))


def mean_interval(y: np.ndarray, m: np.ndarray, confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """Return the mean of `y` over the games that count (`m` 1, else 0) with its t interval; NaN without such a game."""
    n = int(m.sum())
    if n == 0:
        return np.nan, np.nan, np.nan
    values = y[m > 0]
    value = float(values.sum() / n)
    reach = float(stats.t.ppf(0.5 + confidence / 2, n - 1) * values.std(ddof=1) / np.sqrt(n)) if n > 1 else np.inf
    return value, value - reach, value + reach


def levels(values: np.ndarray, leaders: Sequence[str] = names.LEADERS) -> pd.DataFrame:
    """Return each figure with its 95% interval and n, under one ruleset; a leader that never sat at the table is left out."""
    rows = []
    for index, (group, figure) in enumerate(figures_with(leaders)):
        y, m = values[:, index, 0].astype(float), float(values[:, index, 1].sum())
        if m == 0:
            continue
        if is_mean(figure):
            value, low, high = mean_interval(y, values[:, index, 1])
        else:
            value = float(y.sum() / m)
            low, high = (float(end) for end in wilson(y.sum(), m))
        rows.append((group, figure, value, low, high, int(m)))
    before = sum(row[0] != "leaders" for row in rows)
    for spread, rates in ((SPREAD, leader_rates(values)), (SEAT_SPREAD, seat_rates(values))):
        rows.insert(before, (*spread, *rate_spread(rates.rate, rates.covariance), len(values)))
    return pd.DataFrame(rows, columns=["group", "figure", "value", "low", "high", "n"])


def changes(
    a: np.ndarray, b: np.ndarray, groups: Sequence[str] = GROUPS, leaders: Sequence[str] = names.LEADERS
) -> pd.DataFrame:
    """Return each figure under two rulesets and its difference b - a; row k of both is the game of the same seed.

    Columns: group, figure, a, b, difference, low, high, p, n, changed (pairs that differ). p values are those of single
    questions.
    """
    figures = figures_with(leaders)
    moments = Moments.empty(len(figures), slice(FIRST_LEADER, len(figures)))
    moments.add(a.astype(float), b.astype(float))
    frame = differences(moments, figures=figures).rename(columns={"n_a": "n"})
    order = {figure: place for place, (_, figure) in enumerate([*figures[:FIRST_LEADER], SPREAD])}
    frame = frame.sort_values("figure", key=lambda column: column.map(order).fillna(len(order)), kind="stable")
    frame = frame[["group", "figure", "a", "b", "difference", "low", "high", "p", "n", "changed"]]
    return frame[frame["group"].isin(list(groups))].reset_index(drop=True)
