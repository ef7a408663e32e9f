"""The value of a position: each seat's chance to win, by its network (`strategies.learned.networks`).

Compiled code reaches the store of networks by a symbol, so that nothing of it is frozen into code kept on disk.
"""

from __future__ import annotations

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from newdawn.simulator.engine.core.argument_types import record_type
from newdawn.simulator.engine.core.jit import JIT_OFF, PARAMETERS, jit
from newdawn.simulator.limits import MAX_PLAYERS
from newdawn.strategies.learned.facts import N_FACTS
from newdawn.strategies.learned.networks import DEEPER, HIDDEN, NETWORK, STORE
from newdawn.strategies.learned.situation import read_situation
from newdawn.strategies.planning import weights

NETWORK_TYPE = record_type(NETWORK)
SYMBOL = "newdawn.networks"
PARAMETERS.update(net=NETWORK_TYPE, hidden=types.float32[:, ::1], chances=types.float64[::1])


@intrinsic
def _network_compiled(_context, which):  # type: ignore[no-untyped-def]
    def code(context, builder, signature, values):  # type: ignore[no-untyped-def]
        word = ir.IntType(64)
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, []), SYMBOL)
        offset = builder.mul(values[0], ir.Constant(word, NETWORK.itemsize))
        address = builder.add(builder.call(function, []), offset)
        return builder.inttoptr(address, context.get_value_type(signature.return_type))

    return NETWORK_TYPE(types.int64), code


def _network_plain(which):  # type: ignore[no-untyped-def]
    """Return the network in this place of the store, counted row by row."""
    return STORE.reshape(-1)[which]


network = _network_plain if JIT_OFF else _network_compiled
if not JIT_OFF:
    _address = STORE.ctypes.data
    _address_of_store = numba.cfunc(types.int64())(lambda: _address)
    llvm.add_symbol(SYMBOL, _address_of_store.address)


@jit
def score(net, facts, hidden, p):
    """Return the score of seat `p` by its row of facts, going on from its last score: most facts are as they were then.

    Row `p` of `hidden` holds what the first layer and, behind it, the direct weights made of the facts in row MAX_PLAYERS + `p`
    (all zero at first: `new_facts`, `new_hidden`); the row behind those of the seats is room for the second layer. Networks
    of chess programs are brought up to date like this (Y. Nasu: "Efficiently updatable neural-network-based evaluation
    functions for computer shogi", 2018).
    """
    for k in range(N_FACTS):
        change = facts[p, k] - facts[MAX_PLAYERS + p, k]
        if change != np.float32(0.0):
            facts[MAX_PLAYERS + p, k] = facts[p, k]
            hidden[p, HIDDEN] += change * net.direct[k]
            for j in range(HIDDEN):
                hidden[p, j] += change * net.first[k, j]
    for i in range(DEEPER):
        hidden[MAX_PLAYERS, i] = net.second_bias[i]
    for j in range(HIDDEN):
        unit = hidden[p, j] + net.first_bias[j]
        if unit > np.float32(0.0):
            for i in range(DEEPER):
                hidden[MAX_PLAYERS, i] += unit * net.second[j, i]
    total = hidden[p, HIDDEN]
    for i in range(DEEPER):
        if hidden[MAX_PLAYERS, i] > np.float32(0.0):
            total += hidden[MAX_PLAYERS, i] * net.third[i]
    return float(total)


def new_hidden() -> np.ndarray:
    """Return room for the units of a table (`score`): float32, shape (MAX_PLAYERS + 1, HIDDEN + 1)."""
    return np.zeros((MAX_PLAYERS + 1, HIDDEN + 1), np.float32)


@jit
def forget_scores(facts, hidden):
    """Make the next scores begin anew: so they depend on nothing else that was scored before, and on no other network."""
    for p in range(MAX_PLAYERS):
        for k in range(N_FACTS):
            facts[MAX_PLAYERS + p, k] = 0.0
        for j in range(HIDDEN + 1):
            hidden[p, j] = 0.0


@jit
def read_chances(r, g, w, seat, facts, hidden, chances):
    """Fill the chances of all seats to win, between two turns, by the network of a seat; return that seat's."""
    net = network(int(g.weights[seat, weights.NETWORK]) * (MAX_PLAYERS + 1) + int(g.players))
    read_situation(r, g, w, facts)
    total = 0.0
    mine = score(net, facts, hidden, seat)
    for p in range(g.players):
        chances[p] = 1.0 if p == seat else np.exp(score(net, facts, hidden, p) - mine)
        total += chances[p]
    for p in range(g.players):
        chances[p] /= total
    return chances[seat]
