"""`newdawn game`: how long the games are, how they are won, what runs out, and how early they are decided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from newdawn.scripts.cli.shared.options import PATH
from newdawn.scripts.cli.summaries import FORMAT, heading

# name: (function of `analysis`, heading)
PARTS = {
    "length": ("length", "Length of the games, in rounds"),
    "rounds": ("rounds", "Games by the round in which they ended"),
    "reasons": ("reasons", "What the winners had claimed"),
    "seats": ("turn_order", "What the place in the turn order is worth, corrected for leaders and strategies"),
    "lead": ("lead", "Lead changes, and when the winner takes the lead for good (most victory cards claimed)"),
    "comebacks": ("comebacks", "Winners who had been behind by so many victory cards"),
    "predictability": ("predictability", "How well victory cards claimed foretell the winner, after each round"),
    "shortages": ("shortages", "What is used up at the end"),
}
ROWS = 12  # of the reasons in the table of all parts


@click.command()
@click.argument("folders", type=PATH, nargs=-1, required=True, metavar="DIR...")
@click.option("--part", type=click.Choice(list(PARTS)), help="Only this part [default: all of them].")
@click.option("--by", type=click.Choice(["players"]), help="One row for each of these, too.")
@click.option("--format", "how", type=FORMAT, default="table", show_default=True, help="Output format; csv needs --part.")
def game(folders: tuple[Path, ...], part: str | None, by: str | None, how: str) -> None:
    """Show the game as a whole: length, reasons of victory, seat advantage, lead changes, comebacks, shortages.

    All intervals are 95%. `leader` here is the seat that has claimed more victory cards than any other at the end of a
    round. `auc` is the chance that the later winner has claimed more than another seat picked at random (50%: a coin
    toss), `skill` how much better than the fair share the claims forecast the winner (0: not at all, 100%: certain).

    \b
    newdawn game results/first
    newdawn game results/first --part predictability --format csv
    """
    from newdawn.analysis.tables.read import open_run
    from newdawn.analysis.tables.render import render, rows_of
    from newdawn.simulator.errors import UserError

    if how == "csv" and part is None:
        raise UserError(f"format csv: expected one part, --part {', '.join(PARTS)}")
    runs = [open_run(folder) for folder in folders]
    names = [part] if part else list(PARTS)
    if how == "json":
        found = {name: _json_part(name, runs, by) for name in names} if part is None else rows_of(_frame(part, runs, by))
        click.echo(json.dumps(found, indent=1))
        return
    shown = [heading(runs)] if how == "table" else []
    for name in names:
        try:
            frame = _frame(name, runs, by)
            first = frame if part else _first_rows(name, frame)
            text = render(first, how)
            if len(first) < len(frame):
                text += f"\n… and {len(frame) - len(first)} more: --part {name}"
        except UserError as error:
            if part is not None:
                raise
            text = f"not known: {error}"
        shown.append(text if part and how != "table" else f"{'## ' if how == 'markdown' else ''}{PARTS[name][1]}\n\n{text}")
    click.echo("\n\n".join(shown))


def _json_part(name: str, runs: list[Any], by: str | None) -> Any:
    """Return the part's rows, or why it is not known."""
    from newdawn.analysis.tables.render import rows_of
    from newdawn.simulator.errors import UserError

    try:
        return rows_of(_frame(name, runs, by))
    except UserError as error:
        return {"not known": str(error)}


def _first_rows(name: str, frame: Any) -> Any:
    """Return the rows shown among all parts: the commonest reasons, and rounds with games enough."""
    if name == "reasons":
        return frame.head(ROWS)
    return frame[~frame["small_sample"]] if name == "predictability" and not frame["small_sample"].all() else frame


def _frame(name: str, runs: list[Any], by: str | None) -> Any:
    from newdawn import analysis

    if name == "seats":  # always by player count: places are those of a table
        return analysis.turn_order(runs)
    return getattr(analysis, PARTS[name][0])(runs, by)
