"""`newdawn bench`: what a game costs on this machine.

Speeds are per core: games over the processor time of one thread, so that other work on the machine does not count.
Every game has its own random map, as in real runs: repeating one map would flatter the processor's branch prediction.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import click

from scripts.cli_options import Names

WARM_UP_GAMES = 32
BYTES_AT_GAMES = 100_000  # the size of run that bytes a game are stated for


def resident_mb() -> float:
    """Return the memory of this process in MB (resident set), as the system counts it now."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:  # no /proc: the highest so far is the best that can be had
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


def cpu_name() -> str:
    """Return the processor's name as the system gives it."""
    import platform

    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def make(players: int, games: int, strategy: str) -> tuple[Any, Any]:
    """Return a plan of games of one strategy with the printed rules, and the rules record."""
    from simulator.batch.plan import available_leaders, make_plan
    from simulator.rules import load_ruleset

    r = load_ruleset().compile()
    leaders = available_leaders(r)
    return make_plan(players=players, games=games, seed=1, available_leaders=leaders, strategies=[strategy]), r


def speed(players: int, strategy: str, seconds: float) -> dict[str, Any]:
    """Play for so many seconds of processor time; return games and decisions a second and core."""
    from simulator.batch.run import Silent, play_range

    plan, r = make(players, 2**40, strategy)
    play_range(plan, r, 0, WARM_UP_GAMES, Silent())
    games, decisions, spent = 0, 0, 0.0
    while spent < seconds:
        begin = time.thread_time()
        rows = play_range(plan, r, WARM_UP_GAMES + games, 2 * WARM_UP_GAMES, Silent())
        spent += time.thread_time() - begin
        assert rows is not None
        games += len(rows.games)
        decisions += int(rows.games["decisions"].sum())
    return {
        "players": players,
        "strategy": strategy,
        "games": games,
        "games_per_second_core": games / spent,
        "decisions_per_second_core": decisions / spent,
        "decisions_per_game": decisions / games,
    }


def memory(games: int, strategy: str) -> dict[str, Any]:
    """Play so many four-player games in one worker, shard by shard as a run does; return its memory."""
    from analysis.schema import TABLES
    from simulator.batch.run import Silent, play_range, write_shard

    plan, r = make(4, max(games, BYTES_AT_GAMES), strategy)
    marks = []
    with tempfile.TemporaryDirectory() as folder:
        for table in TABLES:
            (Path(folder) / table).mkdir()
        for index, (first, n) in enumerate(plan.shards()):
            if first >= games:
                break
            rows = play_range(plan, r, first, n, Silent())
            assert rows is not None
            write_shard(Path(folder), 0, plan, r, rows)
            marks.append((first + n, resident_mb()))
            if index == 0:
                size = {t: (Path(folder) / t / "part-000000.parquet").stat().st_size / n for t in TABLES}
    return {
        "games": marks[-1][0],
        "mb_after_first_shard": marks[0][1],
        "mb_at_end": marks[-1][1],
        "mb_highest": max(mb for _, mb in marks),
        "bytes_per_game": {**size, "all": sum(size.values())},
    }


def in_fresh_process(function: Any, *arguments: Any) -> Any:
    """Call the function in a new process: what was compiled or measured before must not count as its memory."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        return executor.submit(function, *arguments).result()


def start(cold: bool, games: int = 100) -> float:
    """Return the seconds a fresh `newdawn run --games 100` takes, with an empty compile cache or the usual one."""
    environment = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        if cold:
            environment.pop("NUMBA_CACHE_DIR", None)
            environment["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        command = [
            sys.executable,
            "-m",
            "scripts.cli",
            "run",
            "--games",
            str(games),
            "--out",
            str(Path(folder) / "out"),
        ]
        begin = time.perf_counter()
        subprocess.run(command, env=environment, cwd=Path(__file__).parent.parent, check=True, capture_output=True)
        return time.perf_counter() - begin


def backends(games: int, jobs: int, strategy: str) -> dict[str, float]:
    """Return games a second (wall clock, tables written) of a whole run with each kind of workers."""
    from simulator.batch.backends import BACKENDS
    from simulator.batch.run import run_games
    from simulator.rules import load_ruleset

    plan, _ = make(4, games, strategy)
    ruleset = load_ruleset()
    speeds = {}
    for backend in BACKENDS:
        with tempfile.TemporaryDirectory() as folder:
            begin = time.perf_counter()
            run_games(plan, ruleset, Path(folder) / "out", jobs, backend=backend)
            speeds[backend] = games / (time.perf_counter() - begin)
    return speeds


def measure(
    players: Sequence[int],
    strategies: Sequence[str],
    seconds: float,
    memory_games: int,
    backend_games: int,
    jobs: int,
    cold: bool,
) -> dict[str, Any]:
    """Return all figures."""
    import platform

    report: dict[str, Any] = {
        "machine": {"cpu": cpu_name(), "cores": os.cpu_count(), "python": platform.python_version()},
        "speed": [speed(n, name, seconds) for name in strategies for n in players],
        "memory": in_fresh_process(memory, memory_games, strategies[0]),
    }
    if backend_games:
        report["backends"] = {"jobs": jobs, "games": backend_games, **backends(backend_games, jobs, strategies[0])}
    if cold:
        report["cold_start_seconds"] = start(cold=True)
    report["warm_start_seconds"] = start(cold=False)
    return report


def as_text(report: dict[str, Any]) -> str:
    """Return the report for reading."""
    import pandas as pd

    from analysis.render import render

    machine, mem = report["machine"], report["memory"]
    frame = pd.DataFrame(report["speed"]).rename(columns=lambda name: name.replace("per_second_core", "/s/core"))
    sizes = ", ".join(f"{name} {size:.0f}" for name, size in mem["bytes_per_game"].items())
    lines = [
        f"{machine['cores']} cores ({machine['cpu']}), Python {machine['python']}",
        "",
        render(frame, "table"),
        "",
        f"memory of a worker: {mem['mb_after_first_shard']:.0f} MB after the first shard, "
        f"{mem['mb_at_end']:.0f} MB after {mem['games']:,} games, {mem['mb_highest']:.0f} MB at most",
        f"bytes a game on disk in a run of {BYTES_AT_GAMES:,}: {sizes}",
    ]
    if "backends" in report:
        both = report["backends"]
        lines.append(
            f"whole run of {both['games']:,} games with {both['jobs']} workers: "
            f"threads {both['threads']:.0f} games/s, processes {both['processes']:.0f} games/s (start included)"
        )
    if "cold_start_seconds" in report:
        lines.append(f"cold start of `newdawn run --games 100`: {report['cold_start_seconds']:.1f} s")
    lines.append(f"warm start of `newdawn run --games 100`: {report['warm_start_seconds']:.1f} s")
    return "\n".join(lines)


@click.command()
@click.option("--players", type=Names(), default="2,3,4", show_default=True, help="Player counts to measure.")
@click.option("--strategies", type=Names(), metavar="A,B,…", help="Strategies to measure [default: all].")
@click.option("--seconds", type=click.FloatRange(0.1), default=2.0, show_default=True, help="Processor time for each speed.")
@click.option("--memory-games", type=click.IntRange(1), default=4000, show_default=True, help="Games for memory and bytes.")
@click.option("--backend-games", type=click.IntRange(0), default=0, help="Compare threads and processes over so many games.")
@click.option("--jobs", type=click.IntRange(1), help="Workers for --backend-games [default: the processors].")
@click.option("--cold", is_flag=True, help="Measure the start with an empty compile cache, too (minutes).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench(
    players: tuple[str, ...],
    strategies: tuple[str, ...] | None,
    seconds: float,
    memory_games: int,
    backend_games: int,
    jobs: int | None,
    cold: bool,
    as_json: bool,
) -> None:
    """Measure speed, memory, start-up and bytes a game on this machine.

    Speeds are per core, on random maps. Memory is that of one worker that plays and writes four-player games.
    """
    from simulator.errors import UserError
    from strategies import registry

    wrong = next((word for word in players if word not in ("2", "3", "4")), None)
    if wrong is not None:
        raise UserError(f"players: '{wrong}' is not possible; expected numbers from 2 to 4, such as 2,4")
    chosen = [registry.find(name).name for name in strategies or registry.names()]
    report = measure(
        [int(word) for word in players], chosen, seconds, memory_games, backend_games, jobs or os.cpu_count() or 1, cold
    )
    click.echo(json.dumps(report, indent=1) if as_json else as_text(report))
