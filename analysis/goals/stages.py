"""The course of a search, and what fresh games say of the points it found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted
from ...simulator.rules.load import Ruleset
from ..questions.possible_changes import Unplayable
from ..stats.bands import DRAWS, Asked, Ratio, agree, ends_of, is_more, without_noise
from ..stats.rates import median_of_counts
from ..stats.verdicts import CHANGE, FAR, WISH, Verdict, having, judged, verdict_cells
from ..tables.game import median_interval
from ..tables.paired_figures import Moments, differences
from .games import (
    BLOCK,
    NOTHING,
    Bands,
    FigureColumn,
    GoalsTable,
    GoalsTables,
    Moved,
    Point,
    Space,
    Spent,
    differing,
    distance_of,
    least_error,
    linked,
    margin_of,
    moved,
    nearer,
    reach_of,
    read_columns,
    unlinked,
)
from .model import Model, best_by_price, fit, search
from .wishes import KINDS, MEANT, MET, MISSED, OPEN, Figure, Wish, titles, told

# --- From goals to points on the front: screening, refining, races, fresh games. Games are kept, so a search can continue.
#
# 1. *The rules* play fresh games. If these meet every goal, the search ends. 2. *Screening.* Every number is moved as far as it
# goes, down and up, on the same seeds as the rules. The half that may bring the game nearest to its goals plays twice as many
# games, and half of these again. 3. *Refining.* A search on the model names the numbers that help, alone or together;
# values between play more games. 4. *Races.* A search on the better model names combinations; the best of each price play, and
# teach the model their joint effects. A combination shown to be further from the goals than another of its price drops out; the
# rest play twice as many games. The nearest to the goals becomes a *start*: it plays many games, and numbers are moved from
# there, in pairs with it. So predictions nearby do not add up the separate effects of many changes, and numbers are found that
# help only once others are mended. Then the next race, three in all. 5. *Fresh games*, not used in any choice, of at most six
# points: `confirm` gives the verdicts.
#
# The search uses bands narrowed by the intervals to be expected of fresh games: a figure at the edge of its band is never shown
# to lie in it.

SCREEN, REFINE, RACE, FRESH = 1_000, 1_000, 600, 12_000  # games of each table
HALVINGS = 2  # of the numbers that are screened
REFINED = 16  # numbers that are refined at most
BETWEEN = 4  # values of each that are played
RACING = 4  # combinations of each price that race
ROUNDS_OF_RACES = 3
AROUND = 8  # times as many games of a start as of a point in a race
STEPS = 32  # numbers moved from a start at most
LAPS = 2  # of a race: the second twice as long as the first
POINTS_SHOWN = 6  # on the front, besides the rules
INSET = 2.2  # standard errors of fresh games by which bands are narrowed
BEHIND = 1.645  # standard errors behind another at which a combination is dropped
MOST = 10  # times as many games are searched for those that can differ as are played
FEWEST = 60  # games of a stage, however small the budget
SLACK = 1.5  # times as many games may differ as planned


@dataclass(frozen=True)
class GoalsEffort:
    """The games of each table that the stages play for each ruleset; screening and refining count those that can differ."""

    screen: int = SCREEN
    refine: int = REFINE
    race: int = RACE
    fresh: int = FRESH

    def scaled(self, by: float) -> GoalsEffort:
        """Return the effort times a factor."""
        return GoalsEffort(*(max(FEWEST, int(by * n / 10) * 10) for n in (self.screen, self.refine, self.race, self.fresh)))

    def games(self, space: Space, tables: int) -> int:
        """Return the approximate number of games of a search."""
        screened = sum(len(choice.screened()) for choice in space.choices)
        refined = min(REFINED, len(space)) * min(BETWEEN, max(1, len(space.options) // max(1, len(space))))
        raced = ROUNDS_OF_RACES * RACING * space.at_most * LAPS
        around = (ROUNDS_OF_RACES - 1) * (min(STEPS, len(space)) * LAPS + 2 * AROUND)
        last = 1 + min(POINTS_SHOWN, space.at_most)
        each = (
            screened * self.screen * (1 + HALVINGS / 2)
            + refined * self.refine
            + (raced + around) * self.race
            + last * self.fresh
        )
        return round(tables * each)


@dataclass
class SearchResult:
    """The points on the front with the model's predictions, and the points played on the way."""

    points: list[Point]
    expected: np.ndarray  # (3, points, columns): figures of the rules and of the points, and the ends of their 95% intervals
    played: list[Point] = field(default_factory=list)
    screened: list[Point] = field(default_factory=list)
    refined: list[int] = field(default_factory=list)  # levers
    met: bool = False  # the rules meet the goals


class SearchStages:
    """The stages of a search over a space of changes, with the bands and the tables that play."""

    def __init__(self, space: Space, bands: Bands, tables: GoalsTables, effort: GoalsEffort, seed: int) -> None:
        self.space, self.bands, self.tables, self.effort, self.seed = space, bands, tables, effort, seed
        self.lengths: dict[tuple[Point, GoalsTable], int] = {}  # games played by a point on the search's seeds
        self.data: dict[Point, Moved] = {}
        self.like: dict[Point, Point] = {}  # the point with which each was played in pairs
        self.starts: list[Point] = [NOTHING]  # points from whose games the model's predictions start
        self.finalists: list[Point] = []  # of the last race
        self.cut = False  # the search ended because its games were used up

    # --- Playing

    def rulesets(self, points: Sequence[Point]) -> list[tuple[Point, Ruleset]]:
        """Return the legal points with their rulesets."""
        pairs = [(point, self.space.ruleset_of(point)) for point in points]
        return [(point, ruleset) for point, ruleset in pairs if ruleset is not None]

    def play(self, title: str, points: Sequence[Point], n: int, whole: bool = True, like: Point = NOTHING) -> list[Point]:
        """Play n games of each table under each point, the rules and the point `like`; return the legal points.

        Unless `whole`, games that a point cannot change do not count towards n.
        """
        tables, legal = self.bands.tables, self.rulesets(points)
        rules, start = self.space.ruleset, self._ruleset(like)
        for table in tables:
            for ruleset in (rules, start):
                self.tables.play(table, ruleset, n)
        wanted = [
            (point, table, ruleset, n if whole else self._longer(table, ruleset, start, n))
            for point, ruleset in legal
            for table in tables
        ]
        most = {table: max([n, *(length for _, other, _, length in wanted if other == table)]) for table in tables}
        first = [(point, table, own, most[table]) for point, own in {NOTHING: rules, like: start}.items() for table in tables]
        stage = f"{title}, {counted(n, 'game')} each at {counted(len(tables), 'table')}"
        with self.tables.stage(stage, [entry[1:] for entry in (*first, *wanted)]):
            for point, table, ruleset, length in (*first, *wanted):
                if self.space.ruleset_of(point) is None:
                    continue
                try:
                    self.tables.play(table, ruleset, length, like=self._ruleset(self.like.get(point, like)))
                except Unplayable as error:
                    if point in (NOTHING, like):
                        raise
                    self.space.leave_out(point, error)
                    continue
                self.lengths[point, table] = max(length, self.lengths.get((point, table), 0))
        legal = self.rulesets([point for point, _ in legal])
        for point, ruleset in legal:
            self.data[point] = self._moved(point, ruleset, self.like.setdefault(point, like))
        return [point for point, _ in legal]

    def _ruleset(self, point: Point) -> Ruleset:
        ruleset = self.space.ruleset_of(point)
        assert ruleset is not None
        return ruleset

    def _longer(self, table: GoalsTable, ruleset: Ruleset, like: Ruleset, n: int) -> int:
        """Return the number of games among which about n may differ between the two rulesets."""
        return round(n / max(self.tables.share(table, ruleset, n, like), 1 / MOST))

    def _moved(self, point: Point, ruleset: Ruleset, like: Point) -> Moved:
        """Return how much a point moves all columns, over its pairs of games with the point it was played with."""
        size, most = len(self.bands.columns), max(self.lengths[point, table] for table in self.bands.tables)
        total = Moved(np.zeros(size), np.ones(size), np.zeros((-(-most // BLOCK), size)))
        for table in self.bands.tables:
            at = self.bands.of_table(table)
            columns = [self.bands.columns[i] for i in at]
            n = self.lengths[point, table]
            part = moved(columns, self.tables.play(table, self._ruleset(like), n), self.tables.play(table, ruleset, n))
            total.value[at], total.variance[at] = part.value, part.variance
            total.blocks[: len(part.blocks), at] = part.blocks
        return total

    def base(self, point: Point = NOTHING) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return a point's columns on their scales, their variance, and the standard errors that fresh games will have."""
        size = len(self.bands.columns)
        scaled, variance, fresh = np.zeros(size), np.zeros(size), np.zeros(size)
        for table in self.bands.tables:
            n = self.lengths[point, table]
            at = self.bands.of_table(table)
            columns = [self.bands.columns[i] for i in at]
            part = read_columns(columns, self.tables.play(table, self._ruleset(point), n))
            error = least_error(columns, part)
            scaled[at], slope = linked(columns, part.value, part.cases)
            variance[at] = (slope * error) ** 2
            fresh[at] = error * np.sqrt(n / self.effort.fresh)
        return scaled, variance, fresh

    # --- The model and its search

    def model(self) -> Model:
        """Return the model fitted to all games played."""
        points, columns = list(self.data), self.bands.columns
        base = unlinked(columns, self.base()[0])
        units = np.array([reach_of(column, value) for column, value in zip(columns, base, strict=True)])
        kinds = [column.kind.word for column in columns]
        place = {point: at for at, point in enumerate(points)}
        like = [place.get(self.like[point], -1) for point in points]
        return fit(self.space.scaled(points), list(self.data.values()), units, kinds, like, self._own())

    def _own(self) -> np.ndarray:
        """Return which columns each number is likely to move, (levers, columns): those of its own card."""
        likely = np.zeros((len(self.space), len(self.bands.columns)), bool)
        for lever, choice in enumerate(self.space.choices):
            ruleset = self.space.ruleset_of(((lever, choice.values[0]),))
            own = None if ruleset is None else differing(self.space.ruleset.data, ruleset.data)
            places = [self.bands.figures.index(figure) for figure in own or [] if figure in self.bands.figures]
            likely[lever] = [column.place in places and not column.table.granted for column in self.bands.columns]
        return likely

    def nearest(self, z: np.ndarray) -> np.ndarray:
        """Return for points (points, levers) the index of the start that differs in the fewest numbers, the last of several."""
        apart = (z[:, None, :] != self.space.scaled(self.starts)[None]).sum(axis=2)
        return np.asarray(apart.shape[1] - 1 - apart[:, ::-1].argmin(axis=1))

    def values(self, model: Model) -> Callable[[np.ndarray], np.ndarray]:
        """Return the function from points (points, levers) to expected columns: a start's games and the model's change."""
        starts = np.stack([self.base(point)[0] for point in self.starts]) - model.mean(self.space.scaled(self.starts))
        return lambda z: starts[self.nearest(z)] + model.mean(z)

    def distances(self, model: Model) -> Callable[[Sequence[Point]], np.ndarray]:
        """Return the function from points to their expected distances from narrowed bands."""
        fresh = self.base()[2]
        ends, expected = self.bands.narrowed(INSET * fresh), self.values(model)

        def of(points: Sequence[Point]) -> np.ndarray:
            return self.bands.distance(unlinked(self.bands.columns, expected(self.space.scaled(points))), ends)

        return of

    def expected(self, model: Model, points: Sequence[Point]) -> np.ndarray:
        """Return the expected columns of points, with the ends of their 95% intervals, (3, points, columns)."""
        z = self.space.scaled(points)
        near = self.nearest(z)
        variance = np.stack([self.base(point)[1] for point in self.starts])[near]
        ends = ends_of(self.values(model)(z), variance + model.error(z, self.space.scaled(self.starts)[near]) ** 2)
        return np.stack([unlinked(self.bands.columns, end) for end in ends])

    def candidates(
        self, model: Model, each: int, allowed: set[int] | None = None, turn: int = 0, known: Sequence[Point] = ()
    ) -> list[Point]:  # fmt: skip
        """Return the points of each price that the model expects nearest to the goals; `allowed`: of these levers only.

        The search begins with the points `known` to be good, among others.
        """
        space = self.space if allowed is None else self._narrowed(allowed)
        back = list(range(len(self.space))) if allowed is None else sorted(allowed)
        of = self.distances(model)

        def distances(points: Sequence[Point]) -> np.ndarray:
            return of([tuple((back[lever], value) for lever, value in point) for point in points])

        place = {lever: at for at, lever in enumerate(back)}
        start = [*greedy(space, distances), *(tuple((place[lever], value) for lever, value in point) for point in known)]
        seen = search(space, distances, self.seed + turn, start)
        best = best_by_price(seen, space.price, each)
        return [tuple((back[lever], value) for lever, value in point) for point in best if point]

    def _narrowed(self, allowed: set[int]) -> Space:
        choices = [self.space.choices[lever] for lever in sorted(allowed)]
        return Space(self.space.ruleset, choices, self.space.at_most, self.space.playable)

    # --- The stages

    def run(self) -> SearchResult:
        """Return the result of all stages but the fresh games; raise UserError if no change of the rules can be played."""
        screened = self.screen()
        if not screened:
            raise UserError("none of the changes that the goals allow is legal under these rules")
        refined: list[int] = []
        finalists: list[Point] = []
        try:
            refined, finalists = self._narrowing(finalists)
        except Spent:
            self.cut = True
            finalists = [point for point in self.data if point] if not self.finalists else self.finalists
        model = self.model()
        chosen = self.front(finalists, model)
        return SearchResult(chosen, self.expected(model, [NOTHING, *chosen]), list(self.data), screened, refined)

    def _narrowing(self, finalists: list[Point]) -> tuple[list[int], list[Point]]:
        """Return the numbers that were refined, and the finalists of the last race."""
        refined = self.helpful()
        values: list[Point] = [((lever, value),) for lever in refined for value in self.space.choices[lever].between(BETWEEN)]
        self.play(f"refining {counted(len(refined), self.space.noun)}", values, self.effort.refine, whole=False)
        for turn in range(ROUNDS_OF_RACES):
            points = self.candidates(self.model(), RACING, set(refined), turn, finalists)
            finalists = self.finalists = self.race(list(dict.fromkeys([*points, *finalists])), turn)
            if turn < ROUNDS_OF_RACES - 1:
                refined = list(dict.fromkeys([*refined, *self.steps_from(finalists, turn)]))
        return refined, finalists

    def screen(self) -> list[Point]:
        """Move every number by itself, and the most promising ones in more games; return the legal moves."""
        moves: list[Point] = [
            ((lever, value),) for lever, choice in enumerate(self.space.choices) for value in choice.screened()
        ]
        screened: list[Point] = []
        numbers = len(self.space)
        for lap in range(HALVINGS + 1):
            title = f"screening {counted(numbers, self.space.noun)}"
            try:
                alive = self.play(title, moves, self.effort.screen << lap, whole=False)
            except Spent:
                if not screened:
                    raise
                self.cut = True
                break
            screened = screened or alive
            best = self.hopeful(alive)
            numbers = -(-len(best) // 2)
            moves = [point for point in alive if point[0][0] in best[:numbers]]
        return screened

    def hopeful(self, points: Sequence[Point]) -> list[int]:
        """Return the levers of single changes, the one that may bring the game nearest to its goals first."""
        gains: dict[int, float] = {}
        for point in points:
            gain, error = self.gain(point)
            gains[point[0][0]] = max(gain + error, gains.get(point[0][0], -np.inf))
        return sorted(gains, key=lambda lever: (-gains[lever], lever))

    def gain(self, point: Point, like: Point = NOTHING) -> tuple[float, float]:
        """Return how much nearer to the goals a point is than the rules, or another point, in its games, and the error."""
        lengths = {table: self.lengths[point, table] for table in self.bands.tables}
        (before, own, _), (after, terms, _) = (
            distance_of(self.bands, {table: self.tables.play(table, rules, n) for table, n in lengths.items()})
            for rules in (self._ruleset(like), self._ruleset(point))
        )
        return before - after, nearer(own, terms)

    def helpful(self) -> list[int]:
        """Return the levers that the model's best points use, and the most promising ones by themselves."""
        best = self.candidates(self.model(), 3 * RACING)
        uses: dict[int, float] = {}
        for point in best:
            for lever, _ in point:
                uses[lever] = uses.get(lever, 0) + 1 / len(point)
        used = sorted(uses, key=lambda lever: (-uses[lever], lever))
        hopeful = self.hopeful([point for point in self.data if len(point) == 1])
        return list(dict.fromkeys([*used[: REFINED // 2], *hopeful[: REFINED // 2], *used]))[:REFINED]

    def steps_from(self, points: Sequence[Point], turn: int) -> list[int]:
        """Make the best of the points a start and move numbers from there; return the promising ones."""
        model = self.model()
        new = [point for point in points if point not in self.starts] or list(points)
        centre = new[int(np.argmin(self.distances(model)(new)))]
        self.play(f"round {turn + 1}: the best so far", [centre], AROUND * self.effort.race)
        self.starts = list(dict.fromkeys([*self.starts, centre]))
        steps = self.steps(centre, model)
        for lap in range(LAPS):
            title = f"round {turn + 1}: {counted(len(steps), 'step')} from the best so far"
            alive = self.play(title, list(steps), self.effort.race << lap, whole=False, like=centre)
            gains = {point: sum(self.gain(point, centre)) for point in alive}
            best = sorted(alive, key=lambda point: (-gains[point], point))[: -(-len(alive) // 2)]
            steps = {point: steps[point] for point in best}
        return list(dict.fromkeys(steps.values()))

    def steps(self, centre: Point, model: Model) -> dict[Point, int]:
        """Return the points one move away from a point, each with its lever: for each number the best value."""
        lever_of: dict[Point, int] = {}
        for lever, value in self.space.options:
            point = self.space.point([(lever, value), *centre])  # instead of changes of the same numbers
            if point != centre and point not in self.data:
                lever_of[point] = lever
        expected = dict(zip(lever_of, self.distances(model)(list(lever_of)), strict=True))
        best: dict[int, Point] = {}
        for point in sorted(lever_of, key=lambda point: (expected[point], point)):
            best.setdefault(lever_of[point], point)
        without = {tuple(change for change in centre if change[0] != lever): lever for lever, _ in centre}
        new = {point: lever for point, lever in without.items() if point and point not in self.data}
        return new | {point: lever for lever, point in list(best.items())[:STEPS]}

    def race(self, points: Sequence[Point], turn: int) -> list[Point]:
        """Let points race on the same seeds; return the finalists, at least one of each price."""
        alive = list(points)
        for lap in range(LAPS):
            n = self.effort.race << lap
            alive = self.play(f"race {turn + 1}, lap {lap + 1}: {counted(len(alive), 'combination')}", alive, n)
            alive = self.remaining(alive, n)
        return alive

    def remaining(self, points: Sequence[Point], n: int) -> list[Point]:
        """Return the points not shown to be further from the goals than the nearest of their price."""
        measured = {point: self.measured(point, n) for point in points}
        by_price: dict[float, list[Point]] = {}
        for point in points:
            by_price.setdefault(round(self.space.price(point), 9), []).append(point)
        rest = []
        for group in by_price.values():
            best = min(group, key=lambda point: measured[point][0])
            for point in group:
                error = nearer(measured[point][1], measured[best][1])
                if measured[point][0] - measured[best][0] <= BEHIND * error:
                    rest.append(point)
        return rest

    def measured(self, point: Point, n: int, fresh: bool = False) -> tuple[float, dict[GoalsTable, np.ndarray], np.ndarray]:
        """Return the distance of a point in its first n games, its terms, and the values of the columns."""
        games = {table: self.tables.play(table, self._ruleset(point), n, fresh) for table in self.bands.tables}
        return distance_of(self.bands, games)

    def front(self, points: Sequence[Point], model: Model) -> list[Point]:
        """Return the expected nearest point of each price, if it is nearer than all cheaper ones."""
        expected = dict(zip(points, self.distances(model)(points), strict=True))
        front: list[Point] = []
        least = float(self.distances(model)([NOTHING])[0])
        for point in best_by_price(expected, self.space.price, 1):
            if expected[point] < least:
                front.append(point)
                least = expected[point]
        return (
            front if len(front) <= POINTS_SHOWN else [front[round(at)] for at in np.linspace(0, len(front) - 1, POINTS_SHOWN)]
        )


def greedy(space: Space, distances: Callable[[Sequence[Point]], np.ndarray]) -> list[Point]:
    """Return points that grow by the most helpful change, one after the other: where the search begins."""
    point, grown = NOTHING, []
    for _ in range(space.at_most):
        longer = [new for option in space.options if len(new := space.point([*point, option])) > len(point)]
        if not longer:
            break
        point = longer[int(np.argmin(distances(longer)))]
        grown.append(point)
    return grown


def effort_for(games: int, space: Space, tables: int) -> GoalsEffort:
    """Return the effort that takes about this many games."""
    usual = GoalsEffort()
    return usual.scaled(games / usual.games(space, tables))


def reserved(space: Space, tables: int, fresh: int) -> int:
    """Return the largest number of fresh games of the front's points, those of the rules not counted."""
    return tables * min(POINTS_SHOWN, space.at_most) * fresh


def smallest(space: Space, tables: int, fresh: int) -> int:
    """Return the fewest games of a search: all numbers screened with the fewest games that make sense, and the fresh games."""
    screened = sum(len(choice.screened()) for choice in space.choices)
    search = (MOST + SLACK * screened) * FEWEST
    return int(tables * (search + fresh) + reserved(space, tables, fresh))


# --- Fresh games: whether each point meets each wish, and what else the point moves
#
# No point was chosen by these games. Each figure has its own 95% interval; verdicts are those of `stats.bands`, with the points
# as sets of wishes. Of several strategies the worst counts.
#
# The advice: of the points that meet every wish the cheapest that is shown to be nearer than the rules; if there is none, the
# most expensive that is shown to be nearer than all cheaper ones, by the pairs of games. If no point is shown to be nearer than
# the rules, nothing is to be changed: every further change has to bring the game nearer.


@dataclass
class GoalsAnswer:
    """The answer: one row per point (`front`), per point, wish and way (`goals`), per point and figure moved (`moved`).

    The first point is the rules. `advised` is the index of the advised point; `expected` compares the model with the games.
    """

    points: list[Point]
    front: pd.DataFrame
    goals: pd.DataFrame
    moved: pd.DataFrame
    expected: pd.DataFrame
    advised: int

    @property
    def all_met(self) -> bool:
        """Return whether the advised point meets every wish."""
        return bool(self.front["met"].iloc[self.advised] == self.front["wishes"].iloc[self.advised])


def confirm(course: SearchStages, result: SearchResult) -> GoalsAnswer:
    """Return the answer by fresh games of the rules and of the front's points."""
    n = course.effort.fresh
    legal = course.rulesets([NOTHING, *result.points])
    wanted = [(table, ruleset, n) for _, ruleset in legal for table in course.bands.tables]
    points, games, places = list[Point](), list[Mapping[GoalsTable, np.ndarray]](), list[int]()
    stage = f"fresh games: {counted(n, 'game')} of each of {counted(len(legal), 'point')}"
    with course.tables.stage(stage, wanted, fresh=True):
        for place, (point, rules) in enumerate(legal):
            try:
                own = {table: course.tables.play(table, rules, n, fresh=True) for table in course.bands.tables}
            except Unplayable as error:
                if point == NOTHING:
                    raise
                course.space.leave_out(point, error)
                continue
            points, games, places = [*points, point], [*games, own], [*places, place]
    if not result.met:
        result.points, result.expected = points[1:], result.expected[:, places]
    return answer_of(course, points, games, result)


def answer_of(
    course: SearchStages, points: Sequence[Point], games: Sequence[Mapping[GoalsTable, np.ndarray]], result: SearchResult
) -> GoalsAnswer:
    """Return the answer by fresh games of the points, by table; the first point is the rules."""
    bands = course.bands
    goals = pd.concat([of_wishes(bands, own, len(points)).assign(point=place) for place, own in enumerate(games)])
    goals = goals.reset_index(drop=True)
    front = _front(course, points, games, goals)
    moved = [_moved(bands, games[0], own).assign(point=place) for place, own in enumerate(games) if place]
    whole = pd.concat(moved, ignore_index=True) if moved else pd.DataFrame()
    expected = _expected(bands, games, result)
    return GoalsAnswer(list(points), front, goals, whole, expected, _advised(front))


def of_wishes(bands: Bands, games: Mapping[GoalsTable, np.ndarray], points: int) -> pd.DataFrame:
    """Return one row per wish and strategy: its figure with n, the band, the 95% interval, and the verdict."""
    sets, rows = Asked(points, len(bands.entries)), list[dict[str, Any]]()
    named = titles(bands.wishes)
    for place, wish in enumerate(bands.wishes):
        by_way: dict[str, list[Any]] = {}
        for entry in bands.entries:
            if entry.wish == place:
                by_way.setdefault(bands.columns[entry.column].table.who, []).append(entry)
        for way, entries in by_way.items():
            columns = [bands.columns[entry.column] for entry in entries]
            ratios = [(ratio_of(column, games), entry.low, entry.high) for column, entry in zip(columns, entries, strict=True)]
            value, low, high, n = figure_in(wish, columns[0], games)
            verdict, certainty = sets.of_several(ratios)
            far = max(sets.beyond(*ratio) / margin_of(column) for column, ratio in zip(columns, ratios, strict=True))
            rows.append({
                "goal": wish.goal, "wish": place, "figure": named[place], "way": way, "band": wish.band,
                "players": wish.players, "wanted_low": wish.low, "wanted_high": wish.high, "unit": wish.kind.unit,
                "value": value, "low": low, "high": high, "n": n, **verdict_cells(verdict, WISH), "certainty": certainty,
                "far": wish.weight * far,
                "games_fewest": max(sets.games(*ratio) for ratio in ratios) if verdict is Verdict.UNDECIDED else np.nan,
            })  # fmt: skip
    return pd.DataFrame(rows)


def worst(rows: pd.DataFrame) -> str:
    """Return the worst of the verdicts of some rows, in words."""
    return next(words for words, verdicts in MEANT.items() if having(rows, verdicts).any())


def ratio_of(column: FigureColumn, games: Mapping[GoalsTable, np.ndarray]) -> Ratio:
    """Return a column in the games of its table."""
    return Ratio(*column.read(games[column.table]), column.is_mean)


def figure_in(wish: Wish, column: FigureColumn, games: Mapping[GoalsTable, np.ndarray]) -> tuple[float, float, float, int]:
    """Return a wish's figure in games with its 95% interval and n; of the median length, the median itself."""
    if wish.kind.word != "median-length":
        return ratio_of(column, games).interval()
    rounds = games[column.table][:, column.place, 0].astype(np.int64)
    values, number = np.unique(rounds, return_counts=True)
    return (median_of_counts(values, number), *median_interval(values.astype(float), number), len(rounds))


def _front(
    course: SearchStages, points: Sequence[Point], games: Sequence[Mapping[GoalsTable, np.ndarray]], goals: pd.DataFrame
) -> pd.DataFrame:
    """Return one row per point: price, distance with its interval, how many wishes are met, and whether it is on the front."""
    bands, space = course.bands, course.space
    undecided = goals[told(goals, OPEN)].groupby("point")["far"].max()
    least = np.inf
    measured = [distance_of(bands, own) for own in games]
    verdicts = goals.groupby(["point", "wish"])[["verdict_key"]].apply(worst).unstack("point")
    rows: list[dict[str, Any]] = []
    for place, (point, own) in enumerate(zip(points, games, strict=True)):
        counts = verdicts[place].value_counts()
        distance, low, high = distance_without_noise(bands, own)
        row: dict[str, Any] = {"point": place, "changes": len(point), "price": space.price(point), "distance": distance}
        row |= {"distance_low": low, "distance_high": max(high, float(undecided.get(place, 0.0)))}
        row["front"] = place == 0 or distance < least  # nearer than all cheaper points and the rules
        least = min(least, distance)
        row |= {name: int(counts.get(word, 0)) for name, word in (("met", MET), ("missed", MISSED), ("open", OPEN))}
        row |= {"wishes": len(bands.wishes), "n": course.effort.fresh, "at_end": "; ".join(space.at_ends(point))}
        row["what"] = "; ".join(space.notes(point)) or "the rules as they are"
        gaps = [(other[0] - measured[place][0], nearer(measured[place][1], other[1])) for other in measured[:place]]
        behind = [other for other, gap in enumerate(gaps) if not is_more(*gap, len(points) - 1)]
        row |= {"nearer": not behind, "better": place > 0 and 0 not in behind}
        rows.append(row)
    return pd.DataFrame(rows)


def distance_without_noise(bands: Bands, games: Mapping[GoalsTable, np.ndarray]) -> tuple[float, float, float]:
    """Return the distance in games with its 95% interval, without what chance adds to it (`stats.bands.without_noise`)."""
    rng, values, draws = np.random.default_rng(0), np.zeros(len(bands.columns)), np.zeros((DRAWS, len(bands.columns)))
    for table in bands.tables:
        at = bands.of_table(table)
        part = read_columns([bands.columns[i] for i in at], games[table])
        values[at] = part.value
        covariance = part.terms.T @ part.terms / len(part.terms) / (len(part.terms) - 1)
        draws[:, at] = rng.multivariate_normal(np.nan_to_num(part.value), covariance, DRAWS, method="eigh")
        draws[:, at[np.isnan(part.value)]] = np.nan
    return without_noise(values, draws, bands.beyond)


def _advised(front: pd.DataFrame) -> int:
    """Return the index of the advised point; points are sorted by price."""
    all_met = front[(front["met"] == front["wishes"]) & (front["better"] | (front["changes"] == 0))]
    return int(all_met.index[0]) if len(all_met) else int(front.index[front["nearer"]][-1])


def _moved(bands: Bands, before: Mapping[GoalsTable, np.ndarray], after: Mapping[GoalsTable, np.ndarray]) -> pd.DataFrame:
    """Return one row per figure that no wish names: how a point moves it from the rules, and whether beyond its margin."""
    tables = [table for table in bands.tables if not (table.granted or table.against)]
    named = {(column.table, column.place) for column in bands.columns}
    parts = []
    for table in tables:
        free = [(place, figure) for place, figure in enumerate(bands.figures) if (table, place) not in named]
        paired = [(place, figure) for place, figure in free if figure.kind.word != "skill"]
        at, figures = [place for place, _ in paired], [(figure.kind.word, figure.title) for _, figure in paired]
        moments = Moments.empty(len(at))
        moments.add(before[table][:, at].astype(float), after[table][:, at].astype(float))
        frame = differences(moments, figures=figures, tables=len(tables))
        parts.append(frame.assign(players=table.players, way=table.way))
    if not parts:
        return pd.DataFrame()
    whole = pd.concat(parts, ignore_index=True)
    margin = whole["group"].map(lambda word: KINDS[word].margin)
    whole = judged(whole, "difference", margin, len(before[tables[0]]), CHANGE)
    whole = whole.assign(beyond=having(whole, FAR), margin=margin, unit=whole["group"].map(lambda word: KINDS[word].unit))
    names = ["group", "figure", "players", "way", "unit", "a", "b", "difference", "difference_all_low", "difference_all_high"]
    return whole[[*names, "p_adjusted", "margin", "beyond", "verdict", "verdict_key", "certainty", "pairs"]]


def _expected(bands: Bands, games: Sequence[Mapping[GoalsTable, np.ndarray]], result: SearchResult) -> pd.DataFrame:
    """Return one row per point and column: the model's prediction, the fresh games' figure, and whether they agree (95%)."""
    rows = []
    for place, (own, *expected) in enumerate(zip(games, *result.expected, strict=False)):
        for at, column in enumerate(bands.columns):
            value, low, high, cases = ratio_of(column, own).interval()
            if not cases:
                continue
            model, least, most = (float(part[at]) for part in expected)
            within = agree((value, low, high), (model, least, most))
            row = {"point": place, "kind": column.kind.word, "figure": title_of(column, bands.figures)}
            row |= {"players": column.table.players, "way": column.table.who, "unit": column.unit}
            row |= {"expected": model, "expected_low": least, "expected_high": most, "fresh": value, "low": low, "high": high}
            rows.append(row | {"gap": value - model, "within": within, "n": cases})
    return pd.DataFrame(rows)


def title_of(column: FigureColumn, figures: Sequence[Figure]) -> str:
    """Return the title of a column."""
    if column.table.granted:
        return KINDS["effect"].title.format(column.table.granted)
    if column.below is not None:
        return f"games of fewer than {column.below:g} rounds"
    return KINDS["longer-than"].title.format(f"{column.above:g}") if column.above is not None else figures[column.place].title
