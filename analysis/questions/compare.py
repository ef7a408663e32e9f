"""Compare: what does a house rule change? Two rulesets on the same seeds."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, unknown
from ...simulator.rules.contents import has_teams
from ...simulator.rules.load import not_aimed_at
from ...simulator.runs.columns import FOCUS_CARDS_TABLE, PLACES_TABLE
from ...simulator.runs.run import in_threads
from ...simulator.wording import counted
from ..pages.parts import Finding, points, points_of
from ..pages.sentences import (
    _sentence,
)
from ..stats.answer import CHANGE, DIFFERENT, Verdict, games_words, having, still_needed, verdict_of, weakest
from ..stats.inference import ALL
from ..stats.looks import Looks
from ..tables.focus_cards import takeable
from ..tables.headline import (
    GROUPS,
    PRINTED,
    ROUNDS,
    UNFINISHED,
    WANTED,
    WIN_RATE,
    Subjects,
    game_figures,
    subjects_of,
)
from ..tables.pairs import Moments, compared
from .places import start_names

# --- When to stop
#
# `until` plays on until all figures in focus are narrow enough: the fixed-width rule of Y. Chow and H. Robbins
# (Annals of Mathematical Statistics 36, 1965). It looks at the interval's width only, never at the difference or its p value,
# and not before LEAST_GAMES pairs; so intervals keep their coverage and tests their error rate, up to terms that vanish with
# the width (measured in tests/analysis/test_compare.py). Stopping when a figure becomes significant would not, unless its
# intervals hold over all looks: with `decided` they do (`statistics.looks`), at the looks of their own design.

LEAST_GAMES = 1_000  # pairs before the first look at the width
MOST_GAMES = 10_000_000
CHUNK = 250  # games a worker plays at a time


OPEN = (Verdict.UNDECIDED, Verdict.NOT_COMPARED)


def shared_wins(ruleset: Any, against: Any) -> list[str]:
    """Say that partners share a win by the rules of one side only: then the sides' win rates do not count the same."""
    if has_teams(ruleset.data) == has_teams(against.data):
        return []
    own = ruleset if has_teams(ruleset.data) else against
    shared = f"by {own.name} partners share a win, half each"
    return [f"{shared}: leaders' win rates lie nearer to the fair share there, also where nothing else changes"]


def caveats(ruleset: Any, against: Any = None, trained: bool = False) -> list[str]:
    """Return what must be known of the rules to read figures of them right; `trained`: by players who learned under them."""
    sides = [ruleset] if against is None else [against, ruleset]
    aims = [] if trained else [text for one in sides for text in not_aimed_at(one.data)]
    return [*dict.fromkeys(aims), *(shared_wins(ruleset, against) if against is not None else [])]


def compare_tables(a: Any, b: Any, half_width: float | None = None, subjects: Subjects = PRINTED) -> pd.DataFrame:
    """Compare two runs on the same seeds, shard by shard; see `compared`. `subjects`: where a ruleset has own content."""
    moments, first = Moments.empty(len(subjects.figures), subjects.leader_figures), 0
    for one, two in zip(a.pieces(WANTED), b.pieces(WANTED), strict=True):
        n = len(one["games"])
        moments.add(game_figures(one, first, n, subjects), game_figures(two, first, n, subjects))
        first += n
    return compared(moments, half_width, subjects.figures)


# --- Playing


@dataclass
class Comparison:
    """What a comparison found so far, and why it ended."""

    frame: pd.DataFrame
    pairs: int
    reason: str


def _of_line_up(a: Any, b: Any) -> tuple[str, ...]:
    """Return the players of a line-up but the one with most seats, whose wins are what the others leave; none of a pool."""
    if a.strategies != b.strategies or a.strategies_drawn:
        return ()
    seats = Counter(a.strategies)
    return tuple(name for name in seats if name != max(seats, key=lambda one: seats[one]))


def _play(plan: Any, r: Any, subjects: Subjects, first: int, n: int, observer: Any, stop: threading.Event) -> np.ndarray | None:
    """Play games first … first + n - 1 and return their figures; None if stopped."""
    from ...simulator.runs.run import play_range, tables_of

    rows = play_range(plan, r, first, n, observer, stop)
    if rows is None:
        return None
    asked = subjects.needed
    frames = {name: table.select(asked[name]).to_pandas() for name, table in tables_of(plan, r, rows).items() if name in asked}
    return game_figures(frames, first, n, subjects)


def games_together(
    sides: Sequence[tuple[Any, Any, Subjects]], first: int, n: int, jobs: int, observer: Any
) -> Iterator[tuple[np.ndarray, ...]]:
    """Play n seeds from `first` on, each by every side (plan, rules, subjects); yield the sides' figures, chunk by chunk."""
    chunks = ((start, min(CHUNK, first + n - start)) for start in range(first, first + n, CHUNK))
    calls = (partial(_play, *side, *chunk, observer) for chunk in chunks for side in sides)
    with closing(in_threads(calls, jobs)) as played:
        yield from zip(*[played] * len(sides), strict=False)


def in_focus(frame: pd.DataFrame, focus: Sequence[str]) -> pd.Series:
    """Mark the figures of the groups in focus that both rulesets have."""
    return frame["group"].isin(focus) & frame["difference"].notna()


def compare(
    plans: tuple[Any, Any],
    rulesets: tuple[Any, Any],
    games: int,
    *,
    half_width: float | None = None,
    until: bool = False,
    focus: Sequence[str] = ("leaders",),
    most_games: int = MOST_GAMES,
    jobs: int = 1,
    observer: Any = None,
    report: Callable[[Comparison], None] | None = None,
    tables: int = 1,
    decided: Decided | None = None,
) -> Comparison:
    """Play `games` pairs of games by the two rulesets and compare every headline figure.

    The plans should differ in nothing but what the rulesets demand; with the same seed the pairs share map, decks and
    leaders. With `until`, batches are added until every figure of the groups in `focus` has at most the `half_width`, or
    `most_games` pairs are played; with `decided`, until it finds all of them so. `report` is called after each batch. On
    Ctrl-C the comparison ends with the pairs that are complete. Nothing is written to disk.
    """
    from ...simulator.runs.run import Player, Silent

    observer = observer or Silent()
    records = [ruleset.compile() for ruleset in rulesets]
    subjects = subjects_of(*records)
    if all(FOCUS_CARDS_TABLE in plan.tables for plan in plans):
        cards = dict.fromkeys(card for r in records for card in takeable(r))
        subjects = replace(subjects, cards=tuple(cards))
    if all(PLACES_TABLE in plan.tables for plan in plans):
        starts = dict.fromkeys(name for one in rulesets for name in start_names(one.data, plans[0].players))
        subjects = replace(subjects, starts=tuple(starts))
    subjects = replace(subjects, players=_of_line_up(*plans))
    sides = [(plan, r, subjects) for plan, r in zip(plans, records, strict=True)]
    Player(plans[0], records[0])  # import the engine before the clock starts

    def play(first: int, n: int) -> Iterator[tuple[np.ndarray, ...]]:
        observer.begin(2 * n, 0)
        try:
            yield from games_together(sides, first, n, jobs, observer)
        finally:
            observer.end()

    words = {"until": until, "focus": focus, "most_games": most_games, "report": report, "tables": tables, "decided": decided}
    return collect(play, games, half_width, subjects=subjects, **words)  # type: ignore[arg-type]


Play = Callable[[int, int], Iterator[tuple[np.ndarray, ...]]]
Decided = Callable[[pd.DataFrame], "pd.Series[bool]"]  # rows of `differences` -> which of them are clear


def clear(frame: pd.DataFrame) -> pd.Series[bool]:
    """Return which differences are clear: raised or lowered, or within the margin of their figures."""
    return ~having(frame, OPEN)


def collect(
    play: Play,
    games: int,
    half_width: float | None,
    *,
    until: bool = False,
    focus: Sequence[str] = ("leaders",),
    most_games: int = MOST_GAMES,
    report: Callable[[Comparison], None] | None = None,
    subjects: Subjects = PRINTED,
    tables: int = 1,
    decided: Decided | None = None,
) -> Comparison:
    """Compare what `play(first, n)` yields: figures of n pairs of games from number `first` on (`game_figures`)."""
    for word in focus:
        if word not in GROUPS:
            raise unknown("group of figures", word, GROUPS)
    if until and half_width is None:
        raise UserError("half-width: expected one to play until it is reached")
    moments = Moments.empty(len(subjects.figures), subjects.leader_figures)
    goal = min(max(games, LEAST_GAMES), most_games) if until else games
    looks = None if decided is None else Looks(most_games)
    if looks is not None:
        goal = looks.next(0, most_games) or most_games
    while True:
        stopped = False
        try:
            for a, b in play(moments.n, goal - moments.n):
                moments.add(a, b)
        except KeyboardInterrupt:
            stopped = True
            if moments.n < 2:
                raise
        looks = None if looks is None else looks.seen(moments.n)
        frame = compared(moments, half_width, subjects.figures, tables, looks)
        if stopped:
            return Comparison(frame, moments.n, "stopped early by hand: results are biased if you chose the moment by them")
        if decided is not None and looks is not None:
            watched = frame[in_focus(frame, focus)]
            ended = f"{counted(len(looks.at), 'look')}, over which the intervals hold"
            left = int((~decided(watched)).sum())
            if not left:
                return Comparison(frame, moments.n, f"every figure in focus is clear ({ended})")
            further = looks.next(moments.n, most_games)
            if further is None:
                words = f"{counted(left, 'figure')} in focus {'is' if left == 1 else 'are'} {CHANGE.undecided}"
                return Comparison(frame, moments.n, f"the most games allowed; {words} ({ended})")
            if report is not None:
                report(Comparison(frame, moments.n, f"{left} of {counted(len(watched), 'figure')} in focus {CHANGE.undecided}"))
            goal = further
            continue
        if not until:
            return Comparison(frame, moments.n, "the games asked for")
        watched = frame[in_focus(frame, focus)]
        if len(watched) and watched["enough"].all():
            return Comparison(frame, moments.n, "every figure in focus is precise enough")
        if moments.n >= most_games:
            return Comparison(frame, moments.n, "the most games allowed; some figures in focus are not precise enough")
        if report is not None:
            report(Comparison(frame, moments.n, "going on"))
        needed = float(watched["games_needed"].max()) if len(watched) else np.inf
        goal = next_goal(moments.n, needed, most_games)


def next_goal(n: int, needed: float, most_games: int = MOST_GAMES) -> int:
    """Return the number of pairs at which to look next: what seems needed, at least a tenth more, at most twice as many."""
    wanted = -(-int(np.ceil(np.clip(needed, 1.1 * n, 2 * n))) // 100) * 100
    return int(min(wanted, most_games))


NUMBERS = dict(enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 2))


# --- Comparisons


SHIFTS = ("shared", *(f"own{end}" for end in ALL))
CHANGED = ("a", "b", *(f"difference{end}" for end in ALL), *SHIFTS)


def in_units(frame: pd.DataFrame) -> pd.DataFrame:
    """Return differences in rounds or percentage points, figures in rounds or per cent; `matter` in units of what matters."""
    shifts = {name: np.nan for name in (*SHIFTS, "own_certainty", "own_verdict") if name not in frame}
    found = frame.assign(matter=frame["difference"] / frame["margin"], **shifts)
    return scaled(found, CHANGED)[frame["difference"].notna()]


def scaled(frame: pd.DataFrame, sizes: Iterable[str]) -> pd.DataFrame:
    """Return the table with these sizes of its figures in rounds or percentage points, and their `unit`."""
    scale = np.where(frame["figure"] == ROUNDS, 1.0, 100.0)
    return frame.assign(**{name: frame[name] * scale for name in sizes}, unit=np.where(scale == 1, "rounds", "points"))


def changed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are shown to change, the largest first."""
    return frame[having(frame, DIFFERENT)].sort_values("matter", key=np.abs, ascending=False, kind="stable")


def change(row: Any) -> str:
    """Return a change of a figure: before, after, difference with its interval, n."""
    mark = "" if row["unit"] == "rounds" else "%"
    size = points_of(row, "difference")
    return f"{row['a']:.1f}{mark} → {row['b']:.1f}{mark}, {size} {row['unit']} (n = {row['n']:,})"


ASKED = {"skill": "players' win rates", "places": "start places' win rates"}  # groups that are there only if asked for


def compared_findings(frame: pd.DataFrame) -> list[Finding]:
    """Sum a comparison up: unfinished games where they differ, what was asked for, the rest of the game, the leaders.

    Where of the game nothing is shown to change, the leaders come first.
    """
    leaders, cut = frame[frame["group"] == "leaders"], frame["figure"] == UNFINISHED
    games = int(frame.loc[frame["group"] != "cards", "n"].max())  # of focus cards n counts seats
    found = [
        Finding(f"Games that nobody won: {change(row)}. Win rates are of decided games only.", row["certainty"])
        for row in frame[cut & having(frame, DIFFERENT)].to_dict("records")
    ]
    asked = [group_finding(rows, what, games) for group, what in ASKED.items() if len(rows := frame[frame["group"] == group])]
    rest = frame[~frame["group"].isin(["leaders", *ASKED]) & ~(cut & bool(found))]
    of_leaders = [group_finding(leaders, "leaders' win rates", games), *shift_findings(leaders)] if len(leaders) else []
    what = "figures of the game" if len(leaders) else "figures"
    of_rest = [group_finding(rest, what, games)] if len(rest) else []
    return [*found, *asked, *(of_rest + of_leaders if len(changed(rest)) else of_leaders + of_rest)]


def group_finding(frame: pd.DataFrame, what: str, games: int) -> Finding:
    """Say how many figures changed and which the most; if none did, how large a change could be missed."""
    found, one = changed(frame), re.sub("(figure|rate)s", r"\1", what)
    if len(found):
        row = found.to_dict("records")[0]
        many = f"{len(found)} of {len(frame)} {what}" if len(frame) > 1 else f"The {one}"
        text = f"{many} changed{', most' if len(found) > 1 else ':'} the {row['figure']}, {change(row)}."
        return Finding(text, weakest(found["certainty"]))
    every = f"{NUMBERS.get(len(frame), len(frame))} {what}"
    if all(verdict_of(name) is Verdict.WITHIN for name in frame["verdict"]):
        alike = f"All {every} are" if len(frame) > 1 else f"The {one} is"
        return Finding(f"{alike} unchanged within the margin; n = {counted(games, 'game')}.", weakest(frame["certainty"]))
    missed = " or ".join(f"{_span(part)} {unit}" for unit, part in frame.groupby("unit", sort=False))
    none = f"None of the {every} changed measurably" if len(frame) > 1 else f"The {one} did not change measurably"
    needed = still_needed(frame)
    whom = "all of them" if len(frame) > 1 else "it"
    more = "" if needed is None else f" {_sentence(games_words(*needed))} would decide {whom}."
    return Finding(f"{none}; with {counted(games, 'game')} changes up to {missed} could be missed.{more}", "open")


def shift_findings(leaders: pd.DataFrame) -> list[Finding]:
    """Tell apart what of the other leaders' changes is only what the one that changes most no longer wins, or wins more."""
    others = leaders[leaders["own"].notna()]
    if others.empty:
        return []
    most = leaders[leaders["own"].isna()].sort_values("difference", key=np.abs, kind="stable").iloc[-1]
    name, size = most["figure"].removeprefix(WIN_RATE), points(others["shared"].iloc[0])
    way = "more" if most["difference"] > 0 else "less"
    start = f"Wins are zero-sum: as {name} wins {way}, the others change by {size} points on average."
    own = others.assign(verdict=others["own_verdict"], certainty=others["own_certainty"], matter=others["own"])
    beyond = changed(own).to_dict("records")
    if beyond:
        row, more = beyond[0], f" ({len(beyond) - 1} more: table)" if len(beyond) > 1 else ""
        text = f"Beyond that {row['figure'].removeprefix(WIN_RATE)} changes by {points_of(row, 'own')} points{more}."
        return [Finding(f"{start} {text}", weakest([row["certainty"], most["certainty"]]))]
    within = all(verdict_of(one) is Verdict.WITHIN for one in own["verdict"])
    text = "Beyond that all stay within the margin." if within else "Beyond that none changes measurably."
    return [Finding(f"{start} {text}", weakest([*own["certainty"], most["certainty"]]) if within else "open")]


def _span(frame: pd.DataFrame) -> str:
    """Return how large a change the intervals leave possible: the least and the most of the rows."""
    reach = np.maximum(frame["difference_all_low"].abs(), frame["difference_all_high"].abs())
    low, high = (f"{end:.0f}" if end >= 1 else f"{end:.1f}" for end in (reach.min(), reach.max()))
    return low if low == high else f"{low}–{high}"
