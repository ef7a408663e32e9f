"""The merchant: caravans to city-states and rival cities, trade tokens, diplomacy cards.

Opening: economy from whatever slot as soon as a caravan can reach somebody whose diplomacy card it lacks, until it
holds two such cards.

Priorities: economy from the third slot on whenever a caravan can arrive somewhere; the trade tokens make every other
card stronger, and it spends them on whatever the plan asks for. It fights little, least of all those whose diplomacy
cards it holds; two economy wonders (Money Grubber) rather than eight cities.

It changes its mind when a player is one victory card from the win: its caravans then leave only when that is the best
use of a turn.
"""

from simulator.engine import decisions
from simulator.engine.jit import jit, strategy
from simulator.engine.state import ON_CARD
from simulator.limits import MAX_CARAVANS, MAX_CITY_STATES
from simulator.names import CITY, ECONOMY
from strategies.cards import REACH_LAYER, acting_slot, arrival_worth, search_caravan
from strategies.leaning import drop_tastes, fresh_plan, last_card_race, option_of_type
from strategies.planner import choose_planner

OPENING_CARDS = 2  # diplomacy cards
LATER_PLACE = 2  # after the opening, places left of it are too weak a slot for economy


@jit
def diplomacy_cards(r, g, p):
    """Count the diplomacy cards that seat `p` holds, of players and city-states."""
    n = 0
    for q in range(g.players):
        for c in range(r.n_diplomacy):
            if q != p and g.diplomacy[q, c] == p:
                n += 1
    for cs in range(MAX_CITY_STATES):
        n += 1 if g.city_state_cards[cs, p] != 0 else 0
    return n


@jit
def can_arrive(r, g, w, p, h, slot):
    """Can a caravan arrive this turn where it brings something home?"""
    steps = int(r.card_move[g.card[p, h]]) + int(g.trade[p, h]) * int(r.trade_effect[ECONOMY])
    for c in range(MAX_CARAVANS):
        if g.caravan[p, c] < ON_CARD:
            continue
        search_caravan(r, g, w, p, c, g.card[p, h], slot, steps)
        for s in range(g.n_spaces):
            goal = g.city_state[s] >= 0 or g.piece[s] >= CITY
            if goal and w.dist[REACH_LAYER, s] > 0 and arrival_worth(r, g, p, s) > 0:
                return True
    return False


@strategy
def choose_merchant(r, g, w, seat, kind, n, u):
    """Choose an option as the module docstring says."""
    racing = last_card_race(g, seat)
    if fresh_plan(r, g, w, seat, kind) and racing:
        drop_tastes(g, seat)
    if kind == decisions.CARD and not racing:
        k = option_of_type(g, w, seat, n, ECONOMY)
        if k >= 0 and (w.option[k] >= LATER_PLACE or diplomacy_cards(r, g, seat) < OPENING_CARDS):
            place = int(w.option[k])
            if can_arrive(r, g, w, seat, int(g.row[seat, place]), acting_slot(r, g, seat, place)):
                return k
    return choose_planner(r, g, w, seat, kind, n, u)
