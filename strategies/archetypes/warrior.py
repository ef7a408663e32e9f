"""The warrior: rival capitals, city-states and the cities that hold rivals' world wonders.

Opening: control tokens towards the nearest prey, trade tokens for the military card; the first attack as soon as it
wins more often than not.

Priorities: the military card whenever it wins a capital, a city-state or a world wonder with a fair chance, whatever
the slot while Warmonger can be claimed, from the last two places otherwise; else the plan, in which fights rate higher
than with others, Warmonger comes before Paranoid, and what is taken from a rival who is ahead counts more.

It changes its mind when a player is one victory card from the win or the game drags on: then only what its own last
cards need counts, and blows against that player.
"""

from ...simulator import names
from ...simulator.engine.board.hexes import flood
from ...simulator.engine.cards.combat import may_be_attacked
from ...simulator.engine.cards.military import attack_range, queue_attack
from ...simulator.engine.core import decisions
from ...simulator.engine.core.jit import jit, strategy
from ...simulator.engine.course.turn import slot_in_place
from ..planning.cards import REACH_LAYER, attack_lead
from ..planning.features import military_tokens, win_chance
from ..planning.planner import choose_planner
from ..planning.worth import target_worth
from .leaning import drop_tastes, fresh_plan, is_urgent, option_of_type, still_wanted

FAIR_CHANCE = 55  # percent
LATER_PLACE = 3  # once its war is won, places left of it are too weak a slot for another


@jit
def is_prey(g, p, s):
    """Does the space hold a city-state, a rival capital or a rival's world wonder?"""
    if g.city_state[s] >= 0:
        return True
    return g.owner[s] >= 0 and g.owner[s] != p and (g.piece[s] == names.CAPITAL or g.wonder_token[s] >= 0)


@jit
def prey_in_reach(r, g, w, p, h, slot):
    """Is there prey that the military card beats with a fair chance, if both sides spend all their trade tokens?"""
    card = g.card[p, h]
    flood(g, w, REACH_LAYER, queue_attack(r, g, w, p, card), attack_range(r, g, p, card))
    for s in range(g.n_spaces):
        if w.dist[REACH_LAYER, s] < 0 or not is_prey(g, p, s) or not may_be_attacked(r, g, p, s, 0):
            continue
        if target_worth(r, g, p, s) <= 0:
            continue
        lead = attack_lead(r, g, w, p, card, slot, s, 0) + int(g.trade[p, h])
        if g.owner[s] >= 0:
            lead -= military_tokens(r, g, int(g.owner[s]))
        if win_chance(r, lead) >= FAIR_CHANCE:
            return True
    return False


@strategy
def choose_warrior(r, g, w, seat, kind, n, u):
    """Choose an option as the module docstring says."""
    urgent = is_urgent(r, g)
    if fresh_plan(r, g, w, seat, kind) and urgent:
        drop_tastes(g, seat)
    if kind == decisions.CARD and not urgent:
        k = option_of_type(r, g, w, seat, n, names.MILITARY)
        if k >= 0 and (w.option[k] >= LATER_PLACE or still_wanted(r, g, seat, names.METRIC_CAPITALS_DEFEATED, -1)):
            place = int(w.option[k])
            slot = slot_in_place(r, g, seat, place)
            if prey_in_reach(r, g, w, seat, int(g.row[seat, place]), slot):
                return k
    return choose_planner(r, g, w, seat, kind, n, u)
