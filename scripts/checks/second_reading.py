"""Own content drawn by lot, and what its abilities do in games held against a second reading of their words.

    python -m newdawn.scripts.checks.second_reading --box base --contents 250 --games 40
    python -m newdawn.scripts.checks.second_reading --show 7
    python -m newdawn.scripts.checks.second_reading --words 20000
    python -m newdawn.scripts.checks.second_reading --breaks

A content has own leaders, world wonders, cards and tokens whose abilities are drawn from docs/abilities.md, and perhaps other
readings of open rules; 2 to 5 players. The second reading is tests/second_reading/meanings.py. What differs is printed with
the number of its content, which `--show` writes as a house rule. `--words` compares what is taken and refused: the program's
contract of the words (simulator/rules/contract.py), and sense.py beside the reading. `--breaks` breaks ten things in rules and
engine and seven in the contract, and says how often each was noticed. Exit code 1 if anything differed, or went unnoticed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ...simulator import names

READING = Path(__file__).resolve().parents[2] / "tests" / "second_reading"
AT_A_TIME = 10  # contents of one process


def asked(name: str, **arguments: object) -> Any:
    """Do a task of the second reading in a process of its own."""
    command = [sys.executable, str(READING / "games.py"), json.dumps([[name, arguments]])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)[0]


def compared(box: str, first: int, contents: int, games: int, wild: float, rounds: int) -> Iterator[dict[str, Any]]:
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
@click.option("--words", type=int, help="Draw so many abilities, and compare whether they are taken; play nothing.")
@click.option("--breaks", is_flag=True, help="Break things on purpose, and say which were noticed.")
def main(
    box: str, contents: int, games: int, first: int, rounds: int, wild: float, show: int | None, words: int | None, breaks: bool
) -> None:
    """Compare what abilities of drawn content do with a second reading."""
    if show is not None:
        click.echo(json.dumps(asked("drawn", box=box, number=show, wild=wild), indent=1))
    elif words is not None:
        _compare_words(box, first, words)
    elif breaks:
        _break(box)
    else:
        _compare_games(box, contents, games, first, rounds, wild)


def _compare_words(box: str, number: int, abilities: int) -> None:
    """Print which abilities the program takes and the reading does not, or the other way round."""
    sense, unlike = asked("unlike", box=box, number=number, abilities=abilities)
    click.echo("\n".join([*unlike, f"{abilities:,} abilities, {sense:,} of them sense: {len(unlike)} differences"]))
    raise SystemExit(1 if unlike else 0)


def _break(box: str) -> None:
    """Print how often each thing that is broken on purpose was noticed."""
    found = [asked("breaks", box=box, number=3), asked("noticed", box=names.BOXES[1], number=1, abilities=3000)]
    for breaks in found:
        for name, differences in breaks.items():
            click.echo(f"{name}: {differences} differences")
    whole = all(breaks.pop("nothing") == 0 and all(breaks.values()) for breaks in found)
    raise SystemExit(0 if whole else 1)


def _compare_games(box: str, contents: int, games: int, first: int, rounds: int, wild: float) -> None:
    """Play drawn content and print what differs."""
    counts: Counter[str] = Counter()
    acted: Counter[str] = Counter()
    wrong: list[str] = []
    for answer in compared(box, first, contents, games, wild, rounds):
        counts.update(answer["counts"])
        acted.update(answer["acted"])
        wrong += answer["wrong"]
        for line in answer["wrong"]:
            click.echo(line)
    for title, numbers in (("Compared", counts), ("Abilities there to act", acted)):
        click.echo(f"{title}: " + ", ".join(f"{what} {number:,}" for what, number in numbers.most_common()))
    click.echo(f"{counts['games']:,} games of {contents} contents: {len(wrong)} differences")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
