"""The page of `newdawn restrict`: what a player loses without a part of the game, and what rules or training change of that.

The report of a run has it as a chapter where the folder of such an answer is named (`newdawn report --restricted`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError
from .. import plots
from ..contests import restricted_words as words
from ..statistics.answer import DIFFERENT, having
from ..statistics.inference import ALL
from ..tables.kept import Kept, open_kept
from ..tables.read import Run
from .part import Chart, Column, Finding, Part
from .shared import HINT, P, message

CHAPTER = "Restricted play"
COMMAND = "restrict"
TABLE, BESIDE = KEYS = ("restricted", "beside")  # of the tables that are kept, and of the parts on them
METHOD = (
    "Restricted play (Jaffe and others, AIIDE 2012): every game is played twice on the same seed, one seat with the "
    "restriction or without. The loss is the mean difference of its share of the win, at most what that part of the game is "
    "worth to it."
)
TRAINED = (
    "Trained players have gone on learning with the restriction, among planners without one; they are measured against the "
    "same player trained as long without it."
)


def chapter(run: Run, folder: Path) -> list[Part]:
    """Return the chapter of a run's report on the answer of `newdawn restrict` in a folder.

    Raises UserError if there is none, or if it was asked under other rules or of another number of players.
    """
    kept = open_kept(folder)
    if kept is None or kept.command != COMMAND:
        raise UserError(f"{folder}: holds no answer of `newdawn {COMMAND} --out`")
    rules = run.manifest.get("ruleset", {})
    if not kept.facts["rules"].endswith(str(rules.get("digest"))):
        raise UserError(f"{folder}: asked under other rules ({kept.facts['rules']}) than the run's ({rules.get('name')})")
    if players_of(kept) != run.players:
        raise UserError(f"{folder}: games of {players_of(kept)} players; expected {run.players} as in the run")
    return [replace(part_of(kept, CHAPTER), findings=partial(_all_findings, kept=kept), method=" ".join(methods(kept)))]


def _all_findings(frame: pd.DataFrame, source: Any, kept: Kept) -> list[Finding]:
    """Return what designers ask, the sentences of the rows, and whose games they are of."""
    of = Finding(f"All of this holds for games of {kept.facts['strategies']}: {kept.facts['compared']}.", "limit")
    return [*(answers(frame) if TABLE in kept.tables else []), *_sentences(frame, kept), *about_training(kept), of]


def methods(kept: Kept) -> Sequence[str]:
    """Return the paragraphs on how an answer was found."""
    return (METHOD, *([TRAINED] if is_trained(kept) else []))


def is_trained(kept: Kept) -> bool:
    """Say whether an answer is of players who have trained for their restrictions, too."""
    return kept.words.get("kind") == "training"


def players_of(kept: Kept) -> int:
    """Return how many players the games had."""
    return kept.players


def answers(frame: pd.DataFrame) -> list[Finding]:
    """Return what the rows answer of the questions that designers ask."""
    answers = [(words.answer(row), row) for row in frame.to_dict("records")]
    return [Finding(" ".join(answer), row["certainty"]) for answer, row in answers if answer is not None]


def about_training(kept: Kept) -> list[Finding]:
    """Return what an answer by trained players says of their training: how much it taught, and what no interval holds."""
    said = kept.sentences[len(kept.tables[BESIDE]) :] if is_trained(kept) else []
    return [Finding(text, "limit" if text == words.CHANCE else "measured") for text in said]


def sentence(row: Any, kept: Kept) -> str:
    """Return what a row of either table says."""
    if TABLE in kept.tables:
        return words.sentence(row, players_of(kept))
    if is_trained(kept):
        return words.trained(row, players_of(kept))
    return words.beside(row, players_of(kept), kept.words["a"], kept.words["b"])


def part_of(kept: Kept, chapter: str) -> Part:
    """Return the part with the table of an answer."""
    return _losses(kept, chapter) if TABLE in kept.tables else _both(kept, chapter)


def _losses(kept: Kept, chapter: str) -> Part:
    columns = (
        Column("restriction", "without"), Column("meaning", "a player who"), Column("n", "pairs of games", "count"),
        Column("share", "wins without a restriction [95%]", "rate"), Column("restricted", "wins with it [95%]", "rate"),
        Column("points", "difference, points [95% all]", "points", "change of the chance to win"), P,
        Column("verdict", "verdict", "verdict"), HINT,
    )  # fmt: skip
    return Part(
        "restricted", "What doing without costs", lambda source: kept.tables[TABLE], columns, chapter=chapter,
        note="What one seat's chance to win changes by when its player does without a part of the game.",
        charts=(Chart(
            "restricted", "Change of the chance to win without it", "Percentage points, 95% for all rows; filled: not zero.",
            partial(_draw, sizes=("points",), marks=("",)), lambda frame: 1.1 + 0.24 * len(frame),
            message=message("points", "Doing without {restriction} {word} {size} points of winning chance", "gains", "costs"),
        ),),
        findings=lambda frame, source: _sentences(frame, kept),
    )  # fmt: skip


def _both(kept: Kept, chapter: str) -> Part:
    a, b = kept.words["a"], kept.words["b"]
    columns = (
        Column("restriction", "without"), Column("meaning", "a player who"), Column("n", "pairs of games", "count"),
        Column("a_points", f"{a}: difference, points [95% all]", "points"),
        Column("b_points", f"{b}: difference, points [95% all]", "points"),
        Column("change", f"{b} less {a} [95% all]", "points", "difference of the differences"), P,
        Column("verdict", "verdict", "verdict"), HINT,
    )  # fmt: skip
    return Part(
        "beside", "What doing without costs", lambda source: kept.tables[BESIDE], columns, chapter=chapter,
        note=f"What one seat's chance to win changes by when its player does without a part of the game: {a}, and {b}.",
        charts=(Chart(
            "beside", f"Change of the chance to win: {a}, {b}",
            f"Percentage points, 95% for all rows of each; below each: {b}; filled: {b} changes it.",
            partial(_draw, sizes=("a_points", "b_points"), marks=("", b)), lambda frame: 1.1 + 0.44 * len(frame),
            message=message("change", f"Doing without {{restriction}} costs {{size}} points {{word}}: {b}", "less", "more"),
        ),),
        findings=lambda frame, source: _sentences(frame, kept),
    )  # fmt: skip


def _sentences(frame: pd.DataFrame, kept: Kept) -> list[Finding]:
    return [Finding(sentence(row, kept), row["certainty"]) for row in frame.to_dict("records")]


def _draw(frame: pd.DataFrame, ax: Any, sizes: tuple[str, ...], marks: tuple[str, ...]) -> None:
    """Draw the sizes of each row, one below the other, with the intervals that hold together."""
    shown = frame.sort_values(sizes[0], ascending=False, kind="stable")
    labels = [mark or str(name) for name in shown["restriction"] for mark in marks]
    ends = [np.stack([shown[f"{name}{end}"] for name in sizes], axis=1).ravel() for end in ALL]
    plots.forest(ax, labels, *ends, filled=np.repeat(having(shown, DIFFERENT), len(sizes)), reference=0)
    ax.set_xlabel("percentage points of the chance to win")
