"""The adept: tries its turn before it plays it, and takes the way that leaves it the best position.

Opening, and everything that is not the choice of a card or of the first steps after it, are the planner's. At the choice of
its card it plays the turn in a copy of the game with the two cards that the planner rates highest, and with the better one
also with other first steps: another space for the token or the city, a world wonder instead of a city, another target,
reinforcing instead of attacking, another upgrade (`strategies.learned.ways`). A network that has learned from games says how
likely each position at the end of the turn is to win (`strategies.learned.value`). It looks no turn of a rival ahead; what
rivals threaten it sees by their odds. Other first steps bring more than other cards: with all five cards and first steps for
two of them it wins hardly more, and takes twice as long.
"""

from newdawn.simulator.engine.core import decisions
from newdawn.simulator.engine.core.jit import strategy
from newdawn.strategies.learned.lookahead import best_way
from newdawn.strategies.learned.ways import WAYS, choose_way, random_way, set_way, strays

TRIED = 2  # cards that are tried at all
TRUST = 0.02  # chance to win that a turn counts by which the planner rates a card lower
EXPANDED = 1  # cards that are tried with other first steps


@strategy
def choose_adept(r, g, w, seat, kind, n, u):
    """Choose the card and the first steps by the value of where they lead, and everything else as the planner does."""
    own = choose_way(r, g, w, seat, kind, n, u)
    if kind != decisions.CARD:
        return own
    best = random_way(n, u) if strays(g, seat, u) else best_way(r, g, w, seat, n, TRIED, EXPANDED, 0, TRUST, u)
    set_way(g, seat, best % WAYS)
    return best // WAYS
