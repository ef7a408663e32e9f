"""How many games: for an interval of a wanted width, for a verdict, and when one may look again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from .inference import QUANTILE, SIGNIFICANT
from .verdicts import (
    DIFFERENT,
    FAR,
    STRENGTH,
    Z_POWER,
    Verdict,
    chances_decided,
    error_that_decides,
    having,
    quantile_for,
    questions_of,
)

# --- How many games a question needs: for an interval of a wanted width, and for the verdict that will be printed
#
# A rate p out of n cases has an interval of ± z √(p (1 - p) / n), so the figure nearest to 50% is the slowest: games are
# planned for it, with the expected rates. The quantile z is that of the interval which the page shows: the report's hold for
# all leaders together, a comparison's `±` for its figure alone.
#
# Games for a difference are planned by its verdict (`stats.verdicts.error_that_decides`): a leader is *too strong* or *too
# weak* if the interval that holds for all leaders together lies beyond the margin, *balanced* if it lies within; two rulesets
# *differ* if the interval that holds for all figures excludes 0. The verdict has a probability of 80% (J. Cohen, Statistical
# Power Analysis for the Behavioral Sciences, 1988). The error is that of the rates given the difference: for two rulesets p (1
# - p) + p′ (1 - p′) with p′ = p ± d, towards 50%, where it is larger; for a leader a mean of that at the end of the margin,
# which the score test uses, and that at its rate, weighted by their quantiles.

DIFFERS = "higher or lower"  # a comparison's verdict on a figure whose interval excludes 0


@dataclass(frozen=True)
class SampleQuestion:
    """A question about a rate, or about its difference between two `rulesets`.

    `cases` is the number of its cases in a game, `shown` the number of questions for which the page's interval holds together,
    `judged` the same for the interval that its verdict is read from, if it has one; `margin` is what that is read against.
    """

    words: str
    slowest: str
    rate: float
    cases: float
    shown: int = 1
    judged: int | None = None
    rulesets: int = 1
    margin: float = 0.0

    def deviation(self, difference: float = 0.0) -> float:
        """Return the standard deviation of the figure in one game, if it differs by so much from what it is compared with."""
        if self.rulesets == 2:
            moved = self.rate + min(max(0.5 - self.rate, -abs(difference)), abs(difference))
            return math.sqrt((self.rate * (1 - self.rate) + moved * (1 - moved)) / self.cases)
        if difference == 0:
            return self._of(self.rate)
        # A score interval: its end lies at the margin with the error that a rate there would have.
        edge = self._of(self.rate + math.copysign(self.margin, difference))
        assert self.judged is not None
        return (quantile_for(self.judged) * edge + Z_POWER * self._of(self.rate + difference)) / (
            quantile_for(self.judged) + Z_POWER
        )

    def _of(self, rate: float) -> float:
        rate = min(max(rate, 1e-3), 1 - 1e-3)
        return math.sqrt(rate * (1 - rate) / self.cases)

    def rows(self, half_width: float | None, find: float | None) -> list[dict[str, object]]:
        """Return the games for an interval of this half-width, or for each verdict on a difference of that size."""
        if find is None:
            assert half_width is not None
            games = max(1, math.ceil((quantile_for(self.shown) / half_width * self.deviation()) ** 2))
            return [self._row(half_width, games, self._verdict(), self.detectable(games))]
        if self.judged is None:
            return []
        table = []
        for difference in (find,) if self.rulesets == 2 or find < self.margin else (find, -find):
            verdict, wanted = self._verdict(difference), DIFFERENT if find >= self.margin else {Verdict.WITHIN}
            wanted = wanted if self.rulesets == 2 or find < self.margin else {_beyond(difference)}
            error = float(error_that_decides(difference, self.margin, quantile_for(self.judged), wanted))
            never = not find > self.margin and not find < self.margin * (1 - 1e-6)
            needed = math.inf if error <= 0 or never else math.ceil((self.deviation(difference) / error) ** 2)
            reach = quantile_for(self.shown) * self.deviation() / math.sqrt(needed) if needed < math.inf else math.nan
            table.append(self._row(reach, needed, verdict, find))
        return table

    def _verdict(self, difference: float = math.inf) -> str:
        """Return the page's verdict on a difference of this size."""
        if self.judged is None:
            return ""
        if self.rulesets == 2:
            return DIFFERS
        return STRENGTH.of(Verdict.WITHIN if abs(difference) < self.margin else _beyond(difference))

    def _row(self, half_width: float, games: float, verdict: str, detectable: float) -> dict[str, object]:
        columns = {"half_width": half_width, "games": games, "verdict": verdict, "detectable": detectable}
        return {"question": self.words, "slowest": self.slowest, **columns}

    def detectable(self, games: int) -> float:
        """Return the difference that gets its verdict with a probability of 80% in this many games; NaN without a verdict."""
        if self.judged is None:
            return math.nan
        difference = 2 * self.margin
        for _ in range(50):  # fixed point: the error depends on the difference
            difference = self.margin + (quantile_for(self.judged) + Z_POWER) * self.deviation(difference) / math.sqrt(games)
        return difference


def _beyond(difference: float) -> Verdict:
    return Verdict.FAR_ABOVE if difference > 0 else Verdict.FAR_BELOW


# --- Looking again: intervals that hold over several looks at a growing number of games
#
# Whoever plays on until a verdict comes and reads a 95% interval each time is wrong in 9% of questions with two looks, 25% with
# seven doublings. Here the 5% are spent over the looks: a group-sequential design with a spending function (K. Lan and D.
# DeMets, Biometrika 70, 1983), whose looks may come at any number of games, and repeated confidence intervals (C. Jennison and
# B. Turnbull, JRSS B 51, 1989), all of which hold together, so that a verdict may be read from any of them, against any margin.
#
# A confidence sequence, which would allow a look after each game (S. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, Annals of
# Statistics 49, 2021; the package confseq), pays for looks that nobody takes: its intervals are 1.4 to 1.5 times as wide where
# they are tuned to be narrowest, which takes twice the games, and confseq has had no release since January 2023. Packages for
# group-sequential designs are for whole experiments (spotify-confidence) or new (gsdesign). The recursion (P. Armitage, C.
# McPherson and B. Rowe, JRSS A 132, 1969) is short; tests compare it with published bounds and with simulation.
#
# Spending: at a share t of the most games planned (`most`) 90% of t^1.25 of the error is spent (the power family of K. Kim and
# D. DeMets, Biometrika 74, 1987, near its even end, because an early end saves most); beyond that number, for who goes on, all
# but 10% / t. Expected games: docs/evidence/statistics.md.
#
# Giving up. A difference near the margin can take all games without its size being shown. So a row shown to differ is given up
# where the remaining games would show its size with a probability of less than HOPE (`hopeless`; stochastic curtailment by the
# predictive probability of D. Spiegelhalter, L. Freedman and P. Blackburn, Controlled Clinical Trials 7, 1986). That only ends
# a run earlier, so all intervals hold as before.
#
# Corrections for several questions use quantiles of 5%/m. `Looks.questions(m)` returns the number of single-look questions that
# m questions with all looks correspond to, which is all that `inference.together` and `answer.judged` need.

BY_THE_END, POWER = 0.9, 1.25  # part of the error spent by the most games planned, and the power of the share
SHARES = tuple(step / 20 for step in range(1, 21))  # of the most games: where to look
FURTHER = 1.5  # times as many games at each look beyond that
HOPE = 0.2  # smallest probability of showing a size for which more games are played
FEWEST = 200  # games before the first look: normal errors need as many
NODES = 96  # of the numerical integration


@dataclass(frozen=True)
class Looks:
    """The looks at a question whose games grow to at most `most`: the number of games at each (`at`), in order."""

    most: int
    at: tuple[int, ...] = ()

    def spent(self, games: float) -> float:
        """Return the share of the error spent by this many games."""
        share = games / self.most
        return BY_THE_END * share**POWER if share <= 1 else 1 - (1 - BY_THE_END) / share

    def seen(self, games: int) -> Looks:
        """Return the looks with one more, after this many games."""
        return self if games in self.at else replace(self, at=tuple(sorted((*self.at, games))))

    def next(self, played: int, limit: int) -> int | None:
        """Return the number of games of the next look, more than are played; None if all `limit` games are played."""
        planned = [max(FEWEST, round(self.most * share)) for share in SHARES]
        following = next((games for games in planned if games > played), round(FURTHER * played))
        return min(following, limit) if played < limit else None

    def quantile(self, questions: float = 1) -> float:
        """Return how many standard errors the intervals reach at the last look, for this many questions together."""
        error = SIGNIFICANT / questions
        spent = tuple(error * self.spent(games) for games in self.at)
        return bounds(tuple(games / self.most for games in self.at), spent)[-1]

    def questions(self, questions: float = 1) -> float:
        """Return the number of single-look questions that these correspond to at the last look."""
        if not self.at:
            return questions
        return float(SIGNIFICANT / (2 * special.ndtr(-self.quantile(questions))))


RACE_FURTHER = 1.4  # times as many games at each look of a race


class RaceLooks(Looks):
    """The looks of a race: close to each other at first, since a variant far behind is known to be so after few games.

    Each look spends the same error, so a race that ends early has not paid for looks that come late.
    """

    def spent(self, games: float) -> float:
        """Return the share of the error spent by this many games."""
        if games > self.most:
            return super().spent(games)
        looks = [1 + math.log(max(number, FEWEST) / FEWEST) / math.log(RACE_FURTHER) for number in (games, self.most)]
        return BY_THE_END * looks[0] / looks[1]

    def next(self, played: int, limit: int) -> int | None:
        """Return the number of games of the next look, more than are played; None if all `limit` games are played."""
        return min(max(FEWEST, round(RACE_FURTHER * played)), limit) if played < limit else None


def looks_of(manifest: Mapping[str, Any]) -> Looks:
    """Return the looks in a run's manifest; none if its games were played at once."""
    noted = manifest.get("looks") or {}
    return Looks(int(noted.get("most", 1)), tuple(int(games) for games in noted.get("at", ())))


def held(frame: pd.DataFrame, names: Mapping[str, Any], looks: Looks, family: str = "") -> pd.DataFrame:
    """Return a table with intervals and p values that hold over the looks; `names`: its figures and their null values.

    Intervals are widened by the ratio of the quantiles on either side; one excludes its null value exactly where `p_adjusted`
    is at most 5%, as in `inference.together`.
    """
    if not looks.at:
        return frame
    single = questions_of(frame, family)
    number, together = looks.questions(single), looks.quantile(single) / quantile_for(single)
    p, columns = np.minimum(1, frame["p_adjusted"].to_numpy(float) * number / single), {}
    for name in names:
        value = frame[name].to_numpy(float)
        for kind, factor in (("", looks.quantile() / QUANTILE), ("_all", together)):
            for end in (f"{name}{kind}_{end}" for end in ("low", "high")):
                columns[end] = value + factor * (frame[end].to_numpy(float) - value)
    for name, null in names.items():
        inside = (columns[f"{name}_all_low"] <= null) & (null <= columns[f"{name}_all_high"])
        p = np.where(inside & (p <= SIGNIFICANT), np.nextafter(SIGNIFICANT, 1), p)
    for name, null in names.items():
        for end, further in (("low", np.minimum), ("high", np.maximum)):
            limit = columns[f"{name}_all_{end}"]
            columns[f"{name}_all_{end}"] = np.where(p > SIGNIFICANT, further(limit, null), limit)
    return frame.assign(**columns, p=p / number, p_adjusted=p)


def hopeless(frame: pd.DataFrame, name: str, margin: float, times: float) -> np.ndarray:
    """Return which rows of a judged table differ by a size that `times` as many games would hardly show (`HOPE`)."""
    return having(frame, DIFFERENT - FAR).to_numpy() & (chances_decided(frame, name, margin, times) < HOPE)


@cache
def bounds(times: tuple[float, ...], spent: tuple[float, ...]) -> tuple[float, ...]:
    """Return the two-sided bounds of a normal process at these times, in standard errors, that spend so much error in all.

    The process is a mean whose information grows with the time. Its density within the earlier bounds is carried from look to
    look by numerical integration (Gauss-Legendre; P. Armitage, C. McPherson and B. Rowe, 1969).
    """
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    result: list[float] = []
    before, x, mass = 0.0, np.zeros(1), np.ones(1)
    for time, error in zip(times, np.diff(np.r_[0.0, spent]), strict=True):
        step = np.sqrt(time - before)
        least, most = 0.0, 40.0
        for _ in range(70):
            bound = (least + most) / 2
            end = bound * np.sqrt(time)
            beyond = float(mass @ (special.ndtr((-end - x) / step) + special.ndtr((x - end) / step)))
            least, most = (bound, most) if beyond > error else (least, bound)
        result.append(most)
        end = min(most, 9.0) * np.sqrt(time)
        inside, width = end * nodes, end * weights
        density = np.exp(-(((inside[None, :] - x[:, None]) / step) ** 2) / 2) / np.sqrt(2 * np.pi) / step
        before, x, mass = time, inside, (mass @ density) * width
    return tuple(result)
