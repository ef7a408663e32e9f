"""The page of a kept answer, alone or together with the page of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from ...simulator.errors import UserError, counted
from ...simulator.kept_files import asked_by
from ...simulator.late import Late
from ...simulator.runs import manifest
from ...simulator.runs.run_folder import Place
from ..pages.report_parts import Finding, Part
from ..pages.screen_parts import Answer, First
from ..pages.sentences import FOUND_CHAPTER, Made, quoted
from ..stats.claims import Limit
from ..tables.kept_answers import (
    AGAINST,
    AT_TABLES,
    CAVEATS,
    CHANGE_FILE,
    NOTES,
    SEARCHED,
    SENSITIVITY,
    VARIANTS,
    KeptAnswer,
    open_kept,
)
from ..tables.read import Run, open_run
from . import export
from . import page as report_page
from .first_screen import SENTENCES
from .page import Report, worked_out
from .provenance import Provenance

# --- An answer in one line


def line(kept: KeptAnswer) -> str:
    """Return what a comparison changed, what a search advises, else the first sentence of an answer, or of its page."""
    if kept.command in SEARCHED and SEARCHED[kept.command] in kept.tables:
        return str(ADVICE(kept))
    if kept.command in ("compare", "ban", "move"):
        return str(CHANGED(kept))
    if kept.sentences:
        return kept.sentences[0]
    findings = _made(kept, Path(), None)[1].findings
    return findings[0].text if findings else kept.title


# --- The page of an answer


def caveats_of(kept: KeptAnswer) -> list[Finding]:
    """Return what a reader of the answer must know of the rules."""
    texts = [*kept.words.get(CAVEATS, "").splitlines(), *kept.words.get(NOTES, "").splitlines()]
    return quoted([f"{text[0].upper()}{text[1:]}." for text in texts], Limit)


def build(kept: KeptAnswer, path: Path, out: Path | None = None) -> Report:
    """Return the page's report of an answer in the folder `path`; `out` is where the report will be."""
    with of_this_version(kept, path):
        parts, screen, method = _made(kept, path, out)
        sections = worked_out(parts, kept)
    facts = {name: str(value) for name, value in kept.facts.items()}
    lines = [kept.line] if kept.line else []
    played = f"All of this holds for games played by {kept.facts.get('strategies', 'those named below')}."
    played = kept.words.get("limit", played)
    summary = f"{kept.facts.get('compared', path.resolve().name)}; {kept.facts.get('players', '?')} players"
    return Report(
        kept.title, summary, sections, [*quoted([played], Limit), *caveats_of(kept)], screen,
        Provenance(facts, None, lines, files_of(screen)),
        kept.box, method, of_answer=True,
    )  # fmt: skip


def files_of(screen: First) -> dict[str, str]:
    """Return the files beside the page: the advised change as a house rule, and those of the screen."""
    return ({CHANGE_FILE: f"{screen.house_rule}\n"} if screen.house_rule else {}) | screen.files


def made(kept: KeptAnswer, path: Path, out: Path | None = None) -> Made:
    """Return parts, first screen and method of an answer; raise UserError if this version cannot read it."""
    with of_this_version(kept, path):
        found = _made(kept, path, out)
        worked_out(found[0], kept)
    return found


def _made(kept: KeptAnswer, path: Path, out: Path | None) -> Made:
    asked = {"out": out or path / "report"} if kept.command in SEARCHED else {}
    parts, screen, method = PAGES[kept.command](kept, **asked)
    if not screen.meanings and kept.command in ("experiment", "sensitivity"):
        screen = replace(screen, meanings=MEANINGS(kept)[:1])
    return parts, screen, method


@contextmanager
def of_this_version(kept: KeptAnswer, path: Path) -> Iterator[None]:
    """Raise UserError where this version cannot read the answer: a command or a column that it does not know."""
    if kept.command not in PAGES:
        raise UserError(f"{path}: an answer of '{kept.command}'; expected one of {', '.join(PAGES)}")
    try:
        yield
    except KeyError as missing:
        raise UserError(
            f"{path}: its tables have no column {missing}, so another version of newdawn kept them; "
            f"expected what this one keeps: ask again with `newdawn {asked_by(kept.command)}`"
        ) from None


def file_names(kept: KeptAnswer) -> list[str]:
    """Return the names of the tables that the page of an answer has."""
    if kept.command not in PAGES:
        return []
    parts, screen, _ = made(kept, Path())
    return [
        *(f"{part.key}.csv" for part in parts),
        *files_of(screen),
        export.PDF,
        export.ZIP,
        export.ONE_PAGE,
        export.ONE_PAGE_PDF,
    ]


# What the modules of questions make of their answers: a page needs the module of its own question only.
_COMPARED, _WAYS = Late("analysis.questions.compare:_compared"), Late("analysis.questions.depends_on_players:_ways")
_SEARCHED, _LADDER = Late("analysis.questions.search_page:_tuned"), Late("analysis.questions.ladder:_laddered")
PAGES: dict[str, Callable[..., Made]] = {
    "compare": _COMPARED, "ban": _COMPARED, "move": _COMPARED, VARIANTS[0]: Late("analysis.questions.variants:page"),
    "adapt": Late("analysis.questions.adapted:_both_answers"), "experiment": Late("analysis.questions.experiment:_experiment"),
    "tune": _SEARCHED, "balance": _SEARCHED, SENSITIVITY: Late("analysis.questions.sensitivity:_moved"),
    "ladder": _LADDER, "against": _LADDER, "goals": Late("analysis.goals.page:made"), "ways": _WAYS, "compare --ways": _WAYS,
    "restrict": Late("analysis.questions.restrict:_restricted"), "plays compare": Late("analysis.questions.plays:page"),
    "coalition": partial(Late("analysis.questions.coalition:page"), chapter=FOUND_CHAPTER),
    "fair": partial(Late("analysis.questions.fair:page"), chapter=FOUND_CHAPTER),
    **dict.fromkeys(
        (f"{command} {AT_TABLES}" for command in ("compare", "experiment", "run")), Late("analysis.questions.table_sizes:page"),
    ),
}  # fmt: skip
CHANGED, MEANINGS = Late("analysis.questions.compare:in_a_line"), Late("analysis.questions.compare:_meanings")
ADVICE, REACHES = Late("analysis.questions.search_page:advice_line"), Late("analysis.questions.search_page:reaches")
OF_EACH_LEADER = Late("analysis.questions.coalition:lines")


# --- A run and the answers about it on one page, and the answers beside a run
#
# An answer is about a run if it has the same rules (a comparison: on one side), box and number of players. Leaders and
# strategies may differ; the line of the answer says so.

# Commands that play other strategies on purpose.
OTHER_PLAYERS = ("ways", "compare --ways", "adapt", "restrict", "coalition", "ladder", "against", "fair")
UNREADABLE = (UserError, OSError, LookupError, TypeError, ValueError, AttributeError)
MOST_BESIDE = 5  # answers beside a run on its page


@dataclass(frozen=True)
class Bound:
    """An answer on a decision page: its folder, the kept answer, its parts with unique keys, and its first screen."""

    path: Path
    kept: KeptAnswer
    parts: list[Part]
    first: First
    method: Sequence[str]


# --- Folders that belong together


def sorted_out(folders: Sequence[Place]) -> tuple[Run, list[tuple[Path, KeptAnswer]]]:
    """Return the run among the folders and the answers about it; raise UserError if they do not belong together."""
    seen: dict[str, Place] = {}
    for folder in folders:
        same = str(folder.resolve()) if isinstance(folder, Path) else str(folder)
        if same in seen:
            raise UserError(f"{folder}: is named twice; expected a run and different folders of answers about it")
        seen[same] = folder
    opened = [(folder, open_kept(folder) if isinstance(folder, Path) else None) for folder in folders]
    runs = [folder for folder, kept in opened if kept is None]
    for folder in runs:
        if not (folder / manifest.FILE).is_file():
            raise UserError(f"{folder}: is neither a run nor an answer that newdawn kept; expected a folder of one of them")
    if not runs:
        names = ", ".join(str(folder) for folder in folders)
        raise UserError(f"{names}: are answers only; expected the run that they are about among them")
    if len(runs) > 1:
        raise UserError(f"{runs[0]} and {runs[1]}: are both runs; expected one, and others with --beside")
    run = open_run(runs[0])
    answers = [(folder, kept) for folder, kept in opened if kept is not None and isinstance(folder, Path)]
    for folder, kept in answers:
        check(run, folder, kept)
    return run, answers


def check(run: Run, folder: Path, kept: KeptAnswer) -> None:
    """Raise UserError if an answer is not about the run: other rules, another box, other players."""
    if kept.command not in PAGES:
        raise UserError(f"{folder}: an answer of '{kept.command}'; expected one of {', '.join(PAGES)}")
    if kept.box != run.box:
        raise UserError(f"{folder}: asked of the box {kept.box}; expected {run.box}, which the run {run.path} is of")
    if run.players not in kept.counts:
        raise UserError(
            f"{folder}: asked of {kept.facts.get('players')} players; expected {run.players} as in the run {run.path}"
        )
    rules = run.manifest.get("ruleset", {})
    sides = [str(kept.facts.get(name, "")) for name in ("rules", AGAINST)]
    if not any(side.endswith(f" {rules.get('digest')}") for side in sides):
        asked = " and ".join(f"'{side.rpartition(', SHA-256 ')[0]}'" for side in sides if side)
        raise UserError(f"{folder}: asked under the rules {asked}; expected those of the run {run.path}, '{rules.get('name')}'")


def beside(run: Run) -> list[Answer]:
    """Return the answers about a run, by the same players, in its folder or beside it; those in its folder first."""
    if not isinstance(run.path, Path):
        return []
    here, answers = run.path.resolve(), []
    for folder in [*_inside(here), *(folder for folder in _inside(here.parent) if folder != here)]:
        try:
            kept = open_kept(folder) if folder.is_dir() else None
            if kept is not None:
                check(run, folder, kept)
                if not other_players(run, kept) or kept.command in OTHER_PLAYERS:
                    answers.append(answer(run, folder, kept))
        except UNREADABLE:
            continue  # not about this run, or unreadable: nobody named it
    return answers[:MOST_BESIDE]


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def other_players(run: Run, kept: KeptAnswer) -> str:
    """Return who played, if not the strategies of the run; else ''."""
    played = kept.facts.get("strategies", "")
    own = run.manifest.get("plan", {}).get("strategies", ())
    return "" if set(played.split(", ")) == set(own) else played


def answer(run: Run, folder: Path, kept: KeptAnswer) -> Answer:
    """Return an answer for the report of the run; its line names the strategies if they are others."""
    other = "" if kept.command in OTHER_PLAYERS else other_players(run, kept)
    text = f"{line(kept).rstrip('.')}; played by {other}." if other else line(kept)
    of_each = OF_EACH_LEADER(kept) if kept.command == "coalition" else {}
    return Answer(kept.command, kept.words.get("figure", ""), text, folder, kept.title, of_each)


# --- The page


def bind(run: Run, answers: Sequence[tuple[Path, KeptAnswer]], **settings: Any) -> Report:
    """Return the decision page of a run and answers about it: one first screen, the run's chapters, and a chapter an answer."""
    bound = [_bound(number, path, kept, settings.get("out")) for number, (path, kept) in enumerate(answers, 1)]
    summaries = [answer(run, path, kept) for path, kept in answers]
    report = report_page.build(run, answers=summaries, **settings)
    sections = [section for each in bound for section in worked_out(each.parts, each.kept)]
    commands = [*report.origin.commands, *(each.kept.line for each in bound if each.kept.line)]
    screen = _first(report.first, bound, summaries)
    files = {**report.origin.files, **files_of(screen)}
    return replace(
        report,
        title=f"Decision page: {run.path.resolve().name}",
        summary=f"{report.summary}, and {counted(len(bound), 'answer')}",
        sections=[*sections, *report.sections],
        first=screen,
        origin=replace(report.origin, commands=commands, files=files),
        method=list(dict.fromkeys([*report.method, *(text for each in bound for text in each.method)])),
    )


def bound_file_names(run: Run, answers: Sequence[tuple[Path, KeptAnswer]]) -> list[str]:
    """Return the names of the files that the page can have."""
    bound = [_bound(number, path, kept) for number, (path, kept) in enumerate(answers, 1)]
    own = [name for each in bound for name in files_of(each.first)]
    return [*report_page.file_names(run), *(f"{part.key}.csv" for each in bound for part in each.parts), *own]


def _bound(number: int, path: Path, kept: KeptAnswer, out: Path | None = None) -> Bound:
    """Return an answer in a chapter of its own, its parts with keys that are unique on the page."""
    parts, first, method = made(kept, path, out)
    prefix = f"{report_page.ANSWER}{number}"
    chapter = f"{kept.title} (newdawn {asked_by(kept.command)})"
    renamed = [
        replace(part, key=f"{prefix}-{part.key}", chapter=chapter,
                charts=tuple(replace(chart, key=f"{prefix}-{chart.key}") for chart in part.charts))
        for part in parts
    ]  # fmt: skip
    return Bound(path, kept, renamed, first, method)


def _first(own: First, bound: Sequence[Bound], answers: Sequence[Answer]) -> First:
    """Return the first screen: the run's first sentences and verdicts, the advice, and each answer in a line."""
    best = min((each for each in bound if each.kept.command in SEARCHED), key=_rank, default=None)
    if best is None:
        changes = [x for x in answers if x.command in ("compare", "ban", "move")]
        findings = quoted([f"{x.title[:1].upper()}{x.title[1:]}: {x.line}" for x in changes])
    else:
        findings = best.first.findings
    links = {
        text: f"#{each.parts[0].key}"
        for x, each in zip(answers, bound, strict=True)
        for text in ((x.line, *x.lines.values()) if each.parts else ())
    }
    meanings: dict[str, str] = {}
    for term, text in [*own.meanings, *(pair for each in bound for pair in each.first.meanings)]:
        meanings.setdefault(term, text)
    return replace(
        own,
        findings=[*own.findings[: SENTENCES - len(findings[:2])], *findings[:2]],
        change=own.change if best is None else best.first.change,
        changed=[] if best is None else best.first.changed,
        house_rule="" if best is None else best.first.house_rule,
        steps=[
            *(replace(step, link=links.get(step.answer, "")) for step in own.steps),
            *([] if best is None else best.first.steps),
        ],
        meanings=list(meanings.items()),
    )


def _rank(bound: Bound) -> int:
    """Return 0 for advice that reaches its target, 1 for other advice, 2 for a search without confirmation."""
    if SEARCHED[bound.kept.command] not in bound.kept.tables:
        return 2
    return int(not REACHES(bound.kept))
