"""Open readings of the rules: which reading of the rulebook moves which verdict on a leader?

The weights are those that `newdawn rules disputes --games` measured: of the reference results, and of a file `readings.csv`
beside the run, which counts first. A verdict *with the other reading* is that of the run's figure moved by the weight, with an
interval as wide as both are uncertain; a weight that is not shown to differ from 0 moves nothing.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pandas as pd

from ...simulator.errors import UserError
from ...simulator.reading import content_of, csv_of
from ...simulator.rules.load import from_data
from ...simulator.rules.show import Doubt, doubts, titled
from ...simulator.wording import counted
from ..pages.parts import Column, Finding, Part, Source, chapter
from ..pages.sentences import some_of
from ..stats.answer import DIFFERENT, STRENGTH, read
from ..tables import reference
from .readings import RATE_OF

FILE = "readings.csv"
NEEDED = ("doubt", "measure", "n", "change", "change_low", "change_high")
GAMES = 2000  # that the command asks for


def weights(source: Source) -> pd.DataFrame:
    """Return the known weights of readings for leaders' win rates: doubt, leader, n, points with their interval, from where.

    Raises UserError if the file beside the run is none.
    """
    parts = [pd.DataFrame(reference.readings(source.run.box), columns=list(NEEDED)).assign(measured="reference")]
    path = source.run.path / FILE
    if isinstance(path, Path) and path.is_file():
        expected = "what `newdawn rules disputes --games … --format csv` writes"
        found = csv_of(content_of(path, expected=expected), path, expected)
        missing = [name for name in NEEDED if name not in found]
        if missing:
            raise UserError(f"{path}: no column '{missing[0]}'; expected {expected}")
        parts.insert(0, found[list(NEEDED)].assign(measured="beside the run"))
    whole = pd.concat([part for part in parts if len(part)] or parts, ignore_index=True)
    whole = whole[whole["measure"].astype(str).str.startswith(RATE_OF)]
    for name in NEEDED[2:]:
        whole[name] = pd.to_numeric(whole[name], errors="coerce")
    whole = whole.dropna(subset=list(NEEDED[2:])).drop_duplicates(["doubt", "measure"])
    ends = {f"change{end}": 100 * whole[f"change{end}"] for end in ("", "_low", "_high")}
    return whole.assign(leader=whole["measure"].str.removeprefix(RATE_OF), **ends).reset_index(drop=True)


def open_doubts(source: Source) -> list[Doubt]:
    """Return the open readings that change play and can be played the other way; none of rules that this version does not
    know."""
    try:
        ruleset = from_data(source.ruleset, "")
    except UserError:
        return []
    return [doubt for doubt in doubts(ruleset) if doubt.play == "changes" and doubt.overlay is not None]


def moved(source: Source) -> pd.DataFrame | None:
    """Return the verdicts on leaders that another reading moves; None where leaders are not compared, or nothing is open."""
    known = open_doubts(source)
    if source.untestable or not source.several_leaders or not known:
        return None
    found = weights(source)
    found = found[found["doubt"].isin([doubt.name for doubt in known])]
    columns = ["leader", "points", "points_all_low", "points_all_high", "verdict"]
    frame = found.merge(source.judged[columns], on="leader")
    frame = frame.merge(pd.DataFrame([(doubt.name, doubt.other) for doubt in known], columns=["doubt", "other"]), on="doubt")
    middle = frame["points"] + frame["change"]
    below = np.hypot(frame["points"] - frame["points_all_low"], frame["change"] - frame["change_low"])
    above = np.hypot(frame["points_all_high"] - frame["points"], frame["change_high"] - frame["change"])
    ends = zip(middle - below, middle + above, strict=True)
    frame["moved"] = [STRENGTH.of(read(low, high, source.margin)) for low, high in ends]
    sure = np.array(
        [read(*ends, 0.0) in DIFFERENT for ends in zip(frame["change_low"], frame["change_high"], strict=True)], bool
    )
    return frame[sure & (frame["verdict"] != frame["moved"])].sort_values(["doubt", "leader"], ignore_index=True)


def findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which verdicts another reading moves, and which readings nobody has weighed."""
    known = open_doubts(source)
    weighed = set(weights(source)["doubt"]) & {doubt.name for doubt in known}
    said = []
    for doubt, rows in frame.groupby("doubt"):
        moves = [f"{row['leader']} ({row['verdict']} → {row['moved']})" for row in rows.to_dict("records")]
        said.append(f"The other reading of {titled(str(doubt))} moves the verdict on {some_of(moves)}.")
    if weighed and frame.empty:
        named = some_of(list(map(titled, sorted(weighed))))
        said.append(f"No other reading of those that were weighed ({named}) is shown to move a verdict on a leader.")
    left = len(known) - len(weighed)
    if left:
        beside = shlex.quote(f"{source.run.path}/{FILE}")
        command = f"newdawn rules disputes --box {source.run.box} --games {GAMES} --format csv > {beside}"
        what = f"{counted(left, 'open reading')} of the rules {'was' if left == 1 else 'were'} not weighed"
        said.append(f"{what}: `{command}`.")
    return [Finding(text, "limit") for text in said]


OPEN_READINGS = chapter(
    "Open readings of the rules",
    Part(
        "open-readings", "Which reading moves which verdict", moved,
        (
            Column("doubt", "open reading"), Column("other", "the other reading"), Column("leader", "leader"),
            Column("n", "pairs of games", "count"), Column("change", "changes its win rate, points [95%]", "points"),
            Column("verdict", "verdict here"), Column("moved", "with the other reading"), Column("measured", "weighed in"),
        ),
        note="Readings that the rulebook leaves open; `newdawn rules disputes` says what speaks for each.",
        method="Open readings: the leader's figure moved by the weight of the reading, both uncertainties together.",
        findings=findings,
    ),
)  # fmt: skip
