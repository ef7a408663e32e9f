"""A seat's chance to win by its own value network, for the table `rounds` of a run."""

from __future__ import annotations

import numpy as np

from ...simulator import limits
from ...simulator.engine.compile.counters import column
from ..planning import weights
from .facts import N_FACTS
from .value import ROOM, forget_scores, read_chances


@column
def chance_to_win(r, g, w, seat):
    """Return the seat's chance to win by its network, -1 for a seat that has none."""
    if g.weights[seat, weights.NETWORK] == 0:
        return -1.0
    facts = np.empty((2 * limits.MAX_PLAYERS, N_FACTS), np.float32)
    hidden = np.empty((limits.MAX_PLAYERS + 1, ROOM), np.float32)
    forget_scores(facts, hidden)
    return read_chances(r, g, w, seat, facts, hidden, np.empty(limits.MAX_PLAYERS))
