"""Tuning weights by self-play, and the checks of a strategy."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
from numba import objmode
from numba.core.errors import NumbaWarning

from ...simulator import kept_files, names, reading
from ...simulator.compile_cache import same_games as simulator_same_games
from ...simulator.compile_cache import source_digest
from ...simulator.engine import decisions, state
from ...simulator.engine.choosing import mix, seed_streams
from ...simulator.engine.compile.jit import JIT_OFF, call_strategy, jit, seat_strategies, strategy, strategy_address
from ...simulator.engine.setup import start_game
from ...simulator.engine.turn import play_game
from ...simulator.errors import UserError, counted, half, listed, with_sign
from ...simulator.rules.ruleset_contents import written
from ...simulator.runs import guard
from ...simulator.runs.guard_process import frozen
from ...simulator.runs.run import Silent, play_range
from ...simulator.runs.run_plan import player_counts
from ...strategies.planning import weights
from ...strategies.profiles import HIGHEST, LOWEST, Profile
from ...strategies.registry import ALWAYS, FOR_MAP, NEVER, Strategy, find, of_profile, traits_of
from ..questions.ladder import meet, meet_as, play, share, table_plan
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
    """Return the mean of the distribution after so many generations.

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
# workspace holds, and change nothing of the game but its own notes.

SOON, LATE = 60, 200  # rounds
ANSWERS = "every answer is legal, repeatable and changes nothing"
LEAST_ENDED = 0.95  # share of games among copies that must end by victory within LATE rounds
MOST_FAULTS = 5  # faults shown of a kind
MAP_KINDS = (decisions.LAY_TILE, decisions.PLACE_TILE, decisions.PLACE_FORT)


@dataclass(frozen=True)
class CheckResult:
    """The result of a check, with a line about it."""

    check: str
    passed: bool
    text: str


@dataclass
class Watch:
    """Observations of the answers of one strategy."""

    seen: int = 0
    kinds: set[int] = field(default_factory=set)
    chance: set[int] = field(default_factory=set)  # kinds with answers that depended on the random bits
    faults: list[str] = field(default_factory=list)
    before: list[bytes] = field(default_factory=list)
    last: float = field(default_factory=time.monotonic)


# --- Every answer

# Global, because compiled code that calls back reaches nothing else.
_watch: list[Watch] = [Watch()]
_address = [0]


def _before(g: Any, w: Any, seat: int, n: int) -> int:
    _watch[0].before = frozen(g, w, seat, n)
    return _address[0]


def _after(g: Any, w: Any, seat: int, kind: int, n: int, answers: np.ndarray) -> None:
    watch = _watch[0]
    watch.seen += 1
    watch.last = time.monotonic()
    watch.kinds.add(kind)
    first, second, other_bits, same_notes = (int(answer) for answer in answers)
    question = decisions.KINDS[kind]
    if not 0 <= first < n:
        watch.faults.append(f"{question}: answered {first}, expected 0 to {n - 1}")
    if second != first:
        watch.faults.append(f"{question}: answered {first}, and {second} when asked again")
    if not same_notes:
        watch.faults.append(f"{question}: made different notes when asked again")
    if other_bits != first:
        watch.chance.add(kind)
    for part, old, new in zip(("the game", "the options", "the workspace"), watch.before, frozen(g, w, seat, n), strict=True):
        if old != new:
            watch.faults.append(f"{question}: changed {part}")


@jit
def spoil(w):
    """Write nonsense into the scratch memory of one answer (state.SCRATCH without state.LASTING)."""
    w.score[:] = -1.0
    w.space_worth[:] = -1
    w.space_difficulty[:] = 77
    w.city_lack[:] = -1
    w.claim_turns[:] = -1
    w.enemy[:] = 1
    w.prey[:] = 1
    w.prey_now[:] = 77
    w.prey_later[:] = 77
    w.prey_most[:] = 77
    w.prey_reached[:] = 1
    w.tile_worth[:, :] = 77
    w.card_score[:] = -1
    w.option_worth[:] = -1
    w.ranked[:] = 1
    w.ranked_worth[:] = -1
    w.option_kept[:] = 77
    w.option_place[:] = 1
    w.dist[2:, :] = 77
    w.mark[:] = 1
    w.queue[:] = 1
    w.fresh[:] = 1


@cache  # compiled once a process: code that calls back into Python is not cached (engine/compile/code_cache.py)
def _checked() -> Any:
    """Return a compiled strategy that answers like the one in `_address` and watches it."""

    @strategy
    def checked(r, g, w, seat, kind, n, u):
        with objmode(address="int64"):
            address = _before(g, w, seat, n)
        notes = g.notes[seat].copy()
        memo = w.memo.copy()  # it lasts for a turn, as notes do
        memo_seat = w.memo_seat
        memo_turn = w.memo_turn
        results = np.zeros(4, np.int64)
        results[0] = call_strategy(address, r, g, w, seat, kind, n, u)
        noted = g.notes[seat].copy()
        g.notes[seat, :] = notes
        spoil(w)
        w.memo[:] = memo
        w.memo_seat = memo_seat
        w.memo_turn = memo_turn
        results[1] = call_strategy(address, r, g, w, seat, kind, n, u)
        results[3] = 1
        for k in range(len(noted)):
            if g.notes[seat, k] != noted[k]:
                results[3] = 0
        g.notes[seat, :] = notes
        w.memo[:] = memo
        w.memo_seat = memo_seat
        w.memo_turn = memo_turn
        results[2] = call_strategy(address, r, g, w, seat, kind, n, mix(u))
        g.notes[seat, :] = noted
        with objmode():
            _after(g, w, seat, kind, n, results)
        return results[0]

    return checked


def watched(choose: Any, watch: Watch) -> Any:
    """Return a compiled strategy that answers like `choose`, one at a time, and fills `watch` (see `answers`)."""
    _watch[0] = watch
    _address[0] = strategy_address(choose)
    return _checked()


def new_game(
    game: int, players: int, opinions: Sequence[np.ndarray], round_cap: int, leaders: int = len(names.LEADERS)
) -> np.record:
    """Return a game to be set up; `leaders` leaders take turns, `opinions` are the weights of each seat's strategy."""
    g = state.new_state()
    seed_streams(g, 20, game)
    g.players = players
    g.round_cap = round_cap
    for p in range(players):
        g.leader[p] = (game + p) % leaders
        g.weights[p] = opinions[p][g.leader[p]]
    return g


def answers(tested: Strategy, r: np.record, games: int = 2, round_cap: int = SOON, watch: Watch | None = None) -> CheckResult:
    """Return the check of every answer: legal, the same when asked twice, nothing changed but the seat's own notes.

    With every number of players of the rules it plays `games` games, in turn against copies of itself and with random players
    on every other seat, who lead it into other positions.
    """
    watch = watch or Watch()
    counts = player_counts(r)
    fault = guarded_fault(tested, r, round_cap, games)
    if fault is not None:
        return CheckResult(ANSWERS, False, fault)
    rules = np.asarray(r).tobytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)  # object mode is intended; numba warns about it
        _play_watched(tested, r, games, round_cap, watch)
    if np.asarray(r).tobytes() != rules:
        watch.faults.append("changed the rules")
    text = f"{counted(watch.seen, 'answer')} to {counted(len(watch.kinds), 'kind')} of questions, at {listed(counts)} players"
    if watch.faults:
        text += f"; {len(watch.faults):,} faults, such as: {'; '.join(list(dict.fromkeys(watch.faults))[:MOST_FAULTS])}"
    return CheckResult(ANSWERS, not watch.faults, text)


def guarded_fault(tested: Strategy, r: np.record, round_cap: int = SOON, games: int = 2) -> str | None:
    """Return the first fault of a user's strategy in games under guard with each number of players, None if there is none.

    Crashes and endless loops would otherwise end or block this process.
    """
    if not tested.source or JIT_OFF:
        return None
    for players in player_counts(r):
        plan = replace(table_plan(r, [tested] * players, games, 20), round_cap=round_cap)
        if (fault := guard.guarded_fault(plan, r, least=games)) is not None:
            return fault
        guard.trust(plan, r)
    return None


def _play_watched(tested: Strategy, r: np.record, games: int, round_cap: int, watch: Watch) -> None:
    """Play the games of `answers`."""
    choose, others, work = watched(tested.load(), watch), find("random"), state.new_work()
    for players in player_counts(r):
        own, random = tested.weights(players, names.BOXES[r.box]), others.weights(players, names.BOXES[r.box])
        for game in range(games):
            alone = game % 2 == 0
            seats = [choose if alone or p % 2 == 0 else others.load() for p in range(names.MAX_PLAYERS)]
            opinions = [own if alone or p % 2 == 0 else random for p in range(players)]
            bots = seat_strategies(seats)
            g = new_game(game, players, opinions, round_cap, len(written(r, "leader")))
            start_game(r, g, work, bots)
            play_game(r, g, work, bots)


def chance_used(watch: Watch) -> str:
    """Return for which questions the watched answers depended on the random bits (registry.Traits.chance)."""
    if not watch.chance:
        return NEVER
    return FOR_MAP if watch.chance <= set(MAP_KINDS) else ALWAYS


# --- Whole games


def same_games(tested: Strategy, r: np.record, games: int = 8) -> CheckResult:
    """Return the check that the same seed gives the same games, whatever was played before them."""
    different = []
    for players in player_counts(r):
        plan = table_plan(r, [tested] * players, games, 21)
        whole = play_range(plan, r, 0, games, Silent())
        for game in range(games - 1, -1, -1):
            alone = play_range(plan, r, game, 1, Silent())
            # Not byte by byte: padding between the fields of a row is undefined.
            if (
                alone is None
                or whole is None
                or not all(
                    np.array_equal(getattr(alone, table), getattr(whole, table)[getattr(whole, table)["game_id"] == game])
                    for table in ("games", "seats", "wonders", "agendas")
                )
            ):
                different.append(f"game {game} at {players} players")
    text = f"{counted(games, 'game')} each at {listed(player_counts(r))} players, in a row and one by one"
    if different:
        text += f"; different: {', '.join(different[:MOST_FAULTS])}"
    return CheckResult("the same seed gives the same game", not different, text)


def endings(
    tested: Strategy, r: np.record, players: int, games: int = 100, least: float = LEAST_ENDED, jobs: int = 1,
    observer: Any = None,
) -> CheckResult:  # fmt: skip
    """Return the check that games among copies end by victory: the shares within SOON and within LATE rounds."""
    rows = play(table_plan(r, [tested] * players, games, 22), r, jobs, observer)
    won = rows.games["ending"] == names.VICTORY
    shares = []
    for rounds in (SOON, LATE):
        ended = share((won & (rows.games["rounds"] <= rounds)).astype(float))
        low, high = ended.interval()
        shares.append(f"{ended.share:.1%} [{low:.1%}, {high:.1%}] within {rounds} rounds")
    text = f"{' and '.join(shares)}, n = {games:,}, median round {half(np.median(rows.games['rounds']))}"
    return CheckResult(f"games of {players} copies end by victory", ended.share >= least, text)


# --- All checks

Check = tuple[str, Callable[[], CheckResult]]


def checks(tested: Strategy, r: np.record, games: int, least: float | None, watch: Watch, jobs: int = 1) -> list[Check]:
    """Return the checks in order, each with its title; `watch.last` is the time of the last progress.

    `least` is the share of games among copies that must end by victory [LEAST_ENDED, or 0 if the strategy declares
    that its games do not end].
    """
    share = least if least is not None else LEAST_ENDED if traits_of(tested.name).finishes else 0.0
    tasks: list[Check] = [
        ("asking everything twice", partial(answers, tested, r, watch=watch)),
        ("playing games again", partial(same_games, tested, r)),
    ]
    for players in player_counts(r):
        play_on = partial(endings, tested, r, players, games, share, jobs, _Heartbeat(watch))
        tasks.append((f"{counted(games, 'game')} of {players} copies", play_on))
    return tasks


class _Heartbeat(Silent):
    """Notes the time of the last game in `watch`."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def add(self, games: int) -> None:
        """Note the time."""
        self.watch.last = time.monotonic()


def in_time(check: Callable[[], CheckResult], watch: Watch, patience: float) -> CheckResult | None:
    """Return the result of a check, or None after `patience` seconds without progress: an endless loop.

    The check then still runs, in a thread that ends with the process.
    """
    outcome: list[CheckResult | BaseException] = []

    def work() -> None:
        try:
            outcome.append(check())
        except BaseException as error:  # handed on to the caller
            outcome.append(error)

    watch.last = time.monotonic()
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive() and time.monotonic() - watch.last < patience:
        thread.join(0.1)
    if not outcome:
        return None
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]
