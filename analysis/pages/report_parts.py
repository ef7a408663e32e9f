"""What a report is made of: parts, each with a table, its columns, charts and findings."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd

from ...simulator.errors import UserError
from ..stats.claims import Claim
from ..stats.rates import POINTS, ROUNDS
from ..stats.verdicts import STRENGTH, certainty_of, far, judged
from ..tables import round_figures
from ..tables.column_meanings import format_of, heading_of
from ..tables.game import courses
from ..tables.leader_strength import LeaderStanding, once_mended
from ..tables.read import Run
from .chart_svg import WIDTH

FIRST_GAMES = 10_000  # read of large tables
OF_FIRST = f"Of more than {FIRST_GAMES:,} games a page reads about so many of this table; {{}} reads all."


# --- What a report is made of: parts, each with one table, its charts and its findings

INTERVALS = (
    "[95%]: the interval of a figure alone; [95% all]: intervals that hold for all rows of the table together, in 95% of runs "
    "or more. Verdicts, and sentences that say that something differs, go by the latter."
)
CERTAINTIES = {  # how sure a finding is, the strongest first: key, words, meaning
    "strong": ("strong evidence", "adjusted p below 0.001 for what the sentence says of each that it names"),
    "shown": (
        "evidence",
        "adjusted p of at most 0.05: the interval leaves out the value, or the margin, that it is compared with",
    ),
    "open": (STRENGTH.undecided, "neither a difference nor its absence is shown by these games"),
    "measured": ("measured", "a figure of these games with its interval; nothing is tested"),
    "few": ("few games", "fewer than 100 cases; take it as a hint"),
    "untested": (STRENGTH.not_compared, "fewer than 100 cases, or hardly a win or a loss: no verdict either way"),
    "limit": ("limit", "what the figures cannot say"),
}


class UnfoundedFigure(Warning):
    """A sentence names a figure that the rows it is made of do not have: an error in the tests, in a report a sentence that is
    measured only."""


warnings.simplefilter("ignore", UnfoundedFigure, append=True)

Message = Callable[[pd.DataFrame], str]


@dataclass(frozen=True)
class Finding:
    """One sentence of a report: what it claims, how sure that is (a key of CERTAINTIES), its heading on the first screen.

    Warns of a figure that the claim's rows do not have (UnfoundedFigure), and claims nothing then. Commands (in back quotes)
    and texts of the rows may hold any.
    """

    claim: Claim = field(repr=False, compare=False)
    text: str
    place: str = "sure"  # or "change"
    certainty: str = field(init=False)

    def __post_init__(self) -> None:
        free = unfounded(self.claim, self.text)
        if free:
            text = f"{free} in “{self.text}”: no figure of what {type(self.claim).__name__} claims"
            warnings.warn(text, UnfoundedFigure, stacklevel=3)
        object.__setattr__(self, "certainty", "measured" if free else self.claim.certainty)


FIGURE = re.compile(r"(?<![\w.,])[+−-]?\d[\d,]*(?:\.\d+)?")
OTHER_ROWS = re.compile(r"\b\d[\d,]*(?= (?:more|others?)\b)")  # rows that a sentence counts and does not name


def unfounded(claim: Claim, text: str) -> list[str]:
    """Return the figures of a sentence that are not among those of the claim, in any unit: a share, per cent, points."""
    for name in sorted({*re.findall(r"`[^`]*`", text), *claim.names()}, key=len, reverse=True):
        if name and name in text:  # as a word: a row named 1 has no part in 13.8
            text = re.sub(rf"(?<!\w)(?<!\d[.,]){re.escape(name)}(?!\w|[.,]\d)", " ", text)
    text = OTHER_ROWS.sub(lambda found: "" if int(found[0].replace(",", "")) < len(claim.rows) else found[0], text)
    figures = np.abs(np.array([0.0, 1.0, *claim.figures()], float))  # intervals of shares end at 0 and 100%
    figures = np.concatenate([figures, 100 * figures])
    return [found for found in FIGURE.findall(text) if not _is_one_of(found, figures)]


def _is_one_of(found: str, figures: np.ndarray) -> bool:
    """Return whether a figure as it is written is one of these, rounded."""
    plain = found.lstrip("+−-").replace(",", "")
    reach = 0.5 * 10.0 ** -len(plain.partition(".")[2]) * (1 + 1e-9)
    return bool((np.abs(figures - float(plain)) <= reach + 1e-12 * figures).any())


@dataclass(frozen=True)
class Column:
    """A column of a report's table; its heading and its kind, a format of `meanings`, are the declared ones unless given."""

    name: str
    heading: str = ""
    kind: str = ""
    meaning: str = ""
    optional: bool = False  # left out if the table lacks it

    def __post_init__(self) -> None:
        if not self.heading:
            heading, meaning = heading_of(self.name)
            object.__setattr__(self, "heading", heading)
            object.__setattr__(self, "meaning", self.meaning or meaning)
        object.__setattr__(self, "kind", self.kind or format_of(self.name))


Named = str | tuple[str, ...] | Column  # a column by its name, or with a heading and a meaning of its own, or in full


def column_of(named: Named) -> Column:
    """Return a column that a part names."""
    if isinstance(named, Column):
        return named
    name, heading, meaning = (named, "", "") if isinstance(named, str) else (*named, "")[:3]
    return Column(name, heading, meaning=meaning)


@dataclass(frozen=True)
class Chart:
    """A picture of a part's table: `draw(frame, ax)`; its height and width in inches may depend on the rows.

    `title` says what is drawn, `message` what the table shows by its verdicts ('': nothing).
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
        """Return title and caption; the message, if there is one, is the title."""
        return self.message(frame) or self.title, self.caption


@dataclass(frozen=True)
class Part:
    """One subject of the report. `frame` returns its table, None if the part does not apply to this run.

    `findings` returns the sentences on the table, `summary` one sentence if there are none; `method` says how the table was
    made, `note` how to read it. The CSV holds every column of the table, the page those of `columns`, and at most `rows` of
    the rows that `once` returns; those that `fold` marks are folded away. A UserError from `frame` becomes a note.
    """

    key: str
    title: str
    frame: Callable[[Any], pd.DataFrame | None]
    columns: Sequence[Named] = ()
    note: str = ""
    method: str = ""
    charts: Sequence[Chart] = ()
    findings: Callable[[pd.DataFrame, Source], list[Finding]] = lambda frame, source: []
    chapter: str = "Tables"
    once: Callable[[pd.DataFrame], pd.DataFrame] = lambda frame: frame  # leaves out rows that mirror others
    rows: int = 100
    strict: bool = False  # a UserError passes: the user asked for this part with a file
    summary: Message = lambda frame: ""
    fold: Callable[[pd.DataFrame], pd.Series] | None = None


@dataclass
class Source(LeaderStanding):
    """A run, and tables of it that several parts use, each worked out once."""

    effects: Path | None = None
    half_width: float = 0.01
    margin: float = POINTS  # percentage points
    margin_rounds: float = ROUNDS
    gifts: Sequence[Path] = ()  # folders of experiments that are not about world wonders
    elsewhere: Callable[[], pd.DataFrame] | None = None  # where winners settle, from games played again

    @property
    def run(self) -> Run:
        """The only run."""
        return cast(Run, self.runs)

    @cached_property
    def courses(self) -> pd.DataFrame:
        """The games with who led and when, for the parts on lead changes and comebacks."""
        return courses(self.run)

    @cached_property
    def first(self) -> Run:
        """The first games of the run, for large tables on subjects that hardly need more."""
        return self.run.first(FIRST_GAMES)

    @cached_property
    def rounds(self) -> round_figures.RoundGames:
        """The first games with their rounds, for the parts on who is ahead, comes back, and when games are decided."""
        return round_figures.read(self.first)

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
        """The leaders with their verdicts, the same for every screen."""
        return judged(self.leaders, "points", self.margin, self.games)

    @cached_property
    def mended(self) -> pd.DataFrame | None:
        """The other leaders if the one furthest off won its fair share; None if none is shown to be off, or the model has
        no others to compare."""
        if self.untestable or len(self.outcomes.levels["leader"]) < 3:
            return None
        off = far(self.judged)
        if off.empty or "log_odds" not in off:
            return None
        others = once_mended(self.outcomes, str(off["leader"].iloc[0]), self.factors)
        family = "leaders once one is mended"
        return judged(self.over_looks(others, family), "points", self.margin, self.games, family=family)


def of_table(table: str, make: Callable[[Source], pd.DataFrame]) -> Callable[[Source], pd.DataFrame | None]:
    """Return the `frame` of a part on an optional table of runs: None for a run without it; games must have winners."""

    def frame(source: Source) -> pd.DataFrame | None:
        if table not in source.run.tables:
            return None
        source.need_winners()
        return make(source)

    return frame


evidence = certainty_of  # of a finding with this corrected p value

HINT = "small_sample", "few?", "few cases: take the row as a hint"
VERDICT = "verdict", "matters?", "what the interval says against the relevance margin, and how many games would decide"
GOOD_PLAYERS = Column(
    "good_players", "good players [95% of another]", "rate",
    "on average over good players, who each played the reference games, and where another one would lie", optional=True,
)  # fmt: skip


def chapter(name: str, *parts: Part) -> tuple[Part, ...]:
    """Return the parts as those of a chapter."""
    return tuple(replace(part, chapter=name) for part in parts)
