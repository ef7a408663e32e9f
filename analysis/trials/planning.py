"""How many games a question needs: for an interval of a wanted width, and for the verdict that will be printed.

A rate p out of n cases has an interval of ± z √(p (1 - p) / n), so the figure nearest to 50% is the slowest: games are
planned for it, with the rates that are expected. A difference is *found* when its interval leaves 0 out, and where a table
gives a verdict for m figures together, that is the interval with the quantile z(m) of 5%/2m (`inference.together`). It is
found with a probability of 80% if it is (z(m) + 0.84) standard errors large (J. Cohen, Statistical Power Analysis for the
Behavioral Sciences, 1988). The error is that of the rates as they are with the difference: of two rulesets p (1 - p) +
p′ (1 - p′) with p′ = p ± d, towards 50%, where it is larger.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
from scipy import stats

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.rules.contents import printed_names
from ..statistics.inference import QUANTILE, SIGNIFICANT
from ..tables import reference
from .compare import Subjects

POWER = 0.8
Z_POWER = float(stats.norm.ppf(POWER))


def quantile_for(questions: int) -> float:
    """Return the quantile of the intervals that hold together for so many questions."""
    return float(stats.norm.isf(SIGNIFICANT / 2 / questions))


def games_needed(
    half_width: float | None,
    players: int,
    leaders: int | None = None,
    pairing: float = 1.0,
    rates: Mapping[str, float] | None = None,
    find: float | None = None,
    box: str = names.BOXES[0],
) -> pd.DataFrame:
    """Return how many games typical questions need for 95% intervals of the given half-width (a share).

    Leaders are drawn from a pool of `leaders` (default: all of the box); `rates` are the win rates expected of them (default:
    those of the reference results, or the fair share), and `slowest` names the one that needs most games. The rows about a
    difference are pairs: each is played under both rulesets. `pairing` is the factor by which paired seeds save games (column
    `pairing` of a comparison; 1 = they save nothing). `detectable` is the difference to which the verdict printed for all
    figures of the table together says so with a probability of 80% at that many games. With `find` instead of the half-width,
    games are planned for differences of that size to be found so.
    """
    wanted = half_width if find is None else find
    for what, value in (("half-width" if find is None else "find", wanted), ("pairing", pairing)):
        if value is None or not value > 0:
            raise UserError(f"{what}: expected a number above 0, got {value}")
    printed = Subjects(*(printed_names(box, kind) for kind in ("leader", "agenda", "wonder")))
    leaders = leaders or len(printed.leaders)
    if not players <= leaders:
        raise UserError(f"leaders: a pool of {leaders} cannot be dealt to {players} players")
    figures = len(printed.figures) - len(printed.leaders) + leaders + 1  # and the spread of the leaders
    rows = [question.row(half_width, find) for question in _questions(players, leaders, figures, pairing, rates, box)]
    return pd.DataFrame([row for row in rows if row], columns=["question", "slowest", "half_width", "games", "detectable"])


@dataclass(frozen=True)
class _Question:
    """A question about a rate, or about the difference of one between two `rulesets`.

    `cases` is how many of its cases there are in a game, `own` the quantile of its interval, `verdict` that of the interval
    which a printed verdict is read off, if there is one.
    """

    words: str
    slowest: str
    rate: float
    cases: float
    own: float
    verdict: float | None = None
    rulesets: int = 1

    def variance(self, difference: float = 0.0) -> float:
        """Return the variance of the figure in one game, if it differs by so much from what it is compared with."""
        moved = self.rate + min(max(0.5 - self.rate, -difference), difference)
        alone = self.rate * (1 - self.rate) if self.rulesets == 2 else 0.0
        return (alone + moved * (1 - moved)) / self.cases

    def row(self, half_width: float | None, find: float | None) -> dict[str, object] | None:
        """Return the games for an interval of this half-width, or for a difference to be found; None if nothing is found."""
        if find is None:
            assert half_width is not None
            games = max(1, math.ceil((self.own / half_width) ** 2 * self.variance()))
            detectable = self.detectable(games)
        elif self.verdict is None:
            return None
        else:
            games, detectable = math.ceil(((self.verdict + Z_POWER) / find) ** 2 * self.variance(find)), find
            half_width = self.own * math.sqrt(self.variance() / games)
        found = {"half_width": half_width, "games": games, "detectable": detectable}
        return {"question": self.words, "slowest": self.slowest, **found}

    def detectable(self, games: int) -> float:
        """Return the difference that the verdict finds with a probability of POWER in so many games; NaN without a verdict."""
        if self.verdict is None:
            return math.nan
        found = 0.0
        for _ in range(50):  # the variance depends on the difference, but less and less
            found = (self.verdict + Z_POWER) * math.sqrt(self.variance(found) / games)
        return found


def _questions(
    players: int, leaders: int, figures: int, pairing: float, rates: Mapping[str, float] | None, box: str
) -> list[_Question]:
    """Return the typical questions; `figures` are those that a comparison gives verdicts on."""
    name, rate = _slowest(players, rates, box)
    fair, seated, drawn = 1 / players, players / leaders, f"{players} drawn from {leaders}"
    any_rate, fair_rate = "any rate at 50%", f"a leader at the fair share of {fair:.1%}"
    own, all_leaders, all_figures = QUANTILE, quantile_for(leaders), quantile_for(figures)
    return [
        _Question("win rate of one leader, at the table in every game", name, rate, 1, own),
        _Question(f"win rate of each leader, {drawn}", name, rate, seated, own),
        _Question(
            f"each leader against the fair share, {drawn}, all of them together", fair_rate, fair, seated,
            all_leaders, all_leaders,
        ),
        _Question("any rate out of all games", any_rate, 0.5, 1, own),
        _Question("two rulesets, other seeds: each leader's win rate", name, rate, seated, own, all_figures, 2),
        _Question(
            f"two rulesets, same seeds: each leader's win rate (pairing {pairing:g})", name, rate, seated * pairing,
            own, all_figures, 2,
        ),
        _Question("two rulesets, other seeds: any rate out of all games", any_rate, 0.5, 1, own, all_figures, 2),
    ]  # fmt: skip


def _slowest(players: int, rates: Mapping[str, float] | None, box: str) -> tuple[str, float]:
    """Return the leader whose win rate needs most games, as '<name> at <rate>', and the rate."""
    rates = rates or reference.leader_rates(players, box) or {"each leader": 1 / players}
    for name, rate in rates.items():
        if not 0 <= rate <= 1:
            raise UserError(f"rate of {name}: expected a share between 0 and 100%, got {rate:.1%}")
    name = min(rates, key=lambda one: abs(rates[one] - 0.5))
    return f"{name} at {rates[name]:.1%}", rates[name]
