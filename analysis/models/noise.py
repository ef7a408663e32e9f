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

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy import optimize

from .logit import Fit, Slopes, designs
from .seatings import Outcomes

# The integral is taken over w, e = w + 0.3 exp(w), by the trapezoid rule: what is integrated falls off fast on both sides
# (H. Takahasi and M. Mori, Publications of the RIMS 9, 1974). Chances and slopes are right to 0.0003 where σ differ by 30%.
STEPS, STEP = np.linspace(-2, 3, 16, retstep=True)
BEND = 0.3
LUCK = STEPS + BEND * np.exp(STEPS)  # e
WEIGHT = STEP * (1 + BEND * np.exp(STEPS)) * np.exp(-LUCK - np.exp(-LUCK))
FAR = 300.0  # an exponent beyond which nothing changes any more
PRIOR = 0.5  # standard deviation of log σ
MOST = 3.0  # log σ beyond which no step goes: a noise of 1/20 or 20 times the others'
MOST_STEPS = 30
NEAR = 0.1  # of the log likelihood: a step that promises less is small enough to be mixed with others
MIXED = 5  # steps that are mixed
CLOSE = 0.01  # of an error: no estimate moves by more in the last step
PART = 2_000  # tables whose integrands are in memory at a time


@dataclass(frozen=True)
class NoiseFit:
    """A fitted model: parameters of `logit` first, then those of log σ, and the inverse of their information."""

    parameters: np.ndarray
    inverse: np.ndarray
    penalty: np.ndarray  # the prior's part of that information
    basis: np.ndarray  # (leaders, leaders - 1): log σ of each leader from the last parameters

    @property
    def log_noise(self) -> np.ndarray:
        """Return log σ of each leader; they sum to zero."""
        found: np.ndarray = self.basis @ self.parameters[-self.basis.shape[1] :]
        return found


# From a fit to the penalised log likelihood, its gradient and its expected information.
Derivatives = Callable[[NoiseFit], tuple[float, np.ndarray, np.ndarray]]


def chances_and_slopes(
    utility: np.ndarray, log_noise: np.ndarray, leader: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each seat's chance (tables, seats), and its derivatives by every seat's u and log σ (tables, seats, seats).

    utility, leader: (tables, seats), the sums of effects and the seats' leaders; log_noise: of each leader. What is
    integrated is a product of what a table has and what two leaders have: few exponentials are taken.
    """
    noise = np.exp(log_noise)
    by_pair = np.exp(-LUCK * (noise[:, None] / noise[None, :])[:, :, None])  # (leaders, leaders, nodes)
    sigma, seats = noise[leader], np.arange(utility.shape[1])
    others = np.exp(np.clip((utility[:, None, :] - utility[:, :, None]) / sigma[:, None, :], -FAR, FAR))  # (tables, s, r)
    others[:, seats, seats] = 0
    own = utility[:, :, None] + sigma[:, :, None] * LUCK  # u_s + σ_s e (tables, s, nodes)
    # exp(-(u_s - u_r + σ_s e) / σ_r) is a product of these, (tables, s, r) and (tables, s, r, nodes).
    of_pair = by_pair[leader[:, :, None], leader[:, None, :]]
    mass = WEIGHT * np.exp(-(others[:, :, None, :] @ of_pair)[:, :, 0, :])
    chance = mass.sum(axis=2)
    moments = of_pair @ np.stack([mass, mass * own], axis=3)  # (tables, s, r, 2)
    by_utility = -others * moments[..., 0] / sigma[:, None, :]
    moved = others * moments[..., 1] / sigma[:, None, :]
    by_noise = utility[:, None, :] * -by_utility - moved
    by_utility[:, seats, seats] = -by_utility.sum(axis=2)
    by_noise[:, seats, seats] = moved.sum(axis=2) - utility * by_utility[:, seats, seats]
    return chance, by_utility, by_noise


def slopes(data: Outcomes, fit: Fit, noise: NoiseFit) -> Slopes:
    """Yield the tables in parts, with chances (tables, seats) and the derivatives of their logarithms by all parameters."""
    for t, part, design in designs(data, fit):
        leader = t.codes["leader"][part]
        spread = noise.basis[leader]
        for start in range(0, len(design), PART):
            here = slice(start, start + PART)
            utility = design[here] @ noise.parameters[: design.shape[2]]
            chance, by_utility, by_noise = chances_and_slopes(utility, noise.log_noise, leader[here])
            slope = np.concatenate([by_utility @ design[here], by_noise @ spread[here]], axis=2)
            # The nodes' error is shared out: chances of a table sum to one, and so do those that change.
            chance = np.maximum(chance, 1e-12)
            total = chance.sum(axis=1, keepdims=True)
            slope = slope / chance[:, :, None] - slope.sum(axis=1, keepdims=True) / total[:, :, None]
            yield t, slice(part.start + start, part.start + start + len(chance)), chance / total, slope


def fit_noise(data: Outcomes, fit: Fit) -> NoiseFit:
    """Fit the model by Fisher's scoring, beginning at the conditional logit.

    Scoring converges slowly where games say little of the noises. Its last steps are mixed with those before (D. Anderson,
    Journal of the ACM 12, 1965).
    """
    leaders = len(data.levels["leader"])
    basis = np.vstack([np.eye(leaders - 1), -np.ones(leaders - 1)])
    size = len(fit.parameters)
    penalty = np.zeros((size + leaders - 1, size + leaders - 1))
    penalty[size:, size:] = basis.T @ basis / PRIOR**2
    shared = len(fit.parameters) / fit.finished  # the same added games as in the conditional logit
    now = NoiseFit(np.concatenate([fit.parameters, np.zeros(leaders - 1)]), penalty, penalty, basis)
    derivatives = partial(_derivatives, data, fit, shared=shared, penalty=penalty)
    return _mixed(*_scored(now, derivatives), derivatives)


def _scored(now: NoiseFit, derivatives: Derivatives) -> tuple[NoiseFit, float, np.ndarray]:
    """Climb by Fisher's scoring until a step promises less than NEAR; return the fit, its log likelihood and information."""
    value, gradient, information = derivatives(now)
    for _ in range(MOST_STEPS):
        step = np.linalg.solve(information, gradient)
        if step @ gradient < NEAR:
            break
        while True:
            trial = replace(now, parameters=now.parameters + step)
            new = derivatives(trial) if np.abs(trial.log_noise).max() < MOST else None
            if (new is not None and new[0] > value) or np.abs(step).max() < 1e-8:
                break
            step = step / 2
        if new is None or new[0] <= value:  # nothing better in this direction, but for rounding
            break
        now, (value, gradient, information) = trial, new
    return now, value, information


def _mixed(now: NoiseFit, value: float, information: np.ndarray, derivatives: Derivatives) -> NoiseFit:
    """Go on by mixed steps of scoring until they move nothing by more than CLOSE; return the best with its inverse."""
    best, begin = (value, now.parameters, information), now.parameters
    scale = np.linalg.inv(np.linalg.cholesky(information)).T  # parameters in units of their errors

    def step(errors: np.ndarray) -> np.ndarray:
        nonlocal best
        value, gradient, information = derivatives(replace(now, parameters=begin + scale @ errors))
        if value > best[0]:
            best = value, begin + scale @ errors, information
        return np.linalg.solve(scale, np.linalg.solve(information, gradient))

    mixing = {"alpha": 1.0, "M": MIXED}
    options = {"fatol": CLOSE, "xtol": 1e9, "maxiter": MOST_STEPS, "line_search": None, "jac_options": mixing}  # xtol: no bound
    optimize.root(step, np.zeros(len(begin)), method="anderson", options=options)
    return replace(now, parameters=best[1], inverse=np.linalg.inv(best[2]))


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
