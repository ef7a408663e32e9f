"""`newdawn game`: how long the games are, how they are won, what runs out, and how early they are decided."""

from __future__ import annotations

import json
from typing import Any

import click

from ...simulator import names
from ...simulator.batch.places import Place
from .shared.options import PLACE
from .shared.screen import fitted, output_options, table
from .summaries import MARGIN, heading, with_verdicts

# name: (function of `analysis`, heading)
PARTS = {
    "length": ("length", "Length of the games, in rounds"),
    "rounds": ("rounds", "Games by the round in which they ended"),
    "reasons": ("reasons", "What the winners had claimed"),
    "seats": ("turn_order", "What each place in the turn order is worth, corrected for leaders and strategies"),
    "lead": ("lead", "Lead changes, and when the winner takes the lead for good (most victory cards claimed)"),
    "comebacks": ("comebacks", "Comebacks: how many victory cards the winners had been behind"),
    "predictability": ("predictability", "How well the victory cards claimed predict the winner, after each round"),
    "shortages": ("shortages", "What has run out by the end"),
}
EXPANSION = {
    "districts": "Districts placed, and what goes with winning (association)",
    "exploring": "Tiles explored, and what goes with winning (association)",
    "forts": "Forts taken, and what goes with winning (association)",
    "governments": "Governments, and what goes with winning (association)",
    "unique-cards": "Unique cards: when taken, and what goes with winning (association)",
    "wonders-left": "World wonders removed by the wonder icon",
}  # parts of runs with Terra Incognita
ROWS = 12  # of the reasons in the table of all parts


@click.command()
@click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR...")
@click.option("--part", type=click.Choice([*PARTS, *EXPANSION]), help="Show only this part [default: all].")
@click.option("--by", type=click.Choice(["players"]), help="Split by this.")
@MARGIN
@output_options(text="Output format; csv needs --part.")
def game(folders: tuple[Place, ...], part: str | None, by: str | None, margin: float, how: str) -> None:
    """Show the game as a whole: length, reasons of victory, turn order, lead changes, comebacks, shortages.

    \b
    newdawn game results/first
    newdawn game results/first --part predictability --format csv

    Runs of Terra Incognita also have parts on districts, exploring, forts, governments, unique cards, and wonders that left
    the game.

    Intervals are 95%. Those of `points` (seats) hold for all seats together. `verdict` compares them with the --margin:
    balanced, outside, or undecided.

    The leader of a game is here the seat that has claimed more victory cards than any other at the end of a round. `auc` is
    the probability that the later winner has claimed more than another seat picked at random (50%: a coin toss). `skill` is
    how much better than the fair share the claims forecast the winner (0: not at all, 100%: perfectly).
    """
    from ...analysis.tables.read import open_run
    from ...analysis.tables.render import rows_of
    from ...simulator.errors import UserError

    if how == "csv" and part is None:
        raise UserError(f"format csv: expected one part, --part {', '.join(PARTS)}")
    runs = [open_run(folder) for folder in folders]
    boxed = all(run.box == names.BOXES[names.TI_BOX] for run in runs)
    parts = [part] if part else [*PARTS, *(EXPANSION if boxed else ())]
    if how == "json":
        found: Any
        if part is not None:
            found = rows_of(_frame(part, runs, by, margin))
        else:
            found = {name: _json_part(name, runs, by, margin) for name in parts}
        click.echo(json.dumps(found, indent=1))
        return
    texts = [fitted(heading(runs))] if how == "table" else []
    for name in parts:
        try:
            frame = _frame(name, runs, by, margin)
            first = frame if part else _first_rows(name, frame)
            text = table(first, how)
            if len(first) < len(frame):
                text += f"\n… and {len(frame) - len(first)} more: --part {name}"
        except UserError as error:
            if part is not None:
                raise
            text = fitted(f"not available: {error}")
        words = EXPANSION.get(name) or PARTS[name][1]
        title = f"## {words}" if how == "markdown" else fitted(words)
        texts.append(text if part and how != "table" else f"{title}\n\n{text}")
    click.echo("\n\n".join(texts))


def _json_part(name: str, runs: list[Any], by: str | None, margin: float) -> Any:
    """Return the part's rows, or why it is not known."""
    from ...analysis.tables.render import rows_of
    from ...simulator.errors import UserError

    try:
        return rows_of(_frame(name, runs, by, margin))
    except UserError as error:
        return {"not known": str(error)}


def _first_rows(name: str, frame: Any) -> Any:
    """Return the rows shown among all parts: the commonest reasons, and rounds with games enough."""
    if name == "reasons":
        return frame.head(ROWS)
    return frame[~frame["small_sample"]] if name == "predictability" and not frame["small_sample"].all() else frame


def _frame(name: str, runs: list[Any], by: str | None, margin: float) -> Any:
    from ... import analysis
    from ...simulator.errors import UserError

    if name in EXPANSION:
        if by:
            raise UserError(f"--by {by}: not for the part '{name}'; expected with {', '.join(PARTS)}")
        return getattr(analysis, name.replace("-", "_"))(runs)
    if name == "seats":  # always by player count: places are those of a table
        return with_verdicts(lambda runs, _: analysis.turn_order(runs), "points", 100 * margin)(runs, by)
    return getattr(analysis, PARTS[name][0])(runs, by)
