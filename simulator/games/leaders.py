"""Who plays which leader (B2.1): dealt by lot; by house rules also banned first, and chosen of several dealt or of all left.

What house rules add has a random stream of its own: maps, decks and strategies stay those of the printed rules on the same
seed, and so does the first leader dealt to each seat unless somebody bans it.
"""

from __future__ import annotations

import numba

from .. import names
from ..engine.core import state
from ..engine.core.argument_types import declare_parameters
from ..engine.core.jit import jit
from ..engine.core.log import LOG_LEADER, LOG_LEADER_BANNED, log
from ..engine.core.rng import below
from ..engine.course.draws import first_to_be
from .rows import SEATING

NO_LEADER = -1

declare_parameters(__name__, seating=numba.from_dtype(SEATING))


@jit
def is_banned(r, g, leader):
    """Has anyone banned the leader?"""
    for seat in range(g.players):
        for k in range(r.leader_bans):
            if g.leader_ban[seat, k] == leader:
                return True
    return False


@jit
def is_left(r, g, leader):
    """Is the leader still there to be dealt, banned or chosen?"""
    for seat in range(g.players):
        for k in range(r.leaders_dealt):
            if g.leader_offer[seat, k] == leader:
                return False
    return not is_banned(r, g, leader)


@jit
def draw_leader(r, g, seating, stream, by_rank):
    """Draw one of the leaders left by lot; with `by_rank` 1 of those that stand highest in the ranking."""
    best, n = 0, 0
    for pick in range(seating.n_leaders):
        leader = int(seating.leaders[pick])
        rank = int(r.leader_rank[leader]) * by_rank
        if is_left(r, g, leader) and (n == 0 or rank <= best):
            n = n + 1 if rank == best else 1
            best = rank
    left = below(g, stream, n)
    for pick in range(seating.n_leaders):
        leader = int(seating.leaders[pick])
        if is_left(r, g, leader) and int(r.leader_rank[leader]) * by_rank == best:
            if left == 0:
                return leader
            left -= 1
    return NO_LEADER


@jit
def ban_leaders(r, g, w, seating):
    """In turn order everyone bans the leader ranked highest of those left, as many times round as the rules say."""
    first = first_to_be(r, g)
    for seat in range(g.players):
        g.leader_offer[seat, 0] = NO_LEADER
    for k in range(r.leader_bans):
        for place in range(g.players):
            seat = (first + place) % int(g.players)
            leader = draw_leader(r, g, seating, state.STREAM_DEAL, 1)
            g.leader_ban[seat, k] = leader
            log(w, LOG_LEADER_BANNED, seat, leader, 0, 0, 0, 0)
    for seat in range(g.players):
        if not is_banned(r, g, g.leader[seat]):
            g.leader_offer[seat, 0] = g.leader[seat]


@jit
def choose_leader(r, g, seat):
    """Return which of its leaders the seat plays: one by lot, or the one that the ranking likes best."""
    if r.leader_choice == names.CHOICE_RANDOM:
        return below(g, state.STREAM_DEAL, r.leaders_dealt)
    best = 0
    for k in range(1, r.leaders_dealt):
        if r.leader_rank[g.leader_offer[seat, k]] < r.leader_rank[g.leader_offer[seat, best]]:
            best = k
    return best


@jit
def deal_more_leaders(r, g, w, seating):
    """Deal every seat the leaders that it lacks, and let it play one of them.

    All are dealt before anyone chooses: what a player leaves nobody gets.
    """
    for deal in range(r.leaders_dealt):
        for seat in range(g.players):
            if g.leader_offer[seat, deal] == NO_LEADER:
                g.leader_offer[seat, deal] = draw_leader(r, g, seating, state.STREAM_DEAL, 0)
    for seat in range(g.players):
        g.leader[seat] = g.leader_offer[seat, choose_leader(r, g, seat)]
        log(w, LOG_LEADER, seat, g.leader[seat], 0, 0, 0, 0)


@jit
def draft_leaders(r, g, w, seating):
    """One after the other everyone takes a leader of those left: the one ranked highest, or one by lot."""
    players = int(g.players)
    first = first_to_be(r, g)
    for seat in range(players):
        g.leader_offer[seat, 0] = NO_LEADER
    for place in range(players):
        nth = place if r.pick_order == names.IN_TURN_ORDER else players - 1 - place
        seat = (first + nth) % players
        g.leader_offer[seat, 0] = draw_leader(r, g, seating, state.STREAM_DEAL, int(r.leader_choice == names.CHOICE_RANKING))
        g.leader[seat] = g.leader_offer[seat, 0]
        log(w, LOG_LEADER, seat, g.leader[seat], place + 1, 0, 0, 0)


@jit
def give_leaders(r, g, w, seating, game):
    """Give each seat its leader: of the line-up, which rotates over the seats, or drawn from the pool."""
    players = int(g.players)
    for seat in range(players):
        for k in range(r.leaders_dealt):
            g.leader_offer[seat, k] = NO_LEADER
        for k in range(r.leader_bans):
            g.leader_ban[seat, k] = NO_LEADER
    for seat in range(players):
        g.leader[seat] = seating.leaders[(seat + game) % players]
        if seating.leaders_drawn != 0:
            g.leader[seat] = draw_leader(r, g, seating, state.STREAM_LEADERS, 0)
        g.leader_offer[seat, 0] = g.leader[seat]
    if seating.leaders_drawn == 0:
        return
    if r.leader_bans > 0:
        ban_leaders(r, g, w, seating)
    if r.leader_source == names.FROM_ALL_LEFT:
        draft_leaders(r, g, w, seating)
    elif r.leaders_dealt > 1 or r.leader_bans > 0:
        deal_more_leaders(r, g, w, seating)
