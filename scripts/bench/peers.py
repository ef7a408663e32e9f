"""Decisions a second beside another board game simulator: catanatron's Settlers of Catan with four random bots.

    pip install --target DIR catanatron        # not a part of this program's environment
    PYTHONPATH=DIR python -m newdawn.scripts.bench.peers

Both play with four random players in this process on one core, in turns (ours, theirs, ours, theirs …), so that both have the
same noise; speeds are by processor time. Our decisions are questions with two or more options; of theirs every action counts,
also one without an alternative (their share is printed).

The games are different: the ratio compares the speed of random play, not the difficulty of the games.
"""

from __future__ import annotations

import json
import math
import random
import time
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import click
import numpy as np
from scipy import stats

from ...simulator.errors import UserError, counted
from ..cli.bench import Speed, machine

INSTALL = "pip install --target DIR catanatron, then PYTHONPATH=DIR python -m newdawn.scripts.bench.peers"


@dataclass
class Pace:
    """Decisions, those with a choice, and games played in some seconds."""

    decisions: int = 0
    choices: int = 0
    games: int = 0
    seconds: float = 0.0


def catanatron() -> Any:
    """Import catanatron; raise UserError if it is not installed."""
    try:
        import catanatron
    except ImportError:
        raise UserError(f"catanatron is not installed; to compare with it: {INSTALL}") from None
    return catanatron


def their_version() -> str:
    """Return the installed version of catanatron."""
    return metadata.version("catanatron")


class Theirs:
    """Plays Catan with four of catanatron's random players."""

    def __init__(self, seed: int) -> None:
        package = catanatron()
        random.seed(seed)
        self.players = [package.RandomPlayer(color) for color in package.Color]
        self.game = package.Game
        self.play(Pace())

    def play(self, pace: Pace) -> None:
        """Play one game, ply by ply as its own `Game.play` does, and add it to the pace."""
        game = self.game(self.players)
        begin = time.thread_time()
        actions = choices = 0
        while game.winning_color() is None and actions < 100_000:
            choices += len(game.state.playable_actions) > 1
            game.play_tick()
            actions += 1
        pace.seconds += time.thread_time() - begin
        pace.decisions += actions
        pace.choices += choices
        pace.games += 1


class Ours:
    """Plays our game with four random players."""

    def __init__(self) -> None:
        self.speed = Speed(4, "random")

    def play(self, pace: Pace) -> None:
        """Play some games and add them to the pace."""
        games, decisions, seconds = self.speed.play()
        pace.decisions += decisions
        pace.choices += decisions
        pace.games += games
        pace.seconds += seconds


def paced(side: Ours | Theirs, seconds: float) -> Pace:
    """Let the side play for this many seconds of processor time."""
    pace = Pace()
    while pace.seconds < seconds:
        side.play(pace)
    return pace


def paired(ratios: list[float]) -> tuple[float, float, float]:
    """Return the geometric mean of the ratios with its 95% interval (t on the logarithms; NaN with fewer than two)."""
    logs = np.log(ratios)
    middle = float(logs.mean())
    if len(logs) < 2:
        return math.exp(middle), math.nan, math.nan
    reach = float(stats.t.ppf(0.975, len(logs) - 1) * logs.std(ddof=1) / math.sqrt(len(logs)))
    return math.exp(middle), math.exp(middle - reach), math.exp(middle + reach)


def measure(rounds: int, seconds: float, seed: int) -> dict[str, Any]:
    """Let both play in turns and return their speeds round by round, and the ratio."""
    theirs, ours = Theirs(seed), Ours()
    pairs = [(paced(ours, seconds), paced(theirs, seconds)) for _ in range(rounds)]
    speeds = [[pace.decisions / pace.seconds for pace in pair] for pair in pairs]
    ratio, low, high = paired([mine / other for mine, other in speeds])
    return {
        "machine": machine(),
        "catanatron": their_version(),
        "seconds": seconds,
        "ours": [mine for mine, _ in speeds],
        "theirs": [other for _, other in speeds],
        "games": [sum(pair[k].games for pair in pairs) for k in range(2)],
        "their_share_with_a_choice": sum(p.choices for _, p in pairs) / sum(p.decisions for _, p in pairs),
        "ratio": ratio,
        "ratio_low": low,
        "ratio_high": high,
        "ratio_least": min(mine / other for mine, other in speeds),
        "ratio_most": max(mine / other for mine, other in speeds),
    }


def as_text(measured: dict[str, Any]) -> str:
    """Return the measurements as text."""
    lines = [f"{measured['machine']['cores']} cores ({measured['machine']['cpu']}), load {measured['machine']['load']}"]
    for name, values, games in (
        ("ours", measured["ours"], measured["games"][0]),
        (f"catanatron {measured['catanatron']}", measured["theirs"], measured["games"][1]),
    ):
        lines.append(
            f"{name}, four random players: {np.median(values):,.0f} decisions a second and core "
            f"({min(values):,.0f} to {max(values):,.0f}; {counted(len(values), 'round')}, {counted(games, 'game')})"
        )
    lines.append(f"of catanatron's actions {measured['their_share_with_a_choice']:.0%} had an alternative; all are counted")
    lines.append(
        f"ratio, ours over theirs: {measured['ratio']:.1f} [{measured['ratio_low']:.1f}, {measured['ratio_high']:.1f}] "
        f"(95%; rounds from {measured['ratio_least']:.1f} to {measured['ratio_most']:.1f})"
    )
    return "\n".join(lines)


@click.command(help=(__doc__ or "").split("\n")[0])
@click.option("--rounds", type=click.IntRange(1), default=10, show_default=True, help="How often both take a turn.")
@click.option("--seconds", type=click.FloatRange(0.01), default=1.0, show_default=True, help="Processor time of one turn.")
@click.option("--seed", default=1, show_default=True, help="Seed of catanatron's games.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(rounds: int, seconds: float, seed: int, as_json: bool) -> None:
    """Print both speeds and their ratio."""
    try:
        measured = measure(rounds, seconds, seed)
    except UserError as error:
        click.echo(f"error: {error}", err=True)
        raise SystemExit(2) from None
    click.echo(json.dumps(measured, indent=1) if as_json else as_text(measured))


if __name__ == "__main__":
    main()
