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
from ..stats.inference import SIGNIFICANT, Ends, around, exact_against_share, exact_ends, normal_ends, together
from ..stats.rates import CONFIDENCE, SMALL_SAMPLE, rate_columns, wilson
from ..stats.verdicts import (
    DIFFERENT,
    HIGHER,
    PEOPLE,
    POWER,
    Nearness,
    Verdict,
    certainty_of,
    detectable,
    games_for_all,
    games_to_decide,
    judged,
    quantile_for,
    read,
    significant,
    verdict_cells,
    verdict_columns,
    weakest,
)
from .logit import Fit, Outcomes, chances, fisher_information, fit_logit, order_factor, outcomes, present
from .read import Run

# --- Plays as arrays by play and seat
#
# Tables of different sizes lie in arrays as wide as the largest; `occupied` says which seats exist.

NOBODY = -1


@dataclass(frozen=True)
class SeatedPlays:
    """Plays: (n,) of each, (n, k) of each seat; NOBODY where there is no seat, or the person's name was not noted."""

    leaders: tuple[str, ...]  # names of the codes, in alphabetical order
    people: tuple[str, ...]
    leader: np.ndarray
    person: np.ndarray
    order: np.ndarray  # place in the turn order from 0, NOBODY where it is not known
    won: np.ndarray  # shares of the win

    @property
    def occupied(self) -> np.ndarray:
        """Return which seats exist."""
        return self.leader != NOBODY

    @property
    def players(self) -> np.ndarray:
        """Return the number of seats of each play."""
        return self.occupied.sum(axis=1)

    @property
    def ordered(self) -> np.ndarray:
        """Return which plays have a known turn order."""
        return (self.order >= 0).sum(axis=1) == self.players

    def __len__(self) -> int:
        return len(self.leader)

    def where(self, keep: np.ndarray) -> SeatedPlays:
        """Return the marked plays."""
        return SeatedPlays(
            self.leaders, self.people, *(column[keep] for column in (self.leader, self.person, self.order, self.won))
        )

    def counts(self, values: np.ndarray) -> np.ndarray:
        """Return the sums of seats' values by leader."""
        return np.bincount(self.leader[self.occupied], values[self.occupied], len(self.leaders))


def seated(seats: pd.DataFrame) -> SeatedPlays:
    """Return the plays of a table `seats` (game_id, seat, leader, player, order, won) as arrays."""
    game, games = pd.factorize(seats["game_id"], sort=True)
    place = seats.groupby("game_id").cumcount().to_numpy()
    leader, leaders = pd.factorize(seats["leader"].astype(str), sort=True)
    person, people = pd.factorize(seats["player"].astype(object), sort=True)
    shape = len(games), int(place.max(initial=0)) + 1

    def grid(values: np.ndarray, empty: float, kind: Any) -> np.ndarray:
        array = np.full(shape, empty, kind)
        array[game, place] = values
        return array

    order = seats["order"].fillna(0).to_numpy(float) - 1
    return SeatedPlays(
        tuple(map(str, leaders)), tuple(map(str, people)), grid(leader, NOBODY, int), grid(person, NOBODY, int),
        grid(order, NOBODY, int), grid(seats["won"].to_numpy(float), 0, float),
    )  # fmt: skip


def coded(names: Sequence[str], codes: Mapping[str, int]) -> np.ndarray:
    """Return the codes of names, NOBODY for a name without one; the last entry stands for no seat."""
    return np.array([*(codes.get(name, NOBODY) for name in names), NOBODY])


# --- Strategies, and the chances that each gives the seats of real plays
#
# A way is the runs of one strategy (or mix). For each number of players it has a model of who wins (`logit`) by leader and
# place in the turn order, and another by leader alone for plays whose turn order nobody noted. Plays are compared only with
# games of the same number of players, because a leader's strength depends on it.

WITH_ORDER, WITHOUT = ("leader", "order"), ("leader",)


@dataclass
class StrategyRuns:
    """The runs of one strategy."""

    name: str
    runs: Sequence[Run]

    @cached_property
    def outcomes(self) -> Outcomes:
        """The games, equal tables counted together."""
        return outcomes(list(self.runs), WITH_ORDER, cards=False)

    @property
    def players(self) -> list[int]:
        """Numbers of players of its games."""
        return sorted({run.players for run in self.runs})

    @property
    def games(self) -> int:
        """Number of games."""
        return self.outcomes.games

    def fit(self, players: int, factors: Sequence[str]) -> Fit:
        """Return the model of who wins games of this many players; raise UserError naming the way if there is none."""
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
        return {}  # cached, because fits are cached by the object

    def knows(self, plays: SeatedPlays) -> np.ndarray:
        """Return which plays have as many players as games of this way, and only leaders that played in these."""
        predictable = np.zeros(len(plays), bool)
        for players in self.players:
            code = coded(plays.leaders, {name: k for k, name in enumerate(self._of(players).levels["leader"])})
            predictable |= (plays.players == players) & ((code[plays.leader] >= 0) | ~plays.occupied).all(axis=1)
        return predictable


@dataclass(frozen=True)
class Forecast:
    """A way's prediction of plays: seats' sums of effects, and their derivatives by its models' estimated parameters."""

    way: StrategyRuns
    utility: np.ndarray  # (plays, seats), -inf where there is no seat
    design: np.ndarray  # (plays, seats, parameters)
    covariance: np.ndarray  # of the parameters


def forecast_of(way: StrategyRuns, plays: SeatedPlays) -> Forecast:
    """Return the way's prediction of plays that it knows."""
    models = []
    for players in way.players:
        for factors, mask in ((WITH_ORDER, plays.ordered), (WITHOUT, ~plays.ordered)):
            rows = mask & (plays.players == players)
            if rows.any():
                models.append((rows, way.fit(players, factors), players))
    size = sum(len(fit.parameters) for _, fit, _ in models)
    design, covariance = np.zeros((*plays.leader.shape, size)), np.zeros((size, size))
    parameters = np.zeros(size)
    start = 0
    for rows, fit, players in models:
        part = slice(start, start + len(fit.parameters))
        design[rows, :, part] = _design(plays.where(rows), fit, players)
        covariance[part, part], parameters[part] = fit.covariance, fit.parameters
        start = part.stop
    return Forecast(way, np.where(plays.occupied, design @ parameters, -np.inf), design, covariance)


def _design(plays: SeatedPlays, fit: Fit, players: int) -> np.ndarray:
    """Return the design of the model's parameters, (plays, seats, parameters)."""
    design = np.zeros((*plays.leader.shape, len(fit.parameters)))
    if "leader" in fit.bases:
        code = coded(plays.leaders, {name: k for k, name in enumerate(fit.factors["leader"])})[plays.leader]
        design[:, :, fit.places["leader"]] = np.where(plays.occupied[:, :, None], fit.bases["leader"][code], 0)
    order = order_factor(players)
    if order in fit.bases:
        design[:, :, fit.places[order]] = np.where(plays.occupied[:, :, None], fit.bases[order][plays.order], 0)
    return design


def ways_of(runs: Mapping[str, Run]) -> list[StrategyRuns]:
    """Return the ways of the runs in these folders: runs with the same strategy and rules are one way."""
    groups: dict[tuple[str, str], list[str]] = {}
    for folder, run in runs.items():
        who = ", ".join(dict.fromkeys(run.manifest["plan"].get("strategies", []))) or folder
        groups.setdefault((who, str(run.manifest.get("ruleset", {}).get("digest"))), []).append(folder)
    names = [who for who, _ in groups]
    ways = []
    for (who, _), folders in groups.items():
        name = who if names.count(who) == 1 else f"{who} ({', '.join(folders)})"
        ways.append(StrategyRuns(name, [runs[folder] for folder in folders]))
    return ways


# --- Who wins a play, given chances from runs, with further effects that are shrunk towards 0
#
# The model is the conditional logit (`logit`) with sums of effects u known from runs: chances are those of u + X b, and b is
# normal around 0 with its own variances. Large variances let plays decide, small ones the known chances. `evidence` is the
# likelihood of the plays with b integrated out by Laplace's method (L. Tierney and J. Kadane, JASA 81, 1986); it says which
# variances fit (empirical Bayes).

MOST_STEPS = 40
NONE = 1e-6  # a variance that holds an effect at 0


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
        return np.asarray(np.linalg.inv(self.information + np.diag(self.precision)))


def fit(
    utility: np.ndarray, design: np.ndarray, won: np.ndarray, variance: np.ndarray, start: np.ndarray | None = None
) -> Fitted:
    """Return the effects of largest posterior density, by Newton's method, with the evidence for the variances (Laplace)."""
    precision = 1 / np.maximum(np.asarray(variance, float), NONE)
    if not len(precision):
        chance = chances(utility)
        return Fitted(precision, chance, np.zeros((0, 0)), precision, log_likelihood(chance, won))
    effects = np.zeros(design.shape[2]) if start is None else start
    ones = np.ones(len(won))
    for _ in range(MOST_STEPS):
        chance = chances(utility + design @ effects)
        information = fisher_information(design, chance, ones)
        gradient = np.einsum("ns,nsk->k", won - chance, design) - precision * effects
        step = np.linalg.solve(information + np.diag(precision), gradient)
        longest = np.abs(step).max(initial=0)
        effects = effects + step / max(1.0, longest)  # steps are at most 1: with few plays Newton's may overshoot
        if longest < 1e-7:
            break
    chance = chances(utility + design @ effects)
    information = fisher_information(design, chance, ones)
    value = log_likelihood(chance, won) - 0.5 * float(precision @ effects**2)
    value += 0.5 * float(np.log(precision).sum() - np.linalg.slogdet(information + np.diag(precision))[1])
    return Fitted(effects, chance, information, precision, value)


def log_likelihood(chance: np.ndarray, won: np.ndarray) -> float:
    """Return the log likelihood of these winners; a shared win counts in parts."""
    return float(log_scores(chance, won).sum())


def log_scores(chance: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the logarithm of the chance given to each play's winner."""
    return np.asarray((won * np.log(np.where(won > 0, np.maximum(chance, 1e-300), 1))).sum(axis=1))


def by_leader(plays: SeatedPlays) -> np.ndarray:
    """Return the design (plays, seats, leaders): 1 at the seats of a leader."""
    return _marked(plays.leader, len(plays.leaders))


def by_person(plays: SeatedPlays) -> np.ndarray:
    """Return the design (plays, seats, people): 1 at the seats of a person; people who played once are left out."""
    times = np.bincount(plays.person[plays.person != NOBODY], minlength=len(plays.people))
    return _marked(plays.person, len(plays.people))[:, :, times > 1]


def _marked(code: np.ndarray, size: int) -> np.ndarray:
    design = np.zeros((*code.shape, size))
    n, s = np.nonzero(code != NOBODY)
    design[n, s, code[n, s]] = 1
    return design


# --- Each leader's strength from people's plays and the simulation together, with a weight estimated from the plays
#
# A leader's strength for people is that for a strategy plus a deviation, normal around 0 with an unknown standard deviation (B.
# Efron and C. Morris, JASA 70, 1975). People's skill has an unknown one, too. Each combination of a way and grid values of both
# standard deviations is a hypothesis with its evidence (`fit`); the estimate is the mixture over all hypotheses, so it includes
# the uncertainty of the weight. The weight of the plays is the share by which they narrow the prior: 0% is the simulation
# alone, 100% people alone. All ways have the same prior weight; standard deviations have half-normal ones.

DEVIATIONS = np.array([0.03, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.05, 1.4])  # of leaders, in log odds
POOL_SKILLS = np.array([0.0, 0.3, 0.6, 1.0, 1.5])
USUAL = 1.0  # scale of the half-normal weights of both
POOL_DRAWS = 4_000
WIDER = 1.3  # variance of the proposal over that of the normal approximation: resampling needs its tails
POOL_AT_ONCE = 1 << 22  # numbers in memory at a time
MOST_TABLES = 400


@dataclass(frozen=True)
class Pooled:
    """Win rates at balanced tables of one size, by leader: the estimate, the simulation's rate, the weight of the plays."""

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
    log_prior: float


def pooled(forecasts: Sequence[Forecast], plays: SeatedPlays, players: int, draws: int = POOL_DRAWS) -> Pooled:
    """Return the estimates at balanced tables of this many players."""
    rng, leaders = np.random.default_rng(0), len(plays.leaders)
    design = np.concatenate([by_leader(plays), by_person(plays)], axis=2)
    hypotheses = _hypotheses(forecasts, plays, design)
    which, effects = _posterior(hypotheses, forecasts, plays, design, draws, rng)
    effects_of_ways = [_effects_of_leaders(forecast, plays, players) for forecast in forecasts]
    in_all_ways = np.all([~np.isnan(mean) for mean, _ in effects_of_ways], axis=0)
    way = np.array([h.way for h in hypotheses])[which]
    for k, (mean, covariance) in enumerate(effects_of_ways):
        number = int((way == k).sum())
        noise = rng.multivariate_normal(np.zeros(leaders), covariance, number, method="eigh")
        effects[way == k, :leaders] += mean + noise
    rates = _rates(effects[:, :leaders][:, in_all_ways], players)
    of_ways = np.bincount(way, minlength=len(forecasts)) / len(way)
    simulated = of_ways @ np.concatenate([_rates(mean[None, in_all_ways], players) for mean, _ in effects_of_ways])
    share = np.bincount(which, minlength=len(hypotheses)) / len(which)
    shrinkage = np.array([np.diag(h.fitted.covariance)[:leaders] / h.deviation**2 for h in hypotheses])
    ends = np.quantile(rates, [SIGNIFICANT / 2, 1 - SIGNIFICANT / 2], axis=0)
    figures = np.full((4, leaders), np.nan)  # of leaders that every way knows at such tables
    figures[:, in_all_ways] = [rates.mean(axis=0), *ends, simulated]
    fair = 1 / players
    return Pooled(
        plays.leaders, players, figures[0], figures[1], figures[2], figures[3], np.clip(share @ (1 - shrinkage), 0, 1),
        {forecast.way.name: float(part) for forecast, part in zip(forecasts, of_ways, strict=True)},
        100 * fair * (1 - fair) * float(share @ [h.deviation for h in hypotheses]),
        float(share @ [h.skill for h in hypotheses]),
    )  # fmt: skip


def _posterior(
    hypotheses: Sequence[_Hypothesis],
    forecasts: Sequence[Forecast],
    plays: SeatedPlays,
    design: np.ndarray,
    draws: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Return draws of hypotheses and effects, given the plays.

    Proposals come from the hypotheses' normal approximations, made wider, and are resampled by the ratio of the true to the
    proposal density (importance resampling; weights truncated as in E. Ionides, Journal of Computational and Graphical
    Statistics 17, 2008).
    """
    value = np.array([hypothesis.fitted.evidence + hypothesis.log_prior for hypothesis in hypotheses])
    share = np.exp(value - value.max())
    share /= share.sum()
    which = np.sort(rng.choice(len(hypotheses), draws, p=share))
    effects, log_weight = np.empty((draws, design.shape[2])), np.empty(draws)
    for k in np.unique(which):
        rows, hypothesis = which == k, hypotheses[k]
        root = np.linalg.cholesky(WIDER * hypothesis.fitted.covariance)
        normal = rng.standard_normal((int(rows.sum()), len(root)))
        effects[rows] = hypothesis.fitted.effects + normal @ root.T
        log_proposal = -0.5 * (normal**2).sum(axis=1) - np.log(np.diag(root)).sum() + np.log(share[k])
        log_weight[rows] = (
            _density(effects[rows], hypothesis, forecasts[hypothesis.way].utility, design, plays.won) - log_proposal
        )
    weight = np.exp(log_weight - log_weight.max())
    weight = np.minimum(weight, weight.mean() * np.sqrt(draws))
    resampled = rng.choice(draws, draws, p=weight / weight.sum())
    return which[resampled], effects[resampled]


def _density(
    effects: np.ndarray, hypothesis: _Hypothesis, utility: np.ndarray, design: np.ndarray, won: np.ndarray
) -> np.ndarray:
    """Return the log joint density of effects and plays under the hypothesis."""
    precision = hypothesis.fitted.precision
    density = hypothesis.log_prior + 0.5 * np.log(precision).sum() - 0.5 * effects**2 @ precision
    step = max(1, POOL_AT_ONCE // utility.size)
    parts = [effects[low : low + step] for low in range(0, len(effects), step)]
    return density + np.concatenate(
        [_likelihood(utility[None] + np.einsum("nsk,dk->dns", design, part), won) for part in parts]
    )


def _likelihood(utility: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the log likelihood of all winners for each table of utilities (draws, plays, seats)."""
    top = utility.max(axis=2)
    total = top + np.log(np.exp(utility - top[:, :, None]).sum(axis=2))
    chosen = np.where(won > 0, utility, 0)
    return np.asarray(np.einsum("dns,ns->d", chosen, won) - total.sum(axis=1))


def _hypotheses(forecasts: Sequence[Forecast], plays: SeatedPlays, design: np.ndarray) -> list[_Hypothesis]:
    """Return the fit of every hypothesis: a way, a deviation of leaders, a deviation of people's skill."""
    leaders, people = len(plays.leaders), design.shape[2] - len(plays.leaders)
    skills = POOL_SKILLS if people else POOL_SKILLS[:1]
    weights = np.log(np.outer(prior(DEVIATIONS), prior(skills)))
    hypotheses = []
    for way, forecast in enumerate(forecasts):
        start = None
        for (a, deviation), (b, skill) in product(enumerate(DEVIATIONS), enumerate(skills)):
            variance = np.r_[np.full(leaders, deviation**2), np.full(people, skill**2)]
            fitted = fit(forecast.utility, design, plays.won, variance, start)
            start = fitted.effects
            hypotheses.append(_Hypothesis(way, float(deviation), float(skill), fitted, float(weights[a, b])))
    return hypotheses


def prior(grid: np.ndarray) -> np.ndarray:
    """Return half-normal weights of a grid, each times the width of the interval nearest to its value."""
    if len(grid) == 1:
        return np.ones(1)
    edges = np.r_[0, (grid[1:] + grid[:-1]) / 2, grid[-1] + (grid[-1] - grid[-2]) / 2]
    weight = np.diff(edges) * np.exp(-0.5 * (grid / USUAL) ** 2)
    return np.asarray(weight / weight.sum())


def _effects_of_leaders(forecast: Forecast, plays: SeatedPlays, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the way's effects of the plays' leaders in games of this many players, NaN if unknown, and their covariance."""
    model = forecast.way.fit(players, WITHOUT)
    effect, covariance = model.effects("leader")
    at = coded(plays.leaders, {name: k for k, name in enumerate(model.factors["leader"])})[:-1]
    known = at != NOBODY
    full = np.zeros((len(at), len(at)))
    full[np.ix_(known, known)] = covariance[np.ix_(at[known], at[known])]
    return np.where(known, effect[at], np.nan), full


def _rates(effects: np.ndarray, players: int) -> np.ndarray:
    """Return the win rates (draws, leaders) over tables of all combinations of leaders, or a random sample of them."""
    size = effects.shape[1]
    tables = np.array(list(combinations(range(size), players))) if size <= 12 else _lot(size, players)
    rates, seated = np.zeros((len(effects), size)), np.bincount(tables.ravel(), minlength=size)
    for k, draw in enumerate(effects):
        rates[k] = np.bincount(tables.ravel(), chances(draw[tables]).ravel(), size)
    return rates / seated


def _lot(size: int, players: int) -> np.ndarray:
    """Return tables in which all leaders sit equally often: random circles of leaders, cut at every place."""
    rng = np.random.default_rng(1)
    parts = []
    for _ in range(-(-MOST_TABLES // size)):
        order = rng.permutation(size)
        parts.append(np.stack([np.roll(order, -k)[:players] for k in range(size)]))
    return np.concatenate(parts)


# --- Do people win with each leader as often as a strategy predicts? One test over all leaders, and its power
#
# The test is the score test of leaders' effects on top of the way's chances (C. Rao, 1948): U, the leaders' wins less those
# expected at these tables, against their covariance V. Better players may prefer certain leaders, so people's skill is taken
# out: each person has an effect whose variance is estimated from the plays (`fit`), and U and V are what remains beside these
# effects. V includes the errors of the way's own figures, which come from a finite number of games. The p value compares T =
# U'V⁻U with draws of winners by those chances, so it holds with few plays, too: p = (1 + draws at least as large) / (1 + draws)
# (A. Davison and D. Hinkley, Bootstrap Methods and their Application, 1997).
#
# Power: if one leader won more, or less, by this many points of its plays, U would shift by as much, and T have about the
# noncentral χ² distribution. The difference that is then detected with 80% is the smallest detectable one.

DRAWS = 4_000
AT_ONCE = 1 << 22  # numbers in memory at a time
FURTHEST = 8.0  # log odds by which a leader may be off
TINY = 1e-9
SKILLS = (0.0, 0.3, 0.6, 1.0, 1.5)  # standard deviations of people's effects (log odds) that are tried


@dataclass(frozen=True)
class Agreement:
    """The test of one way, and the smallest difference of each leader that it detects with 80%, in points (NaN: none)."""

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

    beside: np.ndarray  # (plays, seats, leaders) leaders' design, people's projected out
    value: np.ndarray  # U
    effective: np.ndarray  # its covariance if the way's figures were exact
    rest: np.ndarray  # covariance not due to the winners: from people's skill and the errors of the way's figures
    noise: np.ndarray  # the latter alone

    @property
    def inverse(self) -> np.ndarray:
        """Return V⁻, a pseudoinverse: leaders' effects sum to 0."""
        return np.asarray(np.linalg.pinv(self.effective + self.noise, rcond=TINY, hermitian=True))

    @property
    def freedom(self) -> int:
        """Return the degrees of freedom of T."""
        scale = max(1.0, float(np.trace(self.effective)))
        return int(np.linalg.matrix_rank(self.effective, tol=TINY * scale, hermitian=True))


def agreement(forecast: Forecast, plays: SeatedPlays, draws: int = DRAWS, tests: int = 1) -> Agreement:
    """Return the test that leaders' wins in these plays are as the way predicts, with the power of one of this many tests."""
    people = by_person(plays)
    base, skill = skilled(forecast, plays, people)
    score = _score(forecast, plays, people, base)
    inverse, freedom = score.inverse, score.freedom
    statistic = float(score.value @ inverse @ score.value)
    drawn = _drawn(base.chance, score.beside, score.rest, draws)
    statistics = np.einsum("bl,lm,bm->b", drawn, inverse, drawn)
    p = (1 + int((statistics >= statistic * (1 - TINY)).sum())) / (1 + draws)
    expected, error = _expected(forecast, plays)
    detectable = _detectable(forecast.utility, plays, score, float(np.quantile(statistics, 1 - SIGNIFICANT / tests)))
    return Agreement(forecast.way.name, len(plays), statistic, freedom, p, skill, expected, error, detectable)


def _score(forecast: Forecast, plays: SeatedPlays, people: np.ndarray, base: Fitted) -> _Score:
    """Return the score at the way's chances with people's effects on top."""
    leader, chance = by_leader(plays), base.chance
    weighted = _weighted(leader, chance)
    shared = np.einsum("nsk,nsl->kl", people, weighted)
    answer = base.covariance @ shared  # how people's effects respond to leaders'
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


def skilled(forecast: Forecast, plays: SeatedPlays, people: np.ndarray) -> tuple[Fitted, float]:
    """Return the way's chances with people's effects on top, of the best-fitting standard deviation, and that deviation."""
    size = people.shape[2]
    fits = [
        (fit(forecast.utility, people, plays.won, np.full(size, skill**2)), skill) for skill in (SKILLS if size else SKILLS[:1])
    ]
    return max(fits, key=lambda candidate: candidate[0].evidence)


def _drawn(chance: np.ndarray, beside: np.ndarray, rest: np.ndarray, draws: int) -> np.ndarray:
    """Return draws of the score: winners by their chances, plus normal noise with the covariance `rest`."""
    rng = np.random.default_rng(0)
    cumulative = np.cumsum(chance, axis=1)
    middle = np.einsum("ns,nsl->l", chance, beside)
    scores = np.empty((draws, beside.shape[2]))
    step = max(1, AT_ONCE // max(1, beside.size))
    for low in range(0, draws, step):
        part = slice(low, min(draws, low + step))
        uniform = rng.random((part.stop - low, len(chance)))
        winner = np.minimum((uniform[:, :, None] > cumulative[None]).sum(axis=2), chance.shape[1] - 1)
        scores[part] = beside[np.arange(len(chance))[None, :], winner].sum(axis=1) - middle
    return scores + rng.multivariate_normal(np.zeros(len(rest)), rest, draws, method="eigh")


def _expected(forecast: Forecast, plays: SeatedPlays) -> tuple[np.ndarray, np.ndarray]:
    """Return each leader's wins as expected by the way, and their standard errors."""
    chance = chances(forecast.utility)
    slope = _weighted(forecast.design, chance)
    rows = np.stack([plays.counts(column) for column in np.moveaxis(slope, 2, 0)], axis=1)
    error = np.sqrt(np.maximum(np.einsum("lp,pq,lq->l", rows, forecast.covariance, rows), 0))
    return plays.counts(chance), error


def _detectable(utility: np.ndarray, plays: SeatedPlays, score: _Score, critical: float) -> np.ndarray:
    """Return the smallest difference of each leader's rate, up or down, that is detected with 80%, in points; NaN: none."""
    points = np.full(len(plays.leaders), np.nan)
    if not score.freedom:
        return points
    needed = float(optimize.brentq(lambda x: stats.ncx2.sf(critical, score.freedom, x) - POWER, TINY, 1e4))
    for leader in range(len(points)):
        ends = np.array([_off(utility, plays.leader == leader, sign, needed, score) for sign in (1.0, -1.0)])
        points[leader] = np.nanmin(ends) if not np.isnan(ends).all() else np.nan
    return 100 * points


def _off(utility: np.ndarray, seats: np.ndarray, sign: float, needed: float, score: _Score) -> float:
    """Return the change of a leader's rate with the needed noncentrality; NaN if it is out of reach."""
    chance, inverse = chances(utility), score.inverse

    def moved(x: float) -> np.ndarray:
        return chances(utility + sign * x * seats) - chance

    def lacking(x: float) -> float:
        shift = np.einsum("ns,nsl->l", moved(x), score.beside)
        return float(shift @ inverse @ shift) - needed

    if lacking(FURTHEST) < 0:
        return np.nan
    return float(abs(moved(optimize.brentq(lacking, 0.0, FURTHEST, xtol=1e-4))[seats].mean()))


def agreement_table(tests: Sequence[Agreement]) -> pd.DataFrame:
    """Return one row per way: the test, corrected for the number of ways, and its smallest detectable difference."""
    rows = []
    for test in tests:
        p, points = min(1.0, len(tests) * test.p), test.detectable[~np.isnan(test.detectable)]
        verdict = Verdict.FAR_ABOVE if significant(p) else Verdict.UNDECIDED
        rows.append({
            "way": test.way, "plays": test.plays, "chi2": test.statistic, "df": test.freedom, "p": test.p, "p_adjusted": p,
            "skill": test.skill, "detectable": float(points.min()) if len(points) else np.nan,
            **verdict_cells(verdict, PEOPLE), "certainty": certainty_of(p),
        })  # fmt: skip
    return pd.DataFrame(rows)


def leaders_beside(plays: SeatedPlays, tests: Sequence[Agreement]) -> pd.DataFrame:
    """Return one row per leader and way: people's rate, the rate that the way expects at these tables, their difference.

    Intervals `_all_`, `p_adjusted` and verdicts hold for all leaders and ways together; `detectable` is the smallest
    difference, in points, at which "people differ" is reported for this leader with a probability of 80%.
    """
    n, wins = plays.counts(np.ones_like(plays.won)), plays.counts(plays.won)
    fair = plays.counts(np.broadcast_to(1 / plays.players[:, None], plays.won.shape)) / n
    parts = []
    for test in tests:
        rate, error = test.expected / n, test.error / n
        frame = pd.DataFrame({"leader": plays.leaders, "way": test.way, "n": n.astype(np.int64), "wins": wins})
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
    """Return the ends of rates' intervals: Wilson's for one rate, which hold on average; exact ones for several questions."""
    exactly = exact_ends(wins, n)
    return lambda confidence: wilson(wins, n, confidence) if confidence <= CONFIDENCE else exactly(confidence)


def _less(rate: np.ndarray, own: Ends, share: np.ndarray, off: Ends) -> Ends:
    """Return the ends of a rate less an expected one, in points, from both intervals (MOVER: G. Zou and A. Donner, 2008)."""

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        (low, high), (_, reach), gap = own(confidence), off(confidence), rate - share
        return 100 * (gap - np.hypot(rate - low, reach)), 100 * (gap + np.hypot(high - rate, reach))

    return ends


# --- Which strategy is nearest to people: which predicts the winners of their plays best
#
# Each way gives every play's winner a chance; the mean of its logarithm is the way's score, higher for better (I. Good, 1952),
# and e to it the geometric mean of that chance. Ways are compared play by play (Q. Vuong, Econometrica 57, 1989): the mean
# difference of two scores has Student's interval, for all pairs together (Bonferroni). `equal` gives every seat the same
# chance.

EQUAL = "equal chances"


def scored(forecasts: Sequence[Forecast], plays: SeatedPlays) -> pd.DataFrame:
    """Return one row per way, the best first, and one for equal chances.

    Columns: way, plays, score, chance_of_winner, and `behind` (the best way's score less this one's, a play) with its interval
    for all pairs together; `verdict` with its `certainty`; and the fewest and the most plays that would separate the best from
    all ways not yet separated, with a probability of 80% (`plays_fewest`, `plays_most`; NaN where separated).
    """
    flat = np.where(plays.occupied, 0.0, -np.inf)
    names = [*(forecast.way.name for forecast in forecasts), EQUAL]
    scores = np.array([log_scores(chances(u), plays.won) for u in (*(forecast.utility for forecast in forecasts), flat)])
    mean, pairs = scores.mean(axis=1), len(names) * (len(names) - 1) // 2
    best = int(np.argmax(mean[:-1]))
    n = len(plays)
    gap = scores[best] - scores
    error = gap.std(axis=1, ddof=1) / np.sqrt(n) if n > 1 else np.full(len(names), np.nan)
    student = stats.t(max(n - 1, 1))
    quantile, reach_alone = float(student.isf(SIGNIFICANT / pairs / 2)), float(student.isf(SIGNIFICANT / 2)) * error
    behind, reach = gap.mean(axis=1), quantile * error
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.minimum(1, pairs * 2 * student.sf(np.abs(behind) / error))
    frame = pd.DataFrame({
        "way": names, "plays": n, "score": mean, "chance_of_winner": np.exp(mean), "behind": behind,
        "behind_low": behind - reach, "behind_high": behind + reach, "p_adjusted": p,
    })  # fmt: skip
    further = [read(low, high, 0.0) in HIGHER for low, high in zip(behind - reach, behind + reach, strict=True)]
    others = np.arange(len(names)) != best
    verdicts = [Nearness.FURTHER if each else Nearness.OPEN for each in further]
    frame = frame.assign(certainty=[certainty_of(value) for value in p])
    # With many more plays Student's quantile is the normal one. All undecided ways are to be decided together.
    undecided, question = others & ~np.array(further), (0.0, quantile_for(pairs), DIFFERENT)
    most = games_to_decide(behind - reach_alone, behind + reach_alone, error, n, *question)[1]
    fewest = np.full(len(names), np.nan)
    if undecided.any() and n > 1:
        fewest[undecided] = max(n + 1, games_for_all((behind + reach_alone)[undecided], error[undecided], n, *question))
    frame = frame.assign(plays_fewest=fewest, plays_most=np.where(undecided, most, np.nan))
    frame.loc[best, ["behind_low", "behind_high", "p_adjusted"]] = np.nan
    sure = not undecided.any()
    verdicts[best] = Nearness.NEAREST if sure else Nearness.OPEN
    frame.loc[best, "certainty"] = weakest(frame.loc[others, "certainty"]) if sure else "open"
    frame = frame.assign(**verdict_columns(verdicts))
    return frame.sort_values("score", ascending=False, kind="stable", ignore_index=True)


# --- Plays and simulation together


def estimates_table(plays: SeatedPlays, estimate: Pooled) -> pd.DataFrame:
    """Return one row per leader, the strongest first: people and simulation together, at tables of the usual size."""
    n, wins = plays.counts(np.ones_like(plays.won)), plays.counts(plays.won)
    frame = pd.DataFrame(
        {
            "leader": estimate.leaders, "n": n.astype(np.int64), **rate_columns(wins, n, "win_rate"),
            "players": estimate.players, "simulated_rate": estimate.simulated,
            "estimated_rate": estimate.rate, "estimated_rate_low": estimate.low,
            "estimated_rate_high": estimate.high, "weight": estimate.weight,
        }
    )  # fmt: skip
    return frame.sort_values("estimated_rate", ascending=False, kind="stable", ignore_index=True)
