"""The model of the effects of changes, and the search for few changes that meet the wishes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.optimize import minimize
from scipy.special import logsumexp, softmax

from .games import NOTHING, Moved, Point, Space

# --- The effects of changes of the rules: a model of every column, from pairs of games of a few hundred rulesets on the same
# seeds
#
# On the scales on which effects are taken as additive (log odds of shares, logarithms of lengths), the effect of a point on a
# column is
#
#     Σ f_i(z_i) + Σ g_ik(z_i, z_k) + lack of fit,
#
# a Gaussian process with an additive kernel (N. Durrande, D. Ginsbourger and O. Roustant, Annales de la Faculté de Sciences de
# Toulouse 21, 2012; D. Duvenaud, H. Nickisch and C. Rasmussen, NIPS 2011). f_i is half a straight line and half a Brownian path
# from 0, separately up and down: a wonder that is already cheap gains nothing by a lower cost. Between played values f_i is
# nearly straight, beyond them it is uncertain. Interactions g_ik have the product of both kernels. The lack of fit is an
# independent deviation of each combination.
#
# The variance of lever i on column j is the mean of SIZES squared, weighted by the likelihood of the points that move it alone
# and a prior: most levers have a small effect on all columns of a kind, the background, and large effects are rare (CAREFUL,
# RARER). The frequencies of the backgrounds are estimated from all levers. For the figures of the card on which a number
# stands, all sizes are equally likely. So the noise of hundreds of levers is shrunk to 0, and clear effects hardly: otherwise
# the best of many estimates would be luck.
#
# Interaction and lack-of-fit variances are estimated jointly over all columns of a kind (maximum likelihood). Errors of points
# played on the same seeds are correlated: three values of one number say hardly more than one. Without their covariance the
# model would take luck for effects.
#
# A point may be played in pairs with another than the rules: the data are then the difference of the two.

SIZES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # standard deviations of effects, in margins
CAREFUL = 2.0  # prior: log factor by which sizes above the background are rarer
RARER = 0.7  # and by which each is rarer than the one before it
BACKGROUNDS = 4  # this many of the first sizes may be a lever's background
ROUNDS = 20  # of estimating their frequencies
RHOS = (0.0, 0.1, 0.4)  # variances of interactions over the geometric mean of their levers' variances
LACKS = (0.0, 0.5, 1.5, 4.0)  # standard deviations of the lack of fit for each change, in margins
INFORMATIVE = 8  # columns of a kind from which its spread is estimated, those that move most
TINY = 1e-8


def sided(z: np.ndarray) -> np.ndarray:
    """Return points (n, levers) as moves up and moves down (n, 2 levers), which are independent."""
    return np.concatenate([np.maximum(z, 0), np.maximum(-z, 0)], axis=1)


def path_kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the kernel of one side of a lever: half a straight line, half a Brownian path from 0."""
    a, b = a[:, None], b[None, :]
    return np.asarray(0.5 * a * b + 0.5 * np.minimum(a, b))


def own_kernel(z: np.ndarray) -> np.ndarray:
    """Return the kernel's value of each move with itself."""
    return 0.5 * z**2 + 0.5 * z


@dataclass(frozen=True)
class Spread:
    """Of a kind of columns: the relative variance of interactions, and the standard deviation of the lack of fit in margins."""

    rho: float
    lack: float


@dataclass(frozen=True)
class LeverGroup:
    """Levers connected by combinations, and the points that move them; different parts are independent."""

    levers: np.ndarray
    rows: np.ndarray  # among the points played
    like: np.ndarray  # (rows,) index among its rows of the point that each is compared with; -1: the rules
    kernels: np.ndarray  # (levers, rows, rows)
    combined: np.ndarray  # (rows,) 1 for combinations, else 0

    def kernel(self, sizes: np.ndarray, units: np.ndarray, spread: Spread) -> np.ndarray:
        """Return the covariance of its points' effects, (columns, rows, rows); `sizes`: variances (levers, columns)."""
        return mixed(self.pieces(sizes, units), spread)

    def pieces(self, sizes: np.ndarray, units: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the pieces of its kernel: single levers, interactions, and the lack of fit."""
        own = sizes[self.levers].T
        whole = self._apart(np.einsum("cl,lij->cij", own, self.kernels))
        if not self.combined.any():
            return (whole,)
        roots = np.einsum("cl,lij->cij", np.sqrt(own), self.kernels)
        squares = np.einsum("cl,lij->cij", own, self.kernels**2)
        at = np.arange(len(self.rows))
        changes = np.diag(self.kernels[:, at, at].sum(axis=0) * self.combined)
        return whole, self._apart((roots**2 - squares) / 2), self._apart(units[:, None, None] ** 2 * changes)

    def _apart(self, whole: np.ndarray) -> np.ndarray:
        """Return a kernel of points as the kernel of their differences from the points they are compared with."""
        if (self.like < 0).all():
            return whole
        wide = np.pad(whole, ((0, 0), (0, 1), (0, 1)))  # the last: the rules, with effect 0
        across = wide[:, :-1, self.like]
        return np.asarray(whole - across - across.transpose(0, 2, 1) + wide[:, self.like[:, None], self.like])

    def from_like(self, near: np.ndarray) -> np.ndarray:
        """Return columns of its points less those of the points they are compared with."""
        return near - np.pad(near, ((0, 0), (0, 1)))[:, self.like]


def mixed(pieces: Sequence[np.ndarray], spread: Spread) -> np.ndarray:
    """Return the kernel made of its pieces with a spread."""
    return sum((factor * piece for factor, piece in zip((1.0, spread.rho, spread.lack**2), pieces, strict=False)), np.zeros(()))


def parts_of(z: np.ndarray, like: np.ndarray) -> list[LeverGroup]:
    """Return the independent parts of points; `like`: indices of the points that these are compared with, -1 for the rules."""
    part_of = np.arange(z.shape[1])
    for row in z[combinations(z)]:
        together = np.isin(part_of, part_of[row != 0])
        part_of[together] = part_of[together].min()
    parts = []
    for first in np.unique(part_of[np.any(z != 0, axis=0)]):
        levers = np.flatnonzero(part_of == first)
        rows = np.flatnonzero(np.any(z[:, levers] != 0, axis=1))
        own = z[np.ix_(rows, levers)].T
        kernels = np.stack([path_kernel(line, line) for line in own])
        starts = np.where(like[rows] < 0, -1, np.searchsorted(rows, like[rows]))
        parts.append(LeverGroup(levers, rows, starts, kernels, ((own != 0).sum(axis=0) > 1).astype(float)))
    return parts


@dataclass
class Model:
    """The fit: points played (n, levers), variances of levers (levers, columns), weights (n, columns), and the spreads.

    `inverse`: for each part the inverses of the columns' kernels with noise, (columns, rows, rows).
    """

    z: np.ndarray
    sizes: np.ndarray
    weights: np.ndarray
    spreads: list[Spread]  # of each column
    units: np.ndarray
    parts: list[LeverGroup]
    inverse: list[np.ndarray]

    def __post_init__(self) -> None:
        """Precompute what predictions use."""
        self.rho = np.array([spread.rho for spread in self.spreads])
        self.lack = (np.array([spread.lack for spread in self.spreads]) * self.units) ** 2
        self.combined = combinations(self.z)
        self.places = {self.z[at].tobytes(): at for at in self.combined}

    def mean(self, z: np.ndarray) -> np.ndarray:
        """Return the expected effects of points (p, levers) on the columns, (p, columns)."""
        z = sided(z)
        total = np.zeros((len(z), self.weights.shape[1]))
        moved = np.flatnonzero(np.any(z != 0, axis=0))
        kernels = [path_kernel(z[:, lever], self.z[:, lever]) for lever in moved]
        total += sum((kernel @ (self.weights * self.sizes[lever]) for lever, kernel in zip(moved, kernels, strict=True)), 0)
        rows, played = self._played(z)
        total[rows] += self.lack * own_kernel(z[rows]).sum(axis=1)[:, None] * self.weights[played]
        return total + self._pairs(z, moved, kernels)

    def _played(self, z: np.ndarray) -> tuple[list[int], list[int]]:
        """Return the rows of points that are combinations played, and the indices of these."""
        pairs = [(row, self.places[key]) for row, point in enumerate(z) if (key := point.tobytes()) in self.places]
        return [row for row, _ in pairs], [at for _, at in pairs]

    def _pairs(self, z: np.ndarray, moved: np.ndarray, kernels: list[np.ndarray]) -> np.ndarray:
        """Return the expected effects of interactions, for which only combinations carry information."""
        total = np.zeros((len(z), self.weights.shape[1]))
        combined = self.combined
        if not len(combined) or not self.rho.any():
            return total
        roots = np.sqrt(self.sizes)
        for first, (lever, kernel) in enumerate(zip(moved, kernels, strict=True)):
            for other, beside in zip(moved[first + 1 :], kernels[first + 1 :], strict=True):
                both = kernel[:, combined] * beside[:, combined]
                if both.any():
                    total += both @ (self.weights[combined] * (self.rho * roots[lever] * roots[other]))
        return total

    def error(self, z: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
        """Return the standard errors of the effects of points (p, levers) relative to their starts, by default the rules."""
        ends = [sided(z), sided(np.zeros_like(z) if start is None else start)]
        same = (ends[0] == ends[1]).all(axis=1)
        errors = np.zeros((len(z), self.weights.shape[1]))
        for column in range(self.weights.shape[1]):
            size, rho = self.sizes[:, column], self.rho[column]
            lacks = [self.lack[column] * own_kernel(end).sum(axis=1) * ((end != 0).sum(axis=1) > 1) for end in ends]
            across = np.subtract(*(self._across(end, column, lack) for end, lack in zip(ends, lacks, strict=True)))
            own, own_start = (_own_kernel(end, end, size, rho) + lack for end, lack in zip(ends, lacks, strict=True))
            variance = own + own_start - 2 * (_own_kernel(ends[0], ends[1], size, rho) + lacks[0] * same)
            for part, inverse in zip(self.parts, self.inverse, strict=True):
                near = part.from_like(across[:, part.rows])
                variance -= ((near @ inverse[column]) * near).sum(axis=1)
            errors[:, column] = np.sqrt(np.maximum(variance, 0))
        return errors

    def _across(self, z: np.ndarray, column: int, lack: np.ndarray) -> np.ndarray:
        """Return the kernel of a column between points and the points played."""
        kernel = _kernel(z, self.z, self.sizes[:, column], self.rho[column])
        rows, played = self._played(z)
        kernel[rows, played] += lack[rows]
        return kernel


def combinations(z: np.ndarray) -> np.ndarray:
    """Return the indices of the points with more than one change."""
    return np.flatnonzero((z != 0).sum(axis=1) > 1)


def _kernel(a: np.ndarray, b: np.ndarray, size: np.ndarray, rho: float) -> np.ndarray:
    """Return the kernel of a column between points, without the lack of fit."""
    plain, roots, squares = (np.zeros((len(a), len(b))) for _ in range(3))
    for lever in np.flatnonzero(np.any(a != 0, axis=0) & np.any(b != 0, axis=0)):
        kernel = path_kernel(a[:, lever], b[:, lever])
        plain += size[lever] * kernel
        if rho:
            roots += np.sqrt(size[lever]) * kernel
            squares += size[lever] * kernel**2
    return plain + rho * (roots**2 - squares) / 2


def _own_kernel(a: np.ndarray, b: np.ndarray, size: np.ndarray, rho: float) -> np.ndarray:
    """Return the kernel of a column between the points of two lists, pair by pair, without the lack of fit."""
    own = 0.5 * a * b + 0.5 * np.minimum(a, b)
    return np.asarray(own @ size + rho * ((own @ np.sqrt(size)) ** 2 - own**2 @ size) / 2)


def sizes_of(
    z: np.ndarray, moved: Sequence[Moved], units: np.ndarray, kinds: np.ndarray, starts: np.ndarray, own: np.ndarray
) -> np.ndarray:  # fmt: skip
    """Return the variance of each lever's effect on each column, (levers, columns), from the points that move it alone."""
    likelihoods = np.zeros((z.shape[1], len(SIZES), len(units)))
    alone = np.flatnonzero(((z != 0).sum(axis=1) == 1) & (starts < 0))
    for part in parts_of(z[alone], starts[alone]):
        played = [moved[at] for at in alone[part.rows]]
        noise, value = noise_of(played), np.stack([move.value for move in played])
        for at, size in enumerate(SIZES):
            kernel = part.kernels[0] * (size * units[:, None, None]) ** 2
            likelihoods[part.levers[0], at] = _likelihoods(kernel + noise, value)
    sizes = np.zeros((z.shape[1], len(units)))
    informative = np.any(likelihoods != 0, axis=(1, 2))
    for kind in dict.fromkeys(kinds):
        columns = np.flatnonzero(kinds == kind)
        sizes[:, columns] = _mean_sizes(likelihoods[:, :, columns], informative, own[:, columns]) * units[columns] ** 2
    return sizes


def _mean_sizes(likelihoods: np.ndarray, played: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Return the posterior mean variance of each lever and column of a kind, from log likelihoods (levers, sizes, columns).

    A lever has one background for all columns of the kind; the backgrounds' frequencies are estimated from all levers
    (empirical Bayes).
    """
    starts = range(BACKGROUNDS)
    posteriors = [likelihoods[:, at:] + _log_prior(at, own) for at in starts]
    levels = np.stack([logsumexp(posterior, axis=1).sum(axis=1) for posterior in posteriors])
    frequency = np.full(BACKGROUNDS, 1 / BACKGROUNDS)
    for _ in range(ROUNDS):
        weight = softmax(levels + np.log(frequency)[:, None], axis=0)
        frequency = weight[:, played].mean(axis=1) + TINY
    by_size = [
        np.einsum("lsc,s->lc", softmax(posterior, axis=1), np.array(SIZES[at:]) ** 2)
        for at, posterior in zip(starts, posteriors, strict=True)
    ]
    return np.asarray(np.einsum("bl,blc->lc", weight, np.stack(by_size)))


def _log_prior(background: int, own: np.ndarray) -> np.ndarray:
    """Return the log prior probabilities of sizes, from the background upwards."""
    step = np.arange(len(SIZES) - background)
    rare = np.where(step > 0, -CAREFUL - RARER * step, 0.0)[:, None]
    weight = np.where(own[:, None], 0.0, rare)
    return np.asarray(weight - logsumexp(weight, axis=1, keepdims=True))


def noise_of(moved: Sequence[Moved]) -> np.ndarray:
    """Return the covariances of the errors of points, (columns, points, points).

    With many points and few games they are shrunk towards a diagonal; else some combination of points would have no error at
    all.
    """
    blocks = np.zeros((moved[0].blocks.shape[1], len(moved), max(len(move.blocks) for move in moved)), np.float32)
    for row, move in enumerate(moved):
        blocks[:, row, : len(move.blocks)] = move.blocks.T
    least = min(len(move.blocks) for move in moved)
    whole = (blocks @ blocks.transpose(0, 2, 1)).astype(float) * least / (least + len(moved))
    at = np.arange(len(moved))
    whole[:, at, at] = np.maximum(whole[:, at, at], np.stack([move.variance for move in moved], axis=1)) + TINY
    return whole


def fit(
    z: np.ndarray, moved: Sequence[Moved], units: np.ndarray, kinds: Sequence[str], like: Sequence[int] | None = None,
    own: np.ndarray | None = None,
) -> Model:  # fmt: skip
    """Return the model of the effects of points (n, levers) on the columns.

    `units`: each column's margin on its scale; `kinds`: the kind of each column; columns of one kind share a spread; `like`:
    the index of the point with which each was played, -1 for the rules; `own`: (levers, columns) with likely effects.
    """
    z, labels = sided(z), np.array(kinds)
    starts = np.full(len(z), -1) if like is None else np.array(like)
    likely = np.zeros((z.shape[1], len(labels)), bool) if own is None else np.concatenate([own, own])
    parts = parts_of(z, starts)
    value, variance = (np.stack([getattr(move, side) for move in moved]) for side in ("value", "variance"))
    sizes, noise = (
        sizes_of(z, moved, units, labels, starts, likely),
        [noise_of([moved[row] for row in part.rows]) for part in parts],
    )
    weights, spreads = np.zeros_like(value), [Spread(0, 0)] * len(labels)
    inverse = [np.zeros_like(each) for each in noise]
    for kind in dict.fromkeys(labels):
        columns = np.flatnonzero(labels == kind)
        clear = (np.maximum(value**2 - variance, 0) / variance).sum(axis=0)[columns]
        informative = columns[np.argsort(-clear, kind="stable")[:INFORMATIVE]]
        spread = _spread(
            parts, sizes[:, informative], units[informative], value[:, informative], [each[informative] for each in noise]
        )
        for part, errors, inverses in zip(parts, noise, inverse, strict=True):
            inverses[columns] = _solved(part.kernel(sizes[:, columns], units[columns], spread) + errors[columns])[0]
            at = np.ix_(part.rows, columns)
            weights[at] = np.einsum("cij,jc->ic", inverses[columns], value[at])
        for column in columns:
            spreads[column] = spread
    later = starts >= 0
    np.subtract.at(weights, starts[later], weights[later])
    return Model(z, sizes, weights, spreads, units, parts, inverse)


def _spread(
    parts: Sequence[LeverGroup], sizes: np.ndarray, units: np.ndarray, value: np.ndarray, noise: Sequence[np.ndarray]
) -> Spread:  # fmt: skip
    """Return the maximum likelihood spread of columns of a kind; zeros without combinations."""
    coupled = [at for at, part in enumerate(parts) if part.combined.any()]
    if not coupled:
        return Spread(0.0, 0.0)
    candidates = [Spread(rho, lack) for rho, lack in product(RHOS, LACKS)]
    likelihoods = np.zeros(len(candidates))
    for at in coupled:
        pieces = parts[at].pieces(sizes, units)
        likelihoods += [_likelihoods(mixed(pieces, spread) + noise[at], value[parts[at].rows]).sum() for spread in candidates]
    return candidates[int(np.argmax(likelihoods))]


def _likelihoods(whole: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return the log likelihoods of columns of values (points, columns) with these covariances (columns, points, points)."""
    inverse, size = _solved(whole)
    return -0.5 * np.einsum("ic,cij,jc->c", value, inverse, value, optimize=True) - size


def _solved(whole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the inverses of covariances of columns, and half their log determinants."""
    factor = np.linalg.cholesky(whole)
    root = np.linalg.inv(factor)
    at = np.arange(whole.shape[1])
    return root.transpose(0, 2, 1) @ root, np.log(factor[:, at, at]).sum(axis=1)


# --- Searching the model for points on the front of price against distance, by NSGA-II (K. Deb and others, IEEE TEC 6, 2002)
#
# The library is pymoo (J. Blank and K. Deb, IEEE Access 8, 2020): it asks for a whole generation at once, which the model
# answers with a few matrix products. A point is written as as many slots as changes are allowed, each holding one change or
# none; values of one number are adjacent, so small steps of a slot are small changes. Every point evaluated is remembered: the
# search returns the best of each price.

POPULATION, GENERATIONS = 80, 120
NONE = 0  # an empty slot
EMPTY, STEP = 0.25, 0.5  # shares of mutated slots that are emptied, and moved to an adjacent change; the others get any change
Distances = Callable[[Sequence[Point]], np.ndarray]


class _Points(Problem):  # type: ignore[misc]
    """The points as numbers in slots; remembers every point evaluated."""

    def __init__(self, space: Space, distances: Distances) -> None:
        super().__init__(n_var=space.at_most, n_obj=2, xl=0, xu=len(space.options), vtype=int)
        self.space, self.distances = space, distances
        self.seen: dict[Point, float] = {}

    def points(self, slots: np.ndarray) -> list[Point]:
        """Return the points that rows of slots represent."""
        options = self.space.options
        return [self.space.point([options[slot - 1] for slot in row if slot != NONE]) for row in slots.astype(int)]

    def _evaluate(self, slots: np.ndarray, out: dict[str, Any], *_: Any, **__: Any) -> None:
        points = self.points(slots)
        new = [point for point in dict.fromkeys(points) if point not in self.seen]
        if new:
            self.seen |= dict(zip(new, map(float, self.distances(new)), strict=True))
        out["F"] = np.array([[self.space.price(point), self.seen[point]] for point in points])


class _Sparse(Sampling):  # type: ignore[misc]
    """The first generation: no change, single changes, and a few at once."""

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
    """Crossover: deals the changes of two parents to two children."""

    def __init__(self) -> None:
        super().__init__(2, 2)

    def _do(self, problem: _Points, parents: np.ndarray, *_: Any, random_state: Any = None, **__: Any) -> np.ndarray:
        swapped = random_state.random(parents.shape[1:]) < 0.5
        return np.stack([np.where(swapped, parents[1], parents[0]), np.where(swapped, parents[0], parents[1])])


class _Moves(Mutation):  # type: ignore[misc]
    """Mutation: empties a slot, moves it to an adjacent change, or puts any change into it."""

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
    """Return every point evaluated with its distance, the point without changes included."""
    problem = _Points(space, distances)
    number = {option: place for place, option in enumerate(space.options, 1)}
    single = np.array(problem.distances([((lever, value),) for lever, value in space.options]))
    best = [[place + 1] for place in np.argsort(single)[: population // 2]]
    begin = [[], *([number[change] for change in point] for point in start if point), *best]
    problem.seen = {((lever, value),): float(distance) for (lever, value), distance in zip(space.options, single, strict=True)}
    method = NSGA2(population, sampling=_Sparse(begin), crossover=_Slots(), mutation=_Moves())
    minimize(problem, method, ("n_gen", generations), seed=seed, verbose=False)
    problem.seen.setdefault(NOTHING, float(problem.distances([NOTHING])[0]))
    return problem.seen


def best_by_price(seen: dict[Point, float], price: Callable[[Point], float], each: int) -> list[Point]:
    """Return for each price the points nearest to the goals, cheaper points first."""
    by_price: dict[float, list[Point]] = {}
    for point in sorted(seen, key=lambda point: (seen[point], point)):
        by_price.setdefault(round(price(point), 9), []).append(point)
    return [point for _, points in sorted(by_price.items()) for point in points[:each]]
