"""`newdawn rules`: check house rules, or list what they change."""

from __future__ import annotations

from pathlib import Path

import click

from scripts.cli_options import PATH


@click.group()
def rules() -> None:
    """Check house rules, or compare them with the printed game."""


@rules.command()
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
def check(files: tuple[Path, ...]) -> None:
    """Check house rules: every key, name and number, and that the game can be set up with them."""
    from simulator.rules import load_ruleset

    ruleset = load_ruleset(files)
    ruleset.compile()
    click.echo(f"{', '.join(str(file) for file in files)}: fine (rules digest {ruleset.digest()[:12]})")


@rules.command()
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
def diff(files: tuple[Path, ...]) -> None:
    """List what the house rules change in the printed game."""
    from simulator.rules import describe_diff, load_ruleset

    changes = describe_diff(load_ruleset(files), load_ruleset())
    click.echo("\n".join(changes) or "no difference")
