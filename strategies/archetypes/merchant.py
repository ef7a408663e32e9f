"""The merchant: caravans to city-states and rival cities, trade tokens, diplomacy cards.

Opening: economy from whatever slot as soon as a caravan can reach somebody of whom it has no diplomacy card yet.

Priorities: economy from the third slot on whenever a caravan can arrive somewhere; the trade tokens make every other
card stronger, and it spends them on whatever the plan asks for. It fights little, least of all those whose diplomacy
cards it holds; two economy wonders (Money Grubber) rather than eight cities.

It changes its mind when a player is one victory card from the win or the game drags on: its caravans then leave only
when that is the best use of a turn.
"""

from ...simulator import limits, names
from ...simulator.engine.cards.economy import caravan_steps, mark_caravan
from ...simulator.engine.core import decisions, state
from ...simulator.engine.core.jit import jit, strategy
from ...simulator.engine.course.turn import slot_in_place
from ..planning.cards import REACH_LAYER, arrival_worth, search_caravan
from ..planning.planner import choose_planner
from .leaning import drop_tastes, fresh_plan, is_urgent, option_of_type

LATER_PLACE = 2  # places left of it are too weak a slot for economy, unless it brings a new diplomacy card


@jit
def brings_card(r, g, p, s):
    """Does a caravan that arrives on the space bring a first diplomacy card of its owner home?"""
    cs = g.city_state[s]
    if cs >= 0:
        return g.city_state_cards_left[cs] > 0 and g.city_state_cards[cs, p] == 0
    for c in range(r.n_diplomacy):
        if g.diplomacy[g.owner[s], c] == p:
            return False
    return True


@jit
def can_arrive(r, g, w, p, place):
    """Can a caravan arrive this turn with the economy card in this place: with a new diplomacy card, from any slot?"""
    h = int(g.row[p, place])
    steps = caravan_steps(r, g, p, g.card[p, h]) + int(g.trade[p, h]) * int(r.trade_effect[names.ECONOMY])
    mark_caravan(r, g, w, p, g.card[p, h], slot_in_place(r, g, p, place))
    for c in range(limits.MAX_CARAVANS):
        if g.caravan[p, c] < state.ON_CARD:
            continue
        search_caravan(r, g, w, p, c, steps)
        for s in range(g.n_spaces):
            goal = g.city_state[s] >= 0 or (g.piece[s] >= names.CITY and g.owner[s] != p)
            if not goal or w.dist[REACH_LAYER, s] <= 0 or arrival_worth(r, g, p, s) <= 0:
                continue
            if place >= LATER_PLACE or brings_card(r, g, p, s):
                return True
    return False


@strategy
def choose_merchant(r, g, w, seat, kind, n, u):
    """Choose an option as the module docstring says."""
    urgent = is_urgent(r, g)
    if fresh_plan(r, g, w, seat, kind) and urgent:
        drop_tastes(g, seat)
    if kind == decisions.CARD and not urgent:
        k = option_of_type(r, g, w, seat, n, names.ECONOMY)
        if k >= 0 and can_arrive(r, g, w, seat, int(w.option[k])):
            return k
    return choose_planner(r, g, w, seat, kind, n, u)
