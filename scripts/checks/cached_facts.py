"""Are facts that are updated since the last reading the same, to the bit, as facts read from scratch?

    python -m newdawn.scripts.checks.cached_facts --games 1000
    python -m newdawn.scripts.checks.cached_facts --games 1000 --box terra-incognita --players 5

Plays games and reads the facts of all seats (strategies/learned/situation.py) before every turn, and after the turn with
every card, in one workspace, which keeps its counts (strategies/learned/board_changes.py), and in one that forgets them.
Leaders, and so their abilities, are drawn. Exit code 1 means that facts differed; the first are printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import numpy as np

from ...simulator import names
from ...simulator.engine import state
from ...simulator.engine.compile.jit import seat_strategies
from ...simulator.engine.turn import play_step
from ...simulator.replay.stepper import Game
from ...simulator.rules.load import load_ruleset
from ...simulator.runs.run_plan import plan_by
from ...strategies.learned import facts as at
from ...strategies.learned.candidate_turns import WAYS, choose_way
from ...strategies.learned.lookahead import imagine, play_way
from ...strategies.learned.situation import new_facts, read_situation

SHOWN = 10  # differences at most


class Readings:
    """Reads facts both ways and counts how many readings there were."""

    def __init__(self) -> None:
        self.keeps, self.forgets = state.new_work(), state.new_work()
        self.facts, self.anew = new_facts(), new_facts()
        self.made = 0

    def differing(self, r: np.record, g: np.record) -> list[str]:
        """Return the facts, with the seat, that differ in the position between the two ways of reading."""
        self.forgets.seen_spaces = 0
        read_situation(r, g, self.keeps, self.facts)
        read_situation(r, g, self.forgets, self.anew)
        self.made += 1
        n = int(g.players)
        seats, columns = np.nonzero(self.facts[:n].view(np.int32) != self.anew[:n].view(np.int32))
        return [f"{at.NAMES[k]} of seat {p}" for p, k in zip(seats, columns, strict=True)]


def differences(readings: Readings, box: str, strategy: str, players: int, games: int, seed: int) -> Iterator[str]:
    """Yield every fact that differs in games of copies of a strategy, with the game and the round."""
    ruleset = load_ruleset(box=box)
    plan = plan_by(ruleset.compile(), players=players, games=games, seed=seed, strategies=[strategy])
    copies, bots = np.zeros(2, state.STATE).view(np.recarray), seat_strategies(choose_way)
    for number in range(games):
        game = Game(ruleset, plan, number)
        r, g = game.rules, game.state
        game.work.log_on = 0
        while True:
            wrong = readings.differing(r, g)
            if int(g.current) != int(g.first):  # else a round would have to begin
                for place in range(int(r.slots)):
                    imagine(r, g, int(g.current), number + 1, copies[0])
                    copies[1] = copies[0]
                    play_way(r, copies[1], game.work, bots, int(g.current), place * WAYS)
                    wrong += readings.differing(r, copies[1])
            yield from (f"game {number}, round {g.round_number}: {what}" for what in wrong)
            if play_step(r, g, game.work, game.bots) == 0:
                break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategy", default="planner")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--box", choices=names.BOXES, default=names.BOXES[names.BASE_BOX])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    readings = Readings()
    wrong = 0
    for text in differences(readings, given.box, given.strategy, given.players, given.games, given.seed):
        wrong += 1
        if wrong <= SHOWN:
            print(text)
    print(f"{given.games:,} games, {readings.made:,} readings of all seats: {wrong:,} facts differ")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
