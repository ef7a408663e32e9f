"""What house rules give ahead of the first turn: to everyone, to the last in turn order, by place in it, by leader.

The printed game gives nothing. Given when round 1 begins, after the map lies and everything is drawn, so that the game
before it is that of the printed rules on the same seed. Whoever plays a leader gets what that leader begins with on top.
"""

from ... import limits, names
from ..board.agendas import settle
from ..board.decks import face_up_end, take_face_up
from ..board.pieces import holder_of, put_city
from ..board.trade import gain_resource, gain_trade
from ..cards.cities import list_city_spaces
from ..cards.culture import place_tokens
from ..cards.industry import city_without_wonder, enter_wonder, place_wonder, wonder_is_built
from ..cards.science import advance_dial
from ..core import decisions
from ..core.decide import choose
from ..core.jit import jit

EVERYONE, LAST, FIRST = 0, 1, 2  # behind FIRST the other places in turn order
LEADER = FIRST + len(names.PLACES)  # behind it the other leaders
CITIES, CONTROL_TOKENS, WONDERS, LEVELS, TRADE_TOKENS, RESOURCES = range(len(names.START_BONUSES))
NO_ANCHOR = -1  # control tokens go next to any own city


@jit
def choose_industry(r, g, w, bots, p, n):
    """Let seat `p` choose one of the `n` listed spaces and wonders, as if its industry card lay in the last slot."""
    w.ask_slot = r.slot_number[r.slots - 1]
    w.ask_holder = holder_of(r, g, p, names.INDUSTRY)
    return choose(r, g, w, bots, p, decisions.INDUSTRY, n)


@jit
def free_city(r, g, w, bots, p):
    """Seat `p` founds a city where its industry card allows one from the last slot (B8.1 to B8.4), if anywhere."""
    card = g.card[p, holder_of(r, g, p, names.INDUSTRY)]
    n = list_city_spaces(r, g, w, p, card, r.slot_number[r.slots - 1])
    if n > 0:
        put_city(r, g, w, p, choose_industry(r, g, w, bots, p, n))
        g.stat_cities_built[p] += 1
        settle(r, g, w, bots)


@jit
def free_wonder(r, g, w, bots, p):
    """Seat `p` builds one of the open wonders without paying, if it has a city without one (B8.6)."""
    if city_without_wonder(r, g, w, p) == 0:
        return
    n = 0
    for kind in range(names.N_TYPES):
        for k in range(g.deck_next[kind], face_up_end(r, g, kind)):
            w.option[n] = decisions.WONDER_OPTION + int(g.deck[kind, k])
            n += 1
    if n == 0:
        return
    wonder = choose_industry(r, g, w, bots, p, n) - decisions.WONDER_OPTION
    place_wonder(r, g, w, bots, p, wonder)
    enter_wonder(g, w, p, wonder)
    take_face_up(r, g, w, wonder)
    wonder_is_built(r, g, w, bots, p, wonder)


@jit
def steps_to_level(r, g, p):
    """Return how far the next level space is from the dial of seat `p`, 0 if there is none (B6.3)."""
    at = int(g.dial[p])
    for steps in range(1, limits.MAX_DIAL):
        at = int(r.dial_after_last) if at >= r.dial_last else at + 1
        if r.dial_level[at] > 0:
            return steps
    return 0


@jit
def give(r, g, w, bots, p, whom):
    """Give seat `p` what the rules have for `whom`: EVERYONE, the LAST in turn order, FIRST + place in it, LEADER + code."""
    for _ in range(r.start_bonus[whom, CITIES]):
        free_city(r, g, w, bots, p)
    h = holder_of(r, g, p, names.CULTURE)
    last_slot = r.slot_number[r.slots - 1]
    place_tokens(r, g, w, bots, p, h, last_slot, r.start_bonus[whom, CONTROL_TOKENS], decisions.SOURCE_START, NO_ANCHOR)
    for _ in range(r.start_bonus[whom, WONDERS]):
        free_wonder(r, g, w, bots, p)
    for _ in range(r.start_bonus[whom, LEVELS]):
        advance_dial(r, g, w, bots, p, steps_to_level(r, g, p))
    gain_trade(r, g, w, bots, p, -1, r.start_bonus[whom, TRADE_TOKENS], decisions.SOURCE_START)
    for _ in range(r.start_bonus[whom, RESOURCES]):
        gain_resource(r, g, w, bots, p, 0, decisions.SOURCE_START)


@jit
def give_start_bonus(r, g, w, bots):
    """Give everybody, clockwise from the first player, what the rules have before the first turn."""
    for k in range(g.players):
        p = (g.first + k) % int(g.players)
        give(r, g, w, bots, p, EVERYONE)
        if k == g.players - 1:
            give(r, g, w, bots, p, LAST)
        give(r, g, w, bots, p, FIRST + k)
        give(r, g, w, bots, p, LEADER + g.leader[p])
    settle(r, g, w, bots)
