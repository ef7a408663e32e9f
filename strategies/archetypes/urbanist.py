"""The urbanist (Terra Incognita only): all five districts, where they bring most.

Opening: the growth card from the third place on, until three districts lie; control tokens on mountains, deserts and forests
beside the sites of districts.

Priorities: another district before another city; Prolific and Populous rather than their counterparts; Monarchy, and better
growth cards early; control tokens where a district counts them.

It changes its mind when all districts lie, a player is one victory card from the win or the game drags on: growth is then worth
what the plan says.
"""

from ...simulator import names
from ...simulator.engine.board.metrics import districts_on_map
from ...simulator.engine.core import decisions
from ...simulator.engine.core.jit import jit, strategy
from ...simulator.engine.course.turn import slot_in_place
from ..planning import plan, weights
from ..planning.expansion import best_district
from ..planning.planner import choose_planner
from .leaning import drop_tastes, fresh_plan, is_urgent, option_of_type

OPENING_PLACE = 2  # places left of it are too weak a slot for growth
OPENING_DISTRICTS = 3
TASTE_PERCENT = 50  # of what a district is worth to one who needs it


@jit
def may_grow(r, g, w, p, place):
    """Can seat `p` place a district with the card in that place of the row?"""
    slot = slot_in_place(r, g, p, place)
    return r.card_districts[g.card[p, g.row[p, place]]] > 0 and best_district(r, g, w, p, slot, slot) > 0


@strategy
def choose_urbanist(r, g, w, seat, kind, n, u):
    """Choose an option as the module docstring says."""
    if fresh_plan(r, g, w, seat, kind):
        if is_urgent(r, g):
            drop_tastes(g, seat)
        elif districts_on_map(g, seat) < names.N_DISTRICTS:
            g.notes[seat, plan.NEED_DISTRICT] += g.weights[seat, weights.DISTRICT_TURNS] * TASTE_PERCENT // 100
    if kind == decisions.CARD and not is_urgent(r, g) and districts_on_map(g, seat) < OPENING_DISTRICTS:
        k = option_of_type(r, g, w, seat, n, names.GROWTH)
        if k >= 0 and w.option[k] >= OPENING_PLACE and may_grow(r, g, w, seat, int(w.option[k])):
            return k
    return choose_planner(r, g, w, seat, kind, n, u)
