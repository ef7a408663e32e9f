"""Which library searches best? pymoo's NSGA-II against Optuna's samplers on planted problems, with as many evaluations.

    python -m newdawn.scripts.checks.goals.searchers --seeds 5

A planted problem is a game of 100 numbers with five values each and 40 figures: every number moves a few figures, some numbers
are spoiled, and the goals are the figures without that. So the distance of a combination is known, and 0 if all are undone. All
begin with the effects of single changes, and then evaluate --questions distances. Printed are the distance left with as many
changes as were spoiled (means over the seeds), how often nothing was left, and the seconds.

Only this check needs Optuna: `pip install optuna`.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import click
import numpy as np

from ....analysis.goals.games import NOTHING, Point
from ....analysis.goals.model import search
from ....analysis.goals.stages import greedy

NUMBERS, VALUES, FIGURES, FELT = 100, (-2, -1, 1, 2, 3), 40, 4
PLACES = (1, 3, 6)


class Planted:
    """A space of changes with the interface that the search needs, and the distances of its points."""

    def __init__(self, places: int, seed: int) -> None:
        rng = np.random.default_rng([places, seed])
        self.at_most = places + 1
        self.options = [(number, value) for number in range(NUMBERS) for value in VALUES]
        self.effect = np.zeros((NUMBERS, FIGURES))
        for number in range(NUMBERS):
            self.effect[number, rng.choice(FIGURES, FELT, replace=False)] = rng.normal(0, 2, FELT)
        self.spoiled = dict(zip(rng.choice(NUMBERS, places, replace=False), rng.choice(VALUES, places), strict=True))
        self.wrong = -sum(value * self.effect[number] for number, value in self.spoiled.items())
        self.asked = 0

    def point(self, changes: Sequence[tuple[int, int]]) -> Point:
        """Return changes as a point; the first change of each number counts."""
        values: dict[int, int] = {}
        for number, value in changes:
            values.setdefault(number, value)
        return tuple(sorted(values.items()))

    def price(self, point: Point) -> float:
        """Return the number of changes."""
        return len(point)

    def distances(self, points: Sequence[Point]) -> np.ndarray:
        """Return how far the figures of each point lie outside bands of ±1."""
        self.asked += len(points)
        figures = np.array(
            [self.wrong + sum((value * self.effect[number] for number, value in point), 0 * self.wrong) for point in points]
        )
        return np.asarray(np.maximum(np.abs(figures) - 1, 0).sum(axis=1))


def by_pymoo(problem: Planted, seed: int, start: Sequence[Point], questions: int) -> dict[Point, float]:
    """Search by NSGA-II of pymoo, as `goals` does."""
    population = 80
    generations = questions // population
    return search(problem, problem.distances, seed, start, population, generations)  # type: ignore[arg-type]


def by_optuna(sampler: str) -> Callable[[Planted, int, Sequence[Point], int], dict[Point, float]]:
    """Return the search by a sampler of Optuna."""

    def find(problem: Planted, seed: int, start: Sequence[Point], questions: int) -> dict[Point, float]:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        warnings.simplefilter("ignore")
        made: Any = {"nsga2": optuna.samplers.NSGAIISampler, "tpe": optuna.samplers.TPESampler}[sampler]
        study = optuna.create_study(directions=["minimize", "minimize"], sampler=made(seed=seed))
        number = {option: place for place, option in enumerate(problem.options, 1)}
        seen: dict[Point, float] = {}
        single = problem.distances([(option,) for option in problem.options])
        best = [(problem.options[at],) for at in np.argsort(single)[:40]]
        for point in (*start, *best):
            slots = [number[change] for change in point]
            study.enqueue_trial({f"slot{at}": slot for at, slot in enumerate(slots + [0] * (problem.at_most - len(slots)))})

        def ask(trial: Any) -> tuple[float, float]:
            slots = [trial.suggest_int(f"slot{at}", 0, len(problem.options)) for at in range(problem.at_most)]
            point = problem.point([problem.options[slot - 1] for slot in slots if slot])
            seen[point] = float(problem.distances([point])[0])
            return problem.price(point), seen[point]

        study.optimize(ask, n_trials=questions)
        return seen

    return find


METHODS = {
    "pymoo NSGA-II": by_pymoo,
    "Optuna NSGA-II": by_optuna("nsga2"),
    "Optuna TPE": by_optuna("tpe"),
}


@click.command()
@click.option("--seeds", type=int, default=5, show_default=True)
@click.option("--questions", type=int, default=4_800, show_default=True)
@click.option("--methods", default=",".join(METHODS), show_default=True)
@click.option("--greedy", "grown", is_flag=True, help="Begin with points that grow, too.")
def main(seeds: int, questions: int, methods: str, grown: bool) -> None:
    """Compare the libraries."""
    for places in PLACES:
        for name in methods.split(","):
            left, seconds = [], 0.0
            for seed in range(1, seeds + 1):
                problem = Planted(places, seed)
                start = greedy(problem, problem.distances) if grown else []  # type: ignore[arg-type]
                began = time.monotonic()
                seen = METHODS[name](problem, seed, start, questions)
                seconds += time.monotonic() - began
                left.append(min([seen[point] for point in seen if len(point) <= places], default=float("nan")))
            whole = float(Planted(places, 1).distances([NOTHING])[0])
            undone = sum(value < 1e-9 for value in left)
            click.echo(
                f"{places} spoiled, {name}: {np.mean(left):.1f} left (of {whole:.1f} in the first), none left in {undone} of "
                f"{seeds}, {seconds / seeds:.1f} s"
            )


if __name__ == "__main__":
    main()
