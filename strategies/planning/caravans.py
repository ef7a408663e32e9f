"""Where the planner's caravans go."""

from ...simulator import names
from ...simulator.engine.board.hexes import flood
from ...simulator.engine.board.pieces import holder_of
from ...simulator.engine.cards.economy import mark_caravan
from ...simulator.engine.core import decisions
from ...simulator.engine.core.jit import expansion, inline, jit
from . import weights
from .armies import nearest_exploration
from .cards import REACH_LAYER, arrival_worth


@jit
def search_from_targets(r, g, w, p):
    """Count how far every space is, for a caravan, from the nearest city-state or rival city that is worth a visit."""
    h = holder_of(r, g, p, names.ECONOMY)
    mark_caravan(r, g, w, p, g.card[p, h], int(r.slot_number[r.slots - 1]))
    n = 0
    for s in range(g.n_spaces):
        if (g.city_state[s] >= 0 or g.piece[s] >= names.CITY) and w.mark[s] != 0 and arrival_worth(r, g, p, s) > 0:
            w.queue[n] = s
            n += 1
    flood(g, w, REACH_LAYER, n, g.n_spaces)


@jit
def nearest_to_visit(r, g, w, p, spaces):
    """Return which of the first `spaces` options, all of them spaces, is nearest to an arrival; -1 if none can be reached."""
    search_from_targets(r, g, w, p)
    best = -1
    nearest = g.n_spaces
    for k in range(spaces):
        far = w.dist[REACH_LAYER, w.option[k]]
        if 0 <= far < nearest:
            best = k
            nearest = far
    return best


@jit
def choose_destination(r, g, w, p, n):
    """Return the index of the space a caravan goes to: the best arrival, else the space nearest to one."""
    best = n - 1
    best_worth = 0
    for k in range(n - 1):
        worth = arrival_worth(r, g, p, w.option[k])
        if worth > best_worth:
            best = k
            best_worth = worth
    if best_worth == 0:
        best = nearest_to_visit(r, g, w, p, n - 1)
    return best if best >= 0 else n - 1


@inline
def spaces_before(w, n):
    """Return how many of the `n` options of a caravan are spaces; those to explore from come after them (T7.1)."""
    while n > 0 and w.option[n - 1] >= decisions.EXPLORE:
        n -= 1
    return n


@expansion
def choose_caravan_space(r, g, w, p, n) -> int:
    """Return the index of where a caravan goes: the best arrival or exploring, else towards the nearest arrival."""
    best = nearest_exploration(r, g, w, p, n)
    best_worth = int(g.weights[p, weights.EXPLORING]) if best >= 0 else 0
    spaces = spaces_before(w, n - 1)
    for k in range(spaces):
        worth = arrival_worth(r, g, p, w.option[k])
        if worth > best_worth:
            best = k
            best_worth = worth
    if best < 0:
        best = nearest_to_visit(r, g, w, p, spaces)
    return best if best >= 0 else n - 1
