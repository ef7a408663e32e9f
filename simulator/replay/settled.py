"""Where the cities of a run stand: a sample of its games played again, seen from each capital."""

from __future__ import annotations

from dataclasses import replace
from math import atan2, pi, sqrt
from typing import Any

import numpy as np
import pandas as pd

from .. import names
from ..batch import folder, manifest
from ..batch.places import Place
from ..batch.run import Player
from ..batch.verify import sample_games
from ..compile_cache import same_games, source_digest
from ..errors import UserError

COLUMNS = ("game_id", "seat", "won", "q", "r", "city")


def settled(out: Place, games: int) -> pd.DataFrame:
    """Replay about so many games, spread over the finished ones, and return the spaces of their last boards.

    A row is one space of the map seen from one seat: `q`, `r` are its axial coordinates from the seat's capital, turned
    in steps of 60° so that the middle of the map lies to the east; `city` says whether a city of the seat, other than
    the capital, stands there at the end. The capital's own space is left out. Raises UserError if the run was played by
    another version of the program.
    """
    run = manifest.playable(out)
    if not same_games(run.engine):
        raise UserError(
            f"{out}: was played by another version of this program (engine {run.engine}, this is {source_digest()}), "
            "so its games cannot be replayed"
        )
    r = run.ruleset.compile()
    finished = folder.finished(out)
    done = [shard for shard in run.shards if shard.index in finished]
    players: dict[int, Player] = {}
    parts = []
    for shard, places in sample_games(done, games):
        if shard.seed not in players:
            players[shard.seed] = Player(replace(run.plan, seed=shard.seed), r)
        player = players[shard.seed]
        rows = player.rows(1)
        for at in places:
            player.play(shard.game + at, 1, rows, 0, 0)
            for seat, row in enumerate(rows.seats):
                parts.append(_seen_from(player.states[0], seat, shard.first_id + at, row))
    columns = np.concatenate(parts, axis=1) if parts else np.zeros((len(COLUMNS), 0))
    frame = pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))
    return frame.astype(dict.fromkeys(["game_id", "seat", "q", "r"], np.int64) | {"city": bool})


def _seen_from(g: Any, seat: int, game_id: int, row: Any) -> np.ndarray:
    """Return the spaces of a finished game as one seat sees them: (columns, spaces)."""
    n, capital = int(g["n_spaces"]), int(g["capital"][seat])
    assert g["piece"][capital] == names.CAPITAL
    q = g["axial_q"][:n].astype(np.int64) - int(g["axial_q"][capital])
    r = g["axial_r"][:n].astype(np.int64) - int(g["axial_r"][capital])
    q, r = turned(q, r, sixths_to_east(float(q.mean()), float(r.mean())))
    city = np.zeros(n)
    city[g["cities"][seat][: int(g["city_count"][seat])]] = 1
    same = [np.full(n, value) for value in (game_id, seat, row["won"])]
    return np.delete(np.stack([*same, q, r, city]), capital, axis=1)


def sixths_to_east(q: float, r: float) -> int:
    """Return by how many steps of 60° clockwise to turn so that the point comes to lie as near to the east as can be."""
    # Pointy-top hexagons, r to the south-east, y downwards: angles grow clockwise.
    angle = atan2(r * sqrt(3) / 2, q + r / 2)
    return round(-angle / (pi / 3)) % 6


def turned(q: np.ndarray, r: np.ndarray, sixths: int) -> tuple[np.ndarray, np.ndarray]:
    """Turn axial coordinates clockwise around (0, 0)."""
    for _ in range(sixths):
        q, r = -r, q + r
    return q, r
