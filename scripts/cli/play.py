"""`newdawn play`: a seat at the table, in the browser."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import click

from ...simulator.errors import UserError
from .shared.options import PATH, Names, rules_options, ruleset_of

DEFAULT_SEATS = ("me", "quick", "quick", "quick")
FOLDER = Path("results/played")


@click.command()
@click.option(
    "--seats",
    type=Names(),
    default=",".join(DEFAULT_SEATS),
    show_default=True,
    metavar="A,B,…",
    help="Who sits where: `me` (once for each person) or a strategy.",
)
@click.option("--leader", "leaders", type=Names(), default=(), metavar="A[,B,…]", help="Your leader; one for each `me`.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the game.")
@rules_options
@click.option("--continue", "go_on", type=PATH, metavar="FILE", help="Continue the game saved in this file.")
@click.option(
    "--save",
    type=PATH,
    metavar="FILE",
    help=f"Save the game to this file after every choice [default: a new one in {FOLDER}].",
)
@click.option("--html", type=PATH, metavar="FILE", help="With --continue: write the game as a page to watch, and stop.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on [default: a free one].")
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="Open the page in the browser.")
@click.pass_context
def play(
    ctx: click.Context, go_on: Path | None, save: Path | None, html: Path | None, port: int, opens: bool, **settings: Any
) -> None:
    """Play a game yourself, against the strategies or with others at the same screen.

    \b
    newdawn play --leader Rome
    newdawn play --box terra-incognita --seats me,quick,thinker,quick --seed 7
    newdawn play --continue results/played/game-1.json

    The page is served on 127.0.0.1 only, until Ctrl-C: nothing leaves this machine. The game is saved after every choice;
    --continue resumes it.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # `kill` ends it as Ctrl-C does
    if html is not None:
        watch(ctx, go_on, html)
        return
    kept, path = continued(ctx, go_on, save) if go_on else begun(save, settings)
    click.echo("setting up the table ...", err=True)
    table = laid(kept, path)
    try:
        serve(table, path, port, opens)
    except KeyboardInterrupt:
        click.echo("ended", err=True)
    finally:
        table.close()


def serve(table: Any, path: Path, port: int, opens: bool) -> None:
    """Serve the page of a table until Ctrl-C."""
    from ...analysis.at_table.server import TableServer

    server = TableServer(table, port)
    click.echo(server.url)
    click.echo(f"the game is saved in {path}; Ctrl-C stops, `newdawn play --continue {path}` continues", err=True)
    if opens:
        click.launch(server.url)
    with server:
        server.serve_forever()


def laid(kept: Any, path: Path) -> Any:
    """Return the table of a game, played up to the next question; say in which file a choice is wrong."""
    from ...analysis.at_table.played import Table

    try:
        return Table(kept, path)
    except UserError as error:
        raise UserError(f"{path}: {error}") if str(error).startswith("choices[") else error from None


def watch(ctx: click.Context, go_on: Path | None, html: Path) -> None:
    """Write the page of a game that was kept."""
    from ...analysis.at_table.watched import watched
    from ...simulator.sitting.kept import write_text

    if go_on is None:
        raise UserError("--html: needs a saved game; expected --continue FILE, too")
    kept, path = continued(ctx, go_on, None)
    table = laid(kept, path)
    try:
        write_text(html, table.do(lambda: watched(kept)), "--html")
    finally:
        table.close()
    click.echo(f"{html}: open it in a browser")


def begun(save: Path | None, settings: dict[str, Any]) -> tuple[Any, Path]:
    """Return a new game and the file it is kept in."""
    from ...simulator.sitting.kept import new_game

    path = save or unused(FOLDER)
    if path.exists():
        raise UserError(f"--save: '{path}' already exists; choose another name, or continue it: --continue {path}")
    ruleset = ruleset_of(settings["rules_files"], settings["map_file"], settings["box"])
    return new_game(ruleset, settings["seats"], settings["seed"], settings["leaders"]), path


def continued(ctx: click.Context, go_on: Path, save: Path | None) -> tuple[Any, Path]:
    """Return the game of a file, and the file it is kept in from now on."""
    from ...simulator.sitting.kept import read

    for name, option in (("seats", "--seats"), ("leaders", "--leader"), ("seed", "--seed"), ("rules_files", "--rules"),
                         ("map_file", "--map"), ("box", "--box")):  # fmt: skip
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise UserError(f"{option}: the file '{go_on}' already says that; give either --continue or {option}")
    kept = read(go_on)
    if kept.aged:
        click.echo(
            f"note: {go_on} was started with another version of this program; its strategies may now choose differently",
            err=True,
        )
    return kept, save or go_on


def unused(folder: Path) -> Path:
    """Return the first name of a game in the folder that is not taken."""
    number = 1
    while (folder / f"game-{number}.json").exists():
        number += 1
    return folder / f"game-{number}.json"
