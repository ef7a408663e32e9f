"""Variants: which of several rules is best? All are played on the same seeds. Start with `race`, then `findings`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ...simulator.errors import counted, listed
from ..pages import plots
from ..pages.cells import points_of
from ..pages.report_parts import Chart, Column, Finding, Part
from ..pages.screen_parts import First, Step
from ..pages.sentences import FOUND_CHAPTER, Made, who_played
from ..stats import best
from ..stats.best import Standing
from ..stats.sample_sizes import Looks
from ..stats.verdicts import DIFFERENT, STRENGTH, Verdict, having, verdict_of
from ..tables.kept_answers import CHANGES, KeptAnswer
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
    plans: Sequence[Any], rulesets: Sequence[Any], names: Sequence[str], games: int, goal: Goal, *, until_best: bool = False,
    jobs: int = 1, observer: Any = None, report: Callable[[str], None] = lambda text: None,
) -> Race:  # fmt: skip
    """Play the rulesets on the same seeds: `games` each, or, `until_best`, at most so many of those that could still be best.

    On Ctrl-C it ends with the games that are complete.
    """
    from ...simulator.runs.run import Player, Silent

    observer = observer or Silent()
    records = [ruleset.compile() for ruleset in rulesets]
    subjects = subjects_of(*records)
    Player(plans[0], records[0])  # import the engine before the clock starts
    sides = [(plan, r, subjects) for plan, r in zip(plans, records, strict=True)]

    def play(playing: Sequence[int], first: int, n: int) -> Iterator[Sequence[Any]]:
        observer.begin(len(playing) * n, 0)
        try:
            yield from games_together([[sides[at] for at in playing]], first, n, jobs, observer)
        finally:
            observer.end()

    return raced(play, len(rulesets), names, games, goal, plans[0].players, subjects, until_best=until_best, report=report)


Play = Callable[[Sequence[int], int, int], Iterator[Sequence[Any]]]


def raced(
    play: Play, rulesets: int, names: Sequence[str], games: int, goal: Goal, players: int, subjects: Any, *,
    until_best: bool = False, report: Callable[[str], None] = lambda text: None,
) -> Race:  # fmt: skip
    """Race what `play(playing, first, n)` yields: figures of n games of each ruleset in `playing`, chunk by chunk."""
    tally, playing = Tally(rulesets, subjects), list(range(rulesets))
    looks = Looks(games) if until_best else None
    places: dict[int, best.Place] = {}
    done, reason = 0, "the games asked for"
    while True:
        further = games if looks is None else looks.next(done, games) or games
        try:
            for figures in play(playing, done, further - done):
                tally.add(playing, figures)
        except KeyboardInterrupt:
            reason = "stopped early by hand: results are biased if you chose the moment by them"
            if int(tally.games[playing[0]]) < 2:
                raise
        done = int(tally.games[playing[0]])
        looks = None if looks is None else looks.seen(done)
        now = placed(tally, playing, goal, players, rulesets - 1, looks)
        places |= dict(zip(playing, now, strict=True))
        over = best.decided(now)
        if looks is None or over or done >= games or reason.startswith("stopped"):
            if looks is not None and not reason.startswith("stopped"):
                reason = "the best is known" if over else "the most games allowed"
            break
        gone = [at for at, place in zip(playing, now, strict=True) if place.standing is Standing.NOT_BEST]
        playing = [at for at in playing if at not in gone]
        report(f"{counted(done, 'game')} each: {counted(len(playing), 'variant')} could be the best; playing on")
    frame = variants(tally, names, places, goal, players, looks)
    return Race(frame, int(tally.games.sum()), reason)


# --- Sentences

Row = Mapping[Any, Any]


def findings(frame: pd.DataFrame, goal: Goal = LEAST_SPREAD) -> list[Finding]:
    """Findings: which is the best, or could be; whether that is better than the first ruleset; what it costs."""
    rows = frame.to_dict("records")
    first = rows[0]
    leading = [row for row in rows if Standing(row["standing"]) is not Standing.NOT_BEST]
    return [_verdict(leading, rows, goal), *_against_first(leading, first, goal), *_costs(leading)]


FEW = 2  # named in a sentence


def _what(goal: Goal) -> str:
    return f"{goal.leader}'s distance from its fair share" if goal.leader else "leader spread"


def _names(rows: Sequence[Row]) -> str:
    return listed([str(row["variant"]) for row in rows])


def _verdict(leading: Sequence[Row], rows: Sequence[Row], goal: Goal) -> Finding:
    what = _what(goal)
    if len(leading) == 1:
        return Finding(f"{_names(leading)} is the best of {len(rows)}: none of the others has so small a {what}.", "shown")
    others = [row for row in rows if row not in leading]
    few = len(others) <= FEW
    rest = (
        f"; {_names(others) if few else f'the other {len(others)}'} {'is' if len(others) == 1 else 'are'} not" if others else ""
    )
    reach = max(float(row["at_most"]) for row in leading)
    if all(Standing(row["standing"]) is Standing.AS_GOOD for row in leading):
        alike = f"each is at most {reach:.1f} points worse than the best, which is within the margin"
        return Finding(f"{_names(leading)} are as good as each other ({what}): {alike}{rest}.", "shown")
    return Finding(f"{_names(leading)} could be the best ({what}); which of them is open{rest}.", "open")


def _against_first(leading: Sequence[Row], first: Row, goal: Goal) -> list[Finding]:
    """Say what the spread is under the variants that could be the best, against the first ruleset."""
    told = []
    for row in [row for row in leading if row is not first][:2]:
        name, change = row["variant"], points_of(row, "spread_change")
        if goal.leader:
            size = points_of(row, "leader_points")
            text = f"Under {name} {goal.leader} lies {size} points from its fair share: {row['leader_verdict']}."
            told.append(Finding(text, row["leader_certainty"]))
        verdict = verdict_of(row, "spread_verdict")
        if verdict is Verdict.NOT_COMPARED:
            continue
        start = f"Under {name} the leader spread is {row['spread']:.1f} points instead of {first['spread']:.1f}"
        end = "" if verdict in DIFFERENT else f"; that is {row['spread_verdict']}"
        games = counted(int(row["n"]), "game")
        told.append(Finding(f"{start} ({change}, n = {games}){end}.", row["spread_certainty"]))
    if first in leading and len(leading) > 1:
        told.append(Finding(f"No variant is shown to be better than {first['variant']}.", "open"))
    return told


def _costs(leading: Sequence[Row]) -> list[Finding]:
    """Say what the variants that could be the best cost: length, and what nobody uses any more."""
    told = []
    for row in leading[:2]:
        if verdict_of(row, "rounds_verdict") in DIFFERENT:
            longer = "longer" if row["rounds_change"] > 0 else "shorter"
            size = points_of(row, "rounds_change")
            told.append(Finding(f"Under {row['variant']} games are {longer}: {size} rounds.", row["rounds_certainty"]))
        if row["dead"] != NONE:
            told.append(Finding(f"Under {row['variant']} hardly anybody uses {row['dead']} any more.", "shown"))
    return told


# --- The page of an answer

COMMAND, TABLE = "compare variants", "variants"
METHOD = (
    "All rulesets play the same seeds. The best has the smallest leader spread (or leads a named leader nearest to its fair "
    "share); which can be the best follows from one-sided bounds that hold for all of them together (multiple comparisons with "
    "the best, Hsu 1984, by Bonferroni), in a race also over all looks. Changes against the first ruleset hold for all figures "
    "of all variants together."
)
COLUMNS = (
    "variant", ("n", "games"),
    Column("spread", "leader spread, points", "number", "standard deviation of the leaders' win rates"),
    Column("spread_change", "against the first [95% all]", "points"), ("spread_verdict", "that is"),
    Column("too_strong", f"leaders {STRENGTH.far_above}", "count"), Column("too_weak", STRENGTH.far_below, "count"),
    Column("open_leaders", "open", "count"),
    Column("leader_points", "leader above its share [95% all]", "points", optional=True),
    Column("leader_verdict", "leader", optional=True),
    Column("rounds_change", "rounds [95% all]", "change"), ("dead", "dead"), Column("figures", "figures changed", "count"),
    ("standing", "the best?"), Column("at_most", "at most worse by, points", "number"),
)  # fmt: skip


def page(kept: KeptAnswer) -> Made:
    """Return the parts, the first screen and the method of an answer."""
    frame = kept.tables[TABLE]
    goal = Goal(kept.words.get("leader", ""))
    chart = Chart(
        TABLE, "Leader spread against the first ruleset", "Percentage points, 95% for all variants together; filled: differs.",
        _draw, lambda rows: 1.1 + 0.3 * len(rows), worth=lambda rows: bool(rows["spread_change"].notna().any()),
        message=lambda rows: findings(rows, goal)[0].text.rstrip("."),
    )  # fmt: skip
    part = Part(
        TABLE, "The variants", lambda source: frame, COLUMNS, chapter=FOUND_CHAPTER, charts=(chart,),
        note="A row a ruleset; the first one is what the others are compared with.",
        findings=lambda rows, source: findings(rows, goal),
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


def _draw(frame: pd.DataFrame, ax: Any) -> None:
    shown = frame[frame["spread_change"].notna()]
    filled = having(shown, DIFFERENT, "spread_verdict")
    plots.column(ax, shown, shown["variant"], "spread_change", "percentage points", filled=filled, reference=0)
