"""Do people win with each leader as often as a strategy says? One test over all leaders, and what it could see.

The test is the score test of leaders' effects on top of the way's chances (C. Rao, 1948): U, the leaders' wins less those
expected at these very tables, against their covariance V. People who play better than others, and who may always take the same
leader, are taken out: each has an effect of a variance that the plays tell themselves (`choice.evidence`), and U and V are
what is left beside these. The errors of the way's own figures, which come from a number of games, are part of V. The p value
compares T = U'V⁻U with draws of winners by those chances, so it holds with few plays, too: p = (1 + draws at least as large) /
(1 + draws).

Power: if one leader won more, or less, by so many points of its plays, U would be off by so much, and T have about the
noncentral χ² distribution. The difference that is then found with 80% is the smallest that can be seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

from ..models.logit import chances
from ..statistics.inference import SIGNIFICANT
from .choice import Fitted, by_leader, by_person, fit
from .seated import Seated
from .ways import Foretold

DRAWS = 4_000
AT_ONCE = 1 << 22  # numbers of draws that are in memory together
POWER = 0.8
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
