"""Taking a barbarian off the map."""

from simulator.engine.jit import jit
from simulator.engine.log import LOG_BARBARIAN, log
from simulator.limits import MAX_BARBARIANS


@jit
def barbarian_on(g, s):
    """Return the first barbarian (by letter) on the space, or -1."""
    for b in range(MAX_BARBARIANS):
        if g.barbarian_space[b] == s:
            return b
    return -1


@jit
def beat_barbarian(g, w, p, s):
    """Remove the barbarian on the space; it waits off the map until barbarians appear (B11.5)."""
    b = barbarian_on(g, s)
    g.barbarian_space[b] = -1
    g.barbarians[s] -= 1
    log(w, LOG_BARBARIAN, p, b, s, -1, 2, 0)
    return b
