"""Who wins a play, given chances from elsewhere: effects on top of them, held near 0 by how much they are known to vary.

The model is the conditional logit (`analysis.models.logit`) with the seats' sums of effects known but for b: chances are those
of u + X b, and b is normal around 0 with its own variances. Large variances let plays speak, small ones the known chances.
`evidence` is the likelihood of the plays with b taken out by Laplace's method (L. Tierney and J. Kadane, JASA 81, 1986); it
tells which variances fit, the empirical Bayes way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..models.logit import chances, fisher_information
from .seated import NOBODY, Seated

MOST_STEPS = 40
NONE = 1e-6  # a variance that leaves no room for an effect


@dataclass(frozen=True)
class Fitted:
    """The most likely effects, the information that the plays hold on them, and the evidence for the variances."""

    effects: np.ndarray
    chance: np.ndarray
    information: np.ndarray
    precision: np.ndarray
    evidence: float

    @property
    def covariance(self) -> np.ndarray:
        """Return the covariance of the effects, given plays and variances."""
        found: np.ndarray = np.linalg.inv(self.information + np.diag(self.precision))
        return found


def fit(
    utility: np.ndarray, design: np.ndarray, won: np.ndarray, variance: np.ndarray, start: np.ndarray | None = None
) -> Fitted:
    """Return the effects of largest posterior density, by Newton's method."""
    precision = 1 / np.maximum(np.asarray(variance, float), NONE)
    if not len(precision):
        chance = chances(utility)
        return Fitted(precision, chance, np.zeros((0, 0)), precision, log_likelihood(chance, won))
    effects = np.zeros(design.shape[2]) if start is None else start
    ones = np.ones(len(won))
    for _ in range(MOST_STEPS):
        chance = chances(utility + design @ effects)
        known = fisher_information(design, chance, ones)
        gradient = np.einsum("ns,nsk->k", won - chance, design) - precision * effects
        step = np.linalg.solve(known + np.diag(precision), gradient)
        longest = np.abs(step).max(initial=0)
        effects = effects + step / max(1.0, longest)  # no step is longer than 1: the plays of few seats may throw it far
        if longest < 1e-7:
            break
    chance = chances(utility + design @ effects)
    known = fisher_information(design, chance, ones)
    value = log_likelihood(chance, won) - 0.5 * float(precision @ effects**2)
    value += 0.5 * float(np.log(precision).sum() - np.linalg.slogdet(known + np.diag(precision))[1])
    return Fitted(effects, chance, known, precision, value)


def log_likelihood(chance: np.ndarray, won: np.ndarray) -> float:
    """Return the logarithm of the chance of these winners; a shared win counts in parts."""
    return float(log_scores(chance, won).sum())


def log_scores(chance: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the logarithm of the chance of each play's winner."""
    found: np.ndarray = (won * np.log(np.where(won > 0, np.maximum(chance, 1e-300), 1))).sum(axis=1)
    return found


def by_leader(plays: Seated) -> np.ndarray:
    """Return the design (plays, seats, leaders): 1 where a leader sits."""
    return _marked(plays.leader, len(plays.leaders))


def by_person(plays: Seated) -> np.ndarray:
    """Return the design (plays, seats, people): 1 where somebody sits who was there more than once."""
    times = np.bincount(plays.person[plays.person != NOBODY], minlength=len(plays.people))
    return _marked(plays.person, len(plays.people))[:, :, times > 1]


def _marked(code: np.ndarray, size: int) -> np.ndarray:
    found = np.zeros((*code.shape, size))
    n, s = np.nonzero(code != NOBODY)
    found[n, s, code[n, s]] = 1
    return found
