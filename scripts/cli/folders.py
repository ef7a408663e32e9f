"""`newdawn resume`, `extend`, `verify` and `merge`: what can be done with run folders."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from ...simulator.batch.places import Place
from ...simulator.errors import UserError
from ...simulator.wording import counted
from .run import play, said, until_options, worker_options
from .shared.options import PLACE
from .shared.screen import json_option, tell_json, wide_option


@click.command()
@click.argument("folder", type=PLACE, metavar="DIR")
@worker_options
def resume(folder: Place, jobs: int, backend: str, cluster: str | None, quiet: bool, as_json: bool) -> None:
    """Continue a run that was stopped.

    \b
    newdawn resume results/first

    Plan and rules come from the folder; a run that is played until it is decided is played on until then. Damaged files are
    detected by their checksums, and their games are played again. In the end the tables are byte for byte those of a run
    that was never stopped.
    """
    from ...simulator.batch import manifest
    from ...simulator.batch.run import Means, resume_games

    def games(observer: Any) -> None:
        means = Means(jobs, backend, cluster, observer)
        resume_games(folder, means)
        if manifest.LOOKS in manifest.read(folder):
            from ...analysis.trials import until

            until.go_on(folder, means, said(quiet))

    play(folder, games, quiet, as_json)


@click.command()
@click.argument("folder", type=PLACE, metavar="DIR")
@click.option("--games", type=int, required=True, help="Total number of games that the run is to have.")
@worker_options
@until_options
def extend(
    folder: Place, games: int, jobs: int, backend: str, cluster: str | None, quiet: bool, as_json: bool,
    until_decided: bool, sized: bool, margin: float,
) -> None:  # fmt: skip
    """Add games to a run.

    \b
    newdawn extend results/first --games 20000
    newdawn extend results/first --until-decided --games 100000

    The new games are those that a run with more --games would have played from the start. If it is stopped, give the same
    command again or use `newdawn resume`. Who adds games because a verdict is open, and looks again, is wrong more often than
    in 5% of cases; --until-decided looks by itself, with intervals that hold over its looks.
    """
    from ...simulator.batch import manifest
    from ...simulator.batch.run import Means, extend_games

    if until_decided:
        from ...analysis.trials import until

        play(
            folder,
            lambda observer: until.extend(
                folder, games, Means(jobs, backend, cluster, observer), 100 * margin, sized, said(quiet)
            ),
            quiet, as_json,
        )  # fmt: skip
        return
    if sized:
        raise UserError("--sized: only with --until-decided")
    if manifest.LOOKS in manifest.read(folder):
        raise UserError(
            f"{folder}: was played until it was decided; expected `newdawn extend {folder} --until-decided --games {games}`, "
            "whose intervals hold over the looks"
        )
    play(folder, lambda observer: extend_games(folder, games, Means(jobs, backend, cluster, observer)), quiet, as_json)


@click.command()
@click.argument("folder", type=PLACE, metavar="DIR")
@click.option("--sample", type=click.IntRange(0), default=20, show_default=True, help="Games to replay and compare.")
@json_option
def verify(folder: Place, sample: int, as_json: bool) -> None:
    """Check a run: checksums, counts, and a sample of games replayed.

    \b
    newdawn verify results/first
    newdawn verify results/first --sample 200

    Compares every file with its checksum, counts the rows of each game, and compares all rows of the replayed games. Exit
    code 1 means that something is wrong. A run that is still being played, or was stopped, can be verified, too.
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
        click.echo("made before tables were labelled with their run: a table of another run would go unnoticed")
    if report.wrong:
        if report.games < report.planned:
            click.echo(f"to play damaged or missing games again: newdawn resume {folder}")
        raise SystemExit(1)


@click.command()
@click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR DIR...")
@click.option("--out", type=PLACE, required=True, metavar="DIR", help="New folder or address for the merged run.")
@click.option("--quiet", is_flag=True, help="No progress line and no summaries.")
@json_option
@wide_option
def merge(folders: tuple[Place, ...], out: Place, quiet: bool, as_json: bool) -> None:
    """Merge finished runs that differ only in their seeds.

    \b
    newdawn merge results/one results/two --out results/both

    The runs themselves stay unchanged. In the new folder games are numbered consecutively. Its manifest, and the column
    `seed` of its table `games`, say where each game is from; `newdawn replay --run` finds it.
    """
    from ...simulator.batch.merge import merge_runs
    from ...simulator.errors import UserError

    if len(folders) < 2:
        raise UserError(f"merge: only one run is named; expected two or more, such as: newdawn merge A B --out {out}")
    play(out, lambda observer: merge_runs(folders, out, observer), quiet, as_json)
