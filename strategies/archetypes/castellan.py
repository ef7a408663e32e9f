"""The castellan (Terra Incognita only): forts, taken early and held.

Opening: the military card as soon as an army reaches a fort with a fair chance, until it controls three; the first cities
towards the nearest fort.

Priorities: forts that nobody controls before those of rivals; armies march on to the next fort, and stand guard on the one that
decides the round; tokens beside forts are reinforced, trade tokens go to the military card; the fort of a rival who is about to
win is attacked at any odds.

It changes its mind when it controls three forts, a player is one victory card from the win or the game drags on: another
fort is then worth what the plan says, and those it has are guarded all the same.
"""

from ...simulator import limits, names
from ...simulator.engine.board.hexes import flood, is_fort
from ...simulator.engine.board.metrics import metric
from ...simulator.engine.cards.armies import mark_army, queue_army
from ...simulator.engine.core import decisions, state
from ...simulator.engine.core.jit import jit, strategy
from ...simulator.engine.course.turn import slot_in_place
from ..planning import plan, weights
from ..planning.armies import MARCH_LAYER, lead_against
from ..planning.features import win_chance
from ..planning.planner import choose_planner
from .leaning import drop_tastes, fresh_plan, is_urgent, option_of_type

FAIR_CHANCE = 28  # percent
FORTS_WANTED = 3
TASTE_PERCENT = 60  # of what a fort is worth to one who needs it


@jit
def fort_in_reach(r, g, w, p, h, slot):
    """Does an army of seat `p` reach a fort that nobody controls and that it beats with a fair chance?"""
    card = int(g.card[p, h])
    for a in range(limits.MAX_ARMIES):
        if g.army[p, a] < state.ON_CARD:
            continue
        mark_army(r, g, w, p, card, slot)
        flood(g, w, MARCH_LAYER, queue_army(r, g, w, p, a), int(r.card_army_move[card]))
        for s in range(g.n_spaces):
            if w.dist[MARCH_LAYER, s] <= 0 or not is_fort(g, s) or g.owner[s] >= 0:
                continue
            lead = lead_against(r, g, w, p, h, slot, s, state.TARGET_FORT, -1) + int(g.trade[p, h])
            if win_chance(r, lead) >= FAIR_CHANCE:
                return True
    return False


@strategy
def choose_castellan(r, g, w, seat, kind, n, u):
    """Choose an option as the module docstring says."""
    wants = metric(r, g, seat, names.METRIC_FORTS, -1) < FORTS_WANTED
    if fresh_plan(r, g, w, seat, kind):
        if is_urgent(r, g):
            drop_tastes(g, seat)
        elif wants:
            g.notes[seat, plan.NEED_FORT] += g.weights[seat, weights.FORT_TURNS] * TASTE_PERCENT // 100
    if kind == decisions.CARD and wants and g.cities_left[seat] > 0 and not is_urgent(r, g):
        k = option_of_type(r, g, w, seat, n, names.MILITARY)
        if k >= 0:
            place = int(w.option[k])
            if fort_in_reach(r, g, w, seat, int(g.row[seat, place]), slot_in_place(r, g, seat, place)):
                return k
    return choose_planner(r, g, w, seat, kind, n, u)
