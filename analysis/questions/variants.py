"""Variants: which of several rules is best? All are played on the same seeds. Start with `race`, then `findings`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd

from ...simulator.errors import counted, listed
from ..pages import plots
from ..pages.cells import points_of
from ..pages.report_parts import Chart, Column, Finding, Part
from ..pages.screen_parts import First, Step
from ..pages.sentences import FOUND_CHAPTER, Made, of_row, who_played
from ..stats import best
from ..stats.best import Standing, in_common
from ..stats.claims import AmongBest, Undecided, Untested
from ..stats.player_counts import at_players
from ..stats.sample_sizes import Looks, RaceLooks
from ..stats.verdicts import DIFFERENT, FAR, STRENGTH, Verdict, having, verdict_of
from ..tables.kept_answers import CHANGES, VARIANTS, KeptAnswer
from ..tables.paired_figures import subjects_of
from ..tables.variants import LEAST_SPREAD, NONE, Goal, Tally, placed, variants
from .compare import games_together

# --- Playing: all of them the same games, or a race


@dataclass
class Race:
    """Several rulesets played on the same seeds: the table, the games of all of them, and why it ended."""

    frame: pd.DataFrame
    games: int
    reason: str


def race(
    plans: Mapping[int, Sequence[Any]], rulesets: Sequence[Any], names: Sequence[str], games: int, goal: Goal, *,
    until_best: bool = False, jobs: int = 1, observer: Any = None, report: Callable[[str], None] = lambda text: None,
) -> Race:  # fmt: skip
    """Play the rulesets on the same seeds: `games` each, or, `until_best`, at most so many of those that could still be best.

    `plans`: those of the rulesets, by the number of players; each table has a race of its own, and all hold together. On
    Ctrl-C it ends with the games that are complete.
    """
    from ...simulator.runs.run import Player, Silent

    observer = observer or Silent()
    records = [ruleset.compile() for ruleset in rulesets]
    subjects = subjects_of(*records)
    races: dict[int, Race] = {}
    for players, own in plans.items():
        Player(own[0], records[0])  # import the engine before the clock starts
        sides = [(plan, r, subjects) for plan, r in zip(own, records, strict=True)]
        races[players] = raced(
            partial(_played, sides, jobs, observer), len(rulesets), names, games, goal, players, subjects,
            until_best=until_best, report=report, tables=len(plans),
        )  # fmt: skip
        if races[players].reason == STOPPED:
            break
    return _joined(races)


def _played(
    sides: Sequence[Any], jobs: int, observer: Any, playing: Sequence[int], first: int, n: int
) -> Iterator[Sequence[Any]]:
    observer.begin(len(playing) * n, 0)
    try:
        yield from games_together([[sides[at] for at in playing]], first, n, jobs, observer)
    finally:
        observer.end()


def _joined(races: Mapping[int, Race]) -> Race:
    reasons = {players: race.reason for players, race in races.items()}
    alike = len(set(reasons.values())) == 1
    reason = next(iter(reasons.values())) if alike else "; ".join(f"{why} ({n} players)" for n, why in reasons.items())
    frame = pd.concat([race.frame for race in races.values()], ignore_index=True)
    return Race(frame, sum(race.games for race in races.values()), reason)


Play = Callable[[Sequence[int], int, int], Iterator[Sequence[Any]]]
STOPPED = "stopped early by hand: results are biased if you chose the moment by them"


@dataclass
class Course:
    """A race as it was run: sums over the games, the places of the rulesets, the looks taken, and why it ended."""

    tally: Tally
    places: dict[int, best.Place]
    looks: Looks | None
    reason: str


def course_of(
    play: Play, rulesets: int, games: int, goal: Goal, players: int, subjects: Any, *,
    until_best: bool = False, report: Callable[[str], None] = lambda text: None, tables: int = 1,
) -> Course:  # fmt: skip
    """Race what `play(playing, first, n)` yields: figures of n games of each ruleset in `playing`, chunk by chunk.

    `tables`: at how many tables (numbers of players) it is asked; this is one of them.
    """
    tally, playing = Tally(rulesets, subjects), list(range(rulesets))
    looks: Looks | None = RaceLooks(games) if until_best else None
    places: dict[int, best.Place] = {}
    done, reason = 0, "the games asked for"
    while True:
        further = games if looks is None else looks.next(done, games) or games
        try:
            for figures in play(playing, done, further - done):
                tally.add(playing, figures)
        except KeyboardInterrupt:
            reason = STOPPED
            if int(tally.games[playing[0]]) < 2:
                raise
        done = int(tally.games[playing[0]])
        looks = None if looks is None else looks.seen(done)
        now = placed(tally, playing, goal, players, rulesets - 1, looks, tables)
        places |= dict(zip(playing, now, strict=True))
        over = best.decided(now)
        if looks is None or over or done >= games or reason == STOPPED:
            if looks is not None and reason != STOPPED:
                reason = "the best is known" if over else "the most games allowed"
            return Course(tally, places, looks, reason)
        gone = [at for at, place in zip(playing, now, strict=True) if place.standing is Standing.NOT_BEST]
        playing = [at for at in playing if at not in gone]
        report(f"{counted(done, 'game')} each: {counted(len(playing), 'variant')} could be the best; playing on")


def raced(
    play: Play, rulesets: int, names: Sequence[str], games: int, goal: Goal, players: int, subjects: Any, *,
    until_best: bool = False, report: Callable[[str], None] = lambda text: None, tables: int = 1,
) -> Race:  # fmt: skip
    """Return the race of `course_of`, with its table."""
    course = course_of(
        play, rulesets, games, goal, players, subjects, until_best=until_best, report=report, tables=tables
    )  # fmt: skip
    frame = variants(course.tally, names, course.places, goal, players, course.looks, tables)
    return Race(frame, int(course.tally.games.sum()), course.reason)


# --- Sentences

Row = Mapping[Any, Any]


def findings(frame: pd.DataFrame, goal: Goal = LEAST_SPREAD) -> list[Finding]:
    """Findings: which is the best, or could be, at all tables; whether that is better than the first ruleset; what it costs."""
    records = frame.to_dict("records")
    tables = {players: [row for row in records if row["players"] == players] for players in dict.fromkeys(frame["players"])}
    if len(tables) == 1:
        return _at_one(next(iter(tables.values())), goal)
    joint = {
        str(name): in_common([Standing(row["standing"]) for row in records if row["variant"] == name])
        for name in dict.fromkeys(frame["variant"])
    }
    told = [_at_all(tables, joint, goal)]
    for players, rows in tables.items():
        at = f"At {players} players: "
        leading = _leading(rows)
        if None in joint.values():
            told.append(_verdict(leading, rows, goal, at))
        told += [*_against_first(leading, rows[0], goal, at, most=1), *_costs(leading, at, most=1)]
    return told


def _leading(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if Standing(row["standing"]) is not Standing.NOT_BEST]


def _at_one(rows: Sequence[Row], goal: Goal) -> list[Finding]:
    leading = _leading(rows)
    return [_verdict(leading, rows, goal), *_against_first(leading, rows[0], goal), *_costs(leading)]


def _at_all(tables: Mapping[int, Sequence[Row]], joint: Mapping[str, Standing | None], goal: Goal) -> Finding:
    """Say what holds at all tables together: the best, those that could be, or that it depends on the table."""
    what, where = _what(goal), at_players(tables)
    rows = pd.DataFrame({
        "variant": list(joint), "standing": [None if standing is None else standing.value for standing in joint.values()],
        "at_most": [max(float(row["at_most"]) for row in _all(tables) if str(row["variant"]) == name) for name in joint],
    })  # fmt: skip
    claim = AmongBest(rows, list(joint), beside=[*tables, *range(len(joint))])
    every = [name for name, standing in joint.items() if standing not in (None, Standing.NOT_BEST)]
    chosen = [name for name in every if joint[name] in best.CHOSEN]
    rest = _rest([name for name, standing in joint.items() if standing is Standing.NOT_BEST], len(joint))
    for name in [name for name, standing in joint.items() if standing is None and every]:
        able = [players for players, rows in tables.items() if name in [str(row["variant"]) for row in _leading(rows)]]
        rest += f"; {name} could be as good {at_players(able)} only"
    if not every:
        own = [f"at {n} {listed([str(row['variant']) for row in _leading(rows)])}" for n, rows in tables.items()]
        return Finding(claim, f"None of {len(joint)} is the best {where}: {listed(own)} could be ({what}).")
    if any(joint[name] is Standing.BEST for name in every):
        text = f"{listed(every)} is the best of {len(joint)} {where}: none of the others has so small a {what}."
        return Finding(replace(claim, of=every), text)
    if chosen:
        return _chosen(replace(claim, of=chosen), [name for name in every if name not in chosen], what, f" {where}", rest)
    if len(every) == 1:
        others = [name for name in joint if name != every[0]]
        return Finding(replace(claim, of=others), f"Only {every[0]} could be the best of {len(joint)} {where} ({what}){rest}.")
    text = f"{listed(every)} could be the best {where} ({what}); which of them is open{rest}."
    return Finding(replace(claim, of=every), text)


def _all(tables: Mapping[int, Sequence[Row]]) -> list[Row]:
    return [row for rows in tables.values() for row in rows]


FEW = 2  # named in a sentence


def _what(goal: Goal) -> str:
    return f"{goal.leader}'s distance from its fair share" if goal.leader else "leader spread"


def _rest(names: Sequence[str], of: int) -> str:
    """Say that the others are not the best."""
    if not names:
        return ""
    who = listed(list(names)) if len(names) <= FEW else f"{'all' if len(names) == of else 'the'} other {len(names)}"
    return f"; {who} {'is' if len(names) == 1 else 'are'} not"


def _chosen(claim: AmongBest, possible: Sequence[str], what: str, where: str, rest: str, at: str = "") -> Finding:
    """Say who is as good as the best, and who could be better."""
    chosen, rows = list(claim.of), claim.rows
    reach = float(rows.loc[rows["variant"].astype(str).isin(chosen), "at_most"].max())
    if not possible and len(chosen) > 1:
        alike = f"each is at most {reach:.1f} points worse than the best, which is within the margin"
        return Finding(claim, f"{at}{listed(chosen)} are as good as each other{where} ({what}): {alike}{rest}.")
    one = len(chosen) == 1
    verb = "is" if one else "are"
    text = f"{at}{listed(chosen)} {verb} the best of {len(rows)}{where}, or at most {reach:.1f} points worse ({what})"
    better = f"; {listed(list(possible))} could be as good" if possible else ""
    return Finding(claim, f"{text}: that is within the margin{better}{rest}.")


def _verdict(leading: Sequence[Row], rows: Sequence[Row], goal: Goal, at: str = "") -> Finding:
    what, names = _what(goal), [str(row["variant"]) for row in leading]
    claim = AmongBest(pd.DataFrame(list(rows)), names, beside=range(len(rows)))
    if len(leading) == 1:
        return Finding(claim, f"{at}{names[0]} is the best of {len(rows)}: none of the others has so small a {what}.")
    rest = _rest([str(row["variant"]) for row in rows if row not in leading], len(rows))
    chosen = [row for row in leading if Standing(row["standing"]) in best.CHOSEN]
    if chosen:
        possible = [str(row["variant"]) for row in leading if row not in chosen]
        return _chosen(replace(claim, of=[str(row["variant"]) for row in chosen]), possible, what, "", rest, at)
    return Finding(claim, f"{at}{listed(names)} could be the best ({what}); which of them is open{rest}.")


def _against_first(leading: Sequence[Row], first: Row, goal: Goal, at: str = "", most: int = FEW) -> list[Finding]:
    """Say what the spread is under the variants that could be the best, against the first ruleset."""
    told = []
    under = f"{at}under" if at else "Under"
    for row in [row for row in leading if row is not first][:most]:
        name, change = row["variant"], points_of(row, "spread_change")
        if goal.leader and verdict_of(row, "leader_verdict") is Verdict.NOT_COMPARED:
            text = f"Under {name} no game with {goal.leader} has a winner: its win rate is unknown."
            told.append(Finding(Untested(pd.DataFrame([row])), text))
        elif goal.leader:
            size = points_of(row, "leader_points")
            text = f"{under} {name} {goal.leader} lies {size} points from its fair share: {row['leader_verdict']}."
            told.append(of_row(row, text, "leader"))
        verdict = verdict_of(row, "spread_verdict")
        if verdict is Verdict.NOT_COMPARED:
            continue
        start = f"{under} {name} the leader spread is {row['spread']:.1f} points instead of {first['spread']:.1f}"
        end = "" if verdict in DIFFERENT else f"; that is {row['spread_verdict']}"
        games = counted(int(row["n"]), "game")
        told.append(of_row(row, f"{start} ({change}, n = {games}){end}.", "spread", beside=[first["spread"]]))
    if first in leading and len(leading) > 1:
        text = f"{at}{'no' if at else 'No'} variant is shown to be better than {first['variant']}."
        told.append(Finding(Undecided(pd.DataFrame(list(leading))), text))
    return told


def _costs(leading: Sequence[Row], at: str = "", most: int = FEW) -> list[Finding]:
    """Say what the variants that could be the best cost: length, and what nobody uses any more."""
    told = []
    under = f"{at}under" if at else "Under"
    for row in leading[:most]:
        if verdict_of(row, "rounds_verdict") in DIFFERENT:
            longer = "longer" if row["rounds_change"] > 0 else "shorter"
            size = points_of(row, "rounds_change")
            told.append(of_row(row, f"{under} {row['variant']} games are {longer}: {size} rounds.", "rounds"))
        if row["dead"] != NONE:
            told.append(of_row(row, f"{under} {row['variant']} hardly anybody uses {row['dead']} any more.", "dead"))
    return told


# --- The page of an answer

COMMAND, TABLE = VARIANTS
TITLE, NOTE = "The variants", "A row a ruleset; the first one is what the others are compared with."
METHOD = (
    "All rulesets play the same seeds. The best has the smallest leader spread (or leads a named leader nearest to its fair "
    "share); which can be the best follows from one-sided bounds that hold for all of them together (multiple comparisons with "
    "the best, Hsu 1984, by Bonferroni), in a race also over all looks. Changes of the leader spread hold for all "
    "variants together, all others for all figures of all variants."
)
COLUMNS = (
    Column("players", "players", "count", optional=True), "variant", ("n", "games"),
    Column("leader_points", "leader above its share [95% all]", "points", optional=True),
    Column("leader_verdict", "leader", optional=True),
    Column("spread", "leader spread, points", "number", "standard deviation of the leaders' win rates"),
    Column("spread_change", "against the first [95% all]", "points"), ("spread_verdict", "that is"),
    Column("too_strong", f"leaders {STRENGTH.far_above}", "count"), Column("too_weak", STRENGTH.far_below, "count"),
    Column("open_leaders", "open", "count"),
    Column("rounds_change", "rounds [95% all]", "change"), ("dead", "dead"), Column("figures", "figures changed", "count"),
    ("standing", "the best?"), Column("at_most", "at most worse by, points", "number"),
)  # fmt: skip


def page(kept: KeptAnswer) -> Made:
    """Return the parts, the first screen and the method of an answer."""
    frame = kept.tables[TABLE]
    goal = Goal(kept.words.get("leader", ""))
    one = frame["players"].nunique() == 1
    shown = frame.drop(columns="players") if one else frame
    drawn, title, filled = _drawn(goal)
    chart = Chart(
        TABLE, title, f"Percentage points, 95% for all variants together; filled: {filled}.",
        partial(_draw, goal), lambda rows: 1.1 + 0.3 * len(rows), worth=lambda rows: bool(rows[drawn].notna().any()),
        message=lambda rows: findings(frame, goal)[0].text.rstrip("."),
    )  # fmt: skip
    part = Part(
        TABLE, TITLE, lambda source: shown, COLUMNS, chapter=FOUND_CHAPTER, charts=(chart,), note=NOTE,
        findings=lambda rows, source: findings(frame, goal),
    )  # fmt: skip
    steps = [Step(f"What else does {name} change?", command) for name, command in _next(kept)]
    screen = First(
        findings(frame, goal), chart=TABLE, steps=steps, meanings=[who_played(kept)],
        changed=kept.words.get(CHANGES, "").splitlines(), headline=findings(frame, goal)[0].text.rstrip("."),
    )  # fmt: skip
    return [part], screen, (METHOD,)


def _next(kept: KeptAnswer) -> list[tuple[str, str]]:
    """Return the variants that could be the best, with the command that says all that each changes."""
    commands = [line.split("\t", 1) for line in kept.words.get("commands", "").splitlines()]
    leading = kept.tables[TABLE].loc[lambda frame: frame["standing"] != Standing.NOT_BEST.value, "variant"].tolist()
    return [(name, command) for name, command in commands if name in leading][:2]


def _drawn(goal: Goal) -> tuple[str, str, str]:
    """Return the figure that the chart shows, its title, and what a filled mark says."""
    if goal.leader:
        return "leader_points", f"{goal.leader} above its fair share", "off it by more than the margin"
    return "spread_change", "Leader spread against the first ruleset", "differs"


def _draw(goal: Goal, frame: pd.DataFrame, ax: Any) -> None:
    name = _drawn(goal)[0]
    shown = frame[frame[name].notna()]
    filled = having(shown, FAR, "leader_verdict") if goal.leader else having(shown, DIFFERENT, "spread_verdict")
    several = "players" in shown
    labels = [f"{row['variant']}, {row['players']} players" if several else row["variant"] for row in shown.to_dict("records")]
    plots.column(ax, shown, labels, name, "percentage points", filled=filled, reference=0)
