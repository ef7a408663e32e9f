"""The game as a seat's player may know it, for pages, observations and players.

Hidden are the random streams (dice and cards to come), the order of the stack of tiles, the world wonders face down in the
decks and those that left the game unseen (B2.5, T1.11), leaders dealt to others and not played, weights and notes of other
seats' strategies, and an experiment's gift. Everything else is open, also hands of tiles, as both sides are printed. Facts seen
earlier, such as the order of tiles put under the stack (Astronomy), are for the player to remember.
"""

from __future__ import annotations

from .. import names
from . import state
from .compile.jit import jit
from .pieces import face_up_end

UNKNOWN = -1


@jit
def hide_chance(g):
    """Nobody knows the dice and shuffled cards to come."""
    for stream in range(len(state.STREAMS)):
        g.rng[stream] = 0


@jit
def hide_decks(r, g):
    """A deck shows its face-up cards and its size; a wonder that nobody has seen may be in its deck or in the box."""
    for kind in range(names.N_TYPES):
        for k in range(face_up_end(r, g, kind), g.deck_size[kind]):
            g.deck[kind, k] = UNKNOWN
    for wonder in range(r.n_wonders):
        in_box = g.wonder_place[wonder] == state.WONDER_BOX
        if r.wonder_available[wonder] != 0 and in_box and g.wonder_round_revealed[wonder] == 0:
            g.wonder_place[wonder] = state.WONDER_DECK


@jit
def hide_stack(g):
    """The tiles of the stack are known, their order is not: they are sorted by number."""
    tiles = 0
    for k in range(g.stack_n):
        tiles |= 1 << int(g.stack[k])
    k = 0
    for tile in range(1, names.MAX_TILES + 1):
        if tiles >> tile & 1 != 0:
            g.stack[k] = tile
            k += 1


@jit
def hide_others(g, seat):
    """Nobody knows the leaders dealt to another seat, and its strategy's weights and notes."""
    for p in range(names.MAX_PLAYERS):
        if p != seat:
            for k in range(names.MAX_DEALT):
                g.leader_offer[p, k] = UNKNOWN
            for k in range(names.WEIGHTS):
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
    """Hide in a copy of the game everything that the seat does not know, so that games it cannot tell apart become equal."""
    hide_chance(g)
    hide_decks(r, g)
    hide_stack(g)
    hide_others(g, seat)
    hide_experiment(g)
