"""Value networks: their form, and those in use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...simulator import limits
from ...simulator.engine.compile.argument_types import record_type
from ...simulator.engine.compile.jit import JIT_OFF
from .facts import N_FACTS

# --- Value networks as data (`network_files` reads and writes them)
#
# Two hidden layers of rectified units give each seat a score from its facts (`strategies.learned.facts`); the chances to win
# are the softmax of the scores of the table. There is a file for each number of players, `NAME_4p.npz` and so on, written by
# `newdawn strategies train`. The networks in use lie in `STORE`, outside the game, because a game holds only what belongs to
# it; a seat's weight `weights.NETWORK` is their place there.

HIDDEN = 96  # units of the first layer
DEEPER = 32  # and of the second
PLACES = 64  # networks that can be in use at a time, each for every number of players

NETWORK = np.dtype(
    [
        ("first", "f4", (N_FACTS, HIDDEN)),  # from facts to the first layer
        ("first_bias", "f4", (HIDDEN,)),
        ("second", "f4", (HIDDEN, DEEPER)),  # from there to the second
        ("second_bias", "f4", (DEEPER,)),
        ("third", "f4", (DEEPER,)),  # from there to the score
        ("direct", "f4", (N_FACTS,)),  # from facts to the score
    ],
    align=True,
)
PARTS = ("first", "first_bias", "second", "second_bias", "third", "direct")
STORE = np.zeros((PLACES, limits.MAX_PLAYERS + 1), NETWORK).view(np.recarray)


def new_network() -> np.record:
    """Return a network of zeros."""
    return np.zeros(1, NETWORK).view(np.recarray)[0]


def chances(net: np.record, facts: np.ndarray) -> np.ndarray:
    """Return the chances to win by the network, in plain NumPy: facts (…, seats, N_FACTS) to (…, seats)."""
    hidden = np.maximum(0.0, facts @ net.first + net.first_bias)
    deeper = np.maximum(0.0, hidden @ net.second + net.second_bias)
    scores = deeper @ net.third + facts @ net.direct
    odds = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return odds / odds.sum(axis=-1, keepdims=True)


# --- Networks in use, for compiled code: an array of records behind a symbol
#
# So cached code holds nothing of the array, which can be filled while games are played.


def stored(symbol: str, store: np.ndarray, dtype: np.dtype) -> tuple[types.Type, Callable[..., Any]]:
    """Return the numba type of the records of a store, and a function that returns one by its place, counted row by row."""
    kind = record_type(dtype)

    def plain(which):  # type: ignore[no-untyped-def]
        return store.reshape(-1)[which]

    if JIT_OFF:
        return kind, plain

    @intrinsic
    def compiled(_context, which):  # type: ignore[no-untyped-def]
        def code(context, builder, signature, values):  # type: ignore[no-untyped-def]
            word = ir.IntType(64)
            # Declared as a function that is never called, because symbols of functions may lie anywhere in memory.
            start = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, []), symbol)
            offset = builder.mul(values[0], ir.Constant(word, store.itemsize))
            address = builder.add(builder.ptrtoint(start, word), offset)
            return builder.inttoptr(address, context.get_value_type(signature.return_type))

        return kind(types.int64), code

    llvm.add_symbol(symbol, store.ctypes.data)
    return kind, compiled
