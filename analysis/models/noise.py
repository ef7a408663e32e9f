"""Who wins a table when some leaders' games vary more than others': the conditional logit with a noise of each leader's own.

Model. At a table the seat with the largest performance u_s + σ_s e_s wins, where u is the sum of the seat's leader, place and
strategy as in `logit`, e is standard Gumbel noise and σ belongs to the seat's leader (heteroscedastic extreme
value: C. Bhat, Transportation Research B 29, 1995). Seat s then wins with the chance

    P_s = ∫₀¹ Π_{r≠s} exp(-exp(-(u_s - u_r + σ_s e(q)) / σ_r)) dq,   e(q) = -log(-log q)

With equal σ it is the conditional logit. Leaders of unequal noise meet each opponent with another advantage than their
strengths say, though no pair is special: the model is the null hypothesis under which pairs are tested (`matchup`).

The logarithms of σ sum to zero over the leaders, and have a weak normal prior of standard deviation PRIOR, so that few games,
which cannot tell noise from strength, leave them near the conditional logit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .logit import Fit, designs
from .seatings import Outcomes, Tables

NODES = 16  # of the integral (Gauss-Legendre): chances are right to 0.0002
PRIOR = 0.5  # standard deviation of log σ
MOST = 3.0  # log σ beyond which no step goes: a noise of 1/20 or 20 times the others'
MOST_STEPS = 30
CLOSE = 1e-4  # of the log likelihood: a step that promises less moves no estimate by 1% of its error
PART = 2_000  # tables whose integrands are in memory at a time


@dataclass(frozen=True)
class NoiseFit:
    """A fitted model: parameters of `logit` first, then those of log σ, and the inverse of their information."""

    parameters: np.ndarray
    inverse: np.ndarray
    basis: np.ndarray  # (leaders, leaders - 1): log σ of each leader from the last parameters

    @property
    def log_noise(self) -> np.ndarray:
        """Return log σ of each leader; they sum to zero."""
        found: np.ndarray = self.basis @ self.parameters[-self.basis.shape[1] :]
        return found


def chances_and_slopes(utility: np.ndarray, log_noise: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each seat's chance (tables, seats), and its derivatives by every seat's u and log σ (tables, seats, seats)."""
    node, weight = np.polynomial.legendre.leggauss(NODES)
    weight = weight / 2
    noise = -np.log(-np.log((node + 1) / 2))
    sigma = np.exp(log_noise)
    seats = utility.shape[1]
    own = utility[:, :, None] + sigma[:, :, None] * noise  # (tables, s, nodes)
    # x: how far s is ahead of r in units of r's noise; below -30 the integrand is nothing, whatever it is exactly.
    x = np.maximum((own[:, :, None, :] - utility[:, None, :, None]) / sigma[:, None, :, None], -30)
    rest = np.exp(-x) * (1 - np.eye(seats))[None, :, :, None]  # (tables, s, r, nodes)
    mass = weight * np.exp(-rest.sum(axis=2))
    chance = mass.sum(axis=2)
    by_utility = -(rest @ mass[..., None])[..., 0] / sigma[:, None, :]
    moved = (rest @ (mass * own)[..., None])[..., 0]  # Σ rest (u_s + σ_s e) mass over the nodes
    by_noise = utility[:, None, :] * -by_utility - moved / sigma[:, None, :]
    itself = np.arange(seats)
    by_utility[:, itself, itself] = -by_utility.sum(axis=2)
    by_noise[:, itself, itself] = (moved / sigma[:, None, :]).sum(axis=2) - utility * by_utility[:, itself, itself]
    return chance, by_utility, by_noise


def slopes(data: Outcomes, fit: Fit, noise: NoiseFit) -> Iterator[tuple[Tables, slice, np.ndarray, np.ndarray]]:
    """Yield the tables in parts, with chances (tables, seats) and the derivatives of their logarithms by all parameters."""
    for t, part, design in designs(data, fit):
        leader = t.codes["leader"][part]
        spread = noise.basis[leader]
        for start in range(0, len(design), PART):
            here = slice(start, start + PART)
            utility = design[here] @ noise.parameters[: design.shape[2]]
            chance, by_utility, by_noise = chances_and_slopes(utility, noise.log_noise[leader[here]])
            slope = np.concatenate([by_utility @ design[here], by_noise @ spread[here]], axis=2)
            # The nodes' error is shared out: chances of a table sum to one, and so do those that change.
            chance = np.maximum(chance, 1e-12)
            total = chance.sum(axis=1, keepdims=True)
            slope = slope / chance[:, :, None] - slope.sum(axis=1, keepdims=True) / total[:, :, None]
            yield t, slice(part.start + start, part.start + start + len(chance)), chance / total, slope


def fit_noise(data: Outcomes, fit: Fit) -> NoiseFit:
    """Fit the model by Fisher's scoring, beginning at the conditional logit."""
    leaders = len(data.levels["leader"])
    basis = np.vstack([np.eye(leaders - 1), -np.ones(leaders - 1)])
    size = len(fit.parameters)
    penalty = np.zeros((size + leaders - 1, size + leaders - 1))
    penalty[size:, size:] = basis.T @ basis / PRIOR**2
    shared = len(fit.parameters) / fit.finished  # the same added games as in the conditional logit
    now = NoiseFit(np.concatenate([fit.parameters, np.zeros(leaders - 1)]), np.zeros_like(penalty), basis)
    value, gradient, information = _derivatives(data, fit, now, shared, penalty)
    for _ in range(MOST_STEPS):
        step = np.linalg.solve(information, gradient)
        if step @ gradient < CLOSE:
            break
        while True:
            trial = NoiseFit(now.parameters + step, now.inverse, basis)
            new = _derivatives(data, fit, trial, shared, penalty) if np.abs(trial.log_noise).max() < MOST else None
            if (new is not None and new[0] > value) or np.abs(step).max() < 1e-8:
                break
            step = step / 2
        if new is None or new[0] <= value:  # nothing better in this direction, but for rounding
            break
        now, (value, gradient, information) = trial, new
    return NoiseFit(now.parameters, np.linalg.inv(information), basis)


def _derivatives(
    data: Outcomes, fit: Fit, noise: NoiseFit, shared: float, penalty: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return penalised log likelihood, gradient and expected information."""
    pull = penalty @ noise.parameters
    value, gradient, information = -float(noise.parameters @ pull) / 2, -pull, penalty.copy()
    for t, part, chance, slope in slopes(data, fit, noise):
        n = t.finished[part] * (1 + shared)
        wins = t.wins[part] + (t.finished[part] * shared / t.players)[:, None]
        value += float((wins * np.log(np.maximum(chance, 1e-300))).sum())
        gradient = gradient + np.einsum("ts,tsk->k", wins, slope)
        flat = slope.reshape(-1, slope.shape[2])
        information = information + flat.T @ (flat * (n[:, None] * chance).reshape(-1, 1))
    return value, gradient, information
