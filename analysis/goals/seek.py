"""Seeking: from a file of goals to an answer, its sentences and tables, and whether trained players agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted, listed
from ...simulator.rules.load import Ruleset
from ...simulator.runs.run import Observer, Silent
from ...simulator.runs.run_plan import Plan
from ...strategies import registry
from ..learning import adapt
from ..learning.adapt import Budget
from ..questions.budget import FILE, PLAYING, announced, keep_effort, kept_effort
from ..questions.possible_changes import Playable, left_alone
from ..stats.bands import too_few_for
from ..stats.verdicts import DECIDED, MOST_GAMES, Verdict, round_up, verdict_of
from .games import NOTHING, Bands, GoalsTable, GoalsTables, Point, Space, least_error, plan_of, read_columns
from .stages import (
    FEWEST,
    MOST,
    POINTS_SHOWN,
    SLACK,
    GoalsAnswer,
    GoalsEffort,
    SearchResult,
    SearchStages,
    answer_of,
    confirm,
    effort_for,
    of_wishes,
    reserved,
    smallest,
)
from .wishes import MET, MISSED, OPEN, Goals, catalogue, named_in, titles, told, value_words, with_interval

# --- From goals and rules to an answer; all games are kept in a folder, so a stopped search continues

NAMED = 3  # wishes named in a sentence
SHORT = 2  # times as long as the minutes that were asked for
OTHERS = 4  # times fewer games of the other strategies


@dataclass
class Sought:
    """The answer, the goals and the search that led to it, and the points played by other strategies (`held`)."""

    goals: Goals
    course: SearchStages
    answer: GoalsAnswer
    result: SearchResult
    held: pd.DataFrame
    narrow: str = ""  # sentence on the bands narrower than fresh games resolve

    @property
    def space(self) -> Space:
        """Return the changes allowed."""
        return self.course.space

    @property
    def played_by(self) -> list[str]:
        """Return the players of the games, table by table."""
        return list(dict.fromkeys(table.who for table in self.course.bands.tables))


def seek(
    goals: Goals, ruleset: Ruleset, *, seed: int = 1, out: Path | None = None, jobs: int = 1, observer: Observer | None = None,
    effort: GoalsEffort | None = None, fresh: int | None = None,
) -> Sought:  # fmt: skip
    """Return the few changes that bring a game to its goals; see `course` for the stages.

    `effort`: the games of the stages; by default what the budget of the goals allows. `fresh`: overrides the number of fresh
    games. Raises UserError if goals or changes do not fit the rules; on KeyboardInterrupt the games are kept.
    """
    observer = observer or Silent()
    for way in (*goals.ways, *goals.others):
        for players in goals.players:
            _fits(goals, ruleset, GoalsTable(players, way), seed)
    for wish in goals.wishes:
        if wish.seated:
            _fits(goals, ruleset, GoalsTable(wish.players, wish.seated[0], against=wish.seated[1]), seed, f"goals.{wish.goal}")
    observer.note("looking which changes are legal and can be played")
    space = Space.of(ruleset, goals, Playable(_plans(goals, ruleset, seed)))
    figures = catalogue(ruleset, named_in(goals))
    bands = Bands(goals, figures)
    tables = GoalsTables(ruleset, figures, seed, out, jobs, observer)
    with tables.open():
        chosen = effort or _budget(goals, space, bands, tables)
        chosen = chosen if fresh is None else replace(chosen, fresh=fresh)
        course = SearchStages(space, bands, tables, chosen, seed)
        if goals.games is not None:
            chosen = course.effort = _within(goals, course, fresh is not None)
        if effort is None:
            observer.note(_announced(goals, course))
        result = _unchanged(course)
        narrow = None if rules_meet(course) else too_narrow(course)
        if narrow:
            observer.note(narrow)
        if narrow is not None:
            if goals.games is not None:
                tables.limit = goals.games - _set_aside(goals, course)
            result = course.run()
            tables.limit = float("inf")  # the rest was reserved for fresh games
        answer = confirm(course, result)
        held = _held(course, goals, answer) if goals.others and goals.of_ways.wishes else pd.DataFrame()
    return Sought(goals, course, answer, result, held, narrow or "")


def _plans(goals: Goals, ruleset: Ruleset, seed: int) -> list[Plan]:
    """Return the plans of all tables that play: every change must be playable there."""
    tables = [GoalsTable(players, way) for way in (*goals.ways, *goals.others) for players in goals.players]
    seated = [GoalsTable(wish.players, wish.seated[0], against=wish.seated[1]) for wish in goals.wishes if wish.seated]
    return [plan_of(ruleset, table, seed) for table in dict.fromkeys([*tables, *seated])]


def _fits(goals: Goals, ruleset: Ruleset, table: GoalsTable, seed: int, place: str = "") -> None:
    """Raise UserError that names the goals file if no such table can be played under the rules."""
    try:
        plan_of(ruleset, table, seed)
    except UserError as error:
        field = place or ("others" if table.way in goals.others else "ways")
        raise UserError(f"{goals.file}: {field}: {error}", file=goals.file, field=field) from None


def _unchanged(course: SearchStages) -> SearchResult:
    """Return the result where nothing has to be changed."""
    return SearchResult([], np.zeros((3, 0, len(course.bands.columns))), met=True)


def rules_meet(course: SearchStages) -> bool:
    """Return whether the rules meet every wish, by fresh games."""
    n, bands, rules = course.effort.fresh, course.bands, course.space.ruleset
    with course.tables.stage(
        f"the rules, {counted(n, 'fresh game')}", [(table, rules, n) for table in bands.tables], fresh=True
    ):
        games = {table: course.tables.play(table, rules, n, fresh=True) for table in bands.tables}
    return bool(told(of_wishes(bands, games, 1), MET).all())


def too_narrow(course: SearchStages) -> str:
    """Return a sentence on the bands narrower than fresh games of the rules resolve; '' if there are none.

    A band is wide enough if a figure in its middle is called met with a probability of 80%.
    """
    bands, n = course.bands, course.effort.fresh
    points = 1 + min(POINTS_SHOWN, course.space.at_most)
    all_titles, narrow, most = titles(bands.wishes), [], 0.0
    for table in bands.tables:
        at = bands.of_table(table)
        columns = [bands.columns[i] for i in at]
        games = course.tables.play(table, course.space.ruleset, n, fresh=True)
        error = dict(zip(at, least_error(columns, read_columns(columns, games)), strict=True))
        for entry in bands.entries:
            half = (entry.high - entry.low) / 2
            if entry.column not in error or not np.isfinite(half):
                continue
            if (needed := too_few_for(half, error[entry.column], n, points)) is not None:
                narrow.append(all_titles[entry.wish])
                most = max(most, needed)
    if not narrow:
        return ""
    names = list(dict.fromkeys(narrow))
    listed = f"{', '.join(names[:NAMED])}{f' and {len(names) - NAMED} more' if len(names) > NAMED else ''}"
    games_words = f"{round_up(most):,} would (--fresh)" if most <= MOST_GAMES else "no number of them would"
    return f"Bands narrower than {n:,} fresh games resolve: {listed}; {games_words}, or wider bands."


def _set_aside(goals: Goals, course: SearchStages) -> int:
    """Return how many games a search leaves for the fresh ones of its points and of other strategies."""
    others = 2 * max(100, course.effort.fresh // OTHERS) * len(goals.others) * len(goals.players)
    return reserved(course.space, len(course.bands.tables), course.effort.fresh) + others


def _within(goals: Goals, course: SearchStages, fresh_given: bool) -> GoalsEffort:
    """Return the effort that fits the budget's games; raise UserError with the smallest number that makes sense."""
    games, space, tables, effort = int(goals.games or 0), course.space, len(course.bands.tables), course.effort
    if not fresh_given:  # half of the games at most are fresh
        points = tables * (1 + min(POINTS_SHOWN, space.at_most))
        effort = replace(effort, fresh=min(effort.fresh, max(FEWEST, games // 2 // points)))
    course.effort = effort
    least = smallest(space, tables, effort.fresh if fresh_given else FEWEST) + _set_aside(goals, course)
    least -= reserved(space, tables, effort.fresh)
    if games < least:
        raise UserError(
            f"--all-games (budget.games): {games:,} is too few for {counted(len(space), space.noun)} at "
            f"{counted(tables, 'table')}{f' and --fresh {effort.fresh}' if fresh_given else ''}; "
            f"expected at least {round_up(least):,}, or fewer {space.noun}s"
        )
    screened = sum(len(choice.screened()) for choice in space.choices)
    remaining = games - _set_aside(goals, course) - tables * effort.fresh
    return replace(effort, screen=max(FEWEST, min(effort.screen, int(remaining / tables / (MOST + SLACK * screened)))))


def _announced(goals: Goals, course: SearchStages) -> str:
    """Return the first line of a search: how many games it plays, and how long that takes on this machine."""
    space, bands, tables = course.space, course.bands, course.tables
    games = goals.games or course.effort.games(space, len(bands.tables))
    if tables.begun(bands.tables):
        return announced(games, None)  # its first games take no time
    seconds = games / tables.speed(bands.tables)
    if goals.minutes is not None and seconds > SHORT * 60 * goals.minutes:
        least = f"{counted(len(space), space.noun)} at {counted(len(bands.tables), 'table')}"
        return f"{goals.minutes:g} minutes are too few for {least}; the smallest search: {announced(games, seconds)}"
    return announced(games, seconds)


def _budget(goals: Goals, space: Space, bands: Bands, tables: GoalsTables) -> GoalsEffort:
    """Return the effort that the budget allows; a folder keeps the effort it began with."""
    if goals.games is not None:
        return effort_for(goals.games, space, len(bands.tables))
    if goals.minutes is None:
        return GoalsEffort()
    path = None if tables.out is None else tables.out / FILE
    if path is not None and (kept := kept_effort(path, GoalsEffort, goals.minutes)) is not None:
        return kept
    speed = tables.speed(bands.tables)
    effort = effort_for(int(60 * goals.minutes * PLAYING * speed), space, len(bands.tables))
    if path is not None:
        keep_effort(path, effort, goals.minutes)
    return effort


def _held(course: SearchStages, goals: Goals, answer: GoalsAnswer) -> pd.DataFrame:
    """Return how rules and advised point do with the other strategies: one row per point, wish and strategy."""
    points = list(dict.fromkeys([NOTHING, answer.points[answer.advised]]))
    return played_by(course, goals, points, goals.others, max(100, course.effort.fresh // OTHERS))


def played_by(course: SearchStages, goals: Goals, points: Sequence[Point], ways: Sequence[str], n: int) -> pd.DataFrame:
    """Return one row per point, wish and strategy, by n fresh games of each; `changes` is the number of the point's changes."""
    bands = Bands(goals.of_ways, course.bands.figures, ways)
    other = SearchStages(course.space, bands, course.tables, replace(course.effort, fresh=n), course.seed)
    legal = other.rulesets(points)
    wanted = [(table, ruleset, n) for _, ruleset in legal for table in bands.tables]
    with other.tables.stage(f"other strategies: {', '.join(ways)}", wanted, fresh=True):
        games = [{table: other.tables.play(table, rules, n, fresh=True) for table in bands.tables} for _, rules in legal]
    table = answer_of(other, points, games, _unchanged(other)).goals
    return table.assign(changes=[len(points[place]) for place in table["point"]])


# --- Players who have adapted to the advised point: which verdicts stand when they play?
#
# The learned player continues to learn under the changed rules (analysis/learning/adapt.py), a network for each number of
# players. It plays the fresh games of every wish, before and after. A verdict stands if both give the same one.

USUAL = "quick"  # learns if none of the goals' strategies can
STANDS, CHANGED, UNSURE = "stands", "changed by adapting", OPEN


def learner(sought: Sought) -> registry.Strategy:
    """Return the player that learns: the first of the goals' strategies that can, or the usual one."""
    ways = [registry.find(way) for way in (*sought.goals.ways, *sought.goals.others, USUAL)]
    player = next((way for way in ways if adapt.learned(way) is not None), None)
    if player is None:
        raise UserError(
            f"--adapt: none of {', '.join(sought.goals.ways)} can learn; expected one of {', '.join(adapt.learners())}"
        )
    return player


def adapted(sought: Sought, budget: Budget, folder: Path, n: int, say: Callable[[str], None]) -> pd.DataFrame:
    """Return one row per wish: its verdict by the player as it is, and by the player trained under the advised point.

    Columns of `of_wishes` for the adapted player, `before_value`, `before_low`, `before_high`, `before_verdict`, `stands`.
    """
    point = sought.answer.points[sought.answer.advised]
    ruleset = sought.space.ruleset_of(point)
    assert ruleset is not None
    player, course = learner(sought), sought.course
    (network,) = adapt.learned_by([player])
    if not sought.goals.of_ways.wishes:
        raise UserError(f"--adapt: {sought.goals.file} has goals only that say who plays; expected another one, too")
    parts, games = [], None
    for players in sought.goals.of_ways.players:
        lessons = adapt.course_of(
            ruleset, network, budget, folder, players=players, seed=course.seed, jobs=course.tables.jobs, games=games
        )  # fmt: skip
        games = lessons.settings.games
        adapt.train(lessons, partial(_say_for, say, players))
        adapt.adapted(player, {network: lessons})  # writes the file by which the trained player is named
        trained = str(lessons.folder / f"{adapt.NAME}_{Path(player.name).stem}.yaml")
        wishes = tuple(wish for wish in sought.goals.wishes if wish.players == players)
        goals = replace(sought.goals, wishes=wishes)
        with course.tables.open():
            rows = [played_by(course, goals, [point], [way], n) for way in (player.name, trained)]
        before = rows[0][["value", "low", "high", "verdict", "verdict_key"]].add_prefix("before_")
        parts.append(pd.concat([rows[1].drop(columns="point").assign(way=f"{player.name}, trained"), before], axis=1))
    whole = pd.concat(parts, ignore_index=True)
    return whole.assign(stands=[stands(verdict_of(row, "before_verdict"), verdict_of(row)) for row in whole.to_dict("records")])


def stands(before: Verdict, after: Verdict) -> str:
    """Return whether a verdict stands when players have adapted: one of STANDS, CHANGED, UNSURE.

    A figure that was too high and is too low is missed before and after, and yet changed.
    """
    if not {before, after} <= DECIDED:
        return UNSURE
    return STANDS if before is after else CHANGED


def _say_for(say: Callable[[str], None], players: int, text: str) -> None:
    say(f"{players} players: {text}")


# --- The answer in sentences and tables: the conclusion, the front, the goals one by one, what else moves

FEW = 5  # wishes named in a sentence
STAND_WORDS = {STANDS: "stand", CHANGED: "are changed by adapting", UNSURE: f"are {OPEN}"}


def conclusion(sought: Sought) -> list[str]:
    """Return the conclusion in sentences: what to change, what is met, what limits it, what was not searched."""
    sentences = _conclusion(sought)
    if sought.narrow:
        sentences.append(sought.narrow)
    if sought.course.cut:
        games = f"{sought.course.tables.played:,} of {sought.goals.games or 0:,}"
        sentences.append(f"The search ended with its games: {games} are played.")
    if left_out := sought.space.playable.words():
        sentences.append(left_out)
    space, goals = sought.space, sought.goals
    tried = {path for paths in space.paths for path in paths}
    tried |= {change.partition(" = ")[0] for change in space.playable.left_out}
    patterns = [*(entry.path for entry in goals.numbers), *(entry.path for entry in goals.words)]
    untouched = left_alone(space.ruleset, tried, patterns)
    return [*sentences, untouched] if untouched and not sought.result.met else sentences


def _conclusion(sought: Sought) -> list[str]:
    answer = sought.answer
    row = answer.front.iloc[answer.advised]
    games = f"{row['n']:,} fresh games at {counted(len(sought.course.bands.tables), 'table')}"
    wishes = counted(row["wishes"], "wish", "wishes")
    if answer.all_met and row["changes"] == 0:
        return [f"Change nothing: the rules meet all {wishes} ({games})."]
    if answer.all_met:
        return [f"{_changes(row['changes'])} meet{'s' if row['changes'] == 1 else ''} all {wishes} ({games})."]
    rest = f"{row['missed']} are missed, {row['open']} are {OPEN}"
    if row["changes"] == 0:
        lines = [f"No change brings the game measurably nearer to its goals ({games})."]
        return [*lines, f"The rules meet {row['met']} of {wishes}; {rest}."]
    come, meet = ("comes", "It meets") if row["changes"] == 1 else ("come", "They meet")
    return [
        f"No change within these ranges meets every goal for sure; {_changes(row['changes']).lower()} {come} nearest.",
        f"{meet} {row['met']} of {wishes}, the rules {answer.front['met'].iloc[0]}; {rest} ({games}).",
        *binding(sought),
    ]


def _changes(n: int) -> str:
    text = counted(n, "change")
    names = {1: "One", 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}
    return text.replace(str(n), names.get(n, str(n)), 1)


def binding(sought: Sought) -> list[str]:
    """Return sentences on the ranges that the nearest point has used up, and whether it may make more changes."""
    row = sought.answer.front.iloc[sought.answer.advised]
    lines = []
    if row["at_end"]:
        ends = "ends of their ranges" if ";" in row["at_end"] else "end of its range"
        lines.append(f"At the {ends}: {row['at_end']}.")
        lines.append("A wider range (by, from, to) may bring the game nearer to its goals.")
    if row["changes"] == sought.goals.at_most:
        lines.append(f"All {counted(sought.goals.at_most, 'change')} are made: at_most is a limit, too.")
    out = missed(sought.answer)
    return (
        [*lines, f"Still missed: {listed(out[:FEW])}{f', and {len(out) - FEW} more' if len(out) > FEW else ''}."]
        if out
        else lines
    )


def missed(answer: GoalsAnswer) -> list[str]:
    """Return the wishes that the advised point is shown to miss."""
    rows = answer.goals[(answer.goals["point"] == answer.advised) & told(answer.goals, MISSED)]
    return list(dict.fromkeys(rows["figure"]))


def front_table(answer: GoalsAnswer) -> pd.DataFrame:
    """Return the points for readers."""
    rows = []
    for row in answer.front.to_dict("records"):
        rows.append(
            {
                "": "→" if row["point"] == answer.advised else "", "changes": row["changes"], "price": f"{row['price']:g}",
                "distance [95%]": distance_words(row),
                MET: row["met"], MISSED: row["missed"], OPEN: row["open"], "what changes": row["what"],
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def distance_words(row: Any) -> str:
    """Return the distance of a point with its interval, the upper end rounded up so that a possible miss is not shown as 0."""
    return f"{row['distance']:.1f} [{row['distance_low']:.1f}, {np.ceil(10 * row['distance_high'] - 1e-9) / 10:.1f}]"


def goals_table(answer: GoalsAnswer) -> pd.DataFrame:
    """Return every wish under the rules and under the advised point, for readers."""
    frame = answer.goals
    own = frame[frame["point"] == answer.advised].reset_index(drop=True)
    rules = frame[frame["point"] == 0].reset_index(drop=True)
    several = frame["way"].nunique() > 1
    rows = []
    for before, after in zip(rules.to_dict("records"), own.to_dict("records"), strict=True):
        cells = {"figure": after["figure"], **({"played by": after["way"]} if several else {}), "wanted": after["band"]}
        cells |= {"rules": with_interval(before), "changed": with_interval(after), "n": f"{after['n']:,}"}
        rows.append(cells | {"verdict": after["verdict"]})
    return pd.DataFrame(rows)


def moved_table(answer: GoalsAnswer) -> pd.DataFrame:
    """Return the figures without a wish that the advised point moves beyond their margin, for readers."""
    if not len(answer.moved):
        return pd.DataFrame()
    frame = answer.moved[(answer.moved["point"] == answer.advised) & answer.moved["beyond"]]
    rows = []
    for row in frame.to_dict("records"):
        ends = ("difference", "difference_all_low", "difference_all_high")
        rows.append(
            {
                "figure": f"{row['figure']} ({row['players']} players)", "played by": row["way"],
                "rules": value_words(row["a"], row["unit"]), "changed": value_words(row["b"], row["unit"]),
                "change [95% all]": with_interval(row, ends), "n": f"{row['pairs']:,}",
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def held_table(held: pd.DataFrame) -> pd.DataFrame:
    """Return how many wishes rules and advised point meet with other strategies, for readers."""
    if not len(held):
        return pd.DataFrame()
    rows = []
    for (way, made), group in held.groupby(["way", "changes"], sort=False):
        changes = int(str(made))
        which = "the rules" if changes == 0 else f"with {counted(changes, 'change')}"
        rows.append({"played by": way, "": which, **{word: int(told(group, word).sum()) for word in (MET, MISSED, OPEN)}})
    return pd.DataFrame(rows)


def adapted_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Return each wish by players as they are and by players trained under the advised point, for readers."""
    rows = []
    for row in frame.to_dict("records"):
        cells = {"figure": row["figure"], "wanted": row["band"]}
        cells["as they are"] = with_interval(row, ("before_value", "before_low", "before_high"))
        cells |= {"trained": with_interval(row), "n": f"{row['n']:,}", "verdict": row["verdict"], "": row["stands"]}
        rows.append(cells)
    return pd.DataFrame(rows)


def adapted_words(frame: pd.DataFrame) -> str:
    """Return a sentence on how many verdicts stand when players have adapted."""
    counts = frame["stands"].value_counts()
    parts = ", ".join(f"{int(counts.get(word, 0))} {label}" for word, label in STAND_WORDS.items())
    return f"Of {counted(len(frame), 'verdict')} by {frame['way'].iloc[0]}: {parts}."


def model_words(answer: GoalsAnswer, result: SearchResult) -> str:
    """Return a sentence on how well the model predicted the fresh games of the points that it chose."""
    own = answer.expected[answer.expected["point"] > 0] if len(answer.expected) else answer.expected
    if not len(own):
        return ""
    share = float(own["within"].mean())
    n = f"n = {len(own):,} figures of {counted(len(result.points), 'point')}"
    return f"Of what the model expected {100 * share:.0f}% lies within its 95% intervals ({n})."
