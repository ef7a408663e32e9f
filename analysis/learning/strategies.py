"""Weights from self-play, and what a strategy is checked for."""

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

from ...simulator import keeping, limits, names, reading
from ...simulator.compile_cache import same_games as simulator_same_games
from ...simulator.compile_cache import source_digest
from ...simulator.engine import decisions, state
from ...simulator.engine.choosing import mix, seed_streams
from ...simulator.engine.compile.jit import JIT_OFF, call_strategy, jit, seat_strategies, strategy, strategy_address
from ...simulator.engine.setup import start_game
from ...simulator.engine.turn import play_game
from ...simulator.errors import UserError
from ...simulator.rules.contents import written
from ...simulator.runs import guard
from ...simulator.runs.guarded import frozen
from ...simulator.runs.plan import player_counts
from ...simulator.runs.run import Rows, Silent, play_range
from ...simulator.wording import counted, half
from ...strategies.planning import weights
from ...strategies.profiles import HIGHEST, LOWEST, Profile
from ...strategies.registry import ALWAYS, FOR_MAP, NEVER, Strategy, find, of_profile, traits_of
from ..questions.arena import Share, meet, meet_as, play, share, table_plan
from ..stats.paired import changes_together, mean_change

# --- Better weights for a strategy, by self-play and CMA-ES (Hansen
#
# "The CMA Evolution Strategy: A Tutorial", 2016).
#
# Each generation draws candidates from a normal distribution over the weights and lets every one of them play the same games
# against the same opponents; the distribution moves towards the better ones. New games come with every generation, so that
# chance wins do not last. The result is the middle of the last distribution, judged on seeds never trained on.
#
# With a leader, only the weights with which it is played are searched, and the candidate always plays it: how much more it
# wins then says what of its rate is the way it is played.

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
        if (found["version"], found["search"]) != (STATE_VERSION, _key(task)) or not simulator_same_games(found["engine"]):
            raise UserError(f"{state}: holds another search, or one begun by another version of this program; {REMOVE}")
        return kept


def judge(task: Task, point: np.ndarray, games: int, jobs: int) -> list[tuple[str, Share, Share, str]]:
    """Return, for each opponent, the share before and after tuning over the same held-out games, and the gain in words."""
    results = []
    for k, other in enumerate(task.opponents):
        seed = task.seed + HELD_OUT + k
        old, new = (task.meet(p, other, games, seed, jobs) for p in (np.zeros(len(task.names)), point))
        row = changes_together(pd.DataFrame([mean_change(old, new)])).iloc[0]
        gained, low, high = (f"{100 * row[name]:+.1f}" for name in ("change", "change_low", "change_high"))
        results.append((other.name, share(old), share(new), f"gained {gained} points [{low}, {high}]"))
    return results


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


# --- What every strategy must do, packaged or a user's own
#
# The checks of `newdawn strategies check` and of the tests.
#
# Each check plays games and returns what it saw. A strategy may be asked anything at any time; it must answer with the index
# of an option, give the same answer to the same question whatever lies in the scratch space of the workspace, and leave the
# game alone but for its own notes.

SOON, LATE = 60, 200  # rounds
ANSWERS = "every answer is legal, repeatable and changes nothing"
LEAST_ENDED = 0.95  # share of games among copies that must end by victory within LATE rounds
MOST_FAULTS = 5  # shown of a kind
MAP_KINDS = (decisions.LAY_TILE, decisions.PLACE_TILE, decisions.PLACE_FORT)


@dataclass(frozen=True)
class Result:
    """What a check found: its name, whether it was passed, and one line about it."""

    check: str
    passed: bool
    text: str


@dataclass
class Watch:
    """What was seen of the answers of one strategy."""

    seen: int = 0
    kinds: set[int] = field(default_factory=set)
    chance: set[int] = field(default_factory=set)  # kinds of which the answer depended on the random bits
    faults: list[str] = field(default_factory=list)
    before: list[bytes] = field(default_factory=list)
    last: float = field(default_factory=time.monotonic)


# --- every answer

# What is being watched: compiled code that calls back reaches only what is global.
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
    word = decisions.KINDS[kind]
    if not 0 <= first < n:
        watch.faults.append(f"{word}: answered {first}, expected 0 to {n - 1}")
    if second != first:
        watch.faults.append(f"{word}: answered {first}, and {second} when asked again")
    if not same_notes:
        watch.faults.append(f"{word}: made different notes when asked again")
    if other_bits != first:
        watch.chance.add(kind)
    for what, old, new in zip(("the game", "the options", "the workspace"), watch.before, frozen(g, w, seat, n), strict=True):
        if old != new:
            watch.faults.append(f"{word}: changed {what}")


@jit
def spoil(w):
    """Write nonsense into the scratch memory that holds for one answer only (state.SCRATCH, but for state.LASTING)."""
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


@cache  # compiled once a process: what calls back into Python is not kept (engine/compile/code_cache.py)
def _checked() -> Any:
    """Return a compiled strategy that answers like the one in `_address` and watches it."""

    @strategy
    def checked(r, g, w, seat, kind, n, u):
        with objmode(address="int64"):
            address = _before(g, w, seat, n)
        notes = g.notes[seat].copy()
        memo = w.memo.copy()  # it lasts for a turn: as notes do
        memo_seat = w.memo_seat
        memo_turn = w.memo_turn
        found = np.zeros(4, np.int64)
        found[0] = call_strategy(address, r, g, w, seat, kind, n, u)
        noted = g.notes[seat].copy()
        g.notes[seat, :] = notes
        spoil(w)
        w.memo[:] = memo
        w.memo_seat = memo_seat
        w.memo_turn = memo_turn
        found[1] = call_strategy(address, r, g, w, seat, kind, n, u)
        found[3] = 1
        for k in range(len(noted)):
            if g.notes[seat, k] != noted[k]:
                found[3] = 0
        g.notes[seat, :] = notes
        w.memo[:] = memo
        w.memo_seat = memo_seat
        w.memo_turn = memo_turn
        found[2] = call_strategy(address, r, g, w, seat, kind, n, mix(u))
        g.notes[seat, :] = noted
        with objmode():
            _after(g, w, seat, kind, n, found)
        return found[0]

    return checked


def watched(choose: Any, watch: Watch) -> Any:
    """Return a compiled strategy that answers like `choose`, one at a time, and fills `watch` (see `answers`)."""
    _watch[0] = watch
    _address[0] = strategy_address(choose)
    return _checked()


def new_game(
    game: int, players: int, opinions: Sequence[np.ndarray], round_cap: int, leaders: int = len(names.LEADERS)
) -> np.record:
    """Return a game to be set up: `leaders` leaders by turns, and for each seat what its strategy cares about."""
    g = state.new_state()
    seed_streams(g, 20, game)
    g.players = players
    g.round_cap = round_cap
    for p in range(players):
        g.leader[p] = (game + p) % leaders
        g.weights[p] = opinions[p][g.leader[p]]
    return g


def answers(one: Strategy, r: np.record, games: int = 2, round_cap: int = SOON, watch: Watch | None = None) -> Result:
    """Check every answer: legal, the same when asked twice, nothing changed but the seat's own notes.

    For every number of players that the rules know it plays `games` games, by turns against copies of itself and with
    random players on every other seat, who bring it into positions of their own.
    """
    watch = watch or Watch()
    counts = player_counts(r)
    fault = guarded_fault(one, r, round_cap, games)
    if fault is not None:
        return Result(ANSWERS, False, fault)
    rules = np.asarray(r).tobytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)  # object mode is meant; numba warns when compiling and when calling
        _play_watched(one, r, games, round_cap, watch)
    if np.asarray(r).tobytes() != rules:
        watch.faults.append("changed the rules")
    text = f"{counted(watch.seen, 'answer')} to {counted(len(watch.kinds), 'kind')} of questions, at {_listed(counts)} players"
    if watch.faults:
        text += f"; {len(watch.faults):,} faults, such as: {'; '.join(list(dict.fromkeys(watch.faults))[:MOST_FAULTS])}"
    return Result(ANSWERS, not watch.faults, text)


def guarded_fault(one: Strategy, r: np.record, round_cap: int = SOON, games: int = 2) -> str | None:
    """Return the first fault of a user's strategy in games under guard with each number of players, None if there is none.

    What could end or hold up the process that plays shows there.
    """
    if not one.source or JIT_OFF:
        return None
    for players in player_counts(r):
        plan = replace(table_plan(r, [one] * players, games, 20), round_cap=round_cap)
        if (fault := guard.guarded_fault(plan, r, least=games)) is not None:
            return fault
        guard.trust(plan, r)
    return None


def _play_watched(one: Strategy, r: np.record, games: int, round_cap: int, watch: Watch) -> None:
    """Play the games of `answers`."""
    choose, others, work = watched(one.load(), watch), find("random"), state.new_work()
    for players in player_counts(r):
        mine, theirs = one.weights(players, names.BOXES[r.box]), others.weights(players, names.BOXES[r.box])
        for game in range(games):
            alone = game % 2 == 0
            seats = [choose if alone or p % 2 == 0 else others.load() for p in range(limits.MAX_PLAYERS)]
            opinions = [mine if alone or p % 2 == 0 else theirs for p in range(players)]
            bots = seat_strategies(seats)
            g = new_game(game, players, opinions, round_cap, len(written(r, "leader")))
            start_game(r, g, work, bots)
            play_game(r, g, work, bots)


def chance_used(watch: Watch) -> str:
    """Return what the answers that were watched depended on the random bits for (strategies.traits)."""
    if not watch.chance:
        return NEVER
    return FOR_MAP if watch.chance <= set(MAP_KINDS) else ALWAYS


# --- whole games


def same_games(one: Strategy, r: np.record, games: int = 8) -> Result:
    """Check that the same seed gives the same games, whatever was played before them."""
    different = []
    for players in player_counts(r):
        plan = table_plan(r, [one] * players, games, 21)
        whole = play_range(plan, r, 0, games, Silent())
        for game in range(games - 1, -1, -1):
            alone = play_range(plan, r, game, 1, Silent())
            if alone is None or whole is None or not _same(alone, whole, game):
                different.append(f"game {game} at {players} players")
    text = f"{counted(games, 'game')} each at {_listed(player_counts(r))} players, in a row and one by one"
    if different:
        text += f"; different: {', '.join(different[:MOST_FAULTS])}"
    return Result("the same seed gives the same game", not different, text)


def _same(alone: Rows, whole: Rows, game: int) -> bool:
    tables = ("games", "seats", "wonders", "agendas")
    # Not byte by byte: what lies between the fields of a row is nobody's.
    return all(
        np.array_equal(getattr(alone, name), getattr(whole, name)[getattr(whole, name)["game_id"] == game]) for name in tables
    )


def endings(
    one: Strategy, r: np.record, players: int, games: int = 100, least: float = LEAST_ENDED, jobs: int = 1, observer: Any = None
) -> Result:
    """Check that games among copies of the strategy end by victory: the share within SOON and within LATE rounds."""
    rows = play(table_plan(r, [one] * players, games, 22), r, jobs, observer)
    won = rows.games["ending"] == names.VICTORY
    shares = []
    for rounds in (SOON, LATE):
        ended = share((won & (rows.games["rounds"] <= rounds)).astype(float))
        low, high = ended.interval()
        shares.append(f"{ended.share:.1%} [{low:.1%}, {high:.1%}] within {rounds} rounds")
    text = f"{' and '.join(shares)}, n = {games:,}, median round {half(np.median(rows.games['rounds']))}"
    return Result(f"games of {players} copies end by victory", ended.share >= least, text)


def _listed(numbers: Sequence[int]) -> str:
    words = [str(number) for number in numbers]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


# --- all of them

Check = tuple[str, Callable[[], Result]]


def checks(one: Strategy, r: np.record, games: int, least: float | None, watch: Watch, jobs: int = 1) -> list[Check]:
    """Return the checks in order, each with a word about what it does; `watch` notes all the time that something happens.

    `least` is the share of games among copies that must end by victory [LEAST_ENDED, or 0 if the strategy declares
    that its games do not end].
    """
    share = least if least is not None else LEAST_ENDED if traits_of(one.name).finishes else 0.0
    found: list[Check] = [
        ("asking everything twice", partial(answers, one, r, watch=watch)),
        ("playing games again", partial(same_games, one, r)),
    ]
    for players in player_counts(r):
        play_on = partial(endings, one, r, players, games, share, jobs, _Heartbeat(watch))
        found.append((f"{counted(games, 'game')} of {players} copies", play_on))
    return found


class _Heartbeat(Silent):
    """Notes that games go on."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def add(self, games: int) -> None:
        """Some games are done."""
        self.watch.last = time.monotonic()


def in_time(check: Callable[[], Result], watch: Watch, patience: float) -> Result | None:
    """Return the result of a check, or None if nothing at all happened for `patience` seconds: an endless loop.

    The check then still runs, in a thread that ends with the process.
    """
    found: list[Result | BaseException] = []

    def work() -> None:
        try:
            found.append(check())
        except BaseException as error:  # handed on to the caller
            found.append(error)

    watch.last = time.monotonic()
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive() and time.monotonic() - watch.last < patience:
        thread.join(0.1)
    if not found:
        return None
    if isinstance(found[0], BaseException):
        raise found[0]
    return found[0]
