"""What the thinker thinks of a game at the table: what it would do, the chances to win, and what a choice costs.

A choice is worth the chance to win at the end of the turn, by the thinker's value network, if the rest of the turn is played as
the thinker's own rollouts play it; it is a mean over several throws of the dice and orders of what is hidden, the same ones for
all options. So it knows no more than a player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...simulator import limits, names
from ...simulator.engine.core import state
from ...simulator.engine.core.rng import mix
from ...simulator.games import players
from ...simulator.sitting.branch import Branch
from ...simulator.sitting.question import Question
from ...simulator.sitting.sitting import Sitting
from ...strategies.learned.lookahead import read_shares
from ...strategies.learned.situation import new_facts
from ...strategies.learned.value import forget_scores, new_hidden, read_chances
from ...strategies.learned.ways import choose_way
from ...strategies.planning.search import prepare

THINKER = "thinker"
THROWS = 8  # of the dice, for a mean
MOST_OPTIONS = 64  # whose chances a hint tells


@dataclass
class Hint:
    """What the thinker would do now. `chances`: by option, where they are told; all are chances to win, from 0 to 1."""

    picked: int
    before: float | None = None  # at the beginning of the turn
    chances: dict[int, float] = field(default_factory=dict)


@dataclass
class Cost:
    """What a choice cost: the chances to win of what was done, and of what the thinker would have done."""

    at: int  # number of the choice in the game
    seat: int
    round: int
    question: str
    done: str
    better: str
    chance: float
    best: float

    @property
    def lost(self) -> float:
        """The chance to win that it cost."""
        return max(0.0, self.best - self.chance)


class Thinker:
    """The thinker as an onlooker of games by these rules with so many players."""

    def __init__(self, players_: int, box: str) -> None:
        strategy = players.strategies().find(THINKER)
        self.choose = strategy.load()
        self.weights = strategy.weights(players_, box)
        self.facts, self.hidden = new_facts(), new_hidden()
        self.plan: tuple[int, int, np.ndarray] | None = None  # turn, seat and notes, as long as the seat does as the thinker

    def chances(self, r: Any, g: Any, w: Any) -> list[float]:
        """Return every seat's chance to win, as the game stands between two turns; `g` must be a copy."""
        found = np.zeros(limits.MAX_PLAYERS)
        if g.ending != names.RUNNING:
            read_shares(g, found)
        else:
            for seat in range(int(g.players)):
                g.weights[seat] = self.weights[g.leader[seat]]
            forget_scores(self.facts, self.hidden)
            read_chances(r, g, w, 0, self.facts, self.hidden, found)
        return [float(chance) for chance in found[: int(g.players)]]

    def hint(self, sitting: Sitting) -> Hint:
        """Return what the thinker would do at the question of a sitting, and where the options lead."""
        question = sitting.question
        assert question is not None
        if not sitting.laid:  # there is no turn yet to be tried in a copy
            return Hint(question.put(choose_way))
        picked, notes = self.look(sitting)
        before = self.chances(sitting.rules, sitting.turn_begun[0].copy().view(np.recarray)[0], state.new_work())
        weighed = range(len(question)) if len(question) <= MOST_OPTIONS else [picked]
        chances = {k: self._value(sitting, k, notes if k == picked else None) for k in weighed}
        return Hint(picked, before[question.seat], chances)

    def cost(self, sitting: Sitting, chosen: int) -> Cost | None:
        """Return what it costs to choose an option at the question of a sitting; None before the map is laid."""
        question = sitting.question
        if question is None or not sitting.laid:
            return None
        picked, notes = self.look(sitting)
        best = self._value(sitting, picked, notes)
        chance = best if chosen == picked else self._value(sitting, chosen)
        self.plan = (int(sitting.state.turn), question.seat, notes) if chosen == picked else None
        words = question.words
        return Cost(len(sitting.choices), question.seat, int(sitting.state.round_number), question.text, words[chosen],
                    words[picked], chance, best)  # fmt: skip

    def look(self, sitting: Sitting) -> tuple[int, np.ndarray]:
        """Return the thinker's answer, and what it notes with it."""
        branch = Branch(sitting)
        question, g = branch.question, branch.state
        assert question is not None
        seat = question.seat
        g.weights[seat] = self.weights[g.leader[seat]]
        if self.plan is not None and self.plan[:2] == (int(g.turn), seat):
            g.notes[seat] = self.plan[2]
        picked = question.put(self.choose)
        notes = g.notes[seat].copy()
        self.finish(branch, picked)
        return picked, notes

    def _value(self, sitting: Sitting, chosen: int, notes: np.ndarray | None = None) -> float:
        """Return the chance to win at the end of the turn after an answer, as a mean over dice."""
        return float(np.mean([self._throw(sitting, chosen, notes, k) for k in range(THROWS)]))

    def _throw(self, sitting: Sitting, chosen: int, notes: np.ndarray | None, k: int) -> float:
        branch = Branch(sitting)
        question = branch.question
        assert question is not None
        seat, g = question.seat, branch.state
        g.weights[seat] = self.weights[g.leader[seat]]
        prepare(branch.rules, g, seat, np.int64(mix(np.uint64(question.bits) + np.uint64(k)) >> np.uint64(1)))
        if notes is not None:
            g.notes[seat] = notes
        self.finish(branch, chosen)
        return self.chances(branch.rules, g, branch.work)[seat]

    def finish(self, branch: Branch, chosen: int) -> None:
        """Answer the question of a branch, and play its turn to the end."""
        branch.answer(chosen)
        while branch.question is not None:
            question: Question = branch.question
            branch.answer(question.put(choose_way))


def worst(costs: Sequence[Cost], seat: int, most: int = 3, least: float = 0.005) -> list[Cost]:
    """Return the choices of a seat that cost most, the dearest first; none that cost next to nothing."""
    dear = sorted((cost for cost in costs if cost.seat == seat and cost.lost >= least), key=lambda cost: -cost.lost)
    return dear[:most]
