"""Why a bot chose, for readers of a replay: strategies that choose as others do and record what they compare in ``w.asked``.

The planner compares worths (`strategies.planning.planner`). A learned player compares cards by the chance to win that they lead
to, less a penalty for a low first rating (CHANCES). For its other choices, and for all choices of players with tastes or
against a rival, who compare more than chances, the planner's worths are recorded, from which it may depart.
"""

from typing import Any

import numpy as np
from numba import types

from ..simulator import names
from ..simulator.engine import decisions, state
from ..simulator.engine.compile.argument_types import declare_parameters
from ..simulator.engine.compile.jit import jit, strategy
from .learned.candidate_turns import choose_way
from .learned.lookahead import UNSEEN, choose_card, choose_learned
from .planning import weights
from .planning.planner import choose_planner, choose_planner_explained, is_explained, keep_worths

declare_parameters(__name__, hopes=types.float64[::1])


@jit
def keep_chances(w, n, first, hopes):
    """Replace the worths of the `n` cards recorded last, from `first` on, by chances to win, per mille."""
    w.asked[w.asked_n - 1, 0] |= state.CHANCES
    for k in range(n):
        chance = hopes[w.option[k]]
        w.asked_options[first + 3 * k + 1] = state.UNTRIED if chance == UNSEEN else round(1000.0 * chance)


@jit
def is_worth_its_chance(g, p):
    """Does seat `p` compare ways of the turn by its chance to win only?"""
    for taste in range(weights.N_TASTES):
        if g.weights[p, weights.TASTE + taste] != 0:
            return False
    return g.weights[p, weights.AGAINST] == 0


@strategy
def choose_learned_explained(r, g, w, seat, kind, n, u):
    """Choose as `choose_learned` does, and record the chances of cards and the planner's other worths."""
    asked, first = w.asked_n, w.asked_options_n
    if is_explained(kind, n):
        keep_worths(r, g, w, seat, kind, n)
    if kind != decisions.CARD:
        return choose_way(r, g, w, seat, kind, n, u)
    hopes = np.empty(names.MAX_SLOTS)
    picked = choose_card(r, g, w, seat, n, u, hopes)
    if w.asked_n > asked and is_worth_its_chance(g, seat):
        keep_chances(w, n, first, hopes)
    return picked


EXPLAINED = {choose_planner: choose_planner_explained, choose_learned: choose_learned_explained}


def explained(choose: Any) -> Any:
    """Return the function that chooses like `choose` and records what it compares; `choose` itself if it compares nothing."""
    return EXPLAINED.get(choose, choose)
