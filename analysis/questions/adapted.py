"""Compare with players who have adapted: does a change depend on whether players have noticed it?"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import with_sign
from ..pages import plots
from ..pages.cells import points, points_of
from ..pages.report_parts import HINT, Chart, Column, Finding
from ..pages.screen_parts import First
from ..pages.sentences import OF_LEADERS, PAIRED, Made, _changes, _in_points, _shares, by_verdict, more_games, of_row, quoted
from ..stats.inference import ALL
from ..stats.verdicts import CHANGE, DIFFERENT, JUDGEMENT, Verdict, having, verdict_cells
from ..tables.kept_answers import KeptAnswer
from ..tables.paired_figures import (
    FIGURES,
    ROUNDS,
    UNFINISHED,
    Fours,
    Subjects,
    Trainings,
    changes,
    compared,
    differences,
    subjects_of,
)
from .compare import MOST_RULES, _by_group, _changed_rules, _meanings, scaled, with_whom
from .compare import games_together as play_together
from .sensitivity import _matter

# The two rulesets are compared twice on the same seeds (`tables.paired_figures`): by players who have not noticed, and by
# players who have adapted, each to the rules they play by (analysis/learning/adapt.py trains them). So each seed is four games.
#
# Another training leads to other habits. So players are trained TRAININGS times under each ruleset, and each training plays a
# part of the seeds: intervals cover the chance of the games and that of the trainings (`pairs.Trainings`).

EXAMPLES = 3  # changes in a sentence
CHANGES, NOTHING = "Adapting changes", "Adapting changes none of"
TRAININGS = 2  # under each ruleset
MUCH = 1.5  # times the chance of the games, above which it is trainings that leave most open
UNAWARE, ADAPTED = KINDS = ("unaware", "adapted")  # the two kinds of players, beginnings of columns
KEPT = (
    "a", "b", "difference", "low", "high", "difference_all_low", "difference_all_high", "p_adjusted", *JUDGEMENT,
)  # fmt: skip


def side_by_side(parts: Sequence[Fours], figures: Sequence[tuple[str, str]] = FIGURES) -> pd.DataFrame:
    """Return one row per figure: both answers, and what adapting changes; `parts`: the seeds of each training.

    Columns: those of `compared` named in KEPT, once with `unaware_` and once with `adapted_` before the name; `n_a` and
    `n_b`, the games of the figure under A and B by unaware players; then those of `changes`; `apart`, how many times the chance
    of the games trainings differ, if there are several.
    """
    fours, of_answers, of_changes = functools.reduce(operator.add, parts), None, None
    if len(parts) > 1:
        of_answers = Trainings.of("difference", [differences(part.adapted, figures=figures) for part in parts])
        of_changes = Trainings.of("change", [changes(part, figures) for part in parts])
    frame: pd.DataFrame | None = None
    for name, moments, trainings in ((UNAWARE, fours.unaware, None), (ADAPTED, fours.adapted, of_answers)):
        part = compared(moments, figures=figures, trainings=trainings)
        part = part.rename(columns={column: f"{name}_{column}" for column in KEPT})
        part = part[["group", "figure", *(f"{name}_{column}" for column in KEPT), "n_a", "n_b"]]
        frame = part if frame is None else frame.merge(part.drop(columns=["n_a", "n_b"]), on=["group", "figure"], how="outer")
    assert frame is not None
    order = {figure: place for place, (_, figure) in enumerate(figures)}
    frame = frame.merge(changes(fours, figures, of_changes), on=["group", "figure"], how="left")
    after_the_game = sum(group == "game" for group, _ in figures) - 0.5
    place = frame["figure"].map(order).fillna(after_the_game)  # of the leaders' spread
    frame = frame.iloc[np.argsort(place.to_numpy(), kind="stable")].reset_index(drop=True)
    untested = verdict_cells(Verdict.NOT_COMPARED, CHANGE) | {"certainty": "untested", "small_sample": False, "n": 0}
    frame = frame.fillna(untested).assign(seeds=fours.unaware.n)
    if of_changes is not None:
        frame = frame.assign(apart=of_changes.times(list(frame["group"])))
        frame.loc[frame["apart"] >= MUCH, ["games_fewest", "games_most"]] = np.nan  # more games would not decide it
    return frame


@dataclass
class BothAnswers:
    """Both answers side by side (`side_by_side`), and the number of seeds."""

    frame: pd.DataFrame
    seeds: int
    stopped: bool


def compare_adapted(
    unaware: tuple[Any, Any], adapted: Sequence[tuple[Any, Any]], rulesets: tuple[Any, Any], games: int, *, jobs: int = 1,
    observer: Any = None,
) -> BothAnswers:  # fmt: skip
    """Play `games` seeds by both rulesets, by both kinds of players, and compare.

    `unaware` are the plans of A and B, `adapted` those of each training, which play chunks of the seeds in turn; all should
    differ in nothing but the networks of their players and what the rulesets demand. On Ctrl-C the comparison ends with the
    seeds that are complete. Nothing is written to disk.
    """
    from ...simulator.runs.run import Player, Silent

    observer = observer or Silent()
    records = [ruleset.compile() for ruleset in rulesets]
    subjects = subjects_of(*records)
    turns = [
        [(plan, r, subjects) for plan, r in zip((*unaware, *plans), [*records, *records], strict=True)] for plans in adapted
    ]
    for plan in (unaware[0], *(plans[0] for plans in adapted)):
        Player(plan, records[0])  # import the engine, and read networks, before the clock starts
    observer.begin(len(turns[0]) * games, 0)
    try:
        return collect(play_together(turns, 0, games, jobs, observer), subjects, len(turns))
    finally:
        observer.end()


def collect(played: Iterator[tuple[np.ndarray, ...]], subjects: Subjects, trainings: int = TRAININGS) -> BothAnswers:
    """Compare the seeds that are yielded, four arrays of `game_figures` at a time, of one training after the other."""
    parts, stopped = [Fours.empty(len(subjects.figures), subjects.leader_figures) for _ in range(trainings)], False
    try:
        for part, four in zip(itertools.cycle(parts), played, strict=False):
            part.add(four)
    except KeyboardInterrupt:
        stopped = True
        if min(part.unaware.n for part in parts) < 2:
            raise
    return BothAnswers(side_by_side(parts, subjects.figures), sum(part.unaware.n for part in parts), stopped)


def training_words(frame: pd.DataFrame) -> str:
    """Say how much trainings differ, and what helps."""
    apart = frame["apart"].max()
    said = f"Trainings under the same rules differ up to {apart:.1f} times as much as chance of the games; intervals count it."
    return f"{said} Longer trainings tell more than more games." if apart >= MUCH else said


def sentence(frame: pd.DataFrame) -> str:
    """Say whether adapting changes the answer, and how precisely that is known."""
    tested = frame[frame["p_adjusted"].notna()]
    clear = tested[having(tested, DIFFERENT)].sort_values("p", kind="stable")
    leaders = tested[tested["group"] == "leaders"]
    reach = 100 * (leaders["change_all_high"] - leaders["change_all_low"]).max() / 2 if len(leaders) else np.nan
    precision = "" if np.isnan(reach) else f" (changes of leaders' win rates are known to ±{reach:.1f} points or better)"
    if clear.empty:
        return f"{NOTHING} the {len(tested)} answers measurably{precision}."
    more = f" ({len(clear) - EXAMPLES} more: table)" if len(clear) > EXAMPLES else ""
    rows = ". ".join(answer_words(row) for row in clear.head(EXAMPLES).to_dict("records"))
    return f"{CHANGES} {len(clear)} of {len(tested)} answers{precision}: {rows}{more}."


def answer_words(row: Any) -> str:
    """Return what adapting changes of a figure, in words."""
    scale, unit = (1, "rounds") if row["figure"] == ROUNDS else (100, "points")
    before, after, change, low, high = (
        with_sign(scale * row[name])
        for name in (f"{UNAWARE}_difference", f"{ADAPTED}_difference", *(f"change{end}" for end in ALL))
    )
    by = f"{before} {unit} for players who have not noticed, {after} for players who have"
    return f"{row['figure']}: {change} [{low}, {high}] {unit} ({by})"


FOURS = (
    "Players who have adapted are the same learned players, trained on under the rules they play by, twice under each ruleset: "
    "each training plays a part of the seeds, and intervals are wider by as much as trainings differ more than chance of the "
    "games makes them. What adapting changes is the difference of the two differences, over seeds of four games each."
)
TABLE = "answers"  # of `newdawn adapt`
ANSWERS = ("unaware_difference", "adapted_difference", "change")


def _both_answers(kept: KeptAnswer) -> Made:
    """Return the page of `newdawn adapt`: both answers, and what adapting changes."""
    answers = kept.tables[TABLE]
    figures = scaled(answers, [f"{name}{end}" for name in ANSWERS for end in ALL])
    figures = with_whom(figures.assign(n=answers[["n_a", "n_b"]].min(axis=1), matter=_matter(answers, "change")))
    figures = figures[figures["unaware_difference"].notna()]
    columns = (
        "figure", "unit", ("n", "games", "under each ruleset, of each kind"),
        Column("unaware_difference", "B minus A, not noticed [95% all]", "points", "by the players as they are"),
        Column("adapted_difference", "B minus A, adapted [95% all]", "points", "by players trained under each ruleset"),
        Column("change", "adapting changes it by [95% all]", "points"), "p_adjusted", "verdict", HINT,
    )  # fmt: skip

    def sentence(row: Any) -> str:
        before, after = (points(row[name]) for name in ANSWERS[:2])
        change = points_of(row, "change")
        start = f"{row['figure']}: adapting changes it by {change} {row['unit']} (n = {row['n']:,})."
        return f"{start} B minus A is {before} for players who have not noticed, {after} for players who have."

    def moved(frame: pd.DataFrame, nothing: str) -> list[Finding]:
        return _changes(frame[frame["p_adjusted"].notna()], sentence, "matter", nothing, "change")

    chart = Chart(
        "answers", "B minus A, by both kinds of players",
        "Percentage points, 95% for all figures together; below each: by adapted players; filled: adapting changes it.",
        _draw_both, lambda frame: 1.1 + 0.44 * _shares(frame), worth=lambda frame: _shares(frame) > 0,
        message=_in_points("change", "Adapting makes B's effect on the {figure} {size} points {word}"),
    )  # fmt: skip
    parts = _by_group(
        figures, columns, "What B changes against A, by both kinds of players.", chart,
        lambda frame, source: moved(frame, "Adapting changes none of these measurably"),
    )  # fmt: skip
    leaders = figures[figures["group"] == "leaders"]
    cut = figures[(figures["figure"] == UNFINISHED) & having(figures, DIFFERENT)].to_dict("records")
    findings = [of_row(row, f"Games that nobody won: {sentence(row)} Win rates are of decided games.") for row in cut]
    findings += moved(figures[figures["figure"] != UNFINISHED] if cut else figures, "Adapting changes no answer measurably")
    # The kept sentences on training and precision; the others are already findings.
    findings += quoted([text for text in kept.sentences[2:] if not text.startswith((CHANGES, NOTHING))])
    rules = _changed_rules(kept)
    screen = First(
        findings, verdicts=by_verdict(leaders, "whom"), chart="answers-leaders",
        changed=rules[:MOST_RULES], rest=rules[MOST_RULES:],
        meanings=_meanings(kept)[:2], steps=more_games(kept, *(leaders, OF_LEADERS) if len(leaders) else (figures,)),
    )  # fmt: skip
    return parts, screen, (PAIRED, FOURS)


def _draw_both(frame: pd.DataFrame, ax: Any) -> None:
    """Draw both answers of each figure, one below the other, with the intervals that hold together."""
    shown = frame[frame["unit"] == "points"].sort_values("unaware_difference", ascending=False, kind="stable")
    labels = [label for whom in shown["whom"] for label in (f"{whom}", "adapted")]
    ends = [np.stack([shown[f"{name}{end}"] for name in ANSWERS[:2]], axis=1).ravel() for end in ALL]
    plots.forest(ax, labels, *ends, filled=np.repeat(having(shown, DIFFERENT), 2), reference=0)
    ax.set_xlabel("percentage points")
