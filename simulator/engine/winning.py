"""Victory: victory cards (B3.3), victory points and the round limit of house rules, ties, and partners."""

from __future__ import annotations

from .. import limits, names
from .choosing import LOG_WIN, log
from .compile.jit import beyond, jit
from .counts import metric
from .pieces import claims, has_partner, partner_of, wonder_held

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
            w.chain[p] = min(limits.MAX_SCORE, team_score(r, g, p))
        keep_best(g, w)
    for k in range(limits.MAX_RANKINGS):
        by = r.limit_ranking[k] if how == names.WON_BY_LIMIT else r.tie_break[k]
        if by != names.RANK_NONE:
            rank(r, g, w, by)
    share_win(r, g, w)
    g.ending = names.VICTORY
