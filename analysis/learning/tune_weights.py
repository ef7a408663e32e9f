"""Tuning the weights of a strategy by self-play."""

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
import pandas as pd

from ...simulator import kept_files, names, reading
from ...simulator.compile_cache import same_games as simulator_same_games
from ...simulator.compile_cache import source_digest
from ...simulator.errors import UserError, with_sign
from ...strategies.planning import weights
from ...strategies.profiles import HIGHEST, LOWEST, Profile
from ...strategies.registry import Strategy, of_profile
from ..questions.ladder import meet, meet_as, share
from ..stats.inference import changes_together, mean_change
from ..stats.rates import WinShare

# --- Tuning weights by self-play and CMA-ES (Hansen: "The CMA Evolution Strategy: A Tutorial", 2016)
#
# Each generation draws candidates from a normal distribution over the weights; all play the same games against the same
# opponents, and the distribution moves towards the better ones. Every generation plays new games, so that lucky candidates do
# not last. The result is the mean of the last distribution, judged on other seeds.
#
# With a leader, only its weights are searched, and the candidate always plays it: the gain shows how much of the leader's win
# rate depends on how it is played.

SPREAD = 0.3  # first standard deviation of the logarithm of a weight, which keeps its sign
ZERO_SPREAD = 10.0  # first standard deviation of a weight that is zero
# Not tuned unless named: tastes of the styles, laying of tiles, search, rivals to play against; weights of Terra Incognita.
LEFT_ALONE = ("agenda_*", "taste_*", "against*", "tile_*", "room_near", "room_far", "simulat*")
LEFT_ALONE_IN_BASE = (*LEFT_ALONE, "*growth*", *weights.DEFAULTS)
STATE_MARK, STATE_VERSION = "newdawn strategies tune", 3  # of the file of a search; in 1 and 2 the mark was the first line
WHAT = "the generations of a search"
REMOVE = "choose another file (--out) or remove it"
HELD_OUT = 1_000_003  # from the seeds of the training to those of the judgement


@dataclass
class Task:
    """A tuning: the profile (resolved), the names of its weights, opponents and games."""

    r: np.record
    profile: Profile
    names: list[str]
    opponents: Sequence[Strategy]
    players: int
    games: int  # of a candidate against each opponent, in each generation
    seed: int
    leader: str | None = None  # None: one drawn for each game
    start: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        values = self.profile.weights | self.profile.players.get(self.players, {}) | self.profile.boxes.get(self.box, {})
        values |= self.profile.leaders.get(self.leader or "", {})
        self.start = np.array([values[name] for name in self.names], float)

    @property
    def box(self) -> str:
        """The box of the rules; weights tuned for another than the base game are written as weights of that box."""
        return names.BOXES[self.r.box]

    def profile_at(self, point: np.ndarray) -> Profile:
        """Return the profile with the weights of a point of the search."""
        moved = np.where(self.start == 0, ZERO_SPREAD * point, self.start * np.exp(SPREAD * point))
        values = np.clip(np.rint(moved), LOWEST, HIGHEST)
        tuned = {name: int(value) for name, value in zip(self.names, values, strict=True)}
        changed = deepcopy(self.profile)
        if self.leader is not None:
            changed.leaders[self.leader] = changed.leaders.get(self.leader, {}) | tuned
            return changed
        if self.r.box != names.BASE_BOX:
            changed.boxes[self.box] = changed.boxes.get(self.box, {}) | tuned
            return changed
        changed.weights |= tuned
        changed.players.pop(self.players, None)
        return changed

    def strategy_at(self, point: np.ndarray) -> Strategy:
        """Return the strategy at a point of the search."""
        return of_profile("candidate", self.profile_at(point))

    def meet(self, point: np.ndarray, other: Strategy, games: int, seed: int, jobs: int = 1) -> np.ndarray:
        """Return the win share of the strategy at a point by game, against copies of another."""
        candidate = self.strategy_at(point)
        if self.leader is None:
            return meet(self.r, candidate, other, players=self.players, games=games, seed=seed, jobs=jobs)
        return meet_as(self.r, self.leader, candidate, other, players=self.players, games=games, seed=seed, jobs=jobs)


def select(patterns: Sequence[str] | None, box: str = names.BOXES[names.BASE_BOX]) -> list[str]:
    """Return the weights whose names match any of the patterns (``play_*``); without patterns those tuned in the box.

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
    """Return the mean of the distribution after this many generations.

    `report` gets the number of each generation, its candidates' shares and the spread of the distribution. With `state`, that
    file keeps the shares of every generation, and a search begun there continues: the same draws with the saved shares lead to
    the same distribution.
    """
    import cma

    population = 2 * int(4 + 3 * np.log(len(task.names)))  # twice the usual, because games are noisy
    options: dict[str, Any] = {"verbose": -9, "CMA_diagonal": True, "popsize": population}
    options |= {"randn": np.random.RandomState(task.seed + 1).randn, "seed": np.nan}  # nan: do not seed numpy's own
    evolution = cma.CMAEvolutionStrategy(np.zeros(len(task.names)), 1.0, options)
    saved = _saved(state, task) if state is not None and state.exists() else []
    for generation in saved[:generations]:
        points = evolution.ask()
        if generation["draws"] != _drawn(points) or len(generation["shares"]) != len(points):
            raise UserError(f"{state}: its draws cannot be repeated with this version of cma or numpy; {REMOVE}")
        evolution.tell(points, [-share for share in generation["shares"]])
    while evolution.countiter < generations:
        points = evolution.ask()
        seed = task.seed + evolution.countiter * len(task.opponents)
        shares = joblib.Parallel(n_jobs=jobs, backend="threading")(joblib.delayed(score)(task, p, seed) for p in points)
        evolution.tell(points, [-share for share in shares])
        saved.append({"draws": _drawn(points), "shares": shares})
        if state is not None:
            heading = {"program": STATE_MARK, "version": STATE_VERSION, "engine": source_digest(), "search": _key(task)}
            kept_files.write(state, heading | {"generations": saved})
        report(evolution.countiter, shares, float(evolution.sigma))
    return np.asarray(evolution.result.xfavorite)


def _drawn(points: Sequence[np.ndarray]) -> str:
    """Return a digest of the candidates of a generation."""
    return hashlib.sha256(np.asarray(points, "<f8").tobytes()).hexdigest()[:16]


def _saved(state: Path, task: Task) -> list[dict[str, Any]]:
    """Return the generations in a file; raise UserError if they are not of this search."""
    content = reading.content_of(state, expected=WHAT)
    if content.startswith(STATE_MARK.encode()):
        raise UserError(f"{state}: not a search of this command, but of an earlier version; {REMOVE}")
    try:
        saved = reading.json_of(content, state)
    except UserError:
        saved = None
    if not isinstance(saved, dict) or saved.get("program") != STATE_MARK:
        raise UserError(f"{state}: not a search of this command; {REMOVE}")
    saved = kept_files.opened(state, saved, WHAT, REMOVE)
    with reading.plainly(state, WHAT, again=REMOVE):
        generations = [
            {"draws": str(generation["draws"]), "shares": [float(x) for x in generation["shares"]]}
            for generation in saved["generations"]
        ]
        if (saved["version"], saved["search"]) != (STATE_VERSION, _key(task)) or not simulator_same_games(saved["engine"]):
            raise UserError(f"{state}: holds another search, or one begun by another version of this program; {REMOVE}")
        return generations


def judge(task: Task, point: np.ndarray, games: int, jobs: int) -> list[tuple[str, WinShare, WinShare, str]]:
    """Return for each opponent the share before and after tuning over the same held-out games, and the gain as text."""
    results = []
    for k, other in enumerate(task.opponents):
        seed = task.seed + HELD_OUT + k
        old, new = (task.meet(p, other, games, seed, jobs) for p in (np.zeros(len(task.names)), point))
        row = changes_together(pd.DataFrame([mean_change(old, new)])).iloc[0]
        gained, low, high = (with_sign(100 * row[name]) for name in ("change", "change_low", "change_high"))
        results.append((other.name, share(old), share(new), f"gained {gained} points [{low}, {high}]"))
    return results


def _key(task: Task) -> str:
    """Return the digest of all that determines a search except its length."""
    profile = asdict(replace(task.profile, tuned={}, description=""))
    settings = {
        "profile": profile, "box": task.box, "weights": task.names,
        "opponents": [other.as_dict() for other in task.opponents], "players": task.players, "games": task.games,
        "seed": task.seed, "leader": task.leader,
    }  # fmt: skip
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


# --- Checks of a strategy, packaged or a user's own, for `newdawn strategies check` and the tests
#
# A strategy must answer every question with the index of an option, give the same answer whatever the scratch memory of the
# workspace holds, and change nothing in the game but its own notes.

SOON, LATE = 60, 200  # rounds
