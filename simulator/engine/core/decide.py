"""Putting a decision to the strategy of a seat."""

from . import state
from .jit import call_strategy, jit
from .log import LOG_CHOICE, log
from .rng import next_bits

NOTHING = -1


@jit
def clear_combat(w):
    """Forget how the last combat stood: no later question is about it."""
    w.ask_target = NOTHING
    w.ask_attack = 0
    w.ask_defence = 0
    w.ask_die = 0


@jit
def clear_question(w):
    """Forget what the last question in this workspace was about."""
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
    """Keep the first answer that is no index of an option; whoever plays the game looks for it (batch/run.py)."""
    if w.fault_n == 0:
        w.fault_n = n
        w.fault_seat = seat
        w.fault_kind = kind
        w.fault_answer = k
        w.fault_decision = g.stat_decisions


@jit
def choose(r, g, w, bots, seat, kind, n):
    """Return the option value that `seat` picks among ``w.option[:n]``.

    A matter with one option is settled without asking, so that random streams do not depend on trivial questions. An
    index out of range is the strategy's error: it is noted, and the first option is taken so that the game stays legal.
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
