"""How many games a question needs: for an interval of a wanted width, and for the verdict that will be printed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .answer import DIFFERENT, STRENGTH, Z_POWER, Verdict, error_that_decides, quantile_for

# A rate p out of n cases has an interval of ± z √(p (1 - p) / n), so the figure nearest to 50% is the slowest: games are
# planned for it, with the rates that are expected. The quantile z is that of the interval which the page shows: the report's
# hold for all leaders together, a comparison's `±` for its figure alone.
#
# A difference is planned for with the verdict that the page gives of it, by the function that gives it
# (`statistics.answer.error_that_decides`): a leader is *too strong* or *too weak* if the interval that holds for all leaders
# together lies beyond the margin, *balanced* if it lies within; two rulesets *differ* if the interval that holds for all
# figures leaves 0 out. The verdict comes with a probability of 80% (J. Cohen, Statistical Power Analysis for the Behavioral
# Sciences, 1988). The error is that of the rates as they are with the difference: of two rulesets p (1 - p) + p′ (1 - p′)
# with p′ = p ± d, towards 50%, where it is larger; of a leader that at the end of the margin, from which the test asks it,
# and that at its rate.

DIFFERS = "higher or lower"  # what a comparison says of a figure whose interval leaves 0 out


@dataclass(frozen=True)
class Question:
    """A question about a rate, or about the difference of one between two `rulesets`.

    `cases` is how many of its cases there are in a game, `shown` for how many questions together the interval holds that the
    page shows, `judged` the one which its verdict is read off, if there is one; `margin` is what that is read against.
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
        # The interval is a score interval: its end lies at the margin with the error that a rate there would have.
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
        found = []
        for difference in (find,) if self.rulesets == 2 or find < self.margin else (find, -find):
            verdict, wanted = self._verdict(difference), DIFFERENT if find >= self.margin else {Verdict.WITHIN}
            wanted = wanted if self.rulesets == 2 or find < self.margin else {_beyond(difference)}
            error = float(error_that_decides(difference, self.margin, quantile_for(self.judged), wanted))
            never = not find > self.margin and not find < self.margin * (1 - 1e-6)
            needed = math.inf if error <= 0 or never else math.ceil((self.deviation(difference) / error) ** 2)
            reach = quantile_for(self.shown) * self.deviation() / math.sqrt(needed) if needed < math.inf else math.nan
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
            found = self.margin + (quantile_for(self.judged) + Z_POWER) * self.deviation(found) / math.sqrt(games)
        return found


def _beyond(difference: float) -> Verdict:
    return Verdict.FAR_ABOVE if difference > 0 else Verdict.FAR_BELOW
