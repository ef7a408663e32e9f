"""Own content drawn by lot, and what its abilities do in games held against a second reading of their words.

    python -m newdawn.scripts.checks.second_reading --box base --contents 250 --games 40
    python -m newdawn.scripts.checks.second_reading --show 7

A content has own leaders, world wonders, cards and tokens whose abilities are drawn from docs/abilities.md, and perhaps other
readings of open rules; 2 to 5 players. The second reading is tests/second_reading/meanings.py. What differs is printed with
the number of its content, which `--show` writes as a house rule. Exit code 1 if anything differed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from ...simulator import names

READING = Path(__file__).resolve().parents[2] / "tests" / "second_reading"
AT_A_TIME = 5  # contents of one process


def asked(name: str, **arguments: object) -> dict[str, object]:
    """Do a task of the second reading in a process of its own."""
    command = [sys.executable, str(READING / "games.py"), json.dumps([[name, arguments]])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    answer: dict[str, object] = json.loads(done.stdout)[0]
    return answer


def compared(box: str, first: int, contents: int, games: int, wild: float, rounds: int) -> Iterator[dict[str, object]]:
    """Yield the answers of contents, some at a time, with a line on how far it is."""
    started = time.time()
    for number in range(first, first + contents, AT_A_TIME):
        part = list(range(number, min(number + AT_A_TIME, first + contents)))
        yield asked("compare", box=box, contents=part, games=games, wild=wild, cap=rounds)
        done = part[-1] + 1 - first
        left = (time.time() - started) / done * (contents - done)
        click.echo(f"{done} of {contents} contents, {done * games:,} games, {left / 60:.0f} min left", err=True)


@click.command()
@click.option("--box", type=click.Choice(names.BOXES), default=names.BOXES[0], show_default=True)
@click.option("--contents", default=250, show_default=True, help="House rules drawn.")
@click.option("--games", default=40, show_default=True, help="Games of each.")
@click.option("--first", default=0, show_default=True, help="Number of the first content.")
@click.option("--rounds", default=15, show_default=True, help="Rounds of a game at most.")
@click.option("--wild", default=0.0, show_default=True, help="Share of conditions that their moment may not be able to answer.")
@click.option("--show", type=int, help="Write the house rule of this number, and play nothing.")
def main(box: str, contents: int, games: int, first: int, rounds: int, wild: float, show: int | None) -> None:
    """Compare what abilities of drawn content do with a second reading."""
    if show is not None:
        click.echo(json.dumps(asked("drawn", box=box, number=show, wild=wild), indent=1))
        return
    counts: Counter[str] = Counter()
    acted: Counter[str] = Counter()
    wrong: list[str] = []
    for answer in compared(box, first, contents, games, wild, rounds):
        counts.update(answer["counts"])  # type: ignore[call-overload]
        acted.update(answer["acted"])  # type: ignore[call-overload]
        wrong += answer["wrong"]  # type: ignore[arg-type, operator]
        for line in answer["wrong"]:  # type: ignore[attr-defined]
            click.echo(line)
    for title, numbers in (("Compared", counts), ("Abilities there to act", acted)):
        click.echo(f"{title}: " + ", ".join(f"{what} {number:,}" for what, number in numbers.most_common()))
    click.echo(f"{counts['games']:,} games of {contents} contents: {len(wrong)} differences")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
