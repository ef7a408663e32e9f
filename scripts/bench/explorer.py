"""How long the explorer takes to answer over a million games, drawn at random and written as tables of a run.

    python -m newdawn.scripts.bench.explorer --games 1000000 --keep DIR

Games are drawn, not played, with events about as frequent as in games of the planner. Every view is requested under several
filters and several times; the medians and the longest times are printed, with the size of a page that would hold the data.
"""

from __future__ import annotations

import base64
import json
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

import click
import numpy as np
import pyarrow as pa

from ...analysis.explorer.server import ExplorerRuns
from ...analysis.tables.decoded_games import Events, Games
from ...analysis.tables.read import open_run
from ...simulator import names
from ...simulator.runs.run_folder import ARROW_TYPES, SCHEMA_VERSION, TABLES, parquet_bytes

CARDS = [f"{names.AGENDAS[i]} / {names.AGENDAS[i + 1]}" for i in range(0, len(names.AGENDAS), 2)]
PLAYERS, SHARD = 4, 50_000
STRATEGIES = ("planner", "opportunist")
SHARED, UNFINISHED = 0.02, 0.01  # chances that a win is shared by two, and that nobody wins
BUILD, OTHERS_CLAIM = 0.25, 0.2  # chances that a wonder in a deck is built, and that a seat which does not win claims a card
FILTERS = (
    "", "table=Rome", "leader=Rome&seat=0", "winner=Scythia", f"card={CARDS[0]}&strategy=planner", "built=Petra",
    "claimed=Warmonger",
)  # fmt: skip
VIEWS = ("leaders", "wonders", "victory", "length", "games", "leader/Rome", "wonder/Petra", f"card/{quote(CARDS[0], safe='')}")


def named(codes: np.ndarray, labels: Any) -> pa.Array:
    """Return a column of names; negative codes are null."""
    null = codes < 0
    places = pa.array(np.where(null, 0, codes).astype(np.int8), mask=null)
    return pa.DictionaryArray.from_arrays(places, pa.array(list(labels)))


def draw(rng: np.random.Generator, first: int, n: int) -> dict[str, dict[str, Any]]:
    """Return the columns of n games by table, those that matter; the others are filled with zeros."""
    leader = np.argsort(rng.random((n, len(names.LEADERS))), axis=1)[:, :PLAYERS]
    order = (np.arange(PLAYERS)[None, :] - rng.integers(0, PLAYERS, n)[:, None]) % PLAYERS + 1
    won = np.zeros((n, PLAYERS))
    ranked = np.argsort(rng.gumbel(size=(n, PLAYERS)) + 0.1 * leader, axis=1)
    won[np.arange(n), ranked[:, -1]] = 1
    fate = rng.random(n)
    shared, open_ = np.flatnonzero(fate < SHARED), fate > 1 - UNFINISHED
    won[shared, ranked[shared, -1]] = won[shared, ranked[shared, -2]] = 0.5
    won[open_] = 0
    rounds = np.clip(rng.normal(17, 3, n), 8, 60).astype(np.int16)
    cards = np.argsort(rng.random((n, len(CARDS))), axis=1)[:, :3]
    ids = np.arange(first, first + n)
    games = {"game_id": ids, "rounds": rounds, "players": np.full(n, PLAYERS), "ending": named(1 + open_, names.ENDINGS)}
    games |= {f"card_{i + 1}": named(cards[:, i], CARDS) for i in range(3)}
    seats: dict[str, Any] = {"game_id": np.repeat(ids, PLAYERS), "seat": np.tile(np.arange(PLAYERS), n), "order": order.ravel()}
    seats |= {"leader": named(leader.ravel(), names.LEADERS), "won": won.ravel(), "cities": rng.poisson(3, n * PLAYERS)}
    seats["strategy"] = named(rng.integers(0, len(STRATEGIES), n * PLAYERS), STRATEGIES)
    place = np.tile(np.arange(len(names.WONDERS)), n)
    deck = rng.random(len(place)) < 0.75
    built = deck & (rng.random(len(place)) < BUILD)
    wonders = {
        "game_id": np.repeat(ids, len(names.WONDERS)),
        "wonder": named(place, names.WONDERS),
        "type": named(place // 6, names.FOCUS_TYPES[:4]),
        "era": named(place % 3, names.ERAS),
        "in_deck": deck,
        "round_revealed": pa.array(rng.integers(1, 9, len(place)).astype(np.int16), mask=~deck),
        "round_built": pa.array(rng.integers(5, 16, len(place)).astype(np.int16), mask=~built),
        "builder": pa.array(rng.integers(0, PLAYERS, len(place)).astype(np.int8), mask=~built),
        "owner": pa.array(rng.integers(0, PLAYERS, len(place)).astype(np.int8), mask=~built),
    }
    game, seat, slot = np.nonzero((won[:, :, None] > 0) | (rng.random((n, PLAYERS, 3)) < OTHERS_CLAIM))
    card = cards[game, slot]
    agendas = {
        "game_id": ids[game], "seat": seat, "card": named(card, CARDS), "round": rng.integers(6, 17, len(game)),
        "agenda": named(2 * card + rng.integers(0, 2, len(game)), names.AGENDAS),
    }  # fmt: skip
    return {"games": games, "seats": seats, "wonders": wonders, "agendas": agendas}


def write_run(folder: Path, games: int, shard_games: int = SHARD) -> Path:
    """Write a run of this many drawn games, if it is not there, and return its folder."""
    if (folder / "manifest.json").is_file():
        return folder
    rng = np.random.default_rng(1)
    for shard, first in enumerate(range(0, games, shard_games)):
        for name, columns in draw(rng, first, min(shard_games, games - first)).items():
            rows = len(columns["game_id"])
            arrays = [_column(columns.get(c.name), c, rows) for c in TABLES[name].columns]
            (folder / name).mkdir(parents=True, exist_ok=True)
            table = pa.Table.from_arrays(arrays, schema=TABLES[name].arrow_schema())
            (folder / name / f"part-{shard:06d}.parquet").write_bytes(parquet_bytes(table))
    plan = {"players": PLAYERS, "games": games, "seed": 1}
    (folder / "manifest.json").write_text(json.dumps({"schema_version": SCHEMA_VERSION, "plan": plan}))
    return folder


def _column(values: Any, spec: Any, rows: int) -> pa.Array:
    kind = ARROW_TYPES[spec.type]
    if values is None:
        values = pa.nulls(rows, kind) if spec.optional else np.zeros(rows) if spec.type != "category" else ["x"] * rows
    array = values if isinstance(values, pa.Array | pa.ChunkedArray) else pa.array(values)
    if spec.type == "category":
        array = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
        return array.cast(pa.dictionary(pa.int8(), pa.string()))
    return array.cast(kind)


def arrays_of(games: Games) -> Iterator[np.ndarray]:
    """Yield all columns of the games."""
    for value in vars(games).values():
        if isinstance(value, Events):
            yield from (value.at, value.what, value.when)
        elif isinstance(value, np.ndarray):
            yield value
    yield from games.numbers.values()


def bytes_of(games: Games) -> int:
    """Return the bytes of all columns."""
    return sum(array.nbytes for array in arrays_of(games))


def page_bytes(games: Games, level: int = 1) -> tuple[int, int]:
    """Return the size of the columns in a page: as base64, and as base64 of their compressed bytes."""
    packed = sum(len(base64.b64encode(zlib.compress(array.tobytes(), level))) for array in arrays_of(games))
    return bytes_of(games) * 4 // 3, packed


@click.command()
@click.option("--games", default=1_000_000, show_default=True, help="Games to draw.")
@click.option("--repeats", default=5, show_default=True, help="Times that each question is asked.")
@click.option("--keep", type=click.Path(path_type=Path), help="Folder for the drawn run; used again if it is there.")
def main(games: int, repeats: int, keep: Path | None) -> None:
    """Print how long every view takes under every filter."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = write_run(keep or Path(scratch) / "run", games)
        began = time.perf_counter()
        desk = ExplorerRuns([open_run(folder)])
        columns = desk.loaded[0].games
        seconds_read = time.perf_counter() - began
        click.echo(f"{len(columns):,} games read in {seconds_read:.1f} s; {bytes_of(columns) / 1e6:,.0f} MB of columns")
        raw, packed = page_bytes(columns)
        click.echo(f"in a page: {raw / 1e6:,.0f} MB as base64, {packed / 1e6:,.0f} MB compressed (zlib 1) and base64")
        worst = most = 0.0
        for view in VIEWS:
            for text in FILTERS:
                seconds, work = [], []
                for _ in range(repeats):
                    desk.forget()
                    began, used = time.perf_counter(), time.process_time()
                    json.dumps(desk.answer(view, text))
                    seconds.append(time.perf_counter() - began)
                    work.append(time.process_time() - used)
                worst, most = max(worst, *seconds), max(most, *work)
                took = f"{median(seconds):6.3f} s ({median(work):.3f} s of a processor)"
                click.echo(f"{view:32} {text or '(no filter)':48} {took}")
        click.echo(f"the longest of all: {worst:.3f} s ({most:.3f} s of a processor)")


if __name__ == "__main__":
    main()
