"""From the rows of a shard to arrays by game and seat: lookups without joins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd


def places(known: Any, wanted: Any) -> np.ndarray:
    """Return where in `known` (all different, in any order) each of the `wanted` numbers is; all must be there."""
    known, wanted = np.asarray(known), np.asarray(wanted)
    if len(known) and known[-1] - known[0] == len(known) - 1 and np.all(known[1:] > known[:-1]):
        return wanted - known[0]  # consecutive, as in the shards of a run
    order = np.argsort(known)
    return np.asarray(order[np.searchsorted(known[order], wanted)])


def encode(column: pd.Series, known: list[str]) -> np.ndarray:
    """Return the codes of a column's values in `known`, which grows by new values; -1 for null."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        values, local = list(column.cat.categories), column.cat.codes.to_numpy()
    else:
        local, uniques = pd.factorize(column)
        values = list(uniques)
    for i in np.unique(local[local >= 0]):
        if str(values[i]) not in known:
            known.append(str(values[i]))
    lookup = np.array([known.index(str(value)) if str(value) in known else -1 for value in values] + [-1])
    return np.asarray(lookup[local])


def card_bits(games: pd.DataFrame, columns: list[str], known: list[str]) -> np.ndarray:
    """Return the victory cards in play in each game, one bit each, by their codes in `known`."""
    bits = np.zeros(len(games), np.int64)
    for name in columns:
        code = encode(games[name], known)
        bits |= np.where(code >= 0, 1 << np.maximum(code, 0), 0)
    return bits


def bit_names(bits: int, known: list[str], joint: str) -> str:
    """Return the names of the bits in alphabetical order, or 'none'."""
    return joint.join(sorted(word for i, word in enumerate(known) if int(bits) >> i & 1)) or "none"
