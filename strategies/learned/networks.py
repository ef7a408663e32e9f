"""Value networks as data: their form, and where they lie while games are played (`network_files` reads and writes them).

Two hidden layers of rectified units give each seat a score from its facts (`strategies.learned.facts`); the chances to win
are the softmax of the scores of the table. There is a file for each number of players, `NAME_4p.npz` and so on, written by
`newdawn strategies train`. The networks in use lie in `STORE`, outside the game, because a game holds only what belongs to
it; a seat's weight `weights.NETWORK` is their place there.
"""

from __future__ import annotations

import numpy as np

from ...simulator import limits
from .facts import N_FACTS

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
