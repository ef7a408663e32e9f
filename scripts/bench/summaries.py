"""The cost of summaries of a large run: processor seconds a million games, and peak memory.

    newdawn run --box terra-incognita --players 5 --games 20000 --strategies planner --seed 1 --out results/seed
    python -m newdawn.scripts.bench.summaries results/seed --games 10000000 --keep results/copies

The run is made larger by copies of its shards. Leaders and strategies are drawn anew for the seats of each game: models keep
different tables, and copies alone would have no more of them than the run. Each summary runs in a process of its own. Figures
of leaders and strategies mean nothing; all others are those of the run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import click
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ...analysis.tables.read import Run, open_run
from ...simulator.runs import manifest, run_folder
from ...simulator.runs.run_folder import TABLES

SUMMARIES = (
    "leaders", "leaders --by strategy", "leaders --by agendas", "leaders --by timing", "strengths", "strengths --by cards",
    "matchups", "wonders", "wonders --by leader", "victory", "victory --by leader", "victory --by combination",
    "victory --by combination-leaders", "game",
)  # fmt: skip
MOST_SECONDS, MOST_MB = 60.0, 600.0  # limits: a million games, and in all


def copied(run: Run, out: Path, games: int) -> Path:
    """Write copies of the run, a shard each, until there are this many games; return the folder.

    Games have their numbers of the run, which summaries use only within a shard.
    """
    if (out / manifest.FILE).is_file():
        return out
    tables = {table: pa.concat_tables(run.read_shard(shard, table) for shard in run.shards) for table in TABLES}
    seats = tables["seats"].unify_dictionaries()
    n = len(seats) // run.players
    values = {name: sorted(run.read("seats", [name])[name].astype(str).unique()) for name in ("leader", "strategy")}
    rng = np.random.default_rng(1)
    for index in range(-(-games // n)):
        for table, rows in tables.items():
            path = out / table / f"{run_folder.part(index)}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            if table == "seats":
                drawn = seated_anew(rng, n, run.players, values)
                places = {name: seats.schema.get_field_index(name) for name in drawn}
                for name, place in places.items():
                    seats = seats.set_column(place, name, drawn[name])
                pq.write_table(seats.cast(rows.schema), path, compression="zstd")
            elif index:
                os.link(out / table / f"{run_folder.part(0)}.parquet", path)
            else:
                pq.write_table(rows.unify_dictionaries(), path, compression="zstd")
    contents = {
        key: value for key, value in run.manifest.items() if key != manifest.DIGEST
    }  # copies have no label of their own
    contents["plan"] = contents["plan"] | {"games": n * (index + 1)}
    (out / manifest.FILE).write_text(json.dumps(contents), "utf-8")
    return out


def seated_anew(rng: np.random.Generator, games: int, players: int, values: dict[str, list[str]]) -> dict[str, pa.Array]:
    """Return leaders, all different at a table, and strategies, drawn for the seats of this many games."""
    leader = np.argsort(rng.random((games, len(values["leader"]))), axis=1)[:, :players]
    strategy = rng.integers(0, len(values["strategy"]), games * players)
    drawn = {"leader": leader.ravel(), "strategy": strategy}
    return {name: pa.DictionaryArray.from_arrays(pa.array(code.astype(np.int8)), values[name]) for name, code in drawn.items()}


def cost(command: str, run: Path) -> tuple[float, float]:
    """Return the processor seconds and the peak memory in MB of a summary of the run."""
    call = [sys.executable, "-m", "newdawn.scripts.cli.start", *command.split(), str(run), "--format", "json"]
    child = subprocess.Popen(call, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise click.ClickException(f"newdawn {command} {run}: ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


@click.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True))
@click.option("--games", type=click.IntRange(1), default=10_000_000, show_default=True, help="Games at least.")
@click.option("--only", multiple=True, help="Measure only this summary, `leaders --by agendas` say; may be repeated.")
@click.option("--keep", type=click.Path(path_type=Path), help="Folder for the larger run; used again if it is there.")
def main(run: Path, games: int, only: tuple[str, ...], keep: Path | None) -> None:
    """Print the cost of every summary; exit code 1 if one exceeds the limits."""
    with tempfile.TemporaryDirectory() as scratch:
        large = copied(open_run(run), keep or Path(scratch) / "run", games)
        copies = open_run(large)
        click.echo(repr(copies))
        rows = []
        for command in only or SUMMARIES:
            seconds, mb = cost(command, large)
            rows.append({"summary": command, "s/million": seconds * 1e6 / copies.planned_games, "MB": mb})
            click.echo(f"{command:36} {rows[-1]['s/million']:6.1f} s a million games {mb:6.0f} MB")
    costs = pd.DataFrame(rows)
    sys.exit(1 if (costs["s/million"] > MOST_SECONDS).any() or (costs["MB"] > MOST_MB).any() else 0)


if __name__ == "__main__":
    main()
