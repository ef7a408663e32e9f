"""The pathfinder (Terra Incognita only): whatever lies beyond the edge of the map.

Opening: caravans explore wherever they can, before they trade, and the economy card comes as soon as it lies in the third
place, until two tiles are found; armies explore rather than go far.

Priorities: tiles beside the own capital, cities on them, Expansionist and Explorer rather than their counterparts; natural
wonders and resources of new tiles. Up to five tiles a caravan explores rather than trade; what it finds it settles.

It changes its mind when it has found five tiles, a player is one victory card from the win or the game drags on: caravans then
do what the plan says.
"""

from ...simulator import names
from ...simulator.engine.core import decisions
from ...simulator.engine.core.jit import strategy
from ..planning.armies import nearest_exploration
from ..planning.planner import choose_planner
from .leaning import drop_tastes, fresh_plan, is_urgent, option_of_type

OPENING_PLACE = 2  # places left of it take caravans nowhere
OPENING_TILES = 2
ENOUGH_TILES = 5


@strategy
def choose_pathfinder(r, g, w, seat, kind, n, u):
    """Choose an option as the module docstring says."""
    urgent = is_urgent(r, g)
    if fresh_plan(r, g, w, seat, kind) and urgent:
        drop_tastes(g, seat)
    if kind == decisions.CARAVAN_TO and not urgent and g.stat_tiles[seat] < ENOUGH_TILES:
        k = nearest_exploration(r, g, w, seat, n)
        if k >= 0:
            return k
    if kind == decisions.CARD and not urgent and g.stack_n > 0 and g.stat_tiles[seat] < OPENING_TILES:
        k = option_of_type(r, g, w, seat, n, names.ECONOMY)
        if k >= 0 and w.option[k] >= OPENING_PLACE:
            return k
    return choose_planner(r, g, w, seat, kind, n, u)
