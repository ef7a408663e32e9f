"""Policy networks as data: their form, and where they lie while games are played (`policy` asks them).

Two hidden layers of rectified units score an option of a choice by the situation it is made in (the facts of the seat, the
mean of its rivals', what its plan needs) and by the option's own marks. The first layer is a sum of both, so that the
situation's share of it is worked out once a turn.
"""

from __future__ import annotations

import numpy as np

from ...simulator import limits, names
from .facts import N_FACTS
from .marks import N_MARKS
from .networks import PLACES

UNITS = 64  # of the first layer
DEEPER = 32  # and of the second
COMPARED = 6  # options of a choice at most
SCALE = 20.0  # scores for a chance to win of one: a score of one is a chance of 5%
N_NEEDS = 7 + 2 * names.N_TYPES  # what the plan adds to the facts (`policy.read_turn`): needs, those by type, worths by type
N_SITUATION = 2 * N_FACTS + N_NEEDS  # own facts, rivals' facts, needs

POLICY = np.dtype(
    [
        ("situation", "f4", (N_SITUATION, UNITS)),  # from the situation to the first layer
        ("marks", "f4", (N_MARKS, UNITS)),  # from the option to the first layer
        ("first_bias", "f4", (UNITS,)),
        ("second", "f4", (UNITS, DEEPER)),
        ("second_bias", "f4", (DEEPER,)),
        ("third", "f4", (DEEPER,)),  # from the second layer to the score
        ("direct", "f4", (N_MARKS,)),  # from the option to the score
    ],
    align=True,
)
PARTS = ("situation", "marks", "first_bias", "second", "second_bias", "third", "direct")
STORE = np.zeros((PLACES, limits.MAX_PLAYERS + 1), POLICY).view(np.recarray)


def new_policy() -> np.record:
    """Return a policy of zeros."""
    return np.zeros(1, POLICY).view(np.recarray)[0]


def scores(net: np.record, situations: np.ndarray, marks: np.ndarray) -> np.ndarray:
    """Return the scores of options by the policy, in plain NumPy: situations (…, N_SITUATION), marks (…, options, N_MARKS)."""
    units = (situations @ net.situation + net.first_bias)[..., None, :] + marks @ net.marks
    deeper = np.maximum(0.0, np.maximum(0.0, units) @ net.second + net.second_bias)
    return deeper @ net.third + marks @ net.direct
