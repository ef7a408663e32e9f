"""Sentences about tables of tests, and what all pages of answers share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import counted, listed
from ..stats.claims import Differ, Limit, Nothing, Quoted, Stand, Undecided, Untested, extreme_first
from ..stats.inference import ALL
from ..stats.rates import SMALL_SAMPLE
from ..stats.verdicts import (
    DIFFERENT,
    STRENGTH,
    TOLD,
    TONES,
    Verdict,
    as_verdict,
    by_words,
    differs,
    far,
    games_words,
    having,
    still_needed,
)
from ..tables.kept_answers import KeptAnswer, again
from . import plots
from .cells import points_of, rate, rate_of
from .chart_messages import message
from .report_parts import Finding, Message, Part
from .screen_parts import First, Stands, Step, who

MOST = 3  # names in a sentence, or rows with a sentence of their own
ROUNDS = "rounds_difference"
LARGE = {"points": 25, "rounds": 5}  # larger differences are not distinguished


def _rows(frame: pd.DataFrame) -> list[dict[Any, Any]]:
    return frame.to_dict("records")


def _some(names: list[str]) -> str:
    """Return the first names as a list in a sentence, and how many more there are."""
    return listed(names if len(names) <= MOST else [*names[:MOST], f"{len(names) - MOST} more"])


GROUPS = {  # beginnings of sentences on the rows of a verdict, except for those with sentences of their own
    Verdict.FAR_ABOVE: f"{{also}}{STRENGTH.far_above}, more than {{margin}} above the fair share: ",
    Verdict.FAR_BELOW: f"{{also}}{STRENGTH.far_below}, more than {{margin}} below the fair share: ",
    Verdict.ABOVE: f"{STRENGTH.above.replace(',', ' the fair share,')}: ",
    Verdict.BELOW: f"{STRENGTH.below.replace(',', ' the fair share,')}: ",
    Verdict.WITHIN: f"{STRENGTH.within}, within {{margin}} of the fair share: ", Verdict.UNDECIDED: f"{STRENGTH.undecided}: ",
    Verdict.NOT_COMPARED: f"{STRENGTH.not_compared}, for few games or hardly a win or a loss: ",
}  # fmt: skip


def in_short(frame: pd.DataFrame) -> Finding:
    """Return a sentence on the others with one leader mended: who would be off, and how many have each other verdict."""
    off, counts, numbers = far(frame), [], []
    start = f"With {frame['mended'].iloc[0]} at {rate(frame['fair_share'].iloc[0])},"
    for verdict in TOLD:
        number = int(having(frame, {verdict}).sum() - having(off.head(1), {verdict}).sum())
        counts += [f"{number} {in_a_list(STRENGTH.of(verdict))}"] if number else []
        numbers.append(number)
    if off.empty:
        claim = Stand if having(frame, {Verdict.WITHIN}).all() else Undecided
        text = f"{start} none of the others is shown to be beyond the margin: {listed(counts)}."
        return Finding(claim(frame, beside=numbers), text)
    row = _rows(off)[0]
    others = f"; of the others {listed(counts)}" if counts else ""
    text = f"{start} {row['leader']} would be {row['verdict']}: {rate_of(row, 'adjusted_rate', ALL)}{others}."
    return Finding(Stand(frame[~having(frame, REST[1:])], beside=numbers), text)


def in_a_list(verdict: str) -> str:
    """Return a verdict without a comma: 'above (size unclear)'."""
    word, _, more = verdict.partition(", ")
    return f"{word} ({more})" if more else word


REST = (Verdict.WITHIN, Verdict.UNDECIDED, Verdict.NOT_COMPARED)


def _missed(frame: pd.DataFrame, size: str = "points") -> str:
    """Say how large a difference the intervals of the rows leave possible."""
    reach, unit = frame[[f"{size}_all_low", f"{size}_all_high"]].abs().max().max(), _unit(size)
    if np.isnan(reach):
        return ""
    if reach > LARGE[unit]:
        return f" Even differences of more than {LARGE[unit]} {unit} could be missed."
    return f" Differences of up to {reach:.1f} {unit} could be missed."


def _unit(size: str) -> str:
    return "rounds" if size == ROUNDS else "points"


def some_of(names: Sequence[str]) -> str:
    """Return the first names, and how many more the table has."""
    more = len(names) - MOST
    return listed(names) if more <= 0 else f"{', '.join(names[:MOST])} ({more} more: table)"


def _points(row: dict[Any, Any], name: str = "points") -> str:
    return f"{points_of(row, name)} {_unit(name)}"


def of_row(row: Mapping[Any, Any], text: str, of: str = "", beside: Sequence[float] = ()) -> Finding:
    """Return the sentence on one row of a table, as sure as its verdict (`of`: one of several, `claims.Stand`)."""
    return Finding(Stand(pd.DataFrame([row]), of, beside=beside), text)


def answers(
    frame: pd.DataFrame,
    nothing: str,
    answer: str,
    example: Callable[[dict[Any, Any]], str],
    *,
    size: str = "points",
    question: Sequence[str] = (),
    noun: str = "combination",
) -> list[Finding]:
    """Return the findings of a table of tests: that nothing is tested, `nothing`, or `answer` with an example.

    The example is the row that is largest beyond doubt (`claims.extreme_first`).

    Rows alike in the columns `question` are one question. Small samples have a sentence of their own.
    """
    tested = frame[frame["p_adjusted"].notna()]
    counts = [len(rows.drop_duplicates(list(question)) if question else rows) for rows in (tested, frame)]
    if tested.empty:
        why = f"fewer than {SMALL_SAMPLE} cases, or hardly a win or a loss, in each of {counted(counts[1], noun)}"
        return [Finding(Untested(frame, beside=[counts[1], SMALL_SAMPLE]), f"Not enough games for a test: {why}.")]
    differing = extreme_first(frame[differs(frame)], size)
    if question:
        differing = differing.drop_duplicates(list(question))
    if differing.empty:
        text = f"{nothing} ({counts[0]:,} of {counted(counts[1], noun)} tested).{_missed(tested, size)}"
        return [Finding(Nothing(tested, list(LARGE.values()), beside=counts), text)]
    findings = []
    few = differing["small_sample"].to_numpy(bool)
    for part, start in ((differing[~few], answer), (differing[few], f"From few cases: {answer[0].lower()}{answer[1:]}")):
        if len(part):
            many = f"{len(part):,} of {counted(counts[0], noun)} tested"
            most = ". Shown to differ most" if len(part) > 1 else ""
            findings.append(Finding(Differ(part, beside=counts), f"{start} ({many}){most}: {example(_rows(part)[0])}."))
    return findings


def goes_with_winning(
    frame: pd.DataFrame, nothing: str, answer: str, example: Callable[[dict[Any, Any]], str], noun: str
) -> list[Finding]:
    """Return `answers` on the column `association`: what goes with winning, which need not cause it."""
    findings, silent = answers(frame, nothing, answer, example, size="association", noun=noun), ("open", "untested")
    return [x if x.certainty in silent else replace(x, text=f"Association, not effect. {x.text}") for x in findings]


def _more(frame: pd.DataFrame) -> str:
    return " and more" if len(frame) > 1 else ""


MOST_EXAMPLES = 3
OF_LEADERS = " about the leaders"
FOUND_CHAPTER = "What was found"
PAIRED = (
    "The same seeds were played both ways and compared game by game. Intervals [95% all] hold for all rows of the answer "
    "together (Bonferroni), and verdicts are read off them."
)
UNPAIRED = (
    "The two sides were played on other seeds, so nothing cancels. Intervals [95% all] hold for all rows of the answer "
    "together (Bonferroni), and verdicts are read off them."
)
Made = tuple[list[Part], First, Sequence[str]]  # parts, first screen, method


# --- Figures that change


def _changes(frame: pd.DataFrame, sentence: Callable[[Any], str], size: str, nothing: str, reach: str = "") -> list[Finding]:
    """Return a sentence for each of the largest changes shown; without one, how large a change could be missed.

    Rows that are not compared are not tested.
    """
    clear = frame[having(frame, DIFFERENT)].sort_values(size, key=np.abs, ascending=False, kind="stable")
    findings = [of_row(row, sentence(row)) for row in clear.head(MOST_EXAMPLES).to_dict("records")]
    if (more := len(clear) - MOST_EXAMPLES) > 0:
        text = f"{more} more of {len(frame)} {'differs' if more == 1 else 'differ'}: table."
        findings.append(Finding(Stand(clear.iloc[MOST_EXAMPLES:], beside=[len(frame)]), text))
    if findings:
        return findings
    tested = frame[~having(frame, {Verdict.NOT_COMPARED})]
    if tested.empty:
        text = f"Not enough games for a test: fewer than {SMALL_SAMPLE} in each of {counted(len(frame), 'row')}."
        return [Finding(Untested(frame, beside=[SMALL_SAMPLE]), text)]
    return [Finding(Nothing(tested), f"{nothing} ({len(tested)} tested).{_could_be_missed(tested, reach or size)}")]


def unfinished_findings(frame: pd.DataFrame, label: str, sides: str = "") -> list[Finding]:
    """Say where the share of games that nobody won differs most between the sides (`pairs.unfinished`)."""
    if "unfinished_verdict" not in frame:  # of a table whose games somebody won in any case
        return []
    own = as_verdict(frame, "unfinished")
    own = own[having(own, DIFFERENT)].sort_values("unfinished", key=np.abs, ascending=False, kind="stable")
    if own.empty:
        return []
    row = _rows(own)[0]
    shares = f"{row['unfinished_a']:.1f}% → {row['unfinished_b']:.1f}%, {points_of(row, 'unfinished')} points"
    more = f" ({len(own) - 1} more: table)" if len(own) > 1 else ""
    text = f"Games that nobody won: {row[label]}{sides} {shares}{more}. Win rates are of decided games only."
    return [Finding(Stand(own), text)]


def _could_be_missed(frame: pd.DataFrame, size: str) -> str:
    """Say how large a difference the intervals of the rows leave possible, in each unit."""
    units = frame["unit"] if "unit" in frame else pd.Series("points", frame.index)
    reach = frame[[f"{size}_all_low", f"{size}_all_high"]].abs().max(axis=1).groupby(units, sort=False).max().dropna()
    spans = " or ".join(f"{most:.1f} {unit}" for unit, most in reach.items())
    return f" Differences of up to {spans} could be missed." if spans else ""


def _in_points(size: str, text: str) -> Message:
    """Return the message on the figure in percentage points that changes most."""
    written = message(size, text, "higher", "lower")
    return lambda frame: written(frame[frame["unit"] == "points"])


def _shares(frame: pd.DataFrame) -> int:
    """Return the number of rows in percentage points."""
    return int((frame["unit"] == "points").sum())


def _draw(frame: pd.DataFrame, ax: Any, label: str, size: str) -> None:
    """Draw the sizes of changes in points, with the intervals that hold together."""
    shown = frame[frame["unit"] == "points"] if "unit" in frame else frame
    shown = shown[shown[size].notna()].sort_values(size, ascending=False, kind="stable")
    plots.column(ax, shown, shown[label], size, "percentage points", reference=0)


def quoted(texts: Sequence[str], claim: type[Quoted | Limit] = Quoted) -> list[Finding]:
    """Return sentences that a command kept with its answer, as they were said; `Limit`: cautions among them."""
    return [Finding(claim(pd.DataFrame({"sentence": [text]})), text) for text in texts]


def who_played(kept: KeptAnswer) -> tuple[str, str]:
    """Return the entry on who played, for the terms of a page."""
    return "Who played", who(kept.facts.get("strategies", "").split(", "), kept.box, kept.players)


def by_verdict(frame: pd.DataFrame, label: str, name: str = "verdict") -> list[Stands]:
    """Return whom each verdict of a table concerns."""
    return [
        Stands(words, [str(whom) for whom in rows[label]], TONES[verdict]) for words, verdict, rows in by_words(frame, name)
    ]


def more_games(kept: KeptAnswer, frame: pd.DataFrame, of: str = "") -> list[Step]:
    """Return the step that decides what is open (`of` these rows): the same command with more games."""
    needed = still_needed(frame)
    command = again(kept.line, needed[0]) if needed else ""
    if not needed or not command:
        return []
    return [Step(f"Would more games decide what is open{of}? {_sentence(games_words(*needed))} would.", command)]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
