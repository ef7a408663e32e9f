"""What a report is made of: parts, each with one table, its charts and its findings in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd

from ...simulator.errors import UserError
from ...simulator.wording import half
from ..models.mended import once_mended
from ..models.standing import Standing
from ..statistics.answer import STRENGTH, certainty_of, far, judged, p_words, verdict_words
from ..statistics.inference import ALL
from ..statistics.margins import POINTS, ROUNDS
from ..summaries.leading import courses
from ..tables.read import Run
from .charts import WIDTH

# How sure a finding is, the strongest first: key, words, and what they mean.
INTERVALS = (
    "[95%]: the interval of a figure alone; [95% all]: intervals that hold for all rows of the table together. "
    "Verdicts, and sentences that say that something differs, go by the latter."
)
CERTAINTIES = {
    "strong": ("strong evidence", "adjusted p below 0.001 for what the sentence says of each that it names"),
    "shown": (
        "evidence",
        "adjusted p of at most 0.05: the interval leaves the value, or the margin, that it is compared with out",
    ),
    "open": (STRENGTH.undecided, "neither a difference nor its absence is shown by these games"),
    "measured": ("measured", "a figure of these games with its interval; nothing is tested"),
    "few": ("few games", "fewer than 100 cases; take it as a hint"),
    "untested": (STRENGTH.not_compared, "fewer than 100 cases, or hardly a win or a loss: no verdict either way"),
    "limit": ("limit", "what the figures cannot say"),
}


@dataclass(frozen=True)
class Finding:
    """One sentence of a report, and how sure it is (a key of CERTAINTIES)."""

    text: str
    certainty: str = "measured"


@dataclass(frozen=True)
class Column:
    """A column of a report's table. Kinds: text, count, rate, points, rounds, number, ratio, p, verdict, flag, range."""

    name: str
    heading: str
    kind: str = "text"
    meaning: str = ""


@dataclass(frozen=True)
class Chart:
    """A picture of a part's table: `draw(frame, ax)`; its height and width in inches may depend on the rows.

    `title` says what is drawn, `message` what the table shows by its verdicts; '' where it shows nothing.
    """

    key: str
    title: str
    caption: str
    draw: Callable[[pd.DataFrame, Any], None]
    height: Callable[[pd.DataFrame], float] = lambda frame: 3.2
    worth: Callable[[pd.DataFrame], bool] = lambda frame: len(frame) > 0  # is there anything to draw?
    width: Callable[[pd.DataFrame], float] = lambda frame: WIDTH
    message: Callable[[pd.DataFrame], str] = lambda frame: ""

    def heading(self, frame: pd.DataFrame) -> tuple[str, str]:
        """Return title and caption: where there is a message it is the title, and the caption says what is drawn."""
        return self.message(frame) or self.title, self.caption


@dataclass(frozen=True)
class Part:
    """One subject of the report. `frame` returns its table, None if there is nothing to say about this run.

    `findings` puts the table into sentences, `method` says how it was made, `note` how to read it. The CSV holds every
    column of the table, the page those of `columns`, and at most `rows` of the rows that `once` leaves. A UserError from
    `frame` becomes a note.
    """

    key: str
    title: str
    frame: Callable[[Any], pd.DataFrame | None]
    columns: Sequence[Column] = ()
    note: str = ""
    method: str = ""
    charts: Sequence[Chart] = ()
    findings: Callable[[pd.DataFrame, Source], list[Finding]] = lambda frame, source: []
    chapter: str = "Tables"
    once: Callable[[pd.DataFrame], pd.DataFrame] = lambda frame: frame  # leaves rows out that mirror others
    rows: int = 100
    strict: bool = False  # let a UserError through: the user asked for this part with a file


@dataclass
class Source(Standing):
    """A run and what several parts ask of it, worked out once."""

    effects: Path | None = None
    boards: int = 0
    half_width: float = 0.01
    margin: float = POINTS  # percentage points
    margin_rounds: float = ROUNDS
    gifts: Sequence[Path] = ()  # folders of experiments that are not about world wonders

    @property
    def run(self) -> Run:
        """The run: there is one only."""
        return cast(Run, self.runs)

    @cached_property
    def courses(self) -> pd.DataFrame:
        """The games by who led when, for the parts on lead changes and comebacks."""
        return courses(self.run)

    @property
    def ruleset(self) -> dict[str, Any]:
        """The rules of the run, as its manifest has them."""
        try:
            data: dict[str, Any] = self.run.manifest["ruleset"]["data"]
        except (KeyError, TypeError):
            raise UserError(f"{self.run.path}: its manifest has no rules; was it written by `newdawn run`?") from None
        return data

    @cached_property
    def judged(self) -> pd.DataFrame:
        """The leaders and the verdicts on them: the one table that every screen reads."""
        return judged(self.leaders, "points", self.margin, self.games)

    @cached_property
    def mended(self) -> pd.DataFrame | None:
        """The other leaders as they would stand if the one furthest off won its fair share; None where none is off.

        That is one of which this is shown, in a model with others to compare.
        """
        if self.untestable or len(self.outcomes.levels["leader"]) < 3:
            return None
        off = far(self.judged)
        if off.empty or "log_odds" not in off:
            return None
        found = once_mended(self.outcomes, str(off["leader"].iloc[0]), self.factors)
        return judged(found, "points", self.margin, self.games)


# --- A table for reading


@dataclass(frozen=True)
class Cell:
    """Text of a cell, and what to sort by."""

    text: str
    key: str | float


def cells(frame: pd.DataFrame, columns: Sequence[Column]) -> list[list[Cell]]:
    """Return the rows of the frame, its columns as the specification says."""
    return [[cell(row, column) for column in columns] for row in frame.to_dict("records")]


def cell(row: Any, column: Column) -> Cell:
    """Return one cell of a row."""
    value = row[column.name]
    if column.kind == "flag":
        return Cell("few" if value else "", float(bool(value)))
    if column.kind == "verdict":
        return Cell(verdict_words(row), str(value))
    if isinstance(value, str):
        return Cell(value, value)
    if pd.isna(value):
        return Cell("–", "")
    if column.kind == "range":
        worst = row[column.name.replace("best", "worst")]
        return Cell(f"{value:.0f}" if value == worst else f"{value:.0f}–{worst:.0f}", float(value))
    return Cell(_number(row, column), float(value))


def _number(row: Any, column: Column) -> str:
    name, kind = column.name, column.kind
    value = row[name]
    which = "_all" if f"{name}_all_low" in row else ""  # the interval that the verdict is read off
    low, high = (row.get(f"{name}{which}_{end}", np.nan) for end in ("low", "high"))
    if kind == "rate":
        return rate(value, low, high)
    if kind == "points":
        return points(value, low, high)
    if kind == "p":
        return p_words(value)
    if kind == "count":
        return f"{value:,.0f}"
    if kind == "rounds":
        return half(value)
    return number(value, low, high, 2 if kind == "ratio" else 1)


def number(value: float, low: float = np.nan, high: float = np.nan, digits: int = 1) -> str:
    """Return a number with so many digits and its interval, if it has one."""
    interval = "" if np.isnan(low) else f" [{low:,.{digits}f}, {high:,.{digits}f}]"
    return f"{value:,.{digits}f}{interval}".replace("-", "−")


def rate(value: float, low: float = np.nan, high: float = np.nan) -> str:
    """Return a share in per cent with its interval, if it has one."""
    # A normal interval may reach beyond what a share can be.
    low, high = np.clip(low, 0, 1), np.clip(high, 0, 1)
    interval = "" if np.isnan(low) else f" [{100 * low:.1f}, {100 * high:.1f}]"
    return f"{100 * value:.1f}%{interval}"


def points(value: float, low: float = np.nan, high: float = np.nan) -> str:
    """Return percentage points with sign and interval, if there is one."""
    interval = "" if np.isnan(low) else f" [{_signed(low)}, {_signed(high)}]"
    return f"{_signed(value)}{interval}"


def rate_of(row: Any, name: str, ends: Sequence[str] = ("", "_low", "_high")) -> str:
    """Return a row's share with its interval: that of this row, or with `ALL` that of all rows."""
    return rate(*(row[f"{name}{end}"] for end in ends))


def points_of(row: Any, name: str = "points") -> str:
    """Return a row's percentage points with the interval that holds for all rows."""
    return points(*(row[f"{name}{end}"] for end in ALL))


def _signed(value: float) -> str:
    text = f"{value:+.1f}"
    return text.replace("-", "−") if float(text) else "0.0"


evidence = certainty_of  # of a finding with this corrected p value
