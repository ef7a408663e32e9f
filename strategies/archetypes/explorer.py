"""The explorer: spaces by the water and at the edge of the map.

Opening: culture from the third slot on, until it holds seven such spaces; cities on the coast.

Priorities: control tokens on coast and edge, whether or not Explorer is in play, rather than anywhere else; new cities
where such spaces are near; Explorer rather than Aesthetic. It cares little for inland spaces and for mature cities.

It changes its mind when it holds all the coast it wanted, or a player is one victory card from the win, or the game
drags on: a space is then worth what the plan says, by the water or not.
"""

from ...simulator import names
from ...simulator.engine.core import decisions
from ...simulator.engine.core.jit import strategy
from ..planning import plan, weights
from ..planning.planner import choose_planner
from .leaning import drop_tastes, fresh_plan, is_urgent, option_of_type, still_wanted

OPENING_PLACE = 2  # places left of it are too weak a slot for culture
OPENING_COAST = 7  # spaces
ENOUGH_COAST = 12  # spaces, when no agenda asks for more
TASTE_PERCENT = 60  # of what a coastal space is worth to one who needs it


@strategy
def choose_explorer(r, g, w, seat, kind, n, u):
    """Choose an option as the module docstring says."""
    if fresh_plan(r, g, w, seat, kind):
        if is_urgent(r, g):
            drop_tastes(g, seat)
        elif g.coast_count[seat] < ENOUGH_COAST or still_wanted(r, g, seat, names.METRIC_COAST, -1):
            g.notes[seat, plan.NEED_COAST] += g.weights[seat, weights.COAST_TURNS] * TASTE_PERCENT // 100
    if kind == decisions.CARD and g.coast_count[seat] < OPENING_COAST:
        k = option_of_type(r, g, w, seat, n, names.CULTURE)
        if k >= 0 and w.option[k] >= OPENING_PLACE:
            return k
    return choose_planner(r, g, w, seat, kind, n, u)
