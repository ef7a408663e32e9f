"""Long play, at random or by strategies, with every invariant checked before every decision.

    python -m newdawn.scripts.checks.soak --games 100000 --jobs 2
    python -m newdawn.scripts.checks.soak --box terra-incognita --games 50000 --round-cap 100 --jobs 16 --json soak.json
    python -m newdawn.scripts.checks.soak --games 1000 --strategies random,planner --rules late_war
    python -m newdawn.scripts.checks.soak --box terra-incognita --games 4000 --strategies quick,warrior,castellan --seed 7

Plays every number of players in turn (with teams: four), each with leaders and strategies drawn by lot. Stops at the first
violation and says which game it was. At the end it says how often each decision was put to the player at turn and to others
(only questions with two answers or more are put), and which decision nobody was asked.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import click

from ...simulator import names
from ...simulator.wording import counted
from ..cli.shared.options import PATH, box_option

CHUNK = 125  # games a worker plays at a time


@dataclass(frozen=True)
class Soaked:
    """What a soak found: `violation` is 0 or a code of `violations.VIOLATIONS`, seen in game `game` of the seed.

    `asked` says by decision how often it was put to others than the player at turn, and to that player.
    """

    games: int
    decisions: int
    violation: int
    game: int
    asked: dict[str, tuple[int, int]] = field(default_factory=dict)


def soak(
    games: int,
    seed: int,
    first: int = 0,
    round_cap: int = 200,
    box: str = names.BOXES[0],
    strategies: tuple[str, ...] = ("random",),
    rules: tuple[Path, ...] = (),
) -> Soaked:
    """Play games `first` … `first + games - 1` of the seed (every number of players in turn) under the audit.

    `rules`: files of house rules, or names of packaged ones, laid over the printed game of the box.
    """
    import numpy as np

    from ...simulator.engine.core import decisions, state
    from ...simulator.engine.core.jit import seat_strategies
    from ...simulator.engine.core.rng import seed_streams
    from ...simulator.engine.course.invariants import observe_audit
    from ...simulator.engine.course.play import play_game
    from ...simulator.engine.course.setup import start_game
    from ...simulator.games.plan import available_leaders, team_counts
    from ...simulator.rules import load_ruleset
    from ...strategies.registry import check_box, find

    found = [find(name) for name in strategies]
    for strategy in found:
        check_box(strategy, box)
    loaded = [strategy.load() for strategy in found]
    r, w = load_ruleset(rules, box=box).compile(), state.new_work()
    leaders, counts = len(available_leaders(r)), team_counts(r)
    states = np.zeros(2, state.STATE).view(np.recarray)
    played = answered = 0
    for game in range(first, first + games):
        states[0] = states[1]
        g = states[0]
        g.players, g.round_cap = counts[game % len(counts)], round_cap
        lot = np.random.default_rng([seed, game])
        g.leader[: g.players] = lot.permutation(leaders)[: g.players]
        seats = lot.integers(len(found), size=g.players)
        for seat, k in enumerate(seats):
            g.weights[seat] = found[k].weights(int(g.players), box)[g.leader[seat]]
        bots = seat_strategies([loaded[k] for k in seats], observe_audit)
        seed_streams(g, seed, game)
        start_game(r, g, w, bots)
        play_game(r, g, w, bots)
        answered += int(g.stat_decisions)
        played += 1
        if w.violation != 0:
            break
    asked = {name: (int(n[0]), int(n[1])) for name, n in zip(decisions.KINDS, w.times_asked, strict=True)}
    return Soaked(played, answered, int(w.violation), game if w.violation else -1, asked)


def together(parts: list[Soaked]) -> dict[str, tuple[int, int]]:
    """Add up how often each decision was asked."""
    return {name: (sum(p.asked[name][0] for p in parts), sum(p.asked[name][1] for p in parts)) for name in parts[0].asked}


@click.command()
@click.option("--games", default=100_000, show_default=True, help="Games to play.")
@click.option("--seed", default=1, show_default=True, help="Seed of the games.")
@click.option("--round-cap", default=200, show_default=True, help="Stop a game after this round: few end before by chance.")
@click.option("--jobs", default=2, show_default=True, help="Worker processes.")
@click.option("--strategies", default="random", show_default=True, help="Who plays: names, with commas between them.")
@click.option("--rules", "rules_files", type=PATH, multiple=True, help="House rules over the printed game; may be repeated.")
@box_option
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write what was found to the file.")
def main(
    games: int, seed: int, round_cap: int, jobs: int, strategies: str, rules_files: tuple[Path, ...], box: str,
    json_file: Path | None,
) -> None:  # fmt: skip
    """Play games with all invariants on."""
    import joblib

    from ...simulator.engine.course import violations

    names = tuple(strategies.split(","))
    soak(1, seed, box=box, strategies=names, rules=rules_files)  # compile before the clock starts
    started = time.perf_counter()
    starts = range(0, games, CHUNK)
    work = (joblib.delayed(soak)(min(CHUNK, games - at), seed, at, round_cap, box, names, rules_files) for at in starts)
    parts: list[Soaked] = []
    for result in joblib.Parallel(jobs, return_as="generator_unordered")(work):
        parts.append(result)
        done, decisions = sum(part.games for part in parts), sum(part.decisions for part in parts)
        seconds = time.perf_counter() - started
        so_far = f"{done:,} of {counted(games, 'game')}, {decisions:,} decisions, {done / seconds:,.0f} games/s"
        click.echo(f"\r{so_far}", nl=False, err=True)
        if result.violation:
            click.echo(f"\nviolation in game {result.game} of seed {seed}: {violations.VIOLATIONS[result.violation]}")
            sys.exit(1)
    asked = together(parts)
    click.echo(f"\n{counted(done, 'game')} of {strategies}, {decisions:,} decisions, every invariant held before each of them")
    for name, (others, own) in sorted(asked.items(), key=lambda item: -sum(item[1])):
        click.echo(f"{name:20} {own:12,} of the player at turn {others:12,} of others")
    click.echo(f"never asked: {', '.join(name for name, n in asked.items() if sum(n) == 0) or 'nothing'}")
    if json_file:
        played = {"box": box, "strategies": names, "seed": seed, "games": done, "decisions": decisions}
        found = played | {"seconds": seconds, "asked": asked}
        json_file.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
