"""The first screen of a report: provenance, verdicts, and the next steps with their commands."""

from __future__ import annotations

import math
import shlex
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from ...simulator import names
from ...simulator.compile_cache import source_digest
from ...simulator.errors import UserError, listed
from ...simulator.rules import describe_diff, load_ruleset
from ...simulator.rules.checks import ROOM, as_given, path_of
from ...simulator.rules.load import why_unfinished
from ...simulator.rules.overlay import WHOLE
from ...simulator.rules.ruleset_contents import box_of, section, slug
from ...simulator.rules.show import Doubt
from ...simulator.runs import manifest
from ...simulator.runs.run_plan import ROUND_CAP, available_leaders
from ..pages.parts import (
    ENOUGH,
    Answer,
    Finding,
    First,
    Source,
    Stands,
    Step,
    counted_margin,
    headlined,
    points,
    points_of,
    rate,
    rate_of,
    who,
)
from ..pages.sentences import in_a_list, in_short, some_of
from ..questions import depends_on_players as lab
from ..questions.leaders import READINGS, not_compared, weight_of, weighty_readings
from ..stats.inference import ALL
from ..stats.verdicts import (
    FAR,
    HIGHER,
    LOWER,
    STRENGTH,
    TOLD,
    TONES,
    Verdict,
    cases_to_differ,
    far,
    having,
    in_order,
    likely_decided,
    sure_to_differ,
    verdict_words,
    weakest,
)
from ..tables import figures_by_strategy as by_way
from ..tables import game, reference_results
from ..tables.read import Run
from .leader_pages import numbers_of

# --- Where a run comes from, and the commands that play it again

RULES_FILE, MAP_FILE = "house_rules.yaml", "map.yaml"


@dataclass(frozen=True)
class Provenance:
    """Where a run comes from: facts by name, changes to the printed rules, commands to play it again and the files they need.

    `changes` is None for an answer about rules, whose page lists them elsewhere.
    """

    facts: dict[str, str]
    changes: list[str] | None
    commands: list[str]
    files: dict[str, str]
    note: str = ""


def provenance(run: Run) -> Provenance:
    """Return where the run comes from, as far as its manifest says."""
    try:
        contents = manifest.contents(run.path)
    except UserError as error:
        return Provenance({"run": str(run.path)}, [], [], {}, f"The manifest does not tell how to play it again: {error}")
    changes = describe_diff(contents.ruleset, load_ruleset(box=box_of(contents.ruleset.data)))
    files = rules_files(contents.ruleset)
    notes = []
    if files is None:
        notes.append("The rules cannot be written as house rules for this version; the run's manifest holds them in full.")
    if contents.engine != source_digest():
        notes.append(f"The games were played by engine {contents.engine}; this report was made by engine {source_digest()}.")
    lines = [] if files is None else commands(contents, files)
    return Provenance(_facts(run, contents), changes, lines, files or {}, " ".join(notes))


def _facts(run: Run, contents: manifest.Contents) -> dict[str, str]:
    plan, described = contents.plan, run.manifest
    seeds = list(dict.fromkeys(str(segment.seed) for segment in contents.segments))
    return {
        "games": f"{plan.games:,} planned, {plan.players} players, round cap {plan.round_cap}",
        "seed": ", ".join(seeds),
        "leaders": f"{', '.join(plan.leaders)} ({'drawn for each game' if plan.leaders_drawn else 'seats rotate'})",
        "strategies": f"{', '.join(plan.strategies)}{' (drawn for each seat)' if plan.strategies_drawn else ''}",
        "rules": f"{contents.ruleset.name}, SHA-256 {contents.ruleset.digest()}",
        "engine": contents.engine,
        "table schema": str(described.get("schema_version", "?")),
        "versions": ", ".join(f"{name} {version}" for name, version in described.get("versions", {}).items()),
        "played on": ", ".join(str(value) for value in described.get("host", {}).values()),
    }


def commands(contents: manifest.Contents, files: Mapping[str, str]) -> list[str]:
    """Return the commands that play the run again under the rules in `files`: one a seed, and the merge of several."""
    plan = contents.plan
    rules = given(contents, {name: name for name in files})
    games: dict[int, int] = {}
    for segment in contents.segments:
        games[segment.seed] = max(games.get(segment.seed, 0), segment.end)
    leaders = "" if plan.leaders_drawn and len(plan.leaders) == len(available_leaders(contents.ruleset.compile())) else _names(
        "--leader-pool" if plan.leaders_drawn else "--leaders", plan.leaders
    )  # fmt: skip
    strategies = _names("--strategy-pool" if plan.strategies_drawn else "--strategies", plan.strategies)
    common = f"{leaders}{strategies}{rules} --round-cap {plan.round_cap}"
    outs = {seed: "again" if len(games) == 1 else f"again-{seed}" for seed in games}
    lines = [
        f"newdawn run --players {plan.players} --games {n} --seed {seed}{common} --out {outs[seed]}"
        for seed, n in games.items()
    ]
    if len(games) > 1:
        lines.append(f"newdawn merge {' '.join(outs.values())} --out again")
    return lines


def given(contents: manifest.Contents, files: Mapping[str, str]) -> str:
    """Return the options for box, house rules and map; `files` maps RULES_FILE and MAP_FILE to their paths."""
    box = "" if contents.ruleset.box == names.BOXES[0] else f" --box {contents.ruleset.box}"
    options = ((RULES_FILE, "--rules"), (MAP_FILE, "--map"))
    return box + "".join(f" {option} {shlex.quote(files[name])}" for name, option in options if name in files)


def _names(option: str, names: tuple[str, ...]) -> str:
    return f" {option} {shlex.quote(','.join(names))}"


# --- House rules as a file


def rules_files(ruleset: Any) -> dict[str, str] | None:
    """Return the house rules and the map that turn the printed rules into these, as YAML files by name.

    None if these files give other rules, as for a run of another version of the program.
    """
    box = box_of(ruleset.data)
    printed = load_ruleset(box=box).data
    changed = _changed(ruleset.data, printed)
    _write_own(changed, printed)
    content = {}
    if ruleset.data["map"]["mode"] == "user":
        content[MAP_FILE] = ruleset.data["map"]["user_map"]
        changed["map"] = {key: value for key, value in changed["map"].items() if key not in ("mode", "user_map")}
    changed = {key: value for key, value in changed.items() if value}
    if changed:
        for_box = {} if box == names.BOXES[0] else {"box": box}
        content[RULES_FILE] = {"name": ruleset.name, **for_box, **changed}
    texts = {name: yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=120) for name, value in content.items()}
    return texts if _digest(texts, box) == ruleset.digest() else None


def _write_own(changed: dict[str, Any], printed: Mapping[str, Any]) -> None:
    """Put new content (leaders, wonders …) back into the form in which house rules write it. Changes `changed`."""
    for file in ROOM:
        path = path_of(file, section(printed))
        new, old = changed, printed
        for key in path.split("."):
            new, old = new.get(key, {}), old[key]
        for key in [key for key in new if key not in old]:
            new[key] = as_given(path, new[key])


def _digest(texts: Mapping[str, str], box: str) -> str | None:
    """Return the digest of the rules in these files; None if they cannot be read."""
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / name for name in texts}
        for name, file in files.items():
            file.write_text(texts[name], "utf-8")
        try:
            overlays = [files[RULES_FILE]] if RULES_FILE in files else []
            digest: str = load_ruleset(overlays, files.get(MAP_FILE), box).digest()
        except UserError:
            return None
    return digest


def _changed(new: Mapping[str, Any], old: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    """Return the values of `new` that differ from those of `old`, nested as they are."""
    changed: dict[str, Any] = {}
    for key in [*new, *(key for key in old if key not in new)]:
        place = f"{path}.{key}" if path else str(key)
        a, b = new.get(key), old.get(key)
        if isinstance(a, Mapping) and isinstance(b, Mapping) and place not in WHOLE:
            inner = _changed(a, b, place)
            if inner:
                changed[key] = inner
        elif a != b or (key in new) != (key in old):
            changed[key] = a
    return changed


# --- What to do next: the questions that a report raises, each with its command, filled in, or its answer
#
# Commands carry the box, players, leaders, strategies, rules files, map and round cap of the run.

MOST = 3  # commands
MOST_READINGS = 2  # open readings of the rules
MANY_UNFINISHED = 0.01  # share of the games
MOST_TIMES = 16  # at most so many times the games of the run are proposed
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
    """Return in words how long so many games take at a speed; '' without one."""
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


# --- The first screen of a report: verdicts, at most three sentences, what to do next, and terms

SENTENCES = 3


def first(frames: Mapping[str, pd.DataFrame], source: Source, out: Path | None = None, answers: Sequence[Answer] = ()) -> First:
    """Return the first screen of a run; `frames` are the tables of the report's parts by key."""
    sized = [
        *_headline_of_leaders(frames.get("leaders"), source),
        *_outside(_headlined(frames.get("leaders-with-strategies"), source), source.margin, _pair, "interaction"),
        *_outside(frames.get("order"), source.margin, _place),
        *_outside(frames.get("effects"), source.margin, _wonder),
    ]
    cut = _unfinished(source)
    ranked = [finding for _, finding in sorted(sized, key=lambda pair: -pair[0])][: SENTENCES - len(cut)]
    headings, rows, note = _table(frames, source)
    return First(
        [*cut, *ranked], headings, rows, note, _verdicts(frames.get("leaders"), source), "leaders",
        steps=steps(frames, source, out, answers), meanings=meanings(frames.get("leaders"), source),
        headline=headline(frames.get("leaders"), source), change="What to change",
    )  # fmt: skip


def headline(frame: pd.DataFrame | None, source: Source) -> str:
    """Return the verdict on the game in one short sentence: how many leaders are off, or that none is."""
    if frame is None:
        return ""
    if source.untestable:
        return "No verdict: leaders cannot be distinguished from who played them, or from their places"
    if not source.decided:
        return "No verdict: nobody won any of these games"
    many, margin = len(frame), counted_margin(source.margin, "point")
    strong, weak = (int(having(far(frame), kind).sum()) for kind in (HIGHER, LOWER))
    if strong or weak:
        sides = [f"{strong} {'is' if strong == 1 else 'are'} {STRENGTH.far_above}"] if strong else []
        sides += [f"{weak} {'' if sides else 'is ' if weak == 1 else 'are '}{STRENGTH.far_below}"] if weak else []
        return f"Not balanced: of {many} leaders {', '.join(sides)}"
    if having(frame, {Verdict.WITHIN}).all():
        return f"Balanced: all {many} leaders win within {margin} of {rate(float(frame['fair_share'].iloc[0]))}"
    return f"Undecided: of {many} leaders none is shown to be {STRENGTH.far_above} or {STRENGTH.far_below}"


def _unfinished(source: Source) -> list[Finding]:
    """Say how many games nobody won if they are many: all other sentences are about the others."""
    unfinished = source.games - round(source.decided * source.games)
    if unfinished <= MANY_UNFINISHED * source.games:
        return []
    row = game.length(source.run).iloc[0]
    text = (
        f"Nobody won {rate_of(row, 'unfinished_rate')} of the games (n = {source.games:,}): they were "
        "stopped at the round cap, and win rates leave them out."
    )
    if why := why_unfinished(source.run.rules):
        text += f" {why[0].upper()}{why[1:]}."
    return [Finding(text, "limit")]


def _verdicts(frame: pd.DataFrame | None, source: Source) -> list[Stands]:
    """Return which leaders have which verdict."""
    if frame is None:
        return []
    fair, margin = rate(float(frame["fair_share"].iloc[0])), counted_margin(source.margin, "point")
    unclear = f"not {fair}; by more than {margin} or less is open"
    meanings = {
        Verdict.FAR_ABOVE: f"more than {margin} above {fair}", Verdict.FAR_BELOW: f"more than {margin} below {fair}",
        Verdict.ABOVE: unclear, Verdict.BELOW: unclear, Verdict.WITHIN: f"within {margin} of {fair}",
        Verdict.UNDECIDED: "these games do not say which", Verdict.NOT_COMPARED: _why_untested(source),
    }  # fmt: skip
    named = [(verdict, [str(name) for name in frame.loc[having(frame, {verdict}), "leader"]]) for verdict in TOLD]
    return [Stands(STRENGTH.of(verdict), names, TONES[verdict], meanings[verdict]) for verdict, names in named if names]


def _why_untested(source: Source) -> str:
    if source.players_of:
        return "players of their own"
    return "places of their own" if source.places_of else "too few games"


# --- Terms


def meanings(frame: pd.DataFrame | None, source: Source) -> list[tuple[str, str]]:
    """Return who played, and the terms of the first screen with their meanings."""
    players = [("Who played", who(source.strategies, source.run.box, source.run.players))]
    if frame is None:
        return players
    fair, margin = rate(float(frame["fair_share"].iloc[0])), counted_margin(source.margin, "point")
    equal = ", by equally strong players" if len(source.strategies) > 1 and "strategy" in source.factors else ""
    return [
        *players,
        ("Win rate", f"Of the games that somebody won, with all other leaders met equally often, in all orders{equal}. "
                     f"The fair share is {fair}; points are points of per cent."),
        ("[…, …]", "With 95% certainty the true figures of all leaders lie between these two; in the picture: the bars."),
        ("Margin", f"±{margin} (`--margin`): less does not matter."),
    ]  # fmt: skip


# --- Sentences


Sized = tuple[float, Finding]  # a size in margins, and the finding
Row = Mapping[Any, Any]


def _points(row: Row, name: str = "points") -> str:
    return f"{points_of(row, name)} points"


def _outside(frame: pd.DataFrame | None, margin: float, sentence: Callable[[Row], str], name: str = "points") -> list[Sized]:
    """Return one sentence on the largest of the rows outside the margin, if there are any."""
    outside = pd.DataFrame() if frame is None else far(frame, name)
    if outside.empty:
        return []
    row = outside.to_dict("records")[0]
    return [(float(abs(row[name])) / margin, Finding(f"{sentence(row)}.", row["certainty"]))]


def _headlined(frame: pd.DataFrame | None, source: Source) -> pd.DataFrame | None:
    """Return the rows whose figures may be a headline: those of enough games."""
    if frame is None:
        return None
    return headlined(frame, len(source.outcomes.levels["leader"]), ("decided", "n_with", "n_without"))


def _pair(row: Row) -> str:
    size = _points(row, "interaction")
    pair = f"{row['leader']} with {row['strategy']}"
    return f"{pair} wins {size} beyond what leader and strategy are worth alone (n = {row['decided']:,.0f})"


def _place(row: Row) -> str:
    return f"Turn order matters: place {row['order']} is {_points(row)} off the fair share (n = {row['n']:,})"


def _wonder(row: Row) -> str:
    return f"World wonders decide games: {row['wonder']} changes the chance to win by {_points(row)} (n = {row['n']:,})"


def _headline_of_leaders(frame: pd.DataFrame | None, source: Source) -> list[Sized]:
    """Return the finding on the leader furthest from its fair share; if none is shown to be off, on all of them."""
    if frame is None:
        return []
    if source.untestable:
        finding = not_compared(source)
        return [(math.inf, Finding(f"{finding.text.partition(' (')[0]}.", finding.certainty))]
    off = far(frame)
    if off.empty:
        return [(0.0, _within(frame, source))]
    outside = headlined(frame)
    outside = outside[having(outside, FAR)].sort_values("points", key=abs, ascending=False, kind="stable")
    if outside.empty:
        return [(float(off["points"].abs().iloc[0]) / source.margin, _without_figures(off, len(frame)))]
    row = outside.to_dict("records")[0]
    side = "above" if row["points"] > 0 else "below"
    won, n = rate_of(row, "adjusted_rate", ALL), f"{row['decided']:,.0f}"
    distance = f"{abs(row['points']):.1f} points {side} the fair share of {rate(row['fair_share'])}"
    wins = f"it wins {won} of its decided games (n = {n})"
    if source.among_equals:
        wins = f"among equal players it would win {won} (n = {n} decided games)"
    text = f"{row['leader']} is {row['verdict']}: {wins}, {distance}."
    size, mended = float(abs(row["points"])) / source.margin, source.mended
    findings = [(size, Finding(text, row["certainty"]))]
    if mended is None or (mended["mended"] != row["leader"]).any():
        return findings
    return [*findings, (size, replace(in_short(mended), place="change"))]


def _without_figures(off: pd.DataFrame, pool: int) -> Finding:
    """Say who is off without their rates: in few games the largest rate of many leaders owes much to chance."""
    parts = {word: off.loc[off["verdict"] == word, "leader"] for word in in_order(off["verdict"])}
    named = [f"{some_of([str(name) for name in part])} {'is' if len(part) == 1 else 'are'} {word}"
             for word, part in parts.items()]  # fmt: skip
    text = f"{listed(named)}; by how much, fewer than {ENOUGH} games of each of {pool} leaders do not say."
    return Finding(text, weakest(off["certainty"]))


def _within(frame: pd.DataFrame, source: Source) -> Finding:
    """Say that no leader is shown to lie outside the margin, and how many have each verdict."""
    names: dict[str, list[str]] = {}
    for row in frame.to_dict("records"):
        names.setdefault(str(row["verdict"]), []).append(str(row["leader"]))
    margin = f"±{counted_margin(source.margin, 'point')}"
    if len(names.get(STRENGTH.within, ())) == len(frame):
        widest = f"{points(frame['points_all_low'].min())} to {points(frame['points_all_high'].max())}"
        text = f"All {len(frame)} leaders are {STRENGTH.within} within {margin} of the fair share ({widest})."
        return Finding(text, weakest(frame["certainty"]))
    counts = listed(
        f"{len(some)} {'is' if len(some) == 1 else 'are'} {in_a_list(verdict)}"
        for verdict, some in ((verdict, names[verdict]) for verdict in in_order(names))
    )
    return Finding(f"No leader is detectably off the fair share by more than {margin}: {counts}.", "open")


# --- Rates under each strategy


MENDED = "With the one furthest off at its fair share: by the model of who wins, all else as it is."


def _table(frames: Mapping[str, pd.DataFrame], source: Source) -> tuple[list[str], list[list[str]], str]:
    """Return headings, rows and a note: the leaders' rates over all games, and by strategy."""
    leaders, by_strategy = frames.get("leaders"), frames.get("leaders-by-strategy")
    if leaders is None:
        return [], [], ""
    margin = counted_margin(source.margin, "point")
    headings = ["leader", "decided games", "win rate at balanced tables [95% all]", f"±{margin}?"]
    rows = [
        [str(row["leader"]), f"{row['decided']:,.0f}", rate_of(row, "adjusted_rate", ALL), verdict_words(row)]
        for row in leaders.to_dict("records")
    ]
    mended = source.mended
    if "pooled_rate" in leaders:
        headings.append("drawn to the fair share [95%]")
        for row, own in zip(rows, leaders.to_dict("records"), strict=True):
            row.append(rate_of(own, "pooled_rate"))
    if mended is not None:
        headings.append(f"with {mended['mended'].iloc[0]} at {rate(mended['fair_share'].iloc[0])} [95% all]")
        then = {
            str(row["leader"]): f"{rate_of(row, 'adjusted_rate', ALL)}, {row['verdict']}" for row in mended.to_dict("records")
        }
        for row in rows:
            row.append(then.get(row[0], "–"))
    if by_strategy is None:
        return headings, rows, MENDED if mended is not None else ""
    by = {(row["leader"], row["strategy"]): row for row in by_strategy.to_dict("records")}
    for strategy in by_strategy["strategy"].unique():
        mean = by_strategy.loc[by_strategy["strategy"] == strategy]
        headings.append(f"{strategy} (all leaders {rate(mean['wins'].sum() / mean['n'].sum())}) [95%]")
        for row in rows:
            played = by.get((row[0], strategy))
            row.append("–" if played is None else f"{rate_of(played, 'win_rate')}, n = {played['n']:,}{_mark(played)}")
    note = "Right: wins as played, by strategy; ▲ ▼ differ from the other leaders that the same strategy played."
    if source.among_equals:
        note = f"Win rates at balanced tables are the model's, among equal players. {note}"
    if mended is not None:
        note = f"{MENDED} {note}"
    return headings, rows, note


def _mark(row: Row) -> str:
    """Return an arrow if the leader differs from the others that the same strategy played."""
    if sure_to_differ(row) not in ("strong", "shown"):
        return ""
    return " ▲" if row["points"] > 0 else " ▼"
