"""How many games does a question need, and when may one stop?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.rules.contents import printed_names
from ...simulator.runs import manifest
from ...simulator.runs.folder import Place
from ...simulator.runs.plan import Plan
from ...simulator.runs.run import Means, extend_games, note_looks, resume_games, run_games
from ..stats.answer import DECIDED, DIFFERENT, STRENGTH, Z_POWER, Verdict, error_that_decides, judged, quantile_for, verdict_of
from ..stats.inference import QUANTILE
from ..stats.looks import FURTHER, Looks, looks_of
from ..stats.rates import POINTS
from ..tables import reference
from ..tables.read import open_run
from ..tables.strength import Standing
from .compare import Subjects

# --- How many games a question needs
#
# For an interval of a wanted width, and for the verdict that will be printed.
#
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


# --- Playing until it is clear
#
# A run that grows, look by look, until every leader's verdict is no longer open.
#
# Every verdict is read off intervals that hold over all looks (`statistics.looks`), so whoever plays on until a verdict comes
# is wrong as seldom as with one look. The run's manifest notes the design and each look before it is taken: a run that was
# stopped goes on with the same command, and whatever reads it later (report, `newdawn leaders`) widens its intervals for the
# looks there were.
#
# *Clear* is a verdict other than undecided: the leader is above or below its fair share, or balanced, within the margin. With
# `sized` it has to lie beyond the margin or within, too; a leader near the margin then takes the most games allowed.


@dataclass(frozen=True)
class Until:
    """What a run is played for: the most games of its design and those allowed, the margin in points, whether sizes count."""

    most: int
    limit: int
    margin: float = POINTS
    sized: bool = False


@dataclass(frozen=True)
class Look:
    """What one look shows: how many verdicts are still open, of how many leaders, and whether it is the last one."""

    games: int
    open: int
    leaders: int
    last: bool

    @property
    def words(self) -> str:
        """What is known, for a line on the screen."""
        if self.open:
            left = f"{self.open} of {self.leaders} leaders undecided"
            return f"{self.games:,} games: {left}; {'the most games allowed' if self.last else 'playing on'}"
        return f"{self.games:,} games: every verdict on the {self.leaders} leaders is clear"


def begin(plan: Plan, ruleset: Any, out: Place, means: Means, until: Until, report: Callable[[Look], None]) -> Look:
    """Play a new run in a folder until it is decided, or go on with one that was stopped; return the last look.

    Raises UserError if the folder holds another run, Interrupted on Ctrl-C: the same call goes on.
    """
    if len(plan.leaders) < 2:
        raise UserError("--until-decided: there is one leader only, so there is nothing to decide; expected several leaders")
    noted = asdict(until) | {"at": []}
    if (out / manifest.FILE).is_file():
        found = manifest.read(out)
        if manifest.LOOKS not in found:
            raise UserError(
                f"{out}: holds a run of a fixed number of games; `newdawn extend {out} --until-decided --games {until.limit}` "
                "plays on, or choose another folder (--out)"
            )
        for key, value in asdict(until).items():
            if found[manifest.LOOKS][key] != value:
                raise UserError(
                    f"{out}: holds a run that is played with {key} {found[manifest.LOOKS][key]}, not {value}; expected the "
                    "same, or another folder (--out)"
                )
        plan = replace(plan, games=int(found["plan"]["games"]))
    else:
        plan = replace(plan, games=Looks(until.most).next(0, until.limit) or until.limit)
    run_games(plan, ruleset, out, means.jobs, means.observer, means.backend, means.cluster, noted)
    return go_on(out, means, report)


def extend(out: Place, limit: int, means: Means, margin: float, sized: bool, report: Callable[[Look], None]) -> Look:
    """Let a run go on until it is decided, up to so many games in all; return the last look.

    A run that was played until it was decided keeps its design, and what it had left to spend is spent on. In one of a fixed
    number of games that number counts as the first look.
    """
    found = manifest.read(out)
    games = int(found["plan"]["games"])
    if limit < games:
        raise UserError(f"--games: {limit:,} is too few; the run has {games:,}, expected a larger total")
    noted = dict(found.get(manifest.LOOKS) or asdict(Until(limit, limit)) | {"at": []})
    enough = -(-int(FURTHER * games) // 100) * 100
    if noted["at"] and noted["most"] <= games < limit < enough:
        raise UserError(
            f"--games: {limit:,} is too few: with most of the error spent, so few more show less; expected {enough:,} or more"
        )
    note_looks(out, noted | {"limit": limit, "margin": margin, "sized": sized})
    resume_games(out, means)
    return go_on(out, means, report)


def go_on(out: Place, means: Means, report: Callable[[Look], None]) -> Look:
    """Look, and play on while verdicts are open; the games of the folder are all played."""
    while True:
        found = manifest.read(out)
        noted, games = found[manifest.LOOKS], int(found["plan"]["games"])
        looks = looks_of(found).seen(games)
        # Before it is looked at: whatever ends the command now, this look has been taken.
        note_looks(out, noted | {"at": list(looks.at)})
        frame = verdicts(out, noted["margin"])
        left = int(still_open(frame["verdict"], noted["sized"]).sum())
        goal = looks.next(games, int(noted["limit"])) if left else None
        look = Look(games, left, len(frame), goal is None)
        report(look)
        if goal is None:
            return look
        extend_games(out, goal, means)


def verdicts(out: Place, margin: float) -> pd.DataFrame:
    """Return the leaders with their verdicts, as every page gives them."""
    standing = Standing(open_run(out))
    if standing.untestable:
        raise UserError(
            f"{out}: leaders cannot be distinguished from who played them, or from their places, so nothing can be decided; "
            "expected leaders and strategies that are dealt anew (--leader-pool, --strategy-pool)"
        )
    return judged(standing.leaders, "points", margin, standing.games)


def still_open(names: pd.Series, sized: bool) -> pd.Series:
    """Return which verdicts are open: undecided or of too few games, and if sizes count whatever the margin leaves open."""
    clear = DECIDED if sized else set(Verdict) - {Verdict.UNDECIDED, Verdict.NOT_COMPARED}
    return names.map(lambda name: verdict_of(name) not in clear).astype(bool)
