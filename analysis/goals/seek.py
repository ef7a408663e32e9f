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
from .bands import Bands
from .changes import NOTHING, Point, Space
from .course import Course, Effort, Found, effort_for
from .figures import catalogue
from .games import Table, Tables, plan_of
from .verdicts import Answer, confirm, judged, of_wishes
from .wishes import MET, Goals, pairs_of

FILE = "effort.json"
TIMED = 200  # games of each table that tell how many there is time for
PLAYING = 0.8  # of the minutes go into games
OTHERS = 4  # so many times fewer games of the ways that were not asked for


@dataclass
class Sought:
    """The answer, what it was sought with, and how the points hold for strategies that were not asked for."""

    goals: Goals
    course: Course
    answer: Answer
    found: Found
    held: pd.DataFrame

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
        found = _nothing(course)
        if not rules_meet(course):
            found = course.run()
        answer = confirm(course, found)
        held = _held(course, goals, answer) if goals.others else pd.DataFrame()
    return Sought(goals, course, answer, found, held)


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
