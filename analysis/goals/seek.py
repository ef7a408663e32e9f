"""The whole question: goals and rules in, an answer out. All games lie in a folder, so the same question goes on."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from ...simulator.batch.run import Observer, Silent
from ...simulator.compile_cache import same_games, source_digest
from ...simulator.errors import UserError
from ...simulator.keeping import read, write, writing
from ...simulator.reading import plainly
from ...simulator.rules.loading.load import Ruleset
from ...simulator.wording import counted
from ..statistics.answer import MOST_GAMES, Verdict, error_that_decides, quantile_for, round_up
from .bands import Bands, least_error, read_columns
from .changes import NOTHING, Point, Space
from .course import FEWEST, MOST, POINTS_SHOWN, SLACK, Course, Effort, Found, effort_for, reserved, smallest
from .figures import catalogue
from .games import Table, Tables, plan_of
from .verdicts import Answer, confirm, judged, of_wishes
from .wishes import MET, Goals, pairs_of, titles

FILE = "effort.json"
TIMED = 200  # games of each table that tell how many there is time for
PLAYING = 0.8  # of the minutes go into games
NAMED = 3  # wishes, in a sentence
OTHERS = 4  # so many times fewer games of the ways that were not asked for


@dataclass
class Sought:
    """The answer, what it was sought with, and how the points hold for strategies that were not asked for."""

    goals: Goals
    course: Course
    answer: Answer
    found: Found
    held: pd.DataFrame
    narrow: str = ""  # of which bands the fresh games are too few

    @property
    def space(self) -> Space:
        """Return the changes that were allowed."""
        return self.course.space


def seek(
    goals: Goals, ruleset: Ruleset, *, seed: int = 1, out: Path | None = None, jobs: int = 1, observer: Observer | None = None,
    effort: Effort | None = None, fresh: int | None = None,
) -> Sought:  # fmt: skip
    """Find the few changes that bring a game to its goals; see `course` for the stages.

    `effort`: how many games the stages play; by default what the budget of the goals allows. `fresh`: other than that many of
    the last one. Raises UserError if goals or changes do not fit the rules; KeyboardInterrupt passes, the games are kept.
    """
    observer = observer or Silent()
    for way in (*goals.ways, *goals.others):
        for players in goals.players:
            _fits(goals, ruleset, Table(players, way), seed)
    observer.note("looking which values of the numbers are legal")
    space = Space.of(ruleset, goals)
    figures = catalogue(ruleset, pairs_of(goals))
    bands = Bands(goals, figures)
    tables = Tables(ruleset, figures, seed, out, jobs, observer)
    with tables.open():
        chosen = effort or _budget(goals, space, bands, tables)
        chosen = chosen if fresh is None else replace(chosen, fresh=fresh)
        course = Course(space, bands, tables, chosen, seed)
        if goals.games is not None:
            chosen = course.effort = _within(goals, course, fresh is not None)
        found = _nothing(course)
        narrow = None if rules_meet(course) else too_narrow(course)
        if narrow:
            observer.note(narrow)
        if narrow is not None:
            if goals.games is not None:
                tables.limit = goals.games - _kept_back(goals, course)
            found = course.run()
            tables.limit = float("inf")  # what is left was kept back for fresh games
        answer = confirm(course, found)
        held = _held(course, goals, answer) if goals.others else pd.DataFrame()
    return Sought(goals, course, answer, found, held, narrow or "")


def _fits(goals: Goals, ruleset: Ruleset, table: Table, seed: int) -> None:
    """Raise UserError that names the goals file if no such table can be played under the rules."""
    try:
        plan_of(ruleset, table, seed)
    except UserError as error:
        field = "others" if table.way in goals.others else "ways"
        raise UserError(f"{goals.file}: {field}: {error}", file=goals.file, field=field) from None


def _nothing(course: Course) -> Found:
    """Return what is found where nothing has to be changed."""
    return Found([], np.zeros((3, 0, len(course.bands.columns))), met=True)


def rules_meet(course: Course) -> bool:
    """Say whether the rules meet every wish, by fresh games."""
    n, bands, rules = course.effort.fresh, course.bands, course.space.ruleset
    with course.tables.stage(f"the rules, {counted(n, 'fresh game')}", [(one, rules, n) for one in bands.tables], fresh=True):
        games = {table: course.tables.play(table, rules, n, fresh=True) for table in bands.tables}
    return bool((of_wishes(bands, games, 1)["verdict"] == MET).all())


def too_narrow(course: Course) -> str:
    """Return which bands are narrower than fresh games resolve, by those of the rules; '' if none is.

    A band is wide enough if a figure in its middle is called met with a probability of 80%.
    """
    bands, n = course.bands, course.effort.fresh
    quantile = quantile_for(1 + min(POINTS_SHOWN, course.space.at_most))
    named, found, most = titles(bands.wishes), [], 0.0
    for table in bands.tables:
        at = bands.of_table(table)
        columns = [bands.columns[i] for i in at]
        games = course.tables.play(table, course.space.ruleset, n, fresh=True)
        error = dict(zip(at, least_error(columns, read_columns(columns, games)), strict=True))
        for entry in bands.entries:
            half = (entry.high - entry.low) / 2
            if entry.column not in error or not np.isfinite(half):
                continue
            enough = float(error_that_decides(0.0, half, quantile, {Verdict.WITHIN}))
            needed = n * (error[entry.column] / max(enough, 1e-12)) ** 2
            if needed > n:
                found.append(named[entry.wish])
                most = max(most, needed)
    if not found:
        return ""
    names = list(dict.fromkeys(found))
    listed = f"{', '.join(names[:NAMED])}{f' and {len(names) - NAMED} more' if len(names) > NAMED else ''}"
    games_words = f"{round_up(most):,} would (--fresh)" if most <= MOST_GAMES else "no number of them would"
    return f"Bands narrower than {n:,} fresh games resolve: {listed}; {games_words}, or wider bands."


def _kept_back(goals: Goals, course: Course) -> int:
    """Return how many games a search leaves for the fresh ones of its points and of other strategies."""
    others = 2 * max(100, course.effort.fresh // OTHERS) * len(goals.others) * len(goals.players)
    return reserved(course.space, len(course.bands.tables), course.effort.fresh) + others


def _within(goals: Goals, course: Course, fresh_given: bool) -> Effort:
    """Return the effort that keeps to the games of the budget; raise UserError that names the smallest that makes sense."""
    games, space, tables, effort = int(goals.games or 0), course.space, len(course.bands.tables), course.effort
    if not fresh_given:  # half of the games at most are fresh
        points = tables * (1 + min(POINTS_SHOWN, space.at_most))
        effort = replace(effort, fresh=min(effort.fresh, max(FEWEST, games // 2 // points)))
    course.effort = effort
    least = smallest(space, tables, effort.fresh if fresh_given else FEWEST) + _kept_back(goals, course)
    least -= reserved(space, tables, effort.fresh)
    if games < least:
        raise UserError(
            f"--all-games (budget.games): {games:,} is too few for {counted(len(space), 'number')} at "
            f"{counted(tables, 'table')}{f' and --fresh {effort.fresh}' if fresh_given else ''}; "
            f"expected at least {round_up(least):,}, or fewer numbers"
        )
    screened = sum(len(choice.screened()) for choice in space.choices)
    left = games - _kept_back(goals, course) - tables * effort.fresh
    return replace(effort, screen=max(FEWEST, min(effort.screen, int(left / tables / (MOST + SLACK * screened)))))


def _budget(goals: Goals, space: Space, bands: Bands, tables: Tables) -> Effort:
    """Return the effort that the budget allows: what a folder once began with stays."""
    if goals.games is not None:
        return effort_for(goals.games, space, len(bands.tables))
    if goals.minutes is None:
        return Effort()
    path = None if tables.out is None else tables.out / FILE
    if path is not None and path.is_file() and (kept := kept_effort(path, goals.minutes)) is not None:
        return kept
    for table in bands.tables:
        tables.play(table, tables.ruleset, 2 * tables.jobs)  # compiles the players
    began = time.monotonic()
    played = 0
    for table in bands.tables:
        ready = 2 * tables.jobs
        tables.play(table, tables.ruleset, ready + TIMED)
        played += TIMED
    speed = played / max(time.monotonic() - began, 1e-3)
    effort = effort_for(int(60 * goals.minutes * PLAYING * speed), space, len(bands.tables))
    if path is not None:
        with writing(path.parent, "games"):
            write(path, {"minutes": goals.minutes, "effort": asdict(effort), "engine": source_digest()})
    return effort


def kept_effort(path: Path, minutes: float) -> Effort | None:
    """Return the effort that so many minutes have once come to, None if others were asked for."""
    what, again = "the effort of a search", "remove it: the same command times its games again"
    kept = read(path, what, again)
    with plainly(path, what, again=again):
        if not same_games(kept["engine"]):
            raise UserError(f"{path}: holds a search of another version of this program; choose another --out")
        effort = Effort(**kept["effort"])
        if any(type(n) is not int or n < 1 for n in asdict(effort).values()):
            raise ValueError("effort: expected whole numbers of games")
        return effort if kept["minutes"] == minutes else None


def _held(course: Course, goals: Goals, answer: Answer) -> pd.DataFrame:
    """Return how rules and advised point do with strategies that were not asked for: a row a point, wish and way."""
    points = list(dict.fromkeys([NOTHING, answer.points[answer.advised]]))
    return played_by(course, goals, points, goals.others, max(100, course.effort.fresh // OTHERS))


def played_by(course: Course, goals: Goals, points: Sequence[Point], ways: Sequence[str], n: int) -> pd.DataFrame:
    """Return a row a point, wish and strategy, by n fresh games of each: `changes` says how many the point makes."""
    bands = Bands(goals, course.bands.figures, ways)
    other = Course(course.space, bands, course.tables, replace(course.effort, fresh=n), course.seed)
    legal = other.rulesets(points)
    wanted = [(table, ruleset, n) for _, ruleset in legal for table in bands.tables]
    with other.tables.stage(f"other strategies: {', '.join(ways)}", wanted, fresh=True):
        games = [{table: other.tables.play(table, rules, n, fresh=True) for table in bands.tables} for _, rules in legal]
    found = judged(other, points, games, _nothing(other)).goals
    return found.assign(changes=[len(points[place]) for place in found["point"]])
