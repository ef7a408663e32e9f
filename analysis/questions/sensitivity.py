"""Sensitivity: which numbers of the rules matter most? Each is moved by a step. Start at `sensitivity`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted, unknown, with_minus
from ...simulator.kept_files import UNREADABLE, Journal, held, writing
from ...simulator.rules.edit import Parameter, parameters, steps
from ...simulator.rules.load import Ruleset
from ...simulator.rules.ruleset_contents import names_of
from ...simulator.runs.manifest import provenance
from ...simulator.runs.run import Interrupted, Observer, Silent
from ...simulator.runs.run_plan import Plan
from ..pages import plots
from ..pages.cells import points_of
from ..pages.report_parts import HINT, Chart, Column, Finding, Part
from ..pages.screen_parts import First, Stands
from ..pages.sentences import FOUND_CHAPTER, MOST_EXAMPLES, PAIRED, Made, _in_points, of_row
from ..stats import rates
from ..stats.claims import AsMeasured, Nothing
from ..stats.inference import ALL
from ..stats.rates import SMALL_SAMPLE
from ..stats.verdicts import JUDGEMENT, differs
from ..tables.kept_answers import MOVED_NUMBERS, KeptAnswer
from ..tables.paired_figures import margin_of
from ..tables.targets import GROUPS, MATTERS, NOT_KNOWN, TOO_SMALL, changes, steps_judged, told
from .compare import scaled
from .possible_changes import (
    Playable,
    Unplayable,
)
from .tuning import play_figures

# --- One-at-a-time sensitivity: which numbers of the rules the headline figures depend on
#
# Each number is moved one step down and one step up (a tenth, at least 1; see rules/edit.py) while all the
# others stay, and the changed rules are played on the same seeds as the unchanged ones, which are played once. Differences
# are those of pairs of games. The intervals hold for all differences of the table together (`inference.together`), and a
# difference is significant if its interval leaves 0 out: 5% for any false finding in the whole table. It matters if its whole
# interval lies beyond the margin (one round, two percentage points), does not if all of it lies within, and is otherwise
# undecided. One at a time means that interactions of two numbers are not seen.
#
# Changes are ranked by size: those that matter first, then significant ones, each by its largest significant difference in
# margins (a p value would rank them by certainty, which depends on the number of games). A true difference of `detectable`
# would have been significant in 80% of such analyses; it is a median over the changes that moved the figure, for where no game
# changed there is no spread to work it out from.
#
# Results are appended to a file, one line per change, so an analysis that was stopped continues where it stopped.

SENSITIVITY_VERSION = 3  # 2: without digests; 1: without the pairs of games that changed, and no interval where none did
SENSITIVITY_FILE = "sensitivity.jsonl"
COLUMNS = (
    "parameter", "printed", "value", "group", "figure", "a", "b", "difference", "low", "high", "difference_all_low",
    "difference_all_high", "p", "p_adjusted", "significant", *JUDGEMENT, "detectable", "n", "changed",
)  # fmt: skip
PLAYED = ("parameter", "printed", "value", "group", "figure", "a", "b", "difference", "low", "high", "p", "n", "changed")


@dataclass(frozen=True)
class Change:
    """A number moved by a step."""

    parameter: Parameter
    value: int
    ruleset: Ruleset

    @property
    def label(self) -> str:
        """The change in words."""
        return f"{self.parameter.path} = {self.value}"


def planned(plan: Plan, ruleset: Ruleset, globs: tuple[str, ...] = ("*",), playable: Playable | None = None) -> list[Change]:
    """Return all legal steps of the numbers whose paths fit the patterns, in the order of the data.

    Steps that cannot be played at the table are left out; `playable` remembers them.
    """
    numbers, playable = parameters(ruleset, globs), playable or Playable([plan])
    moved = [Change(number, value, changed) for number in numbers for value, changed in steps(ruleset, number, plan.players)]
    moved = [change for change in moved if playable.allows(change.label, change.ruleset)]
    if not moved:
        why = f"; {playable.words()[:-1]}" if playable.left_out else ""
        raise UserError(f"--parameters: none of the {len(numbers)} numbers named can be moved by a step under these rules{why}")
    return moved


def sensitivity(
    plan: Plan,
    ruleset: Ruleset,
    moved: Sequence[Change],
    out: Path | None = None,
    jobs: int = 1,
    observer: Observer | None = None,
    playable: Playable | None = None,
) -> pd.DataFrame:
    """Play the unchanged rules and every change on the same seeds; return one row per change and figure (COLUMNS).

    A change whose games end with an error is left out, and `playable` remembers it. With the folder `out` each finished change
    is appended to a file there, and what is in it is not played again. Raises Interrupted on Ctrl-C, UserError if the file is
    of other games.
    """
    observer = observer or Silent()
    results, games, leaders = Results(out, plan, ruleset), plan.games, names_of(ruleset.data, "leader")
    with results.open():
        missing = [change for change in moved if (change.parameter.path, change.value) not in results.done]
        observer.begin(games * (len(moved) + bool(missing)), games * (len(moved) - len(missing)))
        try:
            base = play_figures(plan, ruleset, 0, games, jobs, observer) if missing else None
            for change in missing:
                assert base is not None
                try:
                    played = play_figures(plan, change.ruleset, 0, games, jobs, observer)
                except Unplayable as error:
                    if playable is not None:
                        playable.leave_out(change.label, error)
                    continue
                results.add(change, changes(base, played, leaders=leaders))
        except KeyboardInterrupt:
            raise Interrupted(games * len(results.done), games * len(moved)) from None
        finally:
            observer.end()
    return table(results.rows, moved)


def read(out: Path, plan: Plan, ruleset: Ruleset) -> list[dict[str, Any]]:
    """Return the rows of the changes that are finished in the folder, for `table`."""
    results = Results(out, plan, ruleset)
    with results.open():
        return results.rows


def table(
    rows: Sequence[dict[str, Any]], moved: Sequence[Change] | None = None, groups: Sequence[str] = GROUPS
) -> pd.DataFrame:
    """Return the rows of results as a DataFrame (COLUMNS), corrected over all of them, the largest changes first.

    `moved` and `groups` choose the changes and the groups of figures asked about; only these enter the correction.
    """
    for group in groups:
        if group not in GROUPS:
            raise unknown("group of figures", group, GROUPS)
    frame = pd.DataFrame(rows, columns=[*PLAYED])
    if moved is not None:
        chosen = {(change.parameter.path, change.value) for change in moved}
        frame = frame[[key in chosen for key in zip(frame["parameter"], frame["value"], strict=True)]]
    frame = frame[frame["group"].isin(list(groups))]
    frame = steps_judged(frame)
    size = frame["size"]
    order = {
        "matters": size.where(told(frame, MATTERS), 0.0),
        "clear": size.where(frame["significant"], 0.0),
        "size": size,
    }
    change = [frame["parameter"], frame["value"]]
    ranked = frame.assign(**{name: values.groupby(change).transform("max") for name, values in order.items()}).sort_values(
        [*order, "parameter", "value"], ascending=[*[False] * len(order), True, True], kind="stable", ignore_index=True
    )
    return ranked[list(COLUMNS)]


def detectable(frame: pd.DataFrame) -> pd.Series:
    """Return for each figure that was moved the smallest difference that these games could be expected to show (a median)."""
    moved = frame[frame["changed"] > 0]
    return moved.groupby("figure", sort=False)["detectable"].median()


def counts(frame: pd.DataFrame) -> str:
    """Return in words how many of the differences matter, and how many do not."""
    number = {verdict: int(told(frame, verdict).sum()) for verdict in (MATTERS, TOO_SMALL, NOT_KNOWN)}
    by = f"by more than {rates.ROUNDS:g} round or {rates.POINTS:g} points"
    matter, small, open_ = (number[verdict] for verdict in (MATTERS, TOO_SMALL, NOT_KNOWN))
    return (
        f"{matter} of {counted(len(frame), 'difference')} {'matters' if matter == 1 else 'matter'}, {by}; "
        f"{small} {'is' if small == 1 else 'are'} too small to matter; {open_} {'is' if open_ == 1 else 'are'} {NOT_KNOWN}"
    )


class Results:
    """The append-only file of a sensitivity analysis: a line about the games, then a line for each finished change."""

    def __init__(self, out: Path | None, plan: Plan, ruleset: Ruleset) -> None:
        self.out = out
        self.file: Journal | None = None
        self.rows: list[dict[str, Any]] = []
        self.done: set[tuple[str, int]] = set()
        self.header = provenance({"sensitivity": SENSITIVITY_VERSION}, plan, ruleset, but=())

    @contextmanager
    def open(self) -> Iterator[None]:
        """Read what is in the file and keep other analyses out of its folder; raise UserError if it holds other games."""
        if self.out is None:
            yield
            return
        with held(self.out, SENSITIVITY_FILE, "results") as path:
            self.file = Journal(path, self.header, "results")
            try:
                for line, _ in self.file.read():
                    self._take(line)
            except UNREADABLE:
                raise UserError(f"{path}: not the results of a sensitivity analysis; choose another folder (--out)") from None
            yield

    def _take(self, line: dict[str, Any]) -> None:
        self.done.add((line["parameter"], line["value"]))
        shared = {key: line[key] for key in ("parameter", "printed", "value")}
        self.rows += [shared | figure for figure in line["figures"]]

    def add(self, change: Change, figures: pd.DataFrame) -> None:
        """Keep the figures of a change, and write them to disk at once."""
        rows = [
            {key: None if isinstance(value, float) and np.isnan(value) else value for key, value in row.items()}
            for row in figures.to_dict("records")
        ]
        parameter = change.parameter
        line = {"parameter": parameter.path, "printed": parameter.value, "value": change.value, "figures": rows}
        if self.file is not None and self.out is not None:
            with writing(self.out, "changes"):
                self.file.append(line)
        self._take(line)


def _matter(frame: pd.DataFrame, size: str = "difference") -> pd.Series:
    """Return differences in units of what matters: one round, two percentage points."""
    matter: pd.Series = frame[size] / frame["figure"].map(margin_of)
    return matter


def _moved(kept: KeptAnswer) -> Made:
    """Return the page of `newdawn sensitivity`."""
    changes = kept.tables[MOVED_NUMBERS]
    sizes = (*(f"difference{end}" for end in ALL), "detectable")
    steps = (changes["printed"].astype(str) + " → " + changes["value"].astype(str)).map(with_minus)
    frame = scaled(changes.drop(columns=["low", "high"]), sizes).assign(
        what=changes["parameter"] + ": " + steps,
        matter=_matter(changes), small_sample=changes["n"] < SMALL_SAMPLE,
    )  # fmt: skip

    def sentence(row: Any) -> str:
        size = points_of(row, "difference")
        return f"{row['what']}: {row['figure']} {size} {row['unit']} (n = {row['n']:,.0f})."

    columns = (
        "what", "figure", "unit", "n", Column("changed", "changed", "count", "pairs of games that differ in it"),
        ("difference", "difference [95% all]"), "p_adjusted", Column("verdict", "does it matter?", "text"),
        ("detectable", "found with 80% chance from"), HINT,
    )  # fmt: skip
    matters = frame[told(frame, MATTERS)]

    def drawn(shown: pd.DataFrame) -> pd.DataFrame:
        return shown[(shown["unit"] == "points") & differs(shown)].head(20)

    def draw(shown: pd.DataFrame, ax: Any) -> None:
        most = drawn(shown)
        labels, axis = most["what"] + " (" + most["figure"] + ")", "percentage points, 95% for all differences together"
        plots.column(ax, most, labels, "difference", axis, filled=told(most, MATTERS), reference=0)

    part = Part(
        "moved", "Numbers moved by a step", lambda source: frame, columns, rows=300, chapter=FOUND_CHAPTER,
        note="What a step of each number does to the headline figures, the largest first.",
        charts=(Chart(
            "moved", "The largest changes that are shown", "Shares only; rounds are in the table. Filled: matters.", draw,
            lambda shown: 1.1 + 0.24 * len(drawn(shown)), worth=lambda shown: len(drawn(shown)) > 0,
            message=lambda shown: _moving(shown[told(shown, MATTERS)]),
        ),),
    )  # fmt: skip
    numbers = list(dict.fromkeys(matters["parameter"]))
    verdicts = [Stands("matters", numbers[:12], "up")] if numbers else []
    largest = matters.sort_values("matter", key=np.abs, ascending=False, kind="stable").head(MOST_EXAMPLES).to_dict("records")
    findings = [of_row(row, sentence(row)) for row in largest]
    start = "" if findings else "No number matters detectably. "
    numbers = [int(told(frame, verdict).sum()) for verdict in (MATTERS, TOO_SMALL, NOT_KNOWN)]
    claim = (AsMeasured if largest else Nothing)(frame, beside=[*numbers, rates.ROUNDS, rates.POINTS])
    findings.append(Finding(claim, f"{start}{counts(frame)}."))
    return [part], First(findings, verdicts=verdicts, chart="moved"), (PAIRED,)


_moving = _in_points("difference", "{what} matters most: the {figure} is {size} points {word}")
