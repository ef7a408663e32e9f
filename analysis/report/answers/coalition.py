"""The page of `newdawn coalition`: what is left of leaders when the table plays against them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ... import plots
from ...contests import coalitions as lab
from ...statistics.rates import SMALL_SAMPLE
from ...tables.kept import Kept
from ..first import First, Verdict
from ..part import Chart, Column, Finding, Part, evidence

TABLE = "coalitions"
TONES = ((lab.AHEAD, "up"), (lab.HELD, "open"), (lab.BELOW, "down"), (lab.OPEN, "open"))
METHOD = (
    "Every game is played twice on the same seed, the leader's seat rotating: rivals play to win, or to stop the leader. "
    "Verdicts are against the fair share ± 2 points, for all leaders together (Bonferroni)."
)
COLUMNS = (
    Column("leader", "leader"), Column("n", "pairs of games", "count"),
    Column("share", "wins when rivals play to win [95%]", "rate"),
    Column("against_rate", "wins when all play against it [95%]", "rate"),
    Column("points", "difference, points [95%]", "points"),
    Column("ahead", "above its share then, points [95% all]", "points"),
    Column("p_adjusted", "adjusted p", "p", "p value for all leaders together: it wins its share then"),
    Column("verdict", "verdict"), Column("small_sample", "few?", "flag", f"fewer than {SMALL_SAMPLE} pairs"),
)  # fmt: skip


def page(kept: Kept, chapter: str) -> tuple[list[Part], First, tuple[str, ...]]:
    """Return the parts, the first screen and the method of an answer."""
    frame = kept.tables[TABLE].sort_values("against_rate", ascending=False, kind="stable")
    verdicts = [
        Verdict(word, [str(leader) for leader in frame.loc[frame["verdict"] == word, "leader"]], tone)
        for word, tone in TONES
        if (frame["verdict"] == word).any()
    ]
    chart = Chart(
        TABLE, "What each leader wins when all play against it",
        "95% each; filled: beyond its share ± 2 points; dashed: its share.",
        _draw, lambda rows: 1.1 + 0.27 * len(rows), message=_message,
    )  # fmt: skip
    part = Part(TABLE, "Leaders against the table", lambda source: frame, COLUMNS, chapter=chapter, charts=(chart,),
                note="What a leader wins among rivals who play to win, and among rivals who play to stop it.")  # fmt: skip
    said = [Finding(lab.sentence(row), _certainty(row)) for row in frame.head(3).to_dict("records")]
    return [part], First(said, verdicts=verdicts, chart=TABLE), (METHOD,)


def _message(frame: pd.DataFrame) -> str:
    """Say who wins more than its share against the whole table, or that nobody does."""
    ahead = frame.loc[frame["verdict"] == lab.AHEAD, "leader"]
    if len(ahead):
        more = f" ({len(ahead) - 1} more)" if len(ahead) > 1 else ""
        return f"{ahead.iloc[0]} wins more than its share even when all play against it{more}"
    held = frame["verdict"].isin((lab.HELD, lab.BELOW)).all()
    return (
        ("The table can hold " + (str(frame["leader"].iloc[0]) if len(frame) == 1 else "each of these leaders")) if held else ""
    )


def _certainty(row: Any) -> str:
    if row["small_sample"]:
        return "few"
    return {lab.OPEN: "open", lab.HELD: "shown"}.get(row["verdict"], evidence(row["p_adjusted"]))


def _draw(frame: pd.DataFrame, ax: Any) -> None:
    filled, fair = frame["verdict"].isin((lab.AHEAD, lab.BELOW)), 100 * float(frame["fair_share"].iloc[0])
    plots.column(
        ax, frame, frame["leader"], "against_rate", "win rate, %", ends=plots.EACH, filled=filled, scale=100, reference=fair
    )
