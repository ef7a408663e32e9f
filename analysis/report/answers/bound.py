"""A run and the answers about it on one page, and the answers that lie beside a run.

An answer is about a run if it was asked under its rules (a comparison: if one side has them), in the same box and of as many
players. Which leaders and strategies played may differ; a line of an answer says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ....simulator.batch import manifest
from ....simulator.batch.places import Place
from ....simulator.errors import UserError
from ....simulator.wording import counted
from ...tables.kept import AGAINST, Kept, open_kept
from ...tables.read import Run, open_run
from ...trials.confirm import BETTER, ON
from .. import page
from ..first import SENTENCES, First
from ..next import Answer
from ..page import Report, worked_out
from ..part import Finding, Part
from . import comparisons
from .lines import SEARCHED, judged, line

# Other players are their question, or play beside the run's.
OTHER_PLAYERS = ("ways", "compare --ways", "compare --adapt", "restrict", "coalition", "ladder", "against")
UNREADABLE = (UserError, OSError, LookupError, TypeError, ValueError, AttributeError)
MOST_BESIDE = 5  # answers found beside a run that its page tells


@dataclass(frozen=True)
class Bound:
    """An answer of a decision page: its place, what was kept, its parts with keys of their own, and its first screen."""

    path: Path
    kept: Kept
    parts: list[Part]
    first: First
    method: Sequence[str]


# --- Which folders belong together


def sorted_out(folders: Sequence[Place]) -> tuple[Run, list[tuple[Path, Kept]]]:
    """Return the run among the folders and the answers about it; raise UserError if they do not belong together."""
    seen: dict[str, Place] = {}
    for folder in folders:
        same = str(folder.resolve()) if isinstance(folder, Path) else str(folder)
        if same in seen:
            raise UserError(f"{folder}: is named twice; expected a run and different folders of answers about it")
        seen[same] = folder
    found = [(folder, open_kept(folder) if isinstance(folder, Path) else None) for folder in folders]
    runs = [folder for folder, kept in found if kept is None]
    for folder in runs:
        if not (folder / manifest.FILE).is_file():
            raise UserError(f"{folder}: is neither a run nor an answer that newdawn kept; expected a folder of one of them")
    if not runs:
        named = ", ".join(str(folder) for folder in folders)
        raise UserError(f"{named}: are answers only; expected the run that they are about among them")
    if len(runs) > 1:
        raise UserError(f"{runs[0]} and {runs[1]}: are both runs; expected one, and others with --beside")
    run = open_run(runs[0])
    answers = [(folder, kept) for folder, kept in found if kept is not None and isinstance(folder, Path)]
    for folder, kept in answers:
        check(run, folder, kept)
    return run, answers


def check(run: Run, folder: Path, kept: Kept) -> None:
    """Raise UserError if an answer is not about the run: other rules, another box, other players."""
    if kept.command not in comparisons.PAGES:
        raise UserError(f"{folder}: an answer of '{kept.command}'; expected one of {', '.join(comparisons.PAGES)}")
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
    """Return the answers about a run, by the same players, that lie in its folder or beside it."""
    if not isinstance(run.path, Path):
        return []
    here, found = run.path.resolve(), []
    for folder in sorted({*_inside(here), *_inside(here.parent)} - {here}):
        try:
            kept = open_kept(folder) if folder.is_dir() else None
            if kept is not None:
                check(run, folder, kept)
                if not other_players(run, kept) or kept.command in OTHER_PLAYERS:
                    found.append(answer(run, folder, kept))
        except UNREADABLE:
            continue  # not of this run, or not to be read: it was not asked for
    return found[:MOST_BESIDE]


def _inside(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def other_players(run: Run, kept: Kept) -> str:
    """Return who played, where that were not the strategies of the run."""
    played = kept.facts.get("strategies", "")
    own = run.manifest.get("plan", {}).get("strategies", ())
    return "" if set(played.split(", ")) == set(own) else played


def answer(run: Run, folder: Path, kept: Kept) -> Answer:
    """Return an answer as a report of the run tells it; one by other players says who they were."""
    other = "" if kept.command in OTHER_PLAYERS else other_players(run, kept)
    text = f"{line(kept).rstrip('.')}; played by {other}." if other else line(kept)
    return Answer(kept.command, kept.words.get("figure", ""), text, folder, kept.title)


# --- The page


def bind(run: Run, answers: Sequence[tuple[Path, Kept]], **settings: Any) -> Report:
    """Return the decision page of a run and answers about it: one first screen, the run's chapters, and a chapter an answer."""
    bound = [_bound(number, path, kept, settings.get("out")) for number, (path, kept) in enumerate(answers, 1)]
    said = [answer(run, path, kept) for path, kept in answers]
    report = page.build(run, answers=said, **settings)
    sections = [section for one in bound for section in worked_out(one.parts, one.kept)]
    commands = [*report.origin.commands, *(one.kept.line for one in bound if one.kept.line)]
    screen = _first(report.first, bound, said)
    files = {**report.origin.files, **comparisons.files_of(screen)}
    return replace(
        report,
        title=f"Decision page: {run.path.resolve().name}",
        summary=f"{report.summary}, and {counted(len(bound), 'answer')}",
        sections=[*sections, *report.sections],
        first=screen,
        origin=replace(report.origin, commands=commands, files=files),
        method=list(dict.fromkeys([*report.method, *(text for one in bound for text in one.method)])),
    )


def file_names(run: Run, answers: Sequence[tuple[Path, Kept]]) -> list[str]:
    """Return the names of the files that the page can have."""
    bound = [_bound(number, path, kept) for number, (path, kept) in enumerate(answers, 1)]
    own = [name for one in bound for name in comparisons.files_of(one.first)]
    return [*page.file_names(run), *(f"{part.key}.csv" for one in bound for part in one.parts), *own]


def _bound(number: int, path: Path, kept: Kept, out: Path | None = None) -> Bound:
    """Return an answer with keys that no other part of the page has, in a chapter of its own."""
    parts, first, method = comparisons.made(kept, path, out)
    named = f"answer{number}"
    chapter = f"{kept.title} (newdawn {kept.command})"
    renamed = [
        replace(part, key=f"{named}-{part.key}", chapter=chapter,
                charts=tuple(replace(chart, key=f"{named}-{chart.key}") for chart in part.charts))
        for part in parts
    ]  # fmt: skip
    return Bound(path, kept, renamed, first, method)


def _first(own: First, bound: Sequence[Bound], answers: Sequence[Answer]) -> First:
    """Return the one first screen: the run's first sentence and verdicts, the advice, all answers in a line each."""
    best = next(iter(sorted((one for one in bound if one.kept.command in SEARCHED), key=_rank)), None)
    if best is None:
        said = [
            Finding(f"{one.title[:1].upper()}{one.title[1:]}: {one.line}")
            for one in answers
            if one.command in ("compare", "ban")
        ]
    else:
        said = list(best.first.findings[:2])
    by_line = {one.line: f"#{each.parts[0].key}" for one, each in zip(answers, bound, strict=True) if each.parts}
    meanings: dict[str, str] = {}
    for word, text in [*own.meanings, *(pair for one in bound for pair in one.first.meanings)]:
        meanings.setdefault(word, text)
    return replace(
        own,
        findings=[*own.findings[: SENTENCES - len(said[:2])], *said[:2]],
        change=own.change if best is None else best.first.change,
        changed=[] if best is None else best.first.changed,
        house_rule="" if best is None else best.first.house_rule,
        steps=[
            *(replace(step, link=by_line.get(step.answer, "")) for step in own.steps),
            *([] if best is None else best.first.steps),
        ],
        meanings=list(meanings.items()),
    )


def _rank(one: Bound) -> int:
    """Return 0 for advice that reaches its target, else 1."""
    if SEARCHED[one.kept.command] not in one.kept.tables:
        return 2
    frame, at = judged(one.kept)
    return int(frame.iloc[at]["verdict"] not in (ON, BETTER))
