"""What strengths do not explain: leaders with strategies, and pairs of leaders."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used
from scipy import special

from ...simulator.errors import with_sign
from ..stats.claims import gate, whole_table
from ..stats.inference import around, distinct, gated, skewed, skewed_ends, together, weight_of
from ..stats.rates import CONFIDENCE, SMALL_SAMPLE, hardly_any, rate_columns
from ..stats.verdicts import differs
from . import logit
from .logit import (
    DEFAULT_FACTORS,
    Fit,
    LeftOver,
    Outcomes,
    Runs,
    Slopes,
    TableOutcomes,
    designs,
    fit_logit,
    left_over,
    outcomes,
    present,
)
from .logit import slopes as tables_slopes

# --- Does a leader's strength depend on the strategy that plays it, beyond the strengths of leader and strategy?
#
# Each pair of a leader and a strategy is tested by itself, by the score test (`logit.left_over`) at the model in which leader,
# strategy and place in the turn order add up: did the leader win more often with this strategy than expected? The effect of a
# pair is on the scale of log odds, where equal gains of a strong strategy do not look larger for a strong leader, as they do in
# percentage points.


def interactions(data: Outcomes, fair: float) -> pd.DataFrame:
    """Return the interaction of each leader with each strategy: a row for each pair that played.

    `interaction` is the change of the `fair` share by the pair's log odds beyond leader and strategy, in percentage points.
    `expected` are the expected wins by leader, strategy and place in the `decided` games. Rows with few expected wins or
    losses, and models whose main effects fit any outcome, are not tested.
    """
    data = present(data)
    strategies, number = data.levels["strategy"], len(data.levels["leader"]) * len(data.levels["strategy"])
    fit = fit_logit(data, DEFAULT_FACTORS)

    def codes(t: TableOutcomes) -> np.ndarray:
        return np.asarray(t.codes["leader"].astype(np.int64) * len(strategies) + t.codes["strategy"])

    def pairs(t: TableOutcomes, part: slice, chance: np.ndarray) -> np.ndarray:
        return (codes(t)[part][:, :, None] == np.arange(number)).astype(float)

    scores = left_over(lambda: tables_slopes(data, fit), pairs, fit.inverse, fit.score)
    decided, wins, expected = np.zeros((3, number))
    for t, part, chance, _ in tables_slopes(data, fit):
        n = np.broadcast_to(t.finished[part][:, None], chance.shape)
        for total, weight in ((decided, n), (wins, t.wins[part]), (expected, n * chance)):
            total += np.bincount(codes(t)[part].ravel(), weight.ravel(), number)
    names = [(leader, strategy) for leader in data.levels["leader"] for strategy in strategies]
    frame = pd.DataFrame(names, columns=["leader", "strategy"]).assign(decided=decided, expected=expected, wins=wins)
    few = (decided < SMALL_SAMPLE) | hardly_any(expected, decided)
    estimate, error = scores.log_odds()
    p = np.where(few | ~scores.testable, np.nan, skewed(estimate, error, scores.skew))
    ends_of = skewed_ends(estimate, error, scores.skew)

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = ends_of(confidence)
        return in_points(low, fair), in_points(high, fair)

    low, high = ends(CONFIDENCE)
    own = {"interaction": in_points(estimate, fair), "interaction_low": low, "interaction_high": high}
    questions = distinct(np.nan_to_num(estimate).round(9), p, frame["leader"])
    tested = together("interaction", p, ends, questions, family="leaders with strategies")
    frame = frame.assign(**own, **tested, small_sample=few | ~scores.testable)
    return frame[decided > 0].drop(columns="wins").reset_index(drop=True)


def in_points(log_odds: np.ndarray, fair: float) -> np.ndarray:
    """Return the change of the fair share by log odds, in percentage points."""
    return np.asarray(100 * (special.expit(special.logit(fair) + log_odds) - fair))


# --- Who wins a table when some leaders' games vary more than others': a conditional logit with a noise of each leader's own
#
# Model. At a table the seat with the largest performance u_s + σ_s e_s wins, where u is the sum of the seat's leader, place
# and strategy as in `logit`, e is standard Gumbel noise and σ belongs to the seat's leader (heteroscedastic extreme value: C.
# Bhat, Transportation Research B 29, 1995). Seat s then wins with the chance
#
#     P_s = ∫₀¹ Π_{r≠s} exp(-exp(-(u_s - u_r + σ_s e(q)) / σ_r)) dq,   e(q) = -log(-log q)
#
# With equal σ it is the conditional logit. Leaders of unequal noise deviate from their strengths' odds against each opponent
# though no pair is special: the model is the null hypothesis under which pairs are tested (`matchups`).
#
# The logarithms of σ sum to zero over the leaders, and have a weak normal prior of standard deviation PRIOR, so that they
# stay near the conditional logit in few games, which cannot separate noise from strength.

# The integral is taken over w, e = w + 0.3 exp(w), by the trapezoid rule: the integrand decays fast on both sides
# (H. Takahasi and M. Mori, Publications of the RIMS 9, 1974). Chances and slopes are accurate to 0.0003 where σ differ by 30%.
STEPS, STEP = np.linspace(-2, 3, 16, retstep=True)
BEND = 0.3
LUCK = STEPS + BEND * np.exp(STEPS)  # e
WEIGHT = STEP * (1 + BEND * np.exp(STEPS)) * np.exp(-LUCK - np.exp(-LUCK))
FAR = 300.0  # bound of exponents; beyond it nothing changes
PRIOR = 0.5  # standard deviation of log σ
MOST = 3.0  # bound of log σ: a noise of 1/20 or 20 times the others'
MOST_STEPS = 30
NEAR = 0.1  # gain of log likelihood below which scoring goes over to mixed steps
MIXED = 5  # steps mixed
CLOSE = 0.01  # largest move of an estimate in the last step, in standard errors
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
        return np.asarray(self.basis @ self.parameters[-self.basis.shape[1] :])


# From a fit to the penalised log likelihood, its gradient and its expected information.
Derivatives = Callable[[NoiseFit], tuple[float, np.ndarray, np.ndarray]]


def chances_and_slopes(
    utility: np.ndarray, log_noise: np.ndarray, leader: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each seat's chance (tables, seats), and its derivatives by every seat's u and log σ (tables, seats, seats).

    `utility` and `leader` (tables, seats) are the sums of effects and the seats' leaders, `log_noise` is by leader. The
    integrand is a product of a factor of the table and factors of two leaders each, which needs few exponentials (C. Bhat,
    1995; see above).
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
    by_luck = others * moments[..., 1] / sigma[:, None, :]
    by_noise = utility[:, None, :] * -by_utility - by_luck
    by_utility[:, seats, seats] = -by_utility.sum(axis=2)
    by_noise[:, seats, seats] = by_luck.sum(axis=2) - utility * by_utility[:, seats, seats]
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
            # Normalised for the integration error: chances of a table sum to 1, before and after a change.
            chance = np.maximum(chance, 1e-12)
            total = chance.sum(axis=1, keepdims=True)
            slope = slope / chance[:, :, None] - slope.sum(axis=1, keepdims=True) / total[:, :, None]
            yield t, slice(part.start + start, part.start + start + len(chance)), chance / total, slope


def fit_noise(data: Outcomes, fit: Fit) -> NoiseFit:
    """Return the fit of the model by Fisher's scoring, starting at the conditional logit.

    Scoring converges slowly where games say little of the noises, so its last steps are mixed with earlier ones (D. Anderson,
    Journal of the ACM 12, 1965).
    """
    leaders = len(data.levels["leader"])
    basis = np.vstack([np.eye(leaders - 1), -np.ones(leaders - 1)])
    size = len(fit.parameters)
    penalty = np.zeros((size + leaders - 1, size + leaders - 1))
    penalty[size:, size:] = basis.T @ basis / PRIOR**2
    shared = len(fit.parameters) / fit.finished  # the same pseudo-games as in the conditional logit
    now = NoiseFit(np.concatenate([fit.parameters, np.zeros(leaders - 1)]), penalty, penalty, basis)
    derivatives = partial(_derivatives, data, fit, shared=shared, penalty=penalty)
    return _mixed(*_scored(now, derivatives), derivatives)


def _scored(now: NoiseFit, derivatives: Derivatives) -> tuple[NoiseFit, float, np.ndarray]:
    """Return the fit after Fisher's scoring to a gain below NEAR, its log likelihood and information."""
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
        if new is None or new[0] <= value:  # no gain in this direction but rounding
            break
        now, (value, gradient, information) = trial, new
    return now, value, information


def _mixed(now: NoiseFit, value: float, information: np.ndarray, derivatives: Derivatives) -> NoiseFit:
    """Return the best fit by mixed steps of scoring that end at moves below CLOSE, with its inverse."""
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
    scipy.optimize.root(step, np.zeros(len(begin)), method="anderson", options=options)
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


# --- Leader against leader: who wins when one of the two does, and what the models of strength do not explain
#
# A model's expected share of a pair is taken table by table, from the chances of the two seats. Wins less expected wins give a
# score test (`logit.left_over`) of an advantage of the first over the second alone.
#
# Two models. *Strengths* (`logit`) gives the pair's distance from the expectation by two strengths: `surplus`. That does not
# make the pair special: a leader whose games vary more does better against strong leaders and worse against weak ones than its
# strength says, so all its pairs deviate together. The pairing itself is therefore tested against a model in which each leader
# has a noise of its own (`fit_noise`): `remainder`, `p`, `p_adjusted`.


def matchups(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return for each pair of leaders how often the first won when one of the two won and both were at the table.

    `expected` is the rate expected by the leaders' strengths; `surplus` (percentage points) is the win rate less that, the
    misfit of the strength model. `remainder` is the misfit of the model in which each leader's games have a variance of their
    own; `p` and `p_adjusted` (for all pairs together) test whether it is zero: whether the pairing itself matters. The pairs
    are tested as a whole first: `whole_chi2` with `whole_df` degrees of freedom and the adjusted `whole_p` (the same in every
    row), and a pair is shown to differ only if they are (`claims.gate`). `p` is empty where a model fits a pair whatever
    happens (three leaders who always meet), and where few wins of one of the two are expected.
    """
    data = present(outcomes(runs, factors, cards=False))
    fit, leaders = fit_logit(data, factors), data.levels["leader"]
    noise = fit_noise(data, fit)
    n, wins = _met(data, len(leaders))
    pairs = _Pairs(len(leaders))
    strength = left_over(lambda: logit.slopes(data, fit), pairs.besides, fit.inverse, fit.score)
    no_score = np.zeros(len(noise.parameters))  # at the fit, pseudo-games apart
    with_noise = left_over(lambda: slopes(data, fit, noise), pairs.besides, noise.inverse, no_score, noise.penalty)
    first, second = (np.array(seats) for seats in zip(*permutations(range(len(leaders)), 2), strict=True))
    first, second = (seats[n[first, second] > 0] for seats in (first, second))
    decided = np.where(wins[first, second] + wins[second, first] > 0, wins[first, second] + wins[second, first], np.nan)
    pair, sign = pairs.number[first, second], np.where(first < second, 1, -1)

    def points(test: LeftOver) -> tuple[np.ndarray, np.ndarray]:
        return 100 * sign * test.score[pair] / decided, 100 * np.sqrt(test.variance[pair].clip(0)) / decided

    surplus, surplus_error = points(strength)
    remainder, error = points(with_noise)
    names = np.array(leaders, object)
    frame = pd.DataFrame({"leader": names[first], "opponent": names[second], "n": n[first, second].astype(np.int64)})
    frame = frame.assign(decided=np.nan_to_num(decided), wins=wins[first, second])
    expected = wins[first, second] / decided - surplus / 100
    few = (frame["decided"] < SMALL_SAMPLE) | hardly_any(frame["wins"], frame["decided"])
    untestable = hardly_any(expected * decided, decided) | ~with_noise.testable[pair]
    skew = sign * with_noise.skew[pair]
    p = np.where(untestable, np.nan, skewed(remainder, error, skew))
    questions = int((~np.isnan(p)).sum()) // 2  # a pair has two rows and is one question
    tested = together("remainder", p, skewed_ends(remainder, error, skew), questions, family=FAMILY)
    asked = np.unique(pair[~np.isnan(p)])
    chi2, df, p_whole = whole_table(with_noise.score[asked], with_noise.information[np.ix_(asked, asked)])
    whole = gate(tested["p_adjusted"], p_whole, weight_of(FAMILY))
    return frame.assign(
        **rate_columns(frame["wins"], frame["decided"], "win_rate"),
        expected=expected,
        **around("surplus", surplus, surplus_error),
        **around("remainder", remainder, error),
        **gated("remainder", tested, whole),
        small_sample=few,
        whole_chi2=chi2,
        whole_df=df,
        whole_p=whole,
    )


FAMILY = "pairs of leaders"


class _Pairs:
    """The pairs of leaders as columns for `left_over`: a win of either less its share of their chances."""

    def __init__(self, leaders: int) -> None:
        self.size = leaders * (leaders - 1) // 2
        self.number = np.zeros((leaders, leaders), np.int64)
        self.number[np.triu_indices(leaders, 1)] = np.arange(self.size)
        self.number += self.number.T

    def besides(self, t: TableOutcomes, part: slice, chance: np.ndarray) -> np.ndarray:
        """Return the columns: at the seats of a pair, signed by the leaders' order, the other's share of the two chances."""
        codes, row = t.codes["leader"][part], np.arange(len(chance))
        columns = np.zeros((*chance.shape, self.size))
        for a, b in combinations(range(t.players), 2):
            pair, sign = self.number[codes[:, a], codes[:, b]], np.where(codes[:, a] < codes[:, b], 1, -1)
            share = chance[:, a] / (chance[:, a] + chance[:, b])
            columns[row, a, pair] += sign * (1 - share)
            columns[row, b, pair] -= sign * share
        return columns


def _met(data: Outcomes, leaders: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the decided games in which each pair met, and the wins of the first, (leaders, leaders)."""
    n, wins = np.zeros((2, leaders, leaders))
    for t in data.tables:
        for a, b in permutations(range(t.players), 2):
            place = (t.codes["leader"][:, a], t.codes["leader"][:, b])
            np.add.at(n, place, t.finished)
            np.add.at(wins, place, t.wins[:, a])
    return n, wins


def matchup_matrix(frame: pd.DataFrame, value: str = "win_rate") -> pd.DataFrame:
    """Return one column of `matchups` as a square: row against column, strongest row first."""
    square = frame.pivot(index="leader", columns="opponent", values=value)
    order = square.mean(axis=1).sort_values(ascending=False).index if value == "win_rate" else square.index
    return square.loc[order, order]


def matchup_table(frame: pd.DataFrame, value: str = "win_rate") -> pd.DataFrame:
    """Return `matchups` as a square of texts for readers: per cent or points; * a special pair, [] small samples.

    The star is that of the remainder; on the surplus, the misfit of the strength model, it would mislead.
    """
    frame = frame.assign(text=[_cell(row, value) for row in frame.to_dict("records")])
    order = matchup_matrix(frame).index
    square = frame.pivot(index="leader", columns="opponent", values="text").loc[order, order].fillna("-")
    return square.rename_axis(columns=None).reset_index()


def _cell(row: dict[Any, Any], value: str) -> str:
    if pd.isna(row[value]):
        return "-"
    text = f"{100 * row[value]:.1f}" if value == "win_rate" else with_sign(row[value])
    text += "*" if differs(row) and value != "surplus" else ""
    return f"[{text}]" if row["small_sample"] else text
