"""The chapter on several strategies: the main figures by who played, and which findings hold for all of them.

The page of `newdawn ways` is made of it, and the report of a run that is looked at beside others (`newdawn report --beside`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.batch.places import Place
from .. import plots
from ..contests import ways as lab
from ..statistics import margins
from ..statistics.answer import DEPENDS, FAR, having
from ..statistics.inference import ALL
from ..tables.read import Run
from .part import Chart, Column, Finding, Part, Source

CHAPTER = "Strategies compared"
GROUPS = {
    "leaders": "Leaders under each strategy", "game": "The game under each strategy",
    "agendas": "Agendas under each strategy", "wonders": "World wonders under each strategy",
    "deeds": "What players do under each strategy",
}  # fmt: skip
METHOD = (
    "Each strategy played a run of its own. Over the good players, each figure has an average, and what another of them would "
    "make of it (random effects, Hartung and Knapp 2001; Higgins and others 2009). Whether two strategies agree on it is read "
    f"off differences of two strategies (MOVER: Zou and Donner 2008), against a margin of {margins.POINTS:g} points, "
    f"{margins.ROUNDS:g} round or {margins.DEEDS:g} deeds a game. A strategy with fewer than 100 games, or a wider interval "
    "than the margin, is left out of verdicts that figures are alike."
)


def keys() -> list[str]:
    """Return the keys of the parts that there can be."""
    return [f"ways-{group}" for group in GROUPS]


def parts_of(table: pd.DataFrame, verdicts: pd.DataFrame, first_sentences: bool = True) -> list[Part]:
    """Return the parts on what `contests.ways` found; the first one has the sentences about all figures."""
    names, change = list(dict.fromkeys(table["way"])), lab.is_change(table)
    wide = _wide(table, verdicts, names)
    columns = (
        Column("figure", "figure"), Column("unit", "unit"), Column("games", "games", "text", "that count, of each way"),
        *(Column(f"way{k}", f"{name} [95% all]", "points" if change else "number") for k, name in enumerate(names)),
        Column("difference", "largest difference [95% all]", "points", "of two ways; points, rounds, or deeds a game"),
        Column("depends", "does it depend on who plays?"), Column("band", "over players [95%], another, but not"),
        Column("stands", "verdict over players"),
        Column("small_sample", "few?", "flag", "few games of a way: take the row as a hint"),
    )  # fmt: skip
    present = [group for group in GROUPS if (wide["group"] == group).any()]
    parts = []
    for group in present:
        said = findings(table, verdicts) if first_sentences and group == present[0] else []
        parts.append(
            Part(
                f"ways-{group}", GROUPS[group], partial(_of_group, wide, group), columns, chapter=CHAPTER,
                note="The same figures by who played; intervals hold for all of them together.",
                method=METHOD if group == present[0] else "",
                charts=(Chart(
                    f"ways-{group}", GROUPS[group], f"95% for all figures and ways together; filled: {DEPENDS.far_above}.",
                    partial(_draw, names=names), partial(_height, names=names), worth=lambda frame: bool(_shares(frame).any()),
                    message=_depends,
                ),),
                findings=partial(_said, said),
            )
        )  # fmt: skip
    return parts


def beside(run: Run, folders: Sequence[Place]) -> list[Part]:
    """Return the chapter on a run beside others of the same rules; raise UserError if they cannot be set beside it."""
    runs = lab.open_ways([run.path, *folders])
    table = lab.ways(runs, lab.subjects_of_run(run))
    return parts_of(table, lab.verdicts(table))


def _of_group(wide: pd.DataFrame, group: str, source: Source) -> pd.DataFrame:
    return wide[wide["group"] == group].reset_index(drop=True)


def findings(table: pd.DataFrame, verdicts: pd.DataFrame) -> list[Finding]:
    """Return what is said of all figures."""
    return [Finding(text, certainty) for text, certainty in lab.said(table, verdicts)]


def _said(said: Sequence[Finding], frame: pd.DataFrame, source: Source) -> list[Finding]:
    return list(said)


def _shares(frame: pd.DataFrame) -> pd.Series:
    return frame["unit"].isin(("%", "points"))


def _wide(table: pd.DataFrame, verdicts: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return one row a figure, with value and interval of each way in per cent or numbers."""
    rows = []
    for verdict in verdicts.to_dict("records"):
        part = table[(table["figure"] == verdict["figure"]) & (table["group"] == verdict["group"])]
        share = lab.is_share(str(verdict["figure"]))
        row: dict[Any, Any] = dict(verdict) | {"small_sample": bool(part["small_sample"].any())}
        row |= {"depends": lab.shown_verdict(verdict), "band": lab.shown_band(verdict)}
        row["unit"] = "rounds" if verdict["figure"] == lab.ROUNDS_FIGURE else "a game"
        if share:
            row["unit"] = "points" if lab.is_change(table) else "%"
        row |= {f"difference{end}": (100 if share else 1) * verdict.get(f"difference{end}", np.nan) for end in ALL}
        row["games"] = " / ".join(dict.fromkeys(f"{n:,}" for n in part["n"]))
        by_way: Mapping[str, Any] = {one["way"]: one for one in part.to_dict("records")}
        for k, name in enumerate(names):
            for end in ALL:
                row[f"way{k}{end}"] = (100 if share else 1) * by_way[name][f"value{end}"] if name in by_way else np.nan
        rows.append(row)
    return pd.DataFrame(rows)


def _depends(frame: pd.DataFrame) -> str:
    """Say which of the figures drawn depends most on who plays, if one is shown to."""
    found = frame[_shares(frame) & having(frame, FAR)]
    if found.empty:
        return ""
    most = found.sort_values("difference", key=abs, ascending=False, kind="stable").iloc[0]
    return f"Who plays moves the {most['figure']} by up to {abs(most['difference']):.1f} points"


def _draw(frame: pd.DataFrame, ax: Any, names: Sequence[str]) -> None:
    """Draw each share, one line a strategy."""
    shown = frame[_shares(frame)]
    labels = [f"{lab.whom(figure)}, {name}" for figure in shown["figure"] for name in names]
    columns = [[f"way{k}{end}" for k in range(len(names))] for end in ALL]
    ends = [shown[some].to_numpy().ravel() for some in columns]
    filled = np.repeat(having(shown, FAR).to_numpy(), len(names))
    change = (shown["unit"] == "points").any()
    plots.forest(ax, labels, *ends, filled=filled, reference=0 if change else None)
    ax.set_xlabel("percentage points" if change else "%")


def _height(frame: pd.DataFrame, names: Sequence[str]) -> float:
    return 1.1 + 0.22 * len(names) * int(_shares(frame).sum())
