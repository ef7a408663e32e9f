"""What to do next: the questions that a report raises, each with the command that answers it, filled in, or its answer.

Commands carry what the run was played by: box, players, leaders, strategies, rules files, map, round cap.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pandas as pd

from ...simulator.batch import manifest
from ...simulator.errors import UserError
from ...simulator.games.plan import ROUND_CAP, available_leaders
from ...simulator.rules.contents import slug
from ...simulator.rules.showing.disputes import Doubt
from ..contests import players
from ..contests import ways as lab
from ..statistics.answer import HIGHER, STRENGTH, Verdict, cases_to_differ, far, having, likely_decided
from .findings import weight_of, weighty_readings
from .part import Source
from .provenance import MAP_FILE, given, rules_files
from .shared import headlined

MOST = 3  # commands
MOST_READINGS = 2  # of the rules
MANY_UNFINISHED = 0.01  # share of the games
MOST_TIMES = 16  # so many times the games of the run are asked for at most
FEW_GAMES = 2_000
FEW_GAPS = 3  # between finished files of a run, from which its speed is taken
PAUSE = 20  # times the usual gap: nobody played then


@dataclass(frozen=True)
class Answer:
    """What a command found and kept: what it was asked, in words that a question can be looked up by, and its line."""

    command: str
    about: str  # the figure that a search was for
    line: str
    place: Path
    title: str


@dataclass(frozen=True)
class Step:
    """A question, the command that answers it, and what was found where it has been asked."""

    question: str
    command: str = ""
    answer: str = ""
    link: str = ""  # where on the page the answer is in full


def steps(
    frames: Mapping[str, pd.DataFrame], source: Source, out: Path | None = None, answers: Sequence[Answer] = ()
) -> list[Step]:
    """Return what to do next: two or three commands, and what was asked already. `out`: the folder of the report.

    Nothing where the run cannot be asked further: its manifest is none, or its rules or strategies have no name here.
    """
    try:
        desk = Desk.of(source, out)
    except UserError:
        return _asked([], answers)
    leaders = frames.get("leaders")
    doubts = readings(leaders, source)
    found = [*_ended(desk), *_who(desk), *_leaders(desk, leaders), *_players(desk, leaders), *_coalition(desk, leaders)]
    found += [*_readings(desk, doubts), *_numbers(desk)]
    open_steps, done = [], []
    for step, known in found:
        answer = next((one for one in answers if known(one)), None)
        if answer is None:
            open_steps.append(step)
        else:
            done.append(Step(step.question, answer=answer.line))
    answered = {step.answer for step in done}
    return [*done, *_asked(answered, answers), *open_steps[:MOST], *weighed(doubts)[:MOST_READINGS]]


def _asked(answered: Sequence[str] | set[str], answers: Sequence[Answer]) -> list[Step]:
    """Return what was asked beside the questions that the run raises."""
    return [Step(f"{one.title[:1].upper()}{one.title[1:]}:", answer=one.line) for one in answers if one.line not in answered]


Reading = tuple[str, Doubt, dict[str, str] | None]  # a leader, an open reading about it, what that weighs
Asked = tuple[Step, Callable[[Answer], bool]]  # a question, and whether an answer is one to it


@dataclass(frozen=True)
class Desk:
    """A run that can be asked further: its plan, and the options that its games were played by."""

    source: Source
    contents: manifest.Contents
    files: Mapping[str, str]
    folder: str  # of the report, where the rules are

    @classmethod
    def of(cls, source: Source, out: Path | None) -> Desk:
        """Return the desk of a run; raise UserError if its games could not be asked for by a command."""
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
        """The leaders, where they are not all."""
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
        """Return the option that keeps an answer in the run's folder; nothing of a run at an address."""
        path = self.source.run.path
        return f" --out {shlex.quote(str(path / name))}" if isinstance(path, Path) else ""

    def beside(self, name: str) -> str:
        """Return the option that writes another run beside this one."""
        path = self.source.run.path
        return f" --out {shlex.quote(str(path.parent / f'{path.resolve().name}-{name}'))}" if isinstance(path, Path) else ""


def _never(answer: Answer) -> bool:
    return False


def _ended(desk: Desk) -> list[Asked]:
    """Ask for the games that are missing, or that did not end."""
    source, plan = desk.source, desk.contents.plan
    if source.games < plan.games:
        return [(Step("What do the games say that are still to be played?", f"newdawn resume {desk.run}"), _never)]
    if source.decided >= 1 - MANY_UNFINISHED:
        return []
    table = f" --players {plan.players}{desk.rules} --round-cap {2 * plan.round_cap}"
    command = f"newdawn run --games {plan.games} --seed {plan.seed}{table}{desk.seats}{desk.beside('longer')}"
    return [(Step("Do the games end if they may last twice as long?", command), _never)]


def _who(desk: Desk) -> list[Asked]:
    """Ask for drawn strategies where leaders cannot be distinguished from who played them."""
    source, plan = desk.source, desk.contents.plan
    if not source.players_of:
        return []
    pool = shlex.quote(",".join(source.strategies))
    drawn = f" --leader-pool {shlex.quote(','.join(dict.fromkeys(plan.leaders)))} --strategy-pool {pool}"
    command = f"newdawn run --games {max(plan.games, FEW_GAMES)}{desk.table}{drawn}{desk.beside('drawn')}"
    return [(Step("Is it the leader that is strong, or its player?", command), _never)]


def _leaders(desk: Desk, frame: pd.DataFrame | None) -> list[Asked]:
    """Ask for games where most leaders are undecided, and what to change of the one that is furthest off."""
    if frame is None or desk.source.untestable or desk.source.decided == 0:
        return []
    unclear = int((frame["games_fewest"].notna() | having(frame, {Verdict.NOT_COMPARED})).sum())
    off = off_the_share(frame)
    found = _more_games(desk, frame, unclear) if 2 * unclear > len(frame) or (unclear and off.empty) else []
    if off.empty:
        return found
    leader, fair = str(off["leader"].iloc[0]), 100 * float(off["fair_share"].iloc[0])
    asked = f"--leader {shlex.quote(leader)} --to {fair:.4g}%"
    command = f"newdawn balance {asked}{desk.table}{desk.seats}{desk.kept(f'balance-{slug(leader)}')}"
    figure = f"win rate of {leader}"

    def known(answer: Answer) -> bool:
        return answer.command in ("balance", "tune") and answer.about == figure

    return [*found, (Step(f"What to change, so that {leader} wins {fair:.4g}%?", command), known)]


def _more_games(desk: Desk, frame: pd.DataFrame, unclear: int) -> list[Asked]:
    """Ask for as many games as are expected to decide half of the leaders that are open, within what somebody would play."""
    if desk.source.games < desk.contents.plan.games:
        return []  # the missing games come first
    games, decided = games_to_play(frame, desk.source.margin, desk.source.games)
    time = minutes(games - desk.source.games, speed(desk.source.run.path))
    likely = f"are expected to decide {decided:.0f} of them" if decided >= 0.5 else "say more"
    whom = f"Which of the {unclear} open leaders (of {len(frame)}) are {STRENGTH.within}?"
    question = f"{whom} {games:,} games{time} {likely}:"
    return [(Step(question, f"newdawn extend {desk.run} --games {games}"), _never)]


def off_the_share(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the leaders beyond the margin whose figures may be a headline, the one furthest off first."""
    return far(headlined(frame))


def _coalition(desk: Desk, frame: pd.DataFrame | None) -> list[Asked]:
    """Ask whether the table itself can hold the leader that is furthest above its share."""
    if frame is None or desk.source.untestable or desk.source.decided == 0:
        return []
    above = off_the_share(frame)
    above = above[having(above, HIGHER)]
    if not len(above):
        return []
    leader = str(above["leader"].iloc[0])
    command = f"newdawn coalition --leaders {shlex.quote(leader)}{desk.coalition}{desk.kept(f'coalition-{slug(leader)}')}"
    return [(Step(f"Can a table that plays against {leader} hold it?", command), lambda answer: answer.command == "coalition")]


def games_to_play(frame: pd.DataFrame, margin: float, games: int) -> tuple[int, float]:
    """Return how many games in all to ask for, and how many of the leaders that are open they are expected to decide.

    They are the fewest, doubled each time, that are expected to decide half of these, or MOST_TIMES as many as there are.
    """
    wanted = int(frame["games_fewest"].notna().sum()) / 2
    times = max(2.0, FEW_GAMES / games)
    while likely_decided(frame, "points", margin, times) < wanted and 2 * times <= MOST_TIMES:
        times *= 2
    asked = math.ceil(round(times * games) / 100) * 100
    return asked, likely_decided(frame, "points", margin, asked / games)


def speed(place: object) -> float | None:
    """Return how many games a second the run's folder grew by, by the times of its files; None where they do not say it.

    Pauses, after which a run was resumed, are left out.
    """
    if not isinstance(place, Path):
        return None
    try:
        times = sorted(path.stat().st_mtime for path in (place / "games").glob("part-*.parquet"))
        games = manifest.contents(place).plan.games
    except (OSError, UserError):
        return None
    gaps = [later - one for one, later in pairwise(times)]
    busy = sorted(gap for gap in gaps if gap > 0)
    if len(busy) < FEW_GAPS:
        return None
    seconds = sum(gap for gap in busy if gap <= PAUSE * busy[len(busy) // 2])
    return games * len(gaps) / len(times) / seconds


def minutes(games: float, speed: float | None) -> str:
    """Return in words how long so many games take at a speed; '' where it is not known."""
    if speed is None:
        return ""
    time = games / speed / 60
    return " (less than a minute more)" if time < 1 else f" (about {time:,.0f} minute{'s' if time >= 1.5 else ''} more)"


def _players(desk: Desk, frame: pd.DataFrame | None) -> list[Asked]:
    """Ask whether other players would change the answer, with games enough to find what the first screen says of a leader."""
    source, plan = desk.source, desk.contents.plan
    question = "Would a better or another player change the answer?"
    if desk.leaders:  # `newdawn ways` plays with all leaders
        other = next(name for name in players.ways((), source.run.box, source.run.players) if [name] != source.strategies)
        command = f"newdawn run --games {plan.games}{desk.table}{desk.leaders} --strategies {other}{desk.beside(other)}"
        return [(Step(question, command), _never)]
    names = players.ways(source.strategies, source.run.box, source.run.players)
    games = [max(usual, needed_by_each(desk, frame, len(names))) for usual in players.games_of(names)]
    counts = f" --games {','.join(map(str, games))}" if len(set(games)) > 1 else f" --games {games[0]}"
    command = f"newdawn ways --strategies {shlex.quote(','.join(names))}{counts}{desk.table}{desk.kept('ways')}"
    return [(Step(question, command), lambda answer: answer.command == "ways")]


def needed_by_each(desk: Desk, frame: pd.DataFrame | None, strategies: int) -> int:
    """Return the games of each strategy in which the leader furthest off is found so again, if it is as far off with it.

    Found: by the interval that holds for all figures and strategies of `newdawn ways` together, with a probability of 80%. 0
    where no leader is off.
    """
    off = None if frame is None or desk.source.untestable else off_the_share(frame)
    if off is None or off.empty:
        return 0
    row, pool = off.iloc[0], len(desk.source.outcomes.levels["leader"])
    questions = strategies * len(lab.figures_of(lab.subjects_of_run(desk.source.run)))
    cases = cases_to_differ(float(row["adjusted_rate"]), float(row["fair_share"]), questions)
    return int(math.ceil(cases * pool / desk.contents.plan.players / 100) * 100)


def readings(frame: pd.DataFrame | None, source: Source) -> list[Reading]:
    """Return the open readings of the rules that the verdict on a leader outside the margin rests on."""
    if frame is None:
        return []
    return weighty_readings(source, far(frame)["leader"].astype(str))


def _readings(desk: Desk, found: Sequence[Reading]) -> list[Asked]:
    """Ask for the weight of an open reading of the rules, if it has not been measured; one that has is said in a section."""
    plan = desk.contents.plan
    for leader, doubt, row in found:
        if row is None and doubt.overlay and MAP_FILE not in desk.files:
            strategies = "" if plan.strategies_drawn else desk.strategies
            command = f"newdawn rules disputes --games 2000 --only {shlex.quote(doubt.name)}{desk.table}{strategies}"
            return [(Step(f"Does the open reading of the rules about {leader} matter?", command), _never)]
    return []


def weighed(found: Sequence[Reading]) -> list[Step]:
    """Return what is known of the weight of open readings."""
    told = ((doubt, weight_of(leader, row)) for leader, doubt, row in found if row is not None)
    return [Step(f"Does the open reading {doubt.name} matter?", answer=f"{text[0].upper()}{text[1:]}") for doubt, text in told]


def _numbers(desk: Desk) -> list[Asked]:
    """Ask which numbers of the rules matter."""
    command = f"newdawn sensitivity --focus game,leaders{desk.table}{desk.seats}{desk.kept('sensitivity')}"
    return [(Step("Which numbers of the rules matter most?", command), lambda answer: answer.command == "sensitivity")]
