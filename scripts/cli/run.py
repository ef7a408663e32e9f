"""`newdawn run`: play games and write their outcome tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ...analysis.statistics.margins import POINTS
from ...simulator import names
from ...simulator.batch.places import Place
from ...simulator.errors import UserError
from ...simulator.wording import counted
from .shared import options
from .shared.options import PLACE, plan_of, ruleset_of
from .shared.screen import json_option, table, tell, tell_json, wide_option
from .trials.compare import Share

worker_options = options.added(
    options.jobs,
    click.option(
        "--backend", type=click.Choice(["threads", "processes"]), default="threads", show_default=True, help="Kind of workers."
    ),
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on the workers of this Dask scheduler, such as tcp://host:8786 ('local' starts one here).",
    ),
    click.option("--quiet", is_flag=True, help="No progress line and no summaries."),
    json_option,
    wide_option,
)


until_options = options.added(
    click.option("--until-decided", is_flag=True, help="Play on until each leader's verdict is clear, at most --games in all."),
    click.option("--sized", is_flag=True, help="With --until-decided: until each is within the margin or beyond it, too."),
    click.option("--margin", type=Share(), default=POINTS / 100, show_default=f"{POINTS:g}%", help="Margin of these verdicts."),
)


@click.command()
@options.plan(10_000, seeds="Seed of the run; the same seed plays the same games.", least=1)
@options.rules
@worker_options
@click.option("--out", type=PLACE, metavar="DIR", help="Folder or address for the tables [default: results/run-…].")
@until_options
@click.pass_context
def run(
    ctx: click.Context, box: str, rules_files: tuple[Path, ...], map_file: Path | None, jobs: int, backend: str,
    cluster: str | None, quiet: bool, as_json: bool, out: Place | None, until_decided: bool, sized: bool, margin: float,
    **settings: Any,
) -> None:  # fmt: skip
    """Play games and write their results as tables.

    \b
    newdawn run --players 4 --games 10000 --seed 1
    newdawn run --until-decided --games 50000
    newdawn run --players 2 --leaders Rome,Egypt --strategies opportunist --out results/duel
    newdawn run --box terra-incognita --players 5 --games 10000

    The same settings always give the same tables, whatever the number of workers. To continue a stopped run, give the same
    command again or use `newdawn resume`.

    --until-decided plays on until no leader's verdict is undecided, at most --games in all [then by default as many as call a
    leader at the fair share balanced, and a fifth more]. It looks several times, and its intervals are wide enough for all of
    its looks to hold together. With --sized each leader has to lie within --margin or beyond it, too.
    """
    from ...simulator.batch.run import Means, run_games

    ruleset = ruleset_of(rules_files, map_file, box)
    plan = plan_of(ruleset, settings)
    if until_decided:
        from dataclasses import replace

        from ...analysis.trials import until

        if ctx.get_parameter_source("games") != ParameterSource.COMMANDLINE:
            plan = replace(plan, games=_most_games(plan, box, margin))
    elif sized:
        raise UserError("--sized: only with --until-decided")
    named = "" if box == names.BOXES[0] else f"{box}-"
    folder = out or Path("results") / f"run-{named}{plan.players}p-{plan.games}g-seed{plan.seed}"
    if not until_decided:
        play(folder, lambda observer: run_games(plan, ruleset, folder, jobs, observer, backend, cluster), quiet, as_json)
        return
    asked = until.Until(plan.games, plan.games, 100 * margin, sized)

    def games(observer: Any) -> None:
        until.begin(plan, ruleset, folder, Means(jobs, backend, cluster, observer), asked, said(quiet))

    play(folder, games, quiet, as_json)


def _most_games(plan: Any, box: str, margin: float) -> int:
    """Return as many games as call a leader at the fair share balanced, by what the page says, and a fifth more."""
    from ...analysis.statistics.answer import round_up
    from ...analysis.trials.planning import games_needed

    found = games_needed(None, plan.players, len(plan.leaders), find=margin / 1e6, box=box, margin=margin)
    return round_up(1.2 * float(found["games"].iloc[0]))


def said(quiet: bool) -> Callable[[Any], None]:
    """Return what says what each look shows."""
    return lambda look: None if quiet else click.echo(look.words, err=True)


def play(folder: Place, games: Callable[[Any], Any], quiet: bool, as_json: bool = False) -> None:
    """Call `games` with an observer, say what came of it and show the summaries, as a screenful or as JSON."""
    from ...simulator.batch.run import Interrupted, Observer, Silent

    observer: Observer = Silent()
    if not quiet:
        from .shared.leading import Leading
        from .shared.progress import ProgressLine

        observer = ProgressLine(top=Leading(folder).line if isinstance(folder, Path) else None)
    try:
        games(observer)
    except Interrupted as stopped:
        click.echo(
            f"stopped: {stopped.done:,} of {counted(stopped.games, 'game')} in {folder}, which can be read; "
            f"to continue: newdawn resume {folder}",
            err=True,
        )
        raise SystemExit(130) from None
    if as_json:
        tell_json(contents(folder))
        return
    if not quiet:
        show(folder)
    click.echo(f"tables: {folder}", err=quiet)


TOP = 3  # world wonders and agendas named in the screenful


def show(folder: Place) -> None:
    """Print a screenful: how the games ended, the leaders, and what else there is to look at."""
    from ...analysis.report.part import Source
    from ...analysis.summaries.counts import victory, wonders
    from ...analysis.tables.read import open_run
    from .summaries import heading, leaders_table, note_on

    opened = open_run(folder)
    source = Source([opened])
    tell(f"{heading([opened])}\n")
    frame = leaders_table(source)
    if note := note_on(source).rstrip():
        tell(note)
    click.echo(f"Leaders\n{table(frame, 'table')}\n")
    tell(f"World wonders built most: {_most(wonders(opened), 'wonder', 'build_rate')}")
    tell(f"Victory cards claimed most by: {_most(victory(opened), 'agenda', 'claim_rate')}")
    tell(f"More: newdawn report {folder}, or newdawn wonders, victory, game, strengths or matchups {folder}")


def _most(frame: Any, name: str, rate: str) -> str:
    """Return the names with the highest rates, each with its interval and n."""
    rows = frame.sort_values([rate, name], ascending=[False, True]).head(TOP).to_dict("records")
    rates = []
    for row in rows:
        interval = f"[{row[f'{rate}_low']:.1%}, {row[f'{rate}_high']:.1%}]"
        rates.append(f"{row[name]} {row[rate]:.1%} {interval} of {counted(row['n'], 'game')}")
    return ", ".join(rates)


def contents(folder: Place) -> dict[str, Any]:
    """Return the summaries of a run as JSON knows them."""
    from ...analysis.report.part import Source
    from ...analysis.summaries.counts import overview, victory, wonders
    from ...analysis.tables.read import open_run
    from ...analysis.tables.render import rows_of
    from .summaries import leaders_table

    opened = open_run(folder)
    tables = {"leaders": leaders_table(Source([opened])), "wonders": wonders(opened), "victory": victory(opened)}
    return {"folder": str(folder), **overview(opened)} | {name: rows_of(frame) for name, frame in tables.items()}
