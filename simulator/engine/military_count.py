"""How an attack counts its distance (B9.3)."""

from simulator.engine.hexes import BLOCKED, END_ONLY, PASSABLE, WATER
from simulator.engine.jit import jit


@jit
def mark_attack(g, w, p, through_water, through_rival, through_barbarian):
    """Mark the spaces an attack of seat `p` may be counted through: not water, rival spaces or barbarians, unless the card
    says so; those it may still end on."""
    for s in range(g.n_spaces):
        mark = PASSABLE
        if g.terrain[s] == WATER:
            mark = PASSABLE if through_water != 0 else BLOCKED
        elif (g.owner[s] >= 0 and g.owner[s] != p and through_rival == 0) or (
            g.barbarians[s] != 0 and through_barbarian == 0
        ):
            mark = END_ONLY
        w.mark[s] = mark
