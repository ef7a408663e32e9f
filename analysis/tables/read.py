"""Reading the tables of a run, whole or shard by shard, also while it goes on.

A shard counts once all of its tables are there; files appear whole, so what counts can be read. Each file is compared with
its checksum before it is first used: Parquet itself does not notice every changed bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ...simulator import names
from ...simulator.batch import manifest
from ...simulator.batch.folder import CHECKSUMS, table_damage
from ...simulator.batch.schema import TABLES, tables_in
from ...simulator.batch.tables import read_table
from ...simulator.errors import UserError
from ...simulator.wording import counted


class Run:
    """A run folder. Its shards are ranges of games: each is complete in itself, with all tables of its games."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.manifest: dict[str, Any] = manifest.read(self.path)
        self._compared: set[Path] = set()

    def __repr__(self) -> str:
        held = sum(shard_games(self, shard) for shard in self.shards)
        planned = "" if held == self.planned_games else f" of {self.planned_games:,} planned"
        plan, rules = self.manifest["plan"], self.manifest.get("ruleset", {}).get("name", "unknown rules")
        who = ", ".join(dict.fromkeys(plan.get("strategies", []))) or "unknown strategies"
        return (
            f"<Run {self.path}: {counted(held, 'game')}{planned}, {self.players} players, rules '{rules}', {who}, "
            f"seed {plan['seed']}, {counted(len(self.shards), 'shard')}>"
        )

    def _repr_html_(self) -> str:
        return f"<code>{escape(repr(self))}</code>"

    @property
    def players(self) -> int:
        """Number of players of the run's games."""
        return int(self.manifest["plan"]["players"])

    @property
    def box(self) -> str:
        """What was played, a word of names.BOXES."""
        return str(self.manifest.get("ruleset", {}).get("box", names.BOXES[0]))

    @property
    def planned_games(self) -> int:
        """Number of games the run was asked for; fewer are there if it was stopped."""
        return int(self.manifest["plan"]["games"])

    @cached_property
    def shards(self) -> list[str]:
        """Names of the shards of which every table is there, in order; raise UserError if one has lost a table.

        `games` is the last table of a shard to appear, its checksums come after it: with either, the others must be there.
        """
        # In the order opposite to that in which files appear: the run may be going on.
        finished = {f"{file.stem}.parquet" for file in (self.path / CHECKSUMS).glob("part-*.sha256")}
        finished |= {file.name for file in (self.path / "games").glob("part-*.parquet")}
        lost = [(table, name) for table in TABLES for name in sorted(finished) if not (self.path / table / name).is_file()]
        for table, name in lost:
            if (self.path / "games" / name).is_file() or (self.path / CHECKSUMS / name).with_suffix(".sha256").is_file():
                raise UserError(
                    f"{self.path / table / name}: is missing, though its shard was finished; "
                    f"`newdawn resume {self.path}` plays its games again"
                )
        return sorted(finished - {name for _, name in lost})  # a damaged shard was removed just now

    def read(self, table: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return a whole table, or the named columns of it."""
        parts = [self.read_shard(shard, table, columns) for shard in self.shards]
        if not parts:
            empty = tables_in(self.box)[table]
            return empty.arrow_schema().empty_table().select(list(columns or empty.names())).to_pandas()
        return pa.concat_tables(parts).unify_dictionaries().to_pandas()

    def pieces(self, wanted: Mapping[str, Sequence[str]]) -> Iterator[dict[str, pd.DataFrame]]:
        """Yield the wanted columns of the wanted tables, one shard after the other, to keep memory flat."""
        for shard in self.shards:
            yield {table: self.read_shard(shard, table, columns).to_pandas() for table, columns in wanted.items()}

    def read_shard(self, shard: str, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return one shard of a table; raise UserError if it is damaged or of another schema version."""
        path = self.path / table / shard
        if path not in self._compared:
            damage = table_damage(self.path, table, shard)
            if damage is not None:
                raise UserError(f"{damage}; `newdawn resume {self.path}` plays damaged games again")
            self._compared.add(path)
        return read_table(path, columns)


def shard_games(run: Run, shard: str) -> int:
    """Return the number of games of a shard, from the footer of its file."""
    return int(pq.read_metadata(run.path / "games" / shard).num_rows)


def open_run(path: Path | str) -> Run:
    """Return the run in the folder; raise UserError if it is none or holds no finished games yet."""
    run = Run(path)
    if not run.shards:
        raise UserError(f"{path}: no finished games in this run yet; `newdawn resume {path}` continues it")
    return run
