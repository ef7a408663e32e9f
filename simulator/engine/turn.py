"""A turn and a whole game: the event dial, the turn, rounds until somebody wins (B4, B12)."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions, state
from .abilities import ALL_SEATS, happen, place_of_slot, require_room, slot_repeated
from .armies import resolve_armies
from .barbarians import barbarians_appear, move_barbarians
from .choosing import (
    LOG_CARD,
    LOG_EVENT,
    LOG_FIRST,
    LOG_GOVERNMENT,
    LOG_RESET,
    LOG_ROUND,
    LOG_TURN,
    LOG_WONDER_TRADE,
    choose,
    clear_question,
    log,
)
from .combat import resolve_military
from .compile.jit import expansion, inline, jit
from .culture import finish_unique_culture, resolve_culture
from .districts import use_any_district
from .economy import resolve_economy
from .growth import resolve_growth
from .industry import resolve_industry
from .pieces import claims, dismiss_surplus, face_up_end, mature_cities, settle_loans, take_face_up
from .science import resolve_science
from .start_effects import follow_up, start_of_turn
from .trade import gain_trade
from .treatment import draft_wonders, give_start_bonus, treat
from .winning import check_victory, settle

# --- Icons of Terra Incognita on the event dial: districts, governments, wonders (T4.5, T8, T9)

WONDER_ROOM = 1  # trade tokens a face-up wonder holds


@jit
def use_districts(r, g, w, bots):
    """T4.5: from the first player clockwise, every player uses all own districts, each with the deeds it sets off."""
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
    """T9.2: put a trade token on each face-up wonder; one that would get its second leaves the game."""
    for kind in range(names.N_TYPES):
        # A card that leaves is moved before the others, so those behind it keep their places, and new ones come after them.
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
    """T9: resolve the icons of the expansion, that of the wonders last."""
    if icons & names.ICON_DISTRICTS:
        use_districts(r, g, w, bots)
    if icons & names.ICON_GOVERNMENT:
        change_governments(r, g, w, bots)
    if icons & names.ICON_WONDER:
        tempt_builders(r, g, w)
    settle(r, g, w, bots)


# --- A player's turn (B4)

# Reasons for resolving a card (LOG_CARD).
CHOSEN, BY_MARACANA, BY_VENETIAN_ARSENAL, BY_CAPITALISM = range(4)


@jit
def place_of(r, g, p, h):
    """Return the place of the holder's card in the row."""
    for place in range(r.slots):
        if g.row[p, place] == h:
            return place
    return -1


@jit
def acting_slot(r, g, p, h, place):
    """Return the slot number with which the holder's card acts from the place of the row (Machu Picchu, governments)."""
    acting = int(g.acting_place[p, r.card_type[g.card[p, h]], place])
    if r.box == names.TI_BOX and g.government[p] == h:
        acting = min(acting + int(r.government_shift[g.government_type[p]]), int(r.slots) - 1)
    return int(r.slot_number[acting])


@jit
def slot_in_place(r, g, p, place):
    """Return the slot number with which a card in the place of the row acts."""
    return acting_slot(r, g, p, int(g.row[p, place]), place)


@inline
def shifts_see_as_if(r):
    """Do shifts apply to a card resolved as if it lay in a slot (T2.4; in the base game, for Machu Picchu, by a ruling)?"""
    return r.box == names.TI_BOX or r.machu_picchu_sees_as_if != 0


@jit
def acting_as_if(r, g, p, h, slot):
    """Return the slot number with which the holder's card acts when it is resolved as if it lay in the slot."""
    return acting_slot(r, g, p, h, place_of_slot(r, slot)) if shifts_see_as_if(r) else slot


@jit
def resolve_card(r, g, w, bots, p, h, place, why):
    """Resolve the holder's card from the place of the row where it lies, or (by `why`) as if it lay there."""
    slot = int(r.slot_number[place])
    card = g.card[p, h]
    kind = int(r.card_type[card])
    g.stat_resolved[p, kind, slot] += 1
    lies_there = why == CHOSEN or why == BY_MARACANA
    acting = acting_slot(r, g, p, h, place) if lies_there or shifts_see_as_if(r) else slot
    log(w, LOG_CARD, p, place_of(r, g, p, h), slot, card, why, acting)
    w.ask_slot = acting
    w.ask_holder = h
    w.ask_seat = -1
    w.ask_wonder = -1
    if kind == names.CULTURE:
        resolve_culture(r, g, w, bots, p, h, acting)
        if r.box == names.TI_BOX:
            finish_unique_culture(r, g, w, bots, p, h, acting)
    elif kind == names.SCIENCE:
        resolve_science(r, g, w, bots, p, h, acting)
    elif kind == names.ECONOMY:
        resolve_economy(r, g, w, bots, p, h, acting)
    elif kind == names.INDUSTRY:
        resolve_industry(r, g, w, bots, p, h, acting)
    elif kind == names.MILITARY and r.box == names.BASE_BOX:
        resolve_military(r, g, w, bots, p, h, acting)
    elif kind == names.MILITARY:
        resolve_armies(r, g, w, bots, p, h, acting)
    elif kind == names.GROWTH:
        resolve_growth(r, g, w, bots, p, h, acting)
    settle(r, g, w, bots)
    happen(r, g, w, bots, p, codes.CARD_RESOLVED, 0, kind, -1, -1)
    follow_up(r, g, w, bots)


@jit
def reset_card(r, g, w, p, h):
    """B4.2: the card goes to the far left; the cards left of its old place move one to the right.

    House rules may name another place (`r.reset_place`); the cards between move over.
    """
    place, to = place_of(r, g, p, h), int(r.reset_place)
    for k in range(place, to, -1):
        g.row[p, k] = g.row[p, k - 1]
    for k in range(place, to):
        g.row[p, k] = g.row[p, k + 1]
    g.row[p, to] = h
    log(w, LOG_RESET, p, h, place, 0, 0, 0)


@inline
def slot_to_repeat(r, g, p, h):
    """Return the slot number that counts for Venetian Arsenal: by ruling that of the card's place or acting place (T2.3)."""
    place = place_of(r, g, p, h)
    return acting_slot(r, g, p, h, place) if r.repeat_sees_shift != 0 else int(r.slot_number[place])


@jit
def place_to_repeat(r, g, w, bots, p, h, slot):
    """Venetian Arsenal, once a turn: return the place from which seat `p` resolves the card from the slot again, or -1."""
    second = int(slot_repeated(int(g.power[p, codes.REPEAT_CARD]), slot))
    if second == 0 or g.used_this_turn[codes.USED_REPEAT] != 0:
        return -1
    w.option[0] = 0
    w.option[1] = 1
    w.ask_holder = h
    w.ask_slot = acting_as_if(r, g, p, h, second)
    if choose(r, g, w, bots, p, decisions.REPEAT_CARD, 2) == 0:
        return -1
    g.used_this_turn[codes.USED_REPEAT] = 1
    return int(place_of_slot(r, second))


@jit
def reset_and_act(r, g, w, bots, p, h):
    """Reset the card, then let abilities act that wait for its reset (Aztec's swap)."""
    reset_card(r, g, w, p, h)
    happen(r, g, w, bots, p, codes.CARD_RESET, 0, int(r.card_type[g.card[p, h]]), -1, -1)
    follow_up(r, g, w, bots)


@jit
def list_extra(r, g, w, p, h, kind):
    """List, after "no", the cards of the focus type that seat `p` may resolve and reset as well when it resolves the card of
    `h` (decisions.EXTRA_ECONOMY); return the number of options.

    Estadio do Maracana: the economy card with any other card, each time or once a turn (T12.24). With two economy cards in the
    row the player chooses.
    """
    w.option[0] = 0
    n = 1
    if r.card_type[g.card[p, h]] == kind or (r.maracana_once != 0 and g.used_this_turn[codes.USED_EXTRA_CARD] >> kind & 1 != 0):
        return n
    for other in range(names.N_TYPES):
        if other != h and g.card[p, other] >= 0 and r.card_type[g.card[p, other]] == kind:
            if n == 1:
                w.ask_holder = other
            w.option[n] = 1 if n == 1 else decisions.EXTRA_OTHER + other
            n += 1
    return n


@jit
def extra_card(r, g, w, bots, p, h, kind):
    """Estadio do Maracana: let seat `p` resolve a card of the focus type with that of `h`, from its own slot, and reset it;
    return its holder, or -1."""
    n = list_extra(r, g, w, p, h, kind)
    if n == 1:
        return -1
    first = int(w.ask_holder)
    w.ask_slot = slot_in_place(r, g, p, int(place_of(r, g, p, first)))
    picked = choose(r, g, w, bots, p, decisions.EXTRA_ECONOMY, n)
    if picked == 0:
        return -1
    other = first if picked == 1 else picked - decisions.EXTRA_OTHER
    g.used_this_turn[codes.USED_EXTRA_CARD] |= 1 << kind
    slot = slot_to_repeat(r, g, p, other)
    resolve_card(r, g, w, bots, p, other, int(place_of(r, g, p, other)), BY_MARACANA)
    again = place_to_repeat(r, g, w, bots, p, other, slot)
    if again >= 0:
        resolve_card(r, g, w, bots, p, other, again, BY_VENETIAN_ARSENAL)
    reset_and_act(r, g, w, bots, p, other)
    return other


@jit
def extra_cards(r, g, w, bots, p, h):
    """Let seat `p` resolve the extra cards that come with that of `h`, one of each type; return the bits of their holders."""
    done = 0
    for kind in range(names.N_TYPES):
        if g.power[p, codes.EXTRA_CARD] >> kind & 1 != 0:
            other = int(extra_card(r, g, w, bots, p, h, kind))
            done |= 1 << other if other >= 0 else 0
    return done


@jit
def second_card(r, g, w, bots, p, h):
    """Capitalism, once a turn after its reset: another card is resolved as if from slot 1, without a reset."""
    card = g.card[p, h]
    slot = r.card_resolve_other[card]
    if slot == 0 or r.card_type[card] != names.ECONOMY or g.used_this_turn[codes.USED_SECOND_CARD] != 0:
        return
    n = 0
    for place in range(r.slots):
        if g.row[p, place] != h:
            w.option[n] = place
            n += 1
    w.option[n] = decisions.PASS
    w.ask_slot = slot
    w.ask_holder = h
    place = choose(r, g, w, bots, p, decisions.OTHER_CARD, n + 1)
    if place == decisions.PASS:
        return
    g.used_this_turn[codes.USED_SECOND_CARD] = 1
    other = int(g.row[p, place])
    if r.maracana_before != 0:
        extra_cards(r, g, w, bots, p, other)
    resolve_card(r, g, w, bots, p, other, place_of_slot(r, slot), BY_CAPITALISM)
    if r.maracana_before == 0:
        extra_cards(r, g, w, bots, p, other)


@jit
def extra_and_second_card(r, g, w, bots, p, h):
    """Let seat `p` resolve the extra cards that come with that of `h`, and the second card if one was Capitalism."""
    extra = int(extra_cards(r, g, w, bots, p, h))
    for other in range(names.N_TYPES):
        if extra >> other & 1 != 0:
            second_card(r, g, w, bots, p, other)


@expansion
def begin_turn_of_figures(g) -> None:
    """Clear the marks of armies and caravans for a turn (T5.10, T7.1)."""
    for a in range(names.MAX_ARMIES):
        g.army_explored[a] = 0
        g.army_lost[a] = 0
    for c in range(names.MAX_CARAVANS):
        g.caravan_explored[c] = 0


@jit
def begin_turn(r, g):
    """Clear the counts and marks for a turn (B4.3, B7.4, B9.3, B10.2)."""
    for s in range(g.n_spaces):
        g.taken[s] = 0
        g.arrived[s] = 0
    for i in range(names.MAX_NATURAL_WONDERS):
        g.natural_wonder_used[i] = 0
    for cs in range(names.MAX_CITY_STATES):
        g.city_state_used[cs] = 0
    for i in range(codes.N_USED):
        g.used_this_turn[i] = 0
    for row in range(r.n_abilities):
        g.ability_used[row] = 0
    for c in range(names.MAX_CARAVANS):
        g.caravan_home[c] = 0
    g.attacks_won_this_turn = 0
    g.cards_replaced = 0
    if r.box == names.TI_BOX:
        begin_turn_of_figures(g)


@jit
def play_card(r, g, w, bots, p, h):
    """Resolve the chosen card, with Venetian Arsenal once more, and reset it.

    Each time Estadio do Maracana may add the economy card (T12.24). That is reset before the chosen one, which therefore ends
    at the far left; if the economy card goes first, the chosen one acts from the slot it has moved to.
    """
    if r.maracana_before != 0:
        extra_and_second_card(r, g, w, bots, p, h)
    slot = slot_to_repeat(r, g, p, h)
    resolve_card(r, g, w, bots, p, h, place_of(r, g, p, h), CHOSEN)
    if r.maracana_before == 0:
        extra_and_second_card(r, g, w, bots, p, h)
    again = place_to_repeat(r, g, w, bots, p, h, slot)
    if again >= 0:
        if r.maracana_before != 0:
            extra_and_second_card(r, g, w, bots, p, h)
        resolve_card(r, g, w, bots, p, h, again, BY_VENETIAN_ARSENAL)
        if r.maracana_before == 0:
            extra_and_second_card(r, g, w, bots, p, h)
    reset_and_act(r, g, w, bots, p, h)
    second_card(r, g, w, bots, p, h)
    settle(r, g, w, bots)


@jit
def open_turn(r, g, w, bots):
    """B4.1: begin the turn and list the places of the row for the choice of a card; return the seat."""
    p = int(g.current)
    g.turn += 1
    begin_turn(r, g)
    clear_question(w)
    log(w, LOG_TURN, p, g.turn, 0, 0, 0, 0)
    g.in_turn = 1
    if r.box == names.TI_BOX and g.government[p] >= 0:
        g.stat_government[p, g.government_type[p]] += 1
    if g.power[p, codes.CITY_STATE_AS_CITY] != 0:
        settle_loans(r, g, w)
        settle(r, g, w, bots)
    start_of_turn(r, g, w, bots, p)
    for place in range(r.slots):
        w.option[place] = place
    return p


@jit
def close_turn(r, g, w, bots, p):
    """End the turn: abilities at its end, loans of city-states, surplus figures."""
    if g.moments[p] >> codes.END_OF_TURN & 1 != 0:
        happen(r, g, w, bots, p, codes.END_OF_TURN, 0, -1, -1, -1)
        follow_up(r, g, w, bots)
    g.in_turn = 0
    g.attacks_won_this_turn = 0  # between turns and in those of others there are none
    g.cards_replaced = 0
    if g.power[p, codes.CITY_STATE_AS_CITY] != 0:
        settle_loans(r, g, w)
    for q in range(g.players):
        dismiss_surplus(r, g, w, q)
    require_room(g, w)


@jit
def take_turn(r, g, w, bots):
    """B4: effects at the start of the turn, one card of the row, its reset."""
    p = open_turn(r, g, w, bots)
    play_card(r, g, w, bots, p, int(g.row[p, choose(r, g, w, bots, p, decisions.CARD, r.slots)]))
    close_turn(r, g, w, bots, p)


# --- Rounds and the event dial, to the end of a game (B3, B12)


@jit
def pay_mature_cities(r, g, w, bots):
    """Trade icon: from the first player clockwise, every player gets trade tokens for mature cities, on any cards."""
    for k in range(g.players):
        p = (g.first + k) % g.players
        gain_trade(r, g, w, bots, p, -1, r.event_trade_per_city * mature_cities(r, g, p), decisions.SOURCE_EVENT)
        happen(r, g, w, bots, p, codes.TRADE_ICON, 0, -1, -1, -1)


@jit
def turn_event_dial(r, g, w, bots):
    """B3.1, B12.1: move the arrow one section on and resolve its icons."""
    g.event = (g.event + 1) % r.event_sections
    icons = r.event_icons[g.event]
    log(w, LOG_EVENT, -1, g.event, icons, 0, 0, 0)
    clear_question(w)
    if icons & names.ICON_BARBARIANS_APPEAR:
        barbarians_appear(r, g, w, bots)
    if icons & names.ICON_BARBARIANS_MOVE:
        move_barbarians(r, g, w, bots)
    if icons & names.ICON_TRADE:
        pay_mature_cities(r, g, w, bots)
    if r.box == names.TI_BOX:
        resolve_icons(r, g, w, bots, icons)
    settle(r, g, w, bots)
    follow_up(r, g, w, bots)


@jit
def end_round(r, g, w, bots):
    """Let the abilities act that wait for the end of a round, clockwise from the first player."""
    for k in range(g.players):
        p = (g.first + k) % g.players
        if g.moments[p] >> codes.END_OF_ROUND & 1 != 0:
            happen(r, g, w, bots, p, codes.END_OF_ROUND, 0, -1, -1, -1)
            follow_up(r, g, w, bots)


@jit
def next_first_player(r, g):
    """Return the first player of the next round, by house rules: the next clockwise, or the one with the fewest victory cards
    claimed, then the fewest friendly spaces, then the first in turn order."""
    if r.first_player == names.FIRST_NEXT:
        return (int(g.first) + 1) % int(g.players)
    last = int(g.first)
    for k in range(1, g.players):
        p = (int(g.first) + k) % int(g.players)
        behind = int(claims(g, p)) - int(claims(g, last))
        if behind < 0 or (behind == 0 and g.space_count[p] < g.space_count[last]):
            last = p
    return last


@jit
def change_first_player(r, g, w):
    """Set the first player of the round by house rules."""
    first = next_first_player(r, g)
    if first != g.first:
        g.first = g.current = first
        log(w, LOG_FIRST, first, 0, 0, 0, 0, 0)


@jit
def begin_round(r, g, w, bots):
    """Begin a round: event dial, check for victory and round cap (B3.4) after an earlier round; gifts of round 1 and of
    experiments."""
    if g.round_number > 0:
        end_round(r, g, w, bots)
        if r.win_check_after_dial == 0:
            check_victory(r, g, w)
        if g.ending == names.RUNNING:
            turn_event_dial(r, g, w, bots)
        if r.win_check_after_dial != 0:
            check_victory(r, g, w)
        if g.ending == names.RUNNING and g.round_number >= g.round_cap:
            g.ending = names.ROUND_CAP
        if g.ending != names.RUNNING:
            return
    g.round_number += 1
    if r.timed_abilities != 0:
        g.stale = ALL_SEATS
        settle(r, g, w, bots)
    log(w, LOG_ROUND, -1, g.round_number, 0, 0, 0, 0)
    if r.first_player != names.FIRST_STAYS and g.round_number > 1:
        change_first_player(r, g, w)
    if g.round_number == 1:
        draft_wonders(r, g, w, bots)
        give_start_bonus(r, g, w, bots)
    if g.round_number == g.treatment_round:
        treat(r, g, w, bots)
    require_room(g, w)


@jit
def play_step(r, g, w, bots):
    """Play one turn, and begin the round before the first player's; return 1 while the game goes on."""
    if g.current == g.first:
        begin_round(r, g, w, bots)
        if g.ending != names.RUNNING:
            return 0
    take_turn(r, g, w, bots)
    g.current = (g.current + 1) % g.players
    return 1


@jit
def play_game(r, g, w, bots):
    """Play a game that is set up (setup.py) to its end, or to the turn with an illegal answer (choosing.py)."""
    while w.fault_n == 0 and play_step(r, g, w, bots) != 0:
        pass
