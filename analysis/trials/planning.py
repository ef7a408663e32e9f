"""How many games a question needs: for an interval of a wanted width, and for the verdict that will be printed.

A rate p out of n cases has an interval of ± z √(p (1 - p) / n), so the figure nearest to 50% is the slowest: games are
planned for it, with the rates that are expected. A difference is *found* when its interval leaves 0 out, and where a table
gives a verdict for m figures together, that is the interval with the quantile z(m) of 5%/2m (`inference.together`). It is
found with a probability of 80% if it is (z(m) + 0.84) standard errors large.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import stats

from ...simulator import names
from ...simulator.errors import UserError
from ..statistics.inference import QUANTILE, SIGNIFICANT
from ..tables import reference
from .compare import FIGURES

POWER = 0.8
Z_POWER = float(stats.norm.ppf(POWER))


def quantile_for(questions: int) -> float:
    """Return the quantile of the intervals that hold together for so many questions."""
    return float(stats.norm.isf(SIGNIFICANT / 2 / questions))


def games_needed(
    half_width: float | None,
    players: int,
    leaders: int = len(names.LEADERS),
    pairing: float = 1.0,
    rates: Mapping[str, float] | None = None,
    find: float | None = None,
) -> pd.DataFrame:
    """Return how many games typical questions need for 95% intervals of the given half-width (a share).

    Leaders are drawn from a pool of `leaders`; `rates` are the win rates expected of them (default: those of the reference
    results, or the fair share), and `slowest` names the one that needs most games. The rows about a difference are pairs:
    each is played under both rulesets. `pairing` is the factor by which paired seeds save games (column `pairing` of a
    comparison; 1 = they save nothing). `detectable` is the difference to which the verdict printed for all figures of the
    table together says so with a probability of 80% at that many games. With `find` instead of the half-width, games
    are planned for differences of that size to be found so.
    """
    wanted = half_width if find is None else find
    for what, value in (("half-width" if find is None else "find", wanted), ("pairing", pairing)):
        if value is None or not value > 0:
            raise UserError(f"{what}: expected a number above 0, got {value}")
    if not players <= leaders:
        raise UserError(f"leaders: a pool of {leaders} cannot be dealt to {players} players")
    name, rate = _slowest(players, rates)
    figures = len(FIGURES) - len(names.LEADERS) + leaders + 1  # and the spread of the leaders
    slow, own, all_leaders, all_figures = rate * (1 - rate), QUANTILE, quantile_for(leaders), quantile_for(figures)
    seated = players / leaders
    any_rate, drawn = "any rate at 50%", f"{players} drawn from {leaders}"
    # question, slowest figure, variance of a case over cases a game, quantile of the interval, of the verdict
    rows = [
        ("win rate of one leader, at the table in every game", name, slow, own, np.nan),
        (f"win rate of each leader, {drawn}", name, slow / seated, own, np.nan),
        (f"each leader against the fair share, {drawn}, all of them together", name, slow / seated, all_leaders, all_leaders),
        ("any rate out of all games", any_rate, 0.25, own, np.nan),
        ("two rulesets, other seeds: each leader's win rate", name, 2 * slow / seated, own, all_figures),
        (f"two rulesets, same seeds: each leader's win rate (pairing {pairing:g})", name, 2 * slow / seated / pairing, own,
         all_figures),
        ("two rulesets, other seeds: any rate out of all games", any_rate, 0.5, own, all_figures),
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["question", "slowest", "variance", "own", "verdict"])
    ratio = (frame["verdict"] + Z_POWER) / frame["own"]
    if find is not None:
        frame, ratio = frame[ratio.notna()], ratio[ratio.notna()]
    width = find / ratio if find is not None else pd.Series(half_width, frame.index, dtype=float)
    games = np.ceil((frame["own"] / width) ** 2 * frame["variance"]).astype(np.int64)
    found = {"half_width": width, "games": games, "detectable": ratio * width}
    return frame[["question", "slowest"]].assign(**found).reset_index(drop=True)


def _slowest(players: int, rates: Mapping[str, float] | None) -> tuple[str, float]:
    """Return the leader whose win rate needs most games, as '<name> at <rate>', and the rate."""
    rates = rates or reference.leader_rates(players) or {"each leader": 1 / players}
    for name, rate in rates.items():
        if not 0 <= rate <= 1:
            raise UserError(f"rate of {name}: expected a share between 0 and 100%, got {rate:.1%}")
    name = min(rates, key=lambda one: abs(rates[one] - 0.5))
    return f"{name} at {rates[name]:.1%}", rates[name]
