"""The page of `newdawn coalition`: what is left of leaders when the table plays against them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ... import plots
from ...contests import coalitions as lab
from ...statistics.answer import STRENGTH
from ...statistics.rates import SMALL_SAMPLE
from ...tables.kept import Kept
from ..first import First
from ..part import Chart, Column, Finding, Part
from .lines import by_verdict, more_games

TABLE = "coalitions"
METHOD = (
    "Every game is played twice on the same seed, the leader's seat rotating: rivals play to win, or to stop the leader. "
    "Verdicts are on decided games, against the fair share ± 2 points, for all leaders together (Bonferroni)."
)
COLUMNS = (
    Column("leader", "leader"), Column("n", "pairs of games", "count"),
    Column("share", "wins when rivals play to win [95%]", "rate"),
    Column("against_rate", "wins when all play against it [95%]", "rate"),
    Column("points", "difference, points [95% all]", "points"), Column("effect", "playing against it"),
    Column("ahead", "above its share then, points [95% all]", "points"),
    Column("p_adjusted", "adjusted p", "p", "p value for all leaders together: it wins its share then"),
    Column("verdict", "verdict", "verdict"), Column("small_sample", "few?", "flag", f"fewer than {SMALL_SAMPLE} pairs"),
)  # fmt: skip


def page(kept: Kept, chapter: str) -> tuple[list[Part], First, tuple[str, ...]]:
    """Return the parts, the first screen and the method of an answer."""
    frame = kept.tables[TABLE].sort_values("against_rate", ascending=False, kind="stable")
    chart = Chart(
        TABLE, "What each leader wins when all play against it",
        "95% each; filled: beyond its share ± 2 points; dashed: its share.",
        _draw, lambda rows: 1.1 + 0.27 * len(rows), message=_message,
    )  # fmt: skip
    part = Part(TABLE, "Leaders against the table", lambda source: frame, COLUMNS, chapter=chapter, charts=(chart,),
                note="What a leader wins among rivals who play to win, and among rivals who play to stop it.")  # fmt: skip
    said = [
        finding
        for row in frame.head(3).to_dict("records")
        for finding in (Finding(lab.sentence(row), row["certainty"]), Finding(lab.effect(row), row["effect_certainty"]))
    ]
    said.append(Finding(lab.UNTRAINED, "limit"))
    screen = First(said, verdicts=by_verdict(frame, "leader"), chart=TABLE, steps=more_games(kept, frame))
    return [part], screen, (METHOD,)


def _message(frame: pd.DataFrame) -> str:
    """Say who wins more than its share against the whole table."""
    ahead = frame.loc[frame["verdict"] == STRENGTH.far_above, "leader"]
    more = f" ({len(ahead) - 1} more)" if len(ahead) > 1 else ""
    return f"{ahead.iloc[0]} wins more than its share even when all play against it{more}" if len(ahead) else ""


def _draw(frame: pd.DataFrame, ax: Any) -> None:
    filled, fair = frame["verdict"].isin((STRENGTH.far_above, STRENGTH.far_below)), 100 * float(frame["fair_share"].iloc[0])
    plots.column(
        ax, frame, frame["leader"], "against_rate", "win rate, %", ends=plots.EACH, filled=filled, scale=100, reference=fair
    )
