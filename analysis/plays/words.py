"""What comparing real plays found, in sentences: the conclusion first, and how little few plays say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ...simulator.wording import counted, listed
from ..statistics.answer import games_words
from ..tables.kept import Kept
from ..tables.plays import Plays
from .compare import COMMAND, DIFFER, Compared
from .nearest import EQUAL, FURTHER

EXAMPLES = 3
LIMITS = ("Left out", "Note")  # how sentences begin that say what was not compared
LIMIT = (
    "These plays were logged by some groups, and other groups may play differently. People chose the leaders that they like, "
    "so findings on leaders are associations."
)


class Said(NamedTuple):
    """A sentence, and how sure it is (a key of `report.part.CERTAINTIES`)."""

    text: str
    how: str = "measured"


def sentences(found: Compared) -> list[Said]:
    """Return what was found in words."""
    tables = found.tables
    return [*from_tables(tables), *weighed(tables["estimates"], found.pooled.ways), *left_out(found)]


def from_tables(tables: Mapping[str, pd.DataFrame]) -> list[Said]:
    """Return what the tables of tests say."""
    return [*agreeing(tables["agreement"]), *differing(tables["leaders"]), *near(tables["nearest"])]


def agreeing(table: pd.DataFrame) -> list[Said]:
    """Say for each way whether people's leaders win as often, and what could not be seen."""
    said = []
    for differ, text, how in (
        (True, "People's leaders do not win as often as those of {}.", "shown"),
        (False, "No detectable difference between people's leaders and those of {}.", "open"),
    ):
        some = table[(table["verdict"] == DIFFER) == differ]
        if len(some):
            ways = listed(f"`{row['way']}` (adjusted p {_p(row['p_adjusted'])})" for row in some.to_dict("records"))
            said.append(Said(text.format(ways), how))
    n, seen = int(table["plays"].iloc[0]), table["detectable"].min()
    if np.isnan(seen):
        said.append(Said(f"With {counted(n, 'play')} no difference of one leader can be detected, however large.", "limit"))
    else:
        said.append(
            Said(f"With {counted(n, 'play')}, a difference of one leader under {seen:.0f} points cannot be detected.", "limit")
        )
    skill = table["skill"].max()
    if skill > 0:
        said.append(Said(f"People differ in skill (standard deviation {skill:.1f} log odds); the test corrects for that."))
    return said


def differing(table: pd.DataFrame) -> list[Said]:
    """Say which leaders differ from a way, the clearest first."""
    clear = table[table["verdict"] == DIFFER].sort_values("p", kind="stable")
    ways, leaders = table["way"].nunique(), table["leader"].nunique()
    if clear.empty:
        asked = f"{counted(leaders, 'leader')}, {counted(ways, 'strategy', 'strategies')}"
        return [Said(f"No single leader differs detectably ({asked}).", "open")]
    said = [Said(_leader(row), "shown") for row in clear.head(EXAMPLES).to_dict("records")]
    rest = len(clear) - EXAMPLES
    return [*said, Said(f"{rest} more {'differs' if rest == 1 else 'differ'}: see the table.", "shown")] if rest > 0 else said


def _leader(row: Any) -> str:
    """Return the sentence on one leader and way."""
    own = f"{100 * row['win_rate']:.0f}% [{100 * row['win_rate_low']:.0f}, {100 * row['win_rate_high']:.0f}]"
    would = f"`{row['way']}` would {100 * row['expected_rate']:.0f}%"
    return f"{row['leader']}: people win {own} of {counted(row['n'], 'play')}; {would}."


def near(table: pd.DataFrame) -> list[Said]:
    """Say which way predicts the winners best, and whether that is shown."""
    ways, flat = table[table["way"] != EQUAL], table[table["way"] == EQUAL].iloc[0]
    best, others = ways.iloc[0], ways.iloc[1:]
    equal = f"equal chances {100 * flat['chance_of_winner']:.1f}%"
    score = f"it gave the winners {100 * best['chance_of_winner']:.1f}% on average, {equal}"
    sure = bool((others["verdict"] == FURTHER).all())
    said = []
    if len(others) and sure:
        said.append(Said(f"`{best['way']}` is nearest to people: {score}.", "shown"))
    elif len(others):
        said.append(Said("Undecided which strategy is nearest to people.", "open"))
        said.append(Said(f"`{best['way']}` comes first: {score}."))
        needed = games_words(others["plays_fewest"].max(), others["plays_most"].max(), "plays")
        said.append(Said(f"{needed[0].upper()}{needed[1:]}{' would decide it' if 'no number' not in needed else ''}."))
    else:
        said.append(Said(f"`{best['way']}` predicts the winners: {score}."))
    if flat["verdict"] != FURTHER:
        said.append(Said(f"`{best['way']}` does not predict winners detectably better than equal chances.", "open"))
    return said


def weighed(table: pd.DataFrame, ways: Mapping[str, float]) -> list[Said]:
    """Say what plays and simulation say together, and with which weights."""
    known = table[table["estimated_rate"].notna()]
    weight = 100 * float(np.average(known["weight"], weights=np.maximum(known["n"], 1)))
    shares = listed(f"`{way}` {100 * share:.0f}%" for way, share in sorted(ways.items(), key=lambda item: -item[1]))
    top = known.iloc[0]
    own = f"{100 * top['estimated_rate']:.0f}% [{100 * top['estimated_rate_low']:.0f}, {100 * top['estimated_rate_high']:.0f}]"
    said = [
        Said(f"Plays and simulation together: {top['leader']} has the highest estimate, {own} at tables of {top['players']}."),
        Said(f"In these estimates the plays weigh {weight:.0f}%, the simulation {100 - weight:.0f}%."),
    ]
    return [*said, *([Said(f"Within the simulation the strategies weigh: {shares}.")] if len(ways) > 1 else [])]


def left_out(found: Compared) -> list[Said]:
    """Say which plays could not be compared, and with what the others were."""
    lines = [*(f"Left out: {line}." for line in found.left), *(f"Note: {line}." for line in found.notes)]
    return [Said(line, "limit") for line in lines]


def people_table(found: Compared) -> pd.DataFrame:
    """Return the leaders for reading: people's rate, each way's at the same tables, and the estimate."""
    leaders, estimates = found.tables["leaders"], found.tables["estimates"]
    first = leaders[leaders["way"] == found.ways[0]]
    frame = first[["leader", "n", "win_rate", "win_rate_low", "win_rate_high", "fair_share"]]
    for way in found.ways:
        own = leaders[leaders["way"] == way]
        marks = np.where(own["verdict"] == DIFFER, "*", "")
        frame = frame.assign(
            **{way: [f"{100 * rate:.1f}%{mark}" for rate, mark in zip(own["expected_rate"], marks, strict=True)]}
        )
    both = estimates[["leader", "estimated_rate", "estimated_rate_low", "estimated_rate_high", "weight"]]
    whole = frame.merge(both, on="leader").sort_values("estimated_rate", ascending=False, kind="stable", ignore_index=True)
    return whole.assign(weight=[f"{100 * weight:.0f}%" for weight in whole["weight"]])


def kept(found: Compared, plays: Plays, line: str = "") -> Kept:
    """Return the answer as it is kept, and made a page of; `line` is the command that found it."""
    sizes = listed(f"{n:,} of {players}" for players, n in found.sizes.items())
    rules = plays.manifest["ruleset"]
    facts = {
        "rules": f"{rules['name']}, SHA-256 {rules['digest']}", "players": listed(found.sizes, "or"),
        "compared": f"{counted(found.plays, 'play')} ({sizes})", "strategies": ", ".join(found.ways), "plays": str(plays.path),
    }  # fmt: skip
    texts = [said.text for said in sentences(found)]
    title = f"People beside {listed(found.ways)}"
    return Kept(COMMAND, title, facts, found.tables, texts, plays.box, line, {"limit": LIMIT})


def _round(number: float) -> str:
    unit = 10 ** max(0, len(f"{number:.0f}") - 2)
    return f"{int(np.ceil(number / unit)) * unit:,}"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.2f}" if p >= 0.01 else f"{p:.3f}"
