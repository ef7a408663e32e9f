"""`newdawn run`: play games and write their outcome tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from newdawn.scripts.cli.shared.options import PATH, Names, rules_options, ruleset_of

F = TypeVar("F", bound=Callable[..., Any])


def worker_options(function: F) -> F:
    """Add --jobs, --backend, --cluster and --quiet."""
    for option in (
        click.option("--quiet", is_flag=True, help="No progress line and no summaries."),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Play on the workers of this Dask scheduler, like tcp://host:8786; 'local' starts one here.",
        ),
        click.option(
            "--backend",
            type=click.Choice(["threads", "processes"]),
            default="threads",
            show_default=True,
            help="Kind of workers.",
        ),
        click.option("--jobs", type=click.IntRange(1), help="Workers [default: the processors of this machine]."),
    ):
        function = option(function)
    return function


@click.command()
@click.option("--players", type=int, default=4, show_default=True, help="Players: 2 to 4.")
@click.option("--games", type=int, default=10_000, show_default=True, help="Number of games.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the run; the same seed plays the same games.")
@click.option("--leaders", type=Names(), metavar="A,B,…", help="One leader a player; seats rotate evenly over the games.")
@click.option("--strategies", type=Names(), metavar="A[,B,…]", help="One strategy for all, or one a player (rotating).")
@click.option("--leader-pool", type=Names(), metavar="A,B,…", help="Draw each game's leaders from these [default: all].")
@click.option("--strategy-pool", type=Names(), metavar="A,B,…", help="Draw each seat's strategy from these.")
@rules_options
@click.option("--round-cap", type=int, default=200, show_default=True, help="Stop a game unfinished after this round.")
@worker_options
@click.option("--out", type=PATH, metavar="DIR", help="Folder for the tables [default: results/run-…].")
def run(
    players: int,
    games: int,
    seed: int,
    leaders: tuple[str, ...] | None,
    strategies: tuple[str, ...] | None,
    leader_pool: tuple[str, ...] | None,
    strategy_pool: tuple[str, ...] | None,
    rules_files: tuple[Path, ...],
    map_file: Path | None,
    round_cap: int,
    jobs: int | None,
    backend: str,
    cluster: str | None,
    quiet: bool,
    out: Path | None,
) -> None:
    """Play games and write their outcome tables.

    The same settings always give the same tables, whatever the workers. A run that was stopped is continued by giving
    the same command again, or by `newdawn resume`.

    \b
    newdawn run --players 4 --games 10000 --seed 1
    newdawn run --players 2 --leaders Rome,Egypt --strategies opportunist --out results/duel
    """
    from newdawn.simulator.batch.run import run_games
    from newdawn.simulator.games.plan import available_leaders, make_plan, player_counts

    ruleset = ruleset_of(rules_files, map_file)
    r = ruleset.compile()
    plan = make_plan(
        players=players,
        games=games,
        seed=seed,
        available_leaders=available_leaders(r),
        player_counts=player_counts(r),
        leaders=leaders,
        strategies=strategies,
        leader_pool=leader_pool,
        strategy_pool=strategy_pool,
        round_cap=round_cap,
    )
    folder = out or Path("results") / f"run-{players}p-{games}g-seed{seed}"
    play(folder, lambda observer: run_games(plan, ruleset, folder, jobs, observer, backend, cluster), quiet)


def play(folder: Path, games: Callable[[Any], int], quiet: bool) -> None:
    """Call `games` with an observer, say what came of it and show the summaries."""
    from newdawn.simulator.batch.run import Interrupted, Observer, Silent

    observer: Observer = Silent()
    if not quiet:
        from newdawn.scripts.cli.shared.progress import ProgressLine

        observer = ProgressLine()
    try:
        games(observer)
    except Interrupted as stopped:
        click.echo(
            f"stopped: {stopped.done:,} of {stopped.games:,} games are in {folder} and can be read; "
            f"to go on: newdawn resume {folder}",
            err=True,
        )
        raise SystemExit(130) from None
    if not quiet:
        show(folder)
    click.echo(f"tables: {folder}", err=quiet)


def show(folder: Path) -> None:
    """Print the three summaries of a run."""
    from newdawn.analysis.summaries.counts import leaders, victory, wonders
    from newdawn.analysis.tables.read import open_run
    from newdawn.analysis.tables.render import render
    from newdawn.scripts.cli.summaries import heading

    opened = open_run(folder)
    click.echo(heading([opened]))
    for title, summary in (("Leaders", leaders), ("World wonders", wonders), ("Victory cards", victory)):
        click.echo(f"\n{title}\n{render(summary(opened), 'table')}")
    click.echo()
