"""Real plays: what runs predict of them, whether people's leaders win as often, and which strategy is nearest to people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats

from ...simulator.errors import UserError
from ..stats.answer import (
    DIFFERENT,
    PEOPLE,
    POWER,
    Verdict,
    Words,
    certainty_of,
    detectable,
    games_for_all,
    games_to_decide,
    judged,
    quantile_for,
    read,
    weakest,
)
from ..stats.inference import SIGNIFICANT, Ends, around, exact_against_share, exact_ends, normal_ends, together
from ..stats.rates import CONFIDENCE, SMALL_SAMPLE, rate_columns, wilson
from .logit import Fit, Outcomes, chances, fisher_information, fit_logit, order_factor, outcomes, present
from .read import Run

# --- What runs predict of real plays
#
# Seats, ways, and estimates pooled from both; `people` tests whether people differ.

# --- Plays as arrays by play and seat
#
# Tables of different sizes lie in arrays as wide as the largest; `there` says which seats are.

NOBODY = -1


@dataclass(frozen=True)
class Seated:
    """Plays: (n,) of each, (n, k) of each seat; NOBODY where there is no seat, or nobody known by name."""

    leaders: tuple[str, ...]  # names of the codes, in alphabetical order
    people: tuple[str, ...]
    leader: np.ndarray
    person: np.ndarray
    order: np.ndarray  # place in the turn order from 0, NOBODY where it is not known
    won: np.ndarray  # shares of the win

    @property
    def occupied(self) -> np.ndarray:
        """Return which seats there are."""
        return self.leader != NOBODY

    @property
    def players(self) -> np.ndarray:
        """Return how many seats each play has."""
        return self.occupied.sum(axis=1)

    @property
    def ordered(self) -> np.ndarray:
        """Return of which plays the turn order is known."""
        return (self.order >= 0).sum(axis=1) == self.players

    def __len__(self) -> int:
        return len(self.leader)

    def where(self, keep: np.ndarray) -> Seated:
        """Return some of the plays."""
        return Seated(self.leaders, self.people, *(column[keep] for column in (self.leader, self.person, self.order, self.won)))

    def counts(self, values: np.ndarray) -> np.ndarray:
        """Return the sums of seats' values by leader."""
        return np.bincount(self.leader[self.occupied], values[self.occupied], len(self.leaders))


def seated(seats: pd.DataFrame) -> Seated:
    """Return the plays of a table `seats` (game_id, seat, leader, player, order, won)."""
    game, games = pd.factorize(seats["game_id"], sort=True)
    place = seats.groupby("game_id").cumcount().to_numpy()
    leader, leaders = pd.factorize(seats["leader"].astype(str), sort=True)
    person, people = pd.factorize(seats["player"].astype(object), sort=True)
    shape = len(games), int(place.max(initial=0)) + 1

    def grid(values: np.ndarray, empty: float, kind: Any) -> np.ndarray:
        found = np.full(shape, empty, kind)
        found[game, place] = values
        return found

    order = seats["order"].fillna(0).to_numpy(float) - 1
    return Seated(
        tuple(map(str, leaders)), tuple(map(str, people)), grid(leader, NOBODY, int), grid(person, NOBODY, int),
        grid(order, NOBODY, int), grid(seats["won"].to_numpy(float), 0, float),
    )  # fmt: skip


def coded(names: Sequence[str], known: Mapping[str, int]) -> np.ndarray:
    """Return the codes of names, NOBODY of one that is not known; the last entry stands for no seat."""
    return np.array([*(known.get(name, NOBODY) for name in names), NOBODY])


# --- Strategies, and the chances that each gives the seats of real plays
#
# A way is the runs of one strategy (or mix). For each number of players it has a model of who wins (`logit`)
# by leader and place in the turn order, and another by leader alone for plays whose turn order nobody noted. Plays of so many
# players are held against games of so many only: how much a leader is worth is not the same at a small table.

WITH_ORDER, WITHOUT = ("leader", "order"), ("leader",)


@dataclass
class Way:
    """The runs of one strategy."""

    name: str
    runs: Sequence[Run]

    @cached_property
    def outcomes(self) -> Outcomes:
        """The games, equal tables counted together."""
        return outcomes(list(self.runs), WITH_ORDER, cards=False)

    @property
    def players(self) -> list[int]:
        """Numbers of players of which there are games."""
        return sorted({run.players for run in self.runs})

    @property
    def games(self) -> int:
        """Number of games."""
        return self.outcomes.games

    def fit(self, players: int, factors: Sequence[str]) -> Fit:
        """Return the model of who wins games of so many players; raise UserError naming the way if there is none."""
        try:
            return fit_logit(self._of(players), factors)
        except UserError as error:
            raise UserError(f"{self.name}, games of {players}: {error}") from None

    def _of(self, players: int) -> Outcomes:
        if players not in self._parts:
            self._parts[players] = present(self.outcomes.with_players(players))
        return self._parts[players]

    @cached_property
    def _parts(self) -> dict[int, Outcomes]:
        return {}  # kept, for fits are kept by the object

    def knows(self, plays: Seated) -> np.ndarray:
        """Return which plays have as many players as games of this way, and leaders that played there."""
        known = np.zeros(len(plays), bool)
        for players in self.players:
            code = coded(plays.leaders, {name: k for k, name in enumerate(self._of(players).levels["leader"])})
            known |= (plays.players == players) & ((code[plays.leader] >= 0) | ~plays.occupied).all(axis=1)
        return known


@dataclass(frozen=True)
class Foretold:
    """What a way says of plays: seats' sums of effects, and how these move with its models' parameters, which are estimates."""

    way: Way
    utility: np.ndarray  # (plays, seats), -inf where there is no seat
    design: np.ndarray  # (plays, seats, parameters)
    covariance: np.ndarray  # of the parameters


def foretold(way: Way, plays: Seated) -> Foretold:
    """Return what the way says of plays that it knows."""
    found = []
    for players in way.players:
        for factors, mask in ((WITH_ORDER, plays.ordered), (WITHOUT, ~plays.ordered)):
            some = mask & (plays.players == players)
            if some.any():
                found.append((some, way.fit(players, factors), players))
    size = sum(len(fit.parameters) for _, fit, _ in found)
    design, covariance = np.zeros((*plays.leader.shape, size)), np.zeros((size, size))
    parameters = np.zeros(size)
    start = 0
    for some, fit, players in found:
        part = slice(start, start + len(fit.parameters))
        design[some, :, part] = _design(plays.where(some), fit, players)
        covariance[part, part], parameters[part] = fit.covariance, fit.parameters
        start = part.stop
    return Foretold(way, np.where(plays.occupied, design @ parameters, -np.inf), design, covariance)


def _design(plays: Seated, fit: Fit, players: int) -> np.ndarray:
    """Return the rows of the model's parameters for each seat."""
    found = np.zeros((*plays.leader.shape, len(fit.parameters)))
    if "leader" in fit.bases:
        code = coded(plays.leaders, {name: k for k, name in enumerate(fit.factors["leader"])})[plays.leader]
        found[:, :, fit.places["leader"]] = np.where(plays.occupied[:, :, None], fit.bases["leader"][code], 0)
    order = order_factor(players)
    if order in fit.bases:
        found[:, :, fit.places[order]] = np.where(plays.occupied[:, :, None], fit.bases[order][plays.order], 0)
    return found


def ways_of(runs: Mapping[str, Run]) -> list[Way]:
    """Return the ways of the runs in these folders: those of one strategy and rules together, by who plays."""
    groups: dict[tuple[str, str], list[str]] = {}
    for folder, run in runs.items():
        who = ", ".join(dict.fromkeys(run.manifest["plan"].get("strategies", []))) or folder
        groups.setdefault((who, str(run.manifest.get("ruleset", {}).get("digest"))), []).append(folder)
    names = [who for who, _ in groups]
    found = []
    for (who, _), folders in groups.items():
        name = who if names.count(who) == 1 else f"{who} ({', '.join(folders)})"
        found.append(Way(name, [runs[folder] for folder in folders]))
    return found


# --- Who wins a play, given chances from elsewhere
#
# Effects on top of them, held near 0 by how much they are known to vary.
#
# The model is the conditional logit (`logit`) with the seats' sums of effects known but for b: chances are
# those of u + X b, and b is normal around 0 with its own variances. Large variances let plays speak, small ones the known
# chances. `evidence` is the likelihood of the plays with b taken out by Laplace's method (L. Tierney and J. Kadane, JASA 81,
# 1986); it tells which variances fit, the empirical Bayes way.

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


# --- Each leader by people's plays and the simulation together, each with the weight that the plays themselves give it
#
# What a leader is worth to people is what it is worth to a strategy, and a deviation of its own: normal around 0 with a
# standard deviation that is not known (B. Efron and C. Morris, JASA 70, 1975). People's skill has one, too. Every way, every
# such deviation of leaders and of people on a grid is a hypothesis with its evidence (`fit`); the estimate is the mixture
# of what all of them say, so that it is as unsure as the weight is. The weight of the plays is by how much they narrow what
# was known before: 0% leaves the simulation alone, 100% people. All ways count alike before a play is seen; deviations have
# half-normal weights.

DEVIATIONS = np.array([0.03, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.05, 1.4])  # of leaders, in log odds
POOL_SKILLS = np.array([0.0, 0.3, 0.6, 1.0, 1.5])
USUAL = 1.0  # scale of the half-normal weights of both
POOL_DRAWS = 4_000
WIDER = 1.3  # than the normal approximation: what is drawn again must not lack tails
POOL_AT_ONCE = 1 << 22  # numbers of draws that are in memory together
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


def pooled(forecasts: Sequence[Foretold], plays: Seated, players: int, draws: int = POOL_DRAWS) -> Pooled:
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
    step = max(1, POOL_AT_ONCE // utility.size)
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
    skills = POOL_SKILLS if people else POOL_SKILLS[:1]
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


# --- Whether people's leaders win as often as a strategy's, and which strategy is nearest to people
#
# Tests of real plays.

# --- Do people win with each leader as often as a strategy says? One test over all leaders, and what it could see
#
# The test is the score test of leaders' effects on top of the way's chances (C. Rao, 1948): U, the leaders' wins less those
# expected at these very tables, against their covariance V. People who play better than others, and who may always take the
# same leader, are taken out: each has an effect of a variance that the plays tell themselves (`forecast.Fitted`), and U and V
# are what is left beside these. The errors of the way's own figures, which come from a number of games, are part of V. The p
# value compares T = U'V⁻U with draws of winners by those chances, so it holds with few plays, too: p = (1 + draws at least as
# large) / (1 + draws).
#
# Power: if one leader won more, or less, by so many points of its plays, U would be off by so much, and T have about the
# noncentral χ² distribution. The difference that is then found with 80% is the smallest that can be seen.

DRAWS = 4_000
AT_ONCE = 1 << 22  # numbers of draws that are in memory together
FURTHEST = 8.0  # log odds by which a leader may be off
TINY = 1e-9
SKILLS = (0.0, 0.3, 0.6, 1.0, 1.5)  # standard deviations of people's effects (log odds) that are tried


@dataclass(frozen=True)
class Agreement:
    """The test of one way, and the smallest difference of each leader that it finds with 80%, in points (NaN: none)."""

    way: str
    plays: int
    statistic: float
    freedom: int
    p: float
    skill: float  # standard deviation of people's effects
    expected: np.ndarray  # (leaders,) wins that the way expects, people's skill aside
    error: np.ndarray  # (leaders,) their standard error, from the way's own games
    detectable: np.ndarray  # (leaders,)


@dataclass(frozen=True)
class _Score:
    """The score of leaders' effects beside people's, U, and what belongs to it."""

    beside: np.ndarray  # (plays, seats, leaders) leaders' design with what people's explains of it taken out
    value: np.ndarray  # U
    effective: np.ndarray  # its covariance, if the way's figures were known for sure
    rest: np.ndarray  # covariance of what does not come from the winners: people's skill, and the errors of the way's figures
    noise: np.ndarray  # the latter alone

    @property
    def inverse(self) -> np.ndarray:
        """Return V⁻; leaders' effects sum to nothing, so V has no inverse proper."""
        found: np.ndarray = np.linalg.pinv(self.effective + self.noise, rcond=TINY, hermitian=True)
        return found

    @property
    def freedom(self) -> int:
        """Return of how many numbers T is the sum of squares."""
        scale = max(1.0, float(np.trace(self.effective)))
        return int(np.linalg.matrix_rank(self.effective, tol=TINY * scale, hermitian=True))


def agreement(forecast: Foretold, plays: Seated, draws: int = DRAWS, tests: int = 1) -> Agreement:
    """Test whether the leaders' wins in these plays are those that the way predicts; power is that of one of so many tests."""
    people = by_person(plays)
    base, skill = skilled(forecast, plays, people)
    score = _score(forecast, plays, people, base)
    inverse, freedom = score.inverse, score.freedom
    statistic = float(score.value @ inverse @ score.value)
    drawn = _drawn(base.chance, score.beside, score.rest, draws)
    found = np.einsum("bl,lm,bm->b", drawn, inverse, drawn)
    p = (1 + int((found >= statistic * (1 - TINY)).sum())) / (1 + draws)
    expected, error = _expected(forecast, plays)
    detectable = _detectable(forecast.utility, plays, score, float(np.quantile(found, 1 - SIGNIFICANT / tests)))
    return Agreement(forecast.way.name, len(plays), statistic, freedom, p, skill, expected, error, detectable)


def _score(forecast: Foretold, plays: Seated, people: np.ndarray, base: Fitted) -> _Score:
    """Return the score at the way's chances with people's effects on top."""
    leader, chance = by_leader(plays), base.chance
    weighted = _weighted(leader, chance)
    shared = np.einsum("nsk,nsl->kl", people, weighted)
    answer = base.covariance @ shared  # how people's effects answer to leaders'
    beside = leader - people @ answer
    moved = np.einsum("nsl,nsp->lp", _weighted(beside, chance), forecast.design)
    noise = moved @ forecast.covariance @ moved.T
    return _Score(
        beside, np.einsum("ns,nsl->l", plays.won - chance, beside),
        np.einsum("nsk,nsl->kl", leader, weighted) - shared.T @ answer,
        answer.T @ np.diag(base.precision) @ answer + noise, noise,
    )  # fmt: skip


def _weighted(design: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Return the design times the covariance of who wins, diag(p) - pp', play by play."""
    mean = np.einsum("ns,nsk->nk", chance, design)
    return np.asarray(chance[:, :, None] * (design - mean[:, None, :]))


def skilled(forecast: Foretold, plays: Seated, people: np.ndarray) -> tuple[Fitted, float]:
    """Return the way's chances with people's effects on top, of the variance that fits best, and its root."""
    size = people.shape[2]
    fits = [
        (fit(forecast.utility, people, plays.won, np.full(size, skill**2)), skill) for skill in (SKILLS if size else SKILLS[:1])
    ]
    return max(fits, key=lambda found: found[0].evidence)


def _drawn(chance: np.ndarray, beside: np.ndarray, more: np.ndarray, draws: int) -> np.ndarray:
    """Return draws of the score: winners by their chances, and the normal rest with the covariance `more`."""
    rng = np.random.default_rng(0)
    reached = np.cumsum(chance, axis=1)
    middle = np.einsum("ns,nsl->l", chance, beside)
    found = np.empty((draws, beside.shape[2]))
    step = max(1, AT_ONCE // max(1, beside.size))
    for low in range(0, draws, step):
        part = slice(low, min(draws, low + step))
        lot = rng.random((part.stop - low, len(chance)))
        winner = np.minimum((lot[:, :, None] > reached[None]).sum(axis=2), chance.shape[1] - 1)
        found[part] = beside[np.arange(len(chance))[None, :], winner].sum(axis=1) - middle
    return found + rng.multivariate_normal(np.zeros(len(more)), more, draws, method="eigh")


def _expected(forecast: Foretold, plays: Seated) -> tuple[np.ndarray, np.ndarray]:
    """Return the wins of each leader that the way expects, and their standard errors."""
    chance = chances(forecast.utility)
    slope = _weighted(forecast.design, chance)
    rows = np.stack([plays.counts(column) for column in np.moveaxis(slope, 2, 0)], axis=1)
    error = np.sqrt(np.maximum(np.einsum("lp,pq,lq->l", rows, forecast.covariance, rows), 0))
    return plays.counts(chance), error


def _detectable(utility: np.ndarray, plays: Seated, score: _Score, critical: float) -> np.ndarray:
    """Return by how many points of its wins each leader must be off, up or down, to be found with 80%: the smaller; or NaN."""
    found = np.full(len(plays.leaders), np.nan)
    if not score.freedom:
        return found
    needed = float(optimize.brentq(lambda x: stats.ncx2.sf(critical, score.freedom, x) - POWER, TINY, 1e4))
    for leader in range(len(found)):
        ends = np.array([_off(utility, plays.leader == leader, sign, needed, score) for sign in (1.0, -1.0)])
        found[leader] = np.nanmin(ends) if not np.isnan(ends).all() else np.nan
    return 100 * found


def _off(utility: np.ndarray, mine: np.ndarray, sign: float, needed: float, score: _Score) -> float:
    """Return how far the rate of a leader is off where the noncentrality is the one needed; NaN if it never gets there."""
    before, inverse = chances(utility), score.inverse

    def moved(x: float) -> np.ndarray:
        return chances(utility + sign * x * mine) - before

    def lacking(x: float) -> float:
        away = np.einsum("ns,nsl->l", moved(x), score.beside)
        return float(away @ inverse @ away) - needed

    if lacking(FURTHEST) < 0:
        return np.nan
    return float(abs(moved(optimize.brentq(lacking, 0.0, FURTHEST, xtol=1e-4))[mine].mean()))


def agreement_table(tests: Sequence[Agreement]) -> pd.DataFrame:
    """Return one row a way: the test, corrected for the number of ways, and what it can see."""
    rows = []
    for one in tests:
        p, seen = min(1.0, len(tests) * one.p), one.detectable[~np.isnan(one.detectable)]
        verdict = Verdict.FAR_ABOVE if p <= SIGNIFICANT else Verdict.UNDECIDED
        rows.append({
            "way": one.way, "plays": one.plays, "chi2": one.statistic, "df": one.freedom, "p": one.p, "p_adjusted": p,
            "skill": one.skill, "detectable": float(seen.min()) if len(seen) else np.nan, "verdict": PEOPLE.of(verdict),
            "certainty": certainty_of(p),
        })  # fmt: skip
    return pd.DataFrame(rows)


def leaders_beside(plays: Seated, tests: Sequence[Agreement]) -> pd.DataFrame:
    """Return one row a leader and way: people's rate, the rate that the way expects at these tables, their difference.

    Intervals `_all_`, `p_adjusted` and verdicts hold for all leaders and ways together; `detectable` is the smallest
    difference, in points, for which "people differ" is then said of this leader with 80%.
    """
    n, wins = plays.counts(np.ones_like(plays.won)), plays.counts(plays.won)
    fair = plays.counts(np.broadcast_to(1 / plays.players[:, None], plays.won.shape)) / n
    parts = []
    for one in tests:
        rate, error = one.expected / n, one.error / n
        frame = pd.DataFrame({"leader": plays.leaders, "way": one.way, "n": n.astype(np.int64), "wins": wins})
        frame = frame.assign(**rate_columns(wins, n, "win_rate"), fair_share=fair, expected_error=error)
        parts.append(frame.assign(**around("expected_rate", rate, error)))
    whole = pd.concat(parts, ignore_index=True)
    own = _ends_of_rates(whole["wins"].to_numpy(float), whole["n"].to_numpy(float))
    share, error = whole["expected_rate"].to_numpy(), whole["expected_error"].to_numpy()
    points = 100 * (whole["win_rate"] - share)
    ends = _less(whole["win_rate"].to_numpy(), own, share, normal_ends(np.zeros(len(share)), error))
    low, high = ends(CONFIDENCE)
    whole = whole.assign(points=points, points_low=low, points_high=high)
    p = exact_against_share(whole["wins"], whole["n"], np.clip(share, 1e-9, 1 - 1e-9))
    whole = whole.assign(**together("points", p, ends))
    whole = judged(whole, "points", 0.0, len(plays), PEOPLE).drop(columns=["games_fewest", "games_most"])
    sides = zip(whole["n"], share, error, strict=True)
    whole["detectable"] = [100 * detectable(case, rate, off, len(whole)) for case, rate, off in sides]
    # Exact intervals hold with any number of plays.
    return whole.assign(small_sample=whole["n"] < SMALL_SAMPLE).drop(columns="expected_error")


def _ends_of_rates(wins: np.ndarray, n: np.ndarray) -> Ends:
    """Return the ends of rates' intervals: Wilson's, which hold on the average, alone; of many questions each has to hold."""
    exactly = exact_ends(wins, n)
    return lambda confidence: wilson(wins, n, confidence) if confidence <= CONFIDENCE else exactly(confidence)


def _less(rate: np.ndarray, own: Ends, share: np.ndarray, off: Ends) -> Ends:
    """Return the ends of a rate less an expected one, in points, from both their intervals (MOVER)."""

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        (low, high), (_, reach), gap = own(confidence), off(confidence), rate - share
        return 100 * (gap - np.hypot(rate - low, reach)), 100 * (gap + np.hypot(high - rate, reach))

    return ends


# --- Which strategy is nearest to people
#
# Which one predicts the winners of their plays best.
#
# Each way gives every play's winner a chance; the mean of its logarithm is the way's score, higher for better (I. Good,
# 1952), and e to it the chance given on the (geometric) average. Ways are compared play by play (Q. Vuong, Econometrica 57,
# 1989): the mean difference of two scores has Student's interval, for all pairs together (Bonferroni). `equal` stands for no
# knowledge at all: every seat the same chance.

EQUAL = "equal chances"
NEAREST, FURTHER, OPEN = "nearest", "further than the nearest", "cannot be distinguished from the nearest"
BESIDE = Words(FURTHER, FURTHER, OPEN, OPEN, OPEN, OPEN, OPEN)  # of how far a way is behind the best


def scored(forecasts: Sequence[Foretold], plays: Seated) -> pd.DataFrame:
    """Return one row a way, the best first, and one for equal chances.

    Columns: way, plays, score, chance_of_winner, and `behind` (the best way's score less this one's, a play) with its interval
    for all pairs together; `verdict` with its `certainty`, and the fewest and the most plays that would tell the best from all
    ways that are open, by these verdicts, with a probability of 80% (`plays_fewest`, `plays_most`; NaN where it is told).
    """
    flat = np.where(plays.occupied, 0.0, -np.inf)
    names = [*(one.way.name for one in forecasts), EQUAL]
    scores = np.array([log_scores(chances(u), plays.won) for u in (*(one.utility for one in forecasts), flat)])
    mean, pairs = scores.mean(axis=1), len(names) * (len(names) - 1) // 2
    best = int(np.argmax(mean[:-1]))
    n = len(plays)
    gap = scores[best] - scores
    error = gap.std(axis=1, ddof=1) / np.sqrt(n) if n > 1 else np.full(len(names), np.nan)
    student = stats.t(max(n - 1, 1))
    quantile, own = float(student.isf(SIGNIFICANT / pairs / 2)), float(student.isf(SIGNIFICANT / 2)) * error
    behind, reach = gap.mean(axis=1), quantile * error
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.minimum(1, pairs * 2 * student.sf(np.abs(behind) / error))
    frame = pd.DataFrame({
        "way": names, "plays": n, "score": mean, "chance_of_winner": np.exp(mean), "behind": behind,
        "behind_low": behind - reach, "behind_high": behind + reach, "p_adjusted": p,
    })  # fmt: skip
    verdicts = [read(low, high, 0.0) for low, high in zip(behind - reach, behind + reach, strict=True)]
    others = np.arange(len(names)) != best
    frame = frame.assign(verdict=[BESIDE.of(one) for one in verdicts], certainty=[certainty_of(one) for one in p])
    # With many more plays Student's quantile is the normal one. All that is open is to be decided together.
    open_ones, asked = others & frame["verdict"].eq(OPEN).to_numpy(), (0.0, quantile_for(pairs), DIFFERENT)
    most = games_to_decide(behind - own, behind + own, error, n, *asked)[1]
    fewest = np.full(len(names), np.nan)
    if open_ones.any() and n > 1:
        fewest[open_ones] = max(n + 1, games_for_all((behind + own)[open_ones], error[open_ones], n, *asked))
    frame = frame.assign(plays_fewest=fewest, plays_most=np.where(open_ones, most, np.nan))
    frame.loc[best, ["behind_low", "behind_high", "p_adjusted"]] = np.nan
    sure = not open_ones.any()
    frame.loc[best, ["verdict", "certainty"]] = [NEAREST, weakest(frame.loc[others, "certainty"])] if sure else [OPEN, "open"]
    return frame.sort_values("score", ascending=False, kind="stable", ignore_index=True)


# --- Plays and simulation together


def estimates_table(plays: Seated, found: Pooled) -> pd.DataFrame:
    """Return one row a leader, the strongest first: people and simulation together, at tables of the usual size."""
    n, wins = plays.counts(np.ones_like(plays.won)), plays.counts(plays.won)
    frame = pd.DataFrame(
        {
            "leader": found.leaders, "n": n.astype(np.int64), **rate_columns(wins, n, "win_rate"), "players": found.players,
            "simulated_rate": found.simulated, "estimated_rate": found.rate, "estimated_rate_low": found.low,
            "estimated_rate_high": found.high, "weight": found.weight,
        }
    )  # fmt: skip
    return frame.sort_values("estimated_rate", ascending=False, kind="stable", ignore_index=True)
