"""How an attack counts its distance (B9.3)."""

from simulator.engine.hexes import BLOCKED, END_ONLY, PASSABLE, WATER
from simulator.engine.jit import jit


@jit
def mark_attack(g, w, p, through_water, through_rival, through_barbarian):
    """Mark the spaces an attack of seat `p` may be counted through: not water, rival spaces or barbarians, unless the card
    says so; those it may still end on."""
    water = PASSABLE if through_water != 0 else BLOCKED
    for s in range(g.n_spaces):
        terrain = g.terrain[s]
        owner = g.owner[s]
        barbarians = g.barbarians[s]
        mark = PASSABLE
        if (owner >= 0 and owner != p and through_rival == 0) or (barbarians != 0 and through_barbarian == 0):
            mark = END_ONLY
        w.mark[s] = water if terrain == WATER else mark
