"""Claiming agendas, and the choices that follow from a change of the board (B3.2)."""

from __future__ import annotations

from .. import limits, names
from ..rules import codes
from . import decisions
from .abilities import refresh
from .choosing import LOG_AGENDA, LOG_AGENDA_LOST, LOG_NATURAL_WONDER_CARD, LOG_SWAP, choose, log
from .compile.jit import expansion, inline, jit
from .counts import agenda_met, is_taken
from .map import is_token
from .pieces import PENDING, holder_of, move_card, settle_loans, take_token_off

PASS = decisions.PASS


@inline
def is_own_token(g, p, s):
    """Is a control token of seat `p` on the space, districts aside (T4.2)?"""
    return g.owner[s] == p and is_token(g, s) and g.district[s] == 0


@jit
def could_have_token(g, p):
    """Has seat `p` a control token unused or on the map? Those on victory cards stay there (B3.2)."""
    if g.tokens_left[p] > 0:
        return True
    for s in range(g.n_spaces):
        if is_own_token(g, p, s):
            return True
    return False


@jit
def have_token(r, g, w, bots, p, source, may_pass):
    """Let seat `p` take an own control token off the map if it has none unused (B1.6); return whether it has one then."""
    if g.tokens_left[p] > 0:
        return True
    n = 0
    for s in range(g.n_spaces):
        if is_own_token(g, p, s):
            w.option[n] = s
            n += 1
    if n == 0:
        return False
    if may_pass != 0:
        w.option[n] = PASS
        n += 1
    w.ask_source = source
    s = choose(r, g, w, bots, p, decisions.TAKE_OFF, n)
    if s == PASS:
        return False
    take_token_off(r, g, w, s, p)
    return True


@jit
def place_natural_wonders(r, g, w, bots):
    """Roosevelt Corollary: its owner puts each natural wonder token gained or used on a focus card of its choice."""
    for i in range(limits.MAX_NATURAL_WONDERS):
        p = g.natural_wonder_owner[i]
        if p < 0 or g.natural_wonder_holder[i] != PENDING:
            continue
        n = 0
        for place in range(r.slots):
            w.option[n] = g.row[p, place]
            n += 1
        w.ask_space = i
        w.ask_source = decisions.SOURCE_AMERICA
        g.natural_wonder_holder[i] = choose(r, g, w, bots, p, decisions.NATURAL_WONDER_CARD, n)
        log(w, LOG_NATURAL_WONDER_CARD, p, i, g.natural_wonder_holder[i], 0, 0, 0)


@jit
def claim(r, g, w, bots, p, i):
    """Seat `p` puts a control token on the victory card in place `i`, if it satisfies an agenda of it and has a token."""
    card = g.victory_card[i]
    for a in range(2):
        if g.claimed[p, i] == 0 and agenda_met(r, g, p, card, a) and not is_taken(r, g, i, a) and could_have_token(g, p):
            log(w, LOG_AGENDA, p, i, a + 1, card, 0, 0)
            g.dirty = 1  # look again: the token may come off the map
            have_token(r, g, w, bots, p, decisions.SOURCE_VICTORY, 0)
            g.tokens_left[p] -= 1
            g.claimed[p, i] = a + 1
            g.claimed_round[p, i] = g.round_number


@expansion
def return_lost_claims(r, g, w) -> None:
    """T3.3: a control token on a fort card returns to its owner the moment the condition fails."""
    for i in range(g.victory_count):
        card = g.victory_card[i]
        if r.victory_must_stay[card] == 0:
            continue
        for p in range(g.players):
            a = g.claimed[p, i] - 1
            if a >= 0 and not agenda_met(r, g, p, card, a):
                g.claimed[p, i] = 0
                g.claimed_round[p, i] = 0
                g.tokens_left[p] += 1
                log(w, LOG_AGENDA_LOST, p, i, 0, 0, 0, 0)


@jit
def pact_held(r, g, p, giver):
    """Return the Non-Aggression Pact of the giver that seat `p` holds, or -1."""
    for c in range(r.n_diplomacy):
        for row in range(r.diplomacy_first[c], r.diplomacy_first[c] + r.diplomacy_n[c]):
            if r.ability_effect[row] == codes.NON_AGGRESSION and g.diplomacy[giver, c] == p:
                return c
    return -1


@jit
def answer_strike(r, g, w, bots, p, giver):
    """T12.4: seat `p` may answer a strike of the giver of its Non-Aggression Pact: give the card back and swap the own military
    card with another one of the row."""
    pact = pact_held(r, g, p, giver)
    h = holder_of(r, g, p, names.MILITARY)
    place = -1
    n = 0
    for k in range(r.slots):
        if g.row[p, k] == h:
            place = k
        else:
            w.option[n] = k
            n += 1
    if pact < 0 or place < 0:
        return
    w.option[n] = PASS
    w.ask_seat = giver
    other = choose(r, g, w, bots, p, decisions.NON_AGGRESSION, n + 1)
    if other == PASS:
        return
    move_card(g, w, p, giver, pact, 0)
    g.row[p, place] = g.row[p, other]
    g.row[p, other] = h
    log(w, LOG_SWAP, p, place, other, 0, 0, 0)


@jit
def answer_strikes(r, g, w, bots):
    """Let every seat answer strikes of the givers of its pacts, clockwise (T12.4)."""
    for k in range(int(g.current), int(g.current) + int(g.players)):
        p = k if k < g.players else k - int(g.players)
        for giver in range(g.players):
            if g.strikes >> (p * limits.MAX_PLAYERS + giver) & 1 != 0:
                answer_strike(r, g, w, bots, p, giver)
    g.strikes = 0


@jit
def read_anew(r, g, w):
    """Compute anew the numbers of seats whose cards changed, and their city-states that are own cities (T12.3)."""
    refresh(r, g)
    settle_loans(r, g, w)
    if g.stale != 0:
        refresh(r, g)


@jit
def settle(r, g, w, bots):
    """After every change of the board: everybody's numbers, Roosevelt Corollary, then every agenda satisfied at this moment
    (B3.2), clockwise."""
    if g.stale != 0:
        read_anew(r, g, w)
    if r.agendas_beyond != 0:  # they may count anything
        g.dirty = 1
    while g.dirty != 0:
        if g.stale != 0:
            read_anew(r, g, w)
        if g.strikes != 0 and g.in_attack == 0:
            answer_strikes(r, g, w, bots)
            continue
        place_natural_wonders(r, g, w, bots)
        g.dirty = 0
        if r.box == names.TI_BOX:
            return_lost_claims(r, g, w)
        first = int(g.current)
        for k in range(first, first + g.players):
            p = k if k < g.players else k - g.players
            for i in range(g.victory_count):
                if g.claimed[p, i] == 0:
                    claim(r, g, w, bots, p, i)
