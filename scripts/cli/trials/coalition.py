"""`newdawn coalition`: what is left of a leader when the whole table plays against it."""

from __future__ import annotations

from pathlib import Path

import click

from ..shared import options, progress
from ..shared.answers import answer_options, check_answer, keep_answer, tell_next, with_commands
from ..shared.options import Names, ruleset_of
from ..shared.screen import table, tell

TABLE = "coalitions"  # that is kept
COMMAND = "coalition"


@click.command()
@click.option("--leaders", type=Names(), metavar="A,B,…", help="Leaders to play against, one by one [default: all].")
@click.option("--player", help="Who plays: quick, or a learned player like it [default: quick].")
@options.games(1_000, "Pairs of games for each leader.")
@click.option(
    "--aim", type=click.IntRange(1, 100), default=100, show_default=True,
    help="Percentage of a rival's aim that is to stop the leader; the rest is to win.",
)  # fmt: skip
@options.players
@options.seed()
@options.rules
@answer_options
def coalition(
    leaders: tuple[str, ...] | None, player: str | None, games: int, aim: int, players: int, seed: int, box: str,
    rules_files: tuple[Path, ...], map_file: Path | None, jobs: int, out: Path | None, how: str, quiet: bool,
) -> None:  # fmt: skip
    """Measure what a leader still wins when every rival plays against it.

    \b
    newdawn coalition --leaders Scythia
    newdawn coalition --box terra-incognita --games 2000 --out results/coalition
    newdawn coalition --leaders Scythia --aim 50 --rules mine.yaml

    People gang up on the player who is ahead. Each game is played twice on the same seed: once every rival plays to win,
    once to stop the leader. The rivals judge positions as they always do; they are not trained for this, so they may hold a
    leader less well than people would.

    Verdicts are on decided games; their intervals hold for all leaders together (95%). The margin is 2 points.
    """
    from ....analysis.contests import arena, coalitions
    from ....analysis.statistics.answer import for_reading
    from ....simulator.errors import UserError, named
    from ....simulator.games.plan import available_leaders, check_players
    from ....strategies.registry import DEFAULT

    ruleset = ruleset_of(rules_files, map_file, box)
    r = ruleset.compile()
    check_players(players, r)
    known = available_leaders(r)
    asked = list(dict.fromkeys(named("leader", word, known, "--leaders") for word in leaders or known))
    if len(known) <= players - 1:
        raise UserError(f"players: {players} need {players} leaders; the rules have {len(known)}")
    check_answer(out, [TABLE])
    one = coalitions.player(player or DEFAULT)
    one.load()
    plan = arena.table_plan(r, [one] * players, games, seed)
    say = progress.Diary(quiet).say
    found = coalitions.coalitions(r, asked, one, players=players, games=games, seed=seed, jobs=jobs, share=10 * aim, say=say)
    found = with_commands(found)
    click.echo(table(for_reading(found) if how in ("table", "markdown") else found, how))
    said = [f"{coalitions.sentence(row)} {coalitions.effect(row)}" for row in found.to_dict("records")]
    if how == "table":
        tell("\n".join([*said, coalitions.UNTRAINED]))
        tell_next(found)
    if out is not None:
        title = f"What leaders win when the table plays against them, played by {one.name}"
        compared = f"{games:,} pairs of games a leader"
        keep_answer(
            out, COMMAND, title, ruleset, plan, {TABLE: found}, sentences=[*said, coalitions.UNTRAINED], compared=compared,
            words={"aim": str(aim)},
        )  # fmt: skip
