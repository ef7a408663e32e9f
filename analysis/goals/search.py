"""Searching the model for points on the front of price against distance, by NSGA-II (K. Deb and others, IEEE TEC 6, 2002).

The library is pymoo (J. Blank and K. Deb, IEEE Access 8, 2020): it asks for a whole generation at once, which the model answers
with a few matrix products. A point is written as so many slots as there may be changes, each holding one single change or none;
values of one number lie beside each other, so small steps of a slot are small changes. Every point that was asked for is
remembered, and the best of each price are what the search is after: the front's points and those that come close.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.optimize import minimize

from .changes import NOTHING, Point, Space

POPULATION, GENERATIONS = 80, 120
NONE = 0  # in a slot
EMPTY, STEP = 0.25, 0.5  # of mutated slots: emptied; moved to a change beside it; the others get any
Distances = Callable[[Sequence[Point]], np.ndarray]


class _Points(Problem):  # type: ignore[misc]
    """The points as numbers in slots; remembers every one that was asked for."""

    def __init__(self, space: Space, distances: Distances) -> None:
        super().__init__(n_var=space.at_most, n_obj=2, xl=0, xu=len(space.options), vtype=int)
        self.space, self.distances = space, distances
        self.seen: dict[Point, float] = {}

    def points(self, slots: np.ndarray) -> list[Point]:
        """Return the points that rows of slots stand for."""
        options = self.space.options
        return [self.space.point([options[one - 1] for one in row if one != NONE]) for row in slots.astype(int)]

    def _evaluate(self, slots: np.ndarray, out: dict[str, Any], *_: Any, **__: Any) -> None:
        points = self.points(slots)
        new = [point for point in dict.fromkeys(points) if point not in self.seen]
        if new:
            self.seen |= dict(zip(new, map(float, self.distances(new)), strict=True))
        out["F"] = np.array([[self.space.price(point), self.seen[point]] for point in points])


class _Sparse(Sampling):  # type: ignore[misc]
    """Begins with no change, single changes, and a few at once."""

    def __init__(self, start: Sequence[Sequence[int]]) -> None:
        super().__init__()
        self.start = start

    def _do(self, problem: _Points, n_samples: int, *_: Any, random_state: Any = None, **__: Any) -> np.ndarray:
        slots = np.zeros((n_samples, problem.n_var), int)
        for row, line in enumerate(slots):
            if row < len(self.start):
                line[: len(self.start[row])] = self.start[row]
            else:
                filled = random_state.integers(0, problem.n_var + 1)
                line[:filled] = random_state.integers(1, int(problem.xu[0]) + 1, filled)
        return slots


class _Slots(Crossover):  # type: ignore[misc]
    """Deals the changes of two parents to two children."""

    def __init__(self) -> None:
        super().__init__(2, 2)

    def _do(self, problem: _Points, parents: np.ndarray, *_: Any, random_state: Any = None, **__: Any) -> np.ndarray:
        swapped = random_state.random(parents.shape[1:]) < 0.5
        return np.stack([np.where(swapped, parents[1], parents[0]), np.where(swapped, parents[0], parents[1])])


class _Moves(Mutation):  # type: ignore[misc]
    """Empties a slot, moves it to a change beside, or puts any change into it."""

    def _do(self, problem: _Points, slots: np.ndarray, *_: Any, random_state: Any = None, **__: Any) -> np.ndarray:
        slots, most = slots.astype(int), int(problem.xu[0])
        hit = random_state.random(slots.shape) < 1.5 / slots.shape[1]
        kind = random_state.random(slots.shape)
        beside = np.clip(slots + random_state.choice([-2, -1, 1, 2], slots.shape), 1, most)
        anything = random_state.integers(1, most + 1, slots.shape)
        new = np.where(kind < EMPTY, NONE, np.where((kind < EMPTY + STEP) & (slots != NONE), beside, anything))
        return np.where(hit, new, slots)


def search(
    space: Space, distances: Distances, seed: int, start: Sequence[Point] = (), population: int = POPULATION,
    generations: int = GENERATIONS,
) -> dict[Point, float]:  # fmt: skip
    """Return every point that the search has looked at, with its distance; no change is always among them."""
    problem = _Points(space, distances)
    number = {option: place for place, option in enumerate(space.options, 1)}
    single = np.array(problem.distances([((lever, value),) for lever, value in space.options]))
    best = [[place + 1] for place in np.argsort(single)[: population // 2]]
    begin = [[], *([number[change] for change in point] for point in start if point), *best]
    problem.seen = {((lever, value),): float(one) for (lever, value), one in zip(space.options, single, strict=True)}
    method = NSGA2(population, sampling=_Sparse(begin), crossover=_Slots(), mutation=_Moves())
    minimize(problem, method, ("n_gen", generations), seed=seed, verbose=False)
    problem.seen.setdefault(NOTHING, float(problem.distances([NOTHING])[0]))
    return problem.seen


def best_by_price(seen: dict[Point, float], price: Callable[[Point], float], each: int) -> list[Point]:
    """Return of each price the points nearest to the goals, those that come nearer than all that are cheaper first."""
    by_price: dict[float, list[Point]] = {}
    for point in sorted(seen, key=lambda one: (seen[one], one)):
        by_price.setdefault(round(price(point), 9), []).append(point)
    return [point for _, points in sorted(by_price.items()) for point in points[:each]]
