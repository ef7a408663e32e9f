"""Playing a run: threads, processes or a cluster play shards, which are written as they come."""

from __future__ import annotations

import functools
import os
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, Protocol, TypeVar

import joblib
import numpy as np
import pyarrow as pa

from .. import names, user_modules
from ..errors import UserError, counted
from ..rules.record import RULES
from ..rules.ruleset_contents import written
from ..user_modules import safe_start
from . import cluster as dask_cluster
from . import guard, manifest, run_folder
from .cluster import LOSSES, Lost, Sharing, check_address, check_worker
from .columns import (
    AGENDA_ROW,
    FOCUS_CARD_ROW,
    FOCUS_CARDS_TABLE,
    GAME_ROW,
    PLACE_ROW,
    PLACES_TABLE,
    ROUND_ROW,
    ROUNDS_TABLE,
    SEAT_ROW,
    WONDER_ROW,
)
from .run_folder import Place, Shard
from .run_plan import MOST_GAMES, OwnColumn, Plan, check_deal, check_number, strategies

# --- Threads that share many small pieces of work, such as ranges of games

T = TypeVar("T")


def in_threads(calls: Iterable[Callable[[threading.Event], T | None]], jobs: int) -> Generator[T, None, None]:
    """Call functions in threads and yield what they return, in order, up to the first None.

    Each gets an event that asks it to end soon and return None; an exception here or in the consumer, such as Ctrl-C, sets it.
    Only some calls are made ahead, because results that wait would fill the memory.
    """
    stop, remaining = threading.Event(), iter(calls)
    waiting: deque[Future[T | None]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while True:
                for call in islice(remaining, 2 * jobs - len(waiting)):
                    waiting.append(pool.submit(call, stop))
                if not waiting or (result := waiting.popleft().result()) is None:
                    return
                yield result
        finally:
            stop.set()
            for task in waiting:
                task.cancel()


# --- Where the shards are played: threads or processes of this machine, or workers of a Dask cluster

# The engine releases Python's lock, so threads share one compiled engine and its memory.
BACKENDS = {"threads": "threading", "processes": "loky"}
DEFAULT_BACKEND = "threads"
SECONDS_TO_END = 0.5


@functools.cache
def end_with(parent: int) -> None:
    """End this worker process when its parent is gone; idle, it would wait for minutes."""
    if parent == os.getpid():
        return

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS_TO_END)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def why_lost(error: BaseException) -> str:
    """Return why workers were lost, by the exit codes that joblib names."""
    codes = re.search(r"exit codes of the workers are \{(.+?)\}", str(error))
    if codes and "SIGKILL" not in codes[1]:
        return f"with exit codes {codes[1]}"
    return f"maybe for lack of memory ({type(error).__name__})"


@dataclass(frozen=True)
class Workers:
    """An open backend: its name for joblib, or Dask's client, and the errors of lost workers."""

    joblib_name: str
    jobs: int
    lost: tuple[type[BaseException], ...]
    gone: Callable[[], str | None] = lambda: None  # why there are no other workers; None: there are
    client: Any = None  # of a cluster


@contextmanager
def open_workers(backend: str, jobs: int | None, cluster: str | None) -> Iterator[Workers]:
    """Open the backend; raise UserError if the cluster cannot be used."""
    if cluster is None:
        with safe_start():
            yield Workers(BACKENDS[backend], jobs or joblib.cpu_count(), (BrokenProcessPool,))
        return
    with safe_start(), dask_cluster.connected(cluster, jobs) as client:
        yield Workers("", 0, dask_cluster.losses(), lambda: dask_cluster.gone(client, cluster), client)


# --- Play a plan in parallel and write its tables shard by shard
#
# A shard is a fixed range of games. Its files do not depend on the worker or the time; so the tables of a run are the same
# bytes with any number of jobs, and a stopped run is continued by playing the missing shards.

CHUNK = 32  # games between two looks at the clock and at Ctrl-C
MOST_PLACES = (  # held in a game at most
    names.MAX_NATURAL_WONDERS + names.MAX_CITY_STATES + names.MAX_TILES + names.MAX_PLAYERS * (1 + names.N_RESOURCES)
)
ROUNDS_AT_ONCE = 1_600  # whose rows fit into the room for them

NO_ROOM = "failed to map segment"  # the system's message if a worker has no memory for a library


class Observer(Protocol):
    """Follows the progress of a run."""

    def begin(self, games: int, done: int) -> None:
        """A run of so many games begins; `done` of them were played before."""

    def add(self, games: int) -> None:
        """So many more games are played. Also called from worker threads."""

    def note(self, text: str) -> None:
        """Something happened that the user should know; the run goes on."""

    def end(self) -> None:
        """The run is over, or stopped."""


class Silent:
    """An observer that does nothing."""

    def begin(self, games: int, done: int) -> None: ...
    def add(self, games: int) -> None: ...
    def note(self, text: str) -> None: ...
    def end(self) -> None: ...


class Interrupted(Exception):
    """The user stopped the run; `done` games of `games` are in the tables."""

    def __init__(self, done: int, games: int) -> None:
        super().__init__(f"stopped after {done} of {games} games")
        self.done = done
        self.games = games


@dataclass(frozen=True)
class Rows:
    """The rows of a range of games; those of optional tables come in pieces."""

    games: np.ndarray
    seats: np.ndarray
    wonders: np.ndarray
    agendas: np.ndarray
    focus_cards: list[np.ndarray] = field(default_factory=list, kw_only=True)
    rounds: list[np.ndarray] = field(default_factory=list, kw_only=True)
    places: list[np.ndarray] = field(default_factory=list, kw_only=True)
    counted: list[np.ndarray] = field(default_factory=list, kw_only=True)  # beside `rounds`, a column a function


class Player:
    """All that one worker needs to play games of a plan."""

    def __init__(self, plan: Plan, r: np.record) -> None:
        # Imported here so that `--help` and wrong input do not wait for the engine.
        from ..engine import state
        from ..engine.compile import user_functions as own_functions
        from ..engine.compile.jit import needed_for, ready, seat_strategies, strategy_address
        from .kernel import play_batch

        check_deal(plan, r)
        self.plan = plan
        self.r = r
        self.kernel = play_batch
        library = [plan.strategy(name) for name in plan.library()]
        functions = [strategy.load() for strategy in library]
        guard.vet(plan, r)
        self.guarded = guard.is_guarded(plan, r)
        own_functions.load(r)
        ready(play_batch, *functions, *needed_for(r))
        self.library = np.array([strategy_address(function) for function in functions])
        self.opinions = np.stack([strategy.weights(plan.players, names.BOXES[r.box]) for strategy in library])
        self.bots = seat_strategies(functions)
        self.seating = plan.seating(written(r, "leader")).view(np.recarray)[0]
        self.states = np.zeros(2, state.STATE).view(np.recarray)
        self.w = state.new_work()
        self.wonders = int(np.count_nonzero(r.wonder_available[: r.n_wonders]))
        self.counting = Counting(plan, self.opinions) if plan.tables else None

    def play(self, first: int, n: int, rows: Rows, at: int, agendas: int) -> int:
        """Play games first … first + n - 1 into `rows` from game place `at`; return the agenda rows now used.

        Raises UserError if a strategy gives an illegal answer or raises an error.
        """
        players, wonders = self.plan.players, self.wonders
        if self.counting is not None:
            return self._play_counted(self.counting, first, n, rows, at, agendas)
        used = self.kernel(
            self.r,
            self.w,
            self.bots,
            self.states,
            self.library,
            self.opinions,
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
        self._check(used, first, n, rows, at)
        return agendas + used

    def _check(self, used: int, first: int, n: int, rows: Rows, at: int) -> None:
        """Raise UserError if games ended with a fault: a negative `used` is -1 less the place of the game."""
        players = self.plan.players
        if used < 0:
            seats = rows.seats["strategy"][(at - 1 - used) * players :][:players]
            names = [self.plan.library()[code] for code in seats]
            raise guard.illegal_answer(self.w, names, first - 1 - used)
        if self.guarded:
            guard.check_late(self.plan, self.r, first, n)

    def _play_counted(self, counting: Counting, first: int, n: int, rows: Rows, at: int, agendas: int) -> int:
        """Play games as `play` does and add the counted rows to `rows`, a few games at a time, as many as there is room for."""
        players, wonders = self.plan.players, self.wonders
        while n > 0:
            done = counting.kernel(
                self.r,
                self.w,
                self.bots,
                self.states,
                self.library,
                self.opinions,
                self.seating,
                rows.games[at : at + n],
                rows.seats[at * players : (at + n) * players],
                rows.wonders[at * wonders : (at + n) * wonders],
                rows.agendas[agendas:],
                counting.card_rows,
                counting.round_rows,
                counting.place_rows,
                counting.own,
                counting.counters,
                counting.tally,
                counting.used,
                self.plan.seed,
                first,
                min(n, CHUNK),
                players,
                self.plan.round_cap,
            )
            self._check(done, first, done, rows, at)
            agendas += counting.add_to(rows)
            first, at, n = first + done, at + done, n - done
        return agendas

    def rows(self, n: int) -> Rows:
        """Return room for the rows of n games."""
        claims = self.plan.players * int(self.r.victory_in_play)
        sizes = {GAME_ROW: n, SEAT_ROW: n * self.plan.players, WONDER_ROW: n * self.wonders, AGENDA_ROW: n * claims + 1}
        return Rows(*(np.zeros(size, dtype).view(np.recarray) for dtype, size in sizes.items()))


def function_of_column(column: OwnColumn) -> Any:
    """Return a column's compiled function; raise UserError if it cannot be compiled or has changed since the plan was made."""
    from ..engine.compile.user_functions import compiled

    module = user_modules.parts(column.function)[0]
    if user_modules.digest_of(module) != column.source:
        raise UserError(f"column {column.name}: {module} has changed since it was named, or is missing")
    return compiled(f"column {column.name}", user_modules.imported(f"column {column.name}", column.function), "column")


class Counting:
    """Room for the rows of the optional tables, and the functions that fill them."""

    def __init__(self, plan: Plan, opinions: np.ndarray) -> None:
        from ..engine.compile.jit import ready, strategy_address
        from .optional_tables import TALLY, USED, play_counted

        functions = [function_of_column(column) for column in plan.columns]
        chance = strategies().chance(opinions) if ROUNDS_TABLE in plan.tables else None
        self.has_chance = chance is not None
        every = [*([chance] if self.has_chance else []), *functions]
        ready(play_counted, *every)
        self.kernel = play_counted
        self.counters = np.array([strategy_address(function) for function in every], np.int64)
        cards = CHUNK * TALLY[0] * TALLY[1] if FOCUS_CARDS_TABLE in plan.tables else 0
        rounds = plan.players * max(plan.round_cap, ROUNDS_AT_ONCE) if ROUNDS_TABLE in plan.tables else 0
        places = CHUNK * MOST_PLACES if PLACES_TABLE in plan.tables else 0
        self.place_rows = np.zeros(places, PLACE_ROW).view(np.recarray)
        self.card_rows = np.zeros(cards, FOCUS_CARD_ROW).view(np.recarray)
        self.round_rows = np.zeros(rounds, ROUND_ROW).view(np.recarray)
        self.own = np.zeros((rounds, len(every)))
        self.tally, self.used = np.zeros(TALLY, np.int16), np.zeros(len(USED), np.int64)

    def add_to(self, rows: Rows) -> int:
        """Add the filled rows to `rows`; return the number of agenda rows."""
        agendas, cards, rounds, places = self.used.tolist()
        if len(self.place_rows):
            rows.places.append(self.place_rows[:places].copy())
        if len(self.card_rows):
            rows.focus_cards.append(self.card_rows[:cards].copy())
        if len(self.round_rows):
            rows.rounds.append(self.round_rows[:rounds].copy())
            rows.counted.append(self.own[:rounds].copy())
        return int(agendas)


def play_range(
    plan: Plan, r: np.record, first: int, n: int, observer: Observer, stop: threading.Event | None = None
) -> Rows | None:
    """Play n games from game `first` and return their rows, or None if `stop` was set before the end."""
    return play_listed(plan, r, np.arange(first, first + n), observer, stop)


def play_listed(
    plan: Plan, r: np.record, games: np.ndarray, observer: Observer, stop: threading.Event | None = None
) -> Rows | None:
    """Play the games with these ascending numbers and return their rows, or None if `stop` was set before the end."""
    player = Player(plan, r)
    rows = player.rows(len(games))
    at = agendas = 0
    for run in np.split(games, np.flatnonzero(np.diff(games) != 1) + 1):
        for part in np.split(run, range(CHUNK, len(run), CHUNK)):
            if stop is not None and stop.is_set():
                return None
            agendas = player.play(int(part[0]), len(part), rows, at, agendas)
            at += len(part)
            observer.add(len(part))
    return replace(rows, agendas=rows.agendas[:agendas])


def tables_of(plan: Plan, r: np.record, rows: Rows) -> dict[str, pa.Table]:
    """Return the tables of the rows by name."""
    tables = {
        "games": run_folder.games_table(rows.games, plan.seed, plan.players, r),
        "seats": run_folder.seats_table(rows.seats, plan.library(), r),
        "wonders": run_folder.wonders_table(rows.wonders, r),
        "agendas": run_folder.agendas_table(rows.agendas, r),
    }
    if FOCUS_CARDS_TABLE in plan.tables:
        tables[FOCUS_CARDS_TABLE] = run_folder.focus_cards_table(np.concatenate(rows.focus_cards), r)
    if PLACES_TABLE in plan.tables:
        tables[PLACES_TABLE] = run_folder.places_table(np.concatenate(rows.places), r)
    if ROUNDS_TABLE in plan.tables:
        counted = np.concatenate(rows.counted).T
        chances = counted[0] if len(counted) > len(plan.columns) else None
        own = {column.name: counted[len(counted) - len(plan.columns) + k] for k, column in enumerate(plan.columns)}
        tables[ROUNDS_TABLE] = run_folder.rounds_table(np.concatenate(rows.rounds), chances, own)
    return tables


def write_shard(out: Place, index: int, plan: Plan, r: np.record, rows: Rows, label: str, shared: bool = False) -> None:
    """Write the tables of a shard, each with its label; `shared`: see `folder.write_files`."""
    files = {name: run_folder.parquet_bytes(table, label) for name, table in tables_of(plan, r, rows).items()}
    try:
        run_folder.write_files(out, index, files, shared)
    except OSError as error:
        raise UserError(
            f"{out}: cannot write the tables: {error.strerror or error}; finished games are kept: "
            f"once that is fixed, `newdawn resume {out}` continues"
        ) from None


def shard_rows(plan: Plan, r: np.record, shard: Shard, observer: Observer, stop: threading.Event | None = None) -> Rows | None:
    """Play the games of a shard and return their rows with the ids they have in the run, or None if stopped."""
    rows = play_range(replace(plan, seed=shard.seed), r, shard.game, shard.n, observer, stop)
    if rows is not None:
        for table in (rows.games, rows.seats, rows.wonders, rows.agendas, *rows.focus_cards, *rows.rounds, *rows.places):
            table["game_id"] += shard.first_id - shard.game
    return rows


@dataclass(frozen=True)
class Job:
    """What workers need to play any shard of a run."""

    plan: Plan
    rules: bytes  # an array would lie with one Dask worker, and be lost with it
    out: Place
    engine: str
    identity: str  # part of the tables' labels
    parent: int | None  # process to end with; None: workers of a cluster, maybe on other machines


def play_shard(job: Job, shard: Shard, observer: Observer, stop: threading.Event | None) -> int:
    """Play and write one shard; return its number of games, 0 if stopped before the end. Runs in a worker."""
    if job.parent is None:
        check_worker(job.out, job.engine)
    else:
        end_with(job.parent)
    r = np.frombuffer(bytearray(job.rules), RULES).view(np.recarray)[0]
    guard.trust(job.plan, r)  # vetted before the workers were started
    try:
        rows = shard_rows(job.plan, r, shard, observer, stop)
        if rows is None:
            return 0
        if job.parent is None and not run_folder.is_open(job.out):  # others have finished it meanwhile
            return shard.n
        plan, label = replace(job.plan, seed=shard.seed), manifest.label(job.identity, shard)
        write_shard(job.out, shard.index, plan, r, rows, label, shared=job.parent is None)
    except MemoryError:
        raise UserError(
            f"{job.out}: a worker ran out of memory; finished games are kept: "
            f"`newdawn resume {job.out}` continues, with fewer workers by --jobs"
        ) from None
    return shard.n


@contextmanager
def writing(out: Place, new_manifest: dict[str, Any]) -> Iterator[manifest.Contents]:
    """Make `out` the folder of the run in the manifest, lock it, and recover what killed processes left."""
    with ExitStack() as stack:
        try:
            stack.enter_context(manifest.held(out, new_manifest))
            run = manifest.contents(out)
            run_folder.recover(out, run.shards, run.tables)
        except OSError as error:
            raise UserError(f"{out}: cannot be written to: {error.strerror or error} (--out)") from None
        yield run
        run_folder.close(out)


@dataclass(frozen=True)
class Means:
    """How to play: workers and observer. The tables do not depend on it."""

    jobs: int | None = None
    backend: str = DEFAULT_BACKEND
    cluster: str | None = None  # address of a Dask scheduler, or "local"; its workers then, not those of `backend`
    observer: Observer = field(default_factory=Silent)


def run_games(
    plan: Plan,
    ruleset: Any,
    out: Place,
    jobs: int | None = None,
    observer: Observer | None = None,
    backend: str = DEFAULT_BACKEND,
    cluster: str | None = None,
    looks: dict[str, Any] | None = None,
) -> int:
    """Play what is missing of the plan in the folder `out` and return how many games were played now.

    `looks`: the looks at the run so far for its manifest, if it is played until it is decided.

    Raises UserError if the folder cannot be used, Interrupted on Ctrl-C; finished games are readable then, and the same
    call continues the run.
    """
    means = Means(jobs, backend, cluster, observer or Silent())
    if cluster is not None:
        check_address(cluster)
    check_deal(plan, ruleset.compile())
    noted = {} if looks is None else {manifest.LOOKS: looks}
    with writing(out, manifest.build(plan, ruleset) | noted) as run:
        return _play(run, out, means)


def note_looks(out: Place, looks: dict[str, Any]) -> None:
    """Note the looks at a run in its manifest."""
    run = manifest.contents(out)
    with writing(out, manifest.build(run.plan, run.ruleset, run.segments) | {"engine": run.engine}):
        try:
            manifest.write(out, manifest.read(out) | {manifest.LOOKS: looks})
        except OSError as error:
            raise UserError(f"{out}: cannot be written to: {error.strerror or error}") from None


def resume_games(out: Place, means: Means) -> int:
    """Play what is missing of the run in the folder and return how many games that were."""
    run = manifest.playable(out)
    with writing(out, manifest.build(run.plan, run.ruleset, run.segments)) as run:
        return _play(run, out, means)


def extend_games(out: Place, games: int, means: Means) -> int:
    """Extend the run in the folder to so many games in all; return how many were played now.

    Finished files stay untouched: new games get shards of their own. The same call twice is harmless.
    """
    check_number("games", games, 1, MOST_GAMES)
    run = manifest.playable(out)
    with writing(out, manifest.build(run.plan, run.ruleset, run.segments)) as run:
        if games < run.plan.games:
            raise UserError(f"--games: {games:,} is too few; the run has {run.plan.games:,}, expected a larger total")
        if games > run.plan.games:
            plan = replace(run.plan, games=games)
            more = replace(plan, games=games - run.plan.games)
            seed = run.segments[-1].seed
            first = max(segment.end for segment in run.segments if segment.seed == seed)
            segments = [*run.segments, run_folder.Segment(seed, first, more.games, more.shard_games())]
            new = {"plan": plan.as_dict(), "segments": [segment.as_dict() for segment in segments]}
            try:
                manifest.write(out, manifest.read(out) | new)
            except OSError as error:
                raise UserError(f"{out}: cannot be written to: {error.strerror or error}") from None
            run = manifest.contents(out)
        return _play(run, out, means)


def _play(run: manifest.Contents, out: Place, means: Means) -> int:
    """Play the missing shards of an open folder."""
    out, observer = out.resolve(), means.observer
    rules = np.zeros(1, RULES)
    rules[0] = run.ruleset.compile()
    Player(run.plan, rules.view(np.recarray)[0])  # imports the engine once, before the clock starts
    other = manifest.other_versions(out)
    if other:
        observer.note(f"begun with {other}: new rows are those it would have written, the bytes of files may differ")
    missing = _missing(run, out, observer)
    todo = sum(shard.n for shard in missing)
    observer.begin(run.plan.games, run.plan.games - todo)
    assert run.identity is not None, "`writing` lets no other run pass"
    job = Job(run.plan, rules.tobytes(), out, run.engine, run.identity, None if means.cluster else os.getpid())
    try:
        if missing:
            with open_workers(means.backend, means.jobs, means.cluster) as workers:
                _play_all(job, missing, workers, observer)
    except (MemoryError, ImportError) as error:
        if isinstance(error, ImportError) and NO_ROOM not in str(error):
            raise
        raise UserError(f"{out}: out of memory; finished games are kept: `newdawn resume {out}` continues") from None
    except KeyboardInterrupt:
        finished = run_folder.finished(out, run.tables)
        done = sum(shard.n for shard in run.shards if shard.index in finished)
        raise Interrupted(done, run.plan.games) from None
    finally:
        observer.end()
    lost = {shard.index for shard in run.shards} - run_folder.finished(out, run.tables)
    if lost:
        raise UserError(f"{out}: {counted(len(lost), 'shard')} lost after they were played; `newdawn resume {out}` plays them")
    return todo


def _missing(run: manifest.Contents, out: Place, observer: Observer) -> list[Shard]:
    """Return the shards to play, with damaged and foreign ones, whose files are removed so that nobody reads them."""
    finished = run_folder.finished(out, run.tables)
    missing = [shard for shard in run.shards if shard.index not in finished]
    present = [shard for shard in run.shards if shard.index in finished]
    damages = run_folder.each(out, lambda shard: run_folder.damage(out, shard.index, run.label(shard), run.tables), present)
    for shard, damage in zip(present, damages, strict=True):
        if damage is not None:
            observer.note(f"{damage}; its {counted(shard.n, 'game')} played again")
            run_folder.drop(out, shard.index)
            missing.append(shard)
    return sorted(missing, key=lambda shard: shard.index)


def _play_all(job: Job, missing: list[Shard], workers: Workers, observer: Observer) -> None:
    """Play the shards, and those of workers that were ended from outside again with new ones."""
    losses = 0
    play = _in_parallel if workers.client is None else _on_cluster
    while missing:
        played = 0
        try:
            for games in play(job, missing, workers, observer):
                played += games
            return
        except workers.lost as error:
            gone = workers.gone()
            if gone:
                raise UserError(f"{gone}; finished games are kept: `newdawn resume {job.out}` continues") from None
            finished = run_folder.finished(job.out, (*run_folder.TABLES, *job.plan.tables))
            unfinished = [shard for shard in missing if shard.index not in finished]
            losses = losses + 1 if len(unfinished) == len(missing) else 0
            if losses == LOSSES or isinstance(error, Lost):
                raise UserError(
                    f"{job.out}: workers were ended from outside {LOSSES} times in a row, {why_lost(error)}; "
                    f"finished games are kept: `newdawn resume {job.out}` continues, "
                    "with fewer workers by --jobs"
                ) from None
            observer.add(sum(shard.n for shard in missing) - sum(shard.n for shard in unfinished) - played)
            observer.note("a worker was ended from outside; its games are played again")
            missing = unfinished


def _on_cluster(job: Job, shards: list[Shard], workers: Workers, observer: Observer) -> Iterator[int]:
    """Share the shards out to the workers of a cluster and yield the games of each when it is written."""
    play = partial(play_shard, job, observer=Silent(), stop=None)
    for games in Sharing(workers.client, play, shards, observer.note).games():
        observer.add(games)
        yield games


class UnderWay:
    """Counts the threads inside a function, to wait for the last of them."""

    def __init__(self) -> None:
        self.condition = threading.Condition()
        self.threads = 0

    def watch(self, function: Callable[..., int]) -> Callable[..., int]:
        """Return the function with its threads counted."""

        def watched(*arguments: Any) -> int:
            self._count(1)
            try:
                return function(*arguments)
            finally:
                self._count(-1)

        return watched

    def _count(self, change: int) -> None:
        with self.condition:
            self.threads += change
            self.condition.notify_all()

    def wait(self) -> None:
        """Return when no thread is inside."""
        with self.condition:
            self.condition.wait_for(lambda: self.threads == 0)


def _in_parallel(job: Job, shards: list[Shard], workers: Workers, observer: Observer) -> Iterator[int]:
    """Play the shards with joblib and yield the games of each when it is written."""
    threads = workers.joblib_name == "threading"
    stopped = threading.Event()
    stop, inner = (stopped, observer) if threads else (None, Silent())
    parallel = joblib.Parallel(
        max(1, min(workers.jobs, len(shards))),
        backend=workers.joblib_name,
        return_as="generator_unordered",
        batch_size=1,
    )
    under_way = UnderWay()
    task = under_way.watch(play_shard) if threads else play_shard
    results = parallel(joblib.delayed(task)(job, shard, inner, stop) for shard in shards)
    try:
        for games in results:
            if not threads:
                observer.add(games)
            yield games
    finally:
        stopped.set()  # after Ctrl-C: the threads end within one chunk
        results.close()
        under_way.wait()  # shards being written are reported as finished
