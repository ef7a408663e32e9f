"""The builder: world wonders, early and many.

Opening: a second city as a home for the second wonder, trade tokens onto the industry card, resources rather than land;
then the first wonder it can pay for.

Priorities: the industry card is for wonders. It is resolved as soon as it pays for one that is worth it, and builds a
city only when no wonder can be paid, or no city has room for one. Resources and trade tokens are gathered for wonders
whatever their type, and the wonder agendas are preferred to the others.

It changes its mind when a player is one victory card from the win or the game drags on: a wonder that serves none of
the victory cards it lacks is then worth nothing to it.
"""

from ...simulator import names
from ...simulator.engine.cards.cities import is_wonder_option
from ...simulator.engine.core import decisions
from ...simulator.engine.core.jit import jit, strategy
from ...simulator.engine.course.turn import slot_in_place
from ..planning.cards import best_wonder
from ..planning.planner import choose_planner, industry_worth
from .leaning import drop_tastes, fresh_plan, is_urgent, option_of_type

OPENING_CITIES = 2


@jit
def building_card(r, g, w, p, n):
    """Return the index of the industry card if it pays for a wonder worth building now; -1 if it does not."""
    k = option_of_type(r, g, w, p, n, names.INDUSTRY)
    if k < 0:
        return -1
    place = int(w.option[k])
    slot = slot_in_place(r, g, p, place)
    return k if best_wonder(r, g, p, int(g.row[p, place]), slot, slot) > 0 else -1


@jit
def wonder_to_build(r, g, w, p, n):
    """Return the index of the wonder of the highest worth; -1 if none is worth anything."""
    best = -1
    best_worth = 0
    for k in range(n):
        v = int(w.option[k])
        if is_wonder_option(v):
            worth = industry_worth(r, g, w, p, v)
            if worth > best_worth:
                best = k
                best_worth = worth
    return best


@strategy
def choose_builder(r, g, w, seat, kind, n, u):
    """Choose an option as the module docstring says."""
    if fresh_plan(r, g, w, seat, kind) and is_urgent(r, g):
        drop_tastes(g, seat)
    k = -1
    if g.city_count[seat] >= OPENING_CITIES:
        if kind == decisions.CARD:
            k = building_card(r, g, w, seat, n)
        elif kind == decisions.INDUSTRY:
            k = wonder_to_build(r, g, w, seat, n)
    return k if k >= 0 else choose_planner(r, g, w, seat, kind, n, u)
