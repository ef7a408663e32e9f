"""How good a learned player's chances are, in games of copies of it: python -m newdawn.scripts.checks.win_chances --out DIR.

The player's network predicts each seat's chance to win before every tenth turn; --out gets the log loss by round, how often
seats won by predicted chance, and a picture of that. Games of copies are not like those of the training, which are played by
learners that stray, and by planners.
"""

from __future__ import annotations

from pathlib import Path

import click

from ...simulator.errors import UserError
from ...strategies.registry import DEFAULT
from ..cli import shared
from ..cli.shared import PATH

ONE_IN = 10  # turns
PIECE = 100  # games recorded at a time


@click.command()
@click.option("--strategy", default=DEFAULT, show_default=True, help="Whose games, and whose chances.")
@click.option("--players", type=click.IntRange(2, 5), default=4, show_default=True)
@click.option("--games", type=click.IntRange(1), default=2_000, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@shared.box
@click.option("--out", type=PATH, required=True, metavar="DIR", help="Folder for loss.csv, calibration.csv, calibration.png.")
def main(strategy: str, players: int, games: int, seed: int, box: str, out: Path) -> None:
    """Print how good a learned player's chances are, by round, in games of copies of it."""
    from ...analysis.learning.fit import Recorder, joined
    from ...analysis.learning.train import keep_chances
    from ...analysis.tables.rendering import render
    from ...simulator.rules.load import load_ruleset
    from ...simulator.runs.run_plan import plan_by
    from ...strategies import network_files
    from ...strategies.registry import find

    try:
        player = find(strategy)
    except UserError as error:
        raise click.UsageError(f"--strategy: {error}") from None
    profile = player.resolved()
    if profile is None or profile.network is None:
        raise click.UsageError(f"--strategy: {strategy} has no network; expected a learned player, such as {DEFAULT}")
    r = load_ruleset((), None, box).compile()
    plan = plan_by(r, players=players, games=games, seed=seed, strategies=[player])
    network = network_files.in_box(profile.network, box)
    recorder = Recorder(plan, r, [0], network_files.use(network, players))
    seen = joined(recorder.play(first, min(PIECE, games - first), ONE_IN, 0)[0] for first in range(0, games, PIECE))
    net = network_files.read(network_files.file_of(network, players))[0]
    out.mkdir(parents=True, exist_ok=True)
    losses = keep_chances(net, seen, out)
    click.echo(render(losses, "table"))
    click.echo(f"{games:,} games of {strategy}: {out}")


if __name__ == "__main__":
    main()
