"""`newdawn run`, `resume`, `extend`, `verify` and `merge`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ...analysis.stats.rates import POINTS
from ...simulator import names
from ...simulator.errors import UserError, counted
from ...simulator.runs.run_folder import Place
from . import shared
from .margins import Share
from .one_screen import on_one_screen
from .shared import PLACE, all_option, each_table, json_option, plan_of, rare, ruleset_of, table, tell, tell_json, wide_option

# --- `newdawn run`

worker_options = shared.added(
    shared.jobs,
    rare(
        "--backend", type=click.Choice(["threads", "processes"]), default="threads", show_default=True, help="Kind of workers."
    ),
    rare(
        "--cluster", metavar="ADDRESS",
        help="Play on the workers of this Dask scheduler, such as tcp://host:8786 ('local' starts one here).",
    ),
    rare("--quiet", is_flag=True, help="No progress line and no summaries."),
    json_option,
    wide_option,
    all_option,
)  # fmt: skip
until_options = shared.added(
    click.option("--until-decided", is_flag=True, help="Play on until each leader's verdict is clear, at most --games in all."),
    rare("--sized", is_flag=True, help="With --until-decided: until each is within the margin or beyond it, too."),
    rare("--margin", type=Share(), default=POINTS / 100, help=f"Margin of these verdicts [default: {POINTS:g}%]."),
)


@click.command()
@shared.plan(10_000, seeds="Seed of the run; the same seed plays the same games.", least=1, tables=True)
@shared.rules
@worker_options
@click.option("--out", type=PLACE, metavar="DIR", help="Folder or address for the tables [default: results/run-…].")
@until_options
@click.option("--focus-cards", is_flag=True, help="Count focus cards, too: when taken, how often resolved, by slot.")
@click.option("--rounds", is_flag=True, help="Keep what each seat has at the end of each round, too.")
@click.option("--places", is_flag=True, help="Note where each seat began, and which places it held: wonders, tiles …")
@rare("--column", "columns", multiple=True, metavar="FILE:FUNCTION", help="A column of your own in the table of rounds.")
@click.pass_context
def run(
    ctx: click.Context, box: str, rules_files: tuple[Path, ...], map_file: Path | None, jobs: int, backend: str,
    cluster: str | None, quiet: bool, as_json: bool, out: Place | None, until_decided: bool, sized: bool, margin: float,
    focus_cards: bool, rounds: bool, places: bool, columns: tuple[str, ...], **settings: Any,
) -> None:  # fmt: skip
    """Play games and write their results as tables.

    \b
    newdawn run --players 4 --games 10000 --seed 1
    newdawn run --until-decided --games 50000
    newdawn run --players 3,4 --games 10000
    newdawn run --players 2 --leaders Rome,Egypt --strategies opportunist --out results/duel
    newdawn run --box terra-incognita --players 5 --games 10000

    The same settings always give the same tables, whatever the number of workers. To continue a stopped run, give the same
    command again or use `newdawn resume`.

    With several --players, each table is a run of its own (in DIR/3p, DIR/4p …), and the answer in DIR says which verdicts on
    leaders hold at all of them.

    --focus-cards, --rounds and --places each add a table to the run; none of them changes a game. What they answer:
    docs/how-to/cards-and-rounds.md.

    --until-decided plays on until no leader's verdict is undecided, at most --games in all [then by default as many as call a
    leader at the fair share balanced, and a fifth more]. It looks several times, and its intervals are wide enough for all of
    its looks to hold together. With --sized each leader has to lie within --margin or beyond it, too,
    unless the games left would hardly show on which side of it a leader lies that is shown to differ.
    """
    ruleset = ruleset_of(rules_files, map_file, box)
    if sized and not until_decided:
        raise UserError("--sized: only with --until-decided")
    sizes = each_table(settings)
    plans = {
        players: _counting(plan_of(ruleset, own), (focus_cards, rounds, places), columns) for players, own in sizes.items()
    }
    if until_decided and ctx.get_parameter_source("games") != ParameterSource.COMMANDLINE:
        plans = {players: replace(plan, games=_most_games(plan, box, margin)) for players, plan in plans.items()}
    named, games = "" if box == names.BOXES[0] else f"{box}-", max(plan.games for plan in plans.values())
    seed = settings["seed"]
    folder = out or Path("results") / f"run-{named}{'-'.join(map(str, sizes))}p-{games}g-seed{seed}"

    def one(players: int, place: Place, quiet: bool, as_json: bool) -> None:
        """Play the run of a number of players into a folder, and show it."""
        from ...simulator.runs.run import Means, run_games

        plan = plans[players]
        if not until_decided:
            play(place, lambda observer: run_games(plan, ruleset, place, jobs, observer, backend, cluster), quiet, as_json)
            return
        from ...analysis.questions import until_decided as until

        design = until.Until(plan.games, plan.games, 100 * margin, sized)
        play(
            place,
            lambda observer: until.begin(
                plan, ruleset, place, Means(jobs, backend, cluster, observer), design, look_line(quiet)
            ),
            quiet, as_json,
        )  # fmt: skip

    if len(sizes) == 1:
        one(next(iter(sizes)), folder, quiet, as_json)
        return
    from .table_sizes import run_at_tables

    run_at_tables(lambda players, place: one(players, place, True, False), plans, ruleset, folder, as_json, quiet)


def _counting(plan: Any, wanted: tuple[bool, ...], columns: tuple[str, ...]) -> Any:
    """Return the plan with the optional tables that are wanted, in the order of OPTIONAL, and with the user's columns."""
    from ...simulator.runs.columns import OPTIONAL, ROUNDS_TABLE
    from ...simulator.runs.run_plan import own_column

    tables = tuple(name for name, is_wanted in zip(OPTIONAL, wanted, strict=True) if is_wanted)
    if columns and ROUNDS_TABLE not in tables:
        raise UserError("--column: only with --rounds, the table that it is a column of")
    own = tuple(own_column(place) for place in columns)
    twice = next((column.name for column in own if [other.name for other in own].count(column.name) > 1), None)
    if twice:
        raise UserError(f"--column: two functions are named '{twice}'; expected different names")
    return replace(plan, tables=tables, columns=own)


def _most_games(plan: Any, box: str, margin: float) -> int:
    """Return a fifth more games than it takes to call a leader at the fair share balanced."""
    from ...analysis.questions.how_many_games import games_needed
    from ...analysis.stats.verdicts import round_up

    needed = games_needed(None, plan.players, len(plan.leaders), find=margin / 1e6, box=box, margin=margin)
    return round_up(1.2 * float(needed["games"].iloc[0]))


def look_line(quiet: bool) -> Callable[[Any], None]:
    """Return a function that prints a look, or nothing if `quiet`."""
    return lambda look: None if quiet else click.echo(look.words, err=True)


def play(folder: Place, games: Callable[[Any], Any], quiet: bool, as_json: bool = False) -> None:
    """Call `games` with an observer and show the summaries, as a screenful or as JSON."""
    from ...simulator.runs.run import Interrupted, Observer, Silent

    observer: Observer = Silent()
    if not quiet:
        from .progress import Leading, ProgressLine

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


NOBODY = "No verdict: nobody won any of these games"
TOP = 3  # world wonders and agendas named in the screenful


def show(folder: Place) -> None:
    """Print a screenful: how the games ended, the leaders, and further commands."""
    from ...analysis.pages.report_parts import Source
    from ...analysis.tables.read import open_run
    from ...analysis.tables.win_rates import victory, wonders
    from .run_tables import heading, leaders_table, note_on

    opened = open_run(folder)
    source = Source([opened])
    frame = leaders_table(source)
    if on_one_screen():
        from ...analysis.report.first_screen import headline

        tell(f"{headline(source.judged if source.decided else None, source) or NOBODY}.")
    tell(f"{heading([opened])}\n")
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
    """Return the summaries of a run for JSON."""
    from ...analysis.pages.report_parts import Source
    from ...analysis.tables.read import open_run
    from ...analysis.tables.rendering import rows_of
    from ...analysis.tables.win_rates import overview, victory, wonders
    from .run_tables import leaders_table

    opened = open_run(folder)
    tables = {"leaders": leaders_table(Source([opened])), "wonders": wonders(opened), "victory": victory(opened)}
    return {"folder": str(folder), **overview(opened)} | {name: rows_of(frame) for name, frame in tables.items()}


# --- `newdawn resume`, `extend`, `verify` and `merge`


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
    from ...simulator.runs import manifest
    from ...simulator.runs.run import Means, resume_games

    def games(observer: Any) -> None:
        means = Means(jobs, backend, cluster, observer)
        resume_games(folder, means)
        if manifest.LOOKS in manifest.read(folder):
            from ...analysis.questions import until_decided as until

            until.go_on(folder, means, look_line(quiet))

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
    from ...simulator.runs import manifest
    from ...simulator.runs.run import Means, extend_games

    if until_decided:
        from ...analysis.questions import until_decided as until

        play(
            folder,
            lambda observer: until.extend(
                folder, games, Means(jobs, backend, cluster, observer), 100 * margin, sized, look_line(quiet)
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
    from ...simulator.runs.verify import verify as check

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
@rare("--quiet", is_flag=True, help="No progress line and no summaries.")
@json_option
@wide_option
def merge(folders: tuple[Place, ...], out: Place, quiet: bool, as_json: bool) -> None:
    """Merge finished runs that differ only in their seeds.

    \b
    newdawn merge results/one results/two --out results/both

    The runs themselves stay unchanged. In the new folder games are numbered consecutively. Its manifest, and the column
    `seed` of its table `games`, say where each game is from; `newdawn replay --run` finds it.
    """
    from ...simulator.errors import UserError
    from ...simulator.runs.verify import merge_runs

    if len(folders) < 2:
        raise UserError(f"merge: only one run is named; expected two or more, such as: newdawn merge A B --out {out}")
    play(out, lambda observer: merge_runs(folders, out, observer), quiet, as_json)
