"""`newdawn restrict`: what a part of the game is worth, by what a player loses who does without it."""

from __future__ import annotations

import time
from pathlib import Path

import click

from newdawn.scripts.cli.shared.options import PLAYERS_HELP, Names, rules_options, ruleset_of
from newdawn.scripts.cli.shared.screen import output_options, table, tell


@click.command()
@click.option("--player", default="planner", show_default=True, help="Who plays: planner, adept, thinker, or like them.")
@click.option(
    "--without", type=Names(), metavar="A,B,…",
    help="Restrictions [default: all but agendas]; 'agenda NAME' ignores one agenda.",
)  # fmt: skip
@click.option("--agendas", is_flag=True, help="Ignore each agenda of the rules, one after the other.")
@click.option("--games", type=click.IntRange(2), default=4_000, show_default=True, help="Pairs of games a restriction.")
@click.option("--players", type=int, default=4, show_default=True, help=PLAYERS_HELP)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the games.")
@rules_options
@click.option("--jobs", type=click.IntRange(1), help="Threads [default: the processors of this machine].")
@output_options()
@click.option("--quiet", is_flag=True, help="No progress lines.")
def restrict(
    player: str, without: tuple[str, ...] | None, agendas: bool, games: int, players: int, seed: int, box: str,
    rules_files: tuple[Path, ...], map_file: Path | None, jobs: int | None, how: str, quiet: bool,
) -> None:  # fmt: skip
    """Measure what a part of the game is worth: what one player loses by doing without it.

    Every game is played twice on the same seed, with and without the restriction for one seat; all others play freely. The
    player has not learned to do without, so its loss is the most that the part can be worth to it. Intervals in the
    sentences, and p adjusted, hold for all restrictions together (95%).

    Most restrictions rule options out. Without 'waiting' the card of a turn is the one that brings most at once, whatever a
    better slot would add later; without 'early cards' it is always the one in the last slot. Without 'looking ahead' there is
    no plan and no trial of the turn: every option counts by what it brings at once, and a victory card only once a turn's
    work is missing. 'agenda Paranoid' is never gone for; who meets it all the same claims its card.

    \b
    newdawn restrict --games 4000
    newdawn restrict --agendas --players 3
    newdawn restrict --player adept --without "attacks on capitals,reinforcing" --rules my_rules.yaml
    """
    import os

    from newdawn.analysis.contests import restricted as lab
    from newdawn.strategies.planning.restrictions import AGENDA, known_in

    r = ruleset_of(rules_files, map_file, box).compile()
    names = [*(without or (() if agendas else known_in(r.box))), *(f"{AGENDA}{name}" for name in lab.agendas_of(r) if agendas)]
    lab.check(names, r, "--without")
    one = lab.player(player)
    one.load()
    began = time.monotonic()

    def say(name: str) -> None:
        if not quiet:
            click.echo(f"{time.monotonic() - began:6.0f} s  without {name}", err=True)

    found = lab.restricted(r, one, names, players=players, games=games, seed=seed, jobs=jobs or os.cpu_count() or 1, say=say)
    click.echo(table(found.drop(columns="meaning"), how))
    if how == "table":
        for row in found.itertuples():
            tell(lab.sentence(row, players))
