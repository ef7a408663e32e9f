"""What to do after a run: questions, the commands that answer them, and the answers there are."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pandas as pd

from ...simulator.errors import UserError
from ...simulator.rules.ruleset_contents import slug
from ...simulator.rules.show import Doubt
from ...simulator.runs import manifest
from ...simulator.runs.run_plan import ROUND_CAP, available_leaders
from ..pages.chart_messages import headlined
from ..pages.report_parts import Source
from ..pages.screen_parts import Answer, Step
from ..questions import depends_on_players as lab
from ..questions.leaders import READINGS, weight_of, weighty_readings
from ..stats.verdicts import (
    HIGHER,
    STRENGTH,
    Verdict,
    cases_to_differ,
    far,
    having,
    likely_decided,
)
from ..tables import figures_by_strategy as by_way
from ..tables import reference_results
from .leader_pages import numbers_of
from .provenance import MAP_FILE, given, rules_files

# --- What to do next: the questions that a report raises, each with its command, filled in, or its answer
#
# Commands carry the box, players, leaders, strategies, rules files, map and round cap of the run.

MOST = 3  # commands
MOST_READINGS = 2  # open readings of the rules
MANY_UNFINISHED = 0.01  # share of the games
MOST_TIMES = 16  # at most this many times the games of the run are proposed
FEW_GAMES = 2_000
FEW_GAPS = 3  # fewer gaps between the files of a run do not show its speed
PAUSE = 20  # times the usual gap: the run was stopped


def steps(
    frames: Mapping[str, pd.DataFrame], source: Source, out: Path | None = None, answers: Sequence[Answer] = ()
) -> list[Step]:
    """Return what to do next: two or three commands, and the questions that have answers. `out`: the folder of the report.

    No commands if the run has no valid manifest, or rules or strategies that cannot be named on a command line.
    """
    try:
        desk = AskedRun.of(source, out)
    except UserError:
        return _asked([], answers)
    leaders = frames.get("leaders")
    doubts = readings(leaders, source)
    questions = [*_ended(desk), *_who(desk), *_leaders(desk, leaders), *_players(desk, leaders), *_coalition(desk, leaders)]
    questions += [*_readings(desk, doubts), *_numbers(desk)]
    open_steps, done, used = [], [], []
    for step, told_by in questions:
        answer = next((answer for answer in answers if told_by(answer)), None)
        if answer is None:
            open_steps.append(step)
        else:
            done.append(Step(step.question, answer=told_by(answer), place=step.place))
            used.append(answer.line)
    return [*done, *_asked(used, answers), *open_steps[:MOST], *weighed(doubts)[:MOST_READINGS]]


def _asked(used: Sequence[str], answers: Sequence[Answer]) -> list[Step]:
    """Return the other answers as steps, without those whose lines are in `used`."""
    others = [answer for answer in answers if answer.line not in used]
    return [Step(f"{x.title[:1].upper()}{x.title[1:]}:", answer=x.line, place="asked") for x in others]


Reading = tuple[str, Doubt, dict[str, str] | None]  # a leader, an open reading about it, its measured effect
Question = tuple[Step, Callable[[Answer], str]]  # a question, and what an answer says to it: '' if it is not about it


@dataclass(frozen=True)
class AskedRun:
    """A run about which commands can be proposed: its plan, and the options of its games."""

    source: Source
    contents: manifest.Contents
    files: Mapping[str, str]
    folder: str  # of the report, with the rules files

    @classmethod
    def of(cls, source: Source, out: Path | None) -> AskedRun:
        """Return the desk of a run; raise UserError if no command could play its games."""
        contents = manifest.contents(source.run.path)
        files = rules_files(contents.ruleset)
        if files is None or contents.plan.own:
            raise UserError("the rules or strategies cannot be named on a command line")
        folder = out if out is not None else Path(str(source.run.path)) / "report"
        return cls(source, contents, files, str(folder))

    @property
    def run(self) -> str:
        """The run's folder as a word of a command."""
        return shlex.quote(str(self.source.run.path))

    @property
    def table(self) -> str:
        """Box, players, rules, map and round cap."""
        plan = self.contents.plan
        cap = f" --round-cap {plan.round_cap}" if plan.round_cap != ROUND_CAP else ""
        return f" --players {plan.players}{self.rules}{cap}"

    @property
    def rules(self) -> str:
        """Box, rules and map."""
        return given(self.contents, {name: str(Path(self.folder) / name) for name in self.files})

    @property
    def seats(self) -> str:
        """Leaders and strategies."""
        return f"{self.leaders}{self.strategies}"

    @property
    def leaders(self) -> str:
        """The leaders, if not all."""
        plan = self.contents.plan
        if plan.leaders_drawn and set(plan.leaders) == set(available_leaders(self.contents.ruleset.compile())):
            return ""
        return f" {'--leader-pool' if plan.leaders_drawn else '--leaders'} {shlex.quote(','.join(plan.leaders))}"

    @property
    def strategies(self) -> str:
        """The strategies."""
        plan = self.contents.plan
        option = "--strategy-pool" if plan.strategies_drawn else "--strategies"
        return f" {option} {shlex.quote(','.join(plan.strategies))}"

    @property
    def coalition(self) -> str:
        """Players, box, rules and map."""
        return f" --players {self.contents.plan.players}{self.rules}"

    def kept(self, name: str) -> str:
        """Return the option that keeps an answer in the run's folder; nothing for a run at an address."""
        path = self.source.run.path
        return f" --out {shlex.quote(str(path / name))}" if isinstance(path, Path) else ""

    def beside(self, name: str) -> str:
        """Return the option that writes another run beside this one; nothing for a run at an address."""
        path = self.source.run.path
        return f" --out {shlex.quote(str(path.parent / f'{path.resolve().name}-{name}'))}" if isinstance(path, Path) else ""


def _never(answer: Answer) -> str:
    return ""


def _of(command: str) -> Callable[[Answer], str]:
    """Return what an answer of a command says, to a question that each of them answers."""
    return lambda answer: answer.line if answer.command == command else ""


def _ended(desk: AskedRun) -> list[Question]:
    """Propose to play the missing games, or longer ones if many did not end."""
    source, plan = desk.source, desk.contents.plan
    if source.games < plan.games:
        return [(Step("What do the games say that are still to be played?", f"newdawn resume {desk.run}"), _never)]
    if source.decided >= 1 - MANY_UNFINISHED:
        return []
    table = f" --players {plan.players}{desk.rules} --round-cap {2 * plan.round_cap}"
    command = f"newdawn run --games {plan.games} --seed {plan.seed}{table}{desk.seats}{desk.beside('longer')}"
    return [(Step("Do the games end if they may last twice as long?", command), _never)]


def _who(desk: AskedRun) -> list[Question]:
    """Propose drawn strategies if leaders cannot be distinguished from who played them."""
    source, plan = desk.source, desk.contents.plan
    if not source.players_of:
        return []
    pool = shlex.quote(",".join(source.strategies))
    drawn = f" --leader-pool {shlex.quote(','.join(dict.fromkeys(plan.leaders)))} --strategy-pool {pool}"
    command = f"newdawn run --games {max(plan.games, FEW_GAMES)}{desk.table}{drawn}{desk.beside('drawn')}"
    return [(Step("Is it the leader that is strong, or its player?", command, place="sure"), _never)]


def _leaders(desk: AskedRun, frame: pd.DataFrame | None) -> list[Question]:
    """Propose more games if most leaders are undecided, and a search for what to change of the one furthest off."""
    if frame is None or desk.source.untestable or desk.source.decided == 0:
        return []
    unclear = int((frame["games_fewest"].notna() | having(frame, {Verdict.NOT_COMPARED})).sum())
    off = off_the_share(frame)
    games = _more_games(desk, frame, unclear) if 2 * unclear > len(frame) or (unclear and off.empty) else []
    if off.empty:
        return games
    leader, fair = str(off["leader"].iloc[0]), 100 * float(off["fair_share"].iloc[0])
    goal = f"--leader {shlex.quote(leader)} --to {fair:.4g}%"
    command = f"newdawn balance {goal}{desk.table}{desk.seats}{desk.kept(f'balance-{slug(leader)}')}"
    figure = f"win rate of {leader}"

    def told_by(answer: Answer) -> str:
        return answer.line if answer.command in ("balance", "tune") and answer.about == figure else ""

    numbers = "; ".join(numbers_of(leader, desk.source)[:MOST])
    question = f"{leader} first{f' ({numbers})' if numbers else ''}: which change makes it win {fair:.4g}%?"
    return [*games, (Step(question, command, place="change"), told_by)]


def _more_games(desk: AskedRun, frame: pd.DataFrame, unclear: int) -> list[Question]:
    """Propose as many games as are expected to decide half of the open leaders, within MOST_TIMES."""
    if desk.source.games < desk.contents.plan.games:
        return []  # the missing games come first
    games, decided = games_to_play(frame, desk.source.margin, desk.source.games)
    time = minutes(games - desk.source.games, speed(desk.source.run.path))
    likely = f"are expected to decide {decided:.0f} of them" if decided >= 0.5 else "say more"
    whom = f"Which of the {unclear} open leaders (of {len(frame)}) are {STRENGTH.within}?"
    question = f"{whom} {games:,} games{time} {likely}:"
    return [(Step(question, f"newdawn extend {desk.run} --games {games}", place="sure"), _never)]


def off_the_share(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the leaders beyond the margin whose figures may be a headline, the one furthest off first."""
    return far(headlined(frame))


def _coalition(desk: AskedRun, frame: pd.DataFrame | None) -> list[Question]:
    """Propose to find out whether a table can hold the leader furthest above its share."""
    if frame is None or desk.source.untestable or desk.source.decided == 0:
        return []
    above = off_the_share(frame)
    above = above[having(above, HIGHER)]
    if not len(above):
        return []
    leader = str(above["leader"].iloc[0])
    command = f"newdawn coalition --leaders {shlex.quote(leader)}{desk.coalition}{desk.kept(f'coalition-{slug(leader)}')}"
    return [(Step(f"Can a table that plays against {leader} hold it?", command), lambda answer: answer.lines.get(leader, ""))]


def games_to_play(frame: pd.DataFrame, margin: float, games: int) -> tuple[int, float]:
    """Return how many games in all to propose, and how many of the open leaders they are expected to decide.

    The games of the run are doubled until half of these are expected to be decided, at most to MOST_TIMES as many.
    """
    wanted = int(frame["games_fewest"].notna().sum()) / 2
    times = max(2.0, FEW_GAMES / games)
    while likely_decided(frame, "points", margin, times) < wanted and 2 * times <= MOST_TIMES:
        times *= 2
    total = math.ceil(round(times * games) / 100) * 100
    return total, likely_decided(frame, "points", margin, total / games)


def speed(place: object) -> float | None:
    """Return how many games a second were played, by the times of the run's files, without pauses; None if they are too few."""
    if not isinstance(place, Path):
        return None
    try:
        times = sorted(path.stat().st_mtime for path in (place / "games").glob("part-*.parquet"))
        games = manifest.contents(place).plan.games
    except (OSError, UserError):
        return None
    gaps = [later - earlier for earlier, later in pairwise(times)]
    busy = sorted(gap for gap in gaps if gap > 0)
    if len(busy) < FEW_GAPS:
        return None
    seconds = sum(gap for gap in busy if gap <= PAUSE * busy[len(busy) // 2])
    return games * len(gaps) / len(times) / seconds


def minutes(games: float, speed: float | None) -> str:
    """Return in words how long this many games take at a speed; '' without one."""
    if speed is None:
        return ""
    time = games / speed / 60
    return " (less than a minute more)" if time < 1 else f" (about {time:,.0f} minute{'s' if time >= 1.5 else ''} more)"


def _players(desk: AskedRun, frame: pd.DataFrame | None) -> list[Question]:
    """Propose to play other strategies, with games enough to find again what the first screen says of a leader."""
    source, plan = desk.source, desk.contents.plan
    question = "Would a better or another player change the answer?"
    if desk.leaders:  # `newdawn ways` plays with all leaders
        other = next(
            name for name in reference_results.ways((), source.run.box, source.run.players) if [name] != source.strategies
        )
        command = f"newdawn run --games {plan.games}{desk.table}{desk.leaders} --strategies {other}{desk.beside(other)}"
        return [(Step(question, command, place="sure"), _never)]
    names = reference_results.ways(source.strategies, source.run.box, source.run.players)
    games = [max(usual, needed_by_each(desk, frame, len(names))) for usual in reference_results.games_of(names)]
    counts = f" --games {','.join(map(str, games))}" if len(set(games)) > 1 else f" --games {games[0]}"
    command = f"newdawn ways --strategies {shlex.quote(','.join(names))}{counts}{desk.table}{desk.kept('ways')}"
    return [(Step(question, command, place="sure"), _of("ways"))]


def needed_by_each(desk: AskedRun, frame: pd.DataFrame | None, strategies: int) -> int:
    """Return the games a strategy needs to show, with 80% chance, that the leader furthest off is as far off with it, too.

    Shown by the interval that holds for all figures and strategies of `newdawn ways` together. 0 if no leader is off.
    """
    off = None if frame is None or desk.source.untestable else off_the_share(frame)
    if off is None or off.empty:
        return 0
    row, pool = off.iloc[0], len(desk.source.outcomes.levels["leader"])
    questions = strategies * len(by_way.figures_of(lab.subjects_of_run(desk.source.run)))
    cases = cases_to_differ(float(row["adjusted_rate"]), float(row["fair_share"]), questions)
    return int(math.ceil(cases * pool / desk.contents.plan.players / 100) * 100)


def readings(frame: pd.DataFrame | None, source: Source) -> list[Reading]:
    """Return the open readings of the rules that verdicts on leaders outside the margin may depend on."""
    if frame is None:
        return []
    return weighty_readings(source, far(frame)["leader"].astype(str))


def _readings(desk: AskedRun, doubts: Sequence[Reading]) -> list[Question]:
    """Propose to measure an open reading of the rules that has not been measured."""
    plan = desk.contents.plan
    for leader, doubt, row in doubts:
        if row is None and doubt.overlay and MAP_FILE not in desk.files:
            strategies = "" if plan.strategies_drawn else desk.strategies
            command = f"newdawn rules disputes --games 2000 --only {shlex.quote(doubt.name)}{desk.table}{strategies}"
            return [(Step(f"Does the open reading of the rules about {leader} matter?", command, place="sure"), _never)]
    return []


def weighed(doubts: Sequence[Reading]) -> list[Step]:
    """Return what the measured ones of the open readings change."""
    effects = ((leader, weight_of(leader, row)) for leader, _, row in doubts if row is not None)
    return [
        Step(f"Does it matter how an open rule about {leader} is read?", answer=f"{text[0].upper()}{text[1:]}",
             link=f"#{READINGS}", place="sure")
        for leader, text in effects
    ]  # fmt: skip


def _numbers(desk: AskedRun) -> list[Question]:
    """Propose to find out which numbers of the rules matter."""
    command = f"newdawn sensitivity --focus game,leaders{desk.table}{desk.seats}{desk.kept('sensitivity')}"
    return [(Step("Which numbers of the rules matter most?", command), _of("sensitivity"))]
