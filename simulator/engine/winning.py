"""Claiming agendas and winning: victory cards, what a change of the board fulfils, ties, and partners who share it all (B3)."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions
from .abilities import refresh
from .choosing import LOG_AGENDA, LOG_AGENDA_LOST, LOG_NATURAL_WONDER_CARD, LOG_SWAP, LOG_WIN, choose, log
from .compile.jit import beyond, expansion, inline, jit
from .counts import agenda_met, is_taken, metric
from .map import is_token
from .pieces import PENDING, claims, has_partner, holder_of, move_card, partner_of, settle_loans, take_token_off, wonder_held

# --- Claiming agendas, and the choices that follow from a change of the board (B3.2)

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
    for i in range(names.MAX_NATURAL_WONDERS):
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
            if g.strikes >> (p * names.MAX_PLAYERS + giver) & 1 != 0:
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


# --- Victory: victory cards (B3.3), victory points and the round limit of house rules, ties, and partners

SHARES = 60  # parts of a win in the log: divisible by up to five winners


@jit
def claims_to_win(r, g, p):
    """Return the number of victory cards claimed by seat `p`, by house rules with its partner, each card once."""
    if not has_partner(r) or r.claims_together == 0:
        return claims(g, p)
    q = partner_of(r, p)
    n = 0
    for i in range(g.victory_count):
        n += 1 if g.claimed[p, i] != 0 or g.claimed[q, i] != 0 else 0
    return n


@jit
def has_cards(r, g, p):
    """Does seat `p` win by its victory cards: every one in play, or as many as house rules need?"""
    return r.printed_victory != 0 and claims_to_win(r, g, p) >= g.victory_count - r.claims_spared


@jit
def has_enough(r, g, p):
    """Does seat `p`, or its partner, have the victory cards to win?"""
    return has_cards(r, g, p) or (has_partner(r) and has_cards(r, g, partner_of(r, p)))


@beyond
def score(r, g, p) -> int:
    """Return the victory points of seat `p` by house rules."""
    points = 0
    for what in range(len(names.METRICS)):
        if r.points[what] != 0:
            points += r.points[what] * metric(r, g, p, what, -1)
    return points


@jit
def team_score(r, g, p):
    """Return the victory points of seat `p`, with those of its partner."""
    return score(r, g, p) + (score(r, g, partner_of(r, p)) if has_partner(r) else 0)


@jit
def points_decide(r, g):
    """Is the round over after which the highest score wins, or has a player the points that win at once?"""
    if r.points_round > 0 and g.round_number >= r.points_round:
        return True
    for p in range(g.players):
        if r.points_to_win > 0 and team_score(r, g, p) >= r.points_to_win:
            return True
    return False


@jit
def at_round_limit(r, g):
    """Is the round over after which a house rule ends the game?"""
    return r.round_limit > 0 and g.round_number >= r.round_limit


@jit
def won_by(r, g):
    """Return what ends the game now (names.WON_BY_*); victory cards come first."""
    for p in range(g.players):
        if has_enough(r, g, p):
            return names.WON_BY_CARDS
    if r.scored != 0 and points_decide(r, g):
        return names.WON_BY_POINTS
    return names.WON_BY_LIMIT if at_round_limit(r, g) else names.NOT_WON


@jit
def keep_best(g, w):
    """Of the remaining candidates (`g.winner`) keep those with the highest value in ``w.chain``."""
    best = -1
    for p in range(g.players):
        if g.winner[p] != 0 and w.chain[p] > best:
            best = w.chain[p]
    for p in range(g.players):
        if w.chain[p] < best:
            g.winner[p] = 0


@jit
def ranked(r, g, p, by):
    """Return the value of seat `p` in a ranking (RANK_*), the highest being best."""
    if by == names.RANK_CLAIMS:
        return claims(g, p)
    if by == names.RANK_WONDERS:
        return wonder_held(r, g, p, -1)
    if by == names.RANK_SPACES:
        return int(g.space_count[p])
    if by == names.RANK_CITIES:
        return int(g.city_count[p])
    if by == names.RANK_DIAL:
        return int(g.dial[p])
    place = (p - int(g.first)) % int(g.players)
    if by == names.RANK_FIRST or by == names.RANK_LAST:
        return place if by == names.RANK_LAST else -1 - place + int(g.players)
    tokens = 0
    for h in range(names.N_TYPES):
        tokens += g.trade[p, h] if g.card[p, h] >= 0 else 0
    return tokens


@jit
def ranked_with_partner(r, g, p, by):
    """Return the value of seat `p` and its partner in a ranking: the better place in turn order, else their sum."""
    own = ranked(r, g, p, by)
    if not has_partner(r):
        return own
    other = ranked(r, g, partner_of(r, p), by)
    return max(own, other) if by == names.RANK_FIRST or by == names.RANK_LAST else own + other


@jit
def rank(r, g, w, by):
    """Of the remaining candidates keep the best by a ranking (RANK_*)."""
    for p in range(g.players):
        w.chain[p] = ranked_with_partner(r, g, p, by)
    keep_best(g, w)


@jit
def share_win(r, g, w):
    """Log the winners among the candidates: all of them, or by another ruling (B3.3b) the first in turn order, with its
    partner."""
    lead = -1
    winners = 0
    for k in range(g.players):
        p = (g.first + k) % g.players
        if g.winner[p] != 0 and lead >= 0 and r.tie_is_shared == 0 and not (has_partner(r) and partner_of(r, p) == lead):
            g.winner[p] = 0
        if g.winner[p] != 0:
            winners += 1
            lead = p if lead < 0 else lead
    for p in range(g.players):
        if g.winner[p] != 0:
            log(w, LOG_WIN, p, SHARES // winners, 0, 0, 0, 0)


@jit
def check_victory(r, g, w):
    """B3.3: a player with every card has won; ties go to most world wonders, then most friendly spaces, then are shared.

    If points or the round limit decide, all players are candidates: the highest score wins, with the same tie-breaks, or the
    best by the rankings of the limit. Partners win together.
    """
    how = won_by(r, g)
    for p in range(g.players):
        g.winner[p] = 1 if how > names.WON_BY_CARDS or (how == names.WON_BY_CARDS and has_enough(r, g, p)) else 0
    if how == names.NOT_WON:
        return
    if how == names.WON_BY_POINTS:
        for p in range(g.players):
            w.chain[p] = min(names.MAX_SCORE, team_score(r, g, p))
        keep_best(g, w)
    for k in range(names.MAX_RANKINGS):
        by = r.limit_ranking[k] if how == names.WON_BY_LIMIT else r.tie_break[k]
        if by != names.RANK_NONE:
            rank(r, g, w, by)
    share_win(r, g, w)
    g.ending = names.VICTORY
