"""Gifts by house rules and randomised experiments: the wonder draft, start bonuses, treatments."""

from __future__ import annotations

from .. import names
from . import decisions, state
from .choosing import LOG_GOVERNMENT, LOG_WONDER_DRAFTED, below, choose, log
from .compile.jit import expansion, jit
from .culture import no_slot, place_tokens
from .growth import district_fits
from .industry import city_without_wonder, enter_wonder, list_city_spaces, place_wonder, put_wonder, wonder_is_built
from .map import hex_distance, is_free_fort
from .pieces import bring_up, face_up_end, holder_of, put_city, put_district, reveal_next, rival_army_on, take_face_up
from .science import advance_dial, in_deck, replace_card
from .start_effects import follow_up
from .trade import gain_resource, gain_trade, take_resource
from .winning import settle

# --- Start bonuses of house rules: drafted wonders; gifts to everyone, to the last in turn order, by place in it, by leader
#
# They come when round 1 begins, after the map is laid and everything is drawn, so that the game before is that of the printed
# rules on the same seed.

EVERYONE, LAST, FIRST = 0, 1, 2  # after FIRST the other places in turn order
LEADER = FIRST + len(names.PLACES)  # plus the leader's code
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
def list_face_up(r, g, w):
    """List the world wonders that lie face up (INDUSTRY values); return how many."""
    n = 0
    for kind in range(names.N_TYPES):
        for k in range(g.deck_next[kind], face_up_end(r, g, kind)):
            w.option[n] = decisions.WONDER_OPTION + int(g.deck[kind, k])
            n += 1
    return n


@jit
def draft_wonder(r, g, w, bots, p):
    """Seat `p` takes a face-up wonder, which it alone may build from now on; the next of the deck is turned up."""
    n = list_face_up(r, g, w)
    if n == 0:
        return
    w.ask_source = decisions.SOURCE_DRAFT
    wonder = choose_industry(r, g, w, bots, p, n) - decisions.WONDER_OPTION
    g.wonder_drafted[wonder] = p + 1
    log(w, LOG_WONDER_DRAFTED, p, wonder, 0, 0, 0, 0)
    take_face_up(r, g, w, wonder)
    w.ask_source = NO_SOURCE


@jit
def draft_wonders(r, g, w, bots):
    """Let the players draft world wonders, one at a time: in turn order, then in reverse order, and so on."""
    for turn in range(r.drafted_wonders):
        for k in range(g.players):
            place = k if turn % 2 == 0 else int(g.players) - 1 - k
            draft_wonder(r, g, w, bots, (int(g.first) + place) % int(g.players))


@jit
def free_wonder(r, g, w, bots, p):
    """Seat `p` builds a face-up wonder without paying, if it has a city without one (B8.6)."""
    if city_without_wonder(r, g, w, p) == 0:
        return
    n = list_face_up(r, g, w)
    if n == 0:
        return
    wonder = choose_industry(r, g, w, bots, p, n) - decisions.WONDER_OPTION
    place_wonder(r, g, w, bots, p, wonder)
    enter_wonder(g, w, p, wonder)
    take_face_up(r, g, w, wonder)
    wonder_is_built(r, g, w, bots, p, wonder)


@jit
def steps_to_level(r, g, p):
    """Return the distance of the next level space from the dial of seat `p`, 0 if there is none (B6.3)."""
    at = int(g.dial[p])
    for steps in range(1, names.MAX_DIAL):
        at = int(r.dial_after_last) if at >= r.dial_last else at + 1
        if r.dial_level[at] > 0:
            return steps
    return 0


@jit
def give(r, g, w, bots, p, whom):
    """Give seat `p` the start bonus for `whom`: EVERYONE, the LAST in turn order, FIRST + place in it, LEADER + code."""
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
    """Give every seat, clockwise from the first player, its start bonuses."""
    for k in range(g.players):
        p = (g.first + k) % int(g.players)
        give(r, g, w, bots, p, EVERYONE)
        if k == g.players - 1:
            give(r, g, w, bots, p, LAST)
        give(r, g, w, bots, p, FIRST + k)
        give(r, g, w, bots, p, LEADER + g.leader[p])
    settle(r, g, w, bots)


# --- Treatments of Terra Incognita: a district, a government, a fort


@jit
def give_district(r, g, w, bots, p, district):
    """Seat `p` places its district, without a slot's limit (T4.3); return 1 if it had it and there was a space."""
    if g.district_space[p, district] >= 0:
        return 0
    n = 0
    for s in range(g.n_spaces):
        if district_fits(r, g, p, s, no_slot(r)):
            w.option[n] = s * 8 + district
            n += 1
    if n == 0:
        return 0
    w.ask_source = decisions.SOURCE_GROWTH
    w.ask_slot = no_slot(r)
    put_district(g, w, p, choose(r, g, w, bots, p, decisions.PLACE_DISTRICT, n) // 8, district)
    settle(r, g, w, bots)
    return 1


@jit
def give_government(r, g, w, bots, p, kind):
    """Put the government token of the focus type on the card of that type of seat `p` (T8); return 1 if it was not there."""
    h = holder_of(r, g, p, kind)
    if h < 0 or (g.government[p] == h and g.government_type[p] == kind):
        return 0
    log(w, LOG_GOVERNMENT, p, h, kind, g.government[p], 0, 0)
    g.government[p] = h
    g.government_type[p] = kind
    settle(r, g, w, bots)
    return 1


@jit
def nearest_free_fort(g, p):
    """Return the uncontrolled fort without a rival army nearest to the capital of seat `p`, or -1."""
    nearest = -1
    for s in range(g.n_spaces):
        if not is_free_fort(g, s) or (g.owner[s] >= 0 and g.owner[s] != p) or rival_army_on(g, p, s):
            continue
        if nearest < 0 or hex_distance(g, s, g.capital[p]) < hex_distance(g, nearest, g.capital[p]):
            nearest = s
    return nearest


@jit
def give_fort(r, g, w, bots, p):
    """Seat `p` puts an unused city on the nearest free fort, as if it had beaten it (T6.3); return 1 if there was one."""
    s = nearest_free_fort(g, p)
    if s < 0 or g.cities_left[p] <= 0:
        return 0
    put_city(r, g, w, p, s)
    g.stat_forts[p] += 1
    settle(r, g, w, bots)
    return 1


@expansion
def give_of_expansion(r, g, w, bots, p, treatment, what) -> int:
    """Give seat `p` a treatment of Terra Incognita; return 1 if that was possible."""
    if treatment == names.TREAT_DISTRICT:
        return give_district(r, g, w, bots, p, what)
    if treatment == names.TREAT_GOVERNMENT:
        return give_government(r, g, w, bots, p, what)
    return give_fort(r, g, w, bots, p)


# --- Randomised experiments: a random seat gets a treatment when a round begins (analysis/questions/experiment.py)
#
# The treatment comes with the blank game (`STATE.treatment…`). The seat is drawn from a random stream of its own, so that the
# game is the same with and without the treatment, choice by choice, until that round. The control arm is a game with a round
# but TREAT_NONE, which draws the seat and gives nothing.

NO_SOURCE = -1  # of a gift


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
    """Move the wonder's card to the built ones of its deck; if it was face up the next is turned up, if it was drafted it has
    left the deck already.

    A card from the box joins the deck that way. Return 0 if the deck has no room for it.
    """
    if g.wonder_drafted[wonder] != 0:
        return 1
    kind = r.wonder_type[wonder]
    at = place_in_deck(r, g, wonder)
    if at < 0:
        if g.deck_size[kind] >= names.DECK_SIZE:
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
def give_card(r, g, w, bots, p, card):
    """Put the focus card in place of the card of its type in the row of seat `p`; return 1 if it is in the seat's deck, or its
    unique card, and not of a lower level than the card there."""
    h = holder_of(r, g, p, int(r.card_type[card]))
    if h < 0 or not in_deck(r, g, p, card) or r.card_level[g.card[p, h]] > r.card_level[card]:
        return 0
    replace_card(r, g, w, p, h, card)
    settle(r, g, w, bots)
    follow_up(r, g, w, bots)
    return 1


@jit
def clear_question(w):
    """Clear the fields about a question: a gift comes from no card and no rival."""
    w.ask_slot = 0
    w.ask_holder = -1
    w.ask_space = -1
    w.ask_seat = -1


@jit
def treat(r, g, w, bots):
    """Draw the seat and give it the game's treatment."""
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
    elif g.treatment == names.TREAT_CARD:
        given = give_card(r, g, w, bots, p, int(g.treatment_what))
    elif r.box == names.TI_BOX and g.treatment != names.TREAT_NONE:
        given = give_of_expansion(r, g, w, bots, p, int(g.treatment), int(g.treatment_what))
    g.treated_seat = p
    g.treated = names.TREATED_YES if given != 0 else names.TREATED_IMPOSSIBLE
