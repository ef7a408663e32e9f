"""Merging finished runs of the same plan and different seeds into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pyarrow as pa
import pyarrow.compute as pc

from ..errors import UserError
from ..reading import parquet_of
from ..wording import counted
from . import folder, manifest, places
from .places import Place
from .run import Observer, Silent, writing
from .schema import TABLES
from .tables import parquet_bytes

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
        finished = folder.finished(out)
        for (source, old), new in zip(origins, merged.shards, strict=True):
            if new.index not in finished:
                _copy(source, old, out, new, str(merged.label(new)))
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
        for key, value in other.plan.as_dict().items():
            if key not in ("seed", "games") and value != plan[key]:
                raise UserError(f"{other_source}: cannot be merged: its {key} is {value}, in {source} it is {plan[key]}")
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
    finished = folder.finished(source)
    missing = sum(shard.n for shard in run.shards if shard.index not in finished)
    if missing:
        raise UserError(
            f"{source}: cannot be merged: {missing:,} of its {counted(run.plan.games, 'game')} missing; "
            f"finish it first: newdawn resume {source}"
        )
    for damage in places.each(source, lambda shard: folder.damage(source, shard.index, run.label(shard)), run.shards):
        if damage:
            raise UserError(f"{damage}; repair it first: newdawn resume {source}")


def _copy(source: Place, old: folder.Shard, out: Place, new: folder.Shard, label: str) -> None:
    """Copy a shard, with the ids of its games moved to their place in the merged run, and its label there."""
    shift = new.first_id - old.first_id
    files = {table: _shifted(folder.shard_file(source, table, old.index), shift, label) for table in TABLES}
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
