"""A run folder written by hand, of which every answer is known."""

import json

import numpy as np
import pyarrow as pa

from newdawn.simulator.runs.run_folder import ARROW_TYPES, SCHEMA_VERSION, TABLES, parquet_bytes

CARDS = ["Civilized / Money Grubber", "Populous / Preservationist", "Technophile / Scholarly"]


def column(spec, values):
    if spec.type == "category":
        array = pa.array(values, pa.string()).dictionary_encode()
        return array.cast(pa.dictionary(pa.int8(), pa.string()))
    return pa.array(values, ARROW_TYPES[spec.type])


def write_table(folder, name, shard, rows):
    table = TABLES[name]
    defaults = {"category": "x", "bool": False, "float64": 0.0}
    values = {c.name: [row.get(c.name, None if c.optional else defaults.get(c.type, 0)) for row in rows] for c in table.columns}
    arrays = [column(c, values[c.name]) for c in table.columns]
    (folder / name).mkdir(parents=True, exist_ok=True)
    content = parquet_bytes(pa.Table.from_arrays(arrays, schema=table.arrow_schema()))
    (folder / name / f"part-{shard:06d}.parquet").write_bytes(content)


def write_run(folder, games=200, shard=60):
    """Write `games` two-player games: Rome (seat 0) against Egypt (seat 1).

    Of every 10 games Rome wins 6, Egypt 2, one is shared and one unfinished. Rome builds Petra in round 5 or 7 of
    every game, Egypt the Oracle in every other game in round 9; the Kremlin is in no deck. The winner claims the three
    cards, by Civilized, Preservationist and Technophile; in every fifth game Egypt claims the first card by Money
    Grubber, too.
    """
    folder.mkdir(parents=True)
    for index, first in enumerate(range(0, games, shard)):
        rows = {name: [] for name in TABLES}
        for k in range(first, min(first + shard, games)):
            add_game(rows, k)
        for name in TABLES:
            write_table(folder, name, index, rows[name])
    plan = {"players": 2, "games": games, "seed": 1}
    (folder / "manifest.json").write_text(json.dumps({"schema_version": SCHEMA_VERSION, "plan": plan}))
    return folder


def add_game(rows, k):
    kind = k % 10
    shares = (1.0, 0.0) if kind < 6 else (0.0, 1.0) if kind < 8 else (0.5, 0.5) if kind == 8 else (0.0, 0.0)
    ending = "round_cap" if kind == 9 else "victory"
    cards = {f"card_{i + 1}": card for i, card in enumerate(CARDS)}
    rows["games"].append({"game_id": k, "players": 2, "rounds": 10 + kind, "ending": ending, **cards})
    for seat, leader in enumerate(("Rome", "Egypt")):
        order = 1 + (seat + k) % 2
        rows["seats"].append(
            {"game_id": k, "seat": seat, "leader": leader, "strategy": "s", "order": order, "won": shares[seat]}
        )
    oracle = k % 2 == 0
    for wonder, in_deck, built, builder in (
        ("Petra", True, 5 + 2 * (k % 2), 0),
        ("Oracle", True, 9 if oracle else None, 1 if oracle else None),
        ("Kremlin", False, None, None),
    ):
        seen = 1 if in_deck else None
        facts = {
            "type": "t",
            "era": "e",
            "in_deck": in_deck,
            "round_revealed": seen,
            "captures": int(wonder == "Petra"),
        }
        rows["wonders"].append({"game_id": k, "wonder": wonder, "round_built": built, "builder": builder, **facts})
    for seat in np.flatnonzero(shares):
        for card, agenda in zip(CARDS, ("Civilized", "Preservationist", "Technophile"), strict=True):
            rows["agendas"].append({"game_id": k, "seat": int(seat), "card": card, "agenda": agenda, "round": 4})
    if k % 5 == 0 and shares[1] == 0:
        rows["agendas"].append({"game_id": k, "seat": 1, "card": CARDS[0], "agenda": "Money Grubber", "round": 8})
