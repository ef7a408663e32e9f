"""What to do next: the questions that a report raises, each with the command that answers it, filled in, or its answer.

Commands carry what the run was played by: box, players, leaders, strategies, rules files, map, round cap.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ...simulator.batch import manifest
from ...simulator.errors import UserError
from ...simulator.games.plan import ROUND_CAP, available_leaders
from ...simulator.rules.contents import slug
from ...simulator.rules.showing.disputes import Doubt
from ..contests import players
from ..trials.relevance import OUTSIDE, UNDECIDED, UNTESTED
from .findings import weight_of, weighty_readings
from .part import Source
from .provenance import MAP_FILE, given, rules_files

MOST = 3  # commands
MOST_READINGS = 2  # of the rules
MANY_UNFINISHED = 0.01  # share of the games
MOST_TIMES = 10  # so many times the games of the run are asked for at most
FEW_GAMES = 2_000


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
    found = [*_ended(desk), *_who(desk), *_leaders(desk, leaders), *_players(desk), *_coalition(desk, leaders)]
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
    """Ask what to change of the leader that is furthest off; where none is shown to be, for games that would tell."""
    if frame is None or desk.source.untestable or desk.source.decided == 0:
        return []
    outside = largest(frame, "points")
    if len(outside):
        leader, fair = str(outside["leader"].iloc[0]), 100 * float(outside["fair_share"].iloc[0])
        asked = f"--leader {shlex.quote(leader)} --to {fair:.4g}%"
        command = f"newdawn balance {asked}{desk.table}{desk.seats}{desk.kept(f'balance-{slug(leader)}')}"
        figure = f"win rate of {leader}"

        def known(answer: Answer) -> bool:
            return answer.command in ("balance", "tune") and answer.about == figure

        return [(Step(f"What to change, so that {leader} wins {fair:.4g}%?", command), known)]
    if not frame["verdict"].isin((UNDECIDED, UNTESTED)).any() or desk.source.games < desk.contents.plan.games:
        return []
    games = games_to_play(desk.source.games, frame["games_to_decide"])
    return [(Step("Do more games decide who is too strong?", f"newdawn extend {desk.run} --games {games}"), _never)]


def _coalition(desk: Desk, frame: pd.DataFrame | None) -> list[Asked]:
    """Ask whether the table itself can hold the leader that is furthest above its share."""
    if frame is None or desk.source.untestable or desk.source.decided == 0:
        return []
    above = largest(frame, "points")
    above = above[above["points"] > 0]
    if not len(above):
        return []
    leader = str(above["leader"].iloc[0])
    command = f"newdawn coalition --leaders {shlex.quote(leader)}{desk.coalition}{desk.kept(f'coalition-{slug(leader)}')}"
    return [(Step(f"Can a table that plays against {leader} hold it?", command), lambda answer: answer.command == "coalition")]


def largest(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the rows that are shown to lie outside the margin, the largest first."""
    return frame[frame["verdict"] == OUTSIDE].sort_values(name, key=abs, ascending=False, kind="stable")


def games_to_play(games: int, wanted: pd.Series) -> int:
    """Return how many games in all to ask for: as many as are said to decide, within what somebody would play."""
    least = max(FEW_GAMES, 2 * games)
    most = max(least, MOST_TIMES * games)
    known = wanted.dropna()
    asked = float(known.min()) if len(known) else least
    return int(math.ceil(min(max(asked, least), most) / 100) * 100)


def _players(desk: Desk) -> list[Asked]:
    """Ask whether other players would change the answer."""
    source, plan = desk.source, desk.contents.plan
    question = "Would a better or another player change the answer?"
    if desk.leaders:  # `newdawn ways` plays with all leaders
        other = next(name for name in players.ways((), source.run.box, source.run.players) if [name] != source.strategies)
        command = f"newdawn run --games {plan.games}{desk.table}{desk.leaders} --strategies {other}{desk.beside(other)}"
        return [(Step(question, command), _never)]
    names = players.ways(source.strategies, source.run.box, source.run.players)
    games = players.games_of(names)
    counts = f" --games {','.join(map(str, games))}" if len(set(games)) > 1 else ""
    command = f"newdawn ways --strategies {shlex.quote(','.join(names))}{counts}{desk.table}{desk.kept('ways')}"
    return [(Step(question, command), lambda answer: answer.command == "ways")]


def readings(frame: pd.DataFrame | None, source: Source) -> list[Reading]:
    """Return the open readings of the rules that the verdict on a leader outside the margin rests on."""
    if frame is None:
        return []
    outside = largest(frame, "points")
    return weighty_readings(source, outside["leader"].astype(str))


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
