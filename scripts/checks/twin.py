"""Compare the plain-Python twin of the rules with the engine.

    python -m newdawn.scripts.checks.twin --boards 2000 --games 2000 --every 1
    python -m newdawn.scripts.checks.twin --boards 0 --games 500 --switches 5
    python -m newdawn.scripts.checks.twin --box terra-incognita --boards 2000 --games 500 --every 4

Boards: random boards on which every list and value is compared; in Terra Incognita, boards strewn with pieces on which armies
fight and some rounds are played. Games: random games of which one decision in `--every` is compared, in the base game with
`--switches` other readings of open rules, drawn anew every ten games. At the end it prints the numbers of comparisons; exit
code 1 if anything differed.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from numba.core.errors import NumbaWarning

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "twin"))

import audit
import boards
import compare
import frontier_audit
import frontier_boards
import frontier_fights

from ...simulator import names
from ...simulator.engine import decisions, state
from ...simulator.engine.compile.jit import seat_strategies
from ...strategies.archetypes import choose_random


def soak_boards(first: int, count: int) -> compare.Comparison:
    """Compare boards, half of them strewn with random pieces, half reached by random play."""
    r, w, out = boards.printed_rules(), state.new_work(), compare.Comparison()
    for i in range(first, first + count):
        dice = np.random.default_rng([boards.SEED, i])
        players = 2 + i % 3
        g = boards.strewn(r, i, players) if i % 2 else boards.played(r, w, i, players, int(dice.integers(0, 60 * players)))
        compare.compare_board(r, g, w, dice, out)
        compare.compare_march(r, g, w, boards.random_bots(), out)
    return out


def soak_games(
    first: int, count: int, strewn: int, every: int, expansion: bool, switches: int
) -> tuple[Counter[str], list[tuple]]:
    """Watch random games, and short ones that begin on a board strewn with pieces."""
    r, w = frontier_audit.expansion() if expansion else boards.printed_rules(), state.new_work()
    watch_strewn, sizes = (frontier_audit.watch_strewn, 4) if expansion else (audit.watch_strewn, 3)
    bots = seat_strategies(choose_random, audit.make_observer())
    counts: Counter[str] = Counter()
    differences: list[tuple] = []
    rulings: dict[str, str] | None = None
    for game in range(first, first + count):
        if switches and (game - first) % 10 == 0:
            r, rulings = audit.with_switches(game, switches)
        if expansion:
            seen = frontier_audit.watch(r, w, bots, game, 2 + game % sizes, 60, every)
        else:
            seen = audit.watch(r, w, bots, game, 2 + game % sizes, every, rulings=rulings)
        counts += seen.counts
        differences += [(f"game {game}", *what) for what in seen.differences]
    for board in range(first, first + (0 if switches else strewn)):
        seen = watch_strewn(r, w, bots, board, 2 + board % sizes)
        counts += seen.counts
        differences += [(f"strewn board {board}", *what) for what in seen.differences]
    return counts, differences


def soak_fights(first: int, count: int) -> compare.Comparison:
    """Compare the fights of armies on boards of the expansion strewn with pieces."""
    r, w, out = frontier_audit.expansion(), state.new_work(), compare.Comparison()
    for board in range(first, first + count):
        g = frontier_boards.strewn(r, w, board, 2 + board % 4, boards.random_bots())
        dice = np.random.default_rng([frontier_boards.SEED, board])
        frontier_fights.compare_fights(r, g, w, boards.random_bots(), dice, out)
    return out


def show(title: str, counts: Counter[str], differences: list[tuple], seconds: float) -> None:
    print(f"{title}: {sum(counts.values()):,} comparisons in {seconds:.0f} s, {len(differences)} differences")
    print("  " + ", ".join(f"{what} {count:,}" for what, count in counts.most_common()))
    for difference in differences[:20]:
        print("  DIFFERENT", *difference)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the twin of the rules with the engine.")
    parser.add_argument("--box", choices=names.BOXES, default=names.BOXES[names.BASE_BOX])
    parser.add_argument("--boards", type=int, default=500)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--every", type=int, default=1, help="compare one decision in this many (1 = every one)")
    parser.add_argument("--first", type=int, default=0, help="number of the first board and game")
    parser.add_argument("--switches", type=int, default=0, help="other readings drawn every ten games of the base game")
    options = parser.parse_args()
    warnings.simplefilter("ignore", NumbaWarning)  # the observer is plain Python on purpose
    started = time.time()
    expansion = options.box == names.BOXES[names.TI_BOX]
    if options.switches and expansion:
        parser.error("--switches: the twin of Terra Incognita knows the chosen readings only; expected --box base")
    out = (soak_fights if expansion else soak_boards)(options.first, options.boards)
    show(f"{options.boards:,} boards", out.counts, out.differences, time.time() - started)
    started = time.time()
    strewn = options.boards if expansion else options.games
    counts, differences = soak_games(options.first, options.games, strewn, options.every, expansion, options.switches)
    show(f"{options.games:,} games", counts, differences, time.time() - started)
    print(f"  decisions compared: {sum(counts[kind] for kind in decisions.KINDS):,}")
    return 1 if out.differences or differences else 0


if __name__ == "__main__":
    sys.exit(main())
