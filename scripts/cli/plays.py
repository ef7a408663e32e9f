"""`newdawn plays`: real plays from people's logs, and whether people play like the strategies."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from ...simulator.errors import UserError, counted, listed
from ...simulator.runs.run_folder import Place
from . import shared
from .shared import PATH, PLACE, check_answer, json_option, output_options, ruleset_of, table, tell, tell_json

SHOWN = 12  # spellings listed on the screen


@click.group()
def plays() -> None:
    """Read logs of real plays, and compare them with the simulation.

    \b
    newdawn plays new plays.csv                        a table to fill in, a row a seat
    newdawn plays import plays.csv --out results/plays
    newdawn plays compare results/plays --with results/first
    """


@plays.command()
@click.argument("file", type=PATH, metavar="FILE")
def new(file: Path) -> None:
    """Write a commented CSV file to fill in: a row a seat, a minute a game.

    \b
    newdawn plays new plays.csv

    An existing file is never overwritten.
    """
    from ...simulator.file_ownership import write_alone
    from ...simulator.plays.sheets import template

    try:
        write_alone(file, template().encode(), over=False)
    except FileExistsError:
        raise UserError(f"{file}: already exists and is not overwritten; expected another file", file=str(file)) from None
    click.echo(f"{file}: fill it in; `newdawn plays import {file}` reads it.")


@plays.command("import")
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@click.option("--out", type=PATH, metavar="DIR", default=Path("results/plays"), show_default=True, help="Folder for the plays.")
@click.option("--skip-unknown", is_flag=True, help="Leave out what is faulty, and import the rest.")
@click.option("--game", default="", metavar="NAME", help="Title of the game in the log, or its number at BoardGameGeek.")
@shared.rules
@json_option
def import_(
    files: tuple[Path, ...], out: Path, skip_unknown: bool, game: str, box: str, rules_files: tuple[Path, ...],
    map_file: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Import logs of real plays: BG Stats (JSON), BoardGameGeek (XML, JSON, CSV), CSV, games of `newdawn play` and of the page.

    \b
    newdawn plays import BGStatsExport.json
    newdawn plays import plays.csv --box terra-incognita --out results/plays
    newdawn plays import results/played

    Each seat needs a leader, each play a winner. Turn order, people, rounds, minutes and victory cards are read if they
    were noted. A folder stands for the logs in it. Misspelt leaders and victory cards are recognised, and each such
    reading is listed. Nothing is guessed: every fault is listed on a line of its own, and nothing is written unless you
    say --skip-unknown. Then plays that lack a leader or a winner are left out, and other plays lose only the faulty entry.
    Importing into the same folder again replaces its plays.
    """
    from ...simulator.plays import plays_folder
    from ...simulator.plays.log import read_log

    plays_folder.check(out)
    ruleset = ruleset_of(rules_files, map_file, box)
    log = read_log(files, ruleset.data, ruleset.box, game)
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
        other = f"; if one of these is it, name it with --game: {_titles(log.others)}" if log.others else ""
        raise UserError(f"{listed(files)}: no plays to import{f': {left}' if left else ''}; expected at least one{other}")
    manifest = plays_folder.write(out, log, ruleset, faults)
    if as_json:
        tell_json({"folder": str(out)} | {key: value for key, value in manifest.items() if key not in ("ruleset", "files")})
        return
    _tell(out, log, manifest)


def _tell(out: Path, log: Any, manifest: dict[str, Any]) -> None:
    """Print what was imported, which spellings were read as which names, and what was left out."""
    sizes = listed(f"{part['plays']} of {part['players']}" for part in manifest["parts"])
    tell(f"{out}: {counted(len(log.plays), 'play')} ({sizes} players).")
    plays = log.plays
    noted = {
        "turn order": sum(play.order is not None for play in plays), "rounds": sum(play.rounds is not None for play in plays),
        "victory cards": sum(bool(play.cards) for play in plays), "who sat where": sum(all(play.people) for play in plays),
    }  # fmt: skip
    tell(f"Number of plays that note {', '.join(f'{what} {n}' for what, n in noted.items())}.")
    if log.read_as:
        readings = [f"'{spelling}' as {name}" for spelling, name in log.read_as.items()]
        rest = f", and {len(readings) - SHOWN} more (read_as in the manifest)" if len(readings) > SHOWN else ""
        tell(f"Read as: {', '.join(readings[:SHOWN])}{rest}.")
    for note in log.notes:
        tell(f"Note: {note}.")
    mixed = sum(any(play.strategies) for play in plays)
    if mixed:
        tell(f"Strategies played seats in {counted(mixed, 'play')}. Comparisons count plays of people alone.")
    if log.left:
        tell(f"Ignored: {_left(log.left)}.")
    if log.faults:
        tell(f"Faulty and left out: {counted(len(log.faults), 'line')} (above, and left_out in the manifest).")
    tell(f"Next: newdawn plays compare {out} --with RUN")


def _titles(others: Any) -> str:
    """Return the titles of games that are not this one, the most played first."""
    rest = f", and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
    return ", ".join(f"'{title}' {n}" for title, n in others.most_common(SHOWN)) + rest


def _left(left: Any) -> str:
    return "; ".join(f"{counted(n, 'play')} {why}" for why, n in left.items())


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
    compared with games of as many players; plays for which a strategy has no games are left out and counted.

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
