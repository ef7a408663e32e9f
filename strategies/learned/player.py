"""The learned players: they try their turn before they play it, and take the way that leaves them the best position.

At the choice of its card a learned player plays the turn in copies of the game, with several cards and, with those that look
best, with other options at the steps that give the turn its direction: another space for the token or the city, a world
wonder instead of a city, another target, reinforcing instead of attacking, another upgrade (`strategies.learned.ways`). A
network that has learned from games, and from playing such turns on, says how likely each position at the end of the turn is
to win (`strategies.learned.value`). Opening, and everything that is not the choice of a card or of the first steps after it,
are the planner's.

Quick leaves it at that: what rivals threaten it sees by their odds. The adept tries more ways and judges half by where its own
next turn leaves it. The thinker and the master play the best ways on, with
planners on all seats, until just before their own next turn, again and again with other dice, and let the network judge
these positions; simulations are shared out by sequential halving (`strategies.learned.lookahead`). The thinker has a small
budget of simulations, the master a large one: slow, for checking what others miss. The weights `simulat*` hold the budgets.

The styles are quick with a taste (weights `taste_*`): what a way of the turn adds of it counts beside the chance to win.
"""

import numpy as np
from numba import types

from ...simulator import limits
from ...simulator.engine.core import decisions
from ...simulator.engine.core.argument_types import declare_parameters
from ...simulator.engine.core.jit import jit, strategy
from ..planning import restrictions, weights
from ..planning.plan import make_plan
from ..planning.planner import plan_is_old
from .lookahead import UNSEEN, best_way
from .ways import WAYS, allowed_way, choose_way, random_way, set_way, strays

declare_parameters(__name__, hopes=types.float64[::1])


@jit
def choose_card(r, g, w, seat, n, u, hopes):
    """Return the place of the card to resolve and note the way to play it; `hopes`: see `best_way`."""
    if g.weights[seat, weights.FORBIDDEN] & restrictions.LOOKING_AHEAD:
        hopes[:] = UNSEEN
        set_way(g, seat, 0)
        return choose_way(r, g, w, seat, decisions.CARD, n, u)
    if plan_is_old(g, seat):
        make_plan(r, g, w, seat)
    best = allowed_way(r, g, w, seat, n, random_way(n, u)) if strays(g, seat, u) else best_way(r, g, w, seat, n, u, hopes)
    set_way(g, seat, best % WAYS)
    return best // WAYS


@strategy
def choose_learned(r, g, w, seat, kind, n, u):
    """Choose the card and the first steps by the value of where they lead, and everything else as the planner does."""
    if kind != decisions.CARD:
        return choose_way(r, g, w, seat, kind, n, u)
    return choose_card(r, g, w, seat, n, u, np.empty(limits.MAX_SLOTS))
