"""Verifying a run folder: are its files as they were written, complete, and what the engine plays?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from ..compile_cache import same_games, source_digest
from ..errors import UserError
from ..rules.contents import entries
from ..wording import counted
from . import folder, manifest, places
from .folder import CHECKSUMS, Shard
from .places import Place
from .run import Silent, shard_rows, tables_of
from .schema import TABLES
from .tables import read_table


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
    under_way, present = folder.is_open(out), folder.present(out)
    good: list[Shard] = []
    whole = {index for index, kinds in present.items() if CHECKSUMS in kinds or not under_way}  # they are the last to appear
    missing = [shard for shard in run.shards if shard.index not in whole]
    there = [shard for shard in run.shards if shard.index in whole]
    checks = places.each(out, lambda shard: _check(out, run, shard, wonders, present[shard.index]), there)
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
    for table in TABLES:
        if table not in there:
            return f"{folder.shard_file(out, table, shard.index)}: is missing; other tables of these games are there"
    damage = folder.damage(out, shard.index, run.label(shard))
    if damage:
        return damage
    try:
        return _miscounted(out, shard, run.plan.players, wonders)
    except UserError as error:
        return str(error)


def _miscounted(out: Place, shard: Shard, players: int, wonders: int) -> str | None:
    """Return what is wrong with the ids and numbers of the shard's rows, or None."""
    ids = np.arange(shard.first_id, shard.first_id + shard.n)
    rows = {"games": 1, "seats": players, "wonders": wonders}
    for table in TABLES:
        path = folder.shard_file(out, table, shard.index)
        read = read_table(path, ["game_id", "seed"] if table == "games" else ["game_id"])
        found = read["game_id"].to_numpy()
        if table in rows and not np.array_equal(found, np.repeat(ids, rows[table])):
            return f"{path}: expected {rows[table]} rows for each of the games {ids[0]:,} to {ids[-1]:,}"
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
    stored = {table: read_table(folder.shard_file(out, table, shard.index)) for table in TABLES}
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
