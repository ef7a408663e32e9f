"""What fresh games say: of each point and wish whether it is met, and what else the point moves.

No point was chosen by these games. Each figure has its own 95% interval. A wish is *met* if an interval lies in its band whole
that holds for all points together: that every wish of a point is met needs no correction for the number of wishes (R. Berger,
Technometrics 24, 1982). It is *missed* if one lies outside whole that holds for all points and wishes together; else it is *not
known*. Of several strategies the worst counts.

The advice: of the points that meet every wish the cheapest that is shown to be nearer than the rules; if there is none, the
dearest that is shown to be nearer than all that are cheaper, by the pairs of games. If no point is shown to be nearer than the
rules, nothing is to be changed: a change more has to bring the game nearer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.wording import counted
from ..statistics.answer import DECIDED, DIFFERENT, games_to_decide, quantile_for
from ..statistics.inference import QUANTILE
from ..statistics.margins import against_margin
from ..statistics.rates import CONFIDENCE, clustered_rate_columns, median_of_counts
from ..summaries.game import median_interval
from ..trials.compare import Moments, differences
from ..trials.headline import mean_interval
from .bands import Bands, Column, distance_of, margin_of, nearer, read_columns
from .changes import NOTHING, Point
from .course import Course, Found
from .figures import KINDS, Figure
from .games import Table
from .wishes import MET, MISSED, OPEN, Wish, titles

DRAWS, CORRECTION = 2_000, 1.5
WORST = (MISSED, OPEN, MET)  # the first of them that any strategy has


@dataclass
class Answer:
    """What was found: a row a point (`front`), a point and wish and way (`goals`), a point and figure moved (`moved`).

    The first point is the rules. `advised` is the place of the point to take; `expected` compares the model with the games.
    """

    points: list[Point]
    front: pd.DataFrame
    goals: pd.DataFrame
    moved: pd.DataFrame
    expected: pd.DataFrame
    advised: int

    @property
    def all_met(self) -> bool:
        """Say whether the point that is advised meets every wish."""
        return bool(self.front["met"].iloc[self.advised] == self.front["wishes"].iloc[self.advised])


def confirm(course: Course, found: Found) -> Answer:
    """Play fresh games of the rules and of the front's points, and judge them."""
    points = [NOTHING, *found.points]
    n = course.effort.fresh
    legal = course.rulesets(points)
    wanted = [(table, ruleset, n) for _, ruleset in legal for table in course.bands.tables]
    with course.tables.stage(
        f"fresh games: {counted(n, 'game')} of each of {counted(len(points), 'point')}", wanted, fresh=True
    ):
        games = [
            {table: course.tables.play(table, rules, n, fresh=True) for table in course.bands.tables} for _, rules in legal
        ]
    return judged(course, points, games, found)


def judged(course: Course, points: Sequence[Point], games: Sequence[Mapping[Table, np.ndarray]], found: Found) -> Answer:
    """Return the answer by fresh games of the points, by table; the first point is the rules."""
    bands = course.bands
    goals = pd.concat([of_wishes(bands, one, len(points)).assign(point=place) for place, one in enumerate(games)])
    goals = goals.reset_index(drop=True)
    front = _front(course, points, games, goals)
    moved = [_moved(bands, games[0], one).assign(point=place) for place, one in enumerate(games) if place]
    whole = pd.concat(moved, ignore_index=True) if moved else pd.DataFrame()
    expected = _expected(bands, games, found)
    return Answer(list(points), front, goals, whole, expected, _advised(front))


# --- Wishes


def of_wishes(bands: Bands, games: Mapping[Table, np.ndarray], points: int) -> pd.DataFrame:
    """Return a row a wish and strategy: its figure with n, the band, the 95% interval, and the verdict."""
    single, every = 1 - (1 - CONFIDENCE) / points, 1 - (1 - CONFIDENCE) / (points * len(bands.wishes))
    rows: list[dict[str, Any]] = []
    named = titles(bands.wishes)
    for place, wish in enumerate(bands.wishes):
        by_way: dict[str, list[Any]] = {}
        for entry in bands.entries:
            if entry.wish == place:
                by_way.setdefault(bands.columns[entry.column].table.way, []).append(entry)
        for way, entries in by_way.items():
            words = [_verdict(bands.columns[one.column], games, one.low, one.high, single, every) for one in entries]
            value, low, high, n = figure_in(wish, bands.columns[entries[0].column], games)
            known = {
                "goal": wish.goal,
                "wish": place,
                "figure": named[place],
                "way": way,
                "band": wish.band,
                "players": wish.players,
            }
            ends = {"wanted_low": wish.low, "wanted_high": wish.high, "unit": wish.kind.unit}
            far = max(_far(bands.columns[one.column], games, one.low, one.high, single) for one in entries)
            verdict = worst(words)
            fewest = max(_fewest(bands.columns[one.column], games, one.low, one.high, points) for one in entries)
            rows.append(
                known | ends | {"value": value, "low": low, "high": high, "n": n, "verdict": verdict, "far": wish.weight * far}
                | {"games_fewest": fewest if verdict == OPEN else np.nan}
            )  # fmt: skip
    return pd.DataFrame(rows)


def worst(words: Sequence[str]) -> str:
    """Return the worst of verdicts."""
    return next(word for word in WORST if word in words)


def _verdict(column: Column, games: Mapping[Table, np.ndarray], low: float, high: float, single: float, every: float) -> str:
    """Return whether a column lies in its band."""
    values = games[column.table]
    least, most = interval(column, values, single)[1:3]
    if least >= low and most <= high:
        return MET
    least, most = interval(column, values, every)[1:3]
    return MISSED if least > high or most < low else OPEN


def _far(column: Column, games: Mapping[Table, np.ndarray], low: float, high: float, confidence: float) -> float:
    """Return how far outside its band a column may lie by its interval, in units of what matters."""
    least, most = interval(column, games[column.table], confidence)[1:3]
    return float(np.nan_to_num(max(low - least, most - high, 0.0), posinf=0.0) / margin_of(column))


def _fewest(column: Column, games: Mapping[Table, np.ndarray], low: float, high: float, points: int) -> float:
    """Return the fewest fresh games that decide whether a column lies in its band, with a probability of 80%."""
    n = len(games[column.table])
    _, least, most, _ = interval(column, games[column.table])
    centre, half = ((low + high) / 2, (high - low) / 2) if np.isfinite(high - low) else (low if np.isfinite(low) else high, 0.0)
    if not np.isfinite(most - least):
        return np.inf
    wanted = DECIDED if half else DIFFERENT  # of a band with one end: on which side of it
    error = (most - least) / 2 / QUANTILE
    return float(games_to_decide(least - centre, most - centre, error, n, half, quantile_for(points), wanted)[0])


def interval(column: Column, values: np.ndarray, confidence: float = CONFIDENCE) -> tuple[float, float, float, int]:
    """Return a column in the games of its table, with its interval and how many cases it is out of."""
    y, m = column.read(values)
    if column.is_mean:
        return (*mean_interval(y, m, confidence), int(m.sum()))
    n = float(m.sum())
    if n == 0:
        return np.nan, -np.inf, np.inf, 0
    squares = ((y - y.sum() / n * m) ** 2).sum()
    found = clustered_rate_columns(y.sum(), n, squares, "x", confidence)
    return float(found["x"]), float(found["x_low"]), float(found["x_high"]), int(n)


def figure_in(wish: Wish, column: Column, games: Mapping[Table, np.ndarray]) -> tuple[float, float, float, int]:
    """Return a wish's figure in games with its 95% interval: of the median the median itself."""
    if wish.kind.word != "median-length":
        return interval(column, games[column.table])
    rounds = games[column.table][:, column.place, 0].astype(np.int64)
    values, number = np.unique(rounds, return_counts=True)
    return (median_of_counts(values, number), *median_interval(values.astype(float), number), len(rounds))


# --- Points


def _front(
    course: Course, points: Sequence[Point], games: Sequence[Mapping[Table, np.ndarray]], goals: pd.DataFrame
) -> pd.DataFrame:
    """Return a row a point: price, distance with its interval, how many wishes are met, and whether it is on the front."""
    bands, space = course.bands, course.space
    undecided = goals[goals["verdict"] == OPEN].groupby("point")["far"].max()
    least = np.inf
    measured = [distance_of(bands, one) for one in games]
    verdicts = goals.groupby(["point", "wish"])["verdict"].agg(lambda words: worst(list(words))).unstack("point")
    rows: list[dict[str, Any]] = []
    for place, (point, one) in enumerate(zip(points, games, strict=True)):
        words = verdicts[place].value_counts()
        distance, low, high = without_noise(bands, one)
        row: dict[str, Any] = {"point": place, "changes": len(point), "price": space.price(point), "distance": distance}
        row |= {"distance_low": low, "distance_high": max(high, float(undecided.get(place, 0.0)))}
        row["front"] = place == 0 or distance < least  # what is no nearer than a cheaper point, or than the rules, is not on it
        least = min(least, distance)
        row |= {name: int(words.get(word, 0)) for name, word in (("met", MET), ("missed", MISSED), ("open", OPEN))}
        row |= {"wishes": len(bands.wishes), "n": course.effort.fresh, "at_end": "; ".join(space.at_ends(point))}
        row["what"] = "; ".join(space.notes(point)) or "the rules as they are"
        behind = [other for other in range(place) if not _nearer(measured[place], measured[other])]
        row |= {"nearer": not behind, "better": place > 0 and 0 not in behind}
        rows.append(row)
    return pd.DataFrame(rows)


def without_noise(bands: Bands, games: Mapping[Table, np.ndarray]) -> tuple[float, float, float]:
    """Return the distance in games with its 95% interval, without what chance adds to it.

    Misses are never below 0, so near the goals chance only adds to them. How much is seen where chance is added once more:
    figures are drawn around those of the games with their errors (the parametric bootstrap; B. Efron and R. Tibshirani, An
    Introduction to the Bootstrap, 1993). Once that much is too little at the edge of a band and right elsewhere; CORRECTION
    times it errs by at most 0.16 standard errors of a figure, wherever in the band or outside it lies.
    """
    rng, values, draws = np.random.default_rng(0), np.zeros(len(bands.columns)), np.zeros((DRAWS, len(bands.columns)))
    for table in bands.tables:
        at = bands.of_table(table)
        part = read_columns([bands.columns[i] for i in at], games[table])
        values[at] = part.value
        covariance = part.terms.T @ part.terms / len(part.terms) / (len(part.terms) - 1)
        draws[:, at] = rng.multivariate_normal(np.nan_to_num(part.value), covariance, DRAWS, method="eigh")
        draws[:, at[np.isnan(part.value)]] = np.nan
    found, beyond = float(bands.distance(values)), bands.beyond(draws)
    mean = float(np.maximum(beyond, 0).sum(axis=1).mean())
    distance = max(0.0, found - CORRECTION * (mean - found))
    # The error of the wishes that may be missed, as if what lies within counted against it: that of a sum without a corner.
    maybe = (beyond > 0).mean(axis=0) > (1 - CONFIDENCE) / 2
    reach = QUANTILE * float(beyond[:, maybe].sum(axis=1).std())
    return distance, max(0.0, distance - reach), distance + reach + (CORRECTION - 1) * (mean - found)


def _nearer(one: Any, other: Any) -> bool:
    """Say whether a point is shown to be nearer to the goals than another, by their pairs of games."""
    return bool(other[0] - one[0] > QUANTILE * nearer(one[1], other[1]))


def _advised(front: pd.DataFrame) -> int:
    """Return the place of the point to take: points stand by their price."""
    whole = front[(front["met"] == front["wishes"]) & (front["better"] | (front["changes"] == 0))]
    return int(whole.index[0]) if len(whole) else int(front.index[front["nearer"]][-1])


# --- What else


def _moved(bands: Bands, before: Mapping[Table, np.ndarray], after: Mapping[Table, np.ndarray]) -> pd.DataFrame:
    """Return a row a figure that no wish names: how a point moves it from the rules, and whether beyond its margin."""
    tables = [table for table in bands.tables if not table.granted]
    named = {(column.table, column.place) for column in bands.columns}
    parts = []
    for table in tables:
        asked = [(place, figure) for place, figure in enumerate(bands.figures) if (table, place) not in named]
        at, figures = [place for place, _ in asked], [(figure.kind.word, figure.title) for _, figure in asked]
        moments = Moments.empty(len(at))
        moments.add(before[table][:, at].astype(float), after[table][:, at].astype(float))
        frame = differences(moments, figures=figures, tables=len(tables))
        parts.append(frame.assign(players=table.players, way=table.way))
    whole = pd.concat(parts, ignore_index=True)
    margin = whole["group"].map(lambda word: KINDS[word].margin)
    _, beyond = against_margin(whole["difference_all_low"], whole["difference_all_high"], margin)
    whole = whole.assign(beyond=beyond, margin=margin, unit=whole["group"].map(lambda word: KINDS[word].unit))
    kept = ["group", "figure", "players", "way", "unit", "a", "b", "difference", "difference_all_low", "difference_all_high"]
    return whole[[*kept, "p_adjusted", "margin", "beyond", "pairs"]]


def _expected(bands: Bands, games: Sequence[Mapping[Table, np.ndarray]], found: Found) -> pd.DataFrame:
    """Return a row a point and column: what the model expected, what fresh games say, and whether the two agree (95%)."""
    rows = []
    for place, (one, *expected) in enumerate(zip(games, *found.expected, strict=False)):
        for at, column in enumerate(bands.columns):
            value, low, high, cases = interval(column, one[column.table])
            if not cases:
                continue
            model, least, most = (float(part[at]) for part in expected)
            within = agree((value, low, high), (model, least, most))
            known = {"point": place, "kind": column.kind.word, "figure": title_of(column, bands.figures)}
            known |= {"players": column.table.players, "way": column.table.way, "unit": column.unit}
            known |= {"expected": model, "expected_low": least, "expected_high": most, "fresh": value, "low": low, "high": high}
            rows.append(known | {"gap": value - model, "within": within, "n": cases})
    return pd.DataFrame(rows)


def agree(one: Sequence[float], other: Sequence[float]) -> bool:
    """Say whether two figures with their 95% intervals may be one: whether the 95% interval of their difference holds 0.

    It is made of both intervals (R. Newcombe, Statistics in Medicine 17, 1998, method 10).
    """
    (value, low, high), (own, least, most) = one, other
    return bool(-np.hypot(high - value, own - least) <= value - own <= np.hypot(value - low, most - own))


def title_of(column: Column, figures: Sequence[Figure]) -> str:
    """Return what a column is called."""
    if column.table.granted:
        return KINDS["effect"].title.format(column.table.granted)
    if column.below is not None:
        return f"games of fewer than {column.below:g} rounds"
    return KINDS["longer-than"].title.format(f"{column.above:g}") if column.above is not None else figures[column.place].title
