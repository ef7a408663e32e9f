"""From goals to points on the front: screening, refining, races, fresh games. What is played is kept, so all of it goes on.

1. *The rules* play fresh games. If these meet every goal, nothing is to be changed, and nothing else is played.
2. *Screening.* Every number is moved as far as it goes, down and up, on the same seeds as the rules. The half that
   may bring the game nearest to its goals plays twice as many games, and of these the half again.
3. *Refining.* A search on the model names the numbers that help, alone or together; values between play more games.
4. *Races.* A search on the better model names combinations; the best of each price play, and teach the model what they move
   together. Where a combination is shown to be further from the goals than another of its price, it drops out; the rest play
   twice as many games. The nearest to the goals becomes a *start*: it plays many games, and numbers are moved from there, in
   pairs with it. So what is predicted of points near by does not add up what many changes do apart, and numbers count that
   help only now that others are mended. Then the next race, three in all.
5. *Fresh games*, by which nothing was chosen, of at most six points: `verdicts` says what they are worth.

The search looks at bands drawn in by what the fresh games' intervals will need: a figure at the edge of its band is never known
to lie in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...simulator.errors import UserError
from ...simulator.rules.loading.load import Ruleset
from ...simulator.wording import counted
from ..statistics.inference import QUANTILE
from .bands import BLOCK, Bands, Moved, distance_of, least_error, linked, moved, nearer, reach_of, read_columns, unlinked
from .changes import NOTHING, Point, Space
from .games import Spent, Table, Tables, differing
from .model import Model, fit
from .search import best_by_price, search

SCREEN, REFINE, RACE, FRESH = 1_000, 1_000, 600, 12_000  # games of each table
HALVINGS = 2  # of the numbers that are screened
REFINED = 16  # numbers that are refined at most
BETWEEN = 4  # values of each: others lie beside these
RACING = 4  # combinations of each price that race
ROUNDS_OF_RACES = 3
AROUND = 8  # times as many games of the best point between two races
STEPS = 32  # numbers that are moved there at most
LAPS = 2  # of a race: the second twice as long as the first
POINTS_SHOWN = 6  # on the front, besides the rules
INSET = 2.2  # standard errors of fresh games
BEHIND = 1.645  # standard errors by which a combination is behind another: dropped
MOST = 10  # times as many games are looked through as are played
FEWEST = 60  # games of a stage, however small the budget
SLACK = 1.5  # times as many games may differ as are planned for


@dataclass(frozen=True)
class Effort:
    """How many games of each table the stages play for each ruleset; screening and refining count those that can differ."""

    screen: int = SCREEN
    refine: int = REFINE
    race: int = RACE
    fresh: int = FRESH

    def scaled(self, by: float) -> Effort:
        """Return so many times the effort."""
        return Effort(*(max(FEWEST, int(by * n / 10) * 10) for n in (self.screen, self.refine, self.race, self.fresh)))

    def games(self, space: Space, tables: int) -> int:
        """Return about how many games a search takes."""
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
class Found:
    """What a search has come to: the front's points with what the model expected, and what was played on the way."""

    points: list[Point]
    expected: np.ndarray  # (3, points, columns): figures of the rules and of the points, and the ends of their 95% intervals
    played: list[Point] = field(default_factory=list)
    screened: list[Point] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)  # levers that were refined
    met: bool = False  # the rules meet the goals


class Course:
    """The stages, over a space of changes, bands, and the tables that play."""

    def __init__(self, space: Space, bands: Bands, tables: Tables, effort: Effort, seed: int) -> None:
        self.space, self.bands, self.tables, self.effort, self.seed = space, bands, tables, effort, seed
        self.lengths: dict[tuple[Point, Table], int] = {}  # games that a point has played, of the search's seeds
        self.data: dict[Point, Moved] = {}
        self.like: dict[Point, Point] = {}  # with which each was played in pairs
        self.starts: list[Point] = [NOTHING]  # points whose games say where the model starts
        self.finalists: list[Point] = []  # that are left of the last race
        self.cut = False  # the search ended because its games were played

    # --- Playing

    def rulesets(self, points: Sequence[Point]) -> list[tuple[Point, Ruleset]]:
        """Return the points that are legal, with their rulesets."""
        found = [(point, self.space.ruleset_of(point)) for point in points]
        return [(point, ruleset) for point, ruleset in found if ruleset is not None]

    def play(self, words: str, points: Sequence[Point], n: int, whole: bool = True, like: Point = NOTHING) -> list[Point]:
        """Play n games of each table under each point, the rules and the point that is `like` them; return the legal ones.

        Unless `whole`, games that a point cannot change do not count.
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
        most = {table: max([n, *(length for _, one, _, length in wanted if one == table)]) for table in tables}
        first = [(point, table, one, most[table]) for point, one in {NOTHING: rules, like: start}.items() for table in tables]
        stage = f"{words}, {counted(n, 'game')} each at {counted(len(tables), 'table')}"
        with self.tables.stage(stage, [one[1:] for one in (*first, *wanted)]):
            for point, table, ruleset, length in (*first, *wanted):
                self.tables.play(table, ruleset, length, like=self._ruleset(self.like.get(point, like)))
                self.lengths[point, table] = max(length, self.lengths.get((point, table), 0))
        for point, ruleset in legal:
            self.data[point] = self._moved(point, ruleset, self.like.setdefault(point, like))
        return [point for point, _ in legal]

    def _ruleset(self, point: Point) -> Ruleset:
        ruleset = self.space.ruleset_of(point)
        assert ruleset is not None
        return ruleset

    def _longer(self, table: Table, ruleset: Ruleset, like: Ruleset, n: int) -> int:
        """Return in how many games there are about n that a ruleset may play otherwise than that like it."""
        return round(n / max(self.tables.share(table, ruleset, n, like), 1 / MOST))

    def _moved(self, point: Point, ruleset: Ruleset, like: Point) -> Moved:
        """Return what a point moves of all columns over its pairs of games with the one like it."""
        size, most = len(self.bands.columns), max(self.lengths[point, table] for table in self.bands.tables)
        found = Moved(np.zeros(size), np.ones(size), np.zeros((-(-most // BLOCK), size)))
        for table in self.bands.tables:
            at = self.bands.of_table(table)
            columns = [self.bands.columns[i] for i in at]
            n = self.lengths[point, table]
            one = moved(columns, self.tables.play(table, self._ruleset(like), n), self.tables.play(table, ruleset, n))
            found.value[at], found.variance[at] = one.value, one.variance
            found.blocks[: len(one.blocks), at] = one.blocks
        return found

    def base(self, point: Point = NOTHING) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return a point's columns on their scales, their variance, and standard errors of values with the fresh games."""
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
        """Return the model of all that was played."""
        points, columns = list(self.data), self.bands.columns
        base = unlinked(columns, self.base()[0])
        units = np.array([reach_of(column, value) for column, value in zip(columns, base, strict=True)])
        kinds = [column.kind.word for column in columns]
        place = {point: at for at, point in enumerate(points)}
        like = [place.get(self.like[point], -1) for point in points]
        return fit(self.space.scaled(points), list(self.data.values()), units, kinds, like, self._own())

    def _own(self) -> np.ndarray:
        """Return which columns each number is likely to move, (levers, columns): those of the card on which it stands."""
        found = np.zeros((len(self.space), len(self.bands.columns)), bool)
        for lever, choice in enumerate(self.space.choices):
            ruleset = self.space.ruleset_of(((lever, choice.values[0]),))
            own = None if ruleset is None else differing(self.space.ruleset.data, ruleset.data)
            places = [self.bands.figures.index(figure) for figure in own or [] if figure in self.bands.figures]
            found[lever] = [column.place in places and not column.table.granted for column in self.bands.columns]
        return found

    def nearest(self, z: np.ndarray) -> np.ndarray:
        """Return the places of the starts that differ from points (points, levers) in the fewest numbers, the last of them."""
        apart = (z[:, None, :] != self.space.scaled(self.starts)[None]).sum(axis=2)
        return np.asarray(apart.shape[1] - 1 - apart[:, ::-1].argmin(axis=1))

    def values(self, model: Model) -> Callable[[np.ndarray], np.ndarray]:
        """Return what tells the columns expected of points (points, levers): a start's games and the way from there."""
        starts = np.stack([self.base(point)[0] for point in self.starts]) - model.mean(self.space.scaled(self.starts))
        return lambda z: starts[self.nearest(z)] + model.mean(z)

    def distances(self, model: Model) -> Callable[[Sequence[Point]], np.ndarray]:
        """Return what tells the distances that the model expects of points, from bands drawn in."""
        fresh = self.base()[2]
        ends, expected = self.bands.narrowed(INSET * fresh), self.values(model)

        def of(points: Sequence[Point]) -> np.ndarray:
            return self.bands.distance(unlinked(self.bands.columns, expected(self.space.scaled(points))), ends)

        return of

    def expected(self, model: Model, points: Sequence[Point]) -> np.ndarray:
        """Return the columns that the model expects of points, with the ends of their 95% intervals, (3, points, columns)."""
        z = self.space.scaled(points)
        near = self.nearest(z)
        variance = np.stack([self.base(point)[1] for point in self.starts])[near]
        found = self.values(model)(z)
        reach = QUANTILE * np.sqrt(variance + model.error(z, self.space.scaled(self.starts)[near]) ** 2)
        return np.stack([unlinked(self.bands.columns, one) for one in (found, found - reach, found + reach)])

    def candidates(
        self, model: Model, each: int, allowed: set[int] | None = None, turn: int = 0, known: Sequence[Point] = ()
    ) -> list[Point]:  # fmt: skip
        """Return the points of each price that the model expects nearest to the goals; `allowed`: of these levers only.

        The search begins with points that are `known` to be good, too.
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
        return Space(self.space.ruleset, [self.space.choices[lever] for lever in sorted(allowed)], self.space.at_most)

    # --- The stages

    def run(self) -> Found:
        """Go through all stages but the fresh games; raise UserError if no change of the rules can be played."""
        screened = self.screen()
        if not screened:
            raise UserError("none of the changes that the goals allow is legal under these rules")
        kept: list[int] = []
        finalists: list[Point] = []
        try:
            kept, finalists = self._narrowing(finalists)
        except Spent:
            self.cut = True
            finalists = [point for point in self.data if point] if not self.finalists else self.finalists
        model = self.model()
        chosen = self.front(finalists, model)
        return Found(chosen, self.expected(model, [NOTHING, *chosen]), list(self.data), screened, kept)

    def _narrowing(self, finalists: list[Point]) -> tuple[list[int], list[Point]]:
        """Return the numbers that were looked at more closely, and the points that are left of the races."""
        kept = self.helpful()
        values: list[Point] = [((lever, value),) for lever in kept for value in self.space.choices[lever].between(BETWEEN)]
        self.play(f"refining {counted(len(kept), 'number')}", values, self.effort.refine, whole=False)
        for turn in range(ROUNDS_OF_RACES):
            points = self.candidates(self.model(), RACING, set(kept), turn, finalists)
            finalists = self.finalists = self.race(list(dict.fromkeys([*points, *finalists])), turn)
            if turn < ROUNDS_OF_RACES - 1:
                kept = list(dict.fromkeys([*kept, *self.around(finalists, turn)]))
        return kept, finalists

    def screen(self) -> list[Point]:
        """Move every number by itself, and the most hopeful ones in more games; return what is legal of these moves."""
        moves: list[Point] = [
            ((lever, value),) for lever, choice in enumerate(self.space.choices) for value in choice.screened()
        ]
        screened: list[Point] = []
        numbers = len(self.space)
        for lap in range(HALVINGS + 1):
            words = f"screening {counted(numbers, 'number')}"
            try:
                alive = self.play(words, moves, self.effort.screen << lap, whole=False)
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
        """Return the levers that single changes move, first that which may bring the game nearest to its goals."""
        gains: dict[int, float] = {}
        for point in points:
            gain, error = self.gain(point)
            gains[point[0][0]] = max(gain + error, gains.get(point[0][0], -np.inf))
        return sorted(gains, key=lambda lever: (-gains[lever], lever))

    def gain(self, point: Point, like: Point = NOTHING) -> tuple[float, float]:
        """Return how much nearer to the goals a point is than the rules, or another, in its games, and its standard error."""
        lengths = {table: self.lengths[point, table] for table in self.bands.tables}
        (before, own, _), (after, terms, _) = (
            distance_of(self.bands, {table: self.tables.play(table, rules, n) for table, n in lengths.items()})
            for rules in (self._ruleset(like), self._ruleset(point))
        )
        return before - after, nearer(own, terms)

    def helpful(self) -> list[int]:
        """Return the levers that the search on the screening's model uses for its best points, and the most hopeful ones."""
        best = self.candidates(self.model(), 3 * RACING)
        uses: dict[int, float] = {}
        for point in best:
            for lever, _ in point:
                uses[lever] = uses.get(lever, 0) + 1 / len(point)
        used = sorted(uses, key=lambda lever: (-uses[lever], lever))
        hopeful = self.hopeful([point for point in self.data if len(point) == 1])
        return list(dict.fromkeys([*used[: REFINED // 2], *hopeful[: REFINED // 2], *used]))[:REFINED]

    def around(self, points: Sequence[Point], turn: int) -> list[int]:
        """Make the best of points a start, if it is none, and move numbers from there; return the hopeful ones."""
        model = self.model()
        new = [point for point in points if point not in self.starts] or list(points)
        centre = new[int(np.argmin(self.distances(model)(new)))]
        self.play(f"round {turn + 1}: the best so far", [centre], AROUND * self.effort.race)
        self.starts = list(dict.fromkeys([*self.starts, centre]))
        steps = self.steps(centre, model)
        for lap in range(LAPS):
            words = f"round {turn + 1}: {counted(len(steps), 'step')} from the best so far"
            alive = self.play(words, list(steps), self.effort.race << lap, whole=False, like=centre)
            gains = {point: sum(self.gain(point, centre)) for point in alive}
            best = sorted(alive, key=lambda point: (-gains[point], point))[: -(-len(alive) // 2)]
            steps = {point: steps[point] for point in best}
        return list(dict.fromkeys(steps.values()))

    def steps(self, centre: Point, model: Model) -> dict[Point, int]:
        """Return the points that are one move from a point, with its lever: of each number the best value."""
        found: dict[Point, int] = {}
        for lever, value in self.space.options:
            point = self.space.point([(lever, value), *centre])  # instead of changes of the same numbers
            if point != centre and point not in self.data:
                found[point] = lever
        expected = dict(zip(found, self.distances(model)(list(found)), strict=True))
        best: dict[int, Point] = {}
        for point in sorted(found, key=lambda one: (expected[one], one)):
            best.setdefault(found[point], point)
        without = {tuple(one for one in centre if one[0] != lever): lever for lever, _ in centre}
        new = {point: lever for point, lever in without.items() if point and point not in self.data}
        return new | {point: lever for lever, point in list(best.items())[:STEPS]}

    def race(self, points: Sequence[Point], turn: int) -> list[Point]:
        """Let points race on the same seeds; return those that are left, at least one of each price."""
        alive = list(points)
        for lap in range(LAPS):
            n = self.effort.race << lap
            alive = self.play(f"race {turn + 1}, lap {lap + 1}: {counted(len(alive), 'combination')}", alive, n)
            alive = self.left(alive, n)
        return alive

    def left(self, points: Sequence[Point], n: int) -> list[Point]:
        """Return the points that are not shown to be further from the goals than the nearest of their price."""
        measured = {point: self.measured(point, n) for point in points}
        by_price: dict[float, list[Point]] = {}
        for point in points:
            by_price.setdefault(round(self.space.price(point), 9), []).append(point)
        kept = []
        for group in by_price.values():
            best = min(group, key=lambda point: measured[point][0])
            for point in group:
                error = nearer(measured[point][1], measured[best][1])
                if measured[point][0] - measured[best][0] <= BEHIND * error:
                    kept.append(point)
        return kept

    def measured(self, point: Point, n: int, fresh: bool = False) -> tuple[float, dict[Table, np.ndarray], np.ndarray]:
        """Return the distance of a point in its first n games, the terms of it, and the values of the columns."""
        games = {table: self.tables.play(table, self._ruleset(point), n, fresh) for table in self.bands.tables}
        return distance_of(self.bands, games)

    def front(self, points: Sequence[Point], model: Model) -> list[Point]:
        """Return of each price the point that is expected nearest to the goals, if nearer than all that are cheaper."""
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
    """Return points that grow by the change that helps most, one after the other: where the search begins."""
    point, grown = NOTHING, []
    for _ in range(space.at_most):
        longer = [one for option in space.options if len(one := space.point([*point, option])) > len(point)]
        if not longer:
            break
        point = longer[int(np.argmin(distances(longer)))]
        grown.append(point)
    return grown


def effort_for(games: int, space: Space, tables: int) -> Effort:
    """Return the effort that comes to about so many games."""
    usual = Effort()
    return usual.scaled(games / usual.games(space, tables))


def reserved(space: Space, tables: int, fresh: int) -> int:
    """Return how many fresh games the points of the front may need, besides those of the rules."""
    return tables * min(POINTS_SHOWN, space.at_most) * fresh


def smallest(space: Space, tables: int, fresh: int) -> int:
    """Return how many games a search needs at least: all numbers screened, with as few games as make sense, and fresh ones."""
    screened = sum(len(choice.screened()) for choice in space.choices)
    search = (MOST + SLACK * screened) * FEWEST
    return int(tables * (search + fresh) + reserved(space, tables, fresh))
