"""The decks of world wonders: which cards lie face up, and which one follows when one of them goes (B2.5, B8.6).

A deck is listed from its top (`STATE.deck`): the cards that have left it, those face up from `deck_next` on, those face down.
"""

from ..core import state
from ..core.jit import inline, jit
from ..core.log import LOG_WONDER_REVEALED, log


@inline
def face_up_end(r, g, kind):
    """Return the place in the deck behind its last face-up card; the first one is at `deck_next`."""
    return min(int(g.deck_next[kind]) + int(r.face_up_wonders), int(g.deck_size[kind]))


@jit
def bring_up(g, kind, at):
    """Move the card at a place of the deck before the face-up ones; those in between keep their order."""
    wonder = g.deck[kind, at]
    top = int(g.deck_next[kind])
    for k in range(at, top, -1):
        g.deck[kind, k] = g.deck[kind, k - 1]
    g.deck[kind, top] = wonder


@jit
def reveal_next(r, g, w, kind):
    """The card at `deck_next` leaves the deck: the next is turned up, if there is one (B8.6)."""
    g.deck_next[kind] += 1
    last = int(g.deck_next[kind]) + int(r.face_up_wonders) - 1
    if last < g.deck_size[kind]:
        wonder = g.deck[kind, last]
        g.wonder_place[wonder] = state.WONDER_FACE_UP
        g.wonder_round_revealed[wonder] = g.round_number
        log(w, LOG_WONDER_REVEALED, -1, wonder, 0, 0, 0, 0)


@jit
def take_face_up(r, g, w, wonder):
    """A face-up card leaves its deck, and the next is turned up (B8.6)."""
    kind = int(r.wonder_type[wonder])
    for k in range(int(g.deck_next[kind]) + 1, face_up_end(r, g, kind)):
        if g.deck[kind, k] == wonder:
            bring_up(g, kind, k)
    reveal_next(r, g, w, kind)
