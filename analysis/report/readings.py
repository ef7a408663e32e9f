"""Open readings of the rules that speak of a leader, beside what a report finds about that leader.

What is known of their weight was measured with `newdawn rules disputes --games` and lies with the reference results: how the
other reading changes the leader's win rate in the printed game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...simulator.errors import UserError
from ...simulator.rules.loading.load import from_data
from ...simulator.rules.showing.disputes import Doubt, doubts_about
from ..tables import reference
from ..trials.readings import LEADER
from .part import Finding, Source, points


def of_leaders(source: Source, leaders: Iterable[str]) -> list[Finding]:
    """Return a sentence for each open reading that speaks of one of the leaders, unless it is known to change that leader's
    win rate by less than the margin. Of a run whose rules this version does not know nothing is said."""
    try:
        ruleset = from_data(source.ruleset, "")
    except UserError:
        return []
    known = {(row["doubt"], row["measure"]): row for row in reference.readings(source.run.box)}
    told = []
    for leader in dict.fromkeys(leaders):
        for doubt in doubts_about(ruleset, leader):
            row = known.get((doubt.name, f"{LEADER}{leader}"))
            if row is None or _reaches(row, source.margin):
                told.append(Finding(_sentence(leader, doubt, row, source.run.box), "limit"))
    return told


def _reaches(row: Mapping[str, Any], margin: float) -> bool:
    """Can the other reading change the win rate by the margin or more, by the interval of what was measured?"""
    return max(abs(float(row["change_low"])), abs(float(row["change_high"]))) >= margin / 100


def _sentence(leader: str, doubt: Doubt, row: Mapping[str, Any] | None, box: str) -> str:
    start = f"What is said of {leader} rests on an open reading of the rules, {doubt.name}: {doubt.chosen}, not {doubt.other}"
    if row is None:
        how = f"newdawn rules disputes --box {box} --games 2000 --only '{doubt.name}'" if doubt.overlay else ""
        return f"{start}. Its weight has not been measured{f'; `{how}` does' if how else ''}."
    change = points(*(100 * float(row[name]) for name in ("change", "change_low", "change_high")))
    pairs = f"n = {int(row['n']):,} pairs of its games among planners, see docs/disputes.md"
    return f"{start}. The other reading changes its win rate by {change} points ({pairs})."
