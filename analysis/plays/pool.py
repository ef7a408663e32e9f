"""Each leader by people's plays and the simulation together, each with the weight that the plays themselves give it.

What a leader is worth to people is what it is worth to a strategy, and a deviation of its own: normal around 0 with a
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
from .seated import NOBODY, Seated, coded
from .ways import WITHOUT, Foretold

DEVIATIONS = np.array([0.03, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.05, 1.4])  # of leaders, in log odds
SKILLS = np.array([0.0, 0.3, 0.6, 1.0, 1.5])
USUAL = 1.0  # scale of the half-normal weights of both
DRAWS = 4_000
WIDER = 1.3  # than the normal approximation: what is drawn again must not lack tails
AT_ONCE = 1 << 22  # numbers of draws that are in memory together
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


def pooled(forecasts: Sequence[Foretold], plays: Seated, players: int, draws: int = DRAWS) -> Pooled:
    """Return the estimates at balanced tables of so many players."""
    rng, leaders = np.random.default_rng(0), len(plays.leaders)
    design = np.concatenate([by_leader(plays), by_person(plays)], axis=2)
    found = _hypotheses(forecasts, plays, design)
    which, effects = _posterior(found, forecasts, plays, design, draws, rng)
    known = [_known(one, plays, players) for one in forecasts]
    there = np.all([~np.isnan(mean) for mean, _ in known], axis=0)
    way = np.array([one.way for one in found])[which]
    for k, (mean, covariance) in enumerate(known):
        own = int((way == k).sum())
        noise = rng.multivariate_normal(np.zeros(leaders), covariance, own, method="eigh")
        effects[way == k, :leaders] += mean + noise
    rates = _rates(effects[:, :leaders][:, there], players)
    of_ways = np.bincount(way, minlength=len(forecasts)) / len(way)
    simulated = of_ways @ np.concatenate([_rates(mean[None, there], players) for mean, _ in known])
    share = np.bincount(which, minlength=len(found)) / len(which)
    left = np.array([np.diag(one.fitted.covariance)[:leaders] / one.deviation**2 for one in found])
    ends = np.quantile(rates, [SIGNIFICANT / 2, 1 - SIGNIFICANT / 2], axis=0)
    figures = np.full((4, leaders), np.nan)  # of leaders that every way knows at such tables
    figures[:, there] = [rates.mean(axis=0), *ends, simulated]
    fair = 1 / players
    return Pooled(
        plays.leaders, players, figures[0], figures[1], figures[2], figures[3], np.clip(share @ (1 - left), 0, 1),
        {one.way.name: float(part) for one, part in zip(forecasts, of_ways, strict=True)},
        100 * fair * (1 - fair) * float(share @ [one.deviation for one in found]), float(share @ [one.skill for one in found]),
    )  # fmt: skip


def _posterior(
    found: Sequence[_Hypothesis],
    forecasts: Sequence[Foretold],
    plays: Seated,
    design: np.ndarray,
    draws: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Return draws of hypotheses and effects, given the plays.

    They come from the hypotheses' normal approximations, made wider, and are drawn again by what these are off (importance
    resampling; weights are cut as E. Ionides, Journal of Computational and Graphical Statistics 17, 2008, says).
    """
    value = np.array([one.fitted.evidence + one.before for one in found])
    share = np.exp(value - value.max())
    share /= share.sum()
    which = np.sort(rng.choice(len(found), draws, p=share))
    effects, off = np.empty((draws, design.shape[2])), np.empty(draws)
    for k in np.unique(which):
        mine, one = which == k, found[k]
        root = np.linalg.cholesky(WIDER * one.fitted.covariance)
        normal = rng.standard_normal((int(mine.sum()), len(root)))
        effects[mine] = one.fitted.effects + normal @ root.T
        near = -0.5 * (normal**2).sum(axis=1) - np.log(np.diag(root)).sum() + np.log(share[k])
        off[mine] = _density(effects[mine], one, forecasts[one.way].utility, design, plays.won) - near
    weight = np.exp(off - off.max())
    weight = np.minimum(weight, weight.mean() * np.sqrt(draws))
    again = rng.choice(draws, draws, p=weight / weight.sum())
    return which[again], effects[again]


def _density(effects: np.ndarray, one: _Hypothesis, utility: np.ndarray, design: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the logarithm of the density of effects together with the plays, if the hypothesis holds."""
    precision = one.fitted.precision
    before = one.before + 0.5 * np.log(precision).sum() - 0.5 * effects**2 @ precision
    step = max(1, AT_ONCE // utility.size)
    parts = [effects[low : low + step] for low in range(0, len(effects), step)]
    return before + np.concatenate([_likelihood(utility[None] + np.einsum("nsk,dk->dns", design, part), won) for part in parts])


def _likelihood(utility: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the logarithm of the chance of all winners for each of several tables of utilities (draws, plays, seats)."""
    top = utility.max(axis=2)
    total = top + np.log(np.exp(utility - top[:, :, None]).sum(axis=2))
    chosen = np.where(won > 0, utility, 0)
    return np.asarray(np.einsum("dns,ns->d", chosen, won) - total.sum(axis=1))


def _hypotheses(forecasts: Sequence[Foretold], plays: Seated, design: np.ndarray) -> list[_Hypothesis]:
    """Fit every hypothesis: a way, a deviation of leaders, a variation of people's skill."""
    leaders, people = len(plays.leaders), design.shape[2] - len(plays.leaders)
    skills = SKILLS if people else SKILLS[:1]
    weights = np.log(np.outer(prior(DEVIATIONS), prior(skills)))
    found = []
    for way, one in enumerate(forecasts):
        start = None
        for (a, deviation), (b, skill) in product(enumerate(DEVIATIONS), enumerate(skills)):
            variance = np.r_[np.full(leaders, deviation**2), np.full(people, skill**2)]
            fitted = fit(one.utility, design, plays.won, variance, start)
            start = fitted.effects
            found.append(_Hypothesis(way, float(deviation), float(skill), fitted, float(weights[a, b])))
    return found


def prior(grid: np.ndarray) -> np.ndarray:
    """Return the half-normal weights of the numbers of a grid, each for the stretch that is nearest to it."""
    if len(grid) == 1:
        return np.ones(1)
    edges = np.r_[0, (grid[1:] + grid[:-1]) / 2, grid[-1] + (grid[-1] - grid[-2]) / 2]
    weight = np.diff(edges) * np.exp(-0.5 * (grid / USUAL) ** 2)
    return np.asarray(weight / weight.sum())


def _known(forecast: Foretold, plays: Seated, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the way's effects of the plays' leaders in games of so many players, NaN if unknown, and their covariance."""
    fit_of = forecast.way.fit(players, WITHOUT)
    effect, covariance = fit_of.effects("leader")
    at = coded(plays.leaders, {name: k for k, name in enumerate(fit_of.factors["leader"])})[:-1]
    there = at != NOBODY
    whole = np.zeros((len(at), len(at)))
    whole[np.ix_(there, there)] = covariance[np.ix_(at[there], at[there])]
    return np.where(there, effect[at], np.nan), whole


def _rates(effects: np.ndarray, players: int) -> np.ndarray:
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
