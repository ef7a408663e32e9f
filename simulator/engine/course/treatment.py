"""Randomised experiments: at the beginning of a round one seat, drawn at random, is given
something (analysis/trials/experiments.py).

The treatment comes with the blank game (`STATE.treatment…`). The seat has a random stream of its own, so that the
same game with and without the treatment is the same game, choice by choice, until the round in question; a game without
a treatment but with a round (TREAT_NONE) draws the seat and gives nothing: the other arm of the experiment.
"""

from ... import limits, names
from ..board.decks import bring_up, reveal_next
from ..board.trade import gain_resource, gain_trade, take_resource
from ..cards.industry import city_without_wonder, enter_wonder, put_wonder, wonder_is_built
from ..cards.start_effects import follow_up
from ..core import state
from ..core.jit import jit
from ..core.rng import below
from .gifts import give_of_expansion

NO_SOURCE = -1  # no effect of the game


@jit
def place_in_deck(r, g, wonder):
    """Return the wonder's place in the deck of its type, or -1."""
    kind = r.wonder_type[wonder]
    for k in range(g.deck_size[kind]):
        if g.deck[kind, k] == wonder:
            return k
    return -1


@jit
def take_from_deck(r, g, w, wonder):
    """Move the wonder's card to the built ones of its deck, from wherever it is; a face-up card is followed by the next.

    A card from the box joins the deck that way. Return 0 if the deck has no room for it.
    """
    kind = r.wonder_type[wonder]
    at = place_in_deck(r, g, wonder)
    if at < 0:
        if g.deck_size[kind] >= limits.DECK_SIZE:
            return 0
        at = int(g.deck_size[kind])
        g.deck_size[kind] += 1
        g.deck[kind, at] = wonder
    bring_up(g, kind, at)
    if g.wonder_place[wonder] == state.WONDER_FACE_UP:
        reveal_next(r, g, w, kind)
    else:
        g.deck_next[kind] += 1
        g.wonder_round_revealed[wonder] = g.round_number
    return 1


@jit
def give_wonder(r, g, w, bots, p, wonder):
    """Put the wonder under the capital of seat `p`, or its first city without one, as if built; return 1 if done."""
    n = city_without_wonder(r, g, w, p)
    s = int(w.option[0])
    if n == 0 or g.wonder_place[wonder] == state.WONDER_BUILT or take_from_deck(r, g, w, wonder) == 0:
        return 0
    put_wonder(g, wonder, s)
    enter_wonder(g, w, p, wonder)
    wonder_is_built(r, g, w, bots, p, wonder)
    follow_up(r, g, w, bots)
    return 1


@jit
def give_trade(r, g, w, bots, p, amount):
    """Seat `p` gains trade tokens on cards of its choice (B13.1); return 1 if there was room for one."""
    before = int(g.stat_trade_gained[p])
    gain_trade(r, g, w, bots, p, -1, amount, NO_SOURCE)
    return 1 if g.stat_trade_gained[p] > before else 0


@jit
def give_resources(r, g, w, bots, p, kind, amount):
    """Seat `p` takes resource tokens of the kind (-1: of its choice) from the supply; return 1 if there was one."""
    left = 0
    for k in range(names.N_RESOURCES):
        if kind < 0 or k == kind:
            left += g.supply[k]
    for _ in range(min(amount, left)):
        if kind < 0:
            gain_resource(r, g, w, bots, p, 0, NO_SOURCE)
        else:
            take_resource(g, w, p, kind)
    return 1 if left > 0 else 0


@jit
def clear_question(w):
    """Forget what the last decision was about: what is given comes from no card and no rival."""
    w.ask_slot = 0
    w.ask_holder = -1
    w.ask_space = -1
    w.ask_seat = -1


@jit
def treat(r, g, w, bots):
    """Draw the seat and give it what the game's treatment says."""
    p = below(g, state.STREAM_TREATMENT, g.players)
    given = 1
    if g.treatment != names.TREAT_NONE:
        clear_question(w)
    if g.treatment == names.TREAT_WONDER:
        given = give_wonder(r, g, w, bots, p, g.treatment_what)
    elif g.treatment == names.TREAT_TRADE:
        given = give_trade(r, g, w, bots, p, g.treatment_amount)
    elif g.treatment == names.TREAT_RESOURCE:
        given = give_resources(r, g, w, bots, p, g.treatment_what, g.treatment_amount)
    elif r.box == names.TI_BOX and g.treatment != names.TREAT_NONE:
        given = give_of_expansion(r, g, w, bots, p, int(g.treatment), int(g.treatment_what))
    g.treated_seat = p
    g.treated = names.TREATED_YES if given != 0 else names.TREATED_IMPOSSIBLE
