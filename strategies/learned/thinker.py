"""The thinker and the master: try their turn, and play the best ways on until all rivals have answered.

They begin as the adept does (`strategies.learned.adept`), but try four cards with other first steps, and keep the eight ways
that leave the best positions. Those they play on, with planners on all seats, until just before their own next turn, again
and again with other dice, and a network says how likely the position is to win; simulations are shared out by sequential
halving (`strategies.learned.lookahead`). The thinker has a small budget of simulations, the master a large one: slow, for
checking what others miss.
"""

from newdawn.simulator.engine.core import decisions
from newdawn.simulator.engine.core.jit import strategy
from newdawn.strategies.learned.lookahead import best_way
from newdawn.strategies.learned.ways import WAYS, choose_way, random_way, set_way, strays

TRIED = 6  # cards that are tried at all
TRUST = 0.05  # chance to win that a turn counts by which the planner rates a card lower
EXPANDED = 4  # cards that are tried with other first steps
KEPT = 8  # ways that are played on


@strategy
def choose_thinker(r, g, w, seat, kind, n, u):
    """Choose the card and the first steps by looking a round ahead, and everything else as the planner does."""
    own = choose_way(r, g, w, seat, kind, n, u)
    if kind != decisions.CARD:
        return own
    best = random_way(n, u) if strays(g, seat, u) else best_way(r, g, w, seat, n, TRIED, EXPANDED, KEPT, TRUST, u)
    set_way(g, seat, best % WAYS)
    return best // WAYS
