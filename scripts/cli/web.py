"""`newdawn web`: the lab in a page."""

from __future__ import annotations

from pathlib import Path

import click

from . import shared
from .shared import PATH

BOXES = ("base", "terra-incognita")
PACKED = b'{"newdawn":'  # the beginning of a file of `pack`


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

    It plays the same games as `newdawn run`, to the byte. Needs a linker: pip install ziglang. Other files in the folder are
    left alone.
    """
    from ...analysis.web.build import build as written

    files = written(folder, boxes or BOXES, lambda text: click.echo(text, err=True))
    click.echo(f"{folder}: {len(files)} files; `python -m http.server --directory {folder}` shows the page")


@web.command()
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@click.option("--out", type=PATH, required=True, help="The file to write.")
@shared.box
def pack(files: tuple[Path, ...], out: Path, box: str) -> None:
    """Write house rules, own leaders and abilities included, into a file that the page opens.

    \b
    newdawn web pack atlantis.yaml --out atlantis.newdawn
    """
    from ...analysis.web.build import pack as packed
    from ...simulator.errors import UserError
    from ...simulator.file_ownership import check_over, write_alone
    from ...simulator.rules import load_ruleset

    content = packed(load_ruleset(files, box=box))
    try:
        check_over(out, PACKED, "a file for the page", "--out")
        write_alone(out, content)
    except OSError as error:
        raise UserError(f"{out}: cannot be written: {error.strerror or error}") from None
    click.echo(f"{out}: open it in the page")
