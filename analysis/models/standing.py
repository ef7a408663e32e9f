"""How the leaders stand: the one answer that the report, its first screen and `newdawn leaders` give.

Leaders are compared among equal players: by the model of who wins (`strength`), with as much taken out as the games can tell
apart. Where each leader was played by strategies of its own, nothing is tested: what a strong strategy wins would be told of
its leader. So it is where each leader has places of its own in the turn order, as house rules can bring about by which leaders
are chosen one after the other. Where no model fits, the rates are plain ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from ...simulator.errors import UserError
from ...simulator.wording import counted, listed
from ..statistics.looks import Looks, held, looks_of
from ..statistics.rates import places
from .logit import Inseparable, fit_logit
from .seatings import DEFAULT_FACTORS, Outcomes, Runs, outcomes, present
from .strength import plain_strengths, strengths

PLAYED, PLACED = ("leader", "strategy"), ("leader", "order")


@dataclass
class Standing:
    """One or more runs, and what is known of their leaders, worked out once; `notes` says what could not be corrected for."""

    runs: Runs
    notes: list[str] = field(default_factory=list)

    @cached_property
    def outcomes(self) -> Outcomes:
        """The games, equal tables counted together."""
        return outcomes(self.runs, cards=False)

    @cached_property
    def games(self) -> int:
        """Number of games."""
        return self.outcomes.games

    @cached_property
    def decided(self) -> float:
        """Share of the games that somebody won."""
        return sum(self.outcomes.finished.values()) / self.games

    @cached_property
    def strategies(self) -> list[str]:
        """Names of the strategies that played."""
        return self.outcomes.levels["strategy"]

    @property
    def several_leaders(self) -> bool:
        """Whether there are leaders to compare."""
        return len(self.outcomes.levels["leader"]) > 1

    @cached_property
    def factors(self) -> tuple[str, ...]:
        """What the model of who wins corrects for: as much as these games can separate."""
        try:
            fit_logit(present(self.outcomes), DEFAULT_FACTORS)
        except UserError as error:
            if len(self.strategies) > 1:
                self.notes.append(
                    f"Not corrected for strategies, so leaders' figures include those of players, and none is tested: {error}."
                )
            return ("leader", "order")
        return DEFAULT_FACTORS

    @property
    def among_equals(self) -> bool:
        """Whether the leaders' rates are those among equal players, and not as played: strategies of the run differ."""
        return len(self.strategies) > 1 and "strategy" in self.factors

    @cached_property
    def players_of(self) -> dict[str, str]:
        """Who played each leader, where the games cannot distinguish strategies from leaders; else nothing."""
        if len(self.strategies) < 2 or not self.several_leaders:
            return {}
        return self._together(PLAYED, self.strategies)

    @cached_property
    def places_of(self) -> dict[str, str]:
        """The places of each leader in the turn order, where the games cannot distinguish these from leaders; else nothing."""
        if self.factors == DEFAULT_FACTORS or not self.several_leaders:
            return {}
        return self._together(PLACED, [str(1 + place) for place in range(max(self.outcomes.finished))])

    @property
    def untestable(self) -> bool:
        """Whether leaders cannot be distinguished from who played them, or from their places in the turn order."""
        return bool(self.players_of or self.places_of)

    def _together(self, factors: tuple[str, str], levels: Sequence[str]) -> dict[str, str]:
        """Return each leader's levels of the other factor if the games cannot distinguish the two; else nothing."""
        try:
            fit_logit(present(self.outcomes), factors)
        except Inseparable:
            pairs = {pair for t in self.outcomes.tables for pair in zip(*(t.codes[x].ravel() for x in factors), strict=True)}
            return {
                leader: listed([levels[one] for code, one in sorted(pairs) if code == place])
                for place, leader in enumerate(self.outcomes.levels["leader"])
            }
        except UserError:  # too few games for any verdict
            pass
        return {}

    @cached_property
    def looks(self) -> Looks:
        """The looks at a run that was played until it was decided: its leaders' intervals hold over all of them."""
        runs = self.runs if isinstance(self.runs, Sequence) else [self.runs]
        found = [looks for one in runs if (looks := looks_of(getattr(one, "manifest", {}))).at]
        if not found:
            return Looks(1)
        if len(runs) > 1:
            self.notes.append(
                "Some of these runs were played until they were decided: intervals of all games together do not hold."
            )
            return Looks(1)
        self.notes.append(
            f"Played until it was decided, with {counted(len(found[0].at), 'look')}: the leaders' intervals and verdicts hold "
            "over all of them, so they are wider than those of as many games played at once; other intervals are of one look."
        )
        return found[0]

    @cached_property
    def leaders(self) -> pd.DataFrame:
        """The leaders by strength, corrected as far as these games allow, or by their plain win rates.

        Where leaders cannot be distinguished from who played them, nothing is tested and `played_by` names these. So it is with
        their places in the turn order, which `places` names.
        """
        self.need_winners()
        try:
            frame = strengths(self.outcomes, factors=self.factors)
        except UserError as error:
            self.notes.append(f"Leaders: plain win rates, not corrected for turn order, opponents and strategies: {error}.")
            assert not isinstance(self.runs, Outcomes)
            frame = plain_strengths(self.runs)
        if self.looks.at:
            frame = held(frame, {"points": 0.0, "adjusted_rate": frame["fair_share"]}, self.looks)
            frame["rank_best"], frame["rank_worst"] = places(frame["adjusted_rate_all_low"], frame["adjusted_rate_all_high"])
        if len(self.strategies) > 1 and "strategy" not in self.factors:
            frame = frame.assign(p=np.nan, p_adjusted=np.nan)
        for column, of in (("played_by", self.players_of), ("places", self.places_of)):
            if of:
                frame = frame.assign(p=np.nan, p_adjusted=np.nan, **{column: frame["leader"].map(of)})
        return frame

    def need_winners(self) -> None:
        """Raise UserError if nobody won any of the games."""
        if self.decided == 0:
            raise UserError("nobody won any of these games")
