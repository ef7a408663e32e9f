"""`newdawn report`: the page of a run, or of answers."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from ...simulator import late
from ...simulator.errors import counted
from ...simulator.kept_files import asked_by
from ...simulator.runs.run_folder import Place
from . import shared
from .margins import MARGIN, MARGIN_ROUNDS, Share
from .shared import PATH, PLACE, Names, json_option, rare, tell, tell_json

SAMPLE = 1000  # games played again for the maps of where winners settle


@click.command()
@click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR [DIR]...")
@click.option(
    "--out", type=PATH, metavar="DIR",
    help="Folder for the report [default: DIR/report, of several DIR/decision; at an address: results/report-NAME].",
)  # fmt: skip
@click.option(
    "--effects", type=PATH, multiple=True, metavar="DIR",
    help="The folder of an experiment (repeatable), or a CSV file of wonders with wonder,effect,low,high,n,cost.",
)  # fmt: skip
@click.option(
    "--beside", type=PLACE, multiple=True, metavar="RUN",
    help="A run of the same rules by another strategy (repeatable): a chapter says which findings hold for all. Or a "
    "folder of real plays (`newdawn plays import`): a chapter says whether people play like this run.",
)  # fmt: skip
@click.option(
    "--restricted", type=PATH, metavar="DIR",
    help="A folder of `restrict --out` under the same rules: a chapter says what parts of the game are worth.",
)  # fmt: skip
@rare(
    "--boards", type=click.IntRange(0), default=SAMPLE, show_default=True,
    help="Games to replay for the maps of where winners settle (0: no maps, and no games of the leaders to watch).",
)  # fmt: skip
@click.option("--half-width", type=Share(), default=0.01, help="Precision wanted for the leaders' win rates [default: 1%].")
@MARGIN
@MARGIN_ROUNDS
@rare("--page/--no-page", default=True, help="Write the HTML page.")
@click.option("--pdf", is_flag=True, help="Print the page as PDF beside it, where Chromium, Chrome or Edge is installed.")
@click.option("--zip", "zipped", is_flag=True, help="Pack page, tables and rules into one file to hand over: report.zip.")
@click.option(
    "--one-file", is_flag=True,
    help="Also write report-with-games.html: page and games in one file, to filter and to replay without a server.",
)  # fmt: skip
@click.option(
    "--one-page", is_flag=True,
    help="Also write the page to hand round: one-page.html and, where Chromium, Chrome or Edge is installed, one-page.pdf.",
)  # fmt: skip
@rare("--charts/--no-charts", default=True, help="Write the charts of report.md as SVG files.")
@rare("--tables", type=Names(), metavar="A,B,…", help="Tables to write as CSV, such as leaders,wonders [default: all].")
@shared.quiet
@json_option
def report(
    folders: tuple[Place, ...], out: Path | None, effects: tuple[Path, ...], beside: tuple[Place, ...],
    restricted: Path | None, boards: int, half_width: float, margin: float, margin_rounds: float, page: bool, pdf: bool,
    zipped: bool, one_file: bool, one_page: bool, charts: bool, tables: tuple[str, ...] | None, quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Write a run's report: what is unbalanced, what to do next, charts, tables, method, provenance.

    \b
    newdawn report results/first
    newdawn report results/first --effects wonders.csv --out first-report
    newdawn report results/first results/balance results/compare
    newdawn report results/first --pdf --zip
    newdawn report results/first --one-file
    newdawn report results/compare --one-page

    The page needs no network and no other file. The same text is in report.md and the files beside it. A run that is still
    being played, or was stopped, is reported as far as it goes. If a table is damaged, the page first says what is left
    out, and the exit code is 1.

    DIR may also be a folder written by `compare --out`, `experiment`, `tune --out`, `balance`, `sensitivity`, `ladder
    --out`, `restrict --out` or `ways --out`. The page then says what changes, by how much, how sure that is, and for whom.

    The first page of every report on paper is one to hand round: question, answer, how sure, who played, what is changed, what
    to play tonight, and how to ask again. --one-page writes it alone, too.

    Several DIR, a run and answers about it, become a decision page: one first screen, and a chapter for each answer. A
    run's first screen also shows answers in its folder or beside it.
    """
    steps = Steps(quiet)
    more: dict[str, str] = {}
    printed = False  # the first sentences, before everything else was known
    try:
        from ...analysis.questions.depends_on_players import open_ways
        from ...analysis.questions.expansion import read_effects, read_gifts
        from ...analysis.questions.restrict import chapter
        from ...analysis.report import answer_page, build, export, write
        from ...analysis.report import one_page as one_page_of
        from ...analysis.report.page import PAGE, TEXT, all_files, draw, html
        from ...analysis.report.second_process import beside as beside_process
        from ...analysis.report.second_process import films as films_of
        from ...analysis.report.second_process import settled
        from ...analysis.tables.kept_answers import ADDRESS, open_kept
        from ...analysis.tables.read import open_run
        from ...simulator.errors import UserError
        from ...simulator.file_ownership import check_files
        from ...simulator.plays.plays_folder import is_plays

        # Errors in the options are raised before the work.
        for option, given in (("--pdf", pdf), ("--zip", zipped), ("--one-file", one_file), ("--one-page", one_page)):
            if given and not page:
                raise UserError(f"{option} and --no-page: expected one of the two")
        program = export.browser() if pdf else ""
        onefile = late.module("analysis.web.onefile") if one_file else None
        run, answers = answer_page.sorted_out(folders) if len(folders) > 1 else (None, [])
        folder = folders[0] if run is None else run.path
        name = "report" if run is None else "decision"
        out = out or (folder / name if isinstance(folder, Path) else Path("results") / f"{name}-{folder.name}")
        kept = open_kept(folder) if isinstance(folder, Path) and run is None else None
        if kept is not None and (beside or restricted):
            option = "--beside" if beside else "--restricted"
            raise UserError(f"{folder}: holds an answer of `newdawn {asked_by(kept.command)}`; {option} expects a run")
        if kept is not None and one_file:
            raise UserError(f"{folder}: holds an answer of `newdawn {asked_by(kept.command)}`; --one-file expects a run")
        if isinstance(folder, Path) and kept is not None:
            names = [PAGE, TEXT, *answer_page.file_names(kept)]
            check_files(out, names, "report")
            check_tables(tables, names)
            made = answer_page.build(kept, folder, out)
            sheet = one_page_of.of_answer(kept, made, kept.words.get(ADDRESS, ""))
        else:
            run = run or open_run(folder)
            if onefile is not None:
                onefile.check(run)
            names = answer_page.bound_file_names(run, answers)
            check_files(out, names, "report")
            wonders, gifts = sorted_by_kind(effects)
            if wonders is not None:
                read_effects(wonders)
            if gifts:
                read_gifts(gifts)
            real = [place for place in beside if is_plays(place)]
            beside = tuple(place for place in beside if place not in real)
            if beside:
                open_ways([folder, *beside])
            if len(real) > 1:
                raise UserError(f"--beside: {real[0]} and {real[1]} both hold real plays; expected one such folder")
            of_plays = late.module("analysis.questions.plays").chapter(run, real[0], beside) if real else []
            check_files(out, [f"{part.key}.csv" for part in of_plays], "report")
            check_tables(tables, [*names, *(f"{part.key}.csv" for part in of_plays)])
            if restricted:
                chapter(run, restricted)
            options: dict[str, Any] = {
                "effects": wonders, "gifts": gifts, "boards": boards, "half_width": half_width, "margin": 100 * margin,
                "margin_rounds": margin_rounds, "beside": beside, "restricted": restricted, "out": out, "tell": steps.tell,
                "more": of_plays,
            }  # fmt: skip
            tasks: dict[str, Any] = {"places": settled(folder, boards)} if boards else {}
            if page and boards:
                tasks["films"] = films_of(folder)
            with beside_process(tasks) as result:
                options["elsewhere"] = (lambda: result("places")) if boards else None
                if answers:
                    made = answer_page.bind(run, answers, **options)
                else:
                    heard = None if as_json else partial(_hear, steps)
                    made = build(run, answers=answer_page.beside(run), hear=heard or (lambda screen: None), **options)
                    printed = heard is not None
                if page or charts:
                    steps.tell("charts")
                    draw(made)  # while the second process makes the films
                if "films" in tasks:
                    steps.tell("games to watch")
                    films = result("films")
                    files_of = {name: export.film_file(name) for name in films}
                    more |= {files_of[name]: text for name, (_, text) in films.items()}
                    first = next(iter(films.items()), None)
                    made = replace(
                        made, leaders=[replace(leader, film=files_of.get(leader.name, "")) for leader in made.leaders],
                        film=(files_of[first[0]], first[1][0]) if first else ("", ""),
                    )  # fmt: skip
            sheet = one_page_of.of_run(made, _address_of(run))
            if zipped:
                more[export.RULES] = export.rules_of(run)
            if onefile is not None:
                steps.tell("the games, for one file")
                plain = replace(made, film=("", ""), leaders=[replace(leader, film="") for leader in made.leaders])
                whole = all_files(made, False, False, None)
                more[export.WITH_GAMES] = onefile.page(html(plain), run, whole, steps.tell)
        made = replace(made, handout=one_page_of.fragment(sheet))
        if one_page:
            more[one_page_of.PAGE] = one_page_of.html(sheet, made.title)
        steps.end()
        files = write(made, out, page, charts, tables, more)
        files += _on_paper(out) if one_page else []
        files += [export.write_pdf(files[0], program)] if pdf else []
        files += [export.write_zip(files, out, f"{folder.name}-{name}")] if zipped else []
    except KeyboardInterrupt:
        steps.end()
        click.echo("stopped: no report was written; give the same command to start again", err=True)
        raise SystemExit(130) from None
    if as_json:
        facts = {"report": str(files[0]), "files": [str(file) for file in files[1:]], "damage": made.damage}
        tell_json(facts | _screen(made))
    else:
        if not printed:
            _tell_verdict(made.first, made.screen)
        _tell_further(made.first)
        click.echo(f"\nreport: {files[0]} ({counted(len(files) - 1, 'more file')} beside it)")
    for line in made.damage:
        click.echo(f"damaged: {line}", err=True)
    if made.damage:
        raise SystemExit(1)


def _address_of(run: Any) -> str:
    """Return the address at which the lab's page plays a run; "" if it cannot, or the manifest does not say what was played."""
    from ...analysis.web.lab_address import address_of
    from ...simulator.errors import UserError
    from ...simulator.runs import manifest

    try:
        contents = manifest.contents(run.path)
        return address_of(contents.ruleset, contents.plan)
    except UserError:
        return ""


def _on_paper(out: Path) -> list[Path]:
    """Print the page to hand round as PDF beside it, if there is a browser that prints; say so if there is none."""
    from ...analysis.report import export, one_page
    from ...simulator.errors import UserError

    try:
        program = export.browser("--one-page")
    except UserError as error:
        click.echo(f"note: {error}", err=True)
        return []
    return [export.write_pdf(out / one_page.PAGE, program, one_page.PDF)]


def check_tables(tables: Sequence[str] | None, files: Sequence[str]) -> None:
    """Raise UserError for a table that no report with these files has."""
    from ...simulator.errors import unknown

    keys = [name.removesuffix(".csv") for name in files if name.endswith(".csv")]
    for key in tables or ():
        if key not in keys:
            raise unknown("table of this report", key, keys)


def _screen(made: Any) -> dict[str, Any]:
    """Return the first screen for JSON."""
    first = made.first
    return {
        "headline": first.headline,
        "verdicts": {verdict.words: verdict.names for verdict in first.verdicts},
        "findings": [finding.text for finding in made.screen],
        "changed": [*first.changed, *first.rest],
        "house_rule": first.house_rule,
        "next": [asdict(step) for step in first.steps],
    }


def _hear(steps: Steps, first: Any) -> None:
    """Print the verdict of a run while the rest of its report is worked out."""
    steps.end()
    _tell_verdict(first, first.findings)
    sys.stdout.flush()


def _tell_verdict(first: Any, findings: Sequence[Any]) -> None:
    """Print headline, verdicts and sentences of the first screen."""
    tell(f"{first.headline}.\n" if first.headline else "")
    for verdict in first.verdicts:
        tell(f"{verdict.words}{f' ({verdict.meaning})' if verdict.meaning else ''}: {', '.join(verdict.names)}")
    tell("")
    for finding in findings:
        tell(finding.text.replace("`", ""))


def _tell_further(first: Any) -> None:
    """Print what to change and what to do next; commands in lines of their own."""
    if first.changed:
        tell(f"\n{first.change}:")
    for line in (*first.changed, *first.rest):
        tell(f"- {line.replace('`', '')}")
    if first.house_rule:
        click.echo(f"\nAs a house rule (--rules FILE):\n{first.house_rule}")
    if first.steps:
        click.echo("\nWhat to do next:")
    for step in first.steps:
        tell(f"- {step.question} {step.answer}".replace("`", "").rstrip())
        if step.command:
            click.echo(f"  {step.command}")


def sorted_by_kind(paths: tuple[Path, ...]) -> tuple[Path | None, list[Path]]:
    """Return the experiment on world wonders, if any, and the others; raise UserError if two are of one kind."""
    from ...analysis.questions.expansion import OF_WONDER as WONDER
    from ...analysis.questions.expansion import kind_of
    from ...simulator.errors import UserError

    kinds: dict[str, Path] = {}
    for path in paths:
        kind = kind_of(path)
        if kind in kinds:
            raise UserError(f"{path}: effects of a {kind} are given twice (--effects); expected one experiment of each kind")
        kinds[kind] = path
    return kinds.pop(WONDER, None), list(kinds.values())


class Steps:
    """Writes to stderr which part is being made: one line renewed on a terminal, a line each elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.tty = sys.stderr.isatty()
        self.started = time.monotonic()
        self.width = 0

    def tell(self, text: str) -> None:
        """Write the next part."""
        if self.quiet:
            return
        line = f"{text} ({time.monotonic() - self.started:.0f} s)"
        click.echo(f"\r{line.ljust(self.width)}" if self.tty else line, err=True, nl=not self.tty)
        self.width = len(line)

    def end(self) -> None:
        """Clear the line."""
        if self.tty and not self.quiet:
            click.echo("\r" + " " * self.width + "\r", err=True, nl=False)
