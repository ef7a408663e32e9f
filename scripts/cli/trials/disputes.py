"""`newdawn rules disputes`: what is doubtful about the rules, and how much it matters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ....simulator.wording import counted
from ..shared import options
from ..shared.answers import with_commands
from ..shared.screen import fitted, output_options, table

DOUBTS = ("ruling", "dispute", "tile space")  # showing.disputes.KINDS, which is not loaded only to show help


@click.command()
@click.option("--games", type=click.IntRange(2), help="Measure it: play this many games with each reading.")
@click.option("--only", multiple=True, metavar="NAME", help="Only this ruling or dispute (repeatable).")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(DOUBTS), help="Only questions of this kind (repeatable).")
@click.option("--summary", is_flag=True, help="Show one line for each measured reading.")
@options.box
@options.rules_file
@options.players
@options.seed("Seed of the measured games.")
@options.strategies
@options.round_cap
@options.jobs
@output_options()
def disputes(
    games: int | None, only: tuple[str, ...], kinds: tuple[str, ...], summary: bool, box: str,
    rules_files: tuple[Path, ...], players: int, seed: int, strategies: tuple[str, ...] | None,
    round_cap: int, jobs: int, how: str,
) -> None:  # fmt: skip
    """List rulings and disputes: what was chosen, and how to play the other reading.

    \b
    newdawn rules disputes --games 2000 --only win_check --only barbarian_order
    newdawn rules disputes --box terra-incognita --games 2000 --kind ruling --summary

    With --games both readings are played on the same seeds. The changes have 95% intervals: of each leader's win rate in
    percentage points, and of the length of the game.
    """
    from ....simulator.rules import load_ruleset
    from ....simulator.rules.showing.disputes import doubts, find_doubt

    ruleset = load_ruleset(rules_files, box=box)
    wanted = [find_doubt(ruleset, name) for name in only] or doubts(ruleset)
    wanted = [doubt for doubt in wanted if not kinds or doubt.kind in kinds]
    if games is None:
        click.echo(_listing(wanted, how))
        return
    if not only:
        wanted = [doubt for doubt in wanted if doubt.overlay is not None]
    click.echo(_measured(ruleset, wanted, how, summary, players, games, seed, strategies, round_cap, jobs))


def _listing(doubts: Sequence[Any], how: str) -> str:
    from ....simulator.rules.showing.disputes import KINDS, PLAY

    if how == "table":
        lines = []
        for kind in KINDS:
            mine = [doubt for doubt in doubts if doubt.kind == kind]
            lines += [f"{kind}s", ""] if mine else []
            for doubt in mine:
                lines += [
                    doubt.name, f"  {doubt.about}", f"  chosen: {doubt.chosen}" + (f" ({doubt.why})" if doubt.why else ""),
                    f"  other reading: {doubt.other}", f"  changes play: {PLAY[doubt.play]}", f"  switch: {doubt.switch}", "",
                ]  # fmt: skip
        return fitted("\n".join(lines).rstrip())
    import pandas as pd

    fields = ("kind", "name", "about", "chosen", "other", "why")
    rows = [
        {**{field: getattr(doubt, field) for field in fields}, "changes_play": PLAY[doubt.play], "switch": doubt.switch}
        for doubt in doubts
    ]
    return table(pd.DataFrame(rows), how)


def _measured(
    ruleset: Any, doubts: Sequence[Any], how: str, short: bool, players: int, games: int, seed: int,
    strategies: tuple[str, ...] | None, round_cap: int, jobs: int,
) -> str:  # fmt: skip
    from ....analysis.trials.readings import as_text, measure, summary
    from ....simulator.games.plan import plan_by

    settings = {"players": players, "games": games, "seed": seed, "strategies": strategies, "round_cap": round_cap}
    plan = plan_by(ruleset.compile(), **settings)
    frame = measure(plan, ruleset, doubts, jobs)
    if how in ("csv", "json"):
        return table(summary(frame) if short else with_commands(frame), how)
    heading = (
        f"{counted(games, 'game')} of {players} players with each reading, seed {seed}, "
        f"strategies {', '.join(plan.strategies)}; "
        "change = other reading less chosen one, rates in percentage points of decided games; intervals and verdicts hold for "
        "all changes of this table together (95%)"
    )
    return f"{fitted(heading)}\n\n{table(summary(frame) if short else as_text(frame), how)}"
