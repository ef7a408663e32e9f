"""Long random play with every invariant checked before every decision.

    python -m newdawn.scripts.checks.soak --games 100000 --jobs 2

Stops at the first violation and says which game it was, so that `newdawn replay` can show it.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import click

from newdawn.simulator.wording import counted


@dataclass(frozen=True)
class Soaked:
    """What a soak found: `violation` is 0 or a code of `violations.VIOLATIONS`, seen in game `game` of the seed."""

    games: int
    decisions: int
    violation: int
    game: int


def soak(games: int, seed: int, first: int = 0, round_cap: int = 200) -> Soaked:
    """Play random games `first` … `first + games - 1` of the seed (2, 3 and 4 players in turn) under the audit."""
    import numpy as np

    from newdawn.simulator.engine.core.jit import seat_strategies
    from newdawn.simulator.engine.core.rng import seed_streams
    from newdawn.simulator.engine.core.state import STATE, new_work
    from newdawn.simulator.engine.course.invariants import observe_audit
    from newdawn.simulator.engine.course.play import play_game
    from newdawn.simulator.engine.course.setup import start_game
    from newdawn.simulator.names import LEADERS
    from newdawn.simulator.rules import load_ruleset
    from newdawn.strategies.basic import choose_random

    r, w = load_ruleset().compile(), new_work()
    bots = seat_strategies(choose_random, observe_audit)
    states = np.zeros(2, STATE).view(np.recarray)
    decisions = 0
    for game in range(first, first + games):
        states[0] = states[1]
        g = states[0]
        g.players, g.round_cap = 2 + game % 3, round_cap
        for seat in range(g.players):
            g.leader[seat] = (game // 3 + seat * (1 + game // 24 % 2)) % len(LEADERS)
        seed_streams(g, seed, game)
        start_game(r, g, w, bots)
        play_game(r, g, w, bots)
        decisions += int(g.stat_decisions)
        if w.violation != 0:
            return Soaked(game - first + 1, decisions, int(w.violation), game)
    return Soaked(games, decisions, 0, -1)


@click.command()
@click.option("--games", default=100_000, show_default=True, help="Games to play.")
@click.option("--seed", default=1, show_default=True, help="Seed of the games.")
@click.option("--jobs", default=2, show_default=True, help="Worker threads.")
def main(games: int, seed: int, jobs: int) -> None:
    """Play random games with all invariants on."""
    import joblib

    from newdawn.simulator.engine.course.violations import VIOLATIONS

    soak(1, seed)  # compile before the clock starts
    chunk = 500
    started = time.perf_counter()
    work = (joblib.delayed(soak)(min(chunk, games - at), seed, at) for at in range(0, games, chunk))
    done = decisions = 0
    for result in joblib.Parallel(jobs, return_as="generator_unordered")(work):
        done += result.games
        decisions += result.decisions
        speed = done / (time.perf_counter() - started)
        click.echo(f"\r{done:,} of {counted(games, 'game')}, {decisions:,} decisions, {speed:,.0f} games/s", nl=False, err=True)
        if result.violation:
            click.echo(f"\nviolation in game {result.game} of seed {seed}: {VIOLATIONS[result.violation]}")
            sys.exit(1)
    click.echo(f"\n{counted(done, 'random game')}, {decisions:,} decisions, every invariant held before each of them")


if __name__ == "__main__":
    main()
