"""Long play, at random or by strategies, with every invariant checked before every decision.

    python -m newdawn.scripts.checks.soak --games 100000 --jobs 2
    python -m newdawn.scripts.checks.soak --box terra-incognita --games 50000 --round-cap 100 --jobs 16 --json soak.json
    python -m newdawn.scripts.checks.soak --games 1000 --strategies random,planner --rules late_war
    python -m newdawn.scripts.checks.soak --box terra-incognita --games 4000 --strategies quick,warrior,castellan --seed 7
    python -m newdawn.scripts.checks.soak --box terra-incognita --games 400 --switches 5 --content

Plays every number of players in turn (with teams: four), with leaders and strategies drawn at random; with --switches, by other
readings of open rules, drawn anew every ten games, and with --content under own content, drawn with them. Stops at the first
violation and names the game. At the end it lists how often the active player and others were asked each decision (questions
have two answers or more), and which were never asked. With --json the same command continues after a stop.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

import click

from ...simulator import compile_cache, file_ownership, names
from ...simulator.errors import counted
from ...simulator.reading import json_in
from ..cli import shared
from ..cli.shared import PATH
from .random_content import give_own_wonders, own_codes
from .random_readings import drawn

CHUNK = 125  # games a worker plays at a time
DRAWN = 10  # games with the same readings and own content


@dataclass(frozen=True)
class Soaked:
    """The result of a soak: `violation` is 0 or a code of `audit.VIOLATIONS`, in game `game` of the seed.

    `asked`: by decision how often others were asked, and the active player. `full`: games that ended with an error since own
    content set off more than there is room for.
    """

    games: int
    decisions: int
    violation: int
    game: int
    asked: dict[str, tuple[int, int]] = field(default_factory=dict)
    full: int = 0


def soak(
    games: int, seed: int, first: int = 0, round_cap: int = 200, box: str = names.BOXES[0],
    strategies: tuple[str, ...] = ("random",), rules: tuple[Path, ...] = (), switches: int = 0, content: bool = False,
) -> Soaked:  # fmt: skip
    """Play games `first` … `first + games - 1` of the seed (every number of players in turn) under the audit.

    `rules`: house rules over the printed game of the box. `switches`: number of other readings of open rules. `content`: own
    content is drawn, too; its leaders sit in every other game, and its wonders are given away, as few would build them.
    """
    import numpy as np

    from ...simulator.engine import decisions, state
    from ...simulator.engine.audit import observe_audit
    from ...simulator.engine.choosing import seed_streams
    from ...simulator.engine.compile.jit import seat_strategies
    from ...simulator.engine.setup import start_game
    from ...simulator.engine.turn import play_game, play_step
    from ...simulator.rules import load_ruleset
    from ...simulator.runs.run_plan import available_leaders, team_counts
    from ...strategies.registry import check_box, find

    chosen = [find(name) for name in strategies]
    for strategy in chosen:
        check_box(strategy, box)
    loaded = [strategy.load() for strategy in chosen]
    r, w = load_ruleset(rules, box=box).compile(), state.new_work()
    by = -1  # the draw of readings in force
    leaders, counts = len(available_leaders(r)), team_counts(r)
    states = np.zeros(2, state.STATE).view(np.recarray)
    done = answered = full = 0
    for game in range(first, first + games):
        if (switches or content) and game // DRAWN != by:
            by = game // DRAWN
            r = drawn(box, by, switches, rules, content=content).compile()
            leaders = len(available_leaders(r))
        states[0] = states[1]
        g = states[0]
        g.players, g.round_cap = counts[game % len(counts)], round_cap
        lot = np.random.default_rng([seed, game])
        order = lot.permutation(leaders)
        if content and game % 2:
            order = np.concatenate([own := lot.permutation(own_codes(r, "leader")), order[~np.isin(order, own)]])
        g.leader[: g.players] = order[: g.players]
        seats = lot.integers(len(chosen), size=g.players)
        for seat, k in enumerate(seats):
            g.weights[seat] = chosen[k].weights(int(g.players), box)[g.leader[seat]]
        bots = seat_strategies([loaded[k] for k in seats], observe_audit)
        seed_streams(g, seed, game)
        w.fault_n = 0
        start_game(r, g, w, bots)
        if content:
            play_step(r, g, w, bots)
            give_own_wonders(r, g, w, bots)
        play_game(r, g, w, bots)
        full += int(w.fault_n < 0)
        answered += int(g.stat_decisions)
        done += 1
        if w.violation != 0:
            break
    asked = {name: (int(n[0]), int(n[1])) for name, n in zip(decisions.KINDS, w.times_asked, strict=True)}
    return Soaked(done, answered, int(w.violation), game if w.violation else -1, asked, full)


def together(parts: Iterable[Soaked]) -> Soaked:
    """Return the sum of results of consecutive games; the last may have ended at a violation."""
    total = Soaked(0, 0, 0, -1)
    for part in parts:
        asked = {name: (others + total.asked.get(name, (0, 0))[0], own + total.asked.get(name, (0, 0))[1])
                 for name, (others, own) in part.asked.items()}  # fmt: skip
        total = Soaked(total.games + part.games, total.decisions + part.decisions, part.violation, part.game, asked,
                       total.full + part.full)  # fmt: skip
    return total


def earlier(file: Path | None, settings: dict[str, Any]) -> tuple[Soaked, float]:
    """Return the result of an earlier soak with these settings from its file, and its seconds; empty without a file."""
    if file is None or not file.is_file():
        return Soaked(0, 0, 0, -1), 0.0
    content = json_in(file, "what a soak found")
    other = [name for name, value in settings.items() if content.get(name) != value]
    if other:
        raise click.UsageError(
            f"{file}: {other[0]} is {content.get(other[0])}, expected {settings[other[0]]}; remove it to begin anew"
        )
    asked = {name: (others, own) for name, (others, own) in content["asked"].items()}
    return Soaked(content["games"], content["decisions"], 0, -1, asked, content["full"]), content["seconds"]


def played(games: int, first: int, jobs: int, until: float, *how: Any) -> Iterator[Soaked]:
    """Yield the results of games from the first on, `CHUNK` at a time and in order, until that time."""
    import joblib

    starts = takewhile(lambda _: time.perf_counter() < until, range(first, games, CHUNK))
    seed, *rest = how
    work = (joblib.delayed(soak)(min(CHUNK, games - at), seed, at, *rest) for at in starts)
    yield from joblib.Parallel(jobs, return_as="generator")(work)


@click.command()
@click.option("--games", default=100_000, show_default=True, help="Games to play.")
@click.option("--seed", default=1, show_default=True, help="Seed of the games.")
@click.option("--round-cap", default=200, show_default=True, help="Stop a game after this round: few end before by chance.")
@click.option("--jobs", default=2, show_default=True, help="Worker processes.")
@click.option("--strategies", default="random", show_default=True, help="Who plays: names, with commas between them.")
@click.option("--rules", "rules_files", type=PATH, multiple=True, help="House rules over the printed game; may be repeated.")
@shared.box
@click.option("--switches", type=click.IntRange(0), default=0, help="Other readings of open rules, drawn anew every ten games.")
@click.option("--content", is_flag=True, help="Own content, drawn anew every ten games.")
@click.option("--minutes", type=float, default=float("inf"), help="Stop after so many minutes.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="File of what was found, to continue from.")
def main(
    games: int, seed: int, round_cap: int, jobs: int, strategies: str, rules_files: tuple[Path, ...], box: str,
    switches: int, content: bool, minutes: float, json_file: Path | None,
) -> None:  # fmt: skip
    """Play games with all invariants on."""
    from ...simulator.engine import audit

    names = strategies.split(",")
    settings = {"box": box, "strategies": names, "rules": [str(file) for file in rules_files], "seed": seed}
    settings |= {"round_cap": round_cap, "switches": switches, "content": content, "engine": compile_cache.source_digest()}
    whole, before = earlier(json_file, settings)
    soak(1, seed, box=box, strategies=tuple(names), rules=rules_files)  # compile before the clock starts
    began = time.perf_counter()
    how = (seed, round_cap, box, tuple(names), rules_files, switches, content)
    for part in played(games, whole.games, jobs, began + 60 * minutes, *how):
        whole = together((whole, part))
        seconds = before + time.perf_counter() - began
        so_far = (
            f"{whole.games:,} of {counted(games, 'game')}, {whole.decisions:,} decisions, {whole.games / seconds:,.0f} games/s"
        )
        click.echo(f"\r{so_far}", nl=False, err=True)
        if whole.violation:
            click.echo(f"\nviolation in game {whole.game} of seed {seed}: {audit.VIOLATIONS[whole.violation]}")
            sys.exit(1)
        if json_file:
            result = {"games": whole.games, "decisions": whole.decisions, "seconds": seconds, "asked": whole.asked}
            result["full"] = whole.full
            file_ownership.write_whole(json_file, (json.dumps(settings | result, indent=1) + "\n").encode())
    games_of = f"{counted(whole.games, 'game')} of {strategies}, {whole.decisions:,} decisions"
    click.echo(f"\n{games_of}, every invariant held before each of them")
    if whole.full:
        click.echo(f"{counted(whole.full, 'game')} ended with an error: own content set off more than there is room for")
    if whole.games < games:
        click.echo(f"stopped before {games:,}" + (": the same command continues" if json_file else ""))
        return
    for name, (others, own) in sorted(whole.asked.items(), key=lambda item: -sum(item[1])):
        click.echo(f"{name:20} {own:12,} of the player at turn {others:12,} of others")
    click.echo(f"never asked: {', '.join(name for name, n in whole.asked.items() if sum(n) == 0) or 'nothing'}")


if __name__ == "__main__":
    # By its name: worker processes find functions by the module that they are of, and that of a script is not theirs.
    from .soak import main as named

    named()
