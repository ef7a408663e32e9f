"""Restrict: what is a part of the game worth to a player who does without it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, with_sign
from ...strategies.planning import restrictions
from ..pages import plots
from ..pages.chart_messages import message
from ..pages.report_parts import HINT, Chart, Column, Finding, Part
from ..pages.screen_parts import First
from ..pages.sentences import FOUND_CHAPTER, PAIRED, Made, _changes, by_verdict, more_games, of_row, quoted, unfinished_findings
from ..stats.claims import Limit, Quoted
from ..stats.inference import ALL
from ..stats.verdicts import CHANGE, DIFFERENT, HIGHER, LOWER, Verdict, having, read, verdict_of
from ..tables.kept_answers import KeptAnswer, open_kept
from ..tables.read import Run

# --- Sentences on the rows, by the intervals that hold for the whole table, and answers to questions of designers

WAR, WONDERS, SKILL = "Is war necessary?", "Can one win without world wonders?", "How much is skill, how much is luck?"
QUESTIONS = {"attacks": WAR, "world wonders": WONDERS, "looking ahead": SKILL}
# How much of the chance to win depends on a part of the game: more than half, less, either of these, it costs; open.
MOST, SOME, EITHER, GAIN, OPEN = "most", "some", "either", "gain", "open"
ANSWERS = {
    WAR: {
        MOST: "For these players, yes", SOME: "It helps, for less than half of the wins",
        EITHER: f"It helps; whether by half is {CHANGE.undecided}", GAIN: "No", OPEN: CHANGE.undecided.capitalize(),
    },
    WONDERS: {
        MOST: "Hardly", SOME: "Yes, but less often", EITHER: f"Less often; whether half as often is {CHANGE.undecided}",
        GAIN: "Yes, even more often", OPEN: "No detectable difference",
    },
}  # fmt: skip
LEFT = "What a player wins without looking ahead is luck and plain good play; these rows cannot separate the two"

CONTROL = (
    "Trained as long without a restriction, it wins {after:.1%} of its games instead of {before:.1%}. Losses after training "
    "are measured against that."
)
CHANCE = (
    "The intervals cover the chance of the games, not that of the trainings: there is one training each, and another seed "
    "trains another player."
)


def points(row: Any, name: str) -> str:
    """Return a difference in percentage points with the interval that holds for the whole table."""
    value, low, high = (row[f"{name}{end}"] for end in ALL)
    return f"{with_sign(value)} points [{with_sign(low)}, {with_sign(high)}]"


def size(row: Any, name: str) -> str:
    """Return the size of a difference without its sign, with its interval."""
    low, high = row[f"{name}_all_low"], row[f"{name}_all_high"]
    low, high = (-high, -low) if row[name] < 0 else (low, high)
    return f"{abs(row[name]):.1f} points [{low:.1f}, {high:.1f}]"


def whom(row: Any, players: int) -> str:
    """Return whom a row is about."""
    return f"Of {players} players, one who {restrictions.meaning(row['restriction'])}"


def sentence(row: Any, players: int) -> str:
    """Return the sentence on a row of `table`."""
    start = whom(row, players)
    if verdict_of(row) is Verdict.NOT_COMPARED:
        return f"{start} has played too few games to be compared: {points(row, 'points')}."
    if verdict_of(row) not in DIFFERENT:
        return f"{start} does not win detectably more or less often: {points(row, 'points')}."
    return f"{start} {'loses' if row['points'] < 0 else 'gains'} {size(row, 'points')} of its chance to win."


def beside(row: Any, players: int, a: str, b: str) -> str:
    """Return the sentence on a row of `side_by_side` of rulesets A and B."""
    start = f"{whom(row, players)}: {with_sign(row['a_points'])} points of its chance to win under {a}, "
    start += f"{with_sign(row['b_points'])} under {b}."
    if verdict_of(row) is Verdict.NOT_COMPARED:
        return f"{start} Too few games were played to compare the two: {points(row, 'change')}."
    if verdict_of(row) not in DIFFERENT:
        return f"{start} The difference is not detectable: {points(row, 'change')}."
    return f"{start} Under {b} doing without costs {size(row, 'change')} {'less' if row['change'] > 0 else 'more'}."


def trained(row: Any, players: int) -> str:
    """Return the sentence on a row of `side_by_side` of players as they are (A), and trained for the restriction (B)."""
    before, after = (with_sign(row[name]) for name in ("a_points", "b_points"))
    start = f"{whom(row, players)}: {before} points of its chance to win, {after} once trained for that."
    if verdict_of(row) not in DIFFERENT:
        return f"{start} Training is not shown to make a difference: {points(row, 'change')}."
    verb = "makes up for" if row["change"] > 0 else "adds"
    return f"{start} Training {verb} {size(row, 'change')}."


def weight(row: Any) -> str:
    """Return how much of the chance to win depends on the part of the game: a key of ANSWERS."""
    if verdict_of(row) not in DIFFERENT:
        return OPEN
    if row["points"] > 0:
        return GAIN
    against_half = read(row["points_all_low"], row["points_all_high"], 0.0, -50 * row["share"])
    return MOST if against_half in LOWER else SOME if against_half in HIGHER else EITHER


def answer(row: Any) -> tuple[str, str] | None:
    """Return the question that a row of `table` answers, and the answer; None if it answers none."""
    question = QUESTIONS.get(row["restriction"])
    if question is None:
        return None
    return question, (skill(row) if question == SKILL else f"{ANSWERS[question][weight(row)]}: {wins(row)}.")


def skill(row: Any) -> str:
    """Return the answer on skill from the row of a player who does not look ahead."""
    if verdict_of(row) not in DIFFERENT:
        return f"Looking ahead is not shown to make a difference: {wins(row)}."
    if row["points"] > 0:
        return f"Looking ahead does not help these players: {wins(row)}."
    return f"Looking ahead is worth {size(row, 'points')}: {wins(row)}. {LEFT}."


def wins(row: Mapping[Any, Any]) -> str:
    """Return what the restricted player wins, and what others win."""
    whose = f"one who {restrictions.meaning(row['restriction'])} wins {row['restricted']:.1%} of its games"
    return f"{whose}, others {row['share']:.1%}: {points(row, 'points')} (n = {row['n']:,} pairs)"


# --- The page of `newdawn restrict`, and the chapter in a report (`newdawn report --restricted`)

CHAPTER = "Restricted play"
COMMAND = "restrict"
TABLE, BESIDE = KEYS = ("restricted", "beside")  # of the tables and of their parts
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

    Raises UserError if there is none, or one of other rules or another number of players.
    """
    kept = open_kept(folder)
    if kept is None or kept.command != COMMAND:
        raise UserError(f"{folder}: holds no answer of `newdawn {COMMAND} --out`")
    rules = run.manifest.get("ruleset", {})
    if not kept.facts["rules"].endswith(str(rules.get("digest"))):
        raise UserError(f"{folder}: asked under other rules ({kept.facts['rules']}) than the run's ({rules.get('name')})")
    if kept.players != run.players:
        raise UserError(f"{folder}: games of {kept.players} players; expected {run.players} as in the run")
    return [replace(part_of(kept, CHAPTER), findings=partial(_all_findings, kept=kept), method=" ".join(methods(kept)))]


def _all_findings(frame: pd.DataFrame, source: Any, kept: KeptAnswer) -> list[Finding]:
    """Return the answers to designers' questions, the sentences on the rows, and who played the games."""
    players = quoted([f"All of this holds for games of {kept.facts['strategies']}: {kept.facts['compared']}."], Limit)
    return [*(answers(frame) if TABLE in kept.tables else []), *_sentences(frame, kept), *about_training(kept), *players]


def methods(kept: KeptAnswer) -> Sequence[str]:
    """Return the paragraphs on the method of an answer."""
    return (METHOD, *([TRAINED] if is_trained(kept) else []))


def is_trained(kept: KeptAnswer) -> bool:
    """Return whether an answer also covers players trained for their restrictions."""
    return kept.words.get("kind") == "training"


def answers(frame: pd.DataFrame) -> list[Finding]:
    """Return the answers of the rows to the questions that designers ask."""
    answers = [(answer(row), row) for row in frame.to_dict("records")]
    return [of_row(row, " ".join(answer)) for answer, row in answers if answer is not None]


def about_training(kept: KeptAnswer) -> list[Finding]:
    """Return the sentences on training of an answer by trained players: its effect, and its uncertainty."""
    texts = kept.sentences[len(kept.tables[BESIDE]) :] if is_trained(kept) else []
    return [finding for text in texts for finding in quoted([text], Limit if text == CHANCE else Quoted)]


def kept_sentence(row: Any, kept: KeptAnswer) -> str:
    """Return the sentence on a row of either table."""
    if TABLE in kept.tables:
        return sentence(row, kept.players)
    if is_trained(kept):
        return trained(row, kept.players)
    return beside(row, kept.players, kept.words["a"], kept.words["b"])


def part_of(kept: KeptAnswer, chapter: str) -> Part:
    """Return the part on the table of an answer."""
    return _losses(kept, chapter) if TABLE in kept.tables else _both(kept, chapter)


def _losses(kept: KeptAnswer, chapter: str) -> Part:
    columns = (
        "restriction", "meaning", ("n", "pairs of games"), ("share", "wins without a restriction [95%]"),
        ("restricted", "wins with it [95%]"), ("points", "difference, points [95% all]", "change of the chance to win"),
        "p_adjusted", "verdict", HINT,
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


def _both(kept: KeptAnswer, chapter: str) -> Part:
    a, b = kept.words["a"], kept.words["b"]
    columns = (
        "restriction", "meaning", ("n", "pairs of games"), Column("a_points", f"{a}: difference, points [95% all]", "points"),
        Column("b_points", f"{b}: difference, points [95% all]", "points"),
        Column("change", f"{b} minus {a} [95% all]", "points", "difference of the differences"), "p_adjusted", "verdict", HINT,
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


def _sentences(frame: pd.DataFrame, kept: KeptAnswer) -> list[Finding]:
    return [of_row(row, kept_sentence(row, kept)) for row in _asked(frame, kept).to_dict("records")]


def _asked(frame: pd.DataFrame, kept: KeptAnswer) -> pd.DataFrame:
    """Return the rows with what their sentences name besides: how many play, and the rulesets."""
    return frame.assign(players=kept.players, a=kept.words.get("a", ""), b=kept.words.get("b", ""))


def _draw(frame: pd.DataFrame, ax: Any, sizes: tuple[str, ...], marks: tuple[str, ...]) -> None:
    """Draw the sizes of each row, one below the other, with the intervals that hold together."""
    shown = frame.sort_values(sizes[0], ascending=False, kind="stable")
    labels = [mark or str(name) for name in shown["restriction"] for mark in marks]
    ends = [np.stack([shown[f"{name}{end}"] for name in sizes], axis=1).ravel() for end in ALL]
    plots.forest(ax, labels, *ends, filled=np.repeat(having(shown, DIFFERENT), len(sizes)), reference=0)
    ax.set_xlabel("percentage points of the chance to win")


def _restricted(kept: KeptAnswer) -> Made:
    """Return the page of `newdawn restrict`."""
    part, alone = part_of(kept, FOUND_CHAPTER), TABLE in kept.tables
    frame, size = kept.tables[part.key], "points" if alone else "change"
    nothing = f"None of these {'changes the chance to win' if alone else 'costs differs'} measurably"
    findings = _changes(_asked(frame, kept), lambda row: kept_sentence(row, kept), size, nothing)
    findings = [*(unfinished_findings(frame, "restriction") if alone else []), *(answers(frame) if alone else []), *findings]
    findings += about_training(kept)
    screen = First(findings, verdicts=by_verdict(frame, "restriction"), chart=part.key, steps=more_games(kept, frame))
    return [part], screen, (PAIRED, *methods(kept))
