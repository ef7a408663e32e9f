"""The learned players: they try their turn before they play it, and take the way that leaves them the best position.

At the choice of its card a learned player plays the turn in copies of the game, with several cards and, with those that look
best, with other options at the steps that give the turn its direction: another space for the token or the city, a world
wonder instead of a city, another target, reinforcing instead of attacking, another upgrade (`strategies.learned.ways`). A
network that has learned from games, and from playing such turns on, says how likely each position at the end of the turn is
to win (`strategies.learned.value`). Opening, and everything that is not the choice of a card or of the first steps after it,
are the planner's.

Quick stops there; it sees rivals' threats by their odds. The adept tries more ways, and half of its judgement is the position
after its own next turn. The thinker and the master play the best ways on, with planners on all seats, until just before their
own next turn, many times with other dice, and let the network judge these positions. The thinker has a small budget of
simulations, the master a large one: slow, to check what others miss. The weights `simulat*` hold the budgets.

The styles are quick with a taste (weights `taste_*`): what a way adds to it counts beside the chance to win.
"""

from __future__ import annotations

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...simulator import names
from ...simulator.engine import decisions, state
from ...simulator.engine.choosing import mix
from ...simulator.engine.compile.argument_types import BOTS, declare_parameters
from ...simulator.engine.compile.jit import JIT_OFF, jit, strategy
from ...simulator.engine.turn import close_turn, open_turn, play_card, play_step
from ..planning import restrictions, weights
from ..planning.cards import card_score
from ..planning.plan import make_plan
from ..planning.planner import NOTHING, plan_is_old, prepare
from .facts import N_FACTS
from .policy import N_SITUATION, SCALE, UNITS, foresee_turn, rate_cards, see_turn
from .value import ROOM, forget_scores, read_chances, taste_of
from .ways import OPTIONS, RANKS, STEPS, WAYS, allowed_way, choose_way, only_card, random_way, set_way, strays, way_address

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
SAVED = 16 + names.MAX_SLOTS + names.MAX_SPACES
SHIFT = np.uint64(1)
NO_BITS = np.uint64(0)  # for an answer without chance

declare_parameters(
    __name__,
    copies=numba.from_dtype(state.STATE)[::1], saved=types.int32[::1], candidates=types.int64[::1], options=types.int64[:, ::1],
    step_options=types.int64[::1],
    value_of=types.float64[::1], penalty=types.float64[::1], hopes=types.float64[::1], chances=types.float64[::1],
    facts=types.float32[:, ::1], hidden=types.float32[:, ::1],
)  # fmt: skip


@intrinsic
def _copy_compiled(_context, copies, to, source):  # type: ignore[no-untyped-def]
    def code(context, builder, signature, values):  # type: ignore[no-untyped-def]
        array = context.make_array(signature.args[0])(context, builder, values[0])
        size = ir.Constant(ir.IntType(64), state.STATE.itemsize)
        target = builder.ptrtoint(array.data, ir.IntType(64))
        target = builder.inttoptr(builder.add(target, builder.mul(values[1], size)), cgutils.voidptr_t)
        origin = builder.bitcast(values[2], cgutils.voidptr_t)
        cgutils.raw_memcpy(
            builder, target, origin, ir.Constant(ir.IntType(64), state.STATE.itemsize), ir.Constant(ir.IntType(64), 1)
        )
        return context.get_dummy_value()

    return types.void(copies, types.int64, source), code


def _copy(copies, to, source):  # type: ignore[no-untyped-def]
    copies[to] = source


copy_game = _copy if JIT_OFF else _copy_compiled  # byte by byte: field by field takes fifty times as long


@jit
def save_workspace(w, saved):
    """Save the part of the workspace that belongs to the open decision, and stop the log."""
    saved[0] = w.ask_slot
    saved[1] = w.ask_holder
    saved[2] = w.ask_left
    saved[3] = w.ask_cost
    saved[4] = w.ask_source
    saved[5] = w.ask_space
    saved[6] = w.ask_target
    saved[7] = w.ask_seat
    saved[8] = w.ask_attack
    saved[9] = w.ask_defence
    saved[10] = w.ask_wonder
    saved[11] = w.ask_level
    saved[12] = w.log_on
    saved[13] = w.ask_moved
    saved[14] = w.ask_die
    saved[15] = w.ask_caravan
    for k in range(names.MAX_SLOTS):
        saved[16 + k] = w.option[k]
    for s in range(names.MAX_SPACES):
        saved[16 + names.MAX_SLOTS + s] = w.chain[s]
    w.log_on = 0


@jit
def restore_workspace(w, saved):
    """Restore what `save_workspace` saved."""
    w.ask_slot = saved[0]
    w.ask_holder = saved[1]
    w.ask_left = saved[2]
    w.ask_cost = saved[3]
    w.ask_source = saved[4]
    w.ask_space = saved[5]
    w.ask_target = saved[6]
    w.ask_seat = saved[7]
    w.ask_attack = saved[8]
    w.ask_defence = saved[9]
    w.ask_wonder = saved[10]
    w.ask_level = saved[11]
    w.log_on = saved[12]
    w.ask_moved = saved[13]
    w.ask_die = saved[14]
    w.ask_caravan = saved[15]
    for k in range(names.MAX_SLOTS):
        w.option[k] = saved[16 + k]
    for s in range(names.MAX_SPACES):
        w.chain[s] = saved[16 + names.MAX_SLOTS + s]


@jit
def read_shares(g, chances):
    """Fill each seat's share of the win in a finished game."""
    winners = 0
    for p in range(g.players):
        winners += g.winner[p]
    for p in range(g.players):
        chances[p] = g.winner[p] / winners if g.ending == names.VICTORY and winners > 0 else 0.0


@jit
def rival_of(g, seat, chances):
    """Return the seat that a seat plays against (weights.AGAINST), -1 if nobody at the table."""
    leader = int(g.weights[seat, weights.AGAINST]) - 1
    rival = -1
    for p in range(g.players):
        if p == seat:
            continue
        if leader >= 0:
            if g.leader[p] == leader:
                return p
        elif rival < 0 or chances[p] > chances[rival]:
            rival = p
    return rival


@jit
def worth_of(g, seat, chances):
    """Return the worth of a position: the seat's chance to win, mixed by its weights with that of a rival not to win."""
    if g.weights[seat, weights.AGAINST] == 0:
        return chances[seat]
    rival = rival_of(g, seat, chances)
    if rival < 0:
        return chances[seat]
    share = g.weights[seat, weights.AGAINST_SHARE] / 1000.0
    return (1.0 - share) * chances[seat] + share * (1.0 - chances[rival])


@jit
def play_way(r, g, w, bots, seat, candidate):
    """Play the turn of a seat, from the choice of its card, in the way of the candidate."""
    set_way(g, seat, candidate % WAYS)
    play_card(r, g, w, bots, seat, int(g.row[seat, candidate // WAYS]))
    close_turn(r, g, w, bots, seat)
    g.current = (g.current + 1) % g.players


@jit
def play_on(r, g, w, bots, seat, turns, facts, hidden, chances):
    """Play so many turns and fill the chances of all seats to win by the seat's network; return the worth to the seat."""
    if turns > 0:
        set_way(g, seat, 0)  # the way is played
    for _ in range(turns):
        if play_step(r, g, w, bots) == 0:
            read_shares(g, chances)
            return worth_of(g, seat, chances)
    read_chances(r, g, w, seat, facts, hidden, chances)
    return worth_of(g, seat, chances)


@jit
def try_way(r, w, bots, seat, candidate, rounds, copies, facts, hidden, chances):
    """Return the worth of the position that a way of the turn leads to after so many rounds, just before the seat's turn.

    The gain by the seat's tastes is added (`value`). 0 rounds: at the end of the turn. `copies`: the game as the seat imagines
    it (`imagine`), and room for the game played on.
    """
    copy_game(copies, 1, copies[0])
    play_way(r, copies[1], w, bots, seat, candidate)
    value = play_on(r, copies[1], w, bots, seat, rounds * int(copies[1].players) - 1, facts, hidden, chances)
    return value + taste_of(r, copies[1], seat) - taste_of(r, copies[0], seat)


@jit
def imagine(r, g, seat, key, copies):
    """Make the first copy the game as the seat imagines it, with dice from `key`."""
    copy_game(copies, 0, g)
    prepare(r, copies[0], seat, key)
    for p in range(names.MAX_PLAYERS):
        if p != seat:
            copies[0].weights[p, weights.FORBIDDEN] = 0
            copies[0].weights[p, weights.IGNORED] = 0


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
def look_further(r, g, w, bots, seat, value, facts, hidden, chances):
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
    play_own_turn(r, g, w, bots, seat, facts)
    for k in range(UNITS):
        w.memo[k] = memo[k]
    w.memo_seat, w.memo_turn = memo_seat, memo_turn
    read_chances(r, g, w, seat, facts, hidden, chances)
    return (1.0 - share) * value + share * worth_of(g, seat, chances)


@jit
def try_turn(r, w, bots, seat, candidate, step_options, copies, facts, hidden, chances):
    """Return the worth of the end of the turn; `step_options` gets the number of options at its steps."""
    value = try_way(r, w, bots, seat, candidate, 0, copies, facts, hidden, chances)
    for step in range(STEPS):
        step_options[step] = copies[1].notes[seat, OPTIONS + step]
    return look_further(r, copies[1], w, bots, seat, value, facts, hidden, chances)


@jit
def sample(r, g, w, bots, seat, candidate, step_options, u, copies, facts, hidden, chances):
    """Return the worth of the end of the turn (`try_turn`), as a mean over throws of dice for military cards."""
    value = try_turn(r, w, bots, seat, candidate, step_options, copies, facts, hidden, chances)
    card = int(g.card[seat, g.row[seat, candidate // WAYS]])
    throws = int(g.weights[seat, weights.SIMULATED_THROWS])
    if r.card_type[card] != names.MILITARY or throws < 2:
        return value
    for k in range(1, throws):
        imagine(r, g, seat, key_of(u, k), copies)
        value += try_turn(r, w, bots, seat, candidate, step_options, copies, facts, hidden, chances)
    imagine(r, g, seat, key_of(u, 0), copies)
    return value / throws


@jit
def list_cards(r, g, w, seat, cards, tried, candidates, penalty):
    """List at most `tried` cards, the highest rated by the planner or the seat's policy first; return how many.

    `penalty` gets the deduction (at most 0) for a lower rating. Not listed: cards with too high a deduction, cards that the
    policy is sure (weights.SIMULATED_SURE) are worse, cards that the seat's restrictions rule out. The steps after the card
    are the planner's or the policy's own.
    """
    only = only_card(r, g, w, seat, cards)
    if only >= 0:
        candidates[0] = only * WAYS
        penalty[0] = 0.0
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
    if g.weights[seat, weights.POLICY] != 0 and g.weights[seat, weights.SIMULATED_SURE] != 0:
        least = highest - SCALE * g.weights[seat, weights.SIMULATED_SURE] / 1000.0
    for k in range(min(cards, tried)):
        best = best_of(rated, cards)
        penalty[k] = weight * (rated[best] - highest)
        if penalty[k] < -HOPELESS or rated[best] < least:
            return k
        candidates[k] = best * WAYS
        rated[best] = NOTHING
    return min(cards, tried)


@jit
def climb(r, g, w, bots, seat, k, n, u, candidates, value_of, penalty, options, copies, facts, hidden, chances):
    """Try other options at the steps of the turn with the `k`-th card, step by step; return the new number of ways.

    At each step the other options are tried with the best way so far. `options`: their numbers by way and step.
    weights.SIMULATED_MARGIN is deducted from options other than the planner's, because the best of many rough estimates is
    too high.
    """
    value = penalty[k] - g.weights[seat, weights.SIMULATED_MARGIN] / 1000.0
    ranks = min(RANKS, 1 + int(g.weights[seat, weights.SIMULATED_OPTIONS]))
    best = k
    rank = 1
    for step in range(STEPS):
        from_here = candidates[best]
        for other in range(1, min(ranks, options[best, step])):
            if n == CANDIDATES:
                return n
            candidates[n] = from_here + other * rank
            penalty[n] = value
            value_of[n] = value + sample(r, g, w, bots, seat, candidates[n], options[n], u, copies, facts, hidden, chances)
            if value_of[n] > value_of[best]:
                best = n
            n += 1
        rank *= RANKS
    return n


@jit
def scan(r, g, w, bots, seat, cards, u, candidates, value_of, penalty, copies, facts, hidden, chances):
    """Try the turn with the first `cards` candidates, and some of these also with other first steps; return the number of ways.

    `candidates` lists the ways, `value_of` gets their values, `penalty` included (`list_cards`, `climb`).
    """
    imagine(r, g, seat, key_of(u, 0), copies)
    options = np.zeros((CANDIDATES, STEPS), np.int64)
    for k in range(cards):
        value_of[k] = penalty[k] + sample(r, g, w, bots, seat, candidates[k], options[k], u, copies, facts, hidden, chances)
    n = cards
    done = np.zeros(names.MAX_SLOTS, np.int64)
    for _ in range(min(int(g.weights[seat, weights.SIMULATED_STEPS]), cards)):
        best = -1
        for k in range(cards):
            if done[k] == 0 and (best < 0 or value_of[k] > value_of[best]):
                best = k
        done[best] = 1
        n = climb(r, g, w, bots, seat, best, n, u, candidates, value_of, penalty, options, copies, facts, hidden, chances)
    return n


@jit
def put_best(candidates, value_of, penalty, n, k):
    """Put the candidate of the highest value, of those from the `k`-th on, in the `k`-th place."""
    best = k
    for c in range(k + 1, n):
        if value_of[c] > value_of[best]:
            best = c
    candidates[k], candidates[best] = candidates[best], candidates[k]
    value_of[k], value_of[best] = value_of[best], value_of[k]
    penalty[k], penalty[best] = penalty[best], penalty[k]


@jit
def keep_best(candidates, value_of, penalty, n, most):
    """Put the `most` best candidates first; return how many of them are not hopeless."""
    for k in range(min(n, most)):
        put_best(candidates, value_of, penalty, n, k)
        if value_of[k] < value_of[0] - HOPELESS:
            return k
    return min(n, most)


@jit
def note_values(candidates, value_of, n, weight, hopes):
    """Note in `hopes`, by place of the card, the best value (a sum over `weight`) of the first `n` candidates with it."""
    for place in range(names.MAX_SLOTS):
        best = -1
        for c in range(n):
            if candidates[c] // WAYS == place and (best < 0 or value_of[c] > value_of[best]):
                best = c
        if best >= 0:
            hopes[place] = value_of[best] / weight


@jit
def deepen(
    r, g, w, bots, seat, n, simulations, rounds, u, candidates, value_of, penalty, hopes, copies, facts, hidden, chances
):
    """Return the best of the first `n` candidates by so many simulations, each played on for `rounds` rounds.

    The value by `scan`, which is less noisy, counts like PRIOR simulations.
    """
    for c in range(n):
        value_of[c] *= PRIOR  # from here on a sum over simulations
    done = 0
    left = n
    for _ in range(HALVINGS):
        each = max(1, simulations // (HALVINGS * left))
        for k in range(done, done + each):
            imagine(r, g, seat, key_of(u, k + 1), copies)
            for c in range(left):
                value_of[c] += penalty[c] + try_way(r, w, bots, seat, candidates[c], rounds, copies, facts, hidden, chances)
        done += each
        note_values(candidates, value_of, left, PRIOR + done, hopes)
        for k in range(left):
            put_best(candidates, value_of, penalty, left, k)
        left = max(1, (left + 1) // 2)
        if left == 1:
            break
    return candidates[0]


@jit
def try_ways(r, g, w, seat, cards, u, candidates, penalty, hopes):
    """Return the way, of those with the first `cards` candidates, that leads to the best position (`best_way`)."""
    value_of = np.empty(CANDIDATES)
    chances = np.empty(names.MAX_PLAYERS)
    copies = np.empty(2, state.STATE)
    facts = np.empty((2 * names.MAX_PLAYERS, N_FACTS), np.float32)
    hidden = np.empty((names.MAX_PLAYERS + 1, ROOM), np.float32)
    forget_scores(facts, hidden)
    bots = np.empty(1, BOTS)
    for p in range(names.MAX_PLAYERS):
        bots[0].address[p] = way_address()
    bots[0].observer = -1
    n = scan(r, g, w, bots[0], seat, cards, u, candidates, value_of, penalty, copies, facts, hidden, chances)
    note_values(candidates, value_of, n, 1.0, hopes)
    n = keep_best(candidates, value_of, penalty, n, max(1, int(g.weights[seat, weights.SIMULATED_WAYS])))
    best = candidates[0]
    if n > 1:
        simulations, rounds = int(g.weights[seat, weights.SIMULATIONS]), int(g.weights[seat, weights.SIMULATED_ROUNDS])
        best = deepen(
            r, g, w, bots[0], seat, n, simulations, rounds, u, candidates, value_of, penalty, hopes, copies, facts, hidden,
            chances,
        )  # fmt: skip
    bots[
        0
    ].observer = -1  # keeps the array alive until here: numba frees it after its last use, even if a record of it is in use
    return best


@jit
def best_way(r, g, w, seat, cards, u, hopes):
    """Return the way (place of the card * WAYS + way) that leads to the best position.

    `hopes` gets, by place of the card, the best value of a way with it, UNSEEN for cards not tried. The seat's weights hold the
    number of cards tried, of cards tried with other first steps (`scan`), and of ways played on (`deepen`; 0: none). A single
    card is taken as it is, unless other steps are to be tried with it.
    """
    candidates = np.empty(CANDIDATES, np.int64)
    penalty = np.empty(CANDIDATES)
    saved = np.empty(SAVED, np.int32)
    save_workspace(w, saved)
    hopes[:] = UNSEEN
    early = g.round_number < g.weights[seat, weights.SIMULATED_FROM]
    n = list_cards(r, g, w, seat, cards, 1 if early else int(g.weights[seat, weights.SIMULATED_CARDS]), candidates, penalty)
    best = candidates[0]
    steps = g.weights[seat, weights.SIMULATED_STEPS] != 0 and g.weights[seat, weights.SIMULATED_SURE] == 0 and not early
    if n > 1 or (n == 1 and steps):
        best = try_ways(r, g, w, seat, n, u, candidates, penalty, hopes)
    restore_workspace(w, saved)
    return best


declare_parameters(__name__, hopes=types.float64[::1])


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
