"""`newdawn bench`: speed, memory, start-up time and bytes a game, measured in turns."""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from statistics import median
from typing import Any

import click

from ...simulator import names, user_modules
from ...simulator.errors import UserError
from ...simulator.reading import json_in, plainly
from . import shared
from .shared import Names

# --- Measurements with their repeats, as JSON and for readers; `scripts/bench/compare.py` compares two reports

KIND = "newdawn-bench"
SCHEMA_VERSION = 2


@dataclass(frozen=True)
class Measurement:
    """The repeats of one measurement, in the unit; `better` is "more" or "less"."""

    name: str
    unit: str
    better: str
    values: list[float]

    def text(self) -> str:
        """Return median and range."""
        middle = f"{median(self.values):,.{digits(median(self.values))}f} {self.unit}"
        if len(self.values) == 1 or min(self.values) == max(self.values):
            return middle
        places = digits(median(self.values))
        return f"{middle} ({min(self.values):,.{places}f} to {max(self.values):,.{places}f})"


@dataclass(frozen=True)
class BenchReport:
    """All measurements of one call of `newdawn bench`, with machine, version and settings."""

    machine: dict[str, Any]
    program: dict[str, Any]
    settings: dict[str, Any]
    measurements: list[Measurement]

    def as_json(self) -> str:
        """Return the report as JSON, for `read`."""
        return json.dumps({"kind": KIND, "schema_version": SCHEMA_VERSION, **asdict(self)}, indent=1)

    def as_text(self) -> str:
        """Return the report as text: medians, with the least and the most of the repeats."""
        machine, width = self.machine, max(len(m.name) for m in self.measurements)
        lines = [f"{machine['cores']} cores ({machine['cpu']}), Python {machine['python']}, load {machine['load']}"]
        lines += [f"medians of {self.settings['repeats']} repeats (least to most)", ""]
        lines += [f"{m.name:{width}}  {m.text()}" for m in self.measurements]
        return "\n".join(lines)


def digits(value: float) -> int:
    """Return how many decimal places the value is shown with."""
    return 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2


def read(path: Path) -> BenchReport:
    """Read a report; raise UserError if the file is none, or of another version."""
    content = json_in(path, "JSON that `newdawn bench --json` prints")
    if isinstance(content, dict) and "kind" not in content and {"machine", "speed", "memory"} <= content.keys():
        content = {"kind": KIND, "schema_version": 1}  # had no repeats and no kind
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise UserError(f"{path}: is not a report of `newdawn bench --json`; expected kind '{KIND}'")
    version = content.get("schema_version")
    if version != SCHEMA_VERSION:
        raise UserError(
            f"{path}: schema_version {version} is of another version of `newdawn bench`; expected {SCHEMA_VERSION}: "
            "measure again, or compare with the version that wrote it"
        )
    with plainly(path, "a whole report of `newdawn bench --json`"):
        measurements = [Measurement(**row) for row in content["measurements"]]
        report = BenchReport(content["machine"], content["program"], content["settings"], measurements)
        for m in measurements:
            if not m.values or not all(isinstance(v, int | float) and v > 0 for v in m.values):
                raise UserError(f"{path}: measurements: '{m.name}' has no values, or such as are not above 0")
        report.as_text()
        return report


# --- `newdawn bench`
#
# Speeds are per core: games over the processor time of one thread, so that other work on the machine does not count. Every
# game has its own random map, as in real runs: repeating one map would flatter the processor's branch prediction.

BATCH = 64  # games between two looks at the clock
BYTES_AT_GAMES = 100_000  # the size of run that bytes a game are stated for


def resident_mb() -> float:
    """Return the memory of this process in MB (resident set), as the system counts it now."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:  # no /proc: the peak is the best there is
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


def cpu_name() -> str:
    """Return the processor's name as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def make(players: int, games: int, strategy: str, box: str = names.BOXES[0]) -> tuple[Any, Any]:
    """Return a plan of games of one strategy with the printed rules of the box, and the rules record."""
    from ...simulator.rules import load_ruleset
    from ...simulator.runs.run_plan import plan_by

    r = load_ruleset(box=box).compile()
    return plan_by(r, players=players, games=games, seed=1, strategies=[strategy]), r


class Speed:
    """Measures the speed a core of one strategy with a number of players."""

    def __init__(self, players: int, strategy: str, box: str = names.BOXES[0]) -> None:
        self.name = f"{strategy}, {players} players"
        self.plan, self.r = make(players, 10**9, strategy, box)
        self.first = 0
        self.games: list[float] = []
        self.decisions: list[float] = []
        self.play()

    def play(self) -> tuple[int, int, float]:
        """Play some games; return their number, their decisions, and the processor time in seconds."""
        from ...simulator.runs.run import Silent, play_range

        begin = time.thread_time()
        rows = play_range(self.plan, self.r, self.first, BATCH, Silent())
        spent = time.thread_time() - begin
        assert rows is not None
        self.first += BATCH
        return len(rows.games), int(rows.games["decisions"].sum()), spent

    def measure(self, seconds: float) -> None:
        """Play for this many seconds of processor time and add the speed."""
        total = (0, 0, 0.0)
        while total[2] < seconds:
            games, decisions, spent = self.play()
            total = (total[0] + games, total[1] + decisions, total[2] + spent)
        self.games.append(total[0] / total[2])
        self.decisions.append(total[1] / total[2])

    def measurements(self) -> list[Measurement]:
        """Return the two speeds."""
        return [
            Measurement(f"games a second and core: {self.name}", "games/s", "more", self.games),
            Measurement(f"decisions a second and core: {self.name}", "decisions/s", "more", self.decisions),
        ]


def speeds(
    players: Sequence[int], strategies: Sequence[str], seconds: float, repeats: int, box: str = names.BOXES[0]
) -> list[Measurement]:
    """Return the speeds of each strategy and number of players, measured in turns, so that all have the same noise."""
    each = [Speed(n, name, box) for name in strategies for n in players]
    for _ in range(repeats):
        for speed in each:
            speed.measure(seconds)
    return [m for speed in each for m in speed.measurements()]


def worker_memory(plan: Any, rules: bytes, games: int) -> dict[str, Any]:
    """Play this many games shard by shard, as a worker process does; return its memory and the bytes of the first shard."""
    import numpy as np

    from ...simulator.rules.record import RULES
    from ...simulator.runs.manifest import LABEL_DIGITS
    from ...simulator.runs.run import Silent, play_range, write_shard
    from ...simulator.runs.run_folder import TABLES

    r = np.frombuffer(bytearray(rules), RULES).view(np.recarray)[0]
    marks, size = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for table in TABLES:
            (Path(folder) / table).mkdir()
        for index, (first, n) in enumerate(plan.shards()):
            if first >= games:
                break
            rows = play_range(plan, r, first, n, Silent())
            assert rows is not None
            write_shard(Path(folder), 0, plan, r, rows, "a" * LABEL_DIGITS)
            marks.append(resident_mb())
            if index == 0:
                size = {t: (Path(folder) / t / "part-000000.parquet").stat().st_size / n for t in TABLES}
    return {"first": marks[0], "end": marks[-1], "highest": max(marks), "bytes": size}


def run_memory(games: int, jobs: int, strategy: str, box: str) -> float:
    """Play a run with this many threads; return the most memory the process had, in MB."""
    from ...simulator.rules import load_ruleset
    from ...simulator.runs.run import Silent, run_games

    class Watcher(Silent):
        highest = 0.0

        def add(self, games: int) -> None:
            self.highest = max(self.highest, resident_mb())

    plan, _ = make(4, max(games, 200 * jobs), strategy, box)  # one shard per thread at least
    watcher = Watcher()
    with tempfile.TemporaryDirectory() as folder:
        run_games(plan, load_ruleset(box=box), Path(folder) / "out", jobs, watcher)
    return watcher.highest


def in_fresh_process(function: Any, *arguments: Any) -> Any:
    """Call the function in a new process, so that earlier compiling and measuring does not count as its memory."""
    with user_modules.safe_start(), ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        return executor.submit(function, *arguments).result()


def memory(games: int, jobs: int, strategy: str, repeats: int, box: str) -> list[Measurement]:
    """Return the memory of a worker process and of runs with threads, and the bytes a game takes on disk."""
    plan, r = make(4, max(games, BYTES_AT_GAMES), strategy, box)
    workers = [in_fresh_process(worker_memory, plan, r.tobytes(), games) for _ in range(repeats)]
    sizes = workers[0]["bytes"]
    lines = [
        Measurement("memory of a worker process: after its first shard", "MB", "less", [f["first"] for f in workers]),
        Measurement(f"memory of a worker process: after {games:,} games", "MB", "less", [f["end"] for f in workers]),
        Measurement("memory of a worker process: at most", "MB", "less", [f["highest"] for f in workers]),
    ]
    for n in sorted({1, jobs}):
        most = [in_fresh_process(run_memory, games, n, strategy, box) for _ in range(repeats)]
        lines.append(Measurement(f"memory of a whole run, {n} thread{'s'[: n > 1]}: at most", "MB", "less", most))
    for name, size in {**sizes, "all tables": sum(sizes.values())}.items():
        lines.append(Measurement(f"bytes a game on disk: {name}", "bytes", "less", [size]))
    return lines


def start(cold: bool, box: str, games: int = 100) -> float:
    """Return the seconds a fresh `newdawn run --games 100` takes, with an empty compile cache or the usual one."""
    environment = user_modules.environment()
    with tempfile.TemporaryDirectory() as folder:
        if cold:
            environment.pop("NUMBA_CACHE_DIR", None)
            environment["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        out = str(Path(folder) / "out")
        command = [sys.executable, "-m", "newdawn.scripts.cli.start", "run", "--box", box]
        command += ["--games", str(games), "--out", out]
        begin = time.perf_counter()
        subprocess.run(command, env=environment, cwd=Path(__file__).parents[2], check=True, capture_output=True)
        return time.perf_counter() - begin


def whole_run(games: int, jobs: int, backend: str, strategy: str, box: str) -> float:
    """Play a run and write its tables; return games a second by the clock on the wall."""
    from ...simulator.rules import load_ruleset
    from ...simulator.runs.run import run_games

    plan, _ = make(4, games, strategy, box)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        run_games(plan, load_ruleset(box=box), Path(folder) / "out", jobs, backend=backend)
        return games / (time.perf_counter() - begin)


def scaling(games: int, jobs: int, strategy: str, repeats: int, box: str) -> list[Measurement]:
    """Return the speed of whole runs with one worker, with threads and with processes, and the gain of several workers.

    The three take turns. Workers are started before the clock; the first run with processes is measured separately.
    """
    setups = {"1 worker": (1, "threads"), f"{jobs} threads": (jobs, "threads"), f"{jobs} processes": (jobs, "processes")}
    cold = {name: whole_run(100 * jobs, *way, strategy, box) for name, way in setups.items()}
    speeds_of: dict[str, list[float]] = {name: [] for name in setups}
    for _ in range(repeats):
        for name, way in setups.items():
            speeds_of[name].append(whole_run(games, *way, strategy, box))
    single, threads, processes = speeds_of.values()
    lines = [Measurement(f"whole run, {name}", "games/s", "more", values) for name, values in speeds_of.items()]
    for name, values in list(speeds_of.items())[1:]:
        gain = [value / alone for value, alone in zip(values, single, strict=True)]
        lines.append(Measurement(f"whole run, {name} over 1 worker", "times", "more", gain))
    ratio = [t / p for t, p in zip(threads, processes, strict=True)]
    lines.append(Measurement(f"whole run, {jobs} threads over {jobs} processes", "times", "more", ratio))
    first = 100 * jobs / cold[f"{jobs} processes"]
    lines.append(Measurement(f"first {100 * jobs} games of {jobs} processes, their start included", "s", "less", [first]))
    return lines


@dataclass(frozen=True)
class BenchPlan:
    """What to measure."""

    box: str
    players: list[int]
    strategies: list[str]
    seconds: float
    repeats: int
    memory_games: int
    scaling_games: int
    jobs: int
    cold: bool


def measure(plan: BenchPlan) -> BenchReport:
    """Return all measurements."""
    first = plan.strategies[0]
    measurements = speeds(plan.players, plan.strategies, plan.seconds, plan.repeats, plan.box)
    if os.name == "posix":  # elsewhere Python has no module for the memory of a process
        measurements += memory(plan.memory_games, plan.jobs, first, plan.repeats, plan.box)
    if plan.scaling_games:
        measurements += scaling(plan.scaling_games, plan.jobs, first, plan.repeats, plan.box)
    if plan.cold:
        measurements.append(
            Measurement("cold start of `newdawn run --games 100`", "s", "less", [start(cold=True, box=plan.box)])
        )
    warm = [start(cold=False, box=plan.box) for _ in range(plan.repeats)]
    measurements.append(Measurement("warm start of `newdawn run --games 100`", "s", "less", warm))
    return BenchReport(machine(), program(), asdict(plan), measurements)


def machine() -> dict[str, Any]:
    """Return the machine that the figures depend on; `load`: runnable processes in the last minute."""
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {"cpu": cpu_name(), "cores": os.cpu_count(), "python": platform.python_version(), "load": load}


def program() -> dict[str, Any]:
    """Return the versions of the program and of its compiler."""
    from ...simulator.compile_cache import source_digest

    return {"engine": source_digest(), **{name: metadata.version(name) for name in ("numba", "numpy", "pyarrow")}}


@click.command()
@shared.box
@click.option("--players", type=Names(), default="2,3,4", show_default=True, help="Player counts to measure.")
@click.option("--strategies", type=Names(), metavar="A,B,…", help="Strategies to measure [default: all].")
@click.option("--seconds", type=click.FloatRange(0.01), default=0.5, show_default=True, help="Processor time of one repeat.")
@click.option("--repeats", type=click.IntRange(1), default=5, show_default=True, help="Measure each thing this many times.")
@click.option("--memory-games", type=click.IntRange(1), default=2000, show_default=True, help="Games for memory and bytes.")
@click.option("--scaling-games", type=click.IntRange(0), default=0, help="Compare one worker, threads, processes over so many.")
@click.option("--jobs", type=click.IntRange(2), help="Workers for that [default: the processors].")
@click.option("--cold", is_flag=True, help="Measure the start with an empty compile cache, too (minutes).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for `python -m newdawn.scripts.bench.compare`.")
def bench(
    box: str, players: tuple[str, ...], strategies: tuple[str, ...] | None, seconds: float, repeats: int,
    memory_games: int, scaling_games: int, jobs: int | None, cold: bool, as_json: bool,
) -> None:  # fmt: skip
    """Measure speed, memory, start-up time and bytes a game on this machine.

    \b
    newdawn bench --players 4 --strategies planner,quick

    Speeds are per core, on random maps. Memory and scaling are measured with the first strategy and four players.
    """
    from ...simulator.errors import UserError
    from ...strategies import registry

    possible = [str(n) for n in range(2, names.MOST_PLAYERS[box] + 1)]
    wrong = next((word for word in players if word not in possible), None)
    if wrong is not None:
        raise UserError(f"players: '{wrong}' is not valid; expected numbers from 2 to {possible[-1]}, such as 2,4")
    chosen = list(strategies or registry.fast())
    for name in chosen:
        registry.find(name)  # raises errors before anything is measured
    counts, workers = [int(word) for word in players], jobs or max(2, os.cpu_count() or 1)
    report = measure(BenchPlan(box, counts, chosen, seconds, repeats, memory_games, scaling_games, workers, cold))
    click.echo(report.as_json() if as_json else report.as_text())
