"""A referee of replays: each game is rebuilt from the lines of its replay alone, and compared with the game after every turn.

    python -m newdawn.scripts.checks.referee --games 50
    python -m newdawn.scripts.checks.referee --games 200 --box terra-incognita --first 1000 --switches 5 --content
    python -m newdawn.scripts.checks.referee --games 20 --rules teams_of_two --rules victory_points --rules leader_draft

Rebuilt are the map and all that lies on it, rows with their tokens, and what lies beside the map. Every line has to be true:
cards lie where they are played from, targets stand where they are attacked, combats add up and go to the higher total; and no
position breaks a rule of the printed game. Games are played by `planner`, `opportunist` and `random`, at every number of
players that the rules allow; with `--rules` under house rules (also teams, drafts and points), with `--switches` by other
readings of open rules and with `--content` under own content, drawn anew for each. Exit code 1 if anything differed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ...simulator import names
from ..cli.shared import PATH

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "tests" / folder) for folder in (".", "replay")]

LINE_UPS = (("planner",), ("random", "planner"), ("opportunist", "random", "planner"), ("random",))
SEED, GAMES = 11, 1_000_000  # of the plan that games are taken from
FAULTS_SHOWN = 20


@dataclass
class Judged:
    """What a referee has read: turns and combats, and the first fault, or ""."""

    turns: int = 0
    combats: int = 0
    fault: str = ""


def judge(ruleset: Any, game: int, round_cap: int = 60) -> Judged:
    """Return the result of refereeing one game, up to the first fault."""
    from rebuilt import Rebuilt, differences, standing

    from ...simulator.replay.space_names import space_name
    from ...simulator.replay.stepper import Game
    from ...simulator.runs.run_plan import plan_by, player_counts, team_counts

    r = ruleset.compile()
    counts = [number for number in player_counts(r) if number in team_counts(r)]
    players = counts[game % len(counts)]
    strategies = [*LINE_UPS[game % len(LINE_UPS)], *("planner",) * players][:players]
    plan = plan_by(r, players=players, games=GAMES, seed=SEED, strategies=strategies, round_cap=round_cap)
    stepper = Game(ruleset, plan, game)
    g, rebuilt, judged = stepper.state, Rebuilt(ruleset.data, players), Judged()

    def read(lines: Sequence[str], when: str) -> None:
        for line in lines:
            try:
                rebuilt.read_line(line.strip())
            except (AssertionError, AttributeError, KeyError, StopIteration, ValueError) as error:
                judged.fault = f"game {game}, {when}: '{line.strip()}' cannot be: {type(error).__name__} {error}".rstrip()
                return
        stands = standing(stepper.rules, g, lambda s: str(space_name(g, s)), stepper.words.card)
        if wrong := [*differences(rebuilt.standing(), stands), *rebuilt.unlawful()]:
            judged.fault = f"game {game}, {when}: {'; '.join(wrong)}"

    rebuilt.read_heading(stepper.heading())
    read(stepper.opening, "set-up")
    for lines in stepper.turns():
        if judged.fault:
            break
        judged.turns += 1
        read(lines, f"turn {judged.turns}")
    judged.combats = rebuilt.combats
    return judged


@click.command()
@click.option("--games", type=click.IntRange(1), default=50, show_default=True, help="Of each box.")
@click.option("--box", "boxes", type=click.Choice(names.BOXES), multiple=True, default=names.BOXES, help="[default: both]")
@click.option("--first", type=click.IntRange(0), default=0, show_default=True, help="Number of the first game.")
@click.option("--round-cap", type=click.IntRange(1), default=60, show_default=True, help="Stop a game after this round.")
@click.option("--switches", type=click.IntRange(0), default=0, help="Other readings of open rules, drawn anew for each game.")
@click.option("--content", is_flag=True, help="Own content, drawn anew for each game.")
@click.option("--rules", "rules_files", type=PATH, multiple=True, help="House rules over the printed game; may be repeated.")
def main(
    games: int, boxes: tuple[str, ...], first: int, round_cap: int, switches: int, content: bool, rules_files: tuple[Path, ...]
) -> None:
    """Rebuild games from their replays' text; exit code 1 if one cannot be, or differs from the game."""
    from ...simulator.rules import load_ruleset
    from .random_readings import drawn

    faults = []
    for box in boxes:
        ruleset = load_ruleset(rules_files, box=box)
        began, judged = time.perf_counter(), []
        for game in range(first, first + games):
            anew = drawn(box, game, switches, rules_files, content=content) if switches or content else ruleset
            judged.append(judge(anew, game, round_cap))
        turns, combats = sum(result.turns for result in judged), sum(result.combats for result in judged)
        wrong = [result.fault for result in judged if result.fault]
        click.echo(
            f"{box}: {games:,} games, {turns:,} turns, {combats:,} combats in {time.perf_counter() - began:.0f} s; "
            f"{len(wrong) or 'no'} fault{'s' * (len(wrong) != 1)}"
        )
        click.echo("".join(f"  {fault}\n" for fault in wrong[:FAULTS_SHOWN]), nl=False)
        faults += wrong
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
