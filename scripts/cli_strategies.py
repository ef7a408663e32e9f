"""`newdawn strategies`: list them, look at their weights, tune one, check one's own."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import click

from scripts.cli_options import PATH, Names
from simulator.errors import UserError


@click.group(invoke_without_command=True)
@click.pass_context
def strategies(context: click.Context) -> None:
    """List the strategies that --strategies and --strategy-pool take."""
    if context.invoked_subcommand is not None:
        return
    from strategies.registry import DEFAULT, STRATEGIES

    width = max(len(strategy.name) for strategy in STRATEGIES)
    for strategy in STRATEGIES:
        default = " (default)" if strategy.name == DEFAULT else ""
        click.echo(f"{strategy.name:<{width}}  {strategy.description}{default}")
    click.echo("\nYour own: a profile of weights (path/to/profile.yaml) or a jitted function (module:function).")


@strategies.command("weights")
@click.argument("name", default="planner")
def list_weights(name: str) -> None:
    """List the weights of a strategy or profile, with their meaning."""
    from strategies import registry, weights

    rows = registry.find(name).weights(4)
    values = [int(value) for value in rows[0, : len(weights.NAMES)]]
    exceptions = [weight for k, weight in enumerate(weights.NAMES) if (rows[:, k] != rows[0, k]).any()]
    for weight, value in zip(weights.NAMES, values, strict=True):
        varies = " (differs by leader)" if weight in exceptions else ""
        click.echo(f"{weight:<28}{value:>7}  {weights.MEANINGS[weight]}{varies}")


@strategies.command()
@click.argument("profile")
@click.option("--against", type=Names(), metavar="A,B,…", help="Opponents, each at tables of its own [default: itself].")
@click.option("--players", type=click.IntRange(2, 4), default=4, show_default=True, help="Players at a table.")
@click.option("--games", type=click.IntRange(4), default=400, show_default=True, help="Games a candidate and opponent.")
@click.option("--generations", type=click.IntRange(1), default=50, show_default=True, help="Generations of the search.")
@click.option("--held-out", type=click.IntRange(4), default=10_000, show_default=True, help="Games to judge the result by.")
@click.option("--weights", "patterns", type=Names(), metavar="A,B*,…", help="Weights to tune [default: most].")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the search and of its games.")
@click.option("--jobs", type=click.IntRange(1), help="Threads [default: the processors of this machine].")
@click.option("--out", type=PATH, required=True, metavar="FILE.yaml", help="Where the tuned profile goes.")
def tune(
    profile: str,
    against: tuple[str, ...] | None,
    players: int,
    games: int,
    generations: int,
    held_out: int,
    patterns: tuple[str, ...] | None,
    seed: int,
    jobs: int | None,
    out: Path,
) -> None:
    """Improve the weights of a profile by self-play (CMA-ES).

    Candidates play the same games in each generation, new ones every generation; the result is judged on seeds that were
    never trained on. The search is kept beside --out after every generation: the same command goes on after a stop.

    \b
    newdawn strategies tune planner --against planner,opportunist --out mine.yaml
    """
    import os

    from analysis import self_play
    from simulator.rules import load_ruleset
    from strategies import profiles, registry

    if out.suffix not in (".yaml", ".yml"):
        raise UserError(f"--out: {out} is not a profile's name; expected one that ends in .yaml")
    if not out.parent.is_dir():
        raise UserError(f"--out: there is no folder {out.parent}")
    start = profiles.resolve(profiles.find(profile) if profile in profiles.packaged() else profiles.read(Path(profile)))
    opponents = [registry.find(name) for name in against or (profile,)]
    workers = jobs or os.cpu_count() or 1
    task = self_play.Task(load_ruleset().compile(), start, self_play.select(patterns), opponents, players, games, seed)
    began = time.monotonic()

    def report(generation: int, found: list[float], sigma: float) -> None:
        left = (time.monotonic() - began) / generation * (generations - generation)
        best, mean = max(found), sum(found) / len(found)
        click.echo(
            f"generation {generation}/{generations}: mean share {mean:.3f}, best {best:.3f}, spread {sigma:.2f}, "
            f"about {left / 60:.0f} min to go", err=True,
        )  # fmt: skip

    state = out.with_suffix(".search")
    try:
        point = self_play.search(task, generations, workers, report, state)
    except KeyboardInterrupt:
        click.echo(f"stopped: the search so far is in {state}; the same command goes on", err=True)
        raise SystemExit(130) from None
    judged = self_play.judge(task, point, held_out, workers)
    source: dict[str, Any] = {
        "command": " ".join(["newdawn", *sys.argv[1:]]),
        "train_seed": seed,
        "held_out_seed": seed + self_play.HELD_OUT,
        "held_out_games": held_out,
        "shares": {},
    }
    for name, old, new in judged:
        low, high = new.interval()
        after = f"{new.share:.1%} after [{low:.1%}, {high:.1%}], n = {new.n:,}"
        click.echo(f"against {players - 1} x {name}: {old.share:.1%} before, {after}")
        source["shares"][name] = f"{old.share:.4f} before, {new.share:.4f} after, standard error {new.error:.4f}"
    profiles.write(out, task.profile_at(point), source)
    click.echo(f"profile: {out}")
