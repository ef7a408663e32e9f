"""Own content that makes sense, drawn by lot: how much is accepted, and how much that is said never to act acts after all.

    python -m newdawn.scripts.checks.refusals --box base --contents 100
    python -m newdawn.scripts.checks.refusals --box base --contents 100 --play 1000 --again 2000
    python -m newdawn.scripts.checks.refusals --show 7

tests/second_reading/sense.py decides what makes sense; it is written from docs/abilities.md, independently of the program. A
content is of one kind (leader, wonder, card, everyone …) and has one to three abilities. `--play` lists abilities as `newdawn
rules check FILE --play` does, and `--again` plays those that never changed a game in more games. Exit code 1 if less than 98%
are accepted, or more than 2% of those named act.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from ...simulator import names
from .second_reading import asked

ACCEPTED, ACTING = 0.98, 0.02


def refusal(box: str, rules: Mapping[str, Any]) -> str:
    """Return what the program has against a house rule, "" for nothing."""
    from ...simulator.errors import UserError
    from ...simulator.rules.load import load_ruleset, with_overlay

    try:
        with_overlay(load_ruleset(box=box), rules, "drawn")
    except UserError as error:
        return str(error)
    return ""


def named(box: str, rules: Mapping[str, Any], games: int, again: int) -> tuple[int, int, list[str]]:
    """Return how many abilities there are, how many never changed one of the games, and which of these changed more games."""
    from ...analysis.questions.own_content import idle_abilities, is_idle
    from ...simulator.rules.load import load_ruleset, with_overlay

    ruleset = with_overlay(load_ruleset(box=box), rules, "drawn")
    idle = [path for path, _ in idle_abilities(ruleset, games)]
    return str(rules).count("'effect'"), len(idle), [path for path in idle if not is_idle(ruleset, path, again)]


@click.command()
@click.option("--box", type=click.Choice(names.BOXES), default=names.BOXES[0], show_default=True)
@click.option("--contents", default=100, show_default=True, help="House rules drawn.")
@click.option("--first", default=0, show_default=True, help="Number of the first.")
@click.option("--play", type=int, help="Play so many games, and list abilities that never changed one.")
@click.option("--again", default=2000, show_default=True, help="Play so many games with those.")
@click.option("--show", type=int, help="Write the house rule of this number, and check nothing.")
def main(box: str, contents: int, first: int, play: int | None, again: int, show: int | None) -> None:
    """Count what is refused of content that makes sense."""
    if show is not None:
        click.echo(json.dumps(asked("sensible", box=box, first=show, number=1)[0], indent=1))
        return
    drawn = asked("sensible", box=box, first=first, number=contents)
    accepted = []
    for number, rules in enumerate(drawn, first):
        if said := refusal(box, rules):
            click.echo(f"content {number}: {said}")
        else:
            accepted.append((number, rules))
    click.echo(f"{len(accepted)} of {contents} contents are accepted")
    wrong = len(accepted) < ACCEPTED * contents
    if play:
        wrong |= _play(box, accepted, play, again)
    raise SystemExit(1 if wrong else 0)


def _play(box: str, accepted: list[tuple[int, dict[str, Any]]], games: int, again: int) -> bool:
    """Print which abilities that never changed a game do so in more; return whether they are too many."""
    abilities = never = 0
    after_all: list[str] = []
    for number, rules in accepted:
        there, idle, acting = named(box, rules, games, again)
        abilities, never = abilities + there, never + idle
        after_all += [f"content {number}: {path}" for path in acting]
        click.echo(f"content {number}: {idle} of {there} abilities never changed one of {games:,} games", err=True)
    for line in after_all:
        click.echo(f"{line} acts in {again:,} games")
    click.echo(
        f"{never} of {abilities} abilities never changed one of {games:,} games; of these, {len(after_all)} did in {again:,}"
    )
    return len(after_all) > ACTING * never


if __name__ == "__main__":
    main()
