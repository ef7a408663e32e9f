"""Checking a run and merging several: checksums, counts, a sample of games played again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..compile_cache import same_games, source_digest
from ..errors import UserError, counted
from ..reading import parquet_of
from ..rules.ruleset_contents import entries
from . import manifest, run_folder
from .columns import ROUNDS_TABLE
from .run import Observer, Silent, shard_rows, tables_of, writing
from .run_folder import CHECKSUMS, Place, Shard, parquet_bytes, read_table

# --- Merging finished runs of the same plan and different seeds into one

Part = tuple[Place, manifest.Contents]


def merge_runs(sources: Sequence[Place], out: Place, observer: Observer | None = None) -> int:
    """Write the games of all the runs into the folder `out` and return their number.

    Games get new ids in the order of the runs; the manifest says which seed and game each is. The same call continues a
    merge that was stopped. Raises UserError if the runs cannot be merged.
    """
    observer = observer or Silent()
    parts = [(source, manifest.contents(source)) for source in sources]
    _check_alike(parts)
    for source, run in parts:
        _check_whole(source, run)
    segments = [segment for _, run in parts for segment in run.segments]
    first = parts[0][1]
    plan = replace(first.plan, games=sum(run.plan.games for _, run in parts))
    new_manifest = manifest.build(plan, first.ruleset, segments) | {"engine": first.engine}
    with writing(out, new_manifest) as merged:
        origins = [(source, shard) for source, run in parts for shard in run.shards]
        observer.begin(plan.games, 0)
        finished = run_folder.finished(out, merged.tables)
        for (source, old), new in zip(origins, merged.shards, strict=True):
            if new.index not in finished:
                _copy(source, old, out, new, str(merged.label(new)), merged.tables)
            observer.add(new.n)
        observer.end()
    return plan.games


def _check_alike(parts: Sequence[Part]) -> None:
    """Raise UserError naming the first difference that forbids to merge two of the runs."""
    (source, run), others = parts[0], parts[1:]
    plan = run.plan.as_dict()
    for place, _ in parts:
        if manifest.LOOKS in manifest.read(place):
            raise UserError(
                f"{place}: cannot be merged: it was played until it was decided, and intervals of merged games would not hold; "
                "expected runs of a fixed number of games"
            )
    manifest.check_labelled(source, run.identity is not None)
    for other_source, other in others:
        manifest.check_labelled(other_source, other.identity is not None)
        theirs = other.plan.as_dict()
        for key in dict.fromkeys([*theirs, *plan]):
            if key not in ("seed", "games") and theirs.get(key) != plan.get(key):
                value, first = (entries.get(key, "none") for entries in (theirs, plan))
                raise UserError(f"{other_source}: cannot be merged: its {key} is {value}, in {source} it is {first}")
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
    finished = run_folder.finished(source, run.tables)
    missing = sum(shard.n for shard in run.shards if shard.index not in finished)
    if missing:
        raise UserError(
            f"{source}: cannot be merged: {missing:,} of its {counted(run.plan.games, 'game')} missing; "
            f"finish it first: newdawn resume {source}"
        )
    checked = run_folder.each(
        source, lambda shard: run_folder.damage(source, shard.index, run.label(shard), run.tables), run.shards
    )
    for damage in checked:
        if damage:
            raise UserError(f"{damage}; repair it first: newdawn resume {source}")


def _copy(source: Place, old: Shard, out: Place, new: Shard, label: str, tables: Sequence[str]) -> None:
    """Copy a shard into the merged run, with the ids and the label it has there."""
    shift = new.first_id - old.first_id
    files = {table: _shifted(run_folder.shard_file(source, table, old.index), shift, label) for table in tables}
    try:
        run_folder.write_files(out, new.index, files)
    except OSError as error:
        raise UserError(
            f"{out}: cannot write the tables: {error.strerror or error}; give the same command again to continue"
        ) from None


def _shifted(path: Place, shift: int, label: str) -> bytes:
    """Return the file's content with every game_id moved by `shift`, and with its new label."""
    content = path.read_bytes()
    if shift == 0:
        return content
    table = parquet_of(pa.BufferReader(content), path, "remove it from the runs to be merged")
    place = table.schema.get_field_index("game_id")
    moved = pc.add(table["game_id"], pa.scalar(shift, table["game_id"].type))
    return parquet_bytes(table.set_column(place, table.schema.field(place), moved), label)


# --- Verifying a run folder: files as written, complete, and as the engine plays them


@dataclass
class Verification:
    """What was checked. The run, finished or not, is sound if `wrong` is empty; `labelled`: its tables carry labels."""

    planned: int
    games: int = 0
    shards: int = 0
    replayed: int = 0
    labelled: bool = True
    wrong: list[str] = field(default_factory=list)


def verify(out: Place, sample: int) -> Verification:
    """Check checksums and counts of all finished shards, and replay about `sample` games spread over them."""
    run = manifest.playable(out) if sample else manifest.contents(out)
    if sample and not same_games(run.engine):
        raise UserError(
            f"{out}: was played by another version of this program (engine {run.engine}, this is {source_digest()}), "
            "so its games cannot be replayed; --sample 0 checks the rest"
        )
    report = Verification(run.plan.games, labelled=run.identity is not None)
    wonders = sum(bool(wonder["available"]) for wonder in entries(run.ruleset.data, "wonder").values())
    under_way, present = run_folder.is_open(out), run_folder.present(out, run.tables)
    good: list[Shard] = []
    whole = {index for index, kinds in present.items() if CHECKSUMS in kinds or not under_way}  # checksums appear last
    missing = [shard for shard in run.shards if shard.index not in whole]
    finished = [shard for shard in run.shards if shard.index in whole]
    checks = run_folder.each(out, lambda shard: _check(out, run, shard, wonders, present[shard.index]), finished)
    for shard, fault in zip(finished, checks, strict=True):
        if fault:
            report.wrong.append(fault)
        else:
            good.append(shard)
            report.shards += 1
            report.games += shard.n
    if missing and not under_way:
        first = run_folder.shard_file(out, "games", missing[0].index)
        more = f", and {counted(len(missing) - 1, 'more shard')} of the run" if len(missing) > 1 else ""
        lost = counted(sum(shard.n for shard in missing), "game")
        report.wrong.append(f"{first}: is missing with all tables of its games{more}: {lost}")
    report.wrong += [f"{path}: does not belong to the run; remove it" for path in run_folder.strangers(out, run.shards)]
    for shard, games in sample_games(good, sample):
        report.replayed += len(games)
        report.wrong += [f"{out}: {text}" for text in _replay(out, run, run.ruleset.compile(), shard, games)]
    return report


def _check(out: Place, run: manifest.Contents, shard: Shard, wonders: int, present: set[str]) -> str | None:
    """Return what is wrong with a shard whose `present` tables have a file; None if nothing."""
    for table in run.tables:
        if table not in present:
            return f"{run_folder.shard_file(out, table, shard.index)}: is missing; other tables of these games are there"
    damage = run_folder.damage(out, shard.index, run.label(shard), run.tables)
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
        path = run_folder.shard_file(out, table, shard.index)
        read = read_table(path, ["game_id", "seed", "rounds"] if table == "games" else ["game_id"])
        game_ids = read["game_id"].to_numpy()
        if table in rows and not np.array_equal(game_ids, np.repeat(ids, rows[table])):
            rows_each = f"{rows[table]} rows" if isinstance(rows[table], int) else "a row for each seat and round"
            return f"{path}: expected {rows_each} for each of the games {ids[0]:,} to {ids[-1]:,}"
        if table == "games" and ROUNDS_TABLE in run.tables:
            rows[ROUNDS_TABLE] = run.plan.players * read["rounds"].to_numpy().astype(np.int64)
        if table == "games" and not (read["seed"].to_numpy() == shard.seed).all():
            return f"{path}: expected games of seed {shard.seed}"
        if table not in rows and not np.isin(game_ids, ids).all():
            return f"{path}: has rows of games outside {ids[0]:,} to {ids[-1]:,}"
    return None


def sample_games(shards: Sequence[Shard], sample: int) -> list[tuple[Shard, list[int]]]:
    """Return shards with the places in them of games to replay: always the same random sample."""
    ends = np.cumsum([shard.n for shard in shards])
    if sample == 0 or not shards:
        return []
    total = int(ends[-1])
    chosen = np.sort(np.random.default_rng(0).choice(total, min(sample, total), replace=False))
    shard_of = np.searchsorted(ends, chosen, side="right")
    samples = []
    for k in np.unique(shard_of):
        first = int(ends[k]) - shards[k].n
        samples.append((shards[k], [int(game) - first for game in chosen[shard_of == k]]))
    return samples


def _replay(out: Place, run: manifest.Contents, r: np.record, shard: Shard, games: Sequence[int]) -> list[str]:
    """Play games of a shard again and return a line for each with other rows in the tables."""
    stored = {table: read_table(run_folder.shard_file(out, table, shard.index)) for table in run.tables}
    wrong = []
    for at in games:
        game = Shard(shard.index, shard.seed, shard.game + at, 1, shard.first_id + at)
        rows = shard_rows(run.plan, r, game, Silent())
        assert rows is not None
        played = tables_of(replace(run.plan, seed=shard.seed), r, rows)
        for table, again in played.items():
            if _of_game(stored[table], game.first_id) != again.to_pylist():
                wrong.append(f"game {game.first_id:,} has other rows in `{table}` than when it is replayed")
                break
    return wrong


def _of_game(table: pa.Table, game_id: int) -> list[dict[str, object]]:
    """Return the rows of one game; rows are ordered by game."""
    ids = table["game_id"].to_numpy()
    low, high = np.searchsorted(ids, [game_id, game_id + 1])
    return table.slice(low, high - low).to_pylist()
