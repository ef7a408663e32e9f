"""Playing until it is clear: a run that grows, look by look, until every leader's verdict is no longer open.

Every verdict is read off intervals that hold over all looks (`statistics.looks`), so whoever plays on until a verdict comes
is wrong as seldom as with one look. The run's manifest notes the design and each look before it is taken: a run that was
stopped goes on with the same command, and whatever reads it later (report, `newdawn leaders`) widens its intervals for the
looks there were.

*Clear* is a verdict other than undecided: the leader is above or below its fair share, or balanced, within the margin. With
`sized` it has to lie beyond the margin or within, too; a leader near the margin then takes the most games allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from ...simulator.batch import manifest
from ...simulator.batch.places import Place
from ...simulator.batch.run import Means, extend_games, note_looks, resume_games, run_games
from ...simulator.errors import UserError
from ...simulator.games.plan import Plan
from ..models.standing import Standing
from ..statistics.answer import DECIDED, Verdict, judged, verdict_of
from ..statistics.looks import FURTHER, Looks, looks_of
from ..statistics.margins import POINTS
from ..tables.read import open_run


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
