"""What commands print: tables that fit the terminal, JSON for programs, numbers with their nouns.

`output_options` gives a command --format, --json and --wide; what they say lies in click's context, so that `table` and
`tell` know it wherever they are called.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("table", "csv", "json", "markdown")
WIDE = "newdawn.wide"
JSON = "newdawn.json"


def _remember(key: str) -> Callable[[click.Context, click.Parameter, bool], None]:
    def keep(ctx: click.Context, _: click.Parameter, given: bool) -> None:
        ctx.meta[key] = given

    return keep


def _format(ctx: click.Context, _: click.Parameter, how: str | None) -> str:
    """Return the format wanted: --json is short for --format json."""
    if not ctx.meta.get(JSON):
        return how or "table"
    if how not in (None, "json"):
        raise click.UsageError(f"--json and --format {how}: expected one of the two", ctx)
    return "json"


def wide_option(function: F) -> F:
    """Add --wide."""
    return click.option(
        "--wide", is_flag=True, expose_value=False, is_eager=True, callback=_remember(WIDE),
        help="Show every column, however wide the table.",
    )(function)  # fmt: skip


def output_options(formats: Sequence[str] = FORMATS, text: str = "Output format.") -> Callable[[F], F]:
    """Add --format (parameter `how`), --json and --wide."""

    def add(function: F) -> F:
        function = click.option(
            "--json", is_flag=True, expose_value=False, is_eager=True, callback=_remember(JSON), help="Short for --format json."
        )(wide_option(function))
        return click.option("--format", "how", type=click.Choice(formats), callback=_format, help=f"{text} [default: table]")(
            function
        )

    return add


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def width() -> int | None:
    """Return the characters of a line: COLUMNS if it is set, else those of the terminal; None if the output is no terminal."""
    if not os.environ.get("COLUMNS", "").isdecimal() and not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


def table(frame: Any, how: str) -> str:
    """Return the frame in the format; a table is narrowed to the terminal unless --wide is given."""
    from ....analysis.tables.render import Screen, render

    context = click.get_current_context(silent=True)
    return render(frame, how, Screen(width(), bool(context and context.meta.get(WIDE))))


def fitted(text: str) -> str:
    """Return sentences, their lines broken at the width of the terminal."""
    from ....analysis.tables.render import prose

    return prose(text, width())


def tell(text: str) -> None:
    """Print sentences, broken at the width of the terminal."""
    click.echo(fitted(text))


def tell_json(value: Any) -> None:
    """Print a value as JSON."""
    import json

    click.echo(json.dumps(value, indent=1, ensure_ascii=False))
