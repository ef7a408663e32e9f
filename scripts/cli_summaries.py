"""`newdawn leaders`, `wonders` and `victory`: the first summaries of one or more runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from scripts.cli_options import PATH

F = TypeVar("F", bound=Callable[..., Any])
FORMAT = click.Choice(["table", "csv", "json", "markdown"])


def summary_arguments(groupings: Sequence[str]) -> Callable[[F], F]:
    """Add the folders, --format and --by."""

    def add(function: F) -> F:
        function = click.option("--by", type=click.Choice(list(groupings)), help="One row for each of these, too.")(function)
        function = click.option("--format", "how", type=FORMAT, default="table", show_default=True, help="Output format.")(
            function
        )
        return click.argument("folders", type=PATH, nargs=-1, required=True, metavar="DIR...")(function)

    return add


def heading(runs: Sequence[Any]) -> str:
    """Return the lines above a table: how many games, how they ended, what is counted."""
    from analysis.summaries import overview

    facts = overview(runs)
    rounds = facts["rounds"]
    lines = [
        f"{facts['games']:,} games: {facts['victories']:,} won, {facts['unfinished']:,} unfinished "
        f"({facts['unfinished'] / facts['games']:.1%}; nobody won these, and every n counts them)",
        f"rounds: median {rounds['50%']:.0f}, 90% of the games between {rounds['5%']:.0f} and {rounds['95%']:.0f}",
    ]
    if facts["games"] < facts["planned"]:
        lines.append(f"not finished: {facts['planned']:,} games are planned")
    return "\n".join(lines)


def print_summary(summary: Callable[..., Any], folders: Sequence[Path], how: str, by: str | None) -> None:
    """Open the runs, make the summary and print it."""
    from analysis.read import open_run
    from analysis.render import render

    runs = [open_run(folder) for folder in folders]
    if how == "table":
        click.echo(heading(runs) + "\n")
    click.echo(render(summary(runs, by), how))


@click.command()
@summary_arguments(["seat", "order", "players", "strategy"])
def leaders(folders: tuple[Path, ...], how: str, by: str | None) -> None:
    """Show the win rate of each leader with its 95% interval.

    n counts the leader's games, unfinished ones included; a win shared by k players counts 1/k. `difference` is the win
    rate less the fair share, in percentage points; `rank` the places the intervals leave possible.
    """
    from analysis import summaries

    print_summary(summaries.leaders, folders, how, by)


@click.command()
@summary_arguments(["players"])
def wonders(folders: tuple[Path, ...], how: str, by: str | None) -> None:
    """Show how often each world wonder was built, and how its builders fared.

    n counts the games with the wonder in a deck. The builders' win rate is an association, not the wonder's effect: who
    builds more may win more for other reasons.
    """
    from analysis import summaries

    print_summary(summaries.wonders, folders, how, by)


@click.command()
@summary_arguments(["players"])
def victory(folders: tuple[Path, ...], how: str, by: str | None) -> None:
    """Show how often each agenda was claimed, when, and how its claimants fared.

    n counts the games with the card in play; the claim rate is the share of them in which anyone claimed it by this
    agenda. `winner share` is the share of the wins in those games that used the agenda.
    """
    from analysis import summaries

    print_summary(summaries.victory, folders, how, by)
