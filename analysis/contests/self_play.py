"""Better weights for a strategy, by self-play and CMA-ES (Hansen: "The CMA Evolution Strategy: A Tutorial", 2016).

Each generation draws candidates from a normal distribution over the weights and lets every one of them play the same
games against the same opponents; the distribution moves towards the better ones. New games come with every generation,
so that chance wins do not last. The result is the middle of the last distribution, judged on seeds never trained on.

With a leader, only the weights with which it is played are searched, and the candidate always plays it: how much more it wins
then says what of its rate is the way it is played.
"""

from __future__ import annotations

import fnmatch
import hashlib
import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from ...simulator import keeping, names, reading
from ...simulator.compile_cache import same_games, source_digest
from ...simulator.errors import UserError
from ...strategies.planning import weights
from ...strategies.profiles import HIGHEST, LOWEST, Profile
from ...strategies.registry import Strategy, of_profile
from ..statistics.inference import QUANTILE
from .arena import Share, meet, meet_as, share

SPREAD = 0.3  # first standard deviation of the logarithm of a weight: it keeps its sign
ZERO_SPREAD = 10.0  # first standard deviation of a weight that is zero
# Not tuned unless asked for: tastes that distinguish characters, the laying of tiles, search, whom it plays against; what
# only the expansion asks for.
LEFT_ALONE = ("agenda_*", "taste_*", "against*", "tile_*", "room_near", "room_far", "simulat*")
LEFT_ALONE_IN_BASE = (*LEFT_ALONE, "*growth*", *weights.DEFAULTS)
STATE_MARK, STATE_VERSION = (
    "newdawn strategies tune",
    3,
)  # in the file in which a search is kept; in 1 and 2 the mark was its first line
WHAT = "the generations of a search"
REMOVE = "choose another file (--out) or remove it"
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
    With `state`, the shares of every generation are kept in that file. A search begun there goes on: the same draws are made
    again and told the shares that were found, which leads to the same distribution.
    """
    evolution = _evolution(task)
    kept = _kept(state, task) if state is not None and state.exists() else []
    for generation in kept[:generations]:
        points = evolution.ask()
        if generation["draws"] != _drawn(points) or len(generation["shares"]) != len(points):
            raise UserError(f"{state}: its draws cannot be repeated with this version of cma or numpy; {REMOVE}")
        _tell(evolution, points, generation["shares"])
    while evolution.countiter < generations:
        points = evolution.ask()
        seed = task.seed + evolution.countiter * len(task.opponents)
        found = joblib.Parallel(n_jobs=jobs, backend="threading")(joblib.delayed(score)(task, p, seed) for p in points)
        _tell(evolution, points, found)
        kept.append({"draws": _drawn(points), "shares": found})
        if state is not None:
            begun = {"program": STATE_MARK, "version": STATE_VERSION, "engine": source_digest(), "search": _key(task)}
            keeping.write(state, begun | {"generations": kept})
        report(evolution.countiter, found, float(evolution.sigma))
    return np.asarray(evolution.result.xfavorite)


def _evolution(task: Task) -> Any:
    """Return the distribution before the first generation, with random numbers of its own."""
    import cma

    options: dict[str, Any] = {"verbose": -9, "CMA_diagonal": True, "popsize": _population(len(task.names))}
    options |= {"randn": np.random.RandomState(task.seed + 1).randn, "seed": np.nan}  # nan: leave numpy's own alone
    return cma.CMAEvolutionStrategy(np.zeros(len(task.names)), 1.0, options)


def _tell(evolution: Any, points: list[np.ndarray], shares: Sequence[float]) -> None:
    evolution.tell(points, [-share for share in shares])


def _drawn(points: Sequence[np.ndarray]) -> str:
    """Return a digest of the candidates of a generation."""
    return hashlib.sha256(np.asarray(points, "<f8").tobytes()).hexdigest()[:16]


def _kept(state: Path, task: Task) -> list[dict[str, Any]]:
    """Return the generations kept in a file; raise UserError if it holds none of this search."""
    content = reading.content_of(state, expected=WHAT)
    if content.startswith(STATE_MARK.encode()):
        raise UserError(f"{state}: not a search of this command, but of an earlier version; {REMOVE}")
    try:
        found = reading.json_of(content, state)
    except UserError:
        found = None
    if not isinstance(found, dict) or found.get("program") != STATE_MARK:
        raise UserError(f"{state}: not a search of this command; {REMOVE}")
    found = keeping.opened(state, found, WHAT, REMOVE)
    with reading.plainly(state, WHAT, again=REMOVE):
        kept = [{"draws": str(one["draws"]), "shares": [float(x) for x in one["shares"]]} for one in found["generations"]]
        if (found["version"], found["search"]) != (STATE_VERSION, _key(task)) or not same_games(found["engine"]):
            raise UserError(f"{state}: holds another search, or one begun by another version of this program; {REMOVE}")
        return kept


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


def _key(task: Task) -> str:
    """Return the digest of all that decides about a search but its length."""
    profile = asdict(replace(task.profile, tuned={}, description=""))
    settings = {
        "profile": profile, "box": task.box, "weights": task.names,
        "opponents": [other.as_dict() for other in task.opponents], "players": task.players, "games": task.games,
        "seed": task.seed, "leader": task.leader,
    }  # fmt: skip
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()
