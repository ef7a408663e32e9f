"""The learned players: they try their turn before they play it, and take the way that leaves them the best position.

At the choice of its card a learned player plays the turn in copies of the game, with several cards and, with those that look
best, with other options at the steps that give the turn its direction: another space for the token or the city, a world
wonder instead of a city, another target, reinforcing instead of attacking, another upgrade
(`strategies.learned.candidate_turns`). A network that has learned from games, and from playing such turns on, says how likely
each position at the end of the turn is to win (`strategies.learned.value`). Opening, and everything that is not the choice of a
card or of the first steps after it, are the planner's.

Quick stops there; it sees rivals' threats by their odds. The adept tries more ways, and half of its judgement is the position
after its own next turn. The thinker and the master play the best ways on, with planners on all seats, until just before their
own next turn, many times with other dice, and let the network judge these positions. The thinker has a small budget of
simulations, the master a large one: slow, to check what others miss. The weights `simulat*` hold the budgets.

The styles are quick with a taste (weights `taste_*`): what a way adds to it counts beside the chance to win.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import literal_unroll, types
from numba.core import cgutils
from numba.extending import intrinsic

from ...simulator import names
from ...simulator.engine import decisions, state
from ...simulator.engine.choosing import mix
from ...simulator.engine.compile.argument_types import BOTS, STATE_TYPE, declare_parameters, record_dtype, record_type
from ...simulator.engine.compile.jit import JIT_OFF, jit, seat_strategies, strategy
from ...simulator.engine.turn import close_turn, open_turn, play_card, play_step
from ...simulator.engine.winning import claims_to_win
from ..planning import restrictions, weights
from ..planning.cards import card_score
from ..planning.plan import make_plan
from ..planning.planner import NOTHING, plan_is_old, prepare
from .candidate_turns import (
    OPTIONS,
    RANKS,
    STEPS,
    WAYS,
    allowed_way,
    choose_way,
    only_card,
    random_way,
    set_way,
    strays,
    way_address,
)
from .policy import N_SITUATION, SCALE, UNITS, foresee_turn, rate_cards, see_turn
from .value import EVALUATION, EVALUATION_TYPE, forget_scores, read_chances, taste_of

# --- Looking ahead: which way of playing the turn leads to the best position by the value network
#
# `scan` tries the turn with some cards, and with the best of them also with other options at the first steps (`ways`), and
# judges the position at the end of the turn. `deepen` plays the best of these on, with planners on all seats, and shares
# simulations out by sequential halving (Karnin, Koren, Somekh: "Almost optimal exploration in multi-armed bandits", ICML 2013);
# the n-th simulations of all candidates use the same dice. The planner's worth of a way counts a little too: it covers what
# the network does not see.
#
# All this happens in copies and uses only what a player knows: dice are thrown again, hidden world wonders shuffled again. The
# workspace of the decision is restored.

CANDIDATES = 64  # ways tried in a turn at most
HALVINGS = 3
HOPELESS = 0.12  # ways whose chance to win is lower than the best by more are not played on
PRIOR = 4.0  # the value by `scan` counts as so many simulations
UNSEEN = -10.0  # in place of a chance to win
TURN = 100.0  # the planner's unit: worths are hundredths of a turn
SHIFT = np.uint64(1)
NO_BITS = np.uint64(0)  # for an answer without chance
SAVED = (  # numbers of the workspace that belong to the open decision, or to the log
    "ask_slot", "ask_holder", "ask_left", "ask_cost", "ask_source", "ask_space", "ask_target", "ask_seat", "ask_attack",
    "ask_defence", "ask_die", "ask_wonder", "ask_level", "ask_moved", "ask_caravan", "log_on",
)  # fmt: skip

# What a turn is tried with: copies of the game, and its ways.
SEARCH = record_dtype(
    [
        ("imagined", state.STATE),  # the game as the seat imagines it (`imagine`)
        ("tried", state.STATE),  # that game, played on
        ("bots", BOTS),  # who plays these: `choose_way` on all seats
        ("evaluation", EVALUATION),
        ("candidates", "i8", (CANDIDATES,)),  # ways of the turn: place of the card * WAYS + way
        ("value_of", "f8", (CANDIDATES,)),  # their values, `penalty` included
        ("penalty", "f8", (CANDIDATES,)),  # what is added to what they lead to (at most 0): for a low first rating, or `climb`
        ("options", "i8", (CANDIDATES, STEPS)),  # numbers of options at their steps
        ("hopes", "f8", (names.MAX_SLOTS,)),  # by place of the card: see `best_way`
        ("option", "i4", (names.MAX_SLOTS,)),  # the open decision's part of the workspace (`save_workspace`)
        ("chain", "i2", (names.MAX_SPACES,)),
        *((name, "i4") for name in SAVED),
    ]
)
SEARCH_TYPE = record_type(SEARCH)

declare_parameters(
    __name__, search=SEARCH_TYPE, evaluation=EVALUATION_TYPE, imagined=STATE_TYPE,
    value_of=types.float64[::1], hopes=types.float64[::1], facts=types.float32[:, ::1],
)  # fmt: skip


def new_search() -> np.record:
    """Return room for trying ways of a turn."""
    search = np.zeros(1, SEARCH).view(np.recarray)[0]
    search["bots"] = seat_strategies(choose_way)
    return search


@intrinsic
def _copy_compiled(_context, to, source):  # type: ignore[no-untyped-def]
    def code(context, builder, _signature, values):  # type: ignore[no-untyped-def]
        target, origin = (builder.bitcast(value, cgutils.voidptr_t) for value in values)
        size, byte = (ir.Constant(ir.IntType(64), number) for number in (state.STATE.itemsize, 1))
        cgutils.raw_memcpy(builder, target, origin, size, byte)
        return context.get_dummy_value()

    return types.void(to, source), code


def _copy(to, source):  # type: ignore[no-untyped-def]
    for name in state.STATE.names:
        to[name] = source[name]


copy_game = _copy if JIT_OFF else _copy_compiled  # byte by byte: field by field takes fifty times as long


@jit
def save_workspace(w, search):
    """Save the part of the workspace that belongs to the open decision, and stop the log."""
    for name in literal_unroll(SAVED):
        search[name] = w[name]
    for k in range(names.MAX_SLOTS):
        search.option[k] = w.option[k]
    for s in range(names.MAX_SPACES):
        search.chain[s] = w.chain[s]
    w.log_on = 0


@jit
def restore_workspace(w, search):
    """Restore what `save_workspace` saved."""
    for name in literal_unroll(SAVED):
        w[name] = search[name]
    for k in range(names.MAX_SLOTS):
        w.option[k] = search.option[k]
    for s in range(names.MAX_SPACES):
        w.chain[s] = search.chain[s]


@jit
def read_shares(g, evaluation):
    """Fill each seat's share of the win in a finished game."""
    winners = 0
    for p in range(g.players):
        winners += g.winner[p]
    for p in range(g.players):
        evaluation.chances[p] = g.winner[p] / winners if g.ending == names.VICTORY and winners > 0 else 0.0


@jit
def rival_of(g, seat, evaluation):
    """Return the seat that a seat plays against (weights.AGAINST), -1 if nobody at the table."""
    leader = int(g.weights[seat, weights.AGAINST]) - 1
    rival = -1
    for p in range(g.players):
        if p == seat:
            continue
        if leader >= 0:
            if g.leader[p] == leader:
                return p
        elif rival < 0 or evaluation.chances[p] > evaluation.chances[rival]:
            rival = p
    return rival


@jit
def worth_of(g, seat, evaluation):
    """Return the worth of a position: the seat's chance to win, mixed by its weights with that of a rival not to win."""
    if g.weights[seat, weights.AGAINST] == 0:
        return evaluation.chances[seat]
    rival = rival_of(g, seat, evaluation)
    if rival < 0:
        return evaluation.chances[seat]
    share = g.weights[seat, weights.AGAINST_SHARE] / 1000.0
    return (1.0 - share) * evaluation.chances[seat] + share * (1.0 - evaluation.chances[rival])


@jit
def play_way(r, g, w, bots, seat, candidate):
    """Play the turn of a seat, from the choice of its card, in the way of the candidate."""
    set_way(g, seat, candidate % WAYS)
    play_card(r, g, w, bots, seat, int(g.row[seat, candidate // WAYS]))
    close_turn(r, g, w, bots, seat)
    g.current = (g.current + 1) % g.players


@jit
def play_on(r, g, w, bots, seat, turns, evaluation):
    """Play so many turns and fill the chances of all seats to win by the seat's network; return the worth to the seat."""
    if turns > 0:
        set_way(g, seat, 0)  # the way is played
    for _ in range(turns):
        if play_step(r, g, w, bots) == 0:
            read_shares(g, evaluation)
            return worth_of(g, seat, evaluation)
    read_chances(r, g, w, seat, evaluation)
    return worth_of(g, seat, evaluation)


@jit
def try_way(r, w, seat, candidate, rounds, search):
    """Return the worth of the position that a way of the turn leads to after so many rounds, just before the seat's turn.

    The gain by the seat's tastes is added (`value`). 0 rounds: at the end of the turn.
    """
    g = search.tried
    copy_game(g, search.imagined)
    play_way(r, g, w, search.bots, seat, candidate)
    value = play_on(r, g, w, search.bots, seat, rounds * int(g.players) - 1, search.evaluation)
    return value + taste_of(r, g, seat) - taste_of(r, search.imagined, seat)


@jit
def imagine(r, g, seat, key, imagined):
    """Make `imagined` the game as the seat imagines it, with dice from `key`."""
    copy_game(imagined, g)
    prepare(r, imagined, seat, key)
    for p in range(names.MAX_PLAYERS):
        if p != seat:
            imagined.weights[p, weights.FORBIDDEN] = 0
            imagined.weights[p, weights.IGNORED] = 0


@jit
def key_of(u, k):
    """Return the seed of the k-th simulation of a decision."""
    return np.int64(mix(u + np.uint64(k)) >> SHIFT)


@jit
def best_of(value_of, n):
    """Return the index of the highest value."""
    best = 0
    for c in range(1, n):
        if value_of[c] > value_of[best]:
            best = c
    return best


@jit
def next_card(r, g, w, seat, cards, facts):
    """Return the place of the card that a seat resolves in its next turn, by its policy, else by the planner."""
    only = only_card(r, g, w, seat, cards)
    if only >= 0 or g.weights[seat, weights.POLICY] == 0:
        return int(choose_way(r, g, w, seat, decisions.CARD, cards, NO_BITS))
    make_plan(r, g, w, seat)
    foresee_turn(g, w, seat, facts, np.empty(N_SITUATION, np.float32))
    rated = np.empty(names.MAX_SLOTS)
    rate_cards(r, g, w, seat, cards, rated)
    return best_of(rated, cards)


@jit
def play_own_turn(r, g, w, bots, seat, facts):
    """Play another turn of a seat that has just moved, as if no rival moved in between; `facts`: those before it."""
    set_way(g, seat, 0)
    g.current = seat
    open_turn(r, g, w, bots)
    play_card(r, g, w, bots, seat, int(g.row[seat, next_card(r, g, w, seat, int(r.slots), facts)]))
    close_turn(r, g, w, bots, seat)
    g.current = (seat + 1) % g.players


@jit
def look_further(r, g, w, bots, seat, value, evaluation):
    """Return the worth of the end of the seat's turn: its value mixed, by weights.SIMULATED_AHEAD, with that after the next.

    The memo of the policy for this turn is restored, for the other ways to be tried.
    """
    share = g.weights[seat, weights.SIMULATED_AHEAD] / 1000.0
    if share == 0.0:
        return value
    memo = np.empty(UNITS, np.float32)
    memo_seat, memo_turn = w.memo_seat, w.memo_turn
    for k in range(UNITS):
        memo[k] = w.memo[k]
    play_own_turn(r, g, w, bots, seat, evaluation.facts[:])
    for k in range(UNITS):
        w.memo[k] = memo[k]
    w.memo_seat, w.memo_turn = memo_seat, memo_turn
    read_chances(r, g, w, seat, evaluation)
    return (1.0 - share) * value + share * worth_of(g, seat, evaluation)


@jit
def try_turn(r, w, seat, k, search):
    """Return the worth of the end of the turn played in the way of the `k`-th candidate; note the options at its steps."""
    value = try_way(r, w, seat, search.candidates[k], 0, search)
    for step in range(STEPS):
        search.options[k, step] = search.tried.notes[seat, OPTIONS + step]
    return look_further(r, search.tried, w, search.bots, seat, value, search.evaluation)


@jit
def sample(r, g, w, seat, k, u, search):
    """Return the worth of the end of the turn (`try_turn`), as a mean over throws of dice for military cards."""
    value = try_turn(r, w, seat, k, search)
    card = int(g.card[seat, g.row[seat, search.candidates[k] // WAYS]])
    throws = int(g.weights[seat, weights.SIMULATED_THROWS])
    if r.card_type[card] != names.MILITARY or throws < 2:
        return value
    for throw in range(1, throws):
        imagine(r, g, seat, key_of(u, throw), search.imagined)
        value += try_turn(r, w, seat, k, search)
    imagine(r, g, seat, key_of(u, 0), search.imagined)
    return value / throws


@jit
def lacks_one(r, g, seat):
    """Does the seat lack one victory card to win?"""
    return claims_to_win(r, g, seat) + 1 == g.victory_count - r.claims_spared


@jit
def list_cards(r, g, w, seat, cards, tried, search):
    """List at most `tried` cards, the highest rated by the planner or the seat's policy first; return how many.

    A lower rating has a penalty. Not listed: cards with too high a penalty, cards that the policy is sure
    (weights.SIMULATED_SURE) are worse, cards that the seat's restrictions rule out. Where one victory card is lacking all are
    listed, if weights.SIMULATED_LAST says so. The steps after the card are the planner's or the policy's own.
    """
    only = only_card(r, g, w, seat, cards)
    if only >= 0:
        search.candidates[0] = only * WAYS
        search.penalty[0] = 0.0
        return 1
    weight = g.weights[seat, weights.SIMULATED_TRUST] / 1000.0 / TURN
    rated = np.zeros(names.MAX_SLOTS)
    if g.weights[seat, weights.POLICY] != 0:
        weight = g.weights[seat, weights.SIMULATED_TRUST] / 1000.0 / SCALE
        w.memo_seat = -1
        see_turn(r, g, w, seat)
        rate_cards(r, g, w, seat, cards, rated)
    else:
        for place in range(cards):
            rated[place] = card_score(r, g, w, seat, place)
    highest = rated[best_of(rated, cards)]
    least = NOTHING + 0.0
    last = g.weights[seat, weights.SIMULATED_LAST] != 0 and lacks_one(r, g, seat)
    if last:
        tried = cards
    elif g.weights[seat, weights.POLICY] != 0 and g.weights[seat, weights.SIMULATED_SURE] != 0:
        least = highest - SCALE * g.weights[seat, weights.SIMULATED_SURE] / 1000.0
    for k in range(min(cards, tried)):
        best = best_of(rated, cards)
        search.penalty[k] = weight * (rated[best] - highest)
        if last:
            search.penalty[k] = max(search.penalty[k], -HOPELESS / 2.0)
        if search.penalty[k] < -HOPELESS or rated[best] < least:
            return k
        search.candidates[k] = best * WAYS
        rated[best] = NOTHING
    return min(cards, tried)


@jit
def climb(r, g, w, seat, k, n, u, search):
    """Try other options at the steps of the turn with the `k`-th card, step by step; return the new number of ways.

    At each step the other options are tried with the best way so far. weights.SIMULATED_MARGIN is deducted from options other
    than the planner's, because the best of many rough estimates is too high.
    """
    value_of = search.value_of
    value = search.penalty[k] - g.weights[seat, weights.SIMULATED_MARGIN] / 1000.0
    ranks = min(RANKS, 1 + int(g.weights[seat, weights.SIMULATED_OPTIONS]))
    best = k
    rank = 1
    for step in range(STEPS):
        from_here = search.candidates[best]
        for other in range(1, min(ranks, search.options[best, step])):
            if n == CANDIDATES:
                return n
            search.candidates[n] = from_here + other * rank
            search.penalty[n] = value
            value_of[n] = value + sample(r, g, w, seat, n, u, search)
            if value_of[n] > value_of[best]:
                best = n
            n += 1
        rank *= RANKS
    return n


@jit
def scan(r, g, w, seat, cards, u, search):
    """Try the turn with the first `cards` candidates, some of them also with other first steps; return the number of ways."""
    imagine(r, g, seat, key_of(u, 0), search.imagined)
    value_of = search.value_of
    for k in range(cards):
        value_of[k] = search.penalty[k] + sample(r, g, w, seat, k, u, search)
    n = cards
    done = np.zeros(names.MAX_SLOTS, np.int64)
    for _ in range(min(int(g.weights[seat, weights.SIMULATED_STEPS]), cards)):
        best = -1
        for k in range(cards):
            if done[k] == 0 and (best < 0 or value_of[k] > value_of[best]):
                best = k
        done[best] = 1
        n = climb(r, g, w, seat, best, n, u, search)
    return n


@jit
def put_best(search, n, k):
    """Put the candidate of the highest value, of those from the `k`-th on, in the `k`-th place."""
    candidates, value_of, penalty = search.candidates, search.value_of, search.penalty
    best = k
    for c in range(k + 1, n):
        if value_of[c] > value_of[best]:
            best = c
    candidates[k], candidates[best] = candidates[best], candidates[k]
    value_of[k], value_of[best] = value_of[best], value_of[k]
    penalty[k], penalty[best] = penalty[best], penalty[k]


@jit
def keep_best(search, n, most):
    """Put the `most` best candidates first; return how many of them are not hopeless."""
    for k in range(min(n, most)):
        put_best(search, n, k)
        if search.value_of[k] < search.value_of[0] - HOPELESS:
            return k
    return min(n, most)


@jit
def note_values(search, n, weight):
    """Note as hopes, by place of the card, the best value (a sum over `weight`) of the first `n` candidates with it."""
    for place in range(names.MAX_SLOTS):
        best = -1
        for c in range(n):
            if search.candidates[c] // WAYS == place and (best < 0 or search.value_of[c] > search.value_of[best]):
                best = c
        if best >= 0:
            search.hopes[place] = search.value_of[best] / weight


@jit
def deepen(r, g, w, seat, n, u, search):
    """Put the best of the first `n` candidates, by the seat's simulations, first; each is played on for its number of rounds.

    The value by `scan`, which is less noisy, counts like PRIOR simulations.
    """
    simulations, rounds = int(g.weights[seat, weights.SIMULATIONS]), int(g.weights[seat, weights.SIMULATED_ROUNDS])
    for c in range(n):
        search.value_of[c] *= PRIOR  # from here on a sum over simulations
    done = 0
    left = n
    for _ in range(HALVINGS):
        each = max(1, simulations // (HALVINGS * left))
        for k in range(done, done + each):
            imagine(r, g, seat, key_of(u, k + 1), search.imagined)
            for c in range(left):
                search.value_of[c] += search.penalty[c] + try_way(r, w, seat, search.candidates[c], rounds, search)
        done += each
        note_values(search, left, PRIOR + done)
        for k in range(left):
            put_best(search, left, k)
        left = max(1, (left + 1) // 2)
        if left == 1:
            break


@jit
def try_ways(r, g, w, seat, cards, u, search):
    """Put the way, of those with the first `cards` candidates, that leads to the best position first (`best_way`)."""
    forget_scores(search.evaluation)
    for p in range(names.MAX_PLAYERS):
        search.bots.address[p] = way_address()
    search.bots.observer = -1
    n = scan(r, g, w, seat, cards, u, search)
    note_values(search, n, 1.0)
    n = keep_best(search, n, max(1, int(g.weights[seat, weights.SIMULATED_WAYS])))
    if n > 1:
        deepen(r, g, w, seat, n, u, search)


@jit
def best_way(r, g, w, seat, cards, u, hopes):
    """Return the way (place of the card * WAYS + way) that leads to the best position.

    `hopes` gets, by place of the card, the best value of a way with it, UNSEEN for cards not tried. The seat's weights hold the
    number of cards tried, of cards tried with other first steps (`scan`), and of ways played on (`deepen`; 0: none). A single
    card is taken as it is, unless other steps are to be tried with it.
    """
    searches = np.empty(1, SEARCH)
    search = searches[0]
    save_workspace(w, search)
    search.hopes[:] = UNSEEN
    early = g.round_number < g.weights[seat, weights.SIMULATED_FROM]
    n = list_cards(r, g, w, seat, cards, 1 if early else int(g.weights[seat, weights.SIMULATED_CARDS]), search)
    steps = g.weights[seat, weights.SIMULATED_STEPS] != 0 and g.weights[seat, weights.SIMULATED_SURE] == 0 and not early
    if n > 1 or (n == 1 and steps):
        try_ways(r, g, w, seat, n, u, search)
    restore_workspace(w, search)
    for k in range(names.MAX_SLOTS):
        hopes[k] = search.hopes[k]
    return searches["candidates"][0, 0]  # read from the array, which numba frees after its own last use, not its record's


@jit
def choose_card(r, g, w, seat, n, u, hopes):
    """Return the place of the card to resolve and note the way to play it; `hopes`: see `best_way`."""
    if g.weights[seat, weights.FORBIDDEN] & restrictions.LOOKING_AHEAD:
        hopes[:] = UNSEEN
        set_way(g, seat, 0)
        return choose_way(r, g, w, seat, decisions.CARD, n, u)
    if plan_is_old(g, seat):
        make_plan(r, g, w, seat)
    best = allowed_way(r, g, w, seat, n, random_way(n, u)) if strays(g, seat, u) else best_way(r, g, w, seat, n, u, hopes)
    set_way(g, seat, best % WAYS)
    return best // WAYS


@strategy
def choose_learned(r, g, w, seat, kind, n, u):
    """Choose the card and the first steps by the value of the position after them, everything else as the planner does."""
    if kind != decisions.CARD:
        return choose_way(r, g, w, seat, kind, n, u)
    return choose_card(r, g, w, seat, n, u, np.empty(names.MAX_SLOTS))
