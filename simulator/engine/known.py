"""What a seat may know: the game as its player sees it, for pages, observations and players alike.

Hidden are the dice and cards to come (the random streams), the order of the stack of tiles, which world wonders lie face down
in the decks and which have left the game unseen (B2.5, T1.11), leaders that others were dealt and do not play, what strategies
of other seats care about and note, and what an experiment is going to give. All else lies open on the table, hands of tiles
too: both their sides are printed. What was to be seen earlier is for the player to remember, the order of tiles put under the
stack (Astronomy), say.
"""

from __future__ import annotations

from .. import limits, names
from . import state
from .compile.jit import jit
from .pieces import face_up_end

UNKNOWN = -1


@jit
def hide_chance(g):
    """Nobody knows what the dice and the shuffled cards bring."""
    for stream in range(len(state.STREAMS)):
        g.rng[stream] = 0


@jit
def hide_decks(r, g):
    """A deck shows its upper card, or several, and how many lie below; what nobody has seen may lie in it or in the box."""
    for kind in range(names.N_TYPES):
        for k in range(face_up_end(r, g, kind), g.deck_size[kind]):
            g.deck[kind, k] = UNKNOWN
    for wonder in range(r.n_wonders):
        in_box = g.wonder_place[wonder] == state.WONDER_BOX
        if r.wonder_available[wonder] != 0 and in_box and g.wonder_round_revealed[wonder] == 0:
            g.wonder_place[wonder] = state.WONDER_DECK


@jit
def hide_stack(g):
    """It is known which tiles lie in the stack, not in which order: they are in that of their numbers."""
    tiles = 0
    for k in range(g.stack_n):
        tiles |= 1 << int(g.stack[k])
    k = 0
    for tile in range(1, limits.MAX_TILES + 1):
        if tiles >> tile & 1 != 0:
            g.stack[k] = tile
            k += 1


@jit
def hide_others(g, seat):
    """Nobody knows what another seat was dealt and left, what it cares about and what it notes."""
    for p in range(limits.MAX_PLAYERS):
        if p != seat:
            for k in range(limits.MAX_DEALT):
                g.leader_offer[p, k] = UNKNOWN
            for k in range(limits.WEIGHTS):
                g.weights[p, k] = 0
            for k in range(state.NOTES):
                g.notes[p, k] = 0


@jit
def hide_experiment(g):
    """Nobody knows that the game is one of an experiment (treatment.py)."""
    g.treatment = 0
    g.treatment_what = 0
    g.treatment_amount = 0
    g.treatment_round = 0
    g.treated_seat = 0
    g.treated = 0


@jit
def hide_unknown(r, g, seat):
    """Take out of a copy of the game all that the seat does not know: two games that look alike to it become the same."""
    hide_chance(g)
    hide_decks(r, g)
    hide_stack(g)
    hide_others(g, seat)
    hide_experiment(g)
