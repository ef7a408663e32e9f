"""One-at-a-time sensitivity: which numbers of the rules the headline figures depend on.

Each number is moved one step down and one step up (a tenth, at least 1; see rules/loading/parameters.py) while all the others
stay, and the changed rules are played on the same seeds as the unchanged ones, which are played once. Differences are those of
pairs of games (headline.py). Hundreds of differences are looked at together, so their intervals hold for all of them
(`inference.together`), and a difference is significant if its interval leaves 0 out: 5% for any false finding in the whole
table. It matters if its whole interval lies beyond the margin (one round, two percentage points), does not if all of it lies
within, and else these games do not say. One at a time means that what two numbers do together is not seen.

Changes are ranked by size: those that matter first, then significant ones, each by its largest significant difference in
margins, for a p value ranks how sure a change is, which the games decide. `detectable` says what a change of no significance
may still hide: a true difference of so much would have been significant in 80% of such analyses. It is a median over changes
that moved something: where no game changed, there is no spread to tell it from (`moved`).

Results are appended to a file, one line a change, so an analysis that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.batch.manifest import provenance
from ...simulator.batch.run import Interrupted, Observer, Silent
from ...simulator.errors import UserError, unknown
from ...simulator.games.plan import Plan
from ...simulator.keeping import UNREADABLE, Journal, held, writing
from ...simulator.rules.contents import names_of
from ...simulator.rules.loading.load import Ruleset
from ...simulator.rules.loading.parameters import Parameter, parameters, steps
from ...simulator.wording import counted
from ..statistics import margins
from ..statistics.answer import Z_POWER, Words, quantile_for
from ..statistics.answer import read as read_interval
from ..statistics.inference import together, widened
from .compare import Z
from .headline import GROUPS, changes, margin_of, play_figures

SIGNIFICANT = 0.05
MATTERS, TOO_SMALL, NOT_KNOWN = "matters", "too small to matter", "undecided"
MOVED = Words(MATTERS, NOT_KNOWN, TOO_SMALL, NOT_KNOWN, MATTERS, NOT_KNOWN, NOT_KNOWN)  # of what a step of a number moves
VERSION = 3  # 2: without digests; 1: without the pairs of games that changed, and no interval where none did
FILE = "sensitivity.jsonl"
COLUMNS = (
    "parameter", "printed", "value", "group", "figure", "a", "b", "difference", "low", "high", "difference_all_low",
    "difference_all_high", "p", "p_adjusted", "significant", "verdict", "detectable", "n", "changed",
)  # fmt: skip
PLAYED = ("parameter", "printed", "value", "group", "figure", "a", "b", "difference", "low", "high", "p", "n", "changed")


@dataclass(frozen=True)
class Change:
    """A number moved by a step."""

    parameter: Parameter
    value: int
    ruleset: Ruleset


def planned(plan: Plan, ruleset: Ruleset, globs: tuple[str, ...] = ("*",)) -> list[Change]:
    """Return all legal steps of the numbers whose paths fit the patterns, in the order of the data."""
    found = parameters(ruleset, globs)
    moved = [Change(one, value, changed) for one in found for value, changed in steps(ruleset, one, plan.players)]
    if not moved:
        raise UserError(f"--parameters: none of the {len(found)} numbers named can be moved by a step under these rules")
    return moved


def sensitivity(
    plan: Plan,
    ruleset: Ruleset,
    moved: Sequence[Change],
    out: Path | None = None,
    jobs: int = 1,
    observer: Observer | None = None,
) -> pd.DataFrame:
    """Play the unchanged rules and every change on the same seeds; return one row a change and figure (COLUMNS).

    With the folder `out` each finished change is appended to a file there, and what is in it is not played again. Raises
    Interrupted on Ctrl-C, UserError if the file is of other games.
    """
    observer = observer or Silent()
    results, games, leaders = Results(out, plan, ruleset), plan.games, names_of(ruleset.data, "leader")
    with results.open():
        left = [change for change in moved if (change.parameter.path, change.value) not in results.done]
        observer.begin(games * (len(moved) + bool(left)), games * (len(moved) - len(left)))
        try:
            base = play_figures(plan, ruleset, 0, games, jobs, observer) if left else None
            for change in left:
                assert base is not None
                played = play_figures(plan, change.ruleset, 0, games, jobs, observer)
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
    for word in groups:
        if word not in GROUPS:
            raise unknown("group of figures", word, GROUPS)
    frame = pd.DataFrame(rows, columns=[*PLAYED])
    if moved is not None:
        asked = {(change.parameter.path, change.value) for change in moved}
        frame = frame[[key in asked for key in zip(frame["parameter"], frame["value"], strict=True)]]
    frame = frame[frame["group"].isin(list(groups))]
    error = (frame["high"] - frame["low"]).astype(float) / (2 * Z)
    ends = widened(frame["difference"], frame["low"], frame["high"], frame["changed"])
    frame = frame.assign(**together("difference", frame["p"], ends))
    frame["significant"] = frame["p_adjusted"] <= SIGNIFICANT
    frame["detectable"] = (quantile_for(max(1, int(frame["p"].notna().sum()))) + Z_POWER) * error
    margin = frame["figure"].map(margin_of)
    judging = zip(frame["difference_all_low"], frame["difference_all_high"], margin, strict=True)
    frame["verdict"] = [MOVED.of(read_interval(*row)) for row in judging]
    size = frame["difference"].astype(float).abs() / margin
    order = {
        "matters": size.where(frame["verdict"] == MATTERS, 0.0),
        "clear": size.where(frame["significant"], 0.0),
        "size": size,
    }
    change = [frame["parameter"], frame["value"]]
    ranked = frame.assign(**{name: values.groupby(change).transform("max") for name, values in order.items()}).sort_values(
        [*order, "parameter", "value"], ascending=[*[False] * len(order), True, True], kind="stable", ignore_index=True
    )
    return ranked[list(COLUMNS)]


def detectable(frame: pd.DataFrame) -> pd.Series:
    """Return for each figure the smallest difference that these games could be expected to show: the median of what moved it.

    Figures that nothing moved are left out.
    """
    moved = frame[frame["changed"] > 0]
    return moved.groupby("figure", sort=False)["detectable"].median()


def counts(frame: pd.DataFrame) -> str:
    """Return in words how many of the differences matter, and how many do not."""
    found = {verdict: int((frame["verdict"] == verdict).sum()) for verdict in (MATTERS, TOO_SMALL, NOT_KNOWN)}
    by = f"by more than {margins.ROUNDS:g} round or {margins.POINTS:g} points"
    return (
        f"{found[MATTERS]} of {counted(len(frame), 'difference')} matter, {by}; {found[TOO_SMALL]} are too small to matter; "
        f"{found[NOT_KNOWN]} are undecided"
    )


class Results:
    """The append-only file of a sensitivity analysis: a line about the games, then a line for each finished change."""

    def __init__(self, out: Path | None, plan: Plan, ruleset: Ruleset) -> None:
        self.out = out
        self.file: Journal | None = None
        self.rows: list[dict[str, Any]] = []
        self.done: set[tuple[str, int]] = set()
        self.header = provenance({"sensitivity": VERSION}, plan, ruleset, but=())

    @contextmanager
    def open(self) -> Iterator[None]:
        """Read what is in the file and keep other analyses out of its folder; raise UserError if it is of other games."""
        if self.out is None:
            yield
            return
        with held(self.out, FILE, "results") as path:
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
