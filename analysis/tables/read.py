"""Opening runs and real plays, and reading them in parts: which games and seats count."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ...simulator import file_ownership, names
from ...simulator.errors import DamagedTable, UserError, counted, listed
from ...simulator.names import SINGLE
from ...simulator.plays import plays_folder as plays_folder
from ...simulator.plays.plays_folder import CARDS, PEOPLE
from ...simulator.plays.plays_folder import TABLES as plays_TABLES
from ...simulator.reading import plainly
from ...simulator.rules.ruleset_contents import has_teams
from ...simulator.runs import manifest, run_folder
from ...simulator.runs.run_folder import CHECKSUMS, Place, read_table, tables_in
from .decoded_games import WHOLE, CodeNames, Games, wanted

# --- Reading the tables of a run, whole or shard by shard, also while it is being played
#
# A shard counts once all of its tables are there; files appear whole, so a counted shard can be read. Before its first use each
# file is compared with its checksum, because Parquet does not notice every changed bit, and with the label of its games in the
# run. Files at an address (s3://bucket/run) are fetched once, into a temporary folder.

PART, GATHERED = 50_000, 16_384  # games that are in memory at a time: of one shard, of several


class Run:
    """A run folder. Its shards are ranges of games: each is complete in itself, with all tables of its games."""

    def __init__(self, path: Place | str) -> None:
        self.path = run_folder.place(path)
        self.manifest: dict[str, Any] = manifest.read(self.path)
        labels = manifest.labels(self.manifest)
        self._labels = None if labels is None else {f"{run_folder.part(index)}.parquet": text for index, text in labels.items()}
        self._files: dict[Place, Path] = {}  # files compared with their checksums: where each is on this machine
        self._copies: file_ownership.TemporaryFolder | None = None
        if not isinstance(self.path, Path):
            self._copies = file_ownership.TemporaryFolder("newdawn-run-")

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
        """The box that was played, one of names.BOXES."""
        return str(self.manifest.get("ruleset", {}).get("box", names.BOXES[0]))

    @property
    def rules(self) -> dict[str, Any]:
        """The data of its rules; empty if the manifest has none."""
        return dict(self.manifest.get("ruleset", {}).get("data", {}))

    @property
    def tables(self) -> dict[str, run_folder.TableSchema]:
        """Its tables by name: the usual ones, and the optional ones it was played with."""
        plan = self.manifest["plan"]
        own = [str(column["name"]) for column in plan.get("columns", ())]
        return tables_in(self.box, [name for name in plan.get("tables", ()) if name in run_folder.OPTIONAL], own)

    @property
    def has_teams(self) -> bool:
        """Whether its rules let partners win together."""
        return has_teams(self.rules)

    @property
    def planned_games(self) -> int:
        """Number of games planned; a stopped run has fewer."""
        return int(self.manifest["plan"]["games"])

    @cached_property
    def shards(self) -> list[str]:
        """Names of the shards that have every table, in order; raise UserError if a finished shard has lost one.

        `games` is the last table of a shard to appear, and its checksums follow: with either, the others must be there.
        """
        present = run_folder.present(self.path, self.tables)
        finished = {index for index, kinds in present.items() if kinds & {"games", CHECKSUMS}}
        lost = [(table, index) for table in self.tables for index in sorted(finished) if table not in present[index]]
        for table, index in lost:
            name = f"{run_folder.part(index)}.parquet"
            if any(file.is_file() for file in (self.path / "games" / name, run_folder.checksum_file(self.path, index))):
                raise DamagedTable(
                    f"{self.path / table / name}: is missing, though its shard was finished; "
                    f"`newdawn resume {self.path}` plays its games again"
                )
        whole = finished - {index for _, index in lost}  # a damaged shard was removed meanwhile
        return [f"{run_folder.part(index)}.parquet" for index in sorted(whole)]

    def first(self, games: int) -> Run:
        """Return the run cut to its first shards: this many games, rounded up to the end of a shard."""
        run, n = copy(self), 0
        run.shards = []
        for shard in self.shards if games > 0 else ():
            run.shards.append(shard)
            n += shard_games(self, shard)
            if n >= games:
                break
        return run

    def read(self, table: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return a whole table, or the named columns of it."""
        self.need(table)
        self._fetch([table])
        parts = [self.read_shard(shard, table, columns) for shard in self.shards]
        if not parts:
            empty = self.tables[table]
            return empty.arrow_schema().empty_table().select(list(columns or empty.names())).to_pandas()
        return pa.concat_tables(parts).unify_dictionaries().to_pandas()

    def pieces(self, wanted: Mapping[str, Sequence[str]]) -> Iterator[dict[str, pd.DataFrame]]:
        """Yield the wanted columns of the wanted tables in parts, so that memory stays flat: several shards, or some of one."""
        for table in wanted:
            self.need(table)
        self._fetch(wanted)
        shards = ({table: self.read_shard(shard, table, columns) for table, columns in wanted.items()} for shard in self.shards)
        for tables in _gathered(shards):
            yield from _parts(tables)

    def need(self, table: str) -> None:
        """Raise UserError, saying which option adds it, if the run was played without a table."""
        if table in run_folder.OPTIONAL and table not in self.tables:
            raise UserError(
                f"{self.path}: was played without the table `{table}`; expected a run played with "
                f"`newdawn run {run_folder.OPTIONS[table]}`"
            )

    def read_shard(self, shard: str, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return one shard of a table; raise UserError if it is damaged, of another run or of another schema version."""
        return read_table(self.file(table, shard), columns)

    def _fetch(self, tables: Iterable[str]) -> None:
        """Fetch the files of tables at an address, several at once."""
        if not isinstance(self.path, Path):
            wanted = [(table, shard) for table in tables for shard in self.shards]
            deque(run_folder.each(self.path, lambda names: self.file(*names), wanted), maxlen=0)

    def file(self, table: str, shard: str) -> Path:
        """Return the file of a shard of a table on this machine; raise UserError if it is damaged or of another run."""
        path = self.path / table / shard
        if path not in self._files:
            content = self._content(path, table, shard)
            self._files[path] = path if isinstance(path, Path) else self._copy(f"{table}-{shard}", content)
        return self._files[path]

    def _content(self, path: Place, table: str, shard: str) -> bytes:
        if self._labels is not None and shard not in self._labels:
            raise DamagedTable(f"{path}: does not belong to this run of {counted(len(self._labels), 'shard')}; remove it")
        try:
            return run_folder.table_content(self.path, table, shard, None if self._labels is None else self._labels[shard])
        except run_folder.Damaged as error:
            raise DamagedTable(f"{error}; `newdawn resume {self.path}` plays damaged games again") from None

    def _copy(self, name: str, content: bytes) -> Path:
        """Write a fetched file into a temporary folder, which is removed with the run object; return its path."""
        assert self._copies is not None
        path = Path(self._copies.name) / name
        file_ownership.write_whole(path, content)
        return path


def _ids(tables: Mapping[str, pa.Table]) -> tuple[dict[str, np.ndarray], int, int]:
    """Return the numbers of the games in each table, the first of all, and the one after the last."""
    ids = {name: table.column("game_id").to_numpy() for name, table in tables.items() if "game_id" in table.column_names}
    first = min((int(column[0]) for column in ids.values() if len(column)), default=0)
    end = max((int(column[-1]) + 1 for column in ids.values() if len(column)), default=0)
    return ids, first, end


def _gathered(shards: Iterable[dict[str, pa.Table]]) -> Iterator[dict[str, pa.Table]]:
    """Yield the tables of neighbours together, up to GATHERED games: what a part costs, however small, is paid less often."""
    held: list[dict[str, pa.Table]] = []
    start = end = 0
    for tables in shards:
        _, first, last = _ids(tables)
        if held and (first != end or last - start > GATHERED):
            yield _together(held)
            held = []
        start = start if held else first
        end = last
        held.append(tables)
    if held:
        yield _together(held)


def _together(shards: Sequence[dict[str, pa.Table]]) -> dict[str, pa.Table]:
    if len(shards) == 1:
        return shards[0]
    return {name: pa.concat_tables([tables[name] for tables in shards]).unify_dictionaries() for name in shards[0]}


def _parts(tables: Mapping[str, pa.Table]) -> Iterator[dict[str, pd.DataFrame]]:
    """Yield tables, at most PART games at a time: as pandas frames they take several times the memory."""
    ids, first, end = _ids(tables)
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


# --- Which games and seats count: one selection after the other
#
# `sample_of` makes a sample of runs: all of their games, read shard by shard, so memory does not grow with them. The explorer
# makes one of games in memory under a filter. Functions of `analysis.tables` take either: each is a function from a selection
# to sums (arrays by the codes of names, or by rounds), which `added` adds up.

T = TypeVar("T", pd.DataFrame, np.ndarray)
OUTCOMES = 2 * (WHOLE + 1)  # of a seat: its share of the win times whether anyone won
ROWS_AT_ONCE = 1 << 18  # rows of partial counts that are held before they are added up


@dataclass(frozen=True)
class Selection:
    """Games, (n,), and the seats that count in them, (n, p)."""

    games: Games
    chosen: np.ndarray
    counting: np.ndarray

    @cached_property
    def all_seats(self) -> bool:
        """Return whether every seat of the chosen games counts."""
        return bool(np.count_nonzero(self.counting) == self.games.players * np.count_nonzero(self.chosen))

    @cached_property
    def seats(self) -> np.ndarray:
        """Return the counted seats: game * players + seat."""
        return np.flatnonzero(self.counting).astype(np.int32)

    @cached_property
    def game(self) -> np.ndarray:
        """Return the game of each counted seat."""
        return self.seats // np.int32(self.games.players)

    @cached_property
    def wins(self) -> np.ndarray:
        """Return the counted shares of the win, in sixtieths, 0 where a seat does not count: one after the other."""
        return (self.games.won * self.counting).ravel()

    def of_seats(self, column: np.ndarray) -> np.ndarray:
        """Return the values of a column by game and seat at the counted seats."""
        return column.ravel()[self.seats]

    def tally(self, key: np.ndarray, shape: tuple[int, ...], keep: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Return sums of the counted seats (those that `keep` marks) by a key, an index into the shape.

        `n`, `wins` and their `squares`, `fair` and `unfinished`.
        """
        size = int(np.prod(shape))
        code = key.astype(np.int16 if size * OUTCOMES < 2**15 else np.int64) * OUTCOMES + self.of_seats(self.games.outcome)
        count = np.bincount(code if keep is None else code[keep], minlength=size * OUTCOMES).reshape(*shape, OUTCOMES)
        n = count.sum(axis=-1)
        share = np.arange(OUTCOMES) // 2 / WHOLE
        sums = {"n": n, "wins": count @ share, "squares": count @ share**2}
        return sums | {"fair": n / self.games.players, "unfinished": count[..., 1::2].sum(axis=-1)}


class Everything(Selection):
    """All games, and every seat that has a row."""

    def __init__(self, games: Games) -> None:
        object.__setattr__(self, "games", games)

    @cached_property
    def chosen(self) -> np.ndarray:  # type: ignore[override]
        """Return that every game is chosen."""
        return np.ones(len(self.games), bool)

    @cached_property
    def counting(self) -> np.ndarray:  # type: ignore[override]
        """Return which seats have a row."""
        return self.games.occupied


@dataclass(frozen=True)
class Sample:
    """Selections, and the names that all of them share, complete once the last selection has been counted.

    `manifests` are those of their runs, if they are needed.
    """

    words: CodeNames
    selections: Iterable[Selection]
    manifests: Sequence[Mapping[str, Any]] = ()

    def __iter__(self) -> Iterator[Selection]:
        return iter(self.selections)


Runs = Run | Sequence[Run] | Sample  # several are pooled


def as_runs(runs: Runs) -> list[Run]:
    """Return one run or several as a list."""
    if isinstance(runs, Sample):
        raise TypeError("a sample of games has no folders; expected runs")
    return list(runs) if isinstance(runs, Sequence) else [runs]


def sample_of(runs: Runs, columns: Iterable[str], numbers: Iterable[str] = (), words: CodeNames | None = None) -> Sample:
    """Return all games of the runs, shard by shard, with these columns of Games; a sample is returned as it is."""
    if isinstance(runs, Sample):
        return runs
    names, tables = words or CodeNames(), wanted(columns, numbers)
    return Sample(
        names, (Everything(Games(piece, run.players, names)) for run in as_runs(runs) for piece in run.pieces(tables))
    )


def added(parts: Iterable[Mapping[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Return the sums of arrays by name; an array shorter on an axis, without a later name or round, is padded with 0."""
    total: dict[str, np.ndarray] = {}
    for part in parts:
        for name, values in part.items():
            total[name] = _plus(total[name], values) if name in total else values
    return total


def _plus(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.shape == b.shape:
        return a + b
    shape = tuple(np.maximum(a.shape, b.shape))
    total = np.zeros(shape, np.result_type(a, b))
    for values in (a, b):
        total[tuple(slice(size) for size in values.shape)] += values
    return total


def counted_together(parts: Iterable[pd.DataFrame], keys: Sequence[str]) -> pd.DataFrame:
    """Return the rows of tables with equal keys added up, sorted by the keys; few rows are held at a time."""
    return folded(parts, lambda tables: pd.concat(tables).groupby(list(keys), as_index=False, sort=True).sum())


class Fold(Generic[T]):
    """Parts that are combined as they come, so that few rows are held at a time."""

    def __init__(self, together: Callable[[list[T]], T], spare: int | None = None) -> None:
        self._together: Callable[[list[T]], T] = together
        self._spare = ROWS_AT_ONCE if spare is None else spare
        self._held: list[T] = []
        self._rows = 0

    def add(self, part: T) -> None:
        """Add a part."""
        self._held.append(part)
        self._rows += len(part)
        if self._rows > 1.2 * len(self._held[0]) + self._spare:
            self._held = [self._together(self._held)]
            self._rows = len(self._held[0])

    def whole(self) -> T:
        """Return all parts combined."""
        return self._together(self._held)


def folded(parts: Iterable[T], together: Callable[[list[T]], T]) -> T:
    """Return all parts combined, few rows held at a time."""
    fold = Fold(together)
    for part in parts:
        fold.add(part)
    return fold.whole()


def by_name(names: Sequence[str], key: str, sums: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return sums by the code of a name as a table, names in alphabetical order."""
    frame = pd.DataFrame({key: np.array(names, object), **{name: values[: len(names)] for name, values in sums.items()}})
    return frame.sort_values(key, ignore_index=True)


# --- Reading a folder of real plays (`simulator/plays`): its tables, in a part for each number of players
#
# A part is read like a run. Plays with seats played by strategies are in the tables, but summaries count only those of people
# alone. Facts may not have been noted: a summary that needs one gets the plays that have it, and if there are none, one line
# says what the folder lacks.

MAY_BE_NULL = {*CARDS[1:], "player", "date", "winner_seats", "source"}  # null has a meaning, or no summary needs the column


class PlaysOf(Run):
    """The plays with one number of players, with the interface of a run."""

    def __init__(self, whole: Plays, part: plays_folder.PlaysFile) -> None:
        self.path, self.manifest = whole.path, whole.manifest | {"plan": {"strategies": [PEOPLE]}}
        self.part = part

    def __repr__(self) -> str:
        return f"<Plays {self.path}: {counted(self.part.plays, 'play')} of {counted(self.players, 'person', 'people')}>"

    @property
    def players(self) -> int:
        """Number of people at the table."""
        return self.part.players

    @property
    def planned_games(self) -> int:
        """Number of plays."""
        return self.part.plays

    def read(self, table: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return a whole table, or the named columns of it; raise UserError if plays do not have them."""
        lacking = [name for name in columns or () if name not in plays_TABLES.get(table, ())]
        if table not in plays_TABLES or lacking:
            missing = listed(f"`{name}`" for name in lacking) if table in plays_TABLES else "a table"
            raise UserError(
                f"{self.path}: real plays lack {missing} of `{table}`, which this needs; runs of `newdawn run` have it"
            )
        frame = plays_folder.read_part(self.path, self.manifest, table, self.part.name).to_pandas()
        return frame[list(columns)] if columns is not None else frame

    def pieces(self, wanted: Mapping[str, Sequence[str]]) -> Iterator[dict[str, pd.DataFrame]]:
        """Yield the wanted columns of the plays in which all of them are known, in one piece."""
        frames = {table: self.read(table, ["game_id", *(name for name in names if name != "game_id")])
                  for table, names in wanted.items()}  # fmt: skip
        complete = np.ones(self.planned_games, bool)
        ids = self.read("games", ["game_id"])["game_id"].to_numpy()
        for table, frame in frames.items():
            for name in set(frame) - MAY_BE_NULL:
                unknown = frame.loc[frame[name].isna(), "game_id"]
                complete &= ~np.isin(ids, unknown)
                if not complete.any():
                    raise UserError(
                        f"{self.path}: real plays of {self.players} lack `{name}` of `{table}`: it was noted in none of them"
                    )
        complete_ids = ids[complete]
        yield {table: frame[frame["game_id"].isin(complete_ids)].reset_index(drop=True) for table, frame in frames.items()}


class Plays:
    """A folder of plays: a part for each number of players."""

    def __init__(self, path: Place | str) -> None:
        self.path = run_folder.place(path)
        self.manifest: dict[str, Any] = plays_folder.read_manifest(self.path)
        self.all_parts = [PlaysOf(self, plays_folder.PlaysFile(**part)) for part in self.manifest["parts"]]

    @property
    def parts(self) -> list[PlaysOf]:
        """The plays of people alone, each for themselves, by number of players."""
        return [part for part in self.all_parts if not part.part.strategies and part.part.kind == SINGLE]

    @property
    def with_strategies(self) -> int:
        """Number of plays in which programs or strategies played seats."""
        return sum(part.planned_games for part in self.all_parts if part.part.strategies)

    def of_kind(self, kind: str) -> list[PlaysOf]:
        """Return the parts with plays of people of a kind (names.PLAY_KINDS)."""
        return [part for part in self.all_parts if not part.part.strategies and part.part.kind == kind]

    def __len__(self) -> int:
        return sum(part.planned_games for part in self.all_parts)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{part.planned_games} of {part.players}" for part in self.all_parts)
        return f"<Plays {self.path}: {counted(len(self), 'play')} ({sizes})>"

    def _repr_html_(self) -> str:
        return f"<code>{escape(repr(self))}</code>"

    @property
    def box(self) -> str:
        """The box that was played, one of names.BOXES."""
        return str(self.manifest["ruleset"]["box"])

    def table(self, name: str, people: bool = False) -> pd.DataFrame:
        """Return a whole table over all numbers of players; with `people`, of the plays of people alone."""
        return pd.concat([part.read(name) for part in (self.of_people() if people else self.all_parts)], ignore_index=True)

    def of_people(self) -> list[PlaysOf]:
        """Return the parts that can be counted; raise UserError if there are none."""
        if not self.parts:
            why = "programs or strategies played seats, or teams played,"
            raise UserError(f"{self.path}: {why} in all {len(self)} plays; expected some of people, each for themselves")
        return self.parts


def open_plays(path: Place | str) -> Plays:
    """Return the plays in the folder; raise UserError if it holds none."""
    return Plays(path)


def opened(path: Place | str) -> list[Run]:
    """Return the run in the folder, or the parts of its plays, for summaries that take either."""
    place = run_folder.place(path)
    return list(Plays(place).of_people()) if plays_folder.is_plays(place) else [open_run(place)]
