"""`newdawn strategies`: list strategies, show their weights, and check, tune or train one."""

from __future__ import annotations

import sys
import textwrap
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import yaml

from ...simulator import names
from ...simulator.errors import UserError, named
from . import progress, shared
from .main import continuable
from .shared import PATH, Names, json_option, rare, ruleset_of, table, tell_json, wide_option


@click.group(invoke_without_command=True)
@click.option("--traits", is_flag=True, help="Show declared traits instead of descriptions.")
@wide_option
@json_option
@click.pass_context
def strategies(context: click.Context, traits: bool, as_json: bool) -> None:
    """List the strategies that --strategies and --strategy-pool accept.

    \b
    newdawn strategies
    newdawn strategies show warrior
    """
    if context.invoked_subcommand is not None:
        return
    from ...strategies.registry import DEFAULT, STRATEGIES, frontier

    if traits:
        list_traits("json" if as_json else "table")
        return
    if as_json:
        rows = [
            {"strategy": strategy.name, "description": strategy.description, "default": strategy.name == DEFAULT}
            | {"measured": [row._asdict() for row in frontier() if row.strategy == strategy.name]}
            for strategy in STRATEGIES
        ]
        tell_json(rows)
        return
    width = max(len(strategy.name) for strategy in STRATEGIES)
    measured = {row.strategy: f"{row.wins:.0f}% {row.times:>4.3g}x" for row in frontier() if row.box == names.BOXES[0]}
    for strategy in STRATEGIES:
        default = " (default)" if strategy.name == DEFAULT else ""
        click.echo(f"{strategy.name:<{width}}  {measured.get(strategy.name, ''):<10}  {strategy.description}{default}")
    click.echo(
        "\nThe figures: games won against three planners (fair share: 25%), and the time of a game, planner = 1; base game,"
        " four players (docs/strategies.md: both boxes)."
    )
    click.echo(
        "\nYour own: a profile of weights (path/to/profile.yaml), a function in plain Python (path/to/bot.py:function) or a "
        "jitted one (module:function)."
    )


def list_traits(how: str) -> None:
    """Print the declared traits of every strategy of the package."""
    import pandas as pd

    from ...strategies.registry import STRATEGIES, traits_of

    rows = []
    for strategy in STRATEGIES:
        traits = traits_of(strategy.name)
        leads = ", ".join(traits.leads_in) or "-"
        finishes = "yes" if traits.finishes else "no"
        row = {"strategy": strategy.name, "needs chance": traits.chance, "copies finish": finishes, "leads in": leads}
        rows.append(row | {"weights": strategy.profile or "-"})
    click.echo(table(pd.DataFrame(rows), how))


@strategies.command()
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """Describe how a strategy plays: its opening, its priorities, when it changes its mind, its declared traits.

    \b
    newdawn strategies show warrior
    """
    from ...strategies import registry
    from ...strategies.registry import traits_of

    strategy = registry.find(name)
    traits = traits_of(strategy.name)
    if as_json:
        facts = {"strategy": strategy.name, "description": strategy.description, "plays": registry.docstring(strategy)}
        tell_json(facts | asdict(traits))
        return
    click.echo(f"{strategy.name}: {strategy.description}\n")
    click.echo(registry.docstring(strategy) + "\n")
    click.echo(f"leads the archetypes in: {', '.join(traits.leads_in) or '-'}")
    click.echo(f"uses chance: {traits.chance}; copies finish their games: {'yes' if traits.finishes else 'no'}")
    profile = strategy.resolved()
    click.echo(f"function: {strategy.function}; weights: {'none' if profile is None else f'newdawn strategies weights {name}'}")
    if profile is not None and profile.tuned:
        tuned = yaml.safe_dump(profile.tuned, sort_keys=False, width=110, allow_unicode=True)
        click.echo("tuned:\n" + textwrap.indent(tuned.rstrip(), "  "))


@strategies.command()
@click.argument("name", metavar="NAME|FILE.yaml|MODULE:FUNCTION")
@shared.games(200, "Games with each number of players.", least=1)
@click.option(
    "--least-ended", type=click.FloatRange(0, 1), metavar="SHARE",
    help="Share of the games of copies that must end in victory within 200 rounds [default: 0.95].",
)  # fmt: skip
@click.option("--patience", type=click.FloatRange(1), default=120.0, show_default=True, help="Seconds to wait for an answer.")
@shared.jobs
@shared.box
@shared.rules_file
def check(
    name: str, games: int, least_ended: float | None, patience: float, jobs: int, box: str,
    rules_files: tuple[Path, ...],
) -> None:  # fmt: skip
    """Check that a strategy plays legally, repeatably and to the end.

    \b
    newdawn strategies check mine.yaml
    newdawn strategies check my_module:choose_mine

    Every answer must be legal, the same when asked twice, and change nothing. The same seed must give the same game. Games
    must end, with every number of players of the box. Exit code 1 means that a check failed. The packaged strategies pass
    the same checks.
    """
    import os

    from ...strategies import registry

    strategy = registry.find(name)
    registry.check_box(strategy, box)
    r = ruleset_of(rules_files, None, box).compile()
    strategy.weights(4)
    strategy.load()
    from ...analysis.learning import strategy_checks
    from ...simulator.runs import guard

    guard.DECISION_SECONDS = min(guard.DECISION_SECONDS, patience)
    watch = strategy_checks.Watch()
    failed = 0
    for what, run_check in strategy_checks.checks(strategy, r, games, least_ended, watch, jobs):
        click.echo(f"{what} ...", err=True)
        result = strategy_checks.in_time(run_check, watch, patience)
        if result is None:
            click.echo(f"FAILED  answers: none within {patience:g} s ({what}); an endless loop?")
            sys.stdout.flush()
            os._exit(1)  # the thread with the loop would keep the process
        failed += not result.passed
        click.echo(f"{'ok    ' if result.passed else 'FAILED'}  {result.check}: {result.text}")
        if not result.passed and watch.seen == 0:  # it failed in the guarded process, so it does not play here
            break
    needs = strategy_checks.chance_used(watch)
    verdict = f"{failed} {'check' if failed == 1 else 'checks'} failed" if failed else "all checks passed"
    click.echo(f"{strategy.name}: {verdict}; uses chance: {needs}")
    if failed:
        raise SystemExit(1)


@strategies.command("weights")
@click.argument("name", required=False)
@json_option
def list_weights(name: str | None, as_json: bool) -> None:
    """List the weights of a strategy or profile, with their meaning [default: the default strategy].

    \b
    newdawn strategies weights planner
    """
    from ...strategies import registry
    from ...strategies.planning import weights

    strategy = registry.find(name or registry.DEFAULT)
    if strategy.resolved() is None:
        raise UserError(f"strategy {strategy.name}: has no weights")
    rows = strategy.weights(4)
    values = [int(value) for value in rows[0, : len(weights.NAMES)]]
    exceptions = [weight for k, weight in enumerate(weights.NAMES) if (rows[:, k] != rows[0, k]).any()]
    if as_json:
        tell_json(dict(zip(weights.NAMES, values, strict=True)) | {"differ_by_leader": exceptions})
        return
    for weight, value in zip(weights.NAMES, values, strict=True):
        varies = " (differs by leader)" if weight in exceptions else ""
        click.echo(f"{weight:<28}{value:>7}  {weights.MEANINGS[weight]}{varies}")


@strategies.command("facts")
def list_facts() -> None:
    """List what learned players see, with its meaning: facts about a seat and, for policies, about an option.

    \b
    newdawn strategies facts
    """
    from ...strategies.learned import facts, policy

    for name, meaning in facts.MEANINGS.items():
        click.echo(f"{name:<28}{meaning}")
    click.echo("\nfacts about an option")
    for name, meaning in policy.MEANINGS.items():
        click.echo(f"{name:<28}{meaning}")


@strategies.command()
@click.argument("profile")
@click.option("--against", type=Names(), metavar="A,B,…", help="Opponents, each at separate tables [default: itself].")
@shared.players
@shared.games(400, "Games for each candidate and opponent.", least=4)
@click.option("--generations", type=click.IntRange(1), default=50, show_default=True, help="Generations of the search.")
@click.option(
    "--held-out", type=click.IntRange(4), default=10_000, show_default=True, help="Fresh games that judge the result."
)
@click.option("--weights", "patterns", type=Names(), metavar="A,B*,…", help="Weights to tune [default: most].")
@click.option("--leader", help="Tune how this leader is played: the candidate always plays it, and only its weights change.")
@shared.seed("Seed of the search and of its games.")
@shared.box
@shared.jobs
@click.option("--out", type=PATH, required=True, metavar="FILE.yaml", help="File for the tuned profile.")
def tune(
    profile: str, against: tuple[str, ...] | None, players: int, games: int, generations: int, held_out: int,
    patterns: tuple[str, ...] | None, leader: str | None, seed: int, box: str, jobs: int, out: Path,
) -> None:  # fmt: skip
    """Improve the weights of a profile by self-play (CMA-ES).

    \b
    newdawn strategies tune planner --against planner,opportunist --out mine.yaml
    newdawn strategies tune planner --box terra-incognita --against planner,warrior --out mine.yaml
    newdawn strategies tune quick --leader Egypt --out egypt.yaml     # is Egypt weak, or is it misplayed?

    In each generation all candidates play the same new games. The result is judged on seeds that were never used for
    training. The search is saved after every generation, beside --out; the same command continues it after a stop.
    """
    from ...analysis.learning import tune_weights
    from ...simulator.file_ownership import held
    from ...simulator.rules import load_ruleset
    from ...simulator.runs.run_plan import available_leaders, check_players
    from ...strategies import profiles, registry

    if out.suffix not in (".yaml", ".yml"):
        raise UserError(f"--out: {out} is not a profile; expected a name that ends in .yaml")
    if not out.parent.is_dir():
        raise UserError(f"--out: there is no folder {out.parent}")
    state = out.with_suffix(".search")
    if out.exists() and not state.exists():
        raise UserError(f"--out: {out} already exists, without a search to continue ({state}); expected a new file")
    strategy = registry.find(profile)
    start = strategy.resolved()
    if start is None:
        raise UserError(f"strategy {strategy.name}: has no weights to tune")
    opponents = [registry.find(name) for name in against or (profile,)]
    r = load_ruleset(box=box).compile()
    check_players(players, r)
    for opponent in (strategy, *opponents):
        registry.check_box(opponent, box)
    if leader is not None:
        leader = named("leader", leader, available_leaders(r), "--leader")
    task = tune_weights.Task(r, start, tune_weights.select(patterns, box), opponents, players, games, seed, leader)
    began = time.monotonic()

    def report(generation: int, shares: list[float], sigma: float) -> None:
        left = (time.monotonic() - began) / generation * (generations - generation)
        best, mean = max(shares), sum(shares) / len(shares)
        click.echo(
            f"generation {generation}/{generations}: mean share {mean:.3f}, best {best:.3f}, spread {sigma:.2f}, "
            f"about {left / 60:.0f} min to go",
            err=True,
        )

    with continuable(state), held(state, "is searching there; wait for it, or choose another file"):
        point = tune_weights.search(task, generations, jobs, report, state)
    judged = tune_weights.judge(task, point, held_out, jobs)
    source: dict[str, Any] = {
        "command": " ".join(["newdawn", *sys.argv[1:]]),
        "train_seed": seed,
        "held_out_seed": seed + tune_weights.HELD_OUT,
        "held_out_games": held_out,
        "shares": {},
    }
    for name, old, new, gained in judged:
        low, high = new.interval()
        after = f"{new.share:.1%} after [{low:.1%}, {high:.1%}], n = {new.n:,}"
        click.echo(f"{leader or 'it'} against {players - 1} x {name}: {old.share:.1%} before, {after}; {gained}")
        source["shares"][name] = f"{old.share:.4f} before, {new.share:.4f} after, standard error {new.error:.4f}"
    profiles.write(out, task.profile_at(point), source)
    click.echo(f"profile: {out}")


@strategies.command()
@shared.players
@shared.games(8_000, "Games in each stage.", least=20)
@click.option(
    "--stages", type=click.IntRange(0), default=3, show_default=True,
    help="Stages of self-play; planners play the first one. 0, with --start: lessons only.",
)  # fmt: skip
@click.option(
    "--lessons",
    type=click.IntRange(0),
    default=4_000,
    show_default=True,
    help="Games that give lessons to the policy (0: none).",
)
@click.option(
    "--start", type=PATH, metavar="FILE",
    help="Network to start from (.npz), of any box, rules and number of players; learners then play every stage.",
)  # fmt: skip
@click.option(
    "--policy", type=PATH, metavar="FILE",
    help="Policy to start from (.npz), which then plays among the lessons, with --start.",
)  # fmt: skip
@rare("--epochs", type=click.IntRange(1), default=6, show_default=True, help="Passes over the positions.")
@rare(
    "--ahead", type=click.IntRange(0, 1000), default=0, show_default=True,
    help="Per mille of a turn's worth, in play, studies and lessons, that is judged after the next turn of its own; 0: faster.",
)  # fmt: skip
@rare("--judge", type=click.IntRange(4), default=1_000, show_default=True, help="Fresh games that judge the result.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the games and of the fit.")
@shared.rules
@shared.jobs
@click.option("--out", type=PATH, required=True, metavar="DIR", help="Folder for games, networks and the profile.")
def train(
    players: int, games: int, stages: int, lessons: int, start: Path | None, policy: Path | None, epochs: int, ahead: int,
    judge: int, seed: int, box: str, rules_files: tuple[Path, ...], map_file: Path | None, jobs: int, out: Path,
) -> None:  # fmt: skip
    """Train a value network and a policy by self-play, under any house rules.

    \b
    newdawn strategies train --players 4 --out my_players
    newdawn strategies train --players 2 --rules my_rules.yaml --out mine
    newdawn run --strategies my_players/my_quick.yaml,planner,planner,planner

    Planners play the first games; later ones are played by learners with the network of the stage before. The policy learns
    from lessons: turns of further games whose options are tried and played on. The same settings give the same networks,
    and a stopped training continues from the games it has. --out gets my_quick.yaml and my_adept.yaml with their networks,
    or without lessons my_learner.yaml. The results are judged on games not used for training; calibration.csv and
    calibration.png say how good the chances to win are.
    """
    from ...analysis.learning.train import Training, TrainingSettings, digest_of, finish
    from ...simulator.runs.run_plan import check_players
    from ...strategies import network_files

    ruleset = ruleset_of(rules_files, map_file, box)
    r = ruleset.compile()
    check_players(players, r)
    if start is None and (stages == 0 or policy is not None):
        raise UserError(f"--start: is missing; {'--stages 0' if stages == 0 else '--policy'} goes on from a network")
    begin = "" if start is None else digest_of(start)
    taught = "" if policy is None else digest_of(policy, network_files.POLICY)
    settings = TrainingSettings(ruleset.digest(), players, games, stages, epochs, seed, begin, lessons, taught, ahead=ahead)
    course = Training(r, settings, out.resolve(), jobs, start, policy)
    say = progress.Diary().say
    with continuable(out), course.held():
        course.run(say)
        for line in finish(course, judge, say):
            click.echo(line)


@strategies.command()
@click.argument("networks", nargs=-1, required=True, metavar="FILE...", type=PATH)
@click.option("--out", type=PATH, required=True, metavar="FILE", help="File for the mean (.npz).")
def average(networks: tuple[Path, ...], out: Path) -> None:
    """Write the mean of value networks that were trained on from the same network.

    \b
    newdawn strategies average one/learner_4p.npz two/learner_4p.npz --out mean_4p.npz

    The mean averages out the chance of each training. FILE is what `strategies train --start` wrote, one file per training.
    """
    from ...analysis.learning import fit
    from ...simulator.file_ownership import held
    from ...strategies import network_files

    if len(networks) < 2:
        raise UserError("FILE: expected two networks or more")
    nets, abouts = zip(*(network_files.read(path) for path in networks), strict=True)
    for path, net in zip(networks[1:], nets[1:], strict=True):
        if fit.likeness(nets[0], net) < fit.AKIN:
            raise UserError(
                f"{path}: was not trained from the same network as {networks[0]}; expected networks with a common start"
            )
    about = {"players": abouts[0].get("players"), "mean_of": list(abouts)}
    out.parent.mkdir(parents=True, exist_ok=True)
    with held(out, "is writing this file; wait for it, or choose another one"):
        if out.exists():
            raise UserError(f"--out: {out} already exists; choose another name")
        network_files.write(out, fit.mean(nets), about)
    click.echo(f"mean of {len(nets)} networks: {out}")
