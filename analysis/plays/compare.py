"""Real plays beside strategies: the tables that `newdawn plays compare` shows and keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ...simulator.errors import UserError
from ...simulator.wording import counted
from ..statistics.inference import QUANTILE, SIGNIFICANT, Ends, exact_against_share, exact_ends, normal_ends, together
from ..statistics.rates import CONFIDENCE, SMALL_SAMPLE, rate_columns, wilson
from ..tables.plays import Plays
from ..tables.read import Run
from .agree import Agreement, agreement
from .nearest import scored
from .pool import Pooled, pooled
from .seated import Seated, seated
from .ways import Foretold, Way, foretold, ways_of

COMMAND = "plays compare"
TABLES = ("leaders", "agreement", "nearest", "estimates")
DIFFER, OPEN = "people differ", "no detectable difference"
FEWEST = 10  # plays below which nothing is compared


@dataclass(frozen=True)
class Compared:
    """What was found: tables by the names of TABLES, and how many plays of what they rest on.

    `left`: why plays were left out, a line each; `notes`: what else is to be known; `people`: those known by name who played
    more than once.
    """

    tables: Mapping[str, pd.DataFrame]
    plays: int
    sizes: Mapping[int, int]
    left: Sequence[str]
    notes: Sequence[str]
    people: int
    pooled: Pooled

    @property
    def ways(self) -> list[str]:
        """Names of the ways, in the order in which they were given."""
        return list(self.tables["agreement"]["way"])


def compare_plays(plays: Plays, runs: Mapping[str, Run]) -> Compared:
    """Compare real plays (`open_plays`) with runs of the same box, by their folders; runs of one strategy count as one way.

    `tables` of what it returns has four tables: `leaders` (a row a leader and way: people's win rate, the rate that the way
    expects at the same tables, their difference, the smallest difference that the test sees), `agreement` (a row a way: the
    test over all leaders), `nearest` (which way gave the winners the largest chance) and `estimates` (each leader by plays and
    simulation together, with the weight of the plays). Plays count whose number of players every way has games of, and whose
    leaders all played there; `left` says which did not.
    """
    ways = _checked(plays, runs)
    whole = seated(plays.table("seats", people=True))
    known = {way.name: way.knows(whole) for way in ways}
    every = np.logical_and.reduce(list(known.values()))
    left = [*_of_strategies(plays), *(line for way in ways for line in _left(whole, way, known[way.name]))]
    if every.sum() < FEWEST:
        raise UserError(_too_few(plays, len(whole), int(every.sum()), left))
    some = those_there(whole.where(every))
    forecasts = [foretold(way, some) for way in ways]
    return compared(some, forecasts, left, _other_rules(plays, runs))


def _too_few(plays: Plays, read: int, n: int, left: Sequence[str]) -> str:
    """Return what is said where n of the plays that were read can be compared, and what to do."""
    what = f"{plays.path}: {counted(read, 'play')} of people {'was' if read == 1 else 'were'} read"
    if read < FEWEST:
        what += f"; expected {FEWEST} or more: log {FEWEST - read} more and import them with these"
    else:
        what += f", and {counted(n, 'play')} can be compared; expected {FEWEST} or more"
    return "; ".join([what, *left])


def _checked(plays: Plays, runs: Mapping[str, Run]) -> list[Way]:
    """Return the ways of the runs; raise UserError if there are none, or of another box."""
    if not runs:
        raise UserError("no runs to compare with; expected one or more (--with RUN)")
    for folder, run in runs.items():
        if run.box != plays.box:
            raise UserError(f"{folder}: games of the box {run.box}; expected {plays.box} as in {plays.path}", file=folder)
    return ways_of(runs)


def _other_rules(plays: Plays, runs: Mapping[str, Run]) -> list[str]:
    """Return which runs were played by other rules than those with which the plays were imported."""
    own = plays.manifest["ruleset"]
    return [
        f"{folder} was played by other rules ('{rules['name']}') than the plays were imported with ('{own['name']}')"
        for folder, run in runs.items()
        if (rules := run.manifest.get("ruleset", own)).get("digest") != own["digest"]
    ]


def _of_strategies(plays: Plays) -> list[str]:
    """Return how many plays say nothing of people among themselves."""
    n = plays.with_strategies
    return [f"{counted(n, 'play')}: strategies played some of the seats"] if n else []


def _left(whole: Seated, way: Way, known: np.ndarray) -> list[str]:
    """Return why the way leaves plays out."""
    other = ~np.isin(whole.players, way.players)
    lines = []
    for players in np.unique(whole.players[other]):
        n = int((whole.players[other] == players).sum())
        lines.append(
            f"{counted(n, 'play')} of {players}: no games of {players} played by {way.name} (newdawn run --players {players})"
        )
    absent = int((~known & ~other).sum())
    if absent:
        lines.append(f"{counted(absent, 'play')}: with leaders that never played in the games of {way.name}")
    return lines


def those_there(plays: Seated) -> Seated:
    """Return the plays with the leaders and people who are in them, and no others."""

    def kept(code: np.ndarray, names: Sequence[str]) -> tuple[np.ndarray, tuple[str, ...]]:
        here = np.unique(code[code >= 0])
        lookup = np.full(len(names) + 1, -1)
        lookup[here] = np.arange(len(here))
        return lookup[code], tuple(names[k] for k in here)

    (leader, leaders), (person, people) = kept(plays.leader, plays.leaders), kept(plays.person, plays.people)
    return Seated(leaders, people, leader, person, plays.order, plays.won)


def compared(plays: Seated, forecasts: Sequence[Foretold], left: Sequence[str], notes: Sequence[str]) -> Compared:
    """Return the tables of plays that every way knows; `left` and `notes` say what is not in them."""
    tests = [agreement(one, plays, tests=len(forecasts)) for one in forecasts]
    sizes = {int(k): int(n) for k, n in zip(*np.unique(plays.players, return_counts=True), strict=True)}
    usual = max(sizes, key=lambda k: (sizes[k], k))
    both = pooled(forecasts, plays, usual)
    tables = {
        "leaders": leaders_beside(plays, tests),
        "agreement": _agreement(tests),
        "nearest": scored(forecasts, plays),
        "estimates": _estimates(plays, both),
    }
    return Compared(tables, len(plays), sizes, left, notes, _again(plays), both)


def _again(plays: Seated) -> int:
    return int((np.bincount(plays.person[plays.person >= 0], minlength=1) > 1).sum())


def _agreement(tests: Sequence[Agreement]) -> pd.DataFrame:
    """Return one row a way: the test, corrected for the number of ways, and what it can see."""
    rows = [
        {"way": one.way, "plays": one.plays, "chi2": one.statistic, "df": one.freedom, "p": one.p,
         "p_adjusted": min(1.0, len(tests) * one.p), "skill": one.skill,
         "detectable": float(np.nanmin(one.detectable)) if not np.isnan(one.detectable).all() else np.nan}
        for one in tests
    ]  # fmt: skip
    return pd.DataFrame(rows).assign(verdict=lambda frame: np.where(frame["p_adjusted"] <= SIGNIFICANT, DIFFER, OPEN))


def leaders_beside(plays: Seated, tests: Sequence[Agreement]) -> pd.DataFrame:
    """Return one row a leader and way: people's rate, the rate that the way expects at these tables, their difference.

    Intervals `_all_` and `p_adjusted` hold for all leaders and ways together.
    """
    n, wins = plays.counts(np.ones_like(plays.won)), plays.counts(plays.won)
    fair = plays.counts(np.broadcast_to(1 / plays.players[:, None], plays.won.shape)) / n
    parts = []
    for one in tests:
        rate, error = one.expected / n, one.error / n
        reach = QUANTILE * error
        frame = pd.DataFrame({"leader": plays.leaders, "way": one.way, "n": n.astype(np.int64), "wins": wins})
        frame = frame.assign(**rate_columns(wins, n, "win_rate"), fair_share=fair, expected_rate=rate, expected_error=error)
        frame = frame.assign(expected_rate_low=rate - reach, expected_rate_high=rate + reach, detectable=one.detectable)
        parts.append(frame.assign(small_sample=n < SMALL_SAMPLE))
    whole = pd.concat(parts, ignore_index=True)
    own = _ends_of_rates(whole["wins"].to_numpy(float), whole["n"].to_numpy(float))
    share, error = whole["expected_rate"].to_numpy(), whole["expected_error"].to_numpy()
    points = 100 * (whole["win_rate"] - share)
    ends = _less(whole["win_rate"].to_numpy(), own, share, normal_ends(np.zeros(len(share)), error))
    low, high = ends(CONFIDENCE)
    whole = whole.assign(points=points, points_low=low, points_high=high)
    p = exact_against_share(whole["wins"], whole["n"], np.clip(share, 1e-9, 1 - 1e-9))
    whole = whole.assign(**together("points", p, ends))
    whole["verdict"] = np.where(whole["p_adjusted"] <= SIGNIFICANT, DIFFER, OPEN)
    return whole.drop(columns="expected_error")


def _ends_of_rates(wins: np.ndarray, n: np.ndarray) -> Ends:
    """Return the ends of rates' intervals: Wilson's, which hold on the average, alone; of many questions each has to hold."""
    exactly = exact_ends(wins, n)
    return lambda confidence: wilson(wins, n, confidence) if confidence <= CONFIDENCE else exactly(confidence)


def _less(rate: np.ndarray, own: Ends, share: np.ndarray, off: Ends) -> Ends:
    """Return the ends of a rate less an expected one, in points, from both their intervals (MOVER; see `contests.ways`)."""

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        (low, high), (_, reach), gap = own(confidence), off(confidence), rate - share
        return 100 * (gap - np.hypot(rate - low, reach)), 100 * (gap + np.hypot(high - rate, reach))

    return ends


def _estimates(plays: Seated, found: Pooled) -> pd.DataFrame:
    """Return one row a leader, the strongest first: people and simulation together, at tables of the usual size."""
    n, wins = plays.counts(np.ones_like(plays.won)), plays.counts(plays.won)
    frame = pd.DataFrame(
        {
            "leader": found.leaders, "n": n.astype(np.int64), **rate_columns(wins, n, "win_rate"), "players": found.players,
            "simulated_rate": found.simulated, "estimated_rate": found.rate, "estimated_rate_low": found.low,
            "estimated_rate_high": found.high, "weight": found.weight,
        }
    )  # fmt: skip
    return frame.sort_values("estimated_rate", ascending=False, kind="stable", ignore_index=True)
