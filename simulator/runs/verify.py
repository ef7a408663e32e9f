"""Checking a run and merging several: checksums, counts, a sample of games played again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..compile_cache import same_games, source_digest
from ..errors import UserError
from ..reading import parquet_of
from ..rules.contents import entries
from ..wording import counted
from . import folder, manifest
from .columns import ROUNDS_TABLE
from .folder import CHECKSUMS, Place, Shard, parquet_bytes, read_table
from .run import Observer, Silent, shard_rows, tables_of, writing

# --- Merging finished runs of the same plan and different seeds into one

Part = tuple[Place, manifest.Contents]


def merge_runs(sources: Sequence[Place], out: Place, observer: Observer | None = None) -> int:
    """Write the games of all the runs into the folder `out` and return their number.

    Games get new ids in the order of the runs; the manifest tells which seed and game each is. The same call goes on
    with a merge that was stopped. Raises UserError if the runs do not belong together.
    """
    observer = observer or Silent()
    parts = [(source, manifest.contents(source)) for source in sources]
    _check_alike(parts)
    for source, run in parts:
        _check_whole(source, run)
    segments = [segment for _, run in parts for segment in run.segments]
    first = parts[0][1]
    plan = replace(first.plan, games=sum(run.plan.games for _, run in parts))
    wanted = manifest.build(plan, first.ruleset, segments) | {"engine": first.engine}
    with writing(out, wanted) as merged:
        origins = [(source, shard) for source, run in parts for shard in run.shards]
        observer.begin(plan.games, 0)
        finished = folder.finished(out, merged.tables)
        for (source, old), new in zip(origins, merged.shards, strict=True):
            if new.index not in finished:
                _copy(source, old, out, new, str(merged.label(new)), merged.tables)
            observer.add(new.n)
        observer.end()
    return plan.games


def _check_alike(parts: Sequence[Part]) -> None:
    """Raise UserError naming the first thing that keeps two of the runs apart."""
    (source, run), others = parts[0], parts[1:]
    plan = run.plan.as_dict()
    for one, _ in parts:
        if manifest.LOOKS in manifest.read(one):
            raise UserError(
                f"{one}: cannot be merged: it was played until it was decided, and intervals of merged games would not hold; "
                "expected runs of a fixed number of games"
            )
    manifest.check_labelled(source, run.identity is not None)
    for other_source, other in others:
        manifest.check_labelled(other_source, other.identity is not None)
        theirs = other.plan.as_dict()
        for key in dict.fromkeys([*theirs, *plan]):
            if key not in ("seed", "games") and theirs.get(key) != plan.get(key):
                one, two = (found.get(key, "none") for found in (theirs, plan))
                raise UserError(f"{other_source}: cannot be merged: its {key} is {one}, in {source} it is {two}")
        if other.ruleset.digest() != run.ruleset.digest():
            raise UserError(
                f"{other_source}: cannot be merged: its rules ('{other.ruleset.name}') "
                f"are not those of {source} ('{run.ruleset.name}')"
            )
        if other.engine != run.engine:
            raise UserError(
                f"{other_source}: cannot be merged: played by another version of this program "
                f"(engine {other.engine}, in {source} {run.engine})"
            )
    for (source, run), (other_source, other) in combinations(parts, 2):
        for a in run.segments:
            for b in other.segments:
                if a.seed == b.seed and a.first < b.end and b.first < a.end:
                    low, high = max(a.first, b.first), min(a.end, b.end) - 1
                    raise UserError(
                        f"{other_source}: cannot be merged: games {low:,} to {high:,} of seed {a.seed} are in {source}, "
                        "too; only runs of different seeds can be merged"
                    )


def _check_whole(source: Place, run: manifest.Contents) -> None:
    """Raise UserError if shards are missing or damaged."""
    finished = folder.finished(source, run.tables)
    missing = sum(shard.n for shard in run.shards if shard.index not in finished)
    if missing:
        raise UserError(
            f"{source}: cannot be merged: {missing:,} of its {counted(run.plan.games, 'game')} missing; "
            f"finish it first: newdawn resume {source}"
        )
    checked = folder.each(source, lambda shard: folder.damage(source, shard.index, run.label(shard), run.tables), run.shards)
    for damage in checked:
        if damage:
            raise UserError(f"{damage}; repair it first: newdawn resume {source}")


def _copy(source: Place, old: Shard, out: Place, new: Shard, label: str, tables: Sequence[str]) -> None:
    """Copy a shard, with the ids of its games moved to their place in the merged run, and its label there."""
    shift = new.first_id - old.first_id
    files = {table: _shifted(folder.shard_file(source, table, old.index), shift, label) for table in tables}
    try:
        folder.write_files(out, new.index, files)
    except OSError as error:
        raise UserError(
            f"{out}: cannot write the tables: {error.strerror or error}; give the same command again to continue"
        ) from None


def _shifted(path: Place, shift: int, label: str) -> bytes:
    """Return the file's content with every game_id moved by so much; the label goes by them, too."""
    content = path.read_bytes()
    if shift == 0:
        return content
    table = parquet_of(pa.BufferReader(content), path, "remove it from the runs to be merged")
    place = table.schema.get_field_index("game_id")
    moved = pc.add(table["game_id"], pa.scalar(shift, table["game_id"].type))
    return parquet_bytes(table.set_column(place, table.schema.field(place), moved), label)


# --- Verifying a run folder
#
# Are its files as they were written, complete, and what the engine plays?


@dataclass
class Report:
    """What was found. The run is as it should be if `wrong` is empty; it may be unfinished all the same.

    `labelled`: its tables tell which run they belong to.
    """

    planned: int
    games: int = 0
    shards: int = 0
    replayed: int = 0
    labelled: bool = True
    wrong: list[str] = field(default_factory=list)


def verify(out: Place, sample: int) -> Report:
    """Check checksums and counts of all finished shards, and replay about `sample` games spread over them."""
    run = manifest.playable(out) if sample else manifest.contents(out)
    if sample and not same_games(run.engine):
        raise UserError(
            f"{out}: was played by another version of this program (engine {run.engine}, this is {source_digest()}), "
            "so its games cannot be replayed; --sample 0 checks the rest"
        )
    report = Report(run.plan.games, labelled=run.identity is not None)
    wonders = sum(bool(wonder["available"]) for wonder in entries(run.ruleset.data, "wonder").values())
    under_way, present = folder.is_open(out), folder.present(out, run.tables)
    good: list[Shard] = []
    whole = {index for index, kinds in present.items() if CHECKSUMS in kinds or not under_way}  # they are the last to appear
    missing = [shard for shard in run.shards if shard.index not in whole]
    there = [shard for shard in run.shards if shard.index in whole]
    checks = folder.each(out, lambda shard: _check(out, run, shard, wonders, present[shard.index]), there)
    for shard, found in zip(there, checks, strict=True):
        if found:
            report.wrong.append(found)
        else:
            good.append(shard)
            report.shards += 1
            report.games += shard.n
    if missing and not under_way:
        report.wrong.append(_missing(out, missing))
    report.wrong += [f"{path}: does not belong to the run; remove it" for path in folder.strangers(out, run.shards)]
    for shard, games in sample_games(good, sample):
        report.replayed += len(games)
        report.wrong += [f"{out}: {text}" for text in _replay(out, run, run.ruleset.compile(), shard, games)]
    return report


def _missing(out: Place, shards: Sequence[Shard]) -> str:
    """Say which shards of a run are missing that is neither going on nor was stopped."""
    first = folder.shard_file(out, "games", shards[0].index)
    more = f", and {counted(len(shards) - 1, 'more shard')} of the run" if len(shards) > 1 else ""
    return f"{first}: is missing with all tables of its games{more}: {counted(sum(shard.n for shard in shards), 'game')}"


def _check(out: Place, run: manifest.Contents, shard: Shard, wonders: int, there: set[str]) -> str | None:
    """Return what is wrong with a shard, of which these tables are there, or None."""
    for table in run.tables:
        if table not in there:
            return f"{folder.shard_file(out, table, shard.index)}: is missing; other tables of these games are there"
    damage = folder.damage(out, shard.index, run.label(shard), run.tables)
    if damage:
        return damage
    try:
        return _miscounted(out, shard, run, wonders)
    except UserError as error:
        return str(error)


def _miscounted(out: Place, shard: Shard, run: manifest.Contents, wonders: int) -> str | None:
    """Return what is wrong with the ids and numbers of the shard's rows, or None."""
    ids = np.arange(shard.first_id, shard.first_id + shard.n)
    rows: dict[str, int | np.ndarray] = {"games": 1, "seats": run.plan.players, "wonders": wonders}
    for table in run.tables:
        path = folder.shard_file(out, table, shard.index)
        read = read_table(path, ["game_id", "seed", "rounds"] if table == "games" else ["game_id"])
        found = read["game_id"].to_numpy()
        if table in rows and not np.array_equal(found, np.repeat(ids, rows[table])):
            each = f"{rows[table]} rows" if isinstance(rows[table], int) else "a row for each seat and round"
            return f"{path}: expected {each} for each of the games {ids[0]:,} to {ids[-1]:,}"
        if table == "games" and ROUNDS_TABLE in run.tables:
            rows[ROUNDS_TABLE] = run.plan.players * read["rounds"].to_numpy().astype(np.int64)
        if table == "games" and not (read["seed"].to_numpy() == shard.seed).all():
            return f"{path}: expected games of seed {shard.seed}"
        if table not in rows and not np.isin(found, ids).all():
            return f"{path}: has rows of games outside {ids[0]:,} to {ids[-1]:,}"
    return None


def sample_games(shards: Sequence[Shard], sample: int) -> list[tuple[Shard, list[int]]]:
    """Return games to replay, by their places in their shards: the same ones each time, spread at random."""
    ends = np.cumsum([shard.n for shard in shards])
    if sample == 0 or not shards:
        return []
    total = int(ends[-1])
    chosen = np.sort(np.random.default_rng(0).choice(total, min(sample, total), replace=False))
    home = np.searchsorted(ends, chosen, side="right")
    found = []
    for k in np.unique(home):
        first = int(ends[k]) - shards[k].n
        found.append((shards[k], [int(game) - first for game in chosen[home == k]]))
    return found


def _replay(out: Place, run: manifest.Contents, r: np.record, shard: Shard, games: Sequence[int]) -> list[str]:
    """Play games of a shard again and return one text for each that has other rows in the tables."""
    stored = {table: read_table(folder.shard_file(out, table, shard.index)) for table in run.tables}
    wrong = []
    for at in games:
        one = Shard(shard.index, shard.seed, shard.game + at, 1, shard.first_id + at)
        rows = shard_rows(run.plan, r, one, Silent())
        assert rows is not None
        played = tables_of(replace(run.plan, seed=shard.seed), r, rows)
        for table, again in played.items():
            if _of_game(stored[table], one.first_id) != again.to_pylist():
                wrong.append(f"game {one.first_id:,} has other rows in `{table}` than when it is replayed")
                break
    return wrong


def _of_game(table: pa.Table, game_id: int) -> list[dict[str, object]]:
    """Return the rows of one game; rows are ordered by game."""
    ids = table["game_id"].to_numpy()
    low, high = np.searchsorted(ids, [game_id, game_id + 1])
    return table.slice(low, high - low).to_pylist()
