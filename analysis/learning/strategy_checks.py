"""Checks of a strategy: is every answer legal and repeatable, and do its games end?"""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import numpy as np
from numba import njit, objmode
from numba.core.errors import NumbaWarning

from ...simulator import names
from ...simulator.engine import decisions, state
from ...simulator.engine.choosing import mix, seed_streams
from ...simulator.engine.compile.jit import JIT_OFF, call_strategy, jit, seat_strategies, strategy, strategy_address
from ...simulator.engine.setup import start_game
from ...simulator.engine.turn import play_game
from ...simulator.errors import counted, half, listed
from ...simulator.rules.ruleset_contents import written
from ...simulator.runs import guard
from ...simulator.runs.guard_process import frozen
from ...simulator.runs.run import Silent, play_range
from ...simulator.runs.run_plan import player_counts
from ...strategies.registry import ALWAYS, FOR_MAP, NEVER, Strategy, find, traits_of
from ..questions.ladder import play, share, table_plan
from .tune_weights import LATE, SOON

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

    # Apart from `checked`: numba 0.62 copies a function that calls back, with the compiled functions that it names, and cannot.
    @njit
    def before(g, w, seat, n):
        with objmode(address="int64"):
            address = _before(g, w, seat, n)
        return address

    @njit
    def after(g, w, seat, kind, n, results):
        with objmode():
            _after(g, w, seat, kind, n, results)

    @strategy
    def checked(r, g, w, seat, kind, n, u):
        address = before(g, w, seat, n)
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
        after(g, w, seat, kind, n, results)
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
