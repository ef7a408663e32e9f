"""Play a plan in parallel and write its tables shard by shard.

A shard is a fixed range of games. Which worker plays it, and when, changes nothing in its files; so the tables of a
run are the same bytes whatever the number of jobs, and a stopped run is continued by playing the missing shards.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import joblib
import numpy as np

from analysis.schema import TABLES
from simulator.batch import manifest, tables
from simulator.batch.plan import Plan
from simulator.batch.rows import AGENDA_ROW, GAME_ROW, SEAT_ROW, WONDER_ROW
from simulator.errors import UserError
from simulator.rules.record import RULES

CHUNK = 32  # games between two looks at the clock and at Ctrl-C
# The engine holds no lock of Python, so threads share one compiled engine and its memory.
BACKENDS = {"threads": "threading", "processes": "loky"}
DEFAULT_BACKEND = "threads"


class Observer(Protocol):
    """Whoever wants to know how far a run is."""

    def begin(self, games: int, done: int) -> None:
        """A run of so many games begins; so many are already there from before."""

    def add(self, games: int) -> None:
        """So many more have been played. Called from worker threads, too."""

    def end(self) -> None:
        """The run is over, or stopped."""


class Silent:
    """An observer that does not care."""

    def begin(self, games: int, done: int) -> None: ...
    def add(self, games: int) -> None: ...
    def end(self) -> None: ...


class Interrupted(Exception):
    """The user stopped the run; `done` games of `games` are in the tables."""

    def __init__(self, done: int, games: int) -> None:
        super().__init__(f"stopped after {done} of {games} games")
        self.done = done
        self.games = games


@dataclass(frozen=True)
class Rows:
    """The rows of a range of games."""

    games: np.ndarray
    seats: np.ndarray
    wonders: np.ndarray
    agendas: np.ndarray


class Player:
    """All that one worker needs to play games of a plan."""

    def __init__(self, plan: Plan, r: np.record) -> None:
        # Imported here, not above: `--help` and wrong input should not wait for the engine.
        from simulator.batch.kernel import play_batch
        from simulator.engine.jit import seat_strategies, strategy_address
        from simulator.engine.state import STATE, new_work
        from strategies import registry

        self.plan = plan
        self.r = r
        self.kernel = play_batch
        functions = [registry.load(name) for name in plan.library()]
        self.library = np.array([strategy_address(function) for function in functions])
        self.bots = seat_strategies(functions)
        self.seating = plan.seating().view(np.recarray)[0]
        self.states = np.zeros(2, STATE).view(np.recarray)
        self.w = new_work()
        self.wonders = int(np.count_nonzero(r.wonder_available[: r.n_wonders]))

    def play(self, first: int, n: int, rows: Rows, at: int, agendas: int) -> int:
        """Play games first … first + n - 1 into `rows` from game place `at`; return the agenda rows now used."""
        players, wonders = self.plan.players, self.wonders
        return agendas + self.kernel(
            self.r,
            self.w,
            self.bots,
            self.states,
            self.library,
            self.seating,
            rows.games[at : at + n],
            rows.seats[at * players : (at + n) * players],
            rows.wonders[at * wonders : (at + n) * wonders],
            rows.agendas[agendas:],
            self.plan.seed,
            first,
            n,
            players,
            self.plan.round_cap,
        )

    def rows(self, n: int) -> Rows:
        """Return room for the rows of n games."""
        claims = self.plan.players * int(self.r.victory_in_play)
        sizes = {GAME_ROW: n, SEAT_ROW: n * self.plan.players, WONDER_ROW: n * self.wonders, AGENDA_ROW: n * claims + 1}
        return Rows(*(np.zeros(size, dtype).view(np.recarray) for dtype, size in sizes.items()))


def play_range(
    plan: Plan, r: np.record, first: int, n: int, observer: Observer, stop: threading.Event | None = None
) -> Rows | None:
    """Play n games from game `first` and return their rows, or None if `stop` was set before the end."""
    player = Player(plan, r)
    rows = player.rows(n)
    agendas = 0
    for at in range(0, n, CHUNK):
        if stop is not None and stop.is_set():
            return None
        size = min(CHUNK, n - at)
        agendas = player.play(first + at, size, rows, at, agendas)
        observer.add(size)
    return Rows(rows.games, rows.seats, rows.wonders, rows.agendas[:agendas])


def shard_file(out: Path, table: str, index: int) -> Path:
    """Return the file of a shard of a table."""
    return out / table / f"part-{index:06d}.parquet"


def shard_done(out: Path, index: int) -> bool:
    """Say whether all tables of the shard are there."""
    return all(shard_file(out, table, index).is_file() for table in TABLES)


def write_shard(out: Path, index: int, plan: Plan, r: np.record, rows: Rows) -> None:
    """Write the four tables of a shard."""
    shard = {
        "agendas": tables.agendas_table(rows.agendas, r),
        "wonders": tables.wonders_table(rows.wonders, r),
        "seats": tables.seats_table(rows.seats, plan.library()),
        "games": tables.games_table(rows.games, plan.seed, plan.players, r),
    }
    try:
        for name, table in shard.items():
            tables.write_parquet(table, shard_file(out, name, index))
    except OSError as error:
        raise UserError(f"{out}: cannot write the tables: {error.strerror or error}") from None


def play_shard(
    plan: Plan, rules: np.ndarray, out: Path, index: int, observer: Observer, stop: threading.Event | None
) -> int:
    """Play and write one shard; return its number of games, 0 if stopped before the end. Runs in a worker."""
    r = rules.view(np.recarray)[0]
    first, n = plan.shards()[index]
    rows = play_range(plan, r, first, n, observer, stop)
    if rows is None:
        return 0
    write_shard(out, index, plan, r, rows)
    return n


def run_games(
    plan: Plan,
    ruleset: Any,
    out: Path,
    jobs: int | None = None,
    observer: Observer | None = None,
    backend: str = DEFAULT_BACKEND,
) -> int:
    """Play what is missing of the plan in the folder `out` and return how many games were played now.

    Raises UserError if the folder cannot be used, Interrupted on Ctrl-C; what is finished then is readable, and the
    same call continues it.
    """
    observer = observer or Silent()
    rules = np.zeros(1, RULES)
    rules[0] = ruleset.compile()
    manifest.open_folder(out, manifest.build(plan, ruleset))
    Player(plan, rules.view(np.recarray)[0])  # import the engine here: once, and before the clock starts
    missing = [i for i in range(len(plan.shards())) if not shard_done(out, i)]
    todo = sum(plan.shards()[i][1] for i in missing)
    observer.begin(plan.games, plan.games - todo)
    played = 0
    try:
        for games in _in_parallel(plan, rules, out, missing, jobs or joblib.cpu_count(), observer, backend):
            played += games
    except KeyboardInterrupt:
        done = sum(n for i, (_, n) in enumerate(plan.shards()) if shard_done(out, i))
        raise Interrupted(done, plan.games) from None
    finally:
        observer.end()
    return played


def _in_parallel(
    plan: Plan, rules: np.ndarray, out: Path, shards: list[int], jobs: int, observer: Observer, backend: str
) -> Iterator[int]:
    """Play the shards with joblib and yield the games of each when it is written."""
    threads = backend == "threads"
    stop = threading.Event() if threads else None
    inner = observer if threads else Silent()
    jobs = max(1, min(jobs, len(shards)))
    parallel = joblib.Parallel(jobs, backend=BACKENDS[backend], return_as="generator_unordered", batch_size=1)
    results = parallel(joblib.delayed(play_shard)(plan, rules, out, index, inner, stop) for index in shards)
    try:
        for games in results:
            if not threads:
                observer.add(games)
            yield games
    finally:
        if stop is not None:
            stop.set()  # after Ctrl-C: the threads end within one chunk
        results.close()
