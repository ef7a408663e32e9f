"""Whether people's leaders win as often as a strategy's, and which strategy is nearest to people: tests of real plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import optimize, stats

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
from .forecast import Fitted, Foretold, Pooled, Seated, by_leader, by_person, fit, log_scores
from .logit import chances

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
    flat = np.where(plays.there, 0.0, -np.inf)
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
