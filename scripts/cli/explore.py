"""`newdawn explore`: runs in the browser."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ...simulator.runs.run_folder import Place
from .shared import PATH, PLACE


def film_command(run: Place, game: int, out: Path) -> Sequence[str]:
    """Return the command that writes the page of a game of a run."""
    arguments = ["replay", "--run", str(run), "--game", str(game), "--html", str(out)]
    return [sys.executable, "-m", "newdawn.scripts.cli.start", *arguments]


@click.command()
@click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR...")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on [default: a free one].")
@click.option(
    "--effects", type=PATH, multiple=True, metavar="FILE",
    help="Effects to show: folder of an experiment on wonders or leaders, or a CSV file as for `newdawn report` (repeatable).",
)  # fmt: skip
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="Open the page in the browser.")
@click.option("--quiet", is_flag=True, help="Print only the address of the page.")
def explore(folders: tuple[Place, ...], port: int, effects: tuple[Path, ...], opens: bool, quiet: bool) -> None:
    """Explore one or more runs in the browser.

    \b
    newdawn explore results/first
    newdawn explore results/printed results/cheaper --effects results/wonders

    Filter by leader, seat, players, victory cards, strategy and winner. Every rate has its interval and number of cases.
    Click a figure for the games behind it, and a game for its replay. Several runs are shown side by side. The page is
    served on 127.0.0.1 only, until Ctrl-C: nothing leaves this machine. A run that is still being played is shown as far as
    it goes; a button looks for new games.
    """
    from ...analysis.explorer.server import Explorer, ExplorerRuns, Films
    from ...analysis.explorer.views import effects_of
    from ...analysis.tables.read import open_run

    def tell(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    films = Films(film_command)
    try:
        runs = [open_run(folder) for folder in dict.fromkeys(folders)]
        desk = ExplorerRuns(runs, effects_of(effects), tell)
        server = Explorer(desk, films, port)
        click.echo(server.url)
        tell("Ctrl-C stops it")
        if opens:
            click.launch(server.url)
        with server:
            server.serve_forever()
    except KeyboardInterrupt:
        tell("stopped")
    finally:
        films.close()
