"""Reading the tables of a run, whole or shard by shard, also while it goes on.

A shard counts once all of its tables are there; files appear whole, so what counts can be read. Each file is compared with
its checksum before it is first used, for Parquet itself does not notice every changed bit, and with the label of its games in
the run. Files at an address (s3://bucket/run) are fetched once, into a temporary folder.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ...simulator import names, ours
from ...simulator.batch import folder, manifest, places
from ...simulator.batch.folder import CHECKSUMS
from ...simulator.batch.places import Place
from ...simulator.batch.schema import TABLES, tables_in
from ...simulator.batch.tables import read_table
from ...simulator.errors import DamagedTable, UserError
from ...simulator.reading import plainly
from ...simulator.rules.contents import has_teams
from ...simulator.wording import counted

PART = 50_000  # games of a shard that are in memory at a time


class Run:
    """A run folder. Its shards are ranges of games: each is complete in itself, with all tables of its games."""

    def __init__(self, path: Place | str) -> None:
        self.path = places.place(path)
        self.manifest: dict[str, Any] = manifest.read(self.path)
        labels = manifest.labels(self.manifest)
        self._labels = None if labels is None else {f"{folder.part(index)}.parquet": text for index, text in labels.items()}
        self._files: dict[Place, Path] = {}  # what was compared, and where it lies on this machine
        self._copies: tempfile.TemporaryDirectory[str] | None = None
        if not isinstance(self.path, Path):
            self._copies = tempfile.TemporaryDirectory(prefix="newdawn-run-", ignore_cleanup_errors=True)

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
    def rules(self) -> dict[str, Any]:
        """The data of its rules; nothing where the manifest has none."""
        return dict(self.manifest.get("ruleset", {}).get("data", {}))

    @property
    def has_teams(self) -> bool:
        """Whether its rules let partners win together."""
        return has_teams(self.rules)

    @property
    def planned_games(self) -> int:
        """Number of games the run was asked for; fewer are there if it was stopped."""
        return int(self.manifest["plan"]["games"])

    @cached_property
    def shards(self) -> list[str]:
        """Names of the shards of which every table is there, in order; raise UserError if one has lost a table.

        `games` is the last table of a shard to appear, its checksums come after it: with either, the others must be there.
        """
        present = folder.present(self.path)
        finished = {index for index, kinds in present.items() if kinds & {"games", CHECKSUMS}}
        lost = [(table, index) for table in TABLES for index in sorted(finished) if table not in present[index]]
        for table, index in lost:
            name = f"{folder.part(index)}.parquet"
            if any(file.is_file() for file in (self.path / "games" / name, folder.checksum_file(self.path, index))):
                raise DamagedTable(
                    f"{self.path / table / name}: is missing, though its shard was finished; "
                    f"`newdawn resume {self.path}` plays its games again"
                )
        whole = finished - {index for _, index in lost}  # a damaged shard was removed just now
        return [f"{folder.part(index)}.parquet" for index in sorted(whole)]

    def read(self, table: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return a whole table, or the named columns of it."""
        self._fetch([table])
        parts = [self.read_shard(shard, table, columns) for shard in self.shards]
        if not parts:
            empty = tables_in(self.box)[table]
            return empty.arrow_schema().empty_table().select(list(columns or empty.names())).to_pandas()
        return pa.concat_tables(parts).unify_dictionaries().to_pandas()

    def pieces(self, wanted: Mapping[str, Sequence[str]]) -> Iterator[dict[str, pd.DataFrame]]:
        """Yield the wanted columns of the wanted tables, shard by shard, to keep memory flat; a large one in parts."""
        self._fetch(wanted)
        for shard in self.shards:
            yield from _parts({table: self.read_shard(shard, table, columns) for table, columns in wanted.items()})

    def read_shard(self, shard: str, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return one shard of a table; raise UserError if it is damaged, of another run or of another schema version."""
        return read_table(self.file(table, shard), columns)

    def _fetch(self, tables: Iterable[str]) -> None:
        """Fetch the files of tables that lie at an address, several at once."""
        if not isinstance(self.path, Path):
            wanted = [(table, shard) for table in tables for shard in self.shards]
            deque(places.each(self.path, lambda names: self.file(*names), wanted), maxlen=0)

    def file(self, table: str, shard: str) -> Path:
        """Return the file of a shard of a table on this machine; raise UserError if it is damaged or of another run."""
        path = self.path / table / shard
        if path not in self._files:
            content = self._content(path, table, shard)
            self._files[path] = path if isinstance(path, Path) else self._kept(f"{table}-{shard}", content)
        return self._files[path]

    def _content(self, path: Place, table: str, shard: str) -> bytes:
        if self._labels is not None and shard not in self._labels:
            raise DamagedTable(f"{path}: does not belong to this run of {counted(len(self._labels), 'shard')}; remove it")
        try:
            return folder.table_content(self.path, table, shard, None if self._labels is None else self._labels[shard])
        except folder.Damaged as error:
            raise DamagedTable(f"{error}; `newdawn resume {self.path}` plays damaged games again") from None

    def _kept(self, name: str, content: bytes) -> Path:
        """Keep what lies at an address in a temporary folder, which goes when the run is read no more."""
        assert self._copies is not None
        path = Path(self._copies.name) / name
        ours.write_whole(path, content)
        return path


def _parts(tables: Mapping[str, pa.Table]) -> Iterator[dict[str, pd.DataFrame]]:
    """Yield the tables of a shard, so many games at a time: for pandas they take several times the memory."""
    ids = {name: table.column("game_id").to_numpy() for name, table in tables.items() if "game_id" in table.column_names}
    first = min((int(column[0]) for column in ids.values() if len(column)), default=0)
    end = max((int(column[-1]) + 1 for column in ids.values() if len(column)), default=0)
    if len(ids) < len(tables) or end - first <= PART:
        yield {name: table.to_pandas() for name, table in tables.items()}
        return
    for low in range(first, end, PART):
        ends = {name: np.searchsorted(ids[name], (low, low + PART)) for name in tables}
        yield {name: table.slice(ends[name][0], np.diff(ends[name])[0]).to_pandas() for name, table in tables.items()}


def shard_games(run: Run, shard: str) -> int:
    """Return the number of games of a shard, from the footer of its file."""
    path = run.file("games", shard)
    with plainly(path, "Parquet", DamagedTable):
        return int(pq.read_metadata(path).num_rows)


def open_run(path: Place | str) -> Run:
    """Return the run in the folder; raise UserError if there is no run, or no finished game yet."""
    run = Run(path)
    if not run.shards:
        raise UserError(f"{path}: no finished games in this run yet; `newdawn resume {path}` continues it")
    return run
