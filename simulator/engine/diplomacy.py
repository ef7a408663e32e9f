"""Diplomacy cards: taking and giving back (B7.5, B9.12), Geneva, Potala Palace, Poland and the leaders' cards to give."""

from __future__ import annotations

from ..rules import codes
from . import decisions
from .choosing import LOG_DIPLOMACY, LOG_IBRAHIM, choose, log
from .compile.jit import jit
from .pieces import move_card
from .winning import settle


@jit
def held_from(r, g, p, giver):
    """Return how many diplomacy cards of `giver` seat `p` holds."""
    n = 0
    for c in range(r.n_diplomacy):
        if g.diplomacy[giver, c] == p:
            n += 1
    return n


@jit
def card_limit(r, g, p, giver):
    """Return how many cards of the player `giver` seat `p` may hold; Potala Palace raises it, of Poland's ally all."""
    if g.allies[p] >> giver & 1 != 0:
        return int(r.n_diplomacy)
    return max(int(r.diplomacy_limit), int(g.power[p, codes.DIPLOMACY_LIMIT]))


@jit
def return_cards(r, g, w, p, giver):
    """Give back every card of the player (B9.12)."""
    for c in range(r.n_diplomacy):
        if g.diplomacy[giver, c] == p:
            move_card(g, w, p, giver, c, 0)


@jit
def make_room(r, g, w, bots, p, giver):
    """Give back cards of the giver until one more may be held (B7.5)."""
    while held_from(r, g, p, giver) >= card_limit(r, g, p, giver):
        n = 0
        for c in range(r.n_diplomacy):
            if g.diplomacy[giver, c] == p:
                w.option[n] = c
                n += 1
        if n == 0:
            return
        w.ask_seat = giver
        move_card(g, w, p, giver, choose(r, g, w, bots, p, decisions.RETURN_DIPLOMACY, n), 0)


@jit
def list_cards_left(r, g, w, giver):
    """List the diplomacy cards that the player still has; return how many."""
    n = 0
    for c in range(r.n_diplomacy):
        if g.diplomacy[giver, c] < 0:
            w.option[n] = c
            n += 1
    return n


@jit
def take_player_card(r, g, w, bots, p, giver):
    """Seat `p` may take a diplomacy card that the rival still has, giving cards back first at the limit (B7.5)."""
    n = list_cards_left(r, g, w, giver)
    if n == 0:
        return
    w.option[n] = decisions.PASS
    w.ask_seat = giver
    w.ask_space = -1
    w.ask_source = decisions.SOURCE_ARRIVAL
    c = choose(r, g, w, bots, p, decisions.TAKE_DIPLOMACY, n + 1)
    if c == decisions.PASS:
        return
    make_room(r, g, w, bots, p, giver)
    move_card(g, w, p, giver, c, 1)
    settle(r, g, w, bots)


@jit
def gain_city_state_card(g, w, p, cs):
    """Seat `p` gets a copy of the city-state's card, if one is left and it has none."""
    if g.city_state_cards_left[cs] <= 0 or g.city_state_cards[cs, p] != 0:
        return
    g.city_state_cards[cs, p] = 1
    g.city_state_cards_left[cs] -= 1
    g.stale |= 1 << p
    g.dirty = 1
    log(w, LOG_DIPLOMACY, p, 1, cs, 0, 1, 0)


@jit
def take_city_state_card(r, g, w, bots, p, cs):
    """Seat `p` may take a copy of the city-state's card, if one is left and it has none (B7.5)."""
    if g.city_state_cards_left[cs] <= 0 or g.city_state_cards[cs, p] != 0:
        return
    w.option[0] = 0
    w.option[1] = decisions.PASS
    w.ask_seat = -1
    w.ask_space = cs
    w.ask_source = decisions.SOURCE_ARRIVAL
    if choose(r, g, w, bots, p, decisions.TAKE_DIPLOMACY, 2) != decisions.PASS:
        gain_city_state_card(g, w, p, cs)


@jit
def return_city_state_card(g, w, p, cs):
    """Put the city-state's card of seat `p` back beside the map."""
    if g.city_state_cards[cs, p] != 0:
        g.city_state_cards[cs, p] = 0
        g.city_state_cards_left[cs] += 1
        g.stale |= 1 << p
        log(w, LOG_DIPLOMACY, p, 1, cs, 0, 0, 0)


@jit
def list_diplomacy_swaps(r, g, w, p):
    """List the swaps that Geneva's card allows: a card held from a player for another that player still has."""
    n = 0
    for giver in range(g.players):
        if giver == p:
            continue
        for old in range(r.n_diplomacy):
            if g.diplomacy[giver, old] != p:
                continue
            for new in range(r.n_diplomacy):
                if g.diplomacy[giver, new] < 0:
                    w.option[n] = giver * 64 + old * 8 + new
                    n += 1
    return n


@jit
def swap_diplomacy(r, g, w, bots, p, swaps):
    """Geneva: swap diplomacy cards held from one player."""
    for _ in range(swaps):
        n = list_diplomacy_swaps(r, g, w, p)
        w.option[n] = decisions.PASS
        picked = choose(r, g, w, bots, p, decisions.GENEVA_SWAP, n + 1)
        if picked == decisions.PASS:
            return
        move_card(g, w, p, picked // 64, picked // 8 % 8, 0)
        move_card(g, w, p, picked // 64, picked % 8, 1)
        settle(r, g, w, bots)


@jit
def make_alliance(r, g, w, bots, p, cards):
    """Lithuanian Union: seat `p` chooses a player, takes diplomacy cards of it and may hold any number of them from now on."""
    n = 0
    for q in range(g.players):
        if q != p and held_from(r, g, p, q) < r.n_diplomacy:
            w.option[n] = q
            n += 1
    if n == 0:
        return
    w.ask_source = decisions.SOURCE_POLAND
    ally = choose(r, g, w, bots, p, decisions.ALLY, n)
    g.allies[p] |= 1 << ally
    for _ in range(cards):
        n = list_cards_left(r, g, w, ally)
        if n == 0:
            return
        w.ask_seat = ally
        w.ask_space = -1
        w.ask_source = decisions.SOURCE_POLAND
        move_card(g, w, p, ally, choose(r, g, w, bots, p, decisions.TAKE_DIPLOMACY, n), 1)
        settle(r, g, w, bots)


@jit
def list_receivers(g, w, p):
    """List the seats to which seat `p` may give its leader's card, all others but its holder; return how many."""
    n = 0
    for q in range(g.players):
        if q != p and g.given_card[p] != q:
            w.option[n] = q
            n += 1
    return n


@jit
def give_card(r, g, w, bots, p):
    """Grand Vizier: seat `p` may give its leader's card to another player, who has its abilities from then on."""
    n = list_receivers(g, w, p)
    w.option[n] = decisions.PASS
    q = choose(r, g, w, bots, p, decisions.GIVE_IBRAHIM, n + 1)
    if q == decisions.PASS:
        return
    g.stale |= (1 << (g.given_card[p] + 1) | 1 << (q + 1)) >> 1  # drops the bit of nobody (-1)
    g.given_card[p] = q
    log(w, LOG_IBRAHIM, p, q, 0, 0, 0, 0)
    settle(r, g, w, bots)


@jit
def take_diplomacy(r, g, w, bots, p, cards):
    """Potala Palace, when built: take player diplomacy cards of own choice."""
    for k in range(cards):
        n = 0
        for giver in range(g.players):
            if giver == p:
                continue
            for c in range(r.n_diplomacy):
                if g.diplomacy[giver, c] < 0 and held_from(r, g, p, giver) < card_limit(r, g, p, giver):
                    w.option[n] = giver * 8 + c
                    n += 1
        w.option[n] = decisions.PASS
        w.ask_left = cards - k
        w.ask_source = decisions.SOURCE_POTALA
        picked = choose(r, g, w, bots, p, decisions.POTALA, n + 1)
        if picked == decisions.PASS:
            return
        move_card(g, w, p, picked // 8, picked % 8, 1)
        settle(r, g, w, bots)
