"""Search: the planner's choice of a card, checked by playing the rest of the game out many times.

At the choice of its card the seat copies the game, once for every simulation, and lets planners play on for some rounds;
then the planner's estimates of the turns everybody still needs say how good its prospects are. The cards the planner rates
highest are tried, with its best use of each and with its second best first step (another space for the city or the token,
another target …). Simulations are shared out by sequential halving (Karnin, Koren, Somekh: "Almost optimal exploration in
multi-armed bandits", ICML 2013); the n-th simulations of all candidates use the same dice, and what is not clearly better
than the planner's own choice is not taken.

It knows no more than a player: dice are thrown anew, hidden world wonders shuffled anew, rivals are taken for planners with
its own weights. The weights `simulations` and `simulated_rounds` say how many simulations a turn it has, and how long they
are. Slow: it is for checking what the planner misses, not for millions of games.
"""

import numpy as np
from numba import types

from ...simulator import limits, names
from ...simulator.engine.board.decks import face_up_end
from ...simulator.engine.core import decisions, state
from ...simulator.engine.core.argument_types import BOTS, declare_parameters
from ...simulator.engine.core.exponential import exp
from ...simulator.engine.core.jit import address_in_code, jit, strategy
from ...simulator.engine.core.rng import below, mix, seed_streams
from ...simulator.engine.course.play import play_step
from ...simulator.engine.course.turn import play_card
from . import plan, weights
from .cards import card_score
from .plan import agenda_turns
from .planner import choose_best, choose_planner

USES = 2  # the planner's best use of a card, and its second best
CARDS = 3  # so many cards are tried
HALVINGS = 3
SCALE = 1000  # prospects of a won game
EVEN_TURNS = 300.0  # turns (in hundredths) by which one has to be ahead for odds of e to 1
CLEARLY = 1.0  # standard errors
SEED_SHIFT = np.uint64(1)

declare_parameters(__name__, candidates=types.int64[::1], alive=types.int64[::1], gain=types.float64[::1])


@jit
def is_first_step(kind):
    """Is this a decision that gives the use of a card its direction?"""
    return (
        kind == decisions.PLACE_TOKEN
        or kind == decisions.INDUSTRY
        or kind == decisions.MILITARY
        or kind == decisions.ATTACK
        or kind == decisions.REINFORCE
    )


@strategy
def choose_use(r, g, w, seat, kind, n, u):
    """Play like the planner, but take its second best option at the first step of a turn whose notes say so."""
    best = choose_planner(r, g, w, seat, kind, n, u)
    if g.notes[seat, plan.SECOND_STEP] == 0 or g.current != seat or not is_first_step(kind):
        return best
    if g.notes[seat, plan.SECOND_AT] == 0:
        g.notes[seat, plan.SECOND_AT] = g.stat_decisions
    if g.notes[seat, plan.SECOND_AT] != g.stat_decisions:
        return best
    return choose_best(r, g, w, seat, kind, n, best)


use_address = address_in_code(choose_use)


@jit
def shuffle_hidden(r, g):
    """Put the world wonders nobody has seen, those in the box too, into a new order (B2.5)."""
    hidden = np.empty(limits.MAX_WONDERS, np.int64)
    for kind in range(names.N_TYPES):
        for era in range(len(names.ERAS)):
            n = 0
            for wonder in range(r.n_wonders):
                unseen = g.wonder_place[wonder] == state.WONDER_DECK or g.wonder_place[wonder] == state.WONDER_BOX
                if unseen and r.wonder_available[wonder] != 0 and r.wonder_type[wonder] == kind and r.wonder_era[wonder] == era:
                    hidden[n] = wonder
                    n += 1
            for k in range(face_up_end(r, g, kind), g.deck_size[kind]):
                if r.wonder_era[g.deck[kind, k]] == era and n > 0:
                    pick = below(g, state.STREAM_WONDERS, n)
                    g.wonder_place[g.deck[kind, k]] = state.WONDER_BOX
                    g.deck[kind, k] = hidden[pick]
                    n -= 1
                    hidden[pick] = hidden[n]
        for k in range(face_up_end(r, g, kind), g.deck_size[kind]):
            g.wonder_place[g.deck[kind, k]] = state.WONDER_DECK


@jit
def shuffle_tiles(g):
    """Put the tiles of the stack, which nobody has seen, into a new order (T7.1)."""
    for k in range(int(g.stack_n) - 1, 0, -1):
        pick = below(g, state.STREAM_MAP, k + 1)
        tile = g.stack[k]
        g.stack[k] = g.stack[pick]
        g.stack[pick] = tile


@jit
def prepare(r, g, seat, key):
    """Make the copied game one that the seat can imagine: other dice, other hidden cards and tiles, planners all round."""
    seed_streams(g, key, 0)
    shuffle_hidden(r, g)
    shuffle_tiles(g)
    for p in range(limits.MAX_PLAYERS):
        if p != seat:
            for k in range(g.weights.shape[1]):
                g.weights[p, k] = g.weights[seat, k]
            for k in range(g.notes.shape[1]):
                g.notes[p, k] = 0


@jit
def turns_left(r, g, w, p):
    """Return how many turns seat `p` still needs by the planner's estimate: the quicker agenda of each card to claim."""
    turns = 0
    for i in range(g.victory_count):
        need = 0
        if g.claimed[p, i] == 0:
            card = int(g.victory_card[i])
            need = min(agenda_turns(r, g, w, p, card, 0), agenda_turns(r, g, w, p, card, 1))
        w.claim_turns[i] = need
        turns += need
    for _ in range(r.claims_spared):  # nobody goes for the slowest cards if house rules spare some
        slowest = 0
        for i in range(g.victory_count):
            slowest = i if w.claim_turns[i] > w.claim_turns[slowest] else slowest
        turns -= int(w.claim_turns[slowest])
        w.claim_turns[slowest] = 0
    return turns


@jit
def prospects(r, g, w, seat):
    """Return the seat's chance to win as the planner's estimates have it, 0 … SCALE: the softmax of the turns left."""
    total = 0.0
    mine = 0.0
    for p in range(g.players):
        chance = exp(-turns_left(r, g, w, p) / EVEN_TURNS)
        total += chance
        if p == seat:
            mine = chance
    return int(SCALE * mine / total)


@jit
def play_out(r, g, w, bots, seat, holder):
    """Play on from the choice of the card for some rounds; return the seat's chance to win then, 0 … SCALE."""
    last = int(g.round_number) + int(g.weights[seat, weights.SIMULATED_ROUNDS])
    play_card(r, g, w, bots, seat, holder)
    g.current = (g.current + 1) % g.players
    while g.round_number <= last and play_step(r, g, w, bots) != 0:
        pass
    if g.ending != names.VICTORY:
        return prospects(r, g, w, seat)
    winners = 0
    for p in range(g.players):
        winners += g.winner[p]
    return SCALE * g.winner[seat] // winners


@jit
def list_candidates(r, g, w, seat, places, candidates):
    """List what is tried, as place of the row * USES + use: the cards the planner rates highest, all but the last both ways."""
    n = 0
    tried = np.zeros(limits.MAX_SLOTS, np.int64)
    for rank in range(min(places, CARDS)):
        best = -1
        best_score = 0
        for place in range(places):
            if tried[place] == 0:
                score = card_score(r, g, w, seat, place)
                if best < 0 or score > best_score:
                    best = place
                    best_score = score
        tried[best] = 1
        for use in range(USES if rank < CARDS - 1 else 1):
            candidates[n] = best * USES + use
            n += 1
    return n


@jit
def drop_worst(gain, alive, n, many):
    """Take the worst candidates, but never the planner's own, out of the search; return how many."""
    for k in range(many):
        worst = -1
        for c in range(1, n):
            if alive[c] != 0 and (worst < 0 or gain[c] < gain[worst]):
                worst = c
        if worst < 0:
            return k
        alive[worst] = 0
    return many


@jit
def best_candidate(r, g, w, seat, places, u):
    """Return the candidate (`list_candidates`) with the best prospects, the planner's own choice if none is clearly better."""
    candidates = np.zeros(limits.MAX_SLOTS * USES, np.int64)
    n = list_candidates(r, g, w, seat, places, candidates)
    games = np.zeros(1, state.STATE)
    work = np.zeros(1, state.WORK)
    bots = np.zeros(1, BOTS)
    for p in range(limits.MAX_PLAYERS):
        bots[0].address[p] = use_address()
    bots[0].observer = -1
    gain = np.zeros(n)  # sums over the simulations, against the planner's own choice
    square = np.zeros(n)
    alive = np.ones(n, np.int64)
    left = n
    done = 0
    rounds = HALVINGS
    for halving in range(rounds):
        each = max(2, int(g.weights[seat, weights.SIMULATIONS]) // (rounds * left))
        for k in range(done, done + each):
            key = np.int64(mix(u + np.uint64(k)) >> SEED_SHIFT)
            own = 0
            for c in range(n):
                if alive[c] != 0:
                    games[0] = g
                    prepare(r, games[0], seat, key)
                    games[0].notes[seat, plan.SECOND_STEP] = candidates[c] % USES
                    games[0].notes[seat, plan.SECOND_AT] = 0
                    found = play_out(r, games[0], work[0], bots[0], seat, int(g.row[seat, candidates[c] // USES]))
                    if c == 0:
                        own = found
                    gain[c] += found - own
                    square[c] += (found - own) * (found - own)
        done += each
        if halving < rounds - 1:
            left -= drop_worst(gain, alive, n, left // 2)
    best = 0
    for c in range(1, n):
        spread = np.sqrt(max(0.0, square[c] - gain[c] * gain[c] / done))
        if alive[c] != 0 and gain[c] > max(gain[best], CLEARLY * spread):
            best = c
    return candidates[best]


@strategy
def choose_search(r, g, w, seat, kind, n, u):
    """Choose a card by simulation and everything else as the planner does."""
    if kind == decisions.CARD and g.weights[seat, weights.SIMULATIONS] > 0:
        choose_planner(r, g, w, seat, kind, n, u)  # makes the plan of the turn
        best = best_candidate(r, g, w, seat, n, u)
        g.notes[seat, plan.SECOND_STEP] = best % USES
        g.notes[seat, plan.SECOND_AT] = 0
        return best // USES
    return choose_use(r, g, w, seat, kind, n, u)
