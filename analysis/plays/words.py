"""What comparing real plays found, in sentences: the conclusion first, and how little few plays say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...simulator.wording import counted, listed
from ..tables.kept import Kept
from ..tables.plays import Plays
from .compare import COMMAND, DIFFER, Compared
from .nearest import EQUAL, FURTHER

EXAMPLES = 3
LIMITS = ("Left out", "Note")  # how sentences begin that say what was not compared
LIMIT = (
    "These are the plays that somebody noted, in the groups that they play in. Who likes a leader chose it, so what is said of "
    "a leader is an association; other groups may play otherwise."
)


def sentences(found: Compared) -> list[str]:
    """Return what was found in words."""
    return [
        *agreeing(found.tables["agreement"]), *differing(found.tables["leaders"]), *near(found.tables["nearest"]),
        *weighed(found), *left_out(found),
    ]  # fmt: skip


def agreeing(table: pd.DataFrame) -> list[str]:
    """Say for each way whether people's leaders win as often, and what could not be seen."""
    said = []
    for verdict, text in ((DIFFER, "People's leaders do not win as often as those of {}"),
                          ("", "No detectable difference between people's leaders and those of {}")):  # fmt: skip
        some = table[(table["verdict"] == DIFFER) == (verdict == DIFFER)]
        if len(some):
            ways = listed(f"`{row['way']}` (adjusted p {_p(row['p_adjusted'])})" for row in some.to_dict("records"))
            said.append(f"{text.format(ways)}.")
    n, seen = int(table["plays"].iloc[0]), table["detectable"].min()
    if np.isnan(seen):
        said.append(f"With {counted(n, 'play')} no difference of one leader, however large, would be seen.")
    else:
        said.append(f"With {counted(n, 'play')}, a difference of one leader under {seen:.0f} points cannot be seen.")
    skill = table["skill"].max()
    if skill > 0:
        said.append(f"People differ in skill (standard deviation {skill:.1f} log odds); the test takes that out.")
    return said


def differing(table: pd.DataFrame) -> list[str]:
    """Say which leaders differ from a way, the clearest first."""
    clear = table[table["verdict"] == DIFFER].sort_values("p", kind="stable")
    ways, leaders = table["way"].nunique(), table["leader"].nunique()
    if clear.empty:
        return [f"No single leader is shown to differ ({counted(leaders, 'leader')}, {counted(ways, 'way')} of playing)."]
    return [*(_leader(row) for row in clear.head(EXAMPLES).to_dict("records")), *_more(len(clear) - EXAMPLES)]


def _more(n: int) -> list[str]:
    return [f"{n} more {'differs' if n == 1 else 'differ'}: see the table."] if n > 0 else []


def _leader(row: Any) -> str:
    """Return the sentence on one leader and way."""
    own = f"{100 * row['win_rate']:.0f}% [{100 * row['win_rate_low']:.0f}, {100 * row['win_rate_high']:.0f}]"
    would = f"`{row['way']}` would {100 * row['expected_rate']:.0f}%"
    return f"{row['leader']}: people win {own} of {counted(row['n'], 'play')}; {would}."


def near(table: pd.DataFrame) -> list[str]:
    """Say which way foretells the winners best, and whether that is shown."""
    ways = table[table["way"] != EQUAL]
    best, others = ways.iloc[0], ways.iloc[1:]
    score = f"it gave the winners {100 * best['chance_of_winner']:.1f}% on average"
    flat = table[table["way"] == EQUAL].iloc[0]
    equal = f"equal chances {100 * flat['chance_of_winner']:.1f}%"
    said = []
    if len(others) and (others["verdict"] == FURTHER).all():
        said.append(f"`{best['way']}` is nearest to people: {score}, {equal}.")
    elif len(others):
        said.append(f"Which way is nearest cannot be said with these plays. `{best['way']}` comes first: {score}, {equal}.")
        needed = others["plays_to_tell"].replace(np.inf, np.nan).max()
        if not np.isnan(needed):
            said.append(f"To tell it from all others takes about {_round(needed)} plays, if the differences are those found.")
    else:
        said.append(f"`{best['way']}` foretells winners: {score}, {equal}.")
    if flat["verdict"] != FURTHER:
        said.append(f"Not shown: that `{best['way']}` foretells winners better than equal chances.")
    return said


def weighed(found: Compared) -> list[str]:
    """Say what plays and simulation say together, and with which weights."""
    table, both = found.tables["estimates"], found.pooled
    known = table[table["estimated_rate"].notna()]
    weight = 100 * float(np.average(known["weight"], weights=np.maximum(known["n"], 1)))
    shares = listed(f"`{way}` {100 * share:.0f}%" for way, share in sorted(both.ways.items(), key=lambda item: -item[1]))
    top = known.iloc[0]
    own = f"{100 * top['estimated_rate']:.0f}% [{100 * top['estimated_rate_low']:.0f}, {100 * top['estimated_rate_high']:.0f}]"
    said = [
        f"Plays and simulation together: {top['leader']} has the highest estimate, {own} at tables of {both.players}.",
        f"In these estimates the plays weigh {weight:.0f}%, the simulation {100 - weight:.0f}%.",
    ]
    return [*said, *([f"Within the simulation the ways weigh: {shares}."] if len(both.ways) > 1 else [])]


def left_out(found: Compared) -> list[str]:
    """Say which plays could not be compared, and with what the others were."""
    return [*(f"Left out: {line}." for line in found.left), *(f"Note: {line}." for line in found.notes)]


def shown(found: Compared) -> pd.DataFrame:
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
    title = f"People beside {listed(found.ways)}"
    return Kept(COMMAND, title, facts, found.tables, sentences(found), plays.box, line, {"limit": LIMIT})


def _round(number: float) -> str:
    unit = 10 ** max(0, len(f"{number:.0f}") - 2)
    return f"{int(np.ceil(number / unit)) * unit:,}"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.2f}" if p >= 0.01 else f"{p:.3f}"
