"""The page of `newdawn plays compare`: real plays beside strategies. A report has it as a chapter (`report --beside
PLAYS`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from ....simulator.batch.places import Place
from ... import plots
from ...plays import words
from ...plays.compare import DIFFER, compare_plays
from ...plays.nearest import EQUAL
from ...tables.kept import Kept
from ...tables.plays import open_plays
from ...tables.read import Run, open_run
from ..first import First, Verdict
from ..part import Chart, Column, Finding, Part
from ..shared import HINT, P, message

CHAPTER = "What was found"
BESIDE = "Real plays"
MARKS = "Ds^vPX*"  # of the ways, one after the other
METHOD = (
    "A play is a choice of one winner among the leaders at its table. Each strategy gives every seat a chance, by its own "
    "games of as many players (conditional logit). Agreement is a score test of all leaders together, with people's skill "
    "taken out; single leaders have exact tests [95% all]."
)
POOLING = "Estimates: what a leader is worth to a strategy, and a normal deviation around 0 (mixed by evidence, Laplace)."


def page(kept: Kept) -> tuple[list[Part], First, tuple[str, ...]]:
    """Return parts, first screen and method of the answer."""
    leaders, tests = kept.tables["leaders"], kept.tables["agreement"]
    parts = [_leaders(leaders), _estimates(kept.tables["estimates"]), _agreement(tests), _nearest(kept.tables["nearest"])]
    differ = [str(row["way"]) for row in tests.to_dict("records") if row["verdict"] == DIFFER]
    alike = [str(row["way"]) for row in tests.to_dict("records") if row["verdict"] != DIFFER]
    verdicts = [
        *([Verdict("people's leaders differ", differ, "down")] if differ else []),
        *([Verdict("no detectable difference", alike, "open")] if alike else []),
    ]
    return parts, First(_findings(kept), verdicts=verdicts, chart="people"), (METHOD, POOLING)


def _findings(kept: Kept) -> list[Finding]:
    """Return the sentences that were kept, each with how sure it is."""
    known = {said.text: said.how for said in words.from_tables(kept.tables)}
    known |= {text: "limit" for text in kept.sentences if text.startswith(words.LIMITS)}
    return [Finding(text, known.get(text, "measured")) for text in kept.sentences]


def chapter(run: Run, folder: Place, others: Sequence[Place]) -> list[Part]:
    """Return the chapter of a run's report on real plays, beside the run and others; raise UserError if they cannot be
    compared."""
    plays = open_plays(folder)
    found = words.kept(compare_plays(plays, {str(run.path): run} | {str(one): open_run(one) for one in others}), plays)
    first, *rest = page(found)[0]
    first = replace(first, findings=lambda frame, source: _findings(found), method=f"{METHOD} {POOLING}")
    return [replace(part, chapter=BESIDE) for part in (first, *rest)]


def _leaders(frame: pd.DataFrame) -> Part:
    columns = (
        Column("leader", "leader"), Column("way", "strategy"), Column("n", "plays", "count"),
        Column("win_rate", "people win [95%]", "rate"), Column("fair_share", "fair share", "rate", "mean over its tables"),
        Column("expected_rate", "the strategy would [95%]", "rate", "at the same tables"),
        Column("points", "difference [95% all]", "points", "percentage points"), P,
        Column("detectable", "seen with 80% from", "number", "points: the least difference of this leader that the test sees"),
        Column("verdict", "verdict"), HINT,
    )  # fmt: skip
    many = frame["leader"].nunique()
    return Part(
        "people", "Leaders: people beside strategies", lambda source: frame, columns, chapter=CHAPTER, rows=300,
        note="People's win rates, and what each strategy would win at the very tables that people sat at.",
        charts=(Chart("people", "Leaders' win rates, people and strategies", "Bars: people, 95% each. Marks: each strategy.",
                      _draw_leaders, lambda shown: 1.5 + 0.36 * many,
                      message=message("points", "People win {word} often with {leader} than `{way}` would")),),
    )  # fmt: skip


def _draw_leaders(frame: pd.DataFrame, ax: Any) -> None:
    ways = list(dict.fromkeys(frame["way"]))
    own = frame[frame["way"] == ways[0]].sort_values("win_rate", ascending=False, kind="stable")
    ends = [100 * own[f"win_rate{end}"] for end in ("", "_low", "_high")]
    plots.forest(ax, [f"{row['leader']} (n = {row['n']:,})" for row in own.to_dict("records")], *ends)
    y = range(len(own))[::-1]
    for k, way in enumerate(ways):
        there = frame[frame["way"] == way].set_index("leader").loc[own["leader"], "expected_rate"]
        ax.plot(
            100 * there, [at - 0.18 for at in y], MARKS[k % len(MARKS)], color=plots.MUTED, markersize=5, label=way, zorder=3
        )
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False, fontsize="small")
    ax.set_xlabel("win rate, %")


def _estimates(frame: pd.DataFrame) -> Part:
    known = frame[frame["estimated_rate"].notna()]
    players = int(frame["players"].iloc[0])
    columns = (
        Column("leader", "leader"), Column("n", "plays", "count"), Column("win_rate", "people win [95%]", "rate"),
        Column("simulated_rate", "simulation", "rate", f"at balanced tables of {players}"),
        Column("estimated_rate", "both together [95%]", "rate", f"at balanced tables of {players}"),
        Column("weight", "weight of the plays", "rate"),
    )  # fmt: skip

    def draw(shown: pd.DataFrame, ax: Any) -> None:
        ends = [100 * shown[f"estimated_rate{end}"] for end in ("", "_low", "_high")]
        plots.forest(ax, list(shown["leader"]), *ends, reference=100 / players, reference_label="fair share")
        ax.plot(
            100 * shown["simulated_rate"], range(len(shown))[::-1], "D", color=plots.MUTED, markersize=5, label="simulation"
        )
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False, fontsize="small")
        ax.set_xlabel(f"win rate at balanced tables of {players}, %")

    return Part(
        "estimates", "Each leader by plays and simulation together", lambda source: known, columns, chapter=CHAPTER,
        note="Few plays leave the simulation most of the weight; the more there are, the more people count.",
        charts=(Chart("estimates", "Plays and simulation together", "95% each. Diamonds: the simulation alone.", draw,
                      lambda shown: 1.5 + 0.3 * len(shown)),),
    )  # fmt: skip


def _agreement(frame: pd.DataFrame) -> Part:
    columns = (
        Column("way", "strategy"), Column("plays", "plays", "count"), Column("chi2", "χ²", "number"),
        Column("df", "degrees of freedom", "count"), P,
        Column("detectable", "seen with 80% from", "number", "points: the least difference of one leader that the test sees"),
        Column("skill", "skill", "ratio", "standard deviation of people's skill, log odds"), Column("verdict", "verdict"),
    )  # fmt: skip
    return Part(
        "agreement", "Do people's leaders win as often?", lambda source: frame, columns, chapter=CHAPTER,
        note="One test over all leaders for each strategy, and the smallest difference that it could have seen.",
    )  # fmt: skip


def _nearest(frame: pd.DataFrame) -> Part:
    columns = (
        Column("way", "strategy", "text", f"'{EQUAL}': every seat alike"), Column("plays", "plays", "count"),
        Column("chance_of_winner", "chance given to the winner", "rate", "geometric mean"),
        Column("behind", "behind the best [95% all]", "ratio", "mean difference of the logarithms"),
        Column("plays_fewest", "plays that would decide", "count", "at least, with 80%"),
        Column("verdict", "verdict"),
    )  # fmt: skip
    return Part(
        "nearest", "Which strategy predicts the winners best?", lambda source: frame, columns, chapter=CHAPTER,
        note="The strategy that gave the winners of people's plays the largest chance is nearest to people.",
    )  # fmt: skip
