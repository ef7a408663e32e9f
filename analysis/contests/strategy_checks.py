"""What every strategy must do, packaged or a user's own: the checks of `newdawn strategies check` and of the tests.

Each check plays games and returns what it saw. A strategy may be asked anything at any time; it must answer with the
index of an option, give the same answer to the same question whatever lies in the scratch space of the workspace, and
leave the game alone but for its own notes.
"""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import numpy as np
from numba import objmode
from numba.core.errors import NumbaWarning

from ...simulator import limits, names
from ...simulator.batch import guard
from ...simulator.batch.guarded import frozen
from ...simulator.batch.run import Silent, play_range
from ...simulator.engine.core import decisions, state
from ...simulator.engine.core.jit import JIT_OFF, call_strategy, jit, seat_strategies, strategy, strategy_address
from ...simulator.engine.core.rng import mix, seed_streams
from ...simulator.engine.course.play import play_game
from ...simulator.engine.course.setup import start_game
from ...simulator.games.plan import player_counts
from ...simulator.rules.contents import written
from ...simulator.wording import counted, half
from ...strategies.registry import Strategy, find
from ...strategies.traits import ALWAYS, FOR_MAP, NEVER, traits_of
from ..statistics.rates import wilson
from .arena import Rows, play, table_plan

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


@cache  # compiled once a process: what calls back into Python is not kept (engine/core/code_cache.py)
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
        n = int((won & (rows.games["rounds"] <= rounds)).sum())
        low, high = wilson(n, games)
        shares.append(f"{n / games:.1%} [{low:.1%}, {high:.1%}] within {rounds} rounds")
    ended = float((won & (rows.games["rounds"] <= LATE)).mean())
    text = f"{' and '.join(shares)}, n = {games:,}, median round {half(np.median(rows.games['rounds']))}"
    return Result(f"games of {players} copies end by victory", ended >= least, text)


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
