"""The page of a comparison: what changed most in a sentence, the leaders, and a table for each group of figures."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from ..pages.parts import HINT, Chart, Column, Finding, First, P, Part, Step
from ..pages.sentences import (
    FOUND_CHAPTER,
    PAIRED,
    UNPAIRED,
    Made,
    _changes,
    _draw,
    _in_points,
    _shares,
    by_verdict,
    more_games,
    who_played,
)
from ..stats.answer import DIFFERENT, Verdict, having, verdict_of
from ..stats.rates import SMALL_SAMPLE
from ..tables import kept as keeping
from ..tables import reference
from ..tables.headline import ROUNDS, UNFINISHED, WIN_RATE
from ..tables.kept import Kept
from .compare import change, changed, compared_findings, in_units

# --- What changed most, without terms


def headline_row(frame: pd.DataFrame) -> Any:
    """Return the row that a headline is about: of the game what changed most, else the leader that did; None without one."""
    found = changed(frame)
    if found.empty:
        return None
    game = found[found["group"] != "leaders"]
    return (game if len(game) else found).to_dict("records")[0]


def headline(frame: pd.DataFrame) -> str:
    """Return what changed most, in a sentence without terms: of the game, then how many leaders."""
    row, leaders = headline_row(frame), frame[frame["group"] == "leaders"]
    if row is None:
        within = all(verdict_of(name) is Verdict.WITHIN for name in frame["verdict"])
        return "Nothing changes by more than the margin" if within else "No change is shown by these games"
    moved = len(changed(leaders))
    if row["group"] == "leaders":
        more = f"; {moved - 1} more of {len(leaders)} leaders win more or less" if moved > 1 else ""
    else:
        more = f"; {moved} of {len(leaders)} leaders win more or less" if moved else "; no leader is shown to win more or less"
        more = more if len(leaders) else ""
    return f"Changed: {in_plain_words(row)}{more}"


PLAIN = {  # how a figure is said of the games: under B, then under A
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


# --- The page

NONE_CHANGES = "None of these changes measurably"
GROUP_TITLES = {
    "game": "The game as a whole", "skill": "Players of the line-up", "wonders": "World wonders",
    "agendas": "Agendas", "cards": "Focus cards", "leaders": "The leaders", "places": "Start places",
}  # fmt: skip
MOST_RULES = 5  # changes of the rules on the first screen
SHIFTED = (
    Column("shared", "of that shared", "points", "what all leaders but the one that changes most change on average"),
    Column("own", "of its own [95% all]", "points", "the rest"), Column("own_verdict", "of its own: verdict"),
)  # fmt: skip


def compared_columns(a: str, b: str) -> tuple[Column, ...]:
    """Return the columns of the table of two rulesets with these names."""
    return (
        Column("figure", "figure"), Column("unit", "unit"), Column("n", "games", "count", "under each ruleset"),
        Column("a", f"A: {a}", "number"), Column("b", f"B: {b}", "number"),
        Column("difference", "B minus A [95% all]", "points", "percentage points, or rounds"), P,
        Column("verdict", "verdict", "verdict"), HINT,
    )  # fmt: skip


def _compared(kept: Kept) -> Made:
    """Return the page of `newdawn compare`, or of a ban."""
    whole, paired = with_whom(in_units(kept.tables["differences"])), kept.words.get("seeds", "same") == "same"
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
        whole, columns, note, chart, lambda frame, source: _changes(frame, sentence, "matter", NONE_CHANGES, "difference")
    )
    leaders = whole[whole["group"] == "leaders"]
    if leaders["own"].notna().any():
        parts = [replace(part, columns=(*columns, *SHIFTED)) if part.key == f"{chart.key}-leaders" else part for part in parts]
    most, rules = headline_row(whole), _changed_rules(kept)
    steps = [*more_games(kept, leaders if len(leaders) else whole), *_by_others(kept)]
    screen = First(
        compared_findings(whole), verdicts=[replace(one, meaning="win rate") for one in by_verdict(leaders, "whom")],
        chart=f"{chart.key}-{'leaders' if most is None else most['group']}", headline=headline(whole),
        changed=rules[:MOST_RULES], rest=rules[MOST_RULES:], meanings=_meanings(kept),
        steps=[replace(step, place="sure") for step in steps],
    )  # fmt: skip
    return parts, screen, (PAIRED if paired else UNPAIRED,)


def _by_group(
    whole: pd.DataFrame, columns: Sequence[Column], note: str, chart: Chart, findings: Callable[..., list[Finding]]
) -> list[Part]:
    """Return a part for each group of figures that is there; its key and title begin those of the chart."""

    def part(group: str, frame: pd.DataFrame) -> Part:
        key = f"{chart.key}-{group}"
        own = replace(chart, key=key, title=f"{GROUP_TITLES[group]}: {chart.title}")
        order = having(frame, DIFFERENT).astype(int) * 1e6 + frame["matter"].abs()
        frame = frame.loc[order.sort_values(ascending=False, kind="stable").index].reset_index(drop=True)
        same = ~having(frame, DIFFERENT)
        fold = None if same.all() else lambda rows: same.reindex(rows.index)
        return Part(
            key,
            GROUP_TITLES[group],
            lambda _: frame,
            columns,
            note,
            charts=(own,),
            findings=findings,
            chapter=FOUND_CHAPTER,
            fold=fold,
        )

    return [part(group, frame) for group in GROUP_TITLES if len(frame := whole[whole["group"] == group])]


def _by_others(kept: Kept) -> list[Step]:
    """Ask whether other players would change the answer, with the command that found it."""
    words = shlex.split(kept.line)
    if words[:2] != ["newdawn", "compare"]:
        return []
    gone = ("--strategies", "--strategy-pool", "--until-half-width", "--out", "--format")
    kept_words = [word for at, word in enumerate(words) if word not in gone and (at == 0 or words[at - 1] not in gone)]
    ways = reference.ways(kept.facts["strategies"].split(", "), kept.box, kept.players)
    few = min(reference.games_of(ways))
    games = ["--games", str(few)] if few < reference.MANY else []  # the last one counts
    command = shlex.join([*kept_words, *games, "--ways", ",".join(ways)])
    return [Step("Would a better or another player change the answer?", command)]


def _changed_rules(kept: Kept) -> list[str]:
    """Return what B changes in the rules of A, as patch notes without the paths of their values."""
    return [re.sub(r" \(`[^`]*`\)$", "", line) for line in filter(None, kept.words.get(keeping.CHANGES, "").split("\n"))]


def _meanings(kept: Kept) -> list[tuple[str, str]]:
    """Return who played, and what the words of the page mean."""
    return [
        who_played(kept),
        ("A and B", f"A: {kept.words.get('a', 'A')}; B: {kept.words.get('b', 'B')}. Differences are B minus A."),
        ("Filled dots", "A filled dot differs from 0; of an open one a change is not shown."),
        ("[…, …]", "With 95% certainty the true differences of all figures lie between these two."),
    ]  # fmt: skip


def with_whom(frame: pd.DataFrame) -> pd.DataFrame:
    """Return figures with whom or what they are of, and whether they rest on few games."""
    whom = frame["figure"].str.replace(r"^\w+ rate of ", "", regex=True)
    return frame.assign(whom=whom, small_sample=frame["n"] < SMALL_SAMPLE)
