"""A run that is played until every leader's verdict is clear: when may one stop? Start with `begin`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from ...simulator.errors import UserError, counted
from ...simulator.runs import manifest
from ...simulator.runs.run import Means, extend_games, note_looks, resume_games, run_games
from ...simulator.runs.run_folder import Place
from ...simulator.runs.run_plan import Plan
from ..stats.rates import POINTS
from ..stats.sample_sizes import FURTHER, Looks, hopeless, looks_of
from ..stats.verdicts import DECIDED, STRENGTH, Verdict, having, judged
from ..tables.leader_strength import LeaderStanding
from ..tables.read import open_run

# --- A run that grows, look by look, until every leader's verdict is clear
#
# Verdicts are read from intervals that hold over all looks (`stats.sample_sizes.Looks`), so playing on until a verdict comes
# causes no more false verdicts than one look. The run's manifest notes the design and each look before it is taken: a run that
# was stopped continues with the same command, and whatever reads it later (report, `newdawn leaders`) widens its intervals for
# the looks taken.
#
# *Clear* is a verdict other than undecided: the leader is above or below its fair share, or balanced, within the margin. With
# `sized` a leader must also lie beyond the margin or within it, unless the games left are unlikely to show which
# (`stats.sample_sizes.hopeless`).


@dataclass(frozen=True)
class Until:
    """When to stop: the most games of the design and the most allowed, the margin in points, and whether sizes count."""

    most: int
    limit: int
    margin: float = POINTS
    sized: bool = False


@dataclass(frozen=True)
class Look:
    """The result of a look: how many verdicts on leaders are open, of how many, and whether it is the last look.

    `near`: how many leaders differ, but the games left would hardly show whether by more than the margin.
    """

    games: int
    open: int
    leaders: int
    last: bool
    near: int = 0

    @property
    def words(self) -> str:
        """The look as a line on the screen."""
        if self.open:
            left = f"{self.open} of {self.leaders} leaders {STRENGTH.undecided}"
            return f"{self.games:,} games: {left}; {'the most games allowed' if self.last else 'playing on'}"
        if self.near:
            left = f"{counted(self.near, 'leader')} so near the margin that the games left would hardly show the size"
            return f"{self.games:,} games: every verdict on the {self.leaders} leaders is clear, except for {left}"
        return f"{self.games:,} games: every verdict on the {self.leaders} leaders is clear"


def begin(plan: Plan, ruleset: Any, out: Place, means: Means, until: Until, report: Callable[[Look], None]) -> Look:
    """Play a new run in a folder until it is decided, or go on with one that was stopped; return the last look.

    Raises UserError if the folder holds another run, Interrupted on Ctrl-C: the same call continues.
    """
    if len(plan.leaders) < 2:
        raise UserError("--until-decided: there is one leader only, so there is nothing to decide; expected several leaders")
    looks = asdict(until) | {"at": []}
    if (out / manifest.FILE).is_file():
        written = manifest.read(out)
        if manifest.LOOKS not in written:
            raise UserError(
                f"{out}: holds a run of a fixed number of games; `newdawn extend {out} --until-decided --games {until.limit}` "
                "plays on, or choose another folder (--out)"
            )
        for key, value in asdict(until).items():
            if written[manifest.LOOKS][key] != value:
                raise UserError(
                    f"{out}: holds a run that is played with {key} {written[manifest.LOOKS][key]}, not {value}; expected the "
                    "same, or another folder (--out)"
                )
        plan = replace(plan, games=int(written["plan"]["games"]))
    else:
        plan = replace(plan, games=Looks(until.most).next(0, until.limit) or until.limit)
    run_games(plan, ruleset, out, means.jobs, means.observer, means.backend, means.cluster, looks)
    return go_on(out, means, report)


def extend(out: Place, limit: int, means: Means, margin: float, sized: bool, report: Callable[[Look], None]) -> Look:
    """Continue a run until it is decided, up to this many games in all; return the last look.

    A run that was played until it was decided keeps its design, and what it had left to spend is spent on. In one of a fixed
    number of games that number counts as the first look.
    """
    written = manifest.read(out)
    games = int(written["plan"]["games"])
    if limit < games:
        raise UserError(f"--games: {limit:,} is too few; the run has {games:,}, expected a larger total")
    looks = dict(written.get(manifest.LOOKS) or asdict(Until(limit, limit)) | {"at": []})
    enough = -(-int(FURTHER * games) // 100) * 100
    if looks["at"] and looks["most"] <= games < limit < enough:
        raise UserError(
            f"--games: {limit:,} is too few: with most of the error spent, so few more show less; expected {enough:,} or more"
        )
    note_looks(out, looks | {"limit": limit, "margin": margin, "sized": sized})
    resume_games(out, means)
    return go_on(out, means, report)


def go_on(out: Place, means: Means, report: Callable[[Look], None]) -> Look:
    """Look, and play on while verdicts are open; the games of the folder are all played."""
    while True:
        written = manifest.read(out)
        design, games = written[manifest.LOOKS], int(written["plan"]["games"])
        looks = looks_of(written).seen(games)
        # Noted before the look: whatever ends the command now, this look counts.
        note_looks(out, design | {"at": list(looks.at)})
        frame = verdicts(out, design["margin"])
        limit, left = int(design["limit"]), still_open(frame, design["sized"]).to_numpy()
        near = left & hopeless(frame, "points", design["margin"], limit / games) & bool(design["sized"] and games < limit)
        still = int((left & ~near).sum())
        goal = looks.next(games, limit) if still else None
        look = Look(games, still, len(frame), goal is None, int(near.sum()))
        report(look)
        if goal is None:
            return look
        extend_games(out, goal, means)


def verdicts(out: Place, margin: float) -> pd.DataFrame:
    """Return the leaders with their verdicts, as every page gives them."""
    standing = LeaderStanding(open_run(out))
    if standing.untestable:
        raise UserError(
            f"{out}: leaders cannot be distinguished from who played them, or from their places, so nothing can be decided; "
            "expected leaders and strategies that are dealt anew (--leader-pool, --strategy-pool)"
        )
    return judged(standing.leaders, "points", margin, standing.games)


def still_open(frame: pd.DataFrame, sized: bool) -> pd.Series:
    """Return which verdicts of a table are open: undecided or of too few games, and with `sized` also those of unclear size."""
    clear = DECIDED if sized else set(Verdict) - {Verdict.UNDECIDED, Verdict.NOT_COMPARED}
    return pd.Series(~having(frame, clear))
