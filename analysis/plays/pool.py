"""Each leader by people's plays and the simulation together, each with the weight that the plays themselves give it.

What a leader is worth to people is what it is worth to a way of playing, and a deviation of its own: normal around 0 with a
standard deviation that is not known (B. Efron and C. Morris, JASA 70, 1975). People's skill has one, too. Every way, every
such deviation of leaders and of people on a grid is a hypothesis with its evidence (`choice`); the estimate is the mixture of
what all of them say, so that it is as unsure as the weight is. The weight of the plays is by how much they narrow what was
known before: 0% leaves the simulation alone, 100% people. All ways count alike before a play is seen; deviations have
half-normal weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from ..models.logit import chances
from ..statistics.inference import SIGNIFICANT
from .choice import Fitted, by_leader, by_person, fit
from .seated import NOBODY, Seated
from .ways import WITHOUT, Foretold

DEVIATIONS = np.array([0.03, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.05, 1.4])  # of leaders, in log odds
SKILLS = np.array([0.0, 0.3, 0.6, 1.0, 1.5])
USUAL = 1.0  # scale of the half-normal weights of both
DRAWS = 2_000
MOST_TABLES = 400


@dataclass(frozen=True)
class Pooled:
    """Win rates at balanced tables of one size, by leader: the estimate, the simulation's, the weight of the plays."""

    leaders: tuple[str, ...]
    players: int
    rate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    simulated: np.ndarray
    weight: np.ndarray
    ways: dict[str, float]  # way: its share of the evidence
    deviation: float  # of people's leaders from the simulation: standard deviation, in points
    skill: float


@dataclass(frozen=True)
class _Hypothesis:
    way: int
    deviation: float
    skill: float
    fitted: Fitted
    before: float  # logarithm of its weight before any play


def pooled(told: Sequence[Foretold], plays: Seated, players: int, draws: int = DRAWS) -> Pooled:
    """Return the estimates at balanced tables of so many players."""
    found = _hypotheses(told, plays)
    value = np.array([one.fitted.evidence + one.before for one in found])
    share = np.exp(value - value.max())
    share /= share.sum()
    known = [_known(one, plays, players) for one in told]
    leaders = len(plays.leaders)
    there = np.all([mean == mean for mean, _ in known], axis=0)
    rng = np.random.default_rng(0)
    many = rng.multinomial(draws, share)
    effects = np.concatenate([_draws(one, known, many[k], leaders, rng) for k, one in enumerate(found) if many[k]])
    rates = _rates(effects[:, there], players, rng)
    simulated = sum(
        _of_way(share, found, way) * _rates(mean[None, there], players, rng)[0] for way, (mean, _) in enumerate(known)
    )
    tail = SIGNIFICANT / 2
    weight = sum(
        p * (1 - np.diag(one.fitted.covariance)[:leaders] / one.deviation**2) for p, one in zip(share, found, strict=True)
    )

    def all_leaders(values: np.ndarray) -> np.ndarray:
        whole = np.full(leaders, np.nan)
        whole[there] = values
        return whole

    low, high = np.quantile(rates, [tail, 1 - tail], axis=0)
    fair = 1 / players
    return Pooled(
        plays.leaders, players, all_leaders(rates.mean(axis=0)), all_leaders(low), all_leaders(high), all_leaders(simulated),
        np.clip(np.asarray(weight), 0, 1), {one.way.name: _of_way(share, found, way) for way, one in enumerate(told)},
        100 * fair * (1 - fair) * float(share @ [one.deviation for one in found]), float(share @ [one.skill for one in found]),
    )  # fmt: skip


def _of_way(share: np.ndarray, found: Sequence[_Hypothesis], way: int) -> float:
    return float(sum(p for p, one in zip(share, found, strict=True) if one.way == way))


def _hypotheses(told: Sequence[Foretold], plays: Seated) -> list[_Hypothesis]:
    """Fit every hypothesis: a way, a deviation of leaders, a variation of people's skill."""
    leader, person = by_leader(plays), by_person(plays)
    design = np.concatenate([leader, person], axis=2)
    skills = SKILLS if person.shape[2] else SKILLS[:1]
    found = []
    for way, one in enumerate(told):
        start = None
        for (a, deviation), (b, skill) in product(enumerate(DEVIATIONS), enumerate(skills)):
            variance = np.r_[np.full(leader.shape[2], deviation**2), np.full(person.shape[2], skill**2)]
            fitted = fit(one.utility, design, plays.won, variance, start)
            start = fitted.effects
            before = np.log(prior(DEVIATIONS)[a]) + np.log(prior(np.asarray(skills))[b])
            found.append(_Hypothesis(way, float(deviation), float(skill), fitted, float(before)))
    return found


def prior(grid: np.ndarray) -> np.ndarray:
    """Return the half-normal weights of the numbers of a grid, each for the stretch that is nearest to it."""
    if len(grid) == 1:
        return np.ones(1)
    edges = np.r_[0, (grid[1:] + grid[:-1]) / 2, grid[-1] + (grid[-1] - grid[-2]) / 2]
    weight = np.diff(edges) * np.exp(-0.5 * (grid / USUAL) ** 2)
    return np.asarray(weight / weight.sum())


def _known(told: Foretold, plays: Seated, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the way's effects of the plays' leaders in games of so many players, NaN if unknown, and their covariance."""
    fit_of = told.way.fit(players, WITHOUT)
    effect, covariance = fit_of.effects("leader")
    names = {name: k for k, name in enumerate(fit_of.factors["leader"])}
    at = np.array([names.get(name, NOBODY) for name in plays.leaders])
    mean = np.where(at == NOBODY, np.nan, effect[at])
    return mean, covariance[np.ix_(at, at)]


def _draws(
    one: _Hypothesis, known: Sequence[tuple[np.ndarray, np.ndarray]], many: int, leaders: int, rng: np.random.Generator
) -> np.ndarray:
    """Return draws of the leaders' effects, if the hypothesis holds."""
    mean, covariance = known[one.way]
    whole = one.fitted.covariance[:leaders, :leaders] + covariance
    return mean + one.fitted.effects[:leaders] + rng.multivariate_normal(np.zeros(leaders), whole, many, method="eigh")


def _rates(effects: np.ndarray, players: int, rng: np.random.Generator) -> np.ndarray:
    """Return the win rates (draws, leaders) at tables of every choice of leaders, or of so many drawn by lot."""
    size = effects.shape[1]
    tables = np.array(list(combinations(range(size), players))) if size <= 12 else _lot(size, players)
    rates, seated = np.zeros((len(effects), size)), np.bincount(tables.ravel(), minlength=size)
    for k, some in enumerate(effects):
        rates[k] = np.bincount(tables.ravel(), chances(some[tables]).ravel(), size)
    return rates / seated


def _lot(size: int, players: int) -> np.ndarray:
    """Return tables in which every leader sits equally often: circles of leaders in random orders, each cut all the way
    round."""
    rng = np.random.default_rng(1)
    parts = []
    for _ in range(-(-MOST_TABLES // size)):
        order = rng.permutation(size)
        parts.append(np.stack([np.roll(order, -k)[:players] for k in range(size)]))
    return np.concatenate(parts)
