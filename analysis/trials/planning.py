"""How many games a question needs: for an interval of a wanted width, and for the verdict that will be printed.

A rate p out of n cases has an interval of ± z √(p (1 - p) / n), so the figure nearest to 50% is the slowest: games are
planned for it, with the rates that are expected. The quantile z is that of the interval which the page shows: the report's hold
for all leaders together, a comparison's `±` for its figure alone.

A difference is planned for with the verdict that the page gives of it, by the function that gives it
(`statistics.answer.error_that_decides`): a leader is *too strong* or *too weak* if the interval that holds for all leaders
together lies beyond the margin, *balanced* if it lies within; two rulesets *differ* if the interval that holds for all figures
leaves 0 out. The verdict comes with a probability of 80% (J. Cohen, Statistical Power Analysis for the Behavioral Sciences,
1988). The error is that of the rates as they are with the difference: of two rulesets p (1 - p) + p′ (1 - p′) with p′ = p ± d,
towards 50%, where it is larger; of a leader that at the end of the margin, from which the test asks it, and that at its rate.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.rules.contents import printed_names
from ..statistics.answer import DIFFERENT, STRENGTH, Z_POWER, Verdict, error_that_decides, quantile_for
from ..statistics.inference import QUANTILE
from ..statistics.margins import POINTS
from ..tables import reference
from .compare import Subjects

DIFFERS = "higher or lower"  # what a comparison says of a figure whose interval leaves 0 out


def games_needed(
    half_width: float | None,
    players: int,
    leaders: int | None = None,
    pairing: float = 1.0,
    rates: Mapping[str, float] | None = None,
    find: float | None = None,
    box: str = names.BOXES[0],
    margin: float = POINTS / 100,
) -> pd.DataFrame:
    """Return how many games typical questions need for 95% intervals of the given half-width (a share).

    Leaders are drawn from a pool of `leaders` (default: all of the box); `rates` are the win rates expected of them (default:
    those of the reference results, or the fair share), and `slowest` names the one that needs most games. The rows about a
    difference are pairs: each is played under both rulesets. `pairing` is the factor by which paired seeds save games (column
    `pairing` of a comparison; 1 = they save nothing). `detectable` is the difference of which the page says `verdict` with a
    probability of 80% at that many games. With `find` instead of the half-width, games are planned for differences of that size
    to be found so; `games` is infinite where no number of them would do, as for a leader that is off by just the margin.
    """
    wanted = half_width if find is None else find
    for what, value in (("half-width" if find is None else "find", wanted), ("pairing", pairing), ("margin", margin)):
        if value is None or not value > 0:
            raise UserError(f"{what}: expected a number above 0, got {value}")
    printed = Subjects(*(printed_names(box, kind) for kind in ("leader", "agenda", "wonder")))
    leaders = leaders or len(printed.leaders)
    if not players <= leaders:
        raise UserError(f"leaders: a pool of {leaders} cannot be dealt to {players} players")
    figures = len(printed.figures) - len(printed.leaders) + leaders + 1  # and the spread of the leaders
    questions = _questions(players, leaders, figures, pairing, rates, box, margin)
    rows = [row for question in questions for row in question.rows(half_width, find)]
    return pd.DataFrame(rows, columns=["question", "slowest", "half_width", "games", "verdict", "detectable"])


@dataclass(frozen=True)
class _Question:
    """A question about a rate, or about the difference of one between two `rulesets`.

    `cases` is how many of its cases there are in a game, `shown` the quantile of the interval that the page shows, `judged`
    that of the interval which its verdict is read off, if there is one; `margin` is what that is read against.
    """

    words: str
    slowest: str
    rate: float
    cases: float
    shown: float
    judged: float | None = None
    rulesets: int = 1
    margin: float = 0.0

    def deviation(self, difference: float = 0.0) -> float:
        """Return the standard deviation of the figure in one game, if it differs by so much from what it is compared with."""
        if self.rulesets == 2:
            moved = self.rate + min(max(0.5 - self.rate, -abs(difference)), abs(difference))
            return math.sqrt((self.rate * (1 - self.rate) + moved * (1 - moved)) / self.cases)
        if difference == 0:
            return self._of(self.rate)
        # The interval is a score interval: its end lies at the margin with the error that a rate there would have.
        edge = self._of(self.rate + math.copysign(self.margin, difference))
        assert self.judged is not None
        return (self.judged * edge + Z_POWER * self._of(self.rate + difference)) / (self.judged + Z_POWER)

    def _of(self, rate: float) -> float:
        rate = min(max(rate, 1e-3), 1 - 1e-3)
        return math.sqrt(rate * (1 - rate) / self.cases)

    def rows(self, half_width: float | None, find: float | None) -> list[dict[str, object]]:
        """Return the games for an interval of this half-width, or for each verdict on a difference of that size."""
        if find is None:
            assert half_width is not None
            games = max(1, math.ceil((self.shown / half_width * self.deviation()) ** 2))
            return [self._row(half_width, games, self._verdict(), self.detectable(games))]
        if self.judged is None:
            return []
        found = []
        for difference in (find,) if self.rulesets == 2 or find < self.margin else (find, -find):
            verdict, wanted = self._verdict(difference), DIFFERENT if find >= self.margin else {Verdict.WITHIN}
            wanted = wanted if self.rulesets == 2 or find < self.margin else {_beyond(difference)}
            error = float(error_that_decides(difference, self.margin, self.judged, wanted))
            never = not find > self.margin and not find < self.margin * (1 - 1e-6)
            needed = math.inf if error <= 0 or never else math.ceil((self.deviation(difference) / error) ** 2)
            reach = self.shown * self.deviation() / math.sqrt(needed) if needed < math.inf else math.nan
            found.append(self._row(reach, needed, verdict, find))
        return found

    def _verdict(self, difference: float = math.inf) -> str:
        """Return what the page says of a difference of this size."""
        if self.judged is None:
            return ""
        if self.rulesets == 2:
            return DIFFERS
        return STRENGTH.of(Verdict.WITHIN if abs(difference) < self.margin else _beyond(difference))

    def _row(self, half_width: float, games: float, verdict: str, detectable: float) -> dict[str, object]:
        found = {"half_width": half_width, "games": games, "verdict": verdict, "detectable": detectable}
        return {"question": self.words, "slowest": self.slowest, **found}

    def detectable(self, games: int) -> float:
        """Return the difference to which the verdict comes with a chance of 80% in so many games; NaN without a verdict."""
        if self.judged is None:
            return math.nan
        found = 2 * self.margin
        for _ in range(50):  # the error depends on the difference, but less and less
            found = self.margin + (self.judged + Z_POWER) * self.deviation(found) / math.sqrt(games)
        return found


def _beyond(difference: float) -> Verdict:
    return Verdict.FAR_ABOVE if difference > 0 else Verdict.FAR_BELOW


def _questions(
    players: int, leaders: int, figures: int, pairing: float, rates: Mapping[str, float] | None, box: str, margin: float
) -> list[_Question]:
    """Return the typical questions; `figures` are those that a comparison gives verdicts on."""
    name, rate = _slowest(players, rates, box)
    fair, seated, drawn = 1 / players, players / leaders, f"{players} drawn from {leaders}"
    any_rate, fair_rate = "any rate at 50%", f"a leader at the fair share of {fair:.1%}"
    own, all_leaders, all_figures = QUANTILE, quantile_for(leaders), quantile_for(figures)
    return [
        _Question("win rate of one leader, at the table in every game", name, rate, 1, own),
        _Question(f"each leader's win rate by itself, {drawn} (newdawn leaders --by seat)", name, rate, seated, own),
        _Question(f"each leader's win rate in a report, {drawn}, all of them together", name, rate, seated, all_leaders),
        _Question(
            f"each leader against the fair share, {drawn}, all of them together", fair_rate, fair, seated,
            all_leaders, all_leaders, margin=margin,
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
