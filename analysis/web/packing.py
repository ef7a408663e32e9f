"""The games of a run in few bytes: typed columns, each compressed as a browser can read it (games/packed.js).

A column is rows of whole numbers, written in one, two or four bytes each. What happens at most once for a name, a world wonder
built say, has a row for each name with a number for each game, its round, 0 where it did not happen. What only that has, such
as the builder, is a list in the order of these rows.
"""

from __future__ import annotations

import zlib

import numpy as np

from ...simulator.errors import UserError
from ..tables.columns import Events, Games

KINDS: dict[str, type[np.integer]] = {"u1": np.uint8, "u2": np.uint16, "i4": np.int32}
STRATEGIES = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE)
NO_CARD = 255


def squeezed(content: bytes) -> bytes:
    """Return the bytes as `deflate-raw`, by the strategy that needs the fewest."""
    found = []
    for strategy in STRATEGIES:
        maker = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, strategy)
        found.append(maker.compress(content) + maker.flush())
    return min(found, key=len)


def kind_of(column: np.ndarray) -> str:
    """Return the narrowest kind that holds the numbers of a column."""
    low, high = int(column.min(initial=0)), int(column.max(initial=0))
    return next(kind for kind, of in KINDS.items() if np.iinfo(of).min <= low and high <= np.iinfo(of).max)


def written(column: np.ndarray) -> tuple[str, bytes]:
    """Return a column's kind and its bytes, the least one first."""
    kind = kind_of(column)
    return kind, np.ascontiguousarray(column, np.dtype(KINDS[kind]).newbyteorder("<")).tobytes()


def packed(games: Games) -> dict[str, np.ndarray]:
    """Return the columns of the games, by name; raise UserError if a seat is empty."""
    n, players = games.leader.shape
    if not games.there.all():
        raise UserError("one file: a seat of these games has no row; expected the games of `newdawn run`")
    there = games.cards >> np.arange(len(games.words.card))[:, None] & 1
    in_play = np.full((there.sum(axis=0).max(initial=0), n), NO_CARD)
    code, at = np.nonzero(there)
    in_play[there.cumsum(axis=0)[code, at] - 1, at] = code
    found = {
        "id": games.game_id, "rounds": games.rounds, "decided": games.decided, "cards": in_play, "leader": games.leader.T,
        "strategy": games.strategy.T, "order": games.order.T, "won": games.won.T,
        "deck": games.deck >> np.arange(len(games.words.wonder))[:, None] & 1,
    }  # fmt: skip
    if n and np.array_equal(found["id"], np.arange(found["id"][0], found["id"][0] + n)):
        found["id"] = found["id"][:1]  # one after the other
    found["revealed"] = _grid(games.revealed, len(games.words.wonder), n)
    found["built"], found["builder"] = _by_seat(games.built, len(games.words.wonder), n, players)
    # Hardly anything changes hands that was not built: what does is a list by itself.
    captures, stands = _grid(games.captured, len(games.words.wonder), n), found["built"] > 0
    found["captures"] = captures[stands]
    found["stray"] = np.stack([*np.nonzero(captures * ~stands), captures[(captures > 0) & ~stands]])
    claims, layer = games.claims, 0
    while len(claims.at):
        # Of the claims by one agenda and one seat, hardly ever more than one a game, each has a layer.
        code = claims.what.astype(np.int64) * (n * players) + claims.at
        _, first = np.unique(code, return_index=True)
        one = Events(claims.at[first], claims.what[first], claims.when[first])
        found[f"claims{layer}"] = _grid(one, len(games.words.agenda), n * players)
        rest = np.setdiff1d(np.arange(len(code)), first)
        claims, layer = Events(claims.at[rest], claims.what[rest], claims.when[rest]), layer + 1
    return {name: np.asarray(column).astype(np.int64) for name, column in found.items()}


def _grid(events: Events, names: int, places: int) -> np.ndarray:
    """Return by name and place when something happened, 0 where it did not."""
    grid = np.zeros((names, places), np.int16)
    grid[events.what, events.at] = events.when
    return grid


def _by_seat(events: Events, names: int, n: int, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return by name and game when something happened, and the seats, in that order."""
    when, who = np.zeros((names, n), np.int16), np.zeros((names, n), np.int8)
    when[events.what, events.at // players] = events.when
    who[events.what, events.at // players] = events.at % players
    return when, who[when > 0]
