"""The model of what changes move, and the search for few changes that meet the wishes."""

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

# --- What changes of the rules move
#
# A model of every column, from pairs of games of a few hundred rulesets on the same seeds.
#
# On the scales on which they are likely to add up (log odds of shares, logarithms of lengths), what a point moves of a column
# is
#
#     Σ f_i(z_i) + Σ g_ik(z_i, z_k),
#
# and what these leave out; a Gaussian process with an additive kernel (N. Durrande, D. Ginsbourger and O. Roustant, Annales
# de la Faculté de Sciences de Toulouse 21, 2012; D. Duvenaud, H. Nickisch and C. Rasmussen, NIPS 2011). f_i is half a
# straight line and half a Brownian path from 0, up and down by themselves: a wonder that is cheap already gains nothing by a
# lower cost. Between values that were played f_i is nearly straight, beyond them it is not sure. Interactions g_ik have the
# product of both kernels. What is left out is a deviation of each combination of its own.
#
# How much lever i may move column j is the mean of SIZES, weighed by the points that move it alone. Before these, a lever
# moves most columns of a kind by its background only, and large sizes are rare (CAREFUL, RARER). How often which background
# is met is learned from all levers. Of the figures of the card on which a number stands, all sizes are as likely. So noise of
# hundreds of levers is drawn to 0, and a clear effect hardly at all: the best of many guesses would be luck otherwise. What
# seems to do nothing may do a little.
#
# How large interactions and lack of fit are, is asked of the games of all columns of a kind together (likelihood). Errors of
# points played on the same seeds go together: three values of one number are hardly more than one. Without their covariance
# the model takes for sure what is luck.
#
# A point may be played in pairs with another than the rules: what is learned of it is the difference of the two.

SIZES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # standard deviations in units of what matters
CAREFUL = 2.0  # logarithm by which sizes beyond the background are rarer, all of them
RARER = 0.7  # and by which each is rarer than the one before
BACKGROUNDS = 4  # the first of them: as much a lever may move of every column
ROUNDS = 20  # of learning how often these are met
RHOS = (0.0, 0.1, 0.4)  # how large interactions are
LACKS = (0.0, 0.5, 1.5, 4.0)  # standard deviations in units of what matters: as far a combination may be off for each change
ASKED = 8  # columns of a kind that tell, those that move most
TINY = 1e-8


def sided(z: np.ndarray) -> np.ndarray:
    """Return points (n, levers) as moves up and moves down (n, 2 levers): one side says nothing about the other."""
    return np.concatenate([np.maximum(z, 0), np.maximum(-z, 0)], axis=1)


def path_kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the kernel of one side of a lever: half a straight line, half a path from 0."""
    a, b = a[:, None], b[None, :]
    return np.asarray(0.5 * a * b + 0.5 * np.minimum(a, b))


def own_kernel(z: np.ndarray) -> np.ndarray:
    """Return the kernel of each move with itself."""
    return 0.5 * z**2 + 0.5 * z


@dataclass(frozen=True)
class Spread:
    """What is asked of the combinations of a kind of columns: interactions, and the lack of fit in units of what matters."""

    rho: float
    lack: float


@dataclass(frozen=True)
class Part:
    """Levers that combinations have brought together, and the points that move them: other parts say nothing about these."""

    levers: np.ndarray
    rows: np.ndarray  # among the points played
    like: np.ndarray  # (rows,) the place among its rows of the point that each is compared with; -1: the rules
    kernels: np.ndarray  # (levers, rows, rows)
    combined: np.ndarray  # (rows,) 1 of combinations

    def kernel(self, sizes: np.ndarray, units: np.ndarray, spread: Spread) -> np.ndarray:
        """Return the kernel of columns between what its points move, (columns, rows, rows), for sizes (levers, columns)."""
        return mixed(self.pieces(sizes, units), spread)

    def pieces(self, sizes: np.ndarray, units: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return what makes its kernel: single levers, interactions, and the lack of fit."""
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
        """Return a kernel between points as one between what each moves from the point with which it is compared."""
        if (self.like < 0).all():
            return whole
        wide = np.pad(whole, ((0, 0), (0, 1), (0, 1)))  # the last one: the rules, which move nothing
        across = wide[:, :-1, self.like]
        return np.asarray(whole - across - across.transpose(0, 2, 1) + wide[:, self.like[:, None], self.like])

    def from_like(self, near: np.ndarray) -> np.ndarray:
        """Return columns of its points less those of the points with which they are compared."""
        return near - np.pad(near, ((0, 0), (0, 1)))[:, self.like]


def mixed(pieces: Sequence[np.ndarray], spread: Spread) -> np.ndarray:
    """Return the kernel that is made of pieces with a spread."""
    return sum((by * piece for by, piece in zip((1.0, spread.rho, spread.lack**2), pieces, strict=False)), np.zeros(()))


def parts_of(z: np.ndarray, like: np.ndarray) -> list[Part]:
    """Return the parts into which points fall; `like`: the places of those that they are compared with, -1 for the rules."""
    name = np.arange(z.shape[1])
    for row in z[combinations(z)]:
        together = np.isin(name, name[row != 0])
        name[together] = name[together].min()
    found = []
    for one in np.unique(name[np.any(z != 0, axis=0)]):
        levers = np.flatnonzero(name == one)
        rows = np.flatnonzero(np.any(z[:, levers] != 0, axis=1))
        own = z[np.ix_(rows, levers)].T
        kernels = np.stack([path_kernel(line, line) for line in own])
        starts = np.where(like[rows] < 0, -1, np.searchsorted(rows, like[rows]))
        found.append(Part(levers, rows, starts, kernels, ((own != 0).sum(axis=0) > 1).astype(float)))
    return found


@dataclass
class Model:
    """The fit: points played (n, levers), what each lever may move (levers, columns), weights (n, columns), and the spreads.

    `inverse`: of each part the inverses of the columns' kernels with noise, (columns, rows, rows).
    """

    z: np.ndarray
    sizes: np.ndarray
    weights: np.ndarray
    spreads: list[Spread]  # of each column
    units: np.ndarray
    parts: list[Part]
    inverse: list[np.ndarray]

    def __post_init__(self) -> None:
        """Look up what is asked for again and again."""
        self.rho = np.array([one.rho for one in self.spreads])
        self.lack = (np.array([one.lack for one in self.spreads]) * self.units) ** 2
        self.combined = combinations(self.z)
        self.places = {self.z[at].tobytes(): at for at in self.combined}

    def mean(self, z: np.ndarray) -> np.ndarray:
        """Return what points (p, levers) move of the columns, (p, columns)."""
        z = sided(z)
        total = np.zeros((len(z), self.weights.shape[1]))
        moved = np.flatnonzero(np.any(z != 0, axis=0))
        kernels = [path_kernel(z[:, lever], self.z[:, lever]) for lever in moved]
        total += sum((kernel @ (self.weights * self.sizes[lever]) for lever, kernel in zip(moved, kernels, strict=True)), 0)
        rows, known = self._known(z)
        total[rows] += self.lack * own_kernel(z[rows]).sum(axis=1)[:, None] * self.weights[known]
        return total + self._pairs(z, moved, kernels)

    def _known(self, z: np.ndarray) -> tuple[list[int], list[int]]:
        """Return the rows of points that are combinations played, and their places among these."""
        found = [(row, self.places[key]) for row, one in enumerate(z) if (key := one.tobytes()) in self.places]
        return [row for row, _ in found], [at for _, at in found]

    def _pairs(self, z: np.ndarray, moved: np.ndarray, kernels: list[np.ndarray]) -> np.ndarray:
        """Return what interactions add: only points with two changes or more say anything about them."""
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
        """Return the standard errors of how much more points (p, levers) move than where each starts, by default the rules."""
        ends = [sided(z), sided(np.zeros_like(z) if start is None else start)]
        same = (ends[0] == ends[1]).all(axis=1)
        found = np.zeros((len(z), self.weights.shape[1]))
        for column in range(self.weights.shape[1]):
            size, rho = self.sizes[:, column], self.rho[column]
            lacks = [self.lack[column] * own_kernel(end).sum(axis=1) * ((end != 0).sum(axis=1) > 1) for end in ends]
            across = np.subtract(*(self._across(end, column, lack) for end, lack in zip(ends, lacks, strict=True)))
            one, other = (_own_kernel(end, end, size, rho) + lack for end, lack in zip(ends, lacks, strict=True))
            left_over = one + other - 2 * (_own_kernel(ends[0], ends[1], size, rho) + lacks[0] * same)
            for part, inverse in zip(self.parts, self.inverse, strict=True):
                near = part.from_like(across[:, part.rows])
                left_over -= ((near @ inverse[column]) * near).sum(axis=1)
            found[:, column] = np.sqrt(np.maximum(left_over, 0))
        return found

    def _across(self, z: np.ndarray, column: int, lack: np.ndarray) -> np.ndarray:
        """Return the kernel of a column between points and those played."""
        found = _kernel(z, self.z, self.sizes[:, column], self.rho[column])
        rows, known = self._known(z)
        found[rows, known] += lack[rows]
        return found


def combinations(z: np.ndarray) -> np.ndarray:
    """Return the places of the points that make more than one change."""
    return np.flatnonzero((z != 0).sum(axis=1) > 1)


def _kernel(a: np.ndarray, b: np.ndarray, size: np.ndarray, rho: float) -> np.ndarray:
    """Return the kernel of a column between points, but for the lack of fit."""
    plain, roots, squares = (np.zeros((len(a), len(b))) for _ in range(3))
    for lever in np.flatnonzero(np.any(a != 0, axis=0) & np.any(b != 0, axis=0)):
        kernel = path_kernel(a[:, lever], b[:, lever])
        plain += size[lever] * kernel
        if rho:
            roots += np.sqrt(size[lever]) * kernel
            squares += size[lever] * kernel**2
    return plain + rho * (roots**2 - squares) / 2


def _own_kernel(a: np.ndarray, b: np.ndarray, size: np.ndarray, rho: float) -> np.ndarray:
    """Return the kernel of a column between the points of two lists, pair by pair, but for the lack of fit."""
    own = 0.5 * a * b + 0.5 * np.minimum(a, b)
    return np.asarray(own @ size + rho * ((own @ np.sqrt(size)) ** 2 - own**2 @ size) / 2)


def sizes_of(
    z: np.ndarray, moved: Sequence[Moved], units: np.ndarray, words: np.ndarray, starts: np.ndarray, own: np.ndarray
) -> np.ndarray:  # fmt: skip
    """Return the variance by which each lever may move each column, (levers, columns), by the points that move it alone."""
    found = np.zeros((z.shape[1], len(SIZES), len(units)))  # log likelihoods
    alone = np.flatnonzero(((z != 0).sum(axis=1) == 1) & (starts < 0))
    for part in parts_of(z[alone], starts[alone]):
        played = [moved[at] for at in alone[part.rows]]
        noise, value = noise_of(played), np.stack([one.value for one in played])
        for at, size in enumerate(SIZES):
            kernel = part.kernels[0] * (size * units[:, None, None]) ** 2
            found[part.levers[0], at] = _likelihoods(kernel + noise, value)
    sizes = np.zeros((z.shape[1], len(units)))
    told = np.any(found != 0, axis=(1, 2))
    for word in dict.fromkeys(words):
        columns = np.flatnonzero(words == word)
        sizes[:, columns] = _mean_sizes(found[:, :, columns], told, own[:, columns]) * units[columns] ** 2
    return sizes


def _mean_sizes(likelihoods: np.ndarray, played: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Return the mean variance of each lever and column of a kind, by log likelihoods (levers, sizes, columns).

    A lever has one background for all columns of the kind. How often which background is met is learned from all levers.
    """
    starts = range(BACKGROUNDS)
    whole = [likelihoods[:, at:] + _before(at, own) for at in starts]
    levels = np.stack([logsumexp(one, axis=1).sum(axis=1) for one in whole])
    often = np.full(BACKGROUNDS, 1 / BACKGROUNDS)
    for _ in range(ROUNDS):
        weight = softmax(levels + np.log(often)[:, None], axis=0)
        often = weight[:, played].mean(axis=1) + TINY
    by_size = [
        np.einsum("lsc,s->lc", softmax(one, axis=1), np.array(SIZES[at:]) ** 2) for at, one in zip(starts, whole, strict=True)
    ]
    return np.asarray(np.einsum("bl,blc->lc", weight, np.stack(by_size)))


def _before(background: int, own: np.ndarray) -> np.ndarray:
    """Return the logarithms of how often sizes are met, from the background on, before anything is played."""
    step = np.arange(len(SIZES) - background)
    rare = np.where(step > 0, -CAREFUL - RARER * step, 0.0)[:, None]
    weight = np.where(own[:, None], 0.0, rare)
    return np.asarray(weight - logsumexp(weight, axis=1, keepdims=True))


def noise_of(moved: Sequence[Moved]) -> np.ndarray:
    """Return the covariances of the errors of points, (columns, points, points).

    Those of many points in few games are drawn to 0: in some direction they would have no error at all.
    """
    blocks = np.zeros((moved[0].blocks.shape[1], len(moved), max(len(one.blocks) for one in moved)), np.float32)
    for row, one in enumerate(moved):
        blocks[:, row, : len(one.blocks)] = one.blocks.T
    least = min(len(one.blocks) for one in moved)
    whole = (blocks @ blocks.transpose(0, 2, 1)).astype(float) * least / (least + len(moved))
    at = np.arange(len(moved))
    whole[:, at, at] = np.maximum(whole[:, at, at], np.stack([one.variance for one in moved], axis=1)) + TINY
    return whole


def fit(
    z: np.ndarray, moved: Sequence[Moved], units: np.ndarray, kinds: Sequence[str], like: Sequence[int] | None = None,
    own: np.ndarray | None = None,
) -> Model:  # fmt: skip
    """Fit the model to what points (n, levers) move of the columns.

    `units`: what matters of each column, on its scale; `kinds`: of each column; columns of one kind have one spread; `like`:
    the place of the point from which each moves them, -1 for the rules; `own`: (levers, columns) that are likely to be moved.
    """
    z, words = sided(z), np.array(kinds)
    starts = np.full(len(z), -1) if like is None else np.array(like)
    likely = np.zeros((z.shape[1], len(words)), bool) if own is None else np.concatenate([own, own])
    parts = parts_of(z, starts)
    value, variance = (np.stack([getattr(one, side) for one in moved]) for side in ("value", "variance"))
    sizes, noise = (
        sizes_of(z, moved, units, words, starts, likely),
        [noise_of([moved[row] for row in part.rows]) for part in parts],
    )
    weights, spreads = np.zeros_like(value), [Spread(0, 0)] * len(words)
    inverse = [np.zeros_like(one) for one in noise]
    for word in dict.fromkeys(words):
        columns = np.flatnonzero(words == word)
        clear = (np.maximum(value**2 - variance, 0) / variance).sum(axis=0)[columns]
        asked = columns[np.argsort(-clear, kind="stable")[:ASKED]]
        spread = _spread(parts, sizes[:, asked], units[asked], value[:, asked], [one[asked] for one in noise])
        for part, own, kept in zip(parts, noise, inverse, strict=True):
            kept[columns] = _solved(part.kernel(sizes[:, columns], units[columns], spread) + own[columns])[0]
            at = np.ix_(part.rows, columns)
            weights[at] = np.einsum("cij,jc->ic", kept[columns], value[at])
        for column in columns:
            spreads[column] = spread
    later = starts >= 0
    np.subtract.at(weights, starts[later], weights[later])
    return Model(z, sizes, weights, spreads, units, parts, inverse)


def _spread(
    parts: Sequence[Part], sizes: np.ndarray, units: np.ndarray, value: np.ndarray, noise: Sequence[np.ndarray]
) -> Spread:  # fmt: skip
    """Return the likeliest spread of columns of a kind, as far as there are combinations that say it."""
    coupled = [at for at, part in enumerate(parts) if part.combined.any()]
    if not coupled:
        return Spread(0.0, 0.0)
    tried = [Spread(rho, lack) for rho, lack in product(RHOS, LACKS)]
    found = np.zeros(len(tried))
    for at in coupled:
        pieces = parts[at].pieces(sizes, units)
        found += [_likelihoods(mixed(pieces, one) + noise[at], value[parts[at].rows]).sum() for one in tried]
    return tried[int(np.argmax(found))]


def _likelihoods(whole: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return the log likelihoods of columns of values (points, columns) with these covariances."""
    inverse, size = _solved(whole)
    return -0.5 * np.einsum("ic,cij,jc->c", value, inverse, value, optimize=True) - size


def _solved(whole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the inverses of covariances of columns, and half the logarithms of their determinants."""
    factor = np.linalg.cholesky(whole)
    root = np.linalg.inv(factor)
    at = np.arange(whole.shape[1])
    return root.transpose(0, 2, 1) @ root, np.log(factor[:, at, at]).sum(axis=1)


# --- Searching the model for points on the front of price against distance, by NSGA-II (K. Deb and others, IEEE TEC
#
# Searching the model for points on the front of price against distance, by NSGA-II (K. Deb and others, IEEE TEC 6, 2002).
#
# The library is pymoo (J. Blank and K. Deb, IEEE Access 8, 2020): it asks for a whole generation at once, which the model
# answers with a few matrix products. A point is written as so many slots as there may be changes, each holding one single
# change or none; values of one number lie beside each other, so small steps of a slot are small changes. Every point that was
# asked for is remembered, and the best of each price are what the search is after: the front's points and those that come
# close.

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
