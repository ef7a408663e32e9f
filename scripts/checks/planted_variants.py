"""Races between variants whose best is known: python -m newdawn.scripts.checks.planted_variants --out DIR.

Games are drawn, not played: leaders of known strengths, who win in proportion to them, under common random numbers. For each
planted case: how often the race of `newdawn compare --until-best` takes the best, or one within the margin of it, how often
what it says is wrong, and how many games that takes; beside it the games of equal shares for the same chance of the right
choice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
from scipy import special

from ...analysis.questions.variants import course_of
from ...analysis.stats import best
from ...analysis.stats.best import CHOSEN, Standing
from ...analysis.stats.inference import SIGNIFICANT, rate_spread
from ...analysis.stats.rates import CONFIDENCE, POINTS, wilson
from ...analysis.tables.paired_figures import FIRST_LEADER, Subjects, leaders_rates, spread_of_leaders
from ...analysis.tables.variants import LEAST_SPREAD, Tally, placed
from ..cli.shared import PATH

LEADERS, PLAYERS, CHUNK = tuple(f"leader {k}" for k in range(8)), 4, 500
SUBJECTS = Subjects(LEADERS, ("an agenda",), ("a wonder",))
FURTHEST, STEP = 6_400, 1.1  # games of each under equal shares, and times as many from one number tried to the next
A_POINT = 0.0434  # of the leader spread: so much stronger is one half of the leaders


def strengths(spread: float) -> np.ndarray:
    """Return strengths of eight leaders of whom one half is as much too strong as the other is too weak."""
    return np.where(np.arange(8) % 2 == 0, 1 + spread, 1 - spread)


APART = 0.7  # of the games lose what they have in common when the rules change: common seeds save 1.4 times as many games


def figures(strength: np.ndarray, first: int, n: int, seed: int, ruleset: int) -> np.ndarray:
    """Return figures (n, figures, 2) of n games of four leaders drawn from eight, who win in proportion to their strengths.

    The same seed and game have the same leaders under all rulesets and, unless it goes another way (APART), the same luck.
    """
    values = np.zeros((n, len(SUBJECTS.figures), 2))
    values[:, :, 1] = 1
    values[:, FIRST_LEADER : FIRST_LEADER + 8] = 0
    luck = np.random.default_rng((seed, first)).random((n, 10))
    own = np.random.default_rng((seed, first, ruleset)).random(n)
    seated = np.argsort(luck[:, :8], axis=1)[:, :PLAYERS]
    weight = strength[seated].cumsum(axis=1)
    draw = np.where(luck[:, 9] < APART, own, luck[:, 8])[:, None]
    winner = seated[np.arange(n), (draw * weight[:, -1:] > weight).sum(axis=1)]
    rows = np.arange(n)[:, None]
    values[rows, FIRST_LEADER + seated, 1] = 1
    values[rows[:, 0], FIRST_LEADER + winner, 0] = 1
    values[:, 0, 0] = 15 + (luck[:, 8] * 5).round()
    return values


def games_of(truths: Sequence[np.ndarray], seed: int, playing: Sequence[int], first: int, n: int) -> Iterator[list[np.ndarray]]:
    """Yield the games of rulesets of these strengths, chunk by chunk."""
    for start in range(first, first + n, CHUNK):
        size = min(CHUNK, first + n - start)
        yield [figures(truths[at], start, size, seed, at) for at in playing]


# --- Planted cases: the leader spread of each ruleset, in points

CASES: dict[str, tuple[float, ...]] = {
    "best by 4 points, 3": (10, 10, 6), "best by 4 points, 5": (10, 10, 10, 10, 6),
    "best by 4 points, 7": (10, 10, 10, 10, 10, 10, 6), "best by 4 to 8 points, 5": (14, 12, 11, 10, 6),
    "best by 8 points, 5": (12, 12, 12, 12, 4), "two alike, 3": (10, 5, 5), "two alike, 5": (10, 10, 10, 5, 5),
    "none better, 3": (7, 7, 7), "none better, 5": (7, 7, 7, 7, 7), "best by half a point, 4": (7, 6.5, 6, 6.5),
}  # fmt: skip


def wrong(truth: Sequence[float], standings: Sequence[Standing], at_most: Sequence[float]) -> bool:
    """Return whether anything said is false: the best is called not the best, another the best, or a bound is too small."""
    least = min(truth)
    for own, standing, reach in zip(truth, standings, at_most, strict=True):
        gap = own - least
        if (standing is Standing.NOT_BEST and gap == 0) or (standing is Standing.BEST and gap > 0):
            return True
        if standing in CHOSEN and gap > 100 * reach + 1e-9:
            return True
    return False


def right(truth: Sequence[float], taken: int) -> bool:
    """Return whether nobody is better than the one taken by more than the margin."""
    return truth[taken] - min(truth) <= POINTS


def one_race(truth: Sequence[float], most: int, seed: int) -> dict[str, Any]:
    """Return how a race of a planted case ends."""
    truths = [strengths(A_POINT * points) for points in truth]
    course = course_of(partial(games_of, truths, seed), len(truth), most, LEAST_SPREAD, PLAYERS, SUBJECTS, until_best=True)
    places = [course.places[at] for at in range(len(truth))]
    standings = [place.standing for place in places]
    taken = chosen(places)
    return {
        "games": int(course.tally.games.sum()), "longest": int(course.tally.games.max()), "decided": taken >= 0,
        "right": taken >= 0 and right(truth, taken),
        "wrong": wrong(truth, standings, [place.at_most for place in places]),
    }  # fmt: skip


# --- Two other designs, which pick one and say no more: the fully sequential procedure of S.-H. Kim and B. Nelson (TOMACS 11,
# 2001), with the margin as indifference zone; and optimal computing budget allocation (C.-H. Chen and others, Discrete Event
# Dynamic Systems 10, 2000) by seeds of their own, which ends when the pick is within the margin with 95%, as estimated.

FIRST, FURTHER, ROUND = 200, 1.1, 100  # games of each at first; times as many at each look; games of a round for each ruleset
ONE_ERROR = 0.6826894921370859  # confidence of an interval of one standard error either way


def kim_nelson(truth: Sequence[float], most: int, seed: int) -> tuple[int, int]:
    """Return the ruleset that the procedure picks, and the games of all."""
    truths, k = [strengths(A_POINT * points) for points in truth], len(truth)
    tally, alive, done, goal = Tally(k, SUBJECTS), list(range(k)), 0, FIRST
    h2 = (FIRST - 1) * ((2 * SIGNIFICANT / (k - 1)) ** (-2 / (FIRST - 1)) - 1)
    variance: dict[tuple[int, int], float] = {}
    while True:
        for chunk in games_of(truths, seed, alive, done, goal - done):
            tally.add(alive, chunk)
        done, out = goal, set()
        for i, j in ((i, j) for i in alive for j in alive if i < j):
            gap, error = _gap(tally, i, j)
            own = variance.setdefault((i, j), error**2 * done)
            if done * abs(gap) > max(0.0, POINTS / 2 * (h2 * own / POINTS**2 - done)):
                out.add(i if gap > 0 else j)
        alive = [at for at in alive if at not in out] or [min(alive, key=lambda at: spread_of(tally, at))]
        if len(alive) == 1 or done >= most:
            pick = min(alive, key=lambda at: spread_of(tally, at))
            return pick, int(tally.games.sum())
        goal = min(most, round(FURTHER * done))


def _gap(tally: Tally, i: int, j: int) -> tuple[float, float]:
    """Return by how many points the spread of a ruleset is larger than another's, and the standard error of that."""
    spread = spread_of_leaders(tally.pair(i, j))
    assert spread is not None
    _, _, gap, low, high, _ = spread(ONE_ERROR)
    return -100 * gap, 100 * (high - low) / 2


def budget_allocation(truth: Sequence[float], most: int, seed: int) -> tuple[int, int]:
    """Return the ruleset that the procedure picks, and the games of all."""
    truths, k = [strengths(A_POINT * points) for points in truth], len(truth)
    tallies, wanted = [Tally(1, SUBJECTS) for _ in truth], np.full(k, FIRST)
    while True:
        for at, tally in enumerate(tallies):
            done = int(tally.games[0])
            for chunk in games_of(truths, seed + at * 1_000_000, [at], done, int(wanted[at]) - done):
                tally.add([0], chunk)
        value, error = np.array([_own(tally) for tally in tallies]).T
        games = np.array([int(tally.games[0]) for tally in tallies])
        pick = int(np.argmin(value))
        others = np.arange(k) != pick
        apart = value[others] - value[pick] + POINTS
        sure = 1 - special.ndtr(-apart / np.hypot(error[others], error[pick])).sum()
        if sure >= CONFIDENCE or games.max() >= most:
            return pick, int(games.sum())
        deviation = error * np.sqrt(games)
        share = np.zeros(k)
        share[others] = (deviation[others] / apart) ** 2
        share[pick] = deviation[pick] * np.sqrt((share[others] ** 2 / deviation[others] ** 2).sum())
        lacking = np.maximum(share / share.sum() * (games.sum() + ROUND * k) - games, 0)
        wanted = np.minimum(games + np.ceil(lacking / lacking.sum() * ROUND * k).astype(int), most)


def _own(tally: Tally) -> tuple[float, float]:
    """Return the spread of a ruleset in points, and its standard error."""
    _, rates, covariance = leaders_rates(tally.pair(0, 0))
    value, low, high = rate_spread(rates[0], covariance[: len(rates[0]), : len(rates[0])], ONE_ERROR)
    return 100 * value, 100 * max(high - low, 1e-9) / 2


DESIGNS = {"kim-nelson": kim_nelson, "budget-allocation": budget_allocation}


def equal_shares(truth: Sequence[float], at: Sequence[int], seed: int) -> dict[str, float]:
    """Return from how many games each equal shares, looked at once, decide rightly (infinity: not with any of `at`).

    `shown`: by the race's own rule, that one is shown to be the best, or within the margin of it; `picked`: by taking the one
    with the smallest spread, without saying how sure that is. Found by bisection: more games are taken to decide no worse.
    """
    truths, tally, done, states = [strengths(A_POINT * points) for points in truth], Tally(len(truth), SUBJECTS), 0, []
    playing = range(len(truth))
    for games in at:
        for chunk in games_of(truths, seed, playing, done, games - done):
            tally.add(playing, chunk)
        done = games
        states.append(deepcopy(tally))

    def shown(state: Tally) -> bool:
        taken = chosen(placed(state, playing, LEAST_SPREAD, PLAYERS, len(truth) - 1))
        return taken >= 0 and right(truth, taken)

    def picked(state: Tally) -> bool:
        return right(truth, int(np.argmin([spread_of(state, place) for place in playing])))

    found = {}
    for rule in (shown, picked):
        place = bisect_left(states, True, key=rule)
        found[rule.__name__] = float(at[place]) if place < len(at) else float("inf")
    return found


def spread_of(tally: Tally, place: int) -> float:
    """Return the leader spread of a ruleset, as estimated."""
    estimate = spread_of_leaders(tally.pair(place, place))
    return float("nan") if estimate is None else estimate(CONFIDENCE)[0]


def chosen(places: Sequence[best.Place]) -> int:
    """Return the ruleset that is shown to be the best or within the margin of it, the surest of several; -1 if none is."""
    able = [at for at, place in enumerate(places) if place.standing in CHOSEN]
    return min(able, key=lambda at: places[at].at_most, default=-1)


def compared(case: str, truth: Sequence[float], races: int, most: int, seed: int) -> dict[str, Any]:
    """Return the row of a planted case."""
    ends = pd.DataFrame([one_race(truth, most, seed + k) for k in range(races)])
    grid = [round(100 * STEP**k) for k in range(100) if 100 * STEP**k <= min(most, FURTHEST)]
    needed = pd.DataFrame([equal_shares(truth, grid, seed + 10_000 + k) for k in range(races)])
    share = float(ends["right"].mean())
    low, high = (float(end) for end in wilson(int(ends["wrong"].sum()), races))
    row = {
        "case": case, "races": races, "right": share, "decided": ends["decided"].mean(), "wrong": ends["wrong"].mean(),
        "wrong_low": low, "wrong_high": high, "games": ends["games"].mean(), "furthest": FURTHEST * len(truth),
    }  # fmt: skip
    for name, design in DESIGNS.items():
        picks = [design(truth, most, seed + k) for k in range(races)]
        row |= {f"{name} right": np.mean([right(truth, pick) for pick, _ in picks])}
        row |= {f"{name} games": np.mean([games for _, games in picks])}
    for rule in ("shown", "picked"):
        each = float(np.quantile(needed[rule], share, method="higher"))
        row |= {f"equal_{rule}": None if each == float("inf") else each * len(truth)}
    return row


@click.command()
@click.option("--races", type=click.IntRange(2), default=200, show_default=True, help="Races of each planted case.")
@click.option("--most", type=click.IntRange(200), default=20_000, show_default=True, help="Most games of each ruleset.")
@click.option("--case", "wanted", multiple=True, type=click.Choice(list(CASES)), help="Only this case (repeatable).")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--out", type=PATH, metavar="DIR", help="Folder that gets planted_variants.csv.")
def main(races: int, most: int, wanted: tuple[str, ...], seed: int, out: Path | None) -> None:
    """Print how races between planted variants end, a row a case."""
    rows = []
    for case in wanted or CASES:
        rows.append(compared(case, CASES[case], races, most, seed))
        click.echo(rows[-1], err=True)
    frame = pd.DataFrame(rows)
    click.echo(in_markdown(frame))
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        frame.to_csv(out / "planted_variants.csv", index=False)


def in_markdown(frame: pd.DataFrame) -> str:
    """Return the table as it stands in the documentation."""
    lines = [
        "| planted | right | anything false | games | equal shares that show it as often | … that pick it as often "
        "| Kim and Nelson: games, right | budget allocation: games, right |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in frame.to_dict("records"):
        cells = [row["case"], f"{row['right']:.1%}", f"{row['wrong']:.1%} [{row['wrong_low']:.1%}, {row['wrong_high']:.1%}]"]
        cells += [f"{row['games']:,.0f}", *(_against(row, f"equal_{rule}") for rule in ("shown", "picked"))]
        cells += [f"{row[f'{name} games']:,.0f}, {row[f'{name} right']:.1%}" for name in DESIGNS]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _against(row: Any, name: str) -> str:
    if pd.isna(row[name]):
        return f"more than {row['furthest']:,} (the race: less than {row['games'] / row['furthest']:.2f} of it)"
    return f"{row[name]:,.0f} (the race: {row['games'] / row[name]:.2f} of it)"


if __name__ == "__main__":
    main()
