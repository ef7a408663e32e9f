"""The scholar: the technology dial, and focus cards of the highest levels.

Opening: science from the third slot on, again and again, until it has its first card of level III.

Priorities: the dial, trade tokens for the science card, every upgrade it is offered; Technophile and Scholarly rather
than the other agendas; with its better cards it then does whatever the plan asks for.

It changes its mind when the dial has gone to its end, or a player is one victory card from the win, or the game drags
on: science is then a card like the others.
"""

from ...simulator import names
from ...simulator.engine.core import decisions
from ...simulator.engine.core.jit import jit, strategy
from ..planning.cards import choose_upgrade
from ..planning.planner import choose_planner
from .leaning import drop_tastes, fresh_plan, is_urgent, option_of_type

OPENING_PLACE = 2  # places left of it are too weak a slot for science
OPENING_LEVEL = 3


@jit
def best_level(r, g, p):
    """Return the level of the best focus card in the row."""
    best = 0
    for h in range(names.N_TYPES):
        if g.card[p, h] >= 0:
            best = max(best, int(r.card_level[g.card[p, h]]))
    return best


@strategy
def choose_scholar(r, g, w, seat, kind, n, u):
    """Choose an option as the module docstring says."""
    if fresh_plan(r, g, w, seat, kind) and (is_urgent(r, g) or g.dial_reached[seat] >= r.dial_last):
        drop_tastes(g, seat)
    if kind == decisions.CARD and best_level(r, g, seat) < OPENING_LEVEL:
        k = option_of_type(r, g, w, seat, n, names.SCIENCE)
        if k >= 0 and w.option[k] >= OPENING_PLACE:
            return k
    if kind == decisions.UPGRADE:
        k = choose_upgrade(r, g, w, seat, n)
        return k if k < n - 1 else 0
    return choose_planner(r, g, w, seat, kind, n, u)
