"""What the event dial of Terra Incognita shows besides barbarians: districts, governments, wonders (T4.5, T8, T9)."""

from ... import names
from ..board.agendas import settle
from ..board.decks import face_up_end, take_face_up
from ..cards.districts import use_any_district
from ..cards.start_effects import follow_up
from ..core import decisions, state
from ..core.decide import choose
from ..core.jit import expansion, jit
from ..core.log import LOG_GOVERNMENT, LOG_WONDER_TRADE, log

WONDER_ROOM = 1  # trade tokens a face-up wonder holds


@jit
def use_districts(r, g, w, bots):
    """T4.5: from the first player clockwise, everybody uses all own districts, each with all that follows, before the next
    player does."""
    for k in range(g.players):
        p = (g.first + k) % int(g.players)
        done = 0
        while done >= 0:
            done = use_any_district(r, g, w, bots, p, done)
            follow_up(r, g, w, bots)


@jit
def change_government(r, g, w, bots, p):
    """T8.1: seat `p` may put the government token of its type on a card in the first slot; an older one goes back."""
    n = 0
    for place in range(r.slots):
        h = int(g.row[p, place])
        if r.slot_number[place] == 1 and (g.government[p] != h or g.government_type[p] != r.card_type[g.card[p, h]]):
            w.option[n] = h
            n += 1
    w.option[n] = decisions.PASS
    h = choose(r, g, w, bots, p, decisions.GOVERNMENT, n + 1)
    if h != decisions.PASS:
        kind = int(r.card_type[g.card[p, h]])
        log(w, LOG_GOVERNMENT, p, h, kind, g.government[p], 0, 0)
        g.government[p] = h
        g.government_type[p] = kind


@jit
def change_governments(r, g, w, bots):
    """T8.1: everybody may change the government, clockwise from the first player."""
    for k in range(g.players):
        change_government(r, g, w, bots, (g.first + k) % int(g.players))


@jit
def tempt_builders(r, g, w):
    """T9.2: a trade token on each face-up wonder; one that would get its second leaves the game."""
    for kind in range(names.N_TYPES):
        # A card that leaves is moved up before the others: the places behind it stay, and what is turned up then comes after.
        for k in range(int(g.deck_next[kind]), face_up_end(r, g, kind)):
            wonder = int(g.deck[kind, k])
            log(w, LOG_WONDER_TRADE, -1, wonder, g.wonder_trade[wonder] + 1, 0, 0, 0)
            if g.wonder_trade[wonder] < WONDER_ROOM:
                g.wonder_trade[wonder] += 1
            else:
                g.wonder_trade[wonder] = 0
                g.wonder_place[wonder] = state.WONDER_BOX
                take_face_up(r, g, w, wonder)


@expansion
def resolve_icons(r, g, w, bots, icons) -> None:
    """T9: the icons of the expansion; that of the wonders always comes last on its section."""
    if icons & names.ICON_DISTRICTS:
        use_districts(r, g, w, bots)
    if icons & names.ICON_GOVERNMENT:
        change_governments(r, g, w, bots)
    if icons & names.ICON_WONDER:
        tempt_builders(r, g, w)
    settle(r, g, w, bots)
