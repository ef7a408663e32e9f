"""`newdawn web`: the lab in a page."""

from __future__ import annotations

from pathlib import Path

import click

from .shared import PATH

BOXES = ("base", "terra-incognita")


@click.group()
def web() -> None:
    """Write the lab as a page that plays games in the browser, with nothing to install.

    \b
    newdawn web build lab
    python -m http.server --directory lab
    """


@web.command()
@click.argument("folder", type=PATH, metavar="DIR")
@click.option("--box", "boxes", multiple=True, type=click.Choice(BOXES), help="Only this box (repeatable) [default: both].")
def build(folder: Path, boxes: tuple[str, ...]) -> None:
    """Write the page and the engine into a folder that any web host serves.

    \b
    newdawn web build lab
    python -m http.server --directory lab

    It plays the same games as `newdawn run`, to the byte. Needs the linker of the extra `web`: pip install
    'newdawn-balance-lab[web]'. Other files in the folder are left alone.
    """
    from ...analysis.web.build import build as written

    files = written(folder, boxes or BOXES, lambda text: click.echo(text, err=True))
    click.echo(f"{folder}: {len(files)} files; `python -m http.server --directory {folder}` shows the page")
