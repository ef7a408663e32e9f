"""What the archetypes have in common: the plan of the turn, when character has to wait, and looking up a card.

An archetype is the planner with a character: a profile says what it likes, and a module of its own what it does on
purpose. It looks at a decision first and leaves to the planner what its character has no say in.
"""

from ...simulator.engine.board.metrics import metric
from ...simulator.engine.core import decisions
from ...simulator.engine.core.jit import jit
from ..planning import plan
from ..planning.features import progress
from ..planning.planner import plan_is_old

LONG_GAME = 30  # rounds


@jit
def fresh_plan(r, g, w, p, kind):
    """Make the plan of the turn if it is old; return whether it was. Before the map lies there is nothing to plan."""
    if kind == decisions.PLACE_TILE or kind == decisions.LAY_TILE or not plan_is_old(g, p):
        return False
    plan.make_plan(r, g, w, p)
    return True


@jit
def is_urgent(r, g):
    """Is some player one victory card from the win, or has the game gone on for long? Then character has to wait."""
    if g.round_number > LONG_GAME:
        return True
    for q in range(g.players):
        if g.victory_count - progress(r, g, q) <= 1:
            return True
    return False


@jit
def drop_tastes(g, p):
    """Leave only what the plan needs: things that are merely liked are worth nothing for the rest of the turn."""
    g.notes[p, plan.BASE_PERCENT] = 0


@jit
def still_wanted(r, g, p, what, kind):
    """Is an agenda that counts `what` (names.METRICS, of a focus type or -1) in play, not claimed and not yet satisfied?"""
    for i in range(g.victory_count):
        card = int(g.victory_card[i])
        for a in range(2):
            if g.claimed[p, i] != 0 or r.agenda_metric[card, a] != what:
                continue
            if metric(r, g, p, what, kind) < r.agenda_target[card, a]:
                return True
    return False


@jit
def option_of_type(r, g, w, p, n, kind):
    """Return the index of the option, a place of the row, that holds a card of the focus type; -1 if there is none."""
    for k in range(n):
        if r.card_type[g.card[p, g.row[p, w.option[k]]]] == kind:
            return k
    return -1
