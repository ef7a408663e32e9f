"""A digest of the games of this version: two versions with the same digest play the same games.

    python -m newdawn.scripts.checks.alike

It plays both boxes, all numbers of players, and every fast strategy of the package. Run it before and after a change that
should move no game (modules moved, names, comments): if both digests are the same, a line of `simulator/compile_cache.ALIKE`
may name both versions, so that runs and kept files of the first go on under the second.
"""

from __future__ import annotations

import hashlib

import click

from ...simulator import names
from ...simulator.compile_cache import source_digest


def digest_of(games: int) -> tuple[str, int]:
    """Return the digest of this many games of each box, number of players and strategy, and the number of all games."""
    from ...simulator.rules import load_ruleset
    from ...simulator.runs.run import Silent, play_range
    from ...simulator.runs.run_plan import plan_by, player_counts
    from ...strategies.registry import fast

    digest, played = hashlib.sha256(), 0
    for box in names.BOXES:
        r = load_ruleset(box=box).compile()
        for players in player_counts(r):
            for name in fast(box):
                plan = plan_by(r, players=players, games=games, seed=players, strategies=[name])
                rows = play_range(plan, r, 0, games, Silent())
                assert rows is not None
                for table in (rows.games, rows.seats, rows.wonders, rows.agendas):
                    digest.update(table.tobytes())
                played += games
    return digest.hexdigest()[:16], played


@click.command()
@click.option("--games", type=click.IntRange(1), default=40, show_default=True, help="Of each box, table and strategy.")
def main(games: int) -> None:
    """Print the digest of this version's sources and that of its games."""
    digest, played = digest_of(games)
    click.echo(f"engine {source_digest()}: {played:,} games, digest {digest}")


if __name__ == "__main__":
    main()
