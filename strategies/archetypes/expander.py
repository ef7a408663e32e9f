"""The expander: as many cities as the land holds, and control tokens all around them.

Opening: industry from whatever slot as soon as a city can be founded, until it has four cities; culture in between.

Priorities: sites with room, then the tokens that make cities mature (mature cities earn trade tokens and start
caravans); Civilized and Populous rather than the other agendas of their cards; few world wonders, few fights.

It changes its mind when a player is one victory card from the win or the game drags on: from then on it only does what
brings the victory cards it still lacks nearest, and a city is worth no more than its agenda.
"""

from ...simulator import names
from ...simulator.engine.core import decisions
from ...simulator.engine.core.jit import jit, strategy
from ...simulator.engine.course.turn import slot_in_place
from ..planning.cards import best_city
from ..planning.planner import choose_planner
from .leaning import drop_tastes, fresh_plan, is_urgent, option_of_type

OPENING_CITIES = 4


@jit
def founding_card(r, g, w, p, n):
    """Return the index of the industry card if it founds a city now; -1 if it does not."""
    k = option_of_type(r, g, w, p, n, names.INDUSTRY)
    if k < 0:
        return -1
    place = int(w.option[k])
    slot = slot_in_place(r, g, p, place)
    return k if best_city(r, g, w, p, g.card[p, g.row[p, place]], slot) > 0 else -1


@strategy
def choose_expander(r, g, w, seat, kind, n, u):
    """Choose an option as the module docstring says."""
    if fresh_plan(r, g, w, seat, kind) and is_urgent(r, g):
        drop_tastes(g, seat)
    if kind == decisions.CARD and g.city_count[seat] < OPENING_CITIES:
        k = founding_card(r, g, w, seat, n)
        if k >= 0:
            return k
    return choose_planner(r, g, w, seat, kind, n, u)
