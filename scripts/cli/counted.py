"""`newdawn cards`, `rounds` and `places`: what a run says that has counted focus cards, kept its rounds, or noted places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ...simulator.errors import UserError
from ...simulator.runs.folder import Place
from .shared import PLACE, Names, output_options, table, tell
from .show import MARGIN, heading, pooled

CARD_PARTS = {
    "use": ("focus-cards", "How focus cards are taken and resolved"),
    "wins": ("focus-card-wins", "What goes with having a focus card (association)"),
}
PLACE_PARTS = {
    "start": "How often seats win by where they began",
    "held": "What goes with holding a place (association)",
}
ROUND_PARTS = {
    "ahead": "Who wins that is alone ahead (association)",
    "behind": "Who comes back, by deficit (association)",
    "decided": "When games are decided",
    "course": "What winners and others have",
}


def _say(runs: Sequence[Any], title: str, findings: Sequence[Any], frame: Any, how: str) -> None:
    """Print a table, in the format `table` with what it says above it."""
    text = table(frame, how)
    if how == "table":
        tell(f"{heading(runs)}\n\n{title}\n")
        for finding in findings:
            tell(finding.text)
        click.echo("")
    click.echo(text)


def _opened(folders: Sequence[Place], wanted: str) -> list[Any]:
    """Return the runs; raise UserError if one lacks the table."""
    runs = pooled(folders)
    for run in runs:
        run.need(wanted)
    return runs


@click.command()
@click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR...")
@click.option("--part", type=click.Choice(list(CARD_PARTS)), default="use", show_default=True, help="Which question.")
@output_options()
def cards(folders: tuple[Place, ...], part: str, how: str) -> None:
    """Show how often each focus card is taken, when, and from which slot it is resolved; which are dead.

    \b
    newdawn run --focus-cards --out results/first
    newdawn cards results/first
    newdawn cards results/first --part wins

    `take rate` is the share of the seats that might take the card; a card is dead if that is below 10%, for all rows together
    (95%). `resolved` is how often a seat that had the card resolved it, `slot 1` to `slot 5` from where.

    --part wins compares seats that had the card with seats of the same leader, strategy and place in the turn order that had
    it not: an association, for who is ahead takes more cards. What a card is worth: newdawn experiment grant --card NAME.
    """
    from ...analysis.questions import focus_cards as question
    from ...analysis.tables import focus_cards as counted

    runs = _opened(folders, "focus_cards")
    if part == "use":
        frame = question.use(runs)
        findings = question.dead_cards(frame)
    else:
        frame = counted.focus_card_wins(runs)
        findings = question.wins_findings(frame, None)  # type: ignore[arg-type]
    _say(runs, CARD_PARTS[part][1], findings, frame, how)


@click.command()
@click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR...")
@click.option("--part", type=click.Choice(list(ROUND_PARTS)), default="ahead", show_default=True, help="Which question.")
@click.option("--measure", "measures", type=Names(), metavar="A,B,…", help="Only these, such as cities or a column of yours.")
@click.option("--round", "at_round", type=int, help="Only the end of this round.")
@MARGIN
@output_options()
def rounds(
    folders: tuple[Place, ...], part: str, measures: tuple[str, ...] | None, at_round: int | None, margin: float, how: str
) -> None:
    """Show how often seats win that are ahead or behind, when games are decided, and what winners have, round by round.

    \b
    newdawn run --rounds --out results/first
    newdawn rounds results/first --measure cities --round 8
    newdawn rounds results/first --part behind --measure cities --round 8
    newdawn rounds results/first --part decided

    A round is read after the turns of all seats. Wins are counted over the games that continued and that somebody
    won. Being ahead is an association: who is ahead in cities is ahead in other things, too. Intervals of points hold for all
    rows of the table before --round chooses among them (95%). `verdict` compares with the --margin.

    --part decided forecasts the winner from all that the seats have: `settled rate` is the share of the games whose later
    winner was the favourite from then on to the end.
    """
    from ...analysis.questions import course
    from ...analysis.tables import rounds as tables

    runs = _opened(folders, "rounds")
    points = 100 * margin
    findings: list[Any] = []
    if part == "ahead":
        frame = course.ahead(runs, points, measures)
        findings = course.ahead_findings(_until(frame, at_round))
    elif part == "behind":
        frame = course.behind(runs, points, measures)
        findings = course.behind_findings(_until(frame, at_round))
    elif part == "course":
        frame = tables.trajectories(runs, measures)
        findings = course.course_findings(frame)
    else:
        frame, row = tables.decided(runs, measures)
        findings = course.decided_findings(_until(frame, at_round), row.iloc[0])
    if at_round is not None:
        if at_round not in set(frame["round"]):
            raise UserError(f"--round: no game went on after round {at_round}; expected 1 to {int(frame['round'].max())}")
        frame = frame[frame["round"] == at_round].reset_index(drop=True)
    _say(runs, ROUND_PARTS[part], findings, frame, how)


@click.command("places")
@click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR...")
@click.option("--part", type=click.Choice(list(PLACE_PARTS)), default="start", show_default=True, help="Which question.")
@MARGIN
@output_options()
def map_places(folders: tuple[Place, ...], part: str, margin: float, how: str) -> None:
    """Show whether every start place of the map is worth the same, and what goes with holding places.

    \b
    newdawn run --places --map mine.yaml --players 2 --out results/map
    newdawn places results/map
    newdawn places results/map --part held

    Start places are named by the tile that the capital lies on. `verdict` compares with the fair share ± --margin, for all rows
    together (95%). `newdawn report` draws a fixed map coloured by what its start places win.

    --part held compares seats that hold a natural wonder, a city-state, a tile (more of its spaces than any other seat) or
    a resource (a space with it) at the end with seats alike that do not: an association, for who is ahead takes more. What a
    place does: newdawn experiment ban "natural wonder" NAME, ban city-state NAME.
    """
    from ...analysis.questions import places as question
    from ...analysis.tables import places as counted

    runs = _opened(folders, "places")
    if part == "start":
        frame = question.starts(runs, 100 * margin)
        findings = question.start_findings(frame)
    else:
        frame = counted.place_wins(runs)
        findings = question.held_findings(frame)
    _say(runs, PLACE_PARTS[part], findings, frame, how)


def _until(frame: Any, at_round: int | None) -> Any:
    """Return the rows up to the round that is asked for: sentences speak of the last one that is tested."""
    return frame if at_round is None else frame[frame["round"] == at_round]
