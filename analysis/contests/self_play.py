"""Better weights for a strategy, by self-play and CMA-ES (Hansen: "The CMA Evolution Strategy: A Tutorial", 2016).

Each generation draws candidates from a normal distribution over the weights and lets every one of them play the same
games against the same opponents; the distribution moves towards the better ones. New games come with every generation,
so that chance wins do not last. The result is the middle of the last distribution, judged on seeds never trained on.

With a leader, only the weights with which it is played are searched, and the candidate always plays it: how much more it wins
then says what of its rate is the way it is played.
"""

from __future__ import annotations

import fnmatch
import pickle
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.ours import write_whole
from ...strategies.planning import weights
from ...strategies.profiles import HIGHEST, LOWEST, Profile
from ...strategies.registry import Strategy, of_profile
from ..statistics.inference import QUANTILE
from .arena import Share, meet, meet_as, share

SPREAD = 0.3  # first standard deviation of the logarithm of a weight: it keeps its sign
ZERO_SPREAD = 10.0  # first standard deviation of a weight that is zero
# Not tuned unless asked for: tastes that tell characters apart, the laying of tiles, search; what only the expansion asks for.
LEFT_ALONE = ("agenda_*", "tile_*", "room_near", "room_far", "simulat*")
LEFT_ALONE_IN_BASE = (*LEFT_ALONE, "*growth*", *weights.DEFAULTS)
STATE_MARK = b"newdawn strategies tune\n"  # begins the file in which a search is kept; nothing else is unpickled
HELD_OUT = 1_000_003  # seeds of the judgement begin so far behind those of the training


@dataclass
class Task:
    """What to tune: the profile (resolved), which of its weights, for whom, against whom, with which games."""

    r: np.record
    profile: Profile
    names: list[str]
    opponents: Sequence[Strategy]
    players: int
    games: int  # a candidate plays so many against each opponent, in each generation
    seed: int
    leader: str | None = None  # None: one drawn for each game
    start: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        values = self.profile.weights | self.profile.players.get(self.players, {}) | self.profile.boxes.get(self.box, {})
        values |= self.profile.leaders.get(self.leader or "", {})
        self.start = np.array([values[name] for name in self.names], float)

    @property
    def box(self) -> str:
        """The box of the rules: weights tuned for another than the base game are written as those of that box."""
        return names.BOXES[self.r.box]

    def profile_at(self, point: np.ndarray) -> Profile:
        """Return the profile with the weights of a point of the search."""
        moved = np.where(self.start == 0, ZERO_SPREAD * point, self.start * np.exp(SPREAD * point))
        values = np.clip(np.rint(moved), LOWEST, HIGHEST)
        found = {name: int(value) for name, value in zip(self.names, values, strict=True)}
        changed = deepcopy(self.profile)
        if self.leader is not None:
            changed.leaders[self.leader] = changed.leaders.get(self.leader, {}) | found
            return changed
        if self.r.box != names.BASE_BOX:
            changed.boxes[self.box] = changed.boxes.get(self.box, {}) | found
            return changed
        changed.weights |= found
        changed.players.pop(self.players, None)
        return changed

    def strategy_at(self, point: np.ndarray) -> Strategy:
        """Return the strategy at a point of the search."""
        return of_profile("candidate", self.profile_at(point))

    def meet(self, point: np.ndarray, other: Strategy, games: int, seed: int, jobs: int = 1) -> np.ndarray:
        """Return the win share of the strategy at a point in each game against copies of another."""
        candidate = self.strategy_at(point)
        if self.leader is None:
            return meet(self.r, candidate, other, players=self.players, games=games, seed=seed, jobs=jobs)
        return meet_as(self.r, self.leader, candidate, other, players=self.players, games=games, seed=seed, jobs=jobs)


def select(patterns: Sequence[str] | None, box: str = names.BOXES[names.BASE_BOX]) -> list[str]:
    """Return the weights whose names match any of the patterns (``play_*``), or all that are not left alone in the box.

    Raise UserError if a pattern matches none.
    """
    if patterns is None:
        left_alone = LEFT_ALONE_IN_BASE if box == names.BOXES[names.BASE_BOX] else LEFT_ALONE
        return [name for name in weights.NAMES if not any(fnmatch.fnmatch(name, pattern) for pattern in left_alone)]
    for pattern in patterns:
        if not fnmatch.filter(weights.NAMES, pattern):
            raise UserError(f"--weights: no weight matches '{pattern}'; `newdawn strategies weights` lists them")
    return [name for name in weights.NAMES if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]


def score(task: Task, point: np.ndarray, seed: int) -> float:
    """Return the mean win share of the candidate over the opponents in the games of a seed."""
    won = [task.meet(point, other, task.games, seed + k).mean() for k, other in enumerate(task.opponents)]
    return float(np.mean(won))


def search(
    task: Task, generations: int, jobs: int, report: Callable[[int, list[float], float], None], state: Path | None = None
) -> np.ndarray:
    """Return the middle of the last distribution after so many generations.

    `report` is called with the number of each generation, its candidates' shares and the spread of the distribution.
    With `state`, every generation is kept in that file, and a search begun there goes on.
    """
    import cma

    if state is not None and state.exists():
        try:
            mark, kept = state.read_bytes()[: len(STATE_MARK)], state.read_bytes()[len(STATE_MARK) :]
            if mark != STATE_MARK:
                raise ValueError("another program's file")
            begun, evolution = pickle.loads(kept)
        except (pickle.UnpicklingError, EOFError, ValueError, TypeError, AttributeError, ImportError, IndexError):
            raise UserError(f"{state}: not a search of this command; choose another file (--out) or remove it") from None
        if begun != _key(task):
            raise UserError(f"{state}: holds another search; choose another file (--out) or remove it")
    else:
        options = {"seed": task.seed + 1, "verbose": -9, "CMA_diagonal": True, "popsize": _population(len(task.names))}
        evolution = cma.CMAEvolutionStrategy(np.zeros(len(task.names)), 1.0, options)
    while evolution.countiter < generations:
        points = evolution.ask()
        seed = task.seed + evolution.countiter * len(task.opponents)
        found = joblib.Parallel(n_jobs=jobs, backend="threading")(joblib.delayed(score)(task, p, seed) for p in points)
        evolution.tell(points, [-value for value in found])
        if state is not None:
            write_whole(state, STATE_MARK + pickle.dumps((_key(task), evolution)))
        report(evolution.countiter, found, float(evolution.sigma))
    return np.asarray(evolution.result.xfavorite)


def judge(task: Task, point: np.ndarray, games: int, jobs: int) -> list[tuple[str, Share, Share, str]]:
    """Return, for each opponent, the share before and after tuning over the same held-out games, and the gain in words."""
    results = []
    for k, other in enumerate(task.opponents):
        seed = task.seed + HELD_OUT + k
        old, new = (task.meet(p, other, games, seed, jobs) for p in (np.zeros(len(task.names)), point))
        results.append((other.name, share(old), share(new), _gained(100 * (new - old))))
    return results


def _gained(points: np.ndarray) -> str:
    """Return the mean of paired differences in points with its 95% interval (normal)."""
    half = QUANTILE * float(points.std(ddof=1)) / np.sqrt(len(points))
    return f"gained {points.mean():+.1f} points [{points.mean() - half:+.1f}, {points.mean() + half:+.1f}]"


def _population(dimensions: int) -> int:
    """Return the number of candidates: more than the usual 4 + 3 ln n, because games are noisy."""
    return 2 * int(4 + 3 * np.log(dimensions))


def _key(task: Task) -> tuple[Any, ...]:
    opponents = tuple((other.name, other.own) for other in task.opponents)
    return (tuple(task.names), tuple(task.start), opponents, task.players, task.games, task.seed, task.leader)
