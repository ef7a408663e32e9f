"""Decisions a second of the environments for learning agents, with random actions.

    python -m newdawn.scripts.bench.environments

Four players in the base game, five in Terra Incognita, every seat an agent; on one core, by processor time. Settings are
measured in turns, so that all have the same noise. PettingZoo's own benchmark comes last.
"""

from __future__ import annotations

import io
import re
import time
from contextlib import redirect_stdout
from typing import Any

import click
import numpy as np

from ...simulator import names
from ...simulator.errors import counted
from ...simulator.replay.interactive_game import ME
from ..cli.bench import machine

STEPS = 200


class EnvironmentSpeed:
    """The speeds of a setting of an environment."""

    def __init__(self, box: str, side_by_side: int, observe: bool) -> None:
        from ...simulator.environments.batch import Batch

        players = names.MOST_PLAYERS[box]
        self.name = f"{box}, {players} players, {counted(side_by_side, 'game')} at once"
        self.name += ", observations" if observe else ", no observations"
        self.batch = Batch(side_by_side, (ME,) * players, box, observe=observe)
        self.bits = np.random.default_rng(1)
        self.speeds: list[float] = []
        self.play(20)

    def play(self, steps: int) -> None:
        """Take random actions in all games."""
        for bits in self.bits.integers(2**63, size=steps):
            self.batch.step(self.batch.sample(int(bits)))

    def measure(self, seconds: float) -> None:
        """Play for this many seconds of processor time and record the speed."""
        steps, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < seconds:
            self.play(STEPS)
            steps += STEPS
        self.speeds.append(steps * self.batch.n / spent)

    def line(self) -> str:
        """Return the speed as a line of text."""
        low, high = min(self.speeds), max(self.speeds)
        return f"{self.name}: {np.median(self.speeds):,.0f} decisions a second ({low:,.0f} to {high:,.0f})"


def measured(rounds: int, seconds: float, games: int) -> list[EnvironmentSpeed]:
    """Return all settings with their speeds."""
    paces = [EnvironmentSpeed(box, games, observe) for box in names.BOXES for observe in (False, True)]
    for _ in range(rounds):
        for pace in paces:
            pace.measure(seconds)
    return paces


def by_petting_zoo(box: str) -> float:
    """Return the turns a second of processor time of PettingZoo's benchmark of `env`, which goes by the clock."""
    from pettingzoo.test import performance_benchmark

    from ...simulator.environments import pettingzoo

    printed, env = io.StringIO(), pettingzoo.env(players=names.MOST_PLAYERS[box], box=box)
    begin = time.perf_counter(), time.process_time()
    with redirect_stdout(printed):
        performance_benchmark(env)
    share = (time.process_time() - begin[1]) / (time.perf_counter() - begin[0])  # of a core used by this process
    return float(re.findall(r"([\d.]+) turns per second", printed.getvalue())[0]) / share


def as_text(paces: list[EnvironmentSpeed], turns: dict[str, float], host: dict[str, Any]) -> str:
    """Return the measurements as text."""
    lines = [f"{host['cores']} cores ({host['cpu']}), load {host['load']}; one of them, median of the rounds (all of them)"]
    lines += [pace.line() for pace in paces]
    lines += [f"{box}: {speed:,.0f} turns a second by PettingZoo's benchmark" for box, speed in turns.items()]
    return "\n".join(lines)


@click.command(help=(__doc__ or "").split("\n")[0])
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="How often all settings take a turn.")
@click.option("--seconds", type=click.FloatRange(0.01), default=1.0, show_default=True, help="Processor time of one turn.")
@click.option("--games", type=click.IntRange(1), default=64, show_default=True, help="Games at once.")
def main(rounds: int, seconds: float, games: int) -> None:
    """Print the speeds."""
    paces = measured(rounds, seconds, games)
    click.echo(as_text(paces, {box: by_petting_zoo(box) for box in names.BOXES}, machine()))


if __name__ == "__main__":
    main()
