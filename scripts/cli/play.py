"""`newdawn play`: a seat at the table, in the browser."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import click

from ...simulator.errors import UserError
from .shared import options
from .shared.options import PATH, Names, ruleset_of

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
@options.rules
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
    from ...simulator.sitting.sitting import check_greenlet

    check_greenlet()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # `kill` ends it as Ctrl-C does
    if go_on is not None:
        check_alone(ctx, go_on)
    if html is not None:
        watch(go_on, html)
        return
    with continued(go_on, save) if go_on else begun(save, settings) as (kept, path):
        click.echo("setting up the table ...", err=True)
        table = laid(kept, path, path)
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


def laid(kept: Any, source: Path, path: Path | None = None) -> Any:
    """Return the table of a game from the file `source`, played up to the next question and kept in `path`, if any."""
    from ...analysis.at_table.played import Table

    try:
        return Table(kept, path)
    except UserError as error:
        raise UserError(f"{source}: {error}") if str(error).startswith("choices[") else error from None


def watch(go_on: Path | None, html: Path) -> None:
    """Write the page of a game that was kept."""
    from ...analysis.at_table.watched import watched
    from ...simulator.sitting.kept import write_text

    if go_on is None:
        raise UserError("--html: needs a saved game; expected --continue FILE, too")
    if html.exists() and html.resolve() == go_on.resolve():
        raise UserError(f"--html: '{html}' is the saved game itself; expected another file")
    kept = kept_in(go_on)
    table = laid(kept, go_on)  # another window may be playing it: its file stays as it is
    try:
        write_text(html, table.do(lambda: watched(kept)), "--html")
    finally:
        table.close()
    click.echo(f"{html}: open it in a browser")


@contextmanager
def begun(save: Path | None, settings: dict[str, Any]) -> Iterator[tuple[Any, Path]]:
    """Yield a new game and the file it is kept in, which is nobody else's meanwhile."""
    from ...simulator.sitting.kept import held, new_game

    if save and save.exists():
        raise taken(save)
    ruleset = ruleset_of(settings["rules_files"], settings["map_file"], settings["box"])
    kept = new_game(ruleset, settings["seats"], settings["seed"], settings["leaders"])
    path = written_new(kept, save)
    with held(path):
        yield kept, path


def written_new(kept: Any, save: Path | None) -> Path:
    """Write a new game to this file, or to the first game-1.json, game-2.json, … that is not there; return which."""
    for number in count(1):
        path = save or FOLDER / f"game-{number}.json"
        try:
            kept.write_new(path)
            break
        except FileExistsError:
            if save:
                raise taken(save) from None
    return path


def taken(path: Path) -> UserError:
    """Return what is said of a file that is there already."""
    return UserError(f"--save: '{path}' already exists; choose another name, or continue it: --continue {path}")


@contextmanager
def continued(go_on: Path, save: Path | None) -> Iterator[tuple[Any, Path]]:
    """Yield the game of a file, and the file it is kept in from now on, which is nobody else's meanwhile."""
    from ...simulator.sitting.kept import held, json_of

    path = save or go_on
    json_of(go_on)  # there is something to continue
    if save and save.exists() and save.resolve() != go_on.resolve():
        raise taken(save)
    with held(path):
        yield kept_in(go_on), path


def check_alone(ctx: click.Context, go_on: Path) -> None:
    """Raise UserError for an option beside --continue that says what the file says."""
    for name, option in (("seats", "--seats"), ("leaders", "--leader"), ("seed", "--seed"), ("rules_files", "--rules"),
                         ("map_file", "--map"), ("box", "--box")):  # fmt: skip
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise UserError(f"{option}: the file '{go_on}' already says that; give either --continue or {option}")


def kept_in(go_on: Path) -> Any:
    """Return the game of a file; say if it was begun with another version."""
    from ...simulator.sitting.kept import read

    kept = read(go_on)
    if kept.aged:
        click.echo(
            f"note: {go_on} was started with another version of this program; its strategies may now choose differently",
            err=True,
        )
    return kept
