"""What changes of the rules move: a model of every column, from pairs of games of a few hundred rulesets on the same seeds.

On the scales on which they are likely to add up (log odds of shares, logarithms of lengths), what a point moves of a column is

    Σ f_i(z_i) + Σ g_ik(z_i, z_k),

a Gaussian process with an additive kernel (N. Durrande, D. Ginsbourger and O. Roustant, Annales de la Faculté de Sciences de
Toulouse 21, 2012; D. Duvenaud, H. Nickisch and C. Rasmussen, NIPS 2011). f_i is half a straight line and half a Brownian path
from 0 on either side: between values that were played it is nearly straight, beyond them it is not sure. Interactions g_ik have
the product of both kernels; how large they are is asked of the combinations that were played (the likelihood of RHOS).

How much lever i may move column j is the variance λ_ij that its own games show beyond CAREFUL times their noise (the garrote:
L. Breiman, Technometrics 37, 1995), and a background that most levers have. So noise of hundreds of levers is drawn to 0, and a
clear effect hardly at all: the best of many guesses would be luck otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

CAREFUL = 2.0
BACKGROUND = 0.25  # of the spread of the usual lever beyond noise: as much every lever may move
RHOS = (0.0, 0.1, 0.4)
TINY = 1e-8


def path_kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the kernel of one lever's moves: half a straight line, half a path from 0 on either side."""
    a, b = a[:, None], b[None, :]
    path = np.where(a * b > 0, np.minimum(np.abs(a), np.abs(b)), 0)
    return 0.5 * a * b + 0.5 * path


@dataclass
class Model:
    """The fit: points played (n, levers), what each lever may move (levers, columns), weights (n, columns), interactions."""

    z: np.ndarray
    sizes: np.ndarray
    weights: np.ndarray
    rho: np.ndarray
    factors: list[np.ndarray]

    def mean(self, z: np.ndarray) -> np.ndarray:
        """Return what points (p, levers) move of the columns, (p, columns)."""
        total = np.zeros((len(z), self.weights.shape[1]))
        moved = np.flatnonzero(np.any(z != 0, axis=0))
        kernels = [path_kernel(z[:, lever], self.z[:, lever]) for lever in moved]
        total += sum((kernel @ (self.weights * self.sizes[lever]) for lever, kernel in zip(moved, kernels, strict=True)), 0)
        return total + self._pairs(z, moved, kernels)

    def _pairs(self, z: np.ndarray, moved: np.ndarray, kernels: list[np.ndarray]) -> np.ndarray:
        """Return what interactions add: only points with two changes or more say anything about them."""
        total = np.zeros((len(z), self.weights.shape[1]))
        combined = np.flatnonzero((self.z != 0).sum(axis=1) > 1)
        if not len(combined) or not self.rho.any():
            return total
        roots = np.sqrt(self.sizes)
        for first, (lever, kernel) in enumerate(zip(moved, kernels, strict=True)):
            for other, beside in zip(moved[first + 1 :], kernels[first + 1 :], strict=True):
                both = kernel[:, combined] * beside[:, combined]
                if both.any():
                    total += both @ (self.weights[combined] * (self.rho * roots[lever] * roots[other]))
        return total

    def error(self, z: np.ndarray) -> np.ndarray:
        """Return the standard errors of `mean`, as far as the model knows."""
        found = np.zeros((len(z), self.weights.shape[1]))
        for column, factor in enumerate(self.factors):
            across = _kernel(z, self.z, self.sizes[:, column], self.rho[column])
            own = np.array([_kernel(row[None], row[None], self.sizes[:, column], self.rho[column])[0, 0] for row in z])
            reduced = linalg.solve_triangular(factor, across.T, lower=True)
            found[:, column] = np.sqrt(np.maximum(own - (reduced**2).sum(axis=0), 0))
        return found


def _kernel(a: np.ndarray, b: np.ndarray, size: np.ndarray, rho: float) -> np.ndarray:
    """Return the kernel of a column between points."""
    plain, roots, squares = (np.zeros((len(a), len(b))) for _ in range(3))
    for lever in np.flatnonzero(np.any(a != 0, axis=0) & np.any(b != 0, axis=0)):
        kernel = path_kernel(a[:, lever], b[:, lever])
        plain += size[lever] * kernel
        if rho:
            roots += np.sqrt(size[lever]) * kernel
            squares += size[lever] * kernel**2
    return plain + rho * (roots**2 - squares) / 2


def sizes_of(z: np.ndarray, moved: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Return how much each lever may move each column, from the points that move it alone."""
    alone = (z != 0).sum(axis=1) == 1
    single, found, noise = z[alone], moved[alone], variance[alone]
    lever = np.argmax(single != 0, axis=1)
    own = single[np.arange(len(single)), lever] ** 2 * 0.5 + np.abs(single[np.arange(len(single)), lever]) * 0.5
    usual = np.median(found**2, axis=0) / 0.455 - np.median(noise, axis=0) if len(single) else np.zeros(moved.shape[1])
    floor = BACKGROUND * np.maximum(usual, 0) + TINY
    sizes = np.tile(floor, (z.shape[1], 1))
    for place in np.unique(lever):
        rows = lever == place
        # By their precision: a lever's best known moves say most.
        weight = own[rows, None] / noise[rows]
        beyond = (weight * (found[rows] ** 2 - CAREFUL * noise[rows])).sum(axis=0) / (weight * own[rows, None]).sum(axis=0)
        sizes[place] = np.maximum(beyond, floor)
    return sizes


def fit(z: np.ndarray, moved: np.ndarray, variance: np.ndarray, rhos: tuple[float, ...] = RHOS) -> Model:
    """Fit the model to what points (n, levers) move of the columns (n, columns), with these variances."""
    sizes, blocks = sizes_of(z, moved, variance), _blocks(z)
    rhos = rhos if ((z != 0).sum(axis=1) > 1).any() else rhos[:1]
    weights, rho, factors = np.zeros_like(moved), np.zeros(moved.shape[1]), []
    for column in range(moved.shape[1]):
        plain, pairs = _together(len(z), blocks, sizes[:, column], len(rhos) > 1)
        tried = [_solved(plain + one * pairs, moved[:, column], variance[:, column]) for one in rhos]
        best = max(range(len(tried)), key=lambda at: tried[at][0])
        _, weights[:, column], factor = tried[best]
        rho[column] = rhos[best]
        factors.append(factor)
    return Model(z, sizes, weights, rho, factors)


Block = tuple[int, np.ndarray, np.ndarray]


def _blocks(z: np.ndarray) -> list[Block]:
    """Return of each lever the points that move it, and the kernel between these: all others are 0."""
    found = []
    for lever in range(z.shape[1]):
        rows = np.flatnonzero(z[:, lever])
        found.append((lever, rows, path_kernel(z[rows, lever], z[rows, lever])))
    return found


def _together(n: int, blocks: list[Block], size: np.ndarray, paired: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the kernel of a column between all points: of single levers, and of pairs of them."""
    plain, roots, squares = (np.zeros((n, n)) for _ in range(3))
    for lever, rows, kernel in blocks:
        at = np.ix_(rows, rows)
        plain[at] += size[lever] * kernel
        if paired:
            roots[at] += np.sqrt(size[lever]) * kernel
            squares[at] += size[lever] * kernel**2
    return plain, (roots**2 - squares) / 2


def _solved(kernel: np.ndarray, moved: np.ndarray, variance: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the log likelihood, the weights, and the Cholesky factor of a column."""
    whole = kernel.copy()
    whole[np.diag_indices_from(whole)] += variance + TINY
    factor = np.linalg.cholesky(whole)
    weights = linalg.cho_solve((factor, True), moved)
    return float(-0.5 * moved @ weights - np.log(np.diag(factor)).sum()), weights, factor
