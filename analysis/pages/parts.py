"""What pages are made of: parts, columns, charts, findings, verdicts and steps."""

from __future__ import annotations

import re
import textwrap
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Any, cast
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, half, listed, with_minus, with_sign
from ..stats.inference import ALL
from ..stats.rates import ENOUGH, MANY_LEADERS, POINTS, ROUNDS
from ..stats.verdicts import FAR, STRENGTH, Verdict, certainty_of, differs, far, having, judged, p_words, verdict_words
from ..tables import extra, reference_results
from ..tables.column_meanings import format_of, heading_of
from ..tables.game import courses
from ..tables.leader_strength import Standing, once_mended
from ..tables.read import Run
from . import plots

FIRST_GAMES = 10_000  # read of large tables
OF_FIRST = f"Of more than {FIRST_GAMES:,} games a page reads about so many of this table; {{}} reads all."

# --- Charts as SVG inside a page: real text, and colours that follow the page's light or dark theme

WIDTH = 4.8  # inches: wide enough for a screen's half, and legible when shrunk to a telephone's width
WIDE = 6.0  # inches: what is wider gets a row of its own
COLUMN = 0.34  # inches a column of a matrix: three digits and some room
LETTER = 0.55  # width of a letter on average, in sizes of the font
INK, LINE = "#0a0b0c", "#3a3b3c"

STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "axes.edgecolor": LINE,
    "grid.color": LINE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "axes.titlesize": 10,
    "legend.fontsize": 8.5,
}

# The page's colours that replace those of the drawing.
THEME = {
    INK: "var(--ink)",
    LINE: "var(--line)",
    plots.MUTED: "var(--muted)",
    "#ffffff": "var(--paper)",
    plots.BLUE: "var(--blue)",
    plots.ORANGE: "var(--orange)",
}

# The page's colours (report.html.j2), for charts in files of their own.
LIGHT = {"ink": "#1a1c20", "line": "#9aa0a9", "muted": "#808080", "paper": "#ffffff", "blue": "#0072b2", "orange": "#d55e00"}
DARK = {"ink": "#e6e8eb", "line": "#7d838c", "muted": "#9a9a9a", "paper": "#17191d", "blue": "#56b4e9", "orange": "#f0883e"}


def matrix_width(columns: int) -> float:
    """Return the width of a matrix with names on the left and a colour bar on the right, in inches."""
    return max(WIDTH, 1.9 + COLUMN * columns)


def svg(draw: Callable[[Any], None], key: str, title: str, height: float, width: float = WIDTH) -> str:
    """Return what `draw(ax)` draws as an `<svg>` element of so many inches. `key` keeps ids of several charts apart."""
    import matplotlib  # takes a second, which commands without charts should not wait
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    style: Any = {**STYLE, "svg.hashsalt": key}
    with matplotlib.rc_context(style), warnings.catch_warnings():
        # Letters missing from the fonts here are set by the browser; the boxes measured instead are wide enough for them.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.subplots())
        wrap_labels(figure)
        text = StringIO()
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return _embedded(text.getvalue(), key, title, width)


def wrap_labels(figure: Any) -> None:
    """Break the labels of axes and colour bars into lines where the picture's edge would cut them."""
    sides = [(part.label, k) for ax in figure.axes for k, part in enumerate((ax.xaxis, ax.yaxis))]
    inches = figure.get_size_inches()
    if not any(len(label.get_text()) * LETTER * label.get_size() > 72 * inches[k] * 0.6 for label, k in sides):
        return
    figure.draw_without_rendering()
    for label, k in sides:
        box, whole = label.get_window_extent(), figure.bbox
        size, middle, end = (box.width, box.x0 + box.x1, whole.x1) if k == 0 else (box.height, box.y0 + box.y1, whole.y1)
        room = min(middle, 2 * end - middle) * 0.98  # the label lies around the middle of its axis
        if label.get_text() and size > room:
            label.set_text(textwrap.fill(label.get_text(), int(len(label.get_text()) * room / size), break_long_words=False))


def _embedded(text: str, key: str, title: str, width: float) -> str:
    """Return the document's `<svg>` element, themed, with ids of its own and a title for screen readers."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = text.replace(' target="_blank"', "")  # what is linked from a chart is on the page
    text = re.sub(r'\b(id="|url\(#|href="#)', rf"\g<1>{key}-", text)
    for colour, variable in THEME.items():
        text = re.sub(rf"(?<=[ :]){colour}\b", variable, text, flags=re.IGNORECASE)
    text, family = _slim(text, key)
    view = re.search(r'viewBox="[^"]*"', text)
    assert view
    head = (
        f'<svg class="chart{" wide" * (width > WIDE)}" role="img" aria-labelledby="{key}-name" {view[0]} '
        f'style="--width:{96 * width:.0f}px" font-family="{family}" '
        'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f'<title id="{key}-name">{escape(title)}</title>'
    )
    return head + text[text.index(">") + 1 :].strip()


OFTEN = 3  # uses of a style from which it becomes a class


def _slim(text: str, key: str) -> tuple[str, str]:
    """Return a drawing in fewer characters, and its font family, which would stand in each text."""
    family = re.search(r"font-family: ([^;\"]+)", text)
    text = re.sub(r"font-family: [^;\"]+;? ?", "", text)
    text = re.sub(r' transform="rotate\(-?0 [^)]*\)"', "", text)
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", tag[0]), text)
    text = re.sub(r' (?:d|x|y)="[^"]*"', lambda attribute: re.sub(r"(\.\d)\d+", r"\1", attribute[0]).replace(' "', '"'), text)
    own = set(re.findall(rf'id="({key}-\w+)"', text))  # other links lead elsewhere on the page
    for number, name in enumerate(dict.fromkeys(name for name in re.findall(rf'href="#({key}-\w+)"', text) if name in own)):
        text = re.sub(rf'(id="|href="#){name}"', rf'\g<1>{key}-{number}"', text)
    return _ungrouped(_named_styles(text, key)), family[1] if family else "sans-serif"


def _named_styles(text: str, key: str) -> str:
    """Return a drawing whose frequent styles are written once, as classes."""
    frequent = [style for style, n in Counter(re.findall(r' style="([^"]*)"', text)).items() if n >= OFTEN]
    classes = {style: f"{key}-{number}" for number, style in enumerate(frequent)}
    text = re.sub(r' style="([^"]*)"', lambda style: f' class="{classes[style[1]]}"' if style[1] in classes else style[0], text)
    rules = "".join(f".{name}{{{style}}}" for style, name in classes.items())
    return text.replace("</style>", f"{rules}</style>", 1)


def _ungrouped(text: str) -> str:
    """Return a drawing without groups that have no attributes, and without spaces between its elements."""
    parts, plain = [], []
    for part in re.split(r"(<[^>]*>)", re.sub(r'(<g) id="[^"]*"', r"\1", text)):
        if part.startswith(("<g>", "<g ")) and not part.endswith("/>"):
            plain.append(part == "<g>")
        if part in ("<g>", "<g/>") or (part == "</g>" and plain.pop()):
            continue
        parts.append(part if part.strip() else "")
    return "".join(parts)


def as_file(element: str) -> str:
    """Return an element of `svg` as the content of a file: with its own colours, light and dark, in one line."""
    light, dark = ("".join(f"--{name}:{colour};" for name, colour in colours.items()) for colours in (LIGHT, DARK))
    colours = f"<style>svg{{{light}background:var(--paper)}}@media (prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    element = re.sub(r'style="--width:(\d+)px"', r'width="\1"', element, count=1)
    element = element.replace("<defs>", f"{colours}<defs>", 1)
    return re.sub(r"\s*\n\s*", " ", element) + "\n"


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


Message = Callable[[pd.DataFrame], str]


@dataclass(frozen=True)
class Finding:
    """One sentence of a report, how sure it is (a key of CERTAINTIES), and its heading on the first screen."""

    text: str
    certainty: str = "measured"
    place: str = "sure"  # or "change"


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
class Source(Standing):
    """A run, and tables of it that several parts use, each worked out once."""

    effects: Path | None = None
    boards: int = 0
    half_width: float = 0.01
    margin: float = POINTS  # percentage points
    margin_rounds: float = ROUNDS
    gifts: Sequence[Path] = ()  # folders of experiments that are not about world wonders

    @property
    def run(self) -> Run:
        """The only run."""
        return cast(Run, self.runs)

    @cached_property
    def courses(self) -> pd.DataFrame:
        """The games with who led when, for the parts on lead changes and comebacks."""
        return courses(self.run)

    @cached_property
    def first(self) -> Run:
        """The first games of the run, for large tables on subjects that hardly need more."""
        return self.run.first(FIRST_GAMES)

    @cached_property
    def rounds(self) -> extra.RoundGames:
        """The first games with their rounds, for the parts on who is ahead, comes back, and when games are decided."""
        return extra.read(self.first)

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


# --- A table for reading


@dataclass(frozen=True)
class Cell:
    """Text of a cell, and its sort key."""

    text: str
    key: str | float


def cells(frame: pd.DataFrame, columns: Sequence[Column]) -> list[list[Cell]]:
    """Return the rows of the frame as cells of these columns."""
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
    all_rows = "_all" if f"{name}_all_low" in row else ""  # the interval that the verdict is read off
    low, high = (row.get(f"{name}{all_rows}_{end}", np.nan) for end in ("low", "high"))
    if kind == "rate":
        return rate(value, low, high)
    if kind == "points":
        return points(value, low, high)
    if kind == "p":
        return p_words(value)
    if kind == "count":
        return with_minus(f"{value:,.0f}")
    if kind == "rounds":
        return half(value)
    return number(value, low, high, 2 if kind == "ratio" else 1)


def number(value: float, low: float = np.nan, high: float = np.nan, digits: int = 1) -> str:
    """Return a number with so many digits and its interval, if it has one."""
    interval = "" if np.isnan(low) else f" [{low:,.{digits}f}, {high:,.{digits}f}]"
    return with_minus(f"{value:,.{digits}f}{interval}")


def rate(value: float, low: float = np.nan, high: float = np.nan) -> str:
    """Return a share in per cent with its interval, if it has one."""
    low, high = np.clip(low, 0, 1), np.clip(high, 0, 1)  # a normal interval may reach beyond 0 or 1
    interval = "" if np.isnan(low) else f" [{100 * low:.1f}, {100 * high:.1f}]"
    return f"{100 * value:.1f}%{interval}"


def points(value: float, low: float = np.nan, high: float = np.nan) -> str:
    """Return percentage points with sign and interval, if there is one."""
    interval = "" if np.isnan(low) else f" [{with_sign(low)}, {with_sign(high)}]"
    return f"{with_sign(value)}{interval}"


def rate_of(row: Any, name: str, ends: Sequence[str] = ("", "_low", "_high")) -> str:
    """Return a row's share with its interval: that of this row, or with `ALL` that of all rows."""
    return rate(*(row[f"{name}{end}"] for end in ends))


def points_of(row: Any, name: str = "points") -> str:
    """Return a row's percentage points with the interval that holds for all rows."""
    return points(*(row[f"{name}{end}"] for end in ALL))


evidence = certainty_of  # of a finding with this corrected p value


# --- Shared by parts: columns, heights and messages of charts, chapters

BARS = "Bars: [95% all]; filled: differs."  # in the caption of a chart with intervals
MARKS = "Bars: [95% all]; filled: beyond the margin; half-filled: size unclear; square: within it."  # of a table with verdicts
TIMES = 1.5  # from here a message gives a win rate in fair shares

HINT = "small_sample", "few?", "few cases: take the row as a hint"
VERDICT = "verdict", "matters?", "what the interval says against the relevance margin, and how many games would decide"
GOOD_PLAYERS = Column(
    "good_players", "good players [95% of another]", "rate",
    "on average over good players, who each played the reference games, and where another one would lie", optional=True,
)  # fmt: skip


def tall(inches: float) -> Callable[[pd.DataFrame], float]:
    """Return the height of a chart with a line a row, each so many inches high."""
    return lambda frame: 1.1 + inches * len(frame)


def some_rows(frame: pd.DataFrame) -> bool:
    """Return whether a table has rows that are not small samples."""
    return not frame["small_sample"].all()


def chapter(name: str, *parts: Part) -> tuple[Part, ...]:
    """Return the parts as those of a chapter."""
    return tuple(replace(part, chapter=name) for part in parts)


# --- Messages of charts: they name only rows that are shown to differ, no small samples, nothing undecided


def largest(frame: pd.DataFrame, size: str) -> dict[Any, Any] | None:
    """Return the row shown to differ most, and, if there are verdicts, by more than the margin; None without one."""
    shown = frame[differs(frame)]
    if "small_sample" in shown:
        shown = shown[~shown["small_sample"].astype(bool)]
    if "verdict" in shown:
        shown = shown[having(shown, FAR)]
    ordered = shown.sort_values(size, key=lambda values: values.abs().round(9), ascending=False, kind="stable")
    return None if ordered.empty else dict(ordered.iloc[0])


def headlined(frame: pd.DataFrame, pool: int | None = None, cases: Sequence[str] = ("decided",)) -> pd.DataFrame:
    """Return the rows whose figures may be a headline: if many leaders play, those of enough games.

    `pool` is the number of leaders (default: of rows).
    """
    counts = [name for name in cases if name in frame]
    if (len(frame) if pool is None else pool) < MANY_LEADERS or not counts:
        return frame
    return frame[(frame[counts] >= ENOUGH).all(axis=1)]


def message(size: str, text: str, more: str = "more", less: str = "less") -> Message:
    """Return a message on the row that differs most: in `text` {word} is `more` or `less`, {size} the size without a sign."""

    def write(frame: pd.DataFrame) -> str:
        row = largest(frame, size)
        if row is None:
            return ""
        values = row | {"size": f"{abs(row[size]):.1f}", "word": more if row[size] > 0 else less}
        return text.format(**{str(name): value for name, value in values.items()})

    return write


def share_message(factor: str, who: str = "{}") -> Message:
    """Return a message on who wins furthest from the fair share, or that all are within the margin of it."""

    def write(frame: pd.DataFrame) -> str:
        row = largest(headlined(frame), "points")
        if having(frame, {Verdict.WITHIN}).all():
            return f"All {len(frame)} are within the margin of the fair share"
        if row is None:
            return ""
        times = row["adjusted_rate"] / row["fair_share"]
        if times >= TIMES:
            return f"{who.format(row[factor])} wins {times:.1f} times its fair share"
        word = "more" if times > 1 else "less"
        return f"{who.format(row[factor])} wins {abs(row['points']):.1f} points {word} than its fair share"

    return write


@dataclass(frozen=True)
class Answer:
    """The answer of a command to a question about the run, as kept in `place`."""

    command: str
    about: str  # the figure that a search was for
    line: str  # the answer in a sentence
    place: Path
    title: str
    lines: Mapping[str, str] = field(default_factory=dict)  # of each leader, where it is asked of leaders


@dataclass(frozen=True)
class Step:
    """A question, the command that answers it, and the answer if there is one."""

    question: str
    command: str = ""
    answer: str = ""
    link: str = ""  # to the full answer on the page
    place: str = "next"  # its heading on the first screen: "change", "sure", "next" or "asked"


ABOUT = "What is changed"  # the heading of changes that the user asked about


@dataclass(frozen=True)
class First:
    """The first screen: a headline, verdicts with the names they concern, a chart (its key), sentences, and a table of texts.

    The table of a run has the leaders' rates under each strategy. `changed` are changes of the rules as patch notes,
    `house_rule` is the change advised, as YAML. `steps` are what to do next, `meanings` terms and what they mean.
    """

    findings: list[Finding]
    headings: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    note: str = ""
    verdicts: list[Stands] = field(default_factory=list)
    chart: str = ""
    change: str = ABOUT
    changed: list[str] = field(default_factory=list)
    house_rule: str = ""
    steps: list[Step] = field(default_factory=list)
    meanings: list[tuple[str, str]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)  # beside the page, but for the change advised
    headline: str = ""  # the verdict in one short sentence
    asked: str = ""  # the question, if the title does not ask it
    rest: list[str] = field(default_factory=list)  # more of `changed`, folded away

    @property
    def advises(self) -> bool:
        """Whether the page proposes a change, which then comes before how sure it is."""
        return self.change != ABOUT

    def placed(self, place: str) -> list[Step]:
        """Return the steps that stand under a heading."""
        return [step for step in self.steps if step.place == place]


@dataclass(frozen=True)
class Stands:
    """A verdict and whom it concerns; `tone` is one of answer.TONES; `meaning` says when the verdict is given."""

    words: str
    names: list[str]
    tone: str
    meaning: str = ""


def who(strategies: Sequence[str], box: str, seats: int) -> str:
    """Return who played, how strong they are, and whether a better player may change the answer."""
    names = listed([f"`{name}`" for name in strategies])
    one = len(strategies) == 1
    played = f"{'All seats' if one else 'Seats'} were played by {names}, {'a program' if one else 'programs'} of this tool."
    return " ".join(
        [played, *reference_results.described(strategies, box, seats), reference_results.about_better(strategies, box, seats)]
    )


def counted_margin(margin: float, unit: str) -> str:
    """Return '2 points'."""
    return f"{margin:g} {unit}{'' if margin == 1 else 's'}"
