"""Options as actions of a fixed space: what is legal is a mask over it.

Action 0 is to pass. Any other is 1 + the number of the option, as engine/core/decisions.py explains it: 1 + the space, 1 + the
place in the row … Places on the plane and pairs of spaces are too many for that: there the action is 1 + the place of the
option in its list, which the observation has.
"""

import numpy as np
from numba import types

from ..engine.core import decisions, state
from ..engine.core.argument_types import WORK_TYPE, declare_parameters
from ..engine.core.jit import inline, jit, record_from
from ..engine.core.rng import GAMMA, below_bits, mix

NO_OPTION = -1
SEAT, KIND, OPTIONS, ASKED = range(4)  # columns of `asked`: what each game waits for; no options: it is over

work_at = record_from(WORK_TYPE, state.WORK)

declare_parameters(
    __name__,
    works_at=types.int64[::1],
    asked=types.int64[:, ::1],
    actions=types.int64[::1],
    chosen_options=types.int64[::1],
)


@inline
def is_listed(kind):
    """Is an option of the kind told by its place in the list?"""
    return (
        kind == decisions.PLACE_TILE
        or kind == decisions.MOVE_TOKEN
        or kind == decisions.PLACE_FORT
        or kind == decisions.WATER_SPACE
    )


@inline
def action_of(w, kind, k):
    """Return the action that option `k` of the question is."""
    if w.option[k] == decisions.PASS:
        return 0
    return 1 + (k if is_listed(kind) else w.option[k])


@jit
def option_of(w, kind, n, action):
    """Return the index of the option that an action is, NO_OPTION if it is none of the question's."""
    if action > 0 and is_listed(kind):
        k = action - 1
        return k if k < n and action_of(w, kind, k) == action else NO_OPTION
    for k in range(n):
        if action_of(w, kind, k) == action:
            return k
    return NO_OPTION


@jit
def options_of(works_at, asked, actions, chosen_options):
    """Write the options that the actions of all games are; return the first game that has no such option, -1 if all have."""
    for i in range(len(asked)):
        chosen_options[i] = option_of(work_at(works_at[i]), asked[i, KIND], asked[i, OPTIONS], actions[i])
        if chosen_options[i] == NO_OPTION:
            return i
    return -1


@jit
def draw_actions(works_at, asked, u, actions):
    """Draw a legal action for each game from 64 random bits for all of them."""
    for i in range(len(asked)):
        k = below_bits(mix(u + np.uint64(i) * GAMMA), asked[i, OPTIONS])
        actions[i] = action_of(work_at(works_at[i]), asked[i, KIND], k)
