"""`newdawn plays`: real plays from people's logs, and whether people play like the strategies."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ...simulator import names
from ...simulator.errors import UserError, counted, listed
from ...simulator.runs.run_folder import Place
from . import shared
from .answers import check_answer
from .shared import PATH, PLACE, json_option, output_options, ruleset_of, table, tell, tell_json

if TYPE_CHECKING:
    from ...simulator.plays.asked import Answers, Question
    from ...simulator.plays.log import Log

SHOWN = 12  # spellings listed on the screen


@click.group()
def plays() -> None:
    """Read logs of real plays, and compare them with the simulation.

    \b
    newdawn plays new plays.csv                        a table to fill in, one row per seat
    newdawn plays import plays.csv --out results/plays
    newdawn plays compare results/plays --with results/first
    """


@plays.command()
@click.argument("file", type=PATH, metavar="FILE")
def new(file: Path) -> None:
    """Write a commented CSV file to fill in: one row per seat, a minute a game.

    \b
    newdawn plays new plays.csv

    An existing file is never overwritten.
    """
    from ...simulator.file_ownership import write_alone
    from ...simulator.plays.headings import template

    try:
        write_alone(file, template().encode(), over=False)
    except FileExistsError:
        raise UserError(f"{file}: already exists and is not overwritten; expected another file", file=str(file)) from None
    click.echo(f"{file}: fill it in; `newdawn plays import {file}` reads it.")


@plays.command("import")
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@click.option("--out", type=PATH, metavar="DIR", default=Path("results/plays"), show_default=True, help="Folder for the plays.")
@click.option("--show", is_flag=True, help="Show how the files are read, and keep nothing.")
@click.option("--skip-unknown", is_flag=True, help="Leave out what is faulty, and import the rest.")
@click.option("--game", default="", metavar="NAME", help="Title of the game in the log, or its number at BoardGameGeek.")
@click.option(
    "--columns", multiple=True, metavar="WHAT=HEADING,...",
    help="Which column is what: won=rank:1,person=Player,seat=Ann,ignore=Banned (repeatable).",
)  # fmt: skip
@click.option("--dates", type=click.Choice(names.DATE_ORDERS), help="What 03/04/2026 means: day or month first.")
@click.option(
    "--shared-wins", type=click.Choice(names.SHARED_WINS), help="What a win of several is, where the log does not say so."
)
@click.option("--programs", type=shared.Names(), default=(), metavar="NAME,...", help="Players that are programs.")
@click.option("--persons", type=shared.Names(), default=(), metavar="NAME,...", help="Players that are persons.")
@click.option("--sheet", default="", metavar="NAME", help="The sheet of a workbook.")
@click.option("--keep-both", is_flag=True, help="Count equal games of different files as different games.")
@click.option("--yes", is_flag=True, help="Keep the plays without asking.")
@shared.rules
@json_option
def import_(
    files: tuple[Path, ...], out: Path, show: bool, skip_unknown: bool, game: str, columns: tuple[str, ...], dates: str | None,
    shared_wins: str | None, programs: tuple[str, ...], persons: tuple[str, ...], sheet: str, keep_both: bool, yes: bool,
    box: str, rules_files: tuple[Path, ...], map_file: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Import logs of real plays: tables (CSV, xlsx), exports of BG Stats, BoardGameGeek, NemeStats, games played here.

    \b
    newdawn plays import BGStatsExport.json
    newdawn plays import plays.csv --box terra-incognita --out results/plays
    newdawn plays import nights.xlsx --columns won=Place:1,ignore=Banned --dates day-first
    newdawn plays import results/played

    Each seat needs a leader, each play a winner. Turn order, people, rounds, minutes and victory cards are read if they
    were noted. A folder stands for the logs in it. How the files are read is shown before anything is kept.

    Nothing is guessed. What is not certain is asked on a terminal; elsewhere nothing is imported, and the option that says it
    is named. Answers are kept beside the plays, for the next import into the same folder. Every fault is listed on a line
    of its own, and nothing is kept unless you say --skip-unknown. Then plays that lack a leader or a winner are left out, and
    other plays lose only the faulty entry. Importing into the same folder again replaces its plays.
    """
    from ...simulator.plays import asked, plays_folder, writing
    from ...simulator.plays.log import read_log

    plays_folder.check(out)
    ruleset = ruleset_of(rules_files, map_file, box)
    given = asked.Answers(asked.columns_of(columns), dates or "", shared_wins or "", programs, persons, sheet)
    answers = given.over(asked.read(out))
    log = read_log(files, ruleset.data, ruleset.box, game, answers, keep_both)
    while log.questions and _on_a_terminal() and not as_json:
        answers = _answered(log.questions[0], answers)
        log = read_log(files, ruleset.data, ruleset.box, game, answers, keep_both)
    if log.questions:
        _refuse(log.questions)
    faults = [str(fault) for fault in log.faults]
    for line in faults:
        click.echo(line, err=True)
    if faults and not skip_unknown:
        where = counted(len({fault.file for fault in log.faults}), "file")
        raise UserError(
            f"{counted(len(faults), 'fault')} in {where}: nothing was imported; expected logs without "
            "faults, or --skip-unknown to leave out what is faulty"
        )
    if not log.plays:
        left = _left(log.left)
        other = (
            f"; if one of these is it, name it with --game: {_titles(log.others)} (if they name plays: --columns play=HEADING)"
            if log.others else ""
        )  # fmt: skip
        raise UserError(f"{listed(files)}: no plays to import{f': {left}' if left else ''}; expected at least one{other}")
    if not as_json:
        _show(log, answers, keep_both)
    if show:
        if as_json:
            tell_json(
                {
                    "plays": len(log.plays),
                    "reading": writing.reading_of(log),
                    "left_alone": dict(log.left),
                    "left_out": faults,
                }
            )
        else:
            tell(f"Nothing was kept (--show). These are {counted(len(log.plays), 'play')}.")
        return
    if not (yes or as_json) and _on_a_terminal() and not click.confirm(f"Keep these {counted(len(log.plays), 'play')}?", True):
        raise UserError("nothing was kept; say otherwise what a column is with --columns (newdawn plays import --help)")
    manifest = writing.write(out, log, ruleset, faults)
    asked.write(out, answers)
    if as_json:
        tell_json({"folder": str(out)} | {key: value for key, value in manifest.items() if key not in ("ruleset", "files")})
        return
    _tell(out, log, manifest)


def _on_a_terminal() -> bool:
    """Say whether someone can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _answered(question: Question, answers: Answers) -> Answers:
    """Ask, and return the answers with that one."""
    tell(f"{question.file}: {question.about}")
    for k, (option, value, meaning) in enumerate(question.ways, 1):
        click.echo(f"  {k}  {meaning}  ({option} {value})")
    chosen = click.prompt("Which?", type=click.IntRange(1, len(question.ways)))
    option, value, _ = question.ways[chosen - 1]
    return answers.with_choice(option, value)


def _refuse(questions: Sequence[Question]) -> NoReturn:
    """Raise UserError with the options that answer what is not certain; each question is a line before it."""
    from ...simulator.plays.asked import line_of

    for question in questions:
        click.echo(str(question), err=True)
    n = len(questions)
    what = f"{counted(n, 'thing')} {'is' if n == 1 else 'are'} not certain"
    raise UserError(f"{what}: nothing was imported; expected an answer, such as {line_of(questions)}")


def _show(log: Log, answers: Answers, keep_both: bool) -> None:
    """Print how the files were read: columns, people, what was decided, what was left out and why."""
    for reading in log.readings:
        shape = f", {reading.shape}" if reading.shape else ""
        tell(f"{reading.file}: {reading.format}{shape}.")
        width = max((len(heading) for heading, _ in reading.columns), default=0)
        for heading, meaning in reading.columns:
            click.echo(f"  {heading:{width}}  {meaning}")
    persons = Counter(person for play in log.plays for person in play.people if person)
    if persons:
        rest = f", and {len(persons) - SHOWN} more" if len(persons) > SHOWN else ""
        tell(f"Persons and their plays: {', '.join(f'{who} {n}' for who, n in persons.most_common(SHOWN))}{rest}.")
    shared = sum(play.kind == "single" and sum(won > 0 for won in play.won) > 1 for play in log.plays)
    if shared:
        tell(f"{counted(shared, 'play')} ended in a tie, which counts in parts.")
    for kind, what in (("teams", "of teams"), ("together", "that everybody won")):
        n = sum(play.kind == kind for play in log.plays)
        if n:
            tell(f"{counted(n, 'play')} {what}: kept, and counted apart from the others (newdawn plays kinds).")
    programs = Counter(name for play in log.plays for name in play.strategies if name)
    if programs:
        named = ", ".join(f"{name} {n}" for name, n in programs.most_common(SHOWN))
        n = sum(any(play.strategies) for play in log.plays)
        tell(f"Programs or strategies played seats in {counted(n, 'play')} ({named}). Comparisons count plays of people alone.")
    if log.read_as:
        readings = [f"'{spelling}' as {name}" for spelling, name in log.read_as.items()]
        rest = f", and {len(readings) - SHOWN} more (read_as in the manifest)" if len(readings) > SHOWN else ""
        tell(f"Read as: {', '.join(readings[:SHOWN])}{rest}.")
    for note in log.notes:
        tell(f"Note: {note}.")
    for (file, first), n in Counter((place.partition(", ")[0], first) for place, first in log.same).items():
        where = f"{counted(n, 'play')} of {file} {'is' if n == 1 else 'are'} in {first}, too"
        once = "both are kept (--keep-both)" if keep_both else "counted once; --keep-both keeps both"
        tell(f"{where}: same day, persons, leaders and result; {once}.")
    if log.left:
        tell(f"Ignored: {_left(log.left)}.")
    if log.faults:
        tell(f"Faulty and left out: {counted(len(log.faults), 'line')} (above, and left_out in the manifest).")
    if answers.before:
        tell("Some columns are read as answered at an import before (answers.json in the folder of the plays).")


def _tell(out: Path, log: Any, manifest: dict[str, Any]) -> None:
    """Print what was imported."""
    sizes = listed(f"{n} of {players}" for players, n in sorted(Counter(len(play.leaders) for play in log.plays).items()))
    tell(f"{out}: {counted(len(log.plays), 'play')} ({sizes} players).")
    plays = log.plays
    noted = {
        "turn order": sum(play.order is not None for play in plays), "rounds": sum(play.rounds is not None for play in plays),
        "victory cards": sum(bool(play.cards) for play in plays), "who sat where": sum(all(play.people) for play in plays),
    }  # fmt: skip
    tell(f"Number of plays that note {', '.join(f'{what} {n}' for what, n in noted.items())}.")
    tell(f"Next: newdawn plays compare {out} --with RUN")


def _titles(others: Any) -> str:
    """Return the titles of games that are not this one, the most played first."""
    rest = f", and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
    return ", ".join(f"'{title}' {n}" for title, n in others.most_common(SHOWN)) + rest


def _left(left: Any) -> str:
    return "; ".join(f"{counted(n, 'play')} {why}" for why, n in left.items())


@plays.command()
@click.argument("folder", type=PLACE, metavar="PLAYS")
@output_options()
def kinds(folder: Place, how: str) -> None:
    """Count the plays of each kind, and the wins in those that other summaries leave out.

    \b
    newdawn plays kinds results/plays

    Summaries and comparisons count plays of people, each for themselves. Plays of teams and plays with programs at the table
    are counted here, by leader of people. In teams a win counts for everybody in the team, and the fair share is one in the
    number of teams. Of plays that everybody won, only their number is given.
    """
    from ...analysis.tables.play_kinds import KIND_WORDS, kinds_of, kinds_table
    from ...analysis.tables.read import open_plays
    from ...analysis.tables.rendering import rows_of

    plays = open_plays(folder)
    counts, frame = kinds_of(plays), kinds_table(plays)
    if how == "json":
        tell_json({"plays": counts, "leaders": rows_of(frame)})
        return
    if how != "csv":
        for kind, n in counts.items():
            tell(f"{counted(n, 'play')}: {KIND_WORDS[kind]}.")
        if frame.empty:
            return
        click.echo()
    click.echo(table(frame, how))


@plays.command()
@click.argument("folder", type=PLACE, metavar="PLAYS")
@click.option(
    "--with", "runs", type=PLACE, multiple=True, required=True, metavar="RUN", help="A run to compare with (repeatable)."
)
@click.argument("more", type=PLACE, nargs=-1, metavar="[RUN]...")
@click.option("--out", type=PATH, metavar="DIR", help="Also keep the answer in this folder (CSV, JSON), with its page (HTML).")
@output_options()
def compare(folder: Place, runs: tuple[Place, ...], more: tuple[Place, ...], out: Path | None, how: str) -> None:
    """Test whether people play like the strategies of finished runs, and estimate what each leader is worth to people.

    \b
    newdawn plays compare results/plays --with results/first
    newdawn plays compare results/plays --with results/quick4 results/quick3 results/warrior4

    PLAYS is a folder of `plays import`. Runs of one strategy, such as those of 3 and of 4 players, count as one. A play is
    compared with games with the same number of players; plays for which a strategy has no games are left out and counted.

    Each leader has people's win rate with its interval, the rate that each strategy predicts for these very tables, and an
    estimate from plays and simulation together. (A star marks a rate that differs, for all leaders and strategies together.
    The table shows how much the plays weigh in the estimate.) A test says whether people's leaders win as often as a
    strategy's, and how large a difference it could detect: few plays say little.
    """
    from ...analysis.questions.plays import ESTIMATES, LEADERS, TABLES, compare_plays, kept, people_table, sentences
    from ...analysis.tables.kept_answers import keep
    from ...analysis.tables.read import open_plays, open_run
    from ...analysis.tables.rendering import rows_of

    check_answer(out, TABLES)
    people = open_plays(folder)
    result = compare_plays(people, {str(run): open_run(run) for run in dict.fromkeys((*runs, *more))})
    lines = [sentence.text for sentence in sentences(result)]
    if how == "json":
        facts = {"plays": result.plays, "players": result.sizes, "left_out": list(result.left), "sentences": lines,
                 "ways": result.pooled.ways, "deviation": result.pooled.deviation, "skill": result.pooled.skill}  # fmt: skip
        tell_json(facts | {name: rows_of(frame) for name, frame in result.tables.items()})
    elif how == "csv":
        both = result.tables[ESTIMATES].drop(columns=["n", "win_rate", "win_rate_low", "win_rate_high"])
        click.echo(table(result.tables[LEADERS].merge(both, on="leader"), how))
    else:
        for line in lines:
            tell(line)
        click.echo()
        click.echo(table(people_table(result), how))
    if out is not None:
        line = shlex.join(["newdawn", *sys.argv[1:]])
        keep(out, kept(result, people, line))
        page_of(out)


def page_of(out: Path) -> None:
    """Write the page of the answer kept in the folder, and print its path."""
    from ...analysis.report import answer_page, write
    from ...analysis.tables.kept_answers import open_kept

    kept = open_kept(out)
    assert kept is not None
    report = out / "report"
    (page, *_) = write(answer_page.build(kept, out, report), report)
    click.echo(f"kept: {out}; page: {page}", err=True)
