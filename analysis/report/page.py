"""A run's report: its parts worked out, and written as HTML, Markdown, charts and tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
from markupsafe import Markup, escape

from ...simulator import names
from ...simulator.errors import DamagedTable, UserError, counted, listed, unknown
from ...simulator.file_ownership import write_files
from ...simulator.rules.load import not_aimed_at
from ...simulator.rules.ruleset_contents import names_of
from ...simulator.runs.run_folder import Place
from ..pages.cells import Cell, cells, rate
from ..pages.chart_svg import WIDE, as_file, svg
from ..pages.report_parts import CERTAINTIES, INTERVALS, Chart, Column, Finding, Part, Source, column_of
from ..pages.screen_parts import Answer, First
from ..pages.sentences import FOUND_CHAPTER, quoted
from ..questions import depends_on_players, expansion, restrict
from ..questions.cards import CARDS, FOCUS
from ..questions.game import COURSE, PLANNING
from ..questions.leaders import LEADERS
from ..questions.open_readings import OPEN_READINGS
from ..questions.places import PLACES
from ..questions.round_by_round import COURSE_BY_ROUNDS
from ..questions.when_decided import DECIDED
from ..stats.claims import Limit
from ..stats.inference import REPORT_ERROR
from ..stats.rates import POINTS, ROUNDS, SMALL_SAMPLE
from ..stats.verdicts import STRENGTH
from ..tables import reference_results
from ..tables.read import Run
from ..tables.rendering import render, without_tags
from ..tables.win_rates import overview
from . import export
from .first_screen import SOON, first, first_sentences
from .leader_pages import CHAPTER, LeaderPage, leader_pages
from .provenance import Provenance, provenance
from .second_process import settled

# --- Limits


def _leaders_are_chosen(source: Source) -> bool:
    """Return whether the players of the run banned leaders, or chose them by a ranking, as a house rule lets them."""
    data = source.run.manifest.get("ruleset", {}).get("data", {})
    deals = data.get("components", {}).get("leader_deal", {}).values()
    asks = any(deal.get("choice") == "ranking" or deal.get("bans_per_player") for deal in deals)
    return asks and bool(source.run.manifest.get("plan", {}).get("leaders_drawn", True))


def limits(source: Source) -> list[Finding]:
    """Return what the figures cannot say."""
    facts, names = overview(source.run), source.strategies
    unused = "it does not use" if len(names) == 1 else "they do not use"
    texts = [
        f"All of this holds for games played by {listed(names)}: a strength that {unused} is not seen.",
        "What builders, claimants or settlers won is an association: who is ahead does more.",
        "Rules that the rulebook leaves open were read in one way; `newdawn rules disputes` lists the others.",
    ]
    texts += [f"{text[0].upper()}{text[1:]}." for text in not_aimed_at(source.run.rules)]
    lacking = reference_results.neglected(names[0], source.run.box, source.run.players) if len(names) == 1 else ""
    if source.run.has_teams:
        texts.append(
            "Partners share a win, half each: no seat wins more than half of its games, and what separates seats is halved."
        )
    if _leaders_are_chosen(source):
        texts.append(
            "Leaders were banned or chosen by a house rule, not dealt evenly. Verdicts on them take their places and opponents "
            "out; win rates as played do not."
        )
    if facts["games"] < facts["planned"]:
        texts.insert(0, f"The run is not finished: {facts['games']:,} of {counted(facts['planned'], 'game')} are there.")
    if facts["games"] < 1000:
        texts.insert(0, f"Only {counted(facts['games'], 'game')}: intervals are wide, and much stays {STRENGTH.undecided}.")
    if facts["unfinished"]:
        share = facts["unfinished"] / facts["games"]
        texts.append(f"{rate(share)} of the games were stopped unfinished; who would have won them is unknown.")
    beside = [facts["games"], facts["planned"], facts["unfinished"] / max(facts["games"], 1)]
    own = [Finding(Limit(beside=beside), text) for text in texts]
    return [*quoted(source.notes, Limit), *own, *quoted([lacking] if lacking else [], Limit)]


# --- The parts of a report, in the order of the page: a new part is a line in PARTS

PARTS = (
    *LEADERS, *expansion.PARTS, *CARDS, *FOCUS, *COURSE, *DECIDED, *COURSE_BY_ROUNDS, *PLACES, *OPEN_READINGS, *PLANNING,
)  # fmt: skip


# --- Putting a report together and writing it

PAGE, TEXT = "report.html", "report.md"
ANSWER = "answer"  # keys begin so, of the sections of an answer bound into a run's report
MENDED = "mended"  # the section on the other leaders, were the one furthest off mended
PAPER_ROWS = 16  # of a table on paper; the CSV has all
GAMES = dict(zip(names.BOXES, ("Base game", "Terra Incognita"), strict=True))
STATISTICS = "Formulas and references stand in the documentation, under “Statistics”."
RUN_METHOD = (
    "A win shared by k players counts 1/k. Plain rates have Wilson's intervals; 'few' marks a row of fewer than "
    f"{SMALL_SAMPLE} cases. Only what chance deals out, or an experiment gives at random, has an effect; all else is an "
    f"association. Anything is said falsely in at most {REPORT_ERROR:.0%} of reports. The leaders have most of that error; all "
    f"other tables share the rest. {STATISTICS}",
)


@dataclass(frozen=True)
class Picture:
    """A chart, drawn."""

    key: str
    title: str
    caption: str
    svg: str
    wide: bool = False  # it gets a row of its own


@dataclass(frozen=True)
class ReportSection:
    """A part of the report, worked out. Without a frame, `problem` says why."""

    part: Part
    frame: pd.DataFrame | None
    columns: list[Column]
    rows: list[list[Cell]]
    findings: list[Finding]
    problem: str = ""
    damaged: bool = False  # the problem is a table that is not as it was written
    folded: Sequence[bool] = ()  # by row: folded away, a click shows it

    @cached_property
    def pictures(self) -> list[Picture]:
        """Its charts, drawn when they are first asked for: a screen in the terminal shows none."""
        return [] if self.frame is None else [_picture(one, self.frame) for one in self.part.charts if one.worth(self.frame)]

    @property
    def brief(self) -> Finding:
        """The section in one sentence: its first finding, else the message of its chart, else why there is no table."""
        if self.findings:
            return self.findings[0]
        if self.frame is None:
            return quoted([f"Left out: {self.problem}"], Limit)[0]
        text = self.part.summary(self.frame) or next((chart.message(self.frame) for chart in self.part.charts), "")
        return quoted([text or self.part.note])[0]

    @property
    def shows(self) -> bool:
        """Whether it says more than that nothing is shown: by a finding, else by a row that is left when others are folded."""
        if self.findings:
            return any(finding.certainty in ("strong", "shown", "measured") for finding in self.findings)
        return bool(self.folded) and not all(self.folded)

    @property
    def paper_note(self) -> str:
        """Which rows of the table are left out on paper, where there are any."""
        rows, left = len(self.rows) + self.left_out, self.folded[PAPER_ROWS:]
        if self.folded and all(left):
            kept = sum(not folded for folded in self.folded)
            return f"{kept or 'none'} of {rows} rows; the others say nothing new." if kept < rows else ""
        return f"the first {PAPER_ROWS} rows of {rows}." if len(self.rows) > PAPER_ROWS else ""

    @property
    def left_out(self) -> int:
        """How many rows of the table are only in its CSV."""
        return 0 if self.frame is None else len(self.part.once(self.frame)) - len(self.rows)


@dataclass(frozen=True)
class Report:
    """Everything on the page; `method` holds for all of its figures."""

    title: str
    summary: str
    sections: list[ReportSection]
    limits: list[Finding]
    first: First
    origin: Provenance
    box: str = names.BOXES[0]
    method: Sequence[str] = RUN_METHOD
    leaders: Sequence[LeaderPage] = ()
    of_answer: bool = False  # of an answer alone, not of a run
    handout: str = ""  # one page to hand round, as HTML (one_page.py): the first page when it is printed
    film: tuple[str, str] = ("", "")  # the file beside the page that shows a typical game, and which that is

    @property
    def keys_of_leaders(self) -> dict[str, str]:
        """The key of each leader's page by the leader's name."""
        return {page.name: page.key for page in self.leaders}

    @property
    def game(self) -> str:
        """What was played, in words."""
        return GAMES[self.box]

    @property
    def chapters(self) -> dict[str, list[ReportSection]]:
        """The sections by chapter, in their order."""
        chapters: dict[str, list[ReportSection]] = {}
        for section in self.sections:
            chapters.setdefault(section.part.chapter, []).append(section)
        return chapters

    @property
    def bearing(self) -> set[str]:
        """The keys of the sections that bear on the question of the report: of a run what the first screen says, and the
        first section of each answer bound in; of an answer what was found, if it shows something, and the first picture."""
        if not self.of_answer:
            bound = {sections[0].part.key for sections in self.chapters.values() if sections[0].part.key.startswith(ANSWER)}
            return {section.part.key for section in self.sections} & {*bound, *SOON, MENDED}
        found = self.chapters.get(FOUND_CHAPTER, self.sections)
        pictured = [one for one in found if any(chart.key == self.first.chart for chart in one.part.charts)]
        return {section.part.key for section in [*pictured, *(one for one in found if one.shows)] or found[:1]}

    @property
    def damage(self) -> list[str]:
        """Sentences on damaged tables of the run, and the sections left out for them."""
        left_out: dict[str, list[str]] = {}
        for section in self.sections:
            if section.damaged:
                left_out.setdefault(section.problem, []).append(section.part.title)
        return [f"Left out: {', '.join(titles)}. {problem}." for problem, titles in left_out.items()]

    @property
    def screen(self) -> list[Finding]:
        """The sentences of the first screen, first those on damage."""
        return [*quoted(self.damage, Limit), *self.first.findings]

    @property
    def leading(self) -> Picture | None:
        """The chart of the first screen."""
        pictures = [picture for section in self.sections for picture in section.pictures]
        return next((picture for picture in pictures if picture.key == self.first.chart), None)


def build(
    run: Run,
    *,
    effects: Path | None = None,
    gifts: Sequence[Path] = (),
    boards: int = 1000,
    half_width: float = 0.01,
    margin: float = POINTS,
    margin_rounds: float = ROUNDS,
    beside: Sequence[Place] = (),
    restricted: Path | None = None,
    out: Path | None = None,
    answers: Sequence[Answer] = (),
    tell: Callable[[str], None] = lambda text: None,
    parts: Sequence[Part] = PARTS,
    more: Sequence[Part] = (),
    elsewhere: Callable[[], pd.DataFrame] | None = None,
    hear: Callable[[First], None] = lambda screen: None,
) -> Report:
    """Work out the report of a run, in progress or finished; `tell` hears what is being done.

    `effects` is a CSV file of a randomised experiment on world wonders, `gifts` the folders of other ones, `boards` the
    number of games replayed for the maps of where winners settle, `half_width` the precision wanted of the leaders' win
    rates (a share). `margin` (percentage points) and `margin_rounds` say what matters (`analysis.stats.verdicts`). `beside`
    are folders of runs under the same rules by other strategies: a chapter says which findings hold for all of them.
    `restricted` is the folder of an answer of `newdawn restrict` under the same rules: a chapter, too. `out` is where the
    report will be, for the commands of the first screen; `answers` are those already kept. `more` are further parts
    (`analysis/questions/plays.py`). `elsewhere` returns where winners settle, if another process works that out. `hear`
    gets headline, verdicts and sentences of the first screen as soon as they are known.
    """
    parts = [*parts, *more, *(depends_on_players.chapter_beside(run, beside) if beside else ())]
    if restricted is not None:
        parts += restrict.chapter(run, restricted)
    source = Source(
        run, effects=effects, half_width=half_width, margin=margin, margin_rounds=margin_rounds, gifts=gifts,
        elsewhere=elsewhere or (settled(run.path, boards) if boards else None),
    )  # fmt: skip
    sections = worked_out(parts, source, tell, SOON, lambda frames: hear(first_sentences(frames, source)))
    facts = overview(run)
    summary = f"{counted(facts['games'], 'game')} of {run.players} players"
    if facts["games"] < facts["planned"]:
        summary += f" (of {facts['planned']:,} planned; the run is not finished)"
    title = f"Balance report: {run.path.resolve().name}"
    frames = frames_of(sections)
    screen = first(frames, source, out, answers)
    origin, pages = provenance(run), leader_pages(frames, source, answers)
    return Report(title, summary, sections, limits(source), screen, origin, run.box, leaders=pages)


def worked_out(
    parts: Sequence[Part], source: Any, tell: Callable[[str], None] = lambda text: None, soon: Collection[str] = (),
    ready: Callable[[dict[str, pd.DataFrame]], None] = lambda frames: None,
) -> list[ReportSection]:  # fmt: skip
    """Return the sections of the parts that apply to the source; those with keys in `soon` are made first, for `ready`."""
    order = sorted(range(len(parts)), key=lambda place: parts[place].key not in soon)
    sections: dict[int, ReportSection] = {}
    for number, place in enumerate(order, 1):
        tell(f"{number} of {len(parts)}: {parts[place].title}")
        section = _section(parts[place], source)
        if section is not None:
            sections[place] = section
        if number == sum(part.key in soon for part in parts):
            ready(frames_of(sections.values()))
    return [sections[place] for place in sorted(sections)]


def frames_of(sections: Iterable[ReportSection]) -> dict[str, pd.DataFrame]:
    """Return the tables of sections by the keys of their parts."""
    return {section.part.key: section.frame for section in sections if section.frame is not None}


def _section(part: Part, source: Any) -> ReportSection | None:
    """Return the section of a part; None if it does not apply to this run."""
    try:
        frame = part.frame(source)
    except UserError as error:
        if part.strict:
            raise
        return ReportSection(part, None, [], [], [], str(error), isinstance(error, DamagedTable))
    if frame is None:
        return None
    present = [column for column in map(column_of, part.columns) if column.name in frame or not column.optional]
    columns = [column for column in present if column.kind != "flag" or frame[column.name].any()]
    shown = part.once(frame).head(part.rows)
    folded = () if part.fold is None else tuple(map(bool, part.fold(shown)))
    return ReportSection(part, frame, columns, cells(shown, columns), part.findings(frame, source), folded=folded)


def _picture(chart: Chart, frame: pd.DataFrame) -> Picture:
    """Draw a chart."""
    width, (title, caption) = chart.width(frame), chart.heading(frame)
    drawn = svg(partial(chart.draw, frame), chart.key, title, chart.height(frame), width)
    return Picture(chart.key, title, caption, drawn, width > WIDE)


def draw(report: Report) -> None:
    """Draw all charts now; they are kept for whoever asks later."""
    for section in report.sections:
        section.pictures  # noqa: B018


# --- Writing


def file_names(run: Run) -> list[str]:
    """Return the names of all files that a report of the run can have."""
    keys = [*(part.key for part in PARTS), *depends_on_players.keys(), *restrict.KEYS]
    rules = run.manifest.get("ruleset", {}).get("data", {})
    games = [export.film_file(name) for name in names_of(rules, "leader")] if "leaders" in rules else []
    return [PAGE, TEXT, *games, *export.FILES, *(f"{key}.csv" for key in keys), *provenance(run).files]


def write(
    report: Report, out: Path, page: bool = True, charts: bool = True, tables: Collection[str] | None = None,
    more: Mapping[str, str] | None = None,
) -> list[Path]:  # fmt: skip
    """Write the text, the house rules and map if any, and if wanted the page, the charts as SVG and the tables as CSV.

    `tables` names the tables by their keys; None means all; `more` are further files. Returns the files, the page first.
    Raises UserError if a table is unknown, a file would replace one that no report wrote, or a file cannot be written.
    """
    files = all_files(report, page, charts, tables) | dict(more or {})
    write_files(out, files, "report")
    return [out / name for name in files]


def all_files(report: Report, page: bool, charts: bool, tables: Collection[str] | None) -> dict[str, str]:
    """Return the files of a report by name, as `write` writes them."""
    keys = [section.part.key for section in report.sections if section.frame is not None]
    for key in tables or ():
        if key not in keys:
            raise unknown("table of this report", key, keys)
    files = ({PAGE: html(report)} if page else {}) | {TEXT: markdown(report, charts)}
    for section in report.sections:
        if charts:
            files |= {f"{picture.key}.svg": as_file(picture.svg) for picture in section.pictures}
        if section.frame is not None and (tables is None or section.part.key in tables):
            files[f"{section.part.key}.csv"] = render(section.frame, "csv") + "\n"
    return files | report.origin.files


def html(report: Report) -> str:
    """Return the page: style, script and charts are in it."""
    texts = {"certainties": CERTAINTIES, "intervals": INTERVALS, "paper_rows": PAPER_ROWS, "chapter_of_leaders": CHAPTER}
    return template("report.html.j2").render(report=report, **texts) + "\n"


def template(name: str) -> jinja2.Template:
    """Return a template of this room."""
    source = (resources.files("newdawn.analysis.report") / name).read_text("utf-8")
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters["marked"] = marked
    environment.filters["options"] = options
    return environment.from_string(source)


def marked(text: str) -> Markup:
    """Return a text as HTML, with code between backticks."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def options(command: str) -> Markup:
    """Return a command as HTML that breaks between options, not within them."""
    first, *rest = re.split(" (?=--)", command)
    return Markup(" ").join([escape(first), *(Markup("<span>{}</span>").format(option) for option in rest)])


def first_lines(report: Report) -> list[str]:
    """Return the first screen as lines of Markdown, which a terminal shows as well."""
    first = report.first
    lines = [f"**{first.headline}.**", ""] if first.headline else []
    for verdict in first.verdicts:
        meaning = f" ({verdict.meaning})" if verdict.meaning else ""
        lines.append(f"- **{verdict.words}**{meaning}: {', '.join(verdict.names)}")
    lines += ["", *_bullets(report.screen), ""]
    if first.changed:
        lines += [f"### {first.change}", "", *(f"- {line}" for line in (*first.changed, *first.rest)), ""]
    if first.house_rule:
        lines += ["As a house rule (`--rules FILE`):", "", "```yaml", first.house_rule, "```", ""]
    if first.steps:
        lines += ["### What to do next", ""]
        for step in first.steps:
            lines += [f"- {step.question} {step.answer or f'`{step.command}`'}"]
        lines.append("")
    return [*lines, *(f"- *{word}*: {text}" for word, text in first.meanings), ""]


def markdown(report: Report, charts: bool = True) -> str:
    """Return the report as Markdown; `charts`: with links to the pictures."""
    lines = [f"# {report.title} – {report.game}", "", f"{report.summary}. **{report.game}**.", "", "## At first sight", ""]
    lines += first_lines(report)
    if report.first.rows:
        table = pd.DataFrame(report.first.rows, columns=report.first.headings)
        lines += [render(table, "markdown"), "", report.first.note, ""]
    lines += [f"*{INTERVALS}*", ""]
    for chapter, sections in report.chapters.items():
        lines += [f"## {chapter}", ""]
        for section in sections:
            lines += _section_lines(section, charts)
    if report.leaders:
        lines += [f"## {CHAPTER}", ""]
    for leader in report.leaders:
        lines += [f"### {leader.name}: {leader.verdict}", "", *(f"- **{what}**: {text}" for what, text in leader.lines)]
        watch = f"[Watch it]({leader.film})" if leader.film else f"`{leader.watch}`"
        lines += [*([f"- **A game to watch**: {leader.game} {watch}"] if leader.game else []), ""]
    lines += ["## What the figures cannot say", "", *_bullets(report.limits), ""]
    lines += ["## Method", "", *(f"{text}\n" for text in report.method)]
    lines += dict.fromkeys(f"{section.part.method}\n" for section in report.sections if section.part.method)
    lines += ["## Provenance", "", *(f"- {name}: {value}" for name, value in report.origin.facts.items()), ""]
    lines += [f"{report.origin.note}\n"] if report.origin.note else []
    if report.origin.changes is not None:
        lines += ["Changes to the printed rules:", "", *(f"- {line}" for line in report.origin.changes or ["none"]), ""]
    if report.origin.commands:
        lines += ["To play it again:", "", "```sh", *report.origin.commands, "```", ""]
    return without_tags("\n".join(lines))


def _section_lines(section: ReportSection, charts: bool) -> list[str]:
    """Return a section as Markdown: findings, charts, table."""
    lines = [f"### {section.part.title}", "", *_bullets(section.findings or [section.brief]), ""]
    for picture in section.pictures if charts else ():
        lines += [f"![{picture.title}]({picture.key}.svg)", "", f"**{picture.title}.** {picture.caption}", ""]
    lines += [section.part.note, ""] if section.part.note and section.part.note != section.brief.text else []
    if section.frame is None:
        return lines
    lines += [_markdown_table(section), ""]
    return [*lines, f"{counted(section.left_out, 'more row')} in {section.part.key}.csv.", ""] if section.left_out else lines


def _bullets(findings: Sequence[Finding]) -> list[str]:
    return [f"- {finding.text} *({CERTAINTIES[finding.certainty][0]})*" for finding in findings]


def _markdown_table(section: ReportSection) -> str:
    headings = [column.heading for column in section.columns]
    return render(pd.DataFrame([[cell.text for cell in row] for row in section.rows], columns=headings), "markdown")
