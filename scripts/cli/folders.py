"""`newdawn resume`, `extend`, `verify` and `merge`: what can be done with run folders."""

from __future__ import annotations

from dataclasses import asdict

import click

from ...simulator.batch.places import Place
from ...simulator.wording import counted
from .run import play, worker_options
from .shared.options import PLACE
from .shared.screen import json_option, tell_json, wide_option


@click.command()
@click.argument("folder", type=PLACE, metavar="DIR")
@worker_options
def resume(folder: Place, jobs: int | None, backend: str, cluster: str | None, quiet: bool, as_json: bool) -> None:
    """Go on with a run that was stopped, however it was stopped.

    Plans and rules come from the folder. Damaged files are found by their checksums and their games played again. The
    tables are in the end the same bytes as those of a run that was never stopped.
    """
    from ...simulator.batch.run import Means, resume_games

    play(folder, lambda observer: resume_games(folder, Means(jobs, backend, cluster, observer)), quiet, as_json)


@click.command()
@click.argument("folder", type=PLACE, metavar="DIR")
@click.option("--games", type=int, required=True, help="Number of games the run shall have in all.")
@worker_options
def extend(folder: Place, games: int, jobs: int | None, backend: str, cluster: str | None, quiet: bool, as_json: bool) -> None:
    """Let a run go on to more games.

    The games are those that a run with more --games would have had from the start. Give the same command again, or use
    `newdawn resume`, if it is stopped.
    """
    from ...simulator.batch.run import Means, extend_games

    play(folder, lambda observer: extend_games(folder, games, Means(jobs, backend, cluster, observer)), quiet, as_json)


@click.command()
@click.argument("folder", type=PLACE, metavar="DIR")
@click.option("--sample", type=click.IntRange(0), default=20, show_default=True, help="Games to replay and compare.")
@json_option
def verify(folder: Place, sample: int, as_json: bool) -> None:
    """Check that a run folder holds what was played.

    Compares every file with its checksum, counts the rows of each game, and replays a sample of the games and compares
    all their rows. Ends with code 1 if anything is wrong. A run that is going on or was stopped can be verified, too.
    """
    from ...simulator.batch.verify import verify as check

    report = check(folder, sample)
    if as_json:
        tell_json(asdict(report))
        raise SystemExit(1 if report.wrong else 0)
    for line in report.wrong:
        click.echo(f"wrong: {line}")
    click.echo(
        f"{report.games:,} of {counted(report.planned, 'game')} in {counted(report.shards, 'shard')} as they were written; "
        f"{report.replayed:,} were replayed"
    )
    if not report.labelled:
        click.echo("made before tables told which run they belong to: a table of another run would not be noticed")
    if report.wrong:
        click.echo(f"to play damaged or missing games again: newdawn resume {folder}")
        raise SystemExit(1)


@click.command()
@click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR DIR...")
@click.option("--out", type=PLACE, required=True, metavar="DIR", help="New folder or address for all of them.")
@click.option("--quiet", is_flag=True, help="No progress line and no summaries.")
@json_option
@wide_option
def merge(folders: tuple[Place, ...], out: Place, quiet: bool, as_json: bool) -> None:
    """Put finished runs of the same plan and different seeds together.

    The runs stay as they are. In the new folder games are numbered through; its manifest and the column `seed` of its
    table of games tell where each comes from, and `newdawn replay --run` finds them.
    """
    from ...simulator.batch.merge import merge_runs
    from ...simulator.errors import UserError

    if len(folders) < 2:
        raise UserError(f"merge: one run is named; expected two or more, such as: newdawn merge A B --out {out}")
    play(out, lambda observer: merge_runs(folders, out, observer), quiet, as_json)
