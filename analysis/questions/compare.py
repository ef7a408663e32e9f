"""Compare: what does a house rule change? Two rulesets are played on the same seeds."""

from __future__ import annotations

import itertools
import re
import shlex
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted, unknown
from ...simulator.rules.load import not_aimed_at
from ...simulator.rules.ruleset_contents import has_teams
from ...simulator.runs.columns import FOCUS_CARDS_TABLE, PLACES_TABLE
from ..pages.cells import points, points_of
from ..pages.report_parts import HINT, Chart, Column, Finding, Named, Part
from ..pages.screen_parts import First, Step
from ..pages.sentences import (
    FOUND_CHAPTER,
    OF_LEADERS,
    PAIRED,
    UNPAIRED,
    Made,
    _changes,
    _draw,
    _in_points,
    _sentence,
    _shares,
    by_verdict,
    more_games,
    of_row,
    who_played,
)
from ..stats.claims import Nothing, Stand, Undecided, Untested
from ..stats.inference import ALL
from ..stats.rates import SMALL_SAMPLE
from ..stats.sample_sizes import Looks
from ..stats.verdicts import CHANGE, DIFFERENT, Verdict, as_verdict, games_words, having, playable, still_needed
from ..tables import kept_answers, reference_results
from ..tables.focus_card_use import takeable
from ..tables.kept_answers import KeptAnswer
from ..tables.paired_figures import (
    GROUPS,
    PRINTED,
    ROUNDS,
    UNFINISHED,
    WANTED,
    WIN_RATE,
    Moments,
    Subjects,
    compared,
    game_figures,
    subjects_of,
)
from .places import start_names

# --- When to stop
#
# `until` plays on until all figures in focus are narrow enough: the fixed-width rule of Y. Chow and H. Robbins
# (Annals of Mathematical Statistics 36, 1965). It goes by the width of the interval only, not by the difference or its p value,
# and not before LEAST_GAMES pairs, so intervals keep their coverage and tests their error rate, up to terms that vanish with
# the width (measured in tests/analysis/test_compare.py). Stopping when a figure becomes significant would not, unless its
# intervals hold over all looks, as they do with `decided` (`stats.sample_sizes.Looks`).

LEAST_GAMES = 1_000  # pairs before the first look at the width
MOST_GAMES = 10_000_000
CHUNK = 250  # games a worker plays at a time
OPEN = (Verdict.UNDECIDED, Verdict.NOT_COMPARED)


def shared_wins(ruleset: Any, against: Any) -> list[str]:
    """Return a warning if partners share a win under the rules of one side only: then the win rates are not comparable."""
    if has_teams(ruleset.data) == has_teams(against.data):
        return []
    own = ruleset if has_teams(ruleset.data) else against
    shared = f"by {own.name} partners share a win, half each"
    return [f"{shared}: leaders' win rates lie nearer to the fair share there, also where nothing else changes"]


def caveats(ruleset: Any, against: Any = None, trained: bool = False) -> list[str]:
    """Return what a reader of the figures must know of the rules; `trained`: the strategies were trained under them."""
    sides = [ruleset] if against is None else [against, ruleset]
    aims = [] if trained else [text for side in sides for text in not_aimed_at(side.data)]
    return [*dict.fromkeys(aims), *(shared_wins(ruleset, against) if against is not None else [])]


def compare_tables(a: Any, b: Any, half_width: float | None = None, subjects: Subjects = PRINTED) -> pd.DataFrame:
    """Compare two runs on the same seeds, shard by shard (`compared`); `subjects` if a ruleset has content of its own."""
    moments, first = Moments.empty(len(subjects.figures), subjects.leader_figures), 0
    for piece_a, piece_b in zip(a.pieces(WANTED), b.pieces(WANTED), strict=True):
        n = len(piece_a["games"])
        moments.add(game_figures(piece_a, first, n, subjects), game_figures(piece_b, first, n, subjects))
        first += n
    return compared(moments, half_width, subjects.figures)


# --- Playing


@dataclass
class Comparison:
    """The differences after this many pairs of games (`frame`: see `compared`), and why the comparison ended."""

    frame: pd.DataFrame
    pairs: int
    reason: str


def _of_line_up(a: Any, b: Any) -> tuple[str, ...]:
    """Return the strategies of a line-up but the one with most seats, which wins what the others leave; none of a pool."""
    if a.strategies != b.strategies or a.strategies_drawn:
        return ()
    seats = Counter(a.strategies)
    return tuple(name for name in seats if name != max(seats, key=seats.__getitem__))


def _play(
    plan: Any, r: Any, subjects: Subjects, first: int, n: int, observer: Any, stop: threading.Event
) -> list[np.ndarray] | None:
    """Play games first … first + n - 1 and return their figures, one array; None if stopped."""
    from ...simulator.runs.run import play_range, tables_of

    rows = play_range(plan, r, first, n, observer, stop)
    if rows is None:
        return None
    columns = subjects.needed
    frames = {
        name: table.select(columns[name]).to_pandas() for name, table in tables_of(plan, r, rows).items() if name in columns
    }
    return [game_figures(frames, first, n, subjects)]


def games_together(
    turns: Sequence[Sequence[tuple[Any, Any, Subjects]]], first: int, n: int, jobs: int, observer: Any
) -> Iterator[tuple[np.ndarray, ...]]:
    """Play n seeds from `first` on, each by every side (plan, rules, subjects); yield the sides' figures, chunk by chunk.

    The chunks are played by the `turns` in turn, all of which have as many sides.
    """
    from ...simulator.runs.games_in_memory import Piece, played

    size = min(CHUNK, -(-n // len(turns)))
    chunks = ((start, min(size, first + n - start)) for start in range(first, first + n, size))
    pieces = (
        Piece(plan, r, *chunk, partial(_play, plan, r, subjects, *chunk, observer), str(subjects.figures))
        for chunk, sides in zip(chunks, itertools.cycle(turns), strict=False)
        for plan, r, subjects in sides
    )
    with closing(played(pieces, jobs, observer)) as arrays:
        figures = (figures for (figures,) in arrays)
        yield from zip(*[figures] * len(turns[0]), strict=False)


def in_focus(frame: pd.DataFrame, focus: Sequence[str]) -> pd.Series:
    """Return which figures are of the groups in focus and in both rulesets."""
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
        starts = dict.fromkeys(name for ruleset in rulesets for name in start_names(ruleset.data, plans[0].players))
        subjects = replace(subjects, starts=tuple(starts))
    subjects = replace(subjects, players=_of_line_up(*plans))
    sides = [(plan, r, subjects) for plan, r in zip(plans, records, strict=True)]
    Player(plans[0], records[0])  # import the engine before the clock starts

    def play(first: int, n: int) -> Iterator[tuple[np.ndarray, ...]]:
        observer.begin(2 * n, 0)
        try:
            yield from games_together([sides], first, n, jobs, observer)
        finally:
            observer.end()

    options = {"until": until, "focus": focus, "most_games": most_games, "report": report, "tables": tables, "decided": decided}
    return collect(play, games, half_width, subjects=subjects, **options)  # type: ignore[arg-type]


Play = Callable[[int, int], Iterator[tuple[np.ndarray, ...]]]
Decided = Callable[[pd.DataFrame], "pd.Series[bool]"]  # differences -> which of them are clear


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
    for group in focus:
        if group not in GROUPS:
            raise unknown("group of figures", group, GROUPS)
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
            unclear = int((~decided(watched)).sum())
            if not unclear:
                return Comparison(frame, moments.n, f"every figure in focus is clear ({ended})")
            further = looks.next(moments.n, most_games)
            if further is None:
                undecided = f"{counted(unclear, 'figure')} in focus {'is' if unclear == 1 else 'are'} {CHANGE.undecided}"
                return Comparison(frame, moments.n, f"the most games allowed; {undecided} ({ended})")
            if report is not None:
                report(
                    Comparison(frame, moments.n, f"{unclear} of {counted(len(watched), 'figure')} in focus {CHANGE.undecided}")
                )
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
    """Return the number of pairs for the next look: what seems needed, from 10% more to twice as many."""
    wanted = -(-int(np.ceil(np.clip(needed, 1.1 * n, 2 * n))) // 100) * 100
    return int(min(wanted, most_games))


NUMBERS = dict(enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 2))


# --- Comparisons


SHIFTS = ("shared", *(f"own{end}" for end in ALL))
CHANGED = ("a", "b", *(f"difference{end}" for end in ALL), *SHIFTS)


def in_units(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table in rounds or percentage points, with `matter`: the differences in units of the margin."""
    shifts = {name: np.nan for name in (*SHIFTS, "own_certainty", "own_verdict", "own_verdict_key") if name not in frame}
    frame = frame.assign(matter=frame["difference"] / frame["margin"], **shifts)
    return scaled(frame, CHANGED)[frame["difference"].notna()]


def scaled(frame: pd.DataFrame, sizes: Iterable[str]) -> pd.DataFrame:
    """Return the table with these columns in rounds or percentage points, and their `unit`."""
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


OPTIONAL = {"skill": "players' win rates", "places": "start places' win rates"}  # groups that not every comparison has


def compared_findings(frame: pd.DataFrame) -> list[Finding]:
    """Findings on all figures: unfinished games if they differ, OPTIONAL groups, the rest of the game, the leaders.

    The leaders come before the rest of the game if that is not shown to change.
    """
    leaders, cut = frame[frame["group"] == "leaders"], frame["figure"] == UNFINISHED
    games = int(frame.loc[frame["group"] != "cards", "n"].max())  # for focus cards n counts seats
    unfinished = [
        of_row(row, f"Games that nobody won: {change(row)}. Win rates are of decided games only.")
        for row in frame[cut & having(frame, DIFFERENT)].to_dict("records")
    ]
    optional = [
        group_finding(rows, what, games) for group, what in OPTIONAL.items() if len(rows := frame[frame["group"] == group])
    ]
    rest = frame[~frame["group"].isin(["leaders", *OPTIONAL]) & ~(cut & bool(unfinished))]
    of_leaders = [group_finding(leaders, "leaders' win rates", games), *shift_findings(leaders)] if len(leaders) else []
    what = "figures of the game" if len(leaders) else "figures"
    of_rest = [group_finding(rest, what, games)] if len(rest) else []
    return [*unfinished, *optional, *(of_rest + of_leaders if len(changed(rest)) else of_leaders + of_rest)]


def in_a_line(kept: KeptAnswer) -> str:
    """Return the first finding of a comparison that was kept."""
    return compared_findings(in_units(kept.tables[TABLE]))[0].text


def group_finding(frame: pd.DataFrame, what: str, games: int) -> Finding:
    """Say how many figures changed and which the most; if none did, how large a change could be missed."""
    moved, singular = changed(frame), re.sub("(figure|rate)s", r"\1", what)
    if len(moved):
        row = moved.to_dict("records")[0]
        many = f"{len(moved)} of {len(frame)} {what}" if len(frame) > 1 else f"The {singular}"
        text = f"{many} changed{', most' if len(moved) > 1 else ':'} the {row['figure']}, {change(row)}."
        return Finding(Stand(moved, beside=[len(frame)]), text)
    figures = f"{NUMBERS.get(len(frame), len(frame))} {what}"
    if having(frame, {Verdict.WITHIN}).all():
        alike = f"All {figures} are" if len(frame) > 1 else f"The {singular} is"
        return Finding(Stand(frame, beside=[games]), f"{alike} unchanged within the margin; n = {counted(games, 'game')}.")
    few = having(frame, {Verdict.NOT_COMPARED})
    if few.all():
        none = f"None of the {figures} has enough" if len(frame) > 1 else f"The {singular} has too few"
        return Finding(Untested(frame, beside=[games]), f"{none} games for a comparison; n = {counted(games, 'game')}.")
    if few.any():
        left_out = f" {few.sum()} of {len(frame)} {what} {'has' if few.sum() == 1 else 'have'} too few games for a comparison."
        finding = group_finding(frame[~few], what, games)
        counts = [*finding.claim.beside, len(frame), few.sum()]
        return replace(finding, claim=replace(finding.claim, beside=counts), text=f"{finding.text}{left_out}")
    missed = " or ".join(_in_unit(_span(part), str(unit)) for unit, part in frame.groupby("unit", sort=False))
    none = f"None of the {figures} changed measurably" if len(frame) > 1 else f"The {singular} did not change measurably"
    needed = still_needed(frame)
    whom = "all of them" if len(frame) > 1 else "it"
    more = "" if needed is None else f" {_sentence(games_words(*needed))} would decide {whom}."
    text = f"{none}; with {counted(games, 'game')} changes up to {missed} could be missed.{more}"
    decide = [float(number) for number in map(playable, needed or ()) if number]
    return Finding(Nothing(frame, decide, beside=[games]), text)


def shift_findings(leaders: pd.DataFrame) -> list[Finding]:
    """Say how much the others change only because the leader that changes most wins more or less, and what is beyond that."""
    others = leaders[leaders["own"].notna()]
    if others.empty:
        return []
    first = leaders[leaders["own"].isna()].sort_values("difference", key=np.abs, kind="stable").tail(1)
    most = first.iloc[0]
    name, size = most["figure"].removeprefix(WIN_RATE), points(others["shared"].iloc[0])
    way = "more" if most["difference"] > 0 else "less"
    start = f"Wins are zero-sum: as {name} wins {way}, the others change by {size} points on average."
    own = as_verdict(others, "own").assign(matter=others["own"])
    beyond = changed(own).to_dict("records")
    if beyond:
        row, more = beyond[0], f" ({len(beyond) - 1} more: table)" if len(beyond) > 1 else ""
        text = f"Beyond that {row['figure'].removeprefix(WIN_RATE)} changes by {points_of(row, 'own')} points{more}."
        return [Finding(Stand(pd.concat([pd.DataFrame([row]), first]), beside=[len(beyond) - 1]), f"{start} {text}")]
    within = having(own, {Verdict.WITHIN}).all()
    text = "Beyond that all stay within the margin." if within else "Beyond that none changes measurably."
    return [Finding((Stand if within else Undecided)(pd.concat([own, first])), f"{start} {text}")]


def _in_unit(size: str, unit: str) -> str:
    return f"{size} {unit.removesuffix('s') if size == '1' else unit}"


def _span(frame: pd.DataFrame) -> str:
    """Return how large a change the intervals leave possible, from the narrowest to the widest row."""
    reach = np.maximum(frame["difference_all_low"].abs(), frame["difference_all_high"].abs())
    low, high = (f"{end:.0f}" if end >= 1 else f"{end:.1f}" for end in (reach.min(), reach.max()))
    return low if low == high else f"{low}–{high}"


# --- The page of a comparison: its headline


def headline_row(frame: pd.DataFrame) -> Any:
    """Return the largest change of the game, else of a leader; None if nothing is shown to change."""
    moved = changed(frame)
    if moved.empty:
        return None
    game = moved[moved["group"] != "leaders"]
    return (game if len(game) else moved).to_dict("records")[0]


def headline(frame: pd.DataFrame) -> str:
    """Return in plain words what changed most, and how many leaders win more or less."""
    row, leaders = headline_row(frame), frame[frame["group"] == "leaders"]
    if row is None:
        within = having(frame, {Verdict.WITHIN}).all()
        return "Nothing changes by more than the margin" if within else "No change is shown by these games"
    moved = len(changed(leaders))
    if row["group"] == "leaders":
        more = f"; {moved - 1} more of {len(leaders)} leaders win more or less" if moved > 1 else ""
    else:
        more = f"; {moved} of {len(leaders)} leaders win more or less" if moved else "; no leader is shown to win more or less"
        more = more if len(leaders) else ""
    return f"Changed: {in_plain_words(row)}{more}"


PLAIN = {  # figures in plain words: under B, then under A
    "claim rate of ": "{whom} is claimed in {b}% of games instead of {a}%",
    "build rate of ": "{whom} is built in {b}% of games instead of {a}%",
    WIN_RATE: "{whom} wins {b}% of its games instead of {a}%", UNFINISHED: "nobody wins {b}% of games instead of {a}%",
    ROUNDS: "games last {b} rounds instead of {a}", "leader spread": "leaders lie {b} points apart instead of {a}",
}  # fmt: skip


def in_plain_words(row: Any) -> str:
    """Return 'Petra is built in 35% of games instead of 26%'."""
    digits = 0 if round(row["a"]) != round(row["b"]) else 1
    for start, form in PLAIN.items():
        if row["figure"].startswith(start):
            return form.format(whom=row["figure"].removeprefix(start), a=f"{row['a']:.{digits}f}", b=f"{row['b']:.{digits}f}")
    return f"{row['figure']}: {row['b']:.{digits}f} instead of {row['a']:.{digits}f}"


# --- Its parts

NONE_CHANGES = "None of these changes measurably"
GROUP_TITLES = {
    "game": "The game as a whole", "skill": "Players of the line-up", "wonders": "World wonders",
    "agendas": "Agendas", "cards": "Focus cards", "leaders": "The leaders", "places": "Start places",
}  # fmt: skip
MOST_RULES = 5  # changes of the rules on the first screen
SHIFTED = (
    Column("shared", "of that shared", "points", "what all leaders but the one that changes most change on average"),
    Column("own", "of its own [95% all]", "points", "the rest"), ("own_verdict", "of its own: verdict"),
)  # fmt: skip


TABLE = kept_answers.DIFFERENCES  # of `newdawn compare`


def compared_columns(a: str, b: str) -> tuple[Named, ...]:
    """Return the columns of the table of two rulesets with these names."""
    return (
        "figure", "unit", ("n", "games", "under each ruleset"), Column("a", f"A: {a}", "number"),
        Column("b", f"B: {b}", "number"), ("difference", "B minus A [95% all]", "percentage points, or rounds"), "p_adjusted",
        "verdict", HINT,
    )  # fmt: skip


def _compared(kept: KeptAnswer) -> Made:
    """Return the page of `newdawn compare`, or of a ban."""
    figures, paired = with_whom(in_units(kept.tables[TABLE])), kept.words.get("seeds", "same") == "same"
    note = f"What B changes against A, on {'the same' if paired else 'other'} seeds."
    columns = compared_columns(kept.words.get("a", "A"), kept.words.get("b", "B"))

    def sentence(row: Any) -> str:
        return f"{row['figure']}: {change(row)}."

    braced = kept.words.get("b", "B").replace("{", "{{").replace("}", "}}")
    chart = Chart(
        "differences", "B minus A", "Percentage points, 95% for all figures together; filled: differs from 0.",
        partial(_draw, label="whom", size="difference"), lambda frame: 1.1 + 0.24 * _shares(frame),
        worth=lambda frame: _shares(frame) > 0,
        message=_in_points("difference", f"With {braced} the {{figure}} is {{size}} points {{word}}"),
    )  # fmt: skip
    parts = _by_group(
        figures, columns, note, chart, lambda frame, source: _changes(frame, sentence, "matter", NONE_CHANGES, "difference")
    )
    leaders = figures[figures["group"] == "leaders"]
    if leaders["own"].notna().any():
        parts = [replace(part, columns=(*columns, *SHIFTED)) if part.key == f"{chart.key}-leaders" else part for part in parts]
    most, rules = headline_row(figures), _changed_rules(kept)
    steps = [*more_games(kept, *(leaders, OF_LEADERS) if len(leaders) else (figures,)), *_by_others(kept)]
    screen = First(
        compared_findings(figures), verdicts=[replace(stands, meaning="win rate") for stands in by_verdict(leaders, "whom")],
        chart=f"{chart.key}-{'leaders' if most is None else most['group']}", headline=headline(figures),
        changed=rules[:MOST_RULES], rest=rules[MOST_RULES:], meanings=_meanings(kept),
        steps=[replace(step, place="sure") for step in steps],
    )  # fmt: skip
    return parts, screen, (PAIRED if paired else UNPAIRED,)


def _by_group(
    whole: pd.DataFrame, columns: Sequence[Named], note: str, chart: Chart, findings: Callable[..., list[Finding]]
) -> list[Part]:
    """Return a part for each group of figures in the table; keys and titles are made of the group's and the chart's."""

    def part(group: str, frame: pd.DataFrame) -> Part:
        key = f"{chart.key}-{group}"
        own = replace(chart, key=key, title=f"{GROUP_TITLES[group]}: {chart.title}")
        order = having(frame, DIFFERENT).astype(int) * 1e6 + frame["matter"].abs()
        frame = frame.loc[order.sort_values(ascending=False, kind="stable").index].reset_index(drop=True)
        same = ~having(frame, DIFFERENT)
        fold = None if same.all() else lambda rows: same.reindex(rows.index)
        return Part(
            key, GROUP_TITLES[group], lambda _: frame, columns, note,
            charts=(own,), findings=findings, chapter=FOUND_CHAPTER, fold=fold,
        )  # fmt: skip

    return [part(group, frame) for group in GROUP_TITLES if len(frame := whole[whole["group"] == group])]


def _by_others(kept: KeptAnswer) -> list[Step]:
    """Return the step to compare with other strategies, with the command of this comparison; none for other commands."""
    given = shlex.split(kept.line)
    if given[:2] != ["newdawn", "compare"]:
        return []
    dropped = ("--strategies", "--strategy-pool", "--until-half-width", "--out", "--format")
    arguments = [word for at, word in enumerate(given) if word not in dropped and (at == 0 or given[at - 1] not in dropped)]
    ways = reference_results.ways(kept.facts["strategies"].split(", "), kept.box, kept.players)
    few = min(reference_results.games_of(ways))
    games = ["--games", str(few)] if few < reference_results.MANY else []  # the last one counts
    command = shlex.join([*arguments, *games, "--ways", ",".join(ways)])
    return [Step("Would a better or another player change the answer?", command)]


def _changed_rules(kept: KeptAnswer) -> list[str]:
    """Return what B changes in the rules of A, as patch notes without the paths of their values."""
    return [re.sub(r" \(`[^`]*`\)$", "", line) for line in filter(None, kept.words.get(kept_answers.CHANGES, "").split("\n"))]


def _meanings(kept: KeptAnswer) -> list[tuple[str, str]]:
    """Return who played, and the terms of the page with their meanings."""
    return [
        who_played(kept),
        ("A and B", f"A: {kept.words.get('a', 'A')}; B: {kept.words.get('b', 'B')}. Differences are B minus A."),
        ("Filled dots", "A filled dot differs from 0; of an open one a change is not shown."),
        ("[…, …]", "With 95% certainty the true differences of all figures lie between these two."),
    ]  # fmt: skip


def with_whom(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the leader, wonder … that each figure is of (`whom`), and `small_sample`."""
    whom = frame["figure"].str.replace(r"^\w+ rate of ", "", regex=True)
    return frame.assign(whom=whom, small_sample=frame["n"] < SMALL_SAMPLE)
