"""Value networks as data: their form, and where they lie while games are played (`network_files` reads and writes them).

One hidden layer of HIDDEN rectified units gives each seat a score from its facts (`strategies.learned.facts`); the chances
to win are the softmax of the scores of the table. There is a file for each number of players, `NAME_4p.npz` and so on,
written by `newdawn strategies train`. The networks in use lie in `STORE`, outside the game, because a game holds only what
belongs to it; a seat's weight `weights.NETWORK` is their place there.
"""

from __future__ import annotations

import numpy as np

from newdawn.simulator.limits import MAX_PLAYERS
from newdawn.strategies.learned.facts import N_FACTS

HIDDEN = 48
PLACES = 64  # networks that can be in use at a time, each for every number of players

NETWORK = np.dtype(
    [
        ("first", "f4", (N_FACTS, HIDDEN)),  # from facts to hidden units
        ("first_bias", "f4", (HIDDEN,)),
        ("second", "f4", (HIDDEN,)),  # from hidden units to the score
        ("direct", "f4", (N_FACTS,)),  # from facts to the score
    ],
    align=True,
)
PARTS = ("first", "first_bias", "second", "direct")
STORE = np.zeros((PLACES, MAX_PLAYERS + 1), NETWORK).view(np.recarray)


def new_network() -> np.record:
    """Return a network of zeros."""
    return np.zeros(1, NETWORK).view(np.recarray)[0]


def chances(net: np.record, facts: np.ndarray) -> np.ndarray:
    """Return the chances to win by the network, in plain NumPy: facts (…, seats, N_FACTS) to (…, seats)."""
    hidden = np.maximum(0.0, facts @ net.first + net.first_bias)
    scores = hidden @ net.second + facts @ net.direct
    odds = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return odds / odds.sum(axis=-1, keepdims=True)
