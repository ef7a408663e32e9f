"""How many games does a question need?"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.rules.ruleset_contents import printed_names
from ..stats.rates import POINTS
from ..stats.sample_sizes import SampleQuestion
from ..tables import reference_results
from ..tables.paired_figures import Subjects


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
    those of the reference results, or the fair share), and `slowest` names the one that needs most games. Rows about
    differences are of pairs: each is played under both rulesets. `pairing` is the factor by which paired seeds save games
    (column `pairing` of a comparison; 1 = they save nothing). `detectable` is the difference that gets `verdict` with 80%
    chance in that many games. With `find` instead of the half-width, games are planned for differences of that
    size; `games` is infinite where no number is enough, as for a leader that is off by just the margin.
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


def _questions(
    players: int, leaders: int, figures: int, pairing: float, rates: Mapping[str, float] | None, box: str, margin: float
) -> list[SampleQuestion]:
    """Return the typical questions; `figures` is how many a comparison has verdicts on."""
    name, rate = _slowest(players, rates, box)
    fair, seated, drawn = 1 / players, players / leaders, f"{players} drawn from {leaders}"
    any_rate, fair_rate = "any rate at 50%", f"a leader at the fair share of {fair:.1%}"
    return [
        SampleQuestion("win rate of one leader, at the table in every game", name, rate, 1),
        SampleQuestion(f"each leader's win rate by itself, {drawn} (newdawn leaders --by seat)", name, rate, seated),
        SampleQuestion(f"each leader's win rate in a report, {drawn}, all of them together", name, rate, seated, shown=leaders),
        SampleQuestion(
            f"each leader against the fair share, {drawn}, all of them together", fair_rate, fair, seated,
            leaders, leaders, margin=margin,
        ),
        SampleQuestion("any rate out of all games", any_rate, 0.5, 1),
        SampleQuestion("two rulesets, other seeds: each leader's win rate", name, rate, seated, 1, figures, 2),
        SampleQuestion(
            f"two rulesets, same seeds: each leader's win rate (pairing {pairing:g})", name, rate, seated * pairing,
            1, figures, 2,
        ),
        SampleQuestion("two rulesets, other seeds: any rate out of all games", any_rate, 0.5, 1, 1, figures, 2),
    ]  # fmt: skip


def _slowest(players: int, rates: Mapping[str, float] | None, box: str) -> tuple[str, float]:
    """Return the leader whose win rate needs most games, as '<name> at <rate>', and the rate."""
    rates = rates or reference_results.leader_rates(players, box) or {"each leader": 1 / players}
    for name, rate in rates.items():
        if not 0 <= rate <= 1:
            raise UserError(f"rate of {name}: expected a share between 0 and 100%, got {rate:.1%}")
    name = min(rates, key=lambda leader: abs(rates[leader] - 0.5))
    return f"{name} at {rates[name]:.1%}", rates[name]
