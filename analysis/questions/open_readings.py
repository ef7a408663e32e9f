"""Open readings of the rules: how much does a doubt matter, and which reading moves which verdict on a leader?"""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted
from ...simulator.reading import content_of, csv_of
from ...simulator.rules.load import from_data
from ...simulator.rules.show import Doubt, doubts, titled
from ..pages.report_parts import Column, Finding, Part, Source, chapter
from ..pages.sentences import MOST, some_of
from ..stats.claims import Limit
from ..stats.verdicts import DIFFERENT, STRENGTH, read, verdict_columns
from ..tables import reference_results

RATE_OF = "win rate of "  # beginning of the measure of a leader

# --- Which open reading of the rules moves which verdict on a leader
#
# The weight of a reading is its effect as measured by `newdawn rules disputes --games`: in the file `readings.csv` beside the
# run, or else in the reference results. The verdict *with the other reading* is that of the run's figure plus the weight,
# with the uncertainty of both; a weight that is not shown to differ from 0 moves nothing.

FILE = "readings.csv"
NEEDED = ("doubt", "measure", "n", "change", "change_low", "change_high")
GAMES = 2000  # in the command proposed


def weights(source: Source) -> pd.DataFrame:
    """Return the weights of readings for leaders' win rates: doubt, leader, n, points with interval, source (`measured`).

    Raises UserError if the file beside the run cannot be read.
    """
    parts = [pd.DataFrame(reference_results.readings(source.run.box), columns=list(NEEDED)).assign(measured="reference")]
    path = source.run.path / FILE
    if isinstance(path, Path) and path.is_file():
        expected = "what `newdawn rules disputes --games … --format csv` writes"
        table = csv_of(content_of(path, expected=expected), path, expected)
        missing = [name for name in NEEDED if name not in table]
        if missing:
            raise UserError(f"{path}: no column '{missing[0]}'; expected {expected}")
        parts.insert(0, table[list(NEEDED)].assign(measured="beside the run"))
    whole = pd.concat([part for part in parts if len(part)] or parts, ignore_index=True)
    whole = whole[whole["measure"].astype(str).str.startswith(RATE_OF)]
    for name in NEEDED[2:]:
        whole[name] = pd.to_numeric(whole[name], errors="coerce")
    whole = whole.dropna(subset=list(NEEDED[2:])).drop_duplicates(["doubt", "measure"])
    ends = {f"change{end}": 100 * whole[f"change{end}"] for end in ("", "_low", "_high")}
    return whole.assign(leader=whole["measure"].str.removeprefix(RATE_OF), **ends).reset_index(drop=True)


def open_doubts(source: Source) -> list[Doubt]:
    """Return the open readings that change play and have a switch; none for rules that this version cannot read."""
    try:
        ruleset = from_data(source.ruleset, "")
    except UserError:
        return []
    return [doubt for doubt in doubts(ruleset) if doubt.play == "changes" and doubt.overlay is not None]


def moved(source: Source) -> pd.DataFrame | None:
    """Return the verdicts on leaders that another reading moves; None if leaders are not compared, or nothing is open."""
    doubts_here = open_doubts(source)
    if source.untestable or not source.several_leaders or not doubts_here:
        return None
    measured = weights(source)
    measured = measured[measured["doubt"].isin([doubt.name for doubt in doubts_here])]
    columns = ["leader", "points", "points_all_low", "points_all_high", "verdict", "verdict_key"]
    frame = measured.merge(source.judged[columns], on="leader")
    frame = frame.merge(
        pd.DataFrame([(doubt.name, doubt.other) for doubt in doubts_here], columns=["doubt", "other"]), on="doubt"
    )
    middle = frame["points"] + frame["change"]
    below = np.hypot(frame["points"] - frame["points_all_low"], frame["change"] - frame["change_low"])
    above = np.hypot(frame["points_all_high"] - frame["points"], frame["change_high"] - frame["change"])
    ends = zip(middle - below, middle + above, strict=True)
    frame = frame.assign(**verdict_columns([read(low, high, source.margin) for low, high in ends], STRENGTH, "moved"))
    sure = np.array(
        [read(*ends, 0.0) in DIFFERENT for ends in zip(frame["change_low"], frame["change_high"], strict=True)], bool
    )
    return frame[sure & (frame["verdict_key"] != frame["moved_key"])].sort_values(["doubt", "leader"], ignore_index=True)


def findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which verdicts another reading moves, and which readings were not measured."""
    open_ones = open_doubts(source)
    weighed = set(weights(source)["doubt"]) & {doubt.name for doubt in open_ones}
    findings = []
    for doubt, rows in frame.groupby("doubt"):
        moves = [f"{row['leader']} ({row['verdict']} → {row['moved']})" for row in rows.to_dict("records")]
        claim = Limit(rows, beside=[len(moves) - MOST])
        findings.append(Finding(claim, f"The other reading of {titled(str(doubt))} moves the verdict on {some_of(moves)}."))
    if weighed and frame.empty:
        names = some_of(list(map(titled, sorted(weighed))))
        text = f"No other reading of those that were weighed ({names}) is shown to move a verdict on a leader."
        findings.append(Finding(Limit(beside=[len(weighed) - MOST]), text))
    unweighed = len(open_ones) - len(weighed)
    if unweighed:
        beside = shlex.quote(f"{source.run.path}/{FILE}")
        command = f"newdawn rules disputes --box {source.run.box} --games {GAMES} --format csv > {beside}"
        what = f"{counted(unweighed, 'open reading')} of the rules {'was' if unweighed == 1 else 'were'} not weighed"
        findings.append(Finding(Limit(beside=[unweighed]), f"{what}: `{command}`."))
    return findings


OPEN_READINGS = chapter(
    "Open readings of the rules",
    Part(
        "open-readings", "Which reading moves which verdict", moved,
        (
            ("doubt", "open reading"), "other", "leader", ("n", "pairs of games"),
            Column("change", "changes its win rate, points [95%]", "points"), Column("verdict", "verdict here", "text"),
            ("moved", "with the other reading"), ("measured", "weighed in"),
        ),
        note="Readings that the rulebook leaves open; `newdawn rules disputes` says what speaks for each.",
        method="Open readings: the leader's figure moved by the weight of the reading, both uncertainties together.",
        findings=findings,
    ),
)  # fmt: skip
