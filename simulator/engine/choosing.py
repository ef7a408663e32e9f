"""Chance and choice: random bits, the exponential, the turn log, and putting decisions to strategies."""

from __future__ import annotations

import numpy as np

from . import state
from .compile.jit import call_strategy, inline, jit

# --- The exponential function, with the same bits on every system
#
# C libraries differ in its last bit, which is enough for a learned player to choose otherwise, and so for another game. Sums
# and products of doubles are the same everywhere.

LOG2_E = 1.4426950408889634
LN_2 = 0.6931471805599453
LOWEST, HIGHEST = -104.0, 89.0  # beyond them the result is 0 or infinity
FRACTION_BITS, BIAS = 52, 1023  # of a double


@inline
def exp(x):
    """Return e to the power of `x`, rounded to float32: at most one unit in the last place from the true value.

    e^x = 2^k e^y with |y| <= ln 2 / 2, and the series of e^y up to the eighth power has an error below 2e-10.
    """
    x = max(LOWEST, min(HIGHEST, np.float64(x)))
    k = int(x * LOG2_E + (0.5 if x >= 0.0 else -0.5))
    y = x - k * LN_2
    series = 1.0 + y / 8.0
    series = 1.0 + y / 7.0 * series
    series = 1.0 + y / 6.0 * series
    series = 1.0 + y / 5.0 * series
    series = 1.0 + y / 4.0 * series
    series = 1.0 + y / 3.0 * series
    series = 1.0 + y / 2.0 * series
    series = 1.0 + y * series
    return np.float32(series * np.int64((k + BIAS) << FRACTION_BITS).view(np.float64))


# --- Putting decisions to strategies
#
# Random bits, the turn log, and `choose`.

# --- Random numbers: SplitMix64, one generator per stream of a game
#
# Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; constants of the reference
# implementation by Sebastiano Vigna (public domain). Tests compare with its published outputs.

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT_30 = np.uint64(30)
SHIFT_27 = np.uint64(27)
SHIFT_31 = np.uint64(31)
SHIFT_32 = np.uint64(32)
N_STREAMS = len(state.STREAMS)


@inline
def mix(u):
    """Return the SplitMix64 output of the state `u` (a bijection of 64-bit words)."""
    z = (u ^ (u >> SHIFT_30)) * MIX_1
    z = (z ^ (z >> SHIFT_27)) * MIX_2
    return z ^ (z >> SHIFT_31)


@jit
def seed_streams(g, seed, game):
    """Start every stream of game number `game` of the run `seed`, from these alone, so games do not depend on batches."""
    run = mix(np.uint64(seed) + GAMMA)
    base = mix(run + GAMMA * np.uint64(game + 1))
    for stream in range(N_STREAMS):
        g.rng[stream] = mix(base + GAMMA * np.uint64(stream + 1))


@inline
def next_bits(g, stream):
    """Draw 64 random bits from a stream."""
    state = g.rng[stream] + GAMMA
    g.rng[stream] = state
    return mix(state)


@inline
def below_bits(u, n):
    """Map 64 random bits to 0 … n-1 (multiply and shift; the bias is below n / 2**32)."""
    return np.int64(((u >> SHIFT_32) * np.uint64(n)) >> SHIFT_32)


@inline
def below(g, stream, n):
    """Draw a whole number 0 … n-1."""
    return below_bits(next_bits(g, stream), n)


@inline
def roll_die(g, stream):
    """Roll a six-sided die, 1 … 6, also where the rules have other dice for combat."""
    return 1 + below(g, stream, 6)


@inline
def roll(r, g, stream):
    """Roll the dice of one side of a combat and add them (B9.4)."""
    total = 0
    for _ in range(r.dice):
        total += 1 + below(g, stream, r.die_sides)
    return total


# --- The turn log: rows of numbers that `simulator.replay` turns into words
#
# Row: code, seat, then up to five numbers, columns 2-6, as listed here.

(
    LOG_ROUND,  # round
    LOG_TURN,  # turn number
    LOG_EVENT,  # section index, icons
    LOG_CARD,  # place, slot number, card code, why: 0 chosen, 1 Maracana, 2 Venetian Arsenal, 3 Capitalism; acting slot
    LOG_RESET,  # holder, place it stood on
    LOG_CHOICE,  # decision kind, option chosen, ask_space, number of options, ask_source
    LOG_TOKEN,  # space: control token placed
    LOG_TOKEN_OFF,  # space, seat that caused it (-1 barbarian), 1 + district (0 = none): control token removed
    LOG_TOKEN_FLIP,  # space, new piece, 1 + district (0 = none)
    LOG_CITY,  # space: city placed; 1 = over an own control token, 1 + its district (0 = none)
    LOG_CITY_LOST,  # space, seat that took it (-1 barbarian)
    LOG_RESOURCE,  # resource, amount (negative = paid), 1 + row of the own ability that gives it (0 = none)
    LOG_NATURAL_WONDER,  # natural wonder, space (seat -1: returned)
    LOG_TRADE,  # holder (BANK = Great Zimbabwe), amount (negative = spent or lost), SOURCE_* of the effect, or -1; of tokens
    # spent: how many stay on the card, resources in place of trade tokens; of tokens gained: 0, 1 + row of the own ability
    LOG_DIAL,  # old space, new space
    LOG_UPGRADE,  # holder, old card, new card; caravans and armies that come with it
    LOG_CARAVAN,  # caravan, from (-1 card), to (-1 card, -2 out of the game)
    LOG_ARRIVAL,  # caravan, space, city-state (-1 = rival city), owner of the city
    LOG_DIPLOMACY,  # 0 = player's card, 1 = city-state's; giver or city-state, card, 1 = taken / 0 = returned
    LOG_WONDER,  # wonder, space: built
    LOG_WONDER_MOVED,  # wonder, space, old owner: changed hands (seat -1: in ruins)
    LOG_WONDER_REVEALED,  # wonder
    LOG_ATTACK,  # target type, space, defender (-1), barbarian, 1 + district (0 = none)
    LOG_COMBAT,  # attacker die, attacker total, defender die, defender total, 1 = attacker won
    LOG_CITY_STATE,  # city-state, 0 = conquered, 1 = freed, 2 = set free by its fall, 3 = an own city for this turn (T12.3),
    # 4 = one no longer, before the turn is over; holder its token is put on (-1)
    LOG_BARBARIAN,  # letter, from (-1), to (-1), what: 0 moves, 1 appears, 2 beaten, 3 thrown back, 4 pushed,
    # 5 barred where it would have gone and turned round (Petra), 6 turned back at the map's edge; it may not move by that
    LOG_BARBARIAN_DIE,  # die, direction
    LOG_AGENDA,  # place of the victory card, agenda 1-2, card code
    LOG_WIN,  # share in 1/60
    LOG_SWAP,  # place, other place
    LOG_TILE,  # tile number, side, rotation, q, r
    LOG_CAPITAL,  # space: capital placed
    LOG_HOLE,  # space filled with water
    LOG_NATURAL_WONDER_USED,  # natural wonder: used as its resource
    LOG_ARMY,  # army, from (-1 card), to (-1 card, -2 out of the game), 1 = goes back after its fight (T5.12)
    LOG_FORT,  # space: fort laid (seat -1: uncontrolled again)
    LOG_EXPLORE,  # space explored from (-1: by a card), tile number, 1 = it fits (its place follows as LOG_TILE), who explores:
    # EXPLORER_CARD, EXPLORER_CARAVAN + caravan, EXPLORER_ARMY + army
    LOG_DISTRICT,  # space, district: placed; 1 = in place of an own control token
    LOG_DISTRICT_USED,  # space, district, option (-1 = to no effect)
    LOG_GOVERNMENT,  # holder (-1 = taken back), focus type of the token, old holder (-1)
    LOG_WONDER_TRADE,  # wonder, trade tokens on it now (2 = leaves the game)
    LOG_REROLL,  # 0 = attacker, 1 = defender; die before, die now
    LOG_AGENDA_LOST,  # place of the victory card: its control token returns (T3.3)
    LOG_IBRAHIM,  # seat that has the card of the seat's leader now (Ibrahim)
    LOG_CITY_TAKEN,  # space, old owner, SOURCE_* of the effect that replaces the city
    LOG_LEADER_BANNED,  # leader, by house rules
    LOG_LEADER,  # leader chosen by house rules; 0 = of those dealt, of all left: 1 = chosen first, 2 = second …
    LOG_NATURAL_WONDER_CARD,  # natural wonder, holder its token is put on (America)
    LOG_TRADE_LOST,  # focus type whose card is full (-1: any), trade tokens lost, SOURCE_* of the effect, 1 + own ability's row
    LOG_WONDER_DRAFTED,  # wonder: taken by the seat, by house rules
    LOG_FIRST,  # the seat is the first player from this round on, by house rules
    LOG_ABILITY,  # row of an own ability (one that is not printed) whose deed the seat does now
    LOG_MOMENT,  # row of an ability whose moment has come, space (-1), by what it is held back (abilities.BY_*), amount
) = range(53)
EXPLORER_CARD, EXPLORER_CARAVAN, EXPLORER_ARMY = 0, 1, 16


@inline
def log(w, code, seat, a, b, c, d, e):
    """Append one row, if a replay is being written."""
    if w.log_on != 0 and w.log_n < state.MAX_LOG:
        n = w.log_n
        w.log[n, 0] = code
        w.log[n, 1] = seat
        w.log[n, 2] = a
        w.log[n, 3] = b
        w.log[n, 4] = c
        w.log[n, 5] = d
        w.log[n, 6] = e
        w.log_n = n + 1


assert state.LOG_COLUMNS == 7


# --- Putting a decision to the strategy of a seat

NOTHING = -1


@jit
def clear_combat(w):
    """Clear the fields about a combat."""
    w.ask_target = NOTHING
    w.ask_attack = 0
    w.ask_defence = 0
    w.ask_die = 0


@jit
def clear_question(w):
    """Clear the fields about a question."""
    w.ask_slot = 0
    w.ask_holder = NOTHING
    w.ask_left = 0
    w.ask_cost = 0
    w.ask_source = NOTHING
    w.ask_space = NOTHING
    w.ask_seat = NOTHING
    w.ask_wonder = NOTHING
    w.ask_level = 0
    w.ask_moved = 0
    w.ask_caravan = NOTHING
    clear_combat(w)


@jit
def note_illegal(g, w, seat, kind, n, k):
    """Note the first answer that is no index of an option; runs/run.py reports it."""
    if w.fault_n == 0:
        w.fault_n = n
        w.fault_seat = seat
        w.fault_kind = kind
        w.fault_answer = k
        w.fault_decision = g.stat_decisions


@jit
def choose(r, g, w, bots, seat, kind, n):
    """Return the option value that `seat` picks among ``w.option[:n]``.

    A single option is taken without asking, so that random streams do not depend on trivial questions. An index out of range
    is the strategy's error: it is noted, and the first option is taken so that the game stays legal.
    """
    k = 0
    if n > 1:
        g.stat_decisions += 1
        u = next_bits(g, state.STREAM_BOT + seat)
        if bots.observer >= 0:
            call_strategy(bots.observer, r, g, w, seat, kind, n, u)
        k = call_strategy(bots.address[seat], r, g, w, seat, kind, n, u)
        if k < 0 or k >= n:
            note_illegal(g, w, seat, kind, n, k)
            k = 0
    picked = int(w.option[k])
    if n > 1:
        log(w, LOG_CHOICE, seat, kind, picked, w.ask_space, n, w.ask_source)
    return picked
