"""The value of a position: networks, each seat's chance to win by its own, and what it likes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...simulator import names
from ...simulator.engine import state
from ...simulator.engine.choosing import exp
from ...simulator.engine.compile.argument_types import declare_parameters, record_dtype, record_type
from ...simulator.engine.compile.jit import JIT_OFF, column, inline, jit
from ...simulator.engine.pieces import wonder_held
from ..planning import weights
from .facts import N_FACTS
from .situation import read_situation

# --- Value networks
#
# Their form, and those in use.

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
STORE = np.zeros((PLACES, names.MAX_PLAYERS + 1), NETWORK).view(np.recarray)


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


# --- The value of a position
#
# Each seat's chance to win by its network (`strategies.learned.networks`), and its tastes.
#
# The worth of a way of the turn is the chance to win that it leads to, plus its gain by the seat's tastes (weights.TASTE, per
# mille a piece). So a player with a taste still plays to win, but follows its taste where that costs little.

SATED = 40  # attacks won that a taste for war counts at most; else two players could take from each other for ever

NETWORK_TYPE, network = stored("newdawn.networks", STORE, NETWORK)
SCORE, SCORED = HIDDEN + 1, HIDDEN + 2  # places behind the units of a seat (`score`)

# A position as a network judges it. Compiled code passes a field on as an array by a slice of all of it: `facts[:]`.
EVALUATION = record_dtype(
    [
        ("facts", "f4", (2 * names.MAX_PLAYERS, N_FACTS)),  # by seat, and behind them those last scored
        ("hidden", "f4", (names.MAX_PLAYERS + 1, SCORED + 1)),  # units by seat (`score`), and those of the second layer
        ("chances", "f8", (names.MAX_PLAYERS,)),  # of each seat to win
    ]
)
EVALUATION_TYPE = record_type(EVALUATION)

declare_parameters(
    __name__, net=NETWORK_TYPE, facts=types.float32[:, ::1], hidden=types.float32[:, ::1], evaluation=EVALUATION_TYPE
)


@inline
def next_change(facts, p, k):
    """Return the first fact of seat `p`, from the `k`-th on, that has changed since the seat was last scored."""
    while k < N_FACTS and facts[p, k] == facts[names.MAX_PLAYERS + p, k]:
        k += 1
    return k


@inline
def take_change(facts, p, k):
    """Return the change of a fact of seat `p` since the seat was last scored, and note the new value."""
    change = facts[p, k] - facts[names.MAX_PLAYERS + p, k]
    facts[names.MAX_PLAYERS + p, k] = facts[p, k]
    return change


@inline
def bring_up_to_date(net, facts, hidden, p):
    """Add the changed facts of seat `p` to its first layer and direct sum, two at a time: memory access takes the time."""
    k = next_change(facts, p, 0)
    while k < N_FACTS:
        x = take_change(facts, p, k)
        hidden[p, HIDDEN] += x * net.direct[k]
        other = next_change(facts, p, k + 1)
        if other == N_FACTS:
            for j in range(HIDDEN):
                hidden[p, j] += x * net.first[k, j]
            return
        y = take_change(facts, p, other)
        hidden[p, HIDDEN] += y * net.direct[other]
        for j in range(HIDDEN):
            hidden[p, j] = hidden[p, j] + x * net.first[k, j] + y * net.first[other, j]
        k = next_change(facts, p, other + 1)


@inline
def unit(net, hidden, p, j):
    """Return the input of unit `j` of the first layer of seat `p`, which is active if it is positive."""
    return hidden[p, j] + net.first_bias[j]


@inline
def next_unit(net, hidden, p, j):
    """Return the first active unit of seat `p` from the `j`-th on."""
    while j < HIDDEN and unit(net, hidden, p, j) <= np.float32(0.0):
        j += 1
    return j


@inline
def read_second_layer(net, hidden, p):
    """Fill the second layer of seat `p` from two active units at a time."""
    for i in range(DEEPER):
        hidden[names.MAX_PLAYERS, i] = net.second_bias[i]
    j = next_unit(net, hidden, p, 0)
    while j < HIDDEN:
        a = unit(net, hidden, p, j)
        k = next_unit(net, hidden, p, j + 1)
        if k == HIDDEN:
            for i in range(DEEPER):
                hidden[names.MAX_PLAYERS, i] += a * net.second[j, i]
            return
        b = unit(net, hidden, p, k)
        for i in range(DEEPER):
            hidden[names.MAX_PLAYERS, i] = hidden[names.MAX_PLAYERS, i] + a * net.second[j, i] + b * net.second[k, i]
        j = next_unit(net, hidden, p, k + 1)


@jit
def score(net, facts, hidden, p):
    """Return the score of seat `p` by its row of facts, updated from its last score by the changed facts.

    Row `p` of `hidden` holds the first layer and the direct sum for the facts in row MAX_PLAYERS + `p` (all zero at first:
    `new_evaluation`), then the score and whether there is one; the last row is room for the second layer. As in chess
    programs (Y. Nasu: "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018).
    """
    if hidden[p, SCORED] != np.float32(0.0) and next_change(facts, p, 0) == N_FACTS:
        return float(hidden[p, SCORE])
    bring_up_to_date(net, facts, hidden, p)
    read_second_layer(net, hidden, p)
    total = hidden[p, HIDDEN]
    for i in range(DEEPER):
        if hidden[names.MAX_PLAYERS, i] > np.float32(0.0):
            total += hidden[names.MAX_PLAYERS, i] * net.third[i]
    hidden[p, SCORE] = total
    hidden[p, SCORED] = np.float32(1.0)
    return float(total)


def new_evaluation() -> np.record:
    """Return room for an evaluation, without scores."""
    return np.zeros(1, EVALUATION).view(np.recarray)[0]


@jit
def forget_scores(evaluation):
    """Reset the scores, so that the next ones depend on no earlier position and no other network."""
    evaluation.facts[names.MAX_PLAYERS :] = 0.0
    evaluation.hidden[: names.MAX_PLAYERS] = 0.0


@jit
def read_chances(r, g, w, seat, evaluation):
    """Fill the chances of all seats to win, between two turns, by a seat's network; return that seat's chance."""
    facts, hidden, chances = evaluation.facts[:], evaluation.hidden[:], evaluation.chances
    net = network(int(g.weights[seat, weights.NETWORK]) * (names.MAX_PLAYERS + 1) + int(g.players))
    read_situation(r, g, w, facts)
    total = 0.0
    mine = score(net, facts, hidden, seat)
    for p in range(g.players):
        chances[p] = 1.0 if p == seat else exp(score(net, facts, hidden, p) - mine)
        total += chances[p]
    for p in range(g.players):
        chances[p] /= total
    return chances[seat]


# --- tastes


@jit
def wars_won(g, p):
    """Return how many attacks on rivals' pieces seat `p` has won: tokens, cities, capitals; in Terra Incognita also figures."""
    won = 0
    for target in range(state.TARGET_TOKEN, names.N_TARGETS):
        won += g.stat_attacks_won[p, target]
    return won


@jit
def learned(r, g, p):
    """Return how far seat `p` is in technology: spaces of the dial reached, and the levels of its focus cards."""
    far = int(g.dial_reached[p])
    for place in range(r.slots):
        card = int(g.card[p, g.row[p, place]])
        far += r.card_level[card] if card >= 0 else 0
    return far


@jit
def traded(r, g, p):
    """Return how many caravans of seat `p` have arrived, and how many diplomacy cards of others it holds."""
    trades = g.stat_arrivals[p, 0] + g.stat_arrivals[p, 1]
    for i in range(r.n_city_states):
        trades += 1 if g.city_state_cards[i, p] != 0 else 0
    for giver in range(g.players):
        for card in range(min(names.MAX_DIPLOMACY, int(r.n_diplomacy))):
            trades += 1 if giver != p and g.diplomacy[giver, card] == p else 0
    return trades


@jit
def pieces_liked(r, g, p, taste):
    """Return how many pieces of a taste (weights.TASTES) seat `p` has."""
    if taste == weights.WAR:
        return min(SATED, wars_won(g, p))
    if taste == weights.WONDERS:
        return wonder_held(r, g, p, -1)
    if taste == weights.CITIES:
        return int(g.city_count[p])
    if taste == weights.TECHNOLOGY:
        return learned(r, g, p)
    return traded(r, g, p)


@jit
def taste_of(r, g, p):
    """Return the worth of seat `p`'s pieces by its tastes, in units of the chance to win."""
    liked = 0.0
    for taste in range(weights.N_TASTES):
        liking = g.weights[p, weights.TASTE + taste]
        if liking != 0:
            liked += liking / 1000.0 * pieces_liked(r, g, p, taste)
    return liked


# --- A seat's chance to win by its own value network, for the table `rounds` of a run


@column
def chance_to_win(r, g, w, seat):
    """Return the seat's chance to win by its network, -1 for a seat that has none."""
    if g.weights[seat, weights.NETWORK] == 0:
        return -1.0
    evaluations = np.empty(1, EVALUATION)
    forget_scores(evaluations[0])
    read_chances(r, g, w, seat, evaluations[0])
    return evaluations["chances"][0, seat]  # read from the array, which numba frees after its own last use, not its records'
