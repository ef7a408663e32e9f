"""The frontier of the strategies: what each wins for its time, measured and drawn.

    python -m newdawn.scripts.bench.frontier --box base --strategies fast,quick --games 4000 --seed 61001
    python -m newdawn.scripts.bench.frontier --draw docs/frontier.svg

One seat plays against three copies of `planner`; tables of copies of both are played in turns for the ratio of their times, in
processor time of one thread, so that other work on the machine matters little. The result replaces the row of the strategy in
strategies/frontier.csv, which `newdawn strategies` shows.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from statistics import median
from typing import Any

from ...simulator import names
from ...strategies import registry
from ...strategies.registry import FRONTIER, Measured

PLAYERS = 4
TURNS = 12  # of tables of copies, for the time
SLOW = 20.0  # times the planner's time, from which fewer games are played at once
AGAINST = "planner"
TICKS = (3, 10, 30, 100, 300)  # on the axis of times


def wins(r: Any, name: str, games: int, seed: int) -> tuple[float, float, float, int]:
    """Return share, interval and number of the games that a strategy wins against three planners."""
    from ...analysis.questions import ladder

    won = ladder.meet(r, registry.find(name), registry.find(AGAINST), players=PLAYERS, games=games, seed=seed, jobs=1)
    share = ladder.share(won)
    return (share.share, *share.interval(), share.n)


class CopiesTable:
    """A table of copies of a strategy."""

    def __init__(self, r: Any, name: str) -> None:
        from ...simulator.runs.run import Player
        from ...simulator.runs.run_plan import plan_by

        self.player = Player(plan_by(r, players=PLAYERS, games=10**9, seed=1, strategies=[name]), r)
        self.rows = self.player.rows(64)
        self.first = 0
        self.play(2)

    def play(self, games: int) -> float:
        """Play this many games; return the seconds of this thread a game."""
        began = time.thread_time()
        self.player.play(self.first, games, self.rows, 0, 0)
        self.first += games
        return (time.thread_time() - began) / games


def times(r: Any, name: str) -> float:
    """Return the time of a game of copies of a strategy, in times of the planner's."""
    table, planner = CopiesTable(r, name), CopiesTable(r, AGAINST)
    games = 1 if table.play(1) > SLOW * planner.play(8) else 16
    return median(table.play(games) / planner.play(64) for _ in range(TURNS))


def measure(box: str, name: str, games: int, seed: int) -> Measured:
    """Return the wins and the time of a strategy."""
    from ...simulator.rules import load_ruleset

    r = load_ruleset(box=box).compile()
    share, low, high, n = wins(r, name, games, seed)
    return Measured(
        box, name, round(100 * share, 1), round(100 * low, 1), round(100 * high, 1), n, seed, round(times(r, name), 2)
    )


def write(rows: list[Measured]) -> None:
    """Write the rows into strategies/frontier.csv, in place of those of the same strategies."""
    by_strategy = {(row.box, row.strategy): row for row in (*registry.frontier(), *rows)}
    order = {name: k for k, name in enumerate(registry.packaged())}
    ordered = sorted(by_strategy.values(), key=lambda row: (names.BOXES.index(row.box), order[row.strategy]))
    with FRONTIER.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Measured._fields)
        writer.writerows(ordered)


def draw(path: Path) -> None:
    """Draw wins against time, a panel for each box, into a file."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "newdawn"
    figure, axes = plt.subplots(1, len(names.BOXES), figsize=(9, 3.8), sharey=True)
    for box, ax in zip(names.BOXES, axes, strict=True):
        rows = [row for row in registry.frontier() if row.box == box]
        for row in rows:
            ax.plot([row.times] * 2, [row.low, row.high], color="0.6", linewidth=1.2)
            ax.plot(row.times, row.wins, "o", color="#0b5c8a")
            ax.annotate(row.strategy, (row.times, row.wins), xytext=(5, 4), textcoords="offset points", fontsize=9)
        ax.axhline(100 / PLAYERS, color="0.7", linestyle=":")
        ax.set_xscale("log")
        ax.set_xlim(2.5, 1200)
        ax.set_xticks(TICKS, [str(tick) for tick in TICKS])
        ax.minorticks_off()
        ax.set_xlabel("time of a game, times the planner's")
        ax.set_title({"base": "base game"}.get(box, "Terra Incognita"))
    axes[0].set_ylabel("wins against three planners, %")
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--box", choices=names.BOXES, default=names.BOXES[names.BASE_BOX])
    parser.add_argument("--strategies", default="")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--draw", type=Path)
    given = parser.parse_args()
    for name in filter(None, given.strategies.split(",")):
        row = measure(given.box, registry.find(name).name, given.games, given.seed)
        write([row])
        print(*row, flush=True)
    if given.draw:
        draw(given.draw)


if __name__ == "__main__":
    main()
