"""Coalitions: what is left of a leader when the whole table plays against it.

People gang up on who is ahead. Every game is played twice on the same seed, with the leader in one seat, which rotates: its
rivals play for themselves, or so that this leader does not win (weights.AGAINST). The leader's player is the same both times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError
from ...simulator.rules.contents import written
from ...strategies import registry
from ...strategies.planning import weights
from ...strategies.registry import Strategy
from ..statistics.inference import against_share, together
from ..statistics.margins import POINTS
from ..statistics.rates import SMALL_SAMPLE, as_cases, wilson
from . import arena
from .restricted import paired

AHEAD, HELD, BELOW, OPEN = "still ahead", "held", "held down", "undecided"
VERDICTS = {
    AHEAD: "The table cannot hold {leader}",
    HELD: "The table can hold {leader} to its share",
    BELOW: "{leader} falls below its share",
    OPEN: "These games do not show whether the table can hold {leader}",
}
WHOLE = 1000  # per mille


@dataclass(frozen=True)
class Won:
    """What a leader wins, game by game: among rivals who play for themselves, and among those who play against it."""

    alone: np.ndarray
    against: np.ndarray


def player(name: str) -> Strategy:
    """Return the strategy of the name as one that can play against a leader; raise UserError if it cannot."""
    found = registry.find(name)
    profile = found.resolved()
    if profile is None or not profile.network:
        raise UserError(
            f"strategy {name}: cannot play against a leader; expected a learned player: quick, adept, thinker, master"
        )
    return found


def against(one: Strategy, code: int, share: int = WHOLE) -> Strategy:
    """Return a learned player that plays against the leader of a code, under a name of its own.

    `share`: per mille of what a position is worth that is the leader's chance not to win; the rest is the own chance to win.
    """
    profile = one.resolved()
    assert profile is not None
    given = {weights.NAMES[weights.AGAINST]: code + 1, weights.NAMES[weights.AGAINST_SHARE]: share}
    changed = replace(profile, weights=profile.weights | given)
    return registry.of_profile(f"{one.name} against", changed)


def play(
    r: Any, leader: str, one: Strategy, *, players: int, games: int, seed: int, jobs: int = 1, share: int = WHOLE,
    say: Callable[[str], None] = lambda text: None,
) -> Won:  # fmt: skip
    """Play the pairs of games of a leader."""
    code = written(r, "leader").index(leader)
    profile = one.resolved()
    assert profile is not None
    seated = registry.of_profile(f"{one.name} as leader", profile)
    settings = {"players": players, "games": games, "seed": seed, "jobs": jobs}
    found = []
    for rivals, words in ((one, "among rivals who play for themselves"), (against(one, code, share), "against all")):
        say(f"{leader} {words}")
        found.append(arena.meet_as(r, leader, seated, rivals, **settings))
    return Won(*found)


def table(won: dict[str, Won], players: int, margin: float = POINTS) -> pd.DataFrame:
    """Return a row a leader.

    Columns: leader, n (pairs), share and against_rate (what it wins among rivals who play for themselves, and against them)
    with 95% intervals by Wilson, points (their difference, percentage points) with its interval of 95%, fair_share, ahead
    (against_rate less the fair share, points), p and p_adjusted (is it the fair share?), ahead_all_low and ahead_all_high
    (for all rows together), verdict, small_sample. The verdict is read off the latter: it stays ahead of the
    margin, falls below it, or is held: it is at most within.
    """
    rows = []
    for leader, one in won.items():
        sizes = [value for shares in (one.alone, one.against) for value in (shares.mean(), *arena.share(shares).interval())]
        rows.append([leader, len(one.alone), *sizes])
    ends = [f"{name}{end}" for name in ("share", "against_rate") for end in ("", "_low", "_high")]
    found = pd.DataFrame(rows, columns=["leader", "n", *ends])
    points = paired("points", [100 * (one.against - one.alone) for one in won.values()])
    found = found.assign(**{name: points[name] for name in ("points", "points_low", "points_high")})
    fair, shares = 1 / players, [one.against for one in won.values()]
    counts = as_cases(*(np.array([k(one) for one in shares], float) for k in (np.sum, len, lambda one: one.var() * len(one))))

    def surplus(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = wilson(*counts, confidence)
        return 100 * (low - fair), 100 * (high - fair)

    ahead, share = 100 * (found["against_rate"].to_numpy() - fair), against_share("rate", *counts, fair)
    found = found.assign(fair_share=fair, ahead=ahead, **together("ahead", share["p"], surplus))
    few = found["n"] < SMALL_SAMPLE
    low, high = found["ahead_all_low"], found["ahead_all_high"]
    verdict = np.select([few, low > margin, high < -margin, high <= margin], [OPEN, AHEAD, BELOW, HELD], OPEN)
    return found.assign(verdict=verdict, small_sample=few)


def coalitions(
    r: Any, leaders: Sequence[str], one: Strategy, *, players: int, margin: float = POINTS, **how: Any
) -> pd.DataFrame:
    """Play every leader against its table and return what is left of it (`table`)."""
    return table({leader: play(r, leader, one, players=players, **how) for leader in leaders}, players, margin)


def sentence(row: Any) -> str:
    """Return what a row of `table` says."""
    rate = f"{row['against_rate']:.1%} [{100 * row['against_rate_low']:.1f}, {100 * row['against_rate_high']:.1f}]"
    when = f"when all play against it, {row['share']:.1%} when nobody does (n = {row['n']:,})"
    return f"{VERDICTS[row['verdict']].format(leader=row['leader'])}: it wins {rate} {when}."
